"""The order `claim`: a hex beside the kingdom's land, or once more the free city in one that it holds. Edict step 2.

Where several kingdoms claim a hex, the step decides first who gets it (steps/land/claims.py). Rulings: claim, free_city,
water_hexes, no_hexes, caps_at_start, affordable, wilderness, contested_claim.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kingdom.engine.refusal import Refusal
from kingdom.games.realm.hexmap import PricedLie, finds, hex_in_words, lie_of, neighbours, piers_of
from kingdom.games.realm.orders.kind import LANDLESS, Each, Now, held, paid
from kingdom.games.realm.orders.words import a_hex
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import limits
from kingdom.games.realm.state import Hex, Kingdom, World, owners, replace, with_kingdoms
from kingdom.games.realm.steps.land.free_cities import ask_to_join
from kingdom.games.realm.steps.shared import affordable, book, with_hex
from kingdom.games.realm.types import Turn
from kingdom.orders import kit
from kingdom.orders.kit import Candidate
from kingdom.orders.schema import ListOf


class Claim(Each[str]):
    """`claim: 0404 0405`."""

    key, name, step, section, part = "claim", "claims", "claim_hexes", "land", "Claim"
    once = True
    often = 90
    shape = ListOf("the hexes to claim", a_hex("a hex"), short="words")
    causes = {"claim": "a hex claimed, with what still stands there"}
    refusals = {
        "claim_given_up": "{hex} is neither land that you gave up nor beside it (ruling no_hexes); what you gave up: {given_up}.",
        "claim_not_adjacent": "{hex} touches no hex of yours (ruling claim); claim one beside your land first.",
        "claim_unknown_hex": "There is no hex {hex} on the map (Edict step 2); claim one that is.",
        "claim_held": "{hex} is held by another kingdom (Edict step 2); claim a hex that nobody holds.",
        "claim_own": "{hex} is yours already (Edict step 2); only a held hex with a free city in it is claimed again "
        "(ruling free_city).",
        "claim_twice": "{hex} is claimed already by an order before this one (ruling free_city: once a turn); "
        "leave one of them out.",
        "claim_water": "{hex} is water (ruling water_hexes); hold a coast hex beside it, "
        "or a settlement beside it with a {buildings}.",
        "claim_cap": "This turn's limit of claims is used up; it is {most} at size {size} (ruling caps_at_start). "
        "Claim {hex} next turn.",
        "claim_cost": "Claiming {hex} costs {cost} BP and the treasury holds {treasury} (ruling affordable); "
        "keep {cost} BP for it.",
        "claim_contested": "{hex} was contested this turn, or taken by a kingdom that could claim it from the first "
        "(ruling contested_claim); claim it next turn if nobody holds it then.",
    }

    def candidates(self, now: Now) -> Iterator[Candidate]:
        kingdom = now.state.kingdoms[now.seat]
        for label in self.claimable(kingdom, now.state, now.rules) if limits(kingdom, now.rules).claims else ():
            yield self.candidate(label, now)

    def on_page(self, now: Now) -> Iterator[Candidate]:
        """Yield those too that only other claims of this turn bring into reach; each needs one of the hexes beside it, held by then."""
        kingdom = now.state.kingdoms[now.seat]
        lost = set(now.before.kingdoms[now.seat].hexes) - set(kingdom.hexes) if now.before else ()
        landless = [] if kingdom.hexes else [LANDLESS]
        for label, beside in sorted(_reach(now).items()):
            needs = [[*map(held, beside), *landless], *([[f"lost {label}"]] if label in lost else [])]
            yield self.candidate(label, now)._replace(
                needs=needs, gives=[held(label)], ends=[LANDLESS], adds={"size": 1}
            )
        for label in sorted(label for label in kingdom.hexes if now.state.hexes[label].free_city):
            yield self.candidate(label, now)._replace(needs=[[held(label)]])

    def candidate(self, label: str, now: Now) -> Candidate:
        """Return the claim of a hex, whatever speaks against it."""
        hex, again = now.state.hexes[label], label in now.state.kingdoms[now.seat].hexes
        city = hex.free_city.name if hex.free_city else ""
        text = f"Ask {city} in {label} to join" if again else f"Claim {hex_in_words(label, hex, now.rules)}"
        said = f"Ask the free city in {label} to join" if again else f"Claim {label}"
        effect = {} if again else {"size": 1, "consumption": now.rules.consumption.per_size}
        return Candidate(
            f"claim {label}", label, text, said=said, at=label, costs=paid(claim_cost(again, now.rules)),
            limits={"claims": 1}, effect=effect, uses={f"claim {label}": 1},
        )  # fmt: skip

    def objection(self, now: Now, order: str) -> kit.Objection:
        return claim_problem(now.state.kingdoms[now.seat], order, now.state, now.rules)

    def carry_out(self, now: Now, order: str, turn: Turn, contested: bool = False) -> World:
        """Return the world in which the kingdom has the hex; a free city in it is asked to join. contested: others claimed it too."""
        kingdom, hex = now.state.kingdoms[now.seat], now.state.hexes[order]
        hexes = dict(now.state.hexes) if hex.wild or hex.free_city else now.state.hexes
        if order in kingdom.hexes:
            kingdom = replace(kingdom, treasury=kingdom.treasury - claim_cost(True, turn.rules))
            book(turn, now.seat, kingdom, hexes, "free_city", f"{order} claimed again (ruling free_city)")
        else:
            detail = f"{order}, contested (ruling contested_claim)" if contested else order
            kingdom = _take(now.seat, kingdom, order, detail, hexes, turn)
        if hex.free_city:
            kingdom = ask_to_join(now.seat, kingdom, order, hexes, turn)
        return with_kingdoms(replace(now.state, hexes=hexes), {now.seat: kingdom})

    def shows(self, now: Now) -> int:
        """Return how many claims the turn's limit and the treasury allow; none where any hex of the map would do."""
        kingdom = now.state.kingdoms[now.seat]
        cost = max(claim_cost(again, now.rules) for again in (False, True))
        paid_for = max(1, kingdom.treasury // cost) if cost else None
        return len(range(limits(kingdom, now.rules).claims)[:paid_for]) if kingdom.hexes or kingdom.given_up else 0

    def left_out(self, now: Now, orders: Sequence[str]) -> Iterator[str]:
        yield f"Whether others claim the same land: {', '.join(orders)} (ruling contested_claim)."
        hexes = now.state.hexes
        if cities := [label for label in orders if label in hexes and hexes[label].free_city]:
            yield f"The checks by which free cities join: {', '.join(cities)} (ruling free_city)."

    def claimable(self, kingdom: Kingdom, world: World, rules: Rules) -> list[str]:
        """Return the labels that the kingdom could claim next, whatever its treasury: unheld ones in reach, and held ones with a
        free city inside. world: may be what a seat knows."""
        kingdom = replace(kingdom, edict_size=len(kingdom.hexes))
        reach: Iterable[str] = {near for label in kingdom.hexes for near in neighbours(label)} or world.hexes
        found = {label for label in reach if not place_problem(kingdom, label, world, rules)}
        return sorted(found | {label for label in kingdom.hexes if world.hexes[label].free_city})

    def rows(self, now: Now) -> Iterator[PricedLie]:
        """Yield for a report the hexes whose claim the treasury can pay; none where any hex of the map would do."""
        kingdom = now.state.kingdoms[now.seat]
        for label in self.claimable(kingdom, now.state, now.rules) if kingdom.hexes or kingdom.given_up else ():
            cost = claim_cost(label in kingdom.hexes, now.rules)
            if affordable(kingdom, cost):
                yield {**lie_of(label, now.state.hexes[label], now.rules), "price": cost}


CLAIM = Claim()

# --- which hexes may be claimed ---------------------------------------------------------------------------------------


def claim_problem(kingdom: Kingdom, label: str, world: World, rules: Rules) -> Refusal | None:
    """Why the kingdom, as it stands now, can't claim that hex."""
    again = label in kingdom.hexes
    if again and not world.hexes[label].free_city:
        return Refusal("claim_own", {"hex": label})
    refusal = None if again else place_problem(kingdom, label, world, rules)
    if refusal:
        return refusal
    most = limits(kingdom, rules).claims
    if kingdom.used.get("claims", 0) >= most:
        return Refusal("claim_cap", {"hex": label, "most": most, "size": kingdom.edict_size})
    cost = claim_cost(again, rules)
    if not affordable(kingdom, cost):
        return Refusal("claim_cost", {"hex": label, "cost": cost, "treasury": kingdom.treasury})
    return None


def claim_cost(again: bool, rules: Rules) -> int:
    """BP of a claim; `again`: for the free city in a hex that is held."""
    return rules.free_city.again_cost if again else rules.claim.cost


def place_problem(kingdom: Kingdom, label: str, world: World, rules: Rules) -> Refusal | None:
    """Why the kingdom can't claim a hex that it does not hold, whatever its treasury and limits."""
    anywhere = not kingdom.hexes and kingdom.edict_size == 0  # ruling no_hexes
    if not anywhere and not any(near in kingdom.hexes for near in neighbours(label)):
        return Refusal("claim_not_adjacent", {"hex": label})
    if anywhere and kingdom.given_up and not {label, *neighbours(label)} & {*kingdom.given_up}:
        return Refusal("claim_given_up", {"hex": label, "given_up": ", ".join(kingdom.given_up)})
    if label not in world.hexes:
        return Refusal("claim_unknown_hex", {"hex": label})
    if label in owners(world):
        return Refusal("claim_held", {"hex": label})
    if rules.terrain[world.hexes[label].terrain].water and not _from_shore(kingdom, label, world, rules):
        names = [rules.buildings[each].name for each in rules.water_hexes.buildings]
        return Refusal("claim_water", {"hex": label, "buildings": " or ".join(names)})
    return None


def _from_shore(kingdom: Kingdom, label: str, world: World, rules: Rules) -> bool:
    """Whether an own coast hex, or an own settlement with a pier, lies beside the water hex. Ruling: water_hexes."""
    beside = [near for near in neighbours(label) if near in kingdom.hexes]
    for near in beside:
        hex = world.hexes.get(near)
        if hex and (rules.terrain[hex.terrain].as_adjacent or "coast" in hex.features):
            return True
    return not piers_of(kingdom, rules).isdisjoint(beside)


def _reach(now: Now) -> dict[str, list[str]]:
    """Label of each hex that this turn's claims may reach -> the hexes beside it from which it may be claimed."""
    kingdom, world, rules = now.state.kingdoms[now.seat], now.state, now.rules
    known = [label for label, hex in world.hexes.items() if not rules.terrain[hex.terrain].unseen]
    if not kingdom.hexes:
        fits = [label for label in known if kingdom.edict_size == 0 and not place_problem(kingdom, label, world, rules)]
        return {label: _from(label, set(fits), now) for label in fits}
    held_or_next, reach = set(kingdom.hexes), dict[str, list[str]]()
    for _ in range(limits(kingdom, rules).claims):
        edge = {near for label in held_or_next for near in neighbours(label)} - held_or_next
        ring = {label: beside for label in sorted(edge & set(known)) if (beside := _from(label, held_or_next, now))}
        if not ring:
            break
        reach |= ring
        held_or_next |= set(ring)
    return {label: _from(label, held_or_next, now) for label in reach}


def _from(label: str, held_by_then: set[str], now: Now) -> list[str]:
    """The hexes beside it that are enough, alone, for the claim of a hex."""
    kingdom, found = now.state.kingdoms[now.seat], []
    for near in neighbours(label):
        if near in held_by_then:
            alone = replace(kingdom, hexes={near: kingdom.hexes.get(near, ())})
            if not place_problem(alone, label, now.state, now.rules):
                found.append(near)
    return found


# --- a hex taken ------------------------------------------------------------------------------------------------------


def _take(seat: str, kingdom: Kingdom, label: str, detail: str, hexes: dict[str, Hex], turn: Turn) -> Kingdom:
    """The kingdom with the hex, what is left standing there and the knowledge of what it hides; `hexes` is a copy where the hex changes.

    Rulings: claim, wilderness.
    """
    hex, rules = hexes[label], turn.rules
    if hex.wild:
        hexes[label] = replace(hex, left=(), wild=False)
    if hex.left:
        still = ", ".join(rules.improvements[name].name.lower() for name in hex.left)
        detail += f", with what is left there: {still} (ruling wilderness)"
    kingdom = with_hex(replace(kingdom, treasury=kingdom.treasury - claim_cost(False, rules)), label, hex.left)
    book(turn, seat, kingdom, hexes, "claim", detail)
    if found := finds(hex, rules):
        danger = " Nothing is built there until it is cleared (ruling claim)." if hex.monsters or hex.hazard else ""
        turn.tell(seat, "news", hex=label, found=found, text=f"Found in {label}: {', '.join(found)}.{danger}")
    return kingdom
