"""The catalogue of what becomes of mail: each code has a file in tests/problems/mail/ that makes it and holds its exact text.

A file holds `mail`, a message as the cases of tests/mail/corpus/ describe it, or a list of them; `becomes`, what `kingdom mail fetch`
says of it; and where that matters `change`, `first`, as in tests/problems/README.md, `now` and `times`, how often it comes.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from datetime import datetime
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
import yaml

from kingdom.campaign import clock
from kingdom.mail.incoming import fate
from kingdom.mail.incoming.fate import REASONS
from kingdom.mail.reading import parts
from tests.kit import mailkit, problemkit
from tests.test_problems import INSIDE

FOLDER = problemkit.FOLDER / "mail"
SOURCE = Path(fate.__file__).parents[1]
KEYS = {"shows", "mail", "becomes", "change", "first", "now", "times", "breaks"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        return mailkit.campaign(tmp_path_factory.mktemp("mail") / "campaign")


def test_every_code_has_a_file_and_every_file_a_code() -> None:
    assert sorted(file.stem for file in FOLDER.glob("*.yaml")) == sorted(REASONS)


def test_every_code_is_used_in_the_source() -> None:
    texts = [path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")]
    assert [code for code in REASONS if sum(len(re.findall(rf'"{code}"', text)) for text in texts) < 2] == []


@pytest.mark.parametrize("code", sorted(REASONS))
def test_the_message_becomes_what_is_said(
    code: str, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = yaml.load((FOLDER / f"{code}.yaml").read_bytes(), yaml.CSafeLoader)
    assert set(case) <= KEYS and case["shows"].endswith(".")
    said = becomes(case, shutil.copytree(made, tmp_path / "campaign"), monkeypatch)
    assert said == case["becomes"]
    assert any(form(code).search(line) for line in said.splitlines())
    assert not INSIDE.search(said)


def becomes(case: dict[str, Any], folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the fetch says of the case's messages."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    now = case.get("now", mailkit.NOW)
    monkeypatch.setattr(clock, "now", lambda: now)
    if "breaks" in case:  # a fault of the program's own, which no mail is known to make
        monkeypatch.setattr(parts, "read", lambda data: 1 // 0)
    mailkit.send(folder)
    for command in case.get("first", []):
        assert problemkit.kingdom(*shlex.split(command)).exit == 0
    problemkit.change(folder, case.get("change", {}))
    there = case["mail"] if isinstance(case["mail"], list) else [case["mail"]] * case.get("times", 1)
    lines: list[str] = []
    for number, one in enumerate(there, 1):
        data = mailkit.message(one, number)
        if case.get("times"):
            data = data.replace(b"\r\n\r\n", f"\r\nX-Number: {number}\r\n\r\n".encode(), 1)
        file = folder / f"mail/inbox/{number:03}.eml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        at = (now if isinstance(now, datetime) else mailkit.NOW).timestamp()
        os.utime(file, (at, at))
        if isinstance(case["mail"], list):  # they come in this order, whatever their dates say
            lines += _fetched()
    lines = lines or _fetched()
    return "".join(f"{line}\n" for line in (lines if len(lines) < 5 else lines[-2:]))


def _fetched() -> list[str]:
    said = problemkit.kingdom("mail", "fetch", ".")
    assert (said.exit, said.errors) == (0, "")
    return said.out.splitlines()


def form(code: str) -> re.Pattern[str]:
    """What a sentence of that code looks like, whatever its facts."""
    found = [
        re.escape(text) + (".*" if name is not None else "") for text, name, _, _ in Formatter().parse(REASONS[code])
    ]
    return re.compile("".join(found), re.DOTALL)
