"""H1: one address for forty campaigns: a newcomer asks what is open, joins, plays; a campaign fills and starts; a standby gets a free seat."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.journeys.campaigns import FORDS, FRIDAY, MINUTE, SATURDAY, knows_the_password, mailbox
from tests.journeys.gm import Cron, Gm
from tests.journeys.programs import gmail, iphone, outlook
from tests.journeys.world import Person, World
from tests.kit import small_realm
from tests.kit.tiny_game import write

pytestmark = [
    pytest.mark.long,
    pytest.mark.package("openssl", "openssl"),
    pytest.mark.package("dovecot-imapd", "dovecot"),
    pytest.mark.package("faketime", "faketime"),
    pytest.mark.filterwarnings("ignore:Requiring AUTH"),
]
HOUSE = "name: The North\nhost: {name: Hal, email: hal@example.org}\ndefaults: {newcomers: ask}\n"
PLAY = "play@example.org"
SEATS = "  examplia: {name: Ada, email: ada@example.org, token: k7f3q}\n  borderia: {name: Ben, email: ben@example.org, token: b8w2m}\n"
BOTS = "  examplia: {bot: trader}\n  borderia: {bot: builder}\n"


def house_of_forty(host: Gm) -> Cron:
    """The Two fords, which is full; The marsh, which waits for players; thirty-eight that bots play."""
    folder = host.home / "kingdoms/house"
    for name in ("fords", "marsh", *(f"c{number:02}" for number in range(38))):
        small_realm.campaign(folder / name)
        text = FORDS
        if name == "fords":
            text += "newcomers: open\nmissing_limit: 1\n"
        else:
            marsh = name == "marsh"
            text = text.replace("The two fords", "The marsh" if marsh else f"Number {name}").replace(
                "g5s1r", f"g5s{name}"
            )
            text = text.replace(SEATS, "  examplia: {}\n  borderia: {}\n" if marsh else BOTS)
        if name[0] == "c":
            text = text.replace("email: gm@example.org, ", "").partition("calendar:")[0]
        write(folder / name, "campaign.yaml", text)
    write(folder, "house.yaml", HOUSE + mailbox(host.world, "play"))
    knows_the_password(host, "play")
    return host.cron("house")


def confirms(person: Person, cron: Cron, wish: str) -> None:
    """A person asks the house something, and confirms it."""
    person.writes(PLAY, wish, "")
    cron.runs()
    person.reads_one("Please confirm", "reply to this mail with the one word")
    person.replies("yes")
    cron.runs()


def test_forty_campaigns_behind_one_address(a_world: Callable[..., World]) -> None:
    world = a_world(SATURDAY, "play", "hal", "gm", "ada", "ben", "eve", "sam")
    host, gm = Gm(world, "hal", "Hal", outlook), world.person("gm", "Gwen", gmail)
    ada, ben = world.person("ada", "Ada", gmail), world.person("ben", "Ben", iphone)
    eve, sam = world.person("eve", "Eve Stone", outlook), world.person("sam", "Sam Reed", iphone)
    cron = house_of_forty(host)
    assert "40 campaigns: 40 played, 0 waiting, 0 failing, 0 busy." in cron.runs()
    ada.reads_one("orders for turn 1 are due Friday 5 March 2027")
    ben.reads()
    gm.reads()

    # a newcomer asks what is open, and asks for a seat; its GM is asked
    eve.writes(PLAY, "list", "")
    cron.runs()
    mail = eve.reads_one(
        "What is open", "[The marsh] realm: 2 of 2 seats free (borderia, examplia); it starts when it is full"
    )
    assert mail.says("[The two fords] realm: all 2 seats are taken") and "Ada" not in mail.whole
    confirms(eve, cron, "join The marsh as examplia")
    eve.reads_nothing()
    gm.reads_one("Eve Stone asks for the seat examplia in The marsh")
    assert "Eve Stone asks for the seat examplia." in " ".join(
        host.types("scripts/kingdom status ~/kingdoms/house/marsh").split()
    )
    gm.replies("No problem, welcome!")
    cron.runs()
    eve.reads_one("Welcome: you play")

    # another fills it, and it starts
    confirms(sam, cron, "join the marsh")
    gm.reads_one("Sam Reed asks for the seat borderia")
    gm.presses("Yes")
    assert "Every seat has a player: the campaign starts." in cron.runs()
    assert [mail.subject for mail in eve.reads()] == [
        "[The marsh] It starts: turn 1 is due on Friday 5 March 2027, 18:00 (Etc/UTC)"
    ]
    welcome = [mail for mail in sam.reads() if "Welcome" in mail.subject]
    assert len(welcome) == 1
    gm.reads()
    sam.replies("taxation: light", welcome[0])
    eve.replies("claim: 0102", eve.opened[-1])
    cron.runs()
    eve.reads_one("Filed for turn 1")
    sam.reads_one("Filed for turn 1")

    # both turns are played
    world.clock.moves_to(FRIDAY + MINUTE)
    cron.runs()
    sam.reads_one("[The marsh]", "turn 1")
    eve.reads_one("[The marsh]", "turn 1")
    for person in (ada, ben):
        person.reads_one("[The two fords]", "turn 1")

    # a seat of the other campaign falls free, and who waits for one takes it
    confirms(sam, cron, "standby The two fords")
    sam.reads_one("You are on the list of The two fords")
    ben.asks("resign")
    cron.runs()
    ben.reads_one("You gave up your seat")
    assert "busy" in cron.runs()
    sam.reads_one("A seat is free in The two fords: borderia.")
    sam.replies("Yes, please.")
    cron.runs()
    sam.reads_one("Welcome: you play", "The two fords")
    ben.reads_one("was handed on")
    ada.reads_nothing()

    # who comes too late waits; a mail that names another campaign than it answers is asked about
    confirms(eve, cron, "join The two fords")
    eve.reads_one("you are on the list of The two fords")
    sam.replies("taxation: heavy", sam.opened[-1], subject="[The marsh] my orders")
    cron.runs()
    sam.reads_one("For which campaign is it?", "[The two fords] or [The marsh]")
    sam.replies("taxation: heavy", subject="Re: For which campaign is it? [The marsh]")
    cron.runs()
    sam.reads_one("[The marsh]", "Filed for turn 2")

    # nobody sees another's address
    hidden = {one: one.address for one in (ada, ben, eve, sam)}
    for person in (ada, ben, eve, sam, gm):
        person.reads()
        for other, address in hidden.items():
            assert other is person or not any(address in mail.whole for mail in person.opened), (person.name, address)
    assert not host.reads()
