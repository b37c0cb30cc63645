#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "optimise/problem.hpp"
#include "scenario/scenario_set.hpp"
#include "scenario/scenario_text.hpp"
#include "scenario/suggest.hpp"

namespace carom {
namespace {

using detail::Entry;
using detail::Value;

constexpr std::int64_t most_control_steps = 100000;
const std::vector<std::string> problem_keys = {"title",   "scenario", "set",  "controls",   "steps",
                                               "impacts", "duration", "cost", "parameters", "start",
                                               "end",     "bounds",   "path", "guess",      "fit"};

class ProblemReader {
 public:
  explicit ProblemReader(const detail::Document& d) : document(d) { r.source = d.source; }

  ControlProblem operator()() {
    for (const Entry& entry : document.entries) read(entry);
    if (r.scenario.empty())
      r.reject("scenario", "", "must be given: a file, or the name of a shipped scenario");
    if (r.steps.empty())
      r.reject("steps", "", "must be given: how many in each phase, such as 40 or [20, 30]");
    if (r.running.empty() && r.at_end.empty() && r.data.empty())
      r.reject("cost", "", "must be given: running = \"u^2\", or end = \"...\"; or [fit] with data");
    refuse_twice();
    return std::move(r);
  }

 private:
  [[noreturn]] void refuse(const Entry& entry, const std::string& why) const {
    r.reject(entry.key, detail::text_of(entry.value), why);
  }

  void read(const Entry& entry) {
    const std::string& top = entry.path.front();
    if (std::find(problem_keys.begin(), problem_keys.end(), top) == problem_keys.end())
      refuse(entry, "unknown key" + suggestion(top, problem_keys));
    if (top == "set") return read_set(entry);
    if (entry.path.size() == 1) return read_top(entry, top);
    if (entry.path.size() > 3 || (entry.path.size() == 3 && top != "guess")) refuse(entry, "unknown key");
    read_in(entry, top, entry.path[1]);
  }

  void read_set(const Entry& entry) {
    std::string key;
    for (std::size_t i = 1; i < entry.path.size(); ++i) key += (i > 1 ? "." : "") + entry.path[i];
    if (!key.empty()) r.set.push_back(key + "=" + detail::text_of(entry.value));
  }

  void read_top(const Entry& entry, const std::string& top) {
    if (std::holds_alternative<detail::Table>(entry.value.data)) return;
    if (top == "title") return r.title = word(entry), void();
    if (top == "scenario") return r.scenario = word(entry), void();
    if (top == "controls") return r.controls = words(entry), void();
    if (top == "steps") return read_steps(entry);
    if (top == "duration") return r.duration = interval(entry), check_duration(entry);
    if (top != "impacts") refuse(entry, "must be a table");
    r.impacts_from_run = std::holds_alternative<std::string>(entry.value.data);
    if (!r.impacts_from_run) return r.impacts = words(entry), void();
    if (word(entry) != "run") refuse(entry, "must be a list of contacts in their order, or \"run\"");
  }

  void read_in(const Entry& entry, const std::string& table, const std::string& name) {
    if (table == "cost" && name == "running")
      r.running = word(entry);
    else if (table == "cost" && name == "end")
      r.at_end = word(entry);
    else if (table == "cost")
      refuse(entry, "unknown key" + suggestion(name, {"running", "end"}));
    else if (table == "parameters")
      r.parameters.emplace_back(name, interval(entry));
    else if (table == "start")
      r.start.emplace_back(name, interval(entry));
    else if (table == "bounds")
      r.bounds.emplace_back(name, interval(entry));
    else if (table == "path")
      r.path.emplace_back(name, word(entry));
    else if (table == "end")
      read_end(entry, name);
    else if (table == "fit" && name == "data")
      r.data = word(entry);
    else if (table == "fit")
      refuse(entry, "unknown key" + suggestion(name, {"data"}));
    else if (table == "guess")
      read_guess(entry, name);
    else
      refuse(entry, "unknown key");
  }

  void read_end(const Entry& entry, const std::string& name) {
    if (std::holds_alternative<std::string>(entry.value.data))
      return r.end.emplace_back(name, word(entry)), void();
    r.end.emplace_back(name, interval(entry));
  }

  void read_guess(const Entry& entry, const std::string& name) {
    if (name == "durations") return r.guess.durations = numbers(entry, entry.value), void();
    if (name == "impacts") {
      for (const Value& one : list(entry, entry.value)) r.guess.impacts.push_back(numbers(entry, one));
      return;
    }
    if (name == "end" && entry.path.size() == 3)
      return r.guess.end[entry.path[2]] = number(entry, entry.value), void();
    if (entry.path.size() == 3 || name == "end") refuse(entry, "unknown key");
    r.guess.formulas[name] = word(entry);
  }

  void read_steps(const Entry& entry) {
    std::vector<Value> all = {entry.value};
    if (const auto* several = std::get_if<std::vector<Value>>(&entry.value.data)) all = *several;
    for (const Value& one : all) {
      const auto* steps = std::get_if<std::int64_t>(&one.data);
      if (!steps || *steps < 1 || *steps > most_control_steps)
        refuse(entry,
               fmt::format("must be a whole number from 1 to {}, or one for each phase", most_control_steps));
      r.steps.push_back(*steps);
    }
    if (r.steps.empty()) refuse(entry, "must have a number at least");
  }

  void check_duration(const Entry& entry) const {
    if (!(r.duration->low > 0 && std::isfinite(r.duration->high)))
      refuse(entry, "must be finite and above 0");
  }

  // One quantity must not be chosen by two.
  void refuse_twice() const {
    for (std::size_t i = 0; i < r.controls.size(); ++i) {
      if (std::find(r.controls.begin(), r.controls.begin() + static_cast<std::ptrdiff_t>(i), r.controls[i]) !=
          r.controls.begin() + static_cast<std::ptrdiff_t>(i))
        r.reject("controls", detail::quoted(r.controls[i]), "is named twice");
      for (const auto& [name, range] : r.parameters)
        if (name == r.controls[i])
          r.reject("parameters." + detail::key_part(name), "",
                   "is unknown in two places: it is among the controls as well");
    }
  }

  std::string word(const Entry& entry) const {
    const auto* text = std::get_if<std::string>(&entry.value.data);
    if (!text) refuse(entry, "must be a string, in quotes");
    return *text;
  }
  const std::vector<Value>& list(const Entry& entry, const Value& value) const {
    const auto* all = std::get_if<std::vector<Value>>(&value.data);
    if (!all) refuse(entry, "must be a list");
    return *all;
  }
  std::vector<std::string> words(const Entry& entry) const {
    std::vector<std::string> all;
    for (const Value& one : list(entry, entry.value)) {
      const auto* text = std::get_if<std::string>(&one.data);
      if (!text) refuse(entry, "must be a list of names, in quotes");
      all.push_back(*text);
    }
    return all;
  }
  double number(const Entry& entry, const Value& value) const {
    const bool is =
        std::holds_alternative<std::int64_t>(value.data) || std::holds_alternative<double>(value.data);
    if (!is || !std::isfinite(detail::number_of(value))) refuse(entry, "must be finite numbers");
    return detail::number_of(value);
  }
  std::vector<double> numbers(const Entry& entry, const Value& value) const {
    std::vector<double> all;
    for (const Value& one : list(entry, value)) all.push_back(number(entry, one));
    return all;
  }
  // A number, or [low, high], where infinity is allowed.
  ControlRange interval(const Entry& entry) const {
    const auto* both = std::get_if<std::vector<Value>>(&entry.value.data);
    if (!both) {
      const double x = number(entry, entry.value);
      return {x, x};
    }
    const auto one = [&](std::size_t k) {
      const Value& v = (*both)[k];
      const bool is = std::holds_alternative<std::int64_t>(v.data) || std::holds_alternative<double>(v.data);
      return is ? detail::number_of(v) : std::nan("");
    };
    if (both->size() != 2 || !(one(0) <= one(1))) refuse(entry, "must be a number, or [low, high]");
    return {one(0), one(1)};
  }

  const detail::Document& document;
  ControlProblem r;
};

}  // namespace

void ControlProblem::reject(const std::string& key, const std::string& value, const std::string& why) const {
  Scenario at;
  at.source = source;
  at.reject(key, value, why);
}

ControlProblem parse_problem(const std::string& text, const std::string& name) {
  return ProblemReader(detail::read_document(text, name, {}))();
}
ControlProblem read_problem(const std::string& path) { return parse_problem(detail::read_file(path), path); }

}  // namespace carom
