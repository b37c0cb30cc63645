#include "carom/contact/friction/friction.hpp"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

// Whether the mu of contact k is negative at the speed of its slip, or has no value.
bool drives(const ContactSpace& space, std::size_t k) { return !(space.equations.mu_sliding[k] >= 0); }

std::optional<Failure> driving(const System& system, const ContactSpace& space) {
  for (std::size_t k = 0; k < space.which.size(); ++k) {
    if (space.equations.slip[k] == 0 || !drives(space, k)) continue;
    const int place = static_cast<int>(k), i = space.which[k];
    const double speed =
        space.speed(place) / space.unit[static_cast<std::size_t>(space.equations.normal(place)) + 1];
    return Failure{"friction would drive: mu must be at least 0 at every slip_speed, and is not at " +
                       detail::to_text(speed),
                   system.sliding_mu(i, speed), system.contact_name(i), "mu"};
  }
  return std::nullopt;
}

double largest_force(const ModeSolver& solver) {
  double size = 0;
  for (const double force : solver.f) size = std::fmax(size, std::abs(force));
  return size;
}

// Whether contact k slides, beside others that are pressed, without a force of its own: that it stays closed
// follows from them. Held, it could be given any force by the step, and one that pulls would drive.
bool follows_unpressed(const ContactEquations& e, const ModeSolver& solver, std::size_t k, double size) {
  return size > 0 && e.mu[k] > 0 && e.slip[k] != 0 && slip_sign(solver.modes[k]) != 0 &&
         solver.f[static_cast<std::size_t>(e.normal(static_cast<int>(k)))] <= 1e-12 * size;
}

}  // namespace

Friction::Friction(const System& m, double step)
    : space(m), system(m), h(step), each(m.slips_each()), along(m) {
  const auto count = static_cast<std::size_t>(m.contact_count());
  kept.z = {Values::Zero(m.size()), Values::Zero(m.size())};
  modes.mode.assign(count, Mode::open), modes.place.assign(static_cast<std::size_t>(each) * count, 0.0);
  if (each == 1) return;
  modes.direction.assign(2 * count, 0.0), modes.standing.assign(count, 0.0);
  ending = std::make_unique<SlipEnd>(m, step);
}

bool Friction::stay(double t, const Phase& z, const std::vector<int>& lasting, const std::vector<int>& late) {
  broken = -1;
  if (lasting.empty()) return true;
  // What stands still needs no second look.
  const bool same = kept.lasting == lasting && kept.mode == modes.mode && kept.z.q == z.q && kept.z.p == z.p;
  if (same && !system.timed() && !system.forced()) return true;
  if (!space.look(t, z.q, z.p, lasting)) return false;
  const auto is_late = [&late](int i) { return std::binary_search(late.begin(), late.end(), i); };
  present.clear(), among.clear();
  for (std::size_t k = 0; k < lasting.size(); ++k) {
    const Mode mode = modes.mode[lasting[k]];
    const int sign = slip_sign(mode);
    present.push_back(mode), among.push_back(static_cast<int>(k));
    space.set_slip(static_cast<int>(k), static_cast<signed char>(sign));
    if (sign != 0 && drives(space, k)) return broken = lasting[k], false;
    if (each == 2) {
      if (sign != 0 && !keeps_direction(static_cast<int>(k))) return broken = lasting[k], false;
      continue;
    }
    const int row = 2 * static_cast<int>(k) + 1;
    const double unclear = 1e-13 * (space.rate_size[row] + space.kick(row, h));
    if (space.equations.mu[k] > 0 && sign * space.rate[row] < -unclear) return broken = lasting[k], false;
  }
  if (solver.excess(space.equations, among, present) <= crisp) {
    kept.lasting = lasting, kept.mode = modes.mode, kept.z = z;
    return true;
  }
  if (solver.worst >= 0) broken = lasting[static_cast<std::size_t>(solver.worst)];
  return broken >= 0 ? is_late(broken) : std::all_of(lasting.begin(), lasting.end(), is_late);
}

// The mu of an impact is that of sliding at the slip before it.
void Friction::set_slips() {
  for (int i = 0; i < space.equations.count; ++i) space.set_slip(i, space.slip_sign(i, h));
}

void Friction::look_at_slips() {
  const auto n = static_cast<std::size_t>(space.equations.count);
  slip.resize(n);
  for (std::size_t k = 0; k < n; ++k) slip[k] = space.slip_sign(static_cast<int>(k), h);
}

std::optional<Failure> Friction::choose(double t, Phase& z, const std::vector<int>& candidates,
                                        const Phase* further, double t_further, std::vector<int>& lasting) {
  auto why = choose(t, z, candidates, further, t_further, lasting, 0);
  if (why && jammed) why = choose(t, z, candidates, further, t_further, lasting, ahead);
  return why;
}

std::optional<Failure> Friction::choose(double t, Phase& z, const std::vector<int>& candidates,
                                        const Phase* further, double t_further, std::vector<int>& lasting,
                                        double none) {
  lasting.clear(), jammed = false;
  next.assign(modes.mode.size(), Mode::open);
  if (!settle(t, z, candidates, none)) return about(describe(Status::singular), 0, "gap");
  if (further && !space.look(t_further, further->q, further->p, candidates))
    return about(describe(Status::singular), 0, "gap");
  auto& of = space.equations;
  present.clear(), among.clear();
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    space.set_slip(static_cast<int>(k), slip[k]);
    present.push_back(modes.mode[candidates[k]]), among.push_back(static_cast<int>(k));
    // What has stopped, or slides the other way now, is not as it was; what an impact has stopped sticks.
    if (present[k] == Mode::open || slip_sign(present[k]) != slip[k])
      present[k] = of.mu[k] == 0 ? Mode::forward : slip[k] != 0 ? sliding(slip[k]) : Mode::stick;
  }
  if (auto why = driving(system, space)) return why;
  if (!candidates.empty()) {
    const auto found = solver.solve(of, among, true, &present);
    jammed = found == ModeSolver::Found::none;
    if (jammed && static_cast<int>(candidates.size()) > ModeSolver::most_enumerated)
      return about(
          "no combination of sticking, sliding and opening that obeys Coulomb's law was found for so many "
          "contacts",
          0, "slip");
    if (jammed)
      return about("the contacts jam: no combination of sticking, sliding and opening obeys Coulomb's law", 0,
                   "slip");
    if (found == ModeSolver::Found::several)
      return about(
          "the motion has more than one continuation: several combinations of sticking, sliding and opening "
          "obey "
          "Coulomb's law",
          0, "slip");
  }
  const double force_size = largest_force(solver);
  for (std::size_t k = 0; k < candidates.size(); ++k)
    if (solver.modes[k] != Mode::open && !follows_unpressed(space.equations, solver, k, force_size))
      lasting.push_back(candidates[k]), next[candidates[k]] = solver.modes[k];
  if (lasting.empty()) return modes.mode = next, std::nullopt;
  if (!begin_sticks(t, z, lasting)) return about(describe(Status::singular), 0, "gap");
  if (each == 2) begin_directions(t, z, candidates);
  modes.mode = next, z.p = settled;
  // A rate too slow to be followed is taken away without friction: along with it, it would be a pull that
  // gains energy.
  smooth = modes;
  for (Mode& mode : smooth.mode)
    if (mode != Mode::stick) mode = Mode::open;
  if (!along.project(t, z.q, z.p, lasting, smooth) || !along.project(t, z.q, z.p, lasting, modes))
    return about(describe(Status::singular), 0, "gap");
  return std::nullopt;
}

// At the velocity that all candidates settled would leave. What is left of bounces too slow to be followed is
// a slip of that size elsewhere: slips that are not larger have ended with them, and what these hold may end
// others.
bool Friction::settle(double t, const Phase& z, const std::vector<int>& candidates, double none) {
  smooth.mode.assign(modes.mode.size(), Mode::open);
  settled = z.p;
  if (!space.look(t, z.q, settled, candidates)) return false;
  slow = space.rate;
  slip.assign(candidates.size(), 1);
  for (bool more = !candidates.empty(); more;) {
    if (!along.project(t, z.q, settled, candidates, smooth) || !space.look(t, z.q, settled, candidates))
      return false;
    more = false;
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      if (smooth.mode[candidates[k]] == Mode::stick) continue;
      const int i = static_cast<int>(k);
      slip[k] = space.speed(i) <= blurred(i) + none * kick(i) ? 0 : space.slip_sign(i, h);
      if (slip[k] != 0 || space.equations.mu[k] == 0) continue;
      smooth.mode[candidates[k]] = Mode::stick, more = true;
    }
  }
  return true;
}

// How much of the slip of contact i slow bounces make, those that have settled.
double Friction::blurred(int i) const {
  double all = 0;
  for (int row = space.equations.normal(i) + 1; row < space.equations.normal(i + 1); ++row) {
    double size = std::abs(space.rate[row] - slow[row]);
    for (int k = 0; k < space.equations.count; ++k)
      size += std::abs(space.equations.w(row, space.equations.normal(k)) * slow[space.equations.normal(k)]);
    all = each == 1 ? size : std::hypot(all, size);
  }
  return all;
}

double Friction::kick(int i) const {
  if (each == 1) return space.kick(2 * i + 1, h);
  return std::hypot(space.kick(3 * i + 1, h), space.kick(3 * i + 2, h));
}

void Friction::hold(double t, Phase& z, int contact, const std::vector<int>& lasting) {
  among.assign(1, contact);
  if (space.look(t, z.q, z.p, among)) look_at_slips();
  const bool sticks = slip[0] == 0 && space.equations.mu[0] > 0;
  next = modes.mode, next[contact] = sticks ? Mode::stick : sliding(slip[0]);
  if (!begin_sticks(t, z, lasting)) return;
  if (each == 2) modes.standing[contact] = 0;
  modes.mode = next;
  (void)along.project(t, z.q, z.p, lasting, modes);
}

// Places where the next step will be once it has closed all gaps to rounding: of contacts that depend on each
// other, as those of a disc in a corner, others would contradict each other.
bool Friction::begin_sticks(double t, const Phase& z, const std::vector<int>& lasting) {
  const auto begins = [this](int i) { return next[i] == Mode::stick && modes.mode[i] != Mode::stick; };
  if (std::none_of(lasting.begin(), lasting.end(), begins)) return true;
  for (const int i : lasting)
    if (modes.mode[i] == Mode::stick && next[i] != Mode::stick) modes.mode[i] = Mode::open;
  if (!along.close(t, z.q, lasting, modes, closed)) return false;
  system.slides(t, closed, slides);
  for (const int i : lasting)
    for (int k = each * i; begins(i) && k < each * (i + 1); ++k) modes.place[k] = slides[k];
  return true;
}

bool Friction::is_standing(int k) const {
  const int i = space.which[static_cast<std::size_t>(k)], row = 3 * k + 1;
  return space.speed(k) <= space.unit[row] * modes.standing[i];
}

// Whether a slip in space is on this side of the place where it is zero; where it stands still it has the
// direction that it is to take.
bool Friction::keeps_direction(int k) {
  const int i = space.which[static_cast<std::size_t>(k)];
  const double* const known = &modes.direction[2 * i];
  double* const now = &space.equations.direction[2 * k];
  if (space.equations.mu[k] == 0) return true;
  if (is_standing(k)) return now[0] = known[0], now[1] = known[1], true;
  return now[0] * known[0] + now[1] * known[1] >= 0;
}

// Where a slip begins, it is against the force that held it as long as that is all of what mu allows, as it
// is where nothing jumps; or else along the acceleration.
void Friction::begin_directions(double t, const Phase& z, const std::vector<int>& candidates) {
  chosen = solver.modes, aims = solver.direction;
  bool begins = false;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const int i = candidates[k];
    modes.standing[i] = 0;
    if (slip[k] != 0)
      for (const int j : {0, 1}) modes.direction[2 * i + j] = space.equations.direction[2 * k + j];
    begins = begins || (chosen[k] == Mode::forward && slip[k] == 0);
  }
  if (!begins || !space.look(t, z.q, settled, candidates)) return;
  auto& of = space.equations;
  for (std::size_t k = 0; k < candidates.size(); ++k) space.set_slip(static_cast<int>(k), slip[k]);
  held_modes = chosen;
  for (std::size_t k = 0; k < candidates.size(); ++k)
    if (chosen[k] == Mode::forward && slip[k] == 0) held_modes[k] = Mode::stick;
  (void)solver.excess(of, among, held_modes);
  held_forces = solver.f;
  const bool all_slide = solver.excess(of, among, chosen) <= ModeSolver::tolerance;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const int i = candidates[k], row = 3 * static_cast<int>(k);
    if (chosen[k] != Mode::forward || slip[k] != 0) continue;
    const double across = std::hypot(held_forces[row + 1], held_forces[row + 2]),
                 most = of.mu_sliding[k] * held_forces[row];
    const bool tied = most > 0 && std::abs(across - most) <= 1e-6 * most;
    for (const int j : {0, 1})
      modes.direction[2 * i + j] = tied        ? -held_forces[row + 1 + j] / across
                                   : all_slide ? solver.direction[2 * k + j]
                                               : aims[2 * k + j];
    modes.standing[i] = 1e-9 * space.speed_size(static_cast<int>(k), h) / space.unit[row + 1];
  }
  solver.modes = chosen;
}

std::optional<Failure> Friction::hit(double t, Phase& z, const std::vector<int>& touched,
                                     const ChangingValues& restitution) {
  if (!space.look(t, z.q, z.p, touched)) return about(describe(Status::singular), 0, "gap");
  set_slips();
  if (auto why = driving(system, space)) return why;
  std::swap(space.equations.b, space.rate);
  e.assign(restitution.begin(), restitution.end());
  impact(space.equations, e);
  std::swap(space.equations.b, space.rate);
  if (impact.squeezed)
    return about("the contacts that close together squeeze the system: no impulse opens all of them",
                 *std::min_element(impact.w.begin(), impact.w.end()), "gap rate");
  space.push(impact.P, z.q, z.p);
  return std::nullopt;
}

// The first rates are the contact forces without friction: 0 <= y ⟂ W_nn y + b_n >= 0.
bool Friction::jolt(double t, Phase& z, const std::vector<int>& candidates,
                    const ChangingValues& restitution) {
  if (candidates.empty() || !space.look(t, z.q, z.p, candidates)) return false;
  auto& of = space.equations;
  first.assign(candidates.size(), 0);
  nonnegative.shape(first);
  bias.resize(of.count);
  for (int i = 0; i < of.count; ++i) {
    bias[i] = of.b[of.normal(i)];
    for (int k = 0; k <= i; ++k) nonnegative.add(i, k, of.w(of.normal(i), of.normal(k)));
  }
  force.resize(of.count);
  if (!nonnegative.solve(bias, force, 0, NonnegativeSolver::Guess::all)) return false;
  pressed.assign(force.begin(), force.end());
  e.assign(restitution.begin(), restitution.end());
  set_slips();
  std::swap(of.b, space.rate);
  for (int i = 0; i < of.count; ++i)
    of.b[of.normal(i)] = std::fmax(0, of.b[of.normal(i)]);  // they touch: what approaches is rounding
  impact(of, e, &pressed);
  std::swap(of.b, space.rate);
  if (impact.way == FrictionalImpact::Way::none || impact.squeezed) return false;
  space.push(impact.P, z.q, z.p);
  return true;
}

double Friction::push_of(int contact) const {
  const auto at = std::lower_bound(space.which.begin(), space.which.end(), contact);
  if (at == space.which.end() || *at != contact) return 0;
  const auto row =
      static_cast<std::size_t>(space.equations.normal(static_cast<int>(at - space.which.begin())));
  return space.unit[row] > 0 ? solver.f[row] / space.unit[row] : 0;
}

double Friction::time_left(double t, const Phase& z, const std::vector<int>& lasting) {
  return ending && !lasting.empty() ? ending->time_left(t, z, lasting, modes) : HUGE_VAL;
}

bool Friction::follow_end(double t, const Phase& z, double rest, const std::vector<int>& lasting) {
  if (!ending->advance(t, z, rest)) return false;
  const double end = t + ending->tau;
  if (!along.close(end, ending->to.q, lasting, modes, closed)) return false;
  ending->to.q = closed;
  if (!along.project(end, closed, ending->to.p, lasting, modes)) return false;
  return stay(end, ending->to, lasting, {});
}

void Friction::numbers(KeptNumbers& f, const std::vector<int>& lasting) {
  for (int i = 0; i < system.contact_count(); ++i)
    if (!std::binary_search(lasting.begin(), lasting.end(), i)) modes.mode[i] = Mode::open;
  for (const int i : lasting) {
    auto mode = static_cast<std::int64_t>(modes.mode[i]);
    f(mode);
    for (int k = each * i; k < each * (i + 1); ++k) f(modes.place[k]);
    if (each == 2) f(modes.direction[2 * i]), f(modes.direction[2 * i + 1]), f(modes.standing[i]);
    modes.mode[i] = static_cast<Mode>(mode);
  }
}

Failure Friction::about(const char* reason, double value, const char* measure) const {
  return {reason, value, contact_names(system, space.which), measure};
}

}  // namespace carom
