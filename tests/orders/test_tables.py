"""Tables and rulings: what loads, what a campaign may change, what is refused and in which words, what is kept.

The game of these tests is an inn: its rooms, its dishes and the ruling `tips`.
"""

from __future__ import annotations

import os
import textwrap
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from kingdom.engine import problems
from kingdom.engine.problems import Faults
from kingdom.orders import cache, tables, yaml_text

Coins = Annotated[int, Meta(ge=0, le=100)]
RoomName = Annotated[str, Meta(extra={"of": ("rooms",)})]
DishName = Annotated[str, Meta(extra={"of": ("dishes",), "or": ("anything",)})]


class Heats(Struct, frozen=True, forbid_unknown_fields=True, tag="heats", tag_field="code"):
    degrees: Coins


class Quiet(Struct, frozen=True, forbid_unknown_fields=True, tag="quiet", tag_field="code"):
    pass


class Key(Struct, frozen=True, forbid_unknown_fields=True):
    letter: str


class Room(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    price: Coins | None
    number: Annotated[str, Meta(extra={"once": True})]
    floor: Literal["ground", "upper"] = "ground"
    beside: tuple[RoomName, ...] = ()
    serves: dict[RoomName, tuple[DishName, ...]] = {}
    above: RoomName = ""
    beds: Literal[1, 2] = 1
    heated: bool = False
    key: Key | None = None
    effects: tuple[Heats | Quiet, ...] = ()
    notes: dict[str, Any] = {}

    def __post_init__(self) -> None:
        if self.floor == "upper" and not self.above:
            raise ValueError("a room on the upper floor is above another")


class Dish(Struct, frozen=True, forbid_unknown_fields=True):
    price: Coins


class Ruling(Struct, frozen=True, forbid_unknown_fields=True):
    text: str


class Tips(Ruling, frozen=True):
    most: Coins


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    rooms: dict[str, Room]
    dishes: dict[str, Dish]
    order: tuple[Dish, ...]
    tips: Tips
    manners: Ruling
    garden: Ruling | None = None  # came with a later version; null is off


ROOMS = """\
rooms:
  hall: {name: Hall, price: 10, number: "1", effects: [{code: heats, degrees: 20}]}
  attic: {name: Attic, price: null, number: "2", floor: upper, above: hall, beside: [hall], effects: [{code: quiet}]}
"""
REST = """\
dishes: {stew: {price: 3}, bread: {price: 1}}
order:
  - {price: 4}
tips: {text: "Tips go up to the most.", most: 5}
manners: {text: "Hats off."}
"""


@pytest.fixture
def inn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The game, its tables in a folder of the test's, and a cache of its own."""
    monkeypatch.setenv("KINGDOM_CACHE", str(tmp_path / "cache"))
    game = SimpleNamespace(name="inn", Rules=Rules, data=tmp_path / "data")
    game.data.mkdir()
    write(game, rooms=ROOMS, rest=REST)
    return game


def write(game: Any, **files: str) -> None:
    for name, text in files.items():
        (game.data / f"{name}.yaml").write_text(text)


def load(game: Any, overrides: str = "") -> tables.Tables:
    if not overrides:
        return tables.load(game)
    node, problems = yaml_text.read(textwrap.dedent(overrides).encode(), "campaign.yaml")
    assert not problems
    return tables.load(game, node)


def wrong(game: Any, overrides: str = "") -> list[str]:
    """What is said to be wrong, without the folder of the data."""
    with pytest.raises(Faults) as raised:
        load(game, overrides)
    return [str(problem).removeprefix(f"{game.data}").removeprefix("/") for problem in raised.value.problems]


# --- the game's own tables -------------------------------------------------------------------------------------------


def test_all_files_together_are_the_rules(inn: Any) -> None:
    loaded = load(inn)
    assert loaded.rules.rooms["hall"] == Room("Hall", 10, "1", effects=(Heats(20),))
    assert loaded.rules.order == (Dish(4),)
    assert loaded.changed == ()
    assert list(loaded.data) == ["rooms", "dishes", "order", "tips", "manners"]


def test_a_table_may_stand_in_any_file_and_the_digest_stays(inn: Any) -> None:
    before = load(inn).digest
    write(inn, rooms=REST, rest=ROOMS)
    assert load(inn).digest == before
    write(inn, rest=ROOMS.replace("price: 10", "price: 11"))
    assert load(inn).digest != before


OWN = {
    "a table nobody knows": (
        "rest", REST + "dihses: {}\n",
        "rest.yaml:6:1: `dihses` is not a key here. Did you mean `dishes`?",
    ),
    "a missing table": ("rest", REST.replace("manners", "#"), ":1:1: The table or ruling `manners` is missing."),
    "a table twice": (
        "zoo", "dishes: {}\n",
        "zoo.yaml:1:1: The table or ruling `dishes` stands in {data}/rest.yaml too. Keep one.",
    ),
    "a missing figure": (
        "rest", REST.replace("most: 5", ""),
        "rest.yaml:4:7: `most` is missing (needed in tips). Write it like `most: 1`.",
    ),
    "an unknown effect": (
        "rooms", ROOMS.replace("code: heats", "code: heat"),
        "rooms.yaml:2:63: `heat` is unknown here (code of rooms.hall.effects). Did you mean `heats`?",
    ),
    "an unused effect": (
        "rooms", ROOMS.replace("{code: quiet}", "{code: heats, degrees: 1}"),
        ":1:1: No row uses the effect code `quiet` of the vocabulary.",
    ),
    "a name that dangles": (
        "rooms", ROOMS.replace("beside: [hall]", "beside: [hal]"),
        "rooms.yaml:3:86: `hal` is unknown here (beside of rooms.attic). Did you mean `hall`?",
    ),
    "one number for two rooms": (
        "rooms", ROOMS.replace('"2"', '"1"'),
        "rooms.yaml:3:45: `1` is the number of hall already. Each row of rooms needs its own.",
    ),
    "a list of tables": (
        "zoo", "- dishes\n",
        "zoo.yaml:1:1: This must be `key: value` (the tables), such as `table: {{...}}`.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OWN)
def test_the_games_own_files_are_refused_with(name: str, inn: Any) -> None:
    file, text, said = OWN[name]
    write(inn, **{file: text})
    assert wrong(inn) == [said.format(data=inn.data)]


def test_a_file_that_is_no_yaml_is_named_with_its_line_and_column(inn: Any) -> None:
    write(inn, zoo="dishes: {\n")
    assert wrong(inn)[0].startswith("zoo.yaml:1:9: ")


# --- what a campaign changes -----------------------------------------------------------------------------------------


def test_maps_merge_and_lists_are_replaced(inn: Any) -> None:
    changed = load(
        inn,
        """\
        rooms:
          Hall: {price: 12, key: {letter: h}, notes: {size: 3}}
          attic: {beside: [], above: hall, effects: [{code: heats, degrees: 3}, {code: quiet}]}
        order: [{price: 1}, {price: 2}]
        tips: {most: 5}
        """,
    )
    hall, attic = changed.rules.rooms["hall"], changed.rules.rooms["attic"]
    assert hall == Room("Hall", 12, "1", effects=(Heats(20),), key=Key("h"), notes={"size": 3})
    assert attic == Room("Attic", None, "2", "upper", above="hall", effects=(Heats(3), Quiet()))
    assert changed.rules.order == (Dish(1), Dish(2))
    assert changed.changed == (
        "rooms.hall.price", "rooms.hall.key.letter", "rooms.hall.notes.size",
        "rooms.attic.beside", "rooms.attic.effects", "order",
    )  # fmt: skip
    assert changed.digest != load(inn).digest
    assert load(inn).rules.rooms["hall"].price == 10


def test_null_takes_away_what_may_be_absent(inn: Any) -> None:
    changed = load(inn, "rooms: {hall: {price: null, key: ~, above: ''}, attic: {above: hall}}")
    assert changed.rules.rooms["hall"].price is None
    assert changed.rules.rooms["hall"].above == ""


def test_words_are_read_without_regard_to_case_and_hyphens(inn: Any) -> None:
    changed = load(inn, "rooms: {HALL: {Floor: Ground, beds: 2, heated: yes, beside: [Attic]}}")
    assert changed.rules.rooms["hall"].beside == ("attic",)
    assert changed.rules.rooms["hall"].beds == 2
    assert changed.rules.rooms["hall"].heated is True


@pytest.mark.parametrize("nothing", ["~", "{}", "null"])
def test_no_overrides_are_the_games_own_rules(nothing: str, inn: Any) -> None:
    assert load(inn, nothing) == load(inn)


def test_house_content_is_added_to_keyed_tables(inn: Any) -> None:
    changed = load(
        inn,
        """\
        rooms: {hall: {beside: [wine_cellar]}}
        add: {rooms: {wine_cellar: {price: 1, number: "3"}, snug: {name: The Snug, price: 2, number: "4"}}}
        """,
    )
    assert changed.rules.rooms["wine_cellar"].name == "Wine Cellar"
    assert changed.rules.rooms["snug"].name == "The Snug"
    assert changed.rules.rooms["hall"].beside == ("wine_cellar",)
    assert changed.changed == ("rooms.hall.beside", "rooms.wine_cellar", "rooms.snug")


REFUSED = {
    "not a map": ("5", "1:1: This must be `key: value` (what this campaign changes), such as `{rooms: ...}`."),
    "a misspelt table": ("romms: {}", "1:1: `romms` is not a key here. Did you mean `rooms`?"),
    "a table nobody knows": (
        "weather: {}",
        "1:1: `weather` is not a key here. Known are: rooms, dishes, order, tips, manners, garden, add.",
    ),
    "a misspelt row": (
        "rooms: {hal: {price: 3}}",
        "1:9: `hal` is not in rooms. Did you mean `hall`? What is new goes under `add: {rooms: ...}`.",
    ),
    "a misspelt figure": ("rooms: {hall: {prize: 3}}", "1:16: `prize` is not a key here. Did you mean `price`?"),
    "a misspelt figure of a ruling": ("tips: {mots: 3}", "1:8: `mots` is not a key here. Did you mean `most`?"),
    "the same word twice in a line": (
        "tips: {most: 1, MOST: 2}",
        "1:17: `most` stands here a second time; it stood in line 1. Keep one.",
    ),
    "the same word twice": (
        "tips:\n  most: 1\n  Most: 2",
        "3:3: `most` stands here a second time; it stood in line 2. Keep one.",
    ),
    "the text of a ruling": (
        "tips: {text: x}",
        "1:8: The text of a ruling can't be changed: it says what the program does.",
    ),
    "a fixed ruling": (
        "manners: {most: 3}",
        "1:1: The ruling `manners` has no figures, so nothing of it can be changed.",
    ),
    "a ruling that is no map": ("tips: 3", "1:7: This must be `key: value` (tips), such as `{most: ...}`."),
    "no number": (
        "tips: {most: many}",
        "1:14: `many` is not a whole number (most of tips). Write digits alone, such as `5`.",
    ),
    "a number with a fraction": (
        "tips: {most: 1.5}",
        "1:14: `1.5` is not a whole number (most of tips). Write digits alone, such as `5`.",
    ),
    "too large a number": ("tips: {most: 101}", "1:14: 101 is out of range (most of tips): 0 to 100 are allowed."),
    "null where there must be something": (
        "tips: {most: null}",
        "1:14: `null` is not a whole number (most of tips). Write digits alone, such as `5`.",
    ),
    "no truth value": (
        "rooms: {hall: {heated: warm}}",
        "1:24: `warm` is neither true nor false (heated of rooms.hall). Write `true` or `false`.",
    ),
    "a word outside its list": (
        "rooms: {hall: {floor: uper}}",
        "1:23: `uper` is unknown here (floor of rooms.hall). Did you mean `upper`?",
    ),
    "a number outside its list": (
        "rooms: {hall: {beds: 3}}",
        "1:22: `3` is unknown here (beds of rooms.hall). Known are: 1, 2.",
    ),
    "a text that is a list": (
        "rooms: {hall: {name: [a]}}",
        "1:22: This must be a text (name of rooms.hall), such as `Hall`.",
    ),
    "no list": (
        "rooms: {hall: {beside: attic}}",
        "1:24: This must be a list (beside of rooms.hall), such as `[hall]`.",
    ),
    "a row that is no map": (
        "rooms: {hall: 3}",
        "1:15: This must be `key: value` (hall of rooms), such as `{name: ...}`.",
    ),
    "a table that is no map": ("rooms: [hall]", "1:8: This must be `key: value` (rooms), such as `{...}`."),
    "a dangling name": (
        "rooms: {hall: {beside: [atic]}}",
        "1:25: `atic` is unknown here (beside of rooms.hall). Did you mean `attic`?",
    ),
    "a dangling key": (
        "rooms: {hall: {serves: {atic: [stew]}}}",
        "1:25: `atic` is unknown here (serves of rooms.hall). Did you mean `attic`?",
    ),
    "a dangling name behind it": (
        "rooms: {hall: {serves: {attic: [stew, anything, bred]}}}",
        "1:49: `bred` is unknown here (attic of rooms.hall.serves). Did you mean `bread`?",
    ),
    "an unknown effect": (
        "rooms: {hall: {effects: [{code: heat, degrees: 2}]}}",
        "1:33: `heat` is unknown here (code of rooms.hall.effects). Did you mean `heats`?",
    ),
    "an effect without a code": (
        "rooms: {hall: {effects: [{degrees: 2}]}}",
        "1:26: `code` is missing (needed in rooms.hall.effects[0]). Write it like `code: heats`.",
    ),
    "an effect without its figure": (
        "rooms: {hall: {effects: [{code: heats}]}}",
        "1:26: `degrees` is missing (needed in rooms.hall.effects[0]). Write it like `degrees: 1`.",
    ),
    "a figure that an effect has not": (
        "rooms: {hall: {effects: [{code: quiet, degrees: 1}]}}",
        "1:40: `degrees` is not a key here.",
    ),
    "an effect that is a word": (
        "rooms: {hall: {effects: [quiet]}}",
        "1:26: This must be `key: value` (effects of rooms.hall), such as `{code: heats}`.",
    ),
    "a row of a list that is not whole": (
        "order: [{}]",
        "1:9: `price` is missing (needed in order[0]). Write it like `price: 1`.",
    ),
    "what can't be so": (
        "rooms: {attic: {above: ''}}",
        "1:16: This can't be so (rooms.attic): a room on the upper floor is above another.",
    ),
    "a number that another room has": (
        'rooms: {attic: {number: "1"}}',
        "1:25: `1` is the number of hall already. Each row of rooms needs its own.",
    ),
    "an addition that is not whole": (
        'add: {rooms: {snug: {number: "3"}}}',
        "1:21: `price` is missing (needed in add.rooms.snug). Write it like `price: 1`.",
    ),
    "an addition that is there": (
        "add: {rooms: {hall: {}}}",
        "1:15: `hall` is in rooms already. Change it outside `add`: `rooms: {hall: ...}`.",
    ),
    "an addition with a taken number": (
        'add: {rooms: {snug: {price: 1, number: "1"}}}',
        "1:40: `1` is the number of hall already. Each row of rooms needs its own.",
    ),
    "an addition with no proper id": (
        'add: {rooms: {"a/b": {}}}',
        "1:15: `a/b` will not do (a new id in rooms). Write it like `my_own`.",
    ),
    "an addition to a ruling": ("add: {tips: {}}", "1:7: Nothing can be added to `tips`. Known are: rooms, dishes."),
    "an addition to a misspelt table": (
        "add: {dishs: {}}",
        "1:7: Nothing can be added to `dishs`. Did you mean `dishes`?",
    ),
    "additions that are no map": (
        "add: [snug]",
        "1:6: This must be `key: value` (what this campaign adds), such as `{rooms: ...}`.",
    ),
    "rows that are no map": (
        "add: {rooms: snug}",
        "1:14: This must be `key: value` (what is added to rooms), such as `{my_own: {name: ...}}`.",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_override_is_refused_that_is(name: str, inn: Any) -> None:
    text, said = REFUSED[name]
    assert wrong(inn, text) == [f"campaign.yaml:{said}"]


def test_all_problems_are_told_at_once_in_the_order_of_the_text(inn: Any) -> None:
    said = wrong(inn, """\
        add: {rooms: {snug: {}}}
        tips: {most: lots, last: 1}
        rooms: {attic: {beside: [hall, cellar], floor: 3}}
        """)  # fmt: skip
    places = [line.removeprefix("campaign.yaml:").split(": ")[0] for line in said]
    assert places == ["1:21", "1:21", "2:14", "2:20", "3:32", "3:48"]


def test_a_problem_says_its_path_from_the_top_of_the_campaign(inn: Any) -> None:
    with pytest.raises(Faults) as raised:
        load(inn, "rooms: {hall: {beside: [attic, atic]}}")
    problem = raised.value.problems[0]
    assert (problem.path, problem.code, problem.hint) == ("rules.rooms.hall.beside[1]", "unknown_word", "attic")


# --- what is kept with a turn ----------------------------------------------------------------------------------------

HOUSE = """\
tips: {most: 9}
add: {rooms: {snug: {name: "Über \\u2028 'x': {#", price: 1, number: "no", notes: {yes: "0404", deep: [{a: null}, true]}}}}
"""


def test_kept_rules_are_the_rules(inn: Any) -> None:
    for used in (load(inn), load(inn, HOUSE)):
        again = tables.kept(inn, tables.dump(used))
        assert (again.rules, again.json, again.digest) == (used.rules, used.json, used.digest)


def test_kept_rules_read_well(inn: Any) -> None:
    assert tables.dump(load(inn, "tips: {most: 9}")) == textwrap.dedent("""\
        # Every table and ruling as this turn used it.
        # Changed by the campaign: tips.most
        rooms:
          hall: {name: Hall, price: 10, number: "1", effects: [{code: heats, degrees: 20}]}
          attic: {name: Attic, price: null, number: "2", floor: upper, above: hall, beside: [hall], effects: [{code: quiet}]}
        dishes:
          stew: {price: 3}
          bread: {price: 1}
        order:
          - {price: 4}
        tips:
          text: Tips go up to the most.
          most: 9
        manners:
          text: Hats off.
        """)


def test_a_ruling_that_came_later_is_off_in_kept_rules(inn: Any) -> None:
    assert tables.kept(inn, ROOMS + REST).rules.garden is None


def test_kept_rules_that_somebody_edited_are_refused(inn: Any) -> None:
    with pytest.raises(Faults) as raised:
        tables.kept(
            inn,
            (ROOMS + REST).replace("price: 10", "price: ten").replace("manners:", "maners:"),
            "turns/0001/rules.yaml",
        )
    assert [str(problem) for problem in raised.value.problems] == [
        "turns/0001/rules.yaml:1:1: The table or ruling `manners` is missing.",
        "turns/0001/rules.yaml:2:29: `ten` is not a whole number (price of rooms.hall). Write digits alone, such as `1`.",
        "turns/0001/rules.yaml:8:1: `maners` is not a key here. Did you mean `manners`?",
    ]


# --- the cache -------------------------------------------------------------------------------------------------------


def kept_files(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache").glob("*"))


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """No text can be read any more: what still loads comes from the cache."""

    def read(*given: Any, **named: Any) -> None:
        raise AssertionError("a text was read")

    monkeypatch.setattr(yaml_text, "read", read)


def test_the_second_load_reads_no_yaml(inn: Any, request: pytest.FixtureRequest) -> None:
    used = load(inn)
    text = tables.dump(used)
    tables.kept(inn, text)
    node, _ = yaml_text.read(HOUSE.encode(), "campaign.yaml")
    changed = tables.load(inn, node)
    request.getfixturevalue("unread")
    assert load(inn) == used
    assert tables.load(inn, node) == changed
    assert tables.kept(inn, text) == used
    assert tables.dump(used) == text
    write(inn, rest=REST.replace("most: 5", "most: 6"))
    with pytest.raises(AssertionError, match="a text was read"):
        load(inn)


def test_the_cache_can_be_switched_off(inn: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KINGDOM_CACHE", "off")
    assert tables.kept(inn, tables.dump(load(inn))) == load(inn)
    assert kept_files(tmp_path) == []


def spoil(how: str, file: Path) -> None:
    """Make the kept file what it should not be."""
    content = file.read_bytes()
    if how == "cut":
        file.write_bytes(content[:-40])
    elif how == "changed":
        file.write_bytes(content.replace(b'"price":10', b'"price":99'))
    elif how == "empty":
        file.write_bytes(b"")
    elif how == "of another vocabulary":
        cache.put(file.name, b'[]\n{"rooms":{"hall":{"doors":2}}}')
    elif how == "no JSON":
        cache.put(file.name, b"\xff\xfe")
    elif how == "writable by others":
        cache.put(file.name, content[65:].replace(b'"price":10', b'"price":99'))
        file.chmod(0o666)
    elif how == "huge":
        with file.open("ab") as tail:
            tail.truncate(5 << 20)
    else:
        file.unlink()
        {"a folder": file.mkdir, "a pipe": lambda: os.mkfifo(file), "a link": lambda: file.symlink_to("/dev/zero")}[
            how
        ]()


SPOILT = [
    "cut",
    "changed",
    "empty",
    "of another vocabulary",
    "no JSON",
    "writable by others",
    "huge",
    "a folder",
    "a pipe",
    "a link",
]


@pytest.mark.parametrize("how", SPOILT)
def test_a_spoilt_cache_is_as_none(how: str, inn: Any, tmp_path: Path) -> None:
    used = load(inn)
    (file,) = kept_files(tmp_path)
    spoil(how, file)
    assert load(inn) == used


def test_a_cache_that_cannot_be_written_is_as_none(inn: Any, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert load(inn).rules.rooms["hall"].price == 10


def test_a_full_cache_is_emptied_of_what_is_its_own_but_for_templates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KINGDOM_CACHE", str(tmp_path))
    (tmp_path / "somebody's").write_text("")
    cache.put(f"{cache.TEMPLATE}1", b"x")
    for number in range(cache.MOST_FILES + 1):
        cache.put(f"kingdom-{number}", b"x")
    left = [f"kingdom-{cache.MOST_FILES}", f"{cache.TEMPLATE}1", "somebody's"]
    assert sorted(path.name for path in tmp_path.iterdir()) == left
    assert cache.get(f"kingdom-{cache.MOST_FILES}") == b"x"


def test_of_very_many_mistakes_the_first_are_told_and_no_more_words_are_compared(
    inn: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = []
    monkeypatch.setattr(problems, "nearest", lambda word, choices: compared.append(word) or "")
    for rules in ("{%s}", "{rooms: {%s}}", "{add: {%s}}", "{tips: {%s}}"):
        compared.clear()
        told = wrong(inn, rules % ", ".join(f"hal{number}: {{}}" for number in range(5000)))
        assert len(told) == problems.MANY + 1 and told[-1].endswith(
            "There are 4900 more problems below. Fix the ones above first."
        )
        assert 0 < len(compared) <= problems.MANY + 1


def test_rules_survive_json(inn: Any) -> None:
    used = load(inn, HOUSE)
    assert msgspec.json.decode(msgspec.json.encode(used.rules), type=Rules) == used.rules
