#!/usr/bin/env python3
"""The source archive and the wheel that pip builds of it: by PyPI's packages, in an environment of its own, gone when it is removed.

The binding is compiled anew by PyPI's pybind11, the libraries are those of the build under test. Says so and ends where there is no
index of packages.
"""

import json
import pathlib
import subprocess
import tomllib

from support import PROGRAM, SOURCE, PythonTest, main

BUILD = PROGRAM.parent.parent


class Wheel(PythonTest):
    def call(self, *command, cwd=None):
        done = subprocess.run([*map(str, command)], cwd=cwd or self.folder, capture_output=True, text=True, timeout=900, env=ENVIRONMENT)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-3000:])
        return done.stdout

    def test_a_wheel(self):
        self.call("/usr/bin/python3", "-m", "venv", "tools")
        self.call("/usr/bin/python3", "-m", "venv", "--without-pip", "env")
        tools, python = self.folder / "tools/bin/python", self.folder / "env/bin/python"
        requires = tomllib.loads((SOURCE / "pyproject.toml").read_text())["build-system"]["requires"]
        asked = [tools, "-m", "pip", "download", "--quiet", "--dest", "asked", *requires]
        if subprocess.run(asked, cwd=self.folder, capture_output=True, timeout=300, env=ENVIRONMENT).returncode != 0:
            print("skipped: no package index")
            return
        # What pyproject.toml names is there, and nothing else: as pip's own environment, which it would take longer to make.
        self.call(tools, "-m", "pip", "install", "--quiet", "--no-index", "--find-links", "asked", *requires)
        dist = self.folder / "dist"
        made = self.call(tools, "-c", f"from scikit_build_core.build import build_sdist; print(build_sdist({str(dist)!r}))", cwd=SOURCE)
        archive = dist / made.split()[-1]
        before = self.installed(python)
        self.call(tools, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", "wheels", archive,
                  f"--config-settings=cmake.define.CAROM_OBJECTS={BUILD}", f"--config-settings=build-dir={self.folder / 'build'}")  # fmt: skip
        (wheel,) = (self.folder / "wheels").iterdir()
        pip = [tools, "-m", "pip", "--python", python]
        self.call(*pip, "install", "--quiet", wheel)
        versions = "import carom, numpy, json; print(json.dumps([carom.__version__, numpy.__version__, carom.__file__]))"
        version, numpy, place = json.loads(self.call(python, "-c", versions))
        self.assertTrue(place.startswith(str(self.folder)), place)
        print(f"carom {version} with numpy {numpy} in {wheel.name}, {wheel.stat().st_size / 1e6:.1f} MB; {archive.name}, {archive.stat().st_size / 1e6:.1f} MB")
        for test in ("run_test.py", "control_test.py"):
            self.call(python, SOURCE / "tests/python" / test, PROGRAM, SOURCE)
        other = subprocess.run([python, "-c", "import carom"], capture_output=True, text=True, env={**ENVIRONMENT, "PYTHONPATH": BUILD / "python"})
        self.assertTrue(other.returncode == 0 or "was built for NumPy 1" in other.stderr, other.stderr)  # by Debian's pybind11
        self.call(*pip, "uninstall", "--quiet", "--yes", "carom", "numpy")
        self.assertEqual(self.installed(python), before)

    def installed(self, python):
        site = pathlib.Path(self.call(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
        return {str(path.relative_to(site)) for path in site.rglob("*") if "__pycache__" not in str(path)}


if __name__ == "__main__":
    import os

    ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    main()
