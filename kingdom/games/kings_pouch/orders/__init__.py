"""What a player may order: a class for each key, in the order in which a turn carries the keys out."""

from __future__ import annotations

from collections.abc import Mapping

from kingdom.games.kings_pouch.orders.castle import Castle
from kingdom.games.kings_pouch.orders.managing import MANAGE as MANAGE
from kingdom.games.kings_pouch.orders.placing import PLACE as PLACE
from kingdom.games.kings_pouch.orders.resting import TAX, WORDS, Rest
from kingdom.games.kings_pouch.rules import Rules
from kingdom.orders.schema import ListOf, Record, Word, snake

DECISIONS = (Castle(), PLACE, TAX, MANAGE, Rest())
TABLE_FILE = Record("the table", {
    "characters": ListOf("all characters of the game", Word("a character", "characters", example="queen"), short=WORDS),
})  # fmt: skip


def words(rules: Rules) -> Mapping[str, list[str]]:
    """The closed lists that orders name. A building goes by its word or its name; `princess` means either princess."""
    named = dict.fromkeys(word for card, rule in rules.buildings.items() for word in (card, snake(rule.name)))
    who = [*rules.characters, *dict.fromkeys(word[:-2] for word in rules.characters if word[-2:] in ("_1", "_2"))]
    return {
        "buildings": list(named),
        "characters": who,
        "territories": list(rules.map.neighbours),
        "places": [*rules.map.neighbours, *who],
    }
