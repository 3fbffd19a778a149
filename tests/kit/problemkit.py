"""Runs a file of the error catalogue: lays down its campaign, changes it, runs its command, and tells what was said.

The form of the files is in tests/problems/README.md.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from msgspec import structs

from kingdom.campaign import store
from kingdom.cli.main import main
from kingdom.engine import game as games
from tests.games.realm.kit import PLAINS, kingdoms_of, load_yaml, merged, text_of

FOLDER = Path(__file__).parents[1] / "problems"
STANDARD = {"kingdoms": {"examplia": {}, "borderia": {}}, "map": {"grid": PLAINS}}
QUIET = {"events": {"chance": {"normal": 0, "after_quiet_turn": 0}}}  # no dice that no file is about
KEYS = {
    "shows", "map", "kingdoms", "rules", "turn", "orders", "files", "encoding", "first", "change", "sealed", "data", "command",
    "exit", "says", "refused", "token", "without", "game", "seats",
}  # fmt: skip


class Said(NamedTuple):
    """What a command came to: its exit code, what stood on standard error and on standard output."""

    exit: int
    errors: str
    out: str

    @property
    def refused(self) -> list[dict[str, str]]:
        """The refusals of `check --json` or `turn --json`; where two kingdoms filed, with the kingdom before the order."""
        found = json.loads(self.out)
        if "refusals" in found:
            return found["refusals"]
        each = [(seat, one) for seat, kingdom in found["kingdoms"].items() for one in kingdom["refused"]]
        return [{**one, "order": f"{seat} {one['order']}"} for seat, one in each]


def names() -> list[str]:
    """The codes that have a file."""
    return sorted(file.stem for file in FOLDER.glob("*.yaml"))


def read(code: str) -> dict[str, Any]:
    """The file of a code."""
    return load_yaml((FOLDER / f"{code}.yaml").read_text(encoding="utf-8"), f"{code}.yaml")


def kingdom(*words: str) -> Said:
    """Run one command in the current folder."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    errors = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        try:
            code = main(words)
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else 1
    return Said(code, *(stream.buffer.getvalue().decode() for stream in (errors, out)))  # type: ignore[attr-defined]


def reproduce(case: Mapping[str, Any], folder: Path, monkeypatch: pytest.MonkeyPatch) -> Said:
    """Make the case's campaign in the folder, and run its command there."""
    unknown = set(case) - KEYS
    assert not unknown, f"unknown keys {sorted(unknown)}; known are {sorted(KEYS)}"
    turn, first = case.get("turn", 1), case.get("first", [])
    first = ["turn ."] * turn if turn > 1 and not first else first
    prepare(folder, files_of(case), first, monkeypatch)
    monkeypatch.chdir(folder)
    for name, text in filed(case, turn).items():
        lay_down(folder, name, text)
    change(folder, case.get("change", {}))
    if case.get("sealed"):
        seal(folder)
    if "token" in case:
        monkeypatch.setattr("kingdom.campaign.settings.new_token", lambda: case["token"])
    if "without" in case:
        monkeypatch.setitem(sys.modules, case["without"], None)
    if "data" in case:
        other_data(case["data"], folder, monkeypatch)
    said = kingdom(*shlex.split(case.get("command") or _command(case, turn)))
    inside = said.errors.replace(f"{folder}/", "").replace(str(folder), ".")  # a path that is printed whole
    return said._replace(errors=inside)


def _command(case: Mapping[str, Any], turn: int) -> str:
    """The command where a file names none: check of the orders of one, the turn of several."""
    orders = case.get("orders")
    if isinstance(orders, str):
        return "check orders.yaml --campaign . --json"
    if orders and len(orders) == 1:
        return f"check orders/{turn:04}/{next(iter(orders))}.yaml --campaign . --json"
    return "turn . --dry-run --json" if orders else "turn ."


def filed(case: Mapping[str, Any], turn: int) -> dict[str, Any]:
    """Path -> text of the orders."""
    orders = case.get("orders") or {}
    if isinstance(orders, str):
        return {"orders.yaml": orders.encode(case.get("encoding", "utf-8"))}
    heads = {seat: {"turn": turn} if seat == "gm" else {"kingdom": seat, "turn": turn} for seat in orders}
    return {f"orders/{turn:04}/{seat}.yaml": text_of({**heads[seat], **each}) for seat, each in orders.items()}


def files_of(case: Mapping[str, Any]) -> dict[str, Any]:
    """Path -> content of the campaign's files before anything was done; None: not there.

    game, seats: the one that is played, where it is not the kingdom game, and by how many.
    """
    if "game" in case:
        new = games.load(case["game"]).opening.new(
            case.get("seats"),
            {"name": "A game", "seed": "public, this is a test", "tokens": (), "bots": 0, "size": None},
        )
        rules = text_of({"rules": case["rules"]}) if "rules" in case else ""
        return {**new, "campaign.yaml": new["campaign.yaml"] + "public_seed: true\n" + rules, **case.get("files", {})}
    world = merged(STANDARD, {key: case[key] for key in ("kingdoms", "map") if key in case})
    kingdoms = kingdoms_of(world["kingdoms"])
    players: dict[str, Any] = {seat: {} for seat in kingdoms}
    campaign = {
        "name": "The Greenmarch",
        "game": "realm",
        "seed": "public, this is a test",
        "public_seed": True,
        "players": players,
        "edition": 2,
    }
    campaign["rules"] = merged(QUIET, case.get("rules", {}))
    files = {"campaign.yaml": text_of(campaign), "map.yaml": text_of(world["map"])}
    files |= {f"kingdoms/{seat}.yaml": text_of(each) for seat, each in kingdoms.items()}
    return {**files, **case.get("files", {})}


# --- the folder

_prepared: dict[str, Path] = {}


def prepare(folder: Path, files: Mapping[str, Any], first: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The files, and what the first commands make of them; each such campaign is made once."""
    key = json.dumps([files, first])
    if key not in _prepared:
        made = Path(tempfile.mkdtemp(dir=os.environ["KINGDOM_CACHE"])) / "campaign"  # it outlives the test
        for name, content in files.items():
            lay_down(made, name, content)
        monkeypatch.chdir(made)
        for command in first:
            said = kingdom(*shlex.split(command))
            assert said.exit == 0, f"{command}: {said.errors}"
        _prepared[key] = made
    shutil.copytree(_prepared[key], folder, dirs_exist_ok=True)
    for place in folder.rglob("mail/place"):  # as if it had been made here, and were no copy
        place.write_text(place.read_text().replace(str(_prepared[key].resolve()), str(folder.resolve())))


def lay_down(folder: Path, name: str, content: Any) -> None:
    """Write a file: a text, bytes, or a text that is long: {start, repeat, times}."""
    if content is None:
        return
    if isinstance(content, dict):
        content = content.get("start", "") + content["repeat"] * content["times"]
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content if isinstance(content, bytes) else content.encode())


def change(folder: Path, changes: Mapping[str, Any]) -> None:
    """Change files: a text is the whole new one, {old: new} replaces a part, null takes a file or folder away."""
    for name, content in changes.items():
        file = folder / name
        if content is None:
            shutil.rmtree(file) if file.is_dir() else file.unlink()
        elif isinstance(content, dict):
            text = file.read_text(encoding="utf-8")
            for old, new in content.items():
                assert old in text, f"{name} has no {old}:\n{text}"
                text = text.replace(old, new, 1)
            lay_down(folder, name, text)
        else:
            lay_down(folder, name, content)


def seal(folder: Path) -> None:
    """Compute every digest of the kept turns anew, as a forger would."""
    previous = ""
    for number in store.numbers(folder / "turns"):
        place = folder / f"turns/{number:04}"
        record = store.decode_record((place / "turn.json").read_bytes(), place / "turn.json")
        files = {name: store.digest_of((place / name).read_bytes()) for name in store.names_in(place)}
        data = store.sealed(msgspec.structs.replace(record, files=files, previous=previous))
        (place / "turn.json").write_bytes(data)
        previous = store.digest_of(data)


def other_data(changes: Mapping[str, Any], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the game have other tables than its own: `data` beside the campaign, with these changes."""
    from kingdom.games.realm import game as realm

    place = Path(os.path.relpath(folder / "data"))
    shutil.copytree(realm.GAME.data, place)
    change(place, changes)
    monkeypatch.setattr(realm, "GAME", structs.replace(realm.GAME, data=place))
