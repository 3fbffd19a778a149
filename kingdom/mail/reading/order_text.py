"""Finds what a message wants: the orders in its body, in one fenced block or in one attachment; or the command in its subject.

Nothing that could be an order is left out. A greeting above and a closing below are left out where they name no order and no hex.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from kingdom.engine.problems import nearest
from kingdom.mail.reading import limits, order_lines, reply, sent_back
from kingdom.mail.reading.greetings import trimmed
from kingdom.mail.reading.order_lines import Meant
from kingdom.mail.reading.parting import Readers, address, parted
from kingdom.mail.reading.repairs import TEXTS, Keys, Reads, is_bound, near_key
from kingdom.mail.reading.repairs import parts as parts_of
from kingdom.mail.reading.reply import key_of
from kingdom.mail.reading.subjects import AS_IT_IS, COMMANDS, asked_in, command_in, letter_in, taken_apart
from kingdom.mail.reading.tidying import tidied, with_breaks, without_heading
from kingdom.mail.records import FILE, Found, Headers, Parts, Reply, Words
from kingdom.orders.schema import snake

_TOKEN_KEY = re.compile(
    r"^[\"'{ ]{0,3}token[\"']? {0,3}: {0,3}[\"']?([\w-]{1,200})[\"']?\s*(?:#.*)?$", re.IGNORECASE | re.MULTILINE
)
_ORDERS = re.compile(r"orders\s+(?!(?:turn|round|for)\b)([a-z0-9_]+)\s+(\d{1,9})", re.IGNORECASE)
_TURN = re.compile(
    r"(?:(?:my|our|the) )?(?:(?:orders?|moves?),? (?:for )?)?(?:turn|round) (\d{1,6})(?: (?:orders?|moves?))?",
    re.IGNORECASE,
)
_LONGEST_STRUCK = 200  # characters of what is struck out that an answer quotes
_LINK = re.compile(r"(?<=\S)<(?:tel|callto|sip|mailto|https?):[^<>]{0,1000}>|(?<!\S)tel:[\d+%()-]{3,40}", re.IGNORECASE)
_MOST_TOLD = 5  # pieces of one kind that did not count, each with a sentence
_HASH = re.compile(r"(?<=[\s,\[])#(\d{1,4}\b)")  # `farm #0404`
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})[^`\n]*$")


# Long: the stages of a message, each of which reads what the stage before it left: cut, letters, command, typed orders, sets of orders.
def find(
    headers: Headers,
    parts: Parts,
    keys: Container[str] = (),
    reads: Reads | None = None,
    is_greeting: Callable[[str], bool] = lambda text: False,
    ours: Sequence[str] = (),
    readers: Readers | None = None,
    is_gm: bool = False,
) -> Found:
    """What the message wants. The subject of a reply is no command.

    keys: the top keys of orders, in snake_case. reads: whether a text is orders without a mistake; without `reads` no forgotten
    colon is added. is_greeting: whether a text says no more than thanks and a name. ours: our mails that the message may quote; their
    lines count as nobody's orders. readers: whom a name means; without `readers` no letters are looked for. is_gm: the GM wrote the message.
    """
    replies = [reply.split(with_breaks(text), keys, number > 0) for number, text in enumerate(parts.texts)]
    replies = [one._replace(quoted=sent_back.changed(one.quoted, ours, keys)) for one in replies]
    plain = tidied("\n\n".join(one.own for one in replies))
    written = _unstopped(plain if "orders" in keys else without_heading(plain), keys)  # a key of some games
    subject, tokens = taken_apart(headers.subject)
    said = _ORDERS.fullmatch(subject)
    for_turn = None if headers.is_reply else _TURN.fullmatch(subject)
    letters, own = tuple[Words, ...](), written
    # what begins with `to NAME as it is` is a letter as a whole
    first = written.lstrip().partition("\n")[0].rstrip(" .:").lower()
    as_it_is = first.endswith(AS_IT_IS) or subject.lower().endswith(AS_IT_IS)
    if readers is not None and reads is not None and isinstance(keys, Keys) and not as_it_is:
        addressed = None if headers.is_reply else address(subject, readers, True, is_gm)
        letters, own = parted(written, addressed, readers, keys, reads, is_gm)
    found = Found(
        tokens=(*tokens, *_TOKEN_KEY.findall(written)),
        kingdom=said[1].lower() if said else "",
        turn=int(said[2]) if said else int(for_turn[1]) if for_turn else None,
        text=own,
        own=written,
        meant=own,
        letters=letters,
        passed_over=(
            *_few("You struck this out, so it did not count: `{}`.", (one[:_LONGEST_STRUCK] for one in parts.struck)),
            *_few("This was read as what a program adds: `{}`.", (one for part in replies for one in part.added)),
        ),
        left_out=bool(parts.struck),
    )
    if letters and not own.strip() and not parts.attachments:
        return found._replace(
            left_out=found.left_out or any(one.quoted.strip() for one in replies) and not headers.answered
        )
    if headers.is_reply and (line := command_in(_TOKEN_KEY.sub("", own).strip(), is_greeting)):
        return found._replace(kind="command", command=line.command, argument=line.argument, text=line.text)
    command, argument = ("", "") if letters else asked_in(subject)
    typed = order_lines.meant(own, keys, reads, headers, found.turn) if reads else Meant(own)
    told = tuple(_few("This was read as a remark, and no part of an order: `{}`.", typed.remarks))
    found = found._replace(meant=typed.text, maybe=typed.lines, passed_over=(*found.passed_over, *told))
    changed = set(map(str.strip, own.split("\n"))) - set(map(str.strip, typed.text.split("\n")))
    replies = [_with_colons(one, changed, typed.text) for one in replies]
    sets = _sets(parts, typed.text, keys, bool(said))
    quoted = tidied("\n".join(one.quoted for one in replies))
    # no question, but a subject above them
    stands_above = command.lower() == "orders" and (argument or has_orders(quoted, keys) and not headers.answered)
    if command.lower() in COMMANDS and not said and not headers.is_reply and not stands_above:
        left_out = found.left_out or bool(quoted.strip()) and not headers.answered
        asked = _asked_in_subject(found._replace(left_out=left_out), command, argument, parts, sets, typed.text, keys)
        if asked is not None:
            return asked
    unknown = found._replace(code="unknown_command", command=command, argument=argument.strip())
    readable = not sets and not said and not headers.is_reply and parts.code in ("", "no_text")
    is_alone = bool(command) and not own and not parts.others and not has_orders(quoted, keys)
    if readable and (is_alone or command.lower() not in COMMANDS and nearest(command.lower(), COMMANDS)):
        return unknown
    if parts.code:
        return found._replace(code=parts.code, facts=parts.facts)
    if hashed := _hashed(typed.text, keys):
        return found._replace(code="hash", facts=hashed)
    if reads and typed.cure and (not sets or [one.where for one in sets] == ["the text"] and reads(typed.proposal)):
        facts = {"line": typed.line[:80], "cure": typed.cure, "quoted": typed.proposal}
        if typed.behind:
            return found._replace(code="left_over", facts={**facts, "behind": typed.behind[:80]})
        if typed.no_key:
            return found._replace(code="no_key", facts={**facts, **_no_key(typed.no_key)})
        return found._replace(code="no_colon", facts=facts)
    return _one_of(found, sets, headers, Text(replies, parts.others, reads), keys)


def _asked_in_subject(
    found: Found, command: str, argument: str, parts: Parts, sets: Sequence[Set], typed: str, keys: Container[str]
) -> Found | None:
    """The command that the subject asks for; the problem `two_sets` where orders stand below it; None where the subject is only words
    above the orders."""
    without_token = _TOKEN_KEY.sub("", found.text).strip("\n")
    asked = found._replace(kind="command", command=command.lower(), argument=argument.strip(), text=without_token)
    if asked.command == "to" and (letter := letter_in(asked.argument, without_token)):
        return asked._replace(argument=letter.argument, text=letter.text)
    if asked.command == "to" or not _sets(parts, _TOKEN_KEY.sub("", typed).strip("\n"), keys):
        return asked
    if re.fullmatch(COMMANDS[asked.command], asked.argument.lower()):
        where = f"the subject `{asked.command}`, {_where(sets)}"
        return found._replace(left_out=bool(parts.struck), code="two_sets", facts={"where": where})
    return None


def _few(sentence: str, pieces: Iterable[str]) -> Iterator[str]:
    """The sentence for each of the first pieces, then a sentence with the number of the other pieces."""
    told = list(dict.fromkeys(pieces))
    yield from (sentence.format(one) for one in told[:_MOST_TOLD])
    if len(told) > _MOST_TOLD:
        yield f"The same is so of {len(told) - _MOST_TOLD} more."


def _no_key(lines: Mapping[str, str]) -> dict[str, str]:
    """The facts of lines among orders that begin with no word of an order: the lines, and how they would be written as orders."""
    known = [f"`{order}`" for order in lines.values() if order]
    unknown = [f"`{line[:80]}`" for line, order in lines.items() if not order]
    cures = [f"Write {_and(known)}."] if known else []
    if unknown:
        what = f"{_and(unknown)} {'is' if len(unknown) == 1 else 'are'}" if known else "What was not understood is"
        cures.append(f"{what} left out below.")
    return {"lines": _and([f"`{line[:80]}`" for line in lines]), "cure": " ".join(cures)}


def _and(said: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(said[:-1]), said[-1])))


def _unstopped(text: str, keys: Container[str]) -> str:
    """The text without what people and programs add to an order: the full stop of a phone, a semicolon, and links, `0404<tel:0404>`.
    Words that others are to read keep theirs."""

    def is_order(line: str) -> bool:
        key = snake(line.partition(":")[0].lstrip("- "))
        return key in keys and key not in TEXTS and not line.endswith("..")

    def bare(line: str) -> str:
        key = parts_of(line[: limits.LINE], keys)[0] if _LINK.search(line) else ""
        line = _LINK.sub("", line) if key and key not in TEXTS else line
        return line[:-1] if line.endswith((".", ";")) and ":" in line and is_order(line) else line

    return "\n".join(map(bare, text.split("\n")))


def _hashed(text: str, keys: Container[str]) -> dict[str, str]:
    """The facts of an order in which a number stands behind `#`, so that YAML takes it for a comment: the line, the line without the
    mark, and all orders without such marks; {} where there is none."""
    lines = text.split("\n")
    cures = {  # inside quotes it is a letter like any other
        index: _HASH.sub(r"\1", line)
        for index, line in enumerate(lines)
        if key_of(line) in keys and not {'"', "'"} & {*line}
    }
    index = next((index for index, cure in cures.items() if cure != lines[index]), -1)
    if index < 0:
        return {}
    cured = "\n".join(cures.get(at, line) for at, line in enumerate(lines))
    return {
        "line": lines[index].strip()[:80],
        "cure": cures[index].strip()[:80],
        "quoted": orders_in(cured, keys, True),
    }


def _with_colons(one: Reply, changed: Container[str], typed: str) -> Reply:
    """The reply. If one of the changed lines stands inside a quote, that line counts as an order inside the quote, too: it was read as an
    order though it does not look like one."""
    inside = next((line.strip() for line in one.between if line.strip() in changed), "")
    return one._replace(inside=inside[:80], meant=typed) if inside and not one.inside else one


class Set(NamedTuple):
    """A set of orders: where it stands, its text, and the file name that problems give it."""

    where: str
    text: str
    file: str


class Text(NamedTuple):
    """The texts of a message. replies: each text, its own words apart from quoted ones; others: the names of the attached files that hold
    no orders; reads: as in `find`."""

    replies: Sequence[Reply]
    others: tuple[str, ...]
    reads: Reads | None

    def joined(self, part: Callable[[Reply], str]) -> str:
        """The same part of all texts, joined."""
        return tidied("\n".join(filter(None, map(part, self.replies))))

    def passed_over(self) -> tuple[str, ...]:
        """A sentence that the order below the rule of a signature did not count; () where no line there can only be an order."""
        line = next((one.below for one in self.replies if one.below), "")
        key, _, argument = line.partition(":")
        sure = line and (not self.reads or self.reads(line) and is_bound(key, argument, self.reads))
        return (f"In your signature stands what looks like an order. It did not count: `{line}`.",) if sure else ()


def _where(sets: Sequence[Set]) -> str:
    more = f" and {len(sets) - _MOST_TOLD} more" if len(sets) > _MOST_TOLD else ""
    return ", ".join(one.where for one in sets[:_MOST_TOLD]) + more


def _sets(parts: Parts, own: str, keys: Container[str], declared: bool = False) -> list[Set]:
    """The sets of orders in the body and the attachments.

    A text without any key of orders is a set only where there is no other set, and where a key is nearly right or the subject says
    that it holds orders.
    """
    blocks, outside = fenced(own)
    texts = ((one.name, one.data.decode("utf-8", "surrogateescape")) for one in parts.attachments)
    attached = [Set(f"the attachment {name}", text, name) for name, text in texts]
    sets = [Set("a fenced block", block, FILE) for block in blocks] + attached
    if has_orders(outside, keys) or (sets and _has_nearly_orders(outside, keys)):
        sets.append(Set("the text", own if not blocks else outside, FILE))
    elif not sets and top_keys(outside) and (declared or _has_nearly_orders(outside, keys)):
        sets.append(Set("the text", own, FILE))
    if len(sets) > 1:  # a .txt that a server or a program added is no set
        return [one for one in sets if not one.file.lower().endswith(".txt") or has_orders(one.text, keys)] or sets
    if sets and not has_orders(outside, keys) and sets[0].file.lower().endswith(".txt"):
        return sets if reply.split(sets[0].text, keys).own.strip() else []
    return sets


def _one_of(found: Found, sets: Sequence[Set], headers: Headers, text: Text, keys: Container[str]) -> Found:
    """What was found, with the only set of orders; a problem where there is none. Two sets are refused, even where one could be preferred."""
    if len(sets) > 1:
        return found._replace(code="two_sets", facts={"where": _where(sets)})
    inside = next((one.inside for one in text.replies if one.inside), "")
    if sets and inside and sets[0].file == FILE:
        meant = orders_in(text.joined(lambda one: one.meant), keys, all_of_them=True)
        return found._replace(code="unclear", facts={"line": inside, "quoted": meant})
    if sets and any("\ud800" <= character <= "\udfff" for character in sets[0].text):
        return found._replace(code="file_encoding", facts={"name": sets[0].file})
    in_text = bool(sets) and sets[0].where == "the text"
    inner = trimmed(sets[0].text, headers, found.turn, keys) if in_text else sets[0].text if sets else ""
    if sets and (inner.strip() or not in_text):
        passed_over = (*found.passed_over, *text.passed_over())
        return found._replace(kind="orders", text=inner, file=sets[0].file, passed_over=passed_over)
    quoted = text.joined(lambda one: one.quoted)
    if has_orders(quoted, keys):
        meant = orders_in(text.joined(lambda one: one.meant), keys, all_of_them=True) or orders_in(quoted, keys)
        return found._replace(code="only_quoted", facts={"quoted": meant})
    if text.others:
        return found._replace(code="other_file", facts={"name": text.others[0]})
    return found._replace(code="no_orders")


# --- texts


def fenced(text: str) -> tuple[list[str], str]:
    """(the insides of the fenced blocks, the text without the blocks). A fence that is not closed goes on to the end."""
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
    in_braces = re.match(r"\s*\{\s*[\"']?(\w{1,30})[\"']?\s*:", text)  # as programs write them
    first = [in_braces[1].lower()] if in_braces else []
    return any(key in keys for key in (*first, *top_keys(text)))


def _has_nearly_orders(text: str, keys: Container[str]) -> bool:
    """Whether a line begins with what is probably a misspelt key of orders."""
    return any(near_key(key, keys) for key in top_keys(text)[:50])


def orders_in(text: str, keys: Container[str], all_of_them: bool = False) -> str:
    """The first block of orders in a text, or all its orders, without comments: what a link can offer to send."""
    kept: list[str] = []
    goes_on = False
    for line in text.split("\n"):
        begins = key_of(line) in keys and not line.startswith((" ", "-"))
        goes_on = begins or goes_on and (line.startswith((" ", "-", "#")) or not line.strip())
        if goes_on and line.strip() and not line.startswith("#"):
            kept.append(line.rstrip())
        elif kept and not goes_on and not all_of_them:
            break
    return "\n".join(kept)
