"""A kingdom without orders, played by the game's own steps where no die is thrown: for one turn, and for several.

Courses are the few records that all samples of a forecast share. Each is made once, from the record of the turn before and the
decisions of the dice: whether the treasury fell below 0, whether a hex is to be lost, whether anarchy follows.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

import msgspec
from msgspec import Struct

from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.step import Phase, Play, Step
from kingdom.engine.turn import foreseen
from kingdom.games.kit.memo import Memo
from kingdom.games.realm.forecast.terms import Terms, terms_of
from kingdom.games.realm.rules.event_tables import PlacesMonster
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Hex, Kingdom, World, replace
from kingdom.games.realm.turn import FORESEEN_TO, PLAY

UPKEEP, PAYS = "upkeep", "pay_consumption"  # the phase; after this step of it no die changes a number
LEFT_TO_THE_REPORT = ("remember",)  # the memory of hexes changes no number
KEPT = -1  # the close of the turn leaves Unrest as it is

Realm: TypeAlias = Play[World, Rules]


@cache
def upkeep() -> tuple[tuple[str, ...], tuple[Step[World, Rules], ...]]:
    """(the names of the steps of the Upkeep phase before Consumption is paid, the steps after it), as turn.py has them."""
    steps = next(phase for phase in PLAY.phases if phase.name == UPKEEP).steps
    names = [step.__name__ for step in steps]
    pays = names.index(PAYS)
    return tuple(names[:pays]), tuple(step for step in steps[pays + 1 :] if step.__name__ not in LEFT_TO_THE_REPORT)


@cache
def _closing() -> Realm:
    """The rest of the Upkeep phase after Consumption is paid."""
    return PLAY._replace(phases=(Phase(UPKEEP, upkeep()[1]),))


def opened(seat: str, kingdom: Kingdom, hexes: dict[str, Hex], turn: int, rules: Rules) -> Kingdom:
    """The kingdom at the end of the Edict phase of that turn, if it gives no orders and no other kingdom acts."""
    return _run(PLAY, seat, kingdom, hexes, turn, rules)


def closed(seat: str, kingdom: Kingdom, hexes: dict[str, Hex], turn: int, rules: Rules) -> Kingdom:
    """The kingdom at the end of that turn; `kingdom` is its state right after it paid Consumption."""
    return _run(_closing(), seat, kingdom, hexes, turn, rules)


def _run(game: Realm, seat: str, kingdom: Kingdom, hexes: dict[str, Hex], turn: int, rules: Rules) -> Kingdom:
    after, _ = foreseen(game, World(turn - 1, hexes, {seat: kingdom}), {}, rules, FORESEEN_TO)
    return after.kingdoms[seat]


def closes_quietly(kingdom: Kingdom, turn: int, rules: Rules) -> bool:
    """Whether nothing changes Unrest or land when the turn closes: there is no anarchy, and nothing that depends on Unrest."""
    return kingdom.anarchy != turn and not goes_by_unrest(kingdom, rules)


def goes_by_unrest(kingdom: Kingdom, rules: Rules) -> bool:
    """Whether the close of a turn may depend on Unrest: monsters are at large, an event waits for a building, or there is no
    settlement, so that a kingdom that begins anew may be lost."""
    if not kingdom.hexes or not kingdom.settlements:
        return True
    kinds = [rules.event_kinds[event.kind] for event in kingdom.events.values() if event.kind in rules.event_kinds]
    monsters = any(isinstance(each, PlacesMonster) for kind in kinds for each in kind.set_up)
    return monsters or any("wanted_by" in event.facts for event in kingdom.events.values())


def at_rest(kingdom: Kingdom) -> Kingdom:
    """The kingdom without the things that dice or others decide (events, expeditions, hired adventurers, captives, its plan,
    caravans on the road), and without those that change no number."""
    routes = {key: route for key, route in kingdom.routes.items() if route.open}
    kingdom = replace(kingdom, events={}, expeditions={}, parties={}, captives={}, plan=(), routes=routes)
    settlements = {
        name: replace(each, bought={}, razed={}) if each.bought or each.razed else each
        for name, each in kingdom.settlements.items()
    }
    # records of past turns that matter only to orders and standings
    kingdom = replace(kingdom, settlements=settlements, sizes=(), lost={}, takings={})
    return replace(kingdom, pending=(), requests=(), memory={}, counted={}, quiet=False)


class Standing(Struct, frozen=True):
    """A kingdom at the end of the Edict phase of that turn, and the map."""

    seat: str
    kingdom: Kingdom
    hexes: dict[str, Hex]
    turn: int


# --- several turns ----------------------------------------------------------------------------------------------------


class Fate(NamedTuple):
    """The decisions of the dice about a course until Consumption was paid. course: its number; short: the treasury is below 0;
    due: a hex is to be lost; anarchy: the next turn is one of anarchy; unrest: 0 if it makes no difference to the close."""

    course: int
    short: bool
    due: bool
    anarchy: bool
    unrest: int


class Closed(NamedTuple):
    """A course at the end of a turn. course: its number in the next turn; unrest: KEPT, or the Unrest now."""

    course: int
    unrest: int
    size: int
    due: bool
    anarchy: bool


class _Ended(Struct, frozen=True):
    """Closed, with the kingdom that begins the next turn, and its bytes."""

    bytes: bytes
    kingdom: Kingdom
    closed: Closed


# identifies a kingdom at the start of a turn: the turn, its bytes, whether it is in anarchy
Key = tuple[int, bytes, bool]


_played: Memo[Kingdom] = Memo(size=200)  # kingdoms as phases left them; compared plans share many of them


class Courses:
    """The kingdoms of a turn, by number, and those found so far for the next turn.

    turn: the turn being played. kingdoms: as its Edict phase left them, without the numbers that the samples work out.
    """

    def __init__(self, standing: Standing, rules: Rules):
        self.turn = standing.turn
        self.kingdoms = [standing.kingdom]
        self._keys: list[Key] = [(standing.turn, b"", False)]  # of the kingdoms
        self._seat, self._hexes, self._rules = standing.seat, standing.hexes, rules
        self._any_turn = standing.turn + 1  # stands for every later turn if nothing in a kingdom depends on the date
        self._next: dict[tuple[bytes, bool], tuple[int, Kingdom]] = {}
        self._ended: dict[tuple[Key, Fate], _Ended] = {}
        # (key, the treasury is below 0) -> the kingdom after a quiet close
        self._rested: dict[tuple[Key, bool], Kingdom] = {}

    def terms(self) -> list[Terms]:
        """The terms of each kingdom, by number."""
        begun = zip(self.kingdoms, self._keys, strict=True)
        return [terms_of(kingdom, self._hexes, turn, self._rules) for kingdom, (turn, *_) in begun]

    def minds_unrest(self) -> list[bool]:
        """For each kingdom, whether the close of the turn depends on Unrest."""
        return [goes_by_unrest(kingdom, self._rules) for kingdom in self.kingdoms]

    def closed(self, fate: Fate, last: bool = False) -> Closed:
        """A course at the end of the turn. last: no turn follows, so the number for the next turn does not matter."""
        kingdom = self.kingdoms[fate.course]
        if last and not kingdom.destroyed and closes_quietly(kingdom, self._keys[fate.course][0], self._rules):
            return Closed(0, KEPT, len(kingdom.hexes), fate.due, fate.anarchy)
        key = self._keys[fate.course], fate._replace(course=0)
        found = self._ended.get(key)
        if found is None:
            found = self._ended[key] = self._end(fate)
        number, _ = self._next.setdefault((found.bytes, found.closed.anarchy), (len(self._next), found.kingdom))
        return found.closed._replace(course=number)

    def _turn_of(self, kingdom: Kingdom) -> int:
        """The turn number with which to play the kingdom's next turn. If nothing in the kingdom depends on the date, all later
        turns share one number."""
        dated = any(each.ends for each in (*kingdom.modifiers, *kingdom.coming))
        return self.turn if dated else self._any_turn

    def _end(self, fate: Fate) -> _Ended:
        kingdom = self.kingdoms[fate.course]
        turn, unrest = self._keys[fate.course][0], KEPT
        if not kingdom.destroyed:
            anarchy = turn + 1 if fate.anarchy else turn if kingdom.anarchy == turn else 0
            if closes_quietly(kingdom, turn, self._rules):
                kingdom = replace(self._closed_quietly(fate.course, fate.short), anarchy=anarchy, loses_hex=fate.due)
            else:
                given = replace(kingdom, treasury=-fate.short, unrest=fate.unrest, anarchy=anarchy, loses_hex=fate.due)
                kingdom = self._closed(self._keys[fate.course], fate._replace(course=0), given)
            unrest = kingdom.unrest if kingdom.unrest != fate.unrest or anarchy == turn else KEPT
        follows = kingdom.anarchy == turn + 1
        begins = at_rest(replace(kingdom, treasury=0, unrest=0, stores=0, anarchy=0))
        closed_as = Closed(0, unrest, len(kingdom.hexes), kingdom.loses_hex, follows)
        return _Ended(msgspec.json.encode(begins), begins, closed_as)

    def _closed_quietly(self, course: int, short: bool) -> Kingdom:
        """A course after a quiet close, which does not depend on what the dice decided for the next turn."""
        key = self._keys[course], short
        if key not in self._rested:
            given = replace(self.kingdoms[course], treasury=-short, unrest=0, anarchy=0, loses_hex=False)
            moves = given.armies or given.cut_off or given.anew  # else a quiet close changes nothing
            self._rested[key] = self._closed(key[0], short, given) if moves else given
        return self._rested[key]

    def _closed(self, key: Key, how: object, given: Kingdom) -> Kingdom:
        def close() -> Kingdom:
            return closed(self._seat, given, self._hexes, key[0], self._rules)

        return self._shared((key, how), close) if key[1] else close()

    def _shared(self, key: object, make: Callable[[], Kingdom]) -> Kingdom:
        """A kingdom after a phase, worked out once for all compared plans."""
        whole = self._seat, key, id(self._hexes), id(self._rules)
        known = _played.get(whole)
        return _played.put(whole, (self._hexes, self._rules), make()) if known is None else known

    def go_on(self) -> None:
        """Begin the next turn."""
        self.turn += 1
        begin = list(self._next.items())
        self._keys = [(self._turn_of(kingdom), bytes, anarchy) for (bytes, anarchy), (_, kingdom) in begin]
        self.kingdoms = [self._begun(key, kingdom) for key, (_, (_, kingdom)) in zip(self._keys, begin, strict=True)]
        self._next = {}

    def _begun(self, key: Key, kingdom: Kingdom) -> Kingdom:
        """The kingdom at the end of that turn's Edict phase; without orders anarchy makes no difference up to there."""
        turn, bytes, anarchy = key
        begun = self._shared((turn, bytes), lambda: opened(self._seat, kingdom, self._hexes, turn, self._rules))
        return replace(begun, anarchy=turn if anarchy else 0)
