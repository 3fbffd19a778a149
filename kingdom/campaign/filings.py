"""The orders that were filed for a turn: orders/NNNN/KINGDOM.yaml and gm.yaml, read all at once, every problem told."""

import os
import re
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from kingdom.campaign import store
from kingdom.campaign.errors import fault, trouble
from kingdom.engine.game import AnyGame
from kingdom.engine.problems import Faults, Problem, nearest
from kingdom.engine.step import Orders
from kingdom.orders import orders_file as orders

GM = orders.GM
ENDING = ".yaml"
_ENDINGS = (".yaml", ".yml", ".txt")  # what a file of orders may be called by mistake


class Filings(NamedTuple):
    """What was filed for a turn. files: seat or `gm` -> the bytes as filed; orders: the same -> the long form.

    problems: of files that were left out because of them. bots: the seats for which a bot filed, and which.
    """

    files: dict[str, bytes]
    orders: dict[str, Orders]
    problems: tuple[Problem, ...] = ()
    bots: Mapping[str, str] = {}


def folder_of(campaign: Path, turn: int) -> Path:
    """Where the orders of a turn are filed."""
    return campaign / "orders" / store.name_of(turn)


def filed(folder: Path) -> list[str]:
    """The seats, and `gm`, that have a file there, whatever is in it; the files' names are not checked."""
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return []
    there = (name for name in names if name.endswith(ENDING) and not name.startswith(".") and _is_file(folder / name))
    return sorted(name.removesuffix(ENDING) for name in there)


def files_in(folder: Path, seats: Iterable[str]) -> dict[str, bytes]:
    """Seat or `gm` -> the bytes of its file. What systems drop there is left alone, and so is what is no file: `strays` names it.
    Raises Faults where a file may be meant for a seat that it is not called for."""
    try:
        names = sorted(os.listdir(folder))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise fault("not_readable", folder, reason=error.strerror) from None
    known = [*seats, GM]
    problems, files = [], {}
    for name in names:
        if name.startswith(".") or name.endswith("~") or _is_stray(folder / name, known):
            continue  # what editors and file managers leave behind
        seat = name.removesuffix(ENDING)
        if seat in known and name != seat:
            files[seat] = store.read(folder / name)
        else:
            problems.append(_misnamed(folder / name, known))
    if problems:
        raise Faults(problems)
    return files


def strays(folder: Path, seats: Iterable[str]) -> list[str]:
    """What lies among the orders and is left alone, but for what nobody sees; for telling."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    known = [*seats, GM]
    found = [name for name in names if not name.startswith(".") and not name.endswith("~")]
    return [os.fsencode(name).decode("utf-8", "backslashreplace") for name in found if _is_stray(folder / name, known)]


def misplaced(campaign: Path, turn: int, seats: Iterable[str]) -> list[str]:
    """What looks like orders of a turn and lies where nobody reads it, a sentence each: a folder that spells the turn otherwise, a
    seat's file beside the folders."""
    known, right = [*seats, GM], store.name_of(turn)
    try:
        names = [name for name in sorted(os.listdir(campaign / "orders")) if not name.startswith(".")]
    except OSError:
        return []
    found = []
    for name in names:
        place = campaign / "orders" / name
        numbers = re.findall(r"\d{1,9}", name)
        spelt = name != right and [int(number) for number in numbers] == [turn] and place.is_dir()
        beside = name.lower().endswith(_ENDINGS) and Path(name).stem.lower() in known and not place.is_dir()
        if spelt or beside:
            called = os.fsencode(name).decode("utf-8", "backslashreplace")
            found.append(f"orders/{called} is not read: the orders of turn {turn} belong in orders/{right}.")
    return found


def _is_stray(file: Path, known: list[str]) -> bool:
    """Whether it is no plain file, a copy that a program made of a seat's, `corvane.sync-conflict-1.yaml`, or no file of orders by
    its ending, and named for no seat."""
    if not _is_file(file):
        return True
    if not file.name.lower().endswith(_ENDINGS):
        return file.stem.lower() not in known
    copied = re.match(r"(\w+)\W", file.stem)
    return copied is not None and copied[1].lower() in known


def _is_file(file: Path) -> bool:
    """Whether it is a plain file, or a link to one: a pipe or a device would never end."""
    try:
        return stat.S_ISREG(os.stat(file).st_mode)
    except OSError:
        return False


def _misnamed(file: Path, known: list[str]) -> Problem:
    near = nearest(file.stem, known)
    sentence = f" Did you mean `{near}{ENDING}`?" if near else ""
    return trouble("orders_name", file, hint=near and f"{near}{ENDING}", cure=sentence)


def read(
    files: Mapping[str, bytes],
    folder: Path,
    game: AnyGame,
    rules: object,
    seats: Iterable[str],
    turn: int,
    lenient: bool = False,
) -> Filings:
    """The orders in these files. Raises Faults with all problems of all files, `folder` being what problems call theirs;
    lenient: a file with problems is left out instead, as if nothing had been filed."""
    names = {**game.names(rules), "seats": tuple(seats)}
    problems: list[Problem] = []
    found: dict[str, Orders] = {}
    for seat, data in files.items():
        filing = orders.read(data, str(folder / f"{seat}{ENDING}"), game, names, seat, turn)
        problems += filing.problems
        if filing.orders is not None:
            found[seat] = filing.orders
    if problems and not lenient:
        raise Faults(problems)
    return Filings({seat: files[seat] for seat in found}, found, tuple(problems))
