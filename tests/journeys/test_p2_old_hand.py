"""P2: an old hand with mutt or s-nail writes YAML into mails, files three times, and asks how things stand."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.journeys.campaigns import DAY, FRIDAY, HOUR, MINUTE, MONDAY, the_two_fords
from tests.journeys.gm import Gm
from tests.journeys.programs import gmail, mutt, s_nail
from tests.journeys.world import Program, Read, World

pytestmark = [
    pytest.mark.package("openssl", "openssl"),
    pytest.mark.package("dovecot-imapd", "dovecot"),
    pytest.mark.package("faketime", "faketime"),
    pytest.mark.filterwarnings("ignore:Requiring AUTH"),
]
TOKEN = "k7f3q"


def receipt_in(answer: Read) -> str:
    """The receipt that an answer names."""
    found = re.search(r"[Rr]eceipt:? ([0-9a-f]{12})", answer.text)
    assert found, answer.text
    return found[1]


PROGRAMS = [
    pytest.param(mutt, id="mutt", marks=[pytest.mark.package("mutt", "mutt"), pytest.mark.long]),
    pytest.param(s_nail, id="s-nail", marks=[pytest.mark.package("s-nail", "s-nail"), pytest.mark.long]),
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_three_filings_and_a_look_at_what_is_filed(a_world: Callable[..., World], program: Program) -> None:
    world = a_world(MONDAY, "fords", "gm", "ada", "ben")
    gm, ada = Gm(world, "gm", "Gwen", gmail), world.person("ada", "Ada Årsjö", program)
    the_two_fords(gm)
    cron = gm.cron("fords")
    cron.runs()
    report = ada.reads_one("orders for turn 1 are due Friday 5 March 2027")

    # the form of the report, filled in, as a reply that quotes it all
    world.clock.moves_to(MONDAY + HOUR)
    ada.replies("kingdom: examplia\nturn: 1\nclaim: ['0102']\nbuild:\n  - {in: Oakhold, build: house}\n")
    cron.runs()
    first = ada.reads_one("Filed for turn 1", "house in Oakhold")

    # other orders, in a mail of its own: they replace the first
    world.clock.moves_to(MONDAY + DAY)
    ada.writes("fords@example.org", f"Orders examplia 1 [{TOKEN}]", "claim: ['0103']\nedicts: {taxation: light}\n")
    cron.runs()
    second = ada.reads_one("Filed for turn 1", "0103", "taxation: light")
    assert receipt_in(first) in second.text, "the answer says what it replaces"

    # an addition, as a reply to that answer
    ada.replies("amend: true\nleadership: stability\nfinal: true\n")
    cron.runs()
    third = ada.reads_one("Filed for turn 1", "0103", "taxation: light", "leadership: stability")

    ada.writes("fords@example.org", f"status [{TOKEN}]", "")
    cron.runs()
    ada.reads_one("The two fords: turn 1 is next.", "Ada (Examplia), you filed and final")

    world.clock.moves_to(FRIDAY + MINUTE)
    cron.runs()
    (after,) = [mail for mail in ada.reads() if "turn 1" in mail.text]
    assert receipt_in(third) in after.files["examplia-0001.html"].decode() and "0103" in after.text
    assert report.mail["Message-ID"] != after.mail["Message-ID"]


@pytest.mark.long
@pytest.mark.parametrize("program", PROGRAMS)
def test_orders_are_taken_back_and_filed_again(a_world: Callable[..., World], program: Program) -> None:
    world = a_world(MONDAY, "fords", "gm", "ada", "ben")
    gm, ada = Gm(world, "gm", "Gwen", gmail), world.person("ada", "Ada Årsjö", program)
    the_two_fords(gm)
    cron = gm.cron("fords")
    cron.runs()
    world.clock.moves_to(MONDAY + HOUR)
    ada.replies("claim: ['0102']\ntaxation: light\n", ada.reads_one())
    cron.runs()
    filed = ada.reads_one("Filed for turn 1", "0102", "taxation: light")

    def asks(words: str) -> Read:
        """A subject with the token, and nothing below it but the signature; gives the answer."""
        world.clock.moves_to(world.clock.now + MINUTE)
        ada.writes("fords@example.org", f"{words} [{TOKEN}]", "")
        cron.runs()
        return ada.reads_one()

    assert asks("orders").says("What is filed for turn 1", receipt_in(filed), "claim: 0102", "taxation: light")
    taken = asks("withdraw")
    assert taken.says("Withdrawn", receipt_in(filed), "Nothing is filed for it now", "claim: 0102")
    assert asks("orders").says("Nothing is filed for turn 1")
    assert asks("status").says("Ada (Examplia), you nothing filed yet")

    world.clock.moves_to(world.clock.now + MINUTE)
    ada.presses("File them again", taken)
    cron.runs()
    again = ada.reads_one("Filed for turn 1", "0102", "taxation: light", "Nothing was filed before")
    assert asks("status").says("Ada (Examplia), you filed, receipt")

    # the words people try
    assert "map-0000.png" in asks("map").files
    assert "examplia-0000.html" in asks("report again").files
    assert asks("help").says("withdraw", "away until DAY", "report again")
    assert asks("ordres").says("Not done", "Did you mean `orders`?")

    # as lines, in a reply to what was taken back
    taken = asks("withdraw")
    assert taken.says(receipt_in(again))
    world.clock.moves_to(world.clock.now + MINUTE)
    ada.replies("claim: 0102\ntaxation: light\n", taken)
    cron.runs()
    ada.reads_one("Filed for turn 1", "0102", "taxation: light")
    world.clock.moves_to(FRIDAY + MINUTE)
    cron.runs()
    assert not [mail for mail in gm.reads() if "NOT filed" in mail.text or "Ada" in mail.subject]
