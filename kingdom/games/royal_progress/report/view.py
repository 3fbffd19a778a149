"""All that a report may hold: what one seat may know of a turn, as plain data; for the GM everything."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from kingdom.engine.dice import GM
from kingdom.engine.step import Facts, Notice, Orders
from kingdom.games.kit import report
from kingdom.games.kit.report import Message, Outcome, Outcomes
from kingdom.games.royal_progress.report.board import MARGIN, WIDE, draw, heading, picture, row_of
from kingdom.games.royal_progress.report.text_form import asked, choices, form_of, waits
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import UNKNOWN, Table, figure, suit
from kingdom.games.royal_progress.steps import ALL, accounts, is_over
from kingdom.games.royal_progress.types import Result
from kingdom.games.royal_progress.visibility import known
from kingdom.games.royal_progress.words import Wish

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
    wanted, mine, over = asked(seen, seat, rules), seen.seats[seat], is_over(seen)
    found = {
        **report.of_seat(result, seat, mine.name, form_of(seen, seat, rules)),
        "heading": heading(seen, rules),
        "asked": wanted,
        "choices": choices(seen, seat, rules),
        "over": over,
        "waits": "" if wanted or over else waits(seen, seat, rules),
        "hand": list(mine.hand),
        "happened": report.happened(heard, PHASES, OWN, bad="missing"),
        "orders": outcomes(result.orders.get(seat), report.alone(result, seat)),
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
        lambda seat: outcomes(result.orders.get(seat), report.alone(result, seat)),
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


# --- what became of a seat's orders, plan by plan


UNUSED = "not looked at: an earlier plan counted"
ENDED = "the round ended before your turn"


def outcomes(orders: Orders | None, notices: Iterable[Notice]) -> Outcomes:
    """said: a sentence. rows: text, outcome (done, changed, refused), why. notices: the seat's own."""
    if orders is None:
        return {"said": "You sent none.", "rows": []}
    mine = list(notices)
    wrong = [notice.facts for notice in mine if notice.kind == "refusal"]
    used = {notice.facts["order"] for notice in mine if notice.kind == "used"}
    plans = _plans(orders, wrong, used)
    others = _others(orders, [facts for facts in wrong if not facts["order"].startswith("plans")])
    others += [_refused(notice.facts["order"], notice.facts["text"]) for notice in mine if notice.kind == "voided"]
    rows = _unused_together(plans, UNUSED if used else ENDED) + others
    said = f"You sent {len(plans) + len(others)}." if rows else "You sent none for this turn."
    return {"said": said, "rows": rows}


def _plans(orders: Orders, wrong: Iterable[Facts], used: Container[str]) -> list[Outcome]:
    """What became of each plan. wrong: what was refused. used: the paths of plans that were carried out."""
    rows: list[Outcome] = []
    for index, plan in enumerate(orders.get("plans") or ()):
        if plan is not None:
            path = f"plans[{index}]"
            paths = ("plans", path)  # the list, or a part of the plan
            reasons = [facts["reason"] for facts in wrong if facts["order"].partition(".")[0] in paths]
            outcome = ("changed" if reasons else "done") if path in used else "refused" if reasons else "unused"
            rows.append({"text": f"Plan {index + 1}: {text_of(plan)}", "outcome": outcome, "why": " ".join(reasons)})
    return rows


def _others(orders: Orders, wrong: Sequence[Facts]) -> list[Outcome]:
    """What became of everything but the plans."""
    rows: list[Outcome] = []
    if orders.get("discard"):
        text = "Give back " + ", ".join(f"{card['suit']} {card['card']}" for card in orders["discard"] if card)
        why = " ".join(facts["reason"] for facts in wrong if facts["order"].startswith("discard"))
        rows.append({"text": text, "outcome": "refused" if why else "done", "why": why})
    if orders.get("standing"):
        said = ", ".join(orders["standing"]).replace("_", " ")
        rows.append({"text": f"Standing preferences: {said}", "outcome": "done", "why": ""})
    rest = [facts for facts in wrong if not facts["order"].startswith("discard")]
    return rows + [_refused(facts["order"], facts["reason"]) for facts in rest]


def _refused(order: str, why: str) -> Outcome:
    return {"text": order, "outcome": "refused", "why": why}


def _unused_together(rows: list[Outcome], why: str) -> list[Outcome]:
    """Of plans that nobody looked at one line is enough."""
    there = [row for row in rows if row["outcome"] != "unused"]
    rest = len(rows) - len(there)
    return there + (
        [{"text": f"{rest} {'more ' if there else ''}plan{'s' if rest > 1 else ''}", "outcome": "unused", "why": why}]
        if rest
        else []
    )


def text_of(plan: Orders) -> str:
    """A plan in words."""
    parts = [_ability(plan["ability"])] if plan.get("ability") else []
    return "; ".join([*parts, *map(_action, plan.get("actions", ()))])


def _ability(order: Orders) -> str:
    rest = [" to ".join(order["move"][:1] + [_place(each) for each in order["move"][1:]])] if order.get("move") else []
    rest += [str(order[key]) for key in ("courtier", "card", "of") if key in order]
    rest += map(_wish, order.get("prefer") or ())
    return f"use the {order['use']}" + (f" ({', '.join(rest)})" if rest else "")


def _action(action: Orders) -> str:
    if action["do"] == "a":
        return f"A {action['courtier']} to {_place(action['to'])}"
    if action["do"] == "b":
        each = action.get("each")
        if each:
            return "B " + ", ".join(f"{card['courtier']} {card['card']}" for card in each)
        return f"B {action.get('courtier', '')} {' '.join(map(str, action.get('cards', ())))}"
    if action["do"] == "c":
        return "C " + (", ".join(map(_wish, action.get("prefer") or ())) or "any")
    return f"D {action['courtier']}"


def _place(place: str) -> str:
    return place.replace("_", " ").title()


def _wish(wish: Wish) -> str:
    if isinstance(wish, str):
        return wish
    parts: Mapping[str, object] = wish
    words = {
        "suit": "{}",
        "card": "{}",
        "min": "of at least {}",
        "max": "of at most {}",
        "suit_in_hand": "of the suit {} in hand",
    }
    return " ".join(text.format(parts[key]) for key, text in words.items() if key in parts)
