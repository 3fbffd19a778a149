"""What `scripts/bench` measures of games that are played to their end: whole ones by random bots, from orders to the last state.

The bots' orders are taken as data, without the way through their text, which is measured elsewhere (`check`, `reports`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from bench import exponent, ratio, seconds, spin
from msgspec.structs import replace

from kingdom.campaign import opening
from kingdom.engine import game as games
from kingdom.engine.dice import Dice
from kingdom.engine.turn import resolve
from kingdom.orders import orders_file as reading
from kingdom.orders import tables

GAMES = 10  # that are played for one measurement


def whole_game(name: str, seats: int) -> Callable[[Any], float]:
    """A figure: one game ÷ spin."""
    play = player(name, seats)
    return lambda bench: ratio(lambda: seconds(play) / GAMES, lambda: seconds(spin), 30)


def growth(name: str, few: int, many: int) -> Callable[[Any], float]:
    """A figure: the growth exponent of a game from few to many players."""
    plays = {seats: player(name, seats) for seats in (few, many)}
    return lambda bench: exponent(few, many, lambda seats: seconds(plays[seats]), 15)


def solving(name: str, castles: int) -> Callable[[Any], float]:
    """A figure: the search for the best play of one deal ÷ spin, over that many deals."""
    ready: list[Any] = []

    def solve() -> None:
        if not ready:
            game, rules, *_ = begun(name, 1)
            ready.extend([game, rules, *(begun(name, 1, f"bench {number}")[2] for number in range(castles))])
        game, rules, *starts = ready
        for start in starts:
            game.solve(start, None, rules, 0, lambda name, sides: 1)

    return lambda bench: ratio(lambda: seconds(solve) / castles, lambda: seconds(spin), 3)


def player(name: str, seats: int) -> Callable[[], None]:
    """What plays that many whole games, each by other chances. The game is loaded when it is first called."""
    ready: list[Any] = []

    def play() -> None:
        if not ready:
            ready.extend(begun(name, seats))
        game, rules, start, orders = ready
        for number in range(GAMES):
            played(game, rules, start, orders, random.Random(number))

    return play


def begun(name: str, seats: int, seed: str = "bench", changed: Mapping[str, Any] = {}) -> tuple[Any, Any, Any, Any]:
    """(the game, its rules with what is changed, the state before turn 1, what gives a bot's orders as data)."""
    game = games.load(name)
    rules = replace(tables.load(game).rules, **changed)
    files = {
        file: text.encode()
        for file, text in game.opening.new(
            seats, {"name": "Bench", "seed": "bench", "tokens": (), "bots": 0, "size": None}
        ).items()
    }
    start = {file: data for file, data in files.items() if file != "campaign.yaml"}
    named = tuple(sorted(Path(file).stem for file in start if file.startswith("kingdoms/")))
    given = opening.setup(start, Path(name), game, rules, named)
    bots = import_module(f"kingdom.games.{name}.bots")
    return (
        game,
        rules,
        opening.opened(game, given, rules, Dice(seed, 0)).after,
        getattr(bots, "orders", None) or _read(game),
    )


def _read(game: Any) -> Callable[..., Any]:
    """The orders of a game whose bots write texts alone."""

    def orders(bot: str, known: Any, seat: str, rules: Any, chance: Any) -> Any:
        text = game.bots[bot](known, seat, rules, chance).encode()
        names = {**game.names(rules), "seats": list(game.seats(known))}
        return reading.read(text, seat, game, names, seat, known.turn + 1).orders

    return orders


def played(
    game: Any,
    rules: Any,
    state: Any,
    orders: Any,
    dice: random.Random,
    bots: Mapping[str, str] = {},
    seed: str = "bench",
) -> Any:
    """The last state of a game. bots: seat -> which plays it, where that is not play at random."""

    def chance(name: str, sides: int) -> int:
        return 1 + int(dice.random() * sides)

    while not game.finished(state):
        filed = {
            seat: orders(bots.get(seat, "random"), game.known(state, seat, rules), seat, rules, chance)
            for seat in game.seats(state)
        }
        state = resolve(game, state, filed, Dice(seed, state.turn + 1), rules).after
    return state
