"""Charts as SVG inside a page: no script, no library. Colours and lines come from the classes in the page's style.

Each chart has a title and a description with its figures for readers who cannot see it. name: an id that nothing else on
the page has. `course` draws only the line, as the page of the review shows it in many charts.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

WIDE, HIGH = 240, 84  # size of a chart of one line in its own units
LEFT, RIGHT, TOP, BELOW = 34, 8, 8, 18  # margins around the drawing
MANY_WIDE, MANY_HIGH = 400, 260  # size of a chart of several lines
NAMES = 118  # its room at the right, for the names of lines
ROW = 14  # from one name to the next
FONT = 'font-family="sans-serif" fill="#6a655b"'
_ANCHORS = {"s": "", "m": ' text-anchor="middle"', "e": ' text-anchor="end"'}
_DASHES = ("", "7 3", "2 3", "9 3 2 3")


class Drawing(str):
    """SVG made by this program with every text escaped, so a template puts it into a page unchanged."""

    def __html__(self) -> str:
        return self


class Point(Struct, frozen=True):
    """A figure and its label: a turn, a cause."""

    what: str
    value: int | float


class Series(Struct, frozen=True):
    """A line among several. values: one for each label, None where there is none. number: of its colour."""

    name: str
    values: Sequence[int | None]
    number: int


def hue(number: int) -> int:
    """Return the hue of a line's or a land's colour, 0 to 359; those of neighbouring numbers lie far apart."""
    return (number * 137 + 20) % 360


def coloured(number: int, use: str) -> str:
    """Return attributes that give a shape its colour. use: `stroke` or `fill`. Where a page has a style, its class takes the hue from it."""
    return f'class="hue-{use}" style="--h:{hue(number)}" {use}="hsl({hue(number)},60%,38%)"'


def line(name: str, title: str, points: Sequence[Point]) -> Drawing:
    """Draw a figure over the turns as a line. The labels of its first and last point stand below, its lowest and highest figure
    at the left."""
    low, high = _span([point.value for point in points])
    across, down = (WIDE - LEFT - RIGHT) / max(1, len(points) - 1), (HIGH - TOP - BELOW) / (high - low)
    places = [(LEFT + index * across, HIGH - BELOW - (point.value - low) * down) for index, point in enumerate(points)]
    drawn = [
        _ground(low, high, WIDE - RIGHT, HIGH),
        _polyline('class="line" stroke="#7a3b12"', places),
        *(f'<circle class="dot" fill="#7a3b12" cx="{x:.1f}" cy="{y:.1f}" r="2"/>' for x, y in places[-1:]),
        *_labels([point.what for point in points], across, HIGH),
    ]
    said = ", ".join(f"{point.what}: {_said(point.value)}" for point in points)
    return _svg(name, title, said, (WIDE, HIGH), drawn)


def lines(name: str, title: str, labels: Sequence[str], series: Sequence[Series]) -> Drawing:
    """Draw figures over the same turns as lines from 0 up, each in its colour and dashes, with its name at its end."""
    low, high = _span([0, *(value for one in series for value in one.values if value is not None)])
    across = (MANY_WIDE - LEFT - NAMES) / max(1, len(labels) - 1)
    down = (MANY_HIGH - TOP - BELOW) / (high - low)
    drawn, ends, said = [_ground(low, high, MANY_WIDE - NAMES, MANY_HIGH)], [], []
    for one in series:
        places = [
            (LEFT + index * across, MANY_HIGH - BELOW - (value - low) * down, value)
            for index, value in enumerate(one.values)
            if value is not None
        ]
        if not places:
            continue
        dashes = _DASHES[one.number % len(_DASHES)]
        drawn.append(
            _polyline(f'{coloured(one.number, "stroke")} stroke-dasharray="{dashes}"', [at[:2] for at in places])
        )
        ends.append((*places[-1], one))
        said.append(f"{one.name}: {_said(places[0][2])} at first, {_said(places[-1][2])} at last")
    ends.sort(key=lambda end: -end[1])
    for (x, y, value, one), at in zip(ends, _apart([end[1] for end in ends]), strict=True):
        drawn += [
            f'<path d="M{x:.1f} {y:.1f}L{MANY_WIDE - NAMES + 5} {at:.1f}" fill="none" {coloured(one.number, "stroke")} stroke-width=".7"/>',
            f'<circle {coloured(one.number, "fill")} cx="{x:.1f}" cy="{y:.1f}" r="2.5"/>',
            _text(MANY_WIDE - NAMES + 8, at + 4, f"{_said(value)} {one.name}", "s"),
        ]
    drawn += _labels(labels, across, MANY_HIGH)
    return _svg(name, title, ". ".join(said), (MANY_WIDE, MANY_HIGH), drawn)


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


def _svg(name: str, title: str, said: str, size: tuple[int, int], drawn: Sequence[str]) -> Drawing:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" {FONT} font-size="{10 if size[0] == WIDE else 12}" viewBox="0 0 {size[0]} {size[1]}" role="img" aria-labelledby="{name}-title {name}-said">'
    texts = f'<title id="{name}-title">{escaped(title)}</title><desc id="{name}-said">{escaped(said)}</desc>'
    return Drawing(f"{head}{texts}{''.join(drawn)}</svg>")


def _apart(heights: Sequence[float]) -> list[float]:
    """Where names stand, so that none covers another, as near as there is room to these heights, the lowest on the page first."""
    found: list[float] = []
    for height in heights:
        found.append(min(height, found[-1] - ROW) if found else height)
    least = float(TOP)
    for index in reversed(range(len(found))):
        found[index] = max(found[index], least)
        least = found[index] + ROW
    return found


def _polyline(attributes: str, places: Sequence[tuple[float, float]]) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    return f'<polyline {attributes} fill="none" stroke-width="1.8" points="{path}"/>'


def _labels(labels: Sequence[str], across: float, high: int) -> list[str]:
    """The first and the last label, below the drawing."""
    return [
        _text(LEFT + index * across, high - 4, labels[index], "m" if index else "s")
        for index in sorted({0, len(labels) - 1})
        if labels
    ]


def _ground(low: float, high: float, right: int, bottom: int) -> str:
    """Draw the lowest and the highest figure at the left, each with a line across; also 0, if it lies between them."""
    down = (bottom - TOP - BELOW) / (high - low)
    marks = [
        (value, bottom - BELOW - (value - low) * down)
        for value in sorted({low, high, *([0] if low < 0 < high else [])})
    ]
    marks = [(value, y) for value, y in marks if value in (low, high) or y - TOP > 12 and bottom - BELOW - y > 12]
    path = "".join(f"M{LEFT} {y:.1f}H{right}" for _, y in marks)
    return f'<path class="axis" fill="none" stroke="#ddd8cc" d="{path}"/>' + "".join(
        _text(LEFT - 4, y + 3, _said(value), "e") for value, y in marks
    )


def _span(values: Sequence[int | float]) -> tuple[float, float]:
    """The lowest and the highest value, made to differ if they are equal."""
    low, high = (min(values), max(values)) if values else (0, 0)
    return (low, high) if low < high else (low, low + 1)


def _text(x: float, y: float, said: str, anchor: str) -> str:
    """A text at that place. anchor: s, m or e, if the place is the start, middle or end of the text."""
    return f'<text x="{x:.1f}" y="{y:.1f}"{_ANCHORS[anchor]}>{escaped(said)}</text> '


def _said(value: int | float) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def escaped(text: str) -> str:
    """Return the text as it may stand in markup and in a quoted attribute."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
