"""The second example campaign, campaigns/war-of-the-ford.tar.xz: what occurs in it; it is sound, and its orders make it.

It shows what campaigns/greenmarch plays without: events, expeditions, trade, armies and war, a bot, a steward, a
kingdom that joins. The tables name the turn, the seat and the place. It plays by the rules that it keeps. After a change of the
orders, or of how turns are played: `scripts/regold campaigns/war-of-the-ford.tar.xz`, and bring the tables up to date where
something now occurs elsewhere.
"""

from __future__ import annotations

import re
import shutil
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from kingdom.campaign import campaign as campaigns
from kingdom.cli.main import main
from kingdom.games.realm.game import GAME
from kingdom.games.realm.orders.words import ARMY_DEEDS
from tests.kit import archives
from tests.kit.campaignkit import Example, Found, as_kept, declared
from tests.test_greenmarch import HERE_THE_GM as THERE_THE_GM
from tests.test_greenmarch import THERE as HERE

FOLDER = archives.example("war-of-the-ford")
LAST = 14  # the last turn that is kept
KIT = Example(FOLDER, LAST)
KEPT, HINT = KIT.turns, KIT.hint
PEOPLE = ("hartmark", "karrak", "skarn", "wendwater")
notice, check, entry, roll, silent, filed = KIT.notice, KIT.check, KIT.entry, KIT.roll, KIT.silent, KIT.filed


def news(turn: int, seat: str, text: str) -> Found:
    """What the seat was told in such words, a pattern."""
    return notice(turn, seat, "news", text=re.compile(text))


def battle(turn: int, hex: str, **outcomes: str) -> Found:
    """A battle there in which who is named, _ for a space, came off so."""

    def found() -> list:
        told = notice(turn, "gm", "battle", hex=hex)()
        sides = [side for each in told for side in each["facts"]["left"]]
        came_off = {re.sub(r"\W", "_", side["name"]): side["outcome"] for side in sides}
        return told if outcomes.items() <= came_off.items() else []

    return found


def filed_by(turn: int, seat: str, bot: str) -> Found:
    """Whether a bot of that temper gave the seat's orders."""
    return lambda: [bot] * (KIT.record(turn)["bots"].get(seat) == bot)


def reads(turn: int, seat: str, text: str) -> Found:
    """What stands in the seat's report, a pattern."""
    return lambda: re.findall(text, KIT.read_by(turn, seat))


def ordered(key: str) -> list[tuple[int, str, dict[str, Any]]]:
    """(turn, seat, order) of every order that a player filed under that key, a list."""
    return [(turn, seat, each) for turn in KEPT for seat in PEOPLE for each in filed(turn).get(seat, {}).get(key, ())]


# --- what occurs: in words -> where it must be found

OCCURS: dict[str, Found] = {
    # expeditions and adventurers
    "an expedition is paid in advance": entry(1, "hartmark", "exploration", "treasury", -8, "2 weeks in advance"),
    "... reports on its return": notice(2, "hartmark", "expedition", text=re.compile("explore-1 is back in Hartshold")),
    "... and no earlier": lambda: [1] * (not notice(1, "hartmark", "expedition")()),
    "... of a resource that it found": reads(2, "hartmark", "0502 Plains Lake, Resource"),
    "an army escorts an expedition and beats what it meets": battle(1, "0902", Iron_Host="victorious"),
    "... which stands in the report": reads(2, "karrak", "Iron Host beat monsters of ACR 2"),
    "an expedition goes in a direction until it meets a terrain, with adventurers beside it": notice(
        4, "wendwater", "expedition", text=re.compile("It turned back before 1207")
    ),
    "an expedition goes toward a hex": notice(10, "hartmark", "expedition", text=re.compile("explore-2 is back")),
    "an expedition comes to the edge of the map": notice(9, "skarn", "expedition", text=re.compile("edge of the map")),
    "adventurers are paid in full": entry(2, "hartmark", "adventurers", "treasury", -8),
    "... beat a monster": battle(2, "0203", adventurers_1="victorious"),
    "... and what waited there is built": entry(3, "hartmark", "improve", "treasury", detail="mine in 0203"),
    "... beat another far from home": battle(6, "0104", adventurers_2="victorious"),
    # trade routes
    "a caravan is sent": entry(1, "wendwater", "trade_route", "treasury", -2, "a caravan sent to The Hartmark"),
    "... is let in by its host": news(2, "hartmark", "trade route of Wendwater, trade_route-1, is open"),
    "... costs Consumption from then on": entry(2, "wendwater", "trade_route", "consumption", +2),
    "... and pays its founder": entry(2, "wendwater", "trade_route", "treasury", +4, "trade_route-1 with The Hartmark"),
    "another kingdom asks for a share": entry(3, "hartmark", "trade_route", "treasury", -2, "share_route-1"),
    "... gets it": news(4, "hartmark", "Wendwater shares its route trade_route-1 with you"),
    "... and half the gain": entry(5, "hartmark", "trade_route", "treasury", +2),
    "... as its founder the other half": entry(5, "wendwater", "trade_route", "treasury", +2),
    "a route is raided": news(4, "wendwater", "is raided by Crow Riders of The Karrak in 0607"),
    "... for the good of the raider": entry(4, "karrak", "raid", "treasury", +5),
    "a watchtower is built on a route": entry(4, "wendwater", "improve", "treasury", -12),
    "... and a patrol from there strikes first": battle(5, "0607", Crow_Riders="withdrew", River_Guard="victorious"),
    "... so that the route pays": entry(5, "wendwater", "trade_route", "treasury", +2),
    "a route is blockaded": news(6, "wendwater", "trade_route-1 of Wendwater with The Hartmark is blockaded"),
    "... for the second turn": news(7, "hartmark", "Vigilance along it counts 4 more"),
    "... until a patrol ends it": news(8, "wendwater", "is no longer blockaded"),
    "a share is refused": news(7, "wendwater", "turns the caravan of share_route-2 away"),
    "a route is closed by its founder": news(9, "karrak", "trade_route-1 is closed"),
    "... and is off the host's map": news(9, "wendwater", "trade_route-2, is no more"),
    "neighbours trade": entry(5, "hartmark", "trade", "treasury", detail="with Skarn"),
    "doors are closed": news(5, "karrak", "The Hartmark closes its doors"),
    "... and opened again": news(14, "karrak", "The Hartmark opens its doors"),
    "goods are smuggled": entry(2, "karrak", "smuggling", "treasury", detail="into The Hartmark"),
    "... in vain": notice(4, "karrak", "smuggling", success=False),
    "... through closed doors too": entry(5, "karrak", "smuggling", "treasury", detail="into The Hartmark"),
    "aid goes over a route": check(5, "hartmark", "aid-wendwater", True),
    "... and helps": entry(6, "wendwater", "aid", "stability", +3),
    # war
    "an army is recruited": entry(2, "karrak", "recruit", "treasury", detail="Black Company: large, Hobgoblins"),
    "... with resources from the first": entry(7, "hartmark", "recruit", "treasury", detail="with Improved armour"),
    "... made larger": entry(2, "wendwater", "expand", "treasury", detail="River Guard from medium to large"),
    "... equipped": entry(3, "wendwater", "equip", "treasury", -10, "Improved weapons"),
    "... with siege engines": entry(5, "karrak", "equip", "treasury", -15),
    "... repaired": entry(10, "wendwater", "restore", "treasury"),
    "... disbanded, and what it had sold": entry(6, "hartmark", "disband", "treasury", detail="Ranged weapons sold"),
    "... put in reserve": entry(11, "karrak", "reserve", "consumption", detail="Gate Watch in reserve"),
    "armies are not paid": news(10, "karrak", "Iron Host is not paid"),
    "... and then again": news(11, "karrak", "Crow Riders has all its pay"),
    "an army attacks monsters": battle(6, "0401", The_Reavers="victorious"),
    "a settlement is besieged": news(7, "hartmark", "Wendford in 0706 is besieged"),
    "... and stormed with them": lambda: [row for row in KIT.table(7, "dice.csv") if row["name"] == "siege-0706"],
    "an army that comes to its relief is defeated": battle(
        8, "0706", The_Hart_s_Own="defeated", Iron_Host="victorious"
    ),
    "... at a price": entry(8, "hartmark", "army_defeated", "economy", -3),
    "... and its commander gets away": news(8, "hartmark", "The commander of The Hart's Own: he got away"),
    "... and the settlement falls": entry(8, "hartmark", "conquest", "size", -1, "0706"),
    "... with its hex to the victor": entry(8, "karrak", "conquest", "size", +1, "0706"),
    "... but will not join": check(8, "karrak", "free_city-0706", False),
    "... before it is asked again": check(9, "karrak", "free_city-0706", True),
    "a hex is taken": entry(9, "karrak", "conquest", "size", +1, "0606"),
    "... that nobody defended, in the north": entry(8, "skarn", "conquest", "size", +1, "0904"),
    "an army withdraws": battle(8, "0607", Black_Company="withdrew"),
    "... and stands behind": news(8, "karrak", "Black Company has retreated"),
    "three kingdoms fight one army": battle(
        11, "0606", Iron_Host="defeated", The_Reavers="victorious", River_Guard="victorious"
    ),
    "... and one of theirs routs": battle(11, "0606", Ford_Levy="routed"),
    "... until it takes courage again": news(12, "hartmark", "Ford Levy has taken courage again"),
    "a settlement is won back": battle(12, "0706", The_New_Own="victorious", Black_Company="defeated"),
    "... and joins": check(12, "hartmark", "free_city-0706", True),
    "an army learns a tactic": news(5, "wendwater", "River Guard has learned: Defensive wall"),
    "... a commander a boon": news(5, "wendwater", "The commander of River Guard has learned: Flexible tactics"),
    "... and an army takes heart": news(6, "skarn", "The Reavers takes heart"),
    "an army rests": news(7, "wendwater", "River Guard rests"),
    # what is seen
    "foreign armies are seen": reads(
        6, "hartmark", "0806: large, Elite fighters, ACR 5, of The Queendom of the Karrak"
    ),
    "land is remembered as it was": reads(8, "karrak", "Not in sight now, as it last was"),
    # events
    "adventurers help with an event": entry(1, "hartmark", "feud", "treasury", -4, "adventurers hired"),
    "an event goes on until its checks succeed twice": news(2, "wendwater", "Inquisition: 2 turns in a row"),
    "a demand is quieted by a check": news(10, "hartmark", "Improvement demand in 0504: it is over"),
    "a building is damaged": news(7, "karrak", "House at F1 damaged"),
    "a disaster threatens a town, lot by lot": notice(
        11, "skarn", "check", name=re.compile("^localized_disaster-0702")
    ),
    "a building is a gift": news(13, "hartmark", "Monument at B3, at no cost"),
    "a monster attacks, and leaves": news(12, "wendwater", "the monsters leave"),
    # the GM
    "the GM places monsters": news(4, "gm", "monsters of ACR 2 are in 0104"),
    "the GM ends an event": notice(6, "wendwater", "ruling", text=re.compile("^The GM ends Inquisition")),
    "the GM forces an event": notice(5, "karrak", "ruling", reason="unpaid riders in the Karrak woods"),
    "the GM renames a kingdom": notice(6, "karrak", "ruling", text=re.compile("is called The Queendom of the Karrak")),
    "the GM renames an army": notice(5, "skarn", "ruling", text=re.compile("is called The Reavers")),
    "the GM takes a hex": entry(14, "karrak", "take", "size", -1, "0806"),
    "the GM gives a hex": entry(14, "hartmark", "give", "size", +1, "0806"),
    "the GM voids an order": notice(8, "karrak", "voided", order="claim[0]"),
    "the GM answers a request": notice(8, "karrak", "tell", answers=re.compile("crowned")),
    # who plays
    "a kingdom that the campaign names is not there yet": reads(3, "skarn", "The kingdom has not joined the game yet"),
    "... joins by the GM's order": notice(4, "all", "news", text=re.compile("^Skarn joins the game")),
    "... with its books": entry(4, "skarn", "add", "treasury", +45),
    "a kingdom leaves": notice(14, "all", "news", text=re.compile("^The Salt Cities leaves the game")),
    "a bot gives a seat's orders": filed_by(1, "saltgate", "trader"),
    "a player is silent": silent(12, "skarn"),
    "... and a steward stands in": filed_by(13, "skarn", "steward"),
    "... which all are told": notice(13, "all", "news", text=re.compile("^The player of skarn is silent")),
    "a plan is worked off": notice(1, "karrak", "plan", outcome="done"),
    "... and waits for what its reserve leaves": notice(
        4, "wendwater", "plan", item="bank in Wendmouth", outcome="waits"
    ),
    "... until there is enough": notice(8, "wendwater", "plan", item="bank in Wendmouth", outcome="done"),
    "a change of the rules is announced ahead": reads(8, "wendwater", r"trade_route\.gain: 4 -> 6"),
    "... and comes": reads(9, "wendwater", r"trade_route\.gain: 4 -> 6"),
    "... to its effect": entry(10, "hartmark", "trade_route", "treasury", +3),
}

# --- events: what they are called, at least ten of them, as the reports tell them

EVENTS = [
    "bandit_activity",
    "karrak",
    "boomtown",
    "skarn",
    "discovery",
    "wendwater",
    "drug_den",
    "karrak",
    "economic_boom",
    "wendwater",
    "feud",
    "hartmark",
    "food_shortage",
    "karrak",
    "food_surplus",
    "hartmark",
    "good_weather",
    "karrak",
    "improvement_demand",
    "hartmark",
    "inquisition",
    "wendwater",
    "justice_prevails",
    "skarn",
    "localized_disaster",
    "skarn",
    "monster_attack",
    "wendwater",
    "noblesse_oblige",
    "hartmark",
    "political_calm",
    "skarn",
    "public_scandal",
    "wendwater",
    "unexpected_find",
    "karrak",
    "vandals",
    "karrak",
    "visiting_celebrity",
    "hartmark",
]
STRUCK = list(zip(EVENTS[::2], EVENTS[1::2], strict=True))

# --- refusals of what greenmarch has not: code, turn, seat, the order's path

REFUSED = """
adventurers_bp        8  hartmark   special[0]
answer_figure         5  wendwater  answers.public_scandal-1
army_not_home         7  wendwater  armies[0]
army_unknown          5  skarn      armies[0]
disband_to_elsewhere  5  hartmark   armies[0]
equip_has            10  wendwater  armies[2]
equip_needs           1  karrak     armies[0]
explore_from         10  wendwater  special[0]
march_routed         12  hartmark   armies[1]
march_tactic          7  karrak     armies[1]
march_target_idle     8  karrak     armies[0]
march_unknown_hex     6  skarn      armies[1]
recruit_limit        13  karrak     armies[1]
repair_whole          9  hartmark   armies[1]
reserve_no_room      13  hartmark   armies[3]
route_hex_apart      13  hartmark   special[0]
route_unknown        12  wendwater  special[0]
tower_already         5  wendwater  improve[0]
void_absent           3  skarn      claim
"""
ROWS = [(code, int(turn), seat, path) for code, turn, seat, path in map(str.split, REFUSED.strip().splitlines())]


# --- tests


def test_it_occurs() -> None:
    missing = [what for what, found in OCCURS.items() if not found()]
    assert not missing, "No longer where the table says; unpack campaigns/war-of-the-ford.tar.xz and see its turns."


def test_an_event_is_told() -> None:
    """In a report of the kingdom that it strikes, by its name."""
    kinds = campaigns.rules_today(campaigns.open_campaign(FOLDER)).rules.event_kinds
    told = [(kind, seat) for kind, seat in STRUCK if any(reads(turn, seat, kinds[kind].name)() for turn in KEPT)]
    assert told == STRUCK


def test_it_is_refused() -> None:
    """And the player reads why, in the report of that turn."""
    for code, turn, seat, path in ROWS:
        found = notice(turn, seat, "refusal", code=code, order=path)()
        assert len(found) == 1, f"{code}, turn {turn}, {seat}, {path}: {len(found)} times"
        assert found[0]["facts"]["reason"] in KIT.read_by(turn, seat), code


def test_every_key_of_the_orders_that_greenmarch_lacks_is_filed() -> None:
    here = {path for path in declared(GAME.orders) if path.startswith(HERE)}
    assert sorted(here - KIT.used(GAME.orders, PEOPLE)) == []


def test_an_army_is_told_to_do_everything_that_it_can_do() -> None:
    assert set(ARMY_DEEDS) - {"clear"} <= {  # in the first edition no army clears a hazard
        order.get("then") for _, _, order in ordered("armies")
    }


def test_every_order_of_the_gm_that_greenmarch_lacks_is_filed() -> None:
    rulings = [path for path in declared(GAME.gm_orders) if path.startswith("gm.")]
    here = {
        path for path in rulings if path.split(".")[1] not in (*THERE_THE_GM, "finish")
    }  # which tests/campaign/test_the_end.py shows
    assert sorted(here - KIT.used(GAME.gm_orders, ["gm"])) == []


def test_the_players_write_to_each_other() -> None:
    """In every turn somebody to somebody; each to each of the others who are people, and to all."""
    sent = [(turn, seat, message["to"]) for turn, seat, message in ordered("messages")]
    assert {turn for turn, _, _ in sent} == {*KEPT}
    assert set(permutations(("hartmark", "karrak", "wendwater"), 2)) <= {(seat, to) for _, seat, to in sent}
    assert {seat for _, seat, to in sent if to == "all"} == set(PEOPLE)


# --- soundness


def test_the_books_balance_and_nothing_was_altered(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", str(FOLDER)]) == 0, f"{capsys.readouterr().err}\n{HINT}"


def test_the_turns_run_again_come_out_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(FOLDER)]) == 0, f"{capsys.readouterr()}\n{HINT}"


@pytest.mark.long
def test_the_orders_make_the_campaign(tmp_path: Path) -> None:
    """Without its turns the campaign plays by its rules to the same state, dice and books: nothing in it was made by hand."""
    copy = shutil.copytree(FOLDER, tmp_path / "war-of-the-ford", ignore=shutil.ignore_patterns("turns"))
    with as_kept(FOLDER):
        for _ in KEPT:  # the first one makes turn 0 as well
            assert main(["turn", "--yes", str(copy)]) == 0
    assert KIT.differences(copy) == [], HINT
    assert main(["turn", "--yes", str(copy)]) == 0  # and goes on, though nobody has filed


@pytest.mark.parametrize("turn", (0, *KEPT))
def test_the_sources_of_each_number_sum_to_it(turn: int) -> None:
    """As the report explains it, as the sheet has it, and as the books hold it."""
    assert KIT.unequal_sources(turn) == []
