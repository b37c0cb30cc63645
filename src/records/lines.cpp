#include "records/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "records/table.hpp"

namespace carom::detail {

namespace {

constexpr std::size_t longest_line = std::size_t{1} << 20;

}  // namespace

void Lines::restart(std::uint64_t offset, std::uint64_t number) {
  rest_ = {};
  unread_ = offset;
  number_ = number - 1;
}

bool Lines::next() {
  std::size_t end = rest_.find('\n');
  while (end == std::string_view::npos && refill()) end = rest_.find('\n');
  ++number_;
  offset_ = unread_ - rest_.size();
  if (end == std::string_view::npos) {
    if (rest_.empty()) return false;
    fail(rest_.size() >= longest_line ? "is too long" : "does not end, so the file was cut");
  }
  text_ = rest_.substr(0, end);
  rest_.remove_prefix(end + 1);
  if (text_.ends_with('\r')) text_.remove_suffix(1);
  return true;
}

// Moves the rest to the front of the buffer and reads on behind it; false when nothing came.
bool Lines::refill() {
  constexpr std::size_t piece = std::size_t{1} << 16;
  if (rest_.size() >= longest_line) return false;
  const std::size_t count = std::min<std::uint64_t>(piece, file_.size() - std::min(unread_, file_.size()));
  if (count == 0) return false;
  buffer_.erase(0, buffer_.size() - rest_.size());
  const std::size_t kept = buffer_.size();
  buffer_.resize(kept + count);
  file_.read_at(unread_, std::as_writable_bytes(std::span(buffer_)).subspan(kept));
  unread_ += count;
  rest_ = buffer_;
  return true;
}

void Lines::fail(std::string_view what) const {
  throw RecordError(file_.path(), fmt::format("line {} {}", number_, what));
}

bool split_csv(std::string_view line, std::vector<std::string>& fields) {
  std::size_t count = 0;
  for (bool more = true; more; ++count) {
    if (count == fields.size()) fields.emplace_back();
    std::string& field = fields[count];
    field.clear();
    if (line.starts_with('"')) {
      for (line.remove_prefix(1);; line.remove_prefix(2)) {
        const std::size_t mark = line.find('"');
        if (mark == std::string_view::npos) return false;
        field += line.substr(0, mark);
        line.remove_prefix(mark);
        if (!line.starts_with("\"\"")) break;
        field += '"';
      }
      line.remove_prefix(1);
      if (!line.empty() && line.front() != ',') return false;
    } else {
      field = line.substr(0, line.find(','));
      line.remove_prefix(field.size());
    }
    more = !line.empty();
    if (more) line.remove_prefix(1);
  }
  fields.resize(count);
  return true;
}

std::string csv_field(std::string_view field) {
  std::string text(field);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::optional<double> parse_number(std::string_view field) {
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc{} || end != field.data() + field.size()) return std::nullopt;
  return value;
}

}  // namespace carom::detail
