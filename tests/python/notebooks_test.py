#!/usr/bin/env python3
"""Every notebook runs from its first cell to its last, and what it asserts holds. Cells run here as Jupyter runs them, in one namespace
for each notebook; all in one process, since what they import takes longer than they do.
"""

import json
import os
import subprocess
import sys

from support import SOURCE, PythonTest, main

RUN = """
import sys, time, traceback, json, matplotlib.pyplot
for path in sys.argv[1:]:
    cells = json.load(open(path, encoding="utf-8"))["cells"]
    code = "\\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    begin = time.process_time()
    try:
        exec(compile(code, path, "exec"), {"__name__": "__main__"})
    except BaseException:
        traceback.print_exc()
        print("FAILED", path)
    matplotlib.pyplot.close("all")
    print(f"{time.process_time() - begin:6.2f} s  {path}", file=sys.stderr)
print("ALL TRIED")
"""


class Notebooks(PythonTest):
    def test_notebooks(self):
        found = sorted((SOURCE / "docs/notebooks").glob("*.ipynb"))
        self.assertEqual(len(found), 11)
        for path in found:
            cells = json.loads(path.read_text())["cells"]
            self.assertTrue(any("assert" in "".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"), path)
            self.assertTrue(all(not cell.get("outputs") for cell in cells), "outputs are for whoever runs it")
        environment = {**os.environ, "MPLBACKEND": "Agg", "XDG_CACHE_HOME": str(self.folder)}
        done = subprocess.run([sys.executable, "-c", RUN, *map(str, found)], cwd=self.folder, capture_output=True, text=True, timeout=550,
                              env=environment)  # fmt: skip
        print(done.stderr)
        self.assertNotIn("FAILED", done.stdout)
        self.assertEqual(done.stdout.splitlines()[-1:], ["ALL TRIED"])


if __name__ == "__main__":
    main()
