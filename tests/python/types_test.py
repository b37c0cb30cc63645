#!/usr/bin/env python3
"""Types: mypy --strict on the package and on what users write, the stub against the module, the examples of docstrings."""

import ast
import doctest
import importlib
import pkgutil
import re
import subprocess
import sys

from support import SOURCE, PythonTest, main

import carom
import carom._core as core

USER = '''
import numpy as np
import carom

import pathlib
shipped = carom.scenario(pathlib.Path("my.toml")) if pathlib.Path("my.toml").exists() else None
system = carom.System(coordinates=["x"], lagrangian="0.5*x'^2 - 0.5*x^2", gaps={"wall": "x + 0.5"})
run: carom.Run = system.simulate(q=[1.0], v={"x": 0.0}, end=5.0, method="sva", force=lambda t, q, v: -0.1 * v)
caught: carom.Run | None = carom.RunFailed("").run
system.simulate(q=range(1, 2), step=np.float32(0.1), end=np.float64(1.0), every=1e1)
found = carom.solve_ivp(system, [0, 1], [1.0, 0.0], events=lambda t, y: y[0], rtol=1e-6)
roots: int = len(found.t_events[0]) + found.nfev
height: float = float(run["x"].max()) + float(np.abs(run.q).max())
status: str = run.status
left: carom.State = run(1.0, side="left")
stepper = system.stepper(q=[1.0], forced=True, on_impact=lambda impact: print(impact.t))
stepper.step(force=[0.0])
'''


CONFIG = """[mypy]
strict = True
[mypy-sympy.*,scipy.*,matplotlib.*]
follow_imports = skip
ignore_missing_imports = True
"""


class Types(PythonTest):
    def mypy(self, *arguments):
        (self.folder / "mypy.ini").write_text(CONFIG)  # what others have no types for
        options = ["--config-file", str(self.folder / "mypy.ini"), "--cache-dir", str(self.folder / "cache")]
        return subprocess.run(["/usr/bin/mypy", *options, *map(str, arguments)],
                              capture_output=True, text=True, cwd=SOURCE / "python")

    def test_the_package_and_its_users_are_strict(self):
        (self.folder / "user.py").write_text(USER)
        examples = re.findall(r"```python\n(.*?)```", (SOURCE / "docs/guide/python.md").read_text(), re.S)
        self.assertGreater(len(examples), 8)
        pages = [self.folder / f"guide_{i}.py" for i in range(len(examples))]
        for page, text in zip(pages, examples):
            page.write_text(text)
        found = self.mypy("carom", self.folder / "user.py", *pages)
        self.assertEqual(found.returncode, 0, found.stdout)
        (self.folder / "user.py").write_text(USER + "run.tea\nsystem.simulate(end='x', step=[1])\n")
        self.assertEqual(self.mypy("carom", self.folder / "user.py").stdout.count("error:"), 3)

    def test_the_stub_is_complete(self):
        tree = ast.parse((SOURCE / "python/carom/_core.pyi").read_text())
        stub = {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        module = {name: value for name, value in vars(core).items() if not name.startswith("__")}
        self.assertEqual(set(stub), set(module))
        for name, value in module.items():
            if not isinstance(value, type):
                self.same_arguments(stub[name], value)
                continue
            members = {node.name: node for node in stub[name].body if isinstance(node, ast.FunctionDef)}
            own = {key for key in vars(value) if not key.startswith("_") or key == "__init__" and "(*args" not in value.__init__.__doc__}
            self.assertEqual(set(members), {key for key in own if key != "__init__" or key in members}, name)
            for key, node in members.items():
                is_property = any(isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list)
                self.assertEqual(is_property, isinstance(vars(value)[key], property), f"{name}.{key}")
                if not is_property:
                    self.same_arguments(node, getattr(value, key))

    def same_arguments(self, node, function):
        said = re.findall(r"(\w+): ", re.search(r"\((.*)\)", function.__doc__.splitlines()[0])[1])
        self.assertEqual([a.arg for a in node.args.args], said, node.name)

    def test_examples_of_docstrings(self):
        tried = 0
        for found in pkgutil.iter_modules(carom.__path__, "carom."):
            if not found.name.endswith("_core"):
                result = doctest.testmod(importlib.import_module(found.name), optionflags=doctest.NORMALIZE_WHITESPACE)
                self.assertEqual(result.failed, 0, found.name)
                tried += result.attempted
        self.assertEqual(doctest.testmod(carom).failed, 0)
        self.assertGreater(tried, 12)

    def test_import_is_quick(self):
        timed = "import time, numpy; a = time.process_time(); import carom; print(time.process_time() - a)"
        took = min(float(self.python(timed).stdout) for _ in range(5))
        print(f"import takes {took:.3f} s beside numpy")
        self.assertLess(took, 0.15)

    def test_optional_packages_are_not_imported(self):
        text = "import sys, carom; print([m for m in ('sympy', 'matplotlib', 'scipy', 'xarray') if m in sys.modules])"
        self.assertEqual(self.python(text).stdout, "[]\n")


if __name__ == "__main__":
    main()
