"""Seats that no player files for: bots that hold one, stewards for players who fell silent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import substitute_orders
from kingdom.cli.main import main
from kingdom.engine.dice import key_of
from kingdom.engine.game import load
from kingdom.games.kings_progress.game import GAME as KINGS_PROGRESS
from kingdom.games.realm import BOTS
from kingdom.games.realm.game import GAME
from kingdom.mail.outgoing import letters
from tests.kit import small_realm
from tests.kit.tiny_game import file_orders, write

WITH_A_BOT = small_realm.CAMPAIGN.replace("borderia: {name: Bo}", "borderia: {name: Traders, bot: trader}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The small campaign; nobody has filed for any turn."""
    for name, text in small_realm.FILES.items():
        write(tmp_path, name, text)
    return tmp_path


def run(folder: Path, turns: int) -> None:
    for _ in range(turns):
        assert main(["turn", str(folder)]) == 0


def record(folder: Path, turn: int) -> dict:
    return json.loads((folder / f"turns/{turn:04}/turn.json").read_text())


def report(folder: Path, turn: int, seat: str) -> str:
    return " ".join((folder / f"turns/{turn:04}/reports/{seat}.txt").read_text().split())


def test_a_bot_files_for_its_seat_as_a_player_would(folder: Path) -> None:
    write(folder, "campaign.yaml", WITH_A_BOT)
    run(folder, 3)
    for turn in (1, 2):
        kept = record(folder, turn)
        assert kept["bots"] == {"borderia": "trader"} and "orders/borderia.yaml" in kept["files"]
        text = (folder / f"turns/{turn:04}/orders/borderia.yaml").read_text()
        assert text.startswith(f"kingdom: borderia\nturn: {turn}\n")
    assert "a bot's (trader)" in report(folder, 2, "borderia") and "a bot's" not in report(folder, 2, "examplia")
    assert main(["replay", str(folder)]) == main(["audit", str(folder)]) == 0


def test_orders_filed_by_hand_go_before_the_bots(folder: Path) -> None:
    write(folder, "campaign.yaml", WITH_A_BOT)
    run(folder, 1)
    file_orders(folder, 1, "borderia", "taxation: light\n")
    run(folder, 1)
    assert record(folder, 1)["bots"] == {}
    assert (folder / "turns/0001/orders/borderia.yaml").read_text().endswith("taxation: light\n")


def test_a_turn_with_bots_comes_out_the_same_when_it_is_run_again(folder: Path) -> None:
    write(folder, "campaign.yaml", WITH_A_BOT)
    run(folder, 2)
    before = (folder / "turns/0001/orders/borderia.yaml").read_bytes()
    assert main(["redo", str(folder)]) == 0
    assert main(["undo", str(folder)]) == 0
    run(folder, 1)
    assert (folder / "turns/0001/orders/borderia.yaml").read_bytes() == before
    assert record(folder, 1)["bots"] == {"borderia": "trader"}


def test_a_steward_stands_in_after_two_silent_turns_until_the_player_files_again(folder: Path) -> None:
    run(folder, 1)
    for turn in range(1, 6):
        file_orders(folder, turn, "examplia")
        if turn == 5:
            file_orders(folder, turn, "borderia")
        run(folder, 1)
    assert [record(folder, turn)["bots"] for turn in range(1, 6)] == [{}, {}, *2 * [{"borderia": BOTS[0]}], {}]
    assert [record(folder, turn)["silent"] for turn in range(1, 6)] == [
        {"borderia": count} for count in (1, 2, 3, 4)
    ] + [{}]
    told = "The player of Borderia is silent: a bot gave its orders, as steward."
    for seat in ("examplia", "borderia"):
        assert told in report(folder, 3, seat) and told not in report(folder, 2, seat) + report(folder, 5, seat)
    assert main(["replay", str(folder)]) == main(["audit", str(folder)]) == 0


def test_steward_after_0_means_never(folder: Path) -> None:
    write(folder, "campaign.yaml", small_realm.CAMPAIGN + "steward_after: 0\n")
    run(folder, 5)
    assert all(record(folder, turn)["bots"] == {} for turn in range(1, 5))


def test_nobody_waits_for_a_bot_or_a_steward(folder: Path) -> None:
    write(folder, "campaign.yaml", WITH_A_BOT.replace("bot: trader", "bot: warlord"))
    run(folder, 3)
    campaign = campaigns.open_campaign(folder)
    assert substitute_orders.stewards(campaign, {"examplia": 2, "borderia": 9}) == {"examplia": BOTS[0]}
    assert substitute_orders.stewards(campaign, {"examplia": 1}) == {}


def test_a_bot_answers_a_letter_of_the_turn_before_and_a_steward_answers_none(folder: Path) -> None:
    write(folder, "campaign.yaml", WITH_A_BOT)
    run(folder, 1)
    file_orders(folder, 1, "examplia", 'messages: [{to: borderia, text: "Shall we have peace?"}]\n')
    run(folder, 2)
    filed = (folder / "turns" / "0002" / "orders" / "borderia.yaml").read_text(encoding="utf-8")
    assert "to: examplia" in filed and "Yes: no army of ours attacks you" in filed
    write(folder, "campaign.yaml", WITH_A_BOT + "messages: off\n")
    run(folder, 4)
    assert "messages" not in (folder / "turns" / "0003" / "orders" / "borderia.yaml").read_text(encoding="utf-8")


def test_a_bot_reads_the_letters_of_the_last_turns_and_the_ones_it_wrote(folder: Path) -> None:
    """With the turn of each; a turn that is played again with other letters is read anew."""
    write(folder, "campaign.yaml", WITH_A_BOT)
    run(folder, 1)
    for turn in range(1, 15):
        text = "Shall we have peace?" if turn == 2 else f"Letter {turn}"
        file_orders(folder, turn, "examplia", f"messages: [{{to: borderia, text: {text}}}]\n")
        run(folder, 1)
    campaign = campaigns.open_campaign(folder)
    rules = campaigns.rules_today(campaign).rules
    found = substitute_orders.letters_of(campaign, 14, rules)
    assert found is not None and len({letter.turn for letter in found}) == substitute_orders.READ_BACK
    assert {letter.turn: letter.text for letter in found if letter.sender == "examplia"} == {
        turn: f"Letter {turn}" for turn in range(3, 15)
    }
    early = substitute_orders.letters_of(campaign, 3, rules) or []
    read = {(letter.turn, letter.sender, letter.text[:10]) for letter in early}
    assert {(2, "examplia", "Shall we h"), (3, "borderia", "Yes: no ar")} <= read
    assert main(["undo", str(folder), "--reopen"]) == 0
    file_orders(folder, 14, "examplia", "messages: [{to: borderia, text: Another letter}]\n")
    run(folder, 1)
    again = substitute_orders.letters_of(campaigns.open_campaign(folder), 14, rules) or []
    assert [letter.text for letter in again if letter[:2] == ("examplia", "borderia")][-1] == "Another letter"


def test_a_bot_gets_no_mail(folder: Path) -> None:
    write(folder, "campaign.yaml", small_realm.CAMPAIGN.replace("{name: Bo}", "{bot: trader, email: bo@example.org}"))
    assert letters.addresses(campaigns.open_campaign(folder), "borderia") == ()


def test_status_names_the_bots(folder: Path, capsys: pytest.CaptureFixture) -> None:
    write(folder, "campaign.yaml", WITH_A_BOT)
    main(["status", str(folder)])
    assert "borderia  a bot (trader) gives the orders when the turn is run" in capsys.readouterr().out


@pytest.mark.parametrize("bot", BOTS)
def test_a_bots_chance_is_the_seeds_and_apart_from_all_dice(folder: Path, bot: str) -> None:
    """Two seats, two turns, two attempts: other chances; the same again: the same text."""
    key = key_of("a seed", 3, "bot:borderia")
    first, again = substitute_orders.chance_of(key), substitute_orders.chance_of(key)
    assert [first("claim", 100) for _ in range(9)] == [again("claim", 100) for _ in range(9)]
    assert key not in (
        key_of("a seed", 3, "borderia"),
        key_of("a seed", 4, "bot:borderia"),
        key_of("a seed", 3, "bot:borderia", 2),
    )
    assert bot in GAME.bots


# --- a pace at which a turn is for one seat alone


@pytest.fixture
def one_by_one(tmp_path: Path) -> Path:
    """A board game of three people in which one seat after the other decides; alice begins. Nobody has filed."""
    for name, text in KINGS_PROGRESS.opening.new(3, {"name": "One by one", "seed": "public"}).items():
        write(tmp_path, name, text)
    write(tmp_path, "table.yaml", "clockwise: [alice, bob, cara]\nfirst_chancellor: alice\n")
    write(
        tmp_path,
        "campaign.yaml",
        (tmp_path / "campaign.yaml").read_text() + "rules: {pace: strict}\npublic_seed: true\n",
    )
    return tmp_path


def asked(folder: Path, turn: int) -> set[str]:
    campaign = campaigns.open_campaign(folder)
    return set(campaign.seats) - campaigns.unasked(campaign, turn)


def test_who_is_not_asked_is_not_silent(one_by_one: Path) -> None:
    run(one_by_one, 4)
    assert [asked(one_by_one, turn) for turn in (1, 2, 3)] == [{"alice"}, {"bob"}, {"cara"}]
    assert [record(one_by_one, turn)["silent"] for turn in (1, 2, 3)] == [
        {"alice": 1},
        {"alice": 1, "bob": 1},
        dict.fromkeys(("alice", "bob", "cara"), 1),
    ]


def test_a_steward_acts_after_so_many_turns_that_asked_and_in_no_other(one_by_one: Path) -> None:
    run(one_by_one, 19)
    asked_before = dict.fromkeys(("alice", "bob", "cara"), 0)
    acted = set()
    for turn in range(1, 19):
        stewards = {seat for seat in asked(one_by_one, turn) if asked_before[seat] >= 2}
        assert record(one_by_one, turn)["bots"] == dict.fromkeys(stewards, next(iter(load("kings_progress").bots)))
        for seat in asked(one_by_one, turn):
            asked_before[seat] += 1
        acted |= stewards
        assert record(one_by_one, turn)["silent"] == {seat: count for seat, count in asked_before.items() if count}
    assert acted == {"alice", "bob", "cara"}, "no steward ever acted, so nothing was shown"
    assert main(["replay", str(one_by_one)]) == main(["audit", str(one_by_one)]) == 0


def test_whoever_files_unasked_is_not_silent_any_more(one_by_one: Path) -> None:
    run(one_by_one, 2)
    assert record(one_by_one, 1)["silent"] == {"alice": 1}
    file_orders(one_by_one, 2, "alice", "messages: [{to: all, text: I am back.}]\n")
    run(one_by_one, 1)
    assert record(one_by_one, 2)["silent"] == {"bob": 1}
