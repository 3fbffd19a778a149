"""A report that comes back whole: its own lines are nobody's; what its reader changed in the order form counts."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from kingdom.mail.outgoing import posting
from tests.kit import postkit
from tests.kit.postkit import Post, links, text_of

INTRO = "On Wed, 16 Dec 2026 at 12:00, The two fords <orders@example.org> wrote:\n"
CLAIM = {"claim": ["0102"]}


class Sent(NamedTuple):
    """The mail with a report, and its text with a claim in its form."""

    post: Post
    head: dict[str, str]
    subject: str
    text: str
    filled: str


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign whose newest reports went out."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        folder = postkit.campaign(tmp_path_factory.mktemp("mail") / "campaign")
        post = Post(folder)
        post.queue(posting.reports(post.campaign, post.journal, post.now))
    return folder


@pytest.fixture
def sent(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sent:
    """Its report to the first player."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    post = postkit.fresh(made, tmp_path / "campaign")
    (id,) = [id for id in post.journal.mails if id.startswith("report-0002-examplia")]
    mail = post.letter(id)
    text = text_of(mail)
    filled = text.replace("\n#claim: ", "\nclaim: ", 1)
    assert filled != text
    return Sent(post, {"In-Reply-To": mail["Message-ID"]}, f"Re: {mail['Subject']}", text, filled)


def marked(text: str) -> str:
    """A text as a program quotes it."""
    return INTRO + "".join(f"> {line}\n" for line in text.splitlines())


def from_form(text: str) -> str:
    """The report from the heading of its order form on."""
    return text[text.index("ORDER FORM FOR TURN") :]


def cut(text: str) -> str:
    """The same without what stands below the form."""
    return from_form(text).partition("To order, reply")[0]


BODIES: dict[str, tuple[Callable[[Sent], str], dict[str, Any] | None]] = {
    "whole": (lambda sent: sent.filled, CLAIM),
    "whole, below a note": (lambda sent: f"Filled in below.\n\n{sent.filled}", CLAIM),
    "from a heading on": (lambda sent: sent.filled[sent.filled.index("What happened") :], CLAIM),
    "from the form's heading on": (lambda sent: from_form(sent.filled), CLAIM),
    "the form alone": (lambda sent: cut(sent.filled), CLAIM),
    "orders above it": (lambda sent: f"taxation: light\n\n{sent.text}", {"edicts": {"taxation": "light"}}),
    "a proposal of ours above it": (lambda sent: f"claim: 0102\n\n{sent.text}", CLAIM),
}


@pytest.mark.parametrize("is_reply", [True, False], ids=["reply", "new mail"])
@pytest.mark.parametrize("name", BODIES)
def test_what_was_changed_in_the_form_is_filed_and_nothing_else(name: str, is_reply: bool, sent: Sent) -> None:
    body, filed = BODIES[name]
    head, subject = (sent.head, sent.subject) if is_reply else ({}, "")
    assert sent.post.mail("examplia", body(sent), subject, **head).outcome == "accepted"
    assert sent.post.filed() == filed
    letters = [text_of(mail) for mail in sent.post.new() if mail["To"] == "gm@example.org"]
    assert not any("What happened" in text or "claim" in text for text in letters)


@pytest.mark.parametrize("above", ["", "Filled in below.\n\n"], ids=["alone", "note"])
def test_what_was_changed_in_a_quote_is_offered_with_one_tap(above: str, sent: Sent) -> None:
    sent.post.mail("examplia", above + marked(sent.filled), sent.subject, **sent.head)
    assert sent.post.filed() is None
    link = next(link for name, link in links(sent.post.answer()).items() if name.startswith("File the"))
    assert sent.post.press(link, "examplia").outcome == "accepted"
    assert sent.post.filed() == CLAIM


@pytest.mark.parametrize("quote", [str, marked], ids=["whole", "marked"])
def test_a_report_that_comes_back_as_it_was_bothers_nobody(quote: Callable[[str], str], sent: Sent) -> None:
    assert sent.post.mail("examplia", "Thanks!\n\n" + quote(sent.text), sent.subject, **sent.head).code == "courtesy"
    assert sent.post.new() == []


def test_a_question_above_it_goes_to_the_gm_alone(sent: Sent) -> None:
    sent.post.mail("examplia", f"What is a fort?\n\n{sent.text}", sent.subject, **sent.head)
    (letter,) = [text_of(mail) for mail in sent.post.new() if mail["To"] == "gm@example.org"]
    assert "What is a fort?" in letter and "What happened" not in letter


def test_a_letter_may_show_what_a_report_says(sent: Sent) -> None:
    sent.post.mail("examplia", f"Look at this:\n\n{sent.text}", "to borderia")
    (letter,) = [text_of(mail) for mail in sent.post.new() if mail["To"] == "bo@example.org"]
    assert "Look at this:" in letter and "What happened" in letter
