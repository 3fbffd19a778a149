"""Reads a subject, or the only line of a reply: its command, its token, its words without either. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from kingdom.mail.headers import without_reply_marks

AS_IT_IS = " as it is"  # behind the reader of a letter: also the lines in it that read as orders
SPAN = r"(?:\d+|an?|one) ?(?:d|days?|h|hours?|m|min|minutes?|w|weeks?)"  # how long a deadline is put off
COMMANDS = {  # a subject's first word -> what may stand behind it
    "status": "", "report": r"\d{0,6}|again", "map": "", "form": "", "advice": "", "rules": "", "schema": "", "help": "", "verify": "", "withdraw": r"\d{0,6}",
    "away": r"\d{0,3}|until .+", "back": "", "resign": "", "to": r"\w+",
    "extend": rf"(?:by |for )?{SPAN}|until .+|back", "hold": "", "release": "", "run": "it", "skip": r"\w+", "accept": r"\d+.*",
    "invite": r".*\S@\S.*",
    "orders": r"(?!)",  # a subject above orders too, so it never stands against them
}  # fmt: skip
GMS = ("extend", "hold", "release", "run", "skip", "accept", "invite")  # of them those of the GM alone
MEANT = {"cancel": "withdraw"}  # words that people try, and what they mean
# somebody's own orders, and what is said of them where they are not to count: `undo my last orders`, `don't run what I sent`. It may be said of
# others, `cancel your orders`
_OWN_ORDERS = re.compile(
    r"\b(?:my|our) (?:[\w'’]+ ){0,2}(?:orders?|moves?|filings?)\b|\b(?:my|the) last (?:orders?|moves?|mail|e-?mail|message|turn)\b"
    r"|\b(?:what|whatever|everything|anything|all) (?:that )?(?:i|we)(?:['’]ve| have)? (?:just )?(?:sent|filed|ordered|mailed|submitted)\b",
    re.IGNORECASE,
)
_NOT_TO_COUNT = re.compile(
    r"\b(?:undo|cancel|withdraw|revoke|retract|rescind|revert|recall|scrap|delete|drop|remove|forget|ignore|disregard|discard|void|strike|kill|reset"
    r"|annul|roll back|take back|never ?mind|(?:do not|don['’]t) (?:run|count|use|play|file|resolve|execute|carry out))\b"
    r"|\b(?:are|is|be) (?:now )?(?:cancell?ed|void|withdrawn|revoked)\b",
    re.IGNORECASE,
)
_OF_OTHERS = re.compile(r"\b(?:you|your|he|she|his|her|they|their|let)\b", re.IGNORECASE)
# they change nothing
SHOWING = frozenset(("status", "report", "map", "form", "advice", "rules", "schema", "help", "verify", "orders"))
_TOKEN = re.compile(r"\[\s*([A-Za-z0-9-]{4,60})\s*\]")
_BRACKETS = re.compile(r"\[[^\[\]]{0,100}\]")
# what gateways put into a subject in brackets, and lists
_TAG = re.compile(
    r"\[\s*(?:ext|extern\w*|external [\w -]{1,20}|spam\??|suspected spam|bulk|caution|warning|newsletter|suspect)\s*:?\s*\]|\*{3,}\w{1,12}\*{3,}",
    re.IGNORECASE,
)
# `to Ada`, and what people write for it: `To: Ada`, `Letter to Ada`, `messages: to Ada`, `Question to the GM`
_TO = re.compile(
    r"(?:(?:(?:a|my) )?(?:letter|message|mail|e-?mail|note|question) |(?:messages?|letter) ?: ?)?to(?: ?:| ) *(?:the (?=gm\b))?(?P<reader>\S.*)",
    re.IGNORECASE,
)
_I_AM = re.compile(r"i(?: am|['’]m| will be|['’]ll be) (?=away\b)", re.IGNORECASE)
_TILL = re.compile(r"(away )(?:till?|'til)\b", re.IGNORECASE)
_PLEASE = re.compile(r",? please$|^please,? ", re.IGNORECASE)
_NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COUNTED = re.compile(  # `extend two days`, `away for three turns`
    rf"^((?:extend|away) (?:by |for )?)({'|'.join(_NUMBERS[1:])})( (?:day|hour|week|turn)s?)$", re.IGNORECASE
)


def taken_apart(subject: str) -> tuple[str, list[str]]:
    """(the subject without reply marks and what stands in brackets, the words in brackets that may be tokens)."""
    plain = _TAG.sub(" ", subject)
    rest = " ".join(without_reply_marks(" ".join(_BRACKETS.sub(" ", plain).split())).split())
    return rest, _TOKEN.findall(plain)


def plain_subject(subject: str) -> str:
    """The subject as its writer chose it: without reply marks, tokens and whatever else stands in brackets."""
    return taken_apart(subject)[0]


def asked_in(line: str) -> tuple[str, str]:
    """(the command that a line begins with, what stands behind it); the first word where it is none.

    `Status!` is the command, and so is `status?`. A command that changes something, with a question mark, may be a question.
    """
    if letter := _TO.fullmatch(line):
        return "to", letter["reader"]
    bare = _PLEASE.sub("", _TILL.sub(r"\1until", _I_AM.sub("", line.rstrip(" !.:"), count=1), count=1))
    bare = _COUNTED.sub(lambda found: f"{found[1]}{_NUMBERS.index(found[2].lower())}{found[3]}", bare)
    asked = bare.rstrip(" ?")
    bare = asked if asked.partition(" ")[0].lower() in SHOWING else bare
    command, _, argument = bare.partition(" ")
    return (command, argument) if command.lower() in COMMANDS else (line.partition(" ")[0], line.partition(" ")[2])


def _asked_alone(line: str) -> tuple[str, str]:
    """The same of a line without the marks around it, the command in small letters."""
    command, argument = asked_in(line.strip(" \t.:"))
    return command.lower(), argument.strip()


class CommandLine(NamedTuple):
    """A command as the first line of a reply. text: the lines below it, for `to NAME` alone."""

    command: str
    argument: str
    text: str = ""


def command_in(own: str, is_greeting: Callable[[str], bool]) -> CommandLine | None:
    """The command in a reply that holds nothing but greetings, or `to NAME` above a letter; None for any other reply."""
    lines = own.split("\n")
    while len(lines) > 1 and (not lines[0].strip() or is_greeting(lines[0])):
        del lines[0]
    first, rest = lines[0], "\n".join(lines[1:])
    command, argument = _asked_alone(first)
    if command == "to":
        return letter_in(argument, rest)
    takes = "" if command == "orders" else COMMANDS.get(command)
    alone = takes is not None and re.fullmatch(takes, argument.lower()) and (not rest.strip() or is_greeting(rest))
    return CommandLine(command, argument) if alone else None


def gm_command_above(own: str) -> CommandLine | None:
    """A command of the GM as the first line, with the words below it as the text; None for anything else."""
    first, _, rest = own.strip().partition("\n")
    command, argument = _asked_alone(first)
    whole = command in GMS and re.fullmatch(COMMANDS[command], argument.lower()) and rest.strip()
    return CommandLine(command, argument, rest.strip("\n")) if whole else None


def taking_back_above(own: str) -> str:
    """`withdraw` if the first line above words takes orders back, such as `cancel my orders`; "" for any other line."""
    first, _, rest = own.strip().partition("\n")
    return "withdraw" if takes_back(first) and rest.strip() else ""


def takes_back(line: str) -> bool:
    """Whether a line asks that all that is filed be taken back: a word for it alone, or in a sentence."""
    plain = line.strip(" \t.:!")
    is_own = _OWN_ORDERS.search(plain) is not None and _OF_OTHERS.search(plain) is None
    return plain.lower() in ("withdraw", *MEANT) or is_own and _NOT_TO_COUNT.search(plain) is not None


def letter_in(argument: str, rest: str) -> CommandLine | None:
    """A letter: its reader, and the text below, or in the same line behind a colon."""
    reader, colon, text = argument.partition(":")
    if not rest.strip() and colon:
        argument, rest = reader.strip(), text.strip()
    named = argument.lower().removesuffix(AS_IT_IS).split()
    return CommandLine("to", argument, rest.strip("\n")) if rest.strip() and 0 < len(named) <= 3 else None
