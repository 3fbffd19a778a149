"""What threatens a kingdom within the next turns if it orders nothing, why, and the order that helps most.

The chances are those of the forecast (forecast/ahead.py). CURES says which orders help against which cause; each is tried by the
game's own next turn on what the seat knows, so its price, its limits and what it is good for are the rules'.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kingdom.engine.dice import NoDice
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.step import Orders
from kingdom.engine.turn import resolve
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.forecast.ahead import chances_ahead
from kingdom.games.realm.forecast.courses import Standing
from kingdom.games.realm.forecast.exact import ends_of, rolled_of, success
from kingdom.games.realm.forecast.forecast import standing_of
from kingdom.games.realm.forecast.terms import HEADS, Terms, taxes, terms_of
from kingdom.games.realm.forecast.threats import TURNS, threats
from kingdom.games.realm.forecast.words import name_of, percent
from kingdom.games.realm.offers.offers import Options
from kingdom.games.realm.report.text_form import lines_of_order
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.sheet import accounts, led
from kingdom.games.realm.state import Kingdom, World
from kingdom.games.realm.turn import FORESEEN_TO, PLAY
from kingdom.games.realm.visibility.known import company

ABOVE = 0.05  # a chance that a player is told of
TRIED = 2  # cures of each danger, those that make the next turn best, are followed over all turns
WORTH = 0.02  # by which an order must lower a chance at least to be called a cure
RESERVE = 2  # turns of Consumption that a cure leaves in the treasury
FELT = 0.1  # BP or Unrest that an order moves on average, of which a player is told
FINE = 6  # digits by which cures are told apart: of those that are as good the first of the table is taken, whatever sums round to

CONSUMPTION, MONSTERS = "consumption", "monsters"  # causes beside the attributes


class Cure(NamedTuple):
    """An order that helps. what: the key of the order, or an edict; to: what it is given, or by how many levels an edict moves."""

    what: str
    to: str | int


LEADERSHIP, LOYALTY, BUILD, IMPROVE = "leadership", "loyalty", "build", "improve"
CURES: Mapping[str, tuple[Cure, ...]] = {  # by the cause of a danger
    "stability": (
        Cure(LEADERSHIP, "stability"), Cure("promotion", 1), Cure("promotion", 2), Cure(BUILD, "stability"), Cure(LOYALTY, HEADS),
    ),
    "loyalty": (
        Cure(LEADERSHIP, "loyalty"), Cure("taxation", -1), Cure("taxation", -2), Cure("holiday", 1), Cure("holiday", 2),
        Cure(BUILD, "loyalty"),
    ),
    "economy": (
        Cure(LEADERSHIP, "economy"), Cure("taxation", 1), Cure("taxation", 2), Cure("holiday", -1), Cure("promotion", -1),
        Cure(BUILD, "economy"),
    ),
    CONSUMPTION: (
        Cure("holiday", -1), Cure("holiday", -2), Cure("promotion", -1), Cure("promotion", -2), Cure("taxation", 1),
        Cure("taxation", 2), Cure(LEADERSHIP, "economy"), Cure(IMPROVE, CONSUMPTION),
    ),
}  # fmt: skip

MEANS = {"anarchy": "Anarchy", "hex_loss": "A hex lost", "bankruptcy": "A treasury below 0"}


class DangerRow(TypedDict):
    """What may befall the kingdom. cause: an attribute, `consumption` or `monsters`; said: chance, cause and cure in words."""

    name: str
    chance: float
    cause: str
    said: str


def dangers(seen: World, next_turn: World, seat: str, offers: Options | None, rules: Rules) -> list[DangerRow]:
    """What may befall the seat's kingdom within the next turns, the likeliest first.

    seen: what it knows; next_turn: the kingdom as the next turn's checks find it (course.without_orders); offers: what it
    may do then.
    """
    kingdom = seen.kingdoms[seat]
    if kingdom.destroyed or not kingdom.hexes:
        return []
    ahead = threats(seen, next_turn, seat, rules, {})
    tried = _Cures(ahead.calm, ahead.standing, seat, offers, rules)
    rows: list[DangerRow] = []
    likely = {name: chance for name in ahead.without if (chance := ahead.chance(name)) > ABOVE}
    for name in sorted(likely, key=lambda name: -likely[name]):
        if ahead.by_monsters[name] > ahead.without[name]:
            rows.append(_of_monsters(name, likely[name], ahead.stay, ahead.standing.turn))
        else:
            rows.append(_row(name, likely[name], ahead.standing, tried, rules))
    if rows:  # said once, it holds for all
        rows[0] = {**rows[0], "said": rows[0]["said"].replace(":", " if you order nothing:", 1)}
    return rows


def _of_monsters(name: str, chance: float, stay: float, turn: int) -> DangerRow:
    last = turn + TURNS - 1
    why = f"Monsters at large stay with {percent(stay)} in turn {turn}; Events says what drives them off."
    return {
        "name": name,
        "chance": chance,
        "cause": MONSTERS,
        "said": f"{MEANS[name]} by turn {last}: {percent(chance)}. {why}",
    }


def _row(name: str, chance: float, standing: Standing, tried: _Cures, rules: Rules) -> DangerRow:
    cause, why = _cause(name, standing, rules)
    last = standing.turn + TURNS - 1
    said = f"{MEANS[name]} by turn {last}: {percent(chance)}. {why}."
    cure = tried.best(name, cause, chance)
    return {"name": name, "chance": chance, "cause": cause, "said": f"{said} {cure}".strip()}


# --- causes


def _cause(name: str, standing: Standing, rules: Rules) -> tuple[str, str]:
    """(the cause, what is said of it)."""
    kingdom, turn = standing.kingdom, standing.turn
    terms, rolled = terms_of(kingdom, standing.hexes, turn, rules), rolled_of(standing, rules)
    if not rolled:
        return "", f"Turn {turn} is one of anarchy"
    if name == "bankruptcy":
        paid = [taxes(face, terms, rules) for face in rolled["economy"].faces if face.success]
        odds = f"Economy check {percent(success(rolled['economy']))} in turn {turn}, for {_span(paid)} BP"
        cause = "economy" if paid and min(paid) >= terms.consumption else CONSUMPTION
        return cause, f"Consumption {terms.consumption} a turn; {odds}"
    limit = rules.anarchy.unrest if name == "anarchy" else rules.hex_loss.unrest
    state = f"Unrest {kingdom.unrest} of {limit}"
    weights = dict(_unrest_by(standing, terms, rules))
    cause = max(weights, key=lambda each: weights[each])
    if cause == CONSUMPTION:
        return cause, f"{state}; a treasury below 0 adds Unrest"
    if terms.values[cause] < 0:
        return cause, f"{state}; {name_of(cause)} below 0 adds Unrest every turn"
    return cause, f"{state}; {name_of(cause)} check {percent(success(rolled[cause]))} in turn {turn}"


def _span(values: list[int]) -> str:
    low, high = min(values, default=0), max(values, default=0)
    return f"{low}" if low == high else f"{low} to {high}"


def _unrest_by(standing: Standing, terms: Terms, rules: Rules) -> Iterator[tuple[str, float]]:
    """(cause, the Unrest that it adds in the next turn on average)."""
    checked = rolled_of(standing, rules)["stability"]
    ruling, total = rules.stability, sum(checked.faces.values())
    far = (1 + ruling.far_die) / 2
    added = {name: rules.negative_attribute.unrest if terms.values[name] < 0 else 0.0 for name in ATTRIBUTES}
    for face, ways in checked.faces.items():
        if not face.success:
            by = far if -face.margin > ruling.near else ruling.near_unrest
            added["stability"] += by * ways / total
    yield from added.items()
    ends = ends_of(standing, rules)
    short = sum(ways for end, ways in ends.items() if end.treasury < 0) / sum(ends.values())
    yield CONSUMPTION, short * rules.consumption.unpaid_unrest


# --- cures


class _Cures:
    """The orders that were tried, each once."""

    def __init__(self, seen: World, standing: Standing, seat: str, offers: Options | None, rules: Rules):
        self._seen, self._standing, self._seat, self._offers, self._rules = seen, standing, seat, offers, rules
        self._tried: dict[Cure, Standing | None] = {}
        self._chances: dict[Cure, dict[str, float]] = {}
        self._told: Cure | None = None

    def best(self, name: str, cause: str, chance: float) -> str:
        """What helps most against the danger, in words. chance: without it."""
        ways = [cure for cure in CURES.get(cause, ()) if self._with(cure)]
        ways.sort(key=lambda cure: round(self._next(name, cure), FINE))
        ahead = {cure: self._ahead(cure)[name] for cure in ways[:TRIED]}
        best = min(ahead, key=lambda cure: round(ahead[cure], FINE), default=None)
        if best and chance - ahead[best] >= WORTH:
            return f"{self._said(best)} makes it {percent(ahead[best])}."
        gain = self._next(name, None) - self._next(name, ways[0]) if ways else 0
        if gain >= FELT:
            moved = f"+{gain:.1f} BP" if name == "bankruptcy" else f"Unrest -{gain:.1f}"
            return (
                f"{self._said(ways[0])} helps most, but not enough: {moved} on average in turn {self._standing.turn}."
            )
        return "No edict and nothing that you can pay for changes that." if cause else ""

    def _said(self, cure: Cure) -> str:
        """The order as a player types it, with its price; not again right after it was told."""
        if cure == self._told:
            return "The same order"
        self._told = cure
        ((key, value),) = self._orders(cure).items()
        return f"`{'; '.join(lines_of_order(key, value))}` ({self._price(cure)})"

    def _with(self, cure: Cure) -> Standing | None:
        """The kingdom as its next checks find it if that is ordered; None if the rules refuse it or there is no such level."""
        if cure not in self._tried:
            orders = self._orders(cure)
            result = resolve(
                PLAY,
                company(self._seen, self._seat, orders),
                {self._seat: orders},
                NoDice(),
                self._rules,
                until=FORESEEN_TO,
            )
            refused = any(notice.kind == "refusal" and notice.seat == self._seat for notice in result.notices)
            self._tried[cure] = None if refused or not orders else standing_of(result.after, self._seat)
        return self._tried[cure]

    def _orders(self, cure: Cure) -> Orders:
        kingdom, rules = self._seen.kingdoms[self._seat], self._rules
        if cure.what == LEADERSHIP:
            now = led(kingdom, rules)
            first = (str(cure.to), *(each for each in now if each != cure.to))[: len(now)]
            return {} if first == now else {LEADERSHIP: list(first)}
        if cure.what == LOYALTY:
            return {LOYALTY: {str(cure.to): ""}}
        if cure.what == BUILD:
            return _building(self._offers, str(cure.to), kingdom, self._seen, rules)
        if cure.what == IMPROVE:
            return _food(self._offers, _purse(kingdom, self._seen, rules), rules)
        level = _moved(kingdom, cure, rules)
        return {"edicts": {cure.what: level}} if level else {}

    def _next(self, name: str, cure: Cure | None) -> float:
        """How the next turn ends on average, the less the better."""
        standing = self._with(cure) if cure else self._standing
        assert standing
        ends = ends_of(standing, self._rules, str(cure.to) if cure and cure.what == LOYALTY else "")
        total = sum(ends.values())
        return sum((-end.treasury if name == "bankruptcy" else end.unrest) * ways for end, ways in ends.items()) / total

    def _ahead(self, cure: Cure) -> dict[str, float]:
        if cure not in self._chances:
            standing = self._with(cure)
            assert standing
            ordered = str(cure.to) if cure.what == LOYALTY else ""
            self._chances[cure] = chances_ahead(standing, self._rules, TURNS, ordered)
        return self._chances[cure]

    def _price(self, cure: Cure) -> str:
        """What it costs, and how likely it is to work if it hangs on a check."""
        standing, was = self._with(cure), self._standing
        assert standing
        rules, turn = self._rules, standing.turn
        if cure.what == LOYALTY:
            return f"free, {percent(success(rolled_of(standing, rules)['loyalty']))} in turn {turn}"
        bp = was.kingdom.treasury - standing.kingdom.treasury
        now, then = (terms_of(each.kingdom, each.hexes, turn, rules).consumption for each in (was, standing))
        prices = [f"{bp} BP"] if bp > 0 else []
        prices += [f"Consumption {then - now:+d} a turn"] if then != now else []
        return ", ".join(prices) or "free"


def _purse(kingdom: Kingdom, world: World, rules: Rules) -> int:
    """The BP that may be spent."""
    return kingdom.treasury - RESERVE * accounts(kingdom, world.hexes, rules)["consumption"]


def _building(offers: Options | None, attribute: str, kingdom: Kingdom, world: World, rules: Rules) -> Orders:
    """The building that adds most to the attribute and takes most off Unrest, of equals the cheapest, for no more than the purse, or on
    credit: what is offered for more than the treasury holds."""
    ideas: list[tuple[int, int, str, str]] = []
    purse = _purse(kingdom, world, rules)
    for town in offers["towns"] if offers else ():
        for row in (*town["buildings"], *offers["everywhere"]) if offers else ():
            for kind in row["kinds"]:
                record = rules.buildings[kind["order"]]
                gain = getattr(record.kingdom, attribute) - record.unrest
                ideas += (
                    [(-gain, kind["price"], kind["order"], town["name"])]
                    if gain > 0 and (kind["price"] <= purse or kind["price"] > kingdom.treasury)
                    else []
                )
    if not ideas:
        return {}
    _, _, name, town_name = min(ideas)
    return {BUILD: [{"in": town_name, "build": name}]}


def _food(offers: Options | None, purse: int, rules: Rules) -> Orders:
    """The improvement that takes most off Consumption, of equals the cheapest, for no more than the purse."""
    ideas = [
        (rules.improvements[option["order"]].consumption, option["price"], option["order"], row["hex"])
        for row in (offers["hexes"] if offers else ())
        for option in row["options"]
        if option["order"] in rules.improvements and option["price"] <= purse
    ]
    by, _, name, label = min(ideas, default=(0, 0, "", ""))
    return {IMPROVE: [{"hex": label, "build": name}]} if by < 0 else {}


def _moved(kingdom: Kingdom, cure: Cure, rules: Rules) -> str:
    """The level of the edict that is so many levels away, "" for none."""
    levels = list(getattr(rules.edicts, cure.what))
    at = levels.index(getattr(kingdom, cure.what)) + int(cure.to)
    return levels[at] if 0 <= at < len(levels) else ""
