// The records of a run in memory: the tables that a folder has as files (run_records.hpp), rows one after the
// other, so that whoever reads them need not copy them.
//
//   MemoryTable   rows of numbers, and a text that fills its column up with zeros
//   RunTables     takes a run's rows as they come; write_run() makes a run's folder of them, read_run() the
//   reverse
//
// Tested from Python in tests/python/run_test.py.
#pragma once

#include <filesystem>

#include "model/model.hpp"
#include "records/table.hpp"

namespace carom {

class MemoryTable {
 public:
  void begin(const Layout& layout);
  // A text that is longer than its column loses its end.
  void append(std::span<const double> numbers, std::string_view text = {});

  // All rows at once, as data() has them; false where they are no whole number of rows.
  [[nodiscard]] bool assign(std::span<const std::byte> all);

  const Layout& layout() const { return layout_; }
  std::size_t rows() const { return row_bytes_ ? bytes_ / row_bytes_ : 0; }
  const std::byte* data() const { return memory_.get(); }
  std::size_t bytes() const { return bytes_; }
  std::span<const double> numbers(std::size_t row) const;
  std::string_view text(std::size_t row) const;

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  void grow(std::size_t needed);

  Layout layout_;
  std::size_t row_bytes_ = 0, bytes_ = 0, capacity_ = 0;
  std::unique_ptr<std::byte, Free> memory_;  // grows in place where it is large
};

class RunTables final : public RunRecords {
 public:
  void begin(const Layout& of_rows, const Layout& of_impacts, const Layout& of_changes) override;
  void row(std::span<const double> numbers) override { rows.append(numbers); }
  void impact(std::span<const double> numbers, std::string_view contact) override {
    impacts.append(numbers, contact);
  }
  void change(std::span<const double> numbers, std::string_view contact) override {
    changes.append(numbers, contact);
  }
  bool wants_checkpoint(bool stopping) override { return stopping; }
  void keep(Checkpoint checkpoint) override;

  MemoryTable rows, impacts, changes;
  std::optional<Checkpoint> last;  // where the run can go on, and how many rows there were
};

// What the program leaves in the folder of such a run, summary and report included. Throws FileError. The
// folder must have been claimed.
void write_run(const std::filesystem::path& folder, const Scenario& scenario, const std::string& summary,
               const RunTables& records);

// What a run has left in its folder, whether or not it came to its end; `model` and `method` are those of its
// scenario. Throws FileError, RecordError, and ScenarioError where the scenario does not fit.
RunTables read_run(const std::filesystem::path& folder, const Scenario& scenario);

}  // namespace carom
