#include "records/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>

#include "files/files.hpp"
#include "records/columns.hpp"
#include "records/input_file.hpp"
#include "records/npz.hpp"

namespace carom {

namespace {

constexpr std::string_view first_line = "carom checkpoint 1\n";
constexpr std::size_t checksum_bytes = sizeof("crc32 00000000");  // its line: the newline for the zero

std::string checksum_line(std::string_view text) {
  return fmt::format("crc32 {:08x}\n", detail::crc32(std::as_bytes(std::span(text))));
}

void check_name(std::string_view name) {
  const bool usable = !name.empty() && std::all_of(name.begin(), name.end(),
                                                   [](unsigned char c) { return c > ' ' && c != 0x7F; });
  if (!usable) throw std::invalid_argument(fmt::format("checkpoint: '{}' cannot be a name", name));
}

// As in csv files, but a nan keeps its sign and payload: nan:fff8000000000000.
void append_exact(std::string& text, double value) {
  detail::append_number(text, value);
  if (std::isnan(value))
    fmt::format_to(std::back_inserter(text), ":{:016x}", std::bit_cast<std::uint64_t>(value));
}

template <class Value>
std::optional<Value> parse(std::string_view word, auto... base) {
  Value value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base...);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

std::optional<double> parse_exact(std::string_view word) {
  constexpr std::string_view nan = "nan:";
  if (!word.starts_with(nan)) return parse<double>(word);
  const auto bits = parse<std::uint64_t>(word.substr(nan.size()), 16);
  if (!bits) return std::nullopt;
  return std::bit_cast<double>(*bits);
}

// The words of the lines, one after the other.
class Words {
 public:
  Words(std::string_view text, const std::filesystem::path& path) : rest_(text), path_(path) {}

  std::string_view line() {
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos) fail("a line is missing");
    const std::string_view result = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return result;
  }
  std::string_view bytes(std::size_t count) {
    if (count > rest_.size()) fail("the scenario is cut off");
    const std::string_view result = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return result;
  }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[noreturn]] void fail(std::string_view what) const { throw RecordError(path_, what); }

 private:
  std::string_view rest_;
  const std::filesystem::path& path_;
};

// The first word of `line`, which is removed together with the space behind it.
std::string_view next_word(std::string_view& line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}

std::vector<double> read_numbers(std::string_view line, const Words& words) {
  std::vector<double> numbers;
  while (!line.empty()) {
    const std::optional<double> value = parse_exact(next_word(line));
    if (!value) words.fail("a number cannot be read");
    numbers.push_back(*value);
  }
  return numbers;
}

Checkpoint read_body(Words& words) {
  Checkpoint checkpoint;
  for (bool done = false; !done;) {
    std::string_view line = words.line();
    const std::string_view kind = next_word(line);
    if (kind == "scenario") {
      const auto size = parse<std::size_t>(next_word(line));
      if (!size || line != "bytes") words.fail("the length of the scenario cannot be read");
      checkpoint.scenario = words.bytes(*size);
      done = words.line().empty() && words.at_end();
      if (!done) words.fail("something follows the scenario");
    } else if (kind == "count") {
      const std::string name(next_word(line));
      const auto value = parse<std::int64_t>(line);
      if (!value || !checkpoint.counts.emplace(name, *value).second) words.fail("a count cannot be read");
    } else if (kind == "numbers") {
      const std::string name(next_word(line));
      if (!checkpoint.numbers.emplace(name, read_numbers(line, words)).second)
        words.fail(fmt::format("'{}' is there twice", name));
    } else {
      words.fail(fmt::format("'{}' is unknown", kind));
    }
  }
  return checkpoint;
}

}  // namespace

std::string checkpoint_text(const Checkpoint& checkpoint) {
  std::string text(first_line);
  for (const auto& [name, value] : checkpoint.counts) {
    check_name(name);
    text += fmt::format("count {} {}\n", name, value);
  }
  for (const auto& [name, values] : checkpoint.numbers) {
    check_name(name);
    text += "numbers " + name;
    for (const double value : values) {
      text += ' ';
      append_exact(text, value);
    }
    text += '\n';
  }
  text += fmt::format("scenario {} bytes\n{}\n", checkpoint.scenario.size(), checkpoint.scenario);
  return text + checksum_line(text);
}

void save_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  write_text(path, checkpoint_text(checkpoint));
}

Checkpoint load_checkpoint(const std::filesystem::path& path) {
  const detail::InputFile file(path);
  constexpr std::uint64_t most = std::uint64_t{1} << 28;
  if (file.size() > most) throw RecordError(path, "is too large for a checkpoint");
  return parse_checkpoint(file.text_at(0, file.size()), path);
}

Checkpoint parse_checkpoint(const std::string& text, const std::filesystem::path& path) {
  std::string_view body = text;
  if (!body.starts_with("carom checkpoint ")) throw RecordError(path, "is not a checkpoint of carom");
  if (body.size() < first_line.size() + checksum_bytes) throw RecordError(path, "the checkpoint is cut off");
  body.remove_suffix(checksum_bytes);
  if (checksum_line(body) != std::string_view(text).substr(body.size()))
    throw RecordError(path, "the checkpoint is damaged: its checksum is wrong");
  if (!body.starts_with(first_line)) throw RecordError(path, "the checkpoint is of another version of carom");
  body.remove_prefix(first_line.size());
  Words words(body, path);
  return read_body(words);
}

}  // namespace carom
