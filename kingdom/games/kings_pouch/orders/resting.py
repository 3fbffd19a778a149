"""What the rest phase may be told. steps/rest.py plays that phase."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, NotRequired, TypedDict

from kingdom.engine.offer import NO_PICKS
from kingdom.games.kings_pouch.orders.counting import all_effects
from kingdom.games.kings_pouch.orders.placing import WORDS, kind_of, plain, shapes_of
from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import KINDS, SHAPES, Now, Table, Turn
from kingdom.games.kings_pouch.steps.rounds import TURNS
from kingdom.orders import kit
from kingdom.orders.schema import Flag, ListOf


class Wishes(TypedDict):
    """What a player wishes for in the rest phase."""

    refresh: NotRequired[Annotated[list[str], ListOf("which citizens go back into the pouch, by kind", kind_of("a kind", example="merchant"), short=WORDS)]]  # fmt: skip
    refresh_all: NotRequired[Annotated[bool, Flag("whether a refresh without a number is used")]]
    draw: NotRequired[Annotated[list[str], shapes_of("the shape of each citizen drawn")]]
    palace_draw: NotRequired[Annotated[bool, Flag("whether the palace's citizen is drawn")]]


class Rest(kit.Entries[Table, Rules, bool | list[str]]):
    """What the rest phase is told, an entry a wish."""

    key, name, phase = "rest", "the rest phase", TURNS[0]
    shape = kit.record(Wishes, "the rest phase")

    def asks(self, now: Now) -> str:
        return "Say which shapes you draw: `rest: {draw: [cube, prism]}`; without it cubes first."

    def candidates(self, now: Now) -> Iterator[kit.Candidate]:
        """Return each entry; of refreshes those that a building lets the seat do."""
        effects = all_effects(now.state.seats[now.seat], now.rules)
        refreshes = {effect.n > 0 for effect in effects if effect.does == "refresh"}
        most = max(now.rules.draw.usual, now.rules.draw.palace)
        kinds = kit.Pick("First of all", KINDS, kind="ranked", least=1)
        shapes = kit.Pick("Draw", tuple(SHAPES), kind="row", least=1, most=most)
        if True in refreshes:
            yield _entry("refresh", kit.Gap("kinds"), "Who goes back into the pouch with a refresh", {"kinds": kinds})
            yield _entry("refresh", [], "Nobody goes back into the pouch with a refresh of a number")
        if False in refreshes:
            yield _entry("refresh_all", False, "Leave out the refresh of the whole rest area")
        yield _entry("draw", kit.Gap("shapes"), "Shapes to draw at the end of your turn", {"shapes": shapes})
        if now.rules.palace_draw.optional:
            yield _entry("palace_draw", False, "Don't draw the additional citizen of the palace")

    def objection(self, now: Now, order: tuple[str, bool | list[str]]) -> None:
        """A wish that can't be had is passed over."""

    def carry_out(self, now: Now, order: tuple[str, bool | list[str]], turn: Turn) -> Table:
        """The rest phase reads all entries at once (steps/rest.py)."""
        return now.state

    def say(self, order: tuple[str, bool | list[str]]) -> str:
        return f"{order[0].replace('_', ' ')} {plain(order[1])}"


def _entry(word: str, value: object, text: str, picks: Mapping[str, kit.Pick] = NO_PICKS) -> kit.Candidate:
    id = f"rest {word}" if picks else f"rest {word} no"
    return kit.Candidate(id, (word, value), text, picks, uses={f"rest {word}": 1}, checked=True)
