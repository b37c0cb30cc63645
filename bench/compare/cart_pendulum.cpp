#include "compare/cart_pendulum.hpp"

#include "compare/pick.hpp"
#include "compare/problems.hpp"

namespace carom::bench {

namespace {

double end_error(const Outcome& outcome) { return distance(outcome.end, cart_end); }

Setup five(double tolerance) { return {.step = 5, .end = 5, .tolerance = tolerance}; }

// The steps of both scans are as fine as each other in what they cost, a few per cent.
std::unique_ptr<Contestant> cheapest_carom(const Setup& setup, double longest, double shortest, double error,
                                           std::initializer_list<double> accuracies,
                                           const ErrorOf& error_of) {
  std::vector<Candidates> lists;
  for (const double accuracy : accuracies) {
    lists.emplace_back();
    for (double step = longest; step > shortest; step /= 1.03)
      lists.back().push_back(std::make_unique<CaromCart>(
          setup, CollocationOptions{.stages = 8, .longest_step = step, .accuracy_of_slopes = accuracy}));
  }
  return cheapest(std::move(lists), error, error_of);
}

std::unique_ptr<Contestant> cheapest_peer(const std::string& package, const std::string& method,
                                          double error) {
  std::vector<Candidates> lists(1);
  for (double tolerance = 1e-4; tolerance > 5e-15; tolerance /= std::pow(10, 1.0 / 8))
    lists[0].push_back(make_peer(package, "cart-pendulum, " + method, five(tolerance)));
  return cheapest(std::move(lists), error, end_error);
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
  const auto carom = cheapest_carom(
      five(0), 0.6, 0.1, error,
      {error, 0.3 * error, 0.1 * error, 0.03 * error, 0.01 * error, 0.003 * error, 0.001 * error}, end_error);
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
    if (!has_package(o.package)) {
      row.skipped = fmt::format("{} is not installed", o.package);
    } else {
      row.peer = side(results[next++]);
      if (!(*row.peer->error <= error))
        row.target = {"reached, where the other does not", std::nullopt, error};
    }
    rows.push_back(row);
  }
}

// The whole family of starts as one run, each end beside that of a much smaller step: the largest distance,
// and whether all have as many impacts.
class Family final : public Contestant {
 public:
  Family() : Contestant("carom", run_of(0, {.tolerance = 1e-9}).settings) {}

  void run() override {
    for (int i = 0; i < count; ++i) {
      CaromCart cart = run_of(i, {.tolerance = 1e-9});
      cart.run();
      ends[i] = cart.outcome();
    }
  }
  Outcome outcome() const override {
    Outcome r;
    double worst = 0;
    for (int i = 0; i < count; ++i) {
      CaromCart finer = run_of(i, {.stages = 8, .longest_step = 0.05});
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
  static CaromCart run_of(int i, const CollocationOptions& options) {
    return {{.step = 5, .end = 5, .beta = 3.2 + 0.02 * i}, options};
  }
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
  const auto carom = cheapest_carom({.step = 10, .end = end}, 0.1, 0.06, 1e-11, {1e-12, 1e-13, 1e-14},
                                    [](const Outcome& r) { return r.energy_error; });
  const auto peer = make_peer("odeint", "cart-pendulum, dopri5", {.end = end, .tolerance = 1e-9});
  std::vector<Contestant*> contestants{carom.get()};
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
