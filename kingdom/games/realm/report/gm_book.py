"""What the GM's book holds beside every seat's own report: everything, all kingdoms side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kingdom.engine.dice import GM
from kingdom.engine.ledger import Entry
from kingdom.engine.names import words
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.forecast.words import name_of
from kingdom.games.realm.hexmap import finds
from kingdom.games.realm.report.armies import BattleRow, unheard_battles
from kingdom.games.realm.report.events import LastingRow, lasting_changes
from kingdom.games.realm.report.maps.svg_map import WholeMap, whole_map
from kingdom.games.realm.report.order_outcomes import OrderRow, outcomes, summary
from kingdom.games.realm.report.parts import NO_PART, Part, shared
from kingdom.games.realm.report.survey import FIGURES, NumberRow, compared
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import ACCOUNTS, led
from kingdom.games.realm.steps.events.words import Standing, standing
from kingdom.games.realm.steps.gm import closing_turn
from kingdom.games.realm.types import Result
from kingdom.render.plain_text import shortened

CHANGES = 2  # largest changes of each account that are told, one a kingdom
LINES = 12  # of changes in all
CAUSES_TOLD = 3  # of a change
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


class StandingRow(Standing):
    """An event that stands, with its key, by which the GM may end it."""

    key: str


class KingdomRow(TypedDict):
    """A kingdom beside the others."""

    seat: str
    name: str
    filed: bool
    said: str
    refused: list[OrderRow]
    requests: list[RequestRow]
    asked: list[AskedRow]
    events: list[StandingRow]
    numbers: list[NumberRow]
    leadership: str
    edicts: str
    destroyed: bool
    absent: bool
    anarchy: bool


class ChangeRow(NumberRow):
    """A change of an account, with its share of what the account was and the causes that made most of it."""

    kingdom: str
    share: float
    why: str


class SecretRow(TypedDict):
    """A hex that a kingdom came to know, and what it hid."""

    hex: str
    kingdom: str
    found: list[str]


class GmView(TypedDict):
    """What the GM's book holds. open, asked, events, refusals: whether any kingdom has some."""

    turn: int
    next_turn: int
    open: bool
    asked: bool
    events: bool
    refusals: bool
    orders: list[str]
    kingdoms: list[KingdomRow]
    rulings: list[OrderRow]
    notes: list[str]
    secrets: list[SecretRow]
    lasting: list[LastingRow]
    battles: list[BattleRow]
    changes: list[ChangeRow]
    map: WholeMap
    columns: list[str]
    rolls: list[dict[str, object]]


def gm_view(result: Result, rules: Rules) -> GmView:
    """What needs a ruling first; then what came in and what was refused, the secrets touched, what changed most, all sheets, the dice."""
    parts = shared(result).parts
    own = parts.get(GM, NO_PART)
    kingdoms = [_kingdom(result, seat, parts.get(seat, NO_PART), rules) for seat in result.after.kingdoms]
    return {
        "turn": result.number,
        "next_turn": result.number + 1,
        "open": any(kingdom["requests"] for kingdom in kingdoms),
        "asked": any(kingdom["asked"] for kingdom in kingdoms),
        "events": any(kingdom["events"] for kingdom in kingdoms),
        "refusals": any(kingdom["refused"] for kingdom in kingdoms),
        "orders": ready_orders(kingdoms, result.number + 1),
        "kingdoms": kingdoms,
        "rulings": outcomes(result.orders.get(GM, {}), own.notices),
        "notes": [notice.facts["text"] for notice in own.notices if notice.kind == "news"],
        "secrets": secrets(result, rules),
        "lasting": lasting_changes(result.after, rules),
        "battles": unheard_battles(own, result.after, rules),
        "changes": biggest_changes(kingdoms, {seat: part.entries for seat, part in parts.items()}),
        "map": whole_map(result.after, rules),
        "columns": [name_of(key) for key in FIGURES],
        "rolls": [roll._asdict() for roll in result.rolls],
    }


def _kingdom(result: Result, seat: str, part: Part, rules: Rules) -> KingdomRow:
    kingdom = result.after.kingdoms[seat]
    orders = outcomes(result.orders.get(seat, {}), part.notices)
    return {
        "seat": seat,
        "name": kingdom.name,
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
        "events": [
            {"key": key, **standing(event, rules)}
            for key, event in kingdom.events.items()
            if event.kind in rules.event_kinds
        ],
        "numbers": [row for row in compared(result, seat, part.entries, rules) if row["key"] in FIGURES],
        "leadership": ", ".join(led(kingdom, rules)),
        "edicts": ", ".join(words(level) for level in (kingdom.holiday, kingdom.promotion, kingdom.taxation)),
        "destroyed": kingdom.destroyed,
        "absent": kingdom.absent,
        "anarchy": kingdom.anarchy == result.number + 1,
    }


def ready_orders(kingdoms: Sequence[KingdomRow], turn: int) -> list[str]:
    """The lines of a gm.yaml that answers every open request; whoever copies it writes the answers. None where none is open."""
    answers, ends = list[str](), list[str]()
    for kingdom in kingdoms:
        for request in kingdom["requests"]:
            quoted = shortened(" ".join(" ".join(request["text"]).split()), QUOTED)  # one line, which a remark can hold
            answers.append(f'  - {{to: {kingdom["seat"]}, answers: {request["number"]}, text: "..."}}    # {quoted}')
        ends += [f'#  - {{end: {event["key"]}, of: {kingdom["seat"]}, reason: "..."}}' for event in kingdom["events"]]
    if not answers:
        return []
    example = next(kingdom["seat"] for kingdom in kingdoms if kingdom["requests"])
    granted = f'#  - {{grant: {example}, account: treasury, by: 1, reason: "..."}}'
    return [f"turn: {turn}", "tell:", *answers, "#gm:", granted, *ends]


def biggest_changes(kingdoms: Iterable[KingdomRow], entries: dict[str, Sequence[Entry]]) -> list[ChangeRow]:
    """Of each account the largest changes against what it was, the largest first; each with the causes that made most of it."""
    found: dict[str, list[ChangeRow]] = {}
    for kingdom in kingdoms:
        for row in kingdom["numbers"]:
            if row["change"] and row["key"] in ACCOUNTS:
                share = abs(row["change"]) / max(1, abs(row["before"]))
                why = _causes(entries.get(kingdom["seat"], ()), row["key"])
                found.setdefault(row["key"], []).append({**row, "kingdom": kingdom["name"], "share": share, "why": why})
    largest = [row for rows in found.values() for row in sorted(rows, key=_by_share)[:CHANGES]]
    return sorted(largest, key=_by_share)[:LINES]


def _by_share(row: ChangeRow) -> tuple[float, int]:
    return -row["share"], -abs(row["change"])


def _causes(entries: Iterable[Entry], account: str) -> str:
    """What moved an account, "build +1, consumption -3": the causes that moved it most, the rest in one."""
    sums: dict[str, int] = {}
    for entry in entries:
        if entry.account == account:
            sums[entry.cause] = sums.get(entry.cause, 0) + entry.delta
    ordered = sorted(((cause, by) for cause, by in sums.items() if by), key=lambda each: -abs(each[1]))
    said = [f"{words(cause)} {by:+d}" for cause, by in ordered[:CAUSES_TOLD]]
    rest = ordered[CAUSES_TOLD:]
    return ", ".join(said + ([f"{len(rest)} more {sum(by for _, by in rest):+d}"] if rest else []))


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
