"""The next turn over every face of its Economy, Stability and Loyalty rolls and of the die of a bad failure: exact."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple, TypeAlias, TypeVar

from kingdom.engine.dice import NoDice
from kingdom.engine.step import Phase, Play
from kingdom.engine.turn import resolve
from kingdom.games.realm.forecast.terms import (
    Face,
    Terms,
    faces_of,
    failed_badly,
    loyalty_unrest,
    stability_unrest,
    taxes,
    terms_of,
)
from kingdom.games.realm.rules.event_tables import PlacesMonster
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.state import Hex, Kingdom, World, replace

LAST_PAID = "pay_consumption"  # the step after which nothing that the forecast reckons is left to do
CLOSING = "upkeep"
LEFT_TO_THE_REPORT = ("remember",)  # what a kingdom has seen moves no number


Realm: TypeAlias = Play[World, Rules]


@cache
def _parts() -> tuple[Realm, Realm]:
    """(the game up to the end of the Edict phase, what is left of the Upkeep when Consumption is paid)."""
    from kingdom.games.realm.turn import FORESEEN_TO, PLAY

    names = [phase.name for phase in PLAY.phases]
    opening = PLAY.phases[: names.index(FORESEEN_TO) + 1]
    steps = next(phase for phase in PLAY.phases if phase.name == CLOSING).steps
    rest = [step.__name__ for step in steps].index(LAST_PAID) + 1
    closing = tuple(step for step in steps[rest:] if step.__name__ not in LEFT_TO_THE_REPORT)
    return PLAY._replace(phases=opening), PLAY._replace(phases=(Phase(CLOSING, closing),))


def opened(seat: str, kingdom: Kingdom, hexes: dict[str, Hex], turn: int, rules: Rules) -> Kingdom:
    """The kingdom at the end of the Edict phase of that turn, where it orders nothing and is alone."""
    return _run(_parts()[0], seat, kingdom, hexes, turn, rules)


def closed(seat: str, kingdom: Kingdom, hexes: dict[str, Hex], turn: int, rules: Rules) -> Kingdom:
    """The kingdom at the end of that turn, from what it is when its Consumption is paid."""
    return _run(_parts()[1], seat, kingdom, hexes, turn, rules)


def _run(game: Realm, seat: str, kingdom: Kingdom, hexes: dict[str, Hex], turn: int, rules: Rules) -> Kingdom:
    world = World(turn - 1, hexes, {seat: kingdom})
    return resolve(game, world, {}, NoDice(), rules).after.kingdoms[seat]


def closes_quietly(kingdom: Kingdom, turn: int, rules: Rules) -> bool:
    """Whether nothing moves Unrest or land when the turn closes: no anarchy, no monsters at large, nothing waited for."""
    if kingdom.anarchy == turn or not kingdom.hexes:
        return False
    return not any(
        "wanted_by" in event.facts or _places_monster(event.kind, rules) for event in kingdom.events.values()
    )


def _places_monster(kind: str, rules: Rules) -> bool:
    known = rules.event_kinds.get(kind)
    return known is not None and any(isinstance(each, PlacesMonster) for each in known.set_up)


def at_rest(kingdom: Kingdom) -> Kingdom:
    """The kingdom without what dice or others decide (events that stand, what is under way, a plan, caravans on the road), and
    without what moves no number."""
    routes = {key: route for key, route in kingdom.routes.items() if route.open}
    kingdom = replace(kingdom, events={}, expeditions={}, parties={}, captives={}, plan=(), routes=routes)
    return replace(kingdom, pending=(), requests=(), memory={}, counted={}, quiet=False)


class Standing(NamedTuple):
    """A kingdom at the end of the Edict phase of that turn, and the map."""

    seat: str
    kingdom: Kingdom
    hexes: dict[str, Hex]
    turn: int


class Trouble(NamedTuple):
    """Unrest in the course of the Upkeep. anarchy: the next turn will be one of it; bp: what the Stability check paid."""

    unrest: int
    anarchy: bool
    bp: int = 0


class End(NamedTuple):
    """How the turn ends. due: Unrest costs hexes at the start of the next turn; anarchy: that turn is one of it."""

    treasury: int
    unrest: int
    stores: int
    size: int
    due: bool
    anarchy: bool


def ends_of(standing: Standing, rules: Rules, loyalty: str = "") -> dict[End, int]:
    """Every end that the turn may have -> in how many ways the dice may fall for it. loyalty: the check that is ordered."""
    kingdom = standing.kingdom
    terms = terms_of(kingdom, standing.hexes, standing.turn, rules)
    if not terms.in_play:
        return {End(kingdom.treasury, kingdom.unrest, kingdom.stores, terms.size, False, False): 1}
    start = unrest_of_negatives(Trouble(kingdom.unrest, kingdom.anarchy == standing.turn + 1), terms, rules)
    due = kingdom.loses_hex or (not terms.anarchy and terms.size > 0 and start.unrest >= rules.hex_loss.unrest)
    troubles = after_loyalty(after_stability(start, terms, rules), terms, rules, loyalty)
    left: dict[tuple[int, Trouble], int] = {}  # before Consumption is paid
    for bp, ways in _taxed(kingdom.unrest, terms, rules).items():
        for trouble, others in troubles.items():
            before = kingdom.treasury + bp + trouble.bp, trouble._replace(bp=0)
            left[before] = left.get(before, 0) + ways * others
    return _closed(left, standing, due, terms, rules)


def _taxed(unrest: int, terms: Terms, rules: Rules) -> dict[int, int]:
    """What the Economy check pays -> ways."""
    if not terms.checked:
        return {0: 1}
    return _counted((taxes(face, terms, rules), 1) for face in faces_of("economy", unrest, terms, rules))


def with_unrest(trouble: Trouble, by: int | None, terms: Terms, rules: Rules) -> Trouble:
    """Unrest moved, None for not at all, as the game moves it (with_unrest of steps/shared.py). Rulings: unrest_floor, anarchy."""
    if terms.anarchy or by is None:
        return trouble
    unrest = max(0, trouble.unrest + by)
    return Trouble(unrest, trouble.anarchy or unrest >= rules.anarchy.unrest, trouble.bp)


def unrest_of_negatives(trouble: Trouble, terms: Terms, rules: Rules) -> Trouble:
    """After Upkeep step 1. Ruling: negative_attribute."""
    for name in ATTRIBUTES:
        if terms.values[name] < 0:
            trouble = with_unrest(trouble, rules.negative_attribute.unrest, terms, rules)
    return trouble


def after_stability(start: Trouble, terms: Terms, rules: Rules) -> dict[Trouble, int]:
    """Trouble after the Stability check -> ways, by each face and each face of the die of a bad failure. Ruling: stability."""
    if not terms.checked:
        return {start: 1}
    ruling, found = rules.stability, []
    for face in faces_of("stability", start.unrest, terms, rules):
        if face.success and not start.unrest:
            found.append((start._replace(bp=ruling.success_bp), ruling.far_die))
            continue
        ways = 1 if failed_badly(face, rules) else ruling.far_die
        found += [(with_unrest(start, by, terms, rules), ways) for by in stability_unrest(face, rules)]
    return _counted(found)


def after_loyalty(troubles: dict[Trouble, int], terms: Terms, rules: Rules, what: str) -> dict[Trouble, int]:
    """Trouble after the Loyalty check -> ways, where one is ordered. In anarchy orders are void."""
    if not what or terms.anarchy:
        return troubles
    return _counted(
        (with_unrest(trouble, loyalty_unrest(face, what, rules), terms, rules), ways)
        for trouble, ways in troubles.items()
        for face in faces_of("loyalty", trouble.unrest, terms, rules)
    )


def paid(treasury: int, stores: int, terms: Terms) -> tuple[int, int]:
    """(treasury, stores) when Consumption is paid: granaries keep a surplus, and give what the treasury can't."""
    given = min(stores, max(0, terms.consumption - max(0, treasury)))
    stores = stores - given if given else min(terms.room, stores + terms.surplus)
    return treasury - terms.consumption + given, stores


def _closed(
    left: dict[tuple[int, Trouble], int], standing: Standing, due: bool, terms: Terms, rules: Rules
) -> dict[End, int]:
    """Consumption paid and the turn closed. left: (treasury, Trouble) before it is paid -> ways. Ruling: consumption."""
    kingdom = standing.kingdom
    quiet = closes_quietly(kingdom, standing.turn, rules)
    after: dict[tuple[Trouble, bool], tuple[int, int, bool, bool]] = {}
    ends: dict[End, int] = {}
    for (treasury, trouble), ways in left.items():
        treasury, stores = paid(treasury, kingdom.stores, terms)
        if treasury < 0:
            trouble = with_unrest(trouble, rules.consumption.unpaid_unrest, terms, rules)
        if quiet:
            end = End(treasury, trouble.unrest, stores, terms.size, due, trouble.anarchy)
        else:
            key = trouble, treasury < 0
            after[key] = after.get(key) or _close(standing, *key, due, rules)
            unrest, size, hex_due, anarchy = after[key]
            end = End(treasury, unrest, stores, size, hex_due, anarchy)
        ends[end] = ends.get(end, 0) + ways
    return ends


def _close(standing: Standing, trouble: Trouble, short: bool, due: bool, rules: Rules) -> tuple[int, int, bool, bool]:
    """(Unrest, size, due, anarchy) when the turn has closed. short: the treasury is below 0."""
    seat, kingdom, hexes, turn = standing
    anarchy = turn + 1 if trouble.anarchy else kingdom.anarchy
    kingdom = replace(kingdom, treasury=-short, unrest=trouble.unrest, anarchy=anarchy, loses_hex=due)
    end = closed(seat, kingdom, hexes, turn, rules)
    return end.unrest, len(end.hexes), end.loses_hex, end.anarchy == turn + 1


Outcome = TypeVar("Outcome")


def _counted(ways: Iterable[tuple[Outcome, int]]) -> dict[Outcome, int]:
    """What may be -> in how many ways, of pairs in which it may stand more than once."""
    counted: dict[Outcome, int] = {}
    for outcome, many in ways:
        counted[outcome] = counted.get(outcome, 0) + many
    return counted


# --- odds of each check -----------------------------------------------------------------------------------------------


class Rolled(NamedTuple):
    """All that a check may show: face -> in how many ways of all. needs: (lowest, highest) face of the die that succeeds, 0
    where none does; one, but where an earlier check moves it. calm: it is made without Unrest."""

    faces: dict[Face, int]
    needs: tuple[int, int]
    calm: bool = False


def odds(world: World, seat: str, rules: Rules) -> dict[str, float]:
    """Attribute -> the chance, 0 to 1, that its check in the turn after `world` succeeds, with what holds in `world`."""
    rolled = rolled_of(standing_in(world, seat), rules)
    return {name: success(rolled[name]) if rolled else 0.0 for name in ATTRIBUTES}


def standing_in(world: World, seat: str) -> Standing:
    """The kingdom as its checks find it. world: as the Edict phase leaves it, its turn the one before."""
    return Standing(seat, world.kingdoms[seat], world.hexes, world.turn + 1)


def rolled_of(standing: Standing, rules: Rules) -> dict[str, Rolled]:
    """Attribute -> what its check of Income or Upkeep may show. Nothing where no check is made. Rulings: anarchy, no_hexes.

    Stability is checked after Unrest for negative attributes, Loyalty with the Unrest that the Stability check left.
    """
    kingdom = standing.kingdom
    terms = terms_of(kingdom, standing.hexes, standing.turn, rules)
    if not terms.checked:
        return {}
    start = unrest_of_negatives(Trouble(kingdom.unrest, kingdom.anarchy == standing.turn + 1), terms, rules)
    left: dict[int, int] = {}
    for trouble, ways in after_stability(start, terms, rules).items():
        left[trouble.unrest] = left.get(trouble.unrest, 0) + ways
    return {
        "economy": rolled_with("economy", {kingdom.unrest: 1}, terms, rules),
        "stability": rolled_with("stability", {start.unrest: 1}, terms, rules),
        "loyalty": rolled_with("loyalty", left, terms, rules),
    }


def rolled_with(attribute: str, unrests: Mapping[int, int], terms: Terms, rules: Rules) -> Rolled:
    """What a check may show. unrests: the Unrest that there may be -> in how many ways."""
    faces: dict[Face, int] = {}
    needs: list[int] = []
    for unrest, ways in unrests.items():
        run = faces_of(attribute, unrest, terms, rules)
        needs += [die for die, face in enumerate(run, 1) if face.success][:1]
        for face in run:
            faces[face] = faces.get(face, 0) + ways
    return Rolled(faces, (min(needs, default=0), max(needs, default=0)), calm=not any(unrests))


def success(rolled: Rolled) -> float:
    """The chance that the check succeeds, 0 to 1."""
    return sum(ways for face, ways in rolled.faces.items() if face.success) / sum(rolled.faces.values())
