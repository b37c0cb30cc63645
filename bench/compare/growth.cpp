#include "compare/growth.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace carom::bench {

double Growth::exponent() const {
  double x = 0, y = 0, xx = 0, xy = 0;
  const auto n = static_cast<double>(measured.size());
  for (const Sized& m : measured) {
    const double a = std::log(m.size), b = std::log(m.seconds);
    x += a, y += b, xx += a * a, xy += a * b;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

void write_growth(std::ostream& out, const std::vector<Growth>& all, bool json) {
  auto list = nlohmann::ordered_json::array();
  for (const Growth& g : all) {
    nlohmann::ordered_json item{{"problem", g.problem}, {"size", g.size}, {"seconds_per", g.per}};
    item["exponent"] = g.exponent();
    for (const Sized& m : g.measured) item["measured"].push_back({{"size", m.size}, {"seconds", m.seconds}});
    list.push_back(item);
    if (json) continue;
    fmt::print(out, "{}: {}^{:.2f}\n   ", g.problem, g.size, g.exponent());
    for (const Sized& m : g.measured)
      fmt::print(out, " {:g}: {:.3g} us per {};", m.size, 1e6 * m.seconds, g.per);
    fmt::print(out, "\n");
  }
  if (json) out << list.dump(1) << '\n';
}

}  // namespace carom::bench
