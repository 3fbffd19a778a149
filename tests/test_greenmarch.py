"""The example campaign, campaigns/greenmarch: what occurs in it and where; it is sound, and its orders make it.

The tables name the turn, the seat and the place. It plays by the rules that it keeps. After a change of the orders, or of how turns
are played: `scripts/regold campaigns/greenmarch`, and bring the tables up to date where something now occurs elsewhere.
"""

from __future__ import annotations

import re
import shutil
from email import message_from_bytes
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import store
from kingdom.cli.main import main
from kingdom.engine.turn import foreseen
from kingdom.games.realm.forecast import courses
from kingdom.games.realm.forecast.words import name_of
from kingdom.games.realm.game import GAME
from kingdom.games.realm.orders import special_edict
from kingdom.games.realm.orders.aid import AID
from kingdom.games.realm.orders.answers import ANSWERS
from kingdom.games.realm.orders.claim import CLAIM
from kingdom.games.realm.orders.improve import IMPROVE
from kingdom.games.realm.orders.leaving import ABANDON, CAPITAL
from kingdom.games.realm.orders.settle import SETTLE
from kingdom.games.realm.sheet import DERIVED
from kingdom.games.realm.steps import event, gm, income, upkeep
from kingdom.games.realm.steps.land import claims, ground, improvements, losing
from kingdom.games.realm.steps.towns import construction, lots, settlements
from tests.kit.campaignkit import Example, Found, as_kept, below, declared, least

FOLDER = Path(__file__).parent.parent / "campaigns" / "greenmarch"
LAST = 11  # the last turn that is kept; orders for the next one are filed
KIT = Example(FOLDER, LAST)
KEPT, HINT = KIT.turns, KIT.hint
SEATS = ("borderia", "cravonia", "dunmoor", "examplia")
notice, check, entry, roll, silent, filed, typed = (
    KIT.notice,
    KIT.check,
    KIT.entry,
    KIT.roll,
    KIT.silent,
    KIT.filed,
    KIT.typed,
)


# --- what occurs: in words -> where it must be found

OCCURS: dict[str, Found] = {
    # checks, each with every outcome
    "the Economy check succeeds and pays": check(2, "examplia", "economy", True, total=least(41)),
    "... a third of its total": entry(2, "examplia", "taxes", "treasury", +18, "54 divided by 3"),
    "... and what mines, quarries and sawmills bring": entry(2, "examplia", "works", "treasury"),
    "the Economy check fails and pays nothing": check(1, "examplia", "economy", False),
    "the Stability check succeeds: Unrest falls": entry(2, "dunmoor", "stability", "unrest", -1, "success"),
    "the Stability check succeeds at Unrest 0: 1 BP": entry(10, "examplia", "stability", "treasury", +1),
    "the Stability check fails by 1 to 4: Unrest +1": check(4, "examplia", "stability", False, margin=least(-4)),
    "... as the ledger has it": entry(4, "examplia", "stability", "unrest", +1, "failed by 1"),
    "the Stability check fails by 5 or more": check(2, "cravonia", "stability", False, margin=below(-4)),
    "... and a die says how much Unrest": roll(2, "cravonia", "stability_failure", 3),
    "a natural 20 succeeds below the Control DC": check(4, "cravonia", "stability", True, die=20, total=below(24)),
    "a natural 1 fails": check(2, "dunmoor", "economy", False, die=1),
    "the people are roused": check(2, "examplia", "loyalty", True),
    "... which shows in the next turn": entry(3, "examplia", "rouse_the_people", "economy", +1),
    "... and ends in the one after": entry(4, "examplia", "rouse_the_people", "economy", -1),
    "the people are not roused: Unrest +1": entry(2, "cravonia", "rouse_the_people", "unrest", +1),
    "heads are broken: Unrest -1": entry(5, "cravonia", "change_minds_by_breaking_heads", "unrest", -1),
    "heads are broken by 10 or more: Unrest -2": entry(3, "dunmoor", "change_minds_by_breaking_heads", "unrest", -2),
    "heads are broken in vain: Loyalty -1 in the next turn": entry(
        5, "examplia", "change_minds_by_breaking_heads", "loyalty", -1
    ),
    "a free city joins": check(2, "examplia", "free_city-0607", True),
    "a free city stays free": check(3, "borderia", "free_city-0808", False),
    "... at the cost of Unrest": entry(3, "borderia", "free_city", "unrest", +4),
    "a free city is asked again, and joins": entry(
        5, "borderia", "free_city", "consumption", detail="Stilton Fen in 0808 joins"
    ),
    "... and its buildings come into service": entry(5, "borderia", "in_service", "economy", +1, "House, Tannery"),
    "a settlement that was let go joins another kingdom": check(7, "borderia", "free_city-0909", True),
    "the capital moves: Unrest +1": entry(9, "borderia", "capital_move", "unrest", +1, "from Graymouth to Fenwick"),
    "the capital moves by a failed check: Unrest by a die": entry(
        10, "cravonia", "capital_move", "unrest", +3, "3 (d6)"
    ),
    "aid succeeds": check(3, "examplia", "aid-cravonia", True, total=21, dc=14),
    "... is paid": entry(3, "examplia", "aid", "treasury", -6),
    "... and received for a turn": entry(4, "cravonia", "aid", "stability", +4),
    "aid fails": check(11, "cravonia", "aid-examplia", False),
    # hexes
    "a contested claim is won": notice(2, "examplia", "news", contest="0607", won=True),
    "a contested claim is lost": notice(2, "borderia", "changed", contest="0607", won=False),
    "a contested claim is tied": notice(3, "dunmoor", "changed", contest="0911", text=re.compile("a tie")),
    "a claim reveals a secret": notice(
        4, "examplia", "news", hex="0802", text=re.compile("owlbear.*monsters of ACR 3")
    ),
    "a hex is lost to Unrest, as the orders name it": entry(
        5, "cravonia", "hex_loss", "size", -1, "1202, to Unrest, as named"
    ),
    "a hex is lost to Unrest, and none was named": entry(
        6, "cravonia", "hex_loss", "size", -1, "1001, to Unrest, none was named"
    ),
    "a hex is lost to Unrest, and the answer was no choice": notice(
        4, "cravonia", "refusal", code="answer_not_a_choice"
    ),
    "a hex is cut off from the capital": notice(
        5, "cravonia", "news", text=re.compile("^Cut off from the capital: 1201")
    ),
    "a hex cut off for too long is lost": entry(10, "examplia", "secondary_territory", "size", -1, "1102"),
    "a hex is abandoned": entry(5, "dunmoor", "abandon", "unrest", +1, "1009"),
    "a hex with a settlement is abandoned": entry(5, "dunmoor", "abandon", "unrest", +4, "0909 with Fenwick"),
    "a capital is abandoned and the next one named": notice(
        11, "cravonia", "news", text=re.compile("^Sandgate is the capital now")
    ),
    "what stands in a lost hex decays": roll(7, "gm", "decay-1009-farm", 8),
    "a lost hex is claimed back with what is left": entry(
        8, "cravonia", "claim", "size", +1, "with what is left there: mine"
    ),
    "Unrest reaches 20": entry(5, "cravonia", "stability", "unrest", +3),
    "... a turn of anarchy follows": notice(6, "cravonia", "news", text=re.compile("^This is a turn of anarchy")),
    "... every check of it totals 0 and is not rolled": check(6, "cravonia", "economy", False, die=None, total=0),
    "... and half the hexes are lost": entry(6, "cravonia", "anarchy", "size", -1),
    "a kingdom without land is destroyed": notice(6, "dunmoor", "news", text=re.compile("^Dunmoor is destroyed")),
    # the rest of a turn
    "an attribute below 0 adds Unrest": entry(2, "cravonia", "negative_attribute", "unrest", +1, "Loyalty is -6"),
    "Consumption takes the treasury below 0": entry(3, "dunmoor", "consumption", "unrest", +2, "below 0"),
    "granaries give what the treasury can't": entry(10, "borderia", "granary", "stores", -4),
    "a building stands in a settlement from its founding": entry(
        3, "examplia", "found_building", "economy", +1, "Mill in Newmill"
    ),
    "the leadership bonus goes to two attributes": entry(2, "examplia", "leadership", "stability", +3),
    "a watchtower is made a fort": entry(8, "examplia", "improve", "stability", +1, "made of the watchtower"),
    "a road is made a highway": entry(3, "examplia", "improve", "treasury", -1, "highway in 0504, made of the road"),
    "a road crosses a river": entry(2, "borderia", "improve", "treasury", -2, "road in 0807, with a bridge"),
    "a tenement is made a house": entry(11, "cravonia", "upgrade", "unrest", -1, "Tenement made House"),
    "a building is torn down": entry(8, "cravonia", "demolish", "treasury", -1),
    "a second district is laid out": entry(11, "examplia", "district", "treasury", -1, "district 2 of Millbrook"),
    # the GM and the players
    "a GM's grant": entry(1, "cravonia", "grant", "treasury", +5),
    "a GM's grant of a derived number": entry(6, "examplia", "grant", "opulence", +1),
    "an account is set by the GM": entry(7, "cravonia", "set", "treasury", detail="creditors"),
    "a hex is revealed to one by the GM": notice(2, "borderia", "ruling", hex="0808"),
    "a hex is revealed to all by the GM": notice(5, "examplia", "ruling", hex="0908"),
    "an order is voided by the GM": notice(6, "examplia", "voided", order="claim[0]"),
    "a request is answered by the GM": notice(2, "borderia", "tell", answers=re.compile("elders of Oldwick")),
    "the GM tells all": notice(1, "all", "tell"),
    "a player is missing": silent(6, "borderia"),
}

# --- refusals: code, turn, seat, the order's path

REFUSED = """
abandon_capital                9  cravonia  abandon[0]
abandon_not_held               5  dunmoor   abandon[3]
aid_cost                       4  dunmoor   special[0]
aid_no_border                  2  cravonia  special[0]
aid_not_in_play                7  examplia  special[0]
aid_self                       4  cravonia  special[0]
answer_not_a_choice            4  cravonia  answers.lose_hex
answer_unasked                 3  cravonia  answers.lose_hex
border_no_wall                 1  borderia  build[2]
border_taken                   4  examplia  build[7]
border_unknown                 5  borderia  build[1]
border_water                   4  examplia  build[6]
build_danger                  11  borderia  build[0]
build_limit                   11  cravonia  build[2]
build_unaffordable             1  cravonia  build[0]
building_not_there             5  examplia  build[5]
capital_already                9  cravonia  capital
capital_unknown                7  borderia  capital
claim_cap                      1  cravonia  claim[2]
claim_contested               10  borderia  claim[1]
claim_cost                     4  cravonia  claim[0]
claim_held                     1  cravonia  claim[0]
claim_not_adjacent            11  cravonia  claim[0]
claim_own                      2  cravonia  claim[2]
claim_twice                    2  cravonia  claim[1]
claim_unknown_hex              1  borderia  claim[0]
claim_water                    2  borderia  claim[0]
district_full_of_kind          4  examplia  build[5]
gm_answer_to_all               4  gm        tell[1]
gm_below_zero                  3  gm        gm[0]
gm_no_such_request             2  gm        tell[1]
gm_not_in_play                 7  gm        gm[1]
gm_stores_room                 4  gm        gm[0]
gm_unknown_hex                 5  gm        gm[2]
gm_void_nothing                3  gm        gm[1]
improve_already                1  borderia  improve[0]
improve_cap                    9  examplia  improve[5]
improve_cost                   4  cravonia  improve[0]
improve_danger                 1  cravonia  improve[2]
improve_farm_water             1  borderia  improve[2]
improve_ground                 1  cravonia  improve[0]
improve_not_held               1  cravonia  improve[1]
improve_occupied               3  dunmoor   improve[0]
improve_own_water              3  cravonia  improve[1]
improve_prepared               4  examplia  improve[1]
improve_size                   2  borderia  improve[1]
improve_upgrade_only           4  examplia  improve[3]
lot_forbidden_neighbour        8  examplia  build[0]
lot_neighbour_serves_another   1  cravonia  build[1]
lot_no_host                   11  examplia  build[2]
lot_no_neighbour               1  borderia  build[1]
lot_no_water                   1  dunmoor   build[0]
lot_outside                    5  examplia  build[2]
lot_taken                      4  borderia  build[2]
lot_unknown                    2  cravonia  build[2]
place_is_a_border              2  borderia  build[0]
place_is_a_lot                 5  examplia  build[4]
prepare_occupied               4  examplia  improve[2]
settle_danger                  6  examplia  settle[4]
settle_limit                   8  cravonia  settle[1]
settle_name_taken              6  examplia  settle[0]
settle_not_held                6  examplia  settle[3]
settle_occupied                6  examplia  settle[2]
settle_unprepared              8  cravonia  settle[2]
settle_water                   3  examplia  settle[1]
settlement_full_of_kind        1  examplia  build[2]
settlement_lacks               4  examplia  build[4]
settlement_unknown             2  cravonia  build[3]
special_edicts_cap             3  examplia  special[1]
upgrade_leaves_unserved        7  examplia  build[2]
upgrade_unknown                4  examplia  build[2]
void_destroyed                 7  dunmoor   claim
void_in_anarchy                6  cravonia  build
wall_wants_gate                3  examplia  build[1]
water_not_here                 5  examplia  settle[0]
"""
ROWS = [(code, int(turn), seat, path) for code, turn, seat, path in map(str.split, REFUSED.strip().splitlines())]

# --- orders: key or form -> turn, seat


class Form(NamedTuple):
    """A form in which orders are typed. The key's value is of that type, or fits the pattern."""

    what: str
    turn: int
    seat: str
    key: str
    type: type
    pattern: str = ""


FORMS = [
    Form("claim, a list", 1, "examplia", "claim", list),
    Form("claim, between spaces", 2, "borderia", "claim", str, r"^\d{4} \d{4} \d{4}$"),
    Form("claim, between commas", 1, "borderia", "claim", str, ", "),
    Form("abandon, a list", 5, "dunmoor", "abandon", list),
    Form("abandon, a word", 9, "cravonia", "abandon", str),
    Form("improve, in full", 1, "examplia", "improve", list),
    Form("improve, short", 1, "borderia", "improve", str, "farm 0708, "),
    Form("improve: prepare, short", 8, "cravonia", "improve", str, "prepare 1205"),
    Form("settle, in full", 3, "examplia", "settle", list),
    Form("settle, short", 8, "cravonia", "settle", str, "Newsand 1205"),
    Form("build, in full", 1, "examplia", "build", list),
    Form("build, short", 1, "borderia", "build", str, "house in Graymouth"),
    Form("build at a lot, short", 1, "borderia", "build", str, "at F6"),
    Form("build on a border, short", 1, "borderia", "build", str, "at north"),
    Form("upgrade, short", 8, "cravonia", "build", str, "upgrade tenement to house in Sandgate at A2"),
    Form("demolish, short", 8, "cravonia", "build", str, "demolish tenement in Sandgate"),
    Form("edicts, in full", 1, "examplia", "edicts", dict),
    Form("taxation, short", 1, "cravonia", "taxation", str),
    Form("holiday, short", 4, "borderia", "holiday", str),
    Form("promotion, short", 3, "borderia", "promotion", str),
    Form("special, in full", 3, "examplia", "special", list),
    Form("aid, short", 2, "cravonia", "aid", str, "stability to borderia"),
    Form("leadership, a list", 1, "examplia", "leadership", list),
    Form("leadership, a word", 8, "borderia", "leadership", str),
    Form("loyalty with its attribute", 2, "examplia", "loyalty", dict),
    Form("loyalty, a word", 3, "dunmoor", "loyalty", str),
    Form("messages, in full", 1, "examplia", "messages", list),
    Form("messages, short", 1, "dunmoor", "messages", dict),
    Form("requests, a list", 6, "examplia", "requests", list),
    Form("requests, a text", 1, "borderia", "requests", str),
]

# what campaigns/war-of-the-ford shows: armies, expeditions, trade, events (tests/test_war_of_the_ford.py)
THERE = ("armies", "plan", "reserve", "doors", "smuggle") + tuple(
    f"special.{edict}" for edict in ("explore", "adventurers", "trade_route", "share_route", "close_route")
)
HERE_THE_GM = ("grant", "set", "reveal", "void")
STEPS_HERE = (
    gm,
    event,
    special_edict,
    claims,
    ground,
    losing,
    improvements,
    settlements,
    construction,
    lots,
    income,
    upkeep,
)
ELSEWHERE = {  # refusals of those steps that need what this campaign plays without
    "answer_figure": "events",
    "event_bars": "events",
    "lot_blocked": "events",
    "improve_unseen": "land out of sight; the towers of Oakhold see far (tests/problems)",
    "void_absent": "a kingdom that joins",
    "claim_given_up": "edition 2",
    "aid_helped": "edition 2",
    "aid_blockaded": "edition 2",
    "special_edict_off": "rules that lack a table",
    "gm_finished_already": "the end of the campaign",
}
NEVER = (
    "build.upgrade.border",  # nothing that stands on a border becomes anything else
    "surrender",  # nobody is besieged
)


# --- tests


def test_it_occurs() -> None:
    missing = [what for what, found in OCCURS.items() if not found()]
    assert not missing, "No longer where the table says; see campaigns/greenmarch/turns."


def test_it_is_refused() -> None:
    """And the player reads why, in the report of that turn."""
    for code, turn, seat, path in ROWS:
        found = notice(turn, seat, "refusal", code=code, order=path)()
        assert len(found) == 1, f"{code}, turn {turn}, {seat}, {path}: {len(found)} times"
        assert found[0]["facts"]["reason"] in KIT.read_by(turn, seat), code


def test_every_kind_of_refusal_is_in_the_table() -> None:
    codes = {code for module in STEPS_HERE for code in getattr(module, "REFUSALS", {})}
    codes |= {code for kind in (ANSWERS, ABANDON, CAPITAL, CLAIM, IMPROVE, SETTLE, AID) for code in kind.refusals}
    assert {code for code, *_ in ROWS} == codes - set(ELSEWHERE)


def test_a_form_of_orders_is_typed() -> None:
    for form in FORMS:
        value = typed(form.turn, form.seat)[form.key]
        assert isinstance(value, form.type), form.what
        assert not form.pattern or re.search(form.pattern, value), form.what


def test_every_key_of_the_orders_is_filed() -> None:
    """With its rarer parts (a lot, a border, water), every case of a list and every word of a choice."""
    given = [(turn, seat) for turn in KEPT for seat in filed(turn) if seat != "gm"]
    used = KIT.used(GAME.orders, SEATS)
    used |= {"token"} & {key for turn, seat in given for key in typed(turn, seat)}  # the reader takes it out
    assert sorted(path for path in declared(GAME.orders) - used - set(NEVER) if not path.startswith(THERE)) == []


def test_every_key_of_the_gm_is_filed() -> None:
    here = {
        path for path in declared(GAME.gm_orders) if not path.startswith("gm.") or path.split(".")[1] in HERE_THE_GM
    }
    assert (
        sorted(here - KIT.used(GAME.gm_orders, ["gm"]) - {"kingdom", "token", "amend"}) == []
    )  # which only mail needs


def test_every_improvement_and_edict_category_is_ordered() -> None:
    campaign = campaigns.open_campaign(FOLDER)
    names = GAME.names(campaigns.rules_of(campaign, campaigns.kept(campaign)).rules)
    orders = [each for turn in KEPT for each in filed(turn).values()]
    built = {each["build"] for one in orders for each in one.get("improve", ())}
    assert built == {*names["improvements"], "prepare"}
    assert {word for one in orders for word in one.get("edicts", ())} == {"holiday", "promotion", "taxation"}
    sent = {each["to"] for one in orders for each in one.get("messages", ())}
    assert {"all", "examplia", "borderia", "cravonia"} <= sent


# --- soundness


def test_the_books_balance_and_nothing_was_altered(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", str(FOLDER)]) == 0, f"{capsys.readouterr().err}\n{HINT}"


def test_the_turns_run_again_come_out_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(FOLDER)]) == 0, f"{capsys.readouterr()}\n{HINT}"


def test_the_next_turn_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A newcomer's first command: every player's orders are there, and each gets a report."""
    copy = shutil.copytree(FOLDER, tmp_path / "greenmarch")
    assert main(["turn", "--yes", str(copy)]) == 0, capsys.readouterr().err
    reports = copy / "turns" / store.name_of(LAST + 1) / "reports"
    for seat in ("examplia", "borderia", "cravonia"):
        assert f"YOUR ORDERS OF TURN {LAST + 1}" in (reports / f"{seat}.txt").read_text(encoding="utf-8")
    assert main(["audit", str(copy)]) == 0


def test_a_report_mail_has_at_most_350_kb(tmp_path: Path) -> None:
    copy = shutil.copytree(FOLDER, tmp_path / "greenmarch")
    assert main(["run", str(copy)]) == 0
    files = sorted((copy / "mail" / "outbox").glob("report-*.eml"))
    assert len(files) == 5
    for file in files:
        mail = message_from_bytes(file.read_bytes())
        pages = [part for part in mail.walk() if (part.get_filename() or "").endswith(".html")]
        forms = [part for part in pages if (part.get_filename() or "").startswith("form-")]
        assert (
            len(pages) - len(forms) == 1
            and file.stat().st_size <= 350_000
            and file.stat().st_size - sum(len(page.as_bytes()) for page in pages) <= 175_000
        )


@pytest.mark.parametrize(("edition", "most"), [(1, 75), (2, 135)])
def test_how_often_a_week_without_a_cache_asks_the_games_steps_what_becomes_of_a_kingdom(
    edition: int, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By edition 2 more often: it looks four turns ahead, by edition 1 one."""
    monkeypatch.setenv("KINGDOM_CACHE", "off")
    asked: list[int] = []
    settings = Path(shutil.copytree(FOLDER, tmp_path / "greenmarch"), "campaign.yaml")
    settings.write_text(settings.read_text(encoding="utf-8").replace("edition: 2", f"edition: {edition}"), "utf-8")

    def counted(*given: Any, **named: Any) -> Any:
        asked.append(1)
        return foreseen(*given, **named)

    monkeypatch.setattr(courses, "foreseen", counted)
    assert main(["run", str(settings.parent)]) == 0
    assert 10 < len(asked) <= most, len(asked)


@pytest.mark.long
def test_the_orders_make_the_campaign(tmp_path: Path) -> None:
    """Without its turns the campaign plays by its rules to the same state, dice and books: nothing in it was made by hand."""
    copy = shutil.copytree(FOLDER, tmp_path / "greenmarch", ignore=shutil.ignore_patterns("turns"))
    with as_kept(FOLDER):
        for _ in KEPT:  # the first one makes turn 0 as well
            assert main(["turn", "--yes", str(copy)]) == 0
    assert KIT.differences(copy) == [], HINT


@pytest.mark.parametrize("turn", (0, *KEPT))
def test_the_sources_of_each_number_sum_to_it(turn: int) -> None:
    """As the report explains it, as the sheet has it, and as the books hold it."""
    assert KIT.unequal_sources(turn) == []


def test_the_report_prints_these_sources() -> None:
    """Their sum is the number above them, in every report that a player got."""
    for turn in KEPT:
        for file in (FOLDER / "turns" / store.name_of(turn) / "reports").glob("*.txt"):
            text = file.read_text(encoding="utf-8")
            part = text.partition("--- THE SHEET AND ITS SOURCES")[2].partition("\n---")[0]
            rows = re.findall(r"^  (\w+) +(-?\d+) ((?:[+-]\d+ [^.]+)\.)$", part, re.M)
            terms = {name: re.findall(r"(?:^|;\s+)([+-]\d+)\s", row) for name, _, row in rows}
            sums = {name: (int(value), sum(map(int, terms[name]))) for name, value, _ in rows}
            assert sums.keys() <= {name_of(account) for account in DERIVED} and len(sums) >= 5, file
            assert all(value == total for value, total in sums.values()), (file, sums)
