"""A game of a few lines, from outside the package: what holds for it is known to hold without the realm."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

CAMPAIGN = """\
name: A tally
game: tally
seed: public, this is a test
public_seed: true
players: {ann: {name: Ann}, bob: {}}
"""
FILES = {"campaign.yaml": CAMPAIGN, "kingdoms/ann.yaml": "coins: 3\n", "kingdoms/bob.yaml": "coins: 5\n"}


def register() -> None:
    """Let the program find the game, as a folder beside its own would be found."""
    import kingdom.games

    here = str(Path(__file__).parent)
    if here not in kingdom.games.__path__:
        kingdom.games.__path__.append(here)


def campaign(folder: Path) -> Path:
    """A campaign of the tiny game, before turn 0."""
    for name, text in FILES.items():
        write(folder, name, text)
    return folder


def write(folder: Path, name: str, text: str) -> Path:
    """Write a file of a campaign."""
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def file_orders(folder: Path, turn: int, seat: str, text: str = "") -> Path:
    """File a seat's orders; `text` comes after the head."""
    head = f"turn: {turn}\n" if seat == "gm" else f"kingdom: {seat}\nturn: {turn}\n"
    return write(folder, f"orders/{turn:04}/{seat}.yaml", head + text)


def written(folder: Path, files: Mapping[str, str], filed: Mapping[int, Mapping[str, str]]) -> Path:
    """A campaign of any game in a folder: its files, and turn -> seat -> the orders filed, behind their head."""
    for name, text in files.items():
        write(folder, name, text)
    for turn, seats in filed.items():
        for seat, text in seats.items():
            file_orders(folder, turn, seat, text)
    return folder


def played(folder: Path, turns: int = 2) -> Path:
    """A campaign of the tiny game with so many turns kept after turn 0; Ann takes and buries, Bob files now and then."""
    from kingdom.cli.main import main

    if not (folder / "campaign.yaml").exists():
        campaign(folder)
    assert main(["turn", "--yes", str(folder)]) == 0
    for turn in range(1, turns + 1):
        file_orders(folder, turn, "ann", "take: 3\nbury: 1\n")
        if turn % 2:
            file_orders(folder, turn, "bob", "take: 9\n")
        assert main(["turn", "--yes", str(folder)]) == 0
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below the folder but the lock and what says where it lies, by its path inside: two that are equal are the same campaign."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".kingdom.lock" and path.parts[-2:] != ("mail", "place")
    }
