"""The order form of the next turn: short forms, the standing choices filled in, everything else to be uncommented."""

from __future__ import annotations

from typing import Any, Iterator

from kingdom.games.realm.effects import EDICTS
from kingdom.games.realm.filed import words
from kingdom.games.realm.rules import Rules
from kingdom.games.realm.sheet import led
from kingdom.games.realm.state import Kingdom


def order_form(kingdom: Kingdom, seat: str, turn: int, offers: dict[str, Any], rules: Rules) -> list[str]:
    """The lines of an orders file that is valid as it stands, and then leaves things as they are.

    offers: what options.py gives; examples are taken from there. Without offers only messages are delivered.
    """
    lines = [f"kingdom: {seat}", f"turn: {turn}"]
    if offers:
        lines.append(f"leadership: {' '.join(led(kingdom, rules))}")
        lines += [f'answers: {{{pending.key}: "{pending.default}"}}' for pending in kingdom.pending]
        lines += [f"{category}: {words(getattr(kingdom, category))}" for category in EDICTS]
        lines += [f"# {line}" for line in _examples(offers)]
    return [*lines, '# messages: [{to: all, text: "..."}]', '# requests: ["..."]', "# final: true"]


def _examples(offers: dict[str, Any]) -> Iterator[str]:
    """Orders that the kingdom could give, one line of each kind. Names of settlements may hold anything: quoted."""
    if offers["claimable"]:
        yield "claim: " + " ".join(row["hex"] for row in offers["claimable"][: max(1, offers["claims"])])
    for row in offers["hexes"][:1]:
        yield f"improve: {row['options'][0]['order']} {row['hex']}"
    yield "settle: [{hex: ..., name: ...}]"
    for town in offers["towns"][:1]:
        name = '"' + town["name"].replace("\\", "\\\\").replace('"', '\\"') + '"'
        kind = town["buildings"][0]["kinds"][0]["order"] if town["buildings"] else "..."
        yield f"build: [{{in: {name}, build: {kind}}}]"
    yield "loyalty: rouse_the_people economy"
