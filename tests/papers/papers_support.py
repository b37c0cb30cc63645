"""What the tests of `carom reproduce` share: where the helpers of the other tests are, and what an item leaves."""

import csv
import json
import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "cli"), str(TESTS / "report")]
from support import CaromTest, main  # noqa: E402,F401

PNG = b"\x89PNG\r\n\x1a\n"
VERDICTS = {"holds", "holds in part", "does not hold"}
KEYS = ["paper", "item", "claim", "measured", "verdict", "seconds"]


class PapersTest(CaromTest):
    def listed(self):
        return json.loads(self.succeed("list", "papers", "--json").out)

    def check_entry(self, entry):
        """An entry of the list that --json prints."""
        self.assertNotIn("error", entry)
        self.assertLessEqual(set(KEYS), set(entry))
        for key in ["paper", "item", "name", "claim", "measured", "methods", "parameters"]:
            self.assertTrue(entry[key].strip(), key)
        self.assertIn(entry["verdict"], VERDICTS)
        self.assertGreaterEqual(entry["seconds"], 0)
        self.assertTrue(entry["pictures"] or entry["tables"], "nothing to look at")
        for word in ["nan", "inf", "-nan"]:
            self.assertNotIn(word, entry["measured"].replace(",", " ").split(), entry["measured"])

    def check_files(self, folder, entry):
        """The files that the entry speaks of, and no empty ones."""
        self.assertEqual(json.loads((folder / f"{entry['name']}.json").read_text()), entry)
        for stem in entry["pictures"]:
            svg = (folder / f"{stem}.svg").read_text()
            self.assertTrue(svg.startswith("<svg") and svg.rstrip().endswith("</svg>"), stem)
            self.assertRegex(svg, "<(path|polyline|circle)", "no curve")
            self.assertTrue((folder / f"{stem}.png").read_bytes().startswith(PNG), stem)
            rows = self.rows(folder / f"{stem}.csv")
            self.assertEqual(rows[0], ["axes", "series", "x", "y"])
            self.assertGreater(len(rows), 1, stem)
            for row in rows[1:]:
                self.assertEqual(len(row), 4)
                float(row[2]), float(row[3])
            self.assertLess((folder / f"{stem}.csv").stat().st_size, 2e6, "large for a picture")
        for table in entry["tables"]:
            self.assertEqual(self.rows(folder / table["file"]), [table["header"], *table["rows"]])

    def rows(self, path):
        with open(path, newline="") as file:
            return list(csv.reader(file))
