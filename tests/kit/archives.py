"""Campaigns that are kept as archives, unpacked when a test first asks for them, once for all workers. No test writes into them."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from kingdom.campaign import examples

TESTS = Path(__file__).parents[1]
EXAMPLES = TESTS.parent / "campaigns"


def every_example() -> list[Path]:
    """The folder of each example campaign."""
    return [example(name) for name in examples.names()]


@cache
def example(name: str) -> Path:
    """The folder of an example campaign: the one that lies open, or an archive's."""
    archive = EXAMPLES / f"{name}{examples.PACKED}"
    return _unpacked(archive, f"campaigns/{name}") if archive.exists() else EXAMPLES / name


@cache
def releases() -> Path:
    """The folder of what the releases wrote: VERSION/CAMPAIGN (tests/kept/README.md)."""
    for archive in (TESTS / "kept").glob(f"*{examples.PACKED}"):
        folder = _unpacked(archive, f"kept/{archive.name.removesuffix(examples.PACKED)}")
    return folder.parent


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files by their names in the folder."""
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def _unpacked(archive: Path, name: str) -> Path:
    """The folder of that name with the archive's files: there whole or not at all, so that no worker waits for another."""
    place = Path(os.environ["KINGDOM_TESTS_UNPACKED"])  # tests/conftest.py makes it
    folder = place / name
    if not folder.exists():
        own = Path(tempfile.mkdtemp(dir=place))
        write(own, examples.unpacked(archive))
        folder.parent.mkdir(exist_ok=True)
        try:
            own.rename(folder)
        except OSError:  # another worker was quicker
            shutil.rmtree(own)
    return folder
