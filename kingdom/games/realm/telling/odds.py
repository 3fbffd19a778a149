"""The odds: what a kingdom's checks may come to, exact over the faces of the dice."""

from __future__ import annotations

from typing import Callable, Mapping, NamedTuple

from kingdom.dice import NoDice
from kingdom.games.realm.checks import by_events, decide
from kingdom.games.realm.rules import ATTRIBUTES, Rules
from kingdom.games.realm.sheet import accounts, control_dc, tax_bp
from kingdom.games.realm.aid import aid_bonus, aid_by_size, aid_cost
from kingdom.games.realm.state import Hex, Kingdom, World, replace
from kingdom.turn import resolve


class Face(NamedTuple):
    """What a face of the die makes of a check. margin: total - DC, as the naturals leave it."""

    total: int
    success: bool
    margin: int


class Rolled(NamedTuple):
    """All that a check may show: face -> the chance of it. needs: as in Odds."""

    faces: dict[Face, float]
    needs: tuple[int, int]


class Outcome(NamedTuple):
    """What a check may lead to: from `low` to `high` of `what`, with a chance of 0 to 1."""

    what: str
    low: int
    high: int
    chance: float


class Odds(NamedTuple):
    """The odds of one check. needs: (lowest, highest) face that is needed, 0 where none will do; one, but where an
    earlier check of the turn moves it."""

    name: str
    needs: tuple[int, int]
    chance: float
    outcomes: tuple[Outcome, ...]


Effect = tuple[str, int, int]  # what one face leads to: (what, from, to)
NOTHING: Effect = ("nothing", 0, 0)


def odds(world: World, seat: str, rules: Rules) -> dict[str, float]:
    """Attribute -> the chance, 0 to 1, that its check in the turn after `world` succeeds, with what holds in `world`."""
    rolled = _rolled(world, seat, rules)
    return {name: _success(rolled[name]) if rolled else 0.0 for name in ATTRIBUTES}


def without_orders(seen: World, seat: str, rules: Rules) -> World:
    """The kingdom, alone, as its checks of the next turn find it where it orders nothing: the turn is run to the end
    of the Edict phase, without a die. seen: what the seat knows (known.py)."""
    from kingdom.games.realm.game import GAME

    alone = replace(seen, kingdoms={seat: seen.kingdoms[seat]})
    return replace(resolve(GAME, alone, {}, NoDice(), rules, until=GAME.foreseen_to).after, turn=seen.turn)


def before_orders(seen: World, seat: str, rules: Rules) -> World:
    """The kingdom, alone, as its orders of the next turn find it: as in without_orders, but that its plan, which is worked
    off after them, has used up nothing yet."""
    kingdom = seen.kingdoms[seat]
    return without_orders(replace(seen, kingdoms={seat: replace(kingdom, plan=())}), seat, rules)


def outlook(world: World, seat: str, rules: Rules, sizes: Mapping[str, int]) -> list[Odds]:
    """The odds of every check that the kingdom makes or may make in the turn after `world`, with what holds in `world`.

    sizes: names of the kingdoms that aid may be sent to -> their size. Where no check is made there are none.
    """
    kingdom, hexes = world.kingdoms[seat], world.hexes
    rolled = _rolled(world, seat, rules)
    if not rolled:
        return []
    extra = sum(bp for _, bp in tax_bp(kingdom, hexes, rules))
    unrest = kingdom.unrest + _unrest_of_negatives(kingdom, hexes, rules)
    rows = [
        _odds("Economy", rolled["economy"], lambda face: _taxes(face, extra, rules)),
        _odds("Stability", rolled["stability"], lambda face: _stability(face, unrest, rules)),
        _odds("Loyalty: rouse the people", rolled["loyalty"], lambda face: _rousing(face, rules)),
        _odds("Loyalty: break heads", rolled["loyalty"], lambda face: _breaking_heads(face, rules)),
    ]
    if len(kingdom.settlements) > 1:
        move = _check("stability", {kingdom.unrest: 1.0}, kingdom, hexes, rules)
        rows.append(_odds("Stability: move the capital", move, lambda face: _moving(face, rules)))
    aid = {size: _aid(size, kingdom, hexes, rules) for size in set(sizes.values())}
    cost = aid_cost(len(kingdom.hexes), rules)
    return rows + [aid[size]._replace(name=f"Aid to {name}, {cost} BP") for name, size in sizes.items()]


def _rolled(world: World, seat: str, rules: Rules) -> dict[str, Rolled]:
    """Attribute -> what its check may show. Nothing where no check is made. Rulings: anarchy, no_hexes.

    Stability is checked after Unrest for negative attributes, Loyalty with the Unrest that the Stability check left.
    """
    kingdom, hexes = world.kingdoms[seat], world.hexes
    if kingdom.destroyed or not kingdom.hexes or kingdom.anarchy == world.turn + 1:
        return {}
    unrest = kingdom.unrest + _unrest_of_negatives(kingdom, hexes, rules)
    stability = _check("stability", {unrest: 1.0}, kingdom, hexes, rules)
    return {
        "economy": _check("economy", {kingdom.unrest: 1.0}, kingdom, hexes, rules),
        "stability": stability,
        "loyalty": _check("loyalty", _unrest_left(stability, unrest, rules), kingdom, hexes, rules),
    }


def _check(
    attribute: str, unrests: Mapping[int, float], kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules
) -> Rolled:
    """What a check may show. unrests: the Unrest that there may be -> the chance of it. Ruling: check."""
    dc, sides = control_dc(kingdom, rules), rules.check.die
    value = accounts(kingdom, hexes, rules)[attribute] + sum(by_events(kingdom, attribute).values())
    faces: dict[Face, float] = {}
    needs: list[int] = []
    for unrest, chance in unrests.items():
        run = [Face(die + value - unrest, *decide(die, die + value - unrest, dc, rules)) for die in range(1, sides + 1)]
        needs += [die for die, face in enumerate(run, 1) if face.success][:1]
        for face in run:
            faces[face] = faces.get(face, 0) + chance / sides
    return Rolled(faces, (min(needs, default=0), max(needs, default=0)))


def _success(rolled: Rolled) -> float:
    return sum(chance for face, chance in rolled.faces.items() if face.success)


def _unrest_of_negatives(kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> int:
    """What Upkeep step 1 adds to Unrest. Ruling: negative_attribute."""
    numbers = accounts(kingdom, hexes, rules)
    return rules.negative_attribute.unrest * sum(numbers[name] < 0 for name in ATTRIBUTES)


def _unrest_left(rolled: Rolled, unrest: int, rules: Rules) -> dict[int, float]:
    """Unrest after the Stability check -> the chance of it. Rulings: stability, unrest_floor."""
    left: dict[int, float] = {}
    for face, chance in rolled.faces.items():
        what, low, high = _stability(face, unrest, rules)
        changes = range(low, high + 1) if what != "BP" else (0,)
        for by in changes:
            after = max(0, unrest + by)
            left[after] = left.get(after, 0) + chance / len(changes)
    return left


def _odds(name: str, rolled: Rolled, effect: Callable[[Face], Effect]) -> Odds:
    """The odds of a check, its outcomes from the best face down."""
    found: dict[str, tuple[int, int, float]] = {}
    for face, chance in sorted(rolled.faces.items(), reverse=True):
        what, low, high = effect(face)
        least, most, whole = found.get(what, (low, high, 0))
        found[what] = min(least, low), max(most, high), whole + chance
    return Odds(name, rolled.needs, _success(rolled), tuple(Outcome(what, *outcome) for what, outcome in found.items()))


def _taxes(face: Face, extra: int, rules: Rules) -> Effect:
    bp = max(0, face.total // rules.income.divisor) + extra
    return ("BP", bp, bp) if face.success else NOTHING


def _stability(face: Face, unrest: int, rules: Rules) -> Effect:
    ruling = rules.stability
    if not face.success:
        near = -face.margin <= ruling.near
        return ("Unrest, failed", ruling.near_unrest, ruling.near_unrest) if near else ("Unrest, badly failed", 1, ruling.far_die)
    return ("Unrest", ruling.success_unrest, ruling.success_unrest) if unrest else ("BP", ruling.success_bp, ruling.success_bp)


def _rousing(face: Face, rules: Rules) -> Effect:
    ruling = rules.rouse_the_people
    bonus = max(ruling.least, face.margin // ruling.per_margin)
    return ("to an attribute", bonus, bonus) if face.success else ("Unrest", ruling.failure_unrest, ruling.failure_unrest)


def _breaking_heads(face: Face, rules: Rules) -> Effect:
    ruling = rules.change_minds_by_breaking_heads
    if not face.success:
        return "Loyalty next turn", ruling.failure_loyalty, ruling.failure_loyalty
    unrest = ruling.clear_unrest if face.margin >= ruling.clear_margin else ruling.success_unrest
    return "Unrest", unrest, unrest


def _moving(face: Face, rules: Rules) -> Effect:
    ruling = rules.capital_move
    return ("Unrest", ruling.success_unrest, ruling.success_unrest) if face.success else ("Unrest, failed", 1, ruling.failure_die)


def _aid(size: int, kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> Odds:
    """Aid to a kingdom of that size is a roll against it, without naturals. Ruling: send_aid."""
    own, sides = len(kingdom.hexes), rules.send_aid.die
    value = accounts(kingdom, hexes, rules)["opulence"] + aid_by_size(own, size, rules)
    faces = {Face(die + value, die + value >= size, die + value - size): 1 / sides for die in range(1, sides + 1)}
    needs = max(1, size - value) if size - value <= sides else 0

    def bonus(face: Face) -> Effect:
        points = aid_bonus(face.margin, rules)
        return ("to an attribute there", points, points) if points else NOTHING

    return _odds("Aid", Rolled(faces, (needs, needs)), bonus)
