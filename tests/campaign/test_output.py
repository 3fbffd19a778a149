"""What a command writes to a file that somebody names takes the place of nothing else."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from kingdom.campaign import output
from kingdom.cli.main import main
from kingdom.engine.problems import Faults
from tests.kit import small_realm, tiny_game
from tests.kit.tiny_game import contents, write


@pytest.fixture(scope="module")
def fords(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = small_realm.campaign(tmp_path_factory.mktemp("output") / "fords")
    for _ in range(2):
        assert main(["turn", "--yes", str(folder)]) == 0
    (folder / "orders" / "0002").mkdir(parents=True, exist_ok=True)
    return folder


WRITERS = {  # a command -> its words behind the campaign, before the file, and the ending that the file needs
    "rules": (["--to"], ".md"),
    "rehearse": (["--run-it", "--to"], ".html"),
    "map": (["--to"], ".txt"),
    "map svg": (["--to"], ".svg"),
    "map png": (["--to"], ".png"),
    "map of one": (["--seat", "examplia", "--to"], ".txt"),
    "form": (["examplia", "--to"], ".html"),
    "review": (["--html"], ".html"),
    "ledger html": (["--html"], ".html"),
    "ledger": (["--csv"], ".csv"),
    "ledger sums": (["--by", "cause", "--csv"], ".csv"),
    "ledger excel": (["--excel", "--csv"], ".csv"),
    "ledger periods": (["--every", "1", "--csv"], ".csv"),
    "schema": (["--to"], ".json"),
    "schema gm": (["--seat", "gm", "--to"], ".json"),
    **{f"export {ending}": (["--to"], ending) for ending in (".sqlite", ".csv", ".xlsx", ".parquet", ".journal", ".beancount")},
}  # fmt: skip
GMS_OWN = ("rehearse", "review", "ledger", "ledger html", "export .sqlite", "export .xlsx", "map svg", "form")


def typed(name: str, fords: Path, file: Path, *more: str) -> int:
    words, command = WRITERS[name][0], name.split()[0]
    campaign = ["--campaign", str(fords)] if command == "schema" else [str(fords)]
    return main([command, *campaign, *words, str(file), *more])


@pytest.mark.parametrize("name", WRITERS)
def test_a_strangers_file_stays_and_ones_own_output_is_made_anew(
    name: str, fords: Path, tmp_path: Path, capsys
) -> None:
    file = tmp_path / f"out{WRITERS[name][1]}"
    for text in (
        b"Ada brings the crisps.\n",
        b"<!DOCTYPE html>\n<html lang='en'><title>Our club</title>",
        b"PK\x03\x04",
        b"PAR1",
        b"{}",
    ):
        file.write_bytes(text)
        assert typed(name, fords, file) == 1 and file.read_bytes() == text
        assert "no earlier output of this command" in capsys.readouterr().err
    assert typed(name, fords, file, "--force") == 0 and file.read_bytes() != text
    for _ in range(2):
        assert typed(name, fords, file) == 0, capsys.readouterr().err
    file.write_bytes(b"")
    assert typed(name, fords, file) == 0
    assert [one.name for one in tmp_path.iterdir() if one.name.startswith(".")] == []


@pytest.mark.parametrize("name", WRITERS)
def test_a_campaigns_own_files_are_never_written_over(
    name: str, fords: Path, tmp_path: Path, monkeypatch, capsys
) -> None:
    ending, before = WRITERS[name][1], contents(fords)
    link = tmp_path / f"link{ending}"
    link.symlink_to(fords / "campaign.yaml")
    monkeypatch.chdir(fords / "orders")
    names = [fords / "turns" / "0000" / f"ledger{ending}", fords / "mail" / f"x{ending}", fords / "kingdoms" / f"new{ending}",
             fords / "undone" / f"x{ending}", fords / "chronicle" / f"x{ending}", Path(f"../orders/0002/new{ending}"),
             fords / "ORDERS" / f"x{ending}", link]  # fmt: skip
    if not name.startswith(("export", "map")):
        names += [
            fords / "campaign.yaml",
            fords / "map.yaml",
            fords / "kingdoms" / "examplia.yaml",
            fords / "archive.zip",
            Path("../campaign.yaml"),
        ]
    for file in names:
        for more in ([], ["--force"]):
            assert typed(name, fords, file, *more) == 1
            assert "keeps its own files there" in capsys.readouterr().err
    assert contents(fords) == before and not (fords / "undone").exists()


def test_what_a_campaign_has_no_name_for_may_lie_in_it(fords: Path) -> None:
    assert typed("map svg", fords, fords / "notes.svg") == 0
    assert typed("schema gm", fords, fords / "orders" / "orders.schema.json") == 0, "beside the orders, for editors"
    (fords / "notes.svg").unlink()


def test_forms_for_all_are_written_all_or_none(fords: Path, tmp_path: Path, capsys) -> None:
    for where in ("orders", "turns/0001"):
        assert main(["form", str(fords), "--to", str(fords / where), "--force"]) == 1
    mine = write(tmp_path / "forms", "examplia.html", "mine")
    assert main(["form", str(fords), "--to", str(tmp_path / "forms")]) == 1
    assert [file.name for file in (tmp_path / "forms").iterdir()] == ["examplia.html"] and mine.read_text() == "mine"
    assert main(["form", str(fords), "--to", str(tmp_path / "forms"), "--force"]) == 0
    assert main(["form", str(fords), "--to", str(tmp_path / "forms")]) == 0


def test_a_form_may_be_asked_for_before_any_turn_is_kept(tmp_path: Path) -> None:
    folder = small_realm.campaign(tmp_path / "fords")
    assert main(["form", str(folder), "--to", str(tmp_path / "forms")]) == 0
    assert "Orders of" in (tmp_path / "forms" / "examplia.html").read_text()


def test_a_chronicle_and_a_new_campaign_go_into_no_campaign(fords: Path, tmp_path: Path, capsys) -> None:
    before = contents(fords)
    for name in ("mail", "undone", "turns/0002", "chronicle/sub", "archive.zip"):
        assert main(["chronicle", str(fords), str(fords / name)]) == 1
        assert main(["new", str(fords / name)]) == 1
    assert contents(fords) == before


@pytest.mark.parametrize("name", GMS_OWN)
def test_what_is_the_gms_is_for_nobody_else(name: str, fords: Path, tmp_path: Path) -> None:
    file, usual = tmp_path / f"out{WRITERS[name][1]}", os.umask(0o022)
    try:
        assert typed(name, fords, file) == 0
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        file.chmod(0o640)  # as its owner wants it
        assert typed(name, fords, file) == 0
        assert stat.S_IMODE(file.stat().st_mode) == 0o640
    finally:
        os.umask(usual)


def test_a_chronicle_is_for_its_gm(fords: Path, tmp_path: Path) -> None:
    usual = os.umask(0o022)
    try:
        assert main(["chronicle", str(fords), str(tmp_path / "book")]) == 0
    finally:
        os.umask(usual)
    assert stat.S_IMODE((tmp_path / "book").stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "book").rglob("*") if file.is_file()} == {0o600}


def test_a_house_keeps_its_files_too(tmp_path: Path) -> None:
    write(tmp_path, "house.yaml", "name: The North\n")
    for name in ("house.yaml", "mail/index.sqlite"):
        with pytest.raises(Faults):
            output.prove_outside_layout(tmp_path / name)
    output.prove_outside_layout(tmp_path / "status.html")


def test_what_a_web_server_must_not_show(tmp_path: Path) -> None:
    fords = write(tmp_path / "house" / "fords", "campaign.yaml", "").parent
    other = write(tmp_path / "srv" / "games" / "other", "campaign.yaml", "").parent
    (tmp_path / "link").symlink_to(fords)
    for folder in (
        fords,
        fords / "mail",
        fords / "new",
        fords / "..",
        tmp_path,
        other,
        other.parent,
        tmp_path / "srv",
        tmp_path / "link",
    ):
        assert output.shows_a_campaign(folder, fords), folder
    for folder in (tmp_path / "www", tmp_path / "house" / "www"):
        assert not output.shows_a_campaign(folder, fords)
        folder.mkdir()
        assert not output.shows_a_campaign(folder, fords)


def test_mail_is_taken_from_no_folder_of_a_campaigns_own(fords: Path, capsys) -> None:
    sent = write(fords, "mail/sent/report-0001.eml", "From: fords@example.org\n\nA report")
    for name in ("mail/sent", "mail", "turns", "orders/0002"):
        assert main(["mail", "fetch", str(fords), "--from", str(fords / name)]) == 1
        assert "keeps its own files there" in capsys.readouterr().err
    assert sent.exists() and not (sent.parent / "Processed").exists()
    (fords / "mail" / "inbox").mkdir(exist_ok=True)
    assert main(["mail", "fetch", str(fords), "--from", str(fords / "mail" / "inbox")]) == 0


HOUSE = "name: The North\nhost: {email: hal@example.org}\nmail: {address: play@example.org}\n"


@pytest.mark.parametrize("key", ["page", "metrics"])
@pytest.mark.parametrize(
    "name", ["home", "alba/campaign.yaml", "house.yaml", "mail/notes", "alba/turns/0000/state.json"]
)
def test_a_house_writes_its_page_and_metrics_over_nothing_else(tmp_path: Path, capsys, key: str, name: str) -> None:
    tiny_game.register()
    house = tmp_path / "house"
    tiny_game.campaign(house / "alba")
    write(house, "house.yaml", HOUSE)
    write(house, "mail/notes", "Ada rings on Friday.")
    write(house, "home", "<!DOCTYPE html>\n<html lang=en><title>Our club</title>")
    assert main(["run", str(house)]) == 0 and main(["run", str(house)]) == 0
    write(house, "house.yaml", f"{HOUSE}{key}: {name}\n")
    before = (house / name).read_bytes()
    capsys.readouterr()
    assert main(["run", str(house)]) == 1
    assert "There is something else here" in capsys.readouterr().err
    assert (house / name).read_bytes() == before


@pytest.mark.parametrize("name", ["export .sqlite", "ledger", "review"])
@pytest.mark.parametrize(("call", "code"), [("chmod", errno.EPERM), ("chmod", errno.ENOTSUP), ("fsync", errno.EINVAL)])
def test_a_disk_without_rights_takes_it_too(
    call: str, code: int, name: str, fords: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a stick or a share."""

    def refuse(*given: object, **named: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, call, refuse)
    file = tmp_path / f"out{WRITERS[name][1]}"
    assert typed(name, fords, file) == 0 and file.stat().st_size
