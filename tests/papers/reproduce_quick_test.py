#!/usr/bin/env python3
"""Every item of every paper, shortened: each has a verdict, and pictures with something in them.

usage: reproduce_quick_test.py PROGRAM SOURCE_DIR
"""

import json
import subprocess
import sys

sys.dont_write_bytecode = True
from papers_support import PapersTest, main


class All(PapersTest):
    def test_every_item_has_a_verdict(self):
        done = subprocess.run(self.command("reproduce", "--all", "--quick", "--json"), cwd=self.folder,
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        entries = json.loads(done.stdout)
        self.assertEqual([entry["name"] for entry in entries], [item["name"] for item in self.listed()])
        page = (self.folder / "runs/papers/papers.html").read_text()
        for entry in entries:
            with self.subTest(entry["name"]):
                self.check_entry(entry)
                self.check_files(self.folder / "runs/papers", entry)
                self.assertIn(f"<section id='{entry['name']}'>", page)
        for entry in sorted(entries, key=lambda e: -e["seconds"])[:10]:
            print(f"{entry['seconds']:7.1f} s  {entry['name']}")


if __name__ == "__main__":
    main()
