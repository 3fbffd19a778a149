"""What was promised for a turn's dice, and whether today's seed keeps to it.

The report of a turn promises the dice of the next one. What replaces that promise, a changed seed or a turn that is opened again, is kept in
promises/NNNN-K.json, K from 1, with the commitments that it replaced. So whatever became of the seed, the list of old seeds, the journal or a
turn's folder: dice that nobody was promised are not thrown.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import store, substitute_orders, undone_turns
from kingdom.campaign.errors import fault
from kingdom.campaign.settings import FILE
from kingdom.campaign.store import Kept, Replaced
from kingdom.campaign.undone_turns import UndoneTurn
from kingdom.engine import dice
from kingdom.engine.problems import Faults
from kingdom.engine.regex import regex

if TYPE_CHECKING:
    from kingdom.campaign.campaign import Campaign, Place

FOLDER = "promises"
# why a promise was replaced: the GM changed the seed; all were told it with an end that was taken back; the turn was opened again
RESEED, ENDED, REOPENED = "reseed", "ended", "reopened"
# what promised the dice of a turn if no file of ours does; KEPT: it was played with them, and is played again
REPORT, MAIL, KEPT = "report", "mail", "kept"
_PREPARED = ".prepared"  # ending of a promise that counts once the seed or the turn is as it says
_DIGITS = regex(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")


class Promise(Struct, frozen=True):
    """What is promised for the dice of a turn instead of what was: seat, and `gm`, -> commitment.

    attempt: of the turn. after: the digest of the turn before, "" for turn 0; a promise counts for the turn that follows that one alone.
    why: one of RESEED, ENDED, REOPENED.
    """

    turn: int
    attempt: int
    after: str
    why: str
    commitments: dict[str, str]
    replaced: dict[str, str]


# --- keeping one


def prepare(campaign: Place, made: Promise) -> None:
    """Write a promise before the seed or the turn is changed. It counts once that is done. Raises OSError."""
    folder = campaign.folder / FOLDER
    store.make_folder(folder)
    store.put_files(folder, {_prepared(folder, made.turn).name: store.pretty(made)})


def is_prepared(folder: Path) -> bool:
    """Return whether a killed command may have left a promise that neither counts nor does not."""
    return any(_PREPARED in name for name in store.listed(folder / FOLDER))


def settle(campaign: Campaign) -> None:
    """Keep what was prepared, if the seed and the turn are as it says; else it goes: nothing was changed. Raises Faults, OSError."""
    folder = campaign.folder / FOLDER
    for name in store.listed(folder):
        if _PREPARED not in name:
            continue
        made = _read(folder / name) if name.endswith(_PREPARED) else None  # else it was not even written whole
        if made and campaigns.newest(campaign._replace(last=None)) + 1 == made.turn and _keeps(campaign, made):
            count = max((count for turn, count in _keys(folder) if turn == made.turn), default=0)
            store.move(folder / name, folder / f"{undone_turns.name_of(made.turn, count + 1)}.json")
        else:
            os.unlink(folder / name)


def _prepared(folder: Path, turn: int) -> Path:
    return folder / f".{store.name_of(turn)}{_PREPARED}"


def _keys(folder: Path) -> list[tuple[int, int]]:
    names = [name.removesuffix(".json") for name in store.listed(folder) if name.endswith(".json")]
    return [key for name in names if (key := undone_turns.key_of(name))]


def _read(file: Path) -> Promise:
    try:
        return msgspec.json.decode(store.plain(file), type=Promise)
    except store.BROKEN as error:
        raise fault("broken_promise", file, reason=store.in_words(error)) from None


# --- what stands


def standing(campaign: Campaign, before: Kept | None) -> list[Promise]:
    """Return what replaced the promise of the turn before for the turn after it, in its order. Raises Faults."""
    number, after = (before.record.turn + 1, before.digest) if before else (0, "")
    return [made for made in _made(campaign, number) if made.after == after]


def _made(campaign: Campaign, number: int) -> list[Promise]:
    """Return all that ever replaced a promise for the dice of a turn, in its order. Raises Faults."""
    folder = campaign.folder / FOLDER
    files = [f"{undone_turns.name_of(*key)}.json" for key in sorted(_keys(folder)) if key[0] == number]
    kept = [_read(folder / name) for name in files]
    prepared = _prepared(folder, number)
    if prepared.is_file():  # a killed command left it
        kept += [made for made in [_read(prepared)] if _keeps(campaign, made)]
    return kept


def prove(campaign: Campaign, before: Kept | None) -> str:
    """Return what promised the dice of the turn after `before` that today's seed gives: REPORT, MAIL of an older program, why a promise
    of ours replaced the report's, or KEPT. Raises Faults if nothing did, or if everybody was told the seed."""
    back = undone_turns.latest(campaign.folder, before.record.turn + 1 if before else 0)
    promised_by = _promised_by(campaign, before, back)
    return promised_by if back is None or back.reopened else KEPT


def _promised_by(campaign: Campaign, before: Kept | None, back: UndoneTurn | None) -> str:
    number = before.record.turn + 1 if before else 0
    if before is None and back is not None:
        prove_seed(campaign, back.turn)  # no report stands before a start; that of the one that was taken back does
    is_new = back is None or back.reopened
    if is_new and not is_public(campaign, before) and is_told(campaign, campaign.settings.seed_of(number), before):
        raise fault("seed_told", campaign.folder / FILE, turn=number, folder=campaigns.typed(campaign))
    made = standing(campaign, before)
    if made and _keeps(campaign, made[-1]):
        return made[-1].why
    if made:
        raise fault("promise_broken", campaign.folder / FILE, turn=number, folder=campaigns.typed(campaign))
    if back and not back.reopened:
        prove_seed(campaign, back.turn)
        return KEPT
    if before is None and back is None:
        return REPORT  # nothing is promised before a start
    today = campaigns.commitments(campaign, number)
    if before is not None and promises(before, today):
        return REPORT
    if _is_mailed(campaign, number, today):
        return MAIL
    if before is not None:
        prove_seed(campaign, before)
    raise fault("unpromised", campaign.folder / FILE, turn=number, folder=campaigns.typed(campaign))


def is_reseeded(campaign: Campaign) -> bool:
    """Return whether the next turn comes from another seed than its promise in the report before it. Of one that was written by hand
    nobody is told: no turn is played with it."""
    newest = campaigns.newest(campaign)
    if newest not in campaign.settings.old_seeds:
        return False
    try:
        return prove(campaign, campaigns.kept(campaign)) in (RESEED, ENDED, MAIL)
    except Faults:  # whoever plays the turn hears of them
        return False


def _keeps(campaign: Campaign, made: Promise) -> bool:
    return is_same(campaigns.commitments(campaign, made.turn), made.commitments)


def is_same(today: Mapping[str, str], promised: Mapping[str, str]) -> bool:
    """Return whether the seats that both have are promised the same dice. A seat that came later has no promise yet."""
    return dice.GM in promised and all(today.get(seat, digits) == digits for seat, digits in promised.items())


def promises(turn: Kept, today: Mapping[str, str]) -> bool:
    """Return whether the reports of a kept turn promise these commitments. Raises Faults if none of its reports is as it was kept."""
    if turn.record.promised:
        return is_same(today, turn.record.promised)
    if not any(name.startswith("reports/") for name in turn.record.files):
        return True  # a game without reports
    told = _told(turn)
    if not told:
        store.file_of(turn, next(name for name in turn.record.files if name.startswith("reports/")))
    return today[dice.GM] in told and not told.isdisjoint(today[seat] for seat in today if seat != dice.GM)


def in_force(campaign: Campaign, before: Kept) -> dict[str, str]:
    """Return what was promised last for the dice of the turn after `before`; nothing after an end, which promises none."""
    if made := standing(campaign, before):
        return made[-1].commitments
    today = campaigns.commitments(campaign, before.record.turn + 1)
    return today if _is_mailed(campaign, before.record.turn + 1, today) else _promised_in(campaign, before)


def _promised_in(campaign: Campaign, turn: Kept) -> dict[str, str]:
    """Return what the reports of a turn promise for the next one; nothing if they are an end's, or can't be read."""
    if turn.record.promised:
        return turn.record.promised
    told, number = _told(turn), turn.record.turn + 1
    seed = campaign.settings.seed_of(number - 1)  # an older program kept it
    for attempt in range(undone_turns.attempt_of(campaign.folder, number), 0, -1):
        keys = {seat: dice.key_of(seed, number, seat, attempt) for seat in (*campaign.seats, dice.GM)}
        given = {seat: dice.commitment_of(key) for seat, key in keys.items()}
        if given[dice.GM] in told:
            return given
    return {}


def to_try(campaign: Campaign) -> Campaign:
    """Return the campaign as whoever tries its next turn may have it: with other dice where no report has promised the turn's. One that
    can't go on stays as it is."""
    with suppress(Faults):
        before = campaigns.kept(campaign) if campaigns.newest(campaign) >= 0 else None
        if before is None or prove(campaign, before) not in (REPORT, KEPT):
            return with_other_dice(campaign, before)
    return campaign


def is_public(campaign: Place, before: Kept | None) -> bool:
    """Return whether everybody may know the seed of the turn after `before`: who says so only now has promised a secret one."""
    return campaign.settings.public_seed and (before is None or before.record.public_seed is not False)


def with_other_dice(campaign: Campaign, before: Kept | None) -> Campaign:
    """Return the campaign with dice that are not those of the turn after `before`, for whoever tries a turn that nobody was promised the
    dice of yet. The dice of a public seed are no secret and stay."""
    if is_public(campaign, before):
        return campaign
    number = before.record.turn + 1 if before else 0
    other = dice.key_of(campaign.settings.seed_of(number), number, "dry run")  # no seat has such an id
    names = (*campaign.seats, dice.GM, *map(substitute_orders.drawn_by, campaign.seats))
    of = {name: dice.key_of(other, number, name) for name in names}
    following = {name: dice.commitment_of(dice.key_of(other, number + 1, name)) for name in (*campaign.seats, dice.GM)}
    return campaign._replace(keys=campaigns.Keys(of, following))


def replaced(campaign: Campaign, before: Kept | None) -> list[Replaced]:
    """Return the promises for the dice of the turn after `before` that no longer hold, with what replaced each, the oldest first."""
    promised = list(_promised(campaign, before))
    return [
        Replaced(why, held)
        for (_, held), (why, commitments) in zip(promised, promised[1:], strict=False)
        if not is_same(commitments, held)
    ]


def _promised(campaign: Campaign, before: Kept | None) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield (why, the commitments) of all that was ever promised for the dice of the turn after `before`, in its order: by each report of
    the turn before, the kept one last, and by what replaced it."""
    number = before.record.turn + 1 if before else 0
    made = _made(campaign, number)
    backs = [store.kept(folder) for folder in undone_turns.folders(campaign.folder) if _is_of(folder, number)]
    versions = [store.kept(folder) for folder in undone_turns.folders(campaign.folder) if _is_of(folder, number - 1)]
    for turn in [*versions, *([before] if before else [])]:
        promised = _promised_in(campaign, turn)
        following = [one for one in made if one.after == turn.digest]
        if promised or following:
            yield REOPENED, promised
        yield from ((one.why, one.commitments) for one in following)
    if before is None:
        yield from ((REOPENED, of_undone(campaign, turn)) for turn in backs[:1])
        yield from ((one.why, one.commitments) for one in made)
    elif (
        backs
        and backs[-1].record.attempt < undone_turns.attempt_of(campaign.folder, number)
        and not standing(campaign, before)
    ):
        yield REOPENED, of_undone(campaign, backs[-1])  # an older program opened it again, or with a turn before it
        yield REOPENED, campaigns.commitments(campaign, number)


def _is_of(folder: Path, turn: int) -> bool:
    key = undone_turns.key_of(folder.name)
    return key is not None and key[0] == turn


def of_undone(campaign: Campaign, turn: Kept) -> dict[str, str]:
    """Return the commitments to the dice that a taken-back turn was played with."""
    if turn.record.commitments:
        return turn.record.commitments
    number, attempt = turn.record.turn, turn.record.attempt
    return campaigns.commitments(campaign, number, attempt)  # an older program kept it: no seed was changed in between


def said(replaced: Sequence[Replaced], turn: int) -> str:
    """Say how often and why the commitments to a turn's dice were replaced before it was played, "" if they never were."""
    times = {
        "changed the seed": sum(one.why == RESEED for one in replaced),
        "took back the campaign's end, which had told the seed to all, and changed it": sum(
            one.why == ENDED for one in replaced
        ),
        f"opened turn {turn} again": sum(one.why == REOPENED for one in replaced),
    }
    done = [f"{what} {_times(count)}" for what, count in times.items() if count]
    if not done:
        return ""
    listed = done[0] if len(done) == 1 else f"{', '.join(done[:-1])} and {done[-1]}"
    return f"The commitments to the dice of turn {turn} were replaced {_times(len(replaced))} before it was played: the GM {listed}."


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


# --- today's seed, and what older programs kept


def prove_seed(campaign: Place, turn: Kept) -> None:
    """Raise Faults if the reports of a kept turn show dice that the seed of that turn does not give."""
    promised = _told(turn)
    if promised and promised.isdisjoint(_given(campaign, turn)):
        number = turn.record.turn
        raise fault("seed_changed", campaign.folder / FILE, turn=number, following=number + 1)


def _told(turn: Kept) -> set[str]:
    """Return the keys and commitments in the first report that has any; altered reports are passed over."""
    for data in _reports(turn):
        if secrets := _DIGITS.findall(data):
            return {digits.decode() for digits in secrets}
    return set()


def _reports(turn: Kept) -> Iterator[bytes]:
    """Yield the reports of a turn that are as they were kept, texts first: a text is a tenth of its page."""
    for name in sorted(turn.record.files, key=lambda name: (not name.endswith(".txt"), name)):
        if not name.startswith("reports/"):
            continue
        with suppress(Faults):
            yield store.file_of(turn, name)


def _given(campaign: Place, turn: Kept) -> set[str]:
    """Return the turn's keys and the commitments to the next turn that the turn's seed gives, for every possible attempt."""
    number = turn.record.turn
    # not the next turn's: that may have been changed since, as all were told
    seed = campaign.settings.seed_of(number)
    attempts = range(1, undone_turns.attempt_of(campaign.folder, number + 1) + 1)
    seats = (*campaign.seats, dice.GM)
    keys = {dice.key_of(seed, number, seat, turn.record.attempt) for seat in seats}
    return keys | {
        dice.commitment_of(dice.key_of(seed, number + 1, seat, attempt)) for seat in seats for attempt in attempts
    }


def is_told(campaign: Place, seed: str, newest: Kept | None) -> bool:
    """Return whether the reports of an end told the seed to everybody: of the newest turn, or of one that was taken back."""
    turns = [newest] if newest is not None and not newest.record.promised else []
    for folder in undone_turns.folders(campaign.folder):
        with suppress(Faults):  # the audit tells of a folder that can't be read
            turns.append(store.kept(folder))
    return any(_tells(turn, seed) for turn in turns)


def _tells(turn: Kept, seed: str) -> bool:
    """Whether the first report of a turn tells that seed, as an end's does, wherever its lines break."""
    if turn.record.promised:
        return False  # it was no end
    text = b"".join(next(_reports(turn), b"").split())
    return "".join(seed.split()).encode() in text.partition(b"Theseedofalldice:")[2]


def _is_mailed(campaign: Place, turn: int, today: Mapping[str, str]) -> bool:
    """Return whether a mail of an older program, sent or about to be, promises these commitments for a turn that was opened again or has
    another seed."""
    from email import message_from_bytes
    from email.policy import default

    for folder in ("sent", "outbox"):
        for name in sorted(store.listed(campaign.folder / "mail" / folder)):
            if not name.startswith((f"seed-{turn:04}-", f"reopened-{turn:04}-")):
                continue
            mail = message_from_bytes(store.read(campaign.folder / "mail" / folder / name), policy=default)
            part = mail.get_body(("plain",))
            told = set(_DIGITS.findall(str(part.get_content()).encode())) if part else set()
            if today[dice.GM].encode() in told and any(today[seat].encode() in told for seat in today):
                return True
    return False
