"""Mail of any shape: nothing makes the reader fail, hang or eat memory; and orders that are filed are those that were written."""

from __future__ import annotations

import html
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from encodings.aliases import aliases
from functools import cache
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from kingdom.games.realm.game import GAME
from kingdom.mail import headers
from kingdom.mail.reading import greetings, mime, order_text, parts, tidying
from kingdom.mail.records import Found, Headers
from kingdom.orders import orders_file
from tests.kit import mailkit, orderkit
from tests.kit.examples import tries

KEYS = {*GAME.orders.keys, *GAME.orders.short_keys, *GAME.gm_orders.keys, "token"}
SEATS = ("examplia", "borderia")
LIMIT = 200 << 20  # bytes of memory that reading may take beyond what the program takes at rest
SECONDS = 1.0  # of the processor's time, for one message
IN_ALL, AT_ONCE, A_DRAW = (
    100_000,
    5_000,
    20,
)  # messages of the long run, of one process, of one number that hypothesis draws


def names() -> dict[str, Any]:
    """The closed lists of the realm, and two seats."""
    from kingdom.orders import tables

    return {**GAME.names(tables.load(GAME, None, "campaign.yaml").rules), "seats": SEATS}


NAMES = names()


def reads(text: str) -> bool:
    """Whether a text is orders in which nothing is wrong."""
    return not orders_file.read(text.encode("utf-8", "replace"), "mail", GAME, NAMES, None, None, subject=True).problems


def understood(data: bytes) -> Found:
    """All that is done with a message before anybody is asked whose it is."""
    found = order_text.find(headers.read(data), parts.read(data), KEYS, reads)
    if found.kind == "orders":
        orders_file.read(found.text.encode(), found.file, GAME, NAMES, None, None)
    return found


# --- any message


def corpus(name: str, key: str) -> list[str]:
    """The texts that the cases of a file have under a key."""
    cases = yaml.load((mailkit.FOLDER / f"{name}.yaml").read_bytes(), yaml.CSafeLoader)
    return [case[key] for case in cases.values() if key in case]


INTROS, BLOCKS, BELOW = corpus("intros", "intro"), corpus("blocks", "block"), corpus("signatures", "below")
LINES = [
    "taxation: light", "claim: 0102 0103", "build:", "- house in Oakhold", "• inn in Oakhold", "  - {hex: \"0202\", build: road}", "kingdom: examplia",
    "turn: 3", "token: k7f3q", "messages:", "  - to: borderia", "    text: |", "      > quoted", "      On 1.1.2026 10:00 x wrote:", "```", "~~~yaml", "> claim: 0102",
    ">> deep", "-- ", "--", "---", "...", "====", "", " ", "\u00a0", "\u200b", "\ufeff", "“curly”: ‘x’", "clam: 0102", "a: &a [*a]", "!!tag: x", "<<: *a", "{", "}", "[",
    "claim: [", "? x", "\t- x", "key: >-", "%YAML 1.1", "From: a@b.example", "Sent: today", "To: b", "Subject: c", "wrote:", "x wrote:", "Hi,", "Cheers,", "Ada",
    "-----BEGIN PGP SIGNED MESSAGE-----", "Hash: SHA256", "-----BEGIN PGP SIGNATURE-----", "-----END PGP SIGNATURE-----", "-----BEGIN PGP MESSAGE-----", "0404", "claim 0102", "build house in Oakhold", "taxation light,", "Tel. 0404 555 1234", "messages: {borderia: \"“no”\"}", "é", "\x00",
    "\x1b[31m", "\u2028", "\u202e", "\U0001f600", "<div>", "</div>", "<blockquote>", "</blockquote>", "<br>", "<style>", "<p class=gmail_quote>", "&nbsp;", "&#x0;", "<!--",
    "Content-Type: multipart/mixed; boundary=b", "--b", "--b--", "From ", "=", "=20", "=3D", "=C3", "a" * 500, "x: " * 50, ": " * 50, "(" * 200, "* " * 100, "<" * 200,
]  # fmt: skip
PIECES = [*LINES, *INTROS, *BLOCKS, *BELOW]
TYPES = ("text/plain", "text/html", "text/plain; format=flowed; delsp=yes", "application/yaml", "application/ms-tnef", "image/png", "message/rfc822", "text", "",
         "multipart/mixed", "application/pkcs7-mime; smime-type=signed-data", "text/plain; charset*=utf-8''x", "text/plain; name*0=a; name*1=.yaml", "text/calendar")  # fmt: skip
CHARSETS = (
    "utf-8",
    "us-ascii",
    "iso-8859-1",
    "gb2312",
    "iso-2022-jp",
    "utf-16",
    "utf-7",
    "cp037",
    "x-nonsense",
    "\0",
    "punycode",
    "unicode_escape",
    "hex",
    "idna",
    "a" * 300,
)
HEADS = {
    "From": ["Ada <ada@example.org>", "ada@example.org", "a@b.c, d@e.f", "", "<>", "((((", "\"" * 100, "=?utf-8?Q?=41?= <ada@example.org>", "x: a@b.example;", None],
    "Subject": ["Orders examplia 3 [k7f3q]", "Re: Orders examplia 3 [k7f3q]", "status [k7f3q]", "=?x?Q?y?=", "=?utf-8?B?////?=", "=?utf-8?B?T3JkZXJzI?= x", "=?utf-8?Q?=?= =?utf-8?B?a", "Re: " * 300, "[" * 200, "", "to borderia"],
    "Date": ["Wed, 16 Dec 2026 10:00:00 +0000", "0", "Wed, 99 Dec 99999 99:99:99 +9999", "(((", "1 Jan 0001 00:00 +2359"],
    "Received": ["by x; Wed, 16 Dec 2026 10:00:05 +0000", ";", "x"],
    "Content-Disposition": ["attachment; filename=a.yaml", "inline; filename*=utf-8''%ff.txt", "attachment; filename=\"=?utf-8?Q?a=2Eyaml?=\"", "attachment; filename=\"=?utf-8?B?T3JkZXJzI?=.yaml\"", "inline; filename*0*=x''%; filename*1=b", None],
    "Message-ID": [f"<{'a' * 5000}@b>", "<<>>", "=?utf-8?B?T3JkZXJzI?="],
    "References": ["<a@b> <c@d>", "<" * 300],
    "Auto-Submitted": ["no", "auto-replied", None],
    "Authentication-Results": ["x; dkim=pass", "(" * 300, None],
}  # fmt: skip


@cache
def upto(most: int) -> SearchStrategy[int]:
    """Whole numbers from 0 on."""
    return st.integers(0, most)


TEXT = st.text(max_size=20)


class Making:
    """Makes messages of numbers (from 0 to a most) and short texts that somebody draws: hypothesis, or plain chance."""

    def __init__(self, number: Callable[[int], int], any_text: Callable[[], str]):
        self.number = number
        self.any_text = any_text

    def one_of(self, choices: Sequence[Any]) -> Any:
        return choices[self.number(len(choices) - 1)]

    def text(self) -> str:
        """A body: lines as programs and enemies write them, some of them many times."""
        lines = []
        for _ in range(self.number(12)):
            line = self.one_of(PIECES) if self.number(9) else self.any_text()
            lines += [line] * self.one_of((1, 1, 1, 1, 1, 1, 2, 20, 400))
        return "\n".join(lines)

    def leaf(self) -> dict[str, Any]:
        """A part that holds a text."""
        made = {
            "bytes": self.text().replace("\n", "\r\n").encode(),
            "type": self.one_of(TYPES),
            "named": self.one_of(CHARSETS),
        }
        if self.number(1):
            made["transfer"] = self.one_of(["base64", "quoted-printable", "8bit", "x-uuencode", "nonsense"])
        if not self.number(2):
            made["disposition"] = self.one_of(
                [
                    "attachment",
                    "attachment; filename=o.yaml",
                    'inline; filename="../o.txt"',
                    "attachment; filename*0*=utf-16''%ff",
                ]
            )
        return made

    def part(self, depth: int = 0) -> dict[str, Any]:
        """A part, which may hold others."""
        if depth > 3 or self.number(1 + depth):
            return self.leaf()
        return {
            "parts": [self.part(depth + 1) for _ in range(self.number(3))],
            "type": self.one_of(
                [
                    "multipart/mixed",
                    "multipart/alternative",
                    "multipart/related",
                    "multipart/signed",
                    "multipart/digest",
                    "multipart/report",
                    "multipart/x",
                ]
            ),
            "boundary": self.one_of(["b", "b", "bb", "--", "(", "a b"]),
            "closed": bool(self.number(3)),
        }

    def head(self) -> dict[str, Any]:
        """Headers other than those of an honest reply."""
        made: dict[str, Any] = {}
        for _ in range(self.number(3)):
            name = self.one_of(list(HEADS))
            made[name] = self.one_of([*HEADS[name], [one or "" for one in HEADS[name][:2]]])
        return made

    def message(self) -> bytes:
        """The bytes of a message of any structure, some of them broken."""
        data = mailkit.message({**self.part(), "head": self.head()})
        hows = ["cut", "twice", "flip", "drop"]
        return broken(
            data, [(self.number(100) / 100, self.one_of(hows), self.number(40)) for _ in range(self.number(2))]
        )


@st.composite
def messages(draw: Callable[[SearchStrategy], Any]) -> bytes:
    """Messages that hypothesis can make smaller."""
    return Making(lambda most: draw(upto(most)), lambda: draw(TEXT)).message()


def by_chance(chance: random.Random) -> bytes:
    """A message of plain chance: a hundred times faster."""
    letters = [*map(chr, range(0x250)), "\u2028", "\u200b", "\ud7ff", "\uffff", "\U0001f600", "東"]
    return Making(
        lambda most: chance.randint(0, most), lambda: "".join(chance.choices(letters, k=chance.randint(0, 20)))
    ).message()


def broken(data: bytes, changes: list[tuple[float, str, int]]) -> bytes:
    """The bytes with some of them cut, doubled, changed, left out."""
    for share, how, length in changes:
        at = int(share * len(data))
        piece = data[at : at + length]
        middle = {"cut": b"", "twice": piece + piece, "flip": bytes(255 - byte for byte in piece), "drop": b""}[how]
        data = data[:at] + middle + (b"" if how == "cut" else data[at + length :])
    return data


@tries(15, 150, suppress_health_check=list(HealthCheck))
@given(messages())
def test_no_message_makes_the_reader_fail(data: bytes) -> None:
    assert understood(data).kind in ("orders", "command", "none")


@given(st.binary(max_size=300))
def test_no_bytes_make_it_fail(data: bytes) -> None:
    understood(data)
    understood(b"From: ada@example.org\r\n" + data)
    understood(b"From: ada@example.org\r\nContent-Type: text/html\r\n\r\n" + data)


@given(st.binary(max_size=80), st.sampled_from([*CHARSETS, *sorted(set(aliases.values()))]))
def test_no_charset_makes_it_fail(data: bytes, charset: str) -> None:
    mime.text_of(data, charset).encode()


SLOW = ["On 1.1.2026", "x 2026 10:00:", "x 2026 10:00 @:", "2026 " * 70 + ":", "wrote " * 60 + ":", "schrieb (" * 30, "This email " + "x " * 100, "a" * 390 + ":",
        "From: x\nSent: y", "- text: |", "(x" * 100 + ")", "a b " * 90 + ":\n> x", "> " * 100]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("line", [*LINES, *INTROS, *BLOCKS, *BELOW, *SLOW])
def test_no_line_that_comes_again_and_again_takes_long(line: str) -> None:
    for text in (line * 400, f"{line}\n" * 2000, f"{line}\n\n" * 1000 + "taxation: light\n"):
        data = b"From: ada@example.org\nSubject: Orders examplia 3 [k7f3q]\n\n" + text[: parts.LONGEST].encode()
        started = time.process_time()
        understood(data)
        assert time.process_time() - started < SECONDS


def test_a_hundred_thousand_empty_lines_below_orders_take_no_time() -> None:
    """As many as a mail of many parts may have, with what it quoted left blank."""
    started = time.process_time()
    kept = greetings.trimmed("taxation: light\n" + "\n" * 100_000, Headers(), None, {"taxation"})
    assert time.process_time() - started < SECONDS and kept.strip() == "taxation: light"


# --- orders that somebody wrote: filed as they were written, or refused


def filings() -> SearchStrategy[dict[str, Any]]:
    """A few orders of any kind, in the long form."""
    made = orderkit.values(GAME.orders, NAMES)
    return made.map(lambda one: dict(list({**one, "kingdom": "examplia", "turn": 3}.items())[:9])).filter(
        lambda one: len(one) > 2
    )


def decorated(text: str, above: str, below: str, quote: str) -> str:
    """A body: the text with a greeting, what stands below it, and a quoted report."""
    return "\n".join(piece for piece in (above, text.rstrip("\n"), below, quote) if piece) + "\n"


def in_html(text: str) -> str:
    """What a mail program makes of a text that is typed: a block a line, its indent of blanks that do not break."""
    lines = []
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip(" "))
        lines.append(f"<div>{'&nbsp;' * indent}{html.escape(line[indent:]) or '<br>'}</div>")
    return "<html><body>" + "\n".join(lines) + "</body></html>"


MARKED = "".join(f"> {line}\n" for line in mailkit.QUOTED)
BARE = "".join(f"{line}\n" for line in mailkit.QUOTED)
QUOTES = [
    "",
    *(f"\n{intro}\n{MARKED}" for intro in INTROS),
    *(f"\n{intro}\n\n{BARE}" for intro in INTROS),
    *(f"\n{block}\n\n{BARE}" for block in BLOCKS),
]


@tries(12, 120, suppress_health_check=list(HealthCheck))
@given(
    filings(), st.booleans(), st.sampled_from(["", "Hi Gm,\n", "Hello\n\nmy orders for turn 3:\n"]), st.sampled_from(["", *(f"\n{one}" for one in BELOW)]),
    st.sampled_from(QUOTES), st.sampled_from(["plain", "quoted-printable", "base64", "flowed", "html", "attached", "fenced"]),
)  # fmt: skip
def test_what_is_filed_is_what_was_written(
    filing: Mapping[str, Any], short: bool, above: str, below: str, quote: str, form: str
) -> None:
    text = orders_file.write_short(filing, GAME) if short else orders_file.write(filing)
    text = tidying.tidied(text)
    wanted = orders_file.read(text.encode(), "mail", GAME, NAMES, None, None)
    body = decorated(f"```\n{text}\n```" if form == "fenced" else text, above, below, quote)
    found = understood(mailkit.message(_sent(body, text, form)))
    if found.kind != "orders":
        return  # refused, with a reason
    read = orders_file.read(found.text.encode(), found.file, GAME, NAMES, None, None)
    assert read.orders is None or read.orders == wanted.orders


def _sent(body: str, text: str, form: str) -> dict[str, Any]:
    if form == "attached":
        return {
            "parts": [
                {"body": "Attached.\n"},
                {"type": "application/yaml", "disposition": "attachment; filename=o.yaml", "body": text},
            ]
        }
    kinds = {"flowed": "text/plain; format=flowed", "html": "text/html"}
    made = {"body": in_html(body) if form == "html" else body, "type": kinds.get(form, "text/plain")}
    return {**made, "transfer": form} if form in ("quoted-printable", "base64") else made


def test_most_of_what_was_written_is_filed() -> None:
    """The test above would hold for a reader that refuses all; plain orders under plain decorations are taken."""
    text = "taxation: light\nbuild:\n  - house in Oakhold\nclaim: 0102 0103\n"
    wanted = orders_file.read(text.encode(), "mail", GAME, NAMES, None, None).orders
    chance = random.Random(1)
    for form in ("plain", "quoted-printable", "base64", "html"):
        for quote in QUOTES:
            body = decorated(text, "Hi Gm,\n", f"\n{chance.choice(BELOW)}", quote)
            found = understood(mailkit.message(_sent(body, text, form)))
            assert orders_file.read(found.text.encode(), "mail", GAME, NAMES, None, None).orders == wanted, (
                form,
                body,
                found,
            )


# --- the long run


class TooLong(Exception):
    """A message took more of the processor's time than it may."""


def search(examples: int, number: int) -> None:
    """Read so many messages under limits of time and memory."""

    def over(signum: int, frame: Any) -> None:
        raise TooLong

    for case in mailkit.cases()[::10]:
        understood(mailkit.message(mailkit.messages(case)[0]))
    with open("/proc/self/statm", encoding="ascii") as file:
        at_rest = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (at_rest + LIMIT, at_rest + LIMIT))
    signal.signal(signal.SIGVTALRM, over)

    @seed(number)
    @settings(max_examples=examples // A_DRAW, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.integers(0, 2**64))
    def some(drawn: int) -> None:
        chance = random.Random(drawn)
        for _ in range(A_DRAW):
            data = by_chance(chance)
            signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
            try:
                understood(data)
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    some()


@pytest.mark.long
@pytest.mark.parametrize("number", range(IN_ALL // AT_ONCE))
def test_a_hundred_thousand_messages_within_a_second_and_the_memory_each(number: int) -> None:
    program = f"from tests.mail import test_fuzz; test_fuzz.search({AT_ONCE}, {number})"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env={**os.environ, "PYTHONHASHSEED": "0"}
    )
    assert done.returncode == 0, done.stderr[-3000:]
