"""What games have in common, each part on its own: the games' own tests show them at work."""

from __future__ import annotations

import importlib
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from kingdom.engine import game as games
from kingdom.engine.dice import GM
from kingdom.engine.game import Setup
from kingdom.engine.problems import Faults
from kingdom.engine.refusal import Refusal, sentence
from kingdom.engine.step import Phase
from kingdom.games.kit import new_campaign, rulings
from kingdom.games.kit.common_orders import listed
from kingdom.games.kit.declared import merged
from kingdom.games.kit.drawn import Draw
from kingdom.games.kit.memo import Memo
from kingdom.games.kit.new_campaign import Players, seated
from kingdom.games.kit.table import Player, TableState, gained, shuffled
from kingdom.games.kit.table_game import TableGame, deciding, made
from kingdom.orders import schema
from kingdom.orders.kit import Candidate, Gap, Now, One, Pick, Sequence, possible, text_form
from kingdom.orders.schema import Choice, Flag, ListOf, Number, Word
from kingdom.render.plain_text import joined
from tests.games import example
from tests.games.test_every_game import ROOT, play


class Faces:
    """A turn whose dice show what is given, and which notes what was rolled and told."""

    def __init__(self, faces: Any = (), orders: Any = None):
        self.faces, self.rolled, self.told = iter(faces), [], []
        self.orders = orders or {}

    def roll(self, seat: str, name: str, sides: int) -> int | None:
        self.rolled.append((seat, name, sides))
        return next(self.faces, None)

    def tell(self, seat: str, kind: str, **facts: Any) -> None:
        self.told.append((seat, kind, facts))


class Ending(Struct, frozen=True):
    """As much of a state as the end of a campaign needs."""

    ended: str = ""


@given(st.data(), st.integers(2, 12))
def test_a_shuffle_keeps_every_thing_and_rolls_the_gm_s_dice(data: Any, count: int) -> None:
    faces = [data.draw(st.integers(1, sides)) for sides in range(count, 1, -1)]
    turn = Faces(faces)
    mixed = shuffled(range(count), turn, "deck")
    assert sorted(mixed) == list(range(count))
    assert turn.rolled == [(GM, "deck", sides) for sides in range(count, 1, -1)]


def test_each_order_of_three_comes_from_one_throw_of_the_dice() -> None:
    found = {tuple(shuffled("abc", Faces([first, second]), "deck")) for first in (1, 2, 3) for second in (1, 2)}
    assert len(found) == 6


def test_where_no_die_is_thrown_nothing_is_shuffled() -> None:
    assert shuffled("abc", Faces(), "deck") is None


ORDERS = {"kingdom": "bob", "turn": 3, "tax": "never", "claim": ["0101", None, "0103"], "rest": {"draw": 1}}


@pytest.mark.parametrize("path, left", [
    ("tax", {**ORDERS, "tax": ...}),
    ("claim", {**ORDERS, "claim": ...}),
    ("claim[0]", {**ORDERS, "claim": [None, None, "0103"]}),
    ("claim[2]", {**ORDERS, "claim": ["0101", None, None]}),
])  # fmt: skip
def test_one_order_is_left_out_and_the_others_keep_their_numbers(path: str, left: dict) -> None:
    assert rulings.without(ORDERS, path) == {key: each for key, each in left.items() if each is not ...}


@pytest.mark.parametrize(
    "path", ["build", "claim[1]", "claim[3]", "tax[0]", "rest.draw", "claim[-1]", "claim[x]", "", "Tax"]
)
def test_an_order_that_is_not_there_cannot_be_left_out(path: str) -> None:
    assert rulings.without(ORDERS, path) is None


def order(path: str) -> dict:
    return {"void": {"kingdom": "bob", "order": path}, "reason": "a slip"}


def test_the_head_of_a_file_cannot_be_made_void() -> None:
    turn = Faces(orders={"bob": ORDERS})
    refusal = rulings.void("no_such")("the state", turn, order("kingdom"))
    assert refusal == Refusal("no_such", {"whose": "bob", "named": "kingdom", "filed": "tax, claim, rest"})
    assert turn.orders == {"bob": ORDERS} and turn.told == []


def test_seats_that_are_too_many_are_told_in_a_game_without_a_table_file_too() -> None:
    files = {f"kingdoms/{seat}.yaml": {} for seat in "abcde"}
    setup = Setup(tuple("abcde"), files, lambda file, path: {name: f"{name}:1:1" for name in files}[file])
    with pytest.raises(Faults, match="5 seats: the game is for 2 to 4"):
        seated(setup, 2, 4)
    assert seated(setup, 2, 5) == {seat: seat.title() for seat in "abcde"}


def test_a_void_order_is_left_out_and_its_player_told() -> None:
    turn = Faces(orders={"bob": ORDERS, "ann": ORDERS})
    assert rulings.void("no_such")("the state", turn, order("claim[0]")) == "the state"
    assert turn.orders == {"bob": {**ORDERS, "claim": [None, None, "0103"]}, "ann": ORDERS}
    assert turn.told == [("bob", "voided", {"order": "claim[0]", "text": "The GM voids it: a slip."})]


def test_a_campaign_ends_once() -> None:
    told: list[str] = []
    turn, act = Faces(), rulings.finish("ended_already", lambda turn, text, reason: told.append(text))
    ended = act(Ending(), turn, {"finish": "campaign", "reason": "holidays"})
    assert ended == Ending("holidays")
    assert act(ended, turn, {"finish": "campaign", "reason": "twice"}) == Refusal("ended_already")
    assert told == ["The GM ends the campaign with this turn: holidays."]


def test_what_was_made_void_is_not_listed_but_counted() -> None:
    assert list(listed(ORDERS.get("claim"), "claim")) == [("claim[0]", "0101"), ("claim[2]", "0103")]
    assert listed(None, "claim") == listed([], "claim") == []


def test_words_are_joined_as_in_a_sentence() -> None:
    assert [joined(words) for words in ([], [1], "ab", "abc")] == ["none", "1", "a and b", "a, b and c"]
    assert joined("abc", by="or") == "a, b or c"
    assert joined([], "nobody") == "nobody"


def test_a_word_declared_by_two_modules_is_an_error() -> None:
    one, two, other = (SimpleNamespace(CAUSES=causes) for causes in ({"a": "1"}, {"b": "2"}, {"a": "3"}))
    assert merged([one, two, SimpleNamespace()], "CAUSES") == {"a": "1", "b": "2"}
    with pytest.raises(AssertionError, match="declared twice: a"):
        merged([one, other], "CAUSES")


def test_the_last_seats_are_bots_and_tokens_go_to_people() -> None:
    options = {"seed": "s", "bots": 1, "tokens": ["gm1", "ann1", "ben1"]}
    found = new_campaign.heads(
        options, {"ann": "Ann", "ben": "Ben"}, lambda seat: {"name": f"Bot {seat}", "bot": "steward"}
    )
    assert yaml.safe_load(found["gm"]) == {"name": "Gm", "token": "gm1"}
    assert yaml.safe_load(found["players"]) == {
        "ann": {"name": "Ann", "token": "ann1"},
        "ben": {"name": "Bot ben", "bot": "steward"},
    }
    with pytest.raises(ValueError, match="3 bots need 3 seats; there are 2"):
        new_campaign.heads({**options, "bots": 3}, {"ann": "Ann", "ben": "Ben"}, lambda seat: {})


class Record:
    """A record that can be counted: how many of its kind live."""

    alive = 0

    def __init__(self) -> None:
        Record.alive += 1

    def __del__(self) -> None:
        Record.alive -= 1


def test_what_is_remembered_of_a_record_stays_true_and_does_not_grow_without_end() -> None:
    memo = Memo(10)
    for number in range(1000):
        record = Record()
        assert memo.get(id(record)) is None, "another record's value"
        assert memo.put(id(record), record, number) == memo.get(id(record)) == number
    assert Record.alive <= 21  # two generations, and the last one


def test_what_is_asked_for_again_and_again_stays_remembered() -> None:
    memo, often = Memo(10), Record()
    memo.put(id(often), often, "kept")
    for _ in range(100):
        other = Record()
        memo.put(id(other), other, "other")
        assert memo.get(id(often)) == "kept"


def test_what_is_drawn_is_of_the_shape_and_likely_values_come_more_often() -> None:
    dice = random.Random(1)
    draw = Draw(lambda _, sides: dice.randint(1, sides), {"seats": ["alice", "bob"]}, {"tile": [5]})
    placement = schema.Record(
        "a placement",
        {"kingdom": Word("whose", "seats", also=("all",)), "tile": Number("which", 0, 9), "if": Flag("whether")},
        required=("kingdom", "tile"),
    )
    drawn = [draw.of(placement) for _ in range(200)]
    assert {order["kingdom"] for order in drawn} == {"alice", "bob", "all"}
    assert 100 < sum(order["tile"] == 5 for order in drawn) < 200 and len({order["tile"] for order in drawn}) > 3
    assert 30 < sum("if" in order for order in drawn) < 120
    words = [draw.of(Choice("what", {"move": None, "veto_if": placement})) for _ in range(20)]
    assert {next(iter(word)) for word in words} == {"move", "veto_if"}


# --- a whole game at one table: the example of docs/games.md


class Debtor(Player, frozen=True, kw_only=True):
    ACCOUNTS = ("coins",)
    coins: int


def test_an_account_in_debt_is_not_taken_for_a_hidden_one() -> None:
    booked = []
    turn = SimpleNamespace(book=lambda *entry: booked.append(entry))
    table = TableState(seats={"alice": Debtor(name="Alice", coins=1)})
    for by in (-2, 5):
        table = gained(table, turn, "alice", "ship", "a ship", coins=by)
    assert table.seats["alice"].coins == 4
    assert [accounts["coins"] for _, accounts, *_ in booked] == [-1, 4]


def test_what_the_gm_grants_of_a_secret_account_its_seat_alone_is_told() -> None:
    with example.found():
        turns = play("harbour")
    told = [
        (note.seat, note.facts["text"])
        for turn in turns
        for note in turn.result.notices
        if "The GM" in str(note.facts.get("text"))
    ]
    assert told == [("all", "The GM changes the coins of bob: a gift."), ("bob", "The GM: +2 coins for you.")]


def test_a_game_that_an_installed_package_brings_is_found_with_its_data_and_words(tmp_path: Path) -> None:
    """As pip installs it: a folder on the path, beside other packages, without a word in the program's own folder."""
    shutil.copytree(example.HERE / "harbour", tmp_path / "kingdom" / "games" / "harbour")
    command = [sys.executable, "-P", "-m", "kingdom"]
    env = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"}
    said = subprocess.run([*command, "help", "harbour"], capture_output=True, text=True, env=env, check=False)
    assert (said.returncode, said.stderr) == (0, "")
    assert "Everybody bids coins for one of them in secret" in said.stdout and "- wages: 2" in said.stdout
    assert "harbour" in subprocess.run([*command, "games"], capture_output=True, text=True, env=env, check=True).stdout


def harbour_with(**other: Any) -> Any:
    """The example's declaration, with something else in it, made a game."""
    with example.found():
        games.load("harbour")
        own = importlib.import_module("kingdom.games.harbour.game")
    declared = {
        "file": own.__file__, "title": "Harbour", "State": own.Table, "Rules": own.Rules, "Seat": own.Trader,
        "players": Players(usual=3, least=2, most=4), "start": own.start, "orders": [own.BID],
        "phases": (Phase("bids", (deciding(own.BID, "take_bids"),)),), "counts": ("worth",), "grant": "coins",
        "over": lambda table: "", "heading": own.heading, "lines": own.lines,
    }  # fmt: skip
    return made(TableGame(**{**declared, **other}))


class Silent(One):
    key, name, phase, shape = "nod", "your nod", "bids", Flag("whether you nod")

    def say(self, order: bool) -> str:
        return "a nod"


class Late(Silent):
    key, phase = "thanks", "sale"


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"counts": ("points",)}, "`counts` names 'points', and the ACCOUNTS of Trader are worth, coins"),
        ({"fewer": ("points",)}, "`fewer` names 'points', and the ACCOUNTS of Trader are worth, coins"),
        ({"codes": {"table_void": "harbour_void"}}, "`codes` names 'table_void', and the REFUSALS of the kit are table_below_nothing, "),
        ({"settings": {"die": "it rolls."}}, "`settings` names 'die', and the fields of Settings are game, dice, rules, bots, "),
        ({"grant": "bid"}, "`grant` names 'bid', and the ACCOUNTS of Trader are worth, coins"),
        ({"secret": {"coin": 0}}, "`secret` names 'coin', and the fields of Trader are name, worth, coins, bid"),
        ({"face_down": {"ship": 0}}, "`face_down` names 'ship', and the fields of Table are turn, seats, ended, ships, rounds"),
        ({"phases": (Phase("sale", ()),)}, "`Bid.phase` names 'bids', and the phases are sale"),
        (
            {"orders": [Late(), Silent()], "phases": (Phase("bids", ()), Phase("sale", ()))},
            "`orders` are thanks, nod, and the phases decide them in another order: bids, sale;",
        ),
        ({"orders": [Silent()]}, "the order Silent has no method `asks`; the order Silent has no method `candidates`;"),
    ],
)  # fmt: skip
def test_a_declaration_that_names_what_is_not_there_is_told_as_the_game_is_made(other: dict, said: str) -> None:
    assert harbour_with().name == "harbour"
    with pytest.raises(ValueError, match=re.escape(f"the declaration of harbour: {said}")):
        harbour_with(**other)


def test_a_check_shows_the_table_behind_the_last_phase_that_decides() -> None:
    """Behind it, dice that are not thrown would show a harbour without ships, and wages that hide what a bid costs."""
    phases = (Phase("bids", ()), Phase("sale", ()), Phase("arrivals", ()))
    assert harbour_with(phases=phases).foreseen_to == "bids"


@pytest.mark.parametrize(("picks", "said"), [({}, "nothing"), ({"coin": Pick("Coins", [1])}, "coin")])
def test_a_gap_without_a_pick_is_told_by_its_name(picks: dict, said: str) -> None:
    class Nod(Silent):
        def candidates(self, now: Any) -> list[Candidate]:
            return [Candidate("nod", {"coins": Gap("coins")}, "Nod", picks)]

    with pytest.raises(ValueError, match=f"^a candidate of nod, 'nod', has a Gap 'coins' and picks for {said}$"):
        list(possible(Nod(), Now(None, "alice", None)))


def test_a_refusal_that_nobody_declares_or_without_its_facts_is_told_by_its_code() -> None:
    with pytest.raises(KeyError, match="declares the refusal harbour_gone"):
        sentence(Refusal("harbour_gone"), {})
    with pytest.raises(KeyError, match="the refusal harbour_gone is given no fact 'ship'; it has ships"):
        sentence(Refusal("harbour_gone", {"ships": 2}), {"harbour_gone": "Ship {ship} of {ships} is gone."})


def test_the_examples_of_a_list_in_the_form_as_text_can_all_be_ordered() -> None:
    class Traps(Sequence):
        """At most two, none of them twice. The state is what is ordered."""

        key, name, phase = "traps", "your traps", "bids"
        shape = ListOf("traps", Number("a trap", 1, 9), short="commas")
        stops = False

        def asks(self, now: Any) -> str:
            return "Lay two traps."

        def candidates(self, now: Any) -> list[Candidate]:
            return [Candidate(f"trap {trap}", trap, f"Trap {trap}") for trap in (1, 1, 2, 3)]

        def objection(self, now: Any, order: int) -> Any:
            return "no" if order in now.state or len(now.state) > 1 else None

        def carry_out(self, now: Any, order: int, turn: Any) -> Any:
            return (*now.state, order)

    form = text_form([(Traps(), Now((), "alice", None))])
    assert form[:4] == ["# Lay two traps.", "#traps:  # possible now, for example:", "#  - 1", "#  - 2"]
    assert not form[4].startswith("#  - ")
