#include "records/npy_header.hpp"

#include <fmt/format.h>

#include <charconv>
#include <set>

#include "records/table.hpp"

namespace carom::detail {

namespace {

// The few Python literals of which a header is made.
class Literal {
 public:
  Literal(std::string_view text, const std::filesystem::path& path) : rest_(text), path_(path) {}

  // Steps over `c`, and says whether it was there.
  bool take(char c) {
    skip_spaces();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail();
  }
  [[nodiscard]] bool next_is(char c) {
    skip_spaces();
    return !rest_.empty() && rest_.front() == c;
  }

  std::string string() {
    const char quote = next_is('"') ? '"' : '\'';
    expect(quote);
    const std::size_t end = rest_.find(quote);
    if (end == std::string_view::npos || rest_.substr(0, end).find('\\') != std::string_view::npos) fail();
    std::string result(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return result;
  }

  std::uint64_t integer() {
    skip_spaces();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc{}) fail();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  bool boolean() {
    skip_spaces();
    for (const std::string_view word : {"False", "True"}) {
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return word == "True";
    }
    fail();
  }

  std::vector<std::uint64_t> tuple() {
    std::vector<std::uint64_t> result;
    expect('(');
    while (!take(')')) {
      result.push_back(integer());
      if (!next_is(')')) expect(',');
    }
    return result;
  }

  [[nodiscard]] bool at_end() {
    skip_spaces();
    return rest_.empty();
  }
  [[noreturn]] void fail() const { throw RecordError(path_, "the header of the array is damaged"); }

 private:
  void skip_spaces() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) rest_.remove_prefix(1);
  }
  std::string_view rest_;
  const std::filesystem::path& path_;
};

// 'type', or [('name', 'type'), ('name', 'type', (width,)), ...]
void read_description(Literal& literal, NpyHeader& header) {
  header.structured = literal.take('[');
  if (!header.structured) {
    header.fields.push_back({.name = {}, .type = literal.string(), .shape = {}});
    return;
  }
  while (!literal.take(']')) {
    NpyField field;
    literal.expect('(');
    field.name = literal.string();
    literal.expect(',');
    field.type = literal.string();
    if (literal.take(',')) field.shape = literal.tuple();
    literal.expect(')');
    header.fields.push_back(std::move(field));
    if (!literal.next_is(']')) literal.expect(',');
  }
}

void read_dictionary(Literal& literal, NpyHeader& header) {
  std::set<std::string> keys;
  literal.expect('{');
  while (!literal.take('}')) {
    const std::string key = literal.string();
    literal.expect(':');
    if (!keys.insert(key).second) literal.fail();
    if (key == "descr") {
      read_description(literal, header);
    } else if (key == "fortran_order") {
      header.fortran_order = literal.boolean();
    } else if (key == "shape") {
      header.shape = literal.tuple();
    } else {
      literal.fail();
    }
    if (!literal.next_is('}')) literal.expect(',');
  }
  if (keys.size() != 3 || !literal.at_end()) literal.fail();
}

}  // namespace

NpyHeader read_npy_header(const InputFile& file, std::uint64_t begin, std::uint64_t end) {
  constexpr std::size_t preamble = 10;  // magic, version and a length of two bytes
  if (end < begin || end - begin < preamble) throw RecordError(file.path(), "is too short for an array");
  const std::string start = file.text_at(begin, preamble);
  if (!start.starts_with("\x93NUMPY")) throw RecordError(file.path(), "is not an array of numpy");
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(start[i]); };
  // Versions 2 and 3 have longer lengths, for headers that numpy itself refuses to read unless told to trust.
  if (byte(6) != 1) throw RecordError(file.path(), fmt::format("has the unknown .npy version {}", byte(6)));
  const std::size_t length = byte(8) + 256u * byte(9);
  NpyHeader header;
  header.bytes = preamble + length;
  if (header.bytes > end - begin) throw RecordError(file.path(), "the header of the array is cut off");
  const std::string text = file.text_at(begin + preamble, length);
  Literal literal(text, file.path());
  read_dictionary(literal, header);
  return header;
}

}  // namespace carom::detail
