"""The order `settle`: a settlement founded on prepared ground. Edict step 4.

Rulings: step_4, prepare, government, caps_at_start, improvements_sharing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, NotRequired, TypedDict

from kingdom.engine.refusal import Refusal
from kingdom.games.realm.hexmap import hex_in_words
from kingdom.games.realm.orders.improve import preparable
from kingdom.games.realm.orders.kind import Each, Now, each_alone, held
from kingdom.games.realm.orders.words import BORDERS, WATER, Border, a_hex
from kingdom.games.realm.sheet import limits
from kingdom.games.realm.state import District, Kingdom, Settlement, World, replace, with_kingdoms, with_settlement
from kingdom.games.realm.steps.land.ground import WHILE_IN_DANGER, barring, danger
from kingdom.games.realm.steps.land.improvements import PREPARED
from kingdom.games.realm.steps.land.losing import settlement_in
from kingdom.games.realm.steps.shared import book
from kingdom.games.realm.steps.towns.construction import SETTLEMENTS, not_water, settlement_named
from kingdom.games.realm.steps.towns.lots import anywhere, find
from kingdom.games.realm.steps.towns.plan import Plan
from kingdom.games.realm.types import Turn
from kingdom.orders import kit
from kingdom.orders.kit import Candidate, Gap, Pick
from kingdom.orders.schema import ListOf, Text

WATER_BORDERS = Pick("Borders that are water", BORDERS, kind="many")
NEW_TOWN = "New Town"  # until its founder says another name


class Founding(TypedDict):
    """A settlement to be founded."""

    hex: Annotated[str, a_hex("its hex")]
    name: Annotated[str, Text("its name", example="Newford", most=60)]
    water: NotRequired[Annotated[list[Border], WATER]]


class Settle(Each[Founding]):
    """`settle: Newford in 0405 water north east`."""

    key, name, step, section, part = "settle", "settlements", "found_settlements", "land", "Found a settlement"
    once, often = True, 25
    shape = ListOf("the settlements to found", kit.record(Founding, "a settlement", ("{name}[ at][ in] {hex}[ water {water}]",)),
                   short="commas")  # fmt: skip
    causes = {
        "settle": "a settlement founded",
        "found_building": "a building that stands in a settlement from its founding",
    }
    refusals = {
        "settle_not_held": "{hex} is no hex of this kingdom (Edict step 4). Claim it first, and prepare it.",
        "settle_water": "No settlement is founded on {terrain} (Edict step 4). Choose a hex of land.",
        "settle_occupied": "{hex} holds {name} already; a hex holds one settlement (ruling improvements_sharing). "
        "Choose another hex.",
        "settle_danger": f"Nothing is founded in {{hex}} {WHILE_IN_DANGER}. Clear the hex first.",
        "settle_unprepared": "{hex} is not prepared for a settlement (ruling prepare). Order `improve: prepare {hex}`; "
        "it may be founded in the same turn.",
        "settle_name_taken": "{name} is a settlement of this kingdom already (Edict step 4). Choose another name.",
        "settle_limit": "This turn's limit of settlements and armies is used up; it is {limit} at size {size} "
        "(ruling caps_at_start). Found it next turn.",
    }

    def candidates(self, now: Now) -> Iterator[Candidate]:
        """Yield one for each hex that is prepared, under a name that is free."""
        kingdom, name, count = now.state.kingdoms[now.seat], NEW_TOWN, 1
        while settlement_named(kingdom, name):
            count += 1
            name = f"{NEW_TOWN} {count}"
        for label in foundings(kingdom):
            yield self.candidate(label, Founding(hex=label, name=name), now)

    def on_page(self, now: Now) -> Iterator[Candidate]:
        """Yield those too whose hex may be prepared before; the founder types the name, and ticks the borders that are water."""
        own, world = now.state.kingdoms[now.seat], now.state
        needs = {label: [[held(label)], [f"prepared {label}"]] for label in preparable(now)}
        needs |= {founding.at: [[held(founding.at)]] for founding in self.candidates(now)}
        name = Pick("Its name", (), kind="text", most=60, unlike=tuple(own.settlements))
        for label, facts in needs.items():
            kingdom = replace(own, hexes={**own.hexes, label: (*own.hexes.get(label, ()), PREPARED)})
            if self.objection(
                now._replace(state=with_kingdoms(world, {now.seat: kingdom})), Founding(hex=label, name="")
            ):
                continue
            wet = not not_water(label, BORDERS, kingdom, world.hexes, now.rules)
            order = {"hex": label, "name": Gap("name"), **({"water": Gap("water")} if wet else {})}
            picks = {"name": name, **({"water": WATER_BORDERS} if wet else {})}
            made = self.candidate(label, order, now)
            yield made._replace(needs=facts, picks=picks, uses={**made.uses, "town {name}": 1})

    def candidate(self, label: str, order: Mapping[str, object], now: Now) -> Candidate:
        """Return the settlement in a hex, whatever speaks against it."""
        return Candidate(
            f"settle {label}", order, f"Found a settlement in {hex_in_words(label, now.state.hexes[label], now.rules)}",
            said=f"Found a settlement in {label}", at=label, limits={SETTLEMENTS: 1}, uses={f"settle {label}": 1},
            effect={"consumption": now.rules.consumption.per_district},
        )  # fmt: skip

    def objection(self, now: Now, order: Founding) -> kit.Objection:
        """Return the first refusal, in the order in which they count."""
        kingdom, hexes, rules = now.state.kingdoms[now.seat], now.state.hexes, now.rules
        label = order["hex"]
        if label not in kingdom.hexes:
            return Refusal("settle_not_held", {"hex": label})
        hex = hexes[label]
        if rules.terrain[hex.terrain].water:
            return Refusal("settle_water", {"terrain": rules.terrain[hex.terrain].name})
        occupant = settlement_in(kingdom, label) or (hex.free_city.name if hex.free_city else "")
        if occupant:
            return Refusal("settle_occupied", {"hex": label, "name": occupant})
        if found := danger(label, kingdom, hexes):
            return Refusal("settle_danger", {"hex": label, "danger": found})
        if barred := barring(label, kingdom, rules):
            return barred
        if PREPARED not in kingdom.hexes[label]:
            return Refusal("settle_unprepared", {"hex": label})
        if taken := settlement_named(kingdom, order["name"]):
            return Refusal("settle_name_taken", {"name": taken})
        limit = limits(kingdom, rules).settlements
        if kingdom.used.get(SETTLEMENTS, 0) >= limit:
            return Refusal("settle_limit", {"limit": limit, "size": kingdom.edict_size})
        return not_water(label, order.get("water") or (), kingdom, hexes, rules)

    def carry_out(self, now: Now, order: Founding, turn: Turn) -> World:
        """Return the world with the settlement and what stands in it from the first; booked."""
        kingdom, hexes, rules = now.state.kingdoms[now.seat], now.state.hexes, turn.rules
        label, name = order["hex"], order["name"]
        hex = hexes[label]
        # (building, why) of each that stands in a settlement from its founding, without price, limit or Unrest
        free = [
            (kind, f"from the {rules.improvements[built].name} in the hex (ruling improvements_sharing)")
            for built in kingdom.hexes[label]
            for kind in rules.improvements[built].becomes
        ]
        if hex.building and label in kingdom.revealed:
            free.append((hex.building, "found in the hex"))
        government = rules.governments.get(kingdom.government)
        if kingdom.founding and government and government.starting_building:
            free.append((government.starting_building, "the start of a kingdom of that government (ruling government)"))
        gone = {PREPARED, *(built for built in kingdom.hexes[label] if rules.improvements[built].becomes)}
        stays = tuple(built for built in kingdom.hexes[label] if built not in gone)
        first = not kingdom.settlements
        kingdom = replace(
            kingdom,
            hexes={**kingdom.hexes, label: stays},
            settlements={**kingdom.settlements, name: Settlement(label, (District(tuple(order.get("water") or ())),))},
            capital=name if first else kingdom.capital,
            founding=False,
            used={**kingdom.used, SETTLEMENTS: kingdom.used.get(SETTLEMENTS, 0) + 1},
        )
        book(turn, now.seat, kingdom, hexes, "settle", f"{name} in {label}" + (", the capital" if first else ""))
        for kind, why in free:
            settlement = kingdom.settlements[name]
            plan = Plan(settlement.districts, settlement.buildings, rules)
            # it stands whether it may or not; a new settlement has room
            place = find(plan, kind)[0] or anywhere(plan, kind)
            kingdom = with_settlement(kingdom, name, buildings=(*settlement.buildings, place))
            detail = f"{rules.buildings[kind].name} in {name} at {place.lot}, {why}"
            book(turn, now.seat, kingdom, hexes, "found_building", detail)
        return with_kingdoms(now.state, {now.seat: kingdom})


SETTLE = Settle()


def foundings(kingdom: Kingdom) -> list[str]:
    """The hexes that are prepared and hold no settlement yet."""
    return sorted(
        label for label, built in kingdom.hexes.items() if PREPARED in built and not settlement_in(kingdom, label)
    )


def found_settlements(world: World, turn: Turn) -> World:
    """Edict step 4, first half: each settlement on prepared ground, with one district and no building."""
    return each_alone(SETTLE, world, turn)
