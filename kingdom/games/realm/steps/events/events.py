"""Events: what was announced takes effect in the Event phase; what comes next turn is rolled when the turn closes.

Rulings: events, event_timing, event_lasting, event_answers, event_substitutes, leader_events, slavers.
"""

from __future__ import annotations

from kingdom.games.realm.rules.event_tables import PlacesMonster
from kingdom.games.realm.state import Hex, Kingdom, World, replace, with_kingdoms
from kingdom.games.realm.steps.events.acts import act, cause_is_gone, closed, forgotten
from kingdom.games.realm.steps.events.answers import questions
from kingdom.games.realm.steps.events.draw import Drawing, begotten, draw, struck
from kingdom.games.realm.steps.events.scene import Scene
from kingdom.games.realm.steps.land.losing import Loss, lose_hexes
from kingdom.games.realm.types import Turn

KINDS = (
    "archaeological_find", "assassination_attempt", "bandit_activity", "boomtown", "building_demand", "crop_failure",
    "cult_activity", "diplomatic_overture", "discovery", "drug_den", "economic_boom", "festive_invitation", "feud",
    "food_shortage", "food_surplus", "good_weather", "improvement_demand", "inquisition", "justice_prevails", "land_rush",
    "large_disaster", "localized_disaster", "monster_attack", "natural_blessing", "new_subjects", "noblesse_oblige",
    "outstanding_success", "pilgrimage", "plague", "political_calm", "public_scandal", "remarkable_treasure",
    "sensational_crime", "slavers", "smugglers", "squatters", "unexpected_find", "vandals", "visiting_celebrity",
    "wealthy_immigrant",
)  # fmt: skip
CAUSES: dict[str, str] = {
    kind: f"the event {kind.replace('_', ' ')}" for kind in KINDS
}  # what an event books is under its name


def events(world: World, turn: Turn) -> World:
    """The Event phase proper: every event that was announced or goes on acts, with what was answered."""
    if not turn.rules.event_kinds:
        return world
    land: dict[str, Hex] = {}
    acted = {
        seat: _acted(seat, kingdom, world, turn, land)
        for seat, kingdom in world.kingdoms.items()
        if kingdom.events and not kingdom.destroyed
    }
    return _with(world, acted, land)


def _acted(seat: str, kingdom: Kingdom, world: World, turn: Turn, land: dict[str, Hex]) -> Kingdom:
    for key, event in kingdom.events.items():
        if event.begins <= turn.number and not event.done and event.kind in turn.rules.event_kinds:
            kingdom = act(Scene(seat, kingdom, world, turn, key, event, kingdom, land))
    return kingdom


def _with(world: World, changed: dict[str, Kingdom], land: dict[str, Hex]) -> World:
    """The world with these kingdoms and hexes; the map is copied once."""
    return with_kingdoms(replace(world, hexes={**world.hexes, **land}) if land else world, changed)


def monsters_at_large(world: World, turn: Turn) -> World:
    """Before a turn ends: monsters of an attack that nobody beat add Unrest, and may take their hex from the kingdom."""
    land: dict[str, Hex] = {}
    losses: list[Loss] = []
    changed: dict[str, Kingdom] = {}
    for seat, kingdom in world.kingdoms.items():
        for key, event in kingdom.events.items() if kingdom.events and not kingdom.destroyed else ():
            attack = _attack(event.kind, turn) if event.begins <= turn.number and not event.done else None
            if attack is None or event.hex not in kingdom.hexes:
                continue
            scene = Scene(seat, changed.get(seat, kingdom), world, turn, key, event, kingdom, land)
            if cause_is_gone(scene):
                changed[seat] = forgotten(scene.told("the monsters are beaten"))
                continue
            scene = scene.moved({"unrest": attack.unrest}, "the monsters were not beaten")
            changed[seat] = scene.kingdom
            if scene.kingdom.unrest >= attack.hex_lost_from:
                losses.append(Loss(seat, event.hex, event.kind, f"{event.hex}, to the monsters there"))
                scene.told(f"{event.hex} is lost")
    return lose_hexes(with_kingdoms(world, changed), turn, losses)


def _attack(kind: str, turn: Turn) -> PlacesMonster | None:
    known = turn.rules.event_kinds.get(kind)
    return next((each for each in known.set_up if isinstance(each, PlacesMonster)), None) if known else None


def roll_events(world: World, turn: Turn) -> World:
    """The close of a turn: what waited for its end is settled, the events of the next one are rolled and announced, and
    what may be answered to those that stand is asked."""
    rules = turn.rules
    if not rules.event_kinds:
        return world
    chance = world.chance or rules.events.chance
    land: dict[str, Hex] = {}
    changed: dict[str, Kingdom] = {}
    off = not (chance.normal or chance.after_quiet_turn)
    for seat, kingdom in world.kingdoms.items():
        if not kingdom.destroyed and (kingdom.events or (kingdom.hexes and not off)):
            changed[seat] = _closed(seat, kingdom, world, turn, land, off)
    return _with(world, changed, land)


def _closed(seat: str, kingdom: Kingdom, world: World, turn: Turn, land: dict[str, Hex], off: bool) -> Kingdom:
    for key, event in kingdom.events.items():
        kingdom = closed(Scene(seat, kingdom, world, turn, key, event, kingdom, land))
    drawing = begotten(Drawing(seat, kingdom, world, turn, land))
    if kingdom.hexes and not off:
        strikes = struck(drawing)
        drawing = draw(drawing) if strikes else drawing
        if drawing.kingdom.quiet == strikes:
            drawing = drawing._replace(kingdom=replace(drawing.kingdom, quiet=not strikes))
    kingdom = drawing.kingdom
    void = kingdom.anarchy == turn.number + 1  # nothing can be answered then (ruling anarchy)
    asked = () if void else tuple(questions(kingdom, turn.rules))
    return replace(kingdom, pending=kingdom.pending + asked) if asked else kingdom
