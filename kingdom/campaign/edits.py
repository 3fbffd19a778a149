"""What was edited in the files of the start after turn 0. It counts for nothing; the GM is told, and what would do it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kingdom.campaign import store
from kingdom.campaign.errors import trouble
from kingdom.campaign.opening import KEPT
from kingdom.engine.game import AnyGame
from kingdom.engine.problems import Problem
from kingdom.orders import yaml_text
from kingdom.orders.yaml_text import LIST, MAP, Node


def edits(folder: Path, game: AnyGame, record: store.Record) -> list[Problem]:
    """Every edit since turn 0, whose record this is, with the GM's order that would do it, where one would."""
    kept = {name.removeprefix(KEPT): digest for name, digest in record.files.items() if name.startswith(KEPT)}
    found: list[Problem] = []
    for name, digest in kept.items():
        file = folder / name
        if not file.is_file():
            found.append(trouble("start_gone", file))
            continue
        data = store.read(file)
        if store.digest_of(data) != digest:
            found += _changes(name, file, data, store.read(folder / "turns" / store.name_of(0) / KEPT / name), game)
    return found + _new(folder, game, set(kept))


def _new(folder: Path, game: AnyGame, kept: set[str]) -> list[Problem]:
    """Files of kingdoms that came after turn 0."""
    there = [path for pattern in game.opening.files if "*" in pattern for path in sorted(folder.glob(pattern))]
    return [trouble("start_new", path) for path in there if path.relative_to(folder).as_posix() not in kept]


def _changes(name: str, file: Path, data: bytes, old: bytes, game: AnyGame) -> list[Problem]:
    node, problems = yaml_text.read(data, str(file), None)
    if node is None:
        return problems
    before, after = dict(_leaves(yaml_text.read(old, str(file), None)[0])), dict(_leaves(node))
    found = []
    for path in dict.fromkeys([*after, *before]):
        was, now = before.get(path, ""), after.get(path, "")
        if was != now:
            order = game.opening.edit(name, path, was, now) if game.opening.edit else ""
            cure = (
                f"This GM order would: {order}"
                if order
                else "No GM order does; `kingdom undo` takes turns back to a new start."
            )
            at = yaml_text.find(node, path)
            facts = {"what": path or "the text", "was": was or "nothing", "now": now or "nothing", "cure": cure}
            found.append(trouble("start_changed", file, at.line, at.column, path, **facts))
    return found


def _leaves(node: Node | None, path: str = "") -> Iterator[tuple[str, str]]:
    """(path, text) of every text in it."""
    if node is None:
        return
    if node.kind is MAP:
        for key, value in node.value:
            yield from _leaves(value, f"{path}.{key.value}" if path else key.value)
    elif node.kind is LIST:
        for index, item in enumerate(node.value):
            yield from _leaves(item, f"{path}[{index}]")
    else:
        yield path, node.value
