"""Explaining a number of a seat: its changes in a turn, its sources, and the checks that used it. For any game.

It uses the ledger, the game's `sources` and the notices of its checks, not a second run of the turn; `told` makes the sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import store
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import fault
from kingdom.campaign.store import Kept, KeptNotice
from kingdom.engine.dice import Roll
from kingdom.engine.ledger import Entry, summed
from kingdom.engine.problems import cure
from kingdom.engine.step import Facts
from kingdom.orders.schema import snake
from kingdom.render.plain_text import wrap

COLUMNS = 80
_NAMED = 4  # causes that a line of one turn names; the rest are summed


class Term(NamedTuple):
    """A source of a number: `by` points, and what they come from."""

    by: int
    what: str


class Check(NamedTuple):
    """A check of the turn. terms: they sum to the total; none if nothing was rolled. sides: of its die, 0 for none."""

    name: str
    step: str
    die: int | None
    sides: int
    terms: list[Term]
    total: int
    dc: int
    success: bool


class Move(NamedTuple):
    """A turn's change of the number, by cause, in the order of their first entries."""

    turn: int
    before: int
    after: int
    causes: dict[str, int]


class Explained(NamedTuple):
    """A number of a seat after a turn: before + the deltas of the entries = after, and the sources sum to after.

    booked: whether it is an account of the ledger; other numbers have no entries. sources: None if it is made of nothing else.
    checks: those of this turn that used the number or moved it. back: the turns from the first one to this, if asked for.
    expected: cause -> what the seat's orders had to be expected to move before the dice fell, None where that is not known.
    in_play: whether the seat is in play after the turn. If not, the ledger alone counts, and its numbers have no sources.
    """

    kingdom: str
    account: str
    turn: int
    before: int
    after: int
    booked: bool
    entries: list[Entry]
    sources: list[Term] | None
    checks: list[Check]
    back: list[Move]
    in_play: bool = True
    expected: Mapping[str, float] | None = None


def explain(campaign: Campaign, seat: str, word: str, number: int | None = None, back: bool = False) -> Explained:
    """Explain the number that `word` names after a kept turn, by default the newest. Raises Faults."""
    turn = campaigns.kept(campaign, number)
    number = turn.record.turn
    after, sources, in_play = _numbers(campaign, turn, seat)
    account = snake(word)
    if account not in {**after, **sources}:
        raise fault("no_account", campaign.folder, word=word, cure=cure(account, {**after, **sources})[0])
    entries, booked = _entries(turn, seat, account), account in after
    made_of = sources.get(account) if in_play else None
    now = after[account] if booked and in_play else _balance(campaign, number, seat, account, booked)
    before = (
        now - sum(entry.delta for entry in entries) if booked else _balance(campaign, number - 1, seat, account, booked)
    )
    checks = checks_of(turn.record.notices, campaigns.rolls_of(turn), seat, account, entries, after)
    moves = _back(campaign, number, seat, account, booked) if back else []
    expected = turn.record.expected.get(seat, {}).get(account)
    return Explained(seat, account, number, before, now, booked, entries, made_of, checks, moves, in_play, expected)


def _numbers(campaign: Campaign, turn: Kept, seat: str) -> tuple[Mapping[str, int], dict[str, list[Term]], bool]:
    """Return (the seat's accounts after a kept turn, the sources of its numbers, whether it is in play)."""
    game, rules = campaign.game, campaigns.rules_of(campaign, turn).rules
    state = campaigns.state_of(campaign, turn)
    made_of = game.sources(state, seat, rules) if game.sources else {}
    terms = {name: [Term(*term) for term in terms] for name, terms in made_of.items()}
    return game.accounts(state, seat, rules), terms, seat in game.seats(state)


def _entries(turn: Kept, seat: str, account: str) -> list[Entry]:
    file = "ledger.csv"
    entries = campaigns.decode_entries(store.file_of(turn, file), turn.folder / file)
    return [entry for entry in entries if (entry.kingdom, entry.account) == (seat, account)]


def _balance(campaign: Campaign, number: int, seat: str, account: str, booked: bool) -> int:
    """The number after that turn: from the ledger, or from its sources if it is no account; 0 before turn 0."""
    if booked:
        turns = (campaigns.kept(campaign, earlier) for earlier in range(number + 1))
        return sum(entry.delta for turn in turns for entry in _entries(turn, seat, account))
    if number < 0:
        return 0
    _, sources, in_play = _numbers(campaign, campaigns.kept(campaign, number), seat)
    return sum(term.by for term in sources.get(account, ())) if in_play else 0


def _back(campaign: Campaign, last: int, seat: str, account: str, booked: bool) -> list[Move]:
    """Return each turn's change of the number, from turn 0 on. A number that is no account has no causes."""
    moves, balance = [], 0
    for number in range(last + 1):
        entries = _entries(campaigns.kept(campaign, number), seat, account) if booked else ()
        causes = summed((entry.cause, entry.delta) for entry in entries)
        now = balance + sum(causes.values()) if booked else _balance(campaign, number, seat, account, booked)
        moves.append(Move(number, balance, now, causes))
        balance = now
    return moves


def checks_of(
    notices: Iterable[KeptNotice],
    rolls: Iterable[Roll],
    seat: str,
    account: str,
    entries: Iterable[Entry],
    accounts: Iterable[str],
) -> list[Check]:
    """The seat's checks that used the account, or that belong to a step in which it moved."""
    sides = {roll.name: roll.sides for roll in reversed(list(rolls)) if roll.kingdom == seat}
    moved = {(entry.phase, entry.step) for entry in entries}
    checks = []
    for notice in notices:
        facts = notice["facts"]
        if notice["kind"] == "check" and notice["seat"] == seat and facts.get("total") is not None:
            used = facts.get("attribute") == account or facts.get(account, 0)
            if used or (notice["phase"], notice["step"]) in moved:
                checks.append(_check(notice["step"], facts, sides.get(facts["name"], 0), accounts))
    return checks


def _check(step: str, facts: Facts, sides: int, accounts: Iterable[str]) -> Check:
    die, total = facts.get("die"), facts["total"]
    terms: list[Term] = []
    if die is not None:
        own = [Term(by, words(key.removeprefix("by_"))) for key, by in facts.items() if key.startswith("by_") and by]
        rest = facts.get("bonus", 0) - sum(term.by for term in own)
        terms = [
            Term(die, f"d{sides}" if sides else "die"),
            Term(facts.get("value", 0), words(facts.get("attribute", ""))),
        ]
        terms += [*own, Term(rest, "bonus"), *(Term(-facts[name], words(name)) for name in accounts if facts.get(name))]
        terms = [term for term in terms if term.by]
    return Check(facts["name"], step, die, sides, terms, total, facts["dc"], facts["success"])


def words(name: str) -> str:
    """A word of the program as a person reads it."""
    return " ".join("GM" if part == "gm" else part for part in name.split("_"))


# --- in sentences --------------------------------------------------------------------------------------------------------


def told(found: Explained, causes: Mapping[str, str]) -> list[str]:
    """Lines of 80 columns. causes: the game's, each with its meaning, which is said where the cause first comes up."""
    name, turn = words(found.account), found.turn
    out = "" if found.in_play else " The kingdom is not in play."
    lines = _paragraph(f"{found.kingdom}, {name}: {found.after} after turn {turn}.{out}")
    if found.back:
        lines += ["", *_told_back(found)]
    lines += ["", *_told_turn(found, causes)]
    if found.sources is not None:
        lines += ["", *_told_sources(found)]
    using = [check for check in found.checks if check.step not in {entry.step for entry in found.entries}]
    if using:
        lines += ["", *_paragraph(f"Checks of turn {turn} that used it:")]
        lines += [line for check in using for line in _paragraph(said_check(check), 4, "  -")]
    return lines


def _told_turn(found: Explained, causes: Mapping[str, str]) -> list[str]:
    start = f"Before turn {found.turn} it was {found.before}." if found.turn else "With turn 0 the campaign begins."
    if not found.booked:
        change = f"{found.after - found.before:+d}" if found.after != found.before else "the same"
        return _paragraph(
            f"{start} It is {found.after} now ({change}); nothing is booked for it, it follows from what it is made of."
        )
    if not found.entries:
        return _paragraph(f"{start} Nothing changed it in turn {found.turn}. {_said_expected(found)}".rstrip())
    count = len(found.entries)
    lines = _paragraph(f"{start} {'One thing' if count == 1 else f'{count} things'} changed it in turn {found.turn}:")
    meant: set[str] = set()
    for index, entry in enumerate(found.entries):
        meaning = causes.get(entry.cause, "") if entry.cause not in meant else ""
        meant.add(entry.cause)
        lines += _paragraph(said_entry(entry, meaning), 4, "  -")
        if index + 1 == count or found.entries[index + 1].step != entry.step:
            checks = [check for check in found.checks if check.step == entry.step]
            lines += [line for check in checks for line in _paragraph(said_check(check), 6)]
    return [*lines, *_paragraph(f"{said_sum(found)} {_said_expected(found)}".rstrip())]


def _said_expected(found: Explained) -> str:
    """What was to be expected of the turn, against what came, by cause; "" where that is not known."""
    if found.expected is None:
        return ""
    came = summed((entry.cause, entry.delta) for entry in found.entries)
    causes = dict.fromkeys((*found.expected, *came))
    rows = [f"{words(cause)} {found.expected.get(cause, 0):+.1f}, came {came.get(cause, 0):+d}" for cause in causes]
    total = f"{sum(found.expected.values()):+.1f}, came {sum(came.values()):+d}"
    by_cause = f" ({'; '.join(rows)})" if rows else ""
    return f"Expected before the dice fell, with the orders as they were: {total}{by_cause}."


def said_entry(entry: Entry, meaning: str = "") -> str:
    """An entry as a sentence: where in the turn, by how much, why, and the new balance."""
    place = f"{words(entry.step)} ({words(entry.phase)})" if entry.step != entry.phase else words(entry.phase)
    what = f"{words(entry.cause)}, {meaning}" if meaning else words(entry.cause)
    verb = "rose" if entry.delta > 0 else "fell"
    return f"In {place} it {verb} by {abs(entry.delta)} to {entry.balance}: {entry.detail} [{what}]."


def said_sum(found: Explained) -> str:
    """How the entries of the turn lead from one balance to the next."""
    up = sum(entry.delta for entry in found.entries if entry.delta > 0)
    down = sum(entry.delta for entry in found.entries if entry.delta < 0)
    terms = "".join(f" {'+' if by > 0 else '-'} {abs(by)}" for by in (up, down) if by)
    return f"Together: {found.before}{terms} = {found.after}."


def said_check(check: Check) -> str:
    """A check as a sentence, term by term."""
    name, outcome = check.name, "success" if check.success else "failure"
    margin = check.total - check.dc
    if check.die is None:
        return f"Check `{name}`: {check.total} against {check.dc}, nothing was rolled: {outcome}."
    rest = "".join(f" {'+' if term.by > 0 else '-'} {abs(term.by)} {term.what}" for term in check.terms[1:])
    by = f"by {abs(margin)}" if check.success == (margin >= 0) else f"by the face of the die, a natural {check.die}"
    return (
        f"Check `{name}`: {check.die} ({check.terms[0].what}){rest} = {check.total} against {check.dc}: {outcome} {by}."
    )


def _told_sources(found: Explained) -> list[str]:
    name, terms = words(found.account), found.sources or []
    if not terms:
        return _paragraph(f"Nothing adds to {name} now: it is {found.after}.")
    size = max(len(f"{term.by:+d}") for term in terms)
    lines = _paragraph(f"After turn {found.turn} {name} is made of:")
    for term in terms:
        lines += _paragraph(term.what, size + 4, f"  {term.by:+{size}d}")
    return [*lines, *_paragraph(f"Together: {sum(term.by for term in terms)}.")]


def _told_back(found: Explained) -> list[str]:
    """Turn by turn from the start, and at the end all turns by cause."""
    lines = ["Turn by turn:"]
    whole: dict[str, tuple[int, int]] = {}  # cause -> (in how many turns, their sum)
    for move in found.back:
        for cause, by in move.causes.items():
            count, total = whole.get(cause, (0, 0))
            whole[cause] = count + 1, total + by
        lines += _paragraph(f"{_said_move(move)}.", 4, "  -")
    if whole:
        lines += ["", f"All turns by cause, from 0 to {found.after}:"]
        ordered = sorted(whole.items(), key=lambda item: -abs(item[1][1]))
        size = max(len(f"{total:+d}") for _, (_, total) in ordered)
        for cause, (count, total) in ordered:
            turns = "in one turn" if count == 1 else f"in {count} turns"
            lines += _paragraph(f"{words(cause)}, {turns}", size + 4, f"  {total:+{size}d}")
        lines += _paragraph(f"Together: {sum(total for _, (_, total) in ordered)}.")
    return lines


def _said_move(move: Move) -> str:
    if move.before == move.after and not move.causes:
        return f"Turn {move.turn} left it at {move.after}"
    causes = sorted(move.causes.items(), key=lambda item: -abs(item[1]))
    shown, rest = (causes, []) if len(causes) <= _NAMED + 1 else (causes[:_NAMED], causes[_NAMED:])
    said = [f"{words(cause)} {by:+d}" if by else f"{words(cause)} +0" for cause, by in shown]
    said += [f"{len(rest)} other causes {sum(by for _, by in rest):+d}"] if rest else []
    why = f": {', '.join(said)}" if said else ""
    return f"Turn {move.turn} took it from {move.before} to {move.after} ({move.after - move.before:+d}){why}"


def _paragraph(text: str, indent: int = 0, first: str = "") -> list[str]:
    return wrap(text, indent, COLUMNS, first).split("\n")
