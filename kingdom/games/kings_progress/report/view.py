"""All that a report may hold: what one seat may know of a turn, as plain data; for the GM everything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from kingdom.engine.dice import GM
from kingdom.engine.step import Facts, Notice
from kingdom.games.kings_progress.orders import DECISIONS, form_text, waits, wanted
from kingdom.games.kings_progress.report.board import draw, heading, picture, reserve, width
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import HIDDEN, Kingdom, Table, is_over
from kingdom.games.kings_progress.steps import ALL, joined
from kingdom.games.kings_progress.steps.scoring import score_of
from kingdom.games.kings_progress.types import Result
from kingdom.games.kings_progress.visibility import known
from kingdom.games.kit import report
from kingdom.games.kit.report import Message, PhaseLines
from kingdom.orders.kit.outcome import outcomes

PHASES = {
    "gm": "The GM",
    "opening": "The start",
    **{order.phase: order.title for order in DECISIONS},
    "scoring": "The tax collected",
}


def view(result: Result, seat: str, rules: Rules) -> Facts:
    """What the seat may know of the turn, as plain data: dicts, lists, texts, numbers."""
    return _gm_view(result, rules) if seat == GM else _seat_view(result, seat, rules)


def _seat_view(result: Result, seat: str, rules: Rules) -> dict[str, Any]:
    seen = known(result.after, seat, rules)
    mine = seen.kingdoms[seat]
    heard = report.heard(result, seat)
    decided, over = wanted(seen, seat, rules), is_over(seen)
    found = {
        **report.of_seat(result, seat, mine.name, form_text(seen, seat, rules)),
        "heading": heading(seen, rules),
        "asked": [{"key": order.key, "name": order.title, "text": order.asks(now)} for order, now in decided],
        "over": over,
        "waits": "" if decided or over else waits(seen, rules),
        "hand": {"tiles": joined(mine.tiles), "coins": joined(mine.coins), "vetoes": mine.vetoes, "king": _king(mine)},
        "happened": _happened(heard, seat),
        "orders": outcomes(DECISIONS, result.orders.get(seat), report.alone(result, seat)),
        "kingdoms": [_kingdom(each, kingdom, each == seat, rules) for each, kingdom in seen.kingdoms.items()],
        "board": _board(result.after, seat, rules),
        "messages": _messages(result, seat),
    }
    contents = report.contents(
        found, over, "told asked board kingdoms happened orders messages form", {"kingdoms": "The kingdoms"}, ("board",)
    )
    return {**found, "first": report.first(_first(found), found["orders"]), "contents": contents}


def _king(kingdom: Kingdom) -> str:
    return f"in city {kingdom.king}" if kingdom.king else "in the centre"


def _first(found: dict[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    """The lines of the first screen: what is asked, the hand, the round."""
    hand = found["hand"]
    yield "Now", found["heading"], "kingdoms" if found["over"] else "board", ""
    if not found["over"]:
        names = joined(each["name"][:1].lower() + each["name"][1:] for each in found["asked"])
        yield "You decide", names if found["asked"] else found["waits"], "asked", "mark" if found["asked"] else ""
        yield "In hand", f"tiles {hand['tiles']}; coins {hand['coins']}", "kingdoms", ""
        yield "King", f"{hand['king']}, vetoes left {hand['vetoes']}", "kingdoms", ""


def _happened(notices: Iterable[Notice], seat: str) -> list[PhaseLines]:
    """What was told to the seat and to all, by phases."""
    return report.happened((notice for notice in notices if seat not in notice.facts.get("besides", ())), PHASES)


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
    return {**report.board(picture(table, seat, rules), draw(table, seat, rules)), "wide": width(rules)}


def _messages(result: Result, seat: str) -> list[Message]:
    """What the seat wrote, and what was written to it or to all; for the GM all of it."""
    found = []
    for sender in sorted(set(result.orders) - {GM}):
        for each in result.orders[sender].get("messages") or ():
            if each and (seat in (sender, each["to"], GM) or each["to"] == ALL):
                found.append(report.message(sender, each["to"], each["text"], seat))
    return found


def _gm_view(result: Result, rules: Rules) -> dict[str, Any]:
    kingdoms = result.after.kingdoms
    names = {seat: kingdom.name for seat, kingdom in kingdoms.items()}
    return {
        **report.of_gm(
            result,
            heading(result.after, rules),
            names,
            lambda seat: outcomes(DECISIONS, result.orders.get(seat), report.alone(result, seat)),
        ),
        "kingdoms": [_kingdom(seat, kingdom, False, rules) for seat, kingdom in kingdoms.items()],
        "happened": _happened(report.alone(result, ALL), GM),
        "messages": _messages(result, GM),
        "board": _board(result.after, None, rules),
        "contents": [{"to": "kingdoms", "name": "Kingdoms"}, {"to": "gm-happened", "name": "What happened"}],
    }
