"""Armies in reserve: where they may rest, and what rouses them. Ruling: army_figures.

A reserve army rests in a settlement of its kingdom, in a building that holds an army of its size; one building holds one
army. It counts for Consumption in one turn of several (Army.paid).
"""

from __future__ import annotations

from kingdom.games.realm.state import Army, replace


def roused(army: Army) -> Army:
    """The army that moves or fights in this turn: out of reserve, where it was in it, and not at rest."""
    return replace(army, reserve=False, paid=0, busy=True)
