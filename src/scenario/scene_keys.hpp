// The keys of a scene's tables, one line for each, as scenario_keys.hpp has those of all others: reading,
// writing and the messages about misspelled keys go through them. A ShapeSpec is a table by itself.
#pragma once

#include "scenario/scene.hpp"

namespace carom::detail {

using SceneField =
    std::variant<std::optional<std::string>*, std::optional<int>*, std::optional<StatedNumber>*,
                 std::optional<StatedNumbers>*, std::optional<StatedMany>*, std::optional<StatedRows>*,
                 std::optional<StatedWords>*, std::optional<std::vector<StatedWords>>*, ShapeSpec*>;

template <class T>
struct SceneKey {
  const char* name;
  SceneField (*field)(T&);
};

template <class T>
inline const std::vector<SceneKey<T>> scene_keys;

template <>
inline const std::vector<SceneKey<WorldSpec>> scene_keys<WorldSpec> = {
    {"dimension", [](WorldSpec& w) -> SceneField { return &w.dimension; }},
    {"gravity", [](WorldSpec& w) -> SceneField { return &w.gravity; }},
};

template <>
inline const std::vector<SceneKey<ShapeSpec>> scene_keys<ShapeSpec> = {
    {"ball", [](ShapeSpec& s) -> SceneField { return &s.ball; }},
    {"box", [](ShapeSpec& s) -> SceneField { return &s.box; }},
    {"capsule", [](ShapeSpec& s) -> SceneField { return &s.capsule; }},
    {"polygon", [](ShapeSpec& s) -> SceneField { return &s.polygon; }},
    {"half-space", [](ShapeSpec& s) -> SceneField { return &s.half_space; }},
    {"cylinder", [](ShapeSpec& s) -> SceneField { return &s.cylinder; }},
    {"ellipsoid", [](ShapeSpec& s) -> SceneField { return &s.ellipsoid; }},
    {"polyhedron", [](ShapeSpec& s) -> SceneField { return &s.polyhedron; }},
    {"position", [](ShapeSpec& s) -> SceneField { return &s.position; }},
    {"quaternion", [](ShapeSpec& s) -> SceneField { return &s.quaternion; }},
    {"rotation", [](ShapeSpec& s) -> SceneField { return &s.rotation; }},
    {"angle", [](ShapeSpec& s) -> SceneField { return &s.angle; }},
};

template <>
inline const std::vector<SceneKey<BodySpec>> scene_keys<BodySpec> = {
    {"name", [](BodySpec& b) -> SceneField { return &b.name; }},
    {"shape", [](BodySpec& b) -> SceneField { return &b.shape; }},
    {"mass", [](BodySpec& b) -> SceneField { return &b.mass; }},
    {"density", [](BodySpec& b) -> SceneField { return &b.density; }},
    {"inertia", [](BodySpec& b) -> SceneField { return &b.inertia; }},
    {"centre", [](BodySpec& b) -> SceneField { return &b.centre; }},
    {"position", [](BodySpec& b) -> SceneField { return &b.position; }},
    {"quaternion", [](BodySpec& b) -> SceneField { return &b.quaternion; }},
    {"rotation", [](BodySpec& b) -> SceneField { return &b.rotation; }},
    {"angle", [](BodySpec& b) -> SceneField { return &b.angle; }},
    {"velocity", [](BodySpec& b) -> SceneField { return &b.velocity; }},
    {"spin", [](BodySpec& b) -> SceneField { return &b.spin; }},
    {"motion", [](BodySpec& b) -> SceneField { return &b.motion; }},
    {"repeat", [](BodySpec& b) -> SceneField { return &b.repeat; }},
    {"offset", [](BodySpec& b) -> SceneField { return &b.offset; }},
};

template <>
inline const std::vector<SceneKey<JointSpec>> scene_keys<JointSpec> = {
    {"name", [](JointSpec& j) -> SceneField { return &j.name; }},
    {"hinge", [](JointSpec& j) -> SceneField { return &j.hinge; }},
    {"slider", [](JointSpec& j) -> SceneField { return &j.slider; }},
    {"fixed", [](JointSpec& j) -> SceneField { return &j.fixed; }},
    {"distance", [](JointSpec& j) -> SceneField { return &j.distance; }},
    {"ball", [](JointSpec& j) -> SceneField { return &j.ball; }},
    {"universal", [](JointSpec& j) -> SceneField { return &j.universal; }},
    {"at", [](JointSpec& j) -> SceneField { return &j.at; }},
    {"axis", [](JointSpec& j) -> SceneField { return &j.axis; }},
    {"length", [](JointSpec& j) -> SceneField { return &j.length; }},
    {"limits", [](JointSpec& j) -> SceneField { return &j.limits; }},
    {"stiffness", [](JointSpec& j) -> SceneField { return &j.stiffness; }},
    {"damping", [](JointSpec& j) -> SceneField { return &j.damping; }},
    {"repeat", [](JointSpec& j) -> SceneField { return &j.repeat; }},
    {"offset", [](JointSpec& j) -> SceneField { return &j.offset; }},
};

template <>
inline const std::vector<SceneKey<PairSpec>> scene_keys<PairSpec> = {
    {"of", [](PairSpec& p) -> SceneField { return &p.of; }},
    {"restitution", [](PairSpec& p) -> SceneField { return &p.restitution; }},
    {"mu", [](PairSpec& p) -> SceneField { return &p.mu; }},
};

template <>
inline const std::vector<SceneKey<TouchSpec>> scene_keys<TouchSpec> = {
    {"restitution", [](TouchSpec& c) -> SceneField { return &c.restitution; }},
    {"mu", [](TouchSpec& c) -> SceneField { return &c.mu; }},
    {"between", [](TouchSpec& c) -> SceneField { return &c.between; }},
    {"corner", [](TouchSpec& c) -> SceneField { return &c.corner; }},
};

template <>
inline const std::vector<SceneKey<ForceSpec>> scene_keys<ForceSpec> = {
    {"spring", [](ForceSpec& f) -> SceneField { return &f.spring; }},
    {"motor", [](ForceSpec& f) -> SceneField { return &f.motor; }},
    {"on", [](ForceSpec& f) -> SceneField { return &f.on; }},
    {"force", [](ForceSpec& f) -> SceneField { return &f.force; }},
    {"torque", [](ForceSpec& f) -> SceneField { return &f.torque; }},
    {"axis", [](ForceSpec& f) -> SceneField { return &f.axis; }},
    {"stiffness", [](ForceSpec& f) -> SceneField { return &f.stiffness; }},
    {"length", [](ForceSpec& f) -> SceneField { return &f.length; }},
    {"damping", [](ForceSpec& f) -> SceneField { return &f.damping; }},
    {"at", [](ForceSpec& f) -> SceneField { return &f.at; }},
    {"repeat", [](ForceSpec& f) -> SceneField { return &f.repeat; }},
    {"offset", [](ForceSpec& f) -> SceneField { return &f.offset; }},
};

}  // namespace carom::detail
