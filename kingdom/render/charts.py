"""Charts as SVG inside a page: no script, no library. Colours and lines come from the classes in the page's style.

Each chart has a title and a description with all its figures for readers who cannot see it. name: an id that nothing else on
the page has. `course` draws only the line, as the page of the review shows it in many charts.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

WIDE, HIGH = 240, 84  # size of a chart in its own units
LEFT, RIGHT, TOP, BELOW = 34, 8, 8, 18  # margins around the drawing
FONT = 'font-family="sans-serif" font-size="10" fill="#6a655b"'
COLOURS = (
    "#7a3b12",
    "#1f6b3a",
    "#a3241d",
)  # default colours of lines, good columns and bad columns, unless the page's style sets others
_ANCHORS = {"s": "", "m": ' text-anchor="middle"', "e": ' text-anchor="end"'}


class Drawing(str):
    """SVG made by this program with every text escaped, so a template puts it into a page unchanged."""

    def __html__(self) -> str:
        return self


class Point(Struct, frozen=True):
    """A figure and its label: a turn, a cause."""

    what: str
    value: int | float


def line(name: str, title: str, points: Sequence[Point], percent: bool = False) -> Drawing:
    """Draw a figure over the turns as a line. The labels of its first and last point stand below, its lowest and highest figure
    at the left."""
    return lines(name, title, [point.what for point in points], [("", [point.value for point in points])], percent)


def lines(
    name: str,
    title: str,
    labels: Sequence[str],
    series: Sequence[tuple[str, Sequence[int | float]]],
    percent: bool = False,
) -> Drawing:
    """Draw figures over the same turns as lines, each with its own dash; several lines are named at their ends."""
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
    """Draw a column from 0 for each label, side by side, such as a distribution."""
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


def course(start: int, values: Sequence[int | None]) -> Drawing:
    """Return the path of a figure after each turn from `start` on, broken at turns without a figure. Its units are turns and
    points."""
    path: list[str] = []
    before: int | None = None
    for turn, value in enumerate(values, start):
        if value is not None:
            path.append(f"M{turn} {-value}h0l" if before is None else f" 1{before - value:+d}")
        before = value
    return Drawing("".join(path))


# --- parts


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
    """The lowest and the highest value, made to differ if they are equal."""
    low, high = (min(values), max(values)) if values else (0, 0)
    return (low, high) if low < high else (low, low + 1)


def _text(x: float, y: float, said: str, anchor: str) -> str:
    """A text at that place. anchor: s, m or e, if the place is the start, middle or end of the text."""
    return f'<text x="{x:.1f}" y="{y:.1f}"{_ANCHORS[anchor]}>{_escaped(said)}</text> '


def _said(value: int | float, percent: bool) -> str:
    return f"{value * 100:.0f} %" if percent else f"{value:g}" if isinstance(value, float) else str(value)


def _listed(points: Sequence[Point], percent: bool) -> str:
    return ", ".join(f"{point.what}: {_said(point.value, percent)}" for point in points)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&#34;")
