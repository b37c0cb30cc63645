#!/usr/bin/env python3
"""What a run says of its energy: where it leaves all bounds, errs by more than a percent, overflows, or is lost at
impacts; and what its method is, in plain words.

usage: energy_words_test.py PROGRAM SOURCE_DIR
"""

import itertools
import json
import re

from support import CART, CaromTest, main, setting

# omega h = h sqrt(k).
SPRING = """\
[system]
name = "expression"
coordinates = ["x"]
parameters = {{ k = {k}, m = {m}, c = {c} }}
lagrangian = "0.5*m*x'^2 - 0.5*m*k*x^2 - c"
{more}
[initial]
q = [1.0]
[time]
step = {h}
end = {end}
"""
WALL = 'gaps = { w = "x + 0.5" }'


def spring(k=1.0, h=0.01, steps=100, more="", m=1.0, c=0.0):
    return SPRING.format(k=float(k), h=float(h), end=float(steps * h), more=more, m=float(m), c=float(c))


class EnergyWords(CaromTest):
    def run_it(self, scenario, *words, out="out"):
        result = self.carom("run", self.write(scenario), "--out", out, "--force", "--json", *words)
        return result, json.loads(result.out)

    def warned(self, scenario, *words):
        result, summary = self.run_it(scenario, *words)
        self.assertEqual((result.code, summary["status"]), (0, "completed"), result.err)
        return summary["warnings"]

    def test_a_step_beyond_stability_is_named_with_one_that_would_do(self):
        for flow, limit in [("svc", 2), ("sva", 2), ("svb", 2), ("se1", 2), ("yoshida4", 1.57)]:
            for unit in [1e-9, 1, 1e9]:
                omega_h = 1.02 * limit
                scenario = spring(k=(omega_h / 0.01 / unit) ** 2, h=0.01 * unit)
                warnings = self.warned(scenario, *setting(method__flow=flow))
                self.assertEqual(len(warnings), 1, (flow, warnings))
                self.assertIn("left all bounds", warnings[0])
                self.assertIn(f"is beyond the limit {limit} of {flow}", warnings[0])
                better = float(re.search(r"and time.step = (\S+) would do", warnings[0])[1])
                self.assertEqual(self.warned(scenario, *setting(method__flow=flow, time__step=better)), [])

    def test_a_constant_in_v_and_the_unit_of_mass_change_nothing(self):
        for m, c in itertools.product([1e-12, 1, 1e12], [0, 1e3, -1e3]):
            self.assertEqual(len(self.warned(spring(k=4.1e4, m=m, c=c * m))), 1)
            self.assertEqual(self.warned(spring(k=1, m=m, c=c * m)), [])

    def test_all_steppers_notice(self):
        for words in [dict(method__stepper="contact", method__impact="continuous-energy"), dict(method__stepper="gvi"),
                      dict(method__stepper="dae-euler"), dict(method__impact="continuous-energy"), {}]:
            result, summary = self.run_it(spring(k=5e4, steps=12, more=WALL), *setting(**words))
            self.assertTrue(summary["warnings"] or summary["status"] == "failed", words)

    def test_what_looks_on_hides_nothing(self):
        for words in [{}, dict(method__stepper="contact"), dict(method__stepper="dae-euler"), dict(method__stepper="gvi")]:
            for k, word in [(3.9e4, "energy errs by"), (4.1e4, "left all bounds"), (1, None)]:
                alone = self.warned(spring(k=k, steps=30), *setting(**words))
                scenario = spring(k=k, steps=30).replace('["x"]', '["x", "y"]').replace("q = [1.0]", "q = [1.0, 0.0]\nv = [0.0, 1e3]")
                beside = self.warned(scenario.replace("- c\"", "- c + 0.5e10*y'^2 - 1e10*y\""), *setting(**words))
                self.assertEqual((len(alone), len(beside)), (1, 1) if word else (0, 0), (words, k, alone, beside))
                if word:
                    self.assertTrue(word in alone[0] and word in beside[0], (words, k, alone, beside))

    def test_implicit_flows_have_no_limit(self):
        for words in [dict(method__flow="midpoint"), dict(method__flow="gauss"), dict(method__stepper="direct")]:
            self.assertFalse(any("limit" in w for w in self.warned(spring(k=4.1e4), *setting(**words))))

    def test_numbers_of_no_world_end_the_run(self):
        for more, words in [("", {}), (WALL, dict(method__stepper="contact", method__impact="continuous-energy")),
                            (WALL, dict(method__stepper="dae-euler")), ("", dict(method__stepper="gvi"))]:
            result, summary = self.run_it(spring(k=1e8, steps=1000, more=more), *setting(**words))
            self.assertEqual((result.code, summary["status"]), (3, "failed"), words)
            self.assertTrue(summary["reason"].startswith("step "), summary["reason"])

    def test_at_rest_beyond_the_limit(self):
        warnings = self.warned(spring(k=4.1e4).replace("q = [1.0]", "q = [0.0]"))
        self.assertEqual(len(warnings), 1)
        self.assertIn("where the run starts", warnings[0])

    def test_no_null_in_the_energy_of_what_completed(self):
        flows = ["se1", "svc", "svb", "yoshida4", "midpoint", "gauss"]
        for flow, k, more in itertools.product(flows, [0, 1, 1e4, 1e5, 1e8, 1e20], ["", WALL]):
            result, summary = self.run_it(spring(k=k, steps=60, more=more), *setting(method__flow=flow))
            if summary["status"] == "completed":
                self.assertNotIn(None, summary["energy"].values(), (flow, k))
                self.assertNotIn("null", json.dumps(summary["final"]))
            else:
                self.assertEqual(result.code, 3)

    def test_above_a_percent_a_better_step_is_named(self):
        for flow, h in [("se1", 0.05), ("svc", 0.4), ("yoshida4", 0.9)]:
            warnings = self.warned(spring(h=h, steps=200), *setting(method__flow=flow))
            self.assertEqual(len(warnings), 1, (flow, warnings))
            self.assertRegex(warnings[0], r"the energy errs by [0-9.]+% of what the run exchanges")
            self.assertIn("method.tolerance = 1e-8", warnings[0])
            step = re.search(r"time.step = (\S+) or", warnings[0])[1]
            self.assertEqual(self.warned(spring(h=h, steps=200), *setting(method__flow=flow, time__step=step)), [])
            self.assertEqual(self.warned(spring(h=h, steps=200), *setting(method__tolerance=1e-8)), [])

    def test_a_free_coordinate_hides_nothing(self):
        two = (spring(h=0.4, steps=200).replace('["x"]', '["x", "y"]').replace("- c\"", "- c + 0.5*y'^2\"")
               .replace("q = [1.0]", "q = [1.0, 0.0]\nv = [0.0, 1e3]"))
        self.assertEqual(len(self.warned(two)), 1)

    # Damped, or with a wall that takes a tenth: what forces and impacts take is known by units, too.
    def test_nor_where_forces_and_walls_take_energy(self):
        damped, wall = 'force = ["-0.01*x\'"]', WALL
        for more, words, h in [(damped, {}, 0.6), (wall, dict(method__restitution=0.95), 0.6), (damped, {}, 1.9),
                               (wall, dict(method__restitution=0.95, method__stepper="contact"), 0.6),
                               (damped, dict(method__stepper="contact"), 0.6)]:
            alone = self.warned(spring(h=h, steps=100, more=more), *setting(**words))
            self.assertTrue(any("energy errs by" in word for word in alone), (more, words, alone))
            for mass, speed in [(1, 1), (1, 1e4), (1e6, 1e3), (1e12, 1e3)]:
                two = (spring(h=h, steps=100, more=more.replace("*x'\"]", "*x'\", \"0\"]")).replace('["x"]', '["x", "y"]')
                       .replace("- c\"", f"- c + 0.5*{float(mass)}*y'^2\"").replace("q = [1.0]", f"q = [1.0, 0.0]\nv = [0.0, {speed}]"))
                beside = self.warned(two, *setting(**words))
                self.assertTrue(any("energy errs by" in word for word in beside), (more, words, mass, speed, beside))
        # And nothing is said where nothing errs, of what is pushed neither, nor of two that are.
        for force in ['["-0.01*x\'", "0"]', '["-0.01*x\'", "-0.3*y\' + sin(t)"]', '["0", "if(t > 1, y\', 0)"]']:
            two = (spring(h=0.01, steps=300, more=f"force = {force}").replace('["x"]', '["x", "y"]')
                   .replace("- c\"", "- c + 0.5*y'^2\"").replace("q = [1.0]", "q = [1.0, 0.0]\nv = [0.0, 3.0]"))
            self.assertEqual(self.warned(two), [], force)

    def test_what_impacts_take_is_no_error(self):
        for words in [dict(method__restitution=0.5), dict(method__restitution=0.5, method__stepper="contact")]:
            result = self.carom("run", self.write(CART), "--out", "out", "--force", *setting(time__end=2, **words))
            self.assertEqual(result.code, 0, result.err)
            line = re.search(r"  energy .*", result.out)[0]
            summary = json.loads(self.bytes_of("out", "summary.json"))
            self.assertEqual(summary["warnings"], [])
            self.assertIn(f"{summary['energy']['loss']:.6g} lost at impacts, error of the balance", line)
            self.assertIn(summary["energy"]["in_words"], line)
            self.assertNotIn("largest error", line)
        line = re.search(r"  energy .*", self.carom("run", "my.toml", "--out", "elastic").out)[0]
        self.assertIn("largest error", line)

    def test_the_method_in_plain_words(self):
        for words, expected in [({}, "a second-order variational integrator (Stormer-Verlet) that keeps the energy which its "
                                     "own steps conserve, through impacts too"),
                                (dict(method__tolerance=1e-8), "Gauss collocation, its steps chosen for an error of "
                                                               "1e-08 at the end, that keeps H at each impact"),
                                (dict(method__stepper="direct"), "a baseline, which loses energy")]:
            scenario = spring(more=WALL, h=0.01)
            _, summary = self.run_it(scenario, *setting(**words))
            self.assertIn(expected, summary["method_in_words"])
            self.assertIn(expected, self.carom("run", "my.toml", "--out", "out", "--force", *setting(**words)).out)

    def test_shipped_scenarios_have_nothing_to_warn_of(self):
        for name in ["double-pendulum", "cart-pendulum", "billiard", "star", "demo"]:
            self.succeed("run", name, "--out", name, "--quiet")


if __name__ == "__main__":
    main()
