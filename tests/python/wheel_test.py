#!/usr/bin/env python3
"""The source archive and the wheel that pip builds of it: by PyPI's packages, in an environment of its own, gone when it is removed.

The binding is compiled anew by PyPI's pybind11, the libraries are those of the build under test. Says so and ends where there is no
index of packages.
"""

import json
import pathlib
import subprocess
import sys

from support import PROGRAM, SOURCE, PythonTest, main

BUILD = PROGRAM.parent.parent


class Wheel(PythonTest):
    def call(self, *command, cwd=None):
        done = subprocess.run([*map(str, command)], cwd=cwd or self.folder, capture_output=True, text=True, timeout=900, env=ENVIRONMENT)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-3000:])
        return done.stdout

    def test_a_wheel(self):
        if not has_index(self.folder):
            print("skipped: no package index")
            return
        for name in ("tools", "env"):
            self.call("/usr/bin/python3", "-m", "venv", name)
        tools = self.folder / "tools/bin/python"
        self.call(tools, "-m", "pip", "install", "--quiet", "scikit-build-core")
        dist = self.folder / "dist"
        made = self.call(tools, "-c", f"from scikit_build_core.build import build_sdist; print(build_sdist({str(dist)!r}))", cwd=SOURCE)
        archive = dist / made.split()[-1]
        python = self.folder / "env/bin/python"
        before = self.installed(python)
        self.call(python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", "wheels", archive,
                  f"--config-settings=cmake.define.CAROM_OBJECTS={BUILD}", f"--config-settings=build-dir={self.folder / 'build'}")  # fmt: skip
        (wheel,) = (self.folder / "wheels").iterdir()
        self.call(python, "-m", "pip", "install", "--quiet", wheel)
        versions = "import carom, numpy, json; print(json.dumps([carom.__version__, numpy.__version__, carom.__file__]))"
        version, numpy, place = json.loads(self.call(python, "-c", versions))
        self.assertTrue(place.startswith(str(self.folder)), place)
        print(f"carom {version} with numpy {numpy} in {wheel.name}, {wheel.stat().st_size / 1e6:.1f} MB; {archive.name}, {archive.stat().st_size / 1e6:.1f} MB")
        for test in ("run_test.py", "control_test.py"):
            self.call(python, SOURCE / "tests/python" / test, PROGRAM, SOURCE)
        self.call(python, "-m", "pip", "uninstall", "--quiet", "--yes", "carom", "numpy")
        self.assertEqual(self.installed(python), before)

    def installed(self, python):
        site = pathlib.Path(self.call(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
        return {str(path.relative_to(site)) for path in site.rglob("*") if "__pycache__" not in str(path)}


def has_index(folder):
    asked = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder / "asked"), "scikit-build-core"]
    return subprocess.run(asked, capture_output=True, timeout=120).returncode == 0


if __name__ == "__main__":
    import os

    ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    main()
