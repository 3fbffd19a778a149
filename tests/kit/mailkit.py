"""The corpus of mail in tests/mail/corpus/: each case made into bytes, taken in by the real path, and what became of it.

tests/mail/corpus/README.md tells what a case holds.
"""

from __future__ import annotations

import base64
import json
import quopri
import re
import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir, nullcontext, redirect_stdout
from datetime import UTC, datetime
from functools import cache
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest import mock

import yaml

from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.mail.incoming import taking
from kingdom.mail.incoming.taking import Incoming, Taken
from kingdom.mail.journal import journal_of
from kingdom.mail.reading import parts
from kingdom.orders import orders_file
from tests.kit import small_realm
from tests.kit.tiny_game import write

FOLDER = Path(__file__).parents[1] / "mail" / "corpus"
NOW = datetime(2026, 12, 16, 12, 0, tzinfo=UTC)
SEAT, TURN = "examplia", 3
CAMPAIGN = """\
name: The two fords
game: realm
seed: public, this is a test
public_seed: true
gm: {name: Gm, email: gm@example.org, token: g5s1r}
players:
  examplia: {name: Ada, email: [ada@example.org, ada@work.example.org], token: k7f3q, zone: Europe/Berlin}
  borderia: {name: Bo, email: bo@example.org, token: b8w2m}
advice: off
calendar: {deadline: 2026-12-04T18:00, zone: Europe/Berlin, every: 7d, grace: 1h}
mail: {address: orders@example.org, authserv_id: mx.example.org}
"""
HEAD = {
    "Received": "from mail.example.org by mx.example.org with ESMTPS; Wed, 16 Dec 2026 10:00:05 +0000",
    "From": "Ada <ada@example.org>",
    "To": "The two fords <orders@example.org>",
    "Subject": f"Re: Orders {SEAT} {TURN} [k7f3q]",
    "Date": "Wed, 16 Dec 2026 10:00:00 +0000",
    "Message-ID": None,
    "MIME-Version": "1.0",
}


class Case(NamedTuple):
    """A case of the corpus. topic: its file. said: what the file says of it."""

    topic: str
    name: str
    said: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{self.topic}:{self.name}"


class Outcome(NamedTuple):
    """What became of one message: its fate, the letters that it brought about, and what is filed after it."""

    taken: Taken
    letters: tuple[Mapping[str, Any], ...]
    filed: Mapping[str, Any] | None


def cases() -> list[Case]:
    """All cases, in the order of their files."""
    return list(_cases())


def _cases() -> Iterator[Case]:
    for file in sorted(FOLDER.glob("*.yaml")):
        for name, said in yaml.load(file.read_bytes(), yaml.CSafeLoader).items():
            yield Case(file.stem, name, said)


# --- a case -> bytes


def message(said: Mapping[str, Any], number: int = 0) -> bytes:
    """The bytes of a message as a case describes it; its lines end as they do on the wire, unless `ends` says otherwise."""
    if "eml" in said:
        return (FOLDER / "eml" / f"{said['eml']}.eml").read_bytes()
    if "raw" in said:
        return _on_the_wire(said["raw"], said).encode(said.get("charset", "utf-8"), "surrogateescape")
    head = {**HEAD, "Message-ID": f"<{number}@mail.example.org>", **said.get("head", {})}
    lines = [f"{name}: {value}" for name, values in head.items() for value in _every(values)]
    inner_head, body = _entity(said)
    return "\r\n".join([*lines, *inner_head, "", ""]).encode("utf-8", "surrogateescape") + body


def _every(values: Any) -> Sequence[str]:
    if values is None:
        return ()
    return [str(one).replace("\n", "\r\n") for one in (values if isinstance(values, list) else [values])]


def _on_the_wire(text: str, said: Mapping[str, Any]) -> str:
    text = re.sub(r"<<(.+?) x (\d+)>>", lambda match: match[1] * int(match[2]), text, flags=re.DOTALL)
    return text.replace("\n", {"lf": "\n", "cr": "\r"}.get(said.get("ends", ""), "\r\n"))


def _entity(said: Mapping[str, Any]) -> tuple[list[str], bytes]:
    """(the header lines that tell what it is, its body) of a message or a part."""
    if "parts" in said:
        return _multipart(said)
    charset, transfer = said.get("charset", "utf-8"), said.get("transfer", "8bit")
    kind = said.get("type", "text/plain")
    if kind.startswith("text/") and "charset=" not in kind and said.get("named", True):
        kind = f"{kind}; charset={said.get('named', charset)}"
    data = (
        said["bytes"]
        if "bytes" in said
        else _on_the_wire(said.get("body", ""), said).encode(charset, "surrogateescape")
    )
    head = [f"Content-Type: {kind}"] if kind else []
    more = {"transfer": "Content-Transfer-Encoding", "disposition": "Content-Disposition"}
    head += [f"{header}: {said[key]}" for key, header in more.items() if key in said]
    return head, _transferred(data, transfer)


def _transferred(data: bytes, transfer: str) -> bytes:
    if transfer == "base64":
        return base64.encodebytes(data).replace(b"\n", b"\r\n")
    if transfer == "quoted-printable":
        return quopri.encodestring(data.replace(b"\r\n", b"\n")).replace(b"\n", b"\r\n")
    return data


def _multipart(said: Mapping[str, Any]) -> tuple[list[str], bytes]:
    kind = said.get("type", "multipart/mixed")
    boundary = said.get("boundary") or f"=_{len(repr(said)):06d}_{kind.split('/')[1].split(';')[0]}"
    made = []
    for part in said["parts"]:
        head, body = _entity(part) if isinstance(part, dict) and "raw" not in part else ([], _raw_part(part))
        made.append("\r\n".join([f"--{boundary}", *head, *([""] if head else []), ""]).encode() + body)
    end = f"\r\n--{boundary}--\r\n".encode() if said.get("closed", True) else b""
    return [f'Content-Type: {kind}; boundary="{boundary}"'], b"\r\n".join(made) + end


def _raw_part(part: Mapping[str, Any]) -> bytes:
    return _on_the_wire(part["raw"], part).encode(part.get("charset", "utf-8"), "surrogateescape")


# --- bytes -> what became of them


class Box:
    """A source of mail that holds what a test puts into it."""

    def __init__(self, messages: Sequence[Incoming]):
        self.messages = list(messages)
        self.gone: list[str] = []

    def batches(self, size: int) -> Iterator[list[Incoming]]:
        """What lies there."""
        for start in range(0, len(self.messages), size):
            yield self.messages[start : start + size]

    def done(self, places: Sequence[str], refused: Sequence[str]) -> None:
        """These were handled."""
        self.gone += [*places, *refused]


def campaign(folder: Path) -> Path:
    """A campaign of two players with two turns kept, so that turn 3 is next."""
    for name, data in _played().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


@cache
def _played() -> dict[str, bytes]:
    """The files of that campaign: many modules begin with it, and its turns are played once."""
    with TemporaryDirectory() as made:
        folder = small_realm.campaign(Path(made))
        write(folder, "campaign.yaml", CAMPAIGN)
        for _ in range(TURN):
            assert run_command(["turn", "--yes", made]) == 0
        return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def run_command(words: list[str]) -> int:
    """Run a command of the program; its exit code."""
    from kingdom.cli.main import main

    return main(words)


def send(folder: Path) -> None:
    """Two mails went to the first player: the report of turn 2, and a letter of the other player's. Their Message-IDs are always
    the same, so that files can hold them."""
    write(folder, "mail/key", "the same for all cases, so that files can hold Message-IDs")
    at, letter = "2026-12-11T18:00:00+00:00", "feed" * 16
    to = {"kingdom": SEAT, "turn": 2, "to": "ada@example.org"}
    lines = [
        {"event": "queued", "mail": "report-0002-examplia-12345678", "kind": "report", **to},
        {"event": "handled", "message": letter, "outcome": "accepted", "code": "to", "kingdom": "borderia", "message_id": "",
         "reason": "", "from": "bo@example.org", "subject": "", "turn": 3, "arrived": at, "receipt": ""},
        {"event": "queued", "mail": f"message-{letter[:16]}-examplia", "kind": "message", **to, "turn": 3},
    ]  # fmt: skip
    write(folder, "mail/journal.jsonl", "".join(f"{json.dumps({'at': at, **line})}\n" for line in lines))


def clear(folder: Path) -> None:
    """Take all mail and orders away, so that the next case finds the campaign as it was made."""
    for name in ("mail", "orders"):
        shutil.rmtree(folder / name, ignore_errors=True)
    write(folder, "campaign.yaml", CAMPAIGN)
    send(folder)


def run(case: Case, folder: Path) -> list[Outcome]:
    """What became of each message of a case, in a cleared campaign; of a copy, where commands come first."""
    if "first" in case.said:
        with TemporaryDirectory() as made:
            copy = shutil.copytree(folder, Path(made) / "campaign")
            clear(copy)
            for command in case.said["first"]:
                with chdir(copy), redirect_stdout(StringIO()):
                    assert run_command(shlex.split(command)) == 0
            opened = campaigns.open_campaign(copy)
            return [_take(opened, said, number, str(case)) for number, said in enumerate(messages(case), 1)]
    clear(folder)
    for old, new in case.said.get("campaign", {}).items():
        text = (folder / "campaign.yaml").read_text(encoding="utf-8")
        assert old in text
        write(folder, "campaign.yaml", text.replace(old, new))
    for name, text in case.said.get("files", {}).items():
        write(folder, name, text)
    opened = campaigns.open_campaign(folder)
    with mock.patch.object(parts, "read", lambda data: 1 // 0) if "breaks" in case.said else nullcontext():
        return [_take(opened, said, number, str(case)) for number, said in enumerate(messages(case), 1)]


QUOTED = ("The report of turn 2.", "", "kingdom: examplia", "turn: 3", "claim: 0102", "edicts: {taxation: none}")
LIGHT = {"edicts": {"taxation": "light"}}


def messages(case: Case) -> list[Mapping[str, Any]]:
    """The messages of a case: the case itself, or those that it lists, or those that its `intro`, `block`, `below` or `times` makes."""
    said = case.said
    quotes = {"marked": "".join(f"> {line}\n" for line in QUOTED), "bare": "".join(f"{line}\n" for line in QUOTED)}
    if "intro" in said:  # the line above a quote: with marks, without, and straight below what was typed
        bodies = [f"taxation: light\n\n{said['intro']}\n\n{quote}" for quote in quotes.values()]
        bodies += [
            f"taxation: light\n{said['intro']}\n{quotes['marked']}",
            f"{said['intro']}\n{quotes['marked']}\ntaxation: light\n",
        ]
        return [{"filed": LIGHT, **_rest(said), "body": body} for body in bodies]
    if "block" in said:  # the headers above a quote without marks
        return [{"filed": LIGHT, **_rest(said), "body": f"taxation: light\n\n{said['block']}\n\n{quotes['bare']}"}]
    if "below" in said:  # what a program adds: alone, and between the orders and a quote
        intro = "On Wed, Dec 16, 2026 at 9:58 AM The two fords <orders@example.org> wrote:"
        bodies = [
            f"taxation: light\n\n{said['below']}\n",
            f"taxation: light\n\n{said['below']}\n\n{intro}\n{quotes['marked']}",
        ]
        return [{"filed": LIGHT, **_rest(said), "body": body} for body in bodies]
    if "times" in said:
        like_it = {key: value for key, value in _rest(said).items() if key not in ("refused", "stands")}
        return [{**like_it, "filed": said["stands"]}] * said["times"] + [said]
    return said.get("messages") or [said]


def in_one_form(case: Case, number: int) -> Case:
    """The case with only one of the forms that its `intro` or `below` makes, by turns; any other as it is."""
    if not {"intro", "below"} & set(case.said):
        return case
    forms = messages(case)
    return case._replace(said={**_rest(case.said), "messages": [forms[number % len(forms)]]})


def _rest(said: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in said.items() if key not in ("intro", "block", "below", "times", "shows")}


def _take(opened: Campaign, said: Mapping[str, Any], number: int, name: str) -> Outcome:
    now = said.get("now", NOW)
    now = now if now.tzinfo else now.replace(tzinfo=UTC)
    for file, text in said.get("by_hand", {}).items():
        write(opened.folder, file, text)
    journal = journal_of(opened)
    before = set(journal.mails)
    incoming = Incoming(f"{name}-{number}", message(said, said.get("number", number)))
    taken = taking.take(opened, journal, Box([incoming]), now)
    assert len(taken) == 1
    letters = tuple(entry for mail, entry in journal.mails.items() if mail not in before)
    return Outcome(taken[0], letters, filed(opened, said.get("kingdom", SEAT), said.get("turn", TURN)))


def filed(opened: Campaign, seat: str, turn: int) -> dict[str, Any] | None:
    """What is filed for a seat's turn, without its head; None where nothing is."""
    file = opened.folder / "orders" / f"{turn:04}" / f"{seat}.yaml"
    if not file.exists():
        return None
    names = {**opened.game.names(campaigns.rules_today(opened).rules), "seats": opened.seats}
    read = orders_file.read(file.read_bytes(), file.name, opened.game, names, seat, turn)
    assert read.orders is not None, [str(one) for one in read.problems]
    return {key: value for key, value in read.orders.items() if key not in ("kingdom", "turn")}
