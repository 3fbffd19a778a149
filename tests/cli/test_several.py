"""Several campaigns by one command: each comes out as if the command were typed for it alone, and one that fails harms no other."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import clock, lock
from kingdom.cli.main import main
from kingdom.mail import tokens
from tests.kit import small_realm
from tests.kit.tiny_game import contents, write

ROOT = Path(__file__).parents[2]
NOW = datetime(2027, 2, 19, tzinfo=UTC)  # a few hours after the deadline of turn 3
BY_MAIL = """\
gm: {name: Gm, email: gm@example.org, token: g5s1r}
players:
  examplia: {name: Ada, email: ada@example.org, token: k7f3q}
  borderia: {name: Bo, email: bo@example.org, token: b8w2m}
calendar: {deadline: 2027-02-04T18:00, zone: UTC, every: 7d}
mail: {address: orders@example.org}
"""
NAMES = ("busy", "due", "greenmarch", "idle", "torn", "waiting")  # as a folder lists them


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with campaigns of all kinds: due, waiting for orders, without a calendar, broken; and what is none."""
    house = tmp_path_factory.mktemp("made") / "house"
    fords = small_realm.played(house / "idle")
    head = (fords / "campaign.yaml").read_text().rsplit("players", 1)[0]
    for name, more in (
        ("due", "missing_limit: 1\n"),
        ("waiting", "missing_orders: hold\n"),
        ("busy", ""),
        ("torn", ""),
    ):
        shutil.copytree(fords, house / name)
        write(house, f"{name}/campaign.yaml", head + BY_MAIL + more)
    shutil.copytree(ROOT / "campaigns" / "greenmarch", house / "greenmarch")
    for name in NAMES:
        tokens.keep_key(campaigns.open_campaign(house / name))
    state = house / "torn" / "turns" / "0002" / "state.json"
    state.write_bytes(state.read_bytes()[:-1])
    write(house, "notes/todo.txt", "buy dice")
    return house


@pytest.fixture
def twice(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Two copies of it, and the same moment for both."""
    monkeypatch.setattr(clock, "now", lambda: NOW)
    return shutil.copytree(made, tmp_path / "one" / "house"), shutil.copytree(made, tmp_path / "all" / "house")


@pytest.fixture
def kingdom(capsys: pytest.CaptureFixture):
    """Type a command: (exit code, standard output, standard error)."""

    def type_(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        return (main([str(word) for word in words]), *capsys.readouterr())

    return type_


def differing(one: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    """The files that two folders do not have alike."""
    return sorted(name for name in one | other if one.get(name) != other.get(name))


def test_a_folder_of_campaigns_comes_out_as_if_each_were_run_alone(twice, kingdom, monkeypatch) -> None:
    alone, together = twice
    with ExitStack() as stack:
        for house in twice:
            stack.enter_context(lock.held(house / "busy", "turn"))
        monkeypatch.chdir(alone.parent)
        each = {name: kingdom("run", f"house/{name}") for name in NAMES}
        monkeypatch.chdir(together.parent)
        code, out, err = kingdom("run", "house")
    assert differing(contents(alone), contents(together)) == []
    assert {name: said[0] for name, said in each.items()} == {**dict.fromkeys(NAMES, 0), "busy": 3, "torn": 1}
    assert code == 3
    heads = (f"house/{name}:\n{said[1]}" for name, said in each.items() if said[1] != "Nothing to do.\n")
    assert out == "".join(heads) + "6 campaigns: 2 played, 1 waiting, 1 failing, 1 busy.\n"
    assert err == "".join(said[2] for said in each.values())


def test_the_gm_of_a_campaign_that_fails_is_told(twice, kingdom) -> None:
    house, _ = twice
    assert kingdom("run", house / "torn", house / "due")[0] == 1
    (told,) = (house / "torn/mail/outbox").glob("fails-*.eml")
    assert "\nTo: gm@example.org\n" in told.read_text()
    assert (house / "due/turns/0003").is_dir()


def test_a_run_with_nothing_to_do_changes_nothing(twice, kingdom) -> None:
    house, _ = twice
    for name in ("torn", "greenmarch"):
        shutil.rmtree(house / name)
    for _ in range(2):  # the second tells of the deadline that the first one's turns led to
        assert kingdom("run", house)[0] == 0
    before = contents(house)
    code, out, err = kingdom("run", house)
    assert (code, err, differing(contents(house), before)) == (0, "", [])
    assert out.endswith("4 campaigns: 0 played, 1 waiting, 0 failing, 0 busy.\n")


def test_without_a_word_it_is_the_campaign_here(twice, kingdom, monkeypatch) -> None:
    house, _ = twice
    monkeypatch.chdir(house / "idle" / "turns")
    assert kingdom("run") == (0, "Nothing to do.\n", "")
    monkeypatch.chdir(house)
    code, _, err = kingdom("run")
    assert code == 2 and err.startswith("kingdom run: which campaign?")


def test_words_on_both_sides_of_an_option_are_campaigns(twice, kingdom) -> None:
    house, _ = twice
    before = contents(house)
    code, out, _ = kingdom("run", house / "due", "--dry-run", house / "waiting")
    assert code == 0 and out.endswith("2 campaigns: 0 played, 1 waiting, 0 failing, 0 busy.\n")
    assert contents(house) == before


def test_status_of_several_is_one_table(twice, kingdom) -> None:
    house, _ = twice
    write(house, "idle/campaign.yaml", "nmae: Wrong\n")
    code, out, err = kingdom("status", house)
    rows = [line.split()[:3] for line in out.splitlines()]
    assert rows[0] == ["campaign", "game", "next"]
    assert [row[0] for row in rows[1:]] == list(NAMES)
    assert rows[2][1:] == ["realm", "3"] and "can't be read" in out and len(rows) == 7
    assert code == 1 and f"{house}/idle/campaign.yaml:1:1: `nmae` is not a key" in err
    code, out, _ = kingdom("status", "--json", house)
    assert [status["campaign"] for status in json.loads(out)][:1] == ["The two fords"] and len(json.loads(out)) == 5


def test_audit_and_export_take_several(twice, kingdom, tmp_path: Path) -> None:
    house, _ = twice
    code, out, err = kingdom("audit", house)
    assert code == 1 and "state.json" in err and out.endswith("6 campaigns: 1 failing, 0 busy.\n")
    assert kingdom("export", house / "due", house / "greenmarch", "--to", tmp_path / "books.sqlite")[0] == 0
    for name in ("due", "greenmarch"):
        with sqlite3.connect(tmp_path / f"books-{name}.sqlite") as books:
            assert books.execute("select count(*) from entries").fetchone()[0] > 20
    shutil.copytree(house / "due", tmp_path / "other" / "due")
    assert kingdom("export", house / "due", tmp_path / "other" / "due", "--to", tmp_path / "b.csv")[0] == 2


def test_somebody_elses_campaign_in_the_folder_is_left_out(twice, kingdom, monkeypatch) -> None:
    house, _ = twice
    own = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: own + 1)
    before = contents(house)
    code, out, err = kingdom("run", house)
    assert code == 1 and contents(house) == before and out == "6 campaigns: 0 played, 0 waiting, 6 failing, 0 busy.\n"
    assert err.count("is somebody else's") == 6
