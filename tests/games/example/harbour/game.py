"""Harbour, the whole game: ships come in, everybody bids coins for one of them in secret, the highest bid pays and gets the ship."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, ClassVar, TypeAlias, TypedDict

from msgspec import Meta, Struct
from msgspec.structs import replace

from kingdom.engine import step
from kingdom.engine.dice import GM
from kingdom.engine.game import Setup
from kingdom.engine.refusal import Refusal
from kingdom.engine.step import Phase
from kingdom.games.harbour import TITLE
from kingdom.games.kit.common_orders import ALL
from kingdom.games.kit.new_campaign import Players, seated
from kingdom.games.kit.table import HIDDEN, Player, TableState, gained, with_player
from kingdom.games.kit.table_game import TableGame, deciding, made
from kingdom.orders.kit import Candidate, Gap, Now, One, Pick, record
from kingdom.orders.schema import Number

# --- the rules


class Ruling(Struct, frozen=True, forbid_unknown_fields=True):
    """A ruling of data/rulings.yaml."""

    text: str


class Harbour(Ruling, frozen=True):
    """The ships of a round."""

    ships: Annotated[int, Meta(ge=1, le=9)]
    sides: Annotated[int, Meta(ge=2, le=99)]
    rounds: Annotated[int, Meta(ge=1, le=99)]


class Purse(Ruling, frozen=True):
    """What everybody has to bid."""

    coins: Annotated[int, Meta(ge=0, le=99)]
    wages: Annotated[int, Meta(ge=0, le=9)]


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules: a field for each ruling."""

    harbour: Harbour
    purse: Purse
    even_bids: Ruling


# --- the state


class Trader(Player, frozen=True, kw_only=True):
    """A player. bid: coins and the ship that they are for, of the round that is played."""

    ACCOUNTS: ClassVar = ("worth", "coins")
    worth: int = 0
    coins: int
    bid: tuple[int, int] | None = None


class Table(TableState[Trader], frozen=True, kw_only=True):
    """The state. ships: the worth of each ship in the harbour. rounds: how many are played."""

    ships: tuple[int, ...] = ()
    rounds: int


Turn: TypeAlias = step.Turn[Table, Rules]
Moment: TypeAlias = Now[Table, Rules]


def start(setup: Setup, rules: Rules) -> Table:
    """The table before the first ships come in."""
    seats = {seat: Trader(name=name, coins=rules.purse.coins) for seat, name in seated(setup, 2, 4).items()}
    return Table(seats=seats, rounds=rules.harbour.rounds)


# --- the order


class Coins(TypedDict):
    """A bid in its long form."""

    coins: Annotated[int, Number("how many coins", 0, 999, 3)]
    ship: Annotated[int, Number("the number of the ship", 1, 9, 2)]


class Bid(One[Table, Rules, Coins]):
    """The bids, each noted until all are there."""

    key, name, phase = "bid", "your bid", "bids"
    shape = record(Coins, "coins for a ship", short=("{coins} on {ship}",))
    refusals = {
        "harbour_no_ship": "There is no ship {ship} (ruling harbour); bid for one of the ships 1 to {ships}.",
        "harbour_coins": "{whose} has {has} coins, and can't bid {coins} (ruling purse); bid 1 to {has}.",
    }

    def chooses(self, now: Moment) -> bool:
        """A trader without coins can't bid."""
        return now.state.seats[now.seat].coins > 0

    def asks(self, now: Moment) -> str:
        """The question of the round."""
        ships = ", ".join(f"{number} (worth {worth})" for number, worth in enumerate(now.state.ships, 1))
        return f"Bid for one of the ships {ships}, or for none; only a bid that wins is paid, and you have {now.state.seats[now.seat].coins} coins."

    def candidates(self, now: Moment) -> Iterator[Candidate]:
        """A bid for each ship, of as many coins as the trader has."""
        coins = Pick("Coins", range(1, now.state.seats[now.seat].coins + 1))
        for number, worth in enumerate(now.state.ships, 1):
            order, text = {"coins": Gap("coins"), "ship": number}, f"Bid for ship {number}, worth {worth}"
            said = f"Bid {{coins}} for ship {number}, worth {worth}"
            yield Candidate(f"ship {number}", order, text, {"coins": coins}, said, uses={"bid": 1})

    def objection(self, now: Moment, order: Coins) -> Refusal | None:
        """The ship must be there, and the coins."""
        has = now.state.seats[now.seat].coins
        if order["ship"] > len(now.state.ships):
            return Refusal("harbour_no_ship", {"ship": order["ship"], "ships": len(now.state.ships)})
        if not 1 <= order["coins"] <= has:
            return Refusal("harbour_coins", {"whose": now.seat, "has": has, "coins": order["coins"]})
        return None

    def carry_out(self, now: Moment, order: Coins, turn: Turn) -> Table:
        """Note the bid."""
        return with_player(now.state, now.seat, bid=(order["coins"], order["ship"]))

    def say(self, order: Coins) -> str:
        """The order in words."""
        return f"{order['coins']} coins for ship {order['ship']}"


# --- the steps


def sell_ships(table: Table, turn: Turn) -> Table:
    """The highest bid for each ship pays and gets it. If the highest bids are even the ship sails on."""
    for number, worth in enumerate(() if turn.foreseeing else table.ships, 1):
        bids = {seat: trader.bid[0] for seat, trader in table.seats.items() if trader.bid and trader.bid[1] == number}
        highest = [seat for seat, coins in bids.items() if coins == max(bids.values())]
        if len(highest) != 1:
            turn.tell(
                ALL,
                "happened",
                text=f"Ship {number} sails on: {'the highest bids are even' if bids else 'nobody bids'}.",
            )
            continue
        seat, coins = highest[0], bids[highest[0]]
        turn.tell(
            ALL, "happened", text=f"{table.seats[seat].name} gets ship {number}, worth {worth}, for {coins} coins."
        )
        table = gained(table, turn, seat, "ship", f"ship {number}", coins=-coins, worth=worth)
    return table


def pay_wages(table: Table, turn: Turn) -> Table:
    """Everybody gets wages, and takes the bid back."""
    for seat in table.seats:
        table = gained(table, turn, seat, "wages", "wages of the round", coins=turn.rules.purse.wages)
        table = with_player(table, seat, bid=None)
    return table


def bring_in_ships(table: Table, turn: Turn) -> Table:
    """A die says what each ship is worth."""
    worths = [turn.roll(GM, "ship", turn.rules.harbour.sides) for _ in range(turn.rules.harbour.ships)]
    return replace(table, ships=tuple(worth for worth in worths if worth is not None))


# --- the words


def heading(table: Table, rules: Rules) -> str:
    """Where the game stands."""
    return f"{table.turn} of {table.rounds} rounds are played."


def lines(table: Table, rules: Rules) -> Sequence[str]:
    """The table in words."""
    return [f"Ship {number} is worth {worth}." for number, worth in enumerate(table.ships, 1)]


BID = Bid()
GAME = made(TableGame(
    file=__file__,
    title=TITLE,
    State=Table, Rules=Rules, Seat=Trader,
    players=Players(usual=3, least=2, most=4),
    opening=(Phase("arrivals", (bring_in_ships,)),),
    start=start,
    orders=[BID],
    phases=(
        Phase("bids", (deciding(BID, "take_bids"),)),
        Phase("sale", (sell_ships, pay_wages)),
        Phase("arrivals", (bring_in_ships,)),
    ),
    causes={"ship": "a ship that was won", "wages": "the wages of a round"},
    counts=("worth", "coins"),
    grant="coins",
    over=lambda table: "all rounds are played" if table.turn >= table.rounds else "",
    secret={"coins": HIDDEN, "bid": None},
    heading=heading,
    lines=lines,
    settings={"dice": "they say what ships are worth."},
))  # fmt: skip
