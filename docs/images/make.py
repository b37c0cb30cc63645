#!/usr/bin/python3
"""Makes the pictures of README.md from the program's own reports: make.py PROGRAM (needs python3-pil)

report.png is the page that `carom demo` writes, report-dark.png that of a formula system in dark mode.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests/report"))
from browser_test import Browser  # noqa: E402


def take(browser, page, picture, seek, height, dark=False):
    browser.pretend(width=1200, height=height, dark=dark)
    browser.open(page)
    browser.settle()
    browser.js(f"document.documentElement.style.overflow = 'hidden'; carom.player.seek({seek})")
    browser.settle()
    path = Path(__file__).parent / picture
    browser.driver.save_screenshot(str(path))
    Image.open(path).convert("RGB").quantize(96).save(path, optimize=True)


def main(program):
    folder = Path(tempfile.mkdtemp(prefix="carom-pictures-"))
    program = str(Path(program).resolve())
    subprocess.run([program, "demo", "--quiet"], cwd=folder, check=True)
    subprocess.run([program, "run", "elastic-pendulum-step", "--out", "elastic", "--quiet"], cwd=folder, check=True)
    (folder / "runs/demo/report.html").rename(folder / "demo.html")
    (folder / "elastic/report.html").rename(folder / "elastic.html")
    browser = Browser(str(folder))
    take(browser, "demo", "report.png", 14.2, 1500)
    take(browser, "elastic", "report-dark.png", 6.3, 1130, dark=True)
    browser.driver.quit()


if __name__ == "__main__":
    main(sys.argv[1])
