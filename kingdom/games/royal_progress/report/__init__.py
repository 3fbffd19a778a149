"""What players and the GM read: the report, the board, the form as text; here, the page of the rules.

The page shows the house map and courtiers, and each ruling with its figures and how a campaign changes it, drawn from the
tables' own data; the prose around it stands in templates/royal_progress/rules.md, and takes its figures from here too.
"""

from __future__ import annotations

import msgspec

from kingdom.engine.game import Facts
from kingdom.games.kit.rules_page import changed, ruling
from kingdom.games.royal_progress.board import beside, distances
from kingdom.games.royal_progress.rules import HOUSE, TABLES, Rules

PACE = "pace"  # the one ruling that is a word


def rulebook(rules: Facts, own: Facts) -> dict[str, object]:
    """All that the page of the rules shows. rules: the tables as played, as plain data; own: the game's own tables.

    figures: table or ruling -> its data, for the prose. rulings: name, text, figures, the line of campaign.yaml that sets
    them. courtiers, places: rows of the house tables. turns: (players, most turns of a round) that a round can take.
    changed: tables and rulings that are not the game's own. house: the tables that are house data.
    """
    rulings = [ruling(name, rules[name], own[name]) for name in rules if name not in (*TABLES, PACE)]
    tables = [name for name in (*TABLES, PACE) if rules[name] != own[name]]
    typed = msgspec.convert(rules, Rules)
    players = range(typed.box.least_players, typed.box.most_players + 1)
    return {
        "figures": rules,
        "pace": rules[PACE],
        "paces": [{"name": name, "text": pace["text"]} for name, pace in rules["paces"].items()],
        "rulings": rulings,
        "courtiers": _courtiers(typed),
        "castles": [of.name for of in typed.places.values() if of.kind == "castle"],
        "places": _places(typed),
        "turns": [(count, count * (typed.track.end - count + typed.box.arrivals)) for count in players],
        "house": HOUSE,
        "changed": tables + changed(rulings),
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
