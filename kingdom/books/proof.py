"""The proof of the books that stands on top of their page: nothing is said there that was not checked just before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kingdom.campaign import audit, store
from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.store import Kept
from kingdom.engine.problems import Faults, Problem


class Proof(NamedTuple):
    """What was checked. entries: how many; problems: what is wrong; in_play: the seats in play after each turn, from turn 0 on."""

    entries: int
    problems: list[Problem]
    in_play: list[frozenset[str]]


def prove(campaign: Campaign, kept: Sequence[Kept]) -> Proof:
    """Check that no ledger and no state was altered, that each entry's balance is the last one plus its delta, and that after each
    turn the balances are those of its state. kept: every turn from 0 on. The audit checks this too, and more."""
    entries, problems, in_play = 0, list[Problem](), list[frozenset[str]]()
    balances: Mapping[str, Mapping[str, int]] | None = {}
    for turn in kept:
        before, balances, seats = balances, None, frozenset[str]()
        try:
            booked = campaigns.decode_entries(store.file_of(turn, "ledger.csv"), turn.folder / "ledger.csv")
            entries += len(booked)
            state, rules = campaigns.state_of(campaign, turn), campaigns.rules_of(campaign, turn).rules
            seats = frozenset(campaign.game.seats(state))
            balances = {seat: campaign.game.accounts(state, seat, rules) for seat in seats}
            problems += audit.unproved(turn.folder, turn.record.turn, booked, before, balances)
        except Faults as faults:
            problems += faults.problems
        in_play.append(seats)
    return Proof(entries, problems, in_play)


def fell(seat: str, in_play: Sequence[frozenset[str]], last: int) -> int:
    """Return the turn since which a seat is out of play after turn `last`, 0 for one that is in play, or never was."""
    if seat in in_play[last]:
        return 0
    return max((turn + 1 for turn in range(last) if seat in in_play[turn]), default=0)
