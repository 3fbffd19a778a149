"""Whether a few words say yes or no to a question of ours. Pure.

An answer counts only if all its words are known: `No objection` is a yes; `Yes, but not now` is neither, and its writer is asked again.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator

from kingdom.mail.reading import limits

YES, NO = "yes", "no"
# phrase -> what it says, "" for a greeting, which says neither; of two that begin alike the longer one counts
_SAID = {
    **dict.fromkeys(
        (
            "yes", "y", "yeah", "yep", "yup", "ok", "okay", "sure", "sure thing", "confirm", "confirmed", "i confirm", "i do", "agree",
            "agreed", "i agree", "accept", "accepted", "i accept", "approve", "approved", "i approve", "granted", "certainly",
            "absolutely", "definitely", "of course", "gladly", "with pleasure", "my pleasure", "by all means", "go ahead", "do it",
            "please do", "welcome", "welcome aboard", "no objection", "no objections", "no objection from me", "no objections from me",
            "i have no objection", "i have no objections", "no problem", "no problems", "no problem at all", "no worries",
            "not a problem", "why not", "i don't mind", "i do not mind", "don't mind", "fine", "fine by me", "fine with me",
            "that's fine", "that is fine", "that's fine by me", "that's fine with me", "that is fine with me", "it's fine", "it is fine",
            "sounds good", "sounds great", "looks good", "all right", "alright", "very well", "that was me", "it was me", "this was me",
            "nothing against it", "be my guest", "i'm in", "i am in", "count me in", "i'll take it", "i will take it",
        ),
        YES,
    ),
    **dict.fromkeys(
        (
            "no", "n", "nope", "nah", "no thanks", "no thank you", "not now", "not this time", "rather not", "i'd rather not",
            "i would rather not", "better not", "please don't", "please do not", "don't", "do not", "decline", "declined", "i decline",
            "refuse", "refused", "i refuse", "denied", "rejected", "no way", "i object", "not me", "that was not me", "that wasn't me",
            "it wasn't me", "it was not me", "no it wasn't", "sorry no",
        ),
        NO,
    ),
    **dict.fromkeys(
        (
            "please", "thanks", "thank you", "thanks a lot", "many thanks", "thx", "cheers", "sorry", "sorry but", "hi", "hello", "dear", "hey", "good morning", "good evening",
            "great", "good", "nice", "happy to", "from me", "from my side", "by me", "with me", "at all", "then", "to her", "to him", "to them",
            "her", "him", "them", "him in", "her in", "them in", "glad to have you", "glad to have them", "indeed", "can join", "may join", "can play",
            "may play", "can have it", "may have it", "can have the seat", "may have the seat", "is welcome", "are welcome", "let", "give it to",
        ),
        "",
    ),
}  # fmt: skip
# words that turn the meaning of the words beside them; they count even if somebody has such a name
_TURNS = frozenset((
    "not", "never", "no", "nobody", "none", "nothing", "neither", "nor", "non", "un", "cannot", "can't", "won't", "don't", "isn't", "aren't",
    "mustn't", "shouldn't", "wouldn't", "hardly", "unless", "until", "without", "if", "but", "only", "wait", "later", "maybe", "perhaps", "against",
))  # fmt: skip
_LONGEST = max(phrase.count(" ") + 1 for phrase in _SAID)
_CLAUSE = re.compile(r"[.,;:!()\n]+|\s[-–—]+\s")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_SIGNS = {"’": "'", "👍": " yes ", "👎": " no "}


def answer(own: str, names: Iterable[str] = ()) -> str:
    """YES or NO, as the first line says that is not just a greeting; "" for neither. names: the people and things that the question is
    about, whose names the answer may hold."""
    passed_over = {word for name in names for word in _WORD.findall(_plain(name))} - _TURNS
    for line in _lines(own):
        found = _found(line, passed_over)
        if found:
            return found.pop() if len(found) == 1 else ""
        if found is None:
            return ""
    return ""


def speaks(name: str) -> bool:
    """Whether a name holds a word that says or turns a yes or a no: a player called `Not` makes no yes of `Not welcome`."""
    words = _WORD.findall(_plain(name))
    return bool(answer(name)) or any(word in _TURNS or word in _SAID for word in words)


def _plain(text: str) -> str:
    for sign, plain in _SIGNS.items():
        text = text.replace(sign, plain)
    return text.lower()


def _found(line: str, passed_over: Container[str]) -> set[str] | None:
    """What the phrases of a line say; None if the line holds an unknown word."""
    line = _plain(line)
    if len(line) > limits.LINE_OF_ANSWER or "?" in line:
        return None
    found: set[str] = set()
    for clause in _CLAUSE.split(line):  # `No. Problem: ...` is no `no problem`
        words = _WORD.findall(clause)
        while words:
            size = next((size for size in range(_LONGEST, 0, -1) if " ".join(words[:size]) in _SAID), 0)
            if not size and words[0] not in passed_over:
                return None
            found.add(_SAID[" ".join(words[:size])] if size else "")
            del words[: size or 1]
    return found - {""}


def _lines(own: str) -> Iterator[str]:
    """The lines, with those joined again that a mail program broke."""
    line = ""
    for next_line in own.splitlines():
        text = next_line.strip()
        if line and (not text or not text[0].islower() or line[-1] in ".!?:;"):
            yield line
            line = ""
        line = f"{line} {text}".strip()
    yield line
