"""Fortifications and land: what defends a hex, how long a settlement without an army holds out, and who gets the taken land.

Rulings: siege, conquest, free_city.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kingdom.engine.named_tuple import NamedTuple
from kingdom.games.realm.hexmap import distance, neighbours
from kingdom.games.realm.rules.battle_tables import Breach
from kingdom.games.realm.rules.building_tables import ImmuneToSiegeEngines
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.sheet import features_of, limits
from kingdom.games.realm.state import (
    Army,
    Hex,
    Kingdom,
    Taking,
    World,
    in_service,
    replace,
    with_kingdoms,
    with_settlement,
)
from kingdom.games.realm.steps.land.free_cities import ask_to_join
from kingdom.games.realm.steps.land.losing import Loss, capital_hex, lose_hexes, settlement_in
from kingdom.games.realm.steps.shared import affordable, book, strongest, with_hex, with_unrest
from kingdom.games.realm.steps.towns.buildings import place_of
from kingdom.games.realm.steps.trade.towers import TOWER
from kingdom.games.realm.types import Turn
from kingdom.games.realm.visibility.sight import sees

CAUSES = {
    "conquest": "a hex that an army took, lost by its holder and won by the kingdom of the army",
}
# keys of Kingdom.used: hexes taken this turn, own hexes retaken on top of that, Unrest from lost hexes
TAKEN, RETAKEN, UNREST = "conquests", "retaken", "conquest_unrest"


def walls(kingdom: Kingdom, label: str, hexes: dict[str, Hex], rules: Rules) -> dict[str, int]:
    """The fortifications of a hex: building or improvement -> its Defense, all of a kind together.

    Defense that a siege has worn off is left out. A lair makes a fort or watchtower over it stronger.
    """
    found: dict[str, int] = {}
    for word in kingdom.hexes.get(label, ()):
        if defense := rules.improvements[word].defense:
            features = features_of(label, kingdom, hexes, rules)
            found[word] = defense + sum(rules.features[name].fortifies for name in features)
    for route in kingdom.routes.values() if label not in kingdom.hexes else ():
        if label in route.towers:
            found[TOWER] = rules.improvements[TOWER].defense
    name = settlement_in(kingdom, label)
    damaged = kingdom.damaged.get(name, ())
    for building in in_service(kingdom.settlements[name]) if name else ():
        defense = rules.buildings[building.id].defense
        if defense and building.lot not in damaged and place_of(building) not in kingdom.settlements[name].raised:
            found[building.id] = found.get(building.id, 0) + defense
    return _worn(found, kingdom.settlements[name].siege if name else kingdom.worn.get(label, 0), rules)


def firm(word: str, rules: Rules) -> bool:
    """Whether siege engines can't damage that kind of fortification."""
    kind = rules.buildings.get(word)
    return kind is not None and kind.has(ImmuneToSiegeEngines)


# (the seat that throws `siege-LABEL` for the army's siege engines, an army before the walls)
Besieger = tuple[str, Army]


def besieged(kingdom: Kingdom, label: str, besiegers: list[Besieger], hexes: dict[str, Hex], turn: Turn) -> Kingdom:
    """The kingdom after one turn of wear on its Defense in that hex; `walls` tells what is left."""
    rules, name = turn.rules, settlement_in(kingdom, label)
    standing = walls(kingdom, label, hexes, rules)
    solid = sum(points for word, points in standing.items() if firm(word, rules))
    name_of_roll = f"siege-{label}"
    breached = sum(
        turn.roll(seat, name_of_roll, die) or 0 for seat, army in besiegers for die in engines(army.resources, rules)
    )
    worn = sum(standing.values()) - _left(sum(standing.values()), solid, breached, rules)
    if not name:
        return replace(kingdom, worn={**kingdom.worn, label: kingdom.worn.get(label, 0) + worn})
    return with_settlement(kingdom, name, siege=kingdom.settlements[name].siege + worn)


def _left(defense: int, solid: int, breached: int, rules: Rules) -> int:
    """The Defense left after a turn of a siege. solid: the part that siege engines can't damage; breached: what the engines
    rolled."""
    return max(0, max(min(defense, solid), defense - breached) - in_force(rules.siege).hunger)


def turns_of_wear(kingdom: Kingdom, label: str, breached: int, hexes: dict[str, Hex], rules: Rules) -> int | None:
    """The number of turns until the Defense there is worn off if engines breach so much each turn; None for never."""
    standing, turns = walls(kingdom, label, hexes, rules), 0
    left, solid = sum(standing.values()), sum(points for word, points in standing.items() if firm(word, rules))
    while left:
        before, left = left, _left(left, solid, breached, rules)
        if left == before:
            return None
        turns += 1
    return turns


def last_safe_turn(kingdom: Kingdom, rules: Rules) -> int:
    """The last turn in which nobody may take or besiege the kingdom's home hexes (`is_home`), 0 for none. Ruling:
    safe_turns."""
    if rules.safe_turns is None or not rules.safe_turns.turns or kingdom.unsafe:
        return 0
    return max(1, kingdom.joined) + rules.safe_turns.turns - 1


def is_home(kingdom: Kingdom, label: str, rules: Rules) -> bool:
    """Whether the safe turns of a kingdom protect that hex: it lies near the kingdom's start, or is the capital's, by the
    ruling. Ruling: safe_turns."""
    if rules.safe_turns is None:
        return False
    if not rules.safe_turns.within:
        return label == capital_hex(kingdom)
    start = kingdom.started or capital_hex(kingdom)
    return bool(start) and distance(start, label) <= rules.safe_turns.within


class SiegeTurn(NamedTuple):
    """A turn of a siege. most: turns until the settlement falls to these besiegers if every die of their engines is lowest;
    least: if every die is highest. 0: it falls now; None: they never wear its Defense off."""

    kingdom: Kingdom
    most: int | None
    least: int | None


def siege(kingdom: Kingdom, label: str, besiegers: list[Besieger], hexes: dict[str, Hex], turn: Turn) -> SiegeTurn:
    """One turn of the siege of the settlement in that hex: it begins, wears down the Defense, or, if no Defense is left, counts
    a turn."""
    name = settlement_in(kingdom, label)
    begun, ruling = kingdom.settlements[name].besieged, in_force(turn.rules.siege)
    whole = ruling.turns + len(kingdom.settlements[name].districts) + (ruling.capital if name == kingdom.capital else 0)
    if not begun:
        kingdom = with_settlement(kingdom, name, besieged=1, holds=whole if ruling.fixed else 0)
    elif walls(kingdom, label, hexes, turn.rules):
        kingdom = besieged(kingdom, label, besiegers, hexes, turn)
    else:
        kingdom = with_settlement(kingdom, name, besieged=begun + 1)
    settlement = kingdom.settlements[name]
    waits = max(0, (settlement.holds or whole) + 1 - settlement.besieged)
    dice = [die for _, army in besiegers for die in engines(army.resources, turn.rules)]
    most, least = (turns_of_wear(kingdom, label, breached, hexes, turn.rules) for breached in (len(dice), sum(dice)))
    return SiegeTurn(kingdom, None if most is None else waits + most, None if least is None else waits + least)


def mended(kingdom: Kingdom, besieged: set[str]) -> Kingdom:
    """The kingdom with full Defense again in all its places, except in the besieged hexes."""
    for name, settlement in kingdom.settlements.items():
        if (settlement.siege or settlement.besieged) and settlement.hex not in besieged:
            kingdom = with_settlement(kingdom, name, siege=0, besieged=0, raised=(), holds=0)
    for counts in ("worn", "occupiers", "besiegers"):
        held: dict[str, object] = getattr(kingdom, counts)
        if any(label not in besieged for label in held):
            kingdom = replace(kingdom, **{counts: {label: each for label, each in held.items() if label in besieged}})
    return kingdom


def attacked_by(kingdom: Kingdom, label: str, seats: set[str]) -> Kingdom:
    """The kingdom after one more turn in which each of these seats attacks that undefended hex; the count of other seats starts
    anew."""
    before = kingdom.besiegers.get(label, {})
    turns = {seat: before.get(seat, 0) + 1 for seat in sorted(seats)}
    return replace(kingdom, besiegers={**kingdom.besiegers, label: turns})


def engines(resources: Mapping[str, int], rules: Rules) -> list[int]:
    """The die of each siege engine among the resources of an army."""
    return [
        effect.die
        for name, count in resources.items()
        for effect in rules.army_resources[name].effects
        if isinstance(effect, Breach)
        for _ in range(count)
    ]


def _worn(walls: dict[str, int], worn: int, rules: Rules) -> dict[str, int]:
    """The walls without the worn-off Defense, taken first from those that engines can damage, then from the others."""
    left = {}
    for word in sorted(walls, key=lambda word: firm(word, rules)):
        left[word] = max(0, walls[word] - worn)
        worn -= walls[word] - left[word]
    return {word: points for word, points in left.items() if points}


class Fall(NamedTuple):
    """A hex that nobody defends any more. force: seat -> the ACR of its attacking armies there."""

    label: str
    holder: str
    force: dict[str, float]


def conquer(world: World, turn: Turn, falls: list[Fall]) -> World:
    """Give fallen hexes to those who can take them, settlements first, one hex after another; a hex that nobody can take stays
    its holder's."""
    if not falls:
        return world
    if not in_force(turn.rules.conquest).stays:
        return _all_lost(world, turn, falls)

    def towns_first(fall: Fall) -> tuple[bool, str]:
        return not settlement_in(world.kingdoms[fall.holder], fall.label), fall.label

    left = sorted(falls, key=towns_first)
    while fall := next((fall for fall in left if _able(fall, world, turn)), None):
        left.remove(fall)
        kingdom = world.kingdoms[fall.holder]
        victor, unrest = taker(fall, world, turn), unrest_of_loss(kingdom, fall.label, turn.rules)
        world = give_away(world, turn, fall.label, fall.holder, victor, unrest)
    for fall in left:
        _tell_who_stays(fall, world, turn)
    return world


def conquest_problem(kingdom: Kingdom, label: str, rules: Rules, *, later: bool = False) -> str:
    """Why the kingdom can't take that hex now, as told to the player; "" if it can. later: why not in a later turn with the
    same land; the price is not checked then, see `price_due`. Ruling: conquest."""
    ruling = in_force(rules.conquest)
    if ruling.must_touch and not any(near in kingdom.hexes for near in neighbours(label)):
        return f"{label} touches no land of yours"
    used, most = taken_of(kingdom, rules)
    if used >= most and not (later and most) and not retakes(kingdom, label, rules):
        hexes = "1 hex" if most == 1 else f"{most} hexes"
        how = "claim and take" if ruling.within_claims else "take"
        return f"you can {how} {hexes} a turn at size {kingdom.edict_size}"
    if not later and not affordable(kingdom, ruling.cost):
        return f"it costs {ruling.cost} BP and your treasury holds {kingdom.treasury}"
    return ""


def problems_later(seats: Iterable[str], label: str, kingdoms: Mapping[str, Kingdom], rules: Rules) -> dict[str, str]:
    """Seat -> why it can't take that hex in a later turn; "" for all where every fallen hex is lost. Ruling: conquest."""
    stays = in_force(rules.conquest).stays
    return {seat: conquest_problem(kingdoms[seat], label, rules, later=True) if stays else "" for seat in seats}


def price_due(kingdom: Kingdom, rules: Rules) -> str:
    """A sentence on the price of a hex that falls in a later turn, "" if the kingdom could pay it now. Ruling: conquest."""
    ruling = in_force(rules.conquest)
    if affordable(kingdom, ruling.cost) or not ruling.stays:
        return ""
    return f" It costs {ruling.cost} BP in that turn; your treasury holds {kingdom.treasury} now."


def taken_of(kingdom: Kingdom, rules: Rules) -> tuple[int, int]:
    """(how many hexes the kingdom has taken this turn, how many it may take), including claims if the ruling counts them.
    Ruling: conquest."""
    ruling, taken = in_force(rules.conquest), kingdom.used.get(TAKEN, 0)
    if ruling.within_claims:
        return taken + kingdom.used.get("claims", 0), limits(kingdom, rules).claims
    return taken, ruling.hexes if kingdom.edict_size <= ruling.up_to_size else limits(kingdom, rules).claims


def retakes(kingdom: Kingdom, label: str, rules: Rules) -> bool:
    """Whether the kingdom lost the hex not long ago and may retake it on top of the hexes that it claims and takes. Ruling:
    conquest."""
    return label in kingdom.lost and kingdom.used.get(RETAKEN, 0) < in_force(rules.conquest).retakes


def unrest_of_loss(kingdom: Kingdom, label: str, rules: Rules) -> int:
    """The Unrest for losing that hex to an army, limited by what such losses have already cost this turn. Ruling: conquest."""
    ruling = in_force(rules.conquest)
    by = ruling.settlement_unrest if settlement_in(kingdom, label) else ruling.unrest
    return max(0, min(by, ruling.most_unrest - kingdom.used.get(UNREST, 0)))


def give_away(
    world: World, turn: Turn, label: str, holder: str, taker: str, unrest: int, *, surrendered: bool = False
) -> World:
    """The world after a hex went from its holder to the taker, who pays for it; its settlement is asked to join the taker.

    unrest: the loser's. surrendered: the holder gave it up itself, so it can't retake the hex, and the buildings there come
    into service only after all that the taker builds. The caller must check `conquest_problem` first.
    """
    ruling, loser = in_force(turn.rules.conquest), world.kingdoms[holder]
    turn.tell(
        holder, "news", hex=label, text=f"Lost: {label}, taken by {world.kingdoms[taker].name} (ruling conquest)."
    )
    name = settlement_in(loser, label)
    if name:
        loser = with_settlement(loser, name, siege=0, besieged=0, raised=(), holds=0, yielded=surrendered)
    others = {other: seats for other, seats in loser.besiegers.items() if other != label}
    stood = {other: seats for other, seats in loser.occupiers.items() if other != label}
    world = with_kingdoms(world, {holder: replace(loser, besiegers=others, occupiers=stood)})
    world = lose_hexes(world, turn, [Loss(holder, label, "conquest", f"{label}, taken by an army (ruling conquest)")])
    hexes, loser, kingdom = dict(world.hexes), world.kingdoms[holder], world.kingdoms[taker]
    if surrendered:
        loser = replace(loser, lost={other: number for other, number in loser.lost.items() if other != label})
    if unrest:
        loser = with_unrest(loser, unrest, turn.number, turn.rules)
        loser = replace(loser, used={**loser.used, UNREST: loser.used.get(UNREST, 0) + unrest})
        book(turn, holder, loser, hexes, "conquest", f"Unrest over the loss of {name or label} (ruling conquest)")
    limit = RETAKEN if retakes(kingdom, label, turn.rules) else TAKEN
    used = {**kingdom.used, limit: kingdom.used.get(limit, 0) + 1}
    kingdom = replace(kingdom, treasury=kingdom.treasury - ruling.cost, used=used)
    kingdom = _occupy(taker, kingdom, label, loser.name, hexes, turn)
    world = with_kingdoms(replace(world, hexes=hexes), {holder: loser, taker: kingdom})
    return world if surrendered else _witnessed(world, turn, label, holder, taker)


def _witnessed(world: World, turn: Turn, label: str, holder: str, taker: str) -> World:
    """The world after the loser and all who see the hex have learned who took it from whom, or who retook it. If a third
    kingdom takes it from the first taker, the first taking stays on record, also for the kingdom that lost the hex. Ruling:
    conquest."""
    suffered, changed = world.kingdoms[taker].takings.get(label), dict[str, Kingdom]()
    retakes_it = suffered is not None and suffered.of == taker
    for seat, kingdom in world.kingdoms.items() if in_force(turn.rules.conquest).retakes else ():
        if seat not in (holder, taker) and (kingdom.destroyed or label not in sees(world, seat, turn.rules)):
            continue
        known = kingdom.takings.get(label)
        if known and retakes_it:
            taking = replace(known, back=turn.number)
        elif retakes_it or known and not known.back and (known.of == seat or known.by == holder):
            continue
        else:
            taking = Taking(turn.number, taker, holder)
        changed[seat] = replace(kingdom, takings={**kingdom.takings, label: taking})
    return with_kingdoms(world, changed)


def _able(fall: Fall, world: World, turn: Turn) -> list[str]:
    """The attackers who can take the hex."""
    return [seat for seat in fall.force if not conquest_problem(world.kingdoms[seat], fall.label, turn.rules)]


def taker(fall: Fall, world: World, turn: Turn) -> str:
    """The seat that takes the hex, of those who can: the strongest, then the one that has attacked it longest, then by a roll;
    "" for nobody."""
    turns = world.kingdoms[fall.holder].besiegers.get(fall.label, {})
    rank = {seat: (fall.force[seat], turns.get(seat, 0)) for seat in _able(fall, world, turn)}
    return strongest(rank, f"conquest-{fall.label}", turn)


def _tell_who_stays(fall: Fall, world: World, turn: Turn) -> None:
    """Nobody could take the hex: tell its holder that it stays theirs, and each attacker why."""
    label, kingdom = fall.label, world.kingdoms[fall.holder]
    name = settlement_in(kingdom, label)
    place, state = (f"{name} in {label}", "stays besieged") if name else (label, "stays yours")
    text = f"{place} {state}: nobody defends it, but none of its attackers can take it now (ruling conquest)."
    turn.tell(fall.holder, "news", hex=label, text=text)
    for seat in fall.force:
        why = conquest_problem(world.kingdoms[seat], label, turn.rules)
        turn.tell(
            seat, "news", hex=label, text=f"Nobody defends {place}, but you can't take it: {why} (ruling conquest)."
        )


def _all_lost(world: World, turn: Turn, falls: list[Fall]) -> World:
    """The first edition: every fallen hex is lost, then those that touch the victor's land become the victor's."""
    won: dict[str, list[Fall]] = {}
    for fall in falls:
        best = [seat for seat, acr in fall.force.items() if acr == max(fall.force.values())]
        victor = best[0] if len(best) == 1 else ""
        won.setdefault(victor, []).append(fall)
        by = world.kingdoms[victor].name if victor else "armies of several kingdoms"
        turn.tell(fall.holder, "news", hex=fall.label, text=f"Lost: {fall.label}, taken by {by} (ruling conquest).")
    said = "taken by an army (ruling conquest)"
    losses = [Loss(fall.holder, fall.label, "conquest", f"{fall.label}, {said}") for fall in falls]
    world = lose_hexes(world, turn, losses)
    hexes, changed = dict(world.hexes), {}
    won.pop("", None)
    for seat, own in won.items():
        changed[seat] = _gain(seat, world, own, hexes, turn)
    return with_kingdoms(replace(world, hexes=hexes), changed)


def _gain(seat: str, world: World, falls: list[Fall], hexes: dict[str, Hex], turn: Turn) -> Kingdom:
    """The victor with those fallen hexes that it may hold; `hexes` is the step's own copy of the map."""
    kingdom, left = world.kingdoms[seat], list(falls)
    while joined := next((fall for fall in left if _may_hold(kingdom, fall.label, turn)), None):
        left.remove(joined)
        kingdom = _occupy(seat, kingdom, joined.label, world.kingdoms[joined.holder].name, hexes, turn)
    for fall in left:
        text = f"{fall.label} lies wild now: it touches no land of yours, so it is nobody's (ruling conquest)."
        turn.tell(seat, "news", hex=fall.label, text=text)
    return kingdom


def _may_hold(kingdom: Kingdom, label: str, turn: Turn) -> bool:
    """Whether the kingdom may hold a fallen hex."""
    touches = any(near in kingdom.hexes for near in neighbours(label))
    return touches or not kingdom.hexes or not in_force(turn.rules.conquest).must_touch


def _occupy(seat: str, kingdom: Kingdom, label: str, holder: str, hexes: dict[str, Hex], turn: Turn) -> Kingdom:
    """The kingdom with the hex and what stands there, its hidden features revealed; a free city there is asked to join."""
    hex = hexes[label]
    hexes[label] = replace(hex, left=(), wild=False)
    kingdom = with_hex(kingdom, label, hex.left)
    book(turn, seat, kingdom, hexes, "conquest", f"{label}, taken from {holder} (ruling conquest)")
    turn.tell(seat, "news", hex=label, text=f"Taken: {label}, from {holder} (ruling conquest).")
    return ask_to_join(seat, kingdom, label, hexes, turn) if hexes[label].free_city else kingdom
