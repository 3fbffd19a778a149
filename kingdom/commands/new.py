"""kingdom new: the folder of a campaign that can be run as it is."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any

from kingdom import game as games
from kingdom.commands import Said
from kingdom.problems import cure
from kingdom.troubles import fault, writing

_SEED_BYTES = 32
_TOKEN_BYTES = 4
_TOKENS = 100


def run(args: Any) -> Said:
    """Writes all files of the campaign into a folder beside, and gives it its name in one step."""
    folder = Path(args.folder)
    if args.game not in games.names():
        raise fault("no_game", folder, word=args.game, cure=cure(args.game, games.names()))
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise fault("folder_in_use", folder)
    files = games.load(args.game).new(args.kingdoms, _options(args, folder))
    partial = folder.with_name(f".{folder.name}.partial-{secrets.token_hex(4)}")
    with writing(folder):
        for name, text in files.items():
            file = partial / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        os.replace(partial, folder)
    return Said([f"{folder} holds a new campaign. `kingdom turn {folder}` makes turn 0 and its reports."])


def _options(args: Any, folder: Path) -> dict[str, Any]:
    """What is secret and random comes from here: a game itself has no randomness but its dice."""
    return {
        "name": folder.name.replace("_", " ").replace("-", " ").title(),
        "seed": secrets.token_hex(_SEED_BYTES),
        "tokens": [secrets.token_hex(_TOKEN_BYTES) for _ in range(_TOKENS)],
        "size": args.size,
        "bots": args.bots,
    }
