"""Makes the mails with the reports of a turn: text and HTML in one message, with the page, the order form and the deadline.

If `publish` names a web space, each seat's newest report and order form stand there, too. Whoever knows the address of a page may read it,
so its name is made of the campaign's seed and the seat's token, and nobody can guess it. A report has a new name each turn; the form of a
seat keeps its name, so that it can be bookmarked.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import TypeAlias

from kingdom.books import closing
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import output
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import fault
from kingdom.campaign.store import Kept
from kingdom.engine.dice import GM
from kingdom.engine.game import asked
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.regex import regex
from kingdom.mail import tokens
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import (
    deadlines,
    gm_news,
    mail_page,
    order_links,
    outbox,
    outdated,
    public,
    reporting,
    review,
)
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.deadlines import DueWords, deadline_file
from kingdom.mail.outgoing.letters import LARGEST_INLINE, LARGEST_TEXT, Content, Enclosed, Link, addresses
from kingdom.mail.outgoing.notices import digest_of_turn, first_words, open_in_turn
from kingdom.mail.records import Letter, last_out
from kingdom.orders.orders_file import EDITOR_LINE
from kingdom.render.ascii_pages import as_ascii
from kingdom.render.plain_text import wrap
from kingdom.render.reports import ANEW

View: TypeAlias = Mapping[str, object]  # plain data for a template

# between these a report's page has its links; a program that checks the page takes them out
LINKS, END = "<!-- links -->", "<!-- end of links -->"
SECTION = "\n\n\n"  # stands before the first section of a report as text
# stand before the second tier, which no mail shows
EVERYTHING, EVERYTHING_IN_PAGE = "\n=== EVERYTHING ELSE =", "<!-- everything -->"
SMALL_PAGE = 50_000  # bytes of a report's page
LONGEST_FORM = 25  # lines of the order form at the end of a mail
SHOWN = 240  # letters of a mail that Thunderbird shows in its list
ROOM_TO_TELL = 2_000  # bytes for the names of what is left out
_DIGITS = 40  # of a published page's name: 160 bits
_SUBJECT = regex(r'<meta name="subject" content="([^"]{1,100})">')  # in the head of a report's page


def nothing(seat: str) -> Content | None:
    """No content is made beforehand, for whatever seat."""
    return None


def reports(
    campaign: Campaign, journal: Journal, now: datetime, made: Callable[[str], Content | None] = nothing
) -> list[Letter]:
    """The mails with the newest turn's reports, one to each seat that has an address, with the GM's book first; none that was queued before.

    So every run can ask for them: if a run was killed after it kept the turn, or a turn was resolved by hand or again, the next run makes
    the mails. made: seat -> its `content_of`, where that is made already.
    """
    turn = campaigns.kept(campaign)
    return [report(campaign, journal, turn, seat, now, made(seat)) for seat in review.awaited(campaign, journal, turn)]


def are_due(campaign: Campaign, journal: Journal) -> bool:
    """Whether a report of the newest turn was not queued yet."""
    if campaigns.newest(campaign) < 0:
        return False
    turn = campaigns.kept(campaign)
    return not review.has_later(journal, turn) and bool(review.awaited(campaign, journal, turn))


def post(
    campaign: Campaign,
    journal: Journal,
    now: datetime,
    released: bool = False,
    made: Callable[[str], Content | None] = nothing,
) -> None:
    """Puts the newest turn's reports into the outbox, if they are not there. Reports for players wait for the GM's review.

    released: the GM released the reports in this run, before they were made again. made: as in `reports`.
    """
    if not are_due(campaign, journal):
        return
    turn = campaigns.kept(campaign)
    waits = review.review_of(campaign, turn.record.turn)
    letters = reports(campaign, journal, now, made)
    for_gm = [letter for letter in letters if letter.kingdom == GM]
    until = now + waits if waits and not released else None
    outbox.queue(campaign, journal, letters if until is None else for_gm, now)
    outbox.queue(campaign, journal, letters, now, until)


def report(
    campaign: Campaign, journal: Journal, turn: Kept, seat: str, now: datetime, made: Content | None = None
) -> Letter:
    """The mail with a seat's report, or with the GM's book. made: what `content_of` gives, where that is made already."""
    if seat == GM:
        return _book(campaign, journal, turn, now)
    number, content = turn.record.turn, made or content_of(campaign, journal, turn, seat, now)
    if reporting.asks(campaign, turn):
        files = [*content.enclosed, *deadline_file(campaign, journal, number + 1, now, reported=now)]
        if has_form(campaign, turn, seat):
            due = deadlines.due_words(campaign, journal, seat, number + 1, now, now)
            files.append(reporting.form_file(campaign, journal, seat, number + 1, due))
        content = content._replace(enclosed=files)
    to, digest = addresses(campaign, seat)[0], turn.digest[:8]
    return making.letter(
        campaign, review.report_id(turn, seat), "report", seat, number, to, content, now, digest=digest
    )


def has_form(campaign: Campaign, turn: Kept, seat: str) -> bool:
    """Whether the order form's page goes with a report: none is published, and the report is small, as the form of a large kingdom would make the
    mail thrice as large. Who gets none asks for it by a button."""
    if not reporting.asks(campaign, turn) or _is_large(turn, seat):
        return False
    state, rules = campaigns.state_of(campaign, turn), campaigns.rules_of(campaign, turn).rules
    return seat in asked(campaign.game, state, rules) and not published(campaign, seat, turn.record.turn)


def _is_large(turn: Kept, seat: str) -> bool:
    return len(reporting.report(turn, seat, "html")) > SMALL_PAGE


def content_of(campaign: Campaign, journal: Journal, turn: Kept, seat: str, now: datetime) -> Content:
    """The content of the mail with a seat's report, without the file of the deadline. Making it is most of the work."""
    number = turn.record.turn
    form = reporting.form(campaign, seat) if reporting.asks(campaign, turn) else []
    view, id = head_of(campaign, journal, turn, seat, now, form=form), review.report_id(turn, seat)
    text, page = reporting.text_of(campaign, turn, seat), reporting.report(turn, seat, "html").decode()
    record = reporting.record(turn, seat)
    if not reporting.is_own(journal, seat, number):
        text, page = reporting.drawn(campaign, turn, seat)
        record = []
    due = deadlines.due_words(campaign, journal, seat, number + 1, now, now)
    text, page = reporting.text_due(text, due), reporting.page_due(page, due)
    text, html, pictures = inline(view, text, page, id)
    files = _files_with(campaign, turn, seat, led(page, view), record, form)
    return Content(
        making.titled(campaign, _title(campaign, turn, page, outdated.corrects(campaign, journal, turn, seat))),
        text,
        html,
        files,
        pictures=pictures,
    )


def _title(campaign: Campaign, turn: Kept, page: str, corrects: bool) -> str:
    """What the subject says behind the campaign's name: "12: 13 BP, Unrest 3, anarchy 57 %", as far as the report's page has it."""
    number, found = turn.record.turn, _SUBJECT.search(page)
    if campaign.settings.subject == "plain" or found is None or reporting.over(campaign, turn):
        return f"{'Corrected report' if corrects else 'Report'} of turn {number}"
    return f"{number}{', corrected' if corrects else ''}: {unescape(found[1])}"


def head_of(
    campaign: Campaign,
    journal: Journal,
    turn: Kept,
    seat: str,
    now: datetime,
    reported: datetime | None = None,
    form: Sequence[str] = (),
) -> View:
    """The part before a report: the deadline, the questions, links.

    reported: when the reports went out, None for now. form: the lines of the order form, where they are known.
    """
    number, last = turn.record.turn, reporting.farewell(campaign, turn) or reporting.played_since(campaign, turn)
    said = [ANEW] if turn.record.anew or journal.is_anew(number) else []
    said += _steward_words(campaign, turn, seat)
    if outdated.corrects(campaign, journal, turn, seat):
        said.append(f"This report corrects an earlier one of turn {number}: what you had before no longer holds.")
    said += [] if last else reporting.void_words(campaign, turn, seat)
    links: list[Link] = []
    if not last:
        links = [*published(campaign, seat, number), *reporting.again(campaign, turn, seat)]
        links.append(reporting.form_link(campaign, seat, form))
        if form and _is_large(turn, seat) and not published(campaign, seat, number):
            links.append(making.tap(campaign, seat, "form", "Get the order form as a page"))
    return {
        "campaign": campaign.settings.name,
        "turn": number,
        "said": said + (last or reporting.absent_lines(campaign, journal, number + 1)),
        "over": bool(last),
        "asked": [] if last else reporting.asked(campaign, turn, seat),
        "advice": [] if last else [plan.view() for plan in reporting.advised(campaign, seat)],
        "links": [link._asdict() for link in links],
        "shortened": False,
        "unpaged": False,
        "heading": "",
        "welcome": False,
        "form_page": bool(form) and has_form(campaign, turn, seat),
        "form": [EDITOR_LINE, *form][:LONGEST_FORM] if form and not last else [],
        "due": "" if last else deadlines.deadline_of(campaign, journal, seat, number + 1, now, reported or now)["due"],
    }


def _steward_words(campaign: Campaign, turn: Kept, seat: str) -> list[str]:
    """Sentences that a bot acted for a silent player in a kept turn, what it ordered, and how the player takes over; [] where none acted."""
    record, text = turn.record, reporting.orders_in(turn, seat)
    if seat not in record.bots or seat not in record.silent:  # a seat that a bot holds is never silent
        return []
    ordered = order_links.short(campaign, order_links.readable(campaign, text, seat, record.turn)) if text else []
    several = f" for {record.silent[seat]} turns" if record.silent[seat] > 1 else ""
    said = [
        f"No orders came from you{several}, so a bot acted as steward in turn {record.turn}.",
        f"It ordered: {'; '.join(ordered)}." if ordered else "It ordered nothing.",
    ]
    more = "To take over, reply to this mail with your orders. Then the bot stops."
    return [*said, more] if reporting.asks(campaign, turn) else said


def published(campaign: Campaign, seat: str, turn: int) -> list[Link]:
    """Links to the seat's pages, the form first, where the campaign shows them under an address."""
    place = shown(campaign, seat, turn) if campaign.settings.publish.url else None
    if place is None:
        return []
    return [Link("Open the order form", place.form, ()), Link("This report as a page", place.report, ())]


def _files_with(
    campaign: Campaign, turn: Kept, seat: str, page: str, record: Sequence[Enclosed], form: Sequence[str]
) -> list[Enclosed]:
    """The files that go with a report: its page, the seat's record, the order form; after the last turn the archive."""
    number = turn.record.turn
    files = [*([Enclosed(f"{seat}-{number:04}.html", "text/html", page.encode())] if page else []), *record]
    if not form:
        return [*files, *(reporting.archived(campaign, turn) if reporting.over(campaign, turn) else ())]
    data = "".join(f"{line}\n" for line in (EDITOR_LINE, *form)).encode()
    return [*files, Enclosed(f"orders-{number + 1:04}.txt", "text/plain", data)]


def inline(
    view: View, report: str, page: str, id: str = "report", pictures: int = mail_page.PICTURES
) -> tuple[str, str, Sequence[making.Picture]]:
    """(text, HTML, its pictures) of a report's mail: the report as text, and as much of its page as mail programs show. Advice stands behind
    the first screen.

    Text and HTML together stay below LARGEST_INLINE bytes as they are sent, the text alone below LARGEST_TEXT. pictures: the bytes that these
    may have.
    """
    if EVERYTHING in report and EVERYTHING_IN_PAGE in page:
        return _first_tier(view, report, page, id, pictures)
    part = report
    advice = making.template("advice.txt", view) if view["advice"] else ""
    while True:
        view = {**view, "text": [], "left_out": [], "shortened": part != report, "happened": happened(report)}
        first, gap, rest = part.partition(SECTION)
        text = making.template("report.txt", view) + first + advice + gap + rest
        text += making.template("welcome_end.txt", view) if view["welcome"] else ""
        if making.size_inline(text) < LARGEST_TEXT:
            break
        cut = part[: len(part) * 4 // 5]
        part = cut[: cut.rfind("\n\n") + 1] or cut  # a fifth shorter, up to the end of a paragraph
    if not page:
        return text, making.template("report.html", {**view, "text": part.splitlines()}, page=""), ()
    page = page.replace(LINKS, making.template("advice.html", view), 1) if view["advice"] else page
    room = LARGEST_INLINE - making.size_inline(text, making.template("report.html", view, page="")) - ROOM_TO_TELL
    body = mail_page.body_of(page, room, id, pictures)
    html = making.template("report.html", {**view, "left_out": list(body.left_out)}, page=body.html)
    return text, html, body.pictures


def _first_tier(
    view: View, report: str, page: str, id: str, pictures: int
) -> tuple[str, str, Sequence[making.Picture]]:
    """(text, HTML, its pictures) of the mail with a report in two tiers: only the first tier, with the plans and links in their place, and the
    order form below the text."""
    first = report.partition(EVERYTHING)[0].strip("\n")
    whole = first
    while making.size_inline(first) > LARGEST_TEXT // 2:  # letters of many pages
        first = first[: len(first) * 4 // 5].rpartition("\n")[0]
    advice = making.template("advice.txt", view).strip("\n") if view["advice"] else ""
    text = making.template(
        "tiers.txt",
        {
            **view,
            "shortened": first != whole,
            "first": first.split("\n"),
            "plans": advice.split("\n") if advice else [],
        },
    )
    links = making.template("links.html", {**view, "said": []})
    part = page.partition(EVERYTHING_IN_PAGE)[0].replace(LINKS, links, 1)
    room = LARGEST_INLINE - making.size_inline(text, making.template("tiers.html", view, page="")) - ROOM_TO_TELL
    body = mail_page.body_of(part, room, id, pictures)
    return text, making.template("tiers.html", view, page=body.html), body.pictures


def happened(report: str) -> str:
    """The first rows below a report's heading, as many as mail programs show in their list of mails; "" where there are none."""
    rows, told = (
        re.split(
            r"\n(?=[ ]{0,2}\S)",
            report.strip("\n").removeprefix(wrap(ANEW)).strip("\n").partition("\n\n")[2].partition("\n\n")[0],
        ),
        "",
    )
    for row in rows:
        label, gap, value = row.strip().partition("  ")
        more = f"{label}: {' '.join(value.split()).rstrip('.')}." if gap else ""
        if not more or len(told) + len(more) > SHOWN:
            break
        told += f" {more}" if told else more
    return told


def page_of(turn: Kept, seat: str, head: View, due: DueWords | None = None) -> str:
    """The page of a seat's report with the part before the report; "" where the game has no page. due: when the next orders are due now."""
    page = reporting.report(turn, seat, "html").decode()
    return led(reporting.page_due(page, due) if due else page, head)


def led(page: str, head: View) -> str:
    """A page with the part before the report: at the place that the page has for it, or in front of the page's content."""
    links = making.template("links.html", head) if page else ""
    if LINKS in page:
        return page.replace(LINKS, f"{LINKS}{links}{END}", 1)
    start = page.find("<body")
    end = page.find(">", start) + 1
    return page[:end] + "\n" + links + page[end:] if start >= 0 and end else page


def _held(campaign: Campaign, journal: Journal, turn: Kept, now: datetime) -> list[gm_news.News]:
    """The news that the players' reports of the turn wait for the GM's release, and until when; [] where they don't."""
    waits = review.review_of(campaign, turn.record.turn)
    back = review.waiting(journal, turn, now)
    coming = [one for one in review.awaited(campaign, journal, turn) if one != GM] if waits else []
    count = len(back) + len(coming)
    until = max((datetime.fromisoformat(one["until"]) for one in back), default=now + waits)
    return [gm_news.held(campaign, count, deadlines.said(until, campaign, GM))] if count else []


def _book(campaign: Campaign, journal: Journal, turn: Kept, now: datetime) -> Letter:
    """The mail with the GM's book and the digest."""
    number = turn.record.turn
    last = reporting.farewell(campaign, turn)
    done = "The start of {name} is made" if not number else "Turn {turn} of {name} is resolved"
    said = done.format(turn=number, name=campaign.settings.name) + ". Your book of it is attached."
    packed = closing.archive_of(campaign, turn.digest) if last else None
    where = [f"The chronicle is in {packed.with_name(closing.CHRONICLE)}, the archive is {packed}."] if packed else []
    asks = reporting.asks(campaign, turn)
    due = deadlines.deadline_of(campaign, journal, GM, number + 1, now, now)["due"] if asks else ""
    words = deadlines.due_words(campaign, journal, GM, number + 1, now, now)
    lines = [
        *gm_news.were_refused(turn),
        said,
        *([due] if due else []),
        *last,
        *where,
        *digest_of_turn(campaign, journal, turn, now),
    ]
    news = [*gm_news.of_book(campaign, turn), *_held(campaign, journal, turn, now)]
    news += [] if last else open_in_turn(campaign, journal, turn)
    if not number:
        news.append(first_words(campaign, journal, now))
    text, html = gm_news.texts(campaign, lines, news)
    content = Content(
        making.titled(campaign, f"Your book of turn {number}"),
        text,
        html,
        [
            *reporting.enclosed(campaign, journal, GM, number, words),
            *(reporting.archived(campaign, turn) if last else ()),
        ],
    )
    id, to, digest = review.report_id(turn, GM), addresses(campaign, GM)[0], turn.digest[:8]
    return making.letter(campaign, id, "report", GM, number, to, content, now, digest=digest)


# --- on a web space


def publish(campaign: Campaign, journal: Journal, now: datetime, to_all: public.ToAll) -> Mapping[str, Shown]:
    """Puts the newest turn's reports, the forms of the next turn and the public page into the published folder. Raises Faults where the disk
    does not take them, or something else lies in the page's place.
    """
    if not campaign.settings.publish.folder:
        return {}
    if campaigns.newest(campaign) < 0:
        public.take_away(campaign, published_folder(campaign))
        return {}
    from kingdom.books import verify  # few campaigns publish

    folder, turn = published_folder(campaign), campaigns.kept(campaign)
    if why := output.shows_a_campaign(folder, campaign.folder):
        raise fault("published_inside", folder, why=why)
    tokens.keep_key(campaign)
    number = turn.record.turn
    found = {seat: shown(campaign, seat, number) for seat in turn.record.seats if seat in campaign.seats}
    places = {seat: place for seat, place in found.items() if place}
    files = {verify.FILE: verify.source()}
    reports = journal.reports(number)
    out = None if outbox.are_unsent(campaign, journal, reports) else last_out(reports)
    for seat in places:
        if review.is_withheld(campaign, journal, seat, now):
            continue
        head = head_of(campaign, journal, turn, seat, now, out)
        due = deadlines.due_words(campaign, journal, seat, number + 1, now, out or now)
        page = page_of(turn, seat, head, due)
        own = reporting.is_own(journal, seat, number)
        if page and own:
            files[published_name(campaign, seat, f"report {number}")] = as_ascii(page)
        if not reporting.over(campaign, turn):
            form = reporting.form_file(campaign, journal, seat, number + 1, due)
            files[published_name(campaign, seat, "form")] = as_ascii(form.data.decode())
    public.put(folder, files)
    public.publish(campaign, journal, now, folder, to_all)
    return places


class Shown(NamedTuple):
    """Where a seat's pages are: their addresses, or the paths of the files where campaign.yaml gives no address."""

    report: str
    form: str


def shown(campaign: Campaign, seat: str, turn: int) -> Shown | None:
    """Where a seat's report of a turn and its form are; None where nothing is published for the seat."""
    to = campaign.settings.publish
    if (
        not to.folder
        or campaign.settings.players[seat].bot
        or output.shows_a_campaign(published_folder(campaign), campaign.folder)
    ):
        return None
    base = to.url.rstrip("/") if to.url else str(published_folder(campaign))
    return Shown(
        f"{base}/{published_name(campaign, seat, f'report {turn}')}", f"{base}/{published_name(campaign, seat, 'form')}"
    )


def published_folder(campaign: Campaign) -> Path:
    """The folder that `publish` names. A relative path begins at the campaign's folder."""
    return campaign.folder / campaign.settings.publish.folder


def published_name(campaign: Campaign, seat: str, what: str) -> str:
    """The name of a seat's page. Nobody can guess it without the campaign's seed and the seat's token."""
    token = campaign.settings.players[seat].token
    made = hmac.new(campaign.settings.seed_of(0).encode(), f"publish {seat} {token} {what}".encode(), sha256)
    return f"{made.hexdigest()[:_DIGITS]}.html"
