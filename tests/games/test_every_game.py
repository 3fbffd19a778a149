"""What every game promises, for each game that there is. A new game is found by its folder; tests/plays says how to play it.

The tiny game of the tests is one of them. At the end it is played by the command line where the kingdom game can't be
loaded at all, so nothing that this needs can know the kingdom game.
"""

from __future__ import annotations

import functools
import gc
import importlib
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import msgspec
import pytest
import yaml
from jinja2.runtime import Context
from msgspec import structs

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import filings, keeping, next_turn, opening, seat_record, settings, substitute_orders, the_end
from kingdom.campaign.filings import Filings
from kingdom.campaign.replay import notices_of
from kingdom.campaign.store import pretty
from kingdom.engine import game as games
from kingdom.engine.dice import GM, Dice, NoDice, commitment_of, key_of
from kingdom.engine.game import Game
from kingdom.engine.step import Phase, Result, Step, Turn
from kingdom.engine.turn import RULES, resolve
from kingdom.orders import orders_file as orders
from kingdom.orders import tables
from kingdom.render import reports
from tests.games import example
from tests.kit import tiny_game
from tests.kit.gamekit import NEW, up_to_three

ROOT = Path(__file__).parents[2]
PLAYED = sorted({*games.names(), "harbour"})  # the games of the program, and the example of docs/games.md
GAMES = sorted({*PLAYED, "tally"})
every_game = pytest.mark.parametrize("name", GAMES)
# Royal Progress, whose bots look ahead, takes as long as all others together; its own modules look at its bots and secrets.
every_game_but_one = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long if name == "royal_progress" else ()) for name in GAMES]
)


@pytest.fixture(autouse=True)
def with_the_games_of_the_tests() -> Iterator[None]:
    tiny_game.register()
    with example.found():
        yield


class Played(NamedTuple):
    """A turn as it can be run again and again. seats: all that the campaign names, in play or not. result: what came of it the first time."""

    where: str
    game: Game
    seats: tuple[str, ...]
    rules: Any
    before: Any
    orders: dict[str, dict]
    dice: Dice
    result: Result

    def again(self, **other: Any) -> Result:
        """The turn, run once more; `other` is what is otherwise."""
        with_ = self._replace(**other)
        return resolve(with_.game, with_.before, with_.orders, with_.dice, with_.rules)


@functools.cache
def play(name: str) -> tuple[Played, ...]:
    """Every turn that the game's campaigns have orders for."""
    with tempfile.TemporaryDirectory() as place:
        return tuple(turn for folder in plays(name).campaigns(Path(place)) for turn in _turns(folder))


def plays(name: str) -> Any:
    return importlib.import_module(f"tests.plays.{name}")


def _turns(folder: Path) -> Iterator[Played]:
    campaign = campaigns.open_campaign(folder)
    rules = campaigns.rules_today(campaign).rules
    state = next_turn.opening_draft(campaign, campaigns.rules_today(campaign)).result.after
    for number in range(1, 1 + len(list((folder / "orders").iterdir()))):
        place = filings.folder_of(folder, number)
        found = filings.read(
            filings.files_in(place, campaign.seats), place, campaign.game, rules, campaign.seats, number
        )
        dice = Dice(campaign.settings.seed, number, 1, {})
        result = resolve(campaign.game, state, found.orders, dice, rules)
        where = f"{folder.name}, turn {number}"
        yield Played(where, campaign.game, campaign.seats, rules, state, found.orders, dice, result)
        state = result.after


def begun(name: str, seats: int | None = None) -> tuple[Game, Any, Any]:
    """(game, its rules, the start of a new campaign of it, before any die)."""
    game, rules, result = opened(name, seats, NoDice())
    return game, rules, result.after


def opened(name: str, seats: int | None, dice: Dice | NoDice) -> tuple[Game, Any, Result]:
    """(game, its rules, turn 0 of a new campaign of it)."""
    game = games.load(name)
    rules = tables.load(game).rules
    files = {file: text.encode() for file, text in game.opening.new(seats, NEW).items()}
    start = {file: data for file, data in files.items() if file != "campaign.yaml"}
    names = [Path(file).stem for file in start if file.startswith("kingdoms/")]
    given = opening.setup(start, Path(name), game, rules, tuple(sorted(names)))
    return game, rules, opening.opened(game, given, rules, dice)


def through_json(value: Any, kind: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value), type=kind)


# --- what a step does ------------------------------------------------------------------------------------------------------


@every_game
def test_a_turn_asks_seats_in_play_and_somebody_while_the_game_goes_on(name: str) -> None:
    game = games.load(name)
    for turn in play(name):
        asked = games.asked(game, turn.before, turn.rules)
        assert set(asked) <= set(game.seats(turn.before)), turn.where
        assert asked or game.finished(turn.before), f"{turn.where}: nobody is asked"


@every_game
def test_a_step_does_not_change_its_input(name: str) -> None:
    def watched(step: Step) -> Step:
        @functools.wraps(step)
        def run(state: Any, turn: Turn) -> Any:
            given = state, turn.orders, turn.rules
            before = msgspec.json.encode(given)
            after = step(state, turn)
            assert msgspec.json.encode(given) == before, step.__name__
            return after

        return run

    for turn in play(name):
        phases = tuple(Phase(phase.name, tuple(map(watched, phase.steps))) for phase in turn.game.phases)
        assert turn.again(game=structs.replace(turn.game, phases=phases)) == turn.result


@every_game
def test_the_books_balance_after_every_step(name: str) -> None:
    """The turn proves that itself; here it is shown that it does, by a book that is cooked in each step in turn."""

    def cooked(step: Step) -> Step:
        @functools.wraps(step)
        def run(state: Any, turn: Turn) -> Any:
            after = step(state, turn)
            seat = next(iter(turn.books.balances))
            account = next(iter(turn.books.balances[seat]))
            turn.books.balances[seat][account] += 1
            return after

        return run

    turn = play(name)[0]
    for number, phase in enumerate(turn.game.phases):
        for index, step in enumerate(phase.steps):
            steps = (*phase.steps[:index], cooked(step), *phase.steps[index + 1 :])
            phases = (*turn.game.phases[:number], Phase(phase.name, steps), *turn.game.phases[number + 1 :])
            with pytest.raises(Exception, match=f"step {step.__name__}: .* the books say"):
                turn.again(game=structs.replace(turn.game, phases=phases))


def test_no_step_makes_or_loses_a_piece() -> None:
    """A game says what is in its box; a step that changes it stops the turn."""
    turn = play("tally")[0]
    boxed = structs.replace(
        turn.game,
        pieces=lambda table, rules: {"tables": 1, "coins": sum(purse.coins for purse in table.purses.values())},
    )
    with pytest.raises(Exception, match="step take: pieces were made or lost; there are coins 13, not 8"):
        turn.again(game=boxed)
    turn.again(game=structs.replace(turn.game, pieces=lambda table, rules: {"purses": len(table.purses)}))


@every_game
def test_the_entries_lead_from_the_old_balances_to_the_new(name: str) -> None:
    for turn in play(name):
        result = turn.result
        for seat in turn.game.seats(result.after):
            balances = dict(turn.game.accounts(result.before, seat, turn.rules))
            for entry in result.entries:
                if entry.kingdom == seat:
                    balances[entry.account] = balances.get(entry.account, 0) + entry.delta
                    assert entry.balance == balances[entry.account]
            accounts = turn.game.accounts(result.after, seat, turn.rules)
            assert {account: balances.get(account, 0) for account in accounts} == accounts, turn.where


@every_game
def test_the_page_of_its_rules_can_be_read(name: str) -> None:
    """A figure that its template names and the rulings don't have is an error only when somebody reads the page."""
    game = games.load(name)
    assert reports.rules_page(game, tables.load(game)).startswith("# ") or game.rulebook is None


@every_game
def test_what_is_booked_and_said_is_in_the_games_own_words(name: str) -> None:
    for turn in play(name):
        result = turn.result
        phases = {phase.name: {step.__name__ for step in phase.steps} for phase in turn.game.phases}
        assert all(entry.step in phases[entry.phase] for entry in result.entries)
        assert {entry.cause for entry in result.entries} <= {*turn.game.causes, opening.CAUSE, RULES}
        assert all(entry.delta and entry.detail for entry in result.entries)
        refused = [notice.facts for notice in result.notices if notice.kind == "refusal"]
        assert {facts["code"] for facts in refused} <= set(turn.game.refusals)
        assert all(facts["order"] and facts["reason"] for facts in refused)


@every_game
def test_something_happens_in_the_turns_that_are_played(name: str) -> None:
    results = [turn.result for turn in play(name)]
    assert len(results) >= 3
    assert any(result.rolls for result in (opened(name, None, Dice("a seed", 0))[2], *results))
    assert any(notice.kind == "refusal" for result in results for notice in result.notices)
    assert len({entry.cause for result in results for entry in result.entries}) >= 2


# --- the same again --------------------------------------------------------------------------------------------------------


@every_game
def test_the_same_input_gives_the_same_output(name: str) -> None:
    for turn in play(name):
        assert turn.again() == turn.result, turn.where


@every_game
def test_the_order_in_which_orders_came_changes_nothing(name: str) -> None:
    for turn in play(name):
        result = turn.again(orders=dict(reversed(turn.orders.items())))
        assert pretty(result.after) == pretty(turn.result.after), turn.where
        assert result.entries == turn.result.entries


@every_game
def test_the_state_survives_its_json(name: str) -> None:
    for turn in play(name):
        result = turn.result
        assert through_json(result.after, turn.game.State) == result.after, turn.where
        assert turn.again(before=through_json(turn.before, turn.game.State)) == result, "and the next turn is the same"
        assert result.after.turn == result.number == turn.before.turn + 1


@every_game
def test_notices_sheets_and_views_are_plain_data(name: str) -> None:
    for turn in play(name):
        result = turn.result
        assert json.loads(json.dumps(notices_of(result))) == notices_of(result)
        for seat in turn.game.seats(result.after):
            sheet = turn.game.sheet(result.after, seat, turn.rules)
            assert json.loads(json.dumps(sheet)) == sheet
            assert (sheet["kingdom"], sheet["turn"]) == (seat, result.number)
        for seat in (*turn.game.seats(result.after), GM):
            view = turn.game.view(result, seat, turn.rules)
            assert json.loads(json.dumps(view)) == view


# --- who files nothing -----------------------------------------------------------------------------------------------------


@every_game
def test_a_seat_that_files_nothing_has_a_default(name: str) -> None:
    for turn in play(name):
        for seat in turn.orders:
            rest = {other: orders for other, orders in turn.orders.items() if other != seat}
            assert turn.again(orders=rest).number == turn.before.turn + 1
            idle = {**rest, seat: dict(turn.game.idle)}
            refused = [each for each in turn.again(orders=idle).notices if each.kind == "refusal" and each.seat == seat]
            assert seat == GM or len(refused) <= len(turn.game.idle), turn.where
        assert turn.again(orders={}).number == turn.before.turn + 1


@every_game
def test_a_new_campaign_can_be_played_by_nobody(name: str) -> None:
    game, rules, state = begun(name)
    assert len(list(game.seats(state))) > 1 and game.finished(state) == ""
    for number in (1, 2, 3):
        state = resolve(game, state, {}, Dice("a seed", number, 1, {}), rules).after
        assert state.turn == number


@pytest.mark.parametrize("name", PLAYED)
@pytest.mark.parametrize("seats", [None, 2])
def test_the_settings_of_a_new_campaign_are_read_as_written_and_with_each_line_switched_on(
    name: str, seats: int | None, tmp_path: Path
) -> None:
    written = games.load(name).opening.new(seats, NEW)["campaign.yaml"]
    switched_on = re.sub(r"^#(?=\S|  )", "", written, flags=re.MULTILINE)
    for text in (written, switched_on):
        (tmp_path / "campaign.yaml").write_text(text, encoding="utf-8")
        found, rules = settings.read(tmp_path)
        assert found.game == name and (text == written) == (found.mail is None) == (found.calendar is None)
        tables.load(games.load(name), rules)
    assert found.publish.folder == "" and found.ends.turn == 52


# --- what a seat may know --------------------------------------------------------------------------------------------------


@every_game_but_one
@pytest.mark.parametrize("bots_of_a_seat", ["one", pytest.param("all", marks=pytest.mark.long)])
def test_bots_write_orders_that_can_be_read_and_the_same_ones_again(name: str, bots_of_a_seat: str) -> None:
    """In the short run a seat has one bot in a turn, and the next one in the next."""
    for number, turn in enumerate(play(name)):
        game, seats = turn.game, list(turn.game.seats(turn.before))
        chosen = list(itertools.product(seats, game.bots))
        if bots_of_a_seat == "one":
            chosen = list(zip(seats, itertools.islice(itertools.cycle(game.bots), number, None), strict=False))
        for seat, bot in chosen:
            text = substitute_orders.text_of(game, game.bots[bot], turn.before, seat, turn.rules, "a seed")
            assert text == substitute_orders.text_of(game, game.bots[bot], turn.before, seat, turn.rules, "a seed")
            names = {**game.names(turn.rules), "seats": turn.seats}
            assert not orders.read(text, bot, game, names, seat, turn.before.turn + 1).problems, turn.where


@every_game_but_one
def test_a_seat_sees_the_same_whatever_another_seat_secretly_holds(name: str) -> None:
    for turn in play(name):
        result, game, rules = turn.result, turn.game, turn.rules
        for seat in game.seats(result.after):
            other = plays(name).hidden(result, seat, rules)
            if len(list(game.seats(result.after))) > 1:
                assert other.after != result.after, "the secrets are others"
            assert game.known(other.after, seat, rules) == game.known(result.after, seat, rules), turn.where
            assert game.sheet(other.after, seat, rules) == game.sheet(result.after, seat, rules), turn.where
            assert game.odds(other.after, seat, rules) == game.odds(result.after, seat, rules), turn.where
            assert game.draw(other.after, seat, rules) == game.draw(result.after, seat, rules), turn.where
            assert game.view(other, seat, rules) == game.view(result, seat, rules), turn.where
            assert shown(game, other.after, seat, rules) == shown(game, result.after, seat, rules), turn.where


def shown(game: Game, state: Any, seat: str, rules: Any) -> dict[str, Any]:
    """What else a seat is shown, in reports, forms and chronicles."""
    return {
        "accounts": dict(game.accounts(state, seat, rules)),
        "form": list(game.forms.text(state, seat, rules)) if game.forms else [],
        "form page": game.forms and game.forms.page(game.known(state, seat, rules), seat, rules),
        "picture": game.picture and game.picture(state, seat, rules),
    }


@pytest.mark.parametrize("name", PLAYED)
def test_a_rendered_report_lets_go_of_what_it_was_drawn_from(name: str) -> None:
    """A turn of many seats looks for no reference cycles: a macro that names `view` would keep the view of each until the end."""
    turns = play(name)
    turn = turns[len(turns) // 2]
    seats = list(turn.game.seats(turn.result.after))
    facts = reports.CampaignFacts("A game", {seat: seat.title() for seat in seats})
    gc.collect()
    gc.disable()
    try:
        dict(reports.rendered(turn.game, turn.result, turn.rules, facts, seats=seats))
        assert not [kept for kept in gc.get_objects() if type(kept) is Context and "view" in kept.parent]
    finally:
        gc.enable()


@pytest.mark.parametrize("name", PLAYED)
def test_the_reports_of_a_seat_are_the_same_byte_for_byte(name: str) -> None:
    """Text and page of each seat of a turn in the middle, whatever is hidden from it."""
    turns = play(name)
    turn = turns[len(turns) // 2]
    result, game, rules = turn.result, turn.game, turn.rules
    seats = list(game.seats(result.after))
    keys = {seat: key_of("a seed", result.number, seat) for seat in (*seats, GM)}
    facts = reports.CampaignFacts("A game", {seat: seat.title() for seat in seats}, keys=keys)
    told = dict(reports.rendered(game, result, rules, facts))
    records = records_of(result, facts, told)
    for seat in seats:
        other = dict(reports.rendered(game, plays(name).hidden(result, seat, rules), rules, facts))
        assert other["gm.html"] != told["gm.html"], "the GM's book holds the secrets"
        assert {ending: other[f"{seat}.{ending}"] for ending in ("txt", "html")} == {
            ending: told[f"{seat}.{ending}"] for ending in ("txt", "html")
        }
        record = records[f"{seat}.json"]
        assert records_of(plays(name).hidden(result, seat, rules), facts, other)[f"{seat}.json"] == record
        rolls = [
            [one.name, one.count, one.sides, one.result, one.source] for one in result.rolls if one.kingdom == seat
        ]
        assert json.loads(record)["rolls"] == rolls, "its own, in the order in which they were drawn"
        assert not [key for whose, key in keys.items() if whose != seat and key.encode() in record]


def records_of(result: Any, facts: reports.CampaignFacts, told: dict[str, str]) -> dict[str, bytes]:
    """What each seat can prove alone of a turn, in a campaign without mail."""
    settings = SimpleNamespace(calendar=None, people=[SimpleNamespace(token="")])
    campaign: Any = SimpleNamespace(folder=Path("nowhere"), settings=settings)
    draft: Any = SimpleNamespace(
        result=result,
        number=result.number,
        attempt=1,
        corrects="",
        replaced=(),
        untold=(),
        anew=(),
        filings=Filings({}, {}),
    )
    return seat_record.records(campaign, draft, "", facts, {name: text.encode() for name, text in told.items()})


@every_game
def test_what_is_foreseen_needs_no_die_and_no_secret(name: str) -> None:
    for turn in play(name):
        for seat in set(turn.orders) - {GM}:
            if seat in turn.game.seats(turn.before):
                known = turn.game.known(turn.before, seat, turn.rules)
                mine = {seat: turn.orders[seat]}
                result = resolve(turn.game, known, mine, NoDice(), turn.rules, until=turn.game.foreseen_to)
                assert result.rolls == []
                assert turn.game.sheet(known, seat, turn.rules) == turn.game.sheet(turn.before, seat, turn.rules), (
                    turn.where
                )


@every_game
def test_the_dice_of_a_seat_do_not_hang_on_what_others_order(name: str) -> None:
    """A roll has the same result wherever it is made; that it is made at all may hang on the others."""
    for turn in play(name):
        rolled = {roll[:5]: roll.result for roll in turn.result.rolls}
        for seat in turn.orders:
            rest = {other: orders for other, orders in turn.orders.items() if other != seat}
            for roll in turn.again(orders=rest).rolls:
                assert rolled.get(roll[:5], roll.result) == roll.result, turn.where


@pytest.mark.parametrize("name", PLAYED)
def test_a_form_counts_whatever_its_controls_take(name: str) -> None:
    """A counter that the page does not have would limit nothing."""
    for turn in play(name)[:3]:
        for seat in turn.game.seats(turn.before):
            page = turn.game.forms.page(turn.game.known(turn.before, seat, turn.rules), seat, turn.rules)
            offers = [
                offer for section in page["sections"] for part in section["parts"] for offer in part.get("offers", ())
            ]
            taken = {counter for offer in offers for word in ("costs", "least") for counter in offer.get(word) or {}}
            assert taken <= {counter["id"] for counter in page["counters"]}, turn.where


@pytest.mark.parametrize("name", [name for name in PLAYED if name != "realm"])
def test_no_report_of_a_board_game_shows_backticks(name: str) -> None:
    """What is to be typed stands between quotes in a text, and in its own type on a page; what people wrote stays."""
    for turn in play(name)[:3]:
        facts = reports.CampaignFacts("A game", {seat: seat.title() for seat in turn.seats})
        for file, text in dict(reports.rendered(turn.game, turn.result, turn.rules, facts)).items():
            assert [line for line in text.splitlines() if "`" in line] == [], f"{turn.where} {file}"


# --- the end ---------------------------------------------------------------------------------------------------------------


@every_game
def test_a_finished_game_says_so(name: str) -> None:
    for turn in play(name):
        assert turn.game.finished(turn.before) == "", turn.where
        reason = turn.game.finished(plays(name).over(turn.before))
        assert reason and reason == reason.strip(" .") and reason[0].islower(), "it finishes: there is no turn 5: ..."


@pytest.mark.parametrize("name", [name for name in PLAYED if name != "realm"])
def test_the_last_report_begins_with_the_winner_and_the_points(name: str) -> None:
    turn = play(name)[0]
    campaign: Any = SimpleNamespace(
        game=turn.game, settings=SimpleNamespace(ends=SimpleNamespace(counts=()), every_seed="a seed")
    )
    end = the_end.facts(campaign, turn.result.number, turn.result.after, turn.rules, "it is over")
    first = end["standings"][0]
    facts = reports.CampaignFacts("A game", {seat: seat.title() for seat in turn.seats}, end=end, finished="it is over")
    told = dict(reports.rendered(turn.game, turn.result, turn.rules, facts))
    assert first["name"] in end["winner"] and f" {first['figures'][0]} " in end["winner"]
    for seat in turn.seats:
        below = told[f"{seat}.txt"].partition("=" * 78 + "\n")[2]
        assert " ".join(below.split()).startswith(end["winner"] + " The game is over: it is over.")
        assert end["winner"].partition(" ")[0] in told[f"{seat}.html"].partition("The game is over")[0][-200:]


@every_game
def test_other_words_for_the_head_are_no_keys_and_the_right_ones_are_said(name: str) -> None:
    text = b"game: g\ncampaign: c\nplayer: p\nround: 1\nlap: 1\n"
    found = orders.read(text, "orders.yaml", games.load(name), {"seats": ("ann",)}, None, 1)
    said = {each.path: (each.message, each.hint) for each in found.problems if each.code == "unknown_key"}
    assert said == {
        **{word: (f"`{word}` is not a key here. Leave it out.", "") for word in ("game", "campaign")},
        "player": ("`player` is not a key here. Did you mean `kingdom`?", "kingdom"),
        **{word: (f"`{word}` is not a key here. Did you mean `turn`?", "turn") for word in ("round", "lap")},
    }


# --- what a game declares --------------------------------------------------------------------------------------------------


@every_game
def test_a_game_is_named_as_its_folder(name: str) -> None:
    game = games.load(name)
    assert game.name == name and games.title(name) == game.title and game.title
    assert game.data.is_dir() and list(game.data.glob("*.yaml"))


@every_game
def test_phases_and_accounts_that_a_game_names_exist(name: str) -> None:
    game, rules, state = begun(name)
    phases = [phase.name for phase in game.phases]
    assert len(set(phases)) == len(phases) and game.foreseen_to in (*phases, "")
    for seat in game.seats(state):
        assert game.paid_from in (*game.accounts(state, seat, rules), "")
        assert {*game.reviewed} <= {*game.accounts(state, seat, rules)}
        assert all(0 <= chance <= 1 for chance in game.odds(state, seat, rules).values())
    assert {"kingdom", "turn", "amend", "final", "token"} <= set(game.orders.keys)
    assert {"turn", "gm", "tell"} <= set(game.gm_orders.keys)


@every_game
def test_every_step_says_what_it_does(name: str) -> None:
    for phase in games.load(name).phases:
        assert all(step.__doc__ for step in phase.steps), phase.name


@every_game
def test_a_game_of_other_seats_begins_too(name: str) -> None:
    game, _, state = begun(name, seats=up_to_three(name))
    assert len(list(game.seats(state))) == up_to_three(name)
    with pytest.raises(ValueError, match=r"[0-9]"):
        begun(name, seats=9999)


@pytest.mark.parametrize("name", PLAYED)
def test_one_player_is_left_alone_with_two_bots(name: str) -> None:
    """`kingdom new DIR --game NAME --bots 2`, and nothing else said; a game for two has room for one bot."""
    bots = up_to_three(name) - 1
    players = yaml.safe_load(games.load(name).opening.new(None, {**NEW, "bots": bots})["campaign.yaml"])["players"]
    assert sorted("bot" in player for player in players.values()) == [False] + [True] * bots


# --- the core knows no game ------------------------------------------------------------------------------------------------

WITHOUT_THE_REALM = """\
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.startswith("kingdom.games."):
            if not name.startswith(("kingdom.games.tally", "kingdom.games.kit")):
                raise ImportError(f"{name} was asked for")

sys.meta_path.insert(0, Blocked())
from tests.kit import tiny_game
tiny_game.register()
import io, json
from contextlib import redirect_stderr, redirect_stdout
from kingdom.cli.main import main

for line in sys.stdin:
    said = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with redirect_stdout(said), redirect_stderr(said):
        code = main(json.loads(line))
    print(json.dumps([code, said.buffer.getvalue().decode()]), flush=True)
"""


@pytest.fixture(scope="module")
def kingdom() -> Iterator[Callable[..., str]]:
    """What the command line says, in a process that can load no game but the tiny one; one for all commands."""
    with subprocess.Popen(
        [sys.executable, "-P", "-c", f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n{WITHOUT_THE_REALM}"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    ) as process:  # fmt: skip
        assert process.stdin and process.stdout

        def typed(*words: object, code: int = 0) -> str:
            print(json.dumps([str(word) for word in words]), file=process.stdin, flush=True)
            found, said = json.loads(process.stdout.readline())
            assert found == code, said
            return said

        yield typed
        process.stdin.close()


def test_the_tiny_game_is_played_from_new_to_redo_where_the_kingdom_game_cannot_be_loaded(
    tmp_path: Path, kingdom: Callable[..., str]
) -> None:
    folder = tmp_path / "tally"
    assert "A new campaign is in" in kingdom("new", folder, "--game", "tally", "--kingdoms", 3)
    assert "Turn 0 of Tally is kept" in kingdom("turn", folder)
    orders = tiny_game.file_orders(folder, 1, "ann", "take: 3\nbury: 1\n")
    assert '"coins": 5' in kingdom("check", orders, "--campaign", folder, "--json")
    assert "ann" in kingdom("status", folder)
    assert "coins 3 -> " in kingdom("turn", folder)
    tiny_game.file_orders(folder, 2, "bob", "take: 9\n")
    assert "9 coins are too many (ruling take)" in kingdom("turn", folder)
    assert '"buried": 1' in kingdom("show", folder, "ann", "--json")
    assert "no map" in kingdom("map", folder)
    assert "tally has no picture; name a file that ends with .txt." in kingdom(
        "map", folder, "--to", tmp_path / "map.svg", code=2
    )
    assert "3 taken" in kingdom("ledger", folder, "--kingdom", "ann")
    assert kingdom("replay", folder).count("the same state, dice and ledger") == 3
    kingdom("audit", folder)
    key = key_of(campaigns.open_campaign(folder).settings.seed, 1, "ann")
    assert "luck" in kingdom("dice", key, "luck:1:6", "--commitment", commitment_of(key))
    kingdom("undo", folder)
    assert "Turn 2 of Tally is kept" in kingdom("turn", folder)
    (folder / "campaign.yaml").open("a").write("rules: {take: {most: 9}}\n")
    assert "9 taken" in kingdom("redo", folder)
    assert "is replaced" in kingdom("redo", folder, "--yes")
    kingdom("audit", folder)
    kingdom("undo", folder, "--reopen")
    assert "Turn 2 of Tally is kept" in kingdom("turn", folder)
    assert json.loads((folder / "turns/0002/turn.json").read_text())["attempt"] == 2
    kingdom("audit", folder)


def test_the_block_of_that_test_holds(tmp_path: Path, kingdom: Callable[..., str]) -> None:
    assert "kingdom.games.realm was asked for" in kingdom("new", tmp_path / "realm", code=1)


def test_keeping_a_turn_of_the_tiny_game_needs_no_templates(tmp_path: Path) -> None:
    folder = tiny_game.played(tmp_path / "tally", turns=1)
    assert not (folder / "turns/0001/reports").exists()
    assert keeping.data_of(play("tally")[0].result).keys() == {"state.json", "ledger.csv", "dice.csv"}
