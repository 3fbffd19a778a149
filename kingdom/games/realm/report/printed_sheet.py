"""The kingdom's sheet, as `kingdom show --json` prints it: its numbers, what it holds, what it has under way."""

from __future__ import annotations

from kingdom.games.realm.armies import acr, consumption, dv, escorts, full_hp, om, tactics
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import DERIVED, accounts, control_dc, districts, led
from kingdom.games.realm.state import Hex, Kingdom, Modifier, World
from kingdom.games.realm.steps.events.words import standing
from kingdom.games.realm.steps.war.militia import militia_of


def sheet(world: World, seat: str, rules: Rules) -> dict[str, object]:
    """The kingdom's sheet, as `kingdom show --json` prints it."""
    kingdom = world.kingdoms[seat]
    numbers = accounts(kingdom, world.hexes, rules)
    # question -> answer -> the figures that it takes
    asked = (pending for pending in kingdom.pending if pending.figures)
    figures = {pending.key: {word: list(some) for word, some in pending.figures.items()} for pending in asked}
    return {
        "kingdom": seat,
        "name": kingdom.name,
        "turn": world.turn,
        "treasury": kingdom.treasury,
        "unrest": kingdom.unrest,
        "size": len(kingdom.hexes),
        "districts": districts(kingdom),
        "control_dc": control_dc(kingdom, rules),
        **{account: numbers[account] for account in DERIVED},
        "stores": kingdom.stores,
        "leadership": list(led(kingdom, rules)),
        "edicts": {"holiday": kingdom.holiday, "promotion": kingdom.promotion, "taxation": kingdom.taxation},
        "alignment": kingdom.alignment,
        "government": kingdom.government,
        "capital": kingdom.capital,
        "hexes": {label: list(kingdom.hexes[label]) for label in sorted(kingdom.hexes)},
        "settlements": {
            name: _settlement_sheet(name, kingdom, world.hexes, rules) for name in sorted(kingdom.settlements)
        },
        "armies": _armies_sheet(kingdom, rules),
        "under_way": _under_way(kingdom),
        "modifiers": [_modifier(each) for each in kingdom.modifiers],
        "pending": [
            {"key": each.key, "question": each.question, "choices": list(each.choices), "default": each.default}
            for each in kingdom.pending
        ],
        **({"pending_figures": figures} if figures else {}),
        "coming": [_modifier(each) for each in kingdom.coming],
        "events": [
            {"key": key, **standing(event, rules)}
            for key, event in kingdom.events.items()
            if event.kind in rules.event_kinds
        ],
        "anarchy": kingdom.anarchy == world.turn + 1,
        "destroyed": kingdom.destroyed,
    }


def _settlement_sheet(name: str, kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> dict[str, object]:
    settlement, people = kingdom.settlements[name], militia_of(kingdom, name, hexes, rules)
    waiting = {"waiting": len(settlement.waiting)} if settlement.waiting else {}
    row: dict[str, object] = {
        "hex": settlement.hex,
        "districts": len(settlement.districts),
        "buildings": [{"id": building.id, "lot": building.lot} for building in settlement.buildings],
        **waiting,
    }
    return row | {"militia": {**people._asdict(), "acr": round(people.acr, 3)}} if people else row


def _armies_sheet(kingdom: Kingdom, rules: Rules) -> dict[str, dict[str, object]]:
    """The armies as the sheet shows them. One that is away with an expedition is where that started, until it is back: its
    way is the expedition's, and told with that (ruling exploration)."""
    found = {}
    for name, army in sorted(kingdom.armies.items()):
        # acr: rounded to three digits where it is a fraction; consumption: as an active army;
        # tactics: those besides the default ones; paid: turns to come for which a reserve army has had its Consumption.
        battle = army.battle
        found[name] = {
            "unit": army.unit,
            "size": army.size,
            "hex": army.hex,
            "acr": round(acr(army.unit, army.size, rules), 3),
            "hp": army.hp,
            "full_hp": full_hp(army, rules),
            "dv": dv(army, rules),
            "om": om(army, rules),
            "morale": army.morale,
            "consumption": consumption(army, rules),
            "resources": dict(sorted(army.resources.items())),
            "tactics": tactics(army, rules),
            "boons": list(army.commander.boons),
            "then": army.deed or "garrison",
            "target": army.target,
            "strategy": battle.strategy,
            "tactic": battle.tactic,
            "withdraw": battle.withdraw,
            "reserve": army.reserve,
            "paid": army.paid,
            "unpaid": army.unpaid,
            "routed": army.routed,
            "illness": army.illness,
        }
        away = escorts(kingdom, name)
        if away:
            found[name]["hex"] = kingdom.expeditions[away].home
    return found


def _modifier(modifier: Modifier) -> dict[str, object]:
    return {"account": modifier.account, "by": modifier.by, "cause": modifier.cause, "text": modifier.text}


def _under_way(kingdom: Kingdom) -> dict[str, dict[str, object]]:
    """Key -> an expedition (home, since when, turns until it reports, escort) or a party (BP, hit points, place, task)."""
    rows: dict[str, dict[str, object]] = {}
    for key, away in kingdom.expeditions.items():
        party = {"adventurers": away.party.bp} if away.party else {}
        escort = {"army": away.army} if away.army else party
        rows[key] = {"home": away.home, "since": away.since, "turns_left": away.left, **escort}
    for key, hired in kingdom.parties.items():
        rows[key] = {"bp": hired.bp, "hp": hired.hp, "hex": hired.hex, "task": hired.task}
    return rows
