"""What a report says of a turn: what changed and why, what became of each order, what is asked next, and what is house data."""

from __future__ import annotations

import re
from typing import Any

import pytest

from kingdom.engine.dice import Dice
from kingdom.engine.step import Result
from kingdom.games.kings_pouch.report import slots_text, table_text
from kingdom.games.kings_pouch.rules import Worth
from kingdom.games.kings_pouch.state import Citizens
from kingdom.orders import orders_file, tables, yaml_text
from kingdom.render import reports
from tests.games.kings_pouch.kit import GAME, SEED, begun, replace, rules, run, table

RICH = {"active": Citizens(merchant=3), "cards": ("bank", "market", "harbor"), "pouch": Citizens(common=9)}


def happened(result: Result, seat: str = "alice") -> list[str]:
    """What everybody is told of a seat's turn, without its name."""
    told = [notice.facts["text"] for notice in result.notices if notice.kind == "happened"]
    return [text.removeprefix(f"{seat} ") for text in told if text.startswith(f"{seat} ")]


def report(result: Result, seat: str = "alice", own: Any = None, form: str = "txt") -> str:
    facts = reports.CampaignFacts("A game", {each: each.title() for each in result.after.seats})
    return dict(reports.rendered(GAME, result, own or rules(), facts))[f"{seat}.{form}"]


def words(text: str) -> str:
    return " ".join(text.split())


# --- what changed, and why -------------------------------------------------------------------------------------------------


def test_each_action_says_what_it_cost_and_what_it_brought() -> None:
    place = "place: [merchant at Bank, merchant at Market, Harbor]\n"
    told = happened(run(table(alice=RICH), alice=place + "manage: [claim queen, build market, claim prince]\n"))
    assert told == [
        "places a merchant on the Bank: 4 gold.", "places a merchant on the Market: 2 gold.", "uses the Harbor: 1 gold.",
        "claims the Queen, for 2 gold.", "claims the Prince, for 3 gold.", "donates 2 gold and 0 army: 2 prestige.",
        "collected no tax: 3 prestige.", "draws 5 common, and has 5 prestige now.",
    ]  # fmt: skip
    told = happened(
        run(
            table(alice={**RICH, "cards": ("bank",)}),
            alice="place: merchant at Bank\nmanage: [build market]\ntax: always\n",
        )
    )
    assert "builds: Market, for 2 gold." in told and "collects the tax: 1 gold." in told and "finishes: Market." in told
    assert not [text for text in told if "no tax" in text]


def test_land_says_whose_it_was_and_a_castle_who_suffers() -> None:
    army = {
        "active": Citizens(soldier=3),
        "cards": ("siege_workshop", "watchtower", "armoury"),
        "land": {"r1": 1, "m0": 1},
    }
    place = "place: [soldier at Siege Workshop, soldier at Watchtower, soldier at Armoury]\n"
    laid = table(alice=army, bob={"land": {"r4": 2}})
    told = happened(run(laid, alice=place + "manage: [occupy R2, occupy R4]\n"))
    assert "occupies R2, for 1 army: 2 prestige." in told
    assert "takes R4 from bob, for 5 army: 5 prestige; 2 markers sent home." in told
    castle = "manage: [{occupy: [{castle: bob}]}]\n"
    laid = table(alice={**army, "land": {"r1": 1, "m0": 1, "r4": 1}})
    assert "attacks the castle of bob, for 5 army: 5 prestige; bob takes a corrupt official." in happened(
        run(laid, alice=place + castle)
    )
    none = replace(
        laid,
        pool=replace(laid.pool, corrupt=0),
        seats={**laid.seats, "bob": replace(laid.seats["bob"], rest=Citizens(corrupt=28))},
    )
    result = run(none, alice=place + castle)
    assert "bob loses 2 prestige, as the pool has no corrupt official (ruling no_citizen)." in str(happened(result))
    lost = [
        each.delta
        for each in result.entries
        if each.kingdom == "bob" and each.cause == "no_citizen" and "attacked the castle" in each.detail
    ]
    assert lost == [-2]


def test_a_pouch_that_is_filled_up_says_so() -> None:
    laid = table(alice={"pouch": Citizens(soldier=2), "active": Citizens(common=4)})
    assert (
        "has an empty pouch and takes a corrupt official; 4 citizens of the rest area in the pouch again."
        in happened(run(laid))
    )
    laid = table(alice={"pouch": Citizens(soldier=5), "active": Citizens(common=4)})
    assert not [text for text in happened(run(laid)) if "empty pouch" in text], "nobody more is to be drawn"


def test_the_start_says_what_the_dice_drew() -> None:
    facts: list[Result] = []
    begun(4, dice=Dice(SEED, 0), told=facts.append)
    said = [each.facts["text"] for each in facts[0].notices]
    order = facts[0].after.order
    assert f"The prestige markers are stacked at 0, from the top: {', '.join(order[:3])} and {order[3]}." in said
    assert sum(text.startswith("The seed draws as characters besides the standard ones: ") for text in said) == 1
    facts.clear()
    begun(2, rules(castle_choice=frozenset({"by": "drawn"}.items())), told=facts.append)
    castles = {seat: lord.castle for seat, lord in facts[0].after.seats.items()}
    assert all(
        f"has the castle in {place.upper()}, as the seed draws it." in happened(facts[0], seat)
        for seat, place in castles.items()
    )
    assert "The seed draws as characters" not in str(facts[0].notices), (
        "with two players there are the standard ones alone"
    )


def test_the_end_says_what_buildings_brought_and_corruption_took() -> None:
    laid = replace(
        table(
            2, 9, alice={"pouch": Citizens(corrupt=4, common=6), "active": Citizens(), "cards": ("cathedral", "abbey")}
        ),
        councils=2,
        display=(),
    )
    told = happened(run(laid))
    assert "scores 14 for buildings, loses 8 for 4 corrupt officials, and ends with 12 prestige." in told, (
        "3 for the tax, 3 for the castle"
    )


def test_a_character_that_counts_nothing_says_what_it_always_brings() -> None:
    text = words(report(run(replace(table(), characters=("archbishop", "queen")))))
    assert "Archbishop: nobody; for you 6 (always 6)" in text
    assert "Queen: nobody; for you 3 (own markers on territories, with the castle: up to 3: 3, 4: 6, from 5: 9)" in text


# --- what became of orders -------------------------------------------------------------------------------------------------


def rows(result: Result, seat: str = "alice") -> list[tuple[str, str]]:
    return [(row["outcome"], row["text"]) for row in GAME.view(result, seat, rules())["orders"]["rows"]]


def test_an_order_that_is_refused_as_a_whole_is_told_once() -> None:
    laid = begun(2)
    top = laid.order[0]
    result = run(laid, **{top: "castle: E1\nplace: common at Chapel\n"})
    assert rows(result, top) == [("done", "castle: E1"), ("refused", "common at Chapel")]


def test_to_sweep_where_nobody_is_left_is_done() -> None:
    """The order form ends with a sweep: who has placed everybody by name has made no mistake."""
    laid = table(alice={"active": Citizens(common=1)})
    assert rows(run(laid, alice="place: [common at Chapel, {citizen: any, at: any}]\n")) == [
        ("done", "common at Chapel"),
        ("done", "any at any building"),
    ]
    laid = table(alice={"active": Citizens(corrupt=1)})
    assert rows(run(laid, alice="place: [{citizen: any, at: any}]\n")) == [("unused", "any at any building")]


def test_no_lines_are_no_lines() -> None:
    laid = table(alice={"cards": ("masons_lodge", "harbor"), "active": Citizens(common=1)})
    result = run(laid, alice="place: [{citizen: common, at: Masons' Lodge, lines: []}, {at: Harbor, lines: []}]\n")
    assert "places a common on the Masons' Lodge: nothing." in happened(
        result
    ) and "uses the Harbor: nothing." in happened(result)


# --- what is asked, and in which words -------------------------------------------------------------------------------------


def test_who_is_first_is_not_warned_of_others() -> None:
    result = run(begun(2))
    first, second = result.after.order
    assert "Your turn is the first of the round." in words(report(result, first))
    assert f"Your turn comes after {first}: a wish for what they took falls away." in words(report(result, second))


@pytest.mark.parametrize(("table", "text"), [
    (((3, 3), (4, 6), (6, 9)), "up to 3: 3, 4 to 5: 6, from 6: 9"), (((3, 3), (4, 6), (5, 9)), "up to 3: 3, 4: 6, from 5: 9"),
    (((0, 9), (1, 6), (2, 3)), "0: 9, 1: 6, from 2: 3"), (((0, 4), (1, 8)), "0: 4, from 1: 8"), (((1, 5), (2, 7)), "up to 1: 5, from 2: 7"),
    (((0, 6),), "always 6"),
])  # fmt: skip
def test_the_table_of_a_character_says_what_every_count_brings(table: Any, text: str) -> None:
    assert table_text(tuple(Worth(*line) for line in table)) == text


def test_a_slot_that_opens_later_says_so() -> None:
    assert slots_text(rules().buildings["chapel"]) == [
        "common or cleric: 2 prestige",
        "then common: 1 cleric into the active area",
    ]


def test_the_preview_of_the_next_council() -> None:
    laid = replace(table(alice={"land": {"r1": 1, "r4": 1}, "court": {"prince": 1, "jester": 2}}), round=4, councils=1)
    assert GAME.view(run(laid), "alice", rules())["preview"] == (
        "If the next council were held now it would bring you 29 prestige: 4 for 2 connected markers and 25 for 3 markers on characters."
    )


# --- house data ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["txt", "html"])
def test_reports_say_what_is_house_data_unless_nothing_is(form: str) -> None:
    result = run(begun(2))
    assert "The map and the building cards are house data, edition 1: no public source has the real ones." in words(
        report(result, form=form)
    )
    assert "house data" not in report(result, own=rules(house=frozenset({"edition": 0}.items())), form=form)


def rules_page(text: str = "") -> str:
    node, _ = yaml_text.read(text.encode(), "campaign.yaml") if text else (None, None)
    return reports.rules_page(GAME, tables.load(GAME, node))


def test_the_rules_page_says_it_too() -> None:
    assert "**House data, edition 1.**" in rules_page() and "## The island (house data, edition 1)" in rules_page()
    assert "ouse data, edition" not in rules_page("house: {edition: 0}\n")


def test_the_orders_on_the_rules_page_can_be_read() -> None:
    text = re.search(r"```yaml\n(.*?)```", rules_page(), re.DOTALL)
    assert text
    filing = orders_file.read(
        text[1].encode(), "orders.yaml", GAME, {**GAME.names(rules()), "seats": ["alice", "bob"]}, "alice", 5
    )
    assert filing.problems == [] and len((filing.orders or {})["place"]) == 7
