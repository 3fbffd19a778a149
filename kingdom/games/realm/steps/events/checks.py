"""The checks of an event: what helps and what hinders, and how many fail.

Rulings: check, event_answers (adventurers), secondary_territory (checks about a hex that is cut off).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kingdom.games.realm import effects
from kingdom.games.realm.rules.building_tables import PlagueBonus
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Event, Kingdom
from kingdom.games.realm.steps.checks import Check, attempt
from kingdom.games.realm.steps.events.answers import hired_bonus
from kingdom.games.realm.steps.events.scene import Scene
from kingdom.games.realm.steps.land.territory import extra_unrest

LAW_AND_CRIME = {"law": 1, "crime": -1}  # which way each counts


class Bonus(NamedTuple):
    """A term of an event's check."""

    by: int
    what: str


def attempted(scene: Scene, attribute: str, about: str = "", label: str = "") -> Check:
    """A check of the event. about: what of it the check is about (a lot), besides its hex; label: the hex that it is about."""
    name = f"{scene.about}-{about.lower()}" if about and about != scene.event.hex else scene.about
    bonus = sum(each.by for each in bonuses(scene.event, scene.kingdom, scene.turn.rules)) + hired_bonus(scene)
    place = label or scene.event.hex
    unrest = extra_unrest(scene.kingdom, place) if place else 0
    return attempt(scene.turn, scene.seat, scene.kingdom, scene.world.hexes, attribute, name, bonus, unrest)


def failures(scene: Scene) -> int | None:
    """How many of its checks fail; None where the turn is only foreseen."""
    checks = [attempted(scene, attribute) for attribute in scene.kind.checks]
    return None if any(each.success is None for each in checks) else sum(not each.success for each in checks)


def bonuses(event: Event, kingdom: Kingdom, rules: Rules) -> list[Bonus]:
    """What counts in its checks beside the attribute, Unrest and adventurers."""
    kind = rules.event_kinds[event.kind]
    found = [Bonus(-_count(event, kingdom, kind.harder_by), "what makes it harder")]
    found.append(Bonus(_count(event, kingdom, kind.easier_by), "what makes it easier"))
    if kind.law_and_crime:
        found.append(Bonus(_law_and_crime(event.settlement, kingdom, rules), "Law and Crime of the settlement"))
    if kind.plague:
        here = [effect for _, hex, effect in effects.standing(kingdom, rules) if hex == event.hex]
        against = sum(each.stability for each in here if isinstance(each, PlagueBonus))
        found.append(Bonus(against, "what is built against plagues"))
    if kind.goes_on:
        found += [Bonus(each.by, each.text) for each in kingdom.modifiers if each.account == "continuing_event_checks"]
    return [each for each in found if each.by]


def _count(event: Event, kingdom: Kingdom, names: Sequence[str]) -> int:
    """How many of these there are in the event's hex and settlement, or in the whole kingdom where it strikes that.
    A damaged building does not count."""
    if not names:
        return 0
    towns = {name: each for name, each in kingdom.settlements.items() if not event.hex or each.hex == event.hex}
    built = [built for label, built in kingdom.hexes.items() if not event.hex or label == event.hex]
    count = sum(each.count(name) for each in built for name in names)
    for town, settlement in towns.items():
        damaged = kingdom.damaged.get(town, ())
        count += sum(each.id in names and each.lot not in damaged for each in settlement.buildings)
        count += len(kingdom.blocked.get(town, ())) if "squatter_lot" in names else 0
    return count + (sum(route.open for route in kingdom.routes.values()) if "trade_route" in names else 0)


def _law_and_crime(name: str, kingdom: Kingdom, rules: Rules) -> int:
    """The settlement's own Law less its Crime: of its buildings, and of events there."""
    damaged, settlement = kingdom.damaged.get(name, ()), kingdom.settlements[name]
    kinds = [rules.buildings[each.id].settlement for each in settlement.buildings if each.lot not in damaged]
    total: int = sum(sign * getattr(kind, word) for kind in kinds for word, sign in LAW_AND_CRIME.items())
    here = [each for each in kingdom.modifiers if each.settlement == name]
    return total + sum(LAW_AND_CRIME.get(each.part, 0) * each.by for each in here)
