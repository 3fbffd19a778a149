"""Turns that were taken back. They are kept aside in undone/NNNN-K, K from 1, and decide how the turn is run again.

Beside the folder may stand a mark NNNN-K.reopened, written before the turn is moved there: it lists the folders whose turns are
open for new orders since then. It counts only if its own folder exists, so the one rename of the turn decides both.
"""

from pathlib import Path

from msgspec import Struct

from kingdom.campaign import store
from kingdom.campaign.errors import fault
from kingdom.campaign.store import Kept
from kingdom.engine.regex import regex

FOLDER = "undone"
_NAME = regex(r"([0-9]{4,9})-([0-9]{1,9})\Z")
_MARK = ".reopened"


class UndoneTurn(Struct, frozen=True):
    """The latest undone folder of a turn. reopened: the turn is run again with new orders and new dice."""

    turn: Kept
    reopened: bool


def folders(campaign: Path) -> list[Path]:
    """Return the folders of all undone turns, by turn and then in the order in which they were taken back."""
    return [campaign / FOLDER / name_of(*key) for key in sorted(_keys(campaign))]


def name_of(turn: int, count: int) -> str:
    """Return the name of an undone folder."""
    return f"{store.name_of(turn)}-{count}"


def _keys(campaign: Path) -> list[tuple[int, int]]:
    return [key for name in store.listed(campaign / FOLDER) if (key := key_of(name))]


def key_of(name: str) -> tuple[int, int] | None:
    """Return (turn, count) of an undone folder's name; None for any other name, or one that spells these numbers differently."""
    match = _NAME.match(name)
    key = (int(match[1]), int(match[2])) if match else None
    return key if key and name_of(*key) == name else None


def strays(campaign: Path) -> list[Path]:
    """Return the entries of the folder of undone turns that are neither undone turns nor their marks."""
    others = store.strays(campaign / FOLDER, lambda name: key_of(name) is not None)
    marks = [file for file in others if file.name.endswith(_MARK) and key_of(file.name.removesuffix(_MARK))]
    return [file for file in others if file not in marks or file.is_symlink() or not file.is_file()]


def next_folder(campaign: Path, turn: int) -> Path:
    """Return the folder to which a turn will be moved when it is taken back."""
    count = max((count for number, count in _keys(campaign) if number == turn), default=0)
    return campaign / FOLDER / name_of(turn, count + 1)


def folder_of(campaign: Path, turn: int) -> Path:
    """Return the folder to which a turn was moved when it was last taken back. Raises ValueError if it never was."""
    return campaign / FOLDER / name_of(turn, max(count for number, count in _keys(campaign) if number == turn))


def latest(campaign: Path, turn: int) -> UndoneTurn | None:
    """Return the latest undone folder of a turn, None if it was never taken back. Raises Faults if its record is broken."""
    if all(number != turn for number, _ in _keys(campaign)):
        return None
    folder = folder_of(campaign, turn)
    kept = store.kept(folder)
    if kept.record.turn != turn:  # somebody copied another turn there
        raise fault("misplaced_turn", folder / store.RECORD, turn=kept.record.turn)
    return UndoneTurn(kept, folder.name in reopened(campaign))


def of(campaign: Path, turn: int) -> Kept:
    """Return the latest undone folder of a turn that was taken back. Raises Faults."""
    return store.kept(folder_of(campaign, turn))


def reopened(campaign: Path) -> set[str]:
    """Return the names of the undone folders whose turns are open for new orders."""
    names: set[str] = set()
    for folder in folders(campaign):
        mark = folder.with_name(folder.name + _MARK)
        if mark.is_file():
            names.update(store.read(mark).decode("utf-8", "replace").split())
    return names


def is_closed(campaign: Path, turn: int) -> bool:
    """Whether the turn was taken back and keeps the players' orders that it had: new ones do not count for it. Raises Faults."""
    before = latest(campaign, turn)
    return before is not None and not before.reopened


def is_reopened(campaign: Path, turn: int) -> bool:
    """Whether the turn was taken back and is open for new orders, with new dice. Raises Faults."""
    before = latest(campaign, turn)
    return before is not None and before.reopened


def attempt_of(campaign: Path, turn: int) -> int:
    """The number of the attempt at which the turn is run next, or was kept where it is kept."""
    before = latest(campaign, turn)
    return 1 if before is None else before.turn.record.attempt + before.reopened


def reopen(campaign: Path, folder: Path, turn: int) -> None:
    """Say that the turn which is about to be moved to `folder` is open for new orders, and with it every later one
    that was taken back: their orders and dice were for another history. Raises OSError."""
    latest_of = {number: count for number, count in sorted(_keys(campaign)) if number > turn}
    names = [folder.name, *(name_of(number, count) for number, count in latest_of.items())]
    store.make_folder(folder.parent)
    store.put_files(folder.parent, {folder.name + _MARK: "".join(f"{name}\n" for name in names).encode()})


def forget(folder: Path) -> None:
    """Delete the mark that a killed undo left for a folder that does not exist yet."""
    folder.with_name(folder.name + _MARK).unlink(missing_ok=True)
