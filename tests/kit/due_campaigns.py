"""Campaigns with a due turn, no two alike, as tests of many processes run them, and a run of them by one process."""

from __future__ import annotations

import io
import shutil
from contextlib import redirect_stderr, redirect_stdout
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from kingdom.campaign import clock
from kingdom.cli.main import main

NOW = datetime(2027, 2, 19, tzinfo=UTC)  # a few hours after the deadline of turn 3
SEED = "5c0e7d1f9a3b48c2e6d07f5b19a4c83e5c0e7d1f"
TOKENS = ("g5s1r0", "k7f3q9", "b8w2m4")
HEAD = """\
name: The two fords
game: realm
seed: {seed}
rules: {{events: {{chance: {{normal: 0, after_quiet_turn: 0}}}}, trade: {{between_neighbours: false}}{rules}}}
gm: {{name: Gm, email: keeper@example.org, token: g5s1r0}}
players:
  examplia: {{name: Ada, email: ada.lace@example.org, token: k7f3q9}}
  borderia: {{name: Bo, email: bo@example.org, token: b8w2m4{bot}}}
calendar: {{deadline: 2027-02-04T18:00, zone: Europe/Berlin, every: 7d}}
missing_limit: 1
{more}
"""
BY_MAIL = "mail: {address: fords+o'neil@example.org}\n"
KINDS = {  # name of a campaign -> (what is added to campaign.yaml, to its rules, to a player)
    "plain": (BY_MAIL, "", ""),
    "published": (BY_MAIL + "publish: {folder: ../pages, url: 'https://example.org/fords'}\n", "", ""),
    "carried": ("", "", ""),  # a person sends the mails: answers go to the GM
    "bots": (BY_MAIL + "steward_after: 1\nadvice: off\n", "", ", bot: steady"),
    "announced": (BY_MAIL, ", from: 5, control_dc: {base: 19}", ""),
    "ends": (BY_MAIL + "ends: {turn: 3}\n", "", ""),
    "wrong": (BY_MAIL, "", ""),
    "blabbed": (BY_MAIL, "", ""),
    "told": (BY_MAIL + "missing_orders: nothing\n", "", ""),
    "reviewed": (BY_MAIL.replace("mail", "edition: 2\nmail"), "", ""),
    "torn": (BY_MAIL, "", ""),
}
BY_US = frozenset(("ends", "wrong", "blabbed", "torn"))  # whose turn nobody else may make, or can
LINES = [
    {"event": "away", "kingdom": "borderia", "turn": 3, "turns": 3},
    {"event": "put_off", "turn": 4, "by": "2d", "message": "5d41402abc4b2a76"},
    {"event": "resigned", "kingdom": "examplia", "turn": 3},
    {"event": "told", "what": "clock", "kingdom": "gm", "turn": 0, "mark": ""},
]
FEW = ("plain", "published", "carried", "told", "wrong", "torn")  # where it is not about what kinds there are


class Run(NamedTuple):
    """A run that ended: its folder of campaigns, its exit code with standard output and standard error."""

    house: Path
    said: tuple[int, str, str]


def run_by_one(made: Path, place: Path) -> Run:
    """Copy a folder of campaigns and have one process run it."""
    house = shutil.copytree(made, place / "house")
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(clock, "now", lambda: NOW)
        patch.chdir(house.parent)
        code = main(["run", "house", "--workers", "1"])
    texts = [(file.flush(), file.buffer.getvalue().decode())[1] for file in (out, err)]
    return Run(house, (code, *texts))
