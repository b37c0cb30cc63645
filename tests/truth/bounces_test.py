#!/usr/bin/env python3
"""Many impacts in a step: between walls at rest they come ever later and lose what restitution says; on a floor they accumulate, and
what is not followed is told where it matters. Gaps that a stepper would pass are named.

usage: bounces_test.py PROGRAM [SOURCE_DIR] [--only NAME]
"""

import itertools
import math
import sys

sys.dont_write_bytecode = True
from support import Case, claim, DONE, FAILED, formulas, main, near, scenario

CASES = []
METHODS = {"event-driven": {}, "continuous-energy": {"impact": "continuous-energy"}, "contact": {"stepper": "contact"},
           "dae-euler": {"stepper": "dae-euler"}, "gauss": {"flow": "gauss"}, "tolerance": {"tolerance": 1e-8}}


# Between two walls: v = v0 e^n after n flights of 1/(v0 e^k). Right, or a failure by name.
def between_walls(carom, method, e, v0, step):
    system = formulas(["x"], "0.5*x'^2", gaps={"left": "x", "right": "1 - x"})
    run = carom.run(scenario(system, [0.5], [v0], method | {"restitution": e}, step, 5.0))
    claim(run.code in (DONE, FAILED), f"exit code {run.code}: {run.err[:200]}")
    if run.code == FAILED:
        return claim("more than" in run.err or "accumulate" in run.err, f"fails by {run.err[:200]}")
    t, v = 0.5 / v0, v0
    while t < 5.0:
        v *= e
        t += 1 / v
    near("speed", abs(run.p[0]), v, 1e-6 * v)


for (name, method), e, (v0, step) in itertools.product(
        METHODS.items(), (0.999, 0.9, 0.5), ((300.0, 1.0), (1e4, 0.1), (1e6, 0.01), (30.0, 0.01))):
    CASES.append(Case(f"between walls, {name}, e = {e}, v = {v0:g}, h = {step:g}",
                      lambda carom, m=method, e=e, v=v0, h=step: between_walls(carom, m, e, v, h)))


# Bounces on a floor rest after (1 + e)/(1 - e) times the fall. With a step that is too long for them that is not so, and is told.
def on_floor(carom, method, e, step):
    g, end = 1e6, 4.0
    system = formulas(["y"], f"0.5*y'^2 - {g}*y", gaps={"floor": "y"})
    run = carom.run(scenario(system, [1.0], [0.0], method | {"restitution": e}, step, end))
    claim(run.code in (DONE, FAILED), f"exit code {run.code}: {run.err[:200]}")
    if run.code == FAILED:
        return
    t = math.sqrt(2 / g)
    v = g * t
    while t < end and v > 1e-9:
        v *= e
        t += 2 * v / g
    energy = run.summary["energy"]
    if not any("too short for the step" in warning for warning in run.warnings):
        near("energy at the end", energy["initial"] + energy["work"] - energy["loss"] + energy["remainder"],
             0.5 * v * v if t >= end else 0, 0.02 * energy["initial"])


for name in ("contact", "dae-euler"):
    for e, step in itertools.product((0.9999, 0.99), (0.1, 1.0, 4.0)):
        CASES.append(Case(f"on a floor, {name}, e = {e}, h = {step:g}",
                          lambda carom, m=METHODS[name], e=e, h=step: on_floor(carom, m, e, h)))


# What is thrown at a usual step bounces to rest without a word of it.
def bounces_to_rest(carom, method, e):
    system = formulas(["x", "y"], "0.5*(x'^2 + y'^2) - 10*y", gaps={"floor": "y"})
    run = carom.run(scenario(system, [0.0, 1.0], [1.0, 0.0], method | {"restitution": e}, 0.01, 4.0)).done()
    claim(not run.warnings, f"warns: {run.warnings}")
    near("height", run.q[1], 0, 1e-12)


for name, e in itertools.product(("contact", "dae-euler"), (0.0, 0.2, 0.5)):
    CASES.append(Case(f"to rest, {name}, e = {e}", lambda carom, m=METHODS[name], e=e: bounces_to_rest(carom, m, e)))


# A floor is met, or refused by name: never passed.
def never_passed(carom, gap, method):
    run = carom.run(scenario(formulas(["y"], "0.5*y'^2 - 10*y", gaps={"floor": gap}), [1.0], [0.0], method, 0.01, 1.0))
    if run.code == DONE and method["stepper"] == "direct":  # a baseline that may give back nothing
        claim(run.q[0] > -0.1, f"y = {run.q[0]}")
    elif run.code == DONE:
        near("y", run.q[0], 1 - 5 * (1 - 2 * math.sqrt(0.2)) ** 2, 0.1)
    else:
        claim(run.code == FAILED and "floor" in run.err, f"exit code {run.code}: {run.err[:200]}")


for gap, stepper in itertools.product(("tanh(1e4*y)", "if(y > 0, y, y^2)", "abs(y)", "2*y"),
                                      ("event-driven", "contact", "gvi", "dae-euler", "direct")):
    CASES.append(Case(f"never passed: {gap}, {stepper}", lambda carom, g=gap, s=stepper: never_passed(carom, g, {"stepper": s})))


# A valley written as a kink is met as two gaps are, or says what to do.
def valley(carom, a, b, e):
    right = formulas(["x", "y"], "0.5*(x'^2 + y'^2) - 10*y", gaps={"l": f"y + {a}*x", "r": f"y - {b}*x"})
    kink = formulas(["x", "y"], "0.5*(x'^2 + y'^2) - 10*y", gaps={"v": f"y - max(-{a}*x, {b}*x)"})
    method = {"stepper": "contact", "restitution": e}
    runs = [carom.run(scenario(system, [0.4, 0.4 * b], [-2.0, -2.0 * b], method, 0.003, 0.21)) for system in (right, kink)]
    if runs[1].code == FAILED:
        return claim("gaps of their own" in runs[1].err, runs[1].err[:200])
    near("q", runs[1].done().q, runs[0].done().q, 1e-5)


for a, b, e in itertools.product((0.5, 1.01), (0.5, 1.0), (0.5, 1.0)):
    CASES.append(Case(f"valley {a}, {b}, e = {e}", lambda carom, a=a, b=b, e=e: valley(carom, a, b, e)))


# Laws of modified energies, whatever the number of coordinates.
def of_many(carom, law, n):
    system = formulas([f"x{i}" for i in range(n)], " + ".join(f"0.5*x{i}'^2 - 5*x{i}" for i in range(n)) + f" - 0.1*(x0 - x{n - 1})^2",
                      gaps={"floor": "x0"})
    run = carom.run(scenario(system, [0.5 + 0.001 * i for i in range(n)], [0.0] * n, {"impact": law, "flow": "sva"}, 0.01, 0.6)).done()
    near("energy", run.summary["energy"]["remainder"], 0, 1e-3)
    claim(run.summary["impacts"]["count"] == 1, "no impact")


for law, n in itertools.product(("modified-energy", "stable-energy"), (16, 17, 40)):
    CASES.append(Case(f"{law} of {n} coordinates", lambda carom, l=law, n=n: of_many(carom, l, n)))

if __name__ == "__main__":
    main(CASES, __doc__)
