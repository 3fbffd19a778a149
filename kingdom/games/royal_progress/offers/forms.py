"""The order form of a seat: what may be chosen for its next turn, as plain data (kingdom/render/order_form.py says how it is read).

Of plans an offer is a kind of them, as "Move, then lay"; what is chosen in one field decides what the others have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, TypeAlias

from kingdom.engine.offer import LIST, MAP, ONE
from kingdom.engine.step import Orders
from kingdom.games.royal_progress.offers import BACK, PLANS, Use, form_actions, form_lays, given_back, uses
from kingdom.games.royal_progress.offers.form_actions import WISHES, take_fields, take_value, wishes_of
from kingdom.games.royal_progress.offers.form_lays import Conditions, Row, choice, many, unless
from kingdom.games.royal_progress.report.text_form import asked, waits
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import DISCARD as FIRST_TURN
from kingdom.games.royal_progress.state import Table
from kingdom.games.royal_progress.steps import is_over
from kingdom.games.royal_progress.steps.actions import two_may_be_taken
from kingdom.games.royal_progress.words import DISCARD, DISCARDS, EXTRA_MOVES, LAY, MOST_PLANS, MOVE, TAKE, THEN
from kingdom.orders.kit.pages import Button, Field, Section, letters, slot
from kingdom.orders.yaml_out import flow

ABOUT = "Order several: the first that is legal as a whole when your turn comes is carried out. What is offered is legal as the table lies."
STANDING = "They choose for you in other players' turns, and where you have no plan. They hold until you say otherwise."


def form_page(seen: Table, seat: str, rules: Rules) -> dict[str, object]:
    """What the seat's order form offers for the turn after `seen`, which is what it knows."""
    wanted, sections, counters = asked(seen, seat, rules), [], []
    if wanted and seen.phase == FIRST_TURN:
        sections.append(
            _section("discard", wanted[0]["name"], wanted[0]["text"], [("", _given_back(seen, seat, rules))])
        )
    elif wanted:
        sections.append(
            _section("plans", wanted[0]["name"], f"{wanted[0]['text']} {ABOUT}", plan_parts(seen, seat, rules))
        )
        counters.append({"id": PLANS, "name": "Plans", "left": MOST_PLANS, "level": True})
    if not is_over(seen):
        sections.append(
            _section("standing", "Standing preferences", STANDING, standing_parts(seen.seats[seat].standing, rules))
        )
    sections.append(letters(seen.seats, seat, 3))
    notice = "" if wanted or is_over(seen) else waits(seen, seat, rules)
    return {"notice": notice, "counters": counters, "coin": "", "facts": [], "sections": sections, "places": {}}


def _section(id: str, title: str, about: str, parts: Iterable[tuple[str, list[Button]]]) -> Section:
    return {
        "id": id,
        "title": title,
        "about": about,
        "parts": [{"title": name, "offers": offers} for name, offers in parts if offers],
    }


def _given_back(seen: Table, seat: str, rules: Rules) -> list[Button]:
    """The cards that may go: a button each where one goes, else a field for each that goes."""
    count, hand = rules.box.given_back, Counter(seen.seats[seat].hand)
    back: Button = {"rank": 0, "key": "discard", "takes": list(BACK)}
    if count == 1:
        return [
            {**back, "how": LIST, "id": offer.id, "value": offer.short, "text": offer.text}
            for offer in given_back(seen, seat, rules)
        ]
    fields, names = [], [f"card_{number}" for number in range(1, count + 1)]
    for number, name in enumerate(names):
        rows = [(card, card, {} if hand[card] >= count else _unlike(names[:number], card)) for card in sorted(hand)]
        fields.append(choice(name, "Give back", rows))
    value = [slot(name) for name in names]
    return (
        [{**back, "how": ONE, "id": "back", "value": value, "text": f"Give back {count} cards", "fields": fields}]
        if names
        else []
    )


def _unlike(names: list[str], card: str) -> Conditions:
    condition: Conditions = {}
    for name in names:
        condition = unless(condition, name, [card])
    return condition


# --- standing preferences: an offer for each of them, with what holds now


Preference: TypeAlias = tuple[
    list[Field], dict[str, object], list[str]
]  # fields, the value with slots, what must be filled
WHAT = {
    "pair": "Which pair of gifts",
    "single": "Which single gift",
    "forced_discard": "Which open card where one must go",
    "loyalty": "What in a loyalty test",
    "no_plan": "What where no plan is legal",
}
BOTH = {TAKE: "C: take", DISCARD: "D: discard"}


PARTS = {
    "Gifts": ("pair", "single"),
    "Cards that must go, and loyalty tests": ("forced_discard", "loyalty"),
    "Without a plan": ("no_plan",),
}


def standing_parts(said: Orders, rules: Rules) -> list[tuple[str, list[Button]]]:
    """(title, offers). said: the preferences that hold now."""
    return [(title, [_preference(key, said.get(key), rules) for key in keys]) for title, keys in PARTS.items()]


def _preference(key: str, now: object, rules: Rules) -> Button:
    fields, value, needed = _MADE[key](rules)
    return {
        "id": f"standing {key}", "rank": 2, "key": "standing", "how": MAP, "value": [key, value], "text": WHAT[key], "fields": fields,
        "takes": [f"standing {key}"], "any_of": needed, "more": f"now: {flow(now)}" if now else "nothing is said yet",
    }  # fmt: skip


def _words(words: tuple[str, ...]) -> list[Row]:
    return [(word, word.replace("_", " "), {}) for word in words]


def _gift(rules: Rules) -> Preference:
    names = [f"type_{number}" for number in range(1, len(rules.gifts.types) + 1)]
    fields = []
    for number, name in enumerate(names):
        rows: list[Row] = [
            (kind, kind, {"unless": {other: [kind] for other in names[:number]}} if number else {})
            for kind in rules.gifts.types
        ]
        fields.append(choice(name, "Best" if not number else "Next best", rows, "any"))
    fields.append(choice("then", "Then", _words(THEN), rules.absent_choice.then.replace("_", " ")))
    return fields, {"prefer_types": [slot(name) for name in names], "then": slot("then")}, [*names, "then"]


def _forced(rules: Rules) -> Preference:
    fields = [
        many("keep", "Part with these last", _words(tuple(rules.courtiers))),
        choice("from", "First goes", _words(DISCARDS), DISCARDS[0].replace("_", " ")),
    ]
    return fields, {"keep": slot("keep"), "from": slot("from")}, ["keep", "from"]


def _loyalty(rules: Rules) -> Preference:
    fields = [
        choice("discard", "First goes", _words(DISCARDS), DISCARDS[0].replace("_", " ")),
        many("keep", "Part with these last", _words(tuple(rules.courtiers))),
        choice("extra_move", "Extra move", _words(EXTRA_MOVES), EXTRA_MOVES[0].replace("_", " ")),
    ]
    return fields, {key: slot(key) for key in ("discard", "keep", "extra_move")}, ["discard", "keep", "extra_move"]


def _no_plan(rules: Rules) -> Preference:
    rows: list[Row] = [(value, text, {}) for value, text, _ in wishes_of((), rules)]
    fields = [
        choice("first", "First", [(word, text, {}) for word, text in BOTH.items()]),
        choice(
            "second",
            "Then",
            [(word, text, {"when": {"first": [TAKE]}} if word == TAKE else {}) for word, text in BOTH.items()],
        ),
        choice(WISHES[0], "Take", rows, "any card"),
        *(choice(name, "Otherwise", rows, "no more wishes") for name in WISHES[1:]),
    ]
    return fields, {"do": [slot("first"), slot("second")], "prefer": [slot(name) for name in WISHES]}, ["first"]


_MADE: Mapping[str, Callable[[Rules], Preference]] = {
    "pair": _gift, "single": _gift, "forced_discard": _forced, "loyalty": _loyalty, "no_plan": _no_plan,
}  # fmt: skip


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
    before = [choice(ABILITY, "Ability before that", abilities, "none")] if abilities else []
    fields = [*_first(ground, first, second), *_second(ground, first, second)]
    if not all(field["options"] for field in fields):
        return None
    both = [take_value(name) if kind == TAKE else slot(name) for kind, name in ((first, "first"), (second, "second"))]
    value: dict[str, object] = {"actions": both}
    text = f"{WORDS[first]}, then {WORDS[second].lower()}" + (" again" if first == second else "")
    offer = {"id": f"plan {first}{second}", "rank": 1, "key": "plans", "how": LIST, "text": text, "costs": {PLANS: 1}}
    return {**offer, "value": {ABILITY: slot(ABILITY), **value} if before else value, "fields": [*before, *fields]}


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
