"""What trade, smuggling and raids of one turn bring in: paid and booked as it comes.

Rulings: trade, smuggling, trade_route, raid.
"""

from __future__ import annotations

from kingdom.games.realm import effects
from kingdom.games.realm.rules.building_tables import TradeRouteValue
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, Route, World, replace
from kingdom.games.realm.steps.shared import book
from kingdom.games.realm.steps.trade.open_routes import Raider, parties_to, split
from kingdom.games.realm.types import Turn


class Takings:
    """The kingdoms of the world as trade pays them. What raiders took of a route is summed up and paid at the end, and so is
    what buildings add to all that came over routes."""

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
        """What a route pays its founder, or one who shares it."""
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
        return self._kingdoms

    def _pay(self, seat: str, bp: int, cause: str, detail: str, over_route: bool = False) -> None:
        if not bp:
            return
        kingdom = self._kingdoms.get(seat) or self._world.kingdoms[seat]
        self._kingdoms[seat] = replace(kingdom, treasury=kingdom.treasury + bp)
        book(self._turn, seat, self._kingdoms[seat], self._world.hexes, cause, detail)
        if over_route:
            self._over_routes[seat] = self._over_routes.get(seat, 0) + bp

    def _share_out(self, founder: str, key: str, raiders: tuple[Raider, ...], bp: int) -> None:
        """Split evenly among the kingdoms whose armies raid; the rest is for the first of them."""
        seats = list(dict.fromkeys(raider.seat for raider in raiders))
        first, each = split(bp, len(seats) - 1)
        for seat in seats:
            part = first if seat == seats[0] else each
            self._pay(seat, part, "raid", f"taken of a trade route of {self._name(founder)} (ruling raid)")

    def _tell(self, founder: str, key: str, route: Route, raiders: tuple[Raider, ...], bp: int) -> None:
        """Those who have to do with the route see the raider; he learns what he took."""
        told = parties_to(founder, route)
        armies = ", ".join(f"{raider.army} of {self._name(raider.seat)} in {raider.hex}" for raider in raiders)
        for seat in told:
            text = f"{key} of {self._name(founder)} with {self._name(route.to)} is raided by {armies}: "
            text += f"{bp} BP are taken (ruling raid)."
            self._turn.tell(seat, "news", text=text)
        for raider in raiders:
            if raider.seat not in told:
                text = f"{raider.army} raids a trade route in {raider.hex}: {bp} BP are taken in all (ruling raid)."
                self._turn.tell(raider.seat, "news", hex=raider.hex, text=text)

    def _name(self, seat: str) -> str:
        return self._world.kingdoms[seat].name


def more_percent(kingdom: Kingdom, rules: Rules) -> int:
    """What the kingdom's buildings add to all that comes over routes, in percent."""
    found = [effect for _, _, effect in effects.standing(kingdom, rules) if isinstance(effect, TradeRouteValue)]
    return min(sum(effect.percent for effect in found), max((effect.most for effect in found), default=0))
