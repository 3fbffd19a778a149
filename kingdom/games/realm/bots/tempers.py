"""The temperaments of bots: in how many turns of a hundred each habit acts. None of this is a rule of the game."""

from __future__ import annotations

from typing import NamedTuple


class Temper(NamedTuple):
    """Percent a turn, but for `saves`: the turns of Consumption that it keeps in the treasury, and the lists.

    likes: buildings that it looks at before others. deeds: what its armies are told to do, each as often as it stands here.
    """

    saves: int
    likes: tuple[str, ...]
    deeds: tuple[str, ...]
    abandon: int = 1
    claim: int = 80
    improve: int = 80
    settle: int = 40
    build: int = 85
    demolish: int = 4
    upgrade: int = 15
    muster: int = 35
    march: int = 40
    stance: int = 20
    edicts: int = 20
    aid: int = 15
    explore: int = 15
    adventurers: int = 15
    trade_route: int = 10
    share_route: int = 5
    close_route: int = 2
    watch: int = 50
    doors: int = 4
    smuggle: int = 6
    capital: int = 1
    plan: int = 15
    write: int = 5
    lead: int = 15


BUILDER = Temper(
    saves=2,
    likes=("house", "shop", "inn", "park", "granary", "mill", "smithy"),
    deeds=("garrison", "attack", "patrol", "attack"),
)
STEWARD = Temper(saves=4, likes=BUILDER.likes, deeds=("garrison",), build=60, demolish=0, upgrade=0)
TRADER = Temper(
    saves=1,
    likes=("house", "market", "shop", "guildhall", "pier", "luxury_store", "trade_shop"),
    deeds=("garrison", "patrol", "allow", "attack", "attack"),
    build=70, aid=25, explore=25, trade_route=30, share_route=15, doors=8, smuggle=20, close_route=4, watch=80,
)  # fmt: skip
WARLORD = Temper(
    saves=1,
    likes=("barracks", "city_wall", "watchtower", "garrison", "tavern", "smithy", "stable"),
    deeds=("attack", "attack", "attack", "raid", "blockade", "garrison", "patrol", "allow"),
    claim=70, build=60, muster=80, march=85, stance=40, edicts=25, aid=5, adventurers=20, trade_route=8, smuggle=15, doors=10,
)  # fmt: skip
