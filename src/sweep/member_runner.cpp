#include "sweep/member_runner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "formula/native.hpp"
#include "records/names.hpp"
#include "scenario/scenario_set.hpp"

namespace carom {
namespace {

constexpr std::size_t most_side_by_side = 4;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

bool is_start(const Change& change) { return change.path.size() == 3 && change.path[0] == "initial"; }

std::vector<double>* start_array(Scenario& scenario, const std::string& name) {
  InitialSpec& initial = scenario.initial;
  auto& array = name == "q" ? initial.q : name == "v" ? initial.v : name == "p" ? initial.p : initial.psi;
  return array ? &*array : nullptr;
}

// Parameters are numbers in the formulas: each value of one would be compiled anew.
bool same_formulas(const Members& members) {
  return std::ranges::none_of(members.changes(), [](const Change& c) { return c.path[0] == "system"; });
}

}  // namespace

MemberRunner::MemberRunner(const Members& members, std::function<bool()> stop)
    : members_(members), series_(members) {
  hooks_.stop = std::move(stop);
  if (members.recorded()) hooks_.records = &series_;
}

std::vector<MemberOutcome> MemberRunner::run(Span members, std::span<double> rows) {
  std::ranges::fill(rows, not_a_number);
  Part part{members, rows, {}};
  part.outcomes.assign(members.count, {MemberStatus::stopped, ""});
  while (part.next < members.count) {
    const std::size_t first = part.next;
    if (!run_together(part)) part.outcomes[part.next++] = run_alone(members.first + first, part.row(first));
    if (part.outcomes[first].status == MemberStatus::stopped) break;
  }
  for (std::size_t i = 0; i < members.count; ++i)  // a series may have begun
    if (part.outcomes[i].status != MemberStatus::completed) std::ranges::fill(part.row(i), not_a_number);
  return std::move(part.outcomes);
}

MemberOutcome MemberRunner::run_alone(std::size_t member, std::span<double> row) {
  members_.locate(member, place_);
  try {
    load();
    model_.check(scenario_);
    series_.start(row.subspan(members_.fields().size()));
    const NativeScope native(same_formulas(members_) ? NativeUse::automatic : NativeUse::never,
                             static_cast<double>(members_.size()));
    return outcome_of(model_.run(scenario_, method_, hooks_), row);
  } catch (const ScenarioError& e) {
    return {MemberStatus::refused, e.what()};
  } catch (const std::exception& e) {
    return {MemberStatus::failed, e.what()};
  }
}

bool MemberRunner::run_together(Part& part) {
  side_by_side_ = 1;
  if (hooks_.records) return false;
  std::vector<std::size_t> given;  // which of the part
  try {
    members_.locate(part.member(), place_);
    load();
    if (!model_.run_together) return false;
    const std::vector<std::size_t> place = place_;
    const auto next = [&] { return next_beside(place, part, given); };
    const auto done = [&](std::size_t i, const RunResult& result) {
      part.outcomes[given[i]] = outcome_of(result, part.row(given[i]));
      given[i] = part.members.count;
    };
    if (!model_.run_together(scenario_, method_, hooks_, {next, done})) return false;
    side_by_side_ = most_side_by_side;
    return true;
  } catch (const std::exception&) {  // whose it is shows when they are run alone
    if (given.empty()) return false;
  }
  for (const std::size_t i : given)
    if (i < part.members.count) part.outcomes[i] = run_alone(part.members.first + i, part.row(i));
  return true;
}

const Scenario* MemberRunner::next_beside(const std::vector<std::size_t>& place, Part& part,
                                          std::vector<std::size_t>& given) {
  while (part.next < part.members.count) {
    members_.locate(part.member(), place_);
    if (!differs_in_start_only(place)) return nullptr;
    const std::size_t i = part.next++;
    try {
      load();
      model_.check(scenario_);
      given.push_back(i);
      return &scenario_;
    } catch (const ScenarioError& e) {
      part.outcomes[i] = {MemberStatus::refused, e.what()};
    } catch (const std::exception& e) {
      part.outcomes[i] = {MemberStatus::failed, e.what()};
    }
  }
  return nullptr;
}

bool MemberRunner::differs_in_start_only(const std::vector<std::size_t>& place) const {
  return std::all_of(members_.changes().begin(), members_.changes().end(),
                     [&](const Change& c) { return is_start(c) || place[c.axis] == place_[c.axis]; });
}

bool MemberRunner::needs_new_model() const {
  return prepared_.empty() ||
         std::any_of(members_.changes().begin(), members_.changes().end(),
                     [this](const Change& c) { return !c.light && prepared_[c.axis] != place_[c.axis]; });
}

void MemberRunner::prepare() {
  prepared_.clear();
  scenario_ = members_.scenario();
  for (const Change& change : members_.changes()) assign(change);
  detail::check_together(scenario_);
  drop_keys_of_other_steppers(scenario_);
  model_ = find_model(scenario_);
  choose_stepper(scenario_, model_);
  method_ = make_method(scenario_);
  prepared_ = place_;
}

// The scenario of the member at place_, with a model for it.
void MemberRunner::load() {
  if (needs_new_model()) prepare();
  for (const Change& change : members_.changes())
    if (change.light) assign(change);
}

void MemberRunner::assign(const Change& change) {
  const detail::Value value = members_.value(change, place_);
  if (is_start(change)) {
    start_array(scenario_, change.path[1])->at(std::stoul(change.path[2])) = detail::number_of(value);
    return;
  }
  scenario_.source.places[change.key] = "--set " + change.key + "=" + detail::text_of(value);
  detail::set({change.path, change.key, value}, scenario_);
}

MemberOutcome MemberRunner::outcome_of(const RunResult& result, std::span<double> row) const {
  if (result.status == "stopped") return {MemberStatus::stopped, result.reason};
  if (result.status != "completed") return {MemberStatus::failed, result.reason};
  const auto& fields = members_.fields();
  for (std::size_t i = 0; i < fields.size(); ++i) row[i] = fields[i].value(result);
  return {};
}

void MemberRunner::Series::begin(const Layout& rows, const Layout&, const Layout&) {
  columns_.clear();
  for (const std::string& name : members_.sweep().series) columns_.push_back(column_of(rows, name));
}

// The last state of a run is recorded too, at whatever time it ended: it has no place among the times.
void MemberRunner::Series::row(std::span<const double> numbers) {
  const auto& times = members_.times();
  if (next_ >= times.size() || numbers[0] != times[next_]) return;
  for (std::size_t k = 0; k < columns_.size(); ++k)
    if (columns_[k]) out_[k * times.size() + next_] = numbers[*columns_[k]];
  ++next_;
}

}  // namespace carom
