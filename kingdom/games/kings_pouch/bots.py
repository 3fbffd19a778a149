"""The bot, a sensible steward: citizens where they bring most, land and good buildings early, characters before each council."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kingdom.engine.game import Chance
from kingdom.engine.step import Orders
from kingdom.games.kings_pouch.orders.managing import claim_cost, on_show, unclaimed
from kingdom.games.kings_pouch.orders.placing import ANY
from kingdom.games.kings_pouch.rules import Building, Effect, Rules, Slot, board_for
from kingdom.games.kings_pouch.state import CUBES, KINDS, Citizens, Lord, Marked, Table, replace
from kingdom.games.kings_pouch.steps.land import army_for, castles, connected, land
from kingdom.games.kings_pouch.steps.rounds import SET_UP, due, marker_value, value_of

_KEPT = 0.8  # the share of land that is still held at the next council
_USED = 0.7  # how often a building of one's own finds a citizen that fits it


def steward(known: Table, seat: str, rules: Rules, chance: Chance) -> Orders:
    """The steward's orders for whatever the run plays."""
    if seat not in due(known, rules):
        return {}
    castles = board_for(rules, len(known.seats)).castles
    return {"castle": [*castles]} if known.round == SET_UP else _round(known, seat, rules)


def likely(known: Table, seat: str, rules: Rules) -> dict[str, Sequence[object]]:
    """Values that random orders name more often: what the seat has and sees, and above all the few buildings without slots."""
    own, free = known.seats[seat].buildings, [place for place in rules.map.neighbours if place not in known.territories]
    slotless = [card for card in (*own, *known.display) if rules.buildings[card].once_per_round]
    castles = [{"castle": other} for other in known.seats]
    return {
        "citizen": [*KINDS, ANY, ANY],
        "at": [*own, *own, *slotless * 15, ANY],
        "slot": (1, 1, 2),
        "lines": ([1], [2], [2, 1]),
        "build": [[card] for card in (*known.display, *slotless * 4)],
        "claim": [[who] for who in rules.characters],
        "occupy": [[place] for place in (*free, *castles, *castles)],
    }


def _round(known: Table, seat: str, rules: Rules) -> Orders:
    """Its orders for a round."""
    place, used = _placements(known, seat, rules)
    gold, army = _expected(known.seats[seat], used, rules)
    manage = [*_claims(known, seat, rules, gold), *(_builds(known, seat, rules) if gold else ())]
    if _left(known, rules) > 2:
        manage.reverse()
    return {
        "place": [*place, {"citizen": "any", "at": "any"}],
        "manage": [*_occupations(known, seat, rules, army), *manage],
        "tax": "if_needed",
        "rest": {"draw": ["cube"]},
    }


def _expected(lord: Lord, used: list[Slot], rules: Rules) -> tuple[int, int]:
    """(gold, army) that these slots and the buildings without slots bring, the tax, discounts and what draws may bring besides."""
    slotless = [line for building in lord.buildings for line in rules.buildings[building].once_per_round]
    lines = [*(line for slot in used for line in slot.lines), *slotless]
    effects = [effect for line in lines for effect in line]
    more = any(effect.does == "draw" for effect in effects)
    gold = sum(
        effect.n for effect in effects if effect.does == "gold" or _saves(effect, "discount", "construct", "claim")
    )
    army = sum(effect.n for effect in effects if effect.does == "army" or _saves(effect, "discount free", "occupy"))
    return gold + rules.tax.gold + more, army + more


def _saves(effect: Effect, does: str, *actions: str) -> bool:
    return effect.does in does.split() and effect.what in actions


def _left(known: Table, rules: Rules) -> int:
    """The rounds to come, this one not counted."""
    return rules.rounds.count - known.round


# --- citizens --------------------------------------------------------------------------------------------------------------


def _placements(known: Table, seat: str, rules: Rules) -> tuple[list[Orders], list[Slot]]:
    """Return (a placement for each citizen, on the best slot that is open then; the slots that are used). Nothing is drawn."""
    lord = known.seats[seat]
    placements: list[Orders] = []
    used: list[Slot] = []
    active, opened = lord.active, dict.fromkeys(lord.buildings, 0)
    while active.count:
        best = _best(known, lord, active, opened, rules)
        if best is None:
            break
        _, building, kind = best
        slot = rules.buildings[building].slots[opened[building]]
        opened[building] += 1
        active = _after(active.plus(kind, -1), slot, known)
        asked = {(effect.does, effect.what) for line in slot.lines for effect in line}
        gain = {"gain": [_scarcest(known)]} if ("gain", "any_cube") in asked else {}
        placements.append({"citizen": kind, "at": building, **gain})
        used.append(slot)
    return placements, used


def _best(
    known: Table, lord: Lord, active: Citizens, opened: Mapping[str, int], rules: Rules
) -> tuple[float, str, str] | None:
    """(worth, building, citizen) of the best slot that is open; a specialist goes before a common citizen."""
    best = None
    for building in lord.buildings:
        slots = rules.buildings[building].slots
        if opened[building] >= len(slots):
            continue
        slot = slots[opened[building]]
        for kind in sorted(slot.accepts, key=lambda each: each not in CUBES):
            if getattr(active, kind):
                worth = _worth_of(slot, known, lord, rules) + (0.3 if kind in CUBES else 0)
                if opened[building] + 1 < len(slots) and active.common > 1:
                    worth = max(worth, (worth + _worth_of(slots[opened[building] + 1], known, lord, rules)) / 2)
                if best is None or worth > best[0]:
                    best = (worth, building, kind)
                break
    return best


def _after(active: Citizens, slot: Slot, known: Table) -> Citizens:
    """The citizens that are active after the gains of a slot."""
    for line in slot.lines:
        for effect in line:
            if effect.does == "gain" and effect.area == "active":
                kind = _scarcest(known) if effect.what == "any_cube" else effect.what
                active = active.plus(kind, min(effect.n, getattr(known.pool, kind)))
    return active


def _scarcest(known: Table) -> str:
    """The cube of which the pool has most."""
    return max(CUBES, key=lambda kind: getattr(known.pool, kind))


def _worth_of(slot: Slot, known: Table, lord: Lord, rules: Rules) -> float:
    """What a slot brings, in prestige."""
    corrupt = lord.active.corrupt + lord.rest.corrupt
    usable = [line for line in slot.lines if corrupt or all(effect.does != "remove" for effect in line)]
    return sum(sum(_worth(effect, known, lord, rules) for effect in line) for line in usable)


def _worth(effect: Effect, known: Table, lord: Lord, rules: Rules) -> float:
    left, n = _left(known, rules), effect.n
    if effect.does == "prestige":
        return n
    if effect.does == "army":
        return n * (1.2 + 0.22 * left)
    if effect.does == "gold":
        return n * (1.6 + 0.1 * left)
    if effect.does == "gain":
        kinds = CUBES if effect.what == "any_cube" else (effect.what,)
        pool = sum(getattr(known.pool, kind) for kind in kinds)
        return n * (0.28 if effect.what != "common" else 0.1) * left if pool else 0
    if effect.does == "draw":
        return n * 0.9
    if effect.does == "remove":
        return n * (2 + 0.1 * left)
    if effect.does in ("discount", "free"):
        return n * 1.5
    if effect.does == "add_marker":
        return n * (_land_worth(known, rules) if effect.what == "territory" else 5) if lord.markers else 0
    return 0.5


# --- land ------------------------------------------------------------------------------------------------------------------


def _land_worth(known: Table, rules: Rules) -> float:
    """What a connected marker brings in the councils to come, as far as it may last."""
    coming = [number for number, round in enumerate(rules.council.rounds, 1) if round >= known.round]
    return sum(marker_value(number, rules) * _KEPT ** (index + 1) for index, number in enumerate(coming))


def _occupations(known: Table, seat: str, rules: Rules, army: int) -> list[Orders]:
    """The same list for each wish: the places that bring most for their army first."""
    near, homes = land(rules, len(known.seats)), castles(known)
    mine = connected(known, seat, rules)
    edge = {place for each in mine for place in near[each]} - mine
    beyond = {place for each in edge if each not in homes for place in near[each]} - mine
    held = known.territories
    gains = {}
    for place in [each for each in near if each in edge | beyond]:
        if place in held and held[place].owner == seat:
            continue
        cost = army_for(known, seat, place, rules)
        if place in homes:
            gain = float(rules.castle_attack.prestige)
        else:
            gain = (rules.occupy.taken if place in held else rules.occupy.empty) + _land_worth(known, rules)
            gain += 1.2 * _left(known, rules) if place == rules.map.palace else 0
        if gain > cost and cost <= army + 1:
            gains[place] = gain / max(cost, 0.5)
    ranked = sorted(gains, key=lambda place: -gains[place])
    alternatives = [{"castle": homes[place]} if place in homes else place for place in ranked]
    return [{"occupy": alternatives}] * min(army, len(alternatives))


# --- buildings and characters ----------------------------------------------------------------------------------------------


def _builds(known: Table, seat: str, rules: Rules) -> list[Orders]:
    """The cards that are worth more than their gold, the best first."""
    lord = known.seats[seat]
    names = {rules.buildings[each].name for each in (*lord.buildings, lord.site) if each}
    worth = {
        card: rule.prestige + _USED * _left(known, rules) * _card_worth(rule, known, lord, rules) - rule.cost
        for card in on_show(known)
        if (rule := rules.buildings[card]).name not in names
    }
    good = [card for card in sorted(worth, key=lambda card: -worth[card]) if worth[card] > 0]
    return [{"build": good}] if good else []


def _card_worth(rule: Building, known: Table, lord: Lord, rules: Rules) -> float:
    """How much more a card brings in a round than its citizens would bring on other slots."""
    free = sum(sum(_worth(effect, known, lord, rules) for effect in line) for line in rule.once_per_round)
    fits: int = sum(getattr(lord.citizens, kind) for kind in (rule.slots[0].accepts if rule.slots else ()))
    return free + max(0.0, (_worth_of(rule.slots[0], known, lord, rules) if rule.slots else 0) - 1.5) * min(
        1.0, fits / 3
    )


def _claims(known: Table, seat: str, rules: Rules, gold: int) -> list[Orders]:
    """The characters, the best first, in as many wishes as the gold may pay for."""
    cost, wishes = claim_cost(known, seat, rules), 0
    while gold >= cost and known.seats[seat].markers > wishes:
        gold, cost, wishes = gold - cost, cost + rules.claim.per_marker, wishes + 1
    worth = {who: _character_worth(known, seat, who, rules) for who in unclaimed(known)}
    ranked = sorted(worth, key=lambda who: -worth[who])
    return [{"claim": ranked}] * min(len(ranked), wishes)


def _character_worth(known: Table, seat: str, who: str, rules: Rules) -> float:
    """What a marker there would bring if the next council were now."""
    then = replace(known, councils=known.councils + 1, claimed={**known.claimed, who: Marked(seat)})
    if not known.seats[seat].active.count:
        return 0
    return value_of(then, seat, who, rules)
