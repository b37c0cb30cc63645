#!/usr/bin/env python3
"""The guide does what it says: its commands are run as they are printed, page by page, each page in an empty folder.

A block of sh holds commands that begin with "./carom " or "carom "; the block of text right after it is what they
print, errors and warnings last, where "..." stands for anything within a line and a line "..." for any lines. A block of toml is the file named
in the line above it ("`my.toml`:"), a block of python is run with the files that are there by then. Comments steer:

    <!-- not run: REASON -->          the next block is left out
    <!-- exit CODE -->                the next block ends with this exit code; 0 without it
    <!-- Ctrl-C once FILE exists -->  the next block, one command, is interrupted, and ends with 130

usage: guide_test.py PROGRAM SOURCE_DIR
"""

import dataclasses
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from support import CaromTest, main

COMMAND = re.compile(r"(?:\./)?carom( |$)")
DIRECTIVE = re.compile(r"<!-- (not run: .+|exit \d+|Ctrl-C once \S+ exists) -->")
FILE_NAME = re.compile(r"(?:^|.* )`([\w-]+\.toml)`:$")
QUOTED = re.compile(r"^`[\w./-]+`$")  # code of the repository, which docs_test.py compares


@dataclasses.dataclass
class Block:
    line: int  # of its first line
    language: str
    text: str
    before: str  # the nearest line above that is not empty
    adjacent: bool  # it follows another block, and nothing stands in between
    not_run: str = ""
    code: int = 0
    interrupt: str = ""


def directed(block, directive):
    if directive.startswith("not run: "):
        block.not_run = directive[len("not run: "):]
    elif directive.startswith("exit "):
        block.code = int(directive.split()[1])
    elif directive:
        block.code, block.interrupt = 130, directive.split()[2]
    return block


def blocks_of(text):
    """Every fenced block of a page, in order."""
    found, inside, before, directive, adjacent = [], None, "", "", False
    for number, line in enumerate(text.splitlines(), 1):
        if inside is not None:
            if line == "```":
                inside.text = "".join(inside.text)
                found.append(inside)
                inside, before, directive, adjacent = None, "", "", True
            else:
                inside.text.append(line + "\n")
        elif line.startswith("```"):
            inside = directed(Block(number + 1, line[3:], [], before, adjacent), directive)
        elif match := DIRECTIVE.fullmatch(line):
            directive = match[1]
        elif line.strip():
            assert not line.startswith("<!--"), f"line {number}: a comment that steers nothing: {line}"
            before, adjacent = line, False
    assert inside is None, "a block without its end"
    return found


def commands_of(block):
    return [line for line in block.text.replace("\\\n", "").splitlines() if line and not line.startswith("#")]


def pattern_of(expected):
    """What matches the text of a page, its ellipses included."""
    parts = []
    for line in expected.splitlines():
        any_text = ".*".join(re.escape(part) for part in line.rstrip().split("..."))
        parts.append(r"(?:.*\n)*" if line.strip() == "..." else any_text + r" *\n")
    return re.compile("".join(parts))


def pages_of(source):
    return [source / "README.md", source / "docs/guide.md", *sorted((source / "docs/guide").glob("*.md"))]


class Guide(CaromTest):
    def pages(self):
        return pages_of(self.source)

    def run_page(self, page):
        """All blocks of a page, one after the other, in this test's folder."""
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "carom").symlink_to(self.program)
        self.work = self.folder / page.stem
        self.work.mkdir()
        self.environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "HOME": str(self.folder),
                            "XDG_CACHE_HOME": str(self.folder / "cache"), "LC_ALL": "C.UTF-8"}
        printed = None
        for block in blocks_of(page.read_text()):
            with self.subTest(page=page.name, line=block.line):
                if block.language == "text" and block.adjacent and printed is not None:
                    self.compare(block.text, printed)
                printed = self.run_block(block)

    def run_block(self, block):
        """What a block prints when it is run, None for blocks that print nothing."""
        if block.language == "toml" and not QUOTED.match(block.before):
            name = FILE_NAME.match(block.before)
            self.assertTrue(name, "a block of toml, and no file is named in the line above")
            (self.work / name[1]).write_text(block.text)
        if block.language not in ("sh", "python") or block.not_run:
            return None
        if block.language == "sh":
            for line in commands_of(block):
                self.assertRegex(line, COMMAND)
        code, printed = self.interrupted(block) if block.interrupt else self.finished(block)
        self.assertEqual(code, block.code, printed)
        return printed

    def finished(self, block):
        shell = "set -e\n" + re.sub(r"(?m)^\./carom\b", "carom", block.text)
        command = ["sh", "-c", shell] if block.language == "sh" else [sys.executable, "-c", block.text]
        done = subprocess.run(command, cwd=self.work, env=self.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=600)
        return done.returncode, done.stdout.decode() + done.stderr.decode()

    def interrupted(self, block):
        command, = commands_of(block)
        with subprocess.Popen([self.program, *shlex.split(command)[1:]], cwd=self.work, env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            deadline = time.monotonic() + 60
            while not (self.work / block.interrupt).exists() and time.monotonic() < deadline:
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=600)
        return process.returncode, out.decode() + err.decode()

    def compare(self, expected, printed):
        if not pattern_of(expected).fullmatch(printed):
            self.fail(f"the page shows\n{expected}\nand the program printed\n{printed}")

    def test_nothing_is_left_out_without_a_reason(self):
        commands = left_out = 0
        for page in self.pages():
            for block in blocks_of(page.read_text()):
                commands += len(commands_of(block)) if block.language == "sh" else 0
                left_out += len(commands_of(block)) if block.language == "sh" and block.not_run else 0
                if block.language == "text":
                    self.assertTrue(block.adjacent, f"{page.name}:{block.line}: what printed this?")
                self.assertIn(block.language, ["sh", "text", "toml", "python", "cpp"], f"{page.name}:{block.line}")
        self.assertGreaterEqual(commands, 36)
        self.assertLessEqual(left_out, 2)

    def test_every_page_is_in_the_contents(self):
        contents = (self.source / "docs/guide.md").read_text()
        for page in (self.source / "docs/guide").glob("*.md"):
            self.assertIn(f"](guide/{page.name})", contents)

    def reference_rows(self, heading):
        """First and other columns of the rows of all tables under a heading of the reference."""
        text = (self.source / "docs/guide/reference.md").read_text()
        section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.M | re.S)[1]
        return re.findall(r"^\| `([^`]+)` \|(.*)\|$", section, re.M)

    def test_every_key_is_in_the_reference(self):
        source = (self.source / "src/scenario/scenario_keys.hpp").read_text()
        keys = re.findall(r'^ *\{"([a-z_.]+)", \[\]\(Scenario& s\)', source, re.M)
        self.assertGreater(len(keys), 40)
        self.assertEqual([key for key, _ in self.reference_rows("Keys")], self.with_parameters(keys))

    def with_parameters(self, keys):
        """The table of keys has all but system.parameters, whose names belong to the system."""
        after = keys.index("system.name") + 1
        return keys[:after] + ["system.parameters"] + keys[after:]

    def test_every_exit_code_is_in_the_reference(self):
        commands = (self.source / "cli/commands.hpp").read_text()
        known = set(map(int, re.findall(r"= (\d+)", re.search(r"enum ExitCode \{(.*?)\}", commands)[1])))
        self.assertEqual({int(code) for code, _ in self.reference_rows("Exit codes")}, known | {1, 5})

    def test_every_command_and_option_is_in_the_reference(self):
        text = (self.source / "docs/guide/reference.md").read_text()
        commands = re.findall(r"^  ([a-z]+)  ", self.succeed("--help").out.split("Commands:")[1], re.M)
        self.assertGreater(len(commands), 8)
        for command in commands:
            self.assertIn(f"`{command}", text)
            for option in re.findall(r"^  (--[a-z]+)", self.succeed(command, "--help").out, re.M):
                self.assertIn(option, text, command)

    def test_the_example_prints_what_its_page_shows(self):
        example = pathlib.Path(self.program).parent.parent / "examples/example_01_your_own_system"
        if not example.exists():
            self.skipTest("the examples are not built")
        printed = subprocess.run([example], capture_output=True, text=True, check=True).stdout
        self.assertIn("    " + printed, (self.source / "docs/guide/cpp.md").read_text())

    def test_every_function_of_formulas_is_named(self):
        source = (self.source / "src/formula/parse.cpp").read_text()
        page = (self.source / "docs/guide/formulas.md").read_text()
        functions = re.findall(r'Function\{"(\w+)"', source)
        self.assertGreater(len(functions), 15)
        for function in functions:
            self.assertTrue(re.search(rf"`{function}[`(]", page), function)

    def test_every_field_of_a_summary_is_explained(self):
        source = (self.source / "src/records/summary.cpp").read_text()
        page = (self.source / "docs/guide/files.md").read_text()
        fields = re.findall(r'j\["(\w+)"\]', source)
        self.assertGreater(len(fields), 15)
        for field in fields:
            self.assertTrue(re.search(rf"^\| [^|]*`{field}`", page, re.M), field)


def page_test(name):
    def test(self):
        self.run_page(self.source / name)

    return test


if __name__ == "__main__":
    source = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else pathlib.Path(".")
    for path in pages_of(source):
        relative = str(path.relative_to(source))
        setattr(Guide, "test_page_" + re.sub(r"\W", "_", relative), page_test(relative))
    main()
