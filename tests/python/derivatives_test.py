#!/usr/bin/env python3
"""Derivatives, orbits, exponents and optimal control from Python: the numbers of the program, and what scipy makes of gradients."""

import math
import pickle

import numpy as np
import scipy.optimize
from support import PythonTest, main

import carom

BALLS = dict(coordinates=["x1", "x2"], parameters={"R": 0.1, "e": 1.0}, lagrangian="x1'^2/2 + x2'^2/2",
             contacts={"balls": {"gap": "x2 - x1 - 2*R", "restitution": "e"}})
STOP = dict(coordinates=["x"], parameters={"w": 2.6}, lagrangian="x'^2/2 - x^2/2 + cos(w*t)*x", gaps={"stop": "-x"},
            method={"flow": "gauss", "impact": "continuous-energy", "restitution": 0.8}, time={"step": 0.05, "end": 2.4})
KEEPS_H = dict(method="svc", impact="continuous-energy")
# Task 2 of arXiv:2207.05060: a throw against floor and wall that is to end at (-2, 1.5).
THROW = dict(coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2 - 9.8*y", gaps={"floor": "y - 0.1", "wall": "1.65 - x"})
START = dict(q=[-0.5, 1.0], v=[5.0, -5.0], end=0.6, step=0.01, restitution=0.92, **KEEPS_H)
MISS = {"miss": "(x + 2)^2 + (y - 1.5)^2"}


class Slopes(PythonTest):
    def test_two_balls(self):
        run = carom.System(**BALLS).simulate(q=[0.0, 0.7], v=[1.0, 0.0], end=1.0, step=0.1, **KEEPS_H)
        found = run.jacobian()
        self.assertEqual(found.columns, ["initial.q.x1", "initial.q.x2", "initial.v.x1", "initial.v.x2", "R", "e"])
        np.testing.assert_allclose(found.slopes[found.rows.index("q.x2")], [1, 0, 1, 0, 2, 0.25], atol=1e-13)
        self.assertEqual([contact for _, contact in found.impacts], ["balls"])
        self.assertAlmostEqual(found.slowest_approach, 1, 12)
        back = run.gradient("q.x2", by=["R"])
        self.assertEqual((back.rows, back.columns[-1], back.slopes.shape), (["q.x2"], "R", (1, 5)))
        np.testing.assert_allclose(back.slopes[0], [1, 0, 1, 0, 2], atol=1e-13)
        with self.assertRaisesRegex(carom.ScenarioError, "is no number at the end"):
            run.gradient("q.x3")

    def test_task_2_by_scipy_in_two_lines(self):
        throw = carom.System(**THROW)
        f = carom.objective(throw, "miss", ["initial.v.x", "initial.v.y"], quantities=MISS, **START)
        value, slopes = f([5.0, -5.0])
        self.assertAlmostEqual(value, 8.31613858220178918957653553848, 11)
        np.testing.assert_allclose(slopes, [-3.166272, -0.212229548006031562101925315742], atol=1e-9)
        found = scipy.optimize.minimize(f, [9.0, -4.5], jac=True, tol=1e-12)
        np.testing.assert_allclose(found.x, [10.1956521739130434782608695652, -4.09071009106745260721568953243], atol=1e-5)
        self.assertLess(found.fun, 1e-10)

    def test_parameters_of_an_objective(self):
        ball = carom.System(coordinates=["y"], parameters={"g": 10.0}, lagrangian="y'^2/2 - g*y")
        f = carom.objective(ball, "q.y", ["g", "initial.q.y"], q=[1.0], v=[2.0], end=1.0, step=0.1, method="svc")
        value, slopes = f([8.0, 3.0])
        self.assertAlmostEqual(value, 3 + 2 - 4, 12)
        np.testing.assert_allclose(slopes, [-0.5, 1], atol=1e-12)
        with self.assertRaises(ValueError):
            f([1.0])

    def test_what_has_no_derivative_is_refused(self):
        rubs = carom.System(coordinates=["x", "y"], lagrangian="x'^2/2 + y'^2/2 - y", contacts={"floor": {"gap": "y", "mu": 0.3, "slide": "x"}})
        run = rubs.simulate(q=[1.0, 1.0], end=0.1, step=0.01)
        with self.assertRaisesRegex(carom.ScenarioError, "friction"):
            run.jacobian()


class Orbits(PythonTest):
    def test_the_oscillators_branch(self):
        found = carom.orbit(carom.System(**STOP), [-0.65], [0.02], period="2*pi/w", along="w", to=2.7, by=0.02)
        np.testing.assert_allclose(found.orbits[0].multipliers, [-0.57453965 + 0.55669032j, -0.57453965 - 0.55669032j], atol=1e-6)
        kind, at = found.events[0]
        self.assertEqual((kind, at.impacts), ("period doubling", ["stop"]))
        self.assertAlmostEqual(at.parameter, 2.65334772785532293416, 9)
        with self.assertRaisesRegex(carom.ScenarioError, "to=2.7"):
            carom.orbit(carom.System(**STOP), along="w")

    def test_exponents_of_a_pendulum(self):
        # Upright: +-1 exactly, and the map keeps areas.
        top = carom.System(coordinates=["a"], lagrangian="a'^2/2 - cos(a)")
        found = carom.lyapunov(top, [0.0], [0.0], end=40.0, step=0.05, skip=20.0, method="gauss")
        np.testing.assert_allclose(found.exponents, [1, -1], atol=1e-6)
        self.assertLess(abs(found.pairs[0]), 1e-12)


class Control(PythonTest):
    def test_a_system_and_keys(self):
        ball = carom.scenario("juggled-ball")
        plan = carom.optimise(ball, controls=["u"], steps=4, impacts=["table"], cost={"running": "u^2"}, end={"y": 1.5, "y'": 0.0})
        self.assertAlmostEqual(plan.cost, 18.5293042270039270336, 10)
        self.assertAlmostEqual(plan.run.impacts.t[0], 0.471974353554597917, 8)
        self.assertAlmostEqual(plan.run.q[-1, 0], 1.5, 9)
        t, u = plan.control("u")
        self.assertEqual((t.shape, u.shape), ((16,), (16,)))
        np.testing.assert_allclose(plan.run["control_u"][0], 3.74466618540558224867955735126, atol=1e-6)

    def test_a_file(self):
        path = self.folder / "p.toml"
        path.write_text('scenario = "juggled-ball"\ncontrols = ["u"]\nsteps = 8\n[cost]\nrunning = "u^2"\n[end]\ny = 2.0\n"y\'" = 0.0\n')
        # No bounce: y'' = u - 10 from rest to rest, whose optimum is u = 10 + 6 (1 - 2t/T)/T^2.
        T = 1.2
        plan = carom.optimise(path)
        self.assertAlmostEqual(plan.cost, 100 * T + 12 / T**3, 9)
        self.assertEqual(len(plan.run.impacts), 0)
        path.write_text(path.read_text().replace("y = 2.0", "y = -2.0"))
        with self.assertRaisesRegex(carom.RunFailed, "end.y") as failed:
            carom.optimise(path)
        self.assertTrue(math.isfinite(failed.exception.plan["cost"]))
        self.assertEqual(pickle.loads(pickle.dumps(failed.exception)).plan, failed.exception.plan)
        path.write_text(path.read_text().replace("u^2", "u^2 +"))
        with self.assertRaises(carom.ScenarioError) as refused:
            carom.optimise(path)
        self.assertEqual(refused.exception.key, "cost.running")


if __name__ == "__main__":
    main()
