"""G4: a wrong grant, found before its reports are let go, after that, and five turns later."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.journeys.campaigns import FRIDAY, HOUR, MINUTE, SATURDAY, WEEK, the_two_fords
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
WRONG = 'gm: [{grant: examplia, account: treasury, by: 300, reason: "the old crown"}]'
RIGHT = WRONG.replace("300", "30")


def treasury_in(report: Read) -> tuple[int, int]:
    """What the treasury held before the turn and after it, as the first lines of a report have it."""
    found = re.search(r"; BP (\d+) \(([+-]\d+)\);", " ".join(report.text.split()))
    assert found, report.text[:1500]
    return int(found[1]) - int(found[2]), int(found[1])


def a_wrong_grant(a_world: Callable[..., World], review: str) -> tuple[Gm, Person, Person]:
    """Turn 1 is resolved, with a grant ten times as large as was meant."""
    world = a_world(SATURDAY, "fords", "gm", "ada", "ben")
    gm, ada, ben = (
        Gm(world, "gm", "Gwen", outlook),
        world.person("ada", "Ada", gmail),
        world.person("ben", "Ben", iphone),
    )
    the_two_fords(gm, "missing_limit: 1\nsteward_after: 0\n")
    gm.edits("kingdoms/fords/campaign.yaml", "every: 7d", f"every: 7d, review: {review}")
    cron = gm.cron("fords")
    cron.runs()
    world.clock.moves_to(SATURDAY + 13 * HOUR)
    cron.runs()
    gm.replies(WRONG, gm.reads_one("The start"))
    cron.runs()
    gm.reads_one("Filed for turn 1")
    for person in (ada, ben):
        person.reads()
    world.clock.moves_to(FRIDAY + MINUTE)
    cron.runs()
    return gm, ada, ben


def corrects_the_order(gm: Gm, turn: int = 1) -> None:
    """The GM mends the file of a turn."""
    gm.edits(f"kingdoms/fords/orders/{turn:04}/gm.yaml", "300", "30")


def test_found_before_the_reports_are_let_go(a_world: Callable[..., World]) -> None:
    gm, ada, ben = a_wrong_grant(a_world, "12h")
    assert [mail for mail in gm.reads() if "Turn 1 of The two fords is resolved" in mail.text]
    corrects_the_order(gm)
    assert "treasury" in gm.types("scripts/kingdom redo ~/kingdoms/fords").lower()
    gm.types("scripts/kingdom redo ~/kingdoms/fords --yes")
    gm.types(". ~/.kingdom-passwords; scripts/kingdom release ~/kingdoms/fords")
    gm.cron("fords").runs()
    before, after = treasury_in(ada.reads_one("turn 1"))
    assert before == 50 and 80 <= after < 110
    ben.reads_one("turn 1")
    gm.types("scripts/kingdom audit ~/kingdoms/fords")


def test_found_after_the_reports_were_sent(a_world: Callable[..., World]) -> None:
    gm, ada, ben = a_wrong_grant(a_world, "0h")
    assert treasury_in(ada.reads_one("turn 1"))[1] > 300
    ben.reads_one("turn 1")
    corrects_the_order(gm)
    gm.types("scripts/kingdom redo ~/kingdoms/fords --yes")
    gm.cron("fords").runs()
    assert treasury_in(ada.reads_one("corrects an earlier one"))[1] < 110
    ben.reads_one("corrects an earlier one")


def test_found_five_turns_later(a_world: Callable[..., World]) -> None:
    gm, ada, ben = a_wrong_grant(a_world, "0h")
    cron = gm.cron("fords")
    for week in range(1, 6):
        gm.world.clock.moves_to(FRIDAY + week * WEEK + MINUTE)
        cron.runs()
    rich = treasury_in([mail for mail in ada.reads() if "turn 6" in mail.text][-1])[1]
    ben.reads()
    corrects_the_order(gm)
    said = gm.types("scripts/kingdom correct ~/kingdoms/fords --turn 1")
    assert "correction of turn 1" in said and "Nothing is filed yet" in said
    gm.types("scripts/kingdom correct ~/kingdoms/fords --turn 1 --yes")
    gm.world.clock.moves_to(FRIDAY + 6 * WEEK + MINUTE)
    cron.runs()
    report = [mail for mail in ada.reads() if "turn 7" in mail.text][-1]
    assert treasury_in(report)[1] < rich - 200
    assert "correction of turn 1" in report.text
    assert "correction of turn 1" not in "".join(mail.text for mail in ben.reads())
    gm.types("scripts/kingdom audit ~/kingdoms/fords")
