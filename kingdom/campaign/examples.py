"""The example campaigns: archives, and in a checkout one that lies open, a folder of `campaigns/`."""

from __future__ import annotations

from pathlib import Path

from kingdom.orders import places

PACKED = ".tar.xz"


def names() -> list[str]:
    """Return the names of the examples that `kingdom new --example` can copy."""
    packed = {file.name.removesuffix(PACKED) for file in places.examples().glob(f"*{PACKED}")}
    return sorted(packed | {file.parent.name for file in places.examples().glob("*/campaign.yaml")})


def files(name: str) -> dict[str, bytes]:
    """Return the files of an example by their names in its folder. Raises OSError."""
    folder = places.examples() / name
    archive = folder.with_name(f"{name}{PACKED}")
    if archive.exists():  # whatever became of a copy beside it
        return unpacked(archive)
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("[!.]*") if file.is_file()}


def unpacked(archive: Path) -> dict[str, bytes]:
    """Return the files of an archive by their names in it. Raises OSError."""
    import tarfile

    with tarfile.open(archive) as entries:
        opened = {entry.name: entries.extractfile(entry) for entry in entries}
        return {name: file.read() for name, file in opened.items() if file is not None}
