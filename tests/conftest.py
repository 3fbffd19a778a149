"""What every test shares: which packages of Debian a test needs, what a skip means, and how long hypothesis searches."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

IN_CI = os.environ.get("CI") == "true"

# The short run looks at the same examples every time, so that it fails for a reason in the change; the long one at new ones.
settings.register_profile("short", max_examples=30, deadline=None, derandomize=True)
settings.register_profile("long", max_examples=500, deadline=None)


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("short" if "not long" in config.getoption("markexpr") else "long")
    if not hasattr(config, "workerinput"):  # the tests' own cache, new in each run, shared by all workers
        os.environ["KINGDOM_CACHE"] = tempfile.mkdtemp(prefix="kingdom-tests-")


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ["KINGDOM_CACHE"], ignore_errors=True)


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


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip by name what needs a package that is not there."""
    for mark in item.iter_markers("package"):
        name, program = mark.args
        if shutil.which(program) is None:
            pytest.skip(f"needs Debian's package {name}: scripts/test --install")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    return _no_skip_in_ci((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector):
    return _no_skip_in_ci((yield))


def _no_skip_in_ci(report):
    """In CI nothing may be left out unseen: a skip is a failure."""
    if IN_CI and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped in CI: {report.longrepr}"
    return report
