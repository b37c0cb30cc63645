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

// The whole family of starts as one run, each end beside that of a much smaller step: the largest distance,
// and whether all have as many impacts.
class Family final : public Contestant {
 public:
  Family() : Contestant("carom", CaromCart(8, five(0, 0.05)).settings) {}

  void run() override {
    for (int i = 0; i < count; ++i) {
      CaromCart cart(8, member(i, 0.05));
      cart.run();
      ends[i] = cart.outcome();
    }
  }
  Outcome outcome() const override {
    Outcome r;
    double worst = 0;
    for (int i = 0; i < count; ++i) {
      CaromCart finer(8, member(i, 0.0125));
      finer.run();
      const Outcome reference = finer.outcome();
      worst = std::fmax(worst, distance(ends[i].end, reference.end));
      r.bounded = r.bounded && ends[i].impacts == reference.impacts;
      r.impacts += ends[i].impacts;
    }
    r.end = {worst};
    r.remark = fmt::format("{} impacts{}", r.impacts, r.bounded ? ", none missed" : ", some missed");
    return r;
  }

 private:
  static constexpr int count = 101;
  static Setup member(int i, double h) { return {.step = h, .end = 5, .beta = 3.2 + 0.02 * i}; }
  std::array<Outcome, count> ends;
};

void add_family(Rows& rows) {
  Family family;
  const auto result = contest({&family}, {.rounds = 3})[0];
  rows.push_back(
      {"cart-pendulum, 101 starts from beta = 3.2 to 5.2, T = 5",
       "101 runs",
       "largest error",
       Side{result.name, result.settings, result.seconds, result.outcome.end[0], result.outcome.remark},
       std::nullopt,
       {"error below 1e-7, no impact missed", std::nullopt, 1e-7, result.outcome.bounded}});
}

void add_long_run(Rows& rows) {
  const double end = 1e4;
  CaromCart carom(8, {.step = 0.1, .end = end});
  const auto peer = make_peer("odeint", "cart-pendulum, dopri5", {.end = end, .tolerance = 1e-9});
  std::vector<Contestant*> contestants{&carom};
  if (peer) contestants.push_back(peer.get());
  const auto results = contest(contestants, {.rounds = 3});
  const auto by_energy = [](const Measured& m) {
    return Side{m.name, m.settings, m.seconds, m.outcome.energy_error,
                fmt::format("{} impacts", m.outcome.impacts)};
  };
  Row row{"cart-pendulum, beta = 4.2, T = 10000",
          "run",
          "energy error",
          by_energy(results[0]),
          std::nullopt,
          {"energy error below 1e-11 in no more time", 1.0, 1e-11, results[0].outcome.bounded}};
  if (peer)
    row.peer = by_energy(results[1]);
  else
    row.skipped = "odeint is not installed";
  rows.push_back(row);
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
  add_family(rows);
  add_long_run(rows);
}

}  // namespace carom::bench
