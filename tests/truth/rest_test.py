#!/usr/bin/env python3
"""What comes to rest, hangs side by side, ends or is nothing: no scale is left to be relative to, or one that belongs to something else.

usage: rest_test.py PROGRAM [SOURCE_DIR] [--only NAME]
"""

import math
import sys

import numpy as np

sys.dont_write_bytecode = True
from support import Case, claim, FAILED, formulas, has_nan, main, near, scenario

CASES = []


def case(name, check, *arguments):
    CASES.append(Case(name, lambda carom: check(carom, *arguments)))


# What decays towards zero gets there, and stays.
def decays(carom, system, method):
    n = len(system["coordinates"])
    run = carom.run(scenario(system, [1.0] * n, [0.0] * n, method, 0.01, 100.0)).done()
    near("q, p", np.concatenate([run.q, run.p]), np.zeros(2 * n), 1e-280)
    claim(not has_nan(run.summary), "a number of the summary is none")


def dragged(*names):
    return [f"-50*{name}' - 600*{name}" for name in names]


DECAYS = {"alone": formulas(["x"], "0.5*x'^2", force=dragged("x")),
          "mass of place": formulas(["x", "y"], "0.5*(x'^2 + y'^2)*(2 + sin(x))", force=dragged("x", "y"), gaps={"floor": "y + 0.1*x"}),
          "joint": formulas(["x", "y", "z"], "0.5*(x'^2 + y'^2 + z'^2)", force=dragged("x", "y", "z"), joints={"bar": "x - y"})}
METHODS = ({}, {"stepper": "contact"}, {"flow": "midpoint"}, {"flow": "gauss"}, {"tolerance": 1e-8}, {"stepper": "dae-euler"},
           {"stepper": "gvi"}, {"stepper": "direct"})
for name, system in DECAYS.items():
    for method in METHODS:
        if name != "joint" and (name == "alone" or method.get("stepper") != "direct") or \
                name == "joint" and not {"gauss", 1e-8} & set(method.values()):
            case(f"decay {name} {' '.join(map(str, method.values()))}".strip(), decays, system, method)


# A corner in the origin without losses given back: what is thrown into it rests there, or slides on along one of its walls.
def into_corner(carom, method, L, walls, q, v, p_after, place):
    there = {name: gap.replace("x", f"(x - {place})").replace("y", f"(y - {place})") for name, gap in walls.items()}
    run = carom.run(scenario(formulas(["x", "y"], L, gaps=there), np.array(q) + place, v, method | {"restitution": 0.0}, 0.01, 1.0)).done()
    energy = run.summary["energy"]
    near("remainder", energy["remainder"], 0, 1e-12 * energy["initial"])
    near("p", run.p, p_after, 1e-9 * math.sqrt(energy["initial"]))


for method in ({"stepper": "contact"}, {"stepper": "contact", "impact": "continuous-energy"}, {"stepper": "contact", "flow": "yoshida4"},
               {"stepper": "dae-euler"}):
    for place in (0.0, 3.0):
        name = f"{' '.join(method.values())} at {place:g}"
        # Compositions fall back and forth between rounding and less of it: there they are thrown into one elsewhere.
        if "flow" not in method or place != 0:
            case(f"corner rests {name}", into_corner, method, "0.5*x'^2 + 0.5*99.392*y'^2 + 8.17*x'*y'",
                 {"a": "0.8152653491937755*y + 0.5790875671294898*x", "b": "0.4359199052582498*y - 0.8999854644379753*x"}, [-0.18, 0.5],
                 [0.36, -1.0], [0, 0], place)
        case(f"corner slides {name}", into_corner, method, "0.5*x'^2 + 0.5*0.012*y'^2 + 0.011*x'*y'",
             {"a": "0.7045891490824566*y + 0.7096154810848336*x", "b": "0.7515901897704538*y - 0.6596303409037622*x"}, [0.01, 0.5],
             [-0.02, -1.0], [-0.01867218219780806, 2.049768758e-05], place)


# Contacts that share nothing are none of each other's business, also where both are hit at one instant.
def side_by_side(carom, method, slow):
    system = formulas(["y", "x"], "0.5*y'^2 + 0.5*x'^2", gaps={"floor": "y", "wall": "1 - x"})
    run = carom.run(scenario(system, [slow, 0.0], [-slow, 1.0], method, 0.01, 5.0)).done()
    near("y, p_y", [run.q[0], run.p[0]], [4 * slow, slow], 1e-11 * slow)
    near("x, p_x", [run.q[1], run.p[1]], [-3, -1], 1e-11)


for method in ({}, {"stepper": "contact"}, {"flow": "gauss"}, {"tolerance": 1e-10}, {"stepper": "dae-euler"}):
    for slow in (1e-3, 1e-6, 1e-9, 1e-12):
        case(f"side by side {slow:g} {' '.join(map(str, method.values()))}".strip(), side_by_side, method, slow)


# What hangs at a wall, and nothing presses it, stays there.
def hangs(carom, method, L):
    run = carom.run(scenario(formulas(["y"], L, gaps={"wall": "y"}), [0.0], None, method, 0.01, 1.0)).done()
    near("q, p", [run.q[0], run.p[0]], [0, 0], 1e-14)


for method in METHODS:
    for L in ("0.5*y'^2", "0.5*y'^2 - 0.5*y^2", "0.5*(1 + y^2)*y'^2"):
        if "y^2)*" not in L or method.get("stepper") != "direct":
            case(f"hangs {L} {' '.join(map(str, method.values()))}".strip(), hangs, method, L)


# A contact that lasts ends where its condition does, within a step or at a node; what stood on it falls.
def ends(carom, condition, end, flow, e, h):
    system = formulas(["x", "y"], "0.5*(x'^2 + y'^2) - 10*y", contacts={"ledge": {"gap": "y", "when": condition}})
    method = {"stepper": "contact", "flow": flow, "restitution": e}
    run = carom.run(scenario(system, [0.0, 0.0], [1.0, 0.0], method, h, end + 0.25)).done()
    near("q", run.q, [end + 0.25, -5 * 0.25**2], 1e-9)
    near("remainder", run.summary["energy"]["remainder"], 0, 1e-9)


for condition, end in (("sin(20*t) > 0", math.pi / 20), ("x < 1", 1.0), ("x < 0.9973", 0.9973), ("abs(x - 1) > 0.2", 0.8), ("mod(t, 2) < 0.7", 0.7),
                       ("t < 0.4472135954999579", 0.4472135954999579), ("max(x, t) <= 0.5", 0.5), ("if(x < 0.6, 1, -1) > 0", 0.6)):
    for flow in ("svc", "yoshida4", "kahan-li6"):
        for e in (0.0, 0.5, 1.0):
            for h in (0.01, 0.03):
                case(f"ends {condition} {flow} e={e:g} h={h:g}", ends, condition, end, flow, e, h)


# Between walls that close on each other impacts have no end, and the run has one.
def squeezed(carom, L, gaps, q, v, method):
    run = carom.run(scenario(formulas(["x"], L, gaps=gaps), [q], [v], method, 1.5, 1.5), cap=20)
    claim(run.code == FAILED and "impacts" in run.err, f"exit code {run.code}: {run.err}")


for method in ({}, {"stepper": "contact"}, {"flow": "gauss"}, {"tolerance": 1e-6}, {"tolerance": 1e-12}, {"flow": "yoshida4"}):
    name = ' '.join(map(str, method.values()))
    case(f"squeezed {name}".strip(), squeezed, "0.5*x'^2", {"left": "x - t", "right": "1.5 - t - x"}, 0.5, 0.3, method)
for tolerance in (1e-4, 1e-6, 1e-10):
    case(f"squeezed and let go {tolerance:g}", squeezed, "0.943*x'^2 - 0.83*x^4",
         {"left": "x - 0.1057*sin(7.457*t) - 0.1544", "right": "0.3947 - x - 0.201*sin(2.141*t)"}, 0.242424, -0.306, {"tolerance": tolerance})


# Steps that no longer differ from their sum end the run by name, however long it would have taken.
def long_past(carom, step):
    run = carom.run(scenario(formulas(["a"], "0.5*a'^2 + 9.81*cos(a)"), [0.5], None, {"tolerance": 1e-8}, step, 50 * step), cap=10)
    claim(run.code == FAILED and "no step is short enough" in run.err, f"exit code {run.code}: {run.err}")


for step in (1e17, 1e30, 1e200):
    case(f"long past {step:g}", long_past, step)


# Nor does a step of the grid hold more steps of a tolerance's own than anyone would wait for.
def endless(carom, stiffness, method, coordinates):
    beside = " + 0.5*s'^2" if "s" in coordinates else ""
    system = formulas(coordinates, f"0.5*x'^2 - 0.5*{stiffness!r}*x^2{beside}")
    n = len(coordinates)
    run = carom.run(scenario(system, [1.0] * n, [0.0] + [1e20] * (n - 1), method, 0.01, 1.0), cap=20)
    claim(run.code == FAILED and "more than 1e11 steps" in run.err, f"exit code {run.code}: {run.err}")


for coordinates in (["x"], ["x", "s"]):
    case(f"endless {' '.join(coordinates)}", endless, 1e30, {"tolerance": 1e-10}, coordinates)
case("endless by the longest step", endless, 1.0, {"tolerance": 1e-10, "longest_step": 1e-15}, ["x"])

main(CASES, __doc__.splitlines()[0])
