"""The special edict `explore`: an expedition into land that nobody claimed. Edict step 7; ruling: exploration.

It travels and reports in steps/exploring/expeditions.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from kingdom.engine.refusal import Refusal
from kingdom.games.realm.armies import army_named, escorts
from kingdom.games.realm.hexmap import DIRECTIONS, beside, neighbours, piers_of, step_cost
from kingdom.games.realm.orders.adventurers import PARTIES, hunts, perils, wage_problem, wages
from kingdom.games.realm.orders.kind import Now, held
from kingdom.games.realm.orders.special_edict import Edict
from kingdom.games.realm.orders.words import WAY, a_hex, a_settlement, an_army
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Expedition, Kingdom, World, counted, replace
from kingdom.games.realm.steps.exploring.adventurers import hired
from kingdom.games.realm.steps.shared import USED, affordable, book
from kingdom.games.realm.steps.towns.construction import settlement_named
from kingdom.games.realm.types import Turn
from kingdom.games.realm.visibility.sight import sees
from kingdom.orders import kit
from kingdom.orders.kit import Candidate, Gap, Pick
from kingdom.orders.schema import Either, ListOf, Number, Word

MOST_WEEKS = 52
WEEKS = 2  # of the expedition that a report shows, a form proposes and a bot sends
UNSEEN = 2  # the assumed cost in movement of a hex out of sight
_TOWARD = Either("a direction or a hex", (Word("a direction or a hex", DIRECTIONS), a_hex("a direction or a hex")))
_UNTIL = ListOf(
    "the terrains that it turns back at", Word("a terrain", "terrain", example="water"), short="words", most=20
)
_ESCORT = Either("its escort", (Number("BP for adventurers", 2, 999, 6), an_army("an army")))

SpecialExplore = TypedDict("SpecialExplore", {
    "edict": Annotated[Literal["explore"], None],
    "from": Annotated[str, a_settlement("where it starts")],
    "weeks": Annotated[int, Number("its weeks", 1, MOST_WEEKS, 2)],
    "route": NotRequired[Annotated[list[str], WAY]],
    "toward": NotRequired[Annotated[str, _TOWARD]],
    "until": NotRequired[Annotated[list[str], _UNTIL]],
    "escort": NotRequired[Annotated[int | str, _ESCORT]],
})  # fmt: skip

_NAMED = {"n": "north", "ne": "north-east", "se": "south-east", "s": "south", "sw": "south-west", "nw": "north-west"}


class Explore(Edict[SpecialExplore]):
    """`special: explore from Oakhold for 2 weeks toward ne until water with First Foot`."""

    word, name = "explore", "an expedition"
    record = kit.record(SpecialExplore, "an expedition", (
        "from {from} for {weeks} week(s) along {route}[ with {escort}]",
        "from {from} for {weeks} week(s) toward {toward}[ until {until}][ with {escort}]",
    ), (("route", "toward"),))  # fmt: skip
    causes = {"exploration": "an expedition, paid in advance, or what it found"}
    refusals = {
        "explore_from": "There is no settlement {name} (ruling exploration); expeditions start from one of yours: {names}.",
        "explore_nowhere": "An expedition needs to know where to go (ruling exploration): a `route` of hexes, or "
        "`toward` a direction or another hex.",
        "explore_gap": "{hex} does not lie beside {before} (ruling exploration); a route goes from a hex to one beside "
        "it, and begins beside {start}.",
        "explore_water": "{hex} can't be entered from {before} (ruling movement): there is no way, or it is water and "
        "{before} has no pier; go another way.",
        "explore_army": "There is no army {army} (ruling exploration); an escort is one of your armies ({names}), or BP "
        "for adventurers.",
        "explore_army_away": "{army} is in {hex}, not in {start} where the expedition starts (ruling exploration); move "
        "it there first.",
        "explore_army_reserve": "{army} is in reserve (ruling exploration); take it out of reserve first, or name "
        "another escort.",
        "explore_army_routed": "{army} was routed and begins no fight until it takes courage again (ruling exploration); "
        "name another escort.",
        "explore_army_mustered": "{army} was recruited or changed in this turn, so it stays where it is (ruling muster); send the "
        "expedition next turn, or name another escort.",
        "explore_army_escorts": "{army} escorts the expedition {key} until that is back (ruling exploration); name "
        "another escort.",
        "explore_cost": "The expedition costs {cost} BP and the treasury holds {treasury} (ruling exploration): "
        "{per_week} BP a week in advance, and once what adventurers are paid.",
    }

    def candidates(self, now: Now) -> Iterator[Candidate]:
        """Yield a week toward each side, and with each army as an escort."""
        kingdom, exploration = now.state.kingdoms[now.seat], now.rules.exploration
        for town in sorted(kingdom.settlements) if exploration else ():
            order, cost = {"edict": "explore", "from": town, "weeks": 1}, in_force(exploration).bp_per_week
            for way in DIRECTIONS:
                yield self.candidate({**order, "toward": way}, f"Send an expedition from {town}, {way}", cost)
            for army in sorted(kingdom.armies):
                with_army = {**order, "toward": DIRECTIONS[0], "escort": army}
                yield self.candidate(with_army, f"Send an expedition from {town} with {army}", cost)

    def on_page(self, now: Now) -> Iterator[Candidate]:
        """Yield one, with whatever may be said of it, a week at least, which other orders may pay for. It does not go toward the kingdom's own land."""
        rules, kingdom = now.rules, now.state.kingdoms[now.seat]
        homes = {name: kingdom.settlements[name].hex for name in sorted(kingdom.settlements)}
        per_week = rules.exploration.bp_per_week if rules.exploration else 0
        most = max(1, min(MOST_WEEKS, kingdom.treasury // per_week)) if per_week else MOST_WEEKS
        if rules.exploration is None or not homes:
            return
        grounds = {word: terrain.name for word, terrain in rules.terrain.items() if not terrain.unseen}
        hired, with_army = {bp: f"adventurers for {bp} BP" for bp in wages(now)}, dict[str, list[str]]()
        for army in sorted(kingdom.armies):
            if at := [name for name, home in homes.items() if not _escort_problem(kingdom, home, army, rules)]:
                with_army[army] = at
        new = {(town, side): new_to_see(home, side, now) for town, home in homes.items() for side in _NAMED}
        town, side = max(new, key=lambda way: new[way])
        most_new = f"; most new land lies {_NAMED[side]} of {town}" * bool(new[town, side])
        yield Candidate(
            "explore", {"edict": "explore", "from": Gap("from"), "weeks": Gap("weeks"), "toward": Gap("toward"), "until": [Gap("until")], "escort": Gap("escort")},
            "Send an expedition", checked=True, group=PARTIES, more=f"{per_week} BP a week" + most_new, limits={USED: 1},
            picks={
                "from": Pick("From", [*homes], town),
                "weeks": Pick("Weeks", range(1, most + 1), min(WEEKS, most)),
                "toward": Pick("Toward", [*_NAMED, *sorted((now.before or now.state).hexes.keys() - kingdom.hexes.keys())], side if most_new else None, texts=_NAMED, on_map=True),
                "until": Pick("Back before", [*grounds], texts=grounds, none="nothing"),
                "escort": Pick("Escort", [*hired, *with_army], texts=hired, when={army: {"from": at} for army, at in with_army.items()}, none="nobody"),
            },
            deed={
                "needs_of": {"from": {name: [[held(home)]] for name, home in homes.items()}},
                "tables": [
                    {"counter": "treasury", "by": ["weeks"], "costs": {str(weeks): weeks * per_week for weeks in range(1, most + 1)}},
                    {"counter": "treasury", "by": ["escort"], "costs": {str(bp): bp for bp in hired}},
                ],
                "takes_of": {"escort": {army: [f"march {army}", f"muster {army}"] for army in with_army}},
            },
        )  # fmt: skip

    def problem(self, now: Now, order: SpecialExplore) -> Refusal | None:
        rules, kingdom = now.rules, now.state.kingdoms[now.seat]
        if rules.exploration is None:
            return Refusal("special_edict_off", {"edict": order["edict"]})
        name = settlement_named(kingdom, order["from"])
        if not name:
            names = ", ".join(sorted(kingdom.settlements)) or "none"
            return Refusal("explore_from", {"name": order["from"], "names": names})
        start = kingdom.settlements[name].hex
        refusal = _way_problem(now.seat, kingdom, start, order, now.state, rules)
        refusal = refusal or _escort_problem(kingdom, start, order.get("escort"), rules)
        if refusal:
            return refusal
        cost = price(order, rules)
        if affordable(kingdom, cost):
            return None
        per_week = rules.exploration.bp_per_week
        return Refusal("explore_cost", {"cost": cost, "treasury": kingdom.treasury, "per_week": per_week})

    def issue(self, now: Now, order: SpecialExplore, turn: Turn) -> Kingdom:
        world, seat = now.state, now.seat
        kingdom, key = counted(world.kingdoms[seat], "explore")
        town, cost, escort = settlement_named(kingdom, order["from"]), price(order, turn.rules), order.get("escort")
        start = kingdom.settlements[town].hex
        army = army_named(kingdom, escort) if isinstance(escort, str) else ""
        party = hired(seat, key, escort, start, "", turn) if isinstance(escort, int) else None
        expedition = Expedition(
            home=start, since=turn.number, at=start, left=order["weeks"], bp=cost, ahead=tuple(order.get("route", ())),
            toward=order.get("toward", ""), until=" ".join(order.get("until", ())), army=army, party=party,
        )  # fmt: skip
        out = {**kingdom.expeditions, key: expedition}
        kingdom = replace(kingdom, treasury=kingdom.treasury - cost, expeditions=out)
        weeks = f"{order['weeks']} week{'s' if order['weeks'] > 1 else ''}"
        return book(turn, seat, kingdom, world.hexes, "exploration", f"{key} from {town}, {weeks} in advance")


EXPLORE = Explore()


def price(order: SpecialExplore, rules: Rules) -> int:
    """BP for the whole expedition, in advance: its weeks, and once the adventurers who escort it."""
    weeks: int = order["weeks"]
    escort = order.get("escort")
    return weeks * in_force(rules.exploration).bp_per_week + (escort if isinstance(escort, int) else 0)


def _way_problem(
    seat: str, kingdom: Kingdom, start: str, order: SpecialExplore, world: World, rules: Rules
) -> Refusal | None:
    """What is wrong with where it is to go, as far as its kingdom can know: it finds out about the rest on its way."""
    route = order.get("route", ())
    if not route:
        nowhere = order.get("toward") in (None, start)
        return Refusal("explore_nowhere", {}) if nowhere else None
    seen, piers = sees(world, seat, rules).union(kingdom.memory, kingdom.revealed), piers_of(kingdom, rules)
    before = start
    for label in route:
        if label not in neighbours(before):
            return Refusal("explore_gap", {"hex": label, "before": before, "start": start})
        if label in seen and label in world.hexes and step_cost(before, label, world, rules, piers) is None:
            return Refusal("explore_water", {"hex": label, "before": before})
        before = label
    return None


def _escort_problem(kingdom: Kingdom, start: str, escort: int | str | None, rules: Rules) -> Refusal | None:
    """What is wrong with the escort: an army's name, BP for adventurers, or none."""
    if escort is None:
        return None
    if isinstance(escort, int):
        return wage_problem(escort, rules)
    name = army_named(kingdom, escort)
    if not name:
        return Refusal("explore_army", {"army": escort, "names": ", ".join(sorted(kingdom.armies)) or "none"})
    army = kingdom.armies[name]
    if army.hex != start:
        return Refusal("explore_army_away", {"army": name, "hex": army.hex, "start": start})
    if army.reserve or army.routed:
        return Refusal("explore_army_reserve" if army.reserve else "explore_army_routed", {"army": name})
    if army.mustered:
        return Refusal("explore_army_mustered", {"army": name})
    key = escorts(kingdom, name)
    return Refusal("explore_army_escorts", {"army": name, "key": key}) if key else None


def expedition_offers(kingdom: Kingdom, seen: World, rules: Rules) -> dict[str, Any] | None:
    """For a report what expeditions and adventurers cost, the weeks that can be paid, and the monsters and hazards that are known; None
    where none can be sent. seen: what the seat knows (known.py)."""
    if rules.exploration is None or rules.adventurers is None or not kingdom.settlements:
        return None
    per_week, hired = rules.exploration.bp_per_week, rules.adventurers
    return {
        "per_week": per_week, "least": hired.least_bp, "per_acr": hired.bp_per_acr, "treasury": kingdom.treasury,
        "weeks": min(WEEKS, kingdom.treasury // per_week) if per_week else WEEKS,
        "monsters": [hunt._asdict() for hunt in hunts(seen, rules)],
        "hazards": [peril._asdict() for peril in perils(seen, rules, kingdom.treasury)],
    }  # fmt: skip


def new_to_see(start: str, side: str, now: Now) -> int:
    """Return how many hexes an expedition of WEEKS would see for the first time in that direction. Hexes behind a known
    obstacle do not count, nor those behind the last hex that an earlier expedition saw: whatever stopped it is still there. 0 where one is under way."""
    seen, rules, kingdom = now.before or now.state, now.rules, now.state.kingdoms[now.seat]
    if (start, side) in [(each.home, each.toward) for each in kingdom.expeditions.values()]:
        return 0
    in_sight, piers, at, new = sees(seen, now.seat, rules), piers_of(kingdom, rules), start, 0
    for _ in range(WEEKS):
        points, first = in_force(rules.exploration).movement, True
        while there := beside(at, side):
            hex = seen.hexes.get(there)
            known = hex is not None and not rules.terrain[hex.terrain].unseen
            if (
                known
                and there not in in_sight
                or not known
                and any(near in kingdom.hexes for near in neighbours(there))
            ):
                return new  # an earlier expedition was here, or the map ends beside its own land
            price = step_cost(at, there, seen, rules, piers) if known else UNSEEN
            if price is None or (hex and hex.monsters and there not in kingdom.hexes):
                return new
            if price > points and not first:
                break
            points, first, at, new = points - price, False, there, new + (not known)
    return new
