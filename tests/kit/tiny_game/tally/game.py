"""Tally: each turn a seat takes some coins from the bank and then throws a die; a six doubles what it took.

What a seat buried nobody else knows, so that there is something to hide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from kingdom.engine.game import Game, Opening, Setup
from kingdom.engine.step import Phase, Turn
from kingdom.orders.schema import Flag, ListOf, Number, Record, Text, Word


class Purse(Struct, frozen=True):
    """What a seat has, in coins."""

    coins: int
    buried: int = 0


class Table(Struct, frozen=True):
    """The state after a turn."""

    turn: int
    purses: dict[str, Purse]


class Take(Struct, frozen=True, forbid_unknown_fields=True):
    """The ruling on taking."""

    text: str
    most: Annotated[int, Meta(ge=1, le=99)]
    sides: Annotated[int, Meta(ge=2, le=99)]
    rank: Annotated[int, Meta(ge=0, le=99)]


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of tally."""

    take: Take


def take(table: Table, turn: Turn) -> Table:
    """Each takes its coins; who asks for too many is refused."""
    for seat, purse in table.purses.items():
        wanted = turn.orders.get(seat, {}).get("take", 0)
        if wanted > turn.rules.take.most:
            turn.refuse(seat, "take", "too_greedy", wanted=wanted, most=turn.rules.take.most)
            continue
        table = _with(table, turn, seat, replace(purse, coins=purse.coins + wanted), "take", f"{wanted} taken")
    return table


def bury(table: Table, turn: Turn) -> Table:
    """Each buries what it said."""
    for seat, purse in table.purses.items():
        wanted = turn.orders.get(seat, {}).get("bury", 0)
        purse = replace(purse, coins=purse.coins - wanted, buried=purse.buried + wanted)
        table = _with(table, turn, seat, purse, "bury", f"{wanted} buried")
    return table


def luck(table: Table, turn: Turn) -> Table:
    """The highest face doubles what was taken."""
    for seat, purse in table.purses.items():
        taken = turn.orders.get(seat, {}).get("take", 0)
        if (
            0 < taken <= turn.rules.take.most
            and turn.roll(seat, "luck", turn.rules.take.sides) == turn.rules.take.sides
        ):
            table = _with(table, turn, seat, replace(purse, coins=purse.coins + taken), "luck", "lucky")
    return table


def tidy(table: Table, turn: Turn) -> Table:
    """The end of the turn."""
    return replace(table, turn=turn.number)


def _with(table: Table, turn: Turn, seat: str, purse: Purse, cause: str, detail: str) -> Table:
    table = replace(table, purses={**table.purses, seat: purse})
    turn.book(seat, accounts(table, seat, turn.rules), cause, detail)
    return table


def accounts(table: Table, seat: str, rules: Rules) -> Mapping[str, int]:
    rank = rules.take.rank if seat == "ann" else 0  # a derived account: it follows from the rules
    return {"coins": table.purses[seat].coins, "buried": table.purses[seat].buried, "rank": rank}


def start(setup: Setup, rules: Rules) -> Table:
    return Table(0, {seat: Purse(setup.files[f"kingdoms/{seat}.yaml"]["coins"]) for seat in sorted(setup.seats)})


def sheet(table: Table, seat: str, rules: Rules) -> dict[str, Any]:
    return {"kingdom": seat, "turn": table.turn, **accounts(table, seat, rules)}


def known(table: Table, seat: str, rules: Rules) -> Table:
    """What others buried nobody knows."""
    seen = {other: purse if other == seat else replace(purse, buried=0) for other, purse in table.purses.items()}
    return replace(table, purses=seen)


def view(result: Any, seat: str, rules: Rules, *rest: Any, **more: Any) -> dict[str, Any]:
    seats = result.after.purses if seat == "gm" else [seat]
    return {"turn": result.number, "purses": {each: dict(accounts(result.after, each, rules)) for each in seats}}


def finished(table: Table) -> str:
    return "the bank is empty" if sum(purse.coins for purse in table.purses.values()) > 99 else ""


def taker(known: Table, seat: str, rules: Rules, chance: Callable[[str, int], int]) -> str:
    """A bot: it takes what chance says."""
    return f"kingdom: {seat}\nturn: {known.turn + 1}\ntake: {chance('take', rules.take.most)}\n"


def new(seats: int | None, options: Mapping[str, Any]) -> Mapping[str, str]:
    if seats and seats > 3:
        raise ValueError(f"Tally is played by 1 to 3, not {seats}.")
    names = ["ann", "bob", "cid"][: seats or 2]
    campaign = f"name: {options['name']}\ngame: tally\nseed: {options['seed']}\npublic_seed: true\nplayers: {{{', '.join(f'{name}: {{}}' for name in names)}}}\n"
    return {"campaign.yaml": campaign, **{f"kingdoms/{name}.yaml": "coins: 3\n" for name in names}}


HEAD = {"kingdom": Word("whose orders these are", "seats"), "turn": Number("the turn", 0, 9999)}
ORDERS = Record(
    "the orders of a turn",
    {
        **HEAD,
        "take": Number("coins to take"),
        "bury": Number("coins to bury"),
        "messages": ListOf("messages", Text("a message")),
        "answers": Record("answers", {"mood": Word("a mood", ("glad", "sad"))}),
        "amend": Flag("whether this is added to what is filed"),
        "final": Flag("whether you are done"),
        "token": Text("the word that proves who you are"),
    },
    required=("kingdom", "turn"),
)
GM_ORDERS = Record(
    "the GM's orders",
    {"turn": HEAD["turn"], "gm": ListOf("rulings", Text("a ruling")), "tell": ListOf("what to tell", Text("a text"))},
    required=("turn",),
)

GAME = Game(
    name="tally",
    title="Tally: take coins",
    State=Table,
    Rules=Rules,
    data=Path(__file__).parent / "data",
    phases=(Phase("taking", (take, bury)), Phase("ending", (luck, tidy))),
    orders=ORDERS,
    gm_orders=GM_ORDERS,
    opening=Opening(
        files={"kingdoms/*.yaml": Record("a purse", {"coins": Number("its coins")}, required=("coins",))},
        new=new,
        start=start,
        edit=lambda file, path, was, now: f"{path} by {int(now) - int(was)}" if path == "coins" else "",
    ),
    refusals={"too_greedy": "{wanted} coins are too many (ruling take); take {most} or fewer."},
    causes={"take": "coins taken", "bury": "coins buried", "luck": "a lucky throw"},
    bots={"taker": taker},
    seats=lambda table: list(table.purses),
    accounts=accounts,
    sheet=sheet,
    known=known,
    view=view,
    odds=lambda table, seat, rules: {"luck": 1 / rules.take.sides},
    names=lambda rules: {},
    draw=lambda *given: "no map\n",
    finished=finished,
    foreseen_to="taking",
    paid_from="coins",
    idle={"take": 1},
)
