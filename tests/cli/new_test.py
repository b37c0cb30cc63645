#!/usr/bin/env python3
"""carom new: what it prints is a scenario, for every system, and says what the system is by default.

usage: new_test.py PROGRAM SOURCE_DIR
"""

import json
import re
import sys
import tomllib

sys.dont_write_bytecode = True
from support import CaromTest, main

# What is made of contacts that last, or of any number of bodies, starts with the stepper for that.
LASTING = {"spring-and-sphere", "disc", "newton-cradle", "lennard-jones-chain", "column", "box-of-discs"}
# DAEs and friction have one of their own.
DAES = {"mass-on-cubic", "dae-exponential"}


class New(CaromTest):
    def printed(self, *options):
        text = self.succeed("new", *options).out
        return text, tomllib.loads(text)

    def systems(self):
        return {system["name"]: system for system in json.loads(self.succeed("list", "systems", "--json").out)}

    def test_the_default_is_the_cart_pendulum(self):
        self.assertEqual(self.printed(), self.printed("--system", "cart-pendulum"))

    def test_every_system_with_its_own_parameters_and_start(self):
        for name, system in self.systems().items():
            with self.subTest(name):
                text, scenario = self.printed("--system", name)
                self.assertEqual(scenario["system"]["name"], name)
                defaults = {key: parameter["default"] for key, parameter in system["parameters"].items()}
                self.assertEqual(scenario["system"]["parameters"], defaults)
                self.assertEqual((scenario["initial"]["q"], scenario["initial"]["p"]),
                                 (system["start"]["q"], system["start"]["p"]))
                self.assertIn(system["summary"], text)

    def test_they_are_valid_and_run(self):
        for options in [["--system", name] for name in self.systems()] + [["--expression"], ["--system", "dae"]]:
            with self.subTest(options):
                self.write(self.printed(*options)[0])
                self.assertIn("my.toml: ", self.succeed("check", "my.toml").out)
                summary = json.loads(self.succeed("run", "my.toml", "--set", "time.end=1", "--json", "--force",
                                                  "--out", "out").out)
                self.assertEqual((summary["status"], summary["warnings"]), ("completed", []))

    def test_systems_have_their_stepper(self):
        for name in self.systems():
            stepper = self.printed("--system", name)[1]["method"].get("stepper")
            expected = "contact" if name in LASTING else "dae-euler" if name in DAES else None
            self.assertEqual(stepper, expected, name)

    def test_the_formulas_bounce(self):
        text, scenario = self.printed("--expression")
        self.assertEqual(scenario["system"]["name"], "expression")
        self.assertEqual(self.printed("--system", "expression")[0], text)
        self.write(text)
        summary, _ = self.run_to("out", "my.toml")
        self.assertEqual((summary["status"], summary["warnings"]), ("completed", []))
        self.assertGreater(summary["impacts"]["count"], 3)

    def test_what_is_commented_out_is_valid_too(self):
        """A user takes the # away; each such line must be right, alone or in place of the one it is like."""
        for options in [[], ["--expression"], ["--system", "newton-cradle"], ["--system", "disc"], ["--system", "dae"]]:
            text = self.printed(*options)[0]
            choices = re.findall(r"(?m)^# ([a-z]+) = .*$", text)
            self.assertGreaterEqual(len(choices), 2 if LASTING & set(options) else 3)
            for key in choices:
                with self.subTest(key):
                    self.write(re.sub(rf"(?m)^# ({key} = )", r"\1", text))
                    self.succeed("check", "my.toml")

    def test_lines_are_short_and_plain(self):
        for options in [[], ["--expression"], ["--system", "dae"], *(["--system", name] for name in self.systems())]:
            text = self.printed(*options)[0]
            starts = r"(?m)^[qp] = .*$"  # as long as the system has coordinates
            self.assertLessEqual(max(map(len, re.sub(starts, "", text).splitlines())), 120)
            self.assertTrue(text.endswith("\n"))
            self.assertNotIn("\x1b", text)

    def test_wrong_systems(self):
        line = self.fail_with(2, "new", "--system", "strr")
        self.assertIn('did you mean "star"?', line)
        self.assertIn("strr", line)
        self.assertIn("double-pendulum", self.fail_with(2, "new", "--system", "xyzzyx"))
        self.assertIn("--expression", self.fail_with(2, "new", "--system", "star", "--expression"))


if __name__ == "__main__":
    main()
