#!/usr/bin/env python3
"""Contacts in space, points and walls, and mu that depends on the slip: references by closed form, by SciPy for each mode, and
against the same system stated otherwise.

usage: friction_space_test.py PROGRAM SOURCE_DIR
"""

import csv
import json
import math
import sys

sys.dont_write_bytecode = True
import numpy as np
from scipy.integrate import solve_ivp
from support import CaromTest, main, setting

G = 9.81


def scenario(coordinates, lagrangian, contacts, q, v, end, step=0.01, flow="kahan-li6", **parameters):
    numbers = ", ".join(f"{name} = {float(value)!r}" for name, value in ({"g": G} | parameters).items())
    return "\n".join(["[system]", 'name = "expression"', f"coordinates = {json.dumps(coordinates.split())}",
                      f"parameters = {{ {numbers} }}", f'lagrangian = "{lagrangian}"', "[system.contacts]",
                      *(f"{name} = {{ {contact} }}" for name, contact in contacts.items()), "[initial]",
                      f"q = {[float(x) for x in q]}", f"v = {[float(x) for x in v]}", "[method]", f'flow = "{flow}"',
                      'base = "svc"' if flow != "svc" else "", "[time]", f"step = {step}", f"end = {float(end)!r}"])


FLOWS = [("svc", 2, (0.02, 0.01, 0.005), 0.3), ("yoshida4", 4, (0.02, 0.01, 0.005), 0.3), ("kahan-li6", 6, (0.04, 0.02, 0.01), 0.6)]
PUCK = "0.5*(x'^2+y'^2+z'^2) + gx*x - gz*z"
PUCK_NUMBERS = {"gx": 2.899053227347741, "gz": 9.371850958322195}
PUCK_START = [-0.8322936730942848, 1.8185948536513634, 0]
SPHERE = "0.5*(x'^2+y'^2+z'^2) + 0.5*I*(a'^2+b'^2+c'^2) - g*z"


class Rough(CaromTest):
    rough = True

    def end_of(self, text, *options):
        self.summary, self.rows = self.run_to("out", self.write(text), "--force", *options)
        return np.concatenate([self.rows["q"][-1], self.rows["v"][-1]])

    def changes(self):
        with open(self.folder / "out" / "contacts.csv", newline="") as file:
            return [(float(row["time"]), row["event"]) for row in csv.DictReader(file) if float(row["time"]) > 0]

    def assert_orders(self, error, sixth=FLOWS[2][2]):
        for flow, order, steps, delta in FLOWS:
            steps = sixth if order == 6 else steps
            with self.subTest(flow):
                errors = [error(step, flow) for step in steps]
                self.assertAlmostEqual(np.polyfit(np.log(steps), np.log(errors), 1)[0], order, delta=delta, msg=errors)


class FrictionInSpace(Rough):
    def test_sphere_lands_slides_and_rolls(self):
        contact = {"plane": "gap = \"z-R\", mu = 0.2, slip = [\"x'-R*b'\", \"y'+R*a'\"], restitution = 0"}
        text = scenario("x y z a b c", SPHERE, contact, [0, 0, 0.5, 0, 0, 0], [2, 0, 0, 10, 15, 3], 2, R=0.25, I=0.025)
        end = [4.86022891773402, -1.22889845390574, 0.25, 7.71101546094262, 21.3977108226598, 6.0, 2.5, -0.714285714285714, 0,
               2.85714285714286, 10, 3]
        np.testing.assert_allclose(self.end_of(text), end, atol=1e-11)
        (_, begins), (_, slides), (rolls, sticks) = self.changes()
        self.assertEqual([begins, slides, sticks], ["begins", "slides", "sticks"])
        self.assertAlmostEqual(rolls, 0.444391860191266, delta=1e-11)
        self.assertAlmostEqual(self.impacts("out")[0]["time"], 0.225761820492865, delta=1e-12)
        self.assertLessEqual(abs(self.summary["energy"]["remainder"]), 1e-11)
        # A sphere that rolls holds on by what it needs, nothing; its spin about the normal stays.
        np.testing.assert_allclose(self.rows["friction_forces"][-1], [0, 0], atol=1e-12)
        self.assertEqual(self.rows["slips"].shape[1], 2)

    def puck(self, contact, end=0.6, v=PUCK_START, **options):
        return scenario("x y z", PUCK, {"plane": contact}, [0, 0, 0], v, end, **PUCK_NUMBERS, **options)

    def test_puck_curves_and_stops_where_its_path_is_not_smooth(self):
        for contact in ['gap = "z", mu = 0.8, slide = ["x", "y"], restitution = 0', "gap = \"z\", mu = 0.8, slip = [\"x'\", \"y'\"]",
                        'point = ["x", "y", "z"], wall = "3*Z", mu = 0.8', 'gap = "z", mu = 0.8, slide = ["0.6*x+0.8*y", "0.6*y-0.8*x"]']:
            with self.subTest(contact):
                end = self.end_of(self.puck(contact, step=0.005))
                np.testing.assert_allclose(end, [-0.0593837248121546, 0.231706189559008, 0, 0, 0, 0], atol=1e-11)
                (stop, event), = self.changes()
                self.assertEqual(event, "sticks")
                self.assertAlmostEqual(stop, 0.263181364254656, delta=1e-11)

    def test_friction_that_turns_has_the_order_of_the_flow(self):
        gx, gz, mu = PUCK_NUMBERS["gx"], PUCK_NUMBERS["gz"], 0.8

        def slide(t, y):
            speed = math.hypot(*y[2:])
            return [y[2], y[3], gx - mu * gz * y[2] / speed, -mu * gz * y[3] / speed]

        fast = [-3.2, 7.2, 0]
        x, y, vx, vy = solve_ivp(slide, (0, 0.6), [0, 0, *fast[:2]], method="DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
        self.assert_orders(lambda step, flow: np.abs(
            self.end_of(self.puck('gap = "z", mu = 0.8, slide = ["x", "y"]', v=fast, step=step, flow=flow)) - [x, y, 0, vx, vy, 0]).max(), (0.04, 0.03, 0.02))

    # Up along a great circle to where it stops, and back: in space a slip that turns around.
    def test_bowl_slides_up_and_back(self):
        mu, fast, direction = 0.1, math.hypot(1.5, 1.0), np.array([1.5, 1.0]) / math.hypot(1.5, 1.0)
        stop = lambda t, y: y[1]
        stop.terminal = True
        way = lambda sign: lambda t, y: [y[1], -G * math.sin(y[0]) - mu * sign * (y[1]**2 + G * math.cos(y[0]))]
        up = solve_ivp(way(1), (0, 0.7), [0, fast], method="DOP853", rtol=1e-13, atol=1e-14, events=stop)
        angle, spin = solve_ivp(way(-1), (up.t[-1], 0.7), [up.y[0, -1], 0], method="DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
        end = np.array([*math.sin(angle) * direction, -math.cos(angle), *spin * math.cos(angle) * direction, spin * math.sin(angle)])
        bowl = {"bowl": 'point = ["x", "y", "z"], wall = "1 - X^2 - Y^2 - Z^2", mu = 0.1, restitution = 0'}
        self.assert_orders(lambda step, flow: np.abs(self.end_of(
            scenario("x y z", "0.5*(x'^2+y'^2+z'^2) - g*z", bowl, [0, 0, -1], [1.5, 1, 0], 0.7, step, flow)) - end).max())

    def test_results_do_not_depend_on_units(self):
        plain = self.end_of(self.puck('gap = "z", mu = 0.8, slide = ["x", "y"]', step=0.01))
        for metre, second in [(1e-6, 1.0), (1e3, 1e-3)]:
            numbers = {name: value * metre / second**2 for name, value in PUCK_NUMBERS.items()}
            text = scenario("x y z", PUCK, {"plane": 'gap = "z", mu = 0.8, slide = ["x", "y"]'}, [0, 0, 0],
                            [v * metre / second for v in PUCK_START], 0.6 * second, 0.01 * second, **numbers)
            np.testing.assert_allclose(self.end_of(text)[:3] / metre, plain[:3], atol=1e-13)

    def test_stays_at_rest_on_an_incline_up_to_the_angle_of_friction(self):
        for factor, moves in [(0.99, True), (1.01, False)]:
            mu = factor * math.tan(0.3)
            lagrangian = "0.5*(x'^2+y'^2+z'^2) + g*(0.6*x+0.8*y)*sin(0.3) - g*cos(0.3)*z"
            end = self.end_of(scenario("x y z", lagrangian, {"floor": f'gap = "z", mu = {mu!r}, slide = ["x", "y"]'}, [0, 0, 0], [0, 0, 0], 1))
            way = 0.5 * G * (math.sin(0.3) - mu * math.cos(0.3)) if moves else 0
            np.testing.assert_allclose(end[:3], [0.6 * way, 0.8 * way, 0], atol=1e-12)

    # Four legs, with forces that nobody knows each of.
    def test_table_on_four_legs_stands_and_slides(self):
        legs = {f"leg{k}": f'gap = "z + {x}*b - {y}*a", mu = 0.4, slide = ["x - {y}*c", "y + {x}*c"]'
                for k, (x, y) in enumerate([(1, 1), (1, -1), (-1, 1), (-1, -1)])}
        lagrangian = "0.5*(x'^2+y'^2+z'^2) + 0.3*(a'^2+b'^2+c'^2) + g*s*x - g*z"
        np.testing.assert_allclose(self.end_of(scenario("x y z a b c", lagrangian, legs, [0] * 6, [0] * 6, 0.3, s=0.39)), 0, atol=1e-13)
        end = self.end_of(scenario("x y z a b c", lagrangian, legs, [0] * 6, [0] * 6, 0.3, s=0.41))
        np.testing.assert_allclose(end[:6], [0.5 * G * 0.01 * 0.09, 0, 0, 0, 0, 0], atol=1e-12)

    def test_without_mu_bits_are_the_same(self):
        text = self.puck('gap = "z", %s restitution = 0.5', end=3)
        options = setting(initial__q="[0.0, 0.0, 0.3]")
        self.run_to("plain", self.write(text % ""), *options, *setting(method__stepper="contact"))
        self.run_to("none", self.write(text % 'mu = 0, slide = ["x", "y"],'), *options)
        for file in ["trajectory.npz", "impacts.csv", "contacts.csv"]:
            self.assertEqual(self.bytes_of("plain", file), self.bytes_of("none", file))

    def test_goes_on_after_a_stop_as_if_there_had_been_none(self):
        bowl = {"bowl": 'point = ["x", "y", "z"], wall = "1 - X^2 - Y^2 - Z^2", mu = 0.0001, restitution = 0'}
        text = self.write(scenario("x y z", "0.5*(x'^2+y'^2+z'^2) - g*z", bowl, [0, 0, -1], [1.5, 1, 0], 1))
        options = setting(time__end=100, output__every=100)
        self.run_to("whole", text, *options)
        self.stop_and_resume("parts", text, *options)
        for file in ["trajectory.npz", "contacts.csv"]:
            self.assertEqual(self.bytes_of("whole", file), self.bytes_of("parts", file))


class PointsAndMuOfTheSlip(Rough):
    """In the plane."""

    def test_point_and_wall_are_gap_and_slide(self):
        lagrangian = "0.5*(x'^2+y'^2) + a'^2/24 - g*y"
        ends = [self.end_of(scenario("x y a", lagrangian, {"foot": contact + ", mu = 0.3, restitution = 0"},
                                     [0.14776010333066977, 0.477668244562803, 0.3], [0, 0, 0], 0.58, 0.005))
                for contact in ['gap = "y-0.5*cos(a)", slide = "x-0.5*sin(a)"', 'point = ["x-0.5*sin(a)", "y-0.5*cos(a)"], wall = "Y"',
                                'point = ["x-0.5*sin(a)", "y-0.5*cos(a)"], wall = "1e3*Y"']]
        for end in ends:
            np.testing.assert_allclose(end[:3], [0.477642771669679, 0.0955181031577316, 1.37857864028947], atol=1e-11)

    def test_mu_of_the_slip(self):
        mu = lambda u: 0.2 + 0.2 * math.exp(-u / 0.1)
        stop = lambda t, y: y[1]
        stop.terminal = True
        exact = solve_ivp(lambda t, y: [y[1], -mu(y[1]) * G], (0, 2), [0, 1.5], method="DOP853", rtol=1e-13, atol=1e-14, events=stop)

        def error(step, flow):
            floor = {"floor": 'gap = "y", mu = "0.2 + 0.2*exp(-slip_speed/0.1)", slide = "x"'}
            end = self.end_of(scenario("x y", "0.5*(x'^2+y'^2) - g*y", floor, [0, 0], [1.5, 0], 1, step, flow))
            return abs(end[0] - exact.y[0, -1])

        for flow, order, _, delta in FLOWS[:2]:
            steps = (0.005, 0.0025, 0.00125)  # in which the slip changes by less than what mu takes to change
            errors = [error(step, flow) for step in steps]
            self.assertAlmostEqual(np.polyfit(np.log(steps), np.log(errors), 1)[0], order, delta=delta, msg=errors)
        self.assertLessEqual(error(0.005, "kahan-li6"), 1e-10)

    # At the top of a hill of its own the bead stands still, all of it, and slides back: the instant is found to rounding though its
    # mu is of the speed.
    def test_a_bead_with_two_mu_turns_around_on_a_curved_floor(self):
        A, k, mu = 0.25, 2.4, 0.27
        height, slope, bend = (lambda x: A * math.cos(k * x)), (lambda x: -A * k * math.sin(k * x)), (lambda x: -A * k * k * math.cos(k * x))

        def slides(sign):
            # x'' = (s - sign mu) λ' with normal (-s, 1) λ', friction along x
            def by(t, y):
                s, b = slope(y[0]), bend(y[0])
                push = (G + b * y[1]**2) / (1 + s * (s + sign * mu))
                return [y[1], -(s + sign * mu) * push]
            return by

        stop = lambda t, y: y[1]
        stop.terminal = True
        start = [0.83, -2.3]
        up = solve_ivp(slides(-1), (0, 1), start, method="DOP853", rtol=1e-13, atol=1e-14, events=stop)
        x, v = solve_ivp(slides(1), (up.t[-1], 1), [up.y[0, -1], 0], method="DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
        hill = {"hill": f'gap = "y - A*cos(k*x)", mu = 0.4, mu_kinetic = {mu}, slide = "x", restitution = 0'}
        text = scenario("x y", "0.5*(x'^2+y'^2) - g*y", hill, [0.83, height(0.83)], [-2.3, -2.3 * slope(0.83)], 1, A=A, k=k)
        end = self.end_of(text)
        (turns, event), = self.changes()
        self.assertEqual(event, "slides forward")
        self.assertAlmostEqual(turns, up.t[-1], delta=1e-11)
        np.testing.assert_allclose(end[[0, 2]], [x, v], atol=1e-9)

    def test_friction_that_drives_is_found_where_it_does(self):
        floor = "0.5*(x'^2+y'^2) - g*y"
        for mu, fast in [("0.3 - 1e-5*slip_speed", 1e5), ("0.3 - exp(-((slip_speed - 1.09)/0.01)^2)", 1.09)]:
            text = scenario("x y", floor, {"floor": f'gap = "y", mu = "{mu}", slide = "x"'}, [0, 0], [fast, 0], 1, step=0.001)
            self.assertIn("friction would drive", self.fail_with(3, "run", self.write(text), "--out", "out", "--force"))

    # Nothing but the positive speeds has a root.
    def test_mu_need_not_have_a_value_at_negative_speeds(self):
        stop = lambda t, y: y[1]
        stop.terminal = True
        exact = solve_ivp(lambda t, y: [y[1], -(0.3 + 0.1 * math.sqrt(max(0, y[1]))) * G], (0, 2), [0, 1], method="DOP853", rtol=1e-12,
                          atol=1e-13, events=stop).y[0, -1]
        floor = {"floor": 'gap = "y", mu = "0.3 + 0.1*sqrt(slip_speed)", slide = "x"'}
        end = self.end_of(scenario("x y", "0.5*(x'^2+y'^2) - g*y", floor, [0, 0], [1, 0], 1))
        self.assertAlmostEqual(end[0], exact, delta=1e-6)

    # Sticks to mu_static g/k, slides by mu_kinetic until it has the belt's speed again: closed form.
    def test_static_and_kinetic_mu_stick_and_slip_on_a_belt(self):
        k, w, sticks, slides = 20.0, 0.5, 0.4, 0.3
        belt = {"belt": f'gap = "y", mu = {sticks}, mu_kinetic = {slides}, slide = "x - w*t"'}
        self.end_of(scenario("x y", "0.5*(x'^2+y'^2) - g*y - 0.5*k*x^2", belt, [0, 0], [w, 0], 3, k=k, w=w))
        omega, first = math.sqrt(k), sticks * G / k / w
        again = first + (2 * math.pi - 2 * math.atan((sticks - slides) * G / (omega * w))) / omega
        release = again + 2 * (sticks - slides) * G / k / w
        (t1, slid), (t2, stuck), (t3, slid_again) = self.changes()[:3]
        self.assertEqual([slid, stuck, slid_again], ["slides backward", "sticks", "slides backward"])
        np.testing.assert_allclose([t1, t2, t3], [first, again, release], atol=1e-10)

    def test_refuses_by_name(self):
        for contact, key, why in [
                ('gap = "y", mu = 0.2, mu_kinetic = 0.3, slide = "x"', "mu_kinetic", "must be at most mu"),
                ('gap = "y", mu_kinetic = 0.3, slide = "x"', "mu_kinetic", "needs mu"),
                ('gap = "y", mu = "0.3 - slip_speed", slide = "x"', "mu", "friction would drive"),
                ('gap = "y", mu = "0.3 + x", slide = "x"', "mu", "slip_speed"),
                ('gap = "y", mu = "0.3/slip_speed", slide = "x"', "mu", "must be at most 1e+06"),
                ('gap = "y", mu = 1e7, slide = "x"', "mu", "what never slips is held by a joint"),
                ('gap = "y", mu = 0.3, slide = "t"', "slide", "depends on no coordinate"),
                ('gap = "y", mu = 0.3, slip = "0*x\'"', "slip", "depends on no velocity"),
                ('gap = "y", mu = 0.3, slide = ["x", "y", "x"]', "slide", "or two in space"),
                ('gap = "y", mu = 0.3, slip = ["x\'", "y\'^2"]', "slip.1", "must be linear in the velocities"),
                ('point = ["x"], wall = "Y", mu = 0.3', "point", "must have two formulas, or three"),
                ('point = ["x", "y"], mu = 0.3', "point", "needs the wall"),
                ('wall = "Y", gap = "y"', "wall", "needs the point"),
                ('point = ["x", "y"], wall = "Y", gap = "y"', "gap", "follows from point and wall"),
                ('point = ["x", "y"], wall = "y", mu = 0.3', "wall", "must be a formula of X, Y"),
                ('point = ["x", "y"], wall = "Z", mu = 0.3', "wall", "the point has two coordinates"),
                ('point = ["x", "y\'"], wall = "Y", mu = 0.3', "point.1", "must not depend on the velocity y'")]:
            with self.subTest(contact):
                line = self.fail_with(2, "check", self.write(scenario("x y", "0.5*(x'^2+y'^2) - g*y", {"floor": contact}, [0, 0], [0, 0], 1)))
                self.assertIn(f"system.contacts.floor.{key}", line)
                self.assertIn(why, line)


if __name__ == "__main__":
    main()
