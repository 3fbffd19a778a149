"""A due turn as work for others: from a campaign without its secrets to the files of its turn and to what its mails say.

A job holds neither seed nor `mail/key`, no token, address or password: where a mail needs one stands a placeholder, which who holds the
campaign's lock fills in. Nothing that a job does counts until that one keeps the turn, so it may be done twice, or half, or not at all.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Struct

from kingdom.campaign import calendar, filings, keeping, next_turn, parcel, store
from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.parcel import REPORTS, Parcel
from kingdom.campaign.workers import NOT_DONE, Task, Work
from kingdom.engine.dice import GM
from kingdom.engine.problems import Faults
from kingdom.mail import tokens
from kingdom.mail.disguise import Disguise
from kingdom.mail.journal import NAME, Journal, journal_of
from kingdom.mail.outgoing import letters, posting
from kingdom.mail.outgoing.letters import Content
from kingdom.orders import tables

# files of a turn beside orders and reports
_DATA = frozenset((store.RECORD, "state.json", "ledger.csv", "dice.csv", "rules.yaml"))
_DICE = Path("dice.csv")
LARGE = 100  # seats of a turn whose reports are shared out
# what of the journal says how things stand with seats and deadlines, and which keys of it
_TOLD = ("away", "back", "resigned", "seated", "invited", calendar.PUT_OFF, "hold", "go_on", "release")
_OF_ORDERS = ("filing", "by_hand", "withdraw")  # of the turn's own orders
_KEYS = frozenset(
    ("at", "event", "kingdom", "turn", "turns", "by", "before", "known", "attempt", "came", "receipt", "time", "digest")
)


class Job(Struct, frozen=True):
    """What is to be made of a parcel. seats: whose reports, with `gm` the book. mailed: whose mails. now: of the run."""

    parcel: Parcel
    seats: list[str]
    mailed: list[str]
    now: str


class Made(Struct, frozen=True):
    """What came of it. files: of the turn's folder. contents: seat -> what its mail says, with placeholders."""

    files: dict[str, bytes]
    contents: dict[str, Content]


# --- what others do


def resolve(data: bytes) -> bytes:
    """Resolve a turn, write its reports and say its mails; NOT_DONE where who holds the campaign has to look at it: orders that are
    left out, or the end of the campaign, with whose report the seed is told."""
    job = msgspec.msgpack.decode(data, type=Job)
    with tempfile.TemporaryDirectory(prefix="kingdom-") as place:
        campaign = parcel.opened(job.parcel, Path(place))
        previous = campaigns.kept(campaign).digest
        (draft,) = next_turn.drafts(campaign, lenient=True)
        if draft.warnings or campaigns.over(campaign, draft.number + 1, draft.result.after):
            return NOT_DONE
        files = keeping.files_of(campaign, draft, previous, seats=frozenset(job.seats))
        parcel.put(campaign.turns / store.name_of(draft.number), files if job.mailed else {})
        contents = _contents(campaign._replace(last=draft.number), job) if job.mailed else {}
    kept = files if GM in job.seats else {name: text for name, text in files.items() if name.startswith(REPORTS)}
    return msgspec.msgpack.encode(Made(kept, contents))


def write_mails(data: bytes) -> bytes:
    """Say the mails of a turn that is kept."""
    job = msgspec.msgpack.decode(data, type=Job)
    with tempfile.TemporaryDirectory(prefix="kingdom-") as place:
        campaign = parcel.opened(job.parcel, Path(place))
        return msgspec.msgpack.encode(Made({}, _contents(campaign, job)))


def _contents(campaign: Campaign, job: Job) -> dict[str, Content]:
    turn, now = campaigns.kept(campaign), datetime.fromisoformat(job.now)
    journal = journal_of(campaign, now)
    return {seat: posting.content_of(campaign, journal, turn, seat, now) for seat in job.mailed}


# --- what who holds the campaign does


class Errand:
    """The next turn of a campaign, as work for others. Only for who holds the campaign."""

    def __init__(self, campaign: Campaign, journal: Journal, now: datetime, width: int):
        """width: how many work."""
        self._campaign, self._journal, self._now, self._width = campaign, journal, now, width
        self.number = campaigns.newest(campaign) + 1
        self._previous = campaigns.kept(campaign).digest
        self._disguise = Disguise(campaign, self.number)
        self._settings = self._disguise.put_on(parcel.bare(campaign.settings))
        self._keys = campaigns.Keys({}, {})
        self._contents: dict[str, Content] = {}
        self._shares = _shares(campaign.seats, width if len(campaign.seats) >= LARGE else 1)

    def tasks(self) -> list[Task]:
        """What is to be done for the turn, the first task with all but the reports of the others; none where it can't be given away."""
        if not parcel.is_plain(self._campaign, self.number):
            return []
        with suppress(Faults):  # whoever resolves it here hears of them
            files = parcel.files_for(self._campaign, self.number)
            keys = parcel.keys_of(self._campaign, self.number)
            mailed = self._mailed(self._campaign.seats) if len(self._shares) == 1 else []
            self._keys = keys
            jobs = [
                Job(self._parcel(files, keys), [*seats, *([] if at else [GM])], mailed, self._now.isoformat())
                for at, seats in enumerate(self._shares)
            ]
            return self._given(resolve, jobs)
        return []

    def files(self, results: Sequence[bytes]) -> dict[str, bytes] | None:
        """The files of the turn; None where somebody did not do a task, or made what can't be this turn."""
        made = [_made(result) for result in results]
        whole = [one for one in made if one is not None]
        if len(whole) < len(self._shares) or store.RECORD not in whole[0].files:
            return None
        reports = {name: text for one in whole[1:] for name, text in one.files.items() if name.startswith(REPORTS)}
        files = keeping.with_reports(whole[0].files, reports) if reports else whole[0].files
        self._contents = whole[0].contents
        return files if self._fits(files) else None

    def mail_tasks(self, kept: Campaign) -> list[Task]:
        """What is to be done for the mails of the turn, now that it is kept; none where they are made, or where it can't be given away.

        kept: the campaign with that turn.
        """
        if self._contents or len(self._shares) == 1:
            return []
        self._campaign = kept
        jobs = []
        with suppress(Faults):
            turn = campaigns.kept(kept)
            folder = f"turns/{store.name_of(self.number)}"
            for seats in self._shares:
                mailed = self._mailed(seats)
                own = {f"{REPORTS}{seat}.{ending}" for seat in mailed for ending in ("txt", "html", "json")}
                names = [name for name in turn.record.files if not name.startswith(REPORTS) or name in own]
                files = {f"{folder}/{name}": store.read(turn.folder / name) for name in names}
                files[f"{folder}/{store.RECORD}"] = store.record_in(turn.folder)
                keys = campaigns.Keys({}, {})
                jobs.append(Job(self._parcel(files, keys), [], mailed, self._now.isoformat()))
        return self._given(write_mails, [job for job in jobs if job.mailed])

    def take_mails(self, results: Iterable[bytes]) -> None:
        """Keep what others said for the mails."""
        for one in map(_made, results):
            self._contents |= one.contents if one else {}

    def content(self, seat: str) -> Content | None:
        """What a seat's mail says, with all that stands in it; None where nobody made it."""
        content = self._contents.get(seat)
        if content is None:
            return None
        copy = self._campaign._replace(settings=self._settings)
        return self._disguise.taken_off(content, seat, copy)

    def _mailed(self, seats: Iterable[str]) -> list[str]:
        """The seats of these to which reports are mailed."""
        return [seat for seat in seats if self._disguise.can_be and letters.addresses(self._campaign, seat)]

    def _parcel(self, files: Mapping[str, bytes], keys: campaigns.Keys) -> Parcel:
        beside = {f"mail/{tokens.KEY}": self._disguise.key, f"mail/{NAME}": _journal(self._journal.file, self.number)}
        return parcel.packed(self._campaign, self._settings, keys, {**files, **beside})

    def _given(self, work: Work, jobs: Sequence[Job]) -> list[Task]:
        """The tasks; none if one held a secret, such as a token that somebody wrote into orders."""
        words = [*parcel.secrets(self._campaign), tokens.key_of(self._campaign)]
        datas = [msgspec.msgpack.encode(job) for job in jobs]
        if any(parcel.holds_any(data, words) for data in datas):
            return []
        return [
            Task(work, data, max(len(job.seats), len(job.mailed)), partial(self._wrong, job))
            for data, job in zip(datas, jobs, strict=True)
        ]

    def _wrong(self, job: Job, result: bytes) -> str:
        """Why this can't have come of a job, "" if it may have: its files are those that were asked for, of their form, and the dice are
        those of the keys."""
        made = _made(result)
        if made is None:
            return "it can't be read"
        reports = {f"{REPORTS}{seat}.{ending}" for seat in job.seats for ending in ("txt", "html", "json")}
        kept = _DATA | {f"orders/{seat}{filings.ENDING}" for seat in (*self._campaign.seats, GM)}
        strange = {*made.files} - reports - (kept if GM in job.seats else frozenset())
        strange |= {*made.contents} - {*job.mailed}
        if strange:
            return f"{min(strange)} was not asked for"
        if GM not in job.seats:
            return ""
        try:
            return self._wrong_data(made.files)
        except Faults as faults:
            return str(faults.problems[0])
        except KeyError as error:
            return f"{error} is missing"
        except (UnicodeDecodeError, ValueError, TypeError, LookupError) as error:
            return f"{type(error).__name__}: {error}"

    def _wrong_data(self, files: Mapping[str, bytes]) -> str:
        """The same of the files of the turn's data. Raises Faults, and what comes of files that are not of their form."""
        from kingdom.campaign.audit import unproved, wrong_dice  # a run without a cluster needs it not

        campaign, number, game = self._campaign, self.number, self._campaign.game
        today, before = campaigns.rules_today(campaign), campaigns.kept(campaign)
        if files["rules.yaml"] != tables.dump(today).encode():
            return "rules.yaml has other rules"
        for seat, data in filings.files_in(filings.folder_of(campaign.folder, number), campaign.seats).items():
            if files.get(f"orders/{seat}{filings.ENDING}") != data:
                return f"orders/{seat}{filings.ENDING} has other orders"
        problems = [
            *wrong_dice(_DICE, number, campaigns.decode_rolls(files["dice.csv"], _DICE), self._keys.of.__getitem__)
        ]
        state = campaigns.decode_state(game, files["state.json"], Path("state.json"))
        entries = campaigns.decode_entries(files["ledger.csv"], Path("ledger.csv"))
        old, rules = campaigns.state_of(campaign, before), campaigns.rules_of(campaign, before).rules
        balances = {seat: game.accounts(old, seat, rules) for seat in game.seats(old)}
        accounts = {seat: game.accounts(state, seat, today.rules) for seat in game.seats(state)}
        problems += unproved(Path(), number, entries, balances, accounts)
        if state.turn != number:
            return "state.json is of another turn"
        for name, data in files.items():
            if name.startswith(REPORTS):
                data.decode()
        return str(problems[0]) if problems else ""

    def _fits(self, files: Mapping[str, bytes]) -> bool:
        """Whether these are the files of the turn, as their record names them, and nothing else."""
        try:
            record = store.decode_record(files[store.RECORD], Path(store.RECORD))
        except Faults:
            return False
        digests = {name: store.digest_of(data) for name, data in files.items() if name != store.RECORD}
        names = ("orders/", REPORTS, "state.json", "ledger.csv", "dice.csv", "rules.yaml")
        return (
            (record.turn, record.previous, record.files) == (self.number, self._previous, digests)
            and store.own_digest(files[store.RECORD]) == record.digest
            and all(name.startswith(names) and ".." not in name for name in digests)
        )


def _made(result: bytes) -> Made | None:
    try:
        return msgspec.msgpack.decode(result, type=Made) if result else None
    except msgspec.MsgspecError:
        return None


def _shares(seats: Sequence[str], count: int) -> list[list[str]]:
    """The seats in so many shares, neighbours apart."""
    return [list(seats[start::count]) for start in range(count)]


def _journal(file: Path, turn: int) -> bytes:
    """The lines of a journal that say how things stand with seats, deadlines and a turn's orders, without people's words and addresses."""
    try:
        lines = file.read_bytes().splitlines()
    except FileNotFoundError:
        return b""
    kept = []
    for line in lines:
        with suppress(msgspec.MsgspecError, UnicodeDecodeError):  # a line that makes no sense is passed over there too
            entry = msgspec.json.decode(line, type=dict[str, object])
            if entry.get("event") in _TOLD or entry.get("event") in _OF_ORDERS and entry.get("turn") == turn:
                said = {key: value for key, value in entry.items() if key in _KEYS}
                if entry["event"] in _OF_ORDERS:
                    said.pop("by", None)  # a GM's address
                blank = {calendar.PUT_OFF: {"message": ""}, "invited": {"mark": ""}}.get(str(entry["event"]), {})
                kept.append(msgspec.json.encode({**said, **blank}))
    return b"".join(line + b"\n" for line in kept)
