"""`try`: orders are answered with what they would do, and nothing is filed; the answer's link files them."""

from __future__ import annotations

from pathlib import Path

import pytest

from kingdom.mail.reading import dry_run
from kingdom.mail.records import Headers
from tests.kit import postkit
from tests.kit.postkit import Post, links, text_of

ORDERS = "claim: 0102\ntaxation: heavy\n"
FILE = "File these orders"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return postkit.campaign(tmp_path_factory.mktemp("try") / "campaign")


@pytest.fixture
def post(made: Path, tmp_path: Path) -> Post:
    return postkit.fresh(made, tmp_path / "campaign")


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("try", ORDERS),
        ("Try!", ORDERS),
        ("", f"try\n{ORDERS}"),
        ("", f"Hello,\n\nTry this:\n\n{ORDERS}"),
        ("try", f"```\n{ORDERS}```\n"),
    ],
)
def test_it_files_nothing_and_says_sheet_cost_and_odds(post: Post, subject: str, text: str) -> None:
    assert post.mail("examplia", text, subject).outcome == "accepted"
    answer = text_of(post.answer())
    assert post.filed() is None and "Receipt" not in answer
    assert post.answer()["Subject"] == "[The two fords] Tried for turn 3, not filed"
    assert "Tried for turn 3: this mail files nothing. Nothing is filed for turn 3." in " ".join(answer.split())
    assert "claim: 0102" in answer and "Cost: " in answer and "WHAT THEY MAKE OF YOUR SHEET" in answer
    assert "Checks succeed: Economy " in answer and "The odds: " in answer


def test_its_link_files_them(post: Post) -> None:
    post.mail("examplia", ORDERS, "try")
    assert post.press(links(post.answer())[FILE], "examplia").outcome == "accepted"
    assert post.filed() == {"claim": ["0102"], "edicts": {"taxation": "heavy"}}


def test_what_is_filed_stands_and_the_answer_says_so(post: Post) -> None:
    post.mail("examplia", "taxation: light\n")
    before = post.filed()
    post.mail("examplia", f"try\n{ORDERS}")
    answer = " ".join(text_of(post.answer()).split())
    assert post.filed() == before and "What was filed for turn 3 before stands: receipt" in answer
    assert "No longer ordered" not in answer


def test_tried_with_amend_it_is_the_whole_that_is_tried(post: Post) -> None:
    post.mail("examplia", "taxation: light\n")
    post.mail("examplia", "try\namend: true\nclaim: 0102\n")
    answer = text_of(post.answer())
    assert "taxation: light" in answer and "claim: 0102" in answer


def test_two_sets_can_be_compared(post: Post) -> None:
    said = []
    for level in ("light", "overwhelming"):
        post.mail("examplia", f"taxation: {level}\n", "try")
        said.append(text_of(post.answer()).partition("Checks succeed: ")[2].partition(".")[0])
    assert said[0] != said[1] and all("Loyalty " in each for each in said)


def test_what_in_them_hangs_on_a_die_is_said(post: Post) -> None:
    """To who tries them; who files them is told of dangers alone."""
    post.mail("examplia", "aid: economy to borderia\n", "try")
    assert "The aid to Borderia arrives at " in text_of(post.answer())
    post.mail("examplia", "aid: economy to borderia\n")
    assert "arrives at" not in text_of(post.answer())


def test_orders_that_are_filed_are_told_what_danger_they_leave_and_nothing_else_of_the_odds_ahead(post: Post) -> None:
    """In the same words as by `try`; where none is likely, nothing."""
    post.mail("examplia", "taxation: heavy\n", "try")
    said = "Within 4 turns, if nothing more is ordered: hex loss 6 %."
    assert said in text_of(post.answer())
    post.mail("examplia", "taxation: heavy\n")
    assert said in text_of(post.answer()) and "Checks succeed" not in text_of(post.answer())
    post.mail("examplia", "promotion: aggressive\n")
    assert "Within 4 turns" not in text_of(post.answer())
    post.mail("examplia", "taxation: heavy\nfinal: true\n")
    post.mail("examplia", "final: true\namend: true\n")
    assert "Within 4 turns" not in text_of(post.answer())


def test_what_would_be_refused_is_said(post: Post) -> None:
    post.mail("examplia", "claim: 0599\n", "try")
    answer = text_of(post.answer())
    assert "WOULD BE REFUSED" in answer and "Tried, but 1 of 1 orders would be refused" in answer


def test_orders_with_a_problem_are_refused_as_ever(post: Post) -> None:
    assert post.mail("examplia", "try\ntaxation: huge\n").outcome == "refused"
    assert "NOT filed" in post.answer()["Subject"] and post.filed() is None


def test_lines_without_the_word_of_an_order_are_named_and_proposed_to_be_tried(post: Post) -> None:
    """`farm 0612` below `claim 0612`: nothing is filed, nothing is left out of what is proposed, and the GM gets no letter."""
    fate = post.mail("examplia", "Try\nclaim 0102\nroad 0102\nhouse in Oakhold\ntaxation: light\n\nThanks!\nAda\n")
    assert fate.code == "no_key" and post.filed() is None
    (answer,) = post.new()
    said = " ".join(text_of(answer).split())
    assert "Not understood: `road 0102` and `house in Oakhold`." in said
    assert "Write `improve: road 0102` and `build: house in Oakhold`." in said
    orders = "claim: 0102\nimprove: road 0102\nbuild: house in Oakhold\ntaxation: light\n"
    assert f"\ntry\n{orders}" in text_of(answer)
    assert post.press(links(answer)["Try them as orders"], "examplia").code == "try"
    assert "Cost: " in text_of(post.answer()) and post.filed() is None


def test_such_a_line_below_orders_with_colons_is_corrected(post: Post) -> None:
    post.mail("examplia", "try\nclaim: 0102\nroad 0102\n")
    assert "Write it as `improve: road 0102`." in text_of(post.answer())
    assert "\ntry\nclaim: 0102\nimprove: road 0102\n" in text_of(post.answer())


@pytest.mark.parametrize("line", ["more of everything", "0103", "Oakhold", "That is how we win."])
def test_what_no_one_order_takes_is_never_made_one(post: Post, line: str) -> None:
    post.mail("examplia", f"claim 0102\n{line}\n")
    assert "\n\nclaim: 0102\n\n" in text_of(post.answer()) and post.filed() is None


def test_words_beside_them_reach_the_gm(post: Post) -> None:
    post.mail("examplia", f"try\n{ORDERS}\nGwen, would you allow a canal there?\n")
    assert any("would you allow a canal" in text_of(mail) for mail in post.new() if mail["To"] == "gm@example.org")


def test_a_rival_gets_no_word_of_it(post: Post) -> None:
    post.mail("examplia", "try\nmessages: {borderia: Shall we trade?}\n" + ORDERS)
    assert not [mail for mail in post.new() if mail["To"] == "bo@example.org"]


@pytest.mark.parametrize("text", ["claim: 0102\ntry\n", "> try\nclaim: 0102\n", "try harder\nclaim: 0102\n"])
def test_only_a_line_of_its_own_above_the_orders_counts(text: str) -> None:
    assert not dry_run.taken_out(Headers(), [text], {"claim"})[2]
