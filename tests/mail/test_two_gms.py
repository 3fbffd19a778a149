"""Two people are the GM: what one of them files takes nothing out of the other's, and both are told."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kingdom.mail.incoming.outcome import Fate
from tests.kit import mailkit, postkit
from tests.kit.postkit import Post, text_of

TWO = mailkit.CAMPAIGN.replace("email: gm@example.org", "email: [gm@example.org, hal@example.org]")
GIFT = {"grant": "borderia", "account": "treasury", "by": 6, "reason": "a gift"}
FINE = {"grant": "examplia", "account": "treasury", "by": -2, "reason": "a fine"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        return postkit.campaign(tmp_path_factory.mktemp("gms") / "campaign")


@pytest.fixture
def post(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Post]:
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    yield postkit.fresh(made, tmp_path / "campaign", TWO)


def files(post: Post, sender: str, order: dict[str, Any], more: str = "") -> Fate:
    inner = ", ".join(f"{key}: {value}" for key, value in order.items())
    return post.mail("gm", f"{more}gm: [{{{inner}}}]\n", "Orders gm 3", sender=sender)


def told(post: Post) -> dict[str, str]:
    return {str(mail["To"]): " ".join(text_of(mail).split()) for mail in post.new()}


def test_a_second_gm_s_orders_are_added_and_both_are_told(post: Post) -> None:
    files(post, "gm@example.org", GIFT)
    assert list(told(post)) == ["gm@example.org"]
    assert files(post, "hal@example.org", FINE).outcome == "accepted"
    assert post.filed("gm") == {"gm": [GIFT, FINE]}
    said = told(post)
    assert "The orders of gm@example.org stay beside yours." in said["hal@example.org"]
    assert "hal@example.org filed orders of the GM for turn 3. Yours stay beside them." in said["gm@example.org"]
    assert "a gift" in said["gm@example.org"] and "a fine" in said["gm@example.org"]


def test_it_replaces_where_it_says_so_and_the_other_gm_reads_what_is_gone(post: Post) -> None:
    files(post, "gm@example.org", GIFT)
    files(post, "hal@example.org", FINE, "amend: false\n")
    assert post.filed("gm") == {"gm": [FINE]}, "`amend` is a way to file and no order"
    assert "They took out" in told(post)["gm@example.org"] and "No longer ordered" in told(post)["hal@example.org"]
    files(post, "hal@example.org", {**FINE, "by": -3})
    assert (post.filed("gm") or {})["gm"] == [{**FINE, "by": -3}], "what is filed is Hal's alone"
    assert list(told(post)) == ["hal@example.org"]


def test_one_gm_replaces_what_the_same_gm_filed(post: Post) -> None:
    files(post, "hal@example.org", GIFT)
    files(post, "hal@example.org", FINE)
    assert post.filed("gm") == {"gm": [FINE]}


def test_the_first_gm_takes_nothing_out_either(post: Post) -> None:
    files(post, "gm@example.org", GIFT)
    files(post, "hal@example.org", FINE)
    files(post, "gm@example.org", {**GIFT, "by": 7})
    assert post.filed("gm") == {"gm": [GIFT, FINE, {**GIFT, "by": 7}]}
    assert set(told(post)) == {"gm@example.org", "hal@example.org"}


def test_amend_itself_is_never_told_as_an_order_that_was_taken_out(post: Post) -> None:
    files(post, "gm@example.org", GIFT)
    files(post, "hal@example.org", FINE, "amend: false\n")
    files(post, "gm@example.org", FINE, "amend: true\n")
    assert "taken out" not in post.answer()["Subject"]
    assert "took out" not in told(post).get("hal@example.org", "")
