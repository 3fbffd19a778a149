"""scripts/lines: what counts as a line of code."""

from __future__ import annotations

import pytest

from scripts import lines

MODULE = '''"""A module.

Of two paragraphs."""

import os
from sys import (
    argv,
    path,
)

# a comment
NAME = """a text

of three lines"""  # and a comment behind it


class Thing:
    """A thing."""

    size: int
    """Not a docstring to Python: a text that stands alone."""

    def grow(
        self,
        by: int,
    ) -> None:
        """Grow."""
        import math

        self.size += math.floor(
            by,
        )
'''


def test_code_counts_and_blank_lines_comments_docstrings_and_imports_do_not() -> None:
    assert lines.code_lines(MODULE) == 2 + 1 + 2 + 4 + 3


def test_a_count_names_each_folder_and_the_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert lines.main(["kingdom/engine", "kingdom/orders/", "--depth", "2"]) == 0
    rows = [row.split(maxsplit=1) for row in capsys.readouterr().out.splitlines()]
    assert [name for _, name in rows] == ["kingdom/engine", "kingdom/orders", "in all"]
    engine, orders, whole = (int(count.replace(",", "")) for count, _ in rows)
    assert engine > 0 and orders > 0 and engine + orders == whole
