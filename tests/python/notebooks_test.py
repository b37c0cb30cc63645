#!/usr/bin/env python3
"""Every notebook runs from its first cell to its last, and what it asserts holds. Cells run here as Jupyter runs them, in one namespace."""

import json
import os

from support import SOURCE, PythonTest, main

os.environ["MPLBACKEND"] = "Agg"


class Notebooks(PythonTest):
    def test_notebooks(self):
        found = sorted((SOURCE / "docs/notebooks").glob("*.ipynb"))
        self.assertEqual(len(found), 11)
        for path in found:
            with self.subTest(notebook=path.name):
                cells = json.loads(path.read_text())["cells"]
                code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
                self.assertTrue(any("assert" in text for text in code))
                done = self.python("\n".join(code), XDG_CACHE_HOME=str(self.folder))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertTrue(all(not cell.get("outputs") for cell in cells), "outputs are for whoever runs it")


if __name__ == "__main__":
    main()
