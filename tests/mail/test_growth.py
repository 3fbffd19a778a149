"""A mail made to be long: the work grows with its length, not with its square, and what goes out for it stays small.

Work is counted as calls of functions, the interpreter's own too, so that no clock decides.
"""

from __future__ import annotations

import gc
import os
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from kingdom.campaign import campaign as campaigns
from kingdom.mail.incoming import taking
from kingdom.mail.incoming.taking import Incoming
from kingdom.mail.journal import journal_of
from kingdom.mail.reading.limits import LINES_OF_LETTER
from tests.kit import mailkit

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

from bench_measure import seconds, spin

MEGABYTE = 1_000_000
LARGEST = 100_000  # bytes of a mail that goes out
MOST_SPINS = 500  # for a mail of a megabyte
WIDE = "\N{CJK UNIFIED IDEOGRAPH-5B57}"
HTML = "text/html; charset=utf-8"


def repeated(unit: str, size: int) -> str:
    return unit * max(1, size // len(unit.encode()))


def mail(body: str, kind: str = "text/plain; charset=utf-8", **head: str) -> bytes:
    return mailkit.message({"head": head, "type": kind, "body": body}, 1)


def parts(part: str, size: int, head: str = "Content-Type: text/plain") -> bytes:
    one = repeated(part, size // 198)
    return mail(f"--b\n{head}\n\n{one}\n" * 198 + "--b--\n", 'multipart/mixed; boundary="b"')


def nested(begin: str, end: str, size: int) -> str:
    return (begin * 900 + "x" + end * 900) * max(1, size // (900 * len(begin + end)))


SHAPES: dict[str, Callable[[int], bytes]] = {
    "a line of wide letters below an order": lambda size: mail(f"taxation: light\n\n{repeated(WIDE, size)}"),
    "a line of wide letters as an order": lambda size: mail(f"claim: {repeated(WIDE, size)}"),
    "a line of wide letters as a request": lambda size: mail(f"requests: {repeated(WIDE, size)}"),
    "a line of wide letters, only tried": lambda size: mail(f"try\nclaim: 0102\n\n{repeated(WIDE, size)}"),
    "a letter of emoji": lambda size: mail(repeated("\N{GRINNING FACE}", size)),
    "words of emoji, unproved": lambda size: mail(repeated("\N{GRINNING FACE}", size), Subject="Hello"),
    "a line of curly quotes": lambda size: mail(f"claim: {repeated('“', size)}"),
    "lines of wide letters": lambda size: mail(repeated(f"claim {WIDE * 80}\n", size)),
    "lines with several orders": lambda size: mail(
        repeated("claim: 0412; taxation: light and build: x\n", size // 5)
    ),
    "lines that phones add": lambda size: mail(repeated("Sent from my iPhone\n\n", size // 20)),
    "lines below thanks": lambda size: mail("claim: 0102\n\n" + repeated("Thanks\nAda Lovelace\n+49 30 1234567\n", size // 8)),
    "lines of one letter": lambda size: mail(repeated("x\n", size // 100)),
    "fences": lambda size: mail(repeated("```\n", size // 200)),
    "quotes": lambda size: mail("taxation: light\n" + repeated("> claim: 0102\n", size)),
    "quotes between lines": lambda size: mail(repeated("> x\nclaim 0102\n", size // 14)),
    "parts": lambda size: parts("hello there\n", size),
    "parts with orders": lambda size: parts("claim: 0102\n", size),
    "parts in HTML": lambda size: parts("<div>hello</div>", size, "Content-Type: text/html"),
    "parts with long heads": lambda size: parts("x", 1, f"Content-Type: text/plain; {repeated('a=b; ', size // 198)}"),
    "an attachment of many lines": lambda size: mail(
        "--b\nContent-Type: text/plain; name=a.yaml\n\n" + repeated("claim: 0102\n", size) + "\n--b--\n",
        'multipart/mixed; boundary="b"',
    ),
    "flowed lines": lambda size: mail(repeated("x \n", size), "text/plain; format=flowed"),
    "HTML with many elements": lambda size: mail(repeated("<b>x</b>", size), HTML),
    "HTML with many lines": lambda size: mail(repeated("<p>x", size), HTML),
    "HTML inside itself": lambda size: mail(nested("<ul>", "</ul>", size), HTML),
    "HTML with much struck out": lambda size: mail(f"<p>claim: 0102</p>{repeated('<s>ab</s> ', size // 2)}", HTML),
    "brackets in a header": lambda size: mail("claim: 0102\n", Received=f"{'(' * size}; Wed, 16 Dec 2026 10:00:05 +0000"),
    "brackets in a date": lambda size: mail("claim: 0102\n", Date=f"Wed, 16 Dec 2026 10:00:00 +0000 {'((a)' * (size // 4)}"),
    "quotes in a header": lambda size: mail("claim: 0102\n", 'text/plain; a="' + repeated('\\";', size)),
    "a header in many folds": lambda size: mail("claim: 0102\n", References=repeated("<a@b>\n ", size)),
    "addresses": lambda size: mail("claim: 0102\n", Cc=repeated("a@b.c, ", size)),
    "an encoded subject": lambda size: mail("claim: 0102\n", Subject=repeated("=?utf-8?q?a?= ", size)),
}  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        return mailkit.campaign(tmp_path_factory.mktemp("mail") / "campaign")


def take(folder: Path, data: bytes) -> Callable[[], object]:
    """All that is done with a mail, to be called."""
    mailkit.clear(folder)
    opened = campaigns.open_campaign(folder)
    journal = journal_of(opened)
    return lambda: taking.take(opened, journal, mailkit.Box([Incoming("x", data)]), mailkit.NOW)


def calls(work: Callable[[], object]) -> int:
    """How many functions it calls. What earlier tests left behind is not cleared away meanwhile: its finalizers would be counted."""
    count = 0

    def told(frame: FrameType, event: str, what: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    gc.disable()
    sys.setprofile(told)
    try:
        work()
    finally:
        sys.setprofile(None)
        gc.enable()
    return count


@pytest.mark.parametrize("shape", SHAPES)
def test_the_work_grows_with_a_mails_length_and_what_goes_out_stays_small(shape: str, made: Path) -> None:
    few, many = (calls(take(made, SHAPES[shape](size))) for size in (MEGABYTE // 40, MEGABYTE // 10))
    assert many < 4.6 * few + 30_000
    assert all(file.stat().st_size <= LARGEST for file in outbox(made))


def test_orders_are_looked_for_in_no_more_sentences_of_a_letter_than_in_lines(made: Path) -> None:
    said = [f"I trust Wexford {number} in {number}." for number in range(4 * LINES_OF_LETTER)]
    few, many = (
        calls(take(made, mail("to borderia\n" + " ".join(said[:count])))) for count in (LINES_OF_LETTER, len(said))
    )
    assert many < 1.5 * few


def outbox(folder: Path) -> list[Path]:
    return list((folder / "mail/outbox").glob("*.eml"))


@pytest.mark.long
@pytest.mark.parametrize("shape", SHAPES)
def test_a_mail_of_a_megabyte_costs_at_most_500_spins(shape: str, made: Path) -> None:
    data = SHAPES[shape](MEGABYTE)
    costs = [seconds(take(made, data)) / seconds(spin) for _ in range(3)]
    assert statistics.median(costs) <= MOST_SPINS
    assert all(file.stat().st_size <= LARGEST for file in outbox(made))
