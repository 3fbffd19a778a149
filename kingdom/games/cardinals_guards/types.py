"""What a step of this game is handed: the engine's turn and result, with this game's state and rules."""

from __future__ import annotations

from typing import TypeAlias

from kingdom.engine import step
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.state import Table

Turn: TypeAlias = step.Turn[Table, Rules]
Result: TypeAlias = step.Result[Table]
Refused: TypeAlias = tuple[str, dict[str, str]]  # a code of the refusals, and the facts of its sentence
