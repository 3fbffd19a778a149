"""Reading a text from anybody as nodes, each with its line and column, or as problems.

The text is YAML without its traps: no anchors, aliases, tags, duplicate keys, second documents or tabs. Every plain word
is text as typed (`no`, 0404, 18:30), and the reader of the nodes decides what is a number. No text makes this
raise, or take long, or take much memory.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct
from yaml import CBaseLoader, YAMLError  # type: ignore[import-untyped]  # PyYAML has no types of its own
from yaml.events import (  # type: ignore[import-untyped]
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from kingdom.engine.problems import MANY, Problem, problem, shown
from kingdom.engine.regex import regex

LIMIT = 256 * 1024  # bytes
DEPTH = 24  # levels
Kind: TypeAlias = Literal["text", "list", "map"]
TEXT: Final = "text"
LIST: Final = "list"
MAP: Final = "map"

_CONTROL = regex("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")
_TAB = regex(r"^( *)\t[ \t]*\S", re.MULTILINE)
_BREAK = regex("\r\n|[\r\n\x85\u2028\u2029]")
_KEY = regex(r"(\s*(?:- +)*)[\w'\"][^:#]*:(?:\s|$)|\s*[-#]|\s*---|\s*\.\.\.|\s*$")
_BELOW = regex(r"[^\r\n]*(?:(?:\r\n|[\r\n])[ ]*(?=[\r\n]))*(?:\r\n|[\r\n])([ ]*)")
_STRING = regex(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)  # an open string goes to the end, so that nothing is looked at twice
_ESCAPE = regex(r"\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|.)", re.DOTALL | re.IGNORECASE)
_INT = regex(r"[+-]?(?:0|[1-9][0-9]{0,17})\Z")


class Node(Struct, frozen=True, gc=False):
    """A part of the text. Lines and columns count from 1.

    value: a str for a text; a tuple of Nodes for a list; a tuple of (key Node, value Node) for a map, whose keys are texts.
    inner: the column of the text's first character, if all of it stands in that line as typed, else 0.
    indent: the column in which the lines of a literal block (`|`) begin; its first line is the one below. Else 0.
    """

    kind: Kind
    value: Any  # the kind says which of the three it is
    line: int
    column: int
    quoted: bool = False
    inner: int = 0
    indent: int = 0


def node_of(data: Any) -> Node:
    """Return a node that was sent as plain data, as its fields or itself."""
    fields = data if isinstance(data, dict) else msgspec.structs.asdict(data)
    value = fields["value"]
    if fields["kind"] == LIST:
        value = tuple(map(node_of, value))
    elif fields["kind"] == MAP:
        value = tuple((node_of(key), node_of(inner)) for key, inner in value)
    own: Node = msgspec.convert({**fields, "value": None}, Node)  # its kind is one of ours again, not a text like it
    return msgspec.structs.replace(own, value=value)


def read(data: bytes, file: str, limit: int | None = LIMIT) -> tuple[Node | None, list[Problem]]:
    """Return the text's root node, or None and all problems. `file` is its name in problems.

    limit: bytes, None for a file of our own.
    """
    node, problems = parse(data, file, limit)
    return (None if problems else node), problems


def parse(data: bytes, file: str, limit: int | None = LIMIT, rejoin: bool = False) -> tuple[Node | None, list[Problem]]:
    """Return the text's root node as far as the text makes sense, so that further problems can be found in it.

    If there are problems, use the node for nothing else. It is None if the text makes no sense.
    rejoin: a line that was broken after a comma goes on in the next.
    """
    text, problems = decode(data, file, limit)
    if problems:
        return None, problems
    text, shifts = rejoined(text) if rejoin else (text, {})
    node, problems = _Builder(file, text, shifts).run()
    if any(each.code == "escape" for each in problems) and (by_json := _of_json(text)) != text:
        return _Builder(file, by_json, shifts).run()
    return node, problems


def _of_json(text: str) -> str:
    """Return the text with JSON's escapes of letters beyond the 65,536th, which are two of `\\uXXXX`, as YAML's one. Blanks behind the
    closing quote keep the columns of what follows."""

    def string(match: re.Match[str]) -> str:
        made = _ESCAPE.sub(escape, match[0])
        return made + " " * (len(match[0]) - match[0].rfind("\n") - len(made) + made.rfind("\n"))

    def escape(match: re.Match[str]) -> str:
        if not match[1]:
            return match[0]
        return f"\\U{0x10000 + ((int(match[1], 16) & 0x3FF) << 10) + (int(match[2], 16) & 0x3FF):08x}"

    return _STRING.sub(string, text)


def decode(data: bytes, file: str, limit: int | None) -> tuple[str, list[Problem]]:
    """Return the characters of a file without a byte order mark, and the problems of its bytes."""
    if limit is not None and len(data) > limit:
        return "", [problem("too_big", file, size=len(data), most=limit)]
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        line, column = next(_places(before, [len(before)]))
        return "", [problem("encoding", file, line, column, looks=_looks_like(data))]
    if "\x00" in text and text.count("\x00") * 3 > len(text):
        return "", [problem("encoding", file, 1, 1, looks=_looks_like(data))]
    return text, _characters(text, file)


def _looks_like(data: bytes) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or data.count(b"\x00") * 3 > len(data):
        return " but looks like UTF-16"
    return " but looks like Latin-1 or Windows-1252"


def _characters(text: str, file: str) -> list[Problem]:
    """Return a problem for each forbidden character: controls, marks that turn the direction of writing, tabs as indentation."""
    odd = [match.start() for match in islice(_CONTROL.finditer(text), MANY)]
    tabs = [match.end(1) for match in islice(_TAB.finditer(text), MANY)] if "\t" in text else []
    problems = [
        problem("control_character", file, line, column, number=ord(text[at]))
        for at, (line, column) in zip(odd, _places(text, odd), strict=True)
    ]
    return problems + [problem("tab", file, line, column) for line, column in _places(text, tabs)]


def _places(text: str, indexes: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Line and column, from 1, of characters in the order of the text."""
    line, start, seen = 1, 0, 0
    for index in indexes:
        for match in _BREAK.finditer(text, seen, index):
            line, start = line + 1, match.end()
        seen = index
        yield line, index - start + 1


def rejoined(text: str) -> tuple[str, dict[int, int]]:
    """Return the text with each line that follows a broken one indented, so that YAML reads it as its continuation.

    A line is broken if it ends with a comma and the next begins neither a key nor a list item. Returns the text and,
    for each line that was moved (from 1), by how many columns.
    """
    if ",\n" not in text and ",\r" not in text and ", \n" not in text:
        return text, {}
    lines = text.split("\n")
    shifts: dict[int, int] = {}
    inside, broken = 0, False  # the column where the last key or item began; whether the line before ends with a comma
    for number, line in enumerate(lines):
        key = _KEY.match(line)
        indent = len(line) - len(line.lstrip(" "))
        if broken and not key and indent <= inside:
            shifts[number + 1] = inside + 1 - indent
            lines[number] = " " * shifts[number + 1] + line
        if key and key[1] is not None:
            inside = len(key[1])
        elif key and line.lstrip().startswith("- "):
            inside = indent + 2
        broken = line.rstrip().endswith(",")
    return "\n".join(lines), shifts


class _Frame(Struct):
    """A list or map that is still open; `keys` are a map's, by their text."""

    kind: Kind
    line: int
    column: int
    nodes: list[Node] = []
    keys: dict[str, Node] = {}


class _Stop(Exception):
    """Reading can't go on; the problem has been noted."""


class _Builder:
    """Makes nodes from the parser's events. `shifts`: line -> columns that were inserted before it."""

    def __init__(self, file: str, text: str, shifts: dict[int, int]):
        self.file = file
        self.text = text
        self.shifts = shifts
        self.problems: list[Problem] = []
        self.frames: list[_Frame] = []
        self.frame = _Frame(LIST, 1, 1)  # the innermost open frame; at last it holds the root

    def run(self) -> tuple[Node | None, list[Problem]]:
        """Return the root as far as it could be made, and all problems."""
        next_event = CBaseLoader(self.text).get_event
        try:
            while (event := next_event()) is not None:
                if taker := _TAKERS.get(type(event)):
                    taker(self, event)
        except _Stop:
            return None, self.problems
        except YAMLError as error:
            from kingdom.orders.yaml_errors import explain  # needed for mistakes alone

            return None, [*self.problems, explain(error, self.text, self.file, self.shifts)]
        root = self.frame.nodes[0] if self.frame.nodes else None
        if root is None or root.kind is TEXT and not (root.value or root.quoted or self.problems):
            return None, [problem("empty", self.file)]
        return root, self.problems

    def scalar(self, event: ScalarEvent) -> None:
        line, column = event.start_mark.line + 1, event.start_mark.column + 1
        if event.anchor is not None or event.tag is not None:
            self.forbid(event, line, column)
        value, inner, indent = event.value, column, 0
        quoted = event.style != ""
        if quoted or " " in value:
            inner = self.inner(event, line, column)
            indent = self.indent_below(event.start_mark.index) if event.style == "|" else 0
        if self.shifts:
            shift = self.shifts.get(line, 0)
            column, inner = column - shift, inner and inner - shift
        self.add(Node(TEXT, value, line, column, quoted, inner, indent))

    def inner(self, event: ScalarEvent, line: int, column: int) -> int:
        """Return the column of the first character if all of the value stands in that line as typed, else 0."""
        if event.style == '"' and (odd := _CONTROL.search(event.value)):
            self.note("control_character", line, column, number=ord(odd[0]))
        quotes = 1 if event.style in ("'", '"') else 0
        end = event.end_mark
        whole = end.line + 1 == line and end.column + 1 - column == len(event.value) + 2 * quotes
        return column + quotes if whole else 0

    def indent_below(self, index: int) -> int:
        """Return the column, from 1, in which the first line that is not empty begins below this character."""
        match = _BELOW.match(self.text, index)
        return len(match[1]) + 1 if match else 0

    def alias(self, event: Event) -> None:
        line, column = event.start_mark.line + 1, event.start_mark.column + 1
        self.note("alias", line, column)
        self.add(Node(TEXT, "", line, column - self.shifts.get(line, 0)))

    def open(self, event: Event) -> None:
        line, column = event.start_mark.line + 1, event.start_mark.column + 1
        if event.anchor is not None or event.tag is not None:
            self.forbid(event, line, column)
        if len(self.frames) >= DEPTH:
            self.note("too_deep", line, column, most=DEPTH)
            raise _Stop
        self.frames.append(self.frame)
        kind: Kind = MAP if type(event) is MappingStartEvent else LIST
        self.frame = _Frame(kind, line, column - self.shifts.get(line, 0))

    def close(self, event: Event) -> None:
        done = self.frame
        self.frame = self.frames.pop()
        nodes = tuple(done.nodes)
        value = tuple(zip(nodes[::2], nodes[1::2], strict=True)) if done.kind is MAP else nodes
        self.add(Node(done.kind, value, done.line, done.column))

    def add(self, node: Node) -> None:
        """Add a finished node to the list or map that is open."""
        frame = self.frame
        if frame.kind is MAP and not len(frame.nodes) & 1:
            if node.kind is not TEXT or not node.value:
                self.note("key_not_text", node.line, node.column, 0)
                node = Node(TEXT, "", node.line, node.column)  # whoever reads on finds the key that it expects
            elif frame.keys.setdefault(node.value, node) is not node:
                first = frame.keys[node.value].line
                self.note("duplicate_key", node.line, node.column, 0, key=shown(node.value), before=first)
        frame.nodes.append(node)

    def begin(self, event: Event) -> None:
        if self.frame.nodes:
            self.note("documents", event.start_mark.line + 1, event.start_mark.column + 1)
            raise _Stop

    def forbid(self, event: Event, line: int, column: int) -> None:
        """Note a problem for an anchor or a tag."""
        for code in ("anchor", "tag"):
            if getattr(event, code) is not None:
                self.note(code, line, column)

    def note(self, code: str, line: int, column: int, shift: int | None = None, /, **facts: Any) -> None:
        """Note a problem. `shift` is 0 if the column is already that of the text as typed."""
        shift = self.shifts.get(line, 0) if shift is None else shift
        self.problems.append(problem(code, self.file, line, column - shift, **facts))
        if len(self.problems) > MANY:
            raise _Stop


_TAKERS = {
    DocumentStartEvent: _Builder.begin,
    ScalarEvent: _Builder.scalar,
    AliasEvent: _Builder.alias,
    MappingStartEvent: _Builder.open,
    SequenceStartEvent: _Builder.open,
    MappingEndEvent: _Builder.close,
    SequenceEndEvent: _Builder.close,
}


def plain(node: Node) -> Any:
    """Return the node as dict, list, str, int, bool or None, for tables. Only whole numbers, true, false, null and ~ that are
    not quoted are converted, and only as values; keys are always text. `0404` is text."""
    if node.kind is MAP:
        return {key.value: plain(value) for key, value in node.value}
    if node.kind is LIST:
        return [plain(item) for item in node.value]
    if node.quoted:
        return node.value
    word = node.value
    if word in _WORDS:
        return _WORDS[word]
    return int(word) if _INT.match(word) else word


_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}


def find(node: Node, path: str) -> Node:
    """Return the node at a path such as `hexes.0304.monsters` or `improve[1].build`, or the nearest node above it."""
    while path:
        step = _step(node, path)
        if step is None:
            return node
        node, path = step
    return node


def _step(node: Node, path: str) -> tuple[Node, str] | None:
    if node.kind is LIST:
        match = re.match(r"\[(\d{1,9})\]\.?", path)
        if match and int(match[1]) < len(node.value):
            return node.value[int(match[1])], path[match.end() :]
    elif node.kind is MAP:
        for key, value in node.value:
            rest = path[len(key.value) :]
            if path.startswith(key.value) and (not rest or rest[0] in ".["):
                return value, rest.removeprefix(".")
    return None
