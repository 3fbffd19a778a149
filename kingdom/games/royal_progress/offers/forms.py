"""The order form of a seat: what may be chosen for its next turn, as plain data (kingdom/render/order_form.py says how it is read).

Of plans an offer is a kind of them, as "Move, then lay"; what is chosen in one field decides what the others have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, cast

from kingdom.engine.offer import LIST
from kingdom.games.royal_progress.offers import EACH, Use, form_actions, form_lays, uses
from kingdom.games.royal_progress.offers.form_actions import take_fields, take_value
from kingdom.games.royal_progress.offers.form_lays import Conditions, Row, choice
from kingdom.games.royal_progress.orders import PLANS, STANDING, decided, waits, wanted
from kingdom.games.royal_progress.orders.plans import MOST_PLANS
from kingdom.games.royal_progress.orders.standing import PARTS
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import Table, figure, suit
from kingdom.games.royal_progress.steps import is_over
from kingdom.games.royal_progress.steps.actions import two_may_be_taken
from kingdom.games.royal_progress.words import DISCARD, DRAWN, LAY, MOVE, TAKE, ActionForm
from kingdom.orders import kit
from kingdom.orders.kit.pages import Button, Field, Part, slot

ABOUT = "Order several: the first that is legal as a whole when your turn comes is carried out. What is offered is legal as the table lies."


def form_page(seen: Table, seat: str, rules: Rules) -> dict[str, Any]:
    """What the seat's order form offers for the turn after `seen`, which is what it knows."""
    asked = wanted(seen, seat, rules)
    notice = "" if decided(seen, seat, rules) or is_over(seen) else waits(seen, rules)
    page = kit.page([each for each in asked if each[0] is not PLANS], seen.seats, seat, notice=notice)
    for section in page["sections"]:
        if section["id"] == STANDING.key:
            section["parts"] = _under_titles(section["parts"][0]["offers"])
    for kind, now in asked:
        if kind is PLANS:
            parts: list[Part] = [
                {"title": title, "offers": offers} for title, offers in plan_parts(seen, seat, rules) if offers
            ]
            about = f"{PLANS.asks(now)} {ABOUT}"
            page["sections"].insert(0, {"id": PLANS.key, "title": PLANS.title, "about": about, "parts": parts})
            page["ordered"] = [PLANS.key]
            page["counters"].append({"id": PLANS.key, "name": "Plans", "left": MOST_PLANS, "level": True})
    return page


def _under_titles(buttons: list[Button]) -> list[Part]:
    return [
        {
            "title": title,
            "offers": [button for button in buttons if button["id"] in {f"standing {word}" for word in words}],
        }
        for title, words in PARTS.items()
    ]


# --- plans: every two actions, and an ability before them, that are legal as the table lies


WORDS = {MOVE: "Move", LAY: "Lay", TAKE: "Take", DISCARD: "Discard"}
ABILITY = "ability"


class Ground(NamedTuple):
    """What plans are made on. uses: of abilities, none first. lays: all ways to lay."""

    table: Table
    seat: str
    rules: Rules
    uses: list[Use]
    lays: form_lays.Legal


def plan_parts(table: Table, seat: str, rules: Rules) -> list[tuple[str, list[Button]]]:
    """(title, offers) of each kind of first action."""
    every = uses(table, seat, rules)
    ground = Ground(table, seat, rules, every, form_lays.all_lays(every, seat, rules))
    found = []
    for first in WORDS:
        offers = [_kind_of_plan(ground, first, second) for second in WORDS if second >= first]
        found.append((f"{WORDS[first]}, then something", [offer for offer in offers if offer]))
    return found


def _kind_of_plan(ground: Ground, first: str, second: str) -> Button | None:
    """The plans of these two kinds of actions; None where there is none."""
    abilities: list[Row] = [(use.value, use.text, {}) for use in ground.uses[1:]]
    before = (
        [choice(ABILITY, "Ability before that", abilities, "none", {use.value: use.order for use in ground.uses})]
        if abilities
        else []
    )
    fields = [*_first(ground, first, second), *_second(ground, first, second)]
    if not all(field["options"] for field in fields):
        return None
    both = [take_value(name) if kind == TAKE else slot(name) for kind, name in ((first, "first"), (second, "second"))]
    value: dict[str, object] = {"actions": both}
    text = f"{WORDS[first]}, then {WORDS[second].lower()}" + (" again" if first == second else "")
    offer = {
        "id": f"plan {first}{second}",
        "rank": 1,
        "key": "plans",
        "how": LIST,
        "text": text,
        "costs": {PLANS.key: 1},
    }
    for field in fields:
        if field["name"] in ("first", "second"):
            _told_long(field)
    return {**offer, "value": {ABILITY: slot(ABILITY), **value} if before else value, "fields": [*before, *fields]}


def _told_long(field: Field) -> None:
    """Say what the actions that are chosen from mean in orders, of each once, so that what is filed is found again."""
    told = set[str]()
    for option in cast("list[Field]", field["options"]):
        short = str(option["value"])
        if short not in told:
            option["means"] = _action(short)
            told.add(short)


def _action(short: str) -> ActionForm:
    kind, _, rest = short.partition(" ")
    name, *cards = rest.split()
    if kind == "A":
        return {"do": MOVE, "courtier": name, "to": cards[-1]}
    if kind == "D":
        return {"do": DISCARD, "courtier": name}
    if name == EACH:
        return {
            "do": LAY,
            "each": [{"courtier": suit(card), "card": figure(card)} for card in rest[len(EACH) + 1 :].split(", ")],
        }
    return {"do": LAY, "courtier": name, "cards": [DRAWN if card == DRAWN else int(card) for card in cards]}


def _first(ground: Ground, kind: str, second: str) -> list[Field]:
    table, seat, rules = ground.table, ground.seat, ground.rules
    made: Mapping[str, Callable[[], list[Field]]] = {
        MOVE: lambda: form_actions.move_first(ground.uses, rules, second == MOVE),
        LAY: lambda: form_lays.lay_first(ground.lays, ground.uses),
        TAKE: lambda: take_fields("first", "Take", table.offer, rules, two_may_be_taken(table, rules)),
        DISCARD: lambda: form_actions.discard_first(ground.uses, seat),
    }
    return made[kind]()


def _second(ground: Ground, first: str, kind: str) -> list[Field]:
    table, rules = ground.table, ground.rules
    again = first == kind
    if kind == MOVE:
        return form_actions.move_again(ground.uses, rules)
    if kind == LAY:
        if again:
            return form_lays.lay_again(ground.lays, ground.uses, ground.seat)
        return form_lays.lay_behind_move(ground.lays, ground.uses, rules)
    if kind == TAKE:
        two = again or two_may_be_taken(table, rules)
        return take_fields("second", "Then take", table.offer, rules, two, again)
    return form_actions.discard_second(ground.uses, {name: _discards(ground, first, name) for name in table.courtiers})


def _discards(ground: Ground, first: str, name: str) -> list[Conditions]:
    """When an open card on the courtier can be discarded behind that kind of action."""
    if first == MOVE:
        return form_actions.behind_move(ground.uses, ground.seat, name, ground.rules)
    if first == LAY:
        return form_actions.behind_lay(ground.uses, ground.seat, name, ground.lays)
    return (form_actions.behind_discard if first == DISCARD else form_actions.any_pile)(ground.uses, ground.seat, name)
