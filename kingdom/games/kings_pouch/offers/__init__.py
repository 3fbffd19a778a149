"""Every order that a seat may give as things stand: forms, reports, bots and tests all draw on this one list.

Orders are carried out one after the other, so what may be ordered hangs on those before: they are played first, without
dice and without the orders of others, as `kingdom check` does. Whether an order is allowed is what its step asks too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import takewhile

from kingdom.engine.dice import NoDice
from kingdom.engine.ledger import Books
from kingdom.engine.offer import LIST, MAP, ONE, Offer
from kingdom.engine.step import Orders, Phase, Play
from kingdom.engine.turn import run
from kingdom.games.kings_pouch import turn as contents
from kingdom.games.kings_pouch.opening import free_castles
from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import KINDS, SHAPES, Lord, Table, count_of
from kingdom.games.kings_pouch.steps import accounts, said
from kingdom.games.kings_pouch.steps.land import castles, land
from kingdom.games.kings_pouch.steps.management import ACTIONS, IF_NEEDED, Target, collect_tax, management, possible
from kingdom.games.kings_pouch.steps.placement import (
    ANY,
    building_of,
    free_place,
    next_slot,
    place_one,
    placement,
    placement_problem,
)
from kingdom.games.kings_pouch.steps.rounds import SET_UP, TURNS, due
from kingdom.games.kings_pouch.types import Turn
from kingdom.games.kit.declared import merged

# What no offer stands for: the head and foot of a file and free text; how a citizen is placed, as far as it is a matter of
# wishes that are passed over where they can't be had; and which kinds and shapes come first in the rest phase.
OPEN_ENDED = ("kingdom", "turn", "messages", "amend", "final", "token")
WISHES = ("slot", "lines", "if_active", "remove_from", "to", "draw", "gain", "remove", "move", "exchange", "add_marker")
_PLAY = Play(
    contents.PHASES, merged(contents.MODULES, "REFUSALS"), lambda table: list(table.lords), accounts
)  # what a turn is played by here


def offers(known: Table, seat: str, rules: Rules, orders: Orders) -> list[Offer]:
    """What more the seat may order behind these orders."""
    if seat not in due(known, rules):
        return []
    books = Books(known.turn + 1, {other: accounts(known, other, rules) for other in known.lords})
    turn = Turn(_PLAY, known.turn + 1, rules, {seat: orders}, NoDice(), books)
    if known.round == SET_UP:
        return [] if "castle" in orders else list(_castles(known, seat, rules))
    word = TURNS[known.order.index(seat)]
    table = run(turn, _before(word), known)
    turn.phase, turn.step = word, placement.__name__
    placed = placement(table, turn)
    managed = management(placed, turn)
    return [
        *_placements(placed, turn, seat, orders),
        *(taxes() if "tax" not in orders else ()),
        *_wishes(managed, turn, seat, orders.get("tax") == IF_NEEDED),
        *rests(rules, orders.get("rest") or {}),
    ]


def _before(word: str) -> Iterator[Phase[Table, Rules]]:
    """The phases before that one."""
    return takewhile(lambda phase: phase.name != word, contents.PHASES)


def _changed(before: Table, after: Table, seat: str, rules: Rules) -> dict[str, int]:
    """What was made of each account of the seat."""
    then = accounts(after, seat, rules)
    return {account: by for account, held in accounts(before, seat, rules).items() if (by := then[account] - held)}


def _costs(changed: Mapping[str, int]) -> dict[str, int]:
    return {account: -by for account, by in changed.items() if by < 0}


# --- before round 1


def _castles(known: Table, seat: str, rules: Rules) -> Iterator[Offer]:
    """The places that are left if the players before the seat, whose choices nobody knows, have taken the first ones."""
    free = free_castles(known, rules)[due(known, rules).index(seat) :]
    for place in free:
        excluded = tuple(f"castle {other}" for other in free if other != place)
        text = f"Your castle in {said(place)}"
        yield Offer(f"castle {place}", "castle", ONE, [place], f"castle: {place}", text, excludes=excluded)


# --- citizens


def citizen_offer(building: str, number: int, kind: str, name: str) -> Offer:
    """A citizen of that kind on that slot of a building."""
    return Offer(
        id=f"{building} {number} {kind}",
        key="place",
        how=LIST,
        order={"citizen": kind, "at": building},
        short=f"{kind} at {building}",
        text=f"{kind.capitalize()} on {name}",
        uses={f"active {kind}": 1, f"slot {number} of {building}": 1},
    )


def sweep_offer(wanted: str) -> Offer:
    """Everybody who is left, or all of a kind, on whatever is free (ruling sweep)."""
    text = "Everybody who is left" if wanted == ANY else f"Every {wanted} who is left"
    order = {"citizen": wanted, "at": ANY}
    return Offer(f"sweep {wanted}", "place", LIST, order, f"{wanted} at {ANY}", f"{text}, on any free slot")


def _placements(table: Table, turn: Turn, seat: str, orders: Orders) -> Iterator[Offer]:
    """Each citizen on each slot that is open now, buildings without slots at a time of one's own, and sweeps."""
    rules, lord = turn.rules, table.lords[seat]
    for offer in _placed(lord, orders, rules):
        changed = _changed(table, place_one(table, turn, seat, "", offer.order), seat, rules)
        yield offer._replace(costs=_costs(changed), effect=changed)


def _placed(lord: Lord, orders: Orders, rules: Rules) -> Iterator[Offer]:
    named = {building_of(lord, order["at"], rules) for order in orders.get("place") or () if order is not None}
    for building in lord.buildings:
        rule, number = rules.buildings[building], next_slot(lord, building)
        if rule.once_per_round and building not in named:
            yield Offer(
                building, "place", LIST, {"at": building}, building, f"Use the {rule.name} now", uses={building: 1}
            )
        for kind in rule.slots[number - 1].accepts if number <= len(rule.slots) else ():
            offer = citizen_offer(building, number, kind, rule.name)
            if placement_problem(lord, building, offer.order, rules) is None:
                yield offer
    for wanted in (ANY, *KINDS):
        if free_place(lord, wanted, rules) or not count_of(lord.active):
            yield sweep_offer(wanted)


# --- wishes


def wish_offer(kind: str, wanted: Target, text: str) -> Offer:
    """One alternative of a wish to build, claim or occupy. A castle is named by its player."""
    word = said(wanted) if kind == "occupy" and isinstance(wanted, str) else wanted
    if isinstance(word, str):
        return Offer(f"{kind} {word}", "manage", LIST, {kind: [wanted]}, f"{kind} {word}", text)
    owner = word["castle"]
    return Offer(f"{kind} castle {owner}", "manage", LIST, {kind: [wanted]}, "", text, uses={f"attack on {owner}": 1})


def build_offer(card: str, rules: Rules) -> Offer:
    """A card of the display; one a round."""
    rule = rules.buildings[card]
    return wish_offer("build", card, f"Build {rule.name} ({rule.colour})")


def claim_offer(who: str, rules: Rules) -> Offer:
    """A character."""
    return wish_offer("claim", who, f"Claim the {rules.characters[who].name}")


def occupy_offer(table: Table, place: str) -> Offer:
    """A territory, or the castle that stands there."""
    wanted = target_at(table, place)
    text = f"Occupy {said(place)}" if isinstance(wanted, str) else f"Attack the castle of {wanted['castle']}"
    return wish_offer("occupy", wanted, text)


def target_at(table: Table, place: str) -> Target:
    """A territory as an order names it: a castle by its player."""
    owner = castles(table).get(place)
    return {"castle": owner} if owner else place


def unclaimed(table: Table) -> list[str]:
    """The characters that nobody claimed."""
    return [who for who in table.characters if who not in table.claimed]


def on_show(table: Table) -> list[str]:
    """The cards on display, each once."""
    return list(dict.fromkeys(table.display))


def _wishes(table: Table, turn: Turn, seat: str, may_tax: bool) -> Iterator[Offer]:
    """Each card, character, territory and castle that can be had now."""
    rules = turn.rules
    builds = [build_offer(card, rules) for card in on_show(table)]
    claims = [claim_offer(who, rules) for who in unclaimed(table)]
    occupations = [occupy_offer(table, place) for place in land(rules, len(table.lords))]
    for offer in (*builds, *claims, *occupations):
        kind, (wanted,) = next(iter(offer.order.items()))
        problem, taxed = possible(table, seat, kind, wanted, may_tax, rules)
        if problem is None:
            paid = collect_tax(table, turn, seat) if taxed else table
            changed = _changed(table, ACTIONS[kind][1](paid, turn, seat, wanted), seat, rules)
            others = tuple(build.id for build in builds if build.id != offer.id) if kind == "build" else ()
            yield offer._replace(costs=_costs(changed), effect=changed, excludes=others)


# --- the tax and the rest phase


def taxes() -> list[Offer]:
    """Whether the tax is collected."""
    texts = {
        "never": "Collect no tax",
        "if_needed": "Collect the tax where a wish lacks just that gold",
        "always": "Collect the tax in any case",
    }
    return [
        Offer(
            f"tax {word}",
            "tax",
            ONE,
            word,
            f"tax: {word}",
            text,
            uses={"tax": 1},
            excludes=tuple(f"tax {other}" for other in texts if other != word),
        )
        for word, text in texts.items()
    ]


def rests(rules: Rules, chosen: Orders) -> Iterator[Offer]:
    """What the rest phase may be told, each entry once; of kinds and shapes the one that comes first."""
    entries: list[tuple[str, object, str]] = [
        *(("refresh", [kind], f"Return {kind} citizens first") for kind in KINDS),
        ("refresh_all", False, "Leave out the refresh of the whole rest area"),
        *(("draw", [shape], f"Draw {shape}s first") for shape in SHAPES),
    ]
    if rules.palace_draw.optional:
        entries.append(("palace_draw", False, "Don't draw the additional citizen of the palace"))
    for entry, value, text in entries:
        if entry not in chosen:
            word = " ".join(value) if isinstance(value, list) else "no"
            yield Offer(f"rest {entry} {word}", "rest", MAP, (entry, value), "", text, uses={f"rest {entry}": 1})
