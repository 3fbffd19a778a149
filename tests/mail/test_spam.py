"""What SpamAssassin's own rules say of each kind of mail, without asking any other computer: nothing that counts."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from email import message_from_bytes
from email.policy import compat32
from pathlib import Path

import pytest

from kingdom.campaign import campaign as campaigns
from kingdom.cli.main import main
from tests.kit.onemail import Mail, Table

pytestmark = pytest.mark.package("spamassassin", "spamassassin")

MOST = 0.5  # points of 5 that make a mail spam
ROOT = Path(__file__).parents[2]
ASKED = ("status", "report", "map", "rules", "schema", "help", "orders", "form", "advice", "verify", "away 2", "back", "withdraw", "statsu", "resign", "to ben")  # fmt: skip
BY_GM = ("status", "extend 2d", "hold", "release", "skip ben", "invite ben dora@example.org Dora", "help", "map")
SENT = (
    "claim 0809\n",
    "clam 0809\n",
    "taxation: light\nbuild: jail\n",
    "May I court the heir?\n",
    "try\nclaim: 0809\n",
)
BOARDS = ("kings_progress", "royal_progress", "cardinals_guards", "kings_pouch")


def scores(mails: Mapping[str, bytes]) -> dict[str, tuple[float, str]]:
    """Name -> (points, the rules that gave them) of mails."""
    box = b"".join(
        b"From x Sun Nov 29 00:00:00 2026\nX-Name: %s\n%s\n" % (name.encode(), data.replace(b"\r\n", b"\n"))
        for name, data in mails.items()
    )
    command = ["spamassassin", "--local", "--mbox", "--prefspath=/dev/null"]
    said = subprocess.run(command, input=box, capture_output=True, check=True, timeout=300).stdout
    found: dict[str, tuple[float, str]] = {}
    for one in re.split(rb"(?m)^From x .*\n", said)[1:]:
        mail = message_from_bytes(one, policy=compat32)
        status = " ".join(str(mail["X-Spam-Status"]).split())
        points = re.search(r"score=(-?[\d.]+)", status)
        assert points, status
        found[str(mail["X-Name"])] = float(points[1]), status.partition("tests=")[2].partition(" autolearn")[0]
    return found


def wrong(mails: Mapping[str, bytes]) -> dict[str, tuple[float, str]]:
    """The mails that get more than MOST points."""
    found = scores(mails)
    assert found.keys() == mails.keys()
    return {name: one for name, one in found.items() if one[0] > MOST}


def answers(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Reports, and what comes of commands, orders, questions and letters."""
    table = Table(folder)
    yield from ((f"report {who}", mail.as_bytes()) for who, mail in table.reports.items())
    asked = [Mail("ada", "Shall we meet at the ford?\n" if word == "to ben" else "", subject=f"{word} [TOKEN]") for word in ASKED]  # fmt: skip
    by_gm = [Mail("gm", "", subject=f"{word} [TOKEN]") for word in BY_GM]
    for mail in (*asked, *by_gm, *(Mail("ada", text, answers="report") for text in SENT)):
        for number, one in enumerate(table.take(mail).mails):
            yield f"{mail.who} {mail.subject or mail.body.strip()} {number}".replace("\n", " "), one.as_bytes()


def test_reports_answers_letters_and_news(tmp_path: Path) -> None:
    mails = dict(answers(tmp_path / "campaign"))
    assert len(mails) > 30 and wrong(mails) == {}


def test_reports_of_a_large_and_of_a_destroyed_kingdom_and_the_gms_book(tmp_path: Path) -> None:
    folder = tmp_path / "greenmarch"
    shutil.copytree(ROOT / "campaigns" / "greenmarch", folder)
    assert main(["run", str(folder)]) == 0
    mails = {file.stem: file.read_bytes() for file in (folder / "mail/outbox").glob("*.eml")}
    assert len(mails) > 8 and wrong(mails) == {}


@pytest.mark.long
def test_welcomes_of_every_game_and_reports_of_board_games(tmp_path: Path) -> None:
    mails: dict[str, bytes] = {}
    for game in ("realm", *BOARDS):
        folder = tmp_path / game
        assert main(["new", str(folder), "--game", game]) == 0
        seats = campaigns.open_campaign(folder).seats
        file = folder / "campaign.yaml"
        file.write_text(
            re.sub("(?m)^seed: .*", f"seed: {'3141592653589793238462643383279502884197'}", file.read_text())
        )
        for seat in seats[:2]:
            assert main(["invite", str(folder), seat, f"{seat}@example.org", "--name", "Ada"]) == 0
        assert main(["turn", str(folder)]) == main(["run", str(folder)]) == 0
        assert main(["turn", str(folder), "--yes"]) == main(["run", str(folder)]) == 0
        mails |= {f"{game} {file.stem}": file.read_bytes() for file in (folder / "mail/outbox").glob("*.eml")}
    assert len(mails) >= 20 and wrong(mails) == {}
