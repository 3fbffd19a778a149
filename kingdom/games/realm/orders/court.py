"""The orders `leadership`, which attributes the ruler's bonus goes to, and `loyalty`, what is done about Unrest. Edict step 1 and Upkeep.

Of `loyalty` nothing is refused; its check is in steps/upkeep.py. Rulings: leadership_bonus, leadership_default, caps_at_start, loyalty.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations
from typing import Annotated, Literal, TypedDict

from kingdom.games.realm.orders.kind import Each, Now, One, changed
from kingdom.games.realm.orders.words import an_attribute
from kingdom.games.realm.rules.rules import ATTRIBUTES
from kingdom.games.realm.rules.types import Attribute
from kingdom.games.realm.sheet import leadership_bonus as leadership_size
from kingdom.games.realm.sheet import led
from kingdom.games.realm.state import Kingdom, World, replace
from kingdom.games.realm.steps.shared import book, each
from kingdom.games.realm.types import Turn
from kingdom.orders import kit
from kingdom.orders.kit import Candidate
from kingdom.orders.schema import ListOf
from kingdom.orders.short_forms import in_words


class Leadership(Each[Attribute]):
    """`leadership: economy stability`. What the kingdom is too small for is left out when it is assigned, which the seat is told."""

    key, name, step, section, part = "leadership", "the leadership bonus", "leadership_bonus", "edicts", "Leadership"
    often = 40
    shown = 0  # what it goes to stands in the form already
    shape = ListOf("what the ruler's bonus goes to", an_attribute("an attribute"), short="words", most=20)
    causes = {"leadership": "the leadership bonus, as it is assigned and as the kingdom's size lets it grow"}

    def candidates(self, now: Now) -> Iterator[Candidate]:
        """Yield one more attribute, if the kingdom is large enough."""
        kingdom, named = now.state.kingdoms[now.seat], dict.fromkeys(name for _, name in self.filed(now.orders))
        for name in (name for name in ATTRIBUTES if name not in named):
            then = replace(kingdom, leadership=(*named, name))
            if set(then.leadership) <= set(led(then, now.rules)):
                yield Candidate(f"leadership {name}", name, f"Lead {name.capitalize()}", effect=changed(now, then))

    def on_page(self, now: Now) -> Iterator[Candidate]:
        """Yield each choice whole; what it goes to now, fewer than may be and another order are there only where that is filed."""
        kingdom = now.state.kingdoms[now.seat]
        (count, _), as_now = leadership_size(kingdom.edict_size, now.rules), led(kingdom, now.rules)
        for names in (names for many in range(1, count + 1) for names in permutations(ATTRIBUTES, many)):
            aside = set(names) == set(as_now) or len(names) < count or names != tuple(sorted(names))
            yield Candidate(
                f"lead {' '.join(names)}",
                list(names),
                listed(names),
                uses={"leadership": 1},
                whole=True,
                deed={"aside": aside},
            )

    def objection(self, now: Now, order: Attribute) -> kit.Objection:
        return None


class LoyaltyOrder(TypedDict, total=False):
    """Either of the two."""

    rouse_the_people: Annotated[Attribute | Literal[""], an_attribute("the attribute that gains")]
    change_minds_by_breaking_heads: Annotated[str, None]


class Loyalty(One[LoyaltyOrder]):
    """`loyalty: rouse_the_people economy`."""

    key, name, step, section, part = "loyalty", "what is done about Unrest", "caravans", "edicts", "Unrest"
    often = 30
    shape = kit.choice(LoyaltyOrder, "what to do about Unrest")

    def candidates(self, now: Now) -> Iterator[Candidate]:
        for name in (*ATTRIBUTES, ""):
            text = f"Rouse the people for {name.capitalize() or 'what they like'}"
            yield Candidate(f"loyalty rouse {name}", {"rouse_the_people": name}, text, uses={"loyalty": 1})
        heads = {"change_minds_by_breaking_heads": ""}
        yield Candidate("loyalty heads", heads, "Change minds by breaking heads", uses={"loyalty": 1})

    def objection(self, now: Now, order: LoyaltyOrder) -> kit.Objection:
        return None

    def say(self, order: LoyaltyOrder) -> str:
        return f"{self.key}: {in_words(self.shape, order)}"


LEADERSHIP, LOYALTY = Leadership(), Loyalty()


def listed(names: Iterable[str]) -> str:
    """Attributes for a person: Economy and Stability."""
    return " and ".join(map(str.capitalize, names))


def leadership_bonus(world: World, turn: Turn) -> World:
    """Edict step 1: take the size that caps and bonus go by this turn, and assign the bonus.

    Rulings: caps_at_start, leadership_default.
    """
    return each(world, turn, _led)


def _led(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    named = tuple(dict.fromkeys(name for _, name in LEADERSHIP.ordered(Now(world, seat, turn.rules), turn)))
    chosen, before = named or kingdom.leadership, kingdom
    if len(kingdom.hexes) != kingdom.edict_size or chosen != kingdom.leadership:
        kingdom = replace(kingdom, edict_size=len(kingdom.hexes), leadership=chosen)
    bonus_to = led(kingdom, turn.rules)
    left_out, goes_to = ", ".join(name for name in named if name not in bonus_to), ", ".join(bonus_to)
    if left_out:
        text = f"The leadership bonus goes to {goes_to}, not to {left_out}: the kingdom is not large enough"
        turn.tell(seat, "changed", order="leadership", text=f"{text} (ruling leadership_default).")
    if kingdom is not before:
        book(turn, seat, kingdom, world.hexes, "leadership", f"to {goes_to}, size {kingdom.edict_size}")
    return kingdom
