// The table of lasting contacts in a run's folder, which is there only from its first row on; all else of a
// folder is tested as a user meets it, in tests/cli.
#include "records/run_records.hpp"

#include <gtest/gtest.h>

#include "records/contact_changes.hpp"
#include "records/impacts.hpp"
#include "records_helpers.hpp"

namespace carom::test {
namespace {

class RunFolder : public RecordFiles {
 protected:
  // A contact begins to last at each of `changes`.
  static void record(FolderRecords& records, const std::vector<double>& changes) {
    for (const double t : changes) {
      const double row[] = {t, 1, 1, t};
      records.change(row, "floor");
    }
  }
  void begin(FolderRecords& records) {
    records.begin({.columns = {{"t"}}, .text_name = {}}, impact_layout(1, 8), change_layout(8));
  }
  bool has(const char* name) const { return fs::exists(folder / name); }
  std::vector<double> times() const {
    std::vector<double> r;
    for (const auto& row : read_changes(folder / "contacts.csv", 100).rows) r.push_back(row.t);
    return r;
  }
};

TEST_F(RunFolder, HasNoTableOfContactsWithoutChanges) {
  FolderRecords records(folder, std::nullopt, nullptr);
  begin(records);
  EXPECT_FALSE(has("contacts.npy"));
  records.finish("csv");
  EXPECT_TRUE(has("impacts.csv"));
  EXPECT_FALSE(has("contacts.csv"));
}

TEST_F(RunFolder, HasOneFromTheFirstChangeOn) {
  FolderRecords records(folder, std::nullopt, nullptr);
  begin(records);
  record(records, {1, 2});
  EXPECT_TRUE(has("contacts.npy"));
  records.finish("csv");
  EXPECT_EQ(times(), (std::vector<double>{1, 2}));
  remove_live(folder);
  EXPECT_FALSE(has("contacts.npy"));
  EXPECT_TRUE(has("contacts.csv"));
  remove_results(folder);
  EXPECT_FALSE(has("contacts.csv"));
}

// What came after the checkpoint is dropped, and comes again.
TEST_F(RunFolder, GoesOnFromACheckpoint) {
  for (const std::size_t before : {0, 1, 2}) {
    const std::vector<double> all{1, 2, 3}, kept(all.begin(), all.begin() + static_cast<int>(before)),
        rest(all.begin() + static_cast<int>(before), all.end());
    {
      FolderRecords killed(folder, 0.0, nullptr);
      begin(killed);
      record(killed, kept);
      killed.keep({"", {}, {}});
      record(killed, rest);
    }
    EXPECT_EQ(read_live_changes(folder / "contacts.npy", 100).total, 3u);
    const Checkpoint checkpoint = load_checkpoint(folder / "checkpoint");
    EXPECT_EQ(checkpoint.counts.contains("contacts"), before > 0);
    FolderRecords resumed(folder, 0.0, &checkpoint);
    begin(resumed);
    EXPECT_EQ(has("contacts.npy"), before > 0);
    record(resumed, rest);
    resumed.finish("csv");
    EXPECT_EQ(times(), all) << before;
    EXPECT_EQ(resumed.trouble(), "");
  }
}

TEST_F(RunFolder, SaysWhenItsTableOfContactsIsGone) {
  {
    FolderRecords killed(folder, 0.0, nullptr);
    begin(killed);
    record(killed, {1});
    killed.keep({"", {}, {}});
  }
  const Checkpoint checkpoint = load_checkpoint(folder / "checkpoint");
  fs::remove(folder / "contacts.npy");
  FolderRecords resumed(folder, 0.0, &checkpoint);
  const std::string message = message_of([&] { begin(resumed); });
  EXPECT_NE(message.find("contacts.npy"), std::string::npos) << message;
}

}  // namespace
}  // namespace carom::test
