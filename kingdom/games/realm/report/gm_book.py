"""What the GM's book holds beside every seat's own report: everything, all kingdoms side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kingdom.engine.dice import GM, Roll
from kingdom.engine.ledger import Entry, causes_said, summed
from kingdom.engine.names import words
from kingdom.engine.step import Facts, Notice
from kingdom.games.realm.forecast.exact import rolled_of, standing_in, success
from kingdom.games.realm.forecast.threats import TURNS, threats
from kingdom.games.realm.forecast.turn_preview import without_orders
from kingdom.games.realm.forecast.words import name_of, percent
from kingdom.games.realm.hexmap import finds
from kingdom.games.realm.report.armies import unheard_battles
from kingdom.games.realm.report.danger import likeliest
from kingdom.games.realm.report.events import lasting_changes
from kingdom.games.realm.report.first_screen import GRAVEST, HEADS, state_of
from kingdom.games.realm.report.maps.svg_map import whole_map
from kingdom.games.realm.report.news import spoken
from kingdom.games.realm.report.odds import chances_of, forecast_view
from kingdom.games.realm.report.order_outcomes import outcomes, summary
from kingdom.games.realm.report.parts import NO_PART, Outlook, letters, messages, shared
from kingdom.games.realm.report.survey import FIGURES, NumberRow, compared
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import ACCOUNTS, led
from kingdom.games.realm.state import Kingdom, World
from kingdom.games.realm.steps.gm import closing_turn
from kingdom.games.realm.types import Result
from kingdom.games.realm.visibility.known import known
from kingdom.render.plain_text import shortened

CHANGES = 2  # largest changes of each account that are told, one a kingdom
LINES = 8  # of changes in all
FEW = 10  # of an account: less counts as that many, or the step from 1 to 2 would be the largest change of all
QUOTED = 60  # columns of a request in a remark


def gm_view(result: Result, rules: Rules) -> Facts:
    """How the kingdoms stand, those in danger first, and what waits for the GM; then letters, what changed most, and everything else.

    by: the turn until which the dangers are worked out; orders: lines of a file that answers all requests; damage: what only the GM can
    end; lasting: what else lasts, and the events that stand.
    """
    common = shared(result)
    parts, after = common.parts, result.after
    own = parts.get(GM, NO_PART)
    outlooks = {seat: outlook_of(result, seat, rules) for seat in after.kingdoms}
    kingdoms = {seat: _kingdom(result, seat, outlooks[seat], rules) for seat in after.kingdoms}
    calmest_last = sorted(kingdoms, key=lambda seat: _calm(after.kingdoms[seat], outlooks[seat], result.number + 1))
    lasting = lasting_changes(after, rules)
    names = {seat: kingdom.name for seat, kingdom in after.kingdoms.items()}
    return {
        "turn": result.number,
        "next_turn": result.number + 1,
        "by": result.number + (TURNS if rules.event_going_on else 1),
        "orders": ready_orders(after, [row["order"] for row in lasting]),
        "kingdoms": [kingdoms[seat] for seat in calmest_last],
        "rulings": outcomes(result.orders.get(GM, {}), own.notices),
        "notes": [_note(notice, names) for notice in own.notices if notice.kind == "news"],
        "damage": [row for row in lasting if row["damage"]],
        "letters": letters(messages(result), GM, names, True),
        "changes": biggest_changes(kingdoms.values(), {seat: part.entries for seat, part in parts.items()}),
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
    seen = known(result.after, seat, rules)
    next_turn = without_orders(seen, seat, rules)
    checks = rolled_of(standing_in(next_turn, seat), rules)
    if not rules.event_going_on:
        ahead = forecast_view(seen, next_turn, seat, rules)
        chances = chances_of(ahead)
    else:
        chances = threats(seen, seat, rules, {}).chances if kingdom.hexes else {}
    return Outlook(success(checks["stability"]) if checks else None, likeliest(chances, rules))


def _calm(kingdom: Kingdom, outlook: Outlook, turn: int) -> tuple[bool, bool, float, int]:
    """How little danger a kingdom is in: those that are lost, or not in play, are in none any more. turn: the next one."""
    out_of_play = kingdom.destroyed or kingdom.absent
    return out_of_play, not state_of(kingdom, turn)[0], -max(outlook.dangers.values(), default=0.0), -kingdom.unrest


def _roll(roll: Roll) -> str:
    """A roll, "stability:1:20 = 14"; whoever threw it by hand is named."""
    return f"{roll.name}:{roll.count}:{roll.sides} = {roll.result}" + (
        f" ({roll.source})" if roll.source != "seed" else ""
    )


def _kingdom(result: Result, seat: str, outlook: Outlook, rules: Rules) -> Facts:
    """A kingdom beside the others. state: what ends or voids all else, "" for nothing; stability: the chance of its next check, "" where it
    makes none; danger: the likeliest of those that its report tells, "" for none; requests: those that are open, and whether the next turn
    closes each unless it is answered."""
    kingdom, part = result.after.kingdoms[seat], shared(result).parts.get(seat, NO_PART)
    orders = outcomes(result.orders.get(seat, {}), part.notices)
    numbers = {row["key"]: row for row in compared(result, seat, part.entries, rules) if row["key"] in FIGURES}
    danger = next(iter(outlook.dangers), "")
    return {
        "seat": seat,
        "name": kingdom.name,
        "destroyed": kingdom.destroyed,
        "absent": kingdom.absent,
        "state": state_of(kingdom, result.number + 1)[0],
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


def ready_orders(world: World, ends: Sequence[str]) -> list[str]:
    """The lines of the next turn's gm.yaml that answers every open request; whoever copies it writes the answers. None where none is open.
    ends: orders of the GM that it offers besides."""
    answers, asking = list[str](), list[str]()
    for seat, kingdom in world.kingdoms.items():
        for number, request in enumerate(kingdom.requests, 1):
            quoted = shortened(" ".join(request.text.split()), QUOTED)  # one line, which a remark can hold
            answers.append(f'  - {{to: {seat}, answers: {number}, text: "..."}}    # {quoted}')
            asking.append(seat)
    if not answers:
        return []
    granted = f'#  - {{grant: {asking[0]}, account: treasury, by: 1, reason: "..."}}'
    return [f"turn: {world.turn + 1}", "tell:", *answers, "#gm:", granted, *(f"#  - {end}" for end in ends)]


def biggest_changes(kingdoms: Iterable[Facts], entries: Mapping[str, Sequence[Entry]]) -> list[Facts]:
    """Of each account the largest changes against what it was, the largest first; each with the causes that made most of it."""
    rows: list[Facts] = []
    for kingdom in kingdoms:
        numbers: list[NumberRow] = kingdom["numbers"]
        for row in numbers:
            if row["change"] and row["key"] in ACCOUNTS:
                booked = (entry for entry in entries.get(kingdom["seat"], ()) if entry.account == row["key"])
                sums = summed((entry.cause, entry.delta) for entry in booked)
                causes = sorted(((cause, by) for cause, by in sums.items() if by), key=lambda each: -abs(each[1]))
                rows.append({**row, "kingdom": kingdom["name"], "why": causes_said(causes)})
    rows.sort(key=lambda row: (-abs(row["change"]) / max(FEW, abs(row["before"])), -abs(row["change"])))
    first = {key: [row for row in rows if row["key"] == key][:CHANGES] for key in ACCOUNTS}
    return [row for row in rows if row in first[row["key"]]][:LINES]


def secrets(result: Result, rules: Rules) -> list[Facts]:
    """The hexes that a kingdom came to know this turn and what they hid, those with nothing to hide left out."""
    rows: list[Facts] = []
    for seat, kingdom in result.after.kingdoms.items():
        old = set(result.before.kingdoms[seat].revealed) if seat in result.before.kingdoms else set()
        for label in kingdom.revealed:
            hex = result.after.hexes.get(label)
            if label not in old and hex and finds(hex, rules):
                rows.append({"hex": label, "kingdom": kingdom.name, "found": finds(hex, rules)})
    return rows
