"""The order forms of King's Pouch for the next run: as plain data for a page (kingdom/render/order_form.py says how it is read), and as text.

The page counts as the engine will while only this seat plays and nothing is drawn, so it offers nothing that the engine refuses."""

from __future__ import annotations

from kingdom.games.kings_pouch.offers import wanted
from kingdom.games.kings_pouch.page import placing, resting, wishing
from kingdom.games.kings_pouch.page.deeds import (
    ACTIONS,
    ARMY,
    CLAIMED,
    GOLD,
    LETTERS,
    MARKERS,
    PLACING,
    PRESTIGE,
    RESTING,
    SURE,
    Button,
    Data,
    discount,
    free,
    pool,
    room,
)  # fmt: skip
from kingdom.games.kings_pouch.page.deeds import (
    resting as rests,
)
from kingdom.games.kings_pouch.report import people
from kingdom.games.kings_pouch.report.board import picture
from kingdom.games.kings_pouch.report.orders import waits
from kingdom.games.kings_pouch.rules import Rules, board_for
from kingdom.games.kings_pouch.state import KINDS, Table
from kingdom.games.kings_pouch.steps import counted, said
from kingdom.games.kings_pouch.steps.land import army_for, castles, land
from kingdom.games.kings_pouch.steps.rounds import SET_UP, due
from kingdom.games.kings_pouch.types import Now
from kingdom.orders import kit
from kingdom.orders.kit.pages import letters


def form_page(seen: Table, seat: str, rules: Rules) -> Data:
    """What the seat's order form offers for the run after `seen`, which is what it knows."""
    if seat not in due(seen, rules):
        return {**_EMPTY, "notice": waits(seen, rules), "sections": [letters(seen.lords, seat, LETTERS)]}
    map_of = {"picture": picture(seen, seat, rules, pressed=True), "places": _places(seen, seat, rules)}
    if seen.round == SET_UP:
        before = due(seen, rules).index(seat)
        about = (
            f"{counted(before, 'player')} may choose before you, so name {before + 1} at least, the best one first."
            if before
            else "You choose first."
        )
        section = _section(
            "castle", "Your castle", about, {"title": "", "offers": list(resting.castle(seen, seat, rules))}
        )
        return {
            **_EMPTY,
            **map_of,
            "board": _board("castle", "chosen"),
            "sections": [section, letters(seen.lords, seat, LETTERS)],
        }
    return {
        **_EMPTY,
        **map_of,
        "board": _board("manage", "ordered"),
        **_turn(seen, seat, rules),
        "coin": GOLD,
        "ordered": ["place", "manage"],
    }


_EMPTY: Data = {"notice": "", "counters": [], "coin": "", "facts": [], "sections": [], "places": {}}


def _board(key: str, done: str) -> Data:
    return {"thing": "territory", "key": key, "done": done, "open": "may be occupied", "small": True}


def _turn(seen: Table, seat: str, rules: Rules) -> Data:
    lord, wishes = seen.lords[seat], wishing.Wishes(seen, seat, rules)
    sections = [
        *_placing(seen, seat, rules),
        *_managing(seen, seat, wishes, rules),
        _rest(seen, seat, wishes, rules),
        letters(seen.lords, seat, LETTERS),
    ]
    return {
        "counters": _counters(seen, seat, rules),
        "facts": [SURE, RESTING, PLACING, *placing.opened(lord, rules), *wishing.held(seen, seat, rules)],
        "before": placing.before(lord, rules),
        "deeds": {**placing.slot_deeds(lord, rules), **wishes.deeds},
        "sections": [section for section in sections if section["parts"]],
    }


def _section(id: str, title: str, about: str, *parts: Data) -> Data:
    return {"id": id, "title": title, "about": about, "parts": [part for part in parts if part["offers"]]}


def _counters(seen: Table, seat: str, rules: Rules) -> list[Data]:
    lord = seen.lords[seat]
    marked = {"territory": seen.territories, "character": seen.claimed}
    hidden = {CLAIMED: 0, **{named(action): 0 for named in (discount, free) for action in ACTIONS}}
    hidden |= {pool(kind): getattr(seen.pool, kind) for kind in KINDS} | {
        rests(kind): getattr(lord.rest, kind) for kind in KINDS
    }
    for what, held in marked.items():
        hidden[room(what)] = sum(
            rules.most_markers.most - marked_by.markers for marked_by in held.values() if marked_by.owner == seat
        )
    return [
        {"id": GOLD, "name": "Gold", "left": 0, "word": "gold"},
        {"id": ARMY, "name": "Army", "left": 0, "word": "army"},
        *({"id": kind, "name": kind.capitalize(), "left": getattr(lord.active, kind)} for kind in KINDS),
        {"id": MARKERS, "name": "Markers", "left": lord.markers},
        {
            "id": PRESTIGE,
            "name": "Prestige then",
            "left": lord.prestige + (0 if lord.taxed else rules.tax.prestige),
            "debt": True,
        },
        *({"id": name, "name": name.capitalize(), "left": left, "level": True} for name, left in hidden.items()),
    ]


def _placing(seen: Table, seat: str, rules: Rules) -> list[Data]:
    lord = seen.lords[seat]
    names = {
        building: f"{rules.buildings[building].name} ({rules.buildings[building].colour})"
        for building in lord.buildings
    }
    names = {building: name.replace(" (none)", "") for building, name in names.items()}
    about = f"Active: {people(lord.active)}. In the rest area: {people(lord.rest)}. In the pouch: {people(lord.pouch)}. In the pool: {people(seen.pool)}."
    places = {
        "title": "",
        "about": about,
        "offers": list(placing.placements(seen, lord, seat, rules)),
        "by": "building",
        "names": names,
    }
    hopes = {"title": "", "offers": list(placing.hopes(lord, rules)), "by": "building", "names": names}
    said_of = "Placed one after the other, in the order in which you choose them. Buildings without slots are used by themselves."
    sweep = "After those above: the buildings as they stand, again and again, specialists before commons."
    return [
        _section("place", "Citizens on buildings", said_of, places),
        _section(
            "hope",
            "Citizens who may be drawn",
            "Where a building draws citizens in your turn: each is placed if it is there by then.",
            hopes,
        ),
        _section("sweep", "All the others", sweep, {"title": "", "offers": list(placing.sweeps(lord, rules))}),
    ]


def _managing(seen: Table, seat: str, wishes: wishing.Wishes, rules: Rules) -> list[Data]:
    lord = seen.lords[seat]
    before = seen.order[: seen.order.index(seat)]
    late = (
        f" Before you {counted(len(before), 'player')} may take what you wish for: then the next of a list counts."
        if before
        else ""
    )
    texts = {
        "build": ("Build", f"One card a round, for gold; it is finished at the end of your turn.{late}"),
        "claim": ("Claim characters", "For gold, each one more for more; prices are as things stand."),
        "occupy": (
            "Occupy territories",
            f"For army: the distance, and more against others. You have {counted(lord.markers, 'marker')} in hand.",
        ),
    }
    collected = {**_section("tax", "Tax", ""), "parts": [resting.tax(Now(seen, seat, rules))]}
    return [
        collected,
        *(
            _section(word, title, about, {"title": "", "offers": wishes.of(word)})
            for word, (title, about) in texts.items()
        ),
    ]


def _rest(seen: Table, seat: str, wishes: wishing.Wishes, rules: Rules) -> Data:
    offers: list[Button] = list(resting.resting(seen.lords[seat], wishes.effects, rules))
    return _section(
        "rest",
        "Rest",
        "Gold and army that are left become prestige; then citizens are drawn.",
        {"title": "", "offers": offers},
    )


def _places(seen: Table, seat: str, rules: Rules) -> dict[str, str]:
    """Each territory in use, in words, with the army that it takes as things stand."""
    homes, texts, board = castles(seen), {}, board_for(rules, len(seen.lords))
    for place in land(rules, len(seen.lords)):
        held = seen.territories.get(place)
        whose = (
            f"the castle of {homes[place]}"
            if place in homes
            else f"{held.owner}, {counted(held.markers, 'marker')}"
            if held
            else "empty"
        )
        words = [*(["the palace"] if place == rules.map.palace else []), whose]
        if seen.round == SET_UP and board and place in board.castles and place not in homes:
            words.append("a castle may stand here")
        elif seen.lords[seat].castle and (homes.get(place) or (held.owner if held else "")) != seat:
            words.append(f"{army_for(seen, seat, place, rules)} army")
        texts[said(place)] = ", ".join(words)
    return texts


def form_text(table: Table, seat: str, rules: Rules) -> list[str]:
    """The order form as text, below its head."""
    decisions = wanted(table, seat, rules)
    return kit.text_form(decisions) if decisions else kit.remark(waits(table, rules))
