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
    start = ben.reads_one("orders for turn 1 are due Friday 5 March 2027")

    # five minutes late: the turn is resolved, and Ben is told so
    world.clock.moves_to(FRIDAY + MINUTE)
    cron.runs()
    ben.reads()
    world.clock.moves_to(FRIDAY + 5 * MINUTE)
    ben.replies("turn: 1\ntaxation: light", start)
    cron.runs()
    late = ben.reads_one("NOT filed for turn 2", "Orders for turn 1 came 5 minutes after the deadline")
    assert late.says("Not filed") and [mail for mail in gm.reads() if mail.says("Ben (Borderia)", "5 minutes after")]
    ben.presses("File them for turn 2", late)
    cron.runs()
    ben.reads_one("Filed for turn 2", "taxation: light")

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
    gm.types("scripts/kingdom invite ~/kingdoms/fords borderia dora@example.org --name Dora")
    world.clock.moves_to(FRIDAY + WEEK + HOUR)
    cron.runs()
    welcome = dora.reads_one("Welcome to The two fords, Dora")
    ben.reads_one("was handed on", "Thank you for playing.")
    dora.replies("taxation: normal", welcome)
    cron.runs()
    dora.reads_one("Filed for turn 3", "taxation: normal")

    # who held the seat before is out: nothing of it is filed, answered or passed on
    gm.reads()
    ada.reads()
    ben.replies("taxation: heavy", report)
    ben.replies("May I come back, Gwen?", report)
    ben.asks("back", to=report)
    ben.asks("to examplia", "Psst, Ada!", report)
    cron.runs()
    for person in (gm, ada, ben, dora):
        person.reads_nothing()
    assert "taxation: heavy" not in (gm.home / "kingdoms/fords/orders/0003/borderia.yaml").read_text()
    world.clock.moves_to(FRIDAY + 2 * WEEK + MINUTE)
    cron.runs()
    dora.reads_one("] 3: ", "Borderia The two fords, turn 3", "Done: taxation: normal")
    ben.reads_nothing()


def test_late_while_the_gm_holds_the_turn_is_filed_for_it(a_world: Callable[..., World]) -> None:
    world = a_world(MONDAY, "fords", "gm", "ada", "ben")
    gm, ada, ben = Gm(world, "gm", "Gwen", gmail), world.person("ada", "Ada", gmail), world.person("ben", "Ben", iphone)
    the_two_fords(gm, "missing_limit: 1\n")
    cron = gm.cron("fords")
    cron.runs()
    start = ben.reads_one()
    ada.replies("taxation: light", ada.reads_one())
    gm.asks("hold", to=gm.reads_one())
    cron.runs()
    held = gm.reads_one("Turn 1 is held", "Orders that come late until then are filed for it")
    assert [mail.subject.partition("] ")[2] for mail in ada.reads()] == ["Filed for turn 1", "Turn 1 is held"]
    ben.reads_one("Turn 1 is held", "Until then you can file or change your orders, after the deadline too.")
    world.clock.moves_to(FRIDAY + MINUTE)
    cron.runs()
    ben.reads()
    gm.reads()
    world.clock.moves_to(FRIDAY + 9 * MINUTE)
    ben.replies("taxation: heavy", start)
    cron.runs()
    ben.reads_one("Filed for turn 1", "taxation: heavy", "9 minutes after the deadline", "holds the turn")
    gm.reads_one("Ben (Borderia), late but filed", "9 minutes after the deadline")
    gm.presses("release", held)
    cron.runs()
    assert ben.reads_one("] 1: ").says("heavy") and ada.reads_one("] 1: ").says("light")
    assert [mail for mail in gm.reads() if mail.says("Turn 1 of The two fords is resolved")]


def test_away_until_a_day_then_back_then_resigned_and_back_again(a_world: Callable[..., World]) -> None:
    world = a_world(MONDAY, "fords", "gm", "ada", "ben")
    gm, ada, ben = Gm(world, "gm", "Gwen", gmail), world.person("ada", "Ada", gmail), world.person("ben", "Ben", iphone)
    the_two_fords(gm)
    cron = gm.cron("fords")
    cron.runs()
    for person in (gm, ada):
        person.reads_one()
    ben.asks("away until 12 March", to=ben.reads_one())
    cron.runs()
    noted = ben.reads_one("You are away", "for turns 1 to 2, until 12 March")
    gm.reads_one("Ben (Borderia) is away for turns 1 to 2.")
    ben.presses("I am back", noted)
    cron.runs()
    ben.reads_one("You are back", "you are back")
    gm.reads_one("Ben (Borderia) is back.")
    ben.asks("resign")
    cron.runs()
    gone = ben.reads_one("You gave up your seat")
    gm.reads_one("Ben (Borderia) gives up the seat.")
    ben.presses("Take it back", gone)
    cron.runs()
    ben.reads_one("you keep your seat")
    gm.reads_one("Ben (Borderia) keeps the seat after all.")
    ada.reads_nothing()
    ben.asks("away until never")
    cron.runs()
    ben.reads_one("Not done", "away until")
