"""Where mail lies without a server: what one odd file does to the others."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from kingdom.campaign import clock
from tests.kit import mailkit, problemkit


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign that is made once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        return mailkit.campaign(tmp_path_factory.mktemp("mail") / "campaign")


@pytest.fixture
def folder(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, on a Wednesday in December."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    monkeypatch.setattr(clock, "now", lambda: mailkit.NOW)
    folder = shutil.copytree(made, tmp_path / "campaign")
    mailkit.send(folder)
    return folder


def put(folder: Path, name: bytes, number: int, **said: object) -> None:
    """A message as a file of that name."""
    folder.mkdir(parents=True, exist_ok=True)
    file = os.path.join(os.fsencode(folder), name)
    Path(os.fsdecode(file)).write_bytes(mailkit.message({"body": "taxation: light\n", **said}, number))
    os.utime(file, (mailkit.NOW.timestamp(), mailkit.NOW.timestamp()))


def bo() -> dict[str, object]:
    """The head of a mail of the other player's."""
    return {"head": {"From": "Bo <bo@example.org>", "Subject": "Orders borderia 3 [b8w2m]"}}


@pytest.mark.parametrize("place", ["mail/inbox", "elsewhere"])
def test_a_file_name_that_is_not_utf8_stops_nobodys_mail(place: str, folder: Path) -> None:
    put(folder / place, b"Z\xfcge.eml", 1)
    put(folder / place, b"bo.eml", 2, **bo())
    more = [] if place == "mail/inbox" else ["--from", str(folder / place)]
    said = problemkit.kingdom("mail", "fetch", str(folder), *more)
    assert (said.exit, said.errors) == (0, "")
    assert said.out.splitlines() == ["ada@example.org: accepted.", "bo@example.org: accepted."]
    assert sorted(file.name for file in (folder / "orders/0003").iterdir()) == ["borderia.yaml", "examplia.yaml"]
    assert problemkit.kingdom("mail", "fetch", str(folder), *more).out == "No new mail.\n"
