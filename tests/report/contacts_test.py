#!/usr/bin/python3
"""Contacts that last, in Chromium: contacts_test.py PROGRAM SOURCE_DIR

Impacts, lasting contacts and releases have to look different, in the animation, below its slider and in the plot.
"""

import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import browser_test  # noqa: E402
from browser_test import Browser, check, check_loads, check_width  # noqa: E402
from contact_samples import CONTACT_SAMPLES, write_contact_samples  # noqa: E402

SPANS = "carom.film.movers[0].run.contacts.spans"

# The colours of pixels of a canvas, as [r, g, b, alpha].
PIXELS = """
const [selector, places] = arguments;
const canvas = document.querySelector(selector);
const ctx = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {willReadFrequently: true});
ctx.drawImage(canvas, 0, 0);
return places.map(([x, y]) => [...ctx.getImageData(Math.round(x), Math.round(y), 1, 1).data]);
"""


def colour(browser, name):
    """A colour of the theme as [r, g, b]."""
    text = browser.js("return carom.colour(arguments[0])", name)
    return [int(text[i:i + 2], 16) for i in (1, 3, 5)]


def near(pixel, wanted, most=40):
    return pixel[3] > 0 and max(abs(a - b) for a, b in zip(pixel, wanted)) <= most


def seek(browser, t):
    browser.js("carom.player.seek(arguments[0])", t)
    browser.settle()


def spans(browser):
    return browser.js(f"return {SPANS}")


def check_rug(browser, dark):
    """Ticks above, bars below, a ring at the end of a bar."""
    theme = "dark" if dark else "light"
    browser.pretend(dark=dark)
    browser.open("contacts")
    browser.settle()
    first = spans(browser)[0]
    impact = browser.js("return carom.film.movers[0].run.impacts.t[0]")
    left, width, start, end = browser.js(
        "const r = document.querySelector('.rug'); return [10, r.clientWidth - 20, carom.film.start, carom.film.end]")

    def x(t):
        return left + (t - start) / (end - start) * width
    lane, middle = 14, (first["from"] + first["to"]) / 2
    tick, above, bar, hole, ring, after, before = browser.js(PIXELS, ".rug", [
        (int(x(impact)), 3), (x(middle), 3), (x(middle), lane), (x(first["to"]), lane), (x(first["to"]), lane - 3),
        (x(first["to"]) + 8, lane), (x(impact), lane)])
    check(f"slider, {theme}: impacts are ticks in the run's colour", near(tick[:3] + [255], colour(browser, "run-0"), 60) and tick[3] > 0, tick)
    check(f"slider, {theme}: no bar among the ticks", above[3] == 0, above)
    check(f"slider, {theme}: contacts are bars in another", near(bar, colour(browser, "lasting")) and 100 < bar[3] < 255, bar)
    check(f"slider, {theme}: a release is an open ring", near(hole, colour(browser, "page"), 8) and near(ring, colour(browser, "lasting"), 90), (hole, ring))
    check(f"slider, {theme}: no bar before and after", after[3] == 0 and before[3] == 0, (before, after))


def check_lanes(browser, dark):
    theme = "dark" if dark else "light"
    browser.pretend(dark=dark)
    browser.open("contacts")
    browser.settle()
    panel = "carom.panels.find((p) => p.id === 'contacts')"
    first = spans(browser)[0]
    impact = browser.js("const r = carom.film.movers[0].run; return r.impacts.t[0]")

    def place(t, lane, dy=0):
        return browser.js(f"const u = {panel}.u; return [u.valToPos(arguments[0], 'x', true), "
                          "u.valToPos(-arguments[1], 'y', true) + arguments[2]]", t, lane, dy)
    middle = (first["from"] + first["to"]) / 2
    seek(browser, 11)  # the time line out of the way
    bar, tick, hole, other, gap = browser.js(PIXELS, "#plot-contacts canvas", [
        place(middle, 0), place(impact, 0, -4), place(first["to"], 0), place(middle, 1, -2), place(first["to"] + 0.4, 0, -2)])
    ring = browser.js(PIXELS, "#plot-contacts canvas", [[a + b for a, b in zip(place(first["to"], 0), d)] for d in ((0, -4), (0, 4))])
    check(f"plot, {theme}: a contact that lasts is a bar", near(bar, colour(browser, "lasting")), bar)
    settling, settled = browser.js(PIXELS, "#plot-contacts canvas", [place((first["from"] + first["settled"]) / 2, 0, 2), place(middle, 0, 2)])
    check(f"plot, {theme}: the bar is thin until the last bounces are over", near(settled, colour(browser, "lasting"))
          and not near(settling, colour(browser, "lasting")), (settling, settled))
    check(f"plot, {theme}: an impact is a tick in another colour", near(tick, colour(browser, "run-0"), 60) or tick[3] > 60 and tick[2] > tick[0], tick)
    check(f"plot, {theme}: a release is an open ring", near(hole, colour(browser, "page"), 8)
          and all(near(pixel, colour(browser, "lasting"), 90) for pixel in ring), (hole, ring))
    check(f"plot, {theme}: nothing where nothing lasts", not near(other, colour(browser, "lasting")) and not near(gap, colour(browser, "lasting")), (other, gap))
    labels = browser.js(f"return {panel}.u.axes[1]._values")
    check(f"plot, {theme}: a lane for each contact, by name", labels == ["floor", "left wall", "right wall"], labels)


def badges(browser):
    return browser.js("return [...document.querySelectorAll('.badge')].map((b) => [b.className.split(' ')[1], b.textContent,"
                      " getComputedStyle(b).backgroundColor, getComputedStyle(b).borderStyle])")


def check_stage(browser):
    browser.open("contacts")
    browser.settle()
    first = spans(browser)[0]
    note = lambda: browser.find(".stage-note").text  # noqa: E731
    seek(browser, first["from"] - 0.01)
    check("stage: no badge before", badges(browser) == [], badges(browser))
    check("stage: the note speaks of the impact only", note().startswith("impact") and "resting" not in note(), note())
    seek(browser, first["from"])
    filled = badges(browser)
    check("stage: a badge while it lasts", [b[:2] for b in filled] == [["lasting", "floor"]], filled)
    check("stage: the note says what it rests on", note().endswith("resting on floor"), note())
    check("stage: and the words for it do", "resting on floor" in browser.find(".stage canvas").get_attribute("aria-label"))
    seek(browser, first["to"] + 0.1)
    outlined = badges(browser)
    check("stage: another after its release", [b[:2] for b in outlined] == [["released", "floor"]], outlined)
    check("stage: which is not filled", filled[0][2:] != outlined[0][2:], (filled, outlined))
    check("stage: the note says so", note().endswith("floor released"), note())
    seek(browser, first["to"] + 2)
    check("stage: and then it is gone", badges(browser) == [] and "released" not in note(), note())
    seek(browser, 12)
    check("stage: what lasts at the end is shown there", [b[1] for b in badges(browser)] == ["floor"], badges(browser))


def check_keys(browser):
    browser.open("contacts")
    browser.settle()
    first = spans(browser)[0]
    seek(browser, first["from"] + 0.01)
    browser.press("n")
    check("keys: n stops at a release", browser.state("time") == first["to"], browser.state("time"))
    browser.press("p")
    check("keys: p goes back to the beginning", browser.state("time") == first["from"], browser.state("time"))
    browser.open("contacts-only")
    browser.settle()
    check("keys: the button is there without impacts", browser.find("#next-event").is_displayed())
    browser.open("no-contacts")
    browser.settle()
    seek(browser, first["from"] + 0.01)
    browser.press("n")
    next_impact = browser.js("return carom.film.movers[0].run.impacts.t.find((t) => t > arguments[0])", first["from"] + 0.01)
    check("keys: without contacts n goes to impacts", browser.state("time") == next_impact, browser.state("time"))


def check_words(browser):
    browser.open("contacts")
    browser.settle()
    label = browser.find("#plot-contacts").get_attribute("aria-label")
    check("words: the plot is told in words", "floor: lasts 3 times" in label and "2 releases" in label
          and "left wall: 4 impacts" in label, label)
    figures = browser.find(".key-figures").text
    check("words: key figures count them", "Lasting contacts" in figures and "begun, 2 released; floor at the end" in figures, figures)
    over = browser.find("#plot-contacts .u-over")
    browser.js("arguments[0].scrollIntoView({block: 'center'})", over)
    browser_test.ActionChains(browser.driver, duration=20).move_to_element_with_offset(
        over, over.size["width"] // 2 - 40, 0).perform()
    browser.settle()
    tip = browser.find(".tip").text
    check("words: what lasts shows beside the mouse", "floor" in tip and "since 8." in tip, tip)
    browser.open("many-contacts")
    browser.settle()
    text = browser.find("#panel-contacts").text
    check("words: with many contacts the busiest", "busiest 12 of 43" in text and "2000 of 54" in text, text)
    seek(browser, 6)
    check("words: and their number before the badges", badges(browser)[0] and badges(browser)[0][0] == "more"
          and "contacts" in badges(browser)[0][1] and len(badges(browser)) > 7, badges(browser)[:2])
    browser.open("odd-contacts")
    browser.settle()
    read = spans(browser)
    check("words: spans without sense are dropped", [(s["from"], round(s["to"], 9)) for s in read] == [(1, 1), (4, 12)], read)
    check("words: markup in a name stays text", browser.js("return document.querySelector('main b b') === null"))
    browser.open("no-contacts")
    browser.settle()
    seek(browser, 3)
    check("words: a run without contacts has no plot of them", browser.js("return document.querySelector('#plot-contacts') === null")
          and "lasting contacts (there were none)" in browser.find("#plots").text)
    check("words: no badge, and no room for bars", badges(browser) == []
          and browser.js("return document.querySelector('.rug').clientHeight") == 7)


def check_compared(browser):
    browser.open("contacts-compared")
    browser.settle()
    seek(browser, 10.5)
    both = badges(browser)
    check("compared: a badge for each run, in its colour", [b[1] for b in both] == ["floor", "floor"] and both[0][2] != both[1][2], both)
    plot, rug = browser.pixels("#plot-contacts canvas"), browser.pixels(".rug")
    browser.find("#runs button:nth-child(2)").click()
    browser.settle()
    check("compared: a hidden run is gone from the plot", browser.pixels("#plot-contacts canvas") != plot)
    check("compared: from the slider", browser.pixels(".rug") != rug)
    check("compared: and from the badges", len(badges(browser)) == 1, badges(browser))
    label = browser.find("#plot-contacts").get_attribute("aria-label")
    check("compared: each run is told", all(name in label for name in ("e = 0.6: floor", "e = 0.3: floor", "event-driven: floor")), label)


def main():
    folder = tempfile.mkdtemp(prefix="carom-report-")
    write_contact_samples(folder)
    browser = Browser(folder)
    try:
        for name in CONTACT_SAMPLES:
            check_loads(browser, name)
        for name in ["contacts", "many-contacts", "contacts-compared"]:
            check_width(browser, name)
        for dark in (False, True):
            check_rug(browser, dark)
            check_lanes(browser, dark)
        for part in (check_stage, check_keys, check_words, check_compared):
            browser.pretend()
            part(browser)
            complaints = browser.complaints()
            check(f"{part.__name__}: no errors on the way", not complaints, complaints[:2])
    finally:
        browser.driver.quit()
        shutil.rmtree(folder, ignore_errors=True)
    failures = browser_test.failures
    print(f"{len(failures)} failed" if failures else "all passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
