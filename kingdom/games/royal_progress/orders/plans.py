"""The order `plans`: an ability, if any, and two actions; the first plan that is legal as a whole counts (rulings plans, plan_broken, missing_plan)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from typing import Any

from kingdom.engine.refusal import Refusal
from kingdom.games.royal_progress import words
from kingdom.games.royal_progress.orders.choices import PAIRS, Uses, plans, uses
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import PLAY, Now, Table, Turn
from kingdom.games.royal_progress.steps import Refused, Trial, due, ended
from kingdom.games.royal_progress.steps.abilities import use
from kingdom.games.royal_progress.steps.actions import Doing, act
from kingdom.games.royal_progress.steps.cards import discard_open
from kingdom.games.royal_progress.steps.preferences import forced_discard, standing
from kingdom.games.royal_progress.words import ActionForm, NoPlan, PlanForm, Wish
from kingdom.orders import kit
from kingdom.orders.schema import ListOf
from kingdom.orders.short_forms import in_words

MOST_PLANS = 50
DO: tuple[str, str] = (words.TAKE, words.TAKE)  # what a seat does that said nothing of it
PREFER: tuple[Wish, ...] = ({"suit_in_hand": "most"}, words.ANY)


class _Part(kit.One[Table, Rules, tuple[Any, Doing]]):
    """A part of a plan, with what the parts share. What comes behind the end of the round is left out (ruling round_ends).

    done: gives the table behind it; raises Refused if it is not possible.
    """

    def __init__(self, done: Callable[..., Table]):
        self.done = done

    def objection(self, now: Now, order: tuple[Any, Doing]) -> kit.Objection:
        """Return why it is not possible; no die is thrown to find that out."""
        part, doing = order
        try:
            if not ended(now.state, now.rules):
                self.done(now.state, Trial(now.rules, now.foreseeing), now.seat, part, copy(doing))
        except Refused as refused:
            return refused.refusal
        return None

    def carry_out(self, now: Now, order: tuple[Any, Doing], turn: Turn) -> Table:
        return now.state if ended(now.state, now.rules) else self.done(now.state, turn, now.seat, *order)


ABILITY, ACT = _Part(use), _Part(act)


class Plans(kit.Plan[Table, Rules, PlanForm]):
    """Plans for the seat's turn at the table."""

    key, name, phase, required = "plans", "plans for your turn at the table", "play", True
    shape = ListOf(
        "what to do in the turn at the table; the first plan that is legal then is carried out",
        kit.record(PlanForm, "a plan"),
        most=MOST_PLANS,
    )
    refusals = {
        "back_in_alphabet": "{second} comes before {first} in the alphabet, and actions never go back (ruling two_actions); give {second} first, then {first}.",
        "one_turn_ends": "Two actions make a turn, not {count} (ruling two_actions); give two, the same one twice if you like.",
    }

    def __init__(self, abilities: Uses = uses, pairs: Sequence[tuple[str, str]] = PAIRS):
        self.abilities, self.pairs = abilities, pairs  # what comes into question

    def chooses(self, now: Now) -> bool:
        return now.state.phase == PLAY and now.seat in due(now.state, now.rules)

    def asks(self, now: Now) -> str:
        seats = due(now.state, now.rules)
        before = ", ".join(seats[: seats.index(now.seat)])
        when = f"Before you: {before}." if before else "Nobody comes before you."
        king = " You have the King card, so the King moves first." if now.state.king_card == now.seat else ""
        return (
            "One turn at the table: two of the actions A to D, not back in the alphabet, and an ability before them if you like. "
            f"Order several plans: the first that is legal as a whole when your turn comes is carried out. {when}{king}"
        )

    def candidates(self, now: Now) -> Iterator[kit.Candidate]:
        return plans(now.state, now.seat, now.rules, self.abilities, self.pairs)

    def parts(self, now: Now, order: PlanForm) -> Iterator[kit.Part[Table, Rules]]:
        doing, actions = Doing(), order["actions"]
        if ability := order.get("ability"):
            yield kit.Part(".ability", ABILITY, (ability, doing))
        for number, action in enumerate(actions):
            doing.passes = _passes(actions[number : number + 2])
            yield kit.Part(f".actions[{number}]", ACT, (action, doing))

    def objection(self, now: Now, order: PlanForm) -> kit.Objection:
        """Return whether it is not two actions, whether they go back in the alphabet, or why one is not possible."""
        actions = order["actions"]
        if len(actions) != 2:
            return Refusal("one_turn_ends", {"count": len(actions)}, ".actions")
        if back := goes_back([action["do"] for action in actions]):
            return back._replace(below=".actions[1]")
        return super().objection(now, order)

    def otherwise(self, now: Now, turn: Turn) -> Table:
        """Do what the seat does without a legal plan."""
        if not turn.foreseeing:
            text = "No plan of yours was carried out: your standing order for that was (ruling missing_plan)."
            turn.tell(now.seat, "happened", text=text)
        return self.carry_out(now, without_plan(now.state, now.seat, now.rules), turn)

    def say(self, order: PlanForm) -> str:
        ability = [f"use the {in_words(words.ABILITY_SHAPE, order['ability'])}"] if order.get("ability") else []
        actions = [in_words(words.ACTION, action) for action in order["actions"]]
        return "; ".join([*ability, *(text[:1].upper() + text[1:] for text in actions)])


def goes_back(kinds: Sequence[str]) -> Refusal | None:
    """Return why these two kinds of actions can't follow each other; None if they can."""
    first, second = kinds
    facts = {"first": first.upper(), "second": second.upper()}
    return Refusal("back_in_alphabet", facts) if second < first else None


def _passes(actions: Sequence[ActionForm]) -> bool:
    """Return whether the first action only passes through: both are spent on the same courtier (ruling passing)."""
    moved = [action["courtier"] for action in actions if action["do"] == words.MOVE]
    return len(moved) == 2 and moved[0] == moved[1]


def without_plan(table: Table, seat: str, rules: Rules) -> PlanForm:
    """Return what the seat does if no plan of its is legal (ruling missing_plan); it takes a card for each that it can't discard."""
    said: NoPlan = standing(table, seat).get("no_plan") or {}
    prefer: list[Wish] = [*(said.get("prefer") or PREFER), words.ANY]
    discards: list[ActionForm] = []
    for word in said.get("do") or DO:
        name = forced_discard(table, seat) if word == words.DISCARD else ""
        if name:
            discards.append({"do": words.DISCARD, "courtier": name})
            table = discard_open(table, Trial(rules), seat, name)
    takes: list[ActionForm] = [{"do": words.TAKE, "prefer": prefer} for _ in range(2 - len(discards))]
    return {"actions": [*takes, *discards]}
