"""What the tests of the program share: how it is started, in a folder of its own, and what a run leaves."""

import csv
import dataclasses
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import numpy as np

# The sanitizers' build has no papers.
WITHOUT_PAPERS = SANITIZED = "CAROM_WITHOUT_PAPERS" in os.environ
LISTS = ["systems", "methods", "scenarios"] + ([] if WITHOUT_PAPERS else ["papers"])

FILES = {"summary.json", "trajectory.npz", "impacts.csv", "scenario.toml", "report.html", "checkpoint"}

# Bounces on its floor at t = 0.85, 2.54 and 4.30; the method is left to the test, or to the defaults.
CART = """\
[system]
name = "cart-pendulum"
[time]
step = 0.01
end = 5.0
"""

# A run of the double pendulum with everything spelled out; the wall is out of reach.
SCENARIO = """\
title = "test"
[system]
name = "double-pendulum"
parameters = { m1 = 1.0, wall = -3.0 }
[initial]
q = [0.3, 0.2]
v = [0.5, -0.5]
[method]
flow = "svc"
[time]
step = 0.01
end = 0.1
"""


def setting(**changes):
    """--set for each change; a double underscore stands for the dot."""
    return [word for key, value in changes.items() for word in ("--set", f"{key.replace('__', '.')}={value}")]


@dataclasses.dataclass
class Result:
    code: int
    out: str
    err: str


class CaromTest(unittest.TestCase):
    """Each test has an empty folder, in which the program runs."""

    program = source = None  # set by main()
    rough = False  # whether runs may warn that their energy errs, as flows of first order and large steps do

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def command(self, *arguments):
        return [self.program, *map(str, arguments)]

    def carom(self, *arguments, stdout=subprocess.PIPE):
        done = subprocess.run(self.command(*arguments), cwd=self.folder, stdin=subprocess.DEVNULL, stdout=stdout,
                              stderr=subprocess.PIPE, timeout=120)
        return Result(done.returncode, (done.stdout or b"").decode(), done.stderr.decode(errors="replace"))

    def succeed(self, *arguments):
        result = self.carom(*arguments)
        told = [line for line in result.err.splitlines() if not (self.rough and line.startswith("carom: warning: the energy "))]
        self.assertEqual((result.code, told), (0, []), arguments)
        return result

    def fail_with(self, code, *arguments):
        """The one line on standard error of a command that must fail with this exit code."""
        result = self.carom(*arguments)
        self.assertEqual(result.code, code, result)
        return self.one_line(result.err)

    def one_line(self, message):
        self.assertTrue(message.startswith("carom: ") and message.endswith("\n"), message)
        line = message[len("carom: "):-1]
        self.assertTrue(line.isprintable(), f"not one line of printable characters: {line[-300:]!r}")
        self.assertLess(len(message), 2000)
        return line

    def write(self, text, name="my.toml"):
        (self.folder / name).write_text(text)
        return name

    def run_to(self, out, scenario, *arguments):
        """Runs a scenario into the folder `out` and returns what is in it."""
        self.succeed("run", scenario, "--out", out, "--quiet", *arguments)
        return self.read(out)

    def stop_and_resume(self, out, scenario, *options):
        """A run that is stopped on its way, at its first checkpoint, and goes on to its end."""
        with subprocess.Popen(self.command("run", scenario, "--out", out, "--quiet", "--checkpoint", "0.01", *options),
                              cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            deadline = time.monotonic() + 60
            while not (self.folder / out / "checkpoint").exists() and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.002)
            process.send_signal(signal.SIGINT)
        self.assertEqual(process.returncode, 130, "it ended before it could be stopped")
        self.succeed("run", "--resume", out, "--quiet")
        return self.read(out)[0]

    def read(self, out):
        folder = self.folder / out
        summary = json.loads((folder / "summary.json").read_text())
        lasting = {"contacts.csv"} if summary["contacts"] else set()
        unkept = {"checkpoint"} if summary["status"] == "failed" else set()
        self.assertEqual({path.name for path in folder.iterdir()}, FILES - unkept | lasting)
        with np.load(folder / "trajectory.npz", allow_pickle=False) as arrays:
            rows = {name: arrays[name] for name in arrays.files if not name.endswith(".names")}
        return summary, rows

    def impacts(self, out):
        """The rows of impacts.csv by name; numbers where they are numbers."""
        with open(self.folder / out / "impacts.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            self.assertNotIn(None, row, "a row longer than the header")
        return [{name: value if name == "contact" else float(value) for name, value in row.items()} for row in rows]

    def bytes_of(self, out, name="trajectory.npz"):
        return (self.folder / out / name).read_bytes()


def main():
    """To be called by each test file: FILE PROGRAM SOURCE_DIR [unittest's arguments]."""
    if len(sys.argv) < 3:
        sys.exit(f"usage: {sys.argv[0]} PROGRAM SOURCE_DIR")
    CaromTest.program = str(pathlib.Path(sys.argv[1]).resolve())
    CaromTest.source = pathlib.Path(sys.argv[2]).resolve()
    cache = tempfile.TemporaryDirectory()  # of compiled formulas; goes with the process
    os.environ["XDG_CACHE_HOME"] = cache.name
    unittest.main(module="__main__", argv=sys.argv[:1] + sys.argv[3:])
