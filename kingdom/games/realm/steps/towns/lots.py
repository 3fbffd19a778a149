"""Where a building may stand in a settlement, and why it may not. Ruling: lots; table buildings.

A place is a Building record (state.py) that does not stand yet: its kind, and its lot, border or district.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kingdom.engine.refusal import Refusal
from kingdom.games.kit.memo import remember
from kingdom.games.realm.orders.words import BORDERS
from kingdom.games.realm.rules.building_tables import BuildingKind, Needs
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Building, District
from kingdom.games.realm.steps.towns.grid import border_at, border_name, district_at, lot_name, lot_number
from kingdom.games.realm.steps.towns.plan import ANY_BUILDING, Plan, covered_by, ways

ANYWHERE = "anywhere in this settlement"
# refusals that another building beside the place may lift
NEIGHBOURLY = ("lot_no_neighbour", "lot_neighbour_serves_another")
GRADES = ("minor", "medium", "major")  # of magic items, from the lowest

REFUSALS = {
    "lot_unknown": "{lot} is no lot of this settlement (ruling lots). Its lots run from {first} to {last}.",
    "lot_outside": "{what} does not fit into the district {where}, its top left lot (ruling lots). "
    "Name a lot farther north or west, or none.",
    "lot_taken": "{what} finds no room {where}; it takes {lots} (ruling lots). "
    "Name a free place, demolish something, or build a district.",
    "lot_blocked": "{what} can't stand {where}: squatters camp there (table event_kinds). Name another lot until their event ends.",
    "lot_no_host": "{what} can't stand {where}: it shares the lot of one of these: {others} (table buildings). "
    "Build that first, or name its lot.",
    "lot_forbidden_neighbour": "{what} can't stand {where}: it may not be beside {other} (table buildings). "
    "Leave a lot between the two.",
    "lot_no_water": "{what} can't stand {where}: it needs a border of water or a Waterway beside it (table buildings). "
    "Name a lot at the water, or build a Waterway first.",
    "lot_no_neighbour": "{what} can't stand {where}: beside it must be {count} of these: {others} (table buildings). "
    "Build that first, or name a lot beside it.",
    "lot_neighbour_serves_another": "{what} can't stand {where}: beside it must be {count} of these: {others}; "
    "those that are there serve other buildings, and each serves only one (ruling lots). "
    "Build another beside it first.",
    "upgrade_leaves_unserved": "{what} can't stand {where}: what it replaces is the neighbour that another "
    "building needs (ruling lots). Build that building a further neighbour first.",
    "border_unknown": "{border} is no border of this settlement (ruling lots). Its borders are {borders}.",
    "border_water": "{what} can't stand {where}: it is built on a border of land (table buildings). "
    "Name such a border.",
    "border_taken": "{what} can't stand {where}: a border holds one of a kind (ruling lots). "
    "Name another border, or build a district.",
    "border_no_wall": "{what} can't stand {where}: it is built into a {others} (table buildings). Build that first.",
    "district_full_of_kind": "{what} can't be built {where}: a district holds {most} (table buildings). "
    "Build a district first.",
    "settlement_full_of_kind": "{what} can't be built here: a settlement holds {most} (table buildings). "
    "Build it in another settlement.",
    "settlement_lacks": "{what} can't be built here: in the settlement must stand one of these: {needed} "
    "(table buildings). Build that first.",
    "place_is_a_border": "{what} is built on a border, not on a lot (table buildings). "
    "Write `border: north`, or no place.",
    "place_is_a_lot": "{what} is built on a lot, not on a border (table buildings). Write `lot: A1`, or no place.",
}

# From the worst reason to the mildest: if no place is legal, the refusal gives the mildest reason found.
_NEARNESS = (
    "lot_outside", "border_no_wall", "border_water", "border_taken", "district_full_of_kind", "lot_taken",
    "lot_blocked", "lot_no_host", "lot_forbidden_neighbour", "lot_no_water", "lot_no_neighbour", "lot_neighbour_serves_another",
    "upgrade_leaves_unserved",
)  # fmt: skip


class NoRoom(ValueError):
    """A starting building for which no lot is left; the message is a sentence about it."""


def find(plan: Plan, kind: str, named: str = "") -> tuple[Building | None, Refusal | None]:
    """The first place where that kind may legally stand, or why there is none. `named`: a lot or border, "" for any."""
    refusal = not_in_settlement(plan, kind)
    if refusal:
        return None, refusal
    if not named:
        return first_of(plan, kind, plan.places(kind), ANYWHERE)
    refusal = _misnamed(plan, kind, named)
    return (None, refusal) if refusal else first_of(plan, kind, _meant(plan, kind, named), f"at {named}")


def first_of(
    plan: Plan, kind: str, places: Iterable[Building], where: str, most_unserved: int | None = None
) -> tuple[Building | None, Refusal | None]:
    """The first legal place of these, or the refusal of the place that came nearest to being legal."""
    nearest, other = "", ""
    for place in places:
        code, neighbour = _refusal(plan, place, most_unserved)
        if not code:
            return place, None
        if not nearest or _NEARNESS.index(code) > _NEARNESS.index(nearest):
            nearest, other = code, neighbour
    return None, Refusal(nearest or "lot_taken", {**_facts(plan, kind), "where": where, "other": other})


def not_in_settlement(plan: Plan, kind: str) -> Refusal | None:
    """Why that kind may not be built anywhere in this settlement, None if it may."""
    table, record = plan.rules.buildings, plan.rules.buildings[kind]
    if record.per_settlement and sum(each.id == kind for each in plan.buildings) >= record.per_settlement:
        return Refusal("settlement_full_of_kind", {"what": record.name, "most": record.per_settlement})
    if record.needs is None:
        return None
    wanted = _wanted(kind, plan.rules)
    if any(building.id in wanted for building in plan.buildings):
        return None
    needed = ", ".join(table[name].name for name in wanted)
    return Refusal("settlement_lacks", {"what": record.name, "needed": needed})


@remember(lambda kind, rules: ((rules,), kind))
def _wanted(kind: str, rules: Rules) -> list[str]:
    """The kinds of building of which a settlement needs one before it builds that kind."""
    needs = rules.buildings[kind].needs or Needs()
    able = [name for name, each in rules.buildings.items() if needs.magic_items and _reaches(each, needs.magic_items)]
    return [*needs.any_of, *able]


def refusal_of(plan: Plan, place: Building) -> str:
    """The code of the refusal of a building at that place, "" if it may stand. It ignores what else the settlement lacks."""
    return _refusal(plan, place)[0]


def _refusal(plan: Plan, place: Building, most_unserved: int | None = None) -> tuple[str, str]:
    """(code, the neighbour in question) of the refusal of a building there; ("", "") if it may stand.

    most_unserved: for an upgrade, how many needs for a neighbour may stay open afterwards; else None.
    """
    kind, other = plan.rules.buildings[place.id], ""
    if kind.per_district and plan.in_district(place) >= kind.per_district:
        code = "district_full_of_kind"
    elif kind.place in ("border", "wall"):
        code = _not_on_border(plan, place, kind)
    elif kind.place == "district":
        code = ""
    else:
        code, other = _not_on_lots(plan, place, kind)
    if not code and most_unserved is not None:
        after = Plan(plan.districts, [*plan.buildings, place], plan.rules)
        code = "upgrade_leaves_unserved" if after.unserved() > most_unserved else ""
    return code, other


def _not_on_border(plan: Plan, place: Building, kind: BuildingKind) -> str:
    if not plan.fits(place):
        return "border_taken"
    if kind.place == "wall":
        return "" if plan.has_wall(place) else "border_no_wall"
    district, border = border_at(place.lot) or (0, "")
    return "border_water" if border in plan.districts[district].water else ""


def _not_on_lots(plan: Plan, place: Building, kind: BuildingKind) -> tuple[str, str]:
    """(code, the neighbour in question) of the refusal of a place on lots; ("", "") if it is not refused."""
    covered = covered_by(place, plan.rules)
    if covered is None:
        return "lot_outside", ""
    if kind.place == "shared" and not plan.has_host(place):
        return "lot_no_host", ""
    if plan.blocked(covered):
        return "lot_blocked", ""
    if not plan.fits(place):
        return "lot_taken", ""
    near = plan.near(covered)
    if forbidden := plan.forbidden(place.id, near):
        return "lot_forbidden_neighbour", plan.rules.buildings[forbidden].name
    if kind.beside_water and not plan.at_water(covered, near):
        return "lot_no_water", ""
    if not kind.beside:  # it needs no neighbour
        return "", ""
    able = plan.able(place.id, near)
    if len(able) < plan.needs(place.id):
        return "lot_no_neighbour", ""
    return ("", "") if plan.would_serve(place.id, able) else ("lot_neighbour_serves_another", "")


def _meant(plan: Plan, kind: str, named: str) -> list[Building]:
    """The places that an order may mean with this name of a lot, border or district."""
    record, border = plan.rules.buildings[kind], border_at(named)
    if record.place == "district":
        return [Building(kind, str((district_at(named, plan.grid) or 0) + 1))]
    if border:
        return [Building(kind, border_name(*border))]
    lot = lot_name(lot_number(named, plan.grid) or 0, plan.grid)
    return [Building(kind, lot, tall) for tall in ways(record)]


def _misnamed(plan: Plan, kind: str, named: str) -> Refusal | None:
    """Why the place that an order names can't hold a building of that kind, or is none of the settlement."""
    record, border, district = plan.rules.buildings[kind], border_at(named), district_at(named, plan.grid)
    on_border = record.place in ("border", "wall")
    if on_border and not border and district is not None:
        return Refusal("place_is_a_border", {"what": record.name})
    if border and record.place in ("lot", "shared"):
        return Refusal("place_is_a_lot", {"what": record.name})
    if district is not None and district < len(plan.districts):
        return None
    if on_border or border:
        names = [border_name(district, border) for district in range(len(plan.districts)) for border in BORDERS]
        return Refusal("border_unknown", {"border": named, "borders": ", ".join(names)})
    first, last = lot_name(0, plan.grid), lot_name(plan.lots() - 1, plan.grid)
    return Refusal("lot_unknown", {"lot": named, "first": first, "last": last})


def _facts(plan: Plan, kind: str) -> dict[str, object]:
    """The facts of a refusal for that kind, without the place."""
    record, table = plan.rules.buildings[kind], plan.rules.buildings
    others = record.beside.any_of if record.beside else record.shares_lot_with or tuple(plan.traits[kind].walls)
    return {
        "what": record.name,
        "lots": "one lot" if record.lots < 2 else f"{record.lots} lots together",
        "count": plan.needs(kind),
        "others": ", ".join("any building" if other == ANY_BUILDING else table[other].name for other in others),
        "most": record.per_district,
    }


def _reaches(kind: BuildingKind, grade: str) -> bool:
    """Whether a building's magic items reach that grade."""
    items = kind.not_played.get("magic_items", {})
    return any(name in GRADES[GRADES.index(grade) :] for name in items)


def lay_out(
    districts: Sequence[District], kinds: Iterable[str], rules: Rules
) -> tuple[tuple[Building, ...], list[str]]:
    """The buildings of a start, laid out in the order listed, and a sentence for each that can't stand legally.

    Such a building stands on the first free place all the same. Raises NoRoom if there is no free place. Ruling: lots.
    """
    plan, warnings = Plan(districts, (), rules), []
    for kind in kinds:
        place, refusal = find(plan, kind)
        if refusal:
            warnings.append(REFUSALS[refusal.code].format(**refusal.facts))
        plan.add(place or anywhere(plan, kind))
    return tuple(plan.buildings), warnings


def anywhere(plan: Plan, kind: str) -> Building:
    """The first free place for a building, legal or not. Raises NoRoom if there is no free place."""
    place = next((place for place in plan.places(kind) if plan.fits(place)), None)
    if place is None:
        record = plan.rules.buildings[kind]
        raise NoRoom(
            f"{record.name} finds no room: it takes {record.lots} of {plan.lots()} lots, "
            f"of which {plan.free_lots()} are free. Give the settlement another district."
        )
    return place
