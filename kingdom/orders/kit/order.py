"""What a game tells once of a kind of order; and the candidate, a possible order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.offer import How, Pick, Table
from kingdom.engine.refusal import Refusal
from kingdom.engine.step import Orders, Turn
from kingdom.orders.schema import Shape

S = TypeVar("S")  # a game's State
R = TypeVar("R")  # a game's Rules
F = TypeVar("F")  # the long form of one order: a TypedDict, a word or a number

# A refusal; a sentence if only the order's condition does not hold; None if it can be carried out.
Objection: TypeAlias = Refusal | str | None


class Now(NamedTuple, Generic[S, R]):
    """The moment when a seat's order comes up. foreseeing: no dice are thrown, and others' orders are unknown, as for `kingdom check`.

    For a game whose orders ask for them: before, the state that the turn began with; orders, all that the seat orders; foresee, the
    state to which some orders lead that are added to these, without a die, None if something is refused: what has no other price.
    """

    state: S
    seat: str
    rules: R
    foreseeing: bool = True
    before: S | None = None
    orders: Orders = {}
    foresee: Callable[[Orders], S | None] | None = None


class Candidate(NamedTuple):
    """An order that comes into question, with a Gap for each value that is picked.

    id: unique among the candidates of its seat and turn. text: what a button says. said: what an offer says, with the picks in braces;
    "" for the text. more: a remark beside the button. at: a place on the game's picture.
    uses: words that can be taken once -> 1; a pick's value stands in one for its name in braces. costs: counter -> what it takes;
    limits: limit of a turn -> what it uses up of it, a counter as well; tables: more of costs, limits and effect, by what is picked. effect: account -> the change that an offer names.
    adds: counter -> what it adds. least: counter -> what must be left of it.
    needs: of each row one fact must hold; the page then shows it even if there is an objection now. gives, ends: facts that hold, or hold no longer, behind it. against: ids that it excludes.
    any_of: picks of which one at least must be filled in. group: the heading that it stands under in the page.
    deed: what else it does to what the page counts, that hangs on how things stand by then (templates/form/deeds.js); there the id of
    another candidate stands for what that does. whole: on the page its order is all that stands under the key, as a list of alternatives.
    open: it hangs on what nobody knows yet, so it is no offer and is not checked. checked: its game has left out what the objection
    forbids, by `unless` what forbids two values together, so the kit does not ask again. shown: the order that examples show, if it is another.
    """

    id: str
    order: Any
    text: str
    picks: Mapping[str, Pick] = {}
    said: str = ""
    more: str = ""
    at: str = ""
    uses: Mapping[str, int] = {}
    costs: Mapping[str, int] = {}
    limits: Mapping[str, int] = {}
    effect: Mapping[str, int] = {}
    tables: Sequence[Table] = ()
    adds: Mapping[str, int] = {}
    least: Mapping[str, int] = {}
    needs: Sequence[Sequence[str]] = ()
    gives: Sequence[str] = ()
    ends: Sequence[str] = ()
    against: Sequence[str] = ()
    any_of: Sequence[str] = ()
    group: str = ""
    deed: Mapping[str, Any] = {}
    whole: bool = False
    open: bool = False
    checked: bool = False
    shown: Any = None


class Order(Generic[S, R, F]):
    """A kind of order. A game's class derives from one of the kinds (kinds.py) and fills in what stands here.

    key: under which it stands in an orders file. name: for headings and sentences, "city vetoes". shape: what may stand under
    the key; for a list the list. phase: the phase that decides it. required: if nothing is ordered, the rules decide for the seat.
    again: the same order may be given more than once.
    lasts: it holds until the seat says otherwise, so that no turn asks for it and no offer lists it.
    used, passed: the kinds of notice that tell a seat that its order was carried out, or that its condition did not hold; "" for none.
    """

    key: str
    name: str
    shape: Shape
    phase: str = ""
    causes: Mapping[str, str] = {}
    refusals: Mapping[str, str] = {}
    required = lasts = again = False
    used, passed = "used", "passed"

    # --- what a game fills in

    def asks(self, now: Now[S, R]) -> str:
        """Return the sentence that tells the seat what it may choose."""
        raise NotImplementedError

    def chooses(self, now: Now[S, R]) -> bool:
        """Return whether the seat has a choice at all."""
        return True

    def candidates(self, now: Now[S, R]) -> Iterable[Candidate]:
        """Return all orders that may be possible. Those to which there is an objection are left out afterwards."""
        raise NotImplementedError

    def on_page(self, now: Now[S, R]) -> Iterable[Candidate]:
        """Return the candidates for a page, with what they need of other choices and give to them; also candidates that only another choice
        makes possible."""
        return self.candidates(now)

    def objection(self, now: Now[S, R], order: F) -> Objection:
        """Return why the order can't be carried out. Step, offer, form and `kingdom check` all ask this one check."""
        raise NotImplementedError

    def carry_out(self, now: Now[S, R], order: F, turn: Turn[S, R]) -> S:
        """Return the state behind the order, to which there is no objection."""
        raise NotImplementedError

    def otherwise(self, now: Now[S, R], turn: Turn[S, R]) -> S:
        """Return the state if no order was carried out."""
        return now.state

    def unknown(self, now: Now[S, R], order: F) -> bool:
        """Return whether the order is for something that a forecast can't know yet."""
        return False

    def usual(self, order: F) -> bool:
        """Return whether the order asks for what happens without it."""
        return False

    def shows(self, now: Now[S, R]) -> int | None:
        """Return how many of its candidates a text form shows as examples; None for all."""
        return None if self.required else 1

    def ordered(self, now: Now[S, R], turn: Turn[S, R]) -> list[tuple[str, F]]:
        """Return (path, order) of the seat's orders that count in this turn."""
        return self.filed(turn.orders.get(now.seat, {}))

    def say(self, order: F) -> str:
        """Return the order in words."""
        raise NotImplementedError

    # --- what the kinds fill in

    how: How

    def filed(self, orders: Orders) -> list[tuple[str, F]]:
        """Return (path, order) of what is filed under the key. An order that the GM made void is left out, but counted."""
        raise NotImplementedError

    def play(self, now: Now[S, R], turn: Turn[S, R]) -> S:
        """Return the state behind the seat's orders. The seat is told of each whether it was carried out, passed over or refused."""
        raise NotImplementedError

    # --- what they all do alike

    def tried(self, now: Now[S, R], turn: Turn[S, R], path: str, order: F) -> tuple[S, bool]:
        """Return (the state behind one order, whether it was carried out). The seat is told."""
        objection = self.objection(now, order)
        if objection is None:
            if self.used:
                turn.tell(now.seat, self.used, order=path)
            return self.carry_out_at(path, now, order, turn), True
        if isinstance(objection, Refusal):
            turn.refuse_with(now.seat, path + objection.below, objection)
        elif self.passed:
            turn.tell(now.seat, self.passed, order=path, text=objection)
        return now.state, False

    def carry_out_at(self, path: str, now: Now[S, R], order: F, turn: Turn[S, R]) -> S:
        """Return the state behind the order at that path."""
        return self.carry_out(now, order, turn)

    @property
    def title(self) -> str:
        """The name as a heading."""
        return self.name[:1].upper() + self.name[1:]


AnyOrder: TypeAlias = Order[S, R, Any]  # of whatever long form
Wanted: TypeAlias = tuple[Order[S, R, Any], Now[S, R]]  # an order that a seat decides, and the moment when it does
