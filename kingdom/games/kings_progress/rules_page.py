"""The page of the rules: each ruling with its figures, and how long a game is at each pace."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from kingdom.engine.game import Facts
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.steps.rounds import windows
from kingdom.games.kit.rules_page import rulebook as rulebook_of


def rulebook(rules: Facts, own: Facts) -> dict[str, object]:
    """What the kit's page shows; rounds; pace, and paces: what each is and how many turns a game takes at it."""
    return {
        **rulebook_of(rules, own),
        "rounds": len(rules["box"]["values"]),
        "pace": rules["pace"],
        "paces": _paces(rules),
    }


def _paces(rules: Facts) -> list[dict[str, str]]:
    """Each pace with its windows in words, and the turns of a game by the number of players."""
    typed = msgspec.convert(rules, Rules)
    players = range(typed.box.least_players, typed.box.most_players + 1)
    paces = []
    for name, pace in typed.paces.items():
        turns = [windows(count, replace(typed, pace=name)) for count in players]
        several = f"{', '.join(map(str, turns))} with {', '.join(map(str, players))} players"
        paces.append({
            "name": name,
            "text": pace.text,
            "windows": " / ".join(" + ".join(phase.replace("_", " ") for phase in phases) for phases in pace.windows),
            "turns": str(turns[0]) if len(set(turns)) == 1 else several,
        })  # fmt: skip
    return paces
