// Runs that die, and disks that are full: what is left must be readable and right.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "records/checkpoint.hpp"
#include "records/export.hpp"
#include "records_helpers.hpp"

namespace carom::test {
namespace {

using Crashes = RecordFiles;

const Layout wide{.columns = {{"t"}, {"q", 4, false}}, .text_width = 9, .text_name = "contact"};

std::array<double, 5> row_number(std::uint64_t i) {
  return {static_cast<double>(i), awkward(i), awkward(3 * i), awkward(7 * i + 1), -static_cast<double>(i)};
}

void append_range(LiveTable& table, std::uint64_t from, std::uint64_t to) {
  for (std::uint64_t i = from; i < to; ++i) table.append(row_number(i), std::to_string(i % 1000));
}

void expect_right(const fs::path& path, std::uint64_t least) {
  const auto source = open_live(path);
  ASSERT_GE(source->rows(), least);
  const auto numbers = all_rows(*source);
  std::vector<std::string> texts(source->rows());
  source->read_texts(0, texts);
  std::vector<double> expected;
  for (std::uint64_t i = 0; i < source->rows(); ++i) {
    const auto row = row_number(i);
    expected.insert(expected.end(), row.begin(), row.end());
    ASSERT_EQ(texts[i], std::to_string(i % 1000));
  }
  expect_same(numbers, expected);
}

// Runs `work` in a process of its own and kills it some time after it has called its argument.
void kill_during(const std::function<void(const std::function<void()>& ready)>& work, int microseconds) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  const ::pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    try {
      work([&] {
        if (::write(pipe[1], "r", 1) != 1) ::_exit(1);
      });
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    ::_exit(1);  // it should have been killed
  }
  ::close(pipe[1]);
  char ready = 0;
  EXPECT_EQ(::read(pipe[0], &ready, 1), 1);
  ::usleep(static_cast<unsigned>(microseconds));
  ::kill(child, SIGKILL);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ::close(pipe[0]);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself";
}

TEST_F(Crashes, KilledWriterLeavesWholeRows) {
  for (int i = 0; i < 30; ++i) {
    const fs::path path = folder / (std::to_string(i) + ".npy");
    kill_during(
        [&](const auto& ready) {
          LiveTable table = LiveTable::create(path, wide);
          append_range(table, 0, 10);
          table.flush();
          ready();
          constexpr std::uint64_t more = 97;  // sometimes a flush by hand, sometimes a full buffer
          for (std::uint64_t first = 10;; first += more) {
            append_range(table, first, first + more);
            if (first % 5 == 0) table.flush();
          }
        },
        37 * i * i);  // up to 30 ms
    ASSERT_NO_FATAL_FAILURE(expect_right(path, 10));
    const std::uint64_t kept = open_live(path)->rows() - 5;
    {
      LiveTable table = LiveTable::reopen(path, wide, kept);
      append_range(table, kept, kept + 100);
    }
    ASSERT_NO_FATAL_FAILURE(expect_right(path, kept + 100));
  }
}

TEST_F(Crashes, KilledWriterLeavesAWholeCheckpoint) {
  const fs::path path = folder / "checkpoint";
  for (int i = 0; i < 10; ++i) {
    kill_during(
        [&](const auto& ready) {
          for (std::int64_t n = 0;; ++n) {
            const double x = static_cast<double>(n);
            save_checkpoint(path, {.scenario = std::string(1000, 'x'),
                                   .numbers = {{"q", std::vector(100, x)}},
                                   .counts = {{"n", n}}});
            if (n == 0) ready();
          }
        },
        1000 * i);
    const Checkpoint left = load_checkpoint(path);
    EXPECT_EQ(left.numbers.at("q"), std::vector(100, static_cast<double>(left.counts.at("n"))));
  }
}

// No file of this process grows beyond `bytes` while this lives.
class FileLimit {
 public:
  explicit FileLimit(::rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const ::rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;

 private:
  ::rlimit before_{};
  void (*handler_)(int);
};

TEST_F(Crashes, FullDiskKeepsTheRowsBefore) {
  const fs::path path = folder / "a.npy";
  LiveTable table = LiveTable::create(path, wide);
  const std::uint64_t header = fs::file_size(path);
  {
    const FileLimit limit(100'000);
    EXPECT_EQ(message_of([&] { append_range(table, 0, 10'000); }),
              "cannot write '" + path.string() + "': File too large");
    EXPECT_EQ(message_of([&] { table.flush(); }), "cannot write '" + path.string() + "': File too large");
  }
  const std::uint64_t fitted = (100'000 - header) / wide.row_bytes();
  ASSERT_NO_FATAL_FAILURE(expect_right(path, fitted));
  EXPECT_EQ(open_live(path)->rows(), fitted);
  EXPECT_LE(fs::file_size(path), 100'000u);
  // Once there is room, nothing is lost: the row that failed was not taken, all before it were.
  const std::uint64_t next = table.rows();
  append_range(table, next, next + 5000);
  table.flush();
  EXPECT_EQ(open_live(path)->rows(), next + 5000);
  expect_right(path, next + 5000);
}

TEST_F(Crashes, FullDiskLeavesNoHalfExport) {
  make_live(folder / "a.npy", trajectory_layout(), 20'000);
  const auto source = open_live(folder / "a.npy");
  using Export = void (*)(TableSource&, const fs::path&);
  for (const auto& [name, run] :
       {std::pair<const char*, Export>{"a.npz", export_npz}, {"a.csv", export_csv}, {"a.h5", export_hdf5}}) {
    const fs::path path = folder / name;
    {
      const FileLimit limit(300'000);
      EXPECT_EQ(message_of([&, run = run] { run(*source, path); }),
                "cannot write '" + path.string() + "': File too large");
    }
    EXPECT_EQ(files_in_folder(), 1u) << name;
  }
  export_hdf5(*source, folder / "a.h5");
  expect_same(all_rows(*open_hdf5(folder / "a.h5")), all_rows(*source));
}

}  // namespace
}  // namespace carom::test
