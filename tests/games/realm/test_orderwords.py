"""Every order has words of its own, in which reports and the GM's book say it."""

from __future__ import annotations

import pytest

from kingdom.games.realm.orders.rulings import GM_ORDERS
from kingdom.games.realm.report.order_outcomes import filed
from kingdom.orders.schema import example_of
from tests.games.realm.kit import load_yaml


@pytest.mark.parametrize("word", list(GM_ORDERS.keys["gm"].of.cases))
def test_a_ruling_is_said_with_its_reason(word: str) -> None:
    example = example_of(GM_ORDERS.keys["gm"].of.cases[word])
    order = load_yaml(example.replace("build[0]", '"build[0]"'))
    [(path, said)] = filed({"gm": [order]})
    assert path == "gm[0]"
    assert said.startswith(word) and said.endswith(": the duke's gift") and "{" not in said


SAID = {
    "First Foot to 0304 0305 then raid": ("armies", {"army": "First Foot", "move": ["0304", "0305"], "then": "raid"}),
    "First Foot then attack target borderia": ("armies", {"army": "First Foot", "then": "attack", "target": "borderia"}),
    "army Guard, strategy cautious, tactic defensive wall, withdraw 50": (
        "armies", {"army": "Guard", "strategy": "cautious", "tactic": "defensive_wall", "withdraw": 50}),
    "recruit Guard as large fighter from Oakhold with improved armor": (
        "armies", {"recruit": "Guard", "size": "large", "unit": "fighter", "from": "Oakhold", "with": ["improved_armor"]}),
    "equip Guard with 2 siege engines": ("armies", {"equip": "Guard", "with": "siege_engines", "count": 2}),
    "equip Guard with mounts": ("armies", {"equip": "Guard", "with": "mounts"}),
    "disband Guard to First Foot": ("armies", {"disband": "Guard", "to": "First Foot"}),
    "explore from Oakhold for 1 week toward ne until water mountains with 6": ("special", {
        "edict": "explore", "from": "Oakhold", "weeks": 1, "toward": "ne", "until": ["water", "mountains"], "escort": 6}),
    "close route trade_route-2": ("special", {"edict": "close_route", "route": "trade_route-2"}),
    "improve farm 0304": ("improve", {"hex": "0304", "build": "farm"}),
    "settle Newford 0304 water north east": ("settle", {"hex": "0304", "name": "Newford", "water": ["north", "east"]}),
    "upgrade noble villa to city wall in Old_Ford at 2-A1": (
        "build", {"in": "Old_Ford", "upgrade": "noble_villa", "to": "city_wall", "lot": "2-A1"}),
    "demolish inn in Oakhold": ("build", {"in": "Oakhold", "demolish": "inn"}),
    "claim 0304": ("claim", "0304"),
    "message to all": ("messages", {"to": "all", "text": "Well met."}),
    "request to the GM: More_rain.": ("requests", "More_rain."),
    "tell anna, answer to request 2: No.": ("tell", {"to": "anna", "answers": 2, "text": "No."}),
    "monsters 0304 acr 0: gone_": ("gm", {"monsters": "0304", "acr": 0, "reason": "gone_"}),
    "void kingdom anna, order claim[0]: late": (
        "gm", {"void": {"kingdom": "anna", "order": "claim[0]"}, "reason": "late"}),
}  # fmt: skip


@pytest.mark.parametrize("said", SAID)
def test_an_order_is_said_as_it_could_be_typed(said: str) -> None:
    """Words of the rules have blanks between them; names stay as they were typed. One that was made void is counted, but not said."""
    key, order = SAID[said]
    assert filed({key: [None, order]}) == [(f"{key}[1]", said)]


WHOLE = {
    "leadership: economy loyalty": ("leadership", ["economy", "loyalty"]),
    "plan: claim 0304, farm 0304": ("plan", ["claim 0304", "farm 0304"]),
    "plan: none any more": ("plan", []),
    "reserve: 0": ("reserve", 0),
    "loyalty: rouse the people economy": ("loyalty", {"rouse_the_people": "economy"}),
    "loyalty: change minds by breaking heads": ("loyalty", {"change_minds_by_breaking_heads": ""}),
    "capital Oakhold": ("capital", "Oakhold"),
}


@pytest.mark.parametrize("said", WHOLE)
def test_what_stands_under_a_key_as_a_whole_is_said_in_one_line(said: str) -> None:
    key, order = WHOLE[said]
    assert filed({key: order}) == [(key, said)]


def test_what_stands_in_a_map_is_said_by_its_entries() -> None:
    assert filed({"edicts": {"holiday": "long"}}) == [("edicts.holiday", "holiday: long")]
    assert filed({"doors": {"anna": "closed"}}) == [("doors.anna", "anna: closed")]
    answers = {"bandit_activity-1": {"adventurers": 4}, "offer-2": "turn_down"}
    said = ["bandit_activity-1: adventurers 4", "offer-2: turn down"]
    assert [text for _, text in filed({"answers": answers})] == said
