#!/usr/bin/env python3
"""carom.solve_ivp: roots at the edges of what is smooth, and the arguments and results that people from SciPy know."""

import math
import pickle

import numpy as np
from support import PythonTest, main

import carom

FREE = carom.System(coordinates=["y"], lagrangian="0.5*y'^2")
SWING = carom.System(coordinates=["x"], lagrangian="0.5*x'^2 - 0.5*x^2")
BALL = carom.System(coordinates=["y"], lagrangian="0.5*y'^2 - 9.81*y", gaps={"floor": "y"})
HIT = math.sqrt(2 / 9.81)


def solve(**arguments):
    return carom.solve_ivp(**{"system": SWING, "t_span": (0, 10), "y0": [1, 0.0], **arguments})


class Edges(PythonTest):
    def found(self, system, end, y0, event, step):
        return carom.solve_ivp(system, (0, end), y0, step=step, events=event).t_events[0]

    def test_two_roots_in_any_stretch(self):
        dice = np.random.default_rng(0)
        for low in (0.0, 0.0625, 5.0, 5.4375, 9.9375):  # eight samples a record, a record each 0.5
            for _ in range(40):
                a, b = np.sort(dice.uniform(low, low + 0.0625, 2))
                roots = self.found(FREE, 10, [0.0, 1.0], lambda t, y: (y[0] - a) * (y[0] - b), 0.5)
                np.testing.assert_allclose(roots, [a, b], atol=1e-9, err_msg=str(low))

    def test_two_roots_beside_an_impact(self):
        dice = np.random.default_rng(1)
        for low, high in ((HIT - 1e-3, HIT - 1e-5), (HIT + 1e-5, HIT + 1e-3)):
            for _ in range(20):
                a, b = np.sort(dice.uniform(low, high, 2))
                roots = self.found(BALL, 1, [1.0, 0.0], lambda t, y: (t - a) * (t - b), 0.01)
                np.testing.assert_allclose(roots, [a, b], atol=1e-12)

    def test_dips_on_both_sides_of_an_impact(self):
        a, b = 1e-3, 2e-3  # heights that are passed on the way down and on the way up
        down = [math.sqrt(2 * (1 - y) / 9.81) for y in (b, a)]
        up = [2 * HIT - t for t in reversed(down)]
        roots = self.found(BALL, 0.8, [1.0, 0.0], lambda t, y: (y[0] - a) * (y[0] - b), 0.1)
        np.testing.assert_allclose(roots, down + up, atol=1e-9)

    def test_a_touch_at_an_edge_is_one_root(self):
        for at in (0.0, 10.0):
            np.testing.assert_allclose(self.found(FREE, 10, [0.0, 1.0], lambda t, y: (y[0] - at) ** 2, 0.5), [at], atol=1e-12)
        self.assertEqual(len(self.found(FREE, 10, [0.0, 1.0], lambda t, y: y[0] + 1e-3, 0.5)), 0)


class Arguments(PythonTest):
    def test_tolerances(self):
        for given, tolerance in (({"rtol": 1e-8}, 1e-8), ({"atol": 1e-9}, 1e-9), ({"rtol": 1e-6, "atol": 1e-9}, 1e-9), ({"rtol": 1e-7, "atol": 0}, 1e-7),
                                 ({"rtol": 1e-7, "atol": [1e-9, 1e-8]}, 1e-9)):  # fmt: skip
            run = SWING.simulate(q=[1], v=[0], end=10, tolerance=tolerance)
            np.testing.assert_array_equal(solve(**given).y, np.concatenate([run.q.T, run.v.T]))
        self.assertLess(abs(solve(rtol=1e-10).y[0, -1] - math.cos(10)), 1e-8)

    def test_steps(self):
        self.assertEqual(len(solve(max_step=0.005).t), 2001)
        self.assertEqual(len(solve(max_step=0.5, step=1.0).t), 21)
        self.assertEqual(len(solve(max_step=float("inf")).t), 1001)
        long = dict(rtol=1e-6, step=5.0)
        self.assertGreater(solve(**long, max_step=0.01).nfev, 5 * solve(**long).nfev)

    def test_events_get_args_and_may_be_counted(self):
        def event(t, y, level, side=1):
            return side * (y[0] - level)

        np.testing.assert_allclose(solve(events=event, args=(0.5,), rtol=1e-10, step=0.01).t_events[0], [math.pi / 3, 5 * math.pi / 3, 7 * math.pi / 3], atol=1e-8)
        np.testing.assert_allclose(solve(events=[event], args=[0.5, -1]).t_events[0][0], math.pi / 3, atol=1e-5)
        for terminal, count in ((True, 1), (False, 3), (2, 2), (np.int64(3), 3), (4, 3)):
            event.terminal = terminal
            found = solve(events=event, args=(0.5,))
            self.assertEqual((len(found.t_events[0]), found.status), (count, int(0 < terminal <= count)), terminal)

    def test_results_by_name_and_their_messages(self):
        found = solve(dense_output=True, vectorized=False, t_eval=[0, 2.5, 10])
        self.assertEqual((found["t"].tolist(), found["y"].shape, found.message), ([0, 2.5, 10], (2, 3), "the end was reached"))
        self.assertEqual((found.t_events, found.sol(2.5).shape, found.sol([1, 2]).shape), ([], (2,), (2, 2)))
        again = pickle.loads(pickle.dumps(found))
        self.assertEqual((again.sol(2.5).tobytes(), again.y.tobytes()), (found.sol(2.5).tobytes(), found.y.tobytes()))
        self.assertEqual(dict(found)["nfev"], found.nfev)
        with self.assertRaisesRegex(KeyError, "'njev': there are t, y"):
            found["njev"]
        ended = solve(until="x - 0.5")
        self.assertEqual((ended.status, ended.success), (1, True))
        self.assertRegex(ended.message, r"ended at t = 1.05: its condition, until, changed sign")
        self.assertEqual(carom.solve_ivp(BALL, (0, 5), [1.0, 0.0], impacts=1, step=0.01).message, "the run ended at t = 0.46: it had its impacts")


if __name__ == "__main__":
    main()
