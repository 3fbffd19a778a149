"""Text for a terminal: nothing in it moves or hides other text, and it keeps to its columns in any script."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kingdom.render import terminal
from kingdom.render.plain_text import clean, cleaned, left, right, shortened, signed, width, wrap, wrap_said

texts = st.text(max_size=60)


@pytest.mark.parametrize(
    "text, shown",
    [
        ("Oakhold", "Oakhold"),
        ("Ünterwald, 漢字, שלום", "Ünterwald, 漢字, שלום"),
        ("one\ntwo\tthree", "one two three"),
        ("a\x1b[31mred", "a\N{REPLACEMENT CHARACTER}[31mred"),
        ("safe\u202eexe.txt", "safe\N{REPLACEMENT CHARACTER}exe.txt"),
        ("no\u200bspace\u00ad", "nospace"),
        ("wide\u3000space\xa0here", "wide space here"),
    ],
)
def test_clean_text(text: str, shown: str) -> None:
    assert clean(text) == shown


def test_marks_do_not_climb_into_the_lines_above() -> None:
    assert clean("o" + "\u0301" * 30 + "k") == "o\u0301\u0301k"


@given(texts)
def test_what_is_clean_stays_and_is_one_line(text: str) -> None:
    once = clean(text)
    assert clean(once) == once and once.isprintable()


def test_every_text_in_plain_data_is_cleaned() -> None:
    assert cleaned({"a": ["x\ny", {"b": ("\u202e", 3, None)}]}) == {
        "a": ["x y", {"b": ["\N{REPLACEMENT CHARACTER}", 3, None]}]
    }


def test_wide_letters_take_two_columns_and_marks_none() -> None:
    assert (width("ab"), width("漢字"), width("e\u0301"), width("")) == (2, 4, 1, 0)


@given(texts, st.integers(1, 30))
@example("\u2e800", 2)
def test_a_column_is_as_wide_as_it_should_be(text: str, columns: int) -> None:
    text = clean(text)
    assert width(left(text, columns)) == columns or columns == 1
    assert width(shortened(text, columns)) <= columns or columns == 1


def test_what_is_cut_says_so() -> None:
    assert left("Military Academy", 11) == "Military A…"
    assert left("Inn", 5, filled=False) == "Inn"


def test_a_number_is_never_cut() -> None:
    assert right(5, 4) == "   5" and right(123456, 4) == "123456"


@given(texts, st.integers(0, 20))
def test_a_wrapped_text_keeps_to_its_columns_and_loses_nothing(text: str, indent: int) -> None:
    text = clean(text)
    lines = wrap(text, indent, 30).split("\n")
    assert all(width(line) <= 30 for line in lines)
    assert all(line.startswith(" " * indent) for line in lines if line)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_a_label_stands_before_the_first_line_alone() -> None:
    assert wrap("one two three", 8, 16, "  Asked") == "  Asked one two\n        three"


@given(texts, texts, st.integers(0, 20))
def test_a_label_too_long_for_a_line_is_broken_too(label: str, text: str, indent: int) -> None:
    label, text = f"  {clean(label)}: ", clean(text)
    lines = wrap(text, indent, 30, label).split("\n")
    assert all(width(line) <= 30 for line in lines)
    assert "".join(lines).replace(" ", "") == (label + text).replace(" ", "")


def test_a_command_and_an_address_stay_whole_to_be_copied() -> None:
    said = (
        "To hand it on: `kingdom invite /a/very/long/path/to/tally ann EMAIL`. See https://example.org/a/long/page too."
    )
    lines = wrap_said(said, 2, 30).split("\n")
    assert "  `kingdom invite /a/very/long/path/to/tally ann EMAIL`." in lines
    assert any("https://example.org/a/long/page" in line for line in lines)
    assert " ".join(" ".join(lines).split()) == said
    assert wrap_said("It costs 12 BP", 0, 12) == "It costs\n12 BP"
    assert all(len(line) <= 78 for line in wrap_said("x" * 5_000).split("\n"))


def test_a_word_too_long_for_a_line_is_broken() -> None:
    assert wrap("漢字漢字漢字", 2, 8) == "  漢字漢\n  字漢字"


def test_a_change_has_its_sign() -> None:
    assert [signed(3), signed(-2), signed(0)] == ["+3", "-2", "0"]


def test_of_what_came_only_what_is_there_is_said_and_of_listed_things_only_what_differs() -> None:
    before = {
        "armies": {},
        "events": [{"key": "feud-1", "where": "Oakhold", "ends": "soon"}, {"key": "plague-1", "where": "0404"}],
    }
    after = {
        "armies": {"First Foot": {"unit": "warrior", "boons": [], "target": "", "routed": False, "withdraw": 0}},
        "events": [{"key": "feud-1", "where": "Oakhold", "ends": "later"}],
    }
    assert terminal.differences(before, after) == [
        ("armies First Foot:", "new, unit warrior"),
        ("events feud-1 ends:", "soon -> later"),
        ("events plague-1:", "gone"),
    ]
