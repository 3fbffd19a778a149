"""What goes out at the end is what people agreed to: letters by mail are told only where all knew that when they wrote them."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from kingdom.campaign import clock
from kingdom.cli.main import main
from kingdom.mail.outgoing import posting
from tests.kit import postkit, tiny_game
from tests.kit.mailkit import CAMPAIGN, NOW
from tests.kit.postkit import Post
from tests.kit.tiny_game import write
from tests.mail.test_following import MAILBOX, NOBODY_WAITS, Server
from tests.mail.test_week import DAY, FRIDAY, HOUR, Campaign, text_of

ENDS = "ends: {turn: 3}\n"
TOLD = "letters: told_at_end\n"
LETTERS = {"to borderia": "Let us betray Cleo.", "to gm": "Is my rival asleep?", "to all": "Good luck to all."}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return postkit.campaign(tmp_path_factory.mktemp("ending") / "campaign")


def archive(folder: Path) -> str:
    """All that the archive says, in one text."""
    with zipfile.ZipFile(folder / "archive.zip") as packed:
        return "\n".join(packed.read(name).decode("utf-8", "replace") for name in packed.namelist())


def ended(made: Path, folder: Path, campaign: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The archive of the two fords after its last turn, before which letters of each kind and words beside orders came by mail."""
    monkeypatch.setattr(clock, "now", lambda: NOW)
    post = postkit.fresh(made, folder, campaign)
    for subject, text in LETTERS.items():
        post.mail("examplia", f"{text}\n", subject)
    post.mail("gm", "The answer is no.\n", "to examplia")
    post.mail(
        "examplia",
        "messages: {borderia: 'See you in orders.'}\nrequests: ['Is k7f3q a good word?']\ntaxation: light\n\nMay I ask the GM something here?\n",
        "Orders examplia 3",
    )
    assert main(["turn", "--yes", str(post.folder)]) == 0
    return archive(post.folder)


def test_letters_by_mail_stay_out_and_what_stands_in_orders_is_told(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = ended(made, tmp_path / "campaign", CAMPAIGN + ENDS, monkeypatch)
    assert "See you in orders." in told and "a good word?" in told, "it lies under the digests of the turn"
    for text in (*LETTERS.values(), "The answer is no.", "May I ask the GM"):
        assert text not in told
    assert not any(word in told for word in ("example.org", *postkit.TOKENS.values()))


def test_where_the_campaign_says_so_from_the_start_letters_are_told(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = ended(made, tmp_path / "campaign", CAMPAIGN + ENDS + TOLD, monkeypatch)
    for text in (*LETTERS.values(), "The answer is no.", "See you in orders."):
        assert text in told


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    return Server(monkeypatch)


@pytest.fixture
def tally(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], server: Server
) -> Iterator[Campaign]:
    """With a server; turn 0 is made and its reports are sent."""
    tiny_game.register()
    campaign = Campaign(tiny_game.campaign(tmp_path / "tally"), monkeypatch, capsys)
    says(campaign, "")
    campaign.run(at=FRIDAY - 5 * DAY)
    yield campaign


def says(tally: Campaign, more: str) -> None:
    write(tally.folder, "campaign.yaml", NOBODY_WAITS + MAILBOX + "ends: {turn: 1}\n" + more)


def wrote(tally: Campaign, text: str, at: datetime) -> None:
    """A letter of Ann's to Bob, and the run that takes it."""
    tally.mail("ann", f"{text}\n", "to bob", at=at)
    tally.now = at
    assert main(["run", str(tally.folder)]) in (0, 4)


def told_by_mail(server: Server) -> list[tuple[str, str]]:
    """(to, text) of the mails about letters."""
    return [(to, text_of(mail)) for to, mail in server.got if "Letters at the end" in str(mail["Subject"])]


def test_turned_on_later_it_holds_for_letters_that_came_after_all_were_told(tally: Campaign, server: Server) -> None:
    start = FRIDAY - 4 * DAY
    wrote(tally, "Before anybody knew.", start)
    says(tally, TOLD)
    server.down = True
    wrote(tally, "While the mail about it waits.", start + HOUR)
    wrote(tally, "And still waits.", start + 2 * HOUR)
    server.down = False
    wrote(tally, "In the run that tells.", start + 8 * HOUR)
    assert sorted(to for to, _ in told_by_mail(server)) == ["ann@example.org", "bob@example.org"]
    assert all(
        "The letters that players and the GM send by mail are told then too." in text
        for _, text in told_by_mail(server)
    )
    wrote(tally, "When all knew.", start + 9 * HOUR)
    tally.run(at=FRIDAY + HOUR)
    told = archive(tally.folder)
    assert "When all knew." in told
    for text in (
        "Before anybody knew.",
        "While the mail about it waits.",
        "And still waits.",
        "In the run that tells.",
    ):
        assert text not in told, text


def test_turned_on_for_the_end_it_tells_nothing(tally: Campaign, server: Server) -> None:
    wrote(tally, "Between us.", FRIDAY - 4 * DAY)
    says(tally, TOLD)
    tally.run(at=FRIDAY + HOUR)
    assert "Between us." not in archive(tally.folder)


def test_turned_off_it_tells_nothing_and_all_hear_of_it(tally: Campaign, server: Server) -> None:
    says(tally, TOLD)
    tally.run(at=FRIDAY - 4 * DAY)
    wrote(tally, "When all knew.", FRIDAY - 3 * DAY)
    says(tally, "")
    wrote(tally, "Private again.", FRIDAY - 2 * DAY)
    assert [text for _, text in told_by_mail(server) if "From now on letters by mail are private again." in text]
    says(tally, TOLD)
    wrote(tally, "On once more, and nobody knows.", FRIDAY - DAY)
    tally.run(at=FRIDAY + HOUR)
    told = archive(tally.folder)
    assert "When all knew." in told and "Private again." not in told and "nobody knows" not in told


def test_who_comes_later_hears_it_in_the_welcome(tally: Campaign, server: Server) -> None:
    says(tally, TOLD)
    tally.run(at=FRIDAY - 4 * DAY)
    assert main(["invite", str(tally.folder), "bob", "bea@example.org", "--name", "Bea"]) == 0
    tally.run(at=FRIDAY - 3 * DAY)
    (welcome,) = [text_of(mail) for to, mail in server.got if to.startswith("bea")]
    assert "The letters that players and the GM send by mail are told then too." in " ".join(welcome.split())
    assert [to for to, _ in told_by_mail(server)].count("bea@example.org") == 0, "the welcome told her"


def test_welcome_and_form_say_what_becomes_of_what_is_written(made: Path, tmp_path: Path) -> None:
    post = Post(postkit.fresh(made, tmp_path / "campaign").folder)
    assert main(["invite", str(post.folder), "borderia", "bo@example.org"]) == 0
    (welcome,) = [post.letter(id) for id in post.journal.mails if id.startswith("welcome")]
    said = "messages and requests too, is told to all when the campaign ends: its archive has every order. Letters by mail are not in it"
    assert said in " ".join(postkit.text_of(welcome).split()) and said in " ".join(postkit.html_of(welcome).split())
    assert said in postkit.enclosed(welcome)["form.html"].decode()


# --- who takes a seat over gets what is the seat's, not what people wrote to the player before

SECRETS = ("Hold the ford for me.", "I will.", "May I court the heir?", "She is yours.")


def test_who_takes_a_seat_over_gets_no_letter_message_or_request_of_the_player_before(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "now", lambda: NOW)
    publish = "publish: {folder: ../www, url: https://example.org/fords}\n"
    post = postkit.fresh(made, tmp_path / "campaign", CAMPAIGN + publish)
    post.mail("examplia", f"messages: {{borderia: '{SECRETS[0]}'}}\n", "Orders examplia 3")
    post.mail("borderia", f"messages: {{examplia: '{SECRETS[1]}'}}\nrequests: ['{SECRETS[2]}']\n", "Orders borderia 3")
    post.mail("gm", f"tell: [{{to: borderia, text: '{SECRETS[3]}'}}]\n", "Orders gm 3")
    assert main(["turn", "--yes", str(post.folder)]) == 0
    kept = (post.folder / "turns/0003/reports/borderia.txt").read_text()
    assert all(text in kept for text in SECRETS)
    post.mail("borderia", f"requests: ['{SECRETS[2]}']\n", "Orders borderia 4")
    for file in (post.folder.parent / "www").iterdir():
        file.unlink()
    monkeypatch.setattr(clock, "now", lambda: NOW + HOUR)
    assert main(["invite", str(post.folder), "borderia", "bea@example.org", "--name", "Bea"]) == 0
    assert main(["run", str(post.folder)]) == 0
    (id,) = [id for id, mail in post.journal.mails.items() if mail["to"] == "bea@example.org"]
    welcome, token = post.letter(id), post.campaign.settings.players["borderia"].token
    files = postkit.enclosed(welcome)
    assert "treasury" in files["borderia-0003.html"].decode() and "treasury" in postkit.text_of(welcome)
    assert "<svg" in files["borderia-0003.html"].decode()
    texts = [part.get_content() for part in welcome.walk() if part.get_content_maintype() == "text"]
    place = posting.shown(post.campaign, "borderia", 3)
    assert place and not (post.folder.parent / "www" / place.report.rpartition("/")[2]).exists()
    texts.append((post.folder.parent / "www" / place.form.rpartition("/")[2]).read_text())
    for subject in ("report", "report 3", "form", "status", "map"):
        post.mail("borderia", "", f"{subject} [{token}]", sender="bea@example.org")
        texts += [
            part.get_content() for mail in post.new() for part in mail.walk() if part.get_content_maintype() == "text"
        ]
    assert len(texts) > 15 and not [text for text in texts for secret in SECRETS if secret in text]
    again = post.queue(posting.reports(post.campaign, post.journal, post.now))
    assert not [one for one in again if one.kingdom == "borderia"], "the welcome brought it"
    assert main(["turn", "--yes", str(post.folder)]) == 0
    post.mail("borderia", "", f"report [{token}]", sender="bea@example.org")
    assert {"borderia-0004.txt", "borderia-0004.html"} <= set(postkit.enclosed(post.answer()))


def test_nor_does_who_takes_a_bots_seat_get_what_people_wrote_to_the_bot(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "now", lambda: NOW)
    bot = CAMPAIGN.replace("{name: Bo, email: bo@example.org, token: b8w2m}", "{name: Traders, bot: trader}")
    post = postkit.fresh(made, tmp_path / "campaign", bot)
    post.mail("examplia", f"messages: {{borderia: '{SECRETS[0]}'}}\n", "Orders examplia 3")
    assert main(["turn", "--yes", str(post.folder)]) == 0
    assert SECRETS[0] in (post.folder / "turns/0003/reports/borderia.txt").read_text()
    assert main(["invite", str(post.folder), "borderia", "bea@example.org", "--name", "Bea"]) == 0
    (id,) = [id for id in post.journal.mails if id.startswith("welcome")]
    welcome = post.letter(id)
    texts = [part.get_content() for part in welcome.walk() if part.get_content_maintype() == "text"]
    assert "borderia-0003.html" in postkit.enclosed(welcome) and not [text for text in texts if SECRETS[0] in text]
    assert "take over" not in postkit.text_of(welcome)
