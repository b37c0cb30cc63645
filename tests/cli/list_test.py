#!/usr/bin/env python3
"""What a user can ask without running anything: list, check, --version, --help.

usage: list_test.py PROGRAM SOURCE_DIR
"""

import json
import os
import sys
import tomllib

sys.dont_write_bytecode = True
from support import LISTS, SCENARIO, CaromTest, main, setting

FLOWS = ["se1", "se2", "midpoint", "gamma", "svc", "sva", "svb", "yoshida4", "suzuki4", "kahan-li6", "kahan-li8",
         "gauss"]
LAWS = ["continuous-energy", "discrete-energy", "modified-energy", "stable-energy", "shadow"]
SHORT_NAMES = ["cva", "ctec", "vci", "dtec", "mcva", "mcva-a", "mcva-c", "mhc"]
SYSTEMS = {"point-mass", "particle", "star", "double-pendulum", "cart-pendulum", "billiard", "pogo-stick",
           "spring-and-sphere", "nonlinear-oscillator", "wedge", "disc", "pendulum", "newton-cradle",
           "lennard-jones-chain", "column", "box-of-discs", "mass-on-cubic", "dae-exponential"}
STEPPERS = ["event-driven", "smooth", "gvi", "contact", "direct", "dae-euler"]
REFLECTIONS = ["generalized", "moreau", "sequential"]
ENERGIES = ["hamiltonian", "numerical", "shadow"]
SCHEMES = ["endpoint", "midpoint", "newmark", "imex-newmark", "true", "natural", "conjugate-true", "conjugate-natural"]


class List(CaromTest):
    def listed(self, what):
        return json.loads(self.succeed("list", what, "--json").out)

    def test_text_names_what_json_names(self):
        for what in LISTS:
            text = self.succeed("list", what).out
            first_words = [line.split()[0] for line in text.splitlines() if line.strip()]
            for entry in self.listed(what):
                self.assertIn(entry["name"], first_words, what)
            self.assertNotIn("\x1b", text)

    def test_systems(self):
        systems = {system["name"]: system for system in self.listed("systems")}
        self.assertEqual(set(systems), SYSTEMS)
        for name, system in systems.items():
            self.assertTrue(system["summary"], name)
            self.assertEqual(len(system["coordinates"]), system["dof"])
            self.assertEqual(len(system["start"]["q"]), system["dof"])
            self.assertEqual(len(system["start"]["p"]), system["dof"])
            self.assertEqual(bool(system["parameters"]), name != "dae-exponential", name)
        self.assertEqual(systems["cart-pendulum"]["parameters"], {
            "m1": {"default": 1, "range": "> 0"}, "m2": {"default": 0.2, "range": "> 0"},
            "L": {"default": 2, "range": "> 0"}, "g": {"default": 10, "range": "any"}})
        self.assertEqual(len(systems["star"]["contacts"]), 4)

    def test_listed_starts_are_the_default_starts(self):
        for system in self.listed("systems"):
            name = system["name"]
            scenario = f'[system]\nname = "{name}"\n[time]\nend = 1e-5\n'
            _, rows = self.run_to(name, self.write(scenario))
            self.assertEqual(rows["q"][0].tolist(), system["start"]["q"])
            self.assertEqual(rows["p"][0].tolist(), system["start"]["p"])

    def test_methods(self):
        methods = self.listed("methods")
        for kind, names in [("flow", FLOWS), ("impact law", LAWS), ("short name", SHORT_NAMES),
                            ("stepper", STEPPERS), ("reflection", REFLECTIONS), ("energy", ENERGIES),
                            ("scheme", SCHEMES)]:
            self.assertEqual([m["name"] for m in methods if m["kind"] == kind and m["built"]], names)
        for method in methods:
            self.assertEqual(set(method), {"name", "kind", "summary", "built"})
        self.assertEqual({m["kind"] for m in methods},
                         {"flow", "impact law", "short name", "stepper", "reflection", "energy", "scheme"})

    def test_scenarios(self):
        shipped = {path.stem: path for path in (self.source / "scenarios").glob("*.toml")}
        listed = {scenario["name"]: scenario["title"] for scenario in self.listed("scenarios")}
        self.assertEqual(set(listed), set(shipped))
        for name, path in shipped.items():
            self.assertEqual(listed[name], tomllib.loads(path.read_text())["title"])


class Check(CaromTest):
    def test_it_says_what_would_run_and_leaves_nothing(self):
        out = self.succeed("check", self.write(SCENARIO), "--set", "method.flow=gauss").out
        self.assertEqual(out, "my.toml: double-pendulum with gauss with 4 stages, continuous-energy, 10 steps of 0.01\n")
        out = self.succeed("check", "my.toml", *setting(time__impacts=7, method__restitution=0.9)).out
        self.assertEqual(out, "my.toml: double-pendulum with svc, shadow of order 8 (composition), restitution 0.9, "
                              "10 steps of 0.01\n")
        self.assertIn("svc, 10 steps", self.succeed("check", "my.toml", "--set", "method.stepper=smooth").out)
        out = self.succeed("check", "my.toml", *setting(method__stepper="gvi", method__energy="shadow")).out
        self.assertEqual(out, "my.toml: double-pendulum with svc, gvi with generalized reflections, energy shadow of "
                              "order 8, 10 steps of 0.01\n")
        out = self.succeed("check", "my.toml", *setting(method__stepper="contact", method__restitution=0.5)).out
        self.assertEqual(out, "my.toml: double-pendulum with svc, shadow of order 8 (composition), restitution 0.5, "
                              "lasting contact, 10 steps of 0.01\n")
        scenario = self.write(SCENARIO.replace("end = 0.1", "impacts = 7"))
        self.assertIn("7 impacts in steps of 0.01\n", self.succeed("check", scenario).out)
        self.assertEqual(os.listdir(self.folder), ["my.toml"])

    def test_every_shipped_scenario(self):
        for path in sorted((self.source / "scenarios").glob("*.toml")):
            self.assertIn(f"{path}: ", self.succeed("check", path).out)


class Help(CaromTest):
    def test_version(self):
        self.assertRegex(self.succeed("--version").out, r"^\d+\.\d+\.\d+( \([^ ]+\))?\n$")

    def test_without_arguments_there_is_help(self):
        self.assertEqual(self.succeed().out, self.succeed("--help").out)

    def test_help_has_examples_that_work(self):
        out = self.succeed("--help").out
        for command in ["demo", "run", "list", "check"]:
            self.assertRegex(out, rf"(?m)^  {command} ")
        examples = out.partition("Examples:\n")[2].splitlines()
        self.assertGreaterEqual(len(examples), 3)
        for example in examples:
            words = example.split()
            self.assertEqual(words[0], "carom")
            self.succeed(*words[1:])

    def test_every_command_has_help(self):
        for command in ["demo", "run", "list", "check"]:
            self.assertIn("Usage: ", self.succeed(command, "--help").out)
        example = self.succeed("run", "--help").out.partition("Example: carom ")[2].split()
        self.succeed(*example)


if __name__ == "__main__":
    main()
