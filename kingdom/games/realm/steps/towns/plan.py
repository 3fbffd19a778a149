"""The ground plan of a settlement: which buildings stand on which lots, which are neighbours, and which serve which. Ruling:
lots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from msgspec import Struct

from kingdom.games.realm.orders.words import BORDERS
from kingdom.games.realm.rules.building_tables import BuildingKind, CountsAs, FreeWith
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Building, District
from kingdom.games.realm.steps.towns.grid import (
    Footprint,
    Grid,
    border_name,
    deal,
    district_at,
    footprint,
    grid_of,
    lot_name,
    lot_number,
    serve,
)

ANY_BUILDING = "any_building"
WATER_BORDER = "water_border"
_TRIED = -1  # the position of a building that is only being tried


class Traits(Struct, frozen=True):
    """How a kind of building counts for other buildings."""

    names: frozenset[str]  # for adjacency: itself and what it counts as
    shares: frozenset[str]  # on whose lot it may stand
    walls: frozenset[str]  # into which it is built


class _Known(Struct, frozen=True):
    """Traits worked out for a record of rules. The record is kept, so that no other gets its id."""

    rules: Rules
    grid: Grid
    traits: dict[str, Traits]
    covered: dict[Building, Footprint | None]


_known: dict[int, _Known] = {}


def _known_of(rules: Rules) -> _Known:
    known = _known.get(id(rules))
    if known is None:
        traits = {}
        for name, kind in rules.buildings.items():
            also = frozenset(effect.building for effect in kind.effects if isinstance(effect, CountsAs))
            walls = frozenset(effect.building for effect in kind.effects if isinstance(effect, FreeWith))
            traits[name] = Traits(also | {name}, frozenset(kind.shares_lot_with), walls)
        known = _known[id(rules)] = _Known(rules, grid_of(rules.lots.columns, rules.lots.rows), traits, {})
    return known


def covered_by(building: Building, rules: Rules) -> Footprint | None:
    """The lots under a building and beside it; None for a kind that takes no lot, or if it would leave its district."""
    known = _known.get(id(rules)) or _known_of(rules)
    try:
        return known.covered[building]
    except KeyError:
        kind = rules.buildings[building.id]
        number = lot_number(building.lot, known.grid) if kind.place in ("lot", "shared") else None
        known.covered[building] = found = (
            None if number is None else footprint(known.grid, kind.lots, building.tall, number)
        )
        return found


def lots_under(building: Building, rules: Rules) -> tuple[str, ...]:
    """The names of the lots that a building covers or would cover; none for a kind that takes no lot."""
    covered = covered_by(building, rules)
    return tuple(lot_name(lot, _known_of(rules).grid) for lot in covered.lots) if covered else ()


def ways(kind: BuildingKind) -> tuple[bool, ...]:
    """The values of `tall` to try: for a kind that takes two lots first side by side, then one above the other."""
    return (False, True) if kind.lots == 2 else (False,)


class Plan:
    """The ground plan, which `add` changes; the state's records never change.

    A place is a Building record (state.py) that does not stand yet: its kind, its lot, border or district.
    """

    def __init__(
        self, districts: Sequence[District], buildings: Iterable[Building], rules: Rules, blocked: Iterable[str] = ()
    ):
        self.districts = districts
        self.rules = rules
        self.grid = _known_of(rules).grid
        self.traits = _known_of(rules).traits
        self._blocked = {lot_number(lot, self.grid) for lot in blocked}  # nothing is built there
        self.buildings: list[Building] = []
        self._on: dict[int, list[int]] = {}  # lot -> the buildings on it, by their position in `buildings`
        self._borders: set[tuple[str, str]] = set()  # (kind, border or district) of each building that takes no lot
        self._could: dict[int, list[int]] | None = None  # dependant -> who could serve it; None: not worked out yet
        self._serves: dict[int, int] = {}
        self._open = 0  # needs for a neighbour that nothing serves
        self._names: set[str] = set()  # names of all that stands, for adjacency
        for building in buildings:
            self.add(building)

    def add(self, building: Building) -> None:
        """Add a building at its place without any check."""
        covered = covered_by(building, self.rules)
        for lot in covered.lots if covered else ():
            self._on.setdefault(lot, []).append(len(self.buildings))
        if covered is None:
            self._borders.add((building.id, building.lot))
        self.buildings.append(building)
        self._names |= self.traits[building.id].names
        self._could = None

    def places(self, kind: str) -> Iterator[Building]:
        """Every place for a building of that kind, legal or not, in the order of the ruling; full lots are left out."""
        record, count = self.rules.buildings[kind], len(self.districts)
        if record.place in ("border", "wall"):
            for district, border in product(range(count), BORDERS):
                yield Building(kind, border_name(district, border))
        elif record.place == "district":
            for district in range(count):
                yield Building(kind, str(district + 1))
        else:
            for number, tall in product(range(count * self.grid.size), ways(record)):
                if number not in self._blocked and (number not in self._on or self._shares(kind, number)):
                    yield Building(kind, lot_name(number, self.grid), tall)

    # --- room

    def lots(self) -> int:
        """The lots of all districts."""
        return self.grid.size * len(self.districts)

    def free_lots(self) -> int:
        """Lots on which nothing stands."""
        return self.lots() - len(self._on)

    def empty(self) -> list[str]:
        """The names of the lots on which nothing stands and that are not blocked, rows first."""
        lots = (lot for lot in range(self.lots()) if lot not in self._on and lot not in self._blocked)
        return [lot_name(lot, self.grid) for lot in lots]

    def blocked(self, covered: Footprint) -> bool:
        """Whether one of the lots is blocked."""
        return not self._blocked.isdisjoint(covered.lots)

    def fits(self, place: Building) -> bool:
        """Whether there is room for that building; other rules about its place are not checked."""
        if self.rules.buildings[place.id].place not in ("lot", "shared"):
            return (place.id, place.lot) not in self._borders
        covered = covered_by(place, self.rules)
        if covered is None:
            return False
        return self._on.keys().isdisjoint(covered.lots) or all(self._shares(place.id, lot) for lot in covered.lots)

    def _shares(self, kind: str, lot: int) -> bool:
        """Whether a building of that kind may share a lot with all buildings there. A kind stands on a lot only once."""
        return all(self.shares(kind, self.buildings[other].id) for other in self._on.get(lot, ()))

    def shares(self, kind: str, other: str) -> bool:
        """Whether a building of one kind may stand on the lot of one of the other."""
        mine, theirs = self.traits[kind].shares, self.traits[other].shares
        return kind != other and (other in mine or ANY_BUILDING in mine or kind in theirs or ANY_BUILDING in theirs)

    def has_host(self, place: Building) -> bool:
        """Whether a building with a lot of its own stands on its lot and lets it share."""
        mine = self.traits[place.id].shares
        hosts = (self.buildings[other].id for other in self._on.get(lot_number(place.lot, self.grid) or 0, ()))
        return any(self.rules.buildings[host].lots and (host in mine or ANY_BUILDING in mine) for host in hosts)

    def lacks(self, kind: str) -> bool:
        """Whether the settlement lacks everything that the kind must be beside or built into."""
        record, there = self.rules.buildings[kind], self._names
        if record.beside and there.isdisjoint(record.beside.any_of):
            return True
        if record.beside_water and WATER_BORDER not in there and not any(district.water for district in self.districts):
            return True
        return record.place == "wall" and there.isdisjoint(self.traits[kind].walls)

    def has_wall(self, place: Building) -> bool:
        """Whether a wall into which it may be built stands on its border."""
        return any((wall, place.lot) in self._borders for wall in self.traits[place.id].walls)

    def in_district(self, place: Building) -> int:
        """How many buildings of its kind stand in its district."""
        district = district_at(place.lot, self.grid)
        return sum(each.id == place.id and district_at(each.lot, self.grid) == district for each in self.buildings)

    # --- neighbours

    def near(self, covered: Footprint) -> list[int]:
        """The buildings beside that footprint or on one of its lots, each once."""
        on = self._on
        return list(
            dict.fromkeys([other for lot in (*covered.lots, *covered.beside) if lot in on for other in on[lot]])
        )

    def forbidden(self, kind: str, near: Iterable[int]) -> str:
        """The first of these buildings that may not be near that kind, whichever of the two forbids it; "" for none."""
        for position in near:
            if self.shuns(kind, other := self.buildings[position].id):
                return other
        return ""

    def shuns(self, kind: str, other: str) -> bool:
        """Whether one of the two kinds may not be near the other."""
        table, traits = self.rules.buildings, self.traits
        return not (
            traits[other].names.isdisjoint(table[kind].not_beside)
            and traits[kind].names.isdisjoint(table[other].not_beside)
        )

    def at_water(self, covered: Footprint, near: Iterable[int]) -> bool:
        """Whether one of the lots is at a water border, or beside a building that counts as one."""
        district = covered.lots[0] // self.grid.size
        first, water = district * self.grid.size, self.districts[district].water
        wet = [edge for border, edge in self.grid.edges if border in water]
        on_edge = any(lot - first in edge for edge in wet for lot in covered.lots)
        return on_edge or any(WATER_BORDER in self.traits[self.buildings[other].id].names for other in near)

    def able(self, kind: str, near: Iterable[int]) -> list[int]:
        """Those of the nearby buildings that can serve that kind as a needed neighbour."""
        beside = self.rules.buildings[kind].beside
        wanted = beside.any_of if beside else ()
        return [other for other in near if not self.traits[self.buildings[other].id].names.isdisjoint(wanted)]

    def needs(self, kind: str) -> int:
        """How many neighbours that kind needs."""
        beside = self.rules.buildings[kind].beside
        return beside.count if beside else 0

    def would_serve(self, kind: str, able: list[int]) -> bool:
        """Whether enough of the `able` buildings are free to serve that kind, as each serves only one building.

        Every other building keeps its number of neighbours, though perhaps different ones.
        """
        could, count = self._matched(), self.needs(kind)
        if sum(other not in self._serves for other in able) >= count:
            return True
        could, serves = {**could, _TRIED: able}, dict(self._serves)
        return all(serve(_TRIED, could, serves) for _ in range(count))

    def unserved(self) -> int:
        """How many needs for a neighbour stay open."""
        self._matched()
        return self._open

    def free_to_serve(self) -> list[Building]:
        """The buildings that serve no other as a neighbour."""
        self._matched()
        return [building for position, building in enumerate(self.buildings) if position not in self._serves]

    def _matched(self) -> dict[int, list[int]]:
        """Building that needs a neighbour -> buildings that could serve it. Also deals out the neighbours, once."""
        if self._could is None:
            self._could = {}
            for position, building in enumerate(self.buildings):
                covered = covered_by(building, self.rules) if self.needs(building.id) else None
                if covered:
                    near = (other for other in self.near(covered) if other != position)
                    self._could[position] = self.able(building.id, near)
            needs = ((position, self.needs(self.buildings[position].id)) for position in self._could)
            self._serves, self._open = deal(needs, self._could)
        return self._could
