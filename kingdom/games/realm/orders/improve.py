"""The order `improve`: what is built in a hex of the kingdom, or on a trade route of its own. Edict step 3.

What a hex allows, and its prices: steps/land/improvements.py. Rulings: improvements_sharing, bridge, roads, prepare, caps_at_start,
affordable, patrol.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, TypedDict

from kingdom.engine.names import words
from kingdom.engine.refusal import Refusal
from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.orders.claim import CLAIM
from kingdom.games.realm.orders.kind import KEPT, PIERS, Each, Now, each_alone, held, in_points, paid
from kingdom.games.realm.orders.words import IMPROVEMENT, a_hex
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.sheet import limits
from kingdom.games.realm.state import Kingdom, World, replace, with_kingdoms
from kingdom.games.realm.steps.land.improvements import (
    FARM,
    PREPARE,
    PREPARED,
    improvement_problem,
    needs_bridge,
    possible,
    price,
    standing_name,
)
from kingdom.games.realm.steps.land.losing import BRIDGE
from kingdom.games.realm.steps.shared import affordable, book, with_unrest
from kingdom.games.realm.steps.trade.routes import routes_with
from kingdom.games.realm.steps.trade.towers import TOWER, is_for_route, settle_towers, tower_problem, with_tower
from kingdom.games.realm.types import Turn
from kingdom.orders import kit
from kingdom.orders.kit import Candidate
from kingdom.orders.schema import ListOf


class Improvement(TypedDict):
    """An improvement of a hex."""

    hex: Annotated[str, a_hex("the hex")]
    build: Annotated[str, IMPROVEMENT]


class ImprovementRow(TypedDict):
    """An improvement that may be built: its hex, its word in orders, its name, its price."""

    hex: str
    order: str
    name: str
    price: int


class Improve(Each[Improvement]):
    """`improve: farm 0404, prepare 0405`."""

    key, name, step, section, part = "improve", "improvements", "terrain_improvements", "land", "Improve"
    once, often = True, 80
    shape = ListOf(
        "the improvements", kit.record(Improvement, "an improvement", ("{build}[ at][ in] {hex}",)), short="commas"
    )
    causes = {"improve": "a terrain improvement completed", "prepare": "a hex prepared for a settlement"}
    refusals = {
        "improve_cap": "This turn's limit of terrain improvements is used up; it is {most} at size {size} "
        "(ruling caps_at_start). Build it next turn.",
        "improve_cost": "{improvement} in {hex} costs {cost} BP and the treasury holds {treasury} (ruling affordable); "
        "keep {cost} BP for it.",
    }

    def candidates(self, now: Now) -> Iterator[Candidate]:
        kingdom = now.state.kingdoms[now.seat]
        if kingdom.used.get("terrain", 0) >= limits(kingdom, now.rules).terrain:
            return
        for label in sorted(kingdom.hexes):
            for word, cost in possible(kingdom, label, now.state, now.rules):
                if affordable(kingdom, cost):
                    yield self.candidate(label, word, cost, now.rules)._replace(checked=True)
        for label, cost in _towers(kingdom, now.state, now.rules):
            if affordable(kingdom, cost):
                yield self.on_route(label, cost, now.rules)._replace(checked=True)

    def on_page(self, now: Now) -> Iterator[Candidate]:
        """Yield those too of hexes that may be claimed before. Which of a hex go together is found by trying."""
        for label, kingdom in _grounds(now):
            here = dict(possible(kingdom, label, now.state, now.rules))
            apart = _apart(here, label, kingdom, now)
            beside = [near for near in neighbours(label) if kingdom.hexes.get(near)]
            for word, cost in here.items():
                kind = now.rules.improvements[standing_name(word)]
                yield self.candidate(label, word, cost, now.rules)._replace(
                    # a farm may need what its kingdom has beside it: none of that may be let go
                    needs=[[held(each)] for each in (label, *(beside if word == FARM else ()))],
                    gives=[f"prepared {label}"] if word == PREPARE else [], ends=[KEPT] if kind.upgrade_of else [],
                    least={"size": kind.min_size} if kind.min_size else {},
                    against=[f"improve {label} {other}" for other in here if other in apart[word]],
                )  # fmt: skip
        for label, cost in _towers(now.state.kingdoms[now.seat], now.state, now.rules):
            yield self.on_route(label, cost, now.rules)._replace(against=[f"claim {label}"], needs=[[PIERS], [KEPT]])

    def candidate(self, label: str, word: str, cost: int, rules: Rules) -> Candidate:
        """Return the improvement of a hex, whatever speaks against it."""
        name = standing_name(word)
        text = f"Prepare {label} for a settlement" if word == PREPARE else f"{words(word).capitalize()} in {label}"
        return Candidate(
            f"improve {label} {word}", Improvement(hex=label, build=word), text, more=does(name, rules), at=label, costs=paid(cost),
            limits={"terrain": 1}, effect=points_of(name, rules), uses={f"improve {label} {word}": 1},
        )  # fmt: skip

    def on_route(self, label: str, cost: int, rules: Rules) -> Candidate:
        """Return the watchtower on a trade route, beyond the kingdom's land."""
        text = f"{words(TOWER).capitalize()} on the route in {label}"
        return self.candidate(label, TOWER, cost, rules)._replace(id=f"tower {label}", text=text, effect={})

    def objection(self, now: Now, order: Improvement) -> kit.Objection:
        kingdom, label, name = now.state.kingdoms[now.seat], order["hex"], standing_name(order["build"])
        if refusal := improvement_problem(kingdom, label, name, now.state, now.rules):
            return refusal
        most = limits(kingdom, now.rules).terrain
        if kingdom.used.get("terrain", 0) >= most:
            return Refusal("improve_cap", {"most": most, "size": kingdom.edict_size})
        cost, named = price(kingdom, label, name, now.state, now.rules) or 0, now.rules.improvements[name].name
        if not affordable(kingdom, cost):
            facts = {"improvement": named, "hex": label, "cost": cost, "treasury": kingdom.treasury}
            return Refusal("improve_cost", facts)
        return None

    def carry_out(self, now: Now, order: Improvement, turn: Turn) -> World:
        """Return the world with the improvement, booked; one that is an upgrade takes the place of the old one."""
        kingdom, world, rules, label = now.state.kingdoms[now.seat], now.state, turn.rules, order["hex"]
        name = standing_name(order["build"])
        if is_for_route(kingdom, label, name, world):
            return with_kingdoms(world, {now.seat: with_tower(now.seat, kingdom, label, world, turn)})
        built, improvement = kingdom.hexes[label], rules.improvements[name]
        detail = f"{improvement.name.lower()} in {label}"
        cost, bridge = price(kingdom, label, name, world, rules), needs_bridge(kingdom, label, name, world, rules)
        if improvement.upgrade_of in built:
            built = tuple(name if other == improvement.upgrade_of else other for other in built)
            detail += f", made of the {rules.improvements[improvement.upgrade_of].name.lower()}"
        else:
            built = (*built, name)
        if bridge:
            built, detail = (*built, BRIDGE), f"{detail}, with a bridge (ruling roads)"
        kingdom = replace(
            kingdom,
            treasury=kingdom.treasury - (cost or 0),
            hexes={**kingdom.hexes, label: built},
            used={**kingdom.used, "terrain": kingdom.used.get("terrain", 0) + 1},
        )
        kingdom = with_unrest(kingdom, improvement.unrest, turn.number, rules)
        book(turn, now.seat, kingdom, world.hexes, "prepare" if name == PREPARED else "improve", detail)
        return with_kingdoms(world, {now.seat: kingdom})

    def rows(self, now: Now) -> Iterator[ImprovementRow]:
        """Yield for a report the improvements that may be built in held hexes."""
        for candidate in self.candidates(now):
            label, word = candidate.order["hex"], candidate.order["build"]
            if label in now.state.kingdoms[now.seat].hexes:
                yield {"hex": label, "order": word, "name": words(word), "price": candidate.costs.get("treasury", 0)}


IMPROVE = Improve()


def terrain_improvements(world: World, turn: Turn) -> World:
    """Edict step 3: each improvement in the order listed, paid, counted against the limit, and at once of use; before them,
    what becomes of watchtowers on routes where hexes were claimed."""
    return each_alone(IMPROVE, settle_towers(world, turn), turn)


def preparable(now: Now) -> list[str]:
    """The hexes, held or to be claimed before, that may be prepared for a settlement."""
    return [label for label, kingdom in _grounds(now) if possible(kingdom, label, now.state, now.rules, (PREPARE,))]


def _grounds(now: Now) -> Iterator[tuple[str, Kingdom]]:
    """(hex, the kingdom that holds it) of each hex that it holds, or may claim before it improves."""
    own, world = now.state.kingdoms[now.seat], now.state
    yield from ((label, own) for label in sorted(own.hexes))
    for label in (claim.at for claim in CLAIM.on_page(now) if claim.at not in own.hexes):
        hexes = {**own.hexes, label: world.hexes[label].left}
        yield label, replace(own, hexes=hexes, revealed=(*own.revealed, label))


# --- what an improvement does, and what goes together -----------------------------------------------------------------


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
    said = [in_points(points_of(name, rules))]
    said += [f"{kind.tax_bp} BP with the taxes"] if kind.tax_bp else []
    if kind.is_road and not kind.upgrade_of:
        said += [f"{in_points({row.attribute: 1})} for every {row.every}" for row in rules.roads.per_hexes]
    return ", ".join(filter(None, said))


def _towers(kingdom: Kingdom, world: World, rules: Rules) -> Iterator[tuple[str, int]]:
    """(hex, BP) of watchtowers on the kingdom's own open routes, in hexes that nobody holds, but for routes of a pair that has several:
    the start of the turn ends all but one."""
    sure = [each for each in kingdom.routes.values() if not (rules.one_route and routes_with(each.to, kingdom) > 1)]
    for label in sorted({label for route in sure for label in route.path if label in world.hexes}):
        if is_for_route(kingdom, label, TOWER, world) and not tower_problem(kingdom, label, world, rules):
            yield label, price(kingdom, label, TOWER, world, rules) or 0


def _apart(here: dict[str, int], label: str, kingdom: Kingdom, now: Now) -> dict[str, set[str]]:
    """Each improvement of a hex, `here` with their prices -> those that do not go together with it, in either order and for
    the same prices."""
    apart: dict[str, set[str]] = {word: set() for word in here}
    for word in here:
        asked = {other for other in here if other != word and other not in apart[word]}
        if not asked:
            continue
        name = standing_name(word)
        kind = now.rules.improvements[name]
        after = tuple(built for built in kingdom.hexes[label] if built != kind.upgrade_of) + (name,)
        changed = replace(kingdom, hexes={**kingdom.hexes, label: after})
        then = dict(possible(changed, label, with_kingdoms(now.state, {now.seat: changed}), now.rules, asked))
        for other in asked:
            if then.get(other) != here[other]:
                apart[word].add(other)
                apart[other].add(word)
    return apart
