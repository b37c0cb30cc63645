#!/usr/bin/env python3
"""Kills running simulations at random moments: whatever is left can be read, and the resumed run ends as if nothing
had happened.

usage: kills.py PROGRAM [--count 1000] [--seed 1] [--scenario cart|duffing|star|pendulum]...

A round: `carom run --checkpoint 0.1` is killed (SIGKILL), its folder looked at, and `carom run --resume` started,
which is killed again in half of the cases, until a run completes. Half of the kills come at any time of the run, half
just after a file of the folder has appeared or changed, where most can go wrong. tests/cli/resume_test.py plays a few
rounds; all thousand take about ten minutes on two cores.
"""

import argparse
import collections
import csv
import dataclasses
import json
import multiprocessing
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
import traceback
import zlib

import h5py
import numpy as np

CHECKPOINT = ["--checkpoint", "0.1", "--quiet"]

CASES = {
    "cart": ("trajectory.npz", """\
[system]
name = "cart-pendulum"
[method]
flow = "sva"
impact = "shadow"
[time]
step = 0.01
impacts = 1200
"""),
    "duffing": ("trajectory.npz", """\
[system]
name = "expression"
coordinates = ["x"]
parameters = { push = 0.4, w = 1.2, c = 0.1, wall = 1.2 }
lagrangian = "0.5*x'^2 + 0.5*x^2 - 0.25*x^4"
force = ["push*cos(w*t) - c*x'"]
gaps = { left = "x + wall", right = "wall - x" }
momenta = { "twice the kinetic energy" = "x'^2" }
[initial]
q = [0.5]
[time]
step = 0.01
end = 1500.0
[output]
every = 3
"""),
    "star": ("trajectory.csv", """\
[system]
name = "star"
[method]
name = "vci"
[time]
step = 0.005
impacts = 4000
[output]
every = 20
format = "csv"
"""),
    "pendulum": ("trajectory.h5", """\
[system]
name = "double-pendulum"
[method]
flow = "svc"
impact = "stable-energy"
[time]
step = 0.005
until = "t - 1200.0025"
[output]
every = 7
format = "hdf5"
"""),
}


class Broken(Exception):
    """A promise that a folder or a command did not keep."""


def require(condition, *what):
    if not condition:
        raise Broken(" ".join(map(str, what)))


def columns_of(path):
    """The trajectory in any format, as arrays by name."""
    if path.suffix == ".npy":
        table = np.load(path, mmap_mode="r", allow_pickle=False)
        return {name: table[name] for name in table.dtype.names}
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files if not name.endswith(".names")}
    if path.suffix == ".h5":
        with h5py.File(path) as file:
            return {name: file[name][()] for name in file}
    with open(path, newline="") as file:
        header, *rows = csv.reader(file)
    require(all(len(row) == len(header) for row in rows), path, "has rows of different lengths")
    numbers = np.array(rows, float).reshape(len(rows), len(header))
    parts = {}  # a coordinate is seen by its velocity, v.x
    for i, name in enumerate(header):
        parts.setdefault("q" if f"v.{name}" in header else name.partition(".")[0], []).append(i)
    return {name: numbers[:, at[0]] if header[at[0]] == name else numbers[:, at] for name, at in parts.items()}


def same(some, all_of_it, rows):
    """Whether `some` are the first rows, bit for bit (of a nan, that it is one)."""
    return np.array_equal(some, all_of_it[:rows].reshape(some.shape), equal_nan=True)


@dataclasses.dataclass
class Undisturbed:
    """A run that nobody killed: what all others must end as."""
    name: str
    folder: pathlib.Path
    seconds: float

    @property
    def trajectory(self):
        return self.folder / CASES[self.name][0]

    def load(self):
        self.columns = columns_of(self.trajectory)
        with open(self.folder / "impacts.csv", newline="") as file:
            self.impacts = list(csv.DictReader(file))
        return self


def carom(program, *arguments):
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=1800)


def run_undisturbed(program, name, folder):
    scenario = folder / f"{name}.toml"
    scenario.write_text(CASES[name][1])
    begin = time.monotonic()
    done = carom(program, "run", scenario, "--out", folder / name, *CHECKPOINT)
    require(done.returncode == 0, done)
    return Undisturbed(name, folder / name, time.monotonic() - begin)


def check_checkpoint(path):
    text = path.read_bytes()
    body, _, last = text[:-1].rpartition(b"\n")
    require(text.startswith(b"carom checkpoint 1\n"), path, "begins with", text[:30])
    require(last == b"crc32 %08x" % zlib.crc32(body + b"\n"), path, "has a wrong checksum")


def check_file(path):
    if path.name.startswith(".carom-"):
        return  # what was being written; it has no name yet
    if path.suffix in {".npy", ".npz", ".h5", ".csv"}:
        if path.name != "impacts.csv":
            columns_of(path)
    if path.suffix == ".csv":
        with open(path, newline="") as file:
            require(len({len(row) for row in csv.reader(file)}) == 1, path, "has rows of different lengths")
    elif path.suffix == ".json":
        json.loads(path.read_text())
    elif path.suffix == ".toml":
        tomllib.loads(path.read_text())
    elif path.suffix == ".html":
        require(path.read_text().rstrip().endswith("</html>"), path, "is cut")
    elif path.name == "checkpoint":
        check_checkpoint(path)
    else:
        require(path.suffix in {".npy", ".npz", ".h5"}, path, "is no file of a run")


def check_rows(folder, undisturbed):
    """Whatever rows there are, they are the first ones of the undisturbed run. Returns how many."""
    rows = 0
    for path in folder.glob("trajectory.*"):
        columns = columns_of(path)
        rows = max(rows, len(columns["t"]))
        for name, array in columns.items():
            if array.size:  # a column of no width leaves no trace in csv
                require(same(array, undisturbed.columns[name], len(array)), path, "column", name, "is not a first part")
    if (folder / "impacts.npy").exists():
        impacts = np.load(folder / "impacts.npy", allow_pickle=False)
        expected = undisturbed.impacts[:len(impacts)]
        for name, column in [("t", "time"), ("step", "step"), ("impulse", "impulse")]:
            require(impacts[name].tolist() == [float(row[column]) for row in expected], folder, "impacts:", name)
        require([text.decode() for text in impacts["contact"]] == [row["contact"] for row in expected], "contacts")
    return rows


def check_folder(program, folder, undisturbed):
    """All that a killed run left, by our own eyes and by the program's. Returns what `carom info` says of the run."""
    for path in folder.iterdir():
        check_file(path)
    if not (folder / "scenario.toml").exists():
        return None
    rows = check_rows(folder, undisturbed)
    info = carom(program, "info", folder, "--json")
    require(info.returncode == 0 and not info.stderr, "info:", info)
    run = json.loads(info.stdout)["run"]
    require(run["rows"] == rows, "info says", run["rows"], "rows, not", rows)
    report = carom(program, "report", folder, "--quiet")
    require(report.returncode == 0 and not report.stderr, "report:", report)
    require(rows == 0 or (folder / "report.html").exists(), "no report of", rows, "rows")
    return run


def check_end(folder, undisturbed):
    expected = {path.name for path in undisturbed.folder.iterdir()}
    left = {path.name for path in folder.iterdir() if not path.name.startswith(".carom-")}
    require(left == expected, "at the end there are", sorted(left))
    for name in [undisturbed.trajectory.name, "impacts.csv", "scenario.toml"]:
        require((folder / name).read_bytes() == (undisturbed.folder / name).read_bytes(), name, "differs")
    ours, theirs = (json.loads((path / "summary.json").read_text()) for path in [folder, undisturbed.folder])
    for own in (ours, theirs):  # what was typed and how long it took differ
        del own["cost"], own["command"]
    require(ours == theirs, "summary.json differs:", [name for name in theirs if ours.get(name) != theirs[name]])


def stamps(folder):
    try:
        return {entry.name: entry.stat().st_ino for entry in os.scandir(folder)}
    except FileNotFoundError:  # also of a file that went away in between
        return {}


def wait_for_kill(process, folder, undisturbed, chance):
    """Until any time of the run, or until a file comes, goes or is replaced, for so many times."""
    end = time.monotonic() + chance.uniform(0, 1.1 * undisturbed.seconds)
    if chance.random() < 0.5:
        while time.monotonic() < end and process.poll() is None:
            time.sleep(max(0, min(0.02, end - time.monotonic())))
        return
    changes, before, end = chance.randrange(1, 16), stamps(folder), time.monotonic() + undisturbed.seconds
    while changes and process.poll() is None and time.monotonic() < end:
        now = stamps(folder)
        if now != before:
            changes, before = changes - 1, now
        time.sleep(0.0002)
    time.sleep(chance.choice([0, 0.0003, 0.003]))


def run_and_kill(command, folder, undisturbed, chance, sure):
    """Whether the kill came before the end. Raises Broken for a run that ended badly by itself."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if sure or chance.random() < 0.5:
        wait_for_kill(process, folder, undisturbed, chance)
        process.kill()
    said = process.communicate(timeout=1800)[0].decode(errors="replace")
    require(process.returncode in (0, -signal.SIGKILL), command[1:], "exit code", process.returncode, said)
    return process.returncode != 0


def play_round(program, undisturbed, folder, chance):
    """One run to its end through any number of kills: (kills, resumes)."""
    anew = [program, "run", undisturbed.folder.parent / f"{undisturbed.name}.toml", "--out", folder, "--force", *CHECKPOINT]
    command, kills, resumes = anew, 0, 0
    while run_and_kill(command, folder, undisturbed, chance, sure=command == anew):
        kills += 1
        found = check_folder(program, folder, undisturbed) if folder.exists() else None
        if found and found["status"] == "completed" and not found["resumable"]:
            break
        resumes += found is not None
        command = anew if found is None else [program, "run", "--resume", folder, *CHECKPOINT]
    check_end(folder, undisturbed)
    return kills, resumes


@dataclasses.dataclass
class Round:
    number: int
    name: str
    kills: int = 0
    resumes: int = 0
    failure: str = ""
    leftovers: int = 0


def play(work):
    program, undisturbed, seed, number, folder = work
    outcome = Round(number, undisturbed.name)
    own = folder / f"round-{number}"
    try:
        outcome.kills, outcome.resumes = play_round(program, undisturbed.load(), own, random.Random(f"{seed}/{number}"))
        outcome.leftovers = len(list(own.glob(".carom-*")))
        shutil.rmtree(own)
    except Exception as error:  # a reader's own complaint is a finding like any other; the folder stays
        files = {path.name: path.stat().st_size for path in own.iterdir()} if own.exists() else {}
        reason = str(error) if isinstance(error, Broken) else traceback.format_exc()
        outcome.failure, outcome.kills = f"{reason}\n    left in {own}: {files}", 1
    return outcome


def works(program, seed, runs, folder):
    number = 0
    while True:
        yield program, runs[number % len(runs)], seed, number, folder
        number += 1


def play_rounds(program, names, count, seed, folder, workers=2, tell=lambda outcome, total: None):
    """Rounds until there were `count` kills: (sums by field, failures)."""
    program = str(pathlib.Path(program).resolve())
    runs = [run_undisturbed(program, name, folder) for name in names]
    total, failures = collections.Counter(), []
    with multiprocessing.Pool(workers) as pool:
        source = works(program, seed, runs, folder)
        while total["kills"] < count and len(failures) < 20:
            batch = [next(source) for _ in range(min(8 * workers, 1 + (count - int(total["kills"])) // 2))]
            for outcome in pool.imap_unordered(play, batch):
                total.update(rounds=1, kills=outcome.kills, resumes=outcome.resumes, leftovers=outcome.leftovers)
                if outcome.failure:
                    failures.append(outcome)
                tell(outcome, total)
    return total, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=1000, help="how many kills")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scenario", action="append", choices=CASES, help="repeatable; all of them by default")
    options = parser.parse_args()

    def tell(outcome, total):
        if outcome.failure:
            print(f"round {outcome.number} ({outcome.name}): {outcome.failure}", flush=True)
        if total["rounds"] % 50 == 0:
            print(f"{total['kills']} kills ...", file=sys.stderr, flush=True)

    begin = time.monotonic()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="carom-kills-"))
    total, failures = play_rounds(options.program, options.scenario or list(CASES), options.count, options.seed, folder,
                                  tell=tell)
    print(f"{total['kills']} kills, {total['resumes']} resumes, {total['rounds']} rounds, {len(failures)} failures, "
          f"{total['leftovers']} temporary files left, {time.monotonic() - begin:.0f} s")
    if failures:
        sys.exit(f"what the failed rounds left is in {folder}")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
