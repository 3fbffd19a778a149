"""What the GM hears within one run, each thing once, and all of a run in one mail."""

from __future__ import annotations

import re
import shutil
from contextlib import suppress
from email.message import Message
from html import unescape
from pathlib import Path

import pytest

from kingdom.campaign.campaign import kept
from kingdom.cli.main import main
from kingdom.mail import week
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import gm_news, notices, overview, posting
from tests.campaign.test_crash import CHANGES, Calls, Killed
from tests.kit import postkit, problemkit
from tests.kit.mailkit import NOW, Box
from tests.kit.tiny_game import write
from tests.mail.test_week import CAMPAIGN, DAY, FRIDAY, HOUR, Campaign, begun, filed, tally, text_of

__all__ = ["begun", "tally"]  # fixtures

BOUNCE = """\
Return-Path: <>
From: MAILER-DAEMON@mx.example.org
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; ann@example.org
Action: failed
Diagnostic-Code: smtp; 550 5.1.1 <ann@example.org>: Recipient address rejected:
    User unknown

--b
Content-Type: text/rfc822-headers

Message-ID: {id}

--b--
"""


def news(campaign: Campaign) -> list[str]:
    """What the GM was told of a run's findings, a text a mail."""
    return [text_of(mail) for mail in campaign.out("news")]


def links(mail: Message) -> dict[str, str]:
    """Name -> address, of the taps of a mail."""
    html = next(part for part in mail.walk() if part.get_content_type() == "text/html").get_payload(decode=True)
    found = re.findall(r'<a href="(mailto:[^"]*)"[^>]*>([^<]*)</a>', html.decode())
    return {unescape(name): unescape(to) for to, name in found}


def test_who_leaves_and_who_is_away_is_told_in_one_mail_and_once(begun: Campaign) -> None:
    begun.mail("ann", "", "away 2")
    begun.mail("bob", "", "resign")
    for _ in range(2):
        begun.run()
    (said,) = news(begun)
    assert "Ann (ann) is away for turns 1 to 2." in said
    by_mail = "reply with the line `invite bob ADDRESS NAME`"
    assert (
        f"Bob (bob) gives up the seat. To hand it on, {by_mail}, or type `kingdom invite {begun.folder} bob EMAIL --name NAME`."
        in said
    )
    assert begun.out("news")[0]["To"] == "gwen@example.org"


def test_who_is_away_longer_is_told_again(begun: Campaign) -> None:
    for words in ("away 2", "away 2", "away 3"):
        begun.mail("ann", "", words)
        begun.run()
    assert [re.findall(r"turns \d to \d", said) for said in news(begun)] == [["turns 1 to 2"], ["turns 1 to 3"]]


def test_a_mail_that_came_back_is_told_with_the_servers_own_words(begun: Campaign) -> None:
    id = begun.out("report-0000", "ann")[0]["Message-ID"]
    write(begun.folder, "mail/inbox/back.eml", BOUNCE.format(id=id))
    for _ in range(2):
        begun.run()
    (said,) = news(begun)
    assert "The report of turn 0 for Ann (ann) to ann@example.org came back." in said
    assert "550 5.1.1 <ann@example.org>: Recipient address rejected: User unknown" in said
    assert f"`kingdom invite {begun.folder} ann EMAIL`" in said


def test_a_delivery_report_marks_no_address_that_the_mail_did_not_go_to(begun: Campaign) -> None:
    """A player knows the Message-IDs of their own mails, and may put a rival's address beside their own."""
    report = BOUNCE.format(id=begun.out("report-0000", "ann")[0]["Message-ID"])
    theirs = "Final-Recipient: rfc822; bob@example.org\nAction: failed\nStatus: 5.1.1\n\nFinal-Recipient"
    write(begun.folder, "mail/inbox/back.eml", report.replace("Final-Recipient", theirs, 1))
    begun.run()
    status = begun.run(command="status")
    assert "ann@example.org" in status and "bob@example.org" not in status and "ann@example.org" in news(begun)[0]
    assert "bob@example.org" not in " ".join(news(begun)) + str(begun.journal("handled"))


def test_late_orders_are_told_with_a_link_that_files_them(begun: Campaign) -> None:
    write(begun.folder, "campaign.yaml", CAMPAIGN + "missing_limit: 0\n")
    begun.mail("bob", "take: 1\n")
    begun.run()
    begun.mail("bob", "take: 2\n", at=FRIDAY + HOUR)  # the turn waits for ann, not for bob, who has filed
    begun.run(at=FRIDAY + 2 * HOUR)
    text = " ".join(news(begun))
    assert "1. Bob (bob): not filed. Orders for turn 1 came 1 hour after the deadline" in text
    found = links(begun.out("news")[-1])
    assert "subject=accept%201" in found["File them for Bob (bob)"]
    assert "subject=run%20it" in found["Run turn 1 now"]


def test_orders_for_a_turn_that_was_played_since_are_filed_for_the_next_and_the_link_says_so(begun: Campaign) -> None:
    for name in ("ann", "bob"):
        begun.mail(name, "take: 1\n")
    begun.run(at=FRIDAY + HOUR)
    begun.mail("bob", "take: 2\n", "Orders bob 1", at=FRIDAY + 2 * HOUR)
    begun.run(at=FRIDAY + 2 * HOUR)
    link = links(begun.out("news")[-1])["File them for Bob (bob), for turn 2"]
    assert "subject=accept%201" in link and "turn%202" not in link, (
        "there is no older mail that could mean another turn"
    )


def test_a_link_from_before_its_turn_was_played_files_nothing_for_the_next(begun: Campaign) -> None:
    begun.mail("ann", "take: 1\n")
    begun.mail("bob", "take: 1\n")
    begun.run()
    begun.mail("bob", "take: 2\n", at=FRIDAY + HOUR)
    begun.run(at=FRIDAY + HOUR)
    begun.mail("gwen", "", "accept 1", at=FRIDAY + 2 * HOUR)
    begun.run(at=FRIDAY + 2 * HOUR)
    assert not (begun.folder / "orders/0002/bob.yaml").exists()
    said = " ".join(text_of(begun.out("answer", "gwen")[-1]).split())
    assert "it was for turn 1, which was played since." in said and "the line `accept 1 for turn 2`" in said
    begun.mail("gwen", "", "accept 1 for turn 2", at=FRIDAY + 3 * HOUR)
    begun.run(at=FRIDAY + 3 * HOUR)
    assert "take: 2" in (begun.folder / "orders/0002/bob.yaml").read_text()


def test_what_is_to_be_typed_is_marked_in_the_page_and_a_number_stays_with_its_unit(begun: Campaign) -> None:
    begun.mail("bob", "", "resign")
    begun.run()
    page = begun.out("news")[0].get_payload()[1].get_payload(decode=True).decode()
    assert f"<code>kingdom invite {begun.folder} bob EMAIL --name NAME</code>" in page and "`" not in page
    begun.mail("ann", "", "status")
    begun.run()
    page = begun.out("answer", "ann")[-1].get_payload()[1].get_payload(decode=True).decode()
    assert "in 5\u00a0days" in page and "in 5 days" in text_of(begun.out("answer", "ann")[-1])


def test_orders_that_the_player_mended_are_not_told(begun: Campaign) -> None:
    begun.mail("ann", "takes: 2\n")
    begun.mail("ann", "take: 2\n")
    begun.run()
    assert news(begun) == []
    begun.mail("bob", "takes: 2\n")
    begun.run()
    assert (
        "2. Bob (bob): not filed. There is 1 problem in the orders. The answer told Bob what to change."
        in news(begun)[0]
    )
    assert links(begun.out("news")[0]) == {}, "what has problems is mended by its writer alone"


def test_a_turn_that_waits_comes_with_its_cures(begun: Campaign) -> None:
    begun.run(at=FRIDAY + HOUR)
    (mail,) = begun.out("news")
    assert "2 of 2 players filed nothing" in text_of(mail)
    assert list(links(mail)) == ["Run turn 1 now", "Don't wait for Ann (ann)", "Don't wait for Bob (bob)"]
    assert "Reply with one of these lines: run it skip ann skip bob" in text_of(mail), "for those who read text alone"


def test_the_mail_with_the_book_says_that_reports_wait_until_when_and_lets_them_go(begun: Campaign) -> None:
    write(begun.folder, "campaign.yaml", CAMPAIGN.replace("every: 7d", "every: 7d, review: 12h"))
    for name in ("ann", "bob"):
        begun.mail(name, "take: 1\n")
    begun.mail("bob", "take: 1\n", "Orders bob 0")
    begun.run(at=FRIDAY + HOUR)
    (book,) = begun.out("report-0001-gm")
    assert "2 reports wait for your release." in text_of(book)
    assert "they go out on Saturday 5 December 2026, 07:00 (UTC)" in text_of(book)
    assert "subject=release" in links(book)["Send them now"] and "Reply with this line: release" in text_of(book)
    assert "1. Bob (bob): not filed. Turn 0 is resolved already." in text_of(book)
    assert "subject=accept%201" in links(book)["File them for Bob (bob)"]


def test_the_digest_brings_what_can_be_done_as_links(begun: Campaign) -> None:
    begun.mail("ann", "take: 2\n")
    begun.run(at=FRIDAY - 23 * HOUR)
    (digest,) = begun.out("digest")
    names = ["Give all one day more", "Hold turn 1", "Don't wait for Bob (bob)", "See what you can ask"]
    assert list(links(digest)) == names
    for line in ("extend 1d", "hold", "skip bob", "help"):
        assert f" {line} " in f"{text_of(digest)} ".partition("Reply with one of these lines:")[2], line
    assert "subject=extend%201d" in links(digest)[names[0]]


def test_the_first_book_names_help_and_who_plays(tally: Campaign) -> None:
    write(tally.folder, "campaign.yaml", CAMPAIGN.replace("{name: Bob, email: bob@example.org, token: bbbb1}", "{}"))
    tally.run()
    (book,) = tally.out("report-0000-gm")
    assert (
        "These play: Ann (ann)." in text_of(book)
        and "Nobody plays bob yet. To give a seat to a player, reply with the line `invite KINGDOM ADDRESS NAME`"
        in text_of(book)
    )
    assert "Reply with this line: help" in text_of(book) and "subject=help" in links(book)["See what you can ask"]
    tally.mail("ann", "take: 2\n")
    tally.run(at=FRIDAY + HOUR)
    assert "See what you can ask" not in links(tally.out("report-0001-gm")[0])


def test_without_review_the_book_says_nothing_of_a_release(begun: Campaign) -> None:
    assert "release" not in text_of(begun.out("report-0000-gm")[0])


def test_strangers_are_told_as_a_number_with_the_digest(begun: Campaign) -> None:
    for number in range(3):
        write(begun.folder, f"mail/inbox/x{number}.eml", f"From: eve@example.net\nSubject: {number}\n\nhello\n")
    begun.run()
    assert news(begun) == []
    begun.run(at=FRIDAY - 23 * HOUR)
    (digest,) = begun.out("digest")
    assert "3 mails came from strangers" in text_of(digest) and "eve" not in text_of(digest)


def test_a_request_in_filed_orders_is_told_in_the_players_words_once(tmp_path: Path) -> None:
    postkit.campaign(tmp_path / "campaign")
    post = postkit.Post(tmp_path / "campaign")
    for text in ("requests: May I dig?\n", "requests: May I dig?\ntaxation: light\n"):
        post.mail("examplia", text)
        week.Week(post.campaign, post.journal, Box([]), post.now).run()
    (id,) = [id for id in post.journal.mails if id.startswith("news")]
    said = postkit.text_of(post.letter(id))
    assert "REQUESTS\n\nAda (Examplia) asks, for turn 3, request 1:\n  | May I dig?\n" in said
    assert '\nReply with this line:\n  tell: [{to: examplia, answers: 1, text: ""}]\n' in said


@pytest.fixture
def asked(tmp_path: Path) -> tuple[postkit.Post, str]:
    """Ada asks something in orders that are filed, and the GM is told; with the id of that mail."""
    postkit.campaign(tmp_path / "campaign")
    post = postkit.Post(tmp_path / "campaign")
    post.mail("examplia", "requests: May I dig?\n")
    week.Week(post.campaign, post.journal, Box([]), post.now).run()
    (id,) = [id for id in post.journal.mails if id.startswith("news")]
    return post, id


def test_a_request_is_answered_by_one_tap_and_the_answer_is_read_in_the_report(asked: tuple[postkit.Post, str]) -> None:
    post, id = asked
    link = postkit.links(post.letter(id))["Answer Ada (Examplia)"]
    assert post.press(link.replace("text%3A%20%22%22", "text%3A%20%22Dig.%22"), "gm").outcome == "accepted"
    assert post.filed("gm") == {"tell": [{"to": "examplia", "answers": 1, "text": "Dig."}]}
    assert "gm_no_such_request" not in postkit.text_of(post.answer()) and "refused" not in post.answer()["Subject"]


def test_the_mail_with_the_book_says_how_the_kingdoms_stand_and_its_lines_end_the_damage(
    asked: tuple[postkit.Post, str],
) -> None:
    post, _ = asked
    post.mail("gm", "gm: [{grant: borderia, account: loyalty, by: -2, reason: a curse}]\n")
    assert problemkit.kingdom("turn", str(post.folder), "--yes").exit == 0
    book = next(one for one in posting.reports(post.campaign, post.journal, post.now) if one.kingdom == "gm")
    post.queue([book])
    said = postkit.text_of(post.letter(book.id))
    parts = ("HOW THE KINGDOMS STAND", "REQUESTS", "DAMAGE THAT ONLY YOU CAN END", "THE LARGEST CHANGES")
    assert [part for part in re.findall(r"(?m)^[A-Z ]+$", said) if part in parts] == list(parts)
    stands = said.partition(f"{parts[0]}\n\n")[2].partition("\n\n")[0]
    assert sorted(line.partition(": size ")[0] for line in stands.splitlines() if ": size " in line) == [
        "Borderia",
        "Examplia",
    ]
    line = 'gm: [{end: grant, of: borderia, reason: ""}]'
    assert f"Borderia: Loyalty -2 (Grant: a curse)\nReply with this line:\n  {line}\n" in said
    link = postkit.links(post.letter(book.id))["End it for Borderia"]
    assert post.press(link.replace("reason%3A%20%22%22", "reason%3A%20%22spring%22"), "gm").outcome == "accepted"
    assert post.filed("gm", 4) == {"gm": [{"end": "grant", "of": "borderia", "reason": "spring"}]}
    assert "refused" not in post.answer()["Subject"]


def test_the_words_of_an_answer_go_out_although_its_player_filed_again(asked: tuple[postkit.Post, str]) -> None:
    post, _ = asked
    post.mail("gm", "tell: [{to: examplia, answers: 1, text: Dig deep.}]\n")
    post.mail("examplia", "taxation: light\n")
    post.mail("borderia", "requests: May I fish?\n")
    week.Week(post.campaign, post.journal, Box([]), post.now).run()
    said = " ".join(
        postkit.text_of(post.letter([id for id in post.journal.mails if id.startswith("news")][-1])).split()
    )
    refused = "refused: examplia has no open request 1, it has 0 (GM orders); the oldest is 1. Your words go out all the same."
    assert said.startswith(f"Your order `tell[0]` of turn 3 would be {refused}")
    assert problemkit.kingdom("turn", str(post.folder), "--yes").exit == 0
    assert "Dig deep." in (post.folder / "turns/0003/reports/examplia.txt").read_text(encoding="utf-8")
    book = next(one for one in posting.reports(post.campaign, post.journal, post.now) if one.kingdom == "gm")
    post.queue([book])
    said = " ".join(postkit.text_of(post.letter(book.id)).split())
    assert said.startswith(f"Your order `tell[0]` of turn 3 was {refused}")


def test_another_request_in_the_place_of_one_that_is_answered_is_pointed_out(asked: tuple[postkit.Post, str]) -> None:
    post, _ = asked
    post.mail("gm", "tell: [{to: examplia, answers: 1, text: Yes.}]\n")
    post.mail("examplia", "taxation: light\nrequests: May I have 50 BP?\n")
    week.Week(post.campaign, post.journal, Box([]), post.now).run()
    told = [id for id in post.journal.mails if id.startswith("news")][-1]
    said = " ".join(postkit.text_of(post.letter(told)).split())
    assert "request 1 (a `tell` that you filed answers this number; see whether it still fits): | May I have" in said


def test_a_deadline_that_moved_says_first_what_of_the_gm_s_orders_would_be_refused(
    asked: tuple[postkit.Post, str],
) -> None:
    post, _ = asked
    post.mail("gm", "tell: [{to: examplia, answers: 7, text: Yes.}]\n")
    (mail,) = notices.moved(post.campaign, post.journal, 3, post.now, ["gm"])
    post.queue([mail])
    said = " ".join(postkit.text_of(post.letter(mail.id)).split())
    assert said.startswith("Your order `tell[0]` of turn 3 would be refused: examplia has no open request 7")


def test_a_plain_reply_to_a_mail_with_one_players_request_goes_to_that_player(asked: tuple[postkit.Post, str]) -> None:
    post, id = asked
    post.mail("gm", "Yes, dig.\n", f"Re: {post.letter(id)['Subject']}", In_Reply_To=post.letter(id)["Message-ID"])
    told, letter = post.new()
    assert "Sent to Ada (Examplia), whose request you replied to." in postkit.text_of(told)
    assert letter["To"] == "ada@example.org" and "Yes, dig." in postkit.text_of(letter)
    post.press(postkit.links(told)["Answer Ada (Examplia)"], "gm")
    assert post.filed("gm") == {"tell": [{"to": "examplia", "answers": 1, "text": "Yes, dig."}]}


@pytest.mark.parametrize("text", ["extend 2 dys", "hold it", "run itt", "extnd 2d\n\nTwo days more for all."])
def test_a_command_written_wrongly_in_reply_to_a_request_is_asked_about(
    asked: tuple[postkit.Post, str], text: str
) -> None:
    post, id = asked
    fate = post.mail("gm", text, f"Re: {post.letter(id)['Subject']}", In_Reply_To=post.letter(id)["Message-ID"])
    (told,) = post.new()
    assert fate.code == "letter_or_command" and told["To"] == "gm@example.org"
    assert "your reply would go to Ada (Examplia)" in " ".join(postkit.text_of(told).split())
    post.press(postkit.links(told)["Send it to Ada (Examplia)"], "gm")
    assert text.partition("\n")[0] in postkit.text_of(
        [mail for mail in post.new() if mail["To"] == "ada@example.org"][0]
    )


def test_a_command_above_words_is_done_and_the_words_go_to_who_asked(asked: tuple[postkit.Post, str]) -> None:
    post, id = asked
    text = "hold\n\nYes, two more days for everybody.\n"
    post.mail("gm", text, f"Re: {post.letter(id)['Subject']}", In_Reply_To=post.letter(id)["Message-ID"])
    told, letter = post.new()
    assert told["Subject"].endswith("Turn 3 is held") and post.journal.held == 3
    assert "Your words below it went to Ada (Examplia)." in postkit.text_of(told)
    assert letter["To"] == "ada@example.org" and "two more days" in postkit.text_of(letter)
    assert "hold" not in postkit.text_of(letter)


@pytest.mark.parametrize(
    "text", ["- {grant: examplia, account: treasury, by: 6}\n", "place: {monster: wyvern, hex: 0303}\n"]
)
def test_a_slipped_order_goes_to_nobody_who_asked(text: str, asked: tuple[postkit.Post, str]) -> None:
    post, id = asked
    for above in ("", "hold\n\n"):
        post.mail("gm", above + text, f"Re: {post.letter(id)['Subject']}", In_Reply_To=post.letter(id)["Message-ID"])
        assert [mail["To"] for mail in post.new()] == ["gm@example.org"], above


def test_a_command_that_is_not_done_sends_no_words(asked: tuple[postkit.Post, str]) -> None:
    post, id = asked
    text = "run it\n\nHere it comes.\n"
    post.mail("gm", text, f"Re: {post.letter(id)['Subject']}", In_Reply_To=post.letter(id)["Message-ID"])
    (told,) = post.new()
    assert told["Subject"].endswith("Not done")
    assert "Your words below it were not sent to anybody." in postkit.text_of(told)
    assert "Send it to Ada (Examplia)" in postkit.links(told)


def test_orders_of_the_gm_for_the_turn_that_was_played_last_name_what_corrects_it(
    asked: tuple[postkit.Post, str],
) -> None:
    post, _ = asked
    fate = post.mail("gm", 'turn: 2\ntell: [{to: examplia, text: "Dig."}]\n', "Orders gm 2")
    assert fate.code == "past_turn"
    said = " ".join(postkit.text_of(post.answer()).split())
    assert "To correct turn 2, change orders/0002/gm.yaml and run `kingdom redo --yes`" in said
    assert "To file them for turn 3" in said


def test_a_misspelt_command_in_a_reply_is_answered_with_the_right_one(asked: tuple[postkit.Post, str]) -> None:
    post, id = asked
    fate = post.mail("gm", "relase\n", f"Re: {post.letter(id)['Subject']}", In_Reply_To=post.letter(id)["Message-ID"])
    assert fate.code == "unknown_command" and len(post.new()) == 1
    assert "release" in postkit.links(post.answer())


def test_a_reply_to_a_mail_with_two_players_requests_asks_for_whom_it_is(tmp_path: Path) -> None:
    postkit.campaign(tmp_path / "campaign")
    post = postkit.Post(tmp_path / "campaign")
    for seat in ("examplia", "borderia"):
        post.mail(seat, "requests: May I dig?\n")
    week.Week(post.campaign, post.journal, Box([]), post.now).run()
    (id,) = [id for id in post.journal.mails if id.startswith("news")]
    post.mail("gm", "Yes, dig.\n", f"Re: {post.letter(id)['Subject']}", In_Reply_To=post.letter(id)["Message-ID"])
    assert post.answer()["Subject"].endswith("For whom?") and len(post.new()) == 1


def test_a_request_that_a_filed_tell_answers_is_open_no_longer(tmp_path: Path) -> None:
    post = postkit.Post(postkit.campaign(tmp_path / "campaign"))
    post.mail("examplia", "requests: May I dig?\n")
    assert main(["turn", str(post.folder), "--yes"]) == 0
    said = "Ada (Examplia), request 1: May I dig?"
    assert said in overview.lines(post.campaign, post.journal, NOW)
    (mail,) = post.queue([posting.report(post.campaign, post.journal, kept(post.campaign), "gm", NOW)])
    book = postkit.text_of(post.letter(mail.id))
    assert "Ada (Examplia), request 1, still open:\n  | May I dig?" in book
    assert '  tell: [{to: examplia, answers: 1, text: ""}]' in book
    post.mail("gm", 'tell: [{to: examplia, answers: 1, text: "Dig."}]\n', "Orders gm 4")
    assert said not in overview.lines(post.campaign, post.journal, NOW)
    assert gm_news.open_requests(post.campaign) == []


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.long)], ids=["one call in seven", "every call"])
def test_a_run_that_is_killed_at_any_change_tells_each_thing_once(begun: Campaign, tmp_path: Path, step: int) -> None:
    begun.mail("ann", "", "away 2")
    begun.mail("bob", "", "resign")
    before, number, count = begun.folder, 0, 0
    while number <= count:
        number += step if number else 1
        begun.folder = tmp_path / f"killed-{number}"
        shutil.copytree(before, begun.folder)
        with pytest.MonkeyPatch.context() as patch:
            calls = Calls(patch, begun.folder, CHANGES, at=number)
            with suppress(Killed):
                main(["run", str(begun.folder)])
            count = max(count, calls.count)
        begun.run()
        said = " ".join(news(begun))
        assert said.count("is away for turns 1 to 2") == said.count("gives up the seat") == 1, number
    assert count > 10


def test_who_is_back_and_who_keeps_the_seat_is_told_too(begun: Campaign) -> None:
    begun.mail("ann", "", "away 3")
    begun.mail("bob", "", "resign")
    begun.run()
    journal = Journal(begun.folder / "mail")
    for seat in ("ann", "bob"):
        journal.add("back", begun.now, kingdom=seat)
    for _ in range(2):
        begun.run()
    assert "Ann (ann) is back." in news(begun)[1] and "Bob (bob) keeps the seat after all." in news(begun)[1]
    assert len(news(begun)) == 2


def test_who_gave_up_a_seat_that_was_handed_on_is_not_told_again(begun: Campaign) -> None:
    begun.mail("bob", "", "resign")
    begun.run()
    begun.run("bob", "bea@example.org", command="invite")
    begun.run()
    assert len(news(begun)) == 1


def test_accept_is_offered_only_where_it_can_work(begun: Campaign) -> None:
    """Half an order can be filed by nobody; late orders can, as long as their message is there."""
    write(begun.folder, "campaign.yaml", CAMPAIGN + "missing_limit: 1\n")
    quote = "\nOn Fri, 4 Dec 2026 at 20:00, The GM <gwen@example.org> wrote:\n"
    begun.mail("ann", f"{quote}> takes: 2\n> take: 3 or so\n", at=FRIDAY - DAY)
    begun.mail("bob", f"{quote}> take: 2\n", at=FRIDAY - DAY)
    begun.run(at=FRIDAY - DAY)
    codes = {str(entry["kingdom"]): entry["code"] for entry in begun.journal("handled")}
    assert codes["bob"] == "only_quoted"
    told = text_of(begun.out("news")[0])
    offered = [number for number in ("1", "2") if f"accept {number}" in told]
    bobs = next(str(n) for n, one in enumerate(begun.journal("handled"), 1) if one["kingdom"] == "bob")
    assert offered == [bobs] and "The answer told Ann what to change." in told
    begun.mail("gwen", "", "help")
    begun.mail("gwen", "", f"accept {bobs}")
    begun.run()
    assert "take: 2" in filed(begun, 1, "bob")
