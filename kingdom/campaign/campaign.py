"""A campaign's folder: its settings, its rules of today and its kept turns. Its state is that of the newest turn."""

import shlex
from collections.abc import Container, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

import msgspec
from msgspec import Struct

from kingdom.campaign import house, settings, store, undone_turns
from kingdom.campaign.csv_text import read as rows_of
from kingdom.campaign.errors import fault, trouble
from kingdom.campaign.settings import Settings
from kingdom.campaign.store import Kept
from kingdom.engine import dice
from kingdom.engine import game as games
from kingdom.engine.dice import Dice, Roll
from kingdom.engine.game import AnyGame
from kingdom.engine.ledger import Entry
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.problems import Faults, Problem
from kingdom.engine.step import AnyState
from kingdom.orders import tables
from kingdom.orders.schema import Seats, snake
from kingdom.orders.tables import Tables
from kingdom.orders.yaml_text import Node


class Unopened(NamedTuple):
    """A campaign whose game is not loaded, since loading takes long."""

    folder: Path
    settings: Settings
    last: None = None

    @property
    def turns(self) -> Path:
        """The folder of the kept turns."""
        return self.folder / "turns"

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats, in the order of their ids."""
        return tuple(self.settings.players)


class Keys(Struct, frozen=True):
    """The keys by which a turn can be resolved without knowing the seed. of: whose rolls -> the key of the turn's dice; commitments: seat, and
    `gm`, -> the commitment to its dice of the turn after."""

    of: dict[str, str]
    commitments: dict[str, str]


class Rulebook:
    """The rules of an open campaign. Each is read once; opening the campaign again reads campaign.yaml and the game's tables again.

    overrides: the YAML node of `rules` in campaign.yaml, None if there is none. Its methods raise Faults.
    """

    def __init__(self, game: AnyGame, overrides: Node | None, folder: Path):
        self.game, self.overrides, self._file = game, overrides, str(folder / settings.FILE)
        self._loaded: dict[tuple[bool, int, str, tuple[str, ...]], Tables] = {}
        self._kept: dict[str, Tables] = {}  # by the digest of their file

    def changed(self, edition: int, began: Tables | None = None) -> Tables:
        """Return the game's tables in an edition, or the tables of an older turn that go on, with the campaign's changes."""
        return self._load(self.overrides, edition, began)

    def own(self, edition: int, began: Tables | None = None) -> Tables:
        """Return the tables as in `changed`, without the campaign's changes."""
        return self._load(None, edition, began)

    def _load(self, overrides: Node | None, edition: int, began: Tables | None) -> Tables:
        key = overrides is not None, edition, began.digest if began else "", began.changed if began else ()
        if key not in self._loaded:
            self._loaded[key] = tables.load(self.game, overrides, self._file, edition, began)
        return self._loaded[key]

    def kept(self, turn: Kept) -> Tables:
        """Return the rules of a kept turn. The file is proved each time, but read as YAML only if its content is not loaded yet."""
        data, digest = store.file_of(turn, "rules.yaml"), turn.record.files["rules.yaml"]
        if digest not in self._kept:
            alike = (one for one in self._loaded.values() if one.digest == turn.record.rules)
            same = next((one for one in alike if tables.dump(one).encode() == data), None)
            self._kept[digest] = same or decode_rules(self.game, data, turn.folder / "rules.yaml")
        return self._kept[digest]


class Campaign(NamedTuple):
    """An open campaign, with its rules.

    last: the number of the newest kept turn, from `with_last`; None: it is read from the folder each time. keys: those of the next turn, in
    a copy of the campaign that lacks the seed.
    """

    folder: Path
    settings: Settings
    game: AnyGame
    rules: Rulebook
    last: int | None = None
    keys: Keys | None = None

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
        """Return the seats that play from the start."""
        return tuple(seat for seat, player in self.settings.players.items() if not player.joins)


Place: TypeAlias = Campaign | Unopened  # a campaign known by its folder and settings, whether its game is loaded or not


def typed(campaign: Place) -> str:
    """Return the campaign's folder as it is typed in a shell."""
    return shlex.quote(str(campaign.folder))


def open_campaign(folder: Path) -> Campaign:
    """Open the campaign in a folder. Raises Faults with all problems of its campaign.yaml except those of its rules."""
    read, overrides = house.settings_of(folder)
    game = games.load(read.game)
    return Campaign(folder, read, game, Rulebook(game, overrides, folder))


def rules_today(campaign: Campaign, turn: int | None = None) -> Tables:
    """Return the rules of the next turn, or of `turn`: the game's tables with the changes of campaign.yaml.

    Changes that begin with a later turn are checked but not applied: the rules of the turn before go on.
    Raises Faults.
    """
    changed = rules_to_come(campaign, turn)
    number = newest(campaign) + 1 if turn is None else turn
    if number >= campaign.settings.rules_from:
        return changed
    return rules_of(campaign, kept(campaign, number - 1)) if number else own_rules(campaign, turn)


def rules_to_come(campaign: Campaign, turn: int | None = None) -> Tables:
    """Return the game's tables with all changes of campaign.yaml, in force yet or not. Raises Faults.

    A campaign that names no edition goes on by the rules of the turn before where they are older than editions.
    """
    before = _before(campaign, turn)
    if before is None:
        return campaign.rules.changed(campaign.settings.edition or 1)
    with suppress(Faults):  # most have the rules of their last turn, which then need not be read
        today = campaign.rules.changed(1)
        if today.digest == before.record.rules:
            return today
    return campaign.rules.changed(1, rules_of(campaign, before))


def own_rules(campaign: Campaign, turn: int | None = None) -> Tables:
    """Return the rules of the next turn, or of `turn`, without what campaign.yaml changes in them. Raises Faults."""
    before = _before(campaign, turn)
    began = None if before is None else rules_of(campaign, before)
    return campaign.rules.own(campaign.settings.edition or 1, began)


def _before(campaign: Campaign, turn: int | None) -> Kept | None:
    """Return the turn by whose rules a campaign goes on that names no edition: that before `turn`, or the newest.

    Before turn 0 it is a turn 0 that was taken back. None of one that names an edition, or has not begun. Raises Faults.
    """
    if campaign.settings.edition:
        return None
    number = newest(campaign) + 1
    if turn is not None:
        number = min(turn, number)  # the turn before it may be made together with it, and not be kept yet
    if number:
        return kept(campaign, number - 1)
    begun = undone_turns.latest(campaign.folder, 0)
    return begun.turn if begun else None


def names_today(campaign: Campaign) -> dict[str, Container[str]]:
    """Return the closed lists of words for today's orders; "seats" has the kingdoms, also by players' names. Raises Faults."""
    seats = Seats(campaign.settings.players)
    seats.called = called(campaign)
    return {**campaign.game.names(rules_today(campaign).rules), "seats": seats}


def called(campaign: Campaign) -> dict[str, str]:
    """Return player's name in snake_case -> seat, for names that only one player has and that are no seat's id."""
    players = campaign.settings.players
    names = [snake(player.name) for player in players.values()]
    return {
        name: seat
        for name, seat in zip(names, players, strict=True)
        if name and name not in players and names.count(name) == 1
    }


def newest(campaign: Place) -> int:
    """Return the number of the newest kept turn, -1 if there is none. Raises Faults if one in between is missing."""
    if campaign.last is not None:
        return campaign.last
    numbers = store.numbers(campaign.turns)
    for expected, number in enumerate(numbers):
        if number != expected:
            raise fault("gap", campaign.turns, turn=expected)
    return len(numbers) - 1


def with_last(campaign: Campaign) -> Campaign:
    """Return the campaign with the number of its newest turn. The caller holds it, so that nobody else keeps a turn meanwhile; who keeps a turn
    calls this again. Raises Faults."""
    return campaign._replace(last=newest(campaign._replace(last=None)))


def kept(campaign: Place, turn: int | None = None) -> Kept:
    """Return a kept turn, by default the newest. Raises Faults if there is none or its record was altered."""
    last = newest(campaign)
    if last < 0:
        raise fault("no_turns", campaign.folder)
    number = last if turn is None else turn
    if not 0 <= number <= last:
        raise fault("no_turn", campaign.folder, turn=number, newest=last)
    return store.kept(campaign.turns / store.name_of(number))


def state_of(campaign: Campaign, turn: Kept) -> AnyState:
    """Return the state after a kept turn, with a place for new seats. Raises Faults if it is broken or was altered.

    The newest ones are remembered, since each seat's report asks for the same ones, and what is worked out from a state is kept with it.
    """
    data, digest = store.file_of(turn, "state.json"), turn.record.files["state.json"]
    known = _states.get((campaign.game.name, digest, tuple(campaign.seats)))
    return known or remember(campaign, digest, decode_state(campaign.game, data, turn.folder / "state.json"))


def remember(campaign: Campaign, digest: str, state: AnyState) -> AnyState:
    """Remember and return the state whose file has this digest, with a place for new seats."""
    seated = campaign.game.opening.seated
    while len(_states) >= _MOST_STATES:
        del _states[next(iter(_states))]
    return _states.setdefault(
        (campaign.game.name, digest, tuple(campaign.seats)), seated(state, campaign.seats) if seated else state
    )


_MOST_STATES = 2  # of a turn and the one before it
# frozen, by the game, the digest of their file and the seats
_states: dict[tuple[str, str, tuple[str, ...]], AnyState] = {}


def unasked(campaign: Campaign, turn: int, known_to: str = "") -> frozenset[str]:
    """Return the seats in play that a kept turn, or the next, asks for no orders. Raises Faults.

    known_to: use only what that seat knows.
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
    """Decode a state.json. Raises Faults."""
    try:
        state: AnyState = msgspec.json.decode(data, type=game.State)
    except store.BROKEN as error:
        raise fault("broken_state", file, reason=store.in_words(error)) from None
    return state


def rules_of(campaign: Campaign, turn: Kept) -> Tables:
    """Return the rules of a kept turn. Raises Faults."""
    return campaign.rules.kept(turn)


def decode_rules(game: AnyGame, data: bytes, file: Path) -> Tables:
    """Decode a turn's rules.yaml. Raises Faults."""
    return tables.kept(game, data.decode("utf-8", "replace"), str(file))


def rolls_of(turn: Kept) -> list[Roll]:
    """Return the rolls of a kept turn. Raises Faults."""
    return decode_rolls(store.file_of(turn, "dice.csv"), turn.folder / "dice.csv")


def decode_rolls(data: bytes, file: Path) -> list[Roll]:
    """Decode a dice.csv. Raises Faults."""
    return rows_of(data, Roll, ("turn", "count", "sides", "result"), str(file))


def decode_entries(data: bytes, file: Path) -> list[Entry]:
    """Decode a ledger.csv. Raises Faults."""
    return rows_of(data, Entry, ("turn", "seq", "delta", "balance"), str(file))


def tape_of(rolls: list[Roll]) -> dict[str, dict[str, list[int]]]:
    """Return the GM's tape as its rolls show it: seat -> name -> results."""
    tape: dict[str, dict[str, list[int]]] = {}
    for roll in rolls:
        if roll.source == "tape":
            tape.setdefault(roll.kingdom, {}).setdefault(roll.name, []).append(roll.result)
    return tape


def dice_of(
    campaign: Campaign, turn: int, attempt: int = 1, tape: Mapping[str, Mapping[str, Sequence[int]]] | None = None
) -> Dice:
    """Return the dice of a turn."""
    if campaign.keys is not None:
        return Dice("", turn, attempt, tape, campaign.keys.of)
    return Dice(campaign.settings.seed_of(turn), turn, attempt, tape)


def key_of(campaign: Campaign, turn: int, whose: str, attempt: int = 1) -> str:
    """Return the key of a seat's rolls in a turn, of the GM's, or of what else draws by the seed."""
    if campaign.keys is not None:
        return campaign.keys.of[whose]
    return dice.key_of(campaign.settings.seed_of(turn), turn, whose, attempt)


def commitments(campaign: Campaign, turn: int, attempt: int = 0) -> dict[str, str]:
    """Return the commitments to the dice of a turn, by seat and `gm`. attempt: if not the one at which it is played next, or was kept."""
    if campaign.keys is not None:
        return campaign.keys.commitments
    attempt = attempt or undone_turns.attempt_of(campaign.folder, turn)
    seed = campaign.settings.seed_of(turn)
    return {seat: dice.commitment_of(dice.key_of(seed, turn, seat, attempt)) for seat in (*campaign.seats, dice.GM)}


def warnings(campaign: Place) -> list[Problem]:
    """Return problems that stop nothing, but that the GM should fix."""
    if not campaign.settings.has_weak_seed:
        return []
    file = campaign.folder / settings.FILE
    begun = bool(store.listed(campaign.folder / "turns"))  # the kept reports promised dice by this seed
    return [trouble("weak_seed_played", file, folder=campaign.folder) if begun else trouble("weak_seed", file)]


def over(campaign: Campaign, turn: int, state: AnyState) -> str:
    """Say why the campaign has no such turn after that state; "" if it has."""
    last = campaign.settings.ends.turn
    if last and turn > last:
        return f"turn {last} was the last (`ends` in campaign.yaml)"
    return campaign.game.finished(state).rstrip(".")  # callers continue the sentence
