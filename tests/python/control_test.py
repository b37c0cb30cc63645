#!/usr/bin/env python3
"""Forces that Python gives, and steps that it takes by hand."""

import copy
import pickle
import time

import numpy as np
from support import PythonTest, main

import carom

CART = dict(coordinates=["x"], lagrangian="0.5*x'^2", gaps={"wall": "x + 5"})
SWING = dict(coordinates=["a"], lagrangian="0.5*a'^2 + cos(a)", gaps={"wall": "a + 0.2"})


class Forces(PythonTest):
    def test_a_held_force_is_that_of_the_formula(self):
        pushed = carom.System(**CART, force=["0.3"]).simulate(q=[0.0], end=3.0, step=0.01)
        run = carom.System(**CART).simulate(q=[0.0], end=3.0, step=0.01, force=lambda t, q, v: 0.3)
        np.testing.assert_allclose(run.q, pushed.q, rtol=1e-13)
        np.testing.assert_allclose(run["work"], pushed["work"], rtol=1e-12)

    def test_it_adds_to_the_formula(self):
        both = carom.System(**CART, force=["-x - 0.1*x'"]).simulate(q=[1.0], end=3.0, step=0.01, force=lambda t, q, v: [0.3])
        sum_ = carom.System(**CART, force=["0.3 - x - 0.1*x'"]).simulate(q=[1.0], end=3.0, step=0.01)
        np.testing.assert_allclose(both.q, sum_.q, rtol=1e-12)

    def test_it_is_called_once_a_step_with_what_is_there(self):
        seen = []

        def force(t, q, v):
            seen.append((t, q[0], v[0]))
            return np.array([np.sin(t)])

        run = carom.System(**CART).simulate(q=[0.5], end=1.0, step=0.01, force=force)
        self.assertEqual(len(seen), 100)
        np.testing.assert_array_equal(np.array(seen), np.column_stack([run.t, run.q, run.v])[:-1])

    def test_a_controller_across_impacts(self):
        run = carom.System(**SWING).simulate(q=[0.4], end=20.0, step=0.01, force=lambda t, q, v: -0.05 * v)
        self.assertGreater(len(run.impacts), 2)
        self.assertLess(run.energy[-1] - run.energy[0], -0.03)

    def test_what_it_raises_ends_the_run(self):
        def refuse(t, q, v):
            raise LookupError("no sensor")

        with self.assertRaisesRegex(LookupError, "no sensor"):
            carom.System(**CART).simulate(q=[0.0], end=1e6, force=refuse)
        for bad in (lambda t, q, v: [1, 2], lambda t, q, v: "x", lambda t, q, v: None, lambda t: 1.0, 7):
            with self.assertRaises((ValueError, TypeError)):
                carom.System(**CART).simulate(q=[0.0], end=1.0, force=bad)

    def test_systems_without_formulas_refuse_it_by_name(self):
        for name in ("cart-pendulum", "newton-cradle", "dae-exponential"):
            with self.assertRaisesRegex(carom.ScenarioError, f'system.name = "{name}": takes no force'):
                carom.System(name).simulate(end=1.0, force=lambda t, q, v: 0.0)
        self.assertEqual(carom.System("pendulum").simulate(end=1.0, force=lambda t, q, v: np.zeros(len(q))).status, "completed")

    def test_a_call_costs_two_microseconds(self):
        def best(force):
            took = []
            for _ in range(5):
                begin = time.process_time()
                system.simulate(q=[0.0], end=200.0, step=0.01, every=20000, force=force)
                took.append(time.process_time() - begin)
            return min(took) / 20000 * 1e6

        def zero(t, q, v):
            return 0.0

        system = carom.System(**CART, force=["0"])
        q = np.zeros(1)
        begin = time.process_time()
        for _ in range(20000):
            zero(0.0, q, q)
        own = (time.process_time() - begin) / 20000 * 1e6
        beside = best(zero) - best(None) - own
        print(f"a force in Python costs {beside:.2f} us per call beside the function itself, which takes {own:.2f} us")
        self.assertLess(beside, 2.0)


class Steps(PythonTest):
    def test_steps_are_those_of_a_run(self):
        for method in ({}, {"method": "sva"}, {"stepper": "contact"}, {"flow": "gauss"}, {"stepper": "gvi"}, {"tolerance": 1e-9}):
            with self.subTest(**method):
                system = carom.System("double-pendulum")
                run = system.simulate(end=5.0, step=0.01, **method)
                stepper = system.stepper(step=0.01, **method)
                hits = []
                for n in range(500):
                    stepper.step()
                    hits += [impact.t for impact in stepper.impacts]
                np.testing.assert_array_equal(stepper.q, run.q[-1])
                np.testing.assert_array_equal(stepper.p, run.p[-1])
                np.testing.assert_array_equal(hits, run.impacts.t)
                self.assertEqual((stepper.t, stepper.energy, stepper.steps), (run.t[-1], run.energy[-1], 500))

    def test_reset_and_state(self):
        hits = []
        stepper = carom.System(**SWING).stepper(q=[0.4], step=0.01, on_impact=hits.append)
        for _ in range(300):
            stepper.step()
        self.assertEqual(hits[0].contacts, ["wall"])
        kept = stepper.state
        there = [step(stepper) for _ in range(500)]
        stepper.state = kept
        self.assertEqual([step(stepper) for _ in range(500)], there)
        stepper.reset()
        self.assertEqual((stepper.q[0], stepper.t), (0.4, 0.0))
        stepper.reset(q=[0.1], v=[0.2])
        self.assertEqual((stepper.q[0], stepper.v[0]), (0.1, 0.2))
        with self.assertRaises(carom.ScenarioError):
            stepper.reset(q=[-1.0])
        with self.assertRaises(carom.RecordError):
            stepper.state = kept[:-1]

    def test_copies_go_on_alike(self):
        hits = []
        stepper = carom.System(**SWING).stepper(q=[0.4], step=0.01, forced=True, on_impact=hits.append)
        for _ in range(300):
            stepper.step(0.05)
        copied = copy.deepcopy(stepper)
        there = [step(stepper) for _ in range(300)]
        self.assertEqual(([step(copied) for _ in range(300)], copied.steps), (there, stepper.steps))
        other = carom.System(**SWING).stepper(q=[0.4], step=0.01)
        self.assertEqual(step(pickle.loads(pickle.dumps(other))), step(other))
        copied.reset()
        self.assertEqual(copied.q[0], 0.4)

    def test_forces(self):
        free, steered = carom.System(**CART).stepper(q=[0.0]), carom.System(**CART).stepper(q=[0.0], forced=True)
        with self.assertRaisesRegex(ValueError, "forced=True"):
            free.step(force=1.0)
        steered.step(force=2.0)
        self.assertAlmostEqual(steered.v[0], 0.02)
        steered.step()
        self.assertAlmostEqual(steered.v[0], 0.04)
        with self.assertRaises(carom.ScenarioError):
            carom.System("cart-pendulum").stepper(forced=True)


def step(stepper):
    stepper.step()
    return stepper.q[0], stepper.p[0], stepper.t


if __name__ == "__main__":
    main()
