"""The catalogue of errors: each code of the source has a file in tests/problems/ that makes it and holds its exact text."""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
from pathlib import Path
from string import Formatter
from typing import Iterator, Mapping

import pytest

from kingdom import nextturn, overlay, problems, troubles
from kingdom.games.realm import GAME, startproblems
from tests import problemkit
from tests.problemkit import FOLDER, Said, lay_down, read, reproduce

SOURCE = Path(problems.__file__).parent
TABLES: tuple[Mapping[str, str], ...] = (problems.MESSAGES, troubles.MESSAGES, overlay.TABLE_MESSAGES, startproblems.MESSAGES)
REFUSALS: tuple[Mapping[str, str], ...] = (GAME.refusals, nextturn.REFUSALS)
SENTENCES = {code: sentence for table in (*TABLES, *REFUSALS) for code, sentence in table.items()}
REFUSED = {code: sentence for table in REFUSALS for code, sentence in table.items()}
# What a rule is called: a ruling, a step or phase, a table, a heading of the rules' text, or who decides.
RULE = re.compile(
    r"\((ruling [a-z_]+|Edict steps? \d|Event phase|table [a-z]+|Sending Aid|Special Edicts|Trade Route|GM orders|`messages: off`)"
)
# Words of the program's maker, which say nothing to a player.
INSIDE = re.compile(r"internal error|Traceback|<class|NoneType|\b(dict|tuple|str|int|bool|KeyError|ValueError|object at)\b|\bNone\b")
PLACE = re.compile(r"[^\s:]+:\d+:\d+: ")


# --- codes and files


def test_every_code_has_a_file_and_every_file_a_code() -> None:
    assert problemkit.names() == sorted(SENTENCES)


def test_no_code_stands_in_two_tables() -> None:
    assert sum(map(len, (*TABLES, *REFUSALS))) == len(SENTENCES)


def test_every_table_of_sentences_is_one_of_these() -> None:
    tables = re.compile(r"^([A-Z_]*(?:MESSAGES|REFUSALS))(?::[^=]*)? = \{", re.MULTILINE)
    found = {(path.stem, name) for path in SOURCE.rglob("*.py") for name in tables.findall(path.read_text(encoding="utf-8"))}
    core = {
        ("problems", "MESSAGES"), ("troubles", "MESSAGES"), ("overlay", "TABLE_MESSAGES"), ("startproblems", "MESSAGES"),
        ("nextturn", "REFUSALS"),
    }  # fmt: skip
    realm = {(stem, name) for stem, name in found - core if name == "REFUSALS"}
    assert found == core | realm
    for stem, _ in realm:
        module = __import__(f"kingdom.games.realm.{stem}", fromlist=["REFUSALS"])
        assert module.REFUSALS.items() <= GAME.refusals.items()


def test_every_code_is_used_in_the_source() -> None:
    texts = [path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")]
    unused = [code for code in SENTENCES if sum(len(re.findall(rf'"{code}"', text)) for text in texts) < 2]
    assert unused == ["no_messages"], "its code is said by name"


# --- each file


@pytest.mark.parametrize("code", problemkit.names())
def test_the_error_is_made_and_said_so(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = read(code)
    assert case["shows"].endswith(".")
    said = reproduce(case, tmp_path / "campaign", monkeypatch)
    assert matches(case.get("says", ""), said.errors), said.errors
    assert said.exit == case.get("exit", 1 if "says" in case else 0)
    if code in REFUSED:
        lines = [f"{each['order']}: {each['reason']}" for each in said.refused]
        assert lines == case["refused"].splitlines()
        assert code in {each["code"] for each in said.refused} <= set(SENTENCES)
        assert any(form(code).fullmatch(each["reason"]) for each in said.refused if each["code"] == code)
    else:
        assert any(form(code).fullmatch(PLACE.sub("", line, 1)) for line in said.errors.splitlines())
        assert codes_in(said, case) <= {*SENTENCES}


def matches(wanted: str, found: str) -> bool:
    """Whether the text is as wanted; a line `...` stands for any lines."""
    parts = [re.escape(part) for part in re.split(r"^\.\.\.\n", wanted, flags=re.MULTILINE)]
    return re.fullmatch(r"(?:.*\n)*".join(parts), found) is not None


def form(code: str) -> re.Pattern[str]:
    """What a message of that code looks like, whatever its facts."""
    parts = [re.escape(text) + (".*" if name is not None else "") for text, name, _, _ in Formatter().parse(SENTENCES[code])]
    return re.compile("".join(parts), re.DOTALL)


def codes_in(said: Said, case: Mapping[str, object]) -> set[str]:
    """The codes of `check --json`."""
    if not isinstance(case.get("orders"), str):
        return set()
    return {problem["code"] for problem in json.loads(said.out)["problems"]}


def test_check_as_json_says_what_stands_on_standard_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = reproduce(read("unknown_word"), tmp_path / "campaign", monkeypatch)
    found = json.loads(said.out)["problems"]
    assert [(each["path"], each["line"], each["column"], each["code"], each["hint"]) for each in found] == [
        ("kingdom", 1, 10, "unknown_word", "examplia"),
        ("edicts.taxation", 3, 20, "unknown_word", "heavy"),
        ("edicts.holiday", 3, 35, "unknown_word", ""),
    ]
    assert [each["message"] for each in found] == [PLACE.sub("", line) for line in said.errors.splitlines()]


def test_turn_as_json_names_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = {"orders": {"examplia": {"claim": ["0707"], "build": "inn in Oakhold"}, "borderia": {"capital": "Oakhold"}}}
    refused = [each["code"] for each in reproduce(case, tmp_path / "campaign", monkeypatch).refused]
    assert sorted(refused) == ["capital_unknown", "claim_not_adjacent", "lot_no_neighbour"]
    assert {f"{code}.yaml" for code in refused} <= {file.name for file in FOLDER.iterdir()}


# --- sentences


def said_in_files() -> Iterator[tuple[str, str]]:
    """(code, line) of all that the files say."""
    for code in problemkit.names():
        case = read(code)
        for line in f"{case.get('says', '')}{case.get('refused', '')}".splitlines():
            if line != "...":
                yield code, line


def test_messages_are_sentences_without_the_makers_words() -> None:
    for code, sentence in SENTENCES.items():
        assert sentence[0].isupper() or sentence[0] in "`{", code
        assert sentence.endswith((".", "{cure}", "{why}", "{sentence}")), code
        assert not INSIDE.search(sentence), code
    for code, line in said_in_files():
        assert line.endswith((".", "?", ")", "]")), (code, line)
        assert not INSIDE.search(line), (code, line)
        assert "{}" not in line and not re.search(r"\{[a-z_]*\}", line), (code, line)
        assert "  " not in line and ".." not in line.replace("...", ""), (code, line)


def test_a_refusal_names_its_rule_and_what_would_be_right() -> None:
    for code, sentence in REFUSED.items():
        rule = RULE.search(sentence)
        assert rule, f"{code} names no rule"
        rest = sentence[rule.end() :].partition(")")[2] if "(" in sentence else sentence
        assert len(rest.split()) > 2, f"{code} says no cure: {sentence}"


def test_a_ruling_that_a_refusal_names_is_one() -> None:
    named = {name for sentence in REFUSED.values() for name in re.findall(r"ruling ([a-z_]+)", sentence)}
    tables = {name for sentence in REFUSED.values() for name in re.findall(r"table ([a-z_]+)", sentence)}
    assert named | tables <= set(GAME.Rules.__struct_fields__)
