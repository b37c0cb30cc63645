#!/usr/bin/python3
"""The program's own reports in Chromium: real_test.py PROGRAM SOURCE_DIR

Every built-in system and every shipped formula system, a comparison, a study of convergence, a failed run and a
killed one; each must load without a complaint, be below 3 MB, move when it is played and follow the slider.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import browser_test  # noqa: E402
from browser_test import Browser, check, check_loads, check_width  # noqa: E402

PLAIN = """\
title = "</script><b>Ångström & θ"
[system]
name = "expression"
coordinates = ["θ"]
lagrangian = "0.5*θ'^2 + cos(θ)"
[initial]
q = [1.0]
[time]
step = 0.05
end = 10.0
"""


def make_reports(program, source, folder):
    """Runs the program; the folders that hold reports, relative to `folder`."""

    def carom(*words, codes=(0,)):
        done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, timeout=120)
        check("carom " + " ".join(words), done.returncode in codes, done.stderr)

    def run(name, scenario, *words, codes=(0,)):
        carom("run", scenario, "--out", name, "--quiet", *words, codes=codes)
        return name

    made = [run(path.stem, path.stem) for path in sorted((source / "scenarios").glob("*.toml")) if path.stem != "demo"]
    (folder / "plain.toml").write_text(PLAIN)
    made.append(run("plain", "plain.toml"))
    made.append(run("failed", "cart-pendulum", "--set", "method.stepper=smooth", "--set", "time.end=2", codes=(3,)))
    carom("demo", "--quiet")
    carom("converge", "double-pendulum-free", "--method", "svc", "--method", "yoshida4", "--step", "0.1,0.05,0.025,0.0125",
          "--set", "time.end=1", "--out", "order", "--quiet")
    child = subprocess.Popen([program, "run", "cart-pendulum", "--set", "time.end=1e6", "--out", "killed", "--quiet",
                              "--set", "output.every=10", "--checkpoint", "0.2"], cwd=folder)
    time.sleep(1.5)
    child.kill()
    child.wait()
    carom("report", "killed", "--quiet")
    return [*made, "runs/demo", "order", "killed"]


AT_REST = {"cart-pole", "column", "masonry-arch"}  # what hangs until it is pushed, balls and stones on each other
UNIQUE_AT_LAST = {"masonry-arch"}  # whose forces, drawn as arrows, are not unique, and others in the first step


def check_moves(browser, name):
    browser.pretend()
    browser.open(name)
    browser.settle()
    before, clock = browser.pixels(".stage canvas"), browser.find("#clock").text
    browser.find("#play").click()
    browser.wait(f"document.querySelector('#clock').textContent !== {clock!r}")
    browser.settle()
    browser.find("#play").click()
    check(f"{name}: the clock runs", browser.find("#clock").text != clock, clock)
    seen = {before}
    for part in (0.13, 0.37, 0.71):  # a bouncing mass may be where it began, but not three times
        browser.js(f"carom.player.seek(carom.film.start + {part} * (carom.film.end - carom.film.start))")
        browser.settle()
        seen.add(browser.pixels(".stage canvas"))
    if name in AT_REST:
        check(f"{name}: the picture rests", len(seen) <= (2 if name in UNIQUE_AT_LAST else 1), len(seen))
    else:
        check(f"{name}: the picture moves", len(seen) >= 3, len(seen))
    places, expected = browser_test.time_line_places(browser), browser_test.expected_places(browser)
    check(f"{name}: the time lines follow", all(a is not None and abs(a - b) < 1 for a, b in zip(places, expected)))
    check(f"{name}: no errors on the way", not browser.complaints())


def check_balance(browser, name, titles, figures):
    """Where the energy went, and what holds the constraints."""
    browser.open(name)
    browser.settle()
    text = browser.js("return document.body.innerText")
    for title in titles:
        check(f"{name}: has the plot {title}", browser.js(
            "return [...document.querySelectorAll('h3')].some((h) => h.textContent === arguments[0])", title))
    for figure in figures:
        check(f"{name}: has the figure {figure}", figure in text)


def main(program, source):
    folder = Path(tempfile.mkdtemp(prefix="carom-report-"))
    names = make_reports(str(Path(program).resolve()), Path(source), folder)
    browser_test.FLAGS = [flag for flag in browser_test.FLAGS if flag != "--disable-gpu"] + browser_test.SOFTWARE
    browser = Browser(str(folder))
    try:
        for name in names:
            report = folder / name / "report.html"
            page = f"{name.replace('/', '-')}"
            shutil.copy(report, folder / f"{page}.html")
            check(f"{name}: below 3 MB", report.stat().st_size < 3_000_000, report.stat().st_size)
            check_loads(browser, page)
            if name not in ("order", "failed"):
                check_moves(browser, page)
        check_balance(browser, "hopping-mass", ["Energy balance", "Energy error", "Multipliers"], ["Energy at the end"])
        check_balance(browser, "dae-exponential", ["Coordinates", "Multipliers"], ["Joints"])
        check_balance(browser, "cart-pendulum", ["Energy error"], ["Energy drift"])
        for page in ["runs-demo", "order", "three-bodies", "plain", "failed"]:
            check_width(browser, page)
    finally:
        browser.driver.quit()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{len(browser_test.failures)} failed" if browser_test.failures else "all passed")
    return 1 if browser_test.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
