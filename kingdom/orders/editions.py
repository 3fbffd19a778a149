"""Editions of a game's rules: the tables in data/*.yaml are the newest, and data/editions/N.yaml leads back to the Nth.

A campaign plays the edition that its campaign.yaml names, by default the first. If it names no edition, and its newest turn was played by
rules that lack a table of the first edition, it is older than editions and goes on by these rules. So newer programs play an old campaign on by the
rules that it began with, until its GM says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from kingdom.engine.game import AnyGame


def newest(game: AnyGame) -> int:
    """Return the newest edition of a game's rules, from 1."""
    return 1 + len(list(game.data.glob("editions/*.yaml")))


def steps_back(game: AnyGame, edition: int) -> list[bytes]:
    """Return the texts that lead from the newest edition back to this one, in the order in which they are laid over the tables."""
    return [(game.data / f"editions/{number}.yaml").read_bytes() for number in range(newest(game) - 1, edition - 1, -1)]


def step_back(data: Mapping[str, object], text: bytes) -> dict[str, object]:
    """Return the tables with one such text laid over them: maps merge, and a null removes what that edition did not have. What the tables do not
    have, since a test or a campaign plays without it, stays away."""
    return _laid(data, msgspec.yaml.decode(text, type=dict[str, object] | None) or {})


def _laid(data: Mapping[str, object], older: Mapping[str, object]) -> dict[str, object]:
    found = dict(data)
    for key, value in older.items():
        now = found.get(key)
        if value is None:
            found.pop(key, None)
        elif key in found:
            found[key] = _laid(now, value) if isinstance(now, dict) and isinstance(value, dict) else value
    return found


def gone_on(
    own: Mapping[str, object], began: Mapping[str, object], changed: frozenset[str], path: str = ""
) -> dict[str, object]:
    """Return kept tables without the changes of a campaign: what it changed is as the edition has it, and what the edition does not have is gone.

    own: the edition's tables. changed: the dotted names of what the campaign had changed, added or taken away.
    """
    found: dict[str, object] = {}
    for key, was in began.items():
        where, now = f"{path}.{key}" if path else key, own.get(key)
        if where in changed:
            found |= {key: now} if key in own else {}
        elif isinstance(was, Mapping) and isinstance(now, Mapping):
            found[key] = gone_on(now, was, changed, where)
        else:
            found[key] = was
    return found
