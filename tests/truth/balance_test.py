#!/usr/bin/env python3
"""With forces the balance of energy closes to the order of the method, by every stepper, and an impact has that order, by every law.

usage: balance_test.py PROGRAM [SOURCE_DIR] [--only NAME]
"""

import itertools
import sys

import numpy as np

sys.dont_write_bytecode = True
from support import Case, claim, formulas, main, near, scenario

CASES = []
STEPPERS = {"flow": {}, "contact": {"stepper": "contact"}, "contact yoshida4": {"stepper": "contact", "flow": "yoshida4"},
            "gauss": {"flow": "gauss"}, "tolerance": {"tolerance": 1e-10}, "gvi": {"stepper": "gvi"}, "dae": {"stepper": "dae-euler"},
            "dae sva": {"stepper": "dae-euler", "flow": "sva"}}
STEPPERS |= {f"direct {scheme}": {"stepper": "direct", "scheme": scheme} for scheme in ("endpoint", "midpoint", "newmark", "imex-newmark")}
FORCES = {"constant": ["0.7", "0"], "of time": ["sin(3*t)", "t"], "of place": ["-y", "x"], "damping": ["-0.3*x'", "-0.3*y'"],
          "with the motion": ["y'", "-x' + 0.2*x'"]}


# What forces do is work: nothing is left but the error of the method, which a shorter step makes smaller.
def closes(carom, method, force):
    system = formulas(["x", "y"], "0.5*(x'^2 + 2*y'^2) - 0.5*(x^2 + y^2)", force=force)
    left, exchanged = [], []
    for step in (0.02, 0.01):
        energy = carom.run(scenario(system, [1.0, 0.3], [0.5, -1.0], method, step, 2.0)).done().summary["energy"]
        left.append(abs(energy["remainder"])), exchanged.append(abs(energy["work"]))
    rounding = 1e-12 if "tolerance" not in method else 1e-9
    first_order = method.get("stepper") == "dae-euler" and "flow" not in method
    claim(exchanged[1] > 1e-3 or left[1] < rounding, f"work {exchanged[1]:.2e}")
    claim(left[1] < (0.05 if first_order else 1e-3), f"remainder {left[1]:.2e}")
    claim(left[1] < max(rounding, (0.7 if first_order else 0.4) * left[0]), f"remainders {left[0]:.2e}, {left[1]:.2e} with half the step")


for (method, options), (name, force) in itertools.product(STEPPERS.items(), FORCES.items()):
    CASES.append(Case(f"balance of {method}, {name}", lambda carom, o=options, f=force: closes(carom, o, f)))


# A wall without losses gives the rate of the gap back, whatever pushes: the order of the law's error is that of the flow.
def gives_back(carom, law, flow, order):
    system = formulas(["y"], "0.5*y'^2 - 9.81*y", force=["-0.3*y' + sin(5*t)"], gaps={"floor": "y"})
    errors = []
    for step in (0.02, 0.01):
        run = carom.run(scenario(system, [1.0], [0.0], {"impact": law, "flow": flow}, step, 2.0), rows=True).done()
        errors.append(max(abs(hit["gap_rate_after"] / hit["gap_rate_before"] + 1) for hit in run.impacts))
    near("rate given back", errors[1], 0, 1e-3)
    claim(errors[1] < max(1e-12, 1.6 * errors[0] / 2**order), f"errors {errors[0]:.2e}, {errors[1]:.2e} with half the step")


for law, flow in [("continuous-energy", "svc"), ("discrete-energy", "svc"), ("modified-energy", "sva"), ("stable-energy", "svc"),
                  ("stable-energy", "sva"), ("shadow", "svc"), ("discrete-energy", "yoshida4"), ("shadow", "yoshida4")]:
    CASES.append(Case(f"rate given back by {law}, {flow}", lambda carom, l=law, f=flow: gives_back(carom, l, f, 4 if f == "yoshida4" else 2)))

if __name__ == "__main__":
    main(CASES, __doc__)
