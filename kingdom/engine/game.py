"""The contract that a game fills in. The core knows no game, unit or place; a game is found by its folder."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, Callable, Iterable, Mapping, NamedTuple

Step = Callable[[Any, Any], Any]  # (state, turn) -> state; what it moves it books through turn.book


class Phase(NamedTuple):
    """A phase of a turn: its word in the ledger, and its steps in the rules' order."""

    name: str
    steps: tuple[Step, ...]


class Game(NamedTuple):
    """All that the core asks of a game. `seat` is a player's place, a lowercase id."""

    name: str  # as in campaign.yaml, also the name of its folder under games/ and templates/
    title: str
    State: type  # a frozen msgspec Struct with the field `turn`; state.json is its JSON
    Rules: type  # a frozen msgspec Struct: the game's tables, a field a table or ruling
    data: Path  # the folder of the tables, *.yaml
    phases: tuple[Phase, ...]  # the table of contents of a turn
    orders: Any  # shape.Record: a player's orders, declared once
    gm_orders: Any  # shape.Record: the GM's
    files: Mapping[str, Any]  # the campaign files a start is made from: "map.yaml" or "kingdoms/*.yaml" -> its shape
    refusals: Mapping[str, str]  # code -> the sentence: what is wrong, the rule, what would be legal
    causes: Mapping[str, str]  # each word that the ledger's `cause` may have -> what it means
    start: Callable[..., Any]  # (setup: Setup, rules) -> State, raises problems.Faults
    seats: Callable[[Any], Iterable[str]]  # (state) -> the seats in play
    accounts: Callable[[Any, str, Any], Mapping[str, int]]  # (state, seat, rules) -> account -> balance
    sheet: Callable[[Any, str, Any], dict]  # (state, seat, rules) -> what `kingdom show --json` prints
    known: Callable[[Any, str, Any], Any]  # (state, seat, rules) -> the state as far as that seat knows it
    view: Callable[..., dict]  # (result, seat, rules) -> all that a seat's report may hold; seat "gm": everything
    odds: Callable[[Any, str, Any], Mapping[str, float]]  # (state, seat, rules) -> check -> chance of success, 0 to 1
    names: Callable[..., Mapping[str, Iterable[str]]]  # (rules) -> the closed lists that orders name ("buildings", ...)
    draw: Callable[..., str]  # (state, seat or None, rules) -> the map or board as text
    new: Callable[..., Mapping[str, str]]  # (how many seats or None, options) -> file name -> text of a fair new campaign
    finished: Callable[[Any], str]  # (state) -> why the game is over, "" while it goes on
    foreseen_to: str = ""  # the phase at whose end `kingdom check` shows the sheet; "": the end of the turn
    paid_from: str = ""  # the account that orders are paid from; "": orders cost nothing
    idle: Mapping[str, Any] = {}  # the orders of a seat that filed none, in a campaign with `missing_orders: nothing`
    edit: Callable[..., str] = lambda file, path, was, now: ""  # -> the GM's order that does what an edit of a start's file meant
    warnings: Callable[..., list] = lambda setup, rules: []  # (setup, rules) -> problems of a start that do not stop it
    form: Callable[..., Iterable[str]] = lambda state, seat, rules: ()  # -> the next turn's order form, line by line, behind its head
    first_orders: Callable[..., Mapping[str, str]] = lambda state, seat, rules: {}  # -> what for -> a newcomer's orders, a text
    rulebook: Callable[..., Mapping[str, Any]] | None = None  # (the tables as data, the game's own) -> what its rules.md shows
    seated: Callable[[Any, Iterable[str]], Any] | None = None  # (state, seats) -> with a place for new seats; None: none may join
    bots: Mapping[str, Callable[..., str]] = {}  # name -> (what the seat knows, seat, rules, chance) -> orders, a text; the first is the steward
    could_happen: Callable[[Any], Mapping[str, Iterable[str]]] = lambda rules: {}  # -> vocabulary -> its words, for simulations
    happened: Callable[[Any, Any], Iterable[tuple[str, str]]] = lambda result, rules: ()  # (result, rules) -> (vocabulary, word), as often
    muddled: Callable[..., str] | None = None  # (what the seat knows, seat, rules, chance) -> orders, most of them not allowed, a text
    gm_bot: Callable[..., str] | None = None  # (state, rules, chance) -> a GM's orders, a text
    opening: tuple[Phase, ...] = ()  # what turn 0 ends with, on the state of the start
    requests: Callable[..., Mapping[str, Iterable[str]]] = lambda state: {}  # -> seat -> what it asked the GM, still open
    picture: Callable[..., str] | None = None  # (state, seat or None, rules) -> the map or board as one SVG
    form_page: Callable[..., Mapping[str, Any]] | None = None  # (what the seat knows, seat, rules) -> what its order form offers
    forecast: Callable[..., Mapping[str, Any]] | None = None  # (what the seat knows, seat, rules, orders, turns, samples, chance)
    sources: Callable[..., Mapping[str, Any]] | None = None  # (state, seat, rules) -> account -> (by, what) of all it is made of
    account_names: tuple[str, ...] = ()  # every account that `accounts` gives
    offered: Callable[..., Mapping[str, Iterable[str]]] = lambda state, seat, rules: {}  # -> list -> names that an editor offers in orders
    correction: Callable[..., tuple] | None = None  # (state, as it would be, rules, reason, tried) -> (GM's orders that book it, seat -> what else is due)
    counts: tuple[str, ...] = ()  # the accounts that final standings go by, the weightiest first, where campaign.yaml names none
    fewer: tuple[str, ...] = ()  # those accounts of which less is better in final standings
    pieces: Callable[..., Mapping[str, int]] | None = None  # (state, rules) -> what is in the box -> how many: no step may change it
    solve: Callable[..., Mapping[str, Any]] | None = None  # (state, seat or None, rules, effort, chance) -> the best play that was found
    standings: Callable[..., Iterable[Any]] | None = None  # (state, rules, counts) -> (seat, name, balances, out) of each; None: by accounts
    asked: Callable[[Any, Any], Iterable[str]] | None = None  # (state, rules) -> the seats whose orders the next turn is for; None: all in play


class Setup(NamedTuple):
    """The files that a campaign starts from, read and checked by their shapes."""

    seats: tuple[str, ...]
    files: Mapping[str, Any]  # "map.yaml" -> its content; "kingdoms/examplia.yaml" -> its content
    where: Callable[[str, str], str]  # (file name, path inside) -> "FILE:LINE:COLUMN", for what is found wrong


def asked(game: Game, state: Any, rules: Any) -> list[str]:
    """The seats in play whose orders the turn after `state` is for: who is awaited, reminded, and silent where nothing comes."""
    wanted = None if game.asked is None else frozenset(game.asked(state, rules))
    return [seat for seat in game.seats(state) if wanted is None or seat in wanted]


def names() -> list[str]:
    """The games of this program: the folders under games/."""
    import kingdom.games

    return sorted(entry.parent.name for place in kingdom.games.__path__ for entry in Path(place).glob("*/game.py"))


def folders(name: str) -> list[str]:
    """Where the game of that name may lie."""
    import kingdom.games

    return [f"{place}/{name}" for place in kingdom.games.__path__]


def title(name: str) -> str:
    """The title of the game of that name, from its package alone, which is quicker than the whole game."""
    module = importlib.import_module(f"kingdom.games.{name}")
    return getattr(module, "TITLE", "") or load(name).title


def bots(name: str) -> tuple[str, ...]:
    """The names of the bots of the game of that name, from its package alone where that tells them."""
    module = importlib.import_module(f"kingdom.games.{name}")
    return getattr(module, "BOTS", None) or tuple(load(name).bots)


def load(name: str) -> Game:
    """The game of that name. Raises KeyError where there is none."""
    if name not in names():
        raise KeyError(name)
    return importlib.import_module(f"kingdom.games.{name}.game").GAME
