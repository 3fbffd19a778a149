"""Copies of a campaign: of two folders with the same one neither acts until its GM says which is the campaign."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from kingdom.campaign import clock, copies
from kingdom.campaign.copies import LastRun
from kingdom.cli.main import main
from tests.kit import tiny_game

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)
CONFIG = """\
name: Tally of Bern
game: tally
seed: 5c0e7d1f9a3b48c2e6d07f5b19a4c83e
gm: {name: Gm, email: gm@example.org, token: g5s1rgg}
players:
  ann: {name: Ann, email: ann@example.org, token: aaaaabern}
  bob: {name: Bob, email: bob@example.org, token: bbbbbbern}
"""
HOUSE = "name: The North\nhost: {email: hal@example.org}\nmail: {address: play@example.org}\n"


@pytest.fixture(autouse=True)
def _noon(monkeypatch: pytest.MonkeyPatch) -> None:
    tiny_game.register()
    monkeypatch.setattr(clock, "now", lambda: NOW)


@pytest.fixture
def fords(tmp_path: Path) -> Path:
    return campaign(tmp_path / "fords")


def campaign(folder: Path, config: str = CONFIG) -> Path:
    tiny_game.campaign(folder)
    tiny_game.write(folder, "campaign.yaml", config)
    return folder


def copied(folder: Path, to: Path) -> Path:
    return Path(shutil.copytree(folder, to))


def typed(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main([*map(str, words)])
    said = capsys.readouterr()
    return code, said.out, said.err


def waiting(folder: Path) -> list[str]:
    return sorted(file.name.split("-")[0] for file in (folder / "mail" / "outbox").glob("*.eml"))


def follow(capsys: pytest.CaptureFixture[str], said: str, folder: Path) -> None:
    """Type the line of a message that makes a folder the campaign, to the letter."""
    line = next(part for part in said.split("`") if part.startswith("kingdom here") and part.endswith(str(folder)))
    code, out, _ = typed(capsys, *shlex.split(line)[1:])
    assert code == 0 and f"The campaign is in {folder}.\n" in out


def test_neither_acts_until_one_is_named(fords: Path, capsys) -> None:
    assert typed(capsys, "run", fords)[0] == 0
    copy = copied(fords, fords.with_name("backup"))
    for folder in (copy, fords):
        before = waiting(folder)
        code, out, err = typed(capsys, "run", folder)
        assert code == 1 and "one of the two is a copy" in err and out == ""
        assert waiting(folder) == sorted([*before, "stopped"]), "its GM alone is told"
        assert typed(capsys, "run", folder)[0] == 1 and waiting(folder) == sorted([*before, "stopped"]), "once"
        for command in ("mail send", "mail fetch", "release", "run --dry-run", "rehearse"):
            assert typed(capsys, *command.split(), folder)[0] == 1
        assert "one of the two is a copy" in typed(capsys, "status", folder)[1].replace("\n", " ")
    follow(capsys, err, fords)
    assert typed(capsys, "run", fords) == (0, "Nothing to do.\n", "")
    code, _, err = typed(capsys, "run", copy)
    assert code == 1 and f"This is a copy of the campaign in {fords}" in err
    follow(capsys, err, copy)
    assert typed(capsys, "run", copy)[0] == 0 and typed(capsys, "run", fords)[0] == 1


def test_a_copy_that_never_runs_stops_nothing(fords: Path, capsys) -> None:
    typed(capsys, "run", fords)
    copied(fords, fords.with_name("backup"))
    assert typed(capsys, "run", fords) == (0, "Nothing to do.\n", "")


def test_a_copy_that_is_gone_stops_nothing_any_more(fords: Path, capsys) -> None:
    typed(capsys, "run", fords)
    copy = copied(fords, fords.with_name("backup"))
    assert typed(capsys, "run", copy)[0] == 1 and typed(capsys, "run", fords)[0] == 1
    shutil.rmtree(copy)
    assert typed(capsys, "run", fords) == (0, "Nothing to do.\n", "")


def test_a_campaign_that_moved_says_so_once(fords: Path, capsys) -> None:
    typed(capsys, "run", fords)
    moved = fords.rename(fords.with_name("moved"))
    assert typed(capsys, "run", moved)[1] == f"The campaign was in {fords} before, and is in {moved} now.\n"
    assert typed(capsys, "run", moved) == (0, "Nothing to do.\n", "")


def test_a_copy_of_what_moved_does_not_act(fords: Path, capsys) -> None:
    typed(capsys, "run", fords)
    copy = copied(fords, fords.with_name("backup"))
    moved = fords.rename(fords.with_name("moved"))
    assert typed(capsys, "run", moved)[0] == 0
    assert typed(capsys, "run", copy)[0] == 1 and typed(capsys, "run", moved)[0] == 1


def test_where_it_was_before_it_moved_is_a_copy_when_it_comes_back(fords: Path, capsys) -> None:
    """A disk that is plugged in again, or a backup that is put back where the campaign was."""
    typed(capsys, "run", fords)
    (fords.parent / "home").mkdir()
    moved = copied(fords, fords.parent / "home" / "fords")
    away = fords.rename(fords.with_name("unplugged"))
    typed(capsys, "run", moved)
    assert typed(capsys, "run", moved)[0] == 0
    away.rename(fords)
    code, _, said = typed(capsys, "run", moved)
    assert code == 1 and said.startswith(f"{moved}: This campaign is also in {fords}, and one of the two is a copy.")
    assert typed(capsys, "run", fords)[0] == 1
    follow(capsys, said, moved)
    assert typed(capsys, "run", moved)[0] == 0
    assert typed(capsys, "run", fords)[0] == 1


def test_a_backup_beside_what_moved_does_not_act_even_once(fords: Path, capsys) -> None:
    typed(capsys, "run", fords)
    kept = copied(fords, fords.parent / ".kept")
    moved = fords.rename(fords.with_name("moved"))
    typed(capsys, "run", moved)
    copied(kept, fords)
    assert typed(capsys, "run", fords)[0] == 1
    assert typed(capsys, "run", moved)[0] == 1


def test_what_left_and_came_back_is_no_copy(fords: Path, capsys) -> None:
    typed(capsys, "run", fords)
    disk = fords.rename(fords.with_name("disk"))
    typed(capsys, "run", disk)
    disk.rename(fords)
    assert "The campaign was in" in typed(capsys, "run", fords)[1]
    assert typed(capsys, "run", fords)[:2] == (0, "Nothing to do.\n")


def test_a_copy_that_is_moved_stays_a_copy(fords: Path, capsys) -> None:
    typed(capsys, "run", fords)
    copy = copied(fords, fords.with_name("backup"))
    follow(capsys, typed(capsys, "run", copy)[2], fords)
    old = copy.rename(fords.with_name("backup-old"))
    code, _, said = typed(capsys, "run", old)
    assert code == 1 and said.startswith(f"{old}: This is a copy of the campaign in {fords}")
    assert typed(capsys, "run", fords)[0] == 0
    shutil.rmtree(fords)
    old.rename(fords)  # taken back from the copy
    assert typed(capsys, "run", fords)[0] == 0


def test_who_makes_the_older_one_the_campaign_hears_of_it(fords: Path, capsys) -> None:
    typed(capsys, "run", fords)
    copy = copied(fords, fords.with_name("backup"))
    typed(capsys, "turn", fords, "--yes")
    typed(capsys, "turn", fords, "--yes")
    newest = max(int(turn.name) for turn in (fords / "turns").iterdir())
    typed(capsys, "run", copy)
    told = f"Turn {newest} is kept in {fords}, and not here: what is played again is mailed again.\n"
    assert told in typed(capsys, "here", copy)[1]
    assert "and not here" not in typed(capsys, "here", fords)[1]


def test_a_copy_of_what_this_user_cannot_see_asks_first(fords: Path, capsys, monkeypatch) -> None:
    typed(capsys, "run", fords)
    copy = copied(fords, fords.with_name("backup"))
    opened = Path.open

    def denied(path: Path, *args: object, **kwargs: object) -> object:
        if path.parent == fords:
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, *args, **kwargs)

    monkeypatch.setattr(Path, "open", denied)
    code, _, said = typed(capsys, "run", copy)
    assert code == 1 and said.startswith(f"{copy}: This campaign ran last in {fords}, where this user can't look")
    code, out, said = typed(capsys, "here", copy)
    assert code == 1 and out == f"The campaign is in {copy}.\n"
    assert said.startswith(f"{fords}: This copy could not be told, so it may go on")
    monkeypatch.undo()
    monkeypatch.setattr(clock, "now", lambda: NOW)
    assert typed(capsys, "run", copy)[0] == 1, "it can be seen now, and is there"


def test_a_copy_made_before_any_run_does_not_act(fords: Path, capsys) -> None:
    copy = copied(fords, fords.with_name("backup"))
    assert typed(capsys, "run", fords)[0] == 0
    assert typed(capsys, "run", copy)[0] == 1 and typed(capsys, "run", fords)[0] == 1
    assert waiting(copy) == ["stopped"]


def test_a_place_that_is_deleted_frees_no_copy(fords: Path, capsys) -> None:
    typed(capsys, "run", fords)
    (fords / "mail" / "place").unlink()
    assert typed(capsys, "run", fords) == (0, "Nothing to do.\n", "")
    copy = copied(fords, fords.with_name("backup"))
    (copy / "mail" / "place").unlink()
    assert typed(capsys, "run", copy)[0] == 1 and typed(capsys, "run", fords)[0] == 1
    for text in ("", "no JSON", "[]", "\x00"):
        (copy / "mail" / "place").write_text(text)
        assert typed(capsys, "run", copy)[0] == 1


def test_both_places_deleted_the_second_run_is_stopped(fords: Path, capsys) -> None:
    typed(capsys, "run", fords)
    copy = copied(fords, fords.with_name("backup"))
    for folder in (fords, copy):
        (folder / "mail" / "place").unlink()
    assert typed(capsys, "run", copy)[0] == 0
    assert typed(capsys, "run", fords)[0] == 1 and typed(capsys, "run", copy)[0] == 1


def test_a_link_to_the_campaign_and_a_restored_backup_are_no_copies(fords: Path, capsys) -> None:
    typed(capsys, "run", fords)
    link = fords.with_name("link")
    link.symlink_to(fords)
    assert typed(capsys, "run", link) == (0, "Nothing to do.\n", "")
    copied(fords, fords.with_name("backup"))
    shutil.rmtree(fords)
    copied(fords.with_name("backup"), fords)
    assert typed(capsys, "run", fords) == (0, "Nothing to do.\n", "")


def test_a_copy_on_another_machine_asks_first(fords: Path, capsys) -> None:
    typed(capsys, "run", fords)
    away = fords.rename(fords.with_name("away"))
    copied(away, fords)  # the same path, another file system
    place = fords / "mail" / "place"
    was = msgspec.json.decode(place.read_bytes(), type=LastRun)
    there = LastRun(host="attic", folder=was.folder, key=was.key)
    place.write_bytes(msgspec.json.encode(there))
    code, _, err = typed(capsys, "run", fords)
    assert code == 1 and "ran last on the machine attic" in err
    follow(capsys, err, fords)
    assert typed(capsys, "run", fords)[0] == 0


def test_a_machine_that_is_called_otherwise_goes_on(fords: Path, capsys) -> None:
    typed(capsys, "run", fords)
    place = fords / "mail" / "place"
    was = msgspec.json.decode(place.read_bytes(), type=LastRun)
    place.write_bytes(msgspec.json.encode(LastRun(host="4f1c2e9a", folder=was.folder, key=was.key)))
    assert typed(capsys, "run", fords) == (0, "Nothing to do.\n", "")
    other = LastRun(host=was.host, machine="0" * 16, folder=was.folder, key=was.key)
    place.write_bytes(msgspec.json.encode(other))  # a clone with an id of its own
    assert (typed(capsys, "run", fords)[0] == 1) == bool(was.machine)


def test_an_example_is_not_checked(tmp_path: Path, capsys) -> None:
    first = campaign(tmp_path / "first", CONFIG + "public_seed: on\n")
    typed(capsys, "run", first)
    assert typed(capsys, "run", copied(first, tmp_path / "second"))[0] == 0
    assert "public seed" in typed(capsys, "here", first)[1]


def test_what_is_a_campaign_of_its_own_is_no_copy(tmp_path: Path, capsys) -> None:
    first = campaign(tmp_path / "first")
    other = CONFIG
    for token in ("g5s1rgg", "aaaaabern", "bbbbbbern"):
        other = other.replace(token, f"{token}2")
    second = campaign(tmp_path / "second", other)
    for folder in (first, second, first):
        assert typed(capsys, "run", folder)[0] == 0


@pytest.mark.parametrize(
    "seeds",
    [
        ("one, in two words", "one, in three words"),
        ("the cat sat", "the cat ran"),
        ('"the cat sat"', "'the cat ran'"),
        ("cat#1", "cat#2"),
    ],
)
def test_seeds_that_begin_alike_are_of_two_campaigns(tmp_path: Path, capsys, seeds: tuple[str, str]) -> None:
    """Neither has a token, as when both are made from one model and played without mail."""
    config = re.sub(r"(, email: \S+)?, token: \w+", "", CONFIG)
    first, second, copy = tmp_path / "first", tmp_path / "second", tmp_path / "copy"
    for folder, seed in ((first, seeds[0]), (second, seeds[1]), (copy, f"{seeds[0]}  # a remark")):
        campaign(folder, config.replace("5c0e7d1f9a3b48c2e6d07f5b19a4c83e", seed))
    assert not copies.is_same(first, second)
    assert copies.is_same(first, copy)


def test_a_turn_in_a_copy_writes_no_pages(fords: Path, capsys) -> None:
    web = fords.with_name("web")
    (fords / "campaign.yaml").write_text(CONFIG + f"publish: {{folder: {web}}}\n")
    typed(capsys, "run", fords)
    copy = copied(fords, fords.with_name("backup"))
    pages = sorted(web.iterdir())
    code, out, err = typed(capsys, "turn", "--yes", copy)
    assert code == 1 and "Turn 1 is kept. Its pages are not written. This campaign is also in" in err
    assert sorted(web.iterdir()) == pages
    code, out, err = typed(capsys, "undo", copy)
    assert code == 1 and "Its pages are not written. This campaign is also in" in err


# --- in a house


@pytest.fixture
def house(tmp_path: Path) -> Path:
    folder = tmp_path / "house"
    campaign(folder / "base")
    (folder / "house.yaml").write_text(HOUSE)
    return folder


def mail(house: Path, name: str) -> None:
    inbox = house / "mail" / "inbox"
    inbox.mkdir(parents=True, exist_ok=True)
    text = f"From: ann@example.org\nTo: play@example.org\nSubject: Orders ann 1 [aaaaabern]\nMessage-ID: <{name}@example.org>\n\ntake: 2\n"
    (inbox / f"{name}.eml").write_bytes(text.encode())


def test_in_a_house_no_mail_is_lost_meanwhile(house: Path, capsys) -> None:
    assert typed(capsys, "run", house)[0] == 0
    copied(house / "base", house / "base-backup")
    mail(house, "one")
    code, out, err = typed(capsys, "run", house)
    assert code == 1 and err.count("one of the two is a copy") == 2
    assert "2 campaigns: 0 played, 0 waiting, 2 failing, 0 busy." in out
    page = (house / "status.html").read_text()
    assert "kingdom here base" in page and "kingdom here base-backup" in page
    assert not any("For which" in file.read_text() for file in (house / "mail" / "outbox").glob("*.eml"))
    follow(capsys, err, house / "base-backup")
    code, out, err = typed(capsys, "run", house)
    assert (code, err) == (0, "") and "filed" in out
    assert (house / "base-backup" / "orders" / "0001" / "ann.yaml").exists()
    assert not (house / "base" / "orders" / "0001" / "ann.yaml").exists()
    page = (house / "status.html").read_text()
    assert "base-backup" in page and "there twice" not in page
    mail(house, "two")
    assert typed(capsys, "run", house)[0] == 0
    assert any(b"two@" in file.read_bytes() for file in (house / "base-backup" / "mail" / "inbox").glob("*.eml"))


def test_in_a_house_a_copy_made_before_any_run_counts(house: Path, capsys) -> None:
    copied(house / "base", house / "another")
    code, _, err = typed(capsys, "run", house)
    assert code == 1 and err.count("one of the two is a copy") == 2
    assert not (house / "base" / "turns").exists() and not (house / "another" / "turns").exists()


def test_in_a_house_a_copy_may_be_renamed(house: Path, capsys) -> None:
    typed(capsys, "run", house)
    copy = copied(house / "base", house / "base-backup")
    typed(capsys, "run", house)
    typed(capsys, "here", house / "base")
    copy.rename(house / "a-do-not-use")
    assert typed(capsys, "run", house)[0] == 0


def test_a_copy_in_a_house_of_a_campaign_outside_of_it(house: Path, fords: Path, capsys) -> None:
    typed(capsys, "run", fords)
    copied(fords, house / "fords")
    shutil.rmtree(house / "base")
    code, _, err = typed(capsys, "run", house)
    assert code == 1 and str(fords) in err
    assert "copy of a campaign elsewhere" in (house / "status.html").read_text()
    assert typed(capsys, "run", fords)[0] == 1
    follow(capsys, err, house / "fords")
    assert typed(capsys, "run", house)[0] == 0 and typed(capsys, "run", fords)[0] == 1


def test_a_link_in_a_house_to_one_of_its_campaigns_is_no_copy(house: Path, capsys) -> None:
    typed(capsys, "run", house)
    (house / "link").symlink_to(house / "base")
    assert typed(capsys, "run", house)[0] == 0


def test_a_place_that_is_another_users_says_it_here_alone(fords: Path, capsys, monkeypatch) -> None:
    typed(capsys, "run", fords)
    copy, replacing = copied(fords, fords.with_name("backup")), os.replace

    def denied(old: Path, new: Path) -> None:
        if Path(new).parent == fords / "mail":
            raise PermissionError(13, "Permission denied", str(new))
        replacing(old, new)

    monkeypatch.setattr(os, "replace", denied)
    code, _, said = typed(capsys, "run", copy)
    assert code == 1 and said.startswith(f"{copy}: This campaign is also in {fords}")


def test_the_index_of_a_folder_is_read_anew_when_something_comes(fords: Path) -> None:
    assert copies.of_house([fords]) == ({"fords": fords}, {})
    copy = copied(fords, fords.with_name("backup"))
    (fords.parent / "house.yaml").write_text(HOUSE)
    found, also = copies.of_house([fords, copy])
    assert len(found) == 1 and len(also) == 1


# --- players who are missing


@pytest.mark.parametrize("new", ["  bobby: {name: Bob, token: bbbbbbern}", ""])
def test_a_seat_that_is_renamed_or_gone_is_said(fords: Path, capsys, new: str) -> None:
    assert typed(capsys, "run", fords)[0] == 0
    old = next(line for line in CONFIG.splitlines() if "bob:" in line)
    (fords / "campaign.yaml").write_text(CONFIG.replace(old, new))
    before = waiting(fords)
    for command in ("run", "run --dry-run", "mail send", "mail fetch", "release", "run"):
        code, _, err = typed(capsys, *command.split(), fords)
        assert code == 1 and "`players` no longer names the kingdoms that play. Missing: bob." in err, command
    assert waiting(fords) == sorted([*before, "stopped"]), "its GM is told, once"
    for command in ("status", "show", "ledger", "review", "map", "audit", "replay", "rules", "mail log"):
        code, _, err = typed(capsys, *command.split(), fords)
        assert (code, "fault of the program" in err) == (0, False), (command, err)
    for command in (
        "show bobby",
        "explain bobby coins",
        "form bobby --to",
        "forecast bobby",
        "advise bobby",
        "turn --yes",
        "rehearse --run-it --to",
        "form ann --to",
        "invite ann ann@example.org",
        "undo",
    ):
        words = command.split()
        more = [fords.with_name("page.html")] if words[-1] == "--to" else []
        assert "fault of the program" not in typed(capsys, words[0], fords, *words[1:], *more)[2], command
    (fords / "campaign.yaml").write_text(CONFIG)
    assert typed(capsys, "run", fords)[0] == 0
