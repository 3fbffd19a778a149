"""The GM's orders about events: force one, end one, forbid and allow a kind, set the chance.

Rulings: events, event_timing (a forced event is announced now and takes effect in the next Event phase), event_lasting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kingdom.engine.names import words
from kingdom.engine.refusal import Refusal
from kingdom.games.realm.state import Chance, Hex, Modifier, World, replace, with_kingdoms
from kingdom.games.realm.steps.events.draw import Drawing, struck_by
from kingdom.games.realm.steps.events.events import unblocked, with_land, without
from kingdom.games.realm.steps.events.scene import Scene
from kingdom.games.realm.steps.events.words import titled
from kingdom.games.realm.steps.gm_kingdoms import kingdom_problem
from kingdom.games.realm.steps.shared import book
from kingdom.games.realm.steps.towns.construction import settlement_named
from kingdom.games.realm.types import Turn

if TYPE_CHECKING:
    from kingdom.games.realm.orders.rulings import GmAllow, GmBan, GmChance, GmEnd, GmEvent

CAUSES = {"event_ended": "an event or another lasting change ended by the GM"}
REFUSALS = {
    "gm_events_off": "This campaign's rules know no events (table event_kinds); leave the order out.",
    "gm_event_scope": "{name} strikes {scope} (table event_kinds); {cure}, or force another event there.",
    "gm_event_settlement": "{name} is no settlement of {kingdom} (GM orders); its settlements: {known}.",
    "gm_event_hex": "{hex} is no hex of {kingdom} (GM orders); name one that it holds.",
    "gm_event_impossible": "{name} can't strike {where} (table event_kinds): it stands there already, or finds nothing there "
    "to act on. Name another place or another event.",
    "gm_no_such_event": "Nothing called {key} lasts in {kingdom} (GM orders); what can be ended there: {known}.",
    "gm_banned_already": "{name} is forbidden already (GM orders); leave the order out.",
    "gm_not_banned": "{name} is not forbidden (GM orders); forbidden are: {known}.",
}


def event(world: World, turn: Turn, order: GmEvent) -> World | Refusal:
    """An event is announced to a kingdom, in the place that the order names or where a roll says."""
    if refusal := event_problem(world, turn, order):
        return refusal
    seat, land = order["to"], dict[str, Hex]()
    kingdom = world.kingdoms[seat]
    town, hex = settlement_named(kingdom, order.get("in", "")), order.get("hex", "")
    scope = "settlement" if town else "hex" if hex else ""
    drawing = Drawing(seat, kingdom, replace(world, banned=()), turn, land)
    found = struck_by(drawing, order["event"], scope, hex, town)
    if found is None:
        where = order.get("in") or order.get("hex") or seat
        return Refusal("gm_event_impossible", {"name": turn.rules.event_kinds[order["event"]].name, "where": where})
    name = turn.rules.event_kinds[order["event"]].name
    turn.tell(seat, "ruling", reason=order["reason"], text=f"The GM: {name}: {order['reason']}.")
    return with_land(world, {seat: found.kingdom}, land)


def event_problem(world: World, turn: Turn, order: GmEvent) -> Refusal | None:
    """Why the GM can't force that event there."""
    seat, kinds = order["to"], turn.rules.event_kinds
    if not kinds or order["event"] not in kinds:
        return Refusal("gm_events_off", {})
    if refusal := kingdom_problem(world, seat):
        return refusal
    kingdom, kind = world.kingdoms[seat], kinds[order["event"]]
    facts = {"name": kind.name, "scope": " or ".join(_SCOPES[each] for each in kind.scope)}
    if "in" in order and "settlement" not in kind.scope:
        return Refusal("gm_event_scope", {**facts, "cure": "leave `in` out"})
    if "hex" in order and "hex" not in kind.scope:
        return Refusal("gm_event_scope", {**facts, "cure": "leave `hex` out"})
    if "in" in order and not settlement_named(kingdom, order["in"]):
        known = ", ".join(kingdom.settlements) or "none"
        return Refusal("gm_event_settlement", {"name": order["in"], "kingdom": seat, "known": known})
    if "hex" in order and order["hex"] not in kingdom.hexes:
        return Refusal("gm_event_hex", {"hex": order["hex"], "kingdom": seat})
    return None


_SCOPES = {"kingdom": "a whole kingdom", "settlement": "a settlement", "hex": "a hex"}


def end(world: World, turn: Turn, order: GmEnd) -> World | Refusal:
    """End an event, or lasting modifiers of another cause, and take away what they changed. Ruling:
    event_lasting."""
    seat, key = order["of"], order["end"]
    if refusal := kingdom_problem(world, seat):
        return refusal
    kingdom, name = world.kingdoms[seat], words(key)
    known = [*kingdom.events, *dict.fromkeys(each.cause for each in kingdom.modifiers if _lasts(each))]
    if key not in known:
        return Refusal("gm_no_such_event", {"key": key, "kingdom": seat, "known": ", ".join(known) or "none"})
    event = kingdom.events.get(key)
    if event is None:
        rest = tuple(each for each in kingdom.modifiers if each.cause != key or not _lasts(each))
        kingdom = replace(kingdom, modifiers=rest)
    else:
        name = titled(event, turn.rules) if event.kind in turn.rules.event_kinds else key
        scene = Scene(seat, kingdom, world, turn, key, event, kingdom, {})
        rest = tuple(each for each in kingdom.modifiers if each.event != key)
        kingdom = replace(without(unblocked(scene), key), modifiers=rest)
    book(turn, seat, kingdom, world.hexes, "event_ended", f"{name}: {order['reason']}")
    turn.tell(seat, "ruling", reason=order["reason"], text=f"The GM ends {name}: {order['reason']}.")
    return with_kingdoms(world, {seat: kingdom})


def _lasts(modifier: Modifier) -> bool:
    """Whether the modifier lasts beyond the turn and belongs to no event."""
    return not modifier.event and bool(modifier.lasting or modifier.ends)


def ban(world: World, turn: Turn, order: GmBan) -> World | Refusal:
    """Forbid a kind of event: it is not drawn any more."""
    kind = order["ban"]
    if kind not in turn.rules.event_kinds:
        return Refusal("gm_events_off")
    if kind in world.banned:
        return Refusal("gm_banned_already", {"name": turn.rules.event_kinds[kind].name})
    return replace(world, banned=tuple(sorted((*world.banned, kind))))


def allow(world: World, turn: Turn, order: GmAllow) -> World | Refusal:
    """Allow a forbidden kind of event: it may be drawn again."""
    kind = order["allow"]
    if kind not in world.banned:
        known = turn.rules.event_kinds.get(kind)
        banned = ", ".join(world.banned) or "none"
        return Refusal("gm_not_banned", {"name": known.name if known else kind, "known": banned})
    return replace(world, banned=tuple(each for each in world.banned if each != kind))


def chance(world: World, turn: Turn, order: GmChance) -> World | Refusal:
    """Set the chance of events: from this turn on it replaces the rules' own."""
    if not turn.rules.event_kinds:
        return Refusal("gm_events_off")
    return replace(world, chance=Chance(**order["chance"]))
