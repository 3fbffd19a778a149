"""The odds: what a kingdom's checks may come to, exact over the faces of the die."""

from __future__ import annotations

from typing import Callable, Iterable, Mapping, NamedTuple

from kingdom.games.realm.checks import decide
from kingdom.games.realm.losing import hexes_to_lose, let_go
from kingdom.games.realm.rules import ATTRIBUTES, Rules
from kingdom.games.realm.sheet import accounts, control_dc, tax_bp
from kingdom.games.realm.special import aid_bonus, aid_by_size, aid_cost
from kingdom.games.realm.state import Hex, Kingdom, World, replace


class Face(NamedTuple):
    """What one face of the die makes of a check. margin: total - DC, as the naturals leave it."""

    die: int
    total: int
    success: bool
    margin: int


class Outcome(NamedTuple):
    """What a check may lead to: from `low` to `high` of `what`, with a chance of 0 to 1."""

    what: str
    low: int
    high: int
    chance: float


class Odds(NamedTuple):
    """The odds of one check. needs: the least face that succeeds, None where none does."""

    name: str
    needs: int | None
    chance: float
    outcomes: tuple[Outcome, ...]


Effect = tuple[str, int, int]  # what one face leads to: (what, from, to)
NOTHING: Effect = ("nothing", 0, 0)


def odds(world: World, seat: str, rules: Rules) -> dict[str, float]:
    """Attribute -> the chance, 0 to 1, that its check in the turn after `world` succeeds, with what holds there.

    Economy is checked before Upkeep; the others with the Unrest that negative attributes add first.
    """
    kingdom = world.kingdoms[seat]
    if kingdom.anarchy == world.turn + 1:
        return dict.fromkeys(ATTRIBUTES, 0.0)
    more = {"economy": 0}
    upkeep = unrest_of_negatives(kingdom, world.hexes, rules)
    return {name: chance(faces_of(name, kingdom, world.hexes, rules, more.get(name, upkeep))) for name in ATTRIBUTES}


def as_checked(world: World, seat: str, rules: Rules) -> tuple[Kingdom, dict[str, Hex]]:
    """(kingdom, hexes) as the checks of the next turn find them where nothing is ordered.

    Passing modifiers are gone and the coming ones hold; a hex that is due is lost; the leadership bonus goes by the
    size that is left. Rulings: attribute, hex_loss, caps_at_start.
    """
    kingdom, hexes = world.kingdoms[seat], world.hexes
    if kingdom.modifiers or kingdom.coming:
        lasting = tuple(modifier for modifier in kingdom.modifiers if modifier.lasting)
        kingdom = replace(kingdom, modifiers=lasting + kingdom.coming, coming=())
    if kingdom.loses_hex:
        hexes = dict(hexes)
        for label in hexes_to_lose(kingdom, rules.hex_loss.hexes):
            kingdom, hexes[label] = let_go(kingdom, hexes[label], label)
    if kingdom.edict_size != len(kingdom.hexes):
        kingdom = replace(kingdom, edict_size=len(kingdom.hexes))
    return kingdom, hexes


def unrest_of_negatives(kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> int:
    """What Upkeep step 1 adds to Unrest. Ruling: negative_attribute."""
    numbers = accounts(kingdom, hexes, rules)
    return rules.negative_attribute.unrest * sum(numbers[name] < 0 for name in ATTRIBUTES)


def faces_of(attribute: str, kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules, more_unrest: int = 0) -> list[Face]:
    """What each face of the die makes of a check; none where none is made. Rulings: check, no_hexes."""
    if kingdom.destroyed or not kingdom.hexes:
        return []
    value = accounts(kingdom, hexes, rules)[attribute] - kingdom.unrest - more_unrest
    dc = control_dc(kingdom, rules)
    return [Face(die, die + value, *decide(die, die + value, dc, rules)) for die in range(1, rules.check.die + 1)]


def chance(faces: Iterable[Face]) -> float:
    """The share of the faces that succeed."""
    results = [face.success for face in faces]
    return sum(results) / len(results) if results else 0.0


def outlook(world: World, seat: str, rules: Rules, sizes: Mapping[str, int]) -> list[Odds]:
    """The odds of every check that the kingdom makes or may make in the next turn, as things stand now.

    sizes: names of the kingdoms that aid may be sent to -> their size. In an anarchy turn there is no check.
    """
    kingdom, hexes = as_checked(world, seat, rules)
    if kingdom.destroyed or not kingdom.hexes or kingdom.anarchy == world.turn + 1:
        return []
    more = unrest_of_negatives(kingdom, hexes, rules)
    economy, before = (faces_of(name, kingdom, hexes, rules) for name in ("economy", "stability"))
    stability, loyalty = (faces_of(name, kingdom, hexes, rules, more) for name in ("stability", "loyalty"))
    extra = sum(bp for _, bp in tax_bp(kingdom, hexes, rules))
    rows = [
        _odds("Economy", economy, lambda face: _taxes(face, extra, rules)),
        _odds("Stability", stability, lambda face: _stability(face, kingdom.unrest + more, rules)),
        _odds("Loyalty: rouse the people", loyalty, lambda face: _rousing(face, rules)),
        _odds("Loyalty: break heads", loyalty, lambda face: _breaking_heads(face, rules)),
    ]
    if len(kingdom.settlements) > 1:
        rows.append(_odds("Stability: move the capital", before, lambda face: _moving(face, rules)))
    return rows + [_aid(name, size, kingdom, hexes, rules) for name, size in sizes.items()]


def _odds(name: str, faces: list[Face], effect: Callable[[Face], Effect]) -> Odds:
    """The odds of a check, its outcomes from the best face down."""
    spans: dict[str, list[int]] = {}
    for face in reversed(faces):
        what, low, high = effect(face)
        span = spans.setdefault(what, [low, high, 0])
        span[:] = min(span[0], low), max(span[1], high), span[2] + 1
    outcomes = tuple(Outcome(what, low, high, count / len(faces)) for what, (low, high, count) in spans.items())
    return Odds(name, next((face.die for face in faces if face.success), None), chance(faces), outcomes)


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


def _aid(name: str, size: int, kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> Odds:
    """Aid is a roll against the recipient's size, without naturals. Ruling: send_aid."""
    own = len(kingdom.hexes)
    value = accounts(kingdom, hexes, rules)["opulence"] + aid_by_size(own, size, rules)
    dice = range(1, rules.send_aid.die + 1)
    faces = [Face(die, die + value, die + value >= size, die + value - size) for die in dice]

    def bonus(face: Face) -> Effect:
        points = aid_bonus(face.margin, rules)
        return ("to an attribute there", points, points) if points else NOTHING

    return _odds(f"Aid to {name}, {aid_cost(own, rules)} BP", faces, bonus)
