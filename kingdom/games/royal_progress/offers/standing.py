"""Standing preferences in a form: an offer for each of them, with what holds now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kingdom.games.royal_progress.offers.fields import MAP, Field, Offer, choice, many, slot
from kingdom.games.royal_progress.offers.takes import WISHES, wishes_of
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.steps.actions import DISCARD, TAKE
from kingdom.games.royal_progress.steps.preferences import DISCARDS, EXTRA_MOVES, THEN
from kingdom.orders.yaml_out import flow

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


def standing_parts(said: Mapping[str, Any], rules: Rules) -> list[tuple[str, list[Offer]]]:
    """(title, offers). said: the preferences that hold now."""
    return [(title, [_offer(key, said.get(key), rules) for key in keys]) for title, keys in PARTS.items()]


def _offer(key: str, now: Any, rules: Rules) -> Offer:
    fields, value, needed = _MADE[key](rules)
    return {
        "id": f"standing {key}", "rank": 2, "key": "standing", "how": MAP, "value": [key, value], "text": WHAT[key], "fields": fields,
        "takes": [f"standing {key}"], "any_of": needed, "more": f"now: {flow(now)}" if now else "nothing is said yet",
    }  # fmt: skip


def _words(words: tuple[str, ...]) -> list[tuple[str, str, dict[str, Any]]]:
    return [(word, word.replace("_", " "), {}) for word in words]


def _gift(rules: Rules) -> tuple[list[Field], dict[str, Any], list[str]]:
    names = [f"type_{number}" for number in range(1, len(rules.gifts.types) + 1)]
    fields = []
    for number, name in enumerate(names):
        rows = [
            (kind, kind, {"unless": {other: [kind] for other in names[:number]}} if number else {})
            for kind in rules.gifts.types
        ]
        fields.append(choice(name, "Best" if not number else "Next best", rows, "any"))
    fields.append(choice("then", "Then", _words(THEN), rules.absent_choice.then.replace("_", " ")))
    return fields, {"prefer_types": [slot(name) for name in names], "then": slot("then")}, [*names, "then"]


def _forced(rules: Rules) -> tuple[list[Field], dict[str, Any], list[str]]:
    fields = [
        many("keep", "Part with these last", _words(tuple(rules.courtiers))),
        choice("from", "First goes", _words(DISCARDS), DISCARDS[0].replace("_", " ")),
    ]
    return fields, {"keep": slot("keep"), "from": slot("from")}, ["keep", "from"]


def _loyalty(rules: Rules) -> tuple[list[Field], dict[str, Any], list[str]]:
    fields = [
        choice("discard", "First goes", _words(DISCARDS), DISCARDS[0].replace("_", " ")),
        many("keep", "Part with these last", _words(tuple(rules.courtiers))),
        choice("extra_move", "Extra move", _words(EXTRA_MOVES), EXTRA_MOVES[0].replace("_", " ")),
    ]
    return fields, {key: slot(key) for key in ("discard", "keep", "extra_move")}, ["discard", "keep", "extra_move"]


def _no_plan(rules: Rules) -> tuple[list[Field], dict[str, Any], list[str]]:
    rows = [(value, text, {}) for value, text, _ in wishes_of((), rules)]
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


_MADE: Mapping[str, Callable[[Rules], tuple[list[Field], dict[str, Any], list[str]]]] = {
    "pair": _gift, "single": _gift, "forced_discard": _forced, "loyalty": _loyalty, "no_plan": _no_plan,
}  # fmt: skip
