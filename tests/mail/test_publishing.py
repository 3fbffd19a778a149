"""`publish`: each seat's report and form go into a folder that a web server shows, under names that nobody guesses."""

from __future__ import annotations

import html
import os
import re
from pathlib import Path

import pytest

from kingdom.books import verify
from kingdom.cli.main import main
from kingdom.mail.incoming.forwarded import forwarded
from kingdom.mail.outgoing import posting
from kingdom.mail.tokens import turn_token
from tests.kit import postkit
from tests.kit.mailkit import CAMPAIGN
from tests.kit.postkit import Post, enclosed, html_of, text_of
from tests.mail.test_posting import reports

URL = "https://example.org/fords"
PUBLISH = f"publish: {{folder: ../www, url: {URL}}}\n"
SECRETS = ("public, this is a test",)  # the seed


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return postkit.campaign(tmp_path_factory.mktemp("publishing") / "campaign")


@pytest.fixture
def post(made: Path, tmp_path: Path) -> Post:
    return postkit.fresh(made, tmp_path / "campaign", CAMPAIGN + PUBLISH)


def published(post: Post) -> dict[str, str]:
    """The pages, but for the program that lies beside all of them."""
    found = {file.name: file.read_text() for file in (post.folder.parent / "www").iterdir()}
    assert found.pop("verify.py") == verify.source().decode()
    return found


def test_a_turn_puts_each_seats_report_and_form_there(post: Post) -> None:
    assert main(["turn", "--yes", str(post.folder)]) == 0
    found = published(post)
    index = found.pop("index.html")
    assert len(found) == 4 and not re.search(r"[0-9a-f]{20}", index), (
        "two seats, a report and a form each; the index names none"
    )
    assert all(re.fullmatch(r"[0-9a-f]{40}\.html", name) for name in found)
    for seat, other in (("examplia", "borderia"), ("borderia", "examplia")):
        place = posting.shown(post.campaign, seat, 3)
        assert place and place.report != place.form
        page, form = (found[address.removeprefix(f"{URL}/")] for address in place)
        assert place.form in page, "the report leads to the form"
        assert turn_token(post.campaign, seat, 4) in page and turn_token(post.campaign, other, 4) not in page + form
        assert not any(f"[{token}]" in page + form for token in postkit.TOKENS.values()), "no page gives a seat away"
        assert not any(secret in page + form for secret in SECRETS)


def test_published_pages_read_the_same_whatever_encoding_a_server_names(post: Post) -> None:
    named = CAMPAIGN.replace("The two fords", "Die zwölf Furten 字")
    post = Post(post.folder, named + PUBLISH)
    assert main(["turn", "--yes", str(post.folder)]) == 0
    pages = list(published(post).values())
    assert all(page.isascii() for page in pages)
    assert sum("Die zwölf Furten 字" in html.unescape(page) for page in pages) == 4


def test_a_form_that_a_gm_writes_to_hand_it_on_reads_the_same_too(post: Post, tmp_path: Path) -> None:
    Post(post.folder, CAMPAIGN.replace("The two fords", "Die zwölf Furten 字"))
    assert main(["form", str(post.folder), "--to", str(tmp_path / "forms")]) == 0
    assert main(["form", str(post.folder), "examplia", "--to", str(tmp_path / "forms/own.html")]) == 0
    forms = [file.read_bytes() for file in (tmp_path / "forms").iterdir()]
    assert len(forms) == 3 and all(form.isascii() and b"Die zw&#246;lf Furten &#23383;" in form for form in forms)


def test_the_mail_leads_there(post: Post) -> None:
    assert main(["turn", "--yes", str(post.folder)]) == 0
    mail = reports(post)["examplia"]
    place = posting.shown(post.campaign, "examplia", 3)
    assert place and place.form in text_of(mail) and place.form in html_of(mail) and place.report in text_of(mail)
    assert place.form in enclosed(mail)["examplia-0003.html"].decode()


def test_a_form_keeps_its_name_and_a_report_has_a_new_one_each_turn(post: Post) -> None:
    first, second = (posting.shown(post.campaign, "examplia", turn) for turn in (3, 4))
    assert first and second and first.form == second.form and first.report != second.report


def test_a_new_token_makes_new_names(post: Post) -> None:
    before = posting.shown(post.campaign, "examplia", 3)
    post = Post(post.folder, (CAMPAIGN + PUBLISH).replace("k7f3q", "n3w0n3"))
    assert posting.shown(post.campaign, "examplia", 3) != before


def test_a_bots_seat_has_no_pages(post: Post) -> None:
    post = Post(
        post.folder,
        CAMPAIGN.replace("{name: Bo, email: bo@example.org, token: b8w2m}", "{name: Bo, bot: trader}") + PUBLISH,
    )
    assert posting.shown(post.campaign, "borderia", 3) is None
    assert main(["turn", "--yes", str(post.folder)]) == 0
    assert len(published(post)) == 3


def test_nothing_is_written_where_nothing_changed(post: Post) -> None:
    assert main(["turn", "--yes", str(post.folder)]) == 0
    files = list((post.folder.parent / "www").iterdir())
    before = [os.stat(file).st_ino for file in files]
    posting.publish(post.campaign, post.journal, post.now, forwarded)
    posting.publish(post.campaign, post.journal, post.now, forwarded)
    assert len(before) == 6 and len(list((post.folder.parent / "www").iterdir())) == 6


def test_without_an_address_no_mail_leads_there(post: Post) -> None:
    post = Post(post.folder, CAMPAIGN + "publish: ../www\n")
    assert main(["turn", "--yes", str(post.folder)]) == 0
    assert len(published(post)) == 5
    assert "example.org/fords" not in text_of(reports(post)["examplia"])


def test_a_folder_that_can_not_be_written_is_said(post: Post, capsys: pytest.CaptureFixture[str]) -> None:
    (post.folder.parent / "www").write_text("in the way")
    assert main(["turn", "--yes", str(post.folder)]) == 1
    assert "www" in capsys.readouterr().err
    assert (post.folder / "turns/0003").is_dir(), "the turn is kept all the same"
    assert posting.LINKS not in html_of(reports(post)["examplia"])


def test_an_index_that_is_there_stays(post: Post) -> None:
    home = post.folder.parent / "www" / "index.html"
    home.parent.mkdir()
    home.write_text("<h1>Our club</h1>")
    assert main(["turn", "--yes", str(post.folder)]) == 0
    assert home.read_text() == "<h1>Our club</h1>" and len(published(post)) == 5


@pytest.mark.parametrize("where", [".", "mail", "pages", "..", "../web"])
def test_a_folder_with_a_campaign_gets_no_page_and_no_mail_leads_there(post: Post, capsys, where: str) -> None:
    (post.folder.parent / "web" / "other").mkdir(parents=True)
    (post.folder.parent / "web" / "other" / "campaign.yaml").write_text("")
    post = Post(post.folder, CAMPAIGN + f"publish: {{folder: {where}, url: {URL}}}\n")
    assert main(["turn", "--yes", str(post.folder)]) == 1
    err = capsys.readouterr().err
    assert (
        "Turn 3 is kept. Its pages could not be written" in err
        and "When that is done, the next `kingdom run` writes them." in err
    )
    assert not list(post.folder.parent.rglob("[0-9a-f]" * 40 + ".html")) and not list(
        post.folder.parent.rglob("index.html")
    )
    assert URL not in text_of(reports(post)["examplia"])
