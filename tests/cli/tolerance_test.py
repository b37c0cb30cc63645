#!/usr/bin/env python3
"""method.tolerance as a user meets it: digits without a choice of stages and steps, states where they were asked for, a run that
is stopped and goes on, and what is refused.

usage: tolerance_test.py PROGRAM SOURCE_DIR
"""

import json
import sys

import numpy as np

sys.dont_write_bytecode = True
from support import CART, CaromTest, main, setting


SWING = """\
[system]
name = "expression"
coordinates = ["a"]
lagrangian = "0.5*a'^2 + cos(a)"
[initial]
q = [2.0]
v = [0.0]
[method]
stepper = "smooth"
tolerance = 1e-12
[time]
step = 0.5
end = 50.0
"""


class Tolerance(CaromTest):
    def run_cart(self, out, tolerance, **more):
        return self.run_to(out, self.write(CART), *setting(method__tolerance=tolerance, **more))

    def test_digits_of_the_reference(self):
        golden = json.loads((self.source / "tests/golden/cart_pendulum.json").read_text())["cases"]["4.2"]
        exact = next(state for state in golden["states"] if state["t"] == 5)
        right = np.array([float(x) for x in exact["q"] + exact["p"]])
        for tolerance, error in ((1e-6, 1e-4), (1e-9, 1e-7), (1e-12, 1e-10)):
            summary, _ = self.run_cart(f"to{tolerance}", tolerance, time__step=0.5)
            found = np.array(summary["final"]["q"] + summary["final"]["p"])
            self.assertLess(np.abs(found - right).max(), error, tolerance)
            self.assertEqual(summary["impacts"]["count"], 3)
            self.assertEqual(summary["method"], f"gauss with 8 stages to {tolerance:.0e}, continuous-energy")
            self.assertEqual(summary["cost"]["fallbacks"], 0)
            self.assertGreaterEqual(summary["cost"]["impact_solves"], 3)

    def test_states_lie_where_they_were_asked_for(self):
        _, rows = self.run_cart("rows", 1e-9, time__step=0.25)
        np.testing.assert_array_equal(rows["t"], 0.25 * np.arange(21))

    def test_accuracy_does_not_depend_on_what_is_recorded(self):
        coarse, fine = (self.run_cart(f"h{h}", 1e-11, time__step=h)[0]["final"]["q"] for h in (5, 0.1))
        np.testing.assert_allclose(coarse, fine, rtol=0, atol=1e-8)

    def test_smooth_motion_in_formulas(self):
        summary, rows = self.run_to("smooth", self.write(SWING))
        self.assertLess(summary["energy"]["max_abs_error"], 1e-11)
        np.testing.assert_allclose(rows["discrete_energy"][1:], summary["energy"]["initial"], rtol=0, atol=1e-6)

    def test_a_stopped_run_goes_on_to_the_same_bytes(self):
        options = setting(method__tolerance=1e-9, time__step=0.1, time__end=20000, output__every=20)
        self.run_to("whole", self.write(CART), *options)
        self.stop_and_resume("parts", "my.toml", *options)
        for name in ["trajectory.npz", "impacts.csv"]:
            self.assertEqual((self.folder / "whole" / name).read_bytes(), (self.folder / "parts" / name).read_bytes(), name)

    def test_steps_too_long_are_halved_and_said(self):
        result = self.carom("run", self.write(CART), "--out", "long", "--quiet",
                            *setting(method__flow="gauss", method__stages=8, time__step=1, time__end=200))
        self.assertEqual(result.code, 0)
        self.assertRegex(self.one_line(result.err), r"warning: \d+ steps were taken in halves")
        summary, _ = self.read("long")
        self.assertGreater(summary["cost"]["fallbacks"], 0)

    def test_the_shadow_of_steps_that_vary_is_not_told(self):
        summary, rows = self.run_cart("varied", 1e-9, time__step=0.5)
        self.assertIsNone(summary["shadow_energy"])
        self.assertTrue(np.isnan(rows["shadow_energy"]).all())

    def test_joints_are_refused(self):
        line = self.fail_with(2, "check", self.write("[system]\nname = 'pendulum'\n[method]\ntolerance = 1e-9\n"
                                                     "[time]\nstep = 0.1\nend = 1.0\n"))
        self.assertIn("my.toml:4:13: method.tolerance = 1e-09", line)
        self.assertIn("joints", line)


main()
