"""The orders `answers`: what a kingdom answers to the questions of its last report. Event phase, start of the turn.

What follows from an answer is played by the steps that it is for; what it costs or changes is what a turn with it makes of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.names import words
from kingdom.engine.refusal import Refusal
from kingdom.games.realm.orders.kind import Entries, Now, answered, held, paid
from kingdom.games.realm.orders.leaving import keeps_edicts, what_ends
from kingdom.games.realm.orders.words import KIND_N, QUESTIONS, a_hex
from kingdom.games.realm.sheet import difference, figures
from kingdom.games.realm.state import Kingdom, Pending, World
from kingdom.games.realm.steps.events.scene import ADVENTURERS, CHECK, NOTHING
from kingdom.games.realm.steps.land.losing import capital_hex, may_be_named, settlement_in
from kingdom.games.realm.steps.trade.caravans import REJECT
from kingdom.games.realm.types import Answer, Turn
from kingdom.orders import kit
from kingdom.orders.kit import Candidate
from kingdom.orders.schema import Either, Id, MapOf, Number, Text
from kingdom.orders.short_forms import in_words

LOSE_HEX = "lose_hex"
SAID = {CHECK: "quiet them by a check", ADVENTURERS: "hire adventurers", NOTHING: "do nothing"}
Given = tuple[str, Answer]  # the question, and its answer


class Way(NamedTuple):
    """An answer to a question: its word, the figure that it takes or None, and the two as an order gives them."""

    word: str
    figure: int | None
    order: Answer


class Answers(Entries[Answer]):
    """`answers: {bandit_activity-1: check}`."""

    key, name, step, section = "answers", "answers", "start", "answers"
    often = 85
    shown = 0  # a form has the default ones already
    shape = MapOf(
        "answers to what the last report asked",
        Text("what it asked", example="bandit_activity-1", most=50, pattern=KIND_N, case="lower", offered=QUESTIONS),
        Either("an answer", (
            MapOf("an answer with its figure", Id("an answer", example="adventurers"),
                  Either("its figure", (Number("its figure", 0, 9999, 4), Text("its figure", most=60))), most=5),
            Id("an answer", example="accept"),
        )),
        fixed={LOSE_HEX: a_hex("the hex to lose")},
    )  # fmt: skip
    refusals = {
        "answer_unasked": "Nothing asks for the answer {key} (Event phase, start of the turn); asked for: {asked}. "
        "Leave this one out.",
        "answer_figure": "{answer} needs a figure in the answer to {key} (Event phase, start of the turn): one of {figures}, as in "
        "`{key}: {{{answer}: {first}}}`; {default} is taken instead.",
        "answer_not_a_choice": "{answer} can't be the answer to {key} (Event phase, start of the turn): the choices are {choices}; "
        "{default} is taken instead.",
    }

    def say(self, order: Given) -> str:
        return f"{order[0]}: {words(in_words(None, order[1]))}"

    def candidates(self, now: Now) -> Iterator[Candidate]:
        """Yield an answer to each question, where the kingdom can pay it; the default one too."""
        for pending in _asked(now):
            for label in pending.choices if pending.key == LOSE_HEX else ():
                yield Candidate(f"answers {LOSE_HEX} {label}", (LOSE_HEX, label), f"Lose {label}", effect={"size": -1})
            for way, before, then in _played(pending, now):
                text = f"{pending.question} {words(way.word)}" + (f", {way.figure}" if way.figure else "")
                yield Candidate(f"answers {pending.key} {way.order}", (pending.key, way.order), text, costs=_price(before, then), checked=True)  # fmt: skip

    def on_page(self, now: Now) -> Iterator[Candidate]:
        """Yield with each answer what it adds to the figures; hexes that are gone by it, and hexes whose settlement is another then,
        are offered no more."""
        for pending in _asked(now):
            uses = {f"answer {pending.key}": 1}
            for each in _hexes_to_lose(pending, now) if pending.key == LOSE_HEX else ():
                yield each._replace(uses=uses)
            for way, before, then in _played(pending, now):
                ended = set(before.hexes) - set(then.hexes)
                ended |= {town.hex for name, town in before.settlements.items() if then.settlements.get(name) != town}
                after, now_is = (figures(each, now.state.hexes, now.rules) for each in (then, before))
                adds = difference(after, now_is) | {"treasury": max(0, then.treasury - before.treasury)}
                yield Candidate(
                    f"answer {pending.key} {way.word} {way.figure or ''}", (pending.key, way.order), said(way.word), costs=_price(before, then),
                    uses=uses, ends=[held(label) for label in sorted(ended)], adds={name: by for name, by in adds.items() if by},
                    gives=[answered(pending.key, REJECT)] if way.word == REJECT else [], checked=True,
                )  # fmt: skip

    def objection(self, now: Now, order: Given) -> kit.Objection:
        """Return why the question can't be answered like that."""
        (key, answer), asked = order, (now.before or now.state).kingdoms[now.seat].pending
        pending = next((pending for pending in asked if pending.key == key), None)
        if pending is None:
            known = ", ".join(pending.key for pending in asked) or "nothing"
            return Refusal("answer_unasked", {"key": key, "asked": known})
        word, figure = word_and_figure(answer)
        facts = {"answer": word, "key": key, "default": pending.default}
        if word not in pending.choices or (not isinstance(answer, str) and len(answer) != 1):
            return Refusal("answer_not_a_choice", {**facts, "choices": ", ".join(pending.choices)})
        figures = pending.figures.get(word, ())
        if figures and figure not in figures:
            return Refusal("answer_figure", {**facts, "figures": ", ".join(map(str, figures)), "first": figures[0]})
        if figure is not None and not figures:
            facts["answer"] = f"{word}: {figure}"
            return Refusal("answer_not_a_choice", {**facts, "choices": ", ".join(pending.choices)})
        return None

    def play(self, now: Now, turn: Turn) -> World:
        """Refuse what is no answer. From here on the seat's orders hold one valid answer to each question that names it; where it
        gave none, the default."""
        asked = now.state.kingdoms[now.seat].pending
        answers: dict[str, Answer] = {each.key: each.default for each in asked if each.key != LOSE_HEX}
        for path, (key, answer) in self.ordered(now, turn):
            objection = self.objection(now, (key, answer))
            if isinstance(objection, Refusal):
                turn.refuse_with(now.seat, path, objection)
            else:
                answers[key] = answer
        filed = turn.orders.get(now.seat, {})
        if answers or self.key in filed:
            turn.orders = {**turn.orders, now.seat: {**filed, self.key: answers}}
        return now.state


ANSWERS = Answers()


def said(word: str) -> str:
    """An answer in words."""
    return SAID.get(word) or words(word)


def word_and_figure(answer: Answer) -> tuple[str, int | None]:
    """The word of an answer, and the figure that is given with it."""
    return (answer, None) if isinstance(answer, str) else next(iter(answer.items()), ("", None))


def answers_to(pending: Pending) -> Iterator[Way]:
    """Each choice with each of its figures, the default one too; of a hex to be lost none, for there are many."""
    for word in pending.choices if pending.key != LOSE_HEX else ():
        if word not in pending.figures:
            yield Way(word, None, word)
        for figure in pending.figures.get(word, ()):
            yield Way(word, figure, {word: figure})


def _asked(now: Now) -> tuple[Pending, ...]:
    """The questions, as the turn begins with them."""
    return (now.before or now.state).kingdoms[now.seat].pending


def _played(pending: Pending, now: Now) -> Iterator[tuple[Way, Kingdom, Kingdom]]:
    """Yield (answer, the kingdom at the end of the Edict phase without it, the same with it) of each that the kingdom can give."""
    if now.foresee is None or (before := now.foresee({})) is None:
        return
    for way in answers_to(pending):
        if ANSWERS.objection(now, (pending.key, way.order)) is None:
            others = now.orders.get(ANSWERS.key, {})
            if then := now.foresee({ANSWERS.key: {**others, pending.key: way.order}}):
                yield way, before.kingdoms[now.seat], then.kingdoms[now.seat]


def _price(before: Kingdom, then: Kingdom) -> dict[str, int]:
    """The BP that an answer costs, by what the treasury holds with it."""
    return paid(max(0, before.treasury - then.treasury))


def _hexes_to_lose(pending: Pending, now: Now) -> Iterator[Candidate]:
    """The hex that is lost if nothing is said, which is only there where it is filed; and the others."""
    own, kingdom = (world.kingdoms[now.seat] for world in (now.before or now.state, now.state))
    lost = sorted(own.hexes.keys() - kingdom.hexes.keys())
    yield Candidate(
        "lose as said", (LOSE_HEX, pending.default), f"Lose {pending.default}", deed={"aside": True}, checked=True
    )
    for label in sorted(own.hexes):
        town = settlement_in(own, label)
        kept = town and (label == capital_hex(own) or keeps_edicts(town, own, now.rules))
        if label not in lost and may_be_named(own, label) and not kept:
            text = f"Lose {label}" + (f", and {town}" if town else "")
            ends = [*what_ends(label, town, own), *(f"lost {each}" for each in lost)]
            yield Candidate(f"lose {label}", (LOSE_HEX, label), text, at=label, ends=ends, checked=True)
