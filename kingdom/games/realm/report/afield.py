"""What a kingdom sees and does beyond its own land, as rows for a report: armies, monsters, routes and land in sight, land that it
remembers; its expeditions and hired adventurers; its trade."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kingdom.engine.step import Facts
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.armies import acr, called, party_acr, party_hp, rating
from kingdom.games.realm.orders.customs import DOORS, stopped_by_doors
from kingdom.games.realm.report.parts import Part
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.sheet import route_consumption, split
from kingdom.games.realm.state import Expedition, Guest, Hex, Kingdom, Party, Route, Sighting, World, owners
from kingdom.games.realm.types import Result
from kingdom.games.realm.visibility.sight import sees


def sights(result: Result, seat: str, part: Part, seen: World, rules: Rules) -> list[Facts]:
    """What a report shows of sights, for one seat: a row with its lines for each sort. part: its part of the turn; seen: what it
    knows after it (known.py). Nothing where the rules have no `vision`."""
    if rules.vision is None:
        return []
    now, memory = sees(result.after, seat, rules), seen.kingdoms[seat].memory
    new = {*now, *memory} - _known_before(result, seat, rules)
    held, own, abroad = owners(seen), seen.kingdoms[seat].hexes, dict(seen.kingdoms)
    del abroad[seat]
    monsters = ((label, seen.hexes[label].monsters) for label in sorted(now) if label not in own)
    terrains = _by_terrain({label: (seen.hexes[label], held.get(label, "")) for label in new}, seen, rules)
    rows = {
        "Foreign armies in sight": sorted(
            f"{army.hex}: {called(army, rules)}, ACR {rating(acr(army.unit, army.size, rules), rules)}, of {kingdom.name}"
            for kingdom in abroad.values()
            for army in kingdom.armies.values()
        ),
        "Monsters in sight": [f"{label}: ACR {strength}" for label, strength in monsters if strength],
        "Trade routes of others in sight": [
            f"of {kingdom.name} to {seen.kingdoms[route.to].name}, through {', '.join(route.path)}"
            for kingdom in abroad.values()
            for route in kingdom.routes.values()
            if route.to != seat
        ],
        "Land that is new to you": [f"{terrain}: {hexes}" for terrain, hexes in terrains],
        "Not in sight now, as it last was": _remembered(
            {label: each for label, each in memory.items() if label not in now}, seen, rules
        ),
    }  # what lies in land of its own stands with the land, and routes that end there with its own
    return [{"name": name, "lines": lines} for name, lines in rows.items() if lines]


def _known_before(result: Result, seat: str, rules: Rules) -> set[str]:
    """The labels of the hexes that the seat knew before the turn; at the start its own alone."""
    before = result.before.kingdoms.get(seat, Kingdom(""))
    if not result.number or seat not in result.before.kingdoms:
        return set(before.hexes)
    return sees(result.before, seat, rules).union(before.memory, before.revealed)


def _remembered(memory: dict[str, Sighting], seen: World, rules: Rules) -> list[str]:
    """A line for each turn in which hexes were last seen, the newest first, and each kingdom that held them then."""
    lines = []
    for last, holder in sorted({(-each.turn, each.holder) for each in memory.values()}):
        there = {label: (each.hex, "") for label, each in memory.items() if (-each.turn, each.holder) == (last, holder)}
        terrains = (f"{terrain.lower()} {hexes}" for terrain, hexes in _by_terrain(there, seen, rules))
        of = f", of {seen.kingdoms[holder].name}" if holder in seen.kingdoms else ""
        lines.append(f"Turn {-last}{of}: {'; '.join(terrains)}")
    return lines


def _by_terrain(hexes: Mapping[str, tuple[Hex, str]], seen: World, rules: Rules) -> Iterator[tuple[str, str]]:
    """(terrain, its hexes with what lies in each) of hexes, each with who is to be named as its holder."""
    for terrain, row in rules.terrain.items():
        lies = {
            label: _lies(hex, holder, seen, rules)
            for label, (hex, holder) in sorted(hexes.items())
            if hex.terrain == terrain
        }
        if lies:
            yield row.name, ", ".join(label + (f" ({text})" if text else "") for label, text in lies.items())


def _lies(hex: Hex, holder: str, seen: World, rules: Rules) -> str:
    """What is worth a word in a hex: features, a free city, monsters, who holds it."""
    said = [rules.features[name].name.lower() for name in hex.features]
    said += [f"free city {hex.free_city.name}"] if hex.free_city else []
    said += [f"monsters, ACR {hex.monsters}"] if hex.monsters else []
    said += [seen.kingdoms[holder].name] if holder in seen.kingdoms else []
    return ", ".join(said)


# --- what was heard

# steps of whose news other lines of a report tell
TOLD_ELSEWHERE = ("events", "monsters_at_large", "roll_events", "modify_unrest", "loyalty_check", "remember")
LOST = "Lost: "  # how news of a lost hex begin, which stand with what was lost
GRAVE = ("trade", DOORS.step, "count_secondary_territories", "keep_armies")  # steps whose news a reader must not miss


class Heard(TypedDict):
    """News of one seat. hexes: where something was found; grave: it may cost something."""

    text: str
    hexes: list[str]
    grave: bool


def heard(part: Part, rules: Rules) -> list[Heard]:
    """What a seat heard in the turn, beside what other lines of its report tell; of an expedition that is back what it found."""
    rows: list[Heard] = []
    for notice in part.notices:
        facts = notice.facts
        if notice.kind == "expedition":
            finds = {hex["hex"]: ", ".join(found) for hex in facts["hexes"] if (found := _finds(hex, rules))}
            said = "; ".join(f"{label}, {what}" for label, what in finds.items())
            rows.append(
                {
                    "text": f"{facts['text']} It found: {said or 'nothing of note'}.",
                    "hexes": list(finds),
                    "grave": False,
                }
            )
        elif (
            notice.kind == "news"
            and notice.step not in TOLD_ELSEWHERE
            and "event" not in facts
            and not facts["text"].startswith(LOST)
        ):
            grave = notice.step in GRAVE and " rests: " not in facts["text"]
            rows.append({"text": facts["text"], "hexes": [], "grave": grave})
    return rows


def _finds(hex: Facts, rules: Rules) -> list[str]:
    """What of a hex that nobody holds is worth a journey: what its holder gains by, and what it hid."""
    gains = [rules.features[name].name for name in ("landmark", "resource", "lair") if name in rules.features]
    lies = [name for name in hex["lies"].split(", ") if name in gains]
    return [] if hex["holder"] else [*lies, *(note for note in hex["notes"] if not note.startswith("left: "))]


# --- expeditions and hired adventurers


def expeditions(result: Result, seat: str, part: Part, seen: World, rules: Rules) -> list[Facts]:
    """What a report shows of expeditions, for one seat. part: its part of the turn; seen: what it knows after it (known.py).

    The kind of a row: `back`, a report hex by hex; `away`, an expedition that nobody has heard of since it left; `party`, adventurers
    and their task.
    """
    kingdom = result.after.kingdoms[seat]
    rows: list[Facts] = [
        {"kind": "back", "text": back["text"], "hexes": [_hex(facts, seen) for facts in back["hexes"]]}
        for back in (notice.facts for notice in part.notices if notice.kind == "expedition")
    ]
    rows += [_away(key, each, kingdom, result.number, rules) for key, each in kingdom.expeditions.items()]
    return rows + [_party(key, party, rules) for key, party in kingdom.parties.items()]


def _hex(facts: Facts, seen: World) -> Facts:
    holder = seen.kingdoms[facts["holder"]].name if facts["holder"] else ""
    noted = [facts["lies"]] if facts["lies"] else []
    noted += [", ".join(facts["built"]).lower()] if facts["built"] else []
    noted += [f"held by {holder}"] if holder else []
    noted += facts["notes"] + ([facts["met"]] if facts["met"] else [])
    return {"hex": facts["hex"], "terrain": facts["terrain"], "noted": "; ".join(noted) or "nothing more"}


def _away(key: str, expedition: Expedition, kingdom: Kingdom, turn: int, rules: Rules) -> Facts:
    """Of an expedition under way only what its kingdom ordered, and when it is due by what has been heard."""
    towns = {settlement.hex: name for name, settlement in kingdom.settlements.items()}
    start = towns.get(expedition.home, expedition.home)
    text = f"{key}: from {start} since turn {expedition.since}, back in turn {turn + expedition.left}"
    if expedition.army:
        text += f", escorted by {expedition.army}"
    if expedition.party:
        text += f", with adventurers of ACR {party_acr(expedition.party.bp, rules)}"
    return {"kind": "away", "text": text + ".", "hexes": []}


def _party(key: str, party: Party, rules: Rules) -> Facts:
    full, names = party_hp(party.bp, rules), [rules.army_specials[name].name for name in party.specials]
    text = f"{key}: ACR {party_acr(party.bp, rules)}, {party.hp} of {full} hit points"
    text += (
        f", now in {party.hex}, {'sent against the hazard' if party.hazard else 'after the monsters'} of {party.task}"
    )
    if party.tried:
        text += f", tried in {party.tried} of {in_force(rules.hazards).turns} turns"
    return {"kind": "party", "text": f"{text} ({', '.join(names)})." if names else f"{text}.", "hexes": []}


# --- trade routes, and the trade of a turn


TRADED = ("trade", "smuggling")  # the notices that say what a kingdom's own trade came to


def routes(result: Result, seat: str, part: Part, seen: World, rules: Rules) -> list[Facts]:
    """What a report shows of routes, for one seat. part: its part of the turn; seen: what it knows after it (known.py).

    Rows of a title and notes: its own routes and shares, those that it let in, this turn's trade, whose trade it shuts out.
    """
    kingdom = result.after.kingdoms[seat]
    rows = [_own(key, route, seen, rules) for key, route in kingdom.routes.items()]
    rows += [_let_in(key, guest, kingdom, seen, rules) for key, guest in kingdom.guests.items()]
    traded = [notice.facts["text"] for notice in part.notices if notice.kind in TRADED]
    rows += [{"title": "Trade this turn", "notes": traded}] if traded else []
    shut = ", ".join(seen.kingdoms[other].name for other in seen.kingdoms if not kingdom.lets_in(other))
    return rows + ([{"title": f"Doors closed to the trade of {shut}", "notes": []}] if shut else [])


def _own(key: str, route: Route, seen: World, rules: Rules) -> Facts:
    other = seen.kingdoms[route.to].name
    title = f"{key}, a share of {route.shares} of {other}" if route.shares else f"{key} to {other}"
    if route.open:
        more = [] if route.shares else _open(route, seen, rules)
        founders, sharers = split(rules.trade_route.gain if rules.trade_route else 0, len(route.sharers))
        bp, eats = sharers if route.shares else founders, route_consumption(route, rules)
        worth = f"Consumption {eats}; pays {bp} BP in a turn in which either side gains by trade."
        return {"title": f"{title}: open", "notes": [worth, *more]}
    if route.asked:
        wish = "grant it" if route.shares else "let it in"
        return {"title": f"{title}: {other} is asked to {wish}", "notes": [_way(route.path)]}
    left = len(route.path) - 1 - route.at
    cost = rules.trade_route.bp_per_turn if rules.trade_route else 0
    where = f"The caravan is in {route.path[route.at]}, {left} hex{'es' if left > 1 else ''} from its end."
    spent = f"{route.bp} BP were spent on it, {cost} more each turn until it arrives."
    return {"title": f"{title}: under way", "notes": [where, spent, _way(route.path)]}


def _open(route: Route, seen: World, rules: Rules) -> list[str]:
    """Who shares an open route, what stands on it and what threatens it."""
    notes = [f"Shared with {', '.join(seen.kingdoms[other].name for other in route.sharers)}."] if route.sharers else []
    if route.towers:
        notes.append(f"Watchtowers in {', '.join(route.towers)}.")
    if route.watched:
        more = route.watched * rules.blockade.vigilance if rules.blockade else 0
        notes.append(f"Blockaded: it pays nobody; Vigilance along it counts {more} more (ruling blockade).")
    return [*notes, *_shut(route, rules), _way(route.path)]


def _shut(route: Route, rules: Rules) -> list[str]:
    """How long the trade of a route has been shut out, and when it ends."""
    if not route.shut or rules.one_route is None:
        return []
    stopped = stopped_by_doors(f"{route.shut} turn{'s' if route.shut > 1 else ''}")
    return [f"{stopped[0].upper()}{stopped[1:]}; after {rules.one_route.shut} it ends (ruling one_route)."]


def _let_in(key: str, guest: Guest, kingdom: Kingdom, seen: World, rules: Rules) -> Facts:
    shared = any((route.to, route.shares) == (guest.by, guest.route) for route in kingdom.routes.values())
    name = f"{key}, founded by {seen.kingdoms[guest.by].name} as {guest.route}"
    notes = [] if shared else ["You may ask for a share of its cost and its gain."]
    route = seen.kingdoms[guest.by].routes.get(guest.route)
    shut = _shut(route, rules) if route else []
    return {"title": f"{name}: open", "notes": [*notes, *shut, _way(guest.path)]}


def _way(path: tuple[str, ...]) -> str:
    return f"Way: {' '.join(path)}"
