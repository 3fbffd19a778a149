"""Each seat's balances at the end of the last turns, worked out from the kept ledgers, for the charts of reports."""

from __future__ import annotations

from collections.abc import Mapping

from kingdom.campaign import csv_text, store
from kingdom.campaign.campaign import Campaign
from kingdom.engine.problems import Faults
from kingdom.engine.step import AnyResult

TURNS = 12  # turns in a chart, with the one just resolved

Row = Mapping[str, int]  # account -> balance at the end of a turn; the key "turn" has the turn's number


def last_turns(campaign: Campaign, result: AnyResult, rules: object) -> dict[str, list[Row]]:
    """Return each seat's rows from when it came into play, the newest turn last.

    It works backwards: it starts from today's accounts and subtracts each turn's entries. If a kept ledger was
    altered, the rows begin after it: `kingdom audit` reports that, and reports are made all the same.
    """
    game, number = campaign.game, result.number
    now = {seat: dict(game.accounts(result.after, seat, rules)) for seat in game.seats(result.after)}
    rows: dict[str, list[Row]] = {seat: [{"turn": number, **accounts}] for seat, accounts in now.items()}
    for turn in range(number - 1, max(-1, number - TURNS), -1):
        just_made = [(entry.kingdom, entry.account, entry.delta) for entry in result.entries]
        moves = just_made if turn == number - 1 else _kept_moves(campaign, turn + 1)
        if moves is None:
            break
        for seat, account, delta in moves:
            if seat in now:
                now[seat][account] = now[seat].get(account, 0) - delta
        for seat, accounts in now.items():
            if any(accounts.values()):
                rows[seat].append({"turn": turn, **accounts})
    return {seat: newest_first[::-1] for seat, newest_first in rows.items()}


def _kept_moves(campaign: Campaign, turn: int) -> list[tuple[str, str, int]] | None:
    """Return (seat, account, delta) of every entry of a kept turn; None if its ledger is altered or broken."""
    folder = campaign.turns / store.name_of(turn)
    try:
        data = store.file_of(store.kept(folder), "ledger.csv")
        return [
            (seat, account, int(delta))
            for seat, account, delta in csv_text.columns(data, ("kingdom", "account", "delta"), str(folder))
        ]
    except Faults:
        return None
