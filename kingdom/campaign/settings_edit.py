"""Changing a player's entry in campaign.yaml and nothing else: comments, order and spaces stay byte for byte.

The places of the YAML nodes show what to change. The new text is read again, and is used only if it says what was meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import replace
from yaml import CBaseLoader, MappingNode, ScalarNode, YAMLError, compose  # type: ignore[import-untyped]

from kingdom.campaign import settings
from kingdom.campaign.settings import Player, Settings
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.problems import Faults
from kingdom.engine.regex import regex
from kingdom.orders.yaml_out import flow

_BREAK = regex("\r\n|[\r\n\x85\u2028\u2029]")
Node: TypeAlias = Any  # PyYAML has no types: a node with the marks where its text begins and ends


class _Change(NamedTuple):
    """A text that replaces the characters from start to end."""

    start: int
    end: int
    text: str


class _Cannot(Exception):
    """The entry is written in a form that this module can't change."""


def with_player(data: bytes, seat: str, player: Player) -> bytes | None:
    """Return campaign.yaml with this entry for a seat that it names; None if that can't be done without touching more."""
    try:
        text, root = _read(data)
        entry = _value(_value(root, "players"), seat)
        if not isinstance(entry, MappingNode):
            return None
        values = values_of(player)
        changes = _in_brackets(entry, values) if entry.flow_style else _in_lines(text, entry, values)
        return _changed(data, changes, lambda old: replace(old, players={**old.players, seat: player}))
    except _Cannot:
        return None


def with_seed(data: bytes, seed: str, old: Mapping[int, str]) -> bytes | None:
    """Return campaign.yaml with another seed and the list of old seeds; None if that can't be done without touching more."""
    said = "{" + ", ".join(f"{turn}: {flow(seed)}" for turn, seed in old.items()) + "}"
    try:
        text, root = _read(data)
        changes = [_new(_value(root, "seed"), flow(seed))]
        if any(key.value == "old_seeds" for key, _ in root.value):
            changes.append(_new(_value(root, "old_seeds"), said))
        else:
            at = _at(next(key for key, _ in root.value if key.value == "seed"))
            changes.append(_Change(at, at, f"old_seeds: {said}{', ' if root.flow_style else chr(10)}"))
        return _changed(data, changes, lambda was: replace(was, seed=seed, old_seeds=dict(old)))
    except _Cannot:
        return None


def values_of(player: Player) -> dict[str, Any]:
    """Return the keys and values of a player's entry, without those at their default."""
    given = msgspec.to_builtins(player)
    values = {key: list(value) if isinstance(value, (list, tuple)) else value for key, value in given.items() if value}
    if len(values.get("email", ())) == 1:
        values["email"] = values["email"][0]
    return values


def line_of(seat: str, player: Player) -> str:
    """Return the entry in one line, for the GM to type."""
    return f"{seat}: {flow(values_of(player))}"


def _read(data: bytes) -> tuple[str, Node]:
    """Return campaign.yaml as a text and as a node. Raises _Cannot if it can't be read."""
    text = data.decode("utf-8").removeprefix("\ufeff")
    try:
        return text, compose(text, CBaseLoader)
    except YAMLError:
        raise _Cannot from None


def _changed(data: bytes, changes: Iterable[_Change], meant: Callable[[Settings], Settings]) -> bytes | None:
    """Return campaign.yaml with these changes; None unless its settings are then the old ones as `meant` changes them."""
    text = data.decode("utf-8")
    mark = len(text) - len(text.removeprefix("\ufeff"))
    for change in sorted(changes, reverse=True):
        text = text[: mark + change.start] + change.text + text[mark + change.end :]
    changed = text.encode()
    try:
        new, old = settings.read_text(changed, settings.FILE)[0], settings.read_text(data, settings.FILE)[0]
    except Faults:
        return None
    return changed if new == meant(old) else None


def _at(node: Node) -> int:
    """Return the offset at which a node begins."""
    index: int = node.start_mark.index
    return index


def _end_of(node: Node) -> int:
    """Return the offset after a node: a text, or anything in brackets."""
    if node.style in ("|", ">") if isinstance(node, ScalarNode) else not node.flow_style:
        raise _Cannot
    index: int = node.end_mark.index
    return index


def _new(node: Node, text: str) -> _Change:
    """Return the change that puts a text in a node's place."""
    return _Change(_at(node), _end_of(node), text)


def _value(node: Node, name: str) -> Node:
    for key, value in node.value if isinstance(node, MappingNode) else ():
        if key.value == name:
            return value
    raise _Cannot


def _in_brackets(entry: Node, values: Mapping[str, object]) -> Iterable[_Change]:
    """Yield changes for an entry in brackets, `{name: Ada, email: ...}`: values in place, new keys before the closing bracket."""
    pairs: Sequence[tuple[Node, Node]] = entry.value
    yield from _replaced(pairs, values)
    for index, (key, value) in enumerate(pairs):
        if key.value in values:
            continue
        if index + 1 < len(pairs):  # with the comma behind it
            yield _Change(_at(key), _at(pairs[index + 1][0]), "")
        else:  # with the comma before it
            start = _end_of(pairs[index - 1][1]) if index else _at(key)
            yield _Change(start, _end_of(value), "")
    kept = [key.value for key, _ in pairs if key.value in values]
    if new := {key: value for key, value in values.items() if key not in kept}:
        end = _end_of(pairs[-1][1]) if pairs else _at(entry) + 1
        yield _Change(end, end, (", " if kept else "") + flow(new)[1:-1])


def _in_lines(text: str, entry: Node, values: Mapping[str, object]) -> Iterable[_Change]:
    """Yield changes for an entry with a key on each line: values in place, new keys before the first line."""
    pairs: Sequence[tuple[Node, Node]] = entry.value
    yield from _replaced(pairs, values)
    present = {key.value for key, _ in pairs}
    for key, value in pairs:
        if key.value not in values:
            end = _BREAK.search(text, _end_of(value))
            if end is None or key is pairs[0][0]:
                raise _Cannot
            yield _Change(_at(key) - key.start_mark.column, end.end(), "")
    first, ending = _at(pairs[0][0]), (_BREAK.search(text) or ["\n"])[0]
    indent = text[first - pairs[0][0].start_mark.column : first]
    if indent.strip():
        raise _Cannot
    new = [f"{key}: {flow(value)}{ending}{indent}" for key, value in values.items() if key not in present]
    if new:
        yield _Change(first, first, "".join(new))


def _replaced(pairs: Sequence[tuple[Node, Node]], values: Mapping[str, object]) -> Iterable[_Change]:
    return (_new(value, flow(values[key.value])) for key, value in pairs if key.value in values)
