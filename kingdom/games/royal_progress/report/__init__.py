"""What players and the GM read: the report, the board; here, the page of the rules.

The prose stands in templates/royal_progress/rules.md, and takes its figures from the tables as a campaign plays them.
"""

from __future__ import annotations

import msgspec

from kingdom.engine.game import Facts
from kingdom.games.kit.rules_page import rulebook as rulebook_of
from kingdom.games.royal_progress.board import beside, distances
from kingdom.games.royal_progress.rules import HOUSE, Rules


def rulebook(rules: Facts, own: Facts) -> Facts:
    """What the kit's page shows; and courtiers, castles, places: rows of the house tables; house: the tables that are house data;
    turns: (players, most turns of a round)."""
    typed = msgspec.convert(rules, Rules)
    players = range(typed.box.least_players, typed.box.most_players + 1)
    return {
        **rulebook_of(rules, own),
        "courtiers": _courtiers(typed),
        "castles": [of.name for of in typed.places.values() if of.kind == "castle"],
        "places": _places(typed),
        "turns": [(count, count * (typed.track.end - count + typed.box.arrivals)) for count in players],
        "house": HOUSE,
    }


def _courtiers(rules: Rules) -> list[dict[str, object]]:
    castles = [place for place, of in rules.places.items() if of.kind == "castle"]
    return [
        {
            "name": name,
            "home": rules.places[of.home].name,
            "text": of.text,
            "steps": [distances(each, rules).get(of.home, "") for each in castles],
        }
        for name, of in rules.courtiers.items()
    ]


def _places(rules: Rules) -> list[dict[str, str]]:
    ways = beside(rules)
    return [
        {
            "name": of.name,
            "kind": of.kind,
            "room": str(of.capacity or "any number"),
            "roads": ", ".join(rules.places[each].name for each in ways.get(place, ())),
        }
        for place, of in sorted(rules.places.items())
    ]
