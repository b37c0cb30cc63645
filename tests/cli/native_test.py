"""Formulas compiled: the same bits as interpreted ones, a cache that survives all that happens to it, and a run in any case."""

import json
import os
import pathlib
import shutil
import subprocess
import tomllib

from support import CaromTest, main

SYSTEM = """\
[system]
name = "expression"
coordinates = ["x"]
parameters = { k = 4.0 }
lagrangian = "0.5*x'^2 - 0.5*k*x^2"
gaps = { wall = "1.5 - x" }
momenta = { "twice the energy" = "x'^2 + k*x^2" }
[initial]
q = [1.0]
v = [2.5]
[time]
end = 3.0
"""

SWEEP = """\
scenario = "my.toml"
fields = ["final.q.0", "energy.max_abs_error"]
[grid]
"initial.q.0" = { from = 0.1, to = 0.3, count = 3 }
"""


class WithCache(CaromTest):
    """Each test has a cache of its own."""

    def setUp(self):
        super().setUp()
        self.cache = self.folder / "cache" / "carom"
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(self.cache.parent)}
        for name in ["CC", "CXX"]:
            self.environment.pop(name, None)

    def with_cache(self, *arguments, **changes):
        done = subprocess.run(self.command(*arguments), cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=120, env={**self.environment, **changes})
        return done.returncode, done.stderr.decode()

    def summary(self, out):
        return json.loads(self.bytes_of(out, "summary.json"))

    def run_native(self, out, scenario="my.toml", *arguments, expected="compiled", flag="--native", **changes):
        """Runs it, and returns what it said on standard error."""
        code, err = self.with_cache("run", scenario, "--out", out, "--force", "--quiet", *([flag] if flag else []), *arguments, **changes)
        self.assertEqual(code, 0, err)
        self.assertEqual(self.summary(out)["formulas"], expected, err)
        return err

    def libraries(self):
        return sorted(self.cache.glob("*.so"))

    def script(self, text):
        path = self.folder / "compiler"
        path.write_text("#!/bin/sh\n" + text + "\n")
        path.chmod(0o755)
        return str(path)


class TheSameBits(WithCache):
    def shortened(self, path):
        scenario = tomllib.loads(path.read_text())
        time = scenario["time"]
        if "end" not in time:
            return ["--set", "time.impacts=3"]
        return ["--set", f"time.end={min(time['end'], time.get('start', 0) + 300 * time.get('step', 0.01))!r}"]

    def test_of_every_shipped_scenario(self):
        compared = 0
        for path in sorted(pathlib.Path(self.source, "scenarios").glob("*.toml")):
            with self.subTest(path.stem):
                options = self.shortened(path)
                code, err = self.with_cache("run", path.stem, "--out", "plain", "--force", "--quiet", "--no-native", *options)
                self.assertEqual(code, 0, err)
                how = self.summary("plain")["formulas"]
                self.assertIn(how, [None, "interpreted"])
                if not how:
                    continue
                self.assertEqual(self.run_native("native", path.stem, *options), "")
                for name in ["trajectory.npz", "impacts.csv"]:
                    self.assertEqual(self.bytes_of("native", name), self.bytes_of("plain", name), name)
                plain, native = self.summary("plain"), self.summary("native")
                for either in (plain, native):
                    del either["formulas"], either["command"], either["cost"]["wall_seconds"], either["cost"]["steps_per_second"]
                self.assertEqual(plain, native)
                compared += 1
        self.assertGreater(compared, 15)

    def test_of_a_run_that_goes_on_the_other_way(self):
        whole = ["--set", "time.end=300", "--set", "output.every=10"]
        self.write(SYSTEM)
        self.run_native("whole", "my.toml", *whole)
        for first, then in [("--native", "--no-native"), ("--no-native", "--native")]:
            with self.subTest(first):
                out = "out" + first
                process = subprocess.Popen(self.command("run", "my.toml", "--out", out, "--quiet", "--checkpoint", "0.01", first, *whole),
                                           cwd=self.folder, env=self.environment)
                while not (self.folder / out / "checkpoint").exists() and process.poll() is None:
                    pass
                process.terminate()
                process.wait()
                if self.summary(out)["status"] == "stopped":  # and not met behind its last step
                    self.assertEqual(self.with_cache("run", "--resume", out, "--quiet", then), (0, ""))
                    self.assertEqual(self.summary(out)["formulas"], "compiled" if then == "--native" else "interpreted")
                self.assertEqual(self.bytes_of(out), self.bytes_of("whole"))

    def test_of_a_sweep(self):
        self.write(SYSTEM.replace("end = 3.0", "end = 20000.0") + "[output]\nevery = 100000\n")
        self.write(SWEEP, "sweep.toml")
        for out, changes in [("plain", {"CC": "no-such", "CXX": "no-such"}), ("native", {})]:
            code, err = self.with_cache("sweep", "sweep.toml", "--out", out, "--quiet", **changes)
            self.assertEqual(code, 0, err)
        self.assertEqual(self.bytes_of("native", "sweep.npz"), self.bytes_of("plain", "sweep.npz"))


class WhenIsItTaken(WithCache):
    def test_for_long_runs_and_where_it_is_there_already(self):
        self.write(SYSTEM)
        self.assertEqual(self.run_native("short", flag=None, expected="interpreted"), "")
        self.assertEqual(self.libraries(), [])
        long = ["--set", "time.end=2e5", "--set", "output.every=1000000", "--set", "method.flow=sva", "--set", "time.step=0.05"]
        self.assertEqual(self.run_native("long", "my.toml", *long, flag=None), "")
        self.assertEqual(len(self.libraries()), 1)
        self.assertEqual(self.run_native("short", flag=None), "", "from the cache")
        self.assertEqual(self.run_native("short", flag="--no-native", expected="interpreted"), "")

    def test_compiled_once(self):
        self.write(SYSTEM)
        self.run_native("first")
        stamps = [path.stat().st_mtime_ns for path in self.libraries()]
        self.run_native("again")
        self.assertEqual([path.stat().st_mtime_ns for path in self.libraries()], stamps)
        self.assertEqual(len(stamps), 1)
        self.assertEqual(self.bytes_of("first"), self.bytes_of("again"))

    def test_not_for_systems_in_cpp(self):
        self.assertEqual(self.run_native("out", "particle", "--set", "time.end=0.1", expected=None), "")

    def test_both_words_at_once_are_refused(self):
        self.write(SYSTEM)
        code, err = self.with_cache("run", "my.toml", "--native", "--no-native")
        self.assertNotEqual(code, 0)
        self.assertIn("--native excludes --no-native", err)


class WhateverHappens(WithCache):
    """A run works interpreted, with a warning where --native asked for more, or the library is made again."""

    def setUp(self):
        super().setUp()
        self.write(SYSTEM)
        self.run_native("plain", flag="--no-native", expected="interpreted")

    def interpreted(self, message, **changes):
        err = self.run_native("out", expected="interpreted", **changes)
        self.assertIn("carom: warning: --native: ", err)
        self.assertIn(message, err)
        self.assertIn(message, self.summary("out")["warnings"][-1])
        self.assertEqual(self.bytes_of("out"), self.bytes_of("plain"))
        self.assertEqual(self.run_native("out", "my.toml", flag=None, expected="interpreted", **changes), "", "not asked for")

    def test_no_compiler(self):
        self.interpreted('there is no compiler "no-such"', CC="no-such", CXX="no-such-either")

    def test_only_a_compiler_of_cpp(self):
        self.assertEqual(self.run_native("out", CC="no-such"), "")
        self.assertEqual(self.bytes_of("out"), self.bytes_of("plain"))

    def test_a_compiler_with_options(self):
        self.assertEqual(self.run_native("out", CC="cc -g -O3"), "")

    def test_a_compiler_that_fails(self):
        self.interpreted("the compiler failed, see ", CC=self.script("echo no space left on device >&2; exit 1"))
        self.assertIn("no space left", next(self.cache.glob("*.log")).read_text())

    def test_a_compiler_that_writes_nothing_or_half(self):
        self.interpreted("the compiler wrote no library", CC=self.script("exit 0"))
        half = self.script('cc "$@" && for last; do test "$out" = next && out=$last; test "$last" = -o && out=next; done; '
                           'truncate -s 1000 "$out"')
        self.interpreted("the compiler wrote no library", CC=half)

    def test_a_compiler_that_hangs(self):
        code, err = self.with_cache("run", "my.toml", "--native", "--out", "out", "--quiet", CC=self.script("sleep 1000"))
        self.assertEqual(code, 0)
        self.assertIn("does not come to an end", err)
        self.assertEqual(self.bytes_of("out"), self.bytes_of("plain"))

    def test_no_folder_for_the_cache(self):
        self.interpreted("/proc/nowhere/carom: ", XDG_CACHE_HOME="/proc/nowhere")
        (self.folder / "file").mkdir()
        (self.folder / "file/carom").write_text("")
        self.interpreted("is not a folder", XDG_CACHE_HOME=str(self.folder / "file"))

    def test_a_cache_that_others_may_write_to(self):
        self.cache.mkdir(parents=True)
        self.cache.chmod(0o777)
        self.interpreted("others may write there")

    def test_a_library_that_cannot_be_replaced(self):
        self.run_native("out")
        library = self.libraries()[0]
        library.unlink()
        library.mkdir()
        (library / "something").write_text("")
        self.interpreted(library.name)

    def test_a_broken_library_is_made_again(self):
        self.run_native("out")
        library = self.libraries()[0]
        whole = library.read_bytes()
        flipped = bytearray(whole)
        flipped[len(whole) // 2] ^= 1
        for bytes in [b"", whole[:100], whole[:-1], whole + b"x", flipped, b"\0" * len(whole)]:
            library.write_bytes(bytes)
            self.assertEqual(self.run_native("out"), "")
            self.assertEqual(library.read_bytes(), whole)
            self.assertEqual(self.bytes_of("out"), self.bytes_of("plain"))

    def test_a_library_of_other_formulas_is_made_again(self):
        self.run_native("out")
        library = self.libraries()[0]
        whole = library.read_bytes()
        self.run_native("other", "my.toml", "--set", "system.parameters.k=5.0")
        other = next(path for path in self.libraries() if path != library)
        shutil.copy(other, library)
        self.assertEqual(self.run_native("out"), "")
        self.assertEqual(library.read_bytes(), whole)
        self.assertEqual(self.bytes_of("out"), self.bytes_of("plain"))

    def test_several_processes_at_once(self):
        processes = [subprocess.Popen(self.command("run", "my.toml", "--native", "--out", f"out{i}", "--quiet"), cwd=self.folder,
                                      env=self.environment, stderr=subprocess.PIPE) for i in range(6)]
        for i, process in enumerate(processes):
            self.assertEqual((process.communicate()[1], process.returncode), (b"", 0))
            self.assertEqual(self.summary(f"out{i}")["formulas"], "compiled")
            self.assertEqual(self.bytes_of(f"out{i}"), self.bytes_of("plain"))
        self.assertEqual(len(list(self.cache.iterdir())), 1, "nothing is left beside the library")

    def test_no_home(self):
        for name in ["HOME", "XDG_CACHE_HOME"]:
            self.environment.pop(name, None)
        self.assertEqual(self.run_native("out", TMPDIR=str(self.folder)), "")
        self.assertEqual(len(list(self.folder.glob("carom-*/*.so"))), 1)
        self.assertEqual(self.bytes_of("out"), self.bytes_of("plain"))


if __name__ == "__main__":
    main()
