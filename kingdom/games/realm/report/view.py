"""All that a report may hold: what one seat may know of a turn, as plain data; for the GM everything.

A template gets this and nothing else. What concerns others comes only from `known`, so nothing hidden can get in here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import asdict

from kingdom.engine.dice import GM
from kingdom.engine.names import words
from kingdom.engine.step import Facts
from kingdom.games.realm.forecast.turn_preview import before_orders, without_orders
from kingdom.games.realm.forecast.words import name_of, percent
from kingdom.games.realm.offers.offers import Options, options
from kingdom.games.realm.report.afield import expeditions, heard, routes, sights
from kingdom.games.realm.report.armies import armies, battles
from kingdom.games.realm.report.danger import dangers, dangers_at_once
from kingdom.games.realm.report.events import events, is_good, plan, summed
from kingdom.games.realm.report.expected_actual import reckoned
from kingdom.games.realm.report.first_screen import Basis, choices_of, first_screen
from kingdom.games.realm.report.foothold import foothold
from kingdom.games.realm.report.gm_book import gm_view
from kingdom.games.realm.report.maps.svg_map import map_view
from kingdom.games.realm.report.news import news
from kingdom.games.realm.report.odds import Odds, chances_of, forecast_view, outlook
from kingdom.games.realm.report.order_outcomes import outcomes, summary
from kingdom.games.realm.report.parts import ALL, NO_PART, Outlook, dealt, letters, shared, told
from kingdom.games.realm.report.story import CheckRow, checks_of, happened, story
from kingdom.games.realm.report.survey import compared, explained, land, settlements
from kingdom.games.realm.report.text_form import alternatives, form_lines
from kingdom.games.realm.report.won_and_lost import only_in
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.sheet import final_size, led
from kingdom.games.realm.state import Kingdom, Modifier, Pending
from kingdom.games.realm.turn import PHASES
from kingdom.games.realm.types import Result
from kingdom.games.realm.visibility.known import Other, known, others

CHARTED = ("treasury", "unrest", "size", *ATTRIBUTES)  # what is drawn of the last turns
STEPS = [(phase.name, step.__name__) for phase in PHASES for step in phase.steps]


def view(result: Result, seat: str, rules: Rules) -> Facts:
    """What the seat may know of the turn, as plain data: dicts, lists, texts, numbers; for the GM the GM's book."""
    if seat == GM:
        return gm_view(result, rules)
    return seat_view(result, seat, rules)


# Long: a table: all parts of a report, each by its name.
def seat_view(result: Result, seat: str, rules: Rules) -> Facts:
    """What a player's seat may know of the turn.

    stability: the chance of a Stability check before and after the turn, None where none is made. gifts, wounds: what events changed for
    longer than a turn, summed, for good and for ill. afford: what the treasury can pay, a row a line.
    """
    common = shared(result)
    part, public = common.parts.get(seat, NO_PART), common.parts.get(ALL, NO_PART)
    read = common.messages.get(seat, ())
    dealt_with = dealt(seat, part.notices, read)
    seen, near = known(result.after, seat, rules, dealt_with), others(result.after, seat, rules, dealt_with)
    kingdom, hexes = result.after.kingdoms[seat], result.after.hexes
    names = {other: each.name for other, each in near.items()} | {seat: kingdom.name}
    titled = bool(rules.event_going_on)  # kept reports of older rules stay as they were
    plain = known(result.after, seat, rules)  # without those who only dealt with it this turn
    next_turn = without_orders(plain, seat, rules)
    # the kingdoms that aid may be sent to: seat, since two may have one name, -> size
    aided_sizes = {
        each.seat: each.size for each in near.values() if each.size is not None and (each.touches or each.tied)
    }
    now, offers = before_orders(plain, seat, rules), options(plain, seat, rules)
    rows = outcomes(result.orders.get(seat, {}), part.notices)
    phases = story(part, names, STEPS)
    given = (result, seat, part, seen, rules)
    was, told_events = result.before.kingdoms[seat], events(*given)
    ahead = forecast_view(plain, next_turn, seat, rules)
    odds_rows = outlook(next_turn, seat, rules, aided_sizes)
    stability = next((odds.chance for odds in odds_rows if odds.name == "Stability"), None)
    to_all = [notice for notice in public.notices if notice.kind == "news"]
    of_others = [notice.facts["text"] for notice in part.notices if notice.kind == "aid"]
    of_others += [notice.facts["text"] for notice in to_all if "public" not in notice.facts]
    of_page = [notice.facts["text"] for notice in to_all if "public" in notice.facts]
    fought = battles(*given)
    lines = news(phases, rows, fought, told_events, heard(part, rules), of_others, of_page, offers, seat)
    checks = [check for phase in phases for step in phase["steps"] for check in checks_of(step)]
    basis: Basis = {
        "turn": result.number,
        "next_turn": result.number + 1,
        "numbers": compared(result, seat, part.entries, rules),
        "names": names,
        "foothold": foothold(plain, seat, rules),
        "phases": phases,
        "won": [*only_in(kingdom, was, names)],
        "lost": [*only_in(was, kingdom, names)],
        "stability": [_rolled(checks), stability],
        "dangers": dangers(plain, seat, offers, rules)
        if rules.event_going_on
        else dangers_at_once(plain, seat, offers, rules, chances_of(ahead)),
        "next": offers,
    }
    common.outlooks[seat] = Outlook(stability, {row["name"]: row["chance"] for row in basis["dangers"]})
    return {
        **basis,
        **first_screen(kingdom, near.values(), lines, told_events, basis),
        "kingdom": {
            "seat": seat,
            "name": kingdom.name,
            "destroyed": kingdom.destroyed,
            "absent": kingdom.absent,
        },
        "told": told(public.notices) + told(part.notices),
        "choices": _choices(was, kingdom, rules),
        "checks": checks,
        "reckoned": reckoned(result.expected.get(seat, {}), part.entries, checks),
        "orders": {"rows": rows, "said": summary(seat in result.orders, rows, bool(was.plan))},
        "asked": [_asked(pending) for pending in kingdom.pending],
        "requests": [request.text for request in kingdom.requests],
        "rolls": [f"{roll.name}:{roll.count}:{roll.sides}" for roll in part.rolls if roll.source == "seed"],
        "sources": explained(kingdom, hexes, rules),
        "modifiers": [_modifier(modifier) for modifier in kingdom.modifiers],
        "coming": [_modifier(modifier) for modifier in kingdom.coming],
        "gifts": _lasting(kingdom, for_good=True),
        "wounds": _lasting(kingdom, for_good=False),
        "land": land(kingdom, seen.hexes, rules),
        "settlements": settlements(kingdom, hexes, result.number + 1, rules),
        "events": [row._asdict() for row in told_events],
        "armies": armies(*given),
        "battles": fought,
        "plan": plan(*given),
        "reserve": kingdom.reserve,
        "routes": routes(*given),
        "expeditions": expeditions(*given),
        "sights": sights(*given),
        "neighbours": [{**asdict(other), "borders": list(other.borders)} for other in near.values()],
        "goal": _goal(kingdom, near.values(), rules),
        "messages": letters(read, seat, names, titled),
        "public": letters(common.messages.get(ALL, ()), seat, names, titled),
        "afford": _afford(offers),
        "odds": [_odds(odds) for odds in odds_rows],
        "forecast": ahead,
        "form": form_lines(seen, now, seat, rules),
        "happened": happened(phases),
        "map": map_view(result.after, seat, rules, sorted(was.hexes.keys() ^ kingdom.hexes.keys())),
        "charted": {account: name_of(account) for account in CHARTED},
    }


def _choices(before: Kingdom, after: Kingdom, rules: Rules) -> list[Facts]:
    """What the kingdom has chosen, before and after the turn."""
    chosen: dict[str, Callable[[Kingdom], str]] = {
        "Leadership": lambda kingdom: ", ".join(led(kingdom, rules)),
        "Work week": lambda kingdom: words(kingdom.holiday),
        "Promotion": lambda kingdom: words(kingdom.promotion),
        "Taxation": lambda kingdom: words(kingdom.taxation),
        "Capital": lambda kingdom: kingdom.capital or "none",
        "Government": lambda kingdom: rules.governments[kingdom.government].name if kingdom.government else "none",
        "Alignment": lambda kingdom: rules.alignments[kingdom.alignment].name if kingdom.alignment else "none",
    }
    return [
        {"name": name, "before": of(before) if of(before) != of(after) else "", "after": of(after)}
        for name, of in chosen.items()
    ]


def _lasting(kingdom: Kingdom, for_good: bool) -> list[str]:
    """What events changed for longer than a turn, for good or for ill, summed, each with its end."""
    changed = [each for each in kingdom.modifiers if each.event and is_good(each) == for_good]
    ending = summed(each for each in changed if each.ends and not each.lasting)
    return ending + [f"{text} without an end" for text in summed(each for each in changed if each.lasting)]


def _rolled(checks: Iterable[CheckRow]) -> float | None:
    """The chance that the turn's Stability check had, None where none was made."""
    needed = next(
        (check["needed"] for check in checks if check["name"] == "Stability" and check["die"] is not None), None
    )
    # a natural 1 fails, a natural 20 succeeds
    return None if needed is None else min(max((21 - needed) / 20, 0.05), 0.95)


def _goal(kingdom: Kingdom, near: Iterable[Other], rules: Rules) -> Facts | None:
    """What wins, where the ruling final_size is in force. What a rival has in its treasury nobody is told."""
    if not rules.final_size:
        return None
    rivals = [
        f"{other.name} {other.size}" if other.size is not None else f"{other.name} at least {len(other.borders)}"
        for other in near
        if other.size is not None or other.borders
    ]
    return {"size": final_size(kingdom, rules), "turns": rules.final_size.turns, "rivals": rivals}


def _asked(pending: Pending) -> Facts:
    return {
        "key": pending.key,
        "question": pending.question,
        "choices": choices_of(pending),
        "default": pending.default,
        "others": [f"answers: {{{pending.key}: {answer}}}" for answer in alternatives(pending)],
    }


def _modifier(modifier: Modifier) -> Facts:
    return {
        "account": name_of(modifier.account),
        "by": modifier.by,
        "text": modifier.text,
        "lasting": modifier.lasting,
        "ends": modifier.ends,
    }


def _odds(odds: Odds) -> Facts:
    low, high = odds.needs
    outcomes: list[Facts] = []
    for each in odds.outcomes:
        by = f"{each.low:+d}" if each.low == each.high else f"{each.low:+d} to {each.high:+d}"
        what = each.what if each.low == each.high == 0 else f"{by} {each.what}"
        outcomes.append({"what": what, "percent": percent(each.chance)})
    needs = "none" if not high else f"{low}+" if low == high else f"{low} to {high}+"
    return {"name": odds.name, "needs": needs, "percent": percent(odds.chance), "outcomes": outcomes}


def _afford(offers: Options | None) -> list[Facts]:
    """What the treasury can pay next turn, a row for each sort; the order form has each hex, lot and price."""
    if offers is None:
        return []
    limits = ", ".join(f"{what} {count}" for what, count in offers["limits"].items())
    claims, seen = offers["claimable"], dict[str, int]()
    for kind in sorted(offers["buildings"], key=lambda kind: kind["price"]):
        seen.setdefault(kind["name"], kind["price"])
    works = dict[str, list[int]]()
    for row in offers["improvements"]:
        works.setdefault(row["name"], []).append(row["price"])
    cheapest = min((hex["price"] for hex in claims), default=0)
    free = (
        f"any one hex that nobody holds, {offers['anywhere']} BP (ruling no_hexes)"
        if offers["anywhere"] is not None
        else ""
    )
    away = offers["expeditions"]
    tasks = (
        [f"{row['hex']} ACR {row['acr']}: {row['match']} BP are a match" for row in away["monsters"]] if away else []
    )
    tasks += (
        [
            f"{row['hex']} {row['hazard']}: {row['bp']} BP clear it with {row['chance']} % a turn"
            for row in away["hazards"]
        ]
        if away
        else []
    )
    rows = {
        "At most": limits,
        "Claim": free or f"{_first([hex['hex'] for hex in claims], 8)}, from {cheapest} BP" * bool(claims),
        "Improve": _first([f"{name} from {min(prices)}" for name, prices in works.items()], 8),
        "Build": _first([f"{name} {price}" for name, price in seen.items()], 12) or offers["none_built"],
        "Explore": f"{away['per_week']} BP a week in advance" if away else "",
        "Hire": _first(tasks, 4),
    }
    return [{"name": name, "text": text} for name, text in rows.items() if text.strip()]


def _first(texts: Sequence[str], most: int) -> str:
    return ", ".join(texts[:most]) + (f" and {len(texts) - most} more" if len(texts) > most else "")
