// Names of the bodies of a scene, and which of them may touch: the same in the plane and in space.
#pragma once

#include <algorithm>
#include <array>

#include "model/scene_names.hpp"
#include "scenario/suggest.hpp"

namespace carom {

// "link3" and 2 -> "link5"; a name without a number stays.
inline std::string stepped_name(const std::string& name, int by) {
  std::size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9' && name.size() - digits < 6)
    --digits;
  if (by == 0 || digits == name.size()) return name;
  return name.substr(0, digits) + std::to_string(std::stoi(name.substr(digits)) + by);
}

template <class World>
const std::string& name_of(const World& world, int body) {
  static const std::string ground = "ground";
  return body < 0 ? ground : world.bodies[static_cast<std::size_t>(body)].name;
}

struct TwoBodies {
  int a, b;
};

// Of names such as ["ground", "link1"].
template <class World>
TwoBodies bodies_of(SceneNumbers& read, const World& world, const std::string& key, const StatedWords& names,
                    int step) {
  if (names.size() != 2)
    read.refuse(key, fmt::format("an array of {}", names.size()), "must be the names of two bodies");
  std::array<int, 2> r{};
  for (std::size_t k = 0; k < 2; ++k) {
    const std::string name = stepped_name(names[k], step);
    std::vector<std::string> known = {"ground"};
    for (const auto& body : world.bodies) known.push_back(body.name);
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end())
      read.refuse(key, detail::quoted(name), "no body has this name" + suggestion(name, known));
    r[k] = static_cast<int>(found - known.begin()) - 1;
  }
  const auto is_free = [&](int body) {
    return body >= 0 && world.bodies[static_cast<std::size_t>(body)].is_free();
  };
  const std::string both =
      detail::quoted(name_of(world, r[0])) + " and " + detail::quoted(name_of(world, r[1]));
  if (r[0] == r[1]) read.refuse(key, both, "must be two bodies");
  if (!is_free(r[0]) && !is_free(r[1])) read.refuse(key, both, "neither of them moves by itself");
  return {r[0], r[1]};
}

// By both numbers of the bodies, the smaller first.
template <class World>
class PairsOfScene {
 public:
  PairsOfScene(SceneNumbers& numbers, World& into)
      : read(numbers), world(into), rules(numbers.scenario.scene.contact) {
    for (const auto& joint : world.joints)
      if (joint.kind != std::decay_t<decltype(joint)>::Kind::distance)
        joined.push_back(std::minmax(joint.a, joint.b));
    std::sort(joined.begin(), joined.end());
  }

  void add() {
    if (rules.restitution) usual.restitution = read.fraction("contact.restitution", *rules.restitution);
    world.limit_restitution = usual.restitution;
    if (rules.mu) usual.mu = read.not_negative("contact.mu", *rules.mu);
    if (rules.between) check_between();
    const int n = static_cast<int>(world.bodies.size());
    std::vector<PairRule> own;
    for (std::size_t k = 0; k < rules.pairs.size(); ++k) own.push_back(rule(k));
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < a; ++b)
        if (may_touch(a, b)) add(a, b, own);
    for (std::size_t k = 0; k < own.size(); ++k)
      if (!own[k].used)
        read.refuse(fmt::format("contact.pair.{}.of", k), names_text(*rules.pairs[k].of),
                    "no two bodies that may touch have these names");
  }

 private:
  using Pair = typename decltype(World::pairs)::value_type;
  struct PairRule {
    const StatedWords* of;
    std::optional<double> restitution, mu;
    bool used = false;
  };
  static std::string names_text(const StatedWords& names) {
    return names.size() == 2 ? detail::quoted(names[0]) + " and " + detail::quoted(names[1])
                             : fmt::format("an array of {}", names.size());
  }

  PairRule rule(std::size_t k) {
    const PairSpec& spec = rules.pairs[k];
    const std::string key = fmt::format("contact.pair.{}", k);
    if (!spec.of || spec.of->size() != 2)
      read.refuse(key + ".of", spec.of ? names_text(*spec.of) : "",
                  "must be the names of two bodies, in which * stands for any letters");
    PairRule r{&*spec.of, {}, {}};
    if (spec.restitution) r.restitution = read.fraction(key + ".restitution", *spec.restitution);
    if (spec.mu) r.mu = read.not_negative(key + ".mu", *spec.mu);
    return r;
  }
  void check_between() const {
    for (std::size_t k = 0; k < rules.between->size(); ++k) {
      const StatedWords& names = (*rules.between)[k];
      const std::string key = fmt::format("contact.between.{}", k);
      if (names.size() != 2) read.refuse(key, names_text(names), "must be the names of two bodies");
      for (const std::string& pattern : names)
        if (std::none_of(world.bodies.begin(), world.bodies.end(),
                         [&](const auto& b) { return fits_pattern(b.name, pattern); }))
          read.refuse(key, detail::quoted(pattern), "no body has this name");
    }
  }
  const std::string& name(int body) const { return world.bodies[static_cast<std::size_t>(body)].name; }
  bool fits(int a, int b, const StatedWords& names) const {
    return (fits_pattern(name(a), names[0]) && fits_pattern(name(b), names[1])) ||
           (fits_pattern(name(b), names[0]) && fits_pattern(name(a), names[1]));
  }
  bool may_touch(int a, int b) const {
    const auto is_free = [this](int body) { return world.bodies[static_cast<std::size_t>(body)].is_free(); };
    if (!is_free(a) && !is_free(b)) return false;
    if (rules.between)
      return std::any_of(rules.between->begin(), rules.between->end(),
                         [&](const StatedWords& names) { return fits(a, b, names); });
    return !std::binary_search(joined.begin(), joined.end(), std::pair<int, int>(std::minmax(a, b)));
  }
  void add(int a, int b, std::vector<PairRule>& own) {
    Pair r{a, b, usual.restitution, usual.mu};
    for (PairRule& rule : own)
      if (fits(a, b, *rule.of)) {
        rule.used = true;
        if (rule.restitution) r.restitution = *rule.restitution;
        if (rule.mu) r.mu = *rule.mu;
      }
    world.pairs.push_back(r);
    constexpr std::size_t most = 20'000;
    if (world.pairs.size() > most)
      read.refuse(
          "contact.between", "",
          fmt::format("more than {} pairs of bodies may touch; say which, or take fewer bodies", most));
  }

  SceneNumbers& read;
  World& world;
  const TouchSpec& rules;
  Pair usual{-1, -1};
  std::vector<std::pair<int, int>> joined;
};

}  // namespace carom
