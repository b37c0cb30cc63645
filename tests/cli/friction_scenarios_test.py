#!/usr/bin/env python3
"""Mechanisms with friction that people know: what is known of them from elsewhere.

usage: friction_scenarios_test.py PROGRAM SOURCE_DIR
"""

import math
import sys

sys.dont_write_bytecode = True
import numpy as np
from support import CaromTest, main, setting


class FrictionScenarios(CaromTest):
    rough = True  # of the second order the energy errs

    def run_scenario(self, name, *options):
        self.summary, rows = self.run_to("out", name, "--force", *options)
        return rows

    # Goswami, Thuilot and Espiau (1996), table 1: at three degrees a step takes 0.734 s and is 0.535 m long.
    def test_passive_walker_walks_as_known(self):
        rows = self.run_scenario("compass-walker")
        impacts = self.impacts("out")
        self.assertEqual([impact["contact"] for impact in impacts], ["right", "left"] * 5)
        np.testing.assert_allclose(np.diff([impact["time"] for impact in impacts])[-3:], 0.734, atol=5e-4)
        feet = [impact["x"] + math.sin(impact["a" if impact["contact"] == "left" else "b"]) for impact in impacts]
        np.testing.assert_allclose(np.diff(feet)[-3:], 0.535, atol=1e-3)
        self.assertEqual(self.summary["energy"]["friction"], 0)
        self.assertEqual(np.abs(rows["slips"]).max(), 0)

    # Kane and Levinson's rods: T before is 0.02318. What is left was computed independently, for e of the energy.
    def test_double_pendulum_gains_no_energy_on_a_rough_floor(self):
        c = math.cos(math.radians(10))
        mass = np.array([[4 / 3, c / 2], [c / 2, 1 / 3]])
        for mu, left in [(0, 0.01863), (0.1, 0.01705), (0.5, 0.01391), (0.7, 0.01323)]:
            self.run_scenario("double-pendulum-rough-floor", *setting(system__contacts__tip__mu=mu, time__end=0.01))
            first = self.impacts("out")[0]
            before, after = (np.array([first[f"p_{when}.{name}"] for name in "ab"]) for when in ("before", "after"))
            self.assertAlmostEqual(0.5 * before @ np.linalg.solve(mass, before), 0.02318, delta=5e-6)
            self.assertAlmostEqual(0.5 * after @ np.linalg.solve(mass, after), left, delta=5e-6)

    # Whatever impacts and friction do, x' - 2/5 R a' stays, and in the end it rolls: x' = -R a'.
    def test_ball_with_backspin_comes_back(self):
        rows = self.run_scenario("backspin")
        np.testing.assert_allclose(rows["v"][:, 0] - 0.4 * 0.12 * rows["v"][:, 2], 1.5 - 0.4 * 0.12 * 60, atol=1e-12)
        x, _, a = self.summary["final"]["v"]
        self.assertAlmostEqual(x + 0.12 * a, 0, delta=1e-14)
        self.assertAlmostEqual(x, (1.5 - 0.4 * 0.12 * 60) / 1.4, delta=1e-12)

    # The energy that each step takes: w+ = w- (I + cos 2 beta)/(I + 1).
    def test_rimless_wheel_loses_what_it_must(self):
        self.run_scenario("rimless-wheel")
        impacts = self.impacts("out")
        self.assertEqual(len(impacts), 5)
        for impact in impacts:
            before, after = impact["p_before.a"] / 0.25, impact["p_after.a"] / 0.25
            self.assertAlmostEqual(after / before, (0.25 + math.cos(math.pi / 4)) / 1.25, delta=1e-9)

    def test_woodpecker_climbs_down_and_repeats_itself(self):
        rows = self.run_scenario("woodpecker", *setting(time__end=3))
        pecks = [impact["time"] for impact in self.impacts("out") if impact["contact"] == "beak"]
        np.testing.assert_allclose(np.diff(pecks)[-4:], np.diff(pecks)[-1], rtol=2e-3)
        self.assertLess(rows["q"][-1, 0], -0.5)
        self.assertLess(np.diff(rows["H"]).max(), 1e-7)

    def test_slider_crank_keeps_its_slider_in_the_guide(self):
        rows = self.run_scenario("slider-crank")
        self.assertGreater(self.summary["gap"]["min"], -1e-12)
        self.assertGreater(len(self.impacts("out")), 20)
        self.assertLess(np.diff(rows["H"]).max(), 1e-4)


if __name__ == "__main__":
    main()
