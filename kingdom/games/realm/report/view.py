"""All that a report may hold: what one seat may know of a turn, as plain data; for the GM everything.

A template gets this and nothing else. What concerns others comes only from `known`, so nothing hidden can get in here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from kingdom.engine.dice import GM
from kingdom.engine.names import words
from kingdom.engine.step import Facts
from kingdom.games.realm.forecast.words import name_of, percent
from kingdom.games.realm.offers.offers import may_do
from kingdom.games.realm.offers.turn_preview import before_orders, without_orders
from kingdom.games.realm.report.afield import expeditions, routes, sights
from kingdom.games.realm.report.armies import armies, battles
from kingdom.games.realm.report.danger import dangers
from kingdom.games.realm.report.events import events, plan, summed
from kingdom.games.realm.report.expected_actual import reckoned
from kingdom.games.realm.report.first_screen import (
    Anchor,
    Choice,
    FirstScreen,
    Goal,
    ModifierRow,
    OddsRow,
    OutcomeRow,
    Question,
    ReportView,
    Title,
    contents,
    first_screen,
)
from kingdom.games.realm.report.gm_book import gm_view
from kingdom.games.realm.report.maps.districts import drawn
from kingdom.games.realm.report.maps.svg_map import map_view
from kingdom.games.realm.report.odds import Odds, charted, forecast_view, outlook
from kingdom.games.realm.report.order_outcomes import outcomes, summary
from kingdom.games.realm.report.parts import ALL, NO_PART, dealt, letters, shared, texts, told
from kingdom.games.realm.report.story import afield, happened, story
from kingdom.games.realm.report.survey import TownRow, compared, explained, land, settlements
from kingdom.games.realm.report.text_form import alternatives, order_form
from kingdom.games.realm.report.won_and_lost import lost, won
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.sheet import final_size, led
from kingdom.games.realm.state import Hex, Kingdom, Modifier, Pending
from kingdom.games.realm.turn import PHASES
from kingdom.games.realm.types import Result
from kingdom.games.realm.visibility.known import Other, company, known, others
from kingdom.render.charts import Drawing

CHARTED = ("treasury", "unrest", "size", *ATTRIBUTES)  # what is drawn of the last turns
STEPS = [(phase.name, step.__name__) for phase in PHASES for step in phase.steps]


class View(ReportView, FirstScreen):
    """All that a seat's report holds."""

    contents: list[Anchor]


def view(result: Result, seat: str, rules: Rules) -> Facts:
    """What the seat may know of the turn, as plain data: dicts, lists, texts, numbers; for the GM the GM's book."""
    if seat == GM:
        return gm_view(result, rules)
    return seat_view(result, seat, rules)


# Long: a table: all parts of a report, each by its name.
def seat_view(result: Result, seat: str, rules: Rules) -> View:
    """What a player's seat may know of the turn."""
    common = shared(result)
    part, public = common.parts.get(seat, NO_PART), common.parts.get(ALL, NO_PART)
    read = common.messages.get(seat, ())
    dealt_with = dealt(seat, part.notices, read)
    seen, near = known(result.after, seat, rules, dealt_with), others(result.after, seat, rules, dealt_with)
    kingdom, hexes = result.after.kingdoms[seat], result.after.hexes
    names = {other: each.name for other, each in near.items()} | {seat: kingdom.name}
    titled = bool(rules.event_going_on)  # kept reports of older rules stay as they were
    met = company(seen, seat)
    next_turn = without_orders(met, seat, rules)
    # the kingdoms that aid may be sent to: seat, since two may have one name, -> size
    aided_sizes = {
        each.seat: each.size for each in near.values() if each.size is not None and (each.touches or each.tied)
    }
    now = before_orders(met, seat, rules) if kingdom.plan else next_turn
    offers = may_do(met, now, seat, rules)
    rows = outcomes(result.orders.get(seat, {}), part.notices)
    phases = story(part, {row["path"]: row["text"] for row in rows}, names, STEPS)
    given = (result, seat, part, seen, rules)
    was = result.before.kingdoms[seat]
    found: ReportView = {
        "turn": result.number,
        "next_turn": result.number + 1,
        "kingdom": _title(kingdom, seat, result.number, rules),
        "told": told(public.notices) + told(part.notices),
        "numbers": compared(result, seat, part.entries, rules),
        "choices": _choices(was, kingdom, rules),
        "checks": (checks := [check for phase in phases for step in phase["steps"] for check in step["checks"]]),
        "reckoned": reckoned(result.expected.get(seat, {}), part.entries, checks),
        "afield": afield(part),
        "orders": {"rows": rows, "said": summary(seat in result.orders, rows, bool(was.plan))},
        "asked": [_asked(pending) for pending in kingdom.pending],
        "requests": [request.text for request in kingdom.requests],
        "phases": phases,
        "rolls": [f"{roll.name}:{roll.count}:{roll.sides}" for roll in part.rolls if roll.source == "seed"],
        "sources": explained(kingdom, hexes, rules),
        "modifiers": [_modifier(modifier) for modifier in kingdom.modifiers],
        "coming": [_modifier(modifier) for modifier in kingdom.coming],
        "turned": {"won": won(was, kingdom, names), "lost": lost(was, kingdom, names)},
        "lasting": _lasting(kingdom),
        # kept reports of older rules stay as they were
        "dangers": dangers(met, seat, offers, rules) if rules.event_going_on else None,
        "land": land(kingdom, seen.hexes, rules),
        "settlements": _drawn(kingdom, hexes, result.number + 1, rules),
        "events": events(*given),
        "armies": armies(*given),
        "battles": battles(*given),
        "plan": plan(*given),
        "reserve": kingdom.reserve,
        "routes": routes(*given),
        "expeditions": expeditions(*given),
        "sights": sights(*given),
        "neighbours": [
            {
                "seat": other.seat,
                "name": other.name,
                "size": other.size,
                "touches": other.touches,
                "borders": list(other.borders),
            }
            for other in near.values()
        ],
        "goal": _goal(kingdom, near.values(), rules),
        "aid": texts(part.notices, "aid"),
        "messages": letters(read, seat, names, titled),
        "public": letters(common.messages.get(ALL, ()), seat, names, titled),
        "news": texts(public.notices, "news"),
        "next": offers,
        "odds": [_odds(odds) for odds in outlook(next_turn, seat, rules, aided_sizes)],
        "forecast": charted(forecast_view(met, next_turn, seat, rules), seat),
        "form": order_form(met, now, seat, rules),
        "happened": happened(phases),
        "map": map_view(result.after, seat, rules),
        "charted": {account: name_of(account) for account in CHARTED},
    }
    return {**found, **first_screen(found), "contents": contents(found)}


def _drawn(kingdom: Kingdom, hexes: dict[str, Hex], turn: int, rules: Rules) -> list[TownRow]:
    """The settlements, each district with a picture."""
    towns = settlements(kingdom, hexes, turn, rules)
    for town in towns:
        for district in town["districts"]:
            district["picture"] = Drawing(drawn(town, district, kingdom, rules))
    return towns


def _title(kingdom: Kingdom, seat: str, turn: int, rules: Rules) -> Title:
    return {
        "seat": seat,
        "name": kingdom.name,
        "alignment": rules.alignments[kingdom.alignment].name if kingdom.alignment else "",
        "government": rules.governments[kingdom.government].name if kingdom.government else "",
        "capital": kingdom.capital,
        "destroyed": kingdom.destroyed,
        "absent": kingdom.absent,
        "anarchy": kingdom.anarchy == turn + 1,
        "landless": not kingdom.hexes,
        "unsettled": kingdom.anew and bool(kingdom.hexes) and not kingdom.settlements,
    }


def _choices(before: Kingdom, after: Kingdom, rules: Rules) -> list[Choice]:
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
    return [{"name": name, "before": of(before), "after": of(after)} for name, of in chosen.items()]


def _lasting(kingdom: Kingdom) -> list[str]:
    """What events changed for longer than a turn, summed, each with its end."""
    changed = [each for each in kingdom.modifiers if each.event]
    ending = summed(each for each in changed if each.ends and not each.lasting)
    return ending + [f"{text} without an end" for text in summed(each for each in changed if each.lasting)]


def _goal(kingdom: Kingdom, near: Iterable[Other], rules: Rules) -> Goal | None:
    """What wins, where the ruling final_size is in force. What a rival has in its treasury nobody is told."""
    if not rules.final_size:
        return None
    rivals = [
        f"{other.name} {other.size}" if other.size is not None else f"{other.name} at least {len(other.borders)}"
        for other in near
        if other.size is not None or other.borders
    ]
    return {"size": final_size(kingdom, rules), "turns": rules.final_size.turns, "rivals": rivals}


def _asked(pending: Pending) -> Question:
    figures = {word: f" {' or '.join(map(str, of))}" for word, of in pending.figures.items()}
    said = [f"{word}{figures.get(word, '')}" for word in pending.choices]
    others = [f"answers: {{{pending.key}: {answer}}}" for answer in alternatives(pending)]
    return {
        "key": pending.key,
        "question": pending.question,
        "choices": said,
        "default": pending.default,
        "others": others,
    }


def _modifier(modifier: Modifier) -> ModifierRow:
    return {
        "account": name_of(modifier.account),
        "by": modifier.by,
        "text": modifier.text,
        "lasting": modifier.lasting,
        "ends": modifier.ends,
    }


def _odds(odds: Odds) -> OddsRow:
    low, high = odds.needs
    outcomes: list[OutcomeRow] = []
    for each in odds.outcomes:
        by = f"{each.low:+d}" if each.low == each.high else f"{each.low:+d} to {each.high:+d}"
        what = each.what if each.low == each.high == 0 else f"{by} {each.what}"
        outcomes.append({"what": what, "percent": percent(each.chance)})
    needs = "none" if not high else f"{low}+" if low == high else f"{low} to {high}+"
    return {"name": odds.name, "needs": needs, "percent": percent(odds.chance), "outcomes": outcomes}
