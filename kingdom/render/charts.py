"""Charts as SVG that stands in a page: no script, no library. Colours and lines come from the classes in the page's style.

The small ones, of a report, have a title and a description with all their figures for readers who cannot see them. The big
ones, of a whole campaign, show many seats over many turns or the faces of dice; the page has their figures in a table and a
key to their lines. `name` is an id that nothing else on the page has.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10

from msgspec import Struct

WIDE, HIGH = 240, 84  # of a chart in its own units
LEFT, RIGHT, TOP, BELOW = 34, 8, 8, 18  # around what is drawn
ROW = 20  # a bar of a list of bars
FONT = 'font-family="sans-serif" font-size="10" fill="#6a655b"'
COLOURS = (
    "#7a3b12",
    "#1f6b3a",
    "#a3241d",
)  # unless the style of the page says otherwise: a line, what is good, what is bad
_ANCHORS = {"s": "", "m": ' text-anchor="middle"', "e": ' text-anchor="end"'}
BARS_FROM, BARS_TO = 110, 196  # where such a bar may lie; its name stands before, its figure behind
LINES = 10  # of a big chart, that can be told apart: the classes l0, l1, ... of the page's style
_MARKS = 5  # of an axis of a big chart, about


class Drawing(str):
    """SVG of our own making, every text in it escaped: a template puts it into a page as it is."""

    def __html__(self) -> str:
        return self


class Frame(Struct, frozen=True):
    """The size of a chart in its own units, and its margins."""

    wide: int
    high: int
    left: int
    right: int
    top: int
    below: int


_BIG = Frame(360, 200, 38, 10, 8, 22)


class Point(Struct, frozen=True):
    """A figure and its label: a turn, a cause."""

    what: str
    value: int | float


def line(name: str, title: str, points: Sequence[Point], percent: bool = False) -> Drawing:
    """A figure over the turns: a line, with the labels of its first and last point below, its lowest and highest figure at the left."""
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
        points = [(LEFT + index * across, HIGH - BELOW - (value - low) * down) for index, value in enumerate(figures)]
        drawn += _polyline(number, points, what if len(series) > 1 else "")
    drawn += [
        _text(LEFT + index * across, HIGH - 4, labels[index], "m" if index else "s")
        for index in sorted({0, len(labels) - 1})
        if labels
    ]
    described = ". ".join(
        what + ": " * bool(what) + _listed([Point(*point) for point in zip(labels, figures, strict=True)], percent)
        for what, figures in series
    )
    return _svg(name, title, described, HIGH, drawn)


def columns(name: str, title: str, points: Sequence[Point], percent: bool = False) -> Drawing:
    """A figure for each of many labels side by side, such as a distribution: columns up from 0."""
    low, high = _span([*(point.value for point in points), 0])
    across, down = (WIDE - LEFT - RIGHT) / max(1, len(points)), (HIGH - TOP - BELOW) / (high - low)
    zero = HIGH - BELOW + low * down
    drawn = [_ground(low, high, RIGHT, percent)]
    for index, point in enumerate(points):
        tall = abs(point.value) * down
        top = zero - tall if point.value > 0 else zero
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
    """A figure for each of a few names, one below the other: bars to the right of 0, negative ones to the left."""
    low, high = _span([*(point.value for point in points), 0])
    across = (BARS_TO - BARS_FROM) / (high - low)
    zero = BARS_FROM - low * across
    drawn = []
    for index, point in enumerate(points):
        long, y = abs(point.value) * across, index * ROW
        start = zero if point.value >= 0 else zero - long
        drawn.append(f'<rect {_kind(point.value)} x="{start:.1f}" y="{y + 4}" width="{long:.1f}" height="{ROW - 8}"/>')
        drawn += [
            _text(BARS_FROM - 6, y + 14, _cut(point.what), "e"),
            _text(BARS_TO + 4, y + 14, _said(point.value, percent), "s"),
        ]
    drawn.append(f'<path class="axis" fill="none" stroke="#ddd8cc" d="M{zero:.1f} 0V{len(points) * ROW}"/>')
    return _svg(name, title, _listed(points, percent), max(1, len(points)) * ROW, drawn)


# --- of a whole campaign


def over_turns(
    name: str, title: str, first: int, series: Sequence[Sequence[int | None]], upside_down: bool = False
) -> Drawing:
    """A line for each seat, from turn `first` on; None where the seat is not in play. upside_down: 1 is at the top, as for ranks."""
    values = [value for line in series for value in line if value is not None]
    low, high = (min(values), max(values)) if values else (0, 0)
    marks = _marks(low, high)
    low, high = min(low, marks[0]), max(high, marks[-1])
    turns = max((len(line) for line in series), default=1)
    across = (_BIG.wide - _BIG.left - _BIG.right) / max(1, turns - 1)
    down = (_BIG.high - _BIG.top - _BIG.below) / max(1, high - low)

    def height(value: float) -> float:
        return _BIG.top + (value - low) * down if upside_down else _BIG.high - _BIG.below - (value - low) * down

    drawn = [
        "".join(f'<path class="axis" d="M{_BIG.left} {height(mark):.1f}H{_BIG.wide - _BIG.right}"/>' for mark in marks)
    ]
    drawn += [_mark(_BIG.left - 5, height(mark) + 3.5, str(mark), "end") for mark in marks]
    for turn in (mark for mark in _marks(first, first + turns - 1) if first <= mark < first + turns):
        drawn.append(_mark(_BIG.left + (turn - first) * across, _BIG.high - 6, str(turn), "middle"))
    for number, line in enumerate(series):
        heights = [None if value is None else height(value) for value in line]
        drawn.append(_line(number, [(_BIG.left + at * across, y) for at, y in enumerate(heights)]))
    return _big(name, title, drawn)


def faces(name: str, title: str, often: Sequence[int], fair: float) -> Drawing:
    """Draw how often each face of a die came, and a line at the average of fair dice."""
    high = max([*often, ceil(fair), 1])
    across, down = (_BIG.wide - _BIG.left - _BIG.right) / len(often), (_BIG.high - _BIG.top - _BIG.below) / high
    drawn = []
    for mark in _marks(0, high):
        drawn.append(
            f'<path class="axis" d="M{_BIG.left} {_BIG.high - _BIG.below - mark * down:.1f}H{_BIG.wide - _BIG.right}"/>'
        )
        drawn.append(_mark(_BIG.left - 5, _BIG.high - _BIG.below - mark * down + 3.5, str(mark), "end"))
    for face, count in enumerate(often, 1):
        x, tall = _BIG.left + (face - 1) * across, count * down
        drawn.append(
            f'<rect class="face" x="{x + across * 0.1:.1f}" y="{_BIG.high - _BIG.below - tall:.1f}" width="{across * 0.8:.1f}" height="{tall:.1f}"/>'
        )
        if face in (1, len(often)) or face % max(1, len(often) // 4) == 0:
            drawn.append(_mark(x + across / 2, _BIG.high - 6, str(face), "middle"))
    drawn.append(
        f'<path class="fair" d="M{_BIG.left} {_BIG.high - _BIG.below - fair * down:.1f}H{_BIG.wide - _BIG.right}"/>'
    )
    return _big(name, title, drawn)


def swatch(number: int) -> Drawing:
    """The line of a seat, for the key."""
    return Drawing(
        f'<svg class="swatch" viewBox="0 0 30 8" aria-hidden="true"><path class="over l{number % LINES}" d="M0 4H30"/></svg>'
    )


# --- parts of both


def _svg(name: str, title: str, said: str, high: int, drawn: Sequence[str]) -> Drawing:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" {FONT} viewBox="0 0 {WIDE} {high}" role="img" aria-labelledby="{name}-title {name}-said">'
    texts = f'<title id="{name}-title">{_escaped(title)}</title><desc id="{name}-said">{_escaped(said)}</desc>'
    return Drawing(f"{head}{texts}{''.join(drawn)}</svg>")


def _polyline(number: int, points: Sequence[tuple[float, float]], name: str) -> list[str]:
    """A line with a dot at its end, and its name there if it has one."""
    colour = COLOURS[number % len(COLOURS)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    drawn = [
        f'<polyline class="line s{number}" fill="none" stroke="{colour}" stroke-width="1.8" points="{path}"/>',
        *(f'<circle class="dot s{number}" fill="{colour}" cx="{x:.1f}" cy="{y:.1f}" r="2"/>' for x, y in points[-1:]),
    ]
    return drawn + [_text(x + 5, y + 3, name, "s") for x, y in points[-1:] if name]


def _kind(value: int | float) -> str:
    return f'class="up" fill="{COLOURS[1]}"' if value >= 0 else f'class="down" fill="{COLOURS[2]}"'


def _ground(low: float, high: float, room: int, percent: bool) -> str:
    """Draw the lowest and the highest figure at the left, each with a line across; also 0, if it lies between them."""
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
    """The lowest and the highest, never the same."""
    low, high = (min(values), max(values)) if values else (0, 0)
    return (low, high) if low < high else (low, low + 1)


def _text(x: float, y: float, said: str, anchor: str) -> str:
    """anchor: s, m or e, for the start, the middle or the end of the text."""
    return f'<text x="{x:.1f}" y="{y:.1f}"{_ANCHORS[anchor]}>{_escaped(said)}</text>'


def _said(value: int | float, percent: bool) -> str:
    return f"{value * 100:.0f} %" if percent else f"{value:g}" if isinstance(value, float) else str(value)


def _listed(points: Sequence[Point], percent: bool) -> str:
    return ", ".join(f"{point.what}: {_said(point.value, percent)}" for point in points)


def _cut(text: str) -> str:
    return text if len(text) <= 18 else text[:17] + "…"


def _line(number: int, points: Sequence[tuple[float, float | None]]) -> str:
    """A line that is broken where a point is missing; a point alone is a dot."""
    path, before = [], False
    for x, y in points:
        if y is not None:
            path.append(f"{'L' if before else 'M'}{x:.1f} {y:.1f}" + ("" if before else "h.1"))
        before = y is not None
    return f'<path class="over l{number % LINES}" d="{"".join(path)}"/>'


def _marks(low: int, high: int) -> list[int]:
    """About _MARKS whole round numbers from at most the lowest to at least the highest."""
    rough = max(1, (high - low) / _MARKS)
    unit = 10 ** floor(log10(rough))
    step = max(1, next(int(unit * times) for times in (1, 2, 5, 10) if unit * times >= rough))
    return list(range(floor(low / step) * step, ceil(high / step) * step + 1, step))


def _mark(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{_escaped(text)}</text>'


def _big(name: str, title: str, drawn: Sequence[str]) -> Drawing:
    head = f'<svg class="chart" viewBox="0 0 {_BIG.wide} {_BIG.high}" role="img" aria-labelledby="{name}">'
    return Drawing(f'{head}<title id="{name}">{_escaped(title)}</title>{"".join(drawn)}</svg>')


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&#34;")
