"""All that a seat of the realm may order as things stand, put together: the list of offers, what a report says of it, the order form.

A room for each subject (land, buildings, court, war, abroad) lists what there is to order, as light records with their prices, and draws
on that list three times: an offer is what the order's own step would carry out now, a report says what the treasury can pay, the form
gets what it takes when other orders come before it. So a candidate need not be allowed; but nothing is allowed that is no candidate.

Each kind of offers asks the functions that its step asks, of the kingdom as the orders so far leave it at that step. So every
offer is one that `kingdom check` finds nothing wrong with, whatever of the list was chosen before it. The form is plain data
(kingdom/render/order_form.py says how it is read), made of the same functions from what the seat knows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from kingdom.engine.names import words
from kingdom.engine.offer import LIST, ONE, Offer, together
from kingdom.engine.step import Orders
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.effects import EDICTS as CATEGORIES
from kingdom.games.realm.forecast.turn_preview import (
    ORDER,
    Course,
    before_orders,
    offers_of,
    preview,
)
from kingdom.games.realm.hexmap import PricedLie
from kingdom.games.realm.offers import answers, figures, towns
from kingdom.games.realm.offers.form_model import (
    RANKS,
    Counter,
    FormOffer,
    Ground,
    Model,
    Part,
    Section,
    decisions,
    offer,
    slot,
    slots,
)
from kingdom.games.realm.orders.adventurers import PARTIES
from kingdom.games.realm.orders.building import CONSTRUCT, BuildingRow
from kingdom.games.realm.orders.claim import claim_cost
from kingdom.games.realm.orders.court import listed
from kingdom.games.realm.orders.declaration import CLAIM, DECISIONS, ORDERS
from kingdom.games.realm.orders.edicts import what_it_does
from kingdom.games.realm.orders.explore import expedition_offers
from kingdom.games.realm.orders.improve import IMPROVE, ImprovementRow, does
from kingdom.games.realm.orders.kind import KEPT, LANDLESS, PIERS, Now, held, whole
from kingdom.games.realm.orders.words import ARMIES, HEXES, QUESTIONS, ROUTES, SETTLEMENTS
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import leadership_bonus, led, limits
from kingdom.games.realm.state import Kingdom, World, replace
from kingdom.games.realm.steps.land.losing import capital_hex
from kingdom.games.realm.steps.shared import USED, most_special_edicts
from kingdom.games.realm.steps.towns.construction import LIMIT
from kingdom.games.realm.steps.towns.construction import SETTLEMENTS as ROOM
from kingdom.games.realm.steps.towns.grid import grid_of
from kingdom.games.realm.steps.trade.open_routes import partners
from kingdom.games.realm.visibility.known import company
from kingdom.orders.kit.pages import TEXT, letters
from kingdom.orders.orders_file import lines_of

KINDS: Mapping[str, Callable[[Course], Iterator[Offer]]] = {
    kind.at: offers_of(*(other for other in DECISIONS if other.at == kind.at), short=True) for kind in DECISIONS
}


def offers(known: World, seat: str, rules: Rules, orders: Orders) -> list[Offer]:
    """What more the seat may order, given the orders so far, in the order of the turn. known: what it knows (known.py).

    Orders are given in the order in which a turn carries them out: what would come before one that is given already might
    take away what that one needs, and is no longer offered.
    """
    kingdom = known.kingdoms[seat]
    if kingdom.destroyed or kingdom.anarchy == known.turn + 1:
        return []
    now = preview(known, seat, rules).course(orders)
    given = [kind.at for kind in DECISIONS if kind.filed(orders)]
    given += [part for part in ("plan", "reserve") if orders.get(part) not in (None, [])]
    latest = max(map(ORDER.index, given), default=0)
    found = []
    for kind in (KINDS[part] for part in ORDER[latest:] if part in KINDS):
        for made in kind(now):
            found.append(made if made.picks else made._replace(short=_line(made)))
    return found


def _line(made: Offer) -> str:
    """The line of an orders file that says it, "" if it takes several."""
    if made.short and made.how == LIST:
        return f"{made.key}: {made.short}"
    ((key, value),) = together([made]).items()
    return "".join(lines_of(ORDERS, key, value) or ()).rstrip()


# --- the names that orders may mean


def offered(world: World, seat: str | None, rules: Rules) -> Mapping[str, list[str]]:
    """List -> its names. world: what the seat knows; of the GM, None, the whole one, with the names of all kingdoms."""
    own = [world.kingdoms[seat]] if seat else [kingdom for kingdom in world.kingdoms.values() if not kingdom.destroyed]
    return {
        HEXES: sorted(label for label, hex in world.hexes.items() if not rules.terrain[hex.terrain].unseen),
        SETTLEMENTS: [name for kingdom in own for name in kingdom.settlements],
        "capital": [kingdom.capital for kingdom in own if kingdom.capital],
        ARMIES: [name for kingdom in own for name in kingdom.armies],
        ROUTES: [key for kingdom in own for key in kingdom.routes],
        QUESTIONS: [pending.key for kingdom in own for pending in kingdom.pending],
    }


# --- what a report says of it


class Options(TypedDict):
    """What may be done in the next turn: how many of each thing, and what.

    anywhere: the price of any hex for a kingdom without one. none_built: why there are no buildings.
    """

    limits: dict[str, int]
    anywhere: int | None
    claimable: list[PricedLie]
    improvements: list[ImprovementRow]
    buildings: list[BuildingRow]
    none_built: str
    expeditions: dict[str, Any] | None


# one list of all parts, each by its key
def may_do(seen: World, world: World, seat: str, rules: Rules) -> Options | None:
    """The limits of the next turn, the hexes that may be claimed, and what the treasury affords, each with its price.

    seen: what the seat knows (known.py); world: the kingdom as the next turn's orders find it (turn_preview.py).
    None where the next turn is one of anarchy.
    """
    kingdom = world.kingdoms[seat]
    if kingdom.destroyed or kingdom.anarchy == world.turn + 1:
        return None
    now, row = Now(replace(world, kingdoms={**seen.kingdoms, seat: kingdom}), seat, rules), limits(kingdom, rules)
    return {
        "limits": {
            "hex claims": row.claims,
            "terrain improvements": row.terrain,
            "new settlements": row.settlements,
            "buildings": row.buildings,
            "special edicts": most_special_edicts(kingdom, rules)[0],
        },
        "anywhere": None if kingdom.hexes or kingdom.given_up else claim_cost(False, rules),  # ruling no_hexes
        "claimable": [*CLAIM.rows(now)],
        "improvements": [*IMPROVE.rows(now)],
        "buildings": (built := [*CONSTRUCT.rows(now)]),
        "none_built": "" if built else towns.none_built(Ground(seat, kingdom, now.state, seen, (), rules)),
        "expeditions": expedition_offers(kingdom, seen, rules),
    }


def options(known: World, seat: str, rules: Rules) -> Options | None:
    """What the seat may do in the turn that follows what it knows, asked of the turn once for report and advice."""
    now = before_orders(known, seat, rules)
    return preview(known, seat, rules).once("may do", {}, lambda: may_do(company(known, seat), now, seat, rules))


# --- the order form


TABS = [
    ["map-title", "Map"], ["section-towns-title", "Towns"], ["section-armies-title", "Armies"], ["section-special-title", "Special"],
    ["section-edicts-title", "Edicts"], ["send-title", "Send"],
]  # fmt: skip


def form_page(seen: World, seat: str, rules: Rules) -> Model:
    """What the seat's order form offers for the turn after `seen`, which is what it knows."""
    kingdom = seen.kingdoms[seat]
    if kingdom.destroyed or kingdom.anarchy == seen.turn + 1:
        anarchy = "The next turn is one of anarchy: nothing is carried out but messages."
        notice = "This kingdom is destroyed." if kingdom.destroyed else anarchy
        return {
            "notice": notice,
            "counters": [],
            "coin": "",
            "facts": [],
            "sections": [_letters(seen, seat, heard=False)],
            "places": {},
        }
    ground = _ground(seen, seat, rules)
    sections = [section for section in _sections(ground) if section["parts"]]
    figures.told(sections, ground)
    grounds = {name: towns.town_of(name, ground) for name in sorted(ground.kingdom.settlements)}
    offers = [offer for section in sections for part in section["parts"] for offer in part["offers"]]
    counted = {offer["work"]["kind"] for offer in offers if "work" in offer}
    counted |= {building["kind"] for town in grounds.values() for building in town["standing"]}
    for town in grounds.values():
        town["left"] = {kind: left for kind, left in town["left"].items() if kind in counted}
    return {
        "notice": "",
        "counters": _counters(ground),
        "coin": "treasury",
        "facts": _facts(ground),
        "sections": sections,
        "tabs": TABS,
        "bar": figures.bar(ground),
        "scripts": ["bar.js", "towns.js", "buildings.js", *(["later.js"] if rules.work_plan else [])],
        "does": {IMPROVE.key: {word: text for word in rules.improvements if (text := does(word, rules))}},
        **_later(ground.kingdom, rules),
        "board": {
            "thing": "hex",
            "key": CLAIM.key,
            "done": "claimed",
            "open": "may be claimed",
            "home": capital_hex(kingdom) or min(kingdom.hexes, default=""),
        },
        "towns": grounds,
        "closed": towns.closed_in_most([part for section in sections for part in section["parts"] if "closed" in part]),
        "kinds": towns.kinds_counted(counted, rules),
        "shapes": towns.shapes(grid_of(rules.lots.columns, rules.lots.rows)),
        "places": {
            label: words(rules.terrain[hex.terrain].name)
            for label, hex in sorted(seen.hexes.items())
            if not rules.terrain[hex.terrain].unseen
        },
    }


def _sections(ground: Ground) -> Iterator[Section]:
    """The sections in the order in which they stand, those too that offer nothing."""
    asked = _section("answers", "What you were asked", "", [], answers.answer_choices(ground))
    yield {**asked, "first": True, "folded": False}
    yield _section("land", "Land", "Claims come first, then improvements, then settlements.", ["claims", "terrain", ROOM], [
        {"title": "Claim", "offers": decisions(ground, "land", "Claim")},
        {"title": "Improve", "offers": decisions(ground, "land", "Improve"), "by": "at"},
        {"title": "Found a settlement", "offers": decisions(ground, "land", "Found a settlement")},
        {"title": "Abandon", "offers": decisions(ground, "land", "Abandon")},
        {"title": "Capital", "offers": decisions(ground, "land", "Capital")},
        {"title": "Surrender", "offers": decisions(ground, "land", "Surrender")},
    ])  # fmt: skip
    works = decisions(ground, "towns")
    yield _section("towns", "Settlements", "", [LIMIT], [
        {
            "title": name, "offers": (there := [each for each in works if each["value"]["in"] == name]), "kind": "town", "at": town.hex,
            "closed": towns.closed(name, there, ground),
            "about": f"in {town.hex}" + (f"; {len(town.waiting)} of its buildings not in service yet" if town.waiting else ""),
        }
        for name, town in sorted(ground.kingdom.settlements.items(), key=lambda row: (row[0] != ground.kingdom.capital, row[0]))
    ])  # fmt: skip
    armies = sorted(decisions(ground, "armies"), key=lambda each: "fields" not in each)
    yield _section("armies", "Armies", "", [ROOM], _grouped(armies, ""))
    special = sorted(decisions(ground, "special"), key=lambda each: each.get("group") != PARTIES)
    yield _section("special", "Special edicts and trade", "", [USED], _grouped(special, "Others"))
    yield _section("edicts", "Edicts", "", [], _of_the_court(ground))
    worked_off = "Worked off after this turn's orders, and when none came, until it is done."
    yield _section("plan", "Plan", worked_off, [], _plan(ground))
    yield _letters(ground.seen, ground.seat)


def _of_the_court(ground: Ground) -> Iterator[Part]:
    """The levels of each edict, of which one holds if nothing is said; leadership; what is done about Unrest."""
    new = decisions(ground, "edicts")
    for category in CATEGORIES:
        level, table = getattr(ground.kingdom, category), getattr(ground.rules.edicts, category)
        does = what_it_does(table[level])
        none = {"text": words(level), "more": f"as now: {does}".removesuffix(": "), "place": [*table].index(level)}
        offers = [offer for offer in new if offer["takes"] == [category]]
        yield {"title": words(category).capitalize(), "none": none, "offers": offers, "kind": "choice"}
    count, bonus = leadership_bonus(ground.kingdom.edict_size, ground.rules)
    yield {
        "kind": "choice", "title": "Leadership",
        "about": f"{bonus:+d} to {'one attribute' if count == 1 else f'{count} attributes'}",
        "none": {"text": listed(led(ground.kingdom, ground.rules)), "more": "as now"},
        "offers": decisions(ground, "edicts", "Leadership"),
    }  # fmt: skip
    none = {"text": "nothing", "more": "no Loyalty check"}
    roused, heads = ground.rules.rouse_the_people, ground.rules.change_minds_by_breaking_heads
    about = (
        f"A Loyalty check. Rousing adds {roused.least} or more to the attribute next turn; if it fails, Unrest {roused.failure_unrest:+d}. "
        f"Breaking heads: Unrest {heads.success_unrest:+d} or better; if it fails, Loyalty {heads.failure_loyalty:+d} next turn."
    )
    yield {
        "kind": "choice",
        "title": "Unrest",
        "about": about,
        "none": none,
        "offers": decisions(ground, "edicts", "Unrest"),
    }


def _section(id: str, title: str, about: str, left: list[str], parts: Iterable[Part]) -> Section:
    """A section, its parts that offer nothing left out. left: the counters of which it says what is left."""
    holding = [part for part in parts if part.get("offers") or part.get("options") or part.get("closed")]
    more = {"left": left} if left else {}
    return {"id": id, "title": title, "about": about, **more, "folded": True, "parts": holding}


def _grouped(offers: list[FormOffer], rest: str) -> list[Part]:
    """A part for each group of offers; `rest` is the title of those in none."""
    groups: dict[str, list[FormOffer]] = {}
    for each in offers:
        groups.setdefault(each.get("group", ""), []).append(each)
    return [{"title": group or rest, "offers": made} for group, made in groups.items()]


def _ground(seen: World, seat: str, rules: Rules) -> Ground:
    alone = before_orders(seen, seat, rules)
    kingdom = alone.kingdoms[seat]
    world = replace(alone, kingdoms={**seen.kingdoms, seat: kingdom})
    lost = tuple(sorted(set(seen.kingdoms[seat].hexes) - set(kingdom.hexes)))
    return Ground(seat, kingdom, world, seen, lost, rules)


def _counters(ground: Ground) -> list[Counter]:
    row, kingdom = limits(ground.kingdom, ground.rules), ground.kingdom
    return [
        {"id": "treasury", "name": "Treasury", "unit": "BP", "left": kingdom.treasury},
        {"id": "claims", "name": "Claims", "left": row.claims},
        {"id": "terrain", "name": "Improvements", "left": row.terrain},
        {"id": ROOM, "name": "Settlements and armies", "left": row.settlements},
        *towns.counters(ground),
        {"id": USED, "name": "Special edicts", "left": most_special_edicts(kingdom, ground.rules)[0]},
        {"id": "size", "name": "Size", "left": len(kingdom.hexes), "level": True},
        *figures.counters(ground),
    ]


def _facts(ground: Ground) -> list[str]:
    facts = [held(label) for label in sorted(ground.kingdom.hexes)] + [f"lost {label}" for label in ground.lost]
    facts += [PIERS, KEPT, *(whole(town.hex) for town in ground.kingdom.settlements.values())]
    facts += [f"tied {other}" for other in sorted(partners(ground.kingdom))]
    return facts if ground.kingdom.hexes else [*facts, LANDLESS]


def _plan(ground: Ground) -> list[Part]:
    if ground.rules.work_plan is None:
        return []
    made = [
        offer("reserve", "plan", "reserve", slot("bp"), "BP that the plan leaves", ONE, takes=["reserve"], fields=[
            {"name": "bp", "label": "BP", "kind": "number", "least": 0, "most": 9999, "value": ground.kingdom.reserve}]),
        *([offer("no plan", "plan", "plan", None, "End the plan that stands", takes=["plan"], empties=True)] if ground.kingdom.plan else []),
    ]  # fmt: skip
    stands = f"It stands: {', '.join(ground.kingdom.plan)}. " if ground.kingdom.plan else ""
    return [
        {"title": "", "offers": made, "about": f"{stands}Press Later beside a chosen order to put it into the plan."}
    ]


def _later(kingdom: Kingdom, rules: Rules) -> dict[str, Any]:
    """How a plan names the orders that are marked "later". free: what the line of an order leaves open.

    names: what its words may be, as the short forms read on behind some words.
    """
    if rules.work_plan is None:
        return {}
    place = ["lot", "border"]
    lines = [
        (CLAIM.key, f"{CLAIM.key} {{hex}}", []), (IMPROVE.key, "{build} {hex}", []), ("settle", "settle {name} {hex}", []),
        ("build", "{build} in {in}", []), ("build", "upgrade {upgrade} to {to} in {in}", place), ("build", "demolish {demolish} in {in}", place),
    ]  # fmt: skip
    return {"later": {
        "key": "plan", "names": r"^(?!(.* )?(at|in|water|to)( |$))[a-z0-9_]+( [a-z0-9_]+)*$", "stands": list(kingdom.plan),
        "lines": [{"key": key, "words": re.findall(r"{(\w+)}", line), "line": slots(line), "free": free} for key, line, free in lines],
    }}  # fmt: skip


def _letters(seen: World, seat: str, heard: bool = True) -> Section:
    """Messages, and unless the turn is one of anarchy requests."""
    names = {other: kingdom.name or other for other, kingdom in seen.kingdoms.items()}
    section: Section = {**letters(seen.kingdoms, seat, RANKS.index("messages"), names)}
    fields = [{"name": "text", "label": "Text", "kind": "lines", "most": TEXT}]
    request = offer("request", "messages", "requests", slot("text"), "Ask the GM for a ruling", fields=fields)
    section["parts"][0]["offers"][1:1] = [request] if heard else []
    return {**section, "folded": heard}
