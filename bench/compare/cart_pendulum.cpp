#include "compare/cart_pendulum.hpp"

#include "compare/pick.hpp"
#include "compare/problems.hpp"

namespace carom::bench {

namespace {

double end_error(const Outcome& outcome) { return distance(outcome.end, cart_end); }

Setup five(double tolerance, double step = 0) { return {.step = step, .end = 5, .tolerance = tolerance}; }

std::unique_ptr<Contestant> cheapest_carom(double error) {
  Candidates candidates;
  for (const int stages : {3, 4, 6, 8})
    for (int steps = 25; steps <= 400; steps *= 2)
      candidates.push_back(std::make_unique<CaromCart>(stages, five(0, 5.0 / steps)));
  return cheapest(std::move(candidates), error, end_error);
}

std::unique_ptr<Contestant> cheapest_peer(const std::string& package, const std::string& method,
                                          double error) {
  Candidates candidates;
  for (double tolerance = 1e-4; tolerance > 5e-15; tolerance /= std::sqrt(10.0))
    candidates.push_back(make_peer(package, "cart-pendulum, " + method, five(tolerance)));
  return cheapest(std::move(candidates), error, end_error);
}

Side side(const Measured& m) {
  return {m.name, m.settings, m.seconds, end_error(m.outcome), m.outcome.remark};
}

struct Rival {
  const char *package, *method;
  double ratio;
  const char* target;
};

// carom and all opponents in one contest, each with its cheapest setting for this error.
void add_error(Rows& rows, double error, const std::vector<Rival>& opponents) {
  const std::string problem = fmt::format("cart-pendulum, beta = 4.2, T = 5, error {:.0e}", error);
  const auto carom = cheapest_carom(error);
  std::vector<std::unique_ptr<Contestant>> peers;
  std::vector<Contestant*> contestants{carom.get()};
  for (const Rival& o : opponents) {
    if (has_package(o.package)) peers.push_back(cheapest_peer(o.package, o.method, error));
    if (has_package(o.package)) contestants.push_back(peers.back().get());
  }
  const auto results = contest(contestants);
  std::size_t next = 1;
  for (const Rival& o : opponents) {
    Row row{problem, "run", "error", side(results[0]), std::nullopt, {o.target, o.ratio, error}};
    if (has_package(o.package))
      row.peer = side(results[next++]);
    else
      row.skipped = fmt::format("{} is not installed", o.package);
    rows.push_back(row);
  }
}

}  // namespace

void add_cart_pendulum(Rows& rows) {
  const char* half = "at most half of odeint's time";
  const char* tenth = "at most a tenth of its time";
  const char* third = "at most a third of odeint's best time";
  add_error(rows, 1e-6, {{"odeint", "dopri5", 1, "not slower than odeint's dopri5"}});
  add_error(rows, 1e-10,
            {{"odeint", "dopri5", 0.5, half},
             {"odeint", "fehlberg78", 0.5, half},
             {"odeint", "bulirsch-stoer", 0.5, half},
             {"ARKODE", "Fehlberg 13-7-8", 0.1, tenth},
             {"ARKODE", "Dormand-Prince 7-4-5", 0.1, tenth},
             {"CVODE", "Adams", 0.1, tenth},
             {"CVODE", "BDF", 0.1, tenth}});
  add_error(rows, 1e-12,
            {{"odeint", "dopri5", 1.0 / 3, third},
             {"odeint", "fehlberg78", 1.0 / 3, third},
             {"odeint", "bulirsch-stoer", 1.0 / 3, third}});
}

}  // namespace carom::bench
