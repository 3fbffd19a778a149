"""P4: prose to the GM, a question above the quote, thanks, an out-of-office, a signature with a number that looks like a hex."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.journeys.campaigns import HOUR, MONDAY, the_two_fords
from tests.journeys.gm import Gm
from tests.journeys.programs import gmail, iphone, mutt, outlook
from tests.journeys.world import World

pytestmark = [
    pytest.mark.long,
    pytest.mark.package("openssl", "openssl"),
    pytest.mark.package("dovecot-imapd", "dovecot"),
    pytest.mark.package("faketime", "faketime"),
    pytest.mark.package("mutt", "mutt"),
    pytest.mark.filterwarnings("ignore:Requiring AUTH"),
]


def test_a_signature_with_a_number_is_no_order(a_world: Callable[..., World]) -> None:
    world = a_world(MONDAY, "fords", "gm", "ada", "ben")
    gm, ada = (
        Gm(world, "gm", "Gwen", gmail),
        world.person("ada", "Ada", mutt),
    )  # whose signature says: Order your tea at 0404
    the_two_fords(gm)
    cron = gm.cron("fords")
    cron.runs()
    ada.reads_one()
    ada.replies("taxation: light")
    cron.runs()
    assert "claim" not in ada.reads_one("Filed for turn 1", "taxation: light").text


def test_a_question_above_the_quote_reaches_the_gm_whose_plain_reply_reaches_the_player(
    a_world: Callable[..., World],
) -> None:
    world = a_world(MONDAY, "fords", "gm", "ada", "ben")
    gm, ada, ben = (
        Gm(world, "gm", "Gwen", outlook),
        world.person("ada", "Ada", gmail),
        world.person("ben", "Ben", iphone),
    )
    the_two_fords(gm)
    cron = gm.cron("fords")
    cron.runs()
    for person in (gm, ada, ben):
        person.reads_one()
    world.clock.moves_to(MONDAY + HOUR)
    ada.replies("Hi Gwen, may I build on the river hex before I have a bridge?")
    cron.runs()
    question = gm.reads_one("may I build on the river hex")
    assert ada.address not in question.mail.as_string()
    ada.reads_one("Gwen")  # one friendly line: the GM has it
    gm.replies("Yes, but it floods in spring.", question)
    cron.runs()
    answer = [mail for mail in ada.reads() if mail.says("Yes, but it floods in spring.")]
    assert len(answer) == 1 and gm.address not in answer[0].mail.as_string()
    ben.reads_nothing()
