"""Trials: change one figure or one branch of the rules, run the tests that name it, and see that one of them fails.

A ruling's figures are those of data/rulings.yaml; its branches, the places in the code that carry out one of its
sentences, stand in mutations.yaml. The tests that name a ruling are the case files whose `rule` holds its name, and the
modules that mutations.yaml lists for it. A trial runs in a forked process, so that nothing of it is left.
"""

from __future__ import annotations

import importlib
import os
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import spec_from_file_location
from itertools import product
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, NamedTuple, Sequence

import yaml

HERE = Path(__file__).parent
REALM = HERE.parent.parent / "kingdom" / "games" / "realm"
PACKAGE = "kingdom.games.realm"
SLIPS = (SyntaxError, NameError, ImportError)  # what shows that a branch is written wrongly, not that a test noticed it
UNPLAYED = ("name", "text", "not_played", "letter", "code")  # titles, and what is printed without effect here
Test = tuple[str, Callable[[], None]]  # its name, and what runs it


class Broken(Exception):
    """A trial that proves nothing: its line is not found, or the changed program does not even start."""


class Change(NamedTuple):
    """One change: `rules` laid over the tables as a campaign would, or in a module one line that becomes another."""

    says: str
    rules: Mapping[str, Any] = {}
    module: str = ""
    line: str = ""
    becomes: str = ""


# --- what is changed -------------------------------------------------------------------------------------------------


def declared() -> dict[str, Any]:
    """What mutations.yaml says: under `rulings` and `tables` by name `tests`, `branches`, `unseen`."""
    return yaml.safe_load((HERE / "mutations.yaml").read_text(encoding="utf-8"))


def tables() -> dict[str, Any]:
    """All tables and rulings as plain data."""
    from kingdom import tables
    from kingdom.games.realm import GAME

    return tables.load(GAME).data


def branches(given: Mapping[str, Any]) -> list[Change]:
    """The declared changes of one ruling."""
    return [Change(**each) for each in given.get("branches", ())]


def figures(name: str, row: Any, both: bool = True) -> list[Change]:
    """A change for each figure, flag, word and listed item of a ruling or of a row (`buildings.inn`).

    both: numbers one up and one down, else up alone.
    """
    path = name.split(".")
    return [Change(f"{'.'.join(map(str, at))}: {_short(now)}", _laid(path, new)) for at, now, new in _changes(path, row, both)]


def _laid(path: Sequence[str], value: Any) -> dict[str, Any]:
    """The overlay that puts this value there."""
    for word in reversed(path):
        value = {word: value}
    return value


def _short(value: Any) -> str:
    return "left out" if value is None else f"{value} now"


def _changes(path: Sequence[Any], value: Any, both: bool) -> Iterator[tuple[Sequence[Any], Any, Any]]:
    """(where, what stands there now, the whole changed value) for each change of a value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in UNPLAYED:
                for at, now, new in _changes([*path, key], inner, both):
                    yield at, now, {key: new}
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            word = inner if isinstance(inner, str) else inner.get("code", index)
            yield [*path, word], None, value[:index] + value[index + 1 :]
            if isinstance(inner, dict):
                for at, now, new in _changes([*path, word], inner, both):
                    yield at, now, [*value[:index], {**inner, **new}, *value[index + 1 :]]
    elif isinstance(value, bool):
        yield path, not value, not value
    elif isinstance(value, int):
        for new in (value + 1, value - 1) if both else (value + 1,):
            yield path, new, new
    elif isinstance(value, str):
        for new in _words(path[-1], value)[:1]:
            yield path, new, new


def _words(key: str, value: str) -> list[str]:
    """Other words that stand under this key somewhere in the tables, and the attributes for an attribute."""
    found: list[str] = []

    def look(here: Any) -> None:
        for inner_key, inner in here.items() if isinstance(here, dict) else ():
            if inner_key == key and isinstance(inner, str):
                found.append(inner)
            look(inner)
        for inner in here if isinstance(here, list) else ():
            look(inner)

    look(tables())
    found += ["stability", "economy"] if value in ("economy", "loyalty", "stability") else []
    return [word for word in dict.fromkeys(found) if word != value]


# --- which tests -----------------------------------------------------------------------------------------------------


def case_files(rule: str) -> list[str]:
    """The case files whose `rule` names it."""
    heads = {file.stem: file.read_text(encoding="utf-8").split("\nsays:")[0] for file in sorted((HERE / "cases").glob("*.yaml"))}
    return [stem for stem, head in heads.items() if rule in head.replace(",", " ").split()]


def tests_of(name: str, given: Mapping[str, Any]) -> list[str]:
    """The names of what shows a ruling or table: `cases/FILE`, `MODULE`, or `MODULE::` and how its tests' names begin."""
    found = [f"cases/{stem}" for stem in case_files(name)]
    found += [each for each in given.get("tests", ()) if each not in found]
    begin = f"test_ruling_{name}_"
    modules = [file.stem for file in sorted(HERE.glob("test_*.py")) if f"def {begin}" in file.read_text(encoding="utf-8")]
    return found + [f"{module}::{begin}" for module in modules if module not in found]


def _tests(name: str) -> Iterator[Test]:
    """Each test of a case file or of a test module that needs no fixture."""
    if name.startswith("cases/"):
        cases = importlib.import_module("tests.realm.test_cases")
        file = HERE / f"{name}.yaml"
        for each in cases.cases_of(file):
            yield each.id, lambda each=each: cases.test_case(*each.values)
        return
    name, _, begin = name.partition("::")
    module = importlib.import_module(f"tests.realm.{name}")
    for word, function in list(vars(module).items()):
        if word.startswith(begin or "test_") and callable(function):
            for values in _parameters(function):
                if _takes(function) <= set(values) or hasattr(function, "hypothesis"):
                    yield f"{name}::{word}{[*values.values()] or ''}", lambda f=function, v=values: f(**v)


def _parameters(function: Callable[..., None]) -> Iterator[dict[str, Any]]:
    """The arguments of each of its parametrized runs."""
    tables = []
    for mark in getattr(function, "pytestmark", ()):
        if mark.name == "parametrize":
            words, rows = mark.args[0], mark.args[1]
            words = words.replace(" ", "").split(",") if isinstance(words, str) else list(words)
            tables.append([dict(zip(words, _values(row, len(words)))) for row in rows])
    for parts in product(*tables):
        yield {word: value for part in parts for word, value in part.items()}


def _values(row: Any, count: int) -> Sequence[Any]:
    if hasattr(row, "marks"):  # a pytest.param
        return row.values
    return row if count > 1 else (row,)


def _takes(function: Callable[..., None]) -> set[str]:
    code = function.__code__
    return set(code.co_varnames[: code.co_argcount])


# --- one trial -------------------------------------------------------------------------------------------------------


def noticed_by(change: Change, tests: Sequence[str], first: str = "") -> str:
    """The name of a test that fails under the change, "" where all pass; "the tables" where these refuse the change.

    first: tests with that word among their arguments come first. Raises Broken where the trial proves nothing.
    """
    if change.module:
        changed_text(change)
    importlib.import_module("tests.realm.test_cases")  # here, so that not every trial reads all case files
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            answer = _try(change, tests, first)
        except BaseException as problem:  # whatever went wrong is told to the parent
            answer = f"!{type(problem).__name__}: {problem}"
        os.write(writing, answer.encode()[:4000])
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    if answer.startswith("!"):
        raise Broken(f"{change.says}: {answer[1:]}")
    return answer


def _try(change: Change, tests: Sequence[str], first: str) -> str:
    from kingdom.problems import Faults

    cases = sys.modules["tests.realm.test_cases"]
    _forget("tests.realm.test_")
    if change.module:
        _forget(PACKAGE, "tests.realm.kit")
        sys.meta_path.insert(0, _Finder(change))
    else:
        sys.modules[cases.__name__] = cases  # it asks for the rules in each case anew
    kit = importlib.import_module("tests.realm.kit")
    kit.CHANGED = change.rules
    try:
        kit.rules_of()
    except Faults:
        return "the tables"
    found = [test for name in tests for test in _tests(name)]
    for name, test in sorted(found, key=lambda test: f"'{first}'" not in test[0]) if first else found:
        try:
            test()
        except SLIPS:
            raise
        except BaseException:  # pytest's own failures are no Exceptions
            return name
    return ""


def _forget(*beginnings: str) -> None:
    """Make the next import of these modules read them anew."""
    for name in [name for name in sys.modules if name.startswith(beginnings) and name != __name__]:
        del sys.modules[name]


def changed_text(change: Change) -> str:
    """The source of the module with the line changed. Raises Broken where it does not stand there exactly once."""
    text = source(change.module)
    count = text.count(change.line)
    if count != 1:
        raise Broken(f"{change.says}: in {change.module}.py this stands {count} times: {change.line}")
    return text.replace(change.line, change.becomes)


def source(module: str) -> str:
    """The text of a module of the realm."""
    return (REALM / f"{module}.py").read_text(encoding="utf-8")


class _Loader(SourceFileLoader):
    """Loads a module from a text that is not that of its file."""

    text = ""

    def get_code(self, fullname: str) -> Any:
        return compile(self.text, self.path, "exec")


class _Finder:
    """Finds the one module that is changed."""

    def __init__(self, change: Change):
        self.name, self.text = f"{PACKAGE}.{change.module}", changed_text(change)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != self.name:
            return None
        file = str(REALM / f"{name.rsplit('.', 1)[1]}.py")
        loader = _Loader(name, file)
        loader.text = self.text
        return spec_from_file_location(name, file, loader=loader)


# --- all of them -----------------------------------------------------------------------------------------------------

TABLES = ("terrain", "features", "improvements", "buildings", "edicts", "improvement_limits", "alignments", "governments")


def rulings() -> list[str]:
    """The names of all rulings that the tables have."""
    return [name for name in tables() if name not in TABLES]


def rows() -> list[str]:
    """Every row of every table, `buildings.inn`; a table that is no map of rows by its own name."""
    data = tables()
    return [name for table in TABLES for name in ([f"{table}.{row}" for row in data[table]] if isinstance(data[table], dict) else [table])]


def tried(name: str) -> tuple[int, list[str]]:
    """(how many changes were tried, those that nothing noticed) of a ruling, of a table, or of a row of one.

    Raises Broken where a change proves nothing, or the name has nothing to change.
    """
    table, _, row = name.partition(".")
    data, kind = tables(), "tables" if table in TABLES else "rulings"
    if table not in data:
        raise Broken(f"there is no ruling or table {table}")
    given = declared()[kind].get(table, {})
    tests = tests_of(table, given)
    unseen = given.get("unseen", {})
    unnoticed, count = [], 0
    fails = noticed_by(Change(f"{name}, unchanged"), tests)
    if fails:
        raise Broken(f"{fails} fails without any change")
    for change, first in _all_changes(name, data[table], given, kind):
        if any(f".{each}." in f"{change.says.split(': ')[0]}." for each in unseen):
            continue
        count += 1
        try:
            if not noticed_by(change, tests, first):
                unnoticed.append(change.says)
        except Broken as problem:
            unnoticed.append(f"(it proves nothing) {problem}")
    if not tests or not count:
        unnoticed.append(f"{name}: it has no test, or neither figure nor branch to change")
    return count, unnoticed


def _all_changes(name: str, data: Any, given: Mapping[str, Any], kind: str) -> Iterator[tuple[Change, str]]:
    table, _, only = name.partition(".")
    if kind == "tables" and isinstance(data, dict):
        for row, values in data.items():
            if only in ("", row):
                for change in figures(f"{table}.{row}", values, both=table not in ("buildings",)):
                    yield change, row
        return
    for change in figures(table, data):
        yield change, ""
    for change in branches(given):
        yield change, ""
