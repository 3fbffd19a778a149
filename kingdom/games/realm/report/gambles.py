"""What of a seat's orders hangs on a die of the Edict phase: whether a free city joins, whether adventurers beat monsters, what a move of
the capital costs, whether aid arrives. In sentences, for who tries orders.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kingdom.engine.dice import throw
from kingdom.engine.step import Orders
from kingdom.games.realm.armies import party_acr
from kingdom.games.realm.forecast.exact import rolled_with, success
from kingdom.games.realm.forecast.terms import terms_of
from kingdom.games.realm.forecast.turn_preview import Course, preview
from kingdom.games.realm.forecast.words import percent
from kingdom.games.realm.orders.aid import aid_cost
from kingdom.games.realm.orders.declaration import CAPITAL, CLAIM
from kingdom.games.realm.orders.kind import in_points
from kingdom.games.realm.report.odds import outlook
from kingdom.games.realm.report.threatened import ends_safe_turns
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import accounts
from kingdom.games.realm.state import Hex, Kingdom, Party, World, replace
from kingdom.games.realm.steps.exploring.hazards import chance
from kingdom.games.realm.steps.land.free_cities import with_city
from kingdom.games.realm.steps.land.losing import extra_unrest
from kingdom.games.realm.steps.war.battle_attacks import Roll
from kingdom.games.realm.steps.war.battle_sides import random_specials, side_of_monsters, side_of_party

BATTLES = 300  # that are fought to say how adventurers fare
TURNS = 5  # of one fight; who is not beaten by then has not lost
STEP = 5  # percent that such a chance is rounded to
KEY = "how adventurers fare"  # of its dice: the same adventurers always fare the same, whatever the seed


def gambles(known: World, seat: str, rules: Rules, orders: Orders) -> list[str]:
    """What of these orders, in the long form, hangs on a die, a sentence each, and whether they end safe turns. known: what the seat knows."""
    now = preview(known, seat, rules).course(orders)
    if now.end.kingdoms[seat].anarchy == now.turn.number:
        return []
    return [*_cities(now), *_moves(now), *_aid(now), *_parties(now), *ends_safe_turns(known, seat, rules, orders)]


def _cities(now: Course) -> Iterator[str]:
    """The free cities in claimed hexes, each with what the claims before it have made of the kingdom."""
    claims = now.orders.get(CLAIM.key) or ()
    for place, label in enumerate(claims):
        end = (
            preview(now.seen, now.seat, now.rules)
            .course({**now.orders, CLAIM.key: claims[: place + 1]})
            .after["claim_hexes"]
        )
        kingdom, hex = end.kingdoms[now.seat], end.hexes.get(label)
        if hex is None or hex.free_city is None or label not in kingdom.hexes:
            continue
        joins = percent(_of_stability(kingdom, end, extra_unrest(kingdom, label), now))
        _, joined = with_city(kingdom, label, hex.free_city, now.rules)
        free = {**end.hexes, label: replace(hex, free_city=None)}
        before, after = accounts(kingdom, end.hexes, now.rules), accounts(joined, free, now.rules)
        moved = in_points({name: by - before[name] for name, by in after.items()})
        brings = f" ({moved} with it)" if moved else ""
        fails = f"if the check fails, Unrest rises by 1 to {now.rules.free_city.failure_die} and it stays free"
        yield f"By a Stability check {hex.free_city.name} in {label} joins at {joins}{brings}; {fails}."


def _moves(now: Course) -> Iterator[str]:
    """The move of the capital, which is made either way."""
    before, after = now.after["edict_levels"], now.after["capital_move"]
    kingdom, moved = before.kingdoms[now.seat], after.kingdoms[now.seat]
    if moved.capital == kingdom.capital or not CAPITAL.filed(now.orders):
        return
    town = CAPITAL.named(kingdom, now.orders) or moved.capital
    calm = percent(_of_stability(kingdom, before, extra_unrest(kingdom, kingdom.settlements[town].hex), now))
    by, most = now.rules.capital_move.success_unrest, now.rules.capital_move.failure_die
    yield f"The move of the capital to {town} costs Unrest {by:+d} at {calm}, else 1 to {most}."


def _of_stability(kingdom: Kingdom, world: World, extra: int, now: Course) -> float:
    """The chance of a Stability check of the kingdom as it is."""
    terms = terms_of(kingdom, world.hexes, now.turn.number, now.rules)
    return success(rolled_with("stability", {kingdom.unrest + extra: 1}, terms, now.rules))


def _aid(now: Course) -> Iterator[str]:
    """The aid that is sent, each rolled for by itself."""
    world = now.after["special_edicts"]
    to = [order["to"] for order in now.orders.get("special") or () if order["edict"] == "aid"]
    sizes = {now.name_of(other): len(now.seen.kingdoms[other].hexes) for other in to if other in now.seen.kingdoms}
    cost = aid_cost(len(world.kingdoms[now.seat].hexes), now.rules)
    rows = {row.name: row for row in outlook(world, now.seat, now.rules, sizes)} if sizes else {}
    for name in sizes:
        if row := rows.get(f"Aid to {name}, {cost} BP"):
            yield f"The aid to {name} arrives at {percent(row.chance)}."


def _parties(now: Course) -> Iterator[str]:
    """The adventurers that are hired, against the monsters or the hazard that is known of their task."""
    before, after = now.seen.kingdoms[now.seat].parties, now.after["special_edicts"].kingdoms[now.seat].parties
    for party in (party for key, party in after.items() if key not in before):
        hex, who = now.seen.hexes.get(party.task), f"Adventurers for {party.bp} BP"
        if hex and hex.monsters:
            beaten = _about(_beats(party, hex, now.rules))
            yield f"{who} beat the monsters of ACR {hex.monsters} in {party.task} at {beaten}; else they are beaten, without a penalty."
        elif hex and hex.hazard and party.hazard:
            yield f"{who} clear {party.task} ({hex.hazard}) at {chance(party_acr(party.bp, now.rules), hex, now.rules)} % in each turn there."


def _beats(party: Party, hex: Hex, rules: Rules) -> float:
    """How often such adventurers beat the monsters of that hex: counted, for nobody can say it exactly."""
    thrown: Counter[str] = Counter()

    def roll(_: str, name: str, sides: int) -> int:
        thrown[name] += 1
        return throw(KEY, name, thrown[name], sides)

    return sum(_won(party, hex, roll, rules) for _ in range(BATTLES)) / BATTLES


def _won(party: Party, hex: Hex, roll: Roll, rules: Rules) -> bool:
    """Whether the adventurers beat the monsters, in one turn or several."""
    from kingdom.games.realm.steps.war.battle import fight  # most orders hire nobody

    party = replace(party, specials=random_specials(lambda name, sides: roll("", name, sides), rules))
    wounds = hex.wounds
    for _ in range(TURNS):
        side = side_of_party("they", "they", party, rules)
        monsters = side_of_monsters(party.task, hex.monsters, wounds, rules)
        left = fight([side], [monsters], roll, rules, party.task, hex.terrain).left
        mine, theirs = left[side.key], left[monsters.key]
        if theirs.outcome not in ("victorious", "undecided"):
            return True
        if not mine.hp or mine.outcome != "undecided":
            return False
        party, wounds = replace(party, hp=mine.hp), monsters.full_hp - theirs.hp
    return False


def _about(chance: float) -> str:
    """A chance that was counted, as a person reads it."""
    said = round(chance * 100 / STEP) * STEP
    return f"under {STEP} %" if said < STEP else f"over {100 - STEP} %" if said > 100 - STEP else f"about {said} %"
