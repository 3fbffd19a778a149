"""P4: prose to the GM, a question above the quote, thanks, an out-of-office, a signature with a number that looks like a hex."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.journeys.campaigns import HOUR, MONDAY, the_two_fords
from tests.journeys.gm import Gm
from tests.journeys.programs import gmail, iphone, mutt, outlook, s_nail
from tests.journeys.world import Person, Program, Read, World

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


def a_start(a_world: Callable[..., World], program: Program) -> tuple[Gm, Person, Read]:
    """Ada, with that program, has the report of the start; it is an hour later."""
    world = a_world(MONDAY, "fords", "gm", "ada", "ben")
    gm, ada = Gm(world, "gm", "Gwen", outlook), world.person("ada", "Ada", program)
    the_two_fords(gm)
    gm.cron("fords").runs()
    gm.reads_one()
    report = ada.reads_one("orders for turn 1 are due")
    world.clock.moves_to(MONDAY + HOUR)
    return gm, ada, report


@pytest.mark.parametrize("program", [gmail, outlook, iphone, mutt, s_nail])
def test_a_question_beside_orders_reaches_the_gm_and_the_orders_are_filed(
    a_world: Callable[..., World], program: Program
) -> None:
    gm, ada, report = a_start(a_world, program)
    cron = gm.cron("fords")
    ada.replies("taxation: light\n\nMay I build on the river hex before I have a bridge?", report)
    cron.runs()
    ada.reads_one("Filed for turn 1", "taxation: light", "What you wrote beside your orders went to Gwen:")
    question = gm.reads_one("Letter from Ada (Examplia)", "May I build on the river hex before I have a bridge?")
    assert "taxation" not in question.text and "0404" not in question.text
    gm.replies("Not before.", question)
    cron.runs()
    ada.reads_one("Letter from Gwen", "Not before.")


def test_thanks_and_machines_bother_nobody(a_world: Callable[..., World]) -> None:
    gm, ada, report = a_start(a_world, gmail)
    cron = gm.cron("fords")
    ada.replies("Thanks, great report!\n\nBest wishes,\nAda\n+44 20 7946 0404", report)
    cron.runs()
    ada.replies(
        "I am on holiday until 8 March and read no mail. Call 0404 if it burns.",
        report,
        "Automatic reply: " + report.subject,
    )
    cron.runs()
    for person in (ada, gm):
        person.reads_nothing()
    assert "taxation" not in gm.types("scripts/kingdom status ~/kingdoms/fords")


@pytest.mark.parametrize("program", [gmail, outlook, iphone])
def test_a_signature_without_a_mark_is_no_order_and_goes_to_nobody(
    a_world: Callable[..., World], program: Program
) -> None:
    gm, ada, report = a_start(a_world, program)
    cron = gm.cron("fords")
    ada.replies("taxation: light\n\nKind regards,\nAda\nTel. +44 20 7946 0404", report)
    cron.runs()
    assert not ada.reads_one("Filed for turn 1", "taxation: light").says("What you wrote")
    gm.reads_nothing()


@pytest.mark.parametrize("program", [gmail, iphone])
def test_orders_inside_the_quote_are_filed_by_one_tap(a_world: Callable[..., World], program: Program) -> None:
    gm, ada, report = a_start(a_world, program)
    cron = gm.cron("fords")
    assert "#claim: " in report.text, report.text[-3000:]
    changed = report._replace(text=report.text.replace("#claim: ", "claim: 0102  #", 1))
    ada.replies("", changed)
    cron.runs()
    answer = ada.reads_one("NOT filed", "quoted")
    ada.presses("File the quoted orders", answer)
    cron.runs()
    ada.reads_one("Filed for turn 1", "claim: 0102")
