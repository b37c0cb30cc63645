#!/usr/bin/env python3
"""carom sweep, as a user drives it: grids, samples, failures and bad input.

usage: sweep_test.py PROGRAM SOURCE_DIR
"""

import json
import sys

import numpy as np

sys.dont_write_bytecode = True
from support import main
from sweep_support import PRODUCT, SweepTest


BILLIARD = """\
[system]
name = "billiard"
[initial]
q = [0.1, 0.2]
v = [1.0, 0.7]
[method]
flow = "sva"
impact = "continuous-energy"
[time]
step = 0.02
end = 20.0
"""


class Grid(SweepTest):
    def test_a_product_is_what_single_runs_give(self):
        found = self.sweep(PRODUCT)
        np.testing.assert_array_equal(found["initial.q.0"], [3.2, 4.2, 5.2])
        np.testing.assert_array_equal(found["method.flow"], [0, 1])
        np.testing.assert_array_equal(found["status"], np.zeros((2, 3)))
        for i, flow in enumerate(["svc", "sva"]):
            for k, height in enumerate([3.2, 4.2, 5.2]):
                one = self.alone(f"method.flow={flow}", f"initial.q.0={height}")
                here = {name: found[name][i, k] for name in found if found[name].shape == (2, 3)}
                self.assertEqual(here["final.q.0"], one["final"]["q"][0])
                self.assertEqual(here["final.p.1"], one["final"]["p"][1])
                self.assertEqual(here["impacts.count"], one["impacts"]["count"])
                self.assertEqual(here["energy.max_abs_error"], one["energy"]["max_abs_error"])
                self.assertEqual(here["gap.min"], one["gap"]["min"])
        axes = self.summary()["axes"]
        self.assertEqual([axis["key"] for axis in axes], ["method.flow", "initial.q.0"])
        self.assertEqual(axes[0]["words"], ["svc", "sva"])
        self.assertEqual(self.summary()["members"], {"count": 6, "completed": 6, "refused": 0, "failed": 0})

    def test_runs_side_by_side_are_what_single_runs_give(self):
        # Explicit steps, starts vary fastest: these share the lanes of a pack. The last start is outside.
        self.write(BILLIARD, "cart.toml")
        sweep = self.write("""\
scenario = "cart.toml"
fields = ["final.q.0", "final.p.1", "impacts.count", "impacts.last", "energy.max_abs_error", "energy.drift_per_time",
          "gap.min", "cost.impact_solves", "time.steps"]
[grid]
"system.parameters.k" = [0.0, 0.5]
"initial.q.0" = { from = 0.1, to = 2.2, count = 7 }
""", "sweep.toml")
        self.assertEqual(self.carom("sweep", sweep, "--out", "out", "--quiet").code, 0)
        found = self.arrays("out")
        np.testing.assert_array_equal(found["status"], [[0, 0, 0, 0, 0, 0, 2]] * 2)
        self.assertGreater(found["impacts.count"][0, 0], 5)
        for i, k in enumerate([0.0, 0.5]):
            for j in range(6):
                one = self.alone(f"system.parameters.k={k}", f"initial.q.0={float(found['initial.q.0'][j])!r}")
                here = {name: found[name][i, j] for name in found if found[name].shape == (2, 7)}
                self.assertEqual(here["final.q.0"], one["final"]["q"][0])
                self.assertEqual(here["final.p.1"], one["final"]["p"][1])
                self.assertEqual(here["impacts.count"], one["impacts"]["count"])
                self.assertEqual(here["energy.max_abs_error"], one["energy"]["max_abs_error"])
                self.assertEqual(here["energy.drift_per_time"], one["energy"]["drift_per_time"])
                self.assertEqual(here["gap.min"], one["gap"]["min"])
                self.assertEqual(here["cost.impact_solves"], one["cost"]["impact_solves"])
                self.assertEqual(here["time.steps"], one["time"]["steps"])

    def test_lists_and_keys_that_move_along(self):
        found = self.sweep("""\
scenario = "cart.toml"
fields = ["final.q.0", "energy.initial"]
[set]
time.end = 1.0
[grid]
"initial.q.0" = [4, 3.5]
"initial.v.1" = { from = 1.0, to = 2.0, along = "initial.q.0" }
""")
        np.testing.assert_array_equal(found["initial.v.1"], [1.0, 2.0])
        self.assertEqual(found["final.q.0"].shape, (2,))
        one = self.alone("time.end=1.0", "initial.q.0=3.5", "initial.v.1=2.0")
        self.assertEqual(found["final.q.0"][1], one["final"]["q"][0])

    def test_parameters_numbers_of_the_method_and_steps(self):
        found = self.sweep("""\
scenario = "cart.toml"
fields = ["final.q.1", "time.steps"]
[grid]
"system.parameters.m1" = [0.5, 2.0]
time.step = { from = 0.01, to = 0.04, count = 3, spacing = "log" }
method.order = [4, 8]
""")
        np.testing.assert_array_equal(found["time.steps"][0, :, 0], [200, 100, 50])
        one = self.alone("system.parameters.m1=2.0", "time.step=0.02", "method.order=8")
        self.assertEqual(found["final.q.1"][1, 1, 1], one["final"]["q"][1])

    def test_momenta_and_what_does_not_apply(self):
        found = self.sweep("""\
scenario = "double-pendulum"
fields = ["momenta.0.initial", "momenta.0.max_abs_error", "joints.max_abs", "contacts.begun"]
[set]
system.parameters.g = 0
system.parameters.wall = -3
time.end = 0.2
initial.q = [0.5, 1.0]
initial.p = [3.0, 0.2]
[grid]
"initial.p.0" = [3.0, 4.0]
""")
        np.testing.assert_array_equal(found["momenta.0.initial"], [3.0, 4.0])
        self.assertLess(found["momenta.0.max_abs_error"].max(), 1e-12)
        self.assertTrue(np.isnan(found["joints.max_abs"]).all())
        np.testing.assert_array_equal(found["contacts.begun"], [0, 0])

    def test_formulas_and_sizes(self):
        """A system that is made anew for its parameters: in formulas, and one whose size is a parameter."""
        self.write("""\
[system]
name = "expression"
coordinates = ["x"]
parameters = { k = 1.0 }
lagrangian = "0.5*x'^2 - 0.5*k*x^2"
[initial]
q = [1.0]
[time]
step = 0.01
end = 1.0
""", "spring.toml")
        found = self.sweep("""\
scenario = "spring.toml"
fields = ["final.q.0"]
[grid]
"system.parameters.k" = [1.0, 4.0]
"initial.q.0" = [1.0, 2.0]
""")
        exact = np.outer(np.cos([1, 2]), [1, 2])
        np.testing.assert_allclose(found["final.q.0"], exact, atol=1e-4)
        found = self.sweep("""\
scenario = "newton-cradle"
fields = ["final.q.0", "final.q.7"]
[set]
time.end = 0.1
[grid]
"system.parameters.balls" = [5, 3]
""", "sizes")
        np.testing.assert_array_equal(np.isnan(found["final.q.7"]), [False, True])

    def test_the_folder_repeats_itself(self):
        self.sweep(PRODUCT)
        self.succeed("sweep", "out/sweep.toml", "--out", "again", "--quiet")
        for name in ("sweep.npz", "sweep.toml", "scenario.toml"):
            self.assertEqual(self.bytes_of("again", name), self.bytes_of("out", name), name)

    def test_info_says_what_is_there(self):
        self.sweep(PRODUCT)
        self.assertRegex(self.succeed("info", "out").out, r"a sweep of cart-pendulum(?s:.*)6, 6 completed(?s:.*)2 method.flow")
        info = json.loads(self.succeed("info", "out", "--json").out)
        self.assertEqual((info["kind"], info["sweep"]), ("sweep", self.summary()))

    def test_shipped_sweeps_are_known_by_name(self):
        names = sorted(path.stem for path in (self.source / "scenarios" / "sweeps").glob("*.toml"))
        self.assertGreaterEqual(len(names), 3)
        self.succeed("sweep", "cart-pendulum-family", "--quiet")
        self.assertEqual(self.arrays("runs/cart-pendulum-family")["final.q.0"].shape, (400,))
        answers = [line.split("\t")[0] for line in self.succeed("complete", "sweep", "").out.splitlines()]
        self.assertEqual(answers, [*names, ":files .toml"])


class Sample(SweepTest):
    TEXT = """\
scenario = "cart.toml"
fields = ["final.q.0", "shadow_energy.initial"]
series = ["q.0", "H"]
[grid]
"initial.q.0" = [3.2, 4.2]
[sample]
count = 40
kind = "KIND"
seed = 5
"initial.v.1" = { from = 2.0, to = 3.0 }
"system.parameters.m1" = { mean = 1.0, deviation = 0.05 }
"""

    def test_draws_are_run_as_they_stand_in_the_file(self):
        for kind in ("halton", "random"):
            with self.subTest(kind):
                found = self.sweep(self.TEXT.replace("KIND", kind), kind)
                v, m1 = found["initial.v.1"], found["system.parameters.m1"]
                self.assertTrue(2 < v.min() < 2.1 and 2.9 < v.max() < 3)
                self.assertLess(abs(np.mean(m1) - 1), 0.02)
                self.assertTrue(0.035 < np.std(m1) < 0.065)
                one = self.alone("initial.q.0=4.2", f"initial.v.1={v[7]!r}", f"system.parameters.m1={m1[7]!r}")
                self.assertEqual(found["final.q.0"][1, 7], one["final"]["q"][0])
                self.assertEqual(found["shadow_energy.initial"][1, 7], one["shadow_energy"]["initial"])

    def test_the_shipped_one_draws_around_the_scenarios_own_masses(self):
        self.succeed("sweep", "cart-pendulum-uncertain", "--out", "shipped", "--quiet")
        found = self.arrays("shipped")
        for name, own in [("m1", 1), ("m2", 0.2)]:
            draws = found[f"system.parameters.{name}"] / own
            self.assertTrue(0.98 <= draws.min() < 0.981 and 1.019 < draws.max() <= 1.02, name)

    def test_bands_are_quantiles_of_the_runs(self):
        found = self.sweep(self.TEXT.replace("KIND", "halton"))
        runs = []
        for v, m1 in zip(found["initial.v.1"], found["system.parameters.m1"]):
            self.alone("initial.q.0=3.2", f"initial.v.1={v!r}", f"system.parameters.m1={m1!r}")
            with np.load(self.folder / "one/trajectory.npz") as run:
                runs.append(run["q"][:, 0])
                np.testing.assert_array_equal(found["t"], run["t"])
        expected = np.quantile(runs, found["quantiles"], axis=0).T
        np.testing.assert_array_equal(found["q.0"][0], expected)
        self.assertEqual(found["H"].shape, (2, 101, 5))

    def test_without_draws_the_bands_are_over_all_runs(self):
        found = self.sweep('scenario = "cart.toml"\nseries = ["q.0"]\n[grid]\n"initial.q.0" = [3.0, 4.0, 5.0]\n')
        np.testing.assert_array_equal(found["q.0"][0], np.quantile([3.0, 4.0, 5.0], found["quantiles"]))


class Failing(SweepTest):
    def test_members_that_fail_are_told_and_left_out(self):
        text = """\
scenario = "cart.toml"
fields = ["final.q.0"]
[set]
"initial.q" = [1.0, 1.5]
[grid]
"initial.q.0" = { from = -0.5, to = 1.5, count = 5 }
method.flow = ["svc", "nonsense"]
"""
        result = self.carom("sweep", self.write(text, "sweep.toml"), "--out", "out", "--quiet")
        self.assertEqual(result.code, 0)
        self.assertIn("warning: some runs did not complete, the first is number 0: ", self.one_line(result.err))
        found = self.arrays("out")
        np.testing.assert_array_equal(found["status"][:, 1], [2] * 5)
        np.testing.assert_array_equal(found["status"][:, 0], [2, 3, 0, 0, 0])  # one starts in the floor, one on it
        np.testing.assert_array_equal(np.isnan(found["final.q.0"]), found["status"] != 0)
        failures = self.summary()["failures"]
        self.assertEqual([failure["member"] for failure in failures], [0, 1, 2, 3, 5, 7, 9])
        self.assertIn("nonsense", failures[1]["reason"])
        # The command says the same.
        words = failures[0]["command"].replace("'", "").split()[2:]
        (self.folder / "scenario.toml").write_bytes(self.bytes_of("out", "scenario.toml"))
        line = self.fail_with(2, "run", *words, "--out", "alone")
        self.assertEqual(line.partition("initial")[2], failures[0]["reason"].partition("initial")[2])

    def test_numerics_that_fail(self):
        text = """\
scenario = "cart.toml"
fields = ["final.q.0"]
[set]
method.stepper = "smooth"
time.end = 1.5
[grid]
"initial.q.0" = [1.6, 400.0]
"""
        result = self.carom("sweep", self.write(text, "sweep.toml"), "--out", "out", "--quiet")
        self.assertEqual(result.code, 0, result.err)
        np.testing.assert_array_equal(self.arrays("out")["status"], [3, 0])
        self.assertIn("step ", self.summary()["failures"][0]["reason"])

    def test_when_none_completes_the_sweep_has_failed(self):
        text = 'scenario = "cart.toml"\nfields = ["final.q.0"]\n[grid]\n"initial.q.0" = [-1.0, -2.0]\n'
        result = self.carom("sweep", self.write(text, "sweep.toml"), "--out", "out", "--quiet")
        self.assertEqual(result.code, 3)

    def test_only_a_hundred_failures_are_listed(self):
        text = 'scenario = "cart.toml"\nfields = ["final.q.0"]\n[grid]\n"initial.q.0" = { from = -1.0, to = 4.0, count = 1000 }\n'
        self.carom("sweep", self.write(text, "sweep.toml"), "--out", "out", "--quiet")
        self.assertEqual([f["member"] for f in self.summary()["failures"]], list(range(100)))
        self.assertEqual(self.summary()["members"]["refused"], int(np.sum(self.arrays("out")["status"] == 2)))


class BadInput(SweepTest):
    """Unit tests have every complaint of the file; here it is how they reach the user."""

    def test_place_key_value_and_the_nearest_right_one(self):
        cases = {
            'scenario = "cart.toml"\nfields = ["final.q.0"]\n[grid]\n"initial.q.0" = { from = 1, too = 2, count = 3 }':
                'bad.toml:4:35: grid."initial.q.0".too = 2: unknown key; did you mean "to"?',
            'scenario = "cart.toml"\nfields = ["final.q.0"]\n[grid]\n"method.flwo" = ["svc"]':
                'bad.toml:4:17: method.flwo = "svc": unknown key; did you mean "method.flow"?',
            'scenario = "cart.toml"\nfields = ["impacts.cuont"]\n[grid]\n"initial.q.0" = [1.0]':
                'bad.toml:2:10: fields = "impacts.cuont": unknown field; did you mean "impacts.count"?',
            'scenario = "cart-pendulun"\nfields = ["final.q.0"]\n[grid]\n"initial.q.0" = [1.0]':
                'bad.toml:1:12: scenario = "cart-pendulun": is neither a file nor a shipped scenario; did you mean '
                '"cart-pendulum"?',
            'scenario = "none.toml"\nfields = ["final.q.0"]\n[grid]\n"initial.q.0" = [1.0]':
                'none.toml: cannot be read: No such file or directory',
            'scenario = "cart.toml"\nfields = ["final.q.0"]\n[set]\n"time.ned" = 1\n[grid]\n"initial.q.0" = [1.0]':
                '--set time.ned=1: time.ned = 1: unknown key; did you mean "time.end"?',
            'fields = [': "bad.toml:1:11:",
        }
        for text, line in cases.items():
            with self.subTest(line):
                self.assertTrue(self.fail_with(2, "sweep", self.write(text, "bad.toml")).startswith(line),
                                self.fail_with(2, "sweep", "bad.toml"))
                self.assertFalse((self.folder / "runs").exists())

    def test_usage(self):
        self.assertIn("did you mean", self.fail_with(2, "sweep", "cart-pendulum-famly"))
        self.assertIn("sweep", self.fail_with(2, "sweep"))
        self.assertIn("not in range", self.fail_with(2, "sweep", "cart-pendulum-family", "--threads", "0"))
        self.assertIn("--resume goes on", self.fail_with(2, "sweep", "x.toml", "--resume", "y"))


if __name__ == "__main__":
    main()
