"""Small charts as SVG that stands in a page: no script, no library. Colours and lines come from the classes in the page's style.

Each has a title and a description with all its figures for who cannot see it. name: an id that is the page's only one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

WIDE, HIGH = 240, 84  # of a chart in its own units
LEFT, RIGHT, TOP, BELOW = 34, 8, 8, 18  # around what is drawn
ROW = 20  # a bar of a list of bars
FONT = 'font-family="sans-serif" font-size="10" fill="#6a655b"'
COLOURS = (
    "#7a3b12",
    "#1f6b3a",
    "#a3241d",
)  # where no style of a page says otherwise: a line, what is good, what is bad
_ANCHORS = {"s": "", "m": ' text-anchor="middle"', "e": ' text-anchor="end"'}
BARS_FROM, BARS_TO = 110, 196  # where such a bar may lie; its name stands before, its figure behind


class Drawing(str):
    """SVG of our own making, every text in it escaped: a template puts it into a page as it is."""

    def __html__(self) -> str:
        return self


class Point(NamedTuple):
    """A figure and what it is of: a turn, a cause."""

    what: str
    value: int | float


def line(name: str, title: str, points: Sequence[Point], percent: bool = False) -> Drawing:
    """A figure over the turns: a line with its first and last point's label below, its least and its most at the left."""
    return lines(name, title, [point.what for point in points], [("", [point.value for point in points])], percent)


def lines(
    name: str,
    title: str,
    labels: Sequence[str],
    series: Sequence[tuple[str, Sequence[int | float]]],
    percent: bool = False,
) -> Drawing:
    """Several figures over the same turns, each a line of its own dash, named at its end where there are several."""
    values = [value for _, figures in series for value in figures]
    low, high = _span(values)
    room = RIGHT + (60 if len(series) > 1 else 0)
    across = (WIDE - LEFT - room) / max(1, len(labels) - 1)
    down = (HIGH - TOP - BELOW) / (high - low)
    drawn = [_ground(low, high, room, percent)]
    for number, (what, figures) in enumerate(series):
        at = [(LEFT + index * across, HIGH - BELOW - (value - low) * down) for index, value in enumerate(figures)]
        colour = COLOURS[number % len(COLOURS)]
        drawn.append(
            f'<polyline class="line s{number}" fill="none" stroke="{colour}" stroke-width="1.8" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in at)}"/>'
        )
        drawn += [
            f'<circle class="dot s{number}" fill="{colour}" cx="{x:.1f}" cy="{y:.1f}" r="2"/>' for x, y in at[-1:]
        ]
        drawn += [_text(x + 5, y + 3, what, "s") for x, y in at[-1:] if len(series) > 1]
    drawn += [
        _text(LEFT + index * across, HIGH - 4, labels[index], "m" if index else "s")
        for index in sorted({0, len(labels) - 1})
        if labels
    ]
    described = ". ".join(
        what
        + ": " * bool(what)
        + ", ".join(f"{label}: {_said(value, percent)}" for label, value in zip(labels, figures, strict=True))
        for what, figures in series
    )
    return _svg(name, title, described, HIGH, drawn)


def columns(name: str, title: str, points: Sequence[Point], percent: bool = False) -> Drawing:
    """A figure for each of many labels side by side, as of a distribution: columns up from nought."""
    low, high = _span([*(point.value for point in points), 0])
    across, down = (WIDE - LEFT - RIGHT) / max(1, len(points)), (HIGH - TOP - BELOW) / (high - low)
    nought = HIGH - BELOW + low * down
    drawn = [_ground(low, high, RIGHT, percent)]
    for index, point in enumerate(points):
        tall = abs(point.value) * down
        top = nought - tall if point.value > 0 else nought
        drawn.append(
            f'<rect {_kind(point.value)} x="{LEFT + (index + 0.1) * across:.1f}" y="{top:.1f}" width="{across * 0.8:.1f}" height="{tall:.1f}"/>'
        )
    drawn += [
        _text(LEFT + (index + 0.5) * across, HIGH - 4, points[index].what, "m")
        for index in sorted({0, len(points) - 1})
        if points
    ]
    return _svg(name, title, _listed(points, percent), HIGH, drawn)


def bars(name: str, title: str, points: Sequence[Point], percent: bool = False) -> Drawing:
    """A figure for each of a few names, one below the other: bars to the right of nought, those below it to the left."""
    low, high = _span([*(point.value for point in points), 0])
    across = (BARS_TO - BARS_FROM) / (high - low)
    nought = BARS_FROM - low * across
    drawn = []
    for index, point in enumerate(points):
        long, y = abs(point.value) * across, index * ROW
        start = nought if point.value >= 0 else nought - long
        drawn.append(f'<rect {_kind(point.value)} x="{start:.1f}" y="{y + 4}" width="{long:.1f}" height="{ROW - 8}"/>')
        drawn += [
            _text(BARS_FROM - 6, y + 14, _cut(point.what), "e"),
            _text(BARS_TO + 4, y + 14, _said(point.value, percent), "s"),
        ]
    drawn.append(f'<path class="axis" fill="none" stroke="#ddd8cc" d="M{nought:.1f} 0V{len(points) * ROW}"/>')
    return _svg(name, title, _listed(points, percent), max(1, len(points)) * ROW, drawn)


# --- parts


def _svg(name: str, title: str, said: str, high: int, drawn: Sequence[str]) -> Drawing:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" {FONT} viewBox="0 0 {WIDE} {high}" role="img" aria-labelledby="{name}-title {name}-said">'
    texts = f'<title id="{name}-title">{_escaped(title)}</title><desc id="{name}-said">{_escaped(said)}</desc>'
    return Drawing(f"{head}{texts}{''.join(drawn)}</svg>")


def _kind(value: int | float) -> str:
    return f'class="up" fill="{COLOURS[1]}"' if value >= 0 else f'class="down" fill="{COLOURS[2]}"'


def _ground(low: float, high: float, room: int, percent: bool) -> str:
    """The least and the most at the left, each with its line across; nought too, where it lies between them."""
    down = (HIGH - TOP - BELOW) / (high - low)
    marks = [
        (value, HIGH - BELOW - (value - low) * down) for value in sorted({low, high, *([0] if low < 0 < high else [])})
    ]
    marks = [(value, y) for value, y in marks if value in (low, high) or y - TOP > 12 and HIGH - BELOW - y > 12]
    path = "".join(f"M{LEFT} {y:.1f}H{WIDE - room}" for _, y in marks)
    return f'<path class="axis" fill="none" stroke="#ddd8cc" d="{path}"/>' + "".join(
        _text(LEFT - 4, y + 3, _said(value, percent), "e") for value, y in marks
    )


def _span(values: Sequence[int | float]) -> tuple[float, float]:
    """The least and the most, never the same."""
    low, high = (min(values), max(values)) if values else (0, 0)
    return (low, high) if low < high else (low, low + 1)


def _text(x: float, y: float, said: str, anchor: str) -> str:
    """anchor: s, m or e: whether it starts, has its middle or ends there."""
    return f'<text x="{x:.1f}" y="{y:.1f}"{_ANCHORS[anchor]}>{_escaped(said)}</text>'


def _said(value: int | float, percent: bool) -> str:
    return f"{value * 100:.0f} %" if percent else f"{value:g}" if isinstance(value, float) else str(value)


def _listed(points: Sequence[Point], percent: bool) -> str:
    return ", ".join(f"{point.what}: {_said(point.value, percent)}" for point in points)


def _cut(text: str) -> str:
    return text if len(text) <= 18 else text[:17] + "…"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&#34;")
