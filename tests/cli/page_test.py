#!/usr/bin/python3
"""What a report's page is given: where contacts are in the drawing, the command, the method in words, what was lost.

How the page shows it is tested in tests/report/.
"""

import json
import math
import re

from support import CaromTest, main

# A ball over a floor that may or may not be drawn; lengths in units of 1/scale.
BALL = """\
[system]
name = "expression"
coordinates = ["x", "y"]
parameters = {{ R = {R}, g = {g} }}
lagrangian = "0.5*(x'^2 + y'^2) - g*y"
gaps = {{ floor = "y - R", right = "{wall} - R - x" }}
[initial]
q = [0.0, {high}]
v = [{speed}, 0.0]
[method]
impact = "continuous-energy"
[time]
step = 0.01
end = 4.0
[draw]
points.ball = ["x", "y"]
circles = [["ball", "R"]]
"""

TABLE = """\
[system]
name = "expression"
coordinates = ["y"]
lagrangian = "0.5*y'^2 - 9.81*y"
gaps = { table = "y - 0.2*sin(3*t)" }
[initial]
q = [1.0]
[time]
step = 0.01
end = 3.0
[draw]
points.ball = ["0", "y + 0.1"]
points.table = ["0", "0.2*sin(3*t) - 0.05"]
circles = [["ball", "0.1"]]
boxes = [["table", "1.0", "0.1"]]
"""

LINKS = """\
[system]
name = "expression"
coordinates = ["a", "b"]
lagrangian = "a'^2 + 0.5*b'^2 + cos(a - b)*a'*b' + 2*9.81*cos(a) + 9.81*cos(b)"
gaps = { elbow = "sin(a) + 0.2", hand = "sin(a) + sin(b) + 0.9" }
[initial]
q = [0.9, 0.6]
[time]
step = 0.005
end = 4.0
[draw]
points.pivot = ["0", "0"]
points.elbow = ["sin(a)", "-cos(a)"]
points.hand = ["sin(a) + sin(b)", "-cos(a) - cos(b)"]
lines = [["pivot", "elbow", "hand"]]
"""


class PageTest(CaromTest):
    def page(self, out):
        text = (self.folder / out / "report.html").read_text()
        return json.loads(re.search(r'id="carom-data">(.*?)</script>', text, re.S)[1])

    def hits(self, out, scenario, *arguments):
        """For every impact: its contact, where the page has its contacts, and the coordinates."""
        self.succeed("run", scenario, "--out", out, "--quiet", *arguments)
        run = self.page(out)["runs"][0]
        shown, rows = run["impacts"], self.impacts(out)
        size = len(self.page(out)["coordinates"])
        q = {row["time"]: list(row.values())[3:3 + size] for row in rows}  # behind time, step and contact
        times = sorted(q)
        hits = []
        for t, contact, xy in zip(shown["t"], shown["contact"], shown["places"]):
            nearest = min(times, key=lambda s: abs(s - t))
            hits.append((run["contact_names"][contact], list(zip(xy[::2], xy[1::2])), q[nearest]))
        self.assertGreater(len(hits), 0)
        return hits

    def check_places(self, hits, place, near=1e-5):
        for contact, places, q in hits:
            names = contact.split(" + ")
            self.assertEqual(len(places), len(names), contact)
            for name, (x, y) in zip(names, places):
                wanted = place(name, q)
                digits = 1e-6 * math.hypot(*wanted)  # the page has seven
                self.assertLess(math.dist((x, y), wanted), near + digits, f"{name}: {(x, y)}, not {wanted}")

    def test_walls_and_floors(self):
        bob = lambda q: (math.sin(q[0]) + math.sin(q[0] + q[1]), -math.cos(q[0]) - math.cos(q[0] + q[1]))  # noqa: E731
        self.check_places(self.hits("d", "double-pendulum"), lambda _, q: bob(q))
        self.check_places(self.hits("c", "cart-pendulum"), lambda _, q: (0, 0))
        self.check_places(self.hits("p", "particle", "--set", "time.impacts=40"), lambda _, q: (q[0], 0))
        self.check_places(self.hits("m", "point-mass"), lambda _, q: (0, 0), 0.02)
        self.check_places(self.hits("s", "pogo-stick", "--set", "time.impacts=30"), lambda _, q: (0, 0), 1e-3)
        for _, ((x, y),), q in self.hits("t", "star", "--set", "time.impacts=40"):
            self.assertAlmostEqual(y, 0, delta=1e-5)
            self.assertAlmostEqual(math.dist((x, y), q[:2]), math.sqrt(0.5), delta=1e-4)  # a vertex

    def test_curves(self):
        for name, (a, b) in {"billiard": (2, 1), "ball-in-bowl": (0.25, 0.25)}.items():
            for _, ((x, y),), q in self.hits(name, name, *(["--set", "time.impacts=40"] if name == "billiard" else [])):
                self.assertAlmostEqual((x / a) ** 2 + (y / b) ** 2, 1, delta=1e-3)
                self.assertLess(math.dist((x, y), q), 1e-3)

    def test_between_bodies(self):
        def bead(name, q):
            k = ["left", "first", "second", "third", "fourth", "right"].index(name)
            return (0 if k == 0 else 5 if k == 5 else (q[k - 1] + q[k]) / 2, 0)
        self.check_places(self.hits("beads", "chain-of-beads"), bead)

        def disc(name, q):
            centre = lambda i: (q[2 * i - 2], q[2 * i - 1])  # noqa: E731
            wall, *number = name.split()
            if number:
                x, y = centre(int(number[0]))
                return {"floor": (x, 0), "left": (0, y), "right": (1, y), "lid": (x, 1)}[wall]
            a, b = map(int, name.split("-"))
            return tuple((u + v) / 2 for u, v in zip(centre(a), centre(b)))
        hits = self.hits("box", "box-of-discs", "--set", "time.end=0.6")
        self.check_places([hit for hit in hits if "more" not in hit[0]], disc)

        def ball(name, q):
            a, b = map(int, name.split("-"))
            return ((q[2 * a - 2] + q[2 * b - 2]) / 2, (q[2 * a - 1] + q[2 * b - 1]) / 2)
        self.check_places(self.hits("cradle", "newton-cradle", "--set", "time.end=3"), ball)
        self.check_places(self.hits("angles", "newton-cradle", "--set", "time.end=3", "--set", "system.parameters.coordinates=\"angles\""),
                          lambda name, q: (0.5 * (int(name[0]) - 0.5) + (math.sin(q[int(name[0]) - 1]) + math.sin(q[int(name[0])])) / 2,
                                           -(math.cos(q[int(name[0]) - 1]) + math.cos(q[int(name[0])])) / 2))

    def test_seen_from_one_side(self):
        """Spheres in space, seen along z: between the two, or at the edge of the one."""
        for contact, ((x, y),), q in self.hits("chain", "lennard-jones-chain"):
            numbers = [int(n) for n in re.findall(r"\d+", contact)]
            centres = [(q[3 * n - 3], q[3 * n - 2]) for n in numbers]
            middle = tuple(sum(c) / len(centres) for c in zip(*centres))
            self.assertLess(math.dist((x, y), middle), 0.5, contact)

    def test_any_unit_and_no_floor_drawn(self):
        for scale in (1e-3, 1.0, 1e6):
            text = BALL.format(R=0.1 * scale, g=9.81 * scale, wall=3 * scale, high=2 * scale, speed=1.5 * scale)
            for ground in ("", f"ground = [[{-5 * scale}, 0.0, {5 * scale}, 0.0]]\n"):
                hits = self.hits(f"ball{scale}{bool(ground)}", self.write(text + ground))
                self.assertEqual({contact for contact, _, _ in hits}, {"floor", "right"})
                self.check_places(hits, lambda name, q: (q[0], 0) if name == "floor" else (3 * scale, q[1]), 1e-4 * scale)  # noqa: B023

    def test_moving_table(self):
        self.check_places(self.hits("table", self.write(TABLE)), lambda _, q: (0, q[0]), 1e-6)

    def test_points_of_a_linkage_without_walls(self):
        hits = self.hits("links", self.write(LINKS))
        self.assertEqual({contact for contact, _, _ in hits}, {"elbow", "hand"})
        elbow = lambda q: (math.sin(q[0]), -math.cos(q[0]))  # noqa: E731
        self.check_places(hits, lambda name, q: elbow(q) if name == "elbow"
                          else tuple(u + v for u, v in zip(elbow(q), (math.sin(q[1]), -math.cos(q[1])))))

    def test_the_command_is_the_one_given(self):
        folder = str(self.folder)
        self.succeed("run", "cart-pendulum", "--set", "time.end=1", "--set", "title=a \"b\"'s", "--out", folder + "/sub/a", "--quiet")
        wanted = "carom run cart-pendulum --set time.end=1 --set 'title=a \"b\"'\\''s' --out sub/a --quiet"
        self.assertEqual(self.page("sub/a")["command"], wanted)
        self.assertEqual(self.read("sub/a")[0]["command"], wanted)
        self.write("[system]\nname = \"particle\"\n[time]\nend = 1.0\n")
        self.succeed("run", folder + "/my.toml", "--out=" + folder + "/b", "--quiet")
        self.assertEqual(self.page("b")["command"], "carom run my.toml --out=b --quiet")
        self.succeed("report", "b")
        self.assertEqual(self.page("b")["command"], "carom run my.toml --out=b --quiet")
        self.succeed("compare", "cart-pendulum", "--method", "cva", "--method", "shadow", "--set", "time.end=1", "--out", "c", "--quiet")
        self.assertEqual(self.page("c")["command"],
                         "carom compare cart-pendulum --method cva --method shadow --set time.end=1 --out c --quiet")
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        self.folder = elsewhere
        self.succeed("run", folder + "/my.toml", "--out", "d", "--quiet")
        self.assertEqual(self.page("d")["command"], "carom run my.toml --out d --quiet")

    def test_the_method_in_words(self):
        self.succeed("compare", "cart-pendulum", "--method", "shadow", "--method", "flow=yoshida4,impact=continuous-energy",
                     "--set", "time.end=1", "--out", "c", "--quiet")
        first, second = (run["method_in_words"] for run in self.page("c")["runs"])
        self.assertEqual(first, "a second-order variational integrator (Stormer-Verlet) that keeps the energy which its own steps "
                                "conserve, through impacts too")
        self.assertEqual(second, "a fourth-order variational integrator that keeps H at each impact")
        for stepper, words in {"contact": "and follows contacts that last", "smooth": "a second-order variational integrator (Stormer-Verlet)",
                               "gvi": "start with the reflection of what they would hit", "dae-euler": "symplectic method for constraints"}.items():
            self.succeed("run", "cart-pendulum", "--set", f"method.stepper={stepper}", "--set", "time.end=0.1", "--out", stepper, "--quiet")
            self.assertIn(words, self.page(stepper)["runs"][0]["method_in_words"])

    def test_losses_are_no_error(self):
        summary, _ = self.run_to("lossy", "bouncing-with-loss")
        self.assertIs(summary["energy"]["lossy"], True)
        run = self.page("lossy")["runs"][0]
        self.assertGreater(summary["energy"]["loss"], 1)
        self.assertEqual(run["row"]["energy_error"], abs(summary["energy"]["remainder"]))
        self.assertLess(run["row"]["energy_error"], 0.1)
        self.assertIsNone(run["row"]["drift"])
        self.assertAlmostEqual(run["series"]["remainder"][-1], summary["energy"]["remainder"], delta=1e-6 * abs(summary["energy"]["remainder"]))
        summary, _ = self.run_to("elastic", "cart-pendulum")
        self.assertIs(summary["energy"]["lossy"], False)
        self.assertEqual(self.page("elastic")["runs"][0]["row"]["energy_error"], summary["energy"]["max_abs_error"])

    def test_extremes_of_long_runs(self):
        """Between the points of a long run nothing is lost; a short one has all of its points."""
        _, rows = self.run_to("long", "kapitza-pendulum", "--set", "time.end=400", "--set", "output.every=1")
        series = self.page("long")["runs"][0]["series"]
        self.assertLess(len(series["t"]), len(rows["t"]) / 2)
        for name, column in (("q", rows["q"][:, 0]), ("H_error", rows["H"] - rows["H"][0])):
            trace = series[name][0] if name == "q" else series[name]
            self.assertAlmostEqual(max(trace["high"]), column.max(), delta=1e-6 * abs(column).max())
            self.assertAlmostEqual(min(trace["low"]), column.min(), delta=1e-6 * abs(column).max())
        self.run_to("short", "cart-pendulum")
        self.assertIsInstance(self.page("short")["runs"][0]["series"]["H_error"], list)


    def test_quantities_velocities_and_forces(self):
        """All that the records have by name, in every format, and of a run whose scenario names none."""
        scenario = self.write("""\
[system]
name = "particle"
[initial]
q = [0.0, 0.5]
v = [0.3, 0.0]
[method]
stepper = "contact"
restitution = 0.2
[time]
step = 0.01
end = 3.0
[output]
quantities = { height = "2*y", speed = "hypot(x', y')" }
""")
        for form in ("npz", "csv", "hdf5"):
            self.succeed("run", scenario, "--out", form, "--quiet", "--set", f"output.format={form}")
            page = self.page(form)
            series = page["runs"][0]["series"]
            self.assertEqual(page["quantities"], ["height", "speed"])
            for height, y in zip(series["quantities"][0], series["q"][1]):
                self.assertAlmostEqual(height, 2 * y, delta=1e-6)
            for speed, x, y in zip(series["quantities"][1], *series["v"]):
                self.assertAlmostEqual(speed, math.hypot(x, y), delta=1e-5)
            self.assertAlmostEqual(series["forces"][0][-1], 9.81, delta=1)  # its weight
        self.succeed("run", "cart-pendulum", "--out", "none", "--quiet")
        page = self.page("none")
        self.assertEqual((page["quantities"], page["runs"][0]["series"]["quantities"]), ([], []))
        self.assertNotIn("forces", page["runs"][0]["series"])


if __name__ == "__main__":
    main()
