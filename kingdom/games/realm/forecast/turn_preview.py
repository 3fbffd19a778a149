"""The turn to come: as a seat's orders so far make it, the kingdom as each step leaves it, so that what more may be ordered is asked of
it by the very functions that the step asks; and as its checks and its orders find the kingdom where it orders nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar, cast

import msgspec
from msgspec import Struct

from kingdom.engine.offer import Offer
from kingdom.engine.step import Orders, Turn
from kingdom.games.kit.memo import remember
from kingdom.games.realm.forecast.courses import Standing
from kingdom.games.realm.orders.answers import ANSWERS
from kingdom.games.realm.orders.declaration import CAPITAL, DECISIONS
from kingdom.games.realm.orders.kind import Now, Order, named
from kingdom.games.realm.orders.marching import MARCH as MARCH
from kingdom.games.realm.orders.recruiting import MUSTER as MUSTER
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, World, replace
from kingdom.games.realm.steps.trade.open_routes import partners
from kingdom.games.realm.turn import FORESEEN_TO, PLAY
from kingdom.games.realm.types import Turn as RealmTurn
from kingdom.orders import kit

# part of the orders -> the step that carries it out
_STEP_OF = {
    "plan": "work_off_plans",
    "reserve": "work_off_plans",
    **{kind.at: kind.step for kind in DECISIONS},
}
_PHASES = [phase.name for phase in PLAY.phases]
STEPS = [(phase.name, step) for phase in PLAY.phases[: _PHASES.index(FORESEEN_TO) + 1] for step in phase.steps]
_AT = {step.__name__: at for at, (_, step) in enumerate(STEPS)}
STEP_OF = dict(sorted(_STEP_OF.items(), key=lambda row: _AT[row[1]]))
# key -> the first step that reads what stands under it; where a key is missing, the first of all
_READ_FROM = {kind.key: _AT[kind.step] for kind in sorted(DECISIONS, key=lambda kind: -_AT[kind.step])}
_READ_FROM |= {"plan": _AT["work_off_plans"], "reserve": _AT["work_off_plans"]}
_READ_FROM[CAPITAL.key] = _AT["abandon_hexes"]  # who abandons the capital names the next
ORDER = list(STEP_OF)


HEAD = {"kingdom", "turn"}  # keys of an orders file that order nothing
REFUSED = ("refusal", "changed")  # notices that an order was not carried out as it stands


class Course(Struct, frozen=True):
    """What the orders so far make of the turn. after: step -> the world as it leaves it, of others what the seat knows.

    refused: whether something of the orders is refused. turn: what the steps were run with.
    """

    seen: World
    seat: str
    rules: Rules
    orders: Orders
    after: Mapping[str, World]
    refused: bool
    turn: RealmTurn

    def shared_with(self, orders: Orders) -> int:
        """Return how many of the steps that were run these orders leave as they are; 0 in anarchy, of which the first says what is void."""
        kingdom = self.end.kingdoms[self.seat]
        if kingdom.anarchy == self.turn.number or kingdom.destroyed or len(self.after) < len(STEPS):
            return 0
        changed = [key for key in {*orders, *self.orders} - HEAD if orders.get(key) != self.orders.get(key)]
        return min((_READ_FROM.get(key, 0) for key in changed), default=len(STEPS))

    def kingdom(self, part: str) -> Kingdom:
        """The kingdom once that part of the orders is carried out: as it finds one more order of it."""
        return self.after[STEP_OF[part]].kingdoms[self.seat]

    def world(self, part: str) -> World:
        """The world then, with every kingdom that the seat knows of."""
        world = self.after[STEP_OF[part]]
        if world is self.seen:
            return world
        return replace(world, kingdoms={**self.seen.kingdoms, self.seat: world.kingdoms[self.seat]})

    def moment(self, part: str) -> Now:
        """The moment when one more order of that part comes up."""
        return Now(self.world(part), self.seat, self.rules, True, self.seen, self.orders, self.foresee)

    def foresee(self, orders: Orders) -> World | None:
        """The world as the Edict phase leaves it with these orders too; None if something is refused."""
        if not orders:
            return self.end
        then = course(self.seen, self.seat, self.rules, {**self.orders, **orders}, self)
        return None if then.refused else then.end

    @property
    def end(self) -> World:
        """The world as the Edict phase leaves it."""
        return self.after["caravans"]

    @property
    def standing(self) -> Standing:
        """The kingdom then, before the dice of the turn."""
        return Standing(self.seat, self.end.kingdoms[self.seat], self.end.hexes, self.turn.number)

    def name_of(self, seat: str) -> str:
        """The name of a kingdom, its seat where it has none."""
        return named(seat, self.seen)


def course(seen: World, seat: str, rules: Rules, orders: Orders, other: Course | None = None) -> Course:
    """The turn to the end of the Edict phase, without a die, as `kingdom check` foresees it. seen: what the seat knows; other: a course
    of this turn, whose steps before the first that these orders change are not run again."""
    # the kingdoms that the orders deal with, and those with which it trades: their land may be out of sight
    meant = {seat, *partners(seen.kingdoms[seat])}
    meant |= {named for kind in DECISIONS for _, order in kind.filed(orders) for named in kind.deals_with(order)}
    meant |= {order["target"] for order in orders.get("armies", ()) if "target" in order}
    near = {other: kingdom for other, kingdom in seen.kingdoms.items() if kingdom.hexes or other in meant}
    world = replace(seen, kingdoms=near)
    turn = Turn(PLAY, seen.turn + 1, rules, {seat: orders} if orders else {})
    turn.before = world
    after: dict[str, World] = {}
    same = other.shared_with(orders) if other and other.turn.before.kingdoms.keys() == near.keys() else 0
    if other and same:
        turn.before = other.turn.before
        turn.notices = [notice for notice in other.turn.notices if _AT[notice.step] < same]
        answers = other.turn.orders.get(seat, {}).get(ANSWERS.key) if same > _AT[ANSWERS.step] else None
        if answers:  # as the steps have settled them
            turn.orders = {seat: {**orders, ANSWERS.key: answers}}
        after = {step.__name__: other.after[step.__name__] for _, step in STEPS[:same]}
        world = after[STEPS[same - 1][1].__name__]
    for phase, step in STEPS[same:]:
        turn.phase, turn.step = phase, step.__name__
        world = after[step.__name__] = step(world, turn)
    refused = any(notice.kind in REFUSED and notice.seat == seat for notice in turn.notices)
    return Course(seen, seat, rules, orders, after, refused, turn)


def standing(world: World, seat: str, rules: Rules, orders: Orders | None = None) -> Course:
    """The course of a turn in which every step finds the kingdom as it is in `world`: for who thinks of orders one by one and
    keeps count of them, or asks what may be ordered first."""
    turn = Turn(PLAY, world.turn + 1, rules, {})
    turn.before = world
    return Course(world, seat, rules, orders or {}, dict.fromkeys(STEP_OF.values(), world), False, turn)


# --- what is asked of it


V = TypeVar("V")


class Preview:
    """A seat's turn to come, of which report, form, advice and bots ask the same: what is asked is worked out once, at the first time.

    known: what the seat knows (known.py).
    """

    def __init__(self, known: World, seat: str, rules: Rules):
        self.known, self.seat, self.rules = known, seat, rules
        self._answers: dict[tuple[str, bytes], object] = {}
        self._courses: list[Course] = []

    def once(self, what: str, orders: Orders, make: Callable[[], V]) -> V:
        """Return the answer to a question about the turn with these orders, which `make` works out if nobody asked it before."""
        key = what, msgspec.json.encode({key: order for key, order in orders.items() if key not in HEAD})
        if key not in self._answers:
            self._answers[key] = make()
        return cast("V", self._answers[key])

    def course(self, orders: Orders) -> Course:
        """Return the course of the turn with these orders."""

        def played() -> Course:
            nearest = max(self._courses, key=lambda other: other.shared_with(orders), default=None)
            self._courses.append(course(self.known, self.seat, self.rules, orders, nearest))
            return self._courses[-1]

        return self.once("course", orders, played)

    def without_plan(self) -> Preview:
        """Return the turn of the kingdom without its plan, which is worked off after its orders."""
        kingdom = self.known.kingdoms[self.seat]
        if not kingdom.plan:
            return self
        known = replace(self.known, kingdoms={**self.known.kingdoms, self.seat: replace(kingdom, plan=())})
        return self.once("without plan", {}, lambda: Preview(known, self.seat, self.rules))


@remember(lambda known, seat, rules: ((known, rules), seat), size=10)
def preview(known: World, seat: str, rules: Rules) -> Preview:
    """Return the turn that follows what the seat knows, the same one for all who ask."""
    return Preview(known, seat, rules)


def without_orders(known: World, seat: str, rules: Rules) -> World:
    """The kingdom as its checks of the next turn find it where it orders nothing, without a die, at the end of the Edict phase."""
    return preview(known, seat, rules).course({}).end


def before_orders(known: World, seat: str, rules: Rules) -> World:
    """The kingdom as its orders of the next turn find it: before its plan is worked off, before armies and caravans move."""
    return preview(known, seat, rules).course({}).after["special_edicts"]


def offers_of(*kinds: Order[Any], short: bool = False) -> Callable[[Course], Iterator[Offer]]:
    """What more may be ordered of kinds that are told once. short: with their short forms."""
    return lambda now: (
        offer for kind in kinds for offer in kit.one_by_one(kind, now.moment(kind.at), now.orders, short=short)
    )
