// Writes what records_numpy_test.py reads, where CAROM_RECORDS_SAMPLE says.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <thread>

#include "records/export.hpp"
#include "records/impacts.hpp"
#include "records_helpers.hpp"

namespace carom::test {
namespace {

class RecordsSample : public RecordFiles {
 protected:
  fs::path wanted(const fs::path& otherwise) const {
    const char* path = std::getenv("CAROM_RECORDS_SAMPLE");
    return path != nullptr ? fs::path(path) : otherwise;
  }
};

void write_table(const fs::path& path, std::size_t rows) {
  const Layout layout{.columns = {{"t"}, {"q", 2, false}, {"momenta", 1, false}, {"gaps", 0, false}},
                      .text_name = {}};
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> numbers{0, 0.1, -0.0,  7,       0.5, 5e-324, inf, 8, 1, -inf, std::nan(""),
                                    9, 1.5, 1e300, 1.0 / 3, 10,  2,      3,   4, 11};
  LiveTable table = LiveTable::create(path, layout);
  append_rows(table, {numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(4 * rows)});
}

TEST_F(RecordsSample, ForNumpy) {
  const fs::path to = wanted(folder);
  write_table(to / "live.npy", 5);
  write_table(to / "empty.npy", 0);
  fs::copy(to / "live.npy", to / "torn.npy");
  std::ofstream(to / "torn.npy", std::ios::app) << "part of another row, and more";
  fs::copy(to / "live.npy", to / "reopened.npy");
  LiveTable::reopen(to / "reopened.npy", open_live(to / "live.npy")->layout(), 3);
  for (const std::string name : {"live", "empty"}) {
    const auto source = open_live(to / (name + ".npy"));
    const std::string target = name == "live" ? "a" : name;
    export_npz(*source, to / (target + ".npz"));
    export_csv(*source, to / (target + ".csv"));
    export_hdf5(*source, to / (target + ".h5"));
  }
  {
    const Layout layout = impact_layout(2, 20);
    LiveTable impacts = LiveTable::create(to / "impacts.npy", layout);
    std::vector<double> row(layout.row_width());
    for (const std::string_view contact : {"floor", "", "wall + θ"}) {
      row[1] += 1;
      impacts.append(row, contact);
    }
  }
  export_impacts(to / "impacts.npy", to / "impacts.csv");
}

// Grows for a second where a reader is waiting, else for a moment.
TEST_F(RecordsSample, Growing) {
  using Clock = std::chrono::steady_clock;
  const fs::path path = wanted(folder / "live.npy");
  const auto end = Clock::now() + std::chrono::milliseconds(path.parent_path() == folder ? 10 : 1000);
  LiveTable table = LiveTable::create(path, {.columns = {{"t"}, {"q", 2, false}}, .text_name = {}});
  for (std::uint64_t i = 0; Clock::now() < end; ++i) {
    const double x = static_cast<double>(i);
    table.append(std::array{x, 2 * x, 3 * x});
    if (i % 7 == 0) table.flush();
    if (i % 1000 == 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  table.flush();
  EXPECT_EQ(open_live(path)->rows(), table.rows());
}

}  // namespace
}  // namespace carom::test
