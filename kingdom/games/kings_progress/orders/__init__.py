"""What a player may order, an order a class, in the order of a round."""

from __future__ import annotations

from typing import Any

from kingdom.games.kings_progress.orders.placing import City, Invest
from kingdom.games.kings_progress.orders.vetoes import CityVeto, InvestmentVeto, Progress
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import Table
from kingdom.orders import kit

CITIES, CITY_VETOES, INVESTMENTS, INVESTMENT_VETOES, KINGS = City(), CityVeto(), Invest(), InvestmentVeto(), Progress()
OF_PHASE: dict[str, kit.Order[Table, Rules, Any]] = {
    order.phase: order for order in (CITIES, CITY_VETOES, INVESTMENTS, INVESTMENT_VETOES, KINGS)
}
