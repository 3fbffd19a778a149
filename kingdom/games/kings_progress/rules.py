"""The closed vocabulary of the tables and rulings of The King's Progress; the figures stand in data/*.yaml alone."""

# Without `from __future__ import annotations`: types that are texts cost 3 ms more in every program that reads tables.

from typing import Annotated, Literal

from msgspec import Meta, Struct

from kingdom.games.kit.tables import Count, Ruling

MOST = 99  # the highest figure, and the highest value of a piece
Phase = Literal["city", "city_veto", "investment", "investment_veto", "progress"]  # in the order of a round


class Box(Ruling, frozen=True):
    """What each player has, and how many may play. values: a tile and a coin of each; there is a round for each value."""

    values: Annotated[tuple[Count, ...], Meta(min_length=2, max_length=10)]
    vetoes: Count
    least_players: Count
    most_players: Count


class Pace(Ruling, frozen=True):
    """How a round is cut into turns. windows: the phases that one turn decides. one_seat: one seat decides in a turn."""

    windows: tuple[tuple[Phase, ...], ...]
    one_seat: bool = False


class Scoring(Ruling, frozen=True):
    """How cities count. king: how many times the King's city counts."""

    king: Annotated[int, Meta(ge=1, le=9)]


class DifferentTile(Ruling, frozen=True):
    """What may replace a tile."""

    equal_allowed: bool


class WhereVetoes(Ruling, frozen=True):
    """Which cities may be vetoed. left_cities: also the cities that the King has left."""

    left_cities: bool


class FirstLook(Ruling, frozen=True):
    """Whether the King's first city shows its coin."""

    looks: bool


class LastRound(Ruling, frozen=True):
    """Which vetoes the last round has."""

    placement_vetoes: bool
    progress_veto: bool


class BestCity(Ruling, frozen=True):
    """What the best city counts in a tie. doubled: the King's city counts with what the King adds."""

    doubled: bool


class DoubleGame(Ruling, frozen=True):
    """How many games a campaign has. second_first: how many places further on the first chancellor of the second game sits."""

    games: Annotated[int, Meta(ge=1, le=2)]
    second_first: Count


class MissingOrders(Ruling, frozen=True):
    """Which piece is placed for a seat whose orders name no possible one."""

    piece: Literal["lowest", "highest"]


class SwapWithout(Ruling, frozen=True):
    """The coin that replaces a seen coin, if the order names no coin of the reserve for it."""

    coin: Literal["lowest", "highest"]


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of The King's Progress."""

    box: Box
    pace: Literal["strict", "standard", "weekly"]
    paces: dict[str, Pace]
    scoring: Scoring
    one_each: Ruling
    own_pieces: Ruling
    own_kingdom: Ruling
    one_veto: Ruling
    different_tile: DifferentTile
    where_vetoes: WhereVetoes
    seen_coin_stays: Ruling
    kings_together: Ruling
    first_look: FirstLook
    last_round: LastRound
    no_vetoes_left: Ruling
    players_end: Ruling
    best_city: BestCity
    draw: Ruling
    double_game: DoubleGame
    first_chancellor: Ruling
    missing_orders: MissingOrders
    swap_without: SwapWithout
    conditions: Ruling
    first_progress: Ruling


TABLES = ("paces",)  # tables that are no rulings


def rounds(rules: Rules) -> int:
    """How many rounds a game has: one for each tile."""
    return len(rules.box.values)
