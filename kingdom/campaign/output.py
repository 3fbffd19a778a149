"""Writing files for a person or another program: the file is written whole, or stays as it was."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kingdom.campaign import store
from kingdom.campaign.errors import not_written, writing


@contextmanager
def whole(file: Path) -> Iterator[Path]:
    """Yield a temporary name beside the file. What the block writes there then takes the file's place, synced to the disk.

    If writing fails, the file stays as it was and nothing else is left behind. Raises Faults.
    """
    partial = file.with_name(f".{file.name}.partial")
    try:
        partial.write_bytes(b"")  # if that fails, the user hears it before the work begins
        try:
            yield partial
            descriptor = os.open(partial, os.O_RDONLY | store.AS_IT_IS)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            os.replace(partial, file)
        finally:
            partial.unlink(missing_ok=True)
        store.sync_folder(file.parent)
    except OSError as error:
        raise not_written(error, file) from None


def put(file: Path, data: bytes) -> None:
    """Write a file whole or not at all; something else, such as /dev/stdout, is written to directly. Raises Faults."""
    real = Path(os.path.realpath(file)) if file.is_symlink() else file
    if real.exists() and not real.is_file():
        with writing(file):
            real.write_bytes(data)
        return
    with whole(real) as partial:
        partial.write_bytes(data)
