"""The closed vocabulary of the tables and rulings of King's Pouch; the figures stand in data/*.yaml alone."""

# Without `from __future__ import annotations`: types that are texts cost 3 ms more in every program that reads tables.

from typing import Annotated, Literal

from msgspec import Meta, Struct

from kingdom.games.kit.tables import Count, Natural, Ruling

Kind = Literal["common", "corrupt", "soldier", "merchant", "cleric"]
Counted = Literal[
    "council", "own_markers_on_princesses", "own_territory_markers_with_castle", "own_markers_on_characters", "active_commons",
    "sets_of_three_colours", "most_buildings_of_one_colour", "holds_palace", "active_corrupt", "nothing", "active_cubes",
]  # fmt: skip


class Effect(Struct, frozen=True, forbid_unknown_fields=True):
    """What a building does. n: how many; of a refresh 0 is all. area: where citizens come to or are taken from.

    what: the kind of citizen, action or place. into: what an exchanged citizen becomes.
    """

    does: Literal[
        "prestige", "army", "gold", "gain", "draw", "move", "exchange", "remove", "add_marker", "free", "discount", "refresh",
    ]  # fmt: skip
    n: Count = 1
    what: Literal[
        "", "common", "corrupt", "soldier", "merchant", "cleric", "any_cube", "any", "territory", "character", "occupy", "construct", "claim",
    ] = ""  # fmt: skip
    area: Literal["", "active", "rest", "either"] = ""
    into: Literal["", "common", "corrupt", "soldier", "merchant", "cleric", "any_cube"] = ""


class Slot(Struct, frozen=True, forbid_unknown_fields=True):
    """A slot: the citizens that may stand there, and the lines of effects; a line is used whole or not at all."""

    accepts: tuple[Kind, ...]
    lines: tuple[tuple[Effect, ...], ...]


class Building(Struct, frozen=True, forbid_unknown_fields=True):
    """A building. era 0: printed on every player board. once_per_round: the lines of a building without slots. source: where its data comes from, if it is not ours."""

    name: str
    colour: Literal["red", "yellow", "green", "none"]
    era: Annotated[int, Meta(ge=0, le=9)]
    cost: Count = 0
    prestige: Count = 0
    slots: tuple[Slot, ...] = ()
    once_per_round: tuple[tuple[Effect, ...], ...] = ()
    source: str = ""


class Map(Struct, frozen=True, forbid_unknown_fields=True):
    """The island. neighbours: of each territory. rows: how the territories are drawn, from the north, each row in the middle."""

    name: str
    palace: str
    neighbours: dict[str, tuple[str, ...]]
    rows: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        if self.palace not in self.neighbours:
            raise ValueError(f"the palace {self.palace} is no territory")
        if sorted(place for row in self.rows for place in row) != sorted(self.neighbours):
            raise ValueError("the rows do not name each territory once")
        for place, near in self.neighbours.items():
            for other in near:
                if place not in self.neighbours.get(other, ()):
                    raise ValueError(f"{other} is a neighbour of {place}, and {place} is none of {other}")


class Board(Struct, frozen=True, forbid_unknown_fields=True):
    """The set-up for a number of players. shown: cards of each colour in a round."""

    players: Natural
    castles: tuple[str, ...]
    copies: Natural
    shown: Natural
    extra_characters: Count
    unused: tuple[str, ...] = ()


class Worth(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a character's table: the prestige if at least this many are counted."""

    least: Count
    prestige: Count


class Character(Struct, frozen=True, forbid_unknown_fields=True):
    """A character: what is counted, and the prestige by it, the least first. standard: in every game."""

    name: str
    by: Counted
    table: tuple[Worth, ...]
    standard: bool = False


class Pace(Ruling, frozen=True):
    """How much one run plays. one_seat: one player's turn."""

    one_seat: bool = False


class Box(Ruling, frozen=True, forbid_unknown_fields=True):
    common: Count
    corrupt: Count
    soldier: Count
    merchant: Count
    cleric: Count
    markers: Count
    first_commons: Count
    least_players: Natural
    most_players: Natural


class Rounds(Ruling, frozen=True, forbid_unknown_fields=True):
    count: Natural
    building: Count


class Tax(Ruling, frozen=True, forbid_unknown_fields=True):
    gold: Count
    prestige: Count


class Claim(Ruling, frozen=True, forbid_unknown_fields=True):
    gold: Count
    per_marker: Count


class Occupy(Ruling, frozen=True, forbid_unknown_fields=True):
    per_marker: Count
    empty: Count
    taken: Count


class MostMarkers(Ruling, frozen=True, forbid_unknown_fields=True):
    most: Natural


class Prestige(Ruling, frozen=True, forbid_unknown_fields=True):
    prestige: Count


class Draw(Ruling, frozen=True, forbid_unknown_fields=True):
    usual: Natural
    palace: Natural


class Council(Ruling, frozen=True, forbid_unknown_fields=True):
    rounds: tuple[Natural, ...]
    marker: tuple[Count, ...]


class Final(Ruling, frozen=True, forbid_unknown_fields=True):
    corrupt: Count


class Piles(Ruling, frozen=True, forbid_unknown_fields=True):
    mixed: bool


class House(Ruling, frozen=True, forbid_unknown_fields=True):
    """The data that we invented. edition: its number; a campaign that plays with the real cards and map sets it to 0."""

    edition: Count


class Distance(Ruling, frozen=True, forbid_unknown_fields=True):
    via: Literal["any", "own"]


class DiscountFloor(Ruling, frozen=True, forbid_unknown_fields=True):
    least: Count


class FreeAction(Ruling, frozen=True, forbid_unknown_fields=True):
    per: Literal["effect", "round"]


class PalaceDraw(Ruling, frozen=True, forbid_unknown_fields=True):
    optional: bool


class CastleAttack(Ruling, frozen=True, forbid_unknown_fields=True):
    army: Count
    prestige: Count
    needs_marker: bool


class ExtraCharacters(Ruling, frozen=True, forbid_unknown_fields=True):
    varied: bool


class CastleChoice(Ruling, frozen=True, forbid_unknown_fields=True):
    by: Literal["list", "drawn"]


class FullRefresh(Ruling, frozen=True, forbid_unknown_fields=True):
    corrupt: bool


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of King's Pouch."""

    pace: Literal["round", "turn"]
    paces: dict[str, Pace]
    buildings: dict[str, Building]
    characters: dict[str, Character]
    map: Map
    boards: tuple[Board, ...]
    box: Box
    rounds: Rounds
    tax: Tax
    placement: Ruling
    construct: Ruling
    claim: Claim
    occupy: Occupy
    most_markers: MostMarkers
    donation: Prestige
    draw: Draw
    council: Council
    final: Final
    piles: Piles
    stack_order: Ruling
    distance: Distance
    enemy_castles: Ruling
    cut_off: Ruling
    discount_floor: DiscountFloor
    discounts_add: Ruling
    free_action: FreeAction
    numbered_refresh: Ruling
    mid_turn_draw: Ruling
    no_citizen: Prestige
    empty_pool: Ruling
    markers_return: Ruling
    prestige_track: Ruling
    council_order: Ruling
    palace_draw: PalaceDraw
    castle_attack: CastleAttack
    extra_characters: ExtraCharacters
    castle_choice: CastleChoice
    whole_line: Ruling
    full_refresh: FullRefresh
    missing_orders: Ruling
    wish_lists: Ruling
    sweep: Ruling
    house: House = House("", 0)  # rules that were kept before this field do not have it

    def __post_init__(self) -> None:
        for board in self.boards:
            unknown = [place for place in (*board.castles, *board.unused) if place not in self.map.neighbours]
            if unknown:
                raise ValueError(f"{unknown[0]} of the board for {board.players} players is no territory of the map")
            if len({*board.castles} - {*board.unused}) < board.players:
                raise ValueError(
                    f"the board for {board.players} players needs {board.players} places for castles, each a territory that is in use"
                )
            if board.extra_characters > sum(not character.standard for character in self.characters.values()):
                raise ValueError(
                    f"the board for {board.players} players asks for more characters than there are besides the standard ones"
                )
        if self.box.common < self.box.first_commons * self.box.most_players:
            raise ValueError("`box` has fewer commons than its most players begin with")


def board_for(rules: Rules, players: int) -> Board:
    """The set-up for that many players. Raises StopIteration if there is none."""
    return next(board for board in rules.boards if board.players == players)
