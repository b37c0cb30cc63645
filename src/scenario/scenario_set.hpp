// Changing a scenario that was read: one key at a time, with the checks and complaints of the reader. Defined
// in scenario_read.cpp.
#pragma once

#include "scenario/scenario_document.hpp"

namespace carom::detail {

// Puts the entry's value where its key says; throws ScenarioError for an unknown key or a value that does not
// fit.
void set(const Entry& entry, Scenario& scenario);

// The same for an entry of a scene's tables; false where it is none (scene_read.cpp).
bool set_scene(const Entry& entry, Scenario& scenario);
// The system of a scene, whose name may be left out.
void name_scene(Scenario& scenario);
std::string scene_toml(const SceneSpec& scene);  // as it stands in a file

// The scenario of a document, which may still lack what only a run needs: check_together() looks for that.
Scenario filled(const Document& document);

// What must hold between keys: a start that is v or p, an end after the start, ...
void check_together(const Scenario& scenario);

// The text of a scenario or sweep file, up to 4 MB and one byte. Throws ScenarioError where it cannot be
// read.
std::string read_file(const std::string& path);

}  // namespace carom::detail
