"""G1: from the clone to a campaign of three invited players, in the order of docs/mail.md, with a mistyped address corrected and the
mailbox set up after the invitations; the first turn runs from cron.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.journeys.campaigns import DAY, FRIDAY, MINUTE, MONDAY, knows_the_password, mailbox
from tests.journeys.gm import Gm
from tests.journeys.programs import gmail, iphone, mutt, outlook
from tests.journeys.world import Person, World
from tests.kit.mailservers import PASSWORD

pytestmark = [
    pytest.mark.package("openssl", "openssl"),
    pytest.mark.package("dovecot-imapd", "dovecot"),
    pytest.mark.package("faketime", "faketime"),
    pytest.mark.filterwarnings("ignore:Requiring AUTH"),
]
SETTINGS = "kingdoms/mine/campaign.yaml"
KINGDOMS = re.compile(r"^  (\w+): \{name: Player", re.MULTILINE)


def types_an_address_wrong_and_corrects_it(gm: Gm, kingdom: str) -> None:
    """An invitation, and a second one of the same seat."""
    gm.types(f"scripts/kingdom invite ~/kingdoms/mine {kingdom} ben@exampel.org --name Ben")
    gm.types(f"scripts/kingdom invite ~/kingdoms/mine {kingdom} ben@example.org --name Ben")


def gives_a_calendar_and_an_address(gm: Gm) -> None:
    """The GM takes the # away and writes the deadline."""
    gm.edits(SETTINGS, "gm: {name: Gm, ", "gm: {name: Gwen, email: gm@example.org, ")
    gm.edits(SETTINGS, "#calendar:\n#  deadline: 2026-12-04T18:00 ", "calendar:\n  deadline: 2027-03-05T18:00 ")
    gm.edits(SETTINGS, "#  zone: Europe/Berlin\n#  every: 7d\n", "  zone: Etc/UTC\n  every: 7d\n")


def sets_up_the_mailbox(gm: Gm) -> None:
    """The GM takes the # away and writes what the provider says."""
    gm.edits(SETTINGS, "#mail:\n#  address: orders@example.org\n", mailbox(gm.world, "mine"))
    knows_the_password(gm, "mine")


def assert_is_welcomed(person: Person, name: str) -> None:
    """One welcome came, from the campaign's own mailbox, and nothing in it comes from a time when there was none."""
    mails = person.reads()
    (welcome,) = [mail for mail in mails if f"Welcome to Mine, {name}" in mail.text]
    for mail in mails:
        assert "mine@example.org" in mail.sender
        assert ".invalid" not in mail.mail.as_string() and "gm@example.org" not in mail.mail.as_string()
    assert "Friday 5 March 2027, 18:00" in welcome.text
    assert 'src="cid:' in welcome.page and "form.html" in welcome.files, (
        "the map as a picture, the order form as a page"
    )
    person.opened.append(welcome)


def test_a_mistyped_address_gets_nothing_and_the_right_one_a_welcome(a_world: Callable[..., World]) -> None:
    world = a_world(MONDAY, "mine", "gm", "ben")
    gm, ben = Gm(world, "gm", "Gwen", gmail), world.person("ben", "Ben Ångström", outlook)
    gm.types("scripts/kingdom new ~/kingdoms/mine --kingdoms 2 --bots 1")
    (kingdom,) = KINGDOMS.findall((gm.home / SETTINGS).read_text())
    types_an_address_wrong_and_corrects_it(gm, kingdom)
    gives_a_calendar_and_an_address(gm)
    sets_up_the_mailbox(gm)
    gm.cron("mine").runs()
    assert_is_welcomed(ben, "Ben")
    assert "exampel" not in "".join(mail.mail.as_string() for mail in gm.reads())  # no delivery report


@pytest.mark.long
@pytest.mark.package("mutt", "mutt")
def test_the_first_evening_and_the_first_turn(a_world: Callable[..., World]) -> None:
    world = a_world(MONDAY, "mine", "gm", "ada", "ben", "cleo")
    gm = Gm(world, "gm", "Gwen", mutt)
    ada, ben = world.person("ada", "Ada Lovelace", gmail), world.person("ben", "Ben Ångström", outlook)
    cleo = world.person("cleo", "Cleo", iphone)

    # "With no server"
    assert f"A new campaign is in {gm.home}/kingdoms/mine." in gm.types(
        "scripts/kingdom new ~/kingdoms/mine --kingdoms 3"
    )
    first, second, third = KINGDOMS.findall((gm.home / SETTINGS).read_text())
    gm.types(f"scripts/kingdom invite ~/kingdoms/mine {first} ada@example.org --name Ada")
    types_an_address_wrong_and_corrects_it(gm, second)
    gm.types(f"scripts/kingdom invite ~/kingdoms/mine {third} cleo@example.org --name Cleo")
    assert "Nothing is sent" in gm.types("scripts/kingdom run ~/kingdoms/mine")
    waiting = gm.types("ls ~/kingdoms/mine/mail/outbox")
    assert waiting.count("welcome-") == 3
    gives_a_calendar_and_an_address(gm)

    # "A mailbox of its own"
    sets_up_the_mailbox(gm)
    assert "MINE_PASSWORD" in gm.types("scripts/kingdom mail check ~/kingdoms/mine", code=5)
    assert "wrong-horse" not in gm.types("MINE_PASSWORD=wrong-horse scripts/kingdom mail check ~/kingdoms/mine", code=5)
    assert "WRONG" not in gm.types(f"MINE_PASSWORD={PASSWORD} scripts/kingdom mail check ~/kingdoms/mine")

    # "Every five minutes"
    cron = gm.cron("mine")
    world.clock.moves_to(MONDAY + 5 * MINUTE)
    cron.runs()
    for person, name in ((ada, "Ada"), (ben, "Ben"), (cleo, "Cleo")):
        assert_is_welcomed(person, name)
    book = gm.reads_one("The start of Mine is made", "Friday 5 March 2027, 18:00")
    assert "gm-0000.html" in book.files
    assert cron.runs() == "Monday 1 March 2027, 19:05 (UTC):\nNothing to do.\n", "a log with its date"

    # the players answer what they got
    world.clock.moves_to(MONDAY + DAY)
    ada.replies("leadership: stability\nfinal: true")
    ben.replies("taxation: light")
    cleo.replies("promotion: token\nloyalty: rouse_the_people economy")
    assert cron.runs().count(": filed.") == 3
    for person, order in ((ada, "leadership: stability"), (ben, "taxation: light"), (cleo, "promotion: token")):
        answer = person.reads_one("Filed for turn 1", order)
        assert "mine@example.org" in answer.sender and answer.mail["In-Reply-To"]
    world.clock.moves_to(FRIDAY - 2 * MINUTE)
    cron.runs()
    gm.reads_one("turn 1")  # how it stands, a day before

    # the deadline
    world.clock.moves_to(FRIDAY + 3 * MINUTE)
    assert "Turn 1 is due" in cron.runs()
    for person in (ada, ben, cleo):
        report = person.reads_one("orders for turn 2 are due Friday 12 March 2027", "turn 1")
        assert not re.search(r"exampel|invalid", report.mail.as_string())
    gm.reads_one("Turn 1 of Mine is resolved")
    assert cron.runs() == "Friday 5 March 2027, 18:03 (UTC):\nNothing to do.\n"
    for person in (ada, ben, cleo, gm):
        person.reads_nothing()
