"""Finds orders and commands that slipped into a letter. Pure.

If such a letter were sent on, a rival would read the order, and its writer would think that it is filed. So a mere suspicion is enough
to ask the writer about the letter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from kingdom.mail.reading import limits, line_marks, order_lines, phrases, repairs, thresholds
from kingdom.mail.reading.parting import among, is_built_like_order
from kingdom.mail.reading.repairs import Keys, Reads
from kingdom.mail.reading.reply import key_of
from kingdom.mail.reading.subjects import MEANT, takes_back
from kingdom.mail.reading.terms import COMMAND, ORDER, TYPED, Term

_BRACKETS = re.compile(r"(?:- ?)?(?:[\w -]{1,40}: ?)?[{\[]\s*[\"'{]?\w")  # nobody writes so to people
_MARKS = re.compile(r"[\s>$*•–—+!@-]*(?:\d{1,2}[.)] )?[\s\"'`“‘*_]*")
_GREETING = re.compile(r"(?:hi|hello|hey|dear|hallo)\b[^,;:.!]{0,30}[,;:.!-]\s*(?=\S)", re.IGNORECASE)
_ASKS = re.compile(r"(?:(?:please|pls|plz|kindly|now|just|so|then|ok|okay|bitte)\b,?\s*)+", re.IGNORECASE)
_ASKS_SOMEBODY = re.compile(r"(?:can|could|would|will) (?:you|we|i)\b,?\s*", re.IGNORECASE)
_THANKS = re.compile(r"[\s,.!]*\b(?:please|pls|plz|thanks|thank you|thx|ta|bitte|danke)\b[\s.,!]*\Z", re.IGNORECASE)
# `kingdom undo`, `scripts/kingdom undo`, `.venv/bin/python -m kingdom undo`, `uv run kingdom undo`
_PROGRAM = re.compile(
    r"(?:(?:\S{0,60}/)?(?:python[\d.]{0,5}|py|uv|uvx|pipx|sudo|sh|run|-m)\s+){0,4}(?:\S{0,40}/)?(\w{6,8})(?:\.exe)?\s+(\S.*)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[.;!?](?:\s|\Z)|,\s|\s(?:because|since|as|so|and|but|then|for now)\s|[\"'`”’]\s*\Z", re.IGNORECASE
)
_NAMED = re.compile(r"(?<!\w)\d{4}(?!\w)| (?:in|to|at) \w")  # what an item of a list has: a hex, a town, a kingdom
# `I build an inn in Oakhold`, `For this turn, we want to ...`: what stands behind it may be an order
_ONESELF = re.compile(
    r"(?:(?:so|now|then|next|finally|well|and|for (?:this|next) turn|this turn|next turn),? )?"
    r"(?:let (?:me|us)|(?:could|can|would|will) (?:somebody|someone|anybody)|(?:my|our) (?:orders?|plan|wish) (?:is|are) to|(?:i|we)(?:['’](?:ll|d)|['’](?:m|re)(?= going)| am(?= going)| are(?= going)| will| would| shall| also| want(?= to)| wish(?= to)| hereby| now)?"
    r"(?: also)?(?: (?:hereby|now|(?:like|love|prefer|going|want|wish|have decided) to|order(?: an?)?))?) (?=\w)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!;])\s+|,?\sbut\s(?=(?:i|we)\b)", re.IGNORECASE)
_BECAUSE = re.compile(
    r"[\s,;(]+(?:because|since|so that|as (?:i|we)|weil|da|denn|car|parce que|porque|perché)\b.*|,? this turn[.!]?\Z",
    re.IGNORECASE,
)
_ABROAD = re.compile(  # the same in other languages, and what asks there
    r"(?:bitte|ich|wir|prière de|s['’]il (?:te|vous) plaît|svp|merci de|je|por favor|yo|per favore|io|alsjeblieft|graag|ik|snälla|jag)\b,?\s*(?=\w)",
    re.IGNORECASE,
)
_INFINITIVE = re.compile(r"\w{2,}(?:en|ern|eln|er|ir|re|ar)\Z", re.IGNORECASE)
_ELSEWHERE = ("from", "into", "behind", "to")  # `withdraw from the ford`
_ENDINGS = ("s", "d", "r", "es", "ed", "er", "ing")


Table = Callable[[], Mapping[str, Sequence[Term]]]


class Slip(NamedTuple):
    """An order or a command that may have slipped into a letter. kind: ORDER, COMMAND or TYPED; said: how it would be written, as far as
    that can be told."""

    kind: str
    said: str


class Line(NamedTuple):
    """A line of a letter. core: the line without the politeness around it; is_loose: any few words behind a command's word make it a
    command; the rest as in `slip_in`."""

    text: str
    core: str
    is_loose: bool
    is_told: bool
    keys: Keys
    reads: Reads
    terms: Table


def slip_in(text: str, keys: Keys, reads: Reads, terms: Table, is_told: bool) -> Slip | None:
    """All lines of a text that may be meant as orders, or its first command; None for nothing.

    is_told: another player would read the text, so the beginning of a line is enough for a suspicion. The GM may read anything: a text
    of several lines goes to the GM as it is, and so do orders that stand in sentences.
    """
    every = map(str.strip, text.split("\n")[: limits.LINES_OF_LETTER])
    lines = [line for line in every if 0 < len(line) <= limits.LINE]
    if not is_told and sum(not _is_greeting(line) for line in lines) > 1:
        return None
    first = is_told
    orders: list[str] = []
    for line in lines:
        core, is_asked = _core(line, keys)
        if not is_told and repairs.parts(core, frozenset(keys))[0] not in ("", *phrases.HEAD):
            continue
        whole = Line(line, core, first and not is_asked, is_told, keys, reads, terms)
        slip = next(filter(None, (rule(whole) for rule in sorted(RULES, key=RULES.__getitem__))), None)
        leads = line.endswith((",", ":")) and len(line.split()) <= thresholds.WORDS_OF_COMMAND
        first = first and (leads or _is_greeting(line))
        if slip is not None and slip.kind != ORDER and not orders:
            return slip
        orders += [slip.said] if slip is not None and slip.kind == ORDER else []
    return Slip(ORDER, "\n".join(orders)) if orders else None


def in_letter(text: str, keys: Keys, reads: Reads, terms: Table) -> Slip | None:
    """All lines of a letter that may be orders, or its first command, beside what can be read as an order; None for nothing. The writer
    has named the letter's reader. A line that is a paragraph of its own may be an order or a command though few words follow."""
    lines = _with_items([line.strip() for line in text.split("\n")[: limits.LINES_OF_LETTER]], keys)
    orders: list[str] = []
    for said in islice(_sentences(lines), limits.LINES_OF_LETTER):
        whole = Line(said, _core(said, keys)[0], False, True, keys, reads, terms)
        if taken := _withdraws(whole):
            return taken
        orders += [order.said] if (order := _of_oneself(whole)) else []
    for index, line in enumerate(lines):
        if not 0 < len(line) <= limits.LINE:
            continue
        core, is_asked = _core(line, keys)
        is_alone = not any(lines[max(index - 1, 0) : index]) and not any(lines[index + 1 : index + 2])
        whole = Line(line, core, is_alone and not is_asked, True, keys, reads, terms)
        slip = _of_oneself(whole) or _line_in_letter(whole, is_alone)
        if slip is not None and slip.kind != ORDER and not orders:
            return slip
        orders += [slip.said] if slip is not None and slip.kind == ORDER else []
    return _slip(*dict.fromkeys("\n".join(orders).split("\n")))


def _line_in_letter(whole: Line, is_alone: bool) -> Slip | None:
    """The order or the command that a line inside a letter may be by its first words; None where a sentence goes on in the line."""
    slip = _begun(whole) if whole.core else None
    words = whole.core.lower().strip(".!").split()
    known = whole.terms().get(words[0], ()) if words else ()
    if slip is not None and (words[1:2] and words[1] in _ELSEWHERE or slip.kind != ORDER and whole.text.endswith(",")):
        slip = None  # of the second kind is a line inside a sentence, `orders for turn 3 are due on Sunday,`
    if slip is not None and (slip.kind != ORDER or not known and len(words) <= thresholds.WORDS_OF_COMMAND):
        return slip
    if is_alone and len(words) == 1 and words[0].isalpha():
        meant = whole.terms().get(words[0] if known else repairs.near_key(words[0], whole.keys), ())
        if any(term.kind == ORDER and term.theirs for term in meant):
            return Slip(ORDER, whole.core)
    return None


def _with_items(lines: Sequence[str], keys: Keys) -> list[str]:
    """The lines; the items below a key stand behind it in one line: `build:`, `- library in Harrowbridge`."""
    made: list[str] = []
    for line in lines:
        if made and key_of(made[-1]) in keys and line.startswith("- "):
            made[-1] += f"{'' if made[-1].endswith(':') else ','} {line_marks.item(line)}"
        else:
            made.append(line)
    return made


def _sentences(lines: Sequence[str]) -> Iterator[str]:
    """The sentences of a letter, whose paragraphs may run over several lines. `but I ...` begins a sentence of its own."""
    for paragraph in "\n".join(lines).split("\n\n"):
        for said in _SENTENCE.split(paragraph.replace("\n", " ")):
            if 0 < len(said) <= limits.LINE:
                yield said


def _of_oneself(whole: Line) -> Slip | None:
    """The order in a sentence in which the writers say what they do, `I'd like to farm 0403`, or ask nobody in particular to do it, `Bitte
    0809 beanspruchen, weil ...`; None where the sentence speaks to somebody or holds no order."""
    said = _BECAUSE.sub("", _MARKS.sub("", whole.text, count=1)).rstrip(" .!")
    core, keys, reads = _core(said, whole.keys)[0], whole.keys, whole.reads
    if not whole.is_told or "?" in (said[-1:], core[-1:]):
        return None
    if lead := _ONESELF.match(core):
        rest = core[lead.end() :]
        if not phrases.TO_PERSONS.isdisjoint(re.findall(r"[\w'’]+", rest.lower())):
            return None
        orders = order_lines.may_be_orders(rest, keys, reads) or order_lines.in_prose(rest, keys, reads).orders
        if not orders and not rest.endswith("next turn") and is_built_like_order(rest, keys):
            orders = [rest]
        return _slip(*orders) or _item(whole._replace(core=rest))
    if not (lead := _ABROAD.match(said)):
        return None
    words = re.findall(r"[\w'’]+", said[lead.end() :].lower())
    if not 1 < len(words) <= thresholds.WORDS_LIKE_ORDER or not phrases.PERSONS_ABROAD.isdisjoint(words):
        return None
    is_short = len(words) < thresholds.WORDS_OF_PLACE
    built = is_short or _INFINITIVE.search(said) or _INFINITIVE.fullmatch(words[0])
    terms = (term for meant in whole.terms().values() for term in meant if term.kind == ORDER and term.theirs)
    taken = {word for term in terms for word in (term.key, *term.takes.words)}
    place = phrases.LABEL.search(said) or any(name in said.lower() for name in keys.called)
    return Slip(ORDER, whole.text) if built and (place or not taken.isdisjoint(words)) else None


def _withdraws(whole: Line) -> Slip | None:
    """The command `withdraw` where the writers say that they take back what they filed; None where they do not, or may not."""
    said = any(map(takes_back, (whole.core, *_SENTENCE.split(whole.text))))
    can = any(term.theirs for term in whole.terms().get("withdraw", ())) if said else False
    return Slip(COMMAND, "withdraw") if can else None


def _is_greeting(line: str) -> bool:
    """Whether a line only greets or thanks."""
    return all(word.lower() in phrases.GREETINGS | phrases.WITH_GREETINGS for word in re.findall(r"[^\W\d_]+", line))


def _core(line: str, keys: Keys) -> tuple[str, bool]:
    """(the line without marks of lists, greeting and politeness, whether it asks somebody to do something)."""
    plain = _GREETING.sub("", _MARKS.sub("", line_marks.bare(line, keys), count=1), count=1)
    asked = _MARKS.sub("", _ASKS.sub("", plain, count=1) if _ASKS.match(plain) else plain, count=1)
    plain = _THANKS.sub("", asked) or asked
    polite = _ASKS_SOMEBODY.match(plain)
    return (_ASKS.sub("", plain[polite.end() :], count=1), True) if polite else (plain, False)


def _called(line: str, terms: Mapping[str, Sequence[Term]]) -> Slip | None:
    """The command behind the word `kingdom`, spelt right or wrong; None where there is none."""
    words = line.split()
    if words[0].startswith("-"):  # an option, such as --help
        return Slip(TYPED, line)
    for count in (2, 1):
        word = "_".join(words[:count]).lower().strip(".,:;!?'\"`")
        for known, meant in terms.items():
            if _is_misspelt(word, known, True):
                term = next((one for one in meant if one.kind != ORDER), meant[0])
                return Slip(term.kind, " ".join([term.word, *words[count:]]).rstrip(".!"))
    return None


def _begun(whole: Line) -> Slip | None:
    """The order or the command that a line begins with, by its first word or two. The words behind must be such as it takes, or few and
    none of them spoken to a person."""
    line, terms = whole.core, whole.terms()
    words = line.split()
    if (called := _PROGRAM.fullmatch(line)) and _is_misspelt(called[1].lower(), "kingdom", True):
        return _called(called[2], terms)
    for count in (2, 1) if len(words) > 1 else (1,):
        typed = "_".join(words[:count]).lower().strip(".,:;!?'\"`").replace("-", "_")
        behind = line.split(maxsplit=count)[count] if len(words) > count else ""
        exact = terms.get(typed, ())
        alike = [] if exact else [one for known in terms if _is_misspelt(typed, known) for one in terms[known]]
        # nobody misspells an order that isn't theirs: `change 2`
        near = [one for one in alike if one.theirs or one.kind != ORDER]
        for term in (*exact, *near):
            is_key = ":" in words[count - 1] and term.kind == ORDER and term.theirs
            if is_key or _is_meant(term, words[count - 1], typed, behind, whole.is_loose, line.endswith("?")):
                said = f"{term.word}{':' * is_key} {behind}".strip().rstrip(".!")
                is_order = term.kind == ORDER
                if term.kind == COMMAND and term.alone and not term.fits(behind.lower().split()):
                    said = term.word  # what stands behind it is no part of it, so that it can be sent as it is offered
                return Slip(term.kind, _written(said, whole) if is_order else MEANT.get(term.word, said))
    return None


def _announced(line: Line) -> Slip | None:
    """The order or the command behind a few words and a colon."""
    lead, _, behind = map(str.strip, line.core.partition(":"))
    if not line.is_told or not behind or len(lead.split()) > thresholds.WORDS_OF_LEAD or behind.endswith("?"):
        return None
    line = line._replace(core=_core(behind, line.keys)[0], is_loose=False)
    return _order(line) or _begun(line)


def _is_meant(term: Term, last: str, typed: str, behind: str, is_loose: bool, is_question: bool) -> bool:
    """Whether the word of a term, right or misspelt, begins an order or a command. typed: the word; last: its last part as it was typed."""
    near = typed.replace("_", " ") != term.word.replace("_", " ")
    said = behind.lower().replace("’", "'").split()[: thresholds.WORDS_BEHIND]
    until = next((at for at, word in enumerate(said) if word.strip(".,;:!?") in phrases.TO_PERSONS), len(said))
    if term.fits(said[:until]):
        return True
    is_whole = not behind or last.endswith((",", ".", ";", "!")) and until == len(said)
    clause = [] if is_whole else _CLAUSE.split(f"{behind} ", maxsplit=1)[0].split()
    few = 0 < len(clause) <= thresholds.WORDS_OF_COMMAND and until >= min(len(clause), len(said))
    if not clause:
        return term.alone and (term.kind != ORDER or is_loose and term.theirs)
    if near and (
        len(term.word) < thresholds.LETTERS_OF_SLIP or typed.endswith(_ENDINGS) and not term.word.endswith(_ENDINGS)
    ):
        return False
    return is_loose and few and term.theirs and not is_question


def _item(whole: Line) -> Slip | None:
    """The order of a line that is an item of a list but does not name the list's key, `First Foot to 0405`; None for any other line."""
    line = whole.core
    words = line.lower().split()
    said = line.endswith("?") or not phrases.TO_PERSONS.isdisjoint(words)
    if not whole.is_told or said or not 1 < len(words) <= thresholds.WORDS_BEHIND or not _NAMED.search(line):
        return None
    return _slip(order_lines.with_key(line.rstrip("."), whole.keys, whole.reads))


def _in_parts(line: Line) -> Slip | None:
    return _slip(*among(line.text, line.keys, line.reads)) if line.is_told else None


def _slip(*orders: str) -> Slip | None:
    return Slip(ORDER, "\n".join(orders)) if any(orders) else None


def _written(said: str, line: Line) -> str:
    """How an order would be written, as far as that can be told."""
    key, argument, _ = repairs.parts(said, line.keys)
    listed = f"[{argument}]" if argument.startswith("{") else argument
    return (repairs.fixed(key, argument, line.reads, True) or f"{key}: {listed}") if key else said


def _is_misspelt(word: str, known: str, also_right: bool = False) -> bool:
    """Whether a word is the known word with one letter too many, too few or wrong, or with two letters swapped."""
    if word == known:
        return also_right
    if len(known) < thresholds.LETTERS_MISSPELT or abs(len(word) - len(known)) > 1:
        return False
    at = next(
        (at for at, (one, other) in enumerate(zip(word, known, strict=False)) if one != other),
        len(min(word, known, key=len)),
    )
    rest, right = word[at:], known[at:]
    swapped = rest[1::-1] + rest[2:] == right
    # of a short word any other letter makes another word, and so do its ends: `for` is no `form`
    is_long = len(known) > thresholds.LETTERS_MISSPELT
    more = rest[1:] == right and (is_long or at > 0 and rest[:1] == word[at - 1])
    less = rest == right[1:] and (is_long or at > 0 and (at < len(known) - 1 or known[at] == known[at - 1]))
    return swapped or more or less or is_long and rest[1:] == right[1:]


def _order(whole: Line) -> Slip | None:
    """The order that a line may be: it is built like an order, or begins with a key, right or misspelt, and words that the key takes."""
    line, keys, reads = whole.core, whole.keys, whole.reads
    key, argument, colon = repairs.parts(line, keys)
    if colon:
        return _slip(line)
    if _BRACKETS.match(line):
        return _slip((key and repairs.fixed(key, argument, reads, False)) or line)
    if not key:
        word = key_of(line)
        first, _, rest = line.partition(":" if word else " ")
        key, argument, colon = repairs.near_key(word or first.lower(), keys), rest.strip(), bool(word)
    if not key or key in phrases.HEAD:
        return None
    if colon:
        return _slip(f"{key}: {argument}")
    return _slip(repairs.fixed(key, argument, reads, False)) or _slip(*order_lines.in_prose(line, keys, reads).orders)


# a rule -> its rank: rules that read all of a line come before rules that read little of it
RULES = {_withdraws: 0, _order: 1, _item: 2, _in_parts: 3, _of_oneself: 4, _begun: 5, _announced: 6}
