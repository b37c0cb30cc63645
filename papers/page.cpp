#include "page.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "files/files.hpp"
#include "item.hpp"
#include "page_style.hpp"
#include "records/json_file.hpp"
#include "report/base64.hpp"

namespace carom::papers {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

std::string escaped(std::string_view text) {
  std::string r;  // as detail::escape_xml, which would make spaces of line ends
  for (const char c : text) r += c == '\n' ? "\n" : detail::escape_xml(std::string_view(&c, 1));
  return r;
}

std::string text_in(const Json& entry, const char* key) {
  return entry.contains(key) && entry[key].is_string() ? entry[key].get<std::string>() : "";
}

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

// "holds in part" -> "part": the class that colours it.
std::string_view colour_of(const std::string& verdict) {
  if (verdict == "holds") return "good";
  return verdict == "holds in part" ? "part" : verdict.empty() ? "none" : "bad";
}

std::string chip(const std::string& verdict) {
  return fmt::format("<span class='chip {}'>{}</span>", colour_of(verdict),
                     verdict.empty() ? "error" : verdict);
}

std::string picture(const fs::path& folder, const std::string& stem) {
  return fmt::format(
      "<figure><img alt='{0}' src='data:image/svg+xml;base64,{1}'><figcaption><a href='{0}.svg'>SVG</a> "
      "<a href='{0}.png'>PNG</a> <a href='{0}.csv'>data</a></figcaption></figure>\n",
      stem, base64(bytes_of(folder / (stem + ".svg"))));
}

std::string table(const Json& t) {
  std::string r = fmt::format("<div class='wide'><table><caption>{} (<a href='{}'>csv</a>)</caption>\n<tr>",
                              escaped(text_in(t, "title")), text_in(t, "file"));
  for (const Json& cell : t["header"]) r += fmt::format("<th>{}</th>", escaped(cell.get<std::string>()));
  r += "</tr>\n";
  for (const Json& row : t["rows"]) {
    r += "<tr>";
    for (const Json& cell : row) r += fmt::format("<td>{}</td>", escaped(cell.get<std::string>()));
    r += "</tr>\n";
  }
  return r + "</table></div>\n";
}

std::string paragraph(const char* heading, const std::string& text) {
  return text.empty() ? "" : fmt::format("<p><b>{}</b> {}</p>\n", heading, escaped(text));
}

std::string section(const fs::path& folder, const Json& entry) {
  const std::string name = text_in(entry, "name");
  std::string r = fmt::format("<section id='{}'><h3>{} <small>{}</small> {}</h3>\n", name,
                              escaped(text_in(entry, "item")), escaped(text_in(entry, "title")),
                              chip(text_in(entry, "verdict")));
  r += paragraph("Claim.", text_in(entry, "claim"));
  r += paragraph("Error.", text_in(entry, "error"));
  r += paragraph("Measured.", text_in(entry, "measured"));
  for (const Json& stem : entry.value("pictures", Json::array()))
    r += picture(folder, stem.get<std::string>());
  for (const Json& t : entry.value("tables", Json::array())) r += table(t);
  r += paragraph("Ours.", text_in(entry, "ours"));
  r += paragraph("Methods.", text_in(entry, "methods"));
  if (!text_in(entry, "parameters").empty())
    r += fmt::format("<details><summary>Parameters</summary><pre>{}</pre></details>\n",
                     escaped(text_in(entry, "parameters")));
  r += fmt::format("<p class='fine'><code>carom reproduce {}{}</code>, {:.1f} s{}</p></section>\n", name,
                   entry.value("quick", false) ? " --quick" : "", entry.value("seconds", 0.0),
                   entry.value("quick", false) ? ", shortened" : "");
  return r;
}

std::string contents_row(const Item& item, const Json& entry) {
  if (entry.is_null())
    return fmt::format(
        "<tr class='absent'><td>{}</td><td>{}</td><td><code>carom reproduce {}</code></td></tr>\n",
        escaped(item.place), escaped(item.title), item.name);
  return fmt::format("<tr><td><a href='#{}'>{}</a></td><td>{}</td><td>{}</td></tr>\n", item.name,
                     escaped(item.place), escaped(item.title), chip(text_in(entry, "verdict")));
}

}  // namespace

void write_page(const fs::path& folder) {
  std::string contents, sections;
  for (const Paper& paper : all_papers()) {
    contents += fmt::format("<tr><th colspan='3'>{}: {}</th></tr>\n", paper.number, escaped(paper.title));
    sections += fmt::format("<h2>{}: {}</h2>\n", paper.number, escaped(paper.title));
    for (const Item& item : paper.items) {
      const Json entry = read_json(folder / fmt::format("{}.json", item.name));
      contents += contents_row(item, entry);
      if (!entry.is_null()) sections += section(folder, entry);
    }
  }
  write_text(folder / "papers.html",
             fmt::format("{}<table class='contents'>\n{}</table>\n{}</main></body></html>\n", page_head,
                         contents, sections));
}

}  // namespace carom::papers
