"""kingdom turn: resolve the next turn."""

from __future__ import annotations

import gc
from argparse import Namespace
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kingdom.books import closing
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import copies, filings, keeping, lock, next_turn, opening, store, undo
from kingdom.campaign.afterwards import Afterwards, turns_are_kept
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import reason_of
from kingdom.campaign.filings import GM
from kingdom.campaign.keeping import Others
from kingdom.campaign.next_turn import Draft, TapeFile
from kingdom.cli.commands import USAGE, WRONG, Said, as_json, campaign_of
from kingdom.engine import game as games
from kingdom.engine.problems import Faults
from kingdom.engine.step import Facts, Notice
from kingdom.mail.incoming.forwarded import forwarded
from kingdom.render import terminal

if TYPE_CHECKING:
    from kingdom.campaign.preview import Refused
    from kingdom.mail.journal import Journal


def run_turn(args: Namespace) -> Said:
    """Resolve the turn and keep it; with --dry-run lock and write nothing. With --turns N resolve N turns, or up to the campaign's end.

    It asks before it runs a turn whose deadline is ahead, unless --yes is typed.
    """
    if args.turns > 1 and (args.dry_run or args.dice):
        return Said(
            notes=["kingdom turn: --turns goes with neither --dice nor --dry-run, which are of one turn."], code=USAGE
        )
    campaign = campaign_of(args)
    early = "" if args.yes or args.dry_run else _early(campaign, args.turns)
    if early and not (answer := args.ask(f"{early} Run it now?")):
        if answer is None:
            return Said(notes=[f"kingdom turn: {early} To run it now, write `--yes`."], code=USAGE)
        return Said(["Nothing was done."])
    given = TapeFile(args.dice, store.read(Path(args.dice))) if args.dice else None
    args.told("the turn is resolved")
    if args.dry_run:
        return _said(campaign, args, next_turn.drafts(campaign, given, is_dry=True))
    with lock.held(campaign.folder, "turn"):
        if campaign.settings.publish.folder:
            journal_if_any(campaign)
        undo.clear(campaign)
        unknown: list[str] = []
        others = _prove_mailed(campaign, unknown)
        made, earlier, failed = _kept(campaign, given, args, others)
        rest = Afterwards(turns_are_kept([*earlier.turns, *(draft.number for draft in made)]), args.debug)
        if failed:
            turn = made[-1].number + 1
            if isinstance(failed, Faults) and len(failed.problems) > 1:
                rest.add(f"Turn {turn} is not:", *map(str, failed.problems))
            else:
                rest.add(f"Turn {turn} is not ({reason_of(failed)}).")
        publish(campaign, rest)
        closed: list[str] = []
        with rest.step(
            "The chronicle and the archive could not be brought up to date", "The next `kingdom run` does it."
        ):
            over = campaigns.over(campaign, made[-1].number + 1, made[-1].result.after)
            closed = closing.settle(campaign, over, forwarded, args.told)
        said = Said(code=WRONG)
        with rest.step("What it came to can't be told", "`kingdom show` tells it."):
            said = _said(campaign, args, made, closed, earlier)
    return replace(said, notes=[*unknown, *said.notes, *rest.notes], code=WRONG if rest.notes else said.code)


class _Earlier:
    """What to say about the earlier turns of a run of several. The turns themselves are let go, as a hundred would fill the
    memory."""

    def __init__(self) -> None:
        self.turns: list[int] = []
        self.lines: list[str] = []
        self.notes: list[str] = []

    def add(self, campaign: Campaign, draft: Draft) -> None:
        """Add a kept turn."""
        self.turns.append(draft.number)
        try:
            self.lines += _lines(campaign, draft, dry=False)
            self.notes += _notes(campaign, draft)
        except Exception as error:  # the turn is kept all the same, and the next one can be played
            self.notes.append(
                f"What turn {draft.number} came to can't be told ({reason_of(error)}). `kingdom show` tells it."
            )


def _said(
    campaign: Campaign,
    args: Namespace,
    made: Sequence[Draft],
    closed: Sequence[str] = (),
    earlier: _Earlier | None = None,
) -> Said:
    """Return the output about resolved turns. closed: lines about the campaign's end."""
    begun = campaigns.newest(campaign) >= 0
    record = campaigns.kept(campaign, 0).record if begun else None
    notes = [
        *(map(str, opening.edits(campaign.folder, campaign.game, record)) if record else ()),
        *map(str, campaigns.warnings(campaign)),
        *map(str, store.misnamed(campaign.turns)),
        *(earlier.notes if earlier else ()),
        *(note for draft in made for note in _notes(campaign, draft)),
    ]
    if args.json:
        draft = made[-1]
        seats = campaign.game.seats(draft.result.before)
        notices = _by_seat(draft.result.notices)
        kingdoms = {seat: _kingdom(campaign, draft, seat, notices[seat]) for seat in seats}
        return as_json({"turn": draft.number, "kingdoms": kingdoms}, notes=notes)
    lines = [
        *(earlier.lines if earlier else ()),
        *(line for draft in made for line in _lines(campaign, draft, args.dry_run)),
    ]
    return Said([*lines, *closed], notes)


def _notes(campaign: Campaign, draft: Draft) -> list[str]:
    return [*filings.misplaced(campaign.folder, draft.number, campaign.seats), *map(str, draft.warnings)]


def journal_if_any(campaign: Campaign) -> Journal | None:
    """Return the mail's journal, None in a campaign without mail. Raises Faults, so commands read the journal before they
    change anything."""
    from kingdom.campaign import clock
    from kingdom.mail.journal import NAME, folder_of, journal_of

    has_mail = (folder_of(campaign) / NAME).exists()
    return journal_of(campaign, clock.now()) if has_mail else None


def _early(campaign: Campaign, turns: int) -> str:
    """Say why it may be too early to run a turn: its deadline is ahead, or reports wait; "" if it is not early."""
    dates, newest = campaign.settings.calendar, campaigns.newest(campaign)
    if dates is None or (newest < 0 and not filings.files_in(filings.folder_of(campaign.folder, 1), campaign.seats)):
        return ""
    from kingdom.campaign import calendar, clock

    put_off = calendar.put_off_in(campaign.folder / "mail" / "journal.jsonl")
    first, now = max(newest, 0) + 1, clock.now()
    try:
        due = {turn: calendar.deadline(dates, turn, put_off) for turn in (first, first + turns - 1)}
    except OverflowError:  # a turn of the far future was typed
        return ""
    ahead = [(turn, at) for turn, at in due.items() if at > now]
    if closing.why_over(campaign):
        return ""
    if not ahead:
        return _unfetched(campaign, first)
    from kingdom.mail.journal import journal_of
    from kingdom.mail.outgoing import outbox

    turn, at = ahead[0]
    due_sentence = f"Turn {turn} is due on {calendar.said_at(at, dates.zone)}; until then players may file orders."
    count = len(outbox.kept_back(journal_of(campaign, now), now))
    if not count:
        return due_sentence
    reports = "report of the turn before waits" if count == 1 else "reports of the turn before wait"
    return f"{due_sentence} {count} {reports} for your release, so nobody has read how it went."


def _prove_mailed(campaign: Campaign, notes: list[str]) -> Others | None:
    """Raise Faults if the mails with the commitments to the next turn's new dice have not been sent or held other commitments,
    or if another newest turn was mailed. Returns a function (number, digest) that makes the second check for a coming turn;
    None in a campaign without mail."""
    from kingdom.mail.journal import NAME, folder_of

    if not (folder_of(campaign) / NAME).exists():
        return None
    from kingdom.mail import other_turns, turn_facts
    from kingdom.mail.journal import journal_of

    journal = journal_of(campaign)
    turn_facts.prove_promised(campaign, journal)
    other_turns.prove_newest(campaign, journal)

    def others(number: int, digest: str) -> list[str]:
        asked, why = other_turns.asked_or_not(campaign, number)
        notes.extend([why] if why else [])
        return other_turns.prove(campaign, journal, number, digest, asked)

    return others


def _unfetched(campaign: Campaign, turn: int) -> str:
    """Warn that orders that came in time may still lie on the server, since mail can't be fetched; "" if it can."""
    from kingdom.mail.journal import journal_of

    mail, failed = campaign.settings.mail, journal_of(campaign).servers.get("IMAP")
    if mail is None or mail.imap is None or failed is None or "over" in failed:
        return ""
    return f"No mail can be fetched: {failed['text']} Orders for turn {turn} that came in time may still lie on the server."


def _kept(
    campaign: Campaign, given: TapeFile | None, args: Namespace, others: Others | None
) -> tuple[list[Draft], _Earlier, Exception | None]:
    """Resolve and keep so many turns, one after another. Returns (the newest turn, the earlier ones, why the next is not kept).
    If several are asked for, turn 0 does not count. If not even the first can be kept, its exception is raised."""
    made: list[Draft] = []
    earlier = _Earlier()
    left, over = args.turns, ""
    if left > 1:
        gc.enable()  # many turns leave so much behind that collecting reference cycles pays
    while not over and (not made or left > 0 and args.turns > 1):
        more: list[Draft] = []
        try:
            more = _resolved(campaign, given)
            keeping.keep(campaign, more, args.told, others)
        except Exception as error:
            made += [draft for draft in more if draft.number <= campaigns.newest(campaign)]
            if not made:
                raise
            return made, earlier, error
        for draft in made:
            earlier.add(campaign, draft)
        made = more
        left -= sum(draft.number > 0 for draft in more)
        over = campaigns.over(campaign, made[-1].number + 1, made[-1].result.after)
    return made, earlier, None


def _resolved(campaign: Campaign, given: TapeFile | None) -> list[Draft]:
    """Resolve the next turn, and turn 0 first if there is none. If it replaces a turn, the draft knows which seats saw no
    report of that turn."""
    more = next_turn.drafts(campaign, given)
    if not any(draft.corrects or draft.untold for draft in more):
        return more
    from kingdom.mail import turn_facts
    from kingdom.mail.outgoing import outdated

    return [turn_facts.with_told(campaign, outdated.with_unseen(campaign, draft)) for draft in more]


def publish(campaign: Campaign, rest: Afterwards) -> None:
    """Bring the pages in the folder that `publish` names up to date, unless this is a copy of the campaign."""
    if not campaign.settings.publish.folder:
        return
    with rest.step("Its pages could not be written", "The next `kingdom run` writes them."):
        from kingdom.campaign import clock
        from kingdom.mail.journal import journal_of
        from kingdom.mail.outgoing import posting

        problem, now = copies.take_place(campaign.folder).problem, clock.now()
        if problem:
            rest.add(f"Its pages are not written. {problem.message}")
        else:
            posting.publish(campaign, journal_of(campaign, now), now, forwarded)


def _by_seat(notices: Iterable[Notice]) -> Mapping[str, Sequence[Notice]]:
    """Return seat -> its notices, empty for a seat without any."""
    found = defaultdict[str, list[Notice]](list)
    for notice in notices:
        found[notice.seat].append(notice)
    return found


def _kingdom(campaign: Campaign, draft: Draft, seat: str, notices: Iterable[Notice]) -> Facts:
    """Return the result of a turn for a seat: its sheets, its checks term by term, its refusals. notices: the seat's own."""
    from kingdom.campaign.preview import refusals

    game, result, rules = campaign.game, draft.result, draft.tables.rules
    checks: list[Facts] = []
    for notice in notices:
        if notice.kind == "check":
            facts = notice.facts
            terms = ("name", "die", "unrest", "bonus", "total", "dc", "success")
            check = {key: facts[key] for key in terms if key in facts}
            if "value" in facts:  # the attribute's value; the check's name says which attribute
                check["attribute"] = facts["value"]
            checks.append(check)
    return {
        "before": game.sheet(result.before, seat, rules),
        "after": game.sheet(result.after, seat, rules),
        "checks": checks,
        "refused": refusals(notices, seat),
    }


def _lines(campaign: Campaign, draft: Draft, dry: bool) -> list[str]:
    from kingdom.campaign.preview import refusals

    folder = campaign.turns / store.name_of(draft.number)
    kept = "is resolved and not kept (--dry-run)." if dry else f"is kept in {folder}."
    lines = [f"Turn {draft.number} of {campaign.settings.name} {kept}"]
    asked = frozenset(games.asked(campaign.game, draft.result.before, draft.tables.rules))
    notices = _by_seat(draft.result.notices)
    for seat in campaign.game.seats(draft.result.before):
        kingdom = _kingdom(campaign, draft, seat, notices[seat])
        lines.append("")
        if draft.number:
            lines += _seat(seat, kingdom, seat in draft.filings.orders or seat not in asked)
        else:
            figures = [f"{key} {value}" for key, value in kingdom["after"].items() if _is_number(key, value)]
            lines += terminal.listed(f"{seat}:", figures)
    if refused := refusals(notices[GM], GM):
        lines += ["", "  gm:", *_refused(refused)]
    if not dry and (folder / "reports").is_dir():
        lines += ["", f"The reports are in {folder / 'reports'}."]
    return lines


def _seat(seat: str, kingdom: Facts, filed: bool) -> list[str]:
    """Return the lines on a seat's turn: changes, checks, refusals. filed: the seat filed orders, or was asked for none."""
    before, after = kingdom["before"], kingdom["after"]
    moved = [
        f"{key} {before[key]} -> {value}"
        for key, value in after.items()
        if _is_number(key, value) and before[key] != value
    ]
    none = "" if filed else " no orders came;"
    lines = terminal.listed(f"{seat}:{none}", moved or ["nothing moved"])
    for check in kingdom["checks"]:
        won = "success" if check["success"] else "failure"
        lines.append(f"  {check['name']}: {check['total']} against {check['dc']}, {won}")
    return lines + _refused(kingdom["refused"])


def _refused(refusals: Sequence[Refused]) -> list[str]:
    return terminal.refused(
        {"order": f"refused {refusal['order']}", "reason": refusal["reason"]} for refusal in refusals
    )


def _is_number(key: str, value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and key != "turn"
