"""What could go round for ever, or come by the thousand: it is taken in, and neither answered without end nor in the way of others."""

from __future__ import annotations

import email
import os
from pathlib import Path

import pytest

from kingdom.cli.main import main
from tests.kit import tiny_game
from tests.kit.tiny_game import contents, write

CAMPAIGN = """\
name: {name}
game: tally
seed: public, this is a test
public_seed: true
gm: {{name: Gwen, email: gwen@example.org, token: gggg1}}
players:
  ann: {{name: Ann, email: {ann}, token: aaaa1}}
  bob: {{name: Bob, email: bob@example.org, token: bbbb1}}
mail: {{address: {address}}}
"""


def campaign(folder: Path, name: str, address: str, ann: str = "ann@example.org") -> Path:
    tiny_game.register()
    tiny_game.campaign(folder)
    write(folder, "campaign.yaml", CAMPAIGN.format(name=name, address=address, ann=ann))
    return folder


def outbox(folder: Path) -> list[Path]:
    return sorted((folder / "mail/outbox").glob("*.eml"))


def carry(sender: Path, receiver: Path, address: str) -> int:
    """Bring what one campaign sends to that address into the other's inbox; how many mails that is."""
    brought = 0
    for file in outbox(sender):
        data = file.read_bytes()
        if address in email.message_from_bytes(data)["To"]:
            write(receiver, f"mail/inbox/{file.name}", "").write_bytes(data)
            file.unlink()
            brought += 1
    return brought


@pytest.mark.parametrize("marked", [True, False], ids=["marked as automatic", "with the marks taken out on the way"])
def test_two_campaigns_that_hold_each_other_for_a_player_fall_silent(tmp_path: Path, marked: bool) -> None:
    """Each campaign's address stands as a player's in the other. Some mail server in between may even take out the marks."""
    one = campaign(tmp_path / "one", "One", "orders@one.example.org", "orders@two.example.org")
    two = campaign(tmp_path / "two", "Two", "orders@two.example.org", "orders@one.example.org")
    for folder in (one, two):
        assert main(["turn", str(folder)]) == 0
    write(
        one,
        "mail/inbox/first.eml",
        "From: orders@two.example.org\nSubject: Orders ann 1 [aaaa1]\nMessage-ID: <first@x>\n\ntake: 2\n",
    )
    carried = 0
    for _ in range(120):
        for here, there, address in ((one, two, "orders@two.example.org"), (two, one, "orders@one.example.org")):
            assert main(["mail", "fetch", str(here)]) == 0
            if not marked:
                for file in outbox(here):
                    lines = [
                        line
                        for line in file.read_bytes().split(b"\r\n")
                        if not line.startswith((b"Auto-Submitted:", b"X-Auto"))
                    ]
                    file.write_bytes(b"\r\n".join(lines))
            carried += carry(here, there, address)
    assert carried == 1 if marked else carried <= 2 * 51


def storm(folder: Path, count: int) -> None:
    for number in range(count):
        write(
            folder,
            f"mail/inbox/{number}.eml",
            f"From: ann@example.org\nSubject: Orders ann 1 [aaaa1]\nMessage-ID: <{number}@x>\n\ntake: {number % 5}\n",
        )
    write(
        folder,
        "mail/inbox/z.eml",
        "From: bob@example.org\nSubject: Orders bob 1 [bbbb1]\nMessage-ID: <bob@x>\n\ntake: 1\n",
    )
    for file in (folder / "mail/inbox").iterdir():
        os.utime(file, (1_800_000_000, 1_800_000_000))


@pytest.mark.parametrize("count", [60, pytest.param(10_000, marks=pytest.mark.long)])
def test_a_player_who_mails_without_end_is_answered_fifty_times_and_told_once(
    tmp_path: Path, count: int, capsys
) -> None:
    folder = campaign(tmp_path / "tally", "A tally", "orders@example.org")
    assert main(["turn", str(folder)]) == 0
    storm(folder, count)
    capsys.readouterr()
    assert main(["mail", "fetch", str(folder)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert len(said) == count + 1 and said[-1] == "bob@example.org: filed."
    assert sum("More than 50 messages came from your address" in line for line in said) == count - 50
    assert len(outbox(folder)) == 50 + 1 + 1
    assert len([name for name in contents(folder) if name.startswith(("mail/inbox/", "mail/refused/"))]) == count + 1


@pytest.mark.parametrize("count", [150, pytest.param(10_000, marks=pytest.mark.long)])
def test_forged_mails_keep_nobody_from_filing_and_are_warned_of_once_an_hour(
    tmp_path: Path, count: int, capsys
) -> None:
    """They come from a player's listed address, with questions and orders, over a day; nothing proves them."""
    folder = campaign(tmp_path / "tally", "A tally", "orders@example.org")
    assert main(["turn", str(folder)]) == 0
    for number in range(count):
        text = "take: 4\n" if number % 2 else "May I take it all?\n"
        write(
            folder, f"mail/inbox/{number}.eml", f"From: ann@example.org\nSubject: Orders ann 1 [zzzz{number}]\n\n{text}"
        )
        at = 1_800_000_000 + 86_400 * number // count
        os.utime(folder / f"mail/inbox/{number}.eml", (at, at))
    write(folder, "mail/inbox/z.eml", "From: ann@example.org\nSubject: Orders ann 1 [aaaa1]\n\ntake: 2\n")
    os.utime(folder / "mail/inbox/z.eml", (1_800_000_000 + 86_400, 1_800_000_000 + 86_400))  # the last of all
    capsys.readouterr()
    assert main(["mail", "fetch", str(folder)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "ann@example.org: filed."
    assert "take: 2" in (folder / "orders/0001/ann.yaml").read_text()
    kinds = [file.name.partition("-")[0] for file in outbox(folder)]
    assert kinds.count("answer") == 1 and 1 <= kinds.count("warning") <= 25 and kinds.count("message") <= 25
