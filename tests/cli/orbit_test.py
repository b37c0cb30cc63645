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

    def test_runs_settle_on_the_branch_and_beside_it(self):
        branch = self.told("orbit", OSCILLATOR, "--period", "2*pi/w", "--along", "w", "--to", "2.68", "--by", "0.02", "--settle", "3")
        self.assertEqual([round(here["w"], 12) for here in branch["settled"]], [2.6, 2.64, 2.68])
        spread = [np.ptp([point["q"][0] for point in here["points"]]) for here in branch["settled"]]
        self.assertLess(max(spread[:2]), 1e-9)
        self.assertGreater(spread[2], 1e-3)  # behind the doubling they come to every other point
        first = branch["settled"][0]["points"][-1]
        self.assertAlmostEqual(first["q"][0], branch["orbits"][0]["q"][0], delta=1e-10)
        last = [point["q"][0] for point in branch["settled"][2]["points"]]
        self.assertAlmostEqual(last[-1], last[-3], delta=1e-6)

    def test_sections_are_located_to_rounding(self):
        # A ball that bounces without losses, seen where it comes by half way, and by a shaken table where t says so.
        text = """[system]
name = "expression"
coordinates = ["y"]
lagrangian = "y'^2/2 - y"
gaps = { floor = "y" }
[initial]
q = [1.0]
[method]
flow = "svc"
stepper = "event-driven"
impact = "continuous-energy"
[time]
step = 0.1
end = 9.0
"""
        fall, period = math.sqrt(2), 2 * math.sqrt(2)
        rising, falling = [[k * period + s for k in range(4) if k * period + s < 9] for s in (period - 1, 1)]
        for way, times in [("rising", rising), ("falling", falling), ("both", sorted(rising + falling))]:
            found = self.told("section", text, "--at", "y - 0.5", "--passing", way)["points"]
            np.testing.assert_allclose([point["t"] for point in found], times, rtol=0, atol=1e-13)
            np.testing.assert_allclose([abs(point["v"][0]) for point in found], 1, rtol=0, atol=1e-13)
        # Within the parts that an impact makes of a step, and where an impact turns what passes zero.
        found = self.told("section", text, "--at", f"t - {fall + 0.01!r}")["points"]
        self.assertAlmostEqual(found[0]["q"][0], fall * 0.01 - 0.00005, delta=1e-14)
        self.assertIn("y - 0.5", json.dumps(self.told("section", text, "--at", "y - 0.5")))
        self.assertRegex((self.folder / "out/report.html").read_text(), r'"kind": ?"section"')
        self.assertTrue((self.folder / "out/section.svg").read_text().startswith("<svg"))
        # What lasts: it goes along with the table.
        text = text.replace('floor = "y"', 'floor = "y - 0.1*sin(3*t)"').replace('"event-driven"', '"contact"\nrestitution = 0.0')
        found = self.told("section", text, "--at", "y - 0.05")["points"]
        near = [point["t"] for point in found if point["t"] > 3]
        self.assertGreater(len(near), 1)
        np.testing.assert_allclose([0.1 * math.sin(3 * t) for t in near], 0.05, rtol=0, atol=1e-12)
        (self.folder / "s.toml").write_text(text)
        self.assertIn("column", self.fail_with(2, "section", "s.toml", "--at", "y -", "--out", "out2"))

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
