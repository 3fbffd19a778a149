"""The order form of the next turn: short forms, the standing choices filled in, everything else to be uncommented."""

from __future__ import annotations

from typing import Any, Iterator

from kingdom.games.realm.effects import EDICTS
from kingdom.games.realm.filed import words
from kingdom.games.realm.improvements import PREPARED
from kingdom.games.realm.rules import Rules
from kingdom.games.realm.sheet import led
from kingdom.games.realm.state import Kingdom


def order_form(kingdom: Kingdom, seat: str, turn: int, offers: dict[str, Any], rules: Rules) -> list[str]:
    """The lines of an orders file that is valid as it stands, and then leaves things as they are.

    Behind a # stand further lines, each valid when the # is taken away. offers: what options.py gives, for examples.
    Without offers only messages are delivered.
    """
    lines = [f"kingdom: {seat}", f"turn: {turn}"]
    if offers:
        lines.append(f"leadership: {' '.join(led(kingdom, rules))}")
        lines += [f'answers: {{{pending.key}: "{pending.default}"}}' for pending in kingdom.pending]
        lines += [f"{category}: {words(getattr(kingdom, category))}" for category in EDICTS]
        lines += _examples(kingdom, offers)
    return [*lines, '#messages: [{to: all, text: "..."}]', '#requests: ["..."]', "#final: true"]


def _examples(kingdom: Kingdom, offers: dict[str, Any]) -> Iterator[str]:
    """Orders that the kingdom could give, a line of each kind."""
    if offers["claimable"]:
        yield "#claim: " + " ".join(row["hex"] for row in offers["claimable"][: max(1, offers["claims"])])
    for row in offers["hexes"][:1]:
        yield f"#improve: {row['options'][0]['order']} {row['hex']}"
    for label in sorted(kingdom.hexes, key=lambda label: PREPARED not in kingdom.hexes[label])[:1]:
        yield f"#settle: Newford {label}"
    for town in offers["towns"][:1]:
        kind = town["buildings"][0]["kinds"][0]["order"] if town["buildings"] else "house"
        yield f"#build: [{{in: {_quoted(town['name'])}, build: {kind}}}]"
    yield "#loyalty: rouse_the_people economy"


def _quoted(name: str) -> str:
    """A name in quotes as YAML reads it, whatever it holds."""
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
