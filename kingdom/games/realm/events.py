"""Events: what was announced takes effect in the Event phase; what comes next turn is rolled when the turn closes.

Rulings: events, event_timing, event_lasting, event_answers, event_substitutes, leader_events, slavers.
"""

from __future__ import annotations

from kingdom.games.realm.state import World
from kingdom.turn import Turn

CAUSES: dict[str, str] = {}
REFUSALS: dict[str, str] = {}


def events(world: World, turn: Turn) -> World:
    """The Event phase proper: every event that was announced or goes on acts, with what was answered."""
    return world


def roll_events(world: World, turn: Turn) -> World:
    """The close of a turn: the events of the next one are rolled and announced."""
    return world
