#!/usr/bin/python3
"""Scenes in space, in Chromium: space_test.py PROGRAM SOURCE_DIR

Made-up data of every shape, by WebGL without a graphics card and then without WebGL: the picture moves with time and with the
camera, what is switched off is off, nothing overlaps on wide and narrow screens, pages of the plane have none of it.
"""

import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import browser_test  # noqa: E402
from browser_test import SOFTWARE, Browser, check, check_loads, check_width  # noqa: E402
from motion_test import COVERING  # noqa: E402
from sample import write_samples  # noqa: E402
from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from space_samples import write_space_samples  # noqa: E402

CANVAS = ".stage canvas"
# How many pixels of the picture have a body's hue: the palette's, lighter or darker.
COLOURED = """
const canvas = document.querySelector('.stage canvas'), hex = carom.colour(arguments[0]);
const ctx = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {willReadFrequently: true});
ctx.drawImage(canvas, 0, 0);
const hue = (r, g, b) => Math.atan2(Math.sqrt(3) * (g - b), 2 * r - g - b);
const wanted = hue(...[1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)));
const data = ctx.getImageData(0, 0, canvas.width, canvas.height).data;
let count = 0;
for (let i = 0; i < data.length; i += 4) {
  const [r, g, b, a] = data.subarray(i, i + 4);
  if (a > 200 && Math.max(r, g, b) - Math.min(r, g, b) > 40 && Math.abs(Math.sin((hue(r, g, b) - wanted) / 2)) < 0.06) ++count;
}
return count;
"""

# The canvas's boxes and those of what is below it, to see that nothing overlaps.
OVERLAPS = """
const boxes = [...document.querySelectorAll('.stage, .scrubber, .buttons, .space-tools, .theatre > .remark')].map((e) => e.getBoundingClientRect());
const buttons = [...document.querySelectorAll('.controls button, .controls select, .space-tools button')].map((e) => e.getBoundingClientRect());
const cross = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
const pairs = (list) => list.flatMap((a, i) => list.slice(0, i).filter((b) => cross(a, b)));
return pairs(boxes).length + pairs(buttons).length + buttons.filter((b) => b.right > innerWidth || b.left < 0).length;
"""


def open_page(browser, name, **pretended):
    browser.pretend(**pretended)
    browser.open(name)
    browser.settle()


def seek(browser, t):
    browser.js("carom.player.seek(arguments[0])", t)
    return browser.pixels(CANVAS)


def drag(browser, dx, dy):
    ActionChains(browser.driver).click_and_hold(browser.find(CANVAS)).move_by_offset(dx, dy).release().perform()
    browser.settle()
    return browser.pixels(CANVAS)


def check_scene(browser, kind):
    """Time and camera move the picture; bodies are there in their colours."""
    open_page(browser, "shapes")
    check(f"{kind}: it opens at rest", not browser.state("playing") and browser.state("time") == 0)
    first = browser.pixels(CANVAS)
    for number, name in enumerate(("ball", "brick", "egg", "gem", "dumb-bell", "pill", "barrel", "paddle")):
        count = browser.js(COLOURED, browser.js("return carom.body_colour(arguments[0])", number))
        check(f"{kind}: the {name} is seen", count > 150, count)
    later = seek(browser, 0.9)
    check(f"{kind}: the picture moves with time", later != first)
    check(f"{kind}: and is the same at the same time", seek(browser, 0) == first)
    turned = drag(browser, 90, 30)
    check(f"{kind}: dragging turns it", turned != first)
    check(f"{kind}: a drag does not play", not browser.state("playing"))
    browser.find("#reset-view").click()
    browser.settle()
    check(f"{kind}: and it can be as it was", browser.pixels(CANVAS) == first)
    browser.find(CANVAS).click()
    check(f"{kind}: a click plays", browser.state("playing"))
    browser.find(CANVAS).click()
    check(f"{kind}: another one pauses", not browser.state("playing"))


def check_camera(browser):
    open_page(browser, "shapes")
    pictures = [browser.pixels(CANVAS)]
    for key in "adwwsioo":
        browser.press(key)
        browser.settle()
        pictures.append(browser.pixels(CANVAS))
    check("camera: each of its keys does something", all(a != b for a, b in zip(pictures, pictures[1:])))
    browser.press("r")
    browser.settle()
    check("camera: r is the way back", browser.pixels(CANVAS) == pictures[0])
    look = browser.js("""
        const canvas = document.querySelector('.stage canvas'), before = scrollY;
        const wheel = (more) => canvas.dispatchEvent(new WheelEvent('wheel', {deltaY: -120, bubbles: true, cancelable: true, ...more}));
        canvas.blur();
        const passed = wheel({});
        canvas.focus();
        return [passed, wheel({})];""")
    browser.settle()
    check("camera: the wheel scrolls until the picture is clicked, then it zooms", look == [True, False], look)
    check("camera: it did", browser.pixels(CANVAS) != pictures[0])


def check_switches(browser):
    """Forces, trails and labels, by button and key; marks of impacts."""
    open_page(browser, "shapes")
    seek(browser, 1.3)
    for name in ("forces", "trails", "labels"):
        before, pressed = browser.pixels(CANVAS), browser.find(f"#show-{name}").get_attribute("aria-pressed")
        browser.find(f"#show-{name}").click()
        check(f"switches: {name} change the picture", browser.pixels(CANVAS) != before)
        check(f"switches: {name} say so", browser.find(f"#show-{name}").get_attribute("aria-pressed") != pressed)
        browser.press(name[0])
        check(f"switches: the key for {name} does the same", browser.pixels(CANVAS) == before)
    check("switches: labels are off at first", browser.find("#show-labels").get_attribute("aria-pressed") == "false")
    browser.js("carom.player.to_event(1)")
    ring = browser.pixels(CANVAS)
    browser.js("for (const {run} of carom.film.movers) run.impacts.places = run.impacts.places.map(() => [])")
    browser.js("carom.state.set({time: carom.state.time})")
    check("impacts: have rings", browser.pixels(CANVAS) != ring)
    dialog = browser.js("return document.querySelector('#keys').textContent")
    check("keys: the list has those of the camera", "turn the view" in dialog and "show forces or not" in dialog, dialog)


def check_sizes(browser):
    for width, height in ((1300, 900), (390, 844)):
        for dark in (False, True):
            open_page(browser, "shapes", width=width, height=height, dark=dark)
            where = f"{width} pixels, {'dark' if dark else 'light'}"
            check(f"{where}: nothing overlaps", browser.js(OVERLAPS) == 0, browser.js(OVERLAPS))
            check(f"{where}: nothing covers it", browser.js(COVERING) == [], browser.js(COVERING))
            play = browser.js("return document.querySelector('#play').getBoundingClientRect().bottom")
            check(f"{where}: in sight with its button", play <= height, play)
    check_width(browser, "shapes")


def check_views(browser):
    """Free space, far away, and two runs one over the other."""
    open_page(browser, "handle")
    count = browser.js(COLOURED, "run-0")
    check("views: the handle fills some of the picture", count > 8000, count)
    open_page(browser, "away")
    check("views: goes along with what rolls away", "goes along" in browser.find("#motion").text)
    seek(browser, 5.0)
    middle = browser.js("return carom.player && document.querySelector('.stage canvas').getContext('2d')"
                        ".getImageData(document.querySelector('.stage canvas').width / 2, document.querySelector('.stage canvas').height / 2, 1, 1).data[3]")
    check("views: the wheel is in the middle then", middle == 255, middle)
    shown = browser.pixels(CANVAS)
    browser.js("carom.state.set({visible: [false, true]})")
    check("views: a run can be hidden", browser.pixels(CANVAS) != shown)
    open_page(browser, "crowd")
    check("views: many balls move", browser.pixels(CANVAS) != seek(browser, 1.0))
    open_page(browser, "broken")
    check("views: what cannot be drawn is told", "body knot" in browser.find("#motion").text, browser.find("#motion").text)
    check("views: the rest is seen", browser.js(COLOURED, "run-0") > 1000)


def check_plane_pages(folder):
    """Pages of the plane are as small as they were."""
    write_samples(folder, ["star"])
    page = (Path(folder) / "star.html").read_text(encoding="utf-8")
    check("plane: no scripts of space", "THREE" not in page and "make_space_stage" not in page.replace("carom.make_space_stage", ""))
    page = (Path(folder) / "shapes.html").read_text(encoding="utf-8")
    check("space: the licence goes with it", "three.js authors" in page and "Permission is hereby granted" in page.split("three.js 0.187.0")[1])


def in_browser(folder, flags, parts):
    browser_test.FLAGS = [flag for flag in browser_test.FLAGS if flag not in ("--disable-gpu", *SOFTWARE)] + flags
    browser = Browser(folder)
    try:
        for part in parts:
            part(browser)
            complaints = browser.complaints()
            check(f"{part.__name__}: no errors on the way", not complaints, complaints[:2])
    finally:
        browser.driver.quit()


def with_webgl(browser):
    check_loads(browser, "shapes")
    check("webgl: it is there", "no WebGL" not in browser.find("#motion").text)
    check_scene(browser, "webgl")


def without_webgl(browser):
    check_loads(browser, "shapes")
    check("plain: the page says so", "no WebGL" in browser.find("#motion").text, browser.find("#motion").text)
    check_scene(browser, "plain")


def main():
    folder = tempfile.mkdtemp(prefix="carom-report-")
    write_space_samples(folder)
    check_plane_pages(folder)
    in_browser(folder, SOFTWARE, (with_webgl, check_camera, check_switches, check_sizes, check_views))
    in_browser(folder, ["--disable-gpu", "--disable-3d-apis"], (without_webgl,))
    shutil.rmtree(folder, ignore_errors=True)
    print(f"{len(browser_test.failures)} failed" if browser_test.failures else "all passed")
    return 1 if browser_test.failures else 0


if __name__ == "__main__":
    sys.exit(main())
