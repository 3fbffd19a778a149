"""The odds of the next turns for one seat: what the dice may make of its orders, from what it may know."""

from __future__ import annotations

from collections.abc import Container, Mapping
from pathlib import Path
from typing import NamedTuple

from kingdom.campaign import filings, preview, store
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.next_turn import NOTHING
from kingdom.engine.step import Facts, Orders
from kingdom.orders import orders_file as orders

SEED = 1  # of the samples, by default; it has nothing to do with the seed of the campaign's dice
GIVEN, FILED, NONE = "given", "filed", "none"  # which orders were taken


class Forecast(NamedTuple):
    """A forecast. orders: which were used, GIVEN, FILED or NONE; found: the facts of the game's `forecast`."""

    seat: str
    orders: str
    found: Facts


def forecast(
    campaign: Campaign, seat: str, given: str = "", turns: int = 1, samples: int = 0, seed: int = SEED
) -> Forecast:
    """The forecast of a seat. given: a file of orders; without one the filed orders, or none if none are filed.

    Only for a game that has forecasts. Raises Faults with the problems of the orders, and where the game is over or the seat
    out of play.
    """
    game = campaign.game
    assert game.forecast is not None
    rules, state, names = preview.start_for(campaign, seat)
    taken, ordered = _orders(campaign, seat, given, names, state.turn + 1)
    if taken == NONE and campaign.settings.missing_orders == NOTHING:
        ordered = dict(game.idle)
    seen = game.known(state, seat, rules.rules)
    chance = None
    if turns > 1:
        import numpy as np  # slow to load

        chance = np.random.default_rng(seed)
    return Forecast(seat, taken, game.forecast(seen, seat, rules.rules, ordered, turns, samples, chance))


def _orders(
    campaign: Campaign, seat: str, given: str, names: Mapping[str, Container[str]], turn: int
) -> tuple[str, Orders]:
    """(which were taken, the orders in the long form)."""
    filed = filings.folder_of(campaign.folder, turn) / f"{seat}{filings.ENDING}"
    if not given and not filed.is_file():
        return NONE, {}
    file = Path(given) if given else filed
    filing = orders.read(store.read(file), str(file), campaign.game, names, seat, turn)
    if given and filing.proved().get("amend"):
        return GIVEN, preview.amended(campaign, filing, names, turn)
    return GIVEN if given else FILED, filing.proved()
