"""The order form of the realm: all that it offers a seat for the next turn, as plain data (kingdom/render/order_form.py says how it is read).

It is made of the functions that decide when the turn is run, from what the seat knows, so it offers nothing that they refuse.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from kingdom.engine.names import words
from kingdom.games.realm.offers.army_forms import army_forms
from kingdom.games.realm.offers.course import before_orders
from kingdom.games.realm.offers.court import (
    answer_choices,
    capital_choice,
    edict_choices,
    leadership,
    loyalty_choice,
    surrender_choice,
)
from kingdom.games.realm.offers.form_model import (
    KEPT,
    ONE,
    PIERS,
    Counter,
    FormOffer,
    Ground,
    Model,
    Option,
    Part,
    Section,
    Town,
    field,
    held,
    offer,
    options,
    slot,
    slots,
    whole,
)
from kingdom.games.realm.offers.land import LANDLESS, abandon_offers, claim_offers, improve_offers, settle_offers
from kingdom.games.realm.offers.special import door_choices, hexes_said, special_offers
from kingdom.games.realm.offers.towns import firsts, kinds, shapes, town_offers
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import limits
from kingdom.games.realm.state import World, replace
from kingdom.games.realm.steps.shared import USED, most_special_edicts
from kingdom.games.realm.steps.trade.open_routes import partners
from kingdom.games.realm.visibility.known import others

TEXT = 4000  # characters of a message or a request


def form_page(seen: World, seat: str, rules: Rules) -> Model:
    """What the seat's order form offers for the turn after `seen`, which is what it knows."""
    kingdom = seen.kingdoms[seat]
    if kingdom.destroyed:
        return _letters_alone("This kingdom is destroyed.", seen, seat)
    if kingdom.anarchy == seen.turn + 1:
        return _letters_alone("The next turn is one of anarchy: nothing is carried out but messages.", seen, seat)
    ground = _ground(seen, seat, rules)
    towns = town_offers(ground)
    return _pooled(
        {
            "notice": "",
            "counters": _counters(ground),
            "coin": "treasury",
            "facts": _facts(ground),
            "sections": [section for section in _sections(ground, towns) if section["parts"]],
            "towns": {
                town["name"]: {name: town[name] for name in ("hex", "open", "standing", "left", "half")}
                for town in towns
            },
            "kinds": kinds(rules),
            "shapes": shapes(rules),
            "places": hexes_said(ground),
        }
    )


def _letters_alone(why: str, seen: World, seat: str) -> Model:
    """A form for a turn in which nothing is ordered."""
    letters = _letters(seen, seat, heard=False)
    return {"notice": why, "counters": [], "coin": "", "facts": [], "sections": [letters], "places": {}}


def _sections(ground: Ground, towns: list[Town]) -> Iterator[Section]:
    """The sections in the order in which they stand, those too that offer nothing."""
    claims = claim_offers(ground)
    land = _land(ground, claims, improve_offers(ground, claims))
    trade = _grouped([*special_offers(ground), *door_choices(ground)])
    yield _section("answers", "What you were asked", "", list(answer_choices(ground)))
    yield _section("land", "Land", "Claims come first, then improvements, then settlements.", land)
    yield _section(
        "towns",
        "Settlements",
        "",
        [_town(town, len(ground.kingdom.settlements[town["name"]].waiting)) for town in towns],
    )
    yield _section("armies", "Armies", "", _armies(ground))
    yield _section("edicts", "Edicts", "", _edicts(ground))
    yield _section("special", "Special edicts and trade", "", trade)
    worked_off = "Worked off after this turn's orders, and when none came, until it is done."
    yield _section("plan", "Plan", worked_off, _plan(ground))
    yield _letters(ground.seen, ground.seat)


def _pooled(model: Model) -> Model:
    """The model with the places and prices of buildings, of which many are alike, each once in a pool."""
    places: dict[tuple[tuple[str, str], ...], int] = {}  # what is in a pool -> its number
    prices: dict[tuple[tuple[str, Sequence[tuple[int, int]]], ...], int] = {}
    works = [
        offer["work"]
        for section in model["sections"]
        for part in section["parts"]
        for offer in part.get("offers", ())
        if "work" in offer
    ]
    for work in works:
        if isinstance(work["places"], dict):
            work["places"] = places.setdefault(tuple(work["places"].items()), len(places))
        if isinstance(work["prices"], Mapping):
            work["prices"] = prices.setdefault(tuple(work["prices"].items()), len(prices))
    pools: dict[str, list[dict[str, object]]] = {
        "places": [dict(row) for row in places],
        "prices": [dict(row) for row in prices],
    }
    return {**model, "pools": pools}


def _ground(seen: World, seat: str, rules: Rules) -> Ground:
    alone = before_orders(seen, seat, rules)
    kingdom = replace(alone.kingdoms[seat], plan=seen.kingdoms[seat].plan)
    world = replace(alone, kingdoms={**seen.kingdoms, seat: kingdom})
    lost = tuple(sorted(set(seen.kingdoms[seat].hexes) - set(kingdom.hexes)))
    return Ground(seat, kingdom, world, seen, others(seen, seat, rules), lost, rules)


def _counters(ground: Ground) -> list[Counter]:
    row, kingdom = limits(ground.kingdom, ground.rules), ground.kingdom
    first: list[Counter] = [
        {"id": f"first_{kind}", "name": f"First {ground.rules.buildings[kind].name}", "left": 1}
        for kind in firsts(ground.rules)
    ]
    return [
        {"id": "treasury", "name": "Treasury", "unit": "BP", "left": kingdom.treasury},
        {"id": "claims", "name": "Claims", "left": row.claims},
        {"id": "terrain", "name": "Improvements", "left": row.terrain},
        {"id": "settlements", "name": "Settlements and armies", "left": row.settlements},
        {"id": "buildings", "name": "Buildings", "left": row.buildings},
        *first,
        {"id": USED, "name": "Special edicts", "left": most_special_edicts(kingdom, ground.rules)[0]},
        {"id": "size", "name": "Size", "left": len(kingdom.hexes), "level": True},
    ]


def _facts(ground: Ground) -> list[str]:
    facts = [held(label) for label in sorted(ground.kingdom.hexes)] + [f"lost {label}" for label in ground.lost]
    facts += [PIERS, KEPT, *(whole(town.hex) for town in ground.kingdom.settlements.values())]
    return (
        facts
        + [f"tied {other}" for other in sorted(partners(ground.kingdom))]
        + ([] if ground.kingdom.hexes else [LANDLESS])
    )


def _section(id: str, title: str, about: str, parts: Iterable[Part]) -> Section:
    return {"id": id, "title": title, "about": about, "parts": [part for part in parts if _holds(part)]}


def _holds(part: Part) -> bool:
    return bool(part.get("offers") or part.get("options"))


def _land(ground: Ground, claims: list[FormOffer], improvements: list[FormOffer]) -> list[Part]:
    return [
        {"title": "Claim", "offers": claims},
        {"title": "Improve", "offers": improvements, "by": "at", "folded": True},
        {"title": "Found a settlement", "offers": settle_offers(ground, improvements)},
        {"title": "Abandon", "offers": abandon_offers(ground), "folded": True},
        {"title": "Capital", "offers": capital_choice(ground), "folded": True},
        {"title": "Surrender", "offers": surrender_choice(ground), "folded": True},
    ]


def _town(town: Town, waiting: int) -> Part:
    about = f"in {town['hex']}" + (f"; {waiting} of its buildings not in service yet" if waiting else "")
    return {"title": town["name"], "offers": town["offers"], "by": "rank", "about": about, "names": {
        "build": "Build", "upgrade": "Upgrade", "demolish": "Demolish"}}  # fmt: skip


def _armies(ground: Ground) -> list[Part]:
    made = army_forms(ground)
    groups = dict.fromkeys(each.get("group", "") for each in made)
    parts: list[Part] = []
    for group in groups:
        parts += [{"title": group, "offers": [each for each in made if each.get("group", "") == group]}]
    return parts


def _edicts(ground: Ground) -> list[Part]:
    rows: list[Part] = [{**each, "kind": "choice"} for each in edict_choices(ground)]
    rows.append({**leadership(ground), "kind": "some"})
    rows.append(
        {
            "kind": "choice",
            "title": "Unrest",
            "none": {"text": "nothing", "more": "no Loyalty check"},
            "offers": loyalty_choice(ground),
        }
    )
    return rows


def _grouped(offers: list[FormOffer]) -> list[Part]:
    groups = dict.fromkeys(each.get("group", "") for each in offers)
    return [
        {"title": group or "Others", "offers": [each for each in offers if each.get("group", "") == group]}
        for group in groups
    ]


def _plan(ground: Ground) -> list[Part]:
    if ground.rules.work_plan is None:
        return []
    rules, kingdom = ground.rules, ground.kingdom
    labels = sorted(ground.seen.hexes)
    towns = [
        name
        for name in sorted(kingdom.settlements)
        if name.isascii() and name.replace(" ", "").isalnum() and not _reads_on(name)
    ]
    lands = options((word, words(word)) for word, kind in rules.improvements.items() if kind.order)
    standing = sorted(
        {building.id for town in towns for building in kingdom.settlements[town].buildings},
        key=list(rules.buildings).index,
    )
    kinds_there = options((word, rules.buildings[word].name) for word in standing)
    made = [
        offer("plan claim", "plan", "plan", slots("claim {hex}"), "Plan a claim", fields=[
            field("hex", "Hex", "choice", on_map=True, options=options((label, label) for label in labels if label not in kingdom.hexes))]),
        offer("plan improve", "plan", "plan", slots("{what} {hex}"), "Plan an improvement", fields=[
            field("what", "Improvement", "choice", options=lands),
            field("hex", "Hex", "choice", on_map=True, options=options((label, label) for label in labels))]),
        *([offer("plan build", "plan", "plan", slots("{what} in {town}"), "Plan a building", fields=[
            field("what", "Building", "choice", options=options((word, kind.name) for word, kind in rules.buildings.items())),
            field("town", "In", "choice", options=options((name, name) for name in towns))])] if towns else []),
        *([offer("plan upgrade", "plan", "plan", slots("upgrade {what} to {new} in {town}"), "Plan an upgrade", fields=[
            field("what", "Building", "choice", options=[
                each for each in kinds_there if rules.buildings[str(each["value"])].upgrades_to]),
            field("new", "Becomes", "choice", options=_becomes(standing, rules)),
            field("town", "In", "choice", options=options((name, name) for name in towns))])] if _becomes(standing, rules) else []),
        *([offer("plan demolish", "plan", "plan", slots("demolish {what} in {town}"), "Plan a demolition", fields=[
            field("what", "Building", "choice", options=kinds_there),
            field("town", "In", "choice", options=options((name, name) for name in towns))])] if standing else []),
        offer("reserve", "plan", "reserve", slot("bp"), "BP that the plan leaves", ONE, takes=["reserve"], fields=[
            field("bp", "BP", "number", least=0, most=9999, value=kingdom.reserve)]),
        *([offer("no plan", "plan", "plan", None, "End the plan that stands", takes=["plan"], empties=True)] if kingdom.plan else []),
    ]  # fmt: skip
    return [{"title": "", "offers": made, "about": f"It stands: {', '.join(kingdom.plan)}" if kingdom.plan else ""}]


def _becomes(standing: Iterable[str], rules: Rules) -> list[Option]:
    """What the buildings that stand may become, each where it may."""
    into: dict[str, list[str]] = {}
    for word in standing:
        for new in rules.buildings[word].upgrades_to:
            into.setdefault(new, []).append(word)
    return [{"value": new, "text": rules.buildings[new].name, "when": {"what": of}} for new, of in into.items()]


def _reads_on(name: str) -> bool:
    """Whether a name holds a word of the short forms, which would be read as more than a name."""
    return not {"at", "in", "water", "to"}.isdisjoint(name.casefold().split())


def _letters(seen: World, seat: str, heard: bool = True) -> Section:
    """Messages, and unless the turn is one of anarchy requests."""
    to = [("all", "all")] + [
        (other, kingdom.name or other) for other, kingdom in seen.kingdoms.items() if other != seat
    ]
    text = field("text", "Text", "lines", most=TEXT)
    made = [
        offer("message", "messages", "messages", {"to": slot("to"), "text": slot("text")}, "Write a message",
              fields=[field("to", "To", "choice", options=options(to)), text]),
        *([offer("request", "messages", "requests", slot("text"), "Ask the GM for a ruling", fields=[text])] if heard else []),
        offer("final", "messages", "final", True, "I am done", ONE, takes=["final"], more="the turn need not wait for you"),
    ]  # fmt: skip
    return _section("letters", "Messages and requests", "", [{"title": "", "offers": made}])
