"""The reports as a player reads them: what is on the first screen, what is asked, how wide, and the page in a browser."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kingdom.campaign import the_end
from kingdom.engine import game as games
from kingdom.engine.step import Result
from kingdom.games.kings_progress.game import GAME
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import Table, is_over, replace
from kingdom.games.kings_progress.steps import waits
from kingdom.mail.outgoing.posting import LINKS
from kingdom.orders import tables
from kingdom.render import pictures, reports
from tests.games.kings_progress.kit import begun, game_of, own_rules, played, rules_with
from tests.kit.browser import Browser
from tests.kit.pagekit import overflowing, shut_out
from tests.kit.rows import sampled

ORDERS = {
    "alice": {
        "city": [{"kingdom": "bob", "tile": 5}, {"kingdom": "alice", "tile": 4}],
        "messages": [{"to": "bob", "text": "Well met."}],
    },
    "bob": {"city": [{"kingdom": "bob", "tile": 3}, {"kingdom": "cara", "tile": 2}], "progress": {"veto": ""}},
    "cara": {"city": [{"kingdom": "cara", "tile": 1}]},
    "gm": {"tell": [{"to": "all", "text": "The first day.\nPlay well."}]},
}


def told(result: Result, rules: Any = None, **facts: Any) -> dict[str, str]:
    """File name -> text of the turn's reports."""
    players = {seat: seat.title() for seat in result.after.seats}
    promised = dict.fromkeys((*players, "gm"), "c" * 64)
    given = reports.CampaignFacts(
        "A game", players, keys=promised, commitments=promised, receipts=dict.fromkeys(players, "a" * 12), **facts
    )
    return dict(reports.rendered(GAME, result, rules or own_rules(), given))


@cache
def files() -> dict[str, str]:
    """Reports of the first turn, of one in the middle, of each pace's form, and of the last."""
    found = {f"first-{name}": text for name, text in told(played(begun(first="bob"), ORDERS)).items()}
    results = list(game_of("reports", 4))
    found |= {f"middle-{name}": text for name, text in told(results[9]).items() if name.startswith(("alice", "gm"))}
    weekly = rules_with("weekly")
    found |= {
        f"weekly-{name}": text
        for name, text in told(list(game_of("weekly", 4, weekly))[2], weekly).items()
        if name.startswith("alice")
    }
    last = results[-1]
    end = {
        "why": GAME.finished(last.after), "turn": last.number, "counts": [the_end.named(count) for count in GAME.scoring.counts], "seed": "a seed",
        "winner": "Alice ends with 60 points.",
        "standings": [{"place": 1, "seat": "alice", "name": "Alice", "figures": [60, 24, 24, 1], "out": ""}],
        "map": GAME.draw(last.after, None, own_rules()).split("\n"), "picture": GAME.picture(last.after, None, own_rules()),
    }  # fmt: skip
    found |= {
        f"last-{name}": text
        for name, text in told(last, end=end, finished=end["why"]).items()
        if name.startswith(("alice", "gm"))
    }
    return found


def words(text: str) -> str:
    return " ".join(text.split())


# --- what they say


def test_a_report_says_first_what_is_asked_and_what_is_in_hand() -> None:
    text = files()["first-alice.txt"]
    first = words(text.partition("WHAT TO DECIDE")[0])
    for said in (
        "Round 1 of 6, first chancellor bob. Next: city vetoes and investments.", "You decide city vetoes and investments",
        "In hand tiles 0, 1, 2, 3 and 5; coins 0, 1, 2, 3, 4 and 5", "King in the centre, vetoes left 5",
        "THE GM SAYS", "Play well.",
    ):  # fmt: skip
        assert said in first, said
    assert "Refused 1 of your orders" in words(files()["first-bob.txt"]), "his King's, in a turn that decides cities"


def test_a_report_says_what_became_of_each_order() -> None:
    """bob, who is first chancellor, took his own kingdom, so alice's first choice fell to her second."""
    text = words(files()["first-alice.txt"])
    assert (
        "refused tile 5 in bob The kingdom of bob has its tile of this round already (ruling one_each); free were: alice"
        in text
    )
    assert "done tile 4 in alice" in text
    assert "unused tile 2 in cara" in words(files()["first-bob.txt"])
    assert "refused the King stays This turn decides cities" in words(files()["first-bob.txt"])


def first_screen(result: Result, seat: str, rules: Any = None) -> dict[str, str]:
    return {line["name"]: line["text"] for line in GAME.view(result, seat, rules or own_rules())["first"]}


def test_an_alternative_that_was_taken_alarms_nobody_where_the_next_one_counted() -> None:
    """Ranked orders are made to fall: the first screen counts a decision as refused where nothing of it was carried out."""
    taken = {
        "bob": {"city": [{"kingdom": "bob", "tile": 5}]},
        "alice": {"city": [{"kingdom": "bob", "tile": 5}, {"kingdom": "cara", "tile": 4}]},
    }
    result = played(begun(first="bob"), taken)
    assert [row["outcome"] for row in GAME.view(result, "alice", own_rules())["orders"]["rows"]] == ["refused", "done"]
    assert "Refused" not in first_screen(result, "alice")
    result = played(
        begun(first="bob"),
        {**taken, "alice": {"city": [{"kingdom": "bob", "tile": 5}, {"kingdom": "cara", "tile": 9}]}},
    )
    assert first_screen(result, "alice")["Refused"] == "2 of your orders"


@pytest.mark.parametrize("form", ["txt", "html"])
def test_who_is_not_asked_is_told_so_first(form: str) -> None:
    """One decision a turn: whose it is not has no orders that could be due."""
    rules = rules_with("strict")
    result = played(begun(first="bob"), {}, rules)
    pages = {
        seat: words(re.sub("<[^>]+>", "", told(result, rules, deadlines={"cara": "soon"})[f"{seat}.{form}"]))
        for seat in ("alice", "cara")
    }
    assert (
        "Alice, turn 2 asks nothing of you; it is resolved when your GM says." in pages["alice"]
        and "are due" not in pages["alice"]
    )
    assert "Cara, your orders for turn 2 are due soon." in pages["cara"]


def asked(table: Table, rules: Rules) -> set[str]:
    return set(games.asked(GAME, table, rules))


def test_who_has_no_choice_is_not_asked() -> None:
    """Without a veto there is nothing to say to a veto phase or to a King who only moves; nor to the first move of all Kings."""
    table = begun()
    for _ in range(2):
        table = played(table, rules=own_rules()).after
    assert asked(table, own_rules()) == {"alice", "bob", "cara"}, "investment vetoes"
    poor = replace(
        table,
        seats={seat: replace(kingdom, vetoes=0 if seat == "bob" else 5) for seat, kingdom in table.seats.items()},
    )
    assert asked(poor, own_rules()) == {"alice", "cara"}
    said = words(told(played(poor), own_rules())["bob.txt"])
    assert "Bob, your orders" in said, "the next turn is for all again"
    strict = replace(begun(), round=1, phase="investment_veto", acted=2)
    assert asked(strict, rules_with("strict")) == {"alice"}, (
        "the Kings' first move comes with this turn, and nobody decides it"
    )
    assert (
        waits(strict, rules_with("strict"))
        == "Nothing of yours is decided in the next turn: alice decides investment vetoes. You need not send orders."
    )
    nobody = replace(strict, seats={seat: replace(kingdom, vetoes=0) for seat, kingdom in strict.seats.items()})
    assert asked(nobody, rules_with("strict")) == set() and "nobody has a choice" in waits(nobody, rules_with("strict"))


def test_conditions_are_said_in_words() -> None:
    orders = {"alice": {
        "city": [{"kingdom": "alice", "tile": 5, "if": {"city": 1, "tile_min": 2, "tile_max": 4}}],
        "city_veto": [{"if": {"city": "newest", "tile_max": 1, "taken_by_me": False, "vetoes_min": 2}, "replace_with": 4}],
        "investment_veto": {"if": {"taken_by_me": True, "vetoes_min": 1}, "swap": {"0": 5, "default": 3}},
        "progress": {"veto_if": {"next_tile_max": 1, "next_tile_min": 0, "vetoes_min": 3}},
    }}  # fmt: skip
    rows = GAME.view(played(begun(), orders, rules_with("weekly")), "alice", rules_with("weekly"))["orders"]["rows"]
    assert [row["text"] for row in rows] == [
        "tile 5 in alice, if the tile of city 1 is at least 2 and at most 4",
        "veto city newest with tile 4, if the tile of the newest city is at most 1 and not yours, and you have at least 2 vetoes",
        "veto the investment in city newest: 5 for a 0, 3 for any other, if the coin is yours, and you have at least 1 veto",
        "the King stays if the tile of the next city is at least 0 and at most 1, and you have at least 3 vetoes",
    ]


def test_a_king_is_a_king_in_every_heading() -> None:
    result = list(game_of("kings", 3))[4]
    text = told(result)["alice.txt"]
    assert (
        "The Kings (progress):" in text
        and "You decide      investment vetoes and the Kings" in text
        and "he kings" not in text
    )


def test_a_report_says_what_the_others_did_and_wrote_and_no_more() -> None:
    for seat in ("alice", "bob", "cara"):
        text = words(files()[f"first-{seat}.txt"])
        assert "bob placed tile 3 as city 1 of bob." in text and "alice placed tile 4 as city 1 of alice." in text
        assert ("Well met." in text) is (seat != "cara")
        assert ("tile 2 in cara" in text) is (seat == "bob")


def test_text_fits_78_columns() -> None:
    for name, text in files().items():
        if name.endswith(".txt"):
            assert [line for line in text.split("\n") if len(line) > 78 and "  kingdom dice " not in line] == [], name


def test_the_last_report_has_the_standings_and_asks_nothing() -> None:
    text = files()["last-alice.txt"]
    assert "Final standings, by total, then best city, then king city, then vetoes:" in words(text)
    assert "SCORING" not in text and "Scoring" in text and "[?]" not in text.replace("[?] one", "")
    assert "ORDER FORM" not in text and "WHAT TO DECIDE" not in text
    assert "vetoes left:" in text


def test_the_board_in_characters() -> None:
    assert GAME.draw(begun(2), "alice", own_rules()).split("\n")[:5] == [
        "Round 1 of 6, first chancellor alice. Next: cities.",
        "",
        "alice: vetoes 5; in hand tiles 0, 1, 2, 3, 4 and 5; coins 0, 1, 2, 3, 4 and 5",
        "  K",
        "",
    ]
    table = list(game_of("drawn", 3))[5].after
    drawn = GAME.draw(table, "alice", own_rules())
    assert drawn.count("+-------+ +-------+\n") == 6 and drawn.count("  K ") == 3
    assert ("[?]" in drawn) and "[?]" not in GAME.draw(table, None, own_rules()).partition("K: the King")[0]


def test_the_board_as_a_picture() -> None:
    """One SVG that a mail can show too; every city says in words what it is."""
    table = list(game_of("drawn", 3))[5].after
    svg = GAME.picture(table, "alice", own_rules())
    assert svg.count("<title>City ") == 6 and "a coin face down by" in svg and "the King" in svg
    assert pictures.png(svg, 600).startswith(b"\x89PNG")
    assert "a coin face down" not in GAME.picture(table, None, own_rules())


def test_names_of_people_are_shown_as_text() -> None:
    table = begun(2)
    named = {seat: replace(kingdom, name="<b>Bob & co</b>") for seat, kingdom in table.seats.items()}
    page = told(played(replace(table, seats=named)))["alice.html"]
    assert "<b>Bob" not in page and "&lt;b&gt;Bob &amp; co" in page


def test_links_of_a_mail_have_their_place() -> None:
    assert files()["first-alice.html"].count(LINKS) == 1


# --- the rules page


@pytest.mark.parametrize("pace,turns", [("standard", "18"), ("weekly", "6")])
def test_the_rules_page_is_drawn_from_the_tables(pace: str, turns: str) -> None:
    page = reports.rules_page(GAME, tables.load(GAME))
    assert f"| `{pace}` |" in page and f"| {turns} |" in page and "49, 71, 93 with 2, 3, 4 players" in page
    for name in own_rules().__struct_fields__:
        if name not in ("pace", "paces"):
            assert f"### {name}\n" in page and page.count(f"(#{name})") >= 1, (
                f"{name} is listed, and named in the prose"
            )


# --- the page in a browser


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("pages")
    for name, page in files().items():
        if name.endswith(".html"):
            (place / name).write_text(page, encoding="utf-8")
    return place


PAGES = [
    "first-alice.html",
    "first-gm.html",
    "middle-alice.html",
    "weekly-alice.html",
    "last-alice.html",
    "last-gm.html",
]


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", [360, pytest.param(1280, marks=pytest.mark.long)])
def test_a_page_fits_a_phone_and_fetches_nothing(name: str, width: int, folder: Path, browser: Browser) -> None:
    assert overflowing(browser, folder / name, width) == []


@pytest.mark.parametrize("name", sampled(PAGES, ["last-gm.html"]))
def test_a_page_shuts_nobody_out(name: str, folder: Path, browser: Browser) -> None:
    assert shut_out(browser, folder / name, both=True) == []


def valid_pages() -> list[str]:
    """Held against the HTML checker in tests/render/test_every_page.py, which starts it once for all."""
    return [files()[name] for name in PAGES]


@pytest.mark.parametrize("name", PAGES)
def test_headings_skip_no_level_and_no_id_stands_twice(name: str) -> None:
    page = files()[name]
    levels = [int(level) for level in re.findall(r"<h([1-6])", page)]
    assert (
        levels[0] == 1
        and levels.count(1) == 1
        and all(later - earlier <= 1 for earlier, later in zip(levels, levels[1:], strict=False))
    )
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids)) and set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)
    assert "<script" not in page


def test_a_finished_game_hides_nothing() -> None:
    *_, last = game_of("reports", 4)
    assert is_over(last.after) and "coins unseen" not in told(last)["alice.txt"]
