"""kingdom advise: the best plans for a kingdom's next turn, each with its price and its odds."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator

from kingdom.campaign import advice, preview
from kingdom.cli.commands import WRONG, Said, as_json, campaign_of, seat_of
from kingdom.engine.step import Facts
from kingdom.render import terminal

_DECIMALS = 4  # digits of a chance


def run_advise(args: Namespace) -> Said:
    """Print the plans. Nothing is filed."""
    campaign = campaign_of(args)
    seat, game = seat_of(campaign, args.kingdom), campaign.game
    if game.advice is None:
        return Said(notes=[f"{campaign.folder}: there is no advice for {game.title}."], code=WRONG)
    start = preview.start_for(campaign, seat)
    turn = start.state.turn + 1
    plans = advice.plans(campaign, start, seat)
    if args.json:
        return as_json({"kingdom": seat, "turn": turn, "plans": [_rounded(plan) for plan in plans]})
    return Said(list(_lines(seat, turn, [advice.said(campaign, start, seat, plan) for plan in plans])))


def _rounded(plan: Facts) -> Facts:
    chances = {
        kind: [
            {**row, "before": round(row["before"], _DECIMALS), "after": round(row["after"], _DECIMALS)}
            for row in plan[kind]
        ]
        for kind in ("checks", "dangers")
    }
    return {**plan, **chances}


def _lines(seat: str, turn: int, plans: list[advice.Plan]) -> Iterator[str]:
    if not plans:
        yield from terminal.paragraph(f"There is nothing to advise {seat} for turn {turn}.")
        return
    said = f"Advice for {seat}, turn {turn}, from what it knows. Nothing is filed: copy what you like into its orders."
    yield from terminal.paragraph(said)
    for plan in plans:
        yield from ["", plan.title, ""]
        yield from (f"  {line}" for line in plan.lines)
        yield ""
        for effect in plan.effects:
            yield from terminal.paragraph(effect)
