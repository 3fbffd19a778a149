"""What threatens a kingdom within the next turns if it orders nothing, why, and the order that helps.

The chances are those of the forecast (forecast/ahead.py). CURES says which orders help against which cause; each is tried by the
game's own next turn on what the seat knows, so its price, its limits and what it is good for are the rules'.
"""

from __future__ import annotations

from collections.abc import Mapping

from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.bots.cures import ABOVE, LOYALTY, Cure, Cures, CuresAtOnce
from kingdom.games.realm.forecast.causes import cause_of
from kingdom.games.realm.forecast.exact import rolled_of, success
from kingdom.games.realm.forecast.forecast import CHANCES
from kingdom.games.realm.forecast.terms import terms_of
from kingdom.games.realm.forecast.threats import TURNS, Threats, met, threats
from kingdom.games.realm.forecast.words import percent
from kingdom.games.realm.offers.offers import Options
from kingdom.games.realm.report.text_form import lines_of_order
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, World

LIKELY = 0.25  # a chance of the next turn of which edition 1 of the rules tells
FELT = 0.1  # BP or Unrest that an order moves on average, of which a player is told

MONSTERS = "monsters"  # a cause beside those of causes.py


MEANS = {"anarchy": "Anarchy", "hex_loss": "A hex lost", "bankruptcy": "A treasury below 0"}


class DangerRow(TypedDict):
    """What may befall the kingdom. cause: an attribute, `consumption` or `monsters`; head: the chance in words, rest: cause and cure; said:
    both."""

    name: str
    chance: float
    cause: str
    head: str
    rest: str
    said: str


def dangers(seen: World, seat: str, offers: Options | None, rules: Rules) -> list[DangerRow]:
    """What may befall the seat's kingdom within the next turns, the likeliest first. seen: what it knows; offers: what it may do then."""
    kingdom = seen.kingdoms[seat]
    if kingdom.destroyed or not kingdom.hexes:
        return []
    ahead = threats(seen, seat, rules, {})
    means = _means(kingdom)
    told = _Told(Cures(seen, seat, offers, rules, ahead), rules)
    standing, calm, rows = ahead.met.standing, ahead.met.calm, list[DangerRow]()
    for name, chance in likeliest(ahead.chances, rules).items():
        head = f"{means[name]} by turn {standing.turn + TURNS - 1}"
        if calm and ahead.by_monsters[name] > ahead.without[name]:
            why = f"Monsters at large stay with {percent(calm.stay)} in turn {standing.turn}; Events says what drives them off."
            rows.append(told.row(name, chance, head, MONSTERS, why))
        else:
            rows.append(told.row(name, chance, head, *told.cause(name)))
    return rows


def likeliest(chances: Mapping[str, float], rules: Rules) -> dict[str, float]:
    """Danger -> its chance, of those of which a report tells, the likeliest first."""
    told = {
        name: chance
        for name, chance in chances.items()
        if (chance > ABOVE if rules.event_going_on else chance >= LIKELY)
    }
    return dict(sorted(told.items(), key=lambda row: -row[1]))


def dangers_at_once(
    seen: World, seat: str, offers: Options | None, rules: Rules, chances: dict[str, float]
) -> list[DangerRow]:
    """What the next turn's dice are likely to bring by edition 1 of the rules, the likeliest first. chances: all that they may bring."""
    likely = likeliest(chances, rules)
    if not likely:
        return []
    threatened = Threats(met(seen, seat, rules, {}), chances, dict.fromkeys(chances, 0.0))
    told = _Told(CuresAtOnce(seen, seat, offers, rules, threatened), rules)
    heads = {name: f"{CHANCES[name][:1].upper()}{CHANCES[name][1:]}" for name in likely}
    return [told.row(name, chance, heads[name], *told.cause(name)) for name, chance in likely.items()]


def _means(kingdom: Kingdom) -> Mapping[str, str]:
    """The dangers in words; of what has come already, that it comes again."""
    means = dict(MEANS)
    if kingdom.anarchy:
        means["anarchy"] = "Anarchy again"
    if kingdom.treasury < 0:
        means["bankruptcy"] = f"The treasury, now {kingdom.treasury} BP, below 0 again"
    return means


class _Told:
    """The lines of the dangers. _told: the cure that was told last; _helpless: it was told that none helps; _unless: what the first line adds."""

    def __init__(self, cures: Cures, rules: Rules):
        self._cures, self._rules = cures, rules
        self._told: Cure | None = None
        self._helpless, self._unless = False, " if you order nothing"

    def row(self, name: str, chance: float, head: str, cause: str, rest: str) -> DangerRow:
        """Return a danger; the first one says that nothing is ordered, which holds for all. head: what it is; rest: cause and cure."""
        head = f"{head}{self._unless}: {percent(chance)}"
        self._unless = ""
        return {"name": name, "chance": chance, "cause": cause, "head": head, "rest": rest, "said": f"{head}. {rest}"}

    def cause(self, name: str) -> tuple[str, str]:
        """Return the cause of a danger, and why it is one with what helps, in words."""
        cause, why = cause_of(name, self._cures.before.met.quiet, self._rules)
        return cause, f"{why}. {self._cure(name, cause)}".strip()

    def _cure(self, name: str, cause: str) -> str:
        """What helps against the danger, in words."""
        best = self._cures.best(name)
        if best.cure and best.chance is not None:
            harms = [
                f"{MEANS[harmed][:1].lower()}{MEANS[harmed][1:]} to {percent(by)}" for harmed, by in best.harms.items()
            ]
            but = f", but raises the danger of {' and of '.join(harms)}" if harms else ""
            return f"{self._said(best.cure)} makes it {percent(best.chance)}{but}."
        if best.cure and best.gain >= FELT:
            moved = f"+{best.gain:.1f} BP" if name == "bankruptcy" else f"Unrest -{best.gain:.1f}"
            turn = self._cures.before.met.standing.turn
            return f"{self._said(best.cure)} helps, but not enough: {moved} on average in turn {turn}."
        if not cause:
            return ""
        again, self._helpless = self._helpless, True
        return "Nothing lowers this either." if again else "No single order that was tried lowers that by much."

    def _said(self, cure: Cure) -> str:
        """The order as a player types it, with its price; not again right after it was told."""
        if cure == self._told:
            return "The same order"
        self._told = cure
        ((key, value),) = self._cures.orders(cure).items()
        return f"`{'; '.join(lines_of_order(key, value))}` ({self._price(cure)})"

    def _price(self, cure: Cure) -> str:
        """What it costs, and how likely it is to work if it hangs on a check."""
        found, was = self._cures.met(cure), self._cures.before.met.quiet
        assert found
        standing = found.quiet
        rules, turn = self._rules, standing.turn
        if cure.what == LOYALTY:
            return f"free, {percent(success(rolled_of(standing, rules)['loyalty']))} in turn {turn}"
        bp = was.kingdom.treasury - standing.kingdom.treasury
        now, then = (terms_of(each.kingdom, each.hexes, turn, rules).consumption for each in (was, standing))
        prices = [f"{bp} BP" if bp > 0 else f"brings {-bp} BP"] if bp else []
        prices += [f"Consumption {then - now:+d} a turn"] if then != now else []
        return ", ".join(prices) or "free"
