"""What a player may order, an order a class."""

from __future__ import annotations

from kingdom.games.royal_progress.orders.discard import Discard
from kingdom.games.royal_progress.orders.plans import Plans
from kingdom.games.royal_progress.orders.standing import Preferences

GIVE_BACK, PLANS, STANDING = Discard(), Plans(), Preferences()
