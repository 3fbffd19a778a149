"""The orders to armies abroad, under `armies`: where they go, what they do there and how they fight. All march at once (steps/war/movement.py).

Rulings: movement, battle, conquest, safe_turns, hazards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias, cast

from kingdom.engine import names
from kingdom.engine.names import words
from kingdom.engine.step import Orders
from kingdom.games.realm.armies import march_points
from kingdom.games.realm.hexmap import distance, neighbours, piers_of, step_along, step_cost, ways
from kingdom.games.realm.orders.kind import KEPT, PIERS, Each, Now, named
from kingdom.games.realm.orders.to_armies import SHAPE, Armies, ArmiesArmy
from kingdom.games.realm.orders.words import ARMY_DEEDS
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Army, Kingdom, World
from kingdom.games.realm.steps.exploring.hazards import CLEAR, army_rating, chance
from kingdom.games.realm.steps.war.conquest import last_safe_turn
from kingdom.games.realm.steps.war.movement import ATTACK, GARRISON, HOSTILE, MONSTERS, army_problem, knows, whole_way
from kingdom.games.realm.visibility.known import others
from kingdom.games.realm.visibility.sight import sees
from kingdom.orders.kit import Candidate, Gap, Pick

MARCH = "march"  # their part of a turn
LEAVES_AT = (0, 25, 50, 75)  # percents of its hit points at which an army may be told to leave a battle
Told: TypeAlias = dict[str, str | int | list[str]]  # what an army is told, key by key


class Marching(Each[Armies]):
    """`armies: First Foot to 0405 0406 then attack target borderia`."""

    key, name, step, section = "armies", "orders to armies abroad", "move_armies", "armies"
    at, often = MARCH, 80
    shown = 0  # its example stands in one list with that of an army at home
    shape = SHAPE

    def filed(self, orders: Orders) -> list[tuple[str, Armies]]:
        return [(path, order) for path, order in super().filed(orders) if "army" in order]

    def candidates(self, now: Now) -> Iterator[Candidate]:
        for name in sorted(now.state.kingdoms[now.seat].armies):
            yield from self.of_army(name, now)

    def of_army(self, name: str, now: Now) -> Iterator[Candidate]:
        """Yield for an army one thing at a time: where it goes, what it does there, how it fights."""
        kingdom, world, rules = now.state.kingdoms[now.seat], now.state, now.rules
        if not rules.movement or army_problem(now.seat, kingdom, {"army": name}, world, rules):
            return
        told = (cast("ArmiesArmy", order) for _, order in self.filed(now.orders))
        sent = {names.compared(order["army"]) for order in told if "move" in order}
        ends = reached(name, now.seat, kingdom, world, rules) if names.compared(name) not in sent else ()
        met = _met(kingdom.armies[name], now, kingdom) if ends else ()
        orders: list[tuple[Told, str]] = [
            ({"move": [label]}, f"{name} goes to {label}")
            for label in ends
            if label not in met and _arrives(name, label, now)
        ]
        for more, text in [*orders, *_things_to_tell(name, now)]:
            order = cast("ArmiesArmy", {"army": name, **more})
            if not army_problem(now.seat, kingdom, order, world, rules):
                said = " ".join(f"{word} {value}" for word, value in order.items())
                yield Candidate(f"{MARCH} {said}", order, text, checked=True)

    def on_page(self, now: Now) -> Iterator[Candidate]:
        """Yield for each army that may be ordered about one form of all that it may be told."""
        kingdom, told = now.state.kingdoms[now.seat], ("then", "target", "strategy", "tactic", "withdraw")
        seen = now.before or now.state
        theirs = {label for seat in others(seen, now.seat, now.rules) for label in seen.kingdoms[seat].hexes}
        theirs |= {label for label, hex in seen.hexes.items() if hex.monsters}
        for name, army in sorted(kingdom.armies.items()) if now.rules.movement else ():
            if not army_problem(now.seat, kingdom, {"army": name}, now.state, now.rules):
                picks = self._picks(name, now)
                yield Candidate(
                    f"{MARCH} {name}", {"army": name, "move": [Gap("to")], **{word: Gap(word) for word in told}}, f"Order {name}", group=name,
                    more=f"{words(army.size)} {now.rules.units[army.unit].name}, in {army.hex}", picks=picks, checked=True,
                    uses={f"{MARCH} {name}": 1}, needs=[[PIERS], [KEPT]], any_of=["to", *told],
                    deed={"also": {label: {"then": ATTACK} for label in picks["to"].values if label in theirs and ATTACK in picks["then"].values}},
                )  # fmt: skip

    def _picks(self, name: str, now: Now) -> dict[str, Pick]:
        """Return what an army may be told: where to go, what to do there, how to fight."""
        rules, kingdom, seen = now.rules, now.state.kingdoms[now.seat], now.before or now.state
        army, ends = kingdom.armies[name], reached(name, now.seat, kingdom, now.state, rules)
        foes = {
            seat: named(seat, seen) for seat in others(seen, now.seat, rules) if not now.state.kingdoms[seat].destroyed
        }
        deeds, when, unless = dict[str, str](), dict[str, dict[str, list[str]]](), dict[str, dict[str, list[str]]]()
        for deed in ARMY_DEEDS:  # where it stands, or only where it marches to first
            if deed == CLEAR:
                odds = _odds_of_clearing(name, ends, now)
                if odds:
                    percents = ", ".join(f"{label}: {percent} % a turn" for label, percent in odds.items())
                    deeds[deed] = f"{words(CLEAR)} ({percents})"
                if army.hex in odds:
                    unless[deed] = {"to": [label for label in ends if label not in odds]}
                elif odds:
                    when[deed] = {"to": list(odds)}
                continue
            here = not army_problem(now.seat, kingdom, {"army": name, "then": deed}, now.state, rules)
            if here or (ends and not (army.routed and deed in HOSTILE)):
                ends_safety = deed in HOSTILE and last_safe_turn(kingdom, rules) > seen.turn
                deeds[deed] = words(deed) + (" (against a kingdom it ends your safe turns)" if ends_safety else "")
                when |= {} if here else {deed: {"to": ends}}
        targets, ways_to_fight = (
            {MONSTERS: "monsters", **foes},
            {word: rules.tactics[word].name for word in tactics(army, rules)},
        )
        return {
            "to": Pick("Go to", ends, on_map=True, none=f"stay in {army.hex}"),
            "then": Pick("Then", [*deeds], texts=deeds, when=when, unless=unless, none=f"as now: {words(army.deed or GARRISON)}"),
            "target": Pick("Target", [*targets], texts=targets, when=dict.fromkeys(targets, {"then": [ATTACK]}), none="whoever holds the place"),
            "strategy": Pick("Strategy", [*rules.strategies], texts={word: words(word) for word in rules.strategies}, none="as now"),
            "tactic": Pick("Tactic", [*ways_to_fight], texts=ways_to_fight, none="as now"),
            "withdraw": Pick("Leave a battle at % of hit points", LEAVES_AT, kind="number", least=0, most=99, none="as now"),
        }  # fmt: skip


MARCHING = Marching()

# --- where an army gets, what it can do


def reached(name: str, seat: str, kingdom: Kingdom, world: World, rules: Rules) -> list[str]:
    """The hexes that the army reaches this turn over land that its kingdom knows, round monsters, the nearest first; and those
    beside it whatever is in them."""
    here = kingdom.armies[name].hex
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


def _met(army: Army, now: Now, kingdom: Kingdom) -> set[str]:
    """The hexes on the way to which an army may meet monsters: its own way leads round those alone whose hex is revealed."""
    world = now.state
    here, points = army.hex, march_points(army, now.rules)
    monsters = {label for label, hex in world.hexes.items() if hex.monsters}
    wild = {label for label in monsters - set(kingdom.revealed) if distance(here, label) <= points}
    if not wild:
        return set()
    land, piers = sees(world, now.seat, now.rules).union(kingdom.memory), piers_of(kingdom, now.rules)
    barred = {label for label in world.hexes if label not in land or label in monsters and label not in wild}
    spent = ways({here: 0}, points, world, now.rules, barred, piers)
    over = ways({label: spent[label] for label in wild if label in spent}, points, world, now.rules, barred, piers)
    return {label for label, far in over.items() if far <= spent[label] and label not in wild}


def _arrives(name: str, label: str, now: Now) -> bool:
    """Whether the army gets to the hex beside it this turn; farther than the next hex the points decide, which are counted."""
    kingdom, rules = now.state.kingdoms[now.seat], now.rules
    if label not in neighbours(kingdom.armies[name].hex):
        return True
    way = whole_way(now.seat, kingdom, name, [label], now.state, rules, foreseeing=True)
    points = march_points(kingdom.armies[name], rules)
    return not isinstance(way, tuple) and step_along(way, 0, points, now.state, rules) == 1


def _things_to_tell(name: str, now: Now) -> Iterator[tuple[Told, str]]:
    """What the army may be told to do and how to fight, one thing at a time."""
    army, rules, seen = now.state.kingdoms[now.seat].armies[name], now.rules, now.before or now.state
    here = seen.hexes.get(army.hex)
    for deed in ARMY_DEEDS:
        more = ""
        if deed == CLEAR and rules.hazards and here and here.hazard:
            more = f" {army.hex} ({here.hazard}), {chance(army_rating(army, rules), here, rules)} % a turn"
        yield {"then": deed}, f"{name}: {words(deed)}{more}"
    for target in (MONSTERS, *(seat for seat in seen.kingdoms if seat != now.seat)):
        text = f"{name} attacks {target if target == MONSTERS else named(target, seen)}"
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


def _odds_of_clearing(name: str, ends: Iterable[str], now: Now) -> dict[str, int]:
    """Hex -> the percent with which the army clears its hazard in a turn, where it is or marches to one that is known."""
    kingdom, odds = now.state.kingdoms[now.seat], dict[str, int]()
    army = kingdom.armies[name]
    for label in dict.fromkeys([army.hex, *ends]):
        order: ArmiesArmy = {"army": name, "move": [label] if label != army.hex else [], "then": CLEAR}
        if not army_problem(now.seat, kingdom, order, now.state, now.rules):
            odds[label] = chance(army_rating(army, now.rules), (now.before or now.state).hexes[label], now.rules)
    return odds
