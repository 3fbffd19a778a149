"""kingdom new: a new campaign that can be run as it is."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Protocol

from kingdom.campaign import lock, store
from kingdom.campaign.errors import fault, writing
from kingdom.campaign.settings import new_token
from kingdom.cli.commands import USAGE, Said
from kingdom.engine import game
from kingdom.engine.problems import cure

_TOKENS = 100  # more than a campaign has seats


class Args(Protocol):
    """What is typed behind `kingdom new`."""

    folder: str
    game: str
    kingdoms: int | None
    size: tuple[int, int] | None
    bots: int


def run(args: Args) -> Said:
    """Writes the folder whole or not at all. Exit code 2 where no such campaign can be made."""
    lock.prove()
    folder = Path(args.folder)
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise fault("folder_in_use", folder)
    if args.game not in game.names():
        raise fault("no_game", folder, word=args.game, cure=cure(args.game, game.names())[0])
    options = {
        "name": folder.resolve().name.replace("_", " ").replace("-", " ").title(),
        "seed": secrets.token_hex(32),
        "tokens": [new_token() for _ in range(_TOKENS)],
        "size": args.size,
        "bots": args.bots,
    }
    try:
        files = game.load(args.game).opening.new(args.kingdoms, options)
    except ValueError as wrong:
        return Said(notes=[str(wrong)], code=USAGE)
    _write(folder, {name: text.encode() for name, text in files.items()})
    names = f"Put the players' names into {folder}/campaign.yaml, then type: kingdom turn {folder}"
    return Said([f"A new campaign is in {folder}.", names])


def _write(folder: Path, files: dict[str, bytes]) -> None:
    partial = folder.resolve().with_name(f".{folder.resolve().name}.partial")
    with writing(folder):
        if partial.exists():  # what a killed run left
            store.remove([partial])
        store.write(partial, files)
        os.makedirs(partial / "orders" / store.name_of(1))
        store.move(partial, folder.resolve())
