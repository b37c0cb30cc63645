#!/usr/bin/env python3
"""Periodic orbits, their branches and Lyapunov exponents against closed forms: the impact oscillator and the ball on a table.

usage: orbit_test.py PROGRAM SOURCE_DIR
"""

import json
import math
import sys

sys.dont_write_bytecode = True
import numpy as np
from support import CaromTest, main, setting

# x'' + x = cos(w t), stop at x = 0, r = 0.8. Its 1:1 orbit doubles its period at this w.
DOUBLES = 2.65334772785532293416489
OSCILLATOR = """[system]
name = "expression"
coordinates = ["x"]
parameters = { w = 2.6 }
lagrangian = "x'^2/2 - x^2/2 + cos(w*t)*x"
gaps = { stop = "-x" }
[initial]
q = [-0.65]
v = [0.02]
[method]
flow = "gauss"
impact = "continuous-energy"
restitution = 0.8
[time]
step = 0.05
end = 2.4
"""

# A ball on a table that shakes, in the table's frame.
g, w, r = 9.81, 60.0, 0.8
TABLE = """[system]
name = "expression"
coordinates = ["y"]
parameters = {{ A = {A}, w = 60.0, g = 9.81 }}
lagrangian = "y'^2/2 - g*y + A*w^2*sin(w*t)*y"
gaps = {{ table = "y" }}
[initial]
q = [{y}]
v = [{v}]
[method]
flow = "gauss"
impact = "continuous-energy"
restitution = 0.8
[time]
start = -0.05
step = 0.005
end = 0.05
"""
FOLDS, TABLE_DOUBLES = 0.000951204442336909619, 0.00291802937597554649

STADIUM = """[system]
name = "expression"
coordinates = ["x", "y"]
lagrangian = "x'^2/2 + y'^2/2"
gaps = { wall = "1 - sqrt(max(abs(x) - 1, 0)^2 + y^2)" }
[initial]
q = [0.1, 0.2]
v = [0.6, 0.8]
[method]
flow = "svc"
impact = "discrete-energy"
[time]
step = 0.1
end = 2000.0
"""


def table_at(A):
    """The orbit with one impact in a period, at the start of the scenario."""
    P = 2 * math.pi / w
    u, phase = g * P / 2, math.acos(FOLDS / A)
    s = P - 0.05 - phase / w  # since the impact before
    height = A * math.sin(phase) + u * s - g * s * s / 2  # in the room
    return height - A * math.sin(-0.05 * w), u - g * s - A * w * math.cos(-0.05 * w)


class Orbits(CaromTest):
    def told(self, command, text, *arguments, **changes):
        (self.folder / "s.toml").write_text(text)
        return json.loads(self.succeed(command, "s.toml", "--json", "--out", "out", "--force", *arguments, *setting(**changes)).out)

    def test_an_orbit_and_its_multipliers(self):
        one = self.told("orbit", OSCILLATOR, "--period", "2*pi/w")["orbits"][0]
        multiplier = complex(*one["multipliers"][0])
        self.assertAlmostEqual(multiplier.real, -0.574539654796029835302563, delta=1e-10)
        self.assertAlmostEqual(abs(multiplier.imag), 0.556690385283290905, delta=1e-9)
        self.assertAlmostEqual(one["determinant"], 0.64, delta=1e-12)
        self.assertTrue(one["stable"])
        self.assertLessEqual(one["iterations"], 6)
        self.assertAlmostEqual(one["slowest_approach"], 0.404351976715165410300385 / 0.8, delta=1e-10)

    def test_a_branch_through_its_period_doubling(self):
        branch = self.told("orbit", OSCILLATOR, "--period", "2*pi/w", "--along", "w", "--to", "2.7", "--by", "0.02")
        self.assertEqual([event["kind"] for event in branch["events"]], ["period doubling"])
        at = branch["events"][0]["at"]
        self.assertAlmostEqual(at["w"], DOUBLES, delta=1e-9)
        self.assertAlmostEqual(sorted(m[0] for m in at["multipliers"])[0], -1, delta=1e-9)
        self.assertTrue(all(o["stable"] == (o["w"] < DOUBLES) for o in branch["orbits"]))
        self.assertIn("period doubling", (self.folder / "out/report.html").read_text())
        self.assertTrue((self.folder / "out/branch.svg").read_text().startswith("<svg"))

    def test_a_branch_around_its_fold(self):
        y, v = table_at(0.0015)
        text = TABLE.format(A=0.0015, y=y, v=v)
        branch = self.told("orbit", text, "--period", "2*pi/w", "--along", "A", "--to", "0.0009", "--by", "0.0001")
        folds = [event["at"]["A"] for event in branch["events"] if event["kind"] == "fold"]
        self.assertEqual(len(folds), 1)
        self.assertAlmostEqual(folds[0], FOLDS, delta=1e-12)
        self.assertFalse(branch["orbits"][-1]["stable"])
        up = self.told("orbit", text, "--period", "2*pi/w", "--along", "A", "--to", "0.0031", "--by", "0.0001")
        self.assertEqual([event["kind"] for event in up["events"]], ["period doubling"])
        self.assertAlmostEqual(up["events"][0]["at"]["A"], TABLE_DOUBLES, delta=1e-12)

    def test_grazes_end_branches_and_are_located(self):
        # Without impacts x = -cos(w t)/(w^2 - 1), which touches the stop at s where w^2 = 1 + 1/s.
        text = OSCILLATOR.replace('"-x"', '"s - x"').replace("w = 2.6", "w = 2.6, s = 0.2")
        free = text.replace("q = [-0.65]", "q = [-0.17]").replace("v = [0.02]", "v = [0.0]").replace("end = 2.4", "start = 0.3\nend = 2.7")
        branch = self.told("orbit", free, "--period", "2*pi/w", "--along", "w", "--to", "2.3", "--by", "0.02")
        self.assertEqual([event["kind"] for event in branch["events"]], ["graze"])
        self.assertAlmostEqual(branch["events"][0]["at"]["w"], math.sqrt(6), delta=1e-10)
        self.assertEqual(branch["events"][0]["at"]["closest_pass"], 0)
        self.assertTrue(all(o["w"] > math.sqrt(6) and not o["impacts"] for o in branch["orbits"]))
        # The same from the other side: the impact of the 1:1 orbit becomes slower and slower.
        hits = self.told("orbit", text, "--period", "2*pi/w", "--along", "s", "--to", "0.3", "--by", "0.01", system__parameters__s=0.0)
        self.assertEqual([event["kind"] for event in hits["events"]], ["period doubling", "graze"])
        self.assertAlmostEqual(hits["events"][1]["at"]["s"], 1 / (2.6**2 - 1), delta=1e-10)
        self.assertEqual(hits["events"][1]["at"]["slowest_approach"], 0)

    def test_exponents_of_the_oscillator(self):
        s = self.told("lyapunov", OSCILLATOR, "--skip", "100", system__parameters__w=2.8,
                      time__step=repr(2 * math.pi / 2.8 / 20), time__end=repr(2 * math.pi / 2.8 * 4000))
        for value, error, true in zip(s["exponents"], s["errors"], [0.141916, -0.352215]):
            self.assertLess(abs(value - true), 4 * error)
            self.assertLess(error, 0.01)
        # Each impact takes e² of areas.
        self.assertAlmostEqual(sum(s["exponents"]), 2 * math.log(0.8) * s["impacts"] / s["time"], delta=1e-9)

    def test_pairs_cancel_where_the_map_is_symplectic(self):
        s = self.told("lyapunov", STADIUM)
        self.assertLess(np.abs(s["pairs"]).max(), 1e-10)
        self.assertLess(abs(s["exponents"][0] - 0.42946), 4 * s["errors"][0])
        self.assertLess(s["errors"][0], 0.05)

    def test_what_is_no_orbit_is_told(self):
        def fails(code, words, text, *arguments, **changes):
            (self.folder / "s.toml").write_text(text)
            done = self.carom("orbit", "s.toml", "--out", "out", "--force", *arguments, *setting(**changes))
            self.assertEqual(done.code, code, done.err)
            self.assertIn(words, done.err)
            self.assertEqual(done.err.count("\n"), 1, done.err)

        fails(2, "no parameter", OSCILLATOR, "--along", "F", "--to", "1")
        fails(2, "--period", OSCILLATOR, "--period", "2*pi/(w-w)")
        fails(2, "column", OSCILLATOR, "--period", "2*pi/(w")
        fails(2, "--along asks for its end", OSCILLATOR, "--along", "w")
        fails(3, "Newton", OSCILLATOR.replace('gaps = { stop = "-x" }', "").replace("- x^2/2 + cos(w*t)*x", "+ x"))
        (self.folder / "s.toml").write_text(OSCILLATOR)
        done = self.carom("lyapunov", "s.toml", "--out", "out", "--force", "--skip", "2")
        self.assertEqual(done.code, 2)
        self.assertIn("errors need 128", done.err)


if __name__ == "__main__":
    main()
