// The members of a sweep: which values each one has, and which numbers are kept of it. Read-only, shared by
// all threads; member_runner.hpp runs them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "sweep/fields.hpp"
#include "sweep/sequence.hpp"
#include "sweep/sweep.hpp"

namespace carom {

// One key of the scenario, with the values that it takes along an axis.
struct Change {
  std::string key;
  std::vector<std::string> path;
  std::size_t axis = 0;               // in Members::shape()
  std::vector<detail::Value> values;  // empty for a drawn key: its numbers are draws[drawn]
  std::size_t drawn = 0;
  bool light = false;  // Model::run sees it, and nothing before does: a new model is not needed
};

class Members {
 public:
  // Throws ScenarioError, pointing into the sweep file, for keys and values that the scenario does not take
  // and for fields and series that its runs do not have. `scenario` has [set] in it.
  Members(Sweep sweep, Scenario scenario);

  const Sweep& sweep() const { return sweep_; }
  const Scenario& scenario() const { return scenario_; }
  const std::vector<Change>& changes() const { return changes_; }
  const std::vector<std::vector<double>>& draws() const { return draws_; }
  std::size_t size() const { return size_; }
  const std::vector<std::size_t>& shape() const {
    return shape_;
  }  // of the grid, and the number of draws, if any

  // Where a member stands along each axis.
  void locate(std::size_t member, std::vector<std::size_t>& place) const;
  detail::Value value(const Change& change, std::span<const std::size_t> place) const;
  // What `carom run` needs to do the same: "initial.q.0=3.2".
  std::vector<std::string> overrides(std::size_t member) const;

  // A member's numbers: its fields, then each series at each of `times`.
  std::size_t row_width() const { return fields_.size() + sweep_.series.size() * times_.size(); }
  const std::vector<RunField>& fields() const { return fields_; }
  const std::vector<double>& times() const { return times_; }  // empty without series
  bool recorded() const { return recorded_; }  // whether fields or series need the rows of a run

 private:
  void add_changes();
  std::string place_of(const std::string& key, const std::string& table) const;
  Drawn around_own(Drawn drawn) const;
  void add(Change change, const std::string& table);
  void check_values(const Change& change, const std::string& place) const;
  void check_parameter(const Change& change, const std::string& place, const Model& model) const;
  Layout layout_of_runs() const;
  void choose_fields(const Layout& layout);
  void choose_series(const Layout& layout);

  Sweep sweep_;
  Scenario scenario_;
  std::size_t size_ = 1;
  std::vector<std::size_t> shape_;
  std::vector<Change> changes_;
  std::vector<std::vector<double>> draws_;
  std::vector<RunField> fields_;
  std::vector<double> times_;
  bool recorded_ = false;
};

}  // namespace carom
