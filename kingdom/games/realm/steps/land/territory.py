"""Secondary territory: the parts of a kingdom that no held hex joins to its capital. Ruling: secondary_territory."""

from __future__ import annotations

from kingdom.games.realm.hexmap import parts
from kingdom.games.realm.state import Kingdom, World, replace
from kingdom.games.realm.steps.land.losing import Loss, capital_hex, lose_hexes
from kingdom.games.realm.steps.shared import each
from kingdom.games.realm.types import Turn

CAUSES = {"secondary_territory": "a hex lost that was cut off from the capital for too long"}


def count_secondary_territories(world: World, turn: Turn) -> World:
    """Which hexes are cut off now: they begin to count or go on, and what is joined again counts 0.

    Reckoned after Edict step 2 and at the end of the turn.
    """
    return each(world, turn, _count)


def _count(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    cut_off = secondary_hexes(kingdom)
    if not cut_off and not kingdom.cut_off:
        return kingdom
    first = turn.rules.secondary_territory.first
    counts = {label: kingdom.cut_off.get(label, first) for label in sorted(cut_off)}
    if counts == kingdom.cut_off:
        return kingdom
    newly, joined = sorted(cut_off - set(kingdom.cut_off)), sorted(set(kingdom.cut_off) - cut_off)
    if newly:
        text = f"Cut off from the capital: {', '.join(newly)} (ruling secondary_territory)."
        turn.tell(seat, "news", text=text)
    if joined:
        turn.tell(seat, "news", text=f"No longer cut off: {', '.join(joined)} (ruling secondary_territory).")
    return replace(kingdom, cut_off=counts)


def grow_secondary_territories(world: World, turn: Turn) -> World:
    """The start of a turn: each hex that is cut off counts more; a part whose highest count is at the limit is lost."""
    return lose_parts(each(world, turn, _grow), turn)


def _grow(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    growth = turn.rules.secondary_territory.growth
    if not kingdom.cut_off:
        return kingdom
    return replace(kingdom, cut_off={label: count + growth for label, count in kingdom.cut_off.items()})


def lose_parts(world: World, turn: Turn) -> World:
    """The world without the parts that were cut off for too long."""
    limit = turn.rules.secondary_territory.lost_at
    losses = [
        Loss(seat, label, "secondary_territory", f"{label}, cut off from the capital (ruling secondary_territory)")
        for seat, kingdom in world.kingdoms.items()
        if kingdom.cut_off and not kingdom.destroyed
        for part in parts(frozenset(kingdom.cut_off))
        if max(kingdom.cut_off[label] for label in part) >= limit
        for label in sorted(part)
    ]
    for loss in losses:
        turn.tell(loss.seat, "news", hex=loss.label, text=f"Lost: {loss.detail}.")
    return lose_hexes(world, turn, losses)


def secondary_hexes(kingdom: Kingdom) -> set[str]:
    """The held hexes that are not joined to the primary part: that with the capital, without one the largest, then
    that with the lowest label."""
    if len(kingdom.hexes) < 2:
        return set()
    found = parts(frozenset(kingdom.hexes))
    if len(found) == 1:
        return set()
    home = capital_hex(kingdom)
    primary = max(found, key=lambda part: (home in part, len(part)))  # the first of equals has the lowest label
    return set(kingdom.hexes) - primary


def extra_unrest(kingdom: Kingdom, label: str) -> int:
    """What is added to Unrest in a check about that hex: the highest count of its part, 0 where it is not cut off."""
    if label not in kingdom.cut_off:
        return 0
    part = next(part for part in parts(frozenset(kingdom.cut_off)) if label in part)
    return max(kingdom.cut_off[each] for each in part)
