"""A table of many rows in one test, which goes through all of them and names each row that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable

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
