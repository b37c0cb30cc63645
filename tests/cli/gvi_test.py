#!/usr/bin/env python3
"""Contact that lasts, and joints over long runs, as a user drives them: the figures of 003 with the digits that
independent prototypes measured, energies worked out from the rows, what ends a run, and that everything that works with
impacts (resuming, formats, compare, converge) works here.

usage: gvi_test.py PROGRAM SOURCE_DIR
"""

import csv
import json
import math
import re
import sys

import numpy as np

sys.dont_write_bytecode = True
from support import CaromTest, main, setting

POGO = """\
[system]
name = "pogo-stick"
[initial]
q = [6.0, 1.0]
[method]
stepper = "gvi"
flow = "svc"
[time]
step = 0.1
end = 2000.0
"""
DISC = """\
[system]
name = "disc"
parameters = { v0 = 0.8 }
[method]
stepper = "gvi"
[time]
end = 1.0
"""
BALL = """\
[system]
name = "point-mass"
[method]
stepper = "direct"
[time]
step = 0.01
end = 2.0
"""
# Falls in a slot of no width on a slope, which pushes it sideways: the walls face each other.
SLOT = """\
[system]
name = "expression"
coordinates = ["x", "y"]
lagrangian = "0.5*(x'^2 + y'^2) - 9.81*y"
gaps = { left = "x", right = "-x", slope = "y - 0.5*x" }
[initial]
q = [0.0, 1.0]
[method]
stepper = "gvi"
[time]
step = 0.01
end = 1.0
"""
BOWL = """\
[system]
name = "expression"
coordinates = ["x", "y"]
lagrangian = "0.5*(x'^2 + y'^2)"
gaps = { bowl = "1 - hypot(x, y)" }
[initial]
q = [0.0, -1.0]
v = [3.0, 0.0]
[method]
stepper = "gvi"
flow = "midpoint"
[time]
step = 0.1
end = 3.0
"""


def sixths(t, H):
    """H in each sixth of the run."""
    end = t[-1]
    return [H[(t >= end * k / 6) & (t <= end * (k + 1) / 6)] for k in range(6)]


def trend(t, H):
    """Means of the last and the second sixth apart, over the band within a sixth; below 0.1 there is no trend."""
    parts = sixths(t, H)
    return abs(parts[5].mean() - parts[1].mean()) / max(np.ptp(part) for part in parts)


class GviTest(CaromTest):
    rough = True

    def completed(self, out, scenario, **changes):
        summary, rows = self.run_to(out, scenario, *setting(**changes))
        told = [line for line in summary["warnings"] if not line.startswith("the energy errs by")]
        self.assertEqual((summary["status"], told), ("completed", []))
        return summary, rows


class SpringAndSphere(GviTest):
    def test_figure_5_1_both_slide(self):
        summary, rows = self.completed("out", "spring-and-sphere-sliding")
        self.assertEqual(summary["time"]["steps"], 2000)
        self.assertAlmostEqual(rows["H"][0], 6, delta=1e-14)
        self.assertGreaterEqual(rows["H"].min(), 5.9835)
        self.assertLessEqual(rows["H"].max(), 6.0045)
        self.assertLessEqual(summary["momenta"][0]["max_abs_error"], 3e-13)
        self.assertAlmostEqual(summary["momenta"][0]["initial"], 10, delta=1e-14)
        self.assertLessEqual(np.abs(rows["gaps"]).max(), 5e-15)
        self.assertEqual(summary["impacts"]["count"], 0)

    def test_figure_8_3_one_bounces_one_slides(self):
        summary, rows = self.completed("out", "spring-and-sphere", method__energy="hamiltonian")
        self.assertAlmostEqual(summary["energy"]["max_abs_error"] / rows["H"][0], 0.14, delta=0.01)
        self.assertLessEqual(summary["momenta"][0]["max_abs_error"], 3e-13)
        self.assertLessEqual(np.abs(rows["gaps"][:, 1]).max(), 5e-15, "the second particle slides")
        self.assertGreater(rows["gaps"][:, 0].max(), 0.5, "the first does not")
        self.assertGreater(summary["impacts"]["count"], 100)
        self.assertEqual({row["contact"] for row in self.impacts("out")}, {"sphere 1"})

    def test_figure_8_3_by_the_energy_that_reflections_keep(self):
        for flow, energy, worst in [("midpoint", "numerical", 0.04), ("midpoint", "shadow", 0.02),
                                    ("svc", "numerical", 0.02), ("svc", "shadow", 0.02)]:
            with self.subTest(flow=flow, energy=energy):
                summary, rows = self.completed(f"{flow}-{energy}", "spring-and-sphere", method__flow=flow,
                                               method__energy=energy)
                self.assertLess(summary["energy"]["max_abs_error"], worst * rows["H"][0])
                self.assertLessEqual(summary["momenta"][0]["max_abs_error"], 3e-13)
                if energy == "shadow":
                    self.assertLess(trend(rows["t"], rows["H"]), 0.1)

    def test_the_shadow_energy_bounds_ten_times_the_horizon(self):
        summary, rows = self.completed("out", "spring-and-sphere", time__end=10000)
        self.assertLess(summary["energy"]["max_abs_error"], 0.02 * rows["H"][0])
        self.assertLess(trend(rows["t"], rows["H"]), 0.1)


class PogoStick(GviTest):
    def invariant(self, q, p, h=0.1, k=10.0, l=5.0, g=9.8):
        """I = H - h²/8 ∇V'M⁻¹∇V from the rows alone, and H."""
        d = q[:, 0] - q[:, 1] - l
        H = 0.5 * (p**2).sum(axis=1) + 0.5 * k * d**2 + g * q.sum(axis=1)
        return H - h * h / 8 * ((k * d + g)**2 + (g - k * d)**2), H

    def test_bounded_and_its_invariant(self):
        summary, rows = self.completed("out", self.write(POGO))
        I, H = self.invariant(rows["q"], rows["p"])
        np.testing.assert_allclose(rows["H"], H, rtol=1e-13)
        self.assertGreaterEqual(H.min(), 68.595)
        self.assertLessEqual(H.max(), 70.165)
        self.assertLessEqual(np.abs(I - I[0]).max(), 1e-10 * I[0])
        self.assertGreater(summary["impacts"]["count"], 500)

    def test_with_the_numerical_energy(self):
        _, rows = self.completed("out", self.write(POGO), method__energy="numerical")
        self.assertGreaterEqual(rows["H"].min(), 67.885)
        self.assertLessEqual(rows["H"].max(), 69.495)

    def test_with_the_shadow_energy(self):
        # A few impacts come so close to each other that the shadow energy has no solution: the run says so.
        result = self.carom("run", self.write(POGO), "--out", "out", "--quiet", *setting(method__energy="shadow"))
        self.assertEqual(result.code, 0, result)
        summary, rows = self.read("out")
        self.assertLess(summary["cost"]["fallbacks"], 0.01 * summary["impacts"]["count"])
        if summary["cost"]["fallbacks"]:
            some, of = map(int, re.search(r"warning: (\d+) of (\d+) ", result.err.splitlines()[0]).groups())
            self.assertEqual(some, summary["cost"]["fallbacks"])
            self.assertLessEqual(some, of)
        self.assertLess(np.ptp(rows["H"]), 2)
        self.assertLess(trend(rows["t"], rows["H"]), 0.1)


class Cradle(GviTest):
    REST = -5 * 9.8

    def test_figure_8_4_energy_bands(self):
        for coordinates in ["cartesian", "angles"]:
            for h, percent, digits in [(0.03, 0.24, 6e-3), (0.02, 0.11, 6e-3), (0.01, 0.027, 1.1e-3), (0.005, 0.007, 6e-4)]:
                with self.subTest(coordinates=coordinates, h=h):
                    summary, rows = self.completed(f"{coordinates}-{h}", "newton-cradle-gvi", time__step=h, time__end=100,
                                                   system__parameters__coordinates=coordinates)
                    band = 100 * np.ptp(rows["H"]) / (rows["H"][0] - self.REST)
                    if coordinates == "cartesian":
                        self.assertAlmostEqual(band, percent, delta=digits)
                        self.assertLessEqual(summary["joints"]["max_abs"], 1e-14)
                    else:  # the mass and the gaps are others, the order is the same
                        self.assertLess(band, 3 * percent)
                        self.assertIsNone(summary["joints"])
                    self.assertGreater(summary["gap"]["min"], -2.8 * h)
                    self.assertGreater(summary["impacts"]["count"], 500)

    def test_every_energy_that_reflections_may_keep(self):
        """Balls that touch and rest when others hit them: what holds them must not take part in the reflection."""
        for coordinates in ["cartesian", "angles"]:
            for energy in ["hamiltonian", "numerical", "shadow"]:
                for gap in [0, 0.001]:
                    with self.subTest(coordinates=coordinates, energy=energy, gap=gap):
                        summary, rows = self.completed(f"{coordinates}-{energy}-{gap}", "newton-cradle-gvi", method__energy=energy,
                                                       system__parameters__gap=gap, system__parameters__coordinates=coordinates)
                        self.assertEqual(summary["cost"]["fallbacks"], 0)
                        self.assertLess(np.ptp(rows["H"]), 1e-3 * (rows["H"][0] - self.REST))

    def test_both_coordinates_are_one_cradle(self):
        """Before the first impact, where both are smooth: they differ by h²."""
        apart = []
        for h in [0.02, 0.01, 0.005]:
            changes = {"time__step": h, "time__end": 0.4}
            _, flat = self.completed(f"flat-{h}", "newton-cradle-gvi", **changes)
            _, angles = self.completed(f"angles-{h}", "newton-cradle-gvi", system__parameters__coordinates="angles", **changes)
            a = angles["q"][-1]
            x = np.column_stack([0.5 * np.arange(5) + np.sin(a), -np.cos(a)]).ravel()
            apart.append(np.abs(flat["q"][-1] - x).max())
            self.assertEqual(flat["q"].shape, (len(flat["t"]), 10))
            self.assertEqual(angles["q"].shape, (len(angles["t"]), 5))
        self.assertLess(apart[-1], 1e-4)
        for coarse, fine in zip(apart, apart[1:]):
            self.assertAlmostEqual(math.log2(coarse / fine), 2, delta=0.2)

    def test_csv_and_hdf5(self):
        _, rows = self.completed("npz", "newton-cradle-gvi", time__end=2)
        for format in ["csv", "hdf5"]:
            self.succeed("run", "newton-cradle-gvi", "--quiet", "--out", format, *setting(time__end=2, output__format=format))
        with open(self.folder / "csv/trajectory.csv", newline="") as file:
            table = list(csv.DictReader(file))
        self.assertEqual(len(table), len(rows["t"]))
        for i in range(10):
            name = f"{'xy'[i % 2]}{i // 2 + 1}"
            np.testing.assert_array_equal([float(row[name]) for row in table], rows["q"][:, i])
            np.testing.assert_array_equal(rows[name], rows["q"][:, i])
        self.assertTrue((self.folder / "hdf5/trajectory.h5").exists())
        self.assertEqual((self.folder / "hdf5/trajectory.h5").read_bytes()[1:4], b"HDF")

    def test_json_is_the_summary(self):
        out = self.succeed("run", "newton-cradle-gvi", "--json", "--out", "out", *setting(time__end=2)).out
        summary = json.loads(out)
        self.assertEqual(out, (self.folder / "out/summary.json").read_text())
        self.assertEqual((summary["system"], summary["status"], summary["shadow_energy"]),
                         ("newton-cradle", "completed", None))
        self.assertLess(summary["joints"]["max_abs"], 1e-14)

    def test_the_table_says_how_well_joints_hold(self):
        out = self.succeed("run", "newton-cradle-gvi", "--out", "out", *setting(time__end=2)).out
        self.assertRegex(out, r"(?m)^  joints        largest \|f\| \d\.\de-1[5-7]$")
        out = self.succeed("run", "column", "--out", "column", *setting(time__end=0.1)).out
        self.assertNotIn("joints", out)


class RestAndRelease(GviTest):
    def test_a_disc_is_left_where_the_force_turns_around(self):
        for h in [4e-3, 2e-3, 1e-3, 5e-4]:
            summary, rows = self.completed(f"disc-{h}", self.write(DISC), time__step=h)
            off = np.argmax(rows["gaps"][:, 0] > 1e-12)
            self.assertGreater(off, 50)
            expected = 2 / 3 + 0.8**2 / (3 * 9.81)
            speed = np.linalg.norm(rows["p"][off])
            self.assertLess(abs(rows["q"][off, 1] - expected), 2 * speed * h)
            self.assertLessEqual(np.abs(rows["gaps"][:off]).max(), 1e-14)
            self.assertTrue((np.diff(rows["gaps"][off:, 0]) > 0).all(), "it does not come back")
            self.assertEqual(summary["impacts"]["count"], 0)

    def test_a_column_does_not_sink(self):
        for flow in ["svc", "midpoint", "sva"]:
            summary, rows = self.completed(flow, "column", method__flow=flow, system__parameters__balls=30)
            self.assertLessEqual(np.abs(rows["q"] - (np.arange(30) + 0.5)).max(), 1e-12)
            self.assertEqual(summary["impacts"]["count"], 0)
            self.assertLessEqual(abs(summary["gap"]["min"]), 1e-12)

    def test_a_column_that_is_dropped_comes_to_no_harm(self):
        q = [0.6 + i * 1.05 for i in range(10)]
        summary, rows = self.completed("out", "column", initial__q=q, method__energy="shadow", time__end=5)
        self.assertLess(summary["energy"]["max_abs_error"], 1e-2 * rows["H"][0])
        self.assertGreater(summary["gap"]["min"], -2 * np.abs(rows["p"]).max() * 0.001)

    def test_a_wedge(self):
        for angle in [1.0, 0.2, 0.02]:
            text = f'[system]\nname = "wedge"\nparameters = {{ angle = {angle} }}\n[initial]\nq = [0.0, 1.0]\n' \
                   'v = [0.003, 0.0]\n[method]\nstepper = "gvi"\n[time]\nstep = 0.01\nend = 50.0\n'
            summary, rows = self.completed(f"wedge-{angle}", self.write(text))
            self.assertLess(summary["energy"]["max_abs_error"], 1e-11 * rows["H"][0])  # parabolas are exact
            self.assertGreater(summary["gap"]["min"], -np.linalg.norm(rows["p"], axis=1).max() * 0.01)


class Pendulum(GviTest):
    def test_long_runs_keep_the_rod_and_the_energy(self):
        for more in [{}, {"method__stepper": "gvi"}, {"method__flow": "midpoint"}]:
            summary, rows = self.completed("-".join(more) or "plain", "pendulum", time__step=0.01, time__end=1000, **more)
            self.assertLessEqual(summary["joints"]["max_abs"], 1e-13)
            self.assertLess(trend(rows["t"], rows["H"]), 0.1)
            self.assertLess(np.ptp(rows["H"]), 5e-3)
            self.assertLessEqual(np.abs(np.hypot(*rows["q"].T) - 1).max(), 1e-13)


class Direct(GviTest):
    def restitution(self, scheme, shifts=40):
        """Speed at the floor after over before the first contact, for starts spread over what a step moves."""
        found = []
        for k in range(shifts):
            q0 = 1 + k / shifts * 0.01 * math.sqrt(2)
            _, rows = self.run_to("out", self.write(BALL), "--force", *setting(method__scheme=scheme, initial__q=f"[{q0}]"))
            found.append(math.sqrt(max(rows["H"][-1], 0) / rows["H"][0]))
        return found

    def test_figure_1_3_restitution_depends_on_the_phase(self):
        for scheme in ["midpoint", "newmark"]:
            found = self.restitution(scheme)
            self.assertLess(min(found), 0.45, scheme)
            self.assertGreater(max(found), 2.7, scheme)
            self.assertGreaterEqual(min(found), 0.32, scheme)
            self.assertLessEqual(max(found), 3.02, scheme)
        gains = sum(e > 1 for e in self.restitution("midpoint")) / 40
        self.assertAlmostEqual(gains, 0.75, delta=0.05)
        for scheme in ["endpoint", "imex-newmark"]:
            found = self.restitution(scheme)
            self.assertLessEqual(max(found), 1.01, scheme)
            self.assertGreater(max(found), 0.9, scheme)
            self.assertLess(min(found), 0.1, scheme)

    def test_figure_5_1_endpoint_loses_everything(self):
        text = '[system]\nname = "spring-and-sphere"\n[initial]\nq = [4, -3, 3, -4]\np = [0.6, 0.8, 0.8, 0.6]\n' \
               '[method]\nstepper = "direct"\nscheme = "endpoint"\n[time]\nstep = 0.5\nend = 100.0\n'
        summary, rows = self.run_to("out", self.write(text))
        self.assertAlmostEqual(rows["H"][-1], 4.020, delta=6e-4)
        self.assertAlmostEqual(rows["momenta"][-1, 0], 0.138, delta=6e-4)
        self.assertEqual(summary["method"], "direct substitution, endpoint")

    def test_the_label_and_the_order(self):
        for scheme, gamma, order in [("newmark", 0.5, 2), ("newmark", 0.6, 1), ("imex-newmark", 0.5, 2)]:
            summary, _ = self.run_to("out", self.write(BALL), "--force",
                                     *setting(method__scheme=scheme, method__gamma=gamma, method__beta=0.25, time__end=1))
            self.assertEqual((summary["method"], summary["order"]),
                             (f"direct substitution, {scheme} (beta = 0.25, gamma = {gamma})", order))


class NoSolution(GviTest):
    def failed(self, scenario, *options):
        line = self.fail_with(3, "run", scenario, "--out", "out", *options)
        summary, rows = self.read("out")
        self.assertEqual(summary["status"], "failed")
        self.assertIn(summary["reason"], line)
        self.assertTrue(line.endswith("what was computed until then is in out"), line)
        self.assertRegex(line, rf"^step {summary['time']['steps']} from t = [0-9.e-]+: ")
        self.assertRegex(line, r'\(contact "[^()]*", residual (gap rate )?-?[0-9.e+-]+\)')
        for name in "tqpH":
            self.assertTrue(np.isfinite(rows[name]).all(), name)
        self.assertEqual({name: summary["final"][name] for name in "tqvp"}, {name: rows[name][-1].tolist() for name in "tqvp"})
        return line, rows

    def test_antiparallel_contacts_from_the_start(self):
        text = SLOT.replace("q = [0.0, 1.0]", "q = [0.0, 1.0]\nv = [1.0, 0.0]")
        line, rows = self.failed(self.write(text))
        self.assertIn("do not end", line)
        self.assertIn("antiparallel", line)
        self.assertIn('"left", "right"', line)
        self.assertEqual(len(rows["t"]), 1)

    def test_antiparallel_contacts_later(self):
        line, rows = self.failed(self.write(SLOT))
        self.assertIn('contact "left", "right"', line)
        steps = len(rows["t"]) - 1
        self.assertAlmostEqual(steps * 0.01, math.sqrt(2 / 9.81), delta=0.011)
        np.testing.assert_allclose(rows["q"][:, 1], 1 - 9.81 / 2 * rows["t"]**2, atol=1e-12)
        np.testing.assert_allclose(rows["q"][:, 0], 0, atol=1e-12)

    def test_a_step_longer_than_the_radius(self):
        self.completed("fine", self.write(BOWL))
        line, rows = self.failed("my.toml", *setting(time__step=0.5))  # h v = 1.5 on a radius of 1
        self.assertIn("has no solution; reduce the step", line)
        self.assertIn('contact "bowl"', line)
        self.assertEqual(len(rows["t"]), 1)

    def test_it_can_be_compared_with_what_works(self):
        result = self.carom("compare", self.write(SLOT.replace("end = 1.0", "end = 0.3")), "--method", "energy=hamiltonian",
                            "--method", "energy=shadow", "--out", "out", "--json")
        self.assertEqual(result.code, 0, result)
        self.assertEqual([run["status"] for run in json.loads(result.out)["runs"]], ["completed"] * 2)


class Resumed(GviTest):
    def check(self, scenario, *options):
        self.run_to("whole", scenario, *options)
        summary = self.stop_and_resume("parts", scenario, *options)
        self.assertEqual(summary["status"], "completed")
        names = ["trajectory.npz", "impacts.csv", "scenario.toml"]
        if (self.folder / "whole" / "contacts.csv").exists():
            names.append("contacts.csv")
        for name in names:
            self.assertEqual(self.bytes_of("whole", name), self.bytes_of("parts", name), name)
        self.assertEqual(summary["contacts"], self.read("whole")[0]["contacts"])
        return summary

    def test_gvi_with_the_shadow_energy_of_its_start(self):
        summary = self.check("spring-and-sphere", *setting(time__end=4000))
        self.assertGreater(summary["impacts"]["count"], 1500)
        self.assertEqual(summary["contacts"], {"begun": 1, "released": 0, "lasting": ["sphere 2"], "rest": 0.0})

    def test_gvi_with_joints(self):
        self.check("newton-cradle-gvi", *setting(time__end=1000, output__every=100))

    def test_newmark_which_knows_the_forces_of_the_step_before(self):
        self.check(self.write(BALL), *setting(method__scheme="newmark", time__end=20000, output__every=1000))


class CompareAndConverge(GviTest):
    def slopes(self, scenario, *options):
        out = self.succeed("converge", scenario, "--json", "--out", "converged", "--force", *options).out
        return [series["slope"] for series in json.loads(out)["convergence"]["series"]]

    def test_order_of_smooth_motion_with_joints(self):
        steps = ["--step", "0.04,0.02,0.01,0.005,0.0025", *setting(time__end=2)]
        for more in [[], setting(method__stepper="gvi"), setting(method__flow="midpoint")]:
            slope, = self.slopes("pendulum", *steps, *more)
            self.assertAlmostEqual(slope, 2, delta=0.15)
        slope, = self.slopes("newton-cradle-gvi", "--step", "0.04,0.02,0.01,0.005,0.0025", *setting(time__end=0.4))
        self.assertAlmostEqual(slope, 2, delta=0.15)

    def test_order_of_sliding(self):
        slope, = self.slopes("spring-and-sphere-sliding", "--step", "0.2,0.1,0.05,0.025,0.0125", *setting(time__end=10))
        self.assertAlmostEqual(slope, 2, delta=0.2)

    def test_order_through_impacts_is_one(self):
        """Where in its step an impact falls is chance: the errors are h times a number between 0 and 1 each, so they are
        looked at over many steps, and the slope has room."""
        text = BALL.replace('"direct"', '"gvi"')
        exact, _ = self.run_to("exact", self.write(CTEC))
        errors = {}
        for n in [100, 130, 170, 220, 290, 380, 500, 650, 850, 1100, 1400, 1900, 2500, 3200, 4200]:
            summary, _ = self.run_to("out", self.write(text), "--force", *setting(time__step=20 / n, time__end=20))
            errors[20 / n] = abs(summary["final"]["q"][0] - exact["final"]["q"][0])
        h = np.array(list(errors))
        slope = np.polyfit(np.log(h), np.log(list(errors.values())), 1)[0]
        self.assertAlmostEqual(slope, 1, delta=0.35)

    def test_energies_side_by_side(self):
        out = self.succeed("compare", "spring-and-sphere", "--method", "energy=hamiltonian", "--method", "energy=shadow",
                           "--out", "out", "--json").out
        plain, shadow = json.loads(out)["runs"]
        self.assertLess(5 * shadow["energy_error"], plain["energy_error"])
        self.assertIn("energy shadow of order 8", shadow["method"])

    def test_sized_systems_are_compared(self):
        for system in ["newton-cradle-gvi", "column", "pendulum"]:
            out = self.succeed("compare", system, "--method", "flow=svc", "--method", "flow=midpoint", "--out", system,
                               "--json", *setting(time__end=0.5)).out
            self.assertEqual([run["status"] for run in json.loads(out)["runs"]], ["completed"] * 2)

    def test_a_stepper_among_the_keys_replaces_the_whole_method(self):
        out = self.succeed("compare", "newton-cradle-gvi", "--method", "stepper=direct,scheme=newmark", "--method",
                           "stepper=gvi,energy=numerical", "--out", "out", "--json", *setting(time__end=1)).out
        self.assertEqual([run["method"] for run in json.loads(out)["runs"]],
                         ["direct substitution, newmark (beta = 0.25, gamma = 0.5)",
                          "svc, gvi with generalized reflections, energy numerical"])


CTEC = """\
[system]
name = "point-mass"
[method]
name = "ctec"
[time]
step = 0.01
end = 20.0
"""

if __name__ == "__main__":
    main()
