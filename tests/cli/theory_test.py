#!/usr/bin/env python3
"""The chapter of theory names what is there: each file, each name in it and each test, as its tables say.

A claim is a link to a source file and the names that follow it: "[shadow.hpp](../../include/carom/flow/shadow.hpp):
`shadow_energy`, `iterate`". In tests, `Suite.Name` is a test of GoogleTest and `test_...` one in Python.

usage: theory_test.py PROGRAM SOURCE_DIR
"""

import dataclasses
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from support import CaromTest, main

CLAIM = re.compile(r"\[([^\]]+)\]\(([^)\s]+\.(?:hpp|cpp|py))\)(?::\s*(`[^`]+`(?:,\s+`[^`]+`)*))?")
PAPER = re.compile(r"\b00[0-4]\b(?=,| |;|:|\))")
LONGEST_PAGE = 250


@dataclasses.dataclass
class Claim:
    page: str
    text: str  # of the link
    path: pathlib.Path
    names: list

    def __str__(self):
        return f"{self.page}: {self.text}: {', '.join(self.names)}"


def without_comments(path):
    text = path.read_text()
    return text if path.suffix == ".py" else re.sub(r"//.*", "", text)


def is_there(name, path):
    """Whether a name is used in a file's code; of a test, whether it is defined there."""
    code = without_comments(path)
    if "." in name:
        suite, test = map(re.escape, name.split("."))
        return re.search(rf"\b(?:TYPED_)?TEST(?:_F|_P)?\({suite}, {test}\)", code)
    if name.startswith("test_"):
        return re.search(rf"\bdef {re.escape(name)}\(", code)
    return re.search(rf"\b{re.escape(name)}\b", code)


def cells(row):
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]]


def tables(text):
    """The rows of each table, each a dictionary by the table's headings."""
    for table in re.findall(r"(?:^\|.*\n)+", text, re.M):
        heading, _, *rows = table.splitlines()
        yield [dict(zip(cells(heading), cells(row), strict=True)) for row in rows]


class Theory(CaromTest):
    def setUp(self):
        super().setUp()
        self.chapter = pathlib.Path(self.source).resolve() / "docs/theory"
        self.pages = {path.name: path.read_text() for path in sorted(self.chapter.glob("*.md"))}

    def claims(self, page, text):
        return [Claim(page, label, (self.chapter / target).resolve(), re.findall(r"`([^`]+)`", names))
                for label, target, names in CLAIM.findall(text)]

    def all_claims(self):
        return [claim for page, text in self.pages.items() for claim in self.claims(page, text)]

    def test_every_name_is_in_its_file(self):
        claims = self.all_claims()
        self.assertGreater(len(claims), 200)
        for claim in claims:
            with self.subTest(str(claim)):
                self.assertEqual(claim.text, claim.path.name)
                self.assertTrue(claim.path.is_file(), claim.path)
                self.assertTrue(claim.names, "a file, and nothing in it is named")
                for name in claim.names:
                    self.assertTrue(is_there(name, claim.path), name)

    def test_every_row_has_its_paper_its_code_and_its_test(self):
        rows = [(page, row) for page, text in self.pages.items() for table in tables(text) for row in table
                if "test" in row]
        self.assertGreater(len(rows), 100)
        for page, row in rows:
            with self.subTest(page=page, row=next(iter(row.values()))):
                tests = self.claims(page, row["test"])
                self.assertTrue(tests)
                for claim in tests:
                    self.assertIn(self.chapter.parent.parent / "tests", claim.path.parents)
                    for name in claim.names:
                        self.assertRegex(name, r"^(test_\w+|\w+\.\w+)$")
                if "code" not in row:  # what is beyond the papers is in the table of its page
                    continue
                self.assertTrue(self.claims(page, row["code"]))
                for claim in self.claims(page, row["code"]):
                    self.assertNotIn(self.chapter.parent.parent / "tests", claim.path.parents)
                self.assertRegex(row["paper"], PAPER.pattern + r"|\bours\b|^HLW|^Marsden & West")

    def test_every_header_that_cites_a_paper_is_named(self):
        """A formula that is new in the code comes with its row here."""
        named = {claim.path for claim in self.all_claims()}
        root = self.chapter.parent.parent
        folders = ["include/carom", "src/contact", "src/flow", "src/dae", "src/collocation"]
        files = [path for folder in folders for path in (root / folder).rglob("*.[ch]pp")]
        citing = [path for path in files if PAPER.search(path.read_text())]
        self.assertGreater(len(citing), 22)
        self.assertEqual([str(path) for path in citing if path not in named], [])

    def test_every_page_is_in_the_contents_and_short(self):
        self.assertGreaterEqual(len(self.pages), 7)
        for name, text in self.pages.items():
            self.assertLessEqual(text.count("\n"), LONGEST_PAGE, name)
            if name != "README.md":
                self.assertIn(f"]({name})", self.pages["README.md"])


if __name__ == "__main__":
    main()
