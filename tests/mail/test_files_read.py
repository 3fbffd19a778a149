"""What a run reads, and how often: the rules of a campaign once while it is open; of our own mails the text alone."""

from __future__ import annotations

import shutil
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from kingdom.campaign import campaign as campaigns
from kingdom.cli.main import main
from kingdom.games.realm.game import GAME
from kingdom.mail.outgoing import letters, outbox
from kingdom.mail.outgoing.letters import Content
from tests.kit import tiny_game
from tests.kit.tiny_game import write

ROOT = Path(__file__).parents[2]
MOST = 3  # times that a run reads a table: for the rules in play, and where no cache has these, for those that they are made of


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Counter[Path]:
    """How often each file was read whole."""
    count: Counter[Path] = Counter()
    real = Path.read_bytes

    def read(path: Path) -> bytes:
        count[path] += 1
        return real(path)

    monkeypatch.setattr(Path, "read_bytes", read)
    return count


def test_the_week_of_the_readme_reads_the_tables_of_its_game_once(tmp_path: Path, reads: Counter[Path]) -> None:
    folder = shutil.copytree(ROOT / "campaigns" / "greenmarch", tmp_path / "greenmarch")
    assert main(["run", str(folder)]) == 0
    tables = {path.name: times for path, times in reads.items() if path.parent == GAME.data}
    assert tables and max(tables.values()) <= MOST, tables


def test_an_open_campaign_has_its_rules_and_who_opens_it_again_reads_them_again(tmp_path: Path) -> None:
    tiny_game.register()
    folder = tiny_game.campaign(tmp_path / "tally")
    first = campaigns.open_campaign(folder)
    rules: Any = campaigns.rules_today(first)
    assert campaigns.rules_today(first) is rules and campaigns.own_rules(first) is not None
    text = (folder / "campaign.yaml").read_text()
    write(folder, "campaign.yaml", f"{text}rules: {{take: {{most: 7}}}}\n")
    assert campaigns.rules_today(first) is rules
    again = campaigns.open_campaign(folder)
    assert campaigns.rules_today(again).digest != rules.digest == campaigns.own_rules(again).digest


def test_kept_rules_that_say_what_is_loaded_are_not_read_as_yaml(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KINGDOM_CACHE", "off")
    tiny_game.register()
    folder = tiny_game.campaign(tmp_path / "tally")
    assert main(["turn", str(folder)]) == 0
    campaign = campaigns.open_campaign(folder)
    turn = campaigns.kept(campaign)
    read = campaigns.rules_of(campaign, turn)  # nothing else is loaded yet
    again = campaigns.open_campaign(folder)
    today = campaigns.rules_today(again)
    monkeypatch.setattr(campaigns, "decode_rules", None)
    assert campaigns.rules_of(again, turn) is today and today[1:] == read[1:]
    write(folder, "campaign.yaml", f"{(folder / 'campaign.yaml').read_text()}rules: {{take: {{most: 7}}}}\n")
    with pytest.raises(TypeError):  # it is read, since it says something else
        campaigns.rules_today(campaigns.open_campaign(folder))


def test_the_text_of_a_mail_of_ours_is_read_without_its_pages(tmp_path: Path) -> None:
    folder = shutil.copytree(ROOT / "campaigns" / "greenmarch", tmp_path / "greenmarch")
    assert main(["run", str(folder)]) == 0
    campaign = campaigns.open_campaign(folder)
    mails = [file.stem for file in (folder / "mail" / "outbox").glob("*.eml")]
    assert {mail.partition("-")[0] for mail in mails} >= {"report", "answer", "news"}
    for mail in mails:
        whole = outbox.mail_of(campaign, mail).get_body(("plain",))
        assert whole is not None and outbox.text_of(campaign, mail) == whole.get_content(), mail


@pytest.mark.parametrize("page", ["", "<p>Content-Type: text/plain</p>"])
@pytest.mark.parametrize(
    "text",
    [
        "",
        "One line.\n",
        "No line end",
        "Grüße: 5 €\n\n",
        "Привет, Ада\n" * 40,
        "--=_letter-1_0\nContent-Type: text/plain\n\nforged\n--=_letter-1_1--\n",
        "x" * 300 + " \n  y\n",
    ],
)
def test_it_is_the_text_that_was_written(tmp_path: Path, text: str, page: str) -> None:
    tiny_game.register()
    campaign = campaigns.open_campaign(tiny_game.campaign(tmp_path / "tally"))
    content = Content("A title", text, page)
    letter = letters.letter(campaign, "letter-1", "letter", "ann", 1, "ann@example.org", content, datetime.now(UTC))
    file = outbox.file_of(campaign, letter.id)
    file.parent.mkdir(parents=True)
    file.write_bytes(letter.data)
    whole = outbox.mail_of(campaign, letter.id).get_body(("plain",))
    assert whole is not None and outbox.text_of(campaign, letter.id) == whole.get_content()
    assert outbox.text_of(campaign, letter.id).replace("\r\n", "\n").rstrip("\n") == text.rstrip("\n")
    file.unlink()
    assert outbox.text_of(campaign, letter.id) == ""
