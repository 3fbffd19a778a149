"""The armies that a kingdom starts with: `armies` of kingdoms/ID.yaml -> name -> army, or what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kingdom.games.realm.opening.start_problems import Findings
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Army, Hex, Kingdom, replace
from kingdom.games.realm.steps.war.armies import without_room
from kingdom.games.realm.steps.war.army_figures import full_hp


def with_armies(
    kingdom: Kingdom,
    given: Sequence[Mapping[str, Any]],
    file: str,
    hexes: Mapping[str, Hex],
    found: Findings,
    rules: Rules,
) -> Kingdom:
    """The kingdom with the armies of its file, whole and at rest where they stand. What is wrong goes to `found`."""
    places: dict[str, int] = {}
    armies: dict[str, Army] = {}
    for index, each in enumerate(given):
        path = f"armies[{index}]"
        _check_name(each["name"], places, file, path, found)
        label = each.get("hex") or _capital(kingdom)
        _check_hex(each["name"], label, file, path, hexes, found)
        army = Army(each["unit"], each["size"], label, 0, reserve=each.get("reserve", False))
        army = replace(army, resources=_resources(each, file, path, found, rules), tactics=_tactics(each, rules))
        armies[each["name"]] = replace(army, hp=full_hp(army, rules))
        places[each["name"]] = index
    kingdom = replace(kingdom, armies=armies)
    for name in without_room(kingdom, rules) if armies else ():
        found.note(
            "start_army_reserve",
            file,
            f"armies[{places[name]}]",
            name=name,
            size=armies[name].size,
            hex=armies[name].hex,
        )
    return kingdom


def _capital(kingdom: Kingdom) -> str:
    capital = kingdom.settlements.get(kingdom.capital)
    return capital.hex if capital else ""


def _check_name(name: str, taken: Mapping[str, int], file: str, path: str, found: Findings) -> None:
    """Names that differ in capitals alone are one name."""
    for other, index in taken.items():
        if other.casefold() == name.casefold():
            where = found.where(file, f"armies[{index}]")
            found.note("start_army_twice", file, f"{path}.name", name=name, where=where)


def _check_hex(name: str, label: str, file: str, path: str, hexes: Mapping[str, Hex], found: Findings) -> None:
    if not label:
        found.note("start_army_nowhere", file, path, name=name)
    elif hexes and label not in hexes:  # of a map that could not be read nobody is told that each hex is not on it
        found.note("start_hex_unknown", file, f"{path}.hex", hex=label)


def _resources(given: Mapping[str, Any], file: str, path: str, found: Findings, rules: Rules) -> dict[str, int]:
    """Resource -> how many: more than one only of those that are the same for every size."""
    counts: dict[str, int] = {}
    for index, resource in enumerate(given.get("resources", ())):
        row = rules.army_resources[resource]
        if resource in counts and not row.one_size:
            found.note("start_army_resource", file, f"{path}.resources[{index}]", name=given["name"], resource=row.name)
        else:
            counts[resource] = counts.get(resource, 0) + 1
    return counts


def _tactics(given: Mapping[str, Any], rules: Rules) -> tuple[str, ...]:
    """Those that are named, but for what every army or its unit knows anyway."""
    own = rules.units[given["unit"]].tactics
    return tuple(
        word for word in dict.fromkeys(given.get("tactics", ())) if not rules.tactics[word].default and word not in own
    )
