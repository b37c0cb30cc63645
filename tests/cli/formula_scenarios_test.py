#!/usr/bin/env python3
"""The shipped systems in formulas against an independent computation: formula_scenarios.json has their energy and
first impact from symbolic derivatives (sympy) and a Runge-Kutta method of order 8 (scipy), which know nothing of
carom. Scenarios whose contacts last from the start have their energy there only, worked out from the potential; what
becomes of them is in gvi_test.py and contact_test.py. Their systems are also started elsewhere ("start"), where impacts come one by one.

usage: formula_scenarios_test.py PROGRAM SOURCE_DIR
"""

import json
import pathlib
import sys
import tomllib

sys.dont_write_bytecode = True
from support import CaromTest, main, setting

EXPECTED = json.loads((pathlib.Path(__file__).parent / "formula_scenarios.json").read_text())
BUILT_IN = {"pogo-stick": [], "spring-and-sphere": ["angular momentum"], "nonlinear-oscillator": ["angular momentum"],
            "wedge": [], "disc": [], "pendulum": [], "mass-on-cubic": []}  # stated in formulas as well, with their momenta
ACCURATE = setting(method__stepper="event-driven", method__flow="gauss", method__stages=6,
                   method__impact="continuous-energy", method__restitution=1)


class FormulaScenarios(CaromTest):
    def shipped(self):
        files = {path.stem: path for path in sorted((self.source / "scenarios").glob("*.toml"))}
        texts = {name: tomllib.loads(path.read_text()) for name, path in files.items()}
        return {name: text for name, text in texts.items() if text.get("system", {}).get("name") in ["expression", *BUILT_IN]}

    def momenta(self, system):
        return BUILT_IN.get(system["name"], list(system.get("momenta", {})))

    def scenario_of(self, name):
        """The scenario of a row: the shipped one, or its system with the row's own start."""
        start = EXPECTED[name].get("start")
        if not start:
            return name
        lines = [f"{key} = {start[key]}" for key in "qv" if key in start]
        return self.write("\n".join(["[time]", "end = 10.0", "step = 0.005", "[system]", f'name = "{start["system"]}"',
                                     "[initial]", *lines, ""]))

    def test_each_one_is_expected(self):
        self.assertEqual(set(self.shipped()), {name for name, row in EXPECTED.items() if "start" not in row})
        self.assertGreaterEqual(len(EXPECTED), 10)

    def test_energies_at_the_start(self):
        for name, expected in EXPECTED.items():
            with self.subTest(name):
                summary, _ = self.run_to(name, self.scenario_of(name), *setting(time__end=1e-5))
                self.assertAlmostEqual(summary["energy"]["initial"], expected["H0"],
                                       delta=1e-13 * max(1, abs(expected["H0"])))

    def test_energy_and_first_impact(self):
        for name, expected in EXPECTED.items():
            if "first_impact_time" not in expected:
                continue
            with self.subTest(name):
                end = expected["first_impact_time"] + 0.05
                summary, _ = self.run_to(name, self.scenario_of(name), *ACCURATE, *setting(time__end=end))
                self.assertEqual(summary["status"], "completed")
                energy = expected["H0"]
                self.assertLess(abs(summary["energy"]["initial"] - energy), 1e-9 * max(1, abs(energy)))
                self.assertLess(abs(summary["impacts"]["times"][0] - expected["first_impact_time"]), 1e-7)
                self.assertEqual(self.impacts(name)[0]["contact"], expected["contact"])

    def test_energy_stays_where_no_force_acts(self):
        shipped = self.shipped()
        for name, expected in EXPECTED.items():
            if "first_impact_time" not in expected:
                continue
            with self.subTest(name):
                end = expected["first_impact_time"] + 0.5
                summary, _ = self.run_to(name, self.scenario_of(name), *ACCURATE, *setting(time__end=end))
                error = summary["energy"]["max_abs_error"]
                if "force" in shipped.get(name, {"system": {}})["system"]:
                    self.assertGreater(error, 1e-3)
                else:
                    self.assertLess(error, 1e-8 * max(1, abs(EXPECTED[name]["H0"])))

    def test_as_shipped_they_complete_and_keep_their_momenta(self):
        for name, scenario in self.shipped().items():
            with self.subTest(name):
                end = min(scenario["time"].get("end", 10.0), 10.0)
                summary, _ = self.run_to(name, name, *setting(time__end=end))
                self.assertEqual(summary["status"], "completed")
                self.assertEqual(summary["warnings"], [])
                if "first_impact_time" in EXPECTED[name]:
                    self.assertGreater(summary["impacts"]["count"], 0)
                stated = self.momenta(scenario["system"])
                self.assertEqual([momentum["name"] for momentum in summary["momenta"]], stated)
                for momentum in summary["momenta"]:
                    self.assertLess(momentum["max_abs_error"], 1e-10, momentum)

    def test_drawings_name_their_points(self):
        for name, scenario in self.shipped().items():
            draw = scenario.get("draw", {})
            points = set(draw.get("points", {}))
            named = {row[0] for key in ["circles", "boxes"] for row in draw.get(key, [])}
            named |= {point for key in ["lines", "polygons"] for row in draw.get(key, []) for point in row}
            self.assertLessEqual(named | set(draw.get("trails", [])), points, name)


class DoublePendulum(CaromTest):
    """The one in formulas is the built-in one."""

    def test_it_has_fifteen_lines(self):
        text = (self.source / "scenarios/double-pendulum-in-formulas.toml").read_text()
        self.assertLessEqual(text.count("\n"), 15)

    def test_the_same_motion(self):
        for flow in ["svc", "yoshida4"]:
            options = setting(method__flow=flow, method__impact="continuous-energy")
            own, _ = self.run_to(f"own-{flow}", "double-pendulum-in-formulas", *options)
            built_in, _ = self.run_to(f"built-in-{flow}", "double-pendulum", *options)
            for a, b in [(own["impacts"]["times"], built_in["impacts"]["times"]),
                         (own["final"]["q"], built_in["final"]["q"]), (own["final"]["p"], built_in["final"]["p"])]:
                self.assertEqual(len(a), len(b))
                for x, y in zip(a, b):
                    self.assertAlmostEqual(x, y, delta=1e-7)


if __name__ == "__main__":
    main()
