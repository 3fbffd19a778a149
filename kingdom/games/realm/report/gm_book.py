"""What the GM's book holds beside every seat's own report: everything, all kingdoms side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kingdom.engine.dice import GM, Roll
from kingdom.engine.ledger import Entry, causes_said, summed
from kingdom.engine.names import words
from kingdom.engine.step import Notice
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.forecast.exact import rolled_of, standing_in, success
from kingdom.games.realm.forecast.threats import TURNS, threats
from kingdom.games.realm.forecast.turn_preview import without_orders
from kingdom.games.realm.forecast.words import name_of, percent
from kingdom.games.realm.hexmap import finds
from kingdom.games.realm.report.armies import BattleRow, unheard_battles
from kingdom.games.realm.report.danger import likeliest
from kingdom.games.realm.report.events import LastingRow, lasting_changes
from kingdom.games.realm.report.first_screen import GRAVEST, HEADS, Title, state_of, title
from kingdom.games.realm.report.maps.svg_map import WholeMap, whole_map
from kingdom.games.realm.report.news import spoken
from kingdom.games.realm.report.odds import forecast_view
from kingdom.games.realm.report.order_outcomes import OrderRow, outcomes, summary
from kingdom.games.realm.report.parts import NO_PART, Letter, Outlook, dealt, letters, messages, shared
from kingdom.games.realm.report.survey import FIGURES, NumberRow, compared
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import ACCOUNTS, led
from kingdom.games.realm.steps.gm import closing_turn
from kingdom.games.realm.types import Result
from kingdom.games.realm.visibility.known import company, known
from kingdom.render.plain_text import shortened

CHANGES = 2  # largest changes of each account that are told, one a kingdom
LINES = 8  # of changes in all
FEW = 10  # of an account: less counts as that many, or the step from 1 to 2 would be the largest change of all
QUOTED = 60  # columns of a request in a remark


class RequestRow(TypedDict):
    """A request that is open, numbered from 1. closes: whether it is closed with the next turn unless that answers it."""

    number: int
    turn: int
    closes: bool
    text: list[str]


class AskedRow(TypedDict):
    """A question that waits for a player."""

    key: str
    question: str
    default: str


class KingdomRow(Title):
    """A kingdom beside the others. state: what ends or voids all else, "" for nothing; stability: the chance of its next check, "" where it makes
    none; danger: the likeliest of those that its report tells, with its chance, "" for none; heads: size, treasury, Unrest."""

    filed: bool
    said: str
    state: str
    heads: list[NumberRow]
    stability: str
    danger: str
    refused: list[OrderRow]
    requests: list[RequestRow]
    asked: list[AskedRow]
    numbers: list[NumberRow]
    leadership: str
    edicts: str


class ChangeRow(NumberRow):
    """A change of an account, with the causes that made most of it."""

    kingdom: str
    why: str


class SecretRow(TypedDict):
    """A hex that a kingdom came to know, and what it hid."""

    hex: str
    kingdom: str
    found: list[str]


class GmView(TypedDict):
    """What the GM's book holds. by: the turn until which the dangers are worked out; kingdoms: those in danger first; orders: lines of a
    file that answers all requests; damage: what only the GM can end; lasting: what else lasts, and the events that stand."""

    turn: int
    next_turn: int
    by: int
    orders: list[str]
    kingdoms: list[KingdomRow]
    rulings: list[OrderRow]
    notes: list[str]
    damage: list[LastingRow]
    letters: list[Letter]
    changes: list[ChangeRow]
    secrets: list[SecretRow]
    lasting: list[LastingRow]
    battles: list[BattleRow]
    map: WholeMap
    columns: list[str]
    rolls: dict[str, list[str]]


def gm_view(result: Result, rules: Rules) -> GmView:
    """How the kingdoms stand and what waits for the GM first; then letters, what changed most, and everything else."""
    common = shared(result)
    parts, after = common.parts, result.after
    own = parts.get(GM, NO_PART)
    outlooks = {seat: outlook_of(result, seat, rules) for seat in after.kingdoms}
    kingdoms = [_kingdom(result, seat, outlooks[seat], rules) for seat in after.kingdoms]
    lasting = lasting_changes(after, rules)
    names = {seat: kingdom.name for seat, kingdom in after.kingdoms.items()}
    return {
        "turn": result.number,
        "next_turn": result.number + 1,
        "by": result.number + (TURNS if rules.event_going_on else 1),
        "orders": ready_orders(kingdoms, [row["order"] for row in lasting], result.number + 1),
        "kingdoms": sorted(kingdoms, key=lambda row: _calm(row, outlooks[row["seat"]])),
        "rulings": outcomes(result.orders.get(GM, {}), own.notices),
        "notes": [_note(notice, names) for notice in own.notices if notice.kind == "news"],
        "damage": [row for row in lasting if row["damage"]],
        "letters": letters(messages(result), GM, names, True),
        "changes": biggest_changes(kingdoms, {seat: part.entries for seat, part in parts.items()}),
        "secrets": secrets(result, rules),
        "lasting": [row for row in lasting if not row["damage"]],
        "battles": unheard_battles(own, after, rules),
        "map": whole_map(after, rules),
        "columns": [name_of(key) for key in FIGURES],
        "rolls": {seat: [_roll(roll) for roll in part.rolls] for seat, part in parts.items() if part.rolls},
    }


def _note(notice: Notice, names: Mapping[str, str]) -> str:
    """A piece of news for the GM: of a place with names where the game has keys, of a request as it was written."""
    text = notice.facts["text"]
    said = spoken(text, names) if "hex" in notice.facts else text
    return f"{said[:1].upper()}{said[1:]}"


def outlook_of(result: Result, seat: str, rules: Rules) -> Outlook:
    """What the seat's report says that it faces; worked out here where that report is made elsewhere."""
    common, kingdom = shared(result), result.after.kingdoms[seat]
    if seat in common.outlooks:
        return common.outlooks[seat]
    if kingdom.destroyed:
        return Outlook(None, {})
    dealt_with = dealt(seat, common.parts.get(seat, NO_PART).notices, common.messages.get(seat, ()))
    seen = company(known(result.after, seat, rules, dealt_with), seat)
    next_turn = without_orders(seen, seat, rules)
    checks = rolled_of(standing_in(next_turn, seat), rules)
    if not rules.event_going_on:
        ahead = forecast_view(seen, next_turn, seat, rules)
        chances = {row["name"]: row["chance"] for row in ahead["chances"]} if ahead else {}
    else:
        chances = threats(seen, seat, rules, {}).chances if kingdom.hexes else {}
    return Outlook(success(checks["stability"]) if checks else None, likeliest(chances, rules))


def _calm(row: KingdomRow, outlook: Outlook) -> tuple[bool, bool, float, int]:
    """How little danger a kingdom is in: those that are lost, or not in play, are in none any more."""
    return (
        row["destroyed"] or row["absent"],
        not row["state"],
        -max(outlook.dangers.values(), default=0.0),
        -row["heads"][2]["after"],
    )


def _roll(roll: Roll) -> str:
    """A roll, "stability:1:20 = 14"; whoever threw it by hand is named."""
    return f"{roll.name}:{roll.count}:{roll.sides} = {roll.result}" + (
        f" ({roll.source})" if roll.source != "seed" else ""
    )


def _kingdom(result: Result, seat: str, outlook: Outlook, rules: Rules) -> KingdomRow:
    kingdom, part = result.after.kingdoms[seat], shared(result).parts.get(seat, NO_PART)
    orders = outcomes(result.orders.get(seat, {}), part.notices)
    numbers = {row["key"]: row for row in compared(result, seat, part.entries, rules) if row["key"] in FIGURES}
    titled = title(kingdom, seat, result.number, rules)
    danger = next(iter(outlook.dangers), "")
    return {
        **titled,
        "state": state_of(titled, result.number + 1)[0],
        "heads": [numbers[key] for key in HEADS],
        "stability": percent(outlook.stability) if outlook.stability is not None else "",
        "danger": f"{GRAVEST[danger]} {percent(outlook.dangers[danger])}" if danger else "",
        "filed": seat in result.orders,
        "said": summary(seat in result.orders, orders),
        "refused": [row for row in orders if row["outcome"] != "done"],
        "requests": [
            {
                "number": number,
                "turn": request.turn,
                "closes": 0 < closing_turn(request, rules) <= result.number + 1,
                "text": request.text.splitlines(),
            }
            for number, request in enumerate(kingdom.requests, 1)
        ],
        "asked": [
            {"key": pending.key, "question": pending.question, "default": pending.default}
            for pending in kingdom.pending
        ],
        "numbers": list(numbers.values()),
        "leadership": ", ".join(led(kingdom, rules)),
        "edicts": ", ".join(words(level) for level in (kingdom.holiday, kingdom.promotion, kingdom.taxation)),
    }


def ready_orders(kingdoms: Sequence[KingdomRow], ends: Sequence[str], turn: int) -> list[str]:
    """The lines of a gm.yaml that answers every open request; whoever copies it writes the answers. None where none is open. ends: orders of
    the GM that it offers besides."""
    answers = list[str]()
    for kingdom in kingdoms:
        for request in kingdom["requests"]:
            quoted = shortened(" ".join(" ".join(request["text"]).split()), QUOTED)  # one line, which a remark can hold
            answers.append(f'  - {{to: {kingdom["seat"]}, answers: {request["number"]}, text: "..."}}    # {quoted}')
    if not answers:
        return []
    example = next(kingdom["seat"] for kingdom in kingdoms if kingdom["requests"])
    granted = f'#  - {{grant: {example}, account: treasury, by: 1, reason: "..."}}'
    return [f"turn: {turn}", "tell:", *answers, "#gm:", granted, *(f"#  - {end}" for end in ends)]


def biggest_changes(kingdoms: Iterable[KingdomRow], entries: Mapping[str, Sequence[Entry]]) -> list[ChangeRow]:
    """Of each account the largest changes against what it was, the largest first; each with the causes that made most of it."""
    rows: list[ChangeRow] = []
    for kingdom in kingdoms:
        for row in kingdom["numbers"]:
            if row["change"] and row["key"] in ACCOUNTS:
                booked = (entry for entry in entries.get(kingdom["seat"], ()) if entry.account == row["key"])
                sums = summed((entry.cause, entry.delta) for entry in booked)
                causes = sorted(((cause, by) for cause, by in sums.items() if by), key=lambda each: -abs(each[1]))
                rows.append({**row, "kingdom": kingdom["name"], "why": causes_said(causes)})
    rows.sort(key=lambda row: (-abs(row["change"]) / max(FEW, abs(row["before"])), -abs(row["change"])))
    first = {key: [row for row in rows if row["key"] == key][:CHANGES] for key in ACCOUNTS}
    return [row for row in rows if row in first[row["key"]]][:LINES]


def secrets(result: Result, rules: Rules) -> list[SecretRow]:
    """The hexes that a kingdom came to know this turn and what they hid, those with nothing to hide left out."""
    rows: list[SecretRow] = []
    for seat, kingdom in result.after.kingdoms.items():
        old = set(result.before.kingdoms[seat].revealed) if seat in result.before.kingdoms else set()
        for label in kingdom.revealed:
            hex = result.after.hexes.get(label)
            if label not in old and hex and finds(hex, rules):
                rows.append({"hex": label, "kingdom": kingdom.name, "found": finds(hex, rules)})
    return rows
