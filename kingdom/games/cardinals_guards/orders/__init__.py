"""What a player may order: moves and lures one after the other, and that the game on this castle is over behind them; the order forms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from kingdom.engine.offer import Offer
from kingdom.engine.refusal import Refusal
from kingdom.engine.step import Orders
from kingdom.games.cardinals_guards import state
from kingdom.games.cardinals_guards.orders import moves
from kingdom.games.cardinals_guards.orders.moves import Form, Lure, LureForm, MoveForm
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.state import Board, Table, cells_from, replace, with_player
from kingdom.games.cardinals_guards.steps import Now, Turn, accounts, points
from kingdom.orders import kit
from kingdom.orders.kit import Candidate
from kingdom.orders.schema import Flag, ListOf, OneOf

DOES = {
    "defeat": "defeats", "removal": "defeats", "recruit": "recruits", "lure": "lures", "search": "searches", "escape": "escapes:",
}  # fmt: skip  # cause of a stage -> what the musketeer does
FROM: Final = "continue_from"


def board_of(now: Now) -> Board:
    """Return the seat's board."""
    return now.state.seats[now.seat].board


def closed(now: Now) -> bool:
    """Return whether the seat's game on this castle is over."""
    return now.state.over or board_of(now).finished


class CastleOrders(kit.Sequence[Table, Rules, Form]):
    """Moves and lures on the seat's own board. Ruling: sequence."""

    key, phase, name = "orders", "castle", "the castle"
    shape = ListOf("the orders to musketeers and guards", OneOf("an order", {
        "move": kit.record(MoveForm, "a move", short=(
            "move {move} {dir}[ exit {exit}][ defeat {defeat}][ {recruit}]", "move {move} {dir} defeat {defeat} exit {exit}",
        )),
        "lure": kit.record(LureForm, "a guard to lure", short=("lure {lure}[ to] {cell}",)),
    }), short="commas")  # fmt: skip
    causes = moves.CAUSES
    refusals = {
        **moves.REFUSALS,
        "guards_finished": "This game is over, so nothing is carried out any more (ruling finishing); wait for the next deal, if there is "
        "one.",
        "guards_continue": "These orders continue from order {said}, and {done} were carried out on this deal (ruling continue_from); write "
        "`continue_from: {done}` with the orders that are still to come.",
    }
    used = ""  # no notice: the ledger says that they were carried out

    def chooses(self, now: Now) -> bool:
        return not closed(now)

    def asks(self, now: Now) -> str:
        first = board_of(now).orders + 1
        return f"Orders from number {first} on, as many as you like; each finds the castle as it stands behind those before it. The first that is not allowed stops them."

    def closed(self, now: Now, orders: Orders) -> tuple[str, Refusal] | None:
        done = board_of(now).orders
        if self.key not in orders and FROM not in orders:
            return None
        if board_of(now).finished:
            return self.key, Refusal("guards_finished")
        said = orders.get(FROM, done)
        return None if said == done else (FROM, Refusal("guards_continue", {"said": said, "done": done}))

    def candidates(self, now: Now) -> Iterator[Candidate]:
        table, before = now.state, accounts(now.state, now.seat, now.rules)
        for order in moves.legal(board_of(now), table.deal, now.rules):
            stages, name = list(moves.stages(order, board_of(now), table.deal, now.rules)), moves.short(order)
            board = stages[-1].board
            after = accounts(with_player(table, now.seat, board=board), now.seat, now.rules)
            does = [f"{DOES[stage.cause]} {stage.detail}" for stage in stages if stage.cause in DOES]
            cell = board.pawns[order.suit]
            rests = "is killed outside" if cell == state.KILLED else f"stops on {cell}"
            yield Candidate(
                name, moves.record_of(order), name, said=", ".join(does) or rests, costs={"supply": 1} if isinstance(order, Lure) else {},
                effect={account: by for account, held in before.items() if (by := after[account] - held)}, checked=True,
            )  # fmt: skip

    def objection(self, now: Now, order: Form) -> kit.Objection:
        return moves.forbidden(moves.order_of(order), board_of(now), now.state.deal, now.rules)

    def carry_out(self, now: Now, order: Form, turn: Turn) -> Table:
        table = now.state
        for stage in moves.stages(moves.order_of(order), board_of(now), table.deal, now.rules):
            table = with_player(table, now.seat, board=stage.board)
            turn.book(now.seat, accounts(table, now.seat, now.rules), stage.cause, stage.detail)
        return table

    def stopped(self, now: Now, turn: Turn, path: str, order: Form, behind: int) -> None:
        rest = f"neither it nor the {behind if behind > 1 else 'one'} behind it were" if behind else "it was not"
        number = int(path.strip("]").partition("[")[2]) + 1
        text = f"Your orders stop before number {number}, {self.say(order)}: {rest} carried out."
        turn.tell(now.seat, "stopped", order=path, left=behind, text=text)

    def say(self, order: Form) -> str:
        return moves.short(moves.order_of(order))

    def data(self, now: Now) -> dict[str, Any]:
        """All that the script follows the castle by. ways: cell -> side -> the cells there, the nearest first. worth: in points."""
        rules = now.rules
        return {
            "suits": state.SUIT_NAMES,
            "sides": state.SIDE_NAMES,
            "hole": state.HOLE,
            "corners": state.CORNERS,
            "ways": {cell: {side: list(cells_from(cell, side)) for side in state.SIDE_NAMES} for cell in state.CELLS},
            "chambers": state.CHAMBERS,
            "worth": {"chamber": rules.scoring.chamber, "escaped": rules.scoring.escaped, "guard": rules.scoring.guard},
            "rules": {
                "pass_through_counts": rules.search.pass_through_counts,
                "zero_length": rules.zero_length.stop,
                "before_choosing": rules.tunnel_removal.when == "before_choosing",
                "own_suit_removal": rules.variants.own_suit_removal,
                "no_recruiting": rules.variants.no_recruiting,
            },
            "tiles": now.state.deal.tiles,
            "board": standing(board_of(now), rules),
        }


def standing(board: Board, rules: Rules) -> dict[str, Any]:
    """Return a board as the page's script knows it."""
    pieces = {name: getattr(board, name) for name in ("pawns", "searched", "perimeter", "castle", "supply", "orders")}
    return {**pieces, "points": points(board, rules)}


class Finish(kit.One[Table, Rules, bool]):
    """The seat is done with this castle. Ruling: finishing."""

    key, phase, name = "finish", "closing", "the end"
    shape = Flag("whether the game is over behind these orders")

    def chooses(self, now: Now) -> bool:
        return not closed(now)

    def asks(self, now: Now) -> str:
        return "Say when you are done with this castle. After its last turn everybody is done."

    def candidates(self, now: Now) -> Iterator[Candidate]:
        yield Candidate("finish", True, "The game on this castle is over behind these orders", uses={"finish": 1})

    def objection(self, now: Now, order: bool) -> kit.Objection:
        return None

    def carry_out(self, now: Now, order: bool, turn: Turn) -> Table:
        return with_player(now.state, now.seat, board=replace(board_of(now), finished=True))

    def say(self, order: bool) -> str:
        return "the game is over"


# --- the order forms


LAST = "This is the last turn for this castle, which then counts as it stands."
FORMS = "# Forms: move C E, move C N recruit, move A E exit e5 defeat a2, lure A a2"
CASTLE, FINISH = CastleOrders(), Finish()


def offers(known: Table, seat: str, rules: Rules, orders: Orders) -> list[Offer]:
    """Return what more the seat may order behind these orders: any allowed order, and the end of its game. Nothing if they are refused."""
    now = Now(known, seat, rules)
    behind = None if closed(now) else CASTLE.behind(now, orders)
    return [*kit.offers(CASTLE, now, orders), *kit.offers(FINISH, behind, orders)] if behind else []


def form_text(table: Table, seat: str, rules: Rules) -> list[str]:
    """Return the order form as text, below its head."""
    now = Now(table, seat, rules)
    if closed(now):
        return kit.remark(over(table))
    done = f"{FROM}: {board_of(now).orders:<11}# orders carried out so far: keep this line"
    return [done, FORMS, *kit.text_form([(order, now) for order in (CASTLE, FINISH)])]


def over(table: Table) -> str:
    """Return the sentence for a seat that has nothing to order."""
    if table.over:
        return "The game is over; there is nothing to order."
    return "Your game on this castle is over; wait for the others."
