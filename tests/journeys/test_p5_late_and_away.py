"""P5: late, away, back, resigned; a replacement takes the seat."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.journeys.campaigns import DAY, FRIDAY, HOUR, MINUTE, MONDAY, WEEK, the_two_fords
from tests.journeys.gm import Gm
from tests.journeys.programs import gmail, iphone, outlook
from tests.journeys.world import World

pytestmark = [
    pytest.mark.long,
    pytest.mark.package("openssl", "openssl"),
    pytest.mark.package("dovecot-imapd", "dovecot"),
    pytest.mark.package("faketime", "faketime"),
    pytest.mark.filterwarnings("ignore:Requiring AUTH"),
]


def test_late_then_away_then_resigned_and_replaced(a_world: Callable[..., World]) -> None:
    world = a_world(MONDAY, "fords", "gm", "ada", "ben", "dora")
    gm, ada, ben = Gm(world, "gm", "Gwen", gmail), world.person("ada", "Ada", gmail), world.person("ben", "Ben", iphone)
    dora = world.person("dora", "Dora", outlook)
    the_two_fords(gm, "missing_limit: 1\n")
    cron = gm.cron("fords")
    cron.runs()
    start = ben.reads_one("Orders for turn 1 are due on Friday 5 March 2027")

    # five minutes late: the turn is resolved, and Ben is told so
    world.clock.moves_to(FRIDAY + MINUTE)
    cron.runs()
    ben.reads()
    world.clock.moves_to(FRIDAY + 5 * MINUTE)
    ben.replies("turn: 1\ntaxation: light", start)
    cron.runs()
    late = ben.reads_one("Turn 1 is resolved")
    assert late.says("Not filed")

    # away for a turn: it is announced with the next reports
    world.clock.moves_to(FRIDAY + DAY)
    ben.asks("away 1", to=late)
    cron.runs()
    ben.reads_one("away")
    ada.reads()
    world.clock.moves_to(FRIDAY + WEEK + MINUTE)
    cron.runs()
    assert [mail for mail in ada.reads() if mail.says("turn 2") and "away" in mail.text]

    # he gives the seat up; Dora takes it
    report = ben.reads()[-1]
    ben.asks("resign", to=report)
    cron.runs()
    ben.reads_one()
    gm.reads()
    gm.types("scripts/kingdom invite campaigns/fords borderia dora@example.org --name Dora")
    world.clock.moves_to(FRIDAY + WEEK + HOUR)
    cron.runs()
    welcome = dora.reads_one("Welcome to The two fords, Dora")
    dora.replies("taxation: normal", welcome)
    cron.runs()
    dora.reads_one("Filed for turn 3", "taxation: normal")

    # who held the seat before is out
    ben.replies("taxation: heavy", report)
    cron.runs()
    assert not [mail for mail in ben.reads() if mail.says("Filed for")]
    dora.reads_nothing()
    world.clock.moves_to(FRIDAY + 2 * WEEK + MINUTE)
    cron.runs()
    assert [mail for mail in dora.reads() if mail.says("Taxation") and mail.says("turn 3")]
    ben.reads_nothing()
