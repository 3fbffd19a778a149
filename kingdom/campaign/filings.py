"""The orders filed for a turn, orders/NNNN/KINGDOM.yaml and gm.yaml. All are read, and all their problems are reported at once."""

import os
import re
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

from kingdom.campaign import store
from kingdom.campaign.errors import fault, trouble
from kingdom.engine.game import AnyGame
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.problems import Faults, Problem, nearest
from kingdom.engine.step import Orders
from kingdom.orders import orders_file as orders

GM = orders.GM
ENDING = ".yaml"
_CURE = "Give it to the user that runs this program: `chown`."
_ENDINGS = (".yaml", ".yml", ".txt")  # endings that people give to files of orders


class Filings(NamedTuple):
    """The orders filed for a turn. files: seat or `gm` -> the bytes as filed; orders: seat or `gm` -> the long form.

    problems: those of files that were left out. bots: seat -> the bot that filed for it.
    """

    files: dict[str, bytes]
    orders: dict[str, Orders]
    problems: tuple[Problem, ...] = ()
    bots: Mapping[str, str] = {}


def folder_of(campaign: Path, turn: int) -> Path:
    """Return the folder in which the orders of a turn are filed."""
    return campaign / "orders" / store.name_of(turn)


def filed(folder: Path) -> list[str]:
    """Return the seats, and `gm`, that have a file in the folder, whatever it holds; the names are not checked. None of a folder that
    can't be read, which `unreadable` names."""
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    files = (name for name in names if name.endswith(ENDING) and not name.startswith(".") and _is_file(folder / name))
    return sorted(name.removesuffix(ENDING) for name in files)


def content(file: Path) -> bytes | None:
    """Return the bytes of an orders file; None if there is none, or if it can't be read: then `unreadable` names it."""
    try:
        return store.read(file) if _is_file(file) else None
    except Faults:
        return None


def unreadable(folder: Path, seats: Iterable[str]) -> list[str]:
    """Return a sentence for each orders file that this program's user can't read, or for their folder."""
    place = f"orders/{folder.name}"
    try:
        os.listdir(folder)
    except FileNotFoundError:
        return []
    except OSError as error:
        return [f"{place} can't be read ({error.strerror}), so no orders in it count. {_CURE}"]
    said = []
    for name in (f"{seat}{ENDING}" for seat in (*seats, GM)):
        try:
            if _is_file(folder / name):
                store.read(folder / name)
        except Faults as faults:
            why = faults.problems[0].message.removesuffix(".").partition(": ")[2]
            said.append(f"{place}/{name} can't be read ({why}), so it counts as missing. {_CURE}")
    return said


def files_in(folder: Path, seats: Iterable[str], unread: list[Problem] | None = None) -> dict[str, bytes]:
    """Return seat or `gm` -> the bytes of its file. Files that systems leave behind, and folders, are passed over; `strays` names them.

    unread: gets the problems of files that can't be read. Raises Faults for them if it is not given, for a file that is perhaps meant
    for a seat but has another name, and if the folder can't be read.
    """
    try:
        names = sorted(os.listdir(folder))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise fault("not_readable", folder, reason=error.strerror) from None
    known = [*seats, GM]
    problems: list[Problem] = []
    files: dict[str, bytes] = {}
    for name in names:
        if name.startswith(".") or name.endswith("~") or _is_stray(folder / name, known):
            continue  # editors and file managers leave these behind
        seat = name.removesuffix(ENDING)
        if seat in known and name != seat:
            try:
                files[seat] = store.read(folder / name)
            except Faults as faults:
                (problems if unread is None else unread).extend(faults.problems)
        else:
            near = nearest(Path(name).stem, known)
            sentence = f" Did you mean `{near}{ENDING}`?" if near else ""
            problems.append(trouble("orders_name", folder / name, hint=near and f"{near}{ENDING}", cure=sentence))
    if problems:
        raise Faults(problems)
    return files


def strays(folder: Path, seats: Iterable[str]) -> list[str]:
    """Return the names of files that are passed over among the orders, without hidden ones."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    known = [*seats, GM]
    visible = [name for name in names if not name.startswith(".") and not name.endswith("~")]
    return [
        os.fsencode(name).decode("utf-8", "backslashreplace") for name in visible if _is_stray(folder / name, known)
    ]


def misplaced(campaign: Path, turn: int, seats: Iterable[str]) -> list[str]:
    """Return a sentence for each file that looks like orders of a turn but lies where nobody reads it: in a folder that spells the turn
    differently, or beside the folders."""
    known, right = [*seats, GM], store.name_of(turn)
    try:
        names = [name for name in sorted(os.listdir(campaign / "orders")) if not name.startswith(".")]
    except OSError:
        return []
    sentences = []
    for name in names:
        place = campaign / "orders" / name
        numbers = re.findall(r"\d{1,9}", name)
        spelt = name != right and [int(number) for number in numbers] == [turn] and place.is_dir()
        beside = name.lower().endswith(_ENDINGS) and Path(name).stem.lower() in known and not place.is_dir()
        if spelt or beside:
            called = os.fsencode(name).decode("utf-8", "backslashreplace")
            sentences.append(f"orders/{called} is not read: the orders of turn {turn} belong in orders/{right}.")
    return sentences


def _is_stray(file: Path, known: list[str]) -> bool:
    """Return whether the file can be passed over: it is no plain file, or a program's copy of a seat's file
    (`corvane.sync-conflict-1.yaml`), or by its ending no orders, and named for no seat."""
    if not _is_file(file):
        return True
    if not file.name.lower().endswith(_ENDINGS):
        return file.stem.lower() not in known
    copied = re.match(r"(\w+)\W", file.stem)
    return copied is not None and copied[1].lower() in known


def _is_file(file: Path) -> bool:
    """Return whether it is a plain file or a link to one: reading a pipe or a device might never end."""
    try:
        return stat.S_ISREG(os.stat(file).st_mode)
    except OSError:
        return False


def read(
    files: Mapping[str, bytes],
    folder: Path,
    game: AnyGame,
    rules: object,
    seats: Iterable[str],
    turn: int,
    lenient: bool = False,
) -> Filings:
    """Read the orders in these files. Raises Faults with all problems of all files; problems name `folder` as theirs.
    lenient: a file with problems is left out instead, as if its seat had filed nothing."""
    names = {**game.names(rules), "seats": tuple(seats)}
    problems: list[Problem] = []
    long_forms: dict[str, Orders] = {}
    for seat, data in files.items():
        filing = orders.read(data, str(folder / f"{seat}{ENDING}"), game, names, seat, turn)
        problems += filing.problems
        if filing.orders is not None:
            long_forms[seat] = filing.orders
    if problems and not lenient:
        raise Faults(problems)
    return Filings({seat: files[seat] for seat in long_forms}, long_forms, tuple(problems))
