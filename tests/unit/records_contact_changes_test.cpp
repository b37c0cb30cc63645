// Changes of contacts on their way from the live table to contacts.csv and back.
#include "records/contact_changes.hpp"

#include <gtest/gtest.h>

#include "records_helpers.hpp"

namespace carom::test {
namespace {

class ContactChanges : public RecordFiles {
 protected:
  void write_live(const std::vector<ChangeRow>& rows) {
    LiveTable table = LiveTable::create(folder / "contacts.npy", change_layout(40));
    for (const ChangeRow& row : rows) {
      const double numbers[] = {row.t, static_cast<double>(row.step), row.begins ? 1.0 : 0.0, row.settled};
      table.append(numbers, row.contact);
    }
  }
  static std::vector<ChangeRow> sample(std::size_t count) {
    std::vector<ChangeRow> rows;
    for (std::size_t i = 0; i < count; ++i)
      rows.push_back({.t = 0.1 * static_cast<double>(i),
                      .step = static_cast<std::int64_t>(i) + 1'000'000'000'000,
                      .contact = i % 2 == 0 ? "floor" : "a, b + \"c\"",
                      .begins = i % 3 == 0,
                      .settled = 0.1 * static_cast<double>(i) + 5e-324});
    return rows;
  }
};

TEST_F(ContactChanges, CsvIsThatOfTheContract) {
  write_live({{0.25, 3, "floor", true, 0.5}, {1, 12, "floor", false, 1}});
  export_changes(folder / "contacts.npy", folder / "contacts.csv");
  EXPECT_EQ(contents(folder / "contacts.csv"),
            "time,step,contact,event,settled\n0.25,3,floor,begins,0.5\n1,12,floor,released,1\n");
}

TEST_F(ContactChanges, ComeBackTheSame) {
  const auto rows = sample(5000);
  write_live(rows);
  export_changes(folder / "contacts.npy", folder / "contacts.csv");
  for (const std::size_t limit : {0, 1, 1024, 1025, 5000, 9999}) {
    const std::vector<ChangeRow> first(rows.begin(),
                                       rows.begin() + static_cast<int>(std::min<std::size_t>(limit, 5000)));
    const ChangeRows from_csv = read_changes(folder / "contacts.csv", limit);
    EXPECT_EQ(from_csv.total, 5000u);
    EXPECT_TRUE(from_csv.rows == first) << limit;
    const ChangeRows from_live = read_live_changes(folder / "contacts.npy", limit);
    EXPECT_EQ(from_live.total, 5000u);
    EXPECT_TRUE(from_live.rows == first) << limit;
  }
}

TEST_F(ContactChanges, LineBreakInANameBecomesASpace) {
  write_live({{0, 1, "two\nlines", true, 0}});
  export_changes(folder / "contacts.npy", folder / "contacts.csv");
  EXPECT_EQ(read_changes(folder / "contacts.csv", 10).rows.at(0).contact, "two lines");
}

TEST_F(ContactChanges, BadFilesAreRefused) {
  write_live(sample(3));
  export_changes(folder / "contacts.npy", folder / "contacts.csv");
  const std::string whole = contents(folder / "contacts.csv");
  const auto message = [&](const std::string& text) {
    overwrite(folder / "b.csv", text);
    const std::string what = message_of([&] { (void)read_changes(folder / "b.csv", 10); });
    return what.substr(what.find("': ") + 3);
  };
  EXPECT_EQ(message(""), "is empty");
  EXPECT_EQ(message("time,step,contact\n"), "line 1 is not the header of a file of changes of contacts");
  EXPECT_EQ(message(whole + "1,2,a,begins\n"), "line 5 has not 5 columns");
  EXPECT_EQ(message(whole + "1,2,\"a,begins,1\n"), "line 5 has not 5 columns");
  EXPECT_EQ(message(whole + "x,2,a,begins,1\n"), "line 5 has no number in column 1: 'x'");
  EXPECT_EQ(message(whole + "1,2,a,begins,\n"), "line 5 has no number in column 5: ''");
  EXPECT_EQ(message(whole + "1,2.5,a,begins,1\n"), "line 5 has no number of a step in column 2: '2.5'");
  EXPECT_EQ(message(whole + "1,2,a,ends,1\n"),
            "line 5 has neither 'begins' nor 'released' in column 4: 'ends'");
  EXPECT_EQ(message(whole.substr(0, whole.size() - 1)), "line 4 does not end, so the file was cut");
}

TEST_F(ContactChanges, BadTablesAreRefused) {
  const auto message = [&] {
    const std::string what = message_of([&] { export_changes(folder / "b.npy", folder / "b.csv"); });
    return what.substr(what.find("': ") + 3);
  };
  const auto write = [&](double step, double begins) {
    LiveTable table = LiveTable::create(folder / "b.npy", change_layout(8));
    const double numbers[] = {0, step, begins, 0};
    table.append(numbers, "floor");
  };
  make_live(folder / "b.npy", trajectory_layout(), 3);
  EXPECT_EQ(message(), "is not a table of changes of contacts");
  write(2.5, 1);
  EXPECT_EQ(message(), "change 1 has step 2.5");
  write(2, 0.5);
  EXPECT_EQ(message(), "change 1 neither begins nor ends: 0.5");
  EXPECT_FALSE(std::filesystem::exists(folder / "b.csv")) << "all or nothing";
}

TEST_F(ContactChanges, CutsAndChangedBytesDoNoHarm) {
  write_live(sample(3));
  export_changes(folder / "contacts.npy", folder / "contacts.csv");
  std::size_t refused = 0;
  const auto try_both = [&](const std::string& text) {
    overwrite(folder / "b", text);
    const std::string read = "nothing was thrown";
    refused += message_of([&] { (void)read_changes(folder / "b", 10); }) != read;
    refused += message_of([&] { (void)read_live_changes(folder / "b", 10); }) != read;
  };
  std::size_t tried = 0;
  for (const char* name : {"contacts.npy", "contacts.csv"}) {
    const std::string whole = contents(folder / name);
    for (std::size_t i = 0; i < whole.size(); ++i, tried += 2) {
      try_both(whole.substr(0, i));
      std::string changed = whole;
      changed[i] = static_cast<char>(changed[i] ^ (1 << i % 8));
      try_both(changed);
    }
  }
  EXPECT_GE(refused, tried) << "no text is a table and a file at once";
}

}  // namespace
}  // namespace carom::test
