#!/usr/bin/env python3
"""Joints in formulas, as a user meets them: a pendulum in Cartesian coordinates stays on its rod, hits a wall where the one
in its angle does, is compared, and a start beside the rod is taken onto it on request.

usage: joints_test.py PROGRAM SOURCE_DIR
"""

import json
import sys

import numpy as np

sys.dont_write_bytecode = True
from support import CaromTest, main, setting

ROD = """\
[system]
name = "expression"
coordinates = ["x", "y"]
parameters = { g = 9.81, l = 1.0 }
lagrangian = "0.5*(x'^2 + y'^2) - g*y"
gaps = { wall = "x + 0.2" }
joints = { rod = "x^2 + y^2 - l^2" }
[initial]
q = [0.6, -0.8]
[time]
end = 6.0
"""
ANGLE = """\
[system]
name = "expression"
coordinates = ["a"]
lagrangian = "0.5*a'^2 + 9.81*cos(a)"
gaps = { wall = "sin(a) + 0.2" }
[initial]
q = [0.6435011087932844]
[method]
flow = "gauss"
[time]
end = 6.0
"""


class Joints(CaromTest):
    def test_the_summary_says_how_well_they_were_kept(self):
        summary, rows = self.run_to("out", self.write(ROD))
        self.assertEqual(summary["status"], "completed")
        self.assertLess(summary["joints"]["max_abs"], 1e-14)
        q = rows["q"]
        self.assertLess(abs(q[:, 0] ** 2 + q[:, 1] ** 2 - 1).max(), 1e-14)
        self.assertLess(abs((q * rows["p"]).sum(axis=1)).max(), 1e-14)
        summary, _ = self.run_to("angle", self.write(ANGLE))
        self.assertIsNone(summary["joints"])

    def test_impacts_come_when_the_angle_has_them(self):
        angle, _ = self.run_to("angle", self.write(ANGLE))
        self.assertGreaterEqual(angle["impacts"]["count"], 4)
        for law in ["shadow", "continuous-energy", "discrete-energy"]:
            summary, _ = self.run_to(law, self.write(ROD), *setting(method__impact=law, time__step=0.002))
            self.assertEqual((summary["status"], summary["cost"]["fallbacks"]), ("completed", 0))
            np.testing.assert_allclose(summary["impacts"]["times"], angle["impacts"]["times"], atol=1e-4)

    def test_a_start_beside_the_rod(self):
        line = self.fail_with(2, "run", self.write(ROD), "--set", "initial.q=[1.2, -1.6]")
        self.assertIn('is off the joint "rod", which is 3 and must be 0; [0.6, -0.8] is near', line)
        summary, rows = self.run_to("out", "my.toml", "--set", "initial.q=[1.2, -1.6]", "--set", "initial.project=true")
        np.testing.assert_allclose(rows["q"][0], [0.6, -0.8], atol=1e-15)
        self.assertIn("project = true", (self.folder / "out/scenario.toml").read_text())

    def test_compared_with_a_reference(self):
        self.succeed("compare", self.write(ROD), "--method", "svc", "--method", "yoshida4", "--out", "runs")
        for run in json.loads((self.folder / "runs/comparison.json").read_text())["runs"]:
            self.assertEqual(run["status"], "completed")
            self.assertIsNotNone(run["followed_until"])


if __name__ == "__main__":
    main()
