#!/usr/bin/env python3
"""method.tolerance as a user meets it: digits without a choice of stages and steps, states where they were asked for, a run that
is stopped and goes on, and what is refused. tests/tolerance_adversary.py compares with SciPy.

usage: tolerance_test.py PROGRAM SOURCE_DIR
"""

import json
import math
import signal
import subprocess
import sys
import time

import numpy as np

sys.dont_write_bytecode = True
from support import CART, CaromTest, main, setting


SWING = """\
[system]
name = "expression"
coordinates = ["a"]
lagrangian = "0.5*a'^2 + cos(a)"
[initial]
q = [2.0]
v = [0.0]
[method]
stepper = "smooth"
tolerance = 1e-12
[time]
step = 0.5
end = 50.0
"""


def one_coordinate(lagrangian, tolerance, q=0.0, v=0.0, force=None, step=0.5, end=5.0, more=""):
    """A scenario with method.tolerance."""
    pushed = f'force = ["{force}"]\n' if force else ""
    return (f"[system]\nname = 'expression'\ncoordinates = ['x']\nlagrangian = \"{lagrangian}\"\n{pushed}"
            f"[initial]\nq = [{q}]\nv = [{v}]\n[method]\ntolerance = {tolerance}\n{more}[time]\nstep = {step}\nend = {end}\n")


def falling_with_drag(t, y, v, g=10.0, c=0.5):
    """Thrown upwards against c v |v| and g: height and speed, in closed form."""
    w = math.sqrt(g / c)
    up = w / g * math.atan(v / w)
    top = y + w * w / (2 * g) * math.log(1 + (v / w) ** 2)
    down = g * (t - up) / w
    return top - w * w / g * math.log(math.cosh(down)), -w * math.tanh(down)


class Tolerance(CaromTest):
    def run_cart(self, out, tolerance, **more):
        return self.run_to(out, self.write(CART), *setting(method__tolerance=tolerance, **more))

    def test_digits_of_the_reference(self):
        golden = json.loads((self.source / "tests/golden/cart_pendulum.json").read_text())["cases"]["4.2"]
        exact = next(state for state in golden["states"] if state["t"] == 5)
        right = np.array([float(x) for x in exact["q"] + exact["p"]])
        for tolerance, error in ((1e-6, 1e-4), (1e-9, 1e-7), (1e-12, 1e-10)):
            summary, _ = self.run_cart(f"to{tolerance}", tolerance, time__step=0.5)
            found = np.array(summary["final"]["q"] + summary["final"]["p"])
            self.assertLess(np.abs(found - right).max(), error, tolerance)
            self.assertEqual(summary["impacts"]["count"], 3)
            self.assertEqual(summary["method"], f"gauss with 8 stages to {tolerance:.0e}, continuous-energy")
            self.assertEqual(summary["cost"]["fallbacks"], 0)
            self.assertGreaterEqual(summary["cost"]["impact_solves"], 3)

    def test_states_lie_where_they_were_asked_for(self):
        _, rows = self.run_cart("rows", 1e-9, time__step=0.25)
        np.testing.assert_array_equal(rows["t"], 0.25 * np.arange(21))

    def test_accuracy_does_not_depend_on_what_is_recorded(self):
        coarse, fine = (self.run_cart(f"h{h}", 1e-11, time__step=h)[0]["final"]["q"] for h in (5, 0.1))
        np.testing.assert_allclose(coarse, fine, rtol=0, atol=1e-8)

    def test_smooth_motion_in_formulas(self):
        summary, rows = self.run_to("smooth", self.write(SWING))
        self.assertLess(summary["energy"]["max_abs_error"], 1e-11)
        np.testing.assert_allclose(rows["discrete_energy"][1:], summary["energy"]["initial"], rtol=0, atol=1e-6)

    def test_a_stopped_run_goes_on_to_the_same_bytes(self):
        options = setting(method__tolerance=1e-9, time__step=0.1, time__end=20000, output__every=20)
        self.run_to("whole", self.write(CART), *options)
        self.stop_and_resume("parts", "my.toml", *options)
        for name in ["trajectory.npz", "impacts.csv"]:
            self.assertEqual((self.folder / "whole" / name).read_bytes(), (self.folder / "parts" / name).read_bytes(), name)

    def test_steps_too_long_are_halved_and_said(self):
        result = self.carom("run", self.write(CART), "--out", "long", "--quiet",
                            *setting(method__flow="gauss", method__stages=8, time__step=1, time__end=200))
        self.assertEqual(result.code, 0)
        self.assertRegex(result.err.splitlines()[0], r"warning: \d+ steps were taken in halves")
        summary, _ = self.read("long")
        self.assertGreater(summary["cost"]["fallbacks"], 0)

    def test_the_shadow_of_steps_that_vary_is_not_told(self):
        summary, rows = self.run_cart("varied", 1e-9, time__step=0.5)
        self.assertIsNone(summary["shadow_energy"])
        self.assertTrue(np.isnan(rows["shadow_energy"]).all())

    def final(self, out, text):
        final = self.run_to(out, self.write(text), "--force")[0]["final"]
        return final["q"][0], final["p"][0]

    def test_starts_at_rest_end(self):
        for name, lagrangian, rest in [("free", "0.5*x'^2", 0), ("well", "0.5*x'^2 - x^2", 0), ("hanging", "0.5*x'^2 + cos(x)", 0),
                                       ("elsewhere", "0.5*x'^2 - (x - 2)^2", 2)]:
            for tolerance in (1e-3, 1e-6, 1e-12):
                self.assertEqual(self.final(name, one_coordinate(lagrangian, tolerance, q=rest)), (rest, 0.0))

    def test_a_force_that_is_zero_at_the_start(self):
        w, t = math.sqrt(2), 2
        right = (math.sin(t) - math.sin(w * t) / w, math.cos(t) - math.cos(w * t))
        for tolerance in (1e-4, 1e-6, 1e-9, 1e-12):
            found = self.final("pushed", one_coordinate("0.5*x'^2 - x^2", tolerance, force="sin(t)", step=0.1, end=2))
            np.testing.assert_allclose(found, right, rtol=0, atol=10 * tolerance)

    def test_a_force_that_begins_as_a_power_of_time(self):
        for power in (1, 2, 5, 8, 9, 12):
            right = (2 ** (power + 2) / ((power + 1) * (power + 2)), 2 ** (power + 1) / (power + 1))
            for tolerance in (1e-4, 1e-7, 1e-10):
                found = self.final("power", one_coordinate("0.5*x'^2", tolerance, force=f"t^{power}", step=1, end=2))
                np.testing.assert_allclose(found, right, rtol=10 * tolerance, atol=0)

    def test_a_kink_of_a_force(self):
        right = falling_with_drag(1, 1, 5)
        for tolerance in (1e-6, 1e-8, 1e-10, 1e-12):
            for step in (0.1, 1):
                found = self.final("drag", one_coordinate("0.5*x'^2 - 10*x", tolerance, q=1, v=5, force="-0.5*x'*abs(x')", step=step, end=1))
                np.testing.assert_allclose(found, right, rtol=0, atol=10 * tolerance)

    def test_a_narrow_push_needs_the_longest_step(self):
        pulse = dict(q=1, v=1, force="exp(-((t - 3)/1e-3)^2)", step=5, end=5)
        unseen = self.final("unseen", one_coordinate("0.5*x'^2", 1e-9, **pulse))
        self.assertEqual(unseen, (6.0, 1.0))
        found = self.final("seen", one_coordinate("0.5*x'^2", 1e-9, more="longest_step = 2e-3\n", **pulse))
        push = 1e-3 * math.sqrt(math.pi)
        np.testing.assert_allclose(found, (6 + 2 * push, 1 + push), rtol=0, atol=1e-8)
        line = self.fail_with(2, "check", self.write(CART), *setting(method__longest_step=0.1))
        self.assertIn("method.longest_step = 0.1: is of steps that method.tolerance chooses; without it time.step is the longest", line)

    def test_a_long_step_is_stopped_within_a_second(self):
        text = one_coordinate("0.5*x'^2 + cos(x)", 1e-12, q=1, step=1e9, end=2e9)
        run = subprocess.Popen(self.command("run", self.write(text), "--out", "long", "--quiet"), cwd=self.folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.addCleanup(run.stderr.close)
        time.sleep(1)
        run.send_signal(signal.SIGTERM)
        asked = time.monotonic()
        run.wait(timeout=60)
        self.assertLess(time.monotonic() - asked, 5)  # a second, on a machine that has nothing else to do
        summary = json.loads((self.folder / "long" / "summary.json").read_text())
        self.assertEqual(summary["status"], "stopped")
        self.assertEqual(summary["final"]["t"], 0)

    def test_another_stepper_leaves_it_out(self):
        text = CART.replace("[time]", "[method]\ntolerance = 1e-9\nlongest_step = 0.1\n[time]")
        self.succeed("check", self.write(text), "--set", "method.stepper=contact")

    def test_contacts_that_last_are_refused(self):
        text = CART.replace("[time]", "[method]\nstepper = 'contact'\ntolerance = 1e-9\n[time]")
        line = self.fail_with(2, "check", self.write(text))
        self.assertIn('method.tolerance = 1e-09: the stepper "contact" has no choice of steps', line)

    def test_joints_are_refused(self):
        line = self.fail_with(2, "check", self.write("[system]\nname = 'pendulum'\n[method]\ntolerance = 1e-9\n"
                                                     "[time]\nstep = 0.1\nend = 1.0\n"))
        self.assertIn("my.toml:4:13: method.tolerance = 1e-09", line)
        self.assertIn("joints", line)


main()
