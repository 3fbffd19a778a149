"""What players may type: long and short forms, the order form of a report, and what is no orders at all."""

from __future__ import annotations

from typing import Any

import pytest

from kingdom.games.kings_progress.game import GAME
from kingdom.orders import orders_file
from tests.games.kings_progress.kit import begun, foreseen, game_of, own_rules, rules_with

WHOLE = """\
kingdom: alice
turn: 3
city:                      # ranked; the first whose kingdom is still free counts
  - {kingdom: bob,   tile: 0}
  - {kingdom: alice, tile: 5}
  - {kingdom: cara,  tile: 1}
city_veto:
  - {if: {city: newest, tile_max: 1}, replace_with: 4}
invest:
  - {kingdom: alice, coin: 5}
  - {kingdom: bob,   coin: 0}
  - {kingdom: cara,  coin: 1}
investment_veto:
  city: 2                  # or: {newest_if_tile_min: 4}
  swap: {0: 5, 1: 5, default: 3}
progress: {veto_if: {next_tile_max: 1}}
"""


def read(text: str, seat: str = "alice", turn: int = 3) -> dict[str, Any]:
    """Orders without a problem, without their head."""
    filing = orders_file.read(text.encode(), "orders.yaml", GAME, {"seats": ("alice", "bob", "cara")}, seat, turn)
    assert not filing.problems, filing.problems
    return {key: value for key, value in (filing.orders or {}).items() if key not in ("kingdom", "turn")}


def wrong(text: str) -> list[str]:
    head = "kingdom: alice\nturn: 3\n"
    return [
        each.message
        for each in orders_file.read(
            (head + text).encode(), "orders.yaml", GAME, {"seats": ("alice", "bob", "cara")}, "alice", 3
        ).problems
    ]


def test_conditional_orders_for_a_whole_round() -> None:
    assert read(WHOLE) == {
        "city": [{"kingdom": "bob", "tile": 0}, {"kingdom": "alice", "tile": 5}, {"kingdom": "cara", "tile": 1}],
        "city_veto": [{"if": {"city": "newest", "tile_max": 1}, "replace_with": 4}],
        "invest": [{"kingdom": "alice", "coin": 5}, {"kingdom": "bob", "coin": 0}, {"kingdom": "cara", "coin": 1}],
        "investment_veto": {"city": 2, "swap": {"0": 5, "1": 5, "default": 3}},
        "progress": {"veto_if": {"next_tile_max": 1}},
    }


@pytest.mark.parametrize(
    "short,long",
    [
        ("city: 5 in alice, 0 in bob", {"city": [{"tile": 5, "kingdom": "alice"}, {"tile": 0, "kingdom": "bob"}]}),
        ("invest: 5 in alice", {"invest": [{"coin": 5, "kingdom": "alice"}]}),
        ("city_veto: newest with 4", {"city_veto": [{"city": "newest", "replace_with": 4}]}),
        ("city veto: 2 with 4, newest with 3", {"city_veto": [{"city": 2, "replace_with": 4}, {"city": "newest", "replace_with": 3}]}),
        ("progress: veto", {"progress": {"veto": ""}}),
        ("progress: move", {"progress": {"move": ""}}),
        ("investment_veto: {city: {newest_if_tile_min: 4}, swap: {default: 5}}", {"investment_veto": {"city": {"newest_if_tile_min": 4}, "swap": {"default": 5}}}),
        ("messages: {all: well met}", {"messages": [{"to": "all", "text": "well met"}]}),
    ],
)  # fmt: skip
def test_short_forms(short: str, long: dict[str, Any]) -> None:
    filed = read(f"kingdom: alice\nturn: 3\n{short}\n")
    assert filed == long
    head = {"kingdom": "alice", "turn": 3}
    assert read(orders_file.write({**head, **filed})) == read(orders_file.write_short({**head, **filed}, GAME)) == filed


@pytest.mark.parametrize(
    "text,said",
    [
        ("progress: 2", "`2` is unknown here (what the King does). Known are: move, veto, veto_if."),
        ("progress: back", "`back` is unknown here (what the King does). Known are: move, veto, veto_if."),
        ("progress: {move: 2}", "move"),
        ("city: 5 in dora", "`dora` is unknown here (whose kingdom gets the city). Known are: alice, bob, cara."),
        ("city: five in alice", "five"),
        ("game: kings_progress", "`game` is not a key here."),
        ("round: 3", "`round` is not a key here."),
        ("city_veto: [{city: 2}]", "replace_with"),
    ],
)  # fmt: skip
def test_what_is_no_orders_is_refused_whole_with_its_cure(text: str, said: str) -> None:
    """A King can't be told to move two cities, or back: no orders can say that."""
    assert any(said in message for message in wrong(text)), wrong(text)


@pytest.mark.parametrize("pace", ["strict", "standard", "weekly"])
def test_the_form_of_every_turn_is_valid_and_so_is_each_order_in_it(pace: str) -> None:
    """As it stands, and with each # taken away for itself; what stands there is refused by no rule."""
    rules = rules_with(pace)
    for result in game_of("forms", rules=rules):
        for seat in () if GAME.finished(result.after) else result.after.seats:
            head = f"kingdom: {seat}\nturn: {result.number + 1}\n"
            lines = list(GAME.forms.text(result.after, seat, rules))
            assert read(head + "\n".join(lines) + "\n", seat, result.number + 1) == {}
            for line in lines:
                if line[:1] == "#" and line[1:2].isalpha():
                    filed = read(f"{head}{line[1:]}\n", seat, result.number + 1)
                    refusals = [
                        each.facts["code"]
                        for each in foreseen(result.after, seat, filed, rules).notices
                        if each.kind == "refusal"
                    ]
                    assert not refusals, (line, refusals)


def test_the_form_names_what_is_asked_and_who_comes_before() -> None:
    text = " ".join("\n".join(GAME.forms.text(begun(first="bob"), "alice", own_rules())).replace("\n#", " ").split())
    assert (
        "Place one of your tiles 0, 1, 2, 3, 4 and 5 in a kingdom that has no city of this round: alice, bob and cara."
        in text
    )
    assert "Before you: bob and cara; name an alternative for each kingdom." in text
    assert "city: 5 in alice, 0 in bob, 0 in cara" in text


def test_who_decides_nothing_is_told_whom_to_wait_for() -> None:
    text = " ".join(GAME.forms.text(begun(first="bob"), "alice", rules_with("strict")))
    assert "Nothing of yours is decided in the next turn: bob decides cities." in text.replace(" # ", " ")
