"""kingdom correct: an earlier turn was wrong. What each seat would have today, and the GM's orders that book it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import corrections, gm_file, lock
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.corrections import Corrected
from kingdom.campaign.errors import fault
from kingdom.cli.commands import OfCampaign, Said, campaign_of
from kingdom.orders import yaml_out
from kingdom.render import terminal


class Args(OfCampaign, Protocol):
    """What is typed behind `kingdom correct`."""

    turn: int
    yes: bool


def run(args: Args) -> Said:
    """Without --yes nothing is written, and with it only the GM's orders of the coming turn."""
    campaign = campaign_of(args)
    if not args.yes:
        found = corrections.correct(campaign, args.turn)
        again = ["", "Nothing is filed yet: `kingdom correct --yes` files these orders."] if found.orders else []
        return Said([*_lines(found), *again])
    with lock.held(campaign.folder, "correct"):
        found = corrections.correct(campaign, args.turn)
        if not found.orders:
            return Said([*_lines(found), "No orders are filed."])
        _prove_open(campaign, found.turn)
        file, data = gm_file.with_correction(campaign, found.turn, found.first, found.orders)
        gm_file.write(file, data)
    return Said([*_lines(found), "", f"They are filed in {file}, before what the GM has filed there."])


def _prove_open(campaign: Campaign, turn: int) -> None:
    """Raises Faults where there is no coming turn."""
    over = campaigns.over(campaign, turn, campaigns.state_of(campaign, campaigns.kept(campaign)))
    if over:
        raise fault("game_over", campaign.folder, turn=turn, reason=over)


def _lines(found: Corrected) -> list[str]:
    last = found.turn - 1
    turns = f"turn {found.first} comes" if found.first == last else f"turns {found.first} to {last} come"
    if not found.turns and not found.differs:
        return [f"Run again, {turns} out the same: nothing is to be corrected."]
    lines = terminal.paragraph(
        f"Run again with today's rules and the orders that are filed there now, {turns} out otherwise."
    )
    lines += _history(found)
    if not found.differs:
        return [*lines, "", "Today everybody has the same all the same."]
    return [*lines, *_today(found), *_orders(found), *_left(found)]


def _history(found: Corrected) -> Iterator[str]:
    """What the books of each turn would say."""
    for turn, seats in found.turns.items():
        for seat, changes in seats.items():
            yield from ("", f"Turn {turn}, {seat}:")
            yield from (line for change in changes for line in terminal.paragraph(change, 2))


def _today(found: Corrected) -> Iterator[str]:
    """What each would have now."""
    for seat, sheet in found.today.items():
        if sheet != found.right[seat]:
            yield from ("", f"Today {seat} has, and would have:", *terminal.beside(sheet, found.right[seat]))


def _orders(found: Corrected) -> Iterator[str]:
    if found.orders:
        yield from ("", f"Orders of the GM that book it in turn {found.turn}:")
        yield from (f"  - {yaml_out.flow(order)}" for order in found.orders)
    else:
        yield from ("", "No order of the GM can book it.")


def _left(found: Corrected) -> Iterator[str]:
    """What no order of the GM makes the same."""
    if found.left:
        yield from ("", "What stays as it is, since no order of the GM makes it so:")
        for seat, lines in found.left.items():
            yield from (text for line in lines for text in terminal.paragraph(f"{seat}: {line}", 2))
