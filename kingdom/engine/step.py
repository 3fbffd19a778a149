"""What a step of a turn is, and what it may use: rules, orders and dice, the books and the notices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from kingdom.engine.dice import Dice, NoDice, Roll
from kingdom.engine.ledger import Books, Entry, Unbalanced
from kingdom.engine.refusal import Refusal, sentence

S = TypeVar("S")  # a game's State: a frozen record with the field `turn`
R = TypeVar("R")  # a game's Rules: a frozen record, a field a table or ruling
S_in = TypeVar("S_in", contravariant=True)
R_in = TypeVar("R_in", contravariant=True)

Orders: TypeAlias = Mapping[str, Any]  # a seat's orders in the long form, as the game declares them
Facts: TypeAlias = Mapping[str, Any]  # what a notice says, plain data that can be JSON


class Notice(NamedTuple):
    """What is said but moves no account: kind is `refusal`, `check`, `news` or a game's own word; facts are JSON."""

    kind: str
    phase: str
    step: str
    seat: str
    facts: dict[str, Any]


class Result(NamedTuple, Generic[S]):
    """A resolved turn. `before` and `after` are states of the game."""

    number: int
    before: S
    after: S
    orders: Mapping[str, Orders]
    entries: list[Entry]
    rolls: list[Roll]
    notices: list[Notice]


class AnyState(Protocol):
    """A game's state where it does not matter which game's: it is handed on unopened, but for its turn."""

    @property
    def turn(self) -> int:
        """The turn that it is the state after."""
        ...


AnyResult: TypeAlias = Result[Any]  # a resolved turn of whatever game

Step: TypeAlias = "Callable[[S, Turn[S, R]], S]"  # a plain function, named as the rules name it; what it moves it books


class Ruled(Protocol[S_in, R_in]):
    """What a turn asks of its game."""

    @property
    def refusals(self) -> Mapping[str, str]:
        """Code -> the sentence."""
        ...

    @property
    def seats(self) -> Callable[[S_in], Iterable[str]]:
        """The seats in play."""
        ...

    @property
    def accounts(self) -> Callable[[S_in, str, R_in], Mapping[str, int]]:
        """Account -> balance of a seat."""
        ...

    @property
    def pieces(self) -> Callable[[S_in, R_in], Mapping[str, int]] | None:
        """What is in the box, None where nothing is counted."""
        ...


class Turn(Generic[S, R]):
    """What a step may use besides the state: the turn's number, rules, orders and dice; the books and the notices.

    orders: seat -> orders in the long form; a seat that filed nothing is absent; the GM's stand under "gm".
    foreseeing: no die is thrown (see `kingdom check`); `roll` then gives None.
    before: the state before the first step.
    """

    before: S

    def __init__(
        self, game: Ruled[S, R], number: int, rules: R, orders: Mapping[str, Orders], dice: Dice | NoDice, books: Books
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
        self._proved: S | None = None  # the state that was proved last: most steps change nothing
        self._held: Mapping[str, Mapping[str, int]] = {}  # what its seats hold
        self._game = game
        self._dice = dice
        self._counts: dict[tuple[str, str], int] = {}

    def roll(self, seat: str, name: str, sides: int) -> int | None:
        """The next result of the seat's roll `name`; None where the turn is only foreseen."""
        count = self._counts.get((seat, name), 0) + 1
        roll = self._dice.result(seat, name, count, sides)
        if roll is None:
            return None
        self._counts[seat, name] = count
        self.rolls.append(roll)
        return roll.result

    def book(self, seat: str, accounts: Mapping[str, int], cause: str, detail: str) -> None:
        """Book what `cause` just made of the seat's accounts. `detail` says it for a person."""
        self.books.enter(self.phase, self.step, seat, accounts, cause, detail)

    def refuse(self, seat: str, order: str, code: str, **facts: object) -> None:
        """Refuse one order, alone. `order` is its path (`claim[1]`), `code` a key of the game's refusals."""
        self.refuse_with(seat, order, Refusal(code, facts))

    def refuse_with(self, seat: str, order: str, refusal: Refusal) -> None:
        """Refuse one order, alone, with what a check found. `order` is its path (`claim[1]`)."""
        self.tell(seat, "refusal", order=order, code=refusal.code, reason=sentence(refusal, self._game.refusals))

    def reason(self, code: str, **facts: object) -> str:
        """The sentence of a code of the game's refusals."""
        return sentence(Refusal(code, facts), self._game.refusals)

    def prove(self, state: S) -> None:
        """Raises Unbalanced where the step just run moved an account that it did not book, or made or lost a piece."""
        new = state is not self._proved
        if new:
            self._held = {seat: self._game.accounts(state, seat, self.rules) for seat in self._game.seats(state)}
        balances = self.books.balances
        for seat, accounts in self._held.items():
            if balances.get(seat) != accounts:
                self.books.prove(self.step, seat, accounts)
        if new and self.box is not None and (counted := self._pieces(state) or {}) != self.box:
            pieces = [piece for piece in {**self.box, **counted} if counted.get(piece) != self.box.get(piece)]
            wrong = ", ".join(f"{piece} {counted.get(piece, 0)}, not {self.box.get(piece, 0)}" for piece in pieces)
            raise Unbalanced(f"step {self.step}: pieces were made or lost; there are {wrong}")
        self._proved = state

    def open(self, state: S) -> None:
        """Remember the state before the first step, and what is in the box, which no step may change."""
        self.before, self.box = state, self._pieces(state)

    def _pieces(self, state: S) -> Mapping[str, int] | None:
        return self._game.pieces(state, self.rules) if self._game.pieces else None

    def tell(self, seat: str, kind: str, **facts: object) -> None:
        """Put a notice; `seat` is who may read it, "all" is everybody."""
        self.notices.append(Notice(kind, self.phase, self.step, seat, facts))


class Phase(NamedTuple, Generic[S, R]):
    """A phase of a turn: its word in the ledger, and its steps in the rules' order."""

    name: str
    steps: tuple[Step[S, R], ...]


class Play(NamedTuple, Generic[S, R]):
    """What a turn is run by: the part of a game that its own forecasts and offers play on. A Game has the same fields."""

    phases: tuple[Phase[S, R], ...]
    refusals: Mapping[str, str]
    seats: Callable[[S], Iterable[str]]
    accounts: Callable[[S, str, R], Mapping[str, int]]
    pieces: Callable[[S, R], Mapping[str, int]] | None = None


class Playable(Ruled[S, R], Protocol[S, R]):
    """A Play or a whole Game."""

    @property
    def phases(self) -> tuple[Phase[S, R], ...]:
        """The steps of a turn."""
        ...
