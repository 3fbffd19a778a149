"""All that a report may say: plain data of one seat, or of everything for the GM's book."""

from __future__ import annotations

from collections.abc import Iterator

from kingdom.engine.dice import GM
from kingdom.engine.ledger import Entry
from kingdom.engine.step import Facts, Orders
from kingdom.games.cardinals_guards.orders import form_text, moves
from kingdom.games.cardinals_guards.orders.castle import DOES
from kingdom.games.cardinals_guards.report.board import board_picture, board_text, draw, picture
from kingdom.games.cardinals_guards.report.outlook import outlook
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.state import CHAMBERS, COINS, SUITS, Table
from kingdom.games.cardinals_guards.steps import accounts, bound, lost, maximum
from kingdom.games.cardinals_guards.types import Result
from kingdom.games.cardinals_guards.visibility import known
from kingdom.games.kit import report
from kingdom.games.kit.report import View


def view(result: Result, seat: str, rules: Rules) -> Facts:
    """What the templates of a seat, or of the GM's book, get besides what reports.py adds."""
    return _book(result, rules) if seat == GM else _of_seat(result, seat, rules)


def _of_seat(result: Result, seat: str, rules: Rules) -> View:
    table = known(result.after, seat, rules)
    closed = _closed(table, seat)
    found: View = {
        **report.of_seat(
            result, seat, table.seats[seat].name, form_text(table, seat, rules), ("news", "ruling", "voided")
        ),
        "castle": _castle(table, seat, rules),
        "moves": [] if closed else outlook(table.seats[seat].board, table.deal, rules),
        "happened": _happened(result, seat),
        "orders": _orders(result, seat),
        "contest": _contest(table, result),
    }
    own = {"castle": "The castle", "moves": "What you can do", "contest": "The contest"}
    words = f"told castle {'moves' if found['moves'] else ''} happened orders contest messages form"
    lines = [*_last_castle(result, seat), *_first(table, seat, rules)]
    return {
        **found,
        "first": report.first(lines, {"said": "", "rows": []}),
        "contents": report.contents(found, False, words, own),
    }


def _closed(table: Table, seat: str) -> bool:
    return table.over or table.seats[seat].board.finished


def _first(table: Table, seat: str, rules: Rules) -> Iterator[tuple[str, str, str, str]]:
    """The first screen: where the game stands, and what is asked."""
    board, balances = table.seats[seat].board, accounts(table, seat, rules)
    top, most = maximum(rules), bound(board, table.deal, rules)
    counted = (
        f"{balances['searched']} of {CHAMBERS * len(SUITS)} chambers, {balances['escaped']} of {len(SUITS)} escaped"
    )
    counted += f", {balances['defeated']} of {len(COINS)} guards"
    yield "Score", f"{balances['points']} of {top} points: {counted}", "castle", ""
    yield "Orders used", str(board.orders), "orders" if table.turn else "", ""
    if most < top and not board.finished:
        yield "Still possible", f"at most {most}: {_why_less(table, seat, rules)}", "castle", "mark"
    if rules.pace.deals > 1:
        deals = f"{table.deal_number} of {rules.pace.deals}; {balances['total']} points in all deals so far"
        yield "Deal", deals, "contest", ""
    if not _closed(table, seat):
        left = rules.pace.turns - table.window
        turns = f"at most {left} turns are left for this castle"
        if left == 1:
            turns = "this is the last turn for this castle, which then counts as it stands"
        yield "Asked of you", f"orders from number {board.orders + 1} on, or `finish: true`; {turns}", "form", "mark"
    elif not table.over:
        yield "Asked of you", "nothing: your game on this castle is over; wait for the others", "contest", ""


def _last_castle(result: Result, seat: str) -> Iterator[tuple[str, str, str, str]]:
    """What the seat made of a castle that is over, where another was dealt."""
    ended = [notice.facts for notice in result.notices if notice.kind == "result"]
    if ended and not result.after.over:
        score = ended[-1]["results"][seat]
        yield "Last castle", f"{score['points']} points in {score['orders']} orders", "contest", ""


def _why_less(table: Table, seat: str, rules: Rules) -> str:
    return ", ".join(lost(table.seats[seat].board, table.deal, rules)) + " can't be had any more"


def _castle(table: Table, seat: str, rules: Rules) -> View:
    board = table.seats[seat].board
    return {
        "lines": board_text(board, table.deal).rstrip("\n").split("\n"),
        "picture": board_picture(board, table.deal, f"The castle of {table.seats[seat].name}"),
        "trail": list(board.trail),
        "layout": bool(rules.layout.given),
    }


def _happened(result: Result, seat: str) -> list[report.PhaseLines]:
    """Phase by phase what the books say of this seat, an order and what it did as one line."""
    phases: dict[str, list[View]] = {}
    for group in _by_order(result, seat):
        phases.setdefault(_PHASES[group[0].phase], []).append({"text": _line(group), "good": _good(group)})
    for notice in result.notices:
        if notice.kind == "stopped" and notice.seat == seat:
            phases.setdefault(_PHASES["castle"], []).append({"text": notice.facts["text"], "good": False})
    return [{"name": name, "lines": lines} for name, lines in phases.items()]


_PHASES = {"gm": "The GM", "castle": "In the castle", "deal": "A new castle", "closing": "The end of the deal"}


def _by_order(result: Result, seat: str) -> list[list[Entry]]:
    groups: list[list[Entry]] = []
    for entry in result.entries:
        if entry.kingdom == seat:
            new = not groups or entry.phase != "castle" or (entry.cause == "order" and entry.account == "orders")
            if new and not (groups and entry.phase != "castle" and groups[-1][0].detail == entry.detail):
                groups.append([])
            groups[-1].append(entry)
    return groups


def _line(group: list[Entry]) -> str:
    head = group[0]
    done = dict.fromkeys(f"{DOES[entry.cause]} {entry.detail}" for entry in group if entry.cause in DOES)
    gained = sum(entry.delta for entry in group if entry.account == "points")
    text = f"{head.detail}: {', '.join(done)}" if done else head.detail
    return f"{text} ({gained:+})" if gained and head.phase == "castle" else text


def _good(group: list[Entry]) -> bool | None:
    return True if any(entry.cause in DOES for entry in group) else None


def _orders(result: Result, seat: str) -> report.Outcomes:
    """What became of the orders: how many were carried out, which `happened` tells, and a row of each other one."""
    filed = result.orders.get(seat, {})
    mine = [notice for notice in result.notices if notice.seat == seat]
    refused = {notice.facts["order"]: notice.facts["reason"] for notice in mine if notice.kind == "refusal"}
    voided = {notice.facts["order"]: notice.facts["text"] for notice in mine if notice.kind == "voided"}
    rows: list[report.Outcome] = [
        {"text": path, "outcome": "refused", "why": refused[path]}
        for path in ("continue_from", "orders")
        if path in refused
    ]
    stopped, left, done = bool(rows), list[str](), 0
    for index, record in enumerate(filed.get("orders", ())):
        path, text = f"orders[{index}]", f"{index + 1}. {moves.short(moves.order_of(record))}"
        if path in voided or path in refused:
            rows.append({"text": text, "outcome": "refused", "why": voided.get(path) or refused[path]})
        elif stopped:
            left.append(text)
        else:
            done += 1
        stopped = stopped or path in refused
    if left:
        why = "Not carried out: what stands before was refused (ruling sequence)."
        rows.append({"text": "; ".join(left), "outcome": "changed", "why": why})
    return {"said": _said(filed, done, stopped), "rows": rows}


def _said(filed: Orders, done: int, stopped: bool) -> str:
    if not filed:
        return "You sent no orders; the castle stands as it was."
    count = len(filed.get("orders", ()))
    said = f"{count} order{'s' if count != 1 else ''} came, {'all' if count and done == count else done} carried out."
    if filed.get("finish"):
        said += " You said that the game is over" + (
            ", but it stays open, as an order was refused." if stopped else "."
        )
    return said


def _contest(table: Table, result: Result) -> View:
    """What everybody may know of the others: the deals that are over."""
    rows: list[View] = []
    for seat, of in table.seats.items():
        scores = [(score.points, score.orders) for score in of.past]
        now = [notice.facts["results"][seat] for notice in result.notices if notice.kind == "result"]
        if table.over and now:
            scores.append((now[-1]["points"], now[-1]["orders"]))
        rows.append({
            "seat": seat,
            "name": of.name,
            "deals": [{"points": points, "orders": orders} for points, orders in scores],
            "said": ", ".join(f"{points} in {orders}" for points, orders in scores),
            "points": sum(points for points, _ in scores),
            "orders": sum(orders for _, orders in scores),
        })  # fmt: skip
    rows.sort(key=lambda row: (-row["points"], row["orders"], row["seat"]))
    deals = max((len(row["deals"]) for row in rows), default=0)
    return {"rows": rows, "deals": deals, "deal": table.deal_number, "hidden": not table.over and len(rows) > 1}


def _book(result: Result, rules: Rules) -> View:
    """The GM's book: every board."""
    table = result.after
    names = {seat: of.name for seat, of in table.seats.items()}
    sheets = [
        {"name": of.name, **accounts(table, seat, rules), "possible": bound(of.board, table.deal, rules)}
        for seat, of in table.seats.items()
    ]
    boards = [
        {"name": of.name, "lines": board_text(of.board, table.deal).rstrip("\n").split("\n")}
        for of in table.seats.values()
    ]
    return {
        **report.of_gm(result, "", names, lambda seat: _orders(result, seat)),
        "sheets": sheets,
        "boards": boards,
        "board": report.board(picture(table, None, rules), draw(table, None, rules)),
        "contents": [{"to": "boards", "name": "All boards"}],
    }  # fmt: skip
