"""All that the answer to orders says, as plain data for templates/mail/answer.*: what one seat may know, and nothing else.

Long: one view, a function for each of its parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import TypedDict

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import preview
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.preview import Foreseen, Refused
from kingdom.engine.dice import GM
from kingdom.engine.problems import Problem
from kingdom.engine.step import Facts, Orders
from kingdom.mail.incoming import filing
from kingdom.mail.incoming.fate import ACCEPTED, Fate
from kingdom.mail.incoming.order_text import FILE
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import cures, deadlines, order_words, people, review
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.deadlines import DeadlineView
from kingdom.mail.outgoing.letters import Link
from kingdom.orders import orders_file, yaml_out
from kingdom.render import terminal

HEAD = ("kingdom", "turn")  # said by the subject of a reply
SHOWN = 72  # columns of a line with a problem in it


class ProblemView(TypedDict):
    """A problem with its place, the line itself, and a mark below its column."""

    place: str
    message: str
    text: str
    mark: str


class NumberRow(TypedDict):
    """A number of a sheet, before and after."""

    name: str
    before: object
    after: object
    change: object


class ChangeRow(TypedDict):
    """What else differs in a sheet."""

    name: str
    text: str


class Sheets(TypedDict):
    """Two sheets beside each other."""

    numbers: list[NumberRow]
    changes: list[ChangeRow]


class Moved(Sheets):
    """What differs in a kingdom's two sheets."""

    seat_of: str


class Purse(TypedDict, total=False):
    """The account that orders are paid from; nothing where there is none."""

    name: str
    before: object
    after: object


class Odds(TypedDict):
    """The odds of a check."""

    name: str
    percent: str


class Asked(TypedDict):
    """What still needs an answer: the question, what holds without one, and each choice as a link that answers with it."""

    question: str
    default: str
    choices: list[Mapping[str, object]]


class RefusedRow(TypedDict):
    """An order that would be refused. typed: it is named as its writer would type it."""

    order: str
    typed: bool
    reason: str


class Outlook(Sheets):
    """What would become of the orders now. cost: with its unit."""

    refusals: list[RefusedRow]
    cost: str
    purse: Purse
    others: list[Moved]
    odds: list[Odds]
    asked: list[Asked]


class AnswerView(Outlook, DeadlineView):
    """All that the answer to orders says."""

    campaign: str
    seat: str
    turn: int
    filed: bool
    head: str
    done: str
    asked_wrong: bool
    elsewhere: bool
    reason: str
    receipt: str
    standing: str
    problems: list[ProblemView]
    orders: list[str]
    resend: list[Mapping[str, object]]
    lost: list[str]
    unsaid_final: bool
    gm: bool
    restore: list[Mapping[str, object]]
    but: str
    withheld: bool
    resigned: bool
    ahead: bool
    passed_on: str
    passed_over: str
    letters: str


def upcoming(campaign: Campaign) -> int:
    """The turn that orders are now wanted for."""
    return max(1, campaigns.newest(campaign) + 1)


# Long: one record, a part of the answer a line.
def view_of(campaign: Campaign, journal: Journal, fate: Fate, now: datetime) -> AnswerView:
    """All that the answer to orders says."""
    turn, filed = fate.turn or upcoming(campaign), fate.outcome == ACCEPTED
    if fate.turn and fate.turn < upcoming(campaign):
        turn = upcoming(campaign)
    withheld = review.is_withheld(campaign, journal, fate.seat, now)
    found = None if withheld else _foreseen(campaign, fate)
    return {
        "campaign": campaign.settings.name,
        "seat": fate.seat,
        "turn": turn,
        "filed": filed,
        "head": _done(campaign, fate, turn) if says_final_alone(fate) else f"{_filed(fate)} for turn {turn}.",
        "done": f"{'' if says_final_alone(fate) else _done(campaign, fate, turn)} {_steward(campaign, fate)}".strip(),
        "asked_wrong": fate.code in ASKED_WRONG,
        "elsewhere": bool(fate.next),  # the reason says how to file them; a plain reply would be refused again
        "reason": f"{fate.reason} {fate.how}".strip(),
        "receipt": filing.receipt_of(fate.filed) if fate.filed is not None else "",
        "standing": _standing(campaign, journal, fate, turn, now),
        "problems": _problems(campaign, fate, turn),
        "orders": short(campaign, fate.wanted),
        "resend": [link.view() for link in (*_keep_the_seat(campaign, journal, fate), *_resend(campaign, fate, turn))],
        "lost": _lost(campaign, fate),
        "gm": fate.seat == GM,
        "unsaid_final": "final" in fate.lost,
        "but": _but(fate, found),
        "restore": [link.view() for link in _restore(campaign, fate, turn)],
        "passed_on": fate.passed_on,
        "passed_over": fate.passed_over,
        "withheld": withheld,
        "resigned": filed and fate.seat in journal.resigned,
        "letters": _letters(fate) if filed else "",
        "ahead": filed and found is None and not withheld,
        **(_outlook(campaign, fate, found) if found else NOTHING_FORESEEN),
        **deadlines.deadline_of(campaign, journal, fate.seat, turn, now),
    }


def title_of(fate: Fate, view: AnswerView) -> str:
    """The subject of the answer: what became of the orders."""
    if view["filed"]:
        final = f": your orders are{'' if (fate.wanted or {}).get('final') else ' not'} final"
        but = f", but {view['but'].partition('but ')[2].removesuffix(STANDS)}" if view["but"] else ""
        gone = _count(fate.lost, ("final",))
        lost = f"; {gone} order{'s' if gone > 1 else ''} taken out" if gone else ""
        return f"{_filed(fate)} for turn {view['turn']}{final if says_final_alone(fate) else ''}{but}{lost}"
    if view["asked_wrong"]:
        return "Not done"
    count = len(view["problems"])
    return f"NOT filed: {count} problem{'s' if count > 1 else ''}" if count else f"NOT filed for turn {view['turn']}"


ASKED_WRONG = (  # of commands, not of orders
    "not_withdrawn", "not_out_yet", "seat_given", "not_waiting", "accepted_before", "not_acceptable",
    "unknown_command", "bad_argument", "not_for_players", "not_for_gm", "no_reader", "no_messages", "no_message_text", "no_calendar",
)  # fmt: skip
NOTHING_FORESEEN: Outlook = {
    "refusals": [], "cost": "", "purse": {}, "numbers": [], "changes": [], "others": [], "odds": [], "asked": [],
}  # fmt: skip


def short(campaign: Campaign, wanted: Orders | None, but: Iterable[str] = HEAD) -> list[str]:
    """Orders in the short form, which can be sent again, without whose and when."""
    rest = {key: value for key, value in (wanted or {}).items() if key not in but}
    return orders_file.write_short(rest, campaign.game).splitlines() if rest else []


def says_final_alone(fate: Fate) -> bool:
    """Whether a message says of the orders only that they are final, or no longer are."""
    return fate.outcome == ACCEPTED and fate.keys - {*HEAD, "amend"} == {"final"}


def says_nothing(fate: Fate) -> bool:
    """Whether a message that was taken orders nothing at all, as an order form does in which nothing was chosen."""
    return fate.outcome == ACCEPTED and not fate.keys - {*HEAD, "token"}


def _filed(fate: Fate) -> str:
    return "Nothing changed" if says_nothing(fate) and fate.before.receipt else "Filed"


def _done(campaign: Campaign, fate: Fate, turn: int) -> str:
    """What a message said with `final`, a sentence; "" where it did not."""
    if fate.outcome != ACCEPTED or "final" not in fate.keys:
        return ""
    if (fate.wanted or {}).get("final"):
        early = campaign.settings.calendar is not None and campaign.settings.calendar.early
        runs = f" Turn {turn} is resolved as soon as everybody's orders are final." if early else ""
        return f"You are done for turn {turn}: your orders are final.{runs}"
    return f"You go on with turn {turn}: your orders are not final."


def _steward(campaign: Campaign, fate: Fate) -> str:
    """That the steward who played the last turn has stopped, a sentence; "" where none did."""
    if fate.outcome != ACCEPTED or campaigns.newest(campaign) < 1:
        return ""
    record = campaigns.kept(campaign).record
    if fate.seat not in record.bots or fate.seat not in record.silent or fate.turn != record.turn + 1:
        return ""
    return "The steward has stopped: your own orders count."


def _standing(campaign: Campaign, journal: Journal, fate: Fate, turn: int, now: datetime) -> str:
    """What became of what was filed before, a sentence."""
    filed = fate.outcome == ACCEPTED
    before = fate.before if filed or fate.before.receipt else filing.standing(campaign, journal, fate.seat, turn, now)
    by = " (put there by hand)" if before.by_hand else ""
    if not filed:
        stands = f"What was filed for turn {turn} before stands: receipt {before.receipt}{by}."
        return stands if before.receipt else f"Nothing is filed for turn {turn}."
    if says_final_alone(fate):
        return "Nothing else changes." if before.receipt else "Nothing was filed before, so you order nothing else."
    if says_nothing(fate):
        stands = "What was filed before stands. To take that back, reply with the line `withdraw`."
        return f"There is no order in your mail. {stands if before.receipt else 'Nothing was filed before.'}"
    if not before.receipt:
        return "Nothing was filed before."
    if fate.filed is not None and before.receipt == filing.receipt_of(fate.filed):
        return "The same was filed already."
    if fate.amended:
        return f"They were added to the orders with the receipt {before.receipt}{by}; this is the whole."
    return f"They replace the orders with the receipt {before.receipt}{by}."


def _problems(campaign: Campaign, fate: Fate, turn: int) -> list[ProblemView]:
    """Each problem with its place, the line itself, and a mark below its column."""
    lines = fate.text.split("\n")
    said = cures.cured(campaign, fate.seat, turn, fate.text, fate.problems).said if fate.problems else {}
    found: list[ProblemView] = []
    for one in fate.problems:
        line = lines[one.line - 1] if 0 < one.line <= len(lines) else ""
        start = max(0, one.column - SHOWN + 12) if len(line) > SHOWN else 0
        found.append({
            "place": f"{'' if one.file == FILE else f'{one.file}, '}line {one.line}, column {one.column}" if one.line else "",
            "message": f"Write it as `{said[one.line]}`." if one.line in said else _in_words(one),
            "text": line[start : start + SHOWN],
            "mark": " " * (one.column - 1 - start) + "^" if line.strip() else "",
        })  # fmt: skip
    return found


def _in_words(one: Problem) -> str:
    """The message of a problem; a key at the top is an order."""
    is_order = one.code == "unknown_key" and "." not in one.path and "[" not in one.path
    return one.message.replace("is not a key here", "is no order") if is_order else one.message


# --- what can be sent again


def _keep_the_seat(campaign: Campaign, journal: Journal, fate: Fate) -> list[Link]:
    """For who files although the seat was given up: the word that takes that back."""
    resigned = fate.outcome == ACCEPTED and fate.seat in journal.resigned
    return [making.tap(campaign, fate.seat, "back", "Keep your seat")] if resigned else []


def _resend(campaign: Campaign, fate: Fate, turn: int) -> list[Link]:
    """What cures a refusal, as links; where nothing else does, the order form, or the list of what can be asked."""
    links = [*fate.cures, *_again(campaign, fate, turn)]
    if fate.outcome == ACCEPTED or any(link.to for link in links if link.name != CORRECT):
        return links
    players_orders = fate.seat in campaign.seats and fate.code not in ASKED_WRONG
    word = "form" if players_orders else "help"
    return [*links, making.tap(campaign, fate.seat, word, ASKED_BY[word])]


ASKED_BY = {"form": "Get the order form", "help": "See what you can ask"}
CORRECT = "Correct them and send them again"


def _again(campaign: Campaign, fate: Fate, turn: int) -> list[Link]:
    """The orders as a link: those that came too late, or stood only in quoted text, were filed, or are to be corrected."""
    if fate.next:
        lines = short(campaign, fate.wanted)
        name = "File them all the same" if fate.next == fate.turn else f"File them for turn {fate.next}"
        return [link_to(campaign, fate.seat, fate.next, name, lines)] if lines else []
    if fate.quoted:
        lines = in_quote(campaign, fate.quoted, fate.seat, turn)
        name = "File them as orders" if fate.code == "no_colon" else "File the quoted orders"
        return [link_to(campaign, fate.seat, turn, name, lines)] if lines else []
    if fate.problems:
        return _corrected(campaign, fate, turn)
    lines = short(campaign, fate.wanted) if fate.filed is not None else []
    return [link_to(campaign, fate.seat, turn, "Change them and send them again", lines)] if lines else []


def _corrected(campaign: Campaign, fate: Fate, turn: int) -> list[Link]:
    """Orders in which something is wrong: with the known corrections, as they can be filed; else to be corrected by hand."""
    cured = cures.cured(campaign, fate.seat, turn, fate.text, fate.problems)
    if cured.whole:
        return [link_to(campaign, fate.seat, turn, "Send them corrected", cured.lines)]
    made = link_to(campaign, fate.seat, turn, CORRECT, cured.lines)._replace(lines=())
    rest = [link_to(campaign, fate.seat, turn, "Send the others alone", cured.rest)] if cured.rest else []
    return [*rest, *([made] if made.to else [])]


STANDS = " as things stand."
NO_ORDERS = (*HEAD, "amend", "final", "messages", "requests", "tell")  # keys of which nothing is carried out


def _but(fate: Fate, found: Foreseen | None) -> str:
    """That some of the orders would be refused, a sentence; "" where none would."""
    refused = len({one["order"] for one in found.refusals}) if found else 0
    if not refused:
        return ""
    count = _count(fate.wanted or {}, NO_ORDERS)
    return f"Filed, but {refused} of {max(count, refused)} orders would be refused{STANDS}"


def _count(orders: Orders, but: Iterable[str]) -> int:
    """How many orders there are, each item of a list and each word of a map by itself."""
    values = [value for key, value in orders.items() if key not in but]
    return sum(len(value) if isinstance(value, (list, dict)) else 1 for value in values)


def _letters(fate: Fate) -> str:
    """When the letters in orders go out, a sentence; "" where there are none."""
    count = len((fate.wanted or {}).get("messages") or ())
    if not count:
        return ""
    to = (fate.wanted or {})["messages"][0]["to"]
    what = "Your letter goes" if count == 1 else f"Your {count} letters go"
    return f"{what} out with the reports of turn {fate.turn}. To write at once, reply with the line `to {to}` above your words."


def _restore(campaign: Campaign, fate: Fate, turn: int) -> list[Link]:
    """What the new orders took away, as a link that orders it besides; none where that can't be. The GM's orders know no
    `amend`: theirs has all of both."""
    if not fate.lost:
        return []
    wanted = fate.wanted or {}
    both = {
        key: [*value, *wanted[key]] if isinstance(value, list) and key in wanted else value
        for key, value in fate.lost.items()
    }
    lines = short(campaign, {**wanted, **both}) if fate.seat == GM else ["amend: true", *short(campaign, both)]
    if readable(campaign, "\n".join(lines), fate.seat, turn) is None:
        return []
    return [link_to(campaign, fate.seat, turn, "Order these as well", lines)]


def _lost(campaign: Campaign, fate: Fate) -> list[str]:
    """What the new orders took away, in words; of a message to whom it was."""
    said: list[str] = []
    for key, value in fate.lost.items():
        texts = [one for one in value if isinstance(one, dict) and {"to", "text"} <= one.keys()] if key in TEXTS else []
        said += [f"{TEXTS[key]} to {_reader(campaign, one['to'])}: {one['text']!r}" for one in texts]
        if not texts and key != "final":
            said.append(order_words.in_one_line(key, value, partial(short, campaign)))
    return said


TEXTS = {"messages": "the message", "tell": "your words"}  # keys of texts that go to somebody


def _reader(campaign: Campaign, seat: str) -> str:
    return people.who(campaign, seat) if seat in (*campaign.seats, GM) else str(seat)


def link_to(campaign: Campaign, seat: str, turn: int, name: str, lines: Iterable[str]) -> Link:
    """A link that files these lines as orders."""
    return making.link(name, making.address_of(campaign), making.orders_subject(campaign, seat, turn), lines)


def in_quote(campaign: Campaign, quoted: str, seat: str, turn: int) -> list[str]:
    """The orders in quoted text, in the short form; none where they can't be read."""
    keys = {*orders_file.declared(campaign.game, seat).keys}
    lines = [line.lstrip("> \t") if line.startswith((">", " >")) else line for line in quoted.splitlines()]
    for text in (lines, _from_keys(lines, keys)):
        wanted = readable(campaign, "\n".join(text), seat, turn)
        if wanted:
            return short(campaign, wanted)
    return []


def _from_keys(lines: list[str], keys: set[str]) -> list[str]:
    """The lines that begin with a key of orders, and those that go on with one, dedented."""
    from kingdom.orders.schema import snake

    kept: list[str] = []
    inside = False
    for line in lines:
        word, colon, _ = line.strip().partition(":")
        if colon and snake(word) in keys and snake(word) not in (*HEAD, "token"):
            inside = True
            kept.append(line.strip())
        elif inside and line.strip() and (line.startswith((" ", "-")) or kept[-1].endswith(",")):
            kept.append(f"  {line.strip()}")
        else:
            inside = False
    return kept


def readable(campaign: Campaign, text: str, seat: str, turn: int) -> Orders | None:
    """The orders of a text that a seat might send for that turn; None where it is no valid filing."""
    names = campaigns.names_today(campaign)
    return orders_file.read(text.encode(), FILE, campaign.game, names, seat, turn, subject=True).orders


# --- what would become of them


def _foreseen(campaign: Campaign, fate: Fate) -> Foreseen | None:
    """None where nothing is filed, or for a turn that is further ahead."""
    if fate.filed is None or fate.turn != upcoming(campaign):
        return None
    return preview.foresee(campaign, fate.filed, FILE)


def _outlook(campaign: Campaign, fate: Fate, found: Foreseen) -> Outlook:
    """What would become of the orders now, as far as this seat may know, without any die."""
    before, after = found.before or {}, found.after or {}
    if found.seat == GM:
        others = [_moved(before[seat], after[seat], people.who(campaign, seat)) for seat in before if seat in after]
        changed = [one for one in others if one["numbers"] or one["changes"]]
        rows = refused_rows(campaign, found.refusals, fate.wanted or {}, {})
        return {**NOTHING_FORESEEN, "refusals": rows, "others": changed}
    account, coin = campaign.game.paid_from, campaign.game.coin
    purse: Purse = (
        {"name": _words(account), "before": before.get(account), "after": after.get(account)}
        if account in after
        else {}
    )
    wanted = fate.wanted or {}
    sheets: Sheets = {"numbers": [], "changes": []} if says_final_alone(fate) else _sheets(before, after)
    odds = {} if says_final_alone(fate) else found.odds
    return {
        **NOTHING_FORESEEN,
        "refusals": refused_rows(campaign, found.refusals, wanted, before),
        "cost": f"{found.cost} {coin}" if coin else str(found.cost),
        "purse": purse,
        **sheets,
        "odds": [{"name": _words(name), "percent": terminal.percent(chance)} for name, chance in odds.items()],
        "asked": asked(campaign, found.seat, found.turn, before, wanted, found.refusals),
    }


def refused_rows(campaign: Campaign, refusals: Iterable[Refused], wanted: Orders, sheet: Facts) -> list[RefusedRow]:
    """The orders that would be refused, each named as its writer would, with the reason in plain words."""
    questions = {f"answers.{one['key']}": one for one in order_words.questions_of(sheet)}
    rows: list[RefusedRow] = []
    for one in refusals:
        question = questions.get(one["order"])
        if question:
            reason = order_words.refused_answer(question, wanted.get("answers", {}).get(question["key"]), one["reason"])
            rows.append({"order": f"Your answer to {order_words.title_of(question)}", "typed": False, "reason": reason})
        else:
            name = order_words.named(one["order"], wanted, partial(short, campaign))
            rows.append({"order": name, "typed": True, "reason": order_words.plainly(one["reason"])})
    return rows


def _moved(before: Facts, after: Facts, name: str) -> Moved:
    """What differs in a kingdom's two sheets."""
    found = _sheets(before, after)
    moved = [row for row in found["numbers"] if row["change"]]
    return {"seat_of": name, "numbers": moved, "changes": found["changes"]}


def _sheets(before: Facts, after: Facts) -> Sheets:
    """Two sheets beside each other: every number, and what else differs."""
    rows = [row for row in terminal.numbers(before, after) if row[0] != "turn"]
    return {
        "numbers": [
            {"name": _words(name), "before": old, "after": new, "change": change} for name, old, new, change in rows
        ],
        "changes": [{"name": _words(name), "text": text} for name, text in terminal.differences(before, after)],
    }


def asked(
    campaign: Campaign,
    seat: str,
    turn: int,
    sheet: Facts,
    wanted: Orders | None = None,
    refused: Iterable[Refused] = (),
) -> list[Asked]:
    """What still needs an answer: the question, what holds without one, and each answer as a link that gives it.

    wanted: the orders that stand; an answer in them that is refused is none. An answer that they leave no means for has no link.
    """
    orders = wanted or {}
    found: list[Asked] = []
    for one in unanswered(sheet, orders, refused):
        choices = []
        for words, answer in order_words.answers_to(one):
            lines = ["amend: true", f"answers: {yaml_out.flow({one['key']: answer})}"]
            if readable(campaign, "\n".join(lines), seat, turn) and _counts(campaign, seat, turn, orders, one, answer):
                choices.append(link_to(campaign, seat, turn, f"Answer {words}", lines).view())
        found.append({"question": one["question"], "default": one["default"].replace("_", " "), "choices": choices})
    return found


def unanswered(sheet: Facts, wanted: Orders, refused: Iterable[Refused]) -> list[Facts]:
    """The questions that these orders leave open: an answer that is refused is none."""
    bad = {one["order"] for one in refused}
    answered = {key for key in wanted.get("answers", {}) if f"answers.{key}" not in bad}
    return [one for one in order_words.questions_of(sheet) if one["key"] not in answered]


def _counts(campaign: Campaign, seat: str, turn: int, orders: Orders, question: Facts, answer: object) -> bool:
    """Whether an answer beside these orders would count: one that costs more than there is does not. The default always does."""
    if answer == question["default"] or turn != upcoming(campaign):
        return True
    start, path = preview.start_of(campaign), f"answers.{question['key']}"
    asks = campaign.game.sheet(start.state, seat, start.rules.rules).get("pending", ())
    if question["key"] not in {one["key"] for one in asks}:
        return True
    answers = {**orders.get("answers", {}), question["key"]: answer}
    text = orders_file.write({"kingdom": seat, "turn": turn, **orders, "answers": answers}).encode()
    _, refused = preview.verdict(campaign, start, seat, text, FILE)
    return path not in {one["order"] for one in refused}


def _words(key: str) -> str:
    """A key as a person reads it: `Control DC`."""
    words = [word.upper() if len(word) == 2 else word for word in key.split("_")]
    return " ".join([words[0][:1].upper() + words[0][1:], *words[1:]])
