"""The audit. It proves from the files alone that no kept file was altered, that the books balance, that the dice are the seed's, and
that each turn's orders give the turn. So it also finds a history that was rewritten with all its digests."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import replay, store, undo
from kingdom.campaign import undone_turns as undone
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import trouble
from kingdom.campaign.mail_lines import lines_in
from kingdom.campaign.replay import Loaded
from kingdom.campaign.store import Kept
from kingdom.engine import dice, remembered
from kingdom.engine.dice import Roll
from kingdom.engine.ledger import Entry, Unbalanced, balances_after
from kingdom.engine.problems import Faults, Problem
from kingdom.engine.step import AnyState
from kingdom.orders.tables import Tables
from kingdom.render.progress import Told, silent

_REPORT = re.compile(r"(?:report-([0-9]{4,9})|welcome)-.*-([0-9a-f]{8})\Z")  # a welcome brings the newest report
Balances = Mapping[str, Mapping[str, int]]  # seat -> account -> balance


class Audit(NamedTuple):
    """The turns that were checked, and what is wrong. `problems` is empty if everything holds. own_dice: the rolls that a GM threw."""

    turns: int
    files: int
    entries: int
    rolls: int
    problems: list[Problem]
    own_dice: int = 0


def audit(campaign: Campaign, resolving: bool = True, told: Told = silent) -> Audit:
    """Check every kept turn, and those that were taken back. resolving: also run each turn again.

    An error in one file becomes a problem of that file; the other files are still checked.
    """
    auditor = _Auditor(campaign, resolving)
    numbers: list[int] = []
    aside: list[Path] = []
    with auditor.finding(campaign.turns, "no_folder"):
        numbers = store.numbers(campaign.turns)
    with suppress(Faults, OSError):  # what can't be read is told on its own
        if numbers and store.has_other_line_ends(campaign.turns / store.name_of(numbers[0])):
            return Audit(len(numbers), 0, 0, 0, [trouble("line_ends", campaign.turns)])
    with auditor.finding(campaign.folder / undone.FOLDER, "no_folder"):
        aside = undone.folders(campaign.folder)
    auditor.strays()
    following = 0
    for done, number in enumerate(numbers):
        told(f"turn {number} is proved", done, len(numbers))
        if number != following:
            auditor.gap(following, number - 1)
        with auditor.finding(campaign.turns / store.name_of(number)):
            auditor.turn(number)
        remembered.turn_over()
        following = number + 1
    for folder in aside:
        with auditor.finding(folder):
            auditor.undone(folder)
    auditor.prove_mailed(following)
    return Audit(len(numbers), auditor.files, auditor.entries, auditor.rolls, auditor.problems, auditor.own_dice)


class _Auditor:
    """Checks the turns in their order, each against the one before."""

    def __init__(self, campaign: Campaign, resolving: bool):
        self.campaign = campaign
        self.resolving = resolving
        self.problems: list[Problem] = []
        self.files = self.entries = self.rolls = self.own_dice = 0
        self.digest = ""  # the digest of the turn before
        self.before: Loaded | None = None  # the turn before, None if it is faulty
        self.balances: Balances | None = {}  # after the turn before
        self.rules: dict[str, Tables] = {}  # by the digest of rules.yaml: few campaigns change theirs every turn
        self.digests: dict[int, set[str]] = {}  # turn -> the digests of its kept and taken-back versions
        self.undone_by_turn: dict[int, Kept] = {}  # turn -> its version that was taken back last

    @contextmanager
    def finding(self, file: Path, code: str = "no_sense", **facts: object) -> Iterator[None]:
        """Turn an exception raised inside into a problem of this file."""
        try:
            yield
        except Faults as faults:
            self.problems += [problem for problem in faults.problems if problem not in self.problems]
        except Exception as error:
            said = str(isinstance(error, OSError) and error.strerror or error)
            reason = " ".join(said.split())[:100] or "no more is known"
            self.problems.append(trouble(code, file, 0, 0, "", "", reason=reason, **facts))

    def strays(self) -> None:
        """Note whatever lies beside the turns and is no turn."""
        with suppress(OSError):  # no folder, which is told on its own
            self.problems += store.misnamed(self.campaign.turns)
        with suppress(OSError):
            for file in undone.strays(self.campaign.folder):
                self.problems.append(trouble("stray", file, example=undone.name_of(1, 1), folder=undone.FOLDER))

    def gap(self, first: int, last: int) -> None:
        """Note that turns between others are missing."""
        turns = self.campaign.turns
        gap = trouble("gap", turns / store.name_of(first), turn=first)
        self.problems.append(gap if first == last else trouble("gaps", turns, first=first, last=last))
        self.before, self.balances, self.digest = None, None, ""

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
        self.digest = store.digest_of(store.record_in(folder))
        self.digests.setdefault(number, set()).add(self.digest)
        self._prove_place(number, record, digest)
        condemned = {problem.file for problem in problems}
        sound = {name: data for name, data in files.items() if str(folder / name) not in condemned}
        if not {"rules.yaml", "state.json"} <= set(sound):
            return
        loaded: Loaded | None = None
        with self.finding(folder / "state.json"):
            loaded = self._loaded(folder, record, sound, problems)
        if loaded is None:
            return
        state, differing = loaded.state, list[Problem]()
        if self.resolving and (before or not number) and not condemned:
            state, differing = self._resolved(loaded, before)
        with self.finding(folder / "state.json"):
            game, rules = self.campaign.game, loaded.rules.rules
            self.balances = {seat: game.accounts(state, seat, rules) for seat in game.seats(state)}
        if self.balances is None:
            return
        self.before = msgspec.structs.replace(loaded, state=state)
        if "ledger.csv" in sound:
            with self.finding(folder / "ledger.csv"):
                entries = campaigns.decode_entries(sound["ledger.csv"], folder / "ledger.csv")
                self.entries += len(entries)
                self.problems += unproved(folder, number, entries, balances, self.balances)
        if "dice.csv" in sound:
            with self.finding(folder / "dice.csv"):
                self._prove_dice(self.before)
        self.problems += [problem for problem in differing if problem not in self.problems]

    def undone(self, folder: Path) -> None:
        """Check that a turn that was taken back is unaltered and in its place."""
        record, files, problems = store.altered(folder)
        self.files += len(files) + 1
        self.problems += problems
        key = undone.key_of(folder.name)
        if record is None or key is None:
            return
        number, file = key[0], folder / store.RECORD
        if record.turn != number:
            self.problems.append(trouble("misplaced_turn", file, turn=record.turn))
            return
        digest = store.digest_of(store.record_in(folder))
        earlier = self.undone_by_turn.get(number)
        open_again = earlier is not None and earlier.folder.name in undone.reopened(self.campaign.folder)
        self._prove_attempt(file, record, earlier, open_again)
        before = self.digests.get(number - 1, set())
        if before and record.previous not in before:
            self.problems.append(trouble("undone_chain", file, turn=number - 1))
        self.digests.setdefault(number, set()).add(digest)
        self.undone_by_turn[number] = Kept(folder, record, digest)

    def _prove_place(self, number: int, record: store.Record, digest: str) -> None:
        """Check that the turn has its number, follows the one before, and has the right attempt."""
        file = self.campaign.turns / store.name_of(number) / store.RECORD
        if record.turn != number:
            self.problems.append(trouble("misplaced_turn", file, turn=record.turn))
        if record.previous != digest and (digest or not number):
            earlier = self.campaign.turns / store.name_of(max(0, number - 1)) / store.RECORD
            self.problems.append(trouble("chain", file, file_before=earlier))
        with suppress(Faults, OSError):  # a turn that was taken back and altered since is told on its own
            if undo.is_half_replaced(self.campaign, file.parent):
                return
            back = undone.latest(self.campaign.folder, number)
            self._prove_attempt(file, record, back.turn if back else None, bool(back and back.reopened))

    def _prove_attempt(self, file: Path, record: store.Record, back: Kept | None, reopened: bool) -> None:
        """Check the attempt's number and the turn that it replaces, by what was taken back before."""
        attempt = back.record.attempt + reopened if back else 1
        if record.attempt != attempt:
            self.problems.append(trouble("attempt", file, attempt=record.attempt, expected=attempt))
        corrects = back.digest if back and not reopened else ""
        if record.corrects != corrects:
            expected, named = (f"{digest[:12]}..." if digest else "none" for digest in (corrects, record.corrects))
            self.problems.append(trouble("corrects", file, expected=expected, found=named))

    def prove_mailed(self, following: int) -> None:
        """Check that each turn whose reports were sent is kept or was taken back: players hold the reports, which name its digest.

        following: the number after the newest turn.
        """
        for number, begins in sorted(mailed(self.campaign)):
            if any(digest.startswith(begins) for digest in self.digests.get(number, ())):
                continue
            folder = self.campaign.turns / store.name_of(number)
            code, file = ("mailed_gone", folder) if number >= following else ("mailed_other", folder / store.RECORD)
            self.problems.append(trouble(code, file, turn=number, digest=f"{begins}..."))

    def _loaded(self, folder: Path, record: store.Record, files: dict[str, bytes], problems: list[Problem]) -> Loaded:
        text = files["rules.yaml"]
        key = store.digest_of(text)
        if key not in self.rules:
            self.rules[key] = campaigns.decode_rules(self.campaign.game, text, folder / "rules.yaml")
        state = campaigns.decode_state(self.campaign.game, files["state.json"], folder / "state.json")
        return Loaded(folder, record, files, self.rules[key], state, problems)

    def _prove_dice(self, turn: Loaded) -> None:
        """Check that each result is the seed's or, if from a tape, on its die, and that each name's rolls are numbered without a gap."""
        file, number = turn.folder / "dice.csv", turn.record.turn
        seed = self.campaign.settings.seed_of(number)
        rolls = campaigns.decode_rolls(turn.files["dice.csv"], file)
        self.rolls += len(rolls)
        self.own_dice += sum(roll.source == "tape" for roll in rolls)

        @cache
        def key_of(kingdom: str) -> str:
            return dice.key_of(seed, number, kingdom, turn.record.attempt)

        self.problems += wrong_dice(file, number, rolls, key_of)

    def _resolved(self, turn: Loaded, before: Loaded | None) -> tuple[AnyState, list[Problem]]:
        """Check that the turn's orders give the turn. The wording may differ if another version of the program kept it.

        Return its state, with the problems. Where nothing differs the state is the one that was resolved just now: much is known of it.
        """
        earlier, self.problems = self.problems, []
        state = turn.state
        with self.finding(turn.folder, "breaks_off", turn=turn.record.turn):
            result = replay.again(self.campaign, turn, before)
            if problem := replay.difference(self.campaign, turn, result):
                self.problems.append(problem)
            elif replay.by_this_program(turn):  # then it is the same to the byte
                if turn.record.notices != replay.notices_of(result):
                    self.problems.append(trouble("notices", turn.folder / store.RECORD, turn=turn.record.turn))
                elif result.after == state:
                    state = result.after
        differing, self.problems = self.problems, earlier
        return state, differing


def wrong_dice(file: Path, number: int, rolls: Sequence[Roll], key_of: Callable[[str], str]) -> Iterator[Problem]:
    """Yield what is wrong with the dice of a turn: each name's rolls are to be numbered without a gap, each result the key's or, if from a
    tape, on its die. key_of: the key of a seat, or of the GM, for that turn."""
    counts: dict[tuple[str, str], int] = {}
    for line, roll in enumerate(rolls, 2):
        facts = {key: value for key, value in roll._asdict().items() if key not in ("turn", "source")}
        expected = counts[roll.kingdom, roll.name] = counts.get((roll.kingdom, roll.name), 0) + 1
        if roll.count != expected or roll.turn != number:
            yield trouble("count", file, line, 1, "", "", expected=expected, **facts)
        if roll.source == "tape" and 1 <= roll.result <= roll.sides:
            continue
        rolled = dice.throw(key_of(roll.kingdom), roll.name, roll.count, roll.sides) if roll.sides > 0 else 0
        if roll.result != rolled:
            yield trouble("die", file, line, 1, "", "", rolled=rolled, **facts)


def unproved(
    folder: Path, number: int, entries: Sequence[Entry], balances: Balances | None, accounts: Balances
) -> Iterator[Problem]:
    """Yield what is wrong with the books of a turn: the entries are to be this turn's, numbered from 1, every balance the last one
    plus its delta, and the final ones those of the state, `accounts`.

    balances: after the turn before; if None, they can't be read or don't add up, and nothing is added up here.
    """
    file = folder / "ledger.csv"
    for line, entry in enumerate(entries, 2):
        if entry.turn != number or entry.seq != line - 1:
            misplaced = {"found": entry.turn, "seq": entry.seq, "turn": number}
            yield trouble("entry_misplaced", file, line, 1, "", "", **misplaced)
    if balances is None:
        return
    try:
        books = balances_after(balances, entries)
    except Unbalanced as wrong:
        yield trouble("balance", file, reason=str(wrong))
        return
    for seat, values in accounts.items():
        for account, value in values.items():
            booked = books.get(seat, {}).get(account, 0)
            if booked != value:
                state = folder / "state.json"
                yield trouble("sum", state, turn=number, account=account, kingdom=seat, state=value, books=booked)


class _Line(Struct):
    """The part of a line of the mail's journal that tells of a mail."""

    event: str
    mail: str
    turn: int = -1


def mailed(campaign: Campaign) -> set[tuple[int, str]]:
    """Return (turn, the beginning of its digest) of each report that was sent, as far as the mail's journal can be read: by a server, or
    by a person who took it out of the outbox. Without a server anything that lay there may have been sent."""
    by_hand = campaign.settings.mail is None or campaign.settings.mail.smtp is None
    turns: dict[str, int] = {}  # mail -> its turn
    out: set[str] = set()
    for entry in lines_in(campaign.folder / "mail" / "journal.jsonl", ("queued", "sent", "withdrawn"), _Line):
        if entry.event == "queued":
            turns[entry.mail] = entry.turn
        if entry.event == "sent" or (entry.event == "queued" and by_hand):
            out.add(entry.mail)
        elif entry.event == "withdrawn":
            out.discard(entry.mail)
    reports = ((turns.get(mail, -1), _REPORT.match(mail)) for mail in out)
    sent = {(int(report[1] or turn), report[2]) for turn, report in reports if report}
    return {(turn, begins) for turn, begins in sent if turn >= 0}
