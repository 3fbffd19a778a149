"""What a step of this game is handed: the engine's turn and result, with this game's state and rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from kingdom.engine import step
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import World

Turn: TypeAlias = step.Turn[World, Rules]
Result: TypeAlias = step.Result[World]
Answer: TypeAlias = str | Mapping[str, int]  # to a question: a word, or {word: figure}
# one order of a seat or of the GM in its long form, as orders/declaration.py declares it
Order: TypeAlias = Mapping[str, Any]
