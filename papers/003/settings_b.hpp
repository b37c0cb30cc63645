// Changes to the scenarios of section 8, as by --set.
#pragma once

#include <string>
#include <vector>

namespace carom::papers::p003 {

using Settings = std::vector<std::string>;

inline Settings endpoint() { return {"method.stepper=direct", "method.scheme=endpoint"}; }
inline Settings collisions() { return {"method.stepper=event-driven", "method.impact=continuous-energy"}; }
inline Settings contact() { return {"method.stepper=contact", "method.impact=shadow"}; }
// Gauss collocation of order 12: what the others are compared with.
inline Settings reference() {
  return {"method.stepper=event-driven", "method.flow=gauss", "method.impact=continuous-energy",
          "method.stages=6"};
}

inline Settings with(Settings a, const Settings& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

inline Settings until(double end) { return {"time.end=" + std::to_string(end)}; }
inline Settings step(double h) { return {"time.step=" + std::to_string(h)}; }

}  // namespace carom::papers::p003
