"""Edict phase, step 2, second half: hexes claimed, contests and free cities included.

Where two or more kingdoms claim a hex in one turn, every list of claims is walked twice, with the rolls between the walks.
Rulings: claim, contested_claim, free_city, wilderness, refused_is_free.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from msgspec import Struct

from kingdom.engine.refusal import Refusal
from kingdom.games.realm.orders.claim import CLAIM, claim_cost, claim_problem
from kingdom.games.realm.orders.kind import Now
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import accounts
from kingdom.games.realm.state import Kingdom, World, replace, with_kingdoms
from kingdom.games.realm.types import Turn


def claim_hexes(world: World, turn: Turn) -> World:
    """Edict step 2, second half: walk every list of claims, roll for contests, then carry out the claims that stand.

    One step over the whole world. Rulings: claim, contested_claim, free_city.
    """
    claims = {
        seat: orders
        for seat, kingdom in world.kingdoms.items()
        if not kingdom.destroyed and (orders := CLAIM.ordered(Now(world, seat, turn.rules), turn))
    }
    return settle_claims(world, turn, claims, world, turn.refuse)[0] if claims else world


def settle_claims(
    world: World, turn: Turn, claims: Mapping[str, Claims], purses: World, refuse: Callable[..., None]
) -> tuple[World, dict[str, Walk]]:
    """(the world after these claims by seat, what became of each). refuse(seat, path, code, **facts) is called for each refused
    claim.

    purses: the world in which each kingdom's treasury is what it may spend on claims.
    """
    first = {seat: walk(purses.kingdoms[seat], orders, purses, turn.rules) for seat, orders in claims.items()}
    lost = contests(first, purses, turn)
    walks = {**first, **second_walks(first, lost, claims, purses, turn.rules)}
    contested = {first[seat].stands[path] for seat, paths in lost.items() for path in paths}
    for seat, walked in walks.items():
        for path, refusal in walked.refused.items():
            refuse(seat, path, refusal.code, **refusal.facts)
        kingdom = world.kingdoms[seat]
        world = with_kingdoms(world, {seat: replace(kingdom, used={**kingdom.used, "claims": walked.used})})
        for label in walked.stands.values():
            world = CLAIM.carry_out(Now(world, seat, turn.rules), label, turn, label in contested)
    return world, walks


# --- contested hexes --------------------------------------------------------------------------------------------------


Claims = list[tuple[str, str]]  # the path of an order, the hex


class Walk(Struct, frozen=True):
    """What becomes of a kingdom's list of claims.

    stands: path -> label. refused: path -> why. used: the number of claims used up, including those lost in a contest.
    """

    stands: dict[str, str]
    refused: dict[str, Refusal]
    used: int


def walk(
    kingdom: Kingdom,
    claims: Claims,
    world: World,
    rules: Rules,
    lost: Collection[str] = (),
    refused: Mapping[str, Refusal] | None = None,
) -> Walk:
    """Decide each claim in the order listed, as if the kingdom won every contest except for the claims in `lost` (paths).

    Claims in `refused` stay refused. A lost claim is used up, a refused one is not.
    """
    stands: dict[str, str] = {}
    refusals: dict[str, Refusal] = {}
    kingdom = replace(kingdom, used={"claims": kingdom.used.get("claims", 0)})
    for path, label in claims:
        if path not in lost:
            twice = Refusal("claim_twice", {"hex": label}) if label in stands.values() else None
            refusal = (refused or {}).get(path) or twice or claim_problem(kingdom, label, world, rules)
            if refusal:
                refusals[path] = refusal
                continue
            stands[path] = label
            cost = claim_cost(label in kingdom.hexes, rules)
            kingdom = replace(kingdom, treasury=kingdom.treasury - cost, hexes={**kingdom.hexes, label: ()})
        kingdom = replace(kingdom, used={"claims": kingdom.used["claims"] + 1})
    return Walk(stands, refusals, kingdom.used["claims"])


def contests(first: Mapping[str, Walk], world: World, turn: Turn) -> dict[str, set[str]]:
    """Seat -> the paths of the claims that it loses. A hex is contested if claims of two or more seats stand."""
    named, lost = _named(first), dict[str, set[str]]()
    for label in sorted(label for label, claimants in named.items() if len(claimants) > 1):
        winner = _contest(label, named[label], world, turn)
        for seat, path in named[label].items():
            if seat != winner:
                lost.setdefault(seat, set()).add(path)
    return lost


def _contest(label: str, claimants: Mapping[str, str], world: World, turn: Turn) -> str:
    """The seat with the highest roll, "" if tied or not rolled. Stability and Unrest count as they were before any claim."""
    rolls: dict[str, dict[str, int]] = {}
    for seat in claimants:
        kingdom = world.kingdoms[seat]
        die = turn.roll(seat, f"contest-{label}", turn.rules.contested_claim.die)
        if die is None:
            return ""
        stability, unrest = accounts(kingdom, world.hexes, turn.rules)["stability"], kingdom.unrest
        rolls[seat] = {"die": die, "stability": stability, "unrest": unrest, "total": die + stability - unrest}
    highest = max(roll["total"] for roll in rolls.values())
    best = [seat for seat, roll in rolls.items() if roll["total"] == highest]
    winner = best[0] if len(best) == 1 else ""
    for seat, path in claimants.items():
        _tell_of_contest(seat, path, label, rolls, winner, world, turn)
    return winner


def _tell_of_contest(
    seat: str, path: str, label: str, rolls: Mapping[str, dict[str, int]], winner: str, world: World, turn: Turn
) -> None:
    """Tell a claimant its own roll term by term, its rivals and the result, but not the rivals' rolls."""
    roll = rolls[seat]
    others = ", ".join(world.kingdoms[other].name for other in rolls if other != seat)
    how = "won" if winner == seat else f"{world.kingdoms[winner].name} won it" if winner else "a tie, nobody takes it"
    terms = ((roll["stability"], "Stability"), (-roll["unrest"], "Unrest"))
    added = "".join(f" {'-' if points < 0 else '+'} {abs(points)} {what}" for points, what in terms if points)
    sum_of = f"{roll['die']} (d{turn.rules.contested_claim.die}){added} = {roll['total']}"
    text = f"{label} was contested with {others}: {sum_of}, {how} (ruling contested_claim)."
    kind = "news" if winner == seat else "changed"
    turn.tell(seat, kind, order=path, contest=label, **roll, won=winner == seat, text=text)


def second_walks(
    first: Mapping[str, Walk], lost: Mapping[str, set[str]], claims: Mapping[str, Claims], world: World, rules: Rules
) -> dict[str, Walk]:
    """The lists of the seats that lost a contest, walked again without the lost claims.

    A claim over the cap stays refused. The BP saved by a lost claim may pay for a later claim of the list. But a claim that was
    not eligible in the first walk contests nothing: it stands only if nobody else names its hex.
    """
    named = _named(first)
    while True:
        walks = {}
        for seat in lost:
            before = first[seat]
            refused = {path: refusal for path, refusal in before.refused.items() if refusal.code == "claim_cap"}
            for path, label in claims[seat]:
                if path not in before.stands and path not in refused and set(named.get(label, ())) - {seat}:
                    refused[path] = Refusal("claim_contested", {"hex": label})
            walks[seat] = walk(world.kingdoms[seat], claims[seat], world, rules, lost[seat], refused)
        late = _named(walks, without=first)
        if all(len(claimants) == 1 for claimants in late.values()):
            return walks
        named = {**named, **{label: claimants for label, claimants in late.items() if len(claimants) > 1}}


def _named(walks: Mapping[str, Walk], without: Mapping[str, Walk] | None = None) -> dict[str, dict[str, str]]:
    """Label -> {seat: path} of the claims on it that stand, leaving out claims that stood in `without`."""
    named: dict[str, dict[str, str]] = {}
    for seat, walked in walks.items():
        stood = without[seat].stands if without else {}
        for path, label in walked.stands.items():
            if path not in stood:
                named.setdefault(label, {})[seat] = path
    return named
