"""The order `standing`: what chooses for a seat in the turns of others, and where it has no plan. It holds until it is said otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from kingdom.games.royal_progress import words
from kingdom.games.royal_progress.orders.choices import ANY_CARD, wishes
from kingdom.games.royal_progress.orders.plans import goes_back
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import Now, Table, Turn, with_player
from kingdom.games.royal_progress.words import ForcedDiscard, Gift, Loyalty, NoPlan, Standing
from kingdom.orders import kit
from kingdom.orders.kit import Gap, Pick
from kingdom.orders.short_forms import in_words
from kingdom.orders.yaml_out import flow

BOTH = {words.TAKE: "C: take", words.DISCARD: "D: discard"}
UNDER = {"pair": "Gifts", "single": "Gifts", "no_plan": "Without a plan"}
OPEN_CARDS = "Cards that must go, and loyalty tests"


class Preference(NamedTuple):
    """What may be said under a word of `standing`. shown: as an example has it. needs: picks of which one must be filled, none for any."""

    text: str
    order: Mapping[str, object]
    picks: Mapping[str, Pick]
    shown: object
    needs: Sequence[str] = ()


class Preferences(kit.Entries[Table, Rules, Gift | ForcedDiscard | Loyalty | NoPlan]):
    """The standing preferences, an entry for each."""

    key, name, phase, lasts = "standing", "standing preferences", "play", True
    shape = kit.record(Standing, "what holds in every turn, until it is said otherwise")

    def asks(self, now: Now) -> str:
        return "They choose for you in other players' turns, and where you have no plan. They hold until you say otherwise."

    def shows(self, now: Now) -> None:
        """Return that all of them are shown."""

    def candidates(self, now: Now) -> Iterator[kit.Candidate]:
        said = now.state.seats[now.seat].standing
        for word, preference in preferences(now.state.offer, now.rules).items():
            more = f"now: {flow(said[word])}" if said.get(word) else "nothing is said yet"
            yield kit.Candidate(
                f"standing {word}", (word, preference.order), preference.text, preference.picks, more=more, group=UNDER.get(word, OPEN_CARDS), uses={f"standing {word}": 1},
                any_of=preference.needs or tuple(preference.picks), checked=True, shown=(word, preference.shown),
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


def preferences(offer: tuple[str, ...], rules: Rules) -> dict[str, Preference]:
    """Return word -> what may be said under it."""
    types, keep, discards = rules.gifts.types[:2], list(rules.courtiers)[:2], _texts(words.DISCARDS)
    kinds = [f"type_{number}" for number in range(1, len(rules.gifts.types) + 1)]
    gift = {
        name: Pick("Next best" if number else "Best", rules.gifts.types, none="any",
                   unless={kind: {other: [kind] for other in kinds[:number]} for kind in rules.gifts.types} if number else {})
        for number, name in enumerate(kinds)
    } | {"then": Pick("Then", words.THEN, texts=_texts(words.THEN), none=_word(rules.absent_choice.then))}  # fmt: skip
    gifts = {"prefer_types": [Gap(name) for name in kinds], "then": Gap("then")}
    kept = Pick("Part with these last", list(rules.courtiers), kind="many")
    first = Pick("First goes", words.DISCARDS, texts=discards, none=_word(words.DISCARDS[0]))
    extra = Pick("Extra move", words.EXTRA_MOVES, texts=_texts(words.EXTRA_MOVES), none=_word(words.EXTRA_MOVES[0]))
    wished = wishes(offer, rules)
    do = {
        "first": Pick("First", list(BOTH), texts=BOTH),
        "second": Pick("Then", list(BOTH), texts=BOTH, when={words.TAKE: {"first": [words.TAKE]}}),
        **{name: wished._replace(label="Otherwise" if number else "Take", none=wished.none if number else ANY_CARD)
           for number, name in enumerate(("wish_1", "wish_2", "wish_3"))},
    }  # fmt: skip
    actions = {"do": [Gap("first"), Gap("second")], "prefer": [Gap("wish_1"), Gap("wish_2"), Gap("wish_3")]}
    preferred = list(types)
    return {
        "pair": Preference("Which pair of gifts", gifts, gift, {"prefer_types": preferred, "then": words.MOST_CROWNS}),
        "single": Preference("Which single gift", gifts, gift, {"prefer_types": preferred}),
        "forced_discard": Preference(
            "Which open card where one must go", {"keep": Gap("keep"), "from": Gap("from")}, {"keep": kept, "from": first},
            {"keep": keep, "from": words.DISCARDS[0]},
        ),
        "loyalty": Preference(
            "What in a loyalty test", {key: Gap(key) for key in ("discard", "keep", "extra_move")},
            {"discard": first, "keep": kept, "extra_move": extra}, {"discard": words.DISCARDS[0], "extra_move": words.EXTRA_MOVES[0]},
        ),
        "no_plan": Preference(
            "What where no plan is legal", actions, do, {"do": [words.TAKE, words.TAKE], "prefer": [{"suit_in_hand": "most"}, words.ANY]}, ("first",),
        ),
    }  # fmt: skip


def _word(word: str) -> str:
    return word.replace("_", " ")


def _texts(named: Sequence[str]) -> dict[str, str]:
    return {word: _word(word) for word in named}
