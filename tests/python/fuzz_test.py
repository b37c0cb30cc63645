#!/usr/bin/env python3
"""Bad input in every argument is a clear exception, never a crash: thousands of combinations of what people, and their bugs, pass.

By hand: fuzz_test.py PROGRAM SOURCE; the seed is fixed, so that what it finds is found again.
"""

import collections
import itertools
import pathlib
import random

import numpy as np
from support import PythonTest, main

import carom

COMBINATIONS = 10_000


class Strange:
    """Says it is an array, and is none."""

    ndim = 1

    def tolist(self):
        raise RuntimeError("strange")


def endless():
    x = []
    x.append(x)
    return x


ODD = [
    None, True, False, 0, 1, -1, 2**63, -(2**70), 10**400, 0.1, -0.0, 1e300, float("nan"), float("inf"), 1j, "", "x", "\0", "a\udcffb",
    "é" * 3, "x'^2", "((((", "1/0", "q" * 300, b"bytes", [], [[]], [1], [1, 2], [None], ["x", 1], (0.5,), {}, {"a": 1}, {1: 2}, {"a": {}},
    {"": ""}, set(), range(3), object(), int, len, np.float64(0.3), np.int8(-3), np.bool_(True), np.array(0.2), np.zeros(0), np.ones(2),
    np.ones((2, 2)), np.array(["x"]), np.array([object()]), np.datetime64("2020"), Strange(), endless(), pathlib.Path("x"), Ellipsis,
]  # fmt: skip
GOOD = {
    "q": [[0.3, 0.2], {"a": 0.3, "b": 0.2}, np.array([0.3, 0.2])], "v": [[0.1, 0.0]], "p": [[0.1, 0.0]], "end": [0.05], "step": [0.01],
    "start": [0.0], "impacts": [1], "until": ["a", "b - 1"], "method": ["svc", "sva", "contact", {"flow": "gauss", "stages": 2}],
    "tolerance": [1e-6], "restitution": [0.5], "every": [2], "quantities": [{"u": "a + b"}], "psi": [[0.1]], "project": [False],
    "force": [lambda t, q, v: [0.0, 0.0]], "progress": [None], "native": [False], "check": [True], "stepper": ["contact"], "order": [4],
    "impact": ["shadow"], "nonsense": [1],
}  # fmt: skip
SYSTEM = {
    "name": ["double-pendulum", "cart-pendulum"], "coordinates": [["a", "b"]], "lagrangian": ["0.5*(a'^2 + b'^2) - a^2 - b"],
    "parameters": [{"m": 1.0}], "gaps": [{"w": "b + 3"}], "force": [["0", "-a'"], {"a": "1"}], "title": ["t"], "initial": [{"q": [1, 2]}],
    "method": [{"flow": "sva"}], "time": [{"end": 0.02}], "output": [{"every": 2}], "draw": [{"points": {"p": ["a", "b"]}}],
    "let": [{"u": "a"}], "contacts": [{"c": {"gap": "a + 9"}}], "joints": [{"j": "a - b"}], "momenta": [{"k": "a'"}], "nonsense": [3],
}  # fmt: skip
EXPECTED = (carom.CaromError, TypeError, ValueError, OverflowError, RecursionError, RuntimeError, AttributeError)


class Fuzz(PythonTest):
    def pick(self, known, most):
        names = self.dice.sample(sorted(known), self.dice.randint(0, most))
        return {name: self.dice.choice(ODD if self.dice.random() < 0.5 else known[name]) for name in names}

    def attempt(self, what, act):
        try:
            act()
            self.seen["accepted"] += 1
        except EXPECTED as error:
            self.assertTrue(str(error), what)
            for own in ("Unable to cast", "incompatible function arguments", "has no attribute '_"):  # of the binding's
                self.assertNotIn(own, str(error), what)
            self.seen[type(error).__name__] += 1
        except Exception as error:
            self.fail(f"{what}: {type(error).__name__}: {error}")

    def test_combinations(self):
        self.dice, self.seen = random.Random(20), collections.Counter()
        system = carom.System("double-pendulum")
        formulas = carom.System(coordinates=["a", "b"], lagrangian="0.5*(a'^2 + b'^2) - a^2 - b", gaps={"w": "b + 3"})
        free = carom.System(coordinates=["a"], lagrangian="0.5*a'^2 - k*a^2", parameters={"k": 1.0})
        run = system.simulate(end=0.05)
        for k in range(COMBINATIONS):
            kind = k % 5
            if kind in (0, 1):
                chosen = {"end": 0.03, "q": [0.3, 0.2], **self.pick(GOOD, 4)}
                if "impacts" in chosen or "until" in chosen or isinstance(chosen["end"], (bool, float, int, type(None))):
                    chosen["end"] = 0.03  # nothing long
                self.attempt(chosen, lambda: (system if kind else formulas).simulate(**chosen))
            elif kind == 2:
                stated = self.pick(SYSTEM, 5)
                self.attempt(stated, lambda: carom.System(**stated))
            elif kind == 3:
                chosen = {key: x for key, x in self.pick(GOOD, 3).items() if key in ("q", "v", "p", "step", "start", "method", "order")}
                self.attempt(chosen, lambda: self.steps(formulas, chosen))
            else:
                x, y = self.dice.choice(ODD), self.dice.choice(ODD)
                act = self.dice.choice([
                    lambda: run(x, y), lambda: run(x), lambda: run[x], lambda: run.plot(x), lambda: carom.load(x), lambda: carom.scenario(x),
                    lambda: carom.System.from_toml(x), lambda: carom.sweep(system, {"initial.q.0": [0.1]}, x, end=0.02, threads=1),
                    lambda: carom.sweep(system, x, ["final.q.0"], end=0.02, threads=1), lambda: carom.solve_ivp(formulas, (0, 0.05), x, events=y),
                    lambda: carom.solve_ivp(formulas, x, y), lambda: carom.solve_ivp(formulas, (0, 0.05), [1, 2, 0, 0], t_eval=x, args=y),
                    lambda: carom.solve_ivp(formulas, (0, 0.05), [1, 2, 0, 0], rtol=x, atol=y), lambda: formulas.stepper(q=[0, 0], on_impact=x, forced=y),
                    lambda: carom.solve_ivp(x, (0, 0.05), [1, 2, 0, 0], samples=y), lambda: setattr(formulas.stepper(q=[0, 0]), "state", x), lambda: run.plot(axes=x, ax=y),
                    lambda: carom.solve_ivp(formulas, (0, 0.05), [1, 2, 0, 0], events=lambda t, y: x), lambda: run.animate("x.avi", width=x, speed=y),
                    lambda: carom.sweep(system, {"initial.q.0": x}, ["final.q.0"], end=0.02, threads=1), lambda: carom.solve_ivp(formulas, (0, 0.05), [1, 2, 0, 0], max_step=x),
                    lambda: carom.System("pendulum").with_parameters(g=x), lambda: carom.sweep(system, {"time.step": [0.01]}, [], end=0.02, threads=x),
                    lambda: run.jacobian(by=x), lambda: run.gradient(x, by=y), lambda: carom.objective(formulas, x, y, q=[0, 0], end=0.02)([0.1]),
                    lambda: carom.objective(formulas, "q.a", ["initial.q.a"], q=[0, 0], end=0.02)(x), lambda: carom.objective(x, "q.a", [y]),
                    lambda: carom.orbit(free, [0.1], [0.0], end=0.5, step=0.1, period=x), lambda: carom.orbit(free, x, y, end=0.5, step=0.1),
                    lambda: carom.orbit(free, [0.1], [0.0], end=0.5, step=0.1, along=x, to=y), lambda: carom.orbit(x, y),
                    lambda: carom.orbit(free, [0.1], [0.0], end=0.5, step=0.1, along="k", to=1.0, by=x),
                    lambda: carom.lyapunov(free, [0.1], [0.0], end=15.0, step=0.1, every=x, skip=y), lambda: carom.lyapunov(x, y),
                    lambda: carom.optimise(x, controls=y), lambda: carom.optimise(free, controls=["k"], steps=1, cost=x, end=y),
                    lambda: carom.optimise(free, controls=["k"], steps=1, cost={"running": "k^2"}, iterations=x, bounds=y),
                    lambda: carom.sweep(system, {"initial.q.0": [0.1]}, ["final.t"], end=0.02, threads=1, comm=x),
                ])  # fmt: skip
                self.attempt((x, y), lambda: self.keyed(act))
        print(f"{COMBINATIONS} combinations: {dict(self.seen)}")
        self.assertEqual(sum(self.seen.values()), COMBINATIONS)
        self.assertGreater(self.seen["accepted"], 500)

    def steps(self, system, chosen):
        stepper = system.stepper(**chosen, forced=True)
        for force in itertools.islice(self.dice.choices(ODD, k=3), 3):
            try:
                stepper.step(force)
            except EXPECTED:
                pass
        stepper.reset(q=self.dice.choice(ODD))

    @staticmethod
    def keyed(act):
        """What a mapping raises is an error of its own kind."""
        try:
            act()
        except (KeyError, IndexError, ImportError) as error:
            raise ValueError(str(error)) from error


if __name__ == "__main__":
    main()
