"""The welcome mail of every game: small, the kingdom by its name, three things to send that are taken as they stand."""

from __future__ import annotations

import email
import json
import shutil
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest

from kingdom.campaign import campaign as campaigns
from kingdom.cli.main import main
from kingdom.mail.incoming import taking
from kingdom.mail.incoming.outcome import Fate
from kingdom.mail.incoming.taking import Incoming
from kingdom.mail.journal import Journal, journal_of
from kingdom.mail.outgoing import letters, order_links, reporting, welcoming
from kingdom.mail.outgoing.welcoming import LARGEST, start_of, things
from tests.kit.mailkit import Box
from tests.kit.postkit import enclosed, html_of, long_lines, pressed, tags, text_of
from tests.kit.tiny_game import write

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
GAMES = {
    "realm": ("--size", "30x14"), "kings_progress": (), "royal_progress": (), "cardinals_guards": (), "kings_pouch": (),
}  # fmt: skip


@pytest.fixture(scope="module", params=GAMES)
def invited(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, EmailMessage]:
    """A new campaign whose first seat is Ada's, and her welcome mail: of the realm with a map of 420 hexes."""
    folder = tmp_path_factory.mktemp("welcome") / request.param
    assert main(["new", str(folder), "--game", request.param, *GAMES[request.param]]) == 0
    assert main(["turn", str(folder)]) == 0
    seat = campaigns.open_campaign(folder).seats[0]
    assert main(["invite", str(folder), seat, "ada@example.org", "--name", "Ada"]) == 0
    (file,) = (folder / "mail/outbox").glob("welcome*")
    return folder, seat, email.message_from_bytes(file.read_bytes(), policy=default)


def sent(folder: Path, number: int, subject: str, text: str, answers: str = "<none@example.org>") -> Fate:
    """What becomes of a mail of Ada's. answers: the Message-ID of the mail that it is a reply to."""
    head = f"From: Ada <ada@example.org>\nSubject: {subject}\nMessage-ID: <{number}@example.org>\nIn-Reply-To: {answers}\n\n"
    campaign = campaigns.open_campaign(folder)
    journal = journal_of(campaign)
    return taking.take(campaign, journal, Box([Incoming(f"{number}", (head + text).encode())]), NOW)[-1].fate


def test_it_is_small_and_has_no_file_that_a_newcomer_can_do_nothing_with(
    invited: tuple[Path, str, EmailMessage],
) -> None:
    folder, seat, mail = invited
    files = {part.get_filename(): len(part.as_bytes()) for part in mail.iter_attachments()}
    assert len(mail.as_bytes()) - files["form.html"] <= LARGEST == 150_000
    guide = {"players-guide.txt"} if folder.name == "realm" else set()
    assert set(files) == {"form.html", f"{seat}-0000.html", "record.json", *guide}
    lines = (folder / f"turns/0000/reports/{seat}.txt").read_text().split("\n")
    assert len(lines) > 5 and set(lines[:5]) <= set(text_of(mail).split("\n")), "the report stands in the mail"
    assert any(part.get_content_type() == "image/png" for part in mail.walk()), "the map stands in the mail"


def test_it_calls_the_kingdom_by_its_name(invited: tuple[Path, str, EmailMessage]) -> None:
    folder, seat, mail = invited
    name = reporting.name_of(campaigns.open_campaign(folder), seat)
    assert name != seat and f"You play {name};" in text_of(mail)
    assert not long_lines(text_of(mail)) and "img" in tags(mail)


def test_the_three_things_are_taken_as_they_stand_tapped_or_typed(invited: tuple[Path, str, EmailMessage]) -> None:
    folder, seat, mail = invited
    campaign = campaigns.open_campaign(folder)
    found = things(campaign, seat, start_of(campaign, seat))
    assert len(found) == 3
    for number, thing in enumerate(one.link for one in found):
        assert "\n".join(thing.lines) in text_of(mail) and thing.name in html_of(mail).replace("\u00a0", " ")
        _, subject, body = pressed(thing.to)
        assert sent(folder, number, subject, body).outcome == "accepted", thing.name
        assert "WOULD BE REFUSED" not in last_answer(folder).upper(), thing.name
        if thing.lines:
            reply = sent(
                folder, 10 + number, f"Re: {mail['Subject']}", "\n".join(thing.lines) + "\n", mail["Message-ID"]
            )
            assert reply.outcome == "accepted", thing.name
        else:
            assert f"send a mail with the subject `{subject}`" in " ".join(text_of(mail).split())


def test_of_all_that_are_sent_the_last_plan_counts_and_other_things_join_it(
    invited: tuple[Path, str, EmailMessage], tmp_path: Path
) -> None:
    made, seat, _ = invited
    folder = tmp_path / made.name
    shutil.copytree(made, folder)
    campaign = campaigns.open_campaign(folder)
    found = things(campaign, seat, start_of(campaign, seat))
    for number, thing in enumerate(found, 50):
        _, subject, body = pressed(thing.link.to)
        assert sent(folder, number, subject, body).outcome == "accepted"
        assert "REFUSED" not in last_answer(folder), thing.link.name
        assert thing.effects or "No longer ordered" not in last_answer(folder), thing.link.name
    if made.name == "realm":
        plan = [thing for thing in found if thing.effects][-1]
        filed = order_links.readable(campaign, (folder / f"orders/0001/{seat}.yaml").read_text(), seat, 1)
        assert order_links.short(campaign, filed) == list(plan.link.lines)


def last_answer(folder: Path) -> str:
    """The text of the newest answer."""
    journal = Journal(folder / "mail")
    id = [mail for mail in journal.mails if mail.startswith("answer")][-1]
    return text_of(email.message_from_bytes((folder / f"mail/outbox/{id}.eml").read_bytes(), policy=default))


def test_the_rules_come_with_the_subject_rules_and_what_editors_need_with_the_subject_schema(
    invited: tuple[Path, str, EmailMessage],
) -> None:
    folder, seat, mail = invited
    assert "Get the rules" in html_of(mail)
    for number, (word, name) in enumerate((("rules", "rules.html"), ("schema", "orders.schema.json"))):
        subject = letters.with_token(campaigns.open_campaign(folder), seat, word)
        assert sent(folder, 20 + number, subject, "").outcome == "accepted"
        files = list((folder / "mail/outbox").glob("answer*"))
        answers = [email.message_from_bytes(file.read_bytes(), policy=default) for file in files]
        assert any({name} == set(enclosed(one)) for one in answers)


def test_a_long_report_is_left_to_the_subject_report(
    invited: tuple[Path, str, EmailMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, seat, _ = invited
    campaign = campaigns.open_campaign(folder)
    monkeypatch.setattr(welcoming, "LARGEST", 12_000)
    letter = welcoming.welcome(campaign, Journal(folder / "mail"), seat, NOW)
    mail = email.message_from_bytes(letter.data, policy=default)
    assert f"{seat}-0000.html" not in enclosed(mail) and "form.html" in enclosed(mail)
    found = "report" if any(name.startswith(seat) for name in enclosed(mail)) else "subject `report` brings your report"
    assert found in " ".join(text_of(mail).split()) and "cid:" not in html_of(mail)


def test_with_a_web_space_the_form_is_a_link(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    assert main(["new", str(folder)]) == 0
    text = (folder / "campaign.yaml").read_text()
    write(folder, "campaign.yaml", text + "\npublish: {folder: ../www, url: https://example.org/new}\n")
    seat = campaigns.open_campaign(folder).seats[0]
    assert main(["invite", str(folder), seat, "ada@example.org"]) == 0
    (file,) = (folder / "mail/outbox").glob("welcome*")
    mail = email.message_from_bytes(file.read_bytes(), policy=default)
    assert "form.html" not in enclosed(mail)
    assert "Open the order form:\nhttps://example.org/new/" in text_of(mail) and "https://example.org/new/" in html_of(
        mail
    )


@pytest.mark.parametrize("game", GAMES)
def test_before_turn_0_the_form_stands_in_the_mail_that_its_link_writes(game: str, tmp_path: Path) -> None:
    folder = tmp_path / game
    assert main(["new", str(folder), "--game", game]) == 0
    seat = campaigns.open_campaign(folder).seats[0]
    assert main(["invite", str(folder), seat, "ada@example.org", "--name", "Ada"]) == 0
    lines = reporting.form(campaigns.open_campaign(folder), seat)
    assert main(["turn", str(folder)]) == 0
    assert len(lines) > 5 and lines == reporting.form(campaigns.open_campaign(folder), seat)


def test_while_a_turn_that_was_taken_back_takes_no_orders_it_asks_for_none(tmp_path: Path) -> None:
    folder = tmp_path / "march"
    assert main(["new", str(folder)]) == 0
    file = folder / "campaign.yaml"
    file.write_text(file.read_text() + "calendar: {deadline: 2026-12-04T18:00, zone: UTC, every: 7d}\n")
    for command in ("turn", "turn", "undo"):
        assert main([command, str(folder), *(["--yes"] if command == "turn" else [])]) == 0
    seat = campaigns.open_campaign(folder).seats[0]
    assert main(["invite", str(folder), seat, "ada@example.org", "--name", "Ada"]) == 0
    (file,) = (folder / "mail/outbox").glob("welcome*")
    mail = email.message_from_bytes(file.read_bytes(), policy=default)
    for text in (text_of(mail), html_of(mail)):
        said = " ".join(text.split())
        assert "Turn 1 is played again with the orders that it had, so it takes none of yours." in said
        assert "three things" not in said.lower() and "order form" not in said.lower()
    assert not {"form.html", "deadline.ics"} & set(enclosed(mail))


def to_ada(folder: Path) -> list[str]:
    """The mails to Ada that wait, each without the signs in its name."""
    files = sorted((folder / "mail/outbox").glob("*.eml"))
    mails = {file.name: email.message_from_bytes(file.read_bytes(), policy=default) for file in files}
    return [name.partition("-")[0] for name, mail in mails.items() if mail["To"] == "ada@example.org"]


# a server that is not there, and none: a person carries the mails
SERVERS = {"smtp": "mail: {address: orders@example.org, smtp: {host: 127.0.0.1, port: 9, tls: none}}", "by hand": "mail: {address: orders@example.org}"}  # fmt: skip


@pytest.fixture(params=SERVERS)
def march(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str]:
    """A new campaign without turn 0, and its first seat."""
    folder = tmp_path / "march"
    assert main(["new", str(folder)]) == 0
    file = folder / "campaign.yaml"
    file.write_text(f"{file.read_text()}\n{SERVERS[request.param]}\n")
    return folder, campaigns.open_campaign(folder).seats[0]


def invite(folder: Path, seat: str, name: str = "Ada") -> None:
    assert main(["invite", str(folder), seat, "ada@example.org", "--name", name]) == 0


def test_welcome_and_report_of_turn_0_are_one_mail_however_often_it_is_run(march: tuple[Path, str]) -> None:
    folder, seat = march
    invite(folder, seat)
    assert to_ada(folder) == ["welcome"]
    for _ in range(3):
        main(["run", str(folder)])
        assert to_ada(folder) == ["welcome"]
    (file,) = (folder / "mail/outbox").glob("welcome*")
    mail = email.message_from_bytes(file.read_bytes(), policy=default)
    record = json.loads((folder / f"turns/0000/reports/{seat}.json").read_bytes())
    assert json.loads(enclosed(mail)["record.json"]) == record and "Your kingdom begins." in text_of(mail)
    assert text_of(mail).count(" due ") == 1, "one deadline"


def test_who_is_invited_after_turn_0_or_joins_late_gets_one_mail_too(march: tuple[Path, str]) -> None:
    folder, seat = march
    main(["run", str(folder)])
    invite(folder, seat)
    main(["run", str(folder)])
    assert to_ada(folder) == ["welcome"]
    other = campaigns.open_campaign(folder).seats[1]
    assert main(["turn", str(folder)]) == 0
    assert main(["invite", str(folder), other, "ada@example.org", "--name", "Ann"]) == 0
    main(["run", str(folder)])
    by_hand = "smtp" not in (folder / "campaign.yaml").read_text().rpartition("mail:")[2]
    expected = ["report", "welcome", "welcome"] if by_hand else ["welcome", "welcome"]
    assert sorted(to_ada(folder)) == expected, "a welcome that waits is made anew with the report of turn 1"


def test_an_invitation_after_the_report_waits_takes_its_place(march: tuple[Path, str]) -> None:
    folder, seat = march
    invite(folder, seat)
    main(["run", str(folder)])
    invite(folder, seat)  # a new token: the links of the first mail are dead
    main(["run", str(folder)])
    assert to_ada(folder) == ["welcome"]


def test_a_welcome_that_a_person_carried_before_the_start_is_followed_by_the_report_alone(tmp_path: Path) -> None:
    folder = tmp_path / "march"
    assert main(["new", str(folder)]) == 0
    file = folder / "campaign.yaml"
    file.write_text(f"{file.read_text()}\n{SERVERS['by hand']}\n")
    seat = campaigns.open_campaign(folder).seats[0]
    invite(folder, seat)
    for carried in (folder / "mail/outbox").glob("welcome*"):
        carried.rename(tmp_path / carried.name)
    for _ in range(2):
        main(["run", str(folder)])
        assert to_ada(folder) == ["report"]
