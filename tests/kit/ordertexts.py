"""Texts of orders, all that there are: the contract's page, the catalogue of errors, mails, every campaign; and spoilt ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from kingdom.games.realm.game import GAME
from kingdom.orders import orders_file
from tests.games.realm.kit import rules_of
from tests.kit import archives, mailkit, problemkit
from tests.kit.orderkit import values

ROOT = Path(__file__).parents[2]
SEATS = ("examplia", "borderia", "cravonia")
NAMES = {**GAME.names(rules_of()), "seats": SEATS}
SEAT, TURN = "examplia", 3
# What a slip of the finger puts into a text, and what YAML takes for a mark of its own.
SLIPS = (
    *" \n:-,[]{}#'\"&*!|>?%@`\\~0aZ\u00e9\U0001f642", "\n  ", "\n- ", ": ", "- ", "\r\n", "---\n", "...\n", " # x", "''", "\\n", "\\x41", "|\n  a\n",
    "\u2028", "!a ", "&a ", "*a", "? ", " at A1", "gm", "9999", "00", "null", "\t",
)  # fmt: skip


@cache
def everything() -> tuple[tuple[str, str], ...]:
    """(where it comes from, the text) of every text of orders, each text once."""
    found = {text: where for where, text in (*_contract(), *_catalogue(), *_mails(), *_campaigns())}
    return tuple((where, text) for text, where in found.items())


def _contract() -> Iterator[tuple[str, str]]:
    blocks = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/contract.md").read_text(encoding="utf-8"), re.DOTALL)
    yield from ((f"contract {number}", text) for number, text in enumerate(blocks))
    yield from (
        (f"contract {number}, with a head", f"kingdom: {SEAT}\nturn: {TURN}\n{text}")
        for number, text in enumerate(blocks)
    )


def _catalogue() -> Iterator[tuple[str, str]]:
    for code in problemkit.names():
        text = problemkit.read(code).get("orders")
        if isinstance(text, str):
            yield f"problem {code}", text


def _mails() -> Iterator[tuple[str, str]]:
    for case in mailkit.cases():
        yield from ((f"mail {case}", text) for text in _bodies(case.said))


def _bodies(said: Any) -> Iterator[str]:
    if isinstance(said, dict):
        for key, value in said.items():
            if key == "body" and isinstance(value, str):
                yield value
            yield from _bodies(value)
    elif isinstance(said, list):
        for item in said:
            yield from _bodies(item)


def _campaigns() -> Iterator[tuple[str, str]]:
    for folder in (*archives.every_example(), ROOT / "tests/golden", archives.releases()):
        for file in sorted(folder.rglob("orders/**/*.yaml")):
            yield f"{folder.name}/{file.relative_to(folder).as_posix()}", file.read_bytes().decode()


def made() -> SearchStrategy[str]:
    """Texts of valid orders of SEAT for TURN, in the long form or in short ones."""
    long = values(GAME.orders, NAMES).map(lambda value: {**value, "kingdom": SEAT, "turn": TURN})
    return st.one_of(long.map(orders_file.write), long.map(lambda value: orders_file.write_short(value, GAME)))


def spoilt(count: int) -> list[str]:
    """So many texts with a slip or a few in each, the same ones every time."""
    chance = Random(count)
    whole = [text for _, text in everything() if len(text) < 6000]
    return [slipped(chance.choice(whole), chance) for _ in range(count)]


def slipped(text: str, chance: Random) -> str:
    """The text with a slip or a few."""
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        at, kind = chance.randrange(len(text) + 1), chance.random()
        if kind < 0.6:
            text = text[:at] + chance.choice(SLIPS) + text[at:]
        elif kind < 0.85:
            text = text[:at] + text[at + chance.randrange(1, 8) :]
        else:
            lines = text.split("\n")
            line = chance.randrange(len(lines))
            lines[line : line + 1] = chance.choice(
                ([" " * 3 + lines[line]], [lines[line].strip()], [chance.choice(lines), lines[line]])
            )
            text = "\n".join(lines)
    return text
