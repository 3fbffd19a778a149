"""The order form of a seat: what may be chosen for its next turn, as plain data (kingdom/render/order_form.py says how it is read)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from kingdom.games.royal_progress.offers.fields import LIST, ONE, Offer, choice, slot, unless
from kingdom.games.royal_progress.offers.plans import PLANS, plan_parts
from kingdom.games.royal_progress.offers.standing import standing_parts
from kingdom.games.royal_progress.orders import MOST_PLANS
from kingdom.games.royal_progress.report.asked import asked, waits
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import DISCARD, Table
from kingdom.games.royal_progress.steps.shared import is_over
from kingdom.games.shared.common_orders import ALL

TEXT = 4000  # characters of a message
ABOUT = "Order several: the first that is legal as a whole when your turn comes is carried out. What is offered is legal as the table lies."
STANDING = "They choose for you in other players' turns, and where you have no plan. They hold until you say otherwise."


def form_page(seen: Table, seat: str, rules: Rules) -> dict[str, Any]:
    """What the seat's order form offers for the turn after `seen`, which is what it knows."""
    wanted, sections, counters = asked(seen, seat, rules), [], []
    if wanted and seen.phase == DISCARD:
        sections.append(
            _section("discard", wanted[0]["name"], wanted[0]["text"], [("", _given_back(seen, seat, rules))])
        )
    elif wanted:
        sections.append(
            _section("plans", wanted[0]["name"], f"{wanted[0]['text']} {ABOUT}", plan_parts(seen, seat, rules))
        )
        counters.append({"id": PLANS, "name": "Plans", "left": MOST_PLANS, "level": True})
    if not is_over(seen):
        sections.append(
            _section("standing", "Standing preferences", STANDING, standing_parts(seen.seats[seat].standing, rules))
        )
    sections.append(_letters(seen, seat))
    notice = "" if wanted or is_over(seen) else waits(seen, seat, rules)
    return {"notice": notice, "counters": counters, "coin": "", "facts": [], "sections": sections, "places": {}}


def _section(id: str, title: str, about: str, parts: Iterable[tuple[str, list[Offer]]]) -> dict[str, Any]:
    return {
        "id": id,
        "title": title,
        "about": about,
        "parts": [{"title": name, "offers": offers} for name, offers in parts if offers],
    }


def _given_back(seen: Table, seat: str, rules: Rules) -> list[Offer]:
    """The cards that may go: a button each where one goes, else a field for each that goes."""
    count, hand = rules.box.given_back, Counter(seen.seats[seat].hand)
    back: Offer = {"rank": 0, "key": "discard", "takes": ["back"]}
    if count == 1:
        return [
            {**back, "how": LIST, "id": f"back {card}", "value": card, "text": f"Give back {card}"}
            for card in sorted(hand)
        ]
    fields, names = [], [f"card_{number}" for number in range(1, count + 1)]
    for number, name in enumerate(names):
        rows = [(card, card, {} if hand[card] >= count else _unlike(names[:number], card)) for card in sorted(hand)]
        fields.append(choice(name, "Give back", rows))
    value = [slot(name) for name in names]
    return (
        [{**back, "how": ONE, "id": "back", "value": value, "text": f"Give back {count} cards", "fields": fields}]
        if names
        else []
    )


def _unlike(names: list[str], card: str) -> dict[str, Any]:
    condition: dict[str, Any] = {}
    for name in names:
        condition = unless(condition, name, [card])
    return condition


def _letters(seen: Table, seat: str) -> dict[str, Any]:
    to = choice("to", "To", [(each, each, {}) for each in (ALL, *seen.seats) if each != seat])
    fields = [to, {"name": "text", "label": "Text", "kind": "lines", "most": TEXT}]
    value = {"to": slot("to"), "text": slot("text")}
    last = {
        "id": "message",
        "rank": 3,
        "key": "messages",
        "how": LIST,
        "value": value,
        "text": "Write a message",
        "fields": fields,
    }
    done = {
        "id": "final",
        "rank": 3,
        "key": "final",
        "how": ONE,
        "value": True,
        "text": "I am done",
        "takes": ["final"],
    }
    return _section("letters", "Messages", "", [("", [last, done])])
