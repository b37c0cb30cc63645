#!/usr/bin/python3
"""Reports of sweeps in Chromium: sweep_test.py PROGRAM SOURCE_DIR

Maps, curves, bands and histograms that the program makes: each loads without a complaint, shows the numbers of
sweep.npz under the mouse, and follows its choices.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from selenium.webdriver.common.action_chains import ActionChains

sys.path.insert(0, str(Path(__file__).parent))
import browser_test  # noqa: E402
from browser_test import Browser, check, check_loads, check_width  # noqa: E402

# Words, and two ranges of which one falls.
MAP = """\
title = "</script><b>Ångström & θ"
scenario = "cart-pendulum"
fields = ["final.q.0", "impacts.count", "energy.max_abs_error"]
[set]
time.step = 0.02
time.end = 2.0
[grid]
method.flow = ["svc", "sva"]
"initial.v.1" = { from = 3.0, to = 2.0, count = 4 }
"initial.q.0" = { from = -0.5, to = 5.0, count = 12 }
"""

# More than a page holds: 160 000 runs of one step.
BIG = """\
scenario = "cart-pendulum"
fields = ["final.q.0", "final.q.1"]
[set]
time.step = 0.01
time.end = 0.01
[grid]
"initial.v.1" = { from = 0.1, to = 10.0, count = 100, spacing = "log" }
"initial.q.0" = { from = 2.0, to = 4.0, count = 1600 }
"""


def make_reports(program, folder):
    (folder / "map.toml").write_text(MAP)
    (folder / "big.toml").write_text(BIG)
    sweeps = {"map": "map.toml", "big": "big.toml", "family": "cart-pendulum-family",
              "uncertain": "cart-pendulum-uncertain"}
    for name, sweep in sweeps.items():
        done = subprocess.run([program, "sweep", sweep, "--out", name, "--quiet"], cwd=folder, capture_output=True,
                              text=True, timeout=200)
        check(f"carom sweep {sweep}", done.returncode == 0, done.stderr)
        report = folder / name / "report.html"
        first = report.read_bytes()
        subprocess.run([program, "report", name, "--quiet"], cwd=folder, check=True, timeout=100)
        check(f"{name}: carom report makes it again", len(report.read_bytes()) == len(first))
        check(f"{name}: below 3 MB", len(first) < 3_000_000, len(first))
        shutil.copy(report, folder / f"{name}.html")
    return list(sweeps)


def opened(browser, name):
    browser.pretend()
    browser.open(name)
    browser.settle()


def tip_at(browser, panel, x, y):
    """What the box beside the mouse says, at a part of the width and the height of a plot."""
    over = browser.find(f"#plot-{panel} .u-over")
    browser.js("arguments[0].scrollIntoView({ block: 'center' })", over)
    size = over.size
    ActionChains(browser.driver).move_to_element_with_offset(
        over, round((x - 0.5) * size["width"]), round((y - 0.5) * size["height"])).perform()
    browser.settle()
    return browser.js(
        "return [...document.querySelectorAll(`#plot-${arguments[0]} .tip div`)]"
        ".map((row) => [row.querySelector('span').textContent, row.querySelector('b').textContent])", panel)


def as_number(text):
    digits = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−", "0123456789--")
    text = text.replace("\u202f", "").replace("·10", "e").translate(digits)
    return float(text)


def choose(browser, panel, name, value):
    """By the list or the bar of this name."""
    browser.js("""
      const panel = document.querySelector('#panel-' + arguments[0]);
      const list = [...panel.querySelectorAll('select')].find((s) => s.ariaLabel === arguments[1]);
      if (list) {
        list.value = [...list.options].find((o) => o.textContent === arguments[2]).value;
        list.dispatchEvent(new Event('change'));
      } else {
        [...panel.querySelectorAll('label')].find((l) => l.textContent === arguments[2]).querySelector('input').click();
      }""", panel, name, value)
    browser.settle()


def check_map(browser, folder):
    found = np.load(folder / "map/sweep.npz")
    opened(browser, "map")
    rows = dict(tip_at(browser, "map", 0.8, 0.4))
    i = round((as_number(rows["initial.q.0"]) + 0.5) / 0.5)
    k = round((3.0 - as_number(rows["initial.v.1"])) * 3)
    check("map: the cell under the mouse is the one of the axes", 8 <= i <= 10 and k == 1, (rows, i, k))
    value = found["final.q.0"][0, k, i]
    check("map: it says the number of sweep.npz", abs(as_number(rows["final.q.0"]) - value) < 1e-4 * abs(value), rows)
    empty = dict(tip_at(browser, "map", 0.01, 0.4))
    check("map: a run that was refused has no number", empty["final.q.0"] == "–", empty)
    check("map: and is told in the heading", "did not complete" in browser.find("#heading").text)
    check("map: with what repeats it", "carom run scenario.toml --set" in browser.js(
        "return document.querySelector('.failures').textContent"))
    check("map: a title is text", browser.find("h1").text == "</script><b>Ångström & θ")
    for name, value in [("Field", "impacts.count"), ("method.flow", "sva"), ("Scale", "log")]:
        before = browser.pixels("#plot-map canvas")
        choose(browser, "map", name, value)
        changed = browser.pixels("#plot-map canvas") != before
        check(f"map: {name} can be chosen", changed or name == "method.flow")
    rows = dict(tip_at(browser, "map", 0.8, 0.4))
    check("map: the choice holds", as_number(rows["impacts.count"]) == found["impacts.count"][1, k, i], rows)


def check_curves(browser, folder):
    found = np.load(folder / "map/sweep.npz")
    opened(browser, "map")
    names = browser.js("return [...document.querySelectorAll('#panel-curves .keys span')].map((s) => s.textContent)")
    check("curves: a line for each word", names == ["svc", "sva"], names)
    rows = tip_at(browser, "curves", 0.7, 0.5)
    i = round((as_number(rows[0][1]) + 0.5) / 0.5)
    expected = found["final.q.0"][:, 2, i]  # the middle one of four
    check("curves: they say the numbers of sweep.npz", all(
        abs(as_number(text) - x) < 1e-4 * abs(x) for (_, text), x in zip(rows[1:], expected)), (rows, expected))
    opened(browser, "family")
    check("family: one curve, no map", browser.js("return carom.maps.map((p) => p.id)") == ["curves"])
    check("family: all points are there", browser.js("return carom.maps[0].u.data[0].length") == 400)


def check_bands(browser, folder):
    found = np.load(folder / "uncertain/sweep.npz")
    opened(browser, "uncertain")
    check("bands: over the grid, as a histogram and over time",
          browser.js("return carom.maps.map((p) => p.id)") == ["curves", "distribution", "series"])
    drawn = browser.js("return carom.maps[0].u.data.slice(1)")
    expected = np.quantile(found["final.q.0"], [0.05, 0.25, 0.5, 0.75, 0.95], axis=1)
    check("bands: are the quantiles of the draws", np.allclose(drawn, expected, rtol=1e-5, atol=1e-6))
    counts = browser.js("return carom.maps[1].u.data[1]")
    check("bands: the histogram counts every run", sum(counts) == found["final.q.0"].size, sum(counts))
    series = browser.js("return carom.maps[2].u.data.slice(1)")
    check("bands: over time at the middle height", np.allclose(np.transpose(series), found["q.0"][2], rtol=1e-5, atol=1e-6))
    choose(browser, "series", "Series", "H")
    series = browser.js("return carom.maps[2].u.data.slice(1)")
    check("bands: and of the other series", np.allclose(np.transpose(series), found["H"][2], rtol=1e-5))
    rows = tip_at(browser, "series", 0.5, 0.5)
    check("bands: the box has median and limits", rows[0][0] == "t" and " to " in rows[1][1], rows)


def check_big(browser):
    opened(browser, "big")
    text = browser.find("#panel-map").text
    check("big: what is left out is said", "value of initial.q.0" in text and "sweep.npz has all" in text, text[:200])
    check("big: a logarithmic axis is drawn as one", browser.js("return carom.maps[0].u.scales.y.distr") == 3)


def check_theme(browser):
    browser.pretend(dark=True)
    for name, panel in [("map", "map"), ("uncertain", "curves")]:
        browser.open(name)
        browser.settle()
        dark = browser.pixels(f"#plot-{panel} canvas")
        browser.find("#theme").click()
        browser.settle()
        check(f"{name}: drawn again in light colours", browser.pixels(f"#plot-{panel} canvas") != dark)


def main(program, source):
    folder = Path(tempfile.mkdtemp(prefix="carom-report-"))
    names = make_reports(str(Path(program).resolve()), folder)
    browser = Browser(str(folder))
    try:
        for name in names:
            check_loads(browser, name)
            check_width(browser, name)
        check_map(browser, folder)
        check_curves(browser, folder)
        check_bands(browser, folder)
        check_big(browser)
        check_theme(browser)
        check("no errors on the way", not browser.complaints())
    finally:
        browser.driver.quit()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{len(browser_test.failures)} failed" if browser_test.failures else "all passed")
    return 1 if browser_test.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
