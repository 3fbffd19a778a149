"""What may be ordered of armies abroad: where they go, what they do there and how they fight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias, cast

from kingdom.engine import names
from kingdom.engine.names import words
from kingdom.engine.offer import Offer
from kingdom.games.realm.armies import (
    march_points,
)
from kingdom.games.realm.hexmap import distance, neighbours, piers_of, step_along, step_cost, ways
from kingdom.games.realm.offers.form_model import (
    Field,
    FormOffer,
    Ground,
    Option,
    field,
    offer,
    options,
    slot,
)
from kingdom.games.realm.offers.turn_preview import MARCH, Course, made
from kingdom.games.realm.orders.kind import KEPT, PIERS
from kingdom.games.realm.orders.words import ARMY_DEEDS
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Army, Kingdom, World
from kingdom.games.realm.steps.exploring.hazards import CLEAR, army_rating, chance
from kingdom.games.realm.steps.war.conquest import last_safe_turn
from kingdom.games.realm.steps.war.movement import ATTACK, GARRISON, HOSTILE, MONSTERS, army_problem, knows, whole_way
from kingdom.games.realm.visibility.sight import sees

if TYPE_CHECKING:
    from kingdom.games.realm.orders.to_armies import ArmiesArmy


# --- what there is to order, whatever else is asked of it


def reached(name: str, seat: str, kingdom: Kingdom, world: World, rules: Rules) -> list[str]:
    """The hexes that the army reaches this turn over land that its kingdom knows, round monsters, the nearest first; and those
    beside it whatever is in them."""
    here = kingdom.armies[name].hex
    if rules.movement is None:
        return []
    known, piers = sees(world, seat, rules).union(kingdom.memory), piers_of(kingdom, rules)
    barred = {label for label, hex in world.hexes.items() if label not in known or hex.monsters}
    found = ways({here: 0}, march_points(kingdom.armies[name], rules), world, rules, barred, piers)
    near = [
        label
        for label in neighbours(here)
        if label not in found and step_cost(here, label, world, rules, piers) is not None
    ]
    return [label for label in sorted(found, key=lambda label: (found[label], label)) if label != here] + near


def tactics(army: Army, rules: Rules) -> list[str]:
    """The tactics that the army knows."""
    return [word for word in rules.tactics if knows(army, word, rules)]


# --- as offers

Told: TypeAlias = dict[str, str | int | list[str]]  # what an army is told, key by key
LEAVES_AT = (0, 25, 50, 75)  # percents of its hit points at which an army may be told to leave a battle


def marches(now: Course, armies: Iterable[str] | None = None) -> Iterator[Offer]:
    """For each army, one thing at a time: where it goes, what it does there, how it fights. armies: None for all."""
    kingdom, world = now.kingdom(MARCH), now.world(MARCH)
    sent = {names.compared(order["army"]) for order in now.orders.get("armies", ()) if "move" in order}
    for name in (sorted(kingdom.armies) if armies is None else armies) if now.rules.movement else ():
        if army_problem(now.seat, kingdom, {"army": name}, world, now.rules):
            continue
        ends = reached(name, now.seat, kingdom, world, now.rules) if names.compared(name) not in sent else ()
        met = _met(kingdom.armies[name], now, kingdom, world) if ends else ()
        orders: list[tuple[Told, str]] = [
            ({"move": [label]}, f"{name} goes to {label}")
            for label in ends
            if label not in met and _arrives(name, label, now, kingdom, world)
        ]
        for told, text in [*orders, *_things_to_tell(name, now, kingdom)]:
            order = cast("ArmiesArmy", {"army": name, **told})
            if not army_problem(now.seat, kingdom, order, world, now.rules):
                yield made(MARCH, order, text, "armies")


def _met(army: Army, now: Course, kingdom: Kingdom, world: World) -> set[str]:
    """The hexes on the way to which an army may meet monsters: its own way leads round those alone whose hex is revealed."""
    here, points = army.hex, march_points(army, now.rules) if now.rules.movement else 0
    monsters = {label for label, hex in world.hexes.items() if hex.monsters}
    wild = {label for label in monsters - set(kingdom.revealed) if distance(here, label) <= points}
    if not wild:
        return set()
    land, piers = sees(world, now.seat, now.rules).union(kingdom.memory), piers_of(kingdom, now.rules)
    barred = {label for label in world.hexes if label not in land or label in monsters and label not in wild}
    spent = ways({here: 0}, points, world, now.rules, barred, piers)
    over = ways({label: spent[label] for label in wild if label in spent}, points, world, now.rules, barred, piers)
    return {label for label, far in over.items() if far <= spent[label] and label not in wild}


def _arrives(name: str, label: str, now: Course, kingdom: Kingdom, world: World) -> bool:
    """Whether the army gets to the hex beside it this turn; farther than the next hex the points decide, which are counted."""
    army = kingdom.armies[name]
    if label not in neighbours(army.hex):
        return True
    way = whole_way(now.seat, kingdom, name, [label], world, now.rules, foreseeing=True)
    return (
        not isinstance(way, tuple)
        and now.rules.movement is not None
        and step_along(way, 0, march_points(army, now.rules), world, now.rules) == 1
    )


def _things_to_tell(name: str, now: Course, kingdom: Kingdom) -> Iterator[tuple[Told, str]]:
    """What the army may be told to do and how to fight, one thing at a time."""
    army, rules = kingdom.armies[name], now.rules
    here = now.seen.hexes.get(army.hex)
    for deed in ARMY_DEEDS:
        more = ""
        if deed == CLEAR and rules.hazards and here and here.hazard:
            more = f" {army.hex} ({here.hazard}), {chance(army_rating(army, rules), here, rules)} % a turn"
        yield {"then": deed}, f"{name}: {words(deed)}{more}"
    for target in (MONSTERS, *(seat for seat in now.seen.kingdoms if seat != now.seat)):
        text = f"{name} attacks {target if target == MONSTERS else now.name_of(target)}"
        yield {"then": ATTACK, "target": target}, text
        if army.deed == ATTACK:
            yield {"target": target}, text
    for word in rules.strategies:
        yield {"strategy": word}, f"{name} fights {words(word)}"
    for word in tactics(army, rules):
        yield {"tactic": word}, f"{name} uses {rules.tactics[word].name}"
    for percent in LEAVES_AT:
        text = f"leaves a battle at {percent} % of its hit points" if percent else "never leaves a battle"
        yield {"withdraw": percent}, f"{name} {text}"


# --- in the form


def march_forms(ground: Ground) -> Iterator[FormOffer]:
    """For each army that may be ordered about one form of all that it may be told."""
    kingdom = ground.kingdom
    for name, army in sorted(kingdom.armies.items()) if ground.rules.movement else ():
        if army_problem(ground.seat, kingdom, {"army": name}, ground.world, ground.rules):
            continue
        told = {word: slot(word) for word in ("then", "target", "strategy", "tactic", "withdraw")}
        yield offer(f"march {name}", "march", "armies", {"army": name, "move": [slot("to")], **told}, f"Order {name}",
                    more=f"{words(army.size)} {ground.rules.units[army.unit].name}, in {army.hex}", fields=_march_fields(name, ground),
                    takes=[f"march {name}"], needs=[[PIERS], [KEPT]], any_of=["to", "then", "strategy", "tactic", "withdraw"])  # fmt: skip


def _march_fields(name: str, ground: Ground) -> list[Field]:
    """The fields of what an army may be told: where to go, what to do there, how to fight."""
    rules, army = ground.rules, ground.kingdom.armies[name]
    ends = reached(name, ground.seat, ground.kingdom, ground.world, rules)
    targets = [(MONSTERS, "monsters")] + [
        (seat, ground.name_of(seat)) for seat in ground.near if not ground.world.kingdoms[seat].destroyed
    ]
    deeds = list[Option]()  # where it stands, or only where it marches to first
    for deed in ARMY_DEEDS:
        if deed == CLEAR:
            deeds += _clearing(name, ends, ground)
            continue
        here = not army_problem(ground.seat, ground.kingdom, {"army": name, "then": deed}, ground.world, rules)
        if here or (ends and not (army.routed and deed in HOSTILE)):
            ends_safety = deed in HOSTILE and last_safe_turn(ground.kingdom, rules) > ground.seen.turn
            more = " (against a kingdom it ends your safe turns)" if ends_safety else ""
            row: Option = {"value": deed, "text": words(deed) + more}
            deeds.append(row if here else {**row, "when": {"to": ends}})
    return [
        field("to", "Go to", "choice", options=options((label, label) for label in ends), on_map=True, none=f"stay in {army.hex}"),
        field("then", "Then", "choice", options=deeds, none=f"as now: {words(army.deed or GARRISON)}"),
        field("target", "Target", "choice", options=[{"value": word, "text": text, "when": {"then": [ATTACK]}} for word, text in targets],
              none="whoever holds the place"),
        field("strategy", "Strategy", "choice", options=options((word, words(word)) for word in rules.strategies), none="as now"),
        field("tactic", "Tactic", "choice", none="as now",
              options=options((word, rules.tactics[word].name) for word in tactics(army, rules))),
        field("withdraw", "Leave a battle at percent of its hit points", "number", least=0, most=99, none="as now"),
    ]  # fmt: skip


def _clearing(name: str, ends: list[str], ground: Ground) -> list[Option]:
    """The deed `clear` with its odds, where the army is or marches to a hazard that is known; none without one."""
    army, rules = ground.kingdom.armies[name], ground.rules
    odds: dict[str, int] = {}
    for label in dict.fromkeys([army.hex, *ends]):
        order: ArmiesArmy = {"army": name, "move": [label] if label != army.hex else [], "then": CLEAR}
        if not army_problem(ground.seat, ground.kingdom, order, ground.world, rules):
            odds[label] = chance(army_rating(army, rules), ground.seen.hexes[label], rules)
    if not odds:
        return []
    text = f"{words(CLEAR)} ({', '.join(f'{label}: {percent} % a turn' for label, percent in odds.items())})"
    if army.hex in odds:
        return [{"value": CLEAR, "text": text, "unless": {"to": [label for label in ends if label not in odds]}}]
    return [{"value": CLEAR, "text": text, "when": {"to": list(odds)}}]
