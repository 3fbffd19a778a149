"""What a kingdom sees beyond its own land, as rows for a report: armies, monsters, routes, new land, land that it remembers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kingdom.games.realm.report.armies import rating
from kingdom.games.realm.report.story import Part
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Hex, Kingdom, Sighting, World, owners
from kingdom.games.realm.steps.war.armies import acr, called
from kingdom.games.realm.types import Result
from kingdom.games.realm.visibility.sight import sees


def sights(result: Result, seat: str, part: Part, seen: World, rules: Rules) -> list[dict[str, Any]]:
    """What a report shows of sights, for one seat: headings with their lines. part: its part of the turn; seen: what it
    knows after it (known.py). Nothing where the rules have no `vision`."""
    if rules.vision is None:
        return []
    now, memory = sees(result.after, seat, rules), seen.kingdoms[seat].memory
    new = {*now, *memory} - _known_before(result, seat, rules)
    rows = {
        "Foreign armies in sight": _armies(seen, seat, rules),
        "Monsters in sight": _monsters(now, seen, seat),
        "Trade routes of others in sight": _routes(seen, seat),
        "Land that is new to you": _new(new, seen, rules),
        "Not in sight now, as it last was": _remembered(
            {label: each for label, each in memory.items() if label not in now}, seen, rules
        ),
    }
    return [{"name": name, "lines": lines} for name, lines in rows.items() if lines]


def _known_before(result: Result, seat: str, rules: Rules) -> set[str]:
    """The labels of the hexes that the seat knew before the turn; at the start its own alone."""
    before = result.before.kingdoms.get(seat, Kingdom(""))
    if not result.number or seat not in result.before.kingdoms:
        return set(before.hexes)
    return sees(result.before, seat, rules).union(before.memory, before.revealed)


def _armies(seen: World, seat: str, rules: Rules) -> list[str]:
    return sorted(
        f"{army.hex}: {called(army, rules)}, ACR {rating(acr(army.unit, army.size, rules), rules)}, of {kingdom.name}"
        for other, kingdom in seen.kingdoms.items()
        for army in (kingdom.armies.values() if other != seat else ())
    )


def _monsters(now: Iterable[str], seen: World, seat: str) -> list[str]:
    """Those in hexes of its own stand with the land."""
    own = seen.kingdoms[seat].hexes
    found = ((label, seen.hexes[label].monsters) for label in sorted(now) if label not in own)
    return [f"{label}: ACR {monsters}" for label, monsters in found if monsters]


def _routes(seen: World, seat: str) -> list[str]:
    """The part of each that is seen. Those that end here stand with the kingdom's own."""
    return [
        f"of {kingdom.name} to {seen.kingdoms[route.to].name}, through {', '.join(route.path)}"
        for other, kingdom in seen.kingdoms.items()
        for route in (kingdom.routes.values() if other != seat else ())
        if route.to != seat
    ]


def _new(labels: Iterable[str], seen: World, rules: Rules) -> list[str]:
    """A line for each terrain."""
    held, lines = owners(seen), []
    for terrain, row in rules.terrain.items():
        found = sorted(label for label in labels if seen.hexes[label].terrain == terrain)
        if found:
            rest = {label: _lies(seen.hexes[label], held.get(label, ""), seen, rules) for label in found}
            lines.append(
                f"{row.name}: " + ", ".join(label + (f" ({rest[label]})" if rest[label] else "") for label in found)
            )
    return lines


def _remembered(memory: dict[str, Sighting], seen: World, rules: Rules) -> list[str]:
    """A line for each turn in which hexes were last seen, the newest first, and each kingdom that held them then."""
    lines = []
    for last, holder in sorted({(-each.turn, each.holder) for each in memory.values()}):
        there = {label: each.hex for label, each in memory.items() if (-each.turn, each.holder) == (last, holder)}
        of = f", of {seen.kingdoms[holder].name}" if holder in seen.kingdoms else ""
        lines.append(f"Turn {-last}{of}: {'; '.join(_by_terrain(there, seen, rules))}")
    return lines


def _by_terrain(hexes: Mapping[str, Hex], seen: World, rules: Rules) -> Iterator[str]:
    for terrain, row in rules.terrain.items():
        found = {label: _lies(hex, "", seen, rules) for label, hex in sorted(hexes.items()) if hex.terrain == terrain}
        if found:
            yield f"{row.name.lower()} " + ", ".join(
                label + (f" ({lies})" if lies else "") for label, lies in found.items()
            )


def _lies(hex: Hex, holder: str, seen: World, rules: Rules) -> str:
    """What is worth a word in a hex: features, a free city, monsters, who holds it."""
    said = [rules.features[name].name.lower() for name in hex.features]
    said += [f"free city {hex.free_city.name}"] if hex.free_city else []
    said += [f"monsters, ACR {hex.monsters}"] if hex.monsters else []
    said += [seen.kingdoms[holder].name] if holder in seen.kingdoms else []
    return ", ".join(said)
