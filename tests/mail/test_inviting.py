"""The GM gives a seat to somebody by mail: a question first, then a plain yes."""

from __future__ import annotations

import os
import re
import shlex
from datetime import timedelta
from email.message import Message
from pathlib import Path

import pytest

from kingdom.campaign import clock
from kingdom.campaign.campaign import open_campaign
from kingdom.cli.main import main
from tests.kit import postkit
from tests.kit.mailkit import CAMPAIGN
from tests.kit.postkit import Post
from tests.kit.tiny_game import write
from tests.mail.test_gm_news import links
from tests.mail.test_week import Campaign, begun, filed, tally, text_of

__all__ = ["begun", "tally"]  # fixtures


def asked(campaign: Campaign) -> Message:
    """The newest answer to the GM."""
    campaign.run()
    return max(campaign.out("answer", "gwen"), key=lambda mail: mail["Subject"] and mail["In-Reply-To"])


def reply(campaign: Campaign, mail: Message, text: str) -> str:
    """A plain reply of the GM's, without a token, and what the run says."""
    campaign.sent += 1
    head = f"From: gwen <gwen@example.org>\nSubject: Re: {mail['Subject']}\nIn-Reply-To: {mail['Message-ID']}\nMessage-ID: <{campaign.sent}@example.org>\n\n"
    file = write(campaign.folder, f"mail/inbox/{campaign.sent}.eml", f"{head}{text}\n\n> {mail['Subject']}\n")
    os.utime(file, (campaign.now.timestamp(), campaign.now.timestamp()))
    return campaign.run()


def player(campaign: Campaign, seat: str) -> tuple[str, tuple[str, ...]]:
    held = open_campaign(campaign.folder).settings.players[seat]
    return held.name, tuple(held.email)


@pytest.mark.parametrize("words", [
    "invite bob dora@example.org Dora",
    "invite Bob dora@example.org Dora",
    "Invite dora@example.org to bob as Dora",
    "invite bob Dora <dora@example.org>",
    "please invite bob dora@example.org Dora",
])  # fmt: skip
def test_a_seat_is_handed_on_by_a_question_and_a_plain_yes(begun: Campaign, words: str) -> None:
    begun.mail("gwen", "", words)
    question = asked(begun)
    assert "The seat of Bob (bob) is to be handed on to Dora (dora@example.org)" in text_of(question)
    assert player(begun, "bob") == ("Bob", ("bob@example.org",)) and begun.out("welcome") == []
    said = reply(begun, question, "Yes, please.")
    assert "bob is Dora's now (dora@example.org), with a new token; an older one is dead." in said
    assert player(begun, "bob") == ("Dora", ("dora@example.org",))
    assert [mail["To"] for mail in begun.out("welcome")] == ["dora@example.org"]
    token = open_campaign(begun.folder).settings.players["bob"].token
    assert "done already" in text_of(begun.out("answer", "gwen")[-1]) or reply(begun, question, "yes")
    assert open_campaign(begun.folder).settings.players["bob"].token == token, "a second yes makes no second token"


def test_a_tap_says_yes_and_a_no_changes_nothing(begun: Campaign) -> None:
    begun.mail("gwen", "", "invite bob dora@example.org Dora")
    question = asked(begun)
    reply(begun, question, "no, thanks")
    assert player(begun, "bob")[0] == "Bob"
    reply(begun, question, "What does that do to his orders?")
    assert player(begun, "bob")[0] == "Bob"
    subject = links(question)["Yes, do it"].partition("subject=")[2].replace("%20", " ").partition("%5B")[0].strip()
    begun.mail("gwen", "", subject)
    begun.run()
    assert player(begun, "bob")[0] == "Dora"


def test_only_the_gm_can_invite_and_only_the_gm_s_yes_counts(begun: Campaign) -> None:
    begun.mail("ann", "", "invite bob eve@example.net Eve")
    assert "is for the GM alone" in begun.run()
    begun.mail("gwen", "", "invite bob dora@example.org Dora")
    asked(begun)
    begun.mail("ann", "yes\n", "yes")
    begun.run()
    assert player(begun, "bob")[0] == "Bob"


@pytest.mark.parametrize(("words", "says"), [
    ("invite bob", "It takes a seat (ann, bob), the player's address and name."),
    ("invite cleo dora@example.org", "It takes a seat (ann, bob)"),
    ("invite", "`invite` alone is not enough."),
    ("invite bob a..b@example.org", "is no mail address"),
])  # fmt: skip
def test_what_is_missing_or_wrong_is_said(begun: Campaign, words: str, says: str) -> None:
    begun.mail("gwen", "", words)
    assert says in begun.run()
    assert begun.out("welcome") == []


def test_another_address_of_the_same_player_is_told_as_that(begun: Campaign) -> None:
    begun.mail("gwen", "", "invite bob bob@home.example")
    question = asked(begun)
    assert "The address of Bob (bob) is to change" in text_of(question)
    reply(begun, question, "ok")
    assert player(begun, "bob") == ("Bob", ("bob@home.example",))


def test_the_mails_on_a_resignation_ask_for_just_that(begun: Campaign) -> None:
    begun.mail("bob", "", "resign")
    begun.run()
    (news,) = begun.out("news")
    assert "To hand it on, reply with the line `invite bob ADDRESS NAME`" in text_of(news)
    begun.forward("answer")
    reply(begun, news, "invite bob dora@example.org Dora")
    (question,) = begun.out("answer", "gwen")
    assert "handed on to Dora" in text_of(question)
    reply(begun, question, "yes")
    assert player(begun, "bob")[0] == "Dora"


def hand_on(campaign: Campaign, how: str) -> str:
    """Give Bob's seat to Dora, typed or by mail; what is said of it."""
    if how == "typed":
        return campaign.run("bob", "dora@example.org", "--name", "Dora", command="invite")
    campaign.mail("gwen", "", "invite bob dora@example.org Dora")
    return reply(campaign, asked(campaign), "yes")


@pytest.mark.parametrize("how", ["typed", "by mail"])
def test_what_the_former_player_filed_goes_out_as_nobody_elses_and_can_be_taken_up(begun: Campaign, how: str) -> None:
    begun.mail("bob", "take: 2\n")
    begun.mail("bob", "turn: 2\ntake: 3\n")
    begun.run()
    assert filed(begun, 1, "bob")
    said = hand_on(begun, how)
    assert not filed(begun, 1, "bob") and not filed(begun, 2, "bob")
    (kept,) = (begun.folder / "mail/handed-on").glob("0001-bob-*.yaml")
    if how == "by mail":
        answers = [text_of(mail) for mail in begun.out("answer", "gwen")]
        said = next(text for text in answers if "The welcome mail has it" in text)
    assert "What Bob filed for turn 1 counts no longer." in said
    assert f"`kingdom mail accept {begun.folder} {kept} --for bob`" in said
    (welcome,) = begun.out("welcome")
    words = text_of(welcome)
    assert "For turn 1 there are orders of a player before you." in words and "take: 2" in words
    begun.sent += 1
    head = f"From: dora@example.org\nSubject: Re: {welcome['Subject']}\nIn-Reply-To: {welcome['Message-ID']}\nMessage-ID: <{begun.sent}@example.org>\n\n"
    file = write(begun.folder, f"mail/inbox/{begun.sent}.eml", f"{head}take: 2\n")
    os.utime(file, (begun.now.timestamp(), begun.now.timestamp()))
    begun.run()
    assert filed(begun, 1, "bob").endswith("take: 2\n")


def test_the_gm_s_line_takes_it_up_whole(begun: Campaign) -> None:
    begun.mail("bob", "take: 2\n")
    begun.run()
    said = hand_on(begun, "typed")
    command = said.partition("`kingdom mail accept ")[2].partition("`")[0].split()
    assert main(["mail", "accept", *command]) == 0
    assert filed(begun, 1, "bob").endswith("take: 2\n")


def test_another_address_of_the_same_player_leaves_the_orders_where_they_are(begun: Campaign) -> None:
    begun.mail("bob", "take: 2\n")
    begun.run()
    begun.run("bob", "bob@home.example", command="invite")
    assert filed(begun, 1, "bob").endswith("take: 2\n") and not (begun.folder / "mail/handed-on").exists()


def test_letters_and_requests_of_the_former_player_are_not_shown_to_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    post = Post(postkit.campaign(tmp_path / "campaign"))
    monkeypatch.setattr(clock, "now", lambda: post.now)
    orders = "taxation: light\nmessages: {borderia: I hate you.}\nrequests: I court the duke.\nfinal: true\n"
    assert post.mail("examplia", orders).outcome == "accepted"
    assert main(["invite", str(post.folder), "examplia", "dora@example.org", "--name", "Dora"]) == 0
    assert post.filed() is None
    (id,) = [id for id in post.journal.mails if id.startswith("welcome-examplia")]
    said = postkit.text_of(post.letter(id))
    assert "taxation: light" in said and "hate" not in said and "duke" not in said
    found = postkit.links(post.letter(id))["File them"]
    assert "taxation" in found and "hate" not in found


WORDS = "messages: {borderia: I hate you.}\nrequests: I court the duke.\n"


@pytest.fixture
def post(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Post:
    """The two fords, with turn 3 next."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    post = Post(postkit.campaign(tmp_path / "the fords"))
    monkeypatch.setattr(clock, "now", lambda: post.now)
    return post


def given_to_dora(post: Post, capsys: pytest.CaptureFixture[str]) -> str:
    """Examplia is handed on an hour later; what the GM reads."""
    post.now += timedelta(hours=1)
    capsys.readouterr()
    assert main(["invite", str(post.folder), "examplia", "dora@example.org", "--name", "Dora"]) == 0
    return capsys.readouterr().out


def by_dora(post: Post, text: str, subject: str = "") -> str:
    """What Dora is answered."""
    post.now += timedelta(hours=1)
    token = post.campaign.settings.players["examplia"].token
    post.mail("examplia", text, subject, "dora@example.org", token)
    return postkit.text_of(post.answer())


def is_told(said: str) -> bool:
    return re.search(r"\bhate|\bduke", said) is not None


def report_of(post: Post, turn: int) -> str:
    """All that the mail with Dora's report of a turn says and encloses."""
    assert main(["run", str(post.folder)]) == 0
    ids = [id for id in post.journal.mails if id.startswith(f"report-{turn:04}-examplia")]
    mail = post.letter(ids[-1])
    assert mail["To"] == "dora@example.org"
    files = "".join(data.decode("utf-8", "replace") for data in postkit.enclosed(mail).values())
    return postkit.text_of(mail) + postkit.html_of(mail) + files


def test_each_turn_ahead_is_told_to_the_next_player_and_each_line_of_the_gm_works(
    post: Post, capsys: pytest.CaptureFixture[str]
) -> None:
    post.mail("examplia", f"taxation: light\n{WORDS}")
    post.mail("examplia", "turn: 4\ntaxation: heavy\n")
    post.mail("examplia", "turn: 5\nmessages: {borderia: I hate you.}\n")
    said = given_to_dora(post, capsys)
    rows = [line for line in said.splitlines() if "counts no longer" in line]
    assert ["has it, without" in row for row in rows] == [True, True, False] and "has none of it" in rows[2]
    (id,) = [id for id in post.journal.mails if id.startswith("welcome-examplia")]
    welcome = postkit.text_of(post.letter(id))
    assert "For turn 3 there are" in welcome and "turn: 4\ntaxation: heavy" in welcome and not is_told(welcome)
    for row in rows:
        command = shlex.split(row.partition("`kingdom ")[2].partition("`")[0])
        assert main(command) == 0
    assert [bool(post.filed(turn=turn)) for turn in (3, 4, 5)] == [True, True, True]
    assert post.filed(turn=4) == {"edicts": {"taxation": "heavy"}}


def test_orders_of_a_turn_that_is_reopened_are_shown_to_the_next_player_without_the_words(
    post: Post, capsys: pytest.CaptureFixture[str]
) -> None:
    post.mail("examplia", f"taxation: light\n{WORDS}")
    assert main(["turn", "--yes", str(post.folder)]) == 0
    given_to_dora(post, capsys)
    assert main(["undo", str(post.folder), "--reopen"]) == 0
    said = by_dora(post, "", "orders")
    assert "taxation: light" in said and "(by the player before you" in said and not is_told(said)
    said = by_dora(post, "turn: 3\namend: true\nleadership: economy\n")
    assert "taxation: light" in said and not is_told(said)
    assert post.filed() == {"edicts": {"taxation": "light"}, "leadership": ["economy"]}
    assert "(by the player before you" not in by_dora(post, "", "orders")


def test_what_is_replaced_or_taken_back_tells_none_of_the_words_either(
    post: Post, capsys: pytest.CaptureFixture[str]
) -> None:
    post.mail("examplia", f"taxation: light\n{WORDS}")
    assert main(["turn", "--yes", str(post.folder)]) == 0
    given_to_dora(post, capsys)
    assert main(["undo", str(post.folder), "--reopen"]) == 0
    assert not is_told(by_dora(post, "", "withdraw"))
    assert post.filed() is None


def test_no_report_tells_the_next_player_what_the_one_before_asked_the_gm(
    post: Post, capsys: pytest.CaptureFixture[str]
) -> None:
    write(post.folder, "campaign.yaml", CAMPAIGN + "edition: 2\n")
    post.mail("examplia", "requests: ['I court the duke.', 'May the duke be my heir?']\n")
    assert main(["turn", "--yes", str(post.folder)]) == 0
    given_to_dora(post, capsys)
    post.mail("gm", "turn: 4\ntell: [{to: examplia, answers: 1, text: She smiles.}]\n")
    by_dora(post, "turn: 4\nrequests: May I found a fair?\n")
    assert main(["turn", "--yes", str(post.folder)]) == 0
    told = report_of(post, 4)
    assert "She smiles." in told and "Your request: (a request of the player before you)" in told
    assert "May I found a fair?" in told and not is_told(told)
    for _ in range(3):
        assert main(["turn", "--yes", str(post.folder)]) == 0
    told = report_of(post, 7)
    assert "of turn 3 was not answered" in " ".join(told.split()) and not is_told(told)


def test_a_turn_that_is_played_again_as_it_was_brings_the_next_player_a_sheet(
    post: Post, capsys: pytest.CaptureFixture[str]
) -> None:
    post.mail("examplia", f"taxation: light\n{WORDS}")
    assert main(["turn", "--yes", str(post.folder)]) == 0
    assert main(["undo", str(post.folder)]) == 0
    given_to_dora(post, capsys)
    assert main(["turn", "--yes", str(post.folder)]) == 0
    told = report_of(post, 3)
    assert "taxation" in told.lower() and not is_told(told)


def test_what_a_player_filed_for_whom_a_bot_played_since_is_not_the_next_player_s(
    post: Post, capsys: pytest.CaptureFixture[str]
) -> None:
    post.mail("examplia", f"taxation: light\n{WORDS}")
    line = next(line for line in CAMPAIGN.splitlines() if line.startswith("  examplia:"))
    write(post.folder, "campaign.yaml", CAMPAIGN.replace(line, "  examplia: {bot: steward}"))
    assert "counts no longer" in given_to_dora(post, capsys)
    assert post.filed() is None
    (id,) = [id for id in post.journal.mails if id.startswith("welcome-examplia")]
    welcome = postkit.text_of(post.letter(id))
    assert "taxation: light" in welcome and not is_told(welcome)
