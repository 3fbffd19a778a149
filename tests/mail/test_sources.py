"""Where mail lies without a server: what one odd file does to the others."""

from __future__ import annotations

import bz2
import gzip
import lzma
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
    assert said.out.splitlines() == ["ada@example.org: filed.", "bo@example.org: filed."]
    assert sorted(file.name for file in (folder / "orders/0003").iterdir()) == ["borderia.yaml", "examplia.yaml"]
    assert problemkit.kingdom("mail", "fetch", str(folder), *more).out == "No new mail.\n"


ORDERS = mailkit.message({"body": "taxation: light\n"}, 1)
LZ4 = b"Dovecot-LZ4\r*\x9b\xc5"
PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n"
MBOX = b"".join(b"From ada@example.org Wed Dec 16 10:00:00 2026\n" + ORDERS + b"\n\n" for _ in range(2))
PACKED = {
    "gzip": gzip.compress(ORDERS),
    "gzip in two pieces": gzip.compress(ORDERS[:50]) + gzip.compress(ORDERS[50:]),
    "bzip2": bz2.compress(ORDERS),
    "xz": lzma.compress(ORDERS),
}
NO_MESSAGES = {
    "empty": (b"", "It is empty."),
    "blank": (b"\r\n \r\n", "It is empty."),
    "zeros": (bytes(4096), "It holds zeros alone, as a broken disk leaves them."),
    "a PDF": (PDF, "It does not begin with a mail's headers, such as `From: ...`."),
    "a packed PDF": (gzip.compress(PDF), "It does not begin with a mail's headers, such as `From: ...`."),
    "a page": (b"<!doctype html>\n<p>From: me", "It does not begin with a mail's headers, such as `From: ...`."),
    "an mbox": (MBOX, "It holds several messages, as an mbox does. Save each in a file of its own that ends in .eml."),
    "gzip that breaks off": (gzip.compress(ORDERS)[:-9], "Its compressed data is broken or breaks off. Put the file back from a copy."),
    "broken gzip": (b"\x1f\x8b\x08" + bytes(90) + b"x", "Its compressed data is broken or breaks off. Put the file back from a copy."),
    "Zstandard": (b"\x28\xb5\x2f\xfd" + ORDERS, "It is compressed with Zstandard, which is not read here. Unpack it, or have the mail server write gzip."),
    "LZ4": (LZ4 + ORDERS, "It is compressed with LZ4, which is not read here. Unpack it, or have the mail server write gzip."),
}  # fmt: skip


def maildir(folder: Path, data: bytes) -> Path:
    """A Maildir with that message, as Dovecot names it."""
    for part in ("new", "cur", "tmp"):
        (folder / "Maildir" / part).mkdir(parents=True)
    file = folder / "Maildir/cur/1795850000.M1P1.mx,S=180,W=190:2,S"
    file.write_bytes(data)
    os.utime(file, (mailkit.NOW.timestamp(), mailkit.NOW.timestamp()))
    return file


@pytest.mark.parametrize("packed", PACKED)
def test_a_message_that_the_mail_server_compressed_is_read(packed: str, folder: Path) -> None:
    file = maildir(folder, PACKED[packed])
    said = problemkit.kingdom("mail", "fetch", str(folder), "--from", str(folder / "Maildir"))
    assert (said.exit, said.errors, said.out) == (0, "", "ada@example.org: filed.\n")
    assert (folder / "orders/0003/examplia.yaml").exists()
    moved = folder / "Maildir/.Processed/cur" / file.name
    assert moved.read_bytes() == PACKED[packed] and not file.exists()
    put(folder / "mail/inbox", b"bo.eml", 2, **bo())
    dropped = folder / "mail/inbox/bo.eml"
    dropped.write_bytes(gzip.compress(dropped.read_bytes()))
    assert problemkit.kingdom("mail", "fetch", str(folder)).out == "bo@example.org: filed.\n"


@pytest.mark.parametrize("kind", NO_MESSAGES)
def test_what_is_no_message_stays_where_it_is_and_is_named(kind: str, folder: Path) -> None:
    data, reason = NO_MESSAGES[kind]
    file = maildir(folder, data)
    (file.parent.parent / "new/2.M2P2.mx").write_bytes(mailkit.message({"body": "taxation: light\n", **bo()}, 2))
    said = problemkit.kingdom("mail", "fetch", str(folder), "--from", str(folder / "Maildir"))
    assert said.exit == 1 and said.out.splitlines()[0] == "bo@example.org: filed."
    assert f"{file}: This is no message, so it stays where it is. {reason}" in said.errors
    assert file.read_bytes() == data
    for place in ("letters", "mail/inbox"):
        (folder / place).mkdir(exist_ok=True)
        (folder / place / "odd.eml").write_bytes(data)
    said = problemkit.kingdom("mail", "fetch", str(folder), "--from", str(folder / "letters"))
    assert said.exit == 1 and reason in said.errors and (folder / "letters/odd.eml").exists()
    said = problemkit.kingdom("mail", "fetch", str(folder))
    assert (said.exit, said.out) == (0, "No new mail.\n") and (folder / "mail/inbox/odd.eml").read_bytes() == data
    status = " ".join(problemkit.kingdom("status", str(folder)).out.split())
    assert f"mail/inbox/odd.eml is no message, so nothing is done with it. {reason}" in status
    assert "strangers" not in status


def test_a_message_that_is_huge_once_it_is_unpacked_costs_its_sender_only(folder: Path) -> None:
    huge = gzip.compress(ORDERS + b"x" * (40 << 20))
    for number in range(3):
        put(folder / "letters", b"%d.eml" % number, number)
        (folder / f"letters/{number}.eml").write_bytes(huge + bytes([number]))
    put(folder / "letters", b"bo.eml", 9, **bo())
    said = problemkit.kingdom("mail", "fetch", str(folder), "--from", str(folder / "letters"))
    assert "bo@example.org: filed." in said.out and "The message has 26 MB; at most 25 MB are read." in said.out
