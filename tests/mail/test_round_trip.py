"""kingdom mail check sends test mails to itself: do they arrive, with a tag too, and does the server say who they are from?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kingdom.cli.main import main
from kingdom.mail.servers import round_trip
from tests.kit.mailservers import PASSWORD, VARIABLE, Authority, Dovecot, Mailbox, Postbox, campaign, orders

pytestmark = [
    pytest.mark.package("openssl", "openssl"),
    pytest.mark.package("dovecot-imapd", "dovecot"),
    pytest.mark.filterwarnings("ignore:Requiring AUTH"),
]
ADDRESS, WITH_TAG = "orders@example.org", "orders+xyz@example.org"
WRITES = "mx.example.org 1; dkim=pass header.d=example.org"


@pytest.fixture(autouse=True)
def quick(authority: Authority, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    monkeypatch.setenv(VARIABLE, PASSWORD)
    monkeypatch.setattr(round_trip, "WAIT", 0.6)
    monkeypatch.setattr(round_trip, "PAUSE", 0.1)


@pytest.fixture
def post(authority: Authority) -> Iterator[Postbox]:
    box = Postbox(authority)
    yield box
    box.stop()


@pytest.fixture
def box(dovecot: Dovecot, post: Postbox) -> Mailbox:
    """The campaign's mailbox, into which what the server takes is delivered."""
    made = dovecot.mailbox()
    post.boxes[ADDRESS] = made
    return made


def checked(folder: Path, capsys: Any, code: int = 0) -> list[str]:
    """The lines of `kingdom mail check` about the test mails."""
    capsys.readouterr()
    assert main(["mail", "check", str(folder)]) == code
    return [line for line in capsys.readouterr().out.splitlines() if line.startswith("test: ")]


def game(folder: Path, box: Mailbox, post: Postbox, **more: Any) -> Path:
    made = campaign(folder, box.server(), post.server())
    file = made / "campaign.yaml"
    extra = "".join(f", {key}: {json.dumps(value)}" for key, value in more.items())
    file.write_text(file.read_text().replace(f"address: {ADDRESS}", f"address: {ADDRESS}{extra}"))
    return made


def test_tags_are_proposed_where_tagged_mail_arrives(box: Mailbox, post: Postbox, tmp_path: Path, capsys) -> None:
    post.tags = True
    lines = checked(game(tmp_path / "game", box, post), capsys)
    assert f"test: mail to {WITH_TAG} arrives. Write `tags: on`" in lines[-1]
    lines = checked(game(tmp_path / "other", box, post, tags=True), capsys)
    assert lines[-1] == f"test: mail to {WITH_TAG} arrives, as `tags: on` says."


def test_tags_are_not_proposed_where_tagged_mail_is_lost(box: Mailbox, post: Postbox, tmp_path: Path, capsys) -> None:
    lines = checked(game(tmp_path / "game", box, post), capsys)
    assert lines[-1] == f"test: mail to {WITH_TAG} can't be used, as it did not arrive in time. Leave `tags: off`."
    lines = checked(game(tmp_path / "other", box, post, tags=True), capsys, 1)
    assert lines[-1].startswith(f"test: WRONG. Mail to {WITH_TAG} is lost") and lines[-1].endswith("Write `tags: off`.")


def test_a_server_that_refuses_tags(
    box: Mailbox, post: Postbox, tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(round_trip.secrets, "token_hex", lambda size: "ab" * size)  # the same mark in both
    post.answers["orders+ababababab@example.org"] = "550 5.1.1 nobody of that name"
    lines = checked(game(tmp_path / "game", box, post), capsys)
    assert "as the server does not take it (550 5.1.1 nobody of that name). Leave `tags: off`." in lines[-1]


def test_the_servers_own_results_are_proposed(box: Mailbox, post: Postbox, tmp_path: Path, capsys) -> None:
    post.results = WRITES
    lines = checked(game(tmp_path / "game", box, post), capsys)
    assert (
        "Write `authserv_id: mx.example.org` and `authenticate: [sender, token, authentication_results]` into `mail`"
        in lines[1]
    )


def test_what_is_set_is_compared_with_what_the_server_writes(
    box: Mailbox, post: Postbox, tmp_path: Path, capsys
) -> None:
    post.results = WRITES
    asks = {"authenticate": ["sender", "token", "authentication_results"]}
    right = game(tmp_path / "right", box, post, authserv_id="mx.example.org", **asks)
    assert checked(right, capsys)[1].endswith("writes Authentication-Results as mx.example.org, as `authserv_id` says.")
    other = game(tmp_path / "other", box, post, authserv_id="mx.example.net", **asks)
    assert "test: WRONG. " in (line := checked(other, capsys, 1)[1]) and line.endswith(
        "Write `authserv_id: mx.example.org`."
    )


MICROSOFT = (
    "spf=pass (sender IP is 40.92.0.1) smtp.mailfrom=example.org; dkim=pass (signature was verified) header.d=example.org;"
    "dmarc=pass action=none header.from=example.org;compauth=pass reason=100"
)


@pytest.mark.parametrize(
    "writes", [MICROSOFT, "dkim=none (message not signed) header.d=none;arc=none", "none", "; spf=pass"]
)
def test_a_server_that_does_not_name_itself_is_not_advised(
    writes: str, box: Mailbox, post: Postbox, tmp_path: Path, capsys
) -> None:
    post.results = writes
    line = checked(game(tmp_path / "game", box, post), capsys)[1]
    assert line == (
        "test: the receiving server writes Authentication-Results without its own name, so nothing tells them from what a sender wrote. "
        "Write no `authserv_id`, and leave `authentication_results` out of `authenticate`."
    )
    asks = {"authenticate": ["sender", "token", "authentication_results"], "authserv_id": "mx.example.org"}
    line = checked(game(tmp_path / "other", box, post, **asks), capsys, 1)[1]
    assert line.startswith("test: WRONG. The receiving server writes") and line.endswith(
        "Take `authentication_results` out of `authenticate`."
    )


def test_the_results_of_two_filters_are_looked_at_together(box: Mailbox, post: Postbox, tmp_path: Path, capsys) -> None:
    """opendmarc's stands above opendkim's, and finds no record: what is advised is what orders will be judged by."""
    weak = "mx.example.org; dmarc=none header.from=example.org"
    post.results = f"{weak}\r\nAuthentication-Results: mx.example.org; dkim=pass header.d=example.org"
    line = checked(game(tmp_path / "game", box, post), capsys)[1]
    assert "Write `authserv_id: mx.example.org` and `authenticate: [sender, token, authentication_results]`" in line


@pytest.mark.parametrize("writes", [
    "mx.example.org; none", "mx.example.org; auth=pass (plain) smtp.auth=orders",
    "mx.example.org; dkim=pass header.d=relay.example; spf=pass smtp.mailfrom=relay.example",
])  # fmt: skip
def test_a_server_that_checks_nobody_is_advised_only_if_it_checks_others(
    writes: str, box: Mailbox, post: Postbox, tmp_path: Path, capsys
) -> None:
    post.results = writes
    line = checked(game(tmp_path / "game", box, post), capsys)[1]
    assert (
        "If a mail from elsewhere has `spf=pass`, `dkim=pass` or `dmarc=pass` in them, write `authserv_id: mx.example.org`"
        in line
    )


def test_a_server_of_many_names_is_not_advised(box: Mailbox, post: Postbox, tmp_path: Path, capsys) -> None:
    post.results, post.tags = "mx{}.example.org; dkim=pass header.d=example.org", True
    line = checked(game(tmp_path / "game", box, post), capsys)[1]
    assert "writes Authentication-Results under another name each time. Write no `authserv_id`" in line


@pytest.mark.parametrize("tags", [False, True])
def test_a_relay_that_writes_its_own_message_id(
    tags: bool, box: Mailbox, post: Postbox, tmp_path: Path, capsys
) -> None:
    """The test mails are found and deleted all the same, and what it costs is said."""
    post.renames, post.tags = True, tags
    lines = checked(game(tmp_path / "game", box, post), capsys, int(tags))
    said = "he server gives what it sends a Message-ID of its own, so an answer is known by its References alone, which not every mail program sends."
    assert said in lines[2]
    cure = "Write `tags: on` into `mail`" if tags else "needs the token in the subject"
    assert cure in lines[2] and lines[2].startswith("test: WRONG. T" if tags else "test: t") and box.messages() == []
    if tags:
        lines = checked(game(tmp_path / "other", box, post, tags=True), capsys)
        assert (
            lines[2]
            == "test: the server gives what it sends a Message-ID of its own; with `tags: on` an answer proves all the same who wrote it."
        )


def test_a_mail_that_does_not_arrive_is_no_error_but_is_told(
    box: Mailbox, post: Postbox, tmp_path: Path, capsys
) -> None:
    post.boxes.clear()
    (line,) = checked(game(tmp_path / "game", box, post), capsys)
    assert "did not arrive within" in line and "also among spam" in line


def test_nothing_else_in_the_mailbox_is_touched(box: Mailbox, post: Postbox, tmp_path: Path, capsys) -> None:
    post.tags = True
    box.deliver(orders("ann"), orders("bob"))
    with box.client() as other:
        other.select_folder("INBOX")
        other.delete_messages(2)  # another program marked it, and did not delete it yet
    folder = game(tmp_path / "game", box, post)
    checked(folder, capsys)
    assert box.messages() == [orders("ann")] and not (folder / "mail").exists()
    with box.client() as other:
        other.select_folder("INBOX")
        assert len(other.search()) == 2


@pytest.mark.parametrize(("head", "server"), [
    (b"Authentication-Results: mx.example.org; spf=pass\r\n", "mx.example.org"),
    (b"Authentication-Results: MX.Example.org 1;\r\n\tspf=pass\r\nAuthentication-Results: other; none\r\n", "mx.example.org"),
    (b"Subject: nothing\r\n", ""),
    (b"Authentication-Results: ;\r\n", ""),
    (b'Authentication-Results: "MX.example.org" 1; spf=pass\r\n', "mx.example.org"),
    (b"Authentication-Results: (by) mx.example.org (ours); spf=pass\r\n", "mx.example.org"),
    (b"Authentication-Results: spf=pass (sender IP is 1.2.3.4) smtp.mailfrom=example.org; dkim=pass\r\n", ""),
    (b"Authentication-Results: none\r\n", ""),
    (b"Authentication-Results: spf = pass smtp.mailfrom=example.org\r\n", ""),
    (b"Authentication-Results: dkim/1 (signed) =pass header.d=example.org\r\n", ""),
    (b'Authentication-Results: "spf=pass"; dkim=pass\r\n', ""),
])  # fmt: skip
def test_the_topmost_results_name_the_server(head: bytes, server: str) -> None:
    assert round_trip.server_named(head + b"\r\n") == server
