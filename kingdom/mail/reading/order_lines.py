"""Orders as people typed them -> orders as the reader of orders takes them, line by line.

`improve farm 0412`, `- improve: farm 0412`, `Improve: farm in 0412`, `improve: farm 0412; taxation: light` all mean one thing. A line is
changed only if the text can't be read as it stands, and only if the line can mean nothing else. Where that is not sure, nothing is
changed, and the answer suggests the order.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import NamedTuple

from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.engine.dice import GM
from kingdom.engine.problems import by_stem
from kingdom.mail.reading import limits, line_marks, phrases, repairs, terms, thresholds
from kingdom.mail.reading.changes import rest_stays
from kingdom.mail.reading.greetings import trimmed
from kingdom.mail.reading.repairs import Keys, Reads
from kingdom.mail.reading.reply import key_of
from kingdom.mail.records import Headers
from kingdom.orders import orders_file
from kingdom.orders.schema import ListOf, Seats, Short, snake

_WORD = re.compile(r"[^\W\d_][^\s,]*")
_COMMENT = re.compile(r"\s*(?:;|//)\s*\w")
_CAPITAL = re.compile(r"\b(in|at|from) (?:(?:the|my|our) )?capital\b(?! *:)", re.IGNORECASE)
_CELLS = re.compile(r"[;\t|]")
_RULE = re.compile(r"\s*(?:[-*_=~]\s?){3,60}")
_PARTED = re.compile(r"(\w[\w -]{0,30}?)\s*[:;]\s*(\S.*)")
_ID = re.compile(r"-\d+$")  # `trade_route-2`
_SENTENCE_ENDS = (".", "?", "!", ":", "…")


class Meant(NamedTuple):
    """A text as its writer meant it.

    line, cure: the first line that may be an order, and how it would be written, "" for none; proposal: all lines that may be orders, as
    they would be written; lines: the same as they were typed; no_key: lines among orders that begin with no word of an order or with a
    misspelt one -> how they would be written, "" where that can't be told; remarks: the words behind orders that are no part of them;
    behind: the words behind `cure` that may be part of it.
    """

    text: str
    line: str = ""
    cure: str = ""
    proposal: str = ""
    lines: tuple[str, ...] = ()
    no_key: Mapping[str, str] = {}
    remarks: tuple[str, ...] = ()
    behind: str = ""


class _Line(NamedTuple):
    """A line that begins with a key. order: the line as it would be written; sure: it can mean nothing else; colon: a colon stands behind
    the key; remarks: the words behind its orders; asks: those words may be part of the orders, so the writer is asked."""

    key: str
    argument: str
    order: str
    sure: bool
    colon: bool
    remarks: tuple[str, ...] = ()
    asks: bool = False


def keys_of(campaign: Campaign, seat: str = "") -> Keys:
    """The top keys of a player's and of the GM's orders, in snake_case. seat: the writer's, whose towns and armies have names."""
    players, gms = orders_file.declared(campaign.game, None), orders_file.declared(campaign.game, GM)
    begun = {**terms.begun(gms), **terms.begun(players)}
    keys = Keys((*players.keys, *players.short_keys, *gms.keys, *gms.short_keys, "token"))
    shapes = (*players.keys.items(), *gms.keys.items())
    keys.of_others = frozenset(
        key for key, shape in shapes if isinstance(shape, ListOf) and isinstance(shape.of, Short)
    )
    keys.begun = {word: key for word, key in begun.items() if word not in keys}
    keys.fields = terms.fields(gms)
    if seat in campaign.seats:
        keys.own = cache(partial(_names_of, campaign, seat))
        keys.named = {key: frozenset(terms.lists_in(shape)) for key, shape in players.keys.items()}
    return keys


def _names_of(campaign: Campaign, seat: str) -> Mapping[str, Sequence[str]]:
    """List of names -> the names in it that are the seat's own and are words."""
    forms = campaign.game.forms
    if forms is None or forms.names is None or campaigns.newest(campaign) < 0:
        return {}
    turn = campaigns.kept(campaign)
    state = campaigns.state_of(campaign, turn)
    known = campaign.game.known(state, seat, campaigns.rules_of(campaign, turn).rules)
    found = forms.names(known, seat, campaigns.rules_of(campaign, turn).rules)
    return {of: [name for name in names if name[:1].isalpha() and not _ID.search(name)] for of, names in found.items()}


def reader(campaign: Campaign) -> Reads:
    """Whether a text is orders of a campaign without a mistake, as a function: a player's orders, or the GM's where its keys are the GM's.
    `messages` may name the GM."""

    @cache
    def names(with_gm: bool) -> dict[str, Container[str]]:
        found = campaigns.names_today(campaign)
        if not with_gm:
            return found
        seats, given = Seats((*campaign.seats, GM)), found["seats"]
        called = given.called if isinstance(given, Seats) else {}
        seats.called = {**called, snake(campaign.settings.gm.name): GM}
        return {**found, "seats": seats}

    @cache
    def reads(text: str) -> bool:
        data = text.encode("utf-8", "replace")
        known = names(key_of(text) == "messages")
        return not orders_file.read(data, "mail", campaign.game, known, None, None, subject=True).problems

    return reads


def meant(text: str, keys: Container[str], reads: Reads, headers: Headers, turn: int | None) -> Meant:
    """The text with its orders as they were meant, where that is sure; else the orders to suggest."""
    plain, comments = _without_comments(text.split("\n"), keys)
    capital = keys.own().get("capital", ()) if isinstance(keys, Keys) and _CAPITAL.search("\n".join(plain)) else ()
    if len(capital) == 1:  # `in the capital` means the writer's own
        plain = [_CAPITAL.sub(lambda found: f"{found[1]} {capital[0]}", line) for line in plain]
    lines = [_of_a_sheet(line, keys) if _CELLS.search(line) else line for line in line_marks.without_marks(plain, keys)]
    text = "\n".join(plain)
    if not any(repairs.begun(line[: limits.LINE], keys)[0] for line in lines):
        return Meant(text)
    if reads(trimmed(text, headers, turn, keys)) and not any(
        _goes_on(line, keys, reads) for line in lines if ":" in line
    ):
        return Meant(text)
    found = dict(_found(lines, keys, _Patient(reads)))
    loose = {index: line for index, line in found.items() if not line.colon or line.asks}
    if len(loose) > limits.LOOSE_LINES:
        return Meant(text)
    remarks = (*comments, *(remark for line in found.values() if not line.asks for remark in line.remarks))
    written = "\n".join([found[index].order if index in found else line for index, line in enumerate(lines)])
    written = repairs.merged(written, keys, reads)
    if not loose:
        return Meant(written, remarks=remarks)
    typed = "\n".join(f"{found[index].key}: x" if index in loose else line for index, line in enumerate(lines))
    body = trimmed(typed, headers, turn, keys).split("\n")  # line by line, with what is an order told as one
    alone = not any(_is_prose(line, keys) for line in body)
    others = sum(key_of(line) in keys for index, line in enumerate(lines) if index not in found)
    asks = any(line.asks for line in loose.values())
    if alone and (all(line.sure for line in loose.values()) or not asks and _is_list(list(found.values()), others)):
        return Meant(written, remarks=remarks)
    return _suggested(text, body, found, alone, keys, reads)


def _goes_on(line: str, keys: Container[str], reads: Reads) -> bool:
    """Whether a remark stands behind the order of a line. Such a line can be read all the same where the remark passes for part of a name."""
    key, argument, colon = repairs.parts(line[: limits.LINE], keys)
    named = isinstance(keys, Keys) and bool(keys.named) and key in {*keys.named} and len(line) <= limits.LINE
    if not named or not colon or not repairs.may_go_on(argument, keys):
        return False
    return bool(repairs.ended(key, argument, keys, reads, True).remark)


def _without_comments(lines: Sequence[str], keys: Container[str]) -> tuple[list[str], list[str]]:
    """(the lines without comments, the comments), where any line is an order. Other games write comments as `; next turn the hill` and
    `// as agreed`. Rules of dashes below the last order and words that say that the rest stays are dropped, too."""
    with_colon = (index for index, line in enumerate(lines) if ":" in line)
    last = max((index for index in with_colon if key_of(line_marks.bare(lines[index], keys)) in keys), default=-1)
    stays = rest_stays("\n".join(lines))
    plain = list(lines)
    comments: list[str] = []
    for index in _minus_lines(lines, keys):  # of a change, `-build: mill` and `+build: library`
        comments.append(lines[index].strip())
        plain[index] = ""
    for index, line in enumerate(lines):
        if last >= 0 and _COMMENT.match(line):
            comments.append(line.strip(" ;/"))
            plain[index] = ""
        elif last >= 0 and (
            index > last and _RULE.fullmatch(line) or stays and rest_stays(line) and not repairs.begun(line, keys)[0]
        ):
            plain[index] = ""
    return plain, comments


def _minus_lines(lines: Sequence[str], keys: Container[str]) -> list[int]:
    """The indexes of the lines that a change takes away: they begin with a minus and a key, while other lines begin with a plus."""
    signed = {
        index: line[0] for index, line in enumerate(lines) if line[:1] in "+-" and key_of(line[1:].strip()) in keys
    }
    return [index for index, sign in signed.items() if sign == "-"] if {*signed.values()} == {"+", "-"} else []


def _of_a_sheet(line: str, keys: Container[str]) -> str:
    """The cells of a line, `capital;Oakhold;;` of a spreadsheet or `| capital | Oakhold |`, joined by blanks; any other line as it is."""
    key, semicolon, rest = line[: limits.LINE].replace("|", ";").strip("; ").partition(";")
    cells = [cell.strip() for cell in rest.split(";") if cell.strip()]
    if not semicolon or ":" in key or key_of(f"{key.strip()}:") not in keys or not cells:
        return line
    return line if any(repairs.parts(cell, keys)[0] for cell in cells) else " ".join([key.strip(), *cells])


class _Patient:
    """Reads at most `limits.TRIES` texts; any further text counts as unreadable."""

    def __init__(self, reads: Reads) -> None:
        self.reads = reads
        self.left = limits.TRIES

    def __call__(self, text: str) -> bool:
        self.left -= 1
        return self.left >= 0 and self.reads(text)


def _found(lines: Sequence[str], keys: Container[str], reads: _Patient) -> Iterator[tuple[int, _Line]]:
    """(index, the line) of the lines that begin with a key and can't be read as they stand; stops soon after `limits.LOOSE_LINES`."""
    comma, loose, below = False, 0, 0  # whether the order above ends in a comma, so that it goes on here
    lists = set(keys.begun.values()) if isinstance(keys, Keys) else set()
    # so that what is in braces is an item of it
    is_listed = "{" in "".join(lines) and any(key_of(line) in lists for line in lines)
    for index, line in enumerate(lines):
        key = key_of(line)
        goes_on, comma = comma, line.rstrip().endswith((",", "[", "{")) and (comma or key in keys)
        begins = line[:1].isalnum() or line.startswith(("- {", "{")) and not is_listed
        is_word = ":" not in line and len(line.split()) == 1 and line.strip(" .,;!-").lower() not in keys
        if index < below or goes_on or not begins or is_word or len(line) > limits.LINE:
            continue
        if key in keys and line.endswith(":"):
            below = index + 1
            items = _items(lines, index + 1, keys, key)
            if items and (order := repairs.fixed(key, ", ".join(map(line_marks.item, items)), reads, False)):
                below += len(items)
                yield index, _Line(key, "", order, True, True)
                yield from ((at, _Line("", "", "", True, True)) for at in range(index + 1, below))
            continue
        after = lines[index + 1] if index + 1 < len(lines) else ""
        single = not after.startswith((" ", "- ")) and not line.endswith((",", "[", "{", "|", ">"))
        if key in keys and not (single and (not reads(line) or _goes_on(line, keys, reads))):
            continue
        if one := _line(line, keys, reads):
            yield index, one
            comma = comma or one.argument.endswith(",")
            loose += not one.colon
        if loose > limits.LOOSE_LINES or reads.left < 0:
            return


def _items(lines: Sequence[str], begin: int, keys: Container[str], key: str) -> Sequence[str]:
    """The lines that are the value of a key with nothing behind it: they stand below it, not indented and without a mark of YAML."""
    end = begin
    while end < min(len(lines), begin + limits.LOOSE_LINES) and lines[end].strip():
        if (found := repairs.parts(lines[end], keys))[0] and found[:2] != (key, lines[end]):
            break
        end += 1
    return () if end == begin or lines[begin].startswith((" ", "- ", "{", "#")) else lines[begin:end]


def _line(line: str, keys: Container[str], reads: Reads) -> _Line | None:
    """What a line means that begins with a key; None where it begins with none, or can't be read in any way."""
    pieces = line_marks.split(line, keys)
    if len(pieces) > 1 and (several := _several(pieces, keys, reads, ";" in line)):
        return several
    key, argument, colon = repairs.parts(line, keys)
    if key and line.endswith(":") and not reads(f"{key}: {argument.rstrip(':')}"):
        return None  # a heading, such as `Orders for turn 3:`
    return _one(line, keys, reads)


def _one(line: str, keys: Container[str], reads: Reads) -> _Line | None:
    """What a line with a single order means; the order ends where its sense ends. None where the line begins with no word of an order."""
    key, argument, colon, far = repairs.begun(line, keys)
    if not key or colon and far:
        return None  # the reader says which key is near
    order, remark, sure = repairs.ended(key, argument, keys, reads, colon)
    if not order and (colon or far):
        return None
    asks = bool(order) and (not sure or far == repairs.FORMS[repairs.misspelt])
    sure = bool(order) and not asks and not argument.endswith("?")
    return _Line(key, argument, order or f"{key}: {argument}", sure, colon, (remark,) if remark else (), asks)


def _several(pieces: Sequence[str], keys: Container[str], reads: Reads, parted: bool) -> _Line | None:
    """What a line with several orders means; None where neither all of them are sure nor colons or a `;` say that they are orders."""
    made: list[_Line] = []
    for piece in pieces:
        key, argument, colon = repairs.parts(piece, keys)
        made.append(_one(piece, keys, reads) or _Line(key, argument, f"{key}: {argument}", False, colon))
    sure = all(one.sure for one in made) and not pieces[-1].endswith("?")
    if not sure and not (made[0].colon and (parted or all(one.colon for one in made))):
        return None
    remarks = tuple(remark for one in made for remark in one.remarks)
    order = "\n".join(one.order for one in made)
    return made[0]._replace(order=order, sure=True, remarks=remarks, asks=any(one.asks for one in made))


def orders_of(line: str, keys: Container[str], reads: Reads) -> list[str]:
    """The orders of a line, as they would be written; [] where the line is anything else than orders for sure."""
    found = _read(line, keys, reads)
    return found.order.split("\n") if found is not None and found.sure and found.key not in phrases.HEAD else []


def several_in(line: str, keys: Container[str], reads: Reads) -> list[str]:
    """The orders of a line that holds nothing but orders, with semicolons or commas between them; marks of a list and a misspelt word do
    no harm."""
    pieces = re.split(r"[;,]\s+", line) if len(line) <= limits.LINE else []
    made = [may_be_orders(piece, keys, reads) for piece in pieces]
    return [order for orders in made for order in orders] if all(made) else orders_of(line, keys, reads)


def may_be_orders(line: str, keys: Container[str], reads: Reads) -> list[str]:
    """The orders that a line may be meant as: a word may be misspelt, and a remark may stand behind them; [] for none."""
    line = line_marks.without_lead(line.replace("**", "").replace("`", "").strip(" -*•"))
    parted = _PARTED.fullmatch(line)
    near = repairs.near_key(snake(parted[1]), keys) if parted else ""
    found = _read(f"{near}: {parted[2].strip(' ;')}" if parted and near else line, keys, reads)
    if found is None or found.key in phrases.HEAD or not (found.sure or found.asks or near and found.order):
        return []
    return found.order.split("\n")


def _read(line: str, keys: Container[str], reads: Reads) -> _Line | None:
    plain = _of_a_sheet(line_marks.bare(line.strip(), keys), keys)
    return _line(plain, keys, reads) if len(line) <= limits.LINE else None


def _is_list(found: Sequence[_Line], others: int) -> bool:
    """Whether at least half of the lines are orders for sure, and the rest is short: then the rest is orders, too, and the reader of
    orders says what is wrong with it. others: the number of lines with a colon that are orders as they stand."""
    short = all(
        len(line.argument.split()) <= thresholds.WORDS_IN_LIST and not line.argument.endswith((".", "!", "?"))
        for line in found
        if not line.sure
    )
    return short and 2 * (sum(line.sure for line in found) + others) >= len(found) + others


def _suggested(
    text: str, body: Sequence[str], found: dict[int, _Line], alone: bool, keys: Container[str], reads: Reads
) -> Meant:
    """The text as it is, with the orders that may be in it as suggestions."""
    cures = {index: cure for index, line in found.items() if (cure := _cure(line, reads, alone))}
    if not cures:
        return Meant(text)
    first = next((index for index, line in found.items() if line.asks and index in cures), min(cures))
    behind = " ".join(found[first].remarks) if found[first].asks else ""
    lines, without = text.split("\n"), _without_key(body, found, keys, reads)
    far = {index: repairs.begun(line_marks.bare(lines[index], keys), keys)[3] for index in cures}
    no_key = {
        lines[index].strip(): cure for index, cure in cures.items() if far[index] == repairs.FORMS[repairs.misspelt]
    }
    no_key |= {body[index].strip(): order for index, order in without.items()}
    typed = tuple(lines[index].strip() for index in (*cures, *(at for at, order in without.items() if order)))
    orders: list[str] = []
    for index, line in enumerate(body if len(cures) == len(found) else ()):
        if index in cures or index in without:
            orders.append(cures.get(index) or without[index])
        elif not _is_prose(line, keys):
            orders += may_be_orders(line, keys, reads) or [line]
    proposal = repairs.merged("\n".join(filter(None, orders)), keys, reads)
    return Meant(text, lines[first].strip(), cures[first], proposal, typed, no_key, behind=behind)


def _without_key(body: Sequence[str], found: Container[int], keys: Container[str], reads: Reads) -> dict[int, str]:
    """The lines that stand in a paragraph with orders but begin with no word of an order: index -> the order, "" where that can't be told.
    Only short lines that do not end as sentences do count."""
    orders = {
        index for index, line in enumerate(body) if line.strip() and (index in found or not _is_prose(line, keys))
    }
    made: dict[int, str] = {}
    begin = 0
    for end in [*(index for index, line in enumerate(body) if not line.strip()), len(body)]:
        paragraph = range(begin, end)
        if not orders.isdisjoint(paragraph):
            others = {index: body[index].rstrip() for index in paragraph if index not in orders}
            made |= {
                index: line
                for index, line in others.items()
                if line and len(line.split()) <= thresholds.WORDS_IN_LIST and not line.endswith(_SENTENCE_ENDS)
            }
        begin = end + 1
    return {index: with_key(line, keys, reads) for index, line in list(made.items())[: limits.LINES_WITHOUT_KEY]}


def with_key(line: str, keys: Container[str], reads: Reads) -> str:
    """A line as an order of the only key that takes its words, but would not take nonsense; "" where no key does, or several do."""
    plain = line.strip(" \t,;")
    if not isinstance(keys, Keys) or not _WORD.search(plain) or len(plain.split()) < thresholds.WORDS_WITHOUT_KEY:
        return ""
    nonsense = _WORD.sub("zzqx", plain)  # the figures stay: any word may be the name of a new town in a hex
    orders = [f"{key}: {plain}" for key in sorted(keys - keys.of_others - phrases.HEAD) if reads(f"{key}: {plain}")]
    bound = [order for order in orders if not reads(order.replace(f": {plain}", f": {nonsense}"))]
    return bound[0] if len(bound) == 1 else ""


def _cure(line: _Line, reads: Reads, free: bool) -> str:
    """How the order would be written, "" where that can't be told. free: as in `repairs.fixed`, for orders of few words."""
    if line.colon or line.sure or line.asks:
        return line.order
    few = free and len(line.argument.split()) <= thresholds.WORDS_OF_FREE
    return repairs.fixed(line.key, line.argument.rstrip(".!?,; "), reads, few)


def _is_prose(line: str, keys: Container[str]) -> bool:
    """Whether a line is no part of orders."""
    orders = key_of(line) in keys or line.startswith((" ", "-", "#", "{", "}", "[", "]"))
    orders = orders or bool(key_of(line) and repairs.near_key(key_of(line), keys))
    return bool(line.strip()) and not orders


# --- orders in prose: never filed, the answer shows them and one tap sends them

_PIECES = re.compile(r"[.;!\n]\s*|,\s+|\s+(?:and|then|also|und)\s+", re.IGNORECASE)
_SAID = re.compile(r"[^.!?\n]*[.!?\n]?")
_NOT = re.compile(
    r"\b(?:not|no|never|nobody|(?:do|ca|wo|should|would|must)n['’]?t|cannot|cancel|stop|without)\b", re.IGNORECASE
)
_NO_ORDERS = phrases.NO_ORDERS | repairs.TEXTS | {"to", "plan"}


class InProse(NamedTuple):
    """orders: the orders in sentences, as they would be written. rest: the other parts of those sentences, as they were typed."""

    orders: list[str]
    rest: list[str]


def in_prose(text: str, keys: Container[str], reads: Reads) -> InProse:
    """The orders in sentences, and the rest of the sentences. Questions are left out."""
    told = "".join(one[0] for one in _SAID.finditer(text[: limits.TEXT_OF_SENTENCES]) if not one[0].endswith("?"))
    found: list[str] = []
    rest: list[str] = []
    label = ""
    for piece in _PIECES.split(told)[: limits.PIECES]:
        labels = phrases.LABEL.findall(piece)
        piece = piece if labels or not label else line_marks.IT.sub(label, piece)
        label = labels[-1] if labels else label
        if order := _in_piece(piece.split(), keys, reads):
            found.append(order)
        elif re.search(r"[^\W\d_]", piece):
            rest.append(" ".join(piece.split()))
    orders = repairs.merged("\n".join(dict.fromkeys(found)), keys, reads)
    return InProse([order for order in orders.split("\n") if order], rest)


def _in_piece(words: Sequence[str], keys: Container[str], reads: Reads) -> str:
    """The order in a piece of a sentence, which begins at the first word that is a key; "" for none."""
    known = sorted(key for key in keys if key not in _NO_ORDERS) if isinstance(keys, (set, frozenset)) else []
    for at, word in enumerate(words[: thresholds.FIRST_WORDS]):
        plain = re.sub(r"\W+", "", word.lower())
        key = plain if plain in known else by_stem(plain, known) if len(plain) >= thresholds.LETTERS_IN_PROSE else ""
        if _NOT.search(" ".join(words[:at])):
            return ""
        if key and key.startswith(plain[:3]) and words[at + 1 :]:
            said = " ".join(words[at + 1 :])
            return repairs.fixed(key, said, reads, False) or repairs.completed(key, said, keys, reads)
    return ""
