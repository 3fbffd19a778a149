"""Orders: the forms that people write, the long form that is filed, and every way in which a file is none."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from kingdom.engine.game import load, names
from kingdom.games.realm.game import GAME
from kingdom.orders import orders_file
from tests.games.realm.kit import rules_of
from tests.kit.orderkit import values

SEATS = ("examplia", "borderia", "cravonia")
NAMES = {**GAME.names(rules_of()), "seats": SEATS}
CONTRACT = Path(__file__).parents[2] / "docs" / "contract.md"


def filing(text: str | bytes, seat: str | None = "examplia", turn: int | None = 3, **more: Any) -> orders_file.Filing:
    data = text if isinstance(text, bytes) else text.encode()
    return orders_file.read(data, "examplia.yaml", GAME, NAMES, seat, turn, **more)


def of(text: str, seat: str = "examplia") -> dict[str, Any]:
    """The orders of a text without its head."""
    head = "turn: 3\n" if seat == "gm" else f"kingdom: {seat}\nturn: 3\n"
    filed = filing(head + text, seat)
    assert filed.orders is not None, [str(problem) for problem in filed.problems]
    return {key: value for key, value in filed.orders.items() if key not in ("kingdom", "turn")}


def said(text: str, seat: str = "examplia") -> list[str]:
    """LINE:COLUMN CODE PATH, and the nearest word, of each problem of a text without its head."""
    head = "turn: 3\n" if seat == "gm" else f"kingdom: {seat}\nturn: 3\n"
    filed = filing(head + text, seat)
    assert filed.orders is None
    first = head.count("\n")
    return [f"{p.line - first}:{p.column} {p.code} {p.path} {p.hint}".strip() for p in filed.problems]


def sections() -> tuple[str, str, str]:
    """The orders of a player in the long form, in short forms, and the GM's, from docs/contract.md."""
    blocks = re.findall(r"```yaml\n(.*?)```", CONTRACT.read_text(encoding="utf-8"), re.DOTALL)
    full = next(block for block in blocks if block.startswith("kingdom: examplia"))
    short = next(block for block in blocks if block.startswith("claim: 0404 0405"))
    gm = next(block for block in blocks if block.startswith("turn: 3\ngm:"))
    return full, short, gm


# --- what is right


def test_the_page_of_the_contract_with_every_key_has_no_problem() -> None:
    full, _, gm = sections()
    filed = filing(full)
    assert filed.problems == [] and filed.orders is not None
    assert set(filed.orders) == set(GAME.orders.keys) - {"token"}, "the page shows every key"
    assert filing(gm, "gm").problems == []


def test_the_short_forms_of_the_contract_are_the_long_ones() -> None:
    assert of(sections()[1]) == {
        "claim": ["0404", "0405"],
        "improve": [{"hex": "0404", "build": "farm"}, {"hex": "0405", "build": "prepare"}],
        "settle": [{"hex": "0405", "name": "Newford"}],
        "build": [
            {"in": "Oakhold", "build": "house"},
            {"in": "Oakhold", "build": "inn", "lot": "A1"},
            {"in": "Oakhold", "upgrade": "tenement", "to": "house"},
        ],
        "edicts": {"holiday": "long", "taxation": "light"},
        "special": [{"edict": "aid", "to": "borderia", "attribute": "stability"}],
        "loyalty": {"rouse_the_people": "economy"},
        "messages": [{"to": "borderia", "text": "Shall we talk of the ford?"}],
        "requests": ["I court the duke's heir."],
    }


@pytest.mark.parametrize(
    ("text", "long"),
    [
        ("leadership: economy loyalty", {"leadership": ["economy", "loyalty"]}),
        ("abandon: 0305", {"abandon": ["0305"]}),
        ("claim: [0303]", {"claim": ["0303"]}),
        ("claim: 0404,0405", {"claim": ["0404", "0405"]}),
        ("settle: New Ford 0405 water north east", {"settle": [{"hex": "0405", "name": "New Ford", "water": ["north", "east"]}]}),
        ("build: demolish inn in Oakhold at B2", {"build": [{"in": "Oakhold", "demolish": "inn", "lot": "B2"}]}),
        ("build: demolish city wall in Oakhold at north", {"build": [{"in": "Oakhold", "demolish": "city_wall", "border": "north"}]}),
        ("build: district in Oakhold water east", {"build": [{"in": "Oakhold", "build": "district", "water": ["east"]}]}),
        ("build: City-Wall in Oakhold at 2-North", {"build": [{"in": "Oakhold", "build": "city_wall", "border": "2-north"}]}),
        ("build: house in New Ford at a1", {"build": [{"in": "New Ford", "build": "house", "lot": "A1"}]}),
        ("build: house in Castle at Sea", {"build": [{"in": "Castle at Sea", "build": "house"}]}),
        ("build: Caster's Tower in O'Malley's Rest at 2-b3",
         {"build": [{"in": "O'Malley's Rest", "build": "casters_tower", "lot": "2-B3"}]}),
        ("build: house in Ch\u00e2teau d\u2019Or", {"build": [{"in": "Ch\u00e2teau d\u2019Or", "build": "house"}]}),
        ("build:\n  - house in Oakhold\n  - {in: Oakhold, build: inn}", {"build": [{"in": "Oakhold", "build": "house"}, {"in": "Oakhold", "build": "inn"}]}),
        ("build: build house in Oakhold", {"build": [{"in": "Oakhold", "build": "house"}]}),
        ("build: house in Oakhold,\ninn in Oakhold", {"build": [{"in": "Oakhold", "build": "house"}, {"in": "Oakhold", "build": "inn"}]}),
        ("improve:\n  - farm 0404\n  - Prepare 0405", {"improve": [{"hex": "0404", "build": "farm"}, {"hex": "0405", "build": "prepare"}]}),
        ("armies: recruit First Foot as medium warrior from Oakhold, First Foot to 0304 0305 then garrison", {"armies": [
            {"recruit": "First Foot", "size": "medium", "unit": "warrior", "from": "Oakhold"},
            {"army": "First Foot", "move": ["0304", "0305"], "then": "garrison"}]}),
        ("armies: First Foot to 0304 then attack target borderia, First Foot then raid", {"armies": [
            {"army": "First Foot", "move": ["0304"], "then": "attack", "target": "borderia"}, {"army": "First Foot", "then": "raid"}]}),
        ("promotion: none", {"edicts": {"promotion": "none"}}),
        ("taxation: light\nedicts: {holiday: very-long}", {"edicts": {"holiday": "very_long", "taxation": "light"}}),
        ("aid: stability to borderia, economy to cravonia", {"special": [
            {"edict": "aid", "to": "borderia", "attribute": "stability"}, {"edict": "aid", "to": "cravonia", "attribute": "economy"}]}),
        ("explore: from Oakhold for 2 weeks along 0405 0406 with First Foot",
         {"special": [{"edict": "explore", "from": "Oakhold", "weeks": 2, "route": ["0405", "0406"], "escort": "First Foot"}]}),
        ("explore: from Oakhold for 1 week toward n",
         {"special": [{"edict": "explore", "from": "Oakhold", "weeks": 1, "toward": "n"}]}),
        ("special: adventurers 6 to 0304, trade route to borderia at 0506, close_route trade_route-2", {"special": [
            {"edict": "adventurers", "bp": 6, "task": "0304"}, {"edict": "trade_route", "to": "borderia", "hex": "0506"},
            {"edict": "close_route", "route": "trade_route-2"}]}),
        ("loyalty: rouse_the_people", {"loyalty": {"rouse_the_people": ""}}),
        ("loyalty: Rouse the People economy", {"loyalty": {"rouse_the_people": "economy"}}),
        ("loyalty: {rouse_the_people: economy}", {"loyalty": {"rouse_the_people": "economy"}}),
        ("loyalty: change minds by breaking heads", {"loyalty": {"change_minds_by_breaking_heads": ""}}),
        ("answers: {lose_hex: 0305, Bandit_Activity-1: {adventurers: 4}}", {"answers": {"lose_hex": "0305", "bandit_activity-1": {"adventurers": 4}}}),
        ("plan: Claim 0405, Improve Farm 0404, house in New Ford", {"plan": ["claim 0405", "farm 0404", "house in New Ford"]}),
        ("messages: {borderia: Well met., all: Peace}", {"messages": [{"to": "borderia", "text": "Well met."}, {"to": "all", "text": "Peace"}]}),
        ("requests: I court the duke's heir.", {"requests": ["I court the duke's heir."]}),
        ("final: yes\namend: no", {"amend": False, "final": True}),
        ("claim:\nbuild: ~\nfinal: true", {"final": True}),
        ("CLAIM: 0404", {"claim": ["0404"]}),
    ],
)  # fmt: skip
def test_a_short_form_is_read_as_the_long_one(text: str, long: dict[str, Any]) -> None:
    assert of(text) == long


def test_a_settlement_may_be_called_no_or_18_30() -> None:
    assert of("capital: no\nsettle: [{hex: 0404, name: 18:30}, {hex: 0405, name: 2026-12-04}]") == {
        "capital": "no",
        "settle": [{"hex": "0404", "name": "18:30"}, {"hex": "0405", "name": "2026-12-04"}],
    }


def test_a_path_as_a_name_is_only_a_name() -> None:
    assert of("capital: ../../../etc/passwd") == {"capital": "../../../etc/passwd"}


def test_the_token_is_taken_out() -> None:
    filed = filing("kingdom: examplia\nturn: 3\ntoken: k7f3q\nclaim: 0404\n")
    assert filed.token == "k7f3q" and "token" not in filed.orders
    assert "k7f3q" not in orders_file.write(filed.orders)


def test_the_gms_orders_are_read_as_they_stand() -> None:
    assert of(
        'gm: [{grant: examplia, account: treasury, by: -5, reason: "a fine"}, {void: {kingdom: borderia, order: "claim[0]"}, reason: x}]',
        "gm",
    ) == {
        "gm": [
            {"grant": "examplia", "account": "treasury", "by": -5, "reason": "a fine"},
            {"void": {"kingdom": "borderia", "order": "claim[0]"}, "reason": "x"},
        ]
    }


# --- whose orders, and for which turn


@pytest.mark.parametrize(
    ("text", "code", "hint"),
    [
        ("kingdom: exampla\nturn: 3", "unknown_word", "examplia"),
        ("kingdom: borderia\nturn: 3", "another_kingdom", "examplia"),
        ("kingdom: examplia\nturn: 4", "wrong_turn", "3"),
        ("kingdom: examplia", "missing_key", ""),
        ("turn: 3", "missing_key", ""),
        ("kingdom: examplia\nturn: three", "not_number", ""),
        ("kingdom: ../borderia\nturn: 3", "unknown_word", "borderia"),
    ],
)
def test_the_head_must_be_right(text: str, code: str, hint: str) -> None:
    assert [(problem.code, problem.hint) for problem in filing(text).problems] == [(code, hint)]


def test_the_turn_that_a_problem_says_to_write_is_the_right_one() -> None:
    for text in ("kingdom: examplia", "kingdom: examplia\nturn: three"):
        (found,) = filing(text, turn=12).problems
        assert re.search(r"`(turn: )?12`", found.message) and "3`" not in found.message


def test_orders_may_say_themselves_whose_they_are() -> None:
    filed = filing("kingdom: Borderia\nturn: 7\n", seat=None, turn=None)
    assert (filed.kingdom, filed.turn, filed.problems) == ("borderia", 7, [])
    filed = filing("turn: 7\ntell: [{to: all, text: Snow}]\n", seat=None, turn=None)
    assert (filed.kingdom, filed.turn, filed.problems) == ("gm", 7, [])


def test_a_subject_may_stand_in_for_the_head_and_must_agree_with_it() -> None:
    filed = filing("claim: 0404", subject=True)
    assert filed.orders == {"kingdom": "examplia", "turn": 3, "claim": ["0404"]}
    assert [problem.code for problem in filing("kingdom: borderia", subject=True).problems] == ["another_kingdom"]


def test_of_a_file_with_problems_the_head_is_known_all_the_same() -> None:
    filed = filing("kingdom: examplia\nturn: 3\nclam: 0404\n")
    assert (filed.orders, filed.kingdom, filed.turn) == (None, "examplia", 3)


# --- what is wrong


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("clam: 0404", ["1:1 unknown_key clam claim"]),
        ("claim: 044", ["1:8 not_label claim[0]"]),
        ("improve: {hex: 0404, build: farm}", ["1:10 not_list improve"]),
        ("improve: [{hex: 0404, build: fram}]", ["1:30 unknown_word improve[0].build farm"]),
        ("improve: farm 0404, frm 0405", ["1:21 unknown_word improve[1].build farm"]),
        ("build: hose in Oakhold", ["1:8 unknown_word build[0].build house"]),
        ("build: house on Oakhold", ["1:8 short_form build[0]"]),
        ("build: [{in: Oakhold, biuld: inn}]", ["1:23 unknown_key build[0].biuld build"]),
        ("build: [{in: Oakhold, build: inn, lot: 7A}]", ["1:40 malformed build[0].lot"]),
        ("build: [{in: Oakhold, build: inn, lot: A1, border: north}]", ["1:44 not_together build[0]"]),
        ("build: [{in: Oakhold, upgrade: inn}]", ["1:9 missing_key build[0]"]),
        ("edicts: {taxation: hevy}", ["1:20 unknown_word edicts.taxation heavy"]),
        ("taxation: light\nedicts: {taxation: heavy}", ["1:1 not_together taxation"]),
        ("special: [{edict: ade, to: borderia}]", ["1:19 unknown_word special[0].edict aid"]),
        ("special: [{edict: aid, to: bordera, attribute: stability}]", ["1:28 unknown_word special[0].to borderia"]),
        ("aid: stabilty to borderia", ["1:6 unknown_word aid[0].attribute stability"]),
        ("special: [{edict: explore, from: Oakhold, weeks: 99, route: [0405]}]", ["1:50 out_of_range special[0].weeks"]),
        ("doors: {borderia: ajar}", ["1:19 unknown_word doors.borderia"]),
        ("loyalty: breaking heads", ["1:10 unknown_word loyalty change_minds_by_breaking_heads"]),
        ("answers: {lose_hex: oak}", ["1:21 not_label answers.lose_hex"]),
        ("answers: {bandits: accept}", ["1:11 malformed answers.bandits"]),
        ("plan: [house]", ["1:8 short_form plan[0]"]),
        ("reserve: -1", ["1:10 out_of_range reserve"]),
        ("messages: [{to: nobody, text: hello}]", ["1:17 unknown_word messages[0].to"]),
        ("requests: []\nfinal: perhaps", ["2:8 not_flag final"]),
        ("capital: [Oakhold]", ["1:10 not_text capital"]),
        (f"capital: {'x' * 61}", ["1:10 too_long capital"]),
        ('capital: "Oak\\u202ehold"', ["1:10 control_character"]),
        ("capital: Oak\u200bhold", ["1:10 control_character capital"]),
        ("gm: []", ["1:1 unknown_key gm"]),
        ("claim: 0404\nClaim: 0405", ["2:1 duplicate_key claim"]),
        ("claim: 0404\nclaim: 0405", ["2:1 duplicate_key"]),
        ("claim: &a 0404\nclam: *a", ["1:8 anchor", "2:1 unknown_key clam claim", "2:7 alias"]),
        ("claim: [0404", ["1:8 bracket_open"]),
        ("[0404]: farm", ["1:1 key_not_text"]),
    ],
)  # fmt: skip
def test_a_problem_has_line_column_path_and_the_nearest_word(text: str, problems: list[str]) -> None:
    assert said(text) == problems


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("gm: [{grant: examplia, account: tresury, by: 5, reason: x}]", ["1:33 unknown_word gm[0].account treasury"]),
        ("gm: [{grant: examplia, account: treasury, by: 5}]", ["1:6 missing_key gm[0]"]),
        ("gm: [{set: nobody, account: unrest, to: 4, reason: x}]", ["1:12 unknown_word gm[0].set"]),
        ("gm: [{reveal: 44, to: examplia, reason: x}]", ["1:15 not_label gm[0].reveal"]),
        ("gm: [{void: {kingdom: borderia, order: claim 0}, reason: x}]", ["1:40 malformed gm[0].void.order"]),
        ("tell: [{to: all, txt: x}]", ["1:8 missing_key tell[0]", "1:18 unknown_key tell[0].txt text"]),
        ("kingdom: examplia", ["1:10 unknown_word kingdom"]),
        ("claim: 0404", ["1:1 unknown_key claim"]),
    ],
)
def test_the_gms_orders_are_read_as_strictly(text: str, problems: list[str]) -> None:
    assert said(text, "gm") == problems


def test_all_problems_are_told_at_once_in_the_order_of_the_text() -> None:
    text = "clam: 0404\nimprove: farm 04, fram 0405\ntaxation: hevy\nreserve: lots\nmessages: hello\n"
    lines = [int(problem.split(":")[0]) for problem in said(text)]
    assert lines == [1, 2, 2, 3, 4, 5]


def test_ten_megabytes_are_not_looked_at() -> None:
    assert [problem.code for problem in filing(b"claim: 0404\n" * 900_000).problems] == ["too_big"]


def test_of_very_many_problems_the_first_hundred_are_told() -> None:
    text = "kingdom: examplia\nturn: 3\n" + "".join(f"key_{number}: 1\n" for number in range(5000))
    problems = filing(text).problems
    assert [problem.code for problem in problems[-2:]] == ["unknown_key", "more_problems"] and len(problems) == 101
    assert "4900" in problems[-1].message


# --- amending


def test_amend_replaces_key_by_key_and_edicts_doors_answers_word_by_word() -> None:
    filed = of(
        "claim: 0404\nbuild: house in Oakhold\ntaxation: light\nholiday: long\ndoors: {borderia: closed}\nloyalty: rouse_the_people economy"
    )
    newer = of(
        "claim: 0405\ntaxation: heavy\ndoors: {cravonia: closed}\nanswers: {lose_hex: 0305}\nloyalty: rouse_the_people\namend: true"
    )
    assert orders_file.amend(filed, newer, GAME) == of(
        "claim: 0405\nbuild: house in Oakhold\ntaxation: heavy\nholiday: long\n"
        "doors: {borderia: closed, cravonia: closed}\nanswers: {lose_hex: 0305}\nloyalty: rouse_the_people"
    )


def test_amending_nothing_is_filing() -> None:
    newer = of("claim: 0405\namend: true")
    assert orders_file.amend({}, newer, GAME) == {"claim": ["0405"]}


@pytest.mark.parametrize("name", names())
def test_what_adds_is_declared_with_the_keys_of_each_game(name: str) -> None:
    game = load(name)
    for seat, must in (("gm", "tell"), (None, "final")):
        declared = orders_file.declared(game, seat)
        assert must in declared.adds and set(declared.adds) <= set(declared.keys)


def test_what_only_adds_takes_nothing_away() -> None:
    filed = of("claim: 0404\ntaxation: light\nrequests: One?")
    assert orders_file.only_adds(of("requests: Two?\nfinal: true"), GAME, "examplia")
    assert not orders_file.only_adds(of("requests: Two?\nclaim: 0405"), GAME, "examplia")
    added = orders_file.add(filed, of("requests: Two?\nfinal: true"), GAME, "examplia")
    assert added == of("claim: 0404\ntaxation: light\nrequests: [One?, Two?]\nfinal: true")


def test_what_newer_orders_lose() -> None:
    filed = of("claim: 0404 0405\ntaxation: light\nholiday: long\nloyalty: rouse_the_people\nfinal: true")
    newer = of("claim: 0405\ntaxation: heavy\nloyalty: change_minds_by_breaking_heads")
    lost = orders_file.lost(filed, newer, GAME)
    assert lost == {"claim": ["0404"], "edicts": {"holiday": "long"}, "final": True}
    assert orders_file.lost(filed, filed, GAME) == {}


def test_one_filed_word_of_a_map_can_be_lost_but_a_choice_only_changes() -> None:
    filed = of("taxation: light\nloyalty: rouse_the_people")
    newer = of("holiday: long\nloyalty: change_minds_by_breaking_heads")
    lost = orders_file.lost(filed, newer, GAME)
    assert lost == {"edicts": {"taxation": "light"}}
    both = {"taxation": "light", "holiday": "long"}
    assert orders_file.amend(newer, {**lost, "amend": True}, GAME) == {**newer, "edicts": both}


# --- writing


def test_what_is_filed_is_the_long_form() -> None:
    filed = filing(
        "kingdom: Examplia\nturn: 3\nbuild: Inn in New Ford at a1\nTAXATION: Light\nclaim: 0404\nloyalty: rouse the people\n"
    )
    assert orders_file.write(filed.orders) == (
        "kingdom: examplia\n"
        "turn: 3\n"
        'claim: ["0404"]\n'
        "build:\n"
        "  - {in: New Ford, build: inn, lot: A1}\n"
        "edicts: {taxation: light}\n"
        "loyalty: rouse_the_people\n"
    )


def test_short_forms_are_written_as_a_person_types_them() -> None:
    text = (
        "kingdom: examplia\n"
        "turn: 3\n"
        "claim: 0404 0405\n"
        "build: house in Oakhold, inn in New Ford at A1,\n"
        "  upgrade tenement to house in Oakhold\n"
        "taxation: light\n"
        "aid: stability to borderia\n"
        "loyalty: rouse_the_people economy\n"
        "messages:\n"
        "  borderia: Well met.\n"
        "final: true\n"
    )
    assert orders_file.write_short(filing(text).orders, GAME) == text


@pytest.mark.parametrize("weeks", ["1 week", "2 weeks", "11 weeks"])
def test_a_number_of_one_is_written_without_the_plural(weeks: str) -> None:
    text = f"explore: from Oakhold for {weeks} toward n\n"
    assert orders_file.write_short(of(text), GAME) == text


def test_what_has_no_safe_short_form_is_written_long() -> None:
    filed = of('build: [{in: "Ford, the Old", build: house}]\nsettle: [{hex: 0404, name: x water north}]')
    assert "build:\n  - {in:" in orders_file.write_short(filed, GAME)
    assert of(orders_file.write_short(filed, GAME)) == filed


PLAYERS = values(GAME.orders, NAMES).map(lambda made: {**made, "kingdom": "examplia", "turn": 3})
GMS = values(GAME.gm_orders, NAMES).map(lambda made: {**made, "turn": 3})


@given(PLAYERS)
def test_orders_read_back_as_they_were_written_long_and_short(made: dict[str, Any]) -> None:
    for text in (orders_file.write(made), orders_file.write_short(made, GAME)):
        filed = filing(text)
        assert filed.problems == [], text
        assert filed.orders == made, text


@given(GMS)
def test_the_gms_orders_read_back_as_they_were_written(made: dict[str, Any]) -> None:
    assert filing(orders_file.write(made), "gm").orders == made


WORDS = [*GAME.orders.keys, *GAME.orders.short_keys, "house", "in", "Oakhold", "at", "to", "0404", "A1", ",", ", ", ": ", ":\n", "\n", "  ", "- ",
         "[", "]", "{", "}", "borderia", "upgrade", "water", "for", "3", "weeks", "economy", '"', "null", "~", "#"]  # fmt: skip


@given(
    st.one_of(
        st.binary(max_size=300),
        st.lists(st.sampled_from(WORDS), max_size=40).map(lambda words: "".join(words).encode()),
    )
)
def test_no_text_makes_reading_fail(text: bytes) -> None:
    for seat in ("examplia", "gm", None):
        filed = filing(b"kingdom: examplia\nturn: 3\n" + text, seat)
        assert (filed.orders is None) == bool(filed.problems)
        if filed.orders is not None and seat == "examplia":
            assert filing(orders_file.write(filed.orders)).orders == filed.orders
            assert filing(orders_file.write_short(filed.orders, GAME)).orders == filed.orders


def test_a_game_declares_its_orders_as_a_record() -> None:
    class Undeclared(NamedTuple):
        keys: Mapping[str, object] = {}

    with pytest.raises(TypeError, match="the texts of .* must be declared as Records"):
        orders_file.declared(structs.replace(GAME, orders=Undeclared()), "examplia")
    assert orders_file.declared(GAME, "gm") is GAME.gm_orders
