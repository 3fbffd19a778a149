"""Explaining a YAML parser's errors to the person who wrote the text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias

from kingdom.engine.problems import Problem, problem, shown

if TYPE_CHECKING:
    from yaml import MarkedYAMLError  # type: ignore[import-untyped]
    from yaml.error import Mark  # type: ignore[import-untyped]

_CLOSE = {"[": "]", "{": "}"}
Meaning: TypeAlias = tuple[str, int, int, dict[str, Any]]  # code, line, column, facts


class _Fault:
    """A parser's error with its two places and the text's lines. Lines and columns count from 0 here."""

    def __init__(self, error: MarkedYAMLError, text: str):
        self.lines = re.split("\r\n|[\r\n\x85\u2028\u2029]", text)
        self.what = error.problem or ""
        self.context = error.context or ""
        self.line, self.column = self.place = _place(error.problem_mark)
        self.from_line, self.from_column = self.opened = _place(error.context_mark or error.problem_mark)

    def text_of(self, line: int) -> str:
        return self.lines[line] if line < len(self.lines) else ""

    def rest(self, line: int, column: int) -> str:
        return self.text_of(line)[column:]

    @property
    def here(self) -> str:
        """Return the character at the error, "" at the end of a line."""
        return self.rest(self.line, self.column)[:1]

    @property
    def starts_line(self) -> bool:
        return not self.text_of(self.line)[: self.column].strip()


def _place(mark: Mark | None) -> tuple[int, int]:
    return (mark.line, mark.column) if mark else (0, 0)


def explain(error: MarkedYAMLError, text: str, file: str, shifts: dict[int, int]) -> Problem:
    """Return the parser's error as a problem. `shifts`: line (from 1) -> columns that were inserted before it."""
    fault = _Fault(error, text)
    code, line, column, facts = _meaning(fault)
    return problem(code, file, line + 1, column + 1 - shifts.get(line + 1, 0), **facts)


def _meaning(fault: _Fault) -> Meaning:
    """The first explanation that fits."""
    return _of_lines(fault) or _of_signs(fault) or ("syntax", *fault.place, {"detail": fault.what or "unknown"})


def _of_lines(fault: _Fault) -> Meaning | None:
    """Explain an error in brackets, keys, colons or indents."""
    what = fault.what
    if "',' or" in what:
        return _bracket(fault)
    if "expected key" in what:
        return _key(fault)
    if "mapping values" in what:
        return _second_colon(fault)
    if "expected ':'" in what:
        return _colon(fault, *fault.opened)
    if "tab character" in what or fault.here == "\t":
        return "tab", *fault.place, {}
    if "cannot start any token" in what:
        return "odd_character", *fault.place, {"text": fault.here}
    if "sequence entries" in what or "'-' indicator" in what:
        return (_indent(fault) if fault.starts_line else "dash"), *fault.place, {}
    return None


def _of_signs(fault: _Fault) -> Meaning | None:
    """Explain an error in quotes, or in signs that have a meaning only in YAML."""
    what, context = fault.what, fault.context
    if "document start" in what:
        return "documents", *fault.place, {}
    if "quoted scalar" in context:
        return _quoted(fault)
    for sign in ("alias", "anchor", "tag", "directive"):
        if sign in context or f"{sign} handle" in what:
            return sign, *fault.opened, {}
    if "incompatible" in what or "directive" in what:
        return "directive", *fault.place, {}
    if "block scalar" in context:
        return "block_text", *fault.opened, {"text": fault.rest(*fault.opened)[:1]}
    return _misplaced(fault) if "node content" in what else None


def _bracket(fault: _Fault) -> Meaning:
    bracket = fault.rest(fault.from_line, fault.from_column)[:1]
    close = _CLOSE.get(bracket, "]")
    if fault.line == fault.from_line:
        return "comma_missing", fault.line, fault.column, {"close": close}
    return "bracket_open", fault.from_line, fault.from_column, {"bracket": bracket, "close": close}


def _key(fault: _Fault) -> Meaning:
    if fault.here == ":":
        return "key_missing", fault.line, fault.column, {}
    before = fault.text_of(fault.line)[: fault.column]
    quote = before.rstrip()[-1:]
    if quote in ("'", '"') and not fault.starts_line:
        return "after_quote", fault.line, fault.column, {"quote": quote, "double": "''" if quote == "'" else '\\"'}
    return _indent(fault), fault.line, fault.column, {}


def _indent(fault: _Fault) -> str:
    """Explain an error at the beginning of a line: a dash below an order that already has a value, or a wrong column."""
    return "stray_dash" if fault.rest(fault.line, fault.column).startswith("- ") else "indent"


def _second_colon(fault: _Fault) -> Meaning:
    line = fault.text_of(fault.line)
    if ": " in line[: fault.column]:
        return "colon_twice", fault.line, fault.column, {}
    above = next((n for n in range(fault.line - 1, -1, -1) if fault.text_of(n).strip()), None)
    if above is None:
        return "syntax", fault.line, fault.column, {"detail": "a key is too long"}
    if len(line) - len(line.lstrip()) > len(fault.text_of(above)) - len(fault.text_of(above).lstrip()):
        return "indent", fault.line, len(line) - len(line.lstrip()), {}
    return _colon(fault, above, len(fault.text_of(above)) - len(fault.text_of(above).lstrip()))


def _colon(fault: _Fault, line: int, column: int) -> Meaning:
    text = fault.rest(line, column)
    code = "colon_space" if re.match(r"[\w-]+:\S", text) else "colon_missing"
    return code, line, column, {"text": shown(text)}


def _quoted(fault: _Fault) -> Meaning:
    if "end of stream" in fault.what or "document indicator" in fault.what:
        quote = fault.rest(fault.from_line, fault.from_column)[:1]
        return "quote_open", fault.from_line, fault.from_column, {"quote": quote}
    return "escape", fault.line, fault.column, {}


def _misplaced(fault: _Fault) -> Meaning:
    if fault.here:
        return "misplaced", fault.line, fault.column, {"text": fault.here}
    line, column = _last_open(fault)
    bracket = fault.rest(line, column)[:1]
    return "bracket_open", line, column, {"bracket": bracket, "close": _CLOSE.get(bracket, "]")}


def _last_open(fault: _Fault) -> tuple[int, int]:
    """Return the place of the last bracket that is open before the error."""
    for line in range(min(fault.line, len(fault.lines) - 1), -1, -1):
        column = max(fault.text_of(line).rfind("["), fault.text_of(line).rfind("{"))
        if column >= 0:
            return line, column
    return fault.line, fault.column
