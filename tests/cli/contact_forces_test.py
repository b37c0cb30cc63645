#!/usr/bin/env python3
"""The forces of contacts that last, in the records: against closed forms, in several units, by every stepper that has them.

usage: contact_forces_test.py PROGRAM SOURCE_DIR
"""

import sys

import numpy as np

sys.dont_write_bytecode = True
from support import CaromTest, main, setting

STEPPERS = ["contact", "gvi", "dae-euler"]

SLOPE = """\
[system]
name = "expression"
coordinates = ["x", "y"]
parameters = {{ m = {m}, g = {g}, a = 0.4 }}
lagrangian = "0.5*m*(x'^2 + y'^2) - m*g*(y + {far})"
gaps = {{ slope = "{scale}*(y*cos(a) + x*sin(a))", ceiling = "{far} - y" }}
[initial]
q = [0.0, 0.0]
[method]
stepper = "{stepper}"
[time]
step = {h}
end = {end}
"""

BOWL = """\
[system]
name = "expression"
coordinates = ["x", "y"]
parameters = { m = 2.5, g = 9.81, R = 3.0 }
lagrangian = "0.5*m*(x'^2 + y'^2) - m*g*y"
gaps = { bowl = "R - sqrt(x^2 + y^2)" }
[initial]
q = [3.0, 0.0]
[method]
stepper = "contact"
[time]
step = 0.01
end = 2.0
"""

STACK = """\
[system]
name = "expression"
coordinates = ["a", "b"]
parameters = { m1 = 2.0, m2 = 3.0, g = 10.0 }
lagrangian = "0.5*m1*a'^2 + 0.5*m2*b'^2 - m1*g*a - m2*g*b"
gaps = { floor = "a", between = "b - a - 1" }
[initial]
q = [0.0, 1.0]
[method]
stepper = "contact"
[time]
end = 0.5
"""


class ContactForces(CaromTest):
    def test_of_a_slope_in_many_units(self):
        for m, length, time in [(1, 1, 1), (1e-6, 1, 1), (1e6, 1e3, 1), (3, 1e-3, 0.1), (0.5, 1e4, 1e3)]:
            for stepper in STEPPERS:
                with self.subTest(m=m, length=length, time=time, stepper=stepper):
                    g = 9.81 * length / time**2
                    text = SLOPE.format(m=float(m), g=g, scale=1, far=10 * length, stepper=stepper, h=0.01 * time,
                                        end=0.3 * time)
                    self.succeed("run", self.write(text), "--out", "out", "--force", "--quiet")
                    _, rows = self.read("out")
                    np.testing.assert_allclose(rows["forces"][:, 0], m * g * np.cos(0.4), rtol=1e-9)
                    np.testing.assert_array_equal(rows["forces"][:, 1], 0)

    def test_are_multipliers_of_the_gap(self):
        """Twice the gap has half the multiplier: their product pushes."""
        for scale in [0.01, 2, 300]:
            text = SLOPE.format(m=2.0, g=9.81, scale=scale, far=10, stepper="contact", h=0.01, end=0.3)
            self.succeed("run", self.write(text), "--out", "out", "--force", "--quiet")
            _, rows = self.read("out")
            np.testing.assert_allclose(rows["forces"][:, 0] * scale, 2 * 9.81 * np.cos(0.4), rtol=1e-9)

    def test_of_a_bowl_have_the_centripetal_part(self):
        _, rows = self.run_to("out", self.write(BOWL))
        expected = 2.5 * ((rows["v"]**2).sum(axis=1) - 9.81 * rows["y"]) / 3
        np.testing.assert_allclose(rows["forces"][:, 0], expected, rtol=1e-9, atol=1e-9)
        self.assertGreater(expected.max(), 2.9 * 2.5 * 9.81)  # three times the weight at its lowest

    def test_of_a_stack(self):
        _, rows = self.run_to("out", self.write(STACK))
        np.testing.assert_allclose(rows["forces"], np.broadcast_to([50.0, 30.0], rows["forces"].shape), rtol=1e-9)

    def test_are_zero_where_a_contact_is_open(self):
        summary, rows = self.run_to("ball", "bouncing-to-rest")
        rest = summary["contacts"]["rest"]
        np.testing.assert_array_equal(rows["forces"][rows["y"] > 1e-9], 0)
        np.testing.assert_allclose(rows["forces"][rows["t"] > rest], 9.8, rtol=1e-9)
        _, rows = self.run_to("disc", "disc")
        left = rows["gaps"][:, 0] > 1e-6
        self.assertTrue(left.any() and (rows["forces"][~left][:-1] > 0).all())
        np.testing.assert_array_equal(rows["forces"][left], 0)

    def test_are_those_of_the_rows_that_are_kept(self):
        _, whole = self.run_to("whole", "bouncing-to-rest")
        for every in [7, 100]:
            _, rows = self.run_to(str(every), "bouncing-to-rest", *setting(output__every=every))
            kept = sorted({*range(0, 301, every), 300})
            for name in whole:
                np.testing.assert_array_equal(rows[name], whole[name][kept], name)

    def test_of_a_run_that_went_on(self):
        longer = setting(time__step=0.0001, time__end=60, output__every=100)
        self.run_to("straight", "bouncing-to-rest", *longer)
        self.stop_and_resume("resumed", "bouncing-to-rest", *longer)
        self.assertEqual(self.bytes_of("resumed"), self.bytes_of("straight"))

    def test_are_no_column_of_steppers_without_lasting_contacts(self):
        _, rows = self.run_to("out", "double-pendulum")
        self.assertNotIn("forces", rows)


if __name__ == "__main__":
    main()
