"""The order form of this game in a browser: it counts as the engine does, and what the engine takes can be chosen. What every
game's form does, tests/games/test_form_pages.py presses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from kingdom.engine.dice import NoDice
from kingdom.engine.turn import resolve
from kingdom.games.kings_pouch.rules import Building, Effect, Slot
from kingdom.games.kings_pouch.state import KINDS, Table, replace
from kingdom.games.kings_pouch.steps.rounds import due
from kingdom.orders.yaml_out import dump
from tests.games.kings_pouch.kit import GAME, begun, every_effect, played, rules, table
from tests.kit.browser import PROGRAM, Browser
from tests.kit.formkit import PRESSED, Place

pytestmark = pytest.mark.package("chromium", PROGRAM)
TEXT = "OrderForm.draft.text()"


def game_of(seats: int, who: str = "steward", own: Any = None) -> list[Table]:
    """The tables before each run of a game: the castles, round 1 and so on."""
    found: list[Table] = []
    played(seats, f"form of {seats}", who, own, told=lambda result: found.append(result.before))
    return found


usual_game = lru_cache(maxsize=None)(game_of)  # under the usual rules


def place(laid: Table, seat: str, own: Any = None) -> Place:
    own = own or rules()
    names = {**GAME.names(own), "seats": tuple(laid.seats)}
    return Place(f"{len(laid.seats)} players, round {laid.round}, {seat}", GAME, laid, seat, own, names)


def places(seats: int, rounds: tuple[int, ...], own: Any = None, who: str = "steward") -> Iterator[Place]:
    """Each seat that plays in the first run of these rounds."""
    tables = game_of(seats, who, own) if own else usual_game(seats)
    for number in rounds:
        laid = next(each for each in tables if each.round == number)
        yield from (place(laid, seat, own) for seat in due(laid, own or rules()))


def amiss(each: Place, browser: Browser, text: str) -> list[Any]:
    """What the engine has against what the form gave: problems, refusals, less prestige than the form counted."""
    problems, refusals, _ = each.verdict(text)
    found = [(each.name, text, wrong) for wrong in problems + refusals]
    counted = browser.ask("OrderForm.draft.counted.left.prestige")
    if counted is not None and not found:
        sure = browser.ask("Boolean(OrderForm.draft.counted.state.facts.sure)") and "tax: if_needed" not in text
        known = GAME.known(each.state, each.seat, each.rules)
        filed = {each.seat: each.orders(text)}
        foreseen = (
            resolve(GAME, known, filed, NoDice(), each.rules, until=GAME.foreseen_to).after.seats[each.seat].prestige
        )
        if foreseen != counted if sure else foreseen < counted:
            found.append((each.name, text, f"the form counted {counted} prestige, the engine {foreseen}"))
    return found


# --- what is chosen is counted as the engine counts it


def own(**changed: Any) -> Any:
    return lambda: rules(
        **{key: frozenset(value) if isinstance(value, tuple) else value for key, value in changed.items()}
    )


def odd_rules() -> Any:
    """Basic buildings of every kind of effect that the house data does not use, or not so."""
    own = rules()
    any_two = Effect("gain", 2, "any_cube", "either")
    commons = ("common", "soldier", "merchant", "cleric", "corrupt")
    odd = {
        "barracks": Building("Barracks", "red", 0, slots=(Slot(commons, ((Effect("move", 2), Effect("army", 2)), (Effect("free", 2, "occupy"),))),
                                                          Slot(commons, ((Effect("exchange", 1, "common", into="any_cube"),), (Effect("gold", 3),))))),
        "tavern": Building("Tavern", "yellow", 0, once_per_round=((Effect("gain", 1, "soldier", "active"),), (Effect("gold", 2),))),
        "chapel": Building("Chapel", "green", 0, slots=(Slot(commons, ((Effect("add_marker", 2, "territory"),), (any_two,), (Effect("draw", 1, "", "either"),))),
                                                        Slot(commons, ((Effect("remove", 2, "common", "either"), Effect("army", 5)),)))),
        "farmstead": Building("Farmstead", "none", 0, slots=(Slot(commons, ((Effect("remove", 1, "any"), Effect("gold", 4)), (Effect("add_marker", 1, "character"),))),
                                                             Slot(commons, ((Effect("free", 1, "claim"), Effect("free", 1, "construct")), (Effect("discount", 2, "claim"),))))),
    }  # fmt: skip
    return replace(own, buildings={**own.buildings, **odd})


GROUNDS = {  # name -> (players, rounds, rules, who plays up to there); the short run takes the first
    "castles": (3, (0,), None, "steward"),
    **{f"{seats} players": (seats, tuple(range(10)), None, "steward") for seats in (2, 3, 4)},
    "a run for each turn": (2, (0, 6), own(pace="turn"), "steward"),
    "distance over own land": (2, (0, 6), own(distance=(("via", "own"),)), "steward"),
    "one free action a round": (2, (0, 6), own(free_action=(("per", "round"),)), "steward"),
    "no discount below 1": (2, (0, 6), own(discount_floor=(("least", 1),)), "steward"),
    "one pile": (2, (0, 6), own(piles=(("mixed", True),)), "steward"),
    "the palace's citizen always": (2, (0, 6), own(palace_draw=(("optional", False),)), "steward"),
    "attacks without a marker, donations of 2": (2, (0, 6), own(castle_attack=(("needs_marker", False),), donation=(("prestige", 2),)), "steward"),
    "odd buildings": (2, (1, 6), odd_rules, "random"),
    "every effect": (2, (1, 6), every_effect, "random"),
}  # fmt: skip


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long if number else ()) for number, name in enumerate(GROUNDS)]
)
def test_whatever_is_chosen_the_engine_takes_it_and_counts_the_same(
    name: str, browser: Browser, tmp_path: Path
) -> None:
    seats, rounds, made, who = GROUNDS[name]
    found: list[Any] = []
    for each in places(seats, rounds, made() if made else None, who):
        each.show(browser, tmp_path)
        for seed in range(1, 4 if made else 2):
            found += amiss(each, browser, browser.page.evaluate(PRESSED, [seed * 7919, 60 if made else 40])["text"])
        found += browser.complaints
    assert found == []


def test_gold_army_prestige_and_prices_are_counted(browser: Browser, tmp_path: Path) -> None:
    laid = table(
        2, 3, alice={"active": replace(table().pool, **dict.fromkeys(KINDS, 2)), "cards": ("market", "stable")}
    )
    place(laid, "alice").show(browser, tmp_path)

    def press(text: str) -> None:
        browser.page.locator(".offer:visible", has_text=text).first.click()

    def left() -> list[int]:
        counted = ("gold", "army", "soldier", "prestige")
        return [browser.ask(f"OrderForm.draft.counted.left.{name}") for name in counted]

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
    rich = {
        "active": replace(table().pool, **dict.fromkeys(KINDS, 6)),
        "cards": ("market", "bank", "yellow_mercenary_guild"),
    }
    place(table(2, 3, alice=rich), "alice").show(browser, tmp_path)
    for text in ("Merchant on Market", "Merchant on Bank", "Merchant on Mercenary Guild"):
        press(text)
    prices = []
    for name in ("Queen", "Jester", "Prince"):
        prices.append(
            browser.page.locator(".offer:visible", has_text=f"Claim the {name}").first.locator(".price").inner_text()
        )
        press(f"Claim the {name}")
    assert prices == ["2 gold", "3 gold", "4 gold"], "a claim makes the next one dearer"


@pytest.mark.long
def test_so_many_places_for_a_castle_are_asked_for_that_one_is_left(browser: Browser, tmp_path: Path) -> None:
    laid = begun(4)
    for number, seat in enumerate(laid.order, 1):
        each = place(laid, seat)
        each.show(browser, tmp_path)
        form = browser.page.locator("[data-offer=castle]")
        for select in form.locator("select").all()[: number - 1]:
            select.select_option(index=1)
        form.locator(".add").click(force=True)
        assert "castle" not in browser.ask(TEXT), "one more must be named"
        form.locator("select").nth(number - 1).select_option(index=1)
        form.locator(".add").click()
        assert len(each.orders(browser.ask(TEXT))["castle"]) == number
        assert amiss(each, browser, browser.ask(TEXT)) == []


# --- what the engine takes can be chosen


# Each of some orders pressed, one after the other: whether all of them are held by the lists, none as a line of one's own.
TAKEN_IN = """
(all) => all.map((orders) => {
  OrderForm.draft.load(orders);
  return OrderForm.draft.entries.every((entry) => entry.offer);
})
"""


def taken_in(browser: Browser, each: Place, text: str) -> bool:
    """Whether all orders of a file are held by the lists."""
    return browser.page.evaluate(TAKEN_IN, [each.orders(text)])[0]


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


def test_what_an_effect_may_take_where_nothing_is_sure_is_not_placed_again(browser: Browser, tmp_path: Path) -> None:
    """A citizen who is only hoped for might take a common; the two that the chapel removes are counted all the same."""
    own = odd_rules()
    laid = next(each for each in game_of(2, "random", own) if each.round == 1)
    shown = place(laid, "alice", own)
    shown.show(browser, tmp_path)
    head = f"kingdom: alice\nturn: {laid.turn + 1}\nplace: "
    placed = [
        "{citizen: common, at: chapel, to: rest, gain: [merchant, soldier]}",
        "{if_active: {cleric: 1}, citizen: cleric, at: farmstead}",
        "{citizen: common, at: chapel}",
    ]
    third = "{citizen: common, at: barracks, remove_from: rest, exchange: [cleric]}"
    assert taken_in(browser, shown, f"{head}[{', '.join(placed)}]\n")
    assert shown.verdict(f"{head}[{', '.join([*placed, third])}]\n")[1], "the engine refuses it"
    assert not taken_in(browser, shown, f"{head}[{', '.join([*placed, third])}]\n")


RICH: Mapping[str, Any] = {
    "active": replace(table().pool, **dict.fromkeys(KINDS, 6)), "markers": 9, "land": {"r1": 1, "m0": 1, "c1": 1}, "court": {"jester": 1},
    "cards": ("harbor", "stable", "armoury", "counting_house", "masons_lodge", "market", "school", "stronghold"),
}  # fmt: skip


@pytest.mark.long
def test_one_order_more_can_be_chosen_just_where_the_engine_takes_it(browser: Browser, tmp_path: Path) -> None:
    laid = table(
        4, 4, alice=dict(RICH), bob={"land": {"r2": 2, "r6": 1}, "court": {"queen": 1}}, cara={"land": {"e6": 1}}
    )
    each, orders = place(laid, "alice"), list(alone(laid, rules()))
    each.show(browser, tmp_path)
    for before in (
        (), (("merchant", "market"), ("merchant", "tavern")), (("merchant", "counting_house"), ("common", "masons_lodge"), ("merchant", "market"), ("soldier", "armoury")),
        (("common", "stable"), ("soldier", "stronghold"), ("soldier", "barracks"), ("common", "barracks")),
    ):  # fmt: skip
        head = {
            "kingdom": "alice",
            "turn": laid.turn + 1,
            "place": [{"citizen": kind, "at": card} for kind, card in before],
            "tax": "always",
        }
        texts = [dump({**head, key: [*head.get(key, ()), order]}) for key, order in orders]
        amiss, taken = [], 0
        held = browser.page.evaluate(TAKEN_IN, [each.orders(text) for text in texts])
        for (_, order), text, is_held in zip(orders, texts, held, strict=True):
            problems, refusals, _ = each.verdict(text)
            taken += not refusals
            amiss += [(order, refusals)] if is_held == bool(problems + refusals) else []
        assert amiss == [] and taken > 15


@pytest.mark.long
def test_every_wish_that_a_placement_knows_can_be_filled_in(browser: Browser, tmp_path: Path) -> None:
    laid = table(2, 4, alice={"active": replace(table().pool, **dict.fromkeys(KINDS, 4)), "land": {"r1": 1}, "court": {"jester": 1},
                              "rest": replace(table().pool, **{kind: int(kind == "corrupt") for kind in KINDS}),
                              "cards": ("city_watch", "school", "stronghold", "chapter_house", "inn", "monastery")})  # fmt: skip
    each = place(laid, "alice")
    each.show(browser, tmp_path)
    orders = [
        "{citizen: soldier, at: city_watch, lines: [2], remove_from: active, draw: [prism]}", "{citizen: soldier, at: City Watch, remove_from: rest}",
        "{citizen: cleric, at: School, gain: [soldier, cleric]}", "{citizen: soldier, at: stronghold, add_marker: [r1]}",
        "{citizen: cleric, at: chapter_house, add_marker: [jester]}", "{citizen: common, at: inn, draw: [prism, cube]}",
        "{citizen: cleric, at: monastery}", "common at Chapel", "{citizen: any, at: any}", "{citizen: soldier, at: any}",
    ]  # fmt: skip
    for order in orders:
        text = f"kingdom: alice\nturn: {laid.turn + 1}\nplace: [{order}]\n"
        assert taken_in(browser, each, text) and each.verdict(text)[:2] == ([], []), order
    rest = "rest: {draw: [cube, prism, prism], refresh: [merchant, soldier], palace_draw: false}\ntax: if_needed\nfinal: true\nmessages: {bob: Well met.}\n"
    assert taken_in(browser, each, f"kingdom: alice\nturn: {laid.turn + 1}\n{rest}")
    hope = "place: [{citizen: common, at: inn}, {if_active: {merchant: 1}, citizen: merchant, at: tavern}]\n"
    assert taken_in(browser, each, f"kingdom: alice\nturn: {laid.turn + 1}\n{hope}")


@pytest.mark.long
def test_an_alternative_that_is_too_dear_may_stand_before_one_that_is_not(browser: Browser, tmp_path: Path) -> None:
    laid = table(2, 3, alice={"active": replace(table().pool, **dict.fromkeys(KINDS, 3)), "cards": ("market", "inn")})
    each = place(laid, "alice")
    each.show(browser, tmp_path)
    head = f"kingdom: alice\nturn: {laid.turn + 1}\nplace: ["
    wish = "{citizen: merchant, at: market}]\nmanage: [{claim: [jester, queen]}, {build: [cathedral, red_mercenary_guild]}]\ntax: always\n"
    assert not taken_in(browser, each, head + wish), "both are too dear behind a claim of 2 gold"
    wish = wish.replace("{claim: [jester, queen]}, ", "")
    assert taken_in(browser, each, head + wish) and each.verdict(head + wish)[:2] == ([], [])
    assert not taken_in(browser, each, head + "{citizen: common, at: inn}, " + wish), (
        "who is drawn may bring the gold for the first"
    )


def test_who_does_not_play_in_the_run_is_told_so() -> None:
    own = rules(pace="turn")
    laid = next(each for each in game_of(2, own=own) if each.round == 1)
    waiting = next(seat for seat in laid.order if seat not in due(laid, own))
    page = GAME.forms.page(laid, waiting, own)
    assert page["notice"] == f"You need not send orders: it is the turn of {laid.order[0]}." and [
        section["id"] for section in page["sections"]
    ] == ["letters"]
    assert (
        GAME.forms.page(replace(laid, over=True), waiting, own)["notice"]
        == "The game is over; there is nothing to order."
    )
