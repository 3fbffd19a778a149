"""What six bots of all tempers at one table make of a year: how they grow, and how often they let a turn pass. `scripts/bots` prints it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import chain
from statistics import median, quantiles
from typing import Any, NamedTuple

import bots_workers
from bots_kingdoms import KINGDOMS, TEMPERS, begun, ordered

from kingdom.campaign import substitute_orders
from kingdom.campaign.workers import Team
from kingdom.engine.dice import Dice
from kingdom.engine.game import Letter
from kingdom.engine.turn import resolve
from kingdom.games.realm.bots.worth import outlook

BOTS = ("steady", "strong", *TEMPERS)
TURNS, LATE = 53, 41  # turns that are played; the first of those of which it is asked whether they are idle
TURNS_KEPT = 2  # turns of Consumption that are no treasury to spend
TOWN = 8  # buildings that make a town
CHECKS = ("economy", "stability")


class Year(NamedTuple):
    """A kingdom's year. size, treasury: after each turn; towns: of TOWN buildings at the end; idle: of each late turn; checks: (how many
    passed, how many were rolled); anarchies: turns of it; cpu: (size, CPU seconds) of each turn's orders."""

    bot: str
    size: list[int]
    treasury: list[int]
    buildings: list[int]
    idle: list[bool]
    checks: tuple[int, int]
    anarchies: int
    cpu: list[tuple[int, float]]


def year(seed: str, bots: Sequence[str] = BOTS, turns: int = TURNS) -> list[Year]:
    """Return the years of the kingdoms of a new campaign, each by another bot. seed: it ends with a number, by which they change seats."""
    game, rules, seats, state = begun(KINGDOMS, seed)
    shift = int(seed.split()[-1])
    bot_of = {seat: bots[(index + shift) % len(bots)] for index, seat in enumerate(seats)}
    names = {**game.names(rules), "seats": seats}
    years = {seat: Year(bot_of[seat], [], [], [], [], (0, 0), 0, []) for seat in seats}
    letters: list[Letter] = []
    for number in range(1, turns + 1):
        orders: dict[str, Any] = {}
        for seat in game.seats(state):
            start = time.process_time()
            orders[seat] = ordered(game, bot_of[seat], state, seat, rules, names, seed, letters)
            years[seat].cpu.append((len(state.kingdoms[seat].hexes), time.process_time() - start))
        letters = substitute_orders.written(orders)
        result = resolve(game, state, orders, Dice(seed, number), rules)
        for seat in game.seats(result.after):
            before, after, own = state.kingdoms[seat], result.after.kingdoms[seat], years[seat]
            own.size.append(len(after.hexes))
            own.treasury.append(after.treasury)
            if number >= LATE:
                own.idle.append(_idle(before, after, state, result.after, rules, seat))
            rolled = [
                notice.facts["success"]
                for notice in result.notices
                if notice.kind == "check" and notice.seat == seat and notice.facts["name"] in CHECKS
            ]
            years[seat] = own._replace(
                checks=(own.checks[0] + sum(rolled), own.checks[1] + len(rolled)),
                anarchies=own.anarchies + (after.anarchy == number),
            )
        state = result.after
    return [
        each._replace(
            buildings=sorted((len(town.buildings) for town in state.kingdoms[seat].settlements.values()), reverse=True)
        )
        for seat, each in years.items()
    ]


def _idle(before: Any, after: Any, world: Any, then: Any, rules: Any, seat: str) -> bool:
    """Whether a kingdom that had more than it must keep came out of the turn as it was: no hex more or less, no attribute stronger or
    weaker against the Control DC, nothing taken from anybody."""
    views = [outlook(before, world.hexes, rules), outlook(after, then.hexes, rules)]
    margins = [{name: by - view.dc for name, by in view.attributes.items()} for view in views]
    taken = any(label in other.hexes for name, other in world.kingdoms.items() if name != seat for label in after.hexes)
    rich = before.treasury > TURNS_KEPT * max(0, views[0].raw)
    return rich and views[0].size == views[1].size and margins[0] == margins[1] and not taken


def table(count: int, seeds: str, team: Team) -> Iterator[str]:
    """Yield the table of so many campaigns. seeds: what the seeds begin with."""
    played = list(chain.from_iterable(bots_workers.played(year, [f"{seeds} {n}" for n in range(count)], team)))
    yield "| bot | kingdoms | median size | towns of 8 buildings | late turns that are idle | Economy, Stability passed | treasury in late turns, 90th percentile | turns below 0 BP | alive; anarchies |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for name in (*BOTS, "all"):
        yield row(name, [each for each in played if name in (each.bot, "all")])


def row(name: str, years: Sequence[Year]) -> str:
    treasuries = list(chain.from_iterable(each.treasury for each in years))
    late = list(chain.from_iterable(each.treasury[LATE - 1 :] for each in years))
    idle = list(chain.from_iterable(each.idle for each in years))
    passed, rolled = (sum(each.checks[index] for each in years) for index in (0, 1))
    towns = median(sum(count >= TOWN for count in each.buildings) for each in years)
    cells = (
        f"`{name}`", len(years), f"{median(each.size[-1] for each in years):g}", f"{towns:g}", f"{sum(idle) / len(idle):.0%}", f"{passed / rolled:.0%}",
        f"{quantiles(late, n=10)[-1]:.0f}", f"{sum(bp < 0 for bp in treasuries) / len(treasuries):.1%}",
        f"{sum(each.size[-1] > 0 for each in years)}; {sum(each.anarchies for each in years)}",
    )  # fmt: skip
    return f"| {' | '.join(map(str, cells))} |".replace("%", " %")
