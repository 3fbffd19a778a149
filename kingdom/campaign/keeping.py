"""Keeping a turn: its files, its reports, and the one rename that puts it in its place."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import replace

from kingdom import __version__
from kingdom.campaign import (
    balances,
    calendar,
    commitment,
    csv_text,
    filings,
    handed_on,
    opening,
    seat_record,
    store,
    the_end,
)
from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import writing
from kingdom.campaign.next_turn import Draft
from kingdom.campaign.store import Record
from kingdom.engine import ledger
from kingdom.engine.dice import GM, Roll, commitment_of
from kingdom.engine.problems import Faults
from kingdom.engine.step import AnyResult, Facts
from kingdom.orders import rule_changes, tables
from kingdom.render.progress import Told, silent
from kingdom.render.reports import DIGITS, CampaignFacts, rendered

if TYPE_CHECKING:
    from kingdom.render.reports import CampaignFacts

Others: TypeAlias = Callable[[int, str], Sequence[str]]  # (a turn's number, its digest) -> digests


def files_of(
    campaign: Campaign,
    draft: Draft,
    previous: str,
    changes: Mapping[str, Sequence[str]] = {},
    told: Told = silent,
    seats: Container[str] | None = None,
) -> dict[str, bytes]:
    """Return the files of the turn's folder, turn.json included.

    previous: the digest of the turn before. changes: seat -> lines about what a redo changed, for its report. seats: those whose
    reports are written here, and the GM's book with `gm`; None: all. `with_reports` adds those of others.
    """
    result = draft.result._replace(expected=_expected(campaign, draft))
    draft = replace(draft, result=result)
    files = {f"orders/{seat}{filings.ENDING}": data for seat, data in draft.filings.files.items()}
    files |= {f"{opening.KEPT}{name}": data for name, data in draft.start.items()}
    files |= data_of(result)
    files["rules.yaml"] = tables.dump(draft.tables).encode()
    facts = facts_of(campaign, draft, previous, changes)
    pages = rendered(campaign.game, result, draft.tables.rules, facts, told=told, seats=seats)
    reports = {name: text.encode() for name, text in pages}
    files |= {f"reports/{name}": data for name, data in reports.items()}
    records = seat_record.records(campaign, draft, previous, facts, reports)
    files |= {f"reports/{name}": data for name, data in records.items()}
    record = Record(
        digest="",
        format=store.FORMAT,
        program=__version__,
        game=campaign.game.name,
        turn=result.number,
        attempt=draft.attempt,
        previous=previous,
        corrects=draft.corrects,
        rules=draft.tables.digest,
        seats=list(campaign.seats),
        missing_orders=campaign.settings.missing_orders,
        messages=campaign.settings.messages,
        files={name: store.digest_of(files[name]) for name in sorted(files)},
        notices=[store.kept_notice(notice) for notice in result.notices],
        bots=dict(draft.filings.bots),
        silent=dict(draft.silent),
        expected={seat: {**facts} for seat, facts in result.expected.items()},
        commitments={
            seat: commitment_of(campaigns.key_of(campaign, result.number, seat, draft.attempt))
            for seat in (*campaign.seats, GM)
        },
        promised=dict(facts.commitments),
        replaced=list(draft.replaced),
        untold=list(draft.untold),
        anew=list(draft.anew),
        public_seed=campaign.settings.public_seed,
    )
    files[store.RECORD] = store.sealed(record)
    return files


def with_reports(files: Mapping[str, bytes], reports: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of a turn's folder with reports that were written elsewhere."""
    whole = {**files, **reports}
    del whole[store.RECORD]
    digests = {name: store.digest_of(whole[name]) for name in sorted(whole)}
    return {**whole, store.RECORD: store.sealed_anew(files[store.RECORD], digests)}


def _expected(campaign: Campaign, draft: Draft) -> dict[str, Facts]:
    """Seat -> what it had to expect of its orders, from what it knew before the turn; nothing of a start."""
    game, result, rules = campaign.game, draft.result, draft.tables.rules
    if game.expected is None or not result.number:
        return {}
    found = {
        seat: game.expected(result.before, seat, rules, result.orders.get(seat, {}))
        for seat in game.seats(result.before)
    }
    return {seat: facts for seat, facts in found.items() if facts}


def data_of(result: AnyResult) -> dict[str, bytes]:
    """Return the files with a turn's result: state, ledger and dice."""
    return {
        "state.json": store.pretty(result.after),
        "ledger.csv": csv_text.write(ledger.COLUMNS, result.entries),
        "dice.csv": csv_text.write(Roll._fields, result.rolls),
    }


def facts_of(campaign: Campaign, draft: Draft, previous: str, changes: Mapping[str, Sequence[str]]) -> CampaignFacts:
    """Return what reports say about the campaign, beside the turn itself."""
    settings, number = campaign.settings, draft.number
    over = campaigns.over(campaign, number + 1, draft.result.after)
    shown = (*campaign.seats, GM) if number or draft.result.rolls else ()
    keys = {seat: campaigns.key_of(campaign, number, seat, draft.attempt) for seat in shown}
    coming = settings.rules_from > number
    edition = settings.edition or 1
    to_come = rule_changes.told(draft.tables, campaigns.rules_to_come(campaign, number), edition) if coming else []
    return CampaignFacts(
        name=settings.name,
        players={seat: player.name for seat, player in settings.players.items()},
        gm=settings.gm.name,
        deadlines=_deadlines(campaign, number + 1),
        keys=keys,
        commitments={} if over else campaigns.commitments(campaign, number + 1),
        receipts={seat: store.digest_of(data)[:DIGITS] for seat, data in draft.filings.files.items()},
        bots=draft.filings.bots,
        previous=previous,
        attempt=draft.attempt,
        corrects=draft.corrects,
        unseen=draft.unseen,
        changes=changes,
        finished=over,
        end=the_end.facts(campaign, number, draft.result.after, draft.tables.rules, over),
        rules_changed=rule_changes.told(draft.before, draft.tables, edition) if draft.before else [],
        rules_announced=(settings.rules_from, to_come) if to_come else (0, []),
        silent=draft.silent,
        counts=settings.ends.counts or campaign.game.scoring.counts,
        public_seed=settings.public_seed,
        own_from=handed_on.own_from_in(campaign.folder / "mail" / "journal.jsonl"),
        reseeded=sorted(last for last in settings.old_seeds if last < number),
        replaced=commitment.said(draft.replaced, number),
        untold=draft.untold,
        anew=bool(draft.anew),
        history=balances.last_turns(campaign, draft.result, draft.tables.rules),
    )


def _deadlines(campaign: Campaign, turn: int) -> dict[str, str]:
    """Return for each seat, and `gm`, when a turn's orders are due, in its own zone and with the delays that the GM gave by mail."""
    dates = campaign.settings.calendar
    if dates is None:
        return {}
    at = calendar.deadline(dates, turn, calendar.put_off_in(campaign.folder / "mail" / "journal.jsonl"))
    zones = {GM: "", **{seat: player.zone for seat, player in campaign.settings.players.items()}}
    return {seat: calendar.said_at(at, zone or dates.zone) for seat, zone in zones.items()}


def keep(campaign: Campaign, made: list[Draft], told: Told = silent, others: Others | None = None) -> None:
    """Keep these turns one after another, each by one rename. All are written before the first is kept. others: the digests of other turns
    of a number than of one with this digest whose reports readers have; it raises Faults where that one must not be kept.

    The caller must hold the campaign. Raises Faults; the campaign's folder then shows which turns are kept.
    """
    last = campaigns.newest(campaign)
    previous = campaigns.kept(campaign).digest if last >= 0 else ""
    folders = []
    for draft in made:
        files = files_of(campaign, draft, previous, told=told)
        if others and (known := others(draft.number, store.digest_of(files[store.RECORD]))):
            files = files_of(campaign, replace(draft, anew=known), previous, told=told)
        folders.append((draft.number, files))
        previous = store.digest_of(files[store.RECORD])
    keep_files(campaign, folders, told)
    for draft, (_, files) in zip(
        made, folders, strict=True
    ):  # its mails go on with what its reports worked out from it
        campaigns.remember(campaign, store.digest_of(files["state.json"]), draft.result.after)


def keep_files(campaign: Campaign, folders: Sequence[tuple[int, Mapping[str, bytes]]], told: Told = silent) -> None:
    """Keep turns whose files are made: (number, files) of each. All are written before the first is kept.

    The caller must hold the campaign. Raises Faults; the campaign's folder then shows which turns are kept.
    """
    partials = [store.partial_of(campaign.turns, number) for number, _ in folders]
    try:
        for partial, (number, files) in zip(partials, folders, strict=True):
            told(f"turn {number} is written")
            write(partial, files)
        for partial, (number, _) in zip(partials, folders, strict=True):
            with writing(partial):
                store.move(partial, campaign.turns / store.name_of(number))
    except Faults:
        with suppress(OSError):
            store.remove(partial for partial in partials if partial.exists())
        raise


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a folder. If the disk refuses, it removes what it wrote and raises Faults."""
    with writing(folder):
        try:
            store.write(folder, files)
        except OSError:
            with suppress(OSError):
                store.remove([folder])
            raise
