"""What reports and the order form say of events."""

from __future__ import annotations

from typing import Any

import pytest

from kingdom.games.realm.game import GAME
from kingdom.games.realm.state import World, replace
from kingdom.games.realm.steps.events.words import described
from tests.games.realm.kit import orders_of, rules_of, run, world_of
from tests.games.realm.reportkit import files_of, sections, words

RULES = rules_of()
TOWNS = {"Oakhold": {"hex": "0404", "buildings": ["inn", "library"]}, "Newford": {"hex": "0405"}}


def forced(*events: dict[str, Any], steps: Any = None) -> Any:
    """The turn in which the GM forces these events."""
    world = world_of({"examplia": {"settlements": TOWNS, "hexes": {"0404": ["road"], "0405": [], "0406": []}}})
    orders = {"gm": {"gm": [{"to": "examplia", "reason": "so be it", **event} for event in events]}}
    return run(world, orders_of(orders, world, RULES), RULES, steps=steps)


def text_of(result: Any) -> dict[str, str]:
    return sections(files_of(result)["examplia.txt"])


def test_an_event_that_is_announced_says_what_it_does_and_how_it_ends() -> None:
    said = text_of(forced({"event": "feud", "in": "Newford"}))["WHAT HAPPENED, DIE BY DIE"]
    assert (
        "    Announced for turn 2: Feud in Newford, in turn 2 (feud-1)\n"
        "      Two great houses are at each other's throats.\n"
        "      A Loyalty check; success: Unrest +1; failure: Debauchery (Corruption)\n"
        "      +1, Unrest +d6, and it goes on.\n"
        "      It ends when its check succeeds (Loyalty), or by itself after turn 7.\n"
        "      It ends in the next Event phase with a chance of 20 %.\n"
        "      `answers: {feud-1: {adventurers: 4}}` makes that 30 % for 4 BP, 45 % for\n"
        "      8 BP, 70 % for 16 BP.\n"
        "      If you do nothing about it for 3 turns: Unrest +4.4 on average, +8 at\n"
        "      worst."
    ) in said


def test_what_may_be_answered_stands_with_its_line() -> None:
    report = text_of(forced({"event": "feud", "in": "Newford"}))
    assert "`adventurers: 4` makes that 30 % for 4 BP" in " ".join(report[""].split())
    assert 'answers: {feud-1: "none"}  # or {adventurers: 4}' in report["ORDER FORM FOR TURN 2"]


def test_several_answers_stand_under_one_key_and_the_form_is_valid() -> None:
    result = forced({"event": "feud"}, {"event": "building_demand", "in": "Oakhold"})
    lines = GAME.view(result, "examplia", RULES)["form"]
    assert lines[lines.index("answers:") + 1 :][:2] == [
        '  feud-1: "none"  # or {adventurers: 4}',
        '  building_demand-1: "none"  # or check, {adventurers: 4}',
    ]
    from kingdom.orders import orders_file as orders

    names = {**GAME.names(RULES), "seats": tuple(result.after.kingdoms)}
    filed = orders.read("\n".join(lines).encode(), "form.yaml", GAME, names, "examplia", 2)
    assert filed.problems == [] and filed.orders["answers"] == {"feud-1": "none", "building_demand-1": "none"}


def test_what_struck_what_goes_on_and_what_lasts_stand_apart() -> None:
    first = forced({"event": "feud"}, {"event": "archaeological_find"})
    said = text_of(run(first.after, {}, RULES, {"examplia": {"feud": 1}}))["WHAT HAPPENED, DIE BY DIE"]
    assert said.index("- Feud: it goes on") < said.index("Going on: Feud, since turn 2 (feud-1)")
    assert said.index("Going on") < said.index("Over, but it lasts or waits: Archaeological find, since turn 2")


def test_a_page_says_the_same() -> None:
    page = words(files_of(forced({"event": "plague", "hex": "0406"}))["examplia.html"])
    assert "Announced for turn 2 Plague in 0406, in turn 2 ( plague-1 ) A deadly illness goes round." in page
    assert 'answers: {plague-1: "none"} or answers: {plague-1: {adventurers: 4}}' in page


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        ({"event": "squatters", "in": "Newford"}, "The lot is F3."),
        ({"event": "festive_invitation"}, "The host is an unnamed realm; to go there costs 2 BP."),
        ({"event": "diplomatic_overture"}, "The offer is an embassy, from an unnamed realm."),
        ({"event": "monster_attack", "hex": "0406"}, "Monsters of ACR 3 are in 0406."),
        ({"event": "noblesse_oblige", "in": "Oakhold"}, "The building is a Monument."),
        ({"event": "land_rush"}, "They build a farm in 0403, beyond the border."),
    ],
)
def test_what_was_settled_is_said(event: dict[str, Any], sentence: str) -> None:
    assert sentence in " ".join(text_of(forced(event))["WHAT HAPPENED, DIE BY DIE"].split())


def test_what_is_damaged_or_blocked_stands_under_the_settlement() -> None:
    world: World = forced({"event": "feud"}).after
    kingdom = replace(world.kingdoms["examplia"], damaged={"Oakhold": ("A1",)}, blocked={"Oakhold": ("C1",)})
    said = text_of(run(replace(world, kingdoms={"examplia": kingdom}), {}, RULES))["LAND AND TOWNS"]
    assert "Inn at A1 is damaged and gives nothing (ruling damaged_buildings).\n    Squatters on C1." in said


def test_bonuses_of_checks_say_how_long_they_hold() -> None:
    first = forced({"event": "natural_blessing"})
    said = text_of(run(first.after, {}, RULES))
    assert "+4 Stability checks, Natural blessing, until the next turn begins" in said["THE SHEET AND ITS SOURCES"]
    assert "+ 4 by natural blessing" in " ".join(said["WHAT HAPPENED, DIE BY DIE"].split())


@pytest.mark.parametrize("kind", RULES.event_kinds)
def test_every_kind_is_described_without_a_word_of_the_tables(kind: str) -> None:
    lines = described(RULES.event_kinds[kind], RULES)
    assert len(lines) > 1 and all(line.endswith(".") and "_" not in line.replace("leader_events", "").replace(
        "event_substitutes", "").replace("damaged_buildings", "") for line in lines)  # fmt: skip


def test_another_seat_reads_nothing_of_it() -> None:
    world = world_of({"examplia": {"hexes": {"0404": []}}, "borderia": {"hexes": {"0405": []}}})
    orders = {"gm": {"gm": [{"event": "feud", "to": "examplia", "reason": "a secret marriage"}]}}
    files = files_of(run(world, orders_of(orders, world, RULES), RULES))
    assert (
        "feud" in files["examplia.txt"].lower()
        and "feud" not in files["borderia.txt"].lower() + files["borderia.html"].lower()
    )


def test_every_announced_event_is_named_on_the_first_screen() -> None:
    """What may do harm is not counted: five events at once, each by its name."""
    kinds = ("large_disaster", "food_shortage", "bandit_activity", "plague", "assassination_attempt")
    files = files_of(forced(*({"event": kind} for kind in kinds)))
    first = words(files["examplia.txt"]).partition("EVERYTHING ELSE")[0]
    assert "see below" not in first and "more question" not in first
    for kind in kinds:
        assert RULES.event_kinds[kind].name in first, first


def test_an_order_that_was_needless_by_then_is_not_refused_in_red() -> None:
    """The monsters had left before the adventurers were hired: nobody erred."""
    world = world_of(
        {"examplia": {"settlements": TOWNS, "hexes": {"0404": ["road"], "0405": [], "0406": []}, "treasury": 50}}
    )
    struck = run(
        world,
        orders_of(
            {"gm": {"gm": [{"event": "monster_attack", "to": "examplia", "hex": "0406", "reason": "so be it"}]}},
            world,
            RULES,
        ),
        RULES,
    )
    asked = {
        "gm": {"gm": [{"monsters": "0406", "acr": 0, "reason": "they moved on"}]},
        "examplia": {"special": [{"edict": "adventurers", "bp": 6, "task": "0406"}]},
    }
    files = files_of(run(struck.after, orders_of(asked, struck.after, RULES), RULES))
    text, page, book = words(files["examplia.txt"]), files["examplia.html"], files["gm.html"]
    assert "- Came to nothing: adventurers 6 bp to 0406: " in text and "Refused" not in text
    assert "The monsters of 0406 had left" in text
    assert (
        '<span class="mark">came to nothing</span>' in page
        and '<span class="bad">refused</span>' not in page
        and "came to nothing" in book
    )


def test_the_form_shows_the_only_question_with_its_event_its_odds_and_doing_nothing() -> None:
    after = forced({"event": "feud", "in": "Newford"}).after
    page: Any = GAME.forms.page(GAME.known(after, "examplia", RULES), "examplia", RULES)
    (section,) = (section for section in page["sections"] if section["id"] == "answers")
    (part,) = section["parts"]
    assert part["kind"] == "choice" and part["title"].startswith("Feud")
    ends = "it ends in the next Event phase: {}\N{NO-BREAK SPACE}%".format
    assert part["none"] == {"text": "do nothing", "more": f"{ends(20)}, if you say nothing"}
    hired = [(row["costs"]["treasury"], row["more"]) for row in part["offers"] if "costs" in row]
    assert hired == [(4, ends(30)), (8, ends(45)), (16, ends(70))]
    assert (
        "If you do nothing about it for 3 turns: Unrest +4.4 on average" in part["about"] and "`" not in part["about"]
    )
