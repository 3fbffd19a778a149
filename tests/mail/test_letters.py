"""What people write to each other: letters, plain replies to them, prose for the GM; nobody's address is shown."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from kingdom.cli.main import main
from kingdom.mail.incoming.outcome import Fate
from kingdom.mail.outgoing import letters as making
from tests.kit import mailkit, postkit
from tests.kit.postkit import Post, links, pressed, text_of


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        return postkit.campaign(tmp_path_factory.mktemp("letters") / "campaign")


@pytest.fixture
def post(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Post]:
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    yield postkit.fresh(made, tmp_path / "campaign")


def to(post: Post, address: str) -> EmailMessage:
    """The one new mail to an address."""
    (mail,) = [mail for mail in post.new() if mail["To"] == address]
    return mail


def reply(post: Post, seat: str, mail: EmailMessage, text: str) -> Fate:
    """A plain reply, as any mail program sends it: the quote below, In-Reply-To, no token."""
    quote = "".join(f"> {line}\n" for line in text_of(mail).splitlines())
    body = f"{text}\n\nOn Wed, 16 Dec 2026 at 12:00, The two fords <orders@example.org> wrote:\n{quote}"
    return post.mail(seat, body, f"Re: {mail['Subject']}", **{"In-Reply-To": mail["Message-ID"]})


# --- between players


@pytest.mark.parametrize("word", ["borderia", "Borderia", "bo", "BO", "Bo"])
def test_a_letter_goes_to_a_kingdom_or_a_player_by_name(post: Post, word: str) -> None:
    assert post.mail("examplia", "Shall we talk of the ford?\n", f"to {word}").outcome == "accepted"
    assert "Shall we talk of the ford?" in text_of(to(post, "bo@example.org"))


@pytest.mark.parametrize("word", ["Bo and the GM", "borderia, gm", "gm & Bo"])
def test_a_letter_to_two_goes_to_both_who_read_of_each_other(post: Post, word: str) -> None:
    assert (
        post.mail("examplia", "Shall we meet at the ford?\n", f"to {word.replace('the GM', 'gm')}").outcome
        == "accepted"
    )
    mails = {str(mail["To"]): mail for mail in post.new()}
    assert "writes to you and Gm:" in text_of(mails["bo@example.org"])
    assert "writes to you and Bo (Borderia):" in text_of(mails["gm@example.org"])
    assert "your words go to Ada (Examplia) alone." in " ".join(text_of(mails["bo@example.org"]).split())
    said = text_of(mails["ada@example.org"])
    assert "Sent to " in said and "Bo (Borderia)" in said and "Gm" in said
    assert reply(post, "borderia", mails["bo@example.org"], "Yes.").outcome == "accepted"
    assert [str(mail["To"]) for mail in post.new() if "writes to you" in text_of(mail)] == ["ada@example.org"]


@pytest.mark.parametrize("word", ["Bo and Nobody", "Bo, all", "Bo and examplia"])
def test_a_letter_of_whose_readers_one_is_none_goes_to_nobody(post: Post, word: str) -> None:
    assert post.mail("examplia", "Shall we meet?\n", f"to {word}").code == "no_reader"
    assert [str(mail["To"]) for mail in post.new()] == ["ada@example.org"]


BY_A_BOT = mailkit.CAMPAIGN.replace("email: bo@example.org, token: b8w2m", "bot: trader")


def test_a_letter_to_a_bot_is_answered_with_the_orders_that_take_it_there(made: Path, tmp_path: Path) -> None:
    """Bots read what comes with orders, and no mail; a tap, or a plain reply with the lines, adds it to what is filed."""
    post = postkit.fresh(made, tmp_path / "campaign", BY_A_BOT)
    post.mail("examplia", "taxation: heavy\n")
    post.mail("examplia", "Shall we have peace?\nAnd trade?\n", "to Borderia")
    answer = post.answer()
    said = " ".join(text_of(answer).split())
    assert "A bot plays Bo (Borderia): it reads only what comes with orders." in said and "Sent to" not in said
    letter = {"to": "borderia", "text": "Shall we have peace?\nAnd trade?"}
    ((name, link),) = ((name, link) for name, link in links(answer).items() if "Send it" in name)
    post.press(link, "examplia")
    assert post.filed() == {"edicts": {"taxation": "heavy"}, "messages": [letter]}, name
    post.mail("gm", "Well done.\n", "to borderia")
    assert "bots read no mail" in " ".join(text_of(post.answer()).split())


def test_who_writes_to_a_bot_with_orders_is_not_told_to_write_to_it_at_once(made: Path, tmp_path: Path) -> None:
    post = postkit.fresh(made, tmp_path / "campaign", BY_A_BOT)
    post.mail("examplia", "messages: {borderia: Peace it is.}\n")
    said = " ".join(text_of(post.answer()).split())
    assert "Your letter goes out with the reports of turn 3." in said and "To write at once" not in said


def test_a_letter_to_all_reaches_people_and_says_which_seats_a_bot_plays(made: Path, tmp_path: Path) -> None:
    post = postkit.fresh(made, tmp_path / "campaign", f"{BY_A_BOT}messages: off\n")
    post.mail("gm", "We pause for a week.\n", "to all")
    said = " ".join(text_of(post.answer()).split())
    assert "Sent to Ada (Examplia): " in said and "A bot plays Bo (Borderia): it was not sent there" in said


def test_a_plain_reply_to_a_letter_goes_to_who_wrote_it_back_and_forth(post: Post) -> None:
    post.mail("examplia", "Shall we talk of the ford?\n", "to borderia")
    letter = to(post, "bo@example.org")
    for seat, address, text in (
        ("borderia", "ada@example.org", "At dawn."),
        ("examplia", "bo@example.org", "I shall be there."),
        ("borderia", "ada@example.org", "Bring wine: two jugs of it."),
    ):
        assert reply(post, seat, letter, text).outcome == "accepted"
        letter = to(post, address)
        assert text in text_of(letter) and "@example.org" not in text_of(letter)
    assert post.filed() is None


OUTLOOK = "\n\nAda Lovely\nSenior Consultant\nE: ada@work.example.org | T: +44 20 0704 0603\n"


@pytest.mark.parametrize("subject", ["to all", "to Bo"])
def test_a_signature_with_an_address_goes_to_no_other_player_and_its_writer_hears_that(
    post: Post, subject: str
) -> None:
    post.mail("examplia", f"Peace to you.{OUTLOOK}", subject)
    mails = {str(mail["To"]): text_of(mail) for mail in post.new()}
    assert "Peace to you." in mails["bo@example.org"] and "without your signature: " in mails["ada@example.org"]
    assert "work.example" not in mails["bo@example.org"] and "0704" not in mails["bo@example.org"]
    letter = post.letter(
        next(mail for mail in post.journal.mails if mail.startswith("message-") and "borderia" in mail)
    )
    reply(post, "borderia", letter, "At dawn.\n\nBo Bold\nSales | bo@home.example | +1 555 0604")
    assert "At dawn." in text_of(to(post, "ada@example.org")) and "home.example" not in text_of(
        to(post, "ada@example.org")
    )


def test_a_letter_that_names_an_address_keeps_it(post: Post) -> None:
    post.mail("examplia", "Write to me at the inn, inn@example.net, when you can.\n\nAda\n", "to Bo")
    assert "inn@example.net" in text_of(to(post, "bo@example.org"))


def test_a_plain_reply_to_a_letter_to_all_goes_to_its_writer_alone(post: Post) -> None:
    post.mail("examplia", "Peace to all of you.\n", "to all")
    assert reply(post, "borderia", to(post, "bo@example.org"), "Not with me.").outcome == "accepted"
    mails = [mail["To"] for mail in post.new()]
    assert sorted(mails) == ["ada@example.org", "bo@example.org"]


def test_a_reply_to_a_letter_that_reads_like_orders_is_neither_sent_nor_filed_but_asked_about(post: Post) -> None:
    post.mail("examplia", "Shall we talk of the ford?\n", "to borderia")
    fate = reply(post, "borderia", to(post, "bo@example.org"), "taxation: heavy")
    assert (fate.outcome, fate.code) == ("refused", "letter_or_orders") and post.filed("borderia") is None
    (asked,) = post.new()
    found = links(asked)
    assert post.press(found["File them for turn 3"], "borderia").outcome == "accepted"
    assert post.filed("borderia") == {"edicts": {"taxation": "heavy"}}
    assert post.press(found["Send it to Ada (Examplia)"], "borderia").outcome == "accepted"
    assert "taxation: heavy" in text_of(to(post, "ada@example.org"))


def test_what_it_asks_can_be_answered_by_replies_alone(post: Post) -> None:
    post.mail("examplia", "Shall we talk of the ford?\n", "to borderia")
    reply(post, "borderia", to(post, "bo@example.org"), "taxation: heavy")
    (asked,) = post.new()
    assert reply(post, "borderia", asked, "to examplia as it is\ntaxation: heavy").outcome == "accepted"
    assert "taxation: heavy" in text_of(to(post, "ada@example.org")) and post.filed("borderia") is None
    assert reply(post, "borderia", asked, "taxation: heavy").outcome == "accepted"
    assert post.filed("borderia") == {"edicts": {"taxation": "heavy"}}


def test_a_reply_that_is_a_command_and_nothing_else_is_one(post: Post) -> None:
    post.mail("examplia", "taxation: light\n")
    answer = post.answer()
    for line, code in (
        ("Status", "status"),
        ("orders", "orders"),
        ("away 2", "away"),
        ("back.", "back"),
        ("withdraw", "withdraw"),
    ):
        assert (fate := reply(post, "examplia", answer, line)).code == code and fate.outcome == "accepted", line
    assert post.filed() is None


@pytest.mark.parametrize("text", ["Back.", "Hold", "to be honest\nI am not sure."])
def test_a_reply_to_a_letter_that_only_looks_like_a_command_is_a_letter(post: Post, text: str) -> None:
    post.mail("examplia", "Where are you?\n", "to borderia")
    assert reply(post, "borderia", to(post, "bo@example.org"), text).code == "to"
    assert text.split("\n")[0] in text_of(to(post, "ada@example.org"))


@pytest.mark.parametrize("to_whom", ["to Borderai", "to border"])
def test_a_reply_that_misspells_for_whom_it_is_goes_to_nobody_and_is_asked_after(post: Post, to_whom: str) -> None:
    """Neither to the GM nor to who wrote what it answers; a tap sends it."""
    post.mail("borderia", "Where are you?\n", "to examplia")
    letter = to(post, "ada@example.org")
    post.mail("gm", "What are you up to?\n", "to examplia")
    for mail in (letter, to(post, "ada@example.org")):
        fate = reply(post, "examplia", mail, f"{to_whom}\nShall we attack Gm?")
        assert (fate.outcome, fate.code) == ("refused", "no_reader")
        assert [str(each["To"]) for each in post.new()] == ["ada@example.org"]
        assert "Did you mean Bo (Borderia)?" in " ".join(text_of(post.answer()).split())
    assert post.press(links(post.answer())["Send it to Bo (Borderia)"], "examplia").outcome == "accepted"
    assert "Shall we attack Gm?" in text_of(to(post, "bo@example.org"))


def test_no_token_goes_to_another_seat(post: Post) -> None:
    turn = pressed(next(iter(links(post_form(post)).values())))[1].partition("[")[2].rstrip("]")
    post.mail("examplia", f"Use my token k7f3q or {turn} or [abcd1]\n", "to borderia")
    said = to(post, "bo@example.org").as_string()
    assert "k7f3q" not in said and turn not in said and "abcd1" not in said


def post_form(post: Post) -> EmailMessage:
    """A mail with a link in it."""
    post.mail("examplia", "", "form")
    return post.answer()


@pytest.mark.parametrize(("word", "readers"), [
    ("Bordeira", ["Bo (Borderia)"]),
    ("boo", ["Bo (Borderia)"]),
    ("evrybody", ["everybody"]),
    ("the queen of the hills", ["Bo (Borderia)", "Gm"]),
])  # fmt: skip
def test_a_misspelt_reader_is_cured_by_a_tap_that_sends_the_letter(post: Post, word: str, readers: list[str]) -> None:
    assert post.mail("examplia", "Shall we talk of the ford?\n", f"to {word}").outcome == "refused"
    found = links(post.answer())
    assert set(found) == {f"Send it to {one}" for one in readers}
    assert post.press(found[f"Send it to {readers[0]}"], "examplia").outcome == "accepted"
    assert "Shall we talk of the ford?" in text_of(to(post, "bo@example.org"))


def test_no_token_goes_to_another_seat_in_the_messages_of_orders(post: Post) -> None:
    post.mail("examplia", "messages:\n  borderia: My token is k7f3q. Come to [Oakhold] or [0404].\n")
    (message,) = (post.filed() or {})["messages"]
    assert message == {"to": "borderia", "text": "My token is [...]. Come to [Oakhold] or [0404]."}


# --- with the GM


def test_a_question_in_a_reply_reaches_the_gm_whose_plain_reply_reaches_the_player(post: Post) -> None:
    post.mail("examplia", "taxation: light\n")
    assert reply(post, "examplia", post.answer(), "Can my scouts see the ford?").outcome == "accepted"
    assert post.filed() == {"edicts": {"taxation": "light"}}, "what is filed stays"
    assert "Your words went to Gm" in text_of(to(post, "ada@example.org"))
    question = to(post, "gm@example.org")
    assert question["Subject"] == "[The two fords] Letter from Ada (Examplia)"
    assert "Can my scouts see the ford?" in text_of(question) and "ada@" not in question.as_string()
    assert reply(post, "gm", question, "They can, from the hill.").outcome == "accepted"
    answer = to(post, "ada@example.org")
    assert "They can, from the hill." in text_of(answer) and "gm@" not in answer.as_string()
    assert answer["Subject"] == "[The two fords] Letter from Gm"


@pytest.mark.parametrize("above", [True, False], ids=["above the orders", "below them"])
def test_a_question_beside_orders_goes_to_the_gm_and_the_orders_are_filed(post: Post, above: bool) -> None:
    question = "Hi Gm,\nmay I build on the river hex\nbefore I have a bridge?"
    parts = [question, "taxation: light\nclaim: 0102"] if above else ["taxation: light\nclaim: 0102", question]
    assert post.mail("examplia", "\n\n".join(parts) + "\n").passed_on == "Gm"
    assert post.filed() == {"claim": ["0102"], "edicts": {"taxation": "light"}}
    said = text_of(to(post, "gm@example.org"))
    assert "may I build on the river hex\nbefore I have a bridge?" in said and "taxation" not in said


def test_the_answer_quotes_all_of_a_long_question_beside_orders(post: Post) -> None:
    lines = [f"Thing number {number} puzzles me." for number in range(1, 16)]
    assert post.mail("examplia", "taxation: light\n\n" + "\n".join(lines) + "\n").passed_on == "Gm"
    assert all(f"| {line}" in text_of(post.answer()) for line in lines)


def test_a_question_beside_orders_that_no_gm_can_get_is_not_dropped_in_silence(post: Post) -> None:
    settings = post.folder / "campaign.yaml"
    settings.write_text(
        settings.read_text().replace("email: gm@example.org, ", "").replace(", email: gm@example.org", "")
    )
    assert "gm@example.org" not in settings.read_text()
    assert post.mail("examplia", "taxation: light\n\nMay I build a bridge?\n").outcome == "accepted"
    assert "your words could not be passed on" in " ".join(text_of(post.answer()).split())


@pytest.mark.parametrize("line", ["[My terms: 5 BP and the ford]", "My Galaxy is broken so I am late"])
def test_no_words_of_a_letter_are_taken_for_what_a_program_adds(post: Post, line: str) -> None:
    assert post.mail("examplia", f"Let us talk.\n\n{line}\n", "to Bo").outcome == "accepted"
    assert line in text_of(to(post, "bo@example.org"))


def test_what_is_taken_for_what_a_program_adds_is_told_to_its_writer(post: Post) -> None:
    assert post.mail("examplia", "Let us talk.\n\nSent from my Galaxy\n", "to Bo").outcome == "accepted"
    assert "This was read as what a program adds: `Sent from my Galaxy`." in " ".join(text_of(post.answer()).split())
    assert "Galaxy" not in text_of(to(post, "bo@example.org"))
    assert post.mail("examplia", "I can not unsubscribe from this message\n").outcome == "refused"
    assert "This was read as what a program adds: `I can not unsubscribe" in " ".join(text_of(post.answer()).split())


@pytest.mark.parametrize(
    "line", ["claim 0103?", "Claim 0103, and build a house there?", "claim: 0103?", "- may it be so?"]
)
def test_what_may_be_an_order_is_no_question(post: Post, line: str) -> None:
    assert post.mail("examplia", f"taxation: light\n\n{line}\n").outcome == "refused"


def test_thanks_above_a_quote_bother_nobody_also_where_it_shows_orders(post: Post) -> None:
    post.mail("examplia", "taxation: light\n")
    answer = post.answer()
    quote = "".join(f"> {line}\n" for line in text_of(answer).splitlines())
    assert "> taxation: light\n" in quote
    above = "Thanks, great!\n\nOn Wed, Dec 16, 2026 at 9:58 AM The two fords <orders@example.org> wrote:\n\n"
    assert reply(post, "examplia", answer, above + quote).code == "courtesy"
    assert post.new() == []
    changed = quote.replace("> taxation: light\n", "> taxation: heavy\n")
    assert reply(post, "examplia", answer, above + changed).code == "only_quoted"


def test_the_gm_s_words_that_say_not_for_whom_are_asked_about(post: Post) -> None:
    fate = post.mail("gm", "The ford is flooded, everybody.\n", "News")
    assert fate.code == "for_whom"
    (asked,) = post.new()
    found = links(asked)
    assert set(found) == {"Send it to Ada (Examplia)", "Send it to Bo (Borderia)", "Send it to everybody"}
    assert post.press(found["Send it to everybody"], "gm").outcome == "accepted"
    assert {mail["To"] for mail in post.new()} == {"gm@example.org", "ada@example.org", "bo@example.org"}


def test_the_gm_answers_for_whom_by_a_reply_with_a_line_above(post: Post) -> None:
    post.mail("gm", "The ford is flooded, everybody.\n", "News")
    (asked,) = post.new()
    assert reply(post, "gm", asked, "to all\n\nThe ford is flooded.").outcome == "accepted"
    assert "The ford is flooded." in text_of(to(post, "bo@example.org"))


def test_an_unproved_question_goes_to_the_gm_marked_so_once_an_hour(post: Post) -> None:
    mails = []
    for number in range(3):
        post.mail("examplia", f"Question {number}: may I?\n", "hello [wrong]")
        mails += [(mail["To"], mail["Subject"]) for mail in post.new()]
    assert mails == [
        ("ada@example.org", "[The two fords] A mail of yours was not taken"),
        ("gm@example.org", "[The two fords] Unproved letter from Ada (Examplia)"),
    ]
    post.now += timedelta(hours=1)
    post.mail("examplia", "Question 4: may I?\n", "hello [wrong]")
    assert len(post.new()) == 2


def test_a_hundred_forged_mails_keep_nobody_from_filing(post: Post) -> None:
    for number in range(100):
        post.mail("examplia", f"claim: 01{number:02}\n", "Orders examplia 3 [wrong]")
    assert post.mail("examplia", "taxation: light\n").outcome == "accepted"
    assert post.filed() == {"edicts": {"taxation": "light"}}


def test_an_order_in_a_signature_does_not_count_and_the_answer_says_so(post: Post) -> None:
    post.mail("examplia", "taxation: light\n-- \nAda\nclaim: 0102\n")
    assert post.filed() == {"edicts": {"taxation": "light"}}
    assert "It did not count: `claim: 0102`." in " ".join(text_of(post.answer()).split())


def test_what_is_struck_out_does_not_count_and_the_answer_says_so(post: Post) -> None:
    html = {"Content-Type": "text/html; charset=utf-8"}
    post.mail("examplia", "<p>taxation: light</p><p><s>claim: 0102</s></p>", **html)
    assert post.filed() == {"edicts": {"taxation": "light"}}
    assert "You struck this out, so it did not count: `claim: 0102`." in " ".join(text_of(post.answer()).split())
    post.mail("examplia", "<p>I will <s>attack</s> wait.</p>", "to borderia", **html)
    assert "I will wait." in text_of(next(mail for mail in post.new() if mail["To"] == "bo@example.org"))
    assert "Sent to Bo (Borderia), without what you quoted, forwarded or struck out: " in " ".join(
        text_of(post.answer()).split()
    )


def test_a_reply_to_a_letter_of_somebody_who_left_goes_to_nobody_unasked(post: Post) -> None:
    post.mail("borderia", "Shall we talk of the ford?\n", "to examplia")
    letter = to(post, "ada@example.org")
    assert reply(post, "examplia", letter, "At dawn.").outcome == "accepted"
    assert "At dawn." in text_of(to(post, "bo@example.org"))
    assert main(["invite", str(post.campaign.folder), "borderia", "dora@example.org", "--name", "Dora"]) == 0
    fate = reply(post, "examplia", letter, "My secret plan: I attack at noon.")
    assert (fate.outcome, fate.code) == ("refused", "another_holds_it")
    assert [mail["To"] for mail in post.new()] == ["ada@example.org"]
    assert post.press(links(post.answer())["Send it to Dora (Borderia)"], "examplia").outcome == "accepted"
    assert "I attack at noon." in text_of(to(post, "dora@example.org"))


# --- which mail a reply answers


def reply_in_thread(post: Post, seat: str, mails: list[EmailMessage], text: str) -> Fate:
    """A reply to the last of the mails, which names the others as farther up in its thread."""
    references = " ".join(mail["Message-ID"] for mail in mails)
    more = {"In-Reply-To": mails[-1]["Message-ID"], "References": references}
    return post.mail(seat, text, f"Re: {mails[-1]['Subject']}", **more)


def test_words_in_reply_to_an_answer_go_to_the_gm_although_a_letter_stands_above_it_in_the_thread(post: Post) -> None:
    post.mail("borderia", "Shall we talk of the ford?\n", "to examplia")
    letter = to(post, "ada@example.org")
    reply_in_thread(post, "examplia", [letter], "to gm\nShould I trust Bo?")
    answer = to(post, "ada@example.org")
    reply_in_thread(post, "examplia", [letter, answer], "PS, Gwen, between us: I plan to attack Bo.")
    mails = [mail["To"] for mail in post.new()]
    assert sorted(mails) == ["ada@example.org", "gm@example.org"]


def test_what_for_whom_asks_is_answered_in_the_thread_of_the_letter(post: Post) -> None:
    post.mail("examplia", "Shall we talk of the ford?\n", "to borderia")
    letter = to(post, "bo@example.org")
    reply(post, "borderia", letter, "taxation: heavy")
    (asked,) = post.new()
    assert reply_in_thread(post, "borderia", [letter, asked], "taxation: heavy").outcome == "accepted"
    assert post.filed("borderia") == {"edicts": {"taxation": "heavy"}}


@pytest.mark.parametrize(
    "text", ["Dear Ada, yes!\n\ntaxation: heavy\n", "We meet at dawn, as you say.\ntaxation: heavy\nBo\n"]
)
def test_orders_below_words_to_a_rival_are_not_sent_unasked(post: Post, text: str) -> None:
    post.mail("examplia", "Shall we talk of the ford?\n", "to borderia")
    assert reply(post, "borderia", to(post, "bo@example.org"), text).code == "letter_or_orders"
    (asked,) = post.new()
    assert asked["To"] == "bo@example.org"
    assert post.press(links(asked)["File them for turn 3"], "borderia").outcome == "accepted"
    assert post.filed("borderia") == {"edicts": {"taxation": "heavy"}}
    assert post.press(links(asked)["Send it to Ada (Examplia)"], "borderia").outcome == "accepted"
    assert text.split("\n")[0] in text_of(to(post, "ada@example.org"))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("clam: 0309", "claim: 0309"),
        ("taxaton: light", "taxation: light"),
        ("We agree.\n\ntaxaton: light\n\nBo", "taxation: light"),
        ("claim hex 0102 and build a farm there", "claim: 0102"),
        ("- Claim hex 0102, please", "claim: 0102"),
        ("clam 0102", "claim: 0102"),
        ("final", "final: true"),
        ("settle: [{hex: 0102}]", "settle: [{hex: 0102}]"),
    ],
)
def test_a_slipped_order_is_not_sent_to_a_rival_unasked(text: str, line: str, post: Post) -> None:
    post.mail("examplia", "Shall we talk of the ford?\n", "to borderia")
    assert reply(post, "borderia", to(post, "bo@example.org"), text).code == "letter_or_orders"
    (asked,) = post.new()
    assert asked["To"] == "bo@example.org" and post.filed("borderia") is None
    found = links(asked)
    file = found.get("File them for turn 3") or found["Correct them and send them again"]
    assert ("File them for turn 3" in found) == (text != "settle: [{hex: 0102}]")  # a name is still missing there
    assert line in pressed(file)[2].splitlines()
    assert post.press(links(asked)["Send it to Ada (Examplia)"], "borderia").outcome == "accepted"
    assert text.split("\n")[0] in text_of(to(post, "ada@example.org"))


@pytest.mark.parametrize(
    "text",
    [
        "{grant: borderia, account: treasury, by: 6}",
        "Bo,\n- {grant: borderia, account: treasury, by: 6, reason: a gift}",
        "place: {monster: wyvern, hex: 0303}",
        "tel: [{to: borderia, text: Beware}]",
        "tell: [{to: borderia}]",
        "extand 2d",
        "extand 2d\n\nTwo days more for all.",
        "extend 2 dys",
        "hold it",
        "run itt",
        "relase",
    ],
)
def test_a_slipped_order_or_command_of_the_gms_is_not_sent_to_a_player_unasked(text: str, post: Post) -> None:
    post.mail("borderia", "May my people hold a feast?\n", "to gm")
    assert reply(post, "gm", to(post, "gm@example.org"), text).outcome == "refused"
    (answer,) = post.new()
    assert answer["To"] == "gm@example.org" and post.filed("gm") is None


@pytest.mark.parametrize(
    "text",
    ["Hello!", "Build on my word, Ada: I come.", "Claim whatever you like, I will not yield.", "Turn 4 will be hard."],
)
def test_words_that_only_begin_like_an_order_or_a_command_are_a_letter(text: str, post: Post) -> None:
    post.mail("examplia", "Where are you?\n", "to borderia")
    assert reply(post, "borderia", to(post, "bo@example.org"), text).code == "to"


def test_a_command_in_reply_to_a_rival_is_asked_about(post: Post) -> None:
    post.mail("examplia", "Shall we talk of the ford?\n", "to borderia")
    assert reply(post, "borderia", to(post, "bo@example.org"), "status").code == "letter_or_command"
    (asked,) = post.new()
    assert post.press(links(asked)["status"], "borderia").code == "status"
    assert reply(post, "borderia", asked, "status").code == "status"
    assert post.press(links(asked)["Send it to Ada (Examplia)"], "borderia").outcome == "accepted"


def test_orders_and_commands_in_reply_to_the_gm_count(post: Post) -> None:
    post.mail("gm", "The ford is flooded.\n", "to borderia")
    letter = to(post, "bo@example.org")
    assert reply(post, "borderia", letter, "status").code == "status"
    assert reply(post, "borderia", letter, "Thanks Gwen, I thought so.\n\ntaxation: heavy").outcome == "accepted"
    assert post.filed("borderia") == {"edicts": {"taxation": "heavy"}}
    assert "I thought so." in text_of(to(post, "gm@example.org"))


def test_gm_orders_in_reply_to_a_player_are_not_sent_to_the_player(post: Post) -> None:
    post.mail("borderia", "May my people hold a feast?\n", "to gm")
    letter = to(post, "gm@example.org")
    fate = reply(post, "gm", letter, 'tell: [{to: borderia, text: "They may."}]')
    assert fate.outcome == "accepted" and post.filed("gm") is not None
    assert reply(post, "gm", letter, "tell: [{to: borderia}]").code == "problems"


@pytest.mark.parametrize("text", [
    "- {grant: borderia, account: treasury, by: 6, reason: a gift}",
    "{grant: borderia, account: treasury, by: 6, reason: a gift}",
    "grant: borderia, account: treasury, by: 6, reason: a gift",
    "Grant: borderia, account: treasury, by: 6, reason: a gift\n\nThanks,\nGwen",
    "gm: [{grant: borderia, account: treasury, by: 6, reason: a gift}]",
])  # fmt: skip
def test_what_reads_whole_as_orders_of_the_gm_is_filed_in_reply_to_a_player_and_alone(text: str, post: Post) -> None:
    post.mail("borderia", "May my people hold a feast?\n", "to gm")
    letter = to(post, "gm@example.org")
    gift = {"grant": "borderia", "account": "treasury", "by": 6, "reason": "a gift"}
    for mail in (letter, None):
        fate = reply(post, "gm", mail, text) if mail else post.mail("gm", text, "Orders gm 3")
        assert fate.outcome == "accepted" and post.filed("gm") == {"gm": [gift]}
        assert [str(one["To"]) for one in post.new()] == ["gm@example.org"]


def test_several_rulings_without_braces_are_filed_together(post: Post) -> None:
    text = 'grant: borderia, account: treasury, by: 6, reason: for the feast, and the song: great\nreveal: 0404, to: all, reason: "it\'s there"\n'
    assert post.mail("gm", text, "Orders gm 3").outcome == "accepted"
    first, second = (post.filed("gm") or {})["gm"]
    assert first["reason"] == "for the feast, and the song: great" and second == {
        "reveal": "0404",
        "to": "all",
        "reason": "it's there",
    }


def test_words_of_the_gm_beside_orders_in_reply_to_a_player_are_not_lost_but_asked_about(post: Post) -> None:
    post.mail("borderia", "May my people hold a feast?\n", "to gm")
    text = "They may, and well done.\n\ngm: [{grant: borderia, account: treasury, by: 6, reason: a gift}]"
    assert reply(post, "gm", to(post, "gm@example.org"), text).code == "letter_or_orders"
    (asked,) = post.new()
    assert post.filed("gm") is None and asked["To"] == "gm@example.org"
    assert post.press(links(asked)["File them for turn 3"], "gm").outcome == "accepted"


def test_a_file_stays_behind_and_the_writer_of_the_letter_is_told(post: Post) -> None:
    parts = [
        {"body": "Here is my plan as a map.\n"},
        {"type": "image/png", "disposition": "attachment; filename=plan.png", "bytes": b"png"},
        {"type": "image/png", "disposition": "inline; filename=logo.png", "bytes": b"png"},
    ]
    for number, (subject, said) in enumerate([
        ("to Bo [k7f3q]", 'Sent to Bo (Borderia), without the file plan.png: "Here is my plan as a map." Files are not passed on.'),
        ("A plan [k7f3q]", "Your words went to Gm, without the file plan.png, who can reply to you."),
    ], 1):  # fmt: skip
        post.take(mailkit.message({"head": {"Subject": subject}, "parts": parts}, number))
        assert said in " ".join(text_of(post.answer()).split())


def test_what_a_letter_forwards_stays_behind_and_its_writer_is_told(post: Post) -> None:
    forwarded = "---------- Forwarded message ---------\nFrom: Bo <bo@example.org>\nDate: Wed, 16 Dec 2026\nSubject: Peace\nTo: Ada\n\nSecret.\n"
    post.mail("examplia", f"Look, is this right?\n\n{forwarded}", "to gm")
    assert "Sent to Gm, without what you quoted, forwarded or struck out: " in " ".join(text_of(post.answer()).split())
    assert "Secret" not in text_of(to(post, "gm@example.org"))


@pytest.mark.parametrize(
    ("said", "asks"), [("I resign. Sorry, no time any more.", True), ("I'll have to think whether to fight on.", False)]
)
def test_who_says_in_plain_words_that_they_give_up_is_asked_and_the_gm_reads_it(
    post: Post, said: str, asks: bool
) -> None:
    post.mail("examplia", said, "A word")
    answer = to(post, "ada@example.org")
    assert "Your words went to Gm" in text_of(answer)
    assert ("You still hold your seat." in text_of(answer)) == asks == ("Give up your seat" in links(answer))
    assert "examplia" not in post.journal.resigned
    if asks:
        assert post.press(links(answer)["Give up your seat"], "examplia").code == "resign"
        assert "examplia" in post.journal.resigned


# --- the GM among the readers of `messages`


@pytest.mark.parametrize("gm", ["gm", "Gm"])
def test_what_messages_say_to_the_gm_is_a_letter_and_the_rest_is_filed(post: Post, gm: str) -> None:
    text = f"claim: 0102\nmessages: {{{gm}: May I dam the ford?, borderia: Shall we talk?}}\n"
    assert post.mail("examplia", text).outcome == "accepted"
    assert post.filed() == {"claim": ["0102"], "messages": [{"to": "borderia", "text": "Shall we talk?"}]}
    assert "went to Gm." in text_of(post.answer())
    (letter,) = [mail for mail in post.new() if mail["To"] == "gm@example.org"]
    assert "Ada (Examplia) writes to you:\n\nMay I dam the ford?" in text_of(letter)
    assert "dam the ford" not in (post.folder / "orders/0003/examplia.yaml").read_text(encoding="utf-8")


def test_a_message_to_the_gm_alone_changes_nothing_that_is_filed(post: Post) -> None:
    post.mail("examplia", "claim: 0102\n")
    assert post.mail("examplia", "messages: [{to: gm, text: May I?}]\n").passed_on == "Gm"
    assert post.filed() == {"claim": ["0102"]}
    assert post.answer()["Subject"] == "[The two fords] Nothing changed for turn 3"


def test_the_gm_is_a_reader_and_no_seat(post: Post) -> None:
    """No other order takes the GM for a kingdom, whatever `messages` say."""
    assert post.mail("examplia", "messages: {gm: Hi}\naid: loyalty to gm\n").outcome == "refused"


@pytest.mark.parametrize("long", ["Turn 12 is now due on Wednesday 23 December 2026, 18:00 (Europe/Berlin)", "Ä" * 80])
def test_no_header_begins_with_an_empty_line_and_no_id_is_folded(long: str, post: Post) -> None:
    content = making.Content(f"[The two fords] {long}", "Text.\n", "", in_reply_to=f"<{'a' * 120}@mail.example.org>")
    id = "deadline-0012-examplia-of-a-kingdom-with-a-long-name-202612231800"
    data = making.letter(post.campaign, id, "deadline", "examplia", 12, "ada@example.org", content, post.now).data
    lines = data.partition(b"\r\n\r\n")[0].split(b"\r\n")
    assert not [line for line in lines if line.rstrip().endswith(b":")]
    assert [line for line in lines if line.startswith(b"Message-ID: <deadline-0012") and line.endswith(b">")]
    assert b"In-Reply-To: <" + b"a" * 120 + b"@mail.example.org>" in lines
