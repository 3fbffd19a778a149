"""What the public page of a campaign shows: the level in campaign.yaml, as far as the newest turn says that all were told of it.

A turn that is kept while there is such a page has a notice to everybody with the level and the delay of its map. A wider page holds from the
first such turn on, whose reports tell it; a narrower one at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kingdom.campaign.campaign import Campaign
from kingdom.campaign.settings import PUBLIC, Publish
from kingdom.campaign.store import KeptNotice, Record
from kingdom.engine.game import AnyGame
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.step import Notice
from kingdom.render.plain_text import joined

PAGE, PICTURE = "public.html", "public.png"
NOTHING, LETTERS, SIZE, MAP = PUBLIC
_EVERYBODY = "all"  # the seat of a notice that all may read


class Publicity(NamedTuple):
    """What a public page shows. delay: how many turns late its map is."""

    level: str = NOTHING
    delay: int = 0

    def shows(self, level: str) -> bool:
        """Return whether the page shows what this level adds."""
        return PUBLIC.index(self.level) >= PUBLIC.index(level)

    def narrowed(self, other: Publicity) -> Publicity:
        """Return what both show."""
        return Publicity(min(self.level, other.level, key=PUBLIC.index), max(self.delay, other.delay))


def wanted(settings: Publish) -> Publicity:
    """Return what campaign.yaml asks for."""
    return Publicity(settings.public, settings.delay) if settings.folder else Publicity()


def told(record: Record) -> Publicity:
    """Return what a kept turn's reports say that the page shows."""
    facts: Mapping[str, Any] = next((notice["facts"] for notice in kept(record)), {})
    return Publicity(facts["public"], facts["delay"]) if facts.get("public") in PUBLIC else Publicity()


def shown(campaign: Campaign, record: Record) -> Publicity:
    """Return what the page shows whose newest turn has this record: what all were told, as far as campaign.yaml still says so."""
    return wanted(campaign.settings.publish).narrowed(told(record))


def kept(record: Record) -> Sequence[KeptNotice]:
    """Return the kept turn's notices about the page: one or none."""
    whole = [notice for notice in record.notices if notice.keys() >= {*Notice._fields}]
    return [notice for notice in whole if {"public", "delay"} <= notice["facts"].keys() and not notice["phase"]]


def kept_news(record: Record) -> list[Notice]:
    """Return the kept turn's notices about the page as a turn that is run again has them."""
    return [Notice(**notice) for notice in kept(record)]


def news(game: AnyGame, settings: Publish, was: Publicity) -> list[Notice]:
    """Return a turn's notice about the page, which is news where the page is another than it was; [] where there is none."""
    now = wanted(settings)
    if now.level == was.level == NOTHING:
        return []
    facts = {"public": now.level, "delay": now.delay}
    if now == was:
        return [Notice("public", "", "", _EVERYBODY, facts)]
    return [Notice("news", "", "", _EVERYBODY, {**facts, "text": f"From now on {in_words(game, settings)}"})]


def in_words(game: AnyGame, settings: Publish) -> str:
    """Return a sentence that says what the page shows."""
    page = wanted(settings)
    if page.level == NOTHING:
        return "no public page shows anything of this campaign."
    shown = ["the names of all", "what all are told", "what you write to all"]
    if page.shows(SIZE) and game.scoring.open:
        counted = game.scoring.open[0].replace("_", " ")
        shown.append(f"everybody's {counted} after each turn")
    if page.shows(MAP):
        late = f", {page.delay} turn{'s' if page.delay > 1 else ''} late" if page.delay else ""
        shown.append(f"who holds which land{late}")
    where = f" ({settings.url.rstrip('/')}/{PAGE})" if settings.url else ""
    return f"a page that anybody in the world may read{where} shows {joined(shown)}."
