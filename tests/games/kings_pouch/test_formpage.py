"""The page of this game's order form: what citizens bring and things cost, and that what the engine takes can be chosen. What every
game's page does, under other rules too, tests/games/test_form_pages.py presses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from kingdom.games.kings_pouch.state import KINDS, Citizens, Marked, Table, replace
from kingdom.games.kings_pouch.steps.land import land
from kingdom.orders.yaml_out import dump
from tests.games.kings_pouch.kit import begun, played, rules, table
from tests.kit.browser import PROGRAM, Browser
from tests.kit.formkit import TEXT, UNHELD, Place, amiss
from tests.plays.kings_pouch import odd_rules, page

pytestmark = pytest.mark.package("chromium", PROGRAM)
Show = Callable[..., Place]


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Show:
    """Opens the page of a seat at a table."""

    def opened(laid: Table, seat: str = "alice", own: Any = None) -> Place:
        place = page(laid, seat, own or rules())
        place.show(browser, tmp_path)
        return place

    return opened


def citizens(number: int) -> Citizens:
    """So many of each kind but the corrupt."""
    return replace(table().pool, **dict.fromkeys(KINDS, number))


def taken_in(browser: Browser, place: Place, *orders: str) -> list[bool]:
    """Of each file, given without its head, whether the page's lists hold all of its orders."""
    return [
        not unheld for unheld in browser.page.evaluate(UNHELD, [place.orders(place.head() + text) for text in orders])
    ]


def test_gold_army_prestige_and_prices_are_counted(browser: Browser, show: Show) -> None:
    def press(text: str) -> None:
        browser.page.locator(".offer:visible", has_text=text).first.click()

    def left() -> list[int]:
        counted = ("gold", "army", "soldier", "prestige")
        return [browser.ask(f"OrderForm.draft.counted.left.{name}") for name in counted]

    show(table(2, 3, alice={"active": citizens(2), "cards": ("market", "stable")}))
    assert left() == [0, 0, 2, 3]
    press("Merchant on Market")
    press("Soldier on Barracks")
    assert left() == [2, 1, 1, 6]
    price = browser.page.locator(".offer", has_text="Occupy R1").first.locator(".price")
    assert price.inner_text() == "1 army"
    press("Common on Stable")
    assert price.inner_text() == "free"
    press("Occupy R1")
    press("Claim the Queen")
    assert left() == [0, 1, 1, 6] and browser.page.locator(".offer:visible", has_text="Claim the Jester").count() == 0
    browser.page.get_by_role("button", name="Undo: Merchant on Market").click()
    assert "claim" not in browser.ask(TEXT) and "occupy" in browser.ask(TEXT)
    show(table(2, 3, alice={"active": citizens(6), "cards": ("market", "bank", "yellow_mercenary_guild")}))
    for text in ("Merchant on Market", "Merchant on Bank", "Merchant on Mercenary Guild"):
        press(text)
    for name, gold in (("Queen", "2 gold"), ("Jester", "3 gold"), ("Prince", "4 gold")):
        claim = browser.page.locator(".offer:visible", has_text=f"Claim the {name}").first
        assert claim.locator(".price").inner_text() == gold, "a claim makes the next one dearer"
        press(f"Claim the {name}")


@pytest.mark.long
def test_so_many_places_for_a_castle_are_asked_for_that_one_is_left(browser: Browser, show: Show) -> None:
    laid = begun(4)
    for number, seat in enumerate(laid.order, 1):
        place, form = show(laid, seat), browser.page.locator("[data-offer=castle]")
        for select in form.locator("select").all()[: number - 1]:
            select.select_option(index=1)
        form.locator(".add").click(force=True)
        assert "castle" not in browser.ask(TEXT), "one more must be named"
        form.locator("select").nth(number - 1).select_option(index=1)
        form.locator(".add").click()
        assert len(place.orders(browser.ask(TEXT))["castle"]) == number
        assert amiss(browser, place, browser.ask(TEXT)) == []


def test_a_place_pressed_on_the_map_begins_a_list_of_the_best(browser: Browser, show: Show) -> None:
    """The engine takes it as a list, and a second press takes it back."""
    laid = begun(2)
    place = show(laid, laid.order[0])
    best = browser.ask("OrderForm.draft.offers.find(({ id }) => id === 'castle').fields[0].options[0].value")
    browser.page.locator(f'#map [data-hex="{best}"]').click()
    row = browser.page.locator("#hex [data-offer=castle]:visible")
    row.click()
    assert place.orders(browser.ask(TEXT))["castle"] == [best.lower()]
    assert browser.ask("OrderForm.draft.entries.map(({ values }) => values)") == [{"places": [best]}]
    assert row.get_attribute("aria-pressed") == "true"
    row.click()
    assert "castle" not in browser.ask(TEXT)


def test_what_an_effect_may_take_where_nothing_is_sure_is_not_placed_again(browser: Browser, show: Show) -> None:
    """A citizen who is only hoped for might take a common; the two that the chapel removes are counted all the same."""
    own, before = odd_rules(), list[Table]()
    played(2, "form of 2", "random", own, told=lambda result: before.append(result.before))
    place = show(next(laid for laid in before if laid.round == 1), "alice", own)
    two = (
        "place: [{citizen: common, at: chapel, to: rest, gain: [merchant, soldier]}, "
        "{if_active: {cleric: 1}, citizen: cleric, at: farmstead}, {citizen: common, at: chapel}"
    )
    three = f"{two}, {{citizen: common, at: barracks, remove_from: rest, exchange: [cleric]}}]\n"
    assert taken_in(browser, place, f"{two}]\n", three) == [True, False]
    assert place.verdict(place.head() + three)[1], "the engine refuses it"


def alone(laid: Table, own: Any) -> Iterator[tuple[str, Any]]:
    """Every order of one citizen, and every wish of one thing, that a file may hold."""
    cards = [card for lord in laid.seats.values() for card in lord.buildings]
    yield from (
        ("place", {"citizen": kind, "at": card})
        for card in dict.fromkeys(cards)
        if own.buildings[card].slots
        for kind in KINDS
    )
    yield from (("manage", {"build": [card]}) for card, rule in own.buildings.items() if rule.era)
    yield from (("manage", {"claim": [who]}) for who in (*own.characters, "princess"))
    yield from (("manage", {"occupy": [where]}) for where in own.map.neighbours)
    yield from (("manage", {"occupy": [{"castle": seat}]}) for seat in laid.seats)


RICH: Mapping[str, Any] = {
    "active": citizens(6), "markers": 9, "land": {"r1": 1, "m0": 1, "c1": 1}, "court": {"jester": 1},
    "cards": ("harbor", "stable", "armoury", "counting_house", "masons_lodge", "market", "school", "stronghold"),
}  # fmt: skip


@pytest.mark.long
def test_one_order_more_can_be_chosen_just_where_the_engine_takes_it(browser: Browser, show: Show) -> None:
    others = {"bob": {"land": {"r2": 2, "r6": 1}, "court": {"queen": 1}}, "cara": {"land": {"e6": 1}}}
    laid = table(4, 4, alice=dict(RICH), **others)
    place, orders = show(laid), list(alone(laid, rules()))
    for before in (
        (), (("merchant", "market"), ("merchant", "tavern")), (("merchant", "counting_house"), ("common", "masons_lodge"), ("merchant", "market"), ("soldier", "armoury")),
        (("common", "stable"), ("soldier", "stronghold"), ("soldier", "barracks"), ("common", "barracks")),
    ):  # fmt: skip
        head: dict[str, Any] = {"place": [{"citizen": kind, "at": card} for kind, card in before], "tax": "always"}
        texts = [dump({**head, key: [*head.get(key, ()), order]}) for key, order in orders]
        wrong = [place.verdict(place.head() + text)[:2] for text in texts]
        held = taken_in(browser, place, *texts)
        assert [(text, why) for text, is_held, why in zip(texts, held, wrong, strict=True) if is_held == any(why)] == []
        assert sum(held) > 15


@pytest.mark.long
def test_every_wish_that_a_placement_knows_can_be_filled_in(browser: Browser, show: Show) -> None:
    one_corrupt = replace(table().pool, **{kind: int(kind == "corrupt") for kind in KINDS})
    mine = {"active": citizens(4), "rest": one_corrupt, "land": {"r1": 1}, "court": {"jester": 1}}
    cards = ("city_watch", "school", "stronghold", "chapter_house", "inn", "monastery")
    place = show(table(2, 4, alice={**mine, "cards": cards}))
    orders = [
        "{citizen: soldier, at: city_watch, lines: [2, 1], remove_from: active, draw: [prism]}", "{citizen: soldier, at: City Watch, remove_from: rest}",
        "{citizen: cleric, at: School, gain: [soldier, cleric]}", "{citizen: soldier, at: stronghold, add_marker: [r1]}",
        "{citizen: cleric, at: chapter_house, add_marker: [jester]}", "{citizen: common, at: inn, draw: [prism, cube]}",
        "{citizen: cleric, at: monastery}", "common at Chapel", "{citizen: any, at: any}", "{citizen: soldier, at: any}",
    ]  # fmt: skip
    texts = [f"place: [{order}]\n" for order in orders]
    assert [place.verdict(place.head() + text)[:2] for text in texts] == [([], [])] * len(texts)
    rest = "rest: {draw: [cube, prism, prism], refresh: [merchant, soldier], palace_draw: false}\ntax: if_needed\nfinal: true\nmessages: {bob: Well met.}\n"
    hope = "place: [{citizen: common, at: inn}, {if_active: {merchant: 1}, citizen: merchant, at: tavern}]\n"
    assert all(taken_in(browser, place, *texts, rest, hope))


def test_land_that_was_cut_off_counts_once_a_territory_joins_it(browser: Browser, show: Show) -> None:
    """What lies beside it can then be occupied in the same turn."""
    laid = table(2, 4, alice={"active": citizens(4), "cards": ("stronghold", "armoury")})
    near, castle, bob = land(rules(), 2), laid.seats["alice"].castle, laid.seats["bob"].castle
    joins, cut_off, beyond = next(
        (joins, cut_off, beyond)
        for joins in near[castle] for cut_off in near[joins] for beyond in near[cut_off]
        if castle not in (cut_off, beyond, *near[cut_off], *near[beyond]) and joins not in near[beyond] and bob not in (joins, cut_off, beyond)
    )  # fmt: skip
    place = show(replace(laid, territories={cut_off: Marked("alice")}))
    placed = "place: [soldier at barracks, common at barracks, soldier at stronghold, soldier at armoury]\n"
    alone = f"{placed}manage: [{{occupy: [{beyond}]}}]\n"
    both = f"{placed}manage: [{{occupy: [{joins}]}}, {{occupy: [{beyond}]}}]\n"
    assert taken_in(browser, place, alone, both) == [False, True]
    assert place.verdict(place.head() + both)[:2] == ([], [])


def test_what_the_page_does_not_offer_is_typed_as_a_line_of_ones_own(browser: Browser, show: Show) -> None:
    place = show(table(2, 3, alice={"active": citizens(2)}))
    line = "place: [{citizen: soldier, at: barracks, slot: 1}, {if_active: {common: 2}, citizen: common, at: tavern}]"
    browser.page.locator("#own-text").evaluate("(box, line) => { box.value = line; }", line)
    browser.page.locator("#own-add").evaluate("(button) => button.click()")
    sent = browser.ask(TEXT)
    assert place.orders(sent)["place"] == place.orders(f"{place.head()}{line}\n")["place"]
    assert place.verdict(sent)[:2] == ([], [])


@pytest.mark.long
def test_an_alternative_that_is_too_dear_may_stand_before_one_that_is_not(browser: Browser, show: Show) -> None:
    place = show(table(2, 3, alice={"active": citizens(3), "cards": ("market", "inn")}))
    placed, built = "{citizen: merchant, at: market}]\n", "{build: [cathedral, red_mercenary_guild]}]\ntax: always\n"
    both = f"place: [{placed}manage: [{{claim: [jester, queen]}}, {built}"
    one = f"place: [{placed}manage: [{built}"
    hoped = f"place: [{{citizen: common, at: inn}}, {placed}manage: [{built}"
    # behind a claim of 2 gold both are too dear; who is drawn may bring the gold for the first
    assert taken_in(browser, place, both, one, hoped) == [False, True, False]
    assert place.verdict(place.head() + one)[:2] == ([], [])
