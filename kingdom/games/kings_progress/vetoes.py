"""The orders that spend vetoes: `city_veto` and `investment_veto` replace a piece in the seat's own kingdom, `progress` keeps its King where he is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, NotRequired, TypedDict, TypeVar

from kingdom.engine.refusal import Refusal
from kingdom.games.kings_progress import placing
from kingdom.games.kings_progress import state as words
from kingdom.games.kings_progress.placing import CITY, CONDITION, NEWEST, CityName, Condition, if_, value
from kingdom.games.kings_progress.rounds import due
from kingdom.games.kings_progress.rules import MOST, Rules, rounds
from kingdom.games.kings_progress.state import HIDDEN, Kingdom, Now, Table, Turn, replace, with_city, with_piece
from kingdom.games.kit.common_orders import ALL
from kingdom.games.kit.table import booked, tell, without
from kingdom.orders import kit
from kingdom.orders.kit import Candidate, Gap, Pick
from kingdom.orders.schema import Either, ListOf, MapOf, Text
from kingdom.render.plain_text import joined

DEFAULT = "default"  # in `swap`: any value that it does not name


class NewestIf(TypedDict):
    """The newest city, if its tile is high."""

    newest_if_tile_min: Annotated[int, value("at least this")]


_LOOKED_AT = Either("the city", (*CITY.shapes, kit.record(NewestIf, "the newest, where its tile is high")))
_SWAP = MapOf(
    "which coin goes in for the value that is seen", Text("the value that is seen", example="0", pattern="[0-9]{1,2}"),
    value("the coin that goes in", 5), fixed={DEFAULT: value("the coin for any other value", 3)}, most=MOST,
)  # fmt: skip
TileVeto = TypedDict("TileVeto", {
    "city": NotRequired[Annotated[CityName, CITY]],
    "if": NotRequired[Annotated[Condition, CONDITION]],
    "replace_with": Annotated[int, value("the tile of the reserve")],
})  # fmt: skip
CoinVeto = TypedDict("CoinVeto", {
    "city": NotRequired[Annotated[CityName | NewestIf, _LOOKED_AT]],
    "if": NotRequired[Annotated[Condition, CONDITION]],
    "swap": NotRequired[Annotated[dict[str, int], _SWAP]],
})  # fmt: skip
Veto = TypeVar("Veto", bound=TileVeto | CoinVeto)


def named(order: TileVeto | CoinVeto) -> CityName | None:
    """Return the city that the order names, None if it names none."""
    city = order.get("city")
    if isinstance(city, dict):
        return None
    return condition(order).get("city") if city is None else city


def condition(order: TileVeto | CoinVeto) -> Condition:
    """Return the condition of the order, together with the condition inside `city`."""
    own, city = order.get("if") or Condition(), order.get("city")
    return {**own, "tile_min": city["newest_if_tile_min"]} if isinstance(city, dict) else own


class _Vetoing(kit.Order[Table, Rules, Veto]):
    """What both vetoes have in common: the city, and the veto that they cost."""

    comes_after: str  # the phase that places what is vetoed
    costs, effect = {"vetoes": 1}, {"vetoes": -1}
    refusals = {
        "no_veto_left": "{whose} has no veto left, so it must pass (ruling no_vetoes_left); leave `{key}` out.",
        "no_such_city": "The kingdom of {whose} has no city {number} (ruling own_kingdom); name one of {cities}, or newest.",
        "king_in_city": "The King stands in city {number}, so it can't be vetoed (ruling where_vetoes); cities that can: {others}.",
        "king_was_there": "The King was in city {number} already, so it can't be vetoed (ruling where_vetoes); cities that can: {others}.",
    }

    def chooses(self, now: Now) -> bool:
        return now.state.seats[now.seat].vetoes > 0

    def coming(self, now: Now) -> bool:
        """Return whether the newest city gets its piece in the same turn."""
        return self.comes_after in due(now.state, now.rules)

    def unknown(self, now: Now, order: Veto) -> bool:
        placed, round = len(now.state.seats[now.seat].cities), now.state.round
        return placed < round and named(order) in (None, NEWEST, round)

    def open_to(self, now: Now) -> list[int]:
        """Return the cities that the seat may veto: not where the King is (ruling where_vetoes)."""
        mine = now.state.seats[now.seat]
        least = 1 if now.rules.where_vetoes.left_cities else mine.king + 1
        return [number for number in range(least, len(mine.cities) + 1) if number != mine.king]

    def objection(self, now: Now, order: Veto) -> kit.Objection:
        mine, city, of_coin = now.state.seats[now.seat], named(order), self.comes_after == words.INVESTMENT
        if not placing.holds(condition(order), now.seat, mine.vetoes, mine, city, of_coin):
            return placing.NOT_HELD
        if mine.vetoes < 1:
            return Refusal("no_veto_left", {"whose": now.seat, "key": self.key})
        number = placing.city_of(mine, city)
        if not number:
            cities = joined(range(1, len(mine.cities) + 1))
            return Refusal("no_such_city", {"whose": now.seat, "number": city, "cities": cities})
        others = self.open_to(now)
        if number not in others:
            code = "king_in_city" if number == mine.king else "king_was_there"
            return Refusal(code, {"number": number, "others": joined(others)})
        return self.piece_objection(now, order, mine, number)

    def piece_objection(self, now: Now, order: Veto, mine: Kingdom, number: int) -> Refusal | None:
        """Return why the piece that the order names can't go in."""
        raise NotImplementedError

    def where(self, now: Now) -> str:
        """Return the cities that may be vetoed, for a sentence."""
        if self.coming(now):
            return "any city of yours where the King is not, the newest included,"
        return f"city {joined(self.open_to(now), by='or')}"


class CityVeto(_Vetoing[TileVeto], kit.FirstOf[Table, Rules, TileVeto]):
    """A tile of the reserve replaces a tile of the kingdom; the coin on the replaced tile stays, unseen."""

    key, phase, name, comes_after = "city_veto", words.CITY_VETO, "city vetoes", words.CITY
    shape = ListOf(
        "which tile of the own kingdom to replace; the first that fits",
        kit.record(TileVeto, "a veto of a city", short=("{city} with {replace_with}",)),
        short="commas",
    )
    causes = {"city_veto": "a city vetoed by its owner"}
    refusals = {
        **_Vetoing.refusals,
        "no_tile_to_swap": "There is no tile {value} in the reserve of {whose} (ruling own_pieces); there: {there}.",
        "same_tile": "The tile of city {number} is a {value} already, and another value must replace it (ruling different_tile); there: {there}.",
    }

    def asks(self, now: Now) -> str:
        vetoes = now.state.seats[now.seat].vetoes
        return f"You may replace the tile of {self.where(now)} by one of your reserve, for one of your {vetoes} vetoes."

    def counted(self, now: Now, tiles: tuple[int, ...]) -> dict[str, Any]:
        """Return what the page counts. The tile that is placed for a silent seat can be put in only if the seat names another for its city."""
        deed = placing.only_once(tiles)
        placed = str(placing.unnamed(tiles, now.rules)) if tiles and self.coming(now) else ""
        needs = {"needs_of": {"tile": {placed: [[placing.NAMED]]}}}
        return {**deed, **needs} if placed in deed["shares_of"]["tile"] else deed

    def candidates(self, now: Now) -> Iterator[Candidate]:
        mine, once = now.state.seats[now.seat], {"city veto": 1}
        deed = self.counted(now, mine.tiles)
        tiles = {"tile": Pick("By tile", sorted(set(mine.tiles), reverse=True))}
        for number in self.open_to(now):
            text = f"Replace tile {mine.cities[number - 1].tile} of city {number}"
            yield Candidate(
                f"veto {number}", {"city": number, "replace_with": Gap("tile")}, text, tiles, f"{text} by tile {{tile}}",
                uses=once, costs=self.costs, effect=self.effect, deed=deed,
            )  # fmt: skip
        if mine.tiles and self.coming(now):
            yield Candidate(
                "veto newest", {"if": {"city": NEWEST, "tile_max": Gap("most")}, "replace_with": Gap("tile")},
                "Replace the tile of the newest city", {"most": Pick("If it is at most", now.rules.box.values, 1), **tiles},
                uses=once, costs=self.costs, open=True, deed=deed,
            )  # fmt: skip

    def piece_objection(self, now: Now, order: TileVeto, mine: Kingdom, number: int) -> Refusal | None:
        tile, there = order["replace_with"], joined(mine.tiles)
        if tile not in mine.tiles:
            return Refusal("no_tile_to_swap", {"value": tile, "whose": now.seat, "there": there})
        if tile == mine.cities[number - 1].tile and not now.rules.different_tile.equal_allowed:
            return Refusal("same_tile", {"number": number, "value": tile, "there": there})
        return None

    def carry_out(self, now: Now, order: TileVeto, turn: Turn) -> Table:
        seat, mine, tile = now.seat, now.state.seats[now.seat], order["replace_with"]
        number = placing.city_of(mine, named(order))
        city = mine.cities[number - 1]
        after = replace(mine, tiles=with_piece(without(mine.tiles, tile), city.tile), vetoes=mine.vetoes - 1)
        after = with_city(after, number, replace(city, tile=tile, tile_by=seat))
        text = f"{seat} vetoed city {number} of its own kingdom: tile {city.tile} went out, tile {tile} came in."
        tell(turn, ALL, text)
        return booked(now.state, turn, seat, after, "city_veto", f"city {number}: tile {tile} for tile {city.tile}")

    def say(self, order: TileVeto) -> str:
        return f"veto city {named(order) or NEWEST} with tile {order['replace_with']}{if_(order.get('if'), 'tile')}"


class InvestmentVeto(_Vetoing[CoinVeto], kit.One[Table, Rules, CoinVeto]):
    """The seat looks at a coin of its kingdom, and must replace it then."""

    key, phase, name, comes_after = "investment_veto", words.INVESTMENT_VETO, "investment vetoes", words.INVESTMENT
    shape = kit.record(CoinVeto, "which coin of the own kingdom to replace")
    causes = {"investment_veto": "an investment vetoed by the kingdom's owner"}
    refusals = {
        **_Vetoing.refusals,
        "no_coin_to_swap": "No coin is in the reserve of {whose}, and one must replace that of city {number} (ruling seen_coin_stays); leave `investment_veto` out.",
    }

    def asks(self, now: Now) -> str:
        vetoes = now.state.seats[now.seat].vetoes
        return f"You may look at the coin of {self.where(now)} and must then replace it by one of your reserve, for one of your {vetoes} vetoes."

    def candidates(self, now: Now) -> Iterator[Candidate]:
        mine, poor, once = now.state.seats[now.seat], now.rules.box.values[:2], {"investment veto": 1}
        coins = sorted(set(mine.coins), reverse=True)
        low = " or a ".join(map(str, poor))
        picks = {"poor": Pick(f"For a {low}", coins), "rest": Pick("For any other", coins[::-1])}
        swap: dict[str, Any] = {**{str(coin): Gap("poor") for coin in poor}, DEFAULT: Gap("rest")}
        for number in self.open_to(now):
            if coins and (mine.cities[number - 1].coin is not None or self.coming(now)):
                text = f"Look at the coin of city {number} and replace it"
                said = f"{text}: a {low} by coin {{poor}}, any other by coin {{rest}}"
                order = {"city": number, "swap": swap}
                yield Candidate(f"look {number}", order, text, picks, said, uses=once, costs=self.costs, effect=self.effect)  # fmt: skip
        if coins and self.coming(now):
            yield Candidate(
                "look newest", {"city": {"newest_if_tile_min": Gap("least")}, "swap": swap},
                "Look at the coin of the newest city and replace it",
                {"least": Pick("If its tile is at least", now.rules.box.values, 4), **picks}, uses=once, costs=self.costs, open=True,
                shown={"city": {"newest_if_tile_min": 4}, "swap": {DEFAULT: coins[0]}},
            )  # fmt: skip

    def piece_objection(self, now: Now, order: CoinVeto, mine: Kingdom, number: int) -> Refusal | None:
        return None if mine.coins else Refusal("no_coin_to_swap", {"whose": now.seat, "number": number})

    def carry_out(self, now: Now, order: CoinVeto, turn: Turn) -> Table:
        seat, mine = now.seat, now.state.seats[now.seat]
        number = placing.city_of(mine, named(order))
        city, after = mine.cities[number - 1], replace(mine, vetoes=mine.vetoes - 1)
        vetoed, seen = f"the investment in city {number}", city.coin
        tell(turn, ALL, f"{seat} vetoed {vetoed} of its own kingdom.", besides=[seat, city.coin_by])
        if seen is None or seen == HIDDEN:  # foreseen: the coin that goes in depends on the coin that is seen
            return booked(now.state, turn, seat, after, "investment_veto", vetoed)
        coin = self.coin_for(seen, now, order.get("swap", {}), turn)
        tell(turn, seat, f"You vetoed {vetoed}: you saw a {seen}, which is in your reserve now, and put in a {coin}.")
        if city.coin_by != seat:
            text = f"{seat} vetoed your investment in city {number} of its kingdom: your {seen} went to its reserve."
            tell(turn, city.coin_by, text)
        after = replace(after, coins=with_piece(without(mine.coins, coin), seen))
        after = with_city(after, number, replace(city, coin=coin, coin_by=seat, seen_by=(seat,)))
        return booked(now.state, turn, seat, after, "investment_veto", vetoed)

    def coin_for(self, seen: int, now: Now, swap: dict[str, int], turn: Turn) -> int:
        """Return the coin that replaces the one that was seen: as ordered, by default, or any (ruling swap_without)."""
        coins = now.state.seats[now.seat].coins
        wanted = [swap[key] for key in (str(seen), DEFAULT) if key in swap]
        any_coin = coins[-1] if now.rules.swap_without.coin == "highest" else coins[0]
        coin = next((coin for coin in wanted if coin in coins), any_coin)
        if not wanted or coin != wanted[0]:
            why = f"your order named no coin for a {seen}"
            why = f"there is no coin {wanted[0]} in your reserve" if wanted else why
            tell(turn, now.seat, f"For the {seen} that you saw a {coin} went in: {why} (ruling swap_without).")
        return coin

    def say(self, order: CoinVeto) -> str:
        city, swap = order.get("city", NEWEST), order.get("swap", {})
        where = f"newest, if its tile is at least {city['newest_if_tile_min']}" if isinstance(city, dict) else city
        coins = [f"{coin} for any other" if seen == DEFAULT else f"{coin} for a {seen}" for seen, coin in swap.items()]
        return f"veto the investment in city {where}: {', '.join(coins) or 'any coin'}{if_(order.get('if'), 'coin')}"


# --- the Kings


class StaysIf(TypedDict, total=False):
    """When the King stays."""

    next_tile_max: Annotated[int, value("that the tile of the next city is at most this", 1)]
    next_tile_min: Annotated[int, value("that the tile of the next city is at least this")]
    vetoes_min: Annotated[int, placing.VETOES_MIN]


class KingsMove(TypedDict, total=False):
    """What the King does: one of these."""

    move: Annotated[Literal[""], None]
    veto: Annotated[Literal[""], None]
    veto_if: Annotated[StaysIf | Literal[""], kit.record(StaysIf, "when he stays")]


class Progress(kit.One[Table, Rules, KingsMove]):
    """All Kings move at once. The King of a seat that vetoes stays."""

    key, phase, name = "progress", words.PROGRESS, "the Kings"
    shape = kit.choice(KingsMove, "what the King does")
    causes = {"progress": "a King's move to the next city", "progress_veto": "a King's move vetoed"}
    refusals = {
        "first_progress": "In round 1 every King moves to his first city (ruling first_progress); leave `progress` out.",
        "no_progress_veto": "{whose} has no veto left, so its King moves (ruling no_vetoes_left); leave `progress` out, or write move.",
        "no_last_veto": "In the last round the King's move can't be vetoed (ruling last_round); leave `progress` out, or write move.",
    }

    def asks(self, now: Now) -> str:
        mine = now.state.seats[now.seat]
        return f"Your King moves from city {mine.king} to city {mine.king + 1}, or stays for one of your {mine.vetoes} vetoes."

    def chooses(self, now: Now) -> bool:
        return self.objection(now, {"veto": ""}) is None

    def candidates(self, now: Now) -> Iterator[Candidate]:
        mine, costs, effect, once = now.state.seats[now.seat], {"vetoes": 1}, {"vetoes": -1}, {"progress": 1}
        yield Candidate("stay", {"veto": ""}, "The King stays", uses=once, costs=costs, effect=effect)
        yield Candidate("move", {"move": ""}, "The King moves", uses=once, effect={"king": 1})
        if self.chooses(now) and len(mine.cities) == mine.king:  # the city before him is not placed yet
            most = {"most": Pick("If the next tile is at most", now.rules.box.values, 1)}
            order = {"veto_if": {"next_tile_max": Gap("most")}}
            yield Candidate("stay if", order, "The King stays on a condition", most, uses=once, costs=costs, open=True)

    def objection(self, now: Now, order: KingsMove) -> kit.Objection:
        mine, table = now.state.seats[now.seat], now.state
        if self.usual(order):
            return None
        if "veto_if" in order and not _holds(order["veto_if"] or {}, mine):
            return "Its condition did not hold: the King moved."
        if table.round == 1:
            return Refusal("first_progress")
        if mine.vetoes < 1:
            return Refusal("no_progress_veto", {"whose": now.seat})
        last = table.round == rounds(now.rules) and not now.rules.last_round.progress_veto
        return Refusal("no_last_veto") if last else None

    def usual(self, order: KingsMove) -> bool:
        return "move" in order

    def carry_out(self, now: Now, order: KingsMove, turn: Turn) -> Table:
        mine = now.state.seats[now.seat]
        tell(turn, ALL, f"{now.seat} vetoed its King's progress: he stays in city {mine.king}.")
        after = replace(mine, vetoes=mine.vetoes - 1)
        return booked(now.state, turn, now.seat, after, "progress_veto", f"the King stays in city {mine.king}")

    def otherwise(self, now: Now, turn: Turn) -> Table:
        """The King moves."""
        seat, mine = now.seat, now.state.seats[now.seat]
        number = mine.king + 1
        if number > len(mine.cities):
            return now.state  # foreseen: the city before him is not placed yet
        city, after = mine.cities[number - 1], replace(mine, king=number)
        looks = now.state.round > 1 or now.rules.first_look.looks
        if looks and city.coin is not None:
            seen = city.seen_by if seat in city.seen_by else (*city.seen_by, seat)
            after = with_city(after, number, replace(city, seen_by=seen))
        tell(turn, ALL, f"The King of {seat} moved to city {number}.", besides=[seat] if looks else ())
        if looks:
            known = "" if city.coin in (None, HIDDEN) else f", where a coin {city.coin} lies"
            tell(turn, seat, f"Your King moved to city {number}{known}.")
        return booked(now.state, turn, seat, after, "progress", f"the King moves to city {number}")

    def say(self, order: KingsMove) -> str:
        if "veto_if" not in order:
            return "the King stays" if "veto" in order else "the King moves"
        condition: StaysIf = order["veto_if"] or {}
        tile = placing.bounds(condition.get("next_tile_min"), condition.get("next_tile_max"))
        parts = [f"the tile of the next city is {' and '.join(tile)}"] if tile else []
        parts += placing.least_vetoes(condition.get("vetoes_min"))
        return f"the King stays if {', and '.join(parts) or 'nothing more'}"


def _holds(condition: StaysIf, kingdom: Kingdom) -> bool:
    if kingdom.vetoes < condition.get("vetoes_min", 0) or kingdom.king >= len(kingdom.cities):
        return False
    tile = kingdom.cities[kingdom.king].tile  # of the next city
    return condition.get("next_tile_min", tile) <= tile <= condition.get("next_tile_max", tile)


CITY_VETOES, INVESTMENT_VETOES, KINGS = CityVeto(), InvestmentVeto(), Progress()
