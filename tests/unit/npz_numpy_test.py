#!/usr/bin/env python3
"""What numpy and zipfile read from a file that write_npz wrote.

usage: npz_numpy_test.py TEST_PROGRAM

TEST_PROGRAM is the GoogleTest program with npz_test.cpp; it writes its sample where CAROM_NPZ_SAMPLE says.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

import numpy as np


def write_sample(program, path):
    command = [program, "--gtest_filter=Npz.SampleForNumpy", "--gtest_brief=1"]
    subprocess.run(command, env={**os.environ, "CAROM_NPZ_SAMPLE": str(path)}, check=True)
    if not path.exists():
        sys.exit(f"{program} wrote no sample: does it contain npz_test.cpp?")


class Sample(unittest.TestCase):
    path = None

    def setUp(self):
        self.arrays = np.load(self.path, allow_pickle=False)
        self.addCleanup(self.arrays.close)

    def test_names_in_order(self):
        self.assertEqual(self.arrays.files, ["q", "step", "cube", "h", "impacts", "θ"])

    def test_doubles_are_bit_for_bit(self):
        expected = np.array([[0.1, -0.0], [1e-308, np.inf], [-np.inf, np.nan]])
        q = self.arrays["q"]
        self.assertEqual(q.dtype, np.dtype("<f8"))
        np.testing.assert_array_equal(q, expected)
        self.assertTrue(np.signbit(q[0, 1]))

    def test_integers(self):
        step = self.arrays["step"]
        self.assertEqual(step.dtype, np.dtype("<i8"))
        self.assertEqual(step.tolist(), [0, -1, 2**63 - 1])

    def test_c_order(self):
        np.testing.assert_array_equal(self.arrays["cube"], np.arange(24.0).reshape(2, 3, 4))

    def test_scalar_and_no_rows(self):
        self.assertEqual(self.arrays["h"].shape, ())
        self.assertEqual(self.arrays["h"], 0.01)
        self.assertEqual(self.arrays["impacts"].shape, (0, 7))

    def test_archive_is_sound(self):
        with zipfile.ZipFile(self.path) as archive:
            self.assertIsNone(archive.testzip())
            for entry in archive.infolist():
                self.assertEqual(entry.compress_type, zipfile.ZIP_STORED)
                self.assertEqual(entry.date_time, (1980, 1, 1, 0, 0, 0))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        Sample.path = pathlib.Path(folder) / "sample.npz"
        write_sample(sys.argv[1], Sample.path)
        unittest.main(argv=sys.argv[:1])
