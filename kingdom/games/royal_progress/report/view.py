"""What the reports show beside what those of all games do: the courtiers, the cards on the table, what is possible now; the page of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from kingdom.engine.step import Facts
from kingdom.games.kit.rules_page import rulebook as rulebook_of
from kingdom.games.royal_progress.board import beside, distances
from kingdom.games.royal_progress.report.board import row_of
from kingdom.games.royal_progress.rules import HOUSE, Rules
from kingdom.games.royal_progress.state import DISCARD, UNKNOWN, Result, Table, figure, suit
from kingdom.games.royal_progress.steps import accounts, at_castle, due, named
from kingdom.games.royal_progress.steps.actions import two_may_be_taken
from kingdom.games.royal_progress.steps.moving import ways


def also(result: Result, table: Table, seat: str, rules: Rules) -> dict[str, Any]:
    """The courtiers, the offer and gifts, and what is possible now."""
    return {
        "choices": _choices(table, seat, rules) if seat else [],
        "courtiers": [
            {**row_of(table, name, rules), "text": rules.courtiers[name].text, "own": courtier.control == seat != ""}
            for name, courtier in table.courtiers.items()
        ],
        "offer": list(table.offer),
        "pairs": [" + ".join(pair) for pair in table.pairs],
        "singles": list(table.singles),
        "deck": len(table.deck),
        "discards": list(table.discards),
        "abilities": rules.abilities.used,
    }


def figures(table: Table, seat: str, rules: Rules) -> dict[str, object]:
    """What stands in a player's row. Behind each type of gift the crowns on its cards."""
    of, counted = table.seats[seat], accounts(table, seat, rules)
    unseen = of.hand.count(UNKNOWN)
    cards = [card for card in of.hand if card != UNKNOWN] + ([f"{unseen} unseen"] if unseen else [])
    return {
        "Points": of.points,
        "Controls": counted["control"],
        "King card": "yes" if counted["king_card"] else "",
        "Gifts": _presents(of.gifts, rules) or "none",
        "Hand": ", ".join(cards) or "none",
    }


def _presents(gifts: Iterable[str], rules: Rules) -> str:
    """Gifts by their types, of each card its crowns: "castles 1, 3; land 2"."""
    crowns = {kind: [str(figure(gift)) for gift in gifts if suit(gift) == kind] for kind in rules.gifts.types}
    return "; ".join(f"{kind} {', '.join(each)}" for kind, each in crowns.items() if each)


def _choices(table: Table, seat: str, rules: Rules) -> list[dict[str, str]]:
    """What is possible now, as the table lies: name and text of each action."""
    if table.phase == DISCARD or seat not in due(table, rules):
        return []
    steps = [
        f"{name} to {' or '.join(named(place, rules) for place in to)}"
        for name in table.courtiers
        if (to := ways(table, name, rules))
    ]
    mine = [name for name, courtier in table.courtiers.items() if seat in courtier.piles]
    offer = ", ".join(table.offer) or "no card"
    two = ", two of them, for none shows a symbol" if two_may_be_taken(table, rules) else ", one of them"
    fresh = [name for name, courtier in table.courtiers.items() if courtier.control == seat and not courtier.used]
    found = [
        {"name": f"A: move, to {at_castle(table, rules)}", "text": "; ".join(steps) or "nobody can move"},
        {"name": "B: lay", "text": ", ".join(table.seats[seat].hand) or "your hand is empty"},
        {"name": "C: take", "text": f"{offer}{two}" if table.offer else offer},
        {"name": "D: discard", "text": ", ".join(mine) or "you have no open card"},
    ]
    if rules.abilities.used:
        told = " ".join(f"{name}: {rules.courtiers[name].text}" for name in fresh)
        found.append({"name": "Ability (house data)", "text": told or "you control nobody whose ability is free"})
    return found


def first(table: Table, seat: str, rules: Rules) -> Iterator[tuple[str, str, str, str]]:
    """The seat's own lines of the first screen: hand, points, whom it controls."""
    of = table.seats[seat]
    yield "In hand", ", ".join(of.hand) or "no card", "players", ""
    yield "Points", str(of.points), "players", ""
    controlled = ", ".join(name for name, courtier in table.courtiers.items() if courtier.control == seat)
    yield "You control", controlled or "nobody", "courtiers", ""


# --- the page of the rules: its prose, in templates/royal_progress/rules.md, takes its figures from the tables as a campaign plays them


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
