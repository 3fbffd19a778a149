"""A house of campaigns, for the tests of its mail."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kingdom.campaign import clock
from kingdom.cli.main import main
from tests.kit.housekit import NOW, House
from tests.kit.mailservers import PASSWORD, VARIABLE, Dovecot, Postbox


@pytest.fixture
def post(authority) -> Iterator[Postbox]:
    """Its sending server."""
    box = Postbox(authority)
    yield box
    box.stop()


@pytest.fixture
def house(authority, dovecot: Dovecot, post: Postbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """The house, at NOW."""
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    monkeypatch.setenv(VARIABLE, PASSWORD)
    monkeypatch.setattr(clock, "now", lambda: NOW)
    return House(tmp_path, dovecot.mailbox(), post)


@pytest.fixture
def run(house: House, capsys: pytest.CaptureFixture):
    """One run of the house: (exit code, standard output, standard error)."""

    def run(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        return (main(["run", *(words or [str(house.folder)])]), *capsys.readouterr())

    return run
