"""Phases 2 and 3: the single gifts, then the points of a round, when the turns at the table are over."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from kingdom.games.kit.table import clockwise
from kingdom.games.royal_progress import state
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import Table, Turn, at_court, figure, replace, suit, with_player
from kingdom.games.royal_progress.steps import booked, scored, tell
from kingdom.games.royal_progress.steps.cards import discard_open, forced_discard, single_for
from kingdom.games.royal_progress.steps.cards import settle_control as settle
from kingdom.render.plain_text import counted

CAUSES = {
    "single": "a single gift for minor control of a courtier at court",
    "majority": "the most gifts of a type, or the second or third most",
    "types": "the most different types of gifts, or the second or third most",
    "payout": "control of courtiers at the end of a round",
}
MOST_TYPES = "most types"
Key: TypeAlias = tuple[int, ...]  # by which positions are ranked


def single_gifts(table: Table, turn: Turn) -> Table:
    """Who has minor control of a courtier at court picks a single gift, for the last that arrived first."""
    if table.phase != state.SCORING:
        return table
    for name in reversed(at_court(table)):
        seat = table.courtiers[name].minor
        if seat and table.singles:
            at = single_for(table, seat, turn.rules)
            gift = table.singles[at]
            table = replace(table, singles=(*table.singles[:at], *table.singles[at + 1 :]))
            table = with_player(table, seat, gifts=tuple(sorted((*table.seats[seat].gifts, gift))))
            tell(turn, f"{seat} takes {gift} for minor control of the {name}.")
            booked(table, turn, "single", f"{gift} for the {name}", seat)
    return table


# --- positions


def score_each_type(table: Table, turn: Turn) -> Table:
    """Type by type: the most gifts, then the most crowns; who comes first discards an open card at once."""
    if table.phase != state.SCORING:
        return table
    for kind in turn.rules.gifts.types:
        keys = {seat: key for seat in table.seats if (key := of_type(table, seat, kind))[0]}  # (ruling none_held)
        table = _award(
            table, turn, keys, "majority", kind, lambda key: f"{counted(key[0], 'card')}, {counted(key[1], 'crown')}"
        )
    return table


def score_most_types(table: Table, turn: Turn) -> Table:
    """The most different types; ties go by the rarest type, its crowns, the next rarest."""
    if table.phase != state.SCORING:
        return table
    keys = {seat: variety(table, seat, turn.rules) for seat in table.seats if table.seats[seat].gifts}

    def why(key: tuple[int, ...]) -> str:
        return f"{counted(key[0], 'type')}, of the rarest {counted(key[1], 'card')}"

    return _award(table, turn, keys, "types", MOST_TYPES, why)


def of_type(table: Table, seat: str, kind: str) -> tuple[int, int]:
    """(cards, crowns) of a type that the seat has."""
    crowns = [figure(gift) for gift in table.seats[seat].gifts if suit(gift) == kind]
    return len(crowns), sum(crowns)


def variety(table: Table, seat: str, rules: Rules) -> tuple[int, ...]:
    """How many types, then cards and crowns of each from the rarest on (ruling rarest_type)."""
    held = sorted(pair for kind in rules.gifts.types if (pair := of_type(table, seat, kind))[0])
    return (len(held), *(number for pair in held for number in pair))


def places(keys: Mapping[str, tuple[int, ...]]) -> Iterator[tuple[int, list[str]]]:
    """(position from 0, the seats that share it), the best first; sharers use up as many positions as they are."""
    position = 0
    for key in sorted(set(keys.values()), reverse=True):
        seats = [seat for seat in keys if keys[seat] == key]
        yield position, seats
        position += len(seats)


def worth(position: int, sharers: int, number: int, rules: Rules) -> int:
    """The points of a position of round `number` that that many share (ruling ties)."""
    of = rules.positions[min(number, len(rules.positions)) - 1]
    points = (of.first, of.second, of.third)[position] if position < 3 else 0
    return max(0, points - rules.ties.less) if sharers > 1 else points


def _award(
    table: Table, turn: Turn, keys: Mapping[str, Key], cause: str, what: str, why: Callable[[Key], str]
) -> Table:
    """why: what the position was reached with, in words."""
    first: list[str] = []
    for position, seats in places(keys):
        points = worth(position, len(seats), table.round, turn.rules)
        first = seats if position == 0 else first
        for seat in seats if points else ():
            shared = f", shared by {len(seats)}" if len(seats) > 1 else ""
            tell(turn, f"{seat} scores {points} for {what}: position {position + 1}{shared}, with {why(keys[seat])}.")
            table = scored(table, turn, seat, points, cause, f"{what}: position {position + 1}{shared}")
    if len(first) > 1 and not turn.rules.tied_firsts_discard.discard:
        return table
    return _discards(table, turn, first, what)


def _discards(table: Table, turn: Turn, seats: list[str], what: str) -> Table:
    for seat in [seat for seat in clockwise(table, table.king_card) if seat in seats]:
        name = forced_discard(table, seat)
        if name:
            table = discard_open(table, turn, seat, name, "discard", f" as first for {what}")
    return table


# --- control


def score_control(table: Table, turn: Turn) -> Table:
    """Control of those at court is looked at again; then each courtier scores for who controls him."""
    if table.phase != state.SCORING:
        return table
    for name in table.courtiers:
        table = settle(table, turn, name)
    each = turn.rules.points.control
    for seat in table.seats:
        held = {name: courtier for name, courtier in table.courtiers.items() if courtier.control == seat}
        mine = [name for name in held if held[name].arrived or turn.rules.control_payout.on_the_road]
        if mine and each:
            tell(turn, f"{seat} scores {each * len(mine)} for control of {', '.join(mine)}.")
            table = scored(table, turn, seat, each * len(mine), "payout", f"control of {', '.join(mine)}")
    return table
