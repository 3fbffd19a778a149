"""What a seat may know: everything on the table and in every pouch; of the piles how many cards, and those of which era."""

from __future__ import annotations

from typing import Any

from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import KINDS, Citizens, Lord, Table, is_over, replace
from kingdom.games.kings_pouch.steps import accounts
from kingdom.games.kings_pouch.steps.land import land
from kingdom.games.kings_pouch.steps.rounds import building_prestige, connected_markers, due
from kingdom.games.kit.memo import Memo

_COVERED: Memo[dict[str, tuple[str, ...]]] = Memo(100)  # the piles are the same for all seats


def known(table: Table, seat: str, rules: Rules) -> Table:
    """The table as the seat knows it: which cards are in a pile follows from those that are not, their order is hidden."""
    if is_over(table):
        return table
    return replace(table, decks=_covered(table.decks, rules))


def _covered(decks: dict[str, tuple[str, ...]], rules: Rules) -> dict[str, tuple[str, ...]]:
    """The piles with their cards in the order of the table of cards."""
    key = id(decks), id(rules)
    covered: dict[str, tuple[str, ...]] | None = _COVERED.get(key)
    if covered is None:
        at = {card: (rule.era, number) for number, (card, rule) in enumerate(rules.buildings.items())}
        covered = {name: tuple(sorted(cards, key=at.__getitem__)) for name, cards in decks.items()}
        _COVERED.put(key, (decks, rules), covered)
    return covered


def citizens(area: Citizens) -> dict[str, int]:
    """The citizens of an area as plain data."""
    return {kind: getattr(area, kind) for kind in KINDS}


def sheet(table: Table, seat: str, rules: Rules) -> dict[str, Any]:
    """What `kingdom show --json` prints."""
    return {
        "kingdom": seat,
        "turn": table.turn,
        "name": table.lords[seat].name,
        **accounts(table, seat, rules),
        "round": table.round,
        "order": list(table.order),
        "deciding": list(due(table, rules)),
        "pool": citizens(table.pool),
        "display": list(table.display),
        "piles": {name: len(cards) for name, cards in table.decks.items()},
        "board": _board(table, table.lords[seat]),
        "connected_markers": connected_markers(table, seat, rules),
        "printed_prestige": building_prestige(table, seat, rules),
        "territories_in_use": list(land(rules, len(table.lords))),
        "territory_markers": {
            place: {"owner": marked.owner, "markers": marked.markers} for place, marked in table.territories.items()
        },
        "characters_in_game": list(table.characters),
        "character_markers": {
            who: {"owner": marked.owner, "markers": marked.markers} for who, marked in table.claimed.items()
        },
        "kingdoms": {
            other: {"name": lord.name, **accounts(table, other, rules), "board": _board(table, lord)}
            for other, lord in table.lords.items()
            if other != seat
        },
    }


def _board(table: Table, lord: Lord) -> dict[str, Any]:
    """A player's board: nothing of it is hidden."""
    return {
        "castle": lord.castle,
        "active": citizens(lord.active),
        "rest": citizens(lord.rest),
        "pouch": citizens(lord.pouch),
        "buildings": list(lord.buildings),
        "under_construction": lord.site,
    }
