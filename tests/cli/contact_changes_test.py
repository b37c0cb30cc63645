#!/usr/bin/env python3
"""When contacts begin to last and when they are released, as a user sees it: contacts.csv, the summary, the table on
the terminal, and the files of a run in which none lasts.

usage: contact_changes_test.py PROGRAM SOURCE_DIR
"""

import csv
import json
import sys

import numpy as np

sys.dont_write_bytecode = True
from support import FILES, CaromTest, main, setting

# Lifted more and more: leaves the floor when the force is the weight, at t = 5.
LIFTED = """\
[system]
name = "expression"
coordinates = ["x", "y"]
lagrangian = "0.5*(x'^2 + y'^2) - 10*y"
gaps = { ceiling = "1000 - y", "the, \\"floor\\"" = "y" }
force = ["0", "2*t"]
[initial]
q = [0.0, 0.0]
v = [1.0, 0.0]
[method]
stepper = "gvi"
[time]
step = 0.015625
end = 8.0
"""


class ContactsTest(CaromTest):
    def contacts(self, out):
        with open(self.folder / out / "contacts.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        return [(float(row["time"]), int(row["step"]), row["contact"], row["event"], float(row["settled"])) for row in rows]

    def summary(self, out):
        return json.loads((self.folder / out / "summary.json").read_text())["contacts"]

    def names(self, out):
        return {path.name for path in (self.folder / out).iterdir()}


class Files(ContactsTest):
    def test_a_contact_that_is_released_by_the_force(self):
        self.run_to("out", self.write(LIFTED))
        (t0, *begins), (t1, step, *released) = self.contacts("out")
        self.assertEqual([t0, *begins], [0.0, 1, 'the, "floor"', "begins", 0.0])
        self.assertEqual(released, ['the, "floor"', "released", t1])
        self.assertAlmostEqual(t1, 5.0, delta=3 * 0.015625)
        self.assertEqual(t1, (step - 1) * 0.015625, "GVI tells of it at the beginning of the step")
        self.assertEqual(self.summary("out"), {"begun": 1, "released": 1, "lasting": [], "rest": None})
        rows = np.load(self.folder / "out" / "trajectory.npz")
        self.assertEqual(np.abs(rows["q"][rows["t"] < t1, 1]).max(), 0.0)
        self.assertGreater(rows["q"][rows["t"] > t1 + 0.5, 1].min(), 0.0)
        self.assertEqual(self.names("out"), FILES | {"contacts.csv"})

    def test_a_contact_that_lasts_to_the_end(self):
        result = self.succeed("run", "spring-and-sphere-sliding", "--out", "out")
        self.assertEqual(self.summary("out"), {"begun": 2, "released": 0, "lasting": ["sphere 1", "sphere 2"], "rest": 0.0})
        self.assertIn("\n  contacts      2 begun, 0 released, lasting at the end: sphere 1, sphere 2, the last since t = 0\n", result.out)

    def test_many_contacts_are_counted(self):
        result = self.succeed("run", "column", "--out", "out")
        self.assertIn("10 begun, 0 released, lasting at the end: floor, 1-2, 2-3, 3-4, 4-5, 5-6 and 4 more,", result.out)
        self.assertEqual(len(self.summary("out")["lasting"]), 10)

    def test_beginnings_and_releases_take_turns(self):
        self.run_to("out", "newton-cradle-gvi", *setting(system__parameters__balls=20, time__end=20))
        lasting, seen = set(), self.contacts("out")
        for t, step, contact, event, settled in seen:
            self.assertEqual(contact in lasting, event == "released", (t, contact))
            (lasting.add if event == "begins" else lasting.remove)(contact)
            self.assertEqual(settled, t)
            self.assertAlmostEqual(t, (step - 1) * 0.01, delta=1e-12)
        self.assertGreater(len(seen), 40)
        self.assertEqual([row[0] for row in seen], sorted(row[0] for row in seen))
        summary = self.summary("out")
        self.assertEqual(summary["begun"] - summary["released"], len(lasting))
        self.assertEqual(set(summary["lasting"]), lasting)

    def test_without_lasting_contacts_there_is_no_file(self):
        result = self.succeed("run", "cart-pendulum", *setting(time__end=5), "--out", "out")
        self.assertEqual(self.names("out"), FILES)
        self.assertIsNone(self.summary("out"))
        self.assertNotIn("contacts", result.out)

    def test_an_earlier_file_does_not_stay(self):
        self.run_to("out", self.write(LIFTED))
        self.succeed("run", "cart-pendulum", *setting(time__end=1), "--out", "out", "--force", "--quiet")
        self.assertEqual(self.names("out"), FILES)

    def test_the_report_has_spans(self):
        """Made from the file, or null."""
        self.run_to("out", self.write(LIFTED))
        page = (self.folder / "out" / "report.html").read_text()
        data = json.loads(page.split('id="carom-data">')[1].split("</script>")[0])
        (_, _, name, _, _), (t1, *_) = self.contacts("out")
        self.assertEqual(data["runs"][0]["contacts"], {
            "names": [name], "count": 1, "contact": [0], "from": [0], "to": [t1], "settled": [0], "released": [True],
            "slides": [[]]})
        self.succeed("run", "cart-pendulum", *setting(time__end=1), "--out", "other", "--quiet")
        page = (self.folder / "other" / "report.html").read_text()
        self.assertIsNone(json.loads(page.split('id="carom-data">')[1].split("</script>")[0])["runs"][0]["contacts"])


if __name__ == "__main__":
    main()
