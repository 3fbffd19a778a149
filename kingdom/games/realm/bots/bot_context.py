"""What a bot has in mind while it writes: its temper, what its seat knows, its kingdom as the orders so far would leave it,
and those orders.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, TypeVar

from msgspec import Struct

from kingdom.games.realm.offers.turn_preview import Course, standing
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.sheet import control_dc
from kingdom.games.realm.state import Kingdom, World, owners, replace
from kingdom.orders import orders_file as filing


class Temper(Struct, frozen=True):
    """Percent a turn, but for `saves`: the turns of Consumption that it keeps in the treasury, and the lists.

    likes: buildings that it looks at before others. deeds: what its armies are told to do, each as often as it stands here.
    """

    name: str
    saves: int
    likes: tuple[str, ...]
    deeds: tuple[str, ...]
    abandon: int = 1
    claim: int = 80
    improve: int = 80
    settle: int = 40
    build: int = 85
    demolish: int = 4
    upgrade: int = 15
    muster: int = 35
    march: int = 40
    stance: int = 20
    edicts: int = 20
    aid: int = 15
    explore: int = 15
    adventurers: int = 15
    trade_route: int = 10
    share_route: int = 5
    close_route: int = 2
    watch: int = 50
    plan: int = 15
    write: int = 5
    lead: int = 15


BUILDER = Temper(
    name="builder",
    saves=2,
    likes=("house", "shop", "inn", "park", "granary", "mill", "smithy"),
    deeds=("garrison", "attack", "patrol", "attack"),
)
TRADER = Temper(
    name="trader",
    saves=1,
    likes=("house", "market", "shop", "guildhall", "pier", "luxury_store", "trade_shop"),
    deeds=("garrison", "patrol", "allow", "attack", "attack"),
    build=70, aid=25, explore=25, trade_route=30, share_route=15, close_route=4, watch=80,
)  # fmt: skip
WARLORD = Temper(
    name="warlord",
    saves=1,
    likes=("barracks", "city_wall", "watchtower", "garrison", "tavern", "smithy", "stable"),
    deeds=("attack", "attack", "attack", "raid", "blockade", "garrison", "patrol", "allow"),
    claim=70, build=60, muster=80, march=85, stance=40, edicts=25, aid=5, adventurers=20, trade_route=8,
)  # fmt: skip


T = TypeVar("T")
Draft: TypeAlias = dict[str, object]  # an order in the long form, as orders/declaration.py declares it

FINE = 1_000_000  # sides of a roll in which two items are hardly ever equal
LEAST = 8  # BP that it keeps whatever it consumes
FIRM = 5  # by how much a middling die passes the Stability check of a kingdom that stands firm


class Mind:
    """One bot writing one turn's orders. `kingdom` and `purse` change as it writes.

    sheet: account -> balance of the kingdom before its orders.
    purse: BP that it is ready to spend; what it consumes in some turns is set aside.
    """

    def __init__(
        self,
        known: World,
        seat: str,
        rules: Rules,
        chance: Callable[[str, int], int],
        temper: Temper,
        sheet: Mapping[str, int],
    ):
        self.world = known
        self.seat = seat
        self.rules = rules
        self.temper = temper
        own = known.kingdoms[seat]
        self.kingdom = replace(own, edict_size=len(own.hexes), used={})
        self.sheet = sheet
        self.purse = max(0, own.treasury - LEAST - temper.saves * self.sheet["consumption"])
        self.margins = self._margins(own)
        self.orders: Draft = {"kingdom": seat, "turn": known.turn + 1}
        self._given: dict[str, list[object]] = {}
        self._chance = chance

    def _margins(self, kingdom: Kingdom) -> dict[str, int]:
        """Attribute -> by how much a middling die passes its check, as things stand."""
        beats = control_dc(kingdom, self.rules) + kingdom.unrest - self.rules.check.die // 2
        return {name: self.sheet[name] - beats for name in ATTRIBUTES}

    def steady(self) -> bool:
        """Whether the kingdom may grow: its checks succeed by far more often than not, and it can pay what it consumes."""
        return (
            self.margins["economy"] > 2
            and self.margins["stability"] > FIRM
            and self.purse > 0
            and self.kingdom.unrest < 2
        )

    def poor(self) -> bool:
        """Whether what it has does not pay what it consumes in the next turns."""
        return self.kingdom.treasury < LEAST + self.sheet["consumption"]

    def weakest(self) -> str:
        """The attribute whose check stands worst."""
        return min(ATTRIBUTES, key=lambda name: (self.margins[name], name))

    def may_order(self) -> bool:
        """Whether orders count this turn: not in anarchy, not destroyed, not before it has joined."""
        return not self.kingdom.destroyed and self.kingdom.anarchy != self.world.turn + 1

    def text(self) -> str:
        """The orders as a text that can be filed."""
        return filing.write(self.orders)

    # --- chance

    def roll(self, what: str, sides: int) -> int:
        """1 to `sides`."""
        return self._chance(what, sides)

    def happens(self, what: str, percent: int) -> bool:
        """Whether something that happens in that percent of turns happens now."""
        return percent > 0 and self._chance(what, 100) <= percent

    def wants(self, habit: str) -> bool:
        """Whether a habit of its temper acts this turn."""
        return self.happens(habit, getattr(self.temper, habit))

    def pick(self, what: str, items: Sequence[T]) -> T:
        """One of the items."""
        return self.some(what, items, 1)[0]

    def some(self, what: str, items: Sequence[T], most: int) -> list[T]:
        """At most that many of the items, in another order.

        Each has a roll of its own, named for it, and the highest win. So one item more, such as a new building, leaves the others in
        their order, and is taken itself as often as each of them.
        """
        return sorted(items, key=lambda item: self._chance(f"{what}: {item}", FINE), reverse=True)[:most]

    # --- what it knows

    def others(self) -> list[str]:
        """The other seats whose land it sees, else all of the campaign."""
        seen = [seat for seat, kingdom in self.world.kingdoms.items() if seat != self.seat and kingdom.hexes]
        return seen or [seat for seat in self.world.kingdoms if seat != self.seat]

    def foreign(self) -> dict[str, str]:
        """Label -> the other seat that holds it, of the hexes that it sees."""
        return {label: seat for label, seat in owners(self.world).items() if seat != self.seat}

    def after(self) -> World:
        """What it knows, with its kingdom as the orders so far would leave it."""
        return replace(self.world, kingdoms={**self.world.kingdoms, self.seat: self.kingdom})

    def course(self) -> Course:
        """The turn to come as the orders so far would have it, to ask what more may be ordered."""
        return standing(self.after(), self.seat, self.rules, self.orders)

    # --- what it orders

    def give(self, key: str, order: object) -> None:
        """One more order of that key."""
        if key not in self._given:
            self.orders[key] = self._given[key] = []
        self._given[key].append(order)

    def given(self, key: str) -> Sequence[object]:
        """The orders of that key so far."""
        return self._given.get(key, ())

    def enough(self, key: str) -> bool:
        """Whether it thinks of no more orders of that key."""
        return False

    def pays(self, bp: int) -> None:
        """Spend that many BP."""
        self.purse -= bp
        self.kingdom = replace(self.kingdom, treasury=self.kingdom.treasury - bp)

    def holds(self, hexes: dict[str, tuple[str, ...]]) -> None:
        """The kingdom has these hexes now, each with its improvements."""
        self.kingdom = replace(self.kingdom, hexes=hexes)
