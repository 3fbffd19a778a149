"""The audit: from the files alone, that no kept file was altered, that the books balance, that the dice are the seed's, and
that each turn's orders give the turn. So a history that was rewritten with all its digests is found too."""

from __future__ import annotations

from typing import Any, Iterator, NamedTuple

from kingdom import __version__, campaign as campaigns, dice, replay, store, undone
from kingdom.campaign import Campaign
from kingdom.problems import Faults, Problem
from kingdom.replay import Loaded
from kingdom.tables import Tables
from kingdom.troubles import trouble

Balances = dict[tuple[str, str], int]  # (seat, account) -> balance


class Audit(NamedTuple):
    """What was looked at, and all that was found. `problems` is empty where everything holds."""

    turns: int
    files: int
    entries: int
    rolls: int
    problems: list[Problem]


def audit(campaign: Campaign, resolving: bool = True) -> Audit:
    """Prove every kept turn, and the digests of those that were taken back. resolving: run each turn again too."""
    auditor = _Auditor(campaign, resolving)
    numbers = store.numbers(campaign.turns)
    for expected in range(max(numbers, default=-1) + 1):
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

    def undone(self, folder: Any) -> None:
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
        attempt = undone.attempt_of(self.campaign.folder, number)
        if record.attempt != attempt:
            self.problems.append(trouble("attempt", file, attempt=record.attempt, expected=attempt))

    def _loaded(self, folder: Any, record: store.Record, files: dict[str, bytes], problems: list[Problem]) -> Loaded:
        text = files["rules.yaml"]
        key = store.digest_of(text)
        if key not in self.rules:
            self.rules[key] = campaigns.decode_rules(self.campaign.game, text, folder / "rules.yaml")
        state = campaigns.decode_state(self.campaign.game, files["state.json"], folder / "state.json")
        return Loaded(folder, record, files, self.rules[key], state, problems)

    def _prove_books(self, turn: Loaded, balances: Balances | None) -> None:
        """That every running balance is the last one plus its delta, and that the last ones are the state's.

        Where the books of the turn before could not be read, the next turn is held against this one's state.
        """
        file, number = turn.folder / "ledger.csv", turn.record.turn
        entries = campaigns.decode_entries(turn.files["ledger.csv"], file)
        self.entries += len(entries)
        if balances is None:
            self.balances = dict(self._accounts(turn))
            return
        for line, entry in enumerate(entries, 2):
            key = (entry.kingdom, entry.account)
            value = balances.get(key, 0) + entry.delta
            if value != entry.balance:
                facts = {"seq": entry.seq, "account": entry.account, "kingdom": entry.kingdom}
                self.problems.append(trouble("balance", file, line, 1, value=value, balance=entry.balance, **facts))
            if entry.turn != number or entry.seq != line - 1:
                self.problems.append(trouble("entry_misplaced", file, line, 1, found=entry.turn, seq=entry.seq, turn=number))
            balances[key] = entry.balance
        self.balances = balances
        for (seat, account), value in self._accounts(turn):
            books = balances.get((seat, account), 0)
            if books != value:
                facts = {"turn": number, "account": account, "kingdom": seat, "state": value, "books": books}
                self.problems.append(trouble("sum", turn.folder / "state.json", **facts))
                balances[seat, account] = value  # told once, not in every later turn again

    def _accounts(self, turn: Loaded) -> Iterator[tuple[tuple[str, str], int]]:
        game = self.campaign.game
        for seat in game.seats(turn.state):
            for account, value in game.accounts(turn.state, seat, turn.rules.rules).items():
                yield (seat, account), value

    def _prove_dice(self, turn: Loaded) -> None:
        """That each die is the seed's or on the tape's die, and that of each name they are counted without a gap."""
        file, number, seed = turn.folder / "dice.csv", turn.record.turn, self.campaign.settings.seed
        rolls = campaigns.decode_rolls(turn.files["dice.csv"], file)
        self.rolls += len(rolls)
        keys: dict[str, str] = {}
        counts: dict[tuple[str, str], int] = {}
        for line, roll in enumerate(rolls, 2):
            facts = {"kingdom": roll.kingdom, "name": roll.name, "count": roll.count, "sides": roll.sides, "result": roll.result}
            expected = counts[roll.kingdom, roll.name] = counts.get((roll.kingdom, roll.name), 0) + 1
            if roll.count != expected or roll.turn != number:
                self.problems.append(trouble("count", file, line, 1, expected=expected, **facts))
            if roll.source == "tape" and 1 <= roll.result <= roll.sides:
                continue
            if roll.kingdom not in keys:
                keys[roll.kingdom] = dice.key_of(seed, number, roll.kingdom, turn.record.attempt)
            rolled = dice.throw(keys[roll.kingdom], roll.name, roll.count, roll.sides) if roll.sides > 0 else 0
            if roll.result != rolled:
                self.problems.append(trouble("die", file, line, 1, rolled=rolled, **facts))

    def _prove_orders(self, turn: Loaded, before: Loaded | None) -> None:
        """That the turn comes out of its orders. A newer program is not held to the wording of an older one."""
        result = replay.again(self.campaign, turn, before)
        same = turn.record.program == __version__
        problem = replay.difference(self.campaign, turn, result, wording=same)
        if problem:
            self.problems.append(problem)
        elif same and turn.record.notices != replay.notices_of(result):
            self.problems.append(trouble("notices", turn.folder / store.RECORD, turn=turn.record.turn))
