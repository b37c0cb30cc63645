#!/usr/bin/env python3
"""cmake/longest.py, which .ci/run ends with: the slowest objects and tests of a build folder.

usage: longest_test.py PROGRAM SOURCE_DIR
"""

import subprocess
import sys

sys.dont_write_bytecode = True
from support import CaromTest, main

NINJA_LOG = """\
# ninja log v5
0\t9000\t1\tsrc/CMakeFiles/app.dir/a.cpp.o\taaaa
0\t1500\t1\tsrc/CMakeFiles/app.dir/b.cpp.o\tbbbb
100\t60000\t1\tcli/carom\tcccc
10\t2010\t1\tsrc/CMakeFiles/app.dir/a.cpp.o\taaaa
"""
TEST_LOG = """\
Start testing: today
----------------------------------------------------------
1/2 Testing: Laws.Quick/2
1/2 Test: Laws.Quick/2
Output:
----------------------------------------------------------
<end of output>
Test time =   0.25 sec
----------------------------------------------------------
2/2 Testing: slow one
Test time =  12.50 sec
"""


class Longest(CaromTest):
    def longest(self, *folders):
        return subprocess.run([sys.executable, self.source / "cmake/longest.py", *folders], cwd=self.folder,
                              capture_output=True, text=True)

    def test_slowest_first_and_the_last_time_counts(self):
        (self.folder / "build/Testing/Temporary").mkdir(parents=True)
        self.write(NINJA_LOG, "build/.ninja_log")
        self.write(TEST_LOG, "build/Testing/Temporary/LastTest.log")
        done = self.longest("build")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual([line.split() for line in done.stdout.splitlines()],
                         [line.split() for line in ["build, compiled: 2, 4 s in all", "2.0 s src/app/a.cpp.o",
                                                    "1.5 s src/app/b.cpp.o", "build, tested: 2, 13 s in all",
                                                    "12.5 s slow one", "0.2 s Laws.Quick/2"]])

    def test_fifteen_at_most(self):
        (self.folder / "build").mkdir()
        self.write("".join(f"0\t{100 * i}\t1\t{i}.o\tx\n" for i in range(40)), "build/.ninja_log")
        lines = self.longest("build").stdout.splitlines()
        self.assertEqual(len(lines), 16)
        self.assertEqual(lines[1].split(), ["3.9", "s", "39.o"])

    def test_a_folder_where_nothing_was_built(self):
        done = self.longest("nowhere")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


if __name__ == "__main__":
    main()
