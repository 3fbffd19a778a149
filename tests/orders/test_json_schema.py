"""The schema of an orders file and the reader of orders come to the same verdict on whatever somebody writes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from kingdom.cli.main import main
from kingdom.engine.game import Game, load
from kingdom.engine.problems import Problem
from kingdom.games.realm.game import GAME
from kingdom.orders import orders_file, tables, yaml_text
from kingdom.orders.json_schema import schema
from kingdom.orders.yaml_text import LIST, MAP, Node
from tests.games import example
from tests.games.test_every_game import GAMES
from tests.kit import ordertexts, small_realm, tiny_game
from tests.kit.examples import few
from tests.kit.orderkit import values
from tests.kit.ordertexts import NAMES, SEAT, TURN

OFFERED = {"hexes": ["0404", "0405"], "settlements": ["Oakhold"], "armies": ["First Foot"]}
# What plain words mean to the YAML reader of an editor (YAML 1.2, core schema).
CORE = (
    (re.compile(r"~|null|Null|NULL|"), lambda text: None),
    (re.compile("true|True|TRUE"), lambda text: True),
    (re.compile("false|False|FALSE"), lambda text: False),
    (re.compile("[-+]?[0-9]+"), int),
    (re.compile("0o[0-7]+"), lambda text: int(text[2:], 8)),
    (re.compile("0x[0-9a-fA-F]+"), lambda text: int(text[2:], 16)),
    (re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"), float),
)
# Where the two differ, each with the reason.
# The schema takes what an editor's reader does not show it as it was typed: a number in YAML's other ways (0x3, 3.0, 1e3), a
# label without its zero, which is the number of one with it.
NOT_AS_TYPED = re.compile(r"[-+]?0[xo][0-9a-fA-F]+|[-+]?[0-9]*\.[0-9]*|[-+]?[0-9.]+[eE][-+]?[0-9]+|[-+]?[0-9]+")
# Or what is no matter of shapes: a key twice in two spellings, letters that nobody sees, more bytes than are read.
NOT_OF_SHAPES = {"duplicate_key", "control_character", "too_big"}
# It refuses a word in a spelling that nobody would look for: with apostrophes inside, several underscores in a row, or a
# hyphen before or behind it.
ODD_WORD = re.compile(r"\w['\u2019]+\w|['\u2019]{2}|__|[-_ ]_|_[-_ ]|(?:^|\s)[-_]+\w|\w[-_]+(?:\s|$)")
# And null without quotes as a name, which is nothing to YAML.
NOTHING = re.compile("null|~", re.IGNORECASE)


@cache
def validator(offered: bool = False) -> Draft7Validator:
    made = schema(GAME, NAMES, SEAT, TURN, OFFERED if offered else {})
    Draft7Validator.check_schema(made)
    return Draft7Validator(made)


def as_an_editor(node: Node) -> Any:
    """A node as the data that an editor holds against a schema."""
    if node.kind == MAP:
        return {key.value: as_an_editor(value) for key, value in node.value}
    if node.kind == LIST:
        return [as_an_editor(item) for item in node.value]
    if node.quoted:
        return node.value
    return next((made(node.value) for form, made in CORE if form.fullmatch(node.value)), node.value)


def texts_in(node: Node) -> Iterator[Node]:
    for each in node.value if node.kind != yaml_text.TEXT else ():
        yield from (inner for part in (each if isinstance(each, tuple) else (each,)) for inner in texts_in(part))
    if node.kind == yaml_text.TEXT:
        yield node


class Verdicts:
    """What the reader and the schema say of a text that is YAML; None where it is none."""

    def __init__(self, text: str, validator: Draft7Validator):
        node, problems = yaml_text.parse(text.encode(), "orders", rejoin=True)
        self.node = None if problems else node
        if self.node is not None:
            self.problems: list[Problem] = orders_file.read(text.encode(), "orders", GAME, NAMES, SEAT, TURN).problems
            self.errors = [error.message[:300] for error in validator.iter_errors(as_an_editor(self.node))]

    @property
    def agree(self) -> bool:
        return bool(self.problems) == bool(self.errors)

    @property
    def beyond(self) -> bool:
        """Whether they differ for a reason that is told above."""
        assert self.node is not None
        texts = [*texts_in(self.node)]
        if not self.errors:
            places = {
                (text.line, text.column) for text in texts if not text.quoted and NOT_AS_TYPED.fullmatch(text.value)
            }
            return all(problem.code in NOT_OF_SHAPES or problem[1:3] in places for problem in self.problems)
        return any(ODD_WORD.search(text.value) or not text.quoted and NOTHING.fullmatch(text.value) for text in texts)

    def said(self) -> str:
        return f"reader: {[str(problem) for problem in self.problems]}\nschema: {self.errors}"


def same(text: str, offered: bool = False) -> bool:
    """Holds that both say the same of a text; gives whether it was YAML at all and could be compared."""
    found = Verdicts(text, validator(offered))
    if found.node is None:
        return False
    assert found.agree or found.beyond, f"{text}\n{found.said()}"
    return found.agree


@pytest.mark.parametrize("one_in", [4, pytest.param(1, marks=pytest.mark.long)])
def test_every_text_of_orders_that_there_is(one_in: int) -> None:
    """The contract's page, the catalogue of errors, mails, all campaigns; as they are, and as if of this kingdom and turn."""
    compared = 0
    for where, text in list(ordertexts.everything())[::one_in]:
        ours = re.sub(r"(?m)^turn: \d+", f"turn: {TURN}", re.sub(r"(?m)^kingdom: \w+", f"kingdom: {SEAT}", text))
        for each in {text, ours}:
            found = Verdicts(each, validator())
            if found.node is not None:
                assert found.agree or {problem.code for problem in found.problems} <= NOT_OF_SHAPES, (
                    f"{where}\n{found.said()}"
                )
                compared += 1
    assert compared > 450 // one_in


@pytest.mark.parametrize(
    ("order", "is_read"),
    [
        ("build: house in Oakhold water north", True),
        ("build: [house in Oakhold at A1 water north east, inn in Newford]", True),
        ("build: house in Oakhold  WATER  North", True),
        ("build: house in water north", True),
        ("build: house in Oakhold water", True),  # a name that ends so
        ("build: house in Saltwater Town", True),
        ("build: house in Oakhold water orth", False),
        ("build: [inn in Newford, house in Oakhold water north orth]", False),
        ("build: house in Oakhold water north at A1", False),
        ("build: house in Blue water Town", False),
        ("build: house in A water b water north", False),
        ("settle: Newford 0404 water orth", False),
        ("settle: Newford 0404 water north", True),
        ("armies: recruit Guard as large fighter from Oakhold with improved_armor", True),
        ("armies: recruit Guard as large fighter from Oakhold with improved_amor", False),
        ("armies: recruit Guard as large fighter from Hold with Doors with improved_armor", False),
    ],
)
def test_what_stands_behind_a_name_is_no_part_of_it(order: str, is_read: bool) -> None:
    found = Verdicts(f"kingdom: {SEAT}\nturn: {TURN}\n{order}\n", validator())
    assert (not found.problems, not found.errors) == (is_read, is_read), found.said()


def test_texts_with_slips_in_them() -> None:
    assert sum(same(text) for text in ordertexts.spoilt(1000)) > 300


@few
@given(ordertexts.made())
def test_orders_of_every_kind_in_every_form(text: str) -> None:
    found = Verdicts(text, validator())
    assert found.node is not None and not found.problems
    assert not found.errors or found.beyond, found.said()


@few
@given(ordertexts.made(), st.randoms(use_true_random=False))
def test_orders_with_a_thing_spoilt(text: str, chance: Random) -> None:
    same(ordertexts.slipped(text, chance))


@few
@given(ordertexts.made(), st.randoms(use_true_random=False))
def test_what_the_campaign_has_is_offered_and_nothing_else_refused(text: str, chance: Random) -> None:
    same(text, offered=True)
    same(ordertexts.slipped(text, chance), offered=True)


@pytest.mark.parametrize("word", ["very_long", "Very Long", "VERY-LONG", "very - long", "verylong", "very_longer"])
def test_a_word_in_every_spelling(word: str) -> None:
    assert same(f"Kingdom: {SEAT}\nTURN: {TURN}\nholiday: {word}\n")
    assert same(f"kingdom: {SEAT}\nturn: {TURN}\nEdicts: {{Holiday: '{word}'}}\n")


@pytest.mark.parametrize("weeks", ["0", "1", "52", "53", "052", "+7", "-1", "'9'", "'53'", "many"])
def test_a_number_in_its_range(weeks: str) -> None:
    head = f"kingdom: {SEAT}\nturn: {TURN}\n"
    assert same(f"{head}special: [{{edict: explore, from: Oakhold, weeks: {weeks}, toward: n}}]\n")
    bare = weeks.strip("'")
    assert same(f"{head}explore: from Oakhold for {bare} weeks toward n\n")


def test_what_stands_together_or_not() -> None:
    head = f"kingdom: {SEAT}\nturn: {TURN}\n"
    for text in ("build: [{in: Oakhold, build: inn, lot: A1, border: north}]", "build: inn in Oakhold at A1 at north",
                 "taxation: light\nedicts: {taxation: light}", "taxation: light\nedicts: {holiday: long}",
                 "build: [{in: Oakhold, build: inn, demolish: inn}]", "claim: 0404 0405", "claim: 0404, 0400", "claim: 404"):  # fmt: skip
        same(head + text + "\n")
    assert not same(f"{head}claim: 404\n"), "an editor shows 404 for 0404: the engine finds it"


def test_an_editor_shows_what_each_key_is_and_completes_its_words() -> None:
    made = schema(GAME, NAMES, SEAT, TURN, OFFERED)
    found = {
        name: made["definitions"][each["$ref"].rpartition("/")[2]]
        for name, each in made["properties"].items()
        if "$ref" in each
    }
    assert found["claim"]["description"] == 'The hexes to claim, such as `["0404"]`.'
    assert set(made["properties"]) == {*GAME.orders.keys, *GAME.orders.short_keys}
    offered = {word for each in enums(made) for word in each}
    assert {"0404", "Oakhold", "First Foot", "borderia", "very_long", "improved_weapons"} <= offered
    assert made["properties"]["kingdom"]["anyOf"][0] == {"enum": [SEAT]}


def enums(made: Any) -> Iterator[list]:
    if isinstance(made, dict):
        if isinstance(made.get("enum"), list):
            yield made["enum"]
        for each in made.values():
            yield from enums(each)
    elif isinstance(made, list):
        for each in made:
            yield from enums(each)


def test_a_player_gets_the_names_that_the_seat_knows_and_no_other(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A file that goes to a player holds no land that nobody of its kingdom has seen, and no name of another's town or army."""
    folder = small_realm.played(tmp_path / "fords", 1)
    shown = {}
    for seat in ("examplia", "borderia", "gm", None):
        words = ["schema", "--campaign", str(folder), *(["--seat", seat] if seat else [])]
        capfd.readouterr()
        assert main(words) == 0
        shown[seat] = {word for each in enums(json.loads(capfd.readouterr().out)) for word in each}
    labels = {seat: {word for word in words if re.fullmatch("[0-9]{4}", str(word))} for seat, words in shown.items()}
    assert labels["examplia"] < labels["gm"] and labels["examplia"] != labels["borderia"] and len(labels[None]) == 24
    assert (
        "Oakhold" in shown["examplia"] and "Fordham" not in shown["examplia"] and {"Oakhold", "Fordham"} <= shown[None]
    )


def test_a_file_of_it_stands_beside_the_orders(tmp_path: Path) -> None:
    file = tmp_path / orders_file.SCHEMA_FILE
    assert main(["schema", "--to", str(file)]) == 0
    check = Draft7Validator(json.loads(file.read_text(encoding="utf-8")))
    assert not list(check.iter_errors({"kingdom": "anybody", "turn": 7, "claim": "0404 0405"}))
    assert list(check.iter_errors({"kingdom": "anybody", "turn": 7, "clam": "0404"}))
    assert f"# yaml-language-server: $schema={file.name}" == orders_file.EDITOR_LINE


def test_the_gms_orders_have_a_schema() -> None:
    made = schema(GAME, NAMES, "gm", TURN)
    Draft7Validator.check_schema(made)
    text = re.findall(
        r"```yaml\n(turn: 3\ngm:.*?)```", (ordertexts.ROOT / "docs/contract.md").read_text(encoding="utf-8"), re.DOTALL
    )[0]
    node, _ = yaml_text.parse(text.encode(), "gm.yaml")
    assert node is not None and not list(Draft7Validator(made).iter_errors(as_an_editor(node)))
    wrong = as_an_editor(node)
    wrong["gm"][0]["account"] = "gold"
    assert list(Draft7Validator(made).iter_errors(wrong))


@pytest.mark.parametrize("name", GAMES)
@few
@given(st.data())
def test_every_game_has_one_that_takes_its_orders(name: str, data: st.DataObject) -> None:
    tiny_game.register()
    with example.found():
        game, names, check = of_game(name)
    value = {**data.draw(values(game.orders, names)), "kingdom": "ann", "turn": 1}
    for text in (orders_file.write(value), orders_file.write_short(value, game)):
        node, _ = yaml_text.parse(text.encode(), "orders", rejoin=True)
        assert node is not None and not orders_file.read(text.encode(), "orders", game, names, "ann", 1).problems
        errors = [error.message[:300] for error in check.iter_errors(as_an_editor(node))]
        assert not errors or any(not each.quoted and NOTHING.fullmatch(each.value) for each in texts_in(node)), (
            f"{text}\n{errors}"
        )
        assert list(check.iter_errors({**as_an_editor(node), "no_key_of_ours": 1}))


@cache
def of_game(name: str) -> tuple[Game, dict[str, Any], Draft7Validator]:
    game = load(name)
    names = {**game.names(tables.load(game).rules), "seats": ("ann", "bob")}
    return game, names, Draft7Validator(schema(game, names))
