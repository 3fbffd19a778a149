"""What every test shares: where its files live, which packages of Debian a test needs, what a skip means, and how long hypothesis searches."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

IN_CI = os.environ.get("CI") == "true"
MEMORY = Path("/dev/shm")  # files that never see a disk, on Linux
ROOM = 2 << 30  # bytes; the tests of a short run take a quarter of it at most


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # workers, and the programs that tests start, inherit them
        if "TMPDIR" not in os.environ and memory_has_room():
            os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)
        os.environ.pop("KINGDOM_CAMPAIGN", None)  # of whoever runs the tests
        os.environ["KINGDOM_CACHE"] = tempfile.mkdtemp(prefix="kingdom-tests-")
        os.environ["KINGDOM_TESTS_UNPACKED"] = tempfile.mkdtemp(prefix="kingdom-unpacked-")  # tests/kit/archives.py


def memory_has_room() -> bool:
    """Is there a folder in memory, with room, from which programs may be started?"""
    if not os.access(MEMORY, os.W_OK | os.X_OK):
        return False
    there = os.statvfs(MEMORY)
    return there.f_bavail * there.f_frsize >= ROOM and not there.f_flag & os.ST_NOEXEC


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> None:
    """Say how long hypothesis searches, before the first module that uses it; where none does, it is not loaded."""
    if b"hypothesis" in module_path.read_bytes():
        search_for("short" if "not long" in parent.config.getoption("markexpr") else "long")


@cache
def search_for(profile: str) -> None:
    """The short run looks at the same examples every time, so that it fails for a reason in the change; the long one at new ones."""
    from hypothesis import settings

    settings.register_profile("short", max_examples=8, deadline=None, derandomize=True)
    settings.register_profile("long", max_examples=500, deadline=None)
    settings.load_profile(profile)


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        for made in ("KINGDOM_CACHE", "KINGDOM_TESTS_UNPACKED"):
            shutil.rmtree(os.environ[made], ignore_errors=True)


@pytest.fixture(autouse=True)
def unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test waits for the disk: none of them cuts the power."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


@pytest.fixture(scope="session")
def authority() -> Iterator[Any]:
    """Who vouches for the mail servers of the tests."""
    from tests.kit.mailservers import authorities

    yield from authorities()


@pytest.fixture(scope="session")
def dovecot(authority: Any) -> Iterator[Any]:
    """The IMAP server of the tests."""
    from tests.kit.mailservers import dovecots

    yield from dovecots(authority)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The browser, started once: modules share the program and nothing else."""
    from tests.kit.browser import chromium

    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def browser(chromium: Any) -> Iterator[Any]:
    """A page that a module shows what it likes in."""
    from tests.kit.browser import Browser

    with Browser(chromium) as browser:
        yield browser


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip by name what needs a package that is not there."""
    for mark in item.iter_markers("package"):
        name, program = mark.args
        if shutil.which(program) is None:
            # the script brings what the short run needs; programs of long tests are installed by hand
            pytest.skip(f"needs Debian's package {name}: scripts/test --install, or apt-get install {name}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    return _no_skip_in_ci((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector):
    report = _no_skip_in_ci((yield))
    if isinstance(collector, pytest.Directory) and begins_at_the_end(collector.config):
        report.result.reverse()
    return report


def begins_at_the_end(config: pytest.Config) -> bool:
    """Every other worker collects from the end: where no module is compiled yet, two share the work rather than do it twice."""
    worker = getattr(config, "workerinput", {}).get("workerid", "gw0")
    return bool(int(worker.removeprefix("gw")) % 2)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """All workers must have the tests in the same order."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: item.path.parts)


def pytest_collection_finish() -> None:
    """Look for reference cycles less often, and never again in what loading all modules has made: it stays to the end."""
    gc.freeze()
    gc.set_threshold(50_000, 50, 50)


def _no_skip_in_ci(report):
    """In CI nothing may be left out unseen: a skip is a failure."""
    if IN_CI and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped in CI: {report.longrepr}"
    return report
