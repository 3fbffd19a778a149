"""What a player proves alone, from mails and with Python: honest histories hold, and what was tampered with is found."""

from __future__ import annotations

import ast
import csv
import email
import io
import json
import re
import resource
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from email.message import Message
from email.utils import format_datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.books import verify
from kingdom.cli.main import main
from kingdom.engine import dice
from tests.kit.histories import FRIDAY, HOUR, WEEK, History

PROGRAM = Path(verify.__file__)
GAMES = ("realm", "kings_pouch", "kings_progress", "royal_progress", "cardinals_guards")


class Kept(NamedTuple):
    """What a player has: a box of mails, and the archive of the end, unpacked."""

    box: Path
    archive: Path

    def proof(self) -> dict[str, Any]:
        """What the program says."""
        archive = str(self.archive) if self.archive.is_dir() else None
        result = verify.run([str(self.box)], archive, as_json=True)
        assert result.errors == []
        found: dict[str, Any] = json.loads("\n".join(result.lines))
        assert result.code == (0 if found["ok"] else 1)
        return found

    def mail(self, start: str) -> Path:
        """The newest mail whose name has that in it."""
        return max(file for file in self.box.iterdir() if start in file.name)


def wrong(found: dict[str, Any]) -> set[tuple[int, str]]:
    """(turn, code) of everything that is wrong."""
    return {
        (one["turn"], one["code"]) for seat in found["seats"] for one in seat["findings"] if one["kind"] == verify.WRONG
    }


def codes(found: dict[str, Any], kind: str) -> set[str]:
    return {one["code"] for seat in found["seats"] for one in seat["findings"] if one["kind"] == kind}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """A campaign of three turns, its archive, and every mail of one seat."""
    place = tmp_path_factory.mktemp("whole")
    history = History(place, "realm", "ends: {turn: 3}\n", seats=2)
    history.begin()
    for _ in range(3):
        history.week()
    with zipfile.ZipFile(history.folder / "archive.zip") as packed:
        packed.extractall(place / "archive")
    (folder,) = (place / "archive").iterdir()
    return Kept(history.box, folder)


@pytest.fixture
def kept(whole: Kept, tmp_path: Path) -> Kept:
    """A copy of it, to tamper with."""
    return Kept(
        Path(shutil.copytree(whole.box, tmp_path / "box")), Path(shutil.copytree(whole.archive, tmp_path / "archive"))
    )


# --- honest histories


@pytest.mark.parametrize("game", GAMES)
def test_an_honest_history_holds(game: str, tmp_path: Path) -> None:
    history = History(tmp_path, game, "" if game == "cardinals_guards" else "ends: {turn: 2}\n")
    history.begin()
    for _ in range(1 if game == "cardinals_guards" else 2):
        history.week()
    found = Kept(history.box, tmp_path / "none").proof()
    assert found["ok"] and not wrong(found)
    assert {"key", "receipt", "chain", "report", "seed"} <= codes(found, verify.PROVED)
    for archive in (history.folder / "archive.zip", history.folder / "chronicle", history.folder):
        result = verify.run([str(history.box)], str(archive))
        assert result.code == 0, result.lines
        assert any("is the history that was mailed" in line for line in result.lines)


def test_it_says_what_it_proved_in_plain_words(whole: Kept) -> None:
    result = verify.run([str(whole.box)], str(whole.archive))
    assert result.code == 0
    (second,) = (line for line in result.lines if line.startswith("Turn 2:"))
    assert re.fullmatch(
        r"Turn 2: its dice were promised on 4 December 2026, 19:00 UTC, 6 days before the deadline, and the key is that one; \d+ rolls thrown "
        r"again come to the same; your orders counted, byte for byte \(receipt [0-9a-f]{12}\); it follows the turn 1 that was mailed; the "
        r"report's page is the one that was kept, and the report in the mail's text is the first part of that page\.",
        second,
    )
    assert "Nothing here is wrong." in result.lines


def history_of(tmp_path: Path, more: str = "") -> History:
    history = History(tmp_path, "realm", more, seats=2)
    history.begin()
    history.week()
    history.week()
    return history


def undone(history: History) -> None:
    history.do("undo")
    history.do("run", at=history.now + HOUR)


def reopened(history: History) -> None:
    history.do("undo", "--reopen")
    history.do("run", at=history.now + HOUR)
    history.mail("holiday: long\n", at=history.now + HOUR)
    history.do("run", at=history.now + HOUR)


def granted(history: History, turn: int) -> None:
    file = history.folder / f"orders/{turn:04}/gm.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    gift = f"{{grant: {history.seat}, account: treasury, by: 2, reason: a gift}}"
    file.write_text(f"kingdom: gm\nturn: {turn}\ngm:\n  - {gift}\n")


def redone(history: History) -> None:
    granted(history, history.turn)
    history.do("redo", "--yes")
    history.do("run", at=history.now + HOUR)


def corrected(history: History) -> None:
    """An earlier turn was wrong: what it comes to today is booked by GM orders."""
    granted(history, 1)
    history.do("correct", "--turn", "1", "--yes")


def reseeded(history: History) -> None:
    history.do("reseed", at=history.now + HOUR)
    history.do("run", at=history.now + HOUR)


def withdrawn(history: History) -> None:
    history.order()
    history.mail("", "withdraw")


def filed_twice(history: History) -> None:
    history.order()
    history.mail("holiday: long\n")


def restored(history: History) -> None:
    """Yesterday's copy of the whole folder comes back, and the same turn is played from it again."""
    copy = Path(shutil.copytree(history.folder, history.folder.with_name("copy"), symlinks=True))
    history.week()
    shutil.rmtree(history.folder)
    copy.rename(history.folder)
    history.now = history.now - HOUR
    history.order()
    history.do("run", at=history.deadline + 2 * HOUR)


def lost(history: History) -> None:
    """A turn whose report went out is gone; the GM orders something, and goes on all the same, which every report says first."""
    history.week()
    shutil.rmtree(history.folder / f"turns/{history.turn:04}")
    granted(history, history.turn + 1)
    history.do("run", at=history.now + HOUR, code=1)
    history.do("run", "--anew", str(history.turn + 1), at=history.now + HOUR)


@pytest.mark.parametrize(
    ("what", "told"),
    [
        (undone, {"corrects"}), (reopened, {"replaced"}), (redone, {"corrects"}), (reseeded, {"replaced"}), (corrected, set()), (withdrawn, set()), (filed_twice, set()),
        (restored, set()), (lost, {"anew"}),
    ],
)  # fmt: skip
def test_what_a_gm_may_do_holds_and_is_told(what: Callable[[History], None], told: set[str], tmp_path: Path) -> None:
    history = history_of(tmp_path)
    what(history)
    history.week()
    found = Kept(history.box, history.folder).proof()
    assert not wrong(found) and found["ok"], wrong(found)
    assert told <= codes(found, verify.TOLD)


def test_a_turn_that_was_opened_again_needs_its_own_promise_and_stays_in_the_archive(tmp_path: Path) -> None:
    history = history_of(tmp_path)
    reopened(history)
    history.week()
    (notice,) = (file for file in history.box.iterdir() if "reopened-0002" in file.name)
    data = notice.read_bytes()
    notice.unlink()
    assert wrong(Kept(history.box, tmp_path / "none").proof()) == {(2, "promise")}, "nobody promised these dice"
    notice.write_bytes(data)
    first = min(file for file in history.box.iterdir() if "report-0002" in file.name)
    kept_report = first.read_bytes()
    in_record(first, lambda record: at(record, "key", value="0" * 64))
    assert (2, "attempt") in wrong(Kept(history.box, tmp_path / "none").proof()), (
        "attempt 1 had other dice than it is told to have had"
    )
    first.write_bytes(kept_report)
    shutil.rmtree(history.folder / "undone")
    assert wrong(Kept(history.box, history.folder).proof()) == {(2, "archive_undone"), (-1, "archive")}


def test_packed_turns_are_the_same_history(tmp_path: Path) -> None:
    history = history_of(tmp_path)
    history.week()
    history.do("pack", "--older-than", "1")
    packed = history.folder / "turns/0001/turn.zip"
    assert packed.is_file() and Kept(history.box, history.folder).proof()["ok"]
    packed.write_bytes(packed.read_bytes()[:-300])
    assert (1, "archive") in wrong(Kept(history.box, history.folder).proof())
    packed.unlink()
    assert (1, "archive_turn") in wrong(Kept(history.box, history.folder).proof())


def test_a_mail_that_was_fetched_late_came_when_the_server_took_it(kept: Kept) -> None:
    file = kept.mail("report-0001")
    late = format_datetime(FRIDAY + WEEK + 2 * HOUR)
    file.write_bytes(
        f"Received: from mx.example.net by localhost with POP3 (fetchmail-6.4.37); {late}\r\n".encode()
        + file.read_bytes()
    )
    assert kept.proof()["ok"]


def test_a_report_that_was_asked_for_again_does_not_show_when_it_first_came(kept: Kept) -> None:
    def asked(mail: Message) -> None:
        late = format_datetime(FRIDAY + 4 * WEEK)
        del mail["Message-ID"], mail["Auto-Submitted"]
        mail["Message-ID"], mail["Auto-Submitted"] = "<answer-abc.def@example.org>", "auto-replied"
        mail.replace_header("Date", late)
        mail.replace_header("Received", f"from there by mx.example.net; {late}")

    edited(kept.mail("report-0001"), asked)
    found = kept.proof()
    assert found["ok"] and {"when", "chain"} <= codes(found, verify.OPEN), wrong(found)


def test_two_campaigns_in_one_box_are_proved_apart(whole: Kept, kept: Kept, tmp_path: Path) -> None:
    for file in kept.box.iterdir():
        data = file.read_bytes().replace(b"[Campaign]", b"[Another]")
        (tmp_path / "box" / f"b{file.name}").write_bytes(data)
    for number in range(4):
        in_record(
            tmp_path / "box" / f"b{whole.mail(f'report-{number:04}').name}",
            lambda record: at(record, "campaign", value="Another"),
        )
    found = verify.run([str(tmp_path / "box")], as_json=True)
    assert [(seat["campaign"], seat["ok"]) for seat in json.loads("\n".join(found.lines))["seats"]] == [
        ("Another", True),
        ("Campaign", True),
    ]


@pytest.mark.parametrize("way", ["resent", "forwarded"])
def test_mails_that_were_forwarded_to_oneself_are_not_called_late(way: str, tmp_path: Path) -> None:
    history = history_of(tmp_path)
    reseeded(history)
    history.week()
    late = format_datetime(FRIDAY + 9 * WEEK)

    def changed(mail: Message) -> None:
        if way == "forwarded":
            del mail["Auto-Submitted"], mail["Message-ID"], mail["Date"]
            mail["Date"] = late
        else:
            mail["Resent-Date"] = late

    for file in history.box.iterdir():
        edited(file, changed)
        file.write_bytes(f"Received: from home by mx.example.net; {late}\n".encode() + file.read_bytes())
    found = Kept(history.box, tmp_path / "none").proof()
    assert found["ok"] and "when" in codes(found, verify.OPEN), wrong(found)


def test_two_seats_of_a_household_are_proved_together(kept: Kept) -> None:
    files = with_the_other_seat(kept)
    assert kept.proof()["ok"] and "together" not in codes(kept.proof(), verify.OPEN)
    files[0].unlink(), files[2].unlink()
    assert not [code for _, code in wrong(kept.proof()) if code == "together"], "either may lack some"


def test_two_campaigns_of_one_name_are_no_two_histories(kept: Kept) -> None:
    for number, file in with_the_other_seat(kept).items():
        record = json.loads(file.read_text())
        record["previous"] = f"{number}" * 64
        if record["next"]:
            record["next"]["gm"] = "9" * 64
        file.write_text(json.dumps(record))
    found = kept.proof()
    assert "together" in codes(found, verify.OPEN) and not [code for _, code in wrong(found) if code == "together"]


def test_every_change_of_the_dice_that_was_mailed_is_told(tmp_path: Path) -> None:
    history = history_of(tmp_path)
    for _ in range(2):
        reseeded(history)
    reopened(history)
    reseeded(history)
    history.week()
    reopened(history)
    history.week()
    assert Kept(history.box, history.folder).proof()["ok"]


def test_a_report_on_its_way_longer_than_the_mail_that_takes_it_back_holds(tmp_path: Path) -> None:
    history = history_of(tmp_path)
    history.do("undo", "--reopen", at=history.now + HOUR)
    first = min(file for file in history.box.iterdir() if "report-0002" in file.name)
    late = format_datetime(history.now + 2 * HOUR)
    first.write_bytes(re.sub(rb"(Received: [^;]*; )[^\r\n]*", rb"\g<1>" + late.encode(), first.read_bytes(), count=1))
    assert Kept(history.box, tmp_path / "none").proof()["ok"]


def test_a_word_that_the_text_breaks_is_none_that_lacks() -> None:
    head = "Ann" + " " * 60 + "turn 2\n" + "=" * 78 + "\nAnn, orders are due soon.\n\n"
    page = '<main id="report"><p class="due">soon</p><h2>Letters</h2><p>see https://example.org/kingdoms/%s &amp; reply</p><!-- everything -->' % ("ab" * 40)  # fmt: skip
    text = f"{head}Letters\n  | see\n    https://example.org/king\n    doms/{'ab' * 20}\n    {'ab' * 20} & reply\n"
    assert verify._first_fits(text, page) and not verify._first_fits(text.replace("reply", ""), page)


def test_each_line_that_is_taken_out_of_the_text_is_missed(kept: Kept) -> None:
    mail = email.message_from_bytes(kept.mail("report-0002").read_bytes())
    plain, page = (next(part for part in mail.walk() if part.get_content_type() == kind and part.get_filename() == name).get_payload(decode=True).decode().replace("\r\n", "\n") for kind, name in (("text/plain", None), ("text/html", next(part.get_filename() for part in mail.walk() if (part.get_filename() or "").endswith("-0002.html")))))  # fmt: skip
    assert verify._first_fits(plain, page)
    head, rule, rest = plain.partition("\n" + "=" * 78 + "\n")
    due, gap, report = rest.partition("\n\n")
    first = report.partition("Advice for turn")[0].partition("ORDER FORM")[0].split("\n")
    lines = [line for line in first if line.strip() and not re.search(r"____|[/\\\\]$", line) and line not in ("What happened", "Letters", "The GM says")]  # fmt: skip
    assert len(lines) > 3
    for line in lines:
        less = f"{head}{rule}{due}{gap}{report.replace(line, '', 1)}"
        assert not verify._first_fits(less, page), line


def test_a_mail_whose_text_is_no_report_does_not_count_as_compared(kept: Kept) -> None:
    def changed(mail: Message) -> None:
        part = next(part for part in mail.walk() if part.get_content_type() == "text/plain")
        put(part, part.get_payload(decode=True).replace(b"=" * 78, b"=" * 77).replace(b"Treasury", b"TREASURY"))

    edited(kept.mail("report-0002"), changed)
    found = kept.proof()
    assert {(one["turn"], one["code"]) for one in found["seats"][0]["findings"] if one["kind"] == verify.OPEN} >= {
        (2, "text")
    }
    told = [one["text"] for one in found["seats"][0]["findings"] if (one["turn"], one["code"]) == (2, "report")]
    assert told == ["the report's page is the one that was kept"]


# --- what is found


def edited(file: Path, change: Callable[[Message], None]) -> None:
    mail = email.message_from_bytes(file.read_bytes())
    change(mail)
    file.write_bytes(mail.as_bytes())


def part_of(mail: Message, name: str) -> Message:
    return next(part for part in mail.walk() if part.get_filename() == name)


def put(part: Message, data: bytes) -> None:
    del part["Content-Transfer-Encoding"]
    part.set_payload(data.decode())
    email.encoders.encode_base64(part)


def in_record(file: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the record in a mail."""

    def changed(mail: Message) -> None:
        part = part_of(mail, "record.json")
        record = json.loads(part.get_payload(decode=True))
        change(record)
        put(part, json.dumps(record).encode())

    edited(file, changed)


def at(record: dict[str, Any], *path: Any, value: Any) -> None:
    for key in path[:-1]:
        record = record[key]
    record[path[-1]] = value


def sealed(folder: Path, number: int) -> None:
    """Give a kept turn and those after it the digests of their files as they are now: a history that is rewritten with all its digests."""
    previous = sha256((folder / f"turns/{number - 1:04}/turn.json").read_bytes()).hexdigest() if number else ""
    while (place := folder / f"turns/{number:04}").is_dir():
        record = json.loads((place / "turn.json").read_text())
        record["files"] = {name: sha256((place / name).read_bytes()).hexdigest() for name in record["files"]}
        record["previous"] = previous
        text = json.dumps({**record, "digest": ""}, indent=1, ensure_ascii=False) + "\n"
        own = sha256(text.replace(' "digest": "",\n', "").encode()).hexdigest()
        (place / "turn.json").write_text(text.replace('"digest": ""', f'"digest": "{own}"', 1))
        previous = sha256((place / "turn.json").read_bytes()).hexdigest()
        number += 1


def other_roll(kept: Kept) -> None:
    in_record(kept.mail("report-0002"), lambda record: at(record, "rolls", 0, 3, value=record["rolls"][0][3] % 20 + 1))


def tape_as_roll(kept: Kept) -> None:
    """A roll that is told as the seed's, and is none."""

    def add_roll(record: dict[str, Any]) -> None:
        other = verify.throw(record["key"], "loyalty", 1, 20) % 20 + 1
        record["rolls"].append(["loyalty", 1, 20, other, "seed"])

    in_record(kept.mail("report-0002"), add_roll)


def roll_left_out(kept: Kept) -> None:
    in_record(kept.mail("report-0002"), lambda record: at(record, "rolls", 0, 1, value=2))


def off_the_die(kept: Kept) -> None:
    in_record(kept.mail("report-0002"), lambda record: at(record, "rolls", 0, value=["economy", 1, 20, 25, "tape"]))


def other_key(kept: Kept) -> None:
    in_record(kept.mail("report-0002"), lambda record: at(record, "key", value="0" * 64))


def other_promise(kept: Kept) -> None:
    """Key, promise and rolls all fit each other, but nobody was promised them: a seed that was changed unseen."""

    def changed(record: dict[str, Any]) -> None:
        record["key"] = "1" * 64
        record["promised"]["seat"] = verify.commitment_of(record["key"])
        for roll in record["rolls"]:
            roll[3] = verify.throw(record["key"], roll[0], roll[1], roll[2])

    in_record(kept.mail("report-0002"), changed)


def other_hidden_dice(kept: Kept) -> None:
    in_record(kept.mail("report-0002"), lambda record: at(record, "promised", "gm", value="2" * 64))


def skipped_attempt(kept: Kept) -> None:
    in_record(kept.mail("report-0002"), lambda record: at(record, "attempt", value=2))


def unpromised_attempt(kept: Kept) -> None:
    def changed(record: dict[str, Any]) -> None:
        other_key = "3" * 64
        replaced = [
            {"seat": record["promised"]["seat"], "gm": record["promised"]["gm"], "attempt": 1, "why": "reopened"}
        ]
        record |= {"attempt": 2, "key": other_key, "rolls": []}
        record["promised"] = {"seat": verify.commitment_of(other_key), "gm": "4" * 64, "replaced": replaced}

    in_record(kept.mail("report-0002"), changed)


def late_promise(kept: Kept) -> None:
    def changed(mail: Message) -> None:
        late = format_datetime(FRIDAY + WEEK + 2 * HOUR)
        mail.replace_header("Date", late)
        mail.replace_header("Received", f"from there by mx.example.net; {late}")

    edited(kept.mail("report-0001"), changed)


def late_promise_as_if_forwarded(kept: Kept) -> None:
    """It says no more that a program sent it, and is still the campaign's mail by its id."""
    late_promise(kept)
    edited(kept.mail("report-0001"), lambda mail: mail.__delitem__("Auto-Submitted"))


def late_promise_for_a_later_deadline(kept: Kept) -> None:
    late_promise(kept)
    in_record(kept.mail("report-0002"), lambda record: at(record, "due", value="2027-12-11T18:00:00+00:00"))


def roll_dropped(kept: Kept) -> None:
    """The newest roll of a turn is not told."""
    in_record(kept.mail("report-0002"), lambda record: record["rolls"].pop())


def other_orders(kept: Kept) -> None:
    def changed(record: dict[str, Any]) -> None:
        data = f"kingdom: {record['seat']}\nturn: 2\nclaim: ['0101']\n".encode()
        digest = sha256(data).hexdigest()
        record["filing"] = {
            **record["filing"],
            "digest": digest,
            "receipt": digest[:12],
            "base64": [verify.base64.b64encode(data).decode()],
        }

    in_record(kept.mail("report-0002"), changed)


def orders_dropped(kept: Kept) -> None:
    in_record(kept.mail("report-0002"), lambda record: at(record, "filing", value=None))


def other_bytes(kept: Kept) -> None:
    in_record(kept.mail("report-0002"), lambda record: at(record, "filing", "base64", value=["aGVsbG8="]))


def other_text(kept: Kept) -> None:
    """A number in the text of the mail."""

    def changed(mail: Message) -> None:
        part = next(part for part in mail.walk() if part.get_content_type() == "text/plain")
        text = part.get_payload(decode=True).decode()
        assert "; BP " in text
        put(part, text.replace("; BP ", "; BP 9", 1).encode())

    edited(kept.mail("report-0002"), changed)


def other_sign(kept: Kept) -> None:
    """A gain in the text of the mail that was a loss, or the other way round."""

    def changed(mail: Message) -> None:
        part = next(part for part in mail.walk() if part.get_content_type() == "text/plain")
        text = part.get_payload(decode=True).decode()
        found = re.search(r"[ (]([+-])\d", text)
        assert found
        put(part, f"{text[: found.start(1)]}{'-' if found[1] == '+' else '+'}{text[found.end(1) :]}".encode())

    edited(kept.mail("report-0002"), changed)


def line_taken_out(kept: Kept) -> None:
    """The line with the four numbers is gone from the text of the mail, and the page has it still."""

    def changed(mail: Message) -> None:
        part = next(part for part in mail.walk() if part.get_content_type() == "text/plain")
        text = part.get_payload(decode=True).decode()
        (line,) = re.findall(r"(?m)^Size .*\n", text)
        put(part, text.replace(line, "").encode())

    edited(kept.mail("report-0002"), changed)


def other_page(kept: Kept) -> None:
    def changed(mail: Message) -> None:
        part = next(part for part in mail.walk() if (part.get_filename() or "").endswith("-0002.html"))
        put(part, part.get_payload(decode=True).replace(b"Treasury", b"Treasure", 1))

    edited(kept.mail("report-0002"), changed)


def other_history(kept: Kept) -> None:
    """Turn 2 follows another turn 1 than the one whose report went out."""
    in_record(kept.mail("report-0002"), lambda record: at(record, "previous", value="5" * 64))


def report_twice(kept: Kept) -> None:
    """Two reports of turn 2, and neither says so."""
    file = kept.mail("report-0002")
    shutil.copy(file, file.with_name("900-other.eml"))
    in_record(file, lambda record: at(record, "text", value=record["page"]))


def report_missing(kept: Kept) -> None:
    kept.mail("report-0001").unlink()


def promised_twice(kept: Kept) -> None:
    """Two mails with other dice, of which the record knows none: the GM could choose."""
    record = json.loads(
        part_of(email.message_from_bytes(kept.mail("report-0002").read_bytes()), "record.json").get_payload(decode=True)
    )
    when = format_datetime(FRIDAY + WEEK - HOUR)
    (kept.box / "910-seed.eml").write_text(
        f"Received: from there by mx.example.net; {when}\nFrom: gwen@example.org\nDate: {when}\n"
        f"Subject: [Campaign] Other dice from turn 2 on\n\nThese do:\n\n{record['seat']}: {'6' * 64}\ngm: {'7' * 64}\n"
    )


def with_the_other_seat(kept: Kept) -> dict[int, Path]:
    """The records of the other seat lie there as well. Returns turn -> file."""
    found = {}
    for file in (kept.archive / "turns").glob("*/reports/*.json"):
        if file.stem not in kept.mail("report-0002").name:
            number = int(file.parts[-3])
            found[number] = Path(shutil.copy(file, kept.box / f"other-{number}.json"))
    assert sorted(found) == [0, 1, 2, 3]
    return found


def two_histories(kept: Kept) -> None:
    """Each seat's reports fit each other, but not those of the other seat."""
    file = with_the_other_seat(kept)[3]
    file.write_text(re.sub('"previous": "[0-9a-f]{64}"', f'"previous": "{"8" * 64}"', file.read_text()))


def two_promises(kept: Kept) -> None:
    """The GM's hidden dice were promised to two seats otherwise."""
    file = with_the_other_seat(kept)[3 - 1]
    record = json.loads(file.read_text())
    at(record, "next", "gm", value="9" * 64)
    file.write_text(json.dumps(record))


def other_seed(kept: Kept) -> None:
    in_record(kept.mail("report-0003"), lambda record: at(record, "seeds", 0, 1, value="another"))


def archive_orders(kept: Kept) -> None:
    file = next((kept.archive / "turns/0002/orders").iterdir())
    file.write_text(file.read_text() + "# more\n")
    sealed(kept.archive, 2)


def archive_file(kept: Kept) -> None:
    file = kept.archive / "turns/0001/state.json"
    file.write_text(file.read_text().replace("1", "2", 1))


def archive_rewritten(kept: Kept) -> None:
    """Somebody else's report, with every digest made to fit."""
    file = next(file for file in (kept.archive / "turns/0001/reports").glob("*.txt"))
    file.write_text(file.read_text() + "More.\n")
    sealed(kept.archive, 1)


def archive_dice(kept: Kept) -> None:
    """Another seat's roll, with every digest made to fit."""
    file = kept.archive / "turns/0002/dice.csv"
    rows = list(csv.reader(io.StringIO(file.read_text())))
    rows[-1][5] = str(int(rows[-1][5]) % int(rows[-1][4]) + 1)
    file.write_text("".join(",".join(row) + "\n" for row in rows))
    sealed(kept.archive, 2)


def archive_cut(kept: Kept) -> None:
    shutil.rmtree(kept.archive / "turns/0003")


def archive_stranger(kept: Kept) -> None:
    (kept.archive / "turns/0001/reports/more.txt").write_text("hello")


def archive_report(kept: Kept) -> None:
    """The newest turn, on which no later digest rests."""
    (file,) = (
        file
        for file in (kept.archive / "turns/0003/reports").glob("*.json")
        if file.stem in kept.mail("report-0003").name
    )
    file.write_text(file.read_text().replace('"attempt": 1', '"attempt": 2', 1))
    sealed(kept.archive, 3)


def archive_last_turn(kept: Kept) -> None:
    """What no record of the seat's own names, in the newest turn, with every digest made to fit."""
    file = kept.archive / "turns/0003/ledger.csv"
    file.write_text(file.read_text() + "more\n")
    sealed(kept.archive, 3)


def archive_chronicle(kept: Kept) -> None:
    """The page that the archive shows, beside a turn that is whole."""
    seat = json.loads(
        part_of(email.message_from_bytes(kept.mail("report-0002").read_bytes()), "record.json").get_payload(decode=True)
    )["seat"]
    file = kept.archive / f"chronicle/{seat}/0002/report.html"
    file.write_text(file.read_text() + "<p>More.\n")


TAMPERS: list[tuple[Callable[[Kept], None], tuple[int, str]]] = [
    (other_roll, (2, "roll")), (tape_as_roll, (2, "roll")), (roll_left_out, (2, "count")), (off_the_die, (2, "roll")), (other_key, (2, "key")),
    (other_promise, (2, "promise")), (other_hidden_dice, (2, "gm_promise")), (skipped_attempt, (2, "attempt")), (unpromised_attempt, (2, "promise")),
    (late_promise, (2, "promise_late")), (late_promise_as_if_forwarded, (2, "promise_late")), (late_promise_for_a_later_deadline, (2, "promise_late")), (roll_dropped, (2, "report")), (other_orders, (2, "receipt")), (orders_dropped, (2, "receipt")), (other_bytes, (2, "filing")),
    (other_text, (2, "report")), (other_sign, (2, "report")), (line_taken_out, (2, "report")), (other_page, (2, "report")), (other_history, (2, "chain")), (report_twice, (2, "twice")), (report_missing, (1, "gap")),
    (promised_twice, (2, "replaced")), (two_histories, (3, "together")), (two_promises, (2, "together")),
    (other_seed, (2, "seed")), (archive_orders, (2, "archive_mailed")), (archive_file, (1, "archive_file")), (archive_rewritten, (1, "archive_mailed")),
    (archive_dice, (2, "archive_dice")), (archive_cut, (3, "archive_gone")), (archive_stranger, (1, "archive_file")), (archive_report, (3, "archive_mailed")),
    (archive_last_turn, (3, "archive_mailed")), (archive_chronicle, (2, "archive_mailed")),
]  # fmt: skip


@pytest.mark.parametrize(("tamper", "found"), TAMPERS, ids=lambda value: getattr(value, "__name__", ""))
def test_what_was_tampered_with_is_found(tamper: Callable[[Kept], None], found: tuple[int, str], kept: Kept) -> None:
    tamper(kept)
    assert found in wrong(kept.proof())


# --- the program by itself


@given(
    st.text("0123456789abcdef", min_size=64, max_size=64),
    st.from_regex(r"[a-z_]{1,9}(-[0-9]{4})?", fullmatch=True),
    st.integers(1, 99),
    st.integers(1, 1000),
)
def test_its_dice_are_those_of_the_program(key: str, name: str, count: int, sides: int) -> None:
    assert verify.throw(key, name, count, sides) == dice.throw(key, name, count, sides)
    assert verify.commitment_of(key) == dice.commitment_of(key)
    assert verify.key_of(key, count, name, sides) == dice.key_of(key, count, name, sides)


def alone(*words: str) -> subprocess.CompletedProcess[str]:
    """The file alone, by a Python that finds none of our libraries."""
    return subprocess.run([sys.executable, "-I", "-S", *words], capture_output=True, text=True, check=False)


def test_the_file_alone_needs_nothing_but_python(whole: Kept, tmp_path: Path) -> None:
    program = Path(shutil.copy(PROGRAM, tmp_path / "verify.txt"))
    said = alone(str(program), str(whole.box), "--archive", str(whole.archive))
    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout.splitlines() == verify.run([str(whole.box)], str(whole.archive)).lines
    assert alone(str(program)).returncode == 2 and "python3 verify.py FILE..." in alone(str(program), "--help").stdout


def test_it_is_written_for_any_python_from_3_9_on() -> None:
    source = PROGRAM.read_text(encoding="ascii")
    tree = ast.parse(source, feature_version=(3, 9))
    imported = {
        name.partition(".")[0]
        for node in ast.walk(tree)
        for name in (
            [one.name for one in node.names]
            if isinstance(node, ast.Import)
            else [str(node.module)]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported <= sys.stdlib_module_names
    newer = r"\bmatch \w+:|import .*\bUTC\b|strict=|\bStrEnum\b|\bpairwise\b|\bExceptionGroup\b|\bTypeAlias\b|\bSelf\b|\bslots=|\bbit_count\b"
    assert not re.search(newer, source)
    assert "from __future__ import annotations" in source, "so `str | None` is a note and is never worked out"


def test_the_foot_of_a_report_is_a_line_that_works_when_typed(
    whole: Kept, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    mail = email.message_from_bytes(whole.mail("report-0002").read_bytes())
    (page,) = (part for part in mail.walk() if (part.get_filename() or "").endswith("-0002.html"))
    found = re.search(r"<code>(kingdom dice [^<]*)</code>", page.get_payload(decode=True).decode())
    assert found
    line = found[1]
    assert main(line.split()[1:]) == 0
    printed = capsys.readouterr().out
    assert printed.endswith("The key is the one that was promised.\n")
    assert alone(str(PROGRAM), *line.split()[1:]).stdout == printed
    rolls = json.loads(part_of(mail, "record.json").get_payload(decode=True))["rolls"]
    assert printed.splitlines()[:-1] == [
        f"{name}:{count}:{sides} = {result}" for name, count, sides, result, _ in rolls
    ]


def test_the_command_says_the_same(whole: Kept, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(whole.box), "--archive", str(whole.archive)]) == 0
    assert capsys.readouterr().out.splitlines() == verify.run([str(whole.box)], str(whole.archive)).lines
    assert main(["verify", str(whole.box), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ok"] is True


# --- what it reads


def test_it_reads_an_mbox_a_maildir_a_mail_in_a_mail_and_bare_records(whole: Kept, tmp_path: Path) -> None:
    mails = [file.read_bytes().replace(b"\r\n", b"\n") for file in sorted(whole.box.iterdir())]
    mbox = tmp_path / "box.mbox"
    mbox.write_bytes(
        b"".join(
            b"From a@b Fri Dec  4 18:00:00 2026\n" + re.sub(rb"(?m)^(>*From )", rb">\1", mail) + b"\n" for mail in mails
        )
    )
    maildir = tmp_path / "Maildir"
    for folder in ("cur", "new", "tmp"):
        (maildir / folder).mkdir(parents=True)
    for number, mail in enumerate(mails):
        (maildir / ("cur" if number % 2 else "new") / f"{number}:2,S").write_bytes(mail)
    outer = email.message.EmailMessage()
    outer["Subject"] = "Fwd"
    for mail in mails:
        outer.add_attachment(email.message_from_bytes(mail, policy=email.policy.default))
    (tmp_path / "outer.eml").write_bytes(outer.as_bytes())
    for place in (mbox, maildir, tmp_path / "outer.eml"):
        result = verify.run([str(place)], str(whole.archive))
        assert result.code == 0 and result.errors == [], (place, result)
        assert result.lines == verify.run([str(whole.box)], str(whole.archive)).lines


def test_of_records_alone_it_says_what_they_can_not_show(whole: Kept, tmp_path: Path) -> None:
    for number in range(4):
        mail = email.message_from_bytes(whole.mail(f"report-{number:04}").read_bytes())
        (tmp_path / f"{number}.json").write_bytes(part_of(mail, "record.json").get_payload(decode=True))
    found = Kept(tmp_path, whole.archive).proof()
    assert found["ok"] and {"when", "chain", "receipt"} <= codes(found, verify.OPEN)
    assert "chain" not in codes(found, verify.PROVED), "no mail tells the digest of a turn; the archive does"


def test_a_part_of_the_mails_is_no_fault_but_a_hole_is(kept: Kept) -> None:
    for start in ("report-0000", "report-0001"):
        kept.mail(start).unlink()
    result = verify.run([str(kept.box)])
    assert result.code == 0
    assert (
        "  Not known: It is the first report here. What promised its dice, and what was before, these files don't show."
        in result.lines
    )


HOSTILE = {
    "deep": b"{" + b'"record": ' + b"[" * 100_000,
    "no text": b'{"record": 1, "campaign": 7}',
    "a large number": b'{"record": 1, "turn": ' + b"9" * 100_000 + b"}",
    "newer": b'{"record": 2}',
    "no json": b'{"record": 1',
    "bytes": b'{"\xff"}',
    "null": b'{"record": null}',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_broken_record_is_named_and_stops_nothing(name: str, whole: Kept, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_bytes(HOSTILE[name])
    result = verify.run([str(whole.box), str(tmp_path / "bad.json")])
    assert result.code == 0 and len(result.errors) == 1 and "bad.json" in result.errors[0]


@pytest.mark.parametrize("change", [
    {"rolls": [["economy", 1, 0, 1, "seed"]]}, {"rolls": [["economy", 1, 1 << 64, 1, "seed"]]}, {"rolls": [["a\u001b[2J", 1, 20, 1, "seed"]]},
    {"rolls": [[1, 1, 20, 1, "seed"]]}, {"turn": -1}, {"turn": True}, {"attempt": 0}, {"next": []}, {"filing": {}}, {"key": None}, {"promised": {"seat": ""}},
])  # fmt: skip
def test_a_record_that_is_none_is_not_believed(change: dict[str, Any], whole: Kept, tmp_path: Path) -> None:
    mail = email.message_from_bytes(whole.mail("report-0002").read_bytes())
    record = json.loads(part_of(mail, "record.json").get_payload(decode=True))
    (tmp_path / "bad.json").write_text(json.dumps({**record, **change}))
    result = verify.run([str(tmp_path / "bad.json")])
    assert result.code == 1 and result.lines == [] and "it is no whole record" in result.errors[0]


def test_a_turn_of_the_far_future_takes_no_time(kept: Kept) -> None:
    in_record(kept.mail("report-0003"), lambda record: at(record, "turn", value=900_000_000))
    assert (3, "gap") in wrong(kept.proof())


def test_nests_of_mails_are_read_or_named(whole: Kept, tmp_path: Path) -> None:
    head = b"Content-Type: multipart/mixed; boundary=a\n\n"
    (tmp_path / "parts.eml").write_bytes(head + (b"--a\n" + head) * 20_000)
    (tmp_path / "mails.eml").write_bytes(b"Content-Type: message/rfc822\n\n" * 20_000)
    assert verify.run([str(whole.box), str(tmp_path)]).code == 0


def test_nothing_of_a_mail_reaches_the_terminal_as_it_is_or_the_disk(kept: Kept, tmp_path: Path) -> None:
    before = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*"))
    for name in ("report-0001", "report-0002", "report-0003", "report-0000"):
        in_record(kept.mail(name), lambda record: at(record, "campaign", value="\u001b[2J\u202eevil"))

    def renamed(mail: Message) -> None:
        part_of(mail, "deadline.ics").set_param("filename", "../../escaped", "Content-Disposition")

    edited(kept.mail("report-0001"), renamed)
    result = verify.run([str(kept.box)])
    assert not [line for line in (*result.lines, *result.errors) if not line.isprintable()]
    assert sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")) == before


def test_a_zip_that_is_none_or_no_campaign_is_refused_in_a_sentence(whole: Kept, tmp_path: Path) -> None:
    (tmp_path / "bad.zip").write_bytes(b"PK\x03\x04 nothing")
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as packed:
        packed.writestr("hello.txt", "hello")
    assert verify.run([str(whole.box)], str(tmp_path / "bad.zip")).errors == [
        f"{tmp_path}/bad.zip: it is no zip file that can be read."
    ]
    assert verify.run([str(whole.box)], str(tmp_path / "other.zip")).errors == [
        f"{tmp_path}/other.zip: neither the turns of a campaign nor a chronicle are in it."
    ]


def test_without_a_record_there_is_nothing_to_prove(tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_text("Subject: hello\n\nhello\n")
    result = verify.run([str(tmp_path / "a.eml")])
    assert result.code == 1 and "there is nothing to prove" in result.errors[0]
    assert verify.run([str(tmp_path / "missing.eml")]).errors == [f"{tmp_path}/missing.eml: No such file or directory"]


@pytest.mark.long
def test_a_year_of_mails_holds_and_takes_no_more_than_sixty_times_what_python_takes_to_start(tmp_path: Path) -> None:
    history = History(tmp_path, "realm", "ends: {turn: 52}\n", seats=6)
    history.begin()
    for week in range(52):
        history.week()
        if week in (9, 19, 29):
            {9: reseeded, 19: undone, 29: reopened}[week](history)
    found = Kept(history.box, history.folder).proof()
    assert found["ok"], wrong(found)

    def cpu(*words: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *words], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    least = [min(cpu(*words) for _ in range(3)) for words in ((str(PROGRAM), str(history.box)), ("-c", "pass"))]
    assert least[0] <= 60 * least[1]
