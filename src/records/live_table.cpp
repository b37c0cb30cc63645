#include "records/live_table.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include "files/files.hpp"

namespace carom {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

namespace {

// The number of rows stands right-aligned in bytes 21 to 47 of the file, whatever the layout: in one sector
// and one cache line, so that nobody sees half of a new number.
constexpr std::size_t count_begin = 21;
constexpr std::size_t count_width = 27;
constexpr std::string_view before_count = "{'shape': (";
constexpr std::size_t preamble = 10;  // magic, version and length
static_assert(preamble + before_count.size() == count_begin);

std::string live_header(const Layout& layout) {
  std::string fields;
  for (const Column& column : layout.columns) {
    const std::string shape = column.scalar ? "" : fmt::format(", ({},)", column.width);
    fields += fmt::format("{}('{}', '<f8'{})", fields.empty() ? "" : ", ", column.name, shape);
  }
  if (layout.text_width != 0)
    fields +=
        fmt::format("{}('{}', '|S{}')", fields.empty() ? "" : ", ", layout.text_name, layout.text_width);
  std::string dictionary = fmt::format("{}{:>{}},), 'fortran_order': False, 'descr': [{}], }}", before_count,
                                       0, count_width, fields);
  constexpr std::size_t alignment = 64;
  while ((preamble + dictionary.size() + 1) % alignment != 0) dictionary += ' ';
  dictionary += '\n';
  if (std::any_of(fields.begin(), fields.end(), [](char c) { return (c & 0x80) != 0; }))
    throw std::invalid_argument("a live table has names of ASCII alone: numpy reads its header as Latin-1");
  constexpr std::size_t numpys_limit = 10'000;
  if (dictionary.size() > numpys_limit)
    throw std::invalid_argument("a table with too many columns for numpy");
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(dictionary.size() & 0xFF);
  header += static_cast<char>(dictionary.size() >> 8);
  return header + dictionary;
}

std::string blank_count(std::string header) {
  return header.replace(count_begin, count_width, count_width, ' ');
}

// Two processes that append to one table would destroy it: a resume beside the run that still goes on.
void lock(int descriptor, const fs::path& path) {
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw RecordError(path, "is being written by another process");
}

detail::Descriptor open_locked(const fs::path& path, int flags) {
  detail::Descriptor descriptor(::open(path.c_str(), flags | O_RDWR | O_CLOEXEC, 0666));
  if (descriptor.get() < 0) throw FileError("open", path, errno);
  lock(descriptor.get(), path);
  return descriptor;
}

}  // namespace

LiveTable::LiveTable(fs::path path, Layout layout, detail::Descriptor descriptor)
    : path_(std::move(path)),
      layout_(std::move(layout)),
      descriptor_(std::move(descriptor)),
      row_bytes_(layout_.row_bytes()) {
  constexpr std::size_t buffer_bytes = std::size_t{1} << 16;
  buffer_.reserve(std::max(row_bytes_, buffer_bytes / row_bytes_ * row_bytes_));
}

LiveTable LiveTable::create(const fs::path& path, Layout layout) {
  validate(layout);
  const std::string header = live_header(layout);
  if (fs::exists(path)) open_locked(path, 0);  // refuses a table that another process writes
  const fs::path fresh =
      path.parent_path() / fmt::format(".carom-{}-{}.new", ::getpid(), path.filename().string());
  LiveTable table(path, std::move(layout), open_locked(fresh, O_CREAT));
  if (::ftruncate(table.descriptor_.get(), 0) != 0) throw FileError("write", path, errno);
  const detail::Written written =
      detail::write_at(table.descriptor_.get(), std::as_bytes(std::span(header)), 0);
  if (written.error != 0) throw FileError("write", path, written.error);
  table.data_begin_ = header.size();
  std::error_code error;
  fs::rename(fresh, path, error);  // whoever looks finds no table or a whole one
  if (error) throw FileError("write", path, error.value());
  return table;
}

LiveTable LiveTable::reopen(const fs::path& path, Layout layout, std::uint64_t rows) {
  LiveTable table = reopen_whole(path, std::move(layout), rows);
  table.keep_first(rows);
  return table;
}

LiveTable LiveTable::reopen_whole(const fs::path& path, Layout layout, std::uint64_t rows) {
  validate(layout);
  LiveTable table(path, std::move(layout), open_locked(path, 0));
  const std::string header = live_header(table.layout_);
  const std::uint64_t old_rows = LiveSource(path).rows();
  if (blank_count(detail::InputFile(path).text_at(0, header.size())) != blank_count(header))
    throw RecordError(path, "has other columns than the run that it should continue");
  if (old_rows < rows)
    throw RecordError(path, fmt::format("has {} rows where {} are needed", old_rows, rows));
  table.data_begin_ = header.size();
  table.written_ = table.counted_ = old_rows;
  return table;
}

void LiveTable::keep_first(std::uint64_t rows) {
  written_ = rows;
  write_count();  // before the rows go, so that the header never promises too many
  if (::ftruncate(descriptor_.get(), static_cast<::off_t>(end_of_rows())) != 0)
    throw FileError("write", path_, errno);
}

LiveTable::~LiveTable() {
  if (descriptor_.get() < 0) return;  // moved from
  try {
    flush();
  } catch (const FileError&) {
    // Reported already by the flush() before, or by nobody; the file is valid in either case.
  }
}

std::uint64_t LiveTable::end_of_rows() const { return data_begin_ + written_ * row_bytes_; }

std::uint64_t LiveTable::rows() const { return written_ + buffer_.size() / row_bytes_; }

void LiveTable::append(std::span<const double> numbers, std::string_view text) {
  const std::size_t number_bytes = row_bytes_ - layout_.text_width;
  if (numbers.size_bytes() != number_bytes)
    throw std::invalid_argument(fmt::format("'{}': a row has {} numbers, not {}", path_.string(),
                                            number_bytes / sizeof(double), numbers.size()));
  if (text.size() > layout_.text_width)
    throw std::invalid_argument(
        fmt::format("'{}': '{}' is longer than {} bytes", path_.string(), text, layout_.text_width));
  if (buffer_.size() + row_bytes_ > buffer_.capacity()) flush();
  const std::size_t begin = buffer_.size();
  buffer_.resize(begin + row_bytes_);  // new bytes are zero, as numpy fills its texts
  if (!numbers.empty()) std::memcpy(buffer_.data() + begin, numbers.data(), number_bytes);
  if (!text.empty()) std::memcpy(buffer_.data() + begin + number_bytes, text.data(), text.size());
}

void LiveTable::flush() {
  write_rows();
  write_count();
}

void LiveTable::write_rows() {
  if (buffer_.empty()) return;
  const detail::Written written = detail::write_at(descriptor_.get(), buffer_, end_of_rows());
  const std::size_t rows = written.bytes / row_bytes_;
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(rows * row_bytes_));
  written_ += rows;
  if (written.error == 0) return;
  // The rest of a row would do no harm, but takes room on a disk that has none.
  [[maybe_unused]] const int ignored = ::ftruncate(descriptor_.get(), static_cast<::off_t>(end_of_rows()));
  write_count();
  throw FileError("write", path_, written.error);
}

void LiveTable::write_count() {
  if (counted_ == written_) return;
  const std::string count = fmt::format("{:>{}}", written_, count_width);
  const detail::Written written =
      detail::write_at(descriptor_.get(), std::as_bytes(std::span(count)), count_begin);
  if (written.error != 0) throw FileError("write", path_, written.error);
  counted_ = written_;
}

// Rows first here too: a disk may keep the later of two writes and lose the earlier.
void LiveTable::sync() {
  write_rows();
  sync_descriptor();
  write_count();
  sync_descriptor();
}

void LiveTable::sync_descriptor() const {
  if (::fdatasync(descriptor_.get()) != 0 && errno != EINVAL && errno != ENOTSUP)
    throw FileError("write", path_, errno);
}

}  // namespace carom
