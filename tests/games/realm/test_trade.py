"""Trade routes: what holds always, and what no case file can say."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kingdom.engine.dice import NoDice
from kingdom.engine.turn import resolve
from kingdom.games.realm.game import GAME
from kingdom.games.realm.report.view import view
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.sheet import split
from kingdom.games.realm.steps.shared import by_margin, by_sizes
from kingdom.games.realm.visibility.known import known
from tests.games.realm.kit import rules_of, run, world_of

RULES = rules_of()


@given(st.integers(0, 1000), st.integers(0, 20))
def test_ruling_trade_route_nothing_is_lost_where_a_route_is_shared(amount: int, sharers: int) -> None:
    founders, each = split(amount, sharers)
    assert founders + sharers * each == amount
    assert 0 <= each <= founders <= each + sharers


@given(st.integers(0, 400), st.integers(0, 400))
def test_ruling_trade_what_the_larger_gains_by_size_the_smaller_loses(size: int, other: int) -> None:
    assert by_sizes(size, other, 5) == -by_sizes(other, size, 5)


def test_ruling_trade_the_bp_by_margin() -> None:
    ruling = in_force(RULES.trade)
    bp = [by_margin(margin, ruling.margin_per_bp, ruling.least) for margin in (-1, 0, 1, 5, 6, 10, 11)]
    assert bp == [0, 1, 1, 1, 2, 2, 3]


def smuggled(die: int, vigilance: int = 9) -> list[tuple[str, str]]:
    """(reader, text) of what is told where Examplia, of Debauchery 4, smuggles into Borderia."""
    rules = rules_of({"trade": {"between_neighbours": True}})
    sharp = {"account": "vigilance", "by": vigilance, "cause": "grant", "text": "sharp eyes", "lasting": True}
    kingdoms = {
        "examplia": {"hexes": {"0404": []}, "settlements": {"Oakhold": {"buildings": ["black_market"]}}},
        "borderia": {"hexes": {"0504": []}},
    }
    world = world_of(kingdoms, rules=rules, state={"borderia": {"modifiers": [sharp]}})
    dice = {"examplia": {"trade-borderia": die}}
    result = run(world, {"examplia": {"smuggle": ["borderia"]}}, rules, dice, steps="trade")
    return [(notice.seat, notice.facts["text"]) for notice in result.notices if notice.kind in ("news", "smuggling")]


def test_ruling_smuggling_a_failure_by_4_is_not_told_to_the_other() -> None:
    assert [seat for seat, _ in smuggled(1)] == ["examplia"]
    assert [seat for seat, _ in smuggled(1, vigilance=10)] == ["examplia", "borderia"]


@given(st.integers(1, 20), st.integers(30, 60))
def test_the_smuggler_does_not_learn_the_others_vigilance(die: int, vigilance: int) -> None:
    assert [text for seat, text in smuggled(die, vigilance) if seat == "examplia"] == [
        f"Smuggling into Borderia: {die} +4 Debauchery = {die + 4}: failed (ruling smuggling)."
    ]


def test_what_is_foreseen_is_paid_and_sent_and_nothing_is_rolled() -> None:
    """`kingdom check` runs a turn without a die, from what the seat knows: the host's answer is not foretold."""
    world = world_of({"examplia": {"hexes": {"0404": []}}, "borderia": {"hexes": {"0504": []}}})
    orders = {"examplia": {"special": [{"edict": "trade_route", "to": "borderia", "hex": "0404"}]}}
    once = resolve(GAME, known(world, "examplia", RULES), orders, NoDice(), RULES)
    assert once.after.kingdoms["examplia"].routes["trade_route-1"].asked
    asked = run(world, orders, steps=["special_edicts", "caravans"]).after
    next_turn = resolve(GAME, known(asked, "examplia", RULES), {}, NoDice(), RULES)
    assert not next_turn.after.kingdoms["examplia"].routes["trade_route-1"].open and not next_turn.rolls
    hosts = resolve(
        GAME, known(asked, "borderia", RULES), {"borderia": {"answers": {"trade_route-1": "accept"}}}, NoDice(), RULES
    )
    assert not [notice for notice in hosts.notices if notice.kind == "refusal"]


def test_a_caravan_goes_the_same_way_as_was_foreseen() -> None:
    """What lies hidden on the way, and who holds land out of sight, does not change the way that is weighed."""
    plain = {"hexes": {}}
    hidden = {"hexes": {"0304": {"terrain": "plains", "monsters": {"acr": 3}}}}
    seen = {
        "examplia": {"memory": {label: {"turn": 0, "hex": {"terrain": "plains"}} for label in ("0203", "0304", "0403")}}
    }
    orders = {"examplia": {"special": [{"edict": "trade_route", "to": "borderia", "hex": "0504"}]}}
    seen["examplia"]["memory"]["0604"] = {"turn": 0, "hex": {"terrain": "plains"}, "holder": "borderia"}
    seen["examplia"]["memory"]["0504"] = {"turn": 0, "hex": {"terrain": "plains"}}
    paths = set()
    for map in (plain, hidden):
        world = world_of({"examplia": {"hexes": {"0104": []}}, "borderia": {"hexes": {"0604": []}}}, map, state=seen)
        paths.add(run(world, orders, steps="special_edicts").after.kingdoms["examplia"].routes["trade_route-1"].path)
    assert len(paths) == 1


def test_a_report_shows_routes_shares_doors_and_trade() -> None:
    """Both ends of a shared route with a watchtower, which is blockaded, and whose founder shuts out a third kingdom."""
    path = ["0104", "0203", "0304", "0403", "0504"]
    share = {"to": "examplia", "path": ["0604"], "open": True, "shares": "trade_route-1", "sharers": ["borderia"]}
    own = {"to": "borderia", "path": path, "at": 4, "open": True, "sharers": ["borderia"], "towers": ["0304"]}
    sent = {"to": "borderia", "path": [*path[:3]], "at": 1, "bp": 4}
    state = {
        "examplia": {"routes": {"trade_route-1": own, "trade_route-2": sent}, "doors": ["cravonia"]},
        "borderia": {
            "routes": {"share_route-1": share},
            "guests": {"trade_route-1": {"by": "examplia", "route": "trade_route-1", "path": path}},
        },
    }
    kingdoms = {
        "examplia": {"hexes": {"0104": []}},
        "borderia": {"hexes": {"0604": []}},
        "cravonia": {"hexes": {"0701": []}},
    }
    result = run(world_of(kingdoms, state=state), {}, RULES, steps=["trade"])
    rows = {row["title"]: row["notes"] for row in view(result, "examplia", RULES)["routes"]}
    assert rows == {
        "trade_route-1 to Borderia: open": [
            "Consumption 1; pays 2 BP in a turn in which either side gains by trade.", "Shared with Borderia.",
            "Watchtowers in 0304.", f"Way: {' '.join(path)}",
        ],
        "trade_route-2 to Borderia: under way": [
            "The caravan is in 0203, 1 hex from its end.", "4 BP were spent on it, 2 more each turn until it arrives.", "Way: 0104 0203 0304",
        ],
        "Trade this turn": ["Trade with Borderia: 2 BP."],
        "Doors closed to the trade of cravonia": [],  # a stranger: its id is all that is known of it
    }  # fmt: skip
    assert [(row["title"], row["notes"][0]) for row in view(result, "borderia", RULES)["routes"]] == [
        (
            "share_route-1, a share of trade_route-1 of Examplia: open",
            "Consumption 1; pays 2 BP in a turn in which either side gains by trade.",
        ),
        ("trade_route-1, founded by Examplia as trade_route-1: open", f"Way: {' '.join(path)}"),
        ("Trade this turn", "Trade with Examplia: 2 BP."),
    ]
    assert view(result, "cravonia", RULES)["routes"] == []


def test_the_form_names_an_order_of_each_kind() -> None:
    rules = rules_of({"trade": {"between_neighbours": True}})
    world = world_of({"examplia": {"hexes": {"0404": []}}, "borderia": {"hexes": {"0504": []}}}, rules=rules)
    shown = view(run(world, {}, rules), "examplia", rules)
    assert [line for line in shown["form"] if "borderia" in line] == [
        "#aid: economy to borderia",
        "#trade_route: to borderia at 0403",
        "#doors: {borderia: closed}",
        "#smuggle: borderia",
    ]
