"""How a hex is lost, whatever the reason: what stands in it stays without benefit, its settlement becomes a free city.

Rules: Losing Hexes. Rulings: abandon, hex_loss, wilderness, capital_lost.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from kingdom.games.realm.hexmap import distance
from kingdom.games.realm.state import FreeCity, Hex, Kingdom, World, replace, with_kingdoms
from kingdom.games.realm.steps.shared import book
from kingdom.games.realm.types import Turn

BRIDGE = "bridge"  # an improvement while the hex is held, a feature of the hex from then on (ruling roads)


class Loss(NamedTuple):
    """A hex that a kingdom loses. `cause` is the ledger's word, `detail` says it for a person."""

    seat: str
    label: str
    cause: str
    detail: str


def lose_hex(world: World, turn: Turn, seat: str, label: str, cause: str, detail: str) -> World:
    """The world without this hex in the kingdom's hands, booked under `cause`. The kingdom must hold it."""
    return lose_hexes(world, turn, [Loss(seat, label, cause, detail)])


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
        kingdoms[loss.seat] = kingdom
        book(turn, loss.seat, kingdom, hexes, loss.cause, loss.detail)
        tell_of_settlement(turn, loss.seat, before, kingdom, loss.label)
    return with_kingdoms(replace(world, hexes=hexes), kingdoms)


def let_go(kingdom: Kingdom, hex: Hex, label: str, successor: str = "") -> tuple[Kingdom, Hex]:
    """(kingdom, hex) as they are when the kingdom no longer holds the hex; nothing is booked.

    successor: the settlement that becomes the capital where the hex holds the capital; unnamed, by ruling capital_lost.
    """
    built = kingdom.hexes[label]
    if BRIDGE in built and BRIDGE not in hex.features:
        hex = replace(hex, features=(*hex.features, BRIDGE))
    hex = replace(hex, left=tuple(name for name in built if name != BRIDGE), wild=True)
    settlements, capital = kingdom.settlements, kingdom.capital
    name = settlement_in(kingdom, label)
    if name:
        hex = replace(hex, free_city=FreeCity(name, settlements[name]))
        settlements = {other: each for other, each in settlements.items() if other != name}
        if name == capital:
            capital = successor if successor in settlements else next_capital(replace(kingdom, settlements=settlements))
    kingdom = replace(
        kingdom,
        hexes={other: each for other, each in kingdom.hexes.items() if other != label},
        settlements=settlements,
        capital=capital,
        cut_off={other: count for other, count in kingdom.cut_off.items() if other != label},
    )
    if name:  # what was amiss in the settlement, or came of an event there, goes with it
        kingdom = replace(
            kingdom,
            modifiers=tuple(each for each in kingdom.modifiers if each.settlement != name),
            damaged={other: lots for other, lots in kingdom.damaged.items() if other != name},
            blocked={other: lots for other, lots in kingdom.blocked.items() if other != name},
        )
    return kingdom, hex


def out_of_play(kingdom: Kingdom) -> Kingdom:
    """The record of a kingdom that is destroyed or leaves: its armies and all that it had under way are gone with it."""
    return replace(
        kingdom, destroyed=True, pending=(), loses_hex=False, armies={}, commanders=(), captives={}, parties={}, expeditions={},
        routes={}, guests={}, events={}, plan=(),
    )  # fmt: skip


def tell_of_settlement(
    turn: Turn, seat: str, before: Kingdom, after: Kingdom, label: str, ruling: str = "capital_lost"
) -> None:
    """Tell the kingdom which settlement it lost with the hex, and which is the capital now."""
    name = settlement_in(before, label)
    if name:
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
    """The label of the capital's hex, "" where there is no capital."""
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
    """The `count` hexes that go first, one after another, where nobody chooses. Ruling: hex_loss.

    The farthest from the capital, then the one with the fewest improvements, then the highest label; the capital's
    last.
    """
    home = capital_hex(kingdom)

    def rank(label: str) -> tuple[int, int, int]:
        far = distance(home, label) if home else 0  # the capital's own is the nearest, so it goes last
        return -far, len(kingdom.hexes[label]), -int(label)

    return sorted(kingdom.hexes, key=rank)[:count]


def choose_hex_to_lose(kingdom: Kingdom, named: str = "") -> str:
    """The hex that goes: the one that is named where it may be lost, else that of ruling hex_loss; "" without a hex."""
    if may_be_named(kingdom, named):
        return named
    return next(iter(hexes_to_lose(kingdom, 1)), "")


def may_be_named(kingdom: Kingdom, label: str) -> bool:
    """Whether this hex may be named as the one to lose: held, and the capital's only when no other is left."""
    return label in kingdom.hexes and (len(kingdom.hexes) == 1 or label != capital_hex(kingdom))
