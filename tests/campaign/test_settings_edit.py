"""Changing a player's entry in campaign.yaml: that entry says what was meant, and not a byte else is touched."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.campaign import settings
from kingdom.campaign.settings import Player
from kingdom.campaign.settings_edit import line_of, with_player

ADA = Player("Ada", ("ada@example.org",), "k7f3q2aa", "Europe/Berlin")
HEAD = "# ours\nname: The Greenmarch   # a name\ngame: realm\nseed: public\npublic_seed: true\n"
WAYS = {
    "in brackets": "players:\n  examplia: {name: Player 1, token: oldtoken}   # the first\n  borderia: {}\n",
    "nothing in the brackets": "players:\n  examplia: {}  # free\n  borderia: {}\n",
    "a bot": "players:\n  examplia: {name: Traders, bot: trader}\n  borderia: {}\n",
    "a bot alone": "players:\n  examplia: {bot: trader}\n  borderia: {}\n",
    "several addresses": "players:\n  examplia: {email: [old@example.org, 'o2@example.org'], name: \"O, {ld}\", zone: UTC, token: old1}\n  borderia: {}\n",
    "over lines": "players:\n  examplia: {name: Old, # not her\n    token: oldtoken,\n    bot: trader}\n  borderia: {}\n",
    "a key a line": "players:\n  examplia:\n    # who\n    name: Old   # him\n    email: old@example.org\n    bot: trader\n  borderia: {}\n",
    "a key a line, and a comma in a name": "players:\n  examplia:\n    name: Old, Sir  # him\n    token: oldtoken\n  borderia: {}\n",
    "all in one line": "players: {examplia: {name: Old}, borderia: {name: Ben}}\n",
    "quoted keys": "players:\n  \"examplia\": {'name': Old}\n  borderia: {}\n",
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_the_entry_is_changed_however_it_is_written(way: str, ending: str, mark: str) -> None:
    old = (mark + HEAD + WAYS[way] + "# the end\n").replace("\n", ending).encode()
    new = with_player(old, "examplia", ADA)
    assert new is not None
    before, after = settings.read_text(old, "x")[0], settings.read_text(new, "x")[0]
    assert after.players["examplia"] == ADA
    assert after.players["borderia"] == before.players["borderia"]
    head, tail = (mark + HEAD).replace("\n", ending).encode(), f"# the end{ending}".encode()
    assert new.startswith(head) and new.endswith(tail)
    assert new.count(b"#") == old.count(b"#"), "no comment is lost"


def test_only_what_changed_is_another_byte() -> None:
    old = (HEAD + WAYS["in brackets"]).encode()
    new = with_player(old, "examplia", ADA)
    assert new == old.replace(
        b"name: Player 1, token: oldtoken",
        b'name: Ada, token: k7f3q2aa, email: "ada@example.org", zone: "Europe/Berlin"',
    )


def test_what_can_t_be_changed_is_left_and_the_line_is_told() -> None:
    old = (HEAD + "players:\n  examplia:\n    email:\n      - a@example.org\n      - b@example.org\n").encode()
    assert with_player(old, "examplia", ADA) is None
    assert (
        line_of("examplia", ADA)
        == 'examplia: {name: Ada, email: "ada@example.org", token: k7f3q2aa, zone: "Europe/Berlin"}'
    )


@given(st.text(min_size=1, max_size=30), st.sampled_from(sorted(WAYS)))
def test_no_name_gets_out_of_its_place(name: str, way: str) -> None:
    old = (HEAD + WAYS[way]).encode()
    try:
        player = ADA.__class__(name, ADA.email, ADA.token)
        new = with_player(old, "examplia", player)
    except UnicodeEncodeError:
        return
    if new is not None:
        assert settings.read_text(new, "x")[0].players["examplia"] == player
        assert (
            settings.read_text(new, "x")[0].players["borderia"] == settings.read_text(old, "x")[0].players["borderia"]
        )
