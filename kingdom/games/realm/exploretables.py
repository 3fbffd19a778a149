"""What the tables of expeditions may say."""

from kingdom.games.realm.ruletypes import Count, Ruling


class Exploration(Ruling):
    bp_per_week: Count
    movement: Count
