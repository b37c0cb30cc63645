// Orbits, sections and spectra as JSON: orbit.json, section.json and lyapunov.json, and what Python reads.
// Tested in tests/cli/orbit_test.py and tests/python/derivatives_test.py.
#pragma once

#include "run/orbit.hpp"
#include "run/section.hpp"
#include "run/spectrum.hpp"

namespace carom {

std::string orbit_json(const Branch& branch, const std::string& parameter, const std::string& command,
                       const std::vector<Settled>& settled = {});
std::string section_json(const Section& section, const std::string& formula, const std::string& command);
std::string spectrum_json(const SpectrumRun& run, const std::string& command);

}  // namespace carom
