"""The names of a campaign that orders may mean, for editors to offer: of what the seat knows, or of everything."""

from __future__ import annotations

from collections.abc import Mapping

from kingdom.games.realm.orders import ARMIES, HEXES, QUESTIONS, ROUTES, SETTLEMENTS
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import World


def offered(world: World, seat: str | None, rules: Rules) -> Mapping[str, list[str]]:
    """List -> its names. world: what the seat knows; of the GM, None, the whole one, with the names of all kingdoms."""
    own = [world.kingdoms[seat]] if seat else [kingdom for kingdom in world.kingdoms.values() if not kingdom.destroyed]
    return {
        HEXES: sorted(label for label, hex in world.hexes.items() if not rules.terrain[hex.terrain].unseen),
        SETTLEMENTS: [name for kingdom in own for name in kingdom.settlements],
        ARMIES: [name for kingdom in own for name in kingdom.armies],
        ROUTES: [key for kingdom in own for key in kingdom.routes],
        QUESTIONS: [pending.key for kingdom in own for pending in kingdom.pending],
    }
