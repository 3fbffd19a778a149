"""The order `standing`: what chooses for a seat in the turns of others, and where it has no plan. It holds until it is said otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kingdom.games.royal_progress import words
from kingdom.games.royal_progress.orders.plans import ANY_CARD, goes_back, wishes
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import Now, Table, Turn, with_player
from kingdom.games.royal_progress.words import ForcedDiscard, Gift, Loyalty, NoPlan, Standing
from kingdom.orders import kit
from kingdom.orders.kit import Gap, Pick
from kingdom.orders.schema import ListOf, Record, Shape, Word
from kingdom.orders.short_forms import in_words
from kingdom.orders.yaml_out import flow

UNDER = {"pair": "Gifts", "single": "Gifts", "no_plan": "Without a plan"}
WISHES = 5  # that can be picked
OPEN_CARDS = "Cards that must go, and loyalty tests"


class Preferences(kit.Entries[Table, Rules, Gift | ForcedDiscard | Loyalty | NoPlan]):
    """The standing preferences, an entry for each."""

    key, name, phase, lasts = "standing", "standing preferences", "play", True
    shape = kit.record(Standing, "what holds in every turn, until it is said otherwise")

    def asks(self, now: Now) -> str:
        return "They choose for you in other players' turns, and where you have no plan. They hold until you say otherwise."

    def shows(self, now: Now) -> None:
        """Return that all of them are shown."""

    def candidates(self, now: Now) -> Iterator[kit.Candidate]:
        standing = now.state.seats[now.seat].standing
        for word, shape in self.shape.keys.items():
            picks = _picks(word, shape, now)
            more = f"now: {flow(standing[word])}" if standing.get(word) else "nothing is said yet"
            yield kit.Candidate(
                f"standing {word}", (word, {key: Gap(key) for key in picks}), _title(shape), picks, more=more, group=UNDER.get(word, OPEN_CARDS),
                uses={f"standing {word}": 1}, any_of=tuple(picks), checked=True,
            )  # fmt: skip

    def objection(self, now: Now, order: tuple[str, Any]) -> kit.Objection:
        """Return whether actions go back in the alphabet, which they don't without a plan either."""
        word, said = order
        back = goes_back(said["do"]) if word == "no_plan" and said.get("do") else None
        return back and back._replace(below=".do[1]")

    def carry_out(self, now: Now, order: tuple[str, Any], turn: Turn) -> Table:
        word, said = order
        return with_player(now.state, now.seat, standing={**now.state.seats[now.seat].standing, word: said})

    def say(self, order: tuple[str, Any]) -> str:
        word, said = order
        return f"Standing preference {_word(word)}: {in_words(self.shape.keys[word], said)}"


def _picks(word: str, shape: Shape, now: Now) -> dict[str, Pick]:
    """Return what may be picked under that word, by key."""
    if word == "no_plan":
        do = {"take twice": "cc", "take, then discard": "cd", "discard twice": "dd"}
        wish = wishes(now.state.offer, now.rules)._replace(label="Take", kind="row", most=WISHES, none=ANY_CARD)
        return {"do": Pick("Two actions", [*do], means={text: [*kinds] for text, kinds in do.items()}), "prefer": wish}
    assert isinstance(shape, Record)
    return {key: _pick(key, part, now.rules) for key, part in shape.keys.items()}


def _pick(key: str, shape: Shape, rules: Rules) -> Pick:
    """Return a pick of a word, or of several, the first choice first. Of nothing picked the first word holds."""
    word, several = (shape.of, True) if isinstance(shape, ListOf) else (shape, False)
    assert isinstance(word, Word)
    values = words.names(rules)[word.of] if isinstance(word.of, str) else word.of
    usual = rules.absent_choice.then if key == "then" else values[0]
    return Pick(
        _title(shape), values, texts={value: _word(value) for value in values},
        none="none" if several else _word(usual), kind="ranked" if several else "choice", most=len(values) if several else 0,
    )  # fmt: skip


def _title(shape: Shape) -> str:
    return shape.meaning[:1].upper() + shape.meaning[1:]


def _word(word: str) -> str:
    return word.replace("_", " ")
