"""A table of many rows in one test, which goes through all of them and names each row that fails."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

import pytest


def each_row(rows: Iterable[tuple[str, Callable[[], None]]]) -> None:
    """Check every row, of which there must be one; fail with the name of each that failed and its reason."""
    failed, last, count = [], None, 0
    for count, (name, check) in enumerate(rows, 1):  # noqa: B007  # the count is looked at below
        try:
            check()
        except (Exception, pytest.fail.Exception) as wrong:
            failed.append(f"{name}\n    {type(wrong).__name__}: {str(wrong).replace(chr(10), chr(10) + '    ')}")
            last = wrong
    assert count, "no rows"
    if failed:
        raise AssertionError(f"{len(failed)} of {count} rows fail:\n" + "\n".join(failed)) from last


def sampled(rows: Iterable[Any], short: Collection[Any]) -> list[Any]:
    """The rows of a `parametrize`, of which the short run takes only these; the long run takes all."""
    rows = list(rows)
    assert all(row in rows for row in short), "the short run takes rows that there are"
    return [row if row in short else _long(row) for row in rows]


def _long(row: Any) -> Any:
    return pytest.param(*(row if isinstance(row, tuple) else (row,)), marks=pytest.mark.long)
