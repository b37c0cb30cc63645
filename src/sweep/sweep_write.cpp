#include <fmt/format.h>

#include "scenario/scenario_text.hpp"
#include "sweep/sweep.hpp"

namespace carom {
namespace {

std::string list_of(const std::vector<std::string>& words) {
  std::string r;
  for (const std::string& word : words) r += (r.empty() ? "" : ", ") + detail::quoted(word);
  return "[" + r + "]";
}

std::string line_of(const std::string& key, const std::string& value) {
  return fmt::format("{} = {}\n", detail::quoted(key), value);
}

std::string text_of(const Sampling& s) {
  if (s.count == 0) return "";
  std::string r =
      fmt::format("\n[sample]\ncount = {}\nkind = {}\nseed = {}\n", s.count, detail::quoted(s.kind), s.seed);
  for (const Drawn& d : s.keys) {
    if (d.around) {
      r += line_of(d.key, fmt::format("{{ within = {} }}", detail::written(d.b)));
      continue;
    }
    const char* words = d.normal ? "{{ mean = {}, deviation = {} }}" : "{{ from = {}, to = {} }}";
    r += line_of(d.key, fmt::format(fmt::runtime(words), detail::written(d.a), detail::written(d.b)));
  }
  return r;
}

}  // namespace

std::string to_toml(const Sweep& sweep) {
  std::string r;
  if (!sweep.title.empty()) r += fmt::format("title = {}\n", detail::quoted(sweep.title));
  r += fmt::format("scenario = {}\n", detail::quoted(sweep.scenario));
  r += fmt::format("fields = {}\n", list_of(sweep.fields));
  if (!sweep.series.empty()) r += fmt::format("series = {}\n", list_of(sweep.series));
  if (!sweep.set.empty()) r += "\n[set]\n";
  for (const std::string& change : sweep.set) {
    const std::size_t equals = change.find('=');
    r += line_of(change.substr(0, equals), change.substr(equals + 1));
  }
  if (!sweep.grid.empty()) r += "\n[grid]\n";
  for (const GridAxis& axis : sweep.grid)
    for (const Varied& v : axis.keys) r += line_of(v.key, v.written);
  return r + text_of(sweep.sample);
}

}  // namespace carom
