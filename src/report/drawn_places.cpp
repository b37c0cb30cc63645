#include "report/drawn_places.hpp"

#include <cmath>
#include <map>

#include "report/space_view.hpp"

namespace carom {
namespace {

class PlanePlaces final : public DrawnPlaces {
 public:
  explicit PlanePlaces(ContactPlaces p) : places(std::move(p)) {}
  void add_impact(double t, const std::vector<double>& q, const std::vector<double>& impulse,
                  const std::string& contacts, std::vector<double>& to) override {
    for (const Vector2& place : places.of(t, q, impulse, contacts))
      to.insert(to.end(), {place.x(), place.y()});
  }
  void add_push(double t, const std::vector<double>& q, int contact, double normal,
                std::span<const double> friction, std::vector<double>& to) override {
    const auto push = places.push(t, q, contact, normal, friction);
    if (!push) return;
    for (const Vector2& pair : {push->place, push->force}) to.insert(to.end(), {pair.x(), pair.y()});
  }

 private:
  ContactPlaces places;
};

class SpacePlaces final : public DrawnPlaces {
 public:
  SpacePlaces(const SpaceView& d, std::shared_ptr<const System> s) : drawing(d), system(std::move(s)) {
    if (!system) return;
    for (int i = 0; i < system->contact_count(); ++i) numbers.emplace(system->contact_name(i), i);
  }

  void add_impact(double t, const std::vector<double>& q, const std::vector<double>& /*impulse*/,
                  const std::string& contacts, std::vector<double>& to) override {
    for (std::size_t from = 0; from <= contacts.size();) {
      const std::size_t end = std::min(contacts.find(" + ", from), contacts.size());
      const auto number = numbers.find(contacts.substr(from, end - from));
      if (SpaceView::Point p; number != numbers.end() && find(t, q, number->second, p))
        to.insert(to.end(), p.begin(), p.end());
      from = end + 3;
    }
  }

  // The coordinates of a place are among those of its body, so what N λ_n + T' λ_t does to them is the force.
  void add_push(double t, const std::vector<double>& q, int contact, double normal,
                std::span<const double> friction, std::vector<double>& to) override {
    SpaceView::Point place;
    if (!system || contact >= system->contact_count() || !find(t, q, contact, place)) return;
    const Eigen::Map<const Values> at(q.data(), static_cast<Eigen::Index>(q.size()));
    const std::span<const int> which(&contact, 1);
    std::vector<double> dense(q.size(), 0);
    SparseRows rows;
    const auto add = [&](int row, double force) {
      for (std::size_t k = 0; k < rows[row].at.size(); ++k)
        dense[static_cast<std::size_t>(rows[row].at[k])] += force * rows[row].slopes[k];
    };
    system->gap_slopes(t, at, which, rows);
    add(0, normal);
    if (static_cast<int>(friction.size()) == system->slips_each() && !friction.empty()) {
      rows = {};
      system->slip_slopes(t, at, which, rows);
      for (std::size_t k = 0; k < friction.size(); ++k) add(static_cast<int>(k), friction[k]);
    }
    add_force(place, dense, to);
  }

  bool shows_normal_forces() const override { return true; }

 private:
  bool find(double t, const std::vector<double>& q, int contact, SpaceView::Point& place) const {
    const Eigen::Map<const Values> at(q.data(), static_cast<Eigen::Index>(q.size()));
    return drawing.place && drawing.place(t, at, contact, place) && std::isfinite(place[0]) &&
           std::isfinite(place[1]) && std::isfinite(place[2]);
  }

  // Of the two bodies that push each other the force is shown that acts on the upper one.
  void add_force(const SpaceView::Point& place, const std::vector<double>& dense,
                 std::vector<double>& to) const {
    SpaceView::Point force{};
    double upwards = -HUGE_VAL;
    for (const SpaceView::Body& body : drawing.bodies) {
      if (body.column < 0 || static_cast<std::size_t>(body.column) + 3 > dense.size()) continue;
      const double* F = &dense[static_cast<std::size_t>(body.column)];
      if (F[0] == 0 && F[1] == 0 && F[2] == 0) continue;
      const double up = F[0] * drawing.up[0] + F[1] * drawing.up[1] + F[2] * drawing.up[2];
      if (up > upwards) upwards = up, force = {F[0], F[1], F[2]};
    }
    if (!std::isfinite(upwards)) return;
    to.insert(to.end(), place.begin(), place.end());
    to.insert(to.end(), force.begin(), force.end());
  }

  const SpaceView& drawing;
  std::shared_ptr<const System> system;
  std::map<std::string, int> numbers;  // of contacts, by name
};

}  // namespace

std::unique_ptr<DrawnPlaces> places_in_plane(ContactPlaces places) {
  return std::make_unique<PlanePlaces>(std::move(places));
}

std::unique_ptr<DrawnPlaces> places_in_space(const SpaceView& drawing, std::shared_ptr<const System> system) {
  return std::make_unique<SpacePlaces>(drawing, std::move(system));
}

}  // namespace carom
