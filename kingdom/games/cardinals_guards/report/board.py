"""The castle with characters and as one SVG: tiles, guards around and inside, musketeers. Suits have a letter and a colour of their own."""

from __future__ import annotations

from kingdom.games.cardinals_guards import state
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.state import COLUMNS, ROWS, SUIT_NAMES, SUITS, Board, Deal, Table, dealt, pawns_on
from kingdom.games.kit.drawing import INK, svg, text

_MARGIN = "      "
_LINE = f"{_MARGIN}+{'------+' * len(COLUMNS)}"


def draw(table: Table, seat: str | None, rules: Rules) -> str:
    """The board of a seat; without one the castle as it was dealt, or every board once all is over."""
    if seat is None and table.over:
        return "\n".join(f"{of.name}\n\n{board_text(of.board, table.deal)}" for of in table.seats.values())
    return board_text(table.seats[seat].board if seat else dealt(table.deal), table.deal)


def board_text(board: Board, deal: Deal) -> str:
    """The board in lines of 50 columns."""
    lines = [_edge(board, "5N"), _LINE]
    for row in reversed(ROWS):
        lines += [*_row(row, board, deal), _LINE]
    lines += [_edge(board, "1S"), _MARGIN + "".join(f"   {column}   " for column in COLUMNS), *_legend(board)]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _edge(board: Board, side: str) -> str:
    """The guards at the north or south edge."""
    return _MARGIN + "".join(f"   {board.perimeter.get(column + side, ' ').lower()}   " for column in COLUMNS)


def _row(row: str, board: Board, deal: Deal) -> tuple[str, str]:
    pawns = pawns_on(board)
    above, below = [], []
    for column in COLUMNS:
        cell = f"{column}{row}"
        above.append(f" {tile_text(deal.tiles[cell], board)} " if cell != state.HOLE else " .... ")
        empty = "      " if cell != state.HOLE else " .... "
        guard = f" ({deal.tiles[cell][0].lower()})  " if cell in board.castle else empty
        below.append(f" [{pawns[cell]}]  " if cell in pawns else guard)
    west, east = (board.perimeter.get(cell, " ").lower() for cell in (f"a{row}W", f"e{row}E"))
    return f"  {row} {west} |{'|'.join(above)}| {east}", f"{_MARGIN}|{'|'.join(below)}|"


def tile_text(tile: str, board: Board) -> str:
    """The tile in four characters: + behind it where it is searched, < where it is the next."""
    done = board.searched[tile[0]]
    rank = int(tile[1])
    mark = "+" if 0 < rank <= done else "<" if rank == done + 1 else " "
    return f"{tile}{mark} "


def _legend(board: Board) -> list[str]:
    supply = " ".join(suit.lower() for suit in SUITS for _ in range(board.supply[suit])) or "empty"
    dice = ", ".join(f"{SUIT_NAMES[suit]} {board.searched[suit]}" for suit in SUITS)
    gone = [f"{SUIT_NAMES[suit]} {board.pawns[suit]}" for suit in SUITS if board.pawns[suit] not in pawns_on(board)]
    out = [f"  Out of the castle: {', '.join(gone)}"] if gone else []
    return ["", f"  Supply: {supply}", f"  Dice: {dice}", *out]


# Of a tile, the margin with guards, the title, the supply: in units of the picture.
_SIDE, _EDGE, _HEAD, _FOOT = 70, 52, 34, 34
_COLOURS = {"S": "#8f4700", "M": "#14508f", "C": "#00605a", "A": "#a3241d"}  # dark: they stand on light ground
_TILE, _DONE = "#fffdf6", "#e4e0d4"  # the ground of a tile, and of one that is searched


def picture(table: Table, seat: str | None, rules: Rules) -> str:
    """The board of a seat; without one the castle as it was dealt, or every board once all is over."""
    if seat is not None:
        return board_picture(table.seats[seat].board, table.deal, f"The castle of {table.seats[seat].name}")
    if not table.over:
        return board_picture(dealt(table.deal), table.deal, "The castle as it was dealt")
    drawn = [board_body(of.board, table.deal, f"The castle of {of.name}") for of in table.seats.values()]
    moved = [f'<g transform="translate(0 {index * _height()})">{body}</g>' for index, body in enumerate(drawn)]
    return svg(_width(), _height() * len(drawn), "All castles", moved)


def board_picture(board: Board, deal: Deal, title: str) -> str:
    """One board as an SVG."""
    return svg(_width(), _height(), title, [board_body(board, deal, title)])


def _width() -> int:
    return 2 * _EDGE + _SIDE * len(COLUMNS)


def _height() -> int:
    return _HEAD + 2 * _EDGE + _SIDE * len(ROWS) + _FOOT


def board_body(board: Board, deal: Deal, title: str) -> str:
    """What is inside the picture of one board."""
    pawns = pawns_on(board)
    parts = [text(16, 25, title, 17, weight=600)]
    for row in ROWS:
        for column in COLUMNS:
            cell = f"{column}{row}"
            parts.append(_hole() if cell == state.HOLE else _tile(cell, deal.tiles[cell], board))
            if cell in pawns:
                parts.append(_musketeer(cell, pawns[cell]))
            elif cell in board.castle:
                parts.append(_guard(*_middle(cell, 15), deal.tiles[cell][0]))
    parts += [_guard(*_outside(post), suit) for post, suit in board.perimeter.items()]
    return "".join([*parts, *_labels(), _supply(board)])


def followed_picture(deal: Deal) -> str:
    """The castle for a page whose script puts the pieces where they stand as orders are chosen (templates/cardinals_guards/form).

    Every piece is in it wherever it may come to stand: guards by post and by cell, each musketeer on the first cell, `data-shift`
    being what takes him to another.
    """
    tiles = [_followed_tile(cell, deal.tiles.get(cell, "")) for cell in (*state.CELLS, state.HOLE)]
    posts = [_followed_guard(post, suit, *_outside(post)) for post, suit in deal.perimeter.items()]
    castle = [_followed_guard(cell, tile[0], *_middle(cell, 15)) for cell, tile in deal.tiles.items()]
    west, north = _place(state.CELLS[0])
    room = f'<rect x="{west + 3}" y="{north + 3}" width="{_SIDE - 6}" height="{_SIDE - 6}" stroke="none" fill="#0000"/>'  # for a finger
    pawns = [f'<g data-piece="{suit}">{room}{_musketeer(state.CELLS[0], suit)}</g>' for suit in SUITS]
    parts = [f"<style>{_FOLLOWED}</style>", *tiles, *_labels(), *posts, *castle, *pawns]
    return svg(_width(), 2 * _EDGE + _SIDE * len(ROWS), "The castle", parts, top=_HEAD)


_FOLLOWED = (
    f".tile rect{{fill:{_TILE};stroke:{INK};stroke-width:1}}.tile tspan{{display:none}}.tile.next rect{{stroke:currentColor;stroke-width:3}}"
    f".tile.done rect{{fill:{_DONE}}}.tile.done tspan{{display:inline}}"
)


def _followed_tile(cell: str, tile: str) -> str:
    (left, top), (west, north) = _place(cell), _place(state.CELLS[0])
    shift = f'data-cell="{cell}" data-shift="{left - west} {top - north}"'
    if not tile:
        return f"<g {shift}>{_hole()}</g>"
    ground = f'<rect x="{left + 2}" y="{top + 2}" width="{_SIDE - 4}" height="{_SIDE - 4}"/>'
    done = '<tspan font-size="10" font-weight="400"> (done)</tspan>'
    name = f'<text x="{left + 8}" y="{top + 22}" font-weight="600" fill="{_COLOURS[tile[0]]}">{tile}{done}</text>'
    return f'<g class="tile" {shift} color="{_COLOURS[tile[0]]}">{ground}{name}</g>'


def _followed_guard(at: str, suit: str, across: int, down: int) -> str:
    return f'<g data-guard="{at}" display="none">{_guard(across, down, suit)}</g>'


def _place(cell: str) -> tuple[int, int]:
    """The top left of a cell."""
    return _EDGE + COLUMNS.index(cell[0]) * _SIDE, _HEAD + _EDGE + (len(ROWS) - 1 - ROWS.index(cell[1])) * _SIDE


def _middle(cell: str, down: int = 0) -> tuple[int, int]:
    left, top = _place(cell)
    return left + _SIDE // 2, top + _SIDE // 2 + down


def _outside(post: str) -> tuple[int, int]:
    """Where the guard at a post stands."""
    across, down = _middle(post[:2])
    far = _SIDE // 2 + 17
    return across + {"E": far, "W": -far}.get(post[2], 0), down + {"N": -far, "S": far}.get(post[2], 0)


def _tile(cell: str, tile: str, board: Board) -> str:
    left, top = _place(cell)
    done, rank = board.searched[tile[0]], int(tile[1])
    ground = _DONE if 0 < rank <= done else _TILE
    edge = f'stroke="{_COLOURS[tile[0]]}" stroke-width="3"' if rank == done + 1 else f'stroke="{INK}" stroke-width="1"'
    mark = '<tspan font-size="11" font-weight="400"> (done)</tspan>' if 0 < rank <= done else ""
    name = f'<text x="{left + 8}" y="{top + 22}" font-weight="600" fill="{_COLOURS[tile[0]]}">{tile}{mark}</text>'
    return f'<rect x="{left + 2}" y="{top + 2}" width="{_SIDE - 4}" height="{_SIDE - 4}" fill="{ground}" {edge}/>{name}'


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
    down = _HEAD + 2 * _EDGE + _SIDE * len(ROWS) - 3
    columns = [text(_middle(f"{column}1")[0], down, column, 13, anchor="middle") for column in COLUMNS]
    return [*columns, *(text(8, _middle(f"a{row}")[1] + 5, row, 13) for row in ROWS)]


def _supply(board: Board) -> str:
    down = _HEAD + 2 * _EDGE + _SIDE * len(ROWS) + 20
    held = ", ".join(f"{board.supply[suit]} {SUIT_NAMES[suit]}" for suit in SUITS if board.supply[suit]) or "empty"
    gone = ", ".join(
        f"{SUIT_NAMES[suit]} {board.pawns[suit]}" for suit in SUITS if board.pawns[suit] not in pawns_on(board)
    )
    return text(16, down, f"Supply: {held}{'. ' + gone.capitalize() if gone else ''}", 13)
