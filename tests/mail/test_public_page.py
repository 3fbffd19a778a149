"""The public page: what anybody may read of a campaign, by the level that `publish` names, and nothing of what a seat alone knows."""

from __future__ import annotations

import email
import html
import json
import re
from datetime import timedelta
from email.policy import default
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from kingdom.books import public_page
from kingdom.books.chapters import chapters
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import publicity
from kingdom.campaign.publicity import Publicity
from kingdom.campaign.settings import PUBLIC
from kingdom.cli.main import main
from kingdom.mail.incoming.forwarded import forwarded
from kingdom.mail.outgoing import posting, told_at_end
from tests.books.test_chronicle import HIDDEN, ORDERS, laid_down, played, state_of
from tests.kit import archives, mailkit, postkit, small_realm
from tests.kit.browser import PROGRAM, Browser
from tests.kit.pagekit import overflowing, shut_out
from tests.kit.postkit import Post
from tests.kit.rows import sampled
from tests.kit.tiny_game import file_orders, write
from tests.render.test_reports import HOSTILE

URL = "https://example.org/fords"
FINDS_ALL = Publicity("map", 0)


def setting(folder: Path, level: str, delay: int = 8, url: str = "") -> None:
    """Campaign.yaml says now what the public page shows."""
    text = re.sub(r"publish: .*\n", "", (folder / "campaign.yaml").read_text())
    named = f", url: {url}" if url else ""
    write(folder, "campaign.yaml", f"{text}publish: {{folder: ../www{named}, public: {level}, delay: {delay}}}\n")


def fords(folder: Path, level: str = "map", delay: int = 1, turns: int = 2) -> Path:
    laid_down(folder)
    setting(folder, level, delay)
    return played(folder, turns)


def page_of(folder: Path) -> str:
    """The page as its source, "" if there is none."""
    file = folder.parent / "www" / publicity.PAGE
    return file.read_text(encoding="ascii") if file.is_file() else ""


def words(page: str) -> str:
    text = re.sub(r"<(style|script)>.*?</\1>", "", page, flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


def publish(folder: Path) -> str:
    """The page after a run that plays nothing."""
    post = Post(folder, (folder / "campaign.yaml").read_text())
    posting.publish(post.campaign, post.journal, post.now, forwarded)
    return page_of(folder)


def made(folder: Path, shown: Publicity) -> bytes:
    campaign = campaigns.open_campaign(folder)
    return public_page.page(campaign, campaigns.newest(campaign), shown, "mark")[publicity.PAGE]


# --- by level


def test_there_is_none_unless_the_gm_asks_for_it(tmp_path: Path) -> None:
    folder = fords(tmp_path / "fords", "nothing")
    assert not page_of(folder) and "Nothing to see" in (tmp_path / "www/index.html").read_text()
    assert not publicity.kept(campaigns.kept(campaigns.open_campaign(folder)).record)


def test_letters_are_told_by_turn_and_no_number_of_a_kingdom(tmp_path: Path) -> None:
    page = page_of(fords(tmp_path / "fords", "letters"))
    said = words(page)
    for text in (
        "Turn 2 is played.",
        "Borderia, Cravonia and Examplia take part.",
        "Winter comes early.",
        "wrote to all : Peace to all.",
    ):
        assert text in said
    for text in ("Shall we talk", "Between us two", "Only Borderia", "Oakhold", "Ada", "size", "Size"):
        assert text not in said
    assert "<svg" not in page
    assert said.index("Turn 1 The GM") < said.index("Peace to all")


def test_size_adds_the_chart_the_standings_and_who_leads(tmp_path: Path) -> None:
    said, page = words(page_of(fords(tmp_path / "fords", "size"))), page_of(tmp_path / "fords")
    assert "Size after each turn" in said and page.count("<polyline") == 3 and "<script" not in page
    campaign = campaigns.open_campaign(tmp_path / "fords")
    state = campaigns.state_of(campaign, campaigns.kept(campaign))
    sizes = {kingdom.name: len(kingdom.hexes) for kingdom in state.kingdoms.values()}
    for name, size in sizes.items():
        assert f"{name} {size}" in said and f"{size} {name}" in said, "in the table and at the line's end"
    assert (
        "Treasury" not in said
        and "Cravonia and Examplia are level at the top (size 3)." in said
        and "Peace to all." in said
    )


def test_the_map_is_of_a_turn_ago_and_has_owners_alone(tmp_path: Path) -> None:
    folder = fords(tmp_path / "fords", "map", 1)
    page, campaign = page_of(folder), campaigns.open_campaign(folder)
    assert "The map after turn 1" in words(page) and "1 turn late" in words(page)
    steps = re.findall(r'\[(\d+), "([0-9-]*)"\]', page)
    assert [turn for turn, _ in steps] == ["0", "1"]
    drawn: dict[str, int] = {}
    seats = ["borderia", "cravonia", "examplia"]
    for turn, text in steps:
        drawn |= {text[at : at + 4]: int(text[at + 4 : at + 7]) for at in range(0, len(text), 7)}
        state = campaigns.state_of(campaign, campaigns.kept(campaign, int(turn)))
        assert {label: seats[at] for label, at in drawn.items()} == campaign.game.holders(state)
    assert "0102" in drawn and "1103" not in drawn, "which is claimed in turn 2"
    assert not [word for word in ("forest", "Oakhold", "Farhold", "river") if word in page]


def test_before_there_is_a_map_the_page_says_when(tmp_path: Path) -> None:
    page = page_of(fords(tmp_path / "fords", "map", 8))
    assert "The map is shown 8 turns late; it begins after turn 8." in words(page) and "<script" not in page


def test_who_loses_the_lead_or_land_is_told() -> None:
    war = archives.example("war-of-the-ford")
    said = words(made(war, FINDS_ALL).decode())
    assert "The Salt Cities out of play since turn 14" in said and "The Hartmark takes the lead (size 20)." in said
    assert "Turn 8 The Queendom of the Karrak takes land from The Hartmark." in said
    late = words(made(war, Publicity("map", 3)).decode())
    assert "Turn 12 The Hartmark takes land" in said and "Turn 12" not in late, "that shows with the map"


# --- from when, and until when


def test_a_wider_page_comes_with_the_next_turn_which_tells_all(tmp_path: Path) -> None:
    folder = fords(tmp_path / "fords", "nothing", turns=1)
    setting(folder, "size")
    assert not publish(folder)
    played(folder, 2)
    said = words(page_of(folder))
    assert "Size after each turn" in said and "turn 0" in said
    assert "Peace to all." not in said and "Winter comes" not in said, "written before anybody knew"
    for seat in ("examplia", "borderia", "cravonia"):
        report = " ".join((folder / f"turns/0002/reports/{seat}.txt").read_text().split())
        assert (
            "From now on a page that anybody in the world may read shows the names of all, what all are told" in report
        )
        assert "everybody's size after each turn" in report
    assert "From now on" not in said, "it does not speak of itself"


def test_what_was_ordered_before_anybody_knew_of_the_page_is_not_in_it(tmp_path: Path) -> None:
    """Nor where it was set between the deadline and the run that plays the turn; the GM, who set it, knew."""
    folder = fords(tmp_path / "fords", "nothing", turns=0)
    setting(folder, "letters")
    played(folder, 1)
    said = words(page_of(folder))
    assert "Winter comes early." in said and "Peace to all." not in said


def test_the_same_level_is_no_news(tmp_path: Path) -> None:
    folder = fords(tmp_path / "fords", "letters", turns=1)
    assert "From now on a page" not in (folder / "turns/0001/reports/examplia.txt").read_text()
    assert publicity.told(campaigns.kept(campaigns.open_campaign(folder)).record) == Publicity("letters", 1)


def test_less_holds_at_once_and_widening_again_waits_again(tmp_path: Path) -> None:
    folder = fords(tmp_path / "fords", "map", 0)
    assert "The map after turn 2" in words(page_of(folder))
    setting(folder, "map", 2)
    assert "The map after turn 0" in words(publish(folder))
    setting(folder, "letters")
    assert "<svg" not in publish(folder) and "Peace to all." in page_of(folder)
    setting(folder, "letters", url=URL)
    assert publish(folder) and (tmp_path / "www/public.png").exists()
    setting(folder, "letters")
    assert publish(folder) and not (tmp_path / "www/public.png").exists()
    setting(folder, "nothing", url=URL)
    assert not publish(folder) and not (tmp_path / "www/public.png").exists()
    assert "Nothing to see" in (tmp_path / "www/index.html").read_text()
    played(folder, 3)
    setting(folder, "letters")
    assert not publish(folder)
    assert "shows anything of this campaign" in " ".join(
        (folder / "turns/0003/reports/examplia.txt").read_text().split()
    )
    played(folder, 4)
    assert "Turn 4 is played." in words(page_of(folder))


def test_a_shorter_delay_is_wider(tmp_path: Path) -> None:
    folder = fords(tmp_path / "fords", "map", 2)
    setting(folder, "map", 0)
    assert "The map after turn 0" in words(publish(folder))
    played(folder, 3)
    assert "The map after turn 3" in words(page_of(folder))


def test_a_turn_that_is_taken_back_is_told_no_longer(tmp_path: Path) -> None:
    folder = fords(tmp_path / "fords", "map", 0)
    assert main(["undo", str(folder)]) == 0
    assert "Turn 1 is played." in words(page_of(folder)) and "The map after turn 1" in words(page_of(folder))
    assert main(["turn", str(folder)]) == 0
    assert "Turn 2 is played." in words(page_of(folder))
    for _ in range(3):
        assert main(["undo", "--reopen", str(folder)]) == 0
    assert not page_of(folder)


def test_a_turn_run_again_and_one_that_is_replayed_have_its_notice(tmp_path: Path) -> None:
    folder = fords(tmp_path / "fords", "size", turns=1)
    setting(folder, "map")
    played(folder, 2)
    assert main(["replay", str(folder)]) == 0 and main(["audit", str(folder)]) == 0
    assert main(["correct", str(folder), "--turn", "1"]) == 0
    file_orders(folder, 2, "gm", 'tell: [{to: all, text: "Corrected."}]\n')
    assert main(["redo", str(folder), "--yes"]) == 0
    assert "Corrected." in words(page_of(folder))
    assert publicity.told(campaigns.kept(campaigns.open_campaign(folder)).record).level == "map"


def test_a_turn_that_is_only_resolved_again_makes_no_page_wider(tmp_path: Path) -> None:
    folder = fords(tmp_path / "fords", "letters")
    setting(folder, "map", 0)
    file_orders(folder, 2, "gm", 'tell: [{to: all, text: "Corrected."}]\n')
    assert main(["redo", str(folder), "--yes"]) == 0
    assert "Corrected." in words(page_of(folder)) and "<svg" not in page_of(folder)


def test_it_waits_with_the_reports_for_the_gm(tmp_path: Path) -> None:
    text = mailkit.CAMPAIGN.replace("grace: 1h", "grace: 1h, review: 2d")
    post = postkit.fresh(postkit.campaign(tmp_path / "made"), tmp_path / "campaign", text)
    setting(post.folder, "size")
    assert main(["turn", "--yes", str(post.folder)]) == 0
    assert not page_of(post.folder), "turn 2 had no such page"
    assert main(["release", str(post.folder)]) == 0
    assert "Turn 3 is played." in words(page_of(post.folder))


@pytest.mark.parametrize("level", PUBLIC[1:])
def test_at_the_end_it_has_the_final_standings_and_the_last_map(tmp_path: Path, level: str) -> None:
    laid_down(tmp_path / "fords")
    setting(tmp_path / "fords", level)
    file_orders(tmp_path / "fords", 2, "gm", "gm: [{finish: campaign, reason: Winter is here}]\n")
    for _ in range(2):
        assert main(["turn", str(tmp_path / "fords")]) == 0
    file_orders(tmp_path / "fords", 2, "gm", "gm: [{finish: campaign, reason: Winter is here}]\n")
    assert main(["turn", str(tmp_path / "fords")]) == 0
    said = words(page_of(tmp_path / "fords"))
    assert "The campaign is over after turn 2." in said and said.count("Final standings, by size") == 1
    assert ("The map after turn 2" in said) == (level == "map") and "this is a test" not in said
    assert main(["undo", str(tmp_path / "fords")]) == 0
    assert "Final standings" not in page_of(tmp_path / "fords")


def test_final_standings_that_differ_from_the_chart_say_so(tmp_path: Path) -> None:
    """By edition 2 land counts at the end as far as it was held some turns before."""
    campaign = campaigns.open_campaign(fords(tmp_path / "fords", "size"))
    rows = [public_page.row(campaign, chapter) for chapter in chapters(campaign)]
    held = {seat: list(figures) for seat, figures in rows[-1]["figures"].items()}

    def noted(less: int) -> bool:
        standings = [{"seat": seat, "figures": [size - less], "out": ""} for seat, (size, *_) in held.items()]
        end = {"winner": "", "counts": ["Size"], "standings": standings}
        return bool(public_page.view(campaign, rows, Publicity("size"), end)["recounted"])

    assert noted(1) and not noted(0) and not public_page.view(campaign, rows, Publicity("size"), {})["recounted"]


def test_a_name_at_the_edge_of_the_map_has_room(browser: Browser, tmp_path: Path) -> None:
    folder = fords(tmp_path / "fords", "map", 0, turns=0)
    seats = ("borderia", "cravonia", "examplia")
    names = "".join(f'  - {{rename: {seat}, to: "Long Kingdom {seat[0]}", reason: "so it is"}}\n' for seat in seats)
    file_orders(folder, 1, "gm", f"gm:\n{names}")
    assert main(["turn", str(folder)]) == 0
    browser.show(tmp_path / "www/public.html", 360)
    outside = """(() => { const box = document.querySelector("svg.land").getBoundingClientRect();
        const all = [...document.querySelectorAll("svg.land text")].map(text => text.getBoundingClientRect());
        return all.length && all.filter(text => text.left < box.left - 1 || text.right > box.right + 1).length; })()"""
    assert browser.ask(outside) == 0


def test_it_says_nothing_of_who_is_silent(tmp_path: Path) -> None:
    laid_down(tmp_path / "fords")
    setting(tmp_path / "fords", "letters")
    write(tmp_path / "fords", "campaign.yaml", (tmp_path / "fords/campaign.yaml").read_text() + "steward_after: 1\n")
    for _ in range(4):
        assert main(["turn", str(tmp_path / "fords")]) == 0
    assert "is silent" in (tmp_path / "fords/turns/0003/reports/examplia.txt").read_text()
    assert "silent" not in page_of(tmp_path / "fords")


def test_where_an_older_turn_was_altered_the_reports_are_published_and_the_page_goes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = fords(tmp_path / "fords", "map", 0)
    ledger = folder / "turns/0001/ledger.csv"
    ledger.write_bytes(ledger.read_bytes() + b"1,1,x,y,examplia,treasury,1,1,grant,\n")
    assert main(["turn", str(folder)]) == 1 and "0001/ledger.csv" in capsys.readouterr().err
    post = Post(folder, (folder / "campaign.yaml").read_text())
    place = posting.shown(post.campaign, "examplia", 3)
    assert place and Path(place.report).is_file() and not page_of(folder)


# --- what nobody may read


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fords(tmp_path_factory.mktemp("plain") / "fords", "map", 1)


@pytest.mark.parametrize("what", HIDDEN)
def test_two_campaigns_that_differ_in_a_secret_have_the_same_page(plain: Path, tmp_path: Path, what: str) -> None:
    hexes, kingdoms, _ = HIDDEN[what]
    other = laid_down(tmp_path / "other", hexes, kingdoms)
    setting(other, "map", 1)
    played(other)
    assert state_of(other) != state_of(plain)
    for level in PUBLIC[1:]:
        assert made(plain, Publicity(level, 0)) == made(other, Publicity(level, 0)), level


def test_two_campaigns_that_differ_in_what_two_wrote_or_what_was_ordered_have_the_same_page(
    plain: Path, tmp_path: Path
) -> None:
    other = laid_down(tmp_path / "other")
    setting(other, "map", 1)
    assert main(["turn", str(other)]) == 0
    for (turn, seat), text in ORDERS.items():
        file_orders(
            other,
            turn,
            seat,
            text.replace("Between us two.", "Between them.").replace("holiday: long", "taxation: heavy"),
        )
    assert main(["turn", str(other)]) == main(["turn", str(other)]) == 0
    assert made(plain, FINDS_ALL) == made(other, FINDS_ALL) and state_of(other) != state_of(plain)


def test_who_claimed_what_shows_after_the_delay_alone(plain: Path, tmp_path: Path) -> None:
    other = laid_down(tmp_path / "other")
    setting(other, "map", 1)
    assert main(["turn", str(other)]) == 0
    for (turn, seat), text in ORDERS.items():
        file_orders(other, turn, seat, text.replace("1103", "1102"))
    assert main(["turn", str(other)]) == main(["turn", str(other)]) == 0
    assert state_of(other) != state_of(plain)
    assert made(plain, Publicity("map", 1)) == made(other, Publicity("map", 1))
    assert made(plain, Publicity("map", 0)) != made(other, Publicity("map", 0))


def test_two_campaigns_that_differ_in_a_size_have_the_same_letters(plain: Path, tmp_path: Path) -> None:
    other = laid_down(tmp_path / "other")
    setting(other, "map", 1)
    assert main(["turn", str(other)]) == 0
    for (turn, seat), text in ORDERS.items():
        file_orders(other, turn, seat, text.replace("claim: 1103\n", ""))
    assert main(["turn", str(other)]) == main(["turn", str(other)]) == 0
    assert made(plain, Publicity("letters", 0)) == made(other, Publicity("letters", 0))
    assert made(plain, Publicity("size", 0)) != made(other, Publicity("size", 0))


def test_no_token_no_address_no_player_is_in_it(plain: Path) -> None:
    page = made(plain, FINDS_ALL).decode()
    for word in ("k7f3q", "b9wx2", "c4ntz", "g5s1r", "example.org", "Ada", "Gwen", "public, this is a test"):
        assert word not in page


def test_what_gives_somebody_away_is_left_out_of_letters_and_news(tmp_path: Path) -> None:
    laid_down(tmp_path / "fords")
    setting(tmp_path / "fords", "letters")
    assert main(["turn", str(tmp_path / "fords")]) == 0
    file_orders(
        tmp_path / "fords",
        1,
        "examplia",
        'messages: [{to: all, text: "My word is k7f3q, write to ada@example.org."}]\n',
    )
    file_orders(
        tmp_path / "fords", 1, "gm", 'tell: [{to: all, text: "Orders go to <orders@example.org>, as [g5s1r]."}]\n'
    )
    assert main(["turn", str(tmp_path / "fords")]) == 0
    said = words(page_of(tmp_path / "fords"))
    assert "My word is [...], write to [...]" in said and "Orders go to <[...]>, as [...]." in said
    assert "k7f3q" not in page_of(tmp_path / "fords") and "example.org" not in page_of(tmp_path / "fords")


# --- letters by mail


def hear(post: Post) -> None:
    """Every player gets the mail about the page."""
    for letter in post.queue(told_at_end.untold(post.campaign, post.journal, post.now)):
        post.journal.add("sent", post.now, mail=letter.id)
    post.now += timedelta(minutes=5)


def test_a_letter_to_all_by_mail_is_in_it_and_no_other(tmp_path: Path) -> None:
    post = postkit.fresh(postkit.campaign(tmp_path / "made"), tmp_path / "campaign")
    setting(post.folder, "letters")
    post.mail("examplia", "Written before I knew.\n", "to all")
    hear(post)
    post.mail("examplia", "Meet me at the ford, Bo.\n", "to borderia")
    post.mail("examplia", "Peace to all lands.\nMy word is k7f3q.\n-- \nAda\n", "to all")
    post.mail("borderia", "to examplia: No.\n\nto all: Yes to peace.\n", "letters")
    assert main(["turn", "--yes", str(post.folder)]) == 0
    said = words(page_of(post.folder))
    assert "Examplia wrote to all : Peace to all lands. My word is [...]." in said
    assert not [
        text for text in ("Written before", "Meet me", "k7f3q", "Ada", "Bo ", "No.", "example.org") if text in said
    ]
    assert "Letters" not in said


def test_a_letter_that_was_taken_back_is_not_in_it(tmp_path: Path) -> None:
    post = postkit.fresh(postkit.campaign(tmp_path / "made"), tmp_path / "campaign")
    setting(post.folder, "letters")
    hear(post)
    post.mail("examplia", "Peace to all lands.\n", "to all")
    for id, mail in list(post.journal.mails.items()):
        if mail["about"] == "message":
            post.journal.add("withdrawn", post.now, mail=id)
    assert main(["turn", "--yes", str(post.folder)]) == 0
    assert "Peace" not in page_of(post.folder)


def test_players_hear_by_mail_beforehand_and_once(tmp_path: Path) -> None:
    post = postkit.fresh(postkit.campaign(tmp_path / "made"), tmp_path / "campaign")
    setting(post.folder, "map", 3, URL)
    letters = list(told_at_end.untold(post.campaign, post.journal, post.now))
    post.queue(letters)
    assert [letter.kingdom for letter in letters] == ["borderia", "examplia"]
    assert not list(told_at_end.untold(post.campaign, post.journal, post.now))
    mail = email.message_from_bytes(letters[0].data, policy=default)
    text = " ".join(postkit.text_of(mail).split())
    assert f"A page that anybody in the world may read ({URL}/public.html) shows the names of all" in text
    assert "who holds which land, 3 turns late" in text and "from the next turn on" in text


# --- where it lies


def test_another_file_of_that_name_stays_and_the_reports_are_published(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "www").mkdir()
    (tmp_path / "www/public.html").write_text("<h1>Our club</h1>")
    laid_down(tmp_path / "fords")
    setting(tmp_path / "fords", "letters")
    assert main(["turn", str(tmp_path / "fords")]) == 1
    said = capsys.readouterr().err
    assert "public.html: The public page can't be written here: another file has its name." in said
    assert page_of(tmp_path / "fords") == "<h1>Our club</h1>" and len(list((tmp_path / "www").glob("*.html"))) == 8
    setting(tmp_path / "fords", "nothing")
    publish(tmp_path / "fords")
    assert page_of(tmp_path / "fords") == "<h1>Our club</h1>"


def test_two_campaigns_that_share_a_folder_do_not_write_over_each_other(tmp_path: Path) -> None:
    fords(tmp_path / "fords", "letters")
    page = page_of(tmp_path / "fords")
    other = laid_down(tmp_path / "other", name="Other fords")
    write(other, "campaign.yaml", (other / "campaign.yaml").read_text().replace("public, this", "open, this"))
    setting(other, "letters")
    assert main(["turn", str(other)]) == 1 and page_of(other) == page


def test_the_home_page_leads_there_unless_it_is_the_gm_s_own(tmp_path: Path) -> None:
    folder = fords(tmp_path / "fords", "letters")
    assert 'href="public.html"' in (tmp_path / "www/index.html").read_text()
    (tmp_path / "www/index.html").write_text("<h1>Our club</h1>")
    played(folder, 3)
    assert (tmp_path / "www/index.html").read_text() == "<h1>Our club</h1>"


def test_nothing_is_made_again_where_nothing_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = fords(tmp_path / "fords", "map", 0)
    before = page_of(folder)
    monkeypatch.setattr(public_page, "page", lambda *given: pytest.fail("the page is made again"))
    assert publish(folder) == before


@pytest.mark.parametrize("level", PUBLIC[1:])
def test_links_to_it_show_a_picture_and_a_sentence(tmp_path: Path, level: str) -> None:
    laid_down(tmp_path / "fords")
    setting(tmp_path / "fords", level, 0, URL)
    played(tmp_path / "fords")
    page = page_of(tmp_path / "fords")
    assert f'<meta property="og:image" content="{URL}/public.png?2">' in page and 'content="Turn 2 is played.' in page
    picture = (tmp_path / "www/public.png").read_bytes()
    assert Image.open(BytesIO(picture)).size == public_page.SIZE_OF_PICTURE and len(picture) < 60_000


def test_a_picture_of_that_name_that_is_another_s_stays(tmp_path: Path) -> None:
    (tmp_path / "www").mkdir()
    (tmp_path / "www/public.png").write_bytes(b"Our club")
    laid_down(tmp_path / "fords")
    setting(tmp_path / "fords", "size", url=URL)
    assert main(["turn", str(tmp_path / "fords")]) == 0 and "<svg" in page_of(tmp_path / "fords")
    setting(tmp_path / "fords", "nothing")
    assert not publish(tmp_path / "fords") and (tmp_path / "www/public.png").read_bytes() == b"Our club"


def test_without_an_address_there_is_no_picture(plain: Path) -> None:
    assert not (plain.parent / "www/public.png").exists() and "og:" not in page_of(plain)


# --- how large, and how it looks


def test_a_long_campaign_with_long_letters_stays_within_its_bytes(tmp_path: Path) -> None:
    laid_down(tmp_path / "fords")
    setting(tmp_path / "fords", "map", 0)
    for turn in range(3, 6):
        told = [{"to": "all", "text": f"{turn} {number} " + "\u5b57" * 900} for number in range(4)]
        file_orders(tmp_path / "fords", turn, "examplia", f"messages: {json.dumps(told)}\n")
    played(tmp_path / "fords", 5)
    page = page_of(tmp_path / "fords")
    assert 40_000 < len(page) <= public_page.LARGEST and "5 0 \u5b57" in html.unescape(page)
    assert "Some older or long words are left out" in page and "3 3 \u5b57" not in html.unescape(page)


def test_a_map_of_many_kingdoms_has_fewer_steps_and_at_last_none() -> None:
    steps = [(turn, {f"{at:04}": f"{turn:03}" for at in range(turn, turn + 9)}) for turn in range(9)]
    fewer = public_page._fewer({"steps": steps})
    assert [turn for turn, _ in fewer["steps"]] == [4, 5, 6, 7, 8] and fewer["steps"][1:] == steps[5:]
    assert fewer["steps"][0][1] == {f"{at:04}": f"{min(at, 4):03}" for at in range(13)}
    assert public_page._fewer({"steps": steps[:1]}) == {}


@pytest.mark.package("chromium", PROGRAM)
@pytest.mark.parametrize(
    "kind", sampled(["markup", "entity", "wide", "marks", "end", "attribute", "template", "long"], ["markup", "wide"])
)
def test_no_name_and_no_letter_does_anything(browser: Browser, tmp_path: Path, kind: str) -> None:
    text = HOSTILE[kind]
    start = small_realm.EXAMPLIA.replace("name: Examplia", f"name: {json.dumps(text[:60])}")
    folder = laid_down(tmp_path / "fords", kingdoms={"examplia": start}, name=text[:100])
    setting(folder, "map", 0, URL)
    file_orders(folder, 1, "examplia", f"messages: [{{to: all, text: {json.dumps(text)}}}]\n")
    assert main(["turn", str(folder)]) == 0
    page = tmp_path / "www/public.html"
    assert overflowing(browser, page, 360) == [] and shut_out(browser, page, both=True) == []
    assert browser.ask("document.scripts.length") == 1
    assert not set("\u202e\u2066\u200f\x1b") & set(html.unescape(page_of(folder)))


@pytest.mark.package("chromium", PROGRAM)
def test_the_slider_goes_back_in_time(browser: Browser, plain: Path) -> None:
    browser.show(plain.parent / "www/public.html", 360)
    assert browser.ask("document.getElementById('at').textContent") == "1"
    shapes = "Array.from(document.querySelectorAll('.land path'), path => path.getAttribute('d').split('M').length - 1)"
    last = browser.ask(shapes)
    browser.ask("(turn.value = 0, turn.dispatchEvent(new Event('input')), 0)")
    assert browser.ask("document.getElementById('at').textContent") == "0" and browser.ask(shapes) != last


# --- the games at a table


@pytest.mark.parametrize("game", ["kings_pouch", "kings_progress", "royal_progress", "cardinals_guards"])
def test_a_board_game_has_letters_and_its_open_standings(tmp_path: Path, game: str) -> None:
    assert main(["new", str(tmp_path / "table"), "--game", game, "--bots", "2"]) == 0
    setting(tmp_path / "table", "size")
    for _ in range(3):
        assert main(["turn", "--yes", str(tmp_path / "table")]) == 0
    page = page_of(tmp_path / "table")
    opens = campaigns.open_campaign(tmp_path / "table").game.scoring.open
    assert ("Standings" in words(page)) == bool(opens) == (game != "cardinals_guards")
    assert main(["replay", str(tmp_path / "table")]) == 0


@pytest.mark.parametrize("example", ["six-cities", "the-kings-pouch", "the-summer-progress"])
def test_what_a_game_calls_open_every_seat_knows_of_the_others(example: str) -> None:
    campaign = campaigns.open_campaign(archives.example(example))
    game = campaign.game
    for number in range(campaigns.newest(campaign) + 1):
        turn = campaigns.kept(campaign, number)
        state, rules = campaigns.state_of(campaign, turn), campaigns.rules_of(campaign, turn).rules
        for reader in game.seats(state):
            known = game.known(state, reader, rules)
            for seat in game.seats(state):
                there, seen = game.accounts(state, seat, rules), game.accounts(known, seat, rules)
                assert all(there[account] == seen[account] for account in game.scoring.open), (number, reader, seat)


def test_a_kept_notice_of_the_page_needs_no_folder(tmp_path: Path) -> None:
    """An archive or an older program's turn: what is not there shows nothing."""
    folder = fords(tmp_path / "fords", "size", turns=1)
    text = (folder / "campaign.yaml").read_text()
    write(folder, "campaign.yaml", re.sub(r"publish: .*\n", "", text))
    campaign = campaigns.open_campaign(folder)
    assert publicity.shown(campaign, campaigns.kept(campaign).record).level == "nothing"
    assert main(["turn", str(folder)]) == 0 and main(["replay", str(folder)]) == 0
