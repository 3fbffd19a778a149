"""mail/journal.jsonl: a line for each thing that was done. What is not in it is done again, with the same result.

Events: taken, filing (about to file its orders) and handled of a message; by_hand of a filed file that no message made; queued (with what
it is about, and what tells it from others about the same), made (anew), sent, failed, dropped and withdrawn of a mail, out of one that
waited for the GM's release, anew of one that was refused or came back and waits once more; server: one that could not be used, or works again (no text); withdraw (about to take back its orders), away,
back, resigned, invited (about to be seated: the sign of the new token) and seated of a player; put_off of a deadline; hold, release,
go_on (the GM's `run it`) and skip of a turn; told of what is told once; in a house replied (yes or no to a question of ours) and settled of
what somebody wanted. A line that a killed run left half written is cut off by the next.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import cast

import msgspec

from kingdom.campaign import calendar, store
from kingdom.campaign.campaign import Place
from kingdom.campaign.errors import fault, writing
from kingdom.engine.dice import GM
from kingdom.mail.records import ANEW, UNPROVED, Line, last_out

NAME = "journal.jsonl"
TRIED = "tried.json"  # beside it: server -> when it was tried last and failed again
BESIDE = "beside"  # what is filed of a GM's with the orders of another
LETTERS = "letters"  # what is told: what becomes of letters by mail at the end
FORMING, FORMED = "forming", calendar.FULL  # what is told once: that a campaign waits for players, and that it has them
DECLINED, SILENT = "declined", "silent"  # how ends what somebody wanted of a house where a later yes still counts
# Events whose lines a power cut may take: the next run does what they say again, with the same result
_AGAIN = frozenset(("by_hand", "queued", "handled", "told"))
SPARE, NO_DAY = "full disk", "0000-00-00"  # the line that is kept for a full disk: when something was told while it was


def folder_of(campaign: Place) -> Path:
    """Where the campaign's mail is."""
    return campaign.folder / "mail"


def message_file(campaign: Place, digest: str) -> Path:
    """Where a message lies that was taken in."""
    refused = folder_of(campaign) / "refused" / f"{digest}.eml"
    return refused if refused.is_file() else folder_of(campaign) / "inbox" / refused.name


def journal_of(campaign: Place, now: datetime | None = None) -> Journal:
    """The journal of a campaign's mail. Raises Faults where it is broken."""
    return Journal(folder_of(campaign), now)


class Journal:
    """The journal of a campaign's mail, read whole. Only a run that holds the campaign adds to it."""

    def __init__(self, folder: Path, now: datetime | None = None):
        """folder: the campaign's `mail`. now: times that lie ahead of it, since the clock was wrong for a while, count as the time of the
        next line, or as now. Raises Faults where the journal is broken."""
        self.file = folder / NAME
        self.amiss: list[int] = []  # the lines with wrong keys, which are passed over
        self.ahead = ""  # the latest time that lies ahead of now
        self.is_anchored = True  # whether a line of today stands below all that lie ahead
        self.taken: dict[str, Line] = {}  # by message
        self.handled: dict[str, Line] = {}
        self.ids: set[str] = set()  # the Message-IDs of what was handled
        self.times: dict[str, list[str]] = {}  # seat -> when the messages of it came that were proved
        self.gms: dict[int, set[str]] = {}  # turn -> the addresses of the GMs whose orders stand together
        self.filings: dict[tuple[str, int, str], str] = {}  # (kingdom, turn, receipt) -> the time that "newest" goes by
        self.by_hand: dict[str, Line] = {}  # by the digest of the file
        self.mails: dict[str, Line] = {}  # by mail: its `queued`, with what became of it under `fate`
        self.told: set[tuple[str, str, int, str]] = set()
        self.heard: dict[str, str] = {}  # topic -> what the GM was told of it last (kingdom/mail/outgoing/gm_news.py)
        # `IMAP`, `SMTP` -> its last failure in other words; `since` the first, `over` since it works again
        self.servers: dict[str, Line] = {}
        self.deadlines: dict[int, str] = {}  # turn -> the deadline that all were told last
        self.asked: set[str] = set()  # the messages by which something was put off
        self.away: dict[str, tuple[int, int]] = {}  # seat -> (from turn, to turn), as its player said
        self.released = ""  # when the GM last released what waits
        self.resigned: dict[str, int] = {}  # seat -> the turn
        self.took_over: dict[str, tuple[int, str]] = {}  # seat -> (the turn that was next, who had played it before)
        # seat -> (address, name) of who played it before and is to hear that it was handed on
        self.left: dict[str, tuple[str, str]] = {}
        self.letters: list[tuple[str, str, bool]] = []  # (since when, what `letters` says, whether it was so first)
        # seat -> (the first turn of who took it over, since when they have it)
        self.own_from: dict[str, tuple[int, str]] = {}
        self.invited: dict[str, str] = {}  # seat -> what stands for the token that its player was last given
        self.known: set[str] = set()  # seats whose player got mails with an older token
        self.withdrawn: dict[tuple[str, int], str] = {}  # (seat, turn) -> when its player took its orders back
        # the messages that were refused or late -> their running number, from 1, by which `accept N` names them; it never changes
        self.refused: dict[str, int] = {}
        self.go_on: tuple[int, int, str] = 0, 0, ""  # (turn, attempt, when the GM asked it) that is to wait no longer
        self.skipped: dict[tuple[int, int], set[str]] = {}  # (turn, attempt) -> the seats that it does not wait for
        self.held: int = 0  # the turn that waits for the GM's release, 0 for none
        self.forming, self.recalls = False, 0  # whether no deadline counts before it is full; how often one was told
        # a question of ours, by its mail -> yes or no, the last reply, in the order of these; what somebody wanted -> its outcome
        self.replies: dict[str, str] = {}
        self.settled: dict[str, str] = {}
        self.put_off: list[tuple[int, str]] = []  # (first turn, how long), as the GM asked by mail
        self._whole = 0  # bytes of whole lines
        # while it is set, lines of _AGAIN are not synced each: a run sets it, which syncs them before what must not come before them
        self.defers = False
        self._is_synced = True
        self._folders: set[Path] = set()  # whose names are to be synced before the next line is
        for entry in self._of_today(self._read(), now):
            self._note(entry)

    def add(self, event: str, now: datetime, **facts: object) -> None:
        """Write a line, synced to the disk. Raises Faults where the disk does not take it."""
        self.add_all(event, now, [facts])

    def add_all(self, event: str, now: datetime, many: Sequence[Mapping[str, object]]) -> None:
        """Write a line for each, all of them synced to the disk at once, with what was deferred. Raises Faults where the disk does not take
        it."""
        entries: list[dict[str, object]] = [
            {"at": now.isoformat(timespec="seconds"), "event": event, **facts} for facts in many
        ]
        data = b"".join(msgspec.json.encode(entry) + b"\n" for entry in entries)
        is_deferred = self.defers and event in _AGAIN
        if not is_deferred:
            self._sync_folders()
        with writing(self.file):
            store.make_folder(self.file.parent)
            descriptor = os.open(self.file, os.O_WRONLY | os.O_CREAT | store.AS_IT_IS, 0o666)
            try:
                os.ftruncate(descriptor, self._whole)
                os.lseek(descriptor, self._whole, os.SEEK_SET)
                rest = memoryview(data)
                try:
                    while rest:
                        rest = rest[os.write(descriptor, rest) :]
                    if not is_deferred:
                        store.sync(descriptor)
                except OSError:
                    if self._takes_back(descriptor) or rest:
                        raise
            finally:
                os.close(descriptor)
            if not self._whole:
                store.sync_folder(self.file.parent)  # the file may be new
        self._is_synced = not is_deferred
        self._whole += len(data)
        for entry in entries:
            self._note(cast(Line, entry))  # as it is read back

    def sync_first(self, folder: Path) -> None:
        """Sync the names in a folder before the next line is synced, which tells of what lies there."""
        self._folders.add(folder)

    def _sync_folders(self) -> None:
        for folder in self._folders:
            store.sync_folder(folder)
        self._folders.clear()

    def sync_all(self) -> None:
        """Sync the lines that were deferred, and defer no more. Raises Faults where the disk does not take them."""
        self.defers = False
        self.sync()

    def sync(self) -> None:
        """Sync the lines that were deferred. Raises Faults where the disk does not take them."""
        self._sync_folders()
        if self._is_synced:
            return
        with writing(self.file):
            store.sync_file(self.file)
        self._is_synced = True

    def _takes_back(self, descriptor: int) -> bool:
        """Cut off lines that the disk did not sync, so that nothing reads as done what was told as failed. False where it does not
        even take that: whole lines that stand there count."""
        with suppress(OSError):
            os.ftruncate(descriptor, self._whole)
            return True
        return False

    def tell_once(self, now: datetime, what: str, kingdom: str = "", turn: int = 0, mark: str = "") -> bool:
        """Whether that was not told yet; from now on it was."""
        key = (what, kingdom, turn, mark)
        if key in self.told:
            return False
        self.add("told", now, what=what, kingdom=kingdom, turn=turn, mark=mark)
        return True

    def keep_spare(self, now: datetime) -> None:
        """Write the line that `tell_in_spare` writes over, if it is not there. Raises Faults where the disk does not take it."""
        if not any(what == SPARE for what, *_ in self.told):
            self.tell_once(now, SPARE, GM, mark=NO_DAY)

    def tell_in_spare(self, now: datetime) -> bool:
        """Whether nothing was told so today, when the disk took no line. A full disk lets us write over what stands there: in the spare
        line a day over a day. Where that can't be, it is better told too often than never."""
        key = (SPARE, GM, 0, f"{now:%Y-%m-%d}")
        if key in self.told:
            return False
        with suppress(OSError), open(self.file, "r+b") as stream:
            line = re.search(rf'"what":"{SPARE}".*"mark":"(.{{{len(NO_DAY)}}})"'.encode(), stream.read())
            if line:
                stream.seek(line.start(1))
                stream.write(key[3].encode())
        self.told.add(key)
        return True

    def is_away(self, seat: str, turn: int) -> bool:
        """Whether the seat's player is away in that turn: not reminded, not missing, waited for by nobody."""
        first, last = self.away.get(seat, (0, -1))
        return first <= turn <= last

    def is_anew(self, turn: int) -> bool:
        """Whether readers may have another report of that turn, and the GM goes on with the one that is kept."""
        return any(what == ANEW and number == turn for what, _, number, _ in self.told)

    def note_server(self, now: datetime, what: str, text: str) -> None:
        """Write down that a server could not be used, or without words that it works again. Raises Faults where the disk takes no line.

        While the same goes wrong, a file beside the journal has the last try: a line every five minutes would be too much."""
        failing = self.is_failing(what)
        if text and failing and self.servers[what]["text"] == text:
            with suppress(OSError):  # the last try is not worth a fault
                tried = {**self._tried(), what: now.isoformat(timespec="seconds")}
                store.put_files(self.file.parent, {TRIED: msgspec.json.encode(tried)})
        elif text or failing:
            self.add("server", now, what=what, text=text)

    def is_failing(self, what: str) -> bool:
        """Whether a server could not be used when it was tried last."""
        return what in self.servers and "over" not in self.servers[what]

    def last_tried(self, what: str) -> str:
        """When a server failed last, an ISO time."""
        return max(self.servers[what]["at"], self._tried().get(what, ""))

    def _tried(self) -> dict[str, str]:
        try:
            return msgspec.json.decode((self.file.parent / TRIED).read_bytes(), type=dict[str, str])
        except (OSError, msgspec.MsgspecError):
            return {}

    def reports(self, turn: int) -> list[Line]:
        """The mails with reports of a turn."""
        return [mail for mail in self.mails.values() if mail["turn"] == turn and mail["kind"] == "report"]

    def reported(self, turn: int) -> datetime | None:
        """When the last report of a turn went out, as `last_out` says it."""
        return last_out(self.reports(turn))

    def _read(self) -> list[Line]:
        try:
            data = self.file.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise fault("not_readable", self.file, reason=error.strerror) from None
        self._whole = data.partition(b"\0")[0].rfind(b"\n") + 1  # zeros: a power cut before the lines were synced
        entries = []
        for number, line in enumerate(data[: self._whole].splitlines(), 1):
            try:
                entry = msgspec.json.decode(line, type=dict[str, object])
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                raise fault("journal_line", self.file, number, 1) from None
            if _is_whole(entry):
                entries.append(cast(Line, entry))  # this program wrote it
            else:
                self.amiss.append(number)
        return entries

    def _of_today(self, entries: list[Line], now: datetime | None) -> list[Line]:
        """The lines, with times that are not ahead: what was to come so long after a line still comes so long after it."""
        if now is None:
            return entries
        limit = later = now.isoformat(timespec="seconds")
        for entry in reversed(entries):
            if entry["at"] <= limit:
                later = entry["at"]
                continue
            self.ahead, self.is_anchored = max(self.ahead, entry["at"]), later != limit
            shift = datetime.fromisoformat(entry["at"]) - datetime.fromisoformat(later)
            times = cast(dict[str, str], entry)
            for key in {*_TO_COME} & {*entry}:
                times[key] = (datetime.fromisoformat(times[key]) - shift).isoformat(timespec="seconds")
            for key in {*_CAME} & {*entry}:
                times[key] = min(times[key], later)
        return entries

    def _note(self, entry: Line) -> None:
        """What a line says; a line of an unknown event says nothing."""
        event, seat, turn = entry["event"], entry.get("kingdom", ""), entry.get("turn", 0)
        self._note_message(event, seat, turn, entry)
        self._note_mail(event, entry)
        self._note_seat(event, seat, turn, entry)
        self._note_turn(event, seat, turn, entry)
        self._note_house(event, entry)

    def _note_message(self, event: str, seat: str, turn: int, entry: Line) -> None:
        match event:
            case "taken":
                self.taken.setdefault(entry["message"], entry)
            case "handled":
                self.handled[entry["message"]] = entry
                if seat and entry["code"] not in UNPROVED:
                    self.times.setdefault(seat, []).append(entry["arrived"])
                if entry["outcome"] == "refused" or entry["code"] == "late":
                    self.refused.setdefault(entry["message"], len(self.refused) + 1)
                if entry["outcome"] != "duplicate" and entry["message_id"]:
                    self.ids.add(entry["message_id"])
            case "filing":
                key = seat, turn, entry["receipt"]
                self.filings[key] = max(entry["time"], self.filings.get(key, ""))
                if by := entry.get("by"):
                    self.gms[turn] = {*(self.gms.get(turn, ()) if entry.get("what") == BESIDE else ()), by}
            case "by_hand":
                self.by_hand.setdefault(entry["digest"], entry)
            case "withdraw":
                self.withdrawn[seat, turn] = max(entry["time"], self.withdrawn.get((seat, turn), ""))

    def _note_mail(self, event: str, entry: Line) -> None:
        match event:
            case "queued":
                if self.mails.get(entry["mail"], {}).get("fate", "withdrawn") == "withdrawn":
                    older = {} if "about" in entry else _by_its_id(entry["mail"])
                    self.mails[entry["mail"]] = {**older, **entry, "fate": "waits"}
                self.heard |= entry.get("tells", {})
            case "made":
                mail = self._mail(entry)
                mail["to"] = entry["to"]
                if entry["last"]:
                    mail["made"] = entry["at"]
            case "out":
                self._mail(entry)["out"] = entry["at"]
            case "anew":
                mail = self._mail(entry)
                past = ("fate_at", "made", "code", "text", "of", "again", "tries")
                kept = {key: value for key, value in mail.items() if key not in past}
                self.mails[entry["mail"]] = cast(Line, {**kept, "fate": "waits"})
            case "sent" | "failed" | "dropped" | "withdrawn" as fate:
                mail = self._mail(entry)
                mail["fate"], mail["fate_at"] = fate, entry["at"]
                mail.pop("of", None)
                for fact in ("code", "text", "of", "again", "tries"):
                    if fact in entry:
                        mail[fact] = entry[fact]
            case "server" if entry["text"]:
                before = self.servers.get(entry["what"], entry)
                entry["since"] = before.get("since", before["at"]) if "over" not in before else entry["at"]
                self.servers[entry["what"]] = entry
            case "server" if entry["what"] in self.servers:
                self.servers[entry["what"]]["over"] = entry["at"]

    def _note_seat(self, event: str, seat: str, turn: int, entry: Line) -> None:
        match event:
            case "away":
                self.away[seat] = turn, turn + entry["turns"] - 1
            case "resigned":
                self.resigned[seat] = turn
            case "back" | "seated":
                self.away.pop(seat, None)
                self.resigned.pop(seat, None)
            case "invited":
                self.invited[seat] = entry["mark"]
                self.took_over.pop(seat, None)
                self.left.pop(seat, None)
                (self.known.add if entry.get("known") else self.known.discard)(seat)
                if entry.get("left"):
                    self.left[seat] = entry["left"], entry["name"]
                if entry.get("before"):
                    self.took_over[seat] = turn, entry["before"]
                if turn:
                    self.own_from[seat] = turn, entry["at"]

    def _note_turn(self, event: str, seat: str, turn: int, entry: Line) -> None:
        match event:
            case "put_off":
                self.put_off.append((turn, entry["by"]))
                self.asked.add(entry["message"])
            case "hold":
                self.held, self.go_on = turn, (0, 0, "")
            case "go_on":
                self.held, self.go_on = 0, (turn, entry["attempt"], entry["came"])
            case "release":
                self.held, self.released = 0, entry["at"]
                for mail in self.mails.values():
                    if mail["fate"] != "withdrawn":
                        mail["released"] = True  # what is queued later waits for a release of its own
                if "came" in entry:  # by mail, which also lets a turn that waits go on
                    self.go_on = turn, entry["attempt"], entry["came"]
            case "skip":
                self.skipped.setdefault((turn, entry["attempt"]), set()).add(seat)
            case "told":
                self.told.add((entry["what"], seat, turn, entry["mark"]))
                if entry["what"] == "deadline":
                    self.recalls += entry["mark"] == FORMING != self.deadlines.get(turn, FORMING)
                    self.deadlines[turn] = entry["mark"]
                if entry["what"] in (FORMING, FORMED):
                    self.forming = entry["what"] == FORMING

    def _note_house(self, event: str, entry: Line) -> None:
        match event:
            case "replied":
                self.replies.pop(entry["mail"], None)
                self.replies[entry["mail"]] = entry["mark"]
                wish = self.mails.get(entry["mail"], {}).get("request", "")
                if entry["mark"] == "yes" and self.settled.get(wish) in (DECLINED, SILENT):
                    del self.settled[wish]
            case "told" if entry["what"] == LETTERS:
                self.letters.append((entry["at"], entry["mark"], not self.mails))
            case "settled":
                self.settled[entry["mail"]] = entry["outcome"]

    def _mail(self, entry: Line) -> Line:
        """The mail that a line is about; of one whose own line is amiss nothing else is known."""
        at, id = entry["at"], entry["mail"]
        unknown: Line = {"at": at, "mail": id, "kind": "", "kingdom": "", "turn": -1, "to": "", "fate": "waits"}
        return self.mails.setdefault(id, {**unknown, **_by_its_id(id)})


# what a mail is about, as its id begins -> what else its line says, and which word of the id that is
_IN_ID: Mapping[str, Mapping[str, int]] = {
    "report": {"turn": 0, "digest": -1},
    "welcome": {"mark": -2, "digest": -1},
    "farewell": {"handed_on": 0, "mark": -1},
    "reminder": {"turn": 0, "mark": -2},
    "reopened": {"turn": 0, "attempt": -1},
    "undone": {"turn": 0, "attempt": -1},
    "digest": {"turn": 0, "mark": -1},
    "message": {"digest": 0},
    **dict.fromkeys(("deadline", "hold", "seed", "waits", "fails"), {"turn": 0}),
}


def _by_its_id(mail: str) -> Line:
    """What a mail is about, by its id alone: releases before 0.4 did not write it down (`report-0012-SEAT-DIGEST`), and of a mail whose
    own line is amiss nothing else is known."""
    about, *words = mail.split("-")
    try:
        said = {
            key: int(words[place]) if key in ("turn", "attempt") else words[place]
            for key, place in _IN_ID.get(about, {}).items()
        }
    except (IndexError, ValueError):  # no id of ours
        return Line(about="")
    return cast(Line, {"about": about, **said})


_CAME = ("at", "seen", "arrived", "time", "came")  # times at which something was
_TO_COME = ("until", "again")  # times to which something waits
_NEEDS: Mapping[str, tuple[str, ...]] = {  # what a line of an event can't do without
    "taken": ("message", "source", "seen"),
    "handled": (
        "message", "outcome", "code", "reason", "message_id", "from", "subject", "kingdom", "turn", "arrived", "receipt",
    ),
    "filing": ("kingdom", "turn", "receipt", "time"),
    "by_hand": ("digest",),
    "queued": ("mail", "kind", "kingdom", "turn", "to"),
    "made": ("mail", "to", "last"),
    **dict.fromkeys(("out", "sent", "failed", "dropped", "withdrawn", "anew"), ("mail",)),
    "server": ("what", "text"),
    "put_off": ("turn", "by", "message"),
    "away": ("kingdom", "turn", "turns"),
    **dict.fromkeys(("back", "seated"), ("kingdom",)),
    "resigned": ("kingdom", "turn"),
    "withdraw": ("kingdom", "turn", "time"),
    "invited": ("kingdom", "mark"),
    "hold": ("turn",),
    "go_on": ("turn", "attempt", "came"),
    "skip": ("turn", "attempt", "kingdom"),
    "told": ("what", "kingdom", "turn", "mark"),
    "replied": ("mail", "mark"),
    "settled": ("mail", "outcome"),
}  # fmt: skip
# what goes with a key that may be missing
_WITH = {"left": ("name",), "before": ("turn",), "came": ("turn", "attempt")}
_TYPES = {**Line.__annotations__, "tells": dict}  # isinstance takes no dict[str, str]


def _is_whole(entry: Mapping[str, object]) -> bool:
    """Whether a line has the keys of its event, each of its type."""
    event = entry.get("event")
    if not isinstance(event, str) or "at" not in entry:
        return False
    needs = {*_NEEDS.get(event, ()), *(other for key, more in _WITH.items() if key in entry for other in more)}
    if not needs <= entry.keys() or not all(isinstance(value, _TYPES.get(key, object)) for key, value in entry.items()):
        return False
    if not {*_IN_ID.get(str(entry.get("about")), ())} <= entry.keys():
        return False
    if event == calendar.PUT_OFF and not calendar.is_delay(str(entry["by"])):
        return False
    try:
        for key in {*_CAME, *_TO_COME} & entry.keys():
            datetime.fromisoformat(str(entry[key]))
    except ValueError:
        return False
    return True
