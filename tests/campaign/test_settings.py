"""campaign.yaml: every key of it is checked, and deadlines go by the wall clock."""

from __future__ import annotations

from pathlib import Path

import pytest

from kingdom.campaign import calendar, settings
from kingdom.campaign.calendar import Calendar
from kingdom.engine.problems import Faults

WHOLE = """\
name: The Greenmarch
game: realm
seed: 5c0e
rules:
  control_dc: {base: 10}
gm: {name: Gm, email: gm@example.org, token: g5s1r}
players:
  examplia: {name: Ada, email: [ada@example.org, ada@work.example.org], token: k7f3q, zone: Europe/Berlin}
  cravonia: {name: Traders, bot: trader}
  borderia: {}
calendar: {deadline: 2026-12-04T18:00, zone: Europe/Berlin, every: 7d, grace: 0h, remind: [48h, 12h], extend: {3: 2d}, early: false, review: 0h}
ends: {turn: 52}
missing_orders: standing
steward_after: 2
missing_limit: 0.5
messages: on
publish: null
alert: null
mail:
  address: orders@example.org
  imap: {host: imap.example.org, port: 993, tls: implicit, username: orders, password_env: KINGDOM_IMAP_PASSWORD, folder: INBOX, processed: Processed, refused: Refused}
  smtp: {host: smtp.example.org, port: 587, tls: starttls, username: orders, password_env: KINGDOM_SMTP_PASSWORD}
  authenticate: [sender, token]
  authserv_id: mx.example.org
  tags: on
"""
LEAST = "name: The Greenmarch\ngame: realm\nseed: 5c0e\nplayers: {examplia: {}}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def read(folder: Path, text: str) -> settings.Settings:
    (folder / "campaign.yaml").write_text(text, encoding="utf-8")
    return settings.read(folder)[0]


def test_every_key_of_the_contract_is_read(folder: Path) -> None:
    found = read(folder, WHOLE)
    assert (found.name, found.game, found.seed) == ("The Greenmarch", "realm", "5c0e")
    assert list(found.players) == ["borderia", "cravonia", "examplia"]
    assert found.players["examplia"].email == ("ada@example.org", "ada@work.example.org")
    assert found.players["cravonia"].bot == "trader"
    assert found.gm == settings.Gm("Gm", ("gm@example.org",), "g5s1r")
    assert found.calendar == Calendar("2026-12-04T18:00", "Europe/Berlin", remind=("48h", "12h"), extend={3: "2d"})
    assert (found.ends.turn, found.missing_orders, found.steward_after, found.missing_limit) == (52, "standing", 2, 0.5)
    assert (found.messages, found.publish, found.alert) == (True, settings.Publish(), "")
    assert found.mail and found.mail.imap and found.mail.smtp
    assert (found.mail.imap.port, found.mail.smtp.tls) == (993, "starttls")
    assert (found.mail.authenticate, found.mail.tags) == (("sender", "token"), True)


def test_only_four_keys_are_required(folder: Path) -> None:
    found = read(folder, LEAST)
    assert (found.calendar, found.mail, found.missing_orders, found.messages) == (None, None, "standing", True)
    with pytest.raises(Faults) as caught:
        read(folder, "ends: {turn: 3}\n")
    assert [problem.message.split()[0] for problem in caught.value.problems] == [
        "`name`",
        "`game`",
        "`seed`",
        "`players`",
    ]


@pytest.mark.parametrize("limit", ["0.5", ".5", "0", "1", "1.0"])
def test_a_share_is_read_as_people_write_it(folder: Path, limit: str) -> None:
    assert read(folder, f"{LEAST}missing_limit: {limit}\n").missing_limit == float(limit)


@pytest.mark.parametrize(
    ("line", "place", "said"),
    [
        ("calender: {deadline: 2026-12-04T18:00}", "5:1", "`calender` is not a key here. Did you mean `calendar`?"),
        ("calendar: {deadline: 2026-12-04T18:00, evry: 7d}", "5:40", "`evry` is not a key here. Did you mean `every`?"),
        ("calendar: {every: 7d}", "5:11", "`deadline` is missing"),
        ("calendar: {deadline: 2026-13-04T18:00}", "5:22", "There is no such day or time as `2026-13-04T18:00`."),
        ("calendar: {deadline: tomorrow}", "5:22", "`tomorrow` will not do"),
        ("calendar: {deadline: 2026-12-04T18:00, zone: Europe/Berln}", "5:46", "There is no time zone `Europe/Berln`."),
        ("calendar: {deadline: 2026-12-04T18:00, every: 7 weeks}", "5:47", "`7 weeks` will not do"),
        ("missing_orders: standng", "5:17", "Did you mean `standing`?"),
        ("missing_limit: 50", "5:16", "`50` will not do"),
        ("messages: perhaps", "5:11", "`perhaps` is neither true nor false"),
        ("ends: {turn: never}", "5:14", "`never` is not a whole number"),
        ("gm: {name: Gm, emial: gm@example.org}", "5:16", "Did you mean `email`?"),
        ("gm: {email: somewhere}", "5:13", "`somewhere` will not do"),
        ("mail: {address: a@b.c, adress: a@b.c}", "5:24", "Did you mean `address`?"),
        ("mail: {address: a@b.c, imap: {host: h, tsl: implicit}}", "5:40", "Did you mean `tls`?"),
        ("mail: {address: a@b.c, smtp: {port: 25}}", "5:30", "`host` is missing"),
        ("mail: {address: a@b.c, authenticate: [sendr]}", "5:39", "Did you mean `sender`?"),
        (
            "mail: {address: a@b.c, authserv_id: spf=pass}",
            "5:37",
            "`spf=pass` will not do (the name that the receiving server begins",
        ),
        ("mail: {address: a@b.c, authserv_id: mx.b.c; dkim=pass}", "5:37", "Write it like `mx.example.org`."),
        ("name: Twice", "5:1", "`name` stands here a second time"),
    ],
)
def test_a_wrong_line_is_told_with_its_cure(folder: Path, line: str, place: str, said: str) -> None:
    with pytest.raises(Faults) as caught:
        read(folder, LEAST + line + "\n")
    assert [f"{problem.line}:{problem.column}" for problem in caught.value.problems] == [place]
    assert said in caught.value.problems[0].message


def test_all_problems_are_told_at_once(folder: Path) -> None:
    text = LEAST.replace("realm", "relm").replace("examplia", "gm") + "ends: {trun: 3}\nzone: x\n"
    with pytest.raises(Faults) as caught:
        read(folder, text)
    assert [problem.line for problem in caught.value.problems] == [2, 4, 5, 6]


def test_a_folder_without_campaign_yaml_is_no_campaign(folder: Path) -> None:
    with pytest.raises(Faults, match="There is no campaign here"):
        settings.read(folder)


@pytest.mark.parametrize(
    ("turn", "said"),
    [
        (1, "Friday 4 December 2026, 18:00 (Europe/Berlin)"),
        (2, "Friday 11 December 2026, 18:00 (Europe/Berlin)"),
        (3, "Sunday 20 December 2026, 18:00 (Europe/Berlin)"),  # extended by two days, with all later ones
        (18, "Sunday 4 April 2027, 18:00 (Europe/Berlin)"),  # summer time has begun, and it is still 18:00
    ],
)
def test_deadlines_go_by_the_wall_clock(turn: int, said: str) -> None:
    dates = Calendar("2026-12-04T18:00", "Europe/Berlin", extend={3: "2d"})
    assert calendar.said(dates, turn) == said


def test_a_deadline_is_said_in_the_zone_of_the_player() -> None:
    dates = Calendar("2026-12-04T18:00", "Europe/Berlin")
    assert calendar.said(dates, 1, "America/New_York") == "Friday 4 December 2026, 12:00 (America/New_York)"
    assert calendar.deadline(dates, 1).isoformat() == "2026-12-04T18:00:00+01:00"


def test_an_hour_that_the_clocks_leave_out_comes_an_hour_later() -> None:
    dates = Calendar("2027-03-28T02:30", "Europe/Berlin")
    assert calendar.deadline(dates, 1).isoformat() == "2027-03-28T03:30:00+02:00"
