"""The expeditions and hired adventurers of a turn as rows for a report."""

from __future__ import annotations

from typing import Any

from kingdom.games.realm.report.story import Part
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Expedition, Kingdom, Party, World
from kingdom.games.realm.steps.exploring.monsters import party_acr
from kingdom.games.realm.steps.war.battle_sides import party_hp
from kingdom.games.realm.types import Result


def expeditions(result: Result, seat: str, part: Part, seen: World, rules: Rules) -> list[dict[str, Any]]:
    """What a report shows of expeditions, for one seat. part: its part of the turn; seen: what it knows after it (known.py).

    Rows of three kinds: `back`, a report hex by hex; `away`, an expedition that nobody has heard of since it left; `party`,
    adventurers and their task.
    """
    kingdom = result.after.kingdoms[seat]
    rows = [_back(notice.facts, seen) for notice in part.notices if notice.kind == "expedition"]
    rows += [_away(key, each, kingdom, result.number, rules) for key, each in kingdom.expeditions.items()]
    return rows + [_party(key, party, rules) for key, party in kingdom.parties.items()]


def _back(facts: dict[str, Any], seen: World) -> dict[str, Any]:
    return {"kind": "back", "text": facts["text"], "hexes": [_hex(each, seen) for each in facts["hexes"]]}


def _hex(facts: dict[str, Any], seen: World) -> dict[str, Any]:
    """A hex of the report: its label and terrain, and a sentence of all that was noted there."""
    holder = seen.kingdoms[facts["holder"]].name if facts["holder"] else ""
    noted = [facts["lies"]] if facts["lies"] else []
    noted += [", ".join(facts["built"]).lower()] if facts["built"] else []
    noted += [f"held by {holder}"] if holder else []
    noted += facts["notes"] + ([facts["met"]] if facts["met"] else [])
    return {"hex": facts["hex"], "terrain": facts["terrain"], "noted": "; ".join(noted) or "nothing more"}


def _away(key: str, expedition: Expedition, kingdom: Kingdom, turn: int, rules: Rules) -> dict[str, Any]:
    """Of an expedition under way only what its kingdom ordered, and when it is due by what has been heard."""
    towns = {settlement.hex: name for name, settlement in kingdom.settlements.items()}
    start = towns.get(expedition.home, expedition.home)
    text = f"{key}: from {start} since turn {expedition.since}, back in turn {turn + expedition.left}"
    if expedition.army:
        text += f", escorted by {expedition.army}"
    if expedition.party:
        text += f", with adventurers of ACR {party_acr(expedition.party.bp, rules)}"
    return {"kind": "away", "text": text + ".", "hexes": []}


def _party(key: str, party: Party, rules: Rules) -> dict[str, Any]:
    full, names = party_hp(party.bp, rules), [rules.army_specials[name].name for name in party.specials]
    text = f"{key}: ACR {party_acr(party.bp, rules)}, {party.hp} of {full} hit points"
    text += f", now in {party.hex}, after the monsters of {party.task}"
    return {"kind": "party", "text": f"{text} ({', '.join(names)})." if names else f"{text}.", "hexes": []}
