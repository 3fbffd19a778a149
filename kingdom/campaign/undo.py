"""Taking the newest turn back, resolving it again, and clearing up after a killed run.

Each is decided by one rename: before it nothing has happened, after it everything. The caller must hold the campaign.
"""

from __future__ import annotations

import os
import secrets
from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import structs

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import commitment, filings, next_turn, store, undone_turns
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.commitment import ENDED, REOPENED, Promise, prove_seed
from kingdom.campaign.errors import fault, writing
from kingdom.campaign.exchange import exchange
from kingdom.campaign.keeping import files_of, write
from kingdom.campaign.next_turn import Draft
from kingdom.campaign.store import Kept, KeptNotice
from kingdom.engine.dice import Dice
from kingdom.engine.ledger import Entry
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.problems import Faults

T = TypeVar("T")
EVERYBODY = "all"  # the seat of a notice that all may read
_REDO = ".redo"  # ending of the turn that is to replace another, if the system can't exchange folders


class Undone(NamedTuple):
    """A turn that was taken back, in its folder. reseeded: the first turn whose dice come from a new seed, since everybody was told the old
    one; None if nobody was."""

    folder: Path
    reseeded: int | None


def undo(campaign: Campaign, reopen: bool, seed: str = "") -> Undone:
    """Take the newest turn back and keep it aside. reopen: the turn is run again with new orders and dice. seed: the new one, which is
    written if everybody was told the old one with the campaign's end; a random one if none is given.

    A turn that was taken back before and not run since is only reopened: no other turn is taken back. Raises Faults.
    """
    from kingdom.campaign import reseeding  # seldom needed: each run asks this module to clear up

    newest = campaigns.newest(campaign)
    is_back = reopen and undone_turns.is_closed(campaign.folder, newest + 1)
    if newest < 0 and not is_back:
        raise fault("nothing_to_undo", campaign.folder)
    turn = undone_turns.of(campaign.folder, newest + 1) if is_back else campaigns.kept(campaign)
    number = turn.record.turn
    aside = turn.folder if is_back else undone_turns.next_folder(campaign.folder, number)
    first = number if reopen else number + 1  # the first turn that gets dice which nobody has seen
    changed, data = campaign, b""
    is_told = commitment.is_told(campaign, campaign.settings.seed_of(first), None if is_back else turn)
    if first and is_told and not commitment.is_public(campaign, turn):
        changed, data = reseeding.with_seed(campaign, seed or secrets.token_hex(32), first - 1)
    with writing(campaign.folder):
        os.makedirs(aside.parent, exist_ok=True)
        if reopen:
            commitment.prepare(campaign, _opened_again(campaign, changed, turn))
        if not is_back:
            undone_turns.forget(aside)
        if reopen:
            undone_turns.reopen(campaign.folder, aside, number)
        if not is_back:
            store.move(turn.folder, aside)
        if data:
            reseeding.write(campaign, data)
        if not _left(campaign.turns, store.MOVED):  # else the next command ends the move and settles it then
            commitment.settle(changed)
    return Undone(aside, first if data else None)


def _opened_again(campaign: Campaign, changed: Campaign, turn: Kept) -> Promise:
    """Return what is promised for a turn that is opened for new orders. changed: the campaign with the seed from which it is rolled."""
    number, attempt = turn.record.turn, turn.record.attempt + 1
    after = campaigns.kept(campaign, number - 1).digest if number else ""
    commitments = campaigns.commitments(changed, number, attempt)
    why = REOPENED if changed is campaign else ENDED
    return Promise(number, attempt, after, why, commitments, commitment.of_undone(campaign, turn))


class Redo(msgspec.Struct, frozen=True):
    """The newest turn, and the same turn resolved again today. changes: seat -> lines about what differs."""

    old: Kept
    draft: Draft
    changes: Mapping[str, list[str]]


def redo(campaign: Campaign) -> Redo:
    """Resolve the newest turn again with today's rules, the same dice, the players' orders that it had, and the GM's filed now.

    Writes nothing. Raises Faults.
    """
    old = campaigns.kept(campaign)
    number = old.record.turn
    if not number:
        raise fault("nothing_to_redo", old.folder)
    before = campaigns.kept(campaign, number - 1)
    prove_seed(campaign, before)
    today = campaigns.rules_today(campaign, number)
    filed = next_turn.with_gm_orders(campaign, old, filings.folder_of(campaign.folder, number), today)
    dice = Dice(
        campaign.settings.seed_of(number), number, old.record.attempt, campaigns.tape_of(campaigns.rolls_of(old))
    )
    state, rules = campaigns.state_of(campaign, before), campaigns.rules_of(campaign, before)
    result = next_turn.of_campaign(campaign, state, filed, dice, today, rules, old.record)
    draft = Draft(result, filed, today, old.record.attempt, old.digest, before=rules, silent=old.record.silent)
    draft = structs.replace(draft, replaced=old.record.replaced, untold=old.record.untold)
    return Redo(old, draft, changes(campaign, old, draft))


def changes(campaign: Campaign, old: Kept, draft: Draft) -> dict[str, list[str]]:
    """Return for each seat the lines that differ from the kept turn: numbers of its sheet, then entries that go and come."""
    from kingdom.campaign.replay import notices_of  # seldom needed

    game, was, rules = campaign.game, campaigns.state_of(campaign, old), campaigns.rules_of(campaign, old)
    entries = campaigns.decode_entries(store.file_of(old, "ledger.csv"), old.folder / "ledger.csv")
    changes = {}
    for seat in old.record.seats:
        before, after = game.sheet(was, seat, rules.rules), game.sheet(draft.result.after, seat, draft.tables.rules)
        said = [
            f"{key} is {_shown(after.get(key))}, and was {_shown(before.get(key))}"
            for key in dict.fromkeys([*before, *after])
            if before.get(key) != after.get(key)
        ]
        went = lines_of(seat, entries, old.record.notices)
        said += differing(went, lines_of(seat, draft.result.entries, notices_of(draft.result)))
        if said:
            changes[seat] = said
    return changes


def lines_of(seat: str, entries: list[Entry], notices: Sequence[KeptNotice]) -> list[str]:
    """Return a line for each entry and notice of a seat."""
    lines = [f"{entry.account} {entry.delta:+} ({entry.detail})" for entry in entries if entry.kingdom == seat]
    return lines + [f"{notice['kind']}: {_said(notice)}" for notice in notices if notice["seat"] in (seat, EVERYBODY)]


def _said(notice: KeptNotice) -> str:
    """Return a notice in words; of a check, its result."""
    facts = notice["facts"]
    if notice["kind"] == "check" and facts.get("total") is not None:
        return (
            f"{facts['name']}: {facts['total']} against {facts['dc']}, {'success' if facts['success'] else 'failure'}"
        )
    return facts.get("text") or facts.get("reason") or _shown(facts)


def differing(went: list[str], came: list[str]) -> list[str]:
    """Return the lines that a turn had and has no longer, then those that it has now."""
    gone, new = missing(went, came), missing(came, went)
    return [*(f"no longer: {line}" for line in gone), *(f"now: {line}" for line in new)]


def missing(things: Sequence[T], others: Sequence[T], same: Callable[[T], object] = lambda thing: thing) -> list[T]:
    """Return the things that `others` lacks, each as often as it is missing. same: what tells whether two are the same."""
    rest, missing = Counter(map(same, others)), []
    for thing in things:
        if not rest[same(thing)]:
            missing.append(thing)
        else:
            rest[same(thing)] -= 1
    return missing


def _shown(value: object) -> str:
    return str(value) if isinstance(value, (int, str)) else msgspec.json.encode(value).decode()


def replace(campaign: Campaign, new: Redo, unseen: Container[str] = ()) -> Path:
    """Put the turn as resolved today in place of the newest one, keep that aside, and return its folder. Raises Faults.

    unseen: the seats that never saw the old one. Their reports don't list the changes, since the GM may have removed something
    that was not for them.
    """
    number = new.draft.number
    turn, partial = campaign.turns / store.name_of(number), store.partial_of(campaign.turns, number)
    previous = campaigns.kept(campaign, number - 1).digest
    changes = {seat: said for seat, said in new.changes.items() if seat not in unseen}
    write(partial, files_of(campaign, new.draft, previous, changes))
    aside = undone_turns.next_folder(campaign.folder, number)
    with writing(campaign.folder):
        os.makedirs(aside.parent, exist_ok=True)
        undone_turns.forget(aside)
        if exchange(partial, turn):
            with suppress(OSError):  # the redo is done; the next run moves the old turn if this can't
                store.move(partial, aside)
        else:  # several renames: the next run finishes what a killed one began
            waiting = turn.with_name(f".{turn.name}{_REDO}")
            store.move(partial, waiting)
            store.move(turn, aside)
            try:
                store.move(waiting, turn)
            except OSError:
                store.move(aside, turn)
                raise
    return aside


def clear(campaign: Campaign) -> None:
    """Clear up after a killed run. The turn that a redo had just replaced, or was about to put in place, is not lost:
    the redo is finished. Raises Faults."""
    with writing(campaign.folder):
        for left in _left(campaign.turns, store.MOVED):
            store.end_move(campaign.turns / left.name[1:].removesuffix(store.MOVED))
        for left in filter(Path.is_dir, _left(campaign.turns)):  # whole turns
            turn = campaign.turns / left.name[1:].partition(".")[0]
            if left.name.endswith(_REDO) and not turn.exists():
                store.move(left, turn)
            elif turn.exists() and _is_corrected(left, turn):
                store.move(left, undone_turns.next_folder(campaign.folder, int(turn.name)))
            else:
                store.remove([left])
        for left in (*_left(campaign.turns), *_left(campaign.folder / undone_turns.FOLDER)):
            if left.is_dir():  # a turn that was being copied
                store.remove([left])
            else:  # a mark that was being written
                left.unlink()
        if commitment.is_prepared(campaign.folder):
            commitment.settle(campaigns.open_campaign(campaign.folder))


def is_half_replaced(campaign: Campaign, turn: Path) -> bool:
    """Return whether a redo was killed before it moved the old turn to those taken back; the next command then moves it."""
    return any(_is_corrected(left, turn) for left in _left(campaign.turns))


def _left(turns: Path, *endings: str) -> list[Path]:
    """What a killed run left in a folder of turns: entries with a dot before their names and such an ending, else those of a turn."""
    try:
        names = os.listdir(turns)
    except FileNotFoundError:
        return []
    return [
        turns / name for name in sorted(names) if name.startswith(".") and name.endswith(endings or (".partial", _REDO))
    ]


def _is_corrected(left: Path, turn: Path) -> bool:
    """Return whether the folder `left` holds the turn that the kept one replaced."""
    try:
        return store.kept(turn).record.corrects == store.kept(left).digest
    except Faults:
        return False
