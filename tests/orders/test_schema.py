"""Shapes: what each reads, and what it says about everything else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.orders.reading import read
from kingdom.orders.schema import (
    Choice,
    Either,
    Flag,
    Id,
    Label,
    ListOf,
    MapOf,
    Number,
    OneOf,
    Raw,
    Record,
    Short,
    Text,
    Word,
    example_of,
    snake,
)  # fmt: skip
from kingdom.orders.yaml_text import parse

NAMES = {"fruits": ("apple", "pear", "blood_orange")}
BASKET = Record("a basket", {
    "fruit": Word("the fruit", "fruits", ("any",), example="pear"),
    "in": Text("the place", example="Old Barn", most=20),
    "spot": Text("the spot", example="A1", pattern="[A-F][1-6]", case="upper"),
    "count": Number("how many", 0, 12, 3),
}, required=("fruit", "in"), short=("{fruit} in {in}[ at {spot}]",))  # fmt: skip
DEED = OneOf("a deed", {
    "sell": Record("a sale", {"sell": Word("the fruit", "fruits", example="pear"), "to": Text("the buyer")}, required=("sell", "to"), short=("sell {sell} to {to}",)),
    "eat": Record("a meal", {"eat": Word("the fruit", "fruits"), "hex": Label("where")}, required=("eat",), short=("[eat ]{eat}[ in {hex}]",)),
})  # fmt: skip
GIFT = OneOf("a gift", {
    "send": Record("a parcel", {"to": Id("the friend")}, required=("to",), short=("to {to}",)),
    "hand_over": Record("a visit", {"hex": Label("where")}, required=("hex",), short=("in {hex}",)),
}, by="way")  # fmt: skip


def value_of(shape: Any, text: str) -> Any:
    node, problems = parse(text.encode(), "file.yaml", rejoin=True)
    assert not problems
    value, problems = read(shape, node, NAMES, "file.yaml", "here")
    assert not problems, [str(problem) for problem in problems]
    return value


def said_of(shape: Any, text: str) -> list[str]:
    """CODE at PATH, and the nearest word where there is one."""
    node, problems = parse(text.encode(), "file.yaml", rejoin=True)
    assert not problems
    _, problems = read(shape, node, NAMES, "file.yaml", "here")
    return [f"{problem.code} at {problem.path}" + (f", {problem.hint}" if problem.hint else "") for problem in problems]


@pytest.mark.parametrize(
    ("shape", "text", "value"),
    [
        (Text("a name"), "New   Ford", "New Ford"),
        (Text("a name"), "'O''Malley & <b>'", "O'Malley & <b>"),
        (Text("a name"), "Cha\u0302teau", "Ch\u00e2teau"),
        (Text("a name"), "New\u00a0Ford", "New Ford"),
        (Text("a note", lines=True), "|\n  one\n  two\n", "one\ntwo"),
        (Text("a name"), "../../etc/passwd", "../../etc/passwd"),
        (Text("a name"), "no", "no"),
        (Text("a spot", pattern="[A-F][1-6]", case="upper"), "b2", "B2"),
        (Number("a count", -5, 12), "0007", 7),
        (Number("a count", -5, 12), "+12", 12),
        (Number("a count", -5, 12), "-5", -5),
        (Flag("a flag"), "Yes", True),
        (Flag("a flag"), "off", False),
        (Word("a fruit", "fruits"), "Blood-Orange", "blood_orange"),
        (Word("a fruit", "fruits"), "blood orange", "blood_orange"),
        (Word("a fruit", "fruits", ("any",)), "ANY", "any"),
        (Word("a level", ("no", "on")), "no", "no"),
        (Label("a hex"), "0404", "0404"),
        (Id("an id"), "Hanging Garden", "hanging_garden"),
        (ListOf("labels", Label("a hex"), short="words"), "0404, 0405 0406", ["0404", "0405", "0406"]),
        (ListOf("labels", Label("a hex"), short="words"), "[0404]", ["0404"]),
        (ListOf("labels", Label("a hex"), short="words"), "[]", []),
        (ListOf("notes", Text("a note"), short="one"), "One, two", ["One, two"]),
        (ListOf("baskets", BASKET, short="commas"), "pear in Barn,\nBlood Orange in Old Barn at b2", [
            {"fruit": "pear", "in": "Barn"}, {"fruit": "blood_orange", "in": "Old Barn", "spot": "B2"}]),
        (ListOf("baskets", BASKET, short="commas"), "[pear in Barn, {fruit: any, in: Barn}]", [
            {"fruit": "pear", "in": "Barn"}, {"fruit": "any", "in": "Barn"}]),
        (ListOf("gifts", Record("a gift", {"to": Id("a friend"), "what": Text("what")}, required=("to", "what")), pairs=("to", "what")),
         "{ada: a pear, ben: two}", [{"to": "ada", "what": "a pear"}, {"to": "ben", "what": "two"}]),
        (BASKET, "pear in Castle at Sea", {"fruit": "pear", "in": "Castle at Sea"}),
        (BASKET, "pear in Barn in Hills at A1", {"fruit": "pear", "in": "Barn in Hills", "spot": "A1"}),
        (BASKET, "{count: ~, fruit: pear, in: Barn, spot: }", {"fruit": "pear", "in": "Barn"}),
        (BASKET, "{In: Barn, FRUIT: pear}", {"fruit": "pear", "in": "Barn"}),
        (DEED, "{sell: pear, to: Ada}", {"sell": "pear", "to": "Ada"}),
        (DEED, "pear", {"eat": "pear"}),
        (DEED, "EAT pear in 0404", {"eat": "pear", "hex": "0404"}),
        (GIFT, "{way: hand over, hex: 0404}", {"way": "hand_over", "hex": "0404"}),
        (GIFT, "hand-over in 0404", {"way": "hand_over", "hex": "0404"}),
        (MapOf("doors", Id("a friend"), Flag("whether open"), fixed={"last_one": Label("where")}), "{ada: yes, Last One: 0404}",
         {"ada": True, "last_one": "0404"}),
        (Choice("what", {"wait": None, "wait_for": Id("whom")}), "wait", {"wait": ""}),
        (Choice("what", {"wait": None, "wait_for": Id("whom")}), "wait for ada", {"wait_for": "ada"}),
        (Choice("what", {"wait": None, "wait_for": Id("whom")}), "{wait-for: ada}", {"wait_for": "ada"}),
        (Choice("what", {"wait": None, "wait_for": Id("whom")}), "{wait_for: }", {"wait_for": ""}),
        (Either("a place", (Label("a hex"), Word("a fruit", "fruits"))), "pear", "pear"),
        (Either("a place", (Label("a hex"), Word("a fruit", "fruits"))), "0404", "0404"),
        (Short("a deed", DEED), "eat PEAR in 0404", "pear in 0404"),
    ],
)  # fmt: skip
def test_what_is_right_is_read(shape: Any, text: str, value: Any) -> None:
    assert value_of(shape, text) == value


def test_keys_stand_in_the_order_in_which_they_are_declared() -> None:
    assert list(value_of(BASKET, "{count: 2, in: Barn, fruit: pear}")) == ["fruit", "in", "count"]


def test_raw_is_the_node() -> None:
    assert value_of(Raw("anything"), "[a]").value[0].value == "a"


@pytest.mark.parametrize(
    ("shape", "text", "said"),
    [
        (Text("a name"), "[a]", ["not_text at here"]),
        (Text("a name"), "''", ["empty_text at here"]),
        (Text("a name", most=3), "Oakhold", ["too_long at here"]),
        (Text("a name"), '"two\\nlines"', ["one_line at here"]),
        (Text("a name"), "zero\u200bwidth", ["control_character at here"]),
        (Text("a spot", pattern="[A-F][1-6]"), "Z9", ["malformed at here"]),
        (Number("a count"), "1_000", ["not_number at here"]),
        (Number("a count"), "1.5", ["not_number at here"]),
        (Number("a count"), "\u0663", ["not_number at here"]),
        (Number("a count", 0, 12), "13", ["out_of_range at here"]),
        (Number("a count", 0, 12), "-1", ["out_of_range at here"]),
        (Number("a count", 0, 12), "9" * 5000, ["out_of_range at here"]),
        (Flag("a flag"), "maybe", ["not_flag at here"]),
        (Word("a fruit", "fruits"), "aple", ["unknown_word at here, apple"]),
        (Word("a fruit", "fruits"), "Bloody Orange", ["unknown_word at here, blood_orange"]),
        (Word("a fruit", "fruits"), "stone", ["unknown_word at here"]),
        (Label("a hex"), "404", ["not_label at here, 0404"]),
        (Label("a hex"), "O4-04", ["not_label at here, 0404"]),
        (Label("a hex"), "lol", ["not_label at here"]),
        (Label("a hex"), "0004", ["not_label at here"]),
        (Label("a hex"), "0400", ["not_label at here"]),
        (Label("a hex"), "\u0660\u0664\u0660\u0664", ["not_label at here"]),
        (Id("an id"), "a/b", ["malformed at here"]),
        (Id("an id"), "gm", ["malformed at here"]),
        (ListOf("labels", Label("a hex")), "0404", ["not_list at here"]),
        (ListOf("labels", Label("a hex"), short="words"), "0404 x 0405 y", ["not_label at here[1]", "not_label at here[3]"]),
        (ListOf("labels", Label("a hex"), most=1), "[0404, 0405]", ["too_many at here"]),
        (ListOf("labels", Label("a hex"), least=1), "[]", ["too_few at here"]),
        (BASKET, "{fruit: aple, inn: Barn}", ["missing_key at here", "unknown_word at here.fruit, apple", "unknown_key at here.inn, in"]),
        (BASKET, "{fruit: pear, Fruit: apple, in: Barn}", ["duplicate_key at here.fruit"]),
        (BASKET, "{fruit: pear, in: }", ["empty_text at here.in"]),
        (BASKET, "aple in Barn", ["unknown_word at here.fruit, apple"]),
        (BASKET, "pear", ["short_form at here"]),
        (BASKET, "pear in " + "x" * 2000, ["short_form at here"]),
        (BASKET, "[pear]", ["not_map at here"]),
        (DEED, "{sell: pear, eat: pear}", ["not_together at here"]),
        (DEED, "{sel: pear, to: Ada}", ["unknown_key at here.sel, sell"]),
        (DEED, "{to: Ada}", ["which at here"]),
        (DEED, "pear in 044", ["not_label at here.hex"]),
        (GIFT, "{hex: 0404}", ["missing_key at here"]),
        (GIFT, "{way: sent}", ["unknown_word at here.way, send"]),
        (MapOf("doors", Id("a friend"), Flag("whether open"), most=1), "{ada: yes, ben: no}", ["too_many at here"]),
        (MapOf("doors", Id("a friend"), Flag("whether open")), "{ada: yes, Ada: no}", ["duplicate_key at here.Ada"]),
        (MapOf("doors", Id("a friend"), Flag("whether open")), "yes", ["not_map at here"]),
        (Choice("what", {"wait": None, "go": None}), "wiat", ["unknown_word at here, wait"]),
        (Choice("what", {"wait": None, "go": None}), "wait here", ["short_form at here"]),
        (Choice("what", {"wait": None, "go": None}), "{wait: here, go: there}", ["not_text at here"]),
        (Either("a place", (Label("a hex"), Word("a fruit", "fruits"))), "aple", ["unknown_word at here, apple"]),
        (Record("either", {"a": Flag("a"), "b": Flag("b")}, apart=(("a", "b"),)), "{a: yes, b: no}", ["not_together at here"]),
        (Short("a deed", DEED), "{eat: pear}", ["not_text at here"]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_path_and_the_nearest_word(shape: Any, text: str, said: list[str]) -> None:
    assert said_of(shape, text) == said


def test_a_problem_inside_a_short_form_has_its_own_column() -> None:
    node, _ = parse(b"pear in Barn, aple in Barn, pear in Barn at b9", "file.yaml")
    _, problems = read(ListOf("baskets", BASKET, short="commas"), node, NAMES, "file.yaml")
    assert [(problem.line, problem.column, problem.path) for problem in problems] == [(1, 15, "[1].fruit")]


SHORT_KEYS = Record("orders", {
    "level": Record("levels", {"tax": Word("a level", ("low", "high")), "feast": Flag("a feast")}),
    "gifts": ListOf("gifts", GIFT, short="commas"),
}, short_keys={"tax": "level", "send": "gifts"})  # fmt: skip


def test_a_short_key_is_a_part_of_another() -> None:
    assert value_of(SHORT_KEYS, "{send: to ada, tax: low, level: {feast: on}}") == {
        "level": {"tax": "low", "feast": True},
        "gifts": [{"way": "send", "to": "ada"}],
    }


def test_a_short_key_and_the_long_one_cant_both_stand() -> None:
    assert said_of(SHORT_KEYS, "{tax: low, level: {tax: high}}") == ["not_together at tax"]


def test_words_are_told_by_their_letters_alone() -> None:
    assert {snake(text) for text in ("very_long", "Very Long", "very-long", " VERY  long ")} == {"very_long"}
    assert snake("Caster\u2019s Tower") == "casters_tower"


@pytest.mark.parametrize("shape", [
    BASKET, DEED, GIFT, ListOf("b", BASKET), Choice("c", {"wait": None}), Number("n"), Label("l"), Flag("f"), Short("s", DEED),
    MapOf("m", Id("an id"), Either("e", (Label("l"), Flag("f")))), Word("w", ("a", "b")),
])  # fmt: skip
def test_an_example_is_what_its_own_shape_reads(shape: Any) -> None:
    assert said_of(shape, example_of(shape)) == []


SHAPES = (
    BASKET,
    DEED,
    GIFT,
    SHORT_KEYS,
    ListOf("b", BASKET, short="commas"),
    Number("n"),
    Label("l"),
    Choice("c", {"wait": Id("w")}),
)


@given(
    st.sampled_from(SHAPES),
    st.recursive(
        st.sampled_from(["pear", "in", "at", "A1", "0404", "", "~", "send", "to ada", "pear in Barn at A1", "'x'"]),
        lambda inner: st.one_of(
            st.lists(inner, max_size=4).map(lambda items: f"[{', '.join(items)}]"),
            st.dictionaries(
                st.sampled_from(["fruit", "in", "sell", "eat", "way", "tax", "send", "to"]), inner, max_size=4
            ).map(lambda items: "{" + ", ".join(f"{key}: {value}" for key, value in items.items()) + "}"),
        ),
        max_leaves=12,
    ),
)
def test_any_node_is_read_or_has_problems(shape: Any, text: str) -> None:
    node, problems = parse(text.encode(), "file.yaml")
    if node is not None and not problems:
        value, problems = read(shape, node, NAMES, "file.yaml")
        assert problems or value is not None
        assert all(problem.line >= 1 and problem.message for problem in problems)
