"""G3: a bad week: the mailbox's password expires, a player's address bounces, one player resigns and one is silent, a turn waits;
what the GM reads, and the cure, followed to the letter.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.journeys.campaigns import DAY, FRIDAY, HOUR, MINUTE, MONDAY, the_two_fords
from tests.journeys.gm import Gm
from tests.journeys.programs import gmail, outlook
from tests.journeys.world import Person, Read, World
from tests.kit.mailservers import PASSWORD

pytestmark = [
    pytest.mark.long,
    pytest.mark.package("openssl", "openssl"),
    pytest.mark.package("dovecot-imapd", "dovecot"),
    pytest.mark.package("faketime", "faketime"),
    pytest.mark.package("postfix", "postfix"),
    pytest.mark.filterwarnings("ignore:Requiring AUTH"),
]


def test_the_password_expires_and_is_set_anew(a_world: Callable[..., World]) -> None:
    world = a_world(MONDAY, "fords", "gm", "ada", "ben")
    gm, ada = Gm(world, "gm", "Gwen", gmail), world.person("ada", "Ada", gmail)
    the_two_fords(gm, f"alert: tee -a {gm.home}/alerts\n")
    cron = gm.cron("fords")
    cron.runs()
    ada.replies("taxation: light", ada.reads_one())
    gm.reads_one()
    world.changes_the_password("fords", "battery-staple-8")
    world.clock.moves_to(MONDAY + HOUR)
    for _ in range(2):
        assert "refused the password" in cron.runs(code=5)
    ada.reads_nothing()
    told = (gm.home / "alerts").read_text()
    assert told.count("refused the password") == 1, "the GM's command is told once a day"
    status = gm.types("scripts/kingdom status ~/kingdoms/fords")
    assert (
        "refused the password" in status
        and "Trouble with the IMAP server since Monday 1 March 2027, 20:0" in " ".join(status.split())
    ), status
    assert "WRONG" in gm.types(f"FORDS_PASSWORD={PASSWORD} scripts/kingdom mail check ~/kingdoms/fords", code=5)
    gm.saves(".kingdom-passwords", "export FORDS_PASSWORD=battery-staple-8\n", 0o600)
    gm.types(". ~/.kingdom-passwords; scripts/kingdom mail check ~/kingdoms/fords")
    cron.runs()
    ada.reads_one("Filed for turn 1", "taxation: light")
    gm.reads_nothing()
    status = gm.types("scripts/kingdom status ~/kingdoms/fords")
    assert "IMAP server" not in status, status


def test_an_address_bounces_and_the_gm_mends_it(a_world: Callable[..., World]) -> None:
    world = a_world(MONDAY, "fords", "gm", "ada", "ben")
    gm, ben = Gm(world, "gm", "Gwen", gmail), world.person("ben", "Ben", outlook)
    the_two_fords(gm)
    gm.edits("kingdoms/fords/campaign.yaml", "email: ben@example.org", "email: ben@gone.example")
    cron = gm.cron("fords")
    cron.runs()  # the server takes the mail and finds out later
    world.clock.moves_to(MONDAY + HOUR)
    cron.runs()
    assert "ben@gone.example" in gm.types("scripts/kingdom status ~/kingdoms/fords")
    world.clock.moves_to(FRIDAY - 20 * HOUR)
    cron.runs()
    assert [mail for mail in gm.reads() if "ben@gone.example" in mail.text], "the digest names the address"
    gm.types("scripts/kingdom invite ~/kingdoms/fords borderia ben@example.org --name Ben")
    cron.runs()
    assert [mail for mail in ben.reads() if mail.says("Welcome to The two fords, Ben")]


def test_nobody_files_and_the_turn_waits_until_the_gm_runs_it(a_world: Callable[..., World]) -> None:
    world = a_world(MONDAY, "fords", "gm", "ada", "ben")
    gm, ada = Gm(world, "gm", "Gwen", gmail), world.person("ada", "Ada", gmail)
    the_two_fords(gm)
    cron = gm.cron("fords")
    cron.runs()
    world.clock.moves_to(FRIDAY - DAY)
    cron.runs()
    gm.reads()
    world.clock.moves_to(FRIDAY + MINUTE)
    cron.runs()
    gm.reads_one("Turn 1 waits", "examplia", "borderia")
    cron.runs()
    gm.reads_nothing()
    assert "18:00 (Etc/UTC): 1 minute ago." in gm.types("scripts/kingdom status ~/kingdoms/fords")
    ada.reads()
    gm.types("scripts/kingdom turn ~/kingdoms/fords")
    cron.runs()
    ada.reads_one(", turn 1")


def a_turn_that_waits(a_world: Callable[..., World]) -> tuple[Gm, Person, Person, Read]:
    """Ada gave up her seat, Ben is silent, the deadline has passed; what the GM reads of it, and has to read once."""
    world = a_world(MONDAY, "fords", "gm", "ada", "ben")
    gm, ada, ben = (
        Gm(world, "gm", "Gwen", gmail),
        world.person("ada", "Ada", gmail),
        world.person("ben", "Ben", outlook),
    )
    the_two_fords(gm)
    cron = gm.cron("fords")
    cron.runs()
    for person in (gm, ada, ben):
        person.reads_one()
    ada.asks("resign")
    cron.runs()
    ada.reads_one("You gave up your seat")
    gm.reads_one("Ada (Examplia) gives up the seat.", "kingdom invite", "kingdoms/fords examplia EMAIL")
    world.clock.moves_to(FRIDAY + MINUTE)
    cron.runs()
    for person in (ada, ben):
        person.reads()
    waits = [mail for mail in gm.reads() if mail.says("Turn 1 waits")]
    assert len(waits) == 1
    cron.runs()
    gm.reads_nothing()
    return gm, ada, ben, waits[0]


def assert_the_turn_ran(gm: Gm, *players: Person) -> None:
    """Everybody has the report, once, and nothing is left to be done."""
    cron = gm.cron("fords")
    mails = gm.reads()
    assert [mail for mail in mails if mail.says("Turn 1 of The two fords is resolved")], [
        (mail.subject, mail.text) for mail in mails
    ]
    for person in players:
        person.reads_one("] 1: ")
    cron.runs()
    for person in (gm, *players):
        person.reads_nothing()


@pytest.mark.parametrize("cure", ["Run turn 1 now", "run it", "release"])
def test_the_gm_lets_the_turn_go_on_without_them(a_world: Callable[..., World], cure: str) -> None:
    gm, ada, ben, waits = a_turn_that_waits(a_world)
    if cure in dict(gm.links(waits)):
        gm.presses(cure, waits)
    else:
        gm.asks(cure, to=waits)
    cron = gm.cron("fords")
    cron.runs()
    assert_the_turn_ran(gm, ada, ben)


def test_the_gm_does_not_wait_for_the_silent_player(a_world: Callable[..., World]) -> None:
    gm, ada, ben, waits = a_turn_that_waits(a_world)
    cron = gm.cron("fords")
    gm.presses("Don't wait for Ben (Borderia)", waits)
    cron.runs()
    assert_the_turn_ran(gm, ada, ben)


def test_the_silent_player_files_while_the_turn_waits(a_world: Callable[..., World]) -> None:
    gm, ada, ben, waits = a_turn_that_waits(a_world)
    cron = gm.cron("fords")
    gm.world.clock.moves_to(FRIDAY + HOUR)
    ben.replies("taxation: light", ben.opened[-1])
    cron.runs()
    assert [mail for mail in ben.reads() if mail.says("Filed for turn 1", "taxation: light")]
    cron.runs()
    gm.presses("Run turn 1 now", waits)  # too late: it ran
    cron.runs()
    mails = gm.reads()
    assert [mail for mail in mails if mail.says("Turn 1 of The two fords is resolved")]
    assert [mail for mail in mails if mail.says("Not done", "Turn 2 is due on")]
    ada.reads_one("] 1: ")
