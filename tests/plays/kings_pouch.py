"""King's Pouch, to be played by tests: a few rounds of three, one a bot, and what a seat of it may not know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kingdom.engine import game as games
from kingdom.engine.step import Notice, Result
from kingdom.games.kings_pouch.state import Table, replace
from kingdom.orders import tables
from tests.kit.tiny_game import written

CAMPAIGN = """\
name: A pouch
game: kings_pouch
seed: public, a table for tests
public_seed: true
steward_after: 0
players: {alice: {}, bob: {}, cara: {}}
"""
FILED = {
    1: {
        "alice": "castle: [E1, E3]\nplace: common at Chapel\n",
        "bob": "castle: E1 E3\nmessages: {alice: Peace between us?}\n",
        "cara": "castle: C1\n",
    },
    2: {
        "alice": "place: [common at Barracks, common at Barracks, soldier at Farmstead, common at Tavern]\n"
        "manage: [{occupy: [M0, R1, R6, R2]}, {build: [Stable, Inn, School, Almshouse]}]\ntax: if_needed\n",
        "bob": "place: [common at Tavern, common at Tavern, {citizen: any, at: any}]\n"
        "manage: [{claim: [queen, prince, princess]}, {build: [Cathedral]}]\ntax: always\nrest: {draw: [prism]}\n",
    },
    3: {
        "alice": "place: [{citizen: any, at: any}]\nmanage: [{occupy: [R2, R1, R6, M0]}, {claim: [princess, jester]}]\ntax: if_needed\n",
        "bob": "place: [common at Barracks, {if_active: {soldier: 3}, citizen: soldier, at: Tavern}, common at Chapel, common at Chapel]\n",
        "cara": "manage: [{occupy: [{castle: bob}]}]\nfinal: true\n",
        "gm": "gm: [{grant: cara, prestige: 2, reason: a late start}, {void: {kingdom: bob, order: 'place[3]'}, reason: a test}]\ntell: {all: Well met.}\n",
    },
    4: {"alice": "place: [{citizen: any, at: any}]\ntax: always\n", "bob": "place: [Harbor, corrupt at Chapel]\n"},
}  # fmt: skip


def campaigns(folder: Path) -> list[Path]:
    """The run of the castles and three rounds, to the first council: orders, some of them not allowed, a message, rulings of the GM."""
    place = folder / "pouch"
    files = {
        "campaign.yaml": CAMPAIGN,
        "table.yaml": "characters:\n",
        **{f"kingdoms/{seat}.yaml": f"name: {seat.title()}\n" for seat in ("alice", "bob", "cara")},
    }
    return [written(place, files, FILED)]


def hidden(result: Result, seat: str, rules: Any) -> Result:
    """The piles lie in another order, and what the others ordered and were told alone was otherwise."""
    return result._replace(
        before=otherwise(result.before),
        after=otherwise(result.after),
        orders={
            other: orders if other == seat else {"kingdom": other, "tax": "never"}
            for other, orders in result.orders.items()
        },
        notices=[
            *(each for each in result.notices if each.seat in (seat, "all") or each.facts.get("sender") == seat),
            Notice("refusal", "gm", "gm_orders", "gm", {"order": "gm[0]", "code": "x", "reason": "A secret."}),
        ],
        rolls=[roll for roll in result.rolls if roll.kingdom == seat],
    )


def otherwise(table: Table) -> Table:
    """Each era of each pile the other way round."""
    buildings = tables.load(games.load("kings_pouch")).rules.buildings
    turned = {
        name: tuple(card for era in (1, 2, 3) for card in reversed(cards) if buildings[card].era == era)
        for name, cards in table.decks.items()
    }
    return table if table.over else replace(table, decks=turned)


def over(table: Table) -> Table:
    """Everything is scored."""
    return replace(table, over=True)
