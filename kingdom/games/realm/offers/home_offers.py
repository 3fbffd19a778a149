"""What a seat may order at home as things stand: answers, leadership, land, settlements, edicts, the capital, Unrest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, cast

from kingdom.engine.names import words
from kingdom.engine.offer import LIST, MAP, ONE, How, Offer
from kingdom.games.realm.offers import candidates
from kingdom.games.realm.offers.course import Course, course
from kingdom.games.realm.rules.building_tables import BuildingKind
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.rules.types import SECONDARY
from kingdom.games.realm.sheet import accounts, led, limits
from kingdom.games.realm.state import Kingdom, replace
from kingdom.games.realm.steps.edicts import move_problem
from kingdom.games.realm.steps.event import answer_problem
from kingdom.games.realm.steps.land.claims import abandon_problem
from kingdom.games.realm.steps.land.ground import claim_problem
from kingdom.games.realm.steps.land.improvements import not_now, standing_name
from kingdom.games.realm.steps.land.losing import settlement_in
from kingdom.games.realm.steps.towns.construction import Site, Work, settlement_named, work_of
from kingdom.games.realm.steps.towns.plan import Plan
from kingdom.games.realm.steps.towns.settlements import SETTLEMENTS, not_founded
from kingdom.games.realm.steps.war.surrender import may_surrender

if TYPE_CHECKING:
    from kingdom.games.realm.order_types import Build, Settle

LOSE_HEX = "lose_hex"
NEW_TOWN = "New Town"  # of a settlement to be founded, until its founder says another name


def made(
    part: str,
    order: object,
    text: str,
    key: str = "",
    how: How = LIST,
    costs: Mapping[str, int] = {},
    effect: Mapping[str, int] = {},
    uses: Mapping[str, int] = {},
    excludes: tuple[str, ...] = (),
) -> Offer:
    """An offer, its id made of what it stands for."""
    inside = order.items() if isinstance(order, dict) else order if isinstance(order, tuple) else (order,)
    named = " ".join(" ".join(map(str, item)) if isinstance(item, tuple) else str(item) for item in inside)
    return Offer(f"{part} {named}", key or part, how, order, "", text, costs, effect, uses, excludes)


# --- the court


def answers(now: Course) -> Iterator[Offer]:
    """An answer to each question that has none yet, where the kingdom can pay it; the default one too."""
    seen = now.seen.kingdoms[now.seat]
    base = now.after["caravans"].kingdoms[now.seat]
    given = now.orders.get("answers", {})
    for pending in seen.pending:
        for word, figure, answer in candidates.answers(pending) if pending.key not in given else ():
            if answer_problem(seen, pending.key, answer):
                continue
            if pending.key == LOSE_HEX:
                yield made("answers", (pending.key, word), f"Lose {word}", how=MAP, effect={"size": -1})
                continue
            then = course(now.seen, now.seat, now.rules, {**now.orders, "answers": {**given, pending.key: answer}})
            if not then.refused:
                after = then.after["caravans"].kingdoms[now.seat]
                text = f"{pending.question} {words(word)}" + (f", {figure}" if figure else "")
                costs = _paid(max(0, base.treasury - after.treasury))
                yield made("answers", (pending.key, answer), text, how=MAP, costs=costs)


def leadership(now: Course) -> Iterator[Offer]:
    """One more attribute for the ruler's bonus, where the kingdom is large enough."""
    named, kingdom = tuple(now.orders.get("leadership", ())), now.kingdom("leadership")
    for name in ATTRIBUTES:
        then = replace(kingdom, leadership=(*dict.fromkeys(named), name))
        if name not in named and set(then.leadership) <= set(led(then, now.rules)):
            yield made("leadership", name, f"Lead {name.capitalize()}", effect=_changed(kingdom, then, now))


def edicts(now: Course) -> Iterator[Offer]:
    """Each level of each edict that is not decided yet."""
    kingdom, decided = now.kingdom("edicts"), now.orders.get("edicts", {})
    levels = [level for level in candidates.edict_levels(now.rules) if level.category not in decided]
    for category, word, _ in levels:
        effect = _changed(kingdom, replace(kingdom, **{category: word}), now)
        others = tuple(
            f"edicts {category} {other.word}" for other in levels if other.category == category and other.word != word
        )
        text = f"{words(category).capitalize()}: {words(word)}"
        yield made("edicts", (category, word), text, how=MAP, effect=effect, excludes=others)


def _changed(before: Kingdom, after: Kingdom, now: Course) -> dict[str, int]:
    """What differs between the accounts of the two."""
    old, new = (accounts(kingdom, now.after["caravans"].hexes, now.rules) for kingdom in (before, after))
    return {account: by for account, balance in new.items() if (by := balance - old[account])}


def capital(now: Course) -> Iterator[Offer]:
    """The settlements to which the capital may move."""
    if "capital" not in now.orders:
        kingdom = now.kingdom("capital")
        names = [name for name in sorted(kingdom.settlements) if not move_problem(kingdom, name)]
        for name in names:
            yield made(
                "capital", name, f"Move the capital to {name}", how=ONE, excludes=_others("capital", name, names)
            )


def surrenders(now: Course) -> Iterator[Offer]:
    """The besieged settlements, of which one may surrender."""
    if "surrender" not in now.orders:
        names = may_surrender(now.kingdom("surrender"), now.rules)
        for name in names:
            others = _others("surrender", name, names)
            yield made("surrender", name, f"Surrender {name}", how=ONE, excludes=others)


def loyalty(now: Course) -> Iterator[Offer]:
    """What may be done about Unrest in Upkeep."""
    if "loyalty" not in now.orders:
        for name in ("", *ATTRIBUTES):
            yield made(
                "loyalty",
                {"rouse_the_people": name},
                f"Rouse the people for {name.capitalize() or 'what they like'}",
                how=ONE,
            )
        yield made("loyalty", {"change_minds_by_breaking_heads": ""}, "Change minds by breaking heads", how=ONE)


# --- the land


def abandon(now: Course) -> Iterator[Offer]:
    """The hexes that may be let go; the capital's needs the next one named, by an order behind it."""
    kingdom = now.kingdom("abandon")
    for label in sorted(kingdom.hexes):
        if not abandon_problem(kingdom, label, ""):
            town = settlement_in(kingdom, label)
            ruling = now.rules.abandon
            yield made("abandon", label, f"Abandon {label}" + (f", and {town}" if town else ""),
                       effect={"size": -1, "unrest": ruling.settlement_unrest if town else ruling.unrest})  # fmt: skip


def claims(now: Course) -> Iterator[Offer]:
    """The hexes that may be claimed, and the free cities in held ones that may be asked again."""
    kingdom, world = now.kingdom("claim"), now.world("claim")
    before, asked = now.kingdom("abandon").hexes, now.orders.get("claim", ())
    for label, again, cost in candidates.claims(kingdom, world, now.rules) if limits(kingdom, now.rules).claims else ():
        if again and label in asked or claim_problem(kingdom, label, world, now.rules):
            continue
        text = f"Ask the free city in {label} to join" if label in before else f"Claim {label}"
        yield made("claim", label, text, costs=_paid(cost), uses={"claims": 1}, 
                   effect={} if again else {"size": 1, "consumption": now.rules.consumption.per_size})  # fmt: skip


def improvements(now: Course) -> Iterator[Offer]:
    """What may be built in each held hex, and watchtowers on the kingdom's routes."""
    kingdom, world, rules = now.kingdom("improve"), now.world("improve"), now.rules
    if kingdom.used.get("terrain", 0) >= limits(kingdom, rules).terrain:
        return
    for label in sorted(kingdom.hexes):
        for improving in candidates.improvements(kingdom, label, world, rules):
            name = standing_name(improving.word)
            if not not_now(kingdom, label, name, world, rules):
                yield _improving(improving, _of_improvement(name, rules))
    yield from towers(now)


def towers(now: Course) -> Iterator[Offer]:
    """Watchtowers on the kingdom's own open routes, in hexes that nobody holds."""
    kingdom, world, rules = now.kingdom("improve"), now.world("improve"), now.rules
    for improving in candidates.towers(kingdom, world, rules):
        if not not_now(kingdom, improving.label, improving.word, world, rules):
            yield _improving(improving, {})


def _improving(improving: candidates.Improving, effect: Mapping[str, int]) -> Offer:
    order, costs = {"hex": improving.label, "build": improving.word}, _paid(improving.cost)
    return made("improve", order, improving.text(), costs=costs, uses={"terrain": 1}, effect=effect)


def _of_improvement(name: str, rules: Rules) -> dict[str, int]:
    kind = rules.improvements[name]
    old = rules.improvements.get(kind.upgrade_of)
    points: dict[str, int] = {
        account: getattr(kind.kingdom, account) - (getattr(old.kingdom, account) if old else 0)
        for account in ATTRIBUTES
    }
    points["consumption"] = kind.consumption - (old.consumption if old else 0)
    return {account: by for account, by in {**points, "unrest": kind.unrest}.items() if by}


def settlements(now: Course) -> Iterator[Offer]:
    """The hexes in which a settlement may be founded, under a name that is free."""
    kingdom, world = now.kingdom("settle"), now.world("settle")
    name, count = NEW_TOWN, 1
    while settlement_named(kingdom, name):
        count += 1
        name = f"{NEW_TOWN} {count}"
    effect = {"consumption": now.rules.consumption.per_district}
    for label in sorted(candidates.foundings(kingdom)):
        order: Settle = {"hex": label, "name": name}
        if not not_founded(kingdom, world.hexes, order, now.rules):
            yield made("settle", order, f"Found a settlement in {label}", uses={SETTLEMENTS: 1}, effect=effect)


# --- the settlements


def works(now: Course) -> Iterator[Offer]:
    """What may be built, upgraded, torn down, repaired and laid out in each settlement; without a place where any will do."""
    for town in sorted(now.kingdom("settle").settlements):
        site = now.site(town)
        if site is not None:
            plan = site.plan()
            yield from _buildings(site, plan)
            yield from _of_what_stands(site)
            yield from _work(
                site,
                {"in": town, "build": "district"},
                f"A further district of {town}",
                {"consumption": site.rules.consumption.per_district},
            )


def _buildings(site: Site, plan: Plan) -> Iterator[Offer]:
    """New buildings, and repairs of those that are damaged."""
    for building in candidates.damaged(site):
        text = f"Repair the {site.rules.buildings[building.id].name} in {site.name} at {building.lot}"
        yield from _work(site, {"in": site.name, "build": building.id, "lot": building.lot}, text, {})
    for kind in candidates.kinds(plan):
        record = site.rules.buildings[kind]
        text = f"{record.name} in {site.name}"
        if plan.lacks(kind):
            continue
        order: Build = {"in": site.name, "build": kind}
        effect = _of_building(record, {})
        offers = list(_work(site, order, text, effect))
        if not offers and _some_place_may_do(site, order):
            what = candidates.place_word(record.place)
            places = (
                cast("Build", {**order, what: place.lot}) for place in plan.places(kind) if not place.lot.isdigit()
            )
            offers = _first(site, places, text, effect)
        yield from offers


def _some_place_may_do(site: Site, order: Build) -> bool:
    """Whether the first place alone is what speaks against it: a wall behind it, or a price that is lower on rubble."""
    work = work_of(site, order)
    if isinstance(work, Work):
        return False
    return work.code == "wall_wants_gate" or work.code == "build_unaffordable" and bool(site.settlement.rubble)


def _of_what_stands(site: Site) -> Iterator[Offer]:
    """Upgrades and demolitions, of each kind the first that may be meant, and of those with another place by that."""
    rules = site.rules
    for kind in dict.fromkeys(building.id for building in site.settlement.buildings):
        record = rules.buildings[kind]
        gone = {account: -by for account, by in _of_building(record, {}).items()}
        yield from _work(site, {"in": site.name, "demolish": kind}, f"Demolish the {record.name} in {site.name}", gone)
        for new in record.upgrades_to:
            text = f"{record.name} in {site.name} becomes {rules.buildings[new].name}"
            order: Build = {"in": site.name, "upgrade": kind, "to": new}
            effect = _of_building(rules.buildings[new], gone)
            what = candidates.place_word(record.place)
            named = (
                cast("Build", {**order, what: building.lot})
                for building in site.settlement.buildings
                if building.id == kind
            )
            yield from _first(site, (order, *named), text, effect)


def _first(site: Site, orders: Iterable[Build], text: str, effect: Mapping[str, int]) -> list[Offer]:
    """An offer of the first of these orders that is carried out."""
    return next((offers for order in orders if (offers := list(_work(site, order, text, effect)))), [])


def _work(site: Site, order: Build, text: str, effect: Mapping[str, int]) -> Iterator[Offer]:
    work = work_of(site, order)
    if isinstance(work, Work):
        unrest = max(work.unrest, -site.kingdom.unrest)
        points = {account: by for account, by in {**effect, "unrest": unrest}.items() if by}
        uses = {work.limit: 1} if work.limit else {}
        yield made("build", order, text, costs=_paid(work.cost), uses=uses, effect=points)


def _of_building(record: BuildingKind, gone: Mapping[str, int]) -> dict[str, int]:
    """The points that a building of that kind gives, with what goes for it."""
    points = dict(gone)
    rows: list[tuple[str, int]] = [(account, getattr(record.kingdom, account)) for account in ATTRIBUTES]
    rows += [(account, getattr(record.settlement, word)) for word, account in SECONDARY.items()]
    for account, by in rows:
        points[account] = points.get(account, 0) + by
    return {account: by for account, by in points.items() if by}


def _paid(bp: int) -> dict[str, int]:
    return {"treasury": bp} if bp else {}


def _others(part: str, name: str, names: list[str]) -> tuple[str, ...]:
    return tuple(f"{part} {other}" for other in names if other != name)
