#include "report/space_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/base64.hpp"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;

// Seven digits, as everything that is only seen.
double seen(double x) { return std::isfinite(x) && x != 0 ? std::stod(fmt::format("{:.7g}", x)) : 0; }

template <class Numbers>
Json list(const Numbers& numbers) {
  Json r = Json::array();
  for (const double x : numbers) r.push_back(seen(x));
  return r;
}

Json part_json(const SpaceView::Part& part) {
  Json r;
  if (part.shape == "polyhedron") {
    Json points = Json::array();
    for (const auto& point : part.points) points.push_back(list(point));
    r[part.shape] = {{"points", points}, {"faces", part.faces}};
  } else {
    r[part.shape] = part.size.size() == 1 ? Json(seen(part.size[0])) : list(part.size);
  }
  if (part.at != SpaceView::Point{}) r["at"] = list(part.at);
  if (part.turn != SpaceView::unturned) r["turn"] = list(part.turn);
  return r;
}

// As many frames as there are of the longest run, up to a number that is smooth enough.
Motion path_of(const SpaceView::Body& body, const Shown& shown) {
  constexpr double most = 20000;
  Motion r;
  if (!(shown.end >= shown.start)) return r;
  r.start = shown.start, r.step = std::fmax(shown.step, (shown.end - shown.start) / most);
  const auto count = static_cast<std::size_t>(std::ceil((shown.end - shown.start) / r.step - 1e-9)) + 1;
  for (std::size_t n = 0; n < count; ++n) {
    const SpaceView::Pose pose = body.path(r.start + static_cast<double>(n) * r.step);
    r.states.insert(r.states.end(), pose.begin(), pose.end());
  }
  return r;
}

Json body_json(const SpaceView::Body& body, int& colour, const Shown& shown) {
  const bool moves = body.column >= 0 || body.path;
  Json parts = Json::array();
  for (const auto& part : body.parts) parts.push_back(part_json(part));
  Json r = {{"name", body.name}, {"colour", moves ? Json(colour++) : Json(nullptr)}, {"parts", parts}};
  if (body.column >= 0) {
    Json columns = Json::array();
    for (int k = 0; k < 7; ++k) columns.push_back(body.column + k);
    r["columns"] = columns;
  } else if (body.path) {
    r["path"] = Json::parse(motion_json(path_of(body, shown), 7));
  } else {
    r["pose"] = list(body.pose);
  }
  return r;
}

Json link_json(const SpaceView::Link& link) {
  const auto body = [](int k) { return k < 0 ? Json(nullptr) : Json(k); };
  return {{"a", body(link.a)},
          {"at_a", list(link.at_a)},
          {"b", body(link.b)},
          {"at_b", list(link.at_b)},
          {"spring", link.spring}};
}

}  // namespace

void Shown::add(const Motion& motion, std::size_t dim) {
  if (dim == 0 || motion.states.empty()) return;
  const std::size_t count = motion.states.size() / dim;
  start = std::fmin(start, motion.start);
  end = std::fmax(end, motion.start + static_cast<double>(count - 1) * motion.step);
  step = std::fmin(step, motion.step);
  states.insert(states.end(), motion.states.begin(), motion.states.end());
}

std::string space_json(const SpaceView& drawing, const Shown& shown) {
  Json bodies = Json::array(), links = Json::array();
  int colour = 0;
  for (const auto& body : drawing.bodies) bodies.push_back(body_json(body, colour, shown));
  for (const auto& link : drawing.links) links.push_back(link_json(link));
  const Json r = {{"up", list(drawing.up)}, {"bodies", bodies}, {"links", links}};
  return r.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string motion_json(const Motion& m, std::size_t dim) {
  const std::size_t count = dim == 0 ? 0 : m.states.size() / dim;
  std::string low, high, data;
  for (std::size_t i = 0; i < dim; ++i) {
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (std::size_t n = 0; n < count; ++n) {
      const double x = m.states[n * dim + i];
      if (std::isfinite(x)) least = std::fmin(least, x), most = std::fmax(most, x);
    }
    if (!(least <= most)) least = most = 0;
    const double range = most > least ? most - least : 1;
    std::string bytes;
    for (std::size_t n = 0; n < count; ++n) {
      const double x = m.states[n * dim + i];
      const auto u = static_cast<unsigned>(std::isfinite(x) ? std::lround((x - least) / range * 65535) : 0);
      bytes += static_cast<char>(u & 0xFF), bytes += static_cast<char>(u >> 8);
    }
    const char* comma = i > 0 ? "," : "";
    low += fmt::format("{}{:.7g}", comma, least), high += fmt::format("{}{:.7g}", comma, least + range);
    data += fmt::format("{}\"{}\"", comma, base64(bytes));
  }
  return fmt::format(R"({{"t0":{},"dt":{},"count":{},"low":[{}],"high":[{}],"data":[{}]}})", m.start, m.step,
                     count, low, high, data);
}

}  // namespace carom
