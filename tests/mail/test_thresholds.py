"""Each number by which prose is told from orders has a mail of the corpus that needs it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from kingdom.mail.reading import thresholds
from tests.kit.thresholds import Corpus, Row, is_noticed, names, rows


@pytest.fixture(scope="module")
def corpus() -> Iterator[Corpus]:
    with TemporaryDirectory() as folder:
        yield Corpus(Path(folder))


def test_each_number_has_its_mail() -> None:
    assert {row.name for row in rows()} == names()
    assert [row.name for row in rows() if row.tried == getattr(thresholds, row.name)] == []


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.name)
def test_another_number_reads_its_mail_otherwise(row: Row, corpus: Corpus) -> None:
    assert is_noticed(row, corpus)
