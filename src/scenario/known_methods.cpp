// Every method by name, as `carom list methods` shows them.
#include "scenario/method.hpp"

namespace carom {

const std::vector<MethodInfo>& known_methods() {
  static const std::vector<MethodInfo> methods = {
      {"se1", "flow", "symplectic Euler, L at the start of the step; order 1", true},
      {"se2", "flow", "symplectic Euler, L at the end of the step; order 1", true},
      {"midpoint", "flow", "implicit midpoint rule; order 2, symmetric", true},
      {"gamma", "flow", "one node at gamma q0 + (1 - gamma) q1 (key gamma); order 2 for gamma = 0.5, else 1",
       true},
      {"svc", "flow", "Stormer-Verlet from the trapezoidal discrete Lagrangian; order 2, symmetric", true},
      {"sva", "flow", "Stormer-Verlet as se1 then se2 over half steps; order 2, symmetric", true},
      {"svb", "flow", "Stormer-Verlet as se2 then se1 over half steps; order 2, symmetric", true},
      {"yoshida4", "flow", "three stages over a base (key base, default sva); order 4", true},
      {"suzuki4", "flow", "five stages over a base; order 4", true},
      {"kahan-li6", "flow", "nine stages over a base; order 6", true},
      {"kahan-li8", "flow", "seventeen stages over a base; order 8", true},
      {"gauss", "flow", "Gauss collocation (key stages, 1 to 8, default 4); order twice the stages", true},
      {"event-driven", "stepper", "impacts located inside the step; the default", true},
      {"smooth", "stepper", "the flow alone; ends where a contact closes", true},
      {"gvi", "stepper",
       "generalized variational integrator (003): full steps, contacts reflected at their start, lasting "
       "contact",
       true},
      {"contact", "stepper",
       "impacts located inside the step, and contacts that last carried along; nothing is passed", true},
      {"direct", "stepper",
       "contact forces put into a symplectic method (key scheme); a baseline that loses energy", true},
      {"dae-euler", "stepper",
       "symplectic Euler for overdetermined DAEs (004; key scheme) and its compositions: joints, friction, "
       "take-off and landing",
       true},
      {"continuous-energy", "impact law", "keeps H at the impact; the default with gauss", true},
      {"discrete-energy", "impact law", "keeps the discrete energy of the parts before and after", true},
      {"modified-energy", "impact law",
       "keeps a truncated modified Hamiltonian at the impact (key order: 2, 3 or 4 terms)", true},
      {"stable-energy", "impact law",
       "keeps the median of a modified Hamiltonian over a window of nodes (key window)", true},
      {"shadow", "impact law",
       "keeps the shadow energy from node to node (key order, default 8); the default", true},
      {"generalized", "reflection", "the contacts that approach, together, until none does; the default",
       true},
      {"moreau", "reflection", "all contacts reached at once", true},
      {"sequential", "reflection", "one contact at a time, the fastest first", true},
      {"hamiltonian", "energy", "H; the default", true},
      {"numerical", "energy", "H and the h^2 terms of the flow's own energy (svc, sva, svb, midpoint)", true},
      {"shadow", "energy", "the shadow energy of the start (key order, default 8)", true},
      {"endpoint", "scheme", "implicit midpoint, contact forces at the end of the step; the default", true},
      {"midpoint", "scheme", "implicit midpoint, contact forces in its middle", true},
      {"newmark", "scheme", "Newmark's method (keys beta and gamma), contact forces at both ends", true},
      {"imex-newmark", "scheme", "Newmark's method with fully implicit contact forces", true},
      {"true", "scheme", "dae-euler: consistent for every reaction (004, (3.5)); the default", true},
      {"natural", "scheme", "dae-euler: inconsistent where the reaction is not affine in psi (3.2)", true},
      {"conjugate-true", "scheme", "dae-euler: the forces at the end of the step (3.8)", true},
      {"conjugate-natural", "scheme", "dae-euler: the same of the natural one (3.7)", true},
      {"cva", "short name", "continuous-energy on svc (000)", true},
      {"ctec", "short name", "continuous-energy on svc (001)", true},
      {"vci", "short name", "discrete-energy on svc (002)", true},
      {"dtec", "short name", "discrete-energy on svc (001)", true},
      {"mcva", "short name", "modified-energy on the flow that is given, or sva", true},
      {"mcva-a", "short name", "modified-energy on sva (000)", true},
      {"mcva-c", "short name", "modified-energy on svc, three terms (000)", true},
      {"mhc", "short name", "stable-energy on svc (001)", true},
  };
  return methods;
}

}  // namespace carom
