#include "records/export.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "files/files.hpp"
#include "records/columns.hpp"
#include "records/lines.hpp"
#include "records/names.hpp"
#include "records/npz.hpp"

namespace carom {

namespace fs = std::filesystem;

namespace {

// A name in the four bytes a character that numpy's "<U" has, filled up with zeros.
std::u32string wide(std::string_view utf8) {
  std::u32string r;
  for (const char c : utf8) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 && byte < 0xC0 && !r.empty())
      r.back() = r.back() << 6 | (byte & 0x3F);
    else
      r += byte < 0x80 ? byte : byte & (byte < 0xE0 ? 0x1F : byte < 0xF0 ? 0x0F : 0x07);
  }
  return r;
}

// The array "q.names" of a column; its contents come behind those in `contents`.
NpyPlan plan_names(const Column& column, std::vector<std::u32string>& contents) {
  std::vector<std::u32string> names;
  std::size_t longest = 1;
  for (const std::string& part : column.parts) {
    names.push_back(wide(part));
    longest = std::max(longest, names.back().size());
  }
  std::u32string& all = contents.emplace_back();
  for (std::u32string& name : names) {
    name.resize(longest);
    all += name;
  }
  return {column.name + ".names", {names.size()}, fmt::format("<U{}", longest)};
}

}  // namespace

void export_npz(TableSource& source, const fs::path& path) {
  detail::refuse_text(source.layout());
  std::vector<NpyPlan> plans;
  for (const Column& column : source.layout().columns) {
    plans.push_back({column.name, {source.rows()}});
    if (!column.scalar) plans.back().shape.push_back(column.width);
  }
  const std::size_t numbers_end = plans.size();
  std::vector<std::u32string> names;
  for (const Column& column : source.layout().columns)
    if (!column.parts.empty()) plans.push_back(plan_names(column, names));
  NpzWriter writer(path, plans);
  for (std::size_t i = 0; i < names.size(); ++i)
    writer.append(numbers_end + i, std::as_bytes(std::span(names[i])));
  detail::for_each_column_block(source,
                                [&](std::size_t column, std::uint64_t, std::span<const double> numbers) {
                                  writer.append(column, std::as_bytes(numbers));
                                });
  writer.commit();
}

void export_csv(TableSource& source, const fs::path& path) {
  detail::refuse_text(source.layout());
  AtomicFile file(path);
  std::string text;
  for (const std::string& name : number_names(source.layout()))
    text += (text.empty() ? "" : ",") + detail::csv_field(name);
  text += '\n';
  const std::size_t width = source.layout().row_width();
  for_each_block(source, [&](std::uint64_t, std::uint64_t, std::span<const double> numbers) {
    constexpr std::size_t piece = std::size_t{1} << 16;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      detail::append_number(text, numbers[i]);
      text += (i + 1) % width == 0 ? '\n' : ',';
      if (text.size() < piece) continue;
      file.write(text);
      text.clear();
    }
  });
  file.write(text);
  file.commit();
}

}  // namespace carom
