"""What a game at one table declares: `TableGame`. kit.table_game makes the game of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, TypeAlias

from msgspec import Struct, field

from kingdom.engine.game import Chance, Facts, Setup
from kingdom.engine.step import Orders, Phase, Result, Turn
from kingdom.games.kit import new_campaign, rulings
from kingdom.games.kit.new_campaign import Players
from kingdom.games.kit.table import Player, R, T, accounts_of
from kingdom.orders import kit
from kingdom.orders.kit.order import AnyOrder
from kingdom.orders.schema import Record

WAITS = "The next turn asks nothing of you; you need not send orders."
Lines: TypeAlias = Iterable[tuple[str, str, str, str]]  # of the first screen: name, text, section, mark


class TableGame(Struct, Generic[T, R], frozen=True, kw_only=True):
    """What a game at one table declares. A bigger game fills in more fields of engine.game.Game: `made` takes them.

    file: the `__file__` of its game.py. Seat: the class of a player. orders: in the order in which a turn decides them; their steps stand in `phases` by `deciding`.
    phases: those of a turn, behind the GM's; sorting: steps behind the GM's rulings, in their phase; opening: phases of turn 0.
    start: (setup, rules) -> the table before turn 0; `new_campaign.seated` says who sits there. files, table_file: a table.yaml of its own,
    declared and as a new campaign has it ({seats}: all of them, {first}: the first). settings: fields of new_campaign.Settings.
    counts: the accounts that decide, the weightiest first; fewer: the accounts of which less is better. unit: what the first one counts.
    open: those that are no secret, which a public page may show.
    names: of the seats of a new campaign. accounts: what is counted, if it hangs on the rules. grant: the account that the GM may change, not below 0;
    amount: the key of how much, if it is not the account's name. acts: its own ways to carry out rulings of the GM.
    codes: code of the kit's REFUSALS -> its name in this game, if it has another one.
    heading: where the game stands, a sentence. lines: the table in words, to be read as the seat knows it. over: why the game is over, or "".
    secret: field of a player -> what others see in its place, such as HIDDEN; face_down: the same of the table. hides: what else a seat doesn't know. untold: fields that only keep an order.
    due: (table, rules) -> phase -> the seats that decide in it in the next turn, if these are not all. waits: said to a seat that decides nothing.
    limits: (table, seat, rules) -> limit of a turn -> how much of it the seat has; candidates name them in `costs` and `limits`, as accounts.
    page: (table, seat, rules) -> what its form's page has besides, such as facts, picture, places. words: the closed lists that orders name.
    causes, refusals: those of steps; orders have their own. bots: name -> (what the seat knows,
    seat, rules, chance) -> its orders without the head; the first is the steward, and one that plays at random is always there.
    likely: (table, seat, rules) -> key -> values that random orders take more often.

    Of reports. picture: the table drawn, and wide: how many pixels that takes. sections: those between what is asked and what happened, in their order.
    first: the lines of the first screen between what is decided and what was refused; None: what counts. figures: (table, seat, rules) -> head -> what
    stands in a player's row; None: the accounts. also: (result, table, seat, rules) -> what the game's own templates need. Each as the reader knows the table.
    """

    file: str
    title: str
    State: type[T]
    Seat: type[Player]
    Rules: type[R]
    orders: Sequence[AnyOrder[T, R]]
    phases: tuple[Phase[T, R], ...]
    sorting: tuple[Callable[[T, Turn[T, R]], T], ...] = ()
    opening: tuple[Phase[T, R], ...] = ()
    start: Callable[[Setup, R], T]
    files: Mapping[str, Record] = {}
    table_file: str = ""
    settings: Mapping[str, str] = {}
    players: Players
    names: Sequence[str] = new_campaign.NAMES
    counts: tuple[str, ...]
    fewer: tuple[str, ...] = ()
    unit: str = ""
    open: tuple[str, ...] = ()
    accounts: Callable[[T, str, R], Mapping[str, int]] = accounts_of
    grant: str
    amount: str = ""
    acts: Mapping[str, rulings.Act[T, R]] = {}
    codes: Mapping[str, str] = {}
    heading: Callable[[T, R], str]
    lines: Callable[[T, R], Sequence[str]]
    over: Callable[[T], str]
    secret: Mapping[str, Any] = {}
    face_down: Mapping[str, Any] = {}
    hides: Callable[[T, str], T] = lambda table, seat: table
    untold: tuple[str, ...] = ()
    due: Callable[[T, R], Mapping[str, Sequence[str]]] | None = None
    waits: Callable[[T, R], str] = lambda table, rules: WAITS
    limits: Callable[[T, str, R], Mapping[str, int | kit.Counter]] = lambda table, seat, rules: {}
    page: Callable[[T, str, R], Facts] = lambda table, seat, rules: {}
    words: Callable[[R], Mapping[str, list[str]]] = lambda rules: {}
    causes: Mapping[str, str] = {}
    refusals: Mapping[str, str] = {}
    bots: Mapping[str, Callable[[T, str, R, Chance], Orders]] = {}
    likely: Callable[[T, str, R], Mapping[str, Sequence[object]]] = lambda table, seat, rules: {}
    picture: Callable[[T, R], str] | None = None
    wide: Callable[[R], int] = lambda rules: 0
    sections: Mapping[str, str] = field(default_factory=lambda: {"board": "The table", "players": "The players"})
    first: Callable[[T, str, R], Lines] | None = None
    figures: Callable[[T, str, R], Mapping[str, object]] | None = None
    also: Callable[[Result[T], T, str, R], Facts] = lambda result, table, seat, rules: {}

    @property
    def folder(self) -> Path:
        """The game's folder."""
        return Path(self.file).parent

    @property
    def name(self) -> str:
        """The name of the game's folder."""
        return self.folder.name

    @property
    def by(self) -> str:
        """The key under which a grant of the GM has how much."""
        return self.amount or self.grant
