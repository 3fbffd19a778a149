"""The orders `city` and `invest`: a tile as the newest city of a kingdom, a coin on it; a kingdom gets one of each in a round.

First the condition that an order may have: how it is typed, whether it holds when the order's turn comes (ruling conditions), and its words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, NotRequired, TypeAlias, TypedDict, TypeVar, cast

from kingdom.engine.refusal import Refusal
from kingdom.games.kings_progress import state as words
from kingdom.games.kings_progress.rounds import due
from kingdom.games.kings_progress.rules import MOST, Rules
from kingdom.games.kings_progress.state import Kingdom, Now, Table, Turn, open_city, replace, with_city
from kingdom.games.kit.common_orders import ALL, seat
from kingdom.games.kit.table import booked, clockwise, tell, without
from kingdom.orders import kit
from kingdom.orders.kit import Candidate, Gap, Pick
from kingdom.orders.schema import Either, Flag, ListOf, Number, Word
from kingdom.render.plain_text import joined

NEWEST = "newest"
NOT_HELD = "Its condition did not hold."
CityName: TypeAlias = int | str  # a city by its number, or as the newest


def value(meaning: str, example: int = 4) -> Number:
    """Return the shape of a tile, a coin or a count."""
    return Number(meaning, 0, MOST, example)


CITY = Either(
    "the city", (Word("a city", (NEWEST,), example=NEWEST), Number("its number, from the centre", 1, MOST, 2))
)
VETOES_MIN = value("that at least this many vetoes are left", 2)


class Condition(TypedDict, total=False):
    """What must hold of a city, and of the seat."""

    city: Annotated[CityName, CITY]
    tile_min: Annotated[int, value("that its tile is at least this")]
    tile_max: Annotated[int, value("that its tile is at most this", 1)]
    taken_by_me: Annotated[bool, Flag("whether this seat put the piece there")]
    vetoes_min: Annotated[int, VETOES_MIN]


CONDITION = kit.record(Condition, "what must hold")


def city_of(kingdom: Kingdom, named: CityName | None) -> int:
    """Return the number of a city that is named by its number or as the newest; 0 if there is no such city."""
    count = len(kingdom.cities)
    number = named if isinstance(named, int) else count
    return number if 1 <= number <= count else 0


def holds(
    condition: Condition, seat: str, vetoes: int, kingdom: Kingdom, named: CityName | None = None, of_coin: bool = False
) -> bool:
    """Return whether the condition holds.

    vetoes: how many are left to the seat. named: the city that the order names. of_coin: `taken_by_me` asks who put the coin there.
    """
    if vetoes < condition.get("vetoes_min", 0):
        return False
    if condition.keys() <= {"vetoes_min"}:
        return True
    number = city_of(kingdom, condition.get("city", named))
    if not number:
        return False
    city = kingdom.cities[number - 1]
    taken = seat == (city.coin_by if of_coin else city.tile_by)
    in_bounds = condition.get("tile_min", city.tile) <= city.tile <= condition.get("tile_max", city.tile)
    return in_bounds and condition.get("taken_by_me", taken) == taken


def if_(condition: Condition | None, piece: str) -> str:
    """Return ", if ..." for the end of an order in words. piece: whose owner `taken_by_me` asks for, the tile or the coin."""
    if not condition:
        return ""
    city = condition.get("city")
    where = "" if city is None else " of the newest city" if city == NEWEST else f" of city {city}"
    tile = bounds(condition.get("tile_min"), condition.get("tile_max"))
    owner = ["yours" if condition["taken_by_me"] else "not yours"] if "taken_by_me" in condition else []
    of_pieces = [("tile", [*tile, *owner])] if piece == "tile" else [("tile", tile), (piece, owner)]
    parts = [f"the {word}{where} is {joined(limits)}" for word, limits in of_pieces if limits]
    return f", if {', and '.join([*parts, *least_vetoes(condition.get('vetoes_min'))]) or 'nothing more'}"


def bounds(least: int | None, most: int | None) -> list[str]:
    """Return the limits of a tile in words."""
    return [f"at least {least}"] * (least is not None) + [f"at most {most}"] * (most is not None)


def least_vetoes(least: int | None) -> list[str]:
    """Return how many vetoes must be left, in words."""
    return [] if least is None else [f"you have at least {least} veto{'' if least == 1 else 'es'}"]


# --- the orders

Placed = TypedDict("Placed", {
    "kingdom": Annotated[str, seat("whose kingdom gets the city")],
    "tile": Annotated[int, value("the tile")],
    "if": NotRequired[Annotated[Condition, CONDITION]],
})  # fmt: skip
Invested = TypedDict("Invested", {
    "kingdom": Annotated[str, seat("in whose kingdom")],
    "coin": Annotated[int, value("the coin")],
    "if": NotRequired[Annotated[Condition, CONDITION]],
})  # fmt: skip
Placement = TypeVar("Placement", bound=Placed | Invested)


NAMED = "a city of this round"  # a fact: an order names a tile for this round


def unnamed(pieces: Sequence[int], rules: Rules) -> int:
    """Return the piece that is placed for a seat that names none. pieces: its reserve, the lowest first."""
    return pieces[0] if rules.missing_orders.piece == "lowest" else pieces[-1]


def only_once(tiles: Sequence[int]) -> dict[str, Any]:
    """Return what the page counts: if the reserve holds a tile once and it is placed, no veto can put it in in the same turn."""
    single = [value for value in set(tiles) if tiles.count(value) == 1]
    return {"shares_of": {"tile": {str(value): [f"tile {value}"] for value in single}}}


def condition(order: Placed | Invested) -> Condition:
    """Return the condition of a placement. An empty condition always holds."""
    return order.get("if") or {}


class _Placing(kit.FirstOf[Table, Rules, Placement]):
    """What placing a tile and placing a coin have in common."""

    piece: str  # the key of its value in the order
    required = True
    refusals = {
        "kingdom_taken": "The kingdom of {kingdom} has its {piece} of this round already (ruling one_each); free were: {free}. "
        "The next alternative counts.",
        "piece_not_in_reserve": "There is no {piece} {value} in the reserve of {whose} (ruling own_pieces); there: {there}. "
        "The next alternative counts.",
    }

    def free(self, now: Now) -> list[str]:
        """Return the kingdoms that can still get a piece in this phase, the seat's own first."""
        raise NotImplementedError

    def reserve(self, now: Now) -> tuple[int, ...]:
        """Return the seat's pieces of this kind, the lowest first."""
        mine = now.state.seats[now.seat]
        return mine.tiles if self.piece == "tile" else mine.coins

    def value(self, order: Placement) -> int:
        """Return the piece that the order names."""
        return cast(int, {**order}[self.piece])

    def candidates(self, now: Now) -> Iterator[Candidate]:
        piece, values = self.piece, sorted(set(self.reserve(now)), reverse=True)
        for name in self.free(now) if values else ():
            yield Candidate(
                f"{piece} {name}", {"kingdom": name, piece: Gap(piece)}, f"A {piece} in {name}",
                {piece: Pick(piece.capitalize(), values, values[0 if name == now.seat else -1])},
                f"Place {piece} {{{piece}}} in {name}", effect={f"{piece}s": -1}, uses={f"{piece} {name}": 1},
            )  # fmt: skip

    def objection(self, now: Now, order: Placement) -> kit.Objection:
        kingdom, placed, table = order["kingdom"], self.value(order), now.state
        kingdoms, reserve = self.free(now), self.reserve(now)
        if kingdom not in kingdoms:
            facts = {"kingdom": kingdom, "piece": self.piece, "free": ", ".join(kingdoms) or "none"}
            return Refusal("kingdom_taken", facts)
        if placed not in reserve:
            named = {"piece": self.piece, "value": placed}
            return Refusal("piece_not_in_reserve", {**named, "whose": now.seat, "there": joined(reserve)})
        if self.to_come(now, kingdom):
            return None  # its condition is for a city that nobody knows yet
        if not holds(condition(order), now.seat, table.seats[now.seat].vetoes, table.seats[kingdom]):
            return "Its condition did not hold; the next alternative counts."
        return None

    def to_come(self, now: Now, kingdom: str) -> bool:
        """Return whether the city for which the piece is meant is not placed yet."""
        return False

    def otherwise(self, now: Now, turn: Turn) -> Table:
        """Place what the rules say for the seat; nothing if no kingdom is free."""
        free, reserve = self.free(now), self.reserve(now)
        if not free or not reserve or (now.foreseeing and now.seat not in turn.orders):
            return now.state
        kingdom = [*free[1:], free[0]][0] if free[0] == now.seat else free[0]
        placed = unnamed(reserve, now.rules)
        why = "None of your orders was possible" if turn.orders.get(now.seat, {}).get(self.key) else "You named none"
        tell(turn, now.seat, f"{why}: your {self.piece} {placed} was placed for you (ruling missing_orders).")
        return self.carry_out(now, cast(Placement, {"kingdom": kingdom, self.piece: placed}), turn)

    def say(self, order: Placement) -> str:
        return f"{self.piece} {self.value(order)} in {order['kingdom']}{if_(condition(order), 'tile')}"

    def turn_order(self, now: Now) -> str:
        """Return who decides before the seat, as a sentence."""
        seats = due(now.state, now.rules)[self.phase]
        ahead = joined(seats[: seats.index(now.seat)], none="")
        return f"Before you: {ahead}; name an alternative for each kingdom." if ahead else "Nobody comes before you."


class City(_Placing[Placed]):
    """A tile becomes the newest city of a kingdom."""

    key, phase, name, piece = "city", words.CITY, "cities", "tile"
    shape = ListOf(
        "where to place which tile, the first choice first",
        kit.record(Placed, "a placement", short=("{tile} in {kingdom}",)),
        short="commas",
    )
    causes = {"city": "a tile placed as a city"}

    def asks(self, now: Now) -> str:
        tiles, free = joined(self.reserve(now)), joined(self.free(now))
        return f"Place one of your tiles {tiles} in a kingdom that has no city of this round: {free}. {self.turn_order(now)}"

    def candidates(self, now: Now) -> Iterator[Candidate]:
        deed = only_once(self.reserve(now))
        return (each._replace(deed=deed, gives=[NAMED]) for each in super().candidates(now))

    def free(self, now: Now) -> list[str]:
        table = now.state
        return [name for name in clockwise(table, now.seat) if len(table.seats[name].cities) < table.round]

    def carry_out(self, now: Now, order: Placed, turn: Turn) -> Table:
        seat, kingdom, tile = now.seat, order["kingdom"], order["tile"]
        mine = now.state.seats[seat]
        mine = replace(mine, tiles=without(mine.tiles, tile))
        table = booked(now.state, turn, seat, mine, "city", f"tile {tile} placed")
        theirs = table.seats[kingdom]
        theirs = replace(theirs, cities=(*theirs.cities, words.City(tile, seat)))
        number = len(theirs.cities)
        tell(turn, ALL, f"{seat} placed tile {tile} as city {number} of {kingdom}.")
        return booked(table, turn, kingdom, theirs, "city", f"city {number} by {seat}: tile {tile}")


class Invest(_Placing[Invested]):
    """A coin goes, face down, on the city of a kingdom that has none."""

    key, phase, name, piece = "invest", words.INVESTMENT, "investments", "coin"
    shape = ListOf(
        "where to place which coin, the first choice first",
        kit.record(Invested, "an investment", short=("{coin} in {kingdom}",)),
        short="commas",
    )
    causes = {"investment": "a coin placed on a city"}

    def asks(self, now: Now) -> str:
        coins, free = joined(self.reserve(now)), joined(self.free(now))
        return (
            f"Place one of your coins {coins} face down in a kingdom without an investment of this round: {free}. "
            f"{self.turn_order(now)}"
        )

    def free(self, now: Now) -> list[str]:
        """Return the kingdoms whose newest city has no coin; in a forecast also the kingdoms whose city of this round is not placed yet."""
        table, kingdoms = now.state, now.state.seats
        return [name for name in clockwise(table, now.seat) if self.to_come(now, name) or open_city(kingdoms[name])]

    def to_come(self, now: Now, kingdom: str) -> bool:
        return now.foreseeing and len(now.state.seats[kingdom].cities) < now.state.round

    def candidates(self, now: Now) -> Iterator[Candidate]:
        yield from super().candidates(now)
        coins = sorted(set(self.reserve(now)), reverse=True)
        if coins and words.CITY in due(now.state, now.rules):
            order: dict[str, Any] = {"kingdom": now.seat, "coin": Gap("coin"), "if": {"tile_min": Gap("least")}}
            picks = {"least": Pick("If its tile is at least", now.rules.box.values, 3), "coin": Pick("Coin", coins)}
            yield Candidate("coin if", order, "A coin in your own kingdom, on a condition", picks, open=True)

    def carry_out(self, now: Now, order: Invested, turn: Turn) -> Table:
        seat, kingdom, coin = now.seat, order["kingdom"], order["coin"]
        if not open_city(now.state.seats[kingdom]):
            return now.state  # foreseen: its city is not placed yet
        mine = now.state.seats[seat]
        mine = replace(mine, coins=without(mine.coins, coin))
        table = booked(now.state, turn, seat, mine, "investment", f"a coin for {kingdom}")
        theirs = table.seats[kingdom]
        number = open_city(theirs)
        city = replace(theirs.cities[number - 1], coin=coin, coin_by=seat, seen_by=(seat,))
        tell(turn, ALL, f"{seat} invested in city {number} of {kingdom}.", besides=[seat])
        tell(turn, seat, f"You put your coin {coin} on city {number} of {kingdom}.")
        theirs = with_city(theirs, number, city)
        return booked(table, turn, kingdom, theirs, "investment", f"city {number}: a coin by {seat}")


CITIES, INVESTMENTS = City(), Invest()
