// Every format gives back what went in, and equal tables make equal files.
#include "records/export.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "records/npz.hpp"
#include "records_helpers.hpp"

namespace carom::test {
namespace {

using Exports = RecordFiles;

struct Format {
  const char* name;
  void (*write)(TableSource&, const fs::path&);
  std::unique_ptr<TableSource> (*open)(const fs::path&);
  bool nan_bits, empty_columns;
};
void PrintTo(const Format& format, std::ostream* out) { *out << format.name; }  // not its bytes

class Formats : public RecordFiles, public testing::WithParamInterface<Format> {
 protected:
  // Exports the live table a.npy and opens the result.
  std::unique_ptr<TableSource> converted() {
    GetParam().write(*open_live(folder / "a.npy"), folder / "b");
    return GetParam().open(folder / "b");
  }
};

INSTANTIATE_TEST_SUITE_P(All, Formats,
                         testing::Values(Format{"npz", export_npz, open_npz, true, true},
                                         Format{"csv", export_csv, open_csv, false, false},
                                         Format{"hdf5", export_hdf5, open_hdf5, true, true}),
                         [](const auto& format) { return format.param.name; });

TEST_P(Formats, GiveBackEveryNumber) {
  for (const std::uint64_t rows : {0, 1, 2, 4095, 4096, 4097, 200'000}) {
    make_live(folder / "a.npy", trajectory_layout(), rows);
    const auto source = converted();
    Layout expected = trajectory_layout();
    if (!GetParam().empty_columns) expected.columns.pop_back();
    ASSERT_EQ(source->layout(), expected);
    ASSERT_EQ(source->rows(), rows);
    ASSERT_NO_FATAL_FAILURE(
        expect_same(all_rows(*source), awkward_rows(rows, expected.row_width()), GetParam().nan_bits));
  }
}

TEST_P(Formats, CanBeReadFromAnywhere) {
  make_live(folder / "a.npy", trajectory_layout(), 20'000);
  const auto source = converted();
  const std::size_t width = source->layout().row_width();
  const auto expected = awkward_rows(20'000, width);
  std::uint64_t first = 1;
  for (int i = 0; i < 60; ++i) {
    first =
        i % 3 == 0 ? std::min<std::uint64_t>(first + 11, 19'000) : first * 7919 % 19'000;  // on, or elsewhere
    std::vector<double> block(11 * width);
    source->read(first, 11, block);
    const auto begin = expected.begin() + static_cast<std::ptrdiff_t>(first * width);
    ASSERT_NO_FATAL_FAILURE(
        expect_same(block, {begin, begin + static_cast<std::ptrdiff_t>(block.size())}, GetParam().nan_bits));
  }
}

TEST_P(Formats, EqualTablesMakeEqualFiles) {
  make_live(folder / "a.npy", trajectory_layout(), 3000);
  converted();
  const std::string before = contents(folder / "b");
  ::usleep(1'100'000);  // files that hold a time, in seconds, differ now
  converted();
  EXPECT_TRUE(contents(folder / "b") == before);
  EXPECT_EQ(files_in_folder(), 2u) << "temporary files must be gone";
}

TEST_P(Formats, FormatsFollowOneAnother) {
  make_live(folder / "a.npy", trajectory_layout(), 3000);
  const auto source = converted();
  export_npz(*source, folder / "c.npz");
  expect_same(all_rows(*open_npz(folder / "c.npz")), all_rows(*source));
}

TEST_P(Formats, RefuseTextsAndMissingFolders) {
  LiveTable::create(folder / "a.npy", {.columns = {{"t"}}, .text_width = 4, .text_name = "contact"});
  EXPECT_THROW(converted(), std::invalid_argument);
  make_live(folder / "a.npy", trajectory_layout(), 3);
  const fs::path path = folder / "missing" / "b";
  EXPECT_EQ(message_of([&] { GetParam().write(*open_live(folder / "a.npy"), path); }),
            "cannot create '" + path.string() + "': No such file or directory");
  EXPECT_THROW(GetParam().open(path), FileError);
  EXPECT_THROW(GetParam().open(folder), RecordError);
}

// The archive that write_npz makes from memory, for the same columns.
TEST_F(Exports, NpzIsThatOfWriteNpz) {
  make_live(folder / "a.npy", {.columns = {{"t"}, {"q", 2, false}}, .text_name = {}}, 1000);
  export_npz(*open_live(folder / "a.npy"), folder / "a.npz");
  const auto rows = awkward_rows(1000, 3);
  std::vector<double> t, q;
  for (std::size_t i = 0; i < rows.size(); ++i) (i % 3 == 0 ? t : q).push_back(rows[i]);
  write_npz(folder / "b.npz", std::vector<NpyArray>{{"t", {1000}, t}, {"q", {1000, 2}, q}});
  EXPECT_TRUE(contents(folder / "a.npz") == contents(folder / "b.npz"));
}

TEST_F(Exports, NpzWriterWantsExactlyItsArrays) {
  const std::vector<NpyPlan> plans{{"t", {2}}};
  const std::array<double, 3> numbers{};
  {
    NpzWriter writer(folder / "a.npz", plans);
    EXPECT_THROW(writer.append(0, std::as_bytes(std::span(numbers))), std::logic_error);
    writer.append(0, std::as_bytes(std::span(numbers)).first(8));
    EXPECT_THROW(writer.commit(), std::logic_error);
  }
  EXPECT_EQ(files_in_folder(), 0u);
}

TEST_F(Exports, CsvIsPlain) {
  const Layout layout{.columns = {{"t"}, {"q", 2, false}, {"H"}}, .text_name = {}};
  {
    LiveTable table = LiveTable::create(folder / "a.npy", layout);
    table.append(std::array{0.0, 0.1, -0.0, -std::numeric_limits<double>::quiet_NaN()});
    table.append(std::array{0.5, 1e300, 5e-324, -std::numeric_limits<double>::infinity()});
  }
  export_csv(*open_live(folder / "a.npy"), folder / "a.csv");
  EXPECT_EQ(contents(folder / "a.csv"), "t,q.0,q.1,H\n0,0.1,-0,nan\n0.5,1e+300,5e-324,-inf\n");
}

TEST_F(Exports, CsvFromElsewhereIsRead) {
  overwrite(folder / "a.csv", "t,q.0,q.1,p.0\r\n1,2e0,3.0,-4\r\n5,inf,nan,8\r\n");
  const auto source = open_csv(folder / "a.csv");
  const Layout expected{.columns = {{"t"}, {"q", 2, false}, {"p", 1, false}}, .text_name = {}};
  EXPECT_EQ(source->layout(), expected);
  const double inf = std::numeric_limits<double>::infinity();
  expect_same(all_rows(*source), {1, 2, 3, -4, 5, inf, std::nan(""), 8}, false);
}

}  // namespace
}  // namespace carom::test
