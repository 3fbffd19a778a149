"""Campaigns that journeys begin with, where the journey is not about setting one up."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tests.journeys.gm import Gm
from tests.journeys.world import World
from tests.kit import small_realm
from tests.kit.mailservers import NAME, PASSWORD
from tests.kit.tiny_game import write

MONDAY = datetime(2027, 3, 1, 19, 0, tzinfo=UTC)
FRIDAY = datetime(2027, 3, 5, 18, 0, tzinfo=UTC)  # the first deadline
SATURDAY = datetime(2027, 2, 27, 9, 0, tzinfo=UTC)
MINUTE, HOUR, DAY, WEEK = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1), timedelta(days=7)
MAILBOX = """\
mail:
  address: {account}@example.org
  imap: {{host: {host}, port: {imap}, tls: implicit, username: {user}, password_env: {variable}}}
  smtp: {{host: {host}, port: {smtp}, tls: starttls, username: {user}, password_env: {variable}}}
"""
FORDS = """\
name: The two fords
game: realm
seed: public, this is a test
public_seed: true
rules: {events: {chance: {normal: 0, after_quiet_turn: 0}}, trade: {between_neighbours: false}}
gm: {name: Gwen, email: gm@example.org, token: g5s1r}
players:
  examplia: {name: Ada, email: ada@example.org, token: k7f3q}
  borderia: {name: Ben, email: ben@example.org, token: b8w2m}
calendar: {deadline: 2027-03-05T18:00, zone: Etc/UTC, every: 7d, remind: [12h]}
"""


def mailbox(world: World, account: str) -> str:
    """The block `mail` of campaign.yaml for an account of this world, as docs/mail.md has it."""
    return MAILBOX.format(
        account=account, host=NAME, imap=world.dovecot.implicit, smtp=world.post.port, user=world.boxes[account].user,
        variable=f"{account.upper()}_PASSWORD",
    )  # fmt: skip


def knows_the_password(gm: Gm, account: str) -> None:
    """The file from which cron's line takes the password."""
    gm.saves(".kingdom-passwords", f"export {account.upper()}_PASSWORD={PASSWORD}\n", 0o600)


def the_two_fords(gm: Gm, more: str = "") -> str:
    """Ada's and Ben's kingdoms, before turn 0, with the mailbox `fords`. more: what else stands in campaign.yaml."""
    folder = small_realm.campaign(gm.home / "kingdoms/fords")
    write(folder, "campaign.yaml", FORDS + mailbox(gm.world, "fords") + more)
    knows_the_password(gm, "fords")
    return "~/kingdoms/fords"
