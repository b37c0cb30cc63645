#!/usr/bin/env python3
"""Scenes of rigid bodies in the plane, as a user has them: references of 34 digits (tests/golden/bodies.json) and solutions by
SciPy, forces of stacks, orders through impacts, joints and their limits, springs, motors and moved bodies, other units, what
is refused and how; and that a run of a scene goes on, is swept and is loaded as any other.

usage: bodies_test.py PROGRAM SOURCE_DIR
"""

import csv
import json
import math
import sys

import numpy as np
from scipy.integrate import solve_ivp

sys.dont_write_bytecode = True
from errors_test import place_of
from support import CaromTest, main

WORLD = "[world]\ndimension = 2\ngravity = [0, -9.81]\n"
FLOOR = '[[body]]\nname = "floor"\nshape = { half-space = [0, 1] }\n'
DEAD = "[contact]\nrestitution = 0\n"


def body(name, shape, **keys):
    lines = [f'[[body]]\nname = "{name}"\nshape = {shape}']
    return "\n".join(lines + [f"{key} = {json.dumps(value)}" for key, value in keys.items()]) + "\n"


def box(name, width, height, **keys):
    return body(name, f"{{ box = [{width!r}, {height!r}] }}", **keys)


def times(step, end, method='impact = "continuous-energy"'):
    return f"[method]\n{method}\n[time]\nstep = {step!r}\nend = {end!r}\n"


class SceneTest(CaromTest):
    def run_scene(self, text, *options):
        (self.folder / "scene.toml").write_text(text)
        self.succeed("run", "scene.toml", "--out", "out", "--force", "--quiet", *options)
        with np.load(self.folder / "out" / "trajectory.npz") as z:
            return dict(z)

    def impacts(self):
        with open(self.folder / "out" / "impacts.csv", newline="") as file:
            return list(csv.DictReader(file))

    def summary(self):
        return json.loads((self.folder / "out" / "summary.json").read_text())


class References(SceneTest):
    def setUp(self):
        super().setUp()
        self.golden = json.loads((self.source / "tests/golden/bodies.json").read_text())

    def test_a_rectangle_bounces(self):
        for case in self.golden["box_2d"]:
            start = case["start"]
            width, height = (2 * x for x in start["half"])
            self.run_scene(WORLD + FLOOR + box("box", width, height, mass=start["m"], position=start["x"],
                                               angle=start["angle"], velocity=start["v"], spin=start["w"])
                           + times(0.02, case["impacts"][-1]["t"] + 0.02))
            found = self.impacts()[:len(case["impacts"])]
            for row, known in zip(found, case["impacts"], strict=True):
                inertia = start["m"] * (width**2 + height**2) / 12
                self.assertLess(abs(float(row["time"]) - known["t"]), 1e-12)
                place = [float(row[f"box_{k}"]) for k in ("x", "y", "angle")]
                np.testing.assert_allclose(place, [*known["x"], known["angle"]], atol=3e-11)
                after = [float(row[f"p_after.box_{k}"]) for k in ("x", "y", "angle")]
                v = np.array(after) / [start["m"], start["m"], inertia]
                np.testing.assert_allclose(v, [*known["v_after"], known["w_after"]], atol=1e-10)

    def stack(self, case, **more):
        bodies = [box(f"b{k}", w, h, mass=m, position=[x, y]) for k, (w, h, m, x, y) in
                  enumerate(zip(case["widths"], case["heights"], case["masses"], case["x"], case["y"]))]
        return WORLD + FLOOR + "".join(bodies) + DEAD + times(0.01, more.get("end", 0.2))

    def test_forces_at_both_ends_of_each_face(self):
        case = self.golden["stack"][0]
        z = self.run_scene(self.stack(case))
        self.assertLess(np.abs(z["q"] - z["q"][0]).max(), 1e-15)
        force = {str(name): f for name, f in zip(z["forces.names"], z["forces"][-1]) if f != 0}
        places = {}
        for name, f in force.items():  # a corner of one on a face of the other
            corner, other = name.split("-")
            k, number = int(corner[1]), int(corner[3])
            x = case["x"][k] + (-0.5, 0.5, 0.5, -0.5)[number - 1] * case["widths"][k]
            level = max(k, int(other[1])) if other != "floor" else 0
            places.setdefault(level, []).append((x, f))
        for level, known in enumerate(case["interfaces"]):
            (left, f_left), (right, f_right) = sorted(places[level])
            self.assertAlmostEqual(left, known["left"], delta=1e-12)
            self.assertAlmostEqual(right, known["right"], delta=1e-12)
            self.assertAlmostEqual(f_left, known["force_left"], delta=1e-10)
            self.assertAlmostEqual(f_right, known["force_right"], delta=1e-10)

    def test_the_one_that_must_tip_tips(self):
        z = self.run_scene(self.stack(self.golden["stack"][1], end=0.3))
        angles = z["q"][-1][2::3]
        self.assertGreater(np.abs(angles).max(), 0.05)
        self.assertGreater(z["gaps"].min(), -1e-12)

    def test_two_hinged_rods(self):
        for case in self.golden["double_pendulum"]:
            (a, thick_a, _), (b, thick_b, _) = case["half"]
            t1, t2, w1, w2 = case["start"]
            # The rods lie along body x and turn about y by t1 and t2: downwards in the plane (x, z).
            first = np.array([math.cos(t1), -math.sin(t1)])
            second = np.array([math.cos(t1 + t2), -math.sin(t1 + t2)])
            x1, x2 = a * first, 2 * a * first + b * second
            # About y the boxes have the extents along x and z.
            third = [half[2] for half in case["half"]]
            scene = WORLD + box("one", 2 * a, 2 * third[0], mass=case["m"][0], position=list(x1), angle=-t1)
            scene += box("two", 2 * b, 2 * third[1], mass=case["m"][1], position=list(x2), angle=-t1 - t2)
            scene += '[[joint]]\nhinge = ["ground", "one"]\nat = [0, 0]\n'
            scene += f'[[joint]]\nhinge = ["one", "two"]\nat = {list(2 * a * first)}\n'
            z = self.run_scene(scene + times(0.005, case["T"], 'flow = "kahan-li6"'))
            end = case["end"]
            self.assertAlmostEqual(z["q"][-1][2], -end[0], delta=1e-10)
            self.assertAlmostEqual(z["q"][-1][5], -end[0] - end[1], delta=1e-10)
            np.testing.assert_allclose(z["q"][-1][0:2], [case["x1"][0], case["x1"][2]], atol=1e-10)
            np.testing.assert_allclose(z["q"][-1][3:5], [case["x2"][0], case["x2"][2]], atol=1e-10)


class Orders(SceneTest):
    """A box on a spring from a corner bounces on its floor; the solution is by SciPy, with an event for each corner."""

    M, WIDTH, HEIGHT, K, L = 1.3, 0.8, 0.5, 25.0, 0.9
    END, HOOK, EYE = 1.2, np.array([0.2, 1.9]), np.array([0.4, 0.25])

    def scene(self, step, flow):
        text = WORLD + FLOOR + box("box", self.WIDTH, self.HEIGHT, mass=self.M, position=[0.1, 0.75], angle=0.3,
                                   velocity=[0.4, -1.0], spin=-1.0)
        c, s = math.cos(0.3), math.sin(0.3)
        eye = [0.1 + c * self.EYE[0] - s * self.EYE[1], 0.75 + s * self.EYE[0] + c * self.EYE[1]]
        text += (f'[[force]]\nspring = ["ground", "box"]\nat = [{list(self.HOOK)}, {eye}]\nstiffness = {self.K}\n'
                 f"length = {self.L}\n")
        return text + times(step, self.END, f'flow = "{flow}"\nimpact = "continuous-energy"')

    def solution(self):
        inertia = self.M * (self.WIDTH**2 + self.HEIGHT**2) / 12
        mass = np.array([self.M, self.M, inertia])
        corners = [np.array([x, y]) / 2 for x in (-self.WIDTH, self.WIDTH) for y in (-self.HEIGHT, self.HEIGHT)]

        def arm(a, r):
            return np.array([math.cos(a) * r[0] - math.sin(a) * r[1], math.sin(a) * r[0] + math.cos(a) * r[1]])

        def field(t, z):
            r = arm(z[2], self.EYE)
            way = z[:2] + r - self.HOOK
            length = math.hypot(*way)
            f = -self.K * (length - self.L) * way / length
            return [*z[3:], f[0] / self.M, f[1] / self.M - 9.81, (r[0] * f[1] - r[1] * f[0]) / inertia]

        def height(r):
            event = lambda t, z: z[1] + arm(z[2], r)[1]
            event.terminal, event.direction = True, -1
            return event

        t, z, count = 0.0, np.array([0.1, 0.75, 0.3, 0.4, -1.0, -1.0]), 0
        while t < self.END:
            done = solve_ivp(field, (t, self.END), z, "DOP853", events=[height(r) for r in corners], rtol=1e-13, atol=1e-13)
            t, z = done.t[-1], done.y[:, -1].copy()
            for r, hits in zip(corners, done.t_events):
                if len(hits) and t < self.END:
                    row = np.array([0, 1, arm(z[2], r)[0]])
                    z[3:] -= 2 * (row @ z[3:]) / (row * row / mass).sum() * row / mass
                    count += 1
        return z, count

    def test_orders_through_impacts(self):
        z, count = self.solution()
        self.assertGreaterEqual(count, 3)
        for flow, order, steps in (("svc", 2, (240, 480, 960)), ("yoshida4", 4, (240, 480, 960)), ("kahan-li6", 6, (48, 96))):
            errors = []
            for n in steps:
                run = self.run_scene(self.scene(self.END / n, flow))
                self.assertEqual(len(self.impacts()), count)
                errors.append(np.abs(run["q"][-1] - z[:3]).max())
            slope = -np.polyfit(np.log(steps), np.log(errors), 1)[0]
            self.assertLess(abs(slope - order), 0.35, (flow, errors))


class Physics(SceneTest):
    """Closed forms of what bodies do."""

    def test_other_units(self):
        """Lengths in millimetres, masses in grams: the same impacts."""
        def scene(length, mass):
            return (f"[world]\ndimension = 2\ngravity = [0, {-9.81 * length!r}]\n" + FLOOR
                    + box("box", 0.7 * length, 0.4 * length, density=2.0 * mass / length**2, position=[0, 0.9 * length], angle=0.5, spin=2.0)
                    + body("ball", f"{{ ball = {0.2 * length!r} }}", density=1.5 * mass / length**2, position=[0.1 * length, 2.0 * length])
                    + times(0.01, 1.5))
        self.run_scene(scene(1.0, 1.0))
        plain = self.impacts()
        self.assertGreater(len(plain), 4)
        self.run_scene(scene(1e3, 1e3))
        for a, b in zip(plain[:4], self.impacts()):
            self.assertEqual(a["contact"], b["contact"])
            self.assertAlmostEqual(float(a["time"]), float(b["time"]), delta=1e-10)

    def test_inertia(self):
        """Of compounds and of centres apart from them, by the momentum of a spin of 1."""
        cases = [("{ ball = 0.5 }", {"mass": 2.0}, 2 * 0.25 / 2), ("{ box = [2.0, 1.0] }", {"density": 3.0}, 6 * 5 / 12),
                 ("{ polygon = [[0, 0], [3, 0], [0, 3]] }", {"mass": 1.0}, 1.0),
                 ("{ compound = [{ box = [1, 1], position = [-1, 0] }, { box = [1, 1], position = [1, 0] }] }", {"mass": 2.0},
                  2 * (2 / 12 + 1)),
                 ("{ box = [1, 1] }", {"mass": 6.0, "centre": [0.5, 0.0]}, 1 + 6 * 0.25),
                 ("{ box = [1, 1] }", {"mass": 6.0, "inertia": 0.125}, 0.125)]
        for shape, keys, inertia in cases:
            z = self.run_scene(WORLD + body("b", shape, spin=1.0, **keys) + times(0.1, 0.1))
            self.assertAlmostEqual(z["p"][0][2], inertia, delta=1e-12 * inertia)

    def test_a_disc_slides_and_rolls(self):
        z = self.run_scene(WORLD + FLOOR + body("disc", "{ ball = 0.5 }", mass=2.0, position=[0, 0.5], velocity=[3, 0])
                           + "[contact]\nmu = 0.2\n" + times(0.01, 1.0))
        with open(self.folder / "out" / "contacts.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        stick = next(row for row in rows if row["event"] == "sticks")
        self.assertAlmostEqual(float(stick["time"]), 3 / (3 * 0.2 * 9.81), delta=1e-12)
        np.testing.assert_allclose(z["v"][-1], [2, 0, -4], atol=1e-12)

    def test_a_brick_slides_off_a_table(self):
        """Its lower face stays on the table's corner, until it tips over it."""
        z = self.run_scene(WORLD + body("table", "{ box = [2.0, 1.0] }", position=[0, -0.5])
                           + box("brick", 0.4, 0.2, mass=1.0, position=[0.5, 0.1], velocity=[1.0, 0])
                           + DEAD + times(0.01, 0.9))
        angle, x = z["q"][:, 2], z["q"][:, 0]
        np.testing.assert_allclose(angle[x < 0.99], 0, atol=1e-13)
        self.assertLess(angle[-1], -0.01)
        self.assertGreater(z["gaps"].min(), -1e-12)

    def test_a_rope_catches(self):
        """A ball falls by the slack of its rope, and its speed along it is gone."""
        z = self.run_scene(WORLD + body("ball", "{ ball = 0.1 }", mass=1.0, position=[0, -0.5])
                           + '[[joint]]\ndistance = ["ground", "ball"]\nat = [[0, 0], [0, -0.5]]\nlimits = [0, 1]\n' + DEAD + times(0.01, 1.0))
        self.assertAlmostEqual(float(self.impacts()[0]["time"]), math.sqrt(2 * 0.5 / 9.81), delta=1e-12)
        self.assertAlmostEqual(z["q"][-1][1], -1, delta=1e-12)

    def test_a_slider_with_limits(self):
        z = self.run_scene(WORLD + box("cart", 0.2, 0.1, mass=1.0, position=[0, 0], velocity=[1, 0])
                           + '[[joint]]\nslider = ["ground", "cart"]\naxis = [1, 0]\nlimits = [-0.25, 0.5]\n' + times(0.01, 2.0))
        np.testing.assert_allclose([float(row["time"]) for row in self.impacts()], [0.5, 1.25, 2.0][:len(self.impacts())], atol=1e-12)
        self.assertGreaterEqual(len(self.impacts()), 2)
        np.testing.assert_allclose(z["q"][:, 1:], 0, atol=1e-14)

    def test_a_moved_floor(self):
        """An elastic ball on a floor that rises at 1: the gap is a parabola of its own."""
        self.run_scene(WORLD + body("floor", "{ half-space = [0, 1] }", motion=["0", "t", "0"])
                       + body("ball", "{ ball = 0.1 }", mass=1.0, position=[0, 1.1]) + times(0.01, 1.2))
        first = (-1 + math.sqrt(1 + 2 * 9.81)) / 9.81
        found = [float(row["time"]) for row in self.impacts()]
        np.testing.assert_allclose(found, [first, first + 2 * (1 + 9.81 * first) / 9.81][:len(found)], atol=1e-12)

    def test_motor_and_damper(self):
        """A torque between two wheels turns both ways; a damper takes what its closed form says."""
        z = self.run_scene("[world]\ndimension = 2\n" + body("a", "{ ball = 1.0 }", mass=2.0) + body("b", "{ ball = 0.5 }", mass=4.0, position=[5, 0])
                           + '[[force]]\nmotor = ["a", "b"]\ntorque = "T0"\n' + '[system]\nparameters = { T0 = 3.0 }\n' + times(0.01, 1.0))
        np.testing.assert_allclose(z["v"][-1], [0, 0, -3, 0, 0, 6], atol=1e-12)
        z = self.run_scene("[world]\ndimension = 2\n" + body("a", "{ ball = 0.1 }", mass=2.0, position=[3, 0], velocity=[1, 0])
                           + '[[force]]\nspring = ["ground", "a"]\nat = [[0, 0], [3, 0]]\ndamping = 0.5\n' + times(0.0025, 1.0, 'flow = "kahan-li6"'))
        self.assertAlmostEqual(z["v"][-1][0], math.exp(-0.25), delta=1e-9)

    def test_corner_on_corner(self):
        """By name, or by the bisector; reversible then."""
        diamond = "{ box = [1.0, 1.0] }"
        scene = ("[world]\ndimension = 2\n" + body("below", diamond, mass=1.0, position=[0, 0], angle=math.pi / 4)
                 + body("above", diamond, mass=1.0, position=[0, 2.0], angle=math.pi / 4, velocity=[0, -1]))
        (self.folder / "scene.toml").write_text(scene + times(0.01, 1.2))
        result = self.carom("run", "scene.toml", "--out", "out", "--force", "--quiet")
        self.assertEqual(result.code, 3)
        self.assertIn("a corner meets a corner", result.err)
        z = self.run_scene(scene + '[contact]\ncorner = "bisector"\n' + times(0.01, 1.2))
        np.testing.assert_allclose(z["v"][-1], [0, -1, 0, 0, 0, 0], atol=1e-9)


# (lines put in, "key", words of the reason); each must be refused in one line.
WRONG = [
    ("BODY mass = 1\nquaternion = [1, 0, 0, 0]", "body.0.quaternion", "a scene in space"),
    ("BODY mass = 1\nspin = [1, 0]", "body.0.spin", "must be a number"),
    ('[[body]]\nname = "a"\nmass = 1\nshape = { cylinder = [1, 1] }', "body.0.shape.cylinder", "a scene in space"),
    ('BALL\n[[joint]]\nball = ["ground", "ball"]\nat = [0, 0]', "joint.0.ball", "a scene in space"),
    ("[world]\ndimension = 4", "world.dimension", "must be 2"),
    ("[world]\ngravity = [0, 1]", "world.dimension", "must be given"),
    ("BODY mass = 0", "body.0.mass", "greater than 0"),
    ("BODY mass = -1", "body.0.mass", "greater than 0"),
    ("BODY mass = nan", "body.0.mass", "finite"),
    ('BODY mass = "m"', "body.0.mass", "column 1"),
    ("BODY mass = 1\ndensity = 2", "body.0.density", "one of the two"),
    ("BODY mass = 1\ninertia = 0", "body.0.inertia", "greater than 0"),
    ("BODY mass = 1\nmas = 0", "body.0.mas", 'did you mean "mass"'),
    ("BODY mass = 1\nposition = [1]", "body.0.position", "array of 2"),
    ("BODY mass = 1\nposition = 1", "body.0.position", "array of numbers"),
    ("BODY mass = 1\nrepeat = 0", "body.0.repeat", "whole number from 1"),
    ("BODY mass = 1\noffset = [1, 0]", "body.0.offset", "repeat"),
    ("BODY velocity = [1, 0]", "body.0.velocity", "give it a mass"),
    ("BODY", "body", "no body can move"),
    ('[[body]]\nname = "a"\nmass = 1', "body.0.shape", "must be one of ball"),
    ('[[body]]\nname = "a b"\nmass = 1\nshape = { ball = 1 }', "body.0.name", "letters"),
    ('[[body]]\nname = "ground"\nmass = 1\nshape = { ball = 1 }', "body.0.name", "choose another"),
    ('[[body]]\nmass = 1\nshape = { ball = 1 }', "body.0", "must have a name"),
    ('[[body]]\nname = "a"\nmass = 1\nshape = "brick"', "body.0.shape", "no shape has this name"),
    ('[[body]]\nname = "a"\nmass = 1\nshape = { ball = 0 }', "body.0.shape.ball", "greater than 0"),
    ('[[body]]\nname = "a"\nmass = 1\nshape = { bal = 1 }', "body.0.shape.bal", 'did you mean "ball"'),
    ('[[body]]\nname = "a"\nmass = 1\nshape = { box = [1, -1] }', "body.0.shape.box", "greater than 0"),
    ('[[body]]\nname = "a"\nmass = 1\nshape = { ball = 1, box = [1, 1] }', "body.0.shape", "one of ball"),
    ('[[body]]\nname = "a"\nmass = 1\nshape = { half-space = [0, 1] }', "body.0.mass", "half-space has no end"),
    ('[[body]]\nname = "a"\nmass = 1\nshape = { polygon = [[0, 0], [1, 0]] }', "body.0.shape.polygon", "three corners"),
    ('[[body]]\nname = "a"\nmass = 1\nshape = { polygon = [[0, 0], [2, 0], [0.1, 0.1], [0, 2]] }', "body.0.shape.polygon", "convex"),
    ('BALL\n[[body]]\nname = "ball"\nshape = { ball = 1 }', "body.1.name", "taken already"),
    ('BALL\n[[body]]\nname = "b"\nmass = 1\nshape = { ball = 1 }\nposition = [0.5, 0]', "body", "overlap by 0.6"),
    ('BALL\n[[joint]]\nhinge = ["ground", "bell"]\nat = [0, 0]', "joint.0.hinge", 'did you mean "ball"'),
    ('BALL\n[[joint]]\nhinge = ["ball", "ball"]\nat = [0, 0]', "joint.0.hinge", "two bodies"),
    ('BALL\n[[joint]]\nhinge = ["ground", "ball"]', "joint.0.at", "must be given"),
    ('BALL\n[[joint]]\nslider = ["ground", "ball"]', "joint.0.axis", "must be given"),
    ('BALL\n[[joint]]\ndistance = ["ground", "ball"]\nat = [[0, 0], [0, 0]]', "joint.0.at", "hinge"),
    ('BALL\n[[joint]]\nhinge = ["ground", "ball"]\nat = [0, 0]\nlimits = [1, 2]', "joint.0.limits", "at the start"),
    ('BALL\n[[joint]]\nscrew = ["ground", "ball"]', "joint.0.screw", "unknown key"),
    ('BALL\n[contact]\nrestitution = 2', "contact.restitution", "from 0 to 1"),
    ('BALL\n[contact]\ncorner = "sharp"', "contact.corner", "bisector"),
    ('BALL\n[contact]\nbetween = [["ball", "wal*"]]', "contact.between.0", "no body"),
    ('BALL\n[[contact.pair]]\nof = ["ball", "wall"]', "contact.pair.0.of", "may touch"),
    ('BALL\n[[force]]\nspring = ["ground", "ball"]\nat = [[0, 0], [0, 0]]', "force.0.stiffness", "must be given"),
    ('BALL\n[[force]]\non = "ball"\nforce = ["x", "0"]', "force.0.force.0", "column 1"),
    ('BALL\n[[force]]\non = "ball"\nforce = ["1"]', "force.0.force", "two formulas"),
    ('BALL\n[system]\nname = "pendulum"', "system.name", "leave the name out"),
    ('BALL\n[system]\nparameters = { ball_x = 1 }', "system.parameters.ball_x", "coordinate"),
    ('[system]\nname = "bodies"', "body", "must be given"),
]


class BadInput(SceneTest):
    def test_each_is_refused_by_name(self):
        ball = '[[body]]\nname = "ball"\nmass = 1\nshape = { ball = 0.1 }'
        for lines, key, why in WRONG:
            text = lines.replace("BALL", ball)
            if text.startswith("BODY"):
                text = '[[body]]\nname = "a"\nshape = { ball = 1 }\n' + text.removeprefix("BODY").strip()
            if not text.startswith("[world]"):
                text = "[world]\ndimension = 2\n" + text
            else:
                text += "\n" + ball
            (self.folder / "bad.toml").write_text(text + "\n[time]\nend = 1\n")
            result = self.carom("run", "bad.toml", "--out", "bad")
            with self.subTest(lines):
                self.assertEqual(result.code, 2, result.err)
                self.assertEqual(len(result.err.strip().splitlines()), 1)
                self.assertIn(key, result.err)
                self.assertIn(why, result.err)
                self.assertFalse((self.folder / "bad").exists())

    def test_friction_needs_its_stepper(self):
        (self.folder / "a.toml").write_text(WORLD + FLOOR + box("a", 1, 1, mass=1, position=[0, 0.5]) + "[contact]\nmu = 0.3\n"
                                            + times(0.01, 0.1, 'stepper = "gvi"'))
        result = self.carom("run", "a.toml", "--out", "bad")
        self.assertEqual(result.code, 2)
        self.assertIn("contact.mu = 0.3: the stepper \"gvi\" has no friction", result.err)


    def test_what_scenes_do_not_have_is_refused_by_name(self):
        (self.folder / "a.toml").write_text(WORLD + FLOOR + box("a", 1, 1, mass=1, position=[0, 0.7]) + times(0.01, 0.1, ""))
        for law in ("modified-energy", "stable-energy"):
            result = self.carom("run", "a.toml", "--out", "bad", "--set", f"method.impact={law}")
            self.assertEqual(result.code, 2, result)
            self.assertIn("for a scene", result.err)
        result = self.carom("sensitivity", "a.toml", "--out", "bad")
        self.assertEqual(result.code, 2, result)
        self.assertIn("not for scenes yet", result.err)


class AsAnyOther(SceneTest):
    SCENE = (WORLD + FLOOR + box("box", 0.6, 0.4, density=2.0, position=[0, 0.8], angle=0.3, spin=1.0)
             + body("ball", "{ ball = 0.2 }", mass=0.5, position=[0.1, 1.6]) + "[contact]\nrestitution = 0.5\nmu = 0.3\n" + times(0.01, 1.0))

    def test_the_effective_scenario_runs_again(self):
        first = self.run_scene(self.SCENE)
        (self.folder / "again.toml").write_bytes((self.folder / "out" / "scenario.toml").read_bytes())
        again = self.run_scene((self.folder / "again.toml").read_text())
        np.testing.assert_array_equal(first["q"], again["q"])

    def test_sets_by_number_and_by_name(self):
        one = self.run_scene(self.SCENE, "--set", "body.2.mass=0.7", "--set", "contact.restitution=0.25")
        two = self.run_scene(self.SCENE, "--set", "body.ball.mass=0.7", "--set", "contact.restitution=0.25")
        np.testing.assert_array_equal(one["q"], two["q"])
        self.assertEqual(self.carom("run", "scene.toml", "--set", "body.bell.mass=1").code, 2)

    def test_it_goes_on(self):
        whole = self.run_scene(self.SCENE)
        self.run_scene(self.SCENE, "--set", "time.end=0.55")
        self.succeed("run", "--resume", "out", "--set", "time.end=1.0", "--quiet")
        with np.load(self.folder / "out" / "trajectory.npz") as z:
            np.testing.assert_array_equal(z["q"], whole["q"])

    def test_a_sweep(self):
        (self.folder / "scene.toml").write_text(self.SCENE)
        (self.folder / "sweep.toml").write_text('scenario = "scene.toml"\nfields = ["final.q.1", "impacts.count"]\n[grid]\n"body.ball.mass" = [0.3, 0.5, 0.9]\n')
        self.succeed("sweep", "sweep.toml", "--out", "many", "--quiet")
        with np.load(self.folder / "many" / "sweep.npz") as z:
            swept = z["final.q.1"]
        for mass, y in zip((0.3, 0.5, 0.9), swept, strict=True):
            self.assertEqual(self.run_scene(self.SCENE, "--set", f"body.ball.mass={mass}")["q"][-1][1], y)


if __name__ == "__main__":
    main()
