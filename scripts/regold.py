"""Rewrites golden campaigns after a deliberate change of the rules. Run it with `scripts/regold [CAMPAIGN...]`.

Each campaign's turns are played again from its orders, with the rules as they are today. What differs is printed,
beginning with the lines of the ledger: they are the consequences of the change, and what a review should read. Without a name all of
tests/golden are rewritten. Of a turn, a golden campaign keeps only the orders and what is compared (tests/campaign/test_golden.py);
another campaign, such as campaigns/greenmarch, is written whole, and an archive, such as campaigns/six-cities.tar.xz, is packed anew.
What a release wrote, tests/kept, is never touched.
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path

from hatch_build import pack

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import examples, keeping, next_turn, store, undone_turns
from kingdom.campaign.next_turn import TapeFile
from kingdom.engine.problems import Faults

ROOT = Path(__file__).resolve().parent.parent

COMPARED = ("ledger.csv", "dice.csv", store.RECORD, "state.json")  # of turn.json the notices alone
LEFT_OUT = ("reports", "rules.yaml")  # of a golden campaign, to save space


class NotRewritten(Exception):
    """The campaign can't be played, or what it holds must not be rewritten; the text says why, a line each."""


def main(words: list[str]) -> int:
    """Rewrite these campaigns; gives the exit code."""
    check = "--check" in words
    folders = [Path(word) for word in words if word != "--check"] or sorted(ROOT.glob("tests/golden/*/campaign.yaml"))
    failed = 0
    for folder in folders:
        folder = (folder if folder.is_dir() or folder.name.endswith(examples.PACKED) else folder.parent).resolve()
        try:
            print(*regold(folder, check), sep="\n")
        except NotRewritten as reasons:
            print(reasons, file=sys.stderr)
            failed = 1
    return failed


def regold(folder: Path, check: bool = False) -> list[str]:
    """Play the campaign again and replace its turns with what comes out; give what changed, a line each.

    Raises NotRewritten.
    """
    name = os.path.relpath(folder, ROOT) if folder.is_relative_to(ROOT) else str(folder)
    if "kept" in folder.parts and "tests" in folder.parts:
        raise NotRewritten(
            f"{name}: This is what a release wrote, to show that it can still be read; it is never rewritten."
        )
    if folder.name.endswith(examples.PACKED):
        with tempfile.TemporaryDirectory() as place:
            campaign = Path(place, folder.name.removesuffix(examples.PACKED))
            store.write(campaign, examples.unpacked(folder))
            lines = _regold(campaign, name, check, golden=False)
            if not check:
                pack(campaign, folder)
            return lines
    return _regold(folder, name, check, golden=folder.parent.name == "golden")


def _regold(folder: Path, name: str, check: bool, golden: bool) -> list[str]:
    """The same for a folder, which is called by that name. Raises NotRewritten."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "campaign"
        try:
            new = played(folder, copy, _last(folder, golden)) / "turns"
        except Faults as faults:
            raise NotRewritten(str(faults).replace(str(copy), name)) from None
        lines = [line for number in store.numbers(new) for line in changes(name, folder / "turns", new, number)]
        lines += [] if golden else _other_files(name, folder / "turns", new)
        if not check:
            _put_golden(folder / "turns", new) if golden else _put_whole(folder / "turns", new)
    return lines or [f"{name}: every turn comes out as it is kept."]


def _last(folder: Path, golden: bool) -> int:
    """The last turn to play: the last one kept, or in a golden campaign the last with orders, if that is later."""
    numbers = store.numbers(folder / "turns")
    if golden or not numbers:
        numbers += store.numbers(folder / "orders")
    return max(numbers, default=0)


def played(folder: Path, copy: Path, last: int) -> Path:
    """A copy of the campaign, played from its start to that turn; gives the copy. Raises Faults."""
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("turns", ".*"))
    campaign = campaigns.open_campaign(copy)
    keeping.keep(campaign, [next_turn.opening_draft(campaign, campaigns.rules_today(campaign))])
    for number in range(1, last + 1):
        kept = folder / "turns" / store.name_of(number)
        if not (copy / "orders" / kept.name).exists() and (kept / "orders").exists():
            shutil.copytree(kept / "orders", copy / "orders" / kept.name)
        keeping.keep(campaign, next_turn.drafts(campaign, _tape(kept, copy)))
    return copy


def _tape(kept: Path, copy: Path) -> TapeFile | None:
    """The GM's own dice of a turn, read from its dice. A turn that was taken back and not reopened has them from there."""
    if not (kept / "dice.csv").exists():
        return None
    before = undone_turns.latest(copy, int(kept.name))
    tape = campaigns.tape_of(campaigns.decode_rolls((kept / "dice.csv").read_bytes(), kept / "dice.csv"))
    if not tape or (before and not before.reopened):
        return None
    return TapeFile(f"{kept}/dice.csv", json.dumps(tape).encode())


# --- what changed --------------------------------------------------------------------------------------------------------


def changes(name: str, old: Path, new: Path, number: int) -> list[str]:
    """What differs in that turn: lines of the ledger, dice and notices that went (-) and came (+), and whether the state does."""
    was, now = old / store.name_of(number), new / store.name_of(number)
    if not was.exists():
        return [f"{name}, turn {number}: new"]
    lines = []
    for file in COMPARED:
        if file == "state.json":
            same = not (was / file).exists() or (was / file).read_bytes() == (now / file).read_bytes()
            lines += [] if same else [f"  {file}: it differs"]
        else:
            lines += [f"  {file}: {line}" for line in _differing(_said(was / file), _said(now / file))]
    return [f"{name}, turn {number}:", *lines] if lines else []


def _other_files(name: str, old: Path, new: Path) -> list[str]:
    """How many files without numbers of their own, such as reports, differ."""
    files = [file.relative_to(new) for file in sorted(new.rglob("*")) if file.is_file() and file.name not in COMPARED]
    other = [
        file for file in files if not (old / file).exists() or (old / file).read_bytes() != (new / file).read_bytes()
    ]
    return [f"{name}: {len(other)} other files are written anew, such as {other[0]}"] if other else []


def _said(file: Path) -> list[str]:
    """What a file of a turn says, a line each; without the numbers that only count the lines."""
    if not file.exists():
        return []
    if file.name == store.RECORD:
        return [json.dumps(notice, ensure_ascii=False) for notice in json.loads(file.read_bytes())["notices"]]
    rows = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    return [", ".join(value for key, value in row.items() if key not in ("turn", "seq")) for row in rows]


def _differing(old: list[str], new: list[str]) -> Iterator[str]:
    for _, start, end, begin, finish in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if old[start:end] != new[begin:finish]:
            yield from (f"- {line}" for line in old[start:end])
            yield from (f"+ {line}" for line in new[begin:finish])


# --- putting it in place -------------------------------------------------------------------------------------------------


def _put_golden(turns: Path, new: Path) -> None:
    """Rewrite the turns that came out differently, and drop from all of them what is not compared."""
    for number in store.numbers(new):
        was, now = turns / store.name_of(number), new / store.name_of(number)
        if changes("", turns, new, number) or _orders(was) != _orders(now):
            shutil.rmtree(was, ignore_errors=True)
            shutil.copytree(now, was)
        for name in LEFT_OUT:
            if (was / name).is_dir():
                shutil.rmtree(was / name)
            else:
                (was / name).unlink(missing_ok=True)


def _orders(turn: Path) -> dict[str, bytes]:
    """Everything that came in: the orders, and the files of the start."""
    return {
        file.relative_to(turn).as_posix(): file.read_bytes() for file in turn.rglob("*.yaml") if file.parent != turn
    }


def _put_whole(turns: Path, new: Path) -> None:
    """Replace the kept turns with these."""
    if turns.exists():
        shutil.rmtree(turns)
    shutil.copytree(new, turns)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ.setdefault("KINGDOM_CACHE", cache)
        sys.exit(main(sys.argv[1:]))
