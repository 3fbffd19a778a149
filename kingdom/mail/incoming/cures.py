"""Orders that were refused for problems in their text -> lines that would be taken.

The suggestions of the reader of orders are put in, and an answer gets the name of its question. If a problem is left, the lines
without a problem are offered by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import preview
from kingdom.campaign.campaign import Campaign
from kingdom.engine.dice import GM
from kingdom.engine.problems import Problem
from kingdom.engine.regex import regex
from kingdom.engine.step import Facts
from kingdom.mail.outgoing import order_words
from kingdom.mail.reading import order_lines
from kingdom.mail.reading.repairs import TEXTS
from kingdom.mail.reading.reply import key_of
from kingdom.mail.records import FILE, Headers
from kingdom.orders import orders_file, yaml_out, yaml_text
from kingdom.orders.orders_file import Filing

_HINTED = ("unknown_key", "unknown_word", "not_label")  # problems whose hint stands for the word in their message
_ROUNDS = 3  # of correcting: once a key is right, a word behind it may turn out wrong
_SAID_BESIDE = ("token", "kingdom", "turn")  # keys that the subject of a link says
_LEAST_WORDS = 4  # before a colon that stands in a sentence
_MOST_WITHOUT_KEY = 8  # lines whose key is looked for
_WORD = regex(r"`([^`]+)`")


class Cured(NamedTuple):
    """What can be sent instead. lines: all lines, corrected as far as possible; whole: all of them can be filed; rest: where not all can,
    those that can; said: the number of a line -> how it is written, where the line's problem does not say that."""

    lines: Sequence[str]
    whole: bool = False
    rest: Sequence[str] = ()
    said: Mapping[int, str] = {}


def cured(campaign: Campaign, seat: str, turn: int, text: str, problems: Sequence[Problem]) -> Cured:
    """The text, corrected as far as possible; a text that is too long to be filed is not corrected."""
    if len(text) > yaml_text.LIMIT:
        return Cured(())
    lines = ["" if key_of(line) in _SAID_BESIDE else line for line in text.split("\n")]
    lines = _rejoined(lines, problems)
    wrong = {one.line for one in problems if one.file == FILE}
    said = _answers(campaign, seat, turn, lines, wrong) if seat != GM else {}
    said |= _with_keys(campaign, lines, problems)
    lines = [said.get(number, line) for number, line in enumerate(lines, 1)]
    here = [one for one in problems if one.line not in said]
    declared = orders_file.declared(campaign.game, seat)
    keys = {*declared.keys, *declared.short_keys}
    read: str | None = None
    for _ in range(_ROUNDS):
        hinted = "\n".join(_with_hints(lines, here))  # with its right key a line may need another correction
        if hinted == read:
            break  # a further round would come to the same
        read = hinted
        lines = order_lines.meant(hinted, keys, order_lines.reader(campaign), Headers(), turn).text.split("\n")
        found = _read(campaign, seat, turn, lines)
        if found.orders is not None:
            return Cured(_filled(lines), True, (), said)
        here = found.problems
    rest = _without(lines, {one.line for one in found.problems})
    taken = rest and _read(campaign, seat, turn, rest).orders is not None
    return Cured(_filled(lines), False, _filled(rest) if taken else (), said)


def _rejoined(lines: Sequence[str], problems: Sequence[Problem]) -> list[str]:
    """The lines. If a mail program broke a text for a person over several lines, they are joined again."""
    made = list(lines)
    for number in sorted({one.line for one in problems if one.file == FILE and _goes_on(one, lines)}):
        begin = next((at for at in range(number - 1, 0, -1) if made[at - 1].strip()), 0)
        if begin and key_of(made[begin - 1]) in TEXTS and all(lines[at - 1].strip() for at in range(begin, number)):
            made[begin - 1] = f"{made[begin - 1].rstrip()} {made[number - 1].strip()}"
            made[number - 1] = ""
    return made


def _goes_on(problem: Problem, lines: Sequence[str]) -> bool:
    """Whether a line that is no order may continue the text above it: it has no colon, or a colon behind many words."""
    words = lines[problem.line - 1].partition(":")[0].split() if 0 < problem.line <= len(lines) else []
    return problem.code == "colon_missing" or problem.code == "unknown_key" and len(words) >= _LEAST_WORDS


def _with_keys(campaign: Campaign, lines: Sequence[str], problems: Sequence[Problem]) -> dict[int, str]:
    """The number of a line that begins with no word of an order -> the only order that the line can be."""
    numbers = [one.line for one in problems if one.file == FILE and one.code == "colon_missing"]
    keys, reads = order_lines.keys_of(campaign), order_lines.reader(campaign)
    said = {number: order_lines.with_key(lines[number - 1], keys, reads) for number in numbers[:_MOST_WITHOUT_KEY]}
    return {number: order for number, order in said.items() if order}


def _filled(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if line.strip()]


def _read(campaign: Campaign, seat: str, turn: int, lines: Sequence[str]) -> Filing:
    names = campaigns.names_today(campaign)
    return orders_file.read("\n".join(lines).encode(), FILE, campaign.game, names, seat, turn, subject=True)


def _with_hints(lines: Sequence[str], problems: Sequence[Problem]) -> list[str]:
    """The lines with every word that a problem suggests. Later columns are replaced first, so that earlier columns stay true."""
    made = list(lines)
    for one in sorted(problems, key=lambda problem: (problem.line, -problem.column)):
        if one.file == FILE and one.hint and one.code in _HINTED and 0 < one.line <= len(made):
            line = made[one.line - 1]
            word = found[1] if (found := _WORD.search(one.message)) else ""
            for at in (one.column - 1, one.column) if word else ():  # behind a quote, too
                if line[at : at + len(word)].lower() == word.lower():
                    made[one.line - 1] = line[:at] + one.hint + line[at + len(word) :]
                    break
    return made


def _without(lines: Sequence[str], wrong: set[int]) -> list[str]:
    """The lines without the orders that have a problem; such an order goes with all its lines."""
    whose = {0: 0}
    for number, line in enumerate(lines, 1):
        whose[number] = number if line.strip() and not line.startswith((" ", "- ")) else whose[number - 1]
    bad = {whose.get(number, 0) for number in wrong}
    return [line for number, line in enumerate(lines, 1) if whose[number] not in bad]


# --- answers to what the seat is asked


def _answers(campaign: Campaign, seat: str, turn: int, lines: Sequence[str], wrong: set[int]) -> dict[int, str]:
    """The number of a line of `answers` that can't be read -> how the line is written, with the seat's own question."""
    typed = {number: lines[number - 1] for number in wrong if 0 < number <= len(lines)}
    typed = {number: line for number, line in typed.items() if key_of(line) == "answers"}
    if not typed or turn != max(1, campaigns.newest(campaign) + 1):
        return {}
    start = preview.start_of(campaign)
    asked = order_words.questions_of(preview.sheets(campaign.game, start.state, seat, start.rules))
    said = {number: _answer(line.partition(":")[2], asked) for number, line in typed.items()}
    return {number: line for number, line in said.items() if line and _read(campaign, seat, turn, [line]).orders}


def _answer(typed: str, asked: Sequence[Facts]) -> str:
    """The line that answers the question that the typed words name, or the only question; "" where that can't be told."""
    words = [word for word in re.split(r"[^\w]+", typed.lower()) if word]
    named = [one for one in asked if str(one["key"]).lower().rpartition("-")[0] in "_".join(words)] or list(asked)
    if len(named) != 1:
        return ""
    question = named[0]
    choice = next((str(one) for one in question["choices"] if str(one).lower() in words), "")
    figures = (word for word in reversed(words) if word.isdecimal() and len(word) < 5 and word != choice.lower())
    figure = next(map(int, figures), None)
    if not choice:
        return ""
    answer: object = choice
    if figure is not None and not str(question["key"]).endswith(f"-{figure}"):
        answer = {choice: figure}
    return f"answers: {yaml_out.flow({question['key']: answer})}"
