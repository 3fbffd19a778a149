"""The orders that were filed for a turn: orders/NNNN/KINGDOM.yaml and gm.yaml, read all at once, every problem told."""

import os
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
    return sorted(name.removesuffix(ENDING) for name in names if name.endswith(ENDING) and not name.startswith("."))


def files_in(folder: Path, seats: Iterable[str]) -> dict[str, bytes]:
    """Seat or `gm` -> the bytes of its file. Raises Faults where a file is not called for a seat."""
    try:
        names = sorted(os.listdir(folder))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise fault("not_readable", folder, reason=error.strerror) from None
    known = [*seats, GM]
    problems, files = [], {}
    for name in names:
        if name.startswith(".") or name.endswith("~"):
            continue  # what editors and file managers leave behind
        seat = name.removesuffix(ENDING)
        if seat in known and name != seat:
            files[seat] = store.read(folder / name)
        else:
            problems.append(_misnamed(folder / name, known))
    if problems:
        raise Faults(problems)
    return files


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
