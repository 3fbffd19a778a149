"""The order `edicts`: the levels of the maintenance edicts from now on. Edict step 7."""

from __future__ import annotations

from collections.abc import Iterator

from kingdom.engine.names import words
from kingdom.games.realm.effects import EDICTS as CATEGORIES
from kingdom.games.realm.orders.kind import Entries, Now, changed, played
from kingdom.games.realm.rules.kingdom_tables import EdictLevel
from kingdom.games.realm.state import World, replace, with_kingdoms
from kingdom.games.realm.steps.shared import book
from kingdom.games.realm.types import Turn
from kingdom.orders import kit
from kingdom.orders.kit import Candidate
from kingdom.orders.schema import Record, Word

Choice = tuple[str, str]  # the edict, and its level


class Edicts(Entries[str]):
    """`edicts: {holiday: long}`, in short `holiday: long`. An edict that is not named keeps its level."""

    key, name, step, section = "edicts", "the levels of the edicts", "edict_levels", "edicts"
    often = 20
    shown = 0  # the levels that hold stand in the form already
    shape = Record("the levels of the edicts", {
        "holiday": Word("the length of the work week", "holiday", example="long"),
        "promotion": Word("the level of promotion", "promotion", example="token"),
        "taxation": Word("the level of taxation", "taxation", example="light"),
    })  # fmt: skip
    causes = {category: f"another level of the {category} edict" for category in CATEGORIES}

    def candidates(self, now: Now) -> Iterator[Candidate]:
        kingdom = now.state.kingdoms[now.seat]
        for category in CATEGORIES:
            for word in getattr(now.rules.edicts, category):
                text, then = f"{words(category).capitalize()}: {words(word)}", replace(kingdom, **{category: word})
                yield Candidate(
                    f"edicts {category} {word}", (category, word), text, effect=changed(now, then), uses={category: 1}
                )

    def on_page(self, now: Now) -> Iterator[Candidate]:
        """Yield the levels that do not hold yet, each with what it does."""
        kingdom = now.state.kingdoms[now.seat]
        for category in CATEGORIES:
            for word, level in getattr(now.rules.edicts, category).items():
                if word != getattr(kingdom, category):
                    yield Candidate(f"{category} {word}", (category, word), words(word), more=what_it_does(level) or "nothing",
                                    uses={category: 1})  # fmt: skip

    def objection(self, now: Now, order: Choice) -> kit.Objection:
        return None  # any level may be chosen

    def ordered(self, now: Now, turn: Turn) -> list[tuple[str, Choice]]:
        """Return them as the edicts stand in the books, however they were written."""
        return sorted(super().ordered(now, turn), key=lambda row: CATEGORIES.index(row[1][0]))

    def carry_out(self, now: Now, order: Choice, turn: Turn) -> World:
        kingdom, (category, new) = now.state.kingdoms[now.seat], order
        old = getattr(kingdom, category)
        if new == old:
            return now.state
        kingdom = replace(kingdom, **{category: new})
        book(turn, now.seat, kingdom, now.state.hexes, category, f"{category} {new} instead of {old}")
        return with_kingdoms(now.state, {now.seat: kingdom})


EDICTS = Edicts()


def edict_levels(world: World, turn: Turn) -> World:
    """Edict step 7: a category that is not named keeps its level."""
    return played(world, turn, EDICTS)


def what_it_does(level: EdictLevel) -> str:
    """What a level adds to the kingdom's sheet, for a person."""
    points = [(account, getattr(level, account)) for account in ("economy", "loyalty", "stability", "consumption")]
    return ", ".join(f"{account.capitalize()} {by:+d}" for account, by in points if by)
