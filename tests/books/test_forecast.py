"""`kingdom forecast` as a GM or player types it: which orders it takes, what it prints, what it loads."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kingdom.cli.main import main
from kingdom.render import terminal
from kingdom.render.plain_text import width
from tests.kit import small_realm
from tests.kit.tiny_game import campaign as tiny
from tests.kit.tiny_game import file_orders, register, write

Kingdom = Callable[..., tuple[int, str, str]]


@pytest.fixture
def kingdom(capsys: pytest.CaptureFixture[str]) -> Kingdom:
    def run(*words: object) -> tuple[int, str, str]:
        code = main([str(word) for word in words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.fixture
def folder(tmp_path: Path, kingdom: Kingdom) -> Path:
    """Turn 0 is kept."""
    place = small_realm.campaign(tmp_path / "fords")
    assert kingdom("turn", place)[0] == 0
    return place


def told(kingdom: Kingdom, *words: object) -> dict[str, Any]:
    code, out, err = kingdom("forecast", *words, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


def test_what_is_filed_is_taken_and_else_nothing_is_ordered(folder: Path, kingdom: Kingdom) -> None:
    none = told(kingdom, folder, "borderia", "--turns", 1)
    file_orders(folder, 1, "borderia", "claim: 0402\n")
    filed = told(kingdom, folder, "borderia", "--turns", 1)
    assert (none["orders"], filed["orders"]) == ("none", "filed")
    assert filed["next"]["start"]["treasury"] < none["next"]["start"]["treasury"]


def test_a_file_of_orders_goes_before_what_is_filed(folder: Path, tmp_path: Path, kingdom: Kingdom) -> None:
    file_orders(folder, 1, "borderia", "claim: 0402\n")
    other = write(tmp_path, "other.yaml", "kingdom: borderia\nturn: 1\nloyalty: rouse_the_people\n")
    found = told(kingdom, folder, "borderia", "--orders", other, "--turns", 1)
    assert found["orders"] == "given" and "loyalty" in found["checks"] and found["next"]["start"]["treasury"] == 30
    more = write(tmp_path, "more.yaml", "kingdom: borderia\nturn: 1\nloyalty: rouse_the_people\namend: true\n")
    found = told(kingdom, folder, "borderia", "--orders", more, "--turns", 1)
    assert "loyalty" in found["checks"] and found["next"]["start"]["treasury"] < 30


def test_problems_are_told_as_check_tells_them(folder: Path, tmp_path: Path, kingdom: Kingdom) -> None:
    wrong = write(tmp_path, "wrong.yaml", "kingdom: borderia\nturn: 1\nclam: 0402\n")
    code, out, err = kingdom("forecast", folder, "borderia", "--orders", wrong)
    assert (code, out) == (1, "") and err == kingdom("check", wrong, "--campaign", folder)[2]
    another = write(tmp_path, "another.yaml", "kingdom: examplia\nturn: 1\n")
    code, out, err = kingdom("forecast", folder, "borderia", "--orders", another)
    assert (code, out) == (1, "") and "borderia" in err


def test_where_silence_means_nothing_the_edicts_fall(folder: Path, kingdom: Kingdom) -> None:
    """With `missing_orders: nothing` who files nothing does what the game calls idle, and so does the forecast."""
    file_orders(folder, 1, "borderia", "holiday: long\npromotion: aggressive\n")
    assert kingdom("turn", folder)[0] == 0
    standing = told(kingdom, folder, "borderia", "--turns", 1)
    with open(folder / "campaign.yaml", "a", encoding="utf-8") as settings:
        settings.write("missing_orders: nothing\n")
    assert told(kingdom, folder, "borderia", "--turns", 1)["next"]["accounts"] != standing["next"]["accounts"]


def test_what_is_printed_fits_a_terminal(folder: Path, kingdom: Kingdom) -> None:
    file_orders(folder, 1, "borderia", "claim: 0402, 9999\nplan: claim 0401\nloyalty: rouse_the_people\n")
    code, out, err = kingdom("forecast", folder, "borderia", "--turns", 4, "--samples", 300)
    lines = out.splitlines()
    assert (code, err) == (0, "") and max(map(width, lines)) <= terminal.COLUMNS
    assert lines[0] == "Forecast for borderia, turn 1, with the orders that are filed."
    for head in (
        "treasury, ",
        "unrest, ",
        "hexes at risk",
        "Turns 1 to 4 by 300 samples (seed 1)",
        "Refused:",
        "Left out of this:",
    ):
        assert any(line.startswith(head) for line in lines), head
    assert sum("#" in line for line in lines) > 6
    assert "loyalty check succeeds" in out and "0402" in out


def test_many_values_stand_together_in_a_row() -> None:
    from kingdom.cli.commands.forecast import _ROWS, _bars

    lines = _bars([(value, 1 / 100) for value in range(100)])
    assert len(lines) <= _ROWS and lines[0].split()[:4] == ["0", "to", "4", "5"]


def test_the_same_seed_draws_the_same(folder: Path, kingdom: Kingdom) -> None:
    words = (folder, "borderia", "--turns", 5, "--samples", 200)
    assert told(kingdom, *words) == told(kingdom, *words, "--seed", 1)
    assert told(kingdom, *words)["later"] != told(kingdom, *words, "--seed", 2)["later"]


def test_before_turn_0_there_is_a_forecast_too(tmp_path: Path, kingdom: Kingdom) -> None:
    place = small_realm.campaign(tmp_path / "fords")
    assert told(kingdom, place, "examplia", "--turns", 1)["turn"] == 1 and not (place / "turns").exists()


def test_a_forecast_changes_nothing(folder: Path, kingdom: Kingdom) -> None:
    before = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    told(kingdom, folder, "borderia", "--turns", 3, "--samples", 20)
    assert {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()} == before


@pytest.mark.parametrize(
    "words", [("--turns", "0"), ("--turns", "201"), ("--samples", "0"), ("--samples", "1000001"), ("--turns", "x")]
)
def test_numbers_have_their_bounds(folder: Path, kingdom: Kingdom, words: tuple[str, str]) -> None:
    code, out, err = kingdom("forecast", folder, "borderia", *words)
    assert (code, out) == (2, "") and words[0] in err


def test_after_the_last_turn_there_is_none(folder: Path, kingdom: Kingdom) -> None:
    with open(folder / "campaign.yaml", "a", encoding="utf-8") as settings:
        settings.write("ends: {turn: 0}\n".replace("0", "1"))
    assert kingdom("turn", folder)[0] == 0
    code, out, err = kingdom("forecast", folder, "borderia")
    assert (code, out) == (1, "") and "There is no turn 2" in err


def test_a_game_without_forecasts_says_so(tmp_path: Path, kingdom: Kingdom) -> None:
    register()
    code, out, err = kingdom("forecast", tiny(tmp_path / "tally"), "ann")
    assert (code, out) == (1, "") and "no forecasts for" in err


def test_the_next_turn_alone_loads_no_numpy(folder: Path) -> None:
    code = (
        "import sys\nfrom kingdom.cli.main import main\n"
        f"main(['forecast', {str(folder)!r}, 'borderia', '--turns', '1'])\nsys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-P", "-c", code], capture_output=True).returncode == 0
