"""Charts of a whole campaign as SVG: many seats over many turns, and the faces of dice. The small ones are in kingdom/render/charts.py.

Colours and dashes come from the classes l0, l1, ... of the page's style; what they stand for says the page's key.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10

from kingdom.render.charts import Drawing

WIDE, HIGH = 360, 200
LEFT, RIGHT, TOP, BELOW = 38, 10, 8, 22
MARKS = 5  # of an axis, about
LINES = 10  # that can be told apart


def over_turns(
    name: str, title: str, first: int, series: Sequence[Sequence[int | None]], upside_down: bool = False
) -> Drawing:
    """A line for each seat, from turn `first` on; None where the seat is not in play. upside_down: 1 is at the top, as of ranks."""
    values = [value for line in series for value in line if value is not None]
    low, high = (min(values), max(values)) if values else (0, 0)
    marks = _marks(low, high)
    low, high = min(low, marks[0]), max(high, marks[-1])
    turns = max((len(line) for line in series), default=1)
    across = (WIDE - LEFT - RIGHT) / max(1, turns - 1)
    down = (HIGH - TOP - BELOW) / max(1, high - low)

    def height(value: float) -> float:
        return TOP + (value - low) * down if upside_down else HIGH - BELOW - (value - low) * down

    drawn = ["".join(f'<path class="axis" d="M{LEFT} {height(mark):.1f}H{WIDE - RIGHT}"/>' for mark in marks)]
    drawn += [_text(LEFT - 5, height(mark) + 3.5, str(mark), "end") for mark in marks]
    for turn in (mark for mark in _marks(first, first + turns - 1) if first <= mark < first + turns):
        drawn.append(_text(LEFT + (turn - first) * across, HIGH - 6, str(turn), "middle"))
    for number, line in enumerate(series):
        drawn.append(
            _line(
                number,
                [(LEFT + at * across, None if value is None else height(value)) for at, value in enumerate(line)],
            )
        )
    return _svg(name, title, drawn)


def faces(name: str, title: str, often: Sequence[int], fair: float) -> Drawing:
    """How often each face of a die came, and a line at what fair dice give."""
    high = max([*often, ceil(fair), 1])
    across, down = (WIDE - LEFT - RIGHT) / len(often), (HIGH - TOP - BELOW) / high
    drawn = []
    for mark in _marks(0, high):
        drawn.append(f'<path class="axis" d="M{LEFT} {HIGH - BELOW - mark * down:.1f}H{WIDE - RIGHT}"/>')
        drawn.append(_text(LEFT - 5, HIGH - BELOW - mark * down + 3.5, str(mark), "end"))
    for face, count in enumerate(often, 1):
        x, tall = LEFT + (face - 1) * across, count * down
        drawn.append(
            f'<rect class="face" x="{x + across * 0.1:.1f}" y="{HIGH - BELOW - tall:.1f}" width="{across * 0.8:.1f}" height="{tall:.1f}"/>'
        )
        if face in (1, len(often)) or face % max(1, len(often) // 4) == 0:
            drawn.append(_text(x + across / 2, HIGH - 6, str(face), "middle"))
    drawn.append(f'<path class="fair" d="M{LEFT} {HIGH - BELOW - fair * down:.1f}H{WIDE - RIGHT}"/>')
    return _svg(name, title, drawn)


def swatch(number: int) -> Drawing:
    """The line of a seat, for the key."""
    return Drawing(
        f'<svg class="swatch" viewBox="0 0 30 8" aria-hidden="true"><path class="over l{number % LINES}" d="M0 4H30"/></svg>'
    )


def _line(number: int, points: Sequence[tuple[float, float | None]]) -> str:
    """A line that is broken where a point is missing; a point alone is a dot."""
    path, before = [], False
    for x, y in points:
        if y is not None:
            path.append(f"{'L' if before else 'M'}{x:.1f} {y:.1f}" + ("" if before else "h.1"))
        before = y is not None
    return f'<path class="over l{number % LINES}" d="{"".join(path)}"/>'


def _marks(low: int, high: int) -> list[int]:
    """About MARKS whole round numbers from at most the lowest to at least the highest."""
    rough = max(1, (high - low) / MARKS)
    unit = 10 ** floor(log10(rough))
    step = max(1, next(int(unit * times) for times in (1, 2, 5, 10) if unit * times >= rough))
    return list(range(floor(low / step) * step, ceil(high / step) * step + 1, step))


def _text(x: float, y: float, said: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(said)}</text>'


def _svg(name: str, title: str, drawn: Sequence[str]) -> Drawing:
    head = f'<svg class="chart" viewBox="0 0 {WIDE} {HIGH}" role="img" aria-labelledby="{name}">'
    return Drawing(f'{head}<title id="{name}">{escape(title)}</title>{"".join(drawn)}</svg>')
