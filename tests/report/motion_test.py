#!/usr/bin/python3
"""What a page shows first, in Chromium: motion_test.py PROGRAM SOURCE_DIR

The motion with nothing over it, rings where contacts are, colours of bodies; bands, losses and named columns in the plots.
"""

import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import browser_test  # noqa: E402
from browser_test import Browser, check  # noqa: E402
from sample import write_samples  # noqa: E402

# Everything but the canvas that lies over it, as [tag, class].
COVERING = """
const canvas = document.querySelector('.stage canvas'), box = canvas.getBoundingClientRect();
return [...document.querySelectorAll('main *, #theme')].filter((e) => !e.contains(canvas) && e !== canvas && e.offsetParent)
  .filter((e) => { const b = e.getBoundingClientRect(); return b.width * b.height > 0 && b.left < box.right - 1
    && b.right > box.left + 1 && b.top < box.bottom - 1 && b.bottom > box.top + 1; }).map((e) => [e.tagName, e.className]);
"""


def check_stage_first(browser):
    """The motion comes before figures and plots, in sight without scrolling, and nothing lies over it."""
    for name in ("run", "lossy", "compare", "chain"):
        for width, height in ((1280, 900), (390, 844)):
            browser.pretend(width=width, height=height)
            browser.open(name)
            browser.settle()
            canvas, play, figures = browser.js(
                "return ['.stage canvas', '#play', '#figures'].map((s) => document.querySelector(s).getBoundingClientRect())"
                ".map((b) => [b.top, b.bottom])")
            where = f"{name}, {width} pixels"
            check(f"{where}: the motion is above the figures", canvas[1] <= play[0] < play[1] <= figures[0], (canvas, play, figures))
            check(f"{where}: and in sight with its button", play[1] <= height, play)
            browser.js("carom.player.to_event(1)")
            browser.settle()
            check(f"{where}: nothing covers it", browser.js(COVERING) == [], browser.js(COVERING))
    browser.pretend()


# How much of a ring of 5 pixels around a place of the drawing has the colour of impacts, 0 to 1.
RING = """
const [x, y] = arguments[0], canvas = document.querySelector('.stage canvas'), ratio = window.devicePixelRatio;
const scene = carom.make_scene(carom.report.drawing);
const lens = carom.make_lens(scene.view, canvas.clientWidth, canvas.clientHeight);
const [px, py] = lens.to([x, y]), hex = carom.colour('impact');
const wanted = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
const ctx = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {willReadFrequently: true});
ctx.drawImage(canvas, 0, 0);
const near = (k) => { const p = ctx.getImageData(Math.round((px + 5 * Math.cos(k)) * ratio - 0.5), Math.round((py + 5 * Math.sin(k)) * ratio - 0.5), 1, 1).data;
  return p[3] > 100 && wanted.every((c, i) => Math.abs(c - p[i]) < 90); };
const around = Array.from({length: 36}, (_, k) => near(k * Math.PI / 18));
return around.filter(Boolean).length / 36;
"""


def check_rings(browser):
    """A ring where the contact is, and none elsewhere."""
    browser.pretend()
    for name, other in (("lossy", [0.0, 1.0]), ("run", [2.0, 3.0])):
        browser.open(name)
        browser.settle()
        for _ in range(3):
            browser.press("n")
            browser.settle()
            place = browser.js("const {t, places} = carom.film.movers[0].run.impacts; return places[t.indexOf(carom.state.time)][0]")
            check(f"{name}: a ring around the contact at {place}", browser.js(RING, place) > 0.6, browser.js(RING, place))
            check(f"{name}: none elsewhere", browser.js(RING, other) < 0.3, browser.js(RING, other))


def check_envelopes(browser):
    """A line that swings too often to be followed is a band; zoomed in, it is a line again."""
    def filled():
        return browser.js("const u = carom.panels.find((p) => p.id === 'coordinates').u;"
                          "return u.series.filter((s) => carom.report.coordinates.includes(s.label) && s._paths && s._paths.fill).length")
    browser.pretend()
    browser.open("run")
    browser.settle()
    check("bands: 400 units of time are a band", filled() >= 1, filled())
    browser.js("carom.state.set({zoom: [10, 16]})")
    browser.settle()
    check("bands: six of them are lines", filled() == 0, filled())
    browser.js("carom.state.set({zoom: null})")
    browser.settle()
    check("bands: and back", filled() >= 1, filled())


def check_bodies(browser):
    browser.pretend()
    browser.open("run")
    browser.settle()
    colours = browser.js("const {parts} = carom.make_scene(carom.report.drawing);"
                         "return ['boxes', 'circles', 'lines'].map((k) => carom.body_colour(parts[k][0].body))")
    check("bodies: cart and bob differ, the rod is the bob's", colours[0] != colours[1] == colours[2], colours)


def check_losses(browser):
    browser.pretend()
    browser.open("lossy")
    browser.settle()
    figures = browser.find(".key-figures").text
    check("losses: are called that", "Lost at impacts" in figures and "of H(0)" in figures, figures)
    check("losses: the error is what they do not explain", "Energy error" in figures and "do not explain" in figures
          and "Energy drift" not in figures, figures)
    check("losses: the heading says what impacts took", "impacts that took" in browser.find("#heading").text)
    titles = browser.js("return [...document.querySelectorAll('#plots h3')].map((h) => h.textContent)")
    check("losses: the plots too", titles[:2] == ["Energy balance", "Energy error"] and "Shadow energy error" not in titles, titles)


def check_named_columns(browser):
    """Velocities, contact forces and quantities of the user's own have plots where there are such columns."""
    browser.pretend()
    browser.open("lossy")
    browser.settle()
    legends = {name: browser.js("return [...document.querySelectorAll(`#panel-${arguments[0]} .legend button`)].map((b) => b.textContent)",
                                name) for name in ("quantities", "velocities")}
    check("columns: quantities by their names", legends["quantities"] == ["speed", "height"], legends)
    check("columns: velocities", legends["velocities"] == ["x′", "y′"], legends)
    label = browser.find("#plot-forces").get_attribute("aria-label")
    check("columns: forces of contacts that last", "Contact forces" in label and "largest 9.81" in label, label)
    browser.open("star")
    browser.settle()
    check("columns: none where there are none", browser.js("return document.querySelector('#panel-quantities, #panel-forces') === null")
          and "contact forces (no contact lasted)" in browser.find("#plots").text)


def main():
    folder = tempfile.mkdtemp(prefix="carom-report-")
    write_samples(folder, ["run", "lossy", "compare", "chain", "star"])
    browser = Browser(folder)
    try:
        for part in (check_stage_first, check_rings, check_envelopes, check_bodies, check_losses, check_named_columns):
            part(browser)
            complaints = browser.complaints()
            check(f"{part.__name__}: no errors on the way", not complaints, complaints[:2])
    finally:
        browser.driver.quit()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{len(browser_test.failures)} failed" if browser_test.failures else "all passed")
    return 1 if browser_test.failures else 0


if __name__ == "__main__":
    sys.exit(main())
