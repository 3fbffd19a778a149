"""What the order form is given, as plain data: the shapes of it (kingdom/render/order_form.py says how the form reads them), and how an
offer of the form is made. The form itself (templates/form) only adds up what stands here."""

from __future__ import annotations

import re
from typing import Any, TypeAlias

from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.offer import LIST, How
from kingdom.games.realm.forecast.turn_preview import ORDER, preview
from kingdom.games.realm.orders.declaration import DECISIONS
from kingdom.games.realm.orders.kind import Now
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, World
from kingdom.orders import kit
from kingdom.orders.kit.pages import slot as slot

# as kingdom/render/order_form.py describes them
FormOffer: TypeAlias = dict[str, Any]
Part: TypeAlias = dict[str, Any]
Section: TypeAlias = dict[str, Any]
Counter: TypeAlias = dict[str, Any]
Town: TypeAlias = dict[str, Any]
Model: TypeAlias = dict[str, Any]


_IN_FORM = {
    "build": ("build", "upgrade", "demolish"),
    "special": ("special", "close_route"),
    "plan": (),
    "reserve": (),
}
RANKS = (
    *(rank for part in ORDER for rank in _IN_FORM.get(part, (part,))), "plan", "messages",
)  # fmt: skip  # the order in which a turn carries them out, and in a list that in which they are written


class Ground(NamedTuple):
    """What offers are made from. world: as the next orders find it, of other kingdoms what the seat knows.

    seen: what the seat knows now. lost: hexes that are taken from it at the turn's start if its answer stays as it is.
    """

    seat: str
    kingdom: Kingdom
    world: World
    seen: World
    lost: tuple[str, ...]
    rules: Rules

    def moment(self) -> Now:
        """The moment when the first order comes up."""
        planless = preview(self.seen, self.seat, self.rules).without_plan()
        return Now(self.world, self.seat, self.rules, before=self.seen, foresee=planless.course({}).foresee)


def offer(id: str, rank: str, key: str, value: object, text: str, how: How = LIST, **more: Any) -> FormOffer:
    """An order that may be chosen. more: what else it needs, takes and gives; what is empty is left out."""
    made = {"id": id, "rank": RANKS.index(rank), "key": key, "how": how, "value": value, "text": text}
    return made | {name: what for name, what in more.items() if what not in (None, "", [], {}, (), False)}


def decisions(ground: Ground, section: str, part: str = "") -> list[FormOffer]:
    """The orders of that part of the form that have a file of their own."""
    kinds = [kind for kind in DECISIONS if (kind.section, kind.part) == (section, part)]
    return [
        kit.button(kind, RANKS.index(kind.ranked(candidate.order)), candidate)
        for kind in kinds
        for candidate in kit.possible(kind, ground.moment(), later=True)
    ]


def slots(text: str) -> str:
    """A text with slots for the fields that it names in braces."""
    return re.sub(r"\{(\w+)\}", lambda found: slot(found[1]), text)
