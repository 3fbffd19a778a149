"""What the form offers at court: leadership, the levels of the edicts, the capital, what is done about Unrest, answers."""

from __future__ import annotations

from collections.abc import Iterator

from kingdom.engine.dice import NoDice
from kingdom.engine.names import words
from kingdom.engine.step import Orders
from kingdom.engine.turn import resolve
from kingdom.games.realm.effects import EDICTS
from kingdom.games.realm.offers import candidates, home_offers
from kingdom.games.realm.offers.form_model import MAP, ONE, FormOffer, Ground, Part, held, offer
from kingdom.games.realm.offers.land import keeps_edicts, what_ends
from kingdom.games.realm.offers.options import levels
from kingdom.games.realm.rules.rules import ATTRIBUTES
from kingdom.games.realm.sheet import leadership_bonus, led
from kingdom.games.realm.state import Kingdom, Pending, replace
from kingdom.games.realm.steps.land.losing import capital_hex, may_be_named, settlement_in
from kingdom.games.realm.turn import FORESEEN_TO, PLAY

LOSE_HEX = "lose_hex"
ROUSE = "rouse_the_people"


def leadership(ground: Ground) -> Part:
    """How many attributes the ruler's bonus goes to, and to which it goes now."""
    count, bonus = leadership_bonus(ground.kingdom.edict_size, ground.rules)
    return {
        "key": "leadership",
        "title": "Leadership",
        "about": f"{bonus:+d} to {'one attribute' if count == 1 else f'{count} attributes'}",
        "most": count,
        "now": list(led(ground.kingdom, ground.rules)),
        "options": [{"value": name, "text": name.capitalize()} for name in ATTRIBUTES],
    }


def edict_choices(ground: Ground) -> Iterator[Part]:
    """For each edict its levels with what they do; the one that holds stays if nothing is said."""
    for category, rows in zip(EDICTS, levels(ground.kingdom, ground.rules), strict=True):
        now = next(row for row in rows["levels"] if row["now"])
        yield {
            "title": rows["name"],
            "none": {"text": now["word"], "more": f"as now: {now['does']}".removesuffix(": "), "place": rows["levels"].index(now)},
            "offers": [
                offer(f"{category} {word}", "edicts", "edicts", [category, word], words(word), MAP, more=row["does"] or "nothing",
                      takes=[category])
                for word, row in zip(getattr(ground.rules.edicts, category), rows["levels"], strict=True)
                if not row["now"]
            ],
        }  # fmt: skip


def capital_choice(ground: Ground) -> list[FormOffer]:
    """The settlements to which the capital may be moved; none where this turn's start may take the capital anyway."""
    if capital_hex(ground.seen.kingdoms[ground.seat]) in ground.lost:
        return []
    return [
        offer(f"capital {move.order}", "capital", "capital", move.order, f"Move it to {move.order}", ONE, takes=["capital"],
              needs=[[held(ground.kingdom.settlements[move.order].hex)]])
        for move in home_offers.capital(ground.course())
    ]  # fmt: skip


def surrender_choice(ground: Ground) -> list[FormOffer]:
    """The besieged settlements, of which one may surrender."""
    return [
        offer(f"surrender {move.order}", "surrender", "surrender", move.order, f"Surrender {move.order}", ONE, takes=["surrender"],
              needs=[[held(ground.kingdom.settlements[move.order].hex)]])
        for move in home_offers.surrenders(ground.course())
    ]  # fmt: skip


def loyalty_choice(ground: Ground) -> list[FormOffer]:
    """What may be done about Unrest with a Loyalty check in Upkeep; for what to rouse the people is always said."""
    offers = []
    for choice in home_offers.loyalty(ground.course()):
        ((deed, name),) = choice.order.items()
        if deed != ROUSE or name:
            id = f"rouse {name}" if name else "heads"
            offers.append(offer(id, "loyalty", "loyalty", choice.order, choice.text, ONE, takes=["loyalty"]))
    return offers


def answer_choices(ground: Ground) -> Iterator[Part]:
    """For each question its answers. What an answer costs or changes is what the engine makes of it."""
    kingdom = ground.seen.kingdoms[ground.seat]
    for pending in kingdom.pending:
        made = _hexes_to_lose(pending, ground) if pending.key == LOSE_HEX else _answers(pending, ground)
        offers = list(made)
        if offers:
            yield {
                "title": pending.question,
                "none": {"text": words(pending.default), "more": "if you say nothing"},
                "offers": offers,
            }


def _hexes_to_lose(pending: Pending, ground: Ground) -> Iterator[FormOffer]:
    kingdom = ground.seen.kingdoms[ground.seat]
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


def _answers(pending: Pending, ground: Ground) -> Iterator[FormOffer]:
    base = _after({}, ground)[0]
    for word, figure, answer in candidates.answers(pending):
        if word == pending.default:
            continue
        after, refused = _after({pending.key: answer}, ground)
        if refused:
            continue
        text = words(word) if figure is None else f"{words(word)}, {figure}"
        cost = max(0, base.treasury - after.treasury)
        yield offer(f"answer {pending.key} {word} {figure or ''}", "answers", "answers", [pending.key, answer], text, MAP,
                    costs={"treasury": cost}, takes=[f"answer {pending.key}"], ends=_ended(base, after))  # fmt: skip


def _after(answers: Orders, ground: Ground) -> tuple[Kingdom, bool]:
    """(the kingdom at the end of the Edict phase with these answers alone, whether one was refused)."""
    seen = replace(
        ground.seen, kingdoms={**ground.seen.kingdoms, ground.seat: replace(ground.seen.kingdoms[ground.seat], plan=())}
    )
    result = resolve(
        PLAY, seen, {ground.seat: {"answers": answers}} if answers else {}, NoDice(), ground.rules, until=FORESEEN_TO
    )
    refused = any(notice.kind == "refusal" and notice.seat == ground.seat for notice in result.notices)
    return result.after.kingdoms[ground.seat], refused


def _ended(base: Kingdom, after: Kingdom) -> list[str]:
    """The hexes in which nothing is offered any more: those that are gone, and those whose settlement is another then."""
    gone = set(base.hexes) - set(after.hexes)
    other = {each.hex for name, each in base.settlements.items() if after.settlements.get(name) != each}
    return [held(label) for label in sorted(gone | other)]
