// The bytes of .npz files, and files that are complete or absent. What numpy makes of the bytes is checked by
// npz_numpy_test.py, which has this program write its sample.
#include "records/npz.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <numeric>

#include "files/files.hpp"

namespace carom {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::uint64_t number_at(std::string_view bytes, std::size_t offset, int count) {
  std::uint64_t value = 0;
  for (int i = 0; i < count; ++i) {
    value |= std::uint64_t{static_cast<unsigned char>(bytes.at(offset + static_cast<std::size_t>(i)))}
             << (8 * i);
  }
  return value;
}

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string message_of(const auto& action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

class Files : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder = fs::path(testing::TempDir()) / (test->name() + "-"s + std::to_string(::getpid()));
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  std::size_t files_in_folder() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
  }
  fs::path folder;
};

using Npz = Files;

TEST(Crc32, HasTheCheckValue) { EXPECT_EQ(detail::crc32(bytes_of("123456789")), 0xCBF43926u); }

TEST(Crc32, OfNothingIsZero) { EXPECT_EQ(detail::crc32({}), 0u); }

// One byte at a time never reaches the eight-byte loop, so this checks the two loops against each other.
TEST(Crc32, IsTheSameInPieces) {
  std::string text(1000, '\0');
  std::iota(text.begin(), text.end(), '\x01');
  for (const std::size_t length : {0u, 1u, 7u, 8u, 9u, 63u, 64u, 1000u}) {
    std::uint32_t by_bytes = 0;
    for (std::size_t i = 0; i < length; ++i) by_bytes = detail::crc32(bytes_of(text).subspan(i, 1), by_bytes);
    EXPECT_EQ(detail::crc32(bytes_of(text).first(length)), by_bytes) << length << " bytes";
    const std::uint32_t head = detail::crc32(bytes_of(text).first(length / 3));
    EXPECT_EQ(detail::crc32(bytes_of(text).subspan(length / 3, length - length / 3), head), by_bytes);
  }
}

TEST(NpyHeader, SaysTypeAndShape) {
  const std::size_t shape[] = {3, 4};
  const std::string header = detail::npy_header("<f8", shape);
  EXPECT_EQ(header.substr(0, 8), "\x93NUMPY\x01\x00"s);
  EXPECT_EQ(number_at(header, 8, 2), header.size() - 10);
  EXPECT_EQ(header.substr(10, 58), "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), ");
  EXPECT_EQ(header.back(), '\n');
}

TEST(NpyHeader, EndsOnAMultipleOf64) {
  std::vector<std::size_t> shape;
  for (int dimensions = 0; dimensions < 33; ++dimensions, shape.push_back(12345)) {
    EXPECT_EQ(detail::npy_header("<i8", shape).size() % 64, 0u) << dimensions << " dimensions";
  }
}

TEST(NpyHeader, WritesTuplesAsPythonDoes) {
  EXPECT_NE(detail::npy_header("<f8", {}).find("'shape': (),"), std::string::npos);
  const std::size_t five[] = {5};
  EXPECT_NE(detail::npy_header("<f8", five).find("'shape': (5,),"), std::string::npos);
}

TEST(Zip, SmallEntriesAreNotZip64) {
  const detail::ZipEntry entry{"a.npy", 0xFFFFFFFE, 0xFFFFFFFE, 7};
  const std::string local = detail::zip_local_header(entry);
  EXPECT_EQ(local.size(), 30u + 5u);
  EXPECT_EQ(number_at(local, 4, 2), 20u);
  EXPECT_EQ(number_at(local, 12, 2), 0x21u) << "1980-01-01";
  EXPECT_EQ(number_at(local, 22, 4), 0xFFFFFFFEu);
  EXPECT_EQ(detail::zip_directory_header(entry).size(), 46u + 5u);
  EXPECT_EQ(detail::zip_end(0xFFFE, 100, 0xFFFFFFFE).size(), 22u);
}

TEST(Zip, LargeSizesMoveToTheExtraField) {
  const std::uint64_t size = 5'000'000'000;
  const detail::ZipEntry entry{"a.npy", size, 64, 7};
  const std::string local = detail::zip_local_header(entry);
  ASSERT_EQ(local.size(), 30u + 5u + 20u);
  EXPECT_EQ(number_at(local, 4, 2), 45u);
  EXPECT_EQ(number_at(local, 18, 4), 0xFFFFFFFFu);
  EXPECT_EQ(number_at(local, 28, 2), 20u) << "length of the extra field";
  EXPECT_EQ(number_at(local, 35, 2), 1u) << "its tag";
  EXPECT_EQ(number_at(local, 39, 8), size);
  EXPECT_EQ(number_at(local, 47, 8), size);
  const std::string directory = detail::zip_directory_header(entry);
  ASSERT_EQ(directory.size(), 46u + 5u + 20u);
  EXPECT_EQ(number_at(directory, 42, 4), 64u);
}

TEST(Zip, LargeOffsetsMoveToTheExtraFieldAlone) {
  const detail::ZipEntry entry{"a.npy", 128, 5'000'000'000, 7};
  EXPECT_EQ(detail::zip_local_header(entry).size(), 30u + 5u) << "the local header holds no offset";
  const std::string directory = detail::zip_directory_header(entry);
  ASSERT_EQ(directory.size(), 46u + 5u + 12u);
  EXPECT_EQ(number_at(directory, 42, 4), 0xFFFFFFFFu);
  EXPECT_EQ(number_at(directory, 24, 4), 128u);
  EXPECT_EQ(number_at(directory, 55, 8), 5'000'000'000u);
}

TEST(Zip, EndOfALargeArchivePointsToItsZip64Record) {
  for (const auto& [entries, offset] :
       {std::pair{std::uint64_t{1}, std::uint64_t{5'000'000'000}}, {70'000, 9}}) {
    const std::string end = detail::zip_end(entries, 51, offset);
    ASSERT_EQ(end.size(), 56u + 20u + 22u);
    EXPECT_EQ(number_at(end, 32, 8), entries);
    EXPECT_EQ(number_at(end, 48, 8), offset);
    EXPECT_EQ(number_at(end, 56 + 8, 8), offset + 51) << "where the record begins";
    EXPECT_EQ(number_at(end, 76 + 10, 2), std::min<std::uint64_t>(entries, 0xFFFF));
  }
}

TEST_F(Npz, HoldsTheArrayByteForByte) {
  const std::vector<double> q{1.5, -2.25, 1e300};
  const std::vector<NpyArray> arrays{{"q", {3}, q}};
  write_npz(folder / "a.npz", arrays);
  const std::string file = contents(folder / "a.npz");
  const std::size_t npy = 30 + 5;  // after the local header and "q.npy"
  EXPECT_EQ(file.substr(0, 4), "PK\x03\x04");
  EXPECT_EQ(file.substr(30, 5), "q.npy");
  EXPECT_EQ(file.substr(npy, 6), "\x93NUMPY");
  const std::size_t npy_size = 128 + 3 * sizeof(double);
  EXPECT_EQ(number_at(file, 18, 4), npy_size);
  EXPECT_EQ(number_at(file, 14, 4), detail::crc32(bytes_of(file).subspan(npy, npy_size)));
  EXPECT_EQ(std::memcmp(file.data() + npy + 128, q.data(), 3 * sizeof(double)), 0);
  EXPECT_EQ(file.size(), npy + npy_size + 46 + 5 + 22);
  EXPECT_EQ(number_at(file, file.size() - 6, 4), npy + npy_size) << "where the directory begins";
}

TEST_F(Npz, EqualArraysMakeEqualFiles) {
  const std::vector<double> q{1, 2, 3, 4};
  const std::vector<NpyArray> arrays{{"q", {2, 2}, q}};
  write_npz(folder / "a.npz", arrays);
  write_npz(folder / "b.npz", arrays);
  write_npz(folder / "b.npz", arrays);
  EXPECT_EQ(contents(folder / "a.npz"), contents(folder / "b.npz"));
  EXPECT_EQ(files_in_folder(), 2u) << "temporary files must be gone";
}

TEST_F(Npz, RejectsWhatNumpyCouldNotRead) {
  const std::vector<double> q(6);
  const auto message = [&](std::vector<NpyArray> arrays) {
    return message_of([&] { write_npz(folder / "a.npz", arrays); });
  };
  EXPECT_EQ(message({{"q", {2, 4}, q}}), "npz: array 'q' has shape (2, 4) but 6 values");
  EXPECT_EQ(message({{"q", {}, q}}), "npz: array 'q' has shape () but 6 values");
  EXPECT_EQ(message({{"q", {0, 6}, q}}), "npz: array 'q' has shape (0, 6) but 6 values");
  EXPECT_EQ(message({{"q", {std::size_t{1} << 63, 2}, std::span<const double>{}}}),
            "npz: array 'q' has shape (9223372036854775808, 2) but 0 values");
  EXPECT_EQ(message({{"q", {6}, q}, {"q", {6}, q}}), "npz: two arrays are named 'q'");
  EXPECT_EQ(message({{"", {6}, q}}), "npz: '' cannot be the name of an array");
  EXPECT_EQ(files_in_folder(), 0u);
}

TEST_F(Npz, SampleForNumpy) {
  const char* wanted = std::getenv("CAROM_NPZ_SAMPLE");
  const fs::path path = wanted != nullptr ? fs::path(wanted) : folder / "sample.npz";
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> q{0.1,      -0.0,      1e-308,
                              infinity, -infinity, std::numeric_limits<double>::quiet_NaN()};
  const std::vector<std::int64_t> step{0, -1, std::numeric_limits<std::int64_t>::max()};
  std::vector<double> cube(2 * 3 * 4);
  std::iota(cube.begin(), cube.end(), 0.0);
  const double h = 0.01;
  const std::vector<NpyArray> arrays{{"q", {3, 2}, q},
                                     {"step", {3}, step},
                                     {"cube", {2, 3, 4}, cube},
                                     {"h", {}, std::span(&h, 1)},
                                     {"impacts", {0, 7}, std::span<const double>{}},
                                     {"θ", {1}, std::span(&h, 1)}};
  write_npz(path, arrays);
  EXPECT_GT(fs::file_size(path), 6u * 128u);
}

TEST_F(Files, TextReplacesOldText) {
  write_text(folder / "a.json", "a long first text");
  write_text(folder / "a.json", "{}\n");
  EXPECT_EQ(contents(folder / "a.json"), "{}\n");
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(Files, UncommittedFileLeavesTheOldOne) {
  write_text(folder / "a", "old");
  AtomicFile(folder / "a").write("new");
  EXPECT_EQ(contents(folder / "a"), "old");
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(Files, LinkStaysALink) {
  write_text(folder / "a", "old");
  fs::create_symlink("a", folder / "link");
  write_text(folder / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(contents(folder / "a"), "new");
}

TEST_F(Files, MissingFolderIsNamed) {
  const fs::path path = folder / "missing" / "a.json";
  const std::string message = message_of([&] { write_text(path, "{}"); });
  EXPECT_EQ(message, "cannot create '" + path.string() + "': No such file or directory");
}

TEST_F(Files, FolderIsNotAFile) {
  EXPECT_EQ(message_of([&] { write_text(folder, "{}"); }),
            "cannot write '" + folder.string() + "': Is a directory");
}

TEST_F(Files, FullDeviceIsReportedAndSurvives) {
  if (!fs::is_character_file("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  EXPECT_EQ(message_of([] { write_text("/dev/full", "{}"); }),
            "cannot write '/dev/full': No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(Files, FailureHalfWayLeavesTheOldFile) {
  write_text(folder / "a.npz", "old");
  ::rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const ::rlimit small{4096, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::vector<double> q(10'000);
  const std::vector<NpyArray> arrays{{"q", {10'000}, q}};
  const std::string message = message_of([&] { write_npz(folder / "a.npz", arrays); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(message, "cannot write '" + (folder / "a.npz").string() + "': File too large");
  EXPECT_EQ(contents(folder / "a.npz"), "old");
  EXPECT_EQ(files_in_folder(), 1u);
}

}  // namespace
}  // namespace carom
