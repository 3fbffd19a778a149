"""The folder of a campaign: its settings, its rules of today, its kept turns. The state is the newest turn's; there is no other."""

import shlex
from collections.abc import Container
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec

from kingdom.campaign import settings, store, taken_back
from kingdom.campaign.csv_text import read as rows_of
from kingdom.campaign.errors import fault, trouble
from kingdom.campaign.settings import Settings
from kingdom.campaign.store import Kept
from kingdom.engine import dice
from kingdom.engine import game as games
from kingdom.engine.dice import Roll
from kingdom.engine.game import AnyGame
from kingdom.engine.ledger import Entry
from kingdom.engine.problems import Problem
from kingdom.engine.step import AnyState
from kingdom.orders import tables
from kingdom.orders.schema import Seats, snake
from kingdom.orders.tables import Tables
from kingdom.orders.yaml_text import Node


class Place(Protocol):
    """What can be told of a campaign from its folder and settings alone, whether its game is loaded or not."""

    @property
    def folder(self) -> Path:
        """The campaign's folder."""

    @property
    def settings(self) -> Settings:
        """Its campaign.yaml."""

    @property
    def turns(self) -> Path:
        """The folder of the kept turns."""

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats, in the order of their ids."""


def typed(campaign: Place) -> str:
    """The campaign's folder as it is typed in a shell."""
    return shlex.quote(str(campaign.folder))


class Unopened(NamedTuple):
    """A campaign whose game is not loaded, which takes long."""

    folder: Path
    settings: Settings

    @property
    def turns(self) -> Path:
        """The folder of the kept turns."""
        return self.folder / "turns"

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats, in the order of their ids."""
        return tuple(self.settings.players)


class Campaign(NamedTuple):
    """An open campaign. `overrides` is the node of `rules` in campaign.yaml, None where there is none."""

    folder: Path
    settings: Settings
    game: AnyGame
    overrides: Node | None

    @property
    def turns(self) -> Path:
        """The folder of the kept turns."""
        return self.folder / "turns"

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats, in the order of their ids."""
        return tuple(self.settings.players)

    @property
    def first_seats(self) -> tuple[str, ...]:
        """Those that play from the start."""
        return tuple(seat for seat, player in self.settings.players.items() if not player.joins)


def open_campaign(folder: Path) -> Campaign:
    """The campaign in that folder. Raises Faults with all that is wrong in its campaign.yaml but for the rules."""
    found, overrides = settings.read(folder)
    return Campaign(folder, found, games.load(found.game), overrides)


def rules_today(campaign: Campaign, turn: int | None = None) -> Tables:
    """The rules of the next turn, or of the one that is named: the game's tables with what campaign.yaml changes.

    What it changes from a later turn on is checked and not yet in force: the rules are those of the turn before.
    Raises Faults.
    """
    changed = rules_to_come(campaign)
    number = newest(campaign) + 1 if turn is None else turn
    if number >= campaign.settings.rules_from:
        return changed
    return (
        rules_of(campaign, kept(campaign, number - 1))
        if number
        else tables.load(campaign.game, edition=campaign.settings.edition)
    )


def rules_to_come(campaign: Campaign) -> Tables:
    """The game's tables with all that campaign.yaml changes, whether it is in force yet or not. Raises Faults."""
    file = str(campaign.folder / settings.FILE)
    return tables.load(campaign.game, campaign.overrides, file, campaign.settings.edition)


def names_today(campaign: Campaign) -> dict[str, Container[str]]:
    """The closed lists that orders may name today, and "seats", the kingdoms, also by their players' names. Raises Faults."""
    seats = Seats(campaign.settings.players)
    seats.called = called(campaign)
    return {**campaign.game.names(rules_today(campaign).rules), "seats": seats}


def called(campaign: Campaign) -> dict[str, str]:
    """A player's name in snake_case -> the seat, for names that only one player has and no seat."""
    players = campaign.settings.players
    names = [snake(player.name) for player in players.values()]
    return {
        name: seat
        for name, seat in zip(names, players, strict=True)
        if name and name not in players and names.count(name) == 1
    }


def newest(campaign: Place) -> int:
    """The newest kept turn, -1 where there is none. Raises Faults where one is missing in between."""
    numbers = store.numbers(campaign.turns)
    for expected, number in enumerate(numbers):
        if number != expected:
            raise fault("gap", campaign.turns, turn=expected)
    return len(numbers) - 1


def kept(campaign: Place, turn: int | None = None) -> Kept:
    """A kept turn, the newest where none is named. Raises Faults where there is none, or its record is not as it was kept."""
    last = newest(campaign)
    if last < 0:
        raise fault("no_turns", campaign.folder)
    number = last if turn is None else turn
    if not 0 <= number <= last:
        raise fault("no_turn", campaign.folder, turn=number, newest=last)
    return store.kept(campaign.turns / store.name_of(number))


def state_of(campaign: Campaign, turn: Kept) -> AnyState:
    """The state after a kept turn, with a place for seats that are new. Raises Faults where it is broken or was altered."""
    state = decode_state(campaign.game, store.file_of(turn, "state.json"), turn.folder / "state.json")
    return campaign.game.opening.seated(state, campaign.seats) if campaign.game.opening.seated else state


def unasked(campaign: Campaign, turn: int, known_to: str = "") -> frozenset[str]:
    """The seats in play whose orders a turn is not for, a kept one or the next. Raises Faults.

    known_to: as far as that seat knows.
    """
    if campaign.game.asked is None or turn < 1:
        return frozenset()
    state = state_of(campaign, kept(campaign, turn - 1))
    rules = (rules_of(campaign, kept(campaign, turn)) if turn <= newest(campaign) else rules_today(campaign)).rules
    seats = frozenset(campaign.game.seats(state))
    if known_to in seats:
        state = campaign.game.known(state, known_to, rules)
    return seats.difference(games.asked(campaign.game, state, rules))


def decode_state(game: AnyGame, data: bytes, file: Path) -> AnyState:
    """The state in a state.json. Raises Faults."""
    try:
        state: AnyState = msgspec.json.decode(data, type=game.State)
    except store.BROKEN as error:
        raise fault("broken_state", file, reason=store.in_words(error)) from None
    return state


def rules_of(campaign: Campaign, turn: Kept) -> Tables:
    """The rules that a kept turn was resolved by. Raises Faults."""
    return decode_rules(campaign.game, store.file_of(turn, "rules.yaml"), turn.folder / "rules.yaml")


def decode_rules(game: AnyGame, data: bytes, file: Path) -> Tables:
    """The rules in a turn's rules.yaml. Raises Faults."""
    return tables.kept(game, data.decode("utf-8", "replace"), str(file))


def rolls_of(turn: Kept) -> list[Roll]:
    """The dice of a kept turn. Raises Faults."""
    return decode_rolls(store.file_of(turn, "dice.csv"), turn.folder / "dice.csv")


def decode_rolls(data: bytes, file: Path) -> list[Roll]:
    """The rolls in a dice.csv. Raises Faults."""
    return rows_of(data, Roll, ("turn", "count", "sides", "result"), str(file))


def decode_entries(data: bytes, file: Path) -> list[Entry]:
    """The entries in a ledger.csv. Raises Faults."""
    return rows_of(data, Entry, ("turn", "seq", "delta", "balance"), str(file))


def tape_of(rolls: list[Roll]) -> dict[str, dict[str, list[int]]]:
    """What a GM's tape said, of the rolls that were made of it."""
    tape: dict[str, dict[str, list[int]]] = {}
    for roll in rolls:
        if roll.source == "tape":
            tape.setdefault(roll.kingdom, {}).setdefault(roll.name, []).append(roll.result)
    return tape


def commitments(campaign: Campaign, turn: int) -> dict[str, str]:
    """What is promised for the dice of a turn: seat, and `gm`, -> commitment."""
    attempt = taken_back.attempt_of(campaign.folder, turn)
    seed = campaign.settings.seed_of(turn)
    return {seat: dice.commitment_of(dice.key_of(seed, turn, seat, attempt)) for seat in (*campaign.seats, dice.GM)}


def warnings(campaign: Place) -> list[Problem]:
    """What the GM should mend in a campaign that runs, though it stops nothing."""
    weak = campaign.settings.has_weak_seed
    return [trouble("weak_seed", campaign.folder / settings.FILE)] if weak else []


def over(campaign: Campaign, turn: int, state: AnyState) -> str:
    """Why there is no such turn after that state, "" where there is one."""
    last = campaign.settings.ends.turn
    if last and turn > last:
        return f"turn {last} was the last (`ends` in campaign.yaml)"
    return campaign.game.finished(state).rstrip(".")  # sentences go on behind it
