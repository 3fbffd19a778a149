"""The bots, which play a seat by what the seat knows; and the values that orders at random take more often.

The chamberlain looks at what each pair of actions makes of the table, and files the best of them in order.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeAlias

from kingdom.engine.game import Chance
from kingdom.engine.step import Orders
from kingdom.games.royal_progress import words
from kingdom.games.royal_progress.orders import GIVE_BACK
from kingdom.games.royal_progress.plans import PAIRS, WORDS, Plans, Use, actions, uses
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import DISCARD, Now, Table, castle, figure, known_cards, suit, value
from kingdom.games.royal_progress.steps import Refused, Trial, due, ended
from kingdom.games.royal_progress.steps.actions import Doing, act, laid_by
from kingdom.games.royal_progress.steps.moving import distances, map_of
from kingdom.games.royal_progress.steps.rounds import of_type, places, variety, worth
from kingdom.games.royal_progress.words import LOWEST, NEAREST_OWN, AbilityForm, ActionForm, PlanForm, Standing
from kingdom.orders import kit

# how many first actions of a kind and second actions are looked at, and how many plans are filed
FIRST, SECOND, PLANS = (7, 10, 5)
DRAWN = 0.6  # what an unseen card is worth
Pair: TypeAlias = list[ActionForm]  # the two actions of a plan
Looked: TypeAlias = tuple[float, ActionForm, Table]  # what the table is worth behind an order, the order, that table
# What gifts are worth: most tables that are looked at have the same.
Memo: TypeAlias = dict[tuple[Hashable, ...], float]
STANDING: Standing = {
    "forced_discard": {"from": LOWEST},
    "loyalty": {"discard": LOWEST, "extra_move": NEAREST_OWN},
    "no_plan": {"do": ["c", "c"], "prefer": [{"suit_in_hand": "most"}, "any"]},
}
GAIN = 0.25  # an ability that brings less is kept for later


def orders(table: Table, seat: str, rules: Rules, chance: Chance) -> dict[str, object]:
    """What the seat files, beside the head."""
    if table.phase == DISCARD:
        hand = table.seats[seat].hand
        card = min(hand, key=lambda card: (sum(suit(other) == suit(card) for other in hand), figure(card), card))
        return {"discard": [{"suit": suit(card), "card": figure(card)}], "standing": STANDING}
    if seat not in due(table, rules):
        return {}
    memo: Memo = {}
    ability, after = _ability(table, seat, rules, memo)
    behind = _pairs(after, seat, rules, memo) if ability else []
    plans: list[PlanForm] = [{"ability": ability, "actions": pair} for pair in behind if ability]
    plans += [{"actions": pair} for pair in _pairs(table, seat, rules, memo)]
    return {"plans": plans} if plans else {}


def _ability(table: Table, seat: str, rules: Rules, memo: Memo) -> tuple[AbilityForm | None, Table]:
    """The ability that brings most, and the table after it."""
    best: tuple[float, AbilityForm | None, Table] = (GAIN, None, table)
    before = value_of(table, seat, rules, memo)
    for use in uses(table, seat, rules):
        if not use.order or not _brings(use.order, table, seat, rules):
            continue
        gain = value_of(use.table, seat, rules, memo) - before + (DRAWN if use.doing.drawn else 0)
        if gain > best[0] and not ended(use.table, rules):
            best = (gain, use.order, use.table)
    return best[1], best[2]


def _pairs(table: Table, seat: str, rules: Rules, memo: Memo) -> list[Pair]:
    """The best pairs of actions, the best first."""
    listed = [order for kind in WORDS for order in _of_kind(kind, table, seat, rules)]
    first = _looked_at(table, seat, rules, listed, memo)
    found: list[tuple[float, Pair]] = []
    most = {words.MOVE: FIRST, words.LAY: FIRST, words.TAKE: 1, words.DISCARD: 1}
    begun = [looked for kind in most for looked in [one for one in first if one[1]["do"] == kind][: most[kind]]]
    for prospects, order, after in begun:
        if ended(after, rules):
            other: ActionForm = {"do": "c", "prefer": ["any"]}
            found.append((prospects, [order, other if order["do"] < "d" else order]))
            continue
        for second, following, _ in _looked_at(after, seat, rules, _following(order, after, seat, rules, first), memo):
            found.append((second + (DRAWN / 2 if order["do"] == following["do"] == "c" else 0), [order, following]))
    found.sort(key=lambda each: -each[0])
    return [pair for _, pair in found[:PLANS]]


def _of_kind(kind: str, table: Table, seat: str, rules: Rules) -> list[ActionForm]:
    """Return the actions of a kind that the bot looks at. To take a card it wishes for an open one first, then for any."""
    if kind == words.TAKE:
        cards = sorted(set(table.offer))
        return [{"do": "c", "prefer": [{"suit": suit(card), "card": figure(card)}, "any"]} for card in cards]
    orders, hand = [action.order for action in actions(kind, table, seat, rules, Doing())], table.seats[seat].hand
    return [order for order in orders if order["do"] != words.LAY or _is_plain(order, hand)]


def _is_plain(order: ActionForm, hand: tuple[str, ...]) -> bool:
    """Whether the order lays all cards of a suit, the best of a suit, or the best of each of two suits."""
    laid = _laid(order)
    best = {name: sorted((figure(card) for card in hand if suit(card) == name), reverse=True) for name in laid}
    return all([*laid[name]] in (best[name][:1], best[name] if len(laid) == 1 else []) for name in laid)


def _laid(order: ActionForm) -> dict[str, tuple[int, ...]]:
    """Suit -> the symbols of its cards that the order lays."""
    return laid_by(order, Doing()) if order["do"] == words.LAY else {}


def _brings(order: AbilityForm, table: Table, seat: str, rules: Rules) -> bool:
    """Whether the use of an ability brings a bot something by itself."""
    ability = rules.courtiers[order["use"]].ability
    if ability == "patronage":
        pile = table.courtiers[order["courtier"]].piles[seat]
        return order["card"] == max(pile) > pile[0]
    return ability != "clear_inns"


def _following(order: ActionForm, after: Table, seat: str, rules: Rules, first: list[Looked]) -> Iterable[ActionForm]:
    """Second actions: good first ones that are not back in the alphabet, and a further step of the courtier who was moved."""
    for each in [one[1] for one in first if one[1]["do"] >= order["do"]][:SECOND]:
        if each is not order and not _laid(each).keys() & _laid(order).keys():
            yield each
    if order["do"] == "a":
        moves = _of_kind(words.MOVE, after, seat, rules)
        yield from (move for move in moves if move["do"] == "a" and move["courtier"] == order["courtier"])
    if order["do"] <= "c":
        yield from _of_kind(words.TAKE, after, seat, rules)[:3]


def _looked_at(table: Table, seat: str, rules: Rules, orders: Iterable[ActionForm], memo: Memo) -> list[Looked]:
    """For each legal order (what the table is worth behind it, the order, that table), the best first."""
    found = []
    for order in orders:
        try:
            after = act(table, Trial(rules), seat, order, Doing())
        except Refused:
            continue
        found.append((value_of(after, seat, rules, memo), order, after))
    found.sort(key=lambda each: -each[0])
    return found


# --- what a table is worth to a seat, in points that it may expect


PAIR, SINGLE, KING = 3.0, 1.4, 1.2  # a pair, a single gift, the King card
CARD, SYMBOL = 0.42, 0.11  # a card of the hand, and each of its symbols
GIFT, CROWN = 0.5, 0.08


def value_of(table: Table, seat: str, rules: Rules, memo: Memo) -> float:
    """The seat's prospects, less half of the best rival's and half of the rivals' average."""
    gifts = (table.round, *(of.gifts for of in table.seats.values()))
    each = {}
    for other in table.seats:
        key = (other, gifts)
        if key not in memo:
            memo[key] = _gifts(table, other, rules)
        each[other] = _prospects(table, other, rules) + memo[key]
    rivals = [worth for other, worth in each.items() if other != seat]
    hand = sum(CARD + SYMBOL * figure(card) for card in table.seats[seat].hand)
    return each[seat] + hand - 0.5 * max(rivals) - 0.5 * sum(rivals) / len(rivals)


def _prospects(table: Table, seat: str, rules: Rules) -> float:
    total = float(table.seats[seat].points) + (KING if table.king_card == seat else 0)
    far, control = distances(castle(table), rules), rules.points.control
    for courtier in table.courtiers.values():
        soon = 1.0 if courtier.arrived else max(0.1, 0.95 - 0.17 * far[courtier.place])
        if courtier.control == seat:
            rivals = [value(pile) for other, pile in courtier.piles.items() if other != seat]
            lead = value(courtier.piles.get(seat, ())) - max(rivals, default=0)
            hold = 0.95 if courtier.arrived and lead >= 0 else min(0.9, 0.5 + 0.1 * lead)
            total += control * hold + (0 if courtier.arrived else PAIR * soon * hold)
        elif courtier.minor == seat:
            total += SINGLE * soon
            mine, theirs = (value(courtier.piles.get(holder, ())) for holder in (seat, courtier.control))
            if courtier.arrived and mine > theirs:
                total += control  # control changes hands when the round is scored
    return total


def _gifts(table: Table, seat: str, rules: Rules) -> float:
    """What the gifts that are held now score in this round and in those to come."""
    gifts = table.seats[seat].gifts
    if not gifts:
        return 0.0
    total = GIFT * len(gifts) + CROWN * sum(figure(gift) for gift in gifts)
    weights = {number: 0.75 / (1 + number - table.round) for number in range(table.round, len(rules.positions) + 1)}
    for kind in {suit(gift) for gift in gifts}:
        keys = {other: of_type(table, other, kind) for other in table.seats}
        total += _positions({other: key for other, key in keys.items() if key[0]}, seat, weights, rules)
    held = {other: variety(table, other, rules) for other, of in table.seats.items() if of.gifts}
    return total + _positions(held, seat, weights, rules)


def _positions(keys: dict[str, tuple[int, ...]], seat: str, weights: dict[int, float], rules: Rules) -> float:
    for position, seats in places(keys):
        if seat in seats:
            return sum(weight * worth(position, len(seats), number, rules) for number, weight in weights.items())
    return 0.0


# --- random play


def at_random(table: Table, seat: str, rules: Rules, chance: Chance) -> Orders:
    """A plan of two kinds of actions that are drawn, behind an ability that is drawn, or none."""

    def one(table: Table, seat: str, rules: Rules) -> list[Use]:
        listed = uses(table, seat, rules)
        return [listed[chance("ability", len(listed)) - 1]]

    now, plans = Now(table, seat, rules), Plans(one, [PAIRS[chance("kinds", len(PAIRS)) - 1]])
    return kit.at_random([(kind, now) for kind in (GIVE_BACK, plans) if kind.chooses(now)], chance)


def likely(known: Table, seat: str, rules: Rules) -> dict[str, list[object]]:
    """Key -> values that random orders take more often: cards that are in the hand, steps to a place beside, two actions."""
    mine = [name for name, courtier in known.courtiers.items() if courtier.control == seat]
    hand = known_cards(known.seats[seat].hand)
    steps = [(name, place) for name, of in known.courtiers.items() for place in map_of(rules).beside[of.place]]
    kinds: dict[str, list[dict[str, object]]] = {
        words.MOVE: [{"do": words.MOVE, "courtier": name, "to": place} for name, place in steps],
        words.LAY: [{"do": words.LAY, "courtier": suit(card), "cards": [figure(card)]} for card in hand],
        words.TAKE: [{"do": words.TAKE}],
        words.DISCARD: [{"do": words.DISCARD, "courtier": name} for name in known.courtiers],
    }
    pairs = [[one, other] for first, second in PAIRS for one in kinds[first] for other in kinds[second]]
    return {
        "use": [*mine], "move": [[*step] for step in steps], "suit": [*map(suit, hand)], "card": [*map(figure, hand)],
        "actions": [*pairs],
    }  # fmt: skip
