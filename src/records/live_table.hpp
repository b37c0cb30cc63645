// The table of a run that is still going on: an .npy file that grows.
//
// Rows lie one after the other as a structured array, [('t', '<f8'), ('q', '<f8', (2,)), ...]. They are
// appended first, and the number of rows in the header, which has room for any, is raised after. So
// numpy.load(path), also with mmap_mode="r", reads the file at any moment, and after any kind of death, with
// the rows that were complete; it ignores what lies behind them.
// Tested in tests/unit/records_live_test.cpp, records_crash_test.cpp and records_numpy_test.py.
#pragma once

#include "records/input_file.hpp"
#include "records/table.hpp"

namespace carom {

class LiveTable {
 public:
  // Replaces what is there. Throws FileError, and RecordError while another process writes the same table.
  static LiveTable create(const std::filesystem::path& path, Layout layout);
  // Keeps the first `rows` rows and drops what came later. Throws RecordError also when the table has fewer
  // rows or another layout.
  static LiveTable reopen(const std::filesystem::path& path, Layout layout, std::uint64_t rows);
  // The same in two parts: all that may be refused, which changes nothing, and the dropping.
  static LiveTable reopen_whole(const std::filesystem::path& path, Layout layout, std::uint64_t rows_needed);
  void keep_first(std::uint64_t rows);

  LiveTable(LiveTable&&) noexcept = default;
  LiveTable& operator=(LiveTable&&) = delete;
  ~LiveTable();  // flushes, but cannot report a failure: call flush() or sync() before

  // The row's numbers, columns in the order of the layout, and its text. Rows gather in a buffer of 64 kB,
  // which is flushed when full. Throws std::invalid_argument for a row that does not fit the layout, and then
  // or when flush() fails does not take the row.
  void append(std::span<const double> numbers, std::string_view text = {});
  // Rows to the kernel, then their number: from here on they survive the death of the process. When the disk
  // is full or a limit reached, throws FileError; the file then ends with the last row that fitted, and the
  // others stay in the buffer for another attempt.
  void flush();
  // flush(), and to the disk: from here on they survive a power cut.
  void sync();

  [[nodiscard]] const Layout& layout() const { return layout_; }
  [[nodiscard]] std::uint64_t rows() const;  // appended, including those in the buffer

 private:
  LiveTable(std::filesystem::path path, Layout layout, detail::Descriptor descriptor);
  [[nodiscard]] std::uint64_t end_of_rows() const;  // in the file
  void write_rows();
  void write_count();
  void sync_descriptor() const;

  std::filesystem::path path_;
  Layout layout_;
  detail::Descriptor descriptor_;
  std::uint64_t data_begin_ = 0;
  std::uint64_t written_ = 0;  // rows in the file
  std::uint64_t counted_ = 0;  // rows of which the header speaks
  std::size_t row_bytes_ = 0;
  std::vector<std::byte> buffer_;  // whole rows
};

// Reads a live table, also one that is being written; with its texts, which other tables do not have.
class LiveSource final : public TableSource {
 public:
  explicit LiveSource(const std::filesystem::path& path);

  [[nodiscard]] const Layout& layout() const override { return layout_; }
  [[nodiscard]] std::uint64_t rows() const override { return rows_; }
  // As many texts as `texts` has elements, from row `first` on, without the zeros that fill the column.
  void read_texts(std::uint64_t first, std::span<std::string> texts);

 private:
  void fetch(std::uint64_t first, std::uint64_t count, std::span<double> numbers) override;
  std::span<const std::byte> raw_rows(std::uint64_t first, std::uint64_t count);

  detail::InputFile file_;
  Layout layout_;
  std::uint64_t rows_ = 0;
  std::uint64_t data_begin_ = 0;
  std::vector<std::byte> raw_;
};

std::unique_ptr<LiveSource> open_live(const std::filesystem::path& path);

}  // namespace carom
