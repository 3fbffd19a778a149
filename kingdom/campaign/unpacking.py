"""An archive of a campaign, unpacked for a while: whoever got one can prove it without unpacking it."""

from __future__ import annotations

import os
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kingdom.campaign.errors import fault, writing
from kingdom.campaign.settings import FILE

_MOST = 4 << 30  # bytes that an archive may hold, and
_FILES = 2_000_000  # files: anybody may send one
_BROKEN = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError)
_AT_ONCE = 1 << 20


@contextmanager
def unpacked(file: Path) -> Iterator[Path]:
    """Yield the folder of the campaign in an archive, which is taken away again afterwards. Raises Faults."""
    with tempfile.TemporaryDirectory(prefix="kingdom-archive-") as place, writing(place):
        try:
            with zipfile.ZipFile(file) as packed:
                folder = _unpack(file, packed, Path(place))
        except _BROKEN as error:
            raise fault("no_zip", file, reason=" ".join(str(error).split())[:200] or "it is damaged") from None
        yield folder


def _unpack(file: Path, packed: zipfile.ZipFile, place: Path) -> Path:
    entries = [entry for entry in packed.infolist() if not entry.is_dir()]
    if len(entries) > _FILES or sum(entry.file_size for entry in entries) > _MOST:
        raise fault("no_zip", file, reason="it holds more than any campaign")
    above = {entry.filename.partition("/")[0] for entry in entries if entry.filename.count("/") == 1}
    roots = [name for name in above if f"{name}/{FILE}" in packed.NameToInfo]
    if len(roots) != 1:
        raise fault("no_zip", file, reason="no folder with a campaign.yaml is in it")
    for entry in entries:
        parts = entry.filename.split("/")
        if parts[0] != roots[0] or any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in parts):
            raise fault("no_zip", file, reason=f"it holds `{entry.filename[:100]}`, which is no file of a campaign")
        target = place.joinpath(*parts)
        os.makedirs(target.parent, exist_ok=True)
        with packed.open(entry) as source, open(target, "xb") as out:
            left = entry.file_size  # no more than it says of itself
            while left and (part := source.read(min(left, _AT_ONCE))):
                out.write(part)
                left -= len(part)
    return place / roots[0]
