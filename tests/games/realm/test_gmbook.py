"""The GM's book: what needs a ruling, who filed, what changed most, and that what it has ready to copy is what it says."""

from __future__ import annotations

import html
import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import given

from kingdom.engine.ledger import Entry
from kingdom.games.realm.game import GAME
from kingdom.games.realm.report.events import lasting_changes
from kingdom.games.realm.report.gm_book import CHANGES, LINES, biggest_changes, gm_view
from kingdom.games.realm.state import Event, Modifier, Request, World, replace
from kingdom.orders import orders_file
from tests.games.realm.kit import rules_of, run
from tests.games.realm.reportkit import FACTS, files_of, the_files, the_turn, turn_of, words
from tests.games.realm.worlds import filings, worlds
from tests.kit.examples import few

RULES = rules_of()
NAMES = {**GAME.names(RULES), "seats": ("examplia", "borderia", "cravonia")}


def with_requests(*texts: str) -> Any:
    """The turn, with these requests of Examplia open after it."""
    result = the_turn()
    examplia = replace(result.after.kingdoms["examplia"], requests=tuple(Request(1, text) for text in texts))
    return result._replace(after=replace(result.after, kingdoms={**result.after.kingdoms, "examplia": examplia}))


# --- what needs a ruling


@pytest.mark.parametrize(
    "text", ["May I dig?", 'a: "b" # c\n- {d}', "\u202eback\u2028wards\x00 \t", "王国の民" * 40, "W" * 300, "`@%&*!|>'"]
)
def test_the_orders_that_are_ready_are_orders_whatever_was_asked(text: str) -> None:
    page = files_of(with_requests(text, "And more?"))["gm.html"]
    ready = re.search(r"<pre>(turn: 2\n.*?)</pre>", page, re.DOTALL)
    assert ready
    plain = html.unescape(ready[1])
    for typed, offered in (
        (plain, False),
        (re.sub("(?m)^#", "", plain), True),
    ):  # as it stands, and with all that is only offered
        found = orders_file.read(typed.encode(), "gm.yaml", GAME, NAMES, "gm", 2)
        assert found.problems == []
        assert [(each["to"], each["answers"]) for each in found.orders["tell"]] == [("examplia", 1), ("examplia", 2)]
        assert ("gm" in found.orders) == offered


def test_an_answer_that_is_ready_answers_the_request_that_it_names() -> None:
    asked = turn_of(the_turn().after, {"gm": {"tell": [{"to": "examplia", "answers": 1, "text": "The heir smiles."}]}})
    assert asked.after.kingdoms["examplia"].requests == ()
    assert (
        "ready to be filled in" not in files_of(asked)["gm.html"]
        and "No request is open." in files_of(asked)["gm.html"]
    )


def test_ruling_requests_it_says_which_request_the_next_turn_closes() -> None:
    result = with_requests("May I dig?", "And now?")._replace(number=4)
    page = words(files_of(result)["gm.html"])
    assert page.count("Turn 5 closes it if it is not answered by then.") == 2
    page = words(files_of(result._replace(number=3))["gm.html"])
    assert "closes it" not in page


def test_ruling_requests_it_says_which_requests_were_closed() -> None:
    before = replace(with_requests("May I dig?").after, turn=4)
    result = turn_of(before, {})
    page = words(files_of(result)["gm.html"])
    assert (
        'The request of Examplia of turn 1 was not answered in 4 turns and is closed (ruling requests): "May I dig?"'
        in page
    )
    assert "No request is open." in page


# --- who filed


def test_it_says_who_filed_who_was_silent_and_for_whom_a_bot_filed() -> None:
    page = words(
        files_of(the_turn(), FACTS._replace(bots={"borderia": "trader"}, silent={"cravonia": 2, "borderia": 1}))[
            "gm.html"
        ]
    )
    assert "Borderia borderia a bot (trader), 1 turn silent" in page
    assert "Cravonia cravonia nobody, 2 turns silent None came in" in page
    assert "Examplia examplia Ada" in page


# --- what changed most


def changes(**numbers: tuple[int, int]) -> dict[str, Any]:
    rows = [
        {"key": key, "name": key, "before": old, "after": new, "change": new - old}
        for key, (old, new) in numbers.items()
    ]
    return {"seat": "examplia", "name": "Examplia", "numbers": rows}


def booked(account: str, *causes: tuple[str, int]) -> dict[str, list[Entry]]:
    return {"examplia": [Entry(1, 1, "edict", "build", "examplia", account, by, 0, cause, "") for cause, by in causes]}


def test_the_largest_change_against_what_was_comes_first() -> None:
    found = biggest_changes([changes(treasury=(100, 110), unrest=(1, 3), economy=(20, 20), control_dc=(10, 30))], {})
    assert [row["key"] for row in found] == ["unrest", "treasury"]


def test_of_each_account_only_the_largest_are_told() -> None:
    kingdoms = [changes(unrest=(0, by)) for by in (1, 5, 3)]
    assert [row["after"] for row in biggest_changes(kingdoms, {})] == [5, 3]


def test_a_change_names_the_causes_that_made_most_of_it() -> None:
    entries = booked("treasury", ("claim", -1), ("taxes", 9), ("build", -6), ("claim", -1), ("works", 3), ("trade", 1))
    (row,) = biggest_changes([changes(treasury=(10, 15))], entries)
    assert row["why"] == "taxes +9, build -6, works +3, 2 more -1"


@few
@given(worlds(), filings())
def test_whatever_the_turn_the_changes_are_those_of_the_sheets(world: World, filed: dict[str, Any]) -> None:
    result = run(world, filed)
    view = gm_view(result, RULES)
    assert (
        len(view["changes"]) <= LINES
        and max(Counter(row["key"] for row in view["changes"]).values(), default=0) <= CHANGES
    )
    rows = {(kingdom["name"], row["key"]): row for kingdom in view["kingdoms"] for row in kingdom["numbers"]}
    for row in view["changes"]:
        assert row["change"] == rows[row["kingdom"], row["key"]]["change"] != 0
        assert sum(int(by) for by in re.findall(r" ([+-]\d+)(?:,|$)", row["why"])) == row["change"]


# --- the page


def test_no_id_stands_twice_and_every_link_leads_somewhere() -> None:
    ids = re.findall(r' id="([^"]+)"', the_files()["gm.html"])
    assert [name for name, count in Counter(ids).items() if count > 1] == []
    assert set(re.findall(r'href="#([^"]+)"', the_files()["gm.html"])) <= set(ids)


def test_it_has_one_heading_above_all_and_the_ruling_comes_first() -> None:
    page = the_files()["gm.html"]
    assert page.count("<h1") == 1
    heads = re.findall(r'<h2 id="(\w+)"', page)
    assert heads[:5] == ["requests", "came", "refused", "secrets", "changes"] and heads[-2:] == ["dice", "told"]


# --- what lasts


def test_each_line_of_what_lasts_ends_its_row_and_no_other() -> None:
    """The lines of the table are copied one by one into gm.yaml and played; each takes its row away."""
    plague = Event("plague", 0, "0404", "", {"until": 9}, done=True)
    mine = (
        Modifier("stability", -4, "plague", "Plague in 0404", event="plague-1", ends=9),
        Modifier("stability", -3, "army_defeated", "First Foot", ends=12),
        Modifier("loyalty", 2, "grant", "a feast", lasting=True),
        Modifier("economy", 1, "aid", "aid from Borderia"),
    )
    world = the_turn().after
    examplia = replace(world.kingdoms["examplia"], modifiers=mine, events={"plague-1": plague})
    world = replace(world, kingdoms={**world.kingdoms, "examplia": examplia})
    rows = lasting_changes(world, RULES)
    assert [(row["kingdom"], row["what"], row["changes"]) for row in rows] == [
        ("Examplia", "Plague in 0404", ["Stability -4 until turn 9 begins"]),
        ("Examplia", "Army defeated", ["Stability -3 until turn 12 begins"]),
        ("Examplia", "Grant", ["Loyalty +2"]),
    ]
    for row in rows:
        typed = f"turn: {world.turn + 1}\ngm:\n  {row['order']}\n"
        found = orders_file.read(typed.encode(), "gm.yaml", GAME, NAMES, "gm", world.turn + 1)
        assert found.problems == []
        after = run(world, {"gm": found.orders}, RULES, steps="gm_orders").after
        assert lasting_changes(after, RULES) == [other for other in rows if other is not row]


def test_the_book_has_one_table_of_what_lasts() -> None:
    result = the_turn()
    examplia = replace(
        result.after.kingdoms["examplia"], modifiers=(Modifier("loyalty", 2, "grant", "a feast", lasting=True),)
    )
    after = replace(result.after, kingdoms={**result.after.kingdoms, "examplia": examplia})
    page = words(files_of(result._replace(after=after))["gm.html"])
    assert 'Examplia Grant Loyalty +2 - {end: grant, of: examplia, reason: "..."}' in page
    assert page.count("What lasts") == 1
