"""The special edict `adventurers`: a party that is hired against the monsters or the hazard of a hex. Edict step 7. Rulings: adventurers, hazards.

It goes from the settlement nearest to its task; what it does there is in steps/exploring/adventurers.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, TypedDict

from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.refusal import Refusal
from kingdom.games.realm.hexmap import piers_of, points_along, way
from kingdom.games.realm.orders.kind import KEPT, PIERS, Now, held
from kingdom.games.realm.orders.special_edict import Edict
from kingdom.games.realm.orders.words import a_hex
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Hex, Kingdom, World, counted, replace
from kingdom.games.realm.steps.exploring.adventurers import hired
from kingdom.games.realm.steps.exploring.hazards import chance
from kingdom.games.realm.steps.shared import USED, affordable, book
from kingdom.games.realm.types import Turn
from kingdom.games.realm.visibility.known import known, known_hex
from kingdom.orders import kit
from kingdom.orders.kit import Candidate, Gap, Pick
from kingdom.orders.schema import Number

PARTIES = "Expeditions and adventurers"  # as a form calls them


class SpecialAdventurers(TypedDict):
    """Adventurers against a monster or a hazard."""

    edict: Annotated[Literal["adventurers"], None]
    bp: Annotated[int, Number("BP for them", 1, 999, 6)]
    task: Annotated[str, a_hex("the monster's hex")]


class Adventurers(Edict[SpecialAdventurers]):
    """`special: adventurers 6 bp to 0404`."""

    word, name = "adventurers", "adventurers"
    record = kit.record(SpecialAdventurers, "adventurers against a monster", ("{bp} bp to {task}", "{bp} to {task}"))
    causes = {"adventurers": "adventurers hired against monsters"}
    refusals = {
        "adventurers_bp": "Adventurers are hired for an even number of BP, at least {least}, not for {bp} (ruling "
        "adventurers); their ACR is BP divided by {per_acr}.",
        "adventurers_task": "No monster is known to be in {hex} (ruling adventurers); name a hex where you know of one: "
        "{known}.",
        "adventurers_nothing": "Neither a monster nor a hazard is known to be in {hex} (ruling hazards); name a hex where you know of "
        "one: {known}.",
        "adventurers_gone": "The monsters of {hex} had left when adventurers were to be hired (ruling adventurers): nobody sets out, and "
        "nothing is paid.",
        "adventurers_no_way": "No way leads from a settlement of yours to {hex} (ruling adventurers); they go over land, "
        "and over water from a pier.",
        "adventurers_cost": "The adventurers cost {bp} BP and the treasury holds {treasury} (ruling adventurers); keep "
        "{bp} BP for them, or hire lesser ones.",
    }

    def candidates(self, now: Now) -> Iterator[Candidate]:
        """Yield against each monster that is known those who are its match, or the best that can be paid; against a hazard with the odds."""
        seen, treasury, ruling = now.before or now.state, now.state.kingdoms[now.seat].treasury, now.rules.adventurers
        if ruling is None:
            return
        most = treasury // ruling.bp_per_acr * ruling.bp_per_acr
        for label, _, match in hunts(seen, now.rules):
            yield self.hiring(label, max(ruling.least_bp, min(most, match)), f"against {label}")
        for label, hazard, bp, percent in perils(seen, now.rules, treasury):
            yield self.hiring(label, bp, f"to clear {label} ({hazard}), {percent} % a turn")

    def hiring(self, label: str, bp: int, why: str) -> Candidate:
        """Return those for that many BP; why: against what."""
        return self.candidate(
            {"edict": "adventurers", "bp": bp, "task": label}, f"Hire adventurers for {bp} BP {why}", bp
        )

    def on_page(self, now: Now) -> Iterator[Candidate]:
        """Yield for each task a choice of BP; a way there must be known."""
        seen, kingdom, paid, ruling = (
            now.before or now.state,
            now.state.kingdoms[now.seat],
            wages(now),
            now.rules.adventurers,
        )
        if ruling is None or not paid:
            return
        tasks = {
            hunt.hex: (hunt.match, f"ACR {hunt.acr}: {hunt.acr * ruling.bp_per_acr} BP are its match")
            for hunt in hunts(seen, now.rules)
        }
        for label, hazard, bp, percent in perils(seen, now.rules, paid[-1]):
            tasks[label] = bp, f"{hazard}: {bp} BP clear it with {percent} % a turn"
        for label, (bp, more) in tasks.items():
            if (
                self.objection(now._replace(foreseeing=False), {"edict": "adventurers", "bp": paid[0], "task": label})
                is None
            ):
                yield Candidate(
                    f"adventurers {label}", {"edict": "adventurers", "bp": Gap("bp"), "task": label}, f"Hire adventurers against {label}",
                    picks={"bp": Pick("For BP", paid, min(bp, paid[-1]))}, at=label, group=PARTIES, more=more, limits={USED: 1}, uses={f"adventurers {label}": 1},
                    needs=[[PIERS], [KEPT], [held(town.hex) for town in kingdom.settlements.values()]],
                    deed={"tables": [{"counter": "treasury", "by": ["bp"], "costs": {str(bp): bp for bp in paid}}]},
                )  # fmt: skip

    def problem(self, now: Now, order: SpecialAdventurers) -> Refusal | None:
        world, seat, rules, before = now.state, now.seat, now.rules, now.before or now.state
        if rules.adventurers is None:
            return Refusal("special_edict_off", {"edict": order["edict"]})
        kingdom, bp, task = world.kingdoms[seat], order["bp"], order["task"]
        if refusal := wage_problem(bp, rules):
            return refusal
        hex = known_hex(task, world, seat, rules)
        if hex is None or not (hex.monsters or _clears(hex, rules)):
            was = known_hex(task, before, seat, rules)
            if hex and was and was.monsters:
                return Refusal("adventurers_gone", {"hex": task})
            hexes = known(world, seat, rules).hexes
            there = sorted(label for label, hex in hexes.items() if hex.monsters or _clears(hex, rules))
            code = "adventurers_nothing" if rules.hazards else "adventurers_task"
            return Refusal(code, {"hex": task, "known": ", ".join(there) or "none"})
        if not now.foreseeing and not _start(kingdom, task, world, rules):  # what lies between may not be known
            return Refusal("adventurers_no_way", {"hex": task})
        return (
            None if affordable(kingdom, bp) else Refusal("adventurers_cost", {"bp": bp, "treasury": kingdom.treasury})
        )

    def issue(self, now: Now, order: SpecialAdventurers, turn: Turn) -> Kingdom:
        """A party is paid and sets out, in the same turn."""
        world, seat = now.state, now.seat
        kingdom, key = counted(world.kingdoms[seat], "adventurers")
        start = _start(kingdom, order["task"], world, turn.rules)
        party = hired(seat, key, order["bp"], start, order["task"], turn)
        hex = known_hex(order["task"], world, seat, turn.rules)
        if hex and _clears(hex, turn.rules):
            party = replace(party, hazard=True)
        kingdom = replace(kingdom, treasury=kingdom.treasury - order["bp"], parties={**kingdom.parties, key: party})
        against = "monsters" if hex and hex.monsters else "hazard"
        return book(turn, seat, kingdom, world.hexes, "adventurers", f"{key} against the {against} of {order['task']}")


ADVENTURERS = Adventurers()


def _clears(hex: Hex, rules: Rules) -> bool:
    """Whether there is a hazard that adventurers clear. Ruling: hazards."""
    return bool(rules.hazards and hex.hazard)


def wage_problem(bp: int, rules: Rules) -> Refusal | None:
    """Why nobody is hired for that."""
    ruling = rules.adventurers
    if ruling is None:
        return Refusal("special_edict_off", {"edict": "adventurers"})
    if bp < ruling.least_bp or bp % ruling.bp_per_acr:
        return Refusal("adventurers_bp", {"bp": bp, "least": ruling.least_bp, "per_acr": ruling.bp_per_acr})
    return None


def _start(kingdom: Kingdom, task: str, world: World, rules: Rules) -> str:
    """The hex of the settlement from which the way to the task costs least, then by name; "" where none leads there."""
    piers, found = piers_of(kingdom, rules), []
    for name, settlement in kingdom.settlements.items():
        if path := way(settlement.hex, task, world, rules, piers=piers):
            found.append((points_along(path, world, rules), name, settlement.hex))
    return min(found)[2] if found else ""


# --- whom they may be hired against, and for what -----------------------------------------------------------------------


class Hunt(NamedTuple):
    """Monsters that are known, and the BP of adventurers who are their match."""

    hex: str
    acr: int
    match: int


def hunts(seen: World, rules: Rules) -> list[Hunt]:
    """The monsters that adventurers may be hired against, by label."""
    wages = rules.adventurers
    return [
        Hunt(label, hex.monsters, max(wages.least_bp, hex.monsters * wages.bp_per_acr))
        for label, hex in (sorted(seen.hexes.items()) if wages else ())
        if hex.monsters and wages
    ]


class Peril(NamedTuple):
    """A hazard that is known, the BP of adventurers who are offered against it, and the chance of each of their tries in percent."""

    hex: str
    hazard: str
    bp: int
    chance: int


MOST_ACR = 40  # of adventurers that are offered
EVEN = 50  # percent a turn; who is offered against a hazard has that chance, where somebody can


def perils(seen: World, rules: Rules, most: int) -> list[Peril]:
    """The hazards that adventurers may be hired against alone, by label: the cheapest who clear it in every second turn, or the
    best for `most` BP."""
    wages, found = rules.adventurers, list[Peril]()
    if wages is None or rules.hazards is None:
        return found
    for label, hex in sorted(seen.hexes.items()):
        if hex.hazard and not hex.monsters:
            paid = range(max(wages.least_bp, wages.bp_per_acr), min(most, MOST_ACR * wages.bp_per_acr) + 1)
            chances = {bp: chance(bp // wages.bp_per_acr, hex, rules) for bp in paid if bp % wages.bp_per_acr == 0}
            enough = [bp for bp, odds in chances.items() if odds >= EVEN]
            best = enough[0] if enough else max(chances, key=lambda bp: (chances[bp], -bp), default=0)
            if best:
                found.append(Peril(label, hex.hazard, best, chances[best]))
    return found


def wages(now: Now) -> list[int]:
    """What adventurers may be hired for, in BP."""
    ruling, treasury = now.rules.adventurers, now.state.kingdoms[now.seat].treasury
    if ruling is None or treasury < ruling.least_bp:
        return []
    every = range(ruling.least_bp, min(treasury, MOST_ACR * ruling.bp_per_acr) + 1)
    return [bp for bp in every if bp % ruling.bp_per_acr == 0]
