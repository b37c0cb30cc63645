#!/usr/bin/env python3
"""carom sweep by threads and ranks, stopped, killed and resumed: the result is the same file.

usage: sweep_many_test.py PROGRAM SOURCE_DIR
"""

import os
import shutil
import signal
import subprocess
import sys
import time
import unittest

import numpy as np

sys.dont_write_bytecode = True
from support import main
from sweep_support import PRODUCT, SweepTest

# Long enough to be killed.
LONG = """\
scenario = "cart.toml"
fields = ["final.q.0", "impacts.count"]
[grid]
"initial.q.0" = { from = 3.2, to = 5.2, count = 6000 }
"""

MPIRUN = shutil.which("mpirun")


class Many(SweepTest):
    """However the work is shared, the result is the same file."""

    def test_threads(self):
        for threads in (1, 2, 5):
            self.sweep(LONG.replace("6000", "200"), f"t{threads}", "--threads", str(threads))
        self.assertEqual(self.bytes_of("t1", "sweep.npz"), self.bytes_of("t2", "sweep.npz"))
        self.assertEqual(self.bytes_of("t1", "sweep.npz"), self.bytes_of("t5", "sweep.npz"))

    def mpirun(self, *words, ranks=2):
        command = [MPIRUN, "--allow-run-as-root", "--oversubscribe", "-n", str(ranks), *self.command("sweep", *words)]
        environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}  # Open MPI itself never frees some of its memory
        return subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=100)

    @unittest.skipUnless(MPIRUN, "Open MPI is not installed")
    def test_ranks(self):
        text = LONG.replace("6000", "300").replace("from = 3.2", "from = -0.01")  # the first starts below the floor
        self.sweep_with_warning(text, "alone")
        done = self.mpirun("sweep.toml", "--out", "ranks", "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.bytes_of("ranks", "sweep.npz"), self.bytes_of("alone", "sweep.npz"))
        self.assertEqual(self.summary("ranks")["failures"], self.summary("alone")["failures"])
        self.assertEqual(self.summary("ranks")["cost"]["ranks"], 2)

    @unittest.skipUnless(MPIRUN, "Open MPI is not installed")
    def test_bad_input_under_mpirun_ends_all_ranks(self):
        self.write("scenario = 3", "bad.toml")
        done = self.mpirun("bad.toml")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("bad.toml:1:12: scenario = 3", done.stderr)

    def test_a_program_without_mpi_says_so_under_mpirun(self):
        shutil.copy(self.program, self.folder / "carom")  # without the module beside it
        done = subprocess.run([self.folder / "carom", "sweep", "cart-pendulum-family"], cwd=self.folder, timeout=60,
                              env={"OMPI_COMM_WORLD_SIZE": "2"}, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("built without MPI: install libopenmpi-dev", self.one_line(done.stderr))

    def sweep_with_warning(self, text, out):
        result = self.carom("sweep", self.write(text, "sweep.toml"), "--out", out, "--quiet")
        self.assertEqual(result.code, 0, result.err)
        self.assertIn("did not complete", result.err)


class Stopped(SweepTest):
    def start(self, out):
        command = self.command("sweep", self.write(LONG, "sweep.toml"), "--out", out, "--quiet")
        child = subprocess.Popen(command, cwd=self.folder, stderr=subprocess.PIPE)
        self.addCleanup(child.stderr.close)
        return child

    def wait_for_rows(self, out):
        """Until a row of the file that holds them is there."""
        path = self.folder / out / "members.partial"
        for _ in range(2000):
            if path.exists() and np.count_nonzero(np.fromfile(path, np.uint64)[8 + 2::3]) > 50:
                return
            time.sleep(0.005)
        self.fail("no rows")

    def check_resumed(self, out):
        self.succeed("sweep", "--resume", out, "--quiet")
        self.assertLess(self.summary(out)["cost"]["members"], 6000, "nothing was kept")
        self.sweep(LONG, "whole")
        self.arrays(out)
        for name in ("sweep.npz", "sweep.toml"):
            self.assertEqual(self.bytes_of(out, name), self.bytes_of("whole", name))

    def test_killed_and_resumed(self):
        child = self.start("killed")
        self.wait_for_rows("killed")
        child.kill()
        child.wait()
        self.assertFalse((self.folder / "killed/sweep.npz").exists())
        self.assertIn("go on with", self.fail_with(4, "report", "killed"))
        self.assertIn("go on with    carom sweep --resume killed", self.succeed("info", "killed").out)
        self.check_resumed("killed")

    def test_interrupted_and_resumed(self):
        child = self.start("stopped")
        self.wait_for_rows("stopped")
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.wait(timeout=20), 130)
        self.check_resumed("stopped")

    def test_what_cannot_be_resumed(self):
        line = self.fail_with(4, "sweep", "--resume", "nowhere")
        self.assertIn("'nowhere': holds no sweep", line)
        self.sweep(PRODUCT)
        self.assertIn("has ended", self.fail_with(4, "sweep", "--resume", "out"))
        child = self.start("changed")
        self.wait_for_rows("changed")
        self.assertIn("another process", self.fail_with(4, "sweep", "--resume", "changed"))
        child.kill()
        child.wait()
        path = self.folder / "changed/sweep.toml"
        path.write_text(path.read_text().replace("5.2", "5.3"))
        self.assertIn("another sweep", self.fail_with(4, "sweep", "--resume", "changed"))

    def test_a_folder_is_not_overwritten_unasked(self):
        self.sweep(PRODUCT)
        self.assertIn("exists already", self.fail_with(4, "sweep", "sweep.toml", "--out", "out"))
        self.succeed("sweep", "sweep.toml", "--out", "out", "--quiet", "--force")


if __name__ == "__main__":
    main()
