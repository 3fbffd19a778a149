"""A kingdom that joins, leaves, or starts anew in mid-campaign by a GM order: in the files, the reports, audit and replay."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kingdom.cli.main import main
from tests.kit import small_realm
from tests.kit.tiny_game import file_orders, write

PLAYERS = "players: {examplia: {name: Ada}, borderia: {name: Bo}"
ADD = "gm: [{add: cravonia, start: {name: Cravonia, treasury: 40, capital: Market, hexes: {0604: []}, settlements: {Market: {hex: 0604}}}, reason: a third player}]\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return small_realm.played(tmp_path / "fords")


def with_third(folder: Path) -> None:
    """campaign.yaml names a third player."""
    write(folder, "campaign.yaml", small_realm.CAMPAIGN.replace(PLAYERS, f"{PLAYERS}, cravonia: {{name: Cleo}}"))


def sheet(folder: Path, seat: str, capsys: pytest.CaptureFixture) -> dict:
    capsys.readouterr()
    assert main(["show", str(folder), seat, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def report(folder: Path, turn: int, seat: str) -> str:
    return (folder / f"turns/{turn:04}/reports/{seat}.txt").read_text(encoding="utf-8")


def sound(folder: Path) -> None:
    assert main(["audit", str(folder)]) == 0 and main(["replay", str(folder)]) == 0


def test_a_seat_that_campaign_yaml_names_joins_by_the_gms_order(folder: Path, capsys) -> None:
    with_third(folder)
    file_orders(folder, 3, "gm", ADD)
    file_orders(folder, 3, "cravonia", "claim: 0603\n")
    assert main(["turn", str(folder)]) == 0
    after = sheet(folder, "cravonia", capsys)
    assert (after["name"], after["size"], after["capital"], after["destroyed"]) == ("Cravonia", 2, "Market", False)
    rows = (folder / "turns/0003/ledger.csv").read_text().splitlines()
    assert "3,1,gm,gm_orders,cravonia,treasury,40,40,add,opening of cravonia: a third player" in rows
    for seat in ("examplia", "borderia", "cravonia"):
        assert "Cravonia joins the game: a third player." in report(folder, 3, seat)
    sound(folder)


def test_until_then_the_seat_has_a_report_that_says_so_and_its_orders_are_refused(folder: Path, capsys) -> None:
    with_third(folder)
    file_orders(folder, 3, "cravonia", "claim: 0603\n")
    file_orders(folder, 3, "gm", "tell: {cravonia: 'Next turn, Cleo.'}\n")
    assert main(["status", str(folder)]) == 0 and main(["show", str(folder)]) == 0
    assert main(["turn", str(folder)]) == 0
    said = report(folder, 3, "cravonia")
    assert (
        "Your kingdom is not in play yet. It gives no orders." in said
        and "The GM lets it in with `add`." in " ".join(said.split())
    )
    assert "ravonia" not in report(folder, 3, "examplia")
    assert "Next turn, Cleo." in said
    file_orders(folder, 4, "gm", ADD)
    assert main(["turn", str(folder)]) == 0
    assert sheet(folder, "cravonia", capsys)["treasury"] > 30
    sound(folder)


def test_a_campaign_may_name_from_the_start_who_joins_later(tmp_path: Path, capsys) -> None:
    """So it can be played again from its files. Who has no kingdom yet is not silent, and no steward stands in for him."""
    for name, text in small_realm.FILES.items():
        write(tmp_path, name, text)
    write(
        tmp_path,
        "campaign.yaml",
        small_realm.CAMPAIGN.replace(PLAYERS, f"{PLAYERS}, cravonia: {{name: Cleo, joins: 3}}"),
    )
    file_orders(tmp_path, 3, "gm", ADD)
    for _ in range(5):  # turn 0 alone, then four turns
        assert main(["turn", str(tmp_path)]) == 0
    assert "Your kingdom is not in play yet. It gives no orders." in report(tmp_path, 0, "cravonia")
    assert sheet(tmp_path, "cravonia", capsys)["size"] == 1
    silent = [
        json.loads((tmp_path / f"turns/{turn:04}/turn.json").read_text())["silent"].get("cravonia", 0)
        for turn in range(1, 5)
    ]
    assert silent == [0, 0, 0, 1]
    sound(tmp_path)


def test_who_joins_later_has_no_file_of_a_start(tmp_path: Path, capsys) -> None:
    for name, text in small_realm.FILES.items():
        write(tmp_path, name, text)
    write(
        tmp_path,
        "campaign.yaml",
        small_realm.CAMPAIGN.replace("borderia: {name: Bo}", "borderia: {name: Bo, joins: 3}"),
    )
    assert main(["turn", str(tmp_path)]) == 1
    assert "borderia.yaml" in capsys.readouterr().err


def test_a_kingdom_that_leaves_plays_no_more_and_may_start_anew(folder: Path, capsys) -> None:
    file_orders(folder, 3, "gm", "gm: [{retire: borderia, reason: Bo moved away}]\n")
    assert main(["turn", str(folder)]) == 0
    assert sheet(folder, "borderia", capsys)["destroyed"] and not sheet(folder, "borderia", capsys)["hexes"]
    file_orders(
        folder,
        4,
        "gm",
        "gm: [{add: borderia, start: {name: New Borderia, treasury: 20, hexes: {0604: []}}, reason: Bo is back}]\n",
    )
    assert main(["turn", str(folder)]) == 0
    assert sheet(folder, "borderia", capsys)["name"] == "New Borderia"
    assert "New Borderia joins the game: Bo is back." in report(folder, 4, "examplia")
    sound(folder)
