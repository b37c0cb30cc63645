#!/usr/bin/env python3
"""What version 0.1 got wrong without a word, each with its relatives: other numbers, units, flows and steppers. What is right comes
from closed forms, or from reference.py where there is none.

usage: truth_test.py PROGRAM [SOURCE_DIR] [--only NAME]
"""

import math
import sys

import numpy as np

sys.dont_write_bytecode = True
from reference import ball, gas, Reference, valley
from support import Case, claim, DONE, FAILED, REFUSED, formulas, has_nan, main, near, scenario

CASES = []


def case(name, check, *arguments):
    CASES.append(Case(name, lambda carom: check(carom, *arguments)))


# Starts at rest end, by tolerance too.
def rests(carom, system, right, tolerance):
    run = carom.run(scenario(system, [0.0] * len(system["coordinates"]), None, {"tolerance": tolerance}, 0.1, 2.0), cap=5).done()
    near("q", run.q, right(run.t), 10 * tolerance)


def pushed(t):
    return math.sin(t) - math.sin(math.sqrt(2) * t) / math.sqrt(2)


for tolerance in (1e-4, 1e-6, 1e-12):
    for name, system, right in (
            ("pushed", formulas(["x"], "0.5*x'^2 - x^2", force=["sin(t)"]), pushed),
            ("free particle", formulas(["x"], "0.5*x'^2"), lambda t: 0.0),
            ("hanging pendulum", formulas(["a"], "0.5*a'^2 + 9.81*cos(a)"), lambda t: 0.0),
            ("open gap", formulas(["x"], "0.5*x'^2 - x^2", gaps={"wall": "x + 1"}), lambda t: 0.0),
            ("one of two", formulas(["x", "y"], "0.5*x'^2 + 0.5*y'^2 - x^2 - y^2", force=["0", "sin(t)"]),
             lambda t: np.array([0.0, pushed(t)])),
            ("pushed later", formulas(["x"], "0.5*x'^2", force=["max(0, t - 1)"]), lambda t: max(0.0, t - 1)**3 / 6),
            ("light", formulas(["x"], "0.5e-12*x'^2 - 1e-12*x^2"), lambda t: 0.0)):
        case(f"free_rest_hang {name} {tolerance:g}", rests, system, right, tolerance)


# A free direction does not change what happens across it.
def boosted(carom, vx, m, method, h):
    system = formulas(["x", "y"], f"0.5*({m!r}*x'^2 + y'^2) - 10*y", gaps={"floor": "y"})
    run = carom.run(scenario(system, [0.0, 1.0], [vx, 0.0], method, h, 4.0)).done()
    if method.get("impact") == "discrete-energy":  # its times have the law's own error
        slow = carom.run(scenario(formulas(["x", "y"], "0.5*(x'^2 + y'^2) - 10*y", gaps={"floor": "y"}), [0.0, 1.0], None, method, h, 4.0))
        y, v, times = slow.q[1], slow.p[1], slow.times
    else:
        y, v, times = ball(run.t)
    near("impacts", run.times, times, 1e-10)
    near("y, p_y", [run.q[1], run.p[1]], [y, v], 1e-9)
    near("x", run.q[0], vx * run.t, 1e-11 * abs(vx * run.t))


for vx, m in ((0.0, 1.0), (1e3, 1.0), (1e6, 1.0), (1e8, 1.0), (1.0, 1e8), (1.0, 1e12), (1e-6, 1e12)):
    for h in (1e-2, 1e-3, 1e-4) if (vx, m) in ((1e3, 1.0), (1e6, 1.0)) else (1e-2,):
        for method in ({}, {"stepper": "contact"}, {"flow": "yoshida4"}, {"flow": "midpoint"}, {"impact": "continuous-energy"},
                       {"impact": "discrete-energy"}, {"flow": "gauss"}):
            case(f"boost vx={vx:g} m={m:g} h={h:g} {' '.join(method.values())}", boosted, vx, m, method, h)


# Nor does it end an iteration early: a mass that depends on its place is solved for by Newton's method.
def unhurried(carom, method, m, u):
    L, gaps = "0.5*(2 + sin(x))*x'^2 - 2*x", {"floor": "x + 0.4"}
    alone = carom.run(scenario(formulas(["x"], L, gaps=gaps), [0.0], [-1.5], method, 0.01, 1.0)).done()
    beside = carom.run(scenario(formulas(["x", "s"], f"{L} + 0.5*{m!r}*s'^2", gaps=gaps), [0.0, 0.3], [-1.5, u], method, 0.01, 1.0)).done()
    near("x", beside.q[0], alone.q[0], 1e-13)
    near("p_x", beside.p[0], alone.p[0], 1e-12)


for m, u in ((1.0, 1e6), (1.0, 1e12), (1e6, 1e6), (1e12, 1e12), (1e-12, 1e12)):
    for method in ({"stepper": "dae-euler"}, {"stepper": "dae-euler", "flow": "se1"}):
        case(f"unhurried m={m:g} u={u:g} {' '.join(method.values())}", unhurried, method, m, u)


# A constant in V, or an oscillator that nothing couples to the contact, however heavy: what a law still knows of its energy is right,
# and where it knows too little it keeps H and says so.
def drowned(carom, method, L, more, warns, bound):
    coordinates, q, v = (["y", "s"], [1.0, 1.0], [0.3, 0.5]) if "s'" in more else (["y"], [1.0], [0.3])
    usual = carom.run(scenario(formulas(["y"], L, gaps={"floor": "y"}), [1.0], [0.3], method, 0.01, 1.0)).done()
    run = carom.run(scenario(formulas(coordinates, f"{L} {more}", gaps={"floor": "y"}), q, v, method, 0.01, 1.0)).done()
    claim(any("kept H instead" in word for word in run.warnings) == warns, f"warnings {run.warnings}")
    if warns:  # that is the law continuous-energy
        usual = carom.run(scenario(formulas(["y"], L, gaps={"floor": "y"}), [1.0], [0.3],
                                   {"flow": "svc"} | method | {"impact": "continuous-energy"}, 0.01, 1.0)).done()
    near("y", run.q[0], usual.q[0], bound)


for method, bound in (({"impact": "discrete-energy"}, 1e-11), ({"flow": "sva", "impact": "stable-energy"}, 1e-11)):
    for more, warns in (("+ 1e4", False), ("- 1e12", True), ("+ 0.5e4*(s'^2 - s^2)", False), ("+ 0.5e14*(s'^2 - s^2)", True)):
        case(f"drowned {more} {method['impact']}", drowned, method, "0.5*y'^2 - 10*y - 4.5*(y - 0.2)^2", more, warns,
             bound if warns else 1e-10)


# Nothing depends on units: two masses between walls.
def nanogas(carom, size, mass, pace, method):
    """Lengths, masses and times in other units."""
    system = formulas(["a", "b"], f"{mass!r}*(0.5*a'^2 + b'^2)",
                      gaps={"left": "a", "between": f"b - a - {0.1 * size!r}", "right": f"{size!r} - b"})
    run = carom.run(scenario(system, [0.3 * size, 0.6 * size], [0.37 * size / pace, -0.21 * size / pace], method, 0.01 * pace,
                             5 * pace)).done()
    q, p, times = gas(0.3, 0.6, 0.37, -0.21, run.t / pace, 0.1)
    near("impacts", run.times / pace, times, 1e-10)
    near("q", run.q / size, q, 1e-10)
    near("p", run.p / (size * mass / pace), p, 1e-10)


for size in (1e-12, 1e-9, 1e-6, 1.0, 1e6, 1e12):
    for method in ({}, {"stepper": "contact"}, {"flow": "kahan-li6"}, {"impact": "continuous-energy"}, {"tolerance": 1e-12},
                   {"flow": "gauss"}):
        case(f"nanogas size={size:g} {' '.join(map(str, method.values()))}", nanogas, size, 1.0, 1.0, method)
for mass, pace in ((1e-12, 1.0), (1e12, 1.0), (1.0, 1e-12), (1.0, 1e12), (1e-9, 1e9)):
    for method in ({}, {"stepper": "contact"}, {"tolerance": 1e-12}):
        case(f"nanogas mass={mass:g} pace={pace:g} {' '.join(map(str, method.values()))}", nanogas, 1e-3, mass, pace, method)


# A contact that slides over a kink: the normals of both sides count, as if two gaps met there.
def ramp(carom, floor, slope, e, method, h, end):
    """From the flat floor at speed 3 onto a ramp that rises by `slope`; the ramp starts at x = 1."""
    system = formulas(["x", "y"], "0.5*(x'^2 + y'^2) - 10*y", gaps=floor)
    run = carom.run(scenario(system, [0.0, 0.0], [3.0, 0.0], method | {"restitution": e}, h, end)).done()
    s = run.t - 1 / 3
    along, up = np.array([1, slope]) / math.hypot(1, slope), np.array([-slope, 1]) / math.hypot(1, slope)
    a, u = 3 * along[0], -3 * e * up[0]
    gravity = -10 * along[1] if e == 0 else 0.0
    v = (a + gravity * s) * along + u * up - (0 if e == 0 else np.array([0, 10 * s]))
    q = np.array([1, 0]) + (a * s + gravity * s * s / 2) * along + u * s * up - (0 if e == 0 else np.array([0, 5 * s * s]))
    bound = 1e-8 if e < 1 else (10 * h)**2 / 20  # an elastic impact keeps what lasts shows in H by h^2
    near("loss", run.summary["energy"]["loss"], 4.5 * up[0]**2 * (1 - e * e), 1e-8)
    near("q", run.q, q, bound)
    near("p", run.p, v, bound)
    near("remainder", run.summary["energy"]["remainder"], 0, bound)


KINKS = {"max": {"floor": "y - max(0, x - 1)"}, "abs": {"floor": "y - 0.5*(x - 1 + abs(x - 1))"},
         "min": {"floor": "min(y, y - (x - 1))"}, "two gaps": {"floor": "y", "ramp": "y - (x - 1)"},
         "scaled": {"floor": "1e-6*(y - max(0, x - 1))"}}
for name, floor in KINKS.items():
    for h in (0.003, 0.01, 0.05):
        for flow in ("svc", "yoshida4"):
            case(f"kinked_floor {name} {flow} h={h:g}", ramp, floor, 1.0, 0.0, {"stepper": "contact", "flow": flow}, h, 0.8)
    for e in (0.5, 1.0):
        case(f"kinked_floor {name} e={e:g}", ramp, floor, 1.0, e, {"stepper": "contact"}, 0.01, 0.5)
for slope in (0.1, 0.5, 3.0):  # back on the floor at t = 1/3 + 0.2 from the steepest
    case(f"kinked_floor slope={slope:g}", ramp, {"floor": f"y - {slope!r}*max(0, x - 1)"}, slope, 0.0, {"stepper": "contact"}, 0.01, 0.5)
case("kinked_floor at a node", ramp, KINKS["max"], 1.0, 0.0, {"stepper": "contact"}, 1 / 30, 0.8)


def edge(carom, method):
    """A floor that falls away at x = 1: what slides there flies off, and nothing is lost."""
    system = formulas(["x", "y"], "0.5*(x'^2 + y'^2) - 10*y", gaps={"floor": "y + 2*max(0, x - 1)"})
    run = carom.run(scenario(system, [0.0, 0.0], [3.0, 0.0], method, 0.01, 0.8)).done()
    s = run.t - 1 / 3
    near("q", run.q, [3 * run.t, -5 * s * s], 1e-8)
    near("loss", run.summary["energy"]["loss"], 0, 1e-12)


for e in (0.0, 1.0):
    case(f"kinked_floor edge e={e:g}", edge, {"stepper": "contact", "restitution": e})


def closes_or_says(carom, system, q, v, method, h, end):
    """A run whose energy balance closes to a thousandth, or that says so."""
    run = carom.run(scenario(system, q, v, method, h, end))
    energy = run.summary["energy"] if run.summary else {}
    closed = energy and abs(energy["remainder"]) <= 1e-3 * max(abs(energy["initial"]), abs(energy["final"]))
    claim(run.code == FAILED or run.warnings or closed, f"silent remainder {energy}")


for stepper in ("gvi", "dae-euler"):
    case(f"kinked_floor {stepper}", closes_or_says, formulas(["x", "y"], "0.5*(x'^2 + y'^2) - 10*y", gaps=KINKS["max"]),
         [0.0, 0.0], [3.0, 0.0], {"stepper": stepper}, 0.003, 0.8)


# Orders, by errors that fall as they should.
def falls(carom, run_with, right, steps, order, floor, warned=()):
    """Errors over falling steps have the order, or are at rounding, or a warning has one of the words."""
    runs = [carom.run(run_with(h)).done() for h in steps]
    if any(word in text for word in warned for run in runs for text in run.warnings):
        return
    exact = {t: right(t) for t in {run.t for run in runs}}
    errors = [max(np.abs(np.concatenate([run.q, run.p]) - exact[run.t])) for run in runs]
    for (h, coarse), (fine, error) in zip(zip(steps, errors), zip(steps[1:], errors[1:])):
        claim(error <= max(floor, coarse * (fine / h)**(order - 0.7)),
              "errors " + ", ".join(f"{each:.2e}" for each in errors) + f" with h = {steps}: not of order {order}")


VALLEYS = {"square": ("y - max(0, x - 1)^2", "max(0, x - 1)^2", "2*max(0, x - 1)"),
           "abs": ("y - 0.25*(x - 1 + abs(x - 1))^2", "max(0, x - 1)^2", "2*max(0, x - 1)")}
for name, (gap, curve, slide) in VALLEYS.items():
    for flow, order in (("svc", 2), ("yoshida4", 4), ("kahan-li6", 6)):
        for impact in ("shadow", "continuous-energy"):
            for end in (0.8, 1.6):
                system = formulas(["x", "y"], "0.5*(x'^2 + y'^2) - 10*y", gaps={"f": gap})
                method = {"stepper": "contact", "flow": flow, "impact": impact}
                case(f"c1_floor {name} {flow} {impact} end={end:g}", falls,
                     lambda h, s=system, m=method, T=end: scenario(s, [0.0, 0.0], [3.0, 0.0], m, h, T),
                     lambda t, c=curve, s=slide: valley(t, c, s), (0.02, 0.01, 0.005), order, 2e-11, ("kink", "curvature"))


# A gap may be scaled by any positive number.
def bounces(carom, gap, method, bound):
    system = formulas(["y"], "0.5*y'^2 - 10*y", gaps={"f": gap})
    run = carom.run(scenario(system, [1.0], None, method, 0.01, 2.0)).done()
    y, v, times = ball(run.t, e=method.get("restitution", 1.0))
    near("impacts", run.times, times, bound)
    near("y, p", [run.q[0], run.p[0]], [y, v], bound)


for factor in (1e-30, 1e-12, 1e-6, 1e6, 1e12, 1e30):
    for method in ({}, {"stepper": "contact"}, {"stepper": "contact", "restitution": 0.8}, {"flow": "kahan-li6"},
                   {"tolerance": 1e-10}, {"stepper": "dae-euler"}, {"impact": "continuous-energy"}):
        case(f"gap_1e-12 factor={factor:g} {' '.join(map(str, method.values()))}", bounces, f"{factor!r}*y", method,
             1e-8 if "tolerance" in method else 1e-10)


# A gap without a slope where it is zero is refused by name.
def refused(carom, gap, method):
    system = formulas(["x", "y"], "0.5*x'^2 + 0.5*y'^2 - 10*y", gaps={"ledge": gap})
    run = carom.run(scenario(system, [0.0, 1.0], None, method, 0.01, 2.0))
    claim(run.code in (REFUSED, FAILED) and "ledge" in run.err, f"exit code {run.code}, it says {run.err.strip()!r}")


for gap in ("y^3", "y*abs(y)", "y^5", "y^2", "abs(y)", "(y + 0.5)^3", "(y - x)^2", "1e-12*y^3", "y^3*(2 + sin(x))", "1 - cos(y)",
            "max(0, y)", "hypot(x, y)"):
    for method in ({}, {"stepper": "contact"}, {"tolerance": 1e-8}, {"stepper": "gvi"}, {"stepper": "dae-euler"}, {"stepper": "direct"}):
        case(f"gap_cubed {gap} {' '.join(map(str, method.values()))}", refused, gap, method)


# Those that have one are not.
for gap in ("y^3 + y", "sin(y)", "exp(y) - 1", "y*(1 + y^2)", "tanh(y)", "sqrt(1 + y) - 1"):
    for method in ({}, {"stepper": "contact"}, {"tolerance": 1e-10}, {"stepper": "dae-euler"}):
        case(f"gap with slope {gap} {' '.join(map(str, method.values()))}", bounces, gap, method, 1e-8 if "tolerance" in method else 1e-10)


# The end of stability is noticed.
def noticed(carom, stiffness, mass, method, gaps):
    system = formulas(["x"], f"0.5*{mass!r}*x'^2 - 0.5*{stiffness * mass!r}*x^2", gaps=gaps)
    run = carom.run(scenario(system, [1.0], None, method, 0.01, 1.0))
    claim(run.code == FAILED or run.code == DONE and run.warnings, f"exit code {run.code}, no warning: {run.summary['energy']}")
    if run.code == DONE:
        claim(not has_nan(run.summary) and None not in run.summary["energy"].values(), "a number of the summary is none")


for stiffness in (4.1e4, 6.25e4, 1e6, 1e8):
    for mass in (1.0, 1e-12):
        for method in ({}, {"stepper": "contact"}, {"flow": "sva"}, {"flow": "yoshida4"}, {"impact": "continuous-energy"},
                       {"stepper": "contact", "impact": "continuous-energy"}, {"stepper": "smooth"}):
            for gaps in (None, {"w": "x + 0.5"}) if method.get("stepper") != "smooth" else (None,):
                case(f"unstable k={stiffness:g} m={mass:g} {' '.join(method.values())} {'wall' if gaps else ''}".strip(), noticed,
                     stiffness, mass, method, gaps)


def silent(carom, stiffness, method):
    """No alarm where there is no fire."""
    run = carom.run(scenario(formulas(["x"], f"0.5*x'^2 - 0.5*{stiffness!r}*x^2", gaps={"w": "x + 0.5"}), [1.0], None, method, 0.01, 1.0)).done()
    claim(not run.warnings, f"warns: {run.warnings}")


for method in ({}, {"stepper": "contact"}, {"flow": "kahan-li6"}, {"tolerance": 1e-8}):
    case(f"stable {' '.join(map(str, method.values()))}", silent, 9.0, method)


# A tolerance is what was asked for, within ten times.
def to_tolerance(carom, system, q, v, tolerance, h, e=1.0):
    run = carom.run(scenario(system, q, v, {"tolerance": tolerance, "restitution": e}, h, 1.0)).done()
    right = Reference(system, e, max_step=0.01).move(q, v, run.t)
    near("q, p", np.concatenate([run.q, run.p]), np.concatenate([right.q, right.p]),
         10 * max(tolerance, 1e-13) * max(1.0, right.largest))


DRAGS = {name: formulas(["y"], "0.5*y'^2 - 10*y", force=[force]) for name, force in (
    ("quadratic", "-0.5*y'*abs(y')"), ("linear", "-0.5*y'"), ("cubic", "-0.05*y'^3"), ("sharp", "-3*tanh(20*y')"))}
DRAGS |= {"kinks in time": formulas(["y"], "0.5*y'^2 - 0.5*y^2", force=["3*abs(sin(7*t))"]),
          "kinks in place": formulas(["y"], "0.5*y'^2 - 4*abs(y - 0.7)"),
          "with floor": formulas(["y"], "0.5*y'^2 - 30*y", force=["-0.5*y'*abs(y')"], gaps={"floor": "y"}),
          "two": formulas(["x", "y"], "0.5*(x'^2 + y'^2) - 10*y", force=["-0.3*x'*hypot(x', y')", "-0.3*y'*hypot(x', y')"])}
for name, system in DRAGS.items():
    n = len(system["coordinates"])
    for tolerance in (1e-4, 1e-6, 1e-8, 1e-10, 1e-12):
        for h in (0.1, 1.0):
            case(f"drag_tolerance {name} {tolerance:g} h={h:g}", to_tolerance, system, [1.0] * n, [5.0] * n, tolerance, h)


# Forces do not cost a law its order.
PUSHED = formulas(["x"], "0.5*x'^2 - 2*x^2", force=["2*cos(1.7*t) - 0.1*x'"], gaps={"left": "x + 0.7"})
DRAGGED = formulas(["x"], "0.5*x'^2 - 10*x", force=["-0.05*x'^3 + sin(5*t)"], gaps={"left": "x"})
for name, system, q in (("pushed", PUSHED, [0.2]), ("dragged", DRAGGED, [1.0])):
    def right(t, s=system, q=q):
        motion = Reference(s).move(q, [0.5], t)
        return np.concatenate([motion.q, motion.p])
    for impact in ("discrete-energy", "shadow", "continuous-energy"):
        for flow, order, steps in (("svc", 2, (0.02, 0.01, 0.005)), ("yoshida4", 4, (0.04, 0.02, 0.01)),
                                   ("kahan-li6", 6, (0.08, 0.04, 0.02)), ("kahan-li8", 8, (0.08, 0.04, 0.02, 0.01))):
            case(f"discrete_energy_force {name} {impact} {flow}", falls,
                 lambda h, s=system, q=q, f=flow, i=impact: scenario(s, q, [0.5], {"flow": f, "impact": i}, h, 4.0),
                 right, steps, order, 2e-11, ("order",))


# All that touches takes part in an impact, whatever the stepper.
def overhang(carom, method, e, lean, m, g):
    """Sliding at speed 2 along the floor into a wall at x = 1 with the normal (-cos, -sin) of `lean`."""
    c, s = math.cos(lean), math.sin(lean)
    system = formulas(["x", "y"], f"{m!r}*(0.5*(x'^2 + y'^2) - {g!r}*y)", gaps={"floor": "y", "wall": f"{c!r}*(1 - x) - {s!r}*y"})
    run = carom.run(scenario(system, [0.0, 0.0], [2.0, 0.0], method | {"restitution": e}, 0.01, 0.6))
    if e == 1 and g == 1e6 and run.code == FAILED:  # five thousand bounces in a step
        return claim("impacts and releases in one step" in run.err and "step is far too large" in run.err, run.err)
    run.done()
    v = np.array([-2 * e, 0.0]) if s >= 0 else np.array([2.0, 0.0]) - (1 + e) * 2 * c * np.array([c, s])
    bound = (g * 0.01)**2 / 20 if method.get("impact") == "shadow" else 1e-10  # what lasts shows in H by h^2
    near("loss", run.summary["energy"]["loss"] / m, 2 - v @ v / 2, bound)
    if e == 1 and s > 0:  # a mirror after the other keeps the energy as well, and cradles need that
        return near("energy", run.summary["energy"]["final"] / m, 2, bound)
    after, falls = run.t - 0.5, np.array([0, g]) * (s < 0)
    near("q", run.q, np.array([1, 0]) + v * after - falls * after**2 / 2, bound)
    near("p", run.p / m, v - falls * after, bound)


for method in ({"stepper": "contact", "impact": "shadow"}, {"stepper": "contact", "impact": "continuous-energy"},
               {"stepper": "dae-euler"}):
    for e in (0.0, 0.5, 1.0):
        for lean in (math.atan2(0.6, 0.8), 0.2, 1.2, 0.0):
            for m, g in ((1.0, 10.0), (1e-6, 10.0)) + (((1.0, 1e6),) if method.get("impact") != "shadow" else ()):
                case(f"corner2 {' '.join(method.values())} e={e:g} lean={lean:.2f} m={m:g} g={g:g}", overhang, method, e, lean, m, g)
    case(f"corner2 {' '.join(method.values())} leaning away", overhang, method, 0.9, -0.9, 1.0, 10.0)


def corner_rests(carom, stepper, flow, e, h):
    system = formulas(["x", "y"], "0.5*1*(2+sin(x))*x'^2 + 0.5*2*(2+sin(x))*y'^2 - (3*cos(x) + 5*y + 0.5*(x-y)^2)",
                      gaps={"g0": "x-y+0.632", "g1": "y-0.3*sin(3*x)+0.898", "g2": "y+0.826", "g3": "1.017-x"})
    run = carom.run(scenario(system, [0.116, -0.09], [0.188, -1.82], {"stepper": stepper, "flow": flow, "restitution": e}, h, 8.0)).done()
    near("p", run.p, [0, 0], 1e-9)
    near("remainder", run.summary["energy"]["remainder"], 0, 5e-3 * (h / 0.01)**2)
    # At rest the forces of the potential are carried by gaps that push.
    x, y = run.q
    force = np.array([3 * math.sin(x) - (x - y), -5 + (x - y)])
    normals = {0: (1, -1), 1: (-0.9 * math.cos(3 * x), 1), 2: (0, 1), 3: (-1, 0)}
    gaps = np.array([x - y + 0.632, y - 0.3 * math.sin(3 * x) + 0.898, y + 0.826, 1.017 - x])
    claim(gaps.min() > -1e-9, f"gaps {gaps}")
    touching = np.array([normals[i] for i in range(4) if gaps[i] < 1e-8], float)
    claim(len(touching) > 0, f"nothing touches: gaps {gaps}")
    push, *_ = np.linalg.lstsq(touching.T, -force, rcond=None)
    near("force that is not carried", touching.T @ push, -force, 1e-7)
    claim(push.min() > -1e-9, f"a gap pulls: {push}")


for stepper in ("contact", "dae-euler"):
    for flow in ("sva", "svb"):
        for e in (0.0, 0.3, 0.6):
            for h in (0.01, 0.0037):
                case(f"corner_with_losses {stepper} {flow} e={e:g} h={h:g}", corner_rests, stepper, flow, e, h)


# A run that was stopped and goes on says what the uninterrupted one says.
def resumed(carom, friction, method):
    system = formulas(["x", "y"], "0.5*(x'^2+y'^2) - 10*y", gaps={"floor": "y-0.1*sin(2*x)"},
                      force=["3*cos(1.3*t)", "12*sin(0.7*t)"], friction=friction)
    text = scenario(system, [0.0, 0.5], [1.0, 0.0], method, 0.002, 400.0, output={"every": 20})
    whole, parts = carom.run(text, rows=True).done(), carom.stop_and_resume(text).done()
    for key in whole.summary:
        if key == "cost":
            counts = [{name: n for name, n in run.summary["cost"].items() if "second" not in name} for run in (whole, parts)]
            claim(counts[0] == counts[1], f"cost {counts[1]}, in one go {counts[0]}")
        elif key not in ("formulas", "command"):
            claim(whole.summary[key] == parts.summary[key], f"{key}: {parts.summary[key]}, in one go {whole.summary[key]}"[:300])
    claim(all(np.array_equal(whole.rows[name], parts.rows[name], equal_nan=not name.endswith(".names")) for name in whole.rows), "rows differ")


SLIP = [f"-0.2*psi1*{w}/sqrt(x'^2+y'^2)" for w in ("x'", "y'")]
case("resume_dae friction", resumed, SLIP, {"stepper": "dae-euler", "restitution": 0.5, "flow": "svb"})
case("resume_dae smooth", resumed, None, {"stepper": "dae-euler", "restitution": 0.5, "flow": "svb"})
case("resume_dae contact", resumed, None, {"stepper": "contact", "restitution": 0.5})


# A run ends where it was told to.
def ends(carom, h, end, method):
    run = carom.run(scenario(formulas(["y"], "0.5*y'^2 - 10*y", gaps={"f": "y"}), [1.0], None, method, h, end)).done()
    claim(run.t == end, f"it ends at t = {run.t!r}, not at {end!r}")
    near("y", run.q, ball(end)[0], 1e-8)


for h, end in ((0.003, 0.8), (0.3, 1.0), (0.01, 0.005), (0.1, 1.0), (1 / 3, 2.0)):
    for method in ({}, {"stepper": "contact"}, {"tolerance": 1e-10}, {"stepper": "dae-euler"}, {"flow": "gauss"}):
        case(f"end h={h:g} end={end:g} {' '.join(map(str, method.values()))}", ends, h, end, method)
case("end of no steps", lambda carom: claim(carom.run(scenario(formulas(["y"], "0.5*y'^2"), [1.0], end=0.0)).code == REFUSED,
                                            "a run of no steps is not refused"))


# Also seen.
def off_joint(carom, factor):
    system = formulas(["x", "y"], "0.5*(x'^2+y'^2) - 10*y", joints={"rod": f"{factor!r}*(x^2+y^2-1)"})
    run = carom.run(scenario(system, [1.5, 0.0], None, None, 0.01, 1.0))
    claim(run.code == REFUSED and "rod" in run.err, f"exit code {run.code}, it says {run.err.strip()!r}")
    on = carom.run(scenario(system, [1.0, 0.0], None, None, 0.01, 1.0)).done()
    near("length", np.hypot(*on.q), 1, 1e-12)


for factor in (1e-30, 1e-10, 1.0, 1e10, 1e30):
    case(f"joint factor={factor:g}", off_joint, factor)


def set_stepper(carom):
    text = scenario(formulas(["y"], "0.5*y'^2 - 10*y", gaps={"f": "y"}), [1.0], None, {"tolerance": 1e-8}, 0.01, 2.0)
    run = carom.run(text, "--set", "method.stepper=contact").done()
    near("y", run.q, ball(run.t)[0], 1e-10)


case("stepper set over a tolerance", set_stepper)


def heavy_table(carom, M, method):
    """A table that a spring and its mass drive, which a ball does not slow."""
    system = formulas(["s", "y"], f"0.5*{M!r}*(s'^2 - 25*s^2) + 0.5*y'^2 - 10*y", gaps={"table": "y - s"})
    run = carom.run(scenario(system, [0.05, 1.0], [0.0, 0.0], method, 0.001, 2.0)).done()
    motion = Reference(formulas(["y"], "0.5*y'^2 - 10*y", gaps={"table": "y - 0.05*cos(5*t)"})).move([1.0], [0.0], run.t)
    bound = 1e-8 if method.get("flow") == "kahan-li8" and not run.warnings else 1e-4
    near("y", run.q[1], motion.q, bound)
    near("impacts", run.times, [t for t, _ in motion.impacts], bound)


for M in (1e10, 1e14):
    for method in ({}, {"stepper": "contact"}, {"flow": "kahan-li8"}, {"flow": "kahan-li8", "stepper": "contact"}):
        case(f"heavy table M={M:g} {' '.join(method.values())}", heavy_table, M, method)

main(CASES, __doc__.splitlines()[0])
