"""Action A in a form: moves, and which can follow which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from kingdom.games.royal_progress.offers.fields import Field, choice
from kingdom.games.royal_progress.offers.rows import by_use, conditions
from kingdom.games.royal_progress.offers.uses import Use
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import Table, castle
from kingdom.games.royal_progress.steps.shared import named
from kingdom.games.royal_progress.steps.ways import onward


def moved(name: str, place: str) -> str:
    """A move in short."""
    return f"A {name} to {place}"


def _said(move: str, rules: Rules) -> str:
    name, _, place = move.removeprefix("A ").partition(" to ")
    return f"{name} to {named(place, rules)}"


def _full(place: str, standing: Mapping[str, int], rules: Rules) -> bool:
    capacity = rules.places[place].capacity
    return bool(capacity) and standing[place] >= capacity


def _standing(table: Table) -> Counter[str]:
    return Counter(courtier.place for courtier in table.courtiers.values())


def first_moves(use: Use, rules: Rules) -> dict[str, tuple[str, str, bool]]:
    """In short -> (courtier, place, whether it is full, so that he must go on) of each move behind the use."""
    standing = _standing(use.table)
    return {
        moved(name, place): (name, place, not use.doing.unblocked and _full(place, standing, rules))
        for name, courtier in use.table.courtiers.items()
        if not courtier.arrived
        for place in onward(use.table, courtier.place, rules)
    }


def second_moves(use: Use, name: str, place: str, through: bool, rules: Rules) -> set[str]:
    """The moves, in short, that are legal behind the use and the move of that courtier there. through: he must go on."""
    table, standing = use.table, _standing(use.table)
    standing.subtract([table.courtiers[name].place])
    standing.update([place])
    return {
        moved(other, to)
        for other, courtier in table.courtiers.items()
        if not courtier.arrived and (other == name or not through) and not (other == name and place == castle(table))
        for to in onward(table, place if other == name else courtier.place, rules)
        if use.doing.unblocked or not _full(to, standing, rules)
    }


def move_first(uses: list[Use], rules: Rules, again: bool) -> list[Field]:
    """again: another move follows, so that he may go on through a full place."""
    legal: dict[str, list[str]] = {}
    full = set()
    for use in uses:
        for move, (name, place, through) in first_moves(use, rules).items():
            if not through or again and second_moves(use, name, place, through, rules):
                legal.setdefault(move, []).append(use.value)
                full |= {move} if through else set()
    every = [use.value for use in uses]
    rows = [
        (move, _said(move, rules) + (" (full: go on)" if move in full else ""), by_use(legal[move], every))
        for move in legal
    ]
    return [choice("first", "Move", rows)]


def move_again(uses: list[Use], rules: Rules) -> list[Field]:
    """The second of two moves."""
    open_beside: dict[str, dict[str, set[str]]] = {}
    firsts = {}
    for use in uses:
        moves = first_moves(use, rules)
        firsts[use.value] = frozenset(moves)
        for move, (name, place, through) in moves.items():
            for following in second_moves(use, name, place, through, rules):
                open_beside.setdefault(following, {}).setdefault(use.value, set()).add(move)
    rows = [
        (move, _said(move, rules), condition)
        for move in sorted(open_beside)
        for condition in conditions({use: frozenset(open_beside[move].get(use, ())) for use in firsts}, firsts)
    ]
    return [choice("second", "Then move", rows)]
