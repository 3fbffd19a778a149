"""Bots: they write a seat's orders as a text, as a player would, from what the seat may know.

A bot is a pure function (what the seat knows, seat, rules, chance) -> text. All have the same habits, one for each kind of
order, in the rules' order of steps; a temperament says how often a habit acts. chance(name, sides) is a roll that nobody
else makes, so a turn with bots comes out the same when it is run again.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from kingdom.games.realm.bots import court, home, war
from kingdom.games.realm.bots.mind import BUILDER, STEWARD, TRADER, WARLORD, Mind, Temper
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import accounts
from kingdom.games.realm.state import World

HABITS: tuple[Callable[[Mind], None], ...] = (
    court.answer,
    court.lead,
    home.begin_anew,
    home.abandon,
    home.claim,
    home.improve,
    home.settle,
    court.watch,
    home.build,
    war.muster,
    war.surrender,
    war.march,
    court.set_edicts,
    court.issue,
    court.trade,
    court.move_capital,
    court.calm,
    court.plan,
    court.write,
)


# what a steward does for a silent player: it keeps and repairs, claims nothing, makes no war, and spends little on one thing.
# Only if the kingdom has lost all its land does it claim a hex, or the kingdom would be destroyed.
CAREFUL = (home.begin_anew, home.improve, home.build, court.calm)


def orders(
    temper: Temper,
    habits: tuple[Callable[[Mind], None], ...],
    known: World,
    seat: str,
    rules: Rules,
    chance: Callable[[str, int], int],
) -> str:
    """The orders of a bot of that temper for the turn after `known`, a text that can be filed."""
    sheet = accounts(known.kingdoms[seat], known.hexes, rules)
    mind = Mind(known, seat, rules, chance, temper, sheet)
    if mind.may_order():
        for habit in habits:
            habit(mind)
    return mind.text()


TEMPERAMENTS: dict[str, Callable[..., str]] = {
    "steward": partial(orders, STEWARD, CAREFUL),
    "builder": partial(orders, BUILDER, HABITS),
    "trader": partial(orders, TRADER, HABITS),
    "warlord": partial(orders, WARLORD, HABITS),
}


def text(bot: str, known: World, seat: str, rules: Rules, chance: Callable[[str, int], int]) -> str:
    """The orders of the bot of that name."""
    return TEMPERAMENTS[bot](known, seat, rules, chance)
