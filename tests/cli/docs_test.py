#!/usr/bin/env python3
"""The documents say what is there: quoted code is the code, links lead somewhere, and the README's scenario does
what the README prints.

usage: docs_test.py PROGRAM SOURCE_DIR
"""

import json
import re
import subprocess
import sys

sys.dont_write_bytecode = True
from support import CaromTest, main

DOCUMENTS = ["README.md", "docs/tour.md", "docs/guide.md", "docs/notation.md"]

# A line that names a file, then a block of it; "..." stands for what was left out.
QUOTE = re.compile(r"^`([^`\n]+)`\n```\w+\n(.*?)^```$", re.M | re.S)


def stripped(text):
    return "\n".join(line.strip() for line in text.splitlines())


class Documents(CaromTest):
    def text(self, name):
        return (self.source / name).read_text()

    def test_quoted_code_is_in_the_file_named_above_it(self):
        for document, at_least in [("README.md", 2), ("docs/tour.md", 18)]:
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

    def test_the_scenario_of_the_readme(self):
        readme = self.text("README.md")
        scenario = re.search(r"^```toml\n(.*?)^```$", readme, re.M | re.S)[1]
        self.assertEqual(scenario.count("\n"), 15)
        shown = re.search(r"prints\n\n(.*?)\n\nand", readme, re.S)[1]
        out = self.succeed("run", self.write(scenario)).out

        def without_times(text):
            text = re.sub(r"cost .* s, .* steps/s,", "cost", re.sub(r"(?m)^    ", "", text))
            return re.sub(r"smallest gap .*e-1[5-9]", "smallest gap", text).split()  # rounding

        self.assertEqual(without_times(shown), without_times(out))

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

    def test_every_method_is_in_the_readme_and_the_guide(self):
        flows, laws = sorted(self.listed("flow")), sorted(self.listed("impact law"))
        readme, guide = self.tables("README.md"), self.tables("docs/guide.md")
        self.assertEqual((sorted(readme["flows"][0]), sorted(readme["impact law"][0])), (flows, laws))
        self.assertEqual(sorted(guide["name"][0]), flows)
        self.assertEqual(sorted({*guide["name"][1]} - {"fraction"}), laws)
        self.assertEqual(sorted(guide["law"][0]), laws)
        for name in self.listed("short name"):
            self.assertRegex(self.text("docs/guide.md"), rf"\| [a-z, -]*\b{name}\b")

    def test_messages_that_the_guide_quotes(self):
        core = "".join(path.read_text() for path in (self.source / "include/carom").glob("*.hpp"))
        quoted = re.search(r"## What ends a run\n(.*?)^## ", self.text("docs/guide.md"), re.M | re.S)[1]
        messages = re.findall(r"^\| ([^|]+) \|", quoted, re.M)[1:]
        self.assertGreaterEqual(len(messages), 5)
        for message in messages:
            self.assertIn(message.replace("more than 100 impacts", " impacts").strip(), core)

    def test_the_data_of_the_readme(self):
        code = re.search(r"^```python\n(.*?)^```$", self.text("README.md"), re.M | re.S)[1]
        scenario = re.search(r"^```toml\n(.*?)^```$", self.text("README.md"), re.M | re.S)[1]
        self.succeed("run", self.write(scenario))
        check = "\nassert t.shape == (201,) and q.shape == p.shape == (201, 2) and len(hits) > 3\n"
        done = subprocess.run([sys.executable, "-c", code + check], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_no_path_of_this_machine(self):
        for document in [*DOCUMENTS, "CHANGELOG.md"]:
            self.assertNotRegex(self.text(document), r"(?<![\w.])/(work|home|root|tmp|usr)/")


if __name__ == "__main__":
    main()
