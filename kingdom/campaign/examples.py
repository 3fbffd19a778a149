"""The example campaigns: archives in the program where it is installed, the folders of `campaigns/` in a checkout."""

from __future__ import annotations

from kingdom.orders import places

_PACKED = ".tar.xz"


def names() -> list[str]:
    """Return the names of the examples that `kingdom new --example` can copy."""
    packed = {file.name.removesuffix(_PACKED) for file in places.examples().glob(f"*{_PACKED}")}
    return sorted(packed | {file.parent.name for file in places.examples().glob("*/campaign.yaml")})


def files(name: str) -> dict[str, bytes]:
    """Return the files of an example by their names in its folder. Raises OSError."""
    folder = places.examples() / name
    if folder.is_dir():
        return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("[!.]*") if file.is_file()}
    import tarfile

    with tarfile.open(folder.with_name(f"{name}{_PACKED}")) as archive:
        opened = {entry.name: archive.extractfile(entry) for entry in archive}
        return {name: file.read() for name, file in opened.items() if file is not None}
