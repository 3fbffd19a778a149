"""Events: announced ones take effect in the Event phase, then end or go on; the next turn's are rolled when the turn
closes.

Rulings: events, event_timing, event_lasting, event_answers, event_substitutes, leader_events, slavers.
"""

from __future__ import annotations

from typing import TypeVar

from kingdom.games.realm.rules.event_tables import PlacesMonster, SettleOutside, WantsBuilding
from kingdom.games.realm.state import Event, Hex, Kingdom, World, replace, with_kingdoms
from kingdom.games.realm.steps.events.draw import Drawing, begotten, chance_in, draw, struck
from kingdom.games.realm.steps.events.effects import built_beside, come_to
from kingdom.games.realm.steps.events.lasting import changes_end, last_turn, newest_alone, unmet_turns, when_quieted
from kingdom.games.realm.steps.events.scene import (
    ADVENTURERS,
    CHECK,
    TEAR_DOWN,
    Scene,
    answered,
    failures,
    paid,
    questions,
)
from kingdom.games.realm.steps.events.setup import is_met
from kingdom.games.realm.steps.events.words import HOW_MANY_FAIL, demanded
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
# kind -> the cause that the ledger names for it
CAUSES: dict[str, str] = {kind: f"the event {kind.replace('_', ' ')}" for kind in KINDS}


def events(world: World, turn: Turn) -> World:
    """The Event phase proper: every announced or ongoing event acts, with the answer that its kingdom gave."""
    if not turn.rules.event_kinds:
        return world
    land: dict[str, Hex] = {}
    acted = {
        seat: _acted(seat, kingdom, world, turn, land)
        for seat, kingdom in world.kingdoms.items()
        if kingdom.events and not kingdom.destroyed
    }
    return with_land(world, acted, land)


def _acted(seat: str, kingdom: Kingdom, world: World, turn: Turn, land: dict[str, Hex]) -> Kingdom:
    for key, event in kingdom.events.items():
        if event.begins <= turn.number and not event.done and event.kind in turn.rules.event_kinds:
            kingdom = act(Scene(seat, kingdom, world, turn, key, event, kingdom, land))
    return kingdom


def with_land(world: World, changed: dict[str, Kingdom], land: dict[str, Hex]) -> World:
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
            now = changed.get(seat, kingdom)
            scene = Scene(seat, now, world, turn, key, event, now, land)
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
    """The close of a turn: settle what events waited for, roll and announce the events of the next turn, and ask the
    questions of all standing events."""
    rules = turn.rules
    if not rules.event_kinds:
        return world
    chance = chance_in(world, rules)
    land: dict[str, Hex] = {}
    changed: dict[str, Kingdom] = {}
    off = not (chance.normal or chance.after_quiet_turn)
    for seat, kingdom in world.kingdoms.items():
        if not kingdom.destroyed and (kingdom.events or (kingdom.hexes and not off)):
            changed[seat] = _closed(seat, kingdom, world, turn, land, off)
    return with_land(world, changed, land)


def _closed(seat: str, kingdom: Kingdom, world: World, turn: Turn, land: dict[str, Hex], off: bool) -> Kingdom:
    for key, event in kingdom.events.items():
        kingdom = closed(Scene(seat, kingdom, world, turn, key, event, kingdom, land))
    drawing = begotten(Drawing(seat, kingdom, world, turn, land))
    if kingdom.hexes and not off:
        strikes = struck(drawing)
        drawing = draw(drawing) if strikes else drawing
        if drawing.kingdom.quiet == strikes:
            drawing = replace(drawing, kingdom=replace(drawing.kingdom, quiet=not strikes))
    kingdom = drawing.kingdom
    void = kingdom.anarchy == turn.number + 1  # nothing can be answered then (ruling anarchy)
    asked = () if void else tuple(questions(kingdom, turn.rules))
    return replace(kingdom, pending=kingdom.pending + asked) if asked else kingdom


# --- one event --------------------------------------------------------------------------------------------------------


RUN = "succeeded"  # the fact that counts turns in a row without a failed check


def act(scene: Scene) -> Kingdom:
    """The kingdom after its event acted in the Event phase: first its certain effects, then its checks and their
    outcome."""
    event, kind = scene.event, scene.kind
    if place_is_gone(scene):
        return forgotten(scene.told("its place is lost, so it ends"))
    if cause_is_gone(scene):
        return forgotten(
            scene.told("what was demanded is done" if "demand" in event.facts else "the monsters are beaten")
        )
    scene = paid(scene)
    word = answered(scene)[0]
    if word == TEAR_DOWN:
        # the improvement that the people want torn down is gone, for the price of a demolition (ruling free_buildings)
        kingdom, label, what = scene.kingdom, scene.event.hex, scene.event.facts["what"]
        left = tuple(name for name in kingdom.hexes[label] if name != what)
        cost = scene.turn.rules.free_buildings.demolition_cost
        kingdom = replace(kingdom, treasury=kingdom.treasury - cost, hexes={**kingdom.hexes, label: left})
        scene = scene.booked(kingdom, f"{scene.title}: {what} torn down").told("what was demanded is done")
        return forgotten(scene)
    scene = come_to(scene, kind.always, "takes effect")
    goes_on = kind.on_request
    if kind.checks and (not kind.on_request or word in (CHECK, ADVENTURERS)):
        fails = failures(scene)
        if fails is None:  # only foreseen: no check was rolled
            return _standing(scene)
        scene, goes_on = _after_checks(scene, fails)
        if kind.goes_on and changes_end(scene.turn.rules):
            kingdom = newest_alone(scene.key, scene.kingdom, scene.turn)
            scene = scene.booked(kingdom, f"{scene.title}: what it changed before ends")
    later = scene.turn.number > event.begins and unmet_turns(event, scene.turn.number, scene.turn.rules) != 0
    if goes_on and kind.on_request and later:
        scene = come_to(scene, kind.unmet, f"not met: {demanded(event)}")
    if goes_on and scene.turn.number == last_turn(event, scene.turn.rules):
        return forgotten(scene.told("it ends by itself (ruling event_going_on)"))
    return _standing(scene) if goes_on else _over(scene)


def _after_checks(scene: Scene, fails: int) -> tuple[Scene, bool]:
    """(the scene after the outcome of the checks, whether the event goes on)."""
    kind = scene.kind
    if kind.ends_after:
        run = 0 if fails else int(scene.event.facts.get(RUN, 0)) + 1
        scene = scene.fact(**{RUN: run})
        if run >= kind.ends_after:
            return scene.told(f"{run} turns in a row without a failed check: it is over"), False
    quieted = kind.on_request and not fails
    outcome = when_quieted(scene.event, scene.turn.number, scene.turn.rules) if quieted else kind.outcomes[fails]
    scene = come_to(scene, outcome, HOW_MANY_FAIL[len(kind.checks)][fails])
    goes_on = fails in kind.goes_on
    if kind.goes_on:
        scene.told("it goes on" if goes_on else "it is over")
    return scene, goes_on


def place_is_gone(scene: Scene) -> bool:
    """Whether the kingdom lost the hex or settlement that the event struck."""
    event, kingdom = scene.event, scene.kingdom
    return bool(
        event.hex and event.hex not in kingdom.hexes or event.settlement and event.settlement not in kingdom.settlements
    )


def cause_is_gone(scene: Scene) -> bool:
    """Whether what the event demands was done, or its monsters were beaten."""
    if "demand" in scene.event.facts:
        return is_met(scene.event, scene.kingdom)
    if any(isinstance(each, PlacesMonster) for each in scene.kind.set_up):
        hex = scene.hex(scene.event.hex)
        return hex is not None and not hex.monsters
    return False


def _standing(scene: Scene) -> Kingdom:
    """The kingdom with the event as it stands now."""
    return replace(scene.kingdom, events={**scene.kingdom.events, scene.key: scene.event})


def _over(scene: Scene) -> Kingdom:
    """The kingdom with the event over. Its record is kept while one of its changes lasts or it still waits for
    something."""
    kingdom = unblocked(scene)
    event = replace(scene.event, done=True)
    mine = [each for each in kingdom.modifiers if each.event == scene.key]
    if changes_end(scene.turn.rules) and mine and not any(each.lasting for each in mine):
        event = replace(event, facts={**event.facts, "until": max(each.ends for each in mine)})
    if still_counts(scene.key, event, kingdom):
        return replace(kingdom, events={**kingdom.events, scene.key: event})
    return without(kingdom, scene.key)


def forgotten(scene: Scene) -> Kingdom:
    """The kingdom with an event ended early: its lasting changes so far stay, under its name."""
    return _over(replace(scene, event=replace(scene.event, facts=_without_waiting(scene.event))))


def _without_waiting(event: Event) -> dict[str, int | str]:
    return {name: fact for name, fact in event.facts.items() if name not in ("wanted_by", "spread", "another")}


def without(kingdom: Kingdom, key: str) -> Kingdom:
    """The kingdom without that event."""
    return replace(kingdom, events={other: each for other, each in kingdom.events.items() if other != key})


def still_counts(key: str, event: Event, kingdom: Kingdom) -> bool:
    """Whether an event that is over still has changes beyond the turn, or waits for something. Ruling:
    event_lasting."""
    return "wanted_by" in event.facts or any(
        each.event == key and (each.lasting or each.ends) for each in kingdom.modifiers
    )


def unblocked(scene: Scene) -> Kingdom:
    """The kingdom with the lot that the event blocked free again."""
    kingdom, name, lot = scene.kingdom, scene.event.settlement, scene.event.facts.get("lot")
    if lot not in kingdom.blocked.get(name, ()):
        return kingdom
    lots = tuple(each for each in kingdom.blocked[name] if each != lot)
    rest = {other: each for other, each in kingdom.blocked.items() if other != name}
    return replace(kingdom, blocked={**rest, name: lots} if lots else rest)


# --- when a turn closes ----------------------------------------------------------------------------------------------------


def closed(scene: Scene) -> Kingdom:
    """The kingdom when its turn closes: what the event waited for is settled; it ends if its demand is met or its place
    is lost."""
    event = scene.event
    if event.kind not in scene.turn.rules.event_kinds:
        return scene.kingdom
    if place_is_gone(scene):
        return forgotten(scene if event.done else scene.told("its place is lost, so it ends"))
    if event.done:
        return _over(_waited(_restored(scene)))
    if event.begins <= scene.turn.number and "demand" in event.facts and is_met(event, scene.kingdom):
        return forgotten(scene.told("what was demanded is done"))
    return scene.kingdom


Effect = TypeVar("Effect")


def _effects(scene: Scene, kind: type[Effect]) -> list[Effect]:
    """The effects of that code anywhere in the event's kind."""
    given = (scene.kind.always, *scene.kind.outcomes)
    return [effect for outcome in given for effect in outcome.do if isinstance(effect, kind)]


def _restored(scene: Scene) -> Scene:
    """Points that settlers beyond the border took come back if the kingdom built the same improvement beside them in
    the same turn."""
    event = scene.event
    for effect in _effects(scene, SettleOutside) if event.begins == scene.turn.number else ():
        if built_beside(scene, str(event.facts["at"]), str(event.facts["what"])) > int(event.facts["had"]):
            mine = [each for each in scene.kingdom.modifiers if each.event == scene.key]
            back = [each for each in mine if (each.part or each.account) in effect.restores]
            rest = tuple(each for each in scene.kingdom.modifiers if each not in back)
            scene = scene.booked(replace(scene.kingdom, modifiers=rest), f"{scene.title}: the same was built beside it")
            scene.told("the same was built beside it, so what it took comes back")
    return scene


def _waited(scene: Scene) -> Scene:
    """The scene after the last turn of a wait: if the building that the event waits for does not stand, Unrest
    rises."""
    if scene.event.facts.get("wanted_by") != scene.turn.number:
        return scene
    there = scene.kingdom.settlements[scene.event.settlement].buildings
    for effect in _effects(scene, WantsBuilding):
        if sum(each.id in effect.any_of for each in there) <= int(scene.event.facts["had"]):
            scene = scene.moved({"unrest": effect.unrest}, f"no {scene.event.facts['wanted']} was built")
    return replace(scene, event=replace(scene.event, facts=_without_waiting(scene.event)))
