"""The rolls of trade and smuggling: a die, an attribute and the sizes against what the other kingdom is.

Rulings: trade, smuggling.
"""

from __future__ import annotations

from typing import NamedTuple

from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.sheet import accounts
from kingdom.games.realm.state import World
from kingdom.games.realm.types import Turn


class Attempt(NamedTuple):
    """A roll term by term: total = die + value + by_size; margin = total - dc. bp: what it pays."""

    die: int
    value: int
    by_size: int
    total: int
    dc: int
    margin: int
    bp: int


def trade_by_size(size: int, other: int, rules: Rules) -> int:
    """What the sizes add to the roll of the first. Ruling: trade."""
    return abs(size - other) // in_force(rules.trade).size_per_point * (1 if size >= other else -1)


def trade_bp(margin: int, rules: Rules) -> int:
    """The BP by the margin of a roll, 0 where it failed. Ruling: trade."""
    return max(in_force(rules.trade).least, -(-margin // in_force(rules.trade).margin_per_bp)) if margin >= 0 else 0


def traded(seat: str, other: str, robbed: bool, world: World, turn: Turn) -> int:
    """What the seat's trade with the other comes to: its Opulence against the other's size. robbed: raiders take it."""
    made = _attempt(seat, other, "opulence", len(world.kingdoms[other].hexes), world, turn)
    if made is None:
        return 0
    name = world.kingdoms[other].name
    turn.tell(
        seat, "check", name=f"trade-{other}", attribute="opulence", die=made.die, value=made.value, unrest=0,
        bonus=made.by_size, by_size=made.by_size, total=made.total, dc=made.dc, success=made.margin >= 0, margin=made.margin,
    )  # fmt: skip
    did = f"{made.bp} BP, taken by raiders" if robbed and made.bp else f"{made.bp} BP" if made.bp else "nothing"
    turn.tell(seat, "trade", to=other, bp=made.bp, did=did, text=f"Trade with {name}: {did}.")
    return made.bp


def smuggled(seat: str, other: str, world: World, turn: Turn) -> int:
    """What smuggling comes to: Debauchery against the other's Vigilance, which the smuggler is not told."""
    vigilance = accounts(world.kingdoms[other], world.hexes, turn.rules)["vigilance"]
    made = _attempt(seat, other, "debauchery", vigilance, world, turn)
    if made is None:
        return 0
    rolled = f"{made.die} {made.value:+d} Debauchery{f' {made.by_size:+d} size' if made.by_size else ''} = {made.total}"
    what = f"{made.bp} BP" if made.margin >= 0 else "failed"
    text = f"Smuggling into {world.kingdoms[other].name}: {rolled}: {what} (ruling smuggling)."
    turn.tell(seat, "smuggling", to=other, bp=made.bp, success=made.margin >= 0, total=made.total, text=text)
    if -made.margin >= in_force(turn.rules.smuggling).told_by:
        text = f"Smugglers from {world.kingdoms[seat].name} were caught at the border (ruling smuggling)."
        turn.tell(other, "news", text=text)
    return made.bp


def _attempt(seat: str, other: str, attribute: str, dc: int, world: World, turn: Turn) -> Attempt | None:
    """The roll `trade-OTHER` of the seat; None where the turn is only foreseen."""
    rules: Rules = turn.rules
    kingdom = world.kingdoms[seat]
    die = turn.roll(seat, f"trade-{other}", in_force(rules.trade).die)
    if die is None:
        return None
    value = accounts(kingdom, world.hexes, rules)[attribute]
    by_size = trade_by_size(len(kingdom.hexes), len(world.kingdoms[other].hexes), rules)
    total = die + value + by_size
    return Attempt(die, value, by_size, total, dc, total - dc, trade_bp(total - dc, rules))
