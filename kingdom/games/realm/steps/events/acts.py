"""How one event acts in an Event phase, ends or goes on, and what is settled of it when a turn closes."""

from __future__ import annotations

from typing import TypeVar

from kingdom.games.realm.report.event_words import HOW_MANY_FAIL, demanded
from kingdom.games.realm.rules.event_tables import PlacesMonster, SettleOutside, WantsBuilding
from kingdom.games.realm.state import Event, Kingdom, replace
from kingdom.games.realm.steps.events.answers import ADVENTURERS, CHECK, TEAR_DOWN, answered, paid
from kingdom.games.realm.steps.events.checks import failures
from kingdom.games.realm.steps.events.effects import built_beside, come_to
from kingdom.games.realm.steps.events.scene import Scene
from kingdom.games.realm.steps.events.setup import is_met

RUN = "succeeded"  # the fact that counts turns in a row without a failed check


def act(scene: Scene) -> Kingdom:
    """The kingdom after its event acted in the Event phase: what it brings in any case, its checks and what they come to."""
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
        return forgotten(_torn_down(scene))
    scene = come_to(scene, kind.always, "takes effect")
    goes_on = kind.on_request
    if kind.checks and (not kind.on_request or word in (CHECK, ADVENTURERS)):
        fails = failures(scene)
        if fails is None:  # only foreseen: nothing hangs on it
            return _standing(scene)
        scene, goes_on = _after_checks(scene, fails)
    if goes_on and kind.on_request and scene.turn.number > event.begins:
        scene = come_to(scene, kind.unmet, f"not met: {demanded(event)}")
    return _standing(scene) if goes_on else _over(scene)


def _after_checks(scene: Scene, fails: int) -> tuple[Scene, bool]:
    """(the scene after what the checks come to, whether the event goes on)."""
    kind = scene.kind
    if kind.ends_after:
        run = 0 if fails else int(scene.event.facts.get(RUN, 0)) + 1
        scene = scene.fact(**{RUN: run})
        if run >= kind.ends_after:
            return scene.told(f"{run} turns in a row without a failed check: it is over"), False
    scene = come_to(scene, kind.outcomes[fails], HOW_MANY_FAIL[len(kind.checks)][fails])
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


def _torn_down(scene: Scene) -> Scene:
    """The improvement that the people want torn down is gone, for the price of a demolition (ruling free_buildings)."""
    kingdom, label, what = scene.kingdom, scene.event.hex, scene.event.facts["what"]
    left = tuple(name for name in kingdom.hexes[label] if name != what)
    cost = scene.turn.rules.free_buildings.demolition_cost
    kingdom = replace(kingdom, treasury=kingdom.treasury - cost, hexes={**kingdom.hexes, label: left})
    return scene.booked(kingdom, f"{scene.title}: {what} torn down").told("what was demanded is done")


def _standing(scene: Scene) -> Kingdom:
    """The kingdom with the event as it stands now."""
    return replace(scene.kingdom, events={**scene.kingdom.events, scene.key: scene.event})


def _over(scene: Scene) -> Kingdom:
    """The kingdom with the event over: it stands by its name while something of it lasts or waits."""
    kingdom = unblocked(scene)
    event = replace(scene.event, done=True)
    if still_counts(scene.key, event, kingdom):
        return replace(kingdom, events={**kingdom.events, scene.key: event})
    return without(kingdom, scene.key)


def forgotten(scene: Scene) -> Kingdom:
    """The kingdom with an event ended before it was through: what it changed for good by now stands on by its name."""
    return _over(scene._replace(event=replace(scene.event, facts=_without_waiting(scene.event))))


def _without_waiting(event: Event) -> dict[str, int | str]:
    return {name: fact for name, fact in event.facts.items() if name not in ("wanted_by", "spread", "another")}


def without(kingdom: Kingdom, key: str) -> Kingdom:
    """The kingdom without that event."""
    return replace(kingdom, events={other: each for other, each in kingdom.events.items() if other != key})


def still_counts(key: str, event: Event, kingdom: Kingdom) -> bool:
    """Whether something of an event that is over lasts beyond the turn, or waits. Ruling: event_lasting."""
    return "wanted_by" in event.facts or any(
        each.event == key and (each.lasting or each.ends) for each in kingdom.modifiers
    )


def unblocked(scene: Scene) -> Kingdom:
    """The kingdom with the lot free that the event blocked."""
    kingdom, name, lot = scene.kingdom, scene.event.settlement, scene.event.facts.get("lot")
    if lot not in kingdom.blocked.get(name, ()):
        return kingdom
    lots = tuple(each for each in kingdom.blocked[name] if each != lot)
    rest = {other: each for other, each in kingdom.blocked.items() if other != name}
    return replace(kingdom, blocked={**rest, name: lots} if lots else rest)


# --- when a turn closes ----------------------------------------------------------------------------------------------------


def closed(scene: Scene) -> Kingdom:
    """The kingdom when its turn closes: what the event waited for is settled, and what is met or lost ends."""
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
    """What settlers beyond the border took comes back where the kingdom built the same beside them in the same turn."""
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
    """What the event waits for: by the end of that turn it is built, or Unrest rises."""
    if scene.event.facts.get("wanted_by") != scene.turn.number:
        return scene
    there = scene.kingdom.settlements[scene.event.settlement].buildings
    for effect in _effects(scene, WantsBuilding):
        if sum(each.id in effect.any_of for each in there) <= int(scene.event.facts["had"]):
            scene = scene.moved({"unrest": effect.unrest}, f"no {scene.event.facts['wanted']} was built")
    return scene._replace(event=replace(scene.event, facts=_without_waiting(scene.event)))
