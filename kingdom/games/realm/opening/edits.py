"""The GM's order that does what somebody meant who edited a kingdom's file after turn 0."""

from __future__ import annotations

from kingdom.games.realm.rules.rules import ATTRIBUTES

_ACCOUNTS = {"treasury": "treasury", "unrest": "unrest", **{f"attributes.{name}": name for name in ATTRIBUTES}}


def edit(file: str, path: str, was: str, now: str) -> str:
    """The order as it is written in gm.yaml, "" where none does it: what stands on the map is nobody's to grant.

    file: as in the campaign's folder; path: what was edited in it; was, now: as typed, "" for nothing.
    """
    if not file.startswith("kingdoms/") or path not in _ACCOUNTS:
        return ""
    try:
        by = int(now or 0) - int(was or 0)
    except ValueError:
        return ""
    seat = file.removeprefix("kingdoms/").removesuffix(".yaml")
    return f'gm: [{{grant: {seat}, account: {_ACCOUNTS[path]}, by: {by}, reason: "{path} corrected"}}]'
