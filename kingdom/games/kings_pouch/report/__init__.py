"""What players and the GM read; here, cards, citizens and effects in words, and the page of the rules: the cards, the map, every ruling."""

from __future__ import annotations

import msgspec

from kingdom.engine.game import Facts
from kingdom.games.kings_pouch.rules import Building, Effect, Worth
from kingdom.games.kings_pouch.state import Citizens
from kingdom.games.kit import rules_page

_WITH_AREA = {"active": "into the active area", "rest": "into the rest area", "either": "into either area"}
_FROM = {"active": "of the active area", "rest": "of the rest area", "either": "of either area"}


def people(area: Citizens) -> str:
    """The citizens of an area: "2 common, 1 soldier"."""
    return ", ".join(f"{count} {kind}" for kind, count in area.each()) or "nobody"


def effect_text(effect: Effect) -> str:
    """An effect for a person."""
    n, what = effect.n, "cube of any kind" if effect.what == "any_cube" else effect.what.replace("_", " ")
    return {
        "prestige": f"{n} prestige",
        "army": f"{n} army",
        "gold": f"{n} gold",
        "gain": f"{n} {what} {_WITH_AREA.get(effect.area, '')}",
        "draw": f"draw {n} {_WITH_AREA.get(effect.area, '')}",
        "move": f"move {n} {_FROM.get(effect.area, '')}",
        "exchange": f"exchange {n} {what} for {effect.into.replace('_', ' ')}",
        "remove": f"remove {n} {what} {_FROM.get(effect.area, '')}",
        "add_marker": f"{n} marker more on an own {what}",
        "free": f"{n} free: {what}",
        "discount": f"{n} less to {what}",
        "refresh": f"refresh {n or 'all'}",
    }[effect.does].strip()


def lines_text(lines: tuple[tuple[Effect, ...], ...]) -> str:
    """Lines of effects; a + joins what is used together or not at all, a slash parts lines."""
    return " / ".join(" + ".join(effect_text(effect) for effect in line) for line in lines)


def slots_text(building: Building) -> list[str]:
    """What a building does, a slot a line; "then" marks a slot that opens when the slot before it is used."""
    if building.once_per_round:
        return [f"free, once a round: {lines_text(building.once_per_round)}"]
    texts = [f"{' or '.join(slot.accepts)}: {lines_text(slot.lines)}" for slot in building.slots]
    return [f"then {text}" if index else text for index, text in enumerate(texts)]


def card(word: str, rule: Building) -> dict[str, object]:
    """A building card as plain data."""
    figures = {"colour": rule.colour, "cost": rule.cost, "prestige": rule.prestige}
    return {"word": word, "name": rule.name, **figures, "does": slots_text(rule)}


def counted_by(by: str) -> str:
    """What a character counts, for a person."""
    words = {
        "council": "number of the council", "holds_palace": "1 with the palace, else 0",
        "own_territory_markers_with_castle": "own markers on territories, with the castle",
    }  # fmt: skip
    return words.get(by, by.replace("_", " "))


def scores_text(by: str, table: tuple[Worth, ...]) -> str:
    """What a character counts and what that brings; for a character that counts nothing, what it always brings."""
    return table_text(table) if len(table) == 1 else f"{counted_by(by)}: {table_text(table)}"


def table_text(table: tuple[Worth, ...]) -> str:
    """A character's table: "up to 3: 3, 4 to 5: 6, from 6: 9"."""
    if len(table) == 1:
        return f"always {table[0].prestige}"
    most = [line.least - 1 for line in table[1:]]
    first = f"up to {most[0]}" if most[0] else "0"
    middle = [
        str(line.least) if line.least == last else f"{line.least} to {last}"
        for line, last in zip(table[1:-1], most[1:], strict=True)
    ]
    return ", ".join(
        f"{count}: {line.prestige}"
        for count, line in zip([first, *middle, f"from {table[-1].least}"], table, strict=True)
    )


def rulebook(rules: Facts, own: Facts) -> Facts:
    """What the kit's page of rules has, and: cards, basic, characters, boards, map, pace, paces; edition: of the house data."""
    buildings = {word: msgspec.convert(row, Building) for word, row in rules["buildings"].items()}
    characters = [
        {"name": row["name"], "standard": row.get("standard", False), "by": counted_by(row["by"]),
         "table": table_text(msgspec.convert(row["table"], tuple[Worth, ...]))}
        for row in rules["characters"].values()
    ]  # fmt: skip
    return {
        **rules_page.rulebook(rules, {**dict.fromkeys(rules, {}), **own}),
        "edition": rules.get("house", {}).get("edition", 0),
        "basic": [_card(word, rule, own) for word, rule in buildings.items() if not rule.era],
        "cards": [_card(word, rule, own) for word, rule in buildings.items() if rule.era],
        "characters": characters,
        **{name: rules[name] for name in ("boards", "map", "pace", "paces")},
    }


def _card(word: str, rule: Building, own: Facts) -> dict[str, object]:
    before = own["buildings"].get(word)
    new = before is None or msgspec.convert(before, Building) != rule
    return {**card(word, rule), "does": "; ".join(slots_text(rule)), "era": rule.era, "source": rule.source, "new": new}
