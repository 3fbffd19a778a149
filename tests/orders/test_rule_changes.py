"""How a change of the rules is told: sentences, at most ten of them to a player."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kingdom.orders import rule_changes
from kingdom.orders.tables import Tables


def rules(**data: Any) -> Tables:
    json = msgspec.json.encode(data)
    return Tables(None, json, json.decode())


CLAIM = {"text": "A claim costs BP.", "cost": 1, "free": False, "by": {"size": 2}}
ROWS = {"inn": {"name": "Old Inn", "cost": 10, "lots": 1}, "dump": {"cost": 4}}


@pytest.mark.parametrize(
    ("old", "new", "sentences"),
    [
        ({"claim": CLAIM}, {"claim": CLAIM}, []),
        ({"claim": CLAIM}, {"claim": {**CLAIM, "cost": 2}}, ["Claim: cost changes from 1 to 2."]),
        (
            {"control_dc": CLAIM},
            {"control_dc": {**CLAIM, "free": True, "by": {"size": 3}, "near": 2}},
            ["Control DC: free changes from no to yes; by, size changes from 2 to 3; near is new (2)."],
        ),
        ({"claim": CLAIM}, {"claim": {**CLAIM, "text": "It is free. Always."}}, []),
        (
            {"claim": CLAIM},
            {"claim": {**CLAIM, "text": "It is free. Always.", "limit": 3}},
            ["Changed rule, Claim: It is free."],
        ),
        ({}, {"claim": CLAIM}, ["New rule, Claim: A claim costs BP."]),
        ({"claim": CLAIM}, {"claim": None}, ["No longer a rule: Claim."]),
        (
            {"buildings": ROWS},
            {"buildings": {**ROWS, "spa": {"cost": 9, "text": "Ours alone."}}},
            ["New in Buildings: Spa (cost 9). Ours alone."],
        ),
        ({"buildings": ROWS}, {"buildings": {"inn": ROWS["inn"]}}, ["No longer in Buildings: Dump."]),
        (
            {"buildings": ROWS},
            {"buildings": {**ROWS, "inn": {**ROWS["inn"], "cost": 12}}},
            ["Buildings, Old Inn: cost changes from 10 to 12."],
        ),
        (
            {"units": {str(number): {"a": 1} for number in range(9)}},
            {"units": {str(number): {"a": 2} for number in range(9)}},
            ["Units: 0, 1, 2 and 6 more change."],
        ),
        ({"pace": "lap"}, {"pace": "weekly"}, ["Pace changes from lap to weekly."]),
        ({"limits": [{"size": 1}]}, {"limits": [{"size": 2}]}, ["Other rows in Limits."]),
    ],
)
def test_a_change_is_a_sentence(old: dict[str, Any], new: dict[str, Any], sentences: list[str]) -> None:
    assert rule_changes.told(rules(**old), rules(**new)) == sentences


def test_an_edition_is_named_where_it_brings_what_the_rules_lacked_or_lacks_what_they_had() -> None:
    old, new = rules(claim=CLAIM), rules(claim={**CLAIM, "cost": 2}, siege=CLAIM)
    assert (
        rule_changes.told(old, new, 2)[0]
        == "The campaign plays edition 2 of the rules in place of what it played before."
    )
    assert rule_changes.told(new, old, 1) == [
        "The campaign plays edition 1 of the rules in place of what it played before.",
        "Claim: cost changes from 2 to 1.",
        "No longer a rule: Siege.",
    ]
    assert rule_changes.told(old, rules(claim={**CLAIM, "cost": 2}), 2) == ["Claim: cost changes from 1 to 2."]


def test_a_player_is_told_ten_and_how_many_more_there_are() -> None:
    ten = [f"{number}." for number in range(10)]
    assert rule_changes.cut(ten) == ten
    assert rule_changes.cut([*ten, "10."]) == [*ten[:9], "2 more changes: ask your GM, whose book has them all."]
