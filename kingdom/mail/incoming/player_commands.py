"""The commands of players alone: they show or change what is the seat's own, such as its orders, the map or an absence."""

from __future__ import annotations

import re
from calendar import isleap
from datetime import date, timedelta

from kingdom.books import closing
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import zones
from kingdom.engine.dice import GM
from kingdom.engine.step import Facts
from kingdom.mail.aside import OWN_WORDS
from kingdom.mail.incoming import days, filing
from kingdom.mail.incoming.asking import Answer, Asked
from kingdom.mail.incoming.filing import AHEAD
from kingdom.mail.incoming.in_time import too_late
from kingdom.mail.outgoing import deadlines, order_links, reporting
from kingdom.mail.outgoing.letters import Enclosed
from kingdom.mail.records import Standing
from kingdom.render.plain_text import wrap_said

MOST_AWAY = 20  # turns
_NEARLY_A_YEAR = timedelta(days=300)  # a day without a year that is so far ahead was probably meant of the past
_WIDTH = 720  # pixels of the map: hexes can be read, and a large kingdom's takes less than 100 KB
_COLUMNS = 72  # width of a sentence between lines that can be typed

# --- what is filed


def orders(asked: Asked) -> Answer:
    """Shows what is filed for the next turn and for later ones, as lines that can be sent again."""
    campaign, seat, first = asked.campaign, asked.seat, asked.turn
    due = deadlines.deadline_of(campaign, asked.journal, seat, first, asked.now)["due"]
    turns = range(first, first + AHEAD + 1)
    there = {turn: filing.standing(campaign, asked.journal, seat, turn, asked.now) for turn in turns}
    filed = {turn: one for turn, one in there.items() if one.receipt}
    said = [f"Filed for turn {turn}: receipt {one.receipt}{_by_hand(one)}." for turn, one in filed.items()]
    if first not in filed:
        said.insert(0, f"Nothing is filed for turn {first}.")
    typed: list[str] = []
    links = []
    for turn, one in filed.items():
        lines = _lines(asked, turn, one)
        typed += [*([""] if typed else []), f"# turn {turn}", *lines]
        link = order_links.link_to(campaign, seat, turn, f"Change the orders for turn {turn}", lines)
        links += [link] if link.to else []
    if first in filed and seat != GM and _stays(asked, first) is None:
        links.append(asked.tap("withdraw", "Take them back"))
    elif first not in filed and seat != GM:
        links.append(reporting.form_link(campaign, seat))
    return Answer((" ".join(said), *filter(None, [due])), tuple(typed), tuple(links))


def _by_hand(there: Standing) -> str:
    if there.of_another:
        return " (by the player before you, whose messages and requests are not shown)"
    return " (put there by hand)" if there.by_hand else ""


def _lines(asked: Asked, turn: int, there: Standing) -> list[str]:
    """The filed orders in the short form; the text of a file that can't be read."""
    text = there.data.decode("utf-8", "replace")
    wanted = order_links.readable(asked.campaign, text, asked.seat, turn)
    if there.of_another:
        return order_links.short(asked.campaign, wanted, (*order_links.HEAD, *OWN_WORDS))
    return order_links.short(asked.campaign, wanted) if wanted is not None else text.splitlines()


def withdraw(asked: Asked) -> Answer:
    """Takes back what is filed. The answer shows it, and one tap files it again."""
    if not re.fullmatch(r"\d{0,6}", asked.words):
        return asked.bad("withdraw", "withdraw", " It takes a turn, or nothing: then the next one.")
    seat, turn = asked.seat, int(asked.words or asked.turn)
    refused = _stays(asked, turn)
    if refused is not None:
        return refused
    there = filing.standing(asked.campaign, asked.journal, seat, turn, asked.now)
    if not there.receipt:
        said = f"Nothing is filed for turn {turn}, so there is nothing to take back."
        return Answer((said,), links=(asked.tap("form"),), title=f"Nothing was filed for turn {turn}")
    if not filing.counts(there, asked.case.time, asked.case.message.seen):
        facts = {"turn": turn, "receipt": there.receipt}
        again = asked.tap(f"withdraw {turn}", "Take them back all the same")
        return Answer(refused="older", facts=facts, links=(again,))
    lines = _lines(asked, turn, there)
    again = order_links.link_to(asked.campaign, seat, turn, "File them again", lines)
    said = f"Withdrawn: the orders for turn {turn} with the receipt {there.receipt}{_by_hand(there)}. Nothing is filed for it now."
    how = "These were your orders. To file them again, tap the link, or reply with them above the quote:"
    time = asked.case.time.isoformat()
    event = ("withdraw", {"kingdom": seat, "turn": turn, "receipt": there.receipt, "time": time})
    ahead = [f"turn: {turn}"] if turn != asked.turn else []  # else a reply is for the next turn
    return Answer((said, how), (*ahead, *lines), (again,) if again.to else (), events=(event,))


def _stays(asked: Asked, turn: int) -> Answer | None:
    """The answer that what is filed for the turn can't be taken back; None where it can."""
    due, case = deadlines.deadline(asked.campaign, asked.journal, turn), asked.case
    if due is not None and case.came > due.last and turn >= asked.turn:
        facts: Facts = {"turn": turn, "deadline": deadlines.said(due.at, asked.campaign, asked.seat)}
        return Answer(refused="not_withdrawn", facts=facts, links=(asked.tap("orders"),))
    code, facts = too_late(case, asked.seat, turn)
    return Answer(refused=code, facts=facts, links=(asked.tap("orders"),)) if code else None


# --- what is shown


def chart(asked: Asked) -> Answer:
    """Sends the map as the seat knows it, as text and as a picture."""
    campaign = asked.campaign
    if campaigns.newest(campaign) < 0:
        return Answer(("There is no map yet: the first one comes with the start of the campaign.",))
    if withheld := asked.withheld():
        return withheld
    turn = campaigns.kept(campaign)
    state, rules = campaigns.state_of(campaign, turn), campaigns.rules_of(campaign, turn).rules
    seat = None if asked.seat == GM else asked.seat
    typed = campaign.game.draw(state, seat, rules).rstrip("\n").split("\n")
    enclosed: tuple[Enclosed, ...] = ()
    if campaign.game.picture is not None:
        from kingdom.render import pictures  # loads the library that draws

        data = pictures.png(campaign.game.picture(state, seat, rules), _WIDTH, small=True)
        enclosed = (Enclosed(f"map-{turn.record.turn:04}.png", "image/png", data),)
    attached = " The picture of it is attached." if enclosed else ""
    known = "The whole map" if seat is None else "The map as you know it"
    return Answer((f"{known} after turn {turn.record.turn}.{attached}",), tuple(typed), enclosed=enclosed)


def form(asked: Asked) -> Answer:
    """Sends the order form, as lines and as a page."""
    over = closing.why_over(asked.campaign)
    if over:
        return Answer((f"{asked.campaign.settings.name} is over: {over}. There is nothing left to order.",))
    if withheld := asked.withheld():
        return withheld
    lines = reporting.form(asked.campaign, asked.seat)
    said = (
        f"The order form of turn {asked.turn}. Reply with it above the quote; take away a # to give that order as well. Or open the "
        "attached page in a browser, choose there, and send what it gives you."
    )
    file = Enclosed(f"orders-{asked.turn:04}.txt", "text/plain", "".join(f"{line}\n" for line in lines).encode())
    due = deadlines.due_words(asked.campaign, asked.journal, asked.seat, asked.turn, asked.now)
    page = reporting.form_file(asked.campaign, asked.journal, asked.seat, asked.turn, due)
    return Answer((said,), tuple(lines), (reporting.form_link(asked.campaign, asked.seat),), (file, page))


def advise(asked: Asked) -> Answer:
    """Shows the plans that the seat is advised to follow, each with a link that sends it."""
    campaign = asked.campaign
    over = closing.why_over(campaign)
    if over:
        return Answer((f"{campaign.settings.name} is over: {over}. There is nothing left to order.",))
    if campaign.game.advice is None:
        return Answer((f"There is no advice for {campaign.game.title}.",), links=(asked.tap("form"),))
    if not campaign.settings.advice:
        said = f"{campaign.settings.gm.name} has switched advice off in this campaign."
        return Answer((said,), links=(asked.tap("form"), asked.tap("to gm", "Write to the GM")))
    if withheld := asked.withheld():
        return withheld
    plans = reporting.advised(campaign, asked.seat)
    if not plans:
        return Answer((f"There is nothing to advise you for turn {asked.turn}.",), links=(asked.tap("form"),))
    typed: list[str] = []
    for plan in plans:
        effects = (line for effect in plan.effects for line in wrap_said(effect, 0, _COLUMNS).split("\n"))
        typed += [*([""] if typed else []), plan.title, *effects, "", *plan.link.lines]
    said = "From what you know; nothing is filed. To send one, tap its link, or reply with its lines above the quote."
    return Answer((said,), tuple(typed), tuple(plan.link for plan in plans))


def prove(asked: Asked) -> Answer:
    """Sends the program by which a player proves dice, orders and history from the mails alone."""
    from kingdom.books import verify  # seldom needed

    said = (
        "The attached program shows whether your dice were the promised ones, whether the orders that counted were yours, and whether each "
        "turn follows the one that you know. It needs your mails of this campaign and Python 3.9 or newer, and nothing else."
    )
    how = "Save the mails (as .eml files, or as one mbox) into a folder, and verify.txt beside it. Then type, with that folder's name:"
    # many programs refuse a mail with a .py
    file = Enclosed("verify.txt", "text/plain", verify.source())
    return Answer((said, how), ("python3 verify.txt FOLDER",), enclosed=(file,))


# --- who is there


def away(asked: Asked) -> Answer:
    """Notes an absence: for a number of turns, until a turn, or until a day. The answer repeats it in words."""
    words = asked.words.removeprefix("for ")
    if found := re.fullmatch(r"until turn (\d{1,6})", words):
        return _away(asked, int(found[1]), "")
    if words.startswith("until "):
        return _away_until(asked, words.removeprefix("until "))
    if re.fullmatch(r"|[1-9]\d?(?: turns?)?", words):
        return _away(asked, asked.turn + int(words.partition(" ")[0] or 1) - 1, "")
    more = f" It takes a number of turns, at most {MOST_AWAY}, or `until` and a day."
    return asked.bad("away", "away 2", more)


def _away_until(asked: Asked, words: str) -> Answer:
    """Notes an absence at every deadline up to a day, including the day itself, by the player's clock."""
    campaign, journal, seat = asked.campaign, asked.journal, asked.seat
    first = deadlines.deadline(campaign, journal, asked.turn)
    if first is None or campaign.settings.calendar is None:
        more = " This campaign has no calendar, so name a turn."
        return asked.bad("away", f"away until turn {asked.turn + 1}", more)
    clock = zones.zone(campaign.settings.players[seat].zone or campaign.settings.calendar.zone)
    today = asked.case.time.astimezone(clock).date()
    day = days.day_in(words, today)
    if day is None:
        return asked.bad(
            "away", f"away until {days.said(_a_day(asked))}", " It takes a day such as `until 3 December`."
        )
    last = asked.turn - 1
    while last < asked.turn + MOST_AWAY:
        due = deadlines.deadline(campaign, journal, last + 1)
        if due is None or due.at.astimezone(clock).date() > day:
            break
        last += 1
    if last >= asked.turn + MOST_AWAY:
        more = f" {days.said(day)} {day.year} is more than {MOST_AWAY} turns off."
        if day - today > _NEARLY_A_YEAR and str(day.year) not in words:
            more = f" {days.said(day)} is past."
            if (day.month, day.day) == (2, 29) and not isleap(today.year):
                more = f" There is no {days.said(day)} {today.year + (today.month > 2)}."
        return asked.bad("away", f"away until {days.said(_a_day(asked))}", more)
    if last < asked.turn:
        at = deadlines.said(first.at, campaign, seat)
        more = f" Turn {asked.turn} is due on {at}, later than that, so you miss nothing. If you are away then too, ask for a turn."
        return asked.bad("away", "away 1", more)
    return _away(asked, last, f", until {days.said(day)}")


def _a_day(asked: Asked) -> date:
    """A day for an example: the day of the second deadline ahead."""
    due = deadlines.deadline(asked.campaign, asked.journal, asked.turn + 1)
    return (due.at if due else asked.now).date()


def _away(asked: Asked, last: int, until: str) -> Answer:
    turns = last - asked.turn + 1
    if not 1 <= turns <= MOST_AWAY:
        more = f" Turn {asked.turn} is next, and at most {MOST_AWAY} turns count."
        return asked.bad("away", "away 2", more)
    said = f"for turn {asked.turn}" if turns == 1 else f"for turns {asked.turn} to {last}"
    event = ("away", {"kingdom": asked.seat, "turn": asked.turn, "turns": turns})
    heard = _announced(asked) if turns > 1 else ""
    if turns == 1 and asked.campaign.settings.absences:  # it ends when the next reports come
        heard = " Whoever asks `status` reads it."
    lines = (f"Noted: you are away {said}{until}.{heard} Orders that you file all the same count.",)
    return Answer(lines, links=(asked.tap("back", "I am back"),), events=(event,))


def back(asked: Asked) -> Answer:
    """Ends an absence, and takes a resignation back as long as nobody else has the seat."""
    journal, seat = asked.journal, asked.seat
    if asked.campaign.settings.players[seat].bot:
        return Answer(refused="seat_given", links=(asked.tap("to gm", "Write to the GM"),))
    was_away = seat in journal.away and journal.away[seat][1] >= asked.turn
    if not was_away and seat not in journal.resigned:
        return Answer(("You were not noted as away, so nothing changes.",), title="Nothing changes")
    keeps = seat in journal.resigned
    said, title = ("you keep your seat", "You keep your seat") if keeps else ("you are back", "")
    due = deadlines.deadline_of(asked.campaign, journal, seat, asked.turn, asked.now)["due"]
    return Answer((f"Noted: {said}. {due}".rstrip(),), events=(("back", {"kingdom": seat}),), title=title)


def resign(asked: Asked) -> Answer:
    """Gives up the seat."""
    said = f"Noted: you give up your seat.{_announced(asked)} The GM is told too. Thank you for having played."
    event = ("resigned", {"kingdom": asked.seat, "turn": asked.turn})
    taken_back = "As long as nobody else has the seat, `back` takes this back."
    return Answer((said, taken_back), links=(asked.tap("back", "Take it back"),), events=(event,))


def _announced(asked: Asked) -> str:
    return " The next reports say so to all." if asked.campaign.settings.absences else ""
