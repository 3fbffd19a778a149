"""kingdom explain: why a number is what it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from kingdom.books import explain
from kingdom.books.explain import Explained
from kingdom.cli.commands import OfCampaign, Said, as_json, campaign_of, seat_of


class Args(OfCampaign, Protocol):
    """What is typed behind `kingdom explain`."""

    kingdom: str
    account: str
    turn: int | None
    back: bool
    json: bool


def run(args: Args) -> Said:
    """The sentences, or the same as JSON."""
    campaign = campaign_of(args)
    found = explain.explain(campaign, seat_of(campaign, args.kingdom), args.account, args.turn, args.back)
    return as_json(_json(found)) if args.json else Said(explain.told(found, campaign.game.causes))


def _json(found: Explained) -> Mapping[str, object]:
    """Every record as a map."""
    keys = ("phase", "step", "delta", "balance", "cause", "detail")
    return {
        **found._asdict(),
        "entries": [{key: getattr(entry, key) for key in keys} for entry in found.entries],
        "sources": None if found.sources is None else [term._asdict() for term in found.sources],
        "checks": [{**check._asdict(), "terms": [term._asdict() for term in check.terms]} for check in found.checks],
        "back": [move._asdict() for move in found.back],
    }
