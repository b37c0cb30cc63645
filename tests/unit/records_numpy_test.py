#!/usr/bin/env python3
"""What numpy and h5py read from the records of a run, also while they are being written.

usage: records_numpy_test.py TEST_PROGRAM

TEST_PROGRAM is the GoogleTest program with records_sample_test.cpp, which writes where CAROM_RECORDS_SAMPLE says.
"""

import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import h5py
import numpy as np

PROGRAM = None


def start(test, path):
    command = [PROGRAM, f"--gtest_filter=RecordsSample.{test}", "--gtest_brief=1"]
    return subprocess.Popen(command, env={**os.environ, "CAROM_RECORDS_SAMPLE": str(path)})


class Sample(unittest.TestCase):
    """The files of RecordsSample.ForNumpy: five rows in every format."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = pathlib.Path(cls.temporary.name)
        assert start("ForNumpy", cls.folder).wait() == 0
        assert (cls.folder / "live.npy").exists(), "does TEST_PROGRAM contain records_sample_test.cpp?"

    columns = {
        "t": np.array([0.0, 0.5, 1.0, 1.5, 2.0]),
        "q": np.array([[0.1, -0.0], [5e-324, np.inf], [-np.inf, np.nan], [1e300, 1 / 3], [3.0, 4.0]]),
        "momenta": np.array([[7.0], [8.0], [9.0], [10.0], [11.0]]),
        "gaps": np.zeros((5, 0)),
    }

    def check(self, table, rows=5):
        for name, expected in self.columns.items():
            found = table[name]
            self.assertEqual(found.dtype, np.dtype("<f8"))
            self.assertEqual(found.shape, expected[:rows].shape)
            np.testing.assert_array_equal(np.signbit(found), np.signbit(expected[:rows]))
            np.testing.assert_array_equal(found, expected[:rows])

    def both_ways(self, name):
        for mode in (None, "r"):
            yield np.load(self.folder / name, mmap_mode=mode, allow_pickle=False)

    def test_live(self):
        for table in self.both_ways("live.npy"):
            self.check(table)

    def test_live_torn(self):
        """A row that was being written when the process died."""
        for table in self.both_ways("torn.npy"):
            self.check(table)

    def test_live_reopened(self):
        for table in self.both_ways("reopened.npy"):
            self.check(table, rows=3)

    def test_live_without_rows(self):
        for table in self.both_ways("empty.npy"):
            self.check(table, rows=0)

    def test_live_texts(self):
        for table in self.both_ways("impacts.npy"):
            self.assertEqual(table["contact"].tolist(), [b"floor", b"", "wall + θ".encode()])
            self.assertEqual(table["step"].tolist(), [1.0, 2.0, 3.0])
            self.assertEqual(table["q"].shape, (3, 2))

    def test_npz(self):
        with np.load(self.folder / "a.npz", allow_pickle=False) as table:
            self.assertEqual(table.files, list(self.columns))
            self.check(table)
        with np.load(self.folder / "empty.npz", allow_pickle=False) as table:
            self.check(table, rows=0)

    def test_hdf5(self):
        for name, rows in (("a.h5", 5), ("empty.h5", 0)):
            with h5py.File(self.folder / name, "r") as file:
                self.assertEqual(set(file), set(self.columns))
                self.check({key: file[key][()] for key in file}, rows)

    def test_csv(self):
        with open(self.folder / "a.csv", newline="") as file:
            names, *rows = csv.reader(file)
        self.assertEqual(names, ["t", "q.0", "q.1", "momenta.0"])
        numbers = np.array(rows, dtype=float)
        expected = np.column_stack([self.columns["t"], self.columns["q"], self.columns["momenta"]])
        np.testing.assert_array_equal(numbers, expected)

    def test_impacts_csv(self):
        with open(self.folder / "impacts.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["contact"] for row in rows], ["floor", "", "wall + θ"])
        self.assertEqual([row["step"] for row in rows], ["1", "2", "3"])


class Growing(unittest.TestCase):
    """RecordsSample.Growing appends the rows (i, 2 i, 3 i) for a second."""

    def test_reads_at_any_moment(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "live.npy"
            writer = start("Growing", path)
            while not (path.exists() and path.stat().st_size > 0) and writer.poll() is None:
                time.sleep(0.001)
            rows, reads = 0, 0
            while writer.poll() is None:
                table = np.load(path, mmap_mode="r" if reads % 2 else None)
                self.assertGreaterEqual(len(table), rows)
                rows = len(table)
                last = np.arange(max(0, rows - 1000), rows)
                np.testing.assert_array_equal(table["t"][-1000:], last)
                np.testing.assert_array_equal(table["q"][-1000:], np.column_stack([2.0 * last, 3.0 * last]))
                reads += 1
            self.assertEqual(writer.returncode, 0)
            self.assertGreater(reads, 3)
            self.assertGreater(rows, 1000)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    PROGRAM = sys.argv[1]
    unittest.main(argv=sys.argv[:1])
