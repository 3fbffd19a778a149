"""A table of King's Pouch laid by hand, and a run on it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from kingdom.campaign import opening, substitute_orders
from kingdom.engine import game as games
from kingdom.engine.dice import Dice, NoDice, key_of
from kingdom.engine.step import Result
from kingdom.engine.turn import resolve
from kingdom.games.kings_pouch.rules import Building, Effect, Slot
from kingdom.games.kings_pouch.state import KINDS, Citizens, Marked, Table, replace, with_player
from kingdom.orders import orders_file, tables

GAME = games.load("kings_pouch")
SEED = "public, a table for tests"


@cache
def rules(**changed: Any) -> Any:
    """The rules of the game; a ruling's figures changed by its name, as a frozen set of pairs."""
    own = tables.load(GAME).rules
    return replace(
        own,
        **{
            name: value if isinstance(value, str) else replace(getattr(own, name), **dict(value))
            for name, value in changed.items()
        },
    )


def begun(
    seats: int = 2,
    rules: Any = None,
    seed: str = SEED,
    files: Mapping[str, str] = {},
    dice: Any = None,
    told: Any = None,
) -> Table:
    """A new table behind turn 0. told: called with that turn."""
    played = rules or tables.load(GAME).rules
    made = {**GAME.opening.new(seats, {"name": "A game", "seed": seed, "bots": 0}), **files}
    start = {name: text.encode() for name, text in made.items() if name != "campaign.yaml"}
    named = tuple(sorted(Path(name).stem for name in start if name.startswith("kingdoms/")))
    result = opening.opened(GAME, opening.setup(start, Path("x"), GAME, played, named), played, dice or Dice(seed, 0))
    if told:
        told(result)
    return result.after


def table(seats: int = 2, number: int = 1, **lords: Mapping[str, Any]) -> Table:
    """Round `number` with castles set, alice first. lords: seat -> what is other with it; `land` and `court` are its markers.

    Citizens are taken from the pool, markers from the hand.
    """
    own = rules()
    laid = begun(seats, dice=NoDice())
    board = next(board for board in own.boards if board.players == seats)
    for seat, castle in zip(laid.seats, board.castles, strict=False):
        laid = with_player(laid, seat, castle=castle)
    laid = replace(
        laid,
        round=number,
        order=tuple(laid.seats),
        display=("market", "red_mercenary_guild", "yellow_mercenary_guild", "cathedral"),
    )
    laid = replace(
        laid,
        decks={name: tuple(card for card in cards if card not in laid.display) for name, cards in laid.decks.items()},
    )
    for seat, other in lords.items():
        laid = _other(laid, seat, dict(other))
    held = [lord.citizens for lord in laid.seats.values()]
    pool = {
        kind: getattr(own.box, kind) - sum(getattr(each, kind) for each in held) for kind in Citizens.__struct_fields__
    }
    return replace(laid, pool=Citizens(**pool))


def _other(laid: Table, seat: str, other: dict[str, Any]) -> Table:
    for key, place in (("land", "territories"), ("court", "claimed")):
        for what, markers in other.pop(key, {}).items():
            laid = replace(laid, **{place: {**getattr(laid, place), what: Marked(seat, markers)}})
            laid = with_player(laid, seat, markers=laid.seats[seat].markers - markers)
    if "cards" in other:
        other["buildings"] = (*laid.seats[seat].buildings, *other.pop("cards"))
    return with_player(laid, seat, **other)


def filed_as(laid: Table, played: Any, seat: str, text: str) -> dict[str, Any]:
    """The orders of a text as a player types it, without its head."""
    head = f"turn: {laid.turn + 1}\n" if seat == "gm" else f"kingdom: {seat}\nturn: {laid.turn + 1}\n"
    names = {**GAME.names(played), "seats": list(laid.seats)}
    read = orders_file.read((head + text).encode(), f"{seat}.yaml", GAME, names, seat, laid.turn + 1)
    assert not read.problems, [problem.message for problem in read.problems]
    return read.orders


def run(
    laid: Table, played: Any = None, dice: Any = None, tape: Mapping[str, Any] | None = None, **filed: str
) -> Result:
    """The next run. filed: seat -> orders as a player types them, without their head. tape: seat -> its draws."""
    played = played or rules()
    found = {seat: filed_as(laid, played, seat, text) for seat, text in filed.items()}
    rolled = {seat: {"draw": results} for seat, results in (tape or {}).items()}
    return resolve(GAME, laid, found, dice or Dice(SEED, laid.turn + 1, 1, rolled), played)


def refused(result: Result, seat: str = "alice") -> list[tuple[str, str]]:
    """(path, code) of each refusal of the seat."""
    return [
        (each.facts["order"], each.facts["code"])
        for each in result.notices
        if each.kind == "refusal" and each.seat == seat
    ]


def passed(result: Result, seat: str = "alice") -> list[str]:
    """The paths of orders that fell to their next alternative, or were not carried out as they stand."""
    return [each.facts["order"] for each in result.notices if each.kind == "passed" and each.seat == seat]


def moved(result: Result, account: str, cause: str = "", seat: str = "alice") -> int:
    """What the run made of an account, by one cause alone where one is named."""
    return sum(
        each.delta
        for each in result.entries
        if each.kingdom == seat and each.account == account and cause in (each.cause, "")
    )


def every_effect() -> Any:
    """The rules with two more buildings on every board, which have each kind of effect that a building may have."""
    lines = {
        "hall": [
            [Effect("move", 2, "any", "active")], [Effect("exchange", 1, "corrupt", "either", "any_cube")], [Effect("add_marker", 1, "territory")],
            [Effect("remove", 1, "common", "rest"), Effect("gold", 2)], [Effect("free", 1, "occupy"), Effect("army", 1)], [Effect("refresh", 0)],
        ],
        "yard": [
            [Effect("draw", 1, "", "rest")], [Effect("gain", 1, "any_cube", "either")], [Effect("free", 1, "construct")], [Effect("free", 1, "claim")],
            [Effect("exchange", 2, "any_cube", "active", "common")], [Effect("move", 1, "any", "rest")], [Effect("add_marker", 1, "character")],
            [Effect("refresh", 1), Effect("discount", 1, "claim"), Effect("prestige", 1)],
        ],
    }  # fmt: skip
    more = {
        word: Building(word.title(), "none", 0, slots=(Slot(KINDS, tuple(map(tuple, of))),))
        for word, of in lines.items()
    }
    own = rules()
    return replace(own, buildings={**own.buildings, **more})


def muddled(seats: int, seed: str, own: Any, told: Any, gm: bool = False) -> Table:
    """A whole game in which seats order what comes to their minds. told: called with each result. gm: the GM has a say as well."""
    state = begun(seats, own, seed)
    while not GAME.finished(state):
        names = {**GAME.names(own), "seats": list(state.seats)}
        filed = {}
        for seat in (*state.seats, *(["gm"] if gm else [])):
            chance = substitute_orders.chance_of(key_of(seed, state.turn + 1, f"muddle:{seat}"))
            text = (
                GAME.simulation.gm(state, own, chance)
                if seat == "gm"
                else GAME.simulation.muddled(GAME.known(state, seat, own), seat, own, chance)
            )
            read = orders_file.read(text.encode(), f"{seat}.yaml", GAME, names, seat, state.turn + 1)
            assert not read.problems, [each.message for each in read.problems]
            filed[seat] = read.orders
        result = resolve(GAME, state, filed, Dice(seed, state.turn + 1), own)
        told(result)
        state = result.after
    return state


def of_bot(bot: str, state: Table, seat: str, own: Any, chance: Any) -> Any:
    """What a bot orders, in the long form."""
    text = GAME.bots[bot](GAME.known(state, seat, own), seat, own, chance)
    names = {**GAME.names(own), "seats": list(state.seats)}
    return orders_file.read(text.encode(), f"{seat}.yaml", GAME, names, seat, state.turn + 1).orders


def played(seats: int, seed: str, who: Mapping[str, str] | str = "random", own: Any = None, told: Any = None) -> Table:
    """A whole game by bots. told: called with each result."""
    own = own or rules()
    state = begun(seats, own, seed)
    while not GAME.finished(state):
        filed = {}
        for seat in state.seats:
            bot = who if isinstance(who, str) else who[seat]
            chance = substitute_orders.chance_of(key_of(seed, state.turn + 1, f"bot:{seat}"))
            filed[seat] = of_bot(bot, state, seat, own, chance)
        result = resolve(GAME, state, filed, Dice(seed, state.turn + 1), own)
        if told:
            told(result)
        state = result.after
    return state
