"""Writing plain values as YAML that kingdom/orders/yaml_text.py reads back as the same: deterministic, one top key a line."""

from __future__ import annotations

from collections.abc import Mapping

from kingdom.engine.regex import regex

WIDTH = 100  # columns; a longer list has an item a line
_PLAIN = regex(r"[^\W\d_](?:[\w .'-]*[\w.'])?")
OTHERWISE_READ = {"null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf"}
_BREAKS = {ord(letter): f"\\u{ord(letter):04x}" for letter in "\x7f\x85\u2028\u2029\ufeff"}


def dump(value: Mapping[str, object]) -> str:
    """The text of a map: a line for each key, or an indented line for each item of a list of maps."""
    return "".join(f"{scalar(key)}: {_below(key, item)}\n" for key, item in value.items()).replace(": \n", ":\n")


def _below(key: str, value: object) -> str:
    line = flow(value)
    if isinstance(value, list) and value and (isinstance(value[0], dict) or len(key) + len(line) + 2 > WIDTH):
        return "\n" + "\n".join(f"  - {flow(item)}" for item in value)
    return line


def flow(value: object) -> str:
    """A value in one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{scalar(key)}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(flow, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    return scalar(value) if isinstance(value, str) else str(value)


def scalar(text: str) -> str:
    """Return a text, in quotes if any YAML reader might read it as something else."""
    if _PLAIN.fullmatch(text) and text.lower() not in OTHERWISE_READ:
        return text
    return quoted(text)


def quoted(text: str) -> str:
    """A text in double quotes."""
    import json  # most texts need no quotes

    return json.dumps(text, ensure_ascii=False).translate(_BREAKS)
