"""The welcome mail: what a newcomer needs to begin, in one mail that every mailbox takes: the newest report, with three things to do.

The rules and the file for editors are large, so they come only with the answer to `rules`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import keeping, next_turn, the_end, undone_turns
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.settings import PRIVATE
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.step import AnyState
from kingdom.mail import aside
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import deadlines, order_links, outlook, posting, reporting
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.deadlines import deadline_file
from kingdom.mail.outgoing.letters import Content, Enclosed, Link, tap
from kingdom.mail.outgoing.reporting import Advised
from kingdom.mail.records import Letter
from kingdom.mail.tokens import own_token
from kingdom.orders.orders_file import EDITOR_LINE
from kingdom.render import reports

LARGEST = 150_000  # bytes of the mail without the order form
PICTURES = 45_000  # bytes of its pictures: 60 KB as they are sent
THINGS = 3  # that a newcomer can do at once
ADD = "amend: true"
GUIDE = "guide.txt"  # beside the game's templates


def _signs(campaign: Campaign, seat: str) -> tuple[str, str]:
    """The signs in the id of a welcome: one for the token, from which nobody can tell the token, and one for the turn of its report."""
    digest = campaigns.kept(campaign).digest[:8] if campaigns.newest(campaign) >= 0 else "start"
    return making.sign_of(campaign, own_token(campaign, seat)), digest


class Start(NamedTuple):
    """What a seat begins with: the state for which orders are wanted, its rules, the newest report as text and page, the seat's record."""

    state: AnyState
    rules: object
    text: str
    page: str
    record: Sequence[Enclosed]


def welcome(campaign: Campaign, journal: Journal, seat: str, now: datetime) -> Letter:
    """The welcome mail: the mail with the newest report, with words for a newcomer above and below it. Where it would be too large, pictures
    and then files are left out."""
    start, turn = start_of(campaign, seat), order_links.upcoming(campaign)
    link, closed = next(iter(posting.published(campaign, seat, 0)), None), ""
    if undone_turns.is_closed(campaign.folder, turn):
        closed = f"Turn {turn} is played again with the orders that it had, so it takes none of yours. The report of it that comes then asks for those of turn {turn + 1}."
    due = deadlines.due_words(campaign, journal, seat, turn, now)
    text, page, record = start.text, start.page, start.record
    own = reporting.is_own(journal, seat, turn - 1)
    if not own:
        text, page = reporting.drawn(campaign, campaigns.kept(campaign), seat)
        record = []
    text, page = reporting.text_due(text, due), reporting.page_due(page, due)
    view = _view(campaign, journal, seat, start, link, closed, now)
    view["called"] = "your report" if own else "what your seat has and sees"
    files = [
        *([Enclosed(f"{seat}-{turn - 1:04}.html", "text/html", posting.led(page, view).encode())] if page else []),
        *record,
        *guide(campaign),
        *([] if closed else deadline_file(campaign, journal, turn, now)),
    ]
    form = [] if link or closed else [reporting.form_file(campaign, journal, seat, turn, due, "form.html")]
    id = "-".join(("welcome", seat, *_signs(campaign, seat)))
    pictures = PICTURES
    while True:
        view |= _attached(seat, view, files, form)
        text_part, html, drawn = posting.inline(view, text, page, id, pictures)
        title = making.titled(campaign, f"Welcome: you play {view['name']}")
        content = Content(title, text_part, html, files, pictures=drawn)
        if len(_letter(campaign, seat, id, content, now).data) <= LARGEST or not (files or drawn):
            return _letter(campaign, seat, id, content._replace(enclosed=[*form, *files]), now)
        if not drawn:
            files.remove(max(files, key=lambda file: len(file.data)))  # the answer to `report` brings that file
        pictures = 0


def _attached(seat: str, view: posting.View, files: Sequence[Enclosed], form: Sequence[Enclosed]) -> posting.View:
    """What the mail says of its files."""
    kinds = {
        "text/calendar": "when orders are due",
        "text/plain": "a guide for players",
        reporting.RECORD_KIND: "the record by which you can check the dice",
    }
    report = any(file.name.startswith(f"{seat}-") for file in files)
    others = [kinds[file.kind] for file in files if file.kind in kinds]
    attached = [*([str(view["called"])] if report else []), *others, *(["the order form as a page"] if form else [])]
    return {"attached": attached, "unpaged": not report}


def _letter(campaign: Campaign, seat: str, id: str, content: Content, now: datetime) -> Letter:
    to, turn = campaign.settings.players[seat].email[0], order_links.upcoming(campaign)
    sign, digest = _signs(campaign, seat)
    letters = the_end.word_for_what_is_written(campaign)
    says = {} if letters == PRIVATE else {"letters": letters}
    return making.letter(campaign, id, "welcome", seat, turn - 1, to, content, now, mark=sign, digest=digest, **says)


def _view(
    campaign: Campaign, journal: Journal, seat: str, start: Start, form: Link | None, closed: str, now: datetime
) -> dict[str, object]:
    turn, player = order_links.upcoming(campaign), campaign.settings.players[seat]
    rules = tap(campaign, seat, "rules", "Get the rules")
    lines = [] if closed else reporting.form(campaign, seat)
    forms = [] if closed else [*([form] if form else []), reporting.form_link(campaign, seat, lines)]
    asked = (
        outlook.asked(campaign, seat, turn, campaign.game.sheet(start.state, seat, start.rules)) if not closed else []
    )
    return {
        "welcome": True,
        "form_page": False,  # said with the other files
        "campaign": campaign.settings.name,
        "turn": turn - 1,
        "said": [],
        "over": bool(closed),
        "asked": asked,
        "heading": "Three things you can do now",
        "advice": [] if closed else [thing.view() for thing in things(campaign, seat, start)],
        "links": [link._asdict() for link in forms],
        "more": [link._asdict() for link in (rules, tap(campaign, seat, "help", "What else can I ask?"))],
        "shortened": False,
        "form": [EDITOR_LINE, *lines][: posting.LONGEST_FORM] if lines else [],
        "due": "" if closed else deadlines.deadline_of(campaign, journal, seat, turn, now)["due"],
        "gm": campaign.settings.gm.name,
        "player": player.name,
        "name": campaign.game.sheet(start.state, seat, start.rules).get("name") or seat,
        "token": player.token,
        "known": seat in journal.known,
        "before": journal.took_over.get(seat, (0, ""))[1],
        "closed": closed,
        "left": _left(campaign, journal, seat),
        "told": the_end.of_what_is_written(campaign),
    }


def _left(campaign: Campaign, journal: Journal, seat: str) -> list[dict[str, object]]:
    """The orders that a former player filed for the turns ahead, without letters, as lines that can be sent: a row for each turn."""
    first, rows = order_links.upcoming(campaign), []
    for turn in () if seat in journal.known else range(first, first + aside.AHEAD + 1):
        is_filed = aside.file_of(campaign, seat, turn).is_file()
        lines = [] if is_filed else left_lines(campaign, seat, turn, aside.handed_on(campaign, seat, turn))
        if lines:
            link = order_links.link_to(campaign, seat, turn, "File them", lines)
            rows.append({"turn": turn, "lines": [*([f"turn: {turn}"] if turn > first else []), *lines], "to": link.to})
    return rows


def left_lines(campaign: Campaign, seat: str, turn: int, file: Path | None) -> list[str]:
    """The orders that a former player filed for a turn, in the short form, without the player's own words; [] for none. file: where they
    lie."""
    wanted = order_links.readable(campaign, file.read_text("utf-8", "replace"), seat, turn) if file else None
    return order_links.short(campaign, wanted, (*order_links.HEAD, *aside.OWN_WORDS)) if wanted else []


# --- what to do first


def things(campaign: Campaign, seat: str, start: Start) -> list[Advised]:
    """Three things to send: the advised plans, or an order; a greeting; and, if these are fewer, commands without lines."""
    made = reporting.advised(campaign, seat)
    turn = order_links.upcoming(campaign)
    for name, lines in _candidates(campaign, seat, start, bool(made)):
        if order_links.readable(campaign, "\n".join((ADD, *lines)), seat, turn):
            lines = [ADD, *lines]  # sent after other orders, it is added to them, as a newcomer expects
        if order_links.readable(campaign, "\n".join(lines), seat, turn):
            made.append(Advised(name, order_links.link_to(campaign, seat, turn, name, lines)))
    asked = [("Ask for the rules", "rules"), ("See who has filed", "status"), ("See what else you can ask", "help")]
    made += [Advised(name, tap(campaign, seat, word, name)) for name, word in asked]
    return [one._replace(link=one.link._replace(name="Send this")) for one in made[:THINGS]]


def _candidates(campaign: Campaign, seat: str, start: Start, advised: bool) -> Iterator[tuple[str, list[str]]]:
    """(name, lines) of things that might be sent; the game need not take all of them."""
    forms, settings = campaign.game.forms, campaign.settings
    if forms and not advised:
        lines = _example(forms.text(start.state, seat, start.rules))
        if lines:
            yield "Give a first order, such as this one", lines
    if settings.messages:
        hello = json.dumps(f"Hello from {settings.players[seat].name}.", ensure_ascii=False)
        yield "Say hello to all", [f"messages: {{all: {hello}}}"]


def _example(form: Iterable[str]) -> list[str]:
    """The first order that a form shows, with or without a # before it."""
    for line in form:
        order = line.removeprefix("#").partition("  #")[0].rstrip()
        key, _, value = order.partition(": ")
        if value and key.isidentifier() and key not in ("continue_from", "messages", "requests", "final", "finish"):
            return [order]
    return []


# --- what goes with it


def start_of(campaign: Campaign, seat: str) -> Start:
    """What a seat begins with; before turn 0 what it would begin with now."""
    if campaigns.newest(campaign) >= 0:
        turn = campaigns.kept(campaign)
        state, rules = campaigns.state_of(campaign, turn), campaigns.rules_of(campaign, turn).rules
        files, text = reporting.files_of(turn, seat), reporting.text_of(campaign, turn, seat)
    else:
        draft = next_turn.opening_draft(campaign, campaigns.rules_today(campaign))
        state, rules, made = draft.result.after, draft.tables.rules, keeping.files_of(campaign, draft, "")
        files = reporting.as_files(seat, 0, lambda name: made.get(name, b""))
        text = made.get(f"reports/{seat}.txt", b"").decode()
    page = "".join(file.data.decode() for file in files if file.kind == reporting.KINDS["html"])
    return Start(state, rules, text, page, [file for file in files if file.kind == reporting.RECORD_KIND])


def guide(campaign: Campaign) -> list[Enclosed]:
    """The game's guide for players, by the rules of the next turn; none where the game has none."""
    rules = campaigns.rules_today(campaign)
    if rules.digest not in _guides:  # made once for all who are welcomed
        _guides.clear()
        _guides[rules.digest] = reports.rules_page(campaign.game, rules, page=GUIDE)
    text = _guides[rules.digest]
    return [Enclosed("players-guide.txt", "text/plain", text.encode())] if text else []


_guides: dict[str, str] = {}  # digest of the rules that were asked for last -> their guide
