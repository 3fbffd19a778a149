"""The answers to what the last report asked: as offers, and in the form. What an answer costs or changes is what a turn with it makes of it."""

from __future__ import annotations

from collections.abc import Iterator

from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.names import words
from kingdom.engine.offer import MAP, Offer
from kingdom.games.realm.forecast.event_chances import Outlook, outlook_of
from kingdom.games.realm.forecast.event_odds import (
    hired_by,
    is_met_by_checks,
    odds_of,
    quieted_for,
    told_beside,
    without_key,
)
from kingdom.games.realm.forecast.words import percent
from kingdom.games.realm.offers.figures import difference, figures
from kingdom.games.realm.offers.form_model import FormOffer, Ground, Part, offer
from kingdom.games.realm.offers.turn_preview import Course, course, made
from kingdom.games.realm.orders.kind import held, paid
from kingdom.games.realm.orders.leaving import keeps_edicts, what_ends
from kingdom.games.realm.state import Kingdom, Pending, replace
from kingdom.games.realm.steps.event import answer_problem
from kingdom.games.realm.steps.events.scene import ADVENTURERS, CHECK, NOTHING
from kingdom.games.realm.steps.events.words import titled
from kingdom.games.realm.steps.land.losing import capital_hex, may_be_named, settlement_in

# --- what there is to order, whatever else is asked of it


class Answer(NamedTuple):
    """An answer to a question: its word, the figure that it takes or None, and the two as an order gives them."""

    word: str
    figure: int | None
    order: str | dict[str, int]


def answers_to(pending: Pending) -> Iterator[Answer]:
    """Each choice with each of its figures; the default one too."""
    for word in pending.choices:
        figures = pending.figures.get(word)
        if figures is None:
            yield Answer(word, None, word)
        for figure in figures or ():
            yield Answer(word, figure, {word: figure})


# --- as offers

LOSE_HEX = "lose_hex"


def answers(now: Course) -> Iterator[Offer]:
    """An answer to each question that has none yet, where the kingdom can pay it; the default one too."""
    for pending in now.seen.kingdoms[now.seat].pending:
        if pending.key in now.orders.get("answers", {}):
            continue
        for word in pending.choices if pending.key == LOSE_HEX else ():
            if not answer_problem(now.seen.kingdoms[now.seat], pending.key, word):
                yield made("answers", (pending.key, word), f"Lose {word}", how=MAP, effect={"size": -1})
        for given, after in answered(pending, now):
            text = f"{pending.question} {words(given.word)}" + (f", {given.figure}" if given.figure else "")
            yield made("answers", (pending.key, given.order), text, how=MAP, costs=price_of(now, after))


def answered(pending: Pending, now: Course) -> Iterator[tuple[Answer, Kingdom]]:
    """Each answer that the kingdom can give, with the kingdom at the end of the Edict phase; of a hex to be lost none, for there are many."""
    others = now.orders.get("answers", {})
    for answer in answers_to(pending) if pending.key != LOSE_HEX else ():
        if not answer_problem(now.seen.kingdoms[now.seat], pending.key, answer.order):
            orders = {**now.orders, "answers": {**others, pending.key: answer.order}}
            then = course(now.seen, now.seat, now.rules, orders)
            if not then.refused:
                yield answer, then.end.kingdoms[now.seat]


def price_of(now: Course, after: Kingdom) -> dict[str, int]:
    """The BP that an answer costs, by what the treasury holds with it."""
    return paid(max(0, now.end.kingdoms[now.seat].treasury - after.treasury))


# --- in the form


SAID = {CHECK: "quiet them by a check", ADVENTURERS: "hire adventurers", NOTHING: "do nothing"}


def answer_choices(ground: Ground) -> Iterator[Part]:
    """For each question its answers with their odds. What an answer costs or changes is what the engine makes of it."""
    kingdom = ground.seen.kingdoms[ground.seat]
    unplanned = replace(ground.seen, kingdoms={**ground.seen.kingdoms, ground.seat: replace(kingdom, plan=())})
    now = course(unplanned, ground.seat, ground.rules, {})
    for pending in kingdom.pending:
        event = kingdom.events.get(pending.key)
        known = event is not None and event.kind in ground.rules.event_kinds
        outlook = outlook_of(pending.key, event, ground.seat, ground.seen, ground.rules) if event and known else None
        offers = list(_hexes_to_lose(pending, ground) if pending.key == LOSE_HEX else _answers(pending, outlook, now))
        if offers:
            beside = " ".join(without_key(pending.key, way) for way in told_beside(outlook)) if outlook else ""
            more = [_odds(NOTHING, None, outlook), "if you say nothing"]
            yield {
                "kind": "choice",
                "title": titled(event, ground.rules) if event and outlook else pending.question,
                "about": beside.replace("`", ""),
                "none": {
                    "text": f"Lose {pending.default}" if pending.key == LOSE_HEX else _said(pending.default),
                    "more": ", ".join(filter(None, more)),
                },
                "offers": offers,
            }


def _said(word: str) -> str:
    return SAID.get(word) or words(word)


def _odds(word: str, figure: int | None, outlook: Outlook | None) -> str:
    """How likely the event ends well with that answer, in words; "" where no check of it hangs on that."""
    if outlook is None or word not in SAID or not is_met_by_checks(outlook):
        return ""
    what, chances, saved = odds_of(outlook)
    if outlook.kind.on_request:
        if word == NOTHING:
            return ""
        what = f"quiets them for {quieted_for(outlook)}"
    chance = percent(chances[hired_by(figure, outlook.rules)]).replace(" %", "\u00a0%")
    return f"{what}: {chance}{saved if figure else ''}"


def _hexes_to_lose(pending: Pending, ground: Ground) -> Iterator[FormOffer]:
    kingdom = ground.seen.kingdoms[ground.seat]
    yield offer("lose as said", "answers", "answers", [LOSE_HEX, pending.default], f"Lose {pending.default}", MAP,
                takes=[f"answer {LOSE_HEX}"], aside=True)  # fmt: skip
    for label in sorted(kingdom.hexes):
        town = settlement_in(kingdom, label)
        if (
            label in ground.lost
            or not may_be_named(kingdom, label)
            or town
            and (label == capital_hex(kingdom) or keeps_edicts(town, kingdom, ground.rules))
        ):
            continue
        text = f"Lose {label}" + (f", and {town}" if town else "")
        yield offer(f"lose {label}", "answers", "answers", [LOSE_HEX, label], text, MAP, at=label, takes=[f"answer {LOSE_HEX}"],
                    ends=[*what_ends(label, town, kingdom), *(f"lost {each}" for each in ground.lost)])  # fmt: skip


def _answers(pending: Pending, outlook: Outlook | None, now: Course) -> Iterator[FormOffer]:
    """The answers; what is the default, or adds nothing to what costs less, only where it is filed."""
    base, hexes, best = now.end.kingdoms[now.seat], now.end.hexes, ""
    before = figures(base, hexes, now.rules)
    for (word, figure, answer), after in answered(pending, now):
        # in hexes that are gone, and where the settlement is another then, nothing is offered any more
        ended = set(base.hexes) - set(after.hexes)
        ended |= {town.hex for name, town in base.settlements.items() if after.settlements.get(name) != town}
        adds = difference(figures(after, hexes, now.rules), before) | {
            "treasury": max(0, after.treasury - base.treasury)
        }
        odds = _odds(word, figure, outlook)
        aside = (
            word == pending.default
            or odds != ""
            and figure is not None
            and odds in (best, _odds(NOTHING, None, outlook))
        )
        best = odds
        yield offer(f"answer {pending.key} {word} {figure or ''}", "answers", "answers", [pending.key, answer], _said(word), MAP,
                    more=odds, aside=aside, costs=price_of(now, after), takes=[f"answer {pending.key}"], ends=[held(label) for label in sorted(ended)],
                    adds={name: by for name, by in adds.items() if by})  # fmt: skip
