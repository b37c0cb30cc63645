#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "scenario/scenario_set.hpp"
#include "scenario/scenario_text.hpp"
#include "scenario/suggest.hpp"
#include "sweep/sweep.hpp"

namespace carom {
namespace {

using detail::Entry;
using detail::text_of;
using detail::Value;

constexpr std::int64_t most_members = 1'000'000'000;
const std::vector<std::string> top_keys = {"title", "scenario", "fields", "series", "set", "grid", "sample"};
const std::vector<std::string> range_words = {"from", "to", "count", "spacing", "along"};
const std::vector<std::string> draw_words = {"from", "to", "mean", "deviation", "within"};

bool is_one_of(const std::string& word, const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Quoted or not, "initial.q.0" and initial.q.0 are the same key: the names below the table with dots between.
std::string key_below(const std::vector<std::string>& path, std::size_t names) {
  std::string key;
  for (std::size_t i = 1; i < 1 + names; ++i) key += (i > 1 ? "." : "") + path[i];
  return key;
}

// The entries that belong to one key of the scenario: a list alone, or the parts of { from = ... }.
struct Block {
  std::string key;
  std::vector<const Entry*> parts;
  bool is_list() const { return std::holds_alternative<std::vector<Value>>(parts.front()->value.data); }
};

class Reader {
 public:
  explicit Reader(const detail::Document& document) : document_(document) { r_.source = document.source; }

  Sweep operator()() {
    for (const Entry& entry : document_.entries) read(entry);
    if (r_.scenario.empty())
      r_.reject("scenario", "", "must be given: a file, or the name of a shipped scenario");
    for (const Block& block : grid_) read_axis(block);
    for (const Block& block : drawn_) read_drawn(block);
    check_sample();
    check_size();
    return std::move(r_);
  }

 private:
  [[noreturn]] void refuse(const Entry& entry, const std::string& why) const {
    r_.reject(entry.key, text_of(entry.value), why);
  }

  void read(const Entry& entry) {
    const std::string& top = entry.path.front();
    if (entry.path.size() > 1 && top == "grid") return add(grid_, entry, range_words);
    if (entry.path.size() > 1 && top == "set") return read_set(entry);
    if (entry.path.size() == 2 && top == "sample" && is_one_of(entry.path[1], {"count", "kind", "seed"}))
      return read_sample(entry);
    if (entry.path.size() > 1 && top == "sample") return add(drawn_, entry, draw_words);
    if (!is_one_of(top, top_keys) || entry.path.size() > 1)
      refuse(entry, "unknown key" + suggestion(entry.key, top_keys));
    if (top == "title") r_.title = word(entry);
    if (top == "scenario") r_.scenario = word(entry);
    if (top == "fields") r_.fields = words(entry);
    if (top == "series") r_.series = words(entry);
    const bool table = is_one_of(top, {"set", "grid", "sample"});
    if (table && !std::holds_alternative<detail::Table>(entry.value.data)) refuse(entry, "must be a table");
  }

  void read_set(const Entry& entry) {
    if (std::holds_alternative<detail::Table>(entry.value.data)) refuse(entry, "must have a value");
    r_.set.push_back(key_below(entry.path, entry.path.size() - 1) + "=" + text_of(entry.value));
  }

  void read_sample(const Entry& entry) {
    Sampling& s = r_.sample;
    if (entry.path[1] == "count") s.count = static_cast<std::size_t>(whole(entry, 1, most_members));
    if (entry.path[1] == "seed") s.seed = whole(entry, 0, std::numeric_limits<std::int64_t>::max());
    if (entry.path[1] != "kind") return;
    s.kind = word(entry);
    const std::vector<std::string> kinds = {"halton", "random"};
    if (!is_one_of(s.kind, kinds)) refuse(entry, "unknown kind" + suggestion(s.kind, kinds));
  }

  // A part of { from = ... } is never an array, and a list always is: so a parameter may be called "count".
  void add(std::vector<Block>& blocks, const Entry& entry, const std::vector<std::string>& parts) {
    const bool list = std::holds_alternative<std::vector<Value>>(entry.value.data);
    const std::string& last = entry.path.back();
    if (!list && entry.path.size() < 3)
      refuse(entry,
             fmt::format("must be {}", &blocks == &grid_
                                           ? "a list of values, or { from = ..., to = ..., count = ... }"
                                           : "{ from = ..., to = ... } or { mean = ..., deviation = ... }"));
    if (!list && !is_one_of(last, parts)) refuse(entry, "unknown key" + suggestion(last, parts));
    if (list && &blocks == &drawn_) refuse(entry, "must be { from = ..., to = ... }; lists stand in [grid]");
    const std::string key = key_below(entry.path, entry.path.size() - (list ? 1 : 2));
    const auto same =
        std::find_if(blocks.begin(), blocks.end(), [&](const Block& b) { return b.key == key; });
    if (same == blocks.end()) return blocks.push_back({key, {&entry}});
    if (list || same->is_list()) refuse(entry, "the key is given twice");
    same->parts.push_back(&entry);
  }

  void read_axis(const Block& block) {
    if (block.is_list()) return add_axis(block, list_of(*block.parts.front()), "");
    const auto from = number(block, "from"), to = number(block, "to");
    const Entry* count = part(block, "count");
    const Entry* along = part(block, "along");
    const Entry* spacing = part(block, "spacing");
    const std::size_t n = along ? axis_of(*along).size()
                                : static_cast<std::size_t>(whole(required(block, "count"), 1, most_members));
    if (along && count) refuse(*count, "the axis that it goes along has its own count");
    const std::string how = spacing ? word(*spacing) : "linear";
    if (!is_one_of(how, {"linear", "log"}))
      refuse(*spacing, "unknown spacing" + suggestion(how, {"linear", "log"}));
    if (how == "log" && !(from.second > 0 && to.second > 0)) refuse(*spacing, "needs from and to above 0");
    Varied v{block.key, spaced(*from.first, *to.first, n, how == "log"), ""};
    v.written =
        fmt::format("{{ from = {}, to = {}, {}{} }}", text_of(from.first->value), text_of(to.first->value),
                    along ? "along = " + text_of(along->value) : fmt::format("count = {}", n),
                    how == "log" ? ", spacing = \"log\"" : "");
    add_axis(std::move(v), along ? word(*along) : "");
  }

  void add_axis(const Block& block, std::vector<Value> values, const std::string& along) {
    const std::string written = text_of(block.parts.front()->value);
    add_axis({block.key, std::move(values), written}, along);
  }
  void add_axis(Varied v, const std::string& along) {
    if (along.empty()) return r_.grid.push_back({{std::move(v)}});
    for (GridAxis& axis : r_.grid)
      if (axis.keys.front().key == along) return axis.keys.push_back(std::move(v));
  }

  const GridAxis& axis_of(const Entry& along) const {
    std::vector<std::string> known;
    for (const GridAxis& axis : r_.grid) {
      if (axis.keys.front().key == word(along)) return axis;
      known.push_back(axis.keys.front().key);
    }
    refuse(along, "must be a key of [grid] that stands above" + suggestion(word(along), known));
  }

  // Whole numbers where both ends are and their distance divides: for keys such as method.order.
  std::vector<Value> spaced(const Entry& from, const Entry& to, std::size_t n, bool log) const {
    const auto *i = std::get_if<std::int64_t>(&from.value.data),
               *k = std::get_if<std::int64_t>(&to.value.data);
    const auto gaps = static_cast<std::int64_t>(n) - 1;
    std::vector<Value> r(n);
    if (i && k && !log && gaps > 0 && (*k - *i) % gaps == 0) {
      for (std::int64_t j = 0; j <= gaps; ++j)
        r[static_cast<std::size_t>(j)].data = *i + (*k - *i) / gaps * j;
      return r;
    }
    const double a = real(from), b = real(to);
    for (std::size_t j = 0; j < n; ++j) {
      const double part = n > 1 ? static_cast<double>(j) / static_cast<double>(n - 1) : 0;
      r[j].data = log ? a * std::pow(b / a, part) : a + part * (b - a);
    }
    if (n > 1) r.back().data = b;
    return r;
  }

  std::vector<Value> list_of(const Entry& entry) const {
    const auto& values = std::get<std::vector<Value>>(entry.value.data);
    if (values.empty()) refuse(entry, "must have a value at least");
    for (const Value& value : values)
      if (value.data.index() == 0 || std::holds_alternative<std::vector<Value>>(value.data))
        refuse(entry, "must be a list of numbers, words, or true and false");
    return values;
  }

  void read_drawn(const Block& block) {
    Drawn d{block.key};
    if (const Entry* within = part(block, "within")) {
      d.around = true, d.b = real(*within);
      if (!(d.b > 0)) refuse(*within, "must be above 0: a share of the scenario's own value");
      if (block.parts.size() > 1) refuse(*within, "stands alone, without from, to, mean and deviation");
      return r_.sample.keys.push_back(d);
    }
    d.normal = part(block, "mean") || part(block, "deviation");
    const auto a = number(block, d.normal ? "mean" : "from"),
               b = number(block, d.normal ? "deviation" : "to");
    d.a = a.second, d.b = b.second;
    for (const Entry* other : block.parts)
      if (other != a.first && other != b.first) refuse(*other, "give from and to, or mean and deviation");
    if (d.normal && d.b < 0) refuse(*b.first, "must not be negative");
    r_.sample.keys.push_back(d);
  }

  void check_sample() const {
    const Sampling& s = r_.sample;
    if (s.count > 0 && s.keys.empty())
      r_.reject("sample", "", "has no key to draw, such as \"initial.q.0\" = { from = 0, to = 1 }");
    if (s.count == 0 && !s.keys.empty()) r_.reject("sample.count", "", "must be given: how many are drawn");
  }

  void check_size() const {
    if (r_.grid.empty() && r_.sample.keys.empty())
      r_.reject("grid", "", "nothing varies: give [grid] or [sample]");
    double members = static_cast<double>(std::max<std::size_t>(1, r_.sample.count));
    for (const GridAxis& axis : r_.grid) members *= static_cast<double>(axis.size());
    if (members > static_cast<double>(most_members))
      r_.reject("grid", "", fmt::format("makes {} runs; at most {} are done", members, most_members));
    if (r_.fields.empty() && r_.series.empty())
      r_.reject("fields", "",
                "must be given: what is kept of each run, such as [\"final.q.0\", \"impacts.count\"]");
  }

  static const Entry* part(const Block& block, const std::string& name) {
    for (const Entry* entry : block.parts)
      if (entry->path.back() == name) return entry;
    return nullptr;
  }
  const Entry& required(const Block& block, const std::string& name) const {
    const Entry* entry = part(block, name);
    const std::string& beside = block.parts.front()->key;
    if (!entry) r_.reject(beside.substr(0, beside.rfind('.')), "", fmt::format("must have {}", name));
    return *entry;
  }
  std::pair<const Entry*, double> number(const Block& block, const std::string& name) const {
    const Entry& entry = required(block, name);
    return {&entry, real(entry)};
  }

  double real(const Entry& entry) const {
    const auto* integer = std::get_if<std::int64_t>(&entry.value.data);
    const auto* number = std::get_if<double>(&entry.value.data);
    if (!integer && !(number && std::isfinite(*number))) refuse(entry, "must be a finite number");
    return integer ? static_cast<double>(*integer) : *number;
  }
  std::int64_t whole(const Entry& entry, std::int64_t low, std::int64_t high) const {
    const auto* number = std::get_if<std::int64_t>(&entry.value.data);
    if (!number || *number < low || *number > high)
      refuse(entry, fmt::format("must be a whole number from {} to {}", low, high));
    return *number;
  }
  std::string word(const Entry& entry) const {
    const auto* text = std::get_if<std::string>(&entry.value.data);
    if (!text) refuse(entry, "must be a string, in quotes");
    return *text;
  }
  std::vector<std::string> words(const Entry& entry) const {
    std::vector<std::string> r;
    const auto* list = std::get_if<std::vector<Value>>(&entry.value.data);
    if (!list) refuse(entry, "must be a list of names, in quotes");
    for (const Value& value : *list) {
      const auto* text = std::get_if<std::string>(&value.data);
      if (!text) refuse(entry, "must be a list of names, in quotes");
      if (is_one_of(*text, r)) refuse(entry, fmt::format("has \"{}\" twice", *text));
      r.push_back(*text);
    }
    return r;
  }

  const detail::Document& document_;
  Sweep r_;
  std::vector<Block> grid_, drawn_;
};

}  // namespace

void Sweep::reject(const std::string& key, const std::string& value, const std::string& why) const {
  Scenario places;
  places.source = source;
  places.reject(key, value, why);
}

Sweep parse_sweep(const std::string& text, const std::string& name) {
  const detail::Document document = detail::read_document(text, name, {});
  return Reader(document)();
}

Sweep read_sweep(const std::string& path) { return parse_sweep(detail::read_file(path), path); }

}  // namespace carom
