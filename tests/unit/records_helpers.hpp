// What the tests of src/records share: a folder of their own, and rows with every kind of double.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "files/files.hpp"
#include "records/live_table.hpp"

namespace carom::test {

namespace fs = std::filesystem;

class RecordFiles : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string(test->test_suite_name()) + "-" + test->name();
    for (char& c : name) c = c == '/' ? '-' : c;
    folder = fs::path(testing::TempDir()) / (name + "-" + std::to_string(::getpid()));
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  std::size_t files_in_folder() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
  }
  fs::path folder;
};

inline std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Removes the old file first: some file systems write one that is cut to nothing and filled again to the
// disk.
inline void overwrite(const fs::path& path, std::string_view text) {
  fs::remove(path);
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

inline const Layout& trajectory_layout() {
  static const Layout layout{
      .columns = {{"t"}, {"q", 2, false}, {"H"}, {"momenta", 1, false}, {"gaps", 0, false}}, .text_name = {}};
  return layout;
}

// Doubles that text, rounding or a careless comparison would change.
inline double awkward(std::uint64_t i) {
  using Limits = std::numeric_limits<double>;
  const std::array<double, 12> special{0.0,
                                       -0.0,
                                       Limits::infinity(),
                                       -Limits::infinity(),
                                       Limits::quiet_NaN(),
                                       Limits::denorm_min(),
                                       -3 * Limits::denorm_min(),
                                       Limits::min(),
                                       Limits::max(),
                                       0.1,
                                       1.0 / 3.0,
                                       123456789012345678.0};
  if (i % 3 == 0) return special[i / 3 % special.size()];
  // Any bits that are a finite number: the multiplier spreads i over all 64 of them.
  const std::uint64_t bits = (i * 0x9E3779B97F4A7C15u) & ~(std::uint64_t{1} << 62);
  return std::bit_cast<double>(bits);
}

inline std::vector<double> awkward_rows(std::uint64_t rows, std::size_t width) {
  std::vector<double> numbers(rows * width);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = awkward(i);
  return numbers;
}

inline void append_rows(LiveTable& table, const std::vector<double>& numbers) {
  const std::size_t width = table.layout().row_width();
  for (std::size_t i = 0; i + width <= numbers.size(); i += width)
    table.append(std::span(numbers).subspan(i, width));
}

// A live table of such rows.
inline void make_live(const fs::path& path, const Layout& layout, std::uint64_t rows) {
  LiveTable table = LiveTable::create(path, layout);
  append_rows(table, awkward_rows(rows, layout.row_width()));
  table.flush();
}

inline std::vector<double> all_rows(TableSource& source) {
  std::vector<double> numbers(source.rows() * source.layout().row_width());
  source.read(0, source.rows(), numbers);
  return numbers;
}

// Bit for bit, or else, without `nan_bits`, any nan for any other.
inline void expect_same(const std::vector<double>& a, const std::vector<double>& b, bool nan_bits = true) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool same = std::bit_cast<std::uint64_t>(a[i]) == std::bit_cast<std::uint64_t>(b[i]);
    const bool both_nan = a[i] != a[i] && b[i] != b[i];
    ASSERT_TRUE(same || (!nan_bits && both_nan)) << "number " << i << ": " << a[i] << " and " << b[i];
  }
}

}  // namespace carom::test
