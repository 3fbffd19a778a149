"""What the rulings of war may say: crossing land, meeting, sieges, conquest."""

from typing import Annotated

from msgspec import Meta

from kingdom.games.realm.ruletypes import Count, Ruling


class Siege(Ruling):
    hunger: Count  # Defense that a turn before the walls takes
    engine_die: Annotated[int, Meta(ge=1, le=1000)]  # and that each siege engine takes


class Conquest(Ruling):
    must_touch: bool  # only a hex that touches the victor's land becomes the victor's
