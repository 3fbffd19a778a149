"""Hexes to abandon and to claim, improvements, settlements to found: what the form offers about land. Edict steps 2 to 4."""

from __future__ import annotations

from collections.abc import Iterator

from kingdom.games.realm.hexmap import lie_of, neighbours
from kingdom.games.realm.offers import candidates, home_offers
from kingdom.games.realm.offers.form_model import (
    KEPT,
    PIERS,
    FormOffer,
    Ground,
    field,
    fold,
    held,
    offer,
    options,
    slot,
    slots,
    whole,
)
from kingdom.games.realm.orders import BORDERS
from kingdom.games.realm.rules.building_tables import MoreSpecialEdicts
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import limits
from kingdom.games.realm.state import Kingdom, replace
from kingdom.games.realm.steps.land.ground import claim_cost, danger, place_problem
from kingdom.games.realm.steps.land.improvements import FARM, PREPARE, possible, standing_name
from kingdom.games.realm.steps.land.losing import capital_hex, settlement_in
from kingdom.games.realm.steps.towns.construction import not_water
from kingdom.games.realm.steps.towns.settlements import PREPARED, not_founded
from kingdom.games.realm.steps.trade.open_routes import partners

LANDLESS = "no land"


def abandon_offers(ground: Ground) -> list[FormOffer]:
    """The hexes that may be let go alone; for the capital's the next one must be named, which a line of one's own can."""
    kingdom, found = ground.kingdom, list[FormOffer]()
    for each in home_offers.abandon(ground.course()):
        label, by = each.order, each.effect["unrest"]
        town = settlement_in(kingdom, label)
        if label == capital_hex(kingdom) or town and keeps_edicts(town, kingdom, ground.rules):
            continue
        text = f"Abandon {_named(label, ground)}" + (f", and {town}" if town else "")
        found.append(offer(f"abandon {label}", "abandon", "abandon", label, text, at=label, more=f"Unrest {by:+d}", needs=[[held(label)]],
                           ends=what_ends(label, town, kingdom), takes=[f"abandon {label}"], adds={"size": -1}))  # fmt: skip
    return found


def keeps_edicts(town: str, kingdom: Kingdom, rules: Rules) -> bool:
    """Whether something in the settlement lets its kingdom issue more special edicts, so that there are fewer without it."""
    kinds = [rules.buildings[building.id] for building in kingdom.settlements[town].buildings]
    return any(isinstance(effect, MoreSpecialEdicts) for kind in kinds for effect in kind.effects)


def what_ends(label: str, town: str, kingdom: Kingdom) -> list[str]:
    """The facts that end with a hex, and with the settlement in it: what ships and armies have there, and the routes from it."""
    own = [PIERS, whole(label), *(f"tied {other}" for other in sorted(partners(kingdom)))] if town else []
    return [held(label), KEPT, *own]


def claim_offers(ground: Ground) -> list[FormOffer]:
    """The hexes that may be claimed, also those that only other claims of this turn bring into reach; each needs one of the
    hexes beside it, held by then."""
    cost = claim_cost(False, ground.rules)
    found = [
        offer(f"claim {label}", "claim", "claim", label, f"Claim {_named(label, ground)}", at=label, costs={"treasury": cost, "claims": 1},
              needs=_claim_needs(label, by, ground), takes=[f"claim {label}"], gives=[held(label)], ends=[LANDLESS], adds={"size": 1})
        for label, by in sorted(_reach(ground).items())
    ]  # fmt: skip
    return found + [
        offer(f"claim {label}", "claim", "claim", label, f"Ask {city} in {label} to join", at=label,
              costs={"treasury": again, "claims": 1}, needs=[[held(label)]], takes=[f"claim {label}"])
        for (label, _, again), city in candidates.cities_to_ask(ground.kingdom, ground.world, ground.rules)
    ]  # fmt: skip


def _claim_needs(label: str, by: list[str], ground: Ground) -> list[list[str]]:
    beside = [held(near) for near in by] + ([LANDLESS] if not ground.kingdom.hexes else [])
    return [beside] + ([[f"lost {label}"]] if label in ground.lost else [])


def _reach(ground: Ground) -> dict[str, list[str]]:
    """Label of each hex that this turn's claims may reach -> the hexes beside it from which it may be claimed."""
    kingdom, world, rules = ground.kingdom, ground.world, ground.rules
    known = [label for label, hex in world.hexes.items() if not rules.terrain[hex.terrain].unseen]
    if not kingdom.hexes:
        fits = [label for label in known if kingdom.edict_size == 0 and not place_problem(kingdom, label, world, rules)]
        return {label: _from(label, set(fits), ground) for label in fits}
    held_or_next, reach = set(kingdom.hexes), dict[str, list[str]]()
    for _ in range(limits(kingdom, rules).claims):
        edge = {near for label in held_or_next for near in neighbours(label)} - held_or_next
        ring = {label: by for label in sorted(edge & set(known)) if (by := _from(label, held_or_next, ground))}
        if not ring:
            break
        reach |= ring
        held_or_next |= set(ring)
    return {label: _from(label, held_or_next, ground) for label in reach}


def _from(label: str, held_by_then: set[str], ground: Ground) -> list[str]:
    """The hexes beside it that are enough, alone, for the claim of a hex."""
    found = []
    for near in neighbours(label):
        if near in held_by_then:
            alone = replace(ground.kingdom, hexes={near: ground.kingdom.hexes.get(near, ())})
            if not place_problem(alone, label, ground.world, ground.rules):
                found.append(near)
    return found


def improve_offers(ground: Ground, claims: list[FormOffer]) -> list[FormOffer]:
    """The improvements of each hex, also of those that may be claimed before; which of a hex go together is found by trying."""
    rows = [(label, ground.kingdom) for label in sorted(ground.kingdom.hexes)]
    rows += [(each["at"], _with(each["at"], ground)) for each in claims if each["at"] not in ground.kingdom.hexes]
    return [*(made for label, kingdom in rows for made in _of_hex(label, kingdom, ground)), *_towers(ground)]


def _towers(ground: Ground) -> Iterator[FormOffer]:
    """Watchtowers on the kingdom's own open routes, in hexes that nobody holds, where it does not claim them before."""
    kingdom, world, rules = ground.kingdom, ground.world, ground.rules
    if rules.trade_route is None:
        return
    for tower in candidates.towers(kingdom, world, rules):
        label = tower.label
        yield offer(
            f"tower {label}", "improve", "improve", {"hex": label, "build": tower.word}, tower.text(), at=label,
            costs={"treasury": tower.cost, "terrain": 1}, takes=[f"improve {label} {tower.word}"], against=[f"claim {label}"],
            needs=[[PIERS], [KEPT]],
        )  # fmt: skip


def _with(label: str, ground: Ground) -> Kingdom:
    """The kingdom once it has claimed that hex."""
    hex = ground.world.hexes[label]
    kingdom = ground.kingdom
    return replace(kingdom, hexes={**kingdom.hexes, label: hex.left}, revealed=(*kingdom.revealed, label))


def _of_hex(label: str, kingdom: Kingdom, ground: Ground) -> Iterator[FormOffer]:
    found = candidates.improvements(kingdom, label, ground.world, ground.rules)
    here = {improving.word: improving.cost for improving in found}
    if danger(label, kingdom, ground.world.hexes):
        return
    apart = _apart(here, label, kingdom, ground)
    for improving in found:
        word, name = improving.word, standing_name(improving.word)
        least = ground.rules.improvements[name].min_size
        yield offer(
            f"improve {label} {word}", "improve", "improve", {"hex": label, "build": word}, improving.text(), at=label,
            costs={"treasury": improving.cost, "terrain": 1}, needs=_improve_needs(label, name, kingdom), takes=[f"improve {label} {word}"],
            ends=[KEPT] if ground.rules.improvements[name].upgrade_of else [], gives=[f"prepared {label}"] if word == PREPARE else [], least={"size": least} if least else {},
            against=[f"improve {label} {other}" for other in here if other in apart[word]],
        )  # fmt: skip


def _improve_needs(label: str, name: str, kingdom: Kingdom) -> list[list[str]]:
    """A farm may need what its kingdom has beside it: none of that may be let go."""
    around = [near for near in neighbours(label) if kingdom.hexes.get(near)] if name == FARM else []
    return [[held(each)] for each in (label, *around)]


def _apart(here: dict[str, int], label: str, kingdom: Kingdom, ground: Ground) -> dict[str, set[str]]:
    """Each improvement of a hex, `here` with their prices -> those that do not go together with it, in either order and for
    the same prices."""
    apart: dict[str, set[str]] = {word: set() for word in here}
    for word in here:
        asked = {other for other in here if other != word and other not in apart[word]}
        then = _then(word, asked, label, kingdom, ground)
        for other in asked:
            if then.get(other) != here[other]:
                apart[word].add(other)
                apart[other].add(word)
    return apart


def _then(word: str, asked: set[str], label: str, kingdom: Kingdom, ground: Ground) -> dict[str, int]:
    """What of those asked about the hex allows once that improvement has come to it, each with its price."""
    if not asked:
        return {}
    kind, built = ground.rules.improvements[standing_name(word)], kingdom.hexes[label]
    after = tuple(name for name in built if name != kind.upgrade_of) + (standing_name(word),)
    changed = replace(kingdom, hexes={**kingdom.hexes, label: after})
    world = replace(ground.world, kingdoms={**ground.world.kingdoms, ground.seat: changed})
    return dict(possible(changed, label, world, ground.rules, asked))


def settle_offers(ground: Ground, improvements: list[FormOffer]) -> list[FormOffer]:
    """A settlement on each hex that is prepared, or that may be prepared before."""
    now = {label: [[held(label)]] for label in sorted(candidates.foundings(ground.kingdom))}
    then = {
        each["at"]: [[held(each["at"])], [f"prepared {each['at']}"]]
        for each in improvements
        if f"prepared {each['at']}" in each.get("gives", ())
    }
    taken = [fold(name) for name in ground.kingdom.settlements]
    found = []
    for label, needs in {**then, **now}.items():
        kingdom = replace(
            ground.kingdom, hexes={**ground.kingdom.hexes, label: (*ground.kingdom.hexes.get(label, ()), PREPARED)}
        )
        if not_founded(kingdom, ground.world.hexes, {"hex": label, "name": ""}, ground.rules):
            continue
        fields = [field("name", "Its name", "text", most=60, unlike=taken)]
        if not not_water(label, BORDERS, kingdom, ground.world.hexes, ground.rules):
            fields.append(
                field("water", "Borders that are water", "many", options=options((each, each) for each in BORDERS))
            )
        found.append(offer(
            f"settle {label}", "settle", "settle", {"hex": label, "name": slot("name"), "water": slot("water")}, f"Found a settlement in {_named(label, ground)}",
            at=label, fields=fields, costs={"settlements": 1}, needs=needs, takes=[f"settle {label}", slots("town {name}")],
        ))  # fmt: skip
    return found


def _named(label: str, ground: Ground) -> str:
    """A hex with what lies there, for a person."""
    lie = lie_of(label, ground.world.hexes[label], ground.rules)
    parts = [lie["terrain"].lower(), *([lie["lies"].lower()] if lie["lies"] else []), *lie["notes"]]
    return f"{label}, {', '.join(parts)}"
