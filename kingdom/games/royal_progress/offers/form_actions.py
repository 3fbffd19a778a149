"""Actions A, C and D in a form: moves, takes and discards, and which can follow which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from kingdom.games.royal_progress.offers import EACH, Use, steps
from kingdom.games.royal_progress.offers.form_lays import (
    Conditions,
    Legal,
    Row,
    by_use,
    choice,
    conditions,
    moved,
    when,
)
from kingdom.games.royal_progress.orders.wishes import wishes
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import Table, castle
from kingdom.games.royal_progress.steps import named
from kingdom.games.royal_progress.steps.moving import onward
from kingdom.games.royal_progress.steps.preferences import wished
from kingdom.games.royal_progress.words import ANY, TAKE
from kingdom.orders.kit.pages import Field, slot

# --- moves


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
        for name, place in steps(use.table, rules)
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


# --- takes


WISHES = ("wish_1", "wish_2", "wish_3")
TWO = "two"


def take_value(name: str) -> dict[str, object]:
    """The action of that name, for what is chosen."""
    return {"do": TAKE, "prefer": [slot(f"{name}_{each}") for each in WISHES], TWO: slot(f"{name}_{TWO}")}


def take_fields(
    name: str, label: str, offer: tuple[str, ...], rules: Rules, two: bool, later: bool = False
) -> list[Field]:
    """Wishes in their order; nothing to choose where no card lies open. two: whether two may be asked for; later: other cards may lie open then."""
    wish = wishes(offer, rules)
    if not offer:
        return [choice(name, label, [])]
    known: list[Row] = [(value, wish.texts[value], {}) for value in wish.values]
    every: list[Row] = [(ANY, "any card", {}), *known]
    behind: list[Conditions] = [{"when": {f"{name}_{other}": [ANY]}} for other in WISHES[1:]]
    first: list[Row] = [
        (value, text, condition)
        for value, text, _ in every
        for condition in ([{}] if later or value == ANY or wished(offer, (wish.means[value],), ()) else behind)
    ]
    fields = [choice(f"{name}_{WISHES[0]}", label, first, means=wish.means)]
    fields += [choice(f"{name}_{other}", wish.label, every, wish.none, wish.means) for other in WISHES[1:]]
    number: list[Row] = [(False, "one, whatever lies open", {})]
    if two:
        number.append((True, "two, or the plan does not count", {}))
    return [*fields, choice(f"{name}_{TWO}", "How many", number, "two if none shows a symbol, else one")]


# --- discards


def _cards(uses: list[Use], seat: str, name: str) -> dict[str, int]:
    """Use -> how many cards the seat has on the courtier behind it."""
    return {use.value: len(use.table.courtiers[name].piles.get(seat, ())) for use in uses}


def _behind(uses: list[str], every: dict[str, int]) -> list[Conditions]:
    return [by_use(uses, [*every])] if uses else []


def any_pile(uses: list[Use], seat: str, name: str) -> list[Conditions]:
    """Where the seat has a card on him."""
    cards = _cards(uses, seat, name)
    return _behind([use for use in cards if cards[use]], cards)


def discard_first(uses: list[Use], seat: str) -> list[Field]:
    """Discarded before anything else."""
    rows = [
        (f"D {name}", name, condition) for name in uses[0].table.courtiers for condition in any_pile(uses, seat, name)
    ]
    return [choice("first", "Discard on", rows)]


def discard_second(uses: list[Use], of: dict[str, list[Conditions]]) -> list[Field]:
    """Discarded behind an action. of: courtier -> the conditions, one of which must hold."""
    return [
        choice(
            "second",
            "Then discard on",
            [(f"D {name}", name, condition) for name, each in of.items() for condition in each],
        )
    ]


def behind_move(uses: list[Use], seat: str, name: str, rules: Rules) -> list[Conditions]:
    """Who controls an arriving courtier loses a card for the pair of gifts."""
    row, firsts = {}, {}
    for use in uses:
        courtier = use.table.courtiers[name]
        cards = len(courtier.piles.get(seat, ()))
        lost = {moved(name, castle(use.table))} if cards == 1 and courtier.control == seat else set()
        firsts[use.value] = frozenset(first_moves(use, rules))
        row[use.value] = firsts[use.value] - lost if cards else frozenset()
    return conditions(row, firsts)


def behind_lay(uses: list[Use], seat: str, name: str, legal: Legal) -> list[Conditions]:
    """Of a new pile a card can be discarded, too."""
    cards = _cards(uses, seat, name)
    both = [lay.value for lay, _ in legal if lay.on == EACH and name in lay.names]
    new = [(field, values) for field, values in (("first_on", [name]), ("first", both)) if values]
    bare = _behind([use for use in cards if not cards[use]], cards)
    return [
        *any_pile(uses, seat, name),
        *(when(condition, field, values) for condition in bare for field, values in new),
    ]


def behind_discard(uses: list[Use], seat: str, name: str) -> list[Conditions]:
    """Of a pile of one card nothing is left."""
    firsts = {
        use.value: frozenset(f"D {other}" for other, of in use.table.courtiers.items() if seat in of.piles)
        for use in uses
    }
    cards = _cards(uses, seat, name)
    row = {
        use: firsts[use] - ({f"D {name}"} if cards[use] == 1 else set()) if cards[use] else frozenset() for use in cards
    }
    return conditions(row, firsts)
