"""What a real Postfix says when it refuses a campaign, in its default order: mails wait, nobody is blamed, and then all arrive."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest

from kingdom.campaign import clock
from kingdom.campaign.settings import Server
from kingdom.cli.main import main
from tests.journeys.postfix import Postfix, is_there
from tests.kit.mailservers import NAME, PASSWORD, VARIABLE, Authority, Dovecot, Mailbox, campaign
from tests.kit.postkit import text_of
from tests.mail.test_servers import NOW, entries

pytestmark = [
    pytest.mark.package("openssl", "openssl"),
    pytest.mark.package("dovecot-imapd", "dovecot"),
    pytest.mark.skipif(not is_there(), reason="needs Debian's package postfix, and root: scripts/test --install"),
]
Starts = Callable[..., Postfix]
FAR = "elsewhere.example"
ALL_FAR = "virtual_mailbox_domains = example.org, elsewhere.example\n"


@pytest.fixture(autouse=True)
def known(authority: Authority, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    monkeypatch.setenv(VARIABLE, PASSWORD)
    monkeypatch.setattr(clock, "now", lambda: NOW)


@pytest.fixture
def boxes(dovecot: Dovecot) -> dict[str, Mailbox]:
    """Address -> mailbox: the campaign's, its GM's, and those of players far away."""
    names = ("orders@example.org", "gm@example.org", *(f"{name}@{FAR}" for name in ("ann", "bob", "cyn")))
    return {name: dovecot.mailbox() for name in names}


@pytest.fixture
def start(boxes: dict[str, Mailbox], dovecot: Dovecot, authority: Authority) -> Iterator[Starts]:
    running: list[Postfix] = []

    def made(more: str = "") -> Postfix:
        homes = {address: box.home for address, box in boxes.items()}
        running.append(Postfix(homes, dovecot.owner, dovecot.passwords, authority.certificate(), {}, ALL_FAR + more))
        return running[-1]

    yield made
    for one in running:
        one.stop()


def game(folder: Path, boxes: dict[str, Mailbox], post: Postfix, **change: Any) -> Path:
    box = boxes["orders@example.org"]
    asked = {"host": NAME, "port": post.port, "tls": "starttls", "username": box.user, "password_env": VARIABLE}
    made = campaign(folder, box.server(), Server(**{**asked, **change}), f"alert: tee -a {folder}.alerted\n")
    text = (made / "campaign.yaml").read_text()
    for name in ("ann", "bob", "cyn"):
        text = text.replace(f"{name}@example.org", f"{name}@{FAR}")
    (made / "campaign.yaml").write_text(text)
    return made


def run(folder: Path, capsys: Any) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(["run", str(folder)])
    return (code, *capsys.readouterr())


def use(folder: Path, before: Postfix, after: Postfix) -> None:
    """The campaign sends by another server from now on."""
    text = (folder / "campaign.yaml").read_text()
    assert f'"port": {before.port}' in text
    (folder / "campaign.yaml").write_text(text.replace(f'"port": {before.port}', f'"port": {after.port}'))


def settle(*posts: Postfix) -> None:
    end = time.monotonic() + 90
    while not all(post.is_idle() for post in posts):
        assert time.monotonic() < end, posts[0].log.read_text()[-3000:]
        time.sleep(0.05)


def failing(folder: Path, capsys: Any) -> list[Any]:
    capsys.readouterr()
    main(["status", str(folder), "--json"])
    return list(json.loads(capsys.readouterr().out)["failing"])


# settings of Postfix -> (the exit code, a part of what is said)
REFUSALS = {
    "relay, no login": ("virtual_mailbox_domains = example.org\n", 5, "Relay access denied"),
    "relay, for now": (
        "virtual_mailbox_domains = example.org\nsmtpd_relay_restrictions = defer_unauth_destination\n", 5, "454 4.7.1 Relay access denied",
    ),
    "a sender that is not the login's": (
        "smtpd_sender_login_maps = inline:{{orders@example.org = somebody}}\nsmtpd_sender_restrictions = reject_sender_login_mismatch\n",
        5, "Sender address rejected: not",
    ),
    "a sender that is refused": (
        "smtpd_sender_restrictions = check_sender_access inline:{{orders@example.org = REJECT}}\n", 5, "Sender address rejected: Access denied",
    ),
    "a limit at the end of DATA": (
        "smtpd_end_of_data_restrictions = check_client_access static:{550 5.4.5 Daily user sending limit exceeded}\n", 4,
        "550 5.4.5", 
    ),
    "a rate": ("smtpd_client_message_rate_limit = 1\nsmtpd_client_event_limit_exceptions =\n", 4, "too much mail"),
}  # fmt: skip


SHORT = ("relay, no login", "a limit at the end of DATA")


@pytest.mark.parametrize(
    "what", [pytest.param(one, marks=() if one in SHORT else pytest.mark.long) for one in REFUSALS]
)
def test_what_speaks_of_us_waits_and_arrives_when_the_server_is_well(
    what: str, start: Starts, boxes: dict[str, Mailbox], tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, code, words = REFUSALS[what]
    bad = start(settings)
    change = {"username": "", "password_env": ""} if what.startswith("relay") else {}
    folder = game(tmp_path / "game", boxes, bad, **change)
    for minutes in (0, 5):
        monkeypatch.setattr(clock, "now", lambda at=NOW + timedelta(minutes=minutes): at)
        got, said, errors = run(folder, capsys)
        assert (got, errors.count(words)) == (code, 1), (said, errors, bad.log.read_text()[-2000:])
    assert not [entry for entry in entries(folder) if entry["event"] == "dropped"] and failing(folder, capsys) == []
    assert (tmp_path / "game.alerted").read_text().count(words) == 1
    good = start()
    use(folder, bad, good)
    text = (folder / "campaign.yaml").read_text()
    if what.startswith("relay"):
        text = text.replace(
            '"tls": "starttls"',
            f'"tls": "starttls", "username": "{boxes["orders@example.org"].user}", "password_env": "{VARIABLE}"',
        )
        (folder / "campaign.yaml").write_text(text)
    monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(minutes=10))
    assert run(folder, capsys)[0] == 0
    settle(bad, good)
    assert all(len(box.messages()) == 1 for address, box in boxes.items() if not address.startswith("orders")), words


def test_a_reader_who_is_not_there_is_still_named(
    start: Starts, boxes: dict[str, Mailbox], tmp_path: Path, capsys
) -> None:
    post = start()
    folder = game(tmp_path / "game", boxes, post)
    text = (folder / "campaign.yaml").read_text()
    (folder / "campaign.yaml").write_text(text.replace(f"ann@{FAR}", f"relay.access.denied@{FAR}"))
    assert run(folder, capsys)[0] == 0
    (found,) = failing(folder, capsys)
    assert found["seat"] == "ann" and "User unknown in virtual mailbox table" in found["said"]


def test_mail_that_comes_back_as_the_next_server_lets_ours_send_nothing(
    start: Starts, boxes: dict[str, Mailbox], tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Postfix of one's own takes all mail; the provider that it sends through denies relaying, and it writes delivery reports."""
    provider = start("virtual_mailbox_domains = example.org\n")
    through = (
        f"virtual_mailbox_domains = example.org\ndefault_transport = smtp\nrelayhost = [127.0.0.1]:{provider.port}\n"
    )
    own = start(through + "smtp_tls_security_level = none\nmyhostname = own.example.org\n")
    folder = game(tmp_path / "game", boxes, own)
    assert run(folder, capsys)[0] == 0
    settle(own)
    monkeypatch.setattr(clock, "now", lambda: datetime.now(NOW.tzinfo))
    code, said, errors = run(folder, capsys)
    assert code == 5 and said.count("could not be delivered") == 3, (said, errors, own.log.read_text()[-3000:])
    assert "came back in words about how this campaign sends" in errors and failing(folder, capsys) == []
    settle(own)
    told = "".join(
        text_of(message_from_bytes(one, policy=policy.default)) for one in boxes["gm@example.org"].messages()
    )
    assert "better address" not in told and "--dropped" in told
    good = start("myhostname = good.example.org\n")
    use(folder, own, good)
    time.sleep(1.1)
    capsys.readouterr()
    assert main(["mail", "send", str(folder), "--dropped", "--yes"]) == 0
    assert "3 sent" in capsys.readouterr().out
    settle(good)
    assert all(len(boxes[f"{name}@{FAR}"].messages()) == 1 for name in ("ann", "bob", "cyn"))
