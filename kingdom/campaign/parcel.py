"""A campaign as bytes from which somebody who must not know its secrets makes its next turn.

A parcel has the settings without seed, tokens, addresses and servers, the newest turn, what the charts of reports need of the turns
before, the filed orders, and the keys of that one turn's dice. Opened, it is a folder on which the same code works as on the campaign.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from kingdom.campaign import balances, commitment, filings, store, substitute_orders, undone_turns
from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign, Keys, Rulebook
from kingdom.campaign.settings import Gm, Settings
from kingdom.engine import game as games
from kingdom.engine.dice import GM
from kingdom.orders import yaml_text

REPORTS = "reports/"


class Parcel(Struct, frozen=True):
    """A campaign without its secrets. rules: the node of `rules` in campaign.yaml as plain data. last: the number of the newest turn.
    files: by their path in the campaign's folder."""

    settings: Settings
    rules: Any
    last: int
    keys: Keys
    files: dict[str, bytes]


def bare(settings: Settings) -> Settings:
    """Return the settings without seeds, tokens, addresses, servers and commands."""
    return replace(
        settings,
        seed="",
        old_seeds=dict.fromkeys(settings.old_seeds, ""),
        gm=Gm(settings.gm.name),
        players={seat: replace(player, email=(), token="") for seat, player in settings.players.items()},
        mail=None,
        alert="",
        house="",
        publish=replace(settings.publish, folder="web" if settings.publish.folder else ""),
    )


def keys_of(campaign: Campaign, turn: int) -> Keys:
    """Return the keys of a turn that nobody took back, and the commitments to the next."""
    names = (*campaign.seats, GM, *map(substitute_orders.drawn_by, campaign.seats))
    of = {name: campaigns.key_of(campaign, turn, name) for name in names}
    return Keys(of, campaigns.commitments(campaign, turn + 1))


def is_plain(campaign: Campaign, turn: int) -> bool:
    """Return whether a turn can be made from a parcel: it is not the start, none was taken back there, and its promise is the report's."""
    if turn < 1 or undone_turns.latest(campaign.folder, turn) is not None:
        return False
    return not commitment.standing(campaign, campaigns.kept(campaign, turn - 1))


def files_for(campaign: Campaign, turn: int) -> dict[str, bytes]:
    """Return what the turn after the newest is made from, by path: that turn, ledgers before it, the filed orders. Raises Faults."""
    files: dict[str, bytes] = {}
    for number in range(max(0, turn - balances.TURNS + 1), turn - 1):
        files |= _of_turn(campaign, number, ("ledger.csv",))
    newest = campaigns.kept(campaign, turn - 1)
    files |= _of_turn(campaign, turn - 1, [name for name in newest.record.files if not name.startswith(REPORTS)])
    filed = filings.files_in(filings.folder_of(campaign.folder, turn), campaign.seats)
    return files | {f"orders/{store.name_of(turn)}/{seat}{filings.ENDING}": data for seat, data in filed.items()}


def _of_turn(campaign: Campaign, turn: int, names: Iterable[str]) -> dict[str, bytes]:
    folder = f"turns/{store.name_of(turn)}"
    place = campaign.folder / folder
    return {f"{folder}/{name}": store.read(place / name) for name in names} | {
        f"{folder}/{store.RECORD}": store.record_in(place)
    }


def packed(campaign: Campaign, settings: Settings, keys: Keys, files: Mapping[str, bytes]) -> Parcel:
    """Return the parcel of a campaign. settings: its own, made `bare`."""
    return Parcel(settings, campaign.rules.overrides, campaigns.newest(campaign), keys, dict(files))


def secrets(campaign: Campaign) -> list[bytes]:
    """Return what no parcel may hold, in small letters."""
    settings = campaign.settings
    seeds = [] if settings.public_seed else [settings.seed, *settings.old_seeds.values()]
    servers = [server for server in (settings.mail.imap, settings.mail.smtp) if server] if settings.mail else []
    words = [
        *seeds,
        *(word for person in settings.people for word in (person.token, *person.email)),
        *([settings.mail.address] if settings.mail else []),
        *(server.password_command for server in servers),
    ]
    return [word.lower().encode() for word in dict.fromkeys(words) if word]


def holds_any(data: bytes, words: Iterable[bytes]) -> bool:
    """Return whether one of these words stands in the bytes, in small letters or capitals."""
    small = data.lower()
    return any(word in small for word in words)


def opened(parcel: Parcel, folder: Path) -> Campaign:
    """Write a parcel into an empty folder, and return its campaign. Raises OSError."""
    put(folder, parcel.files)
    rules = None if parcel.rules is None else yaml_text.node_of(parcel.rules)
    game = games.load(parcel.settings.game)
    return Campaign(folder, parcel.settings, game, Rulebook(game, rules, folder), parcel.last, parcel.keys)


def put(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder that nobody needs for long: they are not synced. Raises OSError."""
    for place in {name.rpartition("/")[0] for name in files}:
        os.makedirs(folder / place, exist_ok=True)
    for name, data in files.items():
        with open(folder / name, "xb") as stream:
            stream.write(data)
