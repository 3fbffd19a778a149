"""All that a report may hold: what one seat may know of a turn, as plain data; for the GM everything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from kingdom.engine.dice import GM
from kingdom.engine.step import Facts, Notice
from kingdom.games.kit import report
from kingdom.games.kit.report import Message
from kingdom.games.royal_progress.orders import DECISIONS, decided, form_text, waits
from kingdom.games.royal_progress.report.board import MARGIN, WIDE, draw, heading, picture, row_of
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import DISCARD, UNKNOWN, Table, figure, suit
from kingdom.games.royal_progress.steps import ALL, accounts, at_castle, due, is_over, named
from kingdom.games.royal_progress.steps.actions import two_may_be_taken
from kingdom.games.royal_progress.steps.moving import ways
from kingdom.games.royal_progress.types import Result
from kingdom.games.royal_progress.visibility import known
from kingdom.orders.kit.outcome import outcomes

PHASES = {
    "gm": "The GM", "setup": "The start", "play": "At the table", "gifts": "Single gifts", "scoring": "The round is scored",
    "round_end": "The end of the round",
}  # fmt: skip
OWN = ("happened", "drawn", "missing")  # notices that say what happened


def view(result: Result, seat: str, rules: Rules) -> Facts:
    """What the seat may know of the turn, as plain data: dicts, lists, texts, numbers."""
    return _gm_view(result, rules) if seat == GM else _seat_view(result, seat, rules)


def _seat_view(result: Result, seat: str, rules: Rules) -> dict[str, Any]:
    seen, heard = known(result.after, seat, rules), report.heard(result, seat)
    wanted, mine, over = decided(seen, seat, rules), seen.seats[seat], is_over(seen)
    found = {
        **report.of_seat(result, seat, mine.name, form_text(seen, seat, rules)),
        "heading": heading(seen, rules),
        "asked": [{"key": order.key, "name": order.title, "text": order.asks(now)} for order, now in wanted],
        "choices": _choices(seen, seat, rules),
        "over": over,
        "waits": "" if wanted or over else waits(seen, rules),
        "hand": list(mine.hand),
        "happened": report.happened(heard, PHASES, OWN, bad="missing"),
        "orders": outcomes(DECISIONS, result.orders.get(seat), report.alone(result, seat)),
        **_table(seen, result.before, seat, rules),
        "board": _board(result.after, seat, rules),
        "messages": _messages(heard, seat),
    }
    own = {"board": "The map", "courtiers": "The courtiers", "seats": "The players"}
    words = "told asked board courtiers seats happened orders messages form"
    contents = report.contents(found, over, words, own, ("board",))
    return {**found, "first": report.first(_first(found, seen, seat), found["orders"]), "contents": contents}


def _table(table: Table, before: Table, seat: str, rules: Rules) -> dict[str, Any]:
    """What lies on the table: the courtiers, the offer and gifts, the seats with what they have and gained."""
    seats = []
    for each, of in table.seats.items():
        counted = accounts(table, each, rules)
        gained = of.points - before.seats[each].points
        hidden = sum(card == UNKNOWN for card in of.hand)
        cards = [card for card in of.hand if card != UNKNOWN] + ([f"{hidden} unseen"] if hidden else [])
        row = {
            "seat": each,
            "name": of.name,
            "own": each == seat,
            "gained": gained,
            "king": table.king_card == each,
            "figures": counted,
        }
        seats.append({**row, "cards": ", ".join(cards), "gifts": _presents(of.gifts, rules)})
    return {
        "courtiers": [
            {**row_of(table, name, rules), "text": rules.courtiers[name].text, "own": courtier.control == seat}
            for name, courtier in table.courtiers.items()
        ],
        "offer": list(table.offer),
        "pairs": [" + ".join(pair) for pair in table.pairs],
        "singles": list(table.singles),
        "deck": len(table.deck),
        "discards": list(table.discards),
        "seats": seats,
        "abilities": rules.abilities.used,
    }


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


def _presents(gifts: Iterable[str], rules: Rules) -> str:
    """Gifts by their types, of each card its crowns: "castles 1, 3; land 2"."""
    crowns = {kind: [str(figure(gift)) for gift in gifts if suit(gift) == kind] for kind in rules.gifts.types}
    return "; ".join(f"{kind} {', '.join(each)}" for kind, each in crowns.items() if each)


def _first(found: dict[str, Any], table: Table, seat: str) -> Iterator[tuple[str, str, str, str]]:
    """The lines of the first screen: where the game stands, what is asked, the own points and hand."""
    mine = next(each for each in found["seats"] if each["own"])
    yield "Now", found["heading"], "seats" if found["over"] else "board", ""
    if not found["over"]:
        text = found["asked"][0]["name"] if found["asked"] else found["waits"]
        yield "You decide", text, "asked", "mark" if found["asked"] else ""
        yield "In hand", ", ".join(found["hand"]) or "no card", "seats", ""
    gained = f", {mine['gained']:+} in this turn" if mine["gained"] else ""
    yield "Points", f"{mine['figures']['points']}{gained}", "seats", ""
    controlled = ", ".join(name for name, courtier in table.courtiers.items() if courtier.control == seat)
    yield "You control", controlled or "nobody", "courtiers", ""


def _board(table: Table, seat: str | None, rules: Rules) -> dict[str, object]:
    return {**report.board(picture(table, seat, rules), draw(table, seat, rules)), "wide": WIDE + 2 * MARGIN}


def _messages(notices: Iterable[Notice], seat: str) -> list[Message]:
    """What the seat wrote, and what was written to it or to all; for the GM all of it, each once."""
    written = [
        notice.facts
        for notice in notices
        if notice.kind == "message" and (notice.seat == notice.facts["to"] or seat != GM)
    ]
    return [report.message(facts["sender"], facts["to"], facts["text"], seat) for facts in written]


def _gm_view(result: Result, rules: Rules) -> dict[str, Any]:
    names = {seat: of.name for seat, of in result.after.seats.items()}
    book = report.of_gm(
        result,
        heading(result.after, rules),
        names,
        lambda seat: outcomes(DECISIONS, result.orders.get(seat), report.alone(result, seat)),
    )
    table = _table(result.after, result.before, GM, rules)
    return {
        **book,
        **table,
        "seats": [{**row, "orders": said["orders"]} for row, said in zip(table["seats"], book["seats"], strict=True)],
        "happened": report.happened(report.alone(result, ALL), PHASES, OWN, bad="missing"),
        "messages": _messages(result.notices, GM),
        "board": _board(result.after, None, rules),
        "contents": [
            {"to": "courtiers", "name": "Courtiers"},
            {"to": "seats", "name": "Players"},
            {"to": "gm-happened", "name": "What happened"},
        ],
    }
