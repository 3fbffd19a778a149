"""The GM's orders about kingdoms and their land: give and take a hex, rename, add and retire a kingdom."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeVar

from kingdom.engine import names
from kingdom.engine.refusal import Refusal
from kingdom.games.realm.hexmap import finds
from kingdom.games.realm.state import Kingdom, World, owners, replace, with_kingdoms, with_settlement
from kingdom.games.realm.steps.joining import joining
from kingdom.games.realm.steps.land.free_cities import with_city
from kingdom.games.realm.steps.land.losing import Loss, lose_hexes, out_of_play
from kingdom.games.realm.steps.shared import book, with_hex
from kingdom.games.realm.steps.trade.caravans import end_dead_routes
from kingdom.games.realm.types import Turn

if TYPE_CHECKING:
    from kingdom.games.realm.orders.rulings import GmAdd, GmGive, GmRename, GmRetire, GmTake

T = TypeVar("T")

CAUSES = {
    "give": "a hex given by the GM",
    "take": "a hex taken by the GM",
    "add": "a kingdom that joins: its opening balances",
    "retire": "a kingdom that leaves: its land",
}
REFUSALS = {
    "gm_hex_held": "{hex} is held by {holder} (GM orders); `take` it from {holder} first.",
    "gm_hex_not_held": "{kingdom} does not hold {hex} (GM orders); it holds {held}.",
    "gm_name_unknown": "{kingdom} has no settlement or army called {name} (GM orders); it has {names}.",
    "gm_name_taken": "There is a {what} called {name} already (GM orders); choose another name.",
    "gm_in_play": "{kingdom} is in play (GM orders); `add` is for a seat that is not: a newcomer, or a kingdom that was destroyed.",
    "gm_start": "{kingdom} can't start so (GM orders): {problem} Write its `start` otherwise.",
}


def give(world: World, turn: Turn, order: GmGive) -> World | Refusal:
    """Give the kingdom a hex that nobody holds, with what stands in it; a free city there joins."""
    label, seat = order["give"], order["to"]
    if refusal := hex_problem(world, label) or kingdom_problem(world, seat):
        return refusal
    if label in owners(world):
        return Refusal("gm_hex_held", {"hex": label, "holder": owners(world)[label]})
    hex, kingdom = world.hexes[label], world.kingdoms[seat]
    if hex.free_city:
        name, kingdom = with_city(kingdom, label, hex.free_city, turn.rules)
        kingdom = with_settlement(kingdom, name, waiting=())
    kingdom = with_hex(kingdom, label, hex.left)
    hexes = {**world.hexes, label: replace(hex, left=(), wild=False, free_city=None)}
    book(turn, seat, kingdom, hexes, "give", f"{label}: {order['reason']}")
    found = ", ".join(finds(hex, turn.rules))
    text = f"The GM gives {label}{f', where there is {found}' if found else ''}: {order['reason']}."
    turn.tell(seat, "ruling", hex=label, reason=order["reason"], text=text)
    return with_kingdoms(replace(world, hexes=hexes), {seat: kingdom})


def take(world: World, turn: Turn, order: GmTake) -> World | Refusal:
    """Take a hex from the kingdom by the usual rules (Losing Hexes)."""
    label, seat = order["take"], order["from"]
    if refusal := hex_problem(world, label) or kingdom_problem(world, seat):
        return refusal
    if label not in world.kingdoms[seat].hexes:
        held = ", ".join(sorted(world.kingdoms[seat].hexes)) or "none"
        return Refusal("gm_hex_not_held", {"hex": label, "kingdom": seat, "held": held})
    text = f"The GM takes {label}: {order['reason']}."
    turn.tell(seat, "ruling", hex=label, reason=order["reason"], text=text)
    return lose_hexes(world, turn, [Loss(seat, label, "take", f"{label}: {order['reason']}")])


def rename(world: World, turn: Turn, order: GmRename) -> World | Refusal:
    """Rename a kingdom, or one of its settlements or armies; ids stay."""
    seat = order.get("of") or order["rename"].casefold()
    refusal = kingdom_problem(world, seat) or (_rename_problem(world, seat, order) if "of" in order else None)
    if refusal is None and "of" not in order:
        others = [kingdom.name for other, kingdom in world.kingdoms.items() if other != seat]
        refusal = _taken(order["to"], "kingdom", others)
    if refusal:
        return refusal
    before = world.kingdoms[seat]
    was = _own_name(before, order["rename"]) if "of" in order else before.name
    kingdom = _renamed(before, was, order["to"]) if "of" in order else replace(before, name=order["to"])
    text = f"The GM: {was} is called {order['to']} from now on: {order['reason']}."
    turn.tell(seat, "ruling", reason=order["reason"], text=text)
    return with_kingdoms(world, {seat: kingdom})


def add(world: World, turn: Turn, order: GmAdd) -> World | Refusal:
    """A kingdom joins in mid-campaign, or a destroyed one starts anew, from what its file would hold."""
    seat, given = order["add"], order["start"]
    old = world.kingdoms.get(seat)
    if old is not None and not old.destroyed:
        return Refusal("gm_in_play", {"kingdom": seat})
    kingdom, problems = joining(seat, given, world, turn.rules)
    if problems:
        return Refusal("gm_start", {"kingdom": seat, "problem": problems[0]})
    world = end_dead_routes(world, turn)  # routes to the destroyed kingdom do not pass to the new one
    kingdom = replace(kingdom, quiet=True)  # as at the start of a campaign: nothing has happened to it yet
    if turn.rules.events.grace or turn.rules.safe_turns:
        kingdom = replace(kingdom, joined=turn.number)
    if turn.rules.safe_turns and old is not None and not old.absent:
        kingdom = replace(kingdom, unsafe=True)
    hexes = {**world.hexes, **{label: replace(world.hexes[label], wild=False, left=()) for label in kingdom.hexes}}
    world = replace(world, hexes=hexes, kingdoms=dict(sorted({**world.kingdoms, seat: kingdom}.items())))
    book(turn, seat, kingdom, hexes, "add", f"opening of {seat}: {order['reason']}")
    turn.tell("all", "news", text=f"{kingdom.name} joins the game: {order['reason']}.")
    return world


def retire(world: World, turn: Turn, order: GmRetire) -> World | Refusal:
    """Retire a kingdom: its land becomes wild, its settlements free cities; its armies, caravans and expeditions are
    gone."""
    seat = order["retire"]
    if refusal := kingdom_problem(world, seat):
        return refusal
    losses = [
        Loss(seat, label, "retire", f"{label}: {order['reason']}") for label in sorted(world.kingdoms[seat].hexes)
    ]
    turn.tell("all", "news", text=f"{world.kingdoms[seat].name} leaves the game: {order['reason']}.")
    world = lose_hexes(world, turn, losses)
    gone = out_of_play(world.kingdoms[seat])
    book(turn, seat, gone, world.hexes, "retire", f"armies and what was under way: {order['reason']}")
    return with_kingdoms(world, {seat: gone})


def kingdom_problem(world: World, seat: str) -> Refusal | None:
    """Why the GM's order can't name that kingdom."""
    live = [other for other, kingdom in world.kingdoms.items() if not kingdom.destroyed]
    return None if seat in live else Refusal("gm_not_in_play", {"kingdom": seat, "kingdoms": ", ".join(live)})


def hex_problem(world: World, label: str) -> Refusal | None:
    """Why the GM's order can't name that hex."""
    if label in world.hexes:
        return None
    return Refusal("gm_unknown_hex", {"hex": label, "first": min(world.hexes), "last": max(world.hexes)})


def _rename_problem(world: World, seat: str, order: GmRename) -> Refusal | None:
    kingdom, name = world.kingdoms[seat], order["rename"]
    own = _own_name(kingdom, name)
    if not own:
        names = ", ".join([*kingdom.settlements, *kingdom.armies]) or "none"
        return Refusal("gm_name_unknown", {"kingdom": seat, "name": name, "names": names})
    if own in kingdom.armies:
        return _taken(order["to"], "army", [other for other in kingdom.armies if other != own])
    cities = [hex.free_city.name for hex in world.hexes.values() if hex.free_city]
    return _taken(order["to"], "settlement", [*cities, *(other for other in kingdom.settlements if other != own)])


def _taken(name: str, what: str, others: Iterable[str]) -> Refusal | None:
    """Why the name can't be used: another bears it; capitals make no difference."""
    if name.casefold() in {other.casefold() for other in others}:
        return Refusal("gm_name_taken", {"what": what, "name": name})
    return None


def _own_name(kingdom: Kingdom, name: str) -> str:
    """The kingdom's settlement or army of that name in its own spelling, "" for none."""
    return names.find(name, (*kingdom.settlements, *kingdom.armies))


def _renamed(kingdom: Kingdom, was: str, now: str) -> Kingdom:
    """The kingdom with one of its settlements or armies under another name wherever its record names it."""

    def keyed(table: dict[str, T]) -> dict[str, T]:
        return {now if name == was else name: each for name, each in table.items()}

    if was in kingdom.armies:
        escorted = {
            key: replace(each, army=now) if each.army == was else each for key, each in kingdom.expeditions.items()
        }
        return replace(kingdom, armies=keyed(kingdom.armies), expeditions=escorted)
    events = {
        key: replace(event, settlement=now) if event.settlement == was else event
        for key, event in kingdom.events.items()
    }
    return replace(
        kingdom,
        settlements=keyed(kingdom.settlements),
        capital=now if kingdom.capital == was else kingdom.capital,
        damaged=keyed(kingdom.damaged),
        blocked=keyed(kingdom.blocked),
        events=events,
        modifiers=tuple(
            replace(each, settlement=now) if each.settlement == was else each for each in kingdom.modifiers
        ),
    )
