"""What buildings do: a function for each kind of effect; `possible` says whether an effect can be used at all."""

from __future__ import annotations

from kingdom.engine.step import Orders
from kingdom.games.kings_pouch.rules import Effect
from kingdom.games.kings_pouch.state import AREAS, CUBES, KINDS, Lord, Marked, Table, Turn, replace, with_player
from kingdom.games.kings_pouch.steps import booked, drawn, given, joined, purse_of, said, scored, with_purse

CAUSES = {
    "building_prestige": "prestige from a building",
    "building_army": "army from a building",
    "building_gold": "gold from a building",
    "gain": "a citizen from the pool",
    "exchange": "a citizen exchanged in the pool",
    "remove": "a citizen back to the pool",
    "add_marker": "a second marker on a territory or character",
}
_FROM_EITHER = ("rest", "active")  # where a citizen is taken from when the orders do not say it


class Use:
    """One use of a slot: the seat, the order, its path, and the building. wishes: of the order. done: what it did, for a sentence."""

    def __init__(self, seat: str, wishes: Orders, path: str = "", where: str = ""):
        self.seat, self.wishes, self.path, self.where = seat, wishes, path, where
        self.done: list[str] = []

    def at(self, where: str) -> Use:
        """Return the same use, on that building."""
        return Use(self.seat, self.wishes, self.path, where)


def possible(effect: Effect, table: Table, use: Use, turn: Turn) -> bool:
    """Whether the effect can be used: a citizen to take away must be there, and a marker to add (ruling whole_line)."""
    lord = table.seats[use.seat]
    if effect.does in ("remove", "exchange"):
        return len(_taken(effect, lord, use)) == effect.n
    if effect.does == "move":
        return bool(_taken(effect, lord, use))
    if effect.does == "add_marker":
        return bool(_places(effect, table, use, turn))
    return True


def take_effect(effect: Effect, table: Table, use: Use, turn: Turn) -> Table:
    """The table after the effect."""
    return _EFFECTS[effect.does](effect, table, use, turn)


def _prestige(effect: Effect, table: Table, use: Use, turn: Turn) -> Table:
    use.done.append(f"{effect.n} prestige")
    return scored(turn, table, use.seat, effect.n, "building_prestige", use.where)


def _coin(effect: Effect, table: Table, use: Use, turn: Turn) -> Table:
    use.done.append(f"{effect.n} {effect.does}")
    held = getattr(purse_of(table), effect.does)
    cause = "building_gold" if effect.does == "gold" else "building_army"
    return booked(turn, with_purse(table, **{effect.does: held + effect.n}), use.seat, cause, use.where)


def _gain(effect: Effect, table: Table, use: Use, turn: Turn) -> Table:
    area = effect.area if effect.area in AREAS else use.wishes.get("to") or AREAS[0]
    for index in range(effect.n):
        kind = _wanted(effect.what, "gain", index, table, use)
        if not getattr(table.pool, kind):  # ruling empty_pool
            use.done.append(f"no {kind}, as the pool has none (ruling empty_pool)")
            continue
        use.done.append(f"a {kind} for the {area} area")
        table = booked(turn, given(table, use.seat, area, kind), use.seat, "gain", use.where)
    return table


def _wanted(what: str, key: str, index: int, table: Table, use: Use) -> str:
    """The kind of citizen. If any cube will do, the wished kind or else the first kind that the pool has."""
    if what in KINDS:
        return what
    wishes = use.wishes.get(key) or ()
    named = [kind for kind in wishes[index:] if kind in CUBES and getattr(table.pool, kind)]
    return next((kind for kind in (*named, *CUBES) if getattr(table.pool, kind)), CUBES[0])


def _draw(effect: Effect, table: Table, use: Use, turn: Turn) -> Table:
    area = effect.area if effect.area in AREAS else use.wishes.get("to") or AREAS[0]
    table, kinds = drawn(table, turn, use.seat, effect.n, area, use.wishes.get("draw") or ())
    use.done.append(f"drew {joined(kinds, 'nobody')}")
    return table


def _taken(effect: Effect, lord: Lord, use: Use) -> list[tuple[str, str]]:
    """(area, kind) of each citizen that the effect takes, by the wishes of the order; fewer if there are not enough."""
    moves, named = effect.does == "move", use.wishes.get("remove_from")
    area = effect.area if effect.area in AREAS else named or (AREAS[0] if moves else "")
    areas = (area,) if area else _FROM_EITHER
    if effect.what in KINDS:
        kinds: tuple[str, ...] = (effect.what,) * effect.n
    else:
        kinds = tuple(use.wishes.get(effect.does) or (() if moves else KINDS * effect.n))
        kinds = tuple(kind for kind in kinds if effect.what != "any_cube" or kind in CUBES)
    left = {(area, kind): getattr(getattr(lord, area), kind) for area in areas for kind in kinds}
    taken: list[tuple[str, str]] = []
    for kind in kinds:
        spot = next(((area, kind) for area in areas if left[area, kind]), None)
        if spot and len(taken) < effect.n:
            left[spot] -= 1
            taken.append(spot)
    return taken


def _move(effect: Effect, table: Table, use: Use, turn: Turn) -> Table:
    """Citizens between the active and the rest area, by the wishes of the order."""
    for area, kind in _taken(effect, table.seats[use.seat], use):
        other = AREAS[1 - AREAS.index(area)]
        lord = table.seats[use.seat]
        moved = {area: getattr(lord, area).plus(kind, -1), other: getattr(lord, other).plus(kind)}
        table = with_player(table, use.seat, **moved)
        use.done.append(f"a {kind} to the {other} area")
    return table


def _exchange(effect: Effect, table: Table, use: Use, turn: Turn) -> Table:
    """Exchange citizens for others of the pool, which go to the area that the first were taken from."""
    for index, (area, kind) in enumerate(_taken(effect, table.seats[use.seat], use)):
        into = _wanted(effect.into, "gain", index, table, use)
        if not getattr(table.pool, into):
            use.done.append(f"no {into}, as the pool has none (ruling empty_pool)")
            continue
        table = given(given(table, use.seat, area, kind, -1), use.seat, area, into)
        table = booked(turn, table, use.seat, "exchange", f"{use.where}: a {kind} for a {into}")
        use.done.append(f"a {into} for a {kind}")
    return table


def _remove(effect: Effect, table: Table, use: Use, turn: Turn) -> Table:
    for area, kind in _taken(effect, table.seats[use.seat], use):
        table = booked(turn, given(table, use.seat, area, kind, -1), use.seat, "remove", use.where)
        use.done.append(f"a {kind} of the {area} area back to the pool")
    return table


def _places(effect: Effect, table: Table, use: Use, turn: Turn) -> list[str]:
    """The places where the seat may add a marker, the wished place first."""
    if not table.seats[use.seat].markers:
        return []
    marked = table.territories if effect.what == "territory" else table.claimed
    most = turn.rules.most_markers.most
    free = [place for place, marked_by in marked.items() if marked_by.owner == use.seat and marked_by.markers < most]
    wished = [place for place in use.wishes.get("add_marker") or () if place in free]
    return [*wished, *(place for place in free if place not in wished)]


def _add_marker(effect: Effect, table: Table, use: Use, turn: Turn) -> Table:
    for _ in range(effect.n):
        places = _places(effect, table, use, turn)
        if not places:
            break
        place, lord = places[0], table.seats[use.seat]
        key = "territories" if effect.what == "territory" else "claimed"
        marked = getattr(table, key)
        more = {**marked, place: Marked(use.seat, marked[place].markers + 1)}
        table = with_player(replace(table, **{key: more}), use.seat, markers=lord.markers - 1)
        table = booked(turn, table, use.seat, "add_marker", f"{use.where}: on {said(place)}")
        use.done.append(f"a second marker on {said(place)}")
    return table


def _cheaper(effect: Effect, table: Table, use: Use, turn: Turn) -> Table:
    """Make actions of a kind free, or cheaper."""
    held = getattr(purse_of(table), effect.does)
    use.done.append(f"{effect.n} free: {effect.what}" if effect.does == "free" else f"{effect.n} less to {effect.what}")
    return with_purse(table, **{effect.does: {**held, effect.what: held.get(effect.what, 0) + effect.n}})


def _refresh(effect: Effect, table: Table, use: Use, turn: Turn) -> Table:
    purse = purse_of(table)
    use.done.append(f"a refresh of {effect.n or 'all'} at the end of the turn")
    return with_purse(table, refresh=purse.refresh + effect.n, refresh_all=purse.refresh_all + (not effect.n))


_EFFECTS = {
    "prestige": _prestige, "army": _coin, "gold": _coin, "gain": _gain, "draw": _draw, "move": _move, "exchange": _exchange,
    "remove": _remove, "add_marker": _add_marker, "free": _cheaper, "discount": _cheaper, "refresh": _refresh,
}  # fmt: skip
