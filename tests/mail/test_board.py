"""What a run of a house leaves to be looked at: a page for people, metrics for node_exporter."""

from __future__ import annotations

import re
import stat
from datetime import timedelta
from html import unescape
from pathlib import Path

import pytest

from kingdom.campaign import clock, lock
from kingdom.campaign import house as houses
from kingdom.campaign.settings import Gm, Mail
from kingdom.cli.main import main
from kingdom.mail import board
from tests.kit.browser import PROGRAM, Browser
from tests.kit.housekit import NOW, House
from tests.kit.pagekit import invalid, overflowing, shut_out

pytestmark = [
    pytest.mark.package("openssl", "openssl"),
    pytest.mark.package("dovecot-imapd", "dovecot"),
    pytest.mark.filterwarnings("ignore:Requiring AUTH"),
]
DUE = "calendar: {{deadline: {}, zone: UTC, every: 7d}}\n"


def also(campaign: Path, more: str) -> None:
    file = campaign / "campaign.yaml"
    file.write_text(file.read_text() + more)


def metrics(file: Path) -> dict[str, float]:
    """What node_exporter reads, without the label of the house; each metric has its HELP and TYPE first."""
    lines = file.read_text().splitlines()
    found = {}
    for line in lines:
        match = re.fullmatch(r'kingdom_house_(\w+)\{house="The North",?([^}]*)\} (\S+)', line)
        assert match or re.fullmatch(r"# (HELP|TYPE) kingdom_house_\w+ \S.*", line), line
        if match:
            assert f"# TYPE kingdom_house_{match[1]} gauge" in lines
            found[f"{match[1]} {match[2]}".strip()] = float(match[3])
    return found


def rows(page: str) -> dict[str, str]:
    """Campaign -> its row in words."""
    found = re.findall(r"<tr class=.*?</tr>", page)
    words = [" ".join(unescape(re.sub(r"<[^>]+>", " ", row)).split()) for row in found]
    return {row.partition(" tally")[0].partition(" held")[0].partition(" fails")[0]: row for row in words}


def test_a_run_of_the_house_writes_how_each_campaign_stands(house: House, run) -> None:
    also(house.folder / "alba", DUE.format("2026-12-01T18:00"))
    also(house.folder / "bern", DUE.format("2026-11-21T12:45") + "missing_limit: 0\n")
    house.campaign("dorn")
    also(house.folder / "dorn", "nonsense: 1\n")
    house.mail("ann", "Orders ann 1 [aaaaaalba]")
    with lock.held(house.folder / "caen", "turn"):
        assert run()[0] == 3
    page = (house.folder / "status.html").read_text()
    found = rows(page)
    assert [*found] == ["dorn", "caen", "Tally of Bern", "Tally of Alba"]
    assert "can't be opened" in found["dorn"] and "nonsense" not in page
    assert "held by another run" in found["caen"]
    assert "waits" in found["Tally of Bern"] and "0 of 3" in found["Tally of Bern"]
    assert "goes on turn 1 Tuesday 1 December 2026, 18:00 (UTC) 1 of 3" in found["Tally of Alba"]
    assert "@" not in page.partition("<h1>")[2] and not re.search("aaaaa|ggggg", page)
    values = metrics(house.folder / "status.prom")
    states = {key: value for key, value in values.items() if key.startswith("campaigns")}
    assert {key: value for key, value in states.items() if value} == {
        'campaigns state="failing"': 1, 'campaigns state="busy"': 1, 'campaigns state="waiting"': 1, 'campaigns state="ahead"': 1,
    }  # fmt: skip
    assert len(states) == len(board.STATES) and values["last_run_timestamp_seconds"] == NOW.timestamp()
    assert values["mails_received"] == 1 and values["mails_sent"] > 1 and values["mails_waiting"] == 0
    assert values['server_failing server="IMAP"'] == 0


def test_free_seats_standbys_played_turns_and_failing_servers(house: House, run, monkeypatch) -> None:
    alba = house.folder / "alba"
    file = alba / "campaign.yaml"
    file.write_text(re.sub(r"cyn: \{email[^}]*\}", "cyn: {}", file.read_text()) + "newcomers: open\n")
    also(house.folder / "bern", DUE.format("2026-11-21T12:45"))
    house.mail("eve", "standby Tally of Caen", "")
    run()
    page, values = (house.folder / "status.html").read_text(), metrics(house.folder / "status.prom")
    assert "1 seat free, by mail" in rows(page)["Tally of Alba"] and "just played" in rows(page)["Tally of Bern"]
    assert (values["seats_free"], values["turns_played"], values["standbys"]) == (1, 1, 0)
    also(house.folder / "caen", "newcomers: open\n")
    house.mail("eve", "standby Tally of Caen", "")
    run()
    (question,) = [mail for mail in house.got("eve") if "confirm" in mail["Subject"]]
    house.mail("eve", "Re: it", "yes", In_Reply_To=question["Message-ID"])
    monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(minutes=5))
    run()
    values = metrics(house.folder / "status.prom")
    assert (values["standbys"], values["turns_played"], values["mails_received"]) == (1, 0, 1)
    config = house.folder / "house.yaml"
    config.write_text(config.read_text().replace(f"{house.box.server().port}", "1"))
    run()
    assert metrics(house.folder / "status.prom")['server_failing server="IMAP"'] == 1
    assert "IMAP: The house's mail can't be fetched; the last lines of the run say why." in unescape(
        (house.folder / "status.html").read_text()
    )


def assert_public(house: House) -> str:
    """Neither file has an address or a token; gives the page's words."""
    page = (house.folder / "status.html").read_text()
    body = page.partition("<h1>")[2]
    for text in (body, unescape(body), (house.folder / "status.prom").read_text()):
        assert (
            "@" not in text
            and "example.org" not in text
            and not re.search("(aaaaa|bbbbb|ggggg|hhhhh)(alba|bern|caen)?", text)
        )
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


def test_what_a_server_says_does_not_get_onto_the_page(house: House, run) -> None:
    """Neither what it says of a mail, nor of the sender, nor of the login."""
    house.post.answers |= {
        f"{name}@example.org": f"554 5.7.1 <{name}@example.org>: Relay access denied" for name in ("ann", "bob")
    }
    assert run()[0] == 5
    said = assert_public(house)
    assert "SMTP: Not all mail can be sent" in said and "Relay" not in said
    values = metrics(house.folder / "status.prom")
    assert values['server_failing server="SMTP"'] == 1 and values['campaigns state="failing"'] == 3
    house.post.answers.clear()
    house.post.sender_answer = "553 5.7.1 <play@example.org>: Sender address rejected: not owned by user orders"
    assert run()[0] == 5
    assert "SMTP: Not all mail can be sent" in assert_public(house)
    house.post.sender_answer = ""
    config = house.folder / "house.yaml"
    config.write_text(config.read_text().replace('"username": "', '"username": "hal@example.org'))
    assert run()[0] == 5
    assert "IMAP: The house's mail can't be fetched" in assert_public(house)


def test_people_and_campaigns_that_are_called_by_an_address_are_not_on_the_page(house: House, run) -> None:
    """Why a turn waits is told in the run's own words, not in a mail's; and a campaign, a house or a kingdom may be called anything."""
    file = house.folder / "bern" / "campaign.yaml"
    file.write_text(
        file.read_text().replace("Tally of Bern", "The waits of eve@example.org")
        + DUE.format("2026-11-21T12:45")
        + "missing_limit: 0\n"
    )
    house.mail("ann", "[The waits of eve@example.org] Orders ann 1", "this mail waits\nclaim: me\n")
    config = house.folder / "house.yaml"
    config.write_text(config.read_text().replace("name: The North", "name: 'The North'"))
    run()
    said = assert_public(house)
    assert "The waits of (an address)" in said and "Turn 1 waits: 3 of 3 players filed nothing (ann, bob, cyn)" in said


@pytest.mark.parametrize(
    "text",
    ["ada@example.org", "Ada <ada@example.org>", "mailto:ada%40example.org", "ada＠example.org", "(ada@[192.0.2.1])"],
)
def test_what_looks_like_an_address_is_left_out(text: str) -> None:
    shown = board.public({"a": [text, 1], "b": (text,)})
    assert "ada" not in str(shown) and "192" not in str(shown)
    assert shown["a"][1] == 1 and board.public("3 of 4, at 18:00") == "3 of 4, at 18:00"


def test_the_files_go_where_the_house_says_and_are_read_there(house: House, run, tmp_path: Path) -> None:
    place = tmp_path / "www"
    place.mkdir()
    config = house.folder / "house.yaml"
    config.write_text(f"{config.read_text()}page: {place}/index.html\nmetrics: {place}/house.prom\n")
    assert run()[0] == 0
    assert {file.name: stat.S_IMODE(file.stat().st_mode) for file in place.iterdir()} == {
        "index.html": 0o644, "house.prom": 0o644,
    }  # fmt: skip
    assert not (house.folder / "status.html").exists()
    before = (place / "index.html").read_bytes()
    run(str(house.folder / "alba"))  # knows nothing of the others
    assert (place / "index.html").read_bytes() == before
    config.write_text(config.read_text().replace("www/index", "gone/index"))
    code, _, errors = run()
    assert code == 1 and "gone/index.html: This can't be written: No such file or directory." in errors


def test_a_house_in_its_own_folder_is_private(house: House, run) -> None:
    run()
    for name in ("status.html", "status.prom"):
        assert stat.S_IMODE((house.folder / name).stat().st_mode) == 0o600


def test_seats_that_were_asked_for_stand_in_status_page_and_metrics_until_the_gm_replied(
    house: House, run, monkeypatch, capsys
) -> None:
    file = house.folder / "alba" / "campaign.yaml"
    file.write_text(re.sub(r"cyn: \{email[^}]*\}", "cyn: {}", file.read_text()) + "newcomers: ask\n")
    house.mail("eve", "join alba", "", From="Eve Adams <eve@example.org>")
    run()
    house.mail("eve", "Re: it", "yes", In_Reply_To=house.got("eve")[-1]["Message-ID"])
    run()

    def shown() -> tuple[bool, float, bool]:
        capsys.readouterr()
        main(["status", str(house.folder / "alba")])
        page = (house.folder / "status.html").read_text()
        assert "Eve" not in page and "eve@" not in page
        said = "Eve Adams asks for the seat cyn. Until Saturday 28 November 2026, 13:00 (UTC) it is kept"
        in_status = said in " ".join(capsys.readouterr().out.split())
        values = metrics(house.folder / "status.prom")
        return in_status, values["seats_asked"], "1 asked for, which waits for the GM" in rows(page)["Tally of Alba"]

    assert shown() == (True, 1, True)
    monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(days=8))
    run()
    assert shown() == (False, 0, False)
    house.mail("gm-alba", "Re: it", "No problem!", In_Reply_To=house.got("gm-alba")[-2]["Message-ID"])
    run()
    assert shown() == (False, 0, False) and "cyn: {name: Eve Adams" in file.read_text()


@pytest.mark.package("chromium", PROGRAM)
def test_the_page_fits_a_phone_and_a_desk_and_shuts_nobody_out(browser: Browser, tmp_path: Path) -> None:
    """Of every state there is, with a long name, hostile ones, and a server that fails."""
    row = board.Row(
        "w",
        "War of the <b>long</b> river " + "and" * 60,
        "kings_progress",
        text="Turn 13 waits: `missing_limit`. " * 4,
        at=NOW,
        filed=1,
        people=24,
        free=3,
        joins=True,
        waiting=12,
        asked=2,
    )
    rows_ = [
        row._replace(state=state, folder=state, turn=turn, played=not turn)
        for state in board.STATES
        for turn in (-1, 0, 12)
    ]
    place = houses.House(tmp_path, "The <i>North</i>", Gm("Hal", ("hal@example.org",)), Mail("play@example.org"))
    run = board.Run(
        place,
        NOW,
        NOW + timedelta(seconds=9),
        rows_,
        2,
        {"SMTP": "The SMTP server 127.0.0.1, port 25, takes no calls. Is `port` right?"},
    )
    assert board.write(run) == []
    page = tmp_path / "status.html"
    for width in (360, 1280):
        assert overflowing(browser, page, width) == []
    assert shut_out(browser, page, both=True) == [] and invalid([page]) == []
    assert "<b>long" not in page.read_text() and "hal@" not in page.read_text()
