"""What the reports of this game add to the kit's: the castle, the possible moves, what the orders did, the contest.

Below, the castle is drawn with characters and as one SVG: tiles, guards around and inside, musketeers. Each suit has its letter and colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby, pairwise
from operator import attrgetter

from kingdom.engine.ledger import Entry
from kingdom.engine.step import Facts, Result
from kingdom.games.cardinals_guards import state
from kingdom.games.cardinals_guards.orders import DOES, FROM, LAST, form_text, moves
from kingdom.games.cardinals_guards.orders.moves import Move, legal, slide
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.state import CHAMBERS, COINS, SUIT_NAMES, SUITS, Board, Deal, Table, dealt, pawns_on
from kingdom.games.cardinals_guards.steps import accounts, bound, lost, maximum, points
from kingdom.games.kit import report
from kingdom.games.kit.drawing import INK, svg, text
from kingdom.games.kit.report import View
from kingdom.games.kit.rules_page import rulebook as rulebook_of
from kingdom.render.plain_text import counted

PRESS = "Press a musketeer and then a lit tile, or move him with the arrow keys, or choose below."
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
    """The lines of the first screen: the score so far, and the score that is still possible."""
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
    """A row of the contest. It has what everybody may know: the deals that are over."""
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
    sheets = [{
        "name": of.name, **accounts(table, seat, rules), "possible": bound(of.board, table.deal, rules),
        "lines": board_text(of.board, table.deal).splitlines(),
    } for seat, of in table.seats.items()]  # fmt: skip
    board = {"picture": picture(table, None, rules), "lines": draw(table, None, rules).splitlines()}
    return {"sheets": sheets, "board": board, "contents": [{"to": "boards", "name": "All boards"}]}


# --- what each musketeer inside can do


def _outlook(board: Board, deal: Deal, rules: Rules) -> list[View]:
    """A row for each musketeer inside: suit, letter, his cell, the chamber that he searches next, and what his move to each side does."""
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
    """Where a move ends and what it does, in a few words. ways: the orders for that move, the plain one first; empty if he can't move."""
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


def _happened(result: Result[Table], seat: str) -> list[View]:
    """Phase by phase what the seat was told; for the castle also each order that was carried out and what it did, a line each."""
    told = report.happened(report.heard(result, seat), PHASES, ("happened", "result", "stopped"), "stopped")
    phases = {**dict.fromkeys(PHASES.values(), ()), **{phase["name"]: phase["lines"] for phase in told}}
    entries = [entry for entry in result.entries if entry.kingdom == seat and entry.phase == "castle"]
    orders = [at for at, entry in enumerate(entries) if (entry.cause, entry.account) == ("order", "orders")]
    lines = [_line(entries[first:behind]) for first, behind in pairwise([*orders, len(entries)])]
    phases[PHASES["castle"]] = [*lines, *phases[PHASES["castle"]]]
    return [{"name": name, "lines": lines} for name, lines in phases.items() if lines]


def _line(group: list[Entry]) -> View:
    done = dict.fromkeys(f"{DOES[entry.cause]} {entry.detail}" for entry in group if entry.cause in DOES)
    gained = sum(entry.delta for entry in group if entry.account == "points")
    text = f"{group[0].detail}: {', '.join(done)}" if done else group[0].detail
    return {"text": f"{text} ({gained:+})" if gained else text, "good": True if done else None}


def outcomes(result: Result[Table], seat: str) -> report.Outcomes:
    """What became of the orders: how many were carried out, and a row for each other order."""
    filed, mine = result.orders.get(seat, {}), report.alone(result, seat)
    voided = {notice.facts["order"]: notice.facts["text"] for notice in mine if notice.kind == "voided"}
    refused = {notice.facts["order"]: notice.facts["reason"] for notice in mine if notice.kind == "refusal"}
    why, orders = {**refused, **voided}, filed.get("orders", ())
    named = {path: path for path in (FROM, "orders") if path in refused}
    stopped, left, done = bool(named), list[str](), 0
    for index, record in enumerate(orders):
        path, order = f"orders[{index}]", f"{index + 1}. {moves.short(moves.order_of(record))}"
        if path in why:
            named[path] = order
        elif stopped:
            left.append(order)
        else:
            done += 1
        stopped = stopped or path in refused
    rows: list[report.Outcome] = [
        {"text": order, "outcome": "refused", "why": why[path]} for path, order in named.items()
    ]
    if left:
        before = "Not carried out: what stands before was refused (ruling sequence)."
        rows.append({"text": "; ".join(left), "outcome": "changed", "why": before})
    said = f"{counted(len(orders), 'order')} came, {'all' if orders and done == len(orders) else done} carried out."
    if filed.get("finish"):
        said += f" You said that the game is over{', but it stays open, as an order was refused' * stopped}."
    return {"said": said if filed else "You sent no orders; the castle stands as it was.", "rows": rows}


def rulebook(rules: Facts, own: Facts) -> Facts:
    """The data of the rules page. parts: the points of a perfect game for chambers, escapes and guards; maximum: their sum."""
    scoring = rules["scoring"]
    parts = [CHAMBERS * len(SUITS) * scoring["chamber"], len(SUITS) * scoring["escaped"], len(COINS) * scoring["guard"]]
    return {**rulebook_of(rules, own), "parts": parts, "maximum": sum(parts)}


# --- the castle drawn


_MARGIN = "      "
_LINE = f"{_MARGIN}+{'------+' * len(state.COLUMNS)}"


def draw(table: Table, seat: str | None, rules: Rules) -> str:
    """The board of a seat; without one the castle as it was dealt, or every board once all is over."""
    if seat is None and table.over:
        return "\n".join(f"{of.name}\n\n{board_text(of.board, table.deal)}" for of in table.seats.values())
    return board_text(table.seats[seat].board if seat else dealt(table.deal), table.deal)


def board_text(board: Board, deal: Deal) -> str:
    """The board in lines of 50 columns."""
    lines = [_edge(board, "5N"), _LINE]
    for row in reversed(state.ROWS):
        lines += [*_row(row, board, deal), _LINE]
    lines += [_edge(board, "1S"), _MARGIN + "".join(f"   {column}   " for column in state.COLUMNS), *_legend(board)]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _edge(board: Board, side: str) -> str:
    """The guards at the north or south edge."""
    return _MARGIN + "".join(f"   {board.perimeter.get(column + side, ' ').lower()}   " for column in state.COLUMNS)


def _row(row: str, board: Board, deal: Deal) -> tuple[str, str]:
    pawns = pawns_on(board)
    above, below = [], []
    for column in state.COLUMNS:
        cell = f"{column}{row}"
        above.append(f" {tile_text(deal.tiles[cell], board)} " if cell != state.HOLE else " .... ")
        empty = "      " if cell != state.HOLE else " .... "
        guard = f" ({deal.tiles[cell][0].lower()})  " if cell in board.castle else empty
        below.append(f" [{pawns[cell]}]  " if cell in pawns else guard)
    west, east = (board.perimeter.get(cell, " ").lower() for cell in (f"a{row}W", f"e{row}E"))
    return f"  {row} {west} |{'|'.join(above)}| {east}", f"{_MARGIN}|{'|'.join(below)}|"


def tile_text(tile: str, board: Board) -> str:
    """The tile in four characters: + behind a tile that is searched, < behind the next one."""
    done = board.searched[tile[0]]
    rank = int(tile[1])
    mark = "+" if 0 < rank <= done else "<" if rank == done + 1 else " "
    return f"{tile}{mark} "


def _legend(board: Board) -> list[str]:
    supply = " ".join(suit.lower() for suit in SUITS for _ in range(board.supply[suit])) or "empty"
    dice = ", ".join(f"{SUIT_NAMES[suit]} {board.searched[suit]}" for suit in SUITS)
    out = [f"  Out of the castle: {gone}"] if (gone := _gone(board)) else []
    return ["", f"  Supply: {supply}", f"  Dice: {dice}", *out]


def _gone(board: Board) -> str:
    """The musketeers that have left the castle, and how."""
    return ", ".join(f"{SUIT_NAMES[suit]} {board.pawns[suit]}" for suit in SUITS if suit not in state.inside(board))


# Of a tile, the margin with guards, the title, the supply: in units of the picture.
_SIDE, _EDGE, _HEAD, _FOOT = 70, 52, 34, 34
_WIDE, _HIGH = 2 * _EDGE + _SIDE * len(state.COLUMNS), _HEAD + 2 * _EDGE + _SIDE * len(state.ROWS) + _FOOT
_COLOURS = {"S": "#8f4700", "M": "#14508f", "C": "#00605a", "A": "#a3241d"}  # dark: they stand on light ground
_TILE, _DONE = "#fffdf6", "#e4e0d4"  # the ground of a tile, and of a tile that is searched


def picture(table: Table, seat: str | None, rules: Rules) -> str:
    """The board of a seat; without one the castle as it was dealt, or every board once all is over."""
    if seat is not None:
        return board_picture(table.seats[seat].board, table.deal, f"The castle of {table.seats[seat].name}")
    if not table.over:
        return board_picture(dealt(table.deal), table.deal, "The castle as it was dealt")
    drawn = [board_body(of.board, table.deal, f"The castle of {of.name}") for of in table.seats.values()]
    moved = [f'<g transform="translate(0 {index * _HIGH})">{body}</g>' for index, body in enumerate(drawn)]
    return svg(_WIDE, _HIGH * len(drawn), "All castles", moved)


def board_picture(board: Board, deal: Deal, title: str) -> str:
    """One board as an SVG."""
    return svg(_WIDE, _HIGH, title, [board_body(board, deal, title)])


def board_body(board: Board, deal: Deal, title: str) -> str:
    """What is inside the picture of one board."""
    pawns = pawns_on(board)
    parts = [text(16, 25, title, 17, weight=600)]
    for row in state.ROWS:
        for column in state.COLUMNS:
            cell = f"{column}{row}"
            parts.append(_hole() if cell == state.HOLE else _tile(cell, deal.tiles[cell], board.searched))
            if cell in pawns:
                parts.append(_musketeer(cell, pawns[cell]))
            elif cell in board.castle:
                parts.append(_guard(*_middle(cell, 15), deal.tiles[cell][0]))
    parts += [_guard(*_outside(post), suit) for post, suit in board.perimeter.items()]
    return "".join([*parts, *_labels(), _supply(board)])


def page(seen: Table, seat: str, rules: Rules) -> View:
    """What the seat's order form adds to the orders: the castle that a script follows, and how many orders were carried out before."""
    board, last = seen.seats[seat].board, rules.pace.turns - seen.window == 1
    return {
        "notice": f"{LAST if last else ''} {PRESS}".strip(),
        "counters": [
            {"id": "points", "name": "Score", "left": points(board, rules), "unit": f"of {maximum(rules)}"},
            {"id": "orders", "name": "Orders", "left": board.orders, "unit": "used"},
        ],
        "scripts": ("castle.js", "castleform.js"),
        "picture": followed_picture(seen.deal),
        "always": {FROM: board.orders},
    }


def followed_picture(deal: Deal) -> str:
    """The castle for the order form, whose script moves the pieces as orders are chosen (templates/cardinals_guards/form).

    Every piece is in it wherever it may come to stand: guards by post and by cell, each musketeer on the first cell, `data-shift`
    being what takes him to another.
    """
    west, north = _place(state.CELLS[0])
    shifts = {cell: (left - west, top - north) for cell in (*state.CELLS, state.HOLE) for left, top in [_place(cell)]}
    at = {cell: f'data-cell="{cell}" data-shift="{right} {down}"' for cell, (right, down) in shifts.items()}
    tiles = [
        f'<g class="tile" {at[cell]} color="{_COLOURS[tile[0]]}">{_tile(cell, tile)}</g>'
        for cell, tile in deal.tiles.items()
    ]
    posts = {post: _guard(*_outside(post), suit) for post, suit in deal.perimeter.items()}
    castle = {cell: _guard(*_middle(cell, 15), tile[0]) for cell, tile in deal.tiles.items()}
    guards = [
        f'<g data-guard="{place}" display="none"><title>a guard at {place}</title> {guard}</g>'
        for place, guard in (posts | castle).items()
    ]
    room = f'<rect x="{west + 3}" y="{north + 3}" width="{_SIDE - 6}" height="{_SIDE - 6}" stroke="none" fill="#0000"/>'  # for a finger
    pawns = [f'<g data-piece="{suit}">{room}{_musketeer(state.CELLS[0], suit)}</g>' for suit in SUITS]
    hole = f"<g {at[state.HOLE]}>{_hole()}</g>"
    parts = [f"<style>{_FOLLOWED}</style>", *tiles, hole, *_labels(), *guards, *pawns]
    return svg(_WIDE, 2 * _EDGE + _SIDE * len(state.ROWS), "The castle", parts, top=_HEAD)


_FOLLOWED = (
    f".tile tspan{{display:none}}.tile.next rect{{stroke:currentColor;stroke-width:3}}"
    f".tile.done rect{{fill:{_DONE}}}.tile.done tspan{{display:inline}}"
)


def _place(cell: str) -> tuple[int, int]:
    """The top left of a cell."""
    return _EDGE + state.COLUMNS.index(cell[0]) * _SIDE, _HEAD + _EDGE + (
        len(state.ROWS) - 1 - state.ROWS.index(cell[1])
    ) * _SIDE


def _middle(cell: str, down: int = 0) -> tuple[int, int]:
    left, top = _place(cell)
    return left + _SIDE // 2, top + _SIDE // 2 + down


def _outside(post: str) -> tuple[int, int]:
    """Where the guard at a post stands."""
    across, down = _middle(post[:2])
    far = _SIDE // 2 + 17
    return across + {"E": far, "W": -far}.get(post[2], 0), down + {"N": -far, "S": far}.get(post[2], 0)


def _tile(cell: str, tile: str, searched: Mapping[str, int] | None = None) -> str:
    """A tile. searched: what the dice show; None: a script marks the searched tiles and the tiles that are next."""
    left, top = _place(cell)
    rank, die = int(tile[1]), searched[tile[0]] if searched else -2
    done = 0 < rank <= die
    edge = f'stroke="{_COLOURS[tile[0]]}" stroke-width="3"' if rank == die + 1 else f'stroke="{INK}" stroke-width="1"'
    mark = '<tspan font-size="11" font-weight="400"> (done)</tspan>' if done or not searched else ""
    name = f'<text x="{left + 8}" y="{top + 22}" font-weight="600" fill="{_COLOURS[tile[0]]}">{tile}{mark}</text> '
    return f'<rect x="{left + 2}" y="{top + 2}" width="{_SIDE - 4}" height="{_SIDE - 4}" fill="{_DONE if done else _TILE}" {edge}/>{name}'


def _hole() -> str:
    left, top = _place(state.HOLE)
    return f'<rect x="{left + 2}" y="{top + 2}" width="{_SIDE - 4}" height="{_SIDE - 4}" fill="{INK}"/>'


def _musketeer(cell: str, suit: str) -> str:
    across, down = _middle(cell, 14)
    points = f"{across - 16},{down + 15} {across},{down - 18} {across + 16},{down + 15}"
    return (
        f'<polygon points="{points}" fill="{_COLOURS[suit]}"/>{text(across, down + 11, suit, 15, _TILE, "middle", 700)}'
    )


def _guard(across: int, down: int, suit: str) -> str:
    ring = f'<circle cx="{across}" cy="{down}" r="14" fill="{_TILE}" stroke="{_COLOURS[suit]}" stroke-width="3"/>'
    return ring + text(across, down + 5, suit.lower(), 15, _COLOURS[suit], "middle")


def _labels() -> list[str]:
    """The letters of the columns and the numbers of the rows, outside the guards."""
    down = _HEAD + 2 * _EDGE + _SIDE * len(state.ROWS) - 3
    columns = [text(_middle(f"{column}1")[0], down, column, 13, anchor="middle") for column in state.COLUMNS]
    return [*columns, *(text(8, _middle(f"a{row}")[1] + 5, row, 13) for row in state.ROWS)]


def _supply(board: Board) -> str:
    down = _HEAD + 2 * _EDGE + _SIDE * len(state.ROWS) + 20
    held = ", ".join(f"{board.supply[suit]} {SUIT_NAMES[suit]}" for suit in SUITS if board.supply[suit]) or "empty"
    gone = f". {_gone(board).capitalize()}" if _gone(board) else ""
    return text(16, down, f"Supply: {held}{gone}", 13)
