"""The order form of the next turn as text: short forms, the standing choices filled in, everything else to be uncommented."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TypeAlias

from kingdom.engine.offer import fillings
from kingdom.games.realm.effects import EDICTS
from kingdom.games.realm.forecast.turn_preview import MARCH, MUSTER, Course, before_orders, preview, standing
from kingdom.games.realm.offers.form_model import Ground
from kingdom.games.realm.offers.offers import KINDS
from kingdom.games.realm.offers.towns import none_built
from kingdom.games.realm.orders.answers import answers_to
from kingdom.games.realm.orders.building import CONSTRUCT
from kingdom.games.realm.orders.declaration import DECISIONS, ORDERS
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import led
from kingdom.games.realm.state import Pending, World, replace
from kingdom.games.realm.visibility.known import company, known
from kingdom.orders import kit, yaml_out
from kingdom.orders.orders_file import EDITOR_LINE, lines_of
from kingdom.render.plain_text import COLUMNS, width

Order: TypeAlias = tuple[str, object]  # key and value in the long form


def form_of(world: World, seat: str, rules: Rules) -> list[str]:
    """The order form of the turn after this state, from what the seat knows of it, without its head."""
    seen = known(world, seat, rules)
    return form_lines(seen, before_orders(seen, seat, rules), seat, rules)[3:]


def form_lines(seen: World, world: World, seat: str, rules: Rules) -> list[str]:
    """The form with its head, worked out once for a report and its mail. seen, world: as for `order_form`."""
    return preview(seen, seat, rules).once("form", {}, lambda: order_form(company(seen, seat), world, seat, rules))


def order_form(seen: World, world: World, seat: str, rules: Rules) -> list[str]:
    """The lines of an orders file that is valid as it stands, and then leaves things as they are.

    Behind a # stand further lines, each valid when the # is taken away; behind a # and a space why there is no building. seen: what the seat knows; world: the kingdom as its
    orders find it (turn_preview.py). In a turn of anarchy only messages are delivered.
    """
    kingdom = seen.kingdoms[seat]
    world = replace(world, kingdoms={**seen.kingdoms, seat: world.kingdoms[seat]})
    now = standing(world, seat, rules)
    lines = [EDITOR_LINE, f"kingdom: {seat}", f"turn: {seen.turn + 1}"]
    if not kingdom.destroyed and world.kingdoms[seat].anarchy != seen.turn + 1:
        lines += lines_of_order("leadership", list(led(kingdom, rules)))
        lines += answer_lines(kingdom.pending)
        lines += lines_of_order("edicts", {category: getattr(kingdom, category) for category in EDICTS})
        orders = [*_examples(now, seen)]
        orders += [
            (kind.key, value) for kind in DECISIONS if (value := kit.example(kind, now.moment(kind.at))) is not None
        ]
        orders.sort(key=lambda order: [*ORDERS.keys].index(order[0]))
        lines += [line for order in orders for text in lines_of_order(*order) if _fits(line := f"#{text}")]
        ground = Ground(seat, world.kingdoms[seat], world, seen, (), rules)
        if not any(key == CONSTRUCT.key for key, _ in orders) and (why := none_built(ground)):
            lines += kit.remark(f"No building: {why.removeprefix('nothing: ')}.")
    return [*lines, '#messages: [{to: all, text: "..."}]', '#requests: ["..."]', "#final: true"]


def answer_lines(asked: Sequence[Pending]) -> list[str]:
    """The default answers under one key, and behind a # what else may stand in the place of each."""
    if not asked:
        return []
    rows = [(f'{pending.key}: "{pending.default}"', ", ".join(alternatives(pending))) for pending in asked]
    if len(rows) == 1:
        return [_with_others(f"answers: {{{rows[0][0]}}}", rows[0][1])]
    return ["answers:", *(_with_others(f"  {said}", others) for said, others in rows)]


def _with_others(line: str, others: str) -> str:
    more = f"{line}  # or {others}"
    return more if others and _fits(more) else line


def alternatives(pending: Pending) -> list[str]:
    """The answers besides the default, as they are typed, with the first of the figures that they take; of a hex to be lost
    none, for there are many."""
    found: dict[str, str] = {}
    for word, figure, _ in answers_to(pending):
        if word != pending.default:
            found.setdefault(word, word if figure is None else f"{{{word}: {figure}}}")
    return list(found.values())


def lines_of_order(key: str, value: object) -> list[str]:
    """An order in its short form, or in the long one where a name allows no other."""
    return [line.rstrip() for line in lines_of(ORDERS, key, value) or [f"{key}: {yaml_out.flow(value)}"]]


def _fits(line: str) -> bool:
    """Whether it stays one line of the page, which a long name would break."""
    return "\n" not in line and width(line) <= COLUMNS


# --- an order of each kind that the kingdom could give


def _examples(now: Course, seen: World) -> Iterator[Order]:
    """Yield the first orders that are offered to armies and that can all be given, since they stand in one list: an army that
    is disbanded marches nowhere."""
    armies = list[object]()
    for part in (MARCH, MUSTER):
        ways = (way.order for offer in KINDS[part](now) for way in islice(fillings(offer), 1))
        first = next((order for order in ways if not armies or _together(seen, now, [*armies, order])), None)
        armies += [first] if first else []
    while len(armies) > 1 and not all(_fits(f"#{line}") for line in lines_of_order("armies", armies)):
        armies.pop()
    if armies:
        yield "armies", armies


def _together(seen: World, now: Course, armies: list[object]) -> bool:
    return not preview(seen, now.seat, now.rules).course({"armies": armies}).refused
