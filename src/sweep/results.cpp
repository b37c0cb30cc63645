#include "sweep/results.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "records/npz.hpp"
#include "records/summary.hpp"
#include "scenario/scenario_text.hpp"
#include "sweep/quantiles.hpp"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;
using Shape = std::vector<std::size_t>;

bool is_number(const detail::Value& value) {
  return std::holds_alternative<double>(value.data) || std::holds_alternative<std::int64_t>(value.data);
}

bool has_words(const Change& change) {
  return !std::all_of(change.values.begin(), change.values.end(), is_number);
}

// Arrays in the order of the archive: planned first, then filled one after the other.
class Archive {
 public:
  void plan(const std::string& name, Shape shape, const std::string& type = "<f8") {
    plans_.push_back({name, std::move(shape), type});
  }
  void open(const std::filesystem::path& path) { writer_.emplace(path, plans_); }
  template <class T>
  void fill(const std::vector<T>& numbers) {
    writer_->append(next_++, std::as_bytes(std::span(numbers)));
  }
  void fill_part(std::span<const double> numbers) { writer_->append(next_, std::as_bytes(numbers)); }
  void end_parts() { ++next_; }
  void commit() { writer_->commit(); }

 private:
  std::vector<NpyPlan> plans_;
  std::optional<NpzWriter> writer_;
  std::size_t next_ = 0;
};

void fill_values(Archive& archive, const Members& members, const Change& change) {
  if (change.values.empty()) return archive.fill(members.draws()[change.drawn]);
  if (has_words(change)) {
    std::vector<std::int64_t> numbers(change.values.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int64_t>(i);
    return archive.fill(numbers);
  }
  std::vector<double> numbers;
  for (const auto& value : change.values) numbers.push_back(detail::number_of(value));
  archive.fill(numbers);
}

std::vector<double> column(const Store& store, std::size_t k) {
  std::vector<double> r(store.members());
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = store.row(i)[k];
  return r;
}

// Quantiles of a series at each time, over the draws at each point of the grid, or over all members.
void fill_series(Archive& archive, const Members& members, const Store& store, std::size_t series) {
  const std::size_t draws = members.draws().empty() ? members.size() : members.sweep().sample.count;
  const std::size_t times = members.times().size(), offset = members.fields().size() + series * times;
  std::vector<double> numbers;
  for (std::size_t first = 0; first < members.size(); first += draws)
    for (std::size_t t = 0; t < times; ++t) {
      numbers.clear();
      for (std::size_t i = 0; i < draws; ++i) numbers.push_back(store.row(first + i)[offset + t]);
      archive.fill_part(quantiles_of(numbers));
    }
  archive.end_parts();
}

std::vector<std::int64_t> statuses(const Store& store) {
  std::vector<std::int64_t> r(store.members());
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = static_cast<std::int64_t>(store.status(i).value());
  return r;
}

Json axes_json(const Members& members) {
  Json list = Json::array();
  for (const Change& change : members.changes()) {
    Json axis = {{"key", change.key}, {"axis", change.axis}, {"count", members.shape()[change.axis]}};
    axis["drawn"] = change.values.empty();
    if (!change.values.empty() && has_words(change)) {
      axis["words"] = Json::array();
      for (const auto& value : change.values) {
        const auto* word = std::get_if<std::string>(&value.data);
        axis["words"].push_back(word ? *word : detail::text_of(value));
      }
    }
    list.push_back(axis);
  }
  return list;
}

std::string command_of(const Members& members, std::size_t member) {
  std::string r = "carom run scenario.toml";
  for (const std::string& change : members.overrides(member)) r += fmt::format(" --set '{}'", change);
  return r;
}

}  // namespace

void write_sweep_npz(const std::filesystem::path& path, const Members& members, const Store& store) {
  Archive archive;
  for (const Change& change : members.changes())
    archive.plan(change.key, {members.shape()[change.axis]},
                 !change.values.empty() && has_words(change) ? "<i8" : "<f8");
  archive.plan("status", members.shape(), "<i8");
  for (const RunField& field : members.fields()) archive.plan(field.name, members.shape());
  const auto& series = members.sweep().series;
  if (!series.empty()) {
    archive.plan("t", {members.times().size()});
    archive.plan("quantiles", {quantile_levels.size()});
  }
  Shape bands = members.draws().empty() ? Shape() : Shape(members.shape().begin(), members.shape().end() - 1);
  bands.insert(bands.end(), {members.times().size(), quantile_levels.size()});
  for (const std::string& name : series) archive.plan(name, bands);

  archive.open(path);
  for (const Change& change : members.changes()) fill_values(archive, members, change);
  archive.fill(statuses(store));
  for (std::size_t k = 0; k < members.fields().size(); ++k) archive.fill(column(store, k));
  if (!series.empty()) {
    archive.fill(members.times());
    archive.fill(std::vector<double>(quantile_levels.begin(), quantile_levels.end()));
  }
  for (std::size_t k = 0; k < series.size(); ++k) fill_series(archive, members, store, k);
  archive.commit();
}

std::string sweep_summary(const Members& members, const Store& store, const SweepCost& cost,
                          const std::string& command) {
  std::size_t completed = 0, refused = 0, failed = 0;
  for (std::size_t i = 0; i < store.members(); ++i) {
    const auto status = store.status(i).value();
    ++(status == MemberStatus::completed ? completed : status == MemberStatus::refused ? refused : failed);
  }
  Json j;
  j["schema_version"] = summary_schema_version;
  j["kind"] = "sweep";
  j["title"] = members.sweep().title;
  j["system"] = members.scenario().system.name;
  j["command"] = command;
  j["version"] = version();
  j["git"] = git_revision().empty() ? Json(nullptr) : Json(git_revision());
  j["members"] = {
      {"count", members.size()}, {"completed", completed}, {"refused", refused}, {"failed", failed}};
  j["shape"] = members.shape();
  j["axes"] = axes_json(members);
  j["fields"] = members.sweep().fields;
  j["series"] = members.sweep().series;
  j["failures"] = Json::array();
  for (const auto& [member, reason] : store.reasons())
    j["failures"].push_back(
        {{"member", member}, {"reason", reason}, {"command", command_of(members, member)}});
  j["cost"] = {{"wall_seconds", cost.wall_seconds},
               {"members", cost.members},
               {"members_per_second",
                cost.wall_seconds > 0 ? static_cast<double>(cost.members) / cost.wall_seconds : 0},
               {"threads", cost.threads},
               {"ranks", cost.ranks}};
  return j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace carom
