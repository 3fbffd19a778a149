"""What may be ordered of land: improvements, settlements to found. Edict steps 3 and 4."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.names import words
from kingdom.engine.offer import Offer
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.hexmap import Lie, lie_of, neighbours
from kingdom.games.realm.offers.form_model import (
    FormOffer,
    Ground,
    field,
    fold,
    offer,
    slot,
    slots,
    water_borders,
)
from kingdom.games.realm.offers.turn_preview import Course, in_words, made
from kingdom.games.realm.orders.kind import KEPT, PIERS, held, paid
from kingdom.games.realm.orders.words import BORDERS
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.sheet import limits
from kingdom.games.realm.state import Kingdom, World, replace
from kingdom.games.realm.steps.land.ground import danger
from kingdom.games.realm.steps.land.improvements import FARM, PREPARE, PREPARED, not_now, possible, price, standing_name
from kingdom.games.realm.steps.land.losing import settlement_in
from kingdom.games.realm.steps.towns.construction import not_water, settlement_named
from kingdom.games.realm.steps.towns.settlements import SETTLEMENTS, not_founded
from kingdom.games.realm.steps.trade.routes import routes_with
from kingdom.games.realm.steps.trade.towers import TOWER, is_for_route, tower_problem

if TYPE_CHECKING:
    from kingdom.games.realm.orders.works import Settle

# --- what there is to order, whatever else is asked of it


class Improving(NamedTuple):
    """An improvement of a hex, by the word of its order. route: a watchtower on a route, beyond the kingdom's land."""

    label: str
    word: str
    cost: int
    route: bool = False

    def text(self) -> str:
        """The order in words."""
        if self.word == PREPARE:
            return f"Prepare {self.label} for a settlement"
        return f"{words(self.word).capitalize()} {'on the route in' if self.route else 'in'} {self.label}"


def improvements_of(kingdom: Kingdom, label: str, world: World, rules: Rules) -> list[Improving]:
    """What the hex allows, limit and treasury aside."""
    return [Improving(label, word, cost) for word, cost in possible(kingdom, label, world, rules)]


def towers_on_routes(kingdom: Kingdom, world: World, rules: Rules) -> Iterator[Improving]:
    """Watchtowers on the kingdom's own open routes, in hexes that nobody holds, but for routes of a pair that has several: the start of the
    turn ends all but one."""
    sure = [each for each in kingdom.routes.values() if not (rules.one_route and routes_with(each.to, kingdom) > 1)]
    for label in sorted({label for route in sure for label in route.path if label in world.hexes}):
        if is_for_route(kingdom, label, TOWER, world) and not tower_problem(kingdom, label, world, rules):
            yield Improving(label, TOWER, price(kingdom, label, TOWER, world, rules) or 0, True)


def foundings(kingdom: Kingdom) -> list[str]:
    """The hexes that are prepared and hold no settlement yet, in the kingdom's own order."""
    return [label for label, built in kingdom.hexes.items() if PREPARED in built and not settlement_in(kingdom, label)]


# --- as offers

NEW_TOWN = "New Town"  # of a settlement to be founded, until its founder says another name


def improvements(now: Course) -> Iterator[Offer]:
    """What may be built in each held hex, and watchtowers on the kingdom's routes."""
    kingdom, world, rules = now.kingdom("improve"), now.world("improve"), now.rules
    if kingdom.used.get("terrain", 0) >= limits(kingdom, rules).terrain:
        return
    for label in sorted(kingdom.hexes):
        for improving in improvements_of(kingdom, label, world, rules):
            name = standing_name(improving.word)
            if not_now(kingdom, label, name, world, rules):
                continue
            yield _improving(improving, points_of(name, rules))
    yield from towers(now)


def points_of(name: str, rules: Rules) -> dict[str, int]:
    """Account -> by how much an improvement changes it, with what it takes the place of gone."""
    kind = rules.improvements[name]
    old = rules.improvements.get(kind.upgrade_of)
    points: dict[str, int] = {
        account: getattr(kind.kingdom, account) - (getattr(old.kingdom, account) if old else 0)
        for account in ATTRIBUTES
    }
    points |= {"consumption": kind.consumption - (old.consumption if old else 0), "unrest": kind.unrest}
    return {account: by for account, by in points.items() if by}


def does(name: str, rules: Rules) -> str:
    """What an improvement does, in words: points, BP with the taxes, and what roads give together. Ruling: roads."""
    kind = rules.improvements[name]
    said = [in_words(points_of(name, rules))]
    said += [f"{kind.tax_bp} BP with the taxes"] if kind.tax_bp else []
    if kind.is_road and not kind.upgrade_of:
        said += [f"{in_words({row.attribute: 1})} for every {row.every}" for row in rules.roads.per_hexes]
    return ", ".join(filter(None, said))


def towers(now: Course) -> Iterator[Offer]:
    """Watchtowers on the kingdom's own open routes, in hexes that nobody holds."""
    kingdom, world, rules = now.kingdom("improve"), now.world("improve"), now.rules
    for improving in towers_on_routes(kingdom, world, rules):
        if not not_now(kingdom, improving.label, improving.word, world, rules):
            yield _improving(improving, {})


def _improving(improving: Improving, effect: Mapping[str, int]) -> Offer:
    order, costs = {"hex": improving.label, "build": improving.word}, paid(improving.cost)
    return made("improve", order, improving.text(), costs=costs, uses={"terrain": 1}, effect=effect)


def settlements(now: Course) -> Iterator[Offer]:
    """The hexes in which a settlement may be founded, under a name that is free."""
    kingdom, world = now.kingdom("settle"), now.world("settle")
    name, count = NEW_TOWN, 1
    while settlement_named(kingdom, name):
        count += 1
        name = f"{NEW_TOWN} {count}"
    effect = {"consumption": now.rules.consumption.per_district}
    for label in sorted(foundings(kingdom)):
        order: Settle = {"hex": label, "name": name}
        if not not_founded(kingdom, world.hexes, order, now.rules):
            yield made("settle", order, f"Found a settlement in {label}", uses={SETTLEMENTS: 1}, effect=effect)


# --- in the form


def improve_offers(ground: Ground, claims: list[FormOffer]) -> list[FormOffer]:
    """The improvements of each hex, also of those that may be claimed before; which of a hex go together is found by trying."""
    own, world = ground.kingdom, ground.world
    rows = [(label, own) for label in sorted(own.hexes)]
    for label in (each["at"] for each in claims if each["at"] not in own.hexes):
        with_it = {**own.hexes, label: world.hexes[label].left}
        rows.append((label, replace(own, hexes=with_it, revealed=(*own.revealed, label))))
    return [*(made for label, kingdom in rows for made in _of_hex(label, kingdom, ground)), *_tower_offers(ground)]


def _tower_offers(ground: Ground) -> Iterator[FormOffer]:
    """Watchtowers on the kingdom's own open routes, in hexes that nobody holds, where it does not claim them before."""
    kingdom, world, rules = ground.kingdom, ground.world, ground.rules
    if rules.trade_route is None:
        return
    for tower in towers_on_routes(kingdom, world, rules):
        label = tower.label
        yield offer(
            f"tower {label}", "improve", "improve", {"hex": label, "build": tower.word}, tower.text(), at=label,
            more=does(tower.word, rules), costs={"treasury": tower.cost, "terrain": 1}, takes=[f"improve {label} {tower.word}"], against=[f"claim {label}"],
            needs=[[PIERS], [KEPT]],
        )  # fmt: skip


def _of_hex(label: str, kingdom: Kingdom, ground: Ground) -> Iterator[FormOffer]:
    if danger(label, kingdom, ground.world.hexes):
        return
    found = improvements_of(kingdom, label, ground.world, ground.rules)
    apart = _apart({improving.word: improving.cost for improving in found}, label, kingdom, ground)
    beside = [near for near in neighbours(label) if kingdom.hexes.get(near)]
    for improving in found:
        word, name = improving.word, standing_name(improving.word)
        kind = ground.rules.improvements[name]
        # a farm may need what its kingdom has beside it: none of that may be let go
        needs = [[held(each)] for each in (label, *(beside if name == FARM else ()))]
        yield offer(
            f"improve {label} {word}", "improve", "improve", {"hex": label, "build": word}, improving.text(), at=label,
            costs={"treasury": improving.cost, "terrain": 1}, needs=needs, takes=[f"improve {label} {word}"],
            more=does(name, ground.rules), ends=[KEPT] if kind.upgrade_of else [], gives=[f"prepared {label}"] if word == PREPARE else [], least={"size": kind.min_size} if kind.min_size else {},
            against=[f"improve {label} {other}" for other in apart if other in apart[word]],
        )  # fmt: skip


def _apart(here: dict[str, int], label: str, kingdom: Kingdom, ground: Ground) -> dict[str, set[str]]:
    """Each improvement of a hex, `here` with their prices -> those that do not go together with it, in either order and for
    the same prices."""
    apart: dict[str, set[str]] = {word: set() for word in here}
    for word in here:
        asked = {other for other in here if other != word and other not in apart[word]}
        if not asked:
            continue
        kind, name = ground.rules.improvements[standing_name(word)], standing_name(word)
        after = tuple(built for built in kingdom.hexes[label] if built != kind.upgrade_of) + (name,)
        changed = replace(kingdom, hexes={**kingdom.hexes, label: after})
        world = replace(ground.world, kingdoms={**ground.world.kingdoms, ground.seat: changed})
        then = dict(possible(changed, label, world, ground.rules, asked))
        for other in asked:
            if then.get(other) != here[other]:
                apart[word].add(other)
                apart[other].add(word)
    return apart


def settle_offers(ground: Ground, improvements: list[FormOffer]) -> list[FormOffer]:
    """A settlement on each hex that is prepared, or that may be prepared before."""
    own, found = ground.kingdom, []
    now = {label: [[held(label)]] for label in sorted(foundings(own))}
    prepared = [each["at"] for each in improvements if f"prepared {each['at']}" in each.get("gives", ())]
    for label, needs in {**{label: [[held(label)], [f"prepared {label}"]] for label in prepared}, **now}.items():
        kingdom = replace(own, hexes={**own.hexes, label: (*own.hexes.get(label, ()), PREPARED)})
        if not_founded(kingdom, ground.world.hexes, {"hex": label, "name": ""}, ground.rules):
            continue
        fields = [field("name", "Its name", "text", most=60, unlike=[fold(name) for name in own.settlements])]
        if not not_water(label, BORDERS, kingdom, ground.world.hexes, ground.rules):
            fields.append(water_borders())
        found.append(offer(
            f"settle {label}", "settle", "settle", {"hex": label, "name": slot("name"), "water": slot("water")}, f"Found a settlement in {ground.lies(label)}",
            at=label, fields=fields, costs={"settlements": 1}, needs=needs, takes=[f"settle {label}", slots("town {name}")],
        ))  # fmt: skip
    return found


# --- in a report


class ImprovementRow(TypedDict):
    """An improvement: its word in orders, its name, its price."""

    order: str
    name: str
    price: int


class DoesRow(TypedDict):
    """What an improvement does, in words."""

    name: str
    does: str


class HexRow(Lie):
    """A hex with what may be built there; `said`: the same in a line."""

    options: list[ImprovementRow]
    said: str


def hex_rows(kingdom: Kingdom, world: World, rules: Rules) -> Iterator[HexRow]:
    """The held hexes in which an improvement may be built that the treasury can pay, with those improvements."""
    for label in sorted(kingdom.hexes):
        found: list[ImprovementRow] = [
            {"order": improving.word, "name": words(improving.word), "price": improving.cost}
            for improving in improvements_of(kingdom, label, world, rules)
            if improving.cost <= kingdom.treasury
        ]
        if found:
            said = ", ".join(f"{row['name']} {row['price']}" for row in found)
            yield {**lie_of(label, world.hexes[label], rules), "options": found, "said": said}


def does_rows(rows: Sequence[HexRow], rules: Rules) -> list[DoesRow]:
    """What the improvements of these rows do, each once; nothing of those that give no points."""
    names = dict.fromkeys((option["order"], option["name"]) for row in rows for option in row["options"])
    said = ((name, does(standing_name(word), rules)) for word, name in names)
    return [{"name": name, "does": what} for name, what in said if what]
