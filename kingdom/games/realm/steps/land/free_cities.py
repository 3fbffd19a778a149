"""Free cities: the holder of their hex asks them to join, after a claim or conquest. Rulings: free_city, joined_buildings."""

from __future__ import annotations

from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import limits
from kingdom.games.realm.state import FreeCity, Hex, Kingdom, replace
from kingdom.games.realm.steps.land.losing import extra_unrest
from kingdom.games.realm.steps.shared import attempt, book, in_anarchy, with_unrest
from kingdom.games.realm.steps.towns.construction import settlement_named
from kingdom.games.realm.types import Turn

CAUSES = {"free_city": "a free city that joined, or the Unrest where it would not"}


def ask_to_join(seat: str, kingdom: Kingdom, label: str, hexes: dict[str, Hex], turn: Turn) -> Kingdom:
    """A Stability check: the free city in the held hex joins, or Unrest rises and it stays free. Ruling: free_city."""
    city, ruling = hexes[label].free_city, turn.rules.free_city
    extra = extra_unrest(kingdom, label)
    check = attempt(turn, seat, kingdom, hexes, "stability", f"free_city-{label}", extra_unrest=extra)
    if check.success is None or city is None:
        return kingdom
    if not check.success:
        by = 0 if in_anarchy(kingdom, turn) else turn.roll(seat, check.name, ruling.failure_die) or 0
        kingdom = with_unrest(kingdom, by, turn.number, turn.rules)
        said = f"{city.name} in {label} will not join: {by} (d{ruling.failure_die}) (ruling free_city)"
        book(turn, seat, kingdom, hexes, "free_city", said)
        text = f"{city.name} in {label} stays free; claim {label} again to ask once more (ruling free_city)."
        turn.tell(seat, "news", hex=label, text=text)
        return kingdom
    name, kingdom = with_city(kingdom, label, city, turn.rules)
    hexes[label] = replace(hexes[label], free_city=None)
    joined, waiting = turn.rules.joined_buildings, kingdom.settlements[name].waiting
    book(turn, seat, kingdom, hexes, "free_city", f"{name} in {label} joins (ruling free_city)")
    text = f"{name} in {label} has joined the kingdom."
    if waiting:
        most = limits(kingdom, turn.rules).buildings
        last = joined is not None and joined.surrendered_last and city.settlement.yielded
        many = f"with what your building orders leave of the limit of {most}" if last else f"{most} a turn"
        text += f" Its buildings come into service {many} (ruling joined_buildings)."
    turn.tell(seat, "news", hex=label, text=text)
    return kingdom


def with_city(kingdom: Kingdom, label: str, city: FreeCity, rules: Rules) -> tuple[str, Kingdom]:
    """(the free city's name once it has joined, the kingdom with the city). Rulings: free_city, joined_buildings."""
    name = city.name
    while settlement_named(kingdom, name):
        name = f"Free {name}"
    joined = rules.joined_buildings
    waiting = city.settlement.buildings if joined and joined.serve == "within_limit" else ()
    settlement = replace(city.settlement, hex=label, waiting=waiting, bought={})
    settlements = {**kingdom.settlements, name: settlement}
    return name, replace(kingdom, settlements=settlements, capital=kingdom.capital or name)
