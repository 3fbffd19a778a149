"""The types of a turn's steps, and the Turn that a step works with: rules, orders and dice, the books and the notices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from kingdom.engine.dice import Dice, NoDice, Roll
from kingdom.engine.ledger import Books, Entry, Unbalanced
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.refusal import Refusal, sentence

NO_DICE = NoDice()
S = TypeVar("S")  # a game's State: a frozen record with the field `turn`
R = TypeVar("R")  # a game's Rules: a frozen record with a field for each table and ruling
S_in = TypeVar("S_in", contravariant=True)
R_in = TypeVar("R_in", contravariant=True)

Orders: TypeAlias = Mapping[str, Any]  # a seat's orders in the long form, as the game declares them
Facts: TypeAlias = Mapping[str, Any]  # the content of a notice, plain data that can be JSON


class Notice(NamedTuple):
    """News that changes no account. kind: `refusal`, `check`, `news` or a word of the game; facts: plain data for JSON."""

    kind: str
    phase: str
    step: str
    seat: str
    facts: dict[str, Any]


class Result(NamedTuple, Generic[S]):
    """A resolved turn. `before` and `after` are states of the game. expected: seat -> the average result of its orders."""

    number: int
    before: S
    after: S
    orders: Mapping[str, Orders]
    entries: list[Entry]
    rolls: list[Roll]
    notices: list[Notice]
    expected: Mapping[str, Facts] = {}


class AnyState(Protocol):
    """The state of any game, for code that reads only its turn."""

    @property
    def turn(self) -> int:
        """Return the number of the turn that led to this state."""
        ...


AnyResult: TypeAlias = Result[Any]  # a resolved turn of any game

# a step is a plain function with the name that the rules give it; it books each account that it changes
Step: TypeAlias = "Callable[[S, Turn[S, R]], S]"


class Ruled(Protocol[S_in, R_in]):
    """The part of a game that a Turn uses."""

    @property
    def refusals(self) -> Mapping[str, str]:
        """Return code -> sentence."""
        ...

    @property
    def seats(self) -> Callable[[S_in], Iterable[str]]:
        """The seats in play."""
        ...

    @property
    def accounts(self) -> Callable[[S_in, str, R_in], Mapping[str, int]]:
        """Return the function that gives a seat's account -> balance."""
        ...

    @property
    def pieces(self) -> Callable[[S_in, R_in], Mapping[str, int]] | None:
        """Return the function that counts the pieces in the box, None if the game counts none."""
        ...

    @property
    def unmoved(self) -> Callable[[S_in, S_in, str], bool] | None:
        """Return the function that tells whether everything behind a seat's accounts is the same in a state and a later
        state."""
        ...


class Turn(Generic[S, R]):
    """All that a step may use besides the state: the turn's number, rules, orders and dice; the books and the notices.

    orders: seat -> orders in the long form, the GM's under "gm"; a seat that filed nothing is absent.
    foreseeing: no die is thrown, as for `kingdom check`, and `roll` returns None. books: None if nobody reads the entries.
    before: the state before the first step.
    """

    before: S

    def __init__(
        self,
        game: Ruled[S, R],
        number: int,
        rules: R,
        orders: Mapping[str, Orders],
        dice: Dice | NoDice = NO_DICE,
        books: Books | None = None,
    ):
        self.number = number
        self.rules = rules
        self.orders = orders
        self.books = books
        self.notices: list[Notice] = []
        self.rolls: list[Roll] = []
        self.phase = ""
        self.step = ""
        self.foreseeing = isinstance(dice, NoDice)
        self.box: Mapping[str, int] | None = None
        self._proved: S | None = None  # the state proved last, since most steps change nothing
        self._held: Mapping[str, Mapping[str, int]] = {}  # seat -> its accounts in that state
        self._game = game
        self._dice = dice
        self._counts: dict[tuple[str, str], int] = {}

    def roll(self, seat: str, name: str, sides: int) -> int | None:
        """Return the next result of the seat's roll `name`; None if the turn is only foreseen."""
        count = self._counts.get((seat, name), 0) + 1
        roll = self._dice.result(seat, name, count, sides)
        if roll is None:
            return None
        self._counts[seat, name] = count
        self.rolls.append(roll)
        return roll.result

    def book(self, seat: str, accounts: Mapping[str, int], cause: str, detail: str) -> None:
        """Book the seat's accounts as `cause` has left them. `detail` explains the change to a person."""
        if self.books:
            self.books.enter(self.phase, self.step, seat, accounts, cause, detail)

    def refuse(self, seat: str, order: str, code: str, **facts: object) -> None:
        """Refuse a single order. `order` is its path (`build[1]`), `code` a key of the game's refusals."""
        self.refuse_with(seat, order, Refusal(code, facts))

    def refuse_with(self, seat: str, order: str, refusal: Refusal) -> None:
        """Refuse a single order with the refusal that a check returned. `order` is its path (`build[1]`)."""
        self.tell(seat, "refusal", order=order, code=refusal.code, reason=sentence(refusal, self._game.refusals))

    def reason(self, code: str, **facts: object) -> str:
        """Return the sentence for a code of the game's refusals."""
        return sentence(Refusal(code, facts), self._game.refusals)

    def prove(self, state: S) -> None:
        """Raise Unbalanced if the step just run changed an account without booking it, or made or lost a piece."""
        if self.books is None:
            return
        new = state is not self._proved
        if new:
            self._held = {seat: self._accounts(state, seat) for seat in self._game.seats(state)}
        balances = self.books.balances
        for seat, accounts in self._held.items():
            if balances.get(seat) != accounts:
                self.books.prove(self.step, seat, accounts)
        if new and self.box is not None and (counted := self._pieces(state) or {}) != self.box:
            pieces = [piece for piece in {**self.box, **counted} if counted.get(piece) != self.box.get(piece)]
            wrong = ", ".join(f"{piece} {counted.get(piece, 0)}, not {self.box.get(piece, 0)}" for piece in pieces)
            raise Unbalanced(f"step {self.step}: pieces were made or lost; there are {wrong}")
        self._proved = state

    def _accounts(self, state: S, seat: str) -> Mapping[str, int]:
        """Return the seat's accounts: the last proved ones, if the step changed nothing behind them."""
        held, unmoved = self._held.get(seat), self._game.unmoved
        if held is not None and unmoved and self._proved is not None and unmoved(self._proved, state, seat):
            return held
        return self._game.accounts(state, seat, self.rules)

    def open(self, state: S) -> None:
        """Remember the state before the first step, whose accounts open the books, and the pieces in the box."""
        self.before = state
        if self.books:
            self.box = self._pieces(state)
            self._proved, self._held = state, {seat: dict(held) for seat, held in self.books.balances.items()}

    def _pieces(self, state: S) -> Mapping[str, int] | None:
        return self._game.pieces(state, self.rules) if self._game.pieces else None

    def tell(self, seat: str, kind: str, **facts: object) -> None:
        """Add a notice. `seat` may read it; "all" means everybody."""
        self.notices.append(Notice(kind, self.phase, self.step, seat, facts))


class Phase(NamedTuple, Generic[S, R]):
    """A phase of a turn: its name in the ledger, and its steps in the order of the rules."""

    name: str
    steps: tuple[Step[S, R], ...]


class Play(NamedTuple, Generic[S, R]):
    """The part of a game by which a turn is run. A game's own forecasts and offers use it, so they need not import the whole Game."""

    phases: tuple[Phase[S, R], ...]
    refusals: Mapping[str, str]
    seats: Callable[[S], Iterable[str]]
    accounts: Callable[[S, str, R], Mapping[str, int]]
    pieces: Callable[[S, R], Mapping[str, int]] | None = None
    unmoved: Callable[[S, S, str], bool] | None = None


class Playable(Ruled[S, R], Protocol[S, R]):
    """A Play or a whole Game."""

    @property
    def phases(self) -> tuple[Phase[S, R], ...]:
        """The steps of a turn."""
        ...
