#!/usr/bin/python3
"""papers.html in Chromium: page_test.py PROGRAM SOURCE_DIR [PAGE.html]

No empty picture, contents that lead somewhere, nothing wider than a telephone. A page named on the command line is
looked at in the place of one that is made of a few cheap items.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "report"))
import browser_test  # noqa: E402
from browser_test import Browser, check  # noqa: E402

ITEMS = ["004-theorem-3.1", "004-multipliers", "004-theorem-3.2-affine", "004-theorem-3.2-symplectic"]
# Shown elements that stick out of the page to the right, those that scroll by themselves left aside.
OUTSIDE = """
return [...document.querySelectorAll('main *')].filter((e) => !e.closest('.wide, pre') && e.offsetParent
  && e.getBoundingClientRect().right > arguments[0] + 1).map((e) => e.outerHTML.slice(0, 120))
"""


def check_pictures(browser):
    pictures = browser.js("return [...document.images].map((i) => [i.alt, i.complete, i.naturalWidth, i.naturalHeight,"
                          " i.clientWidth])")
    check("there are pictures", len(pictures) >= 1)
    empty = [p for p in pictures if not (p[0] and p[1] and p[2] > 100 and p[3] > 100 and p[4] > 100)]
    check("every picture is there and has a name", not empty, empty)
    absent = browser.js("""return [...document.querySelectorAll('figcaption a')].map((a) => a.getAttribute('href'))""")
    page = browser.js("return decodeURIComponent(location.pathname)")
    absent = [name for name in absent if not (Path(page).parent / name).is_file()]
    check("the files below the pictures are there", not absent, absent)


def check_contents(browser):
    links = browser.js("return [...document.querySelectorAll('.contents a')].map((a) => a.getAttribute('href').slice(1))")
    sections = browser.js("return [...document.querySelectorAll('section')].map((s) => s.id)")
    check("the contents name every section, in order", links == sections, (links, sections))
    browser.find(f".contents a[href='#{links[-1]}']").click()
    browser.settle()
    top = browser.js("return document.getElementById(arguments[0]).getBoundingClientRect().top", links[-1])
    check("a click leads to the section", -5 <= top < browser.js("return window.innerHeight"), top)
    chips = browser.js("return [...document.querySelectorAll('section h3 .chip')].map((c) => c.textContent)")
    check("every section has a verdict", len(chips) == len(sections) and
          set(chips) <= {"holds", "holds in part", "does not hold"}, chips)


def check_width(browser, page, width):
    browser.pretend(width=width, height=740)
    browser.open(page)
    browser.settle()
    wide = browser.js("return document.documentElement.scrollWidth")
    check(f"no sideways scrolling at {width} pixels", wide <= width, wide)
    outside = browser.js(OUTSIDE, width)
    check(f"nothing sticks out at {width} pixels", not outside, outside[:3])


def readable(browser, dark):
    """Contrast of text and page, as WCAG counts it."""
    return browser.js("""
      const light = (c) => { const [r, g, b] = c.match(/\\d+/g).map((x) => { x /= 255;
        return x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; }); return 0.2126*r + 0.7152*g + 0.0722*b; };
      const s = getComputedStyle(document.body), a = light(s.color), b = light(s.backgroundColor);
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);""")


def check_page(browser, page):
    for dark in [False, True]:
        browser.pretend(dark=dark)
        browser.open(page)
        browser.settle()
        check(f"text can be read, {'dark' if dark else 'light'}", readable(browser, dark) > 7)
    complaints, requests = browser.complaints(), browser.requests()
    check("no errors or warnings in the console", not complaints, complaints[:2])
    check("nothing asked from the network", not requests, requests[:2])
    browser.pretend()
    browser.open(page)
    browser.settle()
    check_pictures(browser)
    check_contents(browser)
    for width in [375, 320]:
        check_width(browser, page, width)


def main():
    program = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        page = sys.argv[3] if len(sys.argv) > 3 else f"{folder}/runs/papers/papers.html"
        if len(sys.argv) <= 3:
            done = subprocess.run([program, "reproduce", *ITEMS, "--quick", "--quiet"], cwd=folder, capture_output=True,
                                  text=True)
            check("the items are reproduced", done.returncode == 0, done.stderr)
        browser = Browser(folder)
        try:
            check_page(browser, page)
        finally:
            browser.driver.quit()
    print(f"{len(browser_test.failures)} failed")
    sys.exit(1 if browser_test.failures else 0)


if __name__ == "__main__":
    main()
