"""The orders to armies at home, under `armies`: recruited, made larger, equipped, repaired, disbanded, put in reserve. Edict step 6.

Rulings: recruit_cost, reserves, muster, caps_at_start, affordable. What such an order comes to is a Muster (steps/war/muster.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from kingdom.engine.names import words
from kingdom.engine.refusal import Refusal
from kingdom.engine.step import Orders
from kingdom.games.realm.armies import (
    army_named,
    consumption,
    counts,
    escorts,
    rank,
    standing_in,
)
from kingdom.games.realm.orders.kind import KEPT, Each, Now, each_alone, held, paid, whole
from kingdom.games.realm.orders.to_armies import SHAPE, Armies
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import limits
from kingdom.games.realm.state import Army, Kingdom, World, replace, with_kingdoms
from kingdom.games.realm.steps.shared import affordable, book
from kingdom.games.realm.steps.towns.construction import SETTLEMENTS
from kingdom.games.realm.steps.war.muster import KINDS, Muster, bare_armies, rules_of_armies, whole_price
from kingdom.games.realm.types import Turn
from kingdom.orders import kit
from kingdom.orders.kit import Candidate, Gap, Pick, Table

MUSTER = "muster"  # their part of a turn: what armies do abroad is carried out by another step
MOST_AT_ONCE = 9  # resources alike that an army may get in one order
NEW_ARMY = "First Foot"  # of an army to be recruited, until who recruits it says another name


class Mustering(Each[Armies]):
    """`armies: recruit First Foot as medium warrior from Oakhold, equip Guard with improved_armor`."""

    key, name, step, section = "armies", "orders to armies at home", "create_army_units", "armies"
    at, often = MUSTER, 45
    shown = 0  # its example stands in one list with that of an army's march
    shape = SHAPE
    causes = {
        "recruit": "an army recruited",
        "expand": "an army made larger",
        "equip": "an army equipped",
        "restore": "an army brought back to its full strength",
        "disband": "an army sent home, and what its resources were sold for",
        "reserve": "an army put in reserve, paid there, or roused from it",
    }
    refusals = {
        "armies_off": "There are no armies in the rules of this campaign (ruling recruit_cost). Leave the order out.",
        "army_unknown": "{name} is no army of this kingdom (Edict step 6). Its armies: {known}.",
        "army_not_home": "{name} stands in {hex}, where no settlement of this kingdom is (Edict step 6). Bring it into one first.",
        "recruit_name_taken": "{name} is an army of this kingdom already (Edict step 6). Choose another name.",
        "recruit_unit": "{unit} can't be recruited (table units). What can: {known}.",
        "recruit_settlement": "{name} is no settlement of this kingdom (Edict step 6). Its settlements: {known}.",
        "recruit_limit": "It uses {slots} of this turn's settlements and armies, and {left} of {limit} are left at size {size} "
        "(ruling recruit_cost, ruling caps_at_start). Choose a smaller army, or order it next turn.",
        "recruit_unaffordable": "It costs {cost} BP and the treasury holds {treasury} (ruling recruit_cost, ruling affordable). "
        "Order it when there is enough, or leave out an order before it.",
        "expand_not_larger": "{name} is {size} already (Edict step 6). Name a larger size: {larger}.",
        "repair_whole": "{name} has all of its {hp} hit points (Edict step 6). Leave the order out.",
        "equip_needs": "{resource} needs one of these in {settlement} (table army_resources): {needs}. Build one there, or bring the "
        "army to a settlement that has one.",
        "equip_has": "{name} has {resource} already, and has no use for more (table army_resources). Leave the order out.",
        "disband_to_self": "{name} can't get its own resources (Edict step 6). Name another army, or leave `to` out.",
        "disband_to_elsewhere": "{other} stands in {there} and {name} in {hex}: resources are given on where both stand together "
        "(ruling army_figures). Name an army in {hex}, or leave `to` out: they are then sold.",
        "disband_to_larger": "{other} is {larger} and {name} {size}: resources go to an army of equal or smaller size (ruling army_figures). "
        "Name such a one, or leave `to` out: they are then sold.",
        "reserve_already": "{name} is in reserve already (ruling reserves). Leave the order out.",
        "reserve_no_room": "There is no room in {settlement} for a reserve army that is {size} (ruling reserves); rooms there: {rooms}, "
        "resting there: {resting}. Rooms are {holds}.",
    }

    def filed(self, orders: Orders) -> list[tuple[str, Armies]]:
        return [(path, order) for path, order in super().filed(orders) if kind_of(order)]

    def candidates(self, now: Now) -> Iterator[Candidate]:
        yield from self.new_army(now)
        kingdom = now.state.kingdoms[now.seat]
        for order, text, muster in self._at_home(now):
            if not _out_of_reach(kingdom, muster, now.rules):
                yield self.candidate(order, text, muster, now)._replace(checked=True)

    def on_page(self, now: Now) -> Iterator[Candidate]:
        """Yield a form for a new army, with its resources, and the orders to those at home that would change something; those to one army change each other."""
        kingdom, rules = now.state.kingdoms[now.seat], now.rules
        stays = rules.muster is not None and rules.muster.waits
        for made in self.new_army(now):
            yield self.with_resources(made, now)
        for order, text, muster in self._at_home(now):
            name, kind, other = next(iter(order.values())), kind_of(order), order.get("to", "")
            army, ends = kingdom.armies[name], kind == "disband"
            if (
                escorts(kingdom, name)
                or muster.cost > max(0, kingdom.treasury)
                or (ends and other and not army.resources)
            ):
                continue  # nothing would be handed on
            takes = [f"muster {name}"]
            takes += [f"march {name}"] if kind == "reserve" or ends or stays else []
            takes += [f"room {army.hex}"] if kind == "reserve" or (kind == "expand" and army.reserve) else []
            takes += [f"muster {other}"] if ends and other else []
            made = self.candidate(order, text, muster, now)
            yield made._replace(
                more="its resources are sold" if ends and not other else "", group=name, uses=dict.fromkeys(takes, 1),
                costs=paid(max(0, muster.cost)), needs=[] if ends else [[held(army.hex)], [whole(army.hex)]], ends=[KEPT] if ends else [],
            )  # fmt: skip

    def candidate(self, order: Armies, text: str, muster: Muster, now: Now) -> Candidate:
        """Return the order to an army at home."""
        had, has = (
            sum(consumption(army, now.rules) for army in armies.values() if counts(army))
            for armies in (now.state.kingdoms[now.seat].armies, muster.armies)
        )
        return Candidate(
            f"{' '.join(map(str, order.values()))} {kind_of(order)}", order, text, costs=paid(muster.cost),
            effect={"consumption": has - had} if has != had else {}, limits={SETTLEMENTS: muster.slots} if muster.slots else {},
        )  # fmt: skip

    def _at_home(self, now: Now) -> Iterator[tuple[Any, str, Muster]]:
        """Yield (order, text, what it comes to) of what may be ordered of the armies in settlements, limit and price aside."""
        kingdom, rules = now.state.kingdoms[now.seat], now.rules
        for name in sorted(kingdom.armies) if rules_of_armies(rules) else ():
            for order, text in at_home(name, kingdom, rules):
                muster = KINDS[kind_of(order)](kingdom, order, rules)
                if isinstance(muster, Muster):
                    yield order, text, muster

    def new_army(self, now: Now) -> Iterator[Candidate]:
        """Yield a new army, in each size and unit that limit and treasury allow: without resources the price is the same in all settlements."""
        kingdom, rules, name, count = now.state.kingdoms[now.seat], now.rules, NEW_ARMY, 1
        towns = sorted(kingdom.settlements)
        if not rules_of_armies(rules) or not towns:
            return
        while army_named(kingdom, name):
            count += 1
            name = f"{NEW_ARMY} {count}"
        left = limits(kingdom, rules).settlements - kingdom.used.get(SETTLEMENTS, 0)
        bare = {
            army: figures for army, figures in bare_armies(rules).items() if rules.army_sizes[army[0]].slots <= left
        }
        costs = {army: cost for army, (cost, _) in bare.items() if affordable(kingdom, cost)}
        sizes, units = [*dict.fromkeys(size for size, _ in costs)], [*dict.fromkeys(unit for _, unit in costs)]
        dear = {size: [unit for unit in units if (size, unit) not in costs] for size in sizes}
        large = {unit: [size for size in sizes if (size, unit) not in costs] for unit in units}
        eats = {army: bare[army][1] for army in costs}
        if costs:
            yield Candidate(
                "recruit", {"recruit": Gap("name"), "size": Gap("size"), "unit": Gap("unit"), "from": Gap("from")}, "Recruit an army", checked=True,
                said="Recruit {size} {unit} in {from}", uses={"army {name}": 1},
                picks={
                    "name": Pick("Its name", (name,), kind="text", most=60, unlike=tuple(kingdom.armies)),
                    "size": Pick("Size", sizes, texts={size: words(size) for size in sizes}, unless={size: {"unit": rest} for size, rest in dear.items() if rest}),
                    "unit": Pick("Unit", units, texts={unit: rules.units[unit].name for unit in units},
                                 unless={unit: {"size": rest} for unit, rest in large.items() if rest}),
                    "from": Pick("In", towns, needs={town: [[held(kingdom.settlements[town].hex)]] for town in towns}),
                },
                tables=[
                    Table("costs", "treasury", ("size", "unit"), costs),
                    Table("uses", SETTLEMENTS, ("size",), {(size,): rules.army_sizes[size].slots for size in sizes}),
                    Table("effect", "consumption", ("size", "unit"), eats),
                ],
            )  # fmt: skip

    def with_resources(self, made: Candidate, now: Now) -> Candidate:
        """Return the new army with what equips it, each resource where something in the settlement allows it."""
        kingdom, rules = now.state.kingdoms[now.seat], now.rules
        towns = made.picks["from"].values
        there = {town: resources_in(town, kingdom, rules) for town in towns}
        every = [word for word in rules.army_resources if any(word in words for words in there.values())]
        bare = {size: Army(made.picks["unit"].values[0], size, "", 0) for size in made.picks["size"].values}
        extra = {
            (size, word): whole_price(replace(army, resources={word: 1}), rules) - whole_price(army, rules)
            for size, army in bare.items()
            for word in every
        }  # what a resource adds to the price
        stands = [[whole(kingdom.settlements[town].hex)] for town in towns]
        equipped = Pick(
            "With", every, texts={word: rules.army_resources[word].name for word in every}, none="nothing", needs=dict.fromkeys(every, stands),
            when={word: {"from": [town for town in towns if word in there[town]]} for word in every},
        )  # fmt: skip
        price, slots, eats = made.tables
        unit, most = made.picks["unit"].values[0], max(eats.amounts.values()) + 1
        size = min(reversed(bare), key=lambda size: (slots.amounts[size,], eats.amounts.get((size, unit), most)))
        usual = {word: pick.values[0] for word, pick in made.picks.items()} | {"size": size, "from": kingdom.capital}
        return made._replace(
            order={**made.order, "with": [Gap("with")]}, picks={**{word: pick._replace(usual=usual[word]) for word, pick in made.picks.items()}, "with": equipped},
            more=f"{words(size)} is the largest with the least Consumption",
            tables=[price, Table("costs", "treasury", ("size", "with"), extra), slots, eats],
        )  # fmt: skip

    def objection(self, now: Now, order: Armies) -> kit.Objection:
        muster = muster_of(now.state.kingdoms[now.seat], kind_of(order), order, now.rules)
        return muster if isinstance(muster, Refusal) else None

    def carry_out(self, now: Now, order: Armies, turn: Turn) -> World:
        kingdom = now.state.kingdoms[now.seat]
        muster = muster_of(kingdom, kind_of(order), order, turn.rules)
        assert isinstance(muster, Muster), order
        kingdom = mustered(kingdom, muster)
        book(turn, now.seat, kingdom, now.state.hexes, muster.cause, f"{muster.detail} (ruling {muster.ruling})")
        return with_kingdoms(now.state, {now.seat: kingdom})


MUSTERING = Mustering()


def create_army_units(world: World, turn: Turn) -> World:
    """Edict step 6: every order that makes, changes or ends an army, in the order listed."""
    return each_alone(MUSTERING, world, turn)


def kind_of(order: Any) -> str:
    """The kind of an order to an army at home, "" for one that is to march and fight."""
    return next((kind for kind in KINDS if kind in order), "")


def muster_of(kingdom: Kingdom, kind: str, order: Armies, rules: Rules) -> Muster | Refusal:
    """What an order of that kind comes to, its limit and price included."""
    if not rules_of_armies(rules):
        return Refusal("armies_off", {})
    muster = KINDS[kind](kingdom, order, rules)
    return muster if isinstance(muster, Refusal) else _out_of_reach(kingdom, muster, rules) or muster


def _out_of_reach(kingdom: Kingdom, muster: Muster, rules: Rules) -> Refusal | None:
    limit = limits(kingdom, rules).settlements
    left = max(0, limit - kingdom.used.get(SETTLEMENTS, 0))
    if muster.slots > left:
        facts = {"slots": muster.slots, "left": left, "limit": limit, "size": kingdom.edict_size}
        return Refusal("recruit_limit", facts)
    if muster.cost > 0 and not affordable(kingdom, muster.cost):
        return Refusal("recruit_unaffordable", {"cost": muster.cost, "treasury": kingdom.treasury})
    return None


def mustered(kingdom: Kingdom, muster: Muster) -> Kingdom:
    """The kingdom after an order to an army: paid, counted against its limit. Not booked."""
    used = kingdom.used
    if muster.slots:
        used = {**used, SETTLEMENTS: used.get(SETTLEMENTS, 0) + muster.slots}
    return replace(kingdom, armies=muster.armies, treasury=kingdom.treasury - muster.cost, used=used)


# --- what there is to order, whatever else is asked of it


ArmyOrder: TypeAlias = dict[str, str | int]  # one order to an army in the long form


def resources_in(town: str, kingdom: Kingdom, rules: Rules) -> list[str]:
    """What an army can be equipped with in a settlement."""
    there = set(standing_in(kingdom, town))
    return [word for word, row in rules.army_resources.items() if not row.needs or not there.isdisjoint(row.needs)]


def at_home(name: str, kingdom: Kingdom, rules: Rules) -> Iterator[tuple[ArmyOrder, str]]:
    """(order, text) of all that may come to mind about an army in a settlement."""
    army = kingdom.armies[name]
    for size in rules.army_sizes:
        if rank(size, rules) > rank(army.size, rules):
            yield {"expand": name, "to": size}, f"Expand {name} to {words(size)}"
    for word, row in rules.army_resources.items():
        yield {"equip": name, "with": word}, f"Equip {name} with {row.name}"
        for count in range(2, MOST_AT_ONCE + 1) if row.one_size else ():
            yield {"equip": name, "with": word, "count": count}, f"Equip {name} with {count} {row.name}"
    yield {"repair": name}, f"Repair {name}"
    yield {"reserve": name}, f"Put {name} in reserve"
    yield {"disband": name}, f"Disband {name}"
    for other in sorted(kingdom.armies):
        if other != name:
            yield {"disband": name, "to": other}, f"Disband {name}, its resources to {other}"
