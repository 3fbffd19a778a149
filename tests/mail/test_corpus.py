"""Mail as real programs send it, and as nobody should: each case of tests/mail/ goes through the whole path."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from encodings.aliases import aliases
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from kingdom import mail
from kingdom.mail.incoming import taking
from kingdom.mail.incoming.outcome import REASONS
from kingdom.mail.reading import mime
from tests.kit import mailkit, onemail, people
from tests.kit.mailkit import Case, Outcome
from tests.test_problems import INSIDE

CASES = mailkit.cases()
OUTCOMES = ("filed", "accepted", "refused", "ignored", "duplicate")
KEYS = {
    *OUTCOMES, "shows", "eml", "raw", "head", "body", "bytes", "type", "charset", "named", "transfer", "disposition", "parts", "boundary", "closed",
    "ends", "kingdom", "turn", "problems", "says", "answered", "campaign", "files", "messages", "now", "by_hand", "number", "seat", "stands",
    "intro", "block", "below", "letter", "meant", "first", "times", "breaks", "becomes",
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign that all cases share; each begins with no mail and no orders in it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        return mailkit.campaign(tmp_path_factory.mktemp("mail") / "campaign")


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.long)], ids=["one form", "every form"])
@pytest.mark.parametrize("topic", sorted({case.topic for case in CASES}))
def test_a_message_becomes_what_it_should(topic: str, every: bool, folder: Path) -> None:
    """Every case of a file, in the short run in one of its forms; those that fail are told all at once, by their names."""
    wrong, cases = [], [case for case in CASES if case.topic == topic]
    for number, whole in enumerate(cases):
        case = whole if every else mailkit.in_one_form(whole, number)
        outcomes = mailkit.run(case, folder)
        for outcome, said in zip(outcomes, mailkit.messages(case), strict=True):
            found, right = told(outcome, said), wanted(said)
            if found != right:
                wrong.append(f"{case}:\n  is:     {found}\n  wanted: {right}\n  {outcome.taken.fate}")
        lines = taking.said(outcome.taken for outcome in outcomes)[-1 if "times" in case.said else 0 :]
        if "becomes" in case.said and case.said["becomes"].splitlines() != lines:
            wrong.append(f"{case}:\n  says:   {lines}\n  wanted: {case.said['becomes'].splitlines()}")
    assert not wrong, "\n".join(wrong)


def wanted(said: Mapping[str, Any]) -> dict[str, Any]:
    """What a case says must become of a message."""
    outcome = next(name for name in OUTCOMES if name in said)
    code = "" if outcome in ("filed", "duplicate") else said[outcome]
    silent = outcome in ("ignored", "duplicate")
    made: dict[str, Any] = {
        "outcome": "accepted" if outcome == "filed" else outcome,
        "code": "copy" if outcome == "duplicate" else code,
        "answer": said.get("answered", "no" if silent else "yes"),
        "stands": said["filed"] if outcome == "filed" else said.get("stands"),
    }
    if "problems" in said:
        made["problems"] = said["problems"]
    if "says" in said:
        made["says"] = said["says"]
    for name in ("seat", "letter"):
        if name in said:
            made[name] = said[name]
    return made


def told(outcome: Outcome, said: Mapping[str, Any]) -> dict[str, Any]:
    """What became of a message, of the same form; problems as `LINE:COLUMN code`."""
    fate = outcome.taken.fate
    kinds = {"answer": "yes", "warning": "warned"}
    made: dict[str, Any] = {
        "outcome": fate.outcome,
        "code": fate.code,
        "answer": kinds.get(outcome.letters[0]["kind"], outcome.letters[0]["kind"]) if outcome.letters else "no",
        "stands": outcome.filed,
    }
    if "problems" in said:
        made["problems"] = [f"{one.line}:{one.column} {one.code}" for one in fate.problems]
    if "says" in said:
        made["says"] = said["says"] if said["says"] in fate.reason else fate.reason
    if "seat" in said:
        made["seat"] = fate.seat
    if "letter" in said:
        made["letter"] = any(letter["kind"] == "message" for letter in outcome.letters)
    return made


def test_a_case_says_what_it_shows_and_nothing_that_is_not_read() -> None:
    for case in CASES:
        assert case.said["shows"].endswith("."), case
        for said in (case.said, *mailkit.messages(case)):
            assert set(said) <= KEYS, case
        for said in mailkit.messages(case):
            assert sum(name in said for name in OUTCOMES) == 1, case


# --- every code


def test_every_code_has_a_case_that_holds_its_exact_text() -> None:
    cases = {case.name: case.said for case in CASES if case.topic == "reasons"}
    assert sorted(cases) == sorted(REASONS)
    for code, said in cases.items():
        assert any(form(code).search(line) for line in said["becomes"].splitlines()), code
        assert not INSIDE.search(said["becomes"]), code


def form(code: str) -> re.Pattern[str]:
    """What a sentence of that code looks like, whatever its facts."""
    found = [
        re.escape(text) + (".*" if name is not None else "") for text, name, _, _ in Formatter().parse(REASONS[code])
    ]
    return re.compile("".join(found), re.DOTALL)


def test_every_code_is_used_in_the_source() -> None:
    texts = [path.read_text(encoding="utf-8") for path in Path(mail.__file__).parent.rglob("*.py")]
    assert [code for code in REASONS if sum(len(re.findall(rf'"{code}"', text)) for text in texts) < 2] == []


def test_the_corpus_is_as_large_as_it_is_meant_to_be() -> None:
    assert sum(len(mailkit.messages(case)) for case in CASES) >= 1000


def letters(charset: str) -> str:
    """Orders with some letters of that charset beyond those of English, "" where it is none that text is written in."""
    every = "ÄöéñøłščŐșğțİДжыїΩλשלعم東京城서울ไทย"
    text = ""
    for letter in every:
        try:
            text += letter if letter.encode(charset).decode(charset) == letter else ""
        except (UnicodeError, LookupError, TypeError, AttributeError, ValueError):
            continue
    try:
        made = f"settle: [{{hex: '0102', name: {text}a}}]"
        return made if made.encode(charset).decode(charset) == made else ""
    except (UnicodeError, LookupError, TypeError, AttributeError, ValueError):
        return ""


def test_every_charset_that_python_knows_is_read() -> None:
    texts = {name: letters(name) for name in sorted(set(aliases.values()) - mime.NO_CHARSETS)}
    known = {name: text for name, text in texts.items() if text}
    assert len(known) > 80
    assert {name: mime.text_of(text.encode(name), name) for name, text in known.items()} == known


@pytest.mark.long
def test_the_fiftieth_message_of_an_hour_is_the_last_that_is_read(folder: Path) -> None:
    light = {"body": "taxation: light\n", "filed": mailkit.LIGHT}
    many = [*[light] * 50, {"body": "claim: 0102\n", "refused": "too_often", "stands": mailkit.LIGHT}]
    case = Case("limits", "too_often", {"messages": [*many, {**many[-1], "answered": "no"}]})
    for outcome, said in zip(mailkit.run(case, folder), mailkit.messages(case), strict=True):
        assert told(outcome, said) == wanted(said)


# --- mails as people type them


NOT_YET: set[str] = set()  # what is not taken as a reasonable person expects


def test_what_people_type_is_taken_as_they_expect(tmp_path: Path) -> None:
    table = onemail.Table(tmp_path / "campaign")
    wrong = {str(case): said for case in people.cases() if (said := people.wrong_with(case, table))}
    assert {name: said for name, said in wrong.items() if name not in NOT_YET} == {}
    assert NOT_YET - wrong.keys() == set(), "these are right now: take them out"
