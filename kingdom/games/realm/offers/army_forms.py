"""What the form offers of armies: recruiting, what is done with them at home (Edict step 6), where they go and how they fight."""

from __future__ import annotations

from collections.abc import Iterator

from kingdom.engine.names import words
from kingdom.games.realm.armies import escorts
from kingdom.games.realm.offers import candidates
from kingdom.games.realm.offers.form_model import (
    KEPT,
    PIERS,
    Field,
    FormOffer,
    Ground,
    Option,
    field,
    fold,
    held,
    offer,
    options,
    slot,
    slots,
    table,
    whole,
)
from kingdom.games.realm.orders import ARMY_DEEDS
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import limits
from kingdom.games.realm.state import Army, replace
from kingdom.games.realm.steps.war.movement import ATTACK, GARRISON, HOSTILE, MONSTERS, army_problem
from kingdom.games.realm.steps.war.muster import KINDS, Muster, rules_of_armies, whole_price
from kingdom.games.realm.types import Order

SLOTS = "settlements"  # the limit that settlements and armies share


def army_forms(ground: Ground) -> list[FormOffer]:
    """A form for a new army, the orders to those that stand at home, and one form for where they go."""
    if not rules_of_armies(ground.rules):
        return []
    return [*_recruit(ground), *_at_home(ground), *_marches(ground)]


def _recruit(ground: Ground) -> Iterator[FormOffer]:
    rules, kingdom = ground.rules, ground.kingdom
    most, purse = limits(kingdom, rules).settlements, max(0, kingdom.treasury)
    units = [unit for unit, row in rules.units.items() if row.recruit]
    found = [recruit for recruit in candidates.recruits(most, rules) if recruit.cost <= purse]
    prices = {f"{size}|{unit}": cost for size, unit, _, cost in found}
    if not prices or not kingdom.settlements:
        return
    sizes = list(dict.fromkeys(recruit.size for recruit in found))
    towns = sorted(kingdom.settlements)
    resources = {name: candidates.resources_in(name, kingdom, rules) for name in towns}
    every = sorted({word for found in resources.values() for word in found}, key=list(rules.army_resources).index)
    extra = {f"{size}|{word}": _equipped(word, size, units[0], rules) for size in sizes for word in every}
    yield offer(
        "recruit", "armies", "armies", {"recruit": slot("name"), "size": slot("size"), "unit": slot("unit"), "from": slot("from"), "with": [slot("with")]}, "Recruit an army",
        fields=[
            field("name", "Its name", "text", most=60, unlike=[fold(name) for name in kingdom.armies]),
            field("size", "Size", "choice", options=options((size, words(size)) for size in sizes)),
            field("unit", "Unit", "choice", options=options((unit, rules.units[unit].name) for unit in units)),
            field("from", "In", "choice", options=options((name, name) for name in towns)),
            field("with", "With", "choice", none="nothing", options=[
                {"value": word, "text": rules.army_resources[word].name, "when": {"from": [name for name in towns if word in resources[name]]}}
                for word in every
            ]),
        ],
        tables=[table("treasury", ("size", "unit"), prices, strict=True), table("treasury", ("size", "with"), extra),
                table(SLOTS, ("size",), {size: rules.army_sizes[size].slots for size in sizes})],
        needs_of={"with": {word: [[whole(kingdom.settlements[name].hex)] for name in towns] for word in every}, "from": {name: [[held(kingdom.settlements[name].hex)]] for name in towns}},
        takes=[slots("army {name}")],
    )  # fmt: skip


def _equipped(word: str, size: str, unit: str, rules: Rules) -> int:
    """What a resource adds to the price of a new army of that size."""
    bare = Army(unit, size, "", 0)
    return (
        whole_price(replace(bare, resources={word: 1}), rules) - whole_price(bare, rules) if rules.recruit_cost else 0
    )


def _at_home(ground: Ground) -> Iterator[FormOffer]:
    """Every order to an army in a settlement that would be carried out; one for each army, since they change each other."""
    for name, army in sorted(ground.kingdom.armies.items()):
        for order, text in candidates.at_home(name, ground.kingdom, ground.rules):
            takes, more = [f"muster {name}"], ""
            stays = ground.rules.muster is not None and ground.rules.muster.waits
            if "reserve" in order or "disband" in order or stays:
                takes += [f"march {name}"]
            if "reserve" in order:
                takes += [f"room {army.hex}"]
            if "disband" in order and "to" in order:
                takes += [f"muster {order['to']}"]
                if not army.resources:
                    continue  # nothing would be handed on
            elif "disband" in order:
                more = "its resources are sold"
            yield from _muster(order, text, army, takes, ground, more)


def _muster(
    order: Order, text: str, army: Army, takes: list[str], ground: Ground, more: str = ""
) -> Iterator[FormOffer]:
    kind = next(iter(order))
    if escorts(ground.kingdom, order[kind]):
        return
    found = KINDS[kind](ground.kingdom, order, ground.rules)
    if not isinstance(found, Muster) or found.cost > max(0, ground.kingdom.treasury):
        return
    if kind == "expand" and army.reserve:
        takes = [*takes, f"room {army.hex}"]
    needs = [] if kind == "disband" else [[held(army.hex)], [whole(army.hex)]]
    yield offer(" ".join(map(str, order.values())) + f" {kind}", "armies", "armies", order, text, more=more, group=order[kind],
                costs={"treasury": max(0, found.cost), SLOTS: found.slots}, needs=needs, takes=takes, ends=[KEPT] if kind == "disband" else [])  # fmt: skip


def _marches(ground: Ground) -> Iterator[FormOffer]:
    """For each army that may be ordered about one form of all that it may be told."""
    kingdom = ground.kingdom
    for name, army in sorted(kingdom.armies.items()) if ground.rules.movement else ():
        if army_problem(ground.seat, kingdom, {"army": name}, ground.world, ground.rules):
            continue
        told = {word: slot(word) for word in ("then", "target", "strategy", "tactic", "withdraw")}
        yield offer(f"march {name}", "march", "armies", {"army": name, "move": [slot("to")], **told}, f"Order {name}",
                    more=f"{words(army.size)} {ground.rules.units[army.unit].name}, in {army.hex}", fields=_told(name, ground),
                    takes=[f"march {name}"], needs=[[PIERS], [KEPT]], any_of=["to", "then", "strategy", "tactic", "withdraw"])  # fmt: skip


def _told(name: str, ground: Ground) -> list[Field]:
    """The fields of what an army may be told: where to go, what to do there, how to fight."""
    rules, army = ground.rules, ground.kingdom.armies[name]
    ends = candidates.reached(name, ground.seat, ground.kingdom, ground.world, rules)
    targets = [(MONSTERS, "monsters")] + [
        (seat, ground.name_of(seat)) for seat in ground.near if not ground.world.kingdoms[seat].destroyed
    ]
    return [
        field("to", "Go to", "choice", options=options((label, label) for label in ends), on_map=True, none=f"stay in {army.hex}"),
        field("then", "Then", "choice", options=_deeds(name, ends, ground), none=f"as now: {words(army.deed or GARRISON)}"),
        field("target", "Target", "choice", options=[{"value": word, "text": text, "when": {"then": [ATTACK]}} for word, text in targets],
              none="whoever holds the place"),
        field("strategy", "Strategy", "choice", options=options((word, words(word)) for word in rules.strategies), none="as now"),
        field("tactic", "Tactic", "choice", none="as now",
              options=options((word, rules.tactics[word].name) for word in candidates.tactics(army, rules))),
        field("withdraw", "Leave a battle at percent of its hit points", "number", least=0, most=99, none="as now"),
    ]  # fmt: skip


def _deeds(name: str, ends: list[str], ground: Ground) -> list[Option]:
    """What the army may do: where it stands, or only where it marches to first."""
    army, rows = ground.kingdom.armies[name], list[Option]()
    for deed in ARMY_DEEDS:
        here = not army_problem(ground.seat, ground.kingdom, {"army": name, "then": deed}, ground.world, ground.rules)
        if here or (ends and not (army.routed and deed in HOSTILE)):
            row: Option = {"value": deed, "text": words(deed)}
            rows.append(row if here else {**row, "when": {"to": ends}})
    return rows
