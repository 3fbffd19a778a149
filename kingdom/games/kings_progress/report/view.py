"""All that a report may hold: what one seat may know of a turn, as plain data; for the GM everything."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kingdom.engine.dice import GM
from kingdom.engine.step import Notice
from kingdom.games.kings_progress.report.board import draw, heading, picture, reserve, width
from kingdom.games.kings_progress.report.outcomes import outcomes
from kingdom.games.kings_progress.report.text_form import asked, form_of, titled, waits
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import HIDDEN, Kingdom, Table, is_over
from kingdom.games.kings_progress.steps.gm import WORDS
from kingdom.games.kings_progress.steps.scoring import score_of
from kingdom.games.kings_progress.steps.shared import ALL, joined
from kingdom.games.kings_progress.types import Result
from kingdom.games.kings_progress.visibility import known
from kingdom.games.shared.report import (
    Message,
    Outcomes,
    PhaseLines,
    board,
    contents,
    dice,
    form,
    happened,
    heard,
    message,
    news,
    of_third,
    refused,
    rolls,
    told,
)

PHASES = {
    "gm": "The GM",
    "opening": "The start",
    **{phase: titled(words) for phase, words in WORDS.items()},
    "scoring": "The tax collected",
}


def view(result: Result, seat: str, rules: Rules) -> dict[str, Any]:
    """What the seat may know of the turn, as plain data: dicts, lists, texts, numbers."""
    return _gm_view(result, rules) if seat == GM else _seat_view(result, seat, rules)


def _seat_view(result: Result, seat: str, rules: Rules) -> dict[str, Any]:
    seen = known(result.after, seat, rules)
    mine = seen.kingdoms[seat]
    own = heard(result, seat)
    wanted = asked(seen, seat, rules)
    found = {
        "turn": result.number,
        "next_turn": result.number + 1,
        "seat": seat,
        "name": mine.name,
        "heading": heading(seen, rules),
        "told": told(own),
        "asked": wanted,
        "over": is_over(seen),
        "waits": "" if wanted or is_over(seen) else waits(seen, seat, rules),
        "hand": {"tiles": joined(mine.tiles), "coins": joined(mine.coins), "vetoes": mine.vetoes, "king": _king(mine)},
        "happened": _happened(own, seat),
        "orders": outcomes(result.orders.get(seat), [notice for notice in own if notice.seat == seat]),
        "kingdoms": [_kingdom(each, kingdom, each == seat, rules) for each, kingdom in seen.kingdoms.items()],
        "board": _board(result.after, seat, rules),
        "messages": _messages(result, seat),
        "news": news(own),
        "rolls": dice(result, seat),
        "form": form(result, seat, form_of(seen, seat, rules)),
    }
    return {**found, "first": _first(found, seen, seat, rules), "contents": _contents(found)}


def _king(kingdom: Kingdom) -> str:
    return f"in city {kingdom.king}" if kingdom.king else "in the centre"


def _first(found: dict[str, Any], table: Table, seat: str, rules: Rules) -> list[dict[str, str]]:
    """The lines of the first screen: what is asked, the hand, the round."""
    hand = found["hand"]
    lines = [{"name": "Now", "text": found["heading"], "to": "kingdoms" if found["over"] else "board", "mark": ""}]
    if not is_over(table):
        keys = joined(each["name"][:1].lower() + each["name"][1:] for each in found["asked"])
        text, mark = (keys, "mark") if found["asked"] else (found["waits"], "")
        lines.append({"name": "You decide", "text": text, "to": "asked", "mark": mark})
        lines.append(
            {"name": "In hand", "text": f"tiles {hand['tiles']}; coins {hand['coins']}", "to": "kingdoms", "mark": ""}
        )
        lines.append(
            {"name": "King", "text": f"{hand['king']}, vetoes left {hand['vetoes']}", "to": "kingdoms", "mark": ""}
        )
    rows = found["orders"]["rows"]
    carried_out = {
        row["key"] for row in rows if row["outcome"] == "done"
    }  # by an alternative where not by the first choice
    refused = sum(row["outcome"] == "refused" and row["key"] not in carried_out for row in rows)
    if refused:
        lines.append({"name": "Refused", "text": f"{refused} of your orders", "to": "orders", "mark": "bad"})
    return lines


def _contents(found: dict[str, Any]) -> list[dict[str, str]]:
    """The sections of the report, in their order; those without content are left out."""
    sections = [
        ("told", "The GM says", bool(found["told"])),
        ("asked", "What to decide", True),
        ("board", "The table", not found["over"]),
        ("kingdoms", "The kingdoms", True),
        ("happened", "What happened", bool(found["happened"]) or found["turn"] > 0),
        ("orders", "Your orders", found["turn"] > 0),
        ("messages", "Messages and news", bool(found["messages"] or found["news"])),
        ("form", "Order form", True),
    ]
    return contents(sections)


def _happened(notices: Iterable[Notice], seat: str) -> list[PhaseLines]:
    """What was told to the seat and to all, by phases."""
    return happened((notice for notice in notices if seat not in notice.facts.get("besides", ())), PHASES)


def _kingdom(seat: str, kingdom: Kingdom, own: bool, rules: Rules) -> dict[str, Any]:
    """A row of the standings so far. points: of the cities whose coins one has seen; unseen: how many are face down."""
    known_ones = [
        score_of(city, kingdom.king == number, rules)
        for number, city in enumerate(kingdom.cities, 1)
        if (city.coin or 0) >= 0
    ]
    return {
        "seat": seat,
        "name": kingdom.name,
        "own": own,
        "vetoes": kingdom.vetoes,
        "king": kingdom.king,
        "hand": reserve(kingdom),
        "points": sum(known_ones),
        "unseen": sum(city.coin == HIDDEN for city in kingdom.cities),
        "total": kingdom.total,
    }


def _board(table: Table, seat: str | None, rules: Rules) -> dict[str, Any]:
    return {**board(picture(table, seat, rules), draw(table, seat, rules)), "wide": width(rules)}


def _messages(result: Result, seat: str) -> list[Message]:
    """What the seat wrote, and what was written to it or to all; for the GM all of it."""
    found = []
    for sender in sorted(set(result.orders) - {GM}):
        for each in result.orders[sender].get("messages") or ():
            if each and (seat in (sender, each["to"], GM) or each["to"] == ALL):
                found.append(message(sender, each["to"], each["text"], seat))
    return found


def _gm_view(result: Result, rules: Rules) -> dict[str, Any]:
    def of(seat: str) -> Outcomes:
        return outcomes(result.orders.get(seat), [notice for notice in result.notices if notice.seat == seat])

    kingdoms = result.after.kingdoms
    return {
        "turn": result.number,
        "next_turn": result.number + 1,
        "heading": heading(result.after, rules),
        "seats": [
            {"seat": seat, "name": kingdom.name, "orders": of_third(of(seat))} for seat, kingdom in kingdoms.items()
        ],
        "kingdoms": [_kingdom(seat, kingdom, False, rules) for seat, kingdom in kingdoms.items()],
        "rulings": [
            {"text": facts["order"], "outcome": "refused", "why": facts["reason"]} for facts in refused(result)
        ],
        "happened": _happened([notice for notice in result.notices if notice.seat == ALL], GM),
        "rolls": rolls(result),
        "messages": _messages(result, GM),
        "news": news(result.notices),
        "board": _board(result.after, None, rules),
        "contents": [{"to": "kingdoms", "name": "Kingdoms"}, {"to": "gm-happened", "name": "What happened"}],
    }
