"""What players and the GM read: the report, the board; here, the page of the rules."""

from __future__ import annotations

from kingdom.engine.game import Facts
from kingdom.games.cardinals_guards.state import CHAMBERS, COINS, SUITS
from kingdom.games.kit.rules_page import rulebook as rulebook_of


def rulebook(rules: Facts, own: Facts) -> Facts:
    """What the kit's page shows; parts: of the points of a perfect game, and their sum."""
    scoring = rules["scoring"]
    parts = [CHAMBERS * len(SUITS) * scoring["chamber"], len(SUITS) * scoring["escaped"], len(COINS) * scoring["guard"]]
    return {**rulebook_of(rules, own), "parts": parts, "maximum": sum(parts)}
