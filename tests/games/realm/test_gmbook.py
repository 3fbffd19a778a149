"""The GM's book: what needs a ruling, who filed, what changed most, and that what it has ready to copy is what it says."""

from __future__ import annotations

import html
import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.engine.ledger import Entry
from kingdom.engine.step import Notice
from kingdom.games.realm.forecast.words import percent
from kingdom.games.realm.game import GAME
from kingdom.games.realm.report.events import lasting_changes
from kingdom.games.realm.report.gm_book import CHANGES, LINES, biggest_changes, gm_view, outlook_of
from kingdom.games.realm.report.parts import shared
from kingdom.games.realm.report.view import seat_view
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
        "Your orders as one file" not in files_of(asked)["gm.html"]
        and "No request is open." in files_of(asked)["gm.html"]
    )


def test_ruling_requests_it_says_which_request_the_next_turn_closes() -> None:
    result = with_requests("May I dig?", "And now?")._replace(number=4)
    page = words(files_of(result)["gm.html"])
    assert page.count("Turn 5 closes it if you don't answer by then.") == 2
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


def test_what_an_expedition_found_needs_no_ruling_and_is_told_by_names() -> None:
    result = the_turn()
    found = Notice(
        "news", "", "", "gm", {"hex": "0405", "text": "explore-1 of examplia found in 0405: nothing hidden."}
    )
    book = files_of(result._replace(notices=[*result.notices, found]))["gm.html"]
    ruling, rest = book.split('<h2 id="notes">')
    assert "found in 0405" not in ruling and '<h2 id="requests">' in ruling
    assert "<li><bdi>Expedition 1 of Examplia found in 0405: nothing hidden.</bdi></li>" in rest


def test_an_order_of_the_gm_that_was_refused_stands_above_all_that_is_folded() -> None:
    asked = turn_of(the_turn().after, {"gm": {"gm": [{"end": "plague-1", "of": "examplia", "reason": "spring"}]}})
    page = words(files_of(asked)["gm.html"])
    refused = page.index("Your order “ end plague-1 of examplia: spring ” was refused .")
    assert page.index("What needs your ruling") < refused < page.index("Everything else")


# --- how the kingdoms stand


def rows_of(page: str) -> list[list[str]]:
    """The rows of the table with which the book begins, in words."""
    table = page[page.index('<table class="health">') :].partition("</table>")[0]
    return [[words(cell) for cell in re.split(r"(?=<t[hd])", row)[1:]] for row in table.split("<tr>")[2:]]


def test_it_says_who_filed_who_was_silent_and_for_whom_a_bot_filed() -> None:
    facts = FACTS._replace(bots={"borderia": "trader"}, silent={"cravonia": 2, "borderia": 1})
    page = files_of(the_turn(), facts)["gm.html"]
    assert {row[0]: row[-1] for row in rows_of(page)} == {
        "Borderia": "bot, silent 1 turn",
        "Cravonia": "silent 2 turns",
        "Examplia": "filed",
    }
    assert "Borderia borderia , a bot (trader): 3 done" in words(page)
    assert "Cravonia cravonia , Cem : None came in" in words(page)


@pytest.mark.parametrize("edition", [1, 2])
def test_it_begins_with_the_figures_and_the_worst_danger_of_each_report_the_gravest_first(edition: int) -> None:
    rules = RULES if edition == 2 else rules_of({"event_going_on": None})
    result = run(the_turn().before, {}, rules)
    told = {seat: seat_view(result, seat, rules) for seat in result.after.kingdoms}
    worst = {seat: view["dangers"][0]["chance"] if view["dangers"] else 0 for seat, view in told.items()}
    view = gm_view(result, rules)
    assert [row["seat"] for row in view["kingdoms"]] == sorted(worst, key=lambda seat: -worst[seat])
    assert any(worst.values()) and view["by"] == result.number + (1 if edition == 1 else 4)
    for row in view["kingdoms"]:
        report = told[row["seat"]]
        assert [head["after"] for head in row["heads"]] == [int(head["value"]) for head in report["heads"][:3]]
        assert row["stability"] == report["heads"][3]["value"]
        assert bool(row["danger"]) == bool(report["dangers"])
        assert not row["danger"] or row["danger"].endswith(f" {percent(worst[row['seat']])}")


@few
@given(worlds(), filings(), st.sampled_from([1, 2]))
def test_the_book_made_elsewhere_has_the_figures_of_the_reports(
    world: World, filed: dict[str, Any], edition: int
) -> None:
    """A worker that makes the book has not made the reports, and comes to the same."""
    rules = RULES if edition == 2 else rules_of({"event_going_on": None})
    result = run(world, filed, rules)
    alone = {seat: outlook_of(result, seat, rules) for seat in result.after.kingdoms}
    assert not shared(result).outlooks
    for seat in result.after.kingdoms:
        seat_view(result, seat, rules)
    assert {seat: shared(result).outlooks[seat] for seat in alone} == alone


def test_what_ends_a_kingdom_stands_before_its_danger_and_who_is_lost_stands_last() -> None:
    result = the_turn()
    state = {"borderia": {"anarchy": 2}, "examplia": {"destroyed": True}}
    kingdoms = {seat: replace(each, **state.get(seat, {})) for seat, each in result.after.kingdoms.items()}
    result = result._replace(after=replace(result.after, kingdoms=kingdoms))
    rows = rows_of(files_of(result)["gm.html"])
    assert [row[0] for row in rows] == ["Borderia", "Cravonia", "Examplia"]
    assert rows[0][5].startswith("anarchy now") and rows[2][5] == "destroyed" and rows[2][6] == "–"


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


def test_a_step_of_a_small_account_is_no_large_change() -> None:
    found = biggest_changes([changes(consumption=(1, 0), treasury=(30, 16), loyalty=(0, 4))], {})
    assert [row["key"] for row in found] == ["treasury", "loyalty", "consumption"]


def test_of_each_account_only_the_largest_are_told() -> None:
    kingdoms = [changes(unrest=(0, by)) for by in (1, 5, 3)]
    assert [row["after"] for row in biggest_changes(kingdoms, {})] == [5, 3]


def test_a_change_names_the_causes_that_made_most_of_it() -> None:
    entries = booked("treasury", ("claim", -1), ("taxes", 9), ("build", -6), ("claim", -1), ("works", 3), ("trade", 1))
    (row,) = biggest_changes([changes(treasury=(10, 15))], entries)
    assert row["why"] == "taxes +9, build -6, works +3, 2 other causes -1"


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


def test_it_has_one_heading_above_all_and_what_waits_for_the_gm_stands_above_what_is_folded() -> None:
    page = book_of("examplia", Modifier("stability", -4, "grant", "a curse", lasting=True))
    assert page.count("<h1") == 1
    heads = re.findall(r'<h2 id="(\w+)"', page)
    assert heads == ["health", "requests", "damage", "letters", "changes", "rest"]
    assert page.index("<details>", page.index('id="rest"')) < page.index('id="came"')


def test_the_book_of_the_last_turn_asks_for_nothing_and_fears_nothing() -> None:
    page = files_of(with_requests("May I dig?"), FACTS._replace(finished="peace was made"))["gm.html"]
    assert "May I dig?" in page and "The game is over: peace was made." in page
    assert not re.search(r"Danger|Reply to the mail|tell: \[|gm: \[| by turn ", page)
    assert "Danger by turn" in the_files()["gm.html"]


def test_letters_stand_whole_and_many_are_folded() -> None:
    page = the_files()["gm.html"]
    letters = page[page.index('id="letters"') : page.index('id="changes"')]
    assert "Examplia to Borderia : Shall we talk of the ford? By the old mill." in words(letters)
    assert "Examplia to all : Well met." in words(letters) and "<details>" not in letters
    orders = {"messages": [{"to": "all", "text": f"Line {number}"} for number in range(9)]}
    page = files_of(turn_of(the_turn().before, {"examplia": orders}))["gm.html"]
    assert "<details><summary>9 letters</summary>" in page


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
        ("Examplia", "Army defeated: First Foot", ["Stability -3 until turn 12 begins"]),
        ("Examplia", "Grant: a feast", ["Loyalty +2"]),
    ]
    for row in rows:
        typed = f"turn: {world.turn + 1}\ngm: [{row['order']}]\n"
        found = orders_file.read(typed.encode(), "gm.yaml", GAME, NAMES, "gm", world.turn + 1)
        assert found.problems == []
        after = run(world, {"gm": found.orders}, RULES, steps="gm_orders").after
        assert lasting_changes(after, RULES) == [other for other in rows if other is not row]


def book_of(seat: str, *modifiers: Modifier) -> str:
    """The book after the turn, had it left these changes in a kingdom."""
    result = the_turn()
    kingdom = replace(result.after.kingdoms[seat], modifiers=modifiers)
    return files_of(result._replace(after=replace(result.after, kingdoms={**result.after.kingdoms, seat: kingdom})))[
        "gm.html"
    ]


@pytest.mark.parametrize(
    ("modifier", "said", "damage"),
    [
        (Modifier("loyalty", 2, "grant", "a feast", lasting=True), "Loyalty +2", False),
        (Modifier("loyalty", -2, "grant", "a curse", lasting=True), "Loyalty -2", True),
        (Modifier("consumption", 2, "grant", "a famine", lasting=True), "Consumption +2", True),
        (Modifier("consumption", -2, "grant", "a harvest", lasting=True), "Consumption -2", False),
        (Modifier("unrest", 1, "grant", "a curse", lasting=True), "Unrest +1", True),
        (Modifier("loyalty", -2, "grant", "a siege", ends=9), "Loyalty -2 until turn 9 begins", False),
    ],
)
def test_damage_that_only_the_gm_can_end_is_harm_without_an_end(modifier: Modifier, said: str, damage: bool) -> None:
    page = words(book_of("examplia", modifier))
    heading, lasts = "Damage that only you can end", "Events that stand, and what lasts for a time or for good"
    line = f'Examplia : {said} (Grant: {modifier.text}) gm: [{{end: grant, of: examplia, reason: "..."}}]'
    assert page.count(line) == 1
    lasts += " Its line ends it, in a reply to the mail that brought this book."
    assert f"{heading if damage else lasts} {line}" in page and (heading in page) == damage


@pytest.mark.parametrize(("kind", "damage"), [("boomtown", False), ("cult_activity", True)])
def test_what_a_good_event_costs_is_no_damage(kind: str, damage: bool) -> None:
    changed = Modifier("debauchery", 2, kind, "", lasting=True, event=f"{kind}-1", part="corruption")
    result = the_turn()
    event = {f"{kind}-1": Event(kind, 1, "0303", "Oakhold", {}, done=True)}
    examplia = replace(result.after.kingdoms["examplia"], modifiers=(changed,), events=event)
    world = replace(result.after, kingdoms={**result.after.kingdoms, "examplia": examplia})
    assert [row["damage"] for row in lasting_changes(world, RULES)] == [damage]


@few
@given(worlds(), filings())
def test_each_line_that_stands_in_the_book_is_an_order_as_it_stands(world: World, filed: dict[str, Any]) -> None:
    result = run(world, filed)
    number = result.number + 1
    page = files_of(result)["gm.html"]
    for line in {html.unescape(line) for line in re.findall(r"<code>((?:gm|tell): [^<]*)</code>", page)}:
        found = orders_file.read(f"turn: {number}\n{line}\n".encode(), "gm.yaml", GAME, names_of(world), "gm", number)
        assert found.problems == [], line
        refused = [each for each in run(result.after, {"gm": found.orders}).notices if each.kind == "refusal"]
        assert refused == [], line


def names_of(world: World) -> dict[str, Any]:
    return {**GAME.names(RULES), "seats": tuple(world.kingdoms)}
