#!/usr/bin/env python3
"""What a run records: the columns and their meaning, the formats, which rows, where it ends, and in how much memory.

usage: records_test.py PROGRAM SOURCE_DIR
"""

import csv
import json
import pathlib
import subprocess
import sys

import h5py
import numpy as np

sys.dont_write_bytecode = True
from support import CART, SCENARIO, CaromTest, main, setting

NAMES = ["t", "q", "v", "p", "H", "shadow_energy", "discrete_energy", "work", "loss", "momenta", "gaps"]
TRAJECTORY = {"npz": "trajectory.npz", "csv": "trajectory.csv", "hdf5": "trajectory.h5"}

FORCED = """\
[system]
name = "expression"
coordinates = ["x", "y"]
parameters = { m = 2.0, push = 3.0 }
lagrangian = "0.5*m*(x'^2 + y'^2) - m*y"
force = ["push", 0]
gaps = { floor = "y", "left wall" = "x + 1" }
momenta = { "px" = "m*x'", "with py" = "m*y'" }
[initial]
q = [-0.8, 1.0]
v = [-1.5, 0.0]
[time]
end = 5.0
"""


class Cart:
    """The cart-pendulum by hand."""
    m1, m2, L, g = 1, 0.2, 2, 10
    parameters = {}

    def mass(self, q):
        coupling = self.m2 * self.L * np.sin(q[1])
        return np.array([[self.m1 + self.m2, coupling], [coupling, self.m2 * self.L**2]])

    def potential(self, q):
        return (self.m1 + self.m2) * self.g * q[0] - self.m2 * self.g * self.L * np.cos(q[1])

    def gap(self, q):
        return q[0]

    def velocity(self, q, p):
        return np.linalg.solve(self.mass(q), p)

    def hamiltonian(self, q, p):
        return 0.5 * p @ self.velocity(q, p) + self.potential(q)


class Pendulum(Cart):
    m1, m2, L1, L2, g, wall = 1, 1, 1, 1, 10, -0.25

    def mass(self, q):
        c2 = np.cos(q[1])
        coupling = self.m2 * self.L2 * (self.L2 + self.L1 * c2)
        first = (self.m1 + self.m2) * self.L1**2 + self.m2 * self.L2 * (self.L2 + 2 * self.L1 * c2)
        return np.array([[first, coupling], [coupling, self.m2 * self.L2**2]])

    def potential(self, q):
        return ((self.m1 + self.m2) * self.g * self.L1 * (1 - np.cos(q[0]))
                + self.m2 * self.g * self.L2 * (1 - np.cos(q[0] + q[1])))

    def gap(self, q):
        return self.L1 * np.sin(q[0]) + self.L2 * np.sin(q[0] + q[1]) - self.wall


class RecordsTest(CaromTest):
    def rows(self, out, format="npz"):
        path = self.folder / out / TRAJECTORY[format]
        if format == "npz":
            with np.load(path, allow_pickle=False) as arrays:
                return {name: arrays[name] for name in arrays.files if not name.endswith(".names")}
        if format == "hdf5":
            with h5py.File(path) as file:
                return {name: file[name][()] for name in file}
        with open(path, newline="") as file:
            header, *lines = csv.reader(file)
        numbers = np.array(lines, float).reshape(len(lines), len(header))
        columns, coordinates = {}, {}
        for i, name in enumerate(header):
            if name not in NAMES and f"v.{name}" in header:  # that of a coordinate, which goes by its name alone
                coordinates[name] = numbers[:, i]
            columns.setdefault("q" if name in coordinates else name.partition(".")[0], []).append(numbers[:, i])
        rows = {name: parts[0] if name in header else np.stack(parts, axis=1) for name, parts in columns.items()}
        return rows | coordinates

    def recorded(self, out, scenario, format="npz", **changes):
        self.succeed("run", scenario, "--out", out, "--quiet", *setting(output__format=format, **changes))
        return json.loads((self.folder / out / "summary.json").read_text()), self.rows(out, format)


class Columns(RecordsTest):
    """H, momenta and gaps by hand from q and p, to the last digits."""

    CASES = [("cart-pendulum", Cart(), {"method__restitution": 0.8, "method__impact": "continuous-energy", "time__end": 4}),
             ("cart-pendulum", Cart(), {"method__name": "vci", "method__flow": "svc"}),
             ("double-pendulum", Pendulum(), {}),
             ("double-pendulum", Pendulum(), {"method__flow": "yoshida4", "method__impact": "continuous-energy", "output__every": 3})]

    def test_energy_momenta_and_gaps(self):
        for k, (name, system, changes) in enumerate(self.CASES):
            with self.subTest(name=name, changes=changes):
                summary, rows = self.recorded(str(k), name, **changes)
                states = list(zip(rows["q"], rows["p"]))
                np.testing.assert_allclose(rows["H"], [system.hamiltonian(q, p) for q, p in states], rtol=1e-12)
                np.testing.assert_allclose(rows["gaps"][:, 0], [system.gap(q) for q, _ in states], rtol=0, atol=1e-12)
                self.assertEqual(rows["momenta"].shape, (len(rows["t"]), 0))
                self.assertGreater(summary["impacts"]["count"], 0)
                self.check_loss(str(k), system, summary, rows)

    def check_loss(self, out, system, summary, rows):
        lost, total, scale = {}, 0, abs(rows["H"][0])
        for row in self.impacts(out):
            names = list(summary["final"]["coordinates"])
            q = np.array([row[name] for name in names])
            before, after = (np.array([row[f"{kind}.{name}"] for name in names]) for kind in ["p_before", "p_after"])
            drop = system.hamiltonian(q, before) - system.hamiltonian(q, after)
            # Of elastic impacts it is what the law keeps instead of H, and no loss.
            total += drop if summary["energy"]["loss"] > 1e-3 * scale else 0
            lost[row["step"]] = total
        steps = np.rint((rows["t"] - rows["t"][0]) / summary["time"]["step"])
        expected = [max(((step, value) for step, value in lost.items() if step <= n), default=(0, 0))[1] for n in steps]
        np.testing.assert_allclose(rows["loss"], expected, rtol=0, atol=1e-12 * scale * max(1, len(lost)))
        self.assertEqual(summary["energy"]["loss"], rows["loss"][-1])
        np.testing.assert_array_equal(rows["work"], 0)

    def test_restitution_loses_what_the_balance_says(self):
        summary, rows = self.recorded("out", "cart-pendulum", method__restitution=0.8)
        self.assertGreater(rows["loss"][-1], 1)
        np.testing.assert_allclose(rows["H"] + rows["loss"], rows["H"][0], atol=3e-2)

    def test_momenta_where_there_are_some(self):
        for name, momentum in [("cart-pendulum", "vertical momentum"), ("double-pendulum", "angular momentum")]:
            changes = {"system__parameters__g": 0, "method__stepper": "smooth", "time__end": 1, "initial__v": "[0.3, 0.2]",
                       "initial__q": "[3.0, 0.5]" if name == "cart-pendulum" else "[1.0, 0.2]"}
            summary, rows = self.recorded(name, self.write(CART.replace("cart-pendulum", name)), **changes)
            self.assertEqual([own["name"] for own in summary["momenta"]], [momentum])
            np.testing.assert_allclose(rows["momenta"][:, 0], rows["p"][:, 0], rtol=1e-12)
            np.testing.assert_allclose(rows["momenta"], rows["momenta"][0, 0], rtol=1e-11)

    def test_shadow_and_discrete_energy(self):
        for changes in [{"method__flow": "sva"}, {"method__name": "cva"}, {"output__every": 7}]:
            summary, rows = self.recorded(str(changes), "cart-pendulum", **changes)
            shadow = rows["shadow_energy"]
            self.assertLess(np.ptp(shadow), 0.02 * np.ptp(rows["H"]) if "method__name" not in changes else np.inf)
            if summary["shadow_energy"]:
                self.assertEqual(summary["shadow_energy"]["initial"], shadow[0])
                self.assertEqual(summary["shadow_energy"]["max_abs_error"], np.abs(shadow - shadow[0]).max())
            self.assertTrue(np.isnan(rows["discrete_energy"][0]))  # no step led to the start
            np.testing.assert_allclose(rows["discrete_energy"][1:], rows["H"][0], rtol=5e-3)

    def test_a_system_in_formulas_with_a_force(self):
        summary, rows = self.recorded("out", self.write(FORCED))
        q, p = rows["q"], rows["p"]
        np.testing.assert_allclose(rows["H"], (p**2).sum(axis=1) / 4 + 2 * q[:, 1], rtol=1e-12)
        np.testing.assert_allclose(rows["momenta"], p, rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(rows["gaps"], np.stack([q[:, 1], q[:, 0] + 1], axis=1), rtol=0, atol=1e-12)
        np.testing.assert_allclose(rows["work"], 3 * (q[:, 0] - q[0, 0]), atol=1e-9)  # of a constant force
        np.testing.assert_allclose(rows["H"] - rows["H"][0], rows["work"] - rows["loss"], atol=2e-2)
        self.assertTrue(np.isnan(rows["shadow_energy"]).all(), "a forced system has none")
        self.assertEqual({row["contact"] for row in self.impacts("out")}, {"floor", "left wall"})
        self.assertEqual([own["name"] for own in summary["momenta"]], ["px", "with py"])


class Formats(RecordsTest):
    def test_hold_the_same_numbers(self):
        for name, scenario in [("cart", CART), ("pendulum", SCENARIO), ("forced", FORCED)]:
            for every in [1, 7]:
                with self.subTest(name=name, every=every):
                    outs = {format: f"{name}-{every}-{format}" for format in TRAJECTORY}
                    runs = {format: self.recorded(out, self.write(scenario), format, output__every=every)
                            for format, out in outs.items()}
                    self.check_equal(runs)
                    for format, out in outs.items():
                        self.check_info(out, format, runs[format][1])
                        self.assertEqual(self.bytes_of(out, "impacts.csv"), self.bytes_of(outs["npz"], "impacts.csv"))

    def check_equal(self, runs):
        summary, npz = runs["npz"]
        names = NAMES + list(summary["final"]["coordinates"])
        self.assertEqual(list(npz), names)
        for format, (own, rows) in runs.items():
            self.assertEqual(own["final"], summary["final"])
            with_width = [name for name in names if npz[name].size or format != "csv"]
            self.assertEqual(sorted(rows), sorted(with_width))
            for name, array in rows.items():
                self.assertEqual((array.dtype, array.shape), (np.dtype("<f8"), npz[name].shape), (format, name))
                np.testing.assert_array_equal(array, npz[name], f"{format}: {name}")

    def check_info(self, out, format, rows):
        info = json.loads(self.succeed("info", out, "--json").out)
        columns = {column["name"]: tuple(column["shape"]) for column in info["run"]["columns"]}
        self.assertEqual(columns, {name: rows[name].shape for name in columns})
        self.assertLessEqual({name for name in NAMES if rows.get(name, np.empty(0)).size}, set(columns))
        self.assertEqual((info["run"]["rows"], info["run"]["last_time"]), (len(rows["t"]), rows["t"][-1]))
        self.assertEqual((info["run"]["status"], info["run"]["resumable"]), ("completed", False))
        files = {path.name: path.stat().st_size for path in (self.folder / out).iterdir()}
        self.assertEqual(info["files"], files)
        self.assertEqual(set(files), {TRAJECTORY[format], "summary.json", "impacts.csv", "scenario.toml", "report.html",
                                      "checkpoint"})

    def test_the_first_line_of_csv(self):
        self.recorded("out", self.write(FORCED), "csv")
        first = (self.folder / "out/trajectory.csv").read_text().partition("\n")[0]
        self.assertEqual(first, "t,x,y,v.x,v.y,p.x,p.y,H,shadow_energy,discrete_energy,work,loss,momenta.px,momenta.with py,"
                                "gaps.floor,gaps.left wall")

    def test_two_runs_make_equal_files(self):
        for format, file in TRAJECTORY.items():
            for out in ["one", "two"]:
                self.recorded(f"{out}-{format}", self.write(FORCED), format)
            self.assertEqual(self.bytes_of(f"one-{format}", file), self.bytes_of(f"two-{format}", file), format)

    def test_another_format_replaces_the_old_file(self):
        for format in TRAJECTORY:
            self.succeed("run", self.write(SCENARIO), "--out", "out", "--force", "--quiet",
                         *setting(output__format=format))
            trajectories = [path.name for path in (self.folder / "out").glob("trajectory.*")]
            self.assertEqual(trajectories, [TRAJECTORY[format]])


class Names(RecordsTest):
    """Coordinates, velocities and contacts by their names, in every file."""

    def test_velocities_are_those_of_the_momenta(self):
        for name, system in [("cart-pendulum", Cart()), ("double-pendulum", Pendulum())]:
            _, rows = self.recorded(name, name)
            np.testing.assert_allclose(rows["v"], [system.velocity(q, p) for q, p in zip(rows["q"], rows["p"])],
                                       rtol=1e-12, atol=1e-13)

    def test_of_every_format(self):
        for format in TRAJECTORY:
            with self.subTest(format):
                summary, rows = self.recorded(format, "cart-pendulum", format)
                np.testing.assert_array_equal(np.stack([rows["y"], rows["θ"]], axis=1), rows["q"])
                for key, column in [("coordinates", "q"), ("velocities", "v"), ("momenta", "p")]:
                    self.assertEqual(list(summary["final"][key]), ["y", "θ"])
                    self.assertEqual(list(summary["final"][key].values()), rows[column][-1].tolist())
                    self.assertEqual(summary["final"][column], rows[column][-1].tolist())

    def test_beside_the_arrays(self):
        self.recorded("npz", self.write(FORCED))
        self.recorded("hdf5", self.write(FORCED), "hdf5")
        expected = {"q": ["x", "y"], "v": ["x", "y"], "p": ["x", "y"], "momenta": ["px", "with py"],
                    "gaps": ["floor", "left wall"]}
        with np.load(self.folder / "npz/trajectory.npz", allow_pickle=False) as arrays:
            self.assertEqual({name.removesuffix(".names"): arrays[name].tolist() for name in arrays.files
                              if name.endswith(".names")}, expected)
        with h5py.File(self.folder / "hdf5/trajectory.h5") as file:
            self.assertEqual({name: list(file[name].attrs["names"]) for name in file if "names" in file[name].attrs}, expected)

    def test_that_columns_have_already(self):
        """A coordinate never takes the name of a column."""
        text = FORCED.replace('"x", "y"', '"H", "v"').replace("x'", "H'").replace("y'", "v'").replace("m*y", "m*v")
        text = text.replace('floor = "y"', 'loss = "v"').replace("x + 1", "H + 1")
        _, plain = self.recorded("plain", self.write(FORCED))
        for format in TRAJECTORY:
            summary, rows = self.recorded(format, self.write(text, "other.toml"), format)
            self.assertEqual(list(summary["final"]["coordinates"]), ["H", "v"])
            for name in NAMES:
                np.testing.assert_array_equal(rows[name], plain[name], name)
        header = (self.folder / "csv/trajectory.csv").read_text().partition("\n")[0]
        self.assertTrue(header.startswith("t,q.H,q.v,v.H,v.v,p.H,p.v,H,"), header)
        self.succeed("report", "csv")

    def test_of_many_bodies(self):
        for discs in [12, 50, 51, 150]:
            out = f"{discs}"
            self.succeed("run", "box-of-discs", "--out", out, "--quiet",
                         *setting(output__format="hdf5", time__end=0.02, system__parameters__discs=discs,
                                  system__parameters__r=0.02))
            with h5py.File(self.folder / out / "trajectory.h5") as file:
                names = list(file["q"].attrs["names"])
                self.assertEqual((names[-1], len(names)), (f"y{discs}", 2 * discs))
                self.assertEqual(file["gaps"].attrs["names"].shape, (file["gaps"].shape[1],))
                self.assertEqual("y1" in file, discs <= 50)
                if discs <= 50:
                    np.testing.assert_array_equal(file[names[-1]], file["q"][:, -1])


class Every(RecordsTest):
    def test_rows_are_those_of_the_whole_run(self):
        _, whole = self.recorded("whole", "cart-pendulum")
        for every in [2, 3, 100, 499, 500, 501, 10**15]:
            with self.subTest(every):
                _, rows = self.recorded(str(every), "cart-pendulum", output__every=every)
                kept = sorted({*range(0, 501, every), 500})
                for name in ["t", "q", "v", "p", "H", "work", "loss", "momenta", "gaps", "discrete_energy"]:
                    np.testing.assert_array_equal(rows[name], whole[name][kept], name)


class Ends(RecordsTest):
    """time.until and time.impacts, each against the run that goes on."""

    def check_until(self, scenario, formula, values, **changes):
        """`values`: the formula at every grid point of the run without it."""
        signs = np.sign(values)
        first = signs[signs != 0][0]
        expected = next(n for n in range(1, len(signs)) if signs[n] in (0, -first))
        summary, rows = self.recorded(f"until {len(list(self.folder.iterdir()))}", scenario,
                                      time__until=f'"{formula}"', **changes)
        self.assertEqual((summary["status"], summary["ended_by"]), ("completed", "until"), formula)
        self.assertEqual(summary["time"]["steps"], expected, formula)
        return rows

    def test_when_a_formula_changes_sign(self):
        _, whole = self.recorded("whole", "cart-pendulum")
        t, q, p = whole["t"], whole["q"], whole["p"]
        v = np.array([Cart().velocity(*state) for state in zip(q, p)])
        for formula, values in [("θ - 0.5", q[:, 1] - 0.5), ("y - 2", q[:, 0] - 2), ("y - L", q[:, 0] - 2),
                                ("y'", v[:, 0]), ("θ' + 1", v[:, 1] + 1), ("t - 1.005", t - 1.005), ("1.5 - t", 1.5 - t),
                                ("sin(3*t) + y/100", np.sin(3 * t) + q[:, 0] / 100), ("m1*y' + 3", v[:, 0] + 3)]:
            with self.subTest(formula):
                rows = self.check_until("cart-pendulum", formula, values)
                for name in ["t", "q", "p"]:
                    np.testing.assert_array_equal(rows[name], whole[name][:len(rows["t"])])

    def test_from_zero_only_the_next_zero_counts(self):
        _, whole = self.recorded("whole", "cart-pendulum")
        self.check_until("cart-pendulum", "θ", whole["q"][:, 1])

    def test_with_the_names_of_other_systems(self):
        _, whole = self.recorded("whole", "double-pendulum")
        self.check_until("double-pendulum", "θ1 + θ2", whole["q"].sum(axis=1))
        _, whole = self.recorded("forced", self.write(FORCED))
        self.check_until("my.toml", "x' - push/10", whole["p"][:, 0] / 2 - 0.3)

    def test_the_last_row_is_kept_between_rows(self):
        _, whole = self.recorded("whole", "cart-pendulum")
        rows = self.check_until("cart-pendulum", "θ - 0.5", whole["q"][:, 1] - 0.5, output__every=1000)
        self.assertEqual(len(rows["t"]), 2)
        self.assertGreater(rows["q"][-1, 1], 0.5)

    def test_whatever_comes_first(self):
        for changes, ended_by in [({"time__until": '"t - 9"'}, "end"), ({"time__until": '"t - 1"'}, "until"),
                                  ({"time__until": '"t - 9"', "time__impacts": 2}, "impacts")]:
            summary, _ = self.recorded(ended_by, "cart-pendulum", **changes)
            self.assertEqual((summary["status"], summary["ended_by"]), ("completed", ended_by))

    def test_until_alone_is_an_end(self):
        self.write('[system]\nname = "cart-pendulum"\n[time]\nuntil = "t - 0.055"\n')
        summary, _ = self.recorded("out", "my.toml")
        self.assertEqual(summary["time"]["steps"], 6)

    def test_after_so_many_impacts(self):
        _, whole = self.recorded("whole", "cart-pendulum")
        steps = [int(row["step"]) for row in self.impacts("whole")]
        for count, step in enumerate(steps, 1):
            summary, rows = self.recorded(f"after-{count}", "cart-pendulum", time__impacts=count)
            self.assertEqual((summary["ended_by"], summary["time"]["steps"]), ("impacts", step))
            self.assertEqual(len(self.impacts(f"after-{count}")), count)
            np.testing.assert_array_equal(rows["q"], whole["q"][:step + 1])


class Memory(RecordsTest):
    LIMIT = 60_000  # kB
    # A small process stands between: a child's peak counts from its parent's size at the fork.
    MEASURE = ("import resource, subprocess, sys; code = subprocess.call(sys.argv[1:]); "
               "print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")

    def setUp(self):
        super().setUp()
        if b"__asan_init" in pathlib.Path(self.program).read_bytes():
            self.skipTest("the sanitizers hold on to freed memory")

    def peak(self, *arguments):
        done = subprocess.run(["/usr/bin/python3", "-S", "-c", self.MEASURE, *self.command(*arguments)], cwd=self.folder,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
        code, kilobytes = done.stdout.split()[-2:]
        self.assertEqual((code, done.stderr), ("0", ""))
        return int(kilobytes)

    def test_does_not_grow_with_the_steps(self):
        long = self.peak("run", "point-mass", "--out", "long", "--quiet",
                         *setting(time__step=0.001, time__end=3000, output__every=100_000, method__name="cva"))
        self.assertLess(long, self.LIMIT)
        self.assertEqual(json.loads(self.bytes_of("long", "summary.json"))["time"]["steps"], 3_000_000)

    def test_does_not_grow_with_the_rows(self):
        for format in TRAJECTORY:
            large = self.peak("run", "point-mass", "--out", format, "--quiet",
                              *setting(time__end=6000, time__step=0.005, method__name="cva", output__format=format))
            self.assertGreater((self.folder / format / TRAJECTORY[format]).stat().st_size, 40_000_000)
            self.assertLess(large, self.LIMIT, format)
            self.assertLess(self.peak("info", format), self.LIMIT)


if __name__ == "__main__":
    main()
