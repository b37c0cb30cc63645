#!/usr/bin/env python3
"""Optimal control against Pontryagin's conditions in 20 digits, closed forms, and another discretisation of the same problems.

usage: optimise_test.py PROGRAM SOURCE_DIR
"""

import json
import re
import sys

sys.dont_write_bytecode = True
import numpy as np
from support import CaromTest, main

# DERIVATIVES' references: Pontryagin's conditions by shooting, and the closed forms of juggling and of task 3.
SWING_UP, FLOOR_HIT, JUGGLING, PUSH = 58.807667458166866472, 126.8048245639489013422, 18.5293042270039270336, 1.39654216012319729
# svc with as many steps (a phase), by a direct transcription of its own.
DIRECT = {"swing-up": {50: 59.20145789507375, 100: 58.90649625011499}, "floor-hit": {25: 126.30808456758753, 50: 126.67993876682132}}


class Optimise(CaromTest):
    def problem(self, name, **lines):
        """A shipped problem with other lines, and more at its end."""
        text = (self.source / "scenarios/control" / f"{name}.toml").read_text()
        more = lines.pop("more", "")
        for key, value in lines.items():
            text, count = re.subn(rf'(?m)^("?{re.escape(key)}"?) = .*$', rf"\1 = {value}", text)
            self.assertEqual(count, 1, key)
        return self.write(text + more, "p.toml")

    def told(self, problem, code=0):
        done = self.carom("optimise", problem, "--json", "--out", "out", "--force")
        self.assertEqual(done.code, code, done.err)
        return json.loads(done.out)

    def reached(self, name, **lines):
        return self.told(self.problem(name, **lines))

    def scenario(self, name, text):
        """A shipped scenario of which `text` takes the place of its flow."""
        own = (self.source / f"scenarios/{name}.toml").read_text()
        return self.write(re.sub(r'flow = "gauss"\nstages = \d', text, own), f"{name}.toml")


class References(Optimise):
    def test_swing_up(self):
        r = self.reached("swing-up")
        self.assertLess(abs(r["cost"] - SWING_UP), 1e-8)
        self.assertEqual(len(r["phases"][0]["t"]), 101)
        self.assertLess(r["iterations"], 40)  # which is what time goes by: 0.6 s on the machine that this was written on
        self.assertLess(r["replay"]["end_differs_by"], 1e-9)

    def test_a_floor_that_must_be_hit(self):
        r = self.reached("floor-hit")
        self.assertLess(abs(r["cost"] - FLOOR_HIT), 1e-8)
        first, second = r["phases"]
        self.assertEqual((first["impact"], second["impact"], r["replay"]["impacts"]), ("floor", None, 1))
        self.assertLess(abs(first["duration"] - 0.97604235315724844357), 1e-9)
        self.assertLess(abs(first["q"][-1][1] + 0.27491163135447935024), 1e-8)
        self.assertLess(abs(first["p"][-1][0] + 4.8885219497056617548), 1e-8)
        self.assertLess(abs(second["p"][0][0] - 5.044571280350221294), 1e-8)
        self.assertLess(r["replay"]["end_differs_by"], 1e-6)

    def test_juggling(self):
        r = self.reached("juggling")
        self.assertLess(abs(r["cost"] - JUGGLING), 1e-10)
        self.assertLess(abs(r["phases"][0]["duration"] - 0.47197435355459791784), 1e-9)
        self.assertLess(r["replay"]["end_differs_by"], 1e-12)

    def test_task_3(self):
        r = self.reached("push-disc")
        self.assertLess(abs(r["cost"] - PUSH), 1e-10)
        self.assertLess(abs(r["phases"][0]["duration"] - 0.683220230491696626), 1e-9)
        self.assertLess(np.abs(r["phases"][1]["controls"]["ux"]).max(), 1e-6)  # nothing to push after the impact

    def test_another_transcription_of_svc_has_the_same_optima(self):
        for name, scenario in [("swing-up", "cart-pole"), ("floor-hit", "driven-cart-pendulum")]:
            self.scenario(scenario, 'flow = "svc"')
            for steps, cost in DIRECT[name].items():
                r = self.reached(name, steps=steps, scenario=f'"{scenario}.toml"')
                self.assertLess(abs(r["cost"] - cost), 2e-9 * cost, name)

    def test_costs_converge_with_twice_the_stages(self):
        for name, exact, steps in [("swing-up", SWING_UP, [50, 100]), ("floor-hit", FLOOR_HIT, [10, 20])]:
            for stages in [1, 2, 3]:
                more = f"\n[set]\nmethod.stages = {stages}\n"
                errors = [abs(self.reached(name, steps=n, more=more)["cost"] - exact) for n in steps]
                order = np.log2(errors[0] / errors[1])
                self.assertTrue(2 * stages - 0.2 < order < 2 * stages + 0.2, (name, stages, order))


class Problems(Optimise):
    def test_a_first_run_proposes_the_sequence(self):
        r = self.reached("juggling", impacts='"run"')
        self.assertEqual([p["impact"] for p in r["phases"]], ["table", "table", None])
        self.assertEqual(r["replay"]["impacts"], 2)
        self.assertLess(r["replay"]["end_differs_by"], 1e-12)

    def test_bounds_are_kept_and_cost_something(self):
        r = self.reached("swing-up", steps=40, more="[bounds]\nu = [-12.0, 12.0]\n")
        self.assertGreater(r["cost"], SWING_UP)
        self.assertTrue(11.999 < np.abs(r["phases"][0]["controls"]["u"]).max() <= 12)
        # Another minimum, which is lower than that of the references, keeps the cart to the left of its aim.
        r = self.reached("swing-up", steps=40, more="[bounds]\nx = [-0.5, 1.0]\n")
        self.assertLess(r["cost"], SWING_UP)
        x = np.array(r["phases"][0]["q"])[:, 0]
        self.assertTrue(x.min() >= -0.5 and x.max() <= 1)

    def test_conditions_on_the_path(self):
        r = self.reached("swing-up", steps=40, more='[path]\nwall = "1.3 - (x + l*sin(a))"\n')
        bob = [x + 0.5 * np.sin(a) for x, a in r["phases"][0]["q"]]
        self.assertGreater(r["cost"], SWING_UP)
        self.assertLess(max(bob), 1.3 + 1e-3)  # it holds at the flow's nodes

    def test_what_else_may_be_chosen(self):
        fixed = self.reached("juggling")["cost"]
        start = self.reached("juggling", more="[start]\n\"y'\" = [-3.0, 3.0]\n")
        self.assertLess(start["cost"], fixed)
        # The velocity of the start costs nothing, so that its costate, which is 2u, vanishes there.
        t, u = start["phases"][0]["control_times"], start["phases"][0]["controls"]["u"]
        self.assertLess(abs(np.polyval(np.polyfit(t, u, 1), 0)), 1e-9)
        parameter = self.reached("juggling", more="[parameters]\ng = [9.0, 11.0]\n")
        self.assertLess(parameter["cost"], fixed)
        self.assertLess(abs(parameter["parameters"]["g"] - 9), 1e-9)
        shorter = self.told(self.write('duration = [0.5, 3.0]\n' + (self.folder / self.problem("juggling", running='"u^2 + 1"')).read_text(), "p.toml"))
        self.assertLess(shorter["cost"], fixed + 1.2)
        whole = sum(p["duration"] for p in shorter["phases"])
        self.assertTrue(0.5 < whole < 3)
        # H = u^2 + 1 + costates on the way is constant, and zero where the end is free: so it is where the ball is at rest.
        phase = shorter["phases"][1]
        slope, end = np.polyfit(np.array(phase["control_times"]) - phase["t"][-1], phase["controls"]["u"], 1)
        self.assertLess(abs(end**2 + 1 - 2 * end * (end - 10)), 1e-7)

    def test_conditions_at_the_end_as_formulas_and_intervals(self):
        r = self.reached("juggling", y="[1.4, 1.6]", more='rise = "y\' - 0.5"\n', **{"y'": "[0.0, 2.0]"})
        last = r["phases"][-1]
        self.assertLess(abs(last["v_end"][0] - 0.5), 1e-9)
        self.assertTrue(1.4 <= last["q"][-1][0] <= 1.6)

    def test_the_folder_is_that_of_a_run_that_anybody_may_repeat(self):
        r = self.reached("floor-hit")
        files = {path.name for path in (self.folder / "out").iterdir()}
        self.assertLessEqual({"problem.toml", "optimise.json", "scenario.toml", "summary.json", "trajectory.npz", "report.html"}, files)
        with np.load(self.folder / "out/trajectory.npz") as rows:
            u, t = rows["control_u"], rows["t"]
        tau = r["phases"][0]["duration"]
        self.assertLess(abs(u[t < tau][-1] + 5.638), 0.3)  # the control jumps at the impact
        self.assertLess(abs(u[t > tau][0] - 5.638), 0.3)
        self.succeed("run", "out/scenario.toml", "--out", "again", "--quiet")
        self.assertEqual((self.folder / "out/trajectory.npz").read_bytes(), (self.folder / "again/trajectory.npz").read_bytes())


class Fits(Optimise):
    DROP = """[system]
name = "expression"
coordinates = ["y"]
parameters = { g = 9.4, e = 0.72 }
lagrangian = "y'^2/2 - g*y"
contacts = { floor = { gap = "y", restitution = "e" } }
[initial]
q = [1.0]
[method]
flow = "gauss"
stages = 2
impact = "continuous-energy"
[time]
step = 0.01
end = 1.1
"""
    FIT = """scenario = "drop.toml"
steps = 4
impacts = "run"
[parameters]
g = [5.0, 15.0]
e = [0.1, 1.0]
[start]
y = [0.5, 1.5]
[fit]
data = "drop.csv"
"""

    def test_a_fall_and_its_bounce(self):
        g, e, y = 9.81, 0.8, 1.05
        tau = (2 * y / g) ** 0.5
        t = np.linspace(0.05, 1.1, 22)
        after = t - tau
        places = np.where(after < 0, y - g * t**2 / 2, e * g * tau * after - g * after**2 / 2)
        self.write(self.DROP, "drop.toml")
        self.write("t,y\n" + "".join(f"{a!r},{b!r}\n" for a, b in zip(t.tolist(), places.tolist())), "drop.csv")
        r = self.told(self.write(self.FIT, "fit.toml"))
        for name, true in [("g", g), ("e", e)]:
            self.assertLess(abs(r["parameters"][name] - true), 1e-6, name)
        self.assertLess(r["cost"], 1e-13)
        self.assertLess(abs(r["phases"][0]["q"][0][0] - y), 1e-6)
        self.assertLess(abs(r["phases"][0]["duration"] - tau), 1e-6)

    def test_files_that_do_not_fit(self):
        self.write(self.DROP, "drop.toml"), self.write(self.FIT, "fit.toml")
        for text, word in [("t,z\n1,2\n", 'its column "z" is no coordinate'), ("y,t\n1,2\n", "its first line"), ("t,y\n", "no measurements"),
                           ("t,y\n0.1,x\n", 'line 2 has "x"'), ("t,y\n7,1\n", "t = 7 is outside of the motion")]:
            self.write(text, "drop.csv")
            self.assertIn(word, self.fail_with(2, "optimise", "fit.toml", "--out", "out"))


class Refusals(Optimise):
    def refused(self, word, name="juggling", **lines):
        line = self.fail_with(2, "optimise", self.problem(name, **lines), "--out", "out")
        self.assertIn(word, line)
        self.assertFalse((self.folder / "out").exists())

    def test_what_cannot_be_stated(self):
        self.refused("p.toml:8:1: cost: the cost is not finite at the guess", running='"log(u)"')
        self.refused('there is no such contact; did you mean "table"?', impacts='["tabel"]')
        self.refused("is unknown in two places", more="[parameters]\nu = [-1, 1]\n")
        self.refused('controls = "u": is named twice', controls='["u", "u"]')
        self.refused('controls = "w": is no parameter', controls='["w"]')
        self.refused('controls = "g": stands in the Lagrangian', controls='["g"]')
        self.refused("steps", steps="[4, 4, 4]")
        self.refused('running = "u^2 +": column 6', running='"u^2 +"')
        self.refused("must be a number, or [low, high]", y="[3.0, 1.0]")
        own = self.scenario("juggled-ball", 'flow = "yoshida4"')
        self.refused("some of them backwards", scenario=f'"{own}"')
        self.refused("unknown key", more="[bound]\nu = 3\n")
        self.refused("bounds.w: there is none", more="[bounds]\nw = 3\n")

    def failed(self, word, name="juggling", **lines):
        done = self.carom("optimise", self.problem(name, **lines), "--out", "out", "--force")
        self.assertEqual(done.code, 3, done.err)
        self.assertIn(word, self.one_line(done.err))
        kept = json.loads((self.folder / "out/optimise.json").read_text())
        self.assertEqual(kept["status"], "failed")
        self.assertIn(word, kept["reason"])
        self.assertEqual(len(kept["phases"][-1]["q"]), len(kept["phases"][-1]["t"]))
        return kept

    def test_what_cannot_be_reached_keeps_what_was(self):
        self.failed("no motion near the guess meets all conditions; furthest from being met is end.y, by 1.5", y="-1.5")
        self.failed('the gap of impact 1 with "table"', more="[bounds]\ny = [0.1, 200]\n")
        self.failed("no motion near the guess meets all conditions", more="[bounds]\nu = [-1.0, 1.0]\n")
        done = self.carom("optimise", self.problem("swing-up"), "--out", "out", "--force", "--iterations", "3")
        self.assertEqual(done.code, 3)
        self.assertIn("not converged after 3 iterations", self.one_line(done.err))


if __name__ == "__main__":
    main()
