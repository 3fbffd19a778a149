"""Campaigns side by side: how long they went, how they stand, and which kingdoms are out of play and what they lost before. So one sees what a ruling changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kingdom.books import ledgers, overview, proof
from kingdom.books.largest_changes import STRETCH
from kingdom.books.periods import Period
from kingdom.books.rows import Cell, Rows
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import store
from kingdom.campaign.campaign import Campaign
from kingdom.engine.names import words
from kingdom.engine.standings import Standing, standings
from kingdom.render.plain_text import clean


class Downfall(NamedTuple):
    """A kingdom that is out of play since a turn, and what it lost of what counts by which causes in the last turns up to that one."""

    name: str
    turn: int
    why: Sequence[str]


class Finding(NamedTuple):
    """A campaign: its newest turn, its standings, its downfalls, and how many errors its books have."""

    name: str
    turn: int
    counts: Sequence[str]
    standings: Sequence[Standing]
    downfalls: Sequence[Downfall]
    errors: int


def found(campaign: Campaign, name: str) -> Finding:
    """Return what is set beside other campaigns. Raises Faults."""
    newest = campaigns.kept(campaign)
    last = newest.record.turn
    kept = [store.kept(campaign.turns / store.name_of(turn)) for turn in range(last)] + [newest]
    proved = proof.prove(campaign, kept)
    state, rules = campaigns.state_of(campaign, newest), campaigns.rules_of(campaign, newest).rules
    counts = campaign.settings.ends.counts or campaign.game.scoring.counts
    stand = standings(campaign.game, state, rules, counts)
    ledger = ledgers.opened(ledgers.files(campaign.folder))
    downfalls = []
    for standing in stand:
        if turn := proof.fell(standing.seat, proved.in_play, last):
            why = overview.losses(ledger, standing.seat, Period(max(1, turn - STRETCH + 1), turn), counts)
            downfalls.append(Downfall(clean(standing.name), turn, why))
    return Finding(name, last, counts, stand, downfalls, len(proved.problems))


def table(findings: Sequence[Finding]) -> Rows:
    """Return a row a campaign: its turns, kingdoms and downfalls, who is first, and the mean of each account that counts, of those in play."""
    counts = list(dict.fromkeys(account for finding in findings for account in finding.counts))
    heads = ["campaign", "turns", "kingdoms", "out", "first", *(f"mean {words(account)}" for account in counts)]
    cells: list[Sequence[Cell]] = []
    for finding in findings:
        live = [standing for standing in finding.standings if not standing.out]
        means = [
            f"{sum(each.figures[account] for each in live) / len(live):.1f}"
            if live and account in finding.counts
            else None
            for account in counts
        ]
        first = clean(live[0].name) if live else None
        cells.append([finding.name, finding.turn, len(finding.standings), len(finding.downfalls), first, *means])
    return Rows(heads, [head not in ("campaign", "first") for head in heads], cells)


def standing_of(finding: Finding) -> str:
    """Return the standings as a sentence."""
    parts = [
        f"{each.place} {clean(each.name)} ({', '.join(f'{words(account)} {value}' for account, value in each.figures.items())}"
        f"{', ' + each.out if each.out else ''})"
        for each in finding.standings
    ]
    return f"{finding.name}: {', '.join(parts)}."


def downfalls_of(finding: Finding) -> list[str]:
    """Return each downfall as a sentence."""
    return [
        f"{finding.name}: {each.name} is out of play since turn {each.turn}{': ' * bool(each.why)}{'; '.join(each.why)}."
        for each in finding.downfalls
    ]
