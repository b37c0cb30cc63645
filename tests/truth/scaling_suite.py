#!/usr/bin/env python3
"""Nothing depends on units, nor on what does not matter: every built-in system and random ones in formulas, by every stepper.

Scaled by powers of two, the same bits come back; by others the same up to rounding, whose size is measured: by units that differ
from the first by factors near 1, where no tolerance can tell. The same for a gap times a number, a constant added to V, a free
coordinate at any speed and a heavy mass that looks on. Chaotic runs are not judged, nor those that warn of what has changed.

usage: scaling_suite.py PROGRAM [SOURCE_DIR] [--cases N] [--seed S] [--only NUMBER] [--jobs J]
"""

import dataclasses
import json
import subprocess
import sys

import numpy as np

sys.dont_write_bytecode = True
from random_systems import Maker, Mechanical, UNITS
from support import DONE, FAILED, NotJudged, REFUSED, Suite, Wrong

M, L, V, ACCELERATION = (1, 0, 0), (0, 1, 0), (0, 1, -1), (0, 1, -2)
STIFFNESS = (1, 0, -2)
# The units of the parameters of built-in systems, and which coordinates are lengths where not all are.
BUILT_IN = {
    "point-mass": {"m": M, "g": ACCELERATION},
    "particle": {"m": M, "g": ACCELERATION},
    "star": {"m": M, "L": L, "g": ACCELERATION},
    "double-pendulum": {"m1": M, "m2": M, "L1": L, "L2": L, "g": ACCELERATION, "wall": L},
    "cart-pendulum": {"m1": M, "m2": M, "L": L, "g": ACCELERATION},
    "billiard": {"m": M, "a": L, "b": L, "k": STIFFNESS, "g": ACCELERATION},
    "pogo-stick": {"m": M, "k": STIFFNESS, "k4": (1, -2, -2), "l": L, "g": ACCELERATION},
    "spring-and-sphere": {"m": M, "a": (1, 4, -2), "k": STIFFNESS, "l": L, "r": L},
    "nonlinear-oscillator": {"m": M, "r1": L, "r2": L},
    "wedge": {"m": M, "g": ACCELERATION},
    "disc": {"m": M, "g": ACCELERATION, "R": L, "v0": V},
    "pendulum": {"m": M, "l": L, "g": ACCELERATION},
    "newton-cradle": {"m": M, "r": L, "l": L, "g": ACCELERATION, "gap": L},
    "lennard-jones-chain": {"m": M, "epsilon": (1, 2, -2), "sigma": L, "r": L, "radius": L, "l": L, "speed": V},
    "column": {"m": M, "r": L, "g": ACCELERATION},
    "box-of-discs": {"m": M, "r": L, "width": L, "height": L, "g": ACCELERATION, "speed": V},
    "mass-on-cubic": {"m": M, "b": (0, -2, 0), "g": ACCELERATION},
}
LENGTHS = {"star": [1, 1, 0], "double-pendulum": [0, 0], "cart-pendulum": [1, 0], "newton-cradle": [0] * 5}
METHODS = [{}, {"stepper": "contact"}, {"stepper": "contact", "impact": "continuous-energy"}, {"impact": "continuous-energy"},
           {"impact": "discrete-energy"}, {"flow": "sva", "impact": "modified-energy"}, {"flow": "sva", "impact": "stable-energy"},
           {"flow": "se1"}, {"flow": "midpoint"}, {"flow": "svb"}, {"flow": "yoshida4"}, {"flow": "suzuki4", "stepper": "contact"},
           {"flow": "kahan-li6"}, {"flow": "kahan-li8", "impact": "continuous-energy"}, {"flow": "gauss", "stages": 3},
           {"tolerance": 1e-6}, {"tolerance": 1e-10}, {"stepper": "gvi"}, {"stepper": "gvi", "energy": "shadow"},
           {"stepper": "gvi", "energy": "numerical", "flow": "midpoint"}, {"stepper": "direct"}, {"stepper": "smooth"},
           {"stepper": "direct", "scheme": "newmark"}, {"stepper": "dae-euler"}, {"stepper": "dae-euler", "flow": "se1"}]
ONE = (1.0, 1.0, 1.0)


def built_in(carom, rng):
    name = str(rng.choice(list(BUILT_IN)))
    listed = json.loads(subprocess.check_output([carom.program, "list", "systems", "--json"]))
    start = next(each["start"] for each in listed if each["name"] == name)
    values = {key: about["default"] for each in listed if each["name"] == name for key, about in each["parameters"].items()}
    values = {key: value for key, value in values.items() if key in BUILT_IN[name]}
    if name == "mass-on-cubic":  # otherwise the unit of c_f has broken exponents
        values["r_f"] = 1.0
    lengths = LENGTHS.get(name, [1] * len(start["q"]))
    return Mechanical({"name": name, "parameters": values}, BUILT_IN[name], lengths, np.array(start["q"]), None, np.array(start["p"]))


@dataclasses.dataclass
class Trial:
    """A system with its method and grid, and what comes of it in chosen units, told in the first ones."""
    carom: object
    mechanical: Mechanical
    method: dict
    step: float
    steps: int

    def run(self, scales=ONE, mechanical=None):
        made = (mechanical or self.mechanical).scaled(scales)
        text = made.text(self.method, self.step * scales[2], self.step * self.steps * scales[2])
        try:
            run = self.carom.run(text)
        except Wrong as hang:
            raise Wrong(f"{hang}\n{text}") from None
        if run.code not in (DONE, FAILED, REFUSED):
            raise Wrong(f"exit code {run.code}: {run.err.strip()[:300]}\n{run.text}")
        if run.code == REFUSED:
            return run, None
        n = len(self.mechanical.lengths)
        state = [run.q[:n] / self.mechanical.position(scales), run.p[:n] / self.mechanical.momentum(scales),
                 run.times / scales[2], [run.t / scales[2]]]
        return run, np.concatenate(state)


def differ(one, other):
    """The largest difference, over the sizes; infinite where impacts are of different number."""
    if one.size != other.size:
        return np.inf
    return np.abs(one - other).max() / max(1.0, np.abs(one).max())


def powers(rng, base, most, fixed=False):
    k, j = rng.integers(-most, most + 1, 2)
    chosen = (2 * j, 0, j) if fixed else rng.integers(-most, most + 1, 3)
    return tuple(float(base)**int(power) for power in chosen)


def same_bits(trial, rng):
    fixed = trial.mechanical.system["name"] == "nonlinear-oscillator"  # its potential has numbers with units
    scales = powers(rng, 2, 20 if fixed else 40, fixed)
    (first, right), (second, found) = trial.run(), trial.run(scales)
    if first.code != second.code or right.size != found.size or not np.array_equal(right, found) or \
            len(first.warnings) != len(second.warnings):
        raise Wrong(told(first, second, right, found, f"units of mass, length and time times {scales}: not the same bits"))


def told(first, second, right, found, why):
    off = "" if found is None or right.size != found.size else f"; off by {np.abs(found - right).max():.2e}"
    return (f"{why}{off}\nexit codes {first.code}, {second.code} {second.err.strip()[:200]}\nright {right}\nfound {found}\n"
            f"--- the first\n{first.text}--- the second\n{second.text}")


def to_rounding(trial, change, allowed=0.0, scales=ONE):
    """`change` makes the system another one, with the same motion."""
    first, right = trial.run()
    nearby = [trial.run(tuple(rng_scale)) for rng_scale in ((3.0, 1.0, 1.0), (1.0, 0.7, 1.0), (0.9, 1.1, 1.3))
              if trial.mechanical.system["name"] != "nonlinear-oscillator"]
    rounding = max((differ(right, found) if run.code == first.code else np.inf for run, found in nearby), default=1e-12)
    if rounding > 1e-8:
        raise NotJudged("chaotic")
    second, found = trial.run(scales, change(trial.mechanical))
    bound = 1e-11 + 100 * rounding + allowed + 20 * trial.method.get("tolerance", 0.0)
    if len(second.warnings) > len(first.warnings):
        raise NotJudged("said so")
    if first.code != second.code or differ(right, found) > bound:
        raise Wrong(told(first, second, right, found, f"{change.__doc__}: more than rounding, {bound:.1e}"))


def scale_by_ten(trial, rng):
    fixed = trial.mechanical.system["name"] == "nonlinear-oscillator"
    def change(mechanical):
        return mechanical
    scales = powers(rng, 10, 6 if fixed else 12, fixed)
    change.__doc__ = f"units of mass, length and time times {scales}"
    to_rounding(trial, change, scales=scales)


def scale_gaps(trial, rng):
    factors = 10.0**rng.integers(-12, 13, len(trial.mechanical.system["gaps"] or ()))
    def change(mechanical):
        """gaps times numbers"""
        gaps = {name: f"{float(factor)!r}*({gap})" for factor, (name, gap) in zip(factors, mechanical.system["gaps"].items())}
        return dataclasses.replace(mechanical, system=mechanical.system | {"gaps": gaps})
    to_rounding(trial, change)


def add_to_lagrangian(mechanical, term, **more):
    return dataclasses.replace(mechanical, system=mechanical.system | {"lagrangian": mechanical.system["lagrangian"] + term} | more)


def add_constant(trial, rng):
    size = float(10.0**rng.integers(-3, 7)) * rng.choice([-1, 1])
    def change(mechanical):
        """a constant added to V"""
        return add_to_lagrangian(mechanical, f" - ({float(size)!r})*m*l^2*w^2")
    to_rounding(trial, change, allowed=1e-13 * abs(size))


def add_spectator(trial, mass, speed, place):
    def change(mechanical):
        """a coordinate that nothing depends on"""
        system = mechanical.system
        moved = add_to_lagrangian(mechanical, f" + 0.5*{mass!r}*m*z'^2", coordinates=system["coordinates"] + ["z"],
                                  force=system["force"] + ["0"] if system["force"] else None)
        v = mechanical.q * 0 if mechanical.v is None else mechanical.v
        return dataclasses.replace(moved, q=np.append(mechanical.q, place), v=np.append(v, speed), lengths=mechanical.lengths + [1])
    to_rounding(trial, change)


def add_free(trial, rng):
    add_spectator(trial, 1.0, float(10.0**rng.uniform(-6, 8)), 0.0)


def add_heavy(trial, rng):
    add_spectator(trial, 1e12, float(rng.choice([0.0, 0.37])), float(rng.choice([0.0, 5.0])))


KINDS = [("same bits", same_bits, True), ("same bits", same_bits, False), ("by tens", scale_by_ten, True), ("by tens", scale_by_ten, False),
         ("gaps", scale_gaps, False), ("constant", add_constant, False), ("free", add_free, False), ("heavy", add_heavy, False)]


def check(carom, rng, number):
    kind, test, of_built_in = KINDS[number % len(KINDS)]
    mechanical = built_in(carom, rng) if of_built_in else Maker(rng, gaps=(kind == "gaps", 3)).make()
    for _ in range(20):
        method = dict(METHODS[rng.integers(len(METHODS))])
        if method.get("stepper") not in ("gvi", "direct", "smooth") and rng.random() < 0.4:
            method["restitution"] = float(np.round(rng.uniform(0, 1), 2))
        trial = Trial(carom, mechanical, method, float(rng.choice([0.01, 0.02, 0.03])), int(rng.integers(20, 100)))
        if trial.run()[1] is not None:  # not refused
            test(trial, rng)
            return f"{kind}{' of built-in systems' if of_built_in else ''}"
    raise NotJudged("no method takes it")


Suite(check, __doc__.splitlines()[0], 1000).main()
