"""What players and the GM read: the report, the board; here, the page of the rules, with every ruling by its name and its figures."""

from __future__ import annotations

from kingdom.engine.game import Facts
from kingdom.games.cardinals_guards.state import CHAMBERS, COINS, SUITS
from kingdom.games.kit.rules_page import changed, written

HOUSE = " [house]"  # ends the text of a ruling that the published rules do not have
GROUPS = {
    "The castle": "pieces one_per_edge layout open_cards",
    "Moving": "sequence slide search out_of_order perimeter_guards castle_guards corner_guards zero_length",
    "Guards as coins": "recruiting luring supply",
    "Ways out": "leaving killed tunnel tunnel_shut emerging beside_guards tunnel_removal variants",
    "The end and the score": "finishing scoring maximum contest",
    "By mail": "pace same_deal continue_from missing",
}


def rulebook(rules: Facts, own: Facts) -> Facts:
    """groups: name and rulings of each (name, text, house, figures); parts: of the points of a perfect game; changed: names."""
    said = {word: _ruling(word, rules[word], own.get(word, {})) for words in GROUPS.values() for word in words.split()}
    groups = [{"name": name, "rulings": [said[word] for word in words.split()]} for name, words in GROUPS.items()]
    scoring = rules["scoring"]
    parts = [CHAMBERS * len(SUITS) * scoring["chamber"], len(SUITS) * scoring["escaped"], len(COINS) * scoring["guard"]]
    return {
        "groups": groups,
        "parts": parts,
        "maximum": sum(parts),
        "changed": changed(said.values()),
    }


def _ruling(name: str, rule: Facts, own: Facts) -> Facts:
    ruling = written(name, rule, own)
    return {**ruling, "text": ruling["text"].removesuffix(HOUSE), "house": ruling["text"].endswith(HOUSE)}
