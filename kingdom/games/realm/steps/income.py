"""Income phase: BP from taxes."""

from __future__ import annotations

from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import tax_bp
from kingdom.games.realm.state import Kingdom, World, replace
from kingdom.games.realm.steps.checks import Check, attempt
from kingdom.games.realm.steps.shared import book, each
from kingdom.games.realm.types import Turn

CAUSES = {
    "taxes": "what a successful Economy check pays",
    "works": "what mines, quarries and sawmills pay with a successful Economy check",
}


def taxes(world: World, turn: Turn) -> World:
    """An Economy check; success pays its total divided, and what mines, quarries and sawmills add. Ruling: income."""
    return each(world, turn, _taxes)


def taxes_of(check: Check, rules: Rules) -> int:
    """The BP of a successful check: its total divided, rounded down, never below 0."""
    return max(0, (check.total or 0) // rules.income.divisor)


def _taxes(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    if not kingdom.hexes:  # ruling no_hexes
        return kingdom
    check = attempt(turn, seat, kingdom, world.hexes, "economy", "economy")
    if not check.success:
        return kingdom
    bp = taxes_of(check, turn.rules)
    kingdom = replace(kingdom, treasury=kingdom.treasury + bp)
    decided = " (ruling income)" if check.total < check.dc else ""
    book(turn, seat, kingdom, world.hexes, "taxes", f"{check.total} divided by {turn.rules.income.divisor}{decided}")
    works = tax_bp(kingdom, world.hexes, turn.rules)
    if works:
        kingdom = replace(kingdom, treasury=kingdom.treasury + sum(bp for _, bp in works))
        detail = ", ".join(f"{what} {bp}" for what, bp in works)
        book(turn, seat, kingdom, world.hexes, "works", detail)
    return kingdom
