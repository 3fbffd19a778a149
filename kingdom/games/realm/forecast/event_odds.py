"""What a player can do about an event: the order that fights it, its odds and price, and the cost of ignoring the event for
three turns.

The odds use what is known when the report is written: the attributes, Unrest and Control DC at the start of the next Event
phase.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import get_args

from msgspec import Struct

from kingdom.engine.named_tuple import NamedTuple
from kingdom.games.realm.forecast.event_chances import Outlook, chance_of_check, chances_of_failures
from kingdom.games.realm.forecast.words import name_of, percent
from kingdom.games.realm.rules import event_tables as tables
from kingdom.games.realm.rules.event_tables import EventAccount, EventKind, EventOutcome
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.state import World
from kingdom.games.realm.steps.events.lasting import last_turn, most_unrest, unmet_turns, when_quieted
from kingdom.games.realm.steps.events.scene import ADVENTURERS, CHECK, TEAR_DOWN, question
from kingdom.games.realm.steps.events.words import demanded, outcome
from kingdom.games.realm.steps.land.improvements import price as improvement_price
from kingdom.games.realm.steps.towns.buildings import price_of

LOSABLE = tuple(account for account in get_args(EventAccount) if account not in ("treasury", "unrest"))
MOVED: dict[EventAccount, str] = {"unrest": "Unrest", "treasury": "BP"}
UNREST = 3  # the worth in BP of a point of Unrest: a House takes one off for that
LOST = 30  # of a building or hex: more than of any harm that mends
TURNS = 3  # the turns over which the cost of ignoring an event is told


def ways_out(outlook: Outlook) -> list[str]:
    """Sentences on what the player can do about the event, at what price and chance, and what ignoring it costs."""
    if not is_met_by_checks(outlook):
        return []
    if outlook.kingdom.anarchy == outlook.turn:
        return ["In the turn of anarchy nothing can be answered, and every check fails."]
    return [*_fought(outlook), *_met(outlook), *_ignored(outlook)]


def without_key(key: str, text: str) -> str:
    """The text with only the answers of its orders, `adventurers: 4`, for places where the order itself stands elsewhere."""
    return re.sub(rf"`answers: {{{re.escape(key)}: {{?(.*?)}}+`", r"`\1`", text)


def _threat(kind: EventKind) -> tables.ThreatenLots | tables.ThreatenHexes | None:
    return next(
        (each for each in kind.always.do if isinstance(each, (tables.ThreatenLots, tables.ThreatenHexes))), None
    )


# --- odds


def _prices(rules: Rules) -> list[tuple[int, int]]:
    """(BP, bonus) of adventurers, the cheapest first."""
    return sorted((int(bp), by) for bp, by in rules.event_answers.bonus_by_bp.items()) if rules.event_answers else []


class Odds(NamedTuple):
    """A possible result of an event in the next turn. what: the result, in words; chances: its chance without adventurers, then
    for each price of adventurers. saved: the only thing to which these chances apply, in words."""

    what: str
    chances: list[float]
    saved: str = ""


def odds_of(outlook: Outlook) -> Odds:
    """The odds that the event ends well; for an event that threatens lots or hexes, the odds that a threatened one is lost."""
    kind, rules = outlook.kind, outlook.rules
    threat = _threat(kind)
    if threat:
        what = "lot" if isinstance(threat, tables.ThreatenLots) else "hex"
        odds = [1 - chance_of_check(outlook, threat.attribute, by) for by in _bonuses(rules)]
        return Odds(
            f"each threatened {what} loses what stands there", odds, "" if len(odds) < 2 else f", for the first {what}"
        )
    # the best numbers of failed checks: those that end the event, or none
    ends = [fails for fails in range(len(kind.checks) + 1) if fails not in kind.goes_on]
    best = ends if kind.goes_on and ends else [0]
    odds = [sum(chances_of_failures(outlook, by)[fails] for fails in best) for by in _bonuses(rules)]
    if _is_monster(kind):
        return Odds("its check drives it off", odds)
    won = "no check fails" if len(kind.checks) > 1 else "its check succeeds"
    return Odds("it ends in the next Event phase" if kind.goes_on and not kind.ends_after else won, odds)


def _is_monster(kind: EventKind) -> bool:
    return any(isinstance(each, tables.PlacesMonster) for each in kind.set_up)


def _fought(outlook: Outlook) -> list[str]:
    """The answers that fight the event, with their odds."""
    key, rules = outlook.key, outlook.rules
    asked, (what, chances, saved) = question(key, outlook.event, rules), odds_of(outlook)
    choices = asked.choices if asked else ()
    first = f"{what[0].upper()}{what[1:]} with a chance of {percent(chances[0])}."
    if _is_monster(outlook.kind):
        return [first, *_hunted(outlook)]
    if CHECK in choices:
        first = f"`answers: {{{key}: {CHECK}}}` quiets them with a chance of {percent(chances[0])}, for {quieted_for(outlook)}."
    return [first, *_hired(outlook, chances, choices, saved)]


def quieted_for(outlook: Outlook) -> str:
    """The cost of an event when its check quiets the people, in words."""
    return outcome(when_quieted(outlook.event, outlook.turn, outlook.rules), outlook.rules) or "nothing"


def told_beside(outlook: Outlook) -> list[str]:
    """Sentences on an event besides the odds of its answers: other ways to meet it, and the cost of ignoring it."""
    hunted = _hunted(outlook) if _is_monster(outlook.kind) else []
    return [*hunted, *_met(outlook), *_ignored(outlook)] if is_met_by_checks(outlook) else []


def is_met_by_checks(outlook: Outlook) -> bool:
    """Whether checks decide the event; a feast or an event that is over has none."""
    return not outlook.event.done and bool(outlook.kind.checks or _threat(outlook.kind))


def hired_by(bp: int | None, rules: Rules) -> int:
    """The index in `Odds.chances` of adventurers at that price; None stands for no adventurers."""
    return [None, *(price for price, _ in _prices(rules))].index(bp)


def _bonuses(rules: Rules) -> list[int]:
    """The bonuses of adventurers: 0 without any, then for each price."""
    return [0, *(by for _, by in _prices(rules))]


def _hired(outlook: Outlook, odds: Sequence[float], choices: Sequence[str], what: str = "") -> list[str]:
    """A sentence on how adventurers change a chance. odds: the chance without them, then for each price."""
    if ADVENTURERS not in choices or len(odds) < 2:
        return []
    told: list[str] = []
    first, best = 0, percent(odds[0])
    for (bp, _), chance in zip(_prices(outlook.rules), odds[1:], strict=True):
        # more BP can be useless: the lowest face always fails, and they may help only one check
        if percent(chance) != best:
            first, best = first or bp, percent(chance)
            told.append(f"{best} for {bp} BP")
    if not told:
        return ["Adventurers would add nothing to that."]
    more = "" if len(told) == len(odds) - 1 else "; more BP add nothing"
    return [f"`answers: {{{outlook.key}: {{{ADVENTURERS}: {first}}}}}` makes that {', '.join(told)}{what}{more}."]


def _hunted(outlook: Outlook) -> list[str]:
    """Sentences on how to fight monsters: with an army, or with adventurers whom an edict hires."""
    wages, label = outlook.rules.adventurers, outlook.event.hex
    acr = int(outlook.event.facts.get("acr", 0))
    found = [f"An army that attacks in {label} fights it: `armies: NAME to {label} then attack target monsters`."]
    if wages and acr:
        match = max(wages.least_bp, acr * wages.bp_per_acr)
        more = max(wages.least_bp, 2 * acr * wages.bp_per_acr)
        found.append(
            f"Adventurers do: `adventurers: {match} bp to {label}` hires its match, an even fight; for {more} BP they are twice as strong."
        )
    return found


def _met(outlook: Outlook) -> list[str]:
    """The order that meets an event's demand, with its price."""
    event, kingdom, rules = outlook.event, outlook.kingdom, outlook.rules
    if "demand" not in event.facts:
        return []
    what, wanted = str(event.facts["what"]), demanded(event)
    if event.facts["demand"] == "tear_down":
        cost: int | None = rules.free_buildings.demolition_cost
        order = f"answers: {{{outlook.key}: {TEAR_DOWN}}}"
        order = f"build: demolish {what} in {event.settlement}" if event.settlement else order
    elif event.settlement:
        cost = price_of(kingdom.settlements[event.settlement], what, rules).bp
        order = f"build: {what} in {event.settlement}"
    else:
        world = World(outlook.turn - 1, outlook.hexes, {"": kingdom})
        cost, order = improvement_price(kingdom, event.hex, what, world, rules), f"improve: {what} {event.hex}"
    price = "" if cost is None else f", for {cost} BP"
    return [f"`{order}` does what they demand ({wanted}){price}."]


# --- what ignoring it costs


class Toll(Struct, frozen=True):
    """The change of an account: on average, and at worst."""

    mean: float
    worst: float


NO_TOLL = Toll(0, 0)


def toll_of(outlook: Outlook, account: EventAccount) -> Toll:
    """The change of Unrest or the treasury over `TURNS` turns if the player does nothing about the event."""
    event, kind, rules = outlook.event, outlook.kind, outlook.rules
    chances = chances_of_failures(outlook)
    last = last_turn(event, rules) or outlook.turn + TURNS
    toll = NO_TOLL
    for turn in reversed(range(outlook.turn, min(outlook.turn + TURNS, last + 1))):
        toll = _of_a_turn(outlook, account, turn, chances if kind.checks and not kind.on_request else [1.0], toll)
    return toll


def _of_a_turn(outlook: Outlook, account: EventAccount, turn: int, chances: Sequence[float], later: Toll) -> Toll:
    """The change in that turn and those after it. later: the change in those after it."""
    event, kind, rules = outlook.event, outlook.kind, outlook.rules
    most = most_unrest(event, turn, rules) if account == "unrest" else 0
    monsters = [each.unrest for each in kind.set_up if isinstance(each, tables.PlacesMonster)]
    at_large = sum(monsters) if account == "unrest" else 0
    met = kind.on_request and (turn <= event.begins or unmet_turns(event, turn, rules) == 0)
    unmet = EventOutcome() if met else kind.unmet
    mean, ways = 0.0, []
    for fails, chance in enumerate(chances):
        given = [kind.always, *kind.outcomes[fails : fails + 1]] if not kind.on_request else [unmet]
        goes_on = kind.on_request or fails in kind.goes_on
        points = _points(given, account)
        points = [each + at_large for each in points] if goes_on else points
        points = [min(each, most) for each in points] if most else points
        # the Unrest if the building that the event waits for is never built
        waits = [effect for each in given for effect in each.do if isinstance(effect, tables.WantsBuilding)]
        left = outlook.turn + TURNS - turn
        cost = sum(effect.unrest for effect in waits if effect.turns < left) if account == "unrest" else 0
        rest = later if goes_on else Toll(cost, cost)
        mean += chance * (sum(points) / len(points) + rest.mean)
        if chance:
            ways.append((max if account == "unrest" else min)(points) + rest.worst)
    return Toll(mean, (max if account == "unrest" else min)(ways))


def _points(given: Sequence[EventOutcome], account: EventAccount) -> list[int]:
    """The joint change of an account by these outcomes, a figure for each face of their die; the highest face of an exploding
    die also adds an average roll."""
    found = [0]
    for each in given:
        by, die = each.by.get(account, 0), each.die.get(account, 0)
        faces = list(range(1, abs(die) + 1)) or [0]
        if each.explodes and die:
            faces[-1] += (abs(die) + 1) // 2
        sign = -1 if die < 0 else 1
        found = [old + by + sign * face for old in found for face in faces]
    return found


def worst_of(outlook: Outlook) -> int:
    """The highest cost of ignoring the event, roughly, in BP: a lost building or hex counts LOST, a point of Unrest UNREST."""
    kind = outlook.kind
    if _threat(kind) or any(isinstance(each, tables.PlacesMonster) for each in kind.set_up):
        return LOST
    if kind.goes_on:
        tolls = UNREST * max(0, toll_of(outlook, "unrest").worst) - min(0, toll_of(outlook, "treasury").worst)
        return round(tolls) - sum(
            _losses(kind).values()
        )  # a point of anything else counts 1: an Inquisition's eight are no trifle
    given = [[kind.always, each] for each in kind.outcomes] or [[kind.always]]
    unrest = max(max(_points(some, "unrest")) for some in given)
    others = (min(_points(some, account)) for some in given for account in (*LOSABLE, "treasury"))
    return round(UNREST * max(0, unrest) - min(0, *others, 0))


def _losses(kind: EventKind) -> dict[EventAccount, int]:
    """The most that one outcome takes off each attribute and settlement figure while the event goes on."""
    outcomes = [kind.always, *kind.outcomes] if not kind.on_request else []
    worst = {
        account: min((each.by.get(account, 0) + min(0, each.die.get(account, 0)) for each in outcomes), default=0)
        for account in LOSABLE
    }
    return {account: by for account, by in worst.items() if by < 0}


def _ignored(outlook: Outlook) -> list[str]:
    kind, rules = outlook.kind, outlook.rules
    if _threat(kind):
        return []
    if not kind.goes_on:
        chances = chances_of_failures(outlook)
        parts = [
            f"{outcome(each, rules) or 'nothing'} ({percent(chance)})"
            for each, chance in zip(kind.outcomes, chances, strict=True)
            if chance
        ]
        return [f"If you do nothing: {'; '.join(parts)}."]
    parts = []
    for account, name in MOVED.items():
        toll = toll_of(outlook, account)
        if toll.worst:
            mean = f"{toll.mean:+.1f}" if abs(toll.mean) >= 0.05 else "about 0"
            parts.append(f"{name} {mean} on average, {toll.worst:+.0f} at worst")
    losses = [
        f"{name_of(account) if account in ATTRIBUTES else account.capitalize()} {by:+d}"
        for account, by in _losses(kind).items()
    ]
    parts += [f"at worst {', '.join(losses)} while it stands"] if losses else []
    parts += [
        f"from Unrest {each.hex_lost_from} on the hex is lost"
        for each in kind.set_up
        if isinstance(each, tables.PlacesMonster)
    ]
    return [f"If you do nothing about it for {TURNS} turns: {'; '.join(parts)}."] if parts else []
