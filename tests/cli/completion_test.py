#!/usr/bin/env python3
"""Completion of the command line: what `carom complete` answers, and what bash, zsh and fish make of it.

usage: completion_test.py PROGRAM SOURCE_DIR
"""

import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
from support import WITHOUT_PAPERS, CaromTest, main

SHELLS = ["bash", "zsh", "fish"]


def needs(shell):
    return unittest.skipUnless(shutil.which(shell), f"{shell} is not installed")


class Completion(CaromTest):
    def answers(self, *words):
        return [line.split("\t")[0] for line in self.succeed("complete", *words).out.splitlines()]

    def names(self, what):
        return [entry["name"] for entry in json.loads(self.succeed("list", what, "--json").out)]

    def commands(self):
        return self.answers("")

    def script(self, shell):
        (self.folder / f"script.{shell}").write_text(self.succeed("completion", shell).out)
        return f"script.{shell}"


class Answers(Completion):
    def test_commands(self):
        listed = re.findall(r"(?m)^  ([a-z]+) +[A-Z]", self.succeed("--help").out.partition("Commands:\n")[2])
        self.assertEqual(self.commands(), listed)
        self.assertGreaterEqual(set(listed), {"run", "compare", "converge", "list", "check", "new", "info", "report"})
        self.assertEqual(self.answers("comp"), ["compare", "completion"])
        self.assertEqual(self.answers("--v"), ["--version"])
        self.assertEqual(self.answers("nonsense", ""), [])

    def test_options_are_those_of_the_help(self):
        for command in self.commands():
            shown = re.findall(r"(?m)^  (?:-h,)?(--[a-z-]+)", self.succeed(command, "--help").out)
            self.assertEqual(self.answers(command, "-"), shown, command)

    def test_an_option_is_offered_once_unless_it_may_be_repeated(self):
        self.assertNotIn("--out", self.answers("run", "star", "--out", "x", "--"))
        self.assertIn("--set", self.answers("run", "star", "--set", "time.end=1", "--"))
        self.assertNotIn("--json", self.answers("run", "star", "--json", "--"))

    def test_scenarios(self):
        shipped = sorted(path.stem for path in (self.source / "scenarios").glob("*.toml"))
        for words in [["run"], ["check"], ["run", "--quiet"], ["compare", "--method", "sva"], ["run", "--checkpoint"],
                      ["run", "--checkpoint", "60"], ["converge", "--step", "0.1,0.2"]]:
            self.assertEqual(self.answers(*words, ""), [*shipped, ":files .toml"], words)
        self.assertEqual(self.answers("run", "bil"), ["billiard", ":files .toml"])

    def test_after_the_last_argument_there_are_options(self):
        self.assertIn("--set", self.answers("run", "star", ""))

    def test_methods(self):
        built = [m["name"] for m in json.loads(self.succeed("list", "methods", "--json").out)
                 if m["built"] and m["kind"] in ("flow", "impact law", "short name")]
        offered = self.answers("compare", "star", "--method", "")
        self.assertEqual([word for word in offered if not word.endswith("=")], built)
        self.assertIn("impact=", offered)
        self.assertEqual(self.answers("compare", "star", "--method", "flow=yo"), ["flow=yoshida4"])
        self.assertEqual(self.answers("converge", "star", "--method", "flow=svc,imp"), ["flow=svc,impact="])
        self.assertEqual(self.answers("compare", "--method", "flow=svc,impact=sh"), ["flow=svc,impact=shadow"])

    def test_keys(self):
        keys = self.answers("run", "--set", "")
        for key in ["title=", "system.name=", "initial.q=", "method.flow=", "time.step=", "output.every="]:
            self.assertIn(key, keys)
        for answer in keys:
            self.assertTrue(answer.endswith("="), answer)
        self.assertIn("method.impact=shadow", self.answers("run", "star", "--set", "method.impact="))
        self.assertEqual(self.answers("run", "--set=method.base=sva"), ["--set=method.base=sva"])
        for key in ["stepper", "reflection", "energy", "scheme"]:
            built = [m["name"] for m in json.loads(self.succeed("list", "methods", "--json").out)
                     if m["built"] and m["kind"] == key]
            self.assertEqual(self.answers("run", "star", "--set", f"method.{key}="),
                             [f"method.{key}={name}" for name in built])
        self.assertEqual(self.answers("run", "--set", "system.name=st"), ["system.name=star"])

    def test_parameters_of_the_scenario_at_hand(self):
        listed = {s["name"]: s["parameters"] for s in json.loads(self.succeed("list", "systems", "--json").out)}
        expected = [f"system.parameters.{name}=" for name in listed["double-pendulum"]]
        self.assertEqual(self.answers("run", "double-pendulum-free", "--set", "system.pa"), expected)
        expected = [f"system.parameters.{name}=" for name in listed["newton-cradle"]]
        self.assertEqual(self.answers("run", "newton-cradle", "--set", "system.pa"), expected)
        self.assertIn("system.parameters.coordinates=\tdefault angles",
                      self.succeed("complete", "run", "newton-cradle", "--set", "system.pa").out)
        self.assertEqual(self.answers("run", "nowhere.toml", "--set", "system.pa"), [])

    def test_other_values(self):
        self.assertEqual(self.answers("list", ""), ["systems", "methods", "scenarios", "papers"])
        self.assertEqual(self.answers("completion", ""), SHELLS)
        self.assertEqual(self.answers("new", "--system", ""), self.names("systems"))
        for words in [["info"], ["report"], ["run", "--resume"], ["run", "star", "--out"]]:
            self.assertEqual(self.answers(*words, ""), [":folders"])
        self.assertEqual(self.answers("converge", "star", "--reference", ""), [":files .json", "finest"])
        self.assertEqual(self.answers("converge", "star", "--step", ""), [])

    @unittest.skipIf(WITHOUT_PAPERS, "built without")
    def test_papers_and_their_items(self):
        items = self.names("papers")
        offered = self.answers("reproduce", "")
        self.assertEqual([name for name in offered if "-" in name], items)
        self.assertEqual([name for name in offered if "-" not in name], ["000", "001", "002", "003", "004"])
        self.assertEqual(self.answers("reproduce", "004-fig"), [name for name in items if name.startswith("004-fig")])
        self.assertEqual(self.answers("reproduce", "004", "--quick", "00"), [name for name in offered if name != "004"])
        self.assertIn("--quick", self.answers("reproduce", "004", "--"))
        self.assertIn("004-fig-4.1\tGlobal error in y", self.succeed("complete", "reproduce", "004-fig").out)

    def test_it_is_quick(self):
        begin = time.monotonic()
        self.answers("run", "star", "--set", "")
        self.assertLess(time.monotonic() - begin, 1)


class Scripts(Completion):
    def test_they_are_text_without_lists(self):
        for shell in SHELLS:
            script = self.succeed("completion", shell).out
            self.assertIn(f"carom completion {shell}", script)
            self.assertIn(self.program, script)
            for command in ["converge", "--set", "double-pendulum"]:
                self.assertNotIn(command, script, "asked from the program, not written down")


# What each shell makes of a line when the user presses tab.
TYPED = [
    ("carom conv", "carom converge "),
    ("./carom conv", "./carom converge "),
    ("carom run bil", "carom run billiard "),
    ("carom run star --for", "carom run star --force "),
    ("carom run star --set method.fl", "carom run star --set method.flow="),
    ("carom run star --set method.flow=yo", "carom run star --set method.flow=yoshida4 "),
    ("carom run star --set=method.flow=yo", "carom run star --set=method.flow=yoshida4 "),
    ("carom compare star --method flow=sva,imp", "carom compare star --method flow=sva,impact="),
    ("carom compare star --method flow=sva,impact=sh", "carom compare star --method flow=sva,impact=shadow "),
    ("carom info my-", "carom info my-runs/"),
    ("carom run my-s", "carom run my-scenario.toml "),
    ("carom list sy", "carom list systems "),
    ("carom reproduce 004-theorem-3.2-a", "carom reproduce 004-theorem-3.2-affine "),
    ("carom reproduce 003 004-theorem-3.2-a", "carom reproduce 003 004-theorem-3.2-affine "),
]


class Typed(Completion):
    def setUp(self):
        super().setUp()
        (self.folder / "my-runs").mkdir()
        self.write("", "my-scenario.toml")
        self.write("", "my-secret.txt")

    def start(self, shell):
        child, self.terminal = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.environ.update(TERM="xterm", HOME=str(self.folder), INPUTRC="/dev/null", LC_ALL="C.UTF-8")
            os.execvp(shell[0], shell)
        self.addCleanup(os.waitpid, child, 0)
        self.addCleanup(os.close, self.terminal)
        self.addCleanup(os.kill, child, signal.SIGKILL)

    def type(self, keys):
        """What the shell prints between < and > at the beginning of a line, once these keys are typed."""
        os.write(self.terminal, keys.encode())
        shown, deadline = "", time.monotonic() + 30
        while not (found := re.search(r"(?m)^<(.*?)>$", shown)):
            ready, _, _ = select.select([self.terminal], [], [], max(0, deadline - time.monotonic()))
            self.assertTrue(ready, f"no answer to {keys!r}: {shown!r}")
            shown += os.read(self.terminal, 4096).decode(errors="replace")
            shown = re.sub(r"\x1b[\[(][?0-9;]*[a-zA-Z]|\x1b[=>]", "", shown).replace("\r", "\n")
        return found[1]

    def check(self, shell, before):
        self.start(shell)
        self.type(f"{before}; echo '<'ready'>'\n")
        for line, expected in TYPED:
            if WITHOUT_PAPERS and " reproduce " in line:
                continue
            with self.subTest(line):  # tab, an x, home, an echo, end
                self.assertEqual(self.type(f"{line}\tx\x01echo '<\x05>'\n"), expected + "x")

    @needs("bash")
    def test_bash(self):
        self.check(["bash", "--norc", "--noprofile", "-i"], f"source {self.script('bash')}")

    @needs("zsh")
    def test_zsh(self):
        self.check(["zsh", "-f", "-i"], f"autoload -U compinit; compinit -u -D; source {self.script('zsh')}")


class Asked(Completion):
    """Shells that can be asked for all candidates."""

    @needs("bash")
    def test_bash(self):
        def replies(line):
            code = f"source {self.script('bash')}; COMP_LINE='{line}' COMP_POINT={len(line)}; _carom; " \
                   "printf '%s\\n' \"${COMPREPLY[@]}\""
            return subprocess.run(["bash", "-c", code], cwd=self.folder, capture_output=True, text=True,
                                  check=True).stdout.split()
        self.assertEqual(replies("carom comp"), ["compare", "completion"])
        self.assertEqual(replies("carom run do"), self.answers("run", "do")[:-1])
        self.assertEqual(replies("carom run --set method.flow=kahan"), ["kahan-li6", "kahan-li8"])
        self.assertEqual(replies("carom run star --set method.flow=svc --q"), ["--quiet"])

    @needs("fish")
    def test_fish(self):
        (self.folder / "my-runs").mkdir()
        self.write("", "my-scenario.toml")

        def replies(line):
            code = f"source {self.script('fish')}; complete -C '{line}'"
            done = subprocess.run(["fish", "--no-config", "-c", code], cwd=self.folder, capture_output=True, text=True,
                                  env={**os.environ, "HOME": str(self.folder)}, check=True)
            return [line.split("\t")[0] for line in done.stdout.splitlines()]
        self.assertEqual(sorted(replies("carom comp")), ["compare", "completion"])
        self.assertEqual(replies("carom run --set method.flow=yo"), ["method.flow=yoshida4"])
        self.assertEqual(replies("carom compare --method flow=sva,imp"), ["flow=sva,impact="])
        self.assertIn("--checkpoint", replies("carom run --"))
        self.assertIn("billiard", replies("carom run bil"))
        self.assertIn("my-scenario.toml", replies("carom run my-"))
        self.assertEqual(replies("carom info my-"), ["my-runs/"])


if __name__ == "__main__":
    main()
