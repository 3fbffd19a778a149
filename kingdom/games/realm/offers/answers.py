"""The questions of the order form: their answers with the odds of each, and what happens if nothing is said."""

from __future__ import annotations

from collections.abc import Iterator

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
from kingdom.games.realm.offers.form_model import FormOffer, Ground, Part, decisions
from kingdom.games.realm.orders.answers import LOSE_HEX, SAID, said, word_and_figure
from kingdom.games.realm.state import Pending
from kingdom.games.realm.steps.events.scene import NOTHING
from kingdom.games.realm.steps.events.words import titled


def answer_choices(ground: Ground) -> Iterator[Part]:
    """A part for each question."""
    kingdom, made = ground.seen.kingdoms[ground.seat], decisions(ground, "answers")
    for pending in kingdom.pending:
        event = kingdom.events.get(pending.key)
        known = event is not None and event.kind in ground.rules.event_kinds
        outlook = outlook_of(pending.key, event, ground.seat, ground.seen, ground.rules) if event and known else None
        offers = [offer for offer in made if offer["value"][0] == pending.key]
        if pending.key != LOSE_HEX:
            _tell_odds(offers, pending, outlook)
        if offers:
            beside = " ".join(without_key(pending.key, way) for way in told_beside(outlook)) if outlook else ""
            more = [_odds(NOTHING, None, outlook), "if you say nothing"]
            yield {
                "kind": "choice",
                "title": titled(event, ground.rules) if event and outlook else pending.question,
                "about": beside.replace("`", ""),
                "none": {
                    "text": f"Lose {pending.default}" if pending.key == LOSE_HEX else said(pending.default),
                    "more": ", ".join(filter(None, more)),
                },
                "offers": offers,
            }


def _tell_odds(offers: list[FormOffer], pending: Pending, outlook: Outlook | None) -> None:
    """Write the odds into the answers. What is the default, or adds nothing to what costs less, is only there where it is filed."""
    best = ""
    for offer in offers:
        word, figure = word_and_figure(offer["value"][1])
        odds = _odds(word, figure, outlook)
        needless = odds and figure is not None and odds in (best, _odds(NOTHING, None, outlook))
        offer |= ({"more": odds} if odds else {}) | ({"aside": True} if word == pending.default or needless else {})
        best = odds


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
