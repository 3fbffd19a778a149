"""What a report tells its player, section by section, as text and as a page; and what the GM's book holds."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import msgspec

from kingdom.campaign import opening
from kingdom.engine.dice import NoDice, commitment_of
from kingdom.engine.step import Notice
from kingdom.games.realm.game import GAME
from kingdom.games.realm.report.news import News, news, shown, spoken
from kingdom.games.realm.report.view import view
from kingdom.games.realm.state import Modifier, World
from tests.games.realm.kit import rules_of, world_of
from tests.games.realm.reportkit import (
    BORDERIA,
    EXAMPLIA,
    FACTS,
    KINGDOMS,
    MAP,
    files_of,
    section,
    sections,
    the_files,
    the_turn,
    turn_of,
    words,
)  # fmt: skip

SEATS = ("borderia", "cravonia", "examplia")


@cache
def the_text() -> dict[str, str]:
    """The sections of Examplia's text report."""
    return sections(the_files()["examplia.txt"])


@cache
def the_page() -> str:
    return words(the_files()["examplia.html"])


@cache
def the_book() -> str:
    """The GM's."""
    return words(the_files()["gm.html"])


def alone(**more: Any) -> World:
    """Examplia by itself, three hexes in a row."""
    hexes = {"0403": ["farm"], "0404": [], "0405": []}
    kingdom = {"capital": "Oakhold", "settlements": {"Oakhold": {"hex": "0404"}}, "hexes": hexes, **more}
    return world_of({"examplia": kingdom})


# --- its head


def test_the_head_names_kingdom_campaign_turn_player_and_deadline() -> None:
    assert (
        the_text()[""].splitlines()[0]
        == "Examplia                                                The Ford Lands, turn 1"
    )
    assert "Ada, your orders for turn 2 are due Friday 11 December 2026, 18:00\n(Europe/Berlin)." in the_text()[""]
    assert "Ada , your orders for turn 2 are due Friday 11 December 2026, 18:00 (Europe/Berlin) ." in the_page()


def test_without_a_calendar_the_gm_says_when() -> None:
    files = files_of(the_turn(), FACTS._replace(deadlines={}))
    assert "Ada, your orders for turn 2 are due when your GM says." in files["examplia.txt"]


def test_a_finished_game_and_a_destroyed_kingdom_ask_for_no_orders() -> None:
    over = files_of(the_turn(), FACTS._replace(finished="turn 1 was the last"))["examplia.txt"]
    assert "The game is over: turn 1 was the last." in over and "are due" not in over
    lost = turn_of(world_of({"examplia": {"hexes": {}}, "borderia": {}}))
    assert lost.after.kingdoms["examplia"].destroyed
    for name in ("examplia.txt", "examplia.html"):
        text = words(files_of(lost)[name])
        assert "The kingdom is destroyed. It gives no more orders." in text and "are due" not in text


def test_anarchy_and_a_kingdom_without_land_are_said_first() -> None:
    anarchy = turn_of(alone(unrest=19, attributes={"economy": -3, "loyalty": -3, "stability": -9}))
    said = "Anarchy: turn 2 is lost. Orders are void, no check succeeds, and at its end half the hexes are lost."
    assert all(words(file).count(said) == 1 for name, file in files_of(anarchy).items() if name.startswith("examplia"))
    landless = turn_of(turn_of(alone(unrest=11, hexes={"0404": []})).after)
    assert "  Claim    any one hex that nobody holds, 1 BP (ruling no_hexes)" in section(
        landless, "YOU CAN AFFORD IN TURN 3"
    )
    must = "You hold no land: claim any one hex and found a settlement in turn 3, or all is lost."
    for name in ("examplia.txt", "examplia.html"):
        told = words(files_of(landless)[name])
        assert must in told and told.lower().count("no land:") == 1 and "No land." not in told, "it is told once"


def test_who_gave_all_land_up_is_told_what_may_be_claimed_back() -> None:
    given_up = files_of(turn_of(alone(), {"examplia": {"abandon": ["0403", "0404", "0405"]}}))["examplia.txt"]
    may = sections(given_up)["YOU CAN AFFORD IN TURN 2"]
    assert "You hold no land: claim a hex that you gave up, or one beside," in given_up
    assert "any one hex" not in may and "0404" in may


# --- what the GM tells


def test_what_the_gm_tells_stands_in_the_first_tier() -> None:
    assert (
        "\n\nThe GM says\n  Winter comes early.\n  The GM: treasury +5: the duke's gift.\n"
        "  The GM reveals 0203, lair, monsters of ACR 3: your scouts came back.\n"
    ) in the_text()[""]
    assert "The GM says Winter comes early. The GM: treasury +5: the duke's gift." in the_page()


def test_an_answer_stands_behind_the_request_that_it_answers() -> None:
    asked = the_turn().after
    answered = turn_of(asked, {"gm": {"tell": [{"to": "examplia", "answers": 1, "text": "The heir smiles."}]}})
    told = "\n\nThe GM says\n  Your request: I court the duke's heir.\n    The heir smiles.\n"
    assert told in section(answered, "")
    assert "wait for the GM" not in files_of(answered)["examplia.txt"]


# --- the sheet


def test_the_sheet_shows_what_is_and_what_changed() -> None:
    sheet = " ".join(the_text()["THE SHEET AND ITS SOURCES"].split())
    assert sheet.startswith("Treasury 56 (-4); Unrest 14 (+5); Size 5; Districts 2;"), (
        "what did not change has no before"
    )
    assert "Treasury 56 -4 Unrest 14 +5 Size 5 Districts 2" in the_page()


def test_the_sheet_shows_what_was_chosen_and_what_was_before() -> None:
    sheet = " ".join(the_text()["THE SHEET AND ITS SOURCES"].split())
    assert "Leadership stability (before: economy); Work week long (before: very long);" in sheet
    assert "Government Autocracy; Alignment Lawful good." in sheet
    assert "Alignment" not in section(the_turn(), "THE SHEET AND ITS SOURCES", "borderia"), "it has none"


def test_the_first_tier_says_what_matters() -> None:
    """A sentence, the numbers, danger with its cause and what helps, then the news: harm first, each with what it changed."""
    assert the_text()[""].split("\n\n")[1:3] == [
        "A hex lost by turn 5 if you order nothing: 100 %.\n"
        "Size 5; BP 56 (-4); Unrest 14 (+5); Stability 25 % (-5)\n"
        "Danger     Unrest 14 of 11; Stability check 25 % in turn 2. `build: jail in\n"
        "           Newford` (14 BP) helps, but not enough: Unrest -2.9 on average in\n"
        "           turn 2.\n"
        "Danger     Anarchy by turn 5: 84 %. Unrest 14 of 20; Stability check 25 % in\n"
        "           turn 2. The same order makes it 50 %.",
        "What happened\n"
        "  ! Stability check failed (rolled 2, needed 15): Unrest +4.\n"
        "  ! Refused: claim 0203: This turn's limit of claims is used up; it is 1 at\n"
        "    size 5. Refused too: improve mine 0304, castle in Newford.\n"
        "  ! Loyalty check failed (rolled 6, needed 19): Unrest +1.\n"
        "  - Economy check succeeded (rolled 17, needed 16): Treasury +6.\n"
        "  - Done: leadership: stability, improve farm 0302, brewery in Oakhold,\n"
        "    holiday: long, promotion: token, taxation: light and 4 more (Economy -2,\n"
        "    Stability +6, Treasury -10, Loyalty +1).\n"
        "  - Claim 0403: 0403 was contested with Borderia: 20 (d20) + 8 Stability - 9\n"
        "    Unrest = 19, Borderia won it.\n"
        "  - Aid from Borderia for stability: +4 to stability next turn.",
    ]
    assert (
        "A hex lost by turn 5 if you order nothing: 100 %. Size 5 BP 56 -4 Unrest 14 +5 Stability 25 % -5" in the_page()
    )


def test_the_first_tier_names_no_ruling_and_the_page_links_each_to_its_text() -> None:
    for seat in SEATS:
        assert "ruling " not in sections(the_files()[f"{seat}.txt"])[""]
    page = the_files()["examplia.html"]
    named = set(re.findall(r'<a href="#rule-(\w+)">', page))
    assert named and named == set(re.findall(r'<div id="rule-(\w+)"><dt>', page)) and ">ruling contested claim<" in page
    assert all(words(getattr(rules_of(), name).text) in words(page) for name in named)


def test_what_the_first_tier_says_names_no_key_but_where_it_is_typed() -> None:
    names = {"hartmark": "The Hartmark", "k1": "The Kay"}
    for text, said in {
        "the expedition explore-3 is back (ruling exploration).": "expedition 3 is back.",
        "trade_route-2 of k1 is open": "trade route 2 of The Kay is open",
        "The Hart's Own (hartmark) won": "The Hart's Own (The Hartmark) won",
        "one for a pair (ruling one_route: one for a pair)": "one for a pair (one for a pair)",
        "Type `answers: {trade_route-2: accept}`, `aid: economy to hartmark`": "Type `answers: {trade_route-2: accept}`, `aid: economy to hartmark`",
        "It can't stand there (table buildings), or here (Sending Aid, ruling affordable).": "It can't stand there, or here.",
        "k1-2 and hartmarkers": "k1-2 and hartmarkers",
        "(1 BP for two)": "(1 BP for two)",
    }.items():
        assert spoken(text, names) == said


def test_what_was_taken_by_arms_is_no_price_of_the_orders() -> None:
    steps = [
        {"name": name, "lines": [], "checks": [], "refused": [], "told": [], "moves": [move]}
        for name, move in (
            ("Build", {"cause": "build", "detail": "House", "what": "House", "changes": [{"account": "Treasury", "delta": -3, "balance": 9}]}),
            ("Fight battles", {"cause": "conquest", "detail": "0706, taken by an army", "what": "0706, taken by an army", "changes": [{"account": account, "delta": by, "balance": 9} for account, by in (("Size", -1), ("Economy", -4))]}),
        )
    ]  # fmt: skip
    phase: Any = {"name": "Edict phase", "steps": steps, "booked": steps, "entries": 2, "sum": "Treasury -3, Size -1"}
    done: Any = {"path": "build[0]", "text": "house", "outcome": "done", "why": ""}
    lines = [line["text"] for line in news([phase], [done], [], [], [], [], [], None, "examplia")]
    assert lines == ["With 0706 went: Economy -4.", "Done: house (Treasury -3)."]


def test_an_ended_game_names_its_winner_and_the_place_first() -> None:
    end = {
        "why": "it is decided", "turn": 1, "winner": "Borderia wins with 7 hexes.", "counts": ["Size"], "seed": "s", "map": [], "picture": "",
        "standings": [
            {"place": 1, "seat": "borderia", "name": "Borderia", "figures": [7], "out": ""},
            {"place": 2, "seat": "examplia", "name": "Examplia", "figures": [5], "out": ""},
        ],
    }  # fmt: skip
    files = files_of(the_turn(), FACTS._replace(finished="it is decided", end=end))
    said = "The game is over: it is decided. Borderia wins with 7 hexes. You are number 2 of 2."
    assert said in " ".join(files["examplia.txt"].split("\n\n")[0].split()) and said in words(files["examplia.html"])


def test_what_is_asked_stands_in_the_first_tier_too() -> None:
    first = sections(files_of(turn_of(alone(unrest=11)))["examplia.txt"])[""]
    asked = "Answer     Unrest costs the kingdom a hex: which one? You can say: 0403, 0405.\n"
    assert f"{asked}           If you do not reply: 0405.\n" in first


def test_each_danger_names_its_cause_and_its_order_by_either_edition() -> None:
    """One that fights Unrest with a jail: the sentence, then the row with cause, order and what it makes of it. By edition 1 of the next turn
    alone."""
    first, second = rules_of({"event_going_on": None}), rules_of()
    for rules, what in ((first, "A hex is lost, or will be at the next start"), (second, "A hex lost by turn 5")):
        tier = " ".join(sections(files_of(the_turn(), rules=rules)["examplia.txt"])[""].split())
        assert f"{what} if you order nothing: 100 %." in tier
        assert "Danger Unrest 14 of 11; Stability check 25 % in turn 2. `build: jail in Newford` (14 BP)" in tier


def test_what_was_lost_or_won_is_the_headline() -> None:
    """A hex that Unrest cost, then one that was claimed."""
    shrunk = turn_of(turn_of(alone(unrest=11)).after)
    lost = "You lost hex 0405 in the Event phase of turn 2: to Unrest, none was named."
    assert f" {lost} Size 2 (-1);" in " ".join(files_of(shrunk)["examplia.txt"].split())
    assert f'<p class="headline bad"><bdi>{lost}</bdi></p>' in files_of(shrunk)["examplia.html"]
    grown = turn_of(
        alone(treasury=60, attributes={"economy": 9, "loyalty": 9, "stability": 9}), {"examplia": {"claim": "0303"}}
    )
    assert "\n\nYou won hex 0303.\nSize 4 (+1);" in files_of(grown)["examplia.txt"]
    assert '<p class="headline good">' in files_of(grown)["examplia.html"]


def test_lost_land_names_the_phase_of_each_loss() -> None:
    """Unrest takes a hex as the turn begins, anarchy others as it ends."""
    hexes = {"0403": ["farm"], "0404": [], "0405": [], "0406": [], "0304": []}
    text = words(files_of(turn_of(turn_of(alone(unrest=19, hexes=hexes)).after))["examplia.txt"])
    assert (
        "You lost the hexes 0304, 0405, 0406 in the Event phase of turn 2: 0406, to Unrest, none was named; "
        "in the Upkeep phase of turn 2: 0405, in anarchy; 0304, in anarchy. Size 2 (-3);"
    ) in text
    assert text.split("=== EVERYTHING")[0].count("0405, in anarchy") == 1, "and is not told again"


def test_unrest_of_a_treasury_below_nothing_is_news() -> None:
    """With what was paid; Consumption that is paid in full is none. A treasury that is below 0 already isn't told to fall there."""
    text = words(files_of(turn_of(alone(treasury=-10)))["examplia.txt"])
    assert "! Consumption 2; the treasury is below 0 after paying: Treasury -2, Unrest +2." in text
    assert (
        "Danger The treasury, now -12 BP, below 0 again by turn 5: 100 %." in text and "A treasury below 0" not in text
    )
    assert "! Consumption" not in files_of(turn_of(alone(treasury=10)))["examplia.txt"]


def test_what_orders_cost_is_never_among_what_is_only_counted() -> None:
    """Nor is harm, however much there is."""
    harm = [_news(f"Harm {number}.", -9, "bad") for number in range(9)]
    gifts, done = [_news(f"Gift {number}.", 9, "good") for number in range(9)], _news("Done.", 0, "", stays=True)
    assert [line["text"] for line in shown([*harm, *gifts, done])[0]] == [
        *(f"Harm {number}." for number in range(4)), "Harm 4. Harm 5. Harm 6. Harm 7. Harm 8.", "Done.",
        "And 9 more that took nothing from you.",
    ]  # fmt: skip
    assert [line["text"] for line in shown([*gifts[:8], done])[0]] == [
        *(f"Gift {number}." for number in range(5)), "Done.", "And 3 more that took nothing from you.",
    ]  # fmt: skip
    assert shown([*gifts[:8], done])[1] == gifts[5:8]
    assert shown([*gifts[:6], done]) == ([*gifts[:6], done], [])


def _news(text: str, worth: float, mark: str, *, stays: bool = False) -> News:
    return {"text": text, "worth": worth, "mark": mark, "stays": stays}


def test_the_subject_names_what_voids_the_orders() -> None:
    """Not only what threatens."""
    doomed, landless = turn_of(alone(unrest=19)), turn_of(turn_of(alone(unrest=11, hexes={"0404": []})).after)
    subjects = [view(turn, "examplia", rules_of())["subject"] for turn in (doomed, landless)]
    assert subjects[0].endswith(", anarchy now") and subjects[1].endswith(", no land"), subjects


def test_an_answer_to_an_event_says_the_odds_and_the_price_of_each_choice() -> None:
    """And of which turn the odds are."""
    struck = turn_of(alone(), {"gm": {"gm": [{"event": "bandit_activity", "to": "examplia", "reason": "they come"}]}})
    text = words(files_of(struck)["examplia.txt"])
    assert "Answer Bandit activity, in turn 2. Odds of turn 2: " in text
    assert re.search(
        r"`answers: {bandit_activity-1: {adventurers: 4}}` makes that \d+ % for 4 BP, \d+ % for 8 BP", text
    )
    assert "If you do not reply: none." in text and "Event Bandit activity" not in text


def test_what_events_changed_for_longer_is_parted_into_harm_and_gain() -> None:
    changed = (
        Modifier("stability", -2, "plague", "a plague", event="plague-1", ends=9),
        Modifier("stability", -1, "plague", "a plague", event="plague-1", ends=9),
        Modifier("loyalty", 1, "boomtown", "a boom", event="boomtown-1", lasting=True),
        Modifier("economy", 4, "leadership", "the leadership"),
    )
    world = alone()
    own = msgspec.structs.replace(world.kingdoms["examplia"], modifiers=changed)
    text = files_of(turn_of(msgspec.structs.replace(world, kingdoms={"examplia": own})))["examplia.txt"]
    assert "\nHarm       Stability -3 until turn 9 begins\nGain       Loyalty +1 without an end\n" in sections(text)[""]


def test_a_lost_capital_is_said_first() -> None:
    before = alone(unrest=11, hexes={"0404": []})
    fallen = turn_of(turn_of(before).after)
    text = files_of(fallen)["examplia.txt"]
    assert "\n\nYou hold no land: claim any one hex" in text
    assert "Lost the capital Oakhold, hex 0404 in the Event phase of turn 2: to Unrest, none was named." in words(text)


def test_a_kingdom_without_land_is_told_the_orders_that_save_it() -> None:
    """As they stand: land that nobody prepared takes three."""
    lost = turn_of(turn_of(alone(unrest=11, hexes={"0404": []})).after)
    gave_up = turn_of(alone(), {"examplia": {"abandon": ["0403", "0404", "0405"]}})
    for result in (lost, gave_up):
        said = " ".join(files_of(result)["examplia.txt"].split("=== EVERYTHING")[0].split())
        orders = dict(re.findall(r"`(\w+): ([^`]+)`", said.partition(" Order ")[2].partition(" are enough.")[0]))
        assert "settle" in orders, said
        saved = turn_of(result.after, {"examplia": orders})
        assert saved.after.kingdoms["examplia"].settlements and not saved.after.kingdoms["examplia"].destroyed
        assert not [notice.facts for notice in saved.notices if notice.kind == "refusal"]


def test_what_comes_next_turn_stands_with_the_sheet() -> None:
    assert "  Coming   +4 Stability in turn 2: aid from Borderia\n" in the_text()["THE SHEET AND ITS SOURCES"]


# --- what happened


def test_what_happened_is_told_in_words_phase_by_phase() -> None:
    told = the_text()["WHAT HAPPENED, DIE BY DIE"].splitlines()
    assert told[0] == "  Edict phase" and "Brewery" not in " ".join(told).partition("Income phase")[0], (
        "the ledger has it"
    )
    check = "Stability check: 2 (d20) + 11 Stability - 9 Unrest = 4, DC 17: failed by 13: Unrest +4"
    assert check in the_page() and f"- {check}" in " ".join(" ".join(told).split())


# --- what needs an answer


def test_what_needs_an_answer_stands_with_its_choices_its_default_and_the_order() -> None:
    page = words(files_of(turn_of(alone(unrest=11)))["examplia.html"])
    assert 'Choices: 0403, 0405. If you do not answer: 0405 . The order: answers: {lose_hex: "0405"}' in page


# --- orders


def the_dice(result: Any = None, seat: str = "examplia") -> str:
    """What happened, die by die, in one line."""
    return " ".join(section(result or the_turn(), "WHAT HAPPENED, DIE BY DIE", seat).split())


def the_orders(result: Any = None, seat: str = "examplia") -> str:
    return " ".join(section(result or the_turn(), "YOUR ORDERS OF TURN 1", seat).split())


def test_each_order_is_done_changed_or_refused() -> None:
    orders = the_orders()
    assert orders.startswith("done leadership: stability ")
    assert "changed claim 0403: 0403 was contested with Borderia: 20 (d20) + 8 Stability - 9 Unrest" in orders
    assert orders.count(" refused ") == 3


def test_a_refusal_gives_the_rule_and_its_cure() -> None:
    (reason,) = (notice.facts["reason"] for notice in the_turn().notices if notice.facts.get("order") == "improve[1]")
    assert "(Edict step 3)" in reason and "needs" in reason
    assert f"refused improve mine 0304: {reason} done" in the_orders()
    assert f"improve mine 0304 : refused . {reason}" in the_page()


def test_requests_that_wait_stand_under_the_number_that_the_gm_answers_to() -> None:
    assert the_orders().endswith("Your requests that wait for the GM 1 I court the duke's heir.")


def test_a_seat_that_filed_nothing_is_told_so() -> None:
    assert the_orders(seat="cravonia") == "None came in, so nothing new was done."


def test_an_order_that_the_gm_voided_says_why() -> None:
    void = {"gm": [{"void": {"kingdom": "examplia", "order": "claim[0]"}, "reason": "the hex is cursed"}]}
    result = turn_of(alone(), {"examplia": {"claim": ["0402"]}, "gm": void})
    assert the_orders(result).endswith("refused claim 0402: The GM voids claim[0]: the hex is cursed.")


# --- the turn as a ledger


def test_the_turn_is_a_ledger_by_phase_and_step() -> None:
    ledger = the_text()["THE LEDGER"]
    phases = [line.strip() for line in ledger.splitlines() if line[2] != " "]
    assert phases[0] == "GM's rulings: Treasury +5" and phases[-1] == "Upkeep phase: Unrest +5, Treasury -5"
    assert ledger.splitlines()[1] == "    - the duke's gift: Treasury +5 = 65."
    assert "- Brewery in Oakhold at D1: Treasury -6 = 55, Loyalty +1 = 11, Stability +1 = 9." in " ".join(
        ledger.split()
    )


def test_aid_shows_its_roll_to_the_sender_alone() -> None:
    told = "Aid to Examplia check: 12 (d20) + 1 Opulence = 13, DC 5: success by 8: +4 to stability there"
    assert told in the_dice(seat="borderia") and "Opulence" not in the_dice()


def test_a_natural_one_or_twenty_that_decides_is_named_with_its_ruling() -> None:
    result = turn_of(alone(attributes={"economy": 30, "stability": 30}), dice={"examplia": {"economy": 1}})
    assert "= 34, DC 14: failed by 1, a natural 1 (ruling check)" in the_dice(result)


def test_in_anarchy_no_die_is_shown() -> None:
    result = turn_of(world_of({"examplia": {}}, state={"examplia": {"anarchy": 1, "unrest": 20}}))
    assert "Economy check: 0, not rolled (ruling anarchy), DC 12: failed by 12" in the_dice(result)


# --- sources, land, settlements


def the_land(result: Any = None) -> str:
    return " ".join(section(result or the_turn(), "LAND AND TOWNS").split())


def test_every_modifier_stands_with_its_source() -> None:
    sheet = " ".join(the_text()["THE SHEET AND ITS SOURCES"].split())
    assert (
        "Economy 10 +2 Lawful good (alignment); +6 the kingdom's own; +1 taxation light; +1 Inn. Loyalty 11 " in sheet
    )


def test_sources_of_one_kind_stand_together() -> None:
    built = {"Oakhold": {"hex": "0404", "buildings": ["inn", "inn", "house"]}}
    sheet = section(turn_of(alone(settlements=built)), "THE SHEET AND ITS SOURCES")
    assert "+2 Inn (2)" in sheet


def test_the_land_stands_by_what_stands_and_lies_there() -> None:
    assert " Farm, Road 0304;" in the_land() and " A sinkhole by the old mill 0404." in the_land()
    assert "Farm, Road : 0304" in the_page()


def test_land_that_is_cut_off_says_what_that_costs() -> None:
    result = turn_of(
        world_of({"examplia": {"hexes": {"0404": [], "0407": []}, "settlements": {"Oakhold": {"hex": "0404"}}}})
    )
    assert "0407, cut off from the capital: 1 more Unrest in checks about it" in the_land(result)


def test_neighbours_stand_with_name_size_and_the_hexes_in_sight() -> None:
    assert "Borderia (borderia), size 7, its hexes in sight: 0403 0504" in the_land()


def test_a_settlement_is_drawn_district_by_district() -> None:
    land = the_text()["LAND AND TOWNS"]
    assert "  Oakhold, hex 0303, the capital." in land
    drawn = [
        "    A           B           C           D           E           F",
        "  1 House       House       Inn         Brewery     .           .",
        "    all other lots free; north land, City Wall; east land; south water; west",
    ]
    assert "\n".join(drawn) in land


def test_a_building_of_four_lots_and_a_second_district_are_drawn() -> None:
    buildings = {"Oakhold": {"hex": "0404", "districts": 2, "buildings": ["arena", "house"]}}
    town = section(turn_of(alone(settlements=buildings)), "LAND AND TOWNS")
    assert "  1 Arena       (Arena)     House       .           .           .\n  2 (Arena)     (Arena)     ." in town
    assert "    District 2: all other lots free;" in town


# --- aid and messages


def test_messages_stand_with_sender_and_reader() -> None:
    assert (
        "\n\nLetters\n  You to all\n  | Well met.\n  You to Borderia\n  | Shall we talk of the ford?\n  | By the old mill.\n"
        "  Borderia to you\n  | We send what we can.\n"
    ) in the_text()[""]
    assert "Examplia to all\n  | Well met." in section(the_turn(), "", "cravonia"), "it never met Examplia"


def test_who_is_near_stands_with_its_size_and_where_nobody_is_what_an_expedition_costs() -> None:
    assert "\n\nNear you: Borderia (size 7).\n" in the_text()[""]
    lonely = " ".join(section(turn_of(alone()), "").split())
    assert (
        "Nobody is in sight. An expedition of 2 weeks to the north costs 8 BP: `explore: from Oakhold for 2 weeks toward n`."
        in lonely
    )


def test_who_only_wrote_is_known_and_not_near() -> None:
    land = {"examplia": ["0101"], "borderia": ["0706"]}
    kingdoms = {
        seat: {"capital": town, "settlements": {town: {"hex": hexes[0]}}, "hexes": {label: [] for label in hexes}}
        for (seat, hexes), town in zip(land.items(), ("Oakhold", "Fenwick"), strict=True)
    }
    letter = {"messages": [{"to": "examplia", "text": "Well met."}]}
    said = " ".join(section(turn_of(world_of(kingdoms), {"borderia": letter}), "").split())
    assert (
        "You know Borderia (size 1). No land of others is in sight. An expedition of 2 weeks" in said
        and "Near you" not in said
    )


def test_news_that_are_only_counted_stand_whole_below_and_what_is_told_of_the_page_stays() -> None:
    result = turn_of(alone())
    told = [Notice("news", "", "", "all", {"text": f"News {number}."}) for number in range(9)]
    page = Notice("news", "", "", "all", {"public": "letters", "delay": 0, "text": "From now on a page shows all."})
    files = files_of(result._replace(notices=[*result.notices, *told, page]))
    first, below = files["examplia.txt"].split("EVERYTHING ELSE")
    assert "more that took nothing from you." in first and "- From now on a page shows all." in first
    for number in range(9):
        assert files["examplia.txt"].count(f"News {number}.") == 1 and f"News {number}." in files["examplia.html"]
    assert "News 8." in below.split("\n  Also\n")[1]


# --- what may be done next turn, and the odds


def test_what_the_treasury_affords_stands_in_at_most_twelve_lines() -> None:
    text = the_text()["YOU CAN AFFORD IN TURN 2"]
    assert text.startswith("  At most  hex claims 1, terrain improvements 2, new settlements 1, buildings")
    assert "  Claim    0104, " in text and "  Build    Tenement 1, " in text and len(text.splitlines()) <= 12
    assert "Cathedral" not in text, "58 BP are more than the treasury holds"


def test_the_odds_of_each_check_stand_with_what_it_leads_to() -> None:
    odds = " ".join(the_text()["THE ODDS OF TURN 2"].split())
    assert "Stability, die 16+: 25 % -1 Unrest;" in odds
    assert "Aid to borderia, 1 BP, die 6+: 75 % +1 to +7 to an attribute there;" in odds


def test_a_turn_of_anarchy_offers_nothing_but_a_form_for_messages() -> None:
    result = turn_of(alone(unrest=19, attributes={"economy": -3, "loyalty": -3, "stability": -9}))
    found = sections(files_of(result)["examplia.txt"])
    assert not [name for name in found if name.startswith(("YOU CAN AFFORD", "THE ODDS"))]
    assert "leadership" not in found["ORDER FORM FOR TURN 2"]


# --- the order form and the foot


def test_the_form_is_in_the_short_form_and_filled_in() -> None:
    assert the_text()["ORDER FORM FOR TURN 2"].splitlines()[1:] == [
        "# yaml-language-server: $schema=orders.schema.json",
        "kingdom: examplia", "turn: 2", "leadership: stability", "holiday: long", "promotion: token", "taxation: light",
        "#claim: 0104", "#improve: road 0204", "#build: academy in Newford", "#armies: recruit First Foot as fine warrior from Newford", "#aid: economy to borderia",
        "#explore: from Newford for 1 week toward n", "#adventurers: 6 bp to 0203",
        "#trade_route: to borderia at 0303", "#loyalty: rouse_the_people economy", '#messages: [{to: all, text: "..."}]', '#requests: ["..."]', "#final: true",
    ]  # fmt: skip


def test_the_foot_holds_receipt_digest_key_and_commitments() -> None:
    foot = the_text()["FOR THE RECORD"]
    assert foot.startswith("  Orders carried out  0123456789ab\n  Digest of turn 0    f00df00df00d\n")
    for title, digit in (
        ("Key of your dice of turn 1", "e"),
        ("Commitment to your dice of turn 2", "c"),
        ("Commitment to the GM's dice of turn 2", "a"),
    ):
        assert f"  {title}:\n  {digit * 64}\n" in foot
        assert f"{title} {digit * 64}" in the_page()
    none = section(the_turn(), "FOR THE RECORD", "cravonia")
    assert none.startswith("  Orders carried out  none, nothing was filed\n")


def test_dice_of_the_seed_stand_with_what_verifies_them() -> None:
    result = turn_of(world_of(KINGDOMS, MAP))
    foot = section(result, "FOR THE RECORD")
    line = next(line for line in foot.splitlines() if "kingdom dice" in line)
    key = FACTS.keys["examplia"]
    assert (
        line
        == f"  kingdom dice {key} economy:1:20 stability:1:20 stability_failure:1:6 --commitment {commitment_of(key)}"
    ), "one line"


def test_a_corrected_report_says_what_it_changes() -> None:
    facts = FACTS._replace(
        corrects="abc", changes={"examplia": ["treasury 50 instead of 56"], "borderia": ["unrest 1 instead of 2"]}
    )
    for text in (files_of(the_turn(), facts)["examplia.txt"], words(files_of(the_turn(), facts)["examplia.html"])):
        assert "The turn was resolved again: this report takes the place of any earlier one." in text
        assert "treasury 50 instead of 56" in text and "unrest 1" not in text


def test_a_reopened_turn_says_so() -> None:
    assert (
        "The turn was reopened; this is attempt 2, with new dice."
        in files_of(the_turn(), FACTS._replace(attempt=2))["examplia.txt"]
    )


def test_the_first_report_shows_the_start_alone() -> None:
    result = opening.opened(GAME, _setup(), rules_of(), NoDice())
    text = files_of(result, FACTS._replace(keys={}, receipts={}, previous=""))["examplia.txt"]
    found = sections(text)
    sheet = found["THE SHEET AND ITS SOURCES"]
    assert list(found)[:2] == ["", "YOU CAN AFFORD IN TURN 1"] and sheet.startswith("  Treasury 60; ")
    assert "before" not in sheet and "Orders carried out" not in text and "Digest of" not in text
    assert "ORDER FORM FOR TURN 1" in found


def _setup() -> Any:
    from tests.games.realm.kit import _setup as setup_of
    from tests.games.realm.kit import kingdoms_of

    files = {
        f"kingdoms/{seat}.yaml": each
        for seat, each in kingdoms_of({"examplia": EXAMPLIA, "borderia": BORDERIA}).items()
    }
    return setup_of({"map.yaml": MAP, **files}, rules_of())


# --- the GM's book


def test_the_gms_book_begins_with_what_needs_a_ruling_and_has_the_orders_ready() -> None:
    start = the_book().index("What needs your ruling")
    assert the_book()[start:].startswith(
        "What needs your ruling Examplia , request 1, of turn 1 I court the duke's heir. "
        'tell: [{to: examplia, answers: 1, text: "..."}] Reply to the mail that brought this book'
    )
    assert 'turn: 2 tell: - {to: examplia, answers: 1, text: "..."} # I court the duke\'s heir. #gm:' in the_book()


def test_the_gms_book_links_to_every_kingdoms_report_and_repeats_none() -> None:
    book = the_files()["gm.html"]
    assert sorted(re.findall(r'href="(\w+\.html)"', book)) == [f"{seat}.html" for seat in SEATS]
    for seat in SEATS:
        page = the_files()[f"{seat}.html"]
        assert page[page.index('<main id="report">') + 18 : page.index("</main>")].strip() not in book


def test_the_gms_book_holds_his_own_orders_the_secrets_and_every_die() -> None:
    assert (
        "grant examplia account treasury by 5: the duke's gift : done reveal 0203 to examplia: your scouts came back : done"
        in the_book()
    )
    assert "tell borderia: Beware of Examplia. : done" in the_book()
    assert "Secrets that were found 0203, Examplia : lair, monsters of ACR 3" in the_book()
    for seat, result in (("examplia", 20), ("borderia", 15)):
        assert re.search(rf"<p><b>{seat}</b>[^<]* contest-0403:1:20 = {result}\b", the_files()["gm.html"])
    for digit in "ebcda9":
        assert digit * 64 in the_book()


def test_the_gms_book_shows_the_sheets_side_by_side() -> None:
    assert "Examplia 56 -4 14 +5 5 2 17 10 -2 11 +1 11 +6 5 0 0 1 stability long, token, light" in the_book()


def test_no_page_and_no_text_leaves_a_template_word_behind() -> None:
    for name, text in the_files().items():
        for mark in ("{{", "}}", "{%", "%}", "Undefined", "<script", "Modifier(", " None,", "None]"):
            assert mark not in text.replace("{to: all", ""), (name, mark)


def test_what_an_expedition_found_is_news_with_an_order_that_is_carried_out() -> None:
    """To claim it, to fight what lives there, or to claim the land on the way to it; what it saw of others and of rivers is no find."""
    land: dict[str, Any] = {
        "0405": {"features": ["river"], "resource": True},
        "0406": {"features": ["landmark"], "ruin": "temple"},
        "0407": {"monsters": {"acr": 3}},
    }
    world = world_of(
        {"examplia": {"treasury": 60, "attributes": {"stability": 30, "loyalty": 30, "economy": 30}}}, {"hexes": land}
    )
    order = {"edict": "explore", "from": "Oakhold", "weeks": 2, "route": ["0405", "0406", "0407"]}
    back = turn_of(world, {"examplia": {"special": [order]}})
    while not expedition_news(back):
        back = turn_of(back.after)
    (line,) = expedition_news(back)
    assert "0405, Resource; 0406, Landmark, ruin: Temple; 0407, monsters, ACR 3" in line, line
    assert "River" not in line
    typed = re.findall(r"`(\w+): ([^`]+)`", line)
    assert ("adventurers", "6 bp to 0407") in typed and ("claim", "0405") in typed, typed
    for key, value in typed:
        result = turn_of(back.after, {"examplia": {key: value}})
        assert not [notice.facts for notice in result.notices if notice.kind == "refusal"], (key, value)


def expedition_news(result: Any) -> list[str]:
    lines = view(result, "examplia", rules_of())["told_news"]
    return [line["text"] for line in lines if "expedition" in line["text"].lower() and "found" in line["text"]]
