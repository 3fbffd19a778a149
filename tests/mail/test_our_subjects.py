"""What of a reply's subject is ours, and what a player wrote."""

from __future__ import annotations

import re

import pytest

from kingdom.mail.reading.our_subjects import as_reply, beside
from tests.kit import onemail
from tests.kit.onemail import Mail, Table

FIGURES, PLAIN = "12: 13 BP, Unrest 3, anarchy 57 %", "Report of turn 12"


@pytest.mark.parametrize(
    ("subject", "ours", "hers"),
    [
        (FIGURES, FIGURES, ""),
        (f"{FIGURES} - when is the deadline?", FIGURES, "when is the deadline?"),
        (f"{FIGURES}: 13 BP is too little", FIGURES, "13 BP is too little"),
        ("12: 13 BP is too little", FIGURES, "13 BP is too little"),
        ("12: 13 BP, Unrest 3 (why?)", FIGURES, "why?"),
        ("12: -2 BP, Unrest 9, debt 20 % - why?", FIGURES, "why?"),  # figures changed since, and the danger
        ("12, corrected: 9 BP, Unrest 4, anarchy 60 % - why?", FIGURES, "why?"),
        ("12: 13BP, Unrest 3, anarchy 57% - why?", FIGURES, "why?"),  # a program took the spaces
        ("12: 13 BP, Unr", FIGURES, ""),  # a program cut it
        ("12: 13 BP, Unr… why?", FIGURES, "why?"),
        ("why? (was: 12: 13 BP, Unrest 3, anarchy 57 %)", FIGURES, "why?"),
        ("12: claim 0404", FIGURES, "claim 0404"),
        ("12: 13 BP, Unrest 3, debt 9 % - why?", "12: 13 BP, Unrest 3", "why?"),
        (f"{PLAIN} - 13 BP is too little", FIGURES, "13 BP is too little"),
        (f"{PLAIN} why?", PLAIN, "why?"),
        (f"Corrected r{PLAIN[1:]}: thanks", PLAIN, "thanks"),
        (f"{PLAIN} - why?", "", "why?"),  # our mail is gone
        (FIGURES, "", ""),
        ("Filed for turn 12 - brewery instead", "Filed for turn 12", "brewery instead"),
        ("When does turn 12: end?", FIGURES, None),
        ("13 BP is too little", FIGURES, None),
    ],
)
def test_words_beside_our_subject_are_told_from_it(subject: str, ours: str, hers: str | None) -> None:
    assert beside(subject, ours) == hers


@pytest.mark.parametrize("mark", ["", "Zitat: ", "Uudelleen (2): ", "Ŝanĝo : "])
def test_a_mark_of_any_language_makes_a_reply_of_an_answer_under_our_subject(mark: str) -> None:
    assert as_reply(f"{mark}[The Greenmarch] {FIGURES}", "[The Greenmarch]") == f"Re: [The Greenmarch] {FIGURES}"
    assert as_reply(f"{mark}[k7f3q] my orders", "[The Greenmarch]") == f"{mark}[k7f3q] my orders"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return Table(tmp_path_factory.mktemp("mail") / "campaign")


@pytest.mark.parametrize("said", ["0: 50 BP, Unrest 0", "0: 9 BP, Unrest 7, debt 40 %", "Report of turn 0"])
@pytest.mark.parametrize("mark", ["Re:", "AW: Re:", "Fwd:", "Tr :", "Uudelleen:", ""])
def test_the_gm_reads_what_stands_behind_it_and_no_figure_of_ours(table: Table, mark: str, said: str) -> None:
    subject = f"{mark} [Three Kingdoms] {said}"
    plain = table.take(Mail("ada", "claim: 0809\n", subject, answers="report"))
    assert plain.filed == {"claim": ["0809"]} and not plain.read_by("gm").strip('{} "')
    asked = table.take(Mail("ada", "claim: 0809\n", f"{subject} - is 13 BP enough?", answers="report"))
    assert asked.filed == {"claim": ["0809"]} and "writes to you: is 13 BP enough? Reply" in asked.read_by("gm")


def test_it_is_told_from_ours_where_a_program_names_no_mail_that_it_answers(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    composed = onemail.composed
    unthreaded = re.compile(rb"(?m)^(?:In-Reply-To|References):.*\n(?:[ \t].*\n)*")
    monkeypatch.setattr(onemail, "composed", lambda *given: unthreaded.sub(b"", composed(*given)))
    subject = "Re: [Three Kingdoms] 0: 50 BP, Unrest 0 - is 13 BP enough? [TOKEN]"
    became = table.take(Mail("ada", "claim: 0809\nturn: 1\n", subject, answers="report"))
    assert became.filed == {"claim": ["0809"]} and "writes to you: is 13 BP enough? Reply" in became.read_by("gm")


def test_a_letter_to_a_rival_behind_our_subject_does_not_go_to_the_gm(table: Table) -> None:
    became = table.take(Mail("ada", "", "Re: [Three Kingdoms] 0: 50 BP, Unrest 0 - to Ben: peace?", answers="report"))
    assert "peace" not in became.read_by("gm") + became.read_by("ben") and "`to orrenvale`" in became.answer
