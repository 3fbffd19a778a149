"""The mail to a player for whom a steward acted: it says so first, and what it did, and how to take over."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from kingdom.campaign import campaign as campaigns
from kingdom.cli.main import main
from kingdom.mail.outgoing import posting
from tests.kit import postkit
from tests.kit.mailkit import CAMPAIGN
from tests.kit.postkit import Post
from tests.kit.tiny_game import file_orders, write


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Borderia's player was silent in turns 1 to 3, so in turn 3 a steward acted."""
    folder = tmp_path_factory.mktemp("stewards") / "campaign"
    postkit.campaign(folder)
    file_orders(folder, 3, "examplia")
    assert main(["turn", "--yes", str(folder)]) == 0
    return folder


@pytest.fixture
def post(made: Path, tmp_path: Path) -> Post:
    return postkit.fresh(made, tmp_path / "campaign")


def texts(post: Post, seat: str) -> list[str]:
    """The text and the HTML of the newest report's mail."""
    (letter,) = [each for each in posting.reports(post.campaign, post.journal, post.now) if each.kingdom == seat]
    post.queue([letter])
    mail = post.letter(letter.id)
    return [" ".join(mail.get_body((kind,)).get_content().split()) for kind in ("plain", "html")]


def test_the_mail_says_first_that_a_steward_acted(post: Post) -> None:
    plain, page = texts(post, "borderia")
    for text in (plain, page):
        said = text.index("so a bot acted as steward in turn 3.")
        assert said < text.index("It ordered") < text.index("To take over, reply to this mail with your orders.")
        assert said < text.index("orders for turn 4 are due")
    assert plain.startswith("No orders came from you for 3 turns, ")


def test_who_orders_again_hears_that_the_steward_stopped(post: Post) -> None:
    turn = campaigns.newest(post.campaign) + 1
    post.mail("borderia", "taxation: light\n", f"Orders borderia {turn}")
    assert "The steward has stopped: your own orders count." in " ".join(postkit.text_of(post.answer()).split())
    post.mail("examplia", "taxation: light\n", f"Orders examplia {turn}")
    assert "steward" not in postkit.text_of(post.answer())


def test_it_says_what_the_steward_ordered(post: Post) -> None:
    orders = yaml.safe_load((post.folder / "turns/0003/orders/borderia.yaml").read_text())
    keys = orders.keys() - {"kingdom", "turn", "edicts"} | orders.get("edicts", {}).keys()
    text = texts(post, "borderia")[0]
    ordered = text[text.index("It ordered") : text.index("To take over")]
    found = set(re.findall(r"(\w+):", ordered.removeprefix("It ordered:")))
    assert found >= keys != set(), "it ordered nothing, so nothing is shown"


def test_nobody_else_is_told_what_it_ordered(post: Post) -> None:
    for text in texts(post, "examplia"):
        assert "acted as steward" not in text and "It ordered" not in text


def test_a_seat_that_a_bot_holds_has_no_steward(post: Post) -> None:
    text = CAMPAIGN.replace("borderia: {name: Bo, email: bo@example.org, token: b8w2m}", "borderia: {bot: trader}")
    write(post.folder, "campaign.yaml", text)
    assert main(["turn", "--yes", str(post.folder)]) == 0
    write(post.folder, "campaign.yaml", CAMPAIGN)  # somebody takes the seat
    assert "acted as steward" not in texts(post, "borderia")[0]


def test_in_the_turn_after_the_player_is_back_nothing_is_said(post: Post) -> None:
    file_orders(post.folder, 4, "borderia", "taxation: light\n")
    assert main(["turn", "--yes", str(post.folder)]) == 0
    assert "acted as steward" not in texts(post, "borderia")[0]
