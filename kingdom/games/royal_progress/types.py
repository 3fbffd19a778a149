"""The engine's and the order kit's types with this game's state and rules."""

from __future__ import annotations

from typing import TypeAlias

from kingdom.engine import step
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import Table
from kingdom.orders.kit import order

Turn: TypeAlias = step.Turn[Table, Rules]
Result: TypeAlias = step.Result[Table]
Now: TypeAlias = order.Now[Table, Rules]
