"""What the order form counts: its counters, fields and offers, and what the effects of buildings do to them.

A deed says it exactly as far as it can be told before anything is drawn, and never counts more than the engine will: what
hangs on a draw counts for nothing, and what it might take away is feared. kingdom/render/order_form.py says how it is read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from kingdom.engine.step import Orders
from kingdom.games.kings_pouch.rules import Effect, Rules
from kingdom.games.kings_pouch.state import AREAS, CUBES, KINDS, Table
from kingdom.orders.kit import Candidate, Order
from kingdom.orders.kit.pages import slot

Data: TypeAlias = dict[str, Any]  # plain data as the page's script reads it (kingdom/render/order_form.py)
Button: TypeAlias = Data  # what can be chosen in the page
Deed: TypeAlias = Data  # what a choice does to what the page counts
Field: TypeAlias = Data  # what is filled in
Choice: TypeAlias = Data  # one of a field's options
Kind: TypeAlias = Order[Table, Rules, Any]
PLACE, TAX, MANAGE, REST, LETTERS = range(5)  # ranks: what comes before what in a turn; in a list what is chosen first
GOLD, ARMY, PRESTIGE, MARKERS = (
    "gold",
    "army",
    "prestige",
    "markers",
)  # counters, beside the active citizens by their kind
CLAIMED = "claimed"  # the counter of markers that this turn puts on characters
ACTIONS = ("occupy", "construct", "claim")
# Facts. What is drawn no form can tell: from the first draw on there may be more than is counted, and the rest area may be empty.
SURE, UNSURE, RESTING, PLACING = "sure", "unsure", "resting", "placing"


def pool(kind: str) -> str:
    """The counter of such citizens in the pool."""
    return f"pool {kind}"


def resting(kind: str) -> str:
    """The counter of such citizens in the rest area."""
    return f"rest {kind}"


def discount(action: str) -> str:
    """The counter of the discounts on such actions."""
    return f"discount {action}"


def free(action: str) -> str:
    """The counter of the free actions of that kind."""
    return f"free {action}"


def room(what: str) -> str:
    """The counter of the markers that may be added on own territories, or characters."""
    return f"room {what}"


def button(kind: Kind, candidate: Candidate, rank: float, value: object = None, **more: object) -> Button:
    """The button of a candidate. rank: what comes before what in the orders. value: the order with what is filled in."""
    order = candidate.order if value is None else value
    head = {"id": candidate.id, "rank": rank, "key": kind.key, "how": kind.how, "value": order, "text": candidate.text}
    return {**head, **more}


def choice(name: str, label: str, options: Iterable[Choice], none: str = "") -> Field:
    """A field to choose in. none: what an empty choice says; "" where something must be chosen."""
    return {
        "name": name,
        "label": label,
        "kind": "choice",
        "options": list(options),
        **({"none": none} if none else {}),
    }


def option(value: object, text: object = None, **more: object) -> Choice:
    """One of a choice. more: `when`, `unless`; `means`, what stands in the orders in its place."""
    return {"value": value, "text": str(value if text is None else text), **more}


def ranks(
    names: Iterable[str],
    labels: Iterable[str],
    options: Iterable[Choice],
    none: str,
    later: str = "",
    least: int = 0,
    distinct: bool = False,
) -> list[Field]:
    """Choices in a row, each open when the one before it is made. none, later: what an empty
    one says, the first and the others. least: how many must be made. distinct: each word once."""
    fields: list[Field] = []
    own = list(options)
    words = [chosen["value"] for chosen in own]
    for number, (name, label) in enumerate(zip(names, labels, strict=False)):
        when = {"when": {fields[-1]["name"]: words}} if fields else {}
        earlier = [field["name"] for field in fields] if distinct else []
        rows = [
            {**chosen, **when, **({"unless": dict.fromkeys(earlier, [chosen["value"]])} if earlier else {})}
            for chosen in own
        ]
        fields.append(choice(name, label, rows, "" if number < least else later if number and later else none))
    return fields


def shapes(count: int, key: str = "draw") -> tuple[list[Field], list[str]]:
    """The fields for the shapes of that many draws, and where they come to stand."""
    names = [f"{key}{number}" for number in range(1, count + 1)]
    labels = [f"Draw {number}" for number in range(1, count + 1)]
    fields = ranks(names, labels, [option("cube"), option("prism")], "cubes first", "as the one before")
    return fields, [slot(name) for name in names]


Line = tuple[Effect, ...]
DRAWN: Deed = {"ends": [SURE, RESTING], "gives": [UNSURE]}  # from here on nothing is certain but what is counted


def is_odd(effect: Effect) -> bool:
    """Whether an effect takes citizens of kinds that only the engine tells."""
    return effect.does in ("move", "exchange") or (effect.does == "remove" and effect.what not in KINDS)


def line_deed(line: Line, wishes: Orders, rules: Rules) -> Deed:
    """A line of effects, all or none. wishes: `remove_from`, `to`, `gain` of the order, as far as it has them."""
    if any(is_odd(effect) for effect in line):
        return {**DRAWN, "each": feared(line)}
    adds: dict[str, int] = {}
    deed: Deed = {"all": [], "each": []}
    for effect in line:
        for counter, by in _added(effect, rules).items():
            adds[counter] = adds.get(counter, 0) + by
        if effect.does == "remove":
            deed["all"].append({"first": _removed(effect, wishes)})
        elif effect.does == "add_marker":
            deed["all"].append(_marker(effect))
            deed["each"] += [_marker(effect)] * (effect.n - 1)
        elif effect.does == "gain":
            deed["each"] += [_gained(effect, index, wishes) for index in range(effect.n)]
        elif effect.does == "draw" and effect.n:
            deed.update(DRAWN)
    return {key: each for key, each in {**deed, "adds": adds}.items() if each}


def tried_line(line: Line, wishes: Orders, rules: Rules) -> Deed:
    """The same for a line that is used if it can be. If it seems that it can't, but nothing is sure, what it may take is feared."""
    deed = line_deed(line, wishes, rules)
    takes = any(effect.does in ("remove", "add_marker") and not is_odd(effect) for effect in line)
    return {"first": [deed, {"needs": [[UNSURE]], "each": feared(line)}]} if takes else deed


def _added(effect: Effect, rules: Rules) -> dict[str, int]:
    """What an effect adds in any case; gold and army that nobody spends become prestige."""
    if effect.does in (GOLD, ARMY):
        return {effect.does: effect.n, PRESTIGE: effect.n * rules.donation.prestige}
    if effect.does in ("discount", "free"):
        return {(discount if effect.does == "discount" else free)(effect.what): effect.n}
    return {PRESTIGE: effect.n} if effect.does == "prestige" else {}


def _counter(area: str, kind: str) -> str:
    return kind if area == AREAS[0] else resting(kind)


def _removed(effect: Effect, wishes: Orders) -> list[Deed]:
    """The ways to take that many of a kind: from the named area, else from the rest area as far as they are there."""
    named = wishes.get("remove_from")
    areas = (effect.area,) if effect.area in AREAS else (named,) if named else tuple(reversed(AREAS))
    ways = []
    for first in range(effect.n, -1, -1) if len(areas) > 1 else [effect.n]:
        taken = {area: by for area, by in zip(areas, (first, effect.n - first), strict=False) if by}
        needs = {"needs": [[RESTING]]} if AREAS[1] in taken else {}
        ways.append({"costs": {_counter(area, effect.what): by for area, by in taken.items()}, **needs})
    return ways


def _marker(effect: Effect) -> Deed:
    more = {"adds": {CLAIMED: 1}} if effect.what == "character" else {}
    return {"costs": {MARKERS: 1, room(effect.what): 1}, **more}


def area_of(effect: Effect, wishes: Orders) -> str:
    """Where citizens of an effect come to."""
    return effect.area if effect.area in AREAS else wishes.get("to") or AREAS[0]


def _gained(effect: Effect, index: int, wishes: Orders) -> Deed:
    """One citizen from the pool, where it has one: of the wished kinds the first, else of any."""
    area = area_of(effect, wishes)
    named = (effect.what,) if effect.what in KINDS else (*(wishes.get("gain") or ())[index:], *CUBES)
    ways = [
        {"costs": {pool(kind): 1}, "adds": {_counter(area, kind): 1}, **_known(kind)} for kind in dict.fromkeys(named)
    ]
    return ways[0] if len(ways) == 1 else {"first": ways}


def _known(kind: str) -> Deed:
    """A corrupt official may have gone into a pouch that was filled up."""
    return {"needs": [[SURE]]} if kind == "corrupt" else {}


def feared(effects: Iterable[Effect]) -> list[Deed]:
    """What effects may take away where it can't be told whether they are used."""
    deeds: list[Deed] = []
    for effect in effects:
        kinds = (effect.what,) if effect.what in KINDS else KINDS
        if effect.does in ("remove", "exchange", "move"):
            deeds += [{"costs": {kind: 1}} for kind in kinds] * effect.n
        if effect.does in ("gain", "exchange"):
            into = effect.what if effect.does == "gain" else effect.into
            deeds += [{"costs": {pool(kind): 1}} for kind in ((into,) if into in KINDS else CUBES)] * effect.n
        if effect.does == "add_marker":
            deeds += [
                {"costs": {MARKERS: 1}, **({"adds": {CLAIMED: 1}} if effect.what == "character" else {})}
            ] * effect.n
    return deeds
