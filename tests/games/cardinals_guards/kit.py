"""What the tests of Cardinal's Guards share: castles, boards and orders written as a player would."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import yaml
from msgspec.structs import replace

from kingdom.engine import game as games
from kingdom.engine.dice import Dice
from kingdom.engine.step import Result
from kingdom.engine.turn import resolve
from kingdom.games.cardinals_guards.orders import moves
from kingdom.games.cardinals_guards.orders.moves import after, legal
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.state import CELLS, POSTS, Board, Deal, Seat, Table, dealt
from kingdom.games.cardinals_guards.steps import points
from kingdom.orders import orders_file as reading
from kingdom.orders import tables

GAME = games.load("cardinals_guards")
RULES: Rules = tables.load(GAME).rules
GOLDEN = yaml.load((Path(__file__).parent / "golden.yaml").read_text(encoding="utf-8"), Loader=yaml.BaseLoader)


def rules(**changes: dict[str, Any]) -> Rules:
    """The rules with some figures changed, as a campaign would: rules(search={"pass_through_counts": True})."""
    return replace(RULES, **{name: replace(getattr(RULES, name), **figures) for name, figures in changes.items()})


def deal_of(layout: dict[str, Any]) -> Deal:
    """The castle of a layout in the form of the ruling `layout`."""
    tiles = [tile for row in layout["tiles"] for tile in row.split() if tile != "--"]
    coins = [*layout["north"], *layout["east"], *reversed(layout["south"]), *reversed(layout["west"])]
    return Deal(dict(zip(CELLS, tiles, strict=True)), dict(zip(POSTS, coins, strict=True)), layout["supply"])


DEAL = deal_of(GOLDEN["layout"])


def random_deal(number: int) -> Deal:
    """A castle by the dice of a public seed."""
    from kingdom.campaign import opening
    from tests.kit.gamekit import NEW

    files = {file: text.encode() for file, text in GAME.opening.new(1, NEW).items() if file != "campaign.yaml"}
    given = opening.setup(files, Path("guards"), GAME, RULES, ("athos",))
    return opening.opened(GAME, given, RULES, Dice(f"public, castle {number}", 0)).after.deal


def table_of(deal: Deal = DEAL, *names: str, **boards: Board) -> Table:
    """A table at its first turn: seats with a fresh board, or with the board that is given."""
    seats = {
        name: Seat(name=name.title(), board=boards.get(name, dealt(deal))) for name in (*names, *boards) or ("athos",)
    }
    return Table(seats=seats, stack=(), deal=deal, deal_number=1)


def order_of(text: str) -> moves.Move | moves.Lure:
    """An order from its short form."""
    return moves.order_of(filing_of("athos", 1, f"orders: [{text}]\n")["orders"][0])


def filing_of(seat: str, turn: int, text: str, seats: Sequence[str] = ("athos", "porthos", "aramis")) -> dict[str, Any]:
    """Orders as a player would type them, read as the program reads them."""
    found = reading.read(f"kingdom: {seat}\nturn: {turn}\n{text}".encode(), seat, GAME, {"seats": seats}, seat, turn)
    assert found.orders is not None, found.problems
    return found.orders


def turn(table: Table, played_by: Rules = RULES, **texts: str) -> Result:
    """A turn with these orders; `gm` may file too."""
    filed = {
        seat: filing_of(seat, table.turn + 1, text) if seat != "gm" else gm_filing(table.turn + 1, text)
        for seat, text in texts.items()
    }
    return resolve(GAME, table, filed, Dice("public", table.turn + 1), played_by)


def gm_filing(number: int, text: str) -> dict[str, Any]:
    """The GM's orders as typed."""
    found = reading.read(
        f"turn: {number}\n{text}".encode(), "gm", GAME, {"seats": ("athos", "porthos", "aramis")}, "gm", number
    )
    assert found.orders is not None, found.problems
    return found.orders


def played(texts: Iterable[str], board: Board | None = None, deal: Deal = DEAL, by: Rules = RULES) -> Board:
    """The board behind these orders, all of them allowed."""
    board = board or dealt(deal)
    for text in texts:
        board = after(order_of(text), board, deal, by)
    return board


def refused(text: str, board: Board, deal: Deal = DEAL, by: Rules = RULES) -> str:
    """The code that forbids the order, "" where it is allowed."""
    wrong = moves.forbidden(order_of(text), board, deal, by)
    return wrong[0] if wrong else ""


def score(board: Board, by: Rules = RULES) -> int:
    """Its points."""
    return points(board, by)


def walk(choices: Sequence[int], deal: Deal, by: Rules = RULES) -> list[tuple[moves.Move | moves.Lure, Board]]:
    """A game at random, chosen by these numbers: each order, and the board behind it."""
    board, found = dealt(deal), []
    for choice in choices:
        allowed = list(legal(board, deal, by))
        if not allowed:
            break
        order = allowed[choice % len(allowed)]
        board = after(order, board, deal, by)
        found.append((order, board))
    return found
