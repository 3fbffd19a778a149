"""One turn of any game: run the steps in order, and prove the books after each."""

from __future__ import annotations

from typing import Any, Iterable, Mapping, NamedTuple

from msgspec.structs import replace

from kingdom.engine.dice import GM, Dice, NoDice, Roll
from kingdom.engine.game import Game, Phase
from kingdom.engine.ledger import Books, Entry, Unbalanced

RULES = "rules"  # the step and the cause of what a change of the rules does to the accounts; its phase is the GM's


class Notice(NamedTuple):
    """What is said but moves no account: kind is `refusal`, `check`, `news` or a game's own word; facts are JSON."""

    kind: str
    phase: str
    step: str
    seat: str
    facts: dict[str, Any]


class Result(NamedTuple):
    """A resolved turn. `before` and `after` are states of the game."""

    number: int
    before: Any
    after: Any
    orders: Mapping[str, dict]
    entries: list[Entry]
    rolls: list[Roll]
    notices: list[Notice]


class Turn:
    """What a step may use besides the state: the turn's number, rules, orders and dice; the books and the notices.

    orders: seat -> orders in the long form; a seat that filed nothing is absent; the GM's stand under "gm".
    foreseeing: no die is thrown (see `kingdom check`); `roll` then gives None.
    before: the state before the first step.
    """

    def __init__(self, game: Game, number: int, rules: Any, orders: Mapping[str, dict], dice: Dice | NoDice, books: Books):
        self.number = number
        self.rules = rules
        self.orders = orders
        self.books = books
        self.notices: list[Notice] = []
        self.rolls: list[Roll] = []
        self.phase = ""
        self.step = ""
        self.foreseeing = isinstance(dice, NoDice)
        self.before: Any = None
        self.box: Mapping[str, int] | None = None
        self._proved: Any = None  # the state that was proved last, and what its seats hold: most steps change nothing
        self._held: Mapping[str, Mapping[str, int]] = {}
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

    def refuse(self, seat: str, order: str, code: str, **facts: Any) -> None:
        """Refuse one order, alone. `order` is its path (`claim[1]`), `code` a key of the game's refusals."""
        self.tell(seat, "refusal", order=order, code=code, reason=self.reason(code, **facts))

    def reason(self, code: str, **facts: Any) -> str:
        """The sentence of a code of the game's refusals."""
        return self._game.refusals[code].format(**facts)

    def prove(self, state: Any) -> None:
        """Raises Unbalanced where the step just run moved an account that it did not book, or made or lost a piece."""
        new = state is not self._proved
        if new:
            self._held = {seat: self._game.accounts(state, seat, self.rules) for seat in self._game.seats(state)}
        balances = self.books.balances
        for seat, accounts in self._held.items():
            if balances.get(seat) != accounts:
                self.books.prove(self.step, seat, accounts)
        if new and self.box is not None and (there := self._pieces(state)) != self.box:
            other = [what for what in {**self.box, **there} if there.get(what) != self.box.get(what)]
            wrong = ", ".join(f"{what} {there.get(what, 0)}, not {self.box.get(what, 0)}" for what in other)
            raise Unbalanced(f"step {self.step}: pieces were made or lost; there are {wrong}")
        self._proved = state

    def open(self, state: Any) -> None:
        """Remember the state before the first step, and what is in the box, which no step may change."""
        self.before, self.box = state, self._pieces(state)

    def _pieces(self, state: Any) -> Mapping[str, int] | None:
        return self._game.pieces(state, self.rules) if self._game.pieces else None

    def tell(self, seat: str, kind: str, **facts: Any) -> None:
        """Put a notice; `seat` is who may read it, "all" is everybody."""
        self.notices.append(Notice(kind, self.phase, self.step, seat, facts))


def resolve(
    game: Game,
    state: Any,
    orders: Mapping[str, dict],
    dice: Dice | NoDice,
    rules: Any,
    until: str = "",
    old_rules: Any = None,
) -> Result:
    """The turn after `state`. Pure: the same input gives the same result, and `state` is not changed.

    Runs every step of every phase, to the end of the phase `until` where one is named.
    old_rules: those of the turn before, where the campaign changed them since; what that did to the accounts is booked.
    Raises Unbalanced where a step moved an account that it did not book, or made or lost a piece.
    """
    number = state.turn + 1
    books = Books(number, {seat: game.accounts(state, seat, old_rules or rules) for seat in game.seats(state)})
    for seat in game.seats(state) if old_rules else ():
        books.enter(GM, RULES, seat, game.accounts(state, seat, rules), RULES, "the campaign's rules were changed")
    turn = Turn(game, number, rules, orders, dice, books)
    after = replace(run(turn, game.phases, state, until), turn=number)
    return Result(number, state, after, orders, books.entries, turn.rolls, turn.notices)


def run(turn: Turn, phases: Iterable[Phase], state: Any, until: str = "") -> Any:
    """The state after these phases, to the end of the phase `until` where one is named; the books are proved after each step."""
    turn.open(state)
    for phase in phases:
        turn.phase = phase.name
        for step in phase.steps:
            turn.step = step.__name__
            state = step(state, turn)
            turn.prove(state)
        if phase.name == until:
            break
    return state
