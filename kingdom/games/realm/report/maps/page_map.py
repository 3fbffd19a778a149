"""The map as a page shows it: a picture, and beside it the same as text."""

from __future__ import annotations

from typing import Any

from kingdom.games.realm.report.maps.atlas import atlas
from kingdom.games.realm.report.maps.svg_map import pictured
from kingdom.games.realm.report.maps.text_map import drawn
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import World
from kingdom.render.charts import Drawing
from kingdom.render.plain_text import COLUMNS, clean, width, wrap


def map_view(world: World, seat: str | None, rules: Rules) -> dict[str, Any]:
    """The map as the seat knows it, everything for the GM (None): a picture, how wide it is in its own pixels, and lines of text."""
    there = atlas(world, seat, rules)
    picture = pictured(there)
    wide = picture.partition('viewBox="0 0 ')[2].partition(" ")[0]
    return {
        "picture": Drawing(picture),
        "wide": wide,
        "lines": [part for line in drawn(there).splitlines() for part in _folded(line)],
    }


def _folded(line: str) -> list[str]:
    """A line of the map's legend in which a name is too long, as lines."""
    return [line] if width(line) <= COLUMNS else wrap(clean(line), 10).splitlines()
