"""Mail programs themselves: a reply with orders, a mail of one's own, and a link of an answer pressed are filed as meant."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.journeys.campaigns import HOUR, MINUTE, MONDAY, the_two_fords
from tests.journeys.gm import Gm
from tests.journeys.programs import alpine, gmail, mblaze, mutt, neomutt, nmh, s_nail
from tests.journeys.world import Program, World

pytestmark = [
    pytest.mark.long,
    pytest.mark.package("openssl", "openssl"),
    pytest.mark.package("dovecot-imapd", "dovecot"),
    pytest.mark.package("postfix", "postfix"),
    pytest.mark.package("faketime", "faketime"),
]
TOKEN = "k7f3q"


def installed(program: Program, *packages: tuple[str, str]) -> object:
    """A case that is skipped, by name, where one of these packages, (Debian's name, its program), is not there."""
    marks = [pytest.mark.package(*package) for package in packages]
    return pytest.param(program, id=packages[0][0], marks=marks)


@pytest.mark.parametrize("program", [
    installed(mutt, ("mutt", "mutt")),
    installed(neomutt, ("neomutt", "neomutt")),
    installed(s_nail, ("s-nail", "s-nail")),
    installed(nmh, ("nmh", "/usr/bin/mh/repl")),
    installed(alpine, ("alpine", "alpine"), ("msmtp", "msmtp")),
    installed(mblaze, ("mblaze", "mrep"), ("msmtp", "msmtp")),
])  # fmt: skip
def test_a_reply_a_mail_and_a_link_are_filed_as_meant(a_world: Callable[..., World], program: Program) -> None:
    world = a_world(MONDAY, "fords", "gm", "ada", "ben")
    gm, ada = Gm(world, "gm", "Gwen", gmail), world.person("ada", "Ada Årsjö", program)
    the_two_fords(gm)
    cron = gm.cron("fords")
    cron.runs()
    report = ada.reads_one("orders for turn 1 are due Friday 5 March 2027")

    world.clock.moves_to(MONDAY + HOUR)
    ada.replies("claim: 0102\ntaxation: light\n", report)
    cron.runs()
    filed = ada.reads_one("Filed for turn 1", "0102", "taxation: light")
    assert not filed.says("Passed on"), "the quote is no letter"

    world.clock.moves_to(MONDAY + HOUR + MINUTE)
    ada.writes("fords@example.org", f"withdraw [{TOKEN}]", "")
    cron.runs()
    taken = ada.reads_one("Withdrawn", "claim: 0102")

    world.clock.moves_to(MONDAY + HOUR + 2 * MINUTE)
    ada.presses("File them again", taken)
    cron.runs()
    ada.reads_one("Filed for turn 1", "0102", "taxation: light", "Nothing was filed before")
    assert [mail.subject for mail in gm.reads()[1:]] == []
