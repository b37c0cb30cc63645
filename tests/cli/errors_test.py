#!/usr/bin/env python3
"""What can go wrong, and what the user is told: exit codes 2, 3 and 4, in one line each.

usage: errors_test.py PROGRAM SOURCE_DIR
"""

import json
import os
import re
import sys

import numpy as np

sys.dont_write_bytecode = True
from support import CART, FILES, SCENARIO, CaromTest, main, setting

# Lines of SCENARIO as a user might get them wrong. § stands before the place that the message points at.
# (old line, new line, "key = value" as quoted, words of the reason)
WRONG = [
    ('title = "test"', "title = §3", "title = 3", ["must be a string"]),
    ('title = "test"', "stpe = §0.1", "stpe = 0.1", ["unknown key"]),
    ('flow = "svc"', 'folw = §"svc"', 'method.folw = "svc"', ["unknown key", 'did you mean "method.flow"?']),
    ("[method]", "[metod]", 'metod.flow = "svc"', ["unknown key", 'did you mean "method.flow"?']),
    ("step = 0.01", "Step = §0.01", "time.Step = 0.01", ["unknown key", 'did you mean "time.step"?']),
    ('name = "double-pendulum"', 'name = §"duoble-pendulum"', 'system.name = "duoble-pendulum"',
     ["no system has this name", 'did you mean "double-pendulum"?']),
    ('name = "double-pendulum"', 'name = §"spring"', 'system.name = "spring"',
     ["no system", "double-pendulum", "star"]),
    ('title = "test"', 'draw.bob = §"x"', 'draw.bob = "x"', ["unknown key"]),
    ('flow = "svc"', 'flow = "svc"\n[draw]\npoints.bob = §["x"]', "draw.points.bob = an array of 1", ["[x, y]"]),
    ('flow = "svc"', 'flow = §"svd"', 'method.flow = "svd"', ["no flow has this name", 'did you mean "svc"?']),
    ('flow = "svc"', 'flow = §"runge-kutta"', 'method.flow = "runge-kutta"', ["no flow has this name", "midpoint"]),
    ('flow = "svc"', 'name = §"verlet"', 'method.name = "verlet"', ["no method has this name", "svc"]),
    ('flow = "svc"', 'name = "sva"\nflow = §"svc"', 'method.flow = "svc"', ['contradicts method.name = "sva"']),
    ('flow = "svc"', 'stepper = §"smoth"', 'method.stepper = "smoth"', ["no stepper has this name", '"smooth"']),
    ('flow = "svc"', 'impact = §"shadw"', 'method.impact = "shadw"', ["no impact law has this name", '"shadow"']),
    ('flow = "svc"', 'stepper = §"contct"', 'method.stepper = "contct"', ['did you mean "contact"?']),
    ('flow = "svc"', 'stepper = "dae-euler"\nflow = §"svc"', 'method.flow = "svc"', ["symplectic Euler", '"sva"']),
    ('flow = "svc"', 'stepper = §"gvj"', 'method.stepper = "gvj"', ['did you mean "gvi"?']),
    ('flow = "svc"', "restitution = §1.5", "method.restitution = 1.5", ["from 0 to 1"]),
    ('flow = "svc"', "restitution = §-0.1", "method.restitution = -0.1", ["from 0 to 1"]),
    ('flow = "svc"', "order = §7", "method.order = 7", ["even, from 2 to 16"]),
    ('flow = "svc"', "order = §18", "method.order = 18", ["even, from 2 to 16"]),
    ('flow = "svc"', "order = §0", "method.order = 0", ["at least 1"]),
    ('flow = "svc"', 'impact = "modified-energy"\norder = §5', "method.order = 5", ["2, 3 or 4 terms"]),
    ('flow = "svc"', 'impact = "stable-energy"\norder = §1', "method.order = 1", ["2, 3 or 4 terms"]),
    ('flow = "svc"', 'name = "mcva-a"\norder = §3', "method.order = 3", ["closed form", "order 4"]),
    ('flow = "svc"', 'name = "cva"\norder = §4', "method.order = 4", ['"continuous-energy" has no order']),
    ('flow = "svc"', 'name = "vci"\norder = §4', "method.order = 4", ['"discrete-energy" has no order']),
    ('flow = "svc"', 'impact = "discrete-energy"\nfraction = §"polynomial"', 'method.fraction = "polynomial"',
     ['"discrete-energy" has no choice of partial steps']),
    ('flow = "svc"', 'fraction = §"polynomal"', 'method.fraction = "polynomal"', ['did you mean "polynomial"?']),
    ('flow = "svc"', 'fraction = §"gauss"', 'method.fraction = "gauss"', ["composition, polynomial"]),
    ('flow = "svc"', 'name = "mcva"\nfraction = §"composition"', 'method.fraction = "composition"', ["gauss, flow"]),
    ('flow = "svc"', "window = §4", "method.window = 4", ['"shadow" has no window', '"stable-energy"']),
    ('flow = "svc"', 'name = "mhc"\nwindow = §18', "method.window = 18", ["from 1 to 17"]),
    ('flow = "svc"', 'flow = "yoshida4"\nimpact = §"modified-energy"', 'method.impact = "modified-energy"',
     ["no modified Hamiltonian", '"yoshida4"', '"shadow" works with every flow']),
    ('flow = "svc"', 'flow = "gauss"\nimpact = §"stable-energy"', 'method.impact = "stable-energy"',
     ["no modified Hamiltonian", '"gauss"']),
    ('flow = "svc"', 'name = "cva"\nimpact = §"shadow"', 'method.impact = "shadow"',
     ['contradicts method.name = "cva", which means "continuous-energy"']),
    ('flow = "svc"', 'name = "vci"\nflow = §"sva"', 'method.flow = "sva"',
     ['contradicts method.name = "vci", which means "svc"']),
    ('flow = "svc"', 'stepper = "smooth"\nrestitution = §0.5', "method.restitution = 0.5", ['"smooth" has none']),
    ('flow = "svc"', 'stepper = "smooth"\nimpact = §"shadow"', 'method.impact = "shadow"', ['"smooth" has none']),
    ('flow = "svc"', 'stepper = "smooth"\nname = §"cva"', 'method.name = "cva"', ['"smooth" has none']),
    ('flow = "svc"', 'stepper = "smooth"\norder = §8', "method.order = 8", ['"smooth" has none']),
    ('flow = "svc"', 'reflection = §"moreau"', 'method.reflection = "moreau"', ['"event-driven"', '"gvi" does']),
    ('flow = "svc"', 'energy = §"hamiltonian"', 'method.energy = "hamiltonian"', ['"event-driven"', '"gvi" does']),
    ('flow = "svc"', 'predictor = §"free"', 'method.predictor = "free"', ['"event-driven"', '"gvi" does']),
    ('flow = "svc"', 'constraints = §"exact"', 'method.constraints = "exact"', ['"event-driven"', '"gvi" does']),
    ('flow = "svc"', 'scheme = §"newmark"', 'method.scheme = "newmark"', ['"event-driven"', '"direct" or "dae-euler" does']),
    ('flow = "svc"', "beta = §0.25", "method.beta = 0.25", ['"event-driven"', "Newmark"]),
    ('flow = "svc"', 'stepper = "smooth"\nenergy = §"shadow"', 'method.energy = "shadow"', ['"smooth"', '"gvi" does']),
    ('flow = "svc"', 'stepper = "gvi"\nreflection = §"moro"', 'method.reflection = "moro"',
     ["generalized, moreau, sequential"]),
    ('flow = "svc"', 'stepper = "gvi"\nenergy = §"shadwo"', 'method.energy = "shadwo"',
     ['did you mean "shadow"?']),
    ('flow = "svc"', 'stepper = "gvi"\npredictor = §"fre"', 'method.predictor = "fre"', ['did you mean "free"?']),
    ('flow = "svc"', 'stepper = "gvi"\nconstraints = §"linear"', 'method.constraints = "linear"',
     ["exact, linearized, predicted"]),
    ('flow = "svc"', 'stepper = "gvi"\nscheme = §"endpoint"', 'method.scheme = "endpoint"', ['"gvi"', '"direct" or "dae-euler" does']),
    ('flow = "svc"', 'stepper = "gvi"\nbeta = §0.3', "method.beta = 0.3", ['"gvi"', "Newmark"]),
    ('flow = "svc"', 'stepper = "gvi"\nflow = §"gauss"', 'method.flow = "gauss"', ["quadrature rules"]),
    ('flow = "svc"', 'stepper = "gvi"\nimpact = §"shadow"', 'method.impact = "shadow"', ['"gvi"', '"event-driven" does']),
    ('flow = "svc"', 'stepper = "gvi"\nname = §"cva"', 'method.name = "cva"', ['"gvi" has none']),
    ('flow = "svc"', 'stepper = "gvi"\nrestitution = §0.5', "method.restitution = 0.5", ["elastic", '"event-driven"']),
    ('flow = "svc"', 'stepper = "gvi"\norder = §8', "method.order = 8", ['"hamiltonian" has no order', '"shadow" does']),
    ('flow = "svc"', 'stepper = "gvi"\nenergy = "shadow"\norder = §7', "method.order = 7", ["even, from 2 to 16"]),
    ('flow = "svc"', 'stepper = "gvi"\nenergy = "shadow"\norder = §18', "method.order = 18", ["even, from 2 to 16"]),
    ('flow = "svc"', 'stepper = "gvi"\nwindow = §8', "method.window = 8", ['"stable-energy"']),
    ('flow = "svc"', 'stepper = "gvi"\nfraction = §"flow"', 'method.fraction = "flow"', ['"event-driven" does']),
    ('flow = "svc"', 'stepper = "gvi"\ngamma = §0.3', "method.gamma = 0.3", ['"svc" has no gamma']),
    ('flow = "svc"', 'stepper = "gvi"\nflow = "yoshida4"\nenergy = §"numerical"', 'method.energy = "numerical"',
     ["svc, sva, svb and midpoint", "yoshida4", '"shadow" works with every flow']),
    ('flow = "svc"', 'stepper = "gvi"\nenergy = §"numerical"', 'method.energy = "numerical"',
     ["constant mass", 'take "shadow"']),  # the double pendulum's depends on q
    ('flow = "svc"', 'stepper = §"direct"', 'method.stepper = "direct"', ["constant mass"]),
    ('flow = "svc"', 'stepper = "direct"\nflow = §"midpoint"', 'method.flow = "midpoint"', ['"direct"', '"gvi" does']),
    ('flow = "svc"', 'stepper = "direct"\nscheme = §"end"', 'method.scheme = "end"', ["endpoint, midpoint, newmark, imex-newmark"]),
    ('flow = "svc"', 'stepper = "direct"\nbeta = §0.3', "method.beta = 0.3", ["Newmark"]),
    ('flow = "svc"', 'stepper = "direct"\ngamma = §0.5', "method.gamma = 0.5", ["Newmark"]),
    ('flow = "svc"', 'stepper = "direct"\nscheme = "newmark"\nbeta = §0', "method.beta = 0", ['"imex-newmark"']),
    ('flow = "svc"', 'stepper = "direct"\nscheme = "newmark"\nbeta = §0.6', "method.beta = 0.6", ["from 0 to 0.5"]),
    ('flow = "svc"', 'stepper = "direct"\nscheme = "newmark"\ngamma = §1.1', "method.gamma = 1.1", ["from 0 to 1"]),
    ('flow = "svc"', 'stepper = "direct"\nenergy = §"shadow"', 'method.energy = "shadow"', ['"direct"', '"gvi" does']),
    ('flow = "svc"', 'stepper = "direct"\norder = §8', "method.order = 8", ["no choice of order"]),
    ('flow = "svc"', 'stepper = "direct"\nrestitution = §0.5', "method.restitution = 0.5", ["elastic"]),
    ('flow = "svc"', 'flow = "svc"\ntolerance = §1e-9', "method.tolerance = 1e-09", ['"svc"', '"gauss" does']),
    ('flow = "svc"', "tolerance = §0.1", "method.tolerance = 0.1", ["from 1e-15 to 0.01"]),
    ('flow = "svc"', "tolerance = §1e-16", "method.tolerance = 1e-16", ["from 1e-15 to 0.01"]),
    ('flow = "svc"', "tolerance = 1e-9\nstages = §4", "method.stages = 4", ["give one of them"]),
    ('flow = "svc"', 'tolerance = 1e-9\nimpact = §"shadow"', 'method.impact = "shadow"', ['"continuous-energy"']),
    ('flow = "svc"', 'stepper = "contact"\ntolerance = §1e-9', "method.tolerance = 1e-09", ['"contact"', '"event-driven"']),
    ('flow = "svc"', 'flow = "midpoint"\nbase = §"sva"', 'method.base = "sva"', ['"midpoint" has no base']),
    ('flow = "svc"', 'flow = "yoshida4"\nbase = §"se1"', 'method.base = "se1"', ["symmetric flow of order 2"]),
    ('flow = "svc"', 'flow = "svc"\nstages = §3', "method.stages = 3", ['"svc" has no stages', '"gauss"']),
    ('flow = "svc"', 'flow = "gauss"\nstages = §9', "method.stages = 9", ["from 1 to 8"]),
    ('flow = "svc"', 'flow = "svc"\ngamma = §0.3', "method.gamma = 0.3", ['"svc" has no gamma']),
    ('flow = "svc"', 'flow = "gamma"\ngamma = §1.3', "method.gamma = 1.3", ["from 0 to 1"]),
    ("q = [0.3, 0.2]", "q = §[0.3]", "initial.q = [0.3]", ["2 entries"]),
    ("q = [0.3, 0.2]", "q = §[0.3, 0.2, 0.1]", "initial.q = [0.3, 0.2, 0.1]", ["2 entries"]),
    ("v = [0.5, -0.5]", "v = §[0.5]", "initial.v = [0.5]", ["2 entries"]),
    ("v = [0.5, -0.5]", "p = §[0.5, 1.0, 2.0]", "initial.p = [0.5, 1, 2]", ["2 entries"]),
    ("v = [0.5, -0.5]", "v = [1, 1]\np = §[1, 1]", "initial.p = [1, 1]", ["initial.v", "one of the two"]),
    ("q = [0.3, 0.2]", "q = §[0.3, nan]", "initial.q.1 = nan", ["finite"]),
    ("q = [0.3, 0.2]", 'q = §"0.3"', 'initial.q = "0.3"', ["array of numbers"]),
    ("wall = -3.0 }", "wall = 0.0 }\n[initial]\nq = §[-0.3, 0.2]\n[method]", "initial.q = [-0.3, 0.2]",
     ['behind the contact "wall"', "its gap is -0.395"]),
    ("m1 = 1.0", "m1 = §-1", "system.parameters.m1 = -1", ["greater than 0"]),
    ("m1 = 1.0", "m1 = §0", "system.parameters.m1 = 0", ["greater than 0"]),
    ("m1 = 1.0", 'm1 = §"heavy"', 'system.parameters.m1 = "heavy"', ["must be a number"]),
    ("m1 = 1.0", "m3 = §1.0", "system.parameters.m3 = 1", ["no such parameter", '"m1"']),
    ("m1 = 1.0", "M = §true", "system.parameters.M = true", ["number"]),
    ("step = 0.01", "step = §0", "time.step = 0", ["above 0"]),
    ("step = 0.01", "step = §-0.01", "time.step = -0.01", ["above 0"]),
    ("step = 0.01", "step = §1e-20", "time.step = 1e-20", ["2^53 steps"]),
    ("end = 0.1", "end = §-1", "time.end = -1", ["time.start = 0"]),
    ("end = 0.1", 'end = §"later"', 'time.end = "later"', ["must be a number"]),
    ("end = 0.1", "impacts = §0", "time.impacts = 0", ["at least 1"]),
    ("end = 0.1", "impacts = §2.5", "time.impacts = 2.5", ["whole number"]),
    ("end = 0.1", "end = 0.1\n[output]\nevery = §0", "output.every = 0", ["at least 1"]),
    ("end = 0.1", 'end = 0.1\n[output]\nformat = §"cvs"', 'output.format = "cvs"', ['did you mean "csv"?']),
    ("end = 0.1", 'end = 0.1\n[output]\nformat = §"npy"', 'output.format = "npy"', ['did you mean "npz"?']),
]


def place_of(text):
    """The text without its §, and line:column of where that stood."""
    before, mark, after = text.partition("§")
    line = before.count("\n") + 1
    return before + after, f"{line}:{len(before) - before.rfind(chr(10))}" if mark else None


class WrongScenarios(CaromTest):
    def edited(self, old, new):
        if "[initial]" in new:  # the new lines bring their own start
            new = new + SCENARIO.partition("[method]")[2]
            return SCENARIO.partition(old)[0] + new
        self.assertIn(old, SCENARIO)
        return SCENARIO.replace(old, new)

    def test_each_by_place_key_and_value(self):
        for old, new, quoted, words in WRONG:
            with self.subTest(new):
                text, place = place_of(self.edited(old, new))
                self.write(text)
                for command in [["run", "my.toml"], ["check", "my.toml"]]:
                    line = self.fail_with(2, *command)
                    start, _, reason = line.partition(f": {quoted}: ")
                    self.assertRegex(start, rf"^my\.toml:{place or '[0-9]+:[0-9]+'}$", line)
                    for word in words:
                        self.assertIn(word, reason)
        self.assertEqual(os.listdir(self.folder), ["my.toml"], "a refused scenario leaves nothing behind")

    def test_overrides_are_their_own_place(self):
        for change, quoted, words in [
                ("method.flow=svd", 'method.flow = "svd"', 'did you mean "svc"?'),
                ("methd.flow=svc", 'methd.flow = "svc"', 'did you mean "method.flow"?'),
                ("initial.q.7=1", "initial.q.7 = 1", "initial.q has 2 elements"),
                ("system.parameters.m1=-1", "system.parameters.m1 = -1", "greater than 0"),
                ("method.energy=shadow", 'method.energy = "shadow"', '"gvi" does'),
                ("method.alpha=0.5", "method.alpha = 0.5", '"dae-euler" does'),
                ("initial.project=1", "initial.project = 1", "true or false"),
                ("time.impacts=0", "time.impacts = 0", "at least 1")]:
            line = self.fail_with(2, "run", self.write(SCENARIO), "--set", change)
            self.assertTrue(line.startswith(f"--set {change}: {quoted}: "), line)
            self.assertIn(words, line)
        self.assertIn("must be key=value", self.fail_with(2, "run", self.write(SCENARIO), "--set", "time.end"))

    def test_what_is_not_built_is_refused_by_name(self):
        unbuilt = [m["name"] for m in json.loads(self.succeed("list", "methods", "--json").out) if not m["built"]]
        self.assertEqual(unbuilt, [])
        keys = {"stepper": "method.stepper", "impact law": "method.impact", "short name": "method.name",
                "flow": "method.flow"}
        for method in json.loads(self.succeed("list", "methods", "--json").out):
            if method["built"]:
                continue
            change = f"{keys[method['kind']]}={method['name']}"
            line = self.fail_with(2, "check", "demo", "--set", change)
            self.assertIn(f'{keys[method["kind"]]} = "{method["name"]}": ', line)
            self.assertIn("not built yet in this version", line)

    def test_what_is_not_toml(self):
        for text, place in [("[system\nname = 1\n", "my.toml:1:8"), ("a = \n", "my.toml:1:5"),
                            ("a = 1\na = 2\n", "my.toml:2:"), ("", "my.toml: system.name"),
                            ("[time]\nend = 1\n", "my.toml: system.name")]:
            line = self.fail_with(2, "run", self.write(text))
            self.assertTrue(line.startswith(place), line)
        (self.folder / "my.toml").write_bytes(b'title = "\xff"\n')
        self.assertTrue(self.fail_with(2, "run", "my.toml").startswith("my.toml:1:"))

    def test_scenarios_that_are_not_there(self):
        self.assertIn('"doubel-pendulum"', self.fail_with(2, "run", "doubel-pendulum"))
        self.assertIn('did you mean "double-pendulum"?', self.fail_with(2, "check", "doubel-pendulum"))
        self.assertIn("nowhere.toml: cannot be read: No such file", self.fail_with(2, "run", "nowhere.toml"))
        self.assertIn("is a directory", self.fail_with(2, "run", "./"))


class WrongUsage(CaromTest):
    def test_in_one_line(self):
        for words, expected in [(["rum", "demo"], 'did you mean "run"?'), (["simulate"], "demo, run, list, check"),
                                (["run"], "scenario is required"), (["list"], "required"),
                                (["list", "planets"], "planets"), (["run", "demo", "--quite"], "--quite"),
                                (["run", "demo", "more"], "more"),
                                (["demo", "--json"], "--json"), (["--bogus"], "--bogus")]:
            with self.subTest(words):
                self.assertIn(expected, self.fail_with(2, *words))
        self.assertEqual(os.listdir(self.folder), [])

    def test_long_and_hostile_words_make_short_plain_messages(self):
        for name in ["x" * 100_000, "a\nb", "\x1b[31mred", "θ" * 5000]:
            for words, code in [([name], 2), (["run", name], 2), (["run", name + ".toml"], 2), (["list", name], 2),
                                (["run", "demo", name], 2), (["run", "demo", "--set", name], 2),
                                (["run", "demo", "--set", "method.flow=" + name], 2),
                                (["run", "demo", "--out", "/proc/" + name], 4)]:
                with self.subTest(words=[word[:20] for word in words]):
                    self.fail_with(code, *words)


class FailedNumerics(CaromTest):
    def check_kept(self, line, step, contact):
        self.assertRegex(line, rf"step {step} from t = [0-9.]+: ")
        self.assertIn(f'contact "{contact}"', line)
        summary, rows = self.read("out")
        self.assertEqual((summary["status"], summary["time"]["steps"]), ("failed", step))
        self.assertIn(summary["reason"], line)
        self.assertEqual({name: summary["final"][name] for name in "tqvp"}, {name: rows[name][-1].tolist() for name in "tqvp"})
        self.assertTrue((rows["gaps"] > 0).all())
        self.assertEqual(summary["gap"]["min"], rows["gaps"].min())
        for name, array in rows.items():
            self.assertTrue(np.isfinite(array[1:]).all(), f"{name}: {array[-1]}")
        return rows

    def smooth(self, *options):
        return ["run", self.write(CART), *setting(method__stepper="smooth", time__end=2), "--out", "out", *options]

    def test_a_closing_contact_is_named_and_the_run_until_then_kept(self):
        line = self.fail_with(3, *self.smooth())
        self.assertIn("a contact closes, and the method has no impact law", line)
        rows = self.check_kept(line, 84, "floor")
        np.testing.assert_array_equal(rows["t"], np.arange(85) * 0.01)

    def test_the_last_state_is_kept_between_rows_as_well(self):
        line = self.fail_with(3, *self.smooth("--set", "output.every=10"))
        rows = self.check_kept(line, 84, "floor")
        np.testing.assert_array_equal(rows["t"], np.array([*range(0, 90, 10), 84]) * 0.01)

    def test_quiet_still_tells(self):
        result = self.carom(*self.smooth("--quiet"))
        self.assertEqual((result.code, result.out), (3, ""))
        self.one_line(result.err)

    def test_json_is_still_one_document(self):
        result = self.carom(*self.smooth("--json"))
        self.assertEqual(result.code, 3)
        self.assertEqual(json.loads(result.out)["status"], "failed")
        self.one_line(result.err)

    def test_impacts_that_accumulate_are_named_and_kept(self):
        # A ball with restitution 1/2 rests after T = t1 + 2 v (e + e² + ...) = 3 t1, t1 = √2.
        for law in ["continuous-energy", "discrete-energy", "shadow"]:
            with self.subTest(law):
                options = setting(method__name=law, method__restitution=0.5, time__end=100)
                result = self.carom("run", self.write(CART.replace("cart-pendulum", "point-mass")), *options,
                                    "--out", "out", "--force")
                self.assertEqual(result.code, 3)
                line = result.err.splitlines()[-1]  # the last impacts of all may have come with a warning
                self.assertRegex(line, r"step 42\d from t = 4\.2\d*: ")
                self.assertIn("stays closed, or impacts accumulate on it", line)
                self.assertIn('contact "floor"', line)
                summary, rows = self.read("out")
                times = np.array(summary["impacts"]["times"])
                self.assertEqual((summary["status"], len(self.impacts("out"))), ("failed", len(times)))
                self.assertGreater(len(times), 5)
                self.assertLess(times[-1], rows["t"][-1])
                np.testing.assert_allclose(times[:5], np.sqrt(2) * (3 - 2 * 0.5 ** np.arange(5)), rtol=1e-3)

    def test_a_start_that_lies_on_the_floor(self):
        line = self.fail_with(3, "run", "point-mass", "--set", "initial.q=[0]", "--out", "out")
        self.assertIn('contact "floor"', line)

    def test_a_step_too_large_says_that_a_smaller_one_may_help(self):
        line = self.fail_with(3, "run", "double-pendulum-free", "--set", "time.step=5", "--out", "out")
        self.assertRegex(line, r"step \d+ from t = \d+: .*smaller step may help \(residual [0-9.e+-]+\)")
        self.assertEqual(self.read("out")[0]["status"], "failed")

    def test_a_failed_step_leaves_no_nonsense(self):
        for system, options in [("cart-pendulum", setting(method__flow="sva", time__step=5, time__end=50)),
                                ("point-mass", setting(method__name="shadow", method__restitution=0.5))]:
            with self.subTest(system):
                result = self.carom("run", self.write(CART.replace("cart-pendulum", system)), *options,
                                    "--out", "out", "--force")
                self.assertEqual(result.code, 3)
                summary, _ = self.read("out")
                self.assertEqual(summary["impacts"]["count"], len(self.impacts("out")))
                for some, of in re.findall(r"(\d+) of (\d+) impacts", result.err):
                    self.assertLessEqual(int(some), int(of), result.err)


class Warnings(CaromTest):
    """Exit code 0, but the user is told on standard error and in the summary."""

    def warned(self, *arguments):
        result = self.carom("run", *arguments, "--out", "out")
        self.assertEqual(result.code, 0, result)
        line = self.one_line(result.err)
        self.assertTrue(line.startswith("warning: "), line)
        self.assertEqual(self.read("out")[0]["warnings"], [line[len("warning: "):]])
        return line

    def test_a_step_too_large_for_the_shadow(self):
        line = self.warned("double-pendulum", "--set", "time.step=0.04")
        self.assertRegex(line, r"the shadow energ.* of order 8 .* 0\.\d+.*: the step is too large for this motion")

    def test_too_low_an_order(self):
        self.assertIn("of order 4", self.warned(self.write(CART), *setting(method__order=4, method__flow="kahan-li8")))

    def test_a_higher_order_is_named_where_it_does(self):
        ball = """\
[system]
name = "expression"
coordinates = ["x"]
lagrangian = "0.5*x'^2 - 0.5*x^2"
gaps = { a = "x + 0.2" }
[initial]
q = [0.3]
v = [-1.0]
[method]
flow = "yoshida4"
order = 4
[time]
step = 0.01
end = 2.0
"""
        self.assertTrue(self.warned(self.write(ball)).endswith(": method.order = 8, or a smaller step, would do better"))
        for better in [setting(method__order=8), setting(time__step=0.001)]:
            summary, _ = self.run_to("better", self.write(ball), "--force", *better)
            self.assertEqual(summary["warnings"], [])

    def test_not_of_a_law_that_was_not_needed(self):
        summary, _ = self.run_to("out", self.write(SCENARIO), *setting(method__flow="kahan-li8", time__step=0.05))
        self.assertEqual((summary["impacts"]["count"], summary["warnings"]), (0, []))

    def test_where_the_shadow_is_no_steadier_than_the_energy(self):
        result = self.carom("run", "double-pendulum", "--set", "time.step=0.08", "--out", "out")
        summary, _ = self.read("out")
        self.assertGreater(summary["shadow_energy"]["max_abs_error"], 0.5 * summary["energy"]["max_abs_error"])
        first, second = result.err.splitlines()
        self.assertIn("the shadow energy of order 8 is known to", first)
        self.assertIn("the energy errs by", second)

    def test_quiet_warns_too_and_json_stays_one_document(self):
        for option in ["--quiet", "--json"]:
            result = self.carom("run", "double-pendulum", "--set", "time.step=0.04", "--out", "out", "--force", option)
            self.one_line(result.err)
            self.assertEqual((result.code, result.out[:1]), (0, "" if option == "--quiet" else "{"))


class FileTrouble(CaromTest):
    def test_a_folder_that_is_taken(self):
        self.run_to("out", self.write(SCENARIO))
        before = self.bytes_of("out", "summary.json")
        line = self.fail_with(4, "run", "my.toml", "--out", "out")
        self.assertIn("'out'", line)
        self.assertIn("--force", line)
        self.assertEqual(self.bytes_of("out", "summary.json"), before)
        self.succeed("run", "my.toml", "--out", "out", "--force")

    def test_a_place_that_cannot_be_written(self):
        self.write(SCENARIO)
        for out, why in [("my.toml", "not a folder"), ("my.toml/out", "Not a directory"),
                         ("/proc/nonexistent/out", ""), ("/dev/null", "not a folder")]:
            for force in [[], ["--force"]]:
                line = self.fail_with(4, "run", "my.toml", "--out", out, *force)
                self.assertIn(f"'{out}'", line)
                self.assertIn(why, line)
        self.assertEqual((self.folder / "my.toml").read_text(), SCENARIO)

    def test_runs_is_a_file(self):
        self.write(SCENARIO, "runs")
        for command in ["demo"], ["run", "demo"]:
            self.assertIn("'runs/demo'", self.fail_with(4, *command))

    def test_a_file_of_the_run_that_cannot_be_written(self):
        for name in sorted(FILES):
            with self.subTest(name):
                self.run_to(name, self.write(SCENARIO))
                (self.folder / name / name).unlink()
                self.write("", f"{name}/elsewhere")
                (self.folder / name / name).mkdir()
                (self.folder / name / "elsewhere").rename(self.folder / name / name / "elsewhere")
                line = self.fail_with(4, "run", "my.toml", "--out", name, "--force", "--set", "time.end=1")
                self.assertIn(name, line)
                left = {path.name for path in (self.folder / name).iterdir() if path.is_file()}
                if name not in ["report.html", "checkpoint"]:  # made from all the others; for a run that goes on
                    self.assertNotIn("summary.json", left, "a summary beside files that are not its own")
                self.assertLessEqual(left, FILES | {"trajectory.npy", "impacts.npy"}, "no temporary file stays")
                if name in ["trajectory.npz", "impacts.csv"]:
                    self.assertEqual(len(np.load(self.folder / name / "trajectory.npy")), 101, "nothing is lost")

    def test_standard_output_that_cannot_be_written(self):
        self.write(SCENARIO)
        for command in [["run", "my.toml", "--json"], ["run", "my.toml"], ["list", "systems"], ["check", "my.toml"]]:
            with self.subTest(command), open("/dev/full", "wb") as full:
                result = self.carom(*command, stdout=full)
                self.assertEqual(result.code, 4, result)
                self.one_line(result.err)


if __name__ == "__main__":
    main()
