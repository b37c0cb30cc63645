#!/usr/bin/env python3
"""Random systems in formulas against SciPy's DOP853 with events: masses that depend on place, forces, curved and moving walls, losses.

None may differ by more than its own claim without saying so. With a tolerance that is ten times it, of the largest coordinate or
momentum; with fixed steps the error has to fall with the order when the step is halved. Both times how much the motion itself makes
of an error, which a run from a start nearby shows; where that is a lot the case is not judged.

usage: random_against_scipy.py PROGRAM [SOURCE_DIR] [--cases N] [--seed S] [--only NUMBER] [--jobs J]
"""

import dataclasses
import sys

import numpy as np

sys.dont_write_bytecode = True
from random_systems import Maker
from reference import OutOfReach, Reference
from support import DONE, FAILED, NotJudged, REFUSED, Suite, Wrong

# Methods with fixed steps, the first of them, and the order that the guide claims.
FIXED = [({"flow": "svc"}, 0.02, 2), ({"flow": "sva"}, 0.02, 2), ({"flow": "svb", "impact": "continuous-energy"}, 0.02, 2),
         ({"flow": "midpoint"}, 0.02, 2), ({"flow": "se1", "impact": "continuous-energy"}, 0.01, 1),
         ({"flow": "svc", "impact": "discrete-energy"}, 0.02, 2), ({"flow": "sva", "impact": "modified-energy"}, 0.02, 2),
         ({"flow": "sva", "impact": "stable-energy"}, 0.02, 2), ({"flow": "yoshida4"}, 0.02, 4),
         ({"flow": "yoshida4", "impact": "discrete-energy"}, 0.02, 4), ({"flow": "suzuki4", "impact": "continuous-energy"}, 0.04, 4),
         ({"flow": "kahan-li6"}, 0.04, 6), ({"flow": "kahan-li8", "impact": "continuous-energy"}, 0.08, 8),
         ({"flow": "gauss", "stages": 2}, 0.04, 4), ({"flow": "gauss", "stages": 3, "impact": "shadow"}, 0.04, 6),
         ({"stepper": "contact", "flow": "svc"}, 0.02, 2), ({"stepper": "contact", "flow": "yoshida4"}, 0.02, 4),
         ({"stepper": "contact", "flow": "kahan-li6", "impact": "continuous-energy"}, 0.04, 6),
         ({"stepper": "dae-euler", "flow": "sva"}, 0.02, 2), ({"stepper": "dae-euler", "flow": "yoshida4"}, 0.02, 4)]
TOLERANCES = (1e-4, 1e-5, 1e-6, 1e-8, 1e-10, 1e-12)


def state(run):
    return np.concatenate([run.q, run.p])


@dataclasses.dataclass
class Comparison:
    """A system, where it is at the end, and how far from there a run may be for each unit of error on its way."""
    carom: object
    made: object
    e: float
    end: float

    def __post_init__(self):
        v = self.made.q * 0 if self.made.v is None else self.made.v
        try:
            self.right = Reference(self.made.system, self.e).move(self.made.q, v, self.end)
        except OutOfReach as why:
            raise NotJudged("beyond the reference") from why
        self.exact = np.concatenate([self.right.q, self.right.p])
        self.size = max(self.right.largest, np.abs(self.right.p).max())

    def run(self, method, step, made=None):
        # A step of the grid ends at `end`, whatever the program does with one that does not fit.
        method = method | ({"restitution": self.e} if self.e != 1 else {})
        return self.carom.run((made or self.made).text(method, self.end / round(self.end / step), self.end))

    def error(self, run):
        if len(run.times) != len(self.right.impacts):
            return np.inf
        return np.abs(state(run) - self.exact).max()

    def growth(self, method, step):
        """What becomes of an error of 1e-7 at the start, at least 1."""
        nearby = dataclasses.replace(self.made, q=self.made.q + 1e-7 * self.size)
        one, other = self.run(method, step), self.run(method, step, nearby)
        if one.code != DONE or other.code != DONE:
            return 1.0
        grown = np.abs(state(one) - state(other)).max() / (1e-7 * self.size)
        if grown > 1e3 or len(one.times) != len(other.times):
            raise NotJudged("chaotic")
        return max(1.0, grown)

    def impacts(self):
        return " with impacts" if self.right.impacts else ""

    def wrong(self, why, run):
        return Wrong(f"{why}\nright {self.exact} after impacts {self.right.impacts}\nfound {state(run)} after {run.times}\n{run.text}")


def by_tolerance(comparison, rng):
    tolerance = float(rng.choice(TOLERANCES))
    step = float(rng.choice([0.05, 0.25, comparison.end]))
    run = comparison.run({"tolerance": tolerance}, step)
    if run.code == FAILED:
        return "said so"
    allowed = (10 * tolerance + 2e-12) * comparison.size * comparison.growth({"tolerance": 1e-9}, step)
    error = comparison.error(run)
    if error > allowed:
        raise comparison.wrong(f"tolerance {tolerance:g}: off by {error:.2e}, allowed {allowed:.1e}; warnings {run.warnings}", run)
    return f"to tolerance{comparison.impacts()}"


def by_order(comparison, rng):
    method, first, order = FIXED[rng.integers(len(FIXED))]
    if order > 4 and comparison.made.system["gaps"] and "shadow" in method.get("impact", "shadow"):
        method = method | {"order": 8}
    steps = first / 2.0**np.arange(5)
    runs = [comparison.run(method, step) for step in steps]
    if any(run.code == REFUSED for run in runs):
        raise NotJudged("refused")
    if any(run.code == FAILED or run.warnings for run in runs[2:]):
        return "said so"
    floor = 1e-10 * comparison.size * comparison.growth(method, steps[2])
    errors = np.array([comparison.error(run) for run in runs])
    # The error over h^order is a constant in the end; where the order is one less it doubles with each halving.
    constants = errors / steps**order
    coarse = [c for c, error in zip(constants[:3], errors) if error < 0.3 * comparison.size]
    if not coarse and errors[-1] > 0.01 * comparison.size:
        raise NotJudged("steps too coarse")
    if errors[-1] > floor and (not coarse or constants[-1] > 3.5 * max(coarse)):
        listed = ", ".join(f"{error:.2e}" for error in errors)
        raise comparison.wrong(f"{method}: errors {listed} with h from {first} in halves, not of order {order}", runs[-1])
    return f"of order {order}{comparison.impacts()}"


def draw(carom, rng):
    """A system and an end; most of them with an impact on the way."""
    for _ in range(8):
        made = Maker(rng, coordinates=(1, 3), curved_mass=0.6, force=0.5, gaps=(1, 2), moving=0.3).make()
        end = float(rng.choice([1.5, 2.0, 3.0]))
        trial = carom.run(made.text({"tolerance": 1e-6}, end, end))
        if trial.summary and len(trial.times) or rng.random() < 0.05:
            break
    return made, end


def check(carom, rng, number):
    made, end = draw(carom, rng)
    e = float(np.round(rng.uniform(0.3, 1), 2)) if rng.random() < 0.4 else 1.0
    comparison = Comparison(carom, made, e, end)
    return (by_tolerance if number % 3 == 0 else by_order)(comparison, rng)


Suite(check, __doc__.splitlines()[0], 150).main()
