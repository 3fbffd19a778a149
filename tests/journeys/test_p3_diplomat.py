"""P3: letters to a rival, to all and to the GM, and answers to them; nobody's address is shown."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.journeys.campaigns import HOUR, MONDAY, the_two_fords
from tests.journeys.gm import Gm
from tests.journeys.programs import gmail, iphone, outlook
from tests.journeys.world import Person, Read, World

pytestmark = [
    pytest.mark.long,
    pytest.mark.package("openssl", "openssl"),
    pytest.mark.package("dovecot-imapd", "dovecot"),
    pytest.mark.package("faketime", "faketime"),
    pytest.mark.filterwarnings("ignore:Requiring AUTH"),
]


def a_week_with_letters(a_world: Callable[..., World]) -> tuple[Gm, Person, Person]:
    """Everybody has the reports of the start."""
    world = a_world(MONDAY, "fords", "gm", "ada", "ben")
    gm, ada, ben = (
        Gm(world, "gm", "Gwen", gmail),
        world.person("ada", "Ada", iphone),
        world.person("ben", "Ben", outlook),
    )
    the_two_fords(gm)
    gm.cron("fords").runs()
    for person in (gm, ada, ben):
        person.reads_one()
    world.clock.moves_to(MONDAY + HOUR)
    return gm, ada, ben


def assert_hides(mail: Read, *people: Person) -> None:
    """No address of theirs is anywhere in it."""
    assert not [person for person in people if person.address in mail.mail.as_string()]


def test_a_letter_to_a_rival_and_one_to_all(a_world: Callable[..., World]) -> None:
    gm, ada, ben = a_week_with_letters(a_world)
    cron = gm.cron("fords")
    report = ada.opened[-1]
    ada.asks("to borderia", "Shall we talk of the ford?")
    cron.runs()
    letter = ben.reads_one("Shall we talk of the ford?")
    assert_hides(letter, ada, gm)
    ada.reads_one()
    ada.asks("to all", "The ford is open to everybody.", report)
    cron.runs()
    assert_hides(ben.reads_one("The ford is open to everybody."), ada, gm)
    ada.reads_one()
    assert not [mail for mail in gm.reads() if "talk of the ford" in mail.text], "what is not for the GM"


def test_a_plain_reply_to_a_letter_goes_to_who_wrote_it(a_world: Callable[..., World]) -> None:
    gm, ada, ben = a_week_with_letters(a_world)
    cron = gm.cron("fords")
    ada.asks("to borderia", "Shall we talk of the ford?")
    cron.runs()
    letter = ben.reads_one("Shall we talk of the ford?")
    ada.reads_one()
    ben.replies("Gladly, if you keep your archers at home.", letter)
    cron.runs()
    answer = ada.reads_one("Gladly, if you keep your archers at home.")
    assert_hides(answer, ben, gm)
    ada.replies("They are asleep.", answer)
    cron.runs()
    assert [mail for mail in ben.reads() if mail.says("They are asleep.")]
