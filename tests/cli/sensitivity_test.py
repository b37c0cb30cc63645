#!/usr/bin/env python3
"""Derivatives of runs: carom sensitivity against discrete maps and exact flows in 22 digits, closed forms, and itself backwards.

derivative_references.json was computed apart from carom: complex steps of the discrete maps, and extrapolation of the exact flow
with saltation matrices, in 34 digits.

usage: sensitivity_test.py PROGRAM SOURCE_DIR
"""

import json
import math
import pathlib
import sys

sys.dont_write_bytecode = True
import numpy as np
from support import CaromTest, main, setting

REFERENCES = json.loads((pathlib.Path(__file__).parent / "derivative_references.json").read_text())
CART, DOUBLE = REFERENCES
FORMULAS = {
    "cart-pendulum": """
coordinates = ["y", "a"]
lagrangian = "(m1+m2)*y'^2/2 + m2*L*sin(a)*y'*a' + m2*L^2*a'^2/2 - (m1+m2)*g*y + m2*g*L*cos(a)"
gaps = { wall = "y - ground" }
""",
    "double-pendulum": """
coordinates = ["a", "b"]
let = { M = "(m1+m2)*L1^2 + m2*L2*(L2 + 2*L1*cos(b))", V = "(m1+m2)*g*L1*(1-cos(a)) + m2*g*L2*(1-cos(a+b))" }
lagrangian = "M*a'^2/2 + m2*L2*(L2+L1*cos(b))*a'*b' + m2*L2^2*b'^2/2 - V"
gaps = { wall = "L1*sin(a) + L2*sin(a+b) - wall" }
""",
}


def in_formulas(case):
    parameters = ", ".join(f"{name} = {value!r}" for name, value in case["parameters"].items())
    return f"""[system]
name = "expression"
parameters = {{ {parameters} }}
{FORMULAS[case['system']]}
[initial]
q = {case['q']}
p = {case['p']}
[time]
step = 0.02
end = {case['exact']['T']}
"""


BALLS = """[system]
name = "expression"
coordinates = ["x1", "x2"]
parameters = { R = 0.1, e = 1.0, m1 = 1.0 }
lagrangian = "m1*x1'^2/2 + x2'^2/2"
[system.contacts.balls]
gap = "x2 - x1 - 2*R"
restitution = "e"
[initial]
q = [0.0, 0.7]
v = [1.0, 0.0]
[method]
flow = "svc"
impact = "continuous-energy"
[time]
step = 0.1
end = 1.0
"""

# Task 2 of Zhong, Han and Brikis: floor and wall, restitution 0.92.
THROW = """[system]
name = "expression"
coordinates = ["x", "y"]
parameters = { g = 9.8, R = 0.1 }
lagrangian = "x'^2/2 + y'^2/2 - g*y"
gaps = { floor = "y - R", wall = "1.75 - R - x" }
[initial]
q = [-0.5, 1.0]
v = [5.0, -5.0]
[method]
flow = "svc"
impact = "continuous-energy"
restitution = 0.92
[time]
step = 0.01
end = 0.6
[output]
quantities = { cost = "(x + 2)^2 + (y - 1.5)^2" }
"""

# The impact oscillator at its 1:1 orbit, from a node before the impact at phase `phase`.
OSCILLATOR = """[system]
name = "expression"
coordinates = ["x"]
parameters = {{ w = {w!r}, F = 1.0 }}
lagrangian = "x'^2/2 - x^2/2 + F*cos(w*t)*x"
gaps = {{ stop = "-x" }}
[initial]
q = [{x!r}]
v = [{v!r}]
[method]
flow = "gauss"
stages = 4
impact = "continuous-energy"
restitution = 0.8
[time]
start = {start!r}
step = {step!r}
end = {end!r}
"""

TABLE = """[system]
name = "expression"
coordinates = ["x"]
parameters = {{ A = 0.1, w = 3.0, g = 9.81 }}
lagrangian = "{lagrangian}"
gaps = {{ table = "{gap}" }}
[initial]
q = [{x!r}]
v = [{v!r}]
[method]
flow = "gauss"
stages = 4
impact = "continuous-energy"
restitution = 0.9
[time]
step = 0.02
end = 1.2
"""

# A ball that stays on a shaken table until the table falls faster than it would.
SHAKEN = """[system]
name = "expression"
coordinates = ["x"]
parameters = { A = 0.1, w = 12.0, g = 9.81 }
lagrangian = "x'^2/2 - g*x"
gaps = { table = "x - A*sin(w*t)" }
[initial]
q = [0.5]
v = [-0.2]
[method]
stepper = "contact"
flow = "svc"
impact = "continuous-energy"
restitution = 0.0
[time]
step = 0.01
end = 0.75
"""

# Lands on a wavy floor, slides over a crest and takes off there.
WAVES = """[system]
name = "expression"
coordinates = ["x", "y"]
parameters = { A = 0.3, g = 4.0, m = 1.3 }
lagrangian = "m*(x'^2+y'^2)/2 - m*g*y"
gaps = { floor = "y - A*sin(2*x)" }
[initial]
q = [-1.2, 0.5]
v = [3.4, 0.2]
[method]
stepper = "contact"
flow = "svc"
restitution = 0.0
[time]
step = 0.01
end = 0.8
"""

# On a rod that a joint makes, against a wall.
ROD = """[system]
name = "expression"
coordinates = ["x", "y"]
parameters = { l = 1.1, g = 9.81, c = 0.4 }
lagrangian = "(x'^2+y'^2)/2 - g*y"
joints = { rod = "x^2 + y^2 - l^2" }
gaps = { wall = "c - x" }
[initial]
q = [-0.6, -0.9219544457292888]
v = [0.3, -0.195216]
project = true
[method]
flow = "svc"
[time]
step = 0.01
end = 0.9
"""

# A dumbbell whose lower end lasts on the floor while the upper one falls onto it and is thrown back.
DUMBBELL = """[system]
name = "expression"
coordinates = ["x", "y", "X", "Y"]
parameters = { g = 9.81, k = 3.0 }
lagrangian = "(x'^2+y'^2)/2 + 0.7*(X'^2+Y'^2)/2 - g*y - 0.7*g*Y"
joints = { rod = "(x-X)^2 + (y-Y)^2 - 1" }
force = ["0", "0", "k*cos(3*t)", "-0.1*Y'"]
contacts = { a = { gap = "y", restitution = 0.0 }, b = { gap = "Y", restitution = 0.6 } }
[initial]
q = [0.0, 0.0, 0.6, 0.8]
v = [0.0, 0.0, 0.0, 0.0]
project = true
[method]
stepper = "contact"
flow = "svc"
impact = "continuous-energy"
[time]
step = 0.01
end = 0.7
"""


class Sensitivity(CaromTest):
    def derivatives(self, text, *arguments, **changes):
        (self.folder / "s.toml").write_text(text)
        done = self.carom("sensitivity", "s.toml", "--json", "--out", "out", "--force", *arguments, *setting(**changes))
        self.assertEqual(done.code, 0, done.err)
        r = json.loads(done.out)
        r["slopes"] = np.array(r["slopes"])
        return r

    def rows(self, r, *names):
        return r["slopes"][[r["rows"].index(name) for name in names]]

    def value(self, r, name):
        return r["values"][r["rows"].index(name)]

    def check(self, case, r, z, derivative, tolerance):
        n = [list(case["parameters"]).index(name) for name in r["columns"][4:]]
        expected = np.array(derivative)[:, [0, 1, 2, 3, *(4 + k for k in n)]]
        own = r["slopes"][:4]
        np.testing.assert_allclose(r["values"][:4], z, rtol=0, atol=1e-12 * np.abs(z).max())
        error = np.abs(own - expected).max() / np.abs(expected).max()
        self.assertLess(error, tolerance, case["system"])

    def test_discrete_maps_through_impacts_by_all_laws(self):
        for case in REFERENCES:
            for one in case["discrete"]:
                law = one["law"].split()[0]
                with self.subTest(f"{case['system']}, {law}"):
                    r = self.derivatives(in_formulas(case), method__flow="svc", method__impact=law,
                                         time__step=one["h"], time__end=one["h"] * one["steps"])
                    self.assertEqual(len(r["impacts"]), 2)
                    if law != "continuous-energy":
                        self.assertEqual({impact["energy"] for impact in r["impacts"]}, {"law"})
                    self.check(case, r, one["z"], one["derivative"], 2e-11)

    def error(self, case, flow, stages, steps, law):
        own = {"method__stages": stages} if flow == "gauss" else {}
        r = self.derivatives(in_formulas(case), method__flow=flow, method__impact=law,
                             time__step=repr(case["exact"]["T"] / steps), **own)
        n = [list(case["parameters"]).index(name) for name in r["columns"][4:]]
        exact = np.array(case["exact"]["derivative"])[:, [0, 1, 2, 3, *(4 + k for k in n)]]
        return np.abs(r["slopes"][:4] - exact).max() / np.abs(exact).max()

    def test_the_derivative_has_the_order_of_the_flow(self):
        for flow, stages, order, law, row in [
            ("svc", 0, 2, "shadow", (354, 500, 707, 1000)),
            ("yoshida4", 0, 4, "shadow", (250, 354, 500, 707, 1000)),
            ("kahan-li6", 0, 6, "continuous-energy", (250, 297, 354, 420, 500)),
            ("gauss", 2, 4, "continuous-energy", (200, 283, 400, 566)),
            ("gauss", 3, 6, "continuous-energy", (100, 119, 141, 168, 200, 238)),
            ("gauss", 4, 8, "continuous-energy", (25, 29, 35, 41, 50, 59, 70, 84, 100)),
        ]:
            for case in REFERENCES:
                with self.subTest(f"{flow} {stages or ''}, {case['system']}"):
                    errors = [self.error(case, flow, stages, steps, law) for steps in row]
                    measured = -np.polyfit(np.log(row), np.log(errors), 1)[0]
                    self.assertAlmostEqual(measured, order, delta=0.5 if order < 8 else 0.7, msg=str(errors))

    def test_backwards_is_forwards(self):
        for case in REFERENCES:
            for law in ["continuous-energy", "discrete-energy", "shadow"]:
                changes = {"method__impact": law, "method__flow": "svc"}
                forwards = self.derivatives(in_formulas(case), **changes)
                for number in ["q." + forwards["rows"][0][2:], forwards["rows"][5]]:
                    backwards = self.derivatives(in_formulas(case), "--of", number, **changes)
                    row = self.rows(forwards, number)[0]
                    with self.subTest(f"{case['system']}, {law}, {number}"):
                        np.testing.assert_allclose(backwards["slopes"][0], row, rtol=0, atol=1e-11 * np.abs(row).max())

    def test_two_balls(self):
        r = self.derivatives(BALLS)
        np.testing.assert_allclose(self.rows(r, "q.x2")[0][:4], [1, 0, 1, 0], rtol=0, atol=1e-13)
        by = dict(zip(r["columns"], self.rows(r, "q.x2")[0]))
        self.assertAlmostEqual(by["R"], 2, delta=1e-13 * 20)
        self.assertAlmostEqual(by["e"], 0.25, delta=1e-13 * 10)
        np.testing.assert_allclose(self.rows(r, "impact 1")[0][:4], [-1, 1, -0.5, 0.5], rtol=0, atol=1e-13 * 10)
        self.assertAlmostEqual(r["slowest_approach"], 1, delta=1e-15 * 10)

    def test_a_throw_against_floor_and_wall(self):
        r = self.derivatives(THROW, "--by", "g,R,restitution")
        self.assertAlmostEqual(r["values"][r["rows"].index("cost")], 8.31613858220178918957653553848, delta=1e-12)
        np.testing.assert_allclose(self.rows(r, "cost")[0][:4],
                                   [-5.27712, 0.216285754846219346, -3.166272, -0.212229548006031562], rtol=0, atol=1e-11)
        backwards = self.derivatives(THROW, "--by", "g,R,restitution", "--of", "cost")
        np.testing.assert_allclose(backwards["slopes"][0], self.rows(r, "cost")[0], rtol=0, atol=1e-11)
        # By the restitution, against a difference of runs: they are polynomials of it.
        h = 1e-4
        values = [self.derivatives(THROW, "--by", "start", method__restitution=0.92 + d)["values"][-3] for d in (h, -h)]
        self.assertAlmostEqual(self.rows(r, "cost")[0][-1], (values[0] - values[1]) / (2 * h), delta=1e-5)

    def test_the_oscillator_between_its_impacts(self):
        w, r = 2.6, 0.8
        phase, leaves = 3.02938293575390530582659, -0.404351976715165410300385  # in closed form, right behind the impact
        P, gamma, after = 2 * math.pi / w, 1 / (1 - w * w), phase / w
        # Carried along to half a period later.
        A, B = -gamma * math.cos(phase), leaves + gamma * w * math.sin(phase)
        start = after + P / 2
        x = A * math.cos(P / 2) + B * math.sin(P / 2) + gamma * math.cos(w * start)
        v = -A * math.sin(P / 2) + B * math.cos(P / 2) - gamma * w * math.sin(w * start)
        text = OSCILLATOR.format(w=w, x=x, v=v, start=start, step=P / 100, end=start + P)
        d = self.derivatives(text)
        self.assertEqual(len(d["impacts"]), 1)
        M = np.array([self.rows(d, "q.x")[0][:2], self.rows(d, "v.x")[0][:2]])
        self.assertAlmostEqual(np.linalg.det(M), r * r, delta=1e-10)
        self.assertAlmostEqual(np.trace(M), -2 * 0.574539654796029835, delta=1e-9)
        np.testing.assert_allclose([d["values"][0], self.value(d, "v.x")], [x, v], rtol=0, atol=1e-11)

    def test_a_moving_table_is_a_force_in_its_frame(self):
        v = -0.5
        moving = self.derivatives(TABLE.format(lagrangian="x'^2/2 - g*x", gap="x - A*sin(w*t)", x=1.0, v=v))
        still = self.derivatives(TABLE.format(lagrangian="x'^2/2 - g*x + A*w^2*sin(w*t)*x", gap="x", x=1.0, v=v - 0.3))
        self.assertEqual(len(moving["impacts"]), len(still["impacts"]))
        self.assertGreater(len(moving["impacts"]), 0)
        for row in ["q.x", "v.x", "impact 1"]:
            a, b = self.rows(moving, row)[0], self.rows(still, row)[0]
            np.testing.assert_allclose(a[:2], b[:2], rtol=0, atol=1e-9 * np.abs(b).max(), err_msg=row)
        # A start in the frame of the table is v - A w, so that the derivatives by A and w differ by those by v.
        by = lambda r, row: dict(zip(r["columns"], self.rows(r, row)[0]))
        a, b = by(moving, "impact 1"), by(still, "impact 1")
        self.assertAlmostEqual(a["A"], b["A"] - 3.0 * b["initial.v.x"], delta=1e-8)
        self.assertAlmostEqual(a["w"], b["w"] - 0.1 * b["initial.v.x"], delta=1e-8)
        self.assertAlmostEqual(a["g"], b["g"], delta=1e-9)

    def test_forces_and_losses_against_differences(self):
        force = in_formulas(CART).replace("[initial]", 'force = ["-0.1*y\' + 0.3*cos(t)", "-0.2*a\'"]\n[initial]')
        for text, changes in [(force, {"method__impact": "continuous-energy", "method__flow": "yoshida4"}),
                              (in_formulas(CART), {"method__impact": "shadow", "method__restitution": 0.8}),
                              (in_formulas(DOUBLE), {"method__impact": "discrete-energy", "method__restitution": 0.8,
                                                     "time__end": 2})]:
            changes = {"time__end": 2, **changes}
            exact = self.derivatives(text, "--by", "start", **changes)
            self.assertGreater(len(exact["impacts"]), 0)
            p = [float(x) for x in text.split("\np = [")[1].split("]")[0].split(",")]
            h = 1e-3
            ends = [self.derivatives(text, "--by", "start", initial__p=f"[{p[0] + d * h},{p[1]}]", **changes)["values"]
                    for d in (-3, -2, -1, 1, 2, 3)]
            weights = np.array([-1, 9, -45, 45, -9, 1]) / (60 * h)
            with self.subTest(str(changes)):
                column = exact["slopes"][:, 2]
                np.testing.assert_allclose(column, weights @ np.array(ends), rtol=0, atol=1e-8 * np.abs(column).max())

    def test_a_contact_that_lasts_and_is_released_in_closed_form(self):
        A, w, g, T = 0.1, 12.0, 9.81, 0.75
        leaves = (2 * math.pi + math.asin(g / (A * w * w))) / w
        s, sine, cosine = T - leaves, math.sin(w * leaves), math.cos(w * leaves)
        for flow in ["svc", "yoshida4"]:
            r = self.derivatives(SHAKEN, method__flow=flow)
            self.assertEqual([change["change"] for change in r["changes"]], ["begins to last", "is released"])
            self.assertAlmostEqual(r["changes"][1]["t"], leaves, delta=1e-9)
            # It forgets its start, and no force is left that the time of the release could change.
            np.testing.assert_allclose(self.rows(r, "q.x")[0], [0, 0, sine + w * cosine * s, -s * s / 2, A * cosine * (leaves + s) - A * w * leaves * sine * s],
                                       rtol=0, atol=1e-9)

    def test_contacts_that_last_and_joints_against_differences(self):
        weights = np.array([-1, 9, -45, 45, -9, 1]) / 60
        for text, law, d, columns in [(WAVES, "continuous-energy", 1e-4, ["q1", "A"]), (WAVES, "shadow", 1e-4, ["g"]), (ROD, "discrete-energy", 2e-4, ["l"]),
                                      (ROD, "shadow", 1e-3, ["v0", "l"]), (DUMBBELL, "continuous-energy", 1e-3, ["g", "k"])]:
            exact = self.derivatives(text, method__impact=law)
            n = sum(name.startswith("initial.q") for name in exact["columns"])
            z = {"q": exact["by"][:n], "v": exact["by"][n:2 * n]}
            self.assertGreater(len(exact["impacts"]), 0)
            for name in columns:
                def end(e):
                    x = {key: list(values) for key, values in z.items()}
                    if name[1:].isdigit():
                        x[name[0]][int(name[1:])] += e
                        changes = {"initial__q": str(x["q"]), "initial__v": str(x["v"])}
                    else:
                        changes = {"system__parameters__" + name: exact["by"][exact["columns"].index(name)] + e}
                    return self.derivatives(text, "--by", "start", method__impact=law, **changes)["values"]
                values = np.array([end(k * d) for k in (-3, -2, -1, 1, 2, 3)])
                k = {"q": 0, "v": n}[name[0]] + int(name[1:]) if name[1:].isdigit() else exact["columns"].index(name)
                own, slope = exact["slopes"][:, k], weights @ values / d
                with self.subTest(f"{law}, {name}"):
                    np.testing.assert_allclose(own, slope, rtol=0, atol=5e-10 * max(1, np.abs(own).max()))
            row = exact["rows"][1]
            backwards = self.derivatives(text, "--of", row, method__impact=law)
            np.testing.assert_allclose(backwards["slopes"][0], self.rows(exact, row)[0], rtol=0, atol=1e-11 * np.abs(exact["slopes"]).max())

    def test_its_page_and_its_folder(self):
        self.derivatives(BALLS)
        page = (self.folder / "out/report.html").read_text()
        self.assertRegex(page, r'"kind": ?"sensitivity"')
        self.assertIn("by initial.q.x1", page)
        info = json.loads(self.succeed("info", "out", "--json").out)
        self.assertEqual((info["kind"], info["sensitivity"]["status"]), ("sensitivity", "completed"))
        self.succeed("report", "out", "--quiet")
        self.succeed("run", "s.toml", "--out", "out", "--force", "--quiet")
        self.assertEqual(json.loads(self.succeed("info", "out", "--json").out)["kind"], "run")

    def test_kinks_are_told(self):
        (self.folder / "s.toml").write_text(THROW.replace("- g*y", "- g*abs(y)"))
        done = self.carom("sensitivity", "s.toml", "--out", "out")
        self.assertEqual(done.code, 0)
        self.assertIn("kinks", done.err)

    def test_what_has_no_derivative_is_refused_by_name(self):
        def refused(code, words, text, *arguments, **changes):
            (self.folder / "s.toml").write_text(text)
            done = self.carom("sensitivity", "s.toml", "--out", "out", "--force", *arguments, *setting(**changes))
            self.assertEqual(done.code, code, done.err)
            self.assertIn(words, done.err)
            self.assertEqual(done.err.count("\n"), 1, done.err)

        refused(2, "no parameter", BALLS, "--by", "m7")
        refused(2, "--of speed", BALLS, "--of", "speed")
        refused(2, "whole steps", BALLS, time__step=0.3)
        refused(2, "must be given", BALLS.replace("end = 1.0", "impacts = 1"))
        refused(2, "polynomial", in_formulas(CART), method__impact="shadow", method__fraction="polynomial")
        refused(2, "has no derivatives", in_formulas(CART), method__stepper="gvi")
        refused(2, "friction", THROW.replace('gaps = { floor = "y - R", wall = "1.75 - R - x" }',
                                             '[system.contacts.floor]\ngap = "y - R"\nmu = 0.3\nslide = "x"'),
                method__stepper="contact")
        refused(3, "one instant", THROW, initial__q="[0.65, 1.1]", initial__v="[1.0,-1.0]", system__parameters__g=0,
                time__end=1.5)


if __name__ == "__main__":
    main()
