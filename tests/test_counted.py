"""How often the same thing is asked: what is known is passed along, so none of these counts may grow."""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from kingdom.cli.main import main
from kingdom.engine.step import Orders
from kingdom.engine.turn import resolve
from kingdom.games.realm.forecast import turn_preview
from kingdom.games.realm.forecast.turn_preview import Course, course
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import accounts
from kingdom.games.realm.state import World
from kingdom.orders import cache, orders_file

# by edition of the rules; most are remembered. By the second a report looks four turns ahead, by the first one
MOST_SHEETS = {1: 290, 2: 1100}
GREENMARCH = Path(__file__).parent.parent / "campaigns" / "greenmarch"
NINE_LINES = """\
Return-Path: <cleo@example.org>
Received: from mail.example.org (mail.example.org [192.0.2.7]) by mx.example.net;
 Wed, 13 Nov 2024 07:41:22 +0100
From: Cleo <cleo@example.org>
To: orders@greenmarch.example.net
Subject: Orders cravonia 13 [publiccleo]
Date: Wed, 13 Nov 2024 07:41:09 +0100
Message-Id: <nine-lines@example.org>

kingdom: cravonia
turn: 13
leadership: [economy]
build: house in Sandgate
edicts: {taxation: light}
loyalty: rouse_the_people
requests: [May I court the heir?]
plan: [claim 0404]
reserve: 5
"""


@contextmanager
def counted(*functions: Callable[..., object]) -> Iterator[Counter[str]]:
    """How often these functions were called inside, by their names; `turns`: how often a folder of that name was listed."""
    counts: Counter[str] = Counter()
    names = {function.__code__: function.__name__ for function in functions}

    def told(frame: FrameType, event: str, what: object) -> None:
        if event == "call" and frame.f_code in names:
            counts[names[frame.f_code]] += 1

    def listing(read: Callable[..., object]) -> Callable[..., object]:
        def wrapped(path: str | Path = ".") -> object:
            counts["turns"] += Path(path).name == "turns"
            return read(path)

        return wrapped

    with pytest.MonkeyPatch.context() as patch:
        for name in ("listdir", "scandir"):
            patch.setattr(os, name, listing(getattr(os, name)))
        before = sys.getprofile()
        sys.setprofile(told)
        try:
            yield counts
        finally:
            sys.setprofile(before)


@pytest.fixture
def greenmarch(tmp_path: Path) -> Path:
    return shutil.copytree(GREENMARCH, tmp_path / "greenmarch")


@pytest.mark.parametrize("edition", MOST_SHEETS)
def test_a_run_that_plays_a_turn_lists_the_turns_and_works_out_sheets_a_few_times(
    greenmarch: Path, edition: int
) -> None:
    """Advice is off: whether it has to be thought out hangs on what the machine's cache holds."""
    settings = greenmarch / "campaign.yaml"
    played = settings.read_text(encoding="utf-8").replace("edition: 2", f"edition: {edition}")
    settings.write_text(f"{played}\nadvice: off\n", encoding="utf-8")
    with counted(accounts) as counts:
        assert main(["run", str(greenmarch)]) == 0
    assert (greenmarch / "turns" / "0012").is_dir()
    assert 1 <= counts["turns"] <= 10
    assert 100 <= counts["accounts"] <= MOST_SHEETS[edition]


def test_a_run_that_plays_a_turn_plays_the_turn_to_come_of_each_seat_once(
    greenmarch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reports, their mails, forms and advice that is made anew ask the same four; what orders would change of them is played on from there.
    The others: the turn itself, what three seats had to expect of it, their orders once more, and what a player asked."""
    known = cache.get
    monkeypatch.setattr(cache, "get", lambda name: None if name.startswith("kingdom-advice-") else known(name))
    begun: Counter[str] = Counter()

    def played(seen: World, seat: str, rules: Rules, orders: Orders, other: Course | None = None) -> Course:
        begun["from the start" if other is None else "played on"] += 1
        return course(seen, seat, rules, orders, other)

    monkeypatch.setattr(turn_preview, "course", played)
    with counted(resolve) as counts:
        assert main(["run", str(greenmarch)]) == 0
    assert begun["from the start"] == 4 and begun["played on"] > 20
    assert counts["resolve"] <= 8


def test_orders_in_a_mail_are_read_three_times(greenmarch: Path) -> None:
    inbox = greenmarch / "mail" / "inbox"
    for file in inbox.iterdir():
        file.unlink()
    (inbox / "nine.eml").write_text(NINE_LINES, encoding="ascii")
    os.utime(inbox / "nine.eml", (1_731_480_082, 1_731_480_082))
    with counted(orders_file.read) as counts:
        assert main(["mail", "fetch", str(greenmarch)]) == 0
    assert "reserve: 5" in (greenmarch / "orders" / "0013" / "cravonia.yaml").read_text(encoding="utf-8")
    assert counts["read"] <= 3
