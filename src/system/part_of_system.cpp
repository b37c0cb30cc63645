#include "carom/system/part_of_system.hpp"

#include <algorithm>
#include <numeric>

#include "carom/system/nilpotent_lagrangian.hpp"

namespace carom {
namespace {

// L of the whole over nilpotents, where the others stand still.
class PartOverNilpotents final : public NilpotentLagrangian {
 public:
  PartOverNilpotents(std::shared_ptr<const NilpotentLagrangian> w, std::vector<int> which, Values others,
                     double L)
      : whole(std::move(w)), coordinates(std::move(which)), rest(std::move(others)), offset(L) {}
  int size() const override { return static_cast<int>(coordinates.size()); }

  void slopes(const Nilpotent* q, const Nilpotent* v, int free, Nilpotent* Lq, Nilpotent* Lv) const override {
    const auto n = static_cast<std::size_t>(whole->size());
    thread_local std::vector<Nilpotent> q_all, v_all, Lq_all, Lv_all;
    for (auto* x : {&q_all, &v_all, &Lq_all, &Lv_all}) x->resize(n);
    for (std::size_t i = 0; i < n; ++i)
      q_all[i] = Nilpotent(rest[static_cast<int>(i)]), v_all[i] = Nilpotent(0.0);
    for (std::size_t i = 0; i < coordinates.size(); ++i)
      q_all[coordinates[i]] = q[i], v_all[coordinates[i]] = v[i];
    whole->slopes(q_all.data(), v_all.data(), free, Lq_all.data(), Lv_all.data());
    for (const int i : coordinates) *Lq++ = Lq_all[i], *Lv++ = Lv_all[i];
  }

  void jet(const double* q, const double* v, RunTimeJet& out) const override {
    const int n = whole->size(), own = size();
    thread_local Values q_all, v_all;
    thread_local RunTimeJet all;
    q_all = rest, v_all.setZero(n);
    for (int i = 0; i < own; ++i) q_all[coordinates[i]] = q[i], v_all[coordinates[i]] = v[i];
    whole->jet(q_all.data(), v_all.data(), all);
    out.L = all.L - offset;
    for (auto* x : {&out.Lq, &out.Lv}) x->resize(own);
    for (auto* x : {&out.Lqq, &out.Lqv, &out.Lvv}) x->resize(own, own);
    for (int i = 0; i < own; ++i) {
      out.Lq[i] = all.Lq[coordinates[i]], out.Lv[i] = all.Lv[coordinates[i]];
      for (int k = 0; k < own; ++k) {
        const int a = coordinates[i], b = coordinates[k];
        out.Lqq(i, k) = all.Lqq(a, b), out.Lqv(i, k) = all.Lqv(a, b), out.Lvv(i, k) = all.Lvv(a, b);
      }
    }
  }

 private:
  std::shared_ptr<const NilpotentLagrangian> whole;
  std::vector<int> coordinates;
  Values rest;
  double offset;
};

}  // namespace

PartOfSystem::PartOfSystem(const DenseSystem& w, std::vector<int> which, const Values& q, double t)
    : whole(w), coordinates(std::move(which)), rest(q) {
  const int n = whole.size();
  q_all = q, v_all.setZero(n);
  const int constraints = whole.joint_count() + whole.contact_count();
  out_all.setZero(std::max(1 + 2 * n + 3 * n * n, constraints * (n + 2)));
  Values Lq(n), Lv(n);
  offset = whole.slopes(t, q, v_all, Lq, Lv);
  find_constraints(t, q);
}

// A constraint belongs to the unit where it depends on its coordinates; it does not depend on others then.
void PartOfSystem::find_constraints(double t, const Values& q) {
  const auto touches = [this](const SparseRows::Row& row) {
    for (std::size_t k = 0; k < row.at.size(); ++k)
      if (row.slopes[k] != 0 && std::binary_search(coordinates.begin(), coordinates.end(), row.at[k]))
        return true;
    return false;
  };
  std::vector<int> all(static_cast<std::size_t>(whole.contact_count()));
  std::iota(all.begin(), all.end(), 0);
  SparseRows rows;
  whole.gap_slopes(t, q, all, rows);
  for (int i = 0; i < rows.size(); ++i)
    if (touches(rows[i])) contacts.push_back(i);
  rows.clear(), whole.joint_slopes(t, q, rows);
  for (int i = 0; i < rows.size(); ++i)
    if (touches(rows[i])) joints_of_it.push_back(i);
}

void PartOfSystem::pick_contacts(const std::vector<int>& of_whole, std::vector<int>& own) const {
  own.clear();
  for (const int i : of_whole) {
    const auto place = std::lower_bound(contacts.begin(), contacts.end(), i);
    if (place != contacts.end() && *place == i) own.push_back(static_cast<int>(place - contacts.begin()));
  }
}

const double* PartOfSystem::embed(const double* own, Values& in, const Values* others) const {
  if (others) in = *others;
  for (std::size_t i = 0; i < coordinates.size(); ++i) in[coordinates[i]] = own[i];
  return in.data();
}

void PartOfSystem::look(double t, const double* q, Need need, PointMemory& memory) const {
  whole.look(t, embed(q, q_all, &rest), need, memory);
}

void PartOfSystem::jet(double t, const double* q, const double* v, Need need, const PointMemory& memory,
                       double* out) const {
  const int n = whole.size(), own = size();
  whole.jet(t, embed(q, q_all, &rest), embed(v, v_all, nullptr), need, memory, out_all.data());
  const double* in = out_all.data();
  *out++ = in[0] - offset;
  for (int part = 0; part < 2; ++part)
    for (const int i : coordinates) *out++ = in[1 + part * n + i];
  const int matrices = need == Need::slopes ? 0 : need == Need::mixed ? 2 : 3;
  for (int part = 0; part < matrices; ++part)
    for (int i = 0; i < own; ++i)
      for (int k = 0; k < own; ++k)
        *out++ = in[1 + 2 * n + part * n * n + coordinates[i] * n + coordinates[k]];
}

void PartOfSystem::fibre(double t, const double* q, const double* v, double* out) const {
  const int n = whole.size();
  whole.fibre(t, embed(q, q_all, &rest), embed(v, v_all, nullptr), out_all.data());
  for (const int i : coordinates) *out++ = out_all[i];
  for (const int i : coordinates)
    for (const int k : coordinates) *out++ = out_all[n + i * n + k];
}

void PartOfSystem::potential(double t, const double* q, double* out) const {
  whole.potential(t, embed(q, q_all, &rest), out_all.data());
  *out++ = out_all[0] + offset;
  for (const int i : coordinates) *out++ = out_all[1 + i];
}

void PartOfSystem::mass(double* M) const {
  const int n = whole.size();
  whole.mass(out_all.data());
  for (const int i : coordinates)
    for (const int k : coordinates) *M++ = out_all[i * n + k];
}

std::shared_ptr<const NilpotentLagrangian> PartOfSystem::over_nilpotents() const {
  auto all = whole.over_nilpotents();
  return all ? std::make_shared<PartOverNilpotents>(std::move(all), coordinates, rest, offset) : nullptr;
}

// Values and slopes of some of the `count` constraints whose jet is in out_all.
void PartOfSystem::pick_jet(int count, const std::vector<int>& which, double* out) const {
  const int n = whole.size();
  for (const int i : which) *out++ = out_all[i];
  for (const int i : which)
    for (const int k : coordinates) *out++ = out_all[count + i * n + k];
}

void PartOfSystem::gap_jet(double t, const double* q, double* out) const {
  whole.gap_jet(t, embed(q, q_all, &rest), out_all.data());
  pick_jet(whole.contact_count(), contacts, out);
}

void PartOfSystem::gap_rates(double t, const double* q, const double* v, double* g, double* rate) const {
  const int count = whole.contact_count();
  whole.gap_rates(t, embed(q, q_all, &rest), embed(v, v_all, nullptr), out_all.data(),
                  out_all.data() + count);
  for (const int i : contacts) *g++ = out_all[i], *rate++ = out_all[count + i];
}

void PartOfSystem::joint_jet(double t, const double* q, double* out) const {
  whole.joint_jet(t, embed(q, q_all, &rest), out_all.data());
  pick_jet(whole.joint_count(), joints_of_it, out);
}

void PartOfSystem::gap_bends(double t, const Values& q, const Values& u, std::span<const int> which,
                             Eigen::Ref<Values> bend) const {
  embed(q.data(), q_all, &rest), embed(u.data(), v_all, nullptr);
  std::vector<int> in_whole;
  for (const int i : which) in_whole.push_back(contacts[i]);
  whole.gap_bends(t, q_all, v_all, in_whole, bend);
}

void PartOfSystem::joint_bends(double t, const Values& q, const Values& u, Values& bend) const {
  embed(q.data(), q_all, &rest), embed(u.data(), v_all, nullptr);
  Values values;
  whole.joint_bends(t, q_all, v_all, values);
  bend.resize(joint_count());
  for (int i = 0; i < joint_count(); ++i) bend[i] = values[joints_of_it[i]];
}

void PartOfSystem::slope_bends(double t, const double* q, const double* u, double* out) const {
  const int n = whole.size();
  whole.slope_bends(t, embed(q, q_all, &rest), embed(u, v_all, nullptr), out_all.data());
  for (const int i : joints_of_it)
    for (const int k : coordinates) *out++ = out_all[i * n + k];
  for (const int i : contacts)
    for (const int k : coordinates) *out++ = out_all[(whole.joint_count() + i) * n + k];
}

void PartOfSystem::force(double t, const double* q, const double* v, double* f) const {
  whole.force(t, embed(q, q_all, &rest), embed(v, v_all, nullptr), out_all.data());
  for (const int i : coordinates) *f++ = out_all[i];
}

void PartOfSystem::force_slopes(double t, const double* q, const double* v, double* out) const {
  const int n = whole.size();
  whole.force_slopes(t, embed(q, q_all, &rest), embed(v, v_all, nullptr), out_all.data());
  for (int part = 0; part < 2; ++part)
    for (const int i : coordinates)
      for (const int k : coordinates) *out++ = out_all[part * n * n + i * n + k];
}

std::vector<std::vector<int>> units_of(const System& system) {
  std::vector<std::vector<int>> units;
  const std::vector<int> unit = system.units();
  for (int i = 0; i < system.size(); ++i) {
    if (unit[i] >= static_cast<int>(units.size())) units.resize(unit[i] + 1);
    units[unit[i]].push_back(i);
  }
  return units;
}

}  // namespace carom
