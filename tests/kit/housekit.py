"""A house of three campaigns with the servers of its one address, and what its people write and get."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from tests.kit import mailservers
from tests.kit.mailservers import PLAYERS, Mailbox, Postbox
from tests.kit.tiny_game import write

NOW = datetime(2026, 11, 21, 13, 0, tzinfo=UTC)
ADDRESS = "play@example.org"
HOUSE = """\
name: The North
host: {{name: Hal, email: hal@example.org, token: hhhhh}}
mail: {{address: {address}, imap: {imap}, smtp: {smtp}}}
defaults: {{missing_limit: 1}}
"""


class House:
    """A folder of three campaigns whose players have tokens of their own, and the servers of its one address."""

    def __init__(self, place: Path, box: Mailbox, post: Postbox):
        self.folder, self.box, self.post, self.sent = place / "house", box, post, 0
        for name in ("alba", "bern", "caen"):
            self.campaign(name)
        write(
            self.folder,
            "house.yaml",
            HOUSE.format(address=ADDRESS, imap=mailservers._flow(box.server()), smtp=mailservers._flow(post.server())),
        )

    def campaign(self, name: str, **tokens: str) -> Path:
        """A campaign of the house: its seats are ann, bob and cyn, and so are its players; a token is the seat's with the campaign's letter."""
        folder = mailservers.campaign(self.folder / name)
        text = (folder / "campaign.yaml").read_text()
        for seat, token in {**PLAYERS, "gm": "ggggg"}.items():
            text = text.replace(token, tokens.get(seat, token + name))
        text = text.replace("name: A tally", f"name: Tally of {name.title()}")
        lines = [line for line in text.splitlines() if not line.startswith("mail:")]
        write(folder, "campaign.yaml", "\n".join(lines).replace("gm@", f"gm-{name}@") + "\n")
        return folder

    def mail(self, sender: str, subject: str, text: str = "take: 1", **headers: str) -> bytes:
        """A mail to the house lies in its mailbox."""
        self.sent += 1
        head = {
            "Received": "from there by mx.example.org; Sat, 21 Nov 2026 12:30:00 +0000",
            "From": f"{sender}@example.org",
            "To": ADDRESS,
            "Subject": subject,
            "Date": "Sat, 21 Nov 2026 12:00:00 +0000",
            "Message-ID": f"<{self.sent}@mail.example.org>",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        data = "".join(f"{name}: {value}\r\n" for name, value in head.items()).encode() + f"\r\n{text}\r\n".encode()
        self.box.deliver(data)
        return data

    def handled(self, name: str) -> list[tuple[str, str]]:
        """(seat, outcome) of each message that a campaign took."""
        file = self.folder / name / "mail" / "journal.jsonl"
        lines = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
        return [(line["kingdom"], line["outcome"]) for line in lines if line["event"] == "handled"]

    def got(self, person: str) -> list[EmailMessage]:
        """The mails that a person got, the oldest first."""
        return [
            message_from_bytes(one.data, policy=policy.default)
            for one in self.post.received
            if one.to == (f"{person}@example.org",)
        ]


def text(mail: EmailMessage) -> str:
    """What a mail says, on one line."""
    body = mail.get_body(("plain",))
    assert body is not None
    return " ".join(body.get_content().split())
