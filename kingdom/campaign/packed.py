"""An old turn in one archive: how it is made and read. Its folder then holds two files, turn.json and turn.zip.

turn.zip has every file of the turn, the turn's own turn.json too; the reports, which are much alike, are one .tar.xz in it. The
turn.json beside it only says that they are there, in a format that programs before this one refuse by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import msgspec

from kingdom.campaign.errors import fault

ARCHIVE = "turn.zip"
FORMAT = 2  # of the turn.json beside an archive; a turn's own has a lower one
_BEGINS = b'{\n "format": 2,\n'  # a turn's own turn.json begins with its digest
_REPORTS = "reports.tar.xz"
_IS_REPORT = "reports/"
_MOST = 1 << 29  # bytes of all files; one that was made to fill the memory has more


def note(turn: int, digest: str) -> bytes:
    """Return the turn.json that stands beside an archive. digest: of the turn's own."""
    text = {"format": FORMAT, "turn": turn, "packed": ARCHIVE, "turn.json": digest}
    return msgspec.json.format(msgspec.json.encode(text), indent=1) + b"\n"


def is_note(data: bytes) -> bool:
    """Return whether a turn.json says that its turn is packed; git may have changed its line ends."""
    return data[:100].replace(b"\r\n", b"\n").startswith(_BEGINS)


def archive(files: Mapping[str, bytes]) -> bytes:
    """Return these files as an archive, the same bytes for the same files."""
    import tarfile
    import zipfile

    reports = BytesIO()
    with tarfile.open(fileobj=reports, mode="w:xz") as tar:
        for name in sorted(filter(_is_report, files)):
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(files[name]), 0o600
            tar.addfile(member, BytesIO(files[name]))
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for name in sorted(files):
            if not _is_report(name):
                file.writestr(zipfile.ZipInfo(name), files[name], zipfile.ZIP_DEFLATED, 9)
        file.writestr(zipfile.ZipInfo(_REPORTS), reports.getvalue(), zipfile.ZIP_STORED)
    return made.getvalue()


def files(data: bytes, place: Path) -> dict[str, bytes]:
    """Return the files of an archive. place: the archive, for what is wrong with it. Raises Faults if it is damaged."""
    names, reports = _opened(data, place)
    return names | reports


def member(data: bytes, place: Path, name: str) -> bytes | None:
    """Return one file of an archive, None if it does not have it. Raises Faults if it is damaged."""
    names, reports = _opened(data, place, name)
    return names.get(name) if not _is_report(name) else reports.get(name)


def _is_report(name: str) -> bool:
    return name.startswith(_IS_REPORT)


def _opened(data: bytes, place: Path, only: str = "") -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Return an archive's files, and its reports. only: the file that is asked for."""
    import lzma
    import tarfile
    import zipfile
    import zlib

    names: dict[str, bytes] = {}
    reports: dict[str, bytes] = {}
    room = _MOST
    broken = zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, OSError, EOFError, RuntimeError
    try:
        with zipfile.ZipFile(BytesIO(data)) as file:
            for info in file.infolist():
                if info.filename == _REPORTS or only in ("", info.filename):
                    room -= info.file_size
                    names[info.filename] = file.read(info) if room > 0 else b""
        tarred = names.pop(_REPORTS, b"")
        if tarred and (not only or _is_report(only)):
            with tarfile.open(fileobj=BytesIO(tarred), mode="r:xz") as tar:
                for entry in tar:
                    room -= entry.size
                    content = tar.extractfile(entry) if room > 0 and only in ("", entry.name) else None
                    reports |= {entry.name: content.read()} if content else {}
        if any(part in ("", ".", "..") for name in (*names, *reports) for part in name.replace("\\", "/").split("/")):
            raise ValueError("it names a file that is in no turn")
    except (*broken, ValueError, KeyError, NotImplementedError) as error:
        raise fault("broken_archive", place, reason=" ".join(str(error).split()) or "it ends early") from None
    if room <= 0:
        raise fault("broken_archive", place, reason=f"it has more than {_MOST >> 20} MB")
    return names, reports
