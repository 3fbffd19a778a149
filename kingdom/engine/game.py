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
R = TypeVar("R")  # the game's Rules: a frozen msgspec Struct with a field for each table and ruling

Chance: TypeAlias = Callable[[str, int], int]  # (name, sides) -> 1 to sides: draws that are not the campaign's dice
Facts: TypeAlias = Mapping[str, Any]  # plain data, as JSON and templates have it
GmOrder: TypeAlias = dict[str, Any]  # one ruling of the GM in the long form
# tries the GM's orders -> (the state after them, the numbers of the refused ones)
Tried: TypeAlias = Callable[[list[GmOrder]], tuple[S, list[int]]]
# (the GM's orders, seat -> the differences that no order can correct)
Corrections: TypeAlias = tuple[list[GmOrder], Mapping[str, list[str]]]
Row: TypeAlias = tuple[str, str, Mapping[str, int], str]  # seat, name, account -> balance, why it is out of play or ""


class Declaration(Protocol):
    """The keys that a text may have, and the shape of each value; kingdom/orders/schema.py declares them."""

    @property
    def keys(self) -> Mapping[str, object]:
        """Return each key with the shape of its value."""
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
    # (state, seats) -> the state with a place for these new seats; None: no seat may join later
    seated: Callable[[S, Iterable[str]], S] | None = None
    # (file, path, old value, new value) -> the GM's order that makes the same change after the start
    edit: Callable[[str, str, str, str], str] | None = None


class Scoring(Struct, Generic[S, R], frozen=True):
    """How the final standings are worked out."""

    counts: tuple[str, ...] = ()  # the accounts that decide, the weightiest first, if campaign.yaml names none
    fewer: tuple[str, ...] = ()  # accounts for which a lower balance is better
    unit: str = ""  # the unit of the first of `counts`, as in a sentence: "points"; "": the account's name
    accounts: tuple[str, ...] = ()  # every account that a campaign may count
    # the accounts that a public page may show while the campaign goes on, the weightiest first
    open: tuple[str, ...] = ()
    # the rows to rank; None: every seat in play with its accounts
    rows: Callable[[S, R, Sequence[str]], Iterable[Row]] | None = None


class Forms(Struct, Generic[S, R], frozen=True):
    """The order forms of a game. Each function gets the state as far as the seat knows it."""

    text: Callable[[S, str, R], Iterable[str]]  # the lines of the text form below its head
    page: Callable[[S, str, R], Facts]  # the offers of the form as a page
    # closed list -> the names that an editor suggests
    names: Callable[[S, str | None, R], Mapping[str, Iterable[str]]] | None = None
    picture: Callable[[S, str, R], str] | None = None  # of the page, an SVG, where it is not the game's own


Bot: TypeAlias = Callable[[S, str, R, Chance], str]  # (what the seat knows, seat, rules, chance) -> orders, a text


class Letter(NamedTuple):
    """A message of a player. sender: a seat; to: a seat or "all"; turn: the turn in which it was written."""

    sender: str
    to: str
    text: str
    turn: int = 0


class Simulation(Struct, Generic[S, R], frozen=True):
    """The functions by which whole campaigns are simulated, besides bots."""

    muddled: Bot[S, R]  # writes orders, most of them forbidden
    gm: Callable[[S, R, Chance], str]  # (state, rules, chance) -> a GM's orders, a text
    fuzzers: Mapping[str, Bot[S, R]] = {}  # name -> a player of simulated campaigns in place of a bot
    could_happen: Callable[[R], Mapping[str, Iterable[str]]] | None = None  # vocabulary -> its words
    # (vocabulary, word), once each time it occurred
    happened: Callable[[Result[S], R], Iterable[tuple[str, str]]] | None = None


class Game(Struct, Generic[S, R], frozen=True):
    """A game as the program sees it. `seat` is a player's place, a lowercase id; "gm" is the GM's.

    A game may leave out the fields below the comment "optional"; they are then None.
    """

    name: str  # the name in campaign.yaml, and of its folders under games/ and templates/
    title: str
    State: type[S]
    Rules: type[R]
    data: Path  # the folder of the tables, *.yaml
    phases: tuple[Phase[S, R], ...]  # all phases of a turn in order
    opening: Opening[S, R]
    orders: Declaration  # a player's orders, declared once
    gm_orders: Declaration  # the GM's
    refusals: Mapping[str, str]  # code -> the sentence: what is wrong, by which rule, what would be legal
    causes: Mapping[str, str]  # each word that the ledger's `cause` may have -> what it means
    seats: Callable[[S], Iterable[str]]  # the seats in play
    accounts: Callable[[S, str, R], Mapping[str, int]]  # account -> balance
    sheet: Callable[[S, str, R], dict[str, Any]]  # the sheet that `kingdom show --json` prints
    known: Callable[[S, str, R], S]  # the state, cut down to what that seat knows
    view: Callable[[Result[S], str, R], Facts]  # all that a seat's report may hold; seat "gm": everything
    odds: Callable[[S, str, R], Mapping[str, float]]  # check -> chance of success, 0 to 1
    names: Callable[[R], Mapping[str, Container[str]]]  # the closed lists that orders name ("buildings", ...)
    draw: Callable[[S, str | None, R], str]  # the map or board as text: as the seat knows it, None: the whole
    finished: Callable[[S], str]  # why the game is over, "" while it goes on
    foreseen_to: str = ""  # the phase at whose end `kingdom check` shows the sheet; "": the end of the turn
    paid_from: str = ""  # the account that orders are paid from; "": orders cost nothing
    coin: str = ""  # the unit of that account, as a person writes it behind a number: "BP"
    reviewed: tuple[str, ...] = ()  # the accounts that `kingdom review` shows; (): those of the standings
    # a description of each edition of the rules, the first one first; (): there is only one
    editions: tuple[str, ...] = ()
    # accounts whose rise is good, besides those of the standings and `paid_from`
    better: tuple[str, ...] = ()
    worse: tuple[str, ...] = ()  # accounts whose rise is bad
    idle: Orders = {}  # the orders of a seat that filed none, in a campaign with `missing_orders: nothing`
    bots: Mapping[str, Bot[S, R]] = {}  # name -> bot; the first is the steward
    # whether its bots write letters and take a fifth argument: the letters that their seat got in the last turn
    bots_write: bool = False
    scoring: Scoring[S, R] = Scoring()
    # a folder of templates/ with the templates that the game's own folders lack: "board/plain"
    templates: str = ""
    # optional
    # (known, seat, rules, orders so far) -> the orders that the seat may add
    offers: Callable[[S, str, R, Orders], Sequence[Offer]] | None = None
    forms: Forms[S, R] | None = None
    simulation: Simulation[S, R] | None = None
    picture: Callable[[S, str | None, R], str] | None = None  # the map or board as an SVG
    # (the campaign's tables as data, the game's own) -> the data that rules.md shows
    rulebook: Callable[[Facts, Facts], Facts] | None = None
    requests: Callable[[S], Mapping[str, Iterable[str]]] | None = None  # seat -> its open requests to the GM
    # (result, seat, turn) -> the result without the letters of the seat's former player before that turn, for its new player
    unsaid: Callable[[Result[S], str, int], Result[S]] | None = None
    # the seats that the next turn asks for orders; None: all in play
    asked: Callable[[S, R], Iterable[str]] | None = None
    sources: Callable[[S, str, R], Mapping[str, Any]] | None = None  # account -> (by, what) for each of its parts
    # (known, seat, rules, orders, turns, samples, chance: a numpy Generator, None for one turn)
    forecast: Callable[[S, str, R, Orders, int, int, Any], Facts] | None = None
    # (known, seat, rules) -> plans for its next turn, the best first
    advice: Callable[[S, str, R], list[Facts]] | None = None
    # (known, seat, rules, orders) -> their effect on the checks and dangers of the next turns, in the form of a plan of
    # `advice`
    weighed: Callable[[S, str, R, Orders], Facts] | None = None
    # (known, seat, rules, orders) -> a sentence for each order that depends on a die before those checks
    gambles: Callable[[S, str, R, Orders], list[str]] | None = None
    # (known, seat, rules, orders, a chance) -> the dangers that stay above that chance, in the form of `weighed`, but faster
    threatened: Callable[[S, str, R, Orders, float], Facts] | None = None
    # (state before a turn, seat, rules, its orders) -> their average result as far as the seat knows: account -> cause ->
    # change, and checks -> chance
    expected: Callable[[S, str, R, Orders], Facts | None] | None = None
    # (state today, state as it should be, rules, reason, tried) -> the GM's orders that correct the difference
    correction: Callable[[S, S, R, str, Tried[S]], Corrections] | None = None
    # state -> who holds which place of the map, by its label: column and row in two digits each, each place with six others
    # around it, those of even columns half a place lower
    holders: Callable[[S], Mapping[str, str]] | None = None
    # piece in the box -> their number, which no step may change
    pieces: Callable[[S, R], Mapping[str, int]] | None = None
    # (state, a later state, seat) -> whether nothing changed that the seat's accounts are worked out from
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


AnyGame: TypeAlias = Game[Any, Any]  # for code that works with any game and does not look into its states and rules
AnyBot: TypeAlias = Bot[Any, Any]


def asked(game: Game[S, R], state: S, rules: R) -> list[str]:
    """Return the seats in play that are asked for orders in the turn after `state`; only these seats are awaited, reminded and
    counted as silent."""
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
    """Return a game's title. If the game's package states it, the game itself need not be loaded."""
    return getattr(importlib.import_module(f"kingdom.games.{name}"), "TITLE", "") or load(name).title


def bots(name: str) -> tuple[str, ...]:
    """Return the names of a game's bots. If the game's package states them, the game itself need not be loaded."""
    return getattr(importlib.import_module(f"kingdom.games.{name}"), "BOTS", None) or tuple(load(name).bots)


def load(name: str) -> AnyGame:
    """Load the game of that name. Raises KeyError if there is none."""
    if name not in names():
        raise KeyError(name)
    game: AnyGame = importlib.import_module(f"kingdom.games.{name}.game").GAME
    return game
