"""What a kingdom has under way far from home, for its sheet: what it knows of expeditions, and hired adventurers."""

from __future__ import annotations

from kingdom.games.realm.state import Expedition, Kingdom, Party


def under_way(kingdom: Kingdom) -> dict[str, dict[str, object]]:
    """Key -> an expedition (home, since when, turns until it reports, escort) or a party (BP, hit points, place, task)."""
    away = {key: _expedition(each) for key, each in kingdom.expeditions.items()}
    return away | {key: _party(each) for key, each in kingdom.parties.items()}


def _expedition(expedition: Expedition) -> dict[str, object]:
    party = {"adventurers": expedition.party.bp} if expedition.party else {}
    escort = {"army": expedition.army} if expedition.army else party
    return {"home": expedition.home, "since": expedition.since, "turns_left": expedition.left, **escort}


def _party(party: Party) -> dict[str, object]:
    return {"bp": party.bp, "hp": party.hp, "hex": party.hex, "task": party.task}
