"""What always holds, whatever seats order: conservation, the derived facts D1 to D7, seats turned round, names changed."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as any_

from kingdom.games.kings_progress.game import GAME
from kingdom.games.kings_progress.rounds import due
from kingdom.games.kings_progress.rules import Rules, rounds
from kingdom.games.kings_progress.state import (
    CITY_VETO,
    INVESTMENT,
    INVESTMENT_VETO,
    PROGRESS,
    VETOES,
    Table,
    open_city,
    replace,
)
from kingdom.games.kings_progress.steps import pieces, score_of
from tests.games.kings_progress.kit import (
    SEATS,
    begun,
    game_of,
    muddle,
    muddled_game,
    own_rules,
    played,
    rules_with,
    told,
)
from tests.kit.examples import tries

SEEDS = any_.integers(0, 10_000)
NUMBERS = any_.integers(2, 4)
PACES = any_.sampled_from(["strict", "standard", "weekly"])
quick = tries(8, 25)


@quick
@given(SEEDS, NUMBERS, PACES)
def test_no_piece_is_ever_made_or_lost(seed: int, seats: int, pace: str) -> None:
    """Every value exists once for each seat, on tiles and on coins; at the end no reserve holds anything."""
    for result in muddled_game(seed, seats, rules_with(pace)):
        box = pieces(result.after, own_rules())
        assert box == {"kings": seats} | {
            f"{piece} {value}": seats for piece in ("tiles", "coins") for value in range(6)
        }
    assert all(not kingdom.tiles and not kingdom.coins for kingdom in result.after.seats.values())
    assert all(
        [city.coin is not None for city in kingdom.cities] == [True] * 6 for kingdom in result.after.seats.values()
    )


def test_a_step_that_loses_a_piece_stops_the_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """The turn proves what is in the box after every step, and the books too."""
    from kingdom.games.kings_progress import placing

    monkeypatch.setattr(placing, "without", lambda pieces, value: pieces[1:])
    with pytest.raises(Exception, match="pieces were made or lost"):
        played(begun(), {"alice": {"city": [{"kingdom": "alice", "tile": 5}]}})


@quick
@given(SEEDS, NUMBERS, PACES)
def test_the_derived_facts_hold_in_every_turn(seed: int, seats: int, pace: str) -> None:
    """D1 to D5, D7: held against the table after each turn of a game in which anything is ordered, but without the GM."""
    rules, used, stayed = rules_with(pace), dict.fromkeys(SEATS[:seats], 0), dict.fromkeys(SEATS[:seats], 0)
    for result in without_gm(seed, seats, rules):
        before, after = result.before, result.after
        for seat, kingdom in after.seats.items():
            causes = [entry.cause for entry in result.entries if (entry.kingdom, entry.account) == (seat, "vetoes")]
            used[seat], stayed[seat] = used[seat] + len(causes), stayed[seat] + causes.count("progress_veto")
            assert kingdom.vetoes == 5 - used[seat], "D5: a veto is spent by a veto, and by nothing else"
            assert kingdom.king == (6 if not after.phase else after.round - 1) - stayed[seat], (
                "D5: a city a round, less those in which he stayed"
            )
            assert len(causes) <= sum(phase in due(before, rules) for phase in (*VETOES, PROGRESS)), (
                "one veto for each veto phase"
            )
        facts(after, rules)
        assert all(kingdom.vetoes <= before.seats[seat].vetoes for seat, kingdom in after.seats.items()), (
            "dice never rise"
        )
    for kingdom in result.after.seats.values():
        assert kingdom.king + stays(seed, seats, rules)[kingdom.name] == 6
        assert kingdom.total == kingdom.points + kingdom.vetoes <= best_possible(seats)
        assert kingdom.points == sum(
            score_of(city, number == kingdom.king, rules) for number, city in enumerate(kingdom.cities, 1)
        )


def without_gm(seed: int, seats: int, rules: Rules) -> Any:
    table = begun(seats, SEATS[seed % seats], rules)
    while not GAME.finished(table):
        orders = {seat: each for seat, each in muddle(table, (seed, table.turn)).items() if seat != "gm"}
        result = played(table, orders, rules)
        yield result
        table = result.after


def stays(seed: int, seats: int, rules: Rules) -> dict[str, int]:
    """The name of each kingdom -> how often its King's move was vetoed."""
    found = dict.fromkeys((seat.title() for seat in SEATS[:seats]), 0)
    for result in without_gm(seed, seats, rules):
        for entry in result.entries:
            if entry.cause == "progress_veto" and entry.account == "vetoes":
                found[entry.kingdom.title()] += 1
    return found


def facts(table: Table, rules: Rules) -> None:
    """What follows from the rules of a table between two turns."""
    decided = rounds(rules) if not table.phase else table.round - 1
    cities = [len(kingdom.cities) for kingdom in table.seats.values()]
    coins = [sum(city.coin is not None for city in kingdom.cities) for kingdom in table.seats.values()]
    placed = sum(cities) - decided * len(cities)
    whole = 0 <= placed <= len(cities) and all(decided <= count <= decided + 1 for count in cities)
    assert whole, "D1: one city a kingdom and round"
    assert all(decided <= count <= decided + 1 for count in coins), "D2: one investment a kingdom and round"
    newest = all(city.coin is not None for kingdom in table.seats.values() for city in kingdom.cities[:decided])
    assert newest, "D2: only the newest city can be without one"
    if table.phase in (*VETOES, INVESTMENT, PROGRESS):
        assert all(count == table.round for count in cities), (
            "D1: after the city phase each kingdom has one city a round"
        )
        assert all(len(kingdom.tiles) == 6 - table.round for kingdom in table.seats.values()), "D4"
    if table.phase == CITY_VETO and table.acted == 0:
        assert all(count == table.round - 1 for count in coins)
    if table.phase in (INVESTMENT_VETO, PROGRESS):
        assert all(len(kingdom.coins) == 6 - table.round for kingdom in table.seats.values()), "D4"
        assert table.round == 6 or all(kingdom.tiles and kingdom.coins for kingdom in table.seats.values()), (
            "a swap is possible"
        )
    assert all(kingdom.king <= decided for kingdom in table.seats.values()), "D5: the King can always move"


def best_possible(seats: int) -> int:
    """D7: the best six tiles times the best six coins, the best city doubled, and all vetoes."""
    values = sorted((value for value in range(6) for _ in range(seats)), reverse=True)[:6]
    products = [value * value for value in values]
    return sum(products) + products[0] + 5


def test_the_upper_bounds_are_130_153_and_162() -> None:
    """For 2, 3 and 4 players; that no game passes them is held above."""
    assert [best_possible(seats) for seats in (2, 3, 4)] == [130, 153, 162]


PLACED = re.compile(r"(\w+) placed tile (\d) as city")
VETOED = re.compile(r"(\w+) vetoed city \d of its own kingdom: tile (\d) went out, tile (\d) came in")


@quick
@given(SEEDS, NUMBERS, PACES)
def test_what_tiles_a_seat_has_follows_from_what_all_are_told(seed: int, seats: int, pace: str) -> None:
    """D6: every move of a tile is told to all, so no reserve of tiles is a secret."""
    rules = rules_with(pace)
    reserves = {seat: list(range(6)) for seat in SEATS[:seats]}
    for result in without_gm(seed, seats, rules):
        for text in told(result, "all"):
            if match := PLACED.match(text):
                reserves[match[1]].remove(int(match[2]))
            if match := VETOED.match(text):
                reserves[match[1]].remove(int(match[3]))
                reserves[match[1]].append(int(match[2]))
        assert {seat: list(kingdom.tiles) for seat, kingdom in result.after.seats.items()} == {
            seat: sorted(each) for seat, each in reserves.items()
        }


@quick
@given(SEEDS, NUMBERS)
def test_the_last_of_a_phase_has_no_choice_of_kingdom(seed: int, seats: int) -> None:
    """D3: whatever it names, it gets the one that is left; in round 6 nobody has a choice of value."""
    for result in without_gm(seed, seats, rules_with("strict")):
        before = result.before
        if before.phase in ("city", "investment") and before.acted == seats - 1:
            placed = [entry.kingdom for entry in result.entries if entry.account in ("cities", "investments")]
            full = [seat for seat, kingdom in before.seats.items() if len(kingdom.cities) == before.round]
            if before.phase == "city":
                assert placed == [seat for seat in before.seats if seat not in full]
            else:
                assert placed == [seat for seat, kingdom in before.seats.items() if open_city(kingdom)]
        if before.round == 6:
            assert all(len(kingdom.tiles) <= 1 and len(kingdom.coins) <= 1 for kingdom in before.seats.values())


# --- seats turned round, names changed


def renamed(value: Any, names: dict[str, str]) -> Any:
    """Plain data with every seat in it called otherwise."""
    if isinstance(value, dict):
        return {names.get(key, key): renamed(each, names) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [renamed(each, names) for each in value]
    return names.get(value, value) if isinstance(value, str) else value


def plainly(table: Table, names: dict[str, str]) -> dict[str, Any]:
    """The table as plain data under other names, without the names that people gave the kingdoms; by seat, in no order."""
    data = renamed(msgspec.to_builtins(table), names)
    kingdoms = {
        seat: {**kingdom, "name": "", "cities": [_sorted(city) for city in kingdom["cities"]]}
        for seat, kingdom in data["kingdoms"].items()
    }
    return {**data, "kingdoms": dict(sorted(kingdoms.items()))}


def _sorted(city: dict[str, Any]) -> dict[str, Any]:
    return {**city, "seen_by": sorted(city["seen_by"])}


@quick
@given(SEEDS, NUMBERS, PACES, any_.integers(1, 3))
def test_turning_the_seats_turns_the_result(seed: int, seats: int, pace: str, by: int) -> None:
    """Each seat plays what its neighbour played, and the first chancellor moves as well: each gets what its neighbour got."""
    rules, named = rules_with(pace), SEATS[:seats]
    names = {seat: named[(index + by) % seats] for index, seat in enumerate(named)}
    table, turned = begun(seats, named[0]), begun(seats, names[named[0]])
    while not GAME.finished(table):
        orders = muddle(table, (seed, table.turn))
        table = played(table, orders, rules).after
        turned = played(turned, renamed(orders, names), rules).after
        assert plainly(table, names) == plainly(turned, {})


@quick
@given(SEEDS, NUMBERS)
def test_other_names_change_nothing(seed: int, seats: int) -> None:
    """The order of play is the table's, not that of the alphabet."""
    rules, named = own_rules(), SEATS[:seats]
    names = {seat: f"seat_{'zyxw'[index]}" for index, seat in enumerate(named)}
    table = begun(seats)
    other = replace(
        table, seats={names[seat]: kingdom for seat, kingdom in table.seats.items()}, first=names[table.first]
    )
    while not GAME.finished(table):
        orders = muddle(table, (seed, table.turn))
        table, other = played(table, orders, rules).after, played(other, renamed(orders, names), rules).after
        assert plainly(table, names) == plainly(other, {})


# --- what random play looks like


@pytest.mark.parametrize("games", [50, pytest.param(150, marks=pytest.mark.long)])
def test_random_play_collects_what_chance_says(games: int) -> None:
    """Seven products of middling pieces, (7 x 2.5 x 2.5 = 43.75), and about the vetoes that are left."""
    totals: list[int] = []
    for seed in range(games):
        *_, last = game_of(("random", seed), 3)
        totals += [kingdom.total for kingdom in last.after.seats.values()]
    mean = sum(totals) / len(totals)
    assert 42 < mean < 50 and min(totals) >= 0 and max(totals) <= 153
