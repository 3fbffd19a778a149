"""Land taken from another kingdom: how its holder loses it, and whose it is then. Rulings: conquest, free_city."""

from __future__ import annotations

from typing import NamedTuple

from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Hex, Kingdom, World, replace, with_kingdoms
from kingdom.games.realm.steps.land.claims import ask_to_join
from kingdom.games.realm.steps.land.losing import Loss, lose_hexes
from kingdom.games.realm.steps.shared import book
from kingdom.games.realm.types import Turn

CAUSES = {"conquest": "a hex that an army took, lost by its holder and won by the kingdom of the army"}


class Fall(NamedTuple):
    """A hex that nobody defends any more; victor is the seat that it falls to, "" for none of several."""

    label: str
    holder: str
    victor: str


def conquer(world: World, turn: Turn, falls: list[Fall]) -> World:
    """Every hex that fell is lost by its holder; then what touches land of its victor is his, one after another."""
    if not falls:
        return world
    for label, holder, victor in falls:
        by = world.kingdoms[victor].name if victor else "armies of several kingdoms"
        turn.tell(holder, "news", hex=label, text=f"Lost: {label}, taken by {by} (ruling conquest).")
    said = "taken by an army (ruling conquest)"
    losses = [Loss(fall.holder, fall.label, "conquest", f"{fall.label}, {said}") for fall in falls]
    world = lose_hexes(world, turn, losses)
    hexes, changed = dict(world.hexes), {}
    won: dict[str, list[Fall]] = {}
    for fall in falls:
        won.setdefault(fall.victor, []).append(fall)
    won.pop("", None)
    for seat, own in won.items():
        changed[seat] = _gain(seat, world, own, hexes, turn)
    return with_kingdoms(replace(world, hexes=hexes), changed)


def _gain(seat: str, world: World, falls: list[Fall], hexes: dict[str, Hex], turn: Turn) -> Kingdom:
    """The victor with what he may hold of what fell to him; `hexes` is the step's own copy of the map."""
    kingdom, left = world.kingdoms[seat], list(falls)
    while joined := next((fall for fall in left if _may_hold(kingdom, fall.label, turn)), None):
        left.remove(joined)
        kingdom = _occupy(seat, kingdom, joined.label, world.kingdoms[joined.holder].name, hexes, turn)
    for fall in left:
        text = f"{fall.label} lies wild now: it touches no land of yours, so it is nobody's (ruling conquest)."
        turn.tell(seat, "news", hex=fall.label, text=text)
    return kingdom


def _may_hold(kingdom: Kingdom, label: str, turn: Turn) -> bool:
    """Whether a hex that fell becomes the kingdom's."""
    touches = any(near in kingdom.hexes for near in neighbours(label))
    return touches or not kingdom.hexes or not in_force(turn.rules.conquest).must_touch


def _occupy(seat: str, kingdom: Kingdom, label: str, holder: str, hexes: dict[str, Hex], turn: Turn) -> Kingdom:
    """The kingdom with the hex, what stands there and what it hides; its free city is asked to join."""
    hex = hexes[label]
    hexes[label] = replace(hex, left=(), wild=False)
    kingdom = replace(
        kingdom,
        hexes={**kingdom.hexes, label: hex.left},
        revealed=kingdom.revealed if label in kingdom.revealed else (*kingdom.revealed, label),
    )
    book(turn, seat, kingdom, hexes, "conquest", f"{label}, taken from {holder} (ruling conquest)")
    turn.tell(seat, "news", hex=label, text=f"Taken: {label}, from {holder} (ruling conquest).")
    return ask_to_join(seat, kingdom, label, hexes, turn) if hexes[label].free_city else kingdom
