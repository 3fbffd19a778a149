"""How true the dangers are that reports name: kingdoms that bots built fall silent, and what their reports say is held against what
comes. `scripts/bots realm` prints it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import bots_workers
from bots_kingdoms import KINGDOMS, begun, played_on

from kingdom.campaign.workers import Team
from kingdom.engine.dice import Dice
from kingdom.engine.step import Notice
from kingdom.engine.turn import resolve
from kingdom.games.realm.bots.cures import ABOVE
from kingdom.games.realm.forecast.threats import TURNS, threats
from kingdom.games.realm.report.danger import MEANS

SWITCHES = (0, 2, 4, 6, 8, 12, 16, 24)  # turns after which all fall silent, by the number of the seed
QUIET = 40  # turns that they are silent
BANDS = (0.05, 0.2, 0.4, 0.6, 0.8, 1.01)
SAID, BEFORE = 0.25, 4  # a fall was told of if a line of one of so many reports before it was above that


class Line(NamedTuple):
    """A line of a report's dangers. chance: as it said; came: whether it came true within the turns that it speaks of."""

    name: str
    chance: float
    came: bool


class Fall(NamedTuple):
    """A kingdom that lost its last hex. told: the highest chance of any line in the reports before; attacked: rivals' armies stood there."""

    told: float
    attacked: bool


class Watched(NamedTuple):
    """What was seen of the silent kingdoms of a campaign."""

    lines: list[Line]
    falls: list[Fall]


def quiet(seed: str) -> Watched:
    """Return what reports said of six kingdoms, and what came of it: a bot plays each for some turns, then nobody orders anything.

    seed: it ends with the number of the campaign, by which they fall silent earlier or later.
    """
    game, rules, seats, state = begun(KINGDOMS, seed)
    switch = SWITCHES[int(seed.split()[-1]) % len(SWITCHES)]
    state = played_on(game, rules, state, dict.fromkeys(seats, "steady"), switch, seed)
    said: dict[tuple[str, int], dict[str, float]] = {}  # (seat, turn after which the report came) -> its chances
    came: dict[tuple[str, int], set[str]] = {}  # (seat, turn) -> what befell it in that turn
    falls: list[Fall] = []
    for number in range(switch + 1, switch + QUIET + 1):
        for seat in game.seats(state):
            known = game.known(state, seat, rules)
            said[seat, number - 1] = threats(known, seat, rules, {}).chances
        before, result = state, resolve(game, state, {}, Dice(seed, number), rules)
        state = result.after
        for seat in game.seats(before):
            came[seat, number] = _befell(before, state, seat, number)
            if not state.kingdoms[seat].hexes and before.kingdoms[seat].hexes:
                told = [max(said.get((seat, turn), {"": 0.0}).values()) for turn in range(number - BEFORE, number)]
                falls.append(Fall(max(told), _attacked(result.notices, seat)))
    return Watched(list(_lines(said, came, switch + QUIET)), falls)


def _befell(before: Any, after: Any, seat: str, turn: int) -> set[str]:
    """Which of the dangers befell the seat in that turn."""
    was, now = before.kingdoms[seat], after.kingdoms[seat]
    found = {
        "anarchy": now.anarchy == turn + 1,
        "hex_loss": len(now.hexes) < len(was.hexes),
        "bankruptcy": now.treasury < 0,
    }
    assert found.keys() == MEANS.keys()
    return {name for name, so in found.items() if so}


def _attacked(notices: Sequence[Notice], seat: str) -> bool:
    return any(notice.kind == "battle" and notice.seat == seat for notice in notices)


def _lines(
    said: dict[tuple[str, int], dict[str, float]], came: dict[tuple[str, int], set[str]], last: int
) -> Iterator[Line]:
    """Every line above what a player is told of whose turns were all watched, or which came true in those that were."""
    for (seat, turn), chances in said.items():
        ahead = range(turn + 1, turn + TURNS + 1)
        for name, chance in chances.items():
            true = any(name in came.get((seat, each), ()) for each in ahead)
            if chance > ABOVE and ahead[-1] <= last:
                yield Line(name, chance, true)


def table(count: int, seeds: str, team: Team) -> Iterator[str]:
    """Yield the lines of the table of so many campaigns. seeds: what the seeds begin with."""
    watched = bots_workers.played(quiet, [f"{seeds} {n}" for n in range(count)], team)
    yield "| danger | said | lines | came true |"
    yield "|---|---|---|---|"
    lines = [line for each in watched for line in each.lines]
    for name in (*MEANS, ""):
        for low, high in zip(BANDS, BANDS[1:], strict=False):
            those = [line.came for line in lines if low <= line.chance < high and name in ("", line.name)]
            if those:
                band = f"{low:.0%} to {min(high, 1):.0%}".replace("%", " %")
                true = f"{sum(those) / len(those):.0%}".replace("%", " %")
                yield f"| {MEANS.get(name, 'Any')} | {band} | {len(those)} | {true} |"
    falls = [fall for each in watched for fall in each.falls if not fall.attacked]
    told = sum(fall.told > SAID for fall in falls)
    yield ""
    yield f"Of {len(falls)} kingdoms that fell {told} had a line above {SAID:.0%} in one of the {BEFORE} reports before.".replace(
        "%", " %"
    )
