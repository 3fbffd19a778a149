"""Who holds which place, as shapes: the outline of each holder's land. Labels are column and row in two digits each, on a map whose even columns
stand half a place lower. A place is 16 wide and 14 high in the units of the drawing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kingdom.engine.named_tuple import NamedTuple

ACROSS, DOWN = 12, 14  # from the middle of a place to that of the next one
_CORNERS = ((-4, -7), (4, -7), (8, 0), (4, 7), (-4, 7), (-8, 0))


class Land(NamedTuple):
    """A holder's land. path: of its outline, for SVG. x, y: where its name stands. places: how many."""

    path: str
    x: int
    y: int
    places: int


NONE = Land("", 0, 0, 0)


def middle(label: str) -> tuple[int, int]:
    """Return where the middle of a place is."""
    column, row = int(label[:2]), int(label[2:])
    return column * ACROSS, row * DOWN + (0 if column % 2 else DOWN // 2)


def lands(holders: Mapping[str, str]) -> dict[str, Land]:
    """Return holder -> its land."""
    held: dict[str, list[tuple[int, int]]] = {}
    for label in sorted(holders):
        held.setdefault(holders[label], []).append(middle(label))
    found = {}
    for holder, middles in held.items():
        centre = [sum(at) / len(middles) for at in zip(*middles, strict=True)]
        x, y = min(middles, key=lambda at: (at[0] - centre[0]) ** 2 + (at[1] - centre[1]) ** 2)
        found[holder] = Land(_outline(middles), x, y, len(middles))
    return found


def frame(labels: Iterable[str]) -> tuple[int, int, int, int]:
    """Return left, top, width and height of the drawing that holds these places."""
    xs, ys = zip(*(middle(label) for label in labels), strict=True)
    return min(xs) - 10, min(ys) - 9, max(xs) - min(xs) + 20, max(ys) - min(ys) + 18


def _outline(middles: Iterable[tuple[int, int]]) -> str:
    """Return the closed lines around these places: a side that two of them share is left out."""
    after: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for x, y in middles:
        corners = [(x + dx, y + dy) for dx, dy in _CORNERS]
        for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
            if start in after.get(end, ()):
                after[end].remove(start)
            else:
                after.setdefault(start, []).append(end)
    drawn = []
    for first in after:
        while after[first]:
            drawn.append(f"M{first[0]} {first[1]}l")
            here = first
            while here != first or drawn[-1].endswith("l"):
                there = after[here].pop()
                drawn.append(f"{there[0] - here[0]} {there[1] - here[1]} ")
                here = there
            drawn.append("z")
    return "".join(drawn).replace(" -", "-").replace(" z", "z")
