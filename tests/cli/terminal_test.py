#!/usr/bin/env python3
"""What someone at a terminal sees and does: the progress line, Ctrl-C, SIGTERM.

usage: terminal_test.py PROGRAM SOURCE_DIR
"""

import json
import os
import pty
import signal
import subprocess
import sys
import time

import numpy as np

sys.dont_write_bytecode = True
from support import SCENARIO, CaromTest, main

ERASE = "\r\x1b[K"
GO_ON = "carom: go on with: carom run --resume out"


class Terminal(CaromTest):
    def start(self, end, *options):
        """A double pendulum until t = end, its standard error on a terminal, whose other side is returned as well."""
        terminal, stderr = pty.openpty()
        self.addCleanup(os.close, terminal)
        command = self.command("run", "double-pendulum-free", "--set", f"time.end={end}", "--set", "output.every=1000",
                               "--out", "out", *options)
        process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=stderr)
        os.close(stderr)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process, terminal

    def read_rest(self, process, terminal):
        shown = b""
        try:
            while piece := os.read(terminal, 4096):
                shown += piece
        except OSError:
            pass  # how Linux says that the other side is closed
        return process.stdout.read().decode(), shown.decode()


class Progress(Terminal):
    def test_it_is_shown_and_erased(self):
        process, terminal = self.start(5000)
        out, shown = self.read_rest(process, terminal)
        self.assertEqual(process.wait(), 0)
        self.assertRegex(shown, r"\[[#.]{30}\] +\d+ %.* steps/s .*left")
        self.assertTrue(shown.endswith(ERASE), repr(shown[-80:]))
        self.assertNotIn("\n", shown)
        self.assertLess(max(map(len, shown.split(ERASE))), 80)
        self.assertNotIn("\x1b", out)

    def test_quiet_and_json_show_none(self):
        for option in ["--quiet", "--json"]:
            process, terminal = self.start(5000, option, "--force")
            _, shown = self.read_rest(process, terminal)
            self.assertEqual((process.wait(), shown), (0, ""), option)

    def test_a_pipe_shows_none(self):
        self.succeed("run", "double-pendulum-free", "--set", "time.end=5000", "--set", "output.every=1000")


class Interruption(Terminal):
    """The run ends at the next grid point, and what was computed is kept."""

    def interrupt(self, number):
        process, terminal = self.start(1e7)  # hours
        shown = os.read(terminal, 4096).decode()  # the first progress line: the run is under way
        begin = time.monotonic()
        process.send_signal(number)
        out, rest = self.read_rest(process, terminal)
        self.assertEqual(process.wait(), 130)
        self.assertLess(time.monotonic() - begin, 10)
        self.assertTrue((shown + rest).endswith(ERASE + GO_ON + "\r\n"))
        self.assertIn("double-pendulum with svc: stopped", out)
        self.check_folder()

    def check_folder(self):
        summary, rows = self.read("out")
        steps, last = summary["time"]["steps"], len(rows["t"]) - 1
        self.assertEqual(summary["status"], "stopped")
        self.assertIn("stopped on request at t = ", summary["reason"])
        self.assertGreater(steps, 0)
        self.assertEqual(last, -(-steps // 1000))
        np.testing.assert_array_equal(rows["t"][:last], np.arange(last) * 1000 * 0.01)
        self.assertEqual(rows["t"][-1], steps * 0.01)
        self.assertEqual({name: summary["final"][name] for name in "tqvp"}, {name: rows[name][-1].tolist() for name in "tqvp"})
        for name, array in rows.items():
            self.assertTrue(np.isfinite(array[1:]).all(), f"{name}: {array[-1]}")

    def test_ctrl_c(self):
        self.interrupt(signal.SIGINT)

    def test_sigterm(self):
        self.interrupt(signal.SIGTERM)

    def test_a_run_that_waits_for_impacts_that_never_come(self):
        scenario = self.write(SCENARIO.replace("end = 0.1", "impacts = 1"))
        process = subprocess.Popen(self.command("run", scenario, "--out", "out", "--set", "output.every=1000000"),
                                   cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        time.sleep(0.5)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        self.assertEqual((process.wait(10), process.stderr.read()), (130, GO_ON.encode() + b"\n"))
        summary, _ = self.read("out")
        self.assertEqual((summary["status"], summary["impacts"]["count"]), ("stopped", 0))

    def test_with_json_there_is_still_one_document(self):
        process, terminal = self.start(1e7, "--json")
        while not (self.folder / "out").exists():
            time.sleep(0.01)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, shown = self.read_rest(process, terminal)
        self.assertEqual((process.wait(), shown), (130, GO_ON + "\r\n"))
        self.assertEqual(json.loads(out)["status"], "stopped")


if __name__ == "__main__":
    main()
