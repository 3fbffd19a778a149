"""What the GM's book holds beside every seat's own report: everything, all kingdoms side by side."""

from __future__ import annotations

from typing import Any

from kingdom.dice import GM
from kingdom.games.realm.war.battleview import unheard_battles
from kingdom.games.realm.land.claims import finds
from kingdom.games.realm.telling.figures import FIGURES, compared, name_of
from kingdom.games.realm.telling.filed import outcomes, summary, words
from kingdom.games.realm.rules import Rules
from kingdom.games.realm.sheet import led
from kingdom.games.realm.telling.story import NO_PART, Part, shared
from kingdom.turn import Result


def gm_view(result: Result, rules: Rules) -> dict[str, Any]:
    """Open requests first; then per kingdom what came in and what was refused, the secrets touched, the sheets, the dice."""
    parts = shared(result).parts
    own = parts.get(GM, NO_PART)
    kingdoms = [_kingdom(result, seat, parts.get(seat, NO_PART), rules) for seat in result.after.kingdoms]
    return {
        "turn": result.number,
        "next_turn": result.number + 1,
        "open": any(kingdom["requests"] for kingdom in kingdoms),
        "kingdoms": kingdoms,
        "rulings": outcomes(result.orders.get(GM, {}), own.notices),
        "notes": [notice.facts["text"] for notice in own.notices if notice.kind == "news"],
        "secrets": secrets(result, rules),
        "battles": unheard_battles(own, result.after, rules),
        "columns": [name_of(key) for key in FIGURES],
        "rolls": [roll._asdict() for roll in result.rolls],
    }


def _kingdom(result: Result, seat: str, part: Part, rules: Rules) -> dict[str, Any]:
    kingdom = result.after.kingdoms[seat]
    orders = outcomes(result.orders.get(seat, {}), part.notices)
    return {
        "seat": seat,
        "name": kingdom.name,
        "said": summary(seat in result.orders, orders),
        "refused": [row for row in orders if row["outcome"] != "done"],
        "requests": [
            {"number": number, "turn": request.turn, "text": request.text.splitlines()}
            for number, request in enumerate(kingdom.requests, 1)
        ],
        "asked": [{"question": pending.question, "default": pending.default} for pending in kingdom.pending],
        "numbers": [row for row in compared(result, seat, part.entries, rules) if row["key"] in FIGURES],
        "leadership": ", ".join(led(kingdom, rules)),
        "edicts": ", ".join(words(level) for level in (kingdom.holiday, kingdom.promotion, kingdom.taxation)),
        "destroyed": kingdom.destroyed,
        "anarchy": kingdom.anarchy == result.number + 1,
    }


def secrets(result: Result, rules: Rules) -> list[dict[str, Any]]:
    """The hexes that a kingdom came to know this turn and what they hid, those with nothing to hide left out."""
    rows = []
    for seat, kingdom in result.after.kingdoms.items():
        old = set(result.before.kingdoms[seat].revealed) if seat in result.before.kingdoms else set()
        for label in kingdom.revealed:
            hex = result.after.hexes.get(label)
            if label not in old and hex and finds(hex, rules):
                rows.append({"hex": label, "kingdom": kingdom.name, "found": finds(hex, rules)})
    return rows
