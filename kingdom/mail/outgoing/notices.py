"""Short mails that the campaign sends of its own accord: reminders, news of a deadline, what the GM has to know.

The GM's digest goes with each turn, and a day before the deadline: who is missing, what strangers wrote, what is open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import filings, undone_turns
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.store import Kept
from kingdom.engine.dice import GM
from kingdom.mail.journal import FORMING, Journal
from kingdom.mail.outgoing import deadlines, gm_news, order_links, outbox, outdated, overview, people, reporting
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.deadlines import deadline_file
from kingdom.mail.outgoing.letters import Content, Enclosed, Link, addresses
from kingdom.mail.records import Letter
from kingdom.mail.tokens import own_token

BY_ANSWER = "deadline by answer"  # what the journal calls a deadline that the answer to the GM's `extend` told


def notice(
    campaign: Campaign, id: str, kind: str, seat: str, turn: int, lines: Sequence[str], now: datetime,
    typed: Iterable[str] = (), links: Iterable[Link] = (), enclosed: Sequence[Enclosed] = (), title: str = "", **more: str | int,
) -> list[Letter]:  # fmt: skip
    """A short mail to a seat or to the GM; none where it has no address. turn: the turn for which a reply counts. more: as in `letter`."""
    to = addresses(campaign, seat)
    if not to:
        return []
    lines = [*gm_news.would_be_refused(campaign), *lines] if seat == GM else lines
    text, html = making.short(campaign.settings.name, lines, typed, links)
    content = Content(making.titled(campaign, title or f"How turn {turn} stands"), text, html, enclosed)
    return [making.letter(campaign, id, kind, seat, turn, to[0], content, now, **more)]


def reminder(
    campaign: Campaign, journal: Journal, seat: str, turn: int, mark: str, now: datetime, anew: bool = False
) -> list[Letter]:
    """The reminder to a seat for which nothing is filed. mark: the time before the deadline, such as 48h; each mark has one reminder.

    anew: a reminder that waits is made again as it would be today.
    """
    due = deadlines.deadline(campaign, journal, turn)
    if due is None:
        return []
    mark = mark.replace(" ", "")
    id = f"reminder-{turn:04}-{seat}-{mark}-{due.at:%Y%m%d%H%M}"
    if id in journal.mails and not anew:
        return []
    said = deadlines.deadline_of(campaign, journal, seat, turn, now)["due"]
    last = campaigns.kept(campaign)
    links = [*reporting.again(campaign, last, seat), reporting.form_link(campaign, seat)]
    asked = reporting.asked(campaign, last, seat)
    questions = [f"{one['question']} Without an answer: {one['default']}." for one in asked]
    lines = [
        *reporting.void_words(campaign, last, seat),
        f"Nothing is filed for {people.name_of(campaign, seat)} yet. {said}",
        *questions,
        "Reply with your orders above the quote, or with the form:",
    ]
    until = deadlines.moment(campaign, journal, turn, now)
    title = f"Turn {turn} waits for your orders"
    if until is not None and until.at > now:
        title = f"Turn {turn} is due {deadlines.soon(until.at, campaign, seat, now)}"
    form = reporting.form(campaign, seat)
    return notice(campaign, id, "reminder", seat, turn, lines, now, form, links, title=title, mark=mark)


def moved(campaign: Campaign, journal: Journal, turn: int, now: datetime, seats: Iterable[str] = ()) -> list[Letter]:
    """The mails that the deadline of the next turn was moved. seats: the readers, () for all."""
    due = deadlines.deadline(campaign, journal, turn)
    if due is None:
        return []
    starts = journal.deadlines.get(turn) == FORMING
    made = []
    for seat in seats or (*campaign.seats, GM):
        if seat == GM and (BY_ANSWER, GM, turn, due.at.isoformat()) in journal.told:
            continue
        said = deadlines.deadline_of(campaign, journal, seat, turn, now)["due"]
        first = f"The deadline of turn {turn} was moved."
        if starts:
            first = "The campaign waits for no more players and starts."
        lines = [f"{first} {said}", "Orders that are filed already stay filed."]
        words = deadlines.due_words(campaign, journal, seat, turn, now)
        is_due = "was due" if words.verb == deadlines.WERE_DUE else "is due" if starts else "is now due"
        made += notice(
            campaign, _moved_id(journal, seat, turn, due), "deadline", seat, turn, lines, now,
            enclosed=deadline_file(campaign, journal, turn, now),
            title=f"{'It starts: turn' if starts else 'Turn'} {turn} {is_due} on {words.when}",
        )  # fmt: skip
    return made


def recalled(campaign: Campaign, journal: Journal, now: datetime) -> Iterator[Letter]:
    """The mails to all that the deadline of turn 1 does not count, since the campaign waits for players again."""
    for seat in (*(seat for seat in campaign.seats if seat not in journal.resigned), GM):
        due = deadlines.deadline_of(campaign, journal, seat, 1, now)["due"]
        lines = [
            f"A seat has no player, so the campaign waits for one. {due}",
            "Orders that are filed already stay filed.",
        ]
        title = "It waits for players: no deadline counts until it is full"
        yield from notice(campaign, f"forming-{journal.recalls:04}-{seat}", FORMING, seat, 1, lines, now, title=title)


def _moved_id(journal: Journal, seat: str, turn: int, due: deadlines.Deadline) -> str:
    """The id of the mail that tells a seat of a deadline. If the seat was told of another deadline since, it is a new id."""
    base = f"deadline-{turn:04}-{seat}-{due.at:%Y%m%d%H%M}"
    if turn == 1 and journal.recalls:  # the same deadline may be told again after it did not count
        base += f"-start{journal.recalls}"
    told = [mail["mail"] for mail in outbox.queued(journal, "deadline", kingdom=seat, turn=turn)]
    if told and told[-1].startswith(base):
        return str(told[-1])
    again = sum(mail.startswith(base) for mail in told)
    return f"{base}-{again + 1}" if again else base


def held(campaign: Campaign, journal: Journal, turn: int, now: datetime, seats: Iterable[str]) -> Iterator[Letter]:
    """The mails that the GM holds the turn, so that orders may come later; one to each seat for each attempt at the turn."""
    attempt = undone_turns.attempt_of(campaign.folder, turn)
    for seat in seats:
        words = deadlines.due_words(campaign, journal, seat, turn, now)
        due = f" The deadline {'was' if words.verb == deadlines.WERE_DUE else 'is'} {words.when}."
        lines = [
            f"The GM holds turn {turn}: it is not played before the GM lets it go on. Until then you can file or change your "
            f"orders, after the deadline too.{due}",
            "Don't wait too long: once the GM lets it go on, it is played at its deadline, or at once if that has passed. Orders that are "
            "filed already stay filed.",
        ]
        links = [making.tap(campaign, seat, "form")]
        id, title = f"hold-{turn:04}-{seat}-{attempt}", f"Turn {turn} is held"
        yield from notice(campaign, id, "deadline", seat, turn, lines, now, links=links, title=title, about="hold")


def reopened(
    campaign: Campaign, journal: Journal, turn: int, attempt: int, now: datetime, seats: Iterable[str] = ()
) -> Iterator[Letter]:
    """The mails that a turn was taken back for new orders, with the commitments to its new dice. seats: the readers, () for all."""
    promised = campaigns.commitments(campaign, turn)
    for seat in seats or (*campaign.seats, GM):
        said = deadlines.deadline_of(campaign, journal, seat, turn, now)["due"]
        again = f"is open for new orders: attempt {attempt}, with new dice. What you filed for it before stands until you send something else."
        title = f"Turn {turn} is open again"
        if not deadlines.is_open(campaign, journal, seat, turn, now):
            title, gives = f"Turn {turn} is played again", "you give" if seat == GM else "the GM gives"
            again = f"is played again as it was filed: attempt {attempt}, with new dice. New orders for it count only if {gives} more time."
        if not turn:
            again = f"is made again, with new dice: attempt {attempt}."
        had = seat != GM and outdated.reports_had(campaign, journal, seat, turn)
        void = "The report of it that you have no longer counts." if had else ""
        open_again = " ".join(filter(None, [f"Turn {turn} was taken back and {again}", void, said]))
        lines = [open_again, "The commitments to them:"]
        typed = [f"{name}: {promised[name]}" for name in dict.fromkeys((seat, GM))]
        id = making.reopened_id(turn, seat, attempt)
        yield from notice(
            campaign, id, "deadline", seat, turn, lines, now, typed, title=title, about="reopened", attempt=attempt
        )


def reseeded(campaign: Campaign, journal: Journal, turn: int, now: datetime, seats: Iterable[str]) -> Iterator[Letter]:
    """The mails that the dice come from another seed from this turn on, with the commitments to them."""
    promised = campaigns.commitments(campaign, turn)
    for seat in seats:
        changed = f"The GM changed the seed of the dice after turn {turn - 1}."
        lines = [f"{changed} The commitments to turn {turn} that you have no longer hold; these do:"]
        typed = [f"{name}: {promised[name]}" for name in dict.fromkeys((seat, GM))]
        id, title = making.reseeded_id(campaign, turn, seat), f"Other dice from turn {turn} on"
        yield from notice(campaign, id, "deadline", seat, turn, lines, now, typed, title=title, about="seed")


def undone(
    campaign: Campaign, journal: Journal, turn: int, attempt: int, seats: Iterable[str], now: datetime
) -> Iterator[Letter]:
    """The mails that a turn was taken back and is played again with the same orders. seats: those that have its report; attempt: the K of
    the folder NNNN-K in which the turn lies now."""
    for seat in seats:
        due = deadlines.moment(campaign, journal, turn, now)
        at = f"at its deadline, {deadlines.said(due.at, campaign, seat)}" if due and due.at > now else "soon"
        again = f"played again {at}, with the orders that you sent for it," if turn else "made again soon,"
        lines = [
            f"The GM took turn {turn} back: the report of it that you have no longer counts. It is {again} and its report comes anew. "
            "There is nothing for you to do.",
        ]
        id, title = f"undone-{turn:04}-{seat}-{attempt}", f"Turn {turn} is taken back"
        yield from notice(
            campaign, id, "deadline", seat, turn, lines, now, title=title, about="undone", attempt=attempt
        )


# --- the digest


def digest_of_turn(campaign: Campaign, journal: Journal, turn: Kept, now: datetime) -> list[str]:
    """The paragraphs of the mail with the GM's book."""
    record = turn.record
    unasked = campaigns.unasked(campaign, record.turn)
    silent = [seat for seat in _people(campaign) if f"orders/{seat}.yaml" not in record.files or seat in record.bots]
    silent = [seat for seat in silent if seat not in unasked and not journal.is_away(seat, record.turn)]
    missing = [f"No orders came from {people.all_of(campaign, silent)}."] if silent and record.turn else []
    stewards = [seat for seat in silent if seat in record.bots]
    missing += [f"A bot gave those of {people.who(campaign, seat)}, as steward." for seat in stewards]
    return [*missing, *_left(campaign, journal, now, overview.since(journal, turn.record.turn - 1))]


def open_in_turn(campaign: Campaign, journal: Journal, turn: Kept) -> list[gm_news.News]:
    """The open requests and the orders that were not filed, for the mail with the GM's book."""
    return [
        *gm_news.open_requests(campaign),
        *gm_news.not_filed(campaign, journal, overview.since(journal, turn.record.turn - 1)),
    ]


def before_deadline(campaign: Campaign, journal: Journal, turn: int, now: datetime, anew: bool = False) -> list[Letter]:
    """The digest a day before the deadline; none where it was queued, where there is no deadline, or where the GM has no address.

    anew: a digest that waits is made again as it would be today.
    """
    mark, to = outdated.mark_of(campaign, journal, turn), addresses(campaign, GM)
    id = f"digest-{turn:04}-{mark}"
    if not mark or not to or id in journal.mails and not anew:
        return []
    there = filings.filed(filings.folder_of(campaign.folder, turn))
    unasked = campaigns.unasked(campaign, turn)
    silent = [seat for seat in _people(campaign) if seat not in {*there, *unasked}]
    missing = [seat for seat in silent if not journal.is_away(seat, turn)]
    said = deadlines.deadline_of(campaign, journal, GM, turn, now)["due"]
    everybody = "All who are asked for orders have filed." if unasked else "All players have filed."
    everybody = "All who are not away have filed." if silent else everybody
    who = f"Nothing is filed yet for {people.all_of(campaign, missing)}." if missing else everybody
    after = overview.since(journal, turn - 1)
    lines = [said, who, *_left(campaign, journal, now, after)]
    news = [
        _can_do(campaign, journal, turn, missing),
        *gm_news.open_requests(campaign),
        *gm_news.not_filed(campaign, journal, after),
    ]
    content = Content(making.titled(campaign, f"How turn {turn} stands"), *gm_news.texts(campaign, lines, news))
    return [making.letter(campaign, id, "digest", GM, turn, to[0], content, now, mark=mark)]


def _people(campaign: Campaign) -> list[str]:
    """The seats in play that people hold."""
    state = campaigns.state_of(campaign, campaigns.kept(campaign))
    return [seat for seat in campaign.game.seats(state) if not campaign.settings.players[seat].bot]


def _left(campaign: Campaign, journal: Journal, now: datetime, since: str) -> list[str]:
    """Lines about what the mail leaves to the GM, and about who is away, also where the other players are not told so."""
    turn = order_links.upcoming(campaign)
    absent = [
        f"{people.who(campaign, seat)} is away until turn {last}."
        for seat, (_, last) in journal.away.items()
        if last >= turn
    ]
    absent += [
        f"{people.who(campaign, seat)} gave up the seat. To hand it on, {gm_news.to_invite(campaign, seat)}."
        for seat in journal.resigned
    ]
    stands = overview.said(journal, campaign, now, since, in_mail=True, waiting=False)
    return [*overview.room(campaign.folder), *absent, *stands]


# --- what the GM can do by mail, with links


def _can_do(campaign: Campaign, journal: Journal, turn: int, missing: Sequence[str]) -> gm_news.News:
    """What the GM can do about a turn before its deadline, for the digest. missing: the seats that have filed nothing."""
    held = gm_news.tap(campaign, "hold", f"Hold turn {turn}")
    if journal.held == turn:
        held = gm_news.tap(campaign, "release", f"Let turn {turn} go on")
    skips = [
        gm_news.tap(campaign, f"skip {seat}", f"Don't wait for {reporting.who(campaign, seat)}")
        for seat in missing[: gm_news.MOST]
    ]
    cure = (gm_news.tap(campaign, "extend 1d", "Give all one day more"), held, *skips, gm_news.tap(campaign, "help"))
    return gm_news.News(
        gm_news.TURN, "", "", "You can give more time, hold the turn, or say whom it does not wait for.", cure
    )


def _welcome(campaign: Campaign, journal: Journal, seat: str, now: datetime) -> str:
    """A sentence about what became of a player's welcome mail; "" for players whom campaign.yaml named from the start, who get none."""
    sign = making.sign_of(campaign, own_token(campaign, seat))
    mail = next(iter(outbox.queued(journal, "welcome", kingdom=seat, mark=sign)), None)
    if mail is None:
        return ""
    if mail["fate"] == "sent":
        became = f"to {mail['to']} went out on {deadlines.said(datetime.fromisoformat(mail['fate_at']), campaign, GM)}"
    elif outbox.is_carried(mail):
        became = f"to {mail['to']} was taken out of mail/outbox"
    elif mail["fate"] == "dropped":
        became = f"to {mail['to']} was refused for good: {mail.get('text', '')}"
    elif mail["fate"] == "failed":
        became = f"to {mail['to']} is tried again: {mail.get('text', '')}"
    elif mail in outbox.kept_back(journal, now):  # of a player who was invited while reports of a later turn wait
        became = f"to {mail['to']} waits for your release"
    else:
        became = f"to {mail['to']} {'goes out with this one' if outdated.sends(campaign) else 'lies in mail/outbox'}"
    return f"The welcome mail of {reporting.who(campaign, seat)} {became.rstrip('. ')}."


def first_words(campaign: Campaign, journal: Journal, now: datetime) -> gm_news.News:
    """The news for the GM's first book: who was invited and is welcomed, and how the GM runs the game by mail."""
    people = [seat for seat in campaign.seats if not campaign.settings.players[seat].bot]
    there = [seat for seat in people if addresses(campaign, seat)]
    empty = [reporting.name_of(campaign, seat) for seat in people if seat not in there]
    invited = [f"These play: {', '.join(reporting.who(campaign, seat) for seat in there)}."] if there else []
    invited += [said for seat in there if (said := _welcome(campaign, journal, seat, now))]
    nobody = f"Nobody plays {', '.join(empty)} yet. To give a seat to a player, {gm_news.to_invite(campaign, '')}."
    more = "You run the game by replies to these mails: more time, a turn that is held, letters to players. `help` lists all of it."
    return gm_news.News(
        gm_news.TURN,
        "",
        "",
        "\n".join([*invited, *([nobody] if empty else []), more]),
        (gm_news.tap(campaign, "help"),),
    )
