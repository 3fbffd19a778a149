"""A campaign that one player follows by mail alone, week after week by the real program, and every mail as it lies in that player's box."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from unittest import mock

# from kingdom.books import verify
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import clock, substitute_orders
from kingdom.cli.main import main

FRIDAY = datetime(2026, 12, 4, 18, 0, tzinfo=UTC)  # the deadline of turn 1
HOUR, DAY, WEEK = timedelta(hours=1), timedelta(days=1), timedelta(days=7)
SEED = "5c0e7d1f9a3b48c2e6d07f5b19a4c83e5c0e7d1f9a3b48c2e6d07f5b19a4c83e"


class History:
    """A campaign whose first seat is Ada's; bots play the others. box: the folder of Ada's mails."""

    def __init__(self, place: Path, game: str, more: str = "", seats: int = 0):
        self.folder, self.box, self.now, self.sent = place / "campaign", place / "box", FRIDAY - 5 * DAY, 0
        self.box.mkdir(parents=True)
        wanted = ["--kingdoms", str(seats)] if seats else []
        assert main(["new", str(self.folder), "--game", game, *wanted]) == 0
        file = self.folder / "campaign.yaml"
        text = re.sub(r"^seed: .*$", f"seed: {SEED}", file.read_text(), flags=re.MULTILINE)
        names = list(campaigns.open_campaign(self.folder).seats)
        self.seat = names[0]
        self.bot = next(iter(campaigns.open_campaign(self.folder).game.bots))
        people = {name: f"{{name: {name.title()}, bot: {self.bot}}}" for name in names}
        people[self.seat] = "{name: Ada, email: ada@example.org, token: aaaa1}"
        for name, who in people.items():
            text = re.sub(rf"^  {name}: \{{.*$", f"  {name}: {who}", text, flags=re.MULTILINE)
        text = re.sub(r"^gm: .*$", "gm: {name: Gwen, email: gwen@example.org, token: gggg1}", text, flags=re.MULTILINE)
        text += "calendar: {deadline: 2026-12-04T18:00, zone: UTC, every: 7d}\nadvice: off\n" + more
        file.write_text(text)

    # --- what happens

    def do(self, *words: str, at: datetime | None = None, code: int = 0) -> None:
        """A command of the GM's, typed at that time, behind whose first word the campaign stands; then the mail is carried."""
        self.now = at or self.now
        with mock.patch.object(clock, "now", lambda: self.now):
            assert main([words[0], str(self.folder), *words[1:]]) == code, words
        self._carry()

    def begin(self) -> None:
        """Turn 0."""
        self.do("run")

    def mail(
        self, text: str, subject: str = "", at: datetime | None = None, sender: str = "ada", token: str = "aaaa1"
    ) -> None:
        """A mail to the campaign, taken in at once."""
        self.now = at or self.now
        self.sent += 1
        subject = subject or f"Orders {self.seat} {self.turn + 1}"
        head = (
            f"Received: from there by here; {format_datetime(self.now)}\nFrom: {sender}@example.org\n"
            f"Subject: {subject} [{token}]\nDate: {format_datetime(self.now)}\nMessage-ID: <{self.sent}@example.org>\n\n"
        )
        inbox = self.folder / "mail" / "inbox"
        inbox.mkdir(parents=True, exist_ok=True)
        file = inbox / f"{self.sent}.eml"
        file.write_text(head + text)
        os.utime(file, (self.now.timestamp(), self.now.timestamp()))
        self.do("run")

    def order(self) -> None:
        """Ada orders for the next turn what a bot would."""
        campaign = campaigns.open_campaign(self.folder)
        turn = campaigns.kept(campaign)
        state, rules = campaigns.state_of(campaign, turn), campaigns.rules_of(campaign, turn).rules
        if campaigns.unasked(campaign, self.turn + 1) & {self.seat}:
            return
        text = substitute_orders.text_of(
            campaign.game, campaign.game.bots[self.bot], state, self.seat, rules, f"{self.turn}"
        ).decode()
        self.mail(text, at=self.deadline - DAY)

    def week(self, orders: bool = True) -> None:
        """Orders, and the deadline."""
        if orders:
            self.order()
        self.do("run", at=self.deadline + HOUR)

    # --- how things stand

    @property
    def turn(self) -> int:
        """The newest kept turn."""
        return campaigns.newest(campaigns.open_campaign(self.folder))

    @property
    def deadline(self) -> datetime:
        """Of the next turn."""
        return FRIDAY + self.turn * WEEK

    def _carry(self) -> None:
        """What lies in the outbox goes to its readers; Ada's server writes its line on top."""
        for file in sorted((self.folder / "mail" / "outbox").glob("*.eml"), key=lambda file: file.stat().st_mtime_ns):
            data = file.read_bytes()
            if b"\nTo: ada@example.org" in data[:4000]:
                came = f"Received: from there by mx.example.net; {format_datetime(self.now)}\r\n".encode()
                number = len(list(self.box.iterdir()))
                (self.box / f"{number:03}-{file.name}").write_bytes(came + data)
            file.unlink()
