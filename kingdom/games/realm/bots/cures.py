"""Cures for a danger: the orders that CURES lists for its cause. Each is tried in the game's own next turn on what the seat
knows, so the rules decide its price, limits and effect.
"""

from __future__ import annotations

from collections.abc import Mapping

from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.step import Orders
from kingdom.games.realm.armies import consumption, counts
from kingdom.games.realm.bots.marshal import hosts
from kingdom.games.realm.forecast.causes import CONSUMPTION, cause_of
from kingdom.games.realm.forecast.exact import ends_of
from kingdom.games.realm.forecast.forecast import next_turn
from kingdom.games.realm.forecast.terms import HEADS
from kingdom.games.realm.forecast.threats import Met, Threats, met, threats
from kingdom.games.realm.offers.offers import Options
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.sheet import accounts, led
from kingdom.games.realm.state import Kingdom, World, replace
from kingdom.games.realm.steps.towns.construction import Site, Work, unrest_counted, work_of

ABOVE = 0.05  # players are told of chances above this
SAFE = 0.1  # a cure may raise another danger up to this chance
TRIED = 2  # so many cures of each danger, those with the best next turn, are followed over all turns
MORE = 2  # so many more cures are followed if none of those lowers the danger
WORTH = 0.02  # an order must lower a chance at least by this to be called a cure
LIKELY = 0.5  # above this chance of bankruptcy an army may be disbanded
RESERVE = 2  # turns of Consumption that a cure must leave in the treasury
FINE = 6  # digits that count when cures are compared, so that rounding errors do not decide between equals


class Cure(NamedTuple):
    """An order that may help. what: the key of the order, or an edict; to: the value of the order, or by how many levels the
    edict moves."""

    what: str
    to: str | int


LEADERSHIP, LOYALTY, BUILD, IMPROVE, ARMIES = "leadership", "loyalty", "build", "improve", "armies"
TEAR_DOWN, DISBAND = Cure(BUILD, "demolish"), Cure(ARMIES, "disband")
CALM = Cure(
    BUILD, "unrest"
)  # the building that takes off Unrest for the fewest BP, such as the first City Wall or a House; it pays only in later turns
CURES: Mapping[str, tuple[Cure, ...]] = {  # cause of a danger -> cures to try
    "stability": (
        Cure(LEADERSHIP, "stability"), Cure("promotion", 1), Cure("promotion", 2), Cure(BUILD, "stability"), Cure(LOYALTY, HEADS),
        CALM,
    ),
    "loyalty": (
        Cure(LEADERSHIP, "loyalty"), Cure("taxation", -1), Cure("taxation", -2), Cure("holiday", 1), Cure("holiday", 2),
        Cure(BUILD, "loyalty"), CALM,
    ),
    "economy": (
        Cure(LEADERSHIP, "economy"), Cure("taxation", 1), Cure("taxation", 2), Cure("holiday", -1), Cure("promotion", -1),
        Cure(BUILD, "economy"), TEAR_DOWN, DISBAND, CALM,
    ),
    CONSUMPTION: (
        Cure("holiday", -1), Cure("holiday", -2), Cure("promotion", -1), Cure("promotion", -2), Cure("taxation", 1),
        Cure("taxation", 2), Cure(LEADERSHIP, "economy"), Cure(IMPROVE, CONSUMPTION),
        Cure(LEADERSHIP, "stability"), Cure(BUILD, "stability"), TEAR_DOWN, DISBAND, CALM,
    ),
}  # fmt: skip


class Best(NamedTuple):
    """The best of the tried cures. cure: None if nothing helps; chance: the danger's chance with the cure, None if it does not
    drop enough; harms: dangers that the cure makes worse -> their chance; gain: by how much the next turn ends better on
    average, in BP or Unrest."""

    cure: Cure | None = None
    chance: float | None = None
    harms: Mapping[str, float] = {}
    gain: float = 0


def worse(before: Mapping[str, float], after: Mapping[str, float]) -> list[str]:
    """Return the dangers that are more likely after than before, and above SAFE."""
    return [name for name, chance in after.items() if round(chance, FINE) > max(SAFE, round(before[name], FINE))]


class Cures:
    """The cures tried so far, each once. before: the dangers without orders."""

    def __init__(self, seen: World, seat: str, offers: Options | None, rules: Rules, before: Threats):
        self._seen, self._seat, self._offers, self._rules = seen, seat, offers, rules
        self.before = before
        self._met: dict[Cure, Met | None] = {}

    def best(self, name: str) -> Best:
        """Return the best cure of the danger of that name; cures that make no other danger worse come first."""
        cause, _ = cause_of(name, self.before.met.quiet, self._rules)
        ways = [cure for cure in CURES.get(cause, ()) if self.met(cure)]
        ways.sort(key=lambda cure: round(self._next(name, cure), FINE))
        chances = self.before.chances
        ahead = {cure: self._ahead(cure) for cure in (*ways[:TRIED], *(cure for cure in ways[TRIED:] if cure == CALM))}
        helps = [cure for cure in ahead if chances[name] - ahead[cure][name] >= max(WORTH, self._harm(cure))]
        if helps:
            harms = {cure: {harmed: ahead[cure][harmed] for harmed in worse(chances, ahead[cure])} for cure in helps}
            best = min(helps, key=lambda cure: (bool(harms[cure]), round(ahead[cure][name], FINE)))
            return Best(best, ahead[best][name], harms[best])
        more = (*ahead, *ways[TRIED : TRIED + MORE])  # followed only if no cure lowers the chance
        fine = (cure for cure in more if self._ahead(cure)[name] <= chances[name] and not self._harm(cure))
        least = next(fine, None)
        return Best(least, gain=self._next(name, None) - self._next(name, least)) if least else Best()

    def met(self, cure: Cure) -> Met | None:
        """The next turn with the cure ordered; None if the rules refuse the order or there is no such level."""
        if cure not in self._met:
            orders = self.orders(cure)
            found = met(self._seen, self._seat, self._rules, orders) if orders else None
            self._met[cure] = None if found is None or found.refused else found
        return self._met[cure]

    def orders(self, cure: Cure) -> Orders:
        """Return the order in the long form, {} if the cure does not apply."""
        kingdom, rules = self._seen.kingdoms[self._seat], self._rules
        if cure.what == LEADERSHIP:
            now = led(kingdom, rules)
            first = (str(cure.to), *(each for each in now if each != cure.to))[: len(now)]
            return {} if first == now else {LEADERSHIP: list(first)}
        if cure.what == LOYALTY:
            return {LOYALTY: {str(cure.to): ""}}
        if cure == TEAR_DOWN:
            return _torn_down(kingdom, self._seen, rules)
        if cure == DISBAND:
            needless = self.before.chances["bankruptcy"] > LIKELY and not hosts(self._seen, self._seat, rules)
            return _disbanded(kingdom, rules) if needless else {}
        if cure == CALM:
            return _calming(self._offers, kingdom, rules)
        if cure.what == BUILD:
            return _building(self._offers, str(cure.to), kingdom, self._seen, rules)
        if cure.what == IMPROVE:
            return _food(self._offers, _purse(kingdom, self._seen, rules), rules)
        level = _moved(kingdom, cure, rules)
        return {"edicts": {cure.what: level}} if level else {}

    def _next(self, name: str, cure: Cure | None) -> float:
        """The average end of the next turn, in Unrest or minus BP; lower is better."""
        found = self.met(cure) if cure else self.before.met
        assert found
        ends = ends_of(found.quiet, self._rules, found.loyalty)
        total = sum(ends.values())
        return sum((-end.treasury if name == "bankruptcy" else end.unrest) * ways for end, ways in ends.items()) / total

    def _harm(self, cure: Cure) -> float:
        """How much the cure raises the danger that it harms most; a cure must lower its own danger by at least that."""
        before, after = self.before.chances, self._ahead(cure)
        return max((after[name] - before[name] for name in worse(before, after)), default=0.0)

    def _ahead(self, cure: Cure) -> dict[str, float]:
        return threats(self._seen, self._seat, self._rules, self.orders(cure)).chances


class CuresAtOnce(Cures):
    """The orders that help only in the next turn, which reports of edition 1 of the rules name. before: the dangers of
    the next turn without orders."""

    def best(self, name: str) -> Best:
        """Return the first cure of the table that lowers the danger and makes no other danger worse, else the one that helps
        most on average."""
        cause, _ = cause_of(name, self.before.met.quiet, self._rules)
        least = Best()
        for cure in CURES.get(cause, ()):
            if self.met(cure) and not self._harm(cure):
                chance = self._ahead(cure)[name]
                if self.before.chances[name] - chance >= WORTH:
                    return Best(cure, chance)
                gain = self._next(name, None) - self._next(name, cure)
                least = Best(cure, gain=gain) if gain > least.gain else least
        return least

    def _ahead(self, cure: Cure) -> dict[str, float]:
        found = self.met(cure)
        assert found
        ends = ends_of(found.standing, self._rules, found.loyalty)
        return dict(next_turn(ends, found.standing, self._rules)["chances"])


def _purse(kingdom: Kingdom, world: World, rules: Rules) -> int:
    """The BP that a cure may spend."""
    return kingdom.treasury - RESERVE * accounts(kingdom, world.hexes, rules)["consumption"]


def _building(offers: Options | None, attribute: str, kingdom: Kingdom, world: World, rules: Rules) -> Orders:
    """The building that adds most to the attribute and takes most off Unrest, then the cheapest. It costs at most the purse, or
    is offered on credit: then its price is above the treasury."""
    ideas: list[tuple[int, int, str, str]] = []
    purse = _purse(kingdom, world, rules)
    for row in offers["buildings"] if offers else ():
        price, kind = row["price"], row["order"]
        gain = getattr(rules.buildings[kind].kingdom, attribute) - rules.buildings[kind].unrest
        if gain > 0 and (price <= purse or price > kingdom.treasury):
            ideas.append((-gain, price, kind, row["town"]))
    if not ideas:
        return {}
    _, _, name, town_name = min(ideas)
    return {BUILD: [{"in": town_name, "build": name}]}


def _calming(offers: Options | None, kingdom: Kingdom, rules: Rules) -> Orders:
    """The building that takes Unrest off for the fewest BP a point, on credit too."""
    ideas = [
        (row["price"] / taken, row["order"], row["town"])
        for row in (offers["buildings"] if offers else ())
        if not unrest_counted(kingdom.settlements[row["town"]], row["order"], rules)
        and (taken := min(kingdom.unrest, -rules.buildings[row["order"]].unrest)) > 0
    ]
    _, name, town_name = min(ideas, default=(0, "", ""))
    return {BUILD: [{"in": town_name, "build": name}]} if name else {}


def _food(offers: Options | None, purse: int, rules: Rules) -> Orders:
    """The improvement that takes most off Consumption, then the cheapest, for at most the purse."""
    ideas = [
        (rules.improvements[row["order"]].consumption, row["price"], row["order"], row["hex"])
        for row in (offers["improvements"] if offers else ())
        if row["order"] in rules.improvements and row["price"] <= purse
    ]
    by, _, name, label = min(ideas, default=(0, 0, "", ""))
    return {IMPROVE: [{"hex": label, "build": name}]} if by < 0 else {}


def _torn_down(kingdom: Kingdom, world: World, rules: Rules) -> Orders:
    """The building that brings a kingdom in debt most BP when torn down, then the one with the least effect on attributes.
    Ruling: debt."""
    ideas: list[tuple[int, int, str, str]] = []
    for name, settlement in sorted(kingdom.settlements.items()):
        # `used` is still that of the turn before
        site = Site(replace(kingdom, used={}), world.hexes, rules, name, settlement)
        for building in settlement.buildings:
            gives = rules.buildings[building.id].kingdom
            work = work_of(site, {"in": name, "demolish": building.id})
            if isinstance(work, Work) and work.cost < 0:
                ideas.append((work.cost, sum(getattr(gives, word) for word in ATTRIBUTES), building.id, name))
    if not ideas:
        return {}
    _, _, kind, name = min(ideas)
    return {BUILD: [{"in": name, "demolish": kind}]}


def _disbanded(kingdom: Kingdom, rules: Rules) -> Orders:
    """Disband the army with the highest Consumption."""
    eats = {name: consumption(army, rules) for name, army in sorted(kingdom.armies.items()) if counts(army)}
    most = max(eats, key=lambda name: eats[name], default="")
    return {ARMIES: [{"disband": most}]} if most and eats[most] else {}


def _moved(kingdom: Kingdom, cure: Cure, rules: Rules) -> str:
    """The level of the edict that is so many levels away, "" for none."""
    levels = list(getattr(rules.edicts, cure.what))
    at = levels.index(getattr(kingdom, cure.what)) + int(cure.to)
    return levels[at] if 0 <= at < len(levels) else ""
