"""Every order has words of its own, in which reports and the GM's book say it."""

from __future__ import annotations

import pytest

from kingdom.games.realm.orders.declaration import ORDERS
from kingdom.games.realm.orders.rulings import GM_ORDERS
from kingdom.games.realm.report import order_outcomes as words_of
from kingdom.games.realm.report.order_outcomes import filed
from kingdom.orders.schema import example_of
from tests.games.realm.kit import load_yaml


@pytest.mark.parametrize(
    ("table", "kinds"),
    [
        (words_of._ARMY, ORDERS.keys["armies"].of.cases),
        (words_of._EDICTS, ORDERS.keys["special"].of.cases),
        (words_of._RULINGS, GM_ORDERS.keys["gm"].of.cases),
    ],
)
def test_every_kind_of_order_has_its_words(table: dict, kinds: dict) -> None:
    assert list(table) == list(kinds)


@pytest.mark.parametrize("word", list(GM_ORDERS.keys["gm"].of.cases))
def test_a_ruling_is_said_with_its_reason(word: str) -> None:
    example = example_of(GM_ORDERS.keys["gm"].of.cases[word])
    order = load_yaml(example.replace("claim[0]", '"claim[0]"'))
    said = words_of.ruling({**order, "acr": 3, "by": 5} if word in ("monsters", "grant") else order)
    assert said.startswith(word) and said.endswith(": the duke's gift") and "{" not in said


ARMY = {
    "First Foot to 0304 0305, then raid": {"army": "First Foot", "move": ["0304", "0305"], "then": "raid"},
    "First Foot then attack target borderia": {"army": "First Foot", "then": "attack", "target": "borderia"},
    "Guard strategy cautious, tactic defensive wall, withdraw at 50 %": {
        "army": "Guard", "strategy": "cautious", "tactic": "defensive_wall", "withdraw": 50,
    },
    "recruit Guard as large fighter from Oakhold with improved armor": {
        "recruit": "Guard", "size": "large", "unit": "fighter", "from": "Oakhold", "with": ["improved_armor"],
    },
    "equip Guard with 2 siege engines": {"equip": "Guard", "with": "siege_engines", "count": 2},
    "equip Guard with mounts": {"equip": "Guard", "with": "mounts"},
    "disband Guard to First Foot": {"disband": "Guard", "to": "First Foot"},
}  # fmt: skip


@pytest.mark.parametrize("said", ARMY)
def test_an_army_order_is_said_as_it_could_be_typed(said: str) -> None:
    assert said.replace(", then", " then") == words_of.army(ARMY[said]).replace(", then", " then")


def test_an_expedition_says_its_way_and_its_escort() -> None:
    order = {"edict": "explore", "from": "Oakhold", "weeks": 1, "toward": "ne", "until": ["water"], "escort": 6}
    assert [each.text for each in filed({"special": [order]})] == [
        "explore from Oakhold for 1 week toward ne until water with 6"
    ]
    assert [each.text for each in filed({"special": [{**order, "until": ["water", "mountains"]}]})] == [
        "explore from Oakhold for 1 week toward ne until water or mountains with 6"
    ]
