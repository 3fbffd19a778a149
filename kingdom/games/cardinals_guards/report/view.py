"""What the reports of this game have besides the kit's: the castle, what can be done there, what the orders did, the contest."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter

from kingdom.engine.ledger import Entry
from kingdom.engine.step import Facts, Orders, Result
from kingdom.games.cardinals_guards import state
from kingdom.games.cardinals_guards.orders import DOES, FROM, LAST, form_text, moves
from kingdom.games.cardinals_guards.orders.moves import Move, legal, slide
from kingdom.games.cardinals_guards.report.board import board_picture, board_text, draw, picture
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.state import CHAMBERS, COINS, SUIT_NAMES, SUITS, Board, Deal, Table
from kingdom.games.cardinals_guards.steps import accounts, bound, lost, maximum
from kingdom.games.kit import report
from kingdom.games.kit.report import View
from kingdom.games.kit.rules_page import rulebook as rulebook_of

PHASES = {"gm": "The GM", "castle": "In the castle", "closing": "The end of the deal", "deal": "A new castle"}


def heading(table: Table, rules: Rules) -> str:
    """Where the game stands."""
    deal = f"Deal {table.deal_number} of {rules.pace.deals}. " if rules.pace.deals > 1 else ""
    left = rules.pace.turns - table.window
    if table.over:
        return f"{deal}Every castle is finished."
    if left == 1:
        return f"{deal}{LAST}"
    return f"{deal}At most {left} turns are left for this castle."


def first(table: Table, seat: str, rules: Rules) -> Iterator[tuple[str, str, str, str]]:
    """The lines of the first screen: what the castle counts so far, and what can still be had."""
    of, balances = table.seats[seat], accounts(table, seat, rules)
    top, most = maximum(rules), bound(of.board, table.deal, rules)
    if of.past and not table.window:
        yield "Last castle", f"{of.past[-1].points} points in {of.past[-1].orders} orders", "players", ""
    counted = (
        f"{balances['searched']} of {CHAMBERS * len(SUITS)} chambers, {balances['escaped']} of {len(SUITS)} escaped"
    )
    counted += f", {balances['defeated']} of {len(COINS)} guards"
    yield "Score", f"{balances['points']} of {top} points: {counted}", "castle", ""
    yield "Orders used", str(of.board.orders), "castle", ""
    if most < top and not of.board.finished:
        why = ", ".join(lost(of.board, table.deal, rules)) + " can't be had any more"
        yield "Still possible", f"at most {most}: {why}", "castle", "mark"
    if of.past:
        yield "All deals", f"{balances['total']} points so far", "players", ""


def figures(table: Table, seat: str, rules: Rules) -> dict[str, object]:
    """A row of the contest: what everybody may know, the deals that are over."""
    of = table.seats[seat]
    scores = [(score.points, score.orders) for score in of.past]
    if table.over:
        balances = accounts(table, seat, rules)
        scores.append((balances["points"], balances["orders"]))
    deals: dict[str, object] = {
        f"Deal {number}": f"{points} in {orders}" for number, (points, orders) in enumerate(scores, 1)
    }
    sums = {"Points": sum(points for points, _ in scores), "Orders": sum(orders for _, orders in scores)}
    return {**(deals if len(deals) > 1 else {}), **sums}


def also(result: Result[Table], table: Table, seat: str, rules: Rules) -> Facts:
    """What the templates of a seat, or of the GM's book, get besides what every report has."""
    if not seat:
        return _book(table, rules)
    of = table.seats[seat]
    return {
        "form": [f"kingdom: {seat}", f"turn: {result.number + 1}", *form_text(table, seat, rules)],
        "castle": {
            "picture": board_picture(of.board, table.deal, f"The castle of {of.name}"),
            "lines": board_text(of.board, table.deal).splitlines(),
            "trail": list(of.board.trail),
            "layout": bool(rules.layout.given),
        },
        "moves": [] if table.over or of.board.finished else _outlook(of.board, table.deal, rules),
        "happened": _happened(result, seat),
        "orders": outcomes(result, seat),
    }


def _book(table: Table, rules: Rules) -> View:
    """The GM's book: every board."""
    sheets = [
        {"name": of.name, **accounts(table, seat, rules), "possible": bound(of.board, table.deal, rules)}
        for seat, of in table.seats.items()
    ]
    boards = [{"name": of.name, "lines": board_text(of.board, table.deal).splitlines()} for of in table.seats.values()]
    board = {"picture": picture(table, None, rules), "lines": draw(table, None, rules).splitlines()}
    return {"sheets": sheets, "boards": boards, "board": board, "contents": [{"to": "boards", "name": "All boards"}]}


# --- what each musketeer inside can do


def _outlook(board: Board, deal: Deal, rules: Rules) -> list[View]:
    """A row for each musketeer inside: suit and letter, the cell that he is on, the chamber that is searched next, his move to each side and what it does."""
    ordered = [order for order in legal(board, deal, rules) if isinstance(order, Move)]
    ways = {way: list(group) for way, group in groupby(ordered, attrgetter("suit", "side"))}
    at = {tile: cell for cell, tile in deal.tiles.items()}
    rows = list[View]()
    for suit in SUITS:
        if suit in state.inside(board):
            wanted = f"{suit}{board.searched[suit] + 1}"
            sides = {
                name: _move_text(ways.get((suit, side), []), board, deal, rules)
                for side, name in state.SIDE_NAMES.items()
            }
            rows.append({
                "suit": SUIT_NAMES[suit], "letter": suit, "on": board.pawns[suit],
                "next": f"{wanted} on {at[wanted]}" if wanted in at else "",
                "sides": [{"side": side, "text": text} for side, text in sides.items()],
            })  # fmt: skip
    return rows


def _move_text(ways: list[Move], board: Board, deal: Deal, rules: Rules) -> str:
    """Where a move ends and what it does, in a few words. ways: to order it, the plain one first; none where he can't move."""
    if not ways:
        return "-"
    move = ways[0]
    way = slide(board, move.suit, move.side)
    if way.end == "tunnel":
        return f"tunnels, exit {', '.join(move.exit for move in ways if not move.defeat)}"
    if way.end == "out":
        return "escapes" if board.searched[move.suit] == CHAMBERS else "out: killed"
    stages = moves.stages(move, board, deal, rules)
    does = [f"searches {stage.detail.split()[0]}" for stage in stages if stage.cause == "search"]
    if way.end == "guard":
        guard = board.perimeter[way.post]
        own = "can recruit" if len(ways) > 1 else f"own guard ({SUIT_NAMES[guard]}) stays"
        does.append(f"defeats {SUIT_NAMES[guard]}" if guard != move.suit else own)
    return "; ".join([way.cells[-1] if way.cells else board.pawns[move.suit], *does])


# --- what the orders did


def _happened(result: Result[Table], seat: str) -> list[report.PhaseLines]:
    """Phase by phase what the seat was told, and what the books say of it: an order and what it did as one line."""
    phases = {name: list[View]() for name in PHASES.values()}
    for phase in report.happened(report.heard(result, seat), PHASES, ("happened", "result", "stopped"), "stopped"):
        phases[phase["name"]] += phase["lines"]
    lines = [_line(group) for group in _by_order(result, seat)]
    phases[PHASES["castle"]] = [*lines, *phases[PHASES["castle"]]]
    return [{"name": name, "lines": lines} for name, lines in phases.items() if lines]


def _by_order(result: Result[Table], seat: str) -> list[list[Entry]]:
    """The entries of each order."""
    groups: list[list[Entry]] = []
    for entry in result.entries:
        if entry.kingdom == seat and entry.phase == "castle":
            if not groups or (entry.cause == "order" and entry.account == "orders"):
                groups.append([])
            groups[-1].append(entry)
    return groups


def _line(group: list[Entry]) -> View:
    done = dict.fromkeys(f"{DOES[entry.cause]} {entry.detail}" for entry in group if entry.cause in DOES)
    gained = sum(entry.delta for entry in group if entry.account == "points")
    text = f"{group[0].detail}: {', '.join(done)}" if done else group[0].detail
    return {"text": f"{text} ({gained:+})" if gained else text, "good": True if done else None}


def outcomes(result: Result[Table], seat: str) -> report.Outcomes:
    """What became of the orders: how many were carried out, which `happened` tells, and a row of each other one."""
    filed, mine = result.orders.get(seat, {}), report.alone(result, seat)
    refused = {notice.facts["order"]: notice.facts["reason"] for notice in mine if notice.kind == "refusal"}
    voided = {notice.facts["order"]: notice.facts["text"] for notice in mine if notice.kind == "voided"}
    rows: list[report.Outcome] = [
        {"text": path, "outcome": "refused", "why": refused[path]} for path in (FROM, "orders") if path in refused
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
        said += f" You said that the game is over{', but it stays open, as an order was refused' * stopped}."
    return said


def rulebook(rules: Facts, own: Facts) -> Facts:
    """What the kit's page of the rules shows; parts: of the points of a perfect game, and their sum."""
    scoring = rules["scoring"]
    parts = [CHAMBERS * len(SUITS) * scoring["chamber"], len(SUITS) * scoring["escaped"], len(COINS) * scoring["guard"]]
    return {**rulebook_of(rules, own), "parts": parts, "maximum": sum(parts)}
