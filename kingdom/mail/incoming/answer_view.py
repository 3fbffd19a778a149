"""The answer to orders as plain data for templates/mail/answer.*. It holds only what the seat may know."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import partial
from itertools import accumulate

from kingdom.campaign import advice, preview
from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.preview import Foreseen
from kingdom.engine.dice import GM
from kingdom.engine.problems import shown
from kingdom.engine.step import Facts, Orders
from kingdom.mail.incoming import cures, filing
from kingdom.mail.incoming.outcome import ACCEPTED, TRIED, Fate
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import deadlines, order_links, order_words, outlook, people, review
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.letters import Link
from kingdom.mail.reading.dry_run import TRY
from kingdom.mail.records import FILE
from kingdom.orders import orders_file

WORDS, LONGEST_WORDS = 20, 2000  # lines and characters of what went to the GM that an answer quotes
LONGEST_ORDERS = 20_000  # characters of orders that an answer shows
MOST_REFUSED = 40  # orders that would be refused, each with its reason
LONGEST_LOST = 200  # characters of a message that no longer goes out
SHOWN = 72  # columns of a line with a problem in it
SENTENCE = 4  # a line of more words may be one


def view_of(campaign: Campaign, journal: Journal, fate: Fate, now: datetime) -> Facts:
    """The answer to orders, as data for its templates."""
    turn, filed = fate.turn or order_links.upcoming(campaign), fate.outcome == ACCEPTED
    if fate.turn and fate.turn < order_links.upcoming(campaign):
        turn = order_links.upcoming(campaign)
    withheld = review.is_withheld(campaign, journal, fate.seat, now)
    found = None if withheld else outlook.foreseen(campaign, fate.filed, fate.turn)
    cured = cures.cured(campaign, fate.seat, turn, fate.text, fate.problems) if fate.problems else cures.Cured(())
    fate = fate._replace(cures=(*fate.cures, *_corrected(campaign, fate, turn, cured)))
    brief = says_final_alone(fate)
    foreseen = outlook.outlook(campaign, fate.wanted or {}, found, brief) if found else outlook.NOTHING_FORESEEN
    return {
        "campaign": campaign.settings.name,
        "seat": fate.seat,
        "turn": turn,
        "filed": filed,
        "tried": fate.outcome == TRIED,
        "ahead_said": _ahead(campaign, fate) if found else [],
        "head": _done(campaign, fate, turn) if says_final_alone(fate) else f"{_filed(fate)} for turn {turn}.",
        "done": f"{'' if says_final_alone(fate) else _done(campaign, fate, turn)} {_steward(campaign, fate)}".strip(),
        "asked_wrong": fate.code in ASKED_WRONG,
        "elsewhere": bool(fate.next),  # the reason says how to file the orders; a plain reply would be refused again
        "reason": f"{fate.reason} {fate.how}".strip(),
        "receipt": filing.receipt_of(fate.filed) if fate.filed is not None else "",
        "standing": _standing(campaign, journal, fate, turn, now),
        "problems": _problems(fate, cured),
        "orders": _shown(order_links.short(campaign, fate.wanted)),
        "resend": [link._asdict() for link in _resend(campaign, journal, fate, turn)],
        "lost": _lost(campaign, fate),
        "gm": fate.seat == GM,
        "unsaid_final": "final" in fate.lost,
        "but": _but(fate, found),
        "restore": [link._asdict() for link in _restore(campaign, fate, turn)],
        "passed_on": fate.passed_on,
        "words": _quoted(fate.words),
        "passed_over": fate.passed_over,
        "withheld": withheld,
        "resigned": filed and fate.seat in journal.resigned,
        "letters": _letters(campaign, fate) if filed else "",
        "ahead": filed and found is None and not withheld,
        **foreseen,
        "refusals": foreseen["refusals"][:MOST_REFUSED],
        "refused_more": max(0, len(foreseen["refusals"]) - MOST_REFUSED),
        **deadlines.deadline_of(campaign, journal, fate.seat, turn, now),
    }


def _quoted(words: str) -> list[str]:
    """The first lines of a person's words, as many as an answer quotes."""
    lines = [line for line in words[:LONGEST_WORDS].splitlines() if line.strip()][:WORDS]
    return [*lines, "..."] if len(words) > LONGEST_WORDS else lines


def _shown(orders: Sequence[str]) -> list[str]:
    """The first lines of orders, as many as an answer shows, and a line with the number of the others."""
    length = list(accumulate(len(line) + 1 for line in orders))
    count = bisect_right(length, LONGEST_ORDERS)
    more = len(orders) - count
    return [*orders[:count], *([f"# {more} more line{'s are' if more > 1 else ' is'} not shown here."] if more else [])]


def _ahead(campaign: Campaign, fate: Fate) -> list[str]:
    """Sentences about what the orders do to the odds of the next turns. Who only tries orders is told all odds; who files them is told the
    dangers."""
    if fate.outcome != TRIED and says_final_alone(fate):
        return []
    of = advice.weighed if fate.outcome == TRIED else advice.dangers
    return of(campaign, preview.start_of(campaign), fate.seat, fate.wanted or {})


def title_of(fate: Fate, view: Facts) -> str:
    """The subject of the answer: what became of the orders."""
    if view["filed"]:
        final = f": your orders are{'' if (fate.wanted or {}).get('final') else ' not'} final"
        but = f", but {view['but'].partition('but ')[2].removesuffix(STANDS)}" if view["but"] else ""
        gone = _count(fate.lost, ("final",))
        lost = f"; {gone} order{'s' if gone > 1 else ''} taken out" if gone else ""
        return f"{_filed(fate)} for turn {view['turn']}{final if says_final_alone(fate) else ''}{but}{lost}"
    if view["asked_wrong"]:
        return "Not done"
    if view["tried"]:
        return f"Tried for turn {view['turn']}, not filed"
    count = len(view["problems"])
    return f"NOT filed: {count} problem{'s' if count > 1 else ''}" if count else f"NOT filed for turn {view['turn']}"


ASKED_WRONG = (  # of commands, not of orders
    "not_withdrawn", "not_out_yet", "seat_given", "not_waiting", "accepted_before", "not_acceptable",
    "unknown_command", "bad_argument", "not_for_players", "not_for_gm", "no_reader", "no_messages", "no_message_text", "no_calendar",
)  # fmt: skip


def says_final_alone(fate: Fate) -> bool:
    """Whether a message holds no order and only says that the orders are final, or no longer final."""
    return fate.outcome == ACCEPTED and fate.keys - {*order_links.HEAD, "amend"} == {"final"}


def says_nothing(fate: Fate) -> bool:
    """Whether a message that was taken orders nothing at all, such as an order form in which nothing was chosen."""
    return fate.outcome == ACCEPTED and not fate.keys - {*order_links.HEAD, "token"}


def _filed(fate: Fate) -> str:
    return "Nothing changed" if says_nothing(fate) and fate.before.receipt else "Filed"


def _done(campaign: Campaign, fate: Fate, turn: int) -> str:
    """A sentence about `final` in the message; "" where the message has no `final`."""
    if fate.outcome != ACCEPTED or "final" not in fate.keys:
        return ""
    if (fate.wanted or {}).get("final"):
        early = campaign.settings.calendar is not None and campaign.settings.calendar.early
        runs = f" Turn {turn} is resolved as soon as everybody's orders are final." if early else ""
        return f"You are done for turn {turn}: your orders are final.{runs}"
    return f"You go on with turn {turn}: your orders are not final."


def _steward(campaign: Campaign, fate: Fate) -> str:
    """A sentence that the steward who played the last turn has stopped; "" where no steward played."""
    if fate.outcome != ACCEPTED or campaigns.newest(campaign) < 1:
        return ""
    record = campaigns.kept(campaign).record
    if fate.seat not in record.bots or fate.seat not in record.silent or fate.turn != record.turn + 1:
        return ""
    return "The steward has stopped: your own orders count."


def _standing(campaign: Campaign, journal: Journal, fate: Fate, turn: int, now: datetime) -> str:
    """A sentence about what became of the orders that were filed before."""
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


def _problems(fate: Fate, cured: cures.Cured) -> list[Facts]:
    """Each problem with its `place`, the line itself (`text`), and a `mark` below its column."""
    lines, said = fate.text.split("\n"), cured.said
    found = list[Facts]()
    for one in fate.problems:
        line = lines[one.line - 1] if 0 < one.line <= len(lines) else ""
        start = max(0, one.column - SHOWN + 12) if len(line) > SHOWN else 0
        message = f"Write it as `{said[one.line]}`." if one.line in said else one.message
        if one.code == "colon_missing" and one.line not in said and len(line.split()) > SENTENCE:
            message += " If it is a sentence, send it in a mail of its own."
        elif one.code == "unknown_key" and one.line not in said and "." not in one.path and "[" not in one.path:
            message = message.replace("is not a key here", "is no order")  # a key at the top is an order
        found.append({
            "place": f"{'' if one.file == FILE else f'{one.file}, '}line {one.line}, column {one.column}" if one.line else "",
            "message": message,
            "text": line[start : start + SHOWN],
            "mark": " " * (one.column - 1 - start) + "^" if line.strip() else "",
        })  # fmt: skip
    return found


# --- what can be sent again


def _resend(campaign: Campaign, journal: Journal, fate: Fate, turn: int) -> list[Link]:
    """The links that cure a refusal. Where there is no better cure, the order form, or the list of what can be asked."""
    resigned = fate.outcome == ACCEPTED and fate.seat in journal.resigned  # who files all the same may keep the seat
    links = [making.tap(campaign, fate.seat, "back", "Keep your seat")] if resigned else []
    links += [*fate.cures, *_again(campaign, fate, turn)]
    recalled = fate.code == "recalled" and fate.seat != GM
    if recalled or says_nothing(fate) and fate.before.receipt and not fate.to_gm:
        links.append(making.tap(campaign, fate.seat, "withdraw", "Take back what is filed"))
    if fate.outcome == ACCEPTED or any(link.to for link in links if link.name != CORRECT):
        return links
    players_orders = fate.seat in campaign.seats and fate.code not in ASKED_WRONG
    word = "form" if players_orders else "help"
    return [*links, making.tap(campaign, fate.seat, word)]


CORRECT = "Correct them and send them again"


def _again(campaign: Campaign, fate: Fate, turn: int) -> list[Link]:
    """The link that sends orders again: those that came too late, stood only in quoted text, were tried, or were filed."""
    if fate.next:
        lines = order_links.short(campaign, fate.wanted)
        name = "File them all the same" if fate.next == fate.turn else f"File them for turn {fate.next}"
        return [order_links.link_to(campaign, fate.seat, fate.next, name, lines)] if lines else []
    if fate.quoted:
        lines = order_links.in_quote(campaign, fate.quoted, fate.seat, turn)
        what = "them as orders" if fate.code in ("no_colon", "no_key", "left_over", "hash") else "the quoted orders"
        name, lines = f"{'Try' if fate.tries else 'File'} {what}", _tried(fate, lines)
        return [order_links.link_to(campaign, fate.seat, turn, name, lines)] if lines else []
    name = "File these orders" if fate.outcome == TRIED else "Change them and send them again"
    lines = order_links.short(campaign, fate.wanted) if fate.filed is not None else []
    return [order_links.link_to(campaign, fate.seat, turn, name, lines)] if lines else []


def _corrected(campaign: Campaign, fate: Fate, turn: int, cured: cures.Cured) -> list[Link]:
    """The links for orders with problems: the corrected orders, if they can be filed; else the orders without a problem, and all orders
    to be corrected by hand."""
    if not fate.problems:
        return []
    lines = _tried(fate, cured.lines)
    if cured.whole:
        return [order_links.link_to(campaign, fate.seat, turn, order_links.CORRECTED, lines)]
    made = order_links.link_to(campaign, fate.seat, turn, CORRECT, lines)._replace(lines=())
    alone = _tried(fate, cured.rest)
    rest = [order_links.link_to(campaign, fate.seat, turn, "Send the others alone", alone)] if alone else []
    return [*rest, *([made] if made.to else [])]


def _tried(fate: Fate, lines: Sequence[str]) -> list[str]:
    """The proposed lines; for a player who only tried orders they begin with the word that only tries these, too."""
    return [TRY, *lines] if fate.tries and lines else [*lines]


STANDS = " as things stand."
# keys of which nothing is carried out
NO_ORDERS = (*order_links.HEAD, "amend", "final", "messages", "requests", "tell")


def _but(fate: Fate, found: Foreseen | None) -> str:
    """A sentence that some of the orders would be refused; "" where none would."""
    refused = len({one["order"] for one in found.refusals}) if found else 0
    if not refused:
        return ""
    count = _count(fate.wanted or {}, NO_ORDERS)
    what = "Tried" if fate.outcome == TRIED else "Filed"
    return f"{what}, but {refused} of {max(count, refused)} orders would be refused{STANDS}"


def _count(orders: Orders, but: Iterable[str]) -> int:
    """How many orders there are; each item of a list and each entry of a map counts."""
    values = [value for key, value in orders.items() if key not in but]
    return sum(len(value) if isinstance(value, (list, dict)) else 1 for value in values)


def _letters(campaign: Campaign, fate: Fate) -> str:
    """Sentences that say when the letters in the orders go out, and how a letter goes out at once; "" where there are no letters."""
    letters = (fate.wanted or {}).get("messages") or ()
    if not letters:
        return ""
    what = "Your letter goes" if len(letters) == 1 else f"Your {len(letters)} letters go"
    said = f"{what} out with the reports of turn {fate.turn}."
    bots = {seat for seat, player in campaign.settings.players.items() if player.bot}
    person = next((one["to"] for one in letters if one["to"] not in bots), "")
    return f"{said} To write at once, reply with the line `to {person}` above your words." if person else said


def _restore(campaign: Campaign, fate: Fate, turn: int) -> list[Link]:
    """A link that restores what the new orders took away, beside the new orders; none where that can't be done. The GM's orders have no
    `amend`, so the GM's link holds all of both."""
    if not fate.lost:
        return []
    wanted = fate.wanted or {}
    both = {
        key: [*wanted[key], *value] if isinstance(value, list) and key in wanted else value
        for key, value in fate.lost.items()
    }
    lines = ["amend: true", *order_links.short(campaign, both)]
    if fate.seat == GM:
        lines = order_links.short(campaign, {**wanted, **both})
    if order_links.readable(campaign, "\n".join(lines), fate.seat, turn) is None:
        return []
    return [order_links.link_to(campaign, fate.seat, turn, "Order these as well", lines)]


def lost_of(campaign: Campaign, journal: Journal, fate: Fate, now: datetime) -> Orders:
    """The orders that the new ones took away and that could have been carried out. An order that would have been refused is no loss, such
    as one with a misspelt name. While the last report is withheld nothing may be told of refusals, so all orders count."""
    is_next = fate.turn == order_links.upcoming(campaign)
    if not fate.lost or not is_next or review.is_withheld(campaign, journal, fate.seat, now):
        return fate.lost
    filed, refused = preview.verdict(campaign, preview.start_of(campaign), fate.seat, fate.before.data, FILE)
    carried_out = order_words.without(filed.orders or {}, [one["order"] for one in refused])
    return orders_file.lost(carried_out, fate.wanted or {}, campaign.game, fate.seat) if filed.orders else fate.lost


def _lost(campaign: Campaign, fate: Fate) -> list[str]:
    """The orders that the new ones took away, in words; for a letter the name of its reader."""
    said: list[str] = []
    for key, value in fate.lost.items():
        texts = [one for one in value if isinstance(one, dict) and {"to", "text"} <= one.keys()] if key in TEXTS else []
        readers = {to: people.who(campaign, to) for to in (*campaign.seats, GM)} if texts else {}
        said += [
            f"{TEXTS[key]} to {readers.get(one['to'], one['to'])}: {shown(one['text'], LONGEST_LOST)!r}"
            for one in texts
        ]
        if not texts and key != "final":
            said.append(order_words.in_one_line(key, value, partial(order_links.short, campaign)))
    return said


TEXTS = {"messages": "the message", "tell": "your words"}  # keys of texts that go to somebody
