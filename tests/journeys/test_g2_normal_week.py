"""G2: a normal week, without a shell: the digest, a request answered, the deadline moved by mail, reports read first and let go."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.journeys.campaigns import DAY, FRIDAY, HOUR, MINUTE, SATURDAY, WEEK, the_two_fords
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


def test_a_week_by_mail_alone(a_world: Callable[..., World]) -> None:
    world = a_world(SATURDAY, "fords", "gm", "ada", "ben")
    gm, ada, ben = (
        Gm(world, "gm", "Gwen", outlook),
        world.person("ada", "Ada", gmail),
        world.person("ben", "Ben", iphone),
    )
    the_two_fords(gm, "missing_limit: 1\n")
    cron = gm.cron("fords")
    cron.runs()
    ada.reads_one("orders for turn 1 are due Friday 5 March 2027")
    ada.replies("claim: 0102\nrequests: I court the heir of Fordham.")
    cron.runs()
    ada.reads_one("Filed for turn 1")
    world.clock.moves_to(FRIDAY + MINUTE)
    cron.runs()
    for person in (ada, ben, gm):
        person.reads()
    gm.edits("kingdoms/fords/campaign.yaml", "every: 7d", "every: 7d, review: 12h")

    # the digest a day before the deadline, answered by a reply
    world.clock.moves_to(FRIDAY + WEEK - 20 * HOUR)
    cron.runs()
    digest = gm.reads_one("I court the heir of Fordham.", "Ben (Borderia)")
    gm.replies('tell: [{to: examplia, answers: 1, text: "The heir smiles."}]', digest)
    cron.runs()
    gm.reads_one("Filed for turn 2", "The heir smiles.")

    # another request comes within one run; a plain reply to it goes to its player
    ada.replies("requests: Is the old mill haunted?", ada.opened[-1])
    cron.runs()
    ada.reads_one("Filed for turn 2")
    asked = gm.reads_one("Ada (Examplia) asks, for turn 2", "Is the old mill haunted?")
    gm.replies("Only on Sundays.", asked)
    cron.runs()
    ben.reads_nothing()
    gm.reads_one("Sent to Ada (Examplia), whose request you replied to.")
    assert gm.address not in ada.reads_one("Letter from Gwen", "Only on Sundays.").mail.as_string()

    # a day more
    gm.asks("extend 1d", to=digest)
    cron.runs()
    for person in (gm, ada, ben):
        person.reads_one("Saturday 13 March 2027")
    ben.replies("taxation: light")
    cron.runs()
    ben.reads_one("Filed for turn 2")

    # the old deadline passes, then the new one; the GM reads the book and lets the reports go
    world.clock.moves_to(FRIDAY + WEEK + MINUTE)
    assert "Turn 2 is due" not in cron.runs()
    world.clock.moves_to(FRIDAY + WEEK + DAY + MINUTE)
    assert "Turn 2 is due" in cron.runs()
    book = [mail for mail in gm.reads() if "Turn 2 of The two fords is resolved" in mail.text][-1]
    before = [*ada.reads(), *ben.reads()]
    assert not [mail for mail in before if "The heir smiles" in mail.text or ", turn 2\n" in mail.text]
    assert book.says("2 reports wait for your release", "they go out on Sunday 14 March 2027, 06:")
    gm.presses("Send them now", book)
    cron.runs()
    gm.reads_one("Released: 2 reports go out at once.")
    assert "The heir smiles." in ada.reads_one(", turn 2").text
    assert "heir" not in ben.reads_one(", turn 2").text
