#!/usr/bin/env python3
"""A bad argument is a ScenarioError with its key and value, or another error of carom's own; what Python has for a list is one."""

import array
import collections
import os
import pickle

import numpy as np
from support import PythonTest, main

os.environ["MPLBACKEND"] = "Agg"

import carom

SWING = carom.System(coordinates=["x"], lagrangian="0.5*x'^2 - 0.5*x^2")
GRID = {"initial.q.0": [1.0]}


def simulate(**arguments):
    return SWING.simulate(**{"q": [1.0], "end": 0.1, **arguments})


def sweep(grid=GRID, fields=("impacts.count",), system=SWING, **arguments):
    return carom.sweep(system, grid, fields, q=[1.0], end=0.1, **arguments)


def solve(**arguments):
    return carom.solve_ivp(**{"system": SWING, "t_span": (0, 10), "y0": [1, 0.0], **arguments})


def an_event(**attributes):
    def event(t, y):
        return y[0]

    vars(event).update(attributes)
    return event


class Refused(PythonTest):
    def refused(self, key, value, act, *arguments, **named):
        with self.subTest(key=key, value=value):
            with self.assertRaises(carom.ScenarioError) as caught:
                act(*arguments, **named)
            error = caught.exception
            self.assertEqual((error.key, error.value), (key, value), str(error))
            self.assertTrue(error.why and "\n" not in str(error), str(error))

    def test_simulate(self):
        for bad in ("abc", 5.0):
            self.refused("force", repr(bad), simulate, force=bad)
        for bad in (["1"], [None], None, "x", np.array([1j]), [1.0, 2.0], float("nan"), [float("inf")], {}, [[1.0]]):
            self.refused("force", repr(bad), simulate, force=lambda t, q, v: bad)
        for key in ("native", "check"):
            for bad in ("no", 2, np.zeros(2), None):
                self.refused(key, repr(bad), simulate, **{key: bad})
        self.refused("initial.q", "<class 'NoneType'>", simulate, q=[None])
        self.refused("initial.q.z", "2", simulate, q={"x": 1, "z": 2})

    def test_systems(self):
        self.refused("system.parameters.nope", "1", carom.System, "star", parameters={"nope": 1})
        self.refused("system.parameters.nope", "1", carom.System("star").with_parameters, nope=1)
        self.refused("system.parameters.nope", "1", carom.scenario, "juggled-ball", nope=1)
        self.refused("system.parameters.g", '"a"', carom.System("star").with_parameters, g="a")
        self.refused("system.parameters.m1", "-1", carom.System, "cart-pendulum", parameters={"m1": -1})
        self.refused("text", "5", carom.System.from_toml, 5)
        self.refused("path_or_name", "5", carom.scenario, 5)
        force = len
        self.refused("force", repr(force), carom.System, coordinates=["x"], lagrangian="x'^2", force=force)

    def test_steppers(self):
        stepper = SWING.stepper(q=[1.0], step=0.1, forced=True)
        kept = stepper.state
        for bad in ("a", 5, None, [None]):
            self.refused("state", repr(bad), setattr, stepper, "state", bad)
        for bad in ([1.0], kept[:-1] + [1e18], kept[:-2] + kept[-1:], [kept[0], 1e300, *kept[2:]], []):
            with self.assertRaises(carom.RecordError) as caught:
                stepper.state = bad
            self.assertEqual(caught.exception.key, "state")
        other = carom.System(coordinates=["z"], lagrangian="0.5*z'^2 - 0.5*z^2").stepper(q=[1.0], step=0.1, forced=True)
        with self.assertRaises(carom.RecordError):
            other.state = kept
        self.refused("on_impact", "5", SWING.stepper, q=[1.0], on_impact=5)
        self.refused("end", "1.0", SWING.stepper, q=[1.0], end=1.0)
        self.refused("forced", "1", SWING.stepper, q=[1.0], forced=1)
        self.refused("force", "nan", stepper.step, float("nan"))
        stepper.reset(q={"x": 0.5})
        self.assertEqual(stepper.q[0], 0.5)
        with self.assertRaisesRegex(carom.RunFailed, "beyond 1e100"):
            stepper.step(1e200)
        self.assertEqual((stepper.q[0], stepper.t), (0.5, 0.0))
        dae = carom.scenario("dae-exponential")
        self.refused("system.name", '"dae-exponential"', dae.stepper)
        self.refused("system.name", '"dae-exponential"', dae.simulate(end=0.1), 0.05)

    def test_sweeps(self):
        for bad in (None, 5, "a"):
            self.refused("grid", repr(bad), sweep, bad)
        for bad in (5, "a", [[1], [2, 3]], [None], {"a": 1}, [object]):
            self.refused("grid.initial.q.0", repr(bad), sweep, {"initial.q.0": bad})
        self.refused("system", "'cart-pendulum'", sweep, system="cart-pendulum")
        self.refused("fields", "'impacts.count'", sweep, fields="impacts.count")
        self.refused("fields", "5", sweep, fields=[5])
        self.refused("initial.q.0", '"a"', sweep, {"initial.q.0": ["a"]})
        for bad in (10**30, -1, 1.5, "2"):
            self.refused("threads", repr(bad), sweep, threads=bad)
        self.refused("comm", "5", sweep, comm=5)

    def test_solve_ivp(self):
        for key, values in {
            "t_span": (None, (0,), (0, 1, 2), {}, (None, 1), "ab", (1, 0), (0, 0), (0, float("nan")), 5),
            "t_eval": ([11], [0, float("nan")], [5, 1], [1, 1], "a", 5),
            "y0": ("ab", {"x": 1}, [1], None, [1, "x"], [[1], [0]]),
            "events": (5, "a", {}), "samples": (None, 1, 2.5, "8"), "dense_output": (1, None), "vectorized": ("no",), "args": (5, "ab"),
            "rtol": (0, -1, "a", [], float("nan")), "max_step": (0, -1, "a"), "system": (None, "cart-pendulum"),
        }.items():  # fmt: skip
            for bad in values:
                self.refused(key, repr(bad), solve, **{key: bad})
        self.refused("events", "5", solve, events=[5])
        self.refused("events", "'a'", solve, events=lambda t, y: "a")
        self.refused("terminal", "'x'", solve, events=an_event(terminal="x"))
        self.refused("direction", "'x'", solve, events=an_event(direction="x"))
        self.refused("tolerance", "1e-06", solve, rtol=1e-6, tolerance=1e-6)
        self.refused("method.name", '"RK45"', solve, method="RK45")
        with self.assertRaisesRegex(carom.ScenarioError, "SciPy's own solve_ivp takes a function"):
            solve(system=lambda t, y: [y[1], -y[0]])

    def test_derivatives(self):
        held = carom.System(coordinates=["x"], lagrangian="0.5*x'^2 - k*x^2", parameters={"k": 0.5})
        start = dict(q=[1.0], v=[0.0], end=15.0, step=0.1)
        run = held.simulate(**start)
        self.refused("by", "5", run.jacobian, by=5)
        self.refused("of", "''", run.gradient, "")
        self.refused("of", "5", run.gradient, 5)
        self.refused("of", "nonsense", run.gradient, "nonsense")
        for bad in ("initial.q", "initial.z.x", "g"):
            self.refused("variables", repr(bad), carom.objective, held, "q.x", [bad], **start)
        for bad in (np.ones(1), "ab", np.ones((1, 2))):
            self.refused("x", repr(bad), carom.objective(held, "q.x", ["k", "initial.q.x"], **start), bad)
        for key, values in {"along": (5, None), "period": ([], None), "by": (0, "x", float("nan")), "to": ("x",)}.items():
            for bad in values:
                self.refused(key, repr(bad), carom.orbit, held, **{**start, "along": "k", "to": 1, key: bad})
        for key, values in {"every": (0, -3, "x", 10**30), "skip": (-1.0, "x", float("nan"))}.items():
            for bad in values:
                self.refused(key, repr(bad), carom.lyapunov, held, **start, **{key: bad})
        self.refused("skip", "1000", carom.lyapunov, held, **start, skip=1000)
        for act in (lambda x: carom.objective(x, "q.x", []), carom.orbit, carom.lyapunov, carom.optimise):
            self.refused("system", "5", act, 5)
        ball = dict(controls=["u"], steps=4, cost={"running": "u^2"}, end={"y": 1.5})
        self.refused("iterations", "-1", carom.optimise, carom.scenario("juggled-ball"), **ball, iterations=-1)
        self.refused("bounds.u.0", "None", carom.optimise, carom.scenario("juggled-ball"), **ball, bounds={"u": [None, 1]})

    def test_what_is_made_of_runs(self):
        run = simulate()
        run.save(self.folder / "run")
        with self.assertRaisesRegex(carom.FolderError, r"^save\(\): .*exists already.*force=True"):
            run.save(self.folder / "run")
        (self.folder / "file").write_text("")
        with self.assertRaisesRegex(carom.FolderError, r"^save\(\): .*is not a folder"):
            run.save(self.folder / "file")
        for bad in ("a\0b", 5, None):
            self.refused("folder", repr(bad), run.save, bad)
        for bad in ("a", None, ["0.1"], [[1.0], [1.0, 2.0]], 1j):
            self.refused("t", repr(bad), run, bad)
        self.refused("axes", "5", run.plot, axes=5)
        self.refused("axes", "[]", run.plot, axes=[])
        for key, values in {"speed": (float("inf"), 0, -1, "a", 1e-11), "width": ("a", 3, 1e9, 100.5), "fps": (0, "a", 1e6), "path": (5,)}.items():
            for bad in values:
                given = {"path": self.folder / "x.gif", key: bad}
                self.refused(key, repr(bad), run.animate, **given)

    def test_a_failed_run_is_pickled_with_its_exception(self):
        cart = carom.System("cart-pendulum")
        with self.assertRaises(carom.RunFailed) as caught:
            cart.simulate(end=100.0, step=2.0, check=True)
        again = pickle.loads(pickle.dumps(caught.exception))
        self.same(again.run, caught.exception.run)
        self.assertEqual(str(again), again.run.reason)


class Taken(PythonTest):
    def test_lists_by_other_names(self):
        expected = carom.System("double-pendulum").simulate(q=[1.0, 2.0], end=0.1).q
        for q in (collections.deque([1, 2]), range(1, 3), array.array("d", [1, 2]), np.array([1, 2]), np.array([1, 2], np.longdouble),
                  np.array([1, 2], np.float32), (1.0, np.float32(2.0)), [np.longdouble(1), np.int8(2)]):  # fmt: skip
            np.testing.assert_array_equal(carom.System("double-pendulum").simulate(q=q, end=0.1).q, expected)

    def test_numbers_by_other_names(self):
        run = SWING.simulate(q=[1.0], end=np.float32(1.0), step=np.float64(0.01), every=1e1, impacts=1e6)
        self.assertEqual(len(run.t), 11)


if __name__ == "__main__":
    main()
