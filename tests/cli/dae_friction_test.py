#!/usr/bin/env python3
"""Friction of the motion as a whole (the list `friction`, stepper dae-euler) where it decides nothing: it ends by name.

usage: dae_friction_test.py PROGRAM SOURCE_DIR
"""

import sys

sys.dont_write_bytecode = True
from support import CaromTest, main


def case(coordinates, lagrangian, gap, friction, slip, q, v, end, restitution=0, step=0.01, **parameters):
    numbers = ", ".join(f"{name} = {float(value)!r}" for name, value in parameters.items())
    names = ", ".join(f'"{name}"' for name in coordinates.split())
    forces = ", ".join(f'"{force}"' for force in friction)
    return "\n".join(["[system]", 'name = "expression"', f"coordinates = [{names}]", f"parameters = {{ {numbers} }}",
                      f'let = {{ u = "{slip}", F = "-mu*abs(psi1)*u/abs(u)" }}', f'lagrangian = "{lagrangian}"',
                      f'gaps = {{ floor = "{gap}" }}', f"friction = [{forces}]", "[initial]", f"q = {[float(x) for x in q]}",
                      f"v = {[float(x) for x in v]}", "[method]", 'stepper = "dae-euler"', f"restitution = {float(restitution)}",
                      "[time]", f"step = {step}", f"end = {float(end)}", ""])


ROD = ("x y th", "0.5*(x'^2+y'^2) + (1/6)*th'^2 - g*y", "y-sin(th)", ["F", "0", "-F*sin(th)"], "x' - sin(th)*th'")
DISC = ("x y a", "0.5*(x'^2 + y'^2) + 0.25*R^2*a'^2 - g*y", "y - R", ["F", "0", "F*R"], "x' + R*a'")


class FrictionOfTheMotionAsAWhole(CaromTest):
    def ends_by_name(self, text):
        return self.fail_with(3, "run", self.write(text), "--out", "out", "--force")

    def test_ends_where_friction_turns_around_and_the_motion_does_not(self):
        text = case(*ROD, [0, 0.7833269096274834, 0.9], [-2, 0, 0], 0.5, g=10, mu=2)
        result = self.carom("run", self.write(text), "--out", "out", "--force", "--quiet")
        self.assertEqual(result.code, 3)
        self.assertIn("something could move that this friction does not act on", result.err)

    def test_ends_by_name_where_something_moves_that_friction_does_not_act_on(self):
        slope = "0.5*(x'^2+y'^2) + 0.25*R^2*a'^2 - g*(y*cos(0.2) + x*sin(0.2))"
        for text in [case("x y a", slope, "y-R", ["F", "0", "F*R"], "x' + R*a'", [0, 0.5, 0], [0, 0, 0], 2, g=10, mu=0.3, R=0.5),
                     case(*ROD, [0, 0.963558185417193, 1.3], [0, 0, 0], 0.3, g=10, mu=0.5),
                     case(*DISC, [0, 0.6, 0], [0, 0, 20], 2, restitution=0.8, step=0.001, g=9.81, mu=1, R=0.1)]:
            with self.subTest(text):
                line = self.ends_by_name(text)
                self.assertIn("something could move that this friction does not act on", line)
                self.assertIn("[system.contacts]", line)

    def test_friction_that_drives_is_found_whenever_it_happens(self):
        spring = "0.5*(x'^2+y'^2) - g*y - 0.5*x^2"
        belt = case("x y", spring, "y", ["F", "0"], "x' - 0.5", [0, 0], [0, 0], 20, g=10, mu=0.1)
        wrong = case("x y", spring, "y", ["-F", "0"], "x'", [2, 0], [0, 0], 20, g=10, mu=0.1)
        for text in [belt, wrong]:
            with self.subTest(text):
                self.assertIn("friction drives the motion", self.ends_by_name(text))

    def test_where_it_acts_on_all_that_moves_nothing_changes(self):
        block = case("x y", "0.5*(x'^2+y'^2) - g*y", "y", ["F", "0"], "x'", [0, 0], [1.4, 0], 1.1, g=10, mu=0.3)
        summary, _ = self.run_to("out", self.write(block), "--force")
        self.assertAlmostEqual(summary["final"]["q"][0], 1.4**2 / 6, delta=1e-9)
        sliding = case(*DISC, [0, 0.5, 0], [3, 0, 0], 0.4, g=10, mu=0.2, R=0.5)  # it does not yet roll
        summary, _ = self.run_to("out", self.write(sliding), "--force")
        self.assertAlmostEqual(summary["final"]["q"][0], 3 * 0.4 - 0.5 * 2 * 0.16, delta=1e-9)


if __name__ == "__main__":
    main()
