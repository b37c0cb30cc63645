#include "report/pushes.hpp"

#include <fmt/format.h>

#include <cmath>

namespace carom {
namespace {

struct ColumnsOfForces {
  std::size_t t = 0, q = 0, dim = 0, forces = 0, count = 0, friction = 0, width = 0, all = 0;
  explicit ColumnsOfForces(const Layout& layout) {
    for (const Column& column : layout.columns) {
      if (column.name == "t") t = all;
      if (column.name == "q") q = all, dim = column.width;
      if (column.name == "forces" && !column.scalar) forces = all, count = column.width;
      if (column.name == "friction_forces" && !column.scalar) friction = all, width = column.width;
      all += column.width;
    }
  }
};

void add_number(std::string& to, double x) {
  if (!to.empty() && to.back() != '[') to += ',';
  fmt::format_to(std::back_inserter(to), "{:.5g}", x);
}

}  // namespace

std::string pushes_json(TableSource& source, DrawnPlaces* places) {
  const ColumnsOfForces at(source.layout());
  if (!places || at.count == 0 || (at.width == 0 && !places->shows_normal_forces())) return "null";
  constexpr std::uint64_t most = 800;
  const std::uint64_t rows = source.rows(), stride = rows / most + 1;
  const std::size_t each = at.width / at.count;
  std::vector<double> row(at.all), q(at.dim), pushed;
  bool any = false;
  std::string times = "[", arrows = "[";
  for (std::uint64_t n = 0; n < rows; n += stride) {
    source.read(n, 1, row);
    q.assign(row.begin() + static_cast<std::ptrdiff_t>(at.q),
             row.begin() + static_cast<std::ptrdiff_t>(at.q + at.dim));
    std::string own = "[";
    for (std::size_t i = 0; i < at.count; ++i) {
      const double force = row[at.forces + i];
      if (!(std::isfinite(force) && force != 0)) continue;
      const std::span<const double> along(row.data() + at.friction + each * i, each);
      pushed.clear();
      places->add_push(row[at.t], q, static_cast<int>(i), force, along, pushed);
      any = any || !pushed.empty();
      for (const double x : pushed) add_number(own, x);
    }
    add_number(times, row[at.t]);
    arrows += (arrows.size() > 1 ? "," : "") + own + "]";
  }
  if (!any && at.width == 0) return "null";
  return fmt::format(R"({{"t":{}],"arrows":{}]}})", times, arrows);
}

}  // namespace carom
