"""Mails made of letters and orders in every position, and what is wrong with what becomes of them.

`.venv/bin/python -m tests.kit.mixedmails 3000` says how many go wrong, by kind; `... --show KIND` shows three of a kind.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.kit.onemail import Became, Mail, Table, told
from tests.kit.postkit import pressed

READERS = {
    "ben": ("Ben", "ben", "BEN", "Orrenvale", "orrenvale"),
    "cleo": ("Cleo", "cleo", "Rookhallow", "rookhallow"),
    "all": ("all", "everybody", "All"),
}
GREETED = {"ben": "Ben", "cleo": "Cleo", "all": "all"}

# An address line opens a letter: {name} is its reader, {words} its first line where it stands on the same one.
ABOVE = ("to {name}", "To {name}:", "To {name},", "letter to {name}", "Letter to {name}:", "PRESS TO {name}", "message to {name}:", "Message for {name}:")  # fmt: skip
BESIDE = ("To {name}: {words}", "message to {name}: {words}", "Message to {name}: {words}", 'MESSAGE {name} "{words}"', "tell {name} {words}", "Please tell {name} that {words}", "PRESS TO {name}: {words}")  # fmt: skip
GREETINGS = ("Dear {name},", "Hi {name},", "Hello {name}!")

# The words of letters hold nothing that an order below holds.
WORDS = (
    "shall we keep the peace until turn 5?",
    "I will not attack you before spring, you have my word.",
    "my scouts saw riders at the ford, were they yours?",
    "let us meet at the old bridge and talk it over.",
    "what do you want for your silence about the mines?",
    "your last letter made me laugh, thank you!",
    "if you leave the river to me, I leave the hills to you.",
    "nobody here believes a word of what she says.",
    "we could both grow without getting into each other's way.",
    "I have been away for a week, sorry for the late answer.",
    "do you know who holds the coast in the west?",
    "yes, agreed, on all points.",
    "can you wait one more turn? I am short of gold.",
    "the duke sends his best wishes for the new year.",
    "my offer stands: half of the harvest for a safe road.",
    "no hard feelings about last turn, I hope.",
    "we should talk before somebody else makes the decision for us.",
    "your envoy was kind, but he drank all of my wine.",
)


class Order(NamedTuple):
    """An order that Ada can give. key, value: as the file has them. probe: a word of it that no letter and no frame of a mail holds."""

    key: str
    value: str
    probe: str


ORDERS = (
    Order("claim", "0809", "0809"),
    Order("claim", "0910", "0910"),
    Order("claim", "0908", "0908"),
    Order("build", "jail in Harrowbridge", "jail"),
    Order("build", "library in Harrowbridge", "library"),
    Order("build", "brewery in Harrowbridge", "brewery"),
    Order("taxation", "heavy", "heavy"),
    Order("promotion", "standard", "standard"),
    Order("holiday", "long", "holiday"),
    Order("leadership", "loyalty", "leadership"),
)
LINES = (
    "{key}: {value}", "{key}: {value}", "{key}: {value}", "{key} {value}", "{key} {value}", "{Key}: {value}", "{Key} {value}", "{KEY}: {value}",
    "{KEY} {VALUE}", "- {key}: {value}", "* {key} {value}", "1. {key}: {value}", "{key} : {value}", "**{Key}**: {value}", "{key} = {value}",
    "please {key} {value}", "{Key} {value}.", "{key}: [{value}]", "{key}:{value}", "{key};{value}", "{key} - {value}", "`{key}: {value}`",
    "{key}: {value} # as we said", "{Key}: {value}; thanks",
)  # fmt: skip
MISSPELT = {"claim": "clam", "build": "biuld", "taxation": "taxes", "promotion": "promotoin", "holiday": "holliday", "leadership": "leadrship"}  # fmt: skip

POSITIONS = (
    "above",  # orders, then the letter
    "below",  # the letter, then orders in a paragraph of their own
    "between",  # orders between two paragraphs of the letter
    "straight below",  # orders right below the letter's last line
    "straight above",  # orders right above the address line
    "same line",  # orders behind the letter's words
    "quoted",  # orders behind quote marks, in the letter
    "in the subject",
    "below the name",  # the letter, its writer's name, then orders
    "between two letters",
    "between lines",  # an order among the lines of a paragraph
)
ANSWERS = ("report", "report", "receipt", "letter", None)


class Mixed(NamedTuple):
    """A mail of Ada's. position: where its orders stand; address: how its letter begins. orders: what was put in as orders. letters: reader -> words."""

    number: int
    mails: tuple[Mail, ...]
    position: str
    address: str
    orders: tuple[Order, ...]
    letters: tuple[tuple[str, str], ...]


def mixed(number: int) -> Mixed:
    """The mail of that number: always the same."""
    draw = Random(f"mixed {number}")
    position = POSITIONS[number % len(POSITIONS)]
    orders = tuple(draw.sample(ORDERS, draw.choice((1, 1, 2, 3))))
    readers = draw.sample(sorted(GREETED), 2)
    words = draw.sample(WORDS, 4)
    address, opening, below = _address(draw, readers[0], words[0])
    more, name = (
        [words[1]] if draw.random() < 0.5 or position in ("between", "between lines") else [],
        draw.random() < 0.4,
    )
    lines = _order_lines(draw, orders, position)
    letters = [(readers[0], said) for said in (words[0], *more)]
    subject, answers = None, draw.choice(ANSWERS)
    head = [] if below == "subject" else opening
    if below == "subject":
        subject, answers = f"{opening[0]} [TOKEN]", None
    first, rest = [*head, *([] if below == "beside" else [words[0]])], more
    second = draw.choice(ABOVE).format(name=draw.choice(READERS[readers[1]]))
    body = _body(position, first, rest, lines, [second, "", words[3]])
    if position == "in the subject":
        subject, answers = f"{'; '.join(lines)} [TOKEN]", None
        body = [*(opening if below == "subject" else []), *first, *_below(rest)]
        address = address.removeprefix("subject ")
    if position == "between two letters":
        letters.append((readers[1], words[3]))
    if name and position != "below the name":
        body += ["", "Ada"]
    if answers is None and subject is None:
        subject = draw.choice(("Orders harrowfen 1 [TOKEN]", "orders turn 1 [TOKEN]", "My turn [TOKEN]"))
    form = draw.choice(("plain", "plain", "plain", "gmail", "outlook"))
    mail = Mail("ada", "\n".join(body) + "\n", subject, answers, draw.choice(("gt", "gt", "none", "outlook")), form)
    return Mixed(number, (*_before(answers), mail), position, address, orders, tuple(letters))


def _body(position: str, first: list[str], rest: list[str], orders: list[str], second: list[str]) -> list[str]:
    """The lines of a mail. first: how its letter begins; rest: how that goes on; second: another letter."""
    match position:
        case "above":
            return [*orders, "", *first, *_below(rest)]
        case "below":
            return [*first, *_below(rest), "", *orders]
        case "between":
            return [*first, "", *orders, "", *rest]
        case "straight below":
            return [*first, *rest, *orders]
        case "straight above":
            return [*orders, *first, *_below(rest)]
        case "same line":
            return [*first[:-1], f"{first[-1]} {'; '.join(orders)}", *_below(rest)]
        case "quoted":
            return [*first, *(f"> {line}" for line in orders), *_below(rest)]
        case "below the name":
            return [*first, *_below(rest), "", "Ada", "", *orders]
        case "between two letters":
            return [*first, *_below(rest), "", *orders, "", *second]
    return [*first, *orders, *rest]


def _below(lines: Sequence[str]) -> list[str]:
    return ["", *lines] if lines else []


def _before(answers: str | None) -> list[Mail]:
    if answers == "receipt":
        return [Mail("ada", "taxation: normal\n", answers="report")]
    if answers == "letter":
        return [Mail("ben", "Shall we talk of the ford?\n", "to Ada [TOKEN]")]
    return []


def _address(draw: Random, reader: str, words: str) -> tuple[str, list[str], str]:
    """(how a letter begins, its lines, where its words stand: "below", "beside", or "subject" where the address is that)."""
    name = draw.choice(READERS[reader])
    kind = draw.choice(("above", "above", "beside", "greeting", "subject"))
    if kind == "beside":
        form = draw.choice(BESIDE)
        return form, [form.format(name=name, words=words)], "beside"
    if kind == "greeting":
        form = draw.choice(GREETINGS)
        return form, [form.format(name=GREETED[reader])], "below"
    form = draw.choice(ABOVE)
    if kind == "subject":
        return f"subject {form}", [form.format(name=name)], "subject"
    return form, [form.format(name=name), *([""] if draw.random() < 0.5 else [])], "below"


def _order_lines(draw: Random, orders: Sequence[Order], position: str) -> list[str]:
    """The orders as a person types them: each on its line, or as a block of YAML, which stands on lines of its own."""
    if draw.random() < 0.15 and position not in ("in the subject", "same line"):
        return _yaml_block(orders)
    form, alike = draw.choice(LINES), draw.random() < 0.7
    lines = []
    for number, order in enumerate(orders, 1):
        key = MISSPELT[order.key] if draw.random() < 0.06 else order.key
        said = {
            "key": key,
            "Key": key.capitalize(),
            "KEY": key.upper(),
            "value": order.value,
            "VALUE": order.value.upper(),
        }
        chosen = form if alike else draw.choice(LINES)
        lines.append(chosen.format(**said).replace("1. ", f"{number}. "))
    return lines


def _yaml_block(orders: Sequence[Order]) -> list[str]:
    lines, keys = [], list(dict.fromkeys(order.key for order in orders))
    for key in keys:
        values = [order.value for order in orders if order.key == key]
        if key in ("claim", "build"):
            lines += [f"{key}:", *(f"  - {value}" for value in values)]
        elif key == "leadership":
            lines.append(f"{key}: {values[0]}")
        else:
            lines.append(f"edicts: {{{key}: {values[0]}}}")
    return lines


# --- what is wrong with what became of one


def faults(mail: Mixed, became: Became, links: Sequence[str]) -> Iterator[str]:
    """What is wrong, a word each: see FAULTS. links: the bodies of the links that the answer has."""
    ordered = json.dumps(became.filed, ensure_ascii=False).lower()
    for rival in ("ben", "cleo"):
        text = became.read_by(rival).lower()
        if any(order.probe in text for order in mail.orders):
            yield "leak"
        foreign = [words for reader, words in mail.letters if reader not in (rival, "all") and _has(text, words)]
        if foreign and not _to_writer(mail, rival):
            yield "wrong reader"
    done = became.outcome == "accepted" or became.filed != became.start["ada"]
    answer = f"{became.answer} {' '.join(links)}".lower()
    if mail.position != "quoted" and any(
        not _is_filed(order, became) and order.probe not in answer for order in mail.orders
    ):
        yield "order lost" if done else "order not named"
    start = json.dumps(became.start["ada"]).lower()
    if any(order.probe in ordered for order in ORDERS if order not in mail.orders and order.probe not in start):
        yield "filed what nobody ordered"
    everything = " ".join(became.read_by(who) for who in ("ada", "ben", "cleo", "gm")).lower()
    if done and not all(_has(everything, words) for _, words in mail.letters):
        yield "letter lost"


FAULTS = {
    "leak": "another player gets an order of the mail",
    "wrong reader": "another player gets a letter that is for somebody else",
    "order lost": "of a mail that is taken an order is neither filed nor named in the answer",
    "order not named": "of a mail that is asked about or refused an order is not named in the answer",
    "filed what nobody ordered": "an order is filed that is not in the mail",
    "cure fails": "the lines that the answer offers, sent back, don't file orders of the mail alone, or leave one out without a word",
    "letter lost": "of a mail that is taken nobody gets a letter, and its writer does not read it in the answer",
}


def _cures(mail: Mixed, became: Became, table: Table) -> bool:
    """Whether the lines that the answer offers, sent back, file orders of the mail and no others; those left out it names."""
    back = table.go_on(Mail("ada", became.offered()[0], answers="receipt"))
    filed = json.dumps(back.filed, ensure_ascii=False).lower()
    start = json.dumps(became.start["ada"]).lower()
    foreign = [one for one in ORDERS if one not in mail.orders and one.probe in filed and one.probe not in start]
    lost = [one for one in mail.orders if not _is_filed(one, back) and one.probe not in became.answer.lower()]
    return back.outcome == "accepted" and back.filed != became.filed and not foreign and not lost


def _to_writer(mail: Mixed, rival: str) -> bool:
    """Whether a greeting is all that says whose it is, in a reply to that rival's letter: it may be passed on to them."""
    return mail.mails[-1].answers == "letter" and rival == "ben" and mail.address in GREETINGS


def _has(text: str, words: str) -> bool:
    """Whether a text holds the first words of a letter, however its lines are broken."""
    begin = re.sub(r"\W+", " ", words.lower()).split()[1:5]
    return " ".join(begin) in re.sub(r"\W+", " ", text)


def _is_filed(order: Order, became: Became) -> bool:
    here = {**became.filed, **became.filed.get("edicts", {})}
    return (
        order.probe in json.dumps({order.key: here.get(order.key, "")}, ensure_ascii=False).lower()
        and order.key in here
    )


def run(numbers: Sequence[int], table: Table) -> list[tuple[Mixed, Became, list[str]]]:
    """What becomes of these mails, and what is wrong with it."""
    made = []
    for number in numbers:
        mail = mixed(number)
        became = table.take(*mail.mails)
        wrong = {*faults(mail, became, [pressed(link)[2] for link in table.links(became).values()])}
        if became.outcome != "accepted" and became.offered() and not _cures(mail, became, table):
            wrong.add("cure fails")
        made.append((mail, became, sorted(wrong)))
    return made


def main() -> None:
    """Count what goes wrong, by kind."""
    count = next((int(word) for word in sys.argv[1:] if word.isdigit()), 300)
    word = sys.argv[sys.argv.index("--show") + 1] if "--show" in sys.argv else ""
    by_position: Counter[tuple[str, str]] = Counter()
    by_address: Counter[tuple[str, str]] = Counter()
    shown = 0
    with TemporaryDirectory() as made:
        for mail, became, wrong in run(range(count), Table(Path(made) / "campaign")):
            for fault in wrong:
                by_position[fault, mail.position] += 1
                by_address[fault, mail.address] += 1
                if word and word in f"{fault}: {mail.position}: {mail.address}" and shown < 6:
                    shown += 1
                    print(
                        f"=== {mail.number} {fault}, {mail.position}, {mail.address}\n{mail.mails[-1]}\n{mail.mails[-1].body}---\n{told(became)}\n"
                    )
    for title, counted in (("by position", by_position), ("by address", by_address)):
        print(title)
        for (fault, where), times in sorted(counted.items()):
            print(f"  {fault:28}{where:34}{times:5}")
    print(
        {fault: sum(times for (one, _), times in by_position.items() if one == fault) for fault in FAULTS}, "of", count
    )


if __name__ == "__main__":
    main()
