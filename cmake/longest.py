#!/usr/bin/env python3
"""What took longest in a build folder: objects by ninja's log, tests by ctest's. Tested in tests/cli/longest_test.py.

usage: longest.py BUILD_FOLDER...
"""

import pathlib
import re
import sys

SHOWN = 15


def compiled(folder):
    """Seconds by object, of the last time that each was compiled."""
    seconds = {}
    for line in lines_of(folder / ".ninja_log"):
        fields = line.split("\t")
        if len(fields) == 5 and fields[3].endswith(".o"):
            seconds[fields[3].replace("CMakeFiles/", "").replace(".dir/", "/")] = (int(fields[1]) - int(fields[0])) / 1000
    return seconds


def tested(folder):
    """Seconds by test, of the last call of ctest."""
    seconds, name = {}, None
    for line in lines_of(folder / "Testing/Temporary/LastTest.log"):
        if found := re.match(r"\d+/\d+ Testing: (.*)", line):
            name = found[1]
        elif (found := re.match(r"Test time = +([\d.]+) sec", line)) and name:
            seconds[name] = float(found[1])
    return seconds


def lines_of(path):
    return path.read_text(errors="replace").splitlines() if path.exists() else []


def show(what, seconds):
    if not seconds:
        return
    print(f"{what}: {len(seconds)}, {sum(seconds.values()):.0f} s in all")
    for name, each in sorted(seconds.items(), key=lambda item: -item[1])[:SHOWN]:
        print(f"{each:9.1f} s  {name}")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip().splitlines()[-1])
    for folder in map(pathlib.Path, sys.argv[1:]):
        show(f"{folder}, compiled", compiled(folder))
        show(f"{folder}, tested", tested(folder))


if __name__ == "__main__":
    main()
