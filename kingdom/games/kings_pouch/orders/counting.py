"""What the order form counts: its counters, and what the effects of buildings do to them.

A deed is exact until the first citizen is drawn. Behind a draw it never counts more than the engine will: what a draw may bring counts
for nothing, and what an effect may take counts as taken ("feared"). templates/form/deeds.js says how deeds are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from kingdom.games.kings_pouch.rules import Effect, Rules, Slot
from kingdom.games.kings_pouch.state import AREAS, CUBES, KINDS, Lord, Purse, Table
from kingdom.games.kings_pouch.steps.land import connected, discounted
from kingdom.orders import kit

Deed: TypeAlias = dict[str, Any]  # plain data
Line: TypeAlias = Sequence[Effect]
# of an order: `lines`, `remove_from`, `to`, `gain`, as far as it has them
Wishes: TypeAlias = Mapping[str, tuple[Any, ...]]
COUNTED = ("lines", "remove_from", "to", "gain")
ACTIONS = ("occupy", "construct", "claim")
# Facts. What is drawn no form can tell: from the first draw on there may be more than is counted, and the rest area may be empty.
SURE, UNSURE, PLACING = "sure", "unsure", "placing"
NEARER = "nearer"  # land may come nearer in the turn, as its distance leads over own land
UNCERTAIN: Deed = {"ends": [SURE], "gives": [UNSURE]}


def counters(table: Table, seat: str, rules: Rules) -> dict[str, int | kit.Counter]:
    """Counter -> how much of it the seat has when its turn has begun. claimed: the markers that this turn puts on characters."""
    lord, purse = table.seats[seat], table.purse or Purse(seat)
    each_left = rules.donation.prestige
    counted: dict[str, int | kit.Counter] = {
        "gold": kit.Counter(purse.gold, word="gold"),
        "army": kit.Counter(purse.army, word="army"),
        **{kind: getattr(lord.active, kind) for kind in KINDS},
        "markers": lord.markers,
        "prestige": kit.Counter(
            lord.prestige + (0 if lord.taxed else rules.tax.prestige),
            "Prestige then", debt=True, plus={"gold": each_left, "army": each_left},
        ),
    }  # fmt: skip
    hidden = {"claimed": 0}
    for action in ACTIONS:
        hidden |= {f"discount {action}": purse.discount.get(action, 0), f"free {action}": purse.free.get(action, 0)}
    for kind in KINDS:
        hidden |= {f"pool {kind}": getattr(table.pool, kind), f"rest {kind}": getattr(lord.rest, kind)}
    for what, marked in (("territory", table.territories), ("character", table.claimed)):
        hidden[f"room {what}"] = sum(
            rules.most_markers.most - held.markers for held in marked.values() if held.owner == seat
        )
    return counted | {name: kit.Counter(left, hidden=True) for name, left in hidden.items()}


def facts(table: Table, seat: str, rules: Rules) -> list[str]:
    """The facts that hold when the seat's turn has begun: each open slot, by building and number, and the connected land."""
    lord = table.seats[seat]
    drawn = any(effect.does == "draw" or is_odd(effect) for effect in effects_of(lord, rules, slots=False))
    slots = [f"{building} {next_slot(lord, building)}" for building in lord.buildings]
    nearer = [NEARER] if rules.distance.via == "own" else []
    return [PLACING, UNSURE if drawn else SURE, *slots, *sorted(connected(table, seat, rules)), *nearer]


def effects_of(lord: Lord, rules: Rules, slots: bool = True) -> list[Effect]:
    """Every effect that the seat's buildings may have in a turn. slots: False: only the effects of buildings without slots."""
    own = [rules.buildings[building] for building in lord.buildings]
    lines = [
        line
        for rule in own
        for line in (*rule.once_per_round, *(line for slot in rule.slots if slots for line in slot.lines))
    ]
    return [effect for line in lines for effect in line]


def next_slot(lord: Lord, building: str) -> int:
    """The number of the building's next free slot, from 1."""
    return 1 + sum([placed.building == building for placed in lord.placed])


def is_odd(effect: Effect) -> bool:
    """Whether only the engine can tell which kinds of citizens an effect takes."""
    return effect.does in ("move", "exchange") or (effect.does == "remove" and effect.what not in KINDS)


def slot_deed(slot: Slot, wishes: Wishes) -> Deed:
    """What a slot does: the lines that the order names, all of which must be possible; if it names none, every possible line."""
    if numbers := wishes.get("lines"):
        return {"all": [_line_deed(slot.lines[number - 1], wishes) for number in numbers]}
    deeds = [(line, _line_deed(line, wishes)) for line in slot.lines]
    return {"each": [
        # a line that seems impossible may yet be used, while nothing is sure: what it may take is feared
        {"first": [deed, {"needs": [[UNSURE]], "each": feared(line)}]} if "all" in deed else deed for line, deed in deeds
    ]}  # fmt: skip


def _line_deed(line: Line, wishes: Wishes) -> Deed:
    """A line of effects: all of them happen, or none."""
    if any(is_odd(effect) for effect in line):
        return {**UNCERTAIN, "each": feared(line)}
    adds, needed, later = dict[str, int](), list[Deed](), list[Deed]()
    for effect in line:
        if effect.does in ("gold", "army", "prestige", "discount", "free"):
            counter = f"{effect.does} {effect.what}" if effect.what else effect.does
            adds[counter] = adds.get(counter, 0) + effect.n
        elif effect.does == "remove":
            needed.append({"first": _removed(effect, wishes)})
        elif effect.does == "add_marker":
            needed.append(_marker(effect))
            later += [_marker(effect)] * (effect.n - 1)
        elif effect.does == "gain":
            later += [_gained(effect, wishes.get("gain", ())[number:], wishes) for number in range(effect.n)]
    draws = any(effect.does == "draw" and effect.n for effect in line)
    deed = {word: part for word, part in {"adds": adds, "all": needed, "each": later}.items() if part}
    return deed | (UNCERTAIN if draws else {})


def _counter(area: str, kind: str) -> str:
    return kind if area == AREAS[0] else f"rest {kind}"


def _removed(effect: Effect, wishes: Wishes) -> list[Deed]:
    """The ways to take that many citizens of a kind: from the named area, else from the rest area first and then from the active one."""
    areas = (effect.area,) if effect.area in AREAS else wishes.get("remove_from") or tuple(reversed(AREAS))
    ways = []
    for first in range(effect.n, -1, -1) if len(areas) > 1 else [effect.n]:
        taken = {area: by for area, by in zip(areas, (first, effect.n - first), strict=False) if by}
        sure = {"needs": [[SURE]]} if AREAS[1] in taken else {}
        ways.append({"costs": {_counter(area, effect.what): by for area, by in taken.items()}, **sure})
    return ways


def _marker(effect: Effect) -> Deed:
    more = {"adds": {"claimed": 1}} if effect.what == "character" else {}
    return {"costs": {"markers": 1, f"room {effect.what}": 1}, **more}


def _gained(effect: Effect, cubes: Sequence[str], wishes: Wishes) -> Deed:
    """One citizen from the pool, if it has one. A corrupt official may have gone into a pouch that was filled up."""
    (area,) = (effect.area,) if effect.area in AREAS else wishes.get("to") or AREAS[:1]
    named = (effect.what,) if effect.what in KINDS else (*cubes, *CUBES)
    sure = {"needs": [[SURE]]} if effect.what == "corrupt" else {}
    ways = [{"costs": {f"pool {kind}": 1}, "adds": {_counter(area, kind): 1}, **sure} for kind in dict.fromkeys(named)]
    return ways[0] if len(ways) == 1 else {"first": ways}


def feared(effects: Iterable[Effect]) -> list[Deed]:
    """What effects may take away if nobody can tell whether they are used."""
    deeds: list[Deed] = []
    for effect in effects:
        kinds = (effect.what,) if effect.what in KINDS else KINDS
        if effect.does in ("remove", "exchange", "move"):
            deeds += [{"costs": {kind: 1}} for kind in kinds] * effect.n
        if effect.does in ("gain", "exchange"):
            into = effect.what if effect.does == "gain" else effect.into
            deeds += [{"costs": {f"pool {kind}": 1}} for kind in ((into,) if into in KINDS else CUBES)] * effect.n
        if effect.does == "add_marker":
            claimed = {"adds": {"claimed": 1}} if effect.what == "character" else {}
            deeds += [{"costs": {"markers": 1}, **claimed}] * effect.n
    return deeds


def price_of(table: Table, seat: str, action: str, costs: Sequence[int], rules: Rules, by: str = "") -> Deed:
    """What an action takes: a free action if the seat has one, else the price. costs: the price for each level of the counter `by`, from 0."""
    purse, effects = table.purse or Purse(seat), effects_of(table.seats[seat], rules)
    most = {
        does: held.get(action, 0) + sum(effect.n for effect in effects if effect.does == does and effect.what == action)
        for does, held in (("discount", purse.discount), ("free", purse.free))
    }
    counters = [*([by] if by else []), *([f"discount {action}"] if most["discount"] else [])]
    prices = {
        "|".join(map(str, [level, cut][not by :][: len(counters)])): discounted(
            cost, action, Purse("", discount={action: cut}), rules
        )
        for level, cost in enumerate(costs)
        for cut in range(most["discount"] + 1)
    }
    price = {"sized": [{"counter": "army" if action == "occupy" else "gold", "by": counters, "costs": prices}]}
    if not most["free"]:
        return {"first": [price]}
    once = {"takes": [f"a free action: {action}"]} if rules.free_action.per == "round" else {}
    return {"first": [{"costs": {f"free {action}": 1}, **once}, price]}
