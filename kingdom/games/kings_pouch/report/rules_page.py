"""The rules as players read them: the cards, the characters, the map, every ruling by its name with its figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from kingdom.games.kings_pouch.report.words import counted_by, slots_text, table_text
from kingdom.games.kings_pouch.rules import TABLES, Building, Rules, Worth
from kingdom.games.shared.rules_page import changed, written


def rulebook(rules: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """figures: ruling -> its data, for the prose. cards, basic, characters, boards, paces, rulings; changed: names; edition: of the house data."""
    rulings = [
        written(name, rules[name], own.get(name, {}))
        for name in Rules.__struct_fields__
        if name not in TABLES and name in rules
    ]
    buildings = {word: msgspec.convert(row, Building) for word, row in rules["buildings"].items()}
    other = [name for name in TABLES if rules[name] != own.get(name)]
    return {
        "figures": rules,
        "edition": rules.get("house", {}).get("edition", 0),
        "basic": [_card(word, rule, own) for word, rule in buildings.items() if not rule.era],
        "cards": [_card(word, rule, own) for word, rule in buildings.items() if rule.era],
        "characters": [
            {"name": row["name"], "standard": row.get("standard", False), "by": counted_by(row["by"]),
             "table": table_text(msgspec.convert(row["table"], tuple[Worth, ...]))}
            for row in rules["characters"].values()
        ],
        "boards": rules["boards"],
        "map": rules["map"],
        "pace": rules["pace"],
        "paces": rules["paces"],
        "rulings": rulings,
        "changed": [*other, *changed(rulings)],
    }  # fmt: skip


def _card(word: str, rule: Building, own: Mapping[str, Any]) -> dict[str, Any]:
    before = own["buildings"].get(word)
    return {
        "word": word, "name": rule.name, "colour": rule.colour, "era": rule.era, "cost": rule.cost, "prestige": rule.prestige,
        "does": "; ".join(slots_text(rule)), "source": rule.source, "new": before is None or msgspec.convert(before, Building) != rule,
    }  # fmt: skip
