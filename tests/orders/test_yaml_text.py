"""Text that anybody may have written: what it says, where, and what is wrong with it."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.orders.yaml_text import DEPTH, LIMIT, LIST, MANY, MAP, TEXT, Node, find, parse, plain, read


def node_of(text: str) -> Node:
    node, problems = read(text.encode(), "file.yaml")
    assert not problems and node is not None
    return node


def problems_of(text: str | bytes) -> list[tuple[int, int, str]]:
    node, problems = read(text if isinstance(text, bytes) else text.encode(), "file.yaml")
    assert node is None and problems
    return [(problem.line, problem.column, problem.code) for problem in problems]


@pytest.mark.parametrize(
    "typed", ["no", "on", "Yes", "0404", "18:30", "1_000", "2026-12-04", "0x1F", "1e3", ".inf", "~", "null", "=", "<<"]
)
def test_everything_plain_is_the_text_as_typed(typed: str) -> None:
    assert node_of(f"key: {typed}").value[0][1].value == typed


def test_every_node_has_its_line_and_column() -> None:
    root = node_of("claim: [0404,\n  '0405']\nedicts:\n  taxation: light\n")
    (claim, labels), (edicts, levels) = root.value
    assert (root.kind, root.line, root.column) == (MAP, 1, 1)
    assert [(label.value, label.line, label.column, label.quoted) for label in labels.value] == [
        ("0404", 1, 9, False),
        ("0405", 2, 3, True),
    ]
    assert (labels.kind, edicts.line, edicts.column) == (LIST, 3, 1)
    (key, value) = levels.value[0]
    assert (key.line, key.column, value.line, value.column, value.kind) == (4, 3, 4, 13, TEXT)


def test_a_text_in_one_line_says_where_its_letters_stand() -> None:
    plain_one, quoted_one, folded, escaped = node_of("[one two, 'one two', one\n two, \"one\\ttwo\"]").value
    assert (plain_one.inner, quoted_one.inner, folded.inner, escaped.inner) == (2, 12, 0, 0)


def test_json_as_programs_write_it_is_read_with_the_places_of_what_follows() -> None:
    """A letter beyond the 65,536th is two escapes to JSON, a slash may have a backslash."""
    root = node_of(r'{"a": "Peace \ud83d\ude00\uD83D\uDE00 \u00e9 \/", "b": c}')
    assert root.value[0][1].value == "Peace \U0001f600\U0001f600 \u00e9 /"
    (key, value) = root.value[1]
    assert (key.column, value.column) == (51, 56)
    assert node_of(r"a: 'as typed: \ud83d\ude00'").value[0][1].value == r"as typed: \ud83d\ude00"
    assert node_of('a: "x \\ud83d\\ude00\n  y\\ud83d\\ude00"').value[0][1].value == "x \U0001f600 y\U0001f600"
    said = {"kingdom": "examplia", "messages": [{"to": "all", "text": '\U0001f600 \\ud83d "\U0001f600"'}]}
    assert plain(node_of(json.dumps(said))) == said


@pytest.mark.parametrize(
    "text", [r'a: "\ud83d"', r'a: "\ude00\ud83d"', r'a: "\\ud83d\ude00"', r'a: "\ud83d\ud83d"', r'a: "\ud83d\u00e9"']
)
def test_half_a_letter_of_json_is_none(text: str) -> None:
    assert [code for _, _, code in problems_of(text)] == ["escape"]


@pytest.mark.parametrize("text", ['a: "' + '\\"' * 120_000 + "\\ud83d", 'a: "\\ud83d"\n' + '"\\x' * 60_000])
def test_wrong_escapes_are_looked_at_once(text: str) -> None:
    before = time.process_time()
    assert [code for _, _, code in problems_of(text)] == ["escape"]
    assert time.process_time() - before < 2


def test_a_byte_order_mark_is_taken_off() -> None:
    assert read(b"\xef\xbb\xbfclaim: 0404", "file.yaml")[0] == node_of("claim: 0404")


def test_windows_and_old_mac_line_ends_count_as_lines() -> None:
    for end in ("\n", "\r\n", "\r"):
        assert find(node_of(f"a: 1{end}b: 2{end}"), "b").line == 2


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("a: &x 1\nb: *x\n", [(1, 4, "anchor"), (2, 4, "alias")]),
        ("a: !!python/object/apply:os.system [ls]\n", [(1, 4, "tag")]),
        ("a: !local x\nb: ! y\n", [(1, 4, "tag"), (2, 4, "tag")]),
        ("a: 1\nb: 2\na: 3\na: 4\n", [(3, 1, "duplicate_key"), (4, 1, "duplicate_key")]),
        ("a: 1\n---\nb: 2\n", [(2, 1, "documents")]),
        ("a: 1\n...\nb: 2\n", [(3, 1, "documents")]),
        ("? [a]\n: b\n? {c: d}\n: e\n", [(1, 3, "key_not_text"), (3, 3, "key_not_text")]),
        ("a:\n\tb: 1\n  \tc: 2\n", [(2, 1, "tab"), (3, 3, "tab")]),
        ("a: \x07\nb: \u202e\n", [(1, 4, "control_character"), (2, 4, "control_character")]),
        ('a: "\\0"\nb: "\\u202e"\n', [(1, 4, "control_character"), (2, 4, "control_character")]),
        ("", [(1, 1, "empty")]),
        ("# a remark\n", [(1, 1, "empty")]),
        ("---\n", [(1, 1, "empty")]),
    ],
)
def test_what_is_not_allowed_is_told_all_at_once(text: str, places: list) -> None:
    assert problems_of(text) == places


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_utf_16_is_called_so(encoding: str) -> None:
    _, problems = read("kingdom: examplia\n".encode(encoding), "file.yaml")
    assert [problem.code for problem in problems] == ["encoding"] and "UTF-16" in problems[0].message


def test_latin_1_is_called_so_at_its_first_letter() -> None:
    _, problems = read("a: 1\nb: Ch\u00e2teau\n".encode("latin-1"), "file.yaml")
    assert [str(problem) for problem in problems] == [
        "file.yaml:2:6: The file is not UTF-8 but looks like Latin-1 or Windows-1252. Save it as UTF-8."
    ]


def test_a_file_over_the_limit_is_not_looked_at() -> None:
    text = b"a: " + b"x" * LIMIT
    assert problems_of(text) == [(1, 1, "too_big")]
    assert read(text, "file.yaml", None)[0] is not None


def test_as_many_levels_as_a_person_would_write() -> None:
    assert node_of("[" * DEPTH + "]" * DEPTH).kind == LIST
    assert problems_of("[" * 5000) == [(1, DEPTH + 1, "too_deep")]
    assert problems_of("- " * 5000) == [(1, 2 * DEPTH + 1, "too_deep")]


def test_a_bomb_does_not_go_off() -> None:
    lines = ["a: &a [lol, lol]"] + [
        f"{one}: &{one} [{', '.join(f'*{before}' for _ in range(9))}]"
        for before, one in zip("abcdefghi", "bcdefghij", strict=True)
    ]
    assert {code for _, _, code in problems_of("\n".join(lines))} == {"anchor", "alias"}


def test_of_very_many_problems_the_first_are_told() -> None:
    assert len(problems_of("a: &x 1\n" * 10_000)) == MANY + 1


def test_a_broken_line_goes_on_in_the_next_where_that_is_asked_for() -> None:
    text = "build: house in Oakhold,\ninn in Oakhold\nclaim: 0404,\n0405\n"
    root, problems = parse(text.encode(), "file.yaml", rejoin=True)
    assert not problems and root is not None
    assert plain(root) == {"build": "house in Oakhold, inn in Oakhold", "claim": "0404, 0405"}
    assert problems_of(text) == [(2, 1, "colon_missing")]


@pytest.mark.parametrize(
    "text",
    [
        "a: b,\nc: d\n",
        "a:\n  - b,\n  - c\n",
        "a: b,\n# a remark\nc: d\n",
        "a: [b,\nc]\n",
        "a: {b: c,\nd: e}\n",
        'a: "b,\n  c"\n',
        "a: |\n  b,\n  c\n",
    ],
)
def test_what_yaml_reads_anyway_is_not_joined_to_something_else(text: str) -> None:
    assert plain(parse(text.encode(), "file.yaml", rejoin=True)[0]) == plain(node_of(text))


def test_a_problem_in_a_line_that_goes_on_has_the_column_that_was_typed() -> None:
    _, problems = parse(b"a: b,\n&c d\n", "file.yaml", rejoin=True)
    assert not problems, "behind a comma it is a part of the text"
    _, problems = parse(b"a: [b,\n&c d]\n", "file.yaml", rejoin=True)
    assert [(problem.line, problem.column) for problem in problems] == [(2, 1)]


def test_plain_resolves_whole_numbers_and_the_three_words_alone() -> None:
    text = "{a: 1, b: -3, c: +4, d: 0404, e: 1_000, f: true, g: no, h: null, i: ~, j: , k: '1', 5: 1.5}"
    assert plain(node_of(text)) == {
        "a": 1, "b": -3, "c": 4, "d": "0404", "e": "1_000", "f": True, "g": "no", "h": None, "i": None, "j": None,
        "k": "1", "5": "1.5",
    }  # fmt: skip
    assert plain(node_of("9" * 5000)) == "9" * 5000


def test_a_path_leads_to_its_node_or_as_near_as_the_text_goes() -> None:
    root = node_of("improve:\n  - {hex: 0404}\n  - {hex: 0405, build: farm}\nSt. Ives.x: [a]\n")
    assert find(root, "improve[1].build").value == "farm"
    assert find(root, "improve[7].build").kind == LIST
    assert find(root, "St. Ives.x[0]").value == "a"
    assert find(root, "nothing") is root
    assert find(root, "") is root


yaml_like = st.lists(
    st.sampled_from(
        list("ab1 \n\n\t:,-?[]{}#&*!|>'\"%@`\\~<=\r\ufeff\x00é")
        + ["a: ", "\n  ", "- ", ": ", "&a ", "*a", "!!x ", "---\n", "...\n", ",\n", '"\\', "null"]
    ),
    max_size=60,
).map("".join)


@given(
    st.one_of(
        yaml_like.map(str.encode),
        st.binary(max_size=200),
        st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")),
    )
)
def test_any_bytes_give_a_node_or_problems_in_place(data: bytes) -> None:
    for rejoin in (False, True):
        node, problems = parse(data, "file.yaml", rejoin=rejoin)
        assert node is not None or problems
        lines = data.decode("utf-8", "replace").splitlines() or [""]
        for problem in problems:
            assert 1 <= problem.line <= len(lines) + 1 and problem.column >= 1 and problem.message
        if node is not None and not problems:
            plain(node)
