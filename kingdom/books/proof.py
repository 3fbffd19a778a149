"""The proof of the books that stands on top of their page: nothing is said there that was not checked just before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct, structs

from kingdom.campaign import audit, store
from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.store import Kept
from kingdom.engine import remembered
from kingdom.engine.problems import Faults, Problem
from kingdom.engine.step import AnyState
from kingdom.orders.tables import Tables


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
    state: AnyState | None = None
    tables: dict[str, Tables] = {}  # by the digest of rules.yaml: few campaigns change theirs every turn
    for turn in kept:
        remembered.turn_over()
        before, balances, seats = balances, None, frozenset[str]()
        try:
            booked = campaigns.decode_entries(store.file_of(turn, "ledger.csv"), turn.folder / "ledger.csv")
            entries += len(booked)
            state = made_of(campaigns.state_of(campaign, turn), state)
            key = store.digest_of(store.file_of(turn, "rules.yaml"))
            if key not in tables:
                tables[key] = campaigns.rules_of(campaign, turn)
            rules = tables[key].rules
            seats = frozenset(campaign.game.seats(state))
            balances = {seat: campaign.game.accounts(state, seat, rules) for seat in seats}
            problems += audit.unproved(turn.folder, turn.record.turn, booked, before, balances)
        except Faults as faults:
            problems += faults.problems
        in_play.append(seats)
    return Proof(entries, problems, in_play)


def made_of(value: Any, earlier: Any) -> Any:
    """Return a value that is not equal to an earlier one with the parts of that one where they are equal: what was worked out from these is
    known. The order of keys may be the earlier one's."""
    if isinstance(value, dict) and isinstance(earlier, dict):
        parts, were = value, earlier
    elif isinstance(value, Struct) and type(value) is type(earlier):
        parts, were = structs.asdict(value), structs.asdict(earlier)
    else:
        return value
    made = {key: was if (was := were.get(key)) == part else made_of(part, was) for key, part in parts.items()}
    return made if parts is value else structs.replace(value, **made)


def fell(seat: str, in_play: Sequence[frozenset[str]], last: int) -> int:
    """Return the turn since which a seat is out of play after turn `last`, 0 for one that is in play, or never was."""
    if seat in in_play[last]:
        return 0
    return max((turn + 1 for turn in range(last) if seat in in_play[turn]), default=0)
