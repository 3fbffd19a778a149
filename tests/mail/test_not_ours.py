"""Files of a campaign that this program's user can't read or write: somebody ran it, or an editor, once as root. One stops nobody."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from kingdom.cli.main import main
from tests.kit import tiny_game
from tests.kit.mailservers import PASSWORD, VARIABLE, Authority, Postbox
from tests.kit.tiny_game import write
from tests.mail.test_week import CAMPAIGN, DAY, FRIDAY, HOUR, Campaign, text_of


class Rights:
    """Which files are another user's: the system refuses them as it would. As root none is refused for real.

    unread: files that can't be read. closed: folders that can't be looked into. fixed: folders in which nothing can be made or moved.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch):
        self.unread: set[Path] = set()
        self.closed: set[Path] = set()
        self.fixed: set[Path] = set()
        for name in ("open", "listdir", "scandir", "mkdir", "rename", "replace", "unlink", "stat"):
            monkeypatch.setattr(os, name, self.asked(name, getattr(os, name)))
        read = Path.read_bytes
        monkeypatch.setattr(Path, "read_bytes", lambda file: (self.prove("open", file), read(file))[1])

    def asked(self, name: str, call: Any) -> Any:
        def ask(file: Any = ".", *given: Any, **named: Any) -> Any:
            for path in (file, *given[: name in ("rename", "replace")]):
                if isinstance(path, str | Path):
                    self.prove(name, Path(path), bool(given and name == "open" and given[0] & os.O_CREAT))
            return call(file, *given, **named)

        return ask

    def prove(self, name: str, path: Path, makes: bool = False) -> None:
        below, inside = self.closed & {*path.parents}, self.closed & {path}
        reads = name == "open" and path in self.unread and not makes
        changes = (makes or name in ("mkdir", "rename", "replace", "unlink")) and path.parent in self.fixed
        if below or inside and name in ("listdir", "scandir") or reads or changes:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Campaign:
    """Turn 0 is made."""
    tiny_game.register()
    folder = tiny_game.campaign(tmp_path / "tally")
    write(folder, "campaign.yaml", CAMPAIGN)
    made = Campaign(folder, monkeypatch, capsys)
    made.run()
    return made


@pytest.fixture
def rights(monkeypatch: pytest.MonkeyPatch) -> Rights:
    return Rights(monkeypatch)


def typed(begun: Campaign, *words: str) -> tuple[int, str, str]:
    begun.capsys.readouterr()
    code = main([*words, str(begun.folder)])
    return (code, *begun.capsys.readouterr())


def filed(begun: Campaign, seat: str, text: str = "take: 1\n") -> Path:
    tiny_game.file_orders(begun.folder, 1, seat, text)
    return begun.folder / "orders" / "0001" / f"{seat}.yaml"


CANT = "orders/0001/{}.yaml can't be read (Permission denied), so it counts as missing. Give it to the user that runs this program: `chown`."


@pytest.mark.parametrize("seat", ["ann", "gm"])
def test_orders_that_cant_be_read_count_as_missing_and_the_rest_goes_on(
    begun: Campaign, rights: Rights, seat: str
) -> None:
    rights.unread.add(filed(begun, seat, "take: 1\n" if seat == "ann" else "gm: []\n"))
    begun.mail("bob", "take: 2\n", subject="Orders bob 1")
    begun.now = FRIDAY - 3 * HOUR
    code, out, err = typed(begun, "run")
    assert (code, err) == (0, "") and "bob@example.org: filed." in out
    assert CANT.format(seat) in " ".join(typed(begun, "status")[1].split())
    assert main(["rehearse", str(begun.folder), "--to", str(begun.folder.parent / "page.html")]) == 0
    assert any(f"{seat}.yaml can't be read" in text_of(mail) for mail in begun.out("", "gwen"))
    begun.now = FRIDAY + HOUR
    write(begun.folder, "campaign.yaml", CAMPAIGN + "missing_limit: 1\n")
    code, out, err = typed(begun, "run")
    assert (code, err) == (0, "") and "Turn 1 is due" in out
    assert os.listdir(begun.folder / "turns/0001/orders") == ["bob.yaml"]
    assert any(f"{seat}.yaml: This can't be read: Permission denied" in text_of(mail) for mail in begun.out("", "gwen"))


def test_by_hand_no_turn_is_played_while_orders_cant_be_read(begun: Campaign, rights: Rights) -> None:
    rights.unread.add(filed(begun, "ann"))
    code, _, err = typed(begun, "turn", "--yes")
    assert code == 1 and "ann.yaml: This can't be read: Permission denied." in err
    assert not (begun.folder / "turns/0001").exists()


def test_a_mail_takes_the_place_of_orders_that_cant_be_read_and_they_are_kept(begun: Campaign, rights: Rights) -> None:
    file = filed(begun, "ann", "take: 3\n")
    rights.unread.add(file)
    begun.mail("ann", "take: 2\n", subject="Orders ann 1")
    code, out, err = typed(begun, "run")
    assert (code, err) == (0, "") and "ann@example.org: filed." in out
    (aside,) = (begun.folder / "mail/withdrawn").iterdir()
    assert "take: 3" in aside.read_text() and aside.name.startswith("0001-ann-unread")
    rights.unread.clear()
    assert "take: 2" in file.read_text()


@pytest.mark.parametrize("kind", ["closed", "fixed"])
def test_a_folder_of_orders_that_takes_nothing_keeps_mail_waiting_and_stops_no_other(
    begun: Campaign, rights: Rights, kind: str
) -> None:
    folder = filed(begun, "bob").parent
    getattr(rights, kind).add(folder)
    begun.mail("ann", "take: 2\n", subject="Orders ann 1")
    begun.mail("bob", "status\n", subject="status")
    begun.now = FRIDAY - 2 * DAY
    code, out, err = typed(begun, "run")
    assert code == 1 and "bob@example.org: answered" in out and "ann@" not in out
    assert "Permission denied. That does not pass by itself: " in err and "the next `kingdom run`" not in err
    assert not begun.out("answer", "ann") and begun.out("answer", "bob")
    assert kind != "closed" or "orders/0001 can't be read (Permission denied)" in typed(begun, "status")[1]
    begun.now = FRIDAY + HOUR
    assert "Turn 1 is due" not in typed(begun, "run")[1]
    assert not (begun.folder / "turns/0001").exists()
    getattr(rights, kind).clear()
    code, out, err = typed(begun, "run")
    assert (code, err) == (0, "") and "ann@example.org: filed" in out and "Turn 1 is due" in out
    assert sorted(os.listdir(begun.folder / "turns/0001/orders")) == ["ann.yaml", "bob.yaml"]


@pytest.mark.filterwarnings("ignore:Requiring AUTH")
def test_a_waiting_mail_that_cant_be_read_stops_no_other(
    begun: Campaign, rights: Rights, post: Postbox, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    for sender in ("ann", "bob"):
        begun.mail(sender, "take: 2\n", subject=f"Orders {sender} 1")
    typed(begun, "run")
    (answer,) = (file for file in (begun.folder / "mail/outbox").glob("answer*") if b"ann@" in file.read_bytes())
    rights.unread.add(answer)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    monkeypatch.setenv(VARIABLE, PASSWORD)
    smtp = f"{{host: localhost, port: {post.port}, tls: starttls, username: orders, password_env: {VARIABLE}}}"
    write(begun.folder, "campaign.yaml", CAMPAIGN + f"mail: {{address: orders@example.org, smtp: {smtp}}}\n")
    code, out, err = typed(begun, "run")
    assert code == 1 and f"{answer}: This can't be read: Permission denied." in err
    got = [mail.to[0] for mail in post.received]
    assert "bob@example.org" in got and "gwen@example.org" in got
    rights.unread.clear()
    assert typed(begun, "run")[::2] == (0, "")
    assert "ann@example.org" in [mail.to[0] for mail in post.received[len(got) :]]
