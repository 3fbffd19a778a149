"""`kingdom audit archive.zip` proves a campaign that is over without unpacking it; a hostile archive costs nothing."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from kingdom.campaign import unpacking
from kingdom.cli.main import main
from tests.kit import tiny_game
from tests.kit.tiny_game import file_orders, write


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    tiny_game.register()
    folder = tiny_game.campaign(tmp_path_factory.mktemp("archive") / "tally")
    write(folder, "campaign.yaml", tiny_game.CAMPAIGN + "ends: {turn: 1}\n")
    file_orders(folder, 1, "ann", "take: 3\n")
    assert main(["turn", "--yes", str(folder)]) == 0
    return (folder / "archive.zip").read_bytes()


def changed(data: bytes, changes: dict[str, bytes], more: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for entry in old.infolist():
            name = entry.filename.partition("/")[2]
            new.writestr(entry.filename, changes.get(name, old.read(entry)))
        for name, text in more.items():
            new.writestr(name, text)
    return out.getvalue()


def test_an_archive_is_proved_as_it_is(archive: bytes, tmp_path: Path, capsys) -> None:
    file = tmp_path / "archive.zip"
    file.write_bytes(archive)
    assert main(["audit", str(file)]) == 0
    assert (
        "The books balance, the dice are the seed's, and each turn follows from its orders." in capsys.readouterr().out
    )
    assert [one.name for one in tmp_path.iterdir()] == ["archive.zip"]


def test_what_was_altered_is_named_in_the_archive(archive: bytes, tmp_path: Path, capsys) -> None:
    file = tmp_path / "archive.zip"
    file.write_bytes(changed(archive, {"turns/0001/ledger.csv": b"turn,seq\n"}, {}))
    assert main(["audit", str(file)]) == 1
    err = capsys.readouterr().err
    assert f"{file}/turns/0001/ledger.csv: The file is not as it was kept" in err and "/tmp/kingdom-archive" not in err


def test_several_are_proved_one_after_the_other(archive: bytes, tmp_path: Path, capsys) -> None:
    for name in ("one.zip", "two.zip"):
        (tmp_path / name).write_bytes(archive)
    assert main(["audit", str(tmp_path / "one.zip"), str(tmp_path / "two.zip")]) == 0
    assert "2 campaigns: 0 failing" in capsys.readouterr().out


@pytest.mark.parametrize(
    "name",
    ["../evil", "a-tally/../../evil", "/evil", "other/evil", "a-tally/x\\..\\evil", "a-tally//evil", "a-tally/./evil"],
)
def test_a_file_that_would_lie_elsewhere_is_refused(archive: bytes, tmp_path: Path, capsys, name: str) -> None:
    file = tmp_path / "in" / "archive.zip"
    file.parent.mkdir()
    file.write_bytes(changed(archive, {}, {name: b"evil"}))
    assert main(["audit", str(file)]) == 1
    assert "which is no file of a campaign" in capsys.readouterr().err
    assert not list(tmp_path.rglob("evil"))


@pytest.mark.parametrize("data", [b"", b"PK\x05\x06" + b"\0" * 18, b"PK\x03\x04", b"pictures"])
def test_what_is_no_archive_is_said(tmp_path: Path, capsys, data: bytes) -> None:
    file = tmp_path / "archive.zip"
    file.write_bytes(data)
    assert main(["audit", str(file)]) == 1
    assert "This is no archive of a campaign that can be unpacked" in capsys.readouterr().err


def test_damage_a_size_that_is_a_lie_and_too_much_are_refused(
    archive: bytes, tmp_path: Path, capsys, monkeypatch
) -> None:
    file = tmp_path / "archive.zip"
    file.write_bytes(archive[:100] + bytes([archive[100] ^ 255]) + archive[101:])
    assert main(["audit", str(file)]) == 1
    assert "fault of the program" not in capsys.readouterr().err
    file.write_bytes(changed(archive, {}, {"a-tally/campaign.yaml": b"name: twice\n"}))
    assert main(["audit", str(file)]) == 1 and "fault of the program" not in capsys.readouterr().err
    monkeypatch.setattr(unpacking, "_MOST", 1000)
    file.write_bytes(archive)
    assert main(["audit", str(file)]) == 1
    assert "it holds more than any campaign" in capsys.readouterr().err
