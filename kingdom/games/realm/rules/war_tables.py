"""What the rulings of war may say: crossing land, meeting, sieges, conquest."""

from kingdom.games.realm.rules.types import Count, Ruling


class Siege(Ruling, frozen=True):
    hunger: Count  # Defense that a turn before the walls takes


class Conquest(Ruling, frozen=True):
    must_touch: bool  # only a hex that touches the victor's land becomes the victor's
