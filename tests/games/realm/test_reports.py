"""What a report tells its player, section by section, as text and as a page; and what the GM's book holds."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import msgspec

from kingdom.campaign import opening
from kingdom.engine.dice import NoDice, commitment_of
from kingdom.games.realm.game import GAME
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
    assert "ANARCHY: turn 2 is a turn of anarchy. Orders are void" in files_of(anarchy)["examplia.txt"]
    landless = turn_of(turn_of(alone(unrest=11, hexes={"0404": []})).after)
    assert "  Any one hex that nobody holds may be claimed, for 1 BP (ruling no_hexes)." in section(
        landless, "WHAT YOU MAY DO IN TURN 3"
    )
    must = "It must claim any one hex and found a settlement in\nturn 3, or it is destroyed."
    assert must in files_of(landless)["examplia.txt"]


def test_who_gave_all_land_up_is_told_what_may_be_claimed_back() -> None:
    given_up = files_of(turn_of(alone(), {"examplia": {"abandon": ["0403", "0404", "0405"]}}))["examplia.txt"]
    may = sections(given_up)["WHAT YOU MAY DO IN TURN 2"]
    assert "It must claim a hex that it gave up, or one beside,\nand found a settlement in turn 2" in given_up
    assert "Any one hex" not in may and "    0404   1" in may


# --- what the GM tells


def test_what_the_gm_tells_stands_at_the_head() -> None:
    assert the_text()["THE GM SAYS"].splitlines() == [
        "  Winter comes early.",
        "  The GM: treasury +5: the duke's gift.",
        "  The GM reveals 0203, lair, monsters of ACR 3: your scouts came back.",
    ]
    assert list(the_text())[1] == "THE GM SAYS"
    assert "The GM says Winter comes early. The GM: treasury +5: the duke's gift." in the_page()


def test_an_answer_stands_behind_the_request_that_it_answers() -> None:
    asked = the_turn().after
    answered = turn_of(asked, {"gm": {"tell": [{"to": "examplia", "answers": 1, "text": "The heir smiles."}]}})
    assert section(answered, "THE GM SAYS") == "  Your request: I court the duke's heir.\n    The heir smiles."
    assert "wait for the GM" not in files_of(answered)["examplia.txt"]


# --- the sheet


def test_the_sheet_shows_before_and_after_side_by_side() -> None:
    rows = the_text()["THE SHEET"].splitlines()
    assert rows[0] == "                      before   after   change"
    assert rows[1] == "  Treasury                60      56       -4"
    assert rows[3] == "  Size                     5       5"
    assert "Treasury 60 56 -4 Unrest 9 14 +5 Size 5 5 Districts 2 2" in the_page()


def test_the_sheet_shows_what_was_chosen_and_what_was_before() -> None:
    assert (
        "  Leadership        stability (before: economy)\n  Work week         long (before: very long)"
        in the_text()["THE SHEET"]
    )
    assert "  Government        Autocracy\n  Alignment         Lawful good\n" in the_text()["THE SHEET"]
    assert "  Government        none\n  Alignment         none" in section(the_turn(), "THE SHEET", "borderia")


def test_the_first_lines_say_what_matters() -> None:
    """Numbers, danger with its cause and what helps, refused orders in one line, then the rest."""
    assert the_text()[""].split("\n\n")[1].splitlines() == [
        "Size       5 -> 5",
        "Treasury   60 -> 56 BP (-4)",
        "Unrest     9 -> 14 (+5)",
        "Danger     A hex lost by turn 5 if you order nothing: 100 %. Unrest 14 of 11;",
        "           Stability check 25 % in turn 2. `build: jail in Newford` (14 BP)",
        "           helps, but not enough: Unrest -2.9 on average in turn 2.",
        "Danger     Anarchy by turn 5: 84 %. Unrest 14 of 20; Stability check 25 % in",
        "           turn 2. The same order makes it 50 %.",
        "Refused    claim 0203: This turn's limit of claims is used up; it is 1 at size",
        "           5 (ruling caps_at_start). And 2 more.",
        "Checks     Economy passed, Stability failed, Loyalty failed",
        "To read    3 words from the GM, 1 letter",
    ]
    assert (
        "Size 5 → 5 (as before) Treasury 60 → 56 BP (-4) Unrest 9 → 14 (+5) Danger A hex lost by turn 5" in the_page()
    )


def test_the_first_lines_of_older_rules_are_as_they_were() -> None:
    older = files_of(the_turn(), rules=rules_of({"event_going_on": None}))["examplia.txt"]
    assert sections(older)[""].split("\n\n")[1].splitlines() == [
        "Treasury   60 -> 56 BP (-4)",
        "Unrest     9 -> 14 (+5)",
        "Checks     Economy passed, Stability failed, Loyalty failed",
        "Orders     10 done, 1 changed, 3 refused",
        "Refused    claim 0203: This turn's limit of claims is used up; it is 1 at size",
        "           5 (ruling caps_at_start). …",
        "           and 2 more, see below",
        "Looming    A hex is lost, or will be at the next start: 100 %, if you order",
        "           nothing",
        "To read    3 words from the GM, 1 letter",
    ]


def test_what_is_asked_stands_in_the_first_lines_too() -> None:
    first = sections(files_of(turn_of(alone(unrest=11)))["examplia.txt"])[""]
    asked = "Answer     Unrest costs the kingdom a hex: which one? You can say: 0403, 0405.\n"
    assert f"{asked}           If you do not reply: 0405.\n" in first


def test_what_was_lost_and_won_stands_above_the_numbers() -> None:
    """A hex that Unrest cost, then one that was claimed."""
    shrunk = turn_of(turn_of(alone(unrest=11)).after)
    assert "\n\nLost       hex 0405\nSize       3 -> 2 (-1)\n" in files_of(shrunk)["examplia.txt"]
    assert '<bdi class="bad">hex 0405</bdi>' in files_of(shrunk)["examplia.html"]
    grown = turn_of(alone(), {"examplia": {"claim": "0303"}})
    assert "\n\nWon        hex 0303\nSize       3 -> 4 (+1)\n" in files_of(grown)["examplia.txt"]
    assert '<bdi class="good">hex 0303</bdi>' in files_of(grown)["examplia.html"]


def test_an_answer_to_an_event_says_the_odds_and_the_price_of_each_choice() -> None:
    """And of which turn the odds are."""
    struck = turn_of(alone(), {"gm": {"gm": [{"event": "bandit_activity", "to": "examplia", "reason": "they come"}]}})
    text = words(files_of(struck)["examplia.txt"])
    assert "Answer Bandit activity, in turn 2. Odds of turn 2: " in text
    assert re.search(
        r"`answers: {bandit_activity-1: {adventurers: 4}}` makes that \d+ % for 4 BP, \d+ % for 8 BP", text
    )
    assert "If you do not reply: none." in text and "Event Bandit activity" not in text


def test_what_events_changed_for_longer_is_one_line_with_its_ends() -> None:
    changed = (
        Modifier("stability", -2, "plague", "a plague", event="plague-1", ends=9),
        Modifier("stability", -1, "plague", "a plague", event="plague-1", ends=9),
        Modifier("loyalty", 1, "boomtown", "a boom", event="boomtown-1", lasting=True),
        Modifier("economy", 4, "leadership", "the leadership"),
    )
    world = alone()
    own = msgspec.structs.replace(world.kingdoms["examplia"], modifiers=changed)
    text = files_of(turn_of(msgspec.structs.replace(world, kingdoms={"examplia": own})))["examplia.txt"]
    assert "\nLasting    Stability -3 until turn 9 begins, Loyalty +1 without an end\n" in f"{sections(text)['']}\n"


def test_a_lost_capital_is_said_first() -> None:
    before = alone(unrest=11, hexes={"0404": []})
    fallen = turn_of(turn_of(before).after)
    text = files_of(fallen)["examplia.txt"]
    assert "Lost       the capital Oakhold, hex 0404\n" in text
    assert text.index("Lost  ") < text.index("Size  ") < text.index("Treasury  ")


def test_what_comes_next_turn_stands_with_the_sheet() -> None:
    assert the_text()["THE SHEET"].endswith("  Coming            +4 Stability in turn 2: aid from Borderia")


# --- what happened


def test_what_happened_is_told_in_words_phase_by_phase() -> None:
    told = the_text()["WHAT HAPPENED"].splitlines()
    assert told[:3] == ["  GM's rulings", "    - the duke's gift: Treasury +5", "    In all: Treasury +5."]
    assert "    - Brewery in Oakhold at D1: Treasury -6, Loyalty +1, Stability +1" in told
    assert told[-4:] == [
        "  Upkeep phase",
        "    - Stability check, failed by 13: Unrest +4",
        "    - Loyalty check, failed by 13: Unrest +1",
        "    In all: Unrest +5, Treasury -5.",
    ]
    assert "Income phase Economy check, success by 1: Treasury +6 In all: Treasury +6." in the_page()


# --- what needs an answer


def test_what_needs_an_answer_stands_with_its_choices_its_default_and_the_order() -> None:
    lost = turn_of(alone(unrest=11))
    assert section(lost, "WHAT NEEDS YOUR ANSWER").splitlines() == [
        "  Unrest costs the kingdom a hex: which one?",
        "  Choices    0403, 0405",
        "  Default    0405, if you do not answer",
        '  Order      answers: {lose_hex: "0405"}',
    ]
    page = words(files_of(lost)["examplia.html"])
    assert 'Choices: 0403, 0405. If you do not answer: 0405 . The order: answers: {lose_hex: "0405"}' in page
    assert "WHAT NEEDS YOUR ANSWER" not in the_text()


# --- orders


def test_each_order_is_done_changed_or_refused() -> None:
    orders = the_text()["YOUR ORDERS OF TURN 1"]
    assert "  done     leadership: stability\n" in orders
    assert (
        "  changed  claim 0403\n           0403 was contested with Borderia: 20 (d20) + 8 Stability - 9 Unrest"
        in orders
    )
    assert [line[2:9] for line in orders.split("\n\n")[0].splitlines() if line[2] != " "].count("refused") == 3


def test_a_refusal_gives_the_rule_and_its_cure() -> None:
    (reason,) = (notice.facts["reason"] for notice in the_turn().notices if notice.facts.get("order") == "improve[1]")
    assert "(Edict step 3)" in reason and "needs" in reason
    assert f"refused improve mine 0304 {reason} done" in " ".join(the_text()["YOUR ORDERS OF TURN 1"].split())
    assert f"improve mine 0304 {reason} refused" in the_page()


def test_requests_that_wait_stand_under_the_number_that_the_gm_answers_to() -> None:
    assert the_text()["YOUR ORDERS OF TURN 1"].endswith(
        "  Your requests that wait for the GM\n     1     I court the duke's heir."
    )


def test_a_seat_that_filed_nothing_is_told_so() -> None:
    assert section(the_turn(), "YOUR ORDERS OF TURN 1", "cravonia") == "  None came in, so nothing new was done."


def test_an_order_that_the_gm_voided_says_why() -> None:
    void = {"gm": [{"void": {"kingdom": "examplia", "order": "claim[0]"}, "reason": "the hex is cursed"}]}
    result = turn_of(alone(), {"examplia": {"claim": ["0402"]}, "gm": void})
    assert (
        section(result, "YOUR ORDERS OF TURN 1")
        == "  refused  claim 0402\n           The GM voids claim[0]: the hex is cursed."
    )


# --- the turn as a ledger


def test_the_turn_is_a_ledger_by_phase_and_step() -> None:
    phases = [name for name in the_text() if name.endswith("PHASE") or name == "GM'S RULINGS"]
    assert phases == ["GM'S RULINGS", "EDICT PHASE", "INCOME PHASE", "UPKEEP PHASE"]
    assert (
        the_text()["GM'S RULINGS"].splitlines()[1]
        == "    the duke's gift                               Treasury        +5     = 65"
    )
    build = [
        "    Brewery in Oakhold at D1                      Treasury        -6     = 55",
        "                                                  Loyalty         +1     = 11",
        "                                                  Stability       +1      = 9",
    ]
    assert "\n".join(build) in the_text()["EDICT PHASE"]


def test_a_roll_shows_its_die_its_sum_term_by_term_the_dc_and_what_it_did() -> None:
    assert the_text()["UPKEEP PHASE"].splitlines()[:6] == [
        "  Stability check",
        "    Stability: 2 (d20) + 11 Stability - 9 Unrest = 4, DC 17: failed by 13.",
        "    failed by 13: 4 (d6)                          Unrest          +4     = 13",
        "  Loyalty check",
        "    Loyalty: 6 (d20) + 11 Loyalty - 13 Unrest = 4, DC 17: failed by 13.",
        "    failed by 13                                  Unrest          +1     = 14",
    ]
    assert (
        "Stability: 2 (d20) + 11 Stability - 9 Unrest = 4, DC 17: failed by 13 failed by 13: 4 (d6) Unrest +4 13"
        in the_page()
    )


def test_aid_shows_its_roll_to_the_sender_alone() -> None:
    sender = section(the_turn(), "EDICT PHASE", "borderia")
    assert "    Aid to Examplia: 12 (d20) + 1 Opulence = 13, DC 5: success by 8." in sender
    assert "    - Aid to Examplia check, success by 8: +4 to stability there" in section(
        the_turn(), "WHAT HAPPENED", "borderia"
    )
    assert "Opulence" not in the_text()["EDICT PHASE"]


def test_a_natural_one_or_twenty_that_decides_is_named_with_its_ruling() -> None:
    result = turn_of(alone(attributes={"economy": 30, "stability": 30}), dice={"examplia": {"economy": 1}})
    assert "= 34, DC 14: failed by 1, a natural 1\n    (ruling check)." in section(result, "INCOME PHASE")


def test_in_anarchy_no_die_is_shown() -> None:
    result = turn_of(world_of({"examplia": {}}, state={"examplia": {"anarchy": 1, "unrest": 20}}))
    assert "Economy: 0, not rolled (ruling anarchy), DC 12: failed by 12." in section(result, "INCOME PHASE")


# --- sources, land, settlements


def test_every_modifier_stands_with_its_source() -> None:
    assert the_text()["WHERE EACH NUMBER COMES FROM"].startswith(
        "  Economy            10\n"
        "           +2   Lawful good (alignment)\n"
        "           +6   the kingdom's own\n"
        "           +1   taxation light\n"
        "           +1   Inn, Oakhold C1\n"
        "  Loyalty            11\n"
    )


def test_the_land_shows_what_lies_and_what_stands_in_each_hex() -> None:
    assert "  0304  Plains     River, Landmark                Farm, Road\n" in the_text()["LAND"]
    assert (
        "  0404  Plains                                    nothing\n        a sinkhole by the old mill\n"
        in the_text()["LAND"]
    )
    assert "0304 Plains River, Landmark Farm, Road" in the_page()


def test_land_that_is_cut_off_says_what_that_costs() -> None:
    result = turn_of(
        world_of({"examplia": {"hexes": {"0404": [], "0407": []}, "settlements": {"Oakhold": {"hex": "0404"}}}})
    )
    assert "cut off from the capital: 1 more Unrest in checks about it" in section(result, "LAND")


def test_neighbours_stand_with_name_size_and_the_hexes_in_sight() -> None:
    assert the_text()["LAND"].endswith("    Borderia (borderia), size 7, its hexes in sight: 0403 0504")


def test_a_settlement_is_drawn_district_by_district() -> None:
    town = the_text()["OAKHOLD, HEX 0303, THE CAPITAL"].splitlines()
    assert town[:3] == [
        "    A           B           C           D           E           F",
        "  1 House       House       Inn         Brewery     .           .",
        "  2 .           .           .           .           .           .",
    ]
    assert town[7] == "  Borders: north land, City Wall; east land; south water; west land"


def test_a_building_of_four_lots_and_a_second_district_are_drawn() -> None:
    buildings = {"Oakhold": {"hex": "0404", "districts": 2, "buildings": ["arena", "house"]}}
    town = section(turn_of(alone(settlements=buildings)), "OAKHOLD, HEX 0404, THE CAPITAL")
    assert "  1 Arena       (Arena)     House       .           .           .\n  2 (Arena)     (Arena)     ." in town
    assert "  District 2\n" in town


# --- aid and messages


def test_messages_stand_with_sender_and_reader() -> None:
    assert the_text()["AID, MESSAGES, NEWS"].splitlines() == [
        "  Aid from Borderia for stability: +4 to stability next turn.",
        "  You to all",
        "  | Well met.",
        "  You to Borderia",
        "  | Shall we talk of the ford?",
        "  | By the old mill.",
        "  Borderia to you",
        "  | We send what we can.",
    ]
    assert "Examplia to all\n  | Well met." in section(the_turn(), "AID, MESSAGES, NEWS", "cravonia"), (
        "it never met Examplia"
    )


# --- what may be done next turn, and the odds


def test_next_turn_names_the_caps_and_what_the_treasury_affords() -> None:
    text = the_text()["WHAT YOU MAY DO IN TURN 2"]
    assert text.startswith(
        "  The treasury holds 56 BP. Size 5 allows: hex claims 1, terrain improvements\n"
        "  2, new settlements 1, buildings 1, special edicts 1.\n"
        "  Outside the limit of buildings: the first House, every Tenement.\n"
    )
    assert "    0203   1  Forest; Lair; monsters, ACR 3\n" in text and "\n    0403 " not in text
    assert "    0302      road 3, canal 6\n" in text
    assert "      road: Economy +1 for every 4, Stability +1 for every 8\n" in text, (
        "what an improvement does stands once"
    )
    assert "    In every settlement\n         1  Tenement (Unrest +2)\n         2  Moat (Unrest -1)\n" in text
    assert "        54  Castle (" in text and "Cathedral" not in text, "58 BP are more than the treasury holds"
    assert "    Holiday     very long (Loyalty -1), *long (Loyalty +1, Consumption +1)," in text


def test_one_settlement_has_one_list() -> None:
    text = section(turn_of(alone()), "WHAT YOU MAY DO IN TURN 2")
    assert "    Oakhold\n         1  Tenement (Unrest +2)\n" in text and "In every settlement" not in text


def test_the_odds_of_each_check_stand_with_what_it_leads_to() -> None:
    assert "  Stability                      16+           25 %  -1 Unrest\n" in the_text()["THE ODDS OF TURN 2"]
    assert (
        "  Aid to borderia, 1 BP          6+            75 %  +1 to +7 to an attribute\n"
        in the_text()["THE ODDS OF TURN 2"]
    )


def test_a_turn_of_anarchy_offers_nothing_but_a_form_for_messages() -> None:
    result = turn_of(alone(unrest=19, attributes={"economy": -3, "loyalty": -3, "stability": -9}))
    found = sections(files_of(result)["examplia.txt"])
    assert not [name for name in found if name.startswith(("WHAT YOU MAY DO", "THE ODDS"))]
    assert "leadership" not in found["ORDER FORM FOR TURN 2"]


# --- the order form and the foot


def test_the_form_is_in_the_short_form_and_filled_in() -> None:
    assert the_text()["ORDER FORM FOR TURN 2"].split("\n\n")[1].splitlines() == [
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
    assert (
        list(found)[:3] == ["", "WHAT YOU MAY DO IN TURN 1", "THE SHEET"]
        and "  Treasury                60\n" in found["THE SHEET"]
    )
    assert "before" not in found["THE SHEET"] and "Orders carried out" not in text and "Digest of" not in text
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
    start = the_book().index("What needs a ruling")
    assert the_book()[start:].startswith(
        "What needs a ruling Examplia , request 1, of turn 1 I court the duke's heir. "
        'Answer: tell: [{to: examplia, answers: 1, text: "..."}] Your orders, ready to be filled in'
    )
    assert 'turn: 2 tell: - {to: examplia, answers: 1, text: "..."} # I court the duke\'s heir. #gm:' in the_book()


def test_the_gms_book_links_to_every_kingdoms_report_and_repeats_none() -> None:
    book = the_files()["gm.html"]
    assert re.findall(r'href="(\w+\.html)"', book) == [f"{seat}.html" for seat in SEATS]
    for seat in SEATS:
        page = the_files()[f"{seat}.html"]
        assert page[page.index('<main id="report">') + 18 : page.index("</main>")].strip() not in book


def test_the_gms_book_holds_his_own_orders_the_secrets_and_every_die() -> None:
    assert (
        "grant examplia account treasury by 5: the duke's gift gm[0] done reveal 0203 to examplia: your scouts came back gm[1] done"
        in the_book()
    )
    assert "tell borderia: Beware of Examplia. tell[1] done" in the_book()
    assert "Secrets touched Hex Kingdom Found 0203 Examplia lair, monsters of ACR 3" in the_book()
    assert "examplia contest-0403:1:20 20 seed borderia contest-0403:1:20 15 seed" in the_book().replace(
        "borderia contest-0403:1:20 15 seed examplia contest-0403:1:20 20 seed",
        "examplia contest-0403:1:20 20 seed borderia contest-0403:1:20 15 seed",
    )
    for digit in "ebcda9":
        assert digit * 64 in the_book()


def test_the_gms_book_shows_the_sheets_side_by_side() -> None:
    assert "Examplia 56 -4 14 +5 5 2 17 10 -2 11 +1 11 +6 5 0 0 1 stability long, token, light" in the_book()
    assert "Examplia Treasury 56 -4 Unrest 14 +5 Size 5 Districts 2" in the_book(), "the compact form"


def test_no_page_and_no_text_leaves_a_template_word_behind() -> None:
    for name, text in the_files().items():
        for mark in ("{{", "}}", "{%", "%}", "Undefined", "<script", "Modifier(", " None,", "None]"):
            assert mark not in text.replace("{to: all", ""), (name, mark)
