"""Packing old turns, each into one archive in its folder: less room and fewer files, and every command reads them as before.

Each change is one rename, in this order: the archive comes in beside the turn's files; turn.json becomes the note that it counts;
the files go. So a kill leaves a turn that can be read, and packing once more finishes it. Nothing is packed that is not proved.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from kingdom.campaign import packed, store
from kingdom.campaign.errors import fault
from kingdom.engine.problems import Faults
from kingdom.render.progress import Told, silent


class Packed(NamedTuple):
    """What was packed: the turns, and how many files and bytes they had before and have now."""

    turns: list[int]
    files_before: int
    files: int
    bytes_before: int
    bytes: int


def pack(turns: Path, older_than: int, told: Told = silent) -> Packed:
    """Pack all turns but the newest `older_than` and turn 0, which tells what the campaign began with. Raises Faults and OSError; what
    is packed by then stays packed."""
    kept = store.numbers(turns)
    old = [number for number in kept if 0 < number <= kept[-1] - older_than]
    done = Packed([], 0, 0, 0, 0)
    for at, number in enumerate(old):
        told(f"turn {number} is packed", at, len(old))
        folder = turns / store.name_of(number)
        files, size = _size(folder)
        if _pack(folder, number):
            files_now, size_now = _size(folder)
            done = Packed(
                [*done.turns, number],
                done.files_before + files,
                done.files + files_now,
                done.bytes_before + size,
                done.bytes + size_now,
            )
    return done


def _pack(folder: Path, number: int) -> bool:
    """Pack a turn, or finish that; return whether anything was to be done. Raises Faults and OSError."""
    is_packed = packed.is_note(store.plain(folder / store.RECORD))
    loose = store.names_in(folder)
    if is_packed and not loose:
        return False
    _, files, problems = store.altered(folder)
    if problems:
        raise Faults(problems)
    if not is_packed:
        files[store.RECORD] = store.record_in(folder)
        data, place = packed.archive(files), folder / packed.ARCHIVE
        store.put_files(folder, {packed.ARCHIVE: data})
        if packed.files(store.plain(place), place) != files:
            place.unlink()
            raise fault("broken_archive", place, reason="the disk gives back other bytes than were written")
        note = packed.note(number, store.digest_of(files[store.RECORD]))
        store.put_files(folder, {store.RECORD: note})
    for name in loose:
        (folder / name).unlink()
    for name in sorted({name.rpartition("/")[0] for name in loose} - {""}, reverse=True):
        with suppress(OSError):  # something with a leading dot is in it, which is not ours
            os.rmdir(folder / name)
    store.sync_folder(folder)
    return True


def _size(folder: Path) -> tuple[int, int]:
    """Return how many files a turn has, and how many bytes."""
    sizes = [(Path(place) / name).stat().st_size for place, _, names in os.walk(folder) for name in names]
    return len(sizes), sum(sizes)
