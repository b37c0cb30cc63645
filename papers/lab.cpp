#include "lab.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/prepare.hpp"

namespace carom::papers {
namespace {

void begin(Columns& columns, const Layout& layout) {
  columns.names.clear();
  for (const Column& column : layout.columns) {
    if (column.scalar) columns.names.push_back(column.name);
    for (std::size_t k = 1; !column.scalar && k <= column.width; ++k)
      columns.names.push_back(fmt::format("{}{}", column.name, k));
  }
  columns.values.assign(columns.names.size(), {});
}

void append(Columns& columns, std::span<const double> numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) columns.values[i].push_back(numbers[i]);
}

class InMemory final : public RunRecords {
 public:
  explicit InMemory(Recorded& to) : to_(to) {}
  void begin(const Layout& rows, const Layout& impacts, const Layout&) override {
    papers::begin(to_.trajectory, rows);
    papers::begin(to_.impacts, impacts);
  }
  void row(std::span<const double> numbers) override { append(to_.trajectory, numbers); }
  void impact(std::span<const double> numbers, std::string_view contact) override {
    append(to_.impacts, numbers);
    to_.contacts.emplace_back(contact);
  }
  void change(std::span<const double>, std::string_view) override {}

 private:
  Recorded& to_;
};

RunResult run_with(const Lab& lab, std::string_view toml, const std::vector<std::string>& set,
                   RunRecords* records) {
  const Prepared run = prepare(parse_scenario(std::string(toml), "scenario", set));
  RunResult result = run.model.run(run.scenario, run.method, {.stop = lab.stop, .records = records});
  if (result.status == "stopped") throw Stopped();
  return result;
}

}  // namespace

const std::vector<double>& Columns::operator[](std::string_view name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::out_of_range(fmt::format("no column is called {}", name));
  return values[static_cast<std::size_t>(found - names.begin())];
}

RunResult Lab::run(std::string_view toml, const std::vector<std::string>& set) const {
  return run_with(*this, toml, set, nullptr);
}

Recorded Lab::record(std::string_view toml, const std::vector<std::string>& set) const {
  Recorded r;
  InMemory records(r);
  r.result = run_with(*this, toml, set, &records);
  return r;
}

RunResult Lab::complete(std::string_view toml, const std::vector<std::string>& set) const {
  RunResult result = run(toml, set);
  if (result.status != "completed") throw std::runtime_error(result.reason);
  return result;
}

void Lab::check_stop() const {
  if (stop && stop()) throw Stopped();
}

}  // namespace carom::papers
