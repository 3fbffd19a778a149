"""What the tables of trade and exploration may say: routes, trading, smuggling, what threatens a route, expeditions."""

from typing import Annotated, Literal

from msgspec import Meta

from kingdom.games.realm.rules.types import Count, Ruling


class TradeRoute(Ruling, frozen=True):
    """silent_host: what a host that gives no answer says to a caravan, its doors open."""

    bp_per_turn: Count  # from the treasury, while the caravan is under way
    movement: Count
    consumption: Count  # a turn, once the route is open
    gain: Count  # BP for the founder where either side gains by trade
    tower_cost: Count
    silent_host: Literal["accept", "reject"]


class Trade(Ruling, frozen=True):
    """between_neighbours: kingdoms that touch trade; off, nobody trades or smuggles but along routes."""

    between_neighbours: bool
    die: Annotated[int, Meta(ge=2, le=1000)]
    size_per_point: Annotated[int, Meta(ge=1, le=1000)]
    margin_per_bp: Annotated[int, Meta(ge=1, le=1000)]
    least: Count


class Smuggling(Ruling, frozen=True):
    told_by: Count  # a failure by so much is told to the other kingdom


class Blockade(Ruling, frozen=True):
    vigilance: Count  # more along the route for each turn of the blockade


class Exploration(Ruling, frozen=True):
    """loyalty_checks: made at monsters; delay: turns of regrouping where some of them succeed and some fail."""

    bp_per_week: Count
    movement: Count
    loyalty_checks: Annotated[int, Meta(ge=1, le=20)]
    delay: Count
