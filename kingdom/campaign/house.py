"""A house: a folder of campaigns with one mail address for all, which house.yaml names. Its shape is declared only here."""

import os
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Struct

from kingdom.campaign import settings
from kingdom.campaign.settings import Gm, Mail, Settings
from kingdom.campaign.store import read as bytes_of
from kingdom.engine.problems import Faults
from kingdom.orders import reading
from kingdom.orders.schema import Record, Text, record_of
from kingdom.orders.yaml_text import Node

FILE = "house.yaml"
_SHARED = ("missing_orders", "steward_after", "missing_limit", "messages", "absences", "newcomers", "alert")
_DEFAULTS = {key: settings.SHAPE.keys[key] for key in _SHARED}
_METRICS = "/var/lib/prometheus/node-exporter/house.prom"


class House(Struct, frozen=True):
    """house.yaml as read. page, metrics: the files that each run writes. defaults: (key of campaign.yaml, value)."""

    folder: Path
    name: Annotated[str, Text("the house's name", "The Kingdoms of the North", most=120)]
    host: Annotated[Gm, record_of(Gm, "the host", ("email",))]
    mail: Annotated[Mail, settings.SHAPE.keys["mail"]]
    page: Annotated[str, Text("the file for the page that each run writes", "/srv/www/house/index.html", most=1000)] = "status.html"  # fmt: skip
    metrics: Annotated[str, Text("the file for the metrics that each run writes", _METRICS, most=1000)] = "status.prom"
    defaults: Annotated[
        tuple[tuple[str, object], ...], Record("what campaigns go by that do not say it themselves", _DEFAULTS)
    ] = ()


SHAPE = record_of(House, "a house of campaigns")


def at(folder: Path) -> House | None:
    """Return the house in a folder; None if there is none. Raises Faults."""
    folder = Path(os.path.abspath(folder))
    file = folder / FILE
    return _read(bytes_of(file), folder) if file.is_file() else None


def around(campaign: Path) -> House | None:
    """Return the house that a campaign's folder lies in; None if there is none, or if it is neither the user's nor that of the
    campaign's owner: it may name commands to run. Raises Faults."""
    place = Path(os.path.abspath(campaign))
    folder = place.parent
    try:
        owner = os.stat(folder / FILE).st_uid
        if owner != os.geteuid() and owner != os.stat(place).st_uid:
            return None
    except OSError:
        return None
    return at(folder)


def settings_of(campaign: Path) -> tuple[Settings, Node | None]:
    """Read a campaign's settings, with its house's mailbox and defaults where it says nothing itself, and the YAML node of its
    `rules`. Raises Faults."""
    house = around(campaign)
    if house is None:
        return settings.read(campaign)
    read, rules = settings.read(campaign, house.defaults)
    if read.mail is None:  # the house alone fetches: what is for this campaign is put into its mail/inbox
        mail = msgspec.structs.replace(house.mail, imap=None)
        read = msgspec.structs.replace(read, mail=mail, house=str(house.folder))
    return read, rules


def new_tokens(campaign: Path, count: int) -> list[str]:
    """Return random words by which players prove who sends a mail, none of which a seat has in the house of that campaign's folder."""
    house = around(campaign)
    taken: set[str] = set()
    for file in house.folder.glob(f"*/{settings.FILE}") if house else ():
        with suppress(Faults):  # one that can't be read has no token that works
            taken |= {person.token.lower() for person in settings.read(file.parent)[0].people}
    made: dict[str, None] = {}
    while len(made) < count:
        token = settings.new_token()
        if token not in taken:
            made[token] = None
    return [*made]


@lru_cache(maxsize=1)
def _read(data: bytes, folder: Path) -> House:
    value, _ = reading.checked(SHAPE, data, str(folder / FILE))
    defaults = tuple((value.pop("defaults", None) or {}).items())
    return msgspec.convert({**value, "defaults": defaults, "folder": folder}, House, strict=False)
