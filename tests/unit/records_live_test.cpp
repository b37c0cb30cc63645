// Live tables: what is in the file at which moment, and how a table is taken up again. What numpy makes of
// them is checked by records_numpy_test.py.
#include <gtest/gtest.h>

#include "records/impacts.hpp"
#include "records_helpers.hpp"

namespace carom::test {
namespace {

using LiveTables = RecordFiles;

const Layout pair{.columns = {{"t"}, {"q", 2, false}}, .text_name = {}};

void append_counting(LiveTable& table, int from, int to) {
  for (int i = from; i < to; ++i) table.append(std::array{1.0 * i, 2.0 * i, 3.0 * i});
}

TEST_F(LiveTables, GiveBackEveryBit) {
  make_live(folder / "a.npy", trajectory_layout(), 20'000);  // many buffers
  const auto source = open_live(folder / "a.npy");
  EXPECT_EQ(source->layout(), trajectory_layout());
  EXPECT_EQ(source->rows(), 20'000u);
  expect_same(all_rows(*source), awkward_rows(20'000, trajectory_layout().row_width()));
}

TEST_F(LiveTables, HeaderHasTheCountAtItsPlace) {
  make_live(folder / "a.npy", pair, 7);
  const std::string file = contents(folder / "a.npy");
  EXPECT_EQ(file.substr(8 + 2, 43), "{'shape': (                          7,), '");
  EXPECT_NE(file.find("'descr': [('t', '<f8'), ('q', '<f8', (2,))]"), std::string::npos);
  EXPECT_EQ((file.size() - 7 * 24) % 64, 0u);
}

TEST_F(LiveTables, ShowFlushedRowsOnly) {
  LiveTable table = LiveTable::create(folder / "a.npy", pair);
  EXPECT_EQ(open_live(folder / "a.npy")->rows(), 0u);
  append_counting(table, 0, 3);
  EXPECT_EQ(table.rows(), 3u);
  EXPECT_EQ(open_live(folder / "a.npy")->rows(), 0u);
  table.flush();
  EXPECT_EQ(open_live(folder / "a.npy")->rows(), 3u);
  append_counting(table, 3, 4);
  table.sync();
  EXPECT_EQ(open_live(folder / "a.npy")->rows(), 4u);
}

TEST_F(LiveTables, DestructorFlushes) {
  { append_counting(*std::make_unique<LiveTable>(LiveTable::create(folder / "a.npy", pair)), 0, 5); }
  EXPECT_EQ(open_live(folder / "a.npy")->rows(), 5u);
}

TEST_F(LiveTables, ReopenDropsWhatCameLater) {
  {
    LiveTable table = LiveTable::create(folder / "a.npy", pair);
    append_counting(table, 0, 100);
  }
  for (const int kept : {60, 60, 10, 0}) {
    {
      LiveTable table = LiveTable::reopen(folder / "a.npy", pair, static_cast<std::uint64_t>(kept));
      EXPECT_EQ(table.rows(), static_cast<std::uint64_t>(kept));
      EXPECT_EQ(open_live(folder / "a.npy")->rows(), static_cast<std::uint64_t>(kept));
      append_counting(table, kept, 80);
    }
    std::vector<double> expected;
    for (int i = 0; i < 80; ++i) expected.insert(expected.end(), {1.0 * i, 2.0 * i, 3.0 * i});
    expect_same(all_rows(*open_live(folder / "a.npy")), expected);
  }
}

// A resumed run must leave the same file as one that never stopped.
TEST_F(LiveTables, ReopenLeavesNoTrace) {
  make_live(folder / "a.npy", trajectory_layout(), 5000);
  fs::copy(folder / "a.npy", folder / "b.npy");
  std::ofstream(folder / "b.npy", std::ios::app) << "half a row";
  const auto numbers = awkward_rows(5000, trajectory_layout().row_width());
  {
    LiveTable table = LiveTable::reopen(folder / "b.npy", trajectory_layout(), 3000);
    append_rows(table, {numbers.begin() + 3000 * 5, numbers.end()});
  }
  EXPECT_EQ(contents(folder / "a.npy"), contents(folder / "b.npy"));
}

TEST_F(LiveTables, ReopenRefusesWhatDoesNotFit) {
  make_live(folder / "a.npy", pair, 7);
  const std::string before = contents(folder / "a.npy");
  const std::string name = "'" + (folder / "a.npy").string() + "': ";
  const Layout other{.columns = {{"t"}, {"p", 2, false}}, .text_name = {}};
  EXPECT_EQ(message_of([&] { LiveTable::reopen(folder / "a.npy", pair, 8); }),
            name + "has 7 rows where 8 are needed");
  EXPECT_EQ(message_of([&] { LiveTable::reopen(folder / "a.npy", other, 5); }),
            name + "has other columns than the run that it should continue");
  EXPECT_THROW(LiveTable::reopen(folder / "missing.npy", pair, 0), FileError);
  EXPECT_EQ(contents(folder / "a.npy"), before);
}

// numpy.save puts the shape elsewhere; raising the count in place would destroy such a header.
TEST_F(LiveTables, ReopenRefusesAHeaderOfNumpysOwn) {
  std::string header =
      "{'descr': [('t', '<f8'), ('q', '<f8', (2,))], 'fortran_order': False, 'shape': (1,), }";
  header.resize(117, ' ');
  overwrite(folder / "a.npy",
            std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n" + std::string(24, '\0'));
  EXPECT_EQ(open_live(folder / "a.npy")->rows(), 1u) << "but it can be read";
  EXPECT_THROW(LiveTable::reopen(folder / "a.npy", pair, 1), RecordError);
}

TEST_F(LiveTables, HaveOneWriter) {
  LiveTable table = LiveTable::create(folder / "a.npy", pair);
  append_counting(table, 0, 3);
  table.flush();
  const std::string expected = "'" + (folder / "a.npy").string() + "': is being written by another process";
  EXPECT_EQ(message_of([&] { LiveTable::create(folder / "a.npy", pair); }), expected);
  EXPECT_EQ(message_of([&] { LiveTable::reopen(folder / "a.npy", pair, 0); }), expected);
  EXPECT_EQ(open_live(folder / "a.npy")->rows(), 3u);
}

TEST_F(LiveTables, KeepTexts) {
  const Layout layout = impact_layout(2, 10);
  {
    LiveTable table = LiveTable::create(folder / "a.npy", layout);
    const auto row = awkward_rows(1, layout.row_width());
    for (const std::string_view text : {"", "floor", "ten bytes!", "θ + φ"}) table.append(row, text);
    EXPECT_THROW(table.append(row, "eleven bytes"), std::invalid_argument);
    EXPECT_THROW(table.append(std::span(row).first(3), "floor"), std::invalid_argument);
    EXPECT_EQ(table.rows(), 4u);
  }
  const auto source = open_live(folder / "a.npy");
  EXPECT_EQ(source->layout(), layout);
  std::vector<std::string> texts(4);
  source->read_texts(0, texts);
  EXPECT_EQ(texts, (std::vector<std::string>{"", "floor", "ten bytes!", "θ + φ"}));
  source->read_texts(2, std::span(texts).first(1));
  EXPECT_EQ(texts[0], "ten bytes!");
  EXPECT_THROW(source->read_texts(3, std::span(texts).first(2)), std::out_of_range);
  const auto numbers = all_rows(*source);
  const auto row = awkward_rows(1, layout.row_width());
  for (std::size_t i = 0; i < 4; ++i)
    expect_same({numbers.begin() + static_cast<int>(i * row.size()),
                 numbers.begin() + static_cast<int>((i + 1) * row.size())},
                row);
}

TEST_F(LiveTables, RefuseBadLayouts) {
  const auto message = [&](std::vector<Column> columns) {
    return message_of([&] { LiveTable::create(folder / "a.npy", {.columns = columns, .text_name = {}}); });
  };
  EXPECT_EQ(message({{"t"}, {"t"}}), "two columns are named 't'");
  EXPECT_EQ(message({{"1q"}}), "'1q' cannot be a column's name");
  EXPECT_EQ(message({{"θ"}}), "a live table has names of ASCII alone: numpy reads its header as Latin-1");
  EXPECT_EQ(message({{"it's"}}), "'it's' cannot be a column's name");
  EXPECT_EQ(message({{"q", 2, true}}), "column 'q' is scalar and 2 numbers wide");
  EXPECT_EQ(message({{"gaps", 0, false}}), "a table needs a column that is not empty");
  EXPECT_EQ(files_in_folder(), 0u);
}

TEST_F(LiveTables, ReadsOutsideAreRefused) {
  make_live(folder / "a.npy", pair, 7);
  const auto source = open_live(folder / "a.npy");
  std::vector<double> numbers(6);
  source->read(5, 2, numbers);
  expect_same(numbers, [] {
    const auto all = awkward_rows(7, 3);
    return std::vector<double>(all.begin() + 15, all.end());
  }());
  EXPECT_THROW(source->read(6, 2, numbers), std::out_of_range);
  EXPECT_THROW(source->read(1, ~std::uint64_t{0}, numbers), std::out_of_range);
  EXPECT_THROW(source->read(0, 1, numbers), std::invalid_argument);
  source->read(7, 0, {});
}

}  // namespace
}  // namespace carom::test
