"""The order form of a seat: plans of two actions to choose from, as plain data (kingdom/forms.py says how it is read).

It offers pairs of actions that are legal together as the table lies; abilities, and cards on two courtiers, are written.
"""

from __future__ import annotations

from itertools import product
from typing import Any, Iterable

from kingdom.games.royal_progress.bots import options
from kingdom.games.royal_progress.moving import ways
from kingdom.games.royal_progress.plans import trouble
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import DISCARD, Table, suit
from kingdom.games.royal_progress.steps import ALL, named
from kingdom.games.royal_progress.telling.asked import asked, waits

Offer = dict[str, Any]
LIST, ONE = "list", "one"  # how an order stands under its key: one of a list, all of it
TEXT = 4000  # characters of a message
KINDS = {"a": "Move", "b": "Lay", "c": "Take", "d": "Discard"}
PAIRS = (("b", "c"), ("a", "b"), ("a", "c"), ("c", "c"), ("b", "d"), ("c", "d"))  # that are legal together whichever are chosen
ABOUT = "What you choose first is tried first. Abilities, and one card on each of two courtiers, are written below."


def form_page(seen: Table, seat: str, rules: Rules) -> dict[str, Any]:
    """What the seat's order form offers for the turn after `seen`, which is what it knows."""
    wanted = asked(seen, seat, rules)
    sections = []
    if wanted and seen.phase == DISCARD:
        back: Offer = {"rank": 0, "key": "discard", "how": LIST, "takes": ["back"]}
        cards = [{**back, "id": f"back {card}", "value": card, "text": f"Give back {card}"} for card in sorted(set(seen.seats[seat].hand))]
        sections.append(_section("discard", wanted[0]["name"], wanted[0]["text"], [("", cards)]))
    elif wanted:
        parts = [("Two actions", _pairs(seen, seat, rules)), ("Two steps of one courtier", _two_steps(seen, seat, rules))]
        sections.append(_section("plans", wanted[0]["name"], f"{wanted[0]['text']} {ABOUT}", parts))
    sections.append(_letters(seen, seat))
    return {"notice": "" if wanted else waits(seen, seat, rules), "counters": [], "coin": "", "facts": [], "sections": sections, "places": {}}


def _section(id: str, title: str, about: str, parts: Iterable[tuple[str, list[Offer]]]) -> dict[str, Any]:
    return {"id": id, "title": title, "about": about, "parts": [{"title": name, "offers": offers} for name, offers in parts if offers]}


def single(seen: Table, seat: str, rules: Rules) -> dict[str, list[tuple[str, str]]]:
    """Kind -> (the short form, what it says) of each action that is legal now."""
    lays = [order for order in options.lays(seen, seat, rules) if "cards" in order]
    return {
        "a": [(f"A {order['courtier']} to {order['to']}", f"{order['courtier']} to {named(order['to'], rules)}") for order in options.moves(seen, rules)],
        "b": [(text, text[2:]) for order in lays for text in [f"B {order['courtier']} {' '.join(map(str, order['cards']))}"]],
        "c": [(f"C {name} any", f"{name}, or any") for name in sorted({suit(card) for card in seen.offer})],
        "d": [(f"D {order['courtier']}", order["courtier"]) for order in options.discards(seen, seat)],
    }


def _pairs(seen: Table, seat: str, rules: Rules) -> list[Offer]:
    of, found = single(seen, seat, rules), []
    for first, second in PAIRS:
        if of[first] and of[second]:
            fields = [_choice("first", KINDS[first], of[first]), _choice("second", KINDS[second] + (" then" if first == second else ""), of[second])]
            text = f"{KINDS[first]}, then {KINDS[second].lower()}"
            found.append(_plan(f"plan {first}{second}", [_slot("first"), _slot("second")], text, fields=fields))
    return found


def _two_steps(seen: Table, seat: str, rules: Rules) -> list[Offer]:
    """Both actions for one courtier, also through a full place."""
    found = []
    for name in seen.courtiers:
        for first, last in product(ways(seen, name, rules, full=True), rules.places):
            plan = [{"do": "a", "courtier": name, "to": place} for place in (first, last)]
            if last != seen.courtiers[name].place and trouble(seen, seat, {"actions": plan}, rules) is None:
                way = [f"A {name} to {place}" for place in (first, last)]
                found.append(_plan(f"steps {name} {first} {last}", way, f"{name} to {named(first, rules)} and {named(last, rules)}"))
    return found


def _plan(id: str, actions: list[str], text: str, **more: Any) -> Offer:
    return {"id": id, "rank": 1, "key": "plans", "how": LIST, "value": {"actions": actions}, "text": text, "takes": [id], **more}


def _choice(name: str, label: str, values: Iterable[tuple[str, str]]) -> dict[str, Any]:
    return {"name": name, "label": label, "kind": "choice", "options": [{"value": value, "text": text} for value, text in values]}


def _slot(name: str) -> str:
    """Where what is filled into a field comes to stand."""
    return f"\x01{name}\x01"


def _letters(seen: Table, seat: str) -> dict[str, Any]:
    to = [{"value": each, "text": each} for each in (ALL, *seen.seats) if each != seat]
    fields = [{"name": "to", "label": "To", "kind": "choice", "options": to}, {"name": "text", "label": "Text", "kind": "lines", "most": TEXT}]
    value = {"to": _slot("to"), "text": _slot("text")}
    last = {"id": "message", "rank": 2, "key": "messages", "how": LIST, "value": value, "text": "Write a message", "fields": fields}
    done = {"id": "final", "rank": 2, "key": "final", "how": ONE, "value": True, "text": "I am done", "takes": ["final"]}
    return _section("letters", "Messages", "", [("", [last, done])])
