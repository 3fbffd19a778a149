"""A change in words of what is filed is offered as the whole set that it would make; nothing is taken out unasked."""

from __future__ import annotations

import pytest

from tests.kit.onemail import Mail, Table, flat, text_of

FILED = "claim: 0809\nbuild: jail in Harrowbridge\ntaxation: normal\n"
LIBRARY = "claim: 0809 build: library in Harrowbridge taxation: normal"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return Table(tmp_path_factory.mktemp("changes") / "campaign")


@pytest.mark.parametrize(
    ("words", "whole"),
    [
        ("library not jail", LIBRARY),
        ("Instead of the jail, build a library. Keep everything else.", LIBRARY),
        ("build a library instead of the jail please", LIBRARY),
        ("I'd rather have a library than the jail", LIBRARY),
        ("in its place: build: library in Harrowbridge", LIBRARY),
        ("replace the jail with a park", LIBRARY.replace("library", "park")),
        ("0910 instead of 0809 please", "claim: 0910 build: jail in Harrowbridge taxation: normal"),
        ("Correction: for 0809 read 0910", "claim: 0910 build: jail in Harrowbridge taxation: normal"),
        ("no jail please", "claim: 0809 taxation: normal"),
        ("please add this, the rest stays\nimprove: road 0910", "improve: road 0910 build: jail in Harrowbridge"),
        ("build: library in Harrowbridge\nthe rest stays as it was", LIBRARY),
        ("also improve road 0910", "improve: road 0910 build: jail in Harrowbridge"),
    ],
)
def test_a_change_in_words_is_offered_as_the_whole_set(table: Table, words: str, whole: str) -> None:
    became = table.take(Mail("ada", FILED, answers="report"), Mail("ada", f"{words}\n", answers="receipt"))
    assert became.outcome == "refused" and became.orders["ada"] == became.start["ada"]
    assert whole in flat(became.answer)
    assert not any("writes to you" in text_of(mail) for mail in became.to("gm"))


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("library not jail and improve road 0909", "`improve road 0909`"),
        ("If Ben attacks, library not jail", "`If Ben attacks`"),
        ("library not jail in turn 2", "`turn 2`"),
        ("Next turn library not jail", "`Next turn`"),
        ("library not jail in Orrenmere", "`Orrenmere`"),
        ("library not jail. Ben pays for it.", "`Ben pays for it`"),
    ],
)
def test_what_of_a_change_is_not_in_the_offered_set_is_named(table: Table, words: str, left: str) -> None:
    became = table.take(Mail("ada", FILED, answers="report"), Mail("ada", f"{words}\n", answers="receipt"))
    assert LIBRARY in flat(became.answer) and f"Left out of these lines: {left}" in flat(became.answer)


def test_a_change_in_words_goes_to_no_rival(table: Table) -> None:
    mails = Mail("ada", FILED, answers="report"), Mail("ada", "to Ben\nlibrary not jail\n", answers="receipt")
    became = table.take(*mails)
    assert not became.to("ben") and LIBRARY in flat(became.answer)


@pytest.mark.parametrize("words", ["don't claim 0910", "I won't claim 0910 and never build a mill"])
def test_what_somebody_does_not_want_is_not_offered(table: Table, words: str) -> None:
    became = table.take(Mail("ada", FILED, answers="report"), Mail("ada", f"{words}\n", answers="receipt"))
    assert "claim: 0910" not in flat(became.answer) and became.to("gm")


@pytest.mark.parametrize("words", ["could I have a library instead of the jail?", "Was the jail not a library once?"])
def test_a_question_about_what_is_filed_goes_to_the_gm(table: Table, words: str) -> None:
    became = table.take(Mail("ada", FILED, answers="report"), Mail("ada", f"{words}\n", answers="receipt"))
    assert words in "".join(map(text_of, became.to("gm")))


@pytest.mark.parametrize(
    ("subject", "offered"),
    [("claim 0910, tax light [TOKEN]", "claim: 0910 taxation: light"), ("claim 0910 [TOKEN]", "claim: 0910")],
)
@pytest.mark.parametrize("body", ["", "hello\n"])
def test_orders_in_a_subject_are_offered(table: Table, subject: str, offered: str, body: str) -> None:
    became = table.take(Mail("ada", body, subject=subject))
    assert became.outcome == "refused" and offered in flat(became.answer)


@pytest.mark.parametrize("subject", ["orders turn 1", "orders round 1", "orders for turn 1", "my moves, turn 1"])
def test_a_subject_may_name_the_turn_alone(table: Table, subject: str) -> None:
    assert table.take(Mail("ada", "claim: 0910\n", subject=f"{subject} [TOKEN]")).filed == {"claim": ["0910"]}


def test_a_question_added_to_a_subject_goes_to_the_gm_with_thanks_below_it(table: Table) -> None:
    subject = "Re: [Three Kingdoms] Report of turn 0 - when is the deadline?"
    became = table.take(Mail("ada", "thanks\n", subject=subject, answers="report"))
    assert "when is the deadline?" in "".join(map(text_of, became.to("gm")))


def test_a_remark_above_a_form_filled_in_inside_the_quote_bothers_nobody(table: Table) -> None:
    form = "> kingdom: rookhallow\n> turn: 1\n> leadership: stability\n> claim: 0313\n> build: library in Rookham\n"
    became = table.take(Mail("cleo", f"I hope that's right\n\n{form}", answers="report", quote="none"))
    assert became.code == "only_quoted" and not any("hope" in text_of(mail) for mail in became.to("gm"))
    assert "leadership: stability claim: 0313 build: library in Rookham" in flat(became.answer)
