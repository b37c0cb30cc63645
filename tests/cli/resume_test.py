#!/usr/bin/env python3
"""Runs that are stopped, killed or run out of disk: what they leave can be read, and they go on bit for bit.

usage: resume_test.py PROGRAM SOURCE_DIR
"""

import json
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "kills"))
import kills
from support import CaromTest, main, SANITIZED, setting

# Long enough to be met on its way by any machine; the tests that let it end cut it short.
LONG = """\
[system]
name = "cart-pendulum"
[method]
flow = "sva"
impact = "shadow"
[time]
step = 0.01
end = 1e6
[output]
every = 5
"""
SHORT = setting(time__end=500 if SANITIZED else 2000)
FINAL = {"summary.json", "trajectory.npz", "impacts.csv", "scenario.toml", "report.html", "checkpoint"}
CHECKPOINT = ["--checkpoint", "0.1"]


class Stopped(CaromTest):
    def setUp(self):
        super().setUp()
        self.write(LONG)

    def names(self, out):
        return {path.name for path in (self.folder / out).iterdir()}

    def start(self, out, *options, **more):
        process = subprocess.Popen(self.command("run", "my.toml", "--out", out, *options), cwd=self.folder, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        """Leaves no process behind, whatever the test came to."""
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()

    def wait_for(self, path):
        end = time.monotonic() + 300
        while not (self.folder / path).exists():
            self.assertLess(time.monotonic(), end, f"{path} did not come")
            time.sleep(0.01)

    def stop(self, process, out, how=signal.SIGINT, mark="checkpoint"):
        """Stops a run after its first checkpoint; (exit code, out, err)."""
        self.wait_for(f"{out}/{mark}")
        process.send_signal(how)
        said, complained = process.communicate(timeout=300)
        return process.returncode, said, complained

    def cut_short(self, out):
        """As if the scenario had an end soon after where the run was stopped, to be met by resuming it."""
        last = json.loads((self.folder / out / "summary.json").read_text())["time"]["end"]
        for name in ["scenario.toml", "checkpoint"]:
            path = self.folder / out / name
            path.write_text(re.sub(r"end = 1000000\.0", f"end = {last + 100}", path.read_text()))
        self.sign(self.folder / out / "checkpoint")
        return last + 100

    def sign(self, path):
        """Makes the checksum and the scenario's length of an edited checkpoint right again."""
        body = path.read_bytes()[:-len("crc32 00000000\n")]
        before, _, scenario = body.partition(b" bytes\n")
        before = before.rpartition(b" ")[0] + b" %d" % (len(scenario) - 1)
        body = before + b" bytes\n" + scenario
        path.write_bytes(body + b"crc32 %08x\n" % kills.zlib.crc32(body))

    def check_files(self, out):
        for path in (self.folder / out).iterdir():
            self.assertFalse(path.name.startswith("."), path)
            kills.check_file(path)

    def check_same(self, out, undisturbed):
        self.assertEqual(self.names(out), FINAL)
        for name in ["trajectory.npz", "impacts.csv", "scenario.toml"]:
            self.assertEqual(self.bytes_of(out, name), self.bytes_of(undisturbed, name), name)
        ours, theirs = (json.loads(self.bytes_of(folder, "summary.json")) for folder in [out, undisturbed])
        for what in (ours, theirs):
            del what["cost"], what["command"]
        self.assertEqual(ours, theirs)

    def stopped_run(self, out="out"):
        code, _, err = self.stop(self.start(out, *CHECKPOINT, "--quiet"), out)
        self.assertEqual(code, 130, err)

    def refused(self, code, *words):
        line = self.fail_with(code, "run", "--resume", "out")
        for word in ["out", *words]:
            self.assertIn(word, line)
        return line


class Signals(Stopped):
    def test_ends_at_a_grid_point_says_how_to_go_on_and_goes_on(self):
        for how in [signal.SIGINT, signal.SIGTERM]:
            with self.subTest(how):
                out = how.name
                code, said, err = self.stop(self.start(out, *CHECKPOINT), out, how)
                self.assertEqual(code, 130, err)
                self.assertIn(": stopped\n", said)
                self.assertEqual(self.one_line(err), f"go on with: carom run --resume {out}")
                self.check_files(out)
                self.assertEqual(self.names(out), FINAL | {"trajectory.npy", "impacts.npy"})
                end = self.check_stopped(out)
                self.cut_short(out)
                self.run_to_end(out, end + 100)

    def check_stopped(self, out):
        info = json.loads(self.succeed("info", out, "--json").out)["run"]
        self.assertEqual((info["status"], info["resumable"], info["checkpoint"]), ("stopped", True, True))
        summary, rows = info["summary"], kills.columns_of(self.folder / out / "trajectory.npz")
        self.assertEqual(summary["reason"], f"stopped on request at t = {summary['time']['end']:.10g}")
        self.assertEqual({name: summary["final"][name] for name in "tqvp"}, {name: rows[name][-1].tolist() for name in "tqvp"})
        self.assertEqual(info["rows"], len(rows["t"]))
        return summary["time"]["end"]

    def run_to_end(self, out, end, again=False):
        self.succeed("run", "--resume", out, "--quiet", *(setting(time__end=end) if again else []))
        self.succeed("run", "my.toml", "--set", f"time.end={end}", "--out", f"{out}-whole", "--quiet")
        self.check_same(out, f"{out}-whole")

    def test_a_built_in_system_in_formulas_goes_on(self):
        # What is recorded is the scenario as it was given, not the formulas that it stands for.
        self.write(LONG.replace('"cart-pendulum"', '"pogo-stick"\nparameters = { k = 12.0 }'))
        self.stopped_run()
        end = self.check_stopped("out")
        self.assertNotIn("lagrangian", (self.folder / "out/scenario.toml").read_text())
        self.cut_short("out")
        self.run_to_end("out", end + 100)

    def test_goes_on_without_having_asked_for_checkpoints(self):
        code, _, err = self.stop(self.start("out", "--quiet"), "out", signal.SIGTERM, "trajectory.npy")
        self.assertEqual((code, err), (130, ""))
        self.assertEqual(self.names("out"), FINAL)
        self.check_files("out")
        self.run_to_end("out", self.check_stopped("out") + 100, again=True)

    def test_a_run_that_was_killed_without_checkpoints_says_so(self):
        process = self.start("out", *SHORT)
        self.wait_for("out/trajectory.npy")
        process.kill()
        process.wait()
        result = self.carom("run", "--resume", "out")
        self.assertEqual(result.code, 0, result.err)
        self.assertIn("killed before it kept a state, so it starts again; --checkpoint", self.one_line(result.err))
        self.succeed("run", "my.toml", "--out", "whole", "--quiet", *SHORT)
        self.check_same("out", "whole")

    def test_json_stays_one_document(self):
        code, said, err = self.stop(self.start("out", *CHECKPOINT, "--json"), "out")
        self.assertEqual((code, json.loads(said)["status"]), (130, "stopped"))
        self.one_line(err)

    def test_a_resumed_run_that_is_killed_is_unfinished_again(self):
        # What the first stop left must not be taken for what the second one computed.
        self.stopped_run()
        before = json.loads(self.succeed("info", "out", "--json").out)["run"]["rows"]
        process = subprocess.Popen(self.command("run", "--resume", "out", *CHECKPOINT, "--quiet"), cwd=self.folder)
        old = (self.folder / "out/checkpoint").stat().st_ino
        while (self.folder / "out/checkpoint").stat().st_ino == old:
            time.sleep(0.01)
        process.kill()
        process.wait()
        self.check_files("out")
        info = json.loads(self.succeed("info", "out", "--json").out)["run"]
        self.assertEqual((info["status"], info["rows"] > before), ("unfinished", True))


class Kills(Stopped):
    def test_some_random_kills(self):
        total, failures = kills.play_rounds(self.program, list(kills.CASES), 12, 7, self.folder)
        self.assertEqual([(failure.name, failure.failure) for failure in failures], [])
        self.assertGreaterEqual(total["kills"], 12)
        self.assertGreater(total["resumes"], 0)

    def test_what_a_kill_at_the_very_start_leaves(self):
        self.succeed("run", "my.toml", "--out", "whole", "--quiet", *SHORT)
        scenario = self.bytes_of("whole", "scenario.toml")
        for left in [{}, {"trajectory.npy": b""}, {"trajectory.npy": b"\x93NUMPY"}]:
            with self.subTest(left):
                shutil.rmtree(self.folder / "out", ignore_errors=True)
                (self.folder / "out").mkdir()
                (self.folder / "out/scenario.toml").write_bytes(scenario)
                for name, content in left.items():
                    (self.folder / "out" / name).write_bytes(content)
                info = json.loads(self.succeed("info", "out", "--json").out)["run"]
                self.assertEqual((info["status"], info["rows"]), ("unfinished", 0))
                self.succeed("run", "--resume", "out", "--quiet")
                self.check_same("out", "whole")

    def test_no_temporary_file_stays(self):
        self.stopped_run()
        self.cut_short("out")
        for name in [".carom-1-0.tmp", ".carom-99999999-3.part"]:
            (self.folder / "out" / name).write_text("half a file")
        self.succeed("run", "--resume", "out", "--quiet")
        self.assertEqual(self.names("out"), FINAL)


class WrongResumes(Stopped):
    def test_of_no_run(self):
        self.refused(4, "holds no run")
        (self.folder / "out").mkdir()
        self.refused(4, "holds no run")
        self.assertEqual(self.names("out"), set())
        self.assertIn("holds no run", self.fail_with(4, "run", "--resume", "my.toml"))

    def test_of_a_run_that_has_ended(self):
        self.succeed("run", "my.toml", "--out", "out", *SHORT, *CHECKPOINT, "--quiet")
        before = {name: self.bytes_of("out", name) for name in FINAL}
        self.refused(4, "has ended")
        self.assertEqual({name: self.bytes_of("out", name) for name in self.names("out")}, before)

    def test_with_other_wishes(self):
        for words in [["my.toml"], ["--set", "time.step=3"], ["--out", "else"], ["--force"]]:
            self.assertIn("--resume", self.fail_with(2, "run", "--resume", "out", *words))
        for seconds in ["0", "-1", "nan", "inf", "soon"]:
            self.assertIn("--checkpoint", self.fail_with(2, "run", "my.toml", f"--checkpoint={seconds}"))

    def contents(self):
        return {path.name: path.read_bytes() for path in (self.folder / "out").iterdir()}

    def refused_untouched(self, code, *words):
        before = self.contents()
        for setting in ([], ["--set", "time.end=123456.0"]):
            line = self.fail_with(code, "run", "--resume", "out", *setting)
            for word in ["out", *words]:
                self.assertIn(word, line)
            self.assertTrue(self.contents() == before, "a refusal changes nothing")

    def test_of_a_run_without_tables_that_was_changed_or_damaged(self):
        self.succeed("run", "my.toml", "--out", "good", *setting(time__end=20), "--quiet")

        def signed(old, new):
            def edit(path):
                path.write_bytes(path.read_bytes().replace(old, new, 1))
                self.sign(path)
            return edit

        def cut(path):
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])

        for name, edit, words in [
                ("checkpoint", signed(b"numbers state ", b"numbers state 1 "), ["checkpoint", "does not fit"]),
                ("checkpoint", signed(b"count rows ", b"count rows 9"), ["trajectory.npy", "rows"]),
                ("checkpoint", signed(b"count impacts ", b"count impacts 9"), ["impacts.npy", "rows"]),
                ("checkpoint", signed(b"numbers state", b"count over 77\nnumbers state"), ["checkpoint", "ended"]),
                ("trajectory.npz", cut, ["trajectory.npz"]), ("impacts.csv", cut, ["impacts.csv"])]:
            with self.subTest(words):
                shutil.rmtree(self.folder / "out", ignore_errors=True)
                shutil.copytree(self.folder / "good", self.folder / "out")
                edit(self.folder / "out" / name)
                before = self.contents()
                line = self.fail_with(4, "run", "--resume", "out", "--set", "time.end=123456.0")
                for word in ["out", *words]:
                    self.assertIn(word, line)
                self.assertTrue(self.contents() == before, "a refusal changes nothing")

    def test_of_a_run_with_a_force_of_a_programs_own(self):
        self.succeed("run", "my.toml", "--out", "out", *setting(time__end=20), "--quiet")
        for kept in (True, False):
            scenario = self.folder / "out/scenario.toml"
            if kept:
                scenario.write_text(scenario.read_text().replace("[system]\n", '[system]\nheld_force = "a controller"\n'))
            else:
                (self.folder / "out/checkpoint").unlink()
            self.refused_untouched(2, "system.held_force", "a controller", "no file holds")
        self.assertIn("held_force", self.fail_with(2, "run", "out/scenario.toml", "--out", "again"))
        self.succeed("info", "out")
        self.succeed("report", "out")

    def test_of_what_was_changed_or_damaged(self):
        self.stopped_run()
        shutil.copytree(self.folder / "out", self.folder / "good")
        checkpoint = self.bytes_of("out", "checkpoint")

        def replace(name, old, new):
            return lambda path: (path / name).write_bytes((path / name).read_bytes().replace(old, new, 1))

        def write(name, content):
            return lambda path: (path / name).write_bytes(content)

        def cut(name, size):
            return lambda path: (path / name).write_bytes((path / name).read_bytes()[:size])

        def unsigned(old, new):  # a checkpoint whose checksum is right all the same
            def edit(path):
                replace("checkpoint", old, new)(path)
                self.sign(path / "checkpoint")
            return edit

        for edit, code, words in [
                (replace("scenario.toml", b"0.01", b"0.02"), 4, ["scenario.toml", "changed"]),
                (replace("scenario.toml", b"[time]", b"[tmie]"), 2, ["scenario.toml:", "did you mean"]),
                (write("scenario.toml", b""), 2, ["scenario.toml", "system.name"]),
                (replace("checkpoint", b"count", b"coutn"), 4, ["checkpoint", "damaged"]),
                (cut("checkpoint", len(checkpoint) // 2), 4, ["checkpoint", "damaged"]),
                (write("checkpoint", b""), 4, ["checkpoint", "not a checkpoint"]),
                (write("checkpoint", b"\0" * 5000), 4, ["checkpoint", "not a checkpoint"]),
                (unsigned(b"numbers state ", b"numbers state 1 "), 4, ["checkpoint", "does not fit"]),
                (unsigned(b"numbers state", b"numbers sate"), 4, ["checkpoint"]),
                (unsigned(b"count rows", b"count rwos"), 4, ["checkpoint"]),
                (unsigned(b"count rows ", b"count rows -"), 4, ["checkpoint"]),
                (unsigned(b"count rows ", b"count rows 9"), 4, ["trajectory.npy", "rows"]),
                (cut("trajectory.npy", 5000), 4, ["trajectory.npy", "rows"]),
                (cut("trajectory.npy", 50), 4, ["trajectory.npy"]),
                (cut("impacts.npy", 300), 4, ["impacts.npy"]),
                (write("trajectory.npy", b"garbage" * 1000), 4, ["trajectory.npy"]),
                (replace("trajectory.npy", b"'H'", b"'G'"), 4, ["trajectory.npy", "columns"]),
                (lambda path: [(path / name).unlink() for name in ["impacts.npy", "impacts.csv"]], 4, ["impacts.csv"])]:
            with self.subTest(words):
                shutil.rmtree(self.folder / "out")
                shutil.copytree(self.folder / "good", self.folder / "out")
                edit(self.folder / "out")
                self.refused_untouched(code, *words)


class TwoAtOnce(Stopped):
    def test_nobody_disturbs_a_run_under_way(self):
        first = self.start("out", *CHECKPOINT, "--quiet", *SHORT)
        self.wait_for("out/checkpoint")
        self.assertIn("exists already", self.fail_with(4, "run", "my.toml", "--out", "out"))
        for command in [["run", "--resume", "out"], ["run", "my.toml", "--out", "out", "--force"]]:
            self.assertIn("another process", self.fail_with(4, *command))
            self.assertIsNone(first.poll(), "the first run was too short for this test")
        self.succeed("info", "out")
        self.succeed("report", "out")
        self.assertEqual((*first.communicate(timeout=300), first.returncode), ("", "", 0))
        self.succeed("run", "my.toml", "--out", "whole", "--quiet", *SHORT)
        self.check_same("out", "whole")

    def test_two_that_start_together(self):
        for attempt in range(5):
            out = f"out-{attempt}"
            both = [self.start(out, "--quiet", *setting(time__end=100 + k)) for k in range(2)]
            codes = []
            for process in both:
                err = process.communicate(timeout=300)[1]
                codes.append(process.returncode)
                self.assertIn(process.returncode, (0, 4), err)
                if process.returncode:
                    self.one_line(err)
            self.assertIn(0, codes)
            winner = 100 + codes.index(0)
            summary = json.loads(self.bytes_of(out, "summary.json"))
            self.assertEqual(self.names(out), FINAL)
            if sum(codes):  # the loser came too late, or gave way
                self.assertEqual(summary["final"]["t"], winner)
            rows = kills.columns_of(self.folder / out / "trajectory.npz")
            self.assertEqual(rows["t"][-1], summary["final"]["t"], "the files of one folder are of one run")


class FullDisk(Stopped):
    """A limit on the size of files stands for a disk that fills up."""

    SPAN = setting(time__end=800)  # 1.7 MB of rows

    def limited(self, size, out, *options):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

        process = self.start(out, "--quiet", *self.SPAN, *options, preexec_fn=limit)
        said, err = process.communicate(timeout=300)
        self.assertEqual((process.returncode, said), (4, ""), err)
        return self.one_line(err)

    def test_keeps_what_fits_and_goes_on_when_there_is_room(self):
        for name in ["npz", "csv", "hdf5"]:
            format = setting(output__format=name)
            trajectory = "trajectory.h5" if name == "hdf5" else f"trajectory.{name}"
            self.succeed("run", "my.toml", "--out", name, "--quiet", *self.SPAN, *format)
            for size, checkpoint in [(700_000, CHECKPOINT), (700_000, []), (30_000, CHECKPOINT)]:
                with self.subTest(format=name, size=size, checkpoint=checkpoint):
                    shutil.rmtree(self.folder / "out", ignore_errors=True)
                    line = self.limited(size, "out", *checkpoint, *format)
                    self.assertRegex(line, r"'out/trajectory\.[a-z0-9]+': File too large")
                    self.check_files("out")
                    self.assertNotIn("summary.json", self.names("out"))
                    live, whole = kills.columns_of(self.folder / "out/trajectory.npy"), self.folder / name / trajectory
                    self.assertGreater(len(live["t"]), size // 104 - 10)
                    self.assertTrue(kills.same(live["q"], kills.columns_of(whole)["q"], len(live["t"])))
                    self.assertEqual(json.loads(self.succeed("info", "out", "--json").out)["run"]["rows"], len(live["t"]))
                    self.succeed("run", "--resume", "out", "--quiet")
                    for file in [trajectory, "impacts.csv", "scenario.toml"]:
                        self.assertEqual(self.bytes_of("out", file), self.bytes_of(name, file), file)

    def test_not_even_room_for_the_scenario(self):
        line = self.limited(100, "out")
        self.assertIn("'out/scenario.toml': File too large", line)
        self.assertEqual(self.names("out"), set())


if __name__ == "__main__":
    main()
