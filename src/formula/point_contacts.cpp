#include "formula/point_contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenario/scenario_text.hpp"

namespace carom {
namespace {

using Term = formula::Node;
using formula::Op;

// Sums and products of nodes.
struct Algebra {
  formula::Expressions& e;
  Term number(double x) const { return e.number(x); }
  Term add(Term a, Term b) const { return e.make(Op::add, a, b); }
  Term times(Term a, Term b) const { return e.make(Op::multiply, a, b); }
  Term over(Term a, Term b) const { return e.make(Op::divide, a, b); }
  Term minus(Term a) const { return e.make(Op::negate, a); }
  Term dot(const std::vector<Term>& a, const std::vector<Term>& b) const {
    Term sum = number(0);
    for (std::size_t k = 0; k < a.size(); ++k) sum = add(sum, times(a[k], b[k]));
    return sum;
  }
};

using Tangents = std::vector<std::vector<Term>>;

// Of the unit normal n.
Tangents tangents_of(const Algebra& by, const std::vector<Term>& n) {
  if (n.size() == 2) return {{n[1], by.minus(n[0])}};
  const Term zero = by.number(0), one = by.number(1);
  const Term s = by.e.make(Op::if_less, n[2], zero, by.number(-1), one);
  const Term a = by.minus(by.over(one, by.add(s, n[2]))), b = by.times(by.times(n[0], n[1]), a);
  const Term first = by.add(one, by.times(s, by.times(by.times(n[0], n[0]), a)));
  return {{first, by.times(s, b), by.minus(by.times(s, n[0]))},
          {b, by.add(s, by.times(by.times(n[1], n[1]), a)), by.minus(n[1])}};
}

void refuse_incomplete(const Scenario& scenario, const std::string& key, const ContactSpec& contact) {
  const std::size_t n = contact.point.size();
  if (n != 2 && n != 3)
    scenario.reject(key + "point", fmt::format("an array of {}", n),
                    "must have two formulas, or three in space");
  if (!contact.wall)
    scenario.reject(
        key + "point", fmt::format("an array of {}", n),
        "needs the wall that it touches, a formula of X and Y, in space also Z, that is positive in front of "
        "it: wall = \"Y\"");
  if (contact.gap || !contact.slip.empty() || !contact.slide.empty())
    scenario.reject(key + (contact.gap            ? "gap"
                           : contact.slip.empty() ? "slide"
                                                  : "slip"),
                    "", "follows from point and wall; leave it out");
}

}  // namespace

PointContact read_point(const Scenario& scenario, FormulaNames& names, const std::string& key,
                        const ContactSpec& contact) {
  refuse_incomplete(scenario, key, contact);
  auto& e = names.expressions;
  const Algebra by{e};
  const int count = static_cast<int>(contact.point.size()), n = names.dim(), first = names.all_inputs();
  std::vector<Term> P, normal, P_rate;
  std::vector<std::pair<int, Term>> there;
  for (int k = 0; k < count; ++k) {
    const std::string own = fmt::format("{}point.{}", key, k),
                      text = contact.point[static_cast<std::size_t>(k)];
    P.push_back(names.parse(own, text));
    const auto varies = e.symbols_of(P.back(), n, n);
    const auto moving = std::find(varies.begin(), varies.end(), true);
    if (moving != varies.end())
      scenario.reject(own, detail::quoted(text),
                      fmt::format("a point must not depend on the velocity {}",
                                  names.velocities()[static_cast<std::size_t>(moving - varies.begin())]));
    there.emplace_back(first + k, P.back());
  }
  const Term wall = names.parse_at({"X", "Y", "Z"}, first, key + "wall", *contact.wall);
  const bool sees_q = e.depends_on_any(wall, 0, 2 * n), sees_Z = count == 2 && e.depends_on(wall, first + 2);
  if (sees_q || sees_Z)
    scenario.reject(
        key + "wall", detail::quoted(*contact.wall),
        sees_Z ? "has Z, but the point has two coordinates"
               : "must be a formula of X, Y, in space Z, and t alone: the coordinates stand in the point");
  Term square = e.number(0);
  for (int k = 0; k < count; ++k) {
    normal.push_back(e.derivative(wall, first + k));
    square = by.add(square, by.times(normal.back(), normal.back()));
  }
  if (e.constant(square) == 0.0)
    scenario.reject(key + "wall", detail::quoted(*contact.wall), "depends on none of X, Y and Z");
  const Term length = e.make(Op::sqrt, square);
  for (Term& each : normal) each = by.over(each, length);
  PointContact r{e.substitute(by.over(wall, length), there), {}, {}};
  for (const Term p : P) {
    Term rate = e.derivative(p, names.t());
    for (int i = 0; i < n; ++i)
      rate = by.add(rate, by.times(e.derivative(p, names.q(i)), e.symbol(names.v(i))));
    P_rate.push_back(rate);
  }
  const bool straight =
      std::all_of(normal.begin(), normal.end(), [&e](Term x) { return e.constant(x).has_value(); });
  for (auto tangent : tangents_of(by, normal)) {
    for (Term& each : tangent) each = e.substitute(each, there);
    r.slips.push_back(by.dot(tangent, P_rate));
    if (straight) r.slides.push_back(by.dot(tangent, P));
  }
  return r;
}

}  // namespace carom
