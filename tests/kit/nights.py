"""A night: a house of small campaigns whose turns fall due at once, run by a process of its own while others die."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import ssl
import subprocess
import sys
import time
from collections import Counter
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from pathlib import Path

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import keeping, next_turn
from kingdom.campaign.audit import audit
from tests.kit import small_realm
from tests.kit.mailservers import PASSWORD, VARIABLE, Postbox
from tests.kit.tiny_game import file_orders, write

ROOT = Path(__file__).parents[2]
SEATS = ("examplia", "borderia")
HOUSE = """\
name: The North
host: {{name: Hal, email: hal@example.org}}
mail: {{address: play@example.org, smtp: {{host: localhost, port: {port}, tls: none, username: orders, password_env: {variable}}}}}
defaults: {{missing_limit: 1}}
"""
CAMPAIGN = """\
name: Fords {number}
game: realm
seed: "{number} 5c0e7d1f9a3b48c2e6d07f5b19a4c83e"
gm: {{name: Gm, email: gm-{number}@example.org, token: ggg{number}x}}
players:
  examplia: {{name: Ada, email: ada-{number}@example.org, token: aaa{number}x}}
  borderia: {{name: Bo, email: bo-{number}@example.org, token: bbb{number}x}}
calendar: {{deadline: {deadline}, zone: UTC, every: 7d}}
subject: plain
advice: off
"""


class Night:
    """A house of `count` campaigns with turn 0 kept and orders filed for turn 1, whose deadline was yesterday, and the server that takes
    its mail."""

    def __init__(self, place: Path, count: int):
        self.folder = place / "house"
        self.names = [f"c{number:04}" for number in range(count)]
        self.post = Postbox(None, "none", ssl.create_default_context())  # type: ignore[arg-type]  # no TLS, nobody to vouch
        write(self.folder, "house.yaml", HOUSE.format(port=self.post.port, variable=VARIABLE))
        deadline = f"{datetime.now() - timedelta(days=1):%Y-%m-%dT%H:%M}"
        for number, name in enumerate(self.names):
            folder = small_realm.campaign(self.folder / name)
            write(folder, "campaign.yaml", CAMPAIGN.format(number=number, deadline=deadline))
            opened = campaigns.open_campaign(folder)
            keeping.keep(opened, [next_turn.opening_draft(opened, campaigns.rules_today(opened))])
            file_orders(folder, 1, "examplia", "claim: 0102\nbuild: house in Oakhold\n")

    def again(self, place: Path) -> Night:
        """The same night once more, in another folder; nothing was sent in it yet."""
        other = object.__new__(Night)
        other.folder, other.names, other.post = shutil.copytree(self.folder, place / "house"), self.names, self.post
        self.post.received.clear()
        return other

    def start(self, *words: str) -> subprocess.Popen:
        """Run it, in a process of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "kingdom", "run", str(self.folder), *words],
            cwd=ROOT,
            env={**os.environ, VARIABLE: PASSWORD},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *words: str) -> tuple[int, str, str]:
        """Run it to its end: (exit code, standard output, standard error)."""
        process = self.start(*words)
        out, err = process.communicate()
        return process.returncode, out, err

    def kept(self) -> int:
        """How many turns were kept so far."""
        return len([*self.folder.glob("*/turns/0001")])

    def wait_for(self, kept: int, process: subprocess.Popen) -> None:
        """Wait until so many turns are kept."""
        while self.kept() < kept and process.poll() is None:
            time.sleep(0.01)

    def prove(self, *damaged: str) -> None:
        """Prove that each turn is kept once, and that each report of a campaign that is not damaged was sent once."""
        healthy = [name for name in self.names if name not in damaged]
        for name in healthy:
            campaign = campaigns.open_campaign(self.folder / name)
            assert sorted(place.name for place in campaign.turns.iterdir()) == ["0000", "0001"], name
            assert not audit(campaign).problems, name
            assert not [*(campaign.folder / "mail" / "outbox").glob("*.eml")], name
        numbers = [int(name[1:]) for name in healthy]
        due = {(f"{who}-{number}@example.org", "Report of turn 1") for number in numbers for who in ("ada", "bo")}
        due |= {(f"gm-{number}@example.org", "Your book of turn 1") for number in numbers}
        others = {f"{who}-{int(name[1:])}@example.org" for name in damaged for who in ("ada", "bo", "gm")}
        sent = Counter((to, subject) for to, subject in self.sent() if "turn 1" in subject and to not in others)
        assert sorted(sent.items()) == sorted(dict.fromkeys(due, 1).items())

    def sent(self) -> list[tuple[str, str]]:
        """(to whom, the subject without the campaign's name) of each mail that the server took."""
        found = []
        for mail in self.post.received:
            read = message_from_bytes(mail.data, policy=policy.default)
            found.append((mail.to[0], re.sub(r"^\[.*?\] ", "", str(read["Subject"]))))
        return found


def children(process: subprocess.Popen) -> list[int]:
    """The worker processes that a process has now."""
    try:
        ids = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        return [int(id) for id in ids if b"spawn_main" in Path(f"/proc/{id}/cmdline").read_bytes()]
    except OSError:
        return []


def kill_one(ids: list[int], chance: random.Random) -> bool:
    """Kill one of these at once; whether there was one."""
    if not ids:
        return False
    try:
        os.kill(chance.choice(ids), signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True
