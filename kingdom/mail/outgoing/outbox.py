"""mail/outbox: the mails that wait to be sent, each an .eml file that is named for what it is about. Sent mails lie in mail/sent.

Reports that wait for the GM's release lie apart, in mail/review, so that nobody forwards them too early.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from kingdom.campaign import store
from kingdom.campaign.campaign import Campaign, Place
from kingdom.campaign.errors import fault, writing
from kingdom.campaign.settings import PRIVATE
from kingdom.engine.dice import GM
from kingdom.mail import refusals, tokens
from kingdom.mail.journal import LETTERS, Journal
from kingdom.mail.outgoing import letters
from kingdom.mail.records import Letter, Line

if TYPE_CHECKING:
    from email.message import EmailMessage

ENDING = ".eml"
REVIEW = "review"  # the folder beside the outbox where reports wait for the GM's release
# the code of a dropped mail that no server refused: a person took its file out of the outbox and carried it
TAKEN_OUT = 0


def sends(campaign: Place) -> bool:
    """Whether the campaign sends its mail itself; if not, a person takes the mails out of the outbox."""
    return bool(campaign.settings.mail and campaign.settings.mail.smtp)


def are_unsent(campaign: Place, journal: Journal, reports: Sequence[Line]) -> bool:
    """Whether a turn has reports for players and none of them went out yet, be it that they wait for the GM's release."""
    if not sends(campaign):
        wait = [mail["mail"] for mail in reports if mail["kingdom"] != GM and mail["fate"] == "waits"]
        return bool(wait) and all(is_apart(journal, mail) for mail in wait)
    fates = [mail["fate"] for mail in reports if mail["kingdom"] != GM]
    return bool(fates) and "sent" not in fates and bool({"waits", "failed"} & set(fates))


def folder_of(campaign: Place) -> Path:
    """The folder in which mails wait."""
    return campaign.folder / "mail" / "outbox"


def file_of(campaign: Place, mail: str) -> Path:
    """The file of a mail that waits: in the outbox, or apart for the GM's release."""
    apart = campaign.folder / "mail" / REVIEW / f"{mail}{ENDING}"
    return apart if apart.is_file() else folder_of(campaign) / f"{mail}{ENDING}"


def queue(
    campaign: Place,
    journal: Journal,
    letters: Iterable[Letter],
    now: datetime,
    until: datetime | None = None,
    tells: Mapping[str, str] | None = None,
) -> None:
    """Puts mails into the outbox, but for those that were put there before. Raises Faults where the disk does not take them.

    until: they wait for the GM's release, but no longer than that. tells: the topics of news that they tell the GM.
    """
    new = [letter for letter in letters if not is_queued(journal, letter.id)]
    if not new:
        return
    folder = campaign.folder / "mail" / REVIEW if until and until > now else folder_of(campaign)
    tokens.keep_key(campaign)
    if not journal.mails and campaign.settings.letters != PRIVATE:  # it stood there before anybody got a mail
        journal.add("told", now, what=LETTERS, kingdom=GM, turn=0, mark=campaign.settings.letters)
    with writing(folder):
        store.make_folder(folder)
        files = {f"{letter.id}{ENDING}": letter.data for letter in new}
        store.put_files(folder, files, are_names_synced=False)
    journal.sync_first(folder)
    more: dict[str, object] = {"until": until.isoformat()} if until else {}
    more |= {"tells": dict(tells)} if tells else {}
    journal.add_all("queued", now, [{**_facts(letter), **more} for letter in new])


def _facts(letter: Letter) -> dict[str, object]:
    """The facts in the journal about a mail that is put into the outbox."""
    who: dict[str, object] = {"kingdom": letter.kingdom, "turn": letter.turn, "to": letter.to}
    return {**who, "mail": letter.id, "kind": letter.kind, "about": letter.kind, **letter.more}


def is_queued(journal: Journal, mail: str) -> bool:
    """Whether a mail was put into the outbox and not withdrawn since."""
    return mail in journal.mails and journal.mails[mail]["fate"] != "withdrawn"


def queued(journal: Journal, about: str, **facts: object) -> list[Line]:
    """The mails of a kind, with these facts in the journal, that were put into the outbox and not withdrawn since."""
    wanted = {"about": about, **facts}.items()
    return [mail for mail in journal.mails.values() if wanted <= mail.items() and mail["fate"] != "withdrawn"]


def is_welcomed(journal: Journal, seat: str, digest: str) -> bool:
    """Whether the player got a turn's report with the welcome mail. digest: of the turn."""
    return bool(queued(journal, "welcome", kingdom=seat, digest=digest[:8]))


def waiting(journal: Journal) -> list[Line]:
    """The mails that wait, the oldest first."""
    return [entry for entry in journal.mails.values() if entry["fate"] in ("waits", "failed")]


def is_there(journal: Journal, mail: str) -> bool:
    """Whether a mail's file lies in the outbox. A person who forwards mails by hand takes it away."""
    return is_apart(journal, mail) or (journal.file.parent / "outbox" / f"{mail}{ENDING}").is_file()


def is_apart(journal: Journal, mail: str) -> bool:
    """Whether a mail's file lies apart, for the GM's release."""
    return (journal.file.parent / REVIEW / f"{mail}{ENDING}").is_file()


def put_out(campaign: Campaign, journal: Journal, mail: str, now: datetime) -> None:
    """Moves a report that no longer waits for the release to the mails that are to be sent. Raises Faults where the disk does not take it."""
    if "out" not in journal.mails[mail]:
        journal.add("out", now, mail=mail)
    _move(campaign, mail, folder_of(campaign))


def put_apart(campaign: Campaign, mail: str) -> None:
    """Moves a report apart that waits for the release, and that an older program put into the outbox."""
    _move(campaign, mail, campaign.folder / "mail" / REVIEW)


def _move(campaign: Campaign, mail: str, folder: Path) -> None:
    file = file_of(campaign, mail)
    with writing(folder):
        store.make_folder(folder)
        os.rename(file, folder / file.name)  # not synced: if a power cut undoes it, the next run does it again


def is_refused(mail: Line) -> bool:
    """Whether a server refused the mail for good. A mail that a person took out of the outbox was not refused."""
    return bool(mail["fate"] == "dropped" and mail.get("code") != TAKEN_OUT)


def spoken_of(mail: Line) -> str:
    """What the words of the server speak of that refused the mail last. Earlier releases did not note this, so it is read from the words."""
    code = mail.get("code", 0)
    return mail.get("of") or refusals.spoken_of(code if isinstance(code, int) else 0, mail.get("text", ""))


def is_carried(mail: Line) -> bool:
    """Whether a person took the mail out of the outbox."""
    return bool(mail["fate"] == "dropped" and mail.get("code") == TAKEN_OUT)


def went_out(campaign: Place, journal: Journal, mail: Line) -> bool:
    """Whether a mail went out: it was sent, or a person took it out of the outbox, be it that no run has noted that yet."""
    taken = not sends(campaign) and mail["fate"] == "waits" and not is_there(journal, mail["mail"])
    return taken or mail["fate"] == "sent" or is_carried(mail)


def kept_back(journal: Journal, now: datetime) -> list[Line]:
    """The reports that wait for the GM's release, or for the end of the time that campaign.yaml gives the GM."""
    there = [entry for entry in waiting(journal) if entry.get("until") and not entry.get("released")]
    return [entry for entry in there if datetime.fromisoformat(entry["until"]) > now]


def due(journal: Journal, now: datetime) -> list[Line]:
    """The waiting mails that are to be sent now. The least tried come first, so that no mail waits for one that never goes through."""
    back = {entry["mail"] for entry in kept_back(journal, now)}
    there = [entry for entry in waiting(journal) if entry["mail"] not in back]
    there = [entry for entry in there if not entry.get("again") or datetime.fromisoformat(entry["again"]) <= now]
    return sorted(there, key=lambda entry: entry.get("tries", 0))


def read(campaign: Place, mail: str) -> bytes | None:
    """The bytes of a mail; None where somebody took the file away. Raises Faults where it can't be read."""
    try:
        return file_of(campaign, mail).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise fault("not_readable", file_of(campaign, mail), reason=error.strerror) from None


def mail_of(campaign: Campaign, mail: str) -> EmailMessage:
    """A mail that waits or was sent; an empty mail where its file is gone."""
    from email import message_from_bytes

    return message_from_bytes(_data_of(campaign, mail), policy=letters.policy())


def text_of(campaign: Campaign, mail: str) -> str:
    """The plain text of a mail that waits or was sent; "" where its file is gone.

    The parts behind the text are not parsed, and headers are read in Python's older way: otherwise this would take as long as everything
    else that is done for a mail.
    """
    from email import message_from_bytes

    data = _data_of(campaign, mail)
    begins = data.find(_PLAIN)
    ends = data.find(f"\n--{letters.boundary(mail)}".encode(), begins) if begins >= 0 else -1
    parts = message_from_bytes(data if ends < 0 else data[: ends + 1]).walk()
    part = next((part for part in parts if part.get_content_type() == "text/plain"), None)
    content = part.get_payload(decode=True) if part and data else b""
    return content.decode("utf-8", "replace") if isinstance(content, bytes) else ""


_PLAIN = b"\nContent-Type: text/plain"


def _data_of(campaign: Campaign, mail: str) -> bytes:
    files = (file_of(campaign, mail), sent_file(campaign, mail))
    return next((store.read(file) for file in files if file.is_file()), b"")


def put_with_the_sent(campaign: Place, mail: str) -> None:
    """Moves a mail that was sent to mail/sent. Raises Faults where the disk does not take it."""
    file, sent = file_of(campaign, mail), sent_file(campaign, mail)
    with writing(sent.parent):
        store.make_folder(sent.parent)
        if file.is_file():
            os.rename(file, sent)  # not synced: if a power cut undoes it, `settle` does it again


def settle(campaign: Place, journal: Journal) -> None:
    """Finishes what a killed run began: mails that it sent are moved, and mails that it withdrew are deleted. Raises Faults where the disk
    does not take it."""
    names: list[str] = []
    for folder in (folder_of(campaign), campaign.folder / "mail" / REVIEW):
        with suppress(FileNotFoundError):
            names += os.listdir(folder)
    for name in names:
        mail = name.removesuffix(ENDING)
        entry = journal.mails.get(mail)
        fate = entry["fate"] if entry else ""
        if fate == "sent":
            put_with_the_sent(campaign, mail)
        elif fate == "withdrawn":
            with writing(file_of(campaign, mail)):
                file_of(campaign, mail).unlink(missing_ok=True)


def withdraw(campaign: Campaign, journal: Journal, mail: str, now: datetime) -> None:
    """Withdraws a mail that waits, so that it is never sent. Raises Faults where the disk does not take it."""
    journal.add("withdrawn", now, mail=mail)
    with writing(file_of(campaign, mail)):
        file_of(campaign, mail).unlink(missing_ok=True)


def note_taken_out(journal: Journal, mail: str, now: datetime) -> None:
    """Notes that a person took a mail that waits out of the outbox."""
    journal.add("dropped", now, mail=mail, code=TAKEN_OUT, text="Its file was taken out of mail/outbox.")


def replace(campaign: Campaign, journal: Journal, letter: Letter, now: datetime) -> None:
    """Replaces a mail that waits by the same mail as it is today, perhaps with another address. Raises Faults where the disk does not take
    it."""
    folder = file_of(campaign, letter.id).parent
    with writing(folder):
        store.put_files(folder, {f"{letter.id}{ENDING}": letter.data})
    if letter.to != journal.mails[letter.id]["to"]:
        journal.add("made", now, mail=letter.id, to=letter.to, last=False)


def is_older(campaign: Campaign, mail: str, than: Path) -> bool:
    """Whether the file of a mail is not newer than another file; False where the mail's file is gone."""
    try:
        return os.stat(file_of(campaign, mail)).st_mtime_ns <= os.stat(than).st_mtime_ns  # clocks of files tick slowly
    except FileNotFoundError:
        return False


def sent_file(campaign: Place, mail: str) -> Path:
    """The file of a mail that was sent."""
    return campaign.folder / "mail" / "sent" / f"{mail}{ENDING}"


def send_again(campaign: Place, journal: Journal, mail: str, now: datetime) -> None:
    """Lets a mail that was refused or came back wait once more. Raises Faults where the disk does not take it."""
    folder, sent = folder_of(campaign), sent_file(campaign, mail)
    if sent.is_file():  # moved before it is noted: if the command is killed in between, `settle` moves the file back
        with writing(folder):
            store.make_folder(folder)
            store.move(sent, folder / sent.name)
    journal.add("anew", now, mail=mail)


def hand_over(journal: Journal, entries: Iterable[Line], now: datetime) -> None:
    """Notes that a server is about to get these mails. From now on each stays the same to the byte."""
    lines = [{"mail": entry["mail"], "to": entry["to"], "last": True} for entry in entries if not entry.get("made")]
    if lines:
        journal.add_all("made", now, lines)
