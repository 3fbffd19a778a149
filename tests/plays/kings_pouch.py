"""King's Pouch, to be played by tests: a few rounds of three, one a bot, and what a seat of it may not know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kingdom.engine.step import Notice, Result
from kingdom.games.kings_pouch.rules import Building, Effect, Slot
from kingdom.games.kings_pouch.state import Table, replace
from kingdom.games.kings_pouch.steps.rounds import due
from tests.games.kings_pouch.kit import GAME, every_effect, played, rules
from tests.kit.formkit import Place
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
    buildings = rules().buildings
    turned = {
        name: tuple(card for era in (1, 2, 3) for card in reversed(cards) if buildings[card].era == era)
        for name, cards in table.decks.items()
    }
    return table if table.over else replace(table, decks=turned)


def over(table: Table) -> Table:
    """Everything is scored."""
    return replace(table, over=True)


# --- for tests/games/test_form_pages.py


def odd_rules() -> Any:
    """Basic buildings of every kind of effect that the house data does not use, or not so."""
    own = rules()
    any_two = Effect("gain", 2, "any_cube", "either")
    commons = ("common", "soldier", "merchant", "cleric", "corrupt")
    odd = {
        "barracks": Building("Barracks", "red", 0, slots=(Slot(commons, ((Effect("move", 2), Effect("army", 2)), (Effect("free", 2, "occupy"),))),
                                                          Slot(commons, ((Effect("exchange", 1, "common", into="any_cube"),), (Effect("gold", 3),))))),
        "tavern": Building("Tavern", "yellow", 0, once_per_round=((Effect("gain", 1, "soldier", "active"),), (Effect("gold", 2),))),
        "chapel": Building("Chapel", "green", 0, slots=(Slot(commons, ((Effect("add_marker", 2, "territory"),), (any_two,), (Effect("draw", 1, "", "either"),))),
                                                        Slot(commons, ((Effect("remove", 2, "common", "either"), Effect("army", 5)),)))),
        "farmstead": Building("Farmstead", "none", 0, slots=(Slot(commons, ((Effect("remove", 1, "any"), Effect("gold", 4)), (Effect("add_marker", 1, "character"),))),
                                                             Slot(commons, ((Effect("free", 1, "claim"), Effect("free", 1, "construct")), (Effect("discount", 2, "claim"),))))),
    }  # fmt: skip
    return replace(own, buildings={**own.buildings, **odd})


def changed(**figures: Any) -> Any:
    return lambda: rules(
        **{key: frozenset(value) if isinstance(value, tuple) else value for key, value in figures.items()}
    )


GROUNDS = {  # name -> (players, rounds, rules, who plays up to there)
    **{f"{seats} players": (seats, tuple(range(10)), rules, "steward") for seats in (2, 3, 4)},
    "a run for each turn": (2, (0, 6), changed(pace="turn"), "steward"),
    "distance over own land": (2, (0, 6), changed(distance=(("via", "own"),)), "steward"),
    "one free action a round": (2, (0, 6), changed(free_action=(("per", "round"),)), "steward"),
    "no discount below 1": (2, (0, 6), changed(discount_floor=(("least", 1),)), "steward"),
    "one pile": (2, (0, 6), changed(piles=(("mixed", True),)), "steward"),
    "the palace's citizen always": (2, (0, 6), changed(palace_draw=(("optional", False),)), "steward"),
    "attacks without a marker, donations of 2": (2, (0, 6), changed(castle_attack=(("needs_marker", False),), donation=(("prestige", 2),)), "steward"),
    "odd buildings": (2, (1, 6), odd_rules, "random"),
    "every effect": (2, (1, 6), every_effect, "random"),
}  # fmt: skip
PAGES = {name: lambda _, ground=ground: pages(*ground) * 3 for name, ground in GROUNDS.items()}


def pages(seats: int, rounds: tuple[int, ...], own: Any, who: str) -> list[Place]:
    """The page of each seat that plays in the first run of these rounds."""
    tables: list[Table] = []
    played(seats, f"form of {seats}", who, own(), told=lambda result: tables.append(result.before))
    first = [next(laid for laid in tables if laid.round == number) for number in rounds]
    return [page(laid, seat, own()) for laid in first for seat in due(laid, own())]


def page(laid: Table, seat: str, own: Any) -> Place:
    names = {**GAME.names(own), "seats": tuple(laid.seats)}
    return Place(f"{len(laid.seats)} players, round {laid.round}, {seat}", GAME, laid, seat, own, names)


def counted(place: Place, account: str, text: str, sure: bool) -> str:
    """What citizens bring and what is bought is counted as the round goes; at its end prestige alone is as it was counted."""
    return "" if account != "prestige" else "same" if sure and "tax: if_needed" not in text else "least"


def as_pressed(place: Place, orders: dict[str, Any]) -> dict[str, Any] | None:
    """The page asks for so many places for a castle that one is left, whatever the others take."""
    return None if "castle" in orders else orders
