"""What a seat may order next: the list that editors and programs read."""

from __future__ import annotations

from kingdom.engine.dice import NoDice
from kingdom.engine.offer import Offer
from kingdom.engine.step import Orders
from kingdom.engine.turn import resolve
from kingdom.games.kings_progress.orders import OF_PHASE
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import Table
from kingdom.games.kings_progress.steps.rounds import due
from kingdom.games.kings_progress.turn import PLAY
from kingdom.games.kings_progress.types import Now
from kingdom.orders import kit
from kingdom.orders.kit.pages import FINAL


def offers(seen: Table, seat: str, rules: Rules, orders: Orders) -> list[Offer]:
    """Return what the seat may order besides these orders: of each phase as the table lies after those before it."""
    offered, table = list[Offer](), seen
    window = [phase for phase, seats in due(seen, rules).items() if seat in seats]
    for phase, before in zip(window, ("", *window), strict=False):
        if before:
            table = resolve(PLAY, seen, {seat: orders}, NoDice(), rules, until=before).after
        offered += kit.offers(OF_PHASE[phase], Now(table, seat, rules))
    return [*offered, FINAL]
