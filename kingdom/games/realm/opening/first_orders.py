"""Three sets of orders for a newcomer's first turn, each sensible as things stand and none of them refused."""

from __future__ import annotations

from collections.abc import Iterator

from kingdom.games.realm.offers.course import before_orders
from kingdom.games.realm.offers.land import improvements_of
from kingdom.games.realm.offers.offers import Options, may_do
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import accounts
from kingdom.games.realm.state import Kingdom, World, replace
from kingdom.games.realm.visibility.known import known

IMPROVEMENTS = (
    "farm",
    "sawmill",
    "quarry",
    "mine",
    "fishery",
)  # those that pay for themselves, the first that may be built


def first_orders(world: World, seat: str, rules: Rules) -> dict[str, str]:
    """What it is good for -> the orders, short forms without their head. Sets that can't be paid or given are left out.

    Each leaves in the treasury what the kingdom consumes in the turn. From what the seat knows alone.
    """
    seen = known(world, seat, rules)
    offers = may_do(seen, before_orders(seen, seat, rules), seat, rules)
    if not offers:
        return {}
    kingdom = world.kingdoms[seat]
    purse = offers["treasury"] - accounts(kingdom, world.hexes, rules)["consumption"]
    grown = dict(_grown(seen, seat, offers, purse, rules))
    built = list(_built(offers, purse - sum(grown.values()), rules))  # so that all can be sent
    sets = {"Grow: claim land, and make use of what you hold": list(grown), "Build: work in your towns brings money each turn": built,
            "Save: raise the taxes a little and spend nothing": list(_saved(kingdom, rules))}  # fmt: skip
    return {name: "\n".join(lines) + "\n" for name, lines in sets.items() if lines}


def _grown(seen: World, seat: str, offers: Options, purse: int, rules: Rules) -> Iterator[tuple[str, int]]:
    """(order, BP) of a claim, the first whose land can be worked at once, and an improvement there; else in a hex that is held."""
    kingdom = seen.kingdoms[seat]
    claims = [row for row in offers["claimable"] if row["price"] <= purse]
    for row in claims:
        label = row["hex"]
        with_it = replace(kingdom, hexes={**kingdom.hexes, label: ()})
        world = replace(seen, kingdoms={**seen.kingdoms, seat: with_it})
        word, cost = _worked(with_it, label, world, purse - row["price"], rules)
        if word:
            yield f"claim: {label}", row["price"]
            yield f"improve: {word} {label}", cost
            return
    for row in claims[:1]:
        purse -= row["price"]
        yield f"claim: {row['hex']}", row["price"]
    for label in sorted(kingdom.hexes):
        word, cost = _worked(kingdom, label, seen, purse, rules)
        if word:
            yield f"improve: {word} {label}", cost
            return


def _worked(kingdom: Kingdom, label: str, world: World, purse: int, rules: Rules) -> tuple[str, int]:
    """(the first of IMPROVEMENTS that can be built and paid there, its BP), ("", 0) for none."""
    prices = {improving.word: improving.cost for improving in improvements_of(kingdom, label, world, rules)}
    return next(((word, prices[word]) for word in IMPROVEMENTS if word in prices and prices[word] <= purse), ("", 0))


def _built(offers: Options, purse: int, rules: Rules) -> Iterator[str]:
    """The building that adds most to Economy for what is there, of two alike the cheaper one."""
    found = [
        (-rules.buildings[kind["order"]].kingdom.economy, row["price"], kind["order"], town["name"])
        for town in offers["towns"]
        for row in (*town["buildings"], *offers["everywhere"])
        for kind in row["kinds"]
        if row["price"] <= purse and rules.buildings[kind["order"]].kingdom.economy > 0
    ]
    for _, _, building, town in sorted(found)[:1]:
        yield f"build: {building} in {town}"


def _saved(kingdom: Kingdom, rules: Rules) -> Iterator[str]:
    """The next level of the taxes."""
    levels = list(rules.edicts.taxation)
    at = levels.index(kingdom.taxation)
    if 2 * (at + 1) < len(levels):  # the higher half costs more loyalty than it brings
        yield f"taxation: {levels[at + 1]}"
