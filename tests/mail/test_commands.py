"""The words people try as subjects, the players' and the GM's: what each does, what it is answered, and that its cures work."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import date, timedelta
from email.utils import format_datetime
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from kingdom.books import verify
from kingdom.campaign import clock
from kingdom.cli.main import main
from kingdom.mail import tokens
from kingdom.mail.incoming import days
from kingdom.mail.incoming.outcome import REASONS
from tests.kit import postkit
from tests.kit.mailkit import CAMPAIGN, LIGHT
from tests.kit.postkit import Post, enclosed, links, text_of
from tests.kit.tiny_game import file_orders, write

LATE = postkit.at("2026-12-18T17:04")  # turn 3 is due at 17:00
NO_GRACE = CAMPAIGN.replace(", grace: 1h", "") + "steward_after: 9\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        return postkit.campaign(tmp_path_factory.mktemp("commands") / "campaign")


@pytest.fixture
def post(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Post]:
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    yield postkit.fresh(made, tmp_path / "campaign", NO_GRACE)


def plain(post: Post) -> str:
    """What the answer says, its lines joined."""
    return " ".join(text_of(post.answer()).split())


def be_late(post: Post) -> None:
    """The deadline has passed, and the turn waits for nobody: the other player has filed."""
    file_orders(post.folder, 3, "borderia")
    post.now = LATE


def title(post: Post) -> str:
    """The subject of the answer, without the campaign's name."""
    return str(post.answer()["Subject"]).partition("] ")[2]


# --- subjects


@pytest.mark.parametrize(
    ("seat", "words", "said"),
    [
        ("examplia", ["withdraw"], "Nothing was filed for turn 3"), ("examplia", ["back"], "Nothing changes"),
        ("examplia", ["away 2", "back"], "You are back"), ("examplia", ["resign", "back"], "You keep your seat"),
        ("examplia", ["report again"], "Report of turn 2"), ("examplia", ["report 1"], "Report of turn 1"),
        ("gm", ["release"], "Nothing waits for you"), ("gm", ["hold", "release"], "Released"), ("gm", ["skip bo"], "Turn 3 does not wait for Bo (Borderia)"),
    ],
)  # fmt: skip
def test_the_subject_of_an_answer_says_what_changed(post: Post, seat: str, words: list[str], said: str) -> None:
    for word in words:
        assert post.mail(seat, "", word).outcome == "accepted"
    assert title(post) == said


def test_help_is_offered_once_to_who_misspelt_it(post: Post) -> None:
    post.mail("examplia", "", "hlep")
    assert "Did you mean `help`? It lists all of them." in plain(post) and text_of(post.answer()).count("`help`") == 2
    assert list(links(post.answer())) == ["See what you can ask"]


# --- what is filed


def test_orders_shows_what_is_filed_for_the_next_turn_and_later_ones_and_changes_it(post: Post) -> None:
    post.mail("examplia", "", "orders")
    assert "Nothing is filed for turn 3." in plain(post) and "Write a mail with the order form in it" in links(
        post.answer()
    )
    post.mail("examplia", "taxation: light\n")
    receipt = plain(post).partition("Receipt: ")[2][:12]
    post.mail("examplia", "taxation: heavy\n", "Orders examplia 5")
    assert post.mail("examplia", "", "ORDERS").outcome == "accepted"
    assert f"Filed for turn 3: receipt {receipt}. Filed for turn 5: receipt" in plain(post)
    assert "# turn 3\ntaxation: light\n\n# turn 5\ntaxation: heavy" in text_of(post.answer())
    assert post.press(links(post.answer())["Change the orders for turn 5"], "examplia").outcome == "accepted"
    assert post.filed(turn=5) == {"edicts": {"taxation": "heavy"}} and post.filed() == LIGHT


def test_a_subject_orders_above_orders_files_them(post: Post) -> None:
    post.mail("examplia", "kingdom: examplia\nturn: 3\ntaxation: light\n", "Orders")
    assert post.filed() == LIGHT


def test_orders_of_another_seat_are_not_shown(post: Post) -> None:
    post.mail("borderia", "taxation: heavy\n")
    post.mail("examplia", "", "orders")
    assert "heavy" not in plain(post) and "Nothing is filed" in plain(post)


def test_withdraw_takes_orders_back_and_one_tap_files_them_again(post: Post) -> None:
    post.mail("examplia", "taxation: light\n")
    receipt = plain(post).partition("Receipt: ")[2][:12]
    assert post.mail("examplia", "", "Withdraw").outcome == "accepted"
    assert post.filed() is None and "taxation: light" in plain(post) and receipt in plain(post)
    assert (post.folder / f"mail/withdrawn/0003-examplia-{receipt}.yaml").is_file(), "nothing is lost"
    assert post.press(links(post.answer())["File them again"], "examplia").outcome == "accepted"
    assert post.filed() == LIGHT


def test_an_older_mail_does_not_bring_withdrawn_orders_back_but_its_tap_does(post: Post) -> None:
    older = {"Date": "Wed, 16 Dec 2026 10:00:00 +0000"}
    post.mail("examplia", "taxation: light\n", **older)
    post.mail("examplia", "", "withdraw")
    fate = post.mail("examplia", "taxation: heavy\n", **older)
    assert (fate.outcome, fate.code) == ("refused", "withdrawn_since") and post.filed() is None
    assert post.press(links(post.answer())["File them all the same"], "examplia").outcome == "accepted"
    assert post.filed() == {"edicts": {"taxation": "heavy"}}


def test_a_withdrawal_that_arrives_late_takes_no_newer_orders_back(post: Post) -> None:
    post.mail("examplia", "taxation: light\n")
    fate = post.mail("examplia", "", "withdraw", Date="Wed, 16 Dec 2026 10:00:00 +0000")
    assert (fate.outcome, fate.code) == ("refused", "older") and post.filed() == LIGHT
    assert post.press(links(post.answer())["Take them back all the same"], "examplia").outcome == "accepted"
    assert post.filed() is None


def test_what_was_put_there_by_hand_can_be_taken_back(post: Post) -> None:
    (post.folder / "orders/0003").mkdir(parents=True)
    (post.folder / "orders/0003/examplia.yaml").write_text("kingdom: examplia\nturn: 3\nedicts: {taxation: light}\n")
    post.now += postkit.later(minutes=5)
    post.mail("examplia", "", "orders")
    assert "put there by hand" in plain(post)
    post.now += postkit.later(minutes=5)
    assert post.mail("examplia", "", "withdraw").outcome == "accepted" and post.filed() is None


def test_after_the_deadline_nothing_is_taken_back(post: Post) -> None:
    post.mail("examplia", "taxation: light\n")
    post.now = LATE
    fate = post.mail("examplia", "", "withdraw")
    assert (fate.outcome, fate.code) == ("refused", "not_withdrawn") and post.filed() == LIGHT
    assert post.press(links(post.answer())["orders"], "examplia").outcome == "accepted"


# --- what is shown


def test_the_map_comes_as_text_and_picture_as_the_seat_knows_it(post: Post) -> None:
    post.mail("examplia", "", "MAP")
    mine = text_of(post.answer())
    picture = enclosed(post.answer())["map-0002.png"]
    assert picture.startswith(b"\x89PNG") and Image.open(BytesIO(picture)).mode == "P", "256 colours, as in a report"
    post.mail("gm", "", "map")
    assert (
        "The whole map after turn 2." in plain(post)
        and text_of(post.answer()).splitlines()[2:] != mine.splitlines()[2:]
    )


def test_who_asks_for_a_form_after_the_end_is_told_that_it_is_over(made: Path, tmp_path: Path) -> None:
    post = postkit.fresh(made, tmp_path / "campaign", CAMPAIGN + "ends: {turn: 2}\n")
    assert post.mail("examplia", "", "form").outcome == "accepted" and "is over" in plain(post)
    assert post.mail("gm", "", "release").outcome == "accepted"


def test_verify_brings_the_program_that_proves_the_mails(post: Post) -> None:
    assert post.mail("examplia", "", "verify").outcome == "accepted"
    answer = post.answer()
    assert enclosed(answer)["verify.txt"].replace(b"\r\n", b"\n") == verify.source()
    assert (
        "python3 verify.txt FOLDER" in text_of(answer)
        and answer["Subject"] == "[The two fords] How to prove it yourself"
    )
    assert post.mail("gm", "", "verify").code == "not_for_gm"


def test_report_again_is_the_newest_report(post: Post) -> None:
    post.mail("examplia", "", "Report Again")
    assert set(enclosed(post.answer())) == {"examplia-0002.txt", "examplia-0002.html", "record.json"}


# --- who is there


@pytest.mark.parametrize(
    ("subject", "says", "turns"),
    [
        ("away", "for turn 3.", (3, 3)),
        ("away 2", "for turns 3 to 4.", (3, 4)),
        ("away 2 turns", "for turns 3 to 4.", (3, 4)),
        ("Away Until Turn 5", "for turns 3 to 5.", (3, 5)),
        (
            "away until 3 January",
            "for turns 3 to 5, until 3 January.",
            (3, 5),
        ),  # due on 18 and 25 December and 1 January
        ("away until January 1st, 2027", "for turns 3 to 5, until 1 January.", (3, 5)),
        ("away until 2026-12-31", "for turns 3 to 4, until 31 December.", (3, 4)),
        ("away until Friday", "for turn 3, until 18 December.", (3, 3)),
    ],
)
def test_away_is_said_back_in_words(post: Post, subject: str, says: str, turns: tuple[int, int]) -> None:
    assert post.mail("examplia", "", subject).outcome == "accepted"
    assert f"you are away {says}" in plain(post)
    assert post.journal.away == {"examplia": turns}
    assert post.press(links(post.answer())["I am back"], "examplia").outcome == "accepted"
    assert post.journal.away == {} and "you are back" in plain(post)


@pytest.mark.parametrize(
    "subject",
    ["away until 17 December", "away until 3/12", "away until spring", "away until 30 February", "away until turn 2", "away until turn 99", "away until 2027-12-01"],
)  # fmt: skip
def test_an_absence_that_is_none_is_refused_with_one_that_is(post: Post, subject: str) -> None:
    assert post.mail("examplia", "", subject).outcome == "refused" and post.journal.away == {}
    (link,) = links(post.answer()).values()
    assert post.press(link, "examplia").outcome == "accepted" and post.journal.away


def test_without_a_calendar_away_takes_turns(made: Path, tmp_path: Path) -> None:
    without = "\n".join(line for line in CAMPAIGN.splitlines() if not line.startswith("calendar")) + "\n"
    post = postkit.fresh(made, tmp_path / "campaign", without)
    assert post.mail("examplia", "", "away until 3 January").outcome == "refused"
    assert post.press(links(post.answer())["away until turn 4"], "examplia").outcome == "accepted"
    assert post.journal.away == {"examplia": (3, 4)}


def test_back_takes_a_resignation_back_unless_the_seat_is_somebody_else_s(post: Post) -> None:
    post.mail("examplia", "", "resign")
    assert post.press(links(post.answer())["Take it back"], "examplia").outcome == "accepted"
    assert post.journal.resigned == {} and "you keep your seat" in plain(post)
    post.mail("examplia", "", "back")
    assert "nothing changes" in plain(post)
    post.mail("examplia", "", "resign")
    settings = post.folder / "campaign.yaml"
    settings.write_text(settings.read_text().replace("examplia: {name: Ada,", "examplia: {name: Ada, bot: trader,"))
    fate = post.mail("examplia", "", "back")
    assert (fate.outcome, fate.code) == ("refused", "seat_given") and post.journal.resigned == {"examplia": 3}


# --- words that are none


@pytest.mark.parametrize(
    ("subject", "meant"),
    [("statsu", "status"), ("wihdraw", "withdraw"), ("reprot 1", "report 1"), ("Hlep", "help"), ("awya until turn 4", "away until turn 4")],
)  # fmt: skip
def test_a_misspelt_word_gets_the_nearest_as_a_tap(post: Post, subject: str, meant: str) -> None:
    assert post.mail("examplia", "", subject).code == "unknown_command"
    fate = post.press(links(post.answer())[{"help": "See what you can ask"}.get(meant, meant)], "examplia")
    assert (fate.outcome, fate.code) == ("accepted", meant.split()[0])


@pytest.mark.parametrize(
    ("line", "meant"),
    [("statsu", "status"), ("withdrawl", "withdraw"), ("awya until 28 December", "away until 28 December"), ("mpa", "map"),
     ("cancel my orders", "withdraw"), ("Cancel", "withdraw")],
)  # fmt: skip
def test_a_reply_of_a_misspelt_word_does_nothing_and_gets_the_nearest(post: Post, line: str, meant: str) -> None:
    fate = post.mail("examplia", f"{line}\n")
    assert fate.code == "unknown_command" and [mail["To"] for mail in post.new()] == ["ada@example.org"]
    assert f"Reply with the line `{meant}`" in plain(post), "as text, too"
    fate = post.press(links(post.answer())[meant], "examplia")
    assert (fate.outcome, fate.code) == ("accepted", meant.split()[0])


@pytest.mark.parametrize(
    "line",
    [
        "help me please",
        "back soon",
        "I cancel my holiday",
        "cancel the war",
        "awya with you",
        "maybe",
        "reports are late",
    ],
)
def test_what_only_begins_like_one_goes_to_the_gm(post: Post, line: str) -> None:
    assert post.mail("examplia", f"{line}\n").outcome == "accepted" and "gm@example.org" in [
        mail["To"] for mail in post.new()
    ]


def test_a_player_is_not_sent_to_a_word_of_the_gm_s(post: Post) -> None:
    post.mail("examplia", "", "extned 2d")
    assert "extend" not in links(post.answer()).values() and "`extend`" not in plain(post)
    post.mail("gm", "", "extned 2d")
    assert post.press(links(post.answer())["extend 2d"], "gm").outcome == "accepted"


def test_an_unknown_subject_with_nothing_below_gets_the_list(post: Post) -> None:
    fate = post.mail("examplia", "", "xylophone")
    assert fate.code == "unknown_command" and "withdraw" in plain(post) and "Not done." in plain(post)
    assert {"orders", "map", "report again", "withdraw", "back", "help"} <= set(links(post.answer()))


# --- the GM's


@pytest.mark.parametrize("noted", [False, True], ids=["no run since", "a run since"])
def test_a_message_that_is_late_for_a_held_turn_is_filed_for_it(post: Post, noted: bool) -> None:
    post.mail("gm", "", "hold")
    post.now = LATE
    if noted:  # a run after the deadline notes for whom the turn waits
        post.journal.tell_once(post.now, "waits_for", "examplia", 3)
    fate = post.mail("examplia", "taxation: light\n")
    assert (fate.outcome, fate.code) == ("accepted", "late") and post.filed() == LIGHT
    assert "came 4 minutes after the deadline" in plain(post) and "The GM holds the turn, so they count." in plain(post)


@pytest.mark.parametrize("led", [False, True], ids=["it waits for both", "a steward leads one"])
def test_late_orders_count_while_the_turn_waits_though_no_run_has_said_so(post: Post, led: bool) -> None:
    turn, post.now = 3, LATE
    if led:
        file_orders(post.folder, 3, "borderia")  # so only the other was silent for three turns
        assert main(["turn", str(post.folder), "--yes"]) == 0
        write(post.folder, "campaign.yaml", NO_GRACE.replace("steward_after: 9", "steward_after: 3"))
        turn, post.now = 4, LATE + timedelta(days=7)
    fate = post.mail("examplia", "taxation: light\n", f"Re: Orders examplia {turn}")
    assert (fate.outcome, fate.code) == ("accepted", "") and post.filed(turn=turn) == LIGHT
    assert "The turn waits for players who filed nothing, so they count." in plain(post)
    fate = post.mail("borderia", "taxation: light\n", f"Re: Orders borderia {turn}")
    assert fate.outcome == "accepted", "it waited for both"


def test_a_late_message_is_filed_for_the_next_turn_by_a_tap(post: Post) -> None:
    be_late(post)
    fate = post.mail("examplia", "taxation: light\n")
    assert (fate.outcome, fate.code) == ("refused", "late") and "4 minutes after the deadline" in plain(post)
    assert "they replace what is filed" not in plain(post), "a plain reply would be late again"
    assert post.press(links(post.answer())["File them for turn 4"], "examplia").outcome == "accepted"
    assert post.filed() is None and post.filed(turn=4) == LIGHT
    assert post.mail("examplia", "turn: 4\ntaxation: heavy\n").outcome == "accepted", "or typed, as the mail says"


def test_orders_that_are_late_and_wrong_are_corrected_for_the_next_turn(post: Post) -> None:
    be_late(post)
    fate = post.mail("examplia", "taxation: lihgt\n", "Re: Orders examplia 3")
    assert (fate.outcome, fate.code) == ("refused", "problems")
    said = plain(post)
    assert "Orders for turn 3 came 4 minutes after the deadline" in said and "can be filed for turn 4" in said
    answer, (link,) = post.answer(), [to for to in links(post.answer()).values() if "taxation" in to]
    fate = post.mail("examplia", "taxation: light\n", f"Re: {answer['Subject']}", In_Reply_To=answer["Message-ID"])
    assert (fate.outcome, fate.turn) == ("accepted", 4), "a plain reply"
    assert post.press(link, "examplia").outcome == "accepted" and post.filed(turn=4) == LIGHT and post.filed() is None


def test_late_orders_with_a_line_that_nobody_can_correct_are_sent_without_it_as_the_answer_says(post: Post) -> None:
    be_late(post)
    fate = post.mail("examplia", "taxation: light\nflurb: 17\n", "Re: Orders examplia 3")
    assert (fate.outcome, fate.code) == ("refused", "problems")
    said, answer = text_of(post.answer()), post.answer()
    (line,) = said.partition("To send the others alone, reply with this line above the quote.")[2].splitlines()[2:3]
    quoted = "\n".join(f"> {each}" for each in said.splitlines())
    body = f"{line}\n\nOn Fri, 18 Dec 2026 at 18:05, The two fords <orders@example.org> wrote:\n{quoted}\n"
    fate = post.mail("examplia", body, f"Re: {answer['Subject']}", In_Reply_To=answer["Message-ID"])
    assert (fate.outcome, fate.turn) == ("accepted", 4) and post.filed(turn=4) == LIGHT and post.filed() is None


@pytest.mark.parametrize("word", ["accept", "Extend", "skip"])
def test_half_a_command_of_the_gm_s_is_answered_with_the_whole(post: Post, word: str) -> None:
    be_late(post)
    post.mail("examplia", "taxation: light\n")
    assert post.mail("gm", f"{word}\n", "Re: News").code == "bad_argument"
    example = next(name for name in links(post.answer()) if name.startswith(f"{word.lower()} "))
    assert post.press(links(post.answer())[example], "gm").outcome == "accepted"


@pytest.mark.parametrize("head", ["", "turn: 3\n"])
def test_late_orders_of_a_turn_that_was_played_are_accepted_for_the_next(post: Post, head: str) -> None:
    post.now = LATE
    assert main(["turn", str(post.folder), "--yes"]) == 0
    assert post.mail("examplia", f"{head}taxation: light\n", "Re: Orders examplia 3").code == "late"
    assert post.mail("gm", "", "accept 1").outcome == "accepted" and post.filed(turn=4) == LIGHT


def test_what_the_gm_mails_after_a_correction_is_newer_than_it(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    post.mail("examplia", "taxation: light\n")
    file = post.folder / "orders/0001/examplia.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("kingdom: examplia\nturn: 1\ntaxation: heavy\n")
    monkeypatch.setattr(clock, "now", lambda: post.now - timedelta(minutes=5))
    assert main(["correct", str(post.folder), "--turn", "1", "--yes"]) == 0
    fate = post.mail("gm", "turn: 3\ntell: [{to: examplia, text: I have corrected turn 1.}]\n", "Re: Your book")
    assert (fate.outcome, fate.code) == ("accepted", ""), fate.reason
    assert {"tell", "gm"} <= set(post.filed("gm") or {})


def test_accept_files_a_refused_message_by_its_number_which_never_changes(post: Post) -> None:
    post.mail("eve@evil.example", "claim: 0102\n", "hello [none1]")
    be_late(post)
    post.mail("examplia", "taxation: light\n")
    late = next(digest for digest, entry in post.journal.handled.items() if entry["code"] == "late")
    assert post.journal.refused[late] == 2
    assert post.mail("gm", "", "accept 7").outcome == "refused"
    assert post.press(links(post.answer())["accept 2"], "gm").outcome == "accepted"
    assert post.filed() == LIGHT and "Filed for Ada (Examplia), turn 3, by the GM." in plain(post)
    assert "taxation: light" in plain(post), "the GM is told what was filed"
    (told,) = [mail for mail in post.new() if mail["To"] == "ada@example.org"]
    assert "The GM filed these orders" in text_of(told)
    assert post.journal.refused[late] == 2
    fate = post.mail("gm", "", "accept 2")
    assert (fate.outcome, fate.code) == ("refused", "accepted_before") and "is filed already" in plain(post)
    post.mail("gm", "", "accept 1")
    assert "name the kingdom" in plain(post)


def test_accept_tells_both_what_it_takes_away_and_what_would_be_refused(post: Post) -> None:
    post.mail("examplia", "On Fri, 20 Nov 2026 at 10:00, The GM <orders@example.org> wrote:\n> claim: 0102 0404\n")
    post.mail("examplia", "leadership: stability\n")
    before = post.journal.handled[list(post.journal.handled)[-1]]["receipt"]
    assert post.mail("gm", "", "accept 1").outcome == "accepted"
    gm = plain(post)
    assert (
        f"It replaces {before}. No longer ordered: leadership: stability. Would be refused: `claim: 0404`: 0404" in gm
    )
    (told,) = [mail for mail in post.new() if mail["To"] == "ada@example.org"]
    assert "No longer ordered: leadership: stability." in text_of(told) and "`claim: 0404`: 0404" in text_of(told)
    assert (
        told["Subject"]
        == "[The two fords] The GM filed for you: turn 3, but 1 of 2 orders would be refused; 1 order taken out"
    )
    assert "The GM filed these orders for you." in text_of(told)
    assert post.press(links(told)["Order these as well"], "examplia").outcome == "accepted"
    assert post.filed() == {"leadership": ["stability"], "claim": ["0102", "0404"]}


def test_a_reply_without_a_turn_to_a_mail_of_an_older_turn_is_told_why_it_is_late(post: Post) -> None:
    post.mail("examplia", "taxation: light\n")
    old = post.answer()["Message-ID"]
    post.now = LATE
    post.mail("examplia", "taxation: heavy\n", "Re: Filed", In_Reply_To=old)
    assert "You named no turn and replied to a mail about turn 3, so they were read as orders for it." in plain(post)
    assert plain(post).count("after the deadline: on Friday 18 December 2026") == 1


def test_an_older_mail_that_comes_later_can_be_filed_all_the_same(post: Post) -> None:
    post.mail("examplia", "taxation: light\n")
    before = format_datetime(post.now - timedelta(hours=1))
    assert post.mail("examplia", "taxation: heavy\n", Date=before).code == "older"
    assert "To file them all the same, reply to this mail with the same lines." in plain(post)
    assert "tap the link, or reply to this mail with the same lines." in " ".join(
        postkit.html_of(post.answer()).split()
    )
    assert post.press(links(post.answer())["File them all the same"], "examplia").outcome == "accepted"
    assert post.filed()["edicts"] == {"taxation": "heavy"}


def test_a_full_stop_behind_an_order_is_none_of_it(post: Post) -> None:
    fate = post.mail("examplia", "build: house in Oakhold.\nimprove: road 0203.\nrequests: May I dig. Please.\n")
    assert fate.outcome == "accepted" and "would be refused" not in plain(post)
    filed = post.filed() or {}
    assert filed["build"] == [{"build": "house", "in": "Oakhold"}] and filed["requests"] == ["May I dig. Please."]


@pytest.mark.parametrize("words", ["Extend two days", "extend 2d please", "Please extend by two days."])
def test_the_gm_s_word_is_understood_as_people_write_it_in_a_reply_to_a_letter_too(post: Post, words: str) -> None:
    post.mail("examplia", "Could we have two more days?", "to gm")
    letter = next(mail for mail in post.new() if mail["To"] == "gm@example.org")
    before = len(post.journal.mails)
    fate = post.mail("gm", words, f"Re: {letter['Subject']}", In_Reply_To=letter["Message-ID"])
    assert (fate.outcome, fate.code) == ("accepted", "extend") and "later by 2 days" in plain(post)
    assert len(post.journal.mails) == before + 1, "no letter goes to the player"


def test_away_takes_a_number_in_words(post: Post) -> None:
    post.mail("examplia", "", "away for two turns")
    assert post.journal.away == {"examplia": (3, 4)}


def test_who_writes_of_a_holiday_is_offered_an_absence(post: Post) -> None:
    post.mail("examplia", "I'm on holiday until 15 January, sorry!\n")
    (answer,) = [mail for mail in post.new() if mail["To"] == "ada@example.org"]
    assert "If you will miss a deadline, reply with the line `away 1`" in " ".join(text_of(answer).split())
    assert post.press(links(answer)["Away for a turn"], "examplia").outcome == "accepted"
    assert post.journal.away == {"examplia": (3, 3)}


def test_a_message_as_people_write_one_is_a_letter(post: Post) -> None:
    fate = post.mail("examplia", "messages: to Bo: shall we talk?\n")
    assert (fate.outcome, fate.code) == ("accepted", "to")
    assert "shall we talk?" in text_of(next(mail for mail in post.new() if mail["To"] == "bo@example.org"))


def test_what_was_taken_out_is_ordered_after_what_is_new(post: Post) -> None:
    """The order of claims counts: the newest wish comes first."""
    post.mail("examplia", "claim: 0103\n")
    post.mail("examplia", "claim: 0102\n")
    assert post.press(links(post.answer())["Order these as well"], "examplia").outcome == "accepted"
    assert post.filed() == {"claim": ["0102", "0103"]}


def test_what_an_east_asian_keyboard_types_is_read(post: Post) -> None:
    assert post.mail("examplia", "claim： ０４０４、0102\n").outcome == "accepted"
    assert post.filed() == {"claim": ["0404", "0102"]}


def test_a_day_that_is_over_is_told_as_that(post: Post) -> None:
    post.mail("examplia", "", "away until 1 December")
    assert "1 December is past." in plain(post) and "`away until" in plain(post)
    post.mail("examplia", "", "away until 1 December 2027")
    assert "1 December 2027 is more than 20 turns off." in plain(post)
    post.mail("examplia", "", "away until 29 February")
    assert "There is no 29 February 2027." in plain(post)
    post.mail("examplia", "", "away until 17 December")
    assert "so you miss nothing. If you are away then too, ask for a turn." in plain(post)
    assert "Reply with the line `away 1`." in plain(post), "said once"
    post.mail("examplia", "", "away 1")
    assert "Whoever asks `status` reads it." in plain(post) and "next reports" not in plain(post)


def test_help_as_a_page_says_beside_each_button_what_it_does(post: Post) -> None:
    post.mail("examplia", "", "help")
    page = postkit.html_of(post.answer())
    rows = re.findall(r"<p style=.margin:.6em 0.>(.*?)</p>", page)
    said = [re.sub("<[^>]*>", "", row) for row in rows]
    assert (
        "orders: what is filed, to look at or to change" in said
        and "status: who has filed, and when orders are due" in said
    )
    assert any(row.startswith("<code>away until DAY</code>") for row in rows)
    assert "<pre" not in page and "`" not in page


def test_the_log_numbers_what_was_refused(post: Post, capsys: pytest.CaptureFixture[str]) -> None:
    post.mail("examplia", "taxation: light\n")
    post.mail("examplia", "clam: 0102\n")
    assert main(["mail", "log", str(post.folder)]) == 0
    said = capsys.readouterr().out
    assert "number 1  ada@example.org: refused" in said and said.count("number") == 1


def test_accept_says_what_keeps_a_message_from_being_filed(post: Post) -> None:
    post.mail("examplia", "clam: 0102\n")
    fate = post.mail("gm", "", "accept 1")
    assert (fate.outcome, fate.code) == ("refused", "not_acceptable") and "clam" in plain(post)


@pytest.mark.parametrize("word", ["release", "run it"])
def test_a_turn_that_waits_goes_on_by_a_word(post: Post, word: str) -> None:
    post.now = LATE
    assert post.mail("gm", "", word).outcome == "accepted"
    assert (
        "Turn 3 goes on at once. Nothing is filed so far for borderia, examplia: what this run does not take in either counts as missing."
        in plain(post)
    )
    assert post.journal.go_on[:2] == (3, 1)


def test_run_it_is_refused_before_the_deadline_and_release_changes_nothing(post: Post) -> None:
    fate = post.mail("gm", "", "run it")
    assert (fate.outcome, fate.code) == (
        "refused",
        "not_waiting",
    ) and "Turn 3 is due on Friday 18 December 2026, 18:00 (Europe/Berlin)." in plain(post)
    assert post.press(links(post.answer())["status"], "gm").outcome == "accepted"
    post.mail("gm", "", "release")
    assert "Nothing waits for you. Turn 3 is due on Friday 18 December 2026, 18:00 (Europe/Berlin)." in plain(post)
    post.mail("gm", "", "hold")
    post.mail("gm", "", "release")
    assert "Turn 3 is no longer held." in plain(post) and not post.journal.held


def test_skip_takes_a_kingdom_or_a_player_s_name(post: Post) -> None:
    assert post.mail("gm", "", "skip Ada").outcome == "accepted"
    assert (
        "Turn 3 no longer waits for Ada (Examplia)" in plain(post)
        and title(post) == "Turn 3 does not wait for Ada (Examplia)"
    )
    assert post.journal.skipped == {(3, 1): {"examplia"}}
    assert post.mail("gm", "", "skip bordria").outcome == "refused"
    assert post.press(links(post.answer())["skip borderia"], "gm").outcome == "accepted"


# --- cures


REFUSED = {  # seat, subject and text of mails that are refused -> their code
    ("examplia", "report 9", ""): "bad_argument", ("examplia", "away x", ""): "bad_argument", ("examplia", "status now", ""): "bad_argument",
    ("examplia", "form 3", ""): "bad_argument", ("examplia", "map 3", ""): "bad_argument", ("examplia", "withdraw it", ""): "bad_argument",
    ("examplia", "withdraw 9", ""): "too_far_ahead", ("examplia", "withdraw 2", ""): "past_turn", ("examplia", "back again", ""): "bad_argument",
    ("examplia", "hold", ""): "not_for_players", ("examplia", "statsu", ""): "unknown_command", ("examplia", "xylophone", ""): "unknown_command",
    ("examplia", "Orders examplia 2", "taxation: light\n"): "past_turn", ("examplia", "Orders examplia 9", "taxation: light\n"): "too_far_ahead",
    ("examplia", "Orders examplia 3", "Hello there,\n"): "no_orders", ("examplia", "", "clam: 0102\n"): "problems",
    ("gm", "away 2", ""): "not_for_gm", ("gm", "extend", ""): "bad_argument", ("gm", "hold on", ""): "bad_argument", ("gm", "release me", ""): "bad_argument",
    ("gm", "run", ""): "bad_argument", ("gm", "run it", ""): "not_waiting", ("gm", "skip", ""): "bad_argument", ("gm", "accept", ""): "bad_argument",
    ("gm", "hepl", ""): "unknown_command", ("examplia", "my orders", "taxation: light\n"): "no_turn",
    ("examplia", "stauts please", ""): "unknown_command", ("examplia", "resend report", ""): "unknown_command",
}  # fmt: skip


@pytest.mark.parametrize(("mail", "code"), REFUSED.items(), ids=[" ".join(mail[:2]) for mail in REFUSED])
def test_a_refusal_carries_its_cure_and_each_link_works_as_it_stands(
    post: Post, mail: tuple[str, str, str], code: str
) -> None:
    seat, subject, text = mail
    fate = post.mail(seat, text, subject)
    assert (fate.outcome, fate.code) == ("refused", code)
    found = {name: link for name, link in links(post.answer()).items() if not name.startswith(("Correct them", "to "))}
    assert found, "it has a cure"
    for name, link in found.items():
        if name != "run it":
            assert post.press(link, seat).outcome == "accepted", name


@pytest.mark.parametrize(("subject", "filed"), [("final", {"final": True}), ("claim 0102", {"claim": ["0102"]})])
def test_an_order_in_the_subject_is_filed_by_one_tap(post: Post, subject: str, filed: dict[str, object]) -> None:
    assert post.mail("examplia", "", subject).code == "unknown_command" and "It is an order" in plain(post)
    (link,) = (link for name, link in links(post.answer()).items() if name.startswith("Order it"))
    assert post.press(link, "examplia").outcome == "accepted" and post.filed() == filed


def test_every_reason_is_a_sentence() -> None:
    assert all(
        said.rstrip("}").endswith((".", "?", "{why", "{next", "{cure")) or "{why}" in said for said in REASONS.values()
    )


OLDER = {"Date": "Wed, 16 Dec 2026 10:00:00 +0000"}


@pytest.mark.parametrize(
    ("code", "before", "mail", "typed", "turn"),
    [
        ("expired", [], ("taxation: light\n", "Orders examplia 3 [TOKEN]", {}), "taxation: light", 3),
        ("older", ["taxation: heavy\n"], ("taxation: light\n", "", OLDER), "taxation: light", 3),
        ("past_turn", [], ("taxation: light\n", "Orders examplia 2", {}), "turn: 3\ntaxation: light", 3),
        ("too_far_ahead", [], ("taxation: light\n", "Orders examplia 9", {}), "turn: 6\ntaxation: light", 6),
        ("only_quoted", [], ("On 16 Dec 2026 at 12:00, The two fords wrote:\n> taxation: light\n", "", {}), "taxation: light", 3),
    ],
)  # fmt: skip
def test_a_text_without_links_says_what_a_plain_reply_has_to_hold(
    post: Post, code: str, before: list[str], mail: tuple[str, str, dict[str, str]], typed: str, turn: int
) -> None:
    for one in before:
        post.mail("examplia", one)
    text, subject, head = mail
    if "TOKEN" in subject:
        subject = subject.replace("TOKEN", tokens.turn_token(post.campaign, "examplia", 2))
    fate = post.mail("examplia", text, subject, **head)
    assert fate.code == code
    said = plain(post)
    assert "reply" in said and "with" in said
    for line in typed.split("\n"):
        assert line in said or f"`{line}`" in said
    answer = post.answer()
    post.now += postkit.later(minutes=5)
    again = {"In-Reply-To": str(answer["Message-ID"])}
    assert post.mail("examplia", f"{typed}\n", f"Re: {answer['Subject']}", **again).outcome == "accepted"
    assert post.filed(turn=turn) == LIGHT


# --- days


TODAY = date(2026, 11, 24)  # a Tuesday


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("3 December", date(2026, 12, 3)), ("December 3", date(2026, 12, 3)), ("3rd of December", date(2026, 12, 3)),
        ("the 3rd of December 2027", date(2027, 12, 3)), ("Dec 3rd, 2026", date(2026, 12, 3)), ("3 dec.", date(2026, 12, 3)),
        ("2026-12-03", date(2026, 12, 3)), ("3 January", date(2027, 1, 3)), ("24 November", TODAY), ("23 November", date(2027, 11, 23)),
        ("29 February", date(2028, 2, 29)), ("Friday", date(2026, 11, 27)), ("Thursday 3 December", date(2026, 12, 3)), ("tomorrow", date(2026, 11, 25)),
        ("Sept 1", date(2027, 9, 1)), ("Thursday, December 3, 2026", date(2026, 12, 3)),
        ("3/12", None), ("12/3/2026", None), ("", None), ("31 November", None), ("2026-13-01", None), ("3", None), ("soon", None), ("0 May", None),
        ("30 February 2027", None), ("ma 3", None),
    ],
)  # fmt: skip
def test_a_day_as_people_write_it(text: str, day: date | None) -> None:
    assert days.day_in(text, TODAY) == day


@given(st.dates(TODAY, date(2027, 11, 23)))
def test_a_day_that_is_said_is_read_as_the_same(day: date) -> None:
    assert days.day_in(days.said(day), TODAY) == day
    assert days.day_in(f"{day:%B} {day.day}, {day.year}", TODAY) == day
    assert days.day_in(day.isoformat(), TODAY) == day


@given(st.text(max_size=30))
def test_any_text_is_a_day_or_none(text: str) -> None:
    assert days.day_in(text, TODAY) is None or isinstance(days.day_in(text, TODAY), date)


def test_who_files_orders_after_giving_up_the_seat_is_told_how_to_keep_it(post: Post) -> None:
    post.mail("examplia", "", "resign")
    assert post.mail("examplia", "taxation: light\n").outcome == "accepted"
    assert "You gave up your seat. To keep it, reply with the line `back`." in plain(post)
    assert post.press(links(post.answer())["Keep your seat"], "examplia").outcome == "accepted"
    post.mail("examplia", "taxation: heavy\n")
    assert "You gave up your seat" not in plain(post)


@pytest.mark.parametrize(
    "subject",
    ["status {own}", "status ({own})", "status [{OWN}]", "{own} status", "status {turn}", "Status: {own}"],
)
def test_a_token_counts_however_people_type_it(post: Post, subject: str) -> None:
    own, of_turn = postkit.TOKENS["examplia"], tokens.turn_token(post.campaign, "examplia", 3)
    fate = post.mail("examplia", "", f"[x] {subject.format(own=own, OWN=own.upper(), turn=of_turn)}")
    assert (fate.outcome, fate.code, fate.seat) == ("accepted", "status", "examplia")


def test_a_token_typed_by_another_address_proves_nothing(post: Post) -> None:
    fate = post.mail("borderia", "", f"[x] status {postkit.TOKENS['examplia']}")
    assert fate.outcome == "refused" and fate.seat == "borderia"
