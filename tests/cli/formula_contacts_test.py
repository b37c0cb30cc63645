#!/usr/bin/env python3
"""Contacts of systems in formulas, one by one; functions with kinks and jumps; and systems of many coordinates.

usage: formula_contacts_test.py PROGRAM SOURCE_DIR
"""

import sys
import tomllib

sys.dont_write_bytecode = True
import numpy as np
from support import CaromTest, main, setting

BALL = """\
[system]
name = "expression"
coordinates = ["x", "y"]
parameters = { g = 9.81, e = 0.5 }
lagrangian = "0.5*(x'^2 + y'^2) - g*y"
%s
[initial]
q = [0.2, 1.0]
v = [0.3, 0.0]
[time]
end = 1.5
"""
AS_GAPS = 'gaps = { wall = "1 - x", floor = "y" }'
AS_CONTACTS = 'contacts = { wall = { gap = "1 - x" }, floor = { gap = "y" } }'
FLOOR = 'contacts = { floor = { gap = "y", %s } }'
FRICTION = FLOOR + '\nfriction = ["-0.1*psi1*x\'", "0"]'


class Contacts(CaromTest):
    def test_with_a_gap_alone_are_gaps(self):
        self.rough = True  # direct loses energy, and says so
        for stepper in ["event-driven", "contact", "gvi", "direct", "dae-euler"]:
            options = setting(method__stepper=stepper)
            with self.subTest(stepper):
                for out, lines in [("gaps", AS_GAPS), ("contacts", AS_CONTACTS)]:
                    self.run_to(out, self.write(BALL % lines), *options, "--force")
                for file in ["trajectory.npz", "impacts.csv"]:
                    self.assertEqual(self.bytes_of("gaps", file), self.bytes_of("contacts", file))

    def test_stand_in_the_effective_scenario(self):
        lines = '[system.contacts]\nfloor = { gap = "y", restitution = "e", when = "x < 5" }\nwall.gap = "1 - x"\nwall.restitution = 1'
        self.run_to("out", self.write(BALL % lines), *setting(time__end=1))
        kept = tomllib.loads((self.folder / "out/scenario.toml").read_text())["system"]["contacts"]
        self.assertEqual(kept, {"floor": {"gap": "y", "restitution": "e", "when": "x < 5"},
                                "wall": {"gap": "1 - x", "restitution": 1.0}})
        self.succeed("check", "out/scenario.toml")

    def test_are_refused_where_they_cannot_be_followed(self):
        for stepper in ["gvi", "direct", "smooth", "dae-euler"]:
            for key, value in [("restitution", "0.5"), ("restitution", '"e"'), ("when", '"x > 0"')]:
                line = self.fail_with(2, "check", self.write(BALL % (FLOOR % f"{key} = {value}")), *setting(method__stepper=stepper))
                self.assertIn(f'my.toml:6:', line)
                self.assertIn(f'system.contacts.floor.{key} = {value}: the stepper "{stepper}" has no ', line)
                self.assertIn('"event-driven" and "contact" have them', line)
        line = self.fail_with(2, "check", self.write(BALL % (FLOOR % "restitution = 0.5")), *setting(method__tolerance=1e-8))
        self.assertIn("system.contacts.floor.restitution = 0.5: steps that method.tolerance chooses have no ", line)
        line = self.fail_with(2, "check", self.write(BALL % (FRICTION % "restitution = 0.5")))
        self.assertIn('the stepper "dae-euler" has no ', line)

    def test_belong_to_mechanical_systems_in_formulas(self):
        for name in ["cart-pendulum", "dae"]:
            text = f'[system]\nname = "{name}"\ncontacts = {{ a = {{ gap = "y" }} }}\n[time]\nend = 1\n'
            self.assertIn("system.contacts: belongs to a mechanical system in formulas", self.fail_with(2, "check", self.write(text)))

    def test_are_completed(self):
        scenario = self.write(BALL % 'contacts."left foot" = { gap = "y" }')
        keys = self.succeed("complete", "run", scenario, "--set", "system.contacts").out.splitlines()
        names = ["gap", "restitution", "when", "mu", "mu_kinetic", "slip", "slide", "point", "wall"]
        self.assertEqual(keys, ["system.contacts="] + [f'system.contacts."left foot".{name}=' for name in names])

    def test_have_restitutions_that_a_sweep_varies(self):
        self.write(BALL % (FLOOR % 'restitution = 0.5') + '[method]\nstepper = "contact"\n')
        self.write('scenario = "my.toml"\nfields = ["impacts.count"]\n[grid]\n"system.contacts.floor.restitution" = [0.25, 0.5, 1.0]\n', "sweep.toml")
        self.succeed("sweep", "sweep.toml", "--out", "swept", "--quiet")
        with np.load(self.folder / "swept/sweep.npz") as swept:
            few, more, elastic = swept["impacts.count"]
        self.assertEqual(elastic, 2)  # sqrt(2/g) = 0.45 after the start, and twice that later
        self.assertTrue(more > few > elastic, (few, more))
        self.write('scenario = "my.toml"\nfields = ["impacts.count"]\n[grid]\n"system.contacts.floor.restitution" = [0.25, 1.5]\n', "sweep.toml")
        self.assertIn("from 0 to 1", self.fail_with(2, "sweep", "sweep.toml", "--out", "again", "--quiet"))


class Functions(CaromTest):
    """A force of constant size that pushes to the middle: parabolas, whatever it is written by."""

    def motion(self, force, *options):
        text = f"""[system]
name = "expression"
coordinates = ["x"]
lagrangian = "0.5*x'^2"
force = ["{force}"]
[initial]
q = [1.0]
[time]
step = 0.01
end = 4.0
"""
        return self.run_to("out", self.write(text), *options, "--force")[1]["q"][:, 0]

    def test_of_jumps_give_the_same_motion(self):
        expected = self.motion("-sign(x)")
        t = np.linspace(0, 4, 401)
        exact = np.where(t < 2**0.5, 1 - t**2 / 2, 0)  # until it passes the middle for the first time
        self.assertLess(np.abs(expected - exact)[t < 1.4].max(), 1e-12)
        for force in ["if(x > 0, -1, 1)", "if(x <= 0, 1, -1)", "-2*floor(min(max(x, -0.5), 0.5)) - 1", "1 - 2*min(1, max(0, 1 + floor(x)), 3)"]:
            self.assertLess(np.abs(self.motion(force) - expected).max(), 1e-9, force)

    def test_have_the_same_bits_compiled(self):
        for force in ["-sign(x)", "-mod(x, 0.3)*x", "if(x < 0.5, -x, -floor(3*x))", "max(-x, -0.2, -x^3)"]:
            np.testing.assert_array_equal(self.motion(force, "--native"), self.motion(force, "--no-native"))


def beads(n):
    """n equal points on a line that do not pass each other: sorted, they move as if they were free."""
    names = [f"x{i}" for i in range(n)]
    random = np.random.default_rng(4)
    q = np.sort(random.uniform(0, n, n))
    v = random.normal(0, 1, n)
    gaps = [f'b{i} = "{b} - {a}"' for i, (a, b) in enumerate(zip(names, names[1:]))]
    gaps += [f'far{i} = "{names[i % n]} + 1e3"' for i in range(60 - len(gaps))]
    text = f"""[system]
name = "expression"
coordinates = {names}
lagrangian = "{" + ".join(f"0.5*{x}'^2" for x in names)}"
gaps = {{ {", ".join(gaps)} }}
[initial]
q = {list(q)}
v = {list(v)}
[time]
step = 0.05
end = 2.0
"""
    return text, q, v


def pendulums(n):
    """A chain of n pendulums: every coordinate couples with every other."""
    names = [f"a{i}" for i in range(n)]
    lets, x, y = [], "0", "0"
    for i, a in enumerate(names):
        lets += [f'vx{i} = "{x} + cos({a})*{a}\'"', f'vy{i} = "{y} + sin({a})*{a}\'"', f'h{i} = "{f"h{i - 1}" if i else 0} - cos({a})"']
        x, y = f"vx{i}", f"vy{i}"
    return f"""[system]
name = "expression"
coordinates = {names}
let = {{ {", ".join(lets)} }}
lagrangian = "{" + ".join(f"0.5*(vx{i}^2 + vy{i}^2) - 9.81*h{i}" for i in range(n))}"
[initial]
q = {[0.02 * i for i in range(n)]}
[time]
step = 0.01
end = 0.05
"""


class ManyCoordinates(CaromTest):
    def test_beads_move_as_if_they_were_free(self):
        for n in [17, 40]:
            text, q, v = beads(n)
            for stepper in ["event-driven", "contact"]:
                summary, rows = self.run_to(f"{stepper}{n}", self.write(text), *setting(method__stepper=stepper))
                np.testing.assert_allclose(rows["q"][-1], np.sort(q + 2 * v), atol=1e-9)
                crossings = sum(1 for i in range(n) for k in range(i) if (q[i] - q[k]) * (q[i] + 2 * v[i] - q[k] - 2 * v[k]) < 0)
                self.assertEqual(summary["impacts"]["count"], crossings)
                self.assertLess(summary["energy"]["max_abs_error"], 1e-10 * summary["energy"]["initial"])

    def test_of_masses_and_springs_have_their_modes(self):
        n, mode = 40, 7
        names = [f"u{i}" for i in range(n)]
        stretched = ["u0^2", f"{names[-1]}^2"] + [f"({b} - {a})^2" for a, b in zip(names, names[1:])]
        shape = np.sin(mode * np.pi * np.arange(1, n + 1) / (n + 1))
        frequency = 2 * np.sin(mode * np.pi / (2 * (n + 1)))
        text = f"""[system]
name = "expression"
coordinates = {names}
lagrangian = "{" + ".join(f"0.5*{x}'^2" for x in names)} - 0.5*({" + ".join(stretched)})"
[initial]
q = {list(shape)}
[method]
flow = "kahan-li8"
[time]
step = 0.1
end = 5.0
"""
        for options in [[], ["--native"], setting(method__flow="yoshida4", method__base="midpoint", time__step=0.01)]:
            rows = self.run_to("modes", self.write(text), *options, "--force")[1]
            np.testing.assert_allclose(rows["q"][-1], shape * np.cos(5 * frequency), atol=1e-9)
        for key, value in [("flow", "gauss"), ("tolerance", "1e-08")]:
            line = self.fail_with(2, "check", self.write(text.replace('flow = "kahan-li8"', "")), "--set", f"method.{key}={value}")
            self.assertIn("Gauss collocation takes up to 16 coordinates, and this system has 40", line)

    def test_that_all_couple_keep_their_energy(self):
        scenario = self.write(pendulums(40))
        runs = [self.run_to(out, scenario, *options) for out, options in [("a", ["--no-native"]), ("b", setting(method__flow="midpoint"))]]
        for summary, _ in runs:
            self.assertEqual(summary["status"], "completed")
            self.assertLess(summary["energy"]["max_abs_error"], 1e-4 * abs(summary["energy"]["initial"]))

    def test_a_large_chain_is_that_of_sixteen(self):
        """Seventeen pendulums, the last of which weighs nothing worth speaking of: those of sixteen."""
        light = pendulums(17).replace("0.5*(vx16^2 + vy16^2) - 9.81*h16", "1e-14*(0.5*(vx16^2 + vy16^2) - 9.81*h16)")
        large = self.run_to("large", self.write(light), *setting(method__flow="midpoint"))[1]["q"]
        small = self.run_to("small", self.write(pendulums(16)), *setting(method__flow="midpoint"))[1]["q"]
        np.testing.assert_allclose(large[:, :16], small, atol=1e-9)


if __name__ == "__main__":
    main()
