"""A hand on a phone's page: it sees what is in view, taps it, and flicks to what is not; both are counted."""

from __future__ import annotations

from typing import Any

from tests.kit.browser import Browser

# Brings the element into view, as far as a finger must: gives [flicks, x, y], a flick being a scroll of at most what its frame shows,
# and the point that is tapped; x is null where something else lies over it.
REACH = """(element) => {
  const target = (element.matches('input[type=radio], input[type=checkbox]') && element.labels[0]) || element;
  const box = () => target.getBoundingClientRect();
  const point = () => [box().left + Math.min(box().width / 2, 100), box().top + box().height / 2];
  let flicks = 0;
  const bring = (frame, [left, top, right, bottom]) => {
    const [x, y] = point();
    const along = (at, least, most) => (at < least + 22 ? at - least - 22 : at > most - 22 ? at - most + 22 : 0);
    const [across, down] = [along(x, left, right), along(y, top, bottom)];
    frame.scrollBy(across, down);
    flicks += Math.ceil(Math.abs(across) / (right - left)) + Math.ceil(Math.abs(down) / (bottom - top));
  };
  const rect = (frame) => (({ left, top, right, bottom }) => [left, top, right, bottom])(frame.getBoundingClientRect());
  const [inner, sheet, isFixed] = [target.closest('#hex, #map'), document.getElementById('hex'), target.closest('#tabs, #bar')];
  if (inner) bring(inner, rect(inner));
  const end = sheet && !sheet.hidden && inner !== sheet ? sheet.getBoundingClientRect().top : document.getElementById('tabs').getBoundingClientRect().top;
  if (!isFixed && inner !== sheet) bring(window, [0, document.getElementById('bar').getBoundingClientRect().height, innerWidth, end]);
  const [x, y] = point();
  return [flicks, target.contains(document.elementFromPoint(x, y)) ? x : null, y];
}"""


class Hand:
    """Taps and flicks so far, and what was tapped."""

    def __init__(self, browser: Browser):
        self.browser = browser
        self.taps = self.flicks = 0
        self.told: list[str] = []

    def tap(self, what: Any) -> None:
        """Tap a control, a locator or its selector; the first of several that can be seen."""
        element = self.find(what)
        flicks, x, y = element.evaluate(REACH)
        assert x is not None, f"something lies over {what}"
        self.browser.page.touchscreen.tap(x, y)
        self.browser.page.wait_for_timeout(60)
        self.taps, self.flicks = self.taps + 1, self.flicks + flicks
        self.told.append(f"{what}{f' after {flicks} flicks' if flicks else ''}")

    def tab(self, name: str) -> None:
        """Tap a tab at the foot."""
        self.tap(self.browser.page.locator("#tabs").get_by_role("button", name=name, exact=True))

    def choose(self, list: Any, entry: str) -> None:
        """Open a list and tap one of its entries."""
        self.tap(list)
        self.find(list).select_option(label=entry)
        self.taps += 1

    def find(self, what: Any) -> Any:
        """The element of a locator or a selector."""
        locator = self.browser.page.locator(what) if isinstance(what, str) else what
        return locator.filter(visible=True).first
