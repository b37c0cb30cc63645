#include "sweep/member_runner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scenario_set.hpp"

namespace carom {
namespace {

double number_of(const detail::Value& value) {
  const auto* integer = std::get_if<std::int64_t>(&value.data);
  return integer ? static_cast<double>(*integer) : std::get<double>(value.data);
}

std::vector<double>* start_array(Scenario& scenario, const std::string& name) {
  InitialSpec& initial = scenario.initial;
  auto& array = name == "q" ? initial.q : name == "v" ? initial.v : name == "p" ? initial.p : initial.psi;
  return array ? &*array : nullptr;
}

}  // namespace

MemberRunner::MemberRunner(const Members& members, std::function<bool()> stop)
    : members_(members), series_(members) {
  hooks_.stop = std::move(stop);
  if (members.recorded()) hooks_.records = &series_;
}

MemberOutcome MemberRunner::run(std::size_t member, std::span<double> row) {
  std::fill(row.begin(), row.end(), std::numeric_limits<double>::quiet_NaN());
  MemberOutcome r;
  members_.locate(member, place_);
  try {
    if (needs_new_model()) prepare();
    for (const Change& change : members_.changes())
      if (change.light) assign(change);
    model_.check(scenario_);
    r = run_prepared(row);
  } catch (const ScenarioError& e) {
    r = {MemberStatus::refused, e.what()};
  } catch (const std::exception& e) {
    r = {MemberStatus::failed, e.what()};
  }
  if (r.status != MemberStatus::completed)
    std::fill(row.begin(), row.end(), std::numeric_limits<double>::quiet_NaN());
  return r;
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

void MemberRunner::assign(const Change& change) {
  const detail::Value value = members_.value(change, place_);
  if (change.path.size() == 3 && change.path[0] == "initial") {
    start_array(scenario_, change.path[1])->at(std::stoul(change.path[2])) = number_of(value);
    return;
  }
  scenario_.source.places[change.key] = "--set " + change.key + "=" + detail::text_of(value);
  detail::set({change.path, change.key, value}, scenario_);
}

MemberOutcome MemberRunner::run_prepared(std::span<double> row) {
  const auto& fields = members_.fields();
  series_.start(row.subspan(fields.size()));
  const RunResult result = model_.run(scenario_, method_, hooks_);
  if (result.status == "stopped") return {MemberStatus::stopped, result.reason};
  if (result.status != "completed") return {MemberStatus::failed, result.reason};
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
