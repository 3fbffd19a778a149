"""The pouch: drawing from it by shape, and filling it up when it is empty."""

from __future__ import annotations

from collections.abc import Sequence

from kingdom.games.kings_pouch.state import NOBODY, SHAPES, Citizens, Table, count_of, plus, together, with_lord
from kingdom.games.kings_pouch.steps.shared import corrupted, counted, one_corrupt, tell
from kingdom.games.kings_pouch.types import Turn

CAUSES = {"refill": "a corrupt official for a pouch that was filled up"}
FIRST_SHAPE = "cube"  # where nobody wished for one
OTHER = {"cube": "prism", "prism": "cube"}


def drawn(table: Table, turn: Turn, seat: str, count: int, area: str, wishes: Sequence[str]) -> tuple[Table, list[str]]:
    """So many draws into an area, each of the wished shape where one is left; and the kinds that were drawn.

    Where a turn is foreseen the drawing stops at the first piece that a die would decide.
    """
    kinds: list[str] = []
    for index in range(count):
        if not count_of(table.lords[seat].pouch):
            table = filled_up(table, turn, seat)
        lord = table.lords[seat]
        if not count_of(lord.pouch):
            break  # ruling no_citizen
        shape = wishes[min(index, len(wishes) - 1)] if wishes else FIRST_SHAPE
        kind = _piece(lord.pouch, turn, seat, shape if shape_count(lord.pouch, shape) else OTHER[shape])
        if kind is None:
            break
        kinds.append(kind)
        table = with_lord(table, seat, **{"pouch": plus(lord.pouch, kind, -1), area: plus(getattr(lord, area), kind)})
    return table, kinds


def shape_count(citizens: Citizens, shape: str) -> int:
    """How many of that shape they are."""
    return sum([getattr(citizens, kind) for kind in SHAPES[shape]])


def _piece(pouch: Citizens, turn: Turn, seat: str, shape: str) -> str | None:
    """A piece of that shape: a die says which where there are several kinds."""
    pieces = [(kind, count) for kind in SHAPES[shape] if (count := getattr(pouch, kind))]
    if len(pieces) == 1:
        return pieces[0][0]
    face = turn.roll(seat, "draw", sum([count for _, count in pieces]))
    if face is None:
        return None
    for kind, count in pieces:
        if face <= count:
            return kind
        face -= count
    return pieces[-1][0]


def filled_up(table: Table, turn: Turn, seat: str) -> Table:
    """A corrupt official and the whole rest area go into the empty pouch."""
    lord = table.lords[seat]
    back = (
        f"; {counted(count_of(lord.rest), 'citizen')} of the rest area in the pouch again"
        if count_of(lord.rest)
        else ""
    )
    tell(turn, seat, f"has an empty pouch and {one_corrupt(table, turn.rules)}{back}.")
    table = corrupted(turn, table, seat, "pouch", "refill", "a corrupt official, as the pouch was empty")
    lord = table.lords[seat]
    return with_lord(table, seat, pouch=together(lord.pouch, lord.rest), rest=NOBODY)
