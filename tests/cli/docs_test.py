#!/usr/bin/env python3
"""The documents say what is there: quoted code is the code, links lead somewhere, and every method is described.
What the pages show of the program's doings, guide_test.py repeats.

usage: docs_test.py PROGRAM SOURCE_DIR
"""

import json
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from support import CaromTest, main

SOURCE = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = ["README.md", "bench/README.md", *sorted(str(page.relative_to(SOURCE)) for page in SOURCE.glob("docs/**/*.md"))]
METHODS = "docs/guide/methods.md"
CONTACT = "docs/guide/contact.md"
DAE = "docs/guide/dae.md"

# A line that names a file, then a block of it; "..." stands for what was left out.
QUOTE = re.compile(r"^`([^`\n]+)`\n```\w+\n(.*?)^```$", re.M | re.S)


def stripped(text):
    return "\n".join(line.strip() for line in text.splitlines())


class Documents(CaromTest):
    def text(self, name):
        return (self.source / name).read_text()

    def test_quoted_code_is_in_the_file_named_above_it(self):
        for document, at_least in [("docs/guide/cpp.md", 4), ("docs/tour.md", 18)]:
            quotes = QUOTE.findall(self.text(document))
            self.assertGreaterEqual(len(quotes), at_least)
            for file, block in quotes:
                rest = stripped(self.text(file)) + "\n"
                for part in re.split(r"^\s*\.\.\.\n", block, flags=re.M):
                    with self.subTest(document=document, file=file, begins=part[:40]):
                        before, found, rest = rest.partition(stripped(part) + "\n")
                        self.assertTrue(found and (not before or before.endswith("\n")), part)

    def test_links_and_paths_lead_somewhere(self):
        for document in DOCUMENTS:
            folder = (self.source / document).parent
            prose = re.sub(r"^```.*?^```$", "", self.text(document), flags=re.M | re.S)
            for target in re.findall(r"\]\(([^)]+)\)", prose):
                self.assertTrue((folder / target).exists(), f"{document}: {target}")
            for path in re.findall(r"`((?:bench|cli|src|include|tests|examples|scenarios)/[^`<>*]*)`", prose):
                self.assertTrue((self.source / path).exists(), f"{document}: {path}")

    def test_every_paper_has_its_entry(self):
        entries = re.findall(r"^@\w+\{([^,]+),", self.text("docs/references.bib"), re.M)
        cited = re.findall(r"^\| 00\d \|.*\| `([^`]+)` \|$", self.text("docs/notation.md"), re.M)
        self.assertEqual(len(cited), 5)
        self.assertLessEqual(set(cited), set(entries))

    def listed(self, kind):
        return [m["name"] for m in json.loads(self.succeed("list", "methods", "--json").out) if m["kind"] == kind]

    def tables(self, document):
        """What stands first in the rows of each table, by the table's first heading."""
        found = {}
        for table in re.findall(r"(?:^\|.*\n)+", self.text(document), re.M):
            heading, _, *rows = table.splitlines()
            names = [name for row in rows for name in re.findall(r"`([a-z0-9-]+)`", row.split("|")[1])]
            found.setdefault(heading.split("|")[1].strip(), []).append(names)
        return found

    def test_every_method_is_in_the_guide(self):
        flows, laws = sorted(self.listed("flow")), sorted(self.listed("impact law"))
        guide = self.tables(METHODS)
        self.assertEqual(sorted(guide["name"][0]), flows)
        self.assertEqual(sorted({*guide["name"][1]} - {"fraction"}), laws)
        self.assertEqual(sorted(guide["law"][0]), laws)
        for name in self.listed("short name"):
            self.assertRegex(self.text(METHODS), rf"\| [a-z, -]*\b{name}\b")
        for kind in ["reflection", "energy", "scheme"]:
            for name in self.listed(kind):
                self.assertIn(f"`{name}`", self.text(CONTACT) + self.text(DAE), kind)
        self.assertIn("`stepper = \"dae-euler\"`", self.text(DAE))
        for name in ["event-driven", "contact", "gvi", "direct"]:
            self.assertIn(name, self.listed("stepper"))
            self.assertIn(name, self.text(CONTACT))

    def test_every_option_of_lasting_contact_is_in_the_reference(self):
        text = self.text("docs/guide/reference.md")
        for kind in ["reflection", "energy", "scheme"]:
            row = re.search(rf"^\| `method\.{kind}` \|.*$", text, re.M)[0]
            for name in self.listed(kind):
                self.assertIn(f'"{name}"', row)

    def test_messages_that_the_guide_quotes(self):
        files = [path for folder in ["include/carom", "src/contact", "src/dae", "src/flow"] for path in (self.source / folder).rglob("*.[hc]pp")]
        core = "".join(path.read_text() for path in files)
        for page, heading, least in [(METHODS, "What ends a run", 5), (CONTACT, "When a step has no solution", 3)]:
            quoted = re.search(rf"## {heading}\n(.*?)(?:^## |\Z)", self.text(page), re.M | re.S)[1]
            messages = re.findall(r"^\| ([^|]+) \|", quoted, re.M)[1:]
            self.assertGreaterEqual(len(messages), least)
            for message in messages:
                self.assertIn(re.sub(r"more than \d+ impacts", " impacts", message).strip(), core)

    def test_the_number_of_shipped_scenarios(self):
        scenarios = json.loads(self.succeed("list", "scenarios", "--json").out)
        self.assertIn(f"has {len(scenarios)} to start from", self.text("README.md"))

    def test_no_path_of_this_machine(self):
        for document in [*DOCUMENTS, "CHANGELOG.md"]:
            self.assertNotRegex(self.text(document), r"(?<![\w.])/(work|home|root|tmp|usr)/")


if __name__ == "__main__":
    main()
