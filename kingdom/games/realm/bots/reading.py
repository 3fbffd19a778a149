"""How bots read a letter: what it proposes or asks, whether it says yes, which hexes it names as taken."""

from __future__ import annotations

import re

# proposal of a letter -> words that show it; the first proposal found counts
PROPOSALS = {
    "peace": ("peace", "truce", "armies at home", "do not attack", "don't attack"),
    "passage": ("passage", "pass through", "cross your land", "cross our land", "way through"),
    "trade": ("caravan", "trade", "merchant"),
}
ANSWERS = ("yes", "no", "terms")  # the first words of an answer; a bot does not answer answers
READ = 2000  # a bot reads so many characters of a letter
_LABEL = re.compile(r"\b(\d\d)[.-]?(\d\d)\b")  # 0412, 04.12, 04-12
_ASKS = re.compile(r"\?|\b(?:name your price|how much|what (?:do you want|would you take))\b")
_TOOK = re.compile(r"\b(took|taken|takes|captured|conquered|occupied|seized|stole|robbed)\b")
_NO_PEACE = re.compile(
    r"(?:n't want|\b(?:no|not want|refuse|refuses|reject|rejects|end|ends|break|breaks|broke)) "
    r"(?:(?:a|any|more|the|this|our|your|to) )*(?:peace|truce)\b"
)  # "We declare war. No peace with you!"
_AGREES = ("yes", "agreed", "we agree", "i agree", "we accept", "i accept")


def is_answer(text: str) -> bool:
    """Whether a letter begins as an answer does."""
    return text[:READ].lower().lstrip().startswith(tuple(f"{word}{sign}" for word in ANSWERS for sign in ":,."))


def proposal_of(text: str) -> str:
    """Return what a letter proposes, "" for nothing that bots understand, and for an answer."""
    if is_answer(text):
        return ""
    said = _NO_PEACE.sub("", text[:READ].lower().replace("\u2019", "'"))
    return next((name for name, words in PROPOSALS.items() if any(word in said for word in words)), "")


def asks(text: str) -> bool:
    """Whether a letter asks something."""
    return _ASKS.search(text[:READ].lower()) is not None and not is_answer(text)


def says_yes(text: str) -> bool:
    """Whether a letter agrees to what was proposed."""
    return text[:READ].lower().lstrip().startswith(_AGREES)


def labels_in(text: str) -> list[str]:
    """Return the hexes that a letter names, each once."""
    return list(dict.fromkeys(f"{column}{row}" for column, row in _LABEL.findall(text[:READ])))


def says_taken(text: str) -> bool:
    """Whether a letter says that land was taken."""
    return _TOOK.search(text[:READ].lower()) is not None


def names(text: str, *called: str) -> bool:
    """Whether a letter has one of these names in it."""
    return any(re.search(rf"\b{re.escape(name)}\b", text[:READ], re.IGNORECASE) for name in called if name)
