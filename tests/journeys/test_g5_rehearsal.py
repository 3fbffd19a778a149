"""G5: a rehearsal: next week's mails, seen today as a page; nobody is mailed, nothing changes."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest

from tests.journeys.campaigns import FRIDAY, MINUTE, MONDAY, the_two_fords
from tests.journeys.gm import Gm
from tests.journeys.programs import gmail, iphone
from tests.journeys.world import World
from tests.kit.tiny_game import contents

pytestmark = [
    pytest.mark.long,
    pytest.mark.package("openssl", "openssl"),
    pytest.mark.package("dovecot-imapd", "dovecot"),
    pytest.mark.package("faketime", "faketime"),
    pytest.mark.filterwarnings("ignore:Requiring AUTH"),
]


def test_next_weeks_mails_are_seen_today_and_nobody_gets_one(a_world: Callable[..., World]) -> None:
    world = a_world(MONDAY, "fords", "gm", "ada", "ben")
    gm, ada, ben = Gm(world, "gm", "Gwen", gmail), world.person("ada", "Ada", gmail), world.person("ben", "Ben", iphone)
    the_two_fords(gm)
    folder = gm.home / "kingdoms/fords"
    cron = gm.cron("fords")
    cron.runs()
    for person in (ada, ben):
        person.replies("taxation: light", person.reads_one())
    cron.runs()
    for person in (gm, ada, ben):
        person.reads()
    before = contents(folder)

    # the deadline to come, then another moment; the password is not asked for
    said = gm.types("scripts/kingdom rehearse ~/kingdoms/fords")
    print(said)
    page = unescape((gm.clone / "rehearsal.html").read_text())
    (gm.home / "page.html").write_text(page)
    for words in (
        "[The two fords] 1: ",
        "ada@example.org",
        "ben@example.org",
        "Turn 1 of The two fords is resolved",
    ):
        assert words in page, words
    gm.types("scripts/kingdom rehearse ~/kingdoms/fords --at 2027-03-05T07:00 --to reminders.html")
    print(re.findall(r"\[The two fords\][^<]*", unescape((gm.clone / "reminders.html").read_text())))
    assert contents(folder) == before
    world.settle()
    for person in (gm, ada, ben):
        person.reads_nothing()

    # what comes is what was shown
    world.clock.moves_to(FRIDAY + MINUTE)
    cron.runs()
    shown = re.findall(r"\[The two fords\] [^<\n]*", page.replace("\xa0", " "))  # figures stay with their units
    for person in (ada, ben):
        mails = person.reads()
        assert any(mail.subject.startswith("[The two fords] 1: ") for mail in mails)
        assert {mail.subject for mail in mails} <= set(shown), shown
