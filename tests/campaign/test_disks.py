"""Disks that can't do all that a disk of Linux can: FAT and exFAT sticks, network and cloud mounts. What they lack is no refusal,
and nobody is told that the next run does what a disk never does."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kingdom.campaign import undo
from kingdom.campaign.campaign import Unopened
from kingdom.campaign.errors import LACKING
from kingdom.campaign.settings import Settings
from kingdom.cli.main import main
from kingdom.mail import tokens
from tests.campaign.test_modes import lived
from tests.kit import tiny_game
from tests.mail.test_week import FRIDAY, HOUR, Campaign

LACKED = ("link", "symlink", "chmod", "fchmod", "fsync")


def refusing(code: int) -> Callable[..., None]:
    def refuse(file: object, *given: object, **named: object) -> None:
        raise OSError(code, os.strerror(code), file if isinstance(file, str | Path) else None)

    return refuse


@pytest.mark.parametrize("code", [errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EINVAL], ids=errno.errorcode.get)
def test_all_commands_work_on_a_disk_without_links_rights_and_syncs(
    code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in LACKED:
        monkeypatch.setattr(os, name, refusing(code))
    monkeypatch.setattr(undo, "exchange", lambda one, other: False)
    lived(tmp_path / "tally", monkeypatch, capsys)
    said = capsys.readouterr()
    assert said.err == "" and "written" not in said.out
    assert tokens.key_of(place(tmp_path / "tally")) == (tmp_path / "tally" / "mail" / "key").read_bytes()
    assert list(tmp_path.rglob("*.partial")) == []
    assert main(["new", str(tmp_path / "new")]) == 0


def place(folder: Path) -> Unopened:
    return Unopened(folder, Settings("", "", "", {}))


@pytest.mark.parametrize("left", [b"", b"\0" * 64], ids=["killed", "power cut"])
def test_a_key_that_a_stopped_run_left_half_made_is_made_by_the_next(left: bytes, tmp_path: Path) -> None:
    file = tmp_path / "mail" / tokens.KEY
    file.parent.mkdir()
    file.write_bytes(left)
    tokens.keep_key(place(tmp_path))
    made = file.read_bytes()
    assert len(made) == 64 and made == tokens.key_of(place(tmp_path))
    tokens.keep_key(place(tmp_path))
    assert file.read_bytes() == made


def test_the_key_of_who_was_first_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tokens.key_of(place(tmp_path))

    def wait(descriptor: int) -> None:
        (tmp_path / "mail" / tokens.KEY).write_bytes(b"of another process")

    monkeypatch.setattr("kingdom.campaign.lock.wait_for", wait)
    tokens.keep_key(place(tmp_path))
    assert tokens.key_of(place(tmp_path)) == b"of another process"


def test_a_key_that_the_disk_does_not_take_leaves_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", refusing(errno.ENOSPC))
        with pytest.raises(Exception, match="No space left"):
            tokens.keep_key(place(tmp_path))
    assert (tmp_path / "mail" / tokens.KEY).read_bytes() == b""


def test_a_turn_that_cannot_be_put_in_its_place_is_told_by_what_the_disk_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny_game.register()
    folder = tiny_game.campaign(tmp_path / "tally")

    def refuse(old: object, new: object) -> None:
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), str(old), None, str(new))

    monkeypatch.setattr(os, "rename", refuse)
    assert main(["turn", str(folder)]) == 1
    assert os.strerror(errno.EXDEV) in capsys.readouterr().err


LASTING = (errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.EXDEV, errno.ENOSYS, errno.EROFS, errno.EISDIR, errno.ENOLCK)


@pytest.mark.parametrize("code", [*LASTING, errno.ENOSPC, errno.EIO, errno.EDQUOT], ids=errno.errorcode.get)
@pytest.mark.parametrize("call", ["rename", "open", "mkdir", "fsync"])
def test_that_the_next_run_does_it_is_said_only_of_what_passes(
    call: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny_game.register()
    folder = tiny_game.campaign(tmp_path / "tally")
    tally = Campaign(folder, monkeypatch, capsys)
    tally.mail("ann", "take: 5\n", subject="Orders ann 1")
    real = getattr(os, call)

    def refuse(file: object, *given: object, **named: object) -> object:
        makes = call != "open" or given and isinstance(given[0], int) and given[0] & os.O_CREAT
        if makes and (isinstance(file, int) or str(file).startswith(str(folder))):
            raise OSError(code, os.strerror(code), None if isinstance(file, int) else file)
        return real(file, *given, **named)

    monkeypatch.setattr(os, call, refuse)
    tally.now = FRIDAY - 3 * HOUR
    capsys.readouterr()
    ran = main(["run", str(folder)])
    said = capsys.readouterr().err
    if call == "fsync" and code in LACKING:
        assert (ran, said) == (0, "")
        return
    assert os.strerror(code) in said, said
    passes = code not in LASTING
    assert ("the next `kingdom run` does the rest" in said) == passes
    assert ("That does not pass by itself: " in said and "when that is put right, `kingdom run`" in said) == (
        not passes
    )
