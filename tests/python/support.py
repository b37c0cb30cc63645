"""What the tests of the package share: a folder of their own, the program beside it."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
PROGRAM, SOURCE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()


class PythonTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def program(self, *arguments):
        """What the program prints."""
        return subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, check=True, capture_output=True, text=True).stdout

    def python(self, text, *options, **environment):
        """A Python of its own that runs the text in this test's folder."""
        return subprocess.run([sys.executable, *options, "-c", text], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, **environment}, timeout=120)

    def mpirun(self, ranks, text):
        """The text in so many processes of mpirun."""
        command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-np", str(ranks), sys.executable, "-c", text]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=300)

    def same(self, a, b):
        """Two runs have the same numbers, bit for bit."""
        self.assertEqual(list(a), list(b))
        for name in a:
            self.assertEqual(a[name].tobytes(), b[name].tobytes(), name)


def main():
    """To be called by each test file: FILE PROGRAM SOURCE_DIR [unittest's arguments]."""
    cache = tempfile.TemporaryDirectory()  # of compiled formulas; goes with the process
    os.environ["XDG_CACHE_HOME"] = cache.name
    unittest.main(module="__main__", argv=sys.argv[:1] + sys.argv[3:])
