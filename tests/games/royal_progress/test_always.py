"""What always holds, over whole games by bots: pieces, places, control, points, and when a round ends."""

from __future__ import annotations

import functools
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.engine.step import Result
from kingdom.games.kit.table import clockwise
from kingdom.games.royal_progress.bots import at_random as random_orders
from kingdom.games.royal_progress.plans import Plans
from kingdom.games.royal_progress.state import OVER, PLAY, Table, castle, figure, replace, suit, value
from kingdom.games.royal_progress.steps import Trial, cards, ended, pieces, rounds
from kingdom.games.royal_progress.steps.moving import distances
from tests.games.royal_progress.kit import (
    GAME,
    NO_ABILITIES,
    RULES,
    SEATS,
    foreseen,
    opened,
    played,
    rules_with,
    turn_of,
)
from tests.kit.examples import tries
from tests.plays.royal_progress import otherwise

games = tries(2, 6)
seeds = st.text("abcdef", min_size=1, max_size=6)
players = st.integers(3, 5)


def test_the_box() -> None:
    box = Counter(pieces(opened(4), RULES))
    suits = {
        name: sum(count for card, count in box.items() if card.startswith(name + " "))
        for name in (*RULES.courtiers, *RULES.gifts.types)
    }
    assert {suits[name] for name in RULES.courtiers} == {8} and {suits[kind] for kind in RULES.gifts.types} == {12}
    assert (sum(suits[name] for name in RULES.courtiers), sum(suits[kind] for kind in RULES.gifts.types)) == (64, 60)
    assert RULES.box.influence == (0, 0, 1, 1, 2, 2, 3, 3) and [
        (of.first, of.second, of.third) for of in RULES.positions
    ] == [(2, 0, 0), (3, 1, 0), (4, 2, 1)]
    assert (len(RULES.courtiers), box["courtiers in a place"], len(RULES.places), len(RULES.roads)) == (8, 8, 30, 57)
    kinds = Counter((of.kind, of.capacity) for of in RULES.places.values())
    assert kinds == {("castle", 0): 3, ("home", 0): 8, ("village", 1): 12, ("village", 2): 6, ("london", 2): 1}


def test_every_home_lies_three_to_five_steps_from_every_castle() -> None:
    homes = [of.home for of in RULES.courtiers.values()]
    far = {
        place: [distances(place, RULES)[home] for home in homes]
        for place, of in RULES.places.items()
        if of.kind == "castle"
    }
    assert {place: sum(steps) for place, steps in far.items()} == {"windsor": 28, "guildford": 32, "hatfield": 30}
    assert all(3 <= each <= 5 for steps in far.values() for each in steps)


# --- the turns at the table, watched one by one


def turns_of(seats: int, seed: str, rules: Any) -> list[tuple[Table, Table]]:
    """(before, after) of each turn at the table of a whole game by random bots."""
    turns: list[tuple[Table, Table]] = []
    take_turn = Plans.play

    def watched(plans: Plans, now: Any, turn: Any) -> Table:
        after = take_turn(plans, now, turn)
        turns.append((now.state, after))
        return after

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Plans, "play", watched)
        assert list(played(seats, seed, rules))[-1].after.phase == OVER
    return turns


@games
@given(seats=players, seed=seeds)
def test_without_abilities_nobody_goes_farther_from_the_castle_and_no_place_holds_too_many(
    seats: int, seed: str
) -> None:
    for before, after in turns_of(seats, seed, NO_ABILITIES):
        far = distances(castle(before), NO_ABILITIES)
        for name, courtier in after.courtiers.items():
            assert far[courtier.place] <= far[before.courtiers[name].place]
            assert (courtier.place == castle(before)) == bool(courtier.arrived)
        standing = Counter(courtier.place for courtier in after.courtiers.values())
        assert all(
            not (most := NO_ABILITIES.places[place].capacity) or count <= most for place, count in standing.items()
        )
        arrived = sorted(courtier.arrived for courtier in after.courtiers.values() if courtier.arrived)
        assert arrived == list(range(1, len(arrived) + 1))


@games
@given(seats=players, seed=seeds)
def test_nothing_is_made_or_lost_and_points_never_fall(seats: int, seed: str) -> None:
    box = pieces(opened(seats, seed), RULES)
    for result in played(seats, seed):
        assert pieces(result.after, RULES) == box
        for seat, of in result.after.seats.items():
            assert of.points >= result.before.seats[seat].points
            assert not Counter(of.seen) - Counter(of.hand), "what everybody saw come is in the hand"
    assert len(result.after.gift_deck) == 60 - 3 * (2 * RULES.box.pairs + RULES.box.singles) == 6


@games
@given(seats=players, seed=seeds)
def test_a_round_ends_with_the_fifth_arrival_or_the_end_of_the_track_and_soon_enough(seats: int, seed: str) -> None:
    """The King card changes hands five times a round at most, and otherwise its holder's turn comes after one of each seat."""
    turns = turns_of(seats, seed, RULES)
    counted = Counter(before.round for before, _ in turns)
    assert seats * (RULES.track.end - seats + RULES.box.arrivals) == {3: 36, 4: 44, 5: 50}[seats]
    assert set(counted) == {1, 2, 3} and max(counted.values()) <= seats * (RULES.track.end - seats + RULES.box.arrivals)
    assert not any(ended(before, RULES) for before, _ in turns), "nobody has a turn behind the end"


@games
@given(seats=players, seed=seeds)
def test_no_type_scores_more_than_its_positions(seats: int, seed: str) -> None:
    for result in played(seats, seed):
        of = RULES.positions[result.before.round - 1]
        scored: Counter[str] = Counter()
        for entry in result.entries:
            if entry.cause in ("majority", "types"):
                scored[entry.detail.partition(":")[0]] += entry.delta
        assert all(points <= of.first + of.second + of.third for points in scored.values())
        assert set(scored) <= {*RULES.gifts.types, rounds.MOST_TYPES}


# --- control, reckoned another way


def oracle(held: tuple[str, str], piles: dict[str, tuple[int, ...]], order: list[str]) -> tuple[str, str]:
    """Who has control and minor control, from who had them and the piles: a holder stays until somebody exceeds him."""
    worth = {seat: value(piles[seat]) for seat in order if piles.get(seat)}
    top = held[0] if held[0] in worth and all(worth[held[0]] >= worth[seat] for seat in worth) else ""
    if not top and worth:
        best = [seat for seat in worth if worth[seat] == max(worth.values())]
        top = held[1] if held[1] in best else best[0]
    rest = {seat: worth[seat] for seat in worth if seat != top}
    second = held[1] if held[1] in rest and all(rest[held[1]] >= rest[seat] for seat in rest) else ""
    if not second and rest:
        second = next(seat for seat in rest if rest[seat] == max(rest.values()))
    return top, second


@games
@given(seats=players, seed=seeds)
def test_control_is_what_the_log_of_all_piles_makes_of_it(seats: int, seed: str) -> None:
    """Reckoned from the log alone: who held control is carried from change to change, never read from the table."""
    log: list[tuple[Table, str, Table]] = []
    settle = cards.settle_control

    def logged(table: Table, turn: Any, name: str) -> Table:
        after = settle(table, turn, name)
        log.extend([] if isinstance(turn, Trial) else [(table, name, after)])
        return after

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cards, "settle_control", logged)
        last = list(played(seats, seed))[-1].after
    held: dict[str, tuple[str, str]] = dict.fromkeys(RULES.courtiers, ("", ""))
    for table, name, after in log:
        assert _held(table, name) == held[name], "nothing but a look at the piles changes control"
        held[name] = oracle(held[name], table.courtiers[name].piles, clockwise(table, table.king_card))
        assert _held(after, name) == held[name]
    assert {name: _held(last, name) for name in held} == held


def _held(table: Table, name: str) -> tuple[str, str]:
    return table.courtiers[name].control, table.courtiers[name].minor


LAYS, DISCARDS = re.compile(r"(\w+) lays (.*)\."), re.compile(r"(\w+) discards (\w+) (\d)\b")
SENT_BACK, OPENS = re.compile(r"(\w+) (\d) goes back to the hand of (\w+)\."), re.compile(r"(\w+) opens (\w+) (\d)\.")
ARRIVES = re.compile(r"The (\w+) is number \d at court; (\w+) has the King card\.")


class Log:
    """Piles and control as somebody keeps them who hears what everybody is told, and nothing else."""

    def __init__(self, seats: list[str], king_card: str):
        self.seats, self.king_card, self.court = seats, king_card, set[str]()
        self.piles: dict[str, dict[str, tuple[int, ...]]] = {name: {} for name in RULES.courtiers}
        self.held: dict[str, tuple[str, str]] = dict.fromkeys(RULES.courtiers, ("", ""))

    def hear(self, line: str) -> None:
        if found := LAYS.fullmatch(line):
            self.lay(found[1], found[2])
        elif found := DISCARDS.match(line):
            self.change(found[2], found[1], self.piles[found[2]][found[1]][1:])
        elif found := SENT_BACK.fullmatch(line):
            self.change(found[1], found[3], self.piles[found[1]][found[3]][1:])
        elif found := OPENS.fullmatch(line):
            pile = [*self.piles[found[2]][found[1]]]
            pile.remove(int(found[3]))
            self.change(found[2], found[1], (int(found[3]), *pile))
        elif found := ARRIVES.fullmatch(line):
            self.court.add(found[1])
            self.king_card = found[2]
        elif line.startswith("Round ") or line == "The last round is over.":
            self.court = set()
            self.look(*RULES.courtiers)

    def lay(self, seat: str, what: str) -> None:
        laid = [each.partition(" ") for each in what.split(" and ")]
        for name, _, symbols in laid:
            self.piles[name][seat] = (*self.piles[name].get(seat, ()), *map(int, symbols.split(", ")))
        self.look(*(name for name, _, _ in laid))

    def change(self, name: str, seat: str, pile: tuple[int, ...]) -> None:
        self.piles[name][seat] = pile
        self.look(name)

    def look(self, *names: str) -> None:
        at = self.seats.index(self.king_card)
        for name in names:
            if name not in self.court:
                self.held[name] = oracle(self.held[name], self.piles[name], self.seats[at:] + self.seats[:at])


@games
@given(seats=players, seed=seeds)
def test_control_can_be_reckoned_from_what_everybody_was_told(seats: int, seed: str) -> None:
    """Changes only when exceeded, at court not before the round is scored: each turn's end agrees with the log."""
    table = opened(seats, seed)
    log = Log([*table.seats], table.king_card)
    for result in played(seats, seed, bots={"alice": "chamberlain"}):
        for notice in result.notices:
            if notice.kind == "happened" and notice.seat == "all":
                log.hear(notice.facts["text"])
        assert {name: _held(result.after, name) for name in RULES.courtiers} == log.held
        heard = {name: {seat: pile for seat, pile in of.items() if pile} for name, of in log.piles.items()}
        assert {name: of.piles for name, of in result.after.courtiers.items()} == heard
        assert result.after.king_card == log.king_card


# --- who sits where, and what suits are called


@games
@given(seed=seeds, by=st.integers(1, 3))
def test_where_the_counting_of_seats_begins_changes_nothing(seed: str, by: int) -> None:
    """The same round of seats, counted from another one: the same game."""
    table = opened(4, seed, NO_ABILITIES)
    seats = [*table.seats.items()]
    turned = replace(table, seats=dict(seats[by:] + seats[:by]))
    for number in range(TURNS):
        orders = orders_for(table, seed, number)
        table, turned = (
            turn_of(table, orders, NO_ABILITIES, seed).after,
            turn_of(turned, orders, NO_ABILITIES, seed).after,
        )
        assert turned == table


@games
@given(seed=seeds)
def test_seats_under_other_names_play_the_same(seed: str) -> None:
    other = dict(zip(SEATS[:4], ("zoe", "yves", "xaver", "wanda"), strict=True))
    table = opened(4, seed, NO_ABILITIES)
    renamed = with_seats(table, other)
    for number in range(TURNS):
        orders = orders_for(table, seed, number)
        table = turn_of(table, orders, NO_ABILITIES, seed).after
        renamed = turn_of(renamed, {other[seat]: each for seat, each in orders.items()}, NO_ABILITIES, seed).after
        assert renamed == with_seats(table, other)


@games
@given(seed=seeds)
def test_suits_under_other_names_play_the_same(seed: str) -> None:
    """The names keep their order, which decides what no rule does; homes go with the names."""
    other = {name: f"suit{number}" for number, name in enumerate(sorted(RULES.courtiers))}
    table = opened(4, seed, NO_ABILITIES)
    renamed = with_suits(table, other)
    rules = replace(NO_ABILITIES, courtiers={other[name]: of for name, of in NO_ABILITIES.courtiers.items()})
    for number in range(TURNS):
        orders = orders_for(table, seed, number)
        table = turn_of(table, orders, NO_ABILITIES, seed).after
        renamed = turn_of(renamed, _in_words(orders, other), rules, seed).after
        assert renamed == with_suits(table, other)


TURNS = 9


def orders_for(table: Table, seed: str, number: int) -> dict[str, dict]:
    """What random bots file for all seats."""
    dice = {seat: random.Random(f"{seed} {seat} {number}") for seat in table.seats}
    return {
        seat: random_orders(table, seat, NO_ABILITIES, lambda name, sides, of=dice[seat]: of.randint(1, sides))
        for seat in dice
    }


def with_seats(table: Table, names: dict[str, str]) -> Table:
    to = {**names, "": ""}
    courtiers = {
        name: replace(
            of, control=to[of.control], minor=to[of.minor], piles={to[seat]: pile for seat, pile in of.piles.items()}
        )
        for name, of in table.courtiers.items()
    }
    seats = {to[seat]: of for seat, of in table.seats.items()}
    return replace(table, seats=seats, courtiers=courtiers, king_card=to[table.king_card], next=to[table.next])


def with_suits(table: Table, names: dict[str, str]) -> Table:
    def cards(those: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(f"{names[suit(card)]} {figure(card)}" for card in those)

    return replace(
        table,
        seats={seat: replace(of, hand=cards(of.hand), seen=cards(of.seen)) for seat, of in table.seats.items()},
        courtiers={names[name]: of for name, of in table.courtiers.items()},
        deck=cards(table.deck), discards=cards(table.discards), offer=cards(table.offer),
    )  # fmt: skip


def _in_words(orders: dict[str, dict], names: dict[str, str]) -> dict[str, dict]:
    text = json.dumps(orders)
    for name, other in names.items():
        text = text.replace(f'"{name}"', f'"{other}"')
    return json.loads(text)


# --- what is hidden


@games
@given(seats=players, seed=seeds, at=st.integers(0, 12))
def test_reports_say_nothing_of_cards_that_a_seat_has_not_seen(seats: int, seed: str, at: int) -> None:
    """The hidden cards change places among hands and decks: view, form and board stay the same to the letter."""
    result = [*_first(played(seats, seed), at + 1)][-1]
    for seat in result.after.seats:
        own = [notice for notice in result.notices if notice.seat in (seat, "all")]
        hidden = result._replace(
            before=otherwise(result.before, seat), after=otherwise(result.after, seat), notices=own,
            orders={seat: result.orders[seat]}, rolls=[], entries=[entry for entry in result.entries if entry.kingdom == seat],
        )  # fmt: skip
        assert GAME.view(hidden, seat, RULES) == GAME.view(result, seat, RULES)
        assert GAME.forms.text(hidden.after, seat, RULES) == GAME.forms.text(result.after, seat, RULES)
        assert GAME.picture(hidden.after, seat, RULES) == GAME.picture(result.after, seat, RULES)


def _first(results: Iterator[Result], count: int) -> Iterator[Result]:
    for _, result in zip(range(count), results, strict=False):
        yield result


def test_a_hidden_table_is_another_table() -> None:
    table = opened(3)
    assert otherwise(table, "alice") != table and table.phase != PLAY


# --- the paces


def test_both_paces_play_a_game_to_its_end() -> None:
    laps_played = sum(1 for _ in played(4, "pace"))
    strict = list(played(4, "pace", rules_with(pace="strict")))
    assert 12 <= laps_played <= 30 and 45 <= len(strict) <= 90
    assert strict[-1].after.phase == "over" and GAME.finished(strict[-1].after) == "the last round is scored"


def test_two_may_play_as_an_experiment() -> None:
    two = rules_with(box={"least_players": 2})
    assert GAME.finished([*played(2, "two", two)][-1].after) == "the last round is scored"
    assert "box: {least_players: 2}" in GAME.opening.new(2, {"seed": "two"})["campaign.yaml"]
    assert "\nrules:" not in GAME.opening.new(3, {"seed": "three"})["campaign.yaml"]


# --- whatever is ordered


NAMES, PLACES = st.sampled_from(sorted(RULES.courtiers)), st.sampled_from(sorted(RULES.places))
CARD = st.integers(0, 4) | st.just("drawn")
ONE = st.fixed_dictionaries({"courtier": NAMES, "card": st.integers(0, 3)})
WISHES = st.lists(
    st.just("any")
    | st.fixed_dictionaries(
        {},
        optional={
            "suit": NAMES,
            "card": st.integers(0, 3),
            "min": st.integers(0, 4),
            "suit_in_hand": st.sampled_from(["most", "least"]),
        },
    ),
    max_size=3,
)
ACTION = st.one_of(
    st.fixed_dictionaries({"do": st.just("a"), "courtier": NAMES, "to": PLACES}),
    st.fixed_dictionaries({"do": st.just("b")}, optional={"courtier": NAMES | st.just("drawn"), "cards": st.lists(CARD, min_size=1, max_size=3), "each": st.lists(ONE, max_size=3)}),
    st.fixed_dictionaries({"do": st.just("c")}, optional={"prefer": WISHES, "two": st.booleans()}),
    st.fixed_dictionaries({"do": st.just("d"), "courtier": NAMES}),
)  # fmt: skip
ABILITY = st.fixed_dictionaries({"use": NAMES}, optional={
    "move": st.lists(NAMES | PLACES, max_size=2), "courtier": NAMES, "card": CARD, "of": st.sampled_from(SEATS[:3]), "prefer": WISHES,
})  # fmt: skip
PLANS = st.lists(
    st.fixed_dictionaries({"actions": st.lists(ACTION, max_size=3)}, optional={"ability": ABILITY}), max_size=3
)


@tries(15, 60)
@given(plans=st.fixed_dictionaries(dict.fromkeys(SEATS[:3], PLANS)), at=st.integers(0, 15))
def test_no_plan_stops_a_turn_or_a_check(plans: dict[str, list], at: int) -> None:
    table = [*_first(game_of_three(), at + 1)][-1].before
    orders = {seat: {"plans": each} for seat, each in plans.items()}
    result = turn_of(table, orders, RULES)
    assert pieces(result.after, RULES) == pieces(table, RULES)
    for seat in SEATS[:3]:
        assert not foreseen(table, seat, orders[seat], RULES).rolls


@functools.cache
def game_of_three() -> tuple[Result, ...]:
    return tuple(played(3, "wild", bots={"alice": "chamberlain"}))
