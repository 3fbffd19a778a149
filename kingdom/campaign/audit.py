"""The audit: from the files alone, that no kept file was altered, that the books balance, that the dice are the seed's, and
that each turn's orders give the turn. So a history that was rewritten with all its digests is found too."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import replay, store
from kingdom.campaign import taken_back as undone
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import trouble
from kingdom.campaign.replay import Loaded
from kingdom.engine import dice
from kingdom.engine.ledger import Entry, Unbalanced, balances_after
from kingdom.engine.problems import Faults, Problem
from kingdom.orders.tables import Tables
from kingdom.render.progress import Told, silent

Balances = Mapping[str, Mapping[str, int]]  # seat -> account -> balance


class Audit(NamedTuple):
    """What was looked at, and all that was found. `problems` is empty where everything holds."""

    turns: int
    files: int
    entries: int
    rolls: int
    problems: list[Problem]


def audit(campaign: Campaign, resolving: bool = True, told: Told = silent) -> Audit:
    """Prove every kept turn, and the digests of those that were taken back. resolving: run each turn again too."""
    auditor = _Auditor(campaign, resolving)
    numbers = store.numbers(campaign.turns)
    for expected in range(max(numbers, default=-1) + 1):
        told(f"turn {expected} is proved", expected, len(numbers))
        if expected in numbers:
            auditor.turn(expected)
        else:
            auditor.problems.append(trouble("gap", campaign.turns / store.name_of(expected), turn=expected))
            auditor.before = None
    for folder in undone.folders(campaign.folder):
        auditor.undone(folder)
    return Audit(len(numbers), auditor.files, auditor.entries, auditor.rolls, auditor.problems)


class _Auditor:
    """Goes through the turns in their order; what a turn is held against is the one before."""

    def __init__(self, campaign: Campaign, resolving: bool):
        self.campaign = campaign
        self.resolving = resolving
        self.problems: list[Problem] = []
        self.files = self.entries = self.rolls = 0
        self.digest = ""  # of the turn before
        self.before: Loaded | None = None  # the turn before, None where it can't be relied on
        self.balances: Balances | None = {}  # after the turn before
        self.rules: dict[str, Tables] = {}  # by the digest of rules.yaml: few campaigns change theirs every turn

    def turn(self, number: int) -> None:
        folder = self.campaign.turns / store.name_of(number)
        record, files, problems = store.altered(folder)
        self.files += len(files) + 1
        self.problems += problems
        before, self.before = self.before, None
        digest, self.digest = self.digest, ""
        balances, self.balances = self.balances, None
        if record is None:
            return
        self.digest = store.digest_of(store.read(folder / store.RECORD))
        self._prove_place(number, record, digest)
        if not set(replay.NEEDED) <= set(files):
            return
        try:
            now = self._loaded(folder, record, files, problems)
            self._prove_books(now, balances)
            self._prove_dice(now)
            self.before = now
            if self.resolving and (before or not number):
                self._prove_orders(now, before)
        except Faults as faults:
            self.problems += faults.problems

    def undone(self, folder: Path) -> None:
        _, files, problems = store.altered(folder)
        self.files += len(files) + 1
        self.problems += problems

    def _prove_place(self, number: int, record: store.Record, digest: str) -> None:
        """That the turn stands where it says, follows the one before, and is the attempt that it may be."""
        file = self.campaign.turns / store.name_of(number) / store.RECORD
        if record.turn != number:
            self.problems.append(trouble("misplaced_turn", file, turn=record.turn))
        if record.previous != digest and (digest or not number):
            earlier = self.campaign.turns / store.name_of(max(0, number - 1)) / store.RECORD
            self.problems.append(trouble("chain", file, file_before=earlier))
        with suppress(Faults):  # a turn that was taken back and altered since is told on its own
            attempt = undone.attempt_of(self.campaign.folder, number)
            if record.attempt != attempt:
                self.problems.append(trouble("attempt", file, attempt=record.attempt, expected=attempt))

    def _loaded(self, folder: Path, record: store.Record, files: dict[str, bytes], problems: list[Problem]) -> Loaded:
        text = files["rules.yaml"]
        key = store.digest_of(text)
        if key not in self.rules:
            self.rules[key] = campaigns.decode_rules(self.campaign.game, text, folder / "rules.yaml")
        state = campaigns.decode_state(self.campaign.game, files["state.json"], folder / "state.json")
        return Loaded(folder, record, files, self.rules[key], state, problems)

    def _prove_books(self, turn: Loaded, balances: Balances | None) -> None:
        """That every running balance is the last one plus its delta, and that the last ones are the state's.

        Where the books of the turn before could not be read or do not add up, only the next turn is held against this one.
        """
        file = turn.folder / "ledger.csv"
        entries = campaigns.decode_entries(turn.files["ledger.csv"], file)
        self.entries += len(entries)
        self._prove_order(turn, entries)
        accounts = self._accounts(turn)
        self.balances = accounts
        if balances is None:
            return
        try:
            books = balances_after(balances, entries)
        except Unbalanced as wrong:
            self.problems.append(trouble("balance", file, reason=str(wrong)))
            return
        self._prove_sums(turn, accounts, books)

    def _prove_sums(self, turn: Loaded, accounts: Balances, books: Balances) -> None:
        """That the state has what the books come to."""
        file, number = turn.folder / "state.json", turn.record.turn
        for seat, values in accounts.items():
            for account, value in values.items():
                booked = books.get(seat, {}).get(account, 0)
                if booked != value:
                    self.problems.append(
                        trouble("sum", file, turn=number, account=account, kingdom=seat, state=value, books=booked)
                    )

    def _prove_order(self, turn: Loaded, entries: list[Entry]) -> None:
        """That the entries are this turn's, numbered from 1 without a gap."""
        number = turn.record.turn
        for line, entry in enumerate(entries, 2):
            if entry.turn != number or entry.seq != line - 1:
                file = turn.folder / "ledger.csv"
                self.problems.append(
                    trouble("entry_misplaced", file, line, 1, found=entry.turn, seq=entry.seq, turn=number)
                )

    def _accounts(self, turn: Loaded) -> Balances:
        game = self.campaign.game
        return {seat: game.accounts(turn.state, seat, turn.rules.rules) for seat in game.seats(turn.state)}

    def _prove_dice(self, turn: Loaded) -> None:
        """That each die is the seed's or on the tape's die, and that of each name they are counted without a gap."""
        file, number, seed = turn.folder / "dice.csv", turn.record.turn, self.campaign.settings.seed
        rolls = campaigns.decode_rolls(turn.files["dice.csv"], file)
        self.rolls += len(rolls)
        keys: dict[str, str] = {}
        counts: dict[tuple[str, str], int] = {}
        for line, roll in enumerate(rolls, 2):
            facts: dict[str, object] = {
                "kingdom": roll.kingdom,
                "name": roll.name,
                "count": roll.count,
                "sides": roll.sides,
                "result": roll.result,
            }
            expected = counts[roll.kingdom, roll.name] = counts.get((roll.kingdom, roll.name), 0) + 1
            if roll.count != expected or roll.turn != number:
                self.problems.append(trouble("count", file, line, 1, "", "", expected=expected, **facts))
            if roll.source == "tape" and 1 <= roll.result <= roll.sides:
                continue
            if roll.kingdom not in keys:
                keys[roll.kingdom] = dice.key_of(seed, number, roll.kingdom, turn.record.attempt)
            rolled = dice.throw(keys[roll.kingdom], roll.name, roll.count, roll.sides) if roll.sides > 0 else 0
            if roll.result != rolled:
                self.problems.append(trouble("die", file, line, 1, "", "", rolled=rolled, **facts))

    def _prove_orders(self, turn: Loaded, before: Loaded | None) -> None:
        """That the turn comes out of its orders. A newer program is not held to the wording of an older one."""
        result = replay.again(self.campaign, turn, before)
        problem = replay.difference(self.campaign, turn, result)
        if problem:
            self.problems.append(problem)
        elif replay.by_this_program(turn) and turn.record.notices != replay.notices_of(result):
            self.problems.append(trouble("notices", turn.folder / store.RECORD, turn=turn.record.turn))
