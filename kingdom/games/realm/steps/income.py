"""Income phase: trade between neighbours and along routes, smuggling, and the raiders' share; then taxes.

Rulings: trade, smuggling, trade_route, one_route, blockade, raid, income.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from kingdom.games.realm import effects
from kingdom.games.realm.orders.customs import SMUGGLE, asked_about_doors
from kingdom.games.realm.rules.building_tables import TradeRouteValue
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.sheet import accounts, split, tax_bp
from kingdom.games.realm.state import Kingdom, World, replace, with_kingdoms
from kingdom.games.realm.steps.land.ground import borders
from kingdom.games.realm.steps.shared import Check, attempt, book, by_margin, by_sizes, each, in_anarchy, tell_roll
from kingdom.games.realm.steps.trade.open_routes import Raider, is_blockaded, parties_to, raiders_of, threats_in, watch
from kingdom.games.realm.steps.trade.pairs import Ends, Founded, by_pair, end_shut_routes, founded
from kingdom.games.realm.steps.trade.raids import monsters_that_raid, parts_of
from kingdom.games.realm.types import Turn

CAUSES = {
    "trade": "trade with another kingdom",
    "smuggling": "what was smuggled into another kingdom",
    "raid": "what an army took of a trade route",
    "taxes": "what a successful Economy check pays",
    "works": "what mines, quarries and sawmills pay with a successful Economy check",
}


# --- trade ------------------------------------------------------------------------------------------------------------


class Tie(Founded, frozen=True):
    """An open route that ties two kingdoms, whether it is blockaded, and who raids it this turn."""

    blockaded: bool
    raiders: tuple[Raider, ...]


def trade(world: World, turn: Turn) -> World:
    """Income, before the taxes: every pair of kingdoms that touch or share an open route trades once."""
    if turn.rules.trade is None or turn.rules.trade_route is None:
        return world
    world = end_shut_routes(world, turn)
    ties = _ties(world, turn)
    world = watch(world, {(tie.founder, tie.key): tie.blockaded for tie in ties}, turn)
    smugglers = SMUGGLE.smugglers(world, turn)
    takings = Takings(world, turn)
    tied = by_pair(ties)
    beside = _neighbours(world, turn)
    for pair in sorted(beside.union(tied)):
        if all(_trades(world.kingdoms[seat], turn) for seat in pair):
            _trade(pair, pair in beside, tied.get(pair, ()), smugglers, takings, world, turn)
    return with_kingdoms(world, takings.close())


def _trades(kingdom: Kingdom, turn: Turn) -> bool:
    """Whether the kingdom trades at all this turn: with land, and not in anarchy."""
    return bool(kingdom.hexes) and not kingdom.destroyed and not in_anarchy(kingdom, turn)


def _ties(world: World, turn: Turn) -> list[Tie]:
    """Every open route, in the order of founders and keys."""
    open_ones = [one for one in founded(world.kingdoms) if one.route.open]
    if not open_ones:
        return []
    threats = threats_in(world)
    beasts = monsters_that_raid(world, [one.route for one in open_ones], turn)
    raiding = {label: (*threats.raiding.get(label, ()), beast) for label, beast in beasts.items()}
    threats = replace(threats, raiding={**threats.raiding, **raiding})
    return [
        Tie(
            one.founder,
            one.key,
            one.route,
            is_blockaded(one.route, threats, world, beasts),
            raiders_of(one.route, threats),
        )
        for one in open_ones
    ]


def _neighbours(world: World, turn: Turn) -> set[Ends]:
    """The kingdoms that touch, every pair once; none if the rules don't let neighbours trade."""
    touching = borders(world) if in_force(turn.rules.trade).between_neighbours else {}
    return {(seat, other) for seat, others in touching.items() for other in others if seat < other}


def _trade(
    pair: Ends, border: bool, ties: Sequence[Tie], smugglers: set[Ends], takings: Takings, world: World, turn: Turn
) -> None:
    """Trade of one pair. Each trades across the border, else over a free route, else over a raided one; or it
    smuggles. ties: the routes between them."""
    both_ways = pair, pair[::-1]
    free = [tie for tie in ties if not tie.blockaded]
    shut = any(not world.kingdoms[seat].lets_in(other) for seat, other in both_ways)
    carried = not shut and (border or bool(free))
    robbed = carried and not border and all(tie.raiders for tie in free)
    raiders = free[0].raiders if robbed else ()
    taken: list[int] = []
    for seat, other in both_ways:
        if (seat, other) in smugglers:
            into = f"into {world.kingdoms[other].name} (ruling smuggling)"
            takings.pay(seat, smuggled(seat, other, world, turn), "smuggling", into)
        elif carried:
            taken.append(traded(seat, other, bool(raiders), world, turn))
            if not raiders:
                takings.pay(
                    seat, taken[-1], "trade", f"with {world.kingdoms[other].name} (ruling trade)", over_route=not border
                )
    if raiders:
        takings.raided(free[0], sum(taken))
    for tie in free if carried else ():
        gain = in_force(turn.rules.trade_route).gain if any(taken) else 0
        if tie.raiders:
            takings.raided(tie, gain)
            continue
        founders, sharers = split(gain, len(tie.route.sharers))
        for seat in (tie.founder, *tie.route.sharers):
            other, bp = (tie.route.to, founders) if seat == tie.founder else (tie.founder, sharers)
            detail = f"{tie.key} with {world.kingdoms[other].name} (ruling trade)"
            takings.pay(seat, bp, "trade_route", detail, over_route=True)


class Attempt(Struct, frozen=True):
    """A trade roll term by term: total = die + value + by_size; margin = total - dc. bp: the BP that it pays."""

    die: int
    value: int
    by_size: int
    total: int
    dc: int
    margin: int
    bp: int


def traded(seat: str, other: str, robbed: bool, world: World, turn: Turn) -> int:
    """The BP of the seat's trade with the other kingdom: its Opulence against the other's size. robbed: raiders take
    the BP."""
    made = _attempt(seat, other, "opulence", len(world.kingdoms[other].hexes), world, turn)
    if made is None:
        return 0
    name = world.kingdoms[other].name
    tell_roll(turn, seat, f"trade-{other}", "opulence", made.die, made.value, made.dc, by_size=made.by_size)
    did = f"{made.bp} BP, taken by raiders" if robbed and made.bp else f"{made.bp} BP" if made.bp else "nothing"
    turn.tell(seat, "trade", to=other, bp=made.bp, did=did, text=f"Trade with {name}: {did}.")
    return made.bp


def smuggled(seat: str, other: str, world: World, turn: Turn) -> int:
    """The BP of smuggling: Debauchery against the other's Vigilance, which the smuggler is not told."""
    vigilance = accounts(world.kingdoms[other], world.hexes, turn.rules)["vigilance"]
    made = _attempt(seat, other, "debauchery", vigilance, world, turn)
    if made is None:
        return 0
    rolled = f"{made.die} {made.value:+d} Debauchery{f' {made.by_size:+d} size' if made.by_size else ''} = {made.total}"
    what = f"{made.bp} BP" if made.margin >= 0 else "failed"
    text = f"Smuggling into {world.kingdoms[other].name}: {rolled}: {what} (ruling smuggling)."
    turn.tell(seat, "smuggling", to=other, bp=made.bp, success=made.margin >= 0, total=made.total, text=text)
    if -made.margin >= in_force(turn.rules.smuggling).told_by:
        text = f"Smugglers from {world.kingdoms[seat].name} were caught at the border (ruling smuggling)."
        turn.tell(other, "news", text=text)
    return made.bp


def _attempt(seat: str, other: str, attribute: str, dc: int, world: World, turn: Turn) -> Attempt | None:
    """The roll `trade-OTHER` of the seat; None where the turn is only foreseen."""
    rules: Rules = turn.rules
    kingdom = world.kingdoms[seat]
    die = turn.roll(seat, f"trade-{other}", in_force(rules.trade).die)
    if die is None:
        return None
    value, ruling = accounts(kingdom, world.hexes, rules)[attribute], in_force(rules.trade)
    by_size = by_sizes(len(kingdom.hexes), len(world.kingdoms[other].hexes), ruling.size_per_point)
    total = die + value + by_size
    return Attempt(
        die, value, by_size, total, dc, total - dc, by_margin(total - dc, ruling.margin_per_bp, ruling.least)
    )


# --- what comes in ----------------------------------------------------------------------------------------------------


class Takings:
    """The kingdoms of the world as trade pays them. Booty from raids is summed up and paid at the end, as is what
    buildings add to the income from routes."""

    def __init__(self, world: World, turn: Turn):
        self._world = world
        self._turn = turn
        self._kingdoms: dict[str, Kingdom] = {}
        self._over_routes: dict[str, int] = {}
        self._raids: dict[Tie, int] = {}

    def raided(self, tie: Tie, bp: int) -> None:
        """What armies take of a route."""
        self._raids[tie] = self._raids.get(tie, 0) + bp

    def close(self) -> dict[str, Kingdom]:
        """Seat -> kingdom for those that were paid, raids and buildings included."""
        for seat, bp in sorted(self._over_routes.items()):
            percent = more_percent(self._world.kingdoms[seat], self._turn.rules)
            detail = f"{percent} percent more of the {bp} BP that came over routes (ruling trade)"
            self.pay(seat, bp * percent // 100, "trade_route", detail)
        for tie, bp in self._raids.items():
            for seat, part in parts_of(bp, tie.founder, tie.key, tie.raiders, self._world, self._turn).items():
                self.pay(seat, part, "raid", f"taken of a trade route of {self._name(tie.founder)} (ruling raid)")
            self._tell(tie, bp)
            kingdoms = {**self._world.kingdoms, **self._kingdoms}
            self._kingdoms |= asked_about_doors(tie.founder, tie.key, tie.route, tie.raiders, kingdoms, self._turn)
        return self._kingdoms

    def pay(self, seat: str, bp: int, cause: str, detail: str, over_route: bool = False) -> None:
        """Pay the seat, and book it."""
        if not bp or not seat:  # the share of monsters goes to nobody
            return
        kingdom = self._kingdoms.get(seat) or self._world.kingdoms[seat]
        self._kingdoms[seat] = replace(kingdom, treasury=kingdom.treasury + bp)
        book(self._turn, seat, self._kingdoms[seat], self._world.hexes, cause, detail)
        if over_route:
            self._over_routes[seat] = self._over_routes.get(seat, 0) + bp

    def _tell(self, tie: Tie, bp: int) -> None:
        """Tell the route's parties who raided it, and the raider what it took."""
        told = parties_to(tie.founder, tie.route)
        armies = ", ".join(self._called(raider) for raider in tie.raiders)
        for seat in told:
            text = f"{tie.key} of {self._name(tie.founder)} with {self._name(tie.route.to)} is raided by {armies}: "
            text += f"{bp} BP are taken (ruling raid)."
            self._turn.tell(seat, "news", text=text)
        for raider in tie.raiders:
            if raider.seat and raider.seat not in told:
                text = f"{raider.army} raids a trade route in {raider.hex}: {bp} BP are taken in all (ruling raid)."
                self._turn.tell(raider.seat, "news", hex=raider.hex, text=text)

    def _called(self, raider: Raider) -> str:
        whose = f" of {self._name(raider.seat)}" if raider.seat else ""
        return f"{raider.army}{whose} in {raider.hex}"

    def _name(self, seat: str) -> str:
        return self._world.kingdoms[seat].name


def more_percent(kingdom: Kingdom, rules: Rules) -> int:
    """The percentage that the kingdom's buildings add to its income from routes."""
    found = [effect for _, _, effect in effects.standing(kingdom, rules) if isinstance(effect, TradeRouteValue)]
    return min(sum(effect.percent for effect in found), max((effect.most for effect in found), default=0))


# --- taxes ------------------------------------------------------------------------------------------------------------


def taxes(world: World, turn: Turn) -> World:
    """Collect taxes: a successful Economy check pays its total divided, plus what mines, quarries and sawmills add.
    Ruling: income."""
    return each(world, turn, _taxes)


def taxes_of(check: Check, rules: Rules) -> int:
    """The BP of a successful check: its total divided, rounded down, never below 0."""
    return max(0, (check.total or 0) // rules.income.divisor)


def _taxes(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    if not kingdom.hexes:  # ruling no_hexes
        return kingdom
    check = attempt(turn, seat, kingdom, world.hexes, "economy", "economy")
    if not check.success:
        return kingdom
    bp = taxes_of(check, turn.rules)
    kingdom = replace(kingdom, treasury=kingdom.treasury + bp)
    decided = " (ruling income)" if check.total < check.dc else ""
    book(turn, seat, kingdom, world.hexes, "taxes", f"{check.total} divided by {turn.rules.income.divisor}{decided}")
    works = tax_bp(kingdom, world.hexes, turn.rules)
    if works:
        kingdom = replace(kingdom, treasury=kingdom.treasury + sum(bp for _, bp in works))
        detail = ", ".join(f"{what} {bp}" for what, bp in works)
        book(turn, seat, kingdom, world.hexes, "works", detail)
    return kingdom
