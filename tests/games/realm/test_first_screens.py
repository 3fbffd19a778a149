"""The first tier of reports of whole campaigns, held by rules: no harm is hidden, no fact stands twice, no key of the program stands
where nobody types it, no reason is cut, and it is as long as a minute."""

from __future__ import annotations

import json
import re
import secrets
import shutil
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from kingdom.cli.main import main
from tests.kit import archives
from tests.kit.browser import PROGRAM, Browser

PAGE_OF_A_PHONE = 800  # CSS pixels
LINES, SCREENS = 70, 3
# what stands between backticks or quotes is typed
OF_EACH = ("If you do not reply: ", "Odds of turn ", "You can say: ")  # they belong to each question
TYPED = re.compile(r'`[^`]*`|"[^"]*"')
CODE = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b|\b[a-z_]+-\d+\b|\bNone\b|\b0 -> 0\b|\(ruling|\(table|\.\.\.|…")


class Report(NamedTuple):
    """The first tier of a seat's report as one line, with the number of its lines, and the kingdom before and after the turn."""

    file: Path
    text: str
    lines: int
    before: dict[str, Any]
    after: dict[str, Any]


def campaign(folder: Path, turns: int, silent: int) -> Path:
    """A new campaign that bots play for so many turns, and nobody for some more."""
    assert main(["new", str(folder), "--kingdoms", "6", "--bots", "6"]) == 0
    settings = folder / "campaign.yaml"
    settings.write_text(f"{settings.read_text('utf-8')}\nsteward_after: 0\nmissing_limit: 1\n", "utf-8")
    assert main(["turn", str(folder), "--turns", str(turns), "--yes"]) == 0
    settings.write_text(re.sub(r", bot: \w+", "", settings.read_text("utf-8")), "utf-8")
    assert main(["turn", str(folder), "--turns", str(silent), "--yes"]) == 0
    return folder


def again(folder: Path, name: str) -> Path:
    """An example played again by edition 2 of the rules, from its orders."""
    copy = shutil.copytree(archives.example(name), folder, ignore=shutil.ignore_patterns("turns"))
    settings = copy / "campaign.yaml"
    ours = settings.read_text("utf-8")
    settings.write_text(ours if "\nedition: 2" in ours else f"{ours}\nedition: 2\n", "utf-8")
    for _ in list((copy / "orders").iterdir()):
        assert main(["turn", "--yes", str(copy)]) == 0
    return copy


def reports(folder: Path) -> Iterator[Report]:
    states = {int(file.parent.name): json.loads(file.read_bytes()) for file in folder.glob("turns/*/state.json")}
    for file in sorted(folder.glob("turns/*/reports/*.txt")):
        turn, seat = int(file.parts[-3]), file.stem
        if turn and seat in states[turn - 1]["kingdoms"]:
            first = file.read_text("utf-8").split("=== EVERYTHING")[0].rstrip()
            kingdoms = (states[at]["kingdoms"][seat] for at in (turn - 1, turn))
            yield Report(file, " ".join(first.split()), len(first.splitlines()), *kingdoms)


def amiss(report: Report) -> Iterator[str]:
    """What breaks a rule."""
    yield from (f"hides {what}" for what in _hidden(report))
    yield from (f"says {found[0]}" for found in CODE.finditer(TYPED.sub("", report.text)))
    ours = report.text.partition(" Letters ")[0]
    sentences = [each for each in re.split(r"(?<=[.!?]) (?=[A-Z-])| [!-] ", ours) if len(each.split()) > 4]
    yield from {
        f"says twice: {each}" for each in sentences if sentences.count(each) > 1 and not each.startswith(OF_EACH)
    }
    if report.lines > LINES and "Letters" not in report.text:
        yield f"has {report.lines} lines"


def _hidden(report: Report) -> Iterator[str]:
    """Each thing that the kingdom lost and the first tier does not name."""
    before, after, text = report.before, report.after, report.text
    size = len(after.get("hexes", {})) - len(before.get("hexes", {}))
    held = after.get("hexes", {})
    lost = sorted(before.get("hexes", {}).keys() - after.get("hexes", {}).keys())
    lost = [] if len(lost) > 6 and f"{len(lost)} hexes" in text else lost
    towns = before.get("settlements", {}).keys() - after.get("settlements", {}).keys()
    armies = before.get("armies", {}).keys() - after.get("armies", {}).keys()
    yield from (f"the loss of {name}" for name in (*lost, *towns, *armies) if name not in text)
    yield from [f"Size {size:+d}"] if size < 0 and f"Size {len(held)} ({size:+d})" not in text else []
    treasury, unrest = after.get("treasury", 0), after.get("unrest", 0)
    yield from [f"BP {treasury}"] if treasury < 0 and f"BP {treasury}" not in text else []
    by = unrest - before.get("unrest", 0)
    yield from [f"Unrest {by:+d}"] if by >= 2 and f"Unrest {unrest} ({by:+d})" not in text else []
    for name, town in before.get("settlements", {}).items():
        now = after.get("settlements", {}).get(name)
        kinds = [building["id"] for building in town.get("buildings", ())]
        left = [building["id"] for building in now.get("buildings", ())] if now else kinds
        gone = {kind.replace("_", " ") for kind in kinds if kinds.count(kind) > left.count(kind)}
        yield from (f"the loss of the {kind} in {name}" for kind in gone if kind not in text.lower())


def _short(folder: Path) -> dict[str, list[str]]:
    found = {str(report.file.relative_to(folder)): list(amiss(report)) for report in reports(folder)}
    assert found
    return {file: what for file, what in found.items() if what}


def test_the_first_screens_of_a_few_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the same campaign every time; the long run plays another one each time."""
    monkeypatch.setattr(secrets, "token_hex", lambda octets: sha256(b"first screens").hexdigest()[: 2 * octets])
    assert _short(campaign(tmp_path / "c", 2, 3)) == {}


@pytest.mark.long
@pytest.mark.parametrize("name", ["greenmarch", "war-of-the-ford"])
def test_the_first_screens_of_the_examples(tmp_path: Path, name: str) -> None:
    """Whose kingdoms lose towns, armies and land."""
    assert _short(again(tmp_path / name, name)) == {}


@pytest.mark.long
@pytest.mark.package("chromium", PROGRAM)
def test_the_first_screens_of_thirty_turns_that_are_played_and_of_those_that_nobody_plays(
    browser: Browser, tmp_path: Path
) -> None:
    """And each is at most three screens of a phone high, but for what people wrote."""
    folder = campaign(tmp_path / "c", 30, 12)
    assert _short(folder) == {}
    high = {}
    for report in reports(folder):
        if "Letters" not in report.text and int(report.file.parts[-3]) % 3 == 0:
            browser.show(report.file.with_suffix(".html"), 360)
            high[report.file] = browser.ask(
                "document.querySelector('.everything').getBoundingClientRect().top + scrollY"
            )
    assert {str(file): top for file, top in high.items() if top > SCREENS * PAGE_OF_A_PHONE} == {}
