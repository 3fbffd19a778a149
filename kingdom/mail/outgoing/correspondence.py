"""Makes letters between people from what one of them wrote, without anybody's address. A plain reply to a letter goes to its writer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kingdom.campaign.campaign import Campaign
from kingdom.engine import names
from kingdom.engine.dice import GM
from kingdom.engine.regex import regex
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing import people
from kingdom.mail.records import Line
from kingdom.mail.tokens import without_tokens

ALL = "all"
LONGEST = 5000  # characters
_AND = regex(r"\s*(?:[,;&+]|\b(?:and|und|et)\b)\s*(?:and\b\s*)?", re.IGNORECASE)
DIGITS = 16  # of the digest of the message that a letter was made of


def seats_for(campaign: Campaign, writer: str, to: str) -> Sequence[str]:
    """The seats, and `gm`, that get a letter; `all` stands for every seat but the writer's."""
    return [seat for seat in campaign.seats if seat != writer] if to == ALL else [to]


def forwarded_text(text: str, campaign: Campaign) -> str:
    """The text of a letter as its readers get it."""
    return without_tokens(text, campaign.settings).strip("\n")[:LONGEST]


def id_of(digest: str) -> str:
    """The beginning of the ids of the mails that forward a message; the reader's seat follows."""
    return f"message-{digest[:DIGITS]}-"


def writer_of(journal: Journal, mail: str) -> str:
    """The seat that wrote the letter in a mail of ours; "" where the mail is no letter."""
    entry = _message(journal, mail)
    return entry["kingdom"] if entry else ""


def has_left(campaign: Campaign, journal: Journal, mail: str) -> bool:
    """Whether the writer of the letter in a mail of ours no longer holds the seat."""
    entry = _message(journal, mail)
    if not entry:
        return False
    return entry["from"].lower() not in map(str.lower, making.addresses(campaign, entry["kingdom"]))


def _message(journal: Journal, mail: str) -> Line | None:
    """The journal's entry of the message that a mail of ours forwards; None where the mail is no letter."""
    letter = journal.mails.get(mail, Line())
    if letter.get("about") != "message":
        return None
    return next((entry for digest, entry in journal.handled.items() if digest.startswith(letter["digest"])), None)


# --- names


def reader_of(campaign: Campaign, word: str) -> str:
    """The seat, `all` or `gm` that a word means: an id, the name of a kingdom or of a player. "" for none, or for several."""
    word = names.compared(word)
    if word in campaign.seats:
        return word
    found = named(campaign).get(word, []) if word else []
    return found[0] if len(found) == 1 else ""


def readers_of(campaign: Campaign, words: str) -> tuple[str, ...]:
    """The seats, `all` or `gm` that one or several names mean, `Ben and Cleo`. () where one of the names is nobody's."""
    one = reader_of(campaign, words)
    found = [one] if one else [reader_of(campaign, word) for word in _AND.split(words.strip())]
    several = len(found) > 1
    return () if "" in found or several and ALL in found else tuple(dict.fromkeys(found))


# `Cleo: ...`, `Dear Cleo,`, `For Cleo: ...`, `To Cleo - ...`, `@Cleo ...`, `tell Cleo ...`; group 1: words before the name, 2 or 3: the name
_OPENS = r"(?:(?:please|pls|bitte|dear|hi|hello|hey|hallo|to|for|an|für|pour|à|para|cc|(?:question|message|letter|note) (?:to|for)|the)\s+){0,3}"
_ADDRESSED = regex(
    rf"\s*({_OPENS})(?:(?:@|tell\s+)(\w{{1,60}})|([^,:;!)\n]{{1,60}}?)\s*(?:[,:;!)\n]|\s[-–—]\s|\Z))", re.IGNORECASE
)


def addressed(campaign: Campaign, text: str) -> str:
    """The reader whose name a letter begins with: a seat, `gm`, or `all` behind a greeting. "" for none, or where several have the name."""
    begun = _ADDRESSED.match(text)
    readers = named(campaign).get(names.compared(begun[2] or begun[3]), []) if begun else []
    return readers[0] if begun and len({*readers}) == 1 and (readers != [ALL] or begun[1]) else ""


_TURNS = regex(r"\A[\s(\[*_]*(?:P\.? ?S\.?:?\s+)?[(\[*_]*", re.IGNORECASE)  # marks that may stand before the name
_ALOUD = regex(r"\s*(?:@|[^,;!\n]{1,60}?:)")  # `@Cleo`, `Cleo:`, which also begin a line within a paragraph


def turned_to(campaign: Campaign, text: str, readers: Sequence[str]) -> tuple[str, str] | None:
    """(a person to whom the letter turns, the line or sentence that turns to them); None where it turns to nobody.

    A letter turns to a person who is neither its writer nor a reader, where a paragraph below the first begins with the person's name, or
    where a sentence begins with `Cleo: ...`, `@Cleo` or `GM, ...`. A letter to all turns only to the GM. A letter to several also turns to
    one of its readers who is told something about another reader, `Cleo: attack Ben`. readers: those of the letter, and the writer.
    """
    lines = text.split("\n")
    for index, line in enumerate(lines[:_MOST_LINES]):
        for at, sentence in enumerate(_SENTENCE.split(line[:_LONGEST_LINE])):
            begun = _TURNS.sub("", sentence, count=1)
            other = addressed(campaign, begun) if len(begun) > 1 and (index or at or _ALOUD.match(begun)) else ""
            apart = not at and not lines[index - 1].strip() or bool(_ALOUD.match(begun)) or at and other == GM
            if apart and other not in ("", ALL, *readers) and (ALL not in readers or other == GM):
                return other, (sentence if at else line).strip()
            if other and (ALL in readers or len(readers) > 2) and _tells_of(campaign, begun, (other, readers[0])):
                return other, (sentence if at else line).strip()
    return None


def _tells_of(campaign: Campaign, sentence: str, but: Sequence[str]) -> bool:
    """Whether a sentence to somebody asks for something about another seat, `Cleo: attack Ben`; not so `Cleo, Ben and I agree`. but: the
    seats that do not count."""
    begun = _ADDRESSED.match(sentence)
    words = [names.compared(word) for word in re.findall(r"\w+", sentence[begun.end() :])] if begun else []
    called = {name: seats for name, seats in named(campaign).items() if not {ALL, GM, *but} & {*seats}}
    if not words or words[0] in called or words[0] in _SPEAKING:
        return False
    return any(f" {name} " in f" {' '.join(words)} " for name in called)


# words with which no request begins
_SPEAKING = ("i", "we", "you", "your", "my", "thank", "thanks", "the", "that", "this", "it")
_SENTENCE = regex(r"(?<=[.!?])\s+")
_LONGEST_LINE = 2000  # characters
_MOST_LINES = 1000  # of a letter


_EVERYBODY = ("everybody", "everyone", "alle", "tous", "todos", "tutti")


def named(campaign: Campaign) -> dict[str, list[str]]:
    """Each name in small letters -> the seats, `all` or `gm` that it may mean."""
    found: dict[str, list[str]] = {}
    players = campaign.settings.players
    called: dict[str, tuple[str, ...]] = {
        ALL: (ALL, *_EVERYBODY, *(("both", "beide") if len(campaign.seats) == 3 else ())),
        GM: (GM, campaign.settings.gm.name),
    }
    called |= {seat: (seat, people.name_of(campaign, seat), players[seat].name) for seat in campaign.seats}
    for reader, words in called.items():
        for name in {names.compared(word): None for word in words}:
            found.setdefault(name, []).append(reader)
    return found
