// Joints in a row without a body in between, as one joint of a scene: exact, or refused.
#include <fmt/format.h>

#include "import/assembly.hpp"
#include "scenario/scenario_text.hpp"

namespace carom::robots {
namespace {

std::string listed(const JointChain& chain) {
  std::string r;
  for (const auto& item : chain.items)
    r += (r.empty() ? "" : ", ") +
         (item.joint.name.empty() ? "one without a name" : detail::clipped(item.joint.name));
  return r;
}

bool is_plain(const RobotJoint& joint) { return !joint.range && joint.stiffness == 0 && joint.damping == 0; }

PlacedJoint single(const Assembly& assembly, const JointChain& chain) {
  const auto& item = chain.items[0];
  const auto part = [&](int group) { return assembly.part_of_group[static_cast<std::size_t>(group)]; };
  PlacedJoint r{SceneJoint::hinge, item.joint.name, item.joint.place, part(chain.parent),
                part(chain.group), item.at,         item.at,          item.axis};
  if (item.joint.kind == JointKind::slide) r.kind = SceneJoint::slider;
  if (item.joint.kind == JointKind::ball) r.kind = SceneJoint::ball;
  if (item.joint.range) r.limits = {(*item.joint.range)[0] - item.value, (*item.joint.range)[1] - item.value};
  r.stiffness = item.joint.stiffness, r.damping = item.joint.damping, r.rest = item.joint.rest - item.value;
  return r;
}

}  // namespace

std::vector<PlacedJoint> joints_in_space(const Assembly& assembly, const JointChain& chain) {
  const auto& items = chain.items;
  if (items[0].joint.kind == JointKind::free) return {};
  if (items.size() == 1) {
    if (items[0].joint.kind == JointKind::ball && !is_plain(items[0].joint))
      refuse(items[0].joint.place,
             fmt::format("joint {}: limits, stiffness and damping of a ball joint are not supported",
                         detail::clipped(detail::quoted(items[0].joint.name))));
    return {single(assembly, chain)};
  }
  std::vector<const JointChain::Item*> hinges, slides, balls;
  bool plain = true, one_place = true;
  for (const auto& item : items) {
    (item.joint.kind == JointKind::hinge   ? hinges
     : item.joint.kind == JointKind::slide ? slides
                                           : balls)
        .push_back(&item);
    plain = plain && is_plain(item.joint);
  }
  for (const auto* hinge : hinges) one_place = one_place && (hinge->at - hinges[0]->at).norm() < 1e-9;
  const auto volume = [](const auto& three) {
    return std::abs(three[0]->axis.dot(three[1]->axis.cross(three[2]->axis)));
  };
  const bool turns_freely = one_place && ((balls.size() == 1 && hinges.empty()) ||
                                          (balls.empty() && hinges.size() == 3 && volume(hinges) > 1e-6));
  if (plain && turns_freely && slides.empty()) {
    PlacedJoint r = single(assembly, chain);
    r.kind = SceneJoint::ball;
    return {r};
  }
  if (plain && turns_freely && slides.size() == 3 && volume(slides) > 1e-6) return {};
  const bool crossed = hinges.size() == 2 && std::abs(hinges[0]->axis.dot(hinges[1]->axis)) < 1e-9;
  if (plain && crossed && one_place && slides.empty() && balls.empty()) {
    PlacedJoint r = single(assembly, chain);
    r.kind = SceneJoint::universal, r.second = hinges[1]->axis;
    return {r};
  }
  refuse(chain.items[1].joint.place,
         fmt::format("{} has several joints ({}), and no joint of a scene is all of them together{}; put a "
                     "body between them",
                     chain.name, listed(chain), plain ? "" : " with their limits, springs and dampers"));
}

}  // namespace carom::robots
