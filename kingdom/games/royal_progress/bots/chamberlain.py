"""The chamberlain: looks at what each pair of actions makes of the table, and files the best of them in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from kingdom.games.royal_progress.bots import options
from kingdom.games.royal_progress.bots.worth import Memo, value_of
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import DISCARD, Table, figure, suit
from kingdom.games.royal_progress.steps.abilities import use
from kingdom.games.royal_progress.steps.actions import Doing, act
from kingdom.games.royal_progress.steps.laps import due
from kingdom.games.royal_progress.steps.preferences import LOWEST, NEAREST_OWN
from kingdom.games.royal_progress.steps.shared import Refused, Trial, ended

FIRST, SECOND, PLANS = 7, 10, 5  # actions that are looked at as the first and as the second one; plans that are filed
DRAWN = 0.6  # what a card is worth of which nobody knows yet which it is
GAIN = 0.25  # an ability is kept for later unless it brings so much


def orders(table: Table, seat: str, rules: Rules, chance: Callable[[str, int], int]) -> dict[str, Any]:
    """What the seat files, beside the head."""
    if table.phase == DISCARD:
        hand = table.seats[seat].hand
        card = min(hand, key=lambda card: (sum(suit(other) == suit(card) for other in hand), figure(card), card))
        return {"discard": [{"suit": suit(card), "card": figure(card)}], "standing": _standing(rules)}
    if seat not in due(table, rules):
        return {}
    memo: Memo = {}
    ability, after = _ability(table, seat, rules, memo)
    plans = [{"actions": pair} for pair in _pairs(after, seat, rules, memo)]
    if ability:
        plans = [
            *({"ability": ability, **plan} for plan in plans),
            *({"actions": pair} for pair in _pairs(table, seat, rules, memo)),
        ]
    return {"plans": plans} if plans else {}


def _standing(rules: Rules) -> dict[str, Any]:
    return {
        "forced_discard": {"from": LOWEST},
        "loyalty": {"discard": LOWEST, "extra_move": NEAREST_OWN},
        "no_plan": {"do": ["c", "c"], "prefer": [{"suit_in_hand": "most"}, "any"]},
    }


def _ability(table: Table, seat: str, rules: Rules, memo: Memo) -> tuple[dict[str, Any] | None, Table]:
    """The ability that brings most, and the table after it."""
    best, before = (GAIN, None, table), value_of(table, seat, rules, memo)
    for order in options.abilities(table, seat, rules):
        try:
            after = use(table, Trial(rules), seat, order, Doing())
        except Refused:
            continue
        gain = (
            value_of(after, seat, rules, memo)
            - before
            + (DRAWN if rules.courtiers[order["use"]].ability == "blessing" else 0)
        )
        if gain > best[0] and not ended(after, rules):
            best = (gain, order, after)
    return best[1], best[2]


def _pairs(table: Table, seat: str, rules: Rules, memo: Memo) -> list[list[dict[str, Any]]]:
    """The best pairs of actions, the best first."""
    every = [
        *options.moves(table, rules),
        *options.lays(table, seat, rules),
        *options.takes(table),
        *options.discards(table, seat),
    ]
    first = _looked_at(table, seat, rules, every, memo)
    found = []
    for worth, order, after in _of_each_kind(first):
        if ended(after, rules):
            found.append((worth, [order, {"do": "c", "prefer": ["any"]} if order["do"] < "d" else order]))
            continue
        for second, following, _ in _looked_at(after, seat, rules, _following(order, after, seat, rules, first), memo):
            found.append((second + (DRAWN / 2 if order["do"] == following["do"] == "c" else 0), [order, following]))
    found.sort(key=lambda each: -each[0])
    return [pair for _, pair in found[:PLANS]]


def _of_each_kind(looked: list[tuple[float, dict[str, Any], Table]]) -> list[tuple[float, dict[str, Any], Table]]:
    """The best first actions: some moves, some lays, one take."""
    most = {"a": FIRST, "b": FIRST, "c": 1, "d": 1}
    return [each for kind in most for each in [one for one in looked if one[1]["do"] == kind][: most[kind]]]


def _following(order: dict[str, Any], after: Table, seat: str, rules: Rules, first: list) -> Iterable[dict[str, Any]]:
    """Second actions: what was good as a first one, not back in the alphabet, and a further step of the same courtier."""
    for each in [one[1] for one in first if one[1]["do"] >= order["do"]][:SECOND]:
        if each is not order and not (each["do"] == "b" and order["do"] == "b" and _suits(each) & _suits(order)):
            yield each
    if order["do"] == "a":
        yield from (each for each in options.moves(after, rules) if each["courtier"] == order["courtier"])
    if order["do"] <= "c":
        yield from options.takes(after)[:3]


def _suits(order: dict[str, Any]) -> set[str]:
    return {card["courtier"] for card in order.get("each") or [order]}


def _looked_at(
    table: Table, seat: str, rules: Rules, orders: Iterable[dict[str, Any]], memo: Memo
) -> list[tuple[float, dict[str, Any], Table]]:
    """(what the table is worth after it, the order, that table) of each that is legal, the best first."""
    found = []
    for order in orders:
        try:
            after = act(table, Trial(rules), seat, order, Doing())
        except Refused:
            continue
        found.append((value_of(after, seat, rules, memo), order, after))
    found.sort(key=lambda each: -each[0])
    return found
