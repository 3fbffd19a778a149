"""Tells for which campaign of a house a mail is: by the mail that it answers, else by a token, by a name in brackets, by its writer.

The index lies in the house's mail/index.sqlite. It is derived from the settings and the journals of the campaigns, of which a run reads only
the new lines; if it is deleted, it is made again. The entries of a campaign whose settings can't be read just now stay.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from kingdom.campaign import house, settings
from kingdom.campaign.campaign import Unopened
from kingdom.campaign.settings import Settings
from kingdom.engine import names
from kingdom.engine.dice import GM
from kingdom.engine.problems import Faults
from kingdom.mail import journal, tokens
from kingdom.mail.outgoing import letters
from kingdom.mail.reading import parts, reply, subjects
from kingdom.mail.records import Headers

NAME = "index.sqlite"
THREAD, TOKEN, CALLED, LISTED = "thread", "token", "name", "address"  # what a mail goes by, the strongest first
PROVES = (THREAD, TOKEN)  # of them those that prove it
_MOST_TURNS = 200  # turns of which tokens are looked for in one run: a stranger may name any number
_MOST_READ = 1 << 20  # bytes of a mail in whose text a token is looked for
_TABLES = """
create table if not exists campaigns (folder text primary key, stamp text, file text, place integer, name text);
create table if not exists seats (folder text, seat text, token text);
create table if not exists addresses (address text, folder text);
create table if not exists names (name text, folder text);
create table if not exists mails (id text, folder text);
create index if not exists seats_by_folder on seats (folder);
create index if not exists addresses_by_address on addresses (address);
create index if not exists names_by_name on names (name);
create index if not exists mails_by_id on mails (id);
"""
_BRACKETS = re.compile(r"\[([^\[\]]{1,100})\]")
_WORD = re.compile(r"(?<![A-Za-z0-9-])[A-Za-z0-9-]{4,60}(?![A-Za-z0-9-])")
_AROUND = " \t.!\"'`[]<>“”„‘’"  # a name
_SIGNS_OF_KEY = b"token", b"base64"  # in small letters, one of which a mail has that shows a token as a key
_KEY = re.compile(r"^\s*token\s*:\s*[\"']?([A-Za-z0-9-]{4,60})", re.IGNORECASE | re.MULTILINE)


class Fit(NamedTuple):
    """The campaigns that a mail fits, by the names of their folders, and what tells so (`THREAD`, ...); () and "" for a stranger's mail."""

    campaigns: tuple[str, ...] = ()
    by: str = ""


class Index:
    """The index of mails, tokens, names and addresses of a house's campaigns. The caller holds the house."""

    def __init__(self, place: Path):
        """place: the house's folder."""
        self.place = place
        self._keys: dict[str, bytes] = {}
        self._by_turn: dict[int, dict[str, set[str]]] = {}
        self._threads: dict[tuple[int, str], dict[str, set[str]]] = {}
        self._db = _opened(place / "mail" / NAME)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    # --- bringing it up to date

    def renew(self, campaigns: Sequence[Path]) -> None:
        """Reads what is new in these campaigns, and forgets campaigns that are gone."""
        here = {folder.name: folder for folder in campaigns}
        with self._db:
            for (name,) in self._db.execute("select folder from campaigns").fetchall():
                if name not in here:
                    self._forget(name)
            for name, folder in here.items():
                with suppress(OSError):
                    self._renew(name, folder)

    def _renew(self, name: str, folder: Path) -> None:
        stamp = " ".join(_stamp(file) for file in (folder / settings.FILE, self.place / house.FILE))
        known = self._db.execute("select stamp, file, place from campaigns where folder = ?", (name,)).fetchone()
        if known is None or known[0] != stamp:
            try:
                read, _ = house.settings_of(folder)
            except Faults:  # what was read before stays
                return
            self._forget(name)
            self._db.execute("insert into campaigns values (?, ?, '', 0, ?)", (name, stamp, read.name))
            if read.house:  # else it has a mailbox of its own
                self._note(name, folder, read)
            known = stamp, "", 0
        self._read_journal(name, folder, known[1], known[2])

    def _forget(self, name: str) -> None:
        for table in ("campaigns", "seats", "addresses", "names", "mails"):
            self._db.execute(f"delete from {table} where folder = ?", (name,))

    def _note(self, name: str, folder: Path, read: Settings) -> None:
        place = Unopened(folder, read)
        own = tokens.own_tokens(read)
        self._db.executemany(
            "insert into seats values (?, ?, ?)", [(name, seat, own.get(seat, "")) for seat in (GM, *read.players)]
        )
        listed = {names.address(one) for seat in (GM, *read.players) for one in letters.addresses(place, seat)}
        self._db.executemany("insert into addresses values (?, ?)", [(address, name) for address in listed])
        called = {names.compared(_in_brackets(letters.titled(place, ""))), names.compared(name)}
        self._db.executemany("insert into names values (?, ?)", [(one, name) for one in called])

    def _read_journal(self, name: str, folder: Path, file: str, begin: int) -> None:
        """Notes the mails in the new lines of a campaign's journal."""
        log = folder / "mail" / journal.NAME
        if not log.is_file():
            return
        with open(log, "rb") as stream:
            status = os.fstat(stream.fileno())
            if file != str(status.st_ino) or status.st_size < begin:  # another file
                begin = 0
                self._db.execute("delete from mails where folder = ?", (name,))
            if status.st_size == begin:
                return
            stream.seek(begin)
            data = stream.read()
        whole = data[: data.rfind(b"\n") + 1]
        own = dict(self._db.execute("select seat, token from seats where folder = ?", (name,)).fetchall())
        key = tokens.key_of(Unopened(folder, settings.Settings("", "", "", {})))
        ids = []
        for line in whole.splitlines():
            if b'"queued"' in line and (entry := _queued(line)) is not None and entry.kingdom in own:
                ids.append((f"{entry.mail}.{tokens.mark_of(key, entry.mail, own[entry.kingdom])}", name))
        self._db.executemany("insert into mails values (?, ?)", ids)
        self._db.execute(
            "update campaigns set file = ?, place = ? where folder = ?", (str(status.st_ino), begin + len(whole), name)
        )

    # --- what fits

    def answered(self, message_id: str) -> set[str]:
        """The campaigns whose mail, or whose thread of a turn, has a Message-ID."""
        local = message_id.strip("<>").rpartition("@")[0]
        found = self._all("select folder from mails where id = ?", local)
        mail, _, mark = local.rpartition(".")
        thread = None if found else tokens.THREAD.fullmatch(mail)
        if thread is None:
            return found
        turn, seat = int(thread[1]), thread[2]
        if (turn, seat) not in self._threads:
            if len(self._threads) >= _MOST_TURNS:
                return set()
            marks = self._threads[turn, seat] = defaultdict(set)
            for folder, own in self._db.execute("select folder, token from seats where seat = ?", (seat,)).fetchall():
                marks[tokens.mark_of(self._key(folder), mail, own)].add(folder)
        return self._threads[turn, seat].get(mark, set())

    def shown(self, word: str) -> set[str]:
        """The campaigns that have a seat with a token: the seat's own, or that of a turn."""
        word = word.lower()
        if not re.fullmatch(tokens.TURN_TOKEN, word):
            return self._all("select folder from seats where lower(token) = ?", word) if word else set()
        turn = int(word.partition("-")[0])
        if turn not in self._by_turn:
            if len(self._by_turn) >= _MOST_TURNS:
                return set()
            known = self._by_turn[turn] = defaultdict(set)
            for folder, seat, own in self._db.execute(
                "select folder, seat, token from seats where token <> ''"
            ).fetchall():
                known[tokens.made_for_turn(self._key(folder), seat, own, turn)].add(folder)
        return self._by_turn[turn].get(word, set())

    def called(self, text: str) -> set[str]:
        """The campaigns with a name, or whose folder has that name."""
        return self._all("select folder from names where name = ?", names.compared(text))

    def bracket_of(self, folder: str) -> str:
        """The words in brackets that name only one campaign: its name as it stands in subjects, or the name of its folder if another campaign
        has the same name."""
        for name in self.names_of([folder]):
            bracket = _in_brackets(
                letters.titled(Unopened(self.place / folder, settings.Settings(name, "", "", {})), "")
            )
            if self.called(bracket) == {folder}:
                return f"[{bracket}]"
        return f"[{folder}]"

    def listed(self, address: str) -> set[str]:
        """The campaigns on whose lists an address stands."""
        return self._all("select folder from addresses where address = ?", names.address(address)) if address else set()

    def without_tokens(self, text: str) -> str:
        """The text for other eyes: each word that proves a seat of the house is masked."""
        return _WORD.sub(lambda found: "***" if self.shown(found[0]) else found[0], text)

    def names_of(self, campaigns: Iterable[str]) -> list[str]:
        """The names of campaigns, by their folders."""
        rows = dict(self._db.execute("select folder, name from campaigns").fetchall())
        return [rows[folder] for folder in campaigns if folder in rows]

    def _all(self, query: str, value: str) -> set[str]:
        return {folder for (folder,) in self._db.execute(query, (value,))}

    def _key(self, folder: str) -> bytes:
        if folder not in self._keys:
            self._keys[folder] = tokens.key_of(Unopened(self.place / folder, settings.Settings("", "", "", {})))
        return self._keys[folder]


def fit(index: Index, headers: Headers, data: bytes, domain: str, is_named: bool = False) -> Fit:
    """Where a mail goes. A mail that fits several campaigns proves none, unless its subject names one of them in brackets. The same holds for
    the thread of one campaign with the token of another, and for either with the name of another. An answer to a mail of a campaign that is
    no longer here is for none, whatever else its writer plays.

    domain: that of our mails. is_named: the mail answers our question for which campaign an earlier mail is, so only the name decides.
    """
    listed = index.listed(headers.sender)
    names_ = _called(index, headers, data, is_named)
    called = {folder for campaigns in names_ for folder in campaigns}
    if called and is_named:
        return Fit(tuple(sorted(called & listed or called)), CALLED)
    thread = next(filter(None, map(index.answered, (*headers.answered, *headers.bounced_ids))), set())
    shown = _shown(index, headers, data, set() if thread else listed)
    for by, proved, others in ((THREAD, thread, [*names_, *shown]), (TOKEN, set().union(*shown), names_)):
        if proved:  # of two campaigns that are called the same a name is none of another
            more = {folder for campaigns in others if not campaigns & proved for folder in campaigns}
            among = proved & called
            return Fit(tuple(sorted(among if len(among) == 1 and not more else proved | more)), by)
    if called:
        return Fit(tuple(sorted(called & listed if len(called & listed) == 1 else called)), CALLED)
    is_of_another = not is_named and any(tokens.is_like_ours(message_id, domain) for message_id in headers.answered)
    return Fit(tuple(sorted(listed)), LISTED) if listed and not is_of_another else Fit()


def _called(index: Index, headers: Headers, data: bytes, is_named: bool) -> list[set[str]]:
    """The campaigns of each name in brackets in the subject; in an answer to our question also of the name in the first line."""
    called = [campaigns for text in _BRACKETS.findall(headers.subject) if (campaigns := index.called(text))]
    if called or not is_named or len(data) > _MOST_READ:
        return called
    text = next(parts.texts_in(parts.read(data)), "")
    line = next((line for line in reply.split(text).own.splitlines() if line.strip()), "")
    return list(filter(None, [index.called(line.strip(_AROUND))]))


def _shown(index: Index, headers: Headers, data: bytes, listed: set[str]) -> list[set[str]]:
    """The campaigns of each token that a mail shows: in brackets, in a tag, or as a key of its text; a plain word counts only for campaigns that
    list the writer."""
    words = [*subjects.taken_apart(headers.subject)[1], *headers.tags]
    found = [campaigns for word in words if (campaigns := index.shown(word))]
    found = found or [
        campaigns
        for word in (_WORD.findall(headers.subject) if listed else ())
        if (campaigns := index.shown(word) & listed)
    ]
    if found or len(data) > _MOST_READ:
        return found
    plain = data.lower()
    if not any(sign in plain for sign in _SIGNS_OF_KEY):
        return []
    keys = (word for text in parts.texts_in(parts.read(data)) for word in _KEY.findall(text))
    return [campaigns for word in keys if (campaigns := index.shown(word))]


def _in_brackets(title: str) -> str:
    return title.partition("[")[2].partition("]")[0]


class _Queued(msgspec.Struct):
    """The parts of a journal's line that tell a mail's Message-ID."""

    event: str
    mail: str
    kingdom: str


def _queued(line: bytes) -> _Queued | None:
    try:
        entry = msgspec.json.decode(line, type=_Queued)
    except (msgspec.MsgspecError, UnicodeDecodeError):  # of another kind, or amiss, which its campaign says
        return None
    return entry if entry.event == "queued" else None


def _stamp(file: Path) -> str:
    status = os.stat(file)
    return f"{status.st_ino}-{status.st_mtime_ns}-{status.st_size}"


def _opened(file: Path) -> sqlite3.Connection:
    """The index; a new one where the file is no index, since all of it is derived."""
    file.parent.mkdir(parents=True, exist_ok=True)
    db = sqlite3.connect(file)
    try:
        db.executescript(_TABLES)
    except sqlite3.DatabaseError:
        db.close()
        file.unlink(missing_ok=True)
        db = sqlite3.connect(file)
        db.executescript(_TABLES)
    return db
