#!/usr/bin/python3
"""Opens reports in Chromium and uses them: browser_test.py PROGRAM SOURCE_DIR [REPORT.html ...]

Samples and edge cases come from sample.py. Reports named on the command line are loaded and looked at as well.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

sys.path.insert(0, str(Path(__file__).parent))
from sample import EDGES, SAMPLES, write_samples  # noqa: E402

FLAGS = ("--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
         "--disable-component-update --disable-sync --window-size=1280,900").split()
failures = []
SOFTWARE = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]  # WebGL without a graphics card


def check(what, holds, detail=""):
    print(("ok      " if holds else "FAILED  ") + what + (f"  [{detail}]" if detail and not holds else ""), flush=True)
    if not holds:
        failures.append(what)


class Browser:
    """Chromium with a profile of its own, and short words for what the tests do with it."""

    def __init__(self, folder):
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for flag in [*FLAGS, f"--user-data-dir={folder}/profile"]:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.driver.set_page_load_timeout(60)
        self.driver.set_script_timeout(60)
        self.driver.command_executor.set_timeout(90)
        self.folder = folder

    def pretend(self, width=1280, height=900, dark=False, still=False):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"}]})

    def open(self, name):
        path = Path(name) if str(name).endswith(".html") else Path(self.folder) / f"{name}.html"
        self.driver.get(path.resolve().as_uri())

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def state(self, name):
        return self.js("return carom.state[arguments[0]]", name)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def press(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def wait(self, script, seconds=10):
        waiting = WebDriverWait(self.driver, seconds, poll_frequency=0.02, ignored_exceptions=[WebDriverException])
        waiting.until(lambda _: self.js("return " + script))

    def settle(self):
        """Until everything that was asked for has been drawn: two frames."""
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))")

    def pixels(self, selector):
        return self.js("return document.querySelector(arguments[0]).toDataURL()", selector)

    def complaints(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """What the page asked for beyond itself, also in vain."""
        return self.js("return performance.getEntriesByType('resource').map((entry) => entry.name)"
                       ".filter((name) => !name.startsWith('data:'))")


def check_loads(browser, name, ready=True):
    browser.pretend()
    browser.open(name)
    browser.settle()
    complaints, requests = browser.complaints(), browser.requests()
    check(f"{name}: no errors or warnings in the console", not complaints, complaints[:2])
    check(f"{name}: nothing asked from the network", not requests, requests[:2])
    check(f"{name}: the page is complete", (browser.js("return document.documentElement.dataset.ready") == "true") == ready)
    check(f"{name}: no part had to be given up", not browser.js(
        "return [...document.querySelectorAll('.notice')].some((n) => n.textContent.includes('could not be shown'))"))
    unnamed = browser.js("return [...document.querySelectorAll('[role=img]')].filter((e) => !(e.ariaLabel || '').trim() || "
                         "/NaN|undefined|null|Infinity/.test(e.ariaLabel)).map((e) => e.outerHTML.slice(0, 200))")
    check(f"{name}: every picture is described in words", not unnamed, unnamed)


def check_width(browser, name, width=360):
    browser.pretend(width=width, height=740)
    browser.open(name)
    browser.settle()
    wide = browser.js("return document.documentElement.scrollWidth")
    check(f"{name}: no sideways scrolling at {width} pixels", wide <= width, wide)
    small = browser.js("return [...document.querySelectorAll('.controls button, .controls select')]"
                       ".filter((e) => Math.min(e.offsetWidth, e.offsetHeight) < 40).length")
    check(f"{name}: controls are large enough to touch", small == 0, small)


def time_line_places(browser):
    """Where each plot has its time line, in pixels, as drawn."""
    return browser.js("return carom.panels.map((p) => { const line = p.figure.querySelector('.time-line');"
                      " return line.hidden ? null : line.getBoundingClientRect().left - p.u.over.getBoundingClientRect().left; })")


def expected_places(browser):
    return browser.js("return carom.panels.map((p) => p.cursor())")


def check_playing(browser):
    browser.pretend()
    browser.open("run")
    browser.settle()
    check("run: opens at rest, at the start", not browser.state("playing") and browser.state("time") == 0)
    before, clock = browser.pixels(".stage canvas"), browser.find("#clock").text
    browser.find("#play").click()
    browser.wait("carom.state.time > 0.3")
    check("run: the button plays", browser.state("playing"))
    check("run: the picture moves", browser.pixels(".stage canvas") != before)
    check("run: the clock runs", browser.find("#clock").text != clock, clock)
    browser.js("document.querySelector('#play').click()")
    stopped = browser.state("time")
    browser.settle()
    check("run: the button pauses", not browser.state("playing") and browser.state("time") == stopped)
    places, expected = time_line_places(browser), expected_places(browser)
    check("run: time lines followed", all(abs(a - b) < 1 for a, b in zip(places, expected)), (places, expected))


def phase_mark(browser):
    return browser.js("return document.querySelector('#plot-phase .mark').style.transform")


def check_scrubbing(browser):
    browser.open("lossy")
    browser.settle()
    before = time_line_places(browser)
    mark = phase_mark(browser)
    browser.js("const s = document.querySelector('#scrub'); s.value = 6; s.dispatchEvent(new Event('input', {bubbles: true}))")
    browser.settle()
    after, expected = time_line_places(browser), expected_places(browser)
    check("lossy: there are time plots", len(after) >= 5, len(after))
    check("lossy: the slider sets the time", abs(browser.state("time") - 6) < 0.02, browser.state("time"))
    check("lossy: the slider moves the line in every plot", all(b - a > 50 for a, b in zip(before, after)), (before, after))
    check("lossy: to where the time is", all(abs(a - b) < 1 for a, b in zip(after, expected)))
    check("lossy: the mark in the phase portrait moves", phase_mark(browser) != mark)
    check("lossy: the slider says the time", "6" in browser.find("#scrub").get_attribute("aria-valuetext"))


def check_plot_mouse(browser):
    browser.open("lossy")
    browser.settle()
    over = browser.find("#plot-energy .u-over")
    browser.js("arguments[0].scrollIntoView({block: 'center'})", over)
    ActionChains(browser.driver, duration=20).move_to_element(over).click().perform()
    browser.settle()
    check("plots: a click moves the animation", abs(browser.state("time") - 6) < 0.1, browser.state("time"))
    tip = browser.find(".tip").text
    check("plots: values show beside the mouse", "t = " in tip, tip)
    ActionChains(browser.driver, duration=50).move_to_element(over).click_and_hold().move_by_offset(60, 0).release().perform()
    browser.settle()
    check("plots: dragging the time line moves the animation", browser.state("time") > 7, browser.state("time"))
    check("plots: and does not zoom", browser.state("zoom") is None)
    drag = ActionChains(browser.driver, duration=50).move_to_element_with_offset(over, -120, 0)
    drag.click_and_hold().move_by_offset(80, 0).release().perform()
    browser.settle()
    zoom = browser.state("zoom")
    check("plots: dragging elsewhere zooms", zoom is not None and 0.5 < zoom[1] - zoom[0] < 8, zoom)
    same = browser.js("return carom.panels.every((p) => Math.abs(p.u.scales.x.min - carom.state.zoom[0]) < 1e-9)")
    check("plots: all plots zoom together", same)
    time = browser.state("time")
    ActionChains(browser.driver, duration=20).double_click(over).perform()
    browser.settle()
    check("plots: a double click shows everything", browser.state("zoom") is None
          and browser.js("return carom.panels.every((p) => p.u.scales.x.max >= 11.99)"))
    check("plots: and leaves the time alone", browser.state("time") == time)


def check_keys(browser):
    browser.open("run")
    browser.settle()
    browser.press(Keys.ARROW_RIGHT)
    dt = browser.js("return carom.film.dt")
    check("keys: right arrow is one frame", abs(browser.state("time") - dt) < 1e-9, browser.state("time"))
    browser.press(Keys.ARROW_LEFT)
    check("keys: left arrow goes back", browser.state("time") == 0)
    browser.press(Keys.END)
    check("keys: End", browser.state("time") == browser.js("return carom.film.end"))
    browser.press(Keys.HOME)
    check("keys: Home", browser.state("time") == 0)
    browser.press("n")
    first = browser.js("return carom.film.movers[0].run.impacts.t[0]")
    check("keys: n goes to the next impact", browser.state("time") == first, (browser.state("time"), first))
    check("keys: and names it", browser.find(".stage-note").text.startswith("impact 1"), browser.find(".stage-note").text)
    browser.press("nnp")
    check("keys: p goes to the one before", browser.state("time") == browser.js("return carom.film.movers[0].run.impacts.t[1]"))
    browser.press("+")
    check("keys: + is faster", browser.state("speed") == 2 and browser.find("#speed").get_attribute("value") == "2")
    browser.press("--")
    check("keys: - is slower", browser.state("speed") == 0.5)
    browser.press(" ")
    check("keys: space plays", browser.state("playing"))
    browser.press(" ")
    check("keys: space pauses", not browser.state("playing"))
    browser.press("?")
    check("keys: ? lists the keys", browser.find("#keys").is_displayed() and "next" in browser.find("#keys").text)
    browser.press(Keys.ESCAPE)
    check("keys: Escape closes the list", not browser.find("#keys").is_displayed())


def check_speed(browser):
    browser.open("run")
    browser.js("carom.state.set({speed: 10}); carom.player.play()")
    browser.wait("carom.state.time > 4")
    browser.js("carom.player.pause()")
    check("speed: ten times is in the list and goes", browser.find("#speed").get_attribute("value") == "10")


def check_theme(browser):
    browser.pretend(dark=True)
    browser.open("run")
    browser.settle()
    background = "return getComputedStyle(document.body).backgroundColor"
    dark, plot = browser.js(background), browser.pixels("#plot-energy canvas")
    check("theme: follows the system", browser.state("theme") == "dark")
    browser.find("#theme").click()
    browser.settle()
    check("theme: the button changes it", browser.state("theme") == "light" and browser.js(background) != dark)
    check("theme: plots are drawn again", browser.pixels("#plot-energy canvas") != plot)
    browser.pretend()


def check_log(browser):
    browser.open("run")
    browser.settle()
    before = browser.pixels("#plot-energy canvas")
    browser.js("document.querySelector('#panel-energy input[value=log]').click()")
    browser.settle()
    check("log: the switch works", browser.js("return carom.panels[0].u.scales.y.distr") == 3
          and browser.pixels("#plot-energy canvas") != before)
    ticks = browser.js("const a = carom.panels[0].u.axes[1]; return a._splits.map(Math.log10)")
    check("log: lines at whole decades only", len(ticks) >= 2 and all(abs(x - round(x)) < 1e-9 for x in ticks), ticks)
    browser.js("document.querySelector('#panel-energy input[value=linear]').click()")
    check("log: and back", browser.js("return carom.panels[0].u.scales.y.distr") == 1)
    browser.open("star")
    browser.settle()
    low, high = browser.js("const y = carom.panels[0].u.scales.y; return [y.min, y.max]")
    check("rounding: is not blown up", low <= -1e-13 and high >= 1e-13, (low, high))
    check("rounding: is called that", "rounding" in browser.find("#panel-energy").text)


def check_compare(browser):
    browser.open("compare")
    browser.settle()
    fits = browser.js("return carom.panels.filter((p) => p.log).map((p) => Math.max(...p.u.data.slice(1).flat()"
                      ".filter((y) => y > 0)) <= p.u.scales.y.max)")
    check("compare: errors far apart open in a logarithmic plot that holds them", len(fits) == 2 and all(fits), fits)
    picture, plot = browser.pixels(".stage canvas"), browser.pixels("#plot-energy canvas")
    button = browser.find("#runs button:nth-child(2)")
    button.click()
    browser.settle()
    check("compare: a legend entry hides its run", browser.state("visible") == [True, False, True]
          and button.get_attribute("aria-pressed") == "false")
    hidden = browser.js("return carom.panels.every((p) => p.u.series.some((s) => s.show === false))")
    check("compare: in every plot", hidden and browser.pixels("#plot-energy canvas") != plot)
    browser.js("carom.player.seek(9)")
    browser.settle()
    without = browser.pixels(".stage canvas")
    button.click()
    browser.settle()
    check("compare: and in the animation", browser.pixels(".stage canvas") != without and without != picture)
    marks = browser.js("return [...document.querySelectorAll('.methods td.best')].map((e) => e.textContent)")
    check("compare: the best values are marked by a word", len(marks) >= 4 and all("best" in mark for mark in marks), marks)
    caption, columns, rows = browser.js(
        "const t = document.querySelector('table.methods'); return [t.caption.textContent, "
        "t.tHead.querySelectorAll('th[scope=col]').length, t.tBodies[0].querySelectorAll('th[scope=row]').length]")
    check("compare: the table has caption and scopes", caption.startswith("Methods") and columns >= 6 and rows == 3)


def check_words(browser):
    browser.open("run")
    label = browser.find("#plot-energy").get_attribute("aria-label")
    check("words: a plot states its numbers", "largest" in label and "at the end" in label and "e-" in label, label)
    check("words: key figures are a table", browser.js(
        "const t = document.querySelector('.key-figures');"
        "return t.tagName === 'TABLE' && t.caption !== null && t.querySelectorAll('th[scope=row]').length >= 5"))
    check("words: how far the animation goes", "of 400" in browser.find("#motion").text)
    browser.open("failed-at-once")
    heading = browser.find("#heading").text
    check("words: a failure is said, with its reason", "failed" in heading and "stays closed" in heading, heading)
    browser.open("hostile-names")
    title = browser.find("h1").text
    check("words: markup in a title stays text", "</script><!--<script><img" in title
          and browser.js("return document.querySelector('main img') === null"), title)
    browser.open("broken-drawing")
    remark = browser.find("#motion").text
    check("words: what cannot be drawn is said", "nowhere" in remark and "syntax" in remark)
    check("words: and the rest is drawn", browser.js(
        "const c = document.querySelector('.stage canvas');"
        "return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((x) => x > 0)"))


def check_camera(browser):
    browser.open("far-away")
    browser.settle()
    check("camera: goes along with what leaves, and says so", "goes along" in browser.find("#motion").text)
    ink = ("carom.player.seek(arguments[0]); const c = document.querySelector('.stage canvas');"
           "return c.getContext('2d', {willReadFrequently: true}).getImageData(c.width / 2 - 15, 0, 30, c.height).data"
           ".some((x, i) => i % 4 === 3 && x > 250)")
    check("camera: the body stays in the middle", browser.js(ink, 30.0))


def check_reduced_motion(browser):
    browser.pretend(still=True)
    browser.open("run")
    browser.settle()
    check("reduced motion: nothing moves unasked", not browser.state("playing") and browser.state("time") == 0)
    browser.press("n")
    marked = browser.pixels(".stage canvas")
    browser.js("carom.film.movers[0].run.impacts.t.length = 0; carom.player.seek(carom.state.time)")
    check("reduced motion: an impact is still marked", browser.pixels(".stage canvas") != marked)
    browser.pretend()


def check_convergence(browser):
    browser.open("converge")
    browser.settle()
    label = browser.find("#plot-converge").get_attribute("aria-label")
    check("converge: slopes are said", label.count("slope") == 3, label)
    rows = browser.js("return [...document.querySelectorAll('table.methods tbody tr')].map((r) => r.textContent)")
    check("converge: the table judges the order", len(rows) == 3 and all("agrees" in row for row in rows), rows)
    before = browser.pixels("#plot-converge canvas")
    for value in ("energy", "cost"):
        browser.js("document.querySelector(`#panel-converge input[value=${arguments[0]}]`).click()", value)
        browser.settle()
        after = browser.pixels("#plot-converge canvas")
        check(f"converge: shows {value}", after != before)
        before = after
    browser.find("#panel-converge .legend button").click()
    browser.settle()
    check("converge: a legend entry hides its line", browser.pixels("#plot-converge canvas") != before)


def check_choices(browser):
    """Every switch of every panel, also on the report with most of them."""
    for name in ("chain", "sixteen", "crowded"):
        browser.open(name)
        browser.js("for (const i of document.querySelectorAll('.panel input')) i.click();"
                   "for (const s of document.querySelectorAll('.panel select')) for (const o of s.options) {"
                   "  s.value = o.value; s.dispatchEvent(new Event('change')); }"
                   "for (const b of document.querySelectorAll('.legend button')) { b.click(); b.click(); }"
                   "for (let k = 0; k <= 50; ++k) carom.player.seek(carom.film.start + k / 50 * (carom.film.end - carom.film.start));")
        browser.settle()
        complaints = browser.complaints()
        check(f"{name}: every switch works without errors", not complaints, complaints[:2])


def main(program, source, reports):
    folder = tempfile.mkdtemp(prefix="carom-report-")
    write_samples(folder)
    browser = Browser(folder)
    try:
        for name in [*SAMPLES, *EDGES, *reports]:
            check_loads(browser, name, ready=name != "other-schema")
        for name in [*SAMPLES, "hostile-names", "sixteen", "odd-convergence", *reports]:
            check_width(browser, name)
        for part in (check_playing, check_scrubbing, check_plot_mouse, check_keys, check_speed, check_theme, check_log, check_compare,
                     check_words, check_camera, check_reduced_motion, check_convergence, check_choices):
            browser.pretend()
            part(browser)
            complaints = browser.complaints()
            check(f"{part.__name__}: no errors on the way", not complaints, complaints[:2])
    finally:
        browser.driver.quit()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{len(failures)} failed" if failures else "all passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else None, sys.argv[2] if len(sys.argv) > 2 else None, sys.argv[3:]))
