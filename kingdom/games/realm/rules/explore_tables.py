"""What the tables of expeditions may say."""

from typing import Annotated

from msgspec import Meta

from kingdom.games.realm.rules.types import Count, Ruling


class Exploration(Ruling, frozen=True):
    """loyalty_checks: made at monsters; delay: turns of regrouping where some of them succeed and some fail."""

    bp_per_week: Count
    movement: Count
    loyalty_checks: Annotated[int, Meta(ge=1, le=20)]
    delay: Count
