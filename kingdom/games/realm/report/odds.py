"""The odds and the forecast of the next turn, exact over the faces of the dice, as rows for reports: what each check may come to, and
what the dice make of a kingdom that orders nothing.

What a face makes of a check, and how likely it is, the forecast says (realm/forecast/); here it is put into words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from kingdom.engine.step import Facts
from kingdom.games.realm.forecast.courses import Standing
from kingdom.games.realm.forecast.exact import End, Rolled, ends_of, rolled_of, rolled_with, standing_in, success
from kingdom.games.realm.forecast.forecast import CHANCES, left_out, next_turn, quantile
from kingdom.games.realm.forecast.terms import (
    HEADS,
    ROUSE,
    Face,
    Terms,
    failed_badly,
    loyalty_points,
    loyalty_unrest,
    stability_unrest,
    taxes,
    terms_of,
)  # fmt: skip
from kingdom.games.realm.forecast.threats import calmed
from kingdom.games.realm.forecast.words import percent
from kingdom.games.realm.orders.aid import aid_cost
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import accounts
from kingdom.games.realm.state import Hex, Kingdom, World
from kingdom.games.realm.steps.shared import by_margin, by_sizes


class Outcome(Struct, frozen=True):
    """What a check may lead to: from `low` to `high` of `what`, with a chance of 0 to 1."""

    what: str
    low: int
    high: int
    chance: float


class Odds(Struct, frozen=True):
    """The odds of one check. needs: (lowest, highest) face that is needed, 0 where none will do; one, but where an
    earlier check of the turn moves it."""

    name: str
    needs: tuple[int, int]
    chance: float
    outcomes: tuple[Outcome, ...]


PARTS = 10_000  # that a chance is counted in, where what may be is counted in ways
Effect = tuple[str, int, int]  # what one face leads to: (what, from, to)
NOTHING: Effect = ("nothing", 0, 0)


def outlook(world: World, seat: str, rules: Rules, sizes: Mapping[str, int]) -> list[Odds]:
    """The odds of every check that the kingdom makes or may make in the turn after `world`, with what holds in `world`.

    sizes: names of the kingdoms that aid may be sent to -> their size. Where no check is made there are none.
    """
    kingdom, hexes = world.kingdoms[seat], world.hexes
    rolled = rolled_of(standing_in(world, seat), rules)
    if not rolled:
        return []
    terms = terms_of(kingdom, hexes, world.turn + 1, rules)
    rows = [
        _odds("Economy", rolled["economy"], lambda face: _taxes(face, terms, rules)),
        _odds("Stability", rolled["stability"], lambda face: _stability(face, rolled["stability"].calm, rules)),
        _odds("Loyalty: rouse the people", rolled["loyalty"], lambda face: _loyalty(face, ROUSE, rules)),
        _odds("Loyalty: break heads", rolled["loyalty"], lambda face: _loyalty(face, HEADS, rules)),
    ]
    if len(kingdom.settlements) > 1:
        move = rolled_with("stability", {kingdom.unrest: 1}, terms, rules)
        rows.append(_odds("Stability: move the capital", move, lambda face: _moving(face, rules)))
    aid = {size: _aid(size, kingdom, hexes, rules) for size in set(sizes.values())}
    cost = aid_cost(len(kingdom.hexes), rules)
    return rows + [replace(aid[size], name=f"Aid to {name}, {cost} BP") for name, size in sizes.items()]


def _odds(name: str, rolled: Rolled, effect: Callable[[Face], Effect]) -> Odds:
    """The odds of a check, its outcomes from the best face down."""
    found: dict[str, tuple[int, int, int]] = {}
    for face, ways in sorted(rolled.faces.items(), reverse=True):
        what, low, high = effect(face)
        least, most, whole = found.get(what, (low, high, 0))
        found[what] = min(least, low), max(most, high), whole + ways
    total = sum(rolled.faces.values())
    outcomes = (Outcome(what, low, high, ways / total) for what, (low, high, ways) in found.items())
    return Odds(name, rolled.needs, success(rolled), tuple(outcomes))


def _taxes(face: Face, terms: Terms, rules: Rules) -> Effect:
    bp = taxes(face, terms, rules)
    return ("BP", bp, bp) if face.success else NOTHING


def _stability(face: Face, calm: bool, rules: Rules) -> Effect:
    if face.success and calm:
        return "BP", rules.stability.success_bp, rules.stability.success_bp
    by = stability_unrest(face, rules)
    failed = "" if face.success else ", badly failed" if failed_badly(face, rules) else ", failed"
    return f"Unrest{failed}", by[0], by[-1]


def _loyalty(face: Face, way: str, rules: Rules) -> Effect:
    if face.success == (way == ROUSE):
        points = loyalty_points(face, way, rules)
        return "to an attribute" if way == ROUSE else "Loyalty next turn", points, points
    by = loyalty_unrest(face, way, rules) or 0
    return "Unrest", by, by


def _moving(face: Face, rules: Rules) -> Effect:
    ruling = rules.capital_move
    by = ruling.success_unrest
    return ("Unrest", by, by) if face.success else ("Unrest, failed", 1, ruling.failure_die)


def _aid(size: int, kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> Odds:
    """Aid to a kingdom of that size is a roll against it, without naturals. Ruling: send_aid."""
    own, sides = len(kingdom.hexes), rules.send_aid.die
    value = accounts(kingdom, hexes, rules)["opulence"] + by_sizes(own, size, rules.send_aid.size_per_point)
    faces = {Face(die + value, die + value >= size, die + value - size): 1 for die in range(1, sides + 1)}
    needs = max(1, size - value) if size - value <= sides else 0

    def bonus(face: Face) -> Effect:
        points = by_margin(face.margin, rules.send_aid.margin_per_point, rules.send_aid.least)
        return ("to an attribute there", points, points) if points else NOTHING

    return _odds("Aid", Rolled(faces, (needs, needs)), bonus)


# --- the forecast


LOW, MIDDLE, HIGH = 5, 50, 95  # percent: the bands that are named


def forecast_view(seen: World, next_turn_of: World, seat: str, rules: Rules) -> Facts | None:
    """The forecast of the next turn; None of a kingdom that is out of play.

    seen: what the seat knows; next_turn_of: the kingdom as the next turn's checks find it (course.without_orders). Monsters at
    large count as likely as they stay, as in the report's dangers; by edition 1 of the rules they stay for sure.
    anarchy: it is a turn of it, so that nothing hangs on dice. first_to_go: the hexes that go first, as many as the dice may cost, where
    none is named. left_out: what is left out of account and applies here, a sentence each.
    """
    kingdom = next_turn_of.kingdoms[seat]
    if kingdom.destroyed:
        return None
    standing = Standing(seat, kingdom, next_turn_of.hexes, next_turn_of.turn + 1)
    ends, calm = ends_of(standing, rules), calmed(seen, seat, rules, {}) if rules.event_going_on else None
    if calm is not None:
        ends = _either(ends, ends_of(calm.standing, rules), calm.stay)
    end = next_turn(ends, standing, rules)
    return {
        "turn": standing.turn,
        "anarchy": kingdom.anarchy == standing.turn,
        "accounts": [_account(name, end["start"][name], end["accounts"][name]) for name in end["start"]],
        "chances": [
            {"name": name, "means": CHANCES[name], "chance": chance, "percent": percent(chance)}
            for name, chance in end["chances"].items()
        ],
        "first_to_go": end["first_to_go"],
        "left_out": left_out(calm.seen if calm else seen, seat, rules, {}, turns=1),
    }


def chances_of(forecast: Facts | None) -> dict[str, float]:
    """Danger -> its chance in the next turn, by its forecast."""
    return {row["name"]: row["chance"] for row in forecast["chances"]} if forecast else {}


def _either(ends: Mapping[End, int], others: Mapping[End, int], chance: float) -> dict[End, int]:
    """The ends of a turn that goes the first way with that chance, else the other; each in how many ways of all."""
    first = round(PARTS * chance)
    weights = ((ends, first * sum(others.values())), (others, (PARTS - first) * sum(ends.values())))
    found: dict[End, int] = {}
    for of, weight in weights:
        for end, ways in of.items():
            found[end] = found.get(end, 0) + ways * weight
    return {end: ways for end, ways in found.items() if ways}


def _account(name: str, start: int, rows: list[tuple[int, float]]) -> Facts:
    """An account at the turn's end. start: before the dice; low, middle, high: it is at most so much with a chance of 5, 50, 95 percent;
    rows: the whole table, the lowest value first; said: the same in a line."""
    low, middle, high = (quantile(rows, at) for at in (LOW, MIDDLE, HIGH))
    table: list[Facts] = [{"value": value, "chance": chance, "percent": percent(chance)} for value, chance in rows]
    said = ", ".join(f"{row['value']} {row['percent']}" for row in table)
    return {"name": name, "start": start, "low": low, "middle": middle, "high": high, "rows": table, "said": f"{said}."}
