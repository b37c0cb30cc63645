#!/usr/bin/env python3
"""How the program is used: help with examples that work, misspelt words, exit codes, colour.

usage: usage_test.py PROGRAM SOURCE_DIR
"""

import json
import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
from support import LISTS, SANITIZED, WITHOUT_PAPERS, CaromTest, main

COMMANDS = ["demo", "run", "list", "check", "new", "import", "compare", "converge", "sensitivity", "orbit", "section", "lyapunov", "optimise", "sweep", "reproduce", "info",
            "report", "completion"]


class Help(CaromTest):
    def examples(self, command):
        text = self.succeed(command, "--help").out.partition("Examples:\n")[2]
        return [line.strip() for line in text.splitlines()]

    def shell(self, line):
        """The line as a user types it, with carom in the PATH."""
        programs = self.folder / "bin"
        programs.mkdir(exist_ok=True)
        if not (programs / "carom").exists():
            (programs / "carom").symlink_to(self.program)
        return subprocess.run(["bash", "-c", line], cwd=self.folder, capture_output=True, text=True, timeout=120,
                              env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"})

    def test_every_command_is_listed(self):
        listed = re.findall(r"(?m)^  ([a-z]+) +[A-Z]", self.succeed("--help").out.partition("Commands:\n")[2])
        self.assertEqual(listed, COMMANDS)

    def test_every_command_says_what_it_does_and_how(self):
        for command in COMMANDS:
            with self.subTest(command):
                text = self.succeed(command, "--help").out
                self.assertRegex(text, rf"^[A-Z].*\nUsage: carom {command}\b")
                self.assertGreaterEqual(len(self.examples(command)), 2)
                self.assertLessEqual(max(map(len, text.splitlines())), 110)
                self.assertEqual(self.succeed("help", command).out, text)
                options = len(re.findall(r"(?m)^  (?:-h,)?--", text))
                described = re.findall(r"(?m)^  (?:-h,)?--\S+(?: \S+)?\s{2,}[A-Z]\w* ", text)
                self.assertEqual(len(described), options, "an option without a description")

    def test_the_examples_work(self):
        self.succeed("demo", "--quiet")
        for command in COMMANDS:
            for example in self.examples(command):
                if "--resume" in example or "--reference" in example:
                    continue  # these need a run that was stopped, or a file
                if command == "import":
                    continue  # robots are in tests/import, where import_test.py takes them
                if command == "reproduce":
                    continue  # minutes; tests/papers takes cheap items
                if command == "optimise" and WITHOUT_PAPERS:
                    continue  # nor has that build Ipopt
                if SANITIZED and command in {"compare", "converge", "lyapunov", "orbit", "sensitivity"}:
                    continue  # long runs, whose code other tests of that build take through short ones
                if "fish" in example and not shutil.which("fish"):
                    continue
                with self.subTest(example):
                    done = self.shell(f"fish -c '{example}'" if "fish" in example else example)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_help_goes_to_standard_output(self):
        for words in [[], ["--help"], ["-h"], ["help"]]:
            self.assertTrue(self.succeed(*words).out.startswith("Mechanical systems"), words)
        with open("/dev/full", "wb") as full:
            self.assertEqual(self.carom("--help", stdout=full).code, 4)


class Misspelt(CaromTest):
    def test_the_nearest_word_is_named(self):
        for words, meant in [(["rum", "demo"], "run"), (["comapre", "demo"], "compare"), (["lst"], "list"),
                             (["run", "demo", "--outt", "x"], "--out"), (["run", "demo", "--outt=x"], "--out"),
                             (["run", "demo", "--quite"], "--quiet"), (["run", "demo", "-json"], "--json"),
                             (["compare", "demo", "--methods", "sva"], "--method"), (["info", "--jsno"], "--json"),
                             (["converge", "demo", "--stpe", "0.1"], "--step"), (["--versoin"], "--version"),
                             (["list", "sytems"], "systems"), (["completion", "bsh"], "bash"),
                             (["new", "--system", "strr"], "star"), (["rum", "--help"], "run"),
                             (["help", "rum"], "run"), (["reproduse", "--all"], "reproduce"),
                             (["list", "paper"], "papers"), (["reproduce", "--qick"], "--quick")]:
            with self.subTest(words):
                self.assertIn(f'did you mean "{meant}"?', self.fail_with(2, *words))

    def test_where_nothing_is_near_the_words_are_listed(self):
        self.assertIn(", ".join(COMMANDS), self.fail_with(2, "simulate"))
        self.assertIn("--set, --out", self.fail_with(2, "run", "demo", "-q"))
        self.assertIn("systems|methods|scenarios|papers", self.fail_with(2, "list", "planets"))
        self.assertIn("bash|zsh|fish", self.fail_with(2, "completion", "powershell"))

    def test_what_the_launcher_does_is_told(self):
        for word in ["test", "python", "render", "bench"]:
            self.assertIn(f"./carom {word}", self.fail_with(2, word))

    def test_each_message_says_where_to_look(self):
        self.assertIn("see carom --help", self.fail_with(2, "simulate"))
        self.assertIn("See carom run --help", self.fail_with(2, "run", "demo", "--outt"))

    def test_an_option_before_the_command(self):
        self.assertIn("belongs after the command", self.fail_with(2, "--json", "run", "demo"))


class WrongUsage(CaromTest):
    def test_what_does_not_go_together(self):
        for words, expected in [
                (["run"], "scenario is required"), (["compare", "--method", "sva"], "scenario is required"),
                (["info"], "folder is required"), (["import"], "robot is required"), (["list"], "is required"), (["reproduce"], "or --all"),
                (["run", "demo", "more"], '"more" is one too many'), (["run", "demo", "--out"], "--out"),
                (["run", "demo", "--resume", "x"], "--resume"), (["run", "--resume", "x", "--set", "a=b"], "--resume"),
                (["run", "--resume", "x", "--out", "y"], "--resume"),
                (["new", "--system", "star", "--expression"], "excl"),
                (["compare", "demo"], "two --method"), (["compare", "demo", "--method", "sva"], "two --method"),
                (["compare", "demo", "--method", "sva", "--step", "0.1"], "two --method"),
                (["converge", "demo"], "3 steps"), (["converge", "demo", "--step", "0.1,0.05"], "3 steps"),
                (["converge", "demo", "--step", "0.1", "--reference", "x.json"], "2 steps")]:
            with self.subTest(words):
                self.assertIn(expected, self.fail_with(2, *words))
        self.assertEqual(os.listdir(self.folder), [])

    def test_numbers(self):
        for words in [["converge", "demo", "--step", "0.1,x,0.2"], ["converge", "demo", "--step", "0.1,-0.2,0.3"],
                      ["compare", "demo", "--method", "sva", "--step", "0,1"], ["run", "demo", "--checkpoint", "-5"],
                      ["run", "demo", "--checkpoint=soon"], ["converge", "demo", "--step", "nan,1,2"],
                      ["run", "demo", "--checkpoint", "0"]]:
            with self.subTest(words):
                self.assertIn("is not a number above 0", self.fail_with(2, *words))

    def test_a_checkpoint_may_stand_without_seconds(self):
        """The word after it is the scenario then."""
        line = self.fail_with(2, "run", "--checkpoint", "no-such-scenario")
        self.assertIn('"no-such-scenario"', line)
        line = self.fail_with(2, "run", "--checkpoint", "5", "no-such-scenario")
        self.assertIn('"no-such-scenario"', line)


class Json(CaromTest):
    """With --json there is one document on standard output, and nothing else."""

    def test_every_command_that_has_it(self):
        short = ["--set", "time.end=0.1"]
        self.succeed("run", "double-pendulum", *short, "--out", "run", "--quiet")
        commands = {
            "run": ["double-pendulum", *short, "--out", "a"],
            "list": ["systems"],
            "compare": ["double-pendulum", "--method", "sva", "--method", "svc", *short, "--out", "b"],
            "converge": ["double-pendulum", "--step", "0.02,0.01,0.005", *short, "--out", "c"],
            "sensitivity": ["double-pendulum", *short, "--out", "f"],
            "orbit": ["double-pendulum", "--set", "initial.q=[0.0,0.0]", "--set", "initial.v=[0.0,0.0]", *short, "--out", "g"],
            "section": ["henon-heiles-box", "--at", "x", "--set", "time.end=10", "--out", "j"],
            "lyapunov": ["double-pendulum", "--set", "time.end=2", "--out", "h"],
            "optimise": ["juggling", "--out", "i"],
            "sweep": ["cart-pendulum-family", "--out", "d"],
            "reproduce": ["004-theorem-3.2-affine", "--quick", "--out", "e"],
            "info": ["run"],
        }
        having = [name for name in COMMANDS if "--json" in self.succeed(name, "--help").out.partition("Examples:")[0]]
        self.assertEqual(sorted(having), sorted(commands))
        if WITHOUT_PAPERS:
            del commands["reproduce"], commands["optimise"]
        for name, words in commands.items():
            with self.subTest(name):
                json.loads(self.succeed(name, *words, "--json").out)


class Colour(CaromTest):
    """On a terminal only, and not where NO_COLOR or TERM=dumb say no."""

    def on_terminal(self, *arguments, **environment):
        ours, theirs = pty.openpty()
        clean = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}
        process = subprocess.Popen(self.command(*arguments), cwd=self.folder, stdin=subprocess.DEVNULL, stdout=theirs,
                                   stderr=theirs, env={**clean, **environment})
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 4096):
                shown += piece
        except OSError:
            pass  # how Linux says that the other side is closed
        os.close(ours)
        return process.wait(), shown.decode().replace("\r\n", "\n")

    def test_an_error(self):
        plain = "carom: " + self.fail_with(2, "rum") + "\n"
        code, shown = self.on_terminal("rum", TERM="xterm")
        self.assertEqual(code, 2)
        self.assertIn("\x1b[31mcarom:\x1b[0m ", shown)
        self.assertEqual(re.sub(r"\x1b\[\d*m", "", shown), plain)
        self.assertEqual(self.on_terminal("rum", TERM="xterm", NO_COLOR=""), (2, shown))
        for environment in [{"TERM": "xterm", "NO_COLOR": "1"}, {"TERM": "dumb"}]:
            self.assertEqual(self.on_terminal("rum", **environment), (2, plain), environment)

    def test_what_is_printed_is_the_same_without(self):
        self.succeed("demo", "--quiet")
        for words in [*(["list", what] for what in LISTS), ["info", "runs/demo"], ["check", "demo"], ["new"], ["--help"],
                      ["run", "--help"]]:
            with self.subTest(words):
                plain = self.succeed(*words).out
                self.assertNotIn("\x1b", plain)
                shown = self.on_terminal(*words, TERM="xterm")[1]
                self.assertEqual(re.sub(r"\x1b\[\d*m", "", shown), plain)
                self.assertEqual(self.on_terminal(*words, TERM="xterm", NO_COLOR="1")[1], plain)


class Program(CaromTest):
    def test_it_works_through_a_link_and_from_anywhere(self):
        link = self.folder / "carom"
        link.symlink_to(self.program)
        done = subprocess.run([str(link), "check", "demo"], cwd="/", capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(pathlib.Path(done.stdout.split(":")[0]).is_absolute())

    def test_without_the_module_of_the_papers(self):
        alone = self.folder / "alone" / "carom"
        alone.parent.mkdir()
        shutil.copy(self.program, alone)
        self.program = str(alone)
        for words in [["list", "papers"], ["list", "papers", "--json"], ["reproduce", "--all"]]:
            line = self.fail_with(4, *words)
            self.assertIn("carom_papers.so is not there", line)
            self.assertIn("./carom reproduce builds it", line)
        self.assertEqual(self.succeed("complete", "reproduce", "0").out, "")
        self.assertEqual(self.succeed("list", "systems").err, "")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["alone"])

    def test_a_module_that_is_none(self):
        alone = self.folder / "alone" / "carom"
        alone.parent.mkdir()
        shutil.copy(self.program, alone)
        self.program = str(alone)
        for text in ["", "not a library"]:
            self.write(text, "alone/carom_papers.so")
            self.assertIn("carom_papers.so", self.fail_with(4, "list", "papers"))
            self.assertEqual(self.succeed("complete", "reproduce", "0").out, "")


if __name__ == "__main__":
    main()
