"""G3: a bad week: the mailbox's password expires, a player's address bounces, a turn waits; what the GM reads, and the cure, followed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.journeys.campaigns import DAY, FRIDAY, HOUR, MINUTE, MONDAY, the_two_fords
from tests.journeys.gm import Gm
from tests.journeys.programs import gmail, outlook
from tests.journeys.world import World
from tests.kit.mailservers import PASSWORD

pytestmark = [
    pytest.mark.long,
    pytest.mark.package("openssl", "openssl"),
    pytest.mark.package("dovecot-imapd", "dovecot"),
    pytest.mark.package("faketime", "faketime"),
    pytest.mark.package("postfix", "postfix"),
    pytest.mark.filterwarnings("ignore:Requiring AUTH"),
]


def test_the_password_expires_and_is_set_anew(a_world: Callable[..., World]) -> None:
    world = a_world(MONDAY, "fords", "gm", "ada", "ben")
    gm, ada = Gm(world, "gm", "Gwen", gmail), world.person("ada", "Ada", gmail)
    the_two_fords(gm, f"alert: tee -a {gm.home}/alerts\n")
    cron = gm.cron("fords")
    cron.runs()
    ada.replies("taxation: light", ada.reads_one())
    world.changes_the_password("fords", "battery-staple-8")
    world.clock.moves_to(MONDAY + HOUR)
    for _ in range(2):
        assert "refused the password" in cron.runs(code=5)
    ada.reads_nothing()
    told = (gm.home / "alerts").read_text()
    assert told.count("refused the password") == 1, "the GM's command is told once a day"
    assert "WRONG" in gm.types(f"FORDS_PASSWORD={PASSWORD} scripts/kingdom mail check campaigns/fords", code=5)
    gm.saves(".kingdom-passwords", "export FORDS_PASSWORD=battery-staple-8\n", 0o600)
    gm.types(". ~/.kingdom-passwords; scripts/kingdom mail check campaigns/fords")
    cron.runs()
    ada.reads_one("Filed for turn 1", "taxation: light")


def test_an_address_bounces_and_the_gm_mends_it(a_world: Callable[..., World]) -> None:
    world = a_world(MONDAY, "fords", "gm", "ada", "ben")
    gm, ben = Gm(world, "gm", "Gwen", gmail), world.person("ben", "Ben", outlook)
    the_two_fords(gm)
    gm.edits("campaigns/fords/campaign.yaml", "email: ben@example.org", "email: ben@gone.example")
    cron = gm.cron("fords")
    cron.runs()  # the server takes the mail and finds out later
    world.clock.moves_to(MONDAY + HOUR)
    cron.runs()
    assert "ben@gone.example" in gm.types("scripts/kingdom status campaigns/fords")
    world.clock.moves_to(FRIDAY - 20 * HOUR)
    cron.runs()
    assert [mail for mail in gm.reads() if "ben@gone.example" in mail.text], "the digest names the address"
    gm.types("scripts/kingdom invite campaigns/fords borderia ben@example.org --name Ben")
    cron.runs()
    assert [mail for mail in ben.reads() if mail.says("Welcome to The two fords, Ben")]


def test_nobody_files_and_the_turn_waits_until_the_gm_runs_it(a_world: Callable[..., World]) -> None:
    world = a_world(MONDAY, "fords", "gm", "ada", "ben")
    gm, ada = Gm(world, "gm", "Gwen", gmail), world.person("ada", "Ada", gmail)
    the_two_fords(gm)
    cron = gm.cron("fords")
    cron.runs()
    world.clock.moves_to(FRIDAY - DAY)
    cron.runs()
    gm.reads()
    world.clock.moves_to(FRIDAY + MINUTE)
    cron.runs()
    gm.reads_one("Turn 1 waits", "examplia", "borderia")
    cron.runs()
    gm.reads_nothing()
    assert "18:00 (Etc/UTC): 1 minute ago." in gm.types("scripts/kingdom status campaigns/fords")
    ada.reads()
    gm.types("scripts/kingdom turn campaigns/fords")
    cron.runs()
    ada.reads_one(", turn 1")
