"""Where in a message the orders stand: its body, one fenced block in it, or one attachment; or the command in its subject.

Nothing is left out that could be an order: a greeting above and a closing below are, where they name no order and no hex.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from typing import NamedTuple

from kingdom.engine.problems import nearest
from kingdom.mail.incoming import phrases, reply
from kingdom.mail.incoming.headers import without_reply_marks
from kingdom.mail.incoming.reply import key_of
from kingdom.mail.records import Attachment, Found, Headers, Parts

FILE = "mail"  # what problems call the body
COMMANDS = {  # a subject's first word -> what may stand behind it
    "status": "", "report": r"\d{0,6}|again", "map": "", "form": "", "rules": "", "help": "", "withdraw": r"\d{0,6}",
    "away": r"\d{0,3}|until .+", "back": "", "resign": "", "to": r"\w+",
    "extend": r"\d+ ?[dhm]", "hold": "", "release": "", "run": "it", "skip": r"\w+", "accept": r"\d+.*",
    "orders": r"(?!)",  # a subject above orders too, so it never stands against them
}  # fmt: skip
_TOKEN = re.compile(r"\[\s*([A-Za-z0-9]{4,60})\s*\]")
# what gateways put into a subject in brackets, and lists
_TAG = re.compile(
    r"\[\s*(?:ext|extern\w*|external [\w -]{1,20}|spam\??|suspected spam|bulk|caution|warning|newsletter|suspect)\s*:?\s*\]|\*{3,}\w{1,12}\*{3,}",
    re.IGNORECASE,
)
_TOKEN_KEY = re.compile(
    r"^[\"'{ ]{0,3}token[\"']? {0,3}: {0,3}[\"']?(\w{1,200})[\"']?\s*(?:#.*)?$", re.IGNORECASE | re.MULTILINE
)
_ORDERS = re.compile(r"orders\s+([a-z0-9_]+)\s+(\d{1,9})", re.IGNORECASE)
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})[^`\n]*$")
_BREAKS = re.compile("[\u2028\u2029\x0b\x0c\x85]|\r\n?")
_TIDY = str.maketrans({
    **dict.fromkeys("“”„‟«»＂", '"'), **dict.fromkeys("‘’‚‛", "'"), **dict.fromkeys("\u00a0\u2007\u202f\u2002\u2003\u2009\u3000", " "),
    **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f", ""), "：": ": ", "，": ", ",
})  # fmt: skip
_BULLET = re.compile(r"^([ \t]*)[•‣◦⁃∙·▪▸►●○■–—*\uf0b7][ \t]+(?=\S)", re.MULTILINE)
_CLOSING = frozenset(phrases.CLOSING)
_MOST_GREETING = 6  # lines
_NEAR = 0.8  # from here on, as difflib measures, a word beside a set of orders is taken for a misspelt key


def find(headers: Headers, parts: Parts, keys: Container[str] = ()) -> Found:
    """What the message wants. keys: those that orders have at their top, in snake_case."""
    replies = [reply.split(_BREAKS.sub("\n", text), keys) for text in parts.texts]
    own = tidied("\n".join(one.own for one in replies))
    quoted = tidied("\n".join(one.quoted for one in replies))
    subject, token = _subject(headers.subject)
    said = _ORDERS.fullmatch(subject)
    found = Found(
        token=token or _token_in(own),
        kingdom=said[1].lower() if said else "",
        turn=int(said[2]) if said else None,
        text=own,
    )
    command, _, argument = subject.partition(" ")
    sets = _sets(parts, own, keys)
    stands_above = command.lower() == "orders" and (
        argument or has_orders(quoted, keys)
    )  # no question, but a subject above them
    if command.lower() in COMMANDS and not said and not stands_above:
        without_token = _TOKEN_KEY.sub("", own).strip("\n")
        asked = found._replace(kind="command", command=command.lower(), argument=argument.strip(), text=without_token)
        if asked.command == "to" or not _sets(parts, without_token, keys):
            return asked
        if re.fullmatch(COMMANDS[asked.command], asked.argument.lower()):
            return found._replace(code="two_sets", facts={"where": f"the subject `{asked.command}`, {_where(sets)}"})
    unknown = found._replace(code="unknown_command", command=command, argument=argument.strip())
    readable = not sets and not said and parts.code in ("", "no_text")
    if readable and command.lower() not in COMMANDS and nearest(command.lower(), COMMANDS):
        return unknown
    if readable and command and not own and not headers.is_reply and not parts.others and not has_orders(quoted, keys):
        return unknown
    if parts.code:
        return found._replace(code=parts.code, facts=parts.facts)
    doubt = next((one.doubt for one in replies if one.doubt), "")
    return _one_of(found, sets, headers, Text(own, quoted, doubt, parts.others), keys)


class Set(NamedTuple):
    """A set of orders: where it stands, its text, what problems call it."""

    where: str
    text: str
    file: str


class Text(NamedTuple):
    """The texts of a message, put together: the writer's own, what was quoted, and the line that is in doubt; and the names
    of the attached files that are none of orders."""

    own: str
    quoted: str
    doubt: str
    others: tuple[str, ...]


def _subject(subject: str) -> tuple[str, str]:
    """(the subject without reply marks, tags and token, the token: "" where there is none, or where two differ)."""
    plain = _TAG.sub(" ", subject)
    tokens = _TOKEN.findall(plain)
    rest = " ".join(without_reply_marks(" ".join(_TOKEN.sub(" ", plain).split())).split())
    return rest, tokens[0] if len(set(tokens)) == 1 else ""


def _token_in(own: str) -> str:
    """The token that the writer's own text has as a key, also where the text can't be read as orders."""
    tokens = set(_TOKEN_KEY.findall(own))
    return tokens.pop() if len(tokens) == 1 else ""


def _where(sets: Sequence[Set]) -> str:
    return ", ".join(one.where for one in sets)


def _sets(parts: Parts, own: str, keys: Container[str]) -> list[Set]:
    """The sets of orders in body and attachments. A text without any key of orders is one only where there is no other."""
    blocks, outside = fenced(own)
    attached = [Set(f"the attachment {one.name}", _attached(one), one.name) for one in parts.attachments]
    sets = [Set("a fenced block", block, FILE) for block in blocks] + attached
    if has_orders(outside, keys) or (sets and _has_nearly_orders(outside, keys)):
        sets.append(Set("the text", own if not blocks else outside, FILE))
    elif not sets and top_keys(outside):
        sets.append(Set("the text", own, FILE))
    if len(sets) > 1:  # a .txt that a server or a program added is no set beside one
        sets = [one for one in sets if not one.file.lower().endswith(".txt") or has_orders(one.text, keys)] or sets
    return sets


def _attached(one: Attachment) -> str:
    return one.data.decode("utf-8", "surrogateescape")


def _one_of(found: Found, sets: Sequence[Set], headers: Headers, text: Text, keys: Container[str]) -> Found:
    """The one set of orders; two are refused, even where one could be preferred."""
    if len(sets) > 1:
        return found._replace(code="two_sets", facts={"where": _where(sets)})
    if sets and text.doubt and sets[0].file == FILE:
        return found._replace(code="unclear", facts={"line": text.doubt})
    if sets and any("\ud800" <= character <= "\udfff" for character in sets[0].text):
        return found._replace(code="file_encoding", facts={"name": sets[0].file})
    if sets:
        inner = trimmed(sets[0].text, headers, found.turn, keys) if sets[0].where == "the text" else sets[0].text
        return found._replace(kind="orders", text=inner, file=sets[0].file)
    if has_orders(text.quoted, keys):
        return found._replace(code="only_quoted", facts={"quoted": orders_in(text.quoted, keys)})
    return (
        found._replace(code="other_file", facts={"name": text.others[0]})
        if text.others
        else found._replace(code="no_orders")
    )


# --- texts


def tidied(text: str) -> str:
    """The text with what word processors and phones make of quotes, blanks and list marks turned back into what was meant;
    blanks that a program put before all lines, or before the first alone, are gone."""
    text = _BULLET.sub(r"\1- ", _BREAKS.sub("\n", text).translate(_TIDY)).strip("\n")
    lines = [line.rstrip() for line in text.split("\n")]
    while lines and not lines[0]:
        del lines[0]
    if not lines or not lines[0].startswith(" "):
        return "\n".join(lines).strip("\n")
    first = len(lines[0]) - len(lines[0].lstrip(" "))
    least = min(len(line) - len(line.lstrip(" ")) for line in lines if line)
    rest = [line[least:] for line in lines[1:]]
    return "\n".join([lines[0][first:], *rest]).strip("\n")


def fenced(text: str) -> tuple[list[str], str]:
    """(the insides of the fenced blocks, the text without them). A fence that is not closed goes on to the end."""
    blocks: list[str] = []
    outside: list[str] = []
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if not fence and mark:
            fence = mark[1]
            blocks.append("")
        elif fence and mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence) and line.strip() == mark[1]:
            fence = ""
        elif fence:
            blocks[-1] += f"{line}\n"
        else:
            outside.append(line)
    return blocks, "\n".join(outside)


def top_keys(text: str) -> list[str]:
    """The words before a colon at the beginning of a line, in snake_case."""
    return [key for line in text.split("\n") if line[:1] not in (" ", "-", "*") and (key := key_of(line))]


def has_orders(text: str, keys: Container[str]) -> bool:
    """Whether a line begins with a key of orders."""
    return any(key in keys for key in top_keys(text)) or any(key in keys for key in _flow_keys(text))


def _flow_keys(text: str) -> list[str]:
    """The first key of orders that are written as one map in braces, as programs write them."""
    found = re.match(r"\s*\{\s*[\"']?(\w{1,30})[\"']?\s*:", text)
    return [found[1].lower()] if found else []


def _has_nearly_orders(text: str, keys: Container[str]) -> bool:
    """Whether a line begins with what is probably a misspelt key of orders."""
    from difflib import get_close_matches

    known = list(keys) if isinstance(keys, (set, frozenset, list, tuple, dict)) else []
    return any(get_close_matches(key, known, 1, _NEAR) for key in top_keys(text)[:50])


def orders_in(text: str, keys: Container[str]) -> str:
    """The first lines of a quoted text that are orders, without its comments: what a link can offer to send."""
    kept: list[str] = []
    for line in text.split("\n"):
        if key_of(line) in keys and not line.startswith((" ", "-")) or kept and line.startswith((" ", "-")):
            kept.append(line.rstrip())
        elif kept and line.strip() and not line.startswith("#"):
            break
    return "\n".join(kept)


# --- greeting and closing


def trimmed(text: str, headers: Headers, turn: int | None, keys: Container[str]) -> str:
    """The text with the greeting above the orders and the closing below them left blank, so that lines keep their numbers.

    A greeting is a few lines above the first key that hold no colon but at a line's end, no word of an order and no digits
    but those of the turn. A closing begins with a formula (`Cheers`), or is the sender's name alone. What is neither stays,
    and the reader says that it is wrong.
    """
    lines = text.split("\n")
    first = next((index for index, line in enumerate(lines) if _begins_orders(line, keys)), len(lines))
    above = [line for line in lines[:first] if line.strip()]
    if len(above) <= _MOST_GREETING and not any(_may_be_order(line, turn, keys) for line in above):
        lines[:first] = [""] * first
    last = _closing(lines, first, headers, keys)
    if not any(_may_be_order(line.lstrip("-/~ "), turn, keys) for line in lines[last : last + 1]) and not any(
        _may_be_more(line, keys) for line in lines[last + 1 :]
    ):
        lines[last:] = [""] * (len(lines) - last)
    return "\n".join(lines)


def _begins_orders(line: str, keys: Container[str]) -> bool:
    """Whether a line begins like orders: with a key, also a misspelt one, a list's mark or a comment."""
    key = key_of(line)
    prose = line.rstrip().endswith(":") and len(line.split()) > 2 and key not in keys
    return bool(key) and not prose or line.lstrip().startswith(("- ", "#", "{", "---"))


def _may_be_order(line: str, turn: int | None, keys: Container[str]) -> bool:
    """Whether a line of a greeting or a closing may be meant as an order: it has a word of one, or digits (a hex)."""
    head = ("gm", "turn", "kingdom", "to", "final") if len(line.split()) > 2 else ("gm",)
    plain = re.sub(rf"\bturn {turn}\b", "", line, flags=re.IGNORECASE) if turn is not None else line
    return (
        _has_word(line, keys, head)
        or line.startswith((" ", "-", "{"))
        or any(character.isdigit() for character in plain)
    )


def _may_be_more(line: str, keys: Container[str]) -> bool:
    """Whether a line below a closing may be an order after all: it has a word of one, is a postscript or an item of a list,
    or has what could be a hex and is nobody's telephone number or address."""
    hexes = re.search(r"(?<!\d)\d{4}(?!\d)", line) and not re.search(
        r"@|www|http|tel|fon|phone|mob|fax|cell|\+\d", line, re.IGNORECASE
    )
    return (
        bool(hexes)
        or _has_word(line, keys, ("gm", "to", "turn", "kingdom"))
        or re.match(r"\s*(?:- |\{|p\.? ?s\b)", line, re.IGNORECASE) is not None
    )


def _has_word(line: str, keys: Container[str], but: Sequence[str]) -> bool:
    return any(word in keys and word not in but for word in re.findall(r"[^\W\d_]+", line.lower()))


def _closing(lines: Sequence[str], first: int, headers: Headers, keys: Container[str]) -> int:
    """The line at which the closing begins, below an order; the number of lines where there is none."""
    names = set(re.findall(r"\w+", f"{headers.name} {headers.sender.partition('@')[0]}".lower()))
    for index in range(first + 1, len(lines)):
        plain = lines[index].strip(" \t,.!;-/~*_").lower()
        if not plain or lines[index].startswith(" "):
            continue
        begun = plain in _CLOSING or "," in lines[index] and plain.partition(",")[0].strip() in _CLOSING
        signed = set(re.findall(r"\w+", plain)) <= names and not any(line.strip() for line in lines[index + 1 :])
        if begun or signed and not any(character in lines[index] for character in ":{["):
            return index
    return len(lines)
