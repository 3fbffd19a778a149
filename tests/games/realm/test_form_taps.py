"""How many taps and flicks a turn takes by the order form on a phone of 360 pixels, the tab lost in the middle of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.browser import PROGRAM, Browser
from tests.kit.formkit import FACTS, Place, place_of
from tests.kit.hand import Hand

pytestmark = pytest.mark.package("chromium", PROGRAM)
TAPS, FLICKS = 12, 4  # of six orders and Send


class Turn(Hand):
    """A turn by the form of a seat on a phone."""

    def __init__(self, browser: Browser, place: Place, folder: Path):
        super().__init__(browser)
        self.place = place
        self.file = folder / "form.html"
        self.file.write_text(place.html(FACTS), encoding="utf-8")
        browser.show(self.file, 360, 740)

    def lose_the_tab(self) -> None:
        """The browser throws the page away; it is opened again, and the draft taken up."""
        self.browser.again(self.file)
        self.tap("#kept-take")

    def hex(self, label: str, order: str) -> None:
        """Press a hex, and what is ordered there."""
        self.tap(f'#map [data-hex="{label}"]')
        self.press(order)

    def press(self, order: str, among: str = "#hex") -> None:
        self.tap(self.browser.page.locator(f"{among} .offer", has_text=order))

    def order_it(self, what: str) -> None:
        """Order what is filled in as the page proposes it."""
        self.tap(self.browser.page.get_by_role("group", name=what).get_by_role("button", name="Order it"))

    def level(self, edict: str, level: str) -> None:
        """Choose the level of an edict."""
        self.tap(self.browser.page.get_by_role("group", name=edict).get_by_role("radio", name=level))

    def sent(self, orders: int) -> dict[str, object]:
        """Send. The orders, which the engine accepts all."""
        self.tab("Send")
        text = self.browser.ask("OrderForm.draft.text()")
        assert self.place.verdict(text)[:2] == ([], [])
        assert self.browser.ask("OrderForm.draft.entries.length") == orders and self.browser.complaints == []
        return self.place.orders(text)


def test_a_turn_with_an_army(browser: Browser, tmp_path: Path) -> None:
    """It marches where the map is pressed, and others are recruited as the page proposes them; what stands behind is a flick away."""
    turn = Turn(browser, place_of("war-of-the-ford", 15, "hartmark"), tmp_path)
    turn.hex("0605", "Canal")
    turn.press("Order Second Levy")
    turn.tab("Towns")
    turn.press("Dump", "#section-towns")
    turn.lose_the_tab()
    turn.tab("Armies")
    turn.order_it("Recruit an army")
    turn.order_it("Recruit an army")
    turn.level("Holiday", "average")
    orders = turn.sent(6)
    recruited = {"size": "medium", "unit": "warrior", "from": "Hartshold"}
    assert orders["armies"] == [
        {"recruit": "First Foot", **recruited},
        {"recruit": "First Foot 2", **recruited},
        {"army": "Second Levy", "move": ["0605"]},
    ]
    assert turn.taps <= TAPS and turn.flicks <= FLICKS


def test_a_turn_with_an_expedition_an_army_and_an_answer(browser: Browser, tmp_path: Path) -> None:
    """The answer first, as it stands at the head; two weeks toward the side with most new land."""
    turn = Turn(browser, place_of("war-of-the-ford", 6, "karrak"), tmp_path)
    turn.tap(browser.page.locator("#section-answers").get_by_role("radio", name="hire adventurers 4"))
    turn.hex("0907", "Claim")
    turn.press("Road")
    turn.lose_the_tab()
    turn.tab("Armies")
    turn.order_it("Recruit an army")
    turn.tab("Special")
    turn.order_it("Send an expedition")
    turn.level("Promotion", "aggressive")
    orders = turn.sent(6)
    assert orders["special"] == [{"edict": "explore", "from": "Karrakhold", "weeks": 2, "toward": "se"}]
    assert turn.taps <= TAPS and turn.flicks <= FLICKS
