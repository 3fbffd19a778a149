"""What a trial of the rules changes (trials.py): every figure of a ruling or of a row, and the branches of mutations.yaml."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
REALM = ROOT / "kingdom" / "games" / "realm"
KIT, ORDER_KIT = "kit.", "orders.kit."  # begin the names of modules of kingdom/games/kit and of kingdom/orders/kit
TABLES = (
    "terrain", "features", "improvements", "buildings", "edicts", "improvement_limits", "alignments", "governments",
    "units", "army_sizes", "army_resources", "strategies", "tactics", "boons", "army_specials", "event_kinds", "event_tables",
)  # fmt: skip
UNPLAYED = ("name", "text", "not_played", "letter", "code")  # titles, and what is printed without effect here


class Broken(Exception):
    """A trial that proves nothing; the message says why."""


class Change(NamedTuple):
    """One change: `rules` laid over the tables as a campaign would, or in a module one line that becomes another."""

    says: str
    rules: Mapping[str, Any] = {}
    module: str = ""
    line: str = ""
    becomes: str = ""


@cache
def tables() -> dict[str, Any]:
    """All tables and rulings as plain data, not to be changed by the caller."""
    from kingdom.games.realm.game import GAME
    from kingdom.orders import tables

    return tables.load(GAME).data


def rulings() -> list[str]:
    """The names of all rulings that the tables have."""
    return [name for name in tables() if name not in TABLES]


def rows() -> list[str]:
    """Every row of every table, `buildings.inn`; a table that has no names for its rows by its own."""
    data = tables()
    named = [table for table in TABLES if isinstance(data[table], dict)]
    return [f"{table}.{row}" for table in named for row in data[table]] + [
        table for table in TABLES if table not in named
    ]


def declared(name: str) -> dict[str, Any]:
    """What mutations.yaml says of a ruling or table: `tests`, `branches`, `unseen`, each of which may be absent.

    Raises Broken where there is no such ruling or table.
    """
    if name not in tables():
        raise Broken(f"there is no ruling or table {name}")
    return _mutations()["tables" if name in TABLES else "rulings"].get(name, {})


@cache
def _mutations() -> dict[str, Any]:
    return yaml.load((HERE / "mutations.yaml").read_bytes(), yaml.CSafeLoader)


def changes_of(name: str) -> list[Change]:
    """All changes of a ruling, a table, or a row of one (`buildings.inn`), but for what no test can notice."""
    table, _, only = name.partition(".")
    given, data = declared(table), tables()[table]
    if table in TABLES and isinstance(data, dict):
        found = [change for row in data if only in ("", row) for change in figures(f"{table}.{row}", data[row])]
    else:
        found = figures(table, data) + branches(given)
    return [change for change in found if not any(_is_of(change, each) for each in given.get("unseen", ()))]


def _is_of(change: Change, where: str) -> bool:
    """Whether it changes what stands there: `share`, `flight.effects.ignores_defense.share`; `value: 4 instead of 5` is that change alone."""
    place = change.says if ": " in where else change.says.split(": ")[0]
    return f".{where}." in f"{place}."


def branches(given: Mapping[str, Any]) -> list[Change]:
    """The declared changes of a ruling."""
    return [Change(**each) for each in given.get("branches", ())]


def figures(name: str, row: Any) -> list[Change]:
    """A change for each figure, flag, word and listed item of a ruling or of a row.

    Numbers are changed one up and one down, those of buildings one up alone: there are hundreds.
    """
    path, steps = name.split("."), (1,) if name.startswith("buildings.") else (1, -1)
    return [Change(f"{'.'.join(map(str, at))}: {how}", _laid(path, new)) for at, how, new in _changes(path, row, steps)]


def _laid(path: Sequence[str], value: Any) -> dict[str, Any]:
    """The overlay that puts this value there."""
    for word in reversed(path):
        value = {word: value}
    return value


def _changes(path: Sequence[Any], value: Any, steps: Sequence[int]) -> Iterator[tuple[Sequence[Any], str, Any]]:
    """(where, how, the whole changed value) for each change of a value."""
    if isinstance(value, dict):
        for key in value.keys() - UNPLAYED:
            for at, how, new in _changes([*path, key], value[key], steps):
                yield at, how, {key: new}
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            before, after = value[:index], value[index + 1 :]
            word = inner.get("code", index) if isinstance(inner, dict) else inner
            yield [*path, word], "left out", [*before, *after]
            if isinstance(inner, dict):
                for at, how, new in _changes([*path, word], inner, steps):
                    yield at, how, [*before, {**inner, **new}, *after]
    elif isinstance(value, bool):
        yield path, f"{not value} instead", not value
    elif isinstance(value, int):
        for step in steps:
            yield path, f"{value + step} instead of {value}", value + step
    elif isinstance(value, str):
        other = _another(path[-1], value)
        yield path, f"{other} instead of {value}", other


def _another(key: str, value: str) -> str:
    """Another word that stands under this key somewhere in the tables, "" for none; of an attribute another attribute."""
    words = ["stability", "economy"] if value in ("economy", "loyalty", "stability") else _under(key, tables())
    return next((word for word in words if word != value), "")


def _under(key: str, data: Any) -> Iterator[str]:
    """The words that stand under a key, however deep."""
    for name, inner in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        if name == key and isinstance(inner, str):
            yield inner
        yield from _under(key, inner)


def file_of(module: str) -> Path:
    """The file of a module of the realm, `steps.income`, or of what games share, `kit.rulings`, `orders.kit.kinds`. Raises Broken
    where there is none."""
    folder = REALM.parent if module.startswith(KIT) else REALM.parents[1] if module.startswith(ORDER_KIT) else REALM
    file = folder.joinpath(*module.split(".")).with_suffix(".py")
    if not file.is_file():
        raise Broken(f"no module is called {module}")
    return file


def source(module: str) -> str:
    """The text of a module of the realm."""
    return file_of(module).read_text(encoding="utf-8")


def changed_source(change: Change) -> str:
    """The text of the module with the line changed. Raises Broken where it does not stand there exactly once.

    Line breaks and the commas before closing brackets are the formatter's, so they do not count.
    """
    text = source(change.module)
    places = list(re.finditer(_pattern(change.line), text))
    if len(places) != 1:
        raise Broken(f"{change.says}: in {change.module}.py this stands {len(places)} times: {change.line}")
    start, end = places[0].span()
    return text[:start] + change.becomes + text[end:]


def _pattern(line: str) -> str:
    """A regular expression of the line, however it is broken."""
    words = re.findall(r"\w+|[^\w\s]", line)
    body = "".join((r",?\s*" if word in ")]}" else r"\s*") + re.escape(word) for word in words).removeprefix(r"\s*")
    before = re.match(r"\s*", line)[0].rpartition("\n")[2]
    after = re.search(r"\s*$", line)[0].partition("\n")
    return before + body + (after[0] + after[1] + after[2] if after[1] else "")
