#!/usr/bin/env python3
"""Scenes of rigid bodies in space, as a user has them: references of 34 digits (tests/golden/bodies.json), orders, joints and
their limits, springs, motors and moved bodies, rest, friction, what is refused and how; and that a run goes on.

usage: space_test.py PROGRAM SOURCE_DIR
"""

import json
import math
import sys

import numpy as np

sys.dont_write_bytecode = True
from bodies_test import SceneTest, body, times
from support import main

WORLD = "[world]\ndimension = 3\ngravity = [0, 0, -9.81]\n"
FREE = "[world]\ndimension = 3\n"
FLOOR = '[[body]]\nname = "floor"\nshape = { half-space = [0, 0, 1] }\n'
DEAD = "[contact]\nrestitution = 0\n"


def matrix(q):
    w, x, y, z = np.array(q) / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def spin(q, v):
    """Of a quaternion with its velocity, in the body."""
    w, x, y, z = q
    a, b, c, d = v
    return 2 * np.array([w * b - x * a - y * d + z * c, w * c - y * a - z * b + x * d, w * d - z * a - x * c + y * b])


def by_flow(flow, step, end, more=""):
    return times(step, end, f'flow = "{flow}"{more}')


class References(SceneTest):
    def setUp(self):
        super().setUp()
        self.golden = json.loads((self.source / "tests/golden/bodies.json").read_text())

    def free_top(self, case, flow, steps):
        top = f'[[body]]\nname = "top"\nmass = 1.0\ninertia = {case["inertia"]}\nquaternion = {case["q0"]}\nspin = {case["w0"]}\n'
        return self.run_scene(FREE + top + by_flow(flow, case["T"] / steps, case["T"]))

    def heavy_top(self, case, flow, steps):
        """Half a metre above its tip, where a ball joint holds it."""
        arm = np.array([0, 0, 0.5])
        inertia = np.array(case["inertia"]) - [0.25, 0.25, 0]
        turn = matrix(case["q0"])
        scene = f"[world]\ndimension = 3\ngravity = [0, 0, {-case['mgl'] / 0.5!r}]\n"
        scene += (f'[[body]]\nname = "top"\nmass = 1.0\ninertia = {list(inertia)}\nquaternion = {case["q0"]}\nspin = {case["w0"]}\n'
                  f'position = {list(turn @ arm)}\nvelocity = {list(turn @ np.cross(case["w0"], arm))}\n')
        scene += '[[joint]]\nball = ["ground", "top"]\nat = [0, 0, 0]\n[initial]\nproject = true\n'
        return self.run_scene(scene + by_flow(flow, case["T"] / steps, case["T"]))

    def check_top(self, z, case):
        q = z["q"][-1][3:7]
        np.testing.assert_allclose(q * np.sign(q @ case["q"]), case["q"], atol=1e-11)
        np.testing.assert_allclose(spin(q, z["v"][-1][3:7]), case["w"], atol=1e-10)

    def test_tops(self):
        for case in self.golden["free_top"]:
            self.check_top(self.free_top(case, "kahan-li8", 400), case)
        for case in self.golden["lagrange_top"]:
            self.check_top(self.heavy_top(case, "kahan-li8", 400), case)

    def test_the_midpoint_rule_keeps_the_energy_of_a_free_top(self):
        z = self.free_top(self.golden["free_top"][0], "midpoint", 400)
        self.assertLess(np.abs(z["H"] - z["H"][0]).max(), 1e-13)

    def test_orders_of_a_heavy_top(self):
        case = self.golden["lagrange_top"][1]
        for flow, order in (("midpoint", 2), ("yoshida4", 4), ("kahan-li6", 6)):
            steps, errors = (200, 400), []
            for n in steps:
                q = self.heavy_top(case, flow, n)["q"][-1][3:7]
                errors.append(np.abs(q * np.sign(q @ case["q"]) - case["q"]).max())
            slope = math.log2(errors[0] / errors[1])
            self.assertLess(abs(slope - order), 0.35, (flow, errors))

    def test_a_box_bounces(self):
        for case in self.golden["box_3d"]:
            start = case["start"]
            box = body("box", f"{{ box = {[2 * x for x in start['half']]} }}", mass=start["m"], position=start["x"],
                       quaternion=start["q"], velocity=start["v"], spin=start["w_body"])
            self.run_scene(WORLD + FLOOR + box + by_flow("kahan-li8", 0.005, case["impacts"][-1]["t"] + 0.005))
            for row, known in zip(self.impacts(), case["impacts"], strict=True):
                self.assertLess(abs(float(row["time"]) - known["t"]), 1e-12)
                q = [float(row[f"box_q{k}"]) for k in range(4)]
                np.testing.assert_allclose(matrix(q), matrix(known["q"]), atol=1e-10)
                v = [float(row[f"p_after.box_{k}"]) for k in "xyz"]
                np.testing.assert_allclose(v, known["v_after"], atol=1e-9)

    def test_two_hinged_rods(self):
        for case in self.golden["double_pendulum"]:
            z = self.run_scene(pendulum(case) + by_flow("kahan-li6", 0.0025, case["T"]))
            end = z["q"][-1]
            np.testing.assert_allclose(end[0:3], case["x1"], atol=1e-10)
            np.testing.assert_allclose(end[7:10], case["x2"], atol=1e-10)
            np.testing.assert_allclose(matrix(end[3:7]), matrix(case["q1"]), atol=1e-10)
            np.testing.assert_allclose(matrix(end[10:14]), matrix(case["q2"]), atol=1e-10)


def about(axis, angle):
    return np.concatenate([[math.cos(angle / 2)], math.sin(angle / 2) * np.array(axis)])


def product(a, b):
    return np.concatenate([[a[0] * b[0] - a[1:] @ b[1:]], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])])


def pendulum(case):
    """Two boxes: the first hinged about y of space, the second about an axis of the first."""
    (half1, half2), (t1, t2, w1, w2) = case["half"], case["start"]
    alpha = case["hinge2_axis_angle"]
    axis = np.array([0, math.cos(alpha), math.sin(alpha)])  # in the first
    q1 = about([0, 1, 0], t1)
    q2 = product(q1, about(axis, t2))
    r1, r2 = matrix(q1), matrix(q2)
    a, b = np.array([half1[0], 0, 0]), np.array([half2[0], 0, 0])
    knee = 2 * r1 @ a
    spin1 = w1 * np.array([0, 1, 0])  # in space
    spin2 = spin1 + w2 * r1 @ axis
    v1, v2 = np.cross(spin1, r1 @ a), np.cross(spin1, knee) + np.cross(spin2, r2 @ b)
    scene = WORLD
    for name, half, m, x, q, v, w in (("one", half1, case["m"][0], r1 @ a, q1, v1, r1.T @ spin1),
                                      ("two", half2, case["m"][1], knee + r2 @ b, q2, v2, r2.T @ spin2)):
        scene += body(name, f"{{ box = {[2 * x for x in half]} }}", mass=m, position=list(x), quaternion=list(q), velocity=list(v),
                      spin=list(w))
    scene += '[[joint]]\nhinge = ["ground", "one"]\nat = [0, 0, 0]\naxis = [0, 1, 0]\n'
    return scene + f'[[joint]]\nhinge = ["one", "two"]\nat = {list(knee)}\naxis = {list(r1 @ axis)}\n[initial]\nproject = true\n'


class Physics(SceneTest):
    """Closed forms of what bodies do."""

    def test_inertia(self):
        """Of shapes, compounds and centres apart from them, by the momentum of a spin of 1 about z."""
        cases = [("{ ball = 0.5 }", {"mass": 2.0}, 0.4 * 2 * 0.25), ("{ box = [2.0, 1.0, 3.0] }", {"density": 3.0}, 18 * 5 / 12),
                 ("{ cylinder = [2.0, 0.5] }", {"mass": 1.0}, 4 / 12 + 0.25 / 4),
                 ("{ ellipsoid = [1.0, 2.0, 3.0] }", {"mass": 5.0}, 5.0),
                 ("{ capsule = [1.0, 0.5] }", {"mass": 5.0}, 3 * (1 / 12 + 0.25 / 4) + 2 * (0.4 * 0.25 + 0.25 + 0.375 * 0.5)),
                 ("{ compound = [{ box = [1, 1, 1], position = [-1, 0, 0] }, { box = [1, 1, 1], position = [1, 0, 0] }] }", {"mass": 2.0},
                  2 * (2 / 12 + 1)),
                 ("{ box = [1, 1, 1] }", {"mass": 6.0, "centre": [0.5, 0, 0]}, 1 + 6 * 0.25),
                 ("{ ball = 1 }", {"mass": 6.0, "inertia": [1, 1, 1.5, 0.1, 0, 0]}, 1.5)]
        for shape, keys, inertia in cases:
            z = self.run_scene(FREE + body("b", shape, spin=[0, 0, 1], **keys) + times(0.1, 0.1, ""))
            self.assertAlmostEqual(0.5 * z["p"][0][6], inertia, delta=1e-12 * inertia)

    def test_momenta_of_two_that_meet(self):
        self.run_scene(FREE + body("a", "{ ball = 0.3 }", mass=1.0, velocity=[1, 0.1, 0])
                       + body("b", "{ box = [0.5, 0.7, 0.9] }", mass=2.0, position=[1.5, 0.1, 0.2], rotation=[0.3, 0.2, 0.1])
                       + times(0.01, 3.0, ""))
        summary = self.summary()
        self.assertEqual(summary["impacts"]["count"], 1)
        for each in summary["momenta"]:
            self.assertLess(each["max_abs_error"], 1e-12)
        self.assertLess(summary["energy"]["max_abs_error"], 1e-12)
        self.assertEqual(len(summary["momenta"]), 6)

    def test_a_slider_a_rope_and_a_spring(self):
        z = self.run_scene(FREE + body("cart", "{ box = [0.2, 0.1, 0.1] }", mass=1.0, velocity=[1, 0, 0])
                           + '[[joint]]\nslider = ["ground", "cart"]\naxis = [1, 0, 0]\nlimits = [-0.25, 0.5]\n' + times(0.01, 1.5, ""))
        np.testing.assert_allclose([float(row["time"]) for row in self.impacts()], [0.5, 1.25], atol=1e-12)
        z = self.run_scene(WORLD + body("ball", "{ ball = 0.1 }", mass=1.0, position=[0, 0, -0.5])
                           + '[[joint]]\ndistance = ["ground", "ball"]\nat = [[0, 0, 0], [0, 0, -0.5]]\nlimits = [0, 1]\n' + DEAD + times(0.01, 0.6, ""))
        self.assertAlmostEqual(float(self.impacts()[0]["time"]), math.sqrt(2 * 0.5 / 9.81), delta=1e-12)
        self.assertAlmostEqual(z["q"][-1][2], -1, delta=1e-12)
        z = self.run_scene(FREE + body("wheel", "{ ball = 0.5 }", mass=2.0, spin=[0, 0, 1.0])
                           + '[[joint]]\nhinge = ["ground", "wheel"]\nat = [0, 0, 0]\naxis = [0, 0, 1]\nstiffness = 0.8\n'
                           + by_flow("kahan-li6", 0.05, 1.0))
        self.assertAlmostEqual(spin(z["q"][-1][3:7], z["v"][-1][3:7])[2], math.cos(2.0), delta=1e-8)

    def test_a_torque_and_a_force(self):
        z = self.run_scene(FREE + body("a", "{ ball = 1.0 }", mass=2.0) + body("b", "{ ball = 0.5 }", mass=4.0, position=[5, 0, 0])
                           + '[[force]]\nmotor = ["a", "b"]\naxis = [0, 0, 1]\ntorque = "T0"\n'
                           + '[[force]]\non = "b"\nforce = ["0", "0", "8*t"]\n[system]\nparameters = { T0 = 0.4 }\n'
                           + by_flow("kahan-li6", 0.05, 1.0))
        v = z["v"][-1]
        self.assertAlmostEqual(spin(z["q"][-1][3:7], v[3:7])[2], -0.5, delta=1e-9)
        self.assertAlmostEqual(spin(z["q"][-1][10:14], v[10:14])[2], 1.0, delta=1e-9)
        self.assertAlmostEqual(v[9], 1.0, delta=1e-12)


# (lines put in, "key", words of the reason); each must be refused in one line.
WRONG = [
    ("BODY mass = 1\nangle = 2", "body.0.angle", "rotation or quaternion"),
    ("BODY mass = 1\nposition = [1, 0]", "body.0.position", "array of 3"),
    ("BODY mass = 1\nspin = 1", "body.0.spin", "array of 3"),
    ("BODY mass = 1\nquaternion = [0, 0, 0, 0]", "body.0.quaternion", "[w, x, y, z]"),
    ("BODY mass = 1\ninertia = [1, 1, 3]", "body.0.inertia", "no body has moments"),
    ("BODY mass = 1\ninertia = [1, 1]", "body.0.inertia", "three moments"),
    ("BODY mass = 1\ninertia = [1, 1, 1, 2, 0, 0]", "body.0.inertia", "greater than 0"),
    ('[[body]]\nname = "a"\nmass = 1', "body.0.shape", "must be one of ball"),
    ('[[body]]\nname = "a"\nmass = 1\nshape = { polygon = [[0, 0], [1, 0], [0, 1]] }', "body.0.shape.polygon", "polyhedron"),
    ('[[body]]\nname = "a"\nmass = 1\nshape = { polyhedron = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]] }', "body.0.shape.polyhedron", "plane"),
    ('[[body]]\nname = "a"\nmass = 1\nshape = { cylinder = [1, 0] }', "body.0.shape.cylinder", "greater than 0"),
    ('BALL\n[[body]]\nname = "b"\nmass = 1\nshape = { ball = 1 }\nposition = [0.5, 0, 0]', "body", "overlap by 0.6"),
    ('BALL\n[[body]]\nname = "b"\nmass = 1\nshape = { cylinder = [1, 1] }\nposition = [5, 0, 0]', "contact.between", "touch half-spaces only"),
    ('BALL\n[[joint]]\nhinge = ["ground", "ball"]\nat = [0, 0, 0]', "joint.0.axis", "direction of the joint"),
    ('BALL\n[[joint]]\nball = ["ground", "ball"]\nat = [0, 0, 0]\nlimits = [0, 1]', "joint.0.limits", "are for a hinge"),
    ('BALL\n[[joint]]\nuniversal = ["ground", "ball"]\nat = [0, 0, 0]\naxis = [[1, 0, 0], [1, 1, 0]]', "joint.0.axis", "right angles"),
    ('BALL\n[[joint]]\nhinge = ["ground", "ball"]\nat = [0, 0, 0]\naxis = [1, 0, 0]\nlimits = [-4, 1]', "joint.0.limits", "between -pi and pi"),
    ('BALL\n[contact]\ncorner = "bisector"', "contact.corner", "in the plane"),
    ('BALL\n[[force]]\non = "ball"\ntorque = "1"', "force.0.axis", "direction of the torque"),
    ('BALL\n[[force]]\non = "ball"\nforce = ["1", "0"]', "force.0.force", "three formulas"),
]


class BadInput(SceneTest):
    def test_each_is_refused_by_name(self):
        ball = '[[body]]\nname = "ball"\nmass = 1\nshape = { ball = 0.1 }'
        for lines, key, why in WRONG:
            text = lines.replace("BALL", ball)
            if text.startswith("BODY"):
                text = '[[body]]\nname = "a"\nshape = { ball = 1 }\n' + text.removeprefix("BODY").strip()
            (self.folder / "bad.toml").write_text(FREE + text + "\n[time]\nend = 1\n")
            result = self.carom("run", "bad.toml", "--out", "bad")
            with self.subTest(lines):
                self.assertEqual(result.code, 2, result.err)
                self.assertEqual(len(result.err.strip().splitlines()), 1)
                self.assertIn(key, result.err)
                self.assertIn(why, result.err)


if __name__ == "__main__":
    main()
