"""What always holds, whatever is played."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.campaign import substitute_orders
from kingdom.engine.dice import GM, Dice, NoDice, Roll, key_of
from kingdom.engine.step import Result
from kingdom.engine.turn import resolve
from kingdom.games.kings_pouch.state import COLOURS, KINDS, Citizens, Table, replace
from kingdom.games.kings_pouch.steps import rounds
from kingdom.orders import orders_file as orders
from tests.games.kings_pouch.kit import GAME, begun, every_effect, moved, muddled, of_bot, played, rules, run, table
from tests.kit.examples import tries
from tests.plays.kings_pouch import hidden, otherwise

SEEDS = st.integers(0, 10_000).map(str)


def watched(result: Result, own: Any = None) -> None:
    """All that must hold behind every run."""
    table, own = result.after, own or rules()
    pieces = rounds.pieces(table, own)
    assert [pieces[kind] for kind in KINDS] == [28, 28, 20, 20, 20]
    assert all(pieces[f"markers of {seat}"] == 12 for seat in table.seats)
    cards = [card for card in own.buildings if own.buildings[card].era]
    copies = 1 if len(table.seats) == 2 else 2
    assert all(pieces[card] == copies for card in cards)
    assert all(1 <= each.markers <= 2 for each in (*table.territories.values(), *table.claimed.values()))
    assert not table.territories.keys() & {lord.castle for lord in table.seats.values()}
    assert not (table.round == 9 and table.display)
    for seat, lord in table.seats.items():
        before = result.before.seats[seat]
        assert lord.castle == before.castle or not before.castle, "castles never change"
        assert (
            0 <= len(lord.buildings) - len(before.buildings) <= 1
            and len(lord.buildings) <= len(begun(2, own).seats["alice"].buildings) + 8
            and not lord.site
        )
        names = [own.buildings[each].name for each in lord.buildings]
        assert len(names) == len(set(names))
        entries = [entry for entry in result.entries if entry.kingdom == seat]
        assert all(
            entry.cause in ("final_corrupt", "no_citizen")
            for entry in entries
            if entry.account == "prestige" and entry.delta < 0
        )
        assert all(
            entry.cause in ("refill", "attacked") and entry.delta == 1
            for entry in entries
            if entry.account == "corrupt" and entry.delta > 0
        )
        assert lord.placed == () and table.purse is None, "gold and army exist inside a turn alone"


@tries(2, 6)
@given(SEEDS, st.integers(2, 4), st.sampled_from(["random", "steward"]))
def test_nothing_is_made_or_lost_and_nothing_rises_but_as_the_rules_say(seed: str, seats: int, bot: str) -> None:
    assert GAME.finished(played(seats, seed, bot, told=watched))


@tries(8, 25)
@given(SEEDS, st.integers(2, 4), st.sampled_from(["round", "turn"]), st.booleans())
def test_nor_where_seats_order_what_comes_to_their_minds(seed: str, seats: int, pace: str, effects: bool) -> None:
    """Most of it is not allowed; with buildings, too, that have each kind of effect that a building may have."""
    own = replace(every_effect() if effects else rules(), pace=pace)
    done = muddled(seats, seed, own, lambda result: watched(result, own))
    assert done.over and done.round == 9 and done.councils == 3


@tries(40, 200)
@given(
    st.integers(5, 6),
    st.lists(st.sampled_from(KINDS), max_size=12),
    st.lists(st.sampled_from(KINDS), max_size=12),
    st.integers(0, 10_000),
)
def test_a_draw_fills_the_pouch_once_unless_there_are_fewer_citizens_than_draws(
    draws: int, pouch: list[str], rest: list[str], seed: int
) -> None:
    lord = {"active": Citizens(), "pouch": of(pouch), "rest": of(rest), **({"land": {"m0": 1}} if draws == 6 else {})}
    laid = table(alice=lord)
    result = run(laid, dice=Dice(str(seed), laid.turn + 1))
    filled, had = moved(result, "corrupt", "refill"), len(pouch) + len(rest)
    assert filled == (0 if len(pouch) >= draws else 1 if had >= draws - 1 else draws - had), (
        "each corrupt official who comes in is drawn as well"
    )
    assert result.after.seats["alice"].active.count == draws


def of(kinds: list[str]) -> Citizens:
    return Citizens(**{kind: kinds.count(kind) for kind in KINDS})


@tries(2, 6)
@given(SEEDS)
def test_a_draw_of_five_fills_the_pouch_once_unless_too_few_citizens_are_left(seed: str) -> None:
    def told(result: Result) -> None:
        for seat, lord in result.before.seats.items():
            at_rest = [
                entry
                for entry in result.entries
                if entry.kingdom == seat and (entry.cause, entry.account, entry.step) == ("refill", "corrupt", "rest")
            ]
            assert len(at_rest) <= 1 or lord.citizens.count < 6

    played(3, seed, "random", told=told)


@tries(2, 4)
@given(SEEDS, st.integers(2, 4))
def test_what_is_hidden_shows_nowhere(seed: str, seats: int) -> None:
    def told(result: Result) -> None:
        if result.after.round % 3 == 2:
            for seat in result.after.seats:
                other = hidden(result, seat, rules())
                assert GAME.view(other, seat, rules()) == GAME.view(result, seat, rules())
                assert GAME.known(other.after, seat, rules()) == GAME.known(result.after, seat, rules())
                assert GAME.bots["steward"](GAME.known(other.after, seat, rules()), seat, rules(), None) == GAME.bots[
                    "steward"
                ](GAME.known(result.after, seat, rules()), seat, rules(), None)

    played(seats, seed, "random", told=told)


def test_the_piles_are_all_that_is_hidden() -> None:
    laid = begun(3)
    assert otherwise(laid).decks != laid.decks
    assert replace(GAME.known(laid, "alice", rules()), decks=laid.decks) == laid


TURNS = {
    2: 3,
    3: 2,
    4: 3,
}  # players -> by how many sixths the island is turned, so that castles come where castles were


@tries(3, 8)
@given(SEEDS, st.integers(2, 4))
def test_seats_with_the_castles_of_others_score_the_same(seed: str, seats: int) -> None:
    """The island turned, with everybody's orders turned as well, changes no score."""
    state = mirror = begun(seats, seed=seed)
    while not GAME.finished(state):
        filed = orders_of(state, seed)
        if state.round == 0:  # who names one castle alone may get the first free one, which is another there
            filed = {seat: {**orders, "castle": [*rules().boards[seats - 2].castles]} for seat, orders in filed.items()}
        turned = {seat: turn_round(orders, TURNS[seats]) for seat, orders in filed.items()}
        state = resolve(GAME, state, filed, Dice(seed, state.turn + 1), rules()).after
        mirror = resolve(GAME, mirror, turned, Dice(seed, mirror.turn + 1), rules()).after
        assert {seat: lord.prestige for seat, lord in state.seats.items()} == {
            seat: lord.prestige for seat, lord in mirror.seats.items()
        }
        assert {seat: place(lord.castle, TURNS[seats]) for seat, lord in state.seats.items()} == {
            seat: lord.castle for seat, lord in mirror.seats.items()
        }


def orders_of(state: Table, seed: str) -> dict[str, Any]:
    """What random bots order."""
    return {
        seat: of_bot(
            "random", state, seat, rules(), substitute_orders.chance_of(key_of(seed, state.turn + 1, f"bot:{seat}"))
        )
        for seat in state.seats
    }


def place(word: str, by: int) -> str:
    """The territory so many sixths of a turn round the palace."""
    return word if word == "m0" else f"{word[0]}{(int(word[1]) - 1 + by) % 6 + 1}"


def turn_round(orders: dict[str, Any], by: int) -> dict[str, Any]:
    """The same orders with each territory turned."""
    turned = {**orders}
    if "castle" in orders:
        turned["castle"] = [place(each, by) for each in orders["castle"]]
    if "manage" in orders:
        turned["manage"] = [
            {"occupy": [place(each, by) if isinstance(each, str) else each for each in wish["occupy"]]}
            if "occupy" in wish
            else wish
            for wish in orders["manage"]
        ]
    return turned


class Renamed(Dice):
    """The dice of other seats: each seat throws what its namesake does."""

    def __init__(self, seed: str, turn: int, names: dict[str, str]):
        super().__init__(seed, turn)
        self.old = {new: old for old, new in names.items()}

    def result(self, kingdom: str, name: str, count: int, sides: int) -> Roll:
        return super().result(self.old.get(kingdom, kingdom), name, count, sides)._replace(kingdom=kingdom)


def renamed(value: Any, names: dict[str, str]) -> Any:
    """Plain data with every seat in it called otherwise."""
    if isinstance(value, dict):
        return {names.get(key, key): renamed(each, names) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [renamed(each, names) for each in value]
    return names.get(value, value) if isinstance(value, str) else value


@tries(3, 8)
@given(SEEDS, st.integers(2, 4))
def test_other_names_of_the_seats_change_nothing(seed: str, seats: int) -> None:
    """Not even where they come in another order of the alphabet: with the same dice each gets what its namesake got."""
    state = begun(seats, seed=seed)
    names = {seat: f"seat_{'zyxw'[index]}" for index, seat in enumerate(state.seats)}
    other = msgspec.convert(renamed(msgspec.to_builtins(state), names), Table)
    while not GAME.finished(state):
        filed = orders_of(state, seed)
        state = resolve(GAME, state, filed, Dice(seed, state.turn + 1), rules()).after
        other = resolve(GAME, other, renamed(filed, names), Renamed(seed, other.turn + 1, names), rules()).after
        assert msgspec.convert(renamed(msgspec.to_builtins(state), names), Table) == other


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_dice_of_a_seat_decide_its_draws_alone(seats: int) -> None:
    """Everything that others may not foresee of a pouch is keyed to its own seat; the piles are the GM's."""
    keyed: set[tuple[str, str]] = set()
    played(seats, "keys", told=lambda result: keyed.update((roll.kingdom, roll.name) for roll in result.rolls))
    assert {name for _, name in keyed} == {"draw"} and {kingdom for kingdom, _ in keyed} <= set(begun(seats).seats)
    opened = begun(seats, dice=Dice("keys", 0))
    assert sorted(opened.decks["red"]) == sorted(begun(seats, dice=NoDice()).decks["red"]) and GM not in opened.seats
    assert [len(opened.decks[colour]) for colour in COLOURS] == [8 if seats == 2 else 16] * 3


def test_where_no_die_is_thrown_nothing_that_hangs_on_one_happens() -> None:
    state = begun(3)
    for _ in range(4):
        filed = orders_of(state, "x")
        foreseen = resolve(
            GAME,
            GAME.known(state, "alice", rules()),
            {"alice": filed["alice"]},
            NoDice(),
            rules(),
            until=GAME.foreseen_to,
        )
        assert foreseen.rolls == [] and foreseen.after.councils == state.councils
        state = resolve(GAME, state, filed, Dice("x", state.turn + 1), rules()).after


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_steward_beats_random_play(seats: int) -> None:
    assert wins(seats, 4) == 4


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_steward_beats_random_play_in_a_thousand_games(seats: int) -> None:
    assert wins(seats, 1000) >= 990


def wins(seats: int, games: int) -> int:
    """How many games a steward wins against random players, its seat another in each."""
    count = 0
    for number in range(games):
        state = begun(seats)
        mine = list(state.seats)[number % seats]
        done = played(seats, f"game {number}", {seat: "steward" if seat == mine else "random" for seat in state.seats})
        rows = {
            seat: (figures["prestige"], -figures["corrupt"], figures["citizens"])
            for seat, _, figures, _ in GAME.scoring.rows(done, rules(), GAME.scoring.counts)
        }
        count += rows[mine] == max(rows.values())
    return count


def form_after(result: Result, seat: str) -> str:
    """The order form that a report of the seat holds."""
    return "\n".join(GAME.view(result, seat, rules())["form"]) + "\n"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_order_form_is_valid_as_it_stands_and_with_everything_switched_on(seats: int) -> None:
    def told(result: Result) -> None:
        names = {**GAME.names(rules()), "seats": list(result.after.seats)}
        for seat in result.after.seats if not GAME.finished(result.after) else ():
            text = form_after(result, seat)
            assert all(len(line) <= 78 or "  kingdom dice " in line for line in text.splitlines())
            for each in (
                text,
                re.sub(r"^#(?! )", "", re.sub(r"^#(?=  )", "", text, flags=re.MULTILINE), flags=re.MULTILINE),
            ):
                assert not orders.read(each.encode(), "form.yaml", GAME, names, seat, result.number + 1).problems, each

    played(seats, "forms", told=told)
