"""The start of a campaign: the files of a new one, with comments where a GM would ask; the set-up of turn 0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from kingdom.engine.game import Setup
from kingdom.engine.problems import Faults
from kingdom.games.kings_pouch.rules import Board, Rules, board_for
from kingdom.games.kings_pouch.state import COLOURS, KINDS, MIXED, Citizens, Lord, Table, Turn, replace, with_player
from kingdom.games.kings_pouch.steps import joined, said, tell
from kingdom.games.kings_pouch.steps.rounds import SET_UP
from kingdom.games.kit import new_campaign
from kingdom.games.kit.new_campaign import seated
from kingdom.games.kit.table import shuffled

SETTINGS = {
    "dice": "it shuffles the cards and draws the citizens, and moves the bots.",
    "rules": """\
#rules:
#  pace: turn                          # round: one run a round, the usual one; turn: a run for each player's own turn
#  castle_choice: {by: drawn}          # castles by the dice, so that no run is needed to choose them
#  distance: {via: own}                # the distance to a castle over own connected land alone
#  piles: {mixed: true}                # a variant: one pile of all colours
#  extra_characters: {varied: true}    # a variant: no character is always there
""",
    "silent": "a player who sent nothing uses what is free and collects no tax; hold: the turn waits",
}
TABLE_FILE = """\
# The characters of this game. If none are named the seed draws, in turn 0, the characters that join the standard ones.
# With 2 players there are 5, with 3 players 7, with 4 players 9.
# For example: characters: prince princess_1 princess_2 queen jester mayor scholar
characters:
"""
MESSAGES = {
    "pouch_characters": "`characters` names {named}; with {count} players {wanted} different ones of the table of characters are in the "
    "game, the standard ones among them: {standard}. Name these and {extra} more, or take the line out: then dice draw them."
}
Card = TypeVar("Card")


def start(setup: Setup, rules: Rules) -> Table:
    """The table before turn 0's dice: nothing is shuffled yet. Raises Faults if the number of seats or the named characters are not allowed."""
    names, count, box = seated(setup, rules.box.least_players, rules.box.most_players), len(setup.seats), rules.box
    if not any(board.players == count for board in rules.boards):
        facts = {"count": count, "least": box.least_players, "most": box.most_players}
        raise Faults([new_campaign.problem(setup, "", "table_seats", new_campaign.MESSAGES, **facts)])
    board, seats = board_for(rules, count), sorted(setup.seats)
    named = _named_characters(setup, rules, board)
    basic, first = tuple(word for word, rule in rules.buildings.items() if not rule.era), Citizens(box.first_commons)
    lords = {
        seat: Lord(name=names[seat], stamp=count - index, active=first, buildings=basic, markers=box.markers)
        for index, seat in enumerate(seats)
    }
    pool = Citizens(*(getattr(box, kind) - (count * box.first_commons if kind == "common" else 0) for kind in KINDS))
    chosen = [who for who in rules.characters if who in named]  # none named: dice draw them
    decks = piles(rules, board.copies)
    return Table(
        seats=lords, pool=pool, decks=decks, order=tuple(seats), round=SET_UP, serial=count, characters=tuple(chosen)
    )


def _named_characters(setup: Setup, rules: Rules, board: Board) -> list[str]:
    """The characters that table.yaml names, if any. Raises Faults if they are too few or too many, or if a standard one is missing."""
    named: list[str] = setup.files["table.yaml"].get("characters") or []
    standard = [who for who, character in rules.characters.items() if character.standard]
    wanted = len(standard) + board.extra_characters
    if named and (len({*named}) != wanted or not (rules.extra_characters.varied or {*standard} <= {*named})):
        facts = {
            "named": joined(named), "count": len(setup.seats), "wanted": wanted, "standard": joined(standard),
            "extra": board.extra_characters,
        }  # fmt: skip
        raise Faults([new_campaign.problem(setup, "characters", "pouch_characters", MESSAGES, **facts)])
    return named


def piles(rules: Rules, copies: int) -> dict[str, tuple[str, ...]]:
    """The piles before they are shuffled: one for each colour, or one of all (ruling piles), sorted by era. copies: of each card."""
    cards = [card for card, building in rules.buildings.items() if building.era for _ in range(copies)]
    cards.sort(key=lambda card: rules.buildings[card].era)
    if rules.piles.mixed:
        return {MIXED: tuple(cards)}
    return {colour: tuple(card for card in cards if rules.buildings[card].colour == colour) for colour in COLOURS}


# --- turn 0 ----------------------------------------------------------------------------------------------------------------


def shuffle_piles(table: Table, turn: Turn) -> Table:
    """Shuffle each pile, era by era."""
    eras = {card: rule.era for card, rule in turn.rules.buildings.items()}
    decks = {
        name: tuple(
            card for era in dict.fromkeys(map(eras.__getitem__, cards))
            for card in mixed([card for card in cards if eras[card] == era], turn, f"pile-{name}-{era}")
        )
        for name, cards in table.decks.items()
    }  # fmt: skip
    return replace(table, decks=decks)


def mixed(cards: Sequence[Card], turn: Turn, name: str) -> list[Card]:
    """The cards in an order that the GM's dice decide, or in their own order if no die is thrown."""
    return shuffled(cards, turn, name) or [*cards]


def draw_characters(table: Table, turn: Turn) -> Table:
    """If table.yaml names no characters, draw those that join the standard ones; in the variant draw all (ruling extra_characters)."""
    rules = turn.rules
    if table.characters:
        return table
    standard = [who for who, each in rules.characters.items() if each.standard]
    fixed = [] if rules.extra_characters.varied else standard
    others = mixed([who for who in rules.characters if who not in fixed], turn, "characters")
    wanted = len(standard) + board_for(rules, len(table.seats)).extra_characters
    chosen = {*fixed, *others[: wanted - len(fixed)]}
    drawn = joined(rules.characters[who].name for who in rules.characters if who in chosen and who not in fixed)
    if chosen - {*fixed}:
        tell(turn, "", f"The seed draws as characters{' besides the standard ones' if fixed else ''}: {drawn}.")
    return replace(table, characters=tuple(who for who in rules.characters if who in chosen))


def draw_stack(table: Table, turn: Turn) -> Table:
    """The prestige markers are stacked at 0 as they are drawn; the last one lies on top and its player chooses first."""
    stack = mixed(list(table.seats), turn, "stack")
    for stamp, seat in enumerate(reversed(stack), 1):
        table = with_player(table, seat, stamp=stamp)
    tell(turn, "", f"The prestige markers are stacked at 0, from the top: {joined(stack)}.")
    return replace(table, order=tuple(stack))


def draw_castles(table: Table, turn: Turn) -> Table:
    """Draw the castles, if nobody chooses them (ruling castle_choice)."""
    if turn.rules.castle_choice.by != "drawn":
        return table
    castles = board_for(turn.rules, len(table.seats)).castles
    for seat, place in zip(table.order, mixed(castles, turn, "castles"), strict=False):
        table = with_player(table, seat, castle=place)
        tell(turn, seat, f"has the castle in {said(place)}, as the seed draws it.")
    return replace(table, round=1)
