"""Legal play at random: any kind of action, any way of doing it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kingdom.games.royal_progress.bots import options
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import DISCARD, Table, figure, suit
from kingdom.games.royal_progress.steps.laps import due
from kingdom.games.royal_progress.steps.plans import trouble

PLANS = 2  # that are filed; where neither is legal any more cards are taken
TRIES = 4


def orders(table: Table, seat: str, rules: Rules, chance: Callable[[str, int], int]) -> dict[str, Any]:
    """What the seat files, beside the head."""
    if table.phase == DISCARD:
        hand = table.seats[seat].hand
        card = hand[chance("discard", len(hand)) - 1]
        return {"discard": [{"suit": suit(card), "card": figure(card)}]}
    if seat not in due(table, rules):
        return {}
    of = {
        "a": options.moves(table, rules), "b": options.lays(table, seat, rules), "c": options.takes(table),
        "d": options.discards(table, seat),
    }  # fmt: skip
    plans = [plan for plan in (_plan(table, seat, rules, chance, of) for _ in range(PLANS)) if plan]
    return {"plans": plans} if plans else {}


def _plan(
    table: Table, seat: str, rules: Rules, chance: Callable[[str, int], int], of: dict[str, list]
) -> dict[str, Any] | None:
    kinds = [kind for kind in of if of[kind]]
    for _ in range(TRIES if kinds else 0):
        pair = sorted(kinds[chance("kind", len(kinds)) - 1] for _ in range(2))
        plan: dict[str, Any] = {"actions": [of[kind][chance("action", len(of[kind])) - 1] for kind in pair]}
        if trouble(table, seat, plan, rules) is None:
            abilities = list(options.abilities(table, seat, rules))
            if abilities:
                with_ability = {"ability": abilities[chance("ability", len(abilities)) - 1], **plan}
                return with_ability if trouble(table, seat, with_ability, rules) is None else plan
            return plan
    return None
