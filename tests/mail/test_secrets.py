"""Nothing of another player's ever stands in a mail: unique marks are set in each kingdom's secrets, everything that can be
sent is sent, and every byte of every mail, decoded, is searched for the marks of the others. And nothing that comes with a
mail gets into a header, or becomes markup."""

from __future__ import annotations

import email
import os
import re
import shutil
from collections.abc import Iterator
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import store
from kingdom.cli.main import main
from kingdom.mail.outgoing import notices, posting
from kingdom.mail.tokens import own_tokens, turn_token
from tests.kit import postkit, small_realm
from tests.kit.postkit import Post, tags, text_of
from tests.kit.tiny_game import write

SECRETS = {  # whose -> what only that seat, and the GM, may ever see
    "examplia": ("tokenada1", "ada@mark.example", "ada2@mark.example", "MARKORDERADA", "MARKHEXADA"),
    "borderia": ("tokenbob2", "bo@mark.example", "bo2@mark.example", "MARKORDERBOB", "MARKHEXBOB"),
    "gm": (
        "tokengwen3",
        "gwen@mark.example",
        "MARKGMORDER",
        "MARKSEED",
        "MARKSTRANGER",
        "MARKHEXNOBODY",
        "eve@mark.example",
    ),
}
ADDRESSES = {"examplia": "ada@mark.example", "borderia": "bo@mark.example", "gm": "gwen@mark.example"}
CAMPAIGN = """\
name: The two fords
game: realm
seed: MARKSEED, public, this is a test
public_seed: true
gm: {name: Gwen, email: gwen@mark.example, token: tokengwen3}
players:
  examplia: {name: Ada, email: [ada@mark.example, ada2@mark.example], token: tokenada1, zone: Europe/Berlin}
  borderia: {name: Bo, email: [bo@mark.example, bo2@mark.example], token: tokenbob2}
calendar: {deadline: 2026-12-04T18:00, zone: Europe/Berlin, every: 7d, grace: 1h}
mail: {address: orders@example.org, authserv_id: mx.example.org}
"""
MAP = """\
grid: |
  pppffhpp
  ppppfhpp
  ppphhmpp
  ppphhmpp
hexes:
  "0202": {secret: MARKHEXADA}
  "0303": {secret: MARKHEXBOB}
  "0801": {secret: MARKHEXNOBODY, hazard: MARKHEXNOBODY}
"""
HEADERS = {
    "from", "to", "reply-to", "subject", "date", "message-id", "in-reply-to", "references", "auto-submitted", "x-auto-response-suppress",
    "mime-version", "content-type", "content-transfer-encoding",
}  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("secrets") / "campaign"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        small_realm.campaign(folder)
        write(folder, "campaign.yaml", CAMPAIGN)
        write(folder, "map.yaml", MAP)
        write(folder, "kingdoms/examplia.yaml", small_realm.EXAMPLIA.replace("treasury: 50", "treasury: 48611"))
        write(folder, "kingdoms/borderia.yaml", small_realm.BORDERIA.replace("treasury: 30", "treasury: 57329"))
        for _ in range(3):
            assert main(["turn", "--yes", str(folder)]) == 0
    return folder


@pytest.fixture
def post(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Post]:
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    monkeypatch.setattr(postkit, "ADDRESSES", ADDRESSES)
    monkeypatch.setattr(postkit, "TOKENS", {seat: marks[0] for seat, marks in SECRETS.items()})
    yield postkit.fresh(made, tmp_path / "campaign", CAMPAIGN)


PNG = b"\x89PNG"


def everything(mail: EmailMessage) -> str:
    """All that stands in a mail: its headers, and each part decoded."""
    parts = [part.get_payload(decode=True) for part in mail.walk() if not part.is_multipart()]
    parts = [
        "" if part.startswith(PNG) else part.decode("utf-8") for part in parts
    ]  # a picture is drawn from the page beside it
    headers = [f"{name}: {value}" for part in mail.walk() for name, value in part.items()]
    return "\n".join([*headers, *parts])


def treasuries(post: Post) -> dict[str, set[str]]:
    """Seat -> what its treasury ever was after a kept turn; no other number is like them."""
    found: dict[str, set[str]] = {seat: set() for seat in post.campaign.seats}
    for number in store.numbers(post.folder / "turns"):
        kept = campaigns.kept(post.campaign, number)
        kingdoms = campaigns.state_of(post.campaign, kept).kingdoms
        for seat in found:
            found[seat].add(str(kingdoms[seat].treasury))
    assert all(len(one) == 5 for each in found.values() for one in each)
    return found


def leaks(post: Post) -> list[str]:
    """The marks of others in any mail that was ever queued."""
    found, rich = [], treasuries(post)
    for id, entry in post.journal.mails.items():
        said = everything(post.letter(id))
        if entry["kingdom"] == "gm":
            continue
        others = [
            mark
            for seat, marks in SECRETS.items()
            if seat != entry["kingdom"]
            for mark in (*marks, *rich.get(seat, ()))
        ]
        found += [f"{mark} in {id}" for mark in others if mark in said]
    return found


def test_the_marks_are_where_they_should_be(post: Post) -> None:
    """Else the others could prove nothing."""
    post.queue(posting.reports(post.campaign, post.journal, post.now))
    said = {entry["kingdom"]: everything(post.letter(id)) for id, entry in post.journal.mails.items()}
    rich = treasuries(post)
    assert all(any(mark in said[seat] and mark in said["gm"] for mark in rich[seat]) for seat in rich)
    state = (post.folder / "turns/0002/state.json").read_text()
    assert all(mark in state for mark in ("MARKHEXNOBODY", "MARKHEXADA", "MARKHEXBOB"))
    assert turn_token(post.campaign, "examplia", 3) in said["examplia"] and "ada@mark.example" in said["examplia"]


def test_no_mail_but_the_welcome_has_a_seat_s_own_token(post: Post) -> None:
    for seat, text in (
        ("examplia", "taxation: light\n"),
        ("borderia", "clam: 0102\n"),
        ("gm", "tell: {to: all, text: Well.}\n"),
    ):
        post.mail(seat, text)
    for word in ("help", "status", "form", "orders", "map", "rules"):
        post.mail("examplia", "", word)
    post.mail("examplia", "May I?\n", "to gm")
    post.queue(posting.reports(post.campaign, post.journal, post.now))
    own = own_tokens(post.campaign.settings).values()
    assert len(post.journal.mails) > 12
    assert not [id for id in post.journal.mails for token in own if token in everything(post.letter(id))]


def test_no_answer_tells_what_is_another_s(post: Post) -> None:
    for seat, mark in (("borderia", "MARKORDERBOB"), ("examplia", "MARKORDERADA")):
        post.mail(seat, f"taxation: light\nrequests: {mark}\nclaim: 0102, 0801, 0302, 0202\naid: economy to borderia\n")
    post.mail("gm", 'gm: [{grant: borderia, account: treasury, by: 3, reason: "MARKGMORDER"}]\n', "Orders gm 3")
    for seat in ("borderia", "examplia"):
        other = "examplia" if seat == "borderia" else "borderia"
        post.mail(seat, "amend: true\nholiday: long\nbuild: house in Oakhold, house in Fordham\n")
        post.mail(seat, "clam: 1\nanswers: {x: y}\n")
        post.mail(seat, "> claim: 0102\n")
        post.mail(seat, "claim: 0102\n", f"Orders {other} 3")
        post.mail(seat, f"kingdom: {other}\nturn: 3\n")
        post.mail(seat, "claim: 0102\n", token="wrong99")
        post.mail(seat, "claim: 0102\n", f"Orders {other} 3", token=SECRETS[other][0])
        for subject in (
            "status",
            "report",
            "report 0",
            "form",
            "rules",
            "help",
            "away 2",
            f"to {other}",
            "to all",
            "to gm",
            "extend 2d",
            "to x",
        ):
            post.mail(seat, "Hello.\n", subject)
    post.mail("gm", "Snow.\n", "to all")
    post.mail("eve@mark.example", "MARKSTRANGER\n", "MARKSTRANGER", token="none1")
    post.mail("eve@mark.example", "MARKSTRANGER\n", "Orders examplia 3", token="tokenada1")
    assert len(post.journal.mails) > 30
    assert leaks(post) == []


def test_nothing_that_is_sent_unasked_does_either(post: Post) -> None:
    for seat, mark in (("borderia", "MARKORDERBOB"), ("examplia", "MARKORDERADA")):
        post.mail(seat, f"taxation: light\nrequests: {mark}\n")
    post.mail("eve@mark.example", "MARKSTRANGER\n", "MARKSTRANGER", token="none1")
    assert main(["turn", "--yes", str(post.folder)]) == 0
    post.queue(posting.reports(post.campaign, post.journal, post.now))
    for seat in ("examplia", "borderia"):
        post.queue(notices.reminder(post.campaign, post.journal, seat, 4, "48h", post.now))
        post.mail(seat, "", "report")
        post.mail(seat, "", "away 2")
    post.queue(notices.moved(post.campaign, post.journal, 4, post.now))
    post.queue(notices.reopened(post.campaign, post.journal, 4, 2, post.now))
    post.queue(notices.before_deadline(post.campaign, post.journal, 4, post.now))
    assert main(["redo", str(post.folder), "--yes"]) == 0
    post.queue(posting.reports(post.campaign, post.journal, post.now))
    assert len(post.journal.mails) > 12
    assert leaks(post) == []


def test_a_welcome_mail_tells_nothing_of_others_nor_the_token_before(post: Post) -> None:
    assert main(["invite", str(post.folder), "borderia", "cleo@example.org", "--name", "Cleo"]) == 0
    (id,) = [id for id, mail in post.journal.mails.items() if mail["kind"] == "welcome"]
    said = everything(post.letter(id))
    rich = treasuries(post)
    hidden = [
        *SECRETS["examplia"],
        *rich["examplia"],
        *SECRETS["gm"],
        "tokenbob2",
        "bo@mark.example",
        "bo2@mark.example",
    ]
    assert [mark for mark in hidden if mark in said] == []
    assert any(mark in said for mark in rich["borderia"])


def test_a_copy_that_was_forged_to_several_lists_answers_nobody_else(post: Post) -> None:
    post.mail(
        "examplia", "status\n", "status", Cc="bo@mark.example", Reply_To="eve@mark.example", Sender="eve@mark.example"
    )
    assert [mail["To"] for mail in post.new()] == ["ada@mark.example"]


# --- headers and markup

HOSTILE = (
    "=?utf-8?q?to_borderia=0D=0ABcc:_eve=40mark.example?=", "to borderia\u2028Bcc: eve@mark.example", "=?utf-8?b?DQoNCjxzY3JpcHQ+?= status",
    "away <script>alert(1)</script>", "report =?utf-8?q?=00=0A=0A<b>?=", "to \"><img src=x>",
)  # fmt: skip


@pytest.mark.parametrize("subject", HOSTILE)
def test_a_hostile_subject_reaches_no_header_and_no_markup(post: Post, subject: str) -> None:
    post.mail("examplia", "Hello <script>alert(1)</script> \u202eolleh\u2069\n", f"{subject} [tokenada1]")
    for mail in post.new():
        assert {name.lower() for name in mail} <= HEADERS
        assert mail["To"] in ADDRESSES.values()
        assert not {"script", "img"} & tags(mail) and "\u202e" not in everything(mail)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=80))
def test_whatever_a_mail_says_of_itself_its_answer_is_one_clean_mail(
    post: Post, id: str, references: str, text: str
) -> None:
    for name in ("mail", "orders"):
        shutil.rmtree(post.folder / name, ignore_errors=True)
    head = f"From: ada@mark.example\r\nSubject: Orders examplia 3 [tokenada1]\r\nMessage-ID: <{id}@x>\r\nReferences: {references}\r\n\r\n"
    post.take((head + "taxation: light\r\n" + text).encode("utf-8", "surrogateescape"))
    for mail in post.new():  # its answer, and what it says in words to the GM
        assert {each.lower() for each in mail} <= HEADERS
        assert mail["To"] in ("ada@mark.example", "gwen@mark.example") and mail["Reply-To"] == "orders@example.org"
        assert mail["Subject"].startswith("[The two fords] ")
    assert len(post.new()) <= 2 and post.answer()["To"] == "ada@mark.example"


@pytest.mark.parametrize("name", ["Ada\\r\\nBcc: eve", "<script>alert(1)</script>", '\\"><b>', "Ä" * 80])
def test_names_with_markup_or_line_ends_stay_names(made: Path, tmp_path: Path, name: str) -> None:
    odd = CAMPAIGN.replace(
        "name: The two fords", f'name: "{name.replace(chr(92) + "r" + chr(92) + "n", " ")}"'
    ).replace("name: Ada,", f'name: "{name.replace(chr(92) + "r" + chr(92) + "n", " ")}",')
    post = postkit.fresh(made, tmp_path / "campaign", odd)
    post.mail("examplia", "Hello\n", "to borderia", sender="ada@mark.example", token="tokenada1")
    post.queue(posting.reports(post.campaign, post.journal, post.now))
    for id in post.journal.mails:
        mail = post.letter(id)
        assert {each.lower() for each in mail} <= HEADERS
        assert mail["From"].addresses[0].addr_spec == "orders@example.org" and len(mail["From"].addresses) == 1
        assert "script" not in tags(mail)
        assert "\u202e" not in everything(mail)


def test_an_attachment_s_name_is_never_a_path_nor_a_header(post: Post) -> None:
    mail = EmailMessage(policy=default)
    mail["From"], mail["Subject"], mail["Message-ID"] = "ada@mark.example", "Orders examplia 3 [tokenada1]", "<1@x>"
    mail.set_content("Cheers")
    mail.add_attachment(b"clam: 0102\n", maintype="text", subtype="plain", filename="../../<b>campaign.yaml")
    post.take(mail.as_bytes())
    (answer,) = post.new()
    assert "campaign.yaml, line 1, column 1: `clam`" in text_of(answer) and "&lt;b&gt;campaign.yaml" in postkit.html_of(
        answer
    )
    assert (post.folder / "campaign.yaml").read_text() == CAMPAIGN


def test_every_mail_reads_back_as_it_was_meant(post: Post) -> None:
    """The bytes are ASCII with CRLF line ends, and parse without a defect."""
    post.mail("examplia", "taxation: light\nrequests: Ünïcödé — “quoted”\n")
    post.queue(posting.reports(post.campaign, post.journal, post.now))
    for id in post.journal.mails:
        data = (post.folder / f"mail/outbox/{id}.eml").read_bytes()
        assert data.isascii() and not re.search(rb"(?<!\r)\n", data) and max(map(len, data.split(b"\r\n"))) <= 998
        mail = email.message_from_bytes(data, policy=default)
        assert not [defect for part in mail.walk() for defect in part.defects]


def test_a_strangers_mail_is_the_seats_own_business_only_where_its_token_stands_somewhere(post: Post) -> None:
    own, of_turn = own_tokens(post.campaign.settings)["examplia"], turn_token(post.campaign, "examplia", 3)
    attached = {"Content_Type": "multipart/mixed; boundary=b"}
    file = f"--b\n\nHello.\n--b\nContent-Type: application/yaml; name=o.yaml\n\ntoken: {own}\ntaxation: light\n--b--\n"
    for text, subject, head in (
        (f"token: {own}\ntaxation: light\n", "My orders", {}),
        (f"token: {of_turn}\ntaxation: light\n", "My orders", {}),
        (f"{{token: {own}, taxation: light}}\n", "My orders", {}),
        ("taxation: light\n", f"Orders examplia 3 [{own}]", {}),
        (file, "My orders", attached),
        (f"token: {own[:4]}\u00ad{own[4:]}\ntaxation: light\n", "My orders", {}),
        (f"to\u200bken: {of_turn[:4]}\u200b{of_turn[4:]}\ntaxation: light\n", "My orders", {}),
        (f'"tok\\x65n": "\\x{ord(own[0]):02x}{own[1:]}"\ntaxation: light\n', "My orders", {}),
    ):
        fate = post.mail("eve", text, subject, "eve@evil.example", "none", **head)
        assert (fate.code, fate.seat) == ("unlisted_address", "examplia"), text
    for text in ("taxation: light\n", "token: abcd1234\ntaxation: light\n", "Call me on 12-k7f3qm2p9a.\n"):
        fate = post.mail("eve", text, "My orders", "eve@evil.example", "none")
        assert (fate.code, fate.seat) == ("stranger", ""), text
        assert post.new() == []
