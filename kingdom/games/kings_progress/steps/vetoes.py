"""What a chancellor spends vetoes on: the tile and the coin of a city, and the King's Progress, in which every King moves one city on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from kingdom.games.kings_progress.orders import DEFAULT, NEWEST, CityName, CityVeto, CoinVeto, Condition, KingCondition
from kingdom.games.kings_progress.rules import Rules, rounds
from kingdom.games.kings_progress.state import (
    CITY_VETO,
    HIDDEN,
    INVESTMENT_VETO,
    PROGRESS,
    Kingdom,
    Table,
    replace,
    with_city,
    with_piece,
    without,
)
from kingdom.games.kings_progress.steps import ALL, booked, city_of, holds, joined, listed, tell, used
from kingdom.games.kings_progress.steps.rounds import deciding
from kingdom.games.kings_progress.types import Turn

CAUSES = {
    "city_veto": "a city vetoed by its owner",
    "investment_veto": "an investment vetoed by the kingdom's owner",
    "progress": "a King's move to the next city",
    "progress_veto": "a King's move vetoed",
}
REFUSALS = {
    "no_veto_left": "{whose} has no veto left, so it must pass (ruling no_vetoes_left); leave `{key}` out.",
    "no_such_city": "The kingdom of {whose} has no city {number} (ruling own_kingdom); name one of {cities}, or newest.",
    "king_in_city": "The King stands in city {number}, so it can't be vetoed (ruling where_vetoes); cities that can: {others}.",
    "king_was_there": "The King was in city {number} already, so it can't be vetoed (ruling where_vetoes); cities that can: {others}.",
    "no_tile_to_swap": "There is no tile {value} in the reserve of {whose} (ruling own_pieces); there: {there}.",
    "no_coin_to_swap": "No coin is in the reserve of {whose}, and one must replace that of city {number} (ruling seen_coin_stays); leave `investment_veto` out.",
    "same_tile": "The tile of city {number} is a {value} already, and another value must replace it (ruling different_tile); there: {there}.",
    "first_progress": "In round 1 every King moves to his first city (ruling first_progress); leave `progress` out.",
    "no_progress_veto": "{whose} has no veto left, so its King moves (ruling no_vetoes_left); leave `progress` out, or write move.",
    "no_last_veto": "In the last round the King's move can't be vetoed (ruling last_round); leave `progress` out, or write move.",
}

Problem: TypeAlias = tuple[str, dict[str, str | int | None]]  # a code of the refusals, and its facts


def veto_cities(table: Table, turn: Turn) -> Table:
    """Phase 2: each seat may replace one tile of its kingdom; the coin on it stays, unseen."""
    for seat in deciding(turn.before, turn.rules, CITY_VETO):
        orders = turn.orders.get(seat, {})
        for path, order in listed(orders.get("city_veto"), "city_veto"):
            mine = table.kingdoms[seat]
            if _is_to_come(table, turn, mine, _named(order)):
                break
            fitted = holds(order.get("if"), seat, mine.vetoes, mine, order.get("city"))
            problem = city_problem(mine, seat, _named(order), order["replace_with"], turn.rules) if fitted else None
            if problem:
                turn.refuse(seat, path, problem[0], **problem[1])
            elif fitted:
                used(turn, seat, path)
                table = _with_tile(table, turn, seat, order)
                break
            else:
                turn.tell(seat, "passed", order=path, text="Its condition did not hold.")
    return table


def veto_investments(table: Table, turn: Turn) -> Table:
    """Phase 4: each seat may look at one coin of its kingdom, and replaces it then."""
    for seat in deciding(turn.before, turn.rules, INVESTMENT_VETO):
        order = turn.orders.get(seat, {}).get("investment_veto")
        if not order:
            continue
        mine = table.kingdoms[seat]
        named, condition = _asked(order)
        if _is_to_come(table, turn, mine, named):
            continue
        if not holds(condition, seat, mine.vetoes, mine, named, of_coin=True):
            turn.tell(seat, "passed", order="investment_veto", text="Its condition did not hold.")
            continue
        problem = coin_problem(mine, seat, named, turn.rules)
        if problem:
            turn.refuse(seat, "investment_veto", problem[0], **problem[1])
            continue
        used(turn, seat, "investment_veto")  # by now every city has a coin, but in a turn that is only foreseen
        table = _with_coin(table, turn, seat, city_of(mine, named), order.get("swap", {}))
    return table


def _is_to_come(table: Table, turn: Turn, mine: Kingdom, named: CityName) -> bool:
    """Whether the order is for a city that is still to be placed, so that nothing of it can be foreseen."""
    return turn.foreseeing and len(mine.cities) < table.round and named in (None, NEWEST, table.round)


def _named(order: CityVeto) -> CityName:
    """The city that a veto of a city names, None where it names none."""
    return order.get("city", order.get("if", Condition()).get("city"))


def _asked(order: CoinVeto) -> tuple[CityName, Condition]:
    """(the city that the order names, its condition, that inside `city` included)."""
    named, condition = order.get("city"), order.get("if", Condition())
    if isinstance(named, dict):
        return None, {**condition, "tile_min": named["newest_if_tile_min"]}
    return condition.get("city") if named is None else named, condition


def veto_problem(mine: Kingdom, seat: str, named: CityName, key: str, rules: Rules) -> Problem | None:
    """Why the seat can't veto that city of its own, as (code, facts)."""
    if mine.vetoes < 1:
        return "no_veto_left", {"whose": seat, "key": key}
    number = city_of(mine, named)
    if not number:
        return "no_such_city", {"whose": seat, "number": named, "cities": joined(range(1, len(mine.cities) + 1))}
    open_to = vetoable(mine, rules)
    if number in open_to:
        return None
    code = "king_in_city" if number == mine.king else "king_was_there"
    return code, {"number": number, "others": joined(open_to)}


def vetoable(mine: Kingdom, rules: Rules) -> list[int]:
    """The numbers of the cities of its own kingdom that a seat may veto: not where the King is (ruling where_vetoes)."""
    least = 1 if rules.where_vetoes.left_cities else mine.king + 1
    return [number for number in range(least, len(mine.cities) + 1) if number != mine.king]


def city_problem(mine: Kingdom, seat: str, named: CityName, value: int, rules: Rules) -> Problem | None:
    """Why the seat can't replace the tile of that city of its own by one of that value, as (code, facts)."""
    problem = veto_problem(mine, seat, named, "city_veto", rules)
    if problem:
        return problem
    number = city_of(mine, named)
    if value not in mine.tiles:
        return "no_tile_to_swap", {"value": value, "whose": seat, "there": joined(mine.tiles)}
    if value == mine.cities[number - 1].tile and not rules.different_tile.equal_allowed:
        return "same_tile", {"number": number, "value": value, "there": joined(mine.tiles)}
    return None


def coin_problem(mine: Kingdom, seat: str, named: CityName, rules: Rules) -> Problem | None:
    """Why the seat can't look at the coin of that city of its own and replace it, as (code, facts)."""
    problem = veto_problem(mine, seat, named, "investment_veto", rules)
    if problem or mine.coins:
        return problem
    return "no_coin_to_swap", {"whose": seat, "number": city_of(mine, named)}


def _with_tile(table: Table, turn: Turn, seat: str, order: CityVeto) -> Table:
    mine, value = table.kingdoms[seat], order["replace_with"]
    number = city_of(mine, _named(order))
    city = mine.cities[number - 1]
    tiles = with_piece(without(mine.tiles, value), city.tile)
    after = with_city(
        replace(mine, tiles=tiles, vetoes=mine.vetoes - 1), number, replace(city, tile=value, tile_by=seat)
    )
    tell(turn, ALL, f"{seat} vetoed city {number} of its own kingdom: tile {city.tile} went out, tile {value} came in.")
    return booked(turn, table, seat, after, "city_veto", f"city {number}: tile {value} for tile {city.tile}")


def _with_coin(table: Table, turn: Turn, seat: str, number: int, swap: Mapping[str, int]) -> Table:
    mine = table.kingdoms[seat]
    city, after = mine.cities[number - 1], replace(mine, vetoes=mine.vetoes - 1)
    seen = city.coin
    tell(turn, ALL, f"{seat} vetoed the investment in city {number} of its own kingdom.", besides=[seat, city.coin_by])
    if seen is None or seen == HIDDEN:  # foreseen: which coin goes in hangs on what is seen
        return booked(turn, table, seat, after, "investment_veto", f"the investment in city {number}")
    value = _coin_for(seen, mine.coins, swap, turn, seat)
    tell(
        turn,
        seat,
        f"You vetoed the investment in city {number}: you saw a {seen}, which is in your reserve now, and put in a {value}.",
    )
    if city.coin_by != seat:
        tell(
            turn,
            city.coin_by,
            f"{seat} vetoed your investment in city {number} of its kingdom: your {seen} went to its reserve.",
        )
    coins = with_piece(without(mine.coins, value), seen)
    other = replace(city, coin=value, coin_by=seat, seen_by=(seat,))
    return booked(
        turn,
        table,
        seat,
        with_city(replace(after, coins=coins), number, other),
        "investment_veto",
        f"the investment in city {number}",
    )


def _coin_for(seen: int, coins: tuple[int, ...], swap: Mapping[str, int], turn: Turn, seat: str) -> int:
    """The coin that goes in for the one seen: as ordered, by default, or any (ruling swap_without)."""
    wanted = [swap[key] for key in (str(seen), DEFAULT) if key in swap]
    value = next(
        (coin for coin in wanted if coin in coins), coins[-1] if turn.rules.swap_without.coin == "highest" else coins[0]
    )
    if not wanted or value != wanted[0]:
        why = (
            f"your order named no coin for a {seen}" if not wanted else f"there is no coin {wanted[0]} in your reserve"
        )
        tell(turn, seat, f"For the {seen} that you saw a {value} went in: {why} (ruling swap_without).")
    return value


# --- the King's Progress: he moves one city on, or his chancellor spends a veto and he stays


def progress_kings(table: Table, turn: Turn) -> Table:
    """Phase 5: all Kings at once."""
    for seat in deciding(turn.before, turn.rules, PROGRESS):
        kingdom = table.kingdoms[seat]
        if _stays(table, turn, seat, kingdom):
            tell(turn, ALL, f"{seat} vetoed its King's progress: he stays in city {kingdom.king}.")
            after = replace(kingdom, vetoes=kingdom.vetoes - 1)
            table = booked(turn, table, seat, after, "progress_veto", f"the King stays in city {kingdom.king}")
        elif kingdom.king < len(kingdom.cities):  # always, but for a turn that is only foreseen
            table = _moved(table, turn, seat, kingdom)
    return table


def _stays(table: Table, turn: Turn, seat: str, kingdom: Kingdom) -> bool:
    """Whether the King's move is vetoed; what can't be vetoed is refused."""
    order = turn.orders.get(seat, {}).get("progress") or {"move": ""}
    if "move" in order:
        return False
    if "veto_if" in order and not _holds(order["veto_if"] or KingCondition(), kingdom):
        turn.tell(seat, "passed", order="progress", text="Its condition did not hold: the King moved.")
        return False
    problem = progress_problem(table.round, kingdom, turn.rules)
    if problem:
        turn.refuse(seat, "progress", problem, whose=seat)
        return False
    used(turn, seat, "progress")
    return True


def progress_problem(round: int, kingdom: Kingdom, rules: Rules) -> str | None:
    """Why the King's move can't be vetoed, as a code."""
    if round == 1:
        return "first_progress"
    if kingdom.vetoes < 1:
        return "no_progress_veto"
    return "no_last_veto" if round == rounds(rules) and not rules.last_round.progress_veto else None


def _holds(condition: KingCondition, kingdom: Kingdom) -> bool:
    if kingdom.vetoes < condition.get("vetoes_min", 0) or kingdom.king >= len(kingdom.cities):
        return False
    tile = kingdom.cities[kingdom.king].tile  # of the next city
    return condition.get("next_tile_min", tile) <= tile <= condition.get("next_tile_max", tile)


def _moved(table: Table, turn: Turn, seat: str, kingdom: Kingdom) -> Table:
    number = kingdom.king + 1
    city = kingdom.cities[number - 1]
    looks = table.round > 1 or turn.rules.first_look.looks
    after = replace(kingdom, king=number)
    if looks and city.coin is not None:
        seen = city.seen_by if seat in city.seen_by else (*city.seen_by, seat)
        after = with_city(after, number, replace(city, seen_by=seen))
    tell(turn, ALL, f"The King of {seat} moved to city {number}.", besides=[seat] if looks else ())
    if looks:
        known = "" if city.coin in (None, HIDDEN) else f", where a coin {city.coin} lies"
        tell(turn, seat, f"Your King moved to city {number}{known}.")
    return booked(turn, table, seat, after, "progress", f"the King moves to city {number}")
