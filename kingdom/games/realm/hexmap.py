"""The geometry of the map: labels CCRR, column then row from 01; even columns stand half a hex lower."""

from __future__ import annotations

from functools import cache

DIRECTIONS = ("n", "ne", "se", "s", "sw", "nw")


def label_of(column: int, row: int) -> str:
    """The label of a hex; columns and rows count from 1 to 99."""
    return f"{column:02d}{row:02d}"


def place_of(label: str) -> tuple[int, int]:
    """Column and row of a label."""
    return int(label[:2]), int(label[2:])


@cache
def neighbours(label: str) -> tuple[str, ...]:
    """The labels around a hex, clockwise from the north; those beyond the label range are left out."""
    column, row = place_of(label)
    low = row + 1 if column % 2 == 0 else row
    around = (
        (column, row - 1),
        (column + 1, low - 1),
        (column + 1, low),
        (column, row + 1),
        (column - 1, low),
        (column - 1, low - 1),
    )
    return tuple(label_of(c, r) for c, r in around if 1 <= c <= 99 and 1 <= r <= 99)


def beside(label: str, direction: str) -> str | None:
    """The label next to a hex in one of the DIRECTIONS, None beyond the label range."""
    column, row = place_of(label)
    low = row + 1 if column % 2 == 0 else row
    c, r = {
        "n": (column, row - 1),
        "ne": (column + 1, low - 1),
        "se": (column + 1, low),
        "s": (column, row + 1),
        "sw": (column - 1, low),
        "nw": (column - 1, low - 1),
    }[direction]
    return label_of(c, r) if 1 <= c <= 99 and 1 <= r <= 99 else None


def distance(a: str, b: str) -> int:
    """Hexes from a to b as the crow flies."""
    (x_a, z_a), (x_b, z_b) = _cube(a), _cube(b)
    dx, dz = x_a - x_b, z_a - z_b
    return max(abs(dx), abs(dz), abs(dx - dz))


@cache
def _cube(label: str) -> tuple[int, int]:
    """Two of the cube coordinates of flat-top hexes with even columns pushed down."""
    column, row = place_of(label)
    return column, row - (column + (column & 1)) // 2 + column


def parts(labels: set[str] | frozenset[str]) -> list[set[str]]:
    """The connected parts of a set of hexes, each part once, in the order of their lowest labels."""
    left = set(labels)
    found = []
    for label in sorted(labels):
        if label not in left:
            continue
        part, edge = set(), [label]
        left.discard(label)
        while edge:
            here = edge.pop()
            part.add(here)
            for near in neighbours(here):
                if near in left:
                    left.discard(near)
                    edge.append(near)
        found.append(part)
    return found
