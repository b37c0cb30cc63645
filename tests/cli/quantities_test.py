#!/usr/bin/env python3
"""Quantities of the user's own: [output] quantities, in records, summaries, sweeps and as the end of a run.

usage: quantities_test.py PROGRAM SOURCE_DIR
"""

import csv
import json
import sys

import h5py
import numpy as np

sys.dont_write_bytecode = True
from support import CART, main, setting
from sweep_support import SweepTest

OWN = CART + """\
[output]
quantities = { height = "y - L*cos(θ)", T = "0.5*m1*y'^2", late = "height + T*t" }
"""

# y' = 2 u: formulas of a DAE name its z.
DAE = """\
[system]
name = "dae"
coordinates = ["x"]
z = ["u"]
v = ["2*u"]
f = ["-x"]
energy = "u^2 + x^2/2"
[initial]
q = [1.0]
p = [0.25]
[time]
step = 0.01
end = 1.0
[output]
quantities = { twice = "2*u" }
"""


def by_hand(rows):
    height = rows["y"] - 2 * np.cos(rows["θ"])
    T = 0.5 * rows["v"][:, 0]**2
    return {"height": height, "T": T, "late": height + T * rows["t"]}


class Quantities(SweepTest):
    def run_own(self, out="out", *arguments, text=OWN):
        self.succeed("run", self.write(text), "--out", out, "--quiet", *arguments)
        return self.read(out)

    def check_range(self, found, values):
        self.assertEqual(found, {"initial": values[0], "final": values[-1], "min": values.min(), "max": values.max()})

    def test_are_recorded_and_summed_up(self):
        summary, rows = self.run_own()
        self.assertEqual(list(summary["quantities"]), ["height", "T", "late"])
        for k, (name, values) in enumerate(by_hand(rows).items()):
            np.testing.assert_allclose(rows[name], values, rtol=1e-14, atol=1e-14)
            np.testing.assert_array_equal(rows[name], rows["quantities"][:, k])
            self.check_range(summary["quantities"][name], rows[name])

    def test_ranges_are_those_of_all_steps(self):
        whole, _ = self.run_own()
        for every in [7, 1000]:
            summary, rows = self.run_own(str(every), *setting(output__every=every))
            self.assertEqual(summary["quantities"], whole["quantities"])

    def test_in_every_format(self):
        _, rows = self.run_own()
        self.succeed("run", "my.toml", "--out", "csv", "--quiet", *setting(output__format="csv"))
        with open(self.folder / "csv/trajectory.csv", newline="") as file:
            table = list(csv.DictReader(file))
        self.succeed("run", "my.toml", "--out", "hdf5", "--quiet", *setting(output__format="hdf5"))
        with h5py.File(self.folder / "hdf5/trajectory.h5") as file:
            for name in by_hand(rows):
                np.testing.assert_array_equal([float(row[name]) for row in table], rows[name])
                np.testing.assert_array_equal(file[name], rows[name])
        for out in ["out", "csv", "hdf5"]:
            page = (self.folder / out / "report.html").read_text()
            self.assertIn('"quantities":["height","T","late"]', page)

    def test_the_run_itself_is_the_same(self):
        _, rows = self.run_own()
        _, plain = self.run_own("plain", text=CART)
        for name in plain:
            np.testing.assert_array_equal(rows[name], plain[name], name)

    def test_of_every_kind_of_system(self):
        for scenario in ["double-pendulum-in-formulas", "pendulum", "disc", "newton-cradle", "pogo-stick", "dae-exponential"]:
            with self.subTest(scenario):
                name = list(self.run_to(scenario, scenario)[0]["final"]["coordinates"])[-1]
                _, rows = self.run_to(f"{scenario} own", scenario, "--set", f'output.quantities.own="3*{name} + t"')
                np.testing.assert_allclose(rows["own"], 3 * rows["q"][:, -1] + rows["t"], rtol=1e-14, atol=1e-14)

    def test_of_a_dae_name_its_z(self):
        _, rows = self.run_own(text=DAE)
        np.testing.assert_allclose(rows["twice"], 2 * rows["p"][:, 0], rtol=1e-13)
        np.testing.assert_allclose(rows["v"], 2 * rows["p"], rtol=1e-13)
        summary, rows = self.run_own("until", *setting(time__until='"u"'), text=DAE)
        self.assertEqual(summary["ended_by"], "until")
        self.assertTrue(rows["p"][-1, 0] <= 0 < rows["p"][-2, 0])

    def test_end_a_run(self):
        _, whole = self.run_own()
        summary, rows = self.run_own("until", *setting(time__until='"height - 1"'))
        first = int(np.argmax(whole["height"] < 1))
        self.assertEqual((summary["ended_by"], summary["time"]["steps"]), ("until", first))

    def test_of_a_run_that_went_on(self):
        longer = setting(time__step=0.000005, output__every=500)
        whole, _ = self.run_own("straight", *longer)
        resumed = self.stop_and_resume("resumed", "my.toml", *longer)
        self.assertEqual(self.bytes_of("resumed"), self.bytes_of("straight"))
        self.assertEqual(resumed["quantities"], whole["quantities"])

    def test_without_a_value_are_told(self):
        text = CART + "[output]\nquantities = { root = \"sqrt(y - 2)\" }\n"
        self.write(text)
        result = self.carom("run", "my.toml", "--out", "out", "--quiet")
        self.assertEqual(result.code, 0)
        self.assertIn('the quantity "root" has no finite value at t = 0.', self.one_line(result.err))
        summary, rows = self.read("out")
        self.assertEqual(summary["quantities"]["root"]["max"], np.nanmax(rows["root"]))

    def test_in_sweeps(self):
        self.write(OWN, "cart.toml")
        fields = [f"quantities.{name}.{kind}" for name in ["height", "T"] for kind in ["initial", "final", "min", "max"]]
        fields += ["final.coordinates.θ", "final.velocities.y", "final.v.0", "final.momenta.θ"]
        text = (f'scenario = "cart.toml"\nfields = {json.dumps(fields, ensure_ascii=False)}\nseries = ["height", "θ", "v.y"]\n'
                '[grid]\n"initial.q.0" = [3.0, 4.0, 5.0]\n[set]\ninitial.q = [4.2, 0.0]\ninitial.v = [0.0, 2.744]\n')
        found = self.sweep(text, "one", "--threads", "1")
        self.sweep(text, "two", "--threads", "2")
        self.assertEqual(self.bytes_of("one", "sweep.npz"), self.bytes_of("two", "sweep.npz"))
        without = self.sweep(text.replace('series = ["height", "θ", "v.y"]\n', ""), "packed")
        for k, y in enumerate([3.0, 4.0, 5.0]):
            one = self.alone("initial.q=[4.2, 0.0]", "initial.v=[0.0, 2.744]", f"initial.q.0={y}")
            for field in fields:
                at = one
                for part in field.split("."):
                    at = at[int(part)] if isinstance(at, list) else at[part]
                self.assertEqual((found[field][k], without[field][k]), (at, at), field)
        np.testing.assert_array_equal(found["height"][0], np.quantile([1.0, 2.0, 3.0], found["quantiles"]))
        self.assertEqual(found["v.y"].shape, (len(found["t"]), 5))

    def test_that_are_wrong_are_refused_by_name(self):
        for entry, place, words in [
                ('height = "z - 1"', "output.quantities.height", ["column 1", "z"]),
                ('height = "y -"', "output.quantities.height", ["column"]),
                ('height = 3', None, []),
                ('height = true', "output.quantities.height", ["string"]),
                ('y = "θ"', "output.quantities.y", ["taken"]),
                ('L = "θ"', "output.quantities.L", ["taken"]),
                ('t = "θ"', "output.quantities.t", ["records"]),
                ('H = "θ"', "output.quantities.H", ["records"]),
                ('friction = "θ"', "output.quantities.friction", ["records"]),
                ('sin = "θ"', "output.quantities.sin", ["function"]),
                ('"a b" = "θ"', 'output.quantities."a b"', ["letters"]),
                ('a = "b", b = "θ"', "output.quantities.a", ["b"]),
                ('a = "1/θ"', "output.quantities.a", ["at the start"])]:
            with self.subTest(entry):
                text = CART + f"[output]\nquantities = {{ {entry} }}\n"
                self.write(text)
                if place is None:
                    self.succeed("check", "my.toml")
                    continue
                line = self.fail_with(2, "check", "my.toml")
                self.assertTrue(line.startswith("my.toml:7:"), line)
                self.assertIn(place, line)
                for word in words:
                    self.assertIn(word, line)
        self.write(CART + "[output]\nquantities = 3\n")
        self.assertIn("must be a table", self.fail_with(2, "check", "my.toml"))


if __name__ == "__main__":
    main()
