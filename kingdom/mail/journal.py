"""mail/journal.jsonl: a line for each thing that was done. What is not in it is done again, with the same result.

Events: taken, filing (about to file its orders) and handled of a message; by_hand of a filed file that no message made; queued, sent, failed, dropped and withdrawn
of a mail; put_off of a deadline; away, resigned and seated of a player; hold and release of a turn; told of what is told once. A line that a killed run left half written is cut off by the next.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from kingdom.campaign import store
from kingdom.campaign.errors import fault, writing

NAME = "journal.jsonl"


class Journal:
    """The journal of a campaign's mail, read whole. Only a run that holds the campaign adds to it."""

    def __init__(self, folder: Path):
        """folder: the campaign's `mail`. Raises Faults where the journal is broken."""
        self.file = folder / NAME
        self.taken: dict[str, dict[str, Any]] = {}  # by message
        self.handled: dict[str, dict[str, Any]] = {}
        self.ids: set[str] = set()  # the Message-IDs of what was handled
        self.times: dict[str, list[str]] = {}  # address -> when the messages of it came that were handled
        self.filings: dict[tuple[str, int, str], str] = {}  # (kingdom, turn, receipt) -> the time that "newest" goes by
        self.by_hand: dict[str, dict[str, Any]] = {}  # by the digest of the file
        self.mails: dict[str, dict[str, Any]] = {}  # by mail: its `queued`, with what became of it under `fate`
        self.told: set[tuple[str, str, int, str]] = set()
        self.deadlines: dict[int, str] = {}  # turn -> the deadline that all were told last
        self.asked: set[str] = set()  # the messages by which something was put off
        self.away: dict[str, tuple[int, int]] = {}  # seat -> (from turn, to turn), as its player said
        self.resigned: dict[str, int] = {}  # seat -> the turn
        self.held: int = 0  # the turn that waits for the GM's release, 0 for none
        self.released = ""  # when the GM last released what waits
        self.put_off: list[tuple[int, str]] = []  # (first turn, how long), as the GM asked by mail
        self._whole = 0  # bytes of whole lines
        for entry in self._read():
            self._note(entry)

    def add(self, event: str, now: datetime, **facts: Any) -> None:
        """Write a line, synced to the disk. Raises Faults where the disk does not take it."""
        self.add_all(event, now, [facts])

    def add_all(self, event: str, now: datetime, many: Sequence[dict[str, Any]]) -> None:
        """Write a line for each, all of them synced to the disk at once. Raises Faults where the disk does not take it."""
        entries = [{"at": now.isoformat(timespec="seconds"), "event": event, **facts} for facts in many]
        data = b"".join(msgspec.json.encode(entry) + b"\n" for entry in entries)
        with writing(self.file):
            store.make_folder(self.file.parent)
            descriptor = os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
            try:
                os.ftruncate(descriptor, self._whole)
                os.lseek(descriptor, self._whole, os.SEEK_SET)
                rest = memoryview(data)
                while rest:
                    rest = rest[os.write(descriptor, rest) :]
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            if not self._whole:
                store.sync_folder(self.file.parent)  # the file may be new
        self._whole += len(data)
        for entry in entries:
            self._note(entry)

    def tell_once(self, now: datetime, what: str, kingdom: str = "", turn: int = 0, mark: str = "") -> bool:
        """Whether that was not told yet; from now on it was."""
        key = (what, kingdom, turn, mark)
        if key in self.told:
            return False
        self.add("told", now, what=what, kingdom=kingdom, turn=turn, mark=mark)
        return True

    def reported(self, turn: int) -> datetime | None:
        """When the last report of a turn went out; without a server, when it was put into the outbox. None where there is none."""
        times = [
            str(entry.get("fate_at") or entry["at"])
            for entry in self.mails.values()
            if (entry["kind"], entry["turn"]) == ("report", turn)
        ]
        return datetime.fromisoformat(max(times)) if times else None

    def _read(self) -> list[dict[str, Any]]:
        try:
            data = self.file.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise fault("not_readable", self.file, reason=error.strerror) from None
        self._whole = data.rfind(b"\n") + 1
        entries = []
        for number, line in enumerate(data[: self._whole].splitlines(), 1):
            try:
                entry = msgspec.json.decode(line, type=dict[str, Any])
                entry["at"], entry["event"]  # each line has them
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, KeyError):
                raise fault("journal_line", self.file, number, 1) from None
            entries.append(entry)
        return entries

    def _note(self, entry: dict[str, Any]) -> None:
        event = entry["event"]
        if event == "taken":
            self.taken.setdefault(entry["message"], entry)
        elif event == "handled":
            self.handled[entry["message"]] = entry
            self.times.setdefault(entry["from"], []).append(entry["arrived"])
            if entry["outcome"] != "duplicate" and entry["message_id"]:
                self.ids.add(entry["message_id"])
        elif event == "filing":
            key = entry["kingdom"], entry["turn"], entry["receipt"]
            self.filings[key] = max(entry["time"], self.filings.get(key, ""))
        elif event == "by_hand":
            self.by_hand.setdefault(entry["digest"], entry)
        elif event == "queued":
            self.mails.setdefault(entry["mail"], {**entry, "fate": "waits"})
        elif event in ("sent", "failed", "dropped", "withdrawn"):
            self.mails.setdefault(entry["mail"], {"mail": entry["mail"]}).update(
                fate=event, fate_at=entry["at"], **_fate(entry)
            )
        elif event == "put_off":
            self.put_off.append((entry["turn"], entry["by"]))
            self.asked.add(entry["message"])
        elif event == "away":
            self.away[entry["kingdom"]] = entry["turn"], entry["turn"] + entry["turns"] - 1
        elif event == "resigned":
            self.resigned[entry["kingdom"]] = entry["turn"]
        elif event == "seated":
            self.away.pop(entry["kingdom"], None)
            self.resigned.pop(entry["kingdom"], None)
        elif event in ("hold", "release"):
            self.held = entry["turn"] if event == "hold" else 0
            self.released = self.released if event == "hold" else entry["at"]
        elif event == "told":
            self.told.add((entry["what"], entry["kingdom"], entry["turn"], entry["mark"]))
            if entry["what"] == "deadline":
                self.deadlines[entry["turn"]] = entry["mark"]


def _fate(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: entry[key] for key in ("code", "text", "again", "tries") if key in entry}
