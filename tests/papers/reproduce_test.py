#!/usr/bin/env python3
"""carom reproduce: what it lists, the files of an item, and what it refuses. Cheap items only.

usage: reproduce_test.py PROGRAM SOURCE_DIR
"""

import json
import os
import re
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from papers_support import PapersTest, main

CHEAP = "004-theorem-3.2-affine"  # a picture
TABLED = "004-theorem-3.1"  # a picture and a table
SLOW = "004-fig-4.3"  # seconds: time enough to be stopped


class Listed(PapersTest):
    def test_names_are_unique_and_begin_with_their_paper(self):
        items = self.listed()
        names = [item["name"] for item in items]
        self.assertEqual(len(names), len(set(names)))
        for item in items:
            self.assertEqual(set(item), {"name", "paper", "item", "title", "claim"})
            self.assertRegex(item["name"], rf"^{item['paper']}-[a-z0-9.-]+$")
            for key in item:
                self.assertTrue(item[key].strip(), key)

    def test_every_item_has_its_place_in_the_source(self):
        for item in self.listed():
            files = (self.source / "papers" / item["paper"]).glob("*.cpp")
            self.assertTrue(any(f'"{item["name"]}"' in file.read_text() for file in files), item["name"])

    def test_every_item_is_in_the_page_of_its_paper(self):
        for item in self.listed():
            pages = (self.source / "docs" / "papers").glob(f"{item['paper']}*.md")
            self.assertIn(item["name"], "".join(page.read_text() for page in pages))

    def test_text_names_what_json_names(self):
        text = self.succeed("list", "papers").out
        for item in self.listed():
            self.assertRegex(text, rf"(?m)^  {re.escape(item['name'])} +{re.escape(item['item'])}: ")


class Reproduced(PapersTest):
    def test_an_item(self):
        entries = json.loads(self.succeed("reproduce", CHEAP, TABLED, "--quick", "--json", "--out", "x").out)
        self.assertEqual([entry["name"] for entry in entries], [TABLED, CHEAP], "not in the paper's order")
        folder = self.folder / "x"
        files = {"papers.html"}
        for entry in entries:
            self.check_entry(entry)
            self.assertTrue(entry["quick"])
            self.check_files(folder, entry)
            files |= {f"{entry['name']}.json", *(f"{stem}.{kind}" for stem in entry["pictures"] for kind in
                                                 ["svg", "png", "csv"]), *(t["file"] for t in entry["tables"])}
        self.assertEqual({path.name for path in folder.iterdir()}, files)
        page = (folder / "papers.html").read_text()
        for item in self.listed():
            self.assertIn(f"carom reproduce {item['name']}", page)
            self.assertEqual(f"<section id='{item['name']}'>" in page, item["name"] in [TABLED, CHEAP])

    def test_what_is_printed(self):
        out = self.succeed("reproduce", CHEAP, "--quick").out
        self.assertRegex(out, rf"^{CHEAP} .*: (holds|holds in part|does not hold) \([\d.]+ s\)\n  .+\n")
        self.assertTrue(out.endswith("The page is runs/papers/papers.html\n"), out)
        self.assertEqual(self.succeed("reproduce", CHEAP, "--quick", "--quiet").out, "")

    def test_the_same_again(self):
        def made(out):
            entry = json.loads(self.succeed("reproduce", CHEAP, "--quick", "--json", "--out", out).out)[0]
            del entry["seconds"]
            return entry, self.bytes_of(out, f"{CHEAP}.svg"), self.bytes_of(out, f"{CHEAP}.csv")
        self.assertEqual(made("a"), made("b"))

    def test_a_page_grows(self):
        self.succeed("reproduce", CHEAP, "--quick", "--quiet")
        self.succeed("reproduce", TABLED, "--quick", "--quiet")
        page = (self.folder / "runs/papers/papers.html").read_text()
        for name in [CHEAP, TABLED]:
            self.assertIn(f"<section id='{name}'>", page)

    def test_without_the_converter_there_are_no_pngs(self):
        (self.folder / "bin").mkdir()
        done = subprocess.run(self.command("reproduce", CHEAP, "--quick", "--quiet", "--out", "x"), cwd=self.folder,
                              capture_output=True, text=True, env={**os.environ, "PATH": str(self.folder / "bin")})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no PNG was made: rsvg-convert is missing", self.one_line(done.stderr))
        self.assertTrue((self.folder / "x" / f"{CHEAP}.svg").exists())
        self.assertFalse((self.folder / "x" / f"{CHEAP}.png").exists())


class Refused(PapersTest):
    def test_wrong_names(self):
        line = self.fail_with(2, "reproduce", CHEAP[:-1], "--quick")
        self.assertIn(f'did you mean "{CHEAP}"?', line)
        self.assertIn('"005"', self.fail_with(2, "reproduce", CHEAP, "005"))
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_names_or_all(self):
        for words in [[], [CHEAP, "--all"]]:
            self.assertIn("give names from 'carom list papers', or --all", self.fail_with(2, "reproduce", *words))

    def test_a_folder_of_the_users_own(self):
        (self.folder / "mine").mkdir()
        self.write("text", "mine/letter.txt")
        line = self.fail_with(4, "reproduce", CHEAP, "--quick", "--out", "mine")
        self.assertIn("'mine': holds other files", line)
        self.assertEqual([path.name for path in (self.folder / "mine").iterdir()], ["letter.txt"])
        self.assertIn("is not a folder", self.fail_with(4, "reproduce", CHEAP, "--out", "mine/letter.txt"))
        (self.folder / "empty").mkdir()
        self.succeed("reproduce", CHEAP, "--quick", "--quiet", "--out", "empty")

    def test_a_file_that_cannot_be_written(self):
        self.succeed("reproduce", CHEAP, "--quick", "--quiet", "--out", "x")
        file = self.folder / "x" / f"{CHEAP}.svg"
        file.unlink()
        (file / "in the way").mkdir(parents=True)
        self.assertIn(f"{CHEAP}.svg", self.fail_with(4, "reproduce", CHEAP, "--quick", "--out", "x"))


class Stopped(PapersTest):
    def start(self, *words):
        process = subprocess.Popen(self.command("reproduce", *words, "--out", "x"), cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        deadline = time.monotonic() + 60
        while not (self.folder / "x" / "papers.html").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.1)
        return process

    def test_ctrl_c(self):
        process = self.start(SLOW, "--json")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, json.loads(out), err), (130, [], ""))
        self.assertNotIn("<section", (self.folder / "x" / "papers.html").read_text())

    def test_killed_and_again(self):
        process = self.start(SLOW)
        process.kill()
        process.communicate()
        self.succeed("reproduce", CHEAP, "--quick", "--quiet", "--out", "x")


if __name__ == "__main__":
    main()
