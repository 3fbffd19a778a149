"""The commands of the GM alone: about the deadline, a turn that waits, a seat for which no turn waits, a seat that is given away."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from kingdom.books import closing
from kingdom.campaign import calendar, undone_turns, zones
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import due as weekly
from kingdom.campaign.campaign import Campaign
from kingdom.engine import names
from kingdom.engine.dice import GM
from kingdom.engine.problems import Faults, Problem, nearest
from kingdom.engine.regex import regex
from kingdom.mail import turn_facts
from kingdom.mail.incoming.asking import Answer, Asked, seat_of
from kingdom.mail.incoming.days import day_in, is_weekday
from kingdom.mail.incoming.outcome import Case
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import deadlines, inviting, notices, outbox, people, reporting
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.inviting import AGAIN, CORRECTED, GIVEN, is_anothers
from kingdom.mail.reading import yes_no
from kingdom.mail.reading.subjects import SPAN, plain_subject
from kingdom.mail.reading.yes_no import NO, YES
from kingdom.mail.records import Line

INVITE = "invite"
DONE = "done"  # a confirmed question that was carried out
_TAPPED = regex(rf"{YES} ([0-9a-f]{{8}})")
_DIGITS = 8  # of a question's id, in the subject that a tap sends
_ADDRESS = regex(r"<?([^\s<>,;]+@[^\s<>,;]+\.[^\s<>,;.]+)>?[,;.]?")
_BETWEEN = regex(r"\A(?:to|for|as|named?|called|is|goes|--name|=|[,:;-])+\Z", re.IGNORECASE)
_NOTHING = "Nothing waits for you."
_DAYS_OF_A_WEEK = 7
_MOST_DAYS = 1000  # that a deadline is put off at once
_MOST_DAYS_WITHOUT_A_YEAR = 60


def span(argument: str) -> str:
    """How long a deadline is put off, as campaign.yaml writes it: `2 days` and `2d` are 2d, `2 weeks` is 14d; "" for anything else."""
    words = " ".join(argument.lower().removeprefix("by ").removeprefix("for ").split())
    found = re.fullmatch(r"([1-9]\d{0,2}|an?|one) ?([a-z]+)", words)
    if found is None or not re.fullmatch(SPAN, words):
        return ""
    count, unit = int(found[1]) if found[1].isdigit() else 1, found[2][0]
    return f"{count * _DAYS_OF_A_WEEK}d" if unit == "w" else f"{count}{unit}"


def extend(asked: Asked) -> Answer:
    """Puts off the next deadline and all later ones; `back` takes the newest delay back."""
    due = deadlines.deadline(asked.campaign, asked.journal, asked.turn)
    if due is None:
        return Answer(refused="no_calendar", links=(asked.tap("hold"),))
    if asked.words == "back":
        return _extend_back(asked)
    until = _until(asked, due)
    if until == 0 and asked.case.message.digest not in asked.journal.asked:
        said = f"Turn {asked.turn} is due on {deadlines.said(due.at, asked.campaign, GM)} already: nothing changes."
        return Answer((said,), title="Nothing changed")
    by = f"{until}d" if until else span(asked.argument)
    if not by:
        takes = " It takes a number of days, hours, minutes or weeks, such as `2d` or `2 weeks`, or a later day: `until 24 December`."
        already = f" Turn {asked.turn} is due on {deadlines.said(due.at, asked.campaign, GM)}; a day of another year needs its year."
        return asked.bad("extend", "extend 2d", takes + already)
    return _moved(asked, by, f", later by {deadlines.length_said(calendar.span(by))}. All later deadlines move too.")


def _extend_back(asked: Asked) -> Answer:
    """Takes the newest delay back that the GM gave by mail, as long as the former deadline is still ahead."""
    if asked.case.message.digest in asked.journal.asked:  # a killed run took it back already
        return _moved(asked, asked.journal.put_off[-1][1], ", as before.")
    given = [by for turn, by in calendar.not_taken_back(asked.journal.put_off) if turn == asked.turn]
    without = deadlines.put_off(asked.journal, asked.turn, f"-{given[-1]}") if given else asked.journal
    before = deadlines.deadline(asked.campaign, without, asked.turn)
    if not given or before is None:
        return asked.bad("extend", "extend 2d", f" The deadline of turn {asked.turn} was not put off by mail.")
    if before.at <= asked.now:
        was = deadlines.said(before.at, asked.campaign, GM)
        return asked.bad("extend", "run it", f" Without that delay turn {asked.turn} was due on {was}, which is past.")
    return _moved(asked, f"-{given[-1]}", f", as before: {given[-1]} of delay is taken back, for all later turns too.")


def _moved(asked: Asked, by: str, said: str) -> Answer:
    """Moves the deadline by a span, and all are told. If the same mail is read again, nothing more moves."""
    again = asked.case.message.digest in asked.journal.asked
    journal = asked.journal if again else deadlines.put_off(asked.journal, asked.turn, by)
    due = deadlines.deadline(asked.campaign, journal, asked.turn)
    if due is None:
        return Answer(refused="no_calendar", links=(asked.tap("hold"),))
    events = (
        ("put_off", {"message": asked.case.message.digest, "turn": asked.turn, "by": by}),
        ("told", {"what": notices.BY_ANSWER, "kingdom": GM, "turn": asked.turn, "mark": due.at.isoformat()}),
    )
    file = deadlines.deadline_file(asked.campaign, journal, asked.turn, asked.now)
    until = deadlines.moment(asked.campaign, journal, asked.turn, asked.now) or due
    first = (
        f"Turn {asked.turn} is now due on {deadlines.said(until.at, asked.campaign, GM)}{said} All players are told."
    )
    if until.at > due.at and until == deadlines.moment(asked.campaign, asked.journal, asked.turn, asked.now):
        first = (
            f"Turn {asked.turn} is due on {deadlines.said(until.at, asked.campaign, GM)} all the same, since the reports before it went out "
            f"late. All later deadlines move by {deadlines.length_said(calendar.span(by.removeprefix('-')))}."
        )
    links = () if by.startswith("-") else (asked.tap("extend back", "Take this back"),)
    return Answer((first,), enclosed=tuple(file), events=() if again else events, links=links)


def _until(asked: Asked, due: deadlines.Deadline) -> int | None:
    """The days from the deadline to the day in `until Friday`, `until 24 December`; None where no later day is named.

    A weekday is the first such day after the deadline. Any other day counts from today. A day that is months away needs its year, since
    a GM who writes `6 December` on the seventh does not mean the next year.
    """
    word, _, day = asked.argument.partition(" ")
    dates = asked.campaign.settings.calendar
    if word.lower() not in ("until", "till", "to") or dates is None:
        return None
    zone = zones.zone(dates.zone)
    is_due, today = due.at.astimezone(zone).date(), asked.now.astimezone(zone).date()
    later = day_in(day, is_due + timedelta(days=1) if is_weekday(day) else today)
    days = (later - is_due).days if later else -1
    most = _MOST_DAYS if re.search(r"\d{4}", day) else _MOST_DAYS_WITHOUT_A_YEAR
    return days if 0 <= days < most else None


# --- a turn that waits


def hold(asked: Asked) -> Answer:
    """Lets the next turn wait."""
    said = f"Turn {asked.turn} waits until you send `release`. Orders that come late until then are filed for it."
    if asked.campaign.settings.calendar is not None:
        said += " All players are told."
    return Answer((said,), links=(asked.tap("release"),), events=(("hold", {"turn": asked.turn}),))


def release(asked: Asked) -> Answer:
    """Sends reports that wait, ends `hold`, and lets a turn go on that waits for people."""
    count = len(outbox.kept_back(asked.journal, asked.now))
    said = [f"Released: {count} report{'s go' if count > 1 else ' goes'} out at once."] if count else []
    before, after, facts = _before_and_after(asked)
    if before is not None and after is not None and facts is not None:
        held = [f"Turn {facts.turn} is no longer held."] if facts.held and after.what != weekly.DUE else []
        said += [_goes_on(facts)] if after.what == weekly.DUE else [*held, after.why]
        said = said if count or facts.held or before.what == weekly.WAITS else [_NOTHING, *said]
    nothing = not said or said[0] == _NOTHING
    return Answer(
        (" ".join(said) or _NOTHING,), events=(("release", _word(asked)),), title=_NOTHING[:-1] if nothing else ""
    )


def run(asked: Asked) -> Answer:
    """Runs a turn whose deadline has passed, whatever it waits for, as far as the GM may decide."""
    if asked.words not in ("it", "it now", "it anyway"):
        return asked.bad("run", "run it")
    before, after, facts = _before_and_after(asked)
    if after is None or facts is None or after.what != weekly.DUE:
        why = after.why if after is not None else "The campaign has not begun."
        return Answer(refused="not_waiting", facts={"why": why}, links=(asked.tap("status"),))
    return Answer((_goes_on(facts),), events=(("go_on", _word(asked)),))


def _before_and_after(asked: Asked) -> tuple[weekly.Due | None, weekly.Due | None, weekly.Facts | None]:
    """(what the next turn waits for now, what it will wait for once the GM lets it go on, the facts); None before the start."""
    campaign = asked.campaign
    if campaigns.newest(campaign) < 0:
        return None, None, None
    facts = turn_facts.facts(campaign, asked.journal, asked.now, True, closing.why_over(campaign))
    told = facts.told_to_go_on or facts.last is not None and asked.case.came > facts.last
    return weekly.decide(facts), weekly.decide(facts._replace(held=False, told_to_go_on=told)), facts


def _goes_on(facts: weekly.Facts) -> str:
    """A sentence that the turn goes on. Other mail of the same run may be taken in after the GM's, so nobody is called missing for good."""
    if not facts.silent:
        return f"Turn {facts.turn} goes on at once."
    silent = f"Nothing is filed so far for {', '.join(facts.silent)}"
    return f"Turn {facts.turn} goes on at once. {silent}: what this run does not take in either counts as missing."


def _word(asked: Asked) -> dict[str, object]:
    """The facts for the journal: which turn, at which attempt, the GM lets go on, and when."""
    attempt = undone_turns.attempt_of(asked.campaign.folder, asked.turn)
    return {"turn": asked.turn, "attempt": attempt, "came": asked.case.came.isoformat()}


def skip(asked: Asked) -> Answer:
    """Lets the next turn no longer wait for a seat."""
    campaign, turn = asked.campaign, asked.turn
    seat = seat_of(campaign, asked.words)
    if not seat:
        known = [one for one in campaign.seats if not campaign.settings.players[one].bot]
        example = nearest(asked.words, known) or next(iter(known), "KINGDOM")
        return asked.bad("skip", f"skip {example}", f" It takes a kingdom: {', '.join(known)}.")
    attempt, who = undone_turns.attempt_of(campaign.folder, turn), reporting.who(campaign, seat)
    said = f"Turn {turn} no longer waits for {who}, who counts as missing if nothing is filed before the turn is run."
    if campaigns.newest(campaign) >= 0:
        facts = turn_facts.facts(campaign, asked.journal, asked.now, True, closing.why_over(campaign))
        if seat in turn_facts.filed(campaign, turn):
            said = f"{who} has filed for turn {turn}, so the turn does not wait."
        due = weekly.decide(facts._replace(skipped=[*facts.skipped, seat]))
        said += f" {due.why}"
    event = ("skip", {"turn": turn, "attempt": attempt, "kingdom": seat})
    return Answer((said,), events=(event,), title=f"Turn {turn} does not wait for {who}")


# --- a seat that is given away: the GM is told what the invitation would do, and replies `yes`; the run that reads the yes does it


def invite(asked: Asked) -> Answer:
    """Says what the invitation would do, and asks whether it is to be done."""
    campaign, journal = asked.campaign, asked.journal
    seat, address, name = _parts(campaign, asked.argument)
    if not seat or not address:
        example = f"invite {seat or next(iter(campaign.seats))} {address or 'ADDRESS'} NAME"
        seats = ", ".join(campaign.seats)
        return asked.bad(INVITE, example, f" It takes a seat ({seats}), the player's address and name.")._replace(
            links=()
        )
    try:
        would = inviting.prepared(campaign, journal, seat, address, name)
    except Faults as faults:
        return Answer(refused="not_invited", facts={"why": faults.problems[0].message}, links=(asked.tap("help"),))
    who = f"{would.player.name} ({would.player.email[0]})"
    lines = (
        _would(campaign, seat, would.became, who),
        "To do it, reply to this mail with the one word `yes`. Nothing happens before you do.",
    )
    digest = asked.case.message.answer.partition("-")[2][:_DIGITS]
    link = making.link(
        "Yes, do it", making.address_of(campaign), making.with_token(campaign, GM, f"{YES} {digest}"), ()
    )
    asks = {"verb": INVITE, "seat": seat, "address": address, "name": name}
    return Answer(
        lines,
        links=(link._replace(reply=YES),),
        asks=asks,
        title=f"{would.player.name}, {people.name_of(campaign, seat)}: please confirm",
    )


def _would(campaign: Campaign, seat: str, became: str, who: str) -> str:
    """A sentence or two that say what an invitation would do."""
    before = people.who(campaign, seat)
    if became == GIVEN:
        return f"The seat {people.name_of(campaign, seat)} is to go to {who}, who gets a welcome mail."
    if became == AGAIN:
        return f"{before} is to get a new welcome mail with a new token. The old token is dead then."
    if became == CORRECTED:
        said = f"The address of {before} is to change: {who}. The old token is dead then, and a welcome mail brings the new one."
        return f"{said} If this is another person, send `invite` with that person's name at its end instead."
    return f"The seat of {before} is to be handed on to {who}, who gets a welcome mail. What {before} sends counts no longer then."


def _parts(campaign: Campaign, argument: str) -> tuple[str, str, str]:
    """(seat, address, name) in the words behind `invite`, in whatever order; "" for what is missing."""
    words = argument.replace('"', " ").split()
    at = next((at for at, word in enumerate(words) if _ADDRESS.fullmatch(word)), -1)
    address = _ADDRESS.sub(r"\1", words[at]) if at >= 0 else ""
    rest = [word for number, word in enumerate(words) if number != at and not _BETWEEN.match(word)]
    called = {names.compared(name): seat for seat in campaign.seats for name in _names_of(campaign, seat)}
    for size in range(len(rest), 0, -1):
        for begin in range(len(rest) - size + 1):
            if seat := called.get(names.compared(" ".join(rest[begin : begin + size]).strip(",;:.")), ""):
                return seat, address, " ".join([*rest[:begin], *rest[begin + size :]]).strip(" ,;")
    return "", address, " ".join(rest)


def invitation_in(campaign: Campaign, to: str, text: str) -> str:
    """The command `invite` that a letter of the GM to the seat `to` may be meant as: a paragraph names a seat, and an address that is not
    the reader's, the GM's or the campaign's; "" for none."""
    settings = campaign.settings
    ours = (settings.mail.address,) if settings.mail else ()
    theirs = {*ours, *settings.gm.email, *settings.players[to].email}
    for paragraph in text.split("\n\n"):
        seat, address, _ = _parts(campaign, paragraph)
        if seat and address and address.lower() not in map(str.lower, theirs):
            return f"invite {seat} {address}"
    return ""


def _names_of(campaign: Campaign, seat: str) -> Iterator[str]:
    yield from (campaign.settings.players[seat].name, people.name_of(campaign, seat), seat)


class Confirmed(NamedTuple):
    """A yes or no to a question of ours."""

    question: Line
    said: str

    def answer(self, case: Case) -> Answer:
        """The answer to the yes or no."""
        mail, seat = self.question["mail"], self.question["seat"]
        if mail in case.journal.settled:
            return Answer(("That is done already, so nothing changes.",), title="Nothing changes")
        event = ("replied", {"mail": mail, "mark": self.said})
        name = people.name_of(case.campaign, seat)
        if self.said == NO:
            return Answer((f"Nothing changes: {name} stays as it is.",), events=(event,), title="Nothing changes")
        try:
            would = inviting.prepared(
                case.campaign, case.journal, seat, self.question["address"], self.question["name"]
            )
        except Faults as faults:
            return Answer(refused="not_invited", facts={"why": faults.problems[0].message})
        who = f"{would.player.name} ({would.player.email[0]})"
        said = f"{name} goes to {who} as soon as this run has taken in all mail. The welcome mail goes out then, or waits with the reports for your release."
        turns = inviting.filed_ahead(case.campaign, seat) if is_anothers(case.campaign, seat, would.became) else ()
        left = [inviting.lies(case.campaign, seat, turn) for turn in turns]
        return Answer((said, *left), events=(event,), title=f"{would.player.name} plays {name}")


def confirmed(case: Case, mail: str, own: str) -> Confirmed | None:
    """The yes or no in a mail of the GM to a question of ours; None for any other mail. mail: our mail that the GM answers, "" for none."""
    journal = case.journal
    question = journal.mails.get(mail, Line()) if mail else Line()
    if question.get("verb") == INVITE:
        said = yes_no.answer(own, (question["name"], question["seat"], question["address"]))
        return Confirmed(question, said) if said else None
    tapped = _TAPPED.fullmatch(plain_subject(case.headers.subject).lower())
    found = (one for id, one in journal.mails.items() if tapped and id.startswith(f"answer-{tapped[1]}"))
    question = next((one for one in found if one.get("verb") == INVITE), Line())
    return Confirmed(question, YES) if question else None


def carried_out(campaign: Campaign, journal: Journal, now: datetime) -> tuple[list[str], list[Problem]]:
    """Does all that was confirmed: (a line for each thing done, what went wrong). The caller, who holds the campaign, opens it anew then."""
    lines: list[str] = []
    problems: list[Problem] = []
    for mail, said in list(journal.replies.items()):
        question = journal.mails.get(mail, Line())
        if said != YES or mail in journal.settled or question.get("verb") != INVITE:
            continue
        try:
            done, _ = inviting.invite(campaign, journal, question["seat"], question["address"], question["name"], now)
        except Faults as faults:
            problems += faults.problems
            continue
        journal.add("settled", now, mail=mail, outcome=DONE)
        lines += done[:1]
    return lines, problems
