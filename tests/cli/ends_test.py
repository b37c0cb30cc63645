#!/usr/bin/env python3
"""Where a run ends: at time.end exactly, by a shorter last step where it is no multiple of the step; and how a run
that has ended goes on as if it had not, bit for bit, by every stepper.

usage: ends_test.py PROGRAM SOURCE_DIR
"""

import json
import math
import shutil

import numpy as np

from support import CART, CaromTest, main, setting
from sweep_support import CART as SWEPT, SweepTest

BALL = """\
[system]
name = "expression"
coordinates = ["x", "y"]
lagrangian = "0.5*(x'^2 + y'^2) - 0.5*x^2 - y"
gaps = { floor = "y" }
[initial]
q = [1.0, 1.0]
v = [0.0, 0.3]
[time]
step = 0.01
end = 2.0
"""
RUBBING = BALL.replace("gaps =", 'friction = ["-0.2*psi1*x\'/sqrt(x\'^2+y\'^2)", "-0.2*psi1*y\'/sqrt(x\'^2+y\'^2)"]\ngaps =')
DRIVEN = BALL.replace("gaps =", 'force = ["-0.3*x\' + sin(t)", "-0.1*y\'"]\ngaps =')

# The scenario resume_dae of what was wrong in version 0.1.
HALVED = """\
[system]
name = "expression"
coordinates = ["x", "y"]
parameters = { g = 10.0, mu = 0.2 }
lagrangian = "0.5*(x'^2 + y'^2) - g*y"
force = ["3*cos(1.3*t)", "12*sin(0.7*t)"]
gaps = { floor = "y - 0.1*sin(2*x)" }
friction = ["-mu*psi1*x'/sqrt(x'^2 + y'^2)", "-mu*psi1*y'/sqrt(x'^2 + y'^2)"]
[initial]
q = [0.0, 0.5]
v = [1.0, 0.0]
[method]
stepper = "dae-euler"
restitution = 0.5
flow = "svb"
[time]
step = 0.002
end = 400.0
[output]
every = 20
"""

# Every stepper, with what it keeps from step to step: contacts that last, energies, multipliers, polynomials.
CASES = {
    "default": (BALL, []),
    "smooth": (BALL.replace('gaps = { floor = "y" }\n', ""), setting(method__stepper="smooth", method__flow="yoshida4")),
    "gauss": (BALL, setting(method__flow="gauss")),
    "tolerance": (BALL, setting(method__tolerance=1e-10)),
    "continuous-energy": (BALL, setting(method__impact="continuous-energy", method__restitution=0.8)),
    "modified-energy": (BALL, setting(method__impact="modified-energy", method__flow="sva")),
    "contact": (BALL, setting(method__stepper="contact", method__restitution=0.3)),
    "contact, elastic": (BALL, setting(method__stepper="contact")),
    "contact, driven": (DRIVEN, setting(method__stepper="contact", method__restitution=0.3)),
    "gvi": (BALL, setting(method__stepper="gvi")),
    "gvi, shadow": (BALL, setting(method__stepper="gvi", method__energy="shadow")),
    "direct": (BALL, setting(method__stepper="direct")),
    "direct, newmark": (BALL, setting(method__stepper="direct", method__scheme="newmark")),
    "dae": (BALL, setting(method__stepper="dae-euler", method__restitution=0.3)),
    "dae, friction": (RUBBING, setting(method__restitution=0.3)),
    "built in": (CART, setting(method__flow="sva")),
}


def rows_of(folder):
    with np.load(folder / "trajectory.npz", allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}


class Ends(CaromTest):
    def run_it(self, out, case, *changes):
        scenario, options = CASES[case]
        result = self.carom("run", self.write(scenario), "--out", out, "--quiet", *options, *changes)
        self.assertEqual(result.code, 0, (case, result.err))
        return json.loads(self.bytes_of(out, "summary.json")), rows_of(self.folder / out)

    def check_same(self, out, straight):
        names = ["trajectory.npz", "impacts.csv", "scenario.toml", "checkpoint"]
        if (self.folder / straight / "contacts.csv").exists():
            names.append("contacts.csv")
        for name in names:
            self.assertEqual(self.bytes_of(out, name), self.bytes_of(straight, name), name)
        ours, theirs = (json.loads(self.bytes_of(folder, "summary.json")) for folder in [out, straight])
        del ours["cost"]["wall_seconds"], theirs["cost"]["wall_seconds"]
        del ours["cost"]["steps_per_second"], theirs["cost"]["steps_per_second"]
        del ours["command"], theirs["command"]
        self.assertEqual(ours, theirs)

    def test_at_the_time_that_was_asked_for(self):
        for case in CASES:
            with self.subTest(case):
                whole, whole_rows = self.run_it(f"{case} whole", case, *setting(time__end=1.5))
                summary, rows = self.run_it(f"{case} part", case, *setting(time__end=1.5037))
                self.assertEqual((summary["final"]["t"], rows["t"][-1]), (1.5037, 1.5037))
                self.assertEqual(summary["time"]["steps"], whole["time"]["steps"] + 1)
                for name in whole_rows:
                    same = rows[name] if name.endswith(".names") else rows[name][:-1]
                    self.assertTrue(np.array_equal(whole_rows[name], same, equal_nan=not name.endswith(".names")), name)
                # The shorter step is one of the same method: as near as the steps around it.
                later = self.run_it(f"{case} later", case, *setting(time__end=1.51))[1]
                share = 0.37
                for name in "qp":
                    between = (1 - share) * rows[name][-2] + share * later[name][-1]
                    self.assertLess(np.max(np.abs(rows[name][-1] - between)), 3e-3, name)

    def test_goes_on_as_if_it_had_not_ended(self):
        for case in CASES:
            for first, then in [(1.0, 2.0), (1.0037, 2.0), (1.0037, 1.0071), (0.004, 2.0033)]:
                with self.subTest(case, first=first, then=then):
                    for out in ["parts", "straight"]:
                        shutil.rmtree(self.folder / out, ignore_errors=True)
                    every = setting(output__every=7)
                    self.run_it("parts", case, *setting(time__end=first), *every)
                    result = self.carom("run", "--resume", "parts", "--quiet", *setting(time__end=then))
                    self.assertEqual(result.code, 0, result.err)
                    self.run_it("straight", case, *setting(time__end=then), *every)
                    self.check_same("parts", "straight")

    def test_until_that_has_no_value_any_more(self):
        ends = {"end": "", "impacts": "impacts = 50\n", "nothing else": None}
        for name, other in ends.items():
            for method in ["contact", "dae-euler", "event-driven"]:
                with self.subTest(name, method=method):
                    scenario = BALL.replace("end = 2.0\n", ("end = 2.0\n" if other == "" else other or "") + 'until = "sqrt(1.205-t)"\n')
                    result = self.carom("run", self.write(scenario), "--out", "nan", "--force", "--quiet", *setting(method__stepper=method))
                    self.assertEqual(result.code, 3, result.err)
                    self.assertIn('step 120 from t = 1.2: time.until = "sqrt(1.205-t)" is nan after it', result.err)
                    summary = json.loads(self.bytes_of("nan", "summary.json"))
                    self.assertEqual((summary["status"], summary["final"]["t"]), ("failed", 1.2))

    def test_counts_of_what_did_not_converge_go_on(self):
        # Steps that were halved come at t = 160 and after.
        scenario = self.write(HALVED)
        for out, ends in [("parts", [170, 200]), ("straight", [200])]:
            result = self.carom("run", scenario, "--out", out, "--quiet", *setting(time__end=ends[0]))
            for end in ends[1:]:
                result = self.carom("run", "--resume", out, "--quiet", *setting(time__end=end))
            self.assertRegex(result.err, "[0-9]+ times a step did not converge and was halved")
        self.check_same("parts", "straight")

    def test_formats_of_records(self):
        for name, file in [("csv", "trajectory.csv"), ("hdf5", "trajectory.h5")]:
            scenario = self.write(BALL.replace("end = 2.0", "end = 5.0"))
            words = setting(output__format=name, method__stepper="contact", method__restitution=0.3)
            self.succeed("run", scenario, "--out", name, "--quiet", *words, *setting(time__end=4.005))
            self.succeed("run", "--resume", name, "--quiet", *setting(time__end=5))
            self.succeed("run", scenario, "--out", f"{name} straight", "--quiet", *words)
            for one in [file, "impacts.csv", "contacts.csv"]:
                self.assertEqual(self.bytes_of(name, one), self.bytes_of(f"{name} straight", one), one)

    def test_an_impact_in_the_shorter_step(self):
        for case in ["default", "gauss", "tolerance", "continuous-energy", "modified-energy", "contact", "contact, elastic",
                     "dae"]:
            with self.subTest(case):
                all_hits = self.run_it(f"{case} hits", case)[0]["impacts"]["times"]
                hit = all_hits[0]
                end = math.floor(hit / 0.01) * 0.01 + 0.5 * (0.01 + hit % 0.01)
                summary, rows = self.run_it(f"{case} cut", case, *setting(time__end=end))
                self.assertEqual(len(summary["impacts"]["times"]), 1)
                self.assertAlmostEqual(summary["impacts"]["times"][0], hit, delta=2e-5)
                self.assertGreater(rows["p"][-1][1], 0)

    def test_more_impacts_and_another_formula(self):
        cart = self.write(CART.replace("end = 5.0", "impacts = 1"))
        self.succeed("run", cart, "--out", "parts", "--quiet")
        self.succeed("run", "--resume", "parts", "--quiet", *setting(time__impacts=3))
        self.succeed("run", cart, "--out", "straight", "--quiet", *setting(time__impacts=3))
        self.check_same("parts", "straight")
        self.succeed("run", "--resume", "parts", "--quiet", "--set", "time.impacts=9", "--set", "time.until=t - 6")
        self.succeed("run", cart, "--out", "until", "--quiet", "--set", "time.impacts=9", "--set", "time.until=t - 6")
        self.check_same("parts", "until")

    def test_what_is_over_is_refused_by_name(self):
        self.succeed("run", self.write(BALL), "--out", "out", "--quiet")
        before = {path.name: path.read_bytes() for path in (self.folder / "out").iterdir()}
        line = self.fail_with(4, "run", "--resume", "out")
        self.assertIn("has ended at t = 2", line)
        self.assertIn("--set time.end=4", line)
        line = self.fail_with(2, "run", "--resume", "out", *setting(time__end=1.5))
        self.assertEqual(line, "--set time.end=1.5: time.end = 1.5: the run is at t = 2 already")
        self.assertIn("time.impacts = 1: the run has had", self.fail_with(2, "run", "--resume", "out", *setting(time__impacts=1)))
        for change in ["time.step=0.02", "method.flow=sva", "output.every=2"]:
            self.assertIn("may change its end", self.fail_with(2, "run", "--resume", "out", "--set", change))
        self.assertEqual({path.name: path.read_bytes() for path in (self.folder / "out").iterdir()}, before)

    def test_one_step_at_least(self):
        for end, start in [(0, 0), (-1, 0), (3, 3), (3, 4), (0.5, 0.5)]:
            line = self.fail_with(2, "check", self.write(BALL), *setting(time__end=end, time__start=start))
            self.assertIn("time.end", line)
            self.assertIn(f"must be after time.start = {start}", line)
        self.succeed("run", "my.toml", "--out", "short", "--quiet", *setting(time__end=0.003))
        rows = rows_of(self.folder / "short")
        self.assertEqual(rows["t"].tolist(), [0, 0.003])

    def test_multiples_have_no_short_step(self):
        # Of other units and starts: what rounding leaves of a multiple is no step.
        for step, count, start in [(0.1, 3, 0), (0.1, 7, 0), (1e-12, 1000, 0), (1e9, 33, 0), (1 / 3, 3000, 0), (0.01, 777, 1e6),
                                   (1e-3, 12345, -7.1)]:
            end = start + count * step
            out = self.succeed("check", self.write(BALL), *setting(time__step=repr(step), time__end=repr(end),
                                                                 time__start=repr(float(start)))).out
            self.assertIn(f" {count} steps of", out)


class Sweeps(SweepTest):
    def test_every_member_ends_as_it_does_alone(self):
        for method, lanes in [("flow=\"sva\"", True), ("flow=\"midpoint\"", False), ("stepper=\"contact\"", False)]:
            self.write(SWEPT.replace("end = 2.0", "end = 1.9977") + f"[method]\n{method}\n", "cart.toml")
            sweep = ('scenario = "cart.toml"\nfields = ["final.t", "final.q.0", "final.p.1", "energy.max_abs_error", '
                     '"impacts.count"]\n[grid]\n"initial.q.0" = { from = 3.2, to = 5.2, count = 9 }\n')
            arrays = self.sweep(sweep, f"out-{method[:4]}{lanes}")
            for i, q in enumerate(np.linspace(3.2, 5.2, 9)):
                one = self.alone(f"initial.q=[{q!r}, 0.0]".replace("np.float64(", "").replace(")", ""))
                self.assertEqual(arrays["final.t"][i], 1.9977)
                self.assertEqual(arrays["final.q.0"][i], one["final"]["q"][0])
                self.assertEqual(arrays["final.p.1"][i], one["final"]["p"][1])
                self.assertEqual(arrays["impacts.count"][i], one["impacts"]["count"])
                self.assertEqual(arrays["energy.max_abs_error"][i], one["energy"]["max_abs_error"])


class Warned(SweepTest):
    def test_as_often_as_alone(self):
        arrays = self.sweep('scenario = "cart.toml"\nfields = ["warnings.count"]\n[grid]\n"time.step" = [0.02, 0.5]\n')
        for i, step in enumerate([0.02, 0.5]):
            result = self.carom("run", "cart.toml", "--out", "one", "--force", "--json", "--set", f"time.step={step}")
            self.assertEqual(arrays["warnings.count"][i], len(json.loads(result.out)["warnings"]))
        self.assertGreater(arrays["warnings.count"][1], 0)


if __name__ == "__main__":
    main()
