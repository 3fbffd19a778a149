"""What the order form's page has besides the orders: what it counts, the facts that hold, the island to press on."""

from __future__ import annotations

from typing import Any

from kingdom.games.kings_pouch.orders import PLACE
from kingdom.games.kings_pouch.orders.counting import counters, facts
from kingdom.games.kings_pouch.report.board import picture, whose
from kingdom.games.kings_pouch.rules import Rules, board_for
from kingdom.games.kings_pouch.state import Now, Table
from kingdom.games.kings_pouch.steps import said
from kingdom.games.kings_pouch.steps.land import army_for, castles, land, owner_of
from kingdom.games.kings_pouch.steps.rounds import SET_UP, due
from kingdom.orders import kit


def _begun(seen: Table, seat: str, rules: Rules) -> Table:
    """The table when the seat's turn has begun; as it is before round 1, and for whose turn it is not."""
    playing = seen.round != SET_UP and seat in due(seen, rules)
    return PLACE.begun(Now(seen, seat, rules), {}).state if playing else seen


def limits(seen: Table, seat: str, rules: Rules) -> dict[str, int | kit.Counter]:
    """What the page counts."""
    return counters(_begun(seen, seat, rules), seat, rules)


def page(seen: Table, seat: str, rules: Rules) -> dict[str, Any]:
    """The facts that hold when the seat's turn has begun, and the island with each territory in words."""
    key, done = ("castle", "chosen") if seen.round == SET_UP else ("manage", "ordered")
    return {
        "facts": facts(_begun(seen, seat, rules), seat, rules),
        "picture": picture(seen, rules, pressed=True),
        "places": {said(place): _in_words(seen, seat, place, rules) for place in land(rules, len(seen.seats))},
        "board": {"thing": "territory", "key": key, "done": done, "open": "may be occupied", "small": True},
    }


def _in_words(seen: Table, seat: str, place: str, rules: Rules) -> str:
    """A territory, with the army that it takes as things stand."""
    castle, board = seen.seats[seat].castle, board_for(rules, len(seen.seats))
    words = [*(["the palace"] if place == rules.map.palace else []), whose(seen, place, "empty")]
    if seen.round == SET_UP and board and place in board.castles and place not in castles(seen):
        words.append("a castle may stand here")
    elif castle and owner_of(seen, place) != seat:
        words.append(f"{army_for(seen, seat, place, rules)} army")
    return ", ".join(words)
