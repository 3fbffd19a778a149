"""P3: letters to a rival, to all and to the GM, and answers to them; nobody's address is shown."""

from __future__ import annotations

import re
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


OWN = {"gm": "g5s1r", "ada": "k7f3q", "ben": "b8w2m"}
TOKEN = re.compile(r"(?<!\d)1-[a-z0-9]{10}(?![a-z0-9])")  # of turn 1


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
    """No address of theirs is anywhere in it, and no token of theirs, a turn's or their own."""
    assert not [person.name for person in people if person.address in mail.whole]
    of_turns = {token for person in people for read in person.opened for token in TOKEN.findall(read.whole)}
    assert of_turns, "or this test sees none"
    assert not [token for token in (*OWN.values(), *of_turns) if token in mail.whole]


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
    ben.reads_one("Sent to Ada (Examplia): ")
    for number in range(3):  # each writes back; who wrote is told where it went
        for writer, reader, words in ((ada, ben, f"They sleep, {number}."), (ben, ada, f"And the guards, {number}?")):
            writer.replies(words, next(mail for mail in reversed(writer.opened) if "] Letter from" in mail.subject))
            cron.runs()
            assert_hides(reader.reads_one("Letter from", words), writer, gm)
            writer.reads_one("Sent to")
    gm.reads_nothing()


def test_names_are_understood_and_a_misspelt_one_is_cured_by_a_tap(a_world: Callable[..., World]) -> None:
    gm, ada, ben = a_week_with_letters(a_world)
    cron = gm.cron("fords")
    report = ada.opened[-1]
    for name in ("Ben", "Borderia"):
        ada.asks(f"to {name}", f"Greetings to {name}.", report)
        cron.runs()
        letter = ben.reads_one("Letter from Ada (Examplia)", f"Greetings to {name}.")
        assert letter.sender == '"Ada (Examplia) via The two fords" <fords@example.org>'
        assert_hides(letter, ada, gm)
        ada.reads_one("Sent to Ben (Borderia): ")
    for name in ("Bordeira", "Benn"):
        ada.asks(f"to {name}", "Shall we talk of the ford? My token is k7f3q.", report)
        cron.runs()
        ben.reads_nothing()
        answer = ada.reads_one("Not done", f"Nobody here is called `{name}`. Did you mean Ben (Borderia)?")
        ada.presses("Send it to Ben (Borderia)", answer)
        cron.runs()
        assert_hides(ben.reads_one("Letter from Ada (Examplia)", "Shall we talk of the ford?"), ada, gm)
        ada.reads_one("Sent to Ben (Borderia): ")
    gm.reads_nothing()


def test_a_letter_to_all_and_one_to_the_gm_are_answered_by_plain_replies(a_world: Callable[..., World]) -> None:
    gm, ada, ben = a_week_with_letters(a_world)
    cron = gm.cron("fords")
    report = ada.opened[-1]
    ada.asks("to all", "The ford is open to everybody.", report)
    cron.runs()
    letter = ben.reads_one("Letter from Ada (Examplia) to all", "your words go to Ada (Examplia) alone")
    ada.reads_one("Sent to Ben (Borderia): ")
    ben.replies("Then I come on Tuesday.", letter)
    cron.runs()
    assert_hides(ada.reads_one("Letter from Ben (Borderia)", "Then I come on Tuesday."), ben, gm)
    ben.reads_one("Sent to Ada (Examplia): ")
    gm.reads_nothing()

    ada.asks("to gm", "May I bridge the ford?", report)
    cron.runs()
    question = gm.reads_one("Letter from Ada (Examplia)", "May I bridge the ford?")
    assert_hides(question, ada, ben)
    ada.reads_one("Sent to Gwen: ")
    gm.replies("With stone, yes.", question)
    cron.runs()
    answer = ada.reads_one("Letter from Gwen", "With stone, yes.")
    assert_hides(answer, gm, ben)
    gm.reads_one("Sent to Ada (Examplia): ")
    ada.replies("And with wood?", answer)
    cron.runs()
    gm.reads_one("Letter from Ada (Examplia)", "And with wood?")
    ben.reads_nothing()
