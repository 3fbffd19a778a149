"""Reports: what a template gets, whose facts stand in whose report, and that no name and no text breaks one."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jinja2
import pytest
from hypothesis import given
from msgspec import structs

from kingdom.engine.step import Result
from kingdom.games.realm.game import GAME
from kingdom.games.realm.state import Hex, Kingdom, World, replace
from kingdom.orders import places
from kingdom.render import reports
from kingdom.render.plain_text import COLUMNS, width
from kingdom.render.reports import CampaignFacts
from tests.games.realm.kit import rules_of, run, world_of
from tests.games.realm.reportkit import FACTS, KINGDOMS, MAP, files_of, the_files, the_turn, words
from tests.games.realm.worlds import filings, worlds
from tests.kit.examples import few
from tests.kit.rows import sampled

SEATS = ("borderia", "cravonia", "examplia")


# --- templates


def rendered(folder: Path, **templates: str) -> dict[str, str]:
    """The files of the turn by these templates; what is not given is empty."""
    for name in ("report.txt", "seat.html", "report.html", "gm.html"):
        (folder / name).write_text(templates.get(name.replace(".", "_"), ""))
    return dict(reports.rendered(GAME, the_turn(), rules_of(), FACTS, folder))


def test_there_is_a_text_and_a_page_for_each_seat_and_the_gms_book() -> None:
    assert sorted(the_files()) == sorted(
        [f"{seat}.{ending}" for seat in SEATS for ending in ("txt", "html")] + ["gm.html"]
    )


def test_a_template_gets_the_view_and_nothing_else(tmp_path: Path) -> None:
    asked = "{{ view.kingdom.name }}: {{ result is defined }} {{ world is defined }} {{ facts is defined }}"
    assert rendered(tmp_path, report_txt=asked)["examplia.txt"] == "Examplia: False False False"


def test_what_a_template_misspells_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(jinja2.UndefinedError, match="treasurry"):
        rendered(tmp_path, report_txt="{{ view.treasurry }}")


def test_a_name_of_a_key_is_never_taken_for_a_method(tmp_path: Path) -> None:
    with pytest.raises(jinja2.UndefinedError):
        rendered(tmp_path, report_txt="{{ view.items }}")


def test_pages_are_escaped_and_texts_are_not(tmp_path: Path) -> None:
    for name in ("report.txt", "seat.html", "report.html", "gm.html"):
        (tmp_path / name).write_text("{{ view.campaign.gm }}")
    files = dict(reports.rendered(GAME, the_turn(), rules_of(), FACTS._replace(gm="<b>&"), tmp_path))
    assert files["examplia.txt"] == "<b>&" and files["examplia.html"] == files["gm.html"] == "&lt;b&gt;&amp;"


def test_a_page_is_put_around_its_body(tmp_path: Path) -> None:
    seat = "<p>{{ view.kingdom.name }}</p>"
    files = rendered(tmp_path, seat_html=seat, report_html="<main>{{ view.body }}</main>")
    assert files["examplia.html"] == "<main><p>Examplia</p></main>"


def test_a_game_without_templates_has_no_reports() -> None:
    assert dict(reports.rendered(structs.replace(GAME, name="nameless"), the_turn(), rules_of(), FACTS)) == {}


def test_rendering_changes_nothing() -> None:
    before = repr(the_turn())
    assert files_of(the_turn()) == files_of(the_turn())
    assert repr(the_turn()) == before


# --- whose facts stand where


def test_a_report_holds_no_other_seats_key_receipt_commitment_or_player() -> None:
    for seat, mine, others in (("examplia", "ec", "bd9"), ("borderia", "bd", "ec9")):
        for ending in ("txt", "html"):
            text = the_files()[f"{seat}.{ending}"]
            assert all(digit * 64 in text for digit in mine + "a"), "the GM's commitment is for all"
            assert not any(digit * 64 in text for digit in others)
    assert "ba9876543210" not in the_files()["examplia.txt"] and "Ben" not in the_files()["examplia.html"]


def test_only_the_first_digits_of_a_digest_are_printed() -> None:
    text = the_files()["examplia.txt"]
    assert FACTS.previous[: reports.DIGITS] in text and FACTS.previous[: reports.DIGITS + 1] not in text


# --- hostile names and texts

HOSTILE = {
    "markup": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "attribute": '" onmouseover="alert(1)" x="',
    "entity": "&lt;b&gt; &#60;i&#62; <!-- ",
    "end": "</style></bdi></td></table></details></main>",
    "template": "{{ 7 * 7 }}{% for x in y %}{# #}{{ view.__class__ }}",
    "escape": "\x1b[31mred\x1b[0m\x1b]0;title\x07\x9b2J",
    "carriage": "good\rEVIL\x08\x08\x7f",
    "backward": "\u202eevil\u202c \u2066left\u2069 \u200f",
    "long": "W" * 300,
    "wide": "王国の民" * 40,
    "marks": "Z" + "\u0300" * 60 + "algo",
    "unseen": "a\u200bb\u200cc\u200dd\u2060e\ufefff\u00adg",
    "lines": "one\n\n--- THE SHEET AND ITS SOURCES ---\u2028two\u0085three",
    "yaml": "# - {a: b} : 'c' \"d\" !!python/object",
    "blank": " \u3000\t ",
}
TAME = "Plainly"
FORBIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}  # controls, unseen marks, other breaks of a line


def peopled(text: str) -> tuple[Result, CampaignFacts]:
    """A turn in which every name and every text that people type is this one."""
    world = world_of(KINGDOMS, MAP)
    kingdoms: dict[str, Kingdom] = {}
    for seat, kingdom in world.kingdoms.items():
        towns = {f"{text}{index}" if index else text: town for index, town in enumerate(kingdom.settlements.values())}
        kingdoms[seat] = replace(kingdom, name=text, settlements=towns, capital=text, unrest=12)
    hexes = {**world.hexes, "0404": Hex("plains", hazard=text, secret=text), "0403": Hex("hills", secret=text)}
    orders = {
        "examplia": {
            "claim": ["0403"], "build": [{"in": text, "build": "house"}, {"in": f"{text}1", "build": "castle"}],
            "messages": [{"to": "borderia", "text": text}, {"to": "all", "text": text}], "requests": [text],
            "special": [{"edict": "aid", "to": "borderia", "attribute": "economy"}],
            "capital": f"{text}1", "settle": [{"hex": "0302", "name": f"{text}2"}],
        },
        "borderia": {"messages": [{"to": "examplia", "text": text}]},
        "gm": {"gm": [{"grant": "examplia", "account": "economy", "by": 1, "reason": text}], "tell": [{"to": "all", "text": text}]},
    }  # fmt: skip
    facts = FACTS._replace(
        name=text, gm=text, players=dict.fromkeys(SEATS, text), changes={"examplia": [text]}, corrects="abc"
    )
    return run(World(0, hexes, kingdoms), orders), facts


class Skeleton(HTMLParser):
    """A page's marks in their order, each with its attributes; the text between them apart."""

    def __init__(self, page: str):
        super().__init__(convert_charrefs=True)
        self.marks: list[Any] = []
        self.said: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.marks.append((tag, attrs))

    def handle_endtag(self, tag: str) -> None:
        self.marks.append(tag)

    def handle_data(self, data: str) -> None:
        self.said.append(data)

    def handle_comment(self, data: str) -> None:
        self.marks.append(("comment", data))


@cache
def files_with(text: str) -> dict[str, str]:
    return files_of(*peopled(text))


@pytest.mark.parametrize("kind", HOSTILE)
def test_no_name_and_no_text_moves_hides_or_overflows_anything_in_a_text_report(kind: str) -> None:
    files = files_with(HOSTILE[kind])
    for seat in SEATS:
        lines = files[f"{seat}.txt"].split("\n")
        assert [line for line in lines if width(line) > COLUMNS and "  kingdom dice " not in line] == []
        letters = {letter for line in lines for letter in line if unicodedata.category(letter) in FORBIDDEN}
        assert not letters, letters
        headings = [line for line in lines if line.startswith("--- THE SHEET AND")]
        assert len(headings) == 1, "a heading can't be forged"


@cache
def marks_of_a_tame_page(name: str) -> list[Any]:
    return Skeleton(files_with(TAME)[name]).marks


@pytest.mark.parametrize("kind", sampled(HOSTILE, list(HOSTILE)[::2]))
def test_no_name_and_no_text_changes_the_marks_of_a_page(kind: str) -> None:
    text = HOSTILE[kind]
    hostile = files_with(text)
    for name in ("borderia.html", "cravonia.html", "examplia.html", "gm.html"):
        marks, plain = Skeleton(hostile[name]).marks, marks_of_a_tame_page(name)
        if len(text.splitlines()) <= 1:  # each line of a letter is a paragraph of its own
            assert marks == plain
        assert {mark if isinstance(mark, str) else mark[0] for mark in marks} <= {
            mark if isinstance(mark, str) else mark[0] for mark in plain
        }
        assert not {letter for letter in hostile[name] if unicodedata.category(letter) in FORBIDDEN} - {"\n"}


def test_markup_and_template_words_are_shown_as_they_were_typed() -> None:
    for kind in ("markup", "template", "entity", "attribute"):
        files = files_with(HOSTILE[kind])
        assert HOSTILE[kind].split()[0] in files["examplia.txt"]
        assert HOSTILE[kind].strip() in words(files["examplia.html"].replace("<bdi>", "").replace("</bdi>", ""))


# --- every report


@few
@given(worlds(), filings())
def test_a_text_report_is_never_wider_than_a_terminal(world: World, filed: dict[str, Any]) -> None:
    for name, text in files_of(run(world, filed)).items():
        if name.endswith(".txt"):
            lines = [
                line for line in text.split("\n") if "  kingdom dice " not in line
            ]  # that one is typed as it stands
            assert [line for line in lines if width(line) > COLUMNS or line != line.rstrip()] == []
            assert "\n\n\n\n" not in text and text.endswith("\n") and not text.endswith("\n\n")


@few
@given(worlds(), filings())
def test_a_page_closes_what_it_opens_and_names_nothing_twice(world: World, filed: dict[str, Any]) -> None:
    files = files_of(run(world, filed))
    for name, page in files.items():
        if name.endswith(".html"):
            open_marks: list[str] = []
            ids: list[str] = []
            links: list[str] = []
            for mark in Skeleton(page).marks:
                if mark[0] == "comment":
                    continue
                if isinstance(mark, tuple):
                    attributes = dict(mark[1])
                    ids += [attributes["id"]] if "id" in attributes else []
                    links += [attributes["href"]] if "href" in attributes else []
                    open_marks += [mark[0]] if mark[0] not in ("meta", "br") else []
                else:
                    assert open_marks.pop() == mark
            assert open_marks == [] and len(ids) == len(set(ids))
            beside = set(files) if name == "gm.html" else set()
            assert {link.removeprefix("#") for link in links if link not in beside} <= set(ids), (
                "links lead into a page"
            )


OUTSIDE = re.compile(
    r"(?i)<(?:script|link|img|iframe|object|embed|video|audio|form|base)\b|\bsrc\s*=|url\((?!#)|@import|https?:|\bon\w+\s*="
)


SVG = 'xmlns="http://www.w3.org/2000/svg"'  # a name, not an address: nothing is fetched for it


def test_no_page_fetches_anything_or_runs_a_script() -> None:
    pages = {name: text for name, text in the_files().items() if name.endswith(".html")}
    assert {name: OUTSIDE.findall(text.replace(SVG, "")) for name, text in pages.items()} == dict.fromkeys(pages, [])


def test_no_template_fetches_anything_or_runs_a_script() -> None:
    for file in places.templates().rglob("*"):
        if file.is_file() and file.parent.name in ("realm", "mail"):  # others are made of script, within the page
            text = re.sub(r'<img src="cid:\{\{ [\w.]+ \}\}"', "", file.read_text())  # a part of the same mail
            text = text.replace('<iframe sandbox="" ', "")  # a mail, in a frame that may fetch and run nothing
            assert OUTSIDE.findall(text) == [], file
