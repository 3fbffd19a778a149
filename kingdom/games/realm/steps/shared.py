"""What all steps share: running a function for each kingdom, booking a change, Unrest, checks, lots.

Checks are rolls against the Control DC and similar contests, including the penalty for several special edicts.
Rulings: check, special_edicts, nobody_first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from msgspec import Struct
from msgspec.structs import asdict

from kingdom.engine.dice import GM
from kingdom.engine.ledger import summed
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.kit.common_orders import listed as listed
from kingdom.games.realm import effects
from kingdom.games.realm.rules.building_tables import MoreSpecialEdicts
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import Attribute, in_force
from kingdom.games.realm.sheet import accounts, control_dc
from kingdom.games.realm.state import Hex, Kingdom, World, replace, with_kingdoms
from kingdom.games.realm.types import Answer, Turn

if TYPE_CHECKING:
    from kingdom.games.realm.orders.to_armies import Armies
    from kingdom.games.realm.orders.works import Build


class Orders(TypedDict, total=False):
    """A seat's orders in the long form, as steps read them by key; orders of the order kit are read by their classes.

    If the GM voids an order of a list, None takes its place, and `listed` leaves it out.
    """

    leadership: list[Attribute]
    build: list[Build]
    armies: list[Armies]
    special: list[Any]  # each read by the class of its edict
    loyalty: dict[str, Attribute]
    answers: dict[str, Answer]
    plan: list[str]
    reserve: int
    requests: list[str]


def each(world: World, turn: Turn, function: Callable[[str, Kingdom, World, Turn], Kingdom]) -> World:
    """The world after every kingdom did the step for itself; none sees what another did in this step."""
    changed = dict[str, Kingdom]()
    for seat, kingdom in world.kingdoms.items():
        if not kingdom.destroyed:
            changed[seat] = function(seat, kingdom, world, turn)
    return with_kingdoms(world, changed)


def in_anarchy(kingdom: Kingdom, turn: Turn) -> bool:
    """Whether this is the kingdom's anarchy turn. Ruling: anarchy."""
    return kingdom.anarchy == turn.number


def orders_of(turn: Turn, seat: str, kingdom: Kingdom) -> Orders:
    """The seat's orders; none where it filed none or is in anarchy."""
    # the reader has checked them against the shapes that orders.py declares
    return cast("Orders", {} if in_anarchy(kingdom, turn) else turn.orders.get(seat, {}))


def settled(turn: Turn, seat: str, key: str, default: str) -> Answer:
    """The seat's answer under that key: checked at the start of the turn; if the seat gave none, the question's default."""
    answers: Mapping[str, Answer] = turn.orders.get(seat, {}).get("answers", {})
    return answers.get(key, default)


def word_settled(turn: Turn, seat: str, key: str, default: str) -> str:
    """The word that the seat answers under that key, to a question that asks for no figure."""
    answer = settled(turn, seat, key, default)
    return answer if isinstance(answer, str) else next(iter(answer))


def book(turn: Turn, seat: str, kingdom: Kingdom, hexes: dict[str, Hex], cause: str, detail: str) -> Kingdom:
    """Book the changes that `cause` made to the kingdom's accounts. Returns the kingdom."""
    if turn.books:
        turn.book(seat, accounts(kingdom, hexes, turn.rules), cause, detail)
    return kingdom


def with_unrest(kingdom: Kingdom, by: int, turn_number: int, rules: Rules) -> Kingdom:
    """The kingdom with more or less Unrest, never below 0. Reaching the limit makes the next turn one of anarchy;
    in the anarchy turn itself nothing moves Unrest. Rulings: unrest_floor, anarchy."""
    if kingdom.anarchy == turn_number:
        return kingdom
    unrest = max(0, kingdom.unrest + by)
    if unrest >= rules.anarchy.unrest and kingdom.anarchy < turn_number:
        return replace(kingdom, unrest=unrest, anarchy=turn_number + 1)
    return replace(kingdom, unrest=unrest) if unrest != kingdom.unrest else kingdom


def with_revealed(kingdom: Kingdom, label: str) -> Kingdom:
    """The kingdom that knows what the hex hides."""
    return kingdom if label in kingdom.revealed else replace(kingdom, revealed=(*kingdom.revealed, label))


def with_hex(kingdom: Kingdom, label: str, built: tuple[str, ...]) -> Kingdom:
    """The kingdom with that hex as its own, with what is built there and the knowledge of what it hides."""
    return with_revealed(replace(kingdom, hexes={**kingdom.hexes, label: built}), label)


def by_lot(seats: Iterable[str], roll: Callable[[str, int], int | None], rules: Rules, drawn: int = 0) -> list[str]:
    """The seats in an order that lots decide, highest first. Ties throw again; after the last throw they go by name. Ruling:
    nobody_first.

    roll: (seat, sides) -> its die. drawn: how often these seats have thrown.
    """
    ruling = in_force(rules.nobody_first)
    lots = {seat: roll(seat, ruling.lot_die) or 0 for seat in sorted(seats)}
    order: list[str] = []
    for face in sorted(set(lots.values()), reverse=True):
        tied = [seat for seat in lots if lots[seat] == face]
        again = len(tied) > 1 and drawn + 1 < ruling.draws
        order += by_lot(tied, roll, rules, drawn + 1) if again else tied
    return order


def most(points: Mapping[str, int], name: str, turn: Turn) -> str:
    """The seat with the most points, "" without any; between equals lots decide, each seat with its roll `name`."""
    best = [seat for seat, of in points.items() if of == max(points.values())]
    return (
        by_lot(best, lambda seat, sides: turn.roll(seat, name, sides), turn.rules)[0]
        if len(best) > 1
        else "".join(best)
    )


Force = TypeVar("Force", int, tuple[float, int])


def strongest(force: Mapping[str, Force], roll: str, turn: Turn) -> str:
    """The seat with the greatest force, "" without any; a roll decides between equals."""
    best = sorted(seat for seat, own in force.items() if own == max(force.values()))
    die = turn.roll(GM, roll, len(best)) if len(best) > 1 else 1
    return best[(die or 1) - 1] if best else ""


def affordable(kingdom: Kingdom, cost: int) -> bool:
    """Whether the treasury can pay. A treasury below 0 pays for nothing. Ruling: affordable."""
    return cost == 0 or kingdom.treasury >= cost


# --- checks -----------------------------------------------------------------------------------------------------------


class Check(Struct, frozen=True):
    """A check term by term: total = die + value + bonus - unrest.

    success is None if no die is thrown; total and margin are then 0. margin: total - dc, adjusted for a natural face.
    """

    name: str
    attribute: str
    die: int | None
    value: int
    unrest: int
    bonus: int
    total: int
    dc: int
    success: bool | None
    margin: int


def decide(die: int, total: int, dc: int, rules: Rules) -> tuple[bool, int]:
    """(success, margin) of a check; the ruling `check` decides for the two natural faces."""
    ruling, margin = rules.check, total - dc
    if die == ruling.always_fails:
        return False, min(margin, -ruling.slip)
    if die == ruling.always_succeeds:
        return True, max(margin, 0)
    return margin >= 0, margin


def by_events(kingdom: Kingdom, attribute: str) -> dict[str, int]:
    """The points that events add only to checks of that attribute: `by_KIND` -> points."""
    account = f"{attribute}_checks"
    return summed((f"by_{each.cause}", each.by) for each in kingdom.modifiers if each.account == account)


def attempt(
    turn: Turn,
    seat: str,
    kingdom: Kingdom,
    hexes: dict[str, Hex],
    attribute: str,
    name: str,
    bonus: int = 0,
    extra_unrest: int = 0,
    secret: bool = False,
) -> Check:
    """Make a check of `attribute` with the roll `name`, and put it among the notices.

    extra_unrest: of a secondary territory, for checks about its hexes. secret: the kingdom may not learn the result, so the die
    and the notice are the GM's. In an anarchy turn nothing is rolled, the total is the ruling's and the check fails.
    """
    rules: Rules = turn.rules
    by = by_events(kingdom, attribute)
    bonus += sum(by.values())
    whose = GM if secret else seat
    value = accounts(kingdom, hexes, rules)[attribute]
    unrest, dc = kingdom.unrest + extra_unrest, control_dc(kingdom, rules)
    if kingdom.anarchy == turn.number:
        total = rules.anarchy.check_total
        check = Check(name, attribute, None, value, unrest, bonus, total, dc, False, total - dc)
    else:
        die = turn.roll(whose, name, rules.check.die)
        if die is None:
            return Check(name, attribute, None, value, unrest, bonus, 0, dc, None, 0)
        total = die + value + bonus - unrest
        check = Check(name, attribute, die, value, unrest, bonus, total, dc, *decide(die, total, dc, rules))
    turn.tell(whose, "check", **asdict(check), **by)
    return check


def tell_roll(turn: Turn, seat: str, name: str, attribute: str, die: int, value: int, dc: int, **by: int) -> int:
    """Tell the seat, term by term, of a roll that is no check against the Control DC. Returns the total. by: the points that it adds."""
    total = die + value + sum(by.values())
    turn.tell(
        seat, "check", name=name, attribute=attribute, die=die, value=value, unrest=0, bonus=sum(by.values()), **by, total=total, dc=dc,
        success=total >= dc, margin=total - dc,
    )  # fmt: skip
    return total


def by_sizes(size: int, other: int, per_point: int) -> int:
    """What the sizes of two kingdoms add to the first one's roll. Rulings: trade, send_aid."""
    return abs(size - other) // per_point * (1 if size >= other else -1)


def by_margin(margin: int, per: int, least: int) -> int:
    """What a roll brings by its margin, 0 if it failed. Rulings: trade, send_aid."""
    return max(least, -(-margin // per)) if margin >= 0 else 0


USED = "special_edicts"  # the key in a kingdom's `used`


def most_special_edicts(kingdom: Kingdom, rules: Rules) -> tuple[int, int]:
    """(how many special edicts a turn allows, the change of each of their checks when more than usual are issued)."""
    more = [effect for _, _, effect in effects.standing(kingdom, rules) if isinstance(effect, MoreSpecialEdicts)]
    usual = rules.special_edicts.per_turn
    best = max(more, key=lambda effect: effect.count, default=None)
    return (best.count, best.check) if best and best.count > usual else (usual, 0)


def harder_by(kingdom: Kingdom, rules: Rules) -> int:
    """The points added to each check of the kingdom's special edicts this turn: below 0 if it issued more than usual."""
    many = kingdom.used.get(USED, 0) > rules.special_edicts.per_turn
    return most_special_edicts(kingdom, rules)[1] if many else 0


def with_palace(rules: Rules) -> int:
    """The most special edicts a turn that any building allows."""
    kinds = rules.buildings.values()
    counts = [effect.count for kind in kinds for effect in kind.effects if isinstance(effect, MoreSpecialEdicts)]
    return max(counts, default=rules.special_edicts.per_turn)
