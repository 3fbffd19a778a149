"""A kept turn: a folder that is written whole, put in its place by one rename, and never changed afterwards.

turn.json names every other file of the folder with its digest, the turn before, and its own digest without that line;
so each turn vouches for itself and for the one before. Digests are SHA-256 in hex.
"""

import os
import re
import stat
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, TypedDict

import msgspec
from msgspec import Struct

from kingdom.campaign.errors import fault, trouble
from kingdom.engine.problems import Faults, Problem
from kingdom.engine.step import Notice
from kingdom.orders.late_patterns import late_pattern

FORMAT = 1  # of a turn's folder; raised when a newer one cannot be read by an older program
RECORD = "turn.json"
_NUMBER = re.compile(r"[0-9]{4,9}\Z")
_OWN = re.compile(rb'^ "digest": "[^"\n]*",\n', re.MULTILINE)
BROKEN = (
    msgspec.MsgspecError,
    UnicodeDecodeError,
    RecursionError,
)  # what reading JSON raises where it is none, or another
AS_IT_IS = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)  # how files are opened; each system has one of them
_AT_ONCE = 64  # files open at the same time
_KINDS = {  # what a JSON reader calls values -> what they are
    "int": "a whole number", "float": "a number", "str": "a text", "bool": "true or false", "array": "a list",
    "object": "keys with values", "null": "nothing",
}  # fmt: skip
_KIND = late_pattern(rf"`((?:{'|'.join(_KINDS)})(?: \| (?:{'|'.join(_KINDS)}))*)`")


class KeptNotice(TypedDict, total=False):  # what is missing is found by replay, not by reading
    """A notice as turn.json holds it: the fields of kingdom.engine.step.Notice."""

    kind: str
    phase: str
    step: str
    seat: str
    facts: dict[str, Any]


def kept_notice(notice: Notice) -> KeptNotice:
    """A notice as it is kept."""
    return {
        "kind": notice.kind,
        "phase": notice.phase,
        "step": notice.step,
        "seat": notice.seat,
        "facts": notice.facts,
    }


class Record(Struct, frozen=True):
    """turn.json. `digest` is its own; `files` maps each other file of the folder to its digest.

    previous: the digest of the turn before, which is that of its turn.json; "" for turn 0.
    corrects: the digest of the turn that this one was made instead of, with the same dice; "" for none.
    rules: the digest of the tables. seats: all of the campaign's. missing_orders, messages: as in campaign.yaml.
    bots: the seats for which a bot filed, and which. silent: seat -> turns in a row that asked for its orders and for which nobody filed.
    """

    digest: str
    format: int
    program: str
    game: str
    turn: int
    attempt: int
    previous: str
    corrects: str
    rules: str
    seats: list[str]
    missing_orders: str
    messages: bool
    files: dict[str, str]
    notices: list[KeptNotice]
    bots: dict[str, str] = {}
    silent: dict[str, int] = {}


def digest_of(data: bytes) -> str:
    """SHA-256 in hex."""
    return sha256(data).hexdigest()


def misnamed(turns: Path) -> list[Problem]:
    """What lies among the kept turns and is none, so that nothing counts what is in it."""
    return [trouble("stray", file, example=name_of(1), folder=turns.name) for file in strays(turns)]


def name_of(turn: int) -> str:
    """The name of a turn's folder."""
    return f"{turn:04}"


def numbers(turns: Path) -> list[int]:
    """The turns that are kept in the folder `turns`, ascending; a folder whose name spells its number otherwise is none."""
    return sorted(int(name) for name in listed(turns) if _is_name(name))


def _is_name(name: str) -> bool:
    return bool(_NUMBER.match(name)) and name == name_of(int(name))


def listed(folder: Path) -> list[str]:
    """The names in a folder, none where it is missing. Raises OSError: a link whose end is not there may lead to a disk that is away."""
    try:
        return os.listdir(folder)
    except FileNotFoundError:
        if folder.is_symlink():
            raise
        return []


def strays(folder: Path, is_ours: Callable[[str], bool] = _is_name) -> list[Path]:
    """What lies in a folder of turns and is no turn's folder; what begins with a dot is a file of the system or of a killed run."""
    others = [name for name in sorted(listed(folder)) if not name.startswith(".")]
    return [folder / name for name in others if not (is_ours(name) and stat.S_ISDIR(os.lstat(folder / name).st_mode))]


def sealed(record: Record) -> bytes:
    """The bytes of turn.json: the record with its own digest."""
    text = pretty(msgspec.structs.replace(record, digest=""))
    return text.replace(b'"digest": ""', f'"digest": "{own_digest(text)}"'.encode(), 1)


def pretty(value: object) -> bytes:
    """JSON with a line for each value, so that two of them can be compared line by line."""
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"


def own_digest(data: bytes) -> str:
    """The digest of a turn.json without the line that states it."""
    return digest_of(_OWN.sub(b"", data, 1))


def in_words(error: Exception) -> str:
    """What is wrong with JSON that could not be read, without the words of a programming language."""
    text = str(error).replace(" - at `$.", ", at `")
    text = text.replace("Object contains", "it contains the").replace("Object missing", "it lacks the")
    return _KIND.sub(lambda found: " or ".join(_KINDS[kind] for kind in found[1].split(" | ")), text)


class Kept(Struct, frozen=True):
    """A kept turn, its record proved. `digest` is that of its turn.json as `sha256sum` gives it."""

    folder: Path
    record: Record
    digest: str


def kept(folder: Path) -> Kept:
    """The turn that is kept in the folder. Raises Faults where its record is missing, broken, altered or of a newer format."""
    file = folder / RECORD
    data = plain(file)
    record = decode_record(data, file)
    if own_digest(data) != record.digest:
        raise fault("own_digest", file, 2, 1)
    return Kept(folder, record, digest_of(data))


def decode_record(data: bytes, file: Path) -> Record:
    """The record as it is written, its digest not yet proved."""
    try:
        found = msgspec.json.decode(data)
        if isinstance(found, dict) and isinstance(found.get("format"), int) and found["format"] > FORMAT:
            raise fault("newer_format", file, turn=found.get("turn"), format=found["format"], known=FORMAT)
        return msgspec.convert(found, Record)
    except BROKEN as error:
        raise fault("broken_record", file, reason=in_words(error)) from None


def read(file: Path) -> bytes:
    """A file's bytes. Raises Faults with the reason in words."""
    try:
        descriptor = os.open(file, os.O_RDONLY | AS_IT_IS)
        try:
            parts = []
            while part := os.read(descriptor, 1 << 20):
                parts.append(part)
            return b"".join(parts)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise fault("not_readable", file, reason=error.strerror or str(error)) from None


def plain(file: Path) -> bytes:
    """A file's bytes, if it is a plain file: a link may lead anywhere, and a pipe never ends. Raises Faults."""
    try:
        if not stat.S_ISREG(os.lstat(file).st_mode):
            raise fault("no_plain_file", file)
    except OSError as error:
        raise fault("not_readable", file, reason=error.strerror or str(error)) from None
    return read(file)


def file_of(turn: Kept, name: str) -> bytes:
    """A file of a kept turn. Raises Faults where it is not as it was kept."""
    data = read(turn.folder / name)
    if turn.record.files.get(name) != digest_of(data):
        raise fault("digest", turn.folder / name)
    return data


def names_in(folder: Path) -> list[str]:
    """Every file of a turn's folder but turn.json, by its path inside; what begins with a dot is no file of ours."""
    found = []
    for place, folders, files in os.walk(folder):
        files += [name for name in folders if os.path.islink(f"{place}/{name}")]  # which are not gone into
        folders[:] = [name for name in folders if not name.startswith(".")]
        inside = os.path.relpath(place, folder)
        found += [name if inside == "." else f"{inside}/{name}" for name in files if not name.startswith(".")]
    return sorted(name for name in found if name != RECORD)


def altered(folder: Path) -> tuple[Record | None, dict[str, bytes], list[Problem]]:
    """The record of a kept turn (None where it can't be read), its files, and every file that is not as it was kept."""
    file = folder / RECORD
    try:
        data = plain(file)
        record = decode_record(data, file)
    except Faults as faults:
        return None, {}, faults.problems
    problems = [] if own_digest(data) == record.digest else [trouble("own_digest", file, 2, 1)]
    files: dict[str, bytes] = {}
    names = names_in(folder)
    for name in names:
        if name not in record.files:
            problems.append(trouble("stranger", folder / name))
            continue
        try:
            files[name] = plain(folder / name)
        except Faults as faults:
            problems += faults.problems
            continue
        if digest_of(files[name]) != record.files[name]:
            problems.append(trouble("digest", folder / name))
    problems += [trouble("missing", folder / name) for name in record.files if name not in names]
    return record, files, problems


# --- writing ---------------------------------------------------------------------------------------------------------


def partial_of(turns: Path, turn: int) -> Path:
    """Where a turn is written before it is kept."""
    return turns / f".{name_of(turn)}.partial"


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a new folder with these files, all of them synced to the disk. Raises OSError."""
    os.makedirs(folder.parent, exist_ok=True)
    os.mkdir(folder)
    inner = sorted({name.rpartition("/")[0] for name in files if "/" in name})
    for name in inner:
        os.makedirs(folder / name, exist_ok=True)
    names = list(files)
    for start in range(0, len(names), _AT_ONCE):
        _write_some(folder, {name: files[name] for name in names[start : start + _AT_ONCE]})
    for name in ["", *inner]:
        sync_folder(folder / name)


def _write_some(folder: Path, files: Mapping[str, bytes], mode: int | None = None) -> None:
    """Write first and sync afterwards: the first sync then carries most of the others along. mode: who may read them, whatever the umask."""
    opened = []
    try:
        for name, data in files.items():
            descriptor = os.open(f"{folder}/{name}", os.O_WRONLY | os.O_CREAT | os.O_EXCL | AS_IT_IS, 0o666)
            opened.append(descriptor)
            if mode is not None:
                os.fchmod(descriptor, mode)
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
        for descriptor in opened:
            os.fsync(descriptor)
    finally:
        for descriptor in opened:
            os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Have the disk keep the names in a folder. Some file systems can't sync a folder; they are not asked twice."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | AS_IT_IS)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        pass
    finally:
        os.close(descriptor)


def write_file(file: Path, data: bytes) -> None:
    """Write one file anew, synced to the disk. Raises OSError."""
    file.unlink(missing_ok=True)
    _write_some(file.parent, {file.name: data})
    sync_folder(file.parent)


def prepared(file: Path, data: bytes) -> Path:
    """A file's new text beside it, so that one rename puts it in its place. Who could not read the old one can't read it. Raises OSError."""
    mode = os.stat(file).st_mode & 0o777
    partial = file.with_name(f".{file.name}.partial")
    write_file(partial, data)
    os.chmod(partial, mode)
    return partial


def make_folder(folder: Path, mode: int | None = None) -> None:
    """Make a folder where it is missing, and those above it, so that the disk keeps them. mode: who may read them, whatever the umask.

    Raises OSError.
    """
    missing = []
    while not folder.is_dir():
        missing.append(folder)
        folder = folder.parent
    for each in reversed(missing):
        os.mkdir(each)
        if mode is not None:
            os.chmod(each, mode)
        sync_folder(each.parent)


def put_files(folder: Path, files: Mapping[str, bytes], mode: int | None = None) -> None:
    """Write files into a folder that is there, each of them whole or not at all, synced to the disk. mode: who may read them, whatever
    the umask. Raises OSError."""
    partial = {name: f".{name}.partial" for name in files}
    for name in partial.values():
        (folder / name).unlink(missing_ok=True)
    names = list(files)
    for start in range(0, len(names), _AT_ONCE):
        _write_some(folder, {partial[name]: files[name] for name in names[start : start + _AT_ONCE]}, mode)
    for name in names:
        os.rename(folder / partial[name], folder / name)
    sync_folder(folder)


def move(old: Path, new: Path) -> None:
    """Put a finished folder in its place: the one rename that keeps a turn, or takes it back. Raises OSError."""
    os.rename(old, new)
    for folder in {old.parent, new.parent}:
        sync_folder(folder)


def remove(folders: Iterable[Path]) -> None:
    """Delete folders with all that is in them."""
    import shutil

    for folder in folders:
        shutil.rmtree(folder)
