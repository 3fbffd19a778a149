"""A turn whose reports went out is not played or mailed a second time as another without a word: not from a folder that was deleted or
rewritten, and not from a backup."""

from __future__ import annotations

import shutil
from datetime import date
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from kingdom.campaign import house
from kingdom.campaign.campaign import kept, open_campaign
from kingdom.campaign.settings import Server as ServerSettings
from kingdom.cli.main import main
from kingdom.mail import other_turns
from kingdom.mail.outgoing import posting
from kingdom.mail.servers import connection, imap
from kingdom.render.reports import ANEW
from tests.campaign.test_audit import forge
from tests.kit.tiny_game import file_orders, write
from tests.mail.test_following import MAILBOX, NOBODY_WAITS, Server, server, tally  # noqa: F401 - fixtures
from tests.mail.test_week import FRIDAY, HOUR, Campaign, text_of

STOPPED = "Reports of another turn 1 than this one"


@pytest.fixture
def mailed(tally: Campaign, server: Server) -> Campaign:  # noqa: F811
    """The reports of turn 1 went out."""
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX)
    tally.run()
    tally.mail("ann", "take: 2\n", subject="Orders ann 1")
    tally.run(at=FRIDAY + HOUR)
    assert len(server.to("report-0001")) == 3
    server.got.clear()
    return tally


def stops(campaign: Campaign, said: str = STOPPED) -> str:
    """Neither `run` nor `turn` plays or mails the turn, and what they say."""
    heard = ""
    for words in (["run"], ["turn", "--yes"], ["run"]):
        before = campaign.turns
        campaign.capsys.readouterr()
        assert main([words[0], str(campaign.folder), *words[1:]]) == 1
        heard = campaign.capsys.readouterr().err
        assert said in heard and campaign.turns == before
    return heard


def digest_of(campaign: Campaign, turn: int = 1) -> str:
    return kept(open_campaign(campaign.folder), turn).digest[:8]


def other_orders(campaign: Campaign) -> None:
    shutil.rmtree(campaign.folder / "turns/0001")
    file_orders(campaign.folder, 1, "bob", "take: 3\n")


def test_a_turn_that_is_deleted_and_played_with_other_orders_is_not_mailed_as_the_same(
    mailed: Campaign,
    server: Server,  # noqa: F811
) -> None:
    known = digest_of(mailed)
    other_orders(mailed)
    said = stops(mailed)
    assert f"{known}... (by mail/journal.jsonl)" in said and f"`kingdom run --anew 1 {mailed.folder}`" in said
    assert server.to("report-0001") == []
    mailed.run("--anew", "1")
    assert len(server.to("report-0001")) == 3 and mailed.turns == 2
    record = kept(open_campaign(mailed.folder)).record
    assert record.anew == [known]
    mail = next(mail for to, mail in server.got if to == "ann@example.org" and "<report-0001" in mail["Message-ID"])
    assert text_of(mail).startswith(ANEW)


def test_it_goes_on_once_and_with_that_turn_alone(mailed: Campaign, server: Server) -> None:  # noqa: F811
    other_orders(mailed)
    mailed.run("--anew", "1")
    assert mailed.turns == 2
    shutil.rmtree(mailed.folder / "turns/0001")
    file_orders(mailed.folder, 1, "bob", "take: 4\n")
    stops(mailed)
    mailed.capsys.readouterr()
    assert main(["run", "--anew", "0", str(mailed.folder)]) == 1
    assert "No other turn 0 than the one here is known to have been mailed" in mailed.capsys.readouterr().err


def test_a_turn_that_is_deleted_and_comes_out_the_same_is_the_same(mailed: Campaign, server: Server) -> None:  # noqa: F811
    before = digest_of(mailed)
    shutil.rmtree(mailed.folder / "turns/0001")
    mailed.run()
    assert digest_of(mailed) == before and server.got == [], "they have its reports"


def test_a_turn_that_is_rewritten_is_not_mailed_and_no_later_one_is_played(
    mailed: Campaign,
    server: Server,  # noqa: F811
) -> None:
    known = digest_of(mailed)
    forge(mailed.folder, 1, lambda place: None)
    forge(mailed.folder, 1, lambda place: write(place, "reports/extra.txt", "more"))
    assert digest_of(mailed) != known
    stops(mailed)
    assert server.to("report-0001") == []
    mailed.run("--anew", "1")
    mail = next(mail for to, mail in server.got if to == "ann@example.org" and "<report-0001" in mail["Message-ID"])
    assert text_of(mail).startswith(ANEW)


def test_release_sends_no_report_of_a_rewritten_turn(mailed: Campaign) -> None:
    forge(mailed.folder, 1, lambda place: write(place, "reports/extra.txt", "more"))
    assert main(["release", str(mailed.folder)]) == 1


def test_a_turn_that_was_taken_back_is_known(mailed: Campaign, server: Server) -> None:  # noqa: F811
    mailed.run(command="undo")
    write(mailed.folder, "campaign.yaml", (mailed.folder / "campaign.yaml").read_text() + "rules: {take: {most: 1}}\n")
    mailed.run()
    assert len(server.to("report-0001")) == 3, "it corrects the first"


def test_what_a_person_forwarded_went_out(tally: Campaign) -> None:  # noqa: F811
    write(tally.folder, "campaign.yaml", NOBODY_WAITS)
    tally.run()
    tally.run(at=FRIDAY + HOUR)
    other_orders(tally)
    assert main(["run", str(tally.folder)]) == 0, "its reports lie in the outbox still"
    tally.forward()
    tally.run()
    shutil.rmtree(tally.folder / "turns/0001")
    file_orders(tally.folder, 1, "bob", "take: 1\n")
    stops(tally)


# --- a backup


@pytest.fixture
def restored(tally: Campaign, server: Server, monkeypatch: pytest.MonkeyPatch) -> tuple[Campaign, str]:  # noqa: F811
    """The campaign as it was before turn 1, of which players answered a report; and that report's Message-ID."""
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX)
    tally.run()
    backup = shutil.copytree(tally.folder, tally.folder.with_name("backup"))
    tally.mail("ann", "take: 2\n", subject="Orders ann 1")
    tally.run(at=FRIDAY + HOUR)
    answered = next(str(mail["Message-ID"]) for to, mail in server.got if "<report-0001-ann" in mail["Message-ID"])
    shutil.rmtree(tally.folder)
    shutil.move(backup, tally.folder)
    box = MAILBOX.replace("smtp:", "imap: {host: localhost, port: 143, tls: none, username: x, password_env: X}, smtp:")
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + box)
    monkeypatch.setattr(imap.Mailbox, "batches", lambda self, size=1: iter(()))
    server.got.clear()
    return tally, answered


def processed(monkeypatch: pytest.MonkeyPatch, *messages: str) -> None:
    """What the mailbox's Processed folder answers."""

    def answers_to(place: object, ours: str) -> list[str]:
        return [f"References: <1@example.org>\r\n {id}\r\n\r\n" for id in messages if ours in id]

    monkeypatch.setattr(imap, "answers_to", answers_to)


def test_a_turn_that_players_answered_is_not_played_as_another_from_a_backup(
    restored: tuple[Campaign, str],
    server: Server,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    campaign, answered = restored
    processed(monkeypatch, answered)
    digest = answered.partition(".")[0][-8:]
    assert f"{digest}... (by answers in the mailbox)" in stops(campaign)
    campaign.run("--anew", "1")
    assert kept(open_campaign(campaign.folder)).record.anew == [digest] and len(server.to("report-0001")) == 3


def test_a_backup_that_comes_out_the_same_sends_the_same_mails(
    restored: tuple[Campaign, str],
    server: Server,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    campaign, answered = restored
    processed(monkeypatch, answered)
    file_orders(campaign.folder, 1, "ann", "take: 2\n")
    file = campaign.folder / "orders/0001/ann.yaml"
    file.write_text(file.read_text())
    campaign.mail("ann", "take: 2\n", subject="Orders ann 1", at=FRIDAY - HOUR)
    file.unlink()
    assert main(["mail", "fetch", str(campaign.folder), "--from", str(campaign.folder / "mail/inbox")]) == 0
    campaign.run(at=FRIDAY + HOUR)
    ids = [str(mail["Message-ID"]) for to, mail in server.got if "<report-0001-ann" in mail["Message-ID"]]
    assert ids == [answered]


def test_nobody_stops_a_turn_by_a_message_id_that_is_not_ours(
    restored: tuple[Campaign, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign, answered = restored
    mail, mark = answered.split(".")[0], answered.partition(".")[2]
    others = [f"{mail[:-1]}{'0' if mail[-1] != '0' else '1'}.{mark}", f"{mail}.{mark.replace('@', '0@')}"]
    processed(monkeypatch, *others, "<report-0001-nobody-0123abcd.0123456789abcdef@tally.example>", "<report-0001-", "")
    campaign.run(at=FRIDAY + HOUR)
    assert campaign.turns == 2


def test_a_mailbox_that_does_not_answer_stops_no_turn_and_is_said(
    restored: tuple[Campaign, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign, _ = restored

    def down(place: object, ours: str) -> list[str]:
        raise connection.Unreachable("The IMAP server localhost does not answer.")

    monkeypatch.setattr(imap, "answers_to", down)
    campaign.now = FRIDAY + HOUR
    campaign.capsys.readouterr()
    assert main(["turn", "--yes", str(campaign.folder)]) == 0
    assert (
        "Whether players answered another report of turn 1 could not be looked up" in campaign.capsys.readouterr().err
    )


def test_the_preview_of_a_mail_is_the_same_behind_that_sentence() -> None:
    report = "Examplia        The Greenmarch, turn 1\n=====\nAda, orders are due.\n\n  Size   3\n  Unrest   2\n\n\nNext"
    assert posting.happened(report) == posting.happened(f"{ANEW_WRAPPED}\n\n{report}") == "Size: 3. Unrest: 2."


ANEW_WRAPPED = posting.wrap(ANEW)


def test_the_mailbox_of_a_house_is_asked_once_for_all_its_campaigns(
    restored: tuple[Campaign, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign, answered = restored
    asked: list[str] = []

    def answers_to(server_of: object, ours: str, since: date) -> list[str]:
        asked.append(ours)
        return [f"In-Reply-To: {answered}\r\n\r\n"]

    place = ServerSettings("localhost", 143)
    around = SimpleNamespace(mail=SimpleNamespace(imap=place))
    opened = open_campaign(campaign.folder)
    monkeypatch.setattr(house, "around", lambda folder: around)
    monkeypatch.setattr(imap, "answers_to", answers_to)
    opened = opened._replace(settings=replace(opened.settings, house="house"))
    other_turns._in_house.cache_clear()
    found = [other_turns.answered(opened, turn) for turn in (1, 2, 1)]
    assert [len(one) for one in found] == [1, 0, 1] and asked == ["report-"]
