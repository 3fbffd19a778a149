"""How well the kingdom game's bots keep their kingdoms: whole campaigns of six, played by public seeds. `scripts/bots` prints it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from statistics import fmean, median
from typing import Any, NamedTuple

import bots_workers

from kingdom.campaign import opening, substitute_orders
from kingdom.campaign.workers import Team
from kingdom.engine import game as games
from kingdom.engine.dice import Dice, key_of
from kingdom.engine.game import Letter
from kingdom.engine.standings import standings
from kingdom.engine.turn import resolve
from kingdom.orders import orders_file, tables

KINGDOMS = 6
YEAR = 52  # turns
SILENT = 20  # turns that a steward keeps house
GROWN = 15  # turns after which a kingdom has something to keep
STEADY, FIRST_PLAN = "steady", "first plan"  # a bot; who sends the first plan of `kingdom advise` each turn
TEMPERS = ("builder", "trader", "warlord", "hermit")


class Life(NamedTuple):
    """What became of a kingdom. size: hexes at the end, 0 if it fell. unrest, treasury: after each turn in which it was in play; unrest
    begins with what it was before the first."""

    size: int
    unrest: list[int]
    treasury: list[int]


class Campaign(NamedTuple):
    """A campaign that was played. given, refused: orders; routes: that were opened; answers: letters that answer another."""

    lives: list[Life]
    given: int
    refused: int
    battles: int
    routes: int
    answers: int


def begun(kingdoms: int, seed: str) -> tuple[Any, Any, tuple[str, ...], Any]:
    """Return (the game, its rules, the seats, the state before turn 1) of a new campaign."""
    game = games.load("realm")
    rules = tables.load(game).rules
    asked = {"name": "Bots", "seed": seed, "tokens": (), "bots": 0, "size": None}
    files = {file: text.encode() for file, text in game.opening.new(kingdoms, asked).items() if file != "campaign.yaml"}
    seats = tuple(sorted(Path(file).stem for file in files if file.startswith("kingdoms/")))
    given = opening.setup(files, Path(seed), game, rules, seats)
    return game, rules, seats, opening.opened(game, given, rules, Dice(seed, 0)).after


def contest(bots: Sequence[str], seed: str) -> dict[str, float]:
    """Return bot -> its share of the first place after a year in which each has a kingdom of a new campaign, by its standings.

    seed: it ends with the number of the game, by which the bots change seats.
    """
    game, rules, seats, state = begun(len(bots), seed)
    shift = int(seed.split()[-1])
    bot_of = {seat: bots[(index + shift) % len(bots)] for index, seat in enumerate(seats)}
    state = played_on(game, rules, state, bot_of, YEAR, seed)
    first = [row.seat for row in standings(game, state, rules) if row.place == 1]
    return {bot_of[seat]: (seat in first) / len(first) for seat in seats}


def ordered(
    game: Any, bot: str, state: Any, seat: str, rules: Any, names: Any, seed: str, letters: Sequence[Letter] = ()
) -> Any:
    """Return the orders of the bot, or of the first plan of advice, for the turn after the state. letters: of the turns before."""
    if bot == FIRST_PLAN:
        plans = game.advice(game.known(state, seat, rules), seat, rules)
        text = plans[0]["orders"].encode() if plans else b""
    else:
        key = key_of(seed, state.turn + 1, "bots")
        text = substitute_orders.text_of(game, game.bots[bot], state, seat, rules, key, letters=letters)
    return orders_file.read(text, seat, game, names, seat, state.turn + 1).orders or {}


def played_on(game: Any, rules: Any, state: Any, bot_of: Mapping[str, str], turns: int, seed: str) -> Any:
    """Return the state after those bots played on from the start. bot_of: seat -> its bot; turns: up to which."""
    names = {**game.names(rules), "seats": tuple(bot_of)}
    for number in range(state.turn + 1, turns + 1):
        orders = {seat: ordered(game, bot_of[seat], state, seat, rules, names, seed) for seat in game.seats(state)}
        state = resolve(game, state, orders, Dice(seed, number), rules).after
    return state


def campaign(bot: str, turns: int, seed: str, after: int = 0) -> Campaign:
    """Return a campaign of six kingdoms, new from that seed, in which that bot plays every seat, once steady bots did for `after` turns."""
    game, rules, seats, state = begun(KINGDOMS, seed)
    names = {**game.names(rules), "seats": seats}
    state = played_on(game, rules, state, dict.fromkeys(seats, STEADY), after, seed)
    lives = {seat: Life(0, [state.kingdoms[seat].unrest], []) for seat in game.seats(state)}
    given = refused = battles = answers = 0
    letters: list[Letter] = []
    routes: set[tuple[str, str]] = set()
    for number in range(after + 1, after + turns + 1):
        orders = {seat: ordered(game, bot, state, seat, rules, names, seed, letters) for seat in game.seats(state)}
        letters = [letter for letter in letters if letter.turn > number - substitute_orders.READ_BACK]
        new = substitute_orders.written(orders, turn=number)
        letters += new
        answers += sum(letter.text.startswith(("Yes:", "No:", "Terms:")) for letter in new)
        given += sum(_count(each) for each in orders.values())
        result = resolve(game, state, orders, Dice(seed, number), rules)
        refused += sum(notice.kind == "refusal" for notice in result.notices)
        battles += sum(notice.kind == "battle" for notice in result.notices)
        state = result.after
        for seat in game.seats(state):
            lives[seat].unrest.append(state.kingdoms[seat].unrest)
            lives[seat].treasury.append(state.kingdoms[seat].treasury)
            routes |= {(seat, key) for key, route in state.kingdoms[seat].routes.items() if route.open}
    held = {seat: len(state.kingdoms[seat].hexes) for seat in game.seats(state)}
    ends = [life._replace(size=held.get(seat, 0)) for seat, life in lives.items()]
    return Campaign(ends, given, refused, battles, len(routes), answers)


def _count(orders: Any) -> int:
    """Return how many orders there are, of a list or a map one for each item."""
    rows = [value for key, value in orders.items() if key not in ("kingdom", "turn")]
    return sum(len(value) if isinstance(value, (list, dict)) else 1 for value in rows)


def lives(count: int, seeds: str, team: Team) -> Iterator[str]:
    """Yield the table of what becomes of kingdoms, of `count` campaigns of each kind. seeds: what the seeds begin with."""
    yield "| bot | turns | kingdoms | hold land at the end | Unrest no higher then | median size | median Unrest | turns below 0 BP | orders refused | battles, routes, answers a campaign |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for bot, turns, after in (
        (STEADY, YEAR, 0),
        (FIRST_PLAN, YEAR, 0),
        ("steward", SILENT, 0),
        ("steward", SILENT, GROWN),
    ):
        named = [f"{seeds} {bot} {after} {n}" for n in range(count)]
        played = bots_workers.played(partial(campaign, bot, turns, after=after), named, team)
        yield _row(f"`{bot}` after {after} turns of `{STEADY}`" if after else f"`{bot}`", turns, played)


def _row(name: str, turns: int, played: Sequence[Campaign]) -> str:
    lives = list(chain.from_iterable(each.lives for each in played))
    treasuries = list(chain.from_iterable(life.treasury for life in lives))
    calm = sum(life.size > 0 and life.unrest[-1] <= life.unrest[0] for life in lives)
    unrest = median(chain.from_iterable(life.unrest for life in lives))
    below = sum(bp < 0 for bp in treasuries) / len(treasuries)
    each_time = [fmean(getattr(one, what) for one in played) for what in ("battles", "routes", "answers")]
    refused, given = sum(each.refused for each in played), sum(each.given for each in played)
    cells = (
        name, turns, len(lives), sum(life.size > 0 for life in lives), calm, f"{median(life.size for life in lives):g}",
        f"{unrest:g}", _percent(below), f"{refused} of {given:,}", "; ".join(f"{number:.1f}" for number in each_time),
    )  # fmt: skip
    return f"| {' | '.join(map(str, cells))} |"


def contests(count: int, seeds: str, team: Team) -> Iterator[str]:
    """Yield the table of who wins, of so many games of levels, and of twice as many of tempers."""
    yield "| at one table | games | first places |"
    yield "|---|---|---|"
    for bots, games_played in ((("strong", "novice"), count), (TEMPERS, 2 * count)):
        won = bots_workers.played(partial(contest, bots), [f"{seeds} {n}" for n in range(games_played)], team)
        shares = {bot: sum(each.get(bot, 0) for each in won) for bot in bots}
        names = ", ".join(f"`{bot}` {share:g}" for bot, share in sorted(shares.items(), key=lambda one: -one[1]))
        yield f"| {len(bots)} | {games_played} | {names} |"


def _percent(share: float) -> str:
    return f"{share:.1%}".replace("%", " %")
