// The records of a run in its folder: live tables while it goes on, the final files after it.
//
//   trajectory.npy, impacts.npy   grow row by row, readable at any moment       (records/live_table.hpp)
//   contacts.npy                  the same, from the first contact on that begins to last
//   checkpoint                    where to go on from, replaced now and then and at the end
//   (records/checkpoint.hpp) trajectory.npz|csv|h5, impacts.csv, contacts.csv   made from the tables when the
//   run ends; a run that goes
//                                 on after that makes the tables from them (records/restore.hpp)
//
// Tested as a user meets it in tests/cli/records_test.py and tests/cli/resume_test.py.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

#include "model/model.hpp"

namespace carom {

class FolderRecords final : public RunRecords {
 public:
  // `interval` in seconds between checkpoints; none: one at the end.
  // A run that goes on writes its `scenario` when nothing can be refused any more: until then the folder
  // stays as it is.
  FolderRecords(std::filesystem::path folder, std::optional<double> interval, const Checkpoint* resumed,
                std::string scenario = "")
      : folder_(std::move(folder)), interval_(interval), resumed_(resumed), scenario_(std::move(scenario)) {}

  void begin(const Layout& rows, const Layout& impacts, const Layout& changes) override;
  void row(std::span<const double> numbers) override;
  void impact(std::span<const double> numbers, std::string_view contact) override;
  void change(std::span<const double> numbers, std::string_view contact) override;
  bool wants_checkpoint(bool stopping) override;
  void keep(Checkpoint checkpoint) override;

  // Why nothing more is recorded, "" if all is well: a full disk must not cost what was computed before.
  const std::string& trouble() const { return trouble_; }

  // The final files, from the tables. Throws FileError.
  void finish(const std::string& format);

 private:
  void restore(const Layout& rows, const Layout& impacts, const Layout& changes) const;
  void create(const Layout& rows, const Layout& impacts);
  void go_on(const Layout& rows, const Layout& impacts, const Layout& changes);
  template <class Write>
  void attempt(const Write& write);

  std::filesystem::path folder_;
  std::optional<double> interval_;
  const Checkpoint* resumed_;
  std::string scenario_;
  std::optional<LiveTable> rows_, impacts_, changes_;
  Layout change_layout_;
  std::chrono::steady_clock::time_point last_checkpoint_;
  std::string trouble_;
};

// The files that a run leaves; the tables that it has while it goes on; and these with its checkpoint.
void remove_results(const std::filesystem::path& folder);
void remove_tables(const std::filesystem::path& folder);
void remove_live(const std::filesystem::path& folder);

// What a folder holds, whatever the format and whether or not its run has ended; no rows where there is
// nothing.
std::unique_ptr<TableSource> open_trajectory(const std::filesystem::path& folder);

// "npz" -> "trajectory.npz", "hdf5" -> "trajectory.h5"
std::string trajectory_name(const std::string& format);

}  // namespace carom
