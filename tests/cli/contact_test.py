#!/usr/bin/env python3
"""The stepper "contact" as a user drives it: a cradle that keeps its pattern, a ball and a heap that come to rest, contacts
that last through a resumed run, what is refused and how, changing to it and back, and runs that cannot go on.

usage: contact_test.py PROGRAM SOURCE_DIR
"""

import json
import math
import sys
import tomllib

import numpy as np

sys.dont_write_bytecode = True
from errors_test import place_of
from support import CaromTest, main, setting

LASTING = ", lasting contact"

# A disc, which is left where y = 2/3 + v0²/(3 g), in polar coordinates: the mass depends on r.
POLAR = """\
[system]
name = "expression"
coordinates = ["r", "a"]
parameters = { g = 9.81 }
lagrangian = "0.5*(r'^2 + r^2*a'^2) - g*r*cos(a)"
gaps = { disc = "r - 1" }
[initial]
q = [1.0, 0.1]
v = [0.0, 0.5]
[method]
stepper = "contact"
[time]
end = 1.0
"""
# Damped, pushed from the side and pulled up and down: it bounces three times on a floor that is not flat.
FORCED = """\
[system]
name = "expression"
coordinates = ["x", "y"]
lagrangian = "0.5*(x'^2 + y'^2) - 9.81*y - x^4/4"
force = ["-0.3*x' + cos(2*t)", "-0.2*y' + 6*sin(3*t)"]
gaps = { floor = "y - 0.1*sin(x)" }
[initial]
q = [0.7, 1.0]
v = [0.3, 0.0]
[method]
stepper = "contact"
[time]
end = 3.0
"""
# A rod tips over: its foot slides along the floor from the start on, its head hits the floor at t = 0.468.
ROD = """\
[system]
name = "expression"
coordinates = ["x", "y", "u", "w"]
lagrangian = "0.5*(x'^2 + y'^2 + u'^2 + w'^2) - 9.81*(y + w)"
joints = { rod = "(x - u)^2 + (y - w)^2 - 1" }
gaps = { foot = "y", head = "w" }
[initial]
q = [0.0, 0.0, 0.6, 0.8]
[method]
stepper = "contact"
[time]
end = 1.0
"""
# Walls that face each other, and no room between them.
SLOT = """\
[system]
name = "expression"
coordinates = ["x", "y"]
lagrangian = "0.5*(x'^2 + y'^2) - 9.81*y"
gaps = { left = "x", right = "-x", slope = "y - 0.5*x" }
[initial]
q = [0.0, 1.0]
[method]
stepper = "contact"
[time]
step = 0.01
end = 1.0
"""
# Both walls touch at the start, and bend towards each other in the direction in which it moves.
PINCHED = SLOT.replace("left = \"x\", right = \"-x\", slope = \"y - 0.5*x\"", "left = \"x - y^2\", right = \"y^2/2 - x\"") \
    .replace("q = [0.0, 1.0]", "q = [0.0, 0.0]\nv = [0.0, 1.0]")
# Three thousand impacts in a step.
FAST = """\
[system]
name = "expression"
coordinates = ["x"]
lagrangian = "0.5*x'^2"
gaps = { left = "x", right = "1 - x" }
[initial]
q = [0.5]
v = [3000.0]
[method]
stepper = "contact"
[time]
step = 1.0
end = 10.0
"""
# Along the inside of a circle, in steps of one and a half radii.
BOWL = """\
[system]
name = "expression"
coordinates = ["x", "y"]
lagrangian = "0.5*(x'^2 + y'^2)"
gaps = { bowl = "1 - hypot(x, y)" }
[initial]
q = [0.0, -1.0]
v = [3.0, 0.0]
[method]
stepper = "contact"
flow = "midpoint"
[time]
step = 0.5
end = 3.0
"""


class ContactTest(CaromTest):
    def completed(self, out, scenario, **changes):
        summary, rows = self.run_to(out, scenario, *setting(**changes))
        self.assertEqual((summary["status"], summary["warnings"]), ("completed", []))
        self.assertIn(LASTING, summary["method"])
        self.assertEqual(summary["cost"]["fallbacks"], 0)
        return summary, rows


class Cradle(ContactTest):
    """Two of five balls are drawn: at every turn two are out, on the other side than before, and three hang."""

    def pattern(self, summary, angles, t, balls, drawn):
        """How far the amplitudes of the balls that are out are from the first one, and how far the others move."""
        start = abs(angles[0]).max()
        times = summary["impacts"]["times"]
        apart = moved = 0
        for k, (begin, end) in enumerate(zip(times, times[1:])):
            out = np.zeros(balls, bool)
            out[balls - drawn if k % 2 == 0 else 0:][:drawn] = True
            swing = abs(angles[(t > begin) & (t < end)])
            apart = max(apart, abs(swing[:, out].max(axis=0) / start - 1).max())
            moved = max(moved, swing[:, ~out].max())
        return apart, moved

    def angles(self, coordinates, q, pitch=0.5):
        if coordinates == "angles":
            return q
        return np.arctan2(q[:, 0::2] - pitch * np.arange(q.shape[1] // 2), -q[:, 1::2])

    def test_it_keeps_its_pattern_for_long(self):
        """What the README says."""
        for coordinates in ["cartesian", "angles"]:
            summary, rows = self.completed(coordinates, "newton-cradle", time__end=550,
                                           system__parameters__coordinates=coordinates)
            self.assertEqual(summary["impacts"]["count"], 535)
            apart, moved = self.pattern(summary, self.angles(coordinates, rows["q"]), rows["t"], 5, 2)
            self.assertLess(apart, 1.2e-4)
            self.assertLess(moved, 2e-11)
            self.assertGreater(summary["gap"]["min"], -1e-15)
            self.assertLess(np.ptp(rows["H"]), 2.7e-4 * (rows["H"][0] + 5 * 9.8))

    def test_it_keeps_its_pattern(self):
        for coordinates in ["cartesian", "angles"]:
            for balls, drawn in [(5, 2), (5, 1), (5, 4), (7, 3)]:
                with self.subTest(coordinates=coordinates, balls=balls, drawn=drawn):
                    summary, rows = self.completed(
                        f"{coordinates}-{balls}-{drawn}", "newton-cradle", time__end=55, system__parameters__balls=balls,
                        system__parameters__drawn=drawn, system__parameters__coordinates=coordinates)
                    self.assertGreater(summary["impacts"]["count"], 50)
                    apart, moved = self.pattern(summary, self.angles(coordinates, rows["q"]), rows["t"], balls, drawn)
                    self.assertLess(apart, 2e-4)
                    self.assertLess(moved, 1e-9)
                    self.assertGreater(summary["gap"]["min"], -1e-14)
                    above_rest = rows["H"][0] + balls * 9.8
                    self.assertLess(np.ptp(rows["H"]), 3e-4 * above_rest)
                    if coordinates == "cartesian":
                        self.assertLess(summary["joints"]["max_abs"], 1e-14)

    def test_gvi_loses_it(self):
        """What the other stepper does with the same cradle, so that the difference stays a measured one."""
        summary, rows = self.run_to("gvi", "newton-cradle", *setting(time__end=55, method__stepper="gvi"))
        self.assertLess(summary["gap"]["min"], -1e-3)

    def test_balls_that_do_not_touch(self):
        """Impacts one after the other, some of them in one step."""
        summary, rows = self.completed("out", "newton-cradle", system__parameters__gap=0.001)
        self.assertGreater(summary["impacts"]["count"], 80)
        self.assertGreater(summary["gap"]["min"], -1e-14)
        self.assertLess(np.ptp(rows["H"]), 3e-4 * (rows["H"][0] + 5 * 9.8))


class Losses(ContactTest):
    def test_a_ball_comes_to_rest(self):
        for e in [0.5, 0.9]:
            with self.subTest(e):
                rest = math.sqrt(2 / 9.8) * (1 + e) / (1 - e)
                summary, rows = self.completed(f"e-{e}", "bouncing-to-rest", method__restitution=e, time__end=rest + 1)
                self.assertEqual(summary["final"]["p"], [0])
                self.assertLess(abs(summary["final"]["q"][0]), 1e-12)
                self.assertAlmostEqual(summary["energy"]["loss"], summary["energy"]["initial"], delta=1e-12)
                times = summary["impacts"]["times"]
                exact = [math.sqrt(2 / 9.8) * (1 + 2 * e * (1 - e**n) / (1 - e)) for n in range(len(times))]
                np.testing.assert_allclose(times, exact, atol=1e-10)
                self.assertEqual(summary["contacts"]["lasting"], ["floor"])
                self.assertAlmostEqual(summary["contacts"]["rest"], rest, delta=1e-11)
                self.assertLess(rest - times[-1], 0.01 * 0.01 / (1 - e))  # what is not followed: bounces below 1e-3 of a step
                at_rest = rows["t"] > rest
                self.assertTrue((rows["p"][at_rest] == 0).all())
                self.assertGreater(at_rest.sum(), 90)

    def test_without_any_bounce(self):
        summary, rows = self.completed("out", "bouncing-to-rest", method__restitution=0)
        self.assertEqual((summary["impacts"]["count"], summary["final"]["p"]), (1, [0]))

    def test_discs_come_to_rest(self):
        summary, rows = self.completed("out", "box-of-discs", time__end=3)
        self.assertGreaterEqual(summary["gap"]["min"], -1e-12)
        self.assertLess(abs(rows["p"][-1]).max(), 1e-12)
        last = np.argmax(rows["t"] > summary["impacts"]["times"][-1])
        self.assertLess(abs(rows["q"][last:] - rows["q"][last]).max(), 1e-12)
        self.assertLess(np.diff(rows["H"]).max(), 1e-4, "energy only falls, up to the error of a step along a curve")
        self.assertAlmostEqual(summary["energy"]["loss"], rows["H"][0] - rows["H"][-1], delta=1e-3)

    def test_discs_are_a_gas(self):
        for law in ["shadow", "continuous-energy"]:
            summary, rows = self.completed(law, "box-of-discs", method__impact=law, method__restitution=1,
                                           system__parameters__g=0, time__end=10)
            self.assertGreater(summary["impacts"]["count"], 300)
            self.assertLess(summary["energy"]["max_abs_error"], 1e-9 * rows["H"][0])
            self.assertGreater(summary["gap"]["min"], -1e-14)


class Orders(ContactTest):
    def slope(self, text, flow, steps="0.02,0.01,0.005,0.0025"):
        out = self.succeed("converge", self.write(text), "--step", steps, "--method", f"stepper=contact,flow={flow}",
                           "--json", "--out", "converged", "--force").out
        series, = json.loads(out)["convergence"]["series"]
        return series["slope"]

    def test_along_contacts_and_off_them(self):
        for flow, order in [("svc", 2), ("midpoint", 2), ("yoshida4", 4)]:
            self.assertAlmostEqual(self.slope(POLAR, flow), order, delta=0.1)

    def test_through_impacts_with_forces(self):
        for flow, order in [("svc", 2), ("yoshida4", 4)]:
            self.assertAlmostEqual(self.slope(FORCED, flow), order, delta=0.2)

    def test_with_joints(self):
        for flow, order in [("svc", 2), ("yoshida4", 4)]:
            self.assertAlmostEqual(self.slope(ROD, flow, "0.01,0.005,0.0025,0.00125"), order, delta=0.1)
        summary, rows = self.completed("out", self.write(ROD))
        self.assertEqual([row["contact"] for row in self.impacts("out")], ["head"])
        self.assertLess(summary["joints"]["max_abs"], 1e-14)
        self.assertLess(abs(rows["gaps"][:40, 0]).max(), 1e-14, "the foot slides")

    def test_a_disc_is_left_at_its_place(self):
        for h in [0.02, 0.01, 0.005]:
            _, rows = self.completed(f"disc-{h}", "disc", method__stepper="contact", time__step=h)
            off = np.argmax(rows["gaps"][:, 0] > 1e-12)
            v = math.sqrt((2 / 3 + 0.5**2 / (3 * 9.81)) * 9.81)
            self.assertLess(abs(rows["q"][off, 1] - (2 / 3 + 0.5**2 / (3 * 9.81))), 1.1 * v * h)
            self.assertLess(abs(rows["gaps"][:off]).max(), 1e-14)


class Resumed(ContactTest):
    def check(self, scenario, *options):
        """A run that is stopped on its way and resumed has the bytes of one that was not."""
        self.run_to("whole", scenario, *options)
        summary = self.stop_and_resume("parts", scenario, *options)
        for name in ["trajectory.npz", "impacts.csv", "scenario.toml"]:
            self.assertEqual(self.bytes_of("whole", name), self.bytes_of("parts", name), name)
        return summary

    def test_contacts_that_last_and_the_energy_of_the_start(self):
        summary = self.check("spring-and-sphere", *setting(method__stepper="contact", time__step=0.1, time__end=2000))
        self.assertGreater(summary["impacts"]["count"], 500)

    def test_joints(self):
        summary = self.check("newton-cradle", *setting(time__end=500))
        self.assertGreater(summary["impacts"]["count"], 450)

    def test_a_heap_at_rest(self):
        summary = self.check("box-of-discs", *setting(time__end=30, output__every=10))
        self.assertLess(max(map(abs, summary["final"]["p"])), 1e-12)


# (system, more lines, "key = value" as quoted, words of the reason); § stands before the place of the message.
WRONG = [
    ("column", "flow = §'gauss'", 'method.flow = "gauss"', ["quadrature rules"]),
    ("column", "impact = §'discrete-energy'", 'method.impact = "discrete-energy"', ['"shadow"', '"continuous-energy"']),
    ("column", "impact = §'modified-energy'", 'method.impact = "modified-energy"', ['"event-driven" has the others']),
    ("column", "impact = §'stable-energy'", 'method.impact = "stable-energy"', ['"event-driven" has the others']),
    ("column", "impact = §'vci'", 'method.impact = "vci"', ["continuous-energy"]),
    ("column", "impact = §'shdow'", 'method.impact = "shdow"', ['"shadow"']),
    ("column", "fraction = §'polynomial'", 'method.fraction = "polynomial"', ["leaves joints and lasting contacts"]),
    ("column", "fraction = §'flow'", 'method.fraction = "flow"', ["composition"]),
    ("column", "energy = §'shadow'", 'method.energy = "shadow"', ['"contact" has no such choice', '"gvi" does']),
    ("column", "predictor = §'free'", 'method.predictor = "free"', ['"contact" has no such choice', '"gvi" does']),
    ("column", "constraints = §'exact'", 'method.constraints = "exact"', ['"contact" has no such choice', '"gvi" does']),
    ("column", "reflection = §'moreau'", 'method.reflection = "moreau"', ['"contact" has no such choice', '"gvi" does']),
    ("column", "scheme = §'endpoint'", 'method.scheme = "endpoint"', ['"contact" has no such choice', '"direct" or "dae-euler" does']),
    ("column", "beta = §0.25", "method.beta = 0.25", ['"contact" has no such choice', "Newmark"]),
    ("column", "window = §8", "method.window = 8", ['"stable-energy" does']),
    ("column", "restitution = §1.5", "method.restitution = 1.5", ["0", "1"]),
    ("column", "restitution = §-0.1", "method.restitution = -0.1", ["0", "1"]),
    ("column", "order = §7", "method.order = 7", ["even, from 2 to 16"]),
    ("column", "order = §18", "method.order = 18", ["even, from 2 to 16"]),
    ("column", "impact = 'continuous-energy'\norder = §8", "method.order = 8", ['"continuous-energy" has no order']),
    ("column", "stages = §4", "method.stages = 4", ['"gauss" does']),
]


class Refused(ContactTest):
    def test_by_place_key_and_value(self):
        for name, more, quoted, words in WRONG:
            with self.subTest(more):
                text, place = place_of(f"time = {{ end = 0.1 }}\n[system]\nname = '{name}'\n[method]\nstepper = 'contact'\n{more}\n")
                line = self.fail_with(2, "run", self.write(text))
                self.assertTrue(line.startswith(f"my.toml:{place}: {quoted}: "), line)
                for word in words:
                    self.assertIn(word, line)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["my.toml"], "nothing is left behind")

    def test_short_names_of_other_laws(self):
        for name, law in [("mhc", "stable-energy"), ("vci", "discrete-energy"), ("mcva-a", "modified-energy")]:
            text = f"time = {{ end = 0.1 }}\n[system]\nname = 'column'\n[method]\nstepper = 'contact'\nname = '{name}'\n"
            line = self.fail_with(2, "run", self.write(text))
            for word in ["my.toml:", law, '"contact"', '"shadow" and "continuous-energy"', '"event-driven" has the others']:
                self.assertIn(word, line)


class Changing(ContactTest):
    def label(self, scenario, *options, **changes):
        return self.succeed("check", scenario, *options, *setting(**changes)).out.partition(" with ")[2]

    def test_from_gvi(self):
        self.assertTrue(self.label("spring-and-sphere", method__stepper="contact").startswith(
            "midpoint, shadow of order 8 (composition), lasting contact"))
        self.assertIn(LASTING, self.label("lennard-jones-chain", method__stepper="contact"))

    def test_from_another_law(self):
        for law in ["discrete-energy", "modified-energy", "stable-energy"]:
            text = f'[system]\nname = "point-mass"\n[method]\nflow = "sva"\nimpact = "{law}"\n[time]\nend = 1.0\n'
            if law != "discrete-energy":
                text = text.replace("[time]", "order = 4\n[time]")
            self.assertTrue(self.label(self.write(text), method__stepper="contact").startswith("sva, shadow of order 8"))
        for name in ["vci", "mhc", "mcva-a"]:
            text = f'[system]\nname = "point-mass"\n[method]\nname = "{name}"\n[time]\nend = 1.0\n'
            self.assertIn(LASTING, self.label(self.write(text), method__stepper="contact"))

    def test_and_back(self):
        self.assertIn("gvi with generalized reflections, energy hamiltonian",
                      self.label("newton-cradle", method__stepper="gvi"))
        self.assertTrue(self.label("bouncing-to-rest", method__stepper="event-driven").startswith(
            "svc, shadow of order 8 (composition), restitution 0.5, 300 steps"))
        self.assertIn("direct substitution", self.label("newton-cradle", method__stepper="direct"))

    def test_what_is_set_beside_it_is_refused(self):
        line = self.fail_with(2, "check", "spring-and-sphere", *setting(method__stepper="contact", method__energy="shadow"))
        self.assertIn('--set method.energy=shadow: method.energy = "shadow": the stepper "contact" has no such choice', line)

    def test_the_law_of_a_short_name(self):
        text = '[system]\nname = "column"\n[method]\nstepper = "contact"\nname = "cva"\n[time]\nend = 0.01\n'
        self.assertTrue(self.label(self.write(text)).startswith("svc, continuous-energy, lasting contact"))

    def test_a_new_scenario(self):
        for name in ["newton-cradle", "box-of-discs", "disc"]:
            text = self.succeed("new", "--system", name).out
            self.assertEqual(tomllib.loads(text)["method"]["stepper"], "contact")
            self.assertIn(LASTING, self.label(self.write(text)))

    def test_side_by_side(self):
        out = self.succeed("compare", "newton-cradle", "--method", "contact", "--method", "gvi", "--method",
                           "stepper=contact,impact=continuous-energy", "--out", "out", "--json", *setting(time__end=5)).out
        runs = json.loads(out)["runs"]
        self.assertEqual([run["method"] for run in runs],
                         ["svc, shadow of order 8 (composition), lasting contact",
                          "svc, gvi with generalized reflections, energy hamiltonian",
                          "svc, continuous-energy, lasting contact"])
        self.assertEqual([run["status"] for run in runs], ["completed"] * 3)


class CannotGoOn(ContactTest):
    def failed(self, text, *options):
        line = self.fail_with(3, "run", self.write(text), "--out", "out", *options)
        summary, rows = self.read("out")
        self.assertEqual(summary["status"], "failed")
        self.assertIn(summary["reason"], line)
        self.assertTrue(line.endswith("what was computed until then is in out"), line)
        self.assertRegex(line, rf"^step {summary['time']['steps']} from t = [0-9.e-]+: ")
        for name in "tqpH":
            self.assertTrue(np.isfinite(rows[name]).all(), name)
        return line, rows

    def test_contacts_that_squeeze(self):
        line, rows = self.failed(SLOT.replace("q = [0.0, 1.0]", "q = [0.0, 1.0]\nv = [1.0, 0.0]"))
        self.assertIn('squeeze the system: no impulse opens all of them (contact "left", "right", gap rate -1)', line)
        self.assertEqual(len(rows["t"]), 1)

    def test_contacts_that_squeeze_later(self):
        line, rows = self.failed(SLOT)
        self.assertIn('squeeze the system: no impulse opens all of them (contact "left", "right", "slope", gap rate ', line)
        self.assertAlmostEqual(rows["t"][-1], math.sqrt(2 / 9.81), delta=0.01)
        np.testing.assert_allclose(rows["q"][:, 1], 1 - 9.81 / 2 * rows["t"]**2, atol=1e-12)

    def test_no_force_is_enough(self):
        line, rows = self.failed(PINCHED)
        self.assertIn('no forces keep the contacts that touch from closing (contact "left", "right"', line)
        self.assertEqual(len(rows["t"]), 1)

    def test_too_many_events(self):
        line, rows = self.failed(FAST)
        self.assertIn('more than 1000 impacts and releases in one step: they accumulate, or the step is far too large (contact "right", "left"', line)
        summary, _ = self.completed("finer", "my.toml", time__step=0.1, time__end=1)
        self.assertEqual(summary["impacts"]["count"], 3000)

    def test_a_step_longer_than_the_radius(self):
        line, _ = self.failed(BOWL)
        self.assertIn("the implicit equations of the step did not converge; a smaller step may help", line)
        summary, rows = self.completed("fine", "my.toml", time__step=0.1)
        self.assertLess(abs(rows["gaps"]).max(), 1e-14)


if __name__ == "__main__":
    main()
