"""Income phase: trade between neighbours and along routes, smuggling, and the raiders' share; then taxes.

Rulings: trade, smuggling, trade_route, one_route, blockade, raid, income.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from kingdom.games.realm import effects
from kingdom.games.realm.orders.customs import SMUGGLE, asked_about_doors
from kingdom.games.realm.rules.building_tables import TradeRouteValue
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.sheet import accounts, split, tax_bp
from kingdom.games.realm.state import Kingdom, Route, World, replace, with_kingdoms
from kingdom.games.realm.steps.land.ground import borders
from kingdom.games.realm.steps.shared import Check, attempt, book, each, in_anarchy
from kingdom.games.realm.steps.trade.open_routes import Raider, is_blockaded, parties_to, raiders_of, threats_in, watch
from kingdom.games.realm.steps.trade.pairs import end_shut_routes
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


class Tie(Struct, frozen=True):
    """An open route that ties two kingdoms: its founder, its key on the founder's sheet, whether it is blockaded, and
    who raids it this turn."""

    founder: str
    key: str
    route: Route
    blockaded: bool
    raiders: tuple[Raider, ...]


class Pair(Struct, frozen=True):
    """Two kingdoms that may trade. border: they trade across a common border. ties: the routes between them."""

    seats: tuple[str, str]
    border: bool
    ties: tuple[Tie, ...]


def trade(world: World, turn: Turn) -> World:
    """Income, before the taxes: every pair of kingdoms that touch or share an open route trades once."""
    if turn.rules.trade is None or turn.rules.trade_route is None:
        return world
    world = end_shut_routes(world, turn)
    ties = _ties(world, turn)
    world = watch(world, {(tie.founder, tie.key): tie.blockaded for tie in ties}, turn)
    smugglers = SMUGGLE.smugglers(world, turn)
    takings = Takings(world, turn)
    for pair in _pairs(world, ties, turn):
        if all(_trades(world.kingdoms[seat], turn) for seat in pair.seats):
            _trade(pair, smugglers, takings, world, turn)
    return with_kingdoms(world, takings.close())


def _trades(kingdom: Kingdom, turn: Turn) -> bool:
    """Whether the kingdom trades at all this turn: with land, and not in anarchy."""
    return bool(kingdom.hexes) and not kingdom.destroyed and not in_anarchy(kingdom, turn)


def _ties(world: World, turn: Turn) -> list[Tie]:
    """Every open route, in the order of founders and keys."""
    found = [(seat, key, route) for seat, kingdom in world.kingdoms.items() for key, route in kingdom.routes.items()]
    founded = [(seat, key, route) for seat, key, route in found if route.open and not route.shares]
    if not founded:
        return []
    threats = threats_in(world)
    beasts = monsters_that_raid(world, [route for _, _, route in founded], turn)
    raiding = {label: (*threats.raiding.get(label, ()), beast) for label, beast in beasts.items()}
    threats = replace(threats, raiding={**threats.raiding, **raiding})
    return [
        Tie(seat, key, route, is_blockaded(route, threats, world, beasts), raiders_of(route, threats))
        for seat, key, route in founded
    ]


def _pairs(world: World, ties: list[Tie], turn: Turn) -> Iterator[Pair]:
    """Each pair of kingdoms that a route ties, or that touch if the rules let neighbours trade; every pair once."""
    neighbours = in_force(turn.rules.trade).between_neighbours
    touching = {seat: others for seat, others in borders(world).items() if others} if neighbours else {}
    tied: dict[tuple[str, str], tuple[Tie, ...]] = {}
    for tie in ties:
        pair = min(tie.founder, tie.route.to), max(tie.founder, tie.route.to)
        tied[pair] = (*tied.get(pair, ()), tie)
    beside = {(seat, other) for seat, others in touching.items() for other in others if seat < other}
    for pair in sorted(beside.union(tied)):
        yield Pair(pair, pair in beside, tied.get(pair, ()))


def _trade(pair: Pair, smugglers: set[tuple[str, str]], takings: Takings, world: World, turn: Turn) -> None:
    """Trade of one pair. Each trades across the border, else over a free route, else over a raided one; or it
    smuggles."""
    free = [tie for tie in pair.ties if not tie.blockaded]
    shut = any(not world.kingdoms[seat].lets_in(other) for seat, other in _both_ways(pair))
    carried = not shut and (pair.border or bool(free))
    robbed = carried and not pair.border and all(tie.raiders for tie in free)
    raiders = free[0].raiders if robbed else ()
    taken: list[int] = []
    for seat, other in _both_ways(pair):
        if (seat, other) in smugglers:
            takings.smuggled(seat, other, smuggled(seat, other, world, turn))
        elif carried:
            taken.append(traded(seat, other, bool(raiders), world, turn))
            if not raiders:
                takings.traded(seat, other, taken[-1], over_route=not pair.border)
    if raiders:
        takings.raided(free[0].founder, free[0].key, free[0].route, raiders, sum(taken))
    for tie in free if carried else ():
        gain = in_force(turn.rules.trade_route).gain if any(taken) else 0
        if tie.raiders:
            takings.raided(tie.founder, tie.key, tie.route, tie.raiders, gain)
            continue
        founders, sharers = split(gain, len(tie.route.sharers))
        takings.route_paid(tie.founder, tie.key, tie.route.to, founders)
        for seat in tie.route.sharers:
            takings.route_paid(seat, tie.key, tie.founder, sharers)


def _both_ways(pair: Pair) -> tuple[tuple[str, str], tuple[str, str]]:
    one, other = pair.seats
    return (one, other), (other, one)


class Attempt(Struct, frozen=True):
    """A trade roll term by term: total = die + value + by_size; margin = total - dc. bp: the BP that it pays."""

    die: int
    value: int
    by_size: int
    total: int
    dc: int
    margin: int
    bp: int


def trade_by_size(size: int, other: int, rules: Rules) -> int:
    """What the two sizes add to the first kingdom's roll. Ruling: trade."""
    return abs(size - other) // in_force(rules.trade).size_per_point * (1 if size >= other else -1)


def trade_bp(margin: int, rules: Rules) -> int:
    """The BP for a roll's margin, 0 if it failed. Ruling: trade."""
    return max(in_force(rules.trade).least, -(-margin // in_force(rules.trade).margin_per_bp)) if margin >= 0 else 0


def traded(seat: str, other: str, robbed: bool, world: World, turn: Turn) -> int:
    """The BP of the seat's trade with the other kingdom: its Opulence against the other's size. robbed: raiders take
    the BP."""
    made = _attempt(seat, other, "opulence", len(world.kingdoms[other].hexes), world, turn)
    if made is None:
        return 0
    name = world.kingdoms[other].name
    turn.tell(
        seat, "check", name=f"trade-{other}", attribute="opulence", die=made.die, value=made.value, unrest=0,
        bonus=made.by_size, by_size=made.by_size, total=made.total, dc=made.dc, success=made.margin >= 0, margin=made.margin,
    )  # fmt: skip
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
    value = accounts(kingdom, world.hexes, rules)[attribute]
    by_size = trade_by_size(len(kingdom.hexes), len(world.kingdoms[other].hexes), rules)
    total = die + value + by_size
    return Attempt(die, value, by_size, total, dc, total - dc, trade_bp(total - dc, rules))


# --- what comes in ----------------------------------------------------------------------------------------------------


class Takings:
    """The kingdoms of the world as trade pays them. Booty from raids is summed up and paid at the end, as is what
    buildings add to the income from routes."""

    def __init__(self, world: World, turn: Turn):
        self._world = world
        self._turn = turn
        self._kingdoms: dict[str, Kingdom] = {}
        self._over_routes: dict[str, int] = {}
        self._raids: dict[tuple[str, str], tuple[Route, tuple[Raider, ...], int]] = {}

    def traded(self, seat: str, other: str, bp: int, over_route: bool) -> None:
        """A success in trade with the other kingdom."""
        self._pay(seat, bp, "trade", f"with {self._name(other)} (ruling trade)", over_route)

    def smuggled(self, seat: str, other: str, bp: int) -> None:
        """A success in smuggling into the other kingdom."""
        self._pay(seat, bp, "smuggling", f"into {self._name(other)} (ruling smuggling)")

    def route_paid(self, seat: str, key: str, other: str, bp: int) -> None:
        """Pay a route's gain to its founder or a sharer."""
        self._pay(seat, bp, "trade_route", f"{key} with {self._name(other)} (ruling trade)", over_route=True)

    def raided(self, founder: str, key: str, route: Route, raiders: tuple[Raider, ...], bp: int) -> None:
        """What armies take of a route."""
        _, _, before = self._raids.get((founder, key), (route, raiders, 0))
        self._raids[founder, key] = route, raiders, before + bp

    def close(self) -> dict[str, Kingdom]:
        """Seat -> kingdom for those that were paid, raids and buildings included."""
        for seat, bp in sorted(self._over_routes.items()):
            percent = more_percent(self._world.kingdoms[seat], self._turn.rules)
            detail = f"{percent} percent more of the {bp} BP that came over routes (ruling trade)"
            self._pay(seat, bp * percent // 100, "trade_route", detail)
        for (founder, key), (route, raiders, bp) in self._raids.items():
            self._share_out(founder, key, raiders, bp)
            self._tell(founder, key, route, raiders, bp)
            kingdoms = {**self._world.kingdoms, **self._kingdoms}
            self._kingdoms |= asked_about_doors(founder, key, route, raiders, kingdoms, self._turn)
        return self._kingdoms

    def _pay(self, seat: str, bp: int, cause: str, detail: str, over_route: bool = False) -> None:
        if not bp or not seat:  # the share of monsters goes to nobody
            return
        kingdom = self._kingdoms.get(seat) or self._world.kingdoms[seat]
        self._kingdoms[seat] = replace(kingdom, treasury=kingdom.treasury + bp)
        book(self._turn, seat, self._kingdoms[seat], self._world.hexes, cause, detail)
        if over_route:
            self._over_routes[seat] = self._over_routes.get(seat, 0) + bp

    def _share_out(self, founder: str, key: str, raiders: tuple[Raider, ...], bp: int) -> None:
        """Each kingdom whose armies raid gets its part."""
        for seat, part in parts_of(bp, founder, key, raiders, self._world, self._turn).items():
            self._pay(seat, part, "raid", f"taken of a trade route of {self._name(founder)} (ruling raid)")

    def _tell(self, founder: str, key: str, route: Route, raiders: tuple[Raider, ...], bp: int) -> None:
        """Tell the route's parties who raided it, and the raider what it took."""
        told = parties_to(founder, route)
        armies = ", ".join(self._called(raider) for raider in raiders)
        for seat in told:
            text = f"{key} of {self._name(founder)} with {self._name(route.to)} is raided by {armies}: "
            text += f"{bp} BP are taken (ruling raid)."
            self._turn.tell(seat, "news", text=text)
        for raider in raiders:
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
