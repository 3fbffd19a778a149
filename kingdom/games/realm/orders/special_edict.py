"""What the special edicts have in common, each of which is told in its own file: how many a turn allows. Edict step 7; ruling: special_edicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kingdom.engine.refusal import Refusal
from kingdom.games.realm.orders.kind import Each, F, Now
from kingdom.games.realm.state import Kingdom, World, replace, with_kingdoms
from kingdom.games.realm.steps.shared import USED, most_special_edicts, with_palace
from kingdom.games.realm.types import Turn
from kingdom.orders import kit
from kingdom.orders.schema import ListOf, OneOf, Record
from kingdom.orders.short_forms import in_words

REFUSALS = {
    "special_edict_off": "The edict {edict} is not among the rules that this campaign plays by (Special Edicts); leave the order out.",
    "special_edicts_cap": "The special edicts of this turn are used up: {most} (ruling special_edicts). Send it next turn; a Palace "
    "allows {palace} a turn.",
}


class Edict(Each[F]):
    """One of the kinds of special edicts, which stand in one list. word: the one in its orders. free: it uses up none of the turn's."""

    key, step, section = "special", "special_edicts", "special"
    often = 35
    once = True
    free = False
    word: str
    record: Record

    @property
    def shape(self) -> ListOf:  # type: ignore[override]
        """The list of those of this kind."""
        cases = {self.word: self.record}
        return ListOf("the special edicts", OneOf("a special edict", cases, by="edict"), short="commas")

    def filed(self, orders: Any) -> list[tuple[str, F]]:
        return [(path, order) for path, order in super().filed(orders) if order["edict"] == self.word]  # type: ignore[index]

    def problem(self, now: Now, order: F) -> Refusal | None:
        """Why the edict can't be issued, however many were."""
        raise NotImplementedError

    def issue(self, now: Now, order: F, turn: Turn) -> Kingdom:
        """The kingdom that issued and paid it, booked."""
        raise NotImplementedError

    def objection(self, now: Now, order: F) -> kit.Objection:
        return self.problem(now, order) or self.used_up(now)

    def used_up(self, now: Now) -> Refusal | None:
        """Why no more of them can be issued in this turn."""
        kingdom = now.state.kingdoms[now.seat]
        most, _ = most_special_edicts(kingdom, now.rules)
        if self.free or kingdom.used.get(USED, 0) < most:
            return None
        return Refusal("special_edicts_cap", {"most": most, "palace": with_palace(now.rules)})

    def carry_out(self, now: Now, order: F, turn: Turn) -> World:
        kingdom = now.state.kingdoms[now.seat]
        if not self.free:
            kingdom = replace(kingdom, used={**kingdom.used, USED: kingdom.used.get(USED, 0) + 1})
        now = now._replace(state=with_kingdoms(now.state, {now.seat: kingdom}))
        return with_kingdoms(now.state, {now.seat: self.issue(now, order, turn)})

    def candidate(self, order: Any, text: str, cost: int = 0, checked: bool = False) -> kit.Candidate:
        """The order, all of it said, as an offer."""
        id = " ".join(f"{key} {value}" for key, value in order.items())
        costs, uses = {"treasury": cost} if cost else {}, {} if self.free else {USED: 1}
        return kit.Candidate(f"{self.key} {id}", order, text, costs=costs, limits=uses, checked=checked)

    def say(self, order: F) -> str:
        return in_words(self.shape.of, order)

    def deals_with(self, order: Any) -> Sequence[str]:
        return [order["to"]] if "to" in order else []
