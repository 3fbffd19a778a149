"""Whole campaigns played by bots: nothing stops them, the books balance, audit and replay hold."""

from __future__ import annotations

import pickle
from collections import Counter
from pathlib import Path

import pytest

from kingdom.books import simulation
from kingdom.books.occurrences import never, occurred, vocabularies
from kingdom.books.simulation import Ground, Plan, ground_of, play, prove
from kingdom.campaign.workers import Processes, cores
from kingdom.cli.main import main
from kingdom.engine import game as games
from kingdom.engine.problems import Faults, problem
from kingdom.orders import tables
from tests.kit import small_realm, tiny_game

REALM = Ground("realm")


def plan(seed: str, turns: int, ground: Ground = REALM) -> Plan:
    return Plan(ground, seed, turns)


def test_two_campaigns_of_six_turns_and_one_of_them_audited_and_replayed() -> None:
    """The first is played again in a folder from the texts that were filed, and comes out the same."""
    first, second = play(plan("public, this is a test", 6)), play(plan("another public seed", 6))
    prove(first)
    for played in (first, second):
        assert played.state.turn == 6 and len(played.orders) == 6
        assert (
            played.counts["order", "claim"]
            and played.counts["order", "build: build"]
            and played.counts["cause", "taxes"]
        )


def test_the_same_seed_gives_the_same_campaign_another_one_another() -> None:
    assert play(plan("a", 3)) == play(plan("a", 3))
    assert play(plan("a", 3)).orders != play(plan("b", 3)).orders


def test_bots_of_all_kinds_play_and_a_gm_and_one_seat_joins_late() -> None:
    played = play(plan("public, this is a test", simulation.LATE_FROM))
    assert len(played.seats) == simulation.KINGDOMS and simulation.LATE not in played.seats
    assert all(set(texts) <= {*played.seats, simulation.LATE, "gm"} for texts in played.orders)
    assert any("gm" in texts for texts in played.orders)


def test_a_campaigns_own_map_and_rules_are_played_on(tmp_path: Path) -> None:
    folder = small_realm.campaign(tmp_path)
    played = play(plan("a", 4, ground_of(folder)))
    assert played.seats == ("borderia", "examplia") and {*played.state.hexes} == {*played.state.hexes} & {
        f"{c:02}{r:02}" for c in range(1, 7) for r in range(1, 5)
    }
    assert not (folder / "turns").exists() and not (folder / "orders").exists()
    prove(played)


def test_rules_that_a_campaign_announces_are_played_from_the_first_turn_on(tmp_path: Path) -> None:
    folder = small_realm.campaign(tmp_path)
    file = folder / "campaign.yaml"
    file.write_text(
        file.read_text(encoding="utf-8").replace("rules: {", "rules: {from: 3, income: {divisor: 1}, "),
        encoding="utf-8",
    )
    prove(play(plan("a", 2, ground_of(folder))))


def test_what_never_occurred_is_listed_by_vocabulary() -> None:
    words = {"order": ["claim", "abandon"], "event": ["plague"]}
    assert never(Counter({("order", "claim"): 3, ("event", "plague"): 1}), words) == {"order": ["abandon"]}


def test_the_vocabularies_name_every_kind_of_order_every_refusal_and_every_event() -> None:
    game = games.load("realm")
    words = vocabularies(game, tables.load(game).rules)
    assert {
        "claim",
        "build: upgrade",
        "armies: recruit",
        "special: aid",
        "loyalty: rouse_the_people",
        "edicts: taxation",
    } <= set(words["order"])
    assert {"gm: grant", "gm: add", "tell"} <= set(words["GM order"])
    assert set(game.refusals) <= set(words["refusal"]) and "no_messages" in words["refusal"]
    assert len(words["event"]) == 40 and "check" in words["ruling"]


def test_orders_are_counted_by_kind() -> None:
    game = games.load("realm")
    filed = {
        "examplia": {
            "kingdom": "examplia",
            "turn": 1,
            "claim": ["0404", "0405"],
            "special": [{"edict": "aid"}],
            "edicts": {"taxation": "light"},
        }
    }

    class Result:
        notices, entries, rolls = (), (), ()
        after = type("World", (), {"kingdoms": {}})

    kinds = {"claim": 2, "special: aid": 1, "edicts: taxation": 1}
    counted = Counter(word for vocabulary, word in occurred(game, Result, filed, None) if vocabulary == "order")
    assert counted == kinds


def test_the_command_says_what_occurred_and_what_never_did(capsys: pytest.CaptureFixture, tmp_path: Path) -> None:
    assert main(["simulate", str(small_realm.campaign(tmp_path)), "--games", "1", "--turns", "2", "--seed", "s"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("1 campaign of 2 turns, seed s.\n")
    assert "All campaigns came to their end, and every book balanced after every step." in said
    assert "never occurred: refusal: " in said and max(map(len, said.splitlines())) <= 80


def test_a_game_without_a_gm_of_its_own_is_played_too(tmp_path: Path) -> None:
    tiny_game.register()
    played = play(plan("a", 2, ground_of(tiny_game.campaign(tmp_path))))
    assert played.state.turn == 2 and played.counts == {("order", "take"): 4, ("cause", "take"): 4}


def test_what_is_wrong_in_another_process_comes_out_of_it_whole() -> None:
    faults = Faults([problem("empty", "a.yaml"), problem("empty", "b.yaml")])
    assert pickle.loads(pickle.dumps(faults)).problems == faults.problems


@pytest.mark.long
def test_sixty_campaigns_of_thirty_turns() -> None:
    counts = sum(simulation.simulate(REALM, 60, 30, "public, this is a test", Processes(cores())), Counter())
    game = games.load("realm")
    missing = never(counts, vocabularies(game, tables.load(game).rules))
    assert missing.pop("GM order") == ["gm: finish", "amend"]  # a simulated GM ends no campaign, and is one alone
    assert set(missing) <= {"refusal", "cause"}
