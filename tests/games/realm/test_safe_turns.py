"""Who ends its own safe turns by an attack is told before, in the form and the answer to its orders, and after, in the report."""

from __future__ import annotations

import pytest

from kingdom.games.realm.game import GAME
from kingdom.games.realm.report.gambles import gambles
from kingdom.games.realm.report.threatened import threatened
from kingdom.games.realm.state import World, replace
from tests.games.realm.kit import rules_of, run, world_of

RULES = rules_of()
WAR = ["start", "move_armies", "fight_battles"]
TOLD = "Your safe turns are over, since an army of yours attacked, raided or blockaded another kingdom (ruling safe_turns)."
WARNED = (
    "Foot is to attack at 0405: that ends your safe turns (ruling safe_turns). Else nobody takes or besieges land within 2 hexes of where"
    " you started before turn 7."
)


def world(deed: str = "garrison", target: str = "", turn: int = 2, unsafe: bool = False) -> World:
    """Examplia's army stands beside Borderia's land, in 0405."""
    army = {"unit": "fighter", "size": "medium", "hp": 5, "hex": "0405", "deed": deed, "target": target}
    kingdoms = {
        "examplia": {"hexes": {"0404": []}},
        "borderia": {"hexes": {"0405": [], "0406": []}, "settlements": {"Millford": {"hex": "0406"}}},
    }
    return replace(world_of(kingdoms, state={"examplia": {"armies": {"Foot": army}, "unsafe": unsafe}}), turn=turn)


def told(world: World) -> list[str]:
    notices = run(world, {}, RULES, steps=WAR).notices
    return [
        notice.facts["text"] for notice in notices if notice.seat == "examplia" and notice.facts.get("text") == TOLD
    ]


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ({"deed": "attack"}, [TOLD]),
        ({"deed": "attack", "target": "borderia"}, [TOLD]),
        ({"deed": "attack", "target": "monsters"}, []),
        ({"deed": "garrison"}, []),
        ({"deed": "attack", "unsafe": True}, []),  # it had none
        ({"deed": "attack", "turn": 6}, []),  # they were over
    ],
)
def test_the_report_says_that_they_are_over(state: dict[str, object], said: list[str]) -> None:
    assert told(world(**state)) == said  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ({"then": "attack"}, [WARNED]),
        ({"then": "attack", "target": "borderia"}, [WARNED]),
        ({"then": "attack", "target": "monsters"}, []),
        ({"then": "garrison"}, []),
        ({"move": ["0404"], "then": "attack"}, []),
    ],
)
def test_the_answer_to_orders_says_that_they_would_be(order: dict[str, object], said: list[str]) -> None:
    orders = {"armies": [{"army": "Foot", **order}]}
    known = GAME.known(world(), "examplia", RULES)
    assert threatened(known, "examplia", RULES, orders, 1)["warned"] == said
    assert [line for line in gambles(known, "examplia", RULES, orders) if "safe turns" in line] == said
    late = GAME.known(world(turn=6), "examplia", RULES)
    assert not threatened(late, "examplia", RULES, orders, 1)["warned"]


@pytest.mark.parametrize(("turn", "marked"), [(2, True), (6, False)])
def test_the_form_says_so_beside_the_deed(turn: int, marked: bool) -> None:
    page = str(GAME.forms.page(GAME.known(world(turn=turn), "examplia", RULES), "examplia", RULES))
    assert ("attack (against a kingdom it ends your safe turns)" in page) is marked


def test_where_the_capital_alone_is_safe_that_is_said() -> None:
    rules = rules_of({"safe_turns": {"within": 0}})
    orders = {"armies": [{"army": "Foot", "then": "attack"}]}
    warned = threatened(GAME.known(world(), "examplia", rules), "examplia", rules, orders, 1)["warned"]
    assert warned[0].endswith("(ruling safe_turns). Else no siege of your capital begins before turn 7.")
