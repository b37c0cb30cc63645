#!/usr/bin/env python3
"""The stepper "dae-euler" as a user drives it: the orders of 004, friction and its energy, masses that take off, land and come
to rest, what the records hold, resuming, changing to it and back, and what is refused and how.

usage: dae_test.py PROGRAM SOURCE_DIR
"""

import json
import math
import subprocess
import sys

import numpy as np

sys.dont_write_bytecode = True
from errors_test import place_of
from support import CaromTest, main, setting

# A bead on a hoop, and the same as a DAE in formulas.
BEAD = """\
[system]
name = "expression"
coordinates = ["x", "y"]
lagrangian = "0.5*(x'^2 + y'^2) - 9.81*y"
joints = { hoop = "x^2 + y^2 - 1" }
[initial]
q = [0.8, -0.6]
v = [0.6, 0.8]
[method]
stepper = "dae-euler"
[time]
step = 0.01
end = 2.0
"""
BEAD_AS_DAE = """\
[system]
name = "dae"
coordinates = ["x", "y"]
z = ["u", "w"]
v = ["u", "w"]
f = ["0", "-9.81"]
r = ["2*x*psi1", "2*y*psi1"]
joints = { hoop = "x^2 + y^2 - 1" }
energy = "0.5*(u^2 + w^2) + 9.81*y"
[initial]
q = [0.8, -0.6]
v = [0.6, 0.8]
[method]
stepper = "dae-euler"
[time]
step = 0.01
end = 2.0
"""


class Figures(CaromTest):
    """004, Figs. 4.1 to 4.4."""

    def slope(self, scenario, scheme, flow, reference):
        out = self.succeed("converge", scenario, *setting(method__scheme=scheme, method__flow=flow), "--step",
                           "0.005,0.0025,0.00125,0.000625", "--reference", reference, "--json", "--out", "c", "--force").out
        series, = json.loads(out)["convergence"]["series"]
        return series["slope"], series["error"][-1]

    def test_orders(self):
        for scenario in ["dae-exponential", "mass-on-cubic"]:
            self.run_to(scenario, scenario, *setting(method__flow="kahan-li6", time__step=0.005))
            reference = f"{scenario}/summary.json"
            for scheme in ["true", "conjugate-true"]:
                for flow, order, delta in [("se1", 1, 0.05), ("sva", 2, 0.1), ("svb", 2, 0.1)]:
                    slope, _ = self.slope(scenario, scheme, flow, reference)
                    self.assertAlmostEqual(slope, order, delta=delta, msg=(scenario, scheme, flow))
        slope, error = self.slope("dae-exponential", "natural", "se1", "dae-exponential/summary.json")
        self.assertLess(abs(slope), 0.15)
        self.assertGreater(error, 1)

    def test_the_exact_solution(self):
        summary, rows = self.run_to("out", "dae-exponential", *setting(method__flow="kahan-li8", time__step=0.02))
        t = rows["t"]
        exact = np.stack([np.exp(2 * t), np.exp(-t)], axis=1)
        np.testing.assert_allclose(rows["q"], exact, rtol=1e-11)
        np.testing.assert_allclose(rows["p"], exact, rtol=1e-11)
        np.testing.assert_allclose(rows["multipliers"][:, 0], np.exp(t), rtol=1e-10)
        self.assertLess(summary["joints"]["max_abs"], 1e-14)
        self.assertIsNone(summary["energy"]["initial"])


class Runs(CaromTest):
    def test_friction_takes_what_is_missing(self):
        summary, rows = self.run_to("out", "mass-on-cubic", *setting(method__flow="yoshida4"))
        energy = summary["energy"]
        self.assertLess(energy["friction"], -24)
        self.assertLess(abs(energy["remainder"]), 4e-6)
        self.assertEqual((energy["work"], energy["loss"]), (0, 0))
        self.assertAlmostEqual(energy["final"] - energy["initial"], energy["friction"] + energy["remainder"], delta=1e-12)
        self.assertEqual(rows["friction"][-1], energy["friction"])
        (x, y), (u, w) = rows["q"].T, rows["p"].T
        psi = (9.81 + 6 * 0.01 * x * u**2) / (1 + 9 * 0.01**2 * x**4)
        np.testing.assert_allclose(rows["multipliers"][:, 0], psi, rtol=1e-11)
        self.assertAlmostEqual(rows["multipliers"][0, 0], 1.7586, delta=5e-5)  # as 004 prints it

    def test_hops_and_comes_to_rest(self):
        for flow in ["se1", "sva", "yoshida4"]:
            summary, rows = self.run_to(flow, "hopping-mass", *setting(method__flow=flow))
            self.assertEqual(summary["status"], "completed")
            self.assertGreater(summary["impacts"]["count"], 5)
            self.assertEqual(summary["contacts"]["lasting"], ["wave"])
            self.assertGreaterEqual(summary["contacts"]["released"], 1)
            self.assertGreater(summary["gap"]["min"], -1e-13)
            self.assertEqual(summary["final"]["p"], [0, 0])
            resting = rows["q"][rows["t"] > 4]
            np.testing.assert_array_equal(resting, np.broadcast_to(resting[-1], resting.shape))
            energy = summary["energy"]
            self.assertAlmostEqual(energy["final"] - energy["initial"],
                                   energy["work"] + energy["friction"] - energy["loss"] + energy["remainder"], delta=1e-11)
            flying = rows["gaps"][:, 0] > 1e-9
            self.assertTrue(flying.any())
            np.testing.assert_array_equal(rows["multipliers"][flying, 0], 0)
            self.assertTrue((rows["multipliers"][~flying, 0] >= 0).all())

    def test_rest_ends_a_run_that_has_no_other_end(self):
        text = (self.source / "scenarios/hopping-mass.toml").read_text().replace("end = 5.0", "impacts = 100000")
        summary = json.loads(self.carom("run", self.write(text), "--out", "out", "--json").out)
        self.assertEqual((summary["status"], summary["ended_by"]), ("completed", "rest"))

    def test_a_mechanical_system_and_its_dae_are_one(self):
        summary, rows = self.run_to("bead", self.write(BEAD))
        own, same = self.run_to("dae", self.write(BEAD_AS_DAE, "dae.toml"))
        for column in ["q", "p", "H", "multipliers"]:
            np.testing.assert_allclose(rows[column], same[column], atol=1e-10)
        self.assertAlmostEqual(summary["energy"]["initial"], own["energy"]["initial"], delta=1e-13)
        # Along joints it is the core's flow.
        core, by_core = self.run_to("core", self.write(BEAD), *setting(method__stepper="event-driven", method__flow="sva"))
        np.testing.assert_allclose(rows["q"], by_core["q"], atol=1e-11)

    def test_built_in_systems_bounce(self):
        """Without friction and losses a wall is a wall."""
        summary, _ = self.run_to("out", "cart-pendulum", *setting(method__stepper="dae-euler", time__end=5))
        self.assertGreaterEqual(summary["impacts"]["count"], 3)
        self.assertGreater(summary["gap"]["min"], -1e-12)
        self.assertLess(abs(summary["energy"]["remainder"]), 0.1)

    def test_projection(self):
        line = self.fail_with(2, "check", self.write(BEAD), *setting(initial__q="[0.9, -0.6]"))
        for words in ["initial.q = [0.9, -0.6]", 'is off the joint "hoop", which is 0.17', "initial.project = true"]:
            self.assertIn(words, line)
        summary, _ = self.run_to("out", "my.toml", *setting(initial__q="[0.9, -0.6]", initial__v="[1,1]", initial__project="true"))
        self.assertLess(summary["joints"]["max_abs"], 1e-13)

    def test_formats_and_resuming(self):
        scenario = self.write((self.source / "scenarios/hopping-mass.toml").read_text())
        many = setting(time__step=0.0001, time__end=12)
        self.succeed("run", scenario, "--out", "whole", "--quiet", *many)
        process = subprocess.Popen(self.command("run", scenario, "--out", "part", "--quiet", "--checkpoint", *many),
                                   cwd=self.folder, stderr=subprocess.DEVNULL)
        try:
            process.wait(timeout=0.3)
        except subprocess.TimeoutExpired:
            process.terminate()
            process.wait()
        if process.returncode != 0:
            self.succeed("run", "--resume", "part", "--quiet")
        for name in ["trajectory.npz", "impacts.csv", "contacts.csv"]:
            self.assertEqual(self.bytes_of("part", name), self.bytes_of("whole", name))
        self.succeed("run", scenario, "--out", "text", "--quiet", "--set", "output.format=csv")
        header = (self.folder / "text/trajectory.csv").read_text().split("\n")[0]
        self.assertTrue(header.endswith("gaps.wave,forces.wave,friction,multipliers.wave"), header)


class Changing(CaromTest):
    def label(self, scenario, **changes):
        return self.succeed("check", scenario, *setting(**changes)).out

    def test_to_dae_euler_and_back(self):
        self.assertIn("sva, dae-euler (true)", self.label("cart-pendulum", method__stepper="dae-euler"))
        self.assertIn("se1, dae-euler (natural)", self.label("mass-on-cubic", method__scheme="natural"))
        self.assertIn("se1, dae-euler (true)", self.label("mass-on-cubic", method__stepper="dae-euler"))
        self.assertIn("alpha = 0.3", self.label("mass-on-cubic", method__alpha=0.3))
        self.assertIn("reaction at Z1", self.label("mass-on-cubic", method__reaction_at="Z1"))
        self.assertIn("yoshida4 on svb", self.label("mass-on-cubic", method__flow="yoshida4", method__base="svb"))


# (scenario, what is changed, the key and value in the message, words in it)
REFUSED = [
    ("mass-on-cubic", {"method__alpha": 0}, "method.alpha = 0", ["must not be 0"]),
    ("mass-on-cubic", {"method__alpha": 1, "method__scheme": "natural"}, "method.alpha = 1", ["must not be 0 or 1"]),
    ("mass-on-cubic", {"method__scheme": "newmark"}, 'method.scheme = "newmark"', ["no such choice", "natural"]),
    ("mass-on-cubic", {"method__reaction_at": "z2"}, 'method.reaction_at = "z2"', ["no such choice", "z0"]),
    ("mass-on-cubic", {"method__flow": "svc"}, 'method.flow = "svc"', ["se1", "sva", "yoshida4"]),
    ("mass-on-cubic", {"method__flow": "se2"}, 'method.flow = "se2"', ["conjugate-true"]),
    ("mass-on-cubic", {"method__flow": "gauss"}, 'method.flow = "gauss"', ["se1", "sva"]),
    ("mass-on-cubic", {"method__flow": "yoshida4", "method__base": "svc"}, 'method.base = "svc"', ["sva", "svb"]),
    ("mass-on-cubic", {"method__impact": "shadow"}, "method.impact = ", ["dae-euler", "restitution"]),
    ("mass-on-cubic", {"method__restitution": 1.5}, "method.restitution = 1.5", ["from 0 to 1"]),
    ("mass-on-cubic", {"system__parameters__c_f": -0.1}, "system.parameters.c_f = -0.1", ["must not be negative"]),
    ("mass-on-cubic", {"system__parameters__r_f": 0}, "system.parameters.r_f = 0", ["greater than 0"]),
    ("mass-on-cubic", {"initial__q": "[10, 9]"}, "initial.q = [10, 9]", ['behind the contact "surface"', "-1"]),
    ("mass-on-cubic", {"initial__q": "[10]"}, "initial.q = [10]", ["2"]),
    ("mass-on-cubic", {"initial__psi": "[1, 2]"}, "initial.psi = [1, 2]", ["must have 1"]),
    ("mass-on-cubic", {"method__stepper": "contact"}, "system.friction", ["dae-euler"]),
    ("dae-exponential", {"initial__v": "[1, 2]"}, "initial.v = [1, 2]", ['leaves the joint "constraint" at the rate -2']),
    ("dae-exponential", {"initial__q": "[1, 1.1]"}, "initial.q = [1, 1.1]", ['off the joint "constraint"', "project"]),
    ("dae-exponential", {"method__stepper": "contact"}, 'method.stepper = "contact"', ["dae-euler"]),
    ("newton-cradle", {"method__stepper": "dae-euler"}, 'method.stepper = "dae-euler"', ["any number of bodies"]),
    ("cart-pendulum", {"method__alpha": 0.5}, "method.alpha = 0.5", ['"dae-euler" does']),
]


class Refusals(CaromTest):
    def test_by_key_and_value(self):
        for scenario, changes, stated, words in REFUSED:
            with self.subTest(scenario=scenario, **changes):
                line = self.fail_with(2, "check", scenario, *setting(**changes))
                for word in [stated, *words]:
                    self.assertIn(word, line)

    def refused(self, text, old, new):
        self.assertIn(old, text)
        return self.fail_with(2, "check", self.write(text.replace(old, new)))

    def test_a_singular_dae(self):
        line = self.refused(BEAD_AS_DAE, 'r = ["2*x*psi1", "2*y*psi1"]', 'r = ["-y*psi1", "x*psi1"]')
        for words in ["system", "g_y v_z r_psi is singular at the start"]:
            self.assertIn(words, line)
        line = self.refused(BEAD, 'joints = { hoop = "x^2 + y^2 - 1" }',
                            'joints = { hoop = "x^2 + y^2 - 1" }\nfriction = ["0.1*abs(psi1)*x\'", "0.1*abs(psi1)*y\'"]')
        self.assertIn("friction must not be driving", line)

    def test_wrong_sizes(self):
        for old, new, words in [('f = ["0", "-9.81"]', 'f = ["0"]', ["system.f", "2"]),
                                ('r = ["2*x*psi1", "2*y*psi1"]', 'r = ["2*x*psi1", "2*y*psi1", "0"]', ["system.r", "2"]),
                                ('z = ["u", "w"]', 'z = ["u"]', ["system.z", "2"]),
                                ('v = ["u", "w"]\nf', 'v = ["u"]\nf', ["system.v", "2"])]:
            line = self.refused(BEAD_AS_DAE, old, new)
            for word in words:
                self.assertIn(word, line)


if __name__ == "__main__":
    main()
