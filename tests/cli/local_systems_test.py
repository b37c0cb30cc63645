#!/usr/bin/env python3
"""The built-in systems whose size is a parameter: what is listed of them, what is refused and how, their starts, and that a
thousand bodies are no trouble.

usage: mechanism_systems_test.py PROGRAM SOURCE_DIR
"""

import json
import math
import re
import sys
import time
import tomllib

import numpy as np

sys.dont_write_bytecode = True
from errors_test import place_of
from support import CaromTest, main, setting

WHOLE = "1, 2, ..."
SYSTEMS = {  # parameters (default, range), coordinates, contacts at the default size
    "newton-cradle": ({"balls": (5, WHOLE), "drawn": (2, WHOLE), "angle": (-math.pi / 5, "any"),
                       "coordinates": ("angles", '"angles" or "cartesian"'), "m": (1, "> 0"), "r": (0.25, "> 0"),
                       "l": (1, "> 0"), "g": (9.8, "any"), "gap": (0, ">= 0")}, 5, 4),
    "lennard-jones-chain": ({"balls": (6, WHOLE), "m": (1, "> 0"), "epsilon": (1, ">= 0"), "sigma": (0.6, "> 0"),
                             "r": (0.3, "> 0"), "radius": (5, "> 0"), "l": (1, "> 0"), "speed": (1, "any")}, 18, None),
    "column": ({"balls": (10, WHOLE), "m": (1, "> 0"), "r": (0.5, "> 0"), "g": (9.81, "any")}, 10, 10),
    "box-of-discs": ({"discs": (12, WHOLE), "m": (1, "> 0"), "r": (0.06, "> 0"), "width": (1, "> 0"),
                      "height": (1, "> 0"), "g": (9.81, "any"), "speed": (1, ">= 0")}, 24, 114),
}

CRADLE = """\
[system]
name = "newton-cradle"
parameters = { coordinates = "cartesian", balls = 3, drawn = 1 }
[time]
step = 0.01
end = 0.1
"""
HANGING = "q = [0.0, -1.0, 0.5, -1.0, 1.0, -1.0]"

# (system, more lines, "key = value" as quoted, words of the reason); § stands before the place of the message.
WRONG = [
    ("newton-cradle", "parameters = { balls = §0 }", "system.parameters.balls = 0", ["whole number from 1"]),
    ("newton-cradle", "parameters = { balls = §-3 }", "system.parameters.balls = -3", ["whole number from 1"]),
    ("newton-cradle", "parameters = { balls = §2.5 }", "system.parameters.balls = 2.5", ["whole number from 1"]),
    ("newton-cradle", "parameters = { balls = §1e9 }", "system.parameters.balls = 1000000000", ["to 10000"]),
    ("newton-cradle", 'parameters = { balls = §"many" }', 'system.parameters.balls = "many"', ["must be a number"]),
    ("newton-cradle", "parameters = { balls = §nan }", "system.parameters.balls = nan", ["finite"]),
    ("newton-cradle", "parameters = { balls = §true }", "system.parameters.balls = true", ["number"]),
    ("newton-cradle", "parameters = { drawn = §6 }", "system.parameters.drawn = 6", ["balls", "5"]),
    ("newton-cradle", "parameters = { drawn = §0 }", "system.parameters.drawn = 0", ["whole number from 1"]),
    ("newton-cradle", "parameters = { balls = 1, drawn = §2 }", "system.parameters.drawn = 2", ["balls", "1"]),
    ("newton-cradle", 'parameters = { coordinates = §"polar" }', 'system.parameters.coordinates = "polar"',
     ['"angles" or "cartesian"']),
    ("newton-cradle", 'parameters = { coordinates = §"" }', 'system.parameters.coordinates = ""', ['"angles"']),
    ("newton-cradle", "parameters = { coordinates = §2 }", "system.parameters.coordinates = 2", ['"angles"']),
    ("newton-cradle", "parameters = { m = §0 }", "system.parameters.m = 0", ["greater than 0"]),
    ("newton-cradle", "parameters = { gap = §-0.1 }", "system.parameters.gap = -0.1", ["not be negative"]),
    ("newton-cradle", 'parameters = { l = §"long" }', 'system.parameters.l = "long"', ["must be a number"]),
    ("newton-cradle", "parameters = { bals = §3 }", "system.parameters.bals = 3",
     ['"newton-cradle" has no such', 'did you mean "balls"?']),
    ("newton-cradle", 'parameters = { coordinate = §"angles" }', 'system.parameters.coordinate = "angles"',
     ['did you mean "coordinates"?']),
    ("newton-cradle", "parameters = { xyzzy = §3 }", "system.parameters.xyzzy = 3", ["known are balls, drawn"]),
    ("newton-cradle", "lagrangian = §'1'", "system.lagrangian", ['name = "expression"']),
    ("newton-cradle", "[initial]\nq = §[0.1, 0.2]", "initial.q = [0.1, 0.2]", ["5 entries"]),
    ("newton-cradle", "[initial]\np = §[0.1, 0.2]", "initial.p = [0.1, 0.2]", ["5 entries"]),
    ("newton-cradle", "[initial]\nv = §[0, 0, 0, 0, 0, 1]", "initial.v = [0, 0, 0, 0, 0, 1]", ["5 entries"]),
    ("newton-cradle", "[initial]\nq = §[0, 0.1, 0, 0, 0]", "initial.q = [0, 0.1, 0, 0, 0]", ['behind the contact "2-3"']),
    ("newton-cradle", "[initial]\nq = §[0, inf, 0, 0, 0]", "initial.q.1 = inf", ["finite"]),
    ("newton-cradle", "[initial]\nproject = §true", "initial.project = true", ["needs joints"]),
    ("newton-cradle", "[method]\nstepper = §'event-driven'", 'method.stepper = "event-driven"',
     ["contacts that last", 'take "contact"']),
    ("lennard-jones-chain", "parameters = { r = §0.6 }", "system.parameters.r = 0.6", ["overlap", "2 r must not exceed l"]),
    ("lennard-jones-chain", "parameters = { radius = §1.0 }", "system.parameters.radius = 1", ["6 balls reaches to 2.3"]),
    ("lennard-jones-chain", "parameters = { balls = 30 }", "system.parameters.radius = 5", ["30 balls reaches to"]),
    ("lennard-jones-chain", "parameters = { epsilon = §-1 }", "system.parameters.epsilon = -1", ["not be negative"]),
    ("lennard-jones-chain", "parameters = { balls = §1.5 }", "system.parameters.balls = 1.5", ["whole number"]),
    ("lennard-jones-chain", "parameters = { eps = §1 }", "system.parameters.eps = 1", ["epsilon"]),
    ("lennard-jones-chain", "[initial]\nq = §[0, 0, 0]", "initial.q = [0, 0, 0]", ["18 entries"]),
    ("lennard-jones-chain", "[method]\nstepper = §'event-driven'", 'method.stepper = "event-driven"', ['take "contact"']),
    ("column", "parameters = { balls = §0.5 }", "system.parameters.balls = 0.5", ["whole number"]),
    ("column", "parameters = { drawn = §1 }", "system.parameters.drawn = 1", ["known are balls, m, r, g"]),
    ("column", "parameters = { balls = 2 }\n[initial]\nq = §[0.4, 1.5]", "initial.q = [0.4, 1.5]",
     ['behind the contact "floor"', "-0.1"]),
    ("column", "parameters = { balls = 2 }\n[initial]\nq = §[0.5, 1.2]", "initial.q = [0.5, 1.2]", ['behind the contact']),
    ("column", "parameters = { balls = 2 }\n[initial]\nq = §[0.5]", "initial.q = [0.5]", ["2 entries"]),
    ("column", "[method]\nstepper = §'event-driven'", 'method.stepper = "event-driven"', ['take "contact"']),
    ("column", "[initial]\nproject = §true", "initial.project = true", ["needs joints"]),
    ("box-of-discs", "parameters = { discs = §500 }", "system.parameters.discs = 500", ["at most 200"]),
    ("box-of-discs", "parameters = { discs = §100 }", "system.parameters.discs = 100", ["do not fit into a box of 1 by 1"]),
    ("box-of-discs", "parameters = { r = 0.4, discs = §1 }", "system.parameters.discs = 1", ["do not fit"]),
    ("box-of-discs", "parameters = { discs = §1.5 }", "system.parameters.discs = 1.5", ["whole number"]),
    ("box-of-discs", "parameters = { speed = §-1 }", "system.parameters.speed = -1", ["not be negative"]),
    ("box-of-discs", "parameters = { disks = §3 }", "system.parameters.disks = 3", ['did you mean "discs"?']),
    ("box-of-discs", "parameters = { discs = 2 }\n[initial]\nq = §[0.1, 0.1, 0.2, 0.1]", "initial.q = [0.1, 0.1, 0.2, 0.1]",
     ['behind the contact "1-2"']),
]


def scenario(name, more=""):
    return f'time = {{ step = 0.01, end = 0.1 }}\n[system]\nname = "{name}"\n{more}\n'


class Parameters(CaromTest):
    def listed(self):
        return {system["name"]: system for system in json.loads(self.succeed("list", "systems", "--json").out)}

    def test_defaults_are_listed(self):
        listed = self.listed()
        for name, (parameters, coordinates, contacts) in SYSTEMS.items():
            with self.subTest(name):
                found = {key: (p["default"], p["range"]) for key, p in listed[name]["parameters"].items()}
                self.assertEqual(found, parameters)
                self.assertEqual(listed[name]["dof"], coordinates)
                if contacts:
                    self.assertEqual(len(listed[name]["contacts"]), contacts)

    def test_the_text_names_them_too(self):
        text = self.succeed("list", "systems").out
        for word in ["balls", "drawn", "coordinates", "angles", "epsilon"]:
            self.assertIn(word, text)

    def test_each_mistake_by_place_key_and_value(self):
        for name, more, quoted, words in WRONG:
            with self.subTest(name=name, more=more):
                text, place = place_of(scenario(name, more))
                for command in ["check", "run"]:
                    line = self.fail_with(2, command, self.write(text))
                    self.assertTrue(line.startswith(f"my.toml:{place}: {quoted}" if place else "my.toml"), line)
                    for word in [quoted, *words]:
                        self.assertIn(word, line)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["my.toml"], "nothing is left behind")

    def test_sizes_make_coordinates_and_names(self):
        for name, size, dof in [("newton-cradle", 7, 7), ("lennard-jones-chain", 3, 9), ("column", 25, 25)]:
            summary, rows = self.run_to(name, self.write(scenario(name, f"parameters = {{ balls = {size} }}")))
            self.assertEqual(rows["q"].shape[1], dof)
            self.assertEqual(summary["status"], "completed")
        summary, rows = self.run_to("cartesian", self.write(CRADLE))
        self.assertEqual(rows["q"].shape[1], 6)

    def test_parameters_are_used(self):
        text = scenario("column", "parameters = { balls = 3, m = 2.0, r = 0.1, g = 5.0 }")
        summary, rows = self.run_to("column", self.write(text))
        np.testing.assert_allclose(rows["q"][0], [0.1, 0.3, 0.5], atol=1e-15)
        self.assertAlmostEqual(summary["energy"]["initial"], 2 * 5 * 0.9, delta=1e-13)
        text = scenario("newton-cradle", "parameters = { balls = 4, drawn = 3, angle = 0.3, m = 2.0, l = 0.5, g = 5.0 }")
        summary, rows = self.run_to("cradle", self.write(text))
        np.testing.assert_allclose(rows["q"][0], [0, 0.3, 0.3, 0.3], atol=1e-15)  # the last ones to the right
        energy = -2 * 5 * 0.5 * (1 + 3 * math.cos(0.3))
        self.assertAlmostEqual(summary["energy"]["initial"], energy, delta=1e-13)
        flat, _ = self.run_to("flat", self.write(text.replace("balls = 4", 'coordinates = "cartesian", balls = 4')))
        self.assertAlmostEqual(flat["energy"]["initial"], energy, delta=1e-13)

    def test_the_effective_scenario_is_the_users(self):
        self.run_to("out", self.write(CRADLE))
        written = tomllib.loads((self.folder / "out/scenario.toml").read_text())
        self.assertEqual(written["system"]["parameters"], {"coordinates": "cartesian", "balls": 3, "drawn": 1})
        self.run_to("again", "out/scenario.toml")
        self.assertEqual(self.bytes_of("out"), self.bytes_of("again"))

    def test_where_nothing_is_said_they_step_by_contact(self):
        for name in SYSTEMS:
            self.assertIn("shadow of order 8 (composition), lasting contact",
                          self.succeed("check", self.write(scenario(name))).out)


class Starts(CaromTest):
    def test_off_the_joints(self):
        text = CRADLE.replace("[time]", f"[initial]\n{HANGING}\n[time]")
        self.run_to("hanging", self.write(text))
        off = text.replace("0.0, -1.0,", "0.0, -1.2,")
        line = self.fail_with(2, "run", self.write(off))
        self.assertRegex(line, r"^my\.toml:5:5: initial\.q = \[0, -1\.2, ")
        self.assertIn('is off the joint "rod 1", which is 0.2 and must be 0', line)
        near = re.search(r"0; (\[[^]]*\]) is near and on the joints; initial\.project = true takes it", line)[1]
        np.testing.assert_allclose(json.loads(near), [0, -1, 0.5, -1, 1, -1], atol=1e-9)

    def test_projected(self):
        off = CRADLE.replace("[time]", f"[initial]\n{HANGING.replace('0.0, -1.0,', '0.0, -1.2,')}\nproject = true\n[time]")
        summary, rows = self.run_to("out", self.write(off))
        np.testing.assert_allclose(rows["q"][0], [0, -1, 0.5, -1, 1, -1], atol=1e-14)
        self.assertLessEqual(summary["joints"]["max_abs"], 1e-14)

    def test_velocities_that_leave_the_joints(self):
        text = CRADLE.replace("[time]", f"[initial]\n{HANGING}\nv = [-1.0, 0.5, 0, 0, 0, 0]\n[time]")
        line = self.fail_with(2, "run", self.write(text))
        self.assertTrue(line.startswith("my.toml:6:5: initial.v = [-1, 0.5, 0, 0, 0, 0]: "), line)
        self.assertIn('leaves the joint "rod 1" at the rate -0.5, which must be 0', line)
        _, rows = self.run_to("out", self.write(text.replace("v = [", "project = true\nv = [")))
        np.testing.assert_allclose(rows["p"][0], [-1, 0, 0, 0, 0, 0], atol=1e-14)

    def test_behind_a_contact_after_projection_too(self):
        text = CRADLE.replace("[time]", "[initial]\nq = [0.6, -0.8, 0.5, -1.0, 1.0, -1.0]\n[time]")
        line = self.fail_with(2, "run", self.write(text))
        self.assertIn('lies behind the contact "1-2"', line)
        line = self.fail_with(2, "run", self.write(text.replace("0.6, -0.8", "1.2, -1.6").replace("q =", "project = true\nq =")))
        self.assertIn('lies behind the contact "1-2"', line)

    def test_pendulum_from_formulas_as_well(self):
        line = self.fail_with(2, "run", "pendulum", *setting(initial__q="[1.2, -1.6]"))
        self.assertIn('is off the joint "rod", which is 1 and must be 0; [0.6, -0.8] is near', line)
        _, rows = self.run_to("out", "pendulum", *setting(initial__q="[1.2, -1.6]", initial__project="true", time__end=1))
        np.testing.assert_allclose(rows["q"][0], [0.6, -0.8], atol=1e-14)


class Many(CaromTest):
    def test_a_thousand_balls(self):
        for name, size in [("column", 1000), ("newton-cradle", 1000)]:
            with self.subTest(name):
                begin = time.monotonic()
                summary, rows = self.run_to(name, self.write(scenario(name, f"parameters = {{ balls = {size} }}")))
                self.assertEqual((summary["status"], len(summary["final"]["q"])), ("completed", 1000))
                self.assertLess((self.folder / name / "report.html").stat().st_size, 3_000_000)
                self.assertLess(time.monotonic() - begin, 60)  # a hang, not a measurement
                if name == "column":
                    self.assertEqual(np.abs(rows["q"] - rows["q"][0]).max(), 0)

    def test_ten_thousand_balls(self):
        for stepper in ["contact", "gvi"]:
            summary, rows = self.run_to(stepper, self.write(scenario("column", "parameters = { balls = 10000 }")),
                                        *setting(method__stepper=stepper, time__step=0.001, time__end=0.005))
            self.assertEqual(summary["status"], "completed")
            self.assertLess(np.abs(rows["q"] - rows["q"][0]).max(), 1e-8)


if __name__ == "__main__":
    main()
