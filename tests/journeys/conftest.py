"""What journeys share: one Dovecot, and certificates that hold at any time."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest

from tests.journeys.clock import WIDE
from tests.journeys.world import World
from tests.kit.mailservers import Authority, Dovecot

BEFORE = "2026-01-01 00:00:00"  # every journey begins later


@pytest.fixture(scope="session")
def ageless() -> Iterator[Authority]:
    """Who vouches for the mail servers, at any time of a journey."""
    folder = Path(tempfile.mkdtemp(prefix="kingdom-ca-"))
    yield Authority(folder, WIDE, BEFORE)
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def mailboxes(ageless: Authority) -> Iterator[Dovecot]:
    """Where all mailboxes are."""
    server = Dovecot(ageless)
    yield server
    server.stop()


@pytest.fixture
def a_world(tmp_path: Path, mailboxes: Dovecot, ageless: Authority) -> Iterator[Callable[..., World]]:
    """Makes a world that begins at a time, with these mailboxes."""
    made: list[World] = []

    def make(start: datetime, *names: str) -> World:
        made.append(World(tmp_path, mailboxes, ageless, start, names))
        return made[-1]

    yield make
    for world in made:
        world.stop()
