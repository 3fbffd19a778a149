"""The reports as a player reads them: what is asked, what happened, how wide they are, and the page in a browser."""

from __future__ import annotations

import re
from functools import cache
from itertools import dropwhile, takewhile
from typing import Any

import pytest
from msgspec.structs import replace

from kingdom.engine.game import load
from kingdom.engine.step import Result
from kingdom.mail.outgoing.posting import LINKS
from kingdom.orders import tables
from kingdom.orders.orders_file import read
from kingdom.render import reports
from tests.games.royal_progress.kit import GAME, RULES, SEATS, played, rules_with, trouble
from tests.kit import archives
from tests.kit.browser import Browser
from tests.kit.pagekit import overflowing, shut_out

EXAMPLE = archives.example("the-summer-progress") / "turns"


def told(result: Result, rules: Any = RULES) -> dict[str, str]:
    """File name -> text of the turn's reports."""
    players = {seat: seat.title() for seat in result.after.seats}
    promised = dict.fromkeys((*players, "gm"), "c" * 64)
    given = reports.CampaignFacts(
        "A game", players, keys=promised, commitments=promised, receipts=dict.fromkeys(players, "a" * 12)
    )
    return dict(reports.rendered(GAME, result, rules, given))


@cache
def files() -> dict[str, str]:
    """Reports of some turns of a game of five, and of one turn by turn."""
    results = list(played(5, "reports"))
    found = {f"{number}-{name}": text for number in (0, 5) for name, text in told(results[number]).items()}
    strict = rules_with(pace="strict")
    return found | {f"strict-{name}": text for name, text in told([*played(3, "strict", strict)][4], strict).items()}


def words(text: str) -> str:
    return " ".join(text.split())


def test_a_report_says_what_is_asked_and_what_is_possible() -> None:
    text = words(files()["5-bob.txt"])
    for said in (
        "You decide plans for your turn at the table",
        "A: move, to",
        "B: lay:",
        "C: take:",
        "D: discard:",
        "Ability (house data):",
        "house data",
    ):
        assert said in text, said
    strict = [words(text) for name, text in files().items() if re.fullmatch(r"strict-[a-z]+\.txt", name)]
    assert sum("You need not send orders." in text for text in strict) == 2, "one is asked, the others wait"


def test_text_fits_78_columns() -> None:
    for name, text in files().items():
        if name.endswith(".txt"):
            assert [line for line in text.split("\n") if len(line) > 78 and "  kingdom dice " not in line] == [], name


def test_the_form_is_valid_as_it_stands_and_with_each_line_switched_on() -> None:
    for name, text in files().items():
        if not name.endswith(".txt"):
            continue
        form = text.partition("ORDER FORM")[2].partition("FOR THE RECORD")[0].partition("\n\n")[2]
        seat = name.partition("-")[2].removesuffix(".txt")
        form = form[form.index("kingdom: ") :]
        on = re.sub(r"^( *)#(?! )", r"\1", form, flags=re.M)
        for each in (form, on):
            filing = read(
                each.encode(),
                name,
                GAME,
                {**GAME.names(RULES), "seats": ["alice", "bob", "carol", "david", "emma"]},
                seat,
                None,
            )
            assert filing.problems == [], (each, filing.problems)


def test_the_plans_in_the_form_are_legal_as_the_table_lies() -> None:
    """Each of them, when its # is taken away."""
    shown = 0
    for result in list(played(3, "form", bots={"alice": "chamberlain"}))[1:-1:3]:
        for seat in result.after.seats:
            lines = GAME.forms.text(result.after, seat, RULES)
            behind = [*dropwhile(lambda line: not line.startswith("#plans:"), lines)][1:]
            block = [*takewhile(lambda line: line.startswith("#  "), behind)]
            if not block:  # the King's next step ends the round
                continue
            shown += 1
            text = "\n".join([f"kingdom: {seat}", "turn: 1", "plans:", *(line.removeprefix("#") for line in block), ""])
            filing = read(text.encode(), "form", GAME, {**GAME.names(RULES), "seats": [*result.after.seats]}, seat, 1)
            assert not filing.problems, (text, filing.problems)
            for plan in filing.orders["plans"]:
                assert trouble(GAME.known(result.after, seat, RULES), seat, plan, RULES) is None, text
            assert len(filing.orders["plans"]) >= 2
    assert shown > 10


def test_a_report_says_why_a_round_is_over_and_why_somebody_scored() -> None:
    results = played(3, "reasons", bots=dict.fromkeys(SEATS, "chamberlain"))
    ends = [result for result in results if result.after.round != result.before.round or GAME.finished(result.after)]
    texts = [words(told(result)["bob.txt"]) for result in ends]
    assert len(texts) == 3 and all("The turns at the table of this round are over:" in text for text in texts)
    assert re.search(r"scores \d for [a-z]+: position 1(, shared by \d)?, with \d+ cards?, \d+ crowns?\.", texts[-1])
    assert re.search(
        r"for most types: position 1(, shared by \d)?, with \d types?, of the rarest \d cards?\.", texts[-1]
    )


def test_what_is_house_data_is_marked_as_such_in_every_report() -> None:
    for name, text in files().items():
        assert "house data, not the published game's; the abilities were never tested for balance" in words(text), name
    assert (
        words(GAME.draw(played_table(), "alice", RULES)).count("House data: the map is not the published game's.") == 1
    )


def played_table() -> Any:
    return next(played(3, "drawn")).after


def test_orders_are_counted_as_they_were_sent() -> None:
    """Five plans: the first counts, four are not looked at."""
    result = next(
        result
        for result in played(3, "sent", bots={"alice": "chamberlain"})
        if len(result.orders["alice"].get("plans", ())) == 5
    )
    assert "You sent 5." in told(result)["alice.txt"]


def test_a_picture_says_where_each_courtier_stands() -> None:
    svg = GAME.picture(list(played(3, "drawn"))[6].after, "alice", RULES)
    assert svg.count("data-courtier=") == 8 and "House data" not in svg and "house data" in svg
    assert "<script" not in svg and "http" not in svg.replace("http://www.w3.org/2000/svg", "")


def test_names_of_people_are_shown_as_text() -> None:
    result = list(played(3, "names"))[3]
    seats = {seat: replace(of, name="<b>Bob & co</b>", standing={}) for seat, of in result.after.seats.items()}
    table = type(result.after)(
        **{**{field: getattr(result.after, field) for field in result.after.__struct_fields__}, "seats": seats}
    )
    page = told(result._replace(after=table))["alice.html"]
    assert "<b>Bob" not in page and "&lt;b&gt;Bob &amp; co" in page


def test_links_of_a_mail_have_their_place() -> None:
    assert files()["5-alice.html"].count(LINKS) == 1


def test_the_rules_page_is_drawn_from_the_tables() -> None:
    page = reports.rules_page(load("royal_progress"), tables.load(GAME))
    for name in RULES.__struct_fields__:
        if name not in ("places", "roads", "courtiers", "gifts", "track", "pace", "paces", "positions"):
            assert f"### {name}\n" in page and f"(#{name})" in page, f"{name} is listed, and named in the prose"
    assert "**House data.**" in page and "| `strict` |" in page and "never tested for balance" in page


# --- the page in a browser


@pytest.mark.parametrize(
    "name",
    [
        "0005/reports/alice.html",
        pytest.param("0005/reports/gm.html", marks=pytest.mark.long),
        pytest.param("0021/reports/alice.html", marks=pytest.mark.long),
    ],
)
def test_a_page_fits_a_phone_fetches_nothing_and_shuts_nobody_out(name: str, browser: Browser) -> None:
    assert overflowing(browser, EXAMPLE / name, 360) == []
    assert shut_out(browser, EXAMPLE / name, both=True) == []


def valid_pages() -> list[str]:
    """Held against the HTML checker in tests/render/test_every_page.py, which starts it once for all."""
    return [
        page.read_text(encoding="utf-8")
        for turn in ("0000", "0005", "0021")
        for page in sorted((EXAMPLE / turn).glob("reports/*.html"))
    ]


@pytest.mark.parametrize("name", ["0000/reports/alice.html", "0005/reports/alice.html", "0021/reports/gm.html"])
def test_headings_skip_no_level_and_no_id_stands_twice(name: str) -> None:
    page = (EXAMPLE / name).read_text(encoding="utf-8")
    levels = [int(level) for level in re.findall(r"<h([1-6])", page)]
    assert (
        levels[0] == 1
        and levels.count(1) == 1
        and all(later - earlier <= 1 for earlier, later in zip(levels, levels[1:], strict=False))
    )
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids)) and set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)
    assert "<script" not in page
