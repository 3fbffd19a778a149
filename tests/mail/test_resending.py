"""Mail that did not arrive in words about us: nobody is blamed, and `kingdom mail send --dropped` sends again what still holds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from kingdom.cli import main as program
from kingdom.cli.main import main
from kingdom.mail.servers import smtp
from tests.kit.tiny_game import write
from tests.mail.test_following import MAILBOX, NOBODY_WAITS, Server, tally
from tests.mail.test_gm_news import BOUNCE
from tests.mail.test_week import FRIDAY, HOUR, Campaign, text_of

__all__ = ["tally"]  # a fixture
RELAY = "554 5.7.1 <{to}>: Relay access denied"
LIMIT = "550 5.4.5 Daily user sending limit exceeded"
SPAM = "554 5.7.1 Message rejected as spam"
NOBODY = "550 5.1.1 <{to}>: User unknown"


class Refusing(Server):
    """A server that refuses mails to some. answers: address -> how."""

    answers: dict[str, str]

    def called(self, server: object) -> SimpleNamespace:
        return SimpleNamespace(**vars(super().called(server)), rset=lambda: (250, b""))

    def hand_over(self, connection: object, server: object, sender: str, to: str, data: bytes) -> None:
        if answer := self.answers.get(to):
            code, _, words = answer.format(to=to).partition(" ")
            raise smtp.Refused(int(code), words)
        super().hand_over(connection, server, sender, to, data)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Refusing:
    made = Refusing(monkeypatch)
    made.answers = {}
    return made


@pytest.fixture
def mailed(tally: Campaign, server: Refusing) -> Iterator[Campaign]:
    """Turn 0 is kept, and its reports are sent."""
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX)
    tally.run()
    server.got.clear()
    yield tally


def as_older_releases_did(campaign: Campaign, said: str, *seats: str) -> None:
    """The newest mail to each of these was dropped for good, and lies in the outbox."""
    file = campaign.folder / "mail" / "journal.jsonl"
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    for seat in seats:
        mail = [line for line in lines if line["event"] == "queued" and line["kingdom"] == seat][-1]
        sent = campaign.folder / "mail" / "sent" / f"{mail['mail']}.eml"
        sent.rename(campaign.folder / "mail" / "outbox" / sent.name)
        lines = [line for line in lines if not (line["event"] == "sent" and line["mail"] == mail["mail"])]
        code, _, words = said.format(to=mail["to"]).partition(" ")
        lines.append(
            {
                "at": lines[-1]["at"],
                "event": "dropped",
                "mail": mail["mail"],
                "code": int(code),
                "text": words,
                "tries": 1,
            }
        )
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))


def again(campaign: Campaign, *words: str, code: int = 0) -> str:
    """What `kingdom mail send --dropped` says, on one line."""
    campaign.capsys.readouterr()
    assert main(["mail", "send", str(campaign.folder), "--dropped", *words]) == code
    said = campaign.capsys.readouterr()
    return " ".join((said.out + said.err).split())


def came_back(campaign: Campaign, id: str, words: str, seat: str = "ann", more: str = "") -> None:
    report = BOUNCE.format(id=f"{id}\n{more}").replace("ann@", f"{seat}@")
    old = "550 5.1.1 <ann@example.org>: Recipient address rejected:\n    User unknown".replace("ann@", f"{seat}@")
    assert old in report
    write(campaign.folder, "mail/inbox/back.eml", report.replace(old, words.format(to=f"{seat}@example.org")))


def news(campaign: Campaign, server: Refusing) -> str:
    return " ".join(
        text_of(mail) for to, mail in server.got if to == "gwen@example.org" and "<news" in mail["Message-ID"]
    )


@pytest.mark.parametrize("said", [RELAY, LIMIT])
def test_what_an_older_release_dropped_for_our_sake_blames_nobody_and_is_sent_again_once(
    said: str, mailed: Campaign, server: Refusing
) -> None:
    as_older_releases_did(mailed, said, "ann", "bob")
    mailed.run()
    status = " ".join(mailed.run(command="status").split())
    assert "can't be reached" not in status and "That speaks of how this campaign sends, not of the address." in status
    assert f"`kingdom mail send {mailed.folder} --dropped` sends it again" in status
    assert json.loads(mailed.run("--json", command="status"))["failing"] == []
    told = news(mailed, server)
    assert (
        "better address" not in told
        and f"`kingdom mail send {mailed.folder} --dropped`" in told
        and server.to("report") == []
    )
    listed = again(mailed, code=2)
    assert (
        "The report of turn 0 for Ann (ann) to ann@example.org was refused: " in listed
        and "2 mails would be sent again" in listed
    )
    assert server.to("report") == []
    assert "2 sent, 0 to be tried again" in again(mailed, "--yes")
    assert sorted(server.to("report")) == ["ann@example.org", "bob@example.org"]
    assert "Nothing was refused or came back" in again(mailed, "--yes")
    assert "speaks of how" not in mailed.run(command="status")


def test_it_asks_and_a_no_sends_nothing(mailed: Campaign, server: Refusing, monkeypatch: pytest.MonkeyPatch) -> None:
    as_older_releases_did(mailed, LIMIT, "ann")
    asked: list[str] = []
    answers = iter([False, True])
    monkeypatch.setattr(program, "_ask", lambda question: asked.append(question) or next(answers))
    assert again(mailed) == "Nothing was sent." and server.got == []
    assert "1 sent" in again(mailed) and server.to("report") == ["ann@example.org"]
    assert asked[0].startswith("The report of turn 0 for Ann (ann) to ann@example.org was refused: ") and asked[
        0
    ].endswith("Send it again?")


def test_what_was_refused_because_of_its_reader_is_not_sent_again(mailed: Campaign, server: Refusing) -> None:
    as_older_releases_did(mailed, NOBODY, "ann")
    assert (
        "Nothing was refused or came back in words about this campaign" in again(mailed, "--yes") and server.got == []
    )
    assert "ann@example.org (ann) can't be reached" in " ".join(mailed.run(command="status").split())


def test_a_mail_that_is_itself_refused_asks_for_no_better_address(mailed: Campaign, server: Refusing) -> None:
    server.answers["ann@example.org"] = SPAM
    mailed.run(at=FRIDAY + HOUR)
    mailed.run()
    told = news(mailed, server)
    assert (
        "That speaks of the mail itself, not of the address. Pass it on by another way" in told
        and "better address" not in told
    )
    server.answers.clear()
    assert "1 sent" in again(mailed, "--yes") and "ann@example.org" in server.to("report")


@pytest.mark.parametrize("change", ["turn", "seat", "address", "nobody"])
def test_what_is_no_longer_so_is_withdrawn(change: str, mailed: Campaign, server: Refusing) -> None:
    """A turn that was taken back; a seat that was handed on, or corrected by an invitation; an address that was changed by hand."""
    mailed.run(at=FRIDAY + HOUR)
    server.got.clear()
    as_older_releases_did(mailed, RELAY, "ann")
    if change == "turn":
        mailed.run("--reopen", command="undo")
    elif change == "seat":
        mailed.run("ann", "eve@example.org", "--name", "Eve", command="invite")
    elif change == "address":
        file = mailed.folder / "campaign.yaml"
        file.write_text(file.read_text().replace("ann@example.org", "ann@example.net"))
    else:
        file = mailed.folder / "campaign.yaml"
        file.write_text(file.read_text().replace("email: ann@example.org, ", ""))
    said = again(mailed, "--yes")
    assert "It is withdrawn: the turn, seat or address changed since." in said
    assert "ann@example.org" not in server.to("report")
    assert "Nothing was refused or came back" in again(mailed, "--yes")
    mailed.run(at=FRIDAY + 2 * HOUR)
    assert "ann@example.org" not in server.to("report") or change == "turn"  # which was played anew
    if change == "address":  # as the seat has no report of the newest turn, it gets one
        assert server.to("report") == ["ann@example.net"]


def test_a_mail_whose_file_a_person_took_is_theirs(mailed: Campaign, server: Refusing) -> None:
    as_older_releases_did(mailed, RELAY, "ann")
    (file,) = (mailed.folder / "mail" / "outbox").glob("report-0000-ann-*.eml")
    file.unlink()
    assert "Nothing was refused" in again(mailed, "--yes")


@pytest.mark.parametrize(("words", "code"), [(RELAY, 5), (LIMIT, 4)])
def test_a_mail_that_comes_back_in_words_about_us_marks_no_address_and_is_sent_again(
    words: str, code: int, mailed: Campaign, server: Refusing
) -> None:
    """As where a server of our own takes all, and the one that it sends through lets it send nothing."""
    alerted = mailed.folder / "alerted"
    file = mailed.folder / "campaign.yaml"
    file.write_text(file.read_text() + f"alert: tee {alerted}\n")
    (sent,) = (mailed.folder / "mail" / "sent").glob("report-0000-ann-*.eml")
    id = sent.read_text().partition("Message-ID: ")[2].split()[0]
    came_back(mailed, id, words)
    mailed.capsys.readouterr()
    assert main(["run", str(mailed.folder)]) == code
    assert (
        "came back in words about how this campaign sends, not about who it was for" in mailed.capsys.readouterr().err
    )
    assert "came back in words" in alerted.read_text()
    assert json.loads(mailed.run("--json", command="status"))["failing"] == []
    assert "The report of turn 0 for Ann (ann) to ann@example.org came back. That speaks of how" in " ".join(
        news(mailed, server).split()
    )
    assert "better address" not in news(mailed, server)
    mailed.run()  # it is said once
    mailed.now += HOUR
    assert "came back: " in again(mailed, code=2) and server.to("report") == []
    assert "1 sent" in again(mailed, "--yes") and server.to("report") == ["ann@example.org"]
    assert "Nothing was refused" in again(mailed, "--yes")


def test_a_bounce_is_known_by_our_references_where_a_relay_writes_its_own_message_id(
    mailed: Campaign, server: Refusing
) -> None:
    """The thread and the address; a rival's address beside one's own thread marks nobody."""
    (sent,) = (mailed.folder / "mail" / "sent").glob("report-0000-ann-*.eml")
    thread = sent.read_text().partition("References: ")[2].split()[0]
    came_back(mailed, "<0100018c@relay.example>", NOBODY, "bob", f"References: {thread}")
    mailed.run()
    assert json.loads(mailed.run("--json", command="status"))["failing"] == []
    came_back(mailed, "<0100018d@relay.example>", NOBODY, "ann", f"References:\n {thread}")
    mailed.run()
    (failing,) = json.loads(mailed.run("--json", command="status"))["failing"]
    assert (failing["seat"], failing["address"]) == ("ann", "ann@example.org")
    assert "The report of turn 0 for Ann (ann) to ann@example.org came back." in news(mailed, server)
    mailed.run("ann", "ann@example.net", command="invite")
    assert json.loads(mailed.run("--json", command="status"))["failing"] == []


def test_of_several_mails_of_a_thread_none_is_named(mailed: Campaign, server: Refusing) -> None:
    mailed.mail("ann", "take: 1\n")
    mailed.run()
    (sent,) = (mailed.folder / "mail" / "sent").glob("report-0000-ann-*.eml")
    thread = sent.read_text().partition("References: ")[2].split()[0]
    came_back(mailed, "<0100018c@relay.example>", RELAY, "ann", f"References: {thread}")
    assert main(["run", str(mailed.folder)]) == 5
    assert "A mail for Ann (ann) to ann@example.org came back. That speaks of how" in " ".join(
        news(mailed, server).split()
    )
    assert "Nothing was refused or came back" in again(mailed, "--yes")  # nobody knows which one


def test_killed_between_two_steps_it_goes_out_once(
    mailed: Campaign, server: Refusing, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kingdom.mail.journal import Journal

    (sent,) = (mailed.folder / "mail" / "sent").glob("report-0000-ann-*.eml")
    id = sent.read_text().partition("Message-ID: ")[2].split()[0]
    came_back(mailed, id, RELAY)
    assert main(["run", str(mailed.folder)]) == 5
    mailed.now += HOUR
    add = Journal.add

    def killed(self: Journal, event: str, *rest: object, **facts: object) -> None:
        if event == "anew":
            raise KeyboardInterrupt
        add(self, event, *rest, **facts)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "add", killed)
        assert main(["mail", "send", str(mailed.folder), "--dropped", "--yes"]) == 130
    mailed.run()
    assert sent.is_file() and server.to("report") == []
    assert "1 sent" in again(mailed, "--yes") and server.to("report") == ["ann@example.org"]


UNKNOWN = "550 送信数の上限を超えました"  # a limit, in words that no table of ours has


def test_words_that_nobody_knows_blame_nobody_while_they_meet_every_reader(tally: Campaign, server: Refusing) -> None:
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX)
    server.answers = {f"{who}@example.org": UNKNOWN for who in ("ann", "bob", "gwen")}
    for _ in range(2):
        assert main(["run", str(tally.folder)]) == 5
        said = tally.capsys.readouterr()
        assert "0 refused for good" in said.out and "does not pass on what we send" in said.err
    status = " ".join(tally.run(command="status").split())
    assert "can't be reached" not in status and "送信数の上限を超えました" in status
    assert server.got == []
    server.answers = {}
    tally.run()
    assert sorted(to for to, mail in server.got if "<report" in mail["Message-ID"]) == [
        "ann@example.org",
        "bob@example.org",
        "gwen@example.org",
    ]
    assert "Trouble with" not in tally.run(command="status")


def test_words_that_nobody_knows_speak_of_their_readers_once_anybodys_mail_is_taken(
    tally: Campaign, server: Refusing
) -> None:
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX)
    server.answers = {f"{who}@example.org": UNKNOWN for who in ("ann", "bob", "gwen")}
    assert main(["run", str(tally.folder)]) == 5
    del server.answers["gwen@example.org"]
    for _ in range(3):
        main(["run", str(tally.folder)])
    status = " ".join(tally.run(command="status").split())
    assert "ann@example.org (ann) can't be reached" in status and "bob@example.org (bob) can't be reached" in status
