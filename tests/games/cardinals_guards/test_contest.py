"""A contest by mail: instalments, orders sent twice, one castle for all, several deals, the GM, the final standings."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kingdom.engine import standings
from kingdom.engine.dice import NoDice
from kingdom.engine.step import Result
from kingdom.engine.turn import resolve
from kingdom.games.cardinals_guards.orders import moves
from kingdom.games.cardinals_guards.state import Score, Table, dealt, replace
from kingdom.render.reports import CampaignFacts, rendered
from tests.games.cardinals_guards.kit import (
    DEAL,
    GAME,
    GOLDEN,
    RULES,
    filing_of,
    played,
    random_deal,
    rules,
    table_of,
    turn,
    walk,
)
from tests.kit.examples import few
from tests.plays import cardinals_guards as plays

ORDERS = [row["order"] for row in GOLDEN["orders"]]


def listed(orders: list[str]) -> str:
    return "orders:\n" + "".join(f"  - {text}\n" for text in orders)


def refusals(result: Result) -> list[tuple[str, str, str]]:
    """(seat, order, code) of each refusal."""
    return [(each.seat, each.facts["order"], each.facts["code"]) for each in result.notices if each.kind == "refusal"]


# --- instalments


@few
@given(st.lists(st.integers(0, len(ORDERS) - 1), max_size=6).map(sorted))
def test_a_game_in_instalments_is_the_game_in_one_mail(cuts: list[int]) -> None:
    whole = turn(table_of(), athos=listed(ORDERS)).after.seats["athos"].board
    table = table_of(DEAL, "athos", "porthos")
    for start, end in zip([0, *cuts], [*cuts, len(ORDERS)], strict=True):
        text = f"continue_from: {start}\n" + (listed(ORDERS[start:end]) if start < end else "")
        result = turn(table, athos=text)
        assert refusals(result) == []
        table = result.after
    assert table.seats["athos"].board == whole


def test_orders_stop_before_the_first_that_is_not_allowed() -> None:
    result = turn(table_of(), athos="orders: [move C E, move C S, move C S, move A W]\nfinish: true\n")
    board = result.after.seats["athos"].board
    assert refusals(result) == [("athos", "orders[2]", "guards_blocked")]
    assert board == played(["move C E", "move C S"]), "and the game stays open, whatever `finish` says"
    (stopped,) = [each.facts["text"] for each in result.notices if each.kind == "stopped"]
    assert stopped == "Your orders stop before number 3, move C S: neither it nor the one behind it were carried out."


def test_orders_sent_twice_do_no_harm() -> None:
    first = turn(table_of(DEAL, "athos", "porthos"), athos="continue_from: 0\norders: [move C E]\n").after
    again = turn(first, athos="continue_from: 0\norders: [move C E]\n")
    assert refusals(again) == [("athos", "continue_from", "guards_continue")]
    assert again.after.seats["athos"] == first.seats["athos"]


def test_who_sends_nothing_keeps_the_castle_as_it_is() -> None:
    table = turn(table_of(DEAL, "athos"), athos="orders: [move C E]\n").after
    for _ in range(3):
        later = turn(table).after
        assert later.seats["athos"] == table.seats["athos"]


def test_after_the_last_turn_the_game_counts_as_it_stands() -> None:
    result = turn(table_of(DEAL, "athos", "porthos"), rules(pace={"turns": 1}), athos="orders: [move C E]\n")
    assert result.after.over and GAME.finished(result.after) == "every castle is finished"
    assert [GAME.accounts(result.after, seat, RULES)["points"] for seat in ("athos", "porthos")] == [2, 0]


def test_the_default_pace_is_one_castle_in_60_turns_and_shorter_where_all_are_done() -> None:
    assert (RULES.pace.turns, RULES.pace.deals) == (60, 1)
    assert turn(table_of(), athos="finish: true\n").after.over
    assert not turn(table_of(DEAL, "athos", "porthos"), athos="finish: true\n").after.over


def test_a_finished_game_takes_no_orders() -> None:
    table = turn(table_of(DEAL, "athos", "porthos"), athos="finish: true\n").after
    assert refusals(turn(table, athos="orders: [move C E]\n")) == [("athos", "orders", "guards_finished")]


# --- deals


def test_a_league_deals_a_new_castle_to_all_when_one_is_over() -> None:
    by = rules(pace={"turns": 1, "deals": 2})
    first = turn(table_of(DEAL, "athos", "porthos"), by, athos="orders: [move C E]\n")
    table = first.after
    assert (table.deal_number, table.window, table.over) == (2, 0, False)
    assert all(of.board == dealt(table.deal) for of in table.seats.values()) and table.deal != DEAL
    assert [of.past for of in table.seats.values()] == [(Score(2, 1),), (Score(0, 0),)]
    assert {roll.kingdom for roll in first.rolls} == {"gm"} and {roll.name for roll in first.rolls} == {
        "tile-2",
        "coin-2",
    }
    (said,) = [each.facts["text"] for each in first.notices if each.kind == "result"]
    assert said == "Deal 1 is over: Athos 2 points in 1 order, Porthos 0 points in 0 orders."
    second = turn(table, by)
    assert second.after.over and second.rolls == []
    assert GAME.accounts(second.after, "athos", by)["total"] == 2


def test_where_a_turn_is_only_foreseen_nothing_is_dealt() -> None:
    by = rules(pace={"turns": 1, "deals": 2})
    result = resolve(GAME, table_of(), {"athos": filing_of("athos", 1, "orders: [move C E]\n")}, NoDice(), by)
    assert result.rolls == [] and result.after.deal.tiles == {}
    foreseen = resolve(
        GAME, table_of(), {"athos": filing_of("athos", 1, "orders: [move C E]\n")}, NoDice(), by, until=GAME.foreseen_to
    )
    assert GAME.sheet(foreseen.after, "athos", by)["points"] == 2


def test_a_campaign_may_give_the_first_castle_itself() -> None:
    import tempfile
    from pathlib import Path

    from kingdom.campaign import campaign as campaigns
    from kingdom.campaign.next_turn import opening_draft
    from kingdom.orders.yaml_out import dump

    with tempfile.TemporaryDirectory() as place:
        for name, text in GAME.opening.new(1, {"name": "Golden", "seed": "public"}).items():
            (Path(place) / name).parent.mkdir(exist_ok=True)
            (Path(place) / name).write_text(
                text + (dump({"rules": {"layout": GOLDEN["layout"]}}) if name == "campaign.yaml" else "")
            )
        campaign = campaigns.open_campaign(Path(place))
        first = opening_draft(campaign, campaigns.rules_today(campaign)).result
    assert first.after.deal == DEAL and first.rolls == []


# --- the GM


def test_the_gm_voids_grants_tells_and_ends() -> None:
    text = (
        "gm:\n  - {void: {kingdom: athos, order: 'orders[1]'}, reason: sent by mistake}\n  - {grant: porthos, by: 3, reason: a slip}\n"
        "  - {finish: campaign, reason: holidays}\ntell: {all: Well played.}\n"
    )
    result = turn(table_of(DEAL, "athos", "porthos"), gm=text, athos="orders: [move C E, move C S, move A W]\n")
    assert refusals(result) == []
    assert result.after.seats["athos"].board == replace(played(["move C E", "move A W"]), finished=True)
    assert GAME.accounts(result.after, "porthos", RULES)["total"] == 3
    assert GAME.finished(result.after) == "the GM ended it: holidays" and result.after.over
    assert [each.facts["text"] for each in result.notices if each.kind == "tell"] == ["Well played."]


def test_the_gm_voids_a_message_which_then_reaches_nobody() -> None:
    text = "gm: [{void: {kingdom: athos, order: 'messages[0]'}, reason: sent by mistake}]\n"
    result = turn(
        table_of(DEAL, "athos", "porthos"),
        gm=text,
        athos="messages: [{to: porthos, text: Oops.}, {to: all, text: Well met.}]\n",
    )
    assert [each.facts["text"] for each in result.notices if each.kind == "message"] == ["Well met."]


def test_what_a_file_begins_with_is_no_order_that_the_gm_could_void() -> None:
    text = "gm: [{void: {kingdom: athos, order: turn}, reason: a slip}]\n"
    result = turn(table_of(DEAL, "athos", "porthos"), gm=text, athos="orders: [move C E]\n")
    assert [
        (each.facts["code"], each.facts["reason"].rpartition("; ")[2])
        for each in result.notices
        if each.kind == "refusal"
    ] == [
        ("guards_void_nothing", "name one that it filed: orders."),
    ]


# --- standings


def test_points_count_then_fewer_orders_and_who_has_both_alike_shares_a_place() -> None:
    table = table_of(DEAL, "athos", "porthos", "aramis", "treville")
    scores = {"athos": (52, 70), "porthos": (52, 64), "aramis": (44, 20), "treville": (52, 70)}
    table = replace(table, seats={seat: replace(of, past=(Score(*scores[seat]),)) for seat, of in table.seats.items()})
    rows = [(row.place, row.seat) for row in standings.standings(GAME, table, RULES)]
    assert rows == [(1, "porthos"), (2, "athos"), (2, "treville"), (4, "aramis")]


# --- what a seat sees


def reports(result: Result) -> dict[str, str]:
    """Every report as it would be sent."""
    seats = {seat: f"Player of {seat}" for seat in result.after.seats}
    return dict(
        rendered(
            GAME,
            result,
            RULES,
            CampaignFacts("The contest", seats, keys={"athos": "k"}, commitments={"athos": "c", "gm": "g"}),
        )
    )


@few
@given(
    st.integers(0, 30),
    st.lists(st.integers(0, 9999), max_size=30),
    st.lists(st.integers(0, 9999), max_size=30),
    st.lists(st.integers(0, 9999), max_size=30),
)
def test_whatever_the_others_did_a_report_is_the_same_byte_for_byte(
    castle: int, own: list[int], one: list[int], other: list[int]
) -> None:
    deal = random_deal(castle)
    mine = turn(table_of(deal, athos=walked(own, deal), porthos=dealt(deal)), athos="orders: [move C E, move A W]\n")
    board, secret = walked(one, deal), walked(other, deal)
    shown = [
        reports(with_other(mine, each))["athos.txt"] + reports(with_other(mine, each))["athos.html"]
        for each in (board, secret)
    ]
    assert shown[0] == shown[1]
    assert GAME.known(mine.after, "athos", RULES) == GAME.known(with_other(mine, secret).after, "athos", RULES)
    assert GAME.forms.text(mine.after, "athos", RULES) == GAME.forms.text(
        with_other(mine, secret).after, "athos", RULES
    )


def walked(picks: list[int], deal: object) -> object:
    return ([dealt(deal)] + [board for _, board in walk(picks, deal)])[-1]


def with_other(result: Result, board: object) -> Result:
    """The result with another board of porthos, other orders and other entries."""

    def other(table: Table) -> Table:
        return replace(
            table, seats={**table.seats, "porthos": replace(table.seats["porthos"], board=board, granted=board.orders)}
        )

    orders = {**result.orders, "porthos": {"orders": [{"move": "s", "dir": "n"}] * board.orders}}
    entries = [*result.entries, *(entry._replace(kingdom="porthos") for entry in result.entries[: board.orders])]
    return result._replace(before=other(result.before), after=other(result.after), orders=orders, entries=entries)


@few
@given(st.integers(0, 30), st.lists(st.integers(0, 9999), max_size=20), st.booleans())
def test_whatever_the_others_order_a_seat_hears_the_same(castle: int, picks: list[int], done: bool) -> None:
    deal = random_deal(castle)
    table, mine = table_of(deal, "athos", "porthos"), "orders: [move C E, move A W]\n"
    theirs = listed([moves.short(order) for order, _ in walk(picks, deal)]) if picks else ""
    results = [
        turn(table, athos=mine, porthos=text)
        for text in ("continue_from: 9\n", f"{theirs}finish: {str(done).lower()}\nmessages: {{porthos: Ha.}}\n")
    ]
    assert len({reports(result)["athos.txt"] + reports(result)["athos.html"] for result in results}) == 1
    assert heard(results[0]) == heard(results[1])


def heard(result: Result) -> list[object]:
    """What the chronicle of athos is made of besides."""
    notices = [(each.kind, each.facts) for each in result.notices if each.seat in ("athos", "all")]
    return [
        *notices,
        *((entry.account, entry.delta, entry.detail) for entry in result.entries if entry.kingdom == "athos"),
    ]


def test_when_the_last_deal_is_over_everybody_sees_every_board() -> None:
    result = turn(table_of(DEAL, "athos", "porthos"), rules(pace={"turns": 1}), porthos="orders: [move C E]\n")
    assert GAME.known(result.after, "athos", RULES) == result.after
    assert "Porthos: points 2, orders 1" in reports(result)["athos.txt"]


def test_messages_reach_whom_they_are_for() -> None:
    table = table_of(DEAL, "athos", "porthos", "aramis")
    shown = reports(turn(table, athos="messages: {porthos: En garde.}\n"))
    assert (
        "En garde." in shown["porthos.txt"]
        and "En garde." in shown["athos.txt"]
        and "En garde." not in shown["aramis.txt"]
    )


def test_the_plays_hide_what_is_hidden() -> None:
    table = table_of(DEAL, "athos", "porthos")
    other = plays.otherwise(table, "athos")
    assert other != table and GAME.known(other, "athos", RULES) == GAME.known(table, "athos", RULES)
