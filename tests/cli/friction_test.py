#!/usr/bin/env python3
"""Contacts with friction: references by closed form or 8th-order integration of each mode, orders through their events, and
what a user may state.

usage: friction_test.py PROGRAM SOURCE_DIR
"""

import csv
import json
import math
import sys

sys.dont_write_bytecode = True
import numpy as np
from support import CaromTest, main, setting

BLOCK = """\
[system]
name = "expression"
coordinates = ["x", "y"]
parameters = { g = 10.0, al = 0.3, m = 0.3 }
lagrangian = "0.5*(x'^2 + y'^2) - g*(y*cos(al) + x*sin(al))"
[system.contacts]
floor = { gap = "y", %s }
[initial]
q = [0.0, 0.0]
v = [0.0, 0.0]
[time]
end = 1.0
"""

# A box on two corners, that may tip.
BOX = """\
[system]
name = "expression"
coordinates = ["x", "y", "a"]
parameters = { g = 9.81, al = 0.3, b = 0.5, d = %s, mu = %s }
lagrangian = "0.5*(x'^2 + y'^2) + 0.5*(b^2 + d^2)/3*a'^2 - g*(y*cos(al) - x*sin(al))"
[system.contacts]
left = { gap = "y - b*sin(a) - d*cos(a)", mu = "mu", slide = "x - b*cos(a) + d*sin(a)", restitution = 0 }
right = { gap = "y + b*sin(a) - d*cos(a)", mu = "mu", slide = "x + b*cos(a) + d*sin(a)", restitution = 0 }
[initial]
q = [0.0, %s, 0.0]
v = [0.0, 0.0, 0.0]
[time]
end = 0.3
"""


def scenario_of(reference, step, flow, along="slide"):
    system = reference["system"]
    contacts = [f'{name} = {{ gap = "{gap}", mu = {system["mu"][name]}, restitution = {system["restitution"][name]}, '
                f'{along} = "{system[along][name]}" }}' for name, gap in system["gaps"].items()]
    parameters = ", ".join(f"{name} = {float(value)!r}" for name, value in system["parameters"].items())
    return "\n".join(["[system]", 'name = "expression"', f'coordinates = {json.dumps(system["coordinates"])}',
                      f'lagrangian = "{system["lagrangian"]}"', f"parameters = {{ {parameters} }}", "[system.contacts]",
                      *contacts, "[initial]", f'q = {[float(x) for x in reference["start"]["q"]]}',
                      f'v = {[float(x) for x in reference["start"]["v"]]}', "[method]", f"flow = \"{flow}\"",
                      'base = "svc"' if flow != "svc" else "", "[time]", f"step = {step}", f'end = {float(reference["t_end"])!r}'])


class Friction(CaromTest):
    rough = True  # of the second order the energy errs

    def setUp(self):
        super().setUp()
        self.references = {r["name"]: r for r in json.loads((self.source / "tests/cli/friction_references.json").read_text())}

    def end_of(self, reference, step, flow, along="slide"):
        _, rows = self.run_to("out", self.write(scenario_of(reference, step, flow, along)), "--force")
        final = reference["final"]
        return max(np.abs(rows["q"][-1] - final["q"]).max(), np.abs(rows["v"][-1] - final["v"]).max())

    def changes(self, out="out"):
        with open(self.folder / out / "contacts.csv", newline="") as file:
            return [(float(row["time"]), row["contact"], row["event"]) for row in csv.DictReader(file)]

    def test_references_end_where_they_should_at_order_six(self):
        self.assertEqual(len(self.references), 8)
        for name, reference in self.references.items():
            with self.subTest(name):
                self.assertLessEqual(self.end_of(reference, 0.005, "kahan-li6"), 1e-9)

    def test_references_have_their_events(self):
        for name in ["rod-tips-mu0.3", "incline-slides-back", "block-on-block", "belt-stick-slip", "ladder"]:
            with self.subTest(name):
                reference = self.references[name]
                self.end_of(reference, 0.005, "kahan-li6")
                seen = [change for change in self.changes() if change[0] > 0]
                self.assertEqual(len(seen), len(reference["events"]), seen)
                for (t, contact, event), expected in zip(seen, reference["events"]):
                    self.assertEqual(contact, expected["contact"])
                    self.assertLessEqual(abs(t - expected["t"]), 1e-9, (contact, event))
                    word = {"stick->slide": "slides", "slide->stick": "sticks", "reversal": "slides", "release": "released"}
                    self.assertTrue(event.startswith(word[expected["kind"]]), (event, expected))

    def test_references_have_their_impacts(self):
        for name, count in [("disc-lands-mu0.2", 8), ("rocking-block", 4), ("rimless-wheel-8", 5)]:
            with self.subTest(name):
                reference = self.references[name]
                self.end_of(reference, 0.005, "kahan-li6")
                for impact, expected in zip(self.impacts("out")[:count], reference["events"], strict=False):
                    self.assertLessEqual(abs(impact["time"] - expected["t"]), 1e-9)
                    self.assertIn(expected["contact"], impact["contact"])
                self.assertGreaterEqual(len(self.impacts("out")), count)

    def test_orders_hold_through_sticking_sliding_reversal_release_and_impact(self):
        for name, along in [("rod-tips-mu0.3", "slide"), ("ladder", "slide"), ("belt-stick-slip", "slide"),
                            ("rocking-block", "slide"), ("rod-tips-mu0.3", "slip")]:
            for flow, order, steps in [("svc", 2, (0.02, 0.01, 0.005)), ("yoshida4", 4, (0.02, 0.01, 0.005)),
                                       ("kahan-li6", 6, (0.04, 0.02, 0.01))]:
                with self.subTest(f"{name} by {along}, {flow}"):
                    errors = [self.end_of(self.references[name], h, flow, along) for h in steps]
                    slope = np.polyfit(np.log(steps), np.log(errors), 1)[0]
                    self.assertAlmostEqual(slope, order, delta=0.3 if order < 6 else 0.6, msg=errors)

    def test_energy_is_what_friction_and_impacts_leave(self):
        for name, reference in self.references.items():
            with self.subTest(name):
                summary, rows = self.run_to("out", self.write(scenario_of(reference, 0.01, "kahan-li6")), "--force")
                self.assertLessEqual(summary["energy"]["friction"], 0)
                self.assertLessEqual(np.diff(rows["friction"]).max(), 1e-12)
                if name != "disc-lands-mu0.2":  # its last bounces are not followed
                    self.assertLessEqual(abs(summary["energy"]["remainder"]), 1e-7)

    def test_a_block_sticks_below_the_angle_of_friction_and_slides_above(self):
        for factor in [0.99, 1.01]:
            mu = f'mu = {factor * math.tan(0.3)!r}, slide = "x"'
            _, rows = self.run_to("out", self.write(BLOCK % mu), "--force")
            expected = 0 if factor > 1 else -0.5 * 10 * (math.sin(0.3) - factor * math.tan(0.3) * math.cos(0.3))
            self.assertAlmostEqual(rows["q"][-1, 0], expected, delta=1e-13)
            self.assertAlmostEqual(rows["forces"][-1, 0], 10 * math.cos(0.3), delta=1e-12)

    def test_a_box_on_two_corners_sticks_slides_and_tips(self):
        for d, mu, does in [(0.5, 0.32, "sticks"), (0.5, 0.3, "slides"), (2.0, 1.0, "tips")]:
            with self.subTest(does):
                _, rows = self.run_to("out", self.write(BOX % (d, mu, d)), "--force")
                x, _, a = rows["q"][-1]
                if does == "tips":
                    falls = -9.81 * (d * math.sin(0.3) - 0.5 * math.cos(0.3)) / (4 / 3 * (0.25 + d * d))
                    self.assertAlmostEqual(a / (0.5 * falls * 0.09), 1.02, delta=0.02)  # faster as it tips
                else:
                    slides = 0.5 * 9.81 * (math.sin(0.3) - mu * math.cos(0.3)) * 0.09
                    self.assertAlmostEqual(x, slides if does == "slides" else 0, delta=1e-12)
                    self.assertAlmostEqual(a, 0, delta=1e-12)

    def test_without_mu_or_with_none_bits_are_the_same(self):
        plain, none = BLOCK % "restitution = 0.5", BLOCK % "restitution = 0.5, mu = 0, slide = \"x\""
        options = setting(initial__q="[0.0, 0.4]", initial__v="[1.0, 0.0]", time__end=3)
        self.run_to("plain", self.write(plain), *options, *setting(method__stepper="contact"))
        self.run_to("none", self.write(none), *options)
        for file in ["trajectory.npz", "impacts.csv", "contacts.csv"]:
            self.assertEqual(self.bytes_of("plain", file), self.bytes_of("none", file))

    def test_goes_on_after_a_stop_as_if_there_had_been_none(self):
        options = setting(time__end=300, time__step=0.01, output__every=100)
        scenario = self.write(scenario_of(self.references["belt-stick-slip"], 0.01, "yoshida4"))
        self.run_to("whole", scenario, *options)
        self.stop_and_resume("parts", scenario, *options)
        for file in ["trajectory.npz", "contacts.csv"]:
            self.assertEqual(self.bytes_of("whole", file), self.bytes_of("parts", file))

    def test_refuses_what_is_no_friction(self):
        for text, key, why in [
                ("mu = 0.3", "mu", "needs a slip"),
                ('slip = "x\'"', "slip", "give mu, too"),
                ("mu = -0.1, slip = \"x'\"", "mu", "a number of at least 0"),
                ("mu = \"-m\", slip = \"x'\"", "mu", "must be at least 0"),
                ("mu = \"x\", slip = \"x'\"", "mu", "a formula of the parameters"),
                ("mu = 0.1, slip = \"x'^2\"", "slip", "must be linear in the velocities, and is not in x'"),
                ("mu = 0.1, slip = \"x'\", slide = \"x\"", "slip", "not both"),
                ("mu = 0.1, slide = \"x + x'\"", "slide", "must not depend on the velocity x'"),
                ("mu = 0.1, slide = \"floor(x)\"", "slide", "must be continuous")]:
            with self.subTest(text):
                line = self.fail_with(2, "check", self.write(BLOCK % text))
                self.assertIn(f"system.contacts.floor.{key} = ", line)
                self.assertIn(why, line)
        for stepper in ["event-driven", "gvi", "direct", "smooth"]:
            line = self.fail_with(2, "check", self.write(BLOCK % "mu = 0.1, slide = \"x\""), *setting(method__stepper=stepper))
            self.assertIn(f'the stepper "{stepper}" has no friction contact by contact; "contact" has', line)
        line = self.fail_with(2, "check", self.write(BLOCK % "mu = 0.1, slide = \"x\""), *setting(method__impact="shadow"))
        self.assertIn("method.impact", line)


def case(coordinates, lagrangian, contacts, q, v, end, step=0.01, **parameters):
    lines = [f"{name} = {contact}" for name, contact in contacts.items()]
    numbers = ", ".join(f"{name} = {float(value)!r}" for name, value in parameters.items())
    return "\n".join(["[system]", 'name = "expression"', f"coordinates = {json.dumps(coordinates.split())}",
                      f"parameters = {{ {numbers} }}", f'lagrangian = "{lagrangian}"', "[system.contacts]", *lines, "[initial]",
                      f"q = {[float(x) for x in q]}", f"v = {[float(x) for x in v]}", "[time]", f"step = {step}", f"end = {float(end)}"])


ROD = "0.5*(x'^2+y'^2) + (1/6)*th'^2 - g*y"
FOOT = {"floor": '{ gap = "y-sin(th)", mu = "mu", slide = "x + cos(th)", restitution = 0 }'}


class WhatFrictionOfTheMotionAsAWholeGotWrong(CaromTest):
    """Cases whose results were wrong without a word, stated with contacts: closed forms."""
    rough = True

    def end_of(self, text, *options):
        self.summary, rows = self.run_to("out", self.write(text), "--force", *options)
        return rows["q"][-1], rows["v"][-1]

    def test_disc_on_a_slope_rolls(self):
        text = case("x y ph", "0.5*(x'^2+y'^2) + 0.25*R^2*ph'^2 - g*(y*cos(al) + x*sin(al))",
                    {"floor": '{ gap = "y-R", mu = 0.3, slide = "x + R*ph" }'}, [0, 0.5, 0], [0, 0, 0], 2, g=10, R=0.5, al=0.2)
        q, _ = self.end_of(text)
        self.assertAlmostEqual(q[0], -10 * math.sin(0.2) * 2 / 3 * 2, delta=1e-12)

    def test_rods_fall_about_feet_that_stick(self):
        q, _ = self.end_of(case("x y th", ROD, FOOT, [0, math.sin(1.3), 1.3], [0, 0, 0], 0.3, g=10, mu=0.5))
        self.assertAlmostEqual(q[2], 1.2047, delta=1e-3)
        rod = {"foot": '{ gap = "y - L/2*cos(a)", mu = 1, slide = "x - L/2*sin(a)" }'}
        q, _ = self.end_of(case("x y a", "0.5*(x'^2 + y'^2) + 0.5*L^2/12*a'^2 - g*y", rod, [0, 0.477668244562803, 0.3], [0, 0, 0], 0.3,
                                step=0.001, L=1, g=9.81))
        self.assertAlmostEqual(q[2], 0.51689, delta=1e-5)

    def test_rod_whose_foot_stops_gains_nothing(self):
        self.end_of(case("x y th", ROD, FOOT, [0, 0.7833269096274834, 0.9], [-2, 0, 0], 0.5, g=10, mu=2))
        energy = self.summary["energy"]
        self.assertLessEqual(energy["final"], energy["initial"])
        self.assertLessEqual(abs(energy["remainder"]), 1e-2)

    def test_spinning_disc_sticks_as_it_lands(self):
        text = case("x y a", "0.5*(x'^2 + y'^2) + 0.25*R^2*a'^2 - g*y",
                    {"floor": '{ gap = "y - R", mu = 1, slide = "x + R*a", restitution = 0.8 }'}, [0, 0.6, 0], [0, 0, 20], 0.5, R=0.1, g=9.81)
        self.end_of(text)
        first = self.impacts("out")[0]
        self.assertAlmostEqual(first["p_after.x"] - first["p_before.x"], -2 / 3, delta=1e-12)
        self.assertAlmostEqual(first["p_after.x"] + 0.1 * first["p_after.a"] / 0.005, 0, delta=1e-12)

    def test_mass_at_rest_on_a_belt_is_taken_along(self):
        text = case("x y", "0.5*(x'^2+y'^2) - g*y - 0.5*k*x^2", {"belt": '{ gap = "y", mu = 0.1, slide = "x - vb*t" }'},
                    [0, 0], [0, 0], 20, k=1, g=10, vb=0.5)
        q, _ = self.end_of(text, *setting(method__flow="kahan-li6"))
        self.assertAlmostEqual(q[0], 0.5532, delta=5e-5)

    def test_blocks_stop_one_by_one_and_at_nodes(self):
        floor = '{ gap = "%s", mu = 0.3, slide = "%s" }'
        text = case("x1 y1 x2 y2", "0.5*(x1'^2+y1'^2+x2'^2+y2'^2) - g*(y1+y2)",
                    {"f1": floor % ("y1", "x1"), "f2": floor % ("y2", "x2")}, [0, 0, 5, 0], [1, 0, 2, 0], 2, g=10)
        q, v = self.end_of(text)
        np.testing.assert_allclose(q, [1 / 6, 0, 17 / 3, 0], atol=1e-12)
        np.testing.assert_array_equal(v, np.zeros(4))
        q, _ = self.end_of(case("x y", "0.5*(x'^2+y'^2) - g*y", {"f": floor % ("y", "x")}, [0, 0], [1.5, 0], 3, g=10))
        self.assertAlmostEqual(q[0], 0.375, delta=1e-12)

    def test_sliding_disc_begins_to_roll(self):
        text = case("x y ph", "0.5*(x'^2+y'^2) + 0.25*R^2*ph'^2 - g*y", {"floor": '{ gap = "y-R", mu = 0.2, slide = "x + R*ph" }'},
                    [0, 0.5, 0], [3, 0, 0], 2, g=10, R=0.5)
        q, v = self.end_of(text)
        np.testing.assert_allclose([q[0], v[0], v[2]], [4.25, 2, -4], atol=1e-12)

    def test_foot_of_a_biped_sticks_as_it_lands(self):
        lagrangian = ("0.5*mh*(x'^2+y'^2) + 0.5*m*((x'+c*cos(a)*a')^2+(y'+c*sin(a)*a')^2+(x'+c*cos(b)*b')^2+(y'+c*sin(b)*b')^2)"
                      " - g*cos(th)*(mh*y + m*(2*y - c*cos(a) - c*cos(b))) + g*sin(th)*(mh*x + m*(2*x + c*sin(a)+c*sin(b)))")
        feet = {f"foot{i}": f'{{ gap = "y - l*cos({n})", mu = 1, slide = "x + l*sin({n})" }}' for i, n in [(1, "a"), (2, "b")]}
        text = case("x y a b", lagrangian, feet, [0, 0.9800665778412416, -0.2, 0.2], [0.5, 0.1, -0.5, 0.3], 0.05, step=0.001, mh=10,
                    m=5, l=1, c=0.5, g=9.81, th=0.05)
        self.end_of(text, *setting(method__restitution=0))
        first = self.impacts("out")[0]
        after = np.array([first[f"p_after.{n}"] for n in "xyab"])
        q = np.array([first[n] for n in "xyab"])
        v = np.linalg.solve(self.mass_of_biped(q), after)
        foot = 1 if "foot1" in first["contact"] else 2
        angle = q[1 + foot]
        self.assertAlmostEqual(v[0] + math.cos(angle) * v[1 + foot], 0, delta=1e-10)
        self.assertAlmostEqual(0.5 * after @ v, 1.66, delta=0.02)

    @staticmethod
    def mass_of_biped(q, mh=10, m=5, c=0.5):
        rows = [mh * np.outer(e, e) for e in np.eye(4)[:2]]
        for k in (2, 3):
            x, y = np.eye(4)[0] + c * math.cos(q[k]) * np.eye(4)[k], np.eye(4)[1] + c * math.sin(q[k]) * np.eye(4)[k]
            rows += [m * np.outer(x, x), m * np.outer(y, y)]
        return sum(rows)


if __name__ == "__main__":
    main()
