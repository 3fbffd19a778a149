"""A kept turn: a folder that is written whole, put in its place by one rename, and never changed afterwards.

turn.json holds the digest of every other file in the folder, the digest of the turn before, and its own digest, which is
that of turn.json without the line that states it. So each turn proves itself and the one before. Digests are SHA-256 in hex.
What reads here also reads a turn that was packed since (packing.py).

Long: what a kept turn's folder holds, and how it is read, proved and written, each in one way alone.
"""

import errno
import os
import re
import stat
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypedDict, cast

import msgspec
from msgspec import Struct

from kingdom.campaign import packed
from kingdom.campaign.errors import LACKING, fault, trouble
from kingdom.engine.problems import Faults, Problem
from kingdom.engine.regex import regex
from kingdom.engine.step import Notice

FORMAT = 1  # of a turn's folder; it goes up when older programs can't read what a newer one writes
RECORD = "turn.json"
# ending of the mark of a folder whose copy elsewhere counts; it stands beside the folder and says where
MOVED = ".moved"
_NUMBER = regex(r"[0-9]{4,9}\Z")
_OWN = regex(rb'^ "digest": "[^"\n]*",\n', re.MULTILINE)
# what reading JSON raises if it is broken or not of this shape
BROKEN = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
# flags for opening files: closed to other programs; on Windows, line ends as they are
AS_IT_IS = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_AT_ONCE = 64  # files open at the same time
_KINDS = {  # a JSON reader's word for a value -> ours
    "int": "a whole number", "float": "a number", "str": "a text", "bool": "true or false", "array": "a list",
    "object": "keys with values", "null": "nothing",
}  # fmt: skip
_KIND = regex(rf"`((?:{'|'.join(_KINDS)})(?: \| (?:{'|'.join(_KINDS)}))*)`")


class KeptNotice(TypedDict, total=False):  # a missing key is no error when it is read; `replay` finds it
    """A notice as turn.json holds it: the fields of kingdom.engine.step.Notice."""

    kind: str
    phase: str
    step: str
    seat: str
    facts: dict[str, Any]


def kept_notice(notice: Notice) -> KeptNotice:
    """Return a notice as turn.json holds it."""
    return cast("KeptNotice", notice._asdict())


class Replaced(Struct, frozen=True):
    """Commitments to the dice of a turn that held no longer when it was played. why: `reseed`, `ended` or `reopened`, as
    kingdom/campaign/commitment.py says them; commitments: seat, and `gm`, -> commitment."""

    why: str
    commitments: dict[str, str]


class Record(Struct, frozen=True):
    """turn.json. `digest` is its own; `files` maps each other file of the folder to its digest.

    previous: the digest of turn.json of the turn before; "" for turn 0.
    corrects: the digest of the turn that this one replaced, with the same dice; "" for none.
    rules: the digest of the tables. seats: all of the campaign's. missing_orders, messages: as in campaign.yaml.
    bots: seat -> the bot that filed for it. silent: seat -> turns in a row that asked it for orders and got none.
    expected: seat -> what it had to expect of its orders before the dice fell, where the game says it.
    commitments, promised: seat, and `gm`, -> the commitment to the dice of this turn, and to those of the next one, as its reports give it
    (none at the end). replaced: those to this turn's dice that held no longer when it was played, the oldest first. untold: the seats to
    which no mail of the campaign brought the commitments that replaced them. anew: how the digests begin of
    other turns of this number whose reports readers may have. public_seed: as in campaign.yaml.
    Programs before 0.4 wrote none of these.
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
    expected: dict[str, dict[str, dict[str, float]]] = {}
    commitments: dict[str, str] = {}
    promised: dict[str, str] = {}
    replaced: list[Replaced] = []
    untold: list[str] = []
    anew: list[str] = []
    public_seed: bool | None = None


def digest_of(data: bytes) -> str:
    """Return the SHA-256 in hex."""
    return sha256(data).hexdigest()


def misnamed(turns: Path) -> list[Problem]:
    """Return a problem for each entry among the kept turns that is not a turn's folder and is therefore not read."""
    return [trouble("stray", file, example=name_of(1), folder=turns.name) for file in strays(turns)]


def name_of(turn: int) -> str:
    """Return the name of a turn's folder."""
    return f"{turn:04}"


def numbers(turns: Path) -> list[int]:
    """Return the numbers of the turns kept in the folder `turns`, ascending. A folder that spells its number differently is no turn, nor
    is one whose copy elsewhere counts."""
    names = {*listed(turns)}
    return sorted(int(name) for name in names if _is_name(name) and f".{name}{MOVED}" not in names)


def _is_name(name: str) -> bool:
    return bool(_NUMBER.match(name)) and name == name_of(int(name))


def listed(folder: Path) -> list[str]:
    """Return the names in a folder, [] if it is missing. Raises OSError for a dead link, which may lead to a disk that is not mounted."""
    try:
        return os.listdir(folder)
    except FileNotFoundError:
        if folder.is_symlink():
            raise
        return []


def strays(folder: Path, is_ours: Callable[[str], bool] = _is_name) -> list[Path]:
    """Return the entries of a folder of turns that are not turns. Names with a leading dot are left out: the system or a killed run
    made them."""
    others = [name for name in sorted(listed(folder)) if not name.startswith(".")]
    return [folder / name for name in others if not (is_ours(name) and stat.S_ISDIR(os.lstat(folder / name).st_mode))]


def sealed(record: Record) -> bytes:
    """Return the bytes of turn.json: the record with its own digest."""
    return _with_digest(pretty(msgspec.structs.replace(record, digest="")))


def sealed_anew(data: bytes, files: Mapping[str, str]) -> bytes:
    """Return a turn.json of ours for other files: name -> digest of each. All else stays as it is to the letter."""
    record = msgspec.json.decode(data, type=dict[str, Any])
    return _with_digest(pretty({**record, "digest": "", "files": files}))


def _with_digest(text: bytes) -> bytes:
    return text.replace(b'"digest": ""', f'"digest": "{own_digest(text)}"'.encode(), 1)


def pretty(value: object) -> bytes:
    """Return JSON with a line for each value, so that files can be compared line by line."""
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"


def own_digest(data: bytes) -> str:
    """Return the digest of a turn.json without the line that states it."""
    return digest_of(_OWN.sub(b"", data, 1))


def has_other_line_ends(folder: Path) -> bool:
    """Return whether a kept turn is as it was kept but for the ends of its lines, which git may have changed. Raises Faults."""
    data = record_in(folder)
    as_kept = data.replace(b"\r\n", b"\n")
    return as_kept != data and own_digest(as_kept) == decode_record(data, folder / RECORD).digest


def in_words(error: Exception) -> str:
    """Say why JSON could not be read, without words of a programming language."""
    text = str(error).replace(" - at `$.", ", at `")
    text = text.replace("Object contains", "it contains the").replace("Object missing", "it lacks the")
    return _KIND.sub(lambda match: " or ".join(_KINDS[kind] for kind in match[1].split(" | ")), text)


class Kept(Struct, frozen=True):
    """A kept turn whose record is proved. `digest` is that of its turn.json, as `sha256sum` gives it."""

    folder: Path
    record: Record
    digest: str


def kept(folder: Path) -> Kept:
    """Return the turn kept in a folder. Raises Faults if its record is missing, broken, altered or of a newer format."""
    data = record_in(folder)
    return Kept(folder, _proved(data, folder), digest_of(data))


@lru_cache(maxsize=2)  # of a turn and the one before it, which each seat's report asks for
def _proved(data: bytes, folder: Path) -> Record:
    record = decode_record(data, folder / RECORD)
    if own_digest(data) != record.digest:
        if has_other_line_ends(folder):
            raise fault("line_ends", folder.parent)
        raise fault("own_digest", folder / RECORD, 2, 1)
    return record


def decode_record(data: bytes, file: Path) -> Record:
    """Decode a record; its digest is not proved."""
    try:
        decoded = msgspec.json.decode(data)
        if isinstance(decoded, dict) and isinstance(decoded.get("format"), int) and decoded["format"] > FORMAT:
            raise fault("newer_format", file, turn=decoded.get("turn"), format=decoded["format"], known=FORMAT)
        return msgspec.convert(decoded, Record)
    except BROKEN as error:
        raise fault("broken_record", file, reason=in_words(error)) from None


def record_in(folder: Path) -> bytes:
    """Return the turn.json with which a turn was kept, out of its archive if it is packed. Raises Faults."""
    data = plain(folder / RECORD)
    inside = _in_archive(folder / RECORD) if packed.is_note(data) else data
    if inside is None:
        raise fault("broken_archive", folder / packed.ARCHIVE, reason=f"it is missing, or has no {RECORD}")
    return inside


def _in_archive(file: Path) -> bytes | None:
    """Return a file of a packed turn; None for any other. Raises Faults."""
    for folder in file.parents[:2]:  # of the turn, or of its orders or reports
        if (folder / packed.ARCHIVE).is_file():
            place = folder / packed.ARCHIVE
            return packed.member(plain(place), place, file.relative_to(folder).as_posix())
    return None


def read(file: Path) -> bytes:
    """Read a file; one of a packed turn out of its archive. Raises Faults with the reason in words."""
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
        inside = _in_archive(file) if isinstance(error, FileNotFoundError) else None
        if inside is None:
            raise fault("not_readable", file, reason=error.strerror or str(error)) from None
        return inside


def plain(file: Path) -> bytes:
    """Read a plain file, no link (it may lead anywhere) and no pipe (it may never end). Raises Faults."""
    try:
        if not stat.S_ISREG(os.lstat(file).st_mode):
            raise fault("no_plain_file", file)
    except OSError as error:
        raise fault("not_readable", file, reason=error.strerror or str(error)) from None
    return read(file)


def file_of(turn: Kept, name: str) -> bytes:
    """Read a file of a kept turn. Raises Faults if it was altered."""
    data = read(turn.folder / name)
    if turn.record.files.get(name) != digest_of(data):
        raise fault("digest", turn.folder / name)
    return data


def names_in(folder: Path) -> list[str]:
    """Return the paths of all files in a turn's folder, except turn.json, an archive, and names with a leading dot, which are not ours."""
    names = []
    for place, folders, files in os.walk(folder):
        files += [name for name in folders if os.path.islink(f"{place}/{name}")]  # os.walk does not enter these
        folders[:] = [name for name in folders if not name.startswith(".")]
        inside = os.path.relpath(place, folder)
        names += [name if inside == "." else f"{inside}/{name}" for name in files if not name.startswith(".")]
    return sorted(name for name in names if name not in (RECORD, packed.ARCHIVE))


def altered(folder: Path) -> tuple[Record | None, dict[str, bytes], list[Problem]]:
    """Return the record of a kept turn (None if it can't be read), its files, and a problem for each altered file."""
    file, archive = folder / RECORD, folder / packed.ARCHIVE
    try:
        data = plain(file)
        is_packed = packed.is_note(data)
        inside = packed.files(plain(archive), archive) if is_packed else {}
        data = inside.pop(RECORD, data)
        record = decode_record(data, file)
    except Faults as faults:
        return None, {}, faults.problems
    problems = [] if own_digest(data) == record.digest else [trouble("own_digest", file, 2, 1)]
    files: dict[str, bytes] = {}
    loose = names_in(folder)  # of a packed turn what a killed run left
    names = sorted({*loose, *inside})
    for name in names:
        if name not in record.files:
            problems.append(trouble("stranger", folder / name))
            continue
        try:
            files[name] = plain(folder / name) if name in loose else inside[name]
        except Faults as faults:
            problems += faults.problems
            continue
        if digest_of(files[name]) != record.files[name]:
            problems.append(trouble("digest", folder / name))
    problems += [trouble("missing", folder / name) for name in record.files if name not in names]
    if problems and not is_packed and packed.is_note(plain(file)):  # packed while it was read
        return altered(folder)
    return record, files, problems


# --- writing ---------------------------------------------------------------------------------------------------------


def partial_of(turns: Path, turn: int) -> Path:
    """Return the folder in which a turn is written before it is kept."""
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
    """Write all files, then sync them: the first sync also writes most of the others to the disk. mode: their permissions, whatever the umask."""
    opened = []
    try:
        for name, data in files.items():
            descriptor = os.open(f"{folder}/{name}", os.O_WRONLY | os.O_CREAT | os.O_EXCL | AS_IT_IS, 0o666)
            opened.append(descriptor)
            if mode is not None:
                permit(descriptor, mode)
            _write_all(descriptor, data)
        for descriptor in opened:
            sync(descriptor)
    finally:
        for descriptor in opened:
            os.close(descriptor)


def write_over(descriptor: int, data: bytes) -> None:
    """Give an open file this content, synced to the disk; it is empty if the disk does not take all of it. Raises OSError."""
    try:
        os.ftruncate(descriptor, 0)
        _write_all(descriptor, data)
        sync(descriptor)
    except OSError:
        with suppress(OSError):
            os.ftruncate(descriptor, 0)
        raise


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def sync(descriptor: int) -> None:
    """Sync an open file to the disk, as far as the file system can do that at all. Raises OSError."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in LACKING:
            raise


def permit(file: Path | int, mode: int) -> None:
    """Set who may read and write a file of ours, by its path or open. A file system without such rights, or where all files are
    its mount's, decides that itself. Raises OSError."""
    try:
        os.chmod(file, mode)
    except OSError as error:
        if error.errno not in LACKING:
            raise


def sync_folder(folder: Path) -> None:
    """Sync the names in a folder to the disk. Do nothing if the file system can't do that."""
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
    """Write one file, synced to the disk. Raises OSError."""
    file.unlink(missing_ok=True)
    _write_some(file.parent, {file.name: data})
    sync_folder(file.parent)


def prepared(file: Path, data: bytes) -> Path:
    """Write a file's new text beside it, with the permissions of the old one, ready for one rename. Raises OSError."""
    mode = os.stat(file).st_mode & 0o777
    partial = file.with_name(f".{file.name}.partial")
    write_file(partial, data)
    permit(partial, mode)
    return partial


def make_folder(folder: Path, mode: int | None = None) -> None:
    """Make a folder and its parents if missing, synced to the disk. mode: their permissions, whatever the umask.

    Raises OSError.
    """
    missing = []
    while not folder.is_dir():
        missing.append(folder)
        folder = folder.parent
    for part in reversed(missing):
        os.mkdir(part)
        if mode is not None:
            permit(part, mode)
        sync_folder(part.parent)


def put_files(folder: Path, files: Mapping[str, bytes], mode: int | None = None, are_names_synced: bool = True) -> None:
    """Write files into an existing folder, each whole or not at all, synced to the disk. mode: their permissions, whatever
    the umask. are_names_synced: else the caller syncs the folder. Raises OSError."""
    partial = {name: f".{name}.partial" for name in files}
    for name in partial.values():
        (folder / name).unlink(missing_ok=True)
    names = list(files)
    for start in range(0, len(names), _AT_ONCE):
        _write_some(folder, {partial[name]: files[name] for name in names[start : start + _AT_ONCE]}, mode)
    for name in names:
        os.rename(folder / partial[name], folder / name)
    if are_names_synced:
        sync_folder(folder)


def move(old: Path, new: Path) -> None:
    """Move a finished folder into its place: the one rename that keeps a turn or takes it back. Raises OSError."""
    if _mark_of(new).exists():  # or what comes here would count as moved away
        end_move(new)
    try:
        os.rename(old, new)
    except OSError as error:
        if error.errno != errno.EXDEV or not old.is_dir() or old == _partial_of(new):
            raise
        _move_by_copy(old, new)
    for folder in {old.parent, new.parent}:
        sync_folder(folder)


def _move_by_copy(old: Path, new: Path) -> None:
    """Move a folder that can't be renamed, as it came with a container's image: copy it, then say by a mark that the copy counts, which is
    decided by one rename as well. Raises OSError."""
    import shutil

    partial = _partial_of(new)
    if partial.exists():
        remove([partial])
    shutil.copytree(old, partial)
    for folder, _, names in os.walk(partial):
        for name in names:
            sync_file(Path(folder, name))
        sync_folder(Path(folder))
    put_files(old.parent, {_mark_of(old).name: os.fsencode(os.path.relpath(new, old.parent))})
    with suppress(OSError, Faults):  # it is decided; what this can't do, the next run does
        end_move(old)


def _partial_of(new: Path) -> Path:
    return new.with_name(f".{new.name}.partial")


def _mark_of(old: Path) -> Path:
    return old.with_name(f".{old.name}{MOVED}")


def end_move(old: Path) -> None:
    """Put the copy of a folder into its place and delete the folder, once its mark says that the copy counts. Raises OSError."""
    mark = _mark_of(old)
    new = Path(os.path.normpath(old.parent / os.fsdecode(read(mark))))
    partial = _partial_of(new)
    if partial.exists():
        os.rename(partial, new)
        sync_folder(new.parent)
    if old.exists() and new.exists():
        remove([old])
    mark.unlink()
    sync_folder(old.parent)


def sync_file(file: Path) -> None:
    """Sync a file's content to the disk. Raises OSError."""
    descriptor = os.open(file, os.O_RDONLY | AS_IT_IS)
    try:
        sync(descriptor)
    finally:
        os.close(descriptor)


def remove(folders: Iterable[Path]) -> None:
    """Delete folders with their content."""
    import shutil

    for folder in folders:
        shutil.rmtree(folder)
