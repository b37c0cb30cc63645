#!/usr/bin/python3
"""Puts a report together from report/ and a data file, as the program does.

    assemble.py REPORT_DIR DATA.json OUT.html
"""

import json
import re
import sys
from pathlib import Path


def read_parts(folder, in_space):
    """The files of parts.txt by kind, in order; those for scenes in space only where there is one."""
    parts = {"template": [], "style": [], "script": []}
    for line in (folder / "parts.txt").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            kind, name = line.split()
            if kind.startswith("space-") and not in_space:
                continue
            parts[kind.removeprefix("space-")].append((folder / name).read_text(encoding="utf-8"))
    return parts


def assemble(folder, data_text):
    """The page. Every "<" in the data is escaped, so no text in it can end or open an element."""
    parts = read_parts(Path(folder), json.loads(data_text).get("space") is not None)
    inserts = {
        "style": "<style>\n" + "\n".join(parts["style"]) + "\n</style>",
        "script": "<script>\n" + "\n".join(parts["script"]) + "\n</script>",
        "data": '<script type="application/json" id="carom-data">' + data_text.replace("<", "\\u003c") + "</script>",
    }
    # One pass over the template: what is inserted is not searched again.
    return re.sub(r"<!--carom:(\w+)-->", lambda found: inserts[found[1]], parts["template"][0])


def write_report(folder, data, path):
    Path(path).write_text(assemble(folder, json.dumps(data, ensure_ascii=False, allow_nan=False)), encoding="utf-8")


if __name__ == "__main__":
    report_folder, data_path, out_path = sys.argv[1:]
    Path(out_path).write_text(assemble(report_folder, Path(data_path).read_text(encoding="utf-8")), encoding="utf-8")
