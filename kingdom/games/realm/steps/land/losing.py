"""How a hex is lost, whatever the reason, and secondary territory: the parts of a kingdom that no held hex joins to its capital.

What stands in a lost hex stays without benefit, its settlement becomes a free city. Rules: Losing Hexes.
Rulings: hex_loss, wilderness, capital_lost, secondary_territory.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from kingdom.games.realm.hexmap import distance, parts
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import FreeCity, Hex, Kingdom, World, replace, with_kingdoms
from kingdom.games.realm.steps.shared import book, each
from kingdom.games.realm.types import Turn

BRIDGE = "bridge"  # an improvement while the hex is held, a feature of the hex from then on (ruling roads)


class Loss(Struct, frozen=True):
    """A hex that a kingdom loses. `cause` is the ledger's word, `detail` says it for a person."""

    seat: str
    label: str
    cause: str
    detail: str


def lose_hexes(world: World, turn: Turn, losses: Iterable[Loss]) -> World:
    """The world after all these losses, one after another; the map is copied once."""
    losses = list(losses)
    if not losses:
        return world
    hexes = dict(world.hexes)
    kingdoms: dict[str, Kingdom] = {}
    for loss in losses:
        before = kingdoms.get(loss.seat) or world.kingdoms[loss.seat]
        kingdom, hexes[loss.label] = let_go(before, hexes[loss.label], loss.label)
        if turn.rules.conquest and turn.rules.conquest.retakes:
            kingdom = replace(kingdom, lost={**kingdom.lost, loss.label: turn.number})
        kingdoms[loss.seat] = kingdom
        book(turn, loss.seat, kingdom, hexes, loss.cause, loss.detail)
        tell_of_settlement(turn, loss.seat, before, kingdom, loss.label)
    return with_kingdoms(replace(world, hexes=hexes), kingdoms)


def let_go(kingdom: Kingdom, hex: Hex, label: str, successor: str = "") -> tuple[Kingdom, Hex]:
    """(kingdom, hex) as they are when the kingdom no longer holds the hex; nothing is booked.

    successor: the settlement that becomes the capital if the hex holds the capital; without it the ruling capital_lost decides.
    """
    built = kingdom.hexes[label]
    if BRIDGE in built and BRIDGE not in hex.features:
        hex = replace(hex, features=(*hex.features, BRIDGE))
    hex = replace(hex, left=tuple(name for name in built if name != BRIDGE), wild=True)
    settlements, capital = kingdom.settlements, kingdom.capital
    name = settlement_in(kingdom, label)
    if name:
        hex = replace(hex, free_city=FreeCity(name, replace(settlements[name], waiting=())))
        settlements = {other: each for other, each in settlements.items() if other != name}
        if name == capital:
            capital = successor if successor in settlements else next_capital(replace(kingdom, settlements=settlements))
    kingdom = replace(
        kingdom,
        hexes={other: each for other, each in kingdom.hexes.items() if other != label},
        settlements=settlements,
        capital=capital,
        cut_off={other: count for other, count in kingdom.cut_off.items() if other != label},
        lost={other: number for other, number in kingdom.lost.items() if other != label} if kingdom.lost else {},
    )
    if name:  # its damaged and blocked lots and its modifiers go with it
        kingdom = replace(
            kingdom,
            modifiers=tuple(each for each in kingdom.modifiers if each.settlement != name),
            damaged={other: lots for other, lots in kingdom.damaged.items() if other != name},
            blocked={other: lots for other, lots in kingdom.blocked.items() if other != name},
        )
    return kingdom, hex


def marked_anew(kingdom: Kingdom, rules: Rules) -> Kingdom:
    """The kingdom with `anew` kept up to date: true from the loss of all land until it has a hex and a settlement again.
    Ruling: no_hexes."""
    if kingdom.hexes and kingdom.settlements and (kingdom.anew or kingdom.given_up):
        return replace(kingdom, anew=False, given_up=())
    if rules.no_hexes.settle and not (kingdom.hexes or kingdom.founding or kingdom.anew or kingdom.destroyed):
        return replace(kingdom, anew=True)
    return kingdom


def out_of_play(kingdom: Kingdom) -> Kingdom:
    """The record of a kingdom that is destroyed or leaves, without armies, caravans, expeditions or anything else under way."""
    return replace(
        kingdom, destroyed=True, pending=(), loses_hex=False, armies={}, commanders=(), captives={}, parties={}, expeditions={},
        routes={}, guests={}, events={}, plan=(),
    )  # fmt: skip


def tell_of_settlement(
    turn: Turn, seat: str, before: Kingdom, after: Kingdom, label: str, ruling: str = "capital_lost"
) -> None:
    """Tell the kingdom which settlement it lost with the hex, and which settlement is the capital now."""
    if name := settlement_in(before, label):
        turn.tell(seat, "news", hex=label, text=f"{name} in {label} is a free city now.")
    if after.capital != before.capital:
        text = f"{after.capital} is the capital now" if after.capital else "There is no capital now"
        turn.tell(seat, "news", text=f"{text} (ruling {ruling}).")


def settlement_in(kingdom: Kingdom, label: str) -> str:
    """The name of the kingdom's settlement in that hex, "" where there is none."""
    for name, settlement in kingdom.settlements.items():
        if settlement.hex == label:
            return name
    return ""


def capital_hex(kingdom: Kingdom) -> str:
    """The label of the capital's hex, "" if there is no capital."""
    capital = kingdom.settlements.get(kingdom.capital)
    return capital.hex if capital else ""


def next_capital(kingdom: Kingdom) -> str:
    """The settlement with most districts, then most buildings, then first by name; "" with none.

    Ruling: capital_lost.
    """

    def rank(name: str) -> tuple[int, int, str]:
        settlement = kingdom.settlements[name]
        return -len(settlement.districts), -len(settlement.buildings), name

    return min(kingdom.settlements, key=rank, default="")


def hexes_to_lose(kingdom: Kingdom, count: int) -> list[str]:
    """The `count` hexes that are lost first if nobody chooses, in order. Ruling: hex_loss.

    The farthest from the capital, then the one with the fewest improvements, then the highest label; the capital's
    last.
    """
    home = capital_hex(kingdom)

    def rank(label: str) -> tuple[int, int, int]:
        far = distance(home, label) if home else 0  # the capital's own hex is the nearest, so it goes last
        return -far, len(kingdom.hexes[label]), -int(label)

    return sorted(kingdom.hexes, key=rank)[:count]


def choose_hex_to_lose(kingdom: Kingdom) -> str:
    """The hex that is lost if nobody chooses, by ruling hex_loss; "" without a hex."""
    return next(iter(hexes_to_lose(kingdom, 1)), "")


def may_be_named(kingdom: Kingdom, label: str) -> bool:
    """Whether the kingdom may name this hex to be lost: it holds the hex, and the capital's hex only if no other is left."""
    return label in kingdom.hexes and (len(kingdom.hexes) == 1 or label != capital_hex(kingdom))


# --- secondary territory ----------------------------------------------------------------------------------------------


CAUSES = {"secondary_territory": "a hex lost that was cut off from the capital for too long"}


def count_secondary_territories(world: World, turn: Turn) -> World:
    """Update the counts of cut-off hexes: a newly cut-off hex starts its count, a hex joined again loses it.

    Worked out after Edict step 2 and at the end of the turn.
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
    """The start of a turn: the count of each cut-off hex grows; a part whose highest count reaches the limit is lost."""
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
    """The held hexes outside the primary part. The primary part is the one with the capital, else the largest, then the one
    with the lowest label."""
    if len(kingdom.hexes) < 2:
        return set()
    found = parts(frozenset(kingdom.hexes))
    if len(found) == 1:
        return set()
    home = capital_hex(kingdom)
    primary = max(found, key=lambda part: (home in part, len(part)))  # the first of equals has the lowest label
    return set(kingdom.hexes) - primary


def extra_unrest(kingdom: Kingdom, label: str) -> int:
    """The points added to Unrest in a check about that hex: the highest count of its part, 0 if it is not cut off."""
    if label not in kingdom.cut_off:
        return 0
    part = next(part for part in parts(frozenset(kingdom.cut_off)) if label in part)
    return max(kingdom.cut_off[each] for each in part)
