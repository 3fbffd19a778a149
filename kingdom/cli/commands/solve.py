"""kingdom solve: the best play that a search finds, and what no play can exceed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from kingdom.campaign.preview import start_of
from kingdom.campaign.stand_ins import chance_of
from kingdom.cli.commands import WRONG, OfCampaign, Said, as_json, campaign_of, seat_of
from kingdom.engine.dice import key_of
from kingdom.engine.step import Facts
from kingdom.render import terminal
from kingdom.render.progress import Told

_SEED = "kingdom solve"  # of the search's own chance, which has nothing to do with the campaign's dice


class Args(OfCampaign, Protocol):
    """What is typed behind `kingdom solve`."""

    seat: str | None
    effort: int
    json: bool
    told: Told


def run(args: Args) -> Said:
    """The same effort finds the same."""
    campaign = campaign_of(args)
    seat = seat_of(campaign, args.seat) if args.seat else None
    if campaign.game.solve is None:
        return Said(notes=[f"{campaign.folder}: nothing can be solved in {campaign.game.title}."], code=WRONG)
    start = start_of(campaign)
    args.told("looking for the best play")
    chance = chance_of(key_of(_SEED, start.state.turn, seat or "all"))
    found = campaign.game.solve(start.state, seat, start.rules.rules, args.effort, chance)
    if args.json:
        return as_json({"kingdom": seat, "turn": start.state.turn, **found})
    return Said(list(_lines(found, seat)))


def _lines(found: Facts, seat: str | None) -> Iterator[str]:
    where = f"From where {seat} stands" if seat else "From the start"
    if found["proved"]:
        best = f"{where}: a score of {found['score']}, and no play can have more."
    else:
        best = f"{where}: a score of {found['score']} is the best that was found. "
        best += f"None can have more than {found['bound']}; whether that can be had is not known."
    yield from terminal.paragraph(f"{best} {found['looked_at']} positions were looked at.")
    if found["orders"]:
        yield from ["", f"The {len(found['orders'])} orders:", *(f"  - {order}" for order in found["orders"])]
