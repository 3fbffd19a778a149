"""The worth of a kingdom to its ruler: its numbers, played some turns ahead with average dice, and weighed.

Figures of the rules come from the rules; the ruler's wishes are its Weights.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from kingdom.engine.offer import Offer
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.sheet import accounts, control_dc, raw_consumption, tax_bp
from kingdom.games.realm.state import Hex, Kingdom

AHEAD = 6  # turns played ahead with average dice
PRESSURE = 0.35  # the average Unrest from events in a turn
RESERVE = 2  # turns of Consumption that should be in the treasury
PLENTY = 12  # BP that should be there in addition
SPARE = 0.1  # worth of each BP above the reserve and twice PLENTY
SPREAD = 16  # an average treasury within this span around 0 counts as partly below 0, since the real one varies
SHORT = 4  # the cost each turn of each BP below 0, in BP
DEEP = 10  # beyond so many BP below 0 each further BP costs only DEEPER a turn, since no kingdom gets out of that soon
DEEPER = 1
TOO_LITTLE = 2  # the cost in BP of each BP missing from the reserve and PLENTY
WORSE = 0.25  # the square of Unrest also counts, by this factor, since Unrest feeds itself
DOUBTFUL = 3  # the square of a chance to fail also counts, by this factor
SURER, SURE = 0.02, 10  # worth of each attribute point beyond the last face, and how many such points count
LOST = 1000  # the cost in BP of having no land, since the kingdom is then soon destroyed


class Weights(Struct, frozen=True):
    """A ruler's wishes, in BP.

    size: the worth of a hex. economy, loyalty, stability: the worth of an almost certain check; Loyalty is rolled in about one
    turn of five. unrest: the cost of each point each turn. flow: for how many turns the surplus of the last turn ahead counts.
    trade: the worth of each BP from a trade route. host: the ACR of armies that it wants for each of its hexes, with or without
    neighbours. war: whether it attacks foreign open land. reserve: turns of Consumption that it never spends. rules: whether it
    changes edicts and leadership.
    """

    size: float = 22
    economy: float = 60
    loyalty: float = 15
    stability: float = 90
    unrest: float = 4
    flow: float = 8
    trade: float = 1
    host: float = 0
    war: bool = False
    reserve: int = RESERVE
    rules: bool = True


STEADY = Weights()
KEEPER = Weights(loyalty=30, stability=150, unrest=10, flow=3)  # a steward's weights: calm matters more than wealth
# a beginner: wants land first, spends the treasury to the last coin, and ignores checks, Unrest and edicts
NOVICE = Weights(size=60, economy=15, loyalty=0, stability=10, unrest=0.5, flow=2, trade=0, reserve=0, rules=False)
# tempers: each differs from a steady ruler in these weights
TEMPERS = {
    "builder": Weights(size=19, economy=90, flow=12),
    "trader": Weights(economy=75, trade=3, flow=10),
    "warlord": Weights(size=24, economy=80, host=0.15, war=True),
    "hermit": Weights(size=16, loyalty=20, stability=135, unrest=6, trade=0),
}


class Choice(Struct, frozen=True):
    """An order, and the worth that it adds to the kingdom in BP."""

    offer: Offer
    gain: float


class Outlook(Struct, frozen=True):
    """The numbers by which a kingdom is judged. raw: its Consumption, below 0 where farms save more; works: BP besides taxes."""

    size: int
    towns: int
    dc: int
    attributes: Mapping[str, int]
    unrest: int
    treasury: int
    raw: int
    works: int

    def changed(self, effect: Mapping[str, int], cost: int) -> Outlook:
        """Return the numbers after an order with that effect (account -> by; also `works` and `districts`) and that cost in
        BP."""
        grown = effect.get("size", 0)
        return Outlook(
            self.size + grown,
            self.towns,
            self.dc + grown + effect.get("districts", 0),
            {name: by + effect.get(name, 0) for name, by in self.attributes.items()},
            max(0, self.unrest + effect.get("unrest", 0)),
            self.treasury - cost,
            self.raw + effect.get("consumption", 0),
            self.works + effect.get("works", 0),
        )


def outlook(kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> Outlook:
    """Return the numbers of a kingdom now, without modifiers for this turn only."""
    numbers = accounts(kingdom, hexes, rules)
    passing = [each for each in kingdom.modifiers if not each.lasting]
    return Outlook(
        len(kingdom.hexes),
        len(kingdom.settlements),
        control_dc(kingdom, rules),
        {name: numbers[name] - sum(each.by for each in passing if each.account == name) for name in ATTRIBUTES},
        kingdom.unrest,
        kingdom.treasury,
        numbers["consumption"] or raw_consumption(kingdom, hexes, rules),
        sum(bp for _, bp in tax_bp(kingdom, hexes, rules)),
    )


def worth(view: Outlook, weights: Weights, rules: Rules) -> float:
    """Return the worth of the kingdom some turns ahead, in BP."""
    unrest, treasury, surplus, value = float(view.unrest), float(view.treasury), 0.0, 0.0
    faces = {name: faces_that_pass(name, view, rules) for name in ATTRIBUTES}
    consumption, die, most = max(0, view.raw), rules.check.die, rules.anarchy.unrest
    size, restless = view.size, rules.hex_loss.unrest
    pressure = PRESSURE + rules.negative_attribute.unrest * sum(by < 0 for by in view.attributes.values())
    for _ in range(AHEAD):
        stable = chance_of(faces["stability"] - unrest, die)
        paid = stable * rules.stability.success_bp if unrest < 1 else 0.0
        surplus = _income(view, faces["economy"], unrest, rules) + paid - consumption
        treasury += surplus
        unrest = max(0.0, unrest + pressure + _drift(stable, rules))
        unrest += rules.consumption.unpaid_unrest * min(1.0, max(0.0, 0.5 - treasury / SPREAD))
        if treasury < 0:
            value -= SHORT * min(DEEP, -treasury) + DEEPER * max(0.0, -treasury - DEEP)
        unrest = min(unrest, most)
        size -= rules.hex_loss.hexes if unrest >= restless else 0
        value -= weights.unrest * (unrest + WORSE * unrest * unrest)
    enough = 2 * PLENTY + RESERVE * consumption
    value += min(treasury, enough) + SPARE * max(0.0, treasury - enough)
    value -= TOO_LITTLE * max(0.0, RESERVE * consumption + PLENTY - view.treasury)
    value += weights.flow * surplus
    value -= 0 if size > 0 else LOST
    value += weights.size * max(0, size)
    value += weights.economy * _firm(faces["economy"] - unrest, die) + weights.loyalty * _firm(
        faces["loyalty"] - unrest, die
    )
    return value + weights.stability * _firm(faces["stability"] - unrest, die)


def faces_that_pass(attribute: str, view: Outlook, rules: Rules) -> float:
    """Return how many faces of the die pass a check of that attribute without Unrest; for a high attribute more than the die
    has."""
    return rules.check.die + 1 - view.dc + view.attributes[attribute]


def chance_of(faces: float, die: int) -> float:
    """Return the chance of a check that so many faces of the die pass; the lowest face always fails and the highest always
    succeeds."""
    return (1 if faces < 1 else faces if faces < die - 1 else die - 1) / die


def passes(attribute: str, view: Outlook, rules: Rules) -> float:
    """Return the chance that a check of that attribute succeeds with the present Unrest."""
    return chance_of(faces_that_pass(attribute, view, rules) - view.unrest, rules.check.die)


def _firm(faces: float, die: int) -> float:
    """Return how firm an attribute is: 1 if its check hardly ever fails, and a little more for some points beyond. One check
    that fails twice as often is worse than two checks, so the square of the chance to fail counts, too."""
    fails = 1 - min(die - 1, faces) / die
    return 1 - fails - DOUBTFUL * fails * fails + SURER * max(0, min(faces - die + 1, SURE))


def income(view: Outlook, rules: Rules) -> float:
    """Return the average BP that a turn leaves after Consumption."""
    earned = _income(view, faces_that_pass("economy", view, rules), view.unrest, rules)
    return earned - max(0, view.raw)


def _income(view: Outlook, faces: float, unrest: float, rules: Rules) -> float:
    """Return the BP that the Economy check pays on average. faces: how many faces pass the check without Unrest."""
    chance, bp = taxes(view, faces, unrest, rules)
    return chance * bp


def taxes(view: Outlook, faces: float, unrest: float, rules: Rules) -> tuple[float, float]:
    """Return (the chance of the Economy check, the BP that an average passing face pays)."""
    die = rules.check.die
    chance = chance_of(faces - unrest, die)
    total = die + (1 - chance * die) / 2 + view.attributes["economy"] - unrest
    return chance, max(0.0, (total - 1) / rules.income.divisor) + view.works


def _drift(stable: float, rules: Rules) -> float:
    """Return the average change of Unrest by the Stability check."""
    ruling = rules.stability
    near = min(1 - stable, ruling.near / rules.check.die)
    far = 1 - stable - near
    return stable * ruling.success_unrest + near * ruling.near_unrest + far * (ruling.far_die + 1) / 2
