// The kinds of blocks of transcription.hpp, as formulas.
#include <fmt/format.h>

#include "optimise/block_symbols.hpp"
#include "optimise/transcription.hpp"
#include "scenario/scenario_text.hpp"

namespace carom {
namespace {

Nodes part(const Nodes& all, int begin, int count) {
  return {all.begin() + begin, all.begin() + begin + count};
}

}  // namespace

void Transcription::make_kinds() {
  auto& e = f.names.expressions;
  momentum_program = formula::compile(e, f.Lv, f.names.all_inputs());
  force_program = formula::compile(e, f.Fq, f.names.all_inputs());
  for (const std::string& name : problem.controls) {
    const auto found = problem.guess.formulas.find(name);
    const Term node = found == problem.guess.formulas.end()
                          ? e.number(0)
                          : f.parse("guess." + detail::key_part(name), found->second);
    control_guesses.push_back(formula::compile(e, Nodes{node}, f.names.all_inputs()));
  }
  kinds.step = make_step(), kinds.gap = make_gaps(), kinds.momentum = make_momentum(), kinds.end = make_end();
  BlockSymbols time(e, f.names.all_inputs()), total(e, f.names.all_inputs());
  const Nodes x = time.unknowns(3), y = total.unknowns(2);
  time.row(time.sub(time.add(x[0], x[1]), x[2])), total.row(total.add(y[0], y[1]));
  kinds.time = time.kind(time.zero()), kinds.total = total.kind(total.zero());
}

std::shared_ptr<const BlockKind> Transcription::make_step() {
  BlockSymbols s(f.names.expressions, f.names.all_inputs());
  const int n = f.n, S = rule.nodes(), m = f.controls;
  const Nodes q0 = s.unknowns(n), q1 = s.unknowns(n), p0 = s.unknowns(n), p1 = s.unknowns(n);
  const Nodes v = s.unknowns(rule.velocities * n), Q = s.unknowns(S * n), F = s.unknowns(S * n),
              u = s.unknowns(S * m);
  const Nodes theta_ = s.unknowns(f.parameters);
  const Term T = s.unknown(), D = s.unknown(), i = s.constant(), share = s.constant();
  const Term h = s.mul(D, share);
  Term cost = s.zero();
  Nodes path, Lv;
  for (int j = 0; j < S; ++j) {
    const auto at_j = static_cast<std::size_t>(j);
    const Nodes vj = part(v, rule.velocity_of[at_j] * n, n), Qj = part(Q, j * n, n), uj = part(u, j * m, m);
    const Term t = s.add(T, s.mul(h, s.add(i, s.e.number(rule.c[at_j]))));
    const auto at = [&](Term node) { return f.at(node, Qj, vj, t, uj, theta_); };
    for (int k = 0; k < n; ++k) {
      Term moved = s.zero();
      for (int l = 0; l < rule.velocities; ++l)
        moved = s.add(
            moved, s.mul(rule.A[at_j][static_cast<std::size_t>(l)], v[static_cast<std::size_t>(l * n + k)]));
      const auto at_k = static_cast<std::size_t>(k);
      s.row(s.sub(Qj[at_k], s.add(q0[at_k], s.mul(h, moved))));
      s.row(s.sub(F[static_cast<std::size_t>(j * n + k)], at(f.Fq[at_k])));
      Lv.push_back(at(f.Lv[at_k]));
    }
    cost = s.add(cost, s.mul(rule.b[at_j], at(f.running)));
    for (const Term node : f.path) path.push_back(at(node));
  }
  for (int k = 0; k < n; ++k) {
    const auto at_k = static_cast<std::size_t>(k);
    Term force = s.zero(), moved = s.zero();
    for (int l = 0; l < rule.velocities; ++l) {
      Term sum = s.zero(), push = s.zero();
      double weight = 0;
      for (int j = 0; j < S; ++j) {
        const auto at_j = static_cast<std::size_t>(j), jk = static_cast<std::size_t>(j * n + k);
        const double b = rule.b[at_j];
        if (rule.velocity_of[at_j] == l) sum = s.add(sum, s.mul(b, Lv[jk])), weight += b;
        push = s.add(push, s.mul(b * rule.A[at_j][static_cast<std::size_t>(l)], F[jk]));
      }
      s.row(s.sub(s.add(sum, s.mul(h, push)), s.mul(weight, p1[at_k])));
    }
    for (int j = 0; j < S; ++j) {
      const auto at_j = static_cast<std::size_t>(j);
      force = s.add(force, s.mul(rule.b[at_j], F[static_cast<std::size_t>(j * n + k)]));
      moved = s.add(moved, s.mul(rule.b[at_j], v[static_cast<std::size_t>(rule.velocity_of[at_j] * n + k)]));
    }
    s.row(s.sub(p1[at_k], s.add(p0[at_k], s.mul(h, force))));
    s.row(s.sub(q1[at_k], s.add(q0[at_k], s.mul(h, moved))));
  }
  for (const Term node : path) s.row(node);
  return s.kind(s.mul(h, cost));
}

std::shared_ptr<const BlockKind> Transcription::make_gaps() {
  BlockSymbols s(f.names.expressions, f.names.all_inputs());
  const Nodes q = s.unknowns(f.n), theta_ = s.unknowns(f.parameters);
  const Term T = s.unknown(), D = s.unknown(), share = s.constant();
  for (const Term g : f.gaps) s.row(f.at(g, q, {}, s.add(T, s.mul(D, share)), {}, theta_));
  return s.kind(s.zero());
}

std::shared_ptr<const BlockKind> Transcription::make_momentum() {
  BlockSymbols s(f.names.expressions, f.names.all_inputs());
  const Nodes q = s.unknowns(f.n), p = s.unknowns(f.n), v = s.unknowns(f.n),
              theta_ = s.unknowns(f.parameters);
  const Term T = s.unknown(), D = s.unknown(), share = s.constant();
  for (std::size_t i = 0; i < q.size(); ++i)
    s.row(s.sub(p[i], f.at(f.Lv[i], q, v, s.add(T, s.mul(D, share)), {}, theta_)));
  return s.kind(s.zero());
}

std::shared_ptr<const BlockKind> Transcription::make_impact(int contact) {
  BlockSymbols s(f.names.expressions, f.names.all_inputs());
  const Nodes q = s.unknowns(f.n), p0 = s.unknowns(f.n), v0 = s.unknowns(f.n), p1 = s.unknowns(f.n),
              v1 = s.unknowns(f.n);
  const Term impulse = s.unknown();
  const Nodes theta_ = s.unknowns(f.parameters);
  const Term t = s.unknown();
  const auto which = static_cast<std::size_t>(contact);
  const auto at = [&](Term node) { return f.at(node, q, {}, t, {}, theta_); };
  Nodes normal;
  for (const Term node : f.normals[which]) normal.push_back(at(node));
  const Term drift = at(f.gap_drifts[which]);
  const Term before = s.add(s.dot(normal, v0), drift), after = s.add(s.dot(normal, v1), drift);
  s.row(at(f.gaps[which]));
  for (std::size_t i = 0; i < q.size(); ++i) s.row(s.sub(s.sub(p1[i], p0[i]), s.mul(impulse, normal[i])));
  s.row(s.add(after, s.mul(at(f.restitutions[which]), before)));
  s.row(s.sub(s.zero(), before));
  for (std::size_t k = 0; k < f.gaps.size(); ++k)
    if (k != which) s.row(at(f.gaps[k]));
  return s.kind(s.zero());
}

std::shared_ptr<const BlockKind> Transcription::make_end() {
  BlockSymbols s(f.names.expressions, f.names.all_inputs());
  const Nodes q = s.unknowns(f.n), v = s.unknowns(f.n), theta_ = s.unknowns(f.parameters);
  const Term T = s.unknown(), D = s.unknown(), t = s.add(T, D);
  const auto at = [&](Term node) {
    for (int k = 0; k < f.controls; ++k)
      if (s.e.depends_on(node, f.names.varied(k)))
        problem.reject("end", "",
                       "conditions and cost at the end must not depend on the control " +
                           problem.controls[static_cast<std::size_t>(k)]);
    return f.at(node, q, v, t, {}, theta_);
  };
  for (const auto& [name, condition] : problem.end) {
    const std::string key = "end." + detail::key_part(name);
    const auto* text = std::get_if<std::string>(&condition);
    const ControlRange range = text ? ControlRange{0, 0} : std::get<ControlRange>(condition);
    s.row(at(f.parse(key, text ? *text : name)));
    kinds.end_names.push_back("end." + name), kinds.end_low.push_back(range.low),
        kinds.end_high.push_back(range.high);
  }
  return s.kind(at(f.at_end));
}

}  // namespace carom
