"""Tables and turns of The King's Progress for tests: laid as a player would describe them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from kingdom.engine.dice import GM, Dice, NoDice
from kingdom.engine.step import Result
from kingdom.engine.turn import resolve
from kingdom.games.kings_progress import bots
from kingdom.games.kings_progress.game import DECLARED, GAME
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import City, Kingdom, Table, replace
from kingdom.games.kings_progress.steps import set_up
from kingdom.games.kit import table_game
from kingdom.orders import kit, tables

SEATS = ("alice", "bob", "cara", "dan")


@cache
def own_rules() -> Rules:
    return tables.load(GAME).rules


def rules_with(pace: str = "standard", **rulings: Mapping[str, Any]) -> Rules:
    """The game's rules at that pace, with these figures of rulings."""
    own = own_rules()
    return replace(
        own, pace=pace, **{name: replace(getattr(own, name), **figures) for name, figures in rulings.items()}
    )


def begun(seats: int = 3, first: str = "alice", rules: Rules | None = None) -> Table:
    """The table before turn 1; alice is first chancellor unless another is named."""
    return Table(seats={seat: set_up(seat.title(), rules or own_rules()) for seat in SEATS[:seats]}, first=first)


def city(tile: int, coin: int | None = None, by: str = "bob", seen: str = "bob") -> City:
    """A city whose tile and coin that seat placed, and whose coin these seats have seen."""
    return City(tile, by, coin, by if coin is not None else "", tuple(seen.split()) if coin is not None else ())


def with_(table: Table, seat: str, **changes: Any) -> Table:
    """The table with a seat's kingdom changed; lists of pieces as tuples."""
    return replace(table, seats={**table.seats, seat: replace(table.seats[seat], **changes)})


def played(
    table: Table, orders: Mapping[str, Mapping[str, Any]] | None = None, rules: Rules | None = None, dice: Any = None
) -> Result:
    """The turn after this table."""
    return resolve(GAME, table, orders or {}, dice or Dice("a seed", table.turn + 1), rules or own_rules())


def foreseen(table: Table, seat: str, orders: Mapping[str, Any], rules: Rules | None = None) -> Result:
    """What `kingdom check` foresees of one seat's orders."""
    return resolve(GAME, GAME.known(table, seat, rules or own_rules()), {seat: orders}, NoDice(), rules or own_rules())


def refused(result: Result, seat: str) -> list[str]:
    """The codes of what was refused to a seat."""
    return [notice.facts["code"] for notice in result.notices if notice.kind == "refusal" and notice.seat == seat]


def told(result: Result, seat: str) -> list[str]:
    """What a seat, and it alone, was told of what happened."""
    return [
        notice.facts["text"]
        for notice in result.notices
        if notice.kind in ("happened", "passed") and notice.seat == seat
    ]


def chance_of(seed: Any) -> Any:
    """A chance for bots."""
    dice = random.Random(repr(seed))
    return lambda name, sides: dice.randrange(sides) + 1


def bot_orders(kind: str, known: Table, seat: str, rules: Rules, chance: Any) -> dict[str, Any]:
    """The orders of a bot in the long form, without the head."""
    if kind == "chancellor":
        return bots.orders(known, seat, rules, chance)
    return kit.at_random(table_game.wanted(DECLARED, known, seat, rules), chance)


def game_of(
    seed: Any, seats: int = 3, rules: Rules | None = None, kinds: Mapping[str, str] | None = None, first: str = "alice"
) -> Iterator[Result]:
    """Every turn of a whole game that bots play, all of them at random unless `kinds` says otherwise."""
    rules, chance = rules or own_rules(), chance_of(seed)
    table = begun(seats, first, rules)
    while not GAME.finished(table):
        orders = {
            seat: bot_orders((kinds or {}).get(seat, "random"), GAME.known(table, seat, rules), seat, rules, chance)
            for seat in table.seats
        }
        result = played(table, orders, rules)
        yield result
        table = result.after


def end_of(*given: Any, **named: Any) -> Table:
    """The table at the end of such a game."""
    *_, last = game_of(*given, **named)
    return last.after


def muddle(table: Table, seed: Any) -> dict[str, dict[str, Any]]:
    """Orders for all seats and all phases, each as likely forbidden as allowed."""
    dice = random.Random(repr(seed))
    seats = list(table.seats)

    def condition() -> dict[str, Any]:
        made = {
            "city": dice.choice([1, 2, 6, "newest"]),
            "tile_min": dice.randrange(6),
            "taken_by_me": dice.random() < 0.5,
            "vetoes_min": dice.randrange(3),
        }
        return {key: made[key] for key in dice.sample(sorted(made), dice.randrange(3))}

    def orders() -> dict[str, Any]:
        made: dict[str, Any] = {
            "city": [
                {"kingdom": dice.choice(seats), "tile": dice.randrange(7), "if": condition()}
                for _ in range(dice.randrange(5))
            ],
            "city_veto": [
                {"city": dice.choice([1, 3, 9, "newest"]), "replace_with": dice.randrange(6), "if": condition()}
                for _ in range(dice.randrange(3))
            ],
            "invest": [
                {"kingdom": dice.choice(seats), "coin": dice.randrange(7), "if": condition()}
                for _ in range(dice.randrange(5))
            ],
            "investment_veto": {
                "city": dice.choice([1, 2, 3, "newest", {"newest_if_tile_min": 3}]),
                "swap": {str(dice.randrange(6)): dice.randrange(6)},
            },
            "progress": dice.choice([{"move": ""}, {"veto": ""}, {"veto_if": {"next_tile_max": 2}}]),
        }
        return {key: made[key] for key in dice.sample(sorted(made), dice.randrange(6))}

    filed = {seat: orders() for seat in seats if dice.random() < 0.9}
    if dice.random() < 0.2:
        filed[GM] = {"gm": [{"grant": dice.choice(seats), "vetoes": dice.randrange(-6, 4), "reason": "a wager"}]}
    return filed


def muddled_game(seed: Any, seats: int, rules: Rules) -> Iterator[Result]:
    """Every turn of a game in which seats order what comes to their minds, or nothing."""
    table = begun(seats, SEATS[random.Random(repr(seed)).randrange(seats)], rules)
    while not GAME.finished(table):
        result = played(table, muddle(table, (seed, table.turn)), rules)
        yield result
        table = result.after


def kingdom_of(
    *cities: City, king: int = 0, vetoes: int = 5, tiles: tuple[int, ...] = (), coins: tuple[int, ...] = ()
) -> Kingdom:
    """A kingdom with these cities."""
    return Kingdom(name="A kingdom", tiles=tiles, coins=coins, vetoes=vetoes, king=king, cities=cities)
