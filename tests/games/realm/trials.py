"""Trials: change one figure or one branch of the rules, run the tests that name it, and see that one of them fails.

A ruling's figures are those of data/rulings.yaml; its branches, the places in the code that carry out one of its
sentences, stand in mutations.yaml. The tests that name a ruling are the case files whose `rule` holds its name, the tests
called test_ruling_NAME_..., and what mutations.yaml lists for it. A trial runs in a forked process, so that nothing of it
is left.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from itertools import product
from typing import Any

from tests.games.realm.changes import HERE, ROOT, Broken, Change, changed_source, changes_of, declared, file_of

PACKAGES = ("kingdom.games.realm", "kingdom.games.kit", "kingdom.orders")
SLIPS = (SyntaxError, NameError, ImportError)  # what shows that a branch is written wrongly, not that a test noticed it
Test = tuple[str, Callable[[], None]]  # its name, and what runs it


def tried(name: str) -> tuple[int, list[str]]:
    """(how many changes were tried, those that nothing noticed) of a ruling, of a table, or of a row (`buildings.inn`).

    Raises Broken where a trial proves nothing, or where there is nothing to change or no test to notice it.
    """
    table, _, row = name.partition(".")
    tests, changes = tests_of(table), changes_of(name)
    if not tests or not changes:
        raise Broken(f"{name} has no test, or neither a figure nor a branch to change")
    fails = _unchanged(tuple(tests))
    if fails:
        raise Broken(f"{fails} fails without any change")
    return len(changes), [change.says for change in changes if not noticed_by(change, tests, row)]


@cache
def _unchanged(tests: tuple[str, ...]) -> str:
    return noticed_by(Change("nothing"), tests)


# --- which tests -----------------------------------------------------------------------------------------------------


def tests_of(name: str) -> list[str]:
    """The names of what shows a ruling or table: `cases/FILE`, `MODULE`, or `MODULE::` and how its tests' names begin."""
    found = [f"cases/{stem}" for stem in _case_files(name)]
    found += [each for each in declared(name).get("tests", ()) if each not in found]
    begin = f"test_ruling_{name}_"
    modules = [module for module, text in _modules().items() if f"def {begin}" in text]
    return found + [f"{module}::{begin}" for module in modules if module not in found]


def _case_files(name: str) -> list[str]:
    """The case files whose `rule` names it."""
    return [stem for stem, words in _heads().items() if name in words]


@cache
def _heads() -> dict[str, list[str]]:
    """Case file -> the words of its `rule`."""
    return {
        file.stem: file.read_text(encoding="utf-8").split("\nsays:")[0].replace(",", " ").split()
        for file in sorted((HERE / "cases").glob("*.yaml"))
    }


@cache
def _modules() -> dict[str, str]:
    """Test module -> its text."""
    return {file.stem: file.read_text(encoding="utf-8") for file in sorted(HERE.glob("test_*.py"))}


def _tests(name: str) -> Iterator[Test]:
    """Each test of a case file or of a test module, those aside that need a fixture or search by chance."""
    if name.startswith("cases/"):
        cases = importlib.import_module("tests.games.realm.test_cases")
        for case, given in cases.cases_of(HERE / f"{name}.yaml"):
            yield case, partial(cases.play, given)
        return
    name, _, begin = name.partition("::")
    module = importlib.import_module(f"tests.games.realm.{name}")
    for word, function in list(vars(module).items()):
        if word.startswith(begin or "test_") and callable(function):
            for given in _given(function):
                code = function.__code__
                if not hasattr(function, "hypothesis") and given.keys() == set(code.co_varnames[: code.co_argcount]):
                    yield (
                        f"{name}::{word}{[*given.values()] or ''}",
                        lambda function=function, given=given: function(**given),
                    )


def _given(function: Callable[..., None]) -> Iterator[dict[str, Any]]:
    """The arguments of each of its parametrized runs."""
    tables = []
    for mark in getattr(function, "pytestmark", ()):
        if mark.name == "parametrize":
            words, rows = mark.args[:2]
            words = words.replace(" ", "").split(",") if isinstance(words, str) else list(words)
            tables.append([dict(zip(words, _values(row, len(words)), strict=False)) for row in rows])
    for parts in product(*tables):
        yield {word: value for part in parts for word, value in part.items()}


def _values(row: Any, count: int) -> Sequence[Any]:
    if hasattr(row, "marks"):  # a pytest.param
        return row.values
    return row if count > 1 else (row,)


# --- one trial -------------------------------------------------------------------------------------------------------


def noticed_by(change: Change, tests: Sequence[str], first: str = "") -> str:
    """The name of a test that fails under the change, "" where all pass; "the tables" where these refuse the change.

    first: tests with that word among their arguments come first. Raises Broken where the trial proves nothing.
    """
    if change.module:
        changed_source(change)
    importlib.import_module("tests.games.realm.test_cases")  # here, so that not every trial reads all case files
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
    with os.fdopen(reading, encoding="utf-8", errors="replace") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    if answer.startswith("!"):
        raise Broken(f"{change.says}: {answer[1:]}")
    return answer


def _try(change: Change, tests: Sequence[str], first: str) -> str:
    """What noticed_by answers; changes this very process."""
    from kingdom.engine.problems import Faults

    cases = sys.modules["tests.games.realm.test_cases"]
    _forget("tests.games.realm.test_")
    if change.module:
        _forget(*PACKAGES, "tests.games.realm.kit")
        sys.meta_path.insert(0, _Finder(change))
    else:
        sys.modules[cases.__name__] = cases  # it asks for the rules anew in each case
    kit = importlib.import_module("tests.games.realm.kit")
    kit.CHANGED = change.rules
    try:
        kit.rules_of()
    except Faults:
        return "the tables"
    # without a first one, a module of tests is read only where no test before it notices the change
    found: Iterable[Test] = (test for name in tests for test in _tests(name))
    if first:
        found = sorted(found, key=lambda test: f"'{first}'" not in test[0])
    for name, test in found:
        try:
            test()
        except SLIPS:
            raise
        except BaseException:  # pytest's own failures are no Exceptions
            return name
    return ""


def _forget(*beginnings: str) -> None:
    """Make the next import of these modules read them anew."""
    for name in [name for name in sys.modules if name.startswith(beginnings)]:
        del sys.modules[name]


class _Loader(SourceFileLoader):
    """Loads a module from a text that is not that of its file."""

    text = ""

    def get_code(self, fullname: str) -> Any:
        return compile(self.text, self.path, "exec")


class _Finder:
    """Finds the one module that is changed."""

    def __init__(self, change: Change):
        file = file_of(change.module)
        self.name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        self.file = str(file)
        self.loader = _Loader(self.name, self.file)
        self.loader.text = changed_source(change)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        return spec_from_file_location(name, self.file, loader=self.loader) if name == self.name else None
