#!/usr/bin/env python3
"""The built-in systems that are stated in formulas: what they are, what their parameters do, what is refused, and that
everything works with them as with any other system. Energies and angular momenta are worked out by hand from the
papers' potentials. formula_scenarios_test.py has their shipped scenarios.

usage: formula_systems_test.py PROGRAM SOURCE_DIR
"""

import json
import math
import re
import sys
import tomllib

sys.dont_write_bytecode = True
from errors_test import place_of
from support import CaromTest, main

PARTICLES = ["x1", "y1", "x2", "y2"]
SYSTEMS = {  # coordinates, contacts, parameters (default, range)
    "pogo-stick": (["y1", "y2"], ["floor"], {"m": (1, "> 0"), "k": (10, ">= 0"), "k4": (0, ">= 0"), "l": (5, "> 0"),
                                             "g": (9.8, "any")}),
    "mass-on-cubic": (["x", "y"], ["surface"], {"m": (1, "> 0"), "b": (0.01, "any"), "g": (9.81, "any"),
                                                "c_f": (0.1, ">= 0"), "r_f": (0.85, "> 0")}),
    "spring-and-sphere": (PARTICLES, ["sphere 1", "sphere 2"],
                          {"m": (1, "> 0"), "a": (50, "any"), "k": (1, ">= 0"), "l": (math.sqrt(8), ">= 0"),
                           "r": (5, "> 0")}),
    "nonlinear-oscillator": (PARTICLES, ["discs"], {"m": (1, "> 0"), "r1": (1, "> 0"), "r2": (1, "> 0")}),
    "wedge": (["x", "y"], ["left", "right"], {"m": (1, "> 0"), "g": (9.81, "any"),
                                              "angle": (math.pi / 3, "> 0, < pi")}),
    "disc": (["x", "y"], ["disc"], {"m": (1, "> 0"), "g": (9.81, "any"), "R": (1, "> 0"), "v0": (0.5, "any")}),
}

SPRING = 0.5 * (math.sqrt(10) - math.sqrt(8)) ** 2  # Fig. 8.3 of 003
# (system, more lines, energy, angular momentum)
ENERGIES = [
    ("pogo-stick", "", 68.6, None),  # the spring at rest, 9.8 (6 + 1)
    ("pogo-stick", "parameters = { l = 2.0, g = 1.0, m = 3.0 }", 12, None),  # the start moves along: 3 (3 + 1)
    ("pogo-stick", "parameters = { k = 4.0, k4 = 8.0, g = 0.0 }\n[initial]\nq = [8.0, 1.0]", 8 + 32, None),
    ("spring-and-sphere", "", 1 + 50 / 17 + 50 / 25 + SPRING, math.sqrt(17) + 5),
    ("spring-and-sphere", "[initial]\nq = [4, -3, 3, -4]\np = [0.6, 0.8, 0.8, 0.6]", 6, 10),  # Fig. 5.1 of 003
    ("spring-and-sphere", "parameters = { m = 4.0, a = 0.0, k = 0.0, r = 10.0 }", 1 / 4, 2 * (math.sqrt(17) + 5)),
    ("nonlinear-oscillator", "", 1 + 2 * 1.96 * 0.96**2, 2.8),
    ("nonlinear-oscillator", "parameters = { m = 2.0, r1 = 0.6, r2 = 0.6 }", 1 / 2, 2),
    ("wedge", "", 9.81, None),
    ("mass-on-cubic", "", (3.6**2 + 10.8**2) / 2 + 98.1, None),
    ("mass-on-cubic", "parameters = { m = 2.0, b = 0.0 }", 3.6**2, None),  # along the x axis
    ("wedge", "parameters = { m = 2.0, g = 3.0, angle = 1.0 }", 6, None),
    ("disc", "", 9.81 + 0.125, None),
    ("disc", "parameters = { m = 2.0, g = 5.0, R = 3.0, v0 = -2.0 }", 2 + 15 * 2 + 2, None),
]

# Lines of [system]; § stands before the place that the message points at.
WRONG = [
    ("pogo-stick", "parameters = { m = §0.0 }", "system.parameters.m = 0", ["must be greater than 0"]),
    ("pogo-stick", "parameters = { k = §-1 }", "system.parameters.k = -1", ["must not be negative"]),
    ("pogo-stick", "parameters = { K = §1.0 }", "system.parameters.K = 1", ['"pogo-stick" has no such', '"k"?']),
    ("pogo-stick", 'parameters = { k = §"stiff" }', 'system.parameters.k = "stiff"', ["must be a number"]),
    ("pogo-stick", "parameters = { k = §nan }", "system.parameters.k = nan", ["finite"]),
    ("pogo-stick", "coordinates = §['y']", "system.coordinates", ['name = "expression"']),
    ("pogo-stick", "[initial]\nq = §[6.0, -1.0]", "initial.q = [6, -1]", ['behind the contact "floor"', "gap is -1"]),
    ("pogo-stick", "[initial]\nq = §[6.0]", "initial.q = [6]", ["2 entries"]),
    ("spring-and-sphere", "parameters = { radius = §5.0 }", "system.parameters.radius", ["known are m, a, k, l, r"]),
    ("spring-and-sphere", "[initial]\nq = §[6, 0, 0, 1]", "initial.q = [6, 0, 0, 1]", ['"sphere 1"']),
    ("spring-and-sphere", "[initial]\nq = [0, 0, 1, 0]", "initial", ["energy at the start is not finite"]),
    ("nonlinear-oscillator", "parameters = { r3 = §1.0 }", "system.parameters.r3 = 1", ['did you mean "r1"?']),
    ("mass-on-cubic", "parameters = { r_f = §0 }", "system.parameters.r_f = 0", ["greater than 0"]),
    ("mass-on-cubic", "[method]\nstepper = 'contact'", "system.friction", ['"contact" knows no friction', "dae-euler"]),
    ("mass-on-cubic", "friction = §['0', '0']", "system.friction", ['name = "expression"']),
    ("dae-exponential", "z = §['u', 'w']", "system.z", ['name = "dae"']),
    ("dae-exponential", "[method]\nstepper = §'contact'", 'method.stepper = "contact"', ["dae-euler"]),
    ("wedge", "[initial]\npsi = §[1.0, 2.0]", "initial.psi = [1, 2]", ["starts without multipliers"]),
    ("wedge", "parameters = { angle = §3.2 }", "system.parameters.angle = 3.2", ["must be less than pi"]),
    ("wedge", "parameters = { angle = §0 }", "system.parameters.angle = 0", ["must be greater than 0"]),
    ("wedge", "parameters = { angel = §1.0 }", "system.parameters.angel = 1", ['did you mean "angle"?']),
    ("disc", "parameters = { r = §1.0 }", "system.parameters.r = 1", ['did you mean "R"?']),
    ("disc", "[initial]\nq = §[0.5, 0.0]", "initial.q = [0.5, 0]", ['behind the contact "disc"']),
]

# The pogo stick and the two discs, written out.
POGO = """\
name = "expression"
coordinates = ["y1", "y2"]
parameters = { m = 1.0, k = 12.0, k4 = 0.0, l = 5.0, g = 9.8 }
lagrangian = "0.5*m*(y1'^2 + y2'^2) - 0.5*k*(y1 - y2 - l)^2 - 0.25*k4*(y1 - y2 - l)^4 - m*g*(y1 + y2)"
gaps = { floor = "y2" }
"""
DISCS = """\
name = "expression"
coordinates = ["x1", "y1", "x2", "y2"]
parameters = { m = 2.0, r1 = 1.0, r2 = 1.0 }
lagrangian = "0.5*m*(x1'^2 + y1'^2 + x2'^2 + y2'^2) - V1 - V2"
let = { V1 = "(x1^2 + y1^2)*(x1^2 + y1^2 - 1)^2", V2 = "(x2^2 + y2^2)*(x2^2 + y2^2 - 1)^2" }
gaps = { discs = "hypot(x1 - x2, y1 - y2) - r1 - r2" }
momenta = { "angular momentum" = "m*(x1*y1' - y1*x1' + x2*y2' - y2*x2')" }
"""


def scenario(system, more="", end=5.0):
    return f"time = {{ step = 0.01, end = {end} }}\n[system]\n{system}\n{more}\n"


def named(name):
    return f'name = "{name}"'


class FormulaSystems(CaromTest):
    def test_what_they_are(self):
        listed = {system["name"]: system for system in json.loads(self.succeed("list", "systems", "--json").out)}
        for name, (coordinates, contacts, parameters) in SYSTEMS.items():
            with self.subTest(name):
                system = listed[name]
                self.assertEqual((system["coordinates"], system["contacts"]), (coordinates, contacts))
                self.assertEqual({key: (p["default"], p["range"]) for key, p in system["parameters"].items()}, parameters)

    def test_energies_and_angular_momenta(self):
        for name, more, energy, spin in ENERGIES:
            with self.subTest(name=name, more=more):
                summary, _ = self.run_to("out", self.write(scenario(named(name), more, end=0.001)), "--force")
                self.assertEqual(summary["system"], name)
                self.assertAlmostEqual(summary["energy"]["initial"], energy, delta=1e-13 * energy)
                self.assertEqual([momentum["name"] for momentum in summary["momenta"]],
                                 [] if spin is None else ["angular momentum"])
                if spin is not None:
                    self.assertAlmostEqual(summary["momenta"][0]["initial"], spin, delta=1e-13 * spin)

    def test_starts_follow_the_parameters(self):
        for name, parameters, q in [("disc", "R = 3.0", [0, 3]), ("pogo-stick", "l = 2.0", [3, 1]),
                                    ("spring-and-sphere", "r = 10.0", [8, -2, 6, -8]),
                                    ("wedge", f"angle = {math.pi / 2}", [0.5, 1])]:
            text = scenario(named(name), f"parameters = {{ {parameters} }}", end=0.001)
            _, rows = self.run_to(name, self.write(text))
            for found, expected in zip(rows["q"][0], q):
                self.assertAlmostEqual(found, expected, delta=1e-14)

    def test_each_mistake_by_place_key_and_value(self):
        for name, more, quoted, words in WRONG:
            with self.subTest(name=name, more=more):
                text, place = place_of(scenario(named(name), more))
                line = self.fail_with(2, "check", self.write(text))
                self.assertTrue(line.startswith(f"my.toml:{place}: " if place else "my.toml"), line)
                for word in [quoted, *words]:
                    self.assertIn(word, line)

    def test_they_are_their_formulas(self):
        for own, parameters, formulas, start in [
                ("pogo-stick", "k = 12.0", POGO, "q = [6, 1]"),
                ("nonlinear-oscillator", "m = 2.0", DISCS, "q = [0, -1.4, 0, 1.4]\nv = [0.5, 0, -0.5, 0]")]:
            with self.subTest(own):
                text = scenario(named(own), f"parameters = {{ {parameters} }}\n[initial]\n{start}")
                ours, _ = self.run_to(own, self.write(text))
                theirs, _ = self.run_to(f"{own}-formulas", self.write(scenario(formulas, f"[initial]\n{start}")))
                self.assertEqual((ours["system"], theirs["system"]), (own, "expression"))
                self.assertGreater(ours["impacts"]["count"], 5)
                for file in ["trajectory.npz", "impacts.csv"]:
                    self.assertEqual(self.bytes_of(own, file), self.bytes_of(f"{own}-formulas", file))

    def test_modified_energies_of_two_and_four_coordinates(self):
        for name in ["pogo-stick", "nonlinear-oscillator"]:
            for method in ["mcva-a", "mcva-c", "mhc"]:
                with self.subTest(name=name, method=method):
                    text = scenario(named(name), f'[method]\nname = "{method}"', end=3.0)
                    summary, _ = self.run_to("out", self.write(text), "--force")
                    self.assertGreater(summary["impacts"]["count"], 0)
                    self.assertLess(summary["energy"]["max_abs_error"], 5e-3 * summary["energy"]["initial"])

    def test_the_effective_scenario_is_the_users(self):
        self.run_to("out", self.write(scenario(named("wedge"), "parameters = { angle = 1.5 }")))
        written = tomllib.loads((self.folder / "out/scenario.toml").read_text())
        self.assertEqual(written["system"], {"name": "wedge", "parameters": {"angle": 1.5}})
        self.run_to("again", "out/scenario.toml")
        self.assertEqual(self.bytes_of("again"), self.bytes_of("out"))

    def test_until_knows_their_parameters(self):
        text = scenario(named("pogo-stick")).replace("end = 5.0", 'until = "y1 - l"')
        summary, _ = self.run_to("out", self.write(text))
        self.assertAlmostEqual(summary["final"]["t"], math.sqrt(2 / 9.8), delta=0.02)  # l + 1 - g t²/2 = l

    def test_walls_of_a_wedge_are_drawn_at_their_angle(self):
        self.run_to("out", self.write(scenario(named("wedge"), "parameters = { angle = 1.2 }")))
        page = (self.folder / "out/report.html").read_text()
        walls = json.loads(re.search(r'"ground":(\[\[.*?\]\])', page)[1])
        left, right = ([float(x) for x in wall] for wall in walls)
        self.assertEqual((left[2:], right[:2]), ([0, 0], [0, 0]))
        self.assertAlmostEqual(left[0] / left[1], -math.tan(0.6), delta=1e-12)
        self.assertAlmostEqual(right[2] / right[3], math.tan(0.6), delta=1e-12)
        self.assertLess(right[3], 10)  # not far beyond the view

    def test_every_command(self):
        self.write(scenario(named("pogo-stick")))
        self.run_to("run", "my.toml")
        info = json.loads(self.succeed("info", "run", "--json").out)
        self.assertEqual((info["system"], info["run"]["status"]), ("pogo-stick", "completed"))
        (self.folder / "run/report.html").unlink()
        self.succeed("report", "run")
        page = (self.folder / "run/report.html").read_text()
        for part in ['"system":"pogo-stick"', '"coordinates":["y1","y2"]', '"gaps":["floor"]', '"top":["0","q[0]"]']:
            self.assertIn(part, page)
        self.succeed("compare", "my.toml", "--method", "cva", "--method", "shadow", "--out", "compared", "--json")
        out = self.succeed("converge", "my.toml", "--step", "0.02,0.01,0.005", "--set", "time.end=0.4", "--out",
                           "converged", "--json").out
        self.assertIn("order", out)


if __name__ == "__main__":
    main()
