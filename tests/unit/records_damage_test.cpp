// Files that were cut or changed: an error that names the file, never a crash or a huge allocation. The whole
// file is meant to run under the sanitizers, too.
#include <gtest/gtest.h>

#include "records/export.hpp"
#include "records/impacts.hpp"
#include "records/names.hpp"
#include "records/npz.hpp"
#include "records_helpers.hpp"

// The HDF5 library forgets to free some memory when a file is damaged.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }

namespace carom::test {
namespace {

std::unique_ptr<TableSource> open_any_live(const fs::path& path) { return open_live(path); }

void copy_live(TableSource& source, const fs::path& path) {
  LiveTable table = LiveTable::create(path, source.layout());
  append_rows(table, all_rows(source));
}

// As a run does it: columns have names, and coordinates stand there by theirs.
template <void (*Write)(TableSource&, const fs::path&)>
void with_names(TableSource& source, const fs::path& path) {
  Layout named = source.layout();
  for (Column& column : named.columns)
    for (std::size_t k = 0; !column.scalar && k < column.width; ++k)
      column.parts.push_back("θ of " + column.name + std::to_string(k));
  named.columns[1].parts = {"x", "θ"};
  NamedTable table(source, named, true);
  Write(table, path);
}

struct Kind {
  const char* name;
  void (*write)(TableSource&, const fs::path&);
  std::unique_ptr<TableSource> (*open)(const fs::path&);
  bool has_checksums;
};

class Damage : public RecordFiles, public testing::WithParamInterface<Kind> {
 protected:
  void SetUp() override {
    RecordFiles::SetUp();
    make_live(folder / "a.npy", trajectory_layout(), rows);
    GetParam().write(*open_live(folder / "a.npy"), folder / "b");
    whole = contents(folder / "b");
    numbers = all_rows(*GetParam().open(folder / "b"));
  }

  // What became of `text`: nothing, when an error was thrown that names the file.
  std::optional<std::vector<double>> result_of(const std::string& text) {
    overwrite(folder / "c", text);
    try {
      const auto source = GetParam().open(folder / "c");
      EXPECT_LE(source->rows(), text.size());
      return all_rows(*source);
    } catch (const RecordError& error) {
      EXPECT_NE(std::string_view(error.what()).find((folder / "c").string()), std::string::npos)
          << error.what();
      return std::nullopt;
    }
  }

  static constexpr std::uint64_t rows = 20;
  std::string whole;
  std::vector<double> numbers;
};

INSTANTIATE_TEST_SUITE_P(All, Damage,
                         testing::Values(Kind{"live", copy_live, open_any_live, false},
                                         Kind{"npz", with_names<export_npz>, open_npz, true},
                                         Kind{"csv", export_csv, open_csv, false},
                                         Kind{"hdf5", with_names<export_hdf5>, open_hdf5, true}),
                         [](const auto& kind) { return kind.param.name; });

TEST_P(Damage, CutsAreNoticed) {
  for (std::size_t length = 0; length < whole.size(); length += 1 + whole.size() / 1000) {
    // A csv file that ends with a whole line cannot know of more.
    if (GetParam().name == std::string_view("csv") && length > 0 && whole[length - 1] == '\n') continue;
    EXPECT_FALSE(result_of(whole.substr(0, length))) << length << " of " << whole.size() << " bytes";
  }
}

// Each byte in turn takes a few other values. Where there are checksums, nothing may come out that is wrong.
TEST_P(Damage, ChangedBytesDoNoHarm) {
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const int change : {0x01, 0x80, 0xFF}) {
      std::string changed = whole;
      changed[i] = static_cast<char>(changed[i] ^ change);
      const auto result = result_of(changed);
      if (!result || !GetParam().has_checksums) continue;
      ASSERT_NO_FATAL_FAILURE(expect_same(*result, numbers)) << "byte " << i;
    }
  }
}

TEST_P(Damage, OtherFilesAreRefused) {
  EXPECT_FALSE(result_of(""));
  EXPECT_FALSE(result_of(std::string(5000, '\0')));
  EXPECT_FALSE(result_of(std::string(5000, 'x')));
  EXPECT_FALSE(result_of(whole.substr(whole.size() / 3)));
}

using RecordMessages = RecordFiles;

TEST_F(RecordMessages, CsvNamesTheLine) {
  const auto message = [&](const std::string& text) {
    overwrite(folder / "a.csv", text);
    const std::string what = message_of([&] { all_rows(*open_csv(folder / "a.csv")); });
    const std::string file = "'" + (folder / "a.csv").string() + "': ";
    return what.starts_with(file) ? what.substr(file.size()) : what;
  };
  EXPECT_EQ(message("t,H\n1,2\n3,x\n"), "line 3 has no number in column 2, or not 2 columns");
  EXPECT_EQ(message("t,H\n1,2\n3\n"), "line 3 has no number in column 1, or not 2 columns");
  EXPECT_EQ(message("t,H\n1,2,3\n"), "line 2 has no number in column 2, or not 2 columns");
  EXPECT_EQ(message("t,H\n1,2\n\n"), "line 3 has no number in column 1, or not 2 columns");
  EXPECT_EQ(message("t,H\n1,1e999\n"), "line 2 has no number in column 2, or not 2 columns");
  EXPECT_EQ(message("t,H\n1,2\n3,4"), "line 3 does not end, so the file was cut");
  EXPECT_EQ(message("t,q.0,H,q.1\n"),
            "line 1 does not name the columns of a table: two columns are named 'q'");
  EXPECT_EQ(message("t,t\n"), "line 1 does not name the columns of a table: two columns are named 't'");
  EXPECT_EQ(message("t\n" + std::string(2'000'000, '1')), "line 2 is too long");
  EXPECT_EQ(message(""), "is empty");
}

// After an error the next read must not be shifted.
TEST_F(RecordMessages, BadLineDoesNotSpoilTheOthers) {
  overwrite(folder / "a.csv", "t\n1\nx\n3\n4\n");
  const auto source = open_csv(folder / "a.csv");
  std::vector<double> one(1), two(2);
  EXPECT_THROW(source->read(0, 2, two), RecordError);
  source->read(2, 2, two);
  expect_same(two, {3, 4});
  EXPECT_THROW(source->read(1, 1, one), RecordError);
  source->read(0, 1, one);
  expect_same(one, {1});
}

TEST_F(RecordMessages, NpzOfOtherThingsIsRefused) {
  const std::vector<double> six(6);
  const std::vector<std::int64_t> steps(6);
  const auto message = [&](std::vector<NpyArray> arrays) {
    write_npz(folder / "a.npz", arrays);
    const std::string what = message_of([&] { open_npz(folder / "a.npz"); });
    return what.substr(what.find("': ") + 3);
  };
  EXPECT_EQ(message({{"t", {6}, steps}}), "array 't.npy' is not of float64 in C order");
  EXPECT_EQ(message({{"t", {6}, six}, {"q", {3, 2}, six}}), "array 'q.npy' has another number of rows");
  EXPECT_EQ(message({{"t", {1, 2, 3}, six}}), "array 't.npy' has not one or two dimensions");
  EXPECT_EQ(message({{"the angle", {6}, six}}), "'the angle' cannot be a column's name");
  EXPECT_EQ(message({}), "a table needs a column that is not empty");
  EXPECT_EQ(message({{"t", {1'000'000'000'000'000, 0}, std::span<const double>{}}}),
            "a table needs a column that is not empty");
}

TEST_F(RecordMessages, LiveTableThatPromisesTooMuch) {
  make_live(folder / "a.npy", trajectory_layout(), 20);
  std::string text = contents(folder / "a.npy");
  text.replace(21 + 27 - 19, 19, "9223372036854775807");
  overwrite(folder / "b.npy", text);
  EXPECT_EQ(message_of([&] { open_live(folder / "b.npy"); }),
            "'" + (folder / "b.npy").string() + "': holds 20 rows where its header says 9223372036854775807");
}

}  // namespace
}  // namespace carom::test
