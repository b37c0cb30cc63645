#!/usr/bin/env python3
"""Runs: every shipped scenario, what is in a run's folder, and what is said where.

usage: run_test.py PROGRAM SOURCE_DIR
"""

import json
import re
import sys
import tomllib

import numpy as np

sys.dont_write_bytecode = True
from support import CART, SANITIZED, SCENARIO, CaromTest, main, setting

# The sanitizers see shorter ones of the same kinds.
LONG = {"box-of-discs", "demo", "dominoes", "galton-board", "wrecking-ball"} if SANITIZED else set()
JOINED = {"dae-exponential", "pendulum", "newton-cradle", "newton-cradle-gvi", "lennard-jones-chain", "cradle-on-strings",
          "wrecking-ball", "spinning-top", "t-handle"}
FLOW_ORDERS = {"se1": 1, "se2": 1, "midpoint": 2, "gamma": 2, "svc": 2, "sva": 2, "svb": 2, "yoshida4": 4,
               "suzuki4": 4, "kahan-li6": 6, "kahan-li8": 8, "gauss": 8}

# Every field that summary.json promises, down to the second level.
FIELDS = {
    "schema_version": None, "status": None, "reason": None, "warnings": None, "system": None, "method": None,
    "version": None, "git": None, "seed": None, "momenta": None, "shadow_energy": None, "joints": None,
    "time": {"start", "end", "step", "steps"},
    "final": {"t", "q", "p"},
    "impacts": {"count", "times"},
    "energy": {"initial", "final", "max_abs_error", "drift_per_time"},
    "gap": {"min"},
    "cost": {"wall_seconds", "steps_per_second", "newton_iterations", "impact_solves", "fallbacks"},
}


def shipped():
    return sorted(path.stem for path in (CaromTest.source / "scenarios").glob("*.toml"))


class ShippedScenarios(CaromTest):
    def test_every_built_in_system_has_one_of_its_name(self):
        systems = {system["name"] for system in json.loads(self.succeed("list", "systems", "--json").out)}
        self.assertLessEqual(systems | {"demo"}, set(shipped()))

    def test_each_runs_and_fills_its_folder(self):
        for name in sorted(set(shipped()) - LONG):
            with self.subTest(name):
                summary, rows = self.run_to(name, name)
                self.assertEqual((summary["status"], summary["reason"]), ("completed", None))
                self.check_summary(summary)
                self.check_rows(name, summary, rows)
                self.check_impacts(name, summary, rows)
                self.assertLess((self.folder / name / "report.html").stat().st_size, 3_000_000)

    def check_summary(self, summary):
        for field, inner in FIELDS.items():
            self.assertIn(field, summary)
            if inner:
                self.assertLessEqual(inner, set(summary[field]), field)
        for momentum in summary["momenta"]:
            self.assertEqual(set(momentum), {"name", "initial", "max_abs_error"})
        self.assertEqual(summary["schema_version"], 1)
        self.assertEqual(summary["warnings"], [])
        self.assertGreater(summary["cost"]["steps_per_second"], 0)

    def check_rows(self, name, summary, rows):
        n, dof = len(rows["t"]), len(summary["final"]["q"])
        shapes = {"t": (n,), "q": (n, dof), "v": (n, dof), "p": (n, dof), "H": (n,), "shadow_energy": (n,),
                  "discrete_energy": (n,), "work": (n,), "loss": (n,),
                  "momenta": (n, len(summary["momenta"])), "gaps": (n, rows["gaps"].shape[-1])}
        dae = ", dae-euler " in summary["method"]
        if dae:
            shapes["multipliers"] = (n, rows["multipliers"].shape[-1])
        scenario = (self.folder / name / "scenario.toml").read_text()
        if "mu = " in scenario or "friction = " in scenario or summary["energy"]["friction"] != 0:
            shapes["friction"] = (n,)
        if dae or ", lasting contact" in summary["method"] or ", gvi " in summary["method"]:
            shapes["forces"] = shapes["gaps"]
        if ", lasting contact, friction" in summary["method"]:
            shapes["friction_forces"] = shapes["slips"] = shapes["gaps"]
        shapes |= {name: (n,) for name in summary["final"]["coordinates"] if name not in shapes}
        self.assertEqual({name: array.shape for name, array in rows.items()}, shapes)
        for name, array in rows.items():
            self.assertEqual(array.dtype, np.dtype("<f8"), name)
            self.assertTrue(array.flags.c_contiguous, name)
            finite = array[1:] if name == "discrete_energy" else array  # no step led to the start
            if name == "discrete_energy" and ", lasting contact" in summary["method"]:
                finite = array[~np.isnan(array)]  # a step with events has none
                self.assertGreater(len(finite), n / 2)
            if (name == "shadow_energy" and summary["shadow_energy"] is None  # forces leave none, and DAEs
                    or name == "discrete_energy" and dae
                    or name == "H" and summary["energy"]["initial"] is None):
                self.assertTrue(np.isnan(array).all(), name)
            else:
                self.assertTrue(np.isfinite(finite).all(), name)
        self.assertTrue(np.isnan(rows["discrete_energy"][0]))

    def check_impacts(self, name, summary, table):
        rows = self.impacts(name)
        gvi = ", gvi " in summary["method"]
        contact = ", lasting contact" in summary["method"] or ", dae-euler" in summary["method"]
        times = [row["time"] for row in rows]
        header = (self.folder / name / "impacts.csv").read_text().partition("\n")[0].split(",")
        coordinates = list(summary["final"]["coordinates"])
        self.assertEqual(header, ["time", "step", "contact", *[own if own != "q" else "q.q" for own in coordinates],
                                  *[f"{column}.{own}" for column in ["p_before", "p_after"] for own in coordinates],
                                  "impulse", "gap_rate_before", "gap_rate_after"])
        self.assertEqual((summary["impacts"]["count"], summary["impacts"]["times"]), (len(rows), times))
        self.assertEqual(times, sorted(times if contact else set(times)))  # one impact may bring the next, at once
        step = summary["time"]["step"]
        if summary["gap"]["min"] is None:
            self.assertIn(name, ["cart-pole", "pendulum", "dae-exponential", "spinning-top", "t-handle"])  # which have no contacts
        elif gvi:  # finds no instant of impact, and passes a contact by what a step moves its bodies
            self.assertGreaterEqual(summary["gap"]["min"], -self.fastest_approach(table) * step - 1e-12)
        else:
            self.assertGreater(summary["gap"]["min"], -1e-12)
        if summary["joints"] is not None:
            self.assertLessEqual(summary["joints"]["max_abs"], 1e-12)
        self.assertEqual(summary["joints"] is not None, name in JOINED)
        self.assertEqual(summary["cost"]["fallbacks"], 0)
        for row, following in zip(rows, [*rows[1:], {}]):
            self.assertTrue(row["contact"])
            before, after = ([row[f"{column}.{own}"] for own in coordinates] for column in ["p_before", "p_after"])
            self.assertAlmostEqual(np.linalg.norm(np.subtract(after, before)), row["impulse"], delta=1e-12 * row["impulse"])
            if (gvi or contact) and " + " in row["contact"]:  # the rates are those of the first, which may be hit from behind
                self.assertLess(row["gap_rate_before"], 1e-9)
                if row["time"] != following.get("time"):
                    self.assertGreater(row["gap_rate_after"], -1e-9)
            else:
                self.assertLess(row["gap_rate_before"], 0)
                self.assertGreater(row["gap_rate_after"], -1e-15 if contact else 0)  # the others know no rest
            self.assertTrue((row["step"] - 1) * step <= row["time"] <= row["step"] * step)
        if "restitution" not in summary["method"]:
            if gvi:  # steps as large as the paper's
                self.assertLess(summary["energy"]["max_abs_error"], 3e-2 * abs(summary["energy"]["initial"]))
            elif summary["shadow_energy"] is not None:  # no forces
                self.assertLess(summary["energy"]["max_abs_error"], 3e-3 * abs(summary["energy"]["initial"]))

    def fastest_approach(self, table):
        """Two bodies at the largest speed of any coordinate; all masses of the shipped gvi scenarios are 1."""
        return 2 * np.sqrt(3) * np.abs(table["p"]).max()

    def test_what_the_scenarios_say(self):
        wanted = {name: tomllib.loads((self.source / "scenarios" / f"{name}.toml").read_text())["time"].get("impacts")
                  for name in shipped()}
        names = {name for name, count in wanted.items() if count} - LONG
        names |= {"double-pendulum", "bouncing-with-loss", "double-pendulum-free", "star", "billiard"}
        scenario = {name: (self.run_to(name, name)[0], self.impacts(name)) for name in names}
        for name in names:
            summary = scenario[name][0]
            if wanted[name]:  # it ends at the first grid point by which so many have happened
                self.assertGreaterEqual(summary["impacts"]["count"], wanted[name])
                last = summary["time"]["steps"]
                self.assertLess(sum(row["step"] < last for row in scenario[name][1]), wanted[name])
        np.testing.assert_allclose(scenario["double-pendulum"][0]["impacts"]["times"], [0.9186, 2.3675, 3.8161], rtol=2e-4)
        for row in scenario["bouncing-with-loss"][1]:
            self.assertAlmostEqual(row["gap_rate_after"], -0.8 * row["gap_rate_before"], delta=2e-3 * abs(row["gap_rate_before"]))
        self.assertEqual(scenario["double-pendulum-free"][0]["impacts"], {"count": 0, "times": []})
        self.assertEqual({row["contact"] for row in scenario["star"][1]}, {f"vertex {i}" for i in range(1, 5)})
        self.assertLess(scenario["billiard"][0]["momenta"][0]["max_abs_error"], 1e-11)

    def test_the_exact_one_is(self):
        golden = json.loads((self.source / "tests/golden/cart_pendulum.json").read_text())["cases"]["4.2"]
        exact = next(state for state in golden["states"] if state["t"] == 5)
        summary, _ = self.run_to("out", "cart-pendulum-exact")
        for name in "qp":
            np.testing.assert_allclose(summary["final"][name], exact[name], rtol=0, atol=1e-11)
        np.testing.assert_allclose(summary["impacts"]["times"], [impact["t"] for impact in golden["impacts"]],
                                   rtol=0, atol=1e-12)
        for row, impact in zip(self.impacts("out"), golden["impacts"]):
            self.assertEqual(row["contact"], "floor")
            for column, exact in [("", "q"), ("p_before.", "p_minus"), ("p_after.", "p_plus")]:
                np.testing.assert_allclose([row[column + "y"], row[column + "θ"]], impact[exact], rtol=0, atol=1e-11)
            self.assertAlmostEqual(row["gap_rate_before"], impact["phidot_minus"], delta=1e-11)
            self.assertAlmostEqual(row["gap_rate_after"], -impact["phidot_minus"], delta=1e-11)

    def test_a_path_is_as_good_as_a_name(self):
        self.run_to("by-name", "star")
        self.run_to("by-path", self.source / "scenarios" / "star.toml")
        self.assertEqual(self.bytes_of("by-name"), self.bytes_of("by-path"))


class Impacts(CaromTest):
    """Every impact law from the command line, on the cart-pendulum: three bounces until t = 5."""

    EXACT = [0.849493727597625, 2.543754796260111, 4.304590917139643]

    def bounce(self, out="out", **changes):
        summary, rows = self.run_to(out, self.write(CART), "--force", *setting(**changes))
        self.assertEqual((summary["cost"]["fallbacks"], summary["warnings"]), (0, []))
        return summary, rows

    def test_every_law_and_short_name(self):
        finals = {}
        for name, label in [("continuous-energy", "svc, continuous-energy"), ("discrete-energy", "svc, discrete-energy"),
                            ("modified-energy", "svc, modified-energy of order 3 (gauss)"),
                            ("stable-energy", "svc, stable-energy of order 3"),
                            ("shadow", "svc, shadow of order 8 (composition)"),
                            ("cva", "svc, continuous-energy"), ("ctec", "svc, continuous-energy"),
                            ("vci", "svc, discrete-energy"), ("dtec", "svc, discrete-energy"),
                            ("mcva", "sva, modified-energy of order 4 (gauss)"),
                            ("mcva-a", "sva, modified-energy of order 4 (gauss)"),
                            ("mcva-c", "svc, modified-energy of order 3 (gauss)"),
                            ("mhc", "svc, stable-energy of order 3"), ("svb", "svb, shadow of order 8 (composition)"),
                            ("gauss", "gauss with 4 stages, continuous-energy")]:
            with self.subTest(name):
                summary, rows = self.bounce(name, method__name=name)
                self.assertEqual(summary["method"], label)
                np.testing.assert_allclose(summary["impacts"]["times"], self.EXACT, rtol=0, atol=0.01)
                self.assertLess(summary["energy"]["max_abs_error"], 0.05)
                mirrored = label == "svc, continuous-energy"  # a reflection keeps H by itself
                self.assertEqual(summary["cost"]["impact_solves"] == 0, mirrored)
                self.assertEqual(finals.setdefault(label, summary["final"]), summary["final"])
        self.assertEqual(len({str(final) for final in finals.values()}), len(finals), "laws differ from each other")

    def test_options_of_the_laws(self):
        for changes, label in [
                ({"method__impact": "modified-energy", "method__fraction": "flow"}, "modified-energy of order 3 (flow)"),
                ({"method__impact": "modified-energy", "method__order": 2}, "modified-energy of order 2 (gauss)"),
                ({"method__impact": "modified-energy", "method__flow": "midpoint"}, "modified-energy of order 4 (gauss)"),
                ({"method__impact": "stable-energy", "method__window": 3}, "stable-energy of order 3"),
                ({"method__order": 16}, "shadow of order 16 (composition)"),
                ({"method__fraction": "polynomial"}, "shadow of order 8 (polynomial)"),
                ({"method__flow": "yoshida4"}, "yoshida4 on sva, shadow of order 8 (composition)"),
                ({"method__reflection": "generalized"}, "shadow of order 8 (composition)")]:
            with self.subTest(changes):
                summary, _ = self.bounce(**changes)
                self.assertTrue(summary["method"].endswith(label), summary["method"])
                np.testing.assert_allclose(summary["impacts"]["times"], self.EXACT, rtol=0, atol=0.01)

    def test_the_shadow_energy_of_the_summary(self):
        for order, error in [(6, 1e-5), (8, 1e-6), (12, 1e-9)]:
            shadow = self.bounce(method__order=order)[0]["shadow_energy"]
            self.assertEqual(shadow["order"], order)
            self.assertAlmostEqual(shadow["initial"], 49.411283, delta=1e-5)
            self.assertLess(shadow["max_abs_error"], error)
        smooth = self.bounce(method__stepper="smooth", time__end=0.5)[0]["shadow_energy"]
        self.assertLess(smooth["max_abs_error"], 1e-6)
        other = self.bounce(method__name="cva")[0]["shadow_energy"]  # keeps H at impacts, and loses this
        self.assertGreater(other["max_abs_error"], 1e-3)

    def test_restitution(self):
        for law, close in [("continuous-energy", 1e-3), ("stable-energy", 1e-3), ("shadow", 1e-3),
                           ("discrete-energy", 2e-2)]:
            for e in [0.9, 0.5]:
                with self.subTest(law=law, e=e):
                    summary, rows = self.bounce(method__impact=law, method__restitution=e, time__end=1.9)
                    self.assertIn(f"restitution {e}", summary["method"])
                    first = self.impacts("out")[0]
                    self.assertAlmostEqual(first["gap_rate_after"] / -first["gap_rate_before"], e, delta=close)
                    lost = 0.5 * first["impulse"] * (1 - e) * -first["gap_rate_before"]
                    self.assertAlmostEqual(rows["H"][84] - rows["H"][85], lost, delta=0.01 + close * rows["H"][0])

    def test_stopping_after_some_impacts(self):
        for impacts, steps in [(1, 85), (2, 255), (3, 431)]:
            summary, rows = self.bounce(time__impacts=impacts, time__end=100, output__every=1000)
            self.assertEqual((summary["status"], summary["reason"]), ("completed", None))
            self.assertEqual((summary["impacts"]["count"], summary["time"]["steps"]), (impacts, steps))
            np.testing.assert_array_equal(rows["t"], [0, steps * 0.01])
        summary, _ = self.bounce(time__impacts=7)  # the end comes first
        self.assertEqual((summary["status"], summary["impacts"]["count"], summary["time"]["end"]), ("completed", 3, 5))

    def test_impacts_happen_inside_steps_and_only_there(self):
        fine = self.bounce("fine", time__step=0.001, method__name="gauss")[0]["impacts"]["times"]
        coarse = self.bounce("coarse", time__step=0.05, method__name="gauss", method__stages=8)[0]["impacts"]["times"]
        np.testing.assert_allclose(fine, coarse, rtol=0, atol=1e-10)

    def test_from_a_later_start(self):
        now = self.bounce("now")[0]["impacts"]["times"]
        later = self.bounce("later", time__start=100, time__end=105)[0]["impacts"]["times"]
        np.testing.assert_allclose(np.subtract(later, 100), now, rtol=0, atol=1e-11)

    def test_two_runs_are_equal(self):
        self.bounce("first", method__restitution=0.9)
        self.run_to("again", "first/scenario.toml")
        for name in ["trajectory.npz", "impacts.csv", "scenario.toml"]:
            self.assertEqual(self.bytes_of("first", name), self.bytes_of("again", name), name)


class Rows(CaromTest):
    """Which grid points are kept, and that they say what the summary says."""

    def test_every_so_many_and_always_the_last(self):
        for end, every, kept in [(0.1, 1, list(range(11))), (0.1, 5, [0, 5, 10]), (0.1, 3, [0, 3, 6, 9, 10]),
                                 (0.1, 100, [0, 10]), (0.004, 7, [0, 1]), (0.109, 4, [0, 4, 8, 11])]:
            with self.subTest(end=end, every=every):
                scenario = self.write(SCENARIO.replace("end = 0.1", f"start = 2.5\nend = {2.5 + end}"))
                summary, rows = self.run_to("out", scenario, "--force", "--set", f"output.every={every}")
                np.testing.assert_array_equal(rows["t"], np.minimum(2.5 + np.array(kept) * 0.01, 2.5 + end))
                self.assertEqual(summary["time"], {"start": 2.5, "end": rows["t"][-1], "step": 0.01,
                                                   "steps": kept[-1]})
                self.check_final(summary, rows)

    def check_final(self, summary, rows):
        final = summary["final"]
        self.assertEqual(final["t"], rows["t"][-1])
        self.assertEqual(final["q"], rows["q"][-1].tolist())
        self.assertEqual(final["p"], rows["p"][-1].tolist())
        self.assertEqual(summary["energy"]["final"], rows["H"][-1])

    def test_the_rows_kept_do_not_change_the_run(self):
        long = ["--set", "time.end=5"]
        _, fine = self.run_to("fine", self.write(SCENARIO), *long)
        summary, coarse = self.run_to("coarse", self.write(SCENARIO), *long, "--set", "output.every=20")
        for name in fine:
            if name == "shadow_energy":  # from iterates that are shared between rows, or not
                np.testing.assert_allclose(coarse[name], fine[name][::20], rtol=1e-13, err_msg=name)
            else:
                np.testing.assert_array_equal(coarse[name], fine[name][::20], name)
        self.assertEqual(summary["energy"]["max_abs_error"], np.abs(fine["H"] - fine["H"][0]).max())
        self.assertEqual(summary["gap"]["min"], fine["gaps"].min())
        slope = np.polyfit(fine["t"], fine["H"], 1)[0]
        self.assertAlmostEqual(summary["energy"]["drift_per_time"], slope, delta=1e-9 * np.ptp(fine["H"]))

    def test_momenta(self):
        summary, rows = self.run_to("out", "particle")
        self.assertEqual([momentum["name"] for momentum in summary["momenta"]], ["horizontal momentum"])
        np.testing.assert_array_equal(rows["momenta"], rows["p"][:, :1])
        self.assertEqual(summary["momenta"][0]["initial"], -2)
        self.assertEqual(summary["momenta"][0]["max_abs_error"], np.abs(rows["p"][:, 0] + 2).max())

    def test_the_numbers_are_those_of_a_thrown_mass(self):
        # q = 1 + t - t²/2, which svc meets exactly
        _, rows = self.run_to("out", "point-mass", *setting(initial__v="[1]", time__end=2.5))
        t, q, p = rows["t"], rows["q"][:, 0], rows["p"][:, 0]
        np.testing.assert_allclose(q, 1 + t - t**2 / 2, atol=1e-13)
        np.testing.assert_allclose(p, 1 - t, atol=1e-13)
        np.testing.assert_allclose(rows["H"], p**2 / 2 + q, atol=1e-15)
        np.testing.assert_array_equal(rows["gaps"][:, 0], q)

    def test_the_numbers_are_those_of_a_bouncing_mass(self):
        summary, rows = self.run_to("out", "point-mass")
        first = np.sqrt(2)
        since = (rows["t"] + first) % (2 * first)  # an impact
        np.testing.assert_allclose(rows["q"][:, 0], first * since - since**2 / 2, atol=1e-12)
        np.testing.assert_allclose(summary["impacts"]["times"], first * np.arange(1, 15, 2), atol=1e-12)

    def test_the_last_state_where_time_is_coarser_than_the_step(self):
        # At t = 1e17 neighbouring doubles are 16 apart: many grid points share a time. Refusing is fine as well.
        result = self.carom("run", "point-mass", "--out", "out", "--json", "--set", "initial.v=[100]", "--set",
                            "time.start=1e17", "--set", "time.end=100000000000000032", "--set", "time.step=1")
        if result.code != 2:
            summary = json.loads(result.out)
            self.assertEqual(summary["final"]["p"], [100 - summary["time"]["steps"]])


class Rest(CaromTest):
    """The most natural start of all: q alone is given, and nothing moves yet."""

    rough = True

    def test_every_flow_starts_from_rest(self):
        for flow in FLOW_ORDERS:
            for system, q in [("double-pendulum", [2, 0.5]), ("double-pendulum", [0.3, 0.2]),
                              ("double-pendulum", [3, -2]), ("cart-pendulum", [4.2, 0.5])]:
                wall = setting(system__parameters__wall=-3) if system == "double-pendulum" else []
                scenario = self.write(f'[system]\nname = "{system}"\n[initial]\nq = {q}\n[time]\nend = 0.2\n')
                for step in [0.1, 0.01, 0.001]:
                    with self.subTest(flow=flow, system=system, q=q, step=step):
                        _, rows = self.run_to("out", scenario, "--force", "--set", f"method.flow={flow}",
                                              *setting(method__stepper="smooth", time__step=step), *wall)
                        self.assertEqual(rows["p"][0].tolist(), [0, 0])
                        self.assertTrue(rows["p"][-1].all(), "it falls")


class Reproduction(CaromTest):
    rough = True

    def test_scenario_toml_gives_the_same_bytes(self):
        changes = ["method.flow=yoshida4", "method.base=midpoint", "method.impact=continuous-energy", "time.step=0.010000000000000002",
                   "initial.q.0=0.1", "initial.q.1=1e-300", 'title="a \\"b\\" θ\\n"', "system.parameters.L1=1.1",
                   "output.every=3"]
        self.run_to("first", self.write(SCENARIO), *[word for change in changes for word in ("--set", change)])
        self.run_to("again", "first/scenario.toml")
        for name in ["trajectory.npz", "scenario.toml"]:
            self.assertEqual(self.bytes_of("first", name), self.bytes_of("again", name), name)

    def test_two_runs_of_every_flow_are_equal(self):
        for flow, order in FLOW_ORDERS.items():
            with self.subTest(flow):
                summary, _ = self.run_to(f"{flow}-1", self.write(SCENARIO), "--set", f"method.flow={flow}")
                self.run_to(f"{flow}-2", self.write(SCENARIO), "--set", f"method.name={flow}",
                            "--set", f"method.flow={flow}")
                self.assertEqual(self.bytes_of(f"{flow}-1"), self.bytes_of(f"{flow}-2"))
                self.assertEqual(summary["order"], order)
                self.assertTrue(summary["method"].startswith(flow))

    def test_flows_differ_from_each_other(self):
        runs = {}
        for flow in FLOW_ORDERS:
            options = ["--set", "method.gamma=0.3"] if flow == "gamma" else []
            self.run_to(flow, self.write(SCENARIO), "--set", f"method.flow={flow}", *options)
            runs[self.bytes_of(flow)] = flow
        self.assertEqual(set(runs.values()), set(FLOW_ORDERS))


class Options(CaromTest):
    def test_set(self):
        summary, rows = self.run_to("out", self.write(SCENARIO), "--set", "method.flow=gauss",
                                    "--set", "method.stages=2", "--set", "time.end=9", "--set", "time.end=0.05",
                                    "--set", "initial.q=[0.7, 0]")
        self.assertEqual((summary["method"], summary["order"]), ("gauss with 2 stages, continuous-energy", 4))
        self.assertEqual(summary["time"]["steps"], 5)  # the last of two wins
        self.assertEqual(rows["q"][0].tolist(), [0.7, 0])

    def test_json_is_the_summary_and_nothing_else(self):
        result = self.succeed("run", self.write(SCENARIO), "--out", "out", "--json")
        self.assertEqual(result.out, (self.folder / "out" / "summary.json").read_text())
        self.assertEqual(json.loads(result.out)["status"], "completed")

    def test_quiet_says_nothing(self):
        for command in [["run", self.write(SCENARIO), "--out", "out", "--quiet"], ["demo", "--quiet"]]:
            self.assertEqual(self.succeed(*command).out, "")

    def test_the_table(self):
        out = self.succeed("run", self.write(SCENARIO), "--out", "out").out
        self.assertTrue(out.isascii() and out.replace("\n", "").isprintable(), repr(out))
        first, _, *table = out.splitlines()
        self.assertEqual(first, "double-pendulum with svc, shadow of order 8 (composition): completed")
        labels = [re.fullmatch(r"  (.{14})\S.*", line)[1].strip() for line in table]
        self.assertEqual(labels, ["method", "steps", "energy", "shadow energy", "smallest gap", "cost", "report"])
        table = self.succeed("run", self.write(CART), "--out", "cart").out.splitlines()[2:]
        self.assertEqual([line[2:16].strip() for line in table],
                         ["method", "steps", "energy", "shadow energy", "impacts", "smallest gap", "cost", "report"])

    def test_the_default_folder_is_the_first_free_one(self):
        self.write(SCENARIO)
        for folder in ["runs/my", "runs/my-2", "runs/my-3"]:
            self.assertIn(folder + "/report.html\n", self.succeed("run", "my.toml").out)
            self.read(folder)

    def test_an_empty_folder_is_free(self):
        (self.folder / "out").mkdir()
        self.run_to("out", self.write(SCENARIO))

    def test_force_replaces_a_run(self):
        self.run_to("out", self.write(SCENARIO))
        summary, _ = self.run_to("out", self.write(SCENARIO), "--force", "--set", "time.end=0.03")
        self.assertEqual(summary["time"]["steps"], 3)

    def test_demo_can_be_repeated(self):
        for _ in range(2):
            out = self.succeed("demo").out
            self.assertIn("runs/demo/report.html", out)
            for law in ["continuous-energy", "discrete-energy", "shadow"]:
                self.assertRegex(out, rf"{law} +\d\.\d\de[+-]\d\d +-?\d\.\de-\d\d +1000 ")
            for member in ["1-continuous-energy", "2-discrete-energy", "3-shadow"]:
                summary = json.loads((self.folder / "runs/demo" / member / "summary.json").read_text())
                self.assertEqual((summary["status"], summary["impacts"]["count"]), ("completed", 1000))


if __name__ == "__main__":
    main()
