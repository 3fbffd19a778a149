"""P7: somebody who never played taps what the welcome mail offers, and has filed orders that are worth something."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.journeys.campaigns import FRIDAY, HOUR, MINUTE, MONDAY, the_two_fords
from tests.journeys.gm import Gm
from tests.journeys.programs import gmail, iphone
from tests.journeys.world import World

pytestmark = [
    pytest.mark.long,
    pytest.mark.package("openssl", "openssl"),
    pytest.mark.package("dovecot-imapd", "dovecot"),
    pytest.mark.package("faketime", "faketime"),
    pytest.mark.filterwarnings("ignore:Requiring AUTH"),
]
SEND = "Send this"


def test_each_set_of_first_orders_is_filed_by_one_tap(a_world: Callable[..., World]) -> None:
    world = a_world(MONDAY, "fords", "gm", "ada", "ben", "dora")
    gm, dora = Gm(world, "gm", "Gwen", gmail), world.person("dora", "Dora", iphone)
    the_two_fords(gm, "missing_limit: 1\n")
    cron = gm.cron("fords")
    cron.runs()
    gm.types("scripts/kingdom invite ~/kingdoms/fords examplia dora@example.org --name Dora")
    cron.runs()
    welcome = dora.reads_one("Welcome to The two fords, Dora")
    world.clock.moves_to(MONDAY + HOUR)
    offered = [name for name, _ in dora.links(welcome)].count(SEND)
    assert offered == 3
    for number in range(1, offered + 1):
        dora.presses(SEND, welcome, number)
        cron.runs()
        assert "would be refused" not in dora.reads_one("Filed for turn 1").text
    world.clock.moves_to(FRIDAY + MINUTE)
    cron.runs()
    report = [mail for mail in dora.reads() if mail.says(", turn 1")][-1]
    assert re.search(r"Done: \w", report.text), report.text[:1500]
