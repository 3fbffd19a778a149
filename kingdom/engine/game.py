"""The contract that a game fills in. The engine knows no game, unit or place; a game is found by its folder."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

from msgspec import Struct

import kingdom.games
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.step import Orders, Phase, Result

if TYPE_CHECKING:
    from kingdom.engine.offer import Offer
    from kingdom.engine.problems import Problem

S = TypeVar("S")  # the game's State: a frozen msgspec Struct with the field `turn`; state.json is its JSON
R = TypeVar("R")  # the game's Rules: a frozen msgspec Struct: its tables, a field a table or ruling

Chance: TypeAlias = Callable[[str, int], int]  # (name, sides) -> 1 to sides: a draw apart from the campaign's dice
Facts: TypeAlias = Mapping[str, Any]  # plain data, as JSON and templates have it
GmOrder: TypeAlias = dict[str, Any]  # one ruling of the GM in the long form
# -> (the state after them, the numbers of those refused)
Tried: TypeAlias = Callable[[list[GmOrder]], tuple[S, list[int]]]
# and seat -> what is due that no order puts right
Corrections: TypeAlias = tuple[list[GmOrder], Mapping[str, list[str]]]
Row: TypeAlias = tuple[str, str, Mapping[str, int], str]  # seat, name, account -> balance, why it is out of play or ""


class Declaration(Protocol):
    """The keys that a text may have, and what each takes; kingdom/orders/schema.py declares them."""

    @property
    def keys(self) -> Mapping[str, object]:
        """Return each key with what may stand there."""
        ...


class Setup(Struct, frozen=True):
    """The files that a campaign starts from, read and checked by their schemas."""

    seats: tuple[str, ...]
    files: Mapping[str, Any]  # "map.yaml" -> its content; "kingdoms/examplia.yaml" -> its content
    where: Callable[[str, str], str]  # (file name, path inside) -> "FILE:LINE:COLUMN", the place that a problem names


class Opening(Struct, Generic[S, R], frozen=True):
    """How a campaign starts."""

    files: Mapping[str, Declaration]  # the files a start is made from: "map.yaml" or "kingdoms/*.yaml" -> its schema
    # (seats or None, options) -> file -> text of a fair new campaign
    new: Callable[[int | None, Facts], Mapping[str, str]]
    start: Callable[[Setup, R], S]  # raises problems.Faults
    phases: tuple[Phase[S, R], ...] = ()  # the steps that end turn 0, after the start
    # kinds of starts that a new campaign may have, the usual one first: its option `start`
    starts: tuple[str, ...] = ()
    warnings: Callable[[Setup, R], list[Problem]] | None = None  # problems of a start that do not stop it
    # (state, seats) -> the state with a place for new seats; None: no seat may join later
    seated: Callable[[S, Iterable[str]], S] | None = None
    # (file, path, was, now) -> the GM's order for an edit after the start
    edit: Callable[[str, str, str, str], str] | None = None


class Scoring(Struct, Generic[S, R], frozen=True):
    """How the final standings are worked out."""

    counts: tuple[str, ...] = ()  # the accounts that decide, the weightiest first, if campaign.yaml names none
    fewer: tuple[str, ...] = ()  # accounts of which less is better
    unit: str = ""  # what the first of `counts` counts, as a sentence says it: "points"; "": the account's name
    accounts: tuple[str, ...] = ()  # every account that a campaign may count
    rows: Callable[[S, R, Sequence[str]], Iterable[Row]] | None = None  # None: every seat in play, by its accounts


class Forms(Struct, Generic[S, R], frozen=True):
    """The order forms of a game. Each function gets the state as far as the seat knows it."""

    text: Callable[[S, str, R], Iterable[str]]  # the lines of the order form as text, below its head
    page: Callable[[S, str, R], Facts]  # what the order form in a page offers
    # list -> names that an editor offers
    names: Callable[[S, str | None, R], Mapping[str, Iterable[str]]] | None = None


Bot: TypeAlias = Callable[[S, str, R, Chance], str]  # (what the seat knows, seat, rules, chance) -> orders, a text


class Letter(NamedTuple):
    """A message of a player. sender: a seat; to: a seat or "all"; turn: in which it was written."""

    sender: str
    to: str
    text: str
    turn: int = 0


class Simulation(Struct, Generic[S, R], frozen=True):
    """The functions by which whole campaigns are simulated, besides bots."""

    muddled: Bot[S, R]  # orders, most of them not allowed
    gm: Callable[[S, R, Chance], str]  # (state, rules, chance) -> a GM's orders, a text
    fuzzers: Mapping[str, Bot[S, R]] = {}  # name -> who plays simulated campaigns in place of bots
    could_happen: Callable[[R], Mapping[str, Iterable[str]]] | None = None  # vocabulary -> its words
    happened: Callable[[Result[S], R], Iterable[tuple[str, str]]] | None = None  # (vocabulary, word), as often


class Game(Struct, Generic[S, R], frozen=True):
    """A game as the program sees it. `seat` is a player's place, a lowercase id; "gm" is the GM's.

    A game may leave out the fields below the comment "optional"; they are then None.
    """

    name: str  # as in campaign.yaml, also the name of its folder under games/ and templates/
    title: str
    State: type[S]
    Rules: type[R]
    data: Path  # the folder of the tables, *.yaml
    phases: tuple[Phase[S, R], ...]  # the table of contents of a turn
    opening: Opening[S, R]
    orders: Declaration  # a player's orders, declared once
    gm_orders: Declaration  # the GM's
    refusals: Mapping[str, str]  # code -> the sentence: what is wrong, the rule, what would be legal
    causes: Mapping[str, str]  # each word that the ledger's `cause` may have -> what it means
    seats: Callable[[S], Iterable[str]]  # the seats in play
    accounts: Callable[[S, str, R], Mapping[str, int]]  # account -> balance
    sheet: Callable[[S, str, R], dict[str, Any]]  # what `kingdom show --json` prints
    known: Callable[[S, str, R], S]  # the state, cut down to what that seat knows
    view: Callable[[Result[S], str, R], Facts]  # all that a seat's report may hold; seat "gm": everything
    odds: Callable[[S, str, R], Mapping[str, float]]  # check -> chance of success, 0 to 1
    names: Callable[[R], Mapping[str, Container[str]]]  # the closed lists that orders name ("buildings", ...)
    draw: Callable[[S, str | None, R], str]  # the map or board as text, as a seat knows it or whole
    finished: Callable[[S], str]  # why the game is over, "" while it goes on
    foreseen_to: str = ""  # the phase at whose end `kingdom check` shows the sheet; "": the end of the turn
    paid_from: str = ""  # the account that orders are paid from; "": orders cost nothing
    coin: str = ""  # the unit of that account, as a person writes it behind a number: "BP"
    reviewed: tuple[str, ...] = ()  # the accounts that `kingdom review` shows; (): those that count for the standings
    editions: tuple[str, ...] = ()  # what each edition of the rules is, from the first; (): there is one
    # accounts whose rise is good, besides those that count and the one that orders are paid from
    better: tuple[str, ...] = ()
    worse: tuple[str, ...] = ()  # accounts whose rise is bad
    idle: Orders = {}  # the orders of a seat that filed none, in a campaign with `missing_orders: nothing`
    bots: Mapping[str, Bot[S, R]] = {}  # name -> bot; the first is the steward
    # its bots take a fifth argument, too, where it is given: the letters that their seat got in the last turn; and they write some
    bots_write: bool = False
    scoring: Scoring[S, R] = Scoring()
    # a folder of templates/ that serves where the game's own folders lack a template: "board/plain"
    templates: str = ""
    # optional
    # (known, seat, rules, orders so far) -> what more it may order
    offers: Callable[[S, str, R, Orders], Sequence[Offer]] | None = None
    forms: Forms[S, R] | None = None
    simulation: Simulation[S, R] | None = None
    picture: Callable[[S, str | None, R], str] | None = None  # the map or board as an SVG
    # (the tables as data, the game's own) -> what its rules.md shows
    rulebook: Callable[[Facts, Facts], Facts] | None = None
    requests: Callable[[S], Mapping[str, Iterable[str]]] | None = None  # seat -> its open requests to the GM
    # (result, seat, turn) -> the result without what another player of the seat wrote before that turn, for who took it over then
    unsaid: Callable[[Result[S], str, int], Result[S]] | None = None
    asked: Callable[[S, R], Iterable[str]] | None = None  # whose orders the next turn is for; None: all in play
    sources: Callable[[S, str, R], Mapping[str, Any]] | None = None  # account -> (by, what) of all it is made of
    # (known, seat, rules, orders, turns, samples, chance: a numpy Generator, None for one turn)
    forecast: Callable[[S, str, R, Orders, int, int, Any], Facts] | None = None
    # (known, seat, rules) -> plans for its next turn, the best first
    advice: Callable[[S, str, R], list[Facts]] | None = None
    # (known, seat, rules, orders) -> what they do to checks and dangers of the next turns, as a plan of `advice` says it
    weighed: Callable[[S, str, R, Orders], Facts] | None = None
    # (known, seat, rules, orders) -> what of them hangs on a die before those checks, a sentence each
    gambles: Callable[[S, str, R, Orders], list[str]] | None = None
    # (known, seat, rules, orders, a chance) -> the dangers that they leave above that chance, as `weighed` says them; cheaper
    threatened: Callable[[S, str, R, Orders, float], Facts] | None = None
    # (state before a turn, seat, rules, its orders) -> what they bring on average, by what it knows: account -> cause -> by how much, checks -> chance
    expected: Callable[[S, str, R, Orders], Facts | None] | None = None
    # (state today, state as it should be, rules, reason, tried) -> the GM's orders that make up the difference
    correction: Callable[[S, S, R, str, Tried[S]], Corrections] | None = None
    pieces: Callable[[S, R], Mapping[str, int]] | None = None  # piece in the box -> how many: no step may change it
    # (state, a later one, seat) -> whether the seat's accounts must be the same, for all that they are made of is
    unmoved: Callable[[S, S, str], bool] | None = None
    # (state, seat, rules, effort, chance) -> the best play found
    solve: Callable[[S, str | None, R, int, Chance], Facts] | None = None


class Late(Struct, frozen=True):
    """A function of a game, whose module is loaded at the first call: most commands need neither its reports nor its bots.

    A test proves that it exists and takes these arguments.
    """

    game: str  # the game's package
    place: str  # the module inside it
    name: str

    def __call__(self, *given: Any) -> Any:
        return self.loaded()(*given)

    def loaded(self) -> Callable[..., Any]:
        """Load the function."""
        function: Callable[..., Any] = getattr(importlib.import_module(f"{self.game}.{self.place}"), self.name)
        return function


def late_in(module: str) -> Callable[[str, str], Late]:
    """Return a function (place, name) -> Late, for the `game.py` with this `__name__`."""
    return partial(Late, module.rpartition(".")[0])


AnyGame: TypeAlias = Game[Any, Any]  # where it does not matter which: its states and rules are handed on unopened
AnyBot: TypeAlias = Bot[Any, Any]


def asked(game: Game[S, R], state: S, rules: R) -> list[str]:
    """Return the seats in play that are asked for orders in the turn after `state`; only these are awaited, reminded and counted as silent."""
    wanted = None if game.asked is None else frozenset(game.asked(state, rules))
    return [seat for seat in game.seats(state) if wanted is None or seat in wanted]


def names() -> list[str]:
    """Return the names of the games: the folders under games/ that have a game.py."""
    return list(_names(tuple(kingdom.games.__path__)))


@cache
def _names(places: Iterable[str]) -> list[str]:
    return sorted({entry.parent.name for place in places for entry in Path(place).glob("*/game.py")})


def folders(name: str) -> list[str]:
    """Return the folders in which the game of that name may lie."""
    return [f"{place}/{name}" for place in kingdom.games.__path__]


def title(name: str) -> str:
    """Return a game's title, from its package alone if that states it, which is quicker than loading the game."""
    return getattr(importlib.import_module(f"kingdom.games.{name}"), "TITLE", "") or load(name).title


def bots(name: str) -> tuple[str, ...]:
    """Return the names of a game's bots, from its package alone if that states them."""
    return getattr(importlib.import_module(f"kingdom.games.{name}"), "BOTS", None) or tuple(load(name).bots)


def load(name: str) -> AnyGame:
    """Load the game of that name. Raises KeyError if there is none."""
    if name not in names():
        raise KeyError(name)
    game: AnyGame = importlib.import_module(f"kingdom.games.{name}.game").GAME
    return game
