"""What a seat's record says of orders: the very bytes that counted, when they came, and nothing that is another's."""

from __future__ import annotations

import json
from base64 import b64decode
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from kingdom.campaign import campaign as campaigns
from kingdom.cli.main import main
from kingdom.mail.outgoing import letters, posting
from tests.kit import postkit
from tests.kit.postkit import Post, enclosed
from tests.kit.tiny_game import write


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return postkit.campaign(tmp_path_factory.mktemp("records") / "campaign")


@pytest.fixture
def post(made: Path, tmp_path: Path) -> Post:
    return postkit.fresh(made, tmp_path / "campaign")


def record_of(post: Post, seat: str = "examplia") -> dict[str, Any]:
    """The record of turn 3, which is played now."""
    assert main(["turn", "--yes", str(post.folder)]) == 0
    data = (post.folder / f"turns/0003/reports/{seat}.json").read_bytes()
    assert data.isascii() and max(map(len, data.splitlines())) < 900, "it goes as it stands"
    record: dict[str, Any] = json.loads(data)
    return record


def test_what_was_mailed_is_the_record_and_the_answer_byte_for_byte(post: Post) -> None:
    post.mail("examplia", "taxation: light\n")
    ((name, data),) = enclosed(post.answer()).items()
    digest = sha256(data).hexdigest()
    assert name == f"filed-0003-{digest[:12]}.yaml" and digest[:12] in post.answer().as_string()
    assert data == (post.folder / "orders/0003/examplia.yaml").read_bytes()
    filing = record_of(post)["filing"]
    assert b64decode("".join(filing.pop("base64"))) == data
    assert filing == {"digest": digest, "receipt": digest[:12], "how": "mail", "came": post.now.isoformat()}


def test_refused_and_tried_orders_bring_no_file(post: Post) -> None:
    for text in ("taxation: lihgt\n", "try\ntaxation: light\n"):
        post.mail("examplia", text)
        assert not [name for name in enclosed(post.answer()) if name.startswith("filed")]


def test_other_filings_stand_by_their_receipts(post: Post) -> None:
    post.mail("examplia", "taxation: light\n")
    (first,) = enclosed(post.answer())
    post.now += postkit.later(hours=1)
    post.mail("examplia", "", "withdraw")
    post.now += postkit.later(hours=1)
    post.mail("examplia", "holiday: long\n")
    record = record_of(post)
    others = [one for one in record["other_filings"] if "receipt" in one]
    assert [one["receipt"] for one in others] == [first[len("filed-0003-") : -len(".yaml")]]
    assert [one["withdrawn"] for one in record["other_filings"] if "withdrawn" in one] == [
        (post.now - postkit.later(hours=1)).isoformat()
    ]


def test_a_file_put_there_by_hand_and_a_bots(post: Post) -> None:
    write(post.folder, "orders/0003/examplia.yaml", "kingdom: examplia\nturn: 3\nholiday: long\n")
    assert record_of(post)["filing"]["how"] == "hand"
    silent = json.loads((post.folder / "turns/0003/reports/borderia.json").read_bytes())["filing"]
    assert (silent["how"], silent["came"]) == ("bot", None), "its steward filed"


@pytest.mark.parametrize(
    "text", ["token: k7f3q\nholiday: long\n", "# k7f3q\nholiday: long\n", "token: 3-abcdefghij\nholiday: long\n"]
)
def test_bytes_with_a_token_in_them_are_not_told(text: str, post: Post) -> None:
    """The archive takes every record to everybody."""
    write(post.folder, "orders/0003/examplia.yaml", f"kingdom: examplia\nturn: 3\n{text}")
    filing = record_of(post)["filing"]
    assert filing["base64"] == [] and len(filing["digest"]) == 64


def test_what_another_player_filed_stands_by_its_digest_alone(post: Post) -> None:
    post.mail("borderia", "holiday: long\n")
    said = (post.folder / "mail/journal.jsonl").read_text()
    later = (post.now + postkit.later(hours=1)).isoformat()
    line = {"at": later, "event": "invited", "kingdom": "borderia", "turn": 3, "mark": "abc"}
    (post.folder / "mail/journal.jsonl").write_text(said + json.dumps(line, separators=(",", ":")) + "\n")
    filing = record_of(post, "borderia")["filing"]
    assert filing["base64"] == [] and filing["how"] == "mail" and len(filing["digest"]) == 64


@pytest.mark.parametrize("size", [0, 1_000, 100_000])
def test_a_report_mail_grows_by_little_more_than_the_orders(size: int, post: Post) -> None:
    comment = '# \u00fc is a letter, and "this" a text\n' * (size // 40)
    write(post.folder, "orders/0003/examplia.yaml", f"kingdom: examplia\nturn: 3\nholiday: long\n{comment}")
    record_of(post)
    campaign, journal, turn = post.campaign, post.journal, campaigns.kept(post.campaign)
    content = posting.content_of(campaign, journal, turn, "examplia", post.now)
    without = content._replace(enclosed=[file for file in content.enclosed if file.name != "record.json"])
    assert len(without.enclosed) == len(content.enclosed) - 1
    whole, rest = (
        len(letters.letter(campaign, "report-1", "report", "examplia", 3, "a@b.org", one, post.now).data)
        for one in (content, without)
    )
    filed = (post.folder / "orders/0003/examplia.yaml").stat().st_size
    assert whole - rest <= 5_000 + 1.4 * filed


def test_no_record_goes_to_who_took_the_seat_over_since(post: Post) -> None:
    record_of(post)
    said = (post.folder / "mail/journal.jsonl").read_text() if (post.folder / "mail/journal.jsonl").exists() else ""
    line = {"at": post.now.isoformat(), "event": "invited", "kingdom": "examplia", "turn": 4, "mark": "abc"}
    write(post.folder, "mail/journal.jsonl", said + json.dumps(line, separators=(",", ":")) + "\n")
    post.mail("examplia", "", "report 3")
    assert set(enclosed(post.answer())) == {"examplia-0003.txt", "examplia-0003.html"}
