"""What players and the GM read: the report, the board, the form as text; here, the page of the rules.

The page shows each ruling with its figures and how a campaign changes it, and how long a game is, drawn from the tables' own
data; the prose around it stands in templates/kings_progress/rules.md, and takes its figures from here too.
"""

from __future__ import annotations

import msgspec

from kingdom.engine.game import Facts
from kingdom.games.kings_progress.rules import TABLES, Rules
from kingdom.games.kings_progress.state import replace
from kingdom.games.kings_progress.steps.rounds import windows
from kingdom.games.kit.rules_page import changed, ruling

PACE = "pace"  # the one ruling that is a word


def rulebook(rules: Facts, own: Facts) -> dict[str, object]:
    """All that the page of the rules shows. rules: the tables as played, as plain data; own: the game's own tables.

    figures: table or ruling -> its data, for the prose. rulings: name, text, figures, the line of campaign.yaml that sets
    them. paces: what each is and how many turns a game takes at it. changed: the rulings that are not the game's own.
    """
    rulings = [ruling(name, rules[name], own[name]) for name in rules if name not in (*TABLES, PACE)]
    own_pace = [PACE] if rules[PACE] != own[PACE] else []
    return {
        "figures": rules,
        "rounds": len(rules["box"]["values"]),
        "pace": rules[PACE],
        "paces": _paces(rules),
        "rulings": rulings,
        "changed": own_pace + changed(rulings),
    }


def _paces(rules: Facts) -> list[dict[str, str]]:
    """Each pace with its windows in words, and the turns of a game by the number of players."""
    typed = msgspec.convert(rules, Rules)
    players = range(typed.box.least_players, typed.box.most_players + 1)
    found = []
    for name, pace in typed.paces.items():
        turns = [windows(count, replace(typed, pace=name)) for count in players]
        several = f"{', '.join(map(str, turns))} with {', '.join(map(str, players))} players"
        found.append({
            "name": name,
            "text": pace.text,
            "windows": " / ".join(" + ".join(phase.replace("_", " ") for phase in phases) for phases in pace.windows),
            "turns": str(turns[0]) if len(set(turns)) == 1 else several,
        })  # fmt: skip
    return found
