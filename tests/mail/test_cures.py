"""A refusal's cure works: the lines and the link that an answer offers are filed as they stand."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from kingdom.campaign import preview
from kingdom.mail.incoming import cures
from kingdom.mail.reading import order_lines
from kingdom.mail.records import Headers
from kingdom.orders import orders_file
from tests.kit import postkit
from tests.kit.postkit import Post, links, pressed, text_of

KEYS = ("messages", "claim")
CORRECTED, REST = "Send them corrected", "Send the others alone"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        return postkit.campaign(tmp_path_factory.mktemp("cures") / "campaign")


@pytest.fixture
def post(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Post]:
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    yield postkit.fresh(made, tmp_path / "campaign")


@pytest.mark.parametrize(
    ("typed", "orders"),
    [
        ("taxes: light", {"edicts": {"taxation": "light"}}),
        ("Tax: heavy\nclaim: 708, O203", {"claim": ["0708", "0203"], "edicts": {"taxation": "heavy"}}),
        ("clam: hex 0102\nbiuld: hose in Oakhold", {"claim": ["0102"], "build": [{"in": "Oakhold", "build": "house"}]}),
        ("kingdom: examplia\nturn: 3\nclam: 0102\ntoken: k7f3q", {"claim": ["0102"]}),
    ],
)
def test_known_corrections_stand_in_the_link_and_in_the_text(post: Post, typed: str, orders: dict[str, object]) -> None:
    assert post.mail("examplia", f"{typed}\n").outcome == "refused"
    answer = post.answer()
    _, _, body = pressed(links(answer)[CORRECTED])
    assert all(line in text_of(answer).splitlines() for line in body.splitlines()), "the text part has the same lines"
    assert post.mail("examplia", body).outcome == "accepted"
    assert post.filed() == orders


def test_what_cannot_be_corrected_is_left_out_of_a_second_link(post: Post) -> None:
    post.mail("examplia", "CLAIM 0102\nBUILD NOTHING AT ALL\nTAXATION LIGHT\n")
    found = links(post.answer())
    assert pressed(found[REST])[2] == "claim: 0102\ntaxation: LIGHT\n"
    assert "build: NOTHING" in pressed(found["Correct them and send them again"])[2]
    assert post.press(found[REST], "examplia").outcome == "accepted"


@pytest.mark.parametrize("typed", ["messages: Hello all of you", "smuggle: {a: 1}", "aid: loyalty"])
@pytest.mark.parametrize(("seat", "other"), [("examplia", "borderia"), ("borderia", "examplia")])
def test_an_example_names_another_kingdom_of_this_campaign_and_can_be_pasted(
    post: Post, seat: str, other: str, typed: str
) -> None:
    assert post.mail(seat, f"{typed}\n").outcome == "refused"
    said = " ".join(text_of(post.answer()).split())
    (example,) = (shown for shown in said.split("`") if shown not in typed and other in shown)
    assert post.mail(seat, f"{typed.partition(':')[0]}: {example}\n").outcome == "accepted"


def test_a_key_at_the_top_is_called_an_order(post: Post) -> None:
    post.mail("examplia", "taxes: light\nbuild: [{inn: Oakhold, build: house}]\n")
    text = text_of(post.answer())
    assert "`taxes` is no order. Did you mean `taxation`?" in text
    assert "`inn` is not a key here. Did you mean `in`?" in text


@pytest.mark.parametrize(
    "typed", ["Feud: adventurers 4", '"Feud: adventurers 4"', "adventurers, 4", "feud adventurers 4!"]
)
def test_an_answer_is_corrected_with_the_question_that_is_asked(
    post: Post, typed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [{"key": "feud-1", "choices": ["none", "adventurers"]}]
    monkeypatch.setattr(preview, "sheets", lambda *_: {"pending": asked})
    text = f"Answers: {typed}\nclaim: 0102"
    names = {"seats": post.campaign.seats}
    problems = orders_file.read(
        text.encode(),
        "mail",
        post.campaign.game,
        {**post.campaign.game.names(preview.start_of(post.campaign).rules.rules), **names},
        "examplia",
        3,
        subject=True,
    ).problems
    cured = cures.cured(post.campaign, "examplia", 3, text, problems)
    assert cured.whole and list(cured.lines) == ["answers: {feud-1: {adventurers: 4}}", "claim: 0102"]
    assert cured.said == {1: "answers: {feud-1: {adventurers: 4}}"}


def test_orders_in_sentences_are_offered_as_lines(post: Post) -> None:
    words = "I'd like to claim hex 0102 and build a farm there. Also build a house in Oakhold. Taxes light please."
    assert post.mail("examplia", f"{words}\n").code == "to"
    answer = next(mail for mail in post.new() if mail["To"] == "ada@example.org")
    lines = ["amend: true", "claim: 0102", "build: house in Oakhold", "taxation: light"]
    assert "\n".join(lines) in text_of(answer)
    link = next(link for name, link in links(answer).items() if name.startswith("Order this"))
    assert post.press(link, "examplia").outcome == "accepted"
    assert set(post.filed()) == {"claim", "build", "edicts"}


@pytest.mark.parametrize("words", ["May I claim 0102?", "I will build an alliance with you.", "claim 0102 or 0103"])
def test_questions_and_talk_are_offered_nothing(post: Post, words: str) -> None:
    post.mail("examplia", f"{words}\n")
    assert not any("If you meant orders" in text_of(mail) for mail in post.new())


# --- a name that is nearly one of those that would do


@pytest.mark.parametrize("town", ["oak hold", "Oakhodl", "OAK-HOLD", "the Oakhold"])
def test_a_town_that_is_nearly_one_of_the_kingdoms_is_offered(post: Post, town: str) -> None:
    assert post.mail("examplia", f"taxation: light\nbuild: house in {town}\n").outcome == "accepted"
    answer = post.answer()
    said = text_of(answer)
    assert "Its settlements: Oakhold. Did you mean Oakhold?" in " ".join(said.split())
    assert "\nbuild: house in Oakhold\ntaxation: light\n" in said.partition("To send them corrected")[2]
    assert post.press(links(answer)[CORRECTED], "examplia").outcome == "accepted"
    assert post.filed() == {"build": [{"in": "Oakhold", "build": "house"}], "edicts": {"taxation": "light"}}
    assert "refused" not in post.answer()["Subject"]


def test_each_wrong_town_is_corrected_in_one_link(post: Post) -> None:
    post.mail("examplia", "build: house in oak hold, house in Oakholt, house in Millford\n")
    answer = post.answer()
    assert text_of(answer).count("Did you") == 2
    assert post.press(links(answer)[CORRECTED], "examplia").outcome == "accepted"
    assert [one["in"] for one in post.filed()["build"]] == ["Oakhold", "Oakhold", "Millford"]


@pytest.mark.parametrize("typed", ["build: house in Millford", "claim: 0404", "upgrade: inn in Oakhold"])
def test_what_is_like_no_name_that_would_do_is_offered_nothing(post: Post, typed: str) -> None:
    post.mail("examplia", f"{typed}\n")
    assert "Did you mean" not in text_of(post.answer()) and CORRECTED not in links(post.answer())


# --- a message to the GM


@pytest.mark.parametrize("to", ["gm", "Gm", "borderia", "Bo"])
def test_a_message_without_the_brackets_of_its_list_is_read_as_one_also_to_the_gm(post: Post, to: str) -> None:
    reads = order_lines.reader(post.campaign)
    meant = order_lines.meant(f"messages: {{to: {to}, text: hello}}\nclaim: 0102", KEYS, reads, Headers(), 3)
    assert meant.text == f"messages: [{{to: {to}, text: hello}}]\nclaim: 0102"


def test_only_messages_name_the_gm(post: Post) -> None:
    reads = order_lines.reader(post.campaign)
    assert reads("messages: {gm: hello}") and reads("aid: loyalty to borderia") and not reads("aid: loyalty to gm")
