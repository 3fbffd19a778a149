"""Prove from the mails of a campaign, and with nothing but Python, what a player can prove of its dice, orders and history.

    python3 verify.py FILE... [--archive ZIP|FOLDER] [--json]
    python3 verify.py dice KEY NAME:COUNT:SIDES... [--commitment C]

FILE: mails that you kept (.eml, an mbox, a Maildir, a folder) or records (record.json). With --archive it also says whether the
campaign's archive, its folder or its chronicle is the history that was mailed. Nothing is written, and no other computer is asked.
Exit code 0: nothing is wrong in these files; 1: something is, or they have nothing to prove.

Long: it goes out alone, so it is one file; it needs Python 3.9 and its standard library.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import html
import json
import os
import re
import stat
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta, timezone
from functools import partialmethod
from typing import Any, NamedTuple

MOST_BYTES = 1 << 30  # of a file with mails
MOST_OF_MAIL = 64 << 20
MOST_MAILS = 50_000
MOST_PARTS = 400
MOST_OF_TEXT = 1 << 20  # of a mail: no report of ours is a tenth of it
MOST_OF_RECORD = 4 << 20
MOST_ROLLS = 20_000
MOST_NAMED = 20  # files that can't be read
MOST_SIDES = 1_000_000
MOST_OF_ENTRY = 256 << 20  # of a file in an archive
MOST_ENTRIES = 1_000_000
FORMAT = 1
FILE = "verify.py"  # what it is called
_RULE = "\n" + "=" * 78 + "\n"  # below the heading of a report as text
_DUE = re.compile(r'<p class="due">.*?</p>\n?', re.DOTALL)
_LINKS = re.compile(r"(<!-- links -->).*?<!-- end of links -->", re.DOTALL)
_ADVICE = "\n\nAdvice for turn "
_SECTION = "\n\n\n"
_CUT = re.compile(r"What\s+stands\s+here\s+is\s+cut\s+short:")
# below the first part of a report, which a mail shows alone
_FIRST = re.compile(r"The\s+whole\s+report\s+is\s+attached\s+as\s+a\s+page\.")
_ADDED = re.compile(
    r"^(?:Advice for turn |Three things you can do |ORDER FORM FOR TURN |What stands here |To order, |The whole report |--- )",
    re.MULTILINE,
)
# of the first part of a page: what its text says in other words, or not at all
_IN_PAGE_ALONE = re.compile(
    r"<!-- links -->.*?<!-- end of links -->|<(svg|figure|h2)\b.*?</\1>|<(p) class=\"due.*?</\2>|<li>Nothing that moved an account\.</li>|Lasting (?=harm:|gain:)",
    re.DOTALL,
)
_LONG_WORD = re.compile(r"\S{30,}")  # may be broken over two lines of a text
_DRAWN = re.compile(r"____|[/\\\\]\s*$|^\s*[/\\\\]")  # a line of a map
_TOKEN = re.compile(r"(?:(?<!\w)[+-])?\d+|[^\W\d_]+")
_LEAST_CUT = 8_000  # bytes of a text that is cut short
_MOST_HEAD = 8  # lines that may stand above a report's heading
_MOST_FOOT = 40  # lines that a mailing list or a scanner may have put below a text
_DIGITS = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
_REPORT_ID = re.compile(r"<(?:report-[0-9]{4,9}|welcome)-.*-([0-9a-f]{8})\.[^.@>]*@")
_OWN_ID = re.compile(r"<(?:report|welcome|seed|reopened)-")  # of a mail that a campaign sent
_FILED = re.compile(r"filed-([0-9]{4,9})-([0-9a-f]{12})\.yaml\Z")
_WITHDRAWN = re.compile(r"Withdrawn: the orders for turn ([0-9]{1,9}) with the receipt ([0-9a-f]{12})")
_OF_TURN = re.compile(r"\] (?:Other dice from turn|Turn) ([0-9]{1,9})\b")  # a mail that promises dice
_FETCHERS = re.compile(r"\b(?:fetchmail|getmail|mpop|localhost|127\.0\.0\.1|with LMTP)\b|\[::1\]", re.IGNORECASE)
_SAFE_NAME = re.compile(r"[a-z0-9_.+-]{1,200}\Z")
_OWN = re.compile(rb'^ "digest": "[^"\n]*",\n', re.MULTILINE)
_ROLL = re.compile(r"([a-z0-9_.+-]+):([1-9][0-9]{0,3}):([1-9][0-9]{0,3})\Z")

PROVED, TOLD, OPEN, WRONG = "proved", "told", "open", "wrong"
_WHY = {
    "reseed": "the GM changed the seed",
    "ended": "the GM took back the end, which had told the seed, and changed it",
    "reopened": "the GM opened the turn again",
}
Record = dict[str, Any]


# --- the dice, as section 7 of the contract has them


def sha(data: bytes) -> str:
    """Return the SHA-256 in hex."""
    return hashlib.sha256(data).hexdigest()


def commitment_of(key: str) -> str:
    """Return the commitment to a key."""
    return sha(key.encode())


def key_of(seed: str, turn: int, kingdom: str, attempt: int) -> str:
    """Return the key of a seat's dice, or the GM's, in a turn."""
    when = str(turn) if attempt == 1 else f"{turn}.{attempt}"
    return hmac.new(seed.encode(), f"{when}:{kingdom}".encode(), hashlib.sha256).hexdigest()


def throw(key: str, name: str, count: int, sides: int) -> int:
    """Return the result of a roll, 1 to `sides`."""
    limit = (1 << 64) - (1 << 64) % sides
    tries = 0
    while True:
        digest = hmac.new(key.encode(), f"{name}:{count}:{tries}".encode(), hashlib.sha256).digest()
        x = int.from_bytes(digest[:8], "big")
        if x < limit:
            return 1 + x % sides
        tries += 1


# --- what is read


class Mail(NamedTuple):
    """A mail. came: when the reader's server took it; sent: its Date. files: (name, bytes) of what is attached. is_answer: its reader asked
    for it, or forwarded it, so what is in it may have come before."""

    where: str
    subject: str
    id: str
    sent: datetime | None
    came: datetime | None
    text: str
    files: list[tuple[str, bytes]]
    is_answer: bool = False

    @property
    def time(self) -> datetime | None:
        """When it was there, the later of both: who sends a mail writes its Date."""
        times = [time for time in (self.came, self.sent) if time]
        return max(times) if times else None

    def is_of(self, campaign: str) -> bool:
        """Whether its subject begins with the campaign's name, as those of all its mails do."""
        name = " ".join(campaign.replace("[", "(").replace("]", ")").split())[:40].strip()
        return f"[{name}]" in " ".join(self.subject.split())


class Version(NamedTuple):
    """A record with all mails that brought it: a turn that was resolved again has several."""

    record: Record
    data: bytes
    wheres: list[str]
    mails: list[Mail]

    @property
    def turn(self) -> int:
        """The turn that it is of."""
        return int(self.record["turn"])

    @property
    def time(self) -> datetime | None:
        """When it first came, None where that is not known: who asks for a report once more gets a mail of today."""
        times = [mail.time for mail in self.mails if mail.time and not mail.is_answer]
        return min(times) if times else None

    @property
    def starts(self) -> set[str]:
        """How the digest of its turn begins, as the ids of its mails say."""
        return {found[1] for mail in self.mails for found in [_REPORT_ID.match(mail.id)] if found}


class Evidence:
    """All that the files hold. unread: what could not be read, and why."""

    def __init__(self) -> None:
        self.mails: list[Mail] = []
        self.versions: dict[bytes, Version] = {}
        self.unread: list[str] = []

    def add_record(self, data: bytes, where: str, mail: Mail | None = None) -> None:
        """Take a record; the same bytes again are the same record."""
        data = data.replace(b"\r\n", b"\n")
        if data not in self.versions:
            record = _record(data)
            if isinstance(record, str):
                self.unread.append(f"{where}: {record}")
                return
            self.versions[data] = Version(record, data, [], [])
        version = self.versions[data]
        version.wheres.append(where)
        if mail is not None:
            version.mails.append(mail)


def read(paths: Iterable[str]) -> Evidence:
    """Read files and folders of mails and records. Raises OSError."""
    evidence = Evidence()
    for path in paths:
        for where, data in _files(path):
            for number, mail in enumerate(_split(data), 1):
                inner = f"{where}, mail {number}" if mail is not data else where
                if mail.lstrip()[:1] == b"{":
                    evidence.add_record(mail, inner)
                elif len(evidence.mails) >= MOST_MAILS:
                    evidence.unread.append(f"{inner}: more than {MOST_MAILS} mails are too many")
                    return evidence
                else:
                    _read_mail(evidence, mail, inner)
    return evidence


def _files(path: str) -> Iterator[tuple[str, bytes]]:
    """(name, bytes) of a file, or of all in a folder; a link inside a folder is not followed."""
    if not os.path.isdir(path):
        yield path, _bytes(path)
        return
    for place, folders, names in os.walk(path):
        folders.sort()
        for name in sorted(names):
            file = os.path.join(place, name)
            is_mail = os.path.basename(place) in ("cur", "new") or name.endswith((".eml", ".emlx", ".mbox", ".json"))
            if is_mail and stat.S_ISREG(os.lstat(file).st_mode):
                yield file, _bytes(file)


def _bytes(path: str) -> bytes:
    with open(path, "rb") as stream:
        data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise OSError(f"{path} is larger than {MOST_BYTES >> 20} MB")
    return data


def _split(data: bytes) -> Iterator[bytes]:
    """The mails of an mbox; of any other file its bytes."""
    if not data.startswith(b"From "):
        head = re.match(rb"[0-9]{1,12}[ ]*\n", data)  # Apple's .emlx
        yield data[head.end() :] if head else data
        return
    starts = [found.end() for found in re.finditer(rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From [^\n]*\n", data)]
    for start, end in zip(starts, [*starts[1:], len(data)]):
        mail = data[start:end]
        yield re.sub(rb"^>(>*From )", rb"\1", mail, flags=re.MULTILINE)


def _read_mail(evidence: Evidence, data: bytes, where: str) -> None:
    from email import message_from_bytes

    if len(data) > MOST_OF_MAIL:
        evidence.unread.append(f"{where}: it is larger than {MOST_OF_MAIL >> 20} MB")
        return
    try:
        for message in _messages(message_from_bytes(data)):
            mail = _mail(message, where)
            evidence.mails.append(mail)
            for name, content in mail.files:
                if name == "record.json":
                    evidence.add_record(content, where, mail)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        evidence.unread.append(f"{where}: it is no mail that can be read ({type(error).__name__})")


def _messages(message: Any) -> Iterator[Any]:
    """A message, and those that are attached to it whole."""
    yield message
    for part in _parts(message):
        if part.get_content_type() == "message/rfc822" and part.is_multipart():
            yield from _messages(part.get_payload()[0])


def _parts(message: Any) -> list[Any]:
    """The parts of a message without those of a message attached to it."""
    found: list[Any] = []
    rest = [message]
    while rest and len(found) < MOST_PARTS:
        part = rest.pop()
        found.append(part)
        if part.is_multipart() and part.get_content_type() != "message/rfc822":
            rest += reversed(part.get_payload())
    return found


def _mail(message: Any, where: str) -> Mail:
    text, files = "", []
    for part in _parts(message):
        if part.is_multipart():
            continue
        name = _header(part.get_filename() or "")
        if name:
            files.append((name, part.get_payload(decode=True) or b""))
        elif part.get_content_type() == "text/plain" and not text:
            text = _text_in(part.get_payload(decode=True) or b"")
    received = [str(line) for line in message.get_all("Received", [])]
    while len(received) > 1 and _FETCHERS.search(received[0].rpartition(";")[0]):
        received = received[1:]  # the reader's own program wrote it when it fetched the mail
    came = _date(received[0].rpartition(";")[2]) if received else None
    subject, id, sent = _header(message["Subject"]), _header(message["Message-ID"]), _date(message["Date"])
    # what a person forwarded or sent on has the dates of that, and what a campaign sends says that a program did
    made = str(message["Auto-Submitted"] or "").strip().lower()
    is_forwarded = not (made or _OWN_ID.match(id)) or message["Resent-Date"] is not None
    is_answer = made == "auto-replied" or is_forwarded
    return Mail(where, subject, id, sent, came, text, files, is_answer)


def _header(value: Any) -> str:
    from email.header import decode_header, make_header

    try:
        return str(make_header(decode_header(str(value or ""))))
    except (ValueError, LookupError, TypeError):
        return str(value)


def _date(value: Any) -> datetime | None:
    from email.utils import parsedate_to_datetime

    try:
        date = parsedate_to_datetime(" ".join(str(value).split()))
        return (date if date.tzinfo else date.replace(tzinfo=timezone.utc)).astimezone(timezone.utc)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


# --- a record

_BOTH = {"seat": str, "gm": str}
_REPLACED = [{"seat": str, "gm": str, "why": str}]
_SHAPE: Any = {
    "campaign": str, "seat": str, "turn": int, "attempt": int, "corrects": str, "anew": [str], "due": (str, None), "key": str,
    "promised": ({**_BOTH, "replaced": _REPLACED}, None),
    "next": ({**_BOTH, "turn": int, "attempt": int, "due": (str, None)}, None),
    "previous": str, "text": str, "dateless_text": str, "page": str, "dateless_page": str,
    "filing": ({"digest": str, "receipt": str, "how": str, "came": (str, None), "base64": [str]}, None),
    "rolls": [list],
}  # fmt: skip


def _fits(value: Any, shape: Any) -> bool:
    if isinstance(shape, tuple):
        return any(_fits(value, one) for one in shape)
    if isinstance(shape, list):
        return isinstance(value, list) and all(_fits(one, shape[0]) for one in value)
    if isinstance(shape, dict):
        return isinstance(value, dict) and all(key in value and _fits(value[key], one) for key, one in shape.items())
    return value is None if shape is None else type(value) is shape


def _small(digits: str) -> int:
    if len(digits) > 20:
        raise ValueError("a number is too large")
    return int(digits)


def _record(data: bytes) -> Any:
    """The record in these bytes, or why they hold none."""
    if len(data) > MOST_OF_RECORD:
        return f"a record of more than {MOST_OF_RECORD >> 20} MB is none of ours"
    try:
        record = json.loads(data.decode("utf-8"), parse_int=_small)
    except (ValueError, RecursionError):
        return "it is no record: no JSON that can be read"
    if not isinstance(record, dict) or type(record.get("record")) is not int:
        return "it is no record"
    if record["record"] > FORMAT:
        return "a newer program made this record: reply `verify` to a mail of the campaign to get the program that reads it"
    rolls: list[Any] = record["rolls"] if isinstance(record.get("rolls"), list) else []
    is_whole = _fits(record, _SHAPE) and all(_is_roll(roll) for roll in rolls) and len(rolls) <= MOST_ROLLS
    if not is_whole or not 0 <= record["turn"] < 10**9 or not 1 <= record["attempt"] < 10**6:
        return "it is no whole record: something is missing in it, or is not of its kind"
    return record


def _is_roll(roll: Any) -> bool:
    return (
        [type(value) for value in roll] == [str, int, int, int, str]
        and bool(_SAFE_NAME.match(roll[0]))
        and 1 <= roll[1] <= MOST_ROLLS
        and 1 <= roll[2] <= MOST_SIDES
        and roll[4] in ("seed", "tape")
    )


# --- what is said


class Finding(NamedTuple):
    """What is proved, told, not known or wrong of a turn. turn: -1 for none. code: what it is about."""

    kind: str
    turn: int
    code: str
    text: str


class Outcome(NamedTuple):
    """What came of one seat's records. heading: whose."""

    campaign: str
    seat: str
    heading: str
    turns: Sequence[tuple[int, int]]
    findings: Sequence[Finding]

    @property
    def is_wrong(self) -> bool:
        """Whether something is."""
        return any(finding.kind == WRONG for finding in self.findings)


def clean(text: str, most: int = 80) -> str:
    """Return a text of a mail as a terminal may show it."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)[:most]


def said(time: datetime) -> str:
    """Return a time in words, in UTC."""
    at = time.astimezone(timezone.utc)
    return f"{at.day} {at:%B %Y, %H:%M} UTC"


def span(time: timedelta) -> str:
    """Return how long that is in words."""
    minutes = int(abs(time).total_seconds() // 60)
    for size, name in ((1440, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            count = minutes // size
            return f"{count} {name}{'s' if count > 1 else ''}"
    return "less than a minute"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _moment(text: Any) -> datetime | None:
    try:
        at = datetime.fromisoformat(str(text).replace("Z", "+00:00"))
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=timezone.utc)


# --- the proof


class Proof:
    """Proves the records of one seat, turn by turn, against each other and the mails. turn: the one that is looked at, -1 for none;
    what is found is noted of it."""

    def __init__(self, evidence: Evidence, campaign: str, seat: str, versions: Sequence[Version]):
        self.campaign, self.seat, self.turn = campaign, seat, -1
        self.mails = [mail for mail in evidence.mails if mail.is_of(campaign)]
        self.findings: list[Finding] = []
        self.turns: dict[int, list[Version]] = {}
        for version in sorted(versions, key=_order):
            self.turns.setdefault(version.turn, []).append(version)
        self.told_due = _told_deadlines(self.mails)
        self.answers = self._answers()
        carriers = {id(mail) for version in versions for mail in version.mails}
        # commitment -> when which mail said it, of mails that bring no record
        self.notices: dict[str, list[Mail]] = {}
        for mail in self.mails:
            if id(mail) not in carriers:
                for digits in set(_DIGITS.findall(mail.text)):
                    self.notices.setdefault(digits, []).append(mail)

    def outcome(self) -> Outcome:
        """Prove it all."""
        numbers = sorted(self.turns)
        for self.turn in numbers:
            *earlier, last = self.turns[self.turn]
            for version in earlier:
                self._prove_earlier(version)
            self._prove(last)
        self._prove_end(numbers)
        for before, after in zip(numbers, numbers[1:]):
            if after > before + 1:
                gone = f"turn {before + 1}" if after == before + 2 else f"turns {before + 1} to {after - 1}"
                self.turn = before + 1
                self.wrong(
                    "gap",
                    f"No report of {gone} is among these files, so what comes after hangs on nothing. Look for it first.",
                )
        self.turn = first = numbers[0]
        if first:
            self.open(
                "first",
                "It is the first report here. What promised its dice, and what was before, these files don't show.",
            )
        spread = f"turn {first}" if len(numbers) == 1 else f"turns {first} to {numbers[-1]}"
        heading = f"{clean(self.campaign)}, {clean(self.seat)}: {spread}, {_counted(sum(map(len, self.turns.values())), 'report')}."
        turns = [(turn, self.turns[turn][-1].record["attempt"]) for turn in numbers]
        return Outcome(self.campaign, self.seat, heading, turns, self.findings)

    def _note(self, kind: str, code: str, text: str) -> None:
        finding = Finding(kind, self.turn, code, text)
        if finding not in self.findings:
            self.findings.append(finding)

    wrong = partialmethod(_note, WRONG)
    open = partialmethod(_note, OPEN)  # what these files can't show
    told = partialmethod(_note, TOLD)  # what the reader should know, though it is nothing wrong
    proved = partialmethod(_note, PROVED)

    def _prove_earlier(self, version: Version) -> None:
        """Prove a report that counts no longer, and say only whether it holds."""
        before = len(self.findings)
        self._prove(version)
        added = [one for one in self.findings[before:] if one.kind != PROVED]
        self.findings[before:] = added
        if not any(one.kind == WRONG for one in added):
            attempt = f" of attempt {version.record['attempt']}" if version.record["attempt"] > 1 else ""
            self.told("earlier", f"An earlier report{attempt}, which counts no longer, holds as well.")

    def _prove(self, version: Version) -> None:
        record = version.record
        if record["promised"] is not None:
            self._prove_promise(version)
            self._prove_attempts(version)
        self._prove_rolls(record)
        self._prove_filing(version)
        self._prove_chain(version)
        self._prove_report(version)

    # promises

    def _prove_promise(self, version: Version) -> None:
        record, promised = version.record, version.record["promised"]
        commitment = commitment_of(record["key"])
        if commitment != promised["seat"]:
            self.wrong("key", "The key of its dice is not the one that its own record says was promised.")
        given = self._given()
        source = self._source(commitment, version)
        if source is None:
            if given:
                self.wrong("promise", self._unpromised(record, commitment))
            return
        time, where, is_report = source
        if self._source(promised["gm"], version) is None:
            self.wrong("gm_promise", "The GM's hidden dice are not those that were promised with yours.")
        self._prove_time(version, time, where, is_report)

    def _given(self) -> list[Version]:
        """The records that promise dice for the turn."""
        before = self.turns.get(self.turn - 1, ())
        return [one for one in before if one.record["next"] and one.record["next"]["turn"] == self.turn]

    def _source(self, commitment: str, version: Version) -> tuple[datetime | None, str, bool] | None:
        """(when, where, whether a report) a commitment was first said, before the report of its turn; None for never."""
        found: list[tuple[datetime | None, str, bool]] = []
        for one in self._given():
            if commitment in (one.record["next"]["seat"], one.record["next"]["gm"]):
                found.append((one.time, f"the report of turn {self.turn - 1}", True))
        for mail in self.notices.get(commitment, ()):
            if mail.is_answer:
                found.append((None, "a mail of its own", False))
            elif mail.time and (version.time is None or mail.time < version.time):
                found.append((mail.time, "a mail of its own", False))
        timed = [one for one in found if one[0] is not None]
        return min(timed, key=lambda one: one[0] or datetime.max) if timed else found[0] if found else None

    def _unpromised(self, record: Record, commitment: str) -> str:
        reasons = [_WHY.get(one["why"], clean(one["why"])) for one in record["promised"]["replaced"]]
        if reasons:
            return (
                f"The record says that other dice were promised since the report of turn {self.turn - 1}, because {' and '.join(reasons)}. But "
                "no mail here promised these before the turn was played. Look for it first."
            )
        return f"The key of its dice is not the one that the report of turn {self.turn - 1} promised ({commitment[:12]}...)."

    def _due(self, record: Record) -> datetime | None:
        """When a turn's orders were due: as the mails said it last, or the record where none did."""
        return self.told_due.get(self.turn) or (_moment(record["due"]) if record["due"] else None)

    def _prove_time(self, version: Version, time: datetime | None, where: str, is_report: bool) -> None:
        if time is None:
            self.proved("key", f"the key is the one that {where} promised")
            self.open(
                "when",
                f"When {where} came can't be seen here: only the mail itself shows that, not one that was asked for or forwarded.",
            )
            return
        if version.time and time > version.time:
            self.wrong("promise_late", f"The promise for its dice came on {said(time)}, after its own report.")
            return
        due, record = self._due(version.record), version.record
        filing = record["filing"]
        filed = _moment(filing["came"]) if filing and filing["came"] else None
        if due is None or time <= due:
            before = f", {span(due - time)} before the deadline" if due else ""
            self.proved("key", f"its dice were promised on {said(time)}{before}, and the key is that one")
        elif is_report and not (filed and filed > time):
            self.wrong(
                "promise_late", f"Its dice were promised on {said(time)}, {span(time - due)} after the deadline."
            )
        else:
            self.proved("key", "the key is the one that was promised")
            late = "but before your orders came" if filed and filed > time else "when the GM may have known all orders"
            self.told(
                "promise_late",
                f"Its dice were promised in {where} on {said(time)}, {span(time - due)} after the deadline, {late}.",
            )

    def _prove_attempts(self, version: Version) -> None:
        """Every promise that was given for the turn is the one that was kept, or is told as replaced; no attempt is passed over."""
        record, promised = version.record, version.record["promised"]
        told = {one["seat"] for one in promised["replaced"]} | {promised["seat"]}
        for one in self._given():
            other = one.record["next"]["seat"]
            is_before = version.time is None or one.time is None or one.time <= version.time
            if other not in told and is_before and self._source(promised["seat"], version) is not None:
                self.wrong(
                    "replaced",
                    f"The report of turn {self.turn - 1} promised other dice ({other[:12]}...), and the record does not say why they were replaced.",
                )
        for time, other in self._noticed(version):
            if other not in told:
                self.wrong(
                    "replaced",
                    f"A mail of {said(time)} promised other dice ({other[:12]}...), and the record does not say that they were replaced.",
                )
        reopened = [one for one in promised["replaced"] if one["why"] == "reopened"]
        attempt = record["attempt"]
        if len(reopened) != attempt - 1:
            self.wrong(
                "attempt",
                f"It was played at attempt {attempt}, but the record tells of {_counted(len(reopened), 'earlier attempt')}.",
            )
        for number, one in enumerate(reopened, 1):
            earlier = [other for other in self.turns[self.turn] if other.record["attempt"] == number]
            if self._source(one["seat"], version) is None and self._given():
                self.wrong(
                    "attempt", f"Attempt {number} is told as taken back, but no mail here ever promised its dice."
                )
            for other in earlier:
                if commitment_of(other.record["key"]) != one["seat"]:
                    self.wrong(
                        "attempt", f"Attempt {number} had other dice than its report, which you have, was played with."
                    )
        for one in promised["replaced"]:
            self.told("replaced", f"Its dice were promised anew: {_WHY.get(one['why'], clean(one['why']))}.")
        if promised.get("untold"):
            self.wrong(
                "untold", "Its record says that nobody was told of the promise for its dice before it was played."
            )

    def _noticed(self, version: Version) -> Iterator[tuple[datetime, str]]:
        """(when, commitment) of what mails of their own promised this seat for a turn before its report was sent. Their Dates are compared:
        a report may lie on its way longer than the mail that takes it back."""
        end = min((mail.sent for mail in version.mails if mail.sent and not mail.is_answer), default=None)
        for digits, mails in self.notices.items():
            for mail in mails:
                of = _OF_TURN.search(" ".join(mail.subject.split()))
                is_said = of and int(of[1]) == self.turn and f"\n{self.seat}: {digits}\n" in mail.text
                if is_said and mail.sent and end and mail.sent < end:
                    yield mail.sent, digits

    # rolls

    def _prove_rolls(self, record: Record) -> None:
        counts: dict[str, int] = {}
        by_seed, by_hand = 0, []
        for name, count, sides, result, source in record["rolls"]:
            counts[name] = counts.get(name, 0) + 1
            shown = f"{name} number {count} (d{sides})"
            if count != counts[name]:
                self.wrong(
                    "count",
                    f"The roll {shown} should be number {counts[name]} of its name: one was left out, or told twice.",
                )
            if not 1 <= result <= sides:
                self.wrong("roll", f"The roll {shown} came to {result}, which is not on its die.")
            elif source == "tape":
                by_hand.append(f"{shown} {result}")
            elif throw(record["key"], name, count, sides) != result:
                again = throw(record["key"], name, count, sides)
                self.wrong("roll", f"The roll {shown} is told as {result}; by the key it is {again}.")
            else:
                by_seed += 1
        if by_seed:
            self.proved(
                "rolls", f"{_counted(by_seed, 'roll')} thrown again come{'s' if by_seed == 1 else ''} to the same"
            )
        if by_hand:
            listed = ", ".join(by_hand[:20]) + (", ..." if len(by_hand) > 20 else "")
            self.told("tape", f"By the GM's own dice, which nobody can prove: {listed}.")

    # orders

    def _prove_filing(self, version: Version) -> None:
        filing = version.record["filing"]
        if filing:
            data = _decoded(filing["base64"])
            if (
                filing["base64"]
                and (data is None or sha(data) != filing["digest"])
                or filing["digest"][:12] != filing["receipt"]
            ):
                self.wrong("filing", "The orders in the record are not those whose digest it gives.")
        standing = self._standing(version)
        receipt = filing["receipt"] if filing else ""
        if not standing:
            if filing and filing["how"] == "mail":
                self.open("receipt", f"The orders that counted ({receipt}, by mail) have no answer among these files.")
            elif filing and filing["how"] == "hand":
                self.told(
                    "by_hand", f"The orders that counted ({receipt}) came by no mail: somebody put the file there."
                )
            elif filing:
                self.told("bot", "No orders of yours counted: a bot filed for your seat.")
            return
        if receipt in standing:
            held = f"your orders counted, byte for byte (receipt {receipt})"
            self.proved("receipt", held if receipt else "nothing was filed, as you were answered")
            return
        counted = f"those with the receipt {receipt} counted" if receipt else "none counted"
        if filing and filing["how"] == "bot":
            counted = "a bot's counted"
        answered = next(iter(sorted(standing, reverse=True)))
        last = f"the last orders that you were told are filed have the receipt {answered}"
        if not answered:
            last = "you were told that nothing is filed any more"
        hand = ", put there by hand" if filing and filing["how"] == "hand" else ""
        self.wrong("receipt", f"By your answers {last}, but {counted}{hand}.")

    def _standing(self, version: Version) -> set[str]:
        """The receipts of the last answer before the turn was played, "" for orders that were taken back: several where a run gave several
        answers at the same time, none where there is no answer."""
        attempt, first = version.record["attempt"], [version]
        if version.record["corrects"]:  # it has the orders of the one that it corrects
            same = [one for one in self.turns[self.turn] if one.record["attempt"] == attempt]
            first = [one for one in same if not one.record["corrects"]] or same
        end = max((one.time for one in first if one.time), default=None)
        events = [(time, receipt) for time, receipt in self.answers.get(self.turn, ()) if end is None or time <= end]
        last = max((time for time, _ in events), default=None)
        return {receipt for time, receipt in events if time == last}

    def _answers(self) -> dict[int, list[tuple[datetime, str]]]:
        """Turn -> (when, the receipt of what was filed) by each answer, "" where orders were taken back."""
        found: dict[int, list[tuple[datetime, str]]] = {}
        for mail in self.mails:
            time = mail.sent or mail.came
            if time is None:
                continue
            for name, data in mail.files:
                filed = _FILED.match(name)
                if filed and _is_for(data, self.seat):
                    self.turn, receipt = int(filed[1]), sha(data)[:12]
                    if receipt != filed[2]:
                        self.wrong("answer", f"The file {name} in an answer is not that of the receipt in its name.")
                    found.setdefault(self.turn, []).append((time, receipt))
            withdrawn = _WITHDRAWN.search(" ".join(mail.text.split())) if mail.subject.endswith("] Withdrawn") else None
            if withdrawn:
                found.setdefault(int(withdrawn[1]), []).append((time, ""))
        return found

    # history

    def _prove_chain(self, version: Version) -> None:
        record = version.record
        corrects = record["corrects"]
        others = (one for one in self.turns[self.turn] if one is not version)
        same = [one for one in others if one.record["attempt"] == record["attempt"]]
        if corrects:
            corrected = [one for one in same if any(corrects.startswith(start) for start in one.starts)]
            self.told("corrects", "It was resolved again with the same dice; this report corrects an earlier one.")
            if not corrected and same and all(one.starts for one in same):
                self.wrong("corrects", "The turn that it says it corrects is none of those whose reports you have.")
        for other in same:
            if _order(other) < _order(version):
                self._prove_same(other, record)
        if self.turn - 1 not in self.turns:
            return
        before = self.turns[self.turn - 1]
        known = [one for one in before if one.starts]
        if not known:
            self.open(
                "chain",
                f"Whether it follows the turn {self.turn - 1} that was mailed only the mails, or the archive, can show.",
            )
            return
        follows = [one for one in known if any(record["previous"].startswith(start) for start in one.starts)]
        if not follows and len(known) == len(before):
            self.wrong(
                "chain",
                f"It follows another turn {self.turn - 1} than any whose report is here. Was there a corrected one? Look for it first.",
            )
        elif follows and follows[-1] is not before[-1] and version is self.turns[self.turn][-1]:
            self.wrong(
                "chain", f"It follows a turn {self.turn - 1} that was taken back, not the one that was mailed last."
            )
        elif follows:
            self.proved("chain", f"it follows the turn {self.turn - 1} that was mailed")

    def _prove_same(self, other: Version, later: Record) -> None:
        """Two records of the same attempt: one corrects the other, and has its dice and the player's orders."""
        earlier = other.record
        if not later["corrects"]:
            if any(not other.starts or start in other.starts for start in later["anew"]):
                self.told(
                    "anew",
                    "It was played anew, and another report of it went out before: the GM's copy had been older.",
                )
            else:
                self.wrong("twice", "There are two reports of it, and neither says that it replaces the other.")
            return
        if (earlier["key"], earlier["promised"]) != (later["key"], later["promised"]):
            self.wrong("redo", "It was resolved again with other dice, though a correction keeps them.")
        if (earlier["filing"] or {}).get("digest") != (later["filing"] or {}).get("digest"):
            self.wrong("redo", "It was resolved again with other orders of yours, though a correction keeps them.")

    def _prove_report(self, version: Version) -> None:
        record = version.record
        held: set[str] = set()
        for mail in version.mails:
            pages = [data for name, data in mail.files if name == f"{self.seat}-{self.turn:04}.html"]
            texts = [data for name, data in mail.files if name == f"{self.seat}-{self.turn:04}.txt"]
            checks = [("page", _page_fits(data, record)) for data in pages]
            checks += [("text", _is_text(_text_in(data), record)) for data in texts]
            if pages and _RULE in mail.text and _FIRST.search(mail.text):
                checks.append(("lines", _first_fits(mail.text, _text_in(pages[0]))))
            elif _CUT.search(mail.text) and len(mail.text.encode()) > _LEAST_CUT:
                self.open("cut", "The text of its mail is cut short, so only the page was compared.")
            elif _RULE in mail.text:
                checks.append(("text", _text_fits(mail.text, record)))
            elif not texts:
                so = "so only its page was compared" if pages else "and it brings no page"
                self.open("text", f"The text of {clean(mail.where)} is no report that can be compared, {so}.")
            if not all(fits for _, fits in checks):
                self.wrong(
                    "report", f"The report in {clean(mail.where)} is not the one that the record names: it was changed."
                )
            held |= {what for what, fits in checks if fits}
            shown = mail.text + "".join(data.decode("utf-8", "replace") for data in pages)
            needs = [record["key"], *([record["next"]["seat"], record["next"]["gm"]] if record["next"] else [])]
            if pages and any(digits not in shown for digits in needs):
                self.wrong("report", "The report gives other keys or commitments than its record.")
            self._prove_foot(record, shown)
        kept = sorted(held - {"lines"})
        verb = "are those that were" if len(kept) > 1 else "is the one that was"
        said = [f"the report's {' and '.join(kept)} {verb} kept"] if kept else []
        if "lines" in held:
            said.append("the report in the mail's text is the first part of that page")
        if said:
            self.proved("report", ", and ".join(said))

    def _prove_foot(self, record: Record, shown: str) -> None:
        """The line at the report's foot names the rolls that the record has."""
        foot = re.search(rf"kingdom dice {record['key']}((?: [a-z0-9_.+-]+:[0-9]+:[0-9]+)+)", shown)
        foot = foot if record["key"] else None
        by_seed, every = (
            [f"{name}:{count}:{sides}" for name, count, sides, _, source in record["rolls"] if source in sources]
            for sources in (("seed",), ("seed", "tape"))
        )
        if foot and foot[1].split() not in (by_seed, every):
            self.wrong("report", "The line at the report's foot names other rolls than its record has.")

    # the end

    def _prove_end(self, numbers: Sequence[int]) -> None:
        last = self.turns[numbers[-1]][-1].record
        seeds = last.get("seeds")
        if not _fits(seeds, [list]) or not seeds or not all(len(one) == 2 and type(one[1]) is str for one in seeds):
            return
        wrong = 0
        for self.turn in numbers:
            record = self.turns[self.turn][-1].record  # the seed of one that was taken back may have been changed since
            seed = _seed_of(seeds, self.turn)
            own = key_of(seed, self.turn, self.seat, record["attempt"])
            gms = commitment_of(key_of(seed, self.turn, "gm", record["attempt"]))
            if record["key"] and record["key"] != own:
                wrong += 1
                self.wrong("seed", "Its dice are not those of the seed that was told at the end.")
            elif record["promised"] and record["promised"]["gm"] != gms:
                wrong += 1
                self.wrong("seed", "The GM's hidden dice are not those of the seed that was told at the end.")
        if not wrong:
            self.proved("seed", "the seed that was told at the end gives every key that was promised")


def _prove_together(one: Proof, other: Proof) -> None:
    """Two seats of a campaign were told one history. Only reports of the same attempt and correction are compared, since either may lack
    one; those of a turn played anew say themselves that there are two."""
    if one.campaign != other.campaign:
        return
    pairs = [
        (mine, its)
        for turn in sorted(one.turns.keys() & other.turns.keys())
        for mine in one.turns[turn]
        for its in other.turns[turn]
        if all(mine.record[key] == its.record[key] for key in ("attempt", "corrects"))
        and not mine.record["anew"] + its.record["anew"]
    ]
    agreed = [_is_one_turn(mine, its) for mine, its in pairs]
    for proof, seat in ((one, other.seat), (other, one.seat)):
        if agreed and not any(agreed):
            proof.turn = pairs[0][0].turn
            proof.open(
                "together",
                f"It has nothing in common with the reports of {clean(seat)}: they are of two campaigns of one name, or of two histories.",
            )
        elif False in agreed:
            proof.turn = turn = pairs[agreed.index(False)][0].turn
            proof.wrong(
                "together", f"The report of {clean(seat)} is of another turn {turn}: two seats were told two histories."
            )


def _is_one_turn(one: Version, other: Version) -> bool:
    """Whether the reports of two seats may be of the same kept turn."""
    mine, its = one.record, other.record
    gms = [(record["next"] or {}).get("gm") for record in (mine, its)]
    is_other = one.starts and other.starts and not one.starts & other.starts
    return mine["previous"] == its["previous"] and gms[0] == gms[1] and not is_other


def _seed_of(seeds: Sequence[Sequence[Any]], turn: int) -> str:
    for last, seed in seeds:
        if last is None or (type(last) is int and turn <= last):
            return str(seed)
    return ""


def _order(version: Version) -> tuple[int, bool, datetime, bytes]:
    """In which order the versions of a turn were made."""
    time = version.time or datetime.max.replace(tzinfo=timezone.utc)
    return version.record["attempt"], bool(version.record["corrects"]), time, version.data


def _told_deadlines(mails: Sequence[Mail]) -> dict[int, datetime]:
    """Turn -> the latest deadline that a calendar file in a mail gives."""
    found: dict[int, datetime] = {}
    for mail in mails:
        for name, data in mail.files:
            if name != "deadline.ics":
                continue
            text = re.sub(r"\r?\n ", "", data[:20_000].decode("utf-8", "replace"))
            turn, end = (
                re.search(r"^UID:deadline-([0-9]{1,9})-", text, re.MULTILINE),
                re.search(r"^DTEND:([0-9T]{15})Z", text, re.MULTILINE),
            )
            if turn and end:
                at = datetime.strptime(end[1], "%Y%m%dT%H%M%S").replace(tzinfo=timezone.utc)
                found[int(turn[1])] = max(at, found.get(int(turn[1]), at))
    return found


def _decoded(lines: Sequence[str]) -> bytes | None:
    try:
        return base64.b64decode("".join(lines), validate=True)
    except ValueError:
        return None


def _is_for(data: bytes, seat: str) -> bool:
    """Whether a filed file is that seat's."""
    return re.search(rb"^kingdom: *[\"']?%s[\"']? *$" % re.escape(seat.encode()), data[:2000], re.MULTILINE) is not None


def _text_fits(text: str, record: Record) -> bool:
    """Whether the report in the text of a mail is the kept one: what stands before it, advice, and lines that a list put below are
    passed over. A word of warning may stand above its heading."""
    end = text.find(_RULE) if len(text) <= MOST_OF_TEXT else -1
    for _ in range(_MOST_HEAD if end >= 0 else 0):
        end = text.rfind("\n", 0, max(end, 0))
        report = text[end + 1 :]
        if any(_is_text(way, record) for way in _without_foot(report)):
            return True
        if end < 0:
            break
    return False


def _without_foot(report: str) -> Iterator[str]:
    ways = [report]
    advice = report.find(_ADVICE)
    behind = re.search(r"\n{4,}", report[advice:]) if advice >= 0 else None
    if behind:
        ways.append(report[:advice] + _SECTION + report[advice + behind.end() :])
    for way in ways:
        lines = way.split("\n")
        for less in range(min(_MOST_FOOT, len(lines))):
            yield "\n".join(lines[: len(lines) - less]).rstrip("\n") + "\n"


def _first_fits(text: str, page: str) -> bool:
    """Whether each line of the first part of a report, as a mail shows it, stands in the page too, and each word of that part of the page in the
    text; but for the head, which has the deadline, the drawn map, and what a mail adds. A last report, and a text that is cut short, may lack words."""
    first = _ADDED.split(text.partition(_RULE)[2].partition("\n\n")[2], 1)[0]
    part, more, _ = page.partition("<!-- everything -->")
    if more and 'id="the-end"' not in part and not _CUT.search(text):
        part = html.unescape(re.sub(r"<[^>]*>", " ", _IN_PAGE_ALONE.sub(" ", part.partition('<main id="report">')[2])))
        missing = Counter(_TOKEN.findall(_LONG_WORD.sub(" ", part.casefold())))
        missing.subtract(_TOKEN.findall(first.casefold()))
        if any(count > 0 for count in missing.values()):
            return False
    whole = _letters(html.unescape(re.sub(r"<[^>]*>", " ", page)))
    return all(_letters(line) in whole for line in first.split("\n") if not _DRAWN.search(line))


def _letters(text: str) -> str:
    """The words of a text, wherever its lines break, and its numbers, each whole and with its sign."""
    return "".join(f"#{token}#" if token[-1].isdigit() else token for token in _TOKEN.findall(text)).casefold()


def _is_text(text: str, record: Record) -> bool:
    head, rule, rest = text.partition(_RULE)
    dateless = head + rule + rest.partition("\n\n")[2]
    return bool(sha(text.encode()) == record["text"] or sha(dateless.encode()) == record["dateless_text"])


def _text_in(data: bytes) -> str:
    return data.decode("utf-8", "replace").replace("\r\n", "\n")


def _page_fits(data: bytes, record: Record) -> bool:
    page = _LINKS.sub(r"\1", _text_in(data), 1)
    return bool(sha(page.encode()) == record["page"] or sha(_DUE.sub("", page, 1).encode()) == record["dateless_page"])


# --- an archive, a campaign's folder or a chronicle


class Tree:
    """The files of a folder or an archive, by their path below where the campaign begins. Nothing is unpacked."""

    def __init__(self, path: str):
        """Raises OSError, or ValueError where it is no such thing."""
        self._zip: Any = None
        self._folder = path
        self._unpacked: dict[str, bytes] = {}  # of the packed turn that is looked at
        if os.path.isdir(path):
            names = [os.path.relpath(file, path).replace(os.sep, "/") for file in _plain_files(path)]
        else:
            names = self._names_in_zip(path)
        root = min((name for name in names if _ROOT.search(name)), key=len, default=None)
        if root is None:
            raise ValueError("neither the turns of a campaign nor a chronicle are in it")
        self.is_chronicle = root.endswith("chronicle.json")
        self._prefix = root[: -len("chronicle.json" if self.is_chronicle else "turns/0000/turn.json")]
        self.names = {name[len(self._prefix) :] for name in names if name.startswith(self._prefix)}

    def _names_in_zip(self, path: str) -> list[str]:
        import zipfile

        try:
            self._zip = zipfile.ZipFile(path)
        except zipfile.BadZipFile:
            raise ValueError("it is no zip file that can be read") from None
        names = [entry.filename for entry in self._zip.infolist() if not entry.is_dir()]
        if len(names) > MOST_ENTRIES or len(set(names)) < len(names):
            raise ValueError("it holds more than any campaign, or a file twice")
        return names

    def unpack(self, folder: str) -> None:
        """Have the files of a packed turn among the others, and those of the one before no more. Raises ValueError where it is damaged."""
        import io
        import lzma
        import tarfile
        import zipfile
        import zlib

        self.names -= set(self._unpacked)
        self._unpacked.clear()
        if f"{folder}turn.zip" not in self.names:
            return
        data, room = self.read(f"{folder}turn.zip"), MOST_OF_ENTRY
        broken = (zipfile.BadZipFile, tarfile.TarError, lzma.LZMAError, zlib.error, EOFError, RuntimeError, OSError)
        files: dict[str, bytes] = {}
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as packed:
                for entry in packed.infolist():
                    with packed.open(entry) as stream:
                        files[entry.filename] = stream.read(room + 1)
                    room -= len(files[entry.filename])
                    if room < 0:
                        raise ValueError("its turn.zip is too large")
            reports = files.pop("reports.tar.xz", b"")
            if reports:
                with tarfile.open(fileobj=io.BytesIO(reports), mode="r|xz") as tar:
                    for member in tar:
                        room -= member.size
                        content = tar.extractfile(member) if room >= 0 else None
                        if room < 0:
                            raise ValueError("its turn.zip is too large")
                        if content is not None:
                            files[member.name] = content.read()
        except broken as error:
            raise ValueError(f"its turn.zip can't be read ({type(error).__name__})") from None
        self._unpacked.update({folder + name: content for name, content in files.items()})
        self.names |= set(self._unpacked)

    def read(self, name: str) -> bytes:
        """Return a file's bytes. Raises OSError, or ValueError where it is too large or damaged."""
        if name in self._unpacked:
            return self._unpacked[name]
        if self._zip is None:
            with open(os.path.join(self._folder, self._prefix + name), "rb") as stream:
                data = stream.read(MOST_OF_ENTRY + 1)
        else:
            import zipfile
            import zlib

            try:
                with self._zip.open(self._prefix + name) as stream:
                    data = stream.read(MOST_OF_ENTRY + 1)
            except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, KeyError) as error:
                raise ValueError(f"{name} can't be read ({type(error).__name__})") from None
        if len(data) > MOST_OF_ENTRY:
            raise ValueError(f"{name} is too large")
        return bytes(data)


_ROOT = re.compile(r"(?:turns/0000/turn|(?:\A|/)chronicle)\.json\Z")


def _plain_files(folder: str) -> Iterator[str]:
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in sorted(folders) if not name.startswith(".")]
        for name in sorted(names):
            file = os.path.join(place, name)
            if not name.startswith(".") and stat.S_ISREG(os.lstat(file).st_mode):
                yield file


class History:
    """Compares an archive with what was mailed to one seat."""

    def __init__(self, tree: Tree, proof: Proof):
        self.tree, self.proof, self.seat, self.turns = tree, proof, proof.seat, proof.turns
        self.rolls = self.by_hand = self.files = 0
        self.first_wrong = -1
        last = self.turns[max(self.turns)][-1].record
        self.is_over = _fits(last.get("seeds"), [list])
        self.seeds: Sequence[Sequence[Any]] = last["seeds"] if self.is_over else self._seeds()
        self.keys: dict[tuple[int, str, int], str] = {}

    def prove(self) -> None:
        """Say whether it is the history that was mailed, or the first turn that is not."""
        numbers = self._chronicle() if self.tree.is_chronicle else self._archive()
        self.proof.turn = -1
        name = "chronicle" if self.tree.is_chronicle else "archive"
        if self.first_wrong >= 0:
            before = f"up to turn {self.first_wrong - 1}" if self.first_wrong else "nowhere"
            self.proof.wrong(
                "archive",
                f"The {name} is the history that was mailed {before}; turn {self.first_wrong} is the first that is not.",
            )
            return
        mailed = [turn for turn in numbers if turn in self.turns]
        told = f"The {name} is the history that was mailed: {_counted(len(mailed), 'turn')} of {len(numbers)} by your own records"
        if self.tree.is_chronicle:
            self.proof.proved("archive", f"{told}.")
            return
        dice = f", {_counted(self.rolls, 'roll')} of all seats and the GM thrown again" if self.rolls else ""
        self.proof.proved("archive", f"{told}, {_counted(self.files, 'file')} by their digests{dice}.")
        if self.by_hand:
            self.proof.told(
                "tape",
                f"{_counted(self.by_hand, 'roll')} in the archive were by the GM's own dice, which nobody can prove.",
            )
        if not self.seeds:
            self.proof.open("seed", "The seed is not told here, so hidden rolls can't be thrown again.")

    def wrong(self, code: str, text: str) -> None:
        """Note what is wrong in the archive."""
        turn = self.proof.turn
        self.first_wrong = turn if self.first_wrong < 0 else min(self.first_wrong, turn)
        self.proof.wrong(code, f"In the archive: {text}")

    def _archive(self) -> list[int]:
        number, previous = 0, ""
        while f"turns/{number:04}/turn.json" in self.tree.names:
            self.proof.turn = number
            try:
                previous = self._turn(number, previous)
            except (OSError, ValueError, RecursionError) as error:
                self.wrong("archive", f"it can't be read: {clean(str(error))}.")
                previous = ""
            number += 1
        after = re.compile(r"turns/([0-9]{4,9})/")
        beyond = {int(found[1]) for found in map(after.match, self.tree.names) if found and int(found[1]) >= number}
        for turn in sorted({*beyond, *(turn for turn in self.turns if turn >= number)})[:20]:
            self.proof.turn = turn
            gone = "the turn is missing, though you have its report."
            self.wrong("archive_gone", gone if turn in self.turns else "a turn before it is missing.")
        if self.is_over:  # the chronicle of a campaign that goes on may be older than its turns
            self._chronicle("chronicle/")
        return list(range(number))

    def _turn(self, number: int, previous: str) -> str:
        """Prove a kept turn, and return its digest."""
        folder = f"turns/{number:04}/"
        self.tree.unpack(folder)
        data = self.tree.read(f"{folder}turn.json")
        kept = json.loads(data.decode("utf-8"), parse_int=_small)
        digest = sha(data)
        shape = {"digest": str, "turn": int, "attempt": int, "previous": str, "files": dict}
        if not _fits(kept, shape) or kept["turn"] != number:
            self.wrong("archive_turn", "its turn.json is none.")
            return digest
        if sha(_OWN.sub(b"", data, 1)) != kept["digest"]:
            self.wrong("archive_digest", "its turn.json was altered.")
        if kept["previous"] != previous and (previous or not number):
            self.wrong("archive_chain", f"it does not follow the turn {number - 1} that is there.")
        files = self._files(number, folder, kept["files"])
        if "dice.csv" in files:
            self._dice(number, kept["attempt"], files["dice.csv"])
        if number in self.turns:
            self._mailed(number, files)
        starts = self.turns[number][-1].starts if number in self.turns else set()
        if starts and not any(digest.startswith(start) for start in starts):
            self.wrong("archive_mailed", "it is another turn than the one that the id of your report's mail names.")
        for version in self.turns.get(number + 1, ())[-1:]:
            if version.record["previous"] != digest:
                self.wrong(
                    "archive_mailed",
                    f"it is not the turn {number} whose digest your report of turn {number + 1} gives.",
                )
        return digest

    def _files(self, number: int, folder: str, digests: dict[str, Any]) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for name, digest in digests.items():
            if folder + name not in self.tree.names:
                self.wrong("archive_file", f"{clean(name)} is missing.")
                continue
            data = self.tree.read(folder + name)
            self.files += 1
            if sha(data) == digest:
                if name == "dice.csv" or name in (f"reports/{self.seat}.json", f"orders/{self.seat}.yaml"):
                    found[name] = data
            elif name.startswith("orders/") and b"taken-out" in data:
                self.proof.told(
                    "taken_out",
                    f"In the archive a token was taken out of {clean(name)}, so its bytes can't be compared.",
                )
            else:
                self.wrong("archive_file", f"{clean(name)} was altered.")
        there = {name[len(folder) :] for name in self.tree.names if name.startswith(folder)}
        for name in sorted(there - {"turn.json", "turn.zip", *digests})[:3]:
            self.wrong("archive_file", f"{clean(name)} is no file of the turn.")
        return found

    def _dice(self, number: int, attempt: int, data: bytes) -> None:
        import csv

        rows = list(csv.reader(data.decode("utf-8").splitlines()))
        if len(rows) > MOST_ROLLS * 50 or rows[:1] != [
            ["turn", "kingdom", "name", "count", "sides", "result", "source"]
        ]:
            self.wrong("archive_dice", "dice.csv is none.")
            return
        own = []
        for _, kingdom, name, *numbers, source in rows[1:]:
            count, sides, result = map(_small, numbers)
            if kingdom == self.seat:
                own.append([name, count, sides, result, source])
            if source == "tape":
                self.by_hand += 1
            elif self.seeds and 0 < sides <= MOST_SIDES:
                key = number, kingdom, attempt
                if key not in self.keys:
                    self.keys[key] = key_of(_seed_of(self.seeds, number), number, kingdom, attempt)
                self.rolls += 1
                if throw(self.keys[key], name, count, sides) != result:
                    self.wrong(
                        "archive_dice",
                        f"{clean(kingdom)}'s {clean(name)} number {count} (d{sides}) is {result}, which is not the seed's.",
                    )
        if number in self.turns and own != self.turns[number][-1].record["rolls"]:
            self.wrong("archive_dice", "your rolls are others than those that were mailed.")

    def _mailed(self, number: int, files: dict[str, bytes]) -> None:
        version = self.turns[number][-1]
        record = files.get(f"reports/{self.seat}.json")
        if record != version.data:
            is_not = "not there" if record is None else "not the one that was mailed"
            self.wrong("archive_mailed", f"your record is {is_not}.")
        orders, filing = files.get(f"orders/{self.seat}.yaml"), version.record["filing"]
        is_there = f"turns/{number:04}/orders/{self.seat}.yaml" in self.tree.names
        if orders is not None and sha(orders) != (filing or {}).get("digest") or is_there != bool(filing):
            self.wrong("archive_orders", "your orders are not those that your record names.")
        name = re.compile(rf"undone/{number:04}-[0-9]+/reports/{re.escape(self.seat)}\.json\Z")
        aside = [self.tree.read(other) for other in sorted(self.tree.names) if name.match(other)]
        for earlier in self.turns[number][:-1]:
            if earlier.data not in aside and not version.record["anew"]:
                self.wrong("archive_undone", "a turn whose report you have is not among those that were taken back.")

    def _seeds(self) -> list[list[Any]]:
        """The seeds in the archive's campaign.yaml."""
        if "campaign.yaml" not in self.tree.names:
            return []
        text = self.tree.read("campaign.yaml").decode("utf-8", "replace")
        seed = re.search(r"^seed: *[\"']?([^\"'\n]*?)[\"']? *$", text, re.MULTILINE)
        block = re.search(r"^old_seeds:(.*(?:\n[ ]+.*)*)", text, re.MULTILINE)
        old = re.findall(r"[\"']?([0-9]{1,9})[\"']?: *[\"']?([^\"',}\n]*)", block[1]) if block else []
        earlier = [[int(last), other] for last, other in sorted(old, key=lambda one: int(one[0]))]
        return [*earlier, [None, seed[1]]] if seed else []

    def _chronicle(self, inside: str = "") -> list[int]:
        """Compare a chronicle's pages of the seat, which are its reports as they were kept. inside: the folder of one that an archive
        brings; it may lack turns that the archive has."""
        folders = (f"{inside}{self.seat}-kingdom", f"{inside}{self.seat}")
        folder = next((name for name in folders if f"{name}/index.html" in self.tree.names), folders[1])
        if f"{folder}/index.html" not in self.tree.names:
            if inside:
                return []
            raise ValueError(f"it has no pages for {clean(self.seat)}")
        there = re.compile(rf"{re.escape(folder)}/([0-9]{{4,9}})/")
        numbers = sorted({int(found[1]) for found in map(there.match, self.tree.names) if found})
        for turn, versions in sorted(self.turns.items()):
            self.proof.turn, version, place = turn, versions[-1], f"{folder}/{turn:04}/"
            wanted = {
                "record.json": sha(version.data),
                "report.txt": version.record["text"],
                "report.html": version.record["page"],
            }
            for name, digest in wanted.items():
                if place + name not in self.tree.names:
                    if not inside and (turn not in numbers or name == "report.txt"):
                        self.wrong("archive_gone", f"{name} of this turn is missing, though you have its report.")
                elif sha(self.tree.read(place + name)) != digest:
                    self.wrong("archive_mailed", f"{inside}{name} is not the one that was mailed.")
        return numbers


# --- the whole


def proved(evidence: Evidence, archive: str | None = None) -> list[Outcome]:
    """Prove all records, those of each seat by themselves, with an archive if one is given. Raises OSError, and ValueError where the archive
    is none."""
    groups: dict[tuple[str, str], list[Version]] = {}
    for version in evidence.versions.values():
        groups.setdefault((version.record["campaign"], version.record["seat"]), []).append(version)
    tree = Tree(archive) if archive else None
    outcomes = []
    proofs = [Proof(evidence, campaign, seat, versions) for (campaign, seat), versions in sorted(groups.items())]
    for number, proof in enumerate(proofs):
        for other in proofs[:number]:
            _prove_together(other, proof)
    for proof in proofs:
        outcome = proof.outcome()
        if tree is not None:
            History(tree, proof).prove()
        outcomes.append(outcome)
    return outcomes


def lines_of(outcome: Outcome) -> list[str]:
    """What came of a seat's records, in words."""
    lines = [outcome.heading, ""]
    labels = {TOLD: "Note", OPEN: "Not known", WRONG: "WRONG"}
    for turn in sorted({turn for turn, _ in outcome.turns} | {one.turn for one in outcome.findings if one.turn >= 0}):
        ours = [one for one in outcome.findings if one.turn == turn]
        clauses = "; ".join(one.text for one in ours if one.kind == PROVED)
        lines.append(f"Turn {turn}: {clauses}." if clauses else f"Turn {turn}:")
        lines += [
            f"  {labels[one.kind]}: {one.text}" for kind in (WRONG, OPEN, TOLD) for one in ours if one.kind == kind
        ]
    lines += ["", *(one.text for one in outcome.findings if one.turn < 0)]
    wrong = [one for one in outcome.findings if one.kind == WRONG and one.turn >= 0]
    lines += [] if lines[-1] == "" else [""]
    if wrong:
        first = min(one.turn for one in wrong)
        count = f"{_counted(len(wrong), 'thing')} {'is' if len(wrong) == 1 else 'are'} wrong, the first in turn {first}. Ask the GM about it."
        lines.append(count)
    else:
        lines.append("Nothing here is wrong.")
        if not any(one.turn < 0 and one.code == "archive" for one in outcome.findings):
            lines.append(
                "Rolls that are hidden from you can be proved at the end alone, with the campaign's archive: `--archive FILE`."
            )
    return lines


def as_data(outcome: Outcome) -> dict[str, Any]:
    """What came of a seat's records, for other programs."""
    return {
        "campaign": outcome.campaign,
        "seat": outcome.seat,
        "ok": not outcome.is_wrong,
        "turns": [{"turn": turn, "attempt": attempt} for turn, attempt in outcome.turns],
        "findings": [one._asdict() for one in outcome.findings],
    }


def source() -> bytes:
    """Return this program, as it goes out."""
    with open(__file__, "rb") as stream:
        return stream.read()


class Result(NamedTuple):
    """What is to be printed, what goes to standard error, and the exit code."""

    lines: list[str]
    errors: list[str]
    code: int


def run(paths: Sequence[str], archive: str | None = None, as_json: bool = False) -> Result:
    """Prove what these files hold."""
    try:
        evidence = read(paths)
    except OSError as error:
        return Result([], [f"{clean(str(error.filename or ''), 300)}: {error.strerror or clean(str(error), 300)}"], 1)
    try:
        outcomes = proved(evidence, archive)
    except (OSError, ValueError) as error:
        return Result([], [f"{clean(str(archive), 300)}: {clean(str(error), 300)}."], 1)
    unread = [f"Not read: {clean(one, 300)}" for one in evidence.unread[:MOST_NAMED]]
    if len(evidence.unread) > MOST_NAMED:
        unread.append(f"Not read: {len(evidence.unread) - MOST_NAMED} more.")
    is_ok = bool(outcomes) and not any(outcome.is_wrong for outcome in outcomes)
    if as_json:
        data = {"ok": is_ok, "seats": [as_data(outcome) for outcome in outcomes], "unread": evidence.unread}
        return Result(json.dumps(data, indent=1).split("\n"), [], 0 if is_ok else 1)
    if not outcomes:
        nothing = f"Looked at {_counted(len(evidence.mails), 'mail')}: no report with a record (record.json) is among them, so there is nothing to prove. "
        return Result([], [*unread, f"{nothing}Reports of older programs have none."], 1)
    lines: list[str] = []
    for outcome in outcomes:
        lines += [*([""] if lines else []), *lines_of(outcome)]
    return Result(lines, unread, 0 if is_ok else 1)


def dice(words: Sequence[str]) -> Result:
    """The rolls of a key: KEY ROLL... [--commitment C]."""
    rest, promised = list(words), ""
    if "--commitment" in rest[:-1]:
        at = rest.index("--commitment")
        promised = rest[at + 1].lower()
        del rest[at : at + 2]
    key = rest[0].lower() if rest else ""
    rolls = [_ROLL.match(word) for word in rest[1:]]
    if not re.match(r"[0-9a-f]{64}\Z", key) or not all(rolls):
        return Result([], ["usage: python3 verify.py dice KEY NAME:COUNT:SIDES... [--commitment C]"], 2)
    lines = [f"{roll[0]} = {throw(key, roll[1], int(roll[2]), int(roll[3]))}" for roll in rolls if roll]
    if not promised:
        return Result(lines, [], 0)
    if commitment_of(key) == promised:
        return Result([*lines, "The key is the one that was promised."], [], 0)
    return Result(lines, [f"The key is not the one that was promised: its commitment is {commitment_of(key)}."], 1)


def main(words: Sequence[str]) -> int:
    """Run the program with these words. Returns the exit code."""
    import argparse

    if words[:1] == ["dice"]:
        result = dice(words[1:])
    else:
        text = __doc__.partition("\nLong:")[0]
        form = argparse.RawDescriptionHelpFormatter
        parser = argparse.ArgumentParser(
            "verify.py", description=text, formatter_class=form, allow_abbrev=False, usage=argparse.SUPPRESS
        )
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument("--archive", metavar="ZIP|FOLDER")
        parser.add_argument("--json", action="store_true")
        given = parser.parse_args(list(words))
        result = run(given.files, given.archive, given.json)
    for line in result.lines:
        print(line)
    for line in result.errors:
        print(line, file=sys.stderr)
    return result.code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
