"""Changing a player's entry in campaign.yaml and nothing else: comments, order and spaces stay byte for byte.

The places of the YAML nodes show what to change. The new text is read again, and is used only if it says what was meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from kingdom.campaign import settings
from kingdom.campaign.settings import Player, Settings
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.problems import Faults
from kingdom.engine.regex import regex
from kingdom.orders import yaml_text
from kingdom.orders.yaml_out import flow
from kingdom.orders.yaml_text import MAP, TEXT, Node

_BREAK = regex("\r\n|[\r\n\x85\u2028\u2029]")
_PLAIN_END = regex(r"\s+#|\s*[,\]}]|\s*(?:\r\n|[\r\n\x85\u2028\u2029]|\Z)")

_LINE_END = regex(r"\s+#|\s*(?:\r\n|[\r\n\x85\u2028\u2029]|\Z)")


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
        if entry.kind is not MAP:
            return None
        changes = (_in_brackets if text.text[text.at(entry)] == "{" else _in_lines)(text, entry, values_of(player))
        return _changed(data, changes, lambda old: replace(old, players={**old.players, seat: player}))
    except _Cannot:
        return None


def with_seed(data: bytes, seed: str, old: Mapping[int, str]) -> bytes | None:
    """Return campaign.yaml with another seed and the list of old seeds; None if that can't be done without touching more."""
    said = "{" + ", ".join(f"{turn}: {flow(seed)}" for turn, seed in old.items()) + "}"
    try:
        text, root = _read(data)
        value = _value(root, "seed")
        in_brackets = text.text.lstrip()[:1] == "{"
        changes = [_Change(text.at(value), text.end_of(value, in_brackets), flow(seed))]
        if any(key.value == "old_seeds" for key, _ in root.value):
            before = _value(root, "old_seeds")
            changes.append(_Change(text.at(before), text.end_of(before), said))
        else:
            at = text.at(next(key for key, _ in root.value if key.value == "seed"))
            changes.append(_Change(at, at, f"old_seeds: {said}{', ' if in_brackets else chr(10)}"))
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


def _read(data: bytes) -> tuple[_Text, Node]:
    """Return campaign.yaml as a text and as a node. Raises _Cannot if it can't be read."""
    text = data.decode("utf-8").removeprefix("\ufeff")
    root, problems = yaml_text.read(text.encode(), settings.FILE)
    if root is None or problems:
        raise _Cannot
    return _Text(text), root


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


class _Text:
    """A text with the offsets of its lines."""

    def __init__(self, text: str):
        self.text = text
        self.starts = [0, *(match.end() for match in _BREAK.finditer(text))]

    def at(self, node: Node) -> int:
        """Return the offset at which a node begins."""
        return self.starts[node.line - 1] + node.column - 1

    def end_of(self, node: Node, in_brackets: bool = True) -> int:
        """Return the offset after a node: a text, or anything in brackets. in_brackets: a text also ends at a comma or bracket."""
        start = self.at(node)
        first = self.text[start : start + 1]
        if first and first in "{[":
            return self._closed(start)
        if first and first in "\"'":
            return self._unquoted(start)
        if node.kind is not TEXT or first in ("|", ">"):
            raise _Cannot
        if not node.value:
            return start
        end = (_PLAIN_END if in_brackets else _LINE_END).search(self.text, start)
        return end.start() if end else len(self.text)

    def _unquoted(self, start: int) -> int:
        quote, at = self.text[start], start + 1
        while at < len(self.text):
            if self.text[at] == "\\" and quote == '"':
                at += 1
            elif self.text[at] == quote:
                if self.text[at + 1 : at + 2] != quote or quote == '"':
                    return at + 1
                at += 1
            at += 1
        raise _Cannot

    def _closed(self, start: int) -> int:
        depth, at = 0, start
        while at < len(self.text):
            character = self.text[at]
            if character in "\"'" and self.text[at - 1] in " ,:[{\t":
                at = self._unquoted(at)
                continue
            if character == "#" and self.text[at - 1].isspace():
                end = _BREAK.search(self.text, at)
                at = end.start() if end else len(self.text)
                continue
            depth += (character in "{[") - (character in "}]")
            at += 1
            if not depth:
                return at
        raise _Cannot


def _value(node: Node, name: str) -> Node:
    pairs: Sequence[tuple[Node, Node]] = node.value if node.kind is MAP else ()
    for key, value in pairs:
        if key.value == name:
            return value
    raise _Cannot


def _in_brackets(text: _Text, entry: Node, values: Mapping[str, object]) -> Iterable[_Change]:
    """Yield changes for an entry in brackets, `{name: Ada, email: ...}`: values in place, new keys before the closing bracket."""
    pairs: Sequence[tuple[Node, Node]] = entry.value
    yield from _replaced(text, pairs, values)
    for index, (key, value) in enumerate(pairs):
        if key.value in values:
            continue
        if index + 1 < len(pairs):  # with the comma behind it
            yield _Change(text.at(key), text.at(pairs[index + 1][0]), "")
        else:  # with the comma before it
            start = text.end_of(pairs[index - 1][1]) if index else text.at(key)
            yield _Change(start, text.end_of(value), "")
    kept = [key.value for key, _ in pairs if key.value in values]
    new = {key: value for key, value in values.items() if key not in kept}
    if new:
        end = text.end_of(pairs[-1][1]) if pairs else text.at(entry) + 1
        yield _Change(end, end, (", " if kept else "") + flow(new)[1:-1])


def _in_lines(text: _Text, entry: Node, values: Mapping[str, object]) -> Iterable[_Change]:
    """Yield changes for an entry with a key on each line: values in place, new keys before the first line."""
    pairs: Sequence[tuple[Node, Node]] = entry.value
    yield from _replaced(text, pairs, values)
    present = {key.value for key, _ in pairs}
    for key, value in pairs:
        if key.value not in values:
            end = _BREAK.search(text.text, text.end_of(value))
            if end is None or key is pairs[0][0]:
                raise _Cannot
            yield _Change(text.starts[key.line - 1], end.end(), "")
    first, ending = text.at(pairs[0][0]), (_BREAK.search(text.text) or ["\n"])[0]
    indent = text.text[text.starts[pairs[0][0].line - 1] : first]
    if indent.strip():
        raise _Cannot
    new = [f"{key}: {flow(value)}{ending}{indent}" for key, value in values.items() if key not in present]
    if new:
        yield _Change(first, first, "".join(new))


def _replaced(text: _Text, pairs: Sequence[tuple[Node, Node]], values: Mapping[str, object]) -> Iterable[_Change]:
    for key, value in pairs:
        if key.value in values:
            yield _Change(text.at(value), text.end_of(value), flow(values[key.value]))
