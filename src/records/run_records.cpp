#include "records/run_records.hpp"

#include "files/files.hpp"
#include "records/contact_changes.hpp"
#include "records/export.hpp"
#include "records/impacts.hpp"
#include "records/names.hpp"
#include "records/restore.hpp"

namespace carom {
namespace fs = std::filesystem;

namespace {

constexpr auto live_rows = "trajectory.npy", live_impacts = "impacts.npy", live_changes = "contacts.npy",
               checkpoint_name = "checkpoint";

std::uint64_t rows_at(const Checkpoint& resumed, const char* count, const fs::path& folder) {
  const auto rows = resumed.counts.find(count);
  if (rows == resumed.counts.end() || rows->second < 0)
    throw RecordError(folder / checkpoint_name, "does not say how many rows there were");
  return static_cast<std::uint64_t>(rows->second);
}

// The tables that were not there before are gone again, unless they are kept.
class NewTables {
 public:
  explicit NewTables(const fs::path& folder) {
    for (const char* name : {live_rows, live_impacts, live_changes})
      if (!fs::exists(folder / name)) paths.push_back(folder / name);
  }
  ~NewTables() {
    std::error_code ignored;
    for (const fs::path& path : paths) fs::remove(path, ignored);
  }
  void keep() { paths.clear(); }

 private:
  std::vector<fs::path> paths;
};

// Nothing was recorded yet.
class EmptyTable final : public TableSource {
 public:
  EmptyTable() { layout_.columns = {{"t"}}; }
  const Layout& layout() const override { return layout_; }
  std::uint64_t rows() const override { return 0; }

 private:
  void fetch(std::uint64_t, std::uint64_t, std::span<double>) override {}
  Layout layout_;
};

}  // namespace

void remove_results(const fs::path& folder) {
  std::error_code ignored;
  for (const char* name : {"summary.json", "report.html", "trajectory.npz", "trajectory.csv", "trajectory.h5",
                           "impacts.csv", "contacts.csv", "sweep.npz", "sweep.toml", "sensitivity.json",
                           "orbit.json", "branch.svg", "section.json", "section.svg", "lyapunov.json"})
    fs::remove(folder / name, ignored);
}

void remove_live(const fs::path& folder) {
  std::error_code ignored;
  remove_tables(folder);
  for (const char* name : {checkpoint_name, "members.partial", "failures.partial"})
    fs::remove(folder / name, ignored);
}

void remove_tables(const fs::path& folder) {
  std::error_code ignored;
  for (const char* name : {live_rows, live_impacts, live_changes}) fs::remove(folder / name, ignored);
  for (const auto& entry :
       fs::directory_iterator(folder, ignored))  // halves of files, from runs that were killed
    if (entry.path().filename().string().starts_with(".carom-")) fs::remove(entry.path(), ignored);
}

// The tables of a run that had ended, from its files; those of one that was killed are there.
void FolderRecords::restore(const Layout& rows, const Layout& impacts, const Layout& changes) const {
  if (!fs::exists(folder_ / "summary.json")) return;
  restore_events(folder_ / "impacts.csv", folder_ / live_impacts, impacts);
  if (fs::exists(folder_ / "contacts.csv"))
    restore_events(folder_ / "contacts.csv", folder_ / live_changes, changes);
  restore_rows(*open_trajectory(folder_), folder_ / live_rows, rows);
}

void FolderRecords::begin(const Layout& rows, const Layout& impacts, const Layout& changes) {
  change_layout_ = changes;
  resumed_ == nullptr ? create(rows, impacts) : go_on(rows, impacts, changes);
  std::error_code ignored;
  if (!changes_) fs::remove(folder_ / live_changes, ignored);  // had its first row after the checkpoint
  remove_results(folder_);  // of an earlier part of this run; what is true now is in the tables
  last_checkpoint_ = std::chrono::steady_clock::now();
}

void FolderRecords::create(const Layout& rows, const Layout& impacts) {
  rows_.emplace(LiveTable::create(folder_ / live_rows, rows));
  impacts_.emplace(LiveTable::create(folder_ / live_impacts, impacts));
}

// First all that may be refused.
void FolderRecords::go_on(const Layout& rows, const Layout& impacts, const Layout& changes) {
  const std::uint64_t row_count = rows_at(*resumed_, "rows", folder_),
                      impact_count = rows_at(*resumed_, "impacts", folder_);
  const bool has_changes = resumed_->counts.contains("contacts");
  const std::uint64_t change_count = has_changes ? rows_at(*resumed_, "contacts", folder_) : 0;
  NewTables restored(folder_);
  restore(rows, impacts, changes);
  rows_.emplace(LiveTable::reopen_whole(folder_ / live_rows, rows, row_count));
  impacts_.emplace(LiveTable::reopen_whole(folder_ / live_impacts, impacts, impact_count));
  if (has_changes) changes_.emplace(LiveTable::reopen_whole(folder_ / live_changes, changes, change_count));
  if (!scenario_.empty()) write_text(folder_ / "scenario.toml", scenario_);
  restored.keep();
  rows_->keep_first(row_count), impacts_->keep_first(impact_count);
  if (has_changes) changes_->keep_first(change_count);
}

template <class Write>
void FolderRecords::attempt(const Write& write) {
  if (!trouble_.empty()) return;
  try {
    write();
  } catch (const FileError& e) {
    trouble_ = e.what();
  }
}

void FolderRecords::row(std::span<const double> numbers) {
  attempt([&] { rows_->append(numbers); });
}

void FolderRecords::impact(std::span<const double> numbers, std::string_view contact) {
  attempt([&] { impacts_->append(numbers, contact); });
}

void FolderRecords::change(std::span<const double> numbers, std::string_view contact) {
  attempt([&] {
    if (!changes_) changes_.emplace(LiveTable::create(folder_ / live_changes, change_layout_));
    changes_->append(numbers, contact);
  });
}

bool FolderRecords::wants_checkpoint(bool stopping) {
  if (!trouble_.empty()) return false;
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - last_checkpoint_;
  return stopping || (interval_ && since.count() >= *interval_);
}

void FolderRecords::keep(Checkpoint checkpoint) {
  last_checkpoint_ = std::chrono::steady_clock::now();
  attempt([&] {
    rows_->sync(), impacts_->sync();  // a checkpoint never speaks of rows that are not there
    checkpoint.counts["rows"] = static_cast<std::int64_t>(rows_->rows());
    checkpoint.counts["impacts"] = static_cast<std::int64_t>(impacts_->rows());
    if (changes_)
      changes_->sync(), checkpoint.counts["contacts"] = static_cast<std::int64_t>(changes_->rows());
    save_checkpoint(folder_ / checkpoint_name, checkpoint);
  });
}

void FolderRecords::finish(const std::string& format) {
  attempt([&] { rows_->flush(), impacts_->flush(); });
  if (changes_) attempt([&] { changes_->flush(); });
  const auto live = open_live(folder_ / live_rows);
  NamedTable rows(*live, rows_->layout(), format != "csv");
  const fs::path path = folder_ / trajectory_name(format);
  if (format == "csv") export_csv(rows, path);
  if (format == "npz") export_npz(rows, path);
  if (format == "hdf5") export_hdf5(rows, path);
  export_impacts(folder_ / live_impacts, folder_ / "impacts.csv", impacts_->layout().columns[2].parts);
  if (changes_) export_changes(folder_ / live_changes, folder_ / "contacts.csv");
}

std::string trajectory_name(const std::string& format) {
  return format == "hdf5" ? "trajectory.h5" : "trajectory." + format;
}

std::unique_ptr<TableSource> open_trajectory(const fs::path& folder) {
  if (fs::exists(folder / "trajectory.npz")) return open_npz(folder / "trajectory.npz");
  if (fs::exists(folder / "trajectory.csv")) return open_csv(folder / "trajectory.csv");
  if (fs::exists(folder / "trajectory.h5")) return open_hdf5(folder / "trajectory.h5");
  try {
    if (fs::exists(folder / live_rows)) return open_live(folder / live_rows);
  } catch (const RecordError&) {  // cut before its first row
  }
  return std::make_unique<EmptyTable>();
}

}  // namespace carom
