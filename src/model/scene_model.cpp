#include "model/scene_model.hpp"

#include "carom/system/validate.hpp"
#include "formula/formula_names.hpp"
#include "model/mechanical_model.hpp"
#include "model/scene_world.hpp"
#include "model/space_world.hpp"
#include "scenario/scenario_text.hpp"

namespace carom {
namespace {

template <class Scene>
void refuse_overlap(const Scene& scene, const Values& q, const Scenario& s) {
  const auto overlap = scene.overlap(s.time.start, q);
  if (!overlap) return;
  const auto& bodies = scene.world().bodies;
  s.reject("body",
           detail::quoted(bodies[static_cast<std::size_t>(overlap->a)].name) + " and " +
               detail::quoted(bodies[static_cast<std::size_t>(overlap->b)].name),
           "overlap by " + detail::to_text(overlap->depth) + " at the start");
}

bool is_in_space(const Scenario& s) {
  const auto& dimension = s.scene.world.dimension;
  if (!dimension) s.reject("world.dimension", "", "must be given: 2, for a scene in the plane, or 3");
  if (*dimension != 2 && *dimension != 3)
    s.reject("world.dimension", std::to_string(*dimension), "must be 2 or 3");
  return *dimension == 3;
}

template <class Scene, class World>
MadeSystem made_of(World made, const Scenario& s) {
  const auto start = made.start();
  const auto scene = std::make_shared<Scene>(std::move(made.world));
  const auto parameters = number_parameters(s);
  for (int i = 0; i < scene->size(); ++i)
    if (parameters.contains(scene->coordinate_name(i)))
      s.reject("system.parameters." + scene->coordinate_name(i), "",
               "is the name of a coordinate; choose another");
  if (!s.initial.q) refuse_overlap(*scene, start.q, s);
  return {scene, parameters, start};
}

MadeSystem made_scene(const Scenario& s) {
  return is_in_space(s) ? made_of<SpaceScene>(make_space_world(s), s)
                        : made_of<PlaneScene>(make_scene_world(s), s);
}

// Modified Hamiltonians are series of formulas.
void refuse_modified_laws(const Scenario& s) {
  const Method method = make_method(s);
  if (method.impact == "modified-energy" || method.impact == "stable-energy")
    s.reject("method.impact", '"' + method.impact + '"',
             "has no modified Hamiltonian for a scene; take \"shadow\", which keeps the same energy without "
             "derivatives");
}

}  // namespace

Model scene_model(const Scenario& scenario) {
  std::vector<ParameterInfo> parameters;
  for (const auto& [name, value] : number_parameters(scenario)) parameters.push_back({name, value, "any"});
  Model r = mechanical_model(scenario, "a scene of rigid bodies", parameters, made_scene);
  if (!is_in_space(scenario))  // what is in space has a view of its own (report/space_view.hpp)
    r.draw = scene_drawing(make_scene_world(scenario).world, scenario);
  r.stepper = "contact";
  r.check = [check = r.check](const Scenario& s) {
    refuse_modified_laws(s);
    check(s);
  };
  r.ready = [](const Scenario& s, const std::vector<std::string>& varied) {
    if (!varied.empty())
      s.reject("system.name", "\"bodies\"",
               "derivatives by \"" + varied[0] + "\" are for systems in formulas, and not for scenes yet");
    return ready_mechanical(made_scene(s), s);
  };
  return r;
}

}  // namespace carom
