"""What proves who writes: a seat's own token, its token of a turn, and the Message-IDs of mails that went to it.

All but the first are made with a key that lies in mail/key and that nobody outside has. A turn's token names its turn,
`12-k7f3qm2p9a`, so that the one seat whose secret fits is found at once. It depends on the seat's own token: one that was
handed on proves nothing any more. It never depends on the seed, which is told at the end.
"""

from __future__ import annotations

import hmac
import os
import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

from kingdom.campaign import lock, modes, store
from kingdom.campaign.campaign import Campaign, Place
from kingdom.campaign.errors import writing
from kingdom.campaign.settings import Settings
from kingdom.engine.dice import GM
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.regex import regex
from kingdom.mail.records import Line

KEY = "key"  # in the folder `mail`
TURN_TOKEN = r"\d{1,6}-[a-z0-9]{10}"
_TURN_TOKEN = regex(rf"(?<![A-Za-z0-9-]){TURN_TOKEN}(?![A-Za-z0-9-])", re.IGNORECASE)
# what looks like a token of one's own in brackets, perhaps a mistyped one: letters and digits; no hex and no name
_IN_BRACKETS = regex(r"\[\s*(?:(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{4,60}|\[\.\.\.\])\s*\]")
_WORD = regex(r"[\[(<{]?\s*(?<![A-Za-z0-9-])([A-Za-z0-9-]{4,60})(?![A-Za-z0-9-])\s*[\])>}]?")
_MASK = "[...]"
THREAD = regex(r"turn-(\d{4,9})-(.+)")  # the id of what all mails to a seat about one turn refer to
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that looks like another
_MARK = 16  # hex digits of a Message-ID that nobody guesses
_LIKE_OURS = regex(rf"[a-z]+-[\w-]+\.[0-9a-f]{{{_MARK}}}")
_unkept: dict[Path, bytes] = {}  # keys of campaigns that have none on the disk: a run that only tells writes nothing


class Shown(NamedTuple):
    """What a word in a message proves: whose it is. turn: of a token of a turn, None of a seat's own."""

    seat: str
    turn: int | None = None


# --- the key


def key_of(campaign: Place) -> bytes:
    """The campaign's key; a new one, which `keep_key` writes, where it has none yet."""
    file = _file(campaign)
    return _written(file) or _unkept.setdefault(file, os.urandom(32).hex().encode())


def keep_key(campaign: Place) -> None:
    """Write the key, if it is not there, before anything that is made with it goes out. Raises Faults.

    It is written where it stays, which every disk can do, by the first process that holds it. A stopped one leaves it empty.
    """
    file = _file(campaign)
    with writing(file):
        if _written(file):
            return
        store.make_folder(file.parent)
        with modes.private(file.parent):
            descriptor = os.open(file, os.O_RDWR | os.O_CREAT | store.AS_IT_IS, 0o666)
        try:
            lock.wait_for(descriptor)
            if not _written(file):  # else another process was first, and what it sent is made with its key
                store.write_over(descriptor, key_of(campaign))
        finally:
            os.close(descriptor)
        store.sync_folder(file.parent)


def _written(file: Path) -> bytes:
    """The key in a file; empty, or zeros after a power cut, is none."""
    try:
        return file.read_bytes().strip(b"\0")
    except FileNotFoundError:
        return b""


def _file(campaign: Place) -> Path:
    return campaign.folder / "mail" / KEY


def _made(key: bytes, *words: str) -> bytes:
    """What nobody makes of these words without the key."""
    return hmac.new(key, "\0".join(words).encode("utf-8", "surrogateescape"), sha256).digest()


# --- tokens


def own_tokens(settings: Settings) -> dict[str, str]:
    """Seat, and `gm`, -> its own token, for those that have one."""
    given = {**{seat: player.token for seat, player in settings.players.items()}, GM: settings.gm.token}
    return {seat: token for seat, token in given.items() if token}


def own_token(campaign: Place, seat: str) -> str:
    """The seat's own token, which holds until the seat is handed on; "" where it has none."""
    return own_tokens(campaign.settings).get(seat, "")


def turn_token(campaign: Place, seat: str, turn: int) -> str:
    """The seat's token of a turn; "" for a seat without a token of its own."""
    own = own_token(campaign, seat)
    return made_for_turn(key_of(campaign), seat, own, turn) if own else ""


def made_for_turn(key: bytes, seat: str, own: str, turn: int) -> str:
    """The token of a turn for a seat whose own is `own`."""
    made = _made(key, "turn", seat, own, str(turn))
    return f"{turn}-" + "".join(_LETTERS[byte % len(_LETTERS)] for byte in made[:10])


def shown_by(campaign: Campaign, words: Iterable[str]) -> list[Shown]:
    """Whose tokens these words are; nothing for a word that is none."""
    given, key = own_tokens(campaign.settings), key_of(campaign)
    return [shown for word in dict.fromkeys(words) if (shown := _shown(given, key, word))]


def with_brackets(campaign: Campaign, seats: Iterable[str], subject: str) -> str:
    """The subject with each token of these seats in brackets, as it is spelled, however it was typed: `status (WJQWY7DU)`."""
    given = {seat: token for seat, token in own_tokens(campaign.settings).items() if seat in seats}
    own, key = {token.lower(): token for token in given.values()}, key_of(campaign)

    def bracketed(found: re.Match[str]) -> str:
        word = found[1].lower()
        token = own.get(word) or (word if _TURN_TOKEN.fullmatch(word) and _shown(given, key, word) else "")
        return f" [{token}] " if token else found[0]

    return _WORD.sub(bracketed, subject)


def _shown(given: Mapping[str, str], key: bytes, word: str) -> Shown | None:
    if re.fullmatch(TURN_TOKEN, word, re.IGNORECASE):
        turn = int(word.partition("-")[0])
        fits = (seat for seat, own in given.items() if _same(made_for_turn(key, seat, own, turn), word.lower()))
        return next((Shown(seat, turn) for seat in fits), None)
    return next((Shown(seat) for seat, token in given.items() if _same(token, word)), None)


def _same(token: str, other: str) -> bool:
    return hmac.compare_digest(token.encode(), other.encode("utf-8", "replace"))


def without_tokens(text: str, settings: Settings) -> str:
    """The text without any token of the campaign, and without what stands where one would: for the log, and for other eyes."""
    words = "|".join(re.escape(token) for token in own_tokens(settings).values()) or r"(?!)"
    text = re.sub(rf"(?<![A-Za-z0-9])(?:{words})(?![A-Za-z0-9])", _MASK, _TURN_TOKEN.sub(_MASK, text))
    return _IN_BRACKETS.sub(_MASK, text)


# --- Message-IDs


def message_id(campaign: Place, mail: str, seat: str, domain: str) -> str:
    """The Message-ID of a mail of ours to a seat: its id, and a mark that nobody guesses and that is dead once the seat is handed on."""
    return f"<{mail}.{_mark(campaign, mail, seat)}@{domain}>"


def is_like_ours(message_id: str, domain: str) -> bool:
    """Whether a Message-ID is made as ours are, by whichever campaign."""
    local, _, theirs = message_id.strip("<>").rpartition("@")
    return theirs.lower() == domain.lower() and _LIKE_OURS.fullmatch(local) is not None


class Ours(NamedTuple):
    """A mail of ours, or the thread of a turn. mail: "" of a thread; turn: the thread's, 0 of a mail."""

    mail: str
    seat: str
    turn: int = 0


def ours(campaign: Place, message_id: str, mails: Mapping[str, Line]) -> Ours | None:
    """The mail of ours that has this Message-ID; None for any other. mails: those that the journal knows, by id."""
    mail, _, mark = message_id.strip("<>").rpartition("@")[0].rpartition(".")
    thread = THREAD.fullmatch(mail)
    seat = thread[2] if thread else mails.get(mail, {}).get("kingdom", "")
    if seat not in (GM, *campaign.seats) or not _same(_mark(campaign, mail, seat), mark):
        return None
    return Ours("", seat, int(thread[1])) if thread else Ours(mail, seat)


def _mark(campaign: Place, mail: str, seat: str) -> str:
    return mark_of(key_of(campaign), mail, own_token(campaign, seat))


def is_mark(house: Place, mail: str, mark: str) -> bool:
    """Whether that is the mark of a mail of a house, whose seats have no tokens."""
    return _same(mark_of(key_of(house), mail, ""), mark)


def mark_of(key: bytes, mail: str, own: str) -> str:
    """The mark in the Message-ID of a mail, or of a thread, to a seat whose own token is `own`."""
    return _made(key, "mail", mail, own).hex()[:_MARK]
