"""--native: formulas compiled to C++ give the same run, are cached, and are not needed."""

import os
import pathlib
import shutil
import subprocess

import numpy as np
from support import CaromTest, main

# As small as a system can be: the compiler takes half a minute for one.
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


class Native(CaromTest):
    def with_cache(self, *arguments, **environment):
        done = subprocess.run(self.command(*arguments), cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=400, env={**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache"), **environment})
        return done.returncode, done.stderr.decode()

    def test_the_same_run_and_a_cache(self):
        if b"__asan_init" in pathlib.Path(self.program).read_bytes():
            self.skipTest("a program under the sanitizers loads only libraries that are, too")
        self.run_to("plain", self.write(SYSTEM))
        self.assertEqual(self.with_cache("run", "my.toml", "--native", "--out", "first", "--quiet"), (0, ""))
        compiled = sorted((self.folder / "cache/carom").glob("*.so"))
        self.assertEqual(len(compiled), 1)
        stamp = compiled[0].stat().st_mtime_ns
        self.assertEqual(self.with_cache("run", "my.toml", "--native", "--out", "again", "--quiet"), (0, ""))
        self.assertEqual(compiled[0].stat().st_mtime_ns, stamp, "compiled once")
        self.assertEqual(self.bytes_of("first"), self.bytes_of("again"))
        (_, plain), (_, native) = self.read("plain"), self.read("first")
        for name in plain:
            np.testing.assert_allclose(native[name], plain[name], rtol=0, atol=1e-11, err_msg=name)

    def test_without_a_compiler_the_formulas_run_as_they_are(self):
        self.run_to("plain", self.write(SYSTEM))
        code, err = self.with_cache("run", "my.toml", "--native", "--out", "out", "--quiet", CXX="no-such-compiler")
        self.assertEqual(code, 0)
        self.assertIn('warning: --native: there is no compiler "no-such-compiler"', err)
        self.assertEqual(self.bytes_of("out"), self.bytes_of("plain"))

    def test_a_compiler_that_fails_is_named(self):
        self.write(SYSTEM)
        code, err = self.with_cache("run", "my.toml", "--native", "--out", "out", "--quiet", CXX=shutil.which("false"))
        self.assertEqual(code, 0)
        self.assertIn("the compiler failed, see ", err)


if __name__ == "__main__":
    main()
