#include <fmt/format.h>

#include <charconv>
#include <cstring>

#include "records/live_table.hpp"
#include "records/npy_header.hpp"

namespace carom {

namespace fs = std::filesystem;

namespace {

std::size_t text_width(std::string_view type, const fs::path& path) {
  std::size_t width = 0;
  const auto [end, error] = std::from_chars(type.data() + 2, type.data() + type.size(), width);
  if (error != std::errc{} || end != type.data() + type.size() || width == 0)
    throw RecordError(path, fmt::format("has a column of the unknown type '{}'", type));
  return width;
}

Layout layout_of(const detail::NpyHeader& header, const fs::path& path) {
  // No column is wider than this, and no sum of widths overflows.
  constexpr std::uint64_t max_width = std::uint64_t{1} << 24;
  Layout layout;
  for (const detail::NpyField& field : header.fields) {
    if (layout.text_width != 0) throw RecordError(path, "has columns after the text");
    if (field.type == "<f8" && field.shape.size() <= 1) {
      const std::uint64_t width = field.shape.empty() ? 1 : field.shape[0];
      if (width > max_width) throw RecordError(path, fmt::format("column '{}' is too wide", field.name));
      layout.columns.push_back({field.name, width, field.shape.empty()});
    } else if (field.type.starts_with("|S") && field.shape.empty()) {
      layout.text_width = text_width(field.type, path);
      layout.text_name = field.name;
      if (layout.text_width > max_width) throw RecordError(path, "the text is too wide");
    } else {
      throw RecordError(path, fmt::format("column '{}' has the unknown type '{}'", field.name, field.type));
    }
  }
  try {
    validate(layout);
  } catch (const std::invalid_argument& error) {
    throw RecordError(path, error.what());
  }
  return layout;
}

}  // namespace

LiveSource::LiveSource(const fs::path& path) : file_(path) {
  // The header first, then the size: rows that are appended in between are in the file, not in the header.
  const detail::NpyHeader header = detail::read_npy_header(file_, 0, file_.size());
  if (!header.structured || header.fortran_order || header.shape.size() != 1)
    throw RecordError(file_.path(), "is not a table of rows");
  layout_ = layout_of(header, file_.path());
  rows_ = header.shape[0];
  data_begin_ = header.bytes;
  const std::uint64_t complete = (file_.current_size() - data_begin_) / layout_.row_bytes();
  if (complete < rows_)
    throw RecordError(file_.path(), fmt::format("holds {} rows where its header says {}", complete, rows_));
}

std::span<const std::byte> LiveSource::raw_rows(std::uint64_t first, std::uint64_t count) {
  raw_.resize(count * layout_.row_bytes());
  file_.read_at(data_begin_ + first * layout_.row_bytes(), raw_);
  return raw_;
}

void LiveSource::fetch(std::uint64_t first, std::uint64_t count, std::span<double> numbers) {
  if (layout_.text_width == 0) {
    file_.read_at(data_begin_ + first * layout_.row_bytes(), std::as_writable_bytes(numbers));
    return;
  }
  const std::size_t width = layout_.row_width();
  if (width == 0) return;
  const std::span<const std::byte> raw = raw_rows(first, count);
  for (std::uint64_t i = 0; i < count; ++i)
    std::memcpy(&numbers[i * width], &raw[i * layout_.row_bytes()], width * sizeof(double));
}

void LiveSource::read_texts(std::uint64_t first, std::span<std::string> texts) {
  if (first > rows_ || texts.size() > rows_ - first)
    throw std::out_of_range(fmt::format("texts {} to {} of {}", first, first + texts.size(), rows_));
  const std::span<const std::byte> raw = raw_rows(first, texts.size());
  const std::size_t begin = layout_.row_width() * sizeof(double);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto* text = reinterpret_cast<const char*>(raw.data() + i * layout_.row_bytes() + begin);
    std::size_t length = layout_.text_width;
    while (length > 0 && text[length - 1] == '\0') --length;
    texts[i].assign(text, length);
  }
}

std::unique_ptr<LiveSource> open_live(const fs::path& path) { return std::make_unique<LiveSource>(path); }

}  // namespace carom
