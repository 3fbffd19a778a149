"""How well the bots play: the figures of docs/bots.md, played anew by public seeds. Run it with `scripts/bots`."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

import bots_advice
import bots_dangers
import bots_kingdoms
import bots_mixed
import bots_raids
import bots_workers
from msgspec.structs import replace

from kingdom.campaign import opening
from kingdom.campaign.workers import Team
from kingdom.engine import game as games
from kingdom.engine.dice import Dice
from kingdom.engine.standings import standings
from kingdom.engine.turn import resolve
from kingdom.orders import orders_file as reading
from kingdom.orders import tables as tables_of


class Row(NamedTuple):
    """A bot against play at random. seats: the sizes of its tables. rules: what its campaign changes.

    mixed: the tables take turns, in one row of games; else each table has its own games.
    """

    game: str
    said: str
    bot: str
    seats: tuple[int, ...]
    rules: dict[str, object] = {}
    mixed: bool = False


ROWS = (
    Row("kings_progress", ", standard pace", "chancellor", (2, 3, 4)),
    Row("kings_progress", ", strict pace", "chancellor", (2, 3, 4), {"pace": "strict"}),
    Row("kings_progress", ", weekly pace", "chancellor", (2, 3, 4), {"pace": "weekly"}),
    Row("kings_progress", ", standard pace", "random", (2, 3, 4)),
    Row("royal_progress", "", "chamberlain", (3, 4, 5), mixed=True),
    Row("kings_pouch", "", "steward", (2, 3, 4)),
    Row("cardinals_guards", "", "captain", (1,)),
)


LEVEL_GAMES = 40  # of strong against novice; of tempers twice as many


class Played(NamedTuple):
    """What a bot got from one game: its share of the first place, its points, and those of the others."""

    won: float
    points: int
    others: list[int]


def begun(name: str, seats: int, seed: str, changed: Mapping[str, Any]) -> tuple[Any, Any, Any, Any]:
    """(the game, its rules with what is changed, the state before turn 1, what gives a bot's orders as data)."""
    game = games.load(name)
    rules = replace(tables_of.load(game).rules, **changed)
    files = {
        file: text.encode()
        for file, text in game.opening.new(
            seats, {"name": "Bench", "seed": "bench", "tokens": (), "bots": 0, "size": None}
        ).items()
    }
    start = {file: data for file, data in files.items() if file != "campaign.yaml"}
    named = tuple(sorted(Path(file).stem for file in start if file.startswith("kingdoms/")))
    given = opening.setup(start, Path(name), game, rules, named)
    return (
        game,
        rules,
        opening.opened(game, given, rules, Dice(seed, 0)).after,
        _read(game),
    )


def _read(game: Any) -> Callable[..., Any]:
    """What gives a bot's orders as data: bots write texts."""

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
    bots: Mapping[str, str],
    seed: str,
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


def contest(row: Row, tables: Sequence[int], count: int) -> Iterator[Played]:
    """`count` games of such a bot against play at random, in changing seats. tables: their numbers of seats, in turn."""
    for number in range(count):
        seats = tables[number % len(tables)]
        seed = f"public, {row.game} {seats} {number}"
        game, rules, start, orders = begun(row.game, seats, seed, row.rules)
        mine = list(game.seats(start))[number // len(tables) % seats]
        state = played(game, rules, start, orders, random.Random(seed), {mine: row.bot}, seed)
        places = {each.seat: each.place for each in standings(game, state, rules)}
        best = [seat for seat, place in places.items() if place == 1]
        points = {each.seat: each.figures[game.scoring.counts[0]] for each in standings(game, state, rules)}
        yield Played((mine in best) / len(best), points.pop(mine), list(points.values()))


def told(row: Row, count: int) -> str:
    """The row of the table."""
    if row.seats == (1,):
        return alone(row, count)
    tables = [row.seats] if row.mixed else [(seats,) for seats in row.seats]
    contests = [list(contest(row, each, count)) for each in tables]
    wins = ", ".join(f"{mean(each.won for each in one):.1%}".replace("%", " %") for one in contests)
    own = ", ".join(f"{mean(each.points for each in one):.1f}" for one in contests)
    others = ", ".join(f"{mean(points for each in one for points in each.others):.1f}" for one in contests)
    against = ", ".join(str(seats - 1) for seats in row.seats) + " at random" + (", in turn" if row.mixed else "")
    return f"| `{row.game}`{row.said} | `{row.bot}` | {against} | {wins} | {own} | {others} |"


def alone(row: Row, count: int) -> str:
    """The row of a solitaire: its points, and those of play at random on the same deals."""
    own = [each.points for each in contest(row, row.seats, count)]
    others = [each.points for each in contest(row._replace(bot="random"), row.seats, count)]
    above = mean(points > mean(others) for points in own)
    most = max(own)
    said = f"{above:.1%} of deals above its mean; {min(own)} to {most}, {own.count(most)} times {most}".replace(
        "%", " %", 1
    )
    return f"| `{row.game}` | `{row.bot}` | play at random | {said} | {mean(own):.1f} | {mean(others):.1f} |"


def _kingdoms(count: int, seeds: str, team: Team) -> Iterator[str]:
    """The tables of the kingdom game, of so many campaigns of each kind, and more of what is sooner played."""
    yield from bots_kingdoms.lives(count, seeds, team)
    yield ""
    yield from bots_mixed.table(count, f"{seeds} mixed", team)
    yield ""
    yield from bots_kingdoms.contests(LEVEL_GAMES, f"{seeds} contests", team)
    yield ""
    yield from bots_dangers.table(4 * count, f"{seeds} dangers", team)
    yield ""
    yield from bots_advice.table(10 * count, f"{seeds} advice", team)
    yield ""
    yield from bots_raids.raids(count, seeds, team)


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/bots")
    parser.add_argument(
        "games", nargs="*", metavar="GAME", help="a game of these rows, realm, or raids alone; else all board games"
    )
    parser.add_argument(
        "--games",
        dest="count",
        type=int,
        metavar="N",
        help="how many games of each kind: 1000, of realm 17 if not said",
    )
    parser.add_argument("--seed", default="public", help="what the seeds of realm begin with")
    bots_workers.options(parser)
    given = parser.parse_args()
    known = sorted({row.game for row in ROWS} | {"raids", "realm"})
    if not {*given.games} <= {*known}:
        parser.error(f"known games are {', '.join(known)}")
    tables = {"realm": _kingdoms, "raids": bots_raids.raids}
    if len(given.games) == 1 and given.games[0] in tables:
        with bots_workers.team_of(given) as team:
            for line in tables[given.games[0]](given.count or 17, given.seed, team):
                print(line, flush=True)
            for line in team.news():
                print(line, file=sys.stderr)
        return
    print("| game | bot | against | it wins | its points | theirs |\n|---|---|---|---|---|---|", flush=True)
    for row in ROWS:
        if not given.games or row.game in given.games:
            print(told(row, given.count or 1000), flush=True)


if __name__ == "__main__":
    main()
