#include "write.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <nlohmann/json.hpp>

#include "files/files.hpp"
#include "records/columns.hpp"

extern char** environ;

namespace carom::papers {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

std::string stem_of(const Item& item, const std::string& suffix) {
  return suffix.empty() ? std::string(item.name) : fmt::format("{}-{}", item.name, suffix);
}

// A figure without a title of its own bears the item's.
Figure titled(const Item& item, Figure figure) {
  if (figure.title.empty()) figure.title = item.title;
  return figure;
}

bool convert_to_png(const fs::path& svg, const fs::path& png) {
  const std::string from = svg.string(), to = png.string();
  const char* words[] = {"rsvg-convert", "--zoom", "2", "--output", to.c_str(), from.c_str(), nullptr};
  pid_t child = 0;
  if (posix_spawnp(&child, words[0], nullptr, nullptr, const_cast<char* const*>(words), environ) != 0)
    return false;
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string r = "\"";
  for (const char c : text) r += c == '"' ? "\"\"" : std::string(1, c);
  return r + "\"";
}

std::string csv_of(const Table& table) {
  std::string r;
  const auto line = [&r](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) r += (i ? "," : "") + quoted(cells[i]);
    r += '\n';
  };
  line(table.header);
  for (const auto& row : table.rows) line(row);
  return r;
}

std::string table_suffix(const Finding& finding, std::size_t i) {
  return finding.tables.size() == 1 ? "table" : fmt::format("table-{}", i + 1);
}

Json described(const Paper& paper, const Item& item) {
  return {{"paper", paper.number},
          {"item", item.place},
          {"name", item.name},
          {"title", item.title},
          {"claim", item.claim}};
}

Json numbers_of(const Finding& finding) {
  Json r = Json::object();
  for (const auto& [name, value] : finding.numbers)
    r[name] = std::isfinite(value) ? Json(value) : Json(nullptr);
  return r;
}

}  // namespace

std::string csv_of(const Figure& figure) {
  std::string r = "axes,series,x,y\n";
  for (std::size_t a = 0; a < figure.axes.size(); ++a) {
    const Axes& axes = figure.axes[a];
    const std::string place = quoted(axes.title.empty() ? fmt::format("{}", a + 1) : axes.title);
    for (const Series& series : axes.series) {
      const std::string label = quoted(series.label);
      for (std::size_t i = 0; i < series.x.size(); ++i) {
        r += place + ',' + label + ',';
        detail::append_number(r, series.x[i]);
        r += ',';
        detail::append_number(r, series.y[i]);
        r += '\n';
      }
    }
  }
  return r;
}

Json entry_of(const Paper& paper, const Item& item, const Finding& finding, double seconds, bool quick) {
  Json r = described(paper, item);
  r["measured"] = finding.measured;
  r["verdict"] = text_of(finding.verdict);
  r["ours"] = finding.ours;
  r["numbers"] = numbers_of(finding);
  r["seconds"] = seconds;
  r["quick"] = quick;
  r["methods"] = item.methods;
  r["parameters"] = item.parameters;
  r["pictures"] = Json::array();
  for (const Picture& p : finding.pictures) r["pictures"].push_back(stem_of(item, p.suffix));
  r["tables"] = Json::array();
  for (std::size_t i = 0; i < finding.tables.size(); ++i) {
    const Table& t = finding.tables[i];
    r["tables"].push_back({{"file", stem_of(item, table_suffix(finding, i)) + ".csv"},
                           {"title", t.title},
                           {"header", t.header},
                           {"rows", t.rows}});
  }
  return r;
}

Json failed_entry(const Paper& paper, const Item& item, const std::string& error, double seconds,
                  bool quick) {
  Json r = described(paper, item);
  r["measured"] = nullptr;
  r["verdict"] = nullptr;
  r["error"] = error;
  r["seconds"] = seconds;
  r["quick"] = quick;
  return r;
}

bool write_item(const fs::path& folder, const Item& item, const Finding& finding, const Json& entry) {
  bool pictured = true;
  for (const Picture& p : finding.pictures) {
    const Figure figure = titled(item, p.figure);
    const std::string stem = stem_of(item, p.suffix);
    write_text(folder / (stem + ".svg"), render_svg(figure));
    write_text(folder / (stem + ".csv"), csv_of(figure));
    pictured = convert_to_png(folder / (stem + ".svg"), folder / (stem + ".png")) && pictured;
  }
  for (std::size_t i = 0; i < finding.tables.size(); ++i)
    write_text(folder / (stem_of(item, table_suffix(finding, i)) + ".csv"), csv_of(finding.tables[i]));
  write_text(folder / fmt::format("{}.json", item.name),
             entry.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  return pictured;
}

}  // namespace carom::papers
