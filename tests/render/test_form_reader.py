"""The reader of orders in a page says of every text what the engine says: the same orders, or the same problems.

It runs in the real Chromium. They differ in one thing: a letter that is newer than Python's Unicode is no letter to the
engine, and one to the browser, so that it refuses a name with it when the file comes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kingdom.engine.game import load
from kingdom.games.realm.game import GAME
from kingdom.orders import form_language, orders_file, places, yaml_text
from tests.kit import ordertexts, tiny_game
from tests.kit.browser import PROGRAM, Browser
from tests.kit.ordertexts import NAMES, SEAT, TURN

pytestmark = pytest.mark.package("chromium", PROGRAM)
KEYS = ("path", "line", "column", "code", "message", "hint")
ASK = "([texts, language]) => JSON.stringify(texts.map((text) => Reader.read(text, language)))"


class Page:
    """A page with the reader and nothing else."""

    def __init__(self, browser: Browser):
        self.browser = browser

    def read(
        self, texts: Sequence[str], seat: str = SEAT, turn: int | None = TURN, game: Any = GAME, names: Any = NAMES
    ) -> list[dict[str, Any]]:
        language = json.loads(json.dumps(form_language.language(game, names, seat, turn)))  # as a page holds it
        return json.loads(self.browser.page.evaluate(ASK, [list(texts), language]))


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    folder = places.templates() / "form"
    scripts = "".join(
        f"<script>{(folder / name).read_text(encoding='utf-8')}</script>" for name in form_language.SCRIPTS
    )
    file = tmp_path_factory.mktemp("page") / "reader.html"
    file.write_text(f"<!doctype html><meta charset=utf-8><title>Reader</title>{scripts}", encoding="utf-8")
    browser.show(file, 360)
    yield Page(browser)
    assert browser.complaints == []


def engine(
    text: str, seat: str = SEAT, turn: int | None = TURN, game: Any = GAME, names: Any = NAMES
) -> dict[str, Any]:
    """What the engine says of a text, in the form in which the page does."""
    said = orders_file.read(text.encode("utf-8", "surrogatepass"), "orders", game, names, seat, turn)
    problems = [{key: getattr(problem, key) for key in KEYS} for problem in said.problems]
    return {
        "orders": said.orders,
        "problems": problems,
        "kingdom": said.kingdom,
        "turn": said.turn,
        "token": said.token,
    }


def test_other_words_for_the_head(page: Page) -> None:
    texts = ["game: g\ncampaign: c\nplayer: p\nseat: s\nround: 1\nlap: 1\nconstructor: 1\n"]
    assert page.read(texts) == [engine(text) for text in texts] and "Leave it out." in str(engine(texts[0]))


def test_every_text_of_orders_that_there_is(page: Page) -> None:
    """The contract's page, the catalogue of errors, mails, all campaigns."""
    found = ordertexts.everything()
    assert len(found) > 400
    for (where, text), said in zip(found, page.read([text for _, text in found]), strict=True):
        assert said == engine(text), where


def test_texts_of_other_seats_are_read_with_their_own_heads(page: Page) -> None:
    """For any turn, so that whole campaigns are without problems and every order in them is compared."""
    whole = 0
    for seat in ("examplia", "borderia", "cravonia", "gm"):
        texts = [text for where, text in ordertexts.everything() if where.endswith(f"/{seat}.yaml")]
        for text, said in zip(texts, page.read(texts, seat, None), strict=True):
            wanted = engine(text, seat, None)
            assert {**said, "kingdom": wanted["kingdom"]} == wanted
            whole += said["orders"] is not None
    assert whole > 50


@pytest.mark.parametrize("seats", [("corvane", "ivelmark"), ("corvane",), ()])
@pytest.mark.parametrize("seat", ["corvane", "ivelmark", "gm"])
def test_examples_name_the_seats_of_the_campaign(page: Page, seat: str, seats: tuple[str, ...]) -> None:
    names = {**NAMES, "seats": seats}
    broken = ("messages: hello", "aid: loyalty", "special: [{edict: aid, to: [a]}]", "kingdom: ''", "tell: hello")
    texts = [f"kingdom: {seat}\nturn: 3\n{text}\n" for text in broken] + ["turn: 3\nclaim: x\n", "kingdom: []\n"]
    for text, said in zip(texts, page.read(texts, seat, names=names), strict=True):
        wanted = engine(text, seat, names=names)
        assert said["problems"] == wanted["problems"] and wanted["problems"]
        assert not any(name in str(wanted["problems"]) for name in ("borderia", "examplia", "{seat}"))


def test_what_is_mostly_zeros_is_no_text(page: Page) -> None:
    texts = ["\0", "a\0", "a\0b\0", "ab\0", "abc\0", "\0\n", "turn: 3\0"]
    assert page.read(texts) == [engine(text) for text in texts]


def test_texts_with_slips_in_them(page: Page) -> None:
    texts = ordertexts.spoilt(1500)
    said = page.read(texts)
    assert sum(each["orders"] is not None for each in said) > 0, "some slips do no harm"
    for text, each in zip(texts, said, strict=True):
        assert each == engine(text), repr(text)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(ordertexts.made(), min_size=1, max_size=4))
def test_orders_of_every_kind_in_every_form(page: Page, texts: list[str]) -> None:
    for text, said in zip(texts, page.read(texts), strict=True):
        assert said == engine(text) and said["orders"] is not None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(exclude_categories=("Cn", "Cs")), max_size=60))
def test_any_text_at_all(page: Page, text: str) -> None:
    texts = [text, f"kingdom: {SEAT}\nturn: {TURN}\ncapital: {text}\n", f"messages: {{all: '{text}'}}\n"]
    for each, said in zip(texts, page.read(texts), strict=True):
        assert said == engine(each)


def test_the_limits_are_the_engines(page: Page) -> None:
    """Too many bytes, problems or levels; a line that is too long for a key or a short form."""
    texts = [
        "#" * (yaml_text.LIMIT + 1),
        "\u00e9" * (yaml_text.LIMIT // 2 + 1),
        "kingdom: examplia\nturn: 3\n" + "".join(f"nonsense_{number}: 1\n" for number in range(150)),
        "claim: " + "[" * 40,
        "a" * 2000 + ": 1",
        "build: house in " + "a" * 700,
        "claim: [" + "0101, " * 600 + "]",
        "loyalty: rouse the people " + " " * 600 + "economy",
    ]
    for text, said in zip(texts, page.read(texts), strict=True):
        assert said == engine(text) and said["problems"]


def test_another_game_is_read_with_the_same_scripts(page: Page) -> None:
    tiny_game.register()
    tally = load("tally")
    names = {**tally.names(None), "seats": ("ann", "bob")}
    texts = [
        "kingdom: ann\nturn: 1\ntake: 3\nbury: 1\n",
        "kingdom: ann\nturn: 1\ntake: many\nburry: 1\n",
        "kingdom: bob\nturn: 2\n",
    ]
    for text, said in zip(texts, page.read(texts, "ann", 1, tally, names), strict=True):
        assert said == engine(text, "ann", 1, tally, names)
