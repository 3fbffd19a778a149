"""The kingdom game, to be played by tests: the golden campaigns, and what a seat of it may not know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kingdom.engine.step import Notice, Result
from kingdom.games.realm.orders.building import _at
from kingdom.games.realm.state import Army, Building, Hex, Kingdom, Modifier, Pending, Settlement, World, replace
from kingdom.games.realm.visibility.known import armies_seen, others
from kingdom.games.realm.visibility.sight import levels, patrols, sees
from tests.kit import formkit

FAR = [
    f"{column}{row:02}" for column in (97, 99) for row in range(1, 60)
]  # on no map of a test, and beside no hex of one
ALL = "all"


def campaigns(folder: Path) -> list[Path]:
    """The golden ones: founding, claims, aid; hexes lost, anarchy, destruction; much building."""
    return [file.parent for file in sorted((Path(__file__).parent.parent / "golden").glob("*/campaign.yaml"))]


def hidden(result: Result, seat: str, rules: Any) -> Result:
    """Land out of sight is another, what is not revealed is otherwise, and of the others all but name, size and borders."""
    letters = _letters(result, seat)
    aid = [notice.facts for notice in result.notices if notice.kind == "aid" and notice.seat == seat]
    dealt_with = {facts.get("to") or facts["sender"] for facts in aid}
    dealt_with |= {other for other, orders in letters.items() if any(each["to"] == seat for each in orders["messages"])}
    dealt_with |= {message["to"] for message in result.orders.get(seat, {}).get("messages", ())}
    notices = [notice for notice in result.notices if notice.seat in (seat, ALL) or notice.kind == "voided"]
    others = [other for other in result.after.kingdoms if other != seat]
    return result._replace(
        before=_otherwise(result.before, seat, dealt_with, rules),
        after=_otherwise(result.after, seat, dealt_with, rules),
        orders={
            other: result.orders[other] if other == seat else letters[other] for other in result.orders if other != "gm"
        },
        entries=[entry for entry in result.entries if entry.kingdom == seat],
        notices=[
            *notices,
            *(Notice("news", "gm", "gm_orders", other, {"text": "You found gold."}) for other in [*others, "gm"]),
        ],
        rolls=[roll for roll in result.rolls if roll.kingdom == seat],
    )


def _letters(result: Result, seat: str) -> dict[str, dict[str, Any]]:
    """Of the others' orders only what they wrote to this seat, or to all; the others in their place in the list."""
    nothing = {"to": "nobody", "text": "a secret"}
    return {
        other: {"messages": [each if each["to"] in (seat, ALL) else nothing for each in orders.get("messages", ())]}
        for other, orders in result.orders.items()
        if other not in (seat, "gm")
    }


def _otherwise(world: World, seat: str, dealt_with: set[str], rules: Any) -> World:
    mine, left, near = world.kingdoms[seat], levels(world, seat, rules), others(world, seat, rules, dealt_with)
    seen = {*sees(world, seat, rules), *mine.revealed}
    left = {**left, **dict.fromkeys(patrols(mine), 99)}  # where its armies stand it sees whatever is there
    hexes = {
        label: _secrets(hex, mine, label, left.get(label, 0)) for label, hex in world.hexes.items() if label in seen
    }
    far = {label: Hex("mountains", features=("landmark",), secret="a dragon", monsters=9) for label in FAR}
    armies = armies_seen(world, seat, rules)
    kingdoms = {}
    for number, (other, kingdom) in enumerate(world.kingdoms.items()):
        if other == seat:
            kingdoms[other] = mine
            continue
        held = {label: built for label, built in kingdom.hexes.items() if label in seen}
        known = near[other].size if other in near else None
        missing = len(kingdom.hexes) - len(held) + (3 if known is None else 0)
        held |= dict.fromkeys(FAR[number * 20 :][:missing], ("road", "farm"))
        stranger = _stranger(kingdom, kingdom.name if other in near else "Elsewhere", held)
        kingdoms[other] = replace(stranger, armies=_hosts(armies.get(other, {}), FAR[number]), routes=kingdom.routes)
    return World(world.turn, {**hexes, **far}, kingdoms)


def _hosts(seen: dict[str, Army], far: str) -> dict[str, Army]:
    """Those that are seen, under other names and orders, and one that is not."""
    hosts = {
        f"Host {number}": replace(army, hp=army.hp + 9, morale=-2, deed="raid")
        for number, army in enumerate(seen.values())
    }
    return {"Hidden": Army("warrior", "huge", far, hp=3), **hosts}


def _secrets(hex: Hex, mine: Kingdom, label: str, left: int) -> Hex:
    """What is hidden in a hex that was never revealed could be anything."""
    if label in mine.revealed or label in mine.memory:
        return hex
    return replace(
        hex,
        resource=not hex.resource,
        lair=not hex.lair,
        ruin="castle" if not hex.ruin else "",
        building="temple" if not hex.building else "",
        hazard="quicksand" if not hex.hazard else "",
        secret="a crown" if not hex.secret else "",
        monsters=hex.monsters if hex.monsters <= left and (hex.monsters or left == 99) else left + 3,
    )


def _stranger(kingdom: Kingdom, name: str, hexes: dict[str, tuple[str, ...]]) -> Kingdom:
    capital = next(iter(hexes), "")
    return Kingdom(
        name,
        treasury=kingdom.treasury + 1000,
        unrest=kingdom.unrest + 5,
        alignment="CE" if kingdom.alignment != "CE" else "LG",
        attributes={"economy": 40, "loyalty": -9, "stability": 17},
        capital="Nowhere",
        taxation="light" if kingdom.taxation != "light" else "heavy",
        hexes=hexes,
        settlements={"Nowhere": Settlement(capital, buildings=(Building("palace", "A1"),))} if capital else {},
        modifiers=(Modifier("economy", 3, "aid", "a secret"),),
        revealed=tuple(hexes),
        pending=(Pending("lose_hex", "Which?", tuple(hexes), capital),),
        anarchy=kingdom.anarchy + 1,
        destroyed=kingdom.destroyed,
    )


def over(world: World) -> World:
    """Every kingdom is destroyed."""
    return replace(world, kingdoms={seat: replace(kingdom, destroyed=True) for seat, kingdom in world.kingdoms.items()})


# --- for tests/games/test_form_pages.py

PAGES = {
    "before the first turn": lambda folder: formkit.fresh_places(folder / "new", 2),
    **{name: lambda _, name=name: formkit.places_of(name, 2) for name in ("war-of-the-ford", "greenmarch")},
    **{
        f"wild {first}": lambda _, first=first: formkit.wild_places(range(first, first + 10))
        for first in range(0, 60, 10)
    },
}


def counted(place: formkit.Place, account: str, text: str, sure: bool) -> str:
    """What a sale brings in is not counted, nor what a plan takes. The attributes and Unrest: tests/games/realm/test_bar.py."""
    planned = place.state.kingdoms[place.seat].plan or "plan:" in text
    return "same" if account in ("treasury", "size") and not planned and "disband:" not in text else ""


def as_pressed(place: formkit.Place, orders: dict[str, Any]) -> dict[str, Any] | None:
    """A building is torn down or upgraded where it stands, the capital is not let go; what stays as it is needs no control, nor do the doors to a kingdom that nobody knows."""
    mine = place.state.kingdoms[place.seat]
    if orders.get("abandon") == [mine.settlements[mine.capital].hex if mine.capital else ""]:
        return None
    for level, value in orders.get("edicts", {}).items():
        return None if getattr(mine, level) == value else orders
    for seat, value in orders.get("doors", {}).items():
        known = seat in others(place.state, place.seat, place.rules)
        return orders if known and (seat in mine.doors) != (value == "closed") else None
    for work in orders.get("build", ()):
        if old := work.get("demolish") or work.get("upgrade"):
            (standing, *_) = (each for each in mine.settlements[work["in"]].buildings if each.id == old)
            return {**orders, "build": [{**work, **_at(old, standing.lot, place.rules)}]}
    return orders
