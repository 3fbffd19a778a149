"""What the tables of trade may say: routes, trading, smuggling, and what threatens a route."""

from typing import Annotated

from msgspec import Meta

from kingdom.games.realm.ruletypes import Count, Ruling


class TradeRoute(Ruling):
    bp_per_turn: Count
    movement: Count
    gain: Count  # BP for the founder where either side gains by trade
    tower_cost: Count


class Trade(Ruling):
    """between_neighbours: kingdoms that touch trade; off, nobody trades but along routes."""

    between_neighbours: bool
    die: Annotated[int, Meta(ge=2, le=1000)]
    size_per_point: Annotated[int, Meta(ge=1, le=1000)]
    margin_per_bp: Annotated[int, Meta(ge=1, le=1000)]
    least: Count


class Smuggling(Ruling):
    told_by: Count  # a failure by so much is told to the other kingdom


class Blockade(Ruling):
    vigilance: Count  # more along the route for each turn of the blockade
