"""The forecast in a report: what the dice of the next turn make of a kingdom that orders nothing, exact over every face."""

from __future__ import annotations

from typing import Any

from kingdom.games.realm.forecast.courses import Standing
from kingdom.games.realm.forecast.exact import ends_of
from kingdom.games.realm.forecast.forecast import CHANCES, left_out, next_turn, quantile
from kingdom.games.realm.report.odds import percent
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import World

LOW, MIDDLE, HIGH = 5, 50, 95  # percent: the bands that are named


def forecast_view(seen: World, next_turn_of: World, seat: str, rules: Rules) -> dict[str, Any]:
    """Plain data for a template; {} of a kingdom that is out of play.

    turn: the next turn. anarchy: it is one of anarchy, so that nothing hangs on dice.
    accounts: for the treasury in BP and for Unrest at its end, `name`, `start` (before the dice), `low`, `middle` and `high`
    (it is at most so much with a chance of 5, 50, 95 percent; the middle is the median), and `rows`, the whole table: `value`,
    `chance` (0 to 1), `percent` (as a person reads it), the lowest value first; `said` is the table in a line.
    chances: `name` (anarchy, hex_loss, bankruptcy), `means` (the same in words), `chance`, `percent`.
    first_to_go: the hexes that go first, as many as the dice may cost, where none is named.
    left_out: what is not reckoned with and applies here, a sentence each.

    seen: what the seat knows; next_turn_of: the kingdom as the next turn's checks find it (odds.without_orders).
    """
    kingdom = next_turn_of.kingdoms[seat]
    if kingdom.destroyed:
        return {}
    standing = Standing(seat, kingdom, next_turn_of.hexes, next_turn_of.turn + 1)
    end = next_turn(ends_of(standing, rules), standing, rules)
    return {
        "turn": standing.turn,
        "anarchy": kingdom.anarchy == standing.turn,
        "accounts": [_account(name, end["start"][name], end["accounts"][name]) for name in end["start"]],
        "chances": [_chance(name, chance) for name, chance in end["chances"].items()],
        "first_to_go": end["first_to_go"],
        "left_out": left_out(seen, seat, rules, {}, turns=1),
    }


def _chance(name: str, chance: float) -> dict[str, Any]:
    return {"name": name, "means": CHANCES[name], "chance": chance, "percent": percent(chance)}


def _account(name: str, start: int, rows: list[tuple[int, float]]) -> dict[str, Any]:
    bands = {word: quantile(rows, at) for word, at in (("low", LOW), ("middle", MIDDLE), ("high", HIGH))}
    table = [{"value": value, "chance": chance, "percent": percent(chance)} for value, chance in rows]
    said = ", ".join(f"{row['value']} {row['percent']}" for row in table)
    return {"name": name, "start": start, **bands, "rows": table, "said": f"{said}."}
