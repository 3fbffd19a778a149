"""What holds of events whatever is drawn: the books balance, no loss goes below 0, nothing is foreseen that hangs on a die."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from kingdom.engine.dice import Dice, NoDice
from kingdom.engine.step import Result
from kingdom.engine.turn import resolve
from kingdom.games.realm.game import GAME
from kingdom.games.realm.state import Event, Kingdom, World, replace, with_kingdoms
from kingdom.games.realm.steps.events.events import KINDS
from tests.games.realm.kit import orders_of, rules_of, world_of
from tests.kit.examples import tries

RULES = rules_of({"events": {"chance": {"normal": 100, "after_quiet_turn": 100}}})
BUILDINGS = [
    "house",
    "inn",
    "shrine",
    "temple",
    "tenement",
    "dance_hall",
    "library",
    "hospital",
    "garrison",
    "dump",
    "park",
]
TOWNS = st.lists(st.lists(st.sampled_from(BUILDINGS), max_size=6), min_size=0, max_size=3)
ANSWERS = ["none", "check", "tear_down", "attend", "decline", {"adventurers": 4}, {"adventurers": 16}]
MAP = {"grid": "phfpphf\nhhpwwpp\nppppppp\nphphphp\nfpfpfpf\nmpmpmpm\nsssphhh\n"}
LAND = {"0404": ["road"], "0403": [], "0504": ["road"], "0405": [], "0503": []}


def start(towns: list[list[str]], treasury: int, unrest: int) -> World:
    """A kingdom with these towns, of which the first is the capital."""
    places = ["0404", "0504", "0503"]
    settlements = {
        f"Town {place}": {"hex": place, "buildings": kinds} for place, kinds in zip(places, towns, strict=False)
    }
    kingdom = {"hexes": LAND, "settlements": settlements, "treasury": treasury, "unrest": unrest}
    return world_of({"examplia": kingdom, "borderia": {"hexes": {"0604": []}}}, MAP, RULES)


def played(world: World, seed: str, turns: int, answer: Any) -> list[Result]:
    """So many turns of events alone; each question is answered with that where it may be."""
    results = []
    for _ in range(turns):
        asked = {pending.key: answer for pending in world.kingdoms["examplia"].pending if pending.key != "lose_hex"}
        orders = orders_of({"examplia": {"answers": asked}} if asked else {}, world, RULES)
        results.append(
            resolve(GAME, world, orders, Dice(seed, world.turn + 1), RULES)
        )  # proves the books after each step
        world = results[-1].after
    return results


@tries(8, 25)
@given(TOWNS, st.integers(0, 40), st.integers(0, 10), st.text("abc", min_size=1, max_size=6), st.sampled_from(ANSWERS))
def test_whatever_is_drawn_the_books_balance_and_no_loss_goes_below_0(
    towns: list[list[str]], treasury: int, unrest: int, seed: str, answer: Any
) -> None:
    for result in played(start(towns, treasury, unrest), seed, 4, answer):
        for entry in result.entries:
            if (
                entry.step in ("events", "monsters_at_large", "roll_events")
                and entry.account == "treasury"
                and entry.delta < 0
            ):
                assert entry.balance >= 0, entry
            assert entry.account != "unrest" or entry.balance >= 0
        kept = msgspec.json.encode(result.after)
        assert msgspec.json.decode(kept, type=World) == result.after
        GAME.view(result, "examplia", RULES)
        GAME.sheet(result.after, "examplia", RULES)


@tries(12, 40)
@given(st.sampled_from(KINDS), TOWNS, st.text("abc", min_size=1, max_size=4), st.booleans())
def test_every_kind_wherever_it_strikes(kind: str, towns: list[list[str]], seed: str, foreseen: bool) -> None:
    """Where it can't happen it is refused; where it can it acts, and foreseen nothing is rolled."""
    world = start(towns, 20, 2)
    order = {"gm": {"gm": [{"event": kind, "to": "examplia", "reason": "so be it"}]}}
    forced = resolve(GAME, world, orders_of(order, world, RULES), Dice(seed, 1), RULES)
    refused = {notice.facts["code"] for notice in forced.notices if notice.kind == "refusal"}
    struck = f"{kind}-1" in forced.after.kingdoms["examplia"].events
    assert refused == (set() if struck else {"gm_event_impossible"})
    dice = NoDice() if foreseen else Dice(seed, 2)
    result = resolve(GAME, forced.after, {}, dice, RULES, until="edict" if foreseen else "")
    assert not foreseen or not result.rolls


def test_an_event_whose_check_is_only_foreseen_stands_as_it_was() -> None:
    world = start([["house"]], 20, 0)
    kingdom: Kingdom = replace(world.kingdoms["examplia"], events={"feud-1": Event("feud", 1)})
    result = resolve(GAME, with_kingdoms(world, {"examplia": kingdom}), {}, NoDice(), RULES, until="edict")
    assert result.after.kingdoms["examplia"].events == kingdom.events
    assert result.after.kingdoms["examplia"].unrest == 0


def test_what_hangs_on_no_die_is_foreseen() -> None:
    world = start([["house"]], 20, 0)
    kingdom: Kingdom = replace(world.kingdoms["examplia"], events={"good_weather-1": Event("good_weather", 1)})
    before = GAME.sheet(world, "examplia", RULES)["economy"]
    result = resolve(GAME, with_kingdoms(world, {"examplia": kingdom}), {}, NoDice(), RULES, until="event")
    assert GAME.sheet(result.after, "examplia", RULES)["economy"] == before + 2


def test_rules_of_an_older_campaign_know_no_events() -> None:
    old = msgspec.structs.replace(RULES, event_kinds={}, event_tables={}, event_answers=None)
    world = start([["house"]], 20, 0)
    result = resolve(GAME, world, {}, Dice("a", 1), old)
    assert not [roll for roll in result.rolls if roll.name.startswith("event")]
