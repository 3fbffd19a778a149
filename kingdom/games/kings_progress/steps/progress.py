"""The King's Progress: every King moves one city on, or his chancellor spends a veto and he stays."""

from __future__ import annotations

from kingdom.games.kings_progress.orders import KingCondition
from kingdom.games.kings_progress.rules import Rules, rounds
from kingdom.games.kings_progress.state import HIDDEN, PROGRESS, Kingdom, Table, replace, with_city
from kingdom.games.kings_progress.steps.rounds import deciding
from kingdom.games.kings_progress.steps.shared import ALL, booked, tell, used
from kingdom.games.kings_progress.types import Turn

CAUSES = {"progress": "a King's move to the next city", "progress_veto": "a King's move vetoed"}
REFUSALS = {
    "first_progress": "In round 1 every King moves to his first city (ruling first_progress); leave `progress` out.",
    "no_progress_veto": "{whose} has no veto left, so its King moves (ruling no_vetoes_left); leave `progress` out, or write move.",
    "no_last_veto": "In the last round the King's move can't be vetoed (ruling last_round); leave `progress` out, or write move.",
}


def progress_kings(table: Table, turn: Turn) -> Table:
    """Phase 5: all Kings at once."""
    for seat in deciding(turn.before, turn.rules, PROGRESS):
        kingdom = table.kingdoms[seat]
        if _stays(table, turn, seat, kingdom):
            tell(turn, ALL, f"{seat} vetoed its King's progress: he stays in city {kingdom.king}.")
            after = replace(kingdom, vetoes=kingdom.vetoes - 1)
            table = booked(turn, table, seat, after, "progress_veto", f"the King stays in city {kingdom.king}")
        elif kingdom.king < len(kingdom.cities):  # always, but for a turn that is only foreseen
            table = _moved(table, turn, seat, kingdom)
    return table


def _stays(table: Table, turn: Turn, seat: str, kingdom: Kingdom) -> bool:
    """Whether the King's move is vetoed; what can't be vetoed is refused."""
    order = turn.orders.get(seat, {}).get("progress") or {"move": ""}
    if "move" in order:
        return False
    if "veto_if" in order and not _holds(order["veto_if"] or KingCondition(), kingdom):
        turn.tell(seat, "passed", order="progress", text="Its condition did not hold: the King moved.")
        return False
    problem = progress_problem(table.round, kingdom, turn.rules)
    if problem:
        turn.refuse(seat, "progress", problem, whose=seat)
        return False
    used(turn, seat, "progress")
    return True


def progress_problem(round: int, kingdom: Kingdom, rules: Rules) -> str | None:
    """Why the King's move can't be vetoed, as a code."""
    if round == 1:
        return "first_progress"
    if kingdom.vetoes < 1:
        return "no_progress_veto"
    return "no_last_veto" if round == rounds(rules) and not rules.last_round.progress_veto else None


def _holds(condition: KingCondition, kingdom: Kingdom) -> bool:
    if kingdom.vetoes < condition.get("vetoes_min", 0) or kingdom.king >= len(kingdom.cities):
        return False
    tile = kingdom.cities[kingdom.king].tile  # of the next city
    return condition.get("next_tile_min", tile) <= tile <= condition.get("next_tile_max", tile)


def _moved(table: Table, turn: Turn, seat: str, kingdom: Kingdom) -> Table:
    number = kingdom.king + 1
    city = kingdom.cities[number - 1]
    looks = table.round > 1 or turn.rules.first_look.looks
    after = replace(kingdom, king=number)
    if looks and city.coin is not None:
        seen = city.seen_by if seat in city.seen_by else (*city.seen_by, seat)
        after = with_city(after, number, replace(city, seen_by=seen))
    tell(turn, ALL, f"The King of {seat} moved to city {number}.", besides=[seat] if looks else ())
    if looks:
        known = "" if city.coin in (None, HIDDEN) else f", where a coin {city.coin} lies"
        tell(turn, seat, f"Your King moved to city {number}{known}.")
    return booked(turn, table, seat, after, "progress", f"the King moves to city {number}")
