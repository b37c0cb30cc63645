#include "report/report.hpp"

#include "files/files.hpp"
#include "report/parts.hpp"

namespace carom {
namespace detail {
namespace {

void fill(std::string& page, std::string_view place, std::string_view text) {
  const std::size_t at = page.find(place);
  if (at != std::string::npos) page.replace(at, place.size(), text);
}

// Inside a script element no text may end it; in JSON, "<" stands in strings only.
std::string fit_for_script(const std::string& json) {
  std::string r;
  r.reserve(json.size());
  for (const char c : json) c == '<' ? r += "\\u003c" : r += c;
  return r;
}

std::string page_of(const PageData& data) {
  std::string page, style, script;
  for (const ReportPart& part : report_parts()) {
    std::string_view kind = part.kind;
    if (kind.starts_with("space-")) {
      if (!data.in_space) continue;
      kind.remove_prefix(6);
    }
    std::string& text = kind == "template" ? page : kind == "style" ? style : script;
    text += part.text;
    text += '\n';
  }
  fill(page, "<!--carom:style-->", "<style>\n" + style + "</style>");
  fill(page, "<!--carom:data-->",
       "<script type=\"application/json\" id=\"carom-data\">" + fit_for_script(data.json) + "</script>");
  fill(page, "<!--carom:script-->", "<script>\n" + script + "</script>");
  return page;
}

}  // namespace
}  // namespace detail

void write_report(const std::filesystem::path& folder) {
  write_text(folder / "report.html", detail::page_of(detail::report_data(folder)));
}

}  // namespace carom
