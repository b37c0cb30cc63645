#include "records/export.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "files/files.hpp"
#include "records/npz.hpp"
#include "records/columns.hpp"

namespace carom {

namespace fs = std::filesystem;

void export_npz(TableSource& source, const fs::path& path) {
  detail::refuse_text(source.layout());
  std::vector<NpyPlan> plans;
  for (const Column& column : source.layout().columns) {
    plans.push_back({column.name, {source.rows()}});
    if (!column.scalar) plans.back().shape.push_back(column.width);
  }
  NpzWriter writer(path, plans);
  detail::for_each_column_block(source,
                                [&](std::size_t column, std::uint64_t, std::span<const double> numbers) {
                                  writer.append(column, std::as_bytes(numbers));
                                });
  writer.commit();
}

void export_csv(TableSource& source, const fs::path& path) {
  detail::refuse_text(source.layout());
  AtomicFile file(path);
  file.write(fmt::format("{}\n", fmt::join(detail::csv_names(source.layout()), ",")));
  const std::size_t width = source.layout().row_width();
  std::string text;
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
