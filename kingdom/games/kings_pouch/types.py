"""What a step of this game is handed: the engine's turn and result, with this game's state and rules."""

from __future__ import annotations

from typing import TypeAlias

from kingdom.engine import step
from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import Table
from kingdom.orders import kit

Turn: TypeAlias = step.Turn[Table, Rules]
Result: TypeAlias = step.Result[Table]
Now: TypeAlias = kit.Now[Table, Rules]
