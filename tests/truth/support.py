"""What the checks of truth share: scenarios made from values, the program driven as a user drives it, and cases that are told
one by one. Nothing here knows how carom works inside."""

import argparse
import collections
import csv
import dataclasses
import fnmatch
import json
import multiprocessing
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import traceback

import numpy as np

# The exit codes that docs/guide/reference.md gives a run.
DONE, REFUSED, FAILED, FILES, STOPPED = 0, 2, 3, 4, 130


def toml_value(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml_value(each)}" for key, each in value.items()) + " }"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ", ".join(toml_value(each) for each in value) + "]"
    if isinstance(value, (bool, str)):
        return json.dumps(value, ensure_ascii=False)
    return str(int(value)) if isinstance(value, (int, np.integer)) else repr(float(value))


def toml(tables):
    """A scenario from a dict of tables; a table or value that is None is left out."""
    lines = []
    for name, table in tables.items():
        if table is None:
            continue
        lines.append(f"[{name}]")
        lines += [f"{key} = {toml_value(value)}" for key, value in table.items() if value is not None]
    return "\n".join(lines) + "\n"


def formulas(coordinates, lagrangian, gaps=None, force=None, joints=None, **more):
    """The table [system] of a system in formulas."""
    return {"name": "expression", "coordinates": coordinates, "lagrangian": lagrangian, "gaps": gaps, "force": force,
            "joints": joints, **more}


def scenario(system, q=None, v=None, method=None, step=0.01, end=1.0, **tables):
    """A scenario as text; `q` may be a table [initial] itself."""
    initial = q if isinstance(q, dict) or q is None else {"q": q, "v": v}
    return toml({"system": system, "initial": initial, "method": method or None, "time": {"step": step, "end": end}} | tables)


class Wrong(Exception):
    """What a check says of a result that is not right."""


class NotJudged(Exception):
    """A case that shows nothing: it is chaotic, or the reference does not follow it."""


@dataclasses.dataclass
class Run:
    text: str
    code: int
    err: str
    summary: dict | None
    rows: dict
    impacts: list
    seconds: float

    @property
    def q(self):
        return np.array(self.summary["final"]["q"])

    @property
    def p(self):
        return np.array(self.summary["final"]["p"])

    @property
    def t(self):
        return self.summary["final"]["t"]

    @property
    def times(self):
        return np.array(self.summary["impacts"]["times"])

    @property
    def warnings(self):
        return self.summary["warnings"] if self.summary else []

    def done(self):
        """The run, which must have completed."""
        if self.code != DONE or self.summary["status"] != "completed":
            raise Wrong(f"exit code {self.code}: {self.err.strip()[:300]}")
        return self


class Carom:
    """The program, each run in a folder of its own."""

    def __init__(self, program, cap=60.0):
        self.program = str(pathlib.Path(program).resolve())
        self.cap = cap
        self._temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self._temporary.name)
        self.environment = os.environ | {"XDG_CACHE_HOME": str(self.folder / "cache")}
        self._made = 0

    def new_folder(self):
        self._made += 1
        return self.folder / f"run{self._made}"

    def start(self, *arguments):
        return subprocess.Popen([self.program, *map(str, arguments)], cwd=self.folder, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment)

    def run(self, text, *options, rows=False, cap=None):
        """Runs a scenario to its end, or raises Wrong after `cap` seconds."""
        out = self.new_folder()
        file = out.with_suffix(".toml")
        file.write_text(text)
        began = time.monotonic()
        with self.start("run", file, "--out", out, "--quiet", *options) as process:
            try:
                _, err = process.communicate(timeout=cap or self.cap)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                raise Wrong(f"hangs: no end after {cap or self.cap:g} s") from None
        return self.read(out, text, process.returncode, err.decode(errors="replace"), time.monotonic() - began, rows)

    def read(self, out, text, code, err, seconds=0.0, rows=False):
        path = out / "summary.json"
        summary = json.loads(path.read_text()) if path.exists() else None
        arrays, impacts = {}, []
        if rows and summary:
            with np.load(out / "trajectory.npz", allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            with open(out / "impacts.csv", newline="") as file:
                impacts = [{name: value if name == "contact" else float(value) for name, value in row.items()}
                           for row in csv.DictReader(file)]
        return Run(text, code, err, summary, arrays, impacts, seconds)

    def stop_and_resume(self, text):
        """A run that is stopped at its first checkpoint and goes on to its end."""
        out = self.new_folder()
        file = out.with_suffix(".toml")
        file.write_text(text)
        with self.start("run", file, "--out", out, "--quiet", "--checkpoint", "0.01") as process:
            deadline = time.monotonic() + self.cap
            while not (out / "checkpoint").exists() and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.002)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=self.cap)
        if process.returncode != STOPPED:
            raise Wrong(f"could not be stopped: exit code {process.returncode}")
        with self.start("run", "--resume", out, "--quiet") as process:
            _, err = process.communicate(timeout=self.cap)
        return self.read(out, text, process.returncode, err.decode(errors="replace"), rows=True)


def near(what, found, right, bound):
    """Raises where `found` is not within `bound` of `right`."""
    found, right = np.atleast_1d(found), np.atleast_1d(right)
    if found.shape != right.shape:
        raise Wrong(f"{what}: {found.size} values, right are {right.size}")
    error = np.abs(found - right)
    if not (error <= bound).all():
        raise Wrong(f"{what} = {found.tolist()}, right is {right.tolist()}: off by {error.max():.2e}, allowed {np.max(bound):.0e}")


def claim(condition, message):
    if not condition:
        raise Wrong(message)


def has_nan(value):
    """Whether a summary holds a number that is none."""
    if isinstance(value, dict):
        return any(has_nan(each) for each in value.values())
    if isinstance(value, list):
        return any(has_nan(each) for each in value)
    return isinstance(value, float) and not np.isfinite(value)


@dataclasses.dataclass
class Case:
    """A name and a check, a function of the program that raises Wrong."""
    name: str
    check: object


def judge(case, carom):
    """None where the case passes, else what is wrong."""
    try:
        case.check(carom)
    except Wrong as wrong:
        return str(wrong)
    except Exception:  # a summary without what it should have, and mistakes of the check itself
        return traceback.format_exc(limit=-3)
    return None


def options(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("program")
    parser.add_argument("source", nargs="?", help="as the other tests have it; not used")
    parser.add_argument("--only", metavar="NAME", help="cases whose name has this in it; * and ? as in a shell")
    parser.add_argument("--quiet", action="store_true", help="failures only")
    return parser


def tell(cases, carom, only=None, quiet=False):
    """One line for each case; the number of those that fail."""
    if only:
        cases = [case for case in cases if fnmatch.fnmatch(case.name, f"*{only}*")]
    failures = 0
    for case in cases:
        wrong = judge(case, carom)
        failures += wrong is not None
        if wrong is not None or not quiet:
            print(f"{'PASS' if wrong is None else 'FAIL'} {case.name}" + ("" if wrong is None else f": {wrong}"), flush=True)
    print(f"{len(cases) - failures} of {len(cases)} pass")
    return failures if cases else 1


def main(cases, description):
    """To be called by files of cases: FILE PROGRAM [SOURCE_DIR] [--only NAME]."""
    given = options(description).parse_args()
    sys.exit(1 if tell(cases, Carom(given.program), given.only, given.quiet) else 0)


class Suite:
    """Random cases, each from the seed and its number alone: check(carom, rng, number) raises Wrong or NotJudged, and returns
    what kind of case it was."""

    def __init__(self, check, description, cases, cap=60.0):
        self.check, self.cap = check, cap
        parser = argparse.ArgumentParser(description=description)
        parser.add_argument("program")
        parser.add_argument("source", nargs="?", help="as the other tests have it; not used")
        parser.add_argument("--cases", type=int, default=cases)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--only", type=int, metavar="NUMBER", help="one case, by its number")
        parser.add_argument("--jobs", type=int, default=1)
        self.given = parser.parse_args()

    def begin(self):
        Suite.carom = Carom(self.given.program, self.cap)  # of the process: what is sent to another has none

    def one(self, number):
        """The number, what became of it, and the kind or what is wrong."""
        try:
            return number, "passed", self.check(self.carom, np.random.default_rng([self.given.seed, number]), number)
        except NotJudged as why:
            return number, "not judged", str(why)
        except Wrong as wrong:
            return number, "failed", str(wrong)
        except Exception:
            return number, "failed", traceback.format_exc(limit=-4)

    def outcomes(self, numbers):
        if self.given.jobs == 1:
            self.begin()
            yield from map(self.one, numbers)
        else:
            with multiprocessing.get_context("fork").Pool(self.given.jobs, self.begin) as pool:
                yield from pool.imap(self.one, numbers)

    def main(self):
        numbers = range(self.given.cases) if self.given.only is None else [self.given.only]
        counts, kinds = collections.Counter(), collections.Counter()
        for number, outcome, what in self.outcomes(numbers):
            counts[outcome] += 1
            kinds[{"passed": what, "not judged": f"not judged ({what})"}.get(outcome, outcome)] += 1
            if outcome == "failed":
                print(f"FAIL {number}: {what}", flush=True)
        print(f"seed {self.given.seed}: " + ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items())))
        sys.exit(1 if counts["failed"] or not counts["passed"] else 0)
