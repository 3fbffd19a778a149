"""The parts of the mails about a kept turn: a seat's report, the order form, its orders once more, the rules, who is away."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from html import escape
from types import MappingProxyType
from urllib.parse import unquote

from kingdom.books import closing
from kingdom.campaign import advice, editor_schema, filings, preview, seat_record, store, the_end
from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import fault
from kingdom.campaign.store import Kept
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.problems import Faults
from kingdom.engine.regex import regex
from kingdom.engine.step import Facts, Orders
from kingdom.mail import aside, tokens
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import deadlines, order_links, order_words, outlook, overview, people
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.deadlines import DueWords
from kingdom.mail.outgoing.letters import LONGEST, Enclosed, Link, orders_subject
from kingdom.mail.records import FILE
from kingdom.orders import orders_file, tables
from kingdom.orders.orders_file import SCHEMA_FILE
from kingdom.render import reports, terminal
from kingdom.render.order_form import FormFacts, form_of
from kingdom.render.plain_text import COLUMNS, wrap

ONCE = (*order_links.HEAD, "answers", "messages", "requests", "amend", "final", "token")  # not meant to be done again
LARGEST_ARCHIVE = 5_000_000  # bytes of an archive that goes with a mail
name_of, who = people.name_of, people.who
_WHO = r"(?:your orders|Orders) for turn \d+|turn \d+ asks nothing of you; it"
RESOLVED = "is resolved"
_VERB = rf"(?P<verb>{deadlines.DUE}|{RESOLVED})"
_DUE_IN_PAGE = regex(rf'(?P<who><p class="due">(?:<bdi>[^<]*</bdi>, )?(?:{_WHO})) {_VERB} <strong>[^<]*</strong>\.</p>')
_DUE_IN_TEXT = regex(rf"(?P<who>.*, (?:{_WHO})) {_VERB} .*\.\Z")
_DUE_IN_FORM = {deadlines.DUE: "Due", deadlines.WERE_DUE: "Were due", deadlines.STAND: "Your orders stand"}
LONGEST_NAME = 72  # characters of orders that a link is named by
TRIES = 5  # to leave out what would be refused: without it something else may be
KINDS = {"txt": "text/plain", "html": "text/html"}
RECORD_KIND = "application/json"


def report(turn: Kept, seat: str, ending: str) -> bytes:
    """A kept report, b"" where the game has none. Raises Faults where its file was altered."""
    name = f"reports/{seat}.{ending}"
    return store.file_of(turn, name) if name in turn.record.files else b""


def orders_in(turn: Kept, seat: str) -> str:
    """The text of a seat's orders in a kept turn, "" for none. Raises Faults where its file was altered."""
    name = f"orders/{seat}{filings.ENDING}"
    return store.file_of(turn, name).decode("utf-8", "replace") if name in turn.record.files else ""


def files_of(turn: Kept, seat: str) -> list[Enclosed]:
    """The files of a seat's report, or of the GM's book, as they were kept, with the seat's record."""
    return as_files(
        seat, turn.record.turn, lambda name: store.file_of(turn, name) if name in turn.record.files else b""
    )


def as_files(seat: str, turn: int, data_of: Callable[[str], bytes]) -> list[Enclosed]:
    """The files of a seat's report, of a turn that is kept or not. data_of: gives a file of the turn's folder, b"" for none."""
    found = [(ending, data_of(f"reports/{seat}.{ending}")) for ending in KINDS]
    name = f"{seat}-{turn:04}"
    files = [Enclosed(f"{name}.{ending}", KINDS[ending], data) for ending, data in found if data]
    record = data_of(f"reports/{seat}{seat_record.ENDING}")
    return [*files, *([Enclosed(seat_record.ATTACHED, RECORD_KIND, record)] if record else [])]


def record(turn: Kept, seat: str) -> list[Enclosed]:
    """The record by which a seat can prove a kept turn alone; [] for a turn that an older program kept."""
    return [file for file in files_of(turn, seat) if file.kind == RECORD_KIND]


def enclosed(
    campaign: Campaign, journal: Journal, seat: str, number: int, due: DueWords | None = None
) -> list[Enclosed]:
    """The files of a seat's report of a turn, or the seat's sheet if another player held the seat then; the files of the GM's book.

    due: when the next orders are due, as the files then say.
    """
    turn = campaigns.kept(campaign, number)
    files = files_of(turn, seat)
    if not is_own(journal, seat, number):
        said = zip(KINDS, drawn(campaign, turn, seat), strict=True)
        return [Enclosed(f"{seat}-{number:04}.{ending}", KINDS[ending], text.encode()) for ending, text in said]
    return [with_due(file, due) for file in files] if due else files


def is_own(journal: Journal, seat: str, number: int) -> bool:
    """Whether a turn's report was for the player who holds the seat now. The report of another player holds that player's letters and
    requests."""
    return number >= journal.own_from.get(seat, (0, ""))[0]


def of_another(campaign: Campaign, journal: Journal, seat: str, turn: int) -> list[str]:
    """Which orders in a form, `last` and `filed`, another player gave before the seat was taken over. turn: that of the form."""
    data = filings.content(aside.file_of(campaign, seat, turn)) or b""
    before = aside.is_of_another(journal, seat, turn, aside.receipt_of(data))
    return [*([] if is_own(journal, seat, turn - 1) else ["last"]), *(["filed"] if before else [])]


def drawn(campaign: Campaign, turn: Kept, seat: str) -> tuple[str, str]:
    """What a seat has and sees after a kept turn, as text and as a page with the map as a picture: the report without what is its former
    player's."""
    state, rules = campaigns.state_of(campaign, turn), campaigns.rules_of(campaign, turn).rules
    title = f"{name_of(campaign, seat)} after turn {turn.record.turn}"
    text = "\n".join([title, "", *terminal.sheet(sheet(campaign, turn, seat), COLUMNS)])
    text += "\n\n" + campaign.game.draw(state, seat, rules).rstrip("\n") + "\n"
    picture = campaign.game.picture(state, seat, rules) if campaign.game.picture else ""
    return text, making.template("sheet.html", {"title": title, "text": text, "picture": picture})


def with_due(file: Enclosed, due: DueWords) -> Enclosed:
    """A report as a file that goes out, with the time by which the next orders are due now, which may be another than when it was kept."""
    if file.kind == RECORD_KIND:
        return file
    said = page_due if file.kind == KINDS["html"] else text_due
    return file._replace(data=said(file.data.decode(), due).encode())


def page_due(page: str, due: DueWords) -> str:
    """A report's page with the time by which the next orders are due now."""

    def line(kept: re.Match[str]) -> str:
        now = _fitted(kept["verb"], due)
        more = f" {escape(now.more)}" if now.more else ""
        return f"{kept['who']} {now.verb} <strong>{escape(now.when)}</strong>.{more}</p>"

    return _DUE_IN_PAGE.sub(line, page, count=1)


def text_due(text: str, due: DueWords) -> str:
    """A report's text with the time by which the next orders are due now. That line stands below the rule of the head."""
    head, rule, rest = text.partition(f"\n{'=' * COLUMNS}\n")
    paragraph, gap, more = rest.partition("\n\n")
    kept = _DUE_IN_TEXT.match(" ".join(paragraph.split()))
    if kept is None:
        return text
    now = _fitted(kept["verb"], due)
    said = wrap(f"{kept['who']} {now.verb} {now.when}. {now.more}")
    return f"{head}{rule}{said}{gap}{more}"


def _fitted(kept: str, due: DueWords) -> DueWords:
    """The words for the line that was kept. A turn that asks nothing of a seat `is resolved` at that time. kept: the line."""
    if kept != RESOLVED:
        return due
    if due.verb == deadlines.STAND:
        return due._replace(verb=RESOLVED, when="again soon")
    return due._replace(verb=RESOLVED if due.verb == deadlines.DUE else "was due")


def text_of(campaign: Campaign, turn: Kept, seat: str) -> str:
    """A seat's report as text; the sheet where the game has no reports."""
    text = report(turn, seat, "txt").decode()
    return text or "\n".join(terminal.sheet(sheet(campaign, turn, seat), COLUMNS)) + "\n"


def over(campaign: Campaign, turn: Kept) -> str:
    """Why a turn was the last, "" where another one comes."""
    return campaigns.over(campaign, turn.record.turn + 1, campaigns.state_of(campaign, turn))


def asks(campaign: Campaign, turn: Kept) -> bool:
    """Whether the reports of a turn ask for orders: the turn is the newest, and another one comes."""
    return turn.record.turn == campaigns.newest(campaign) and not over(campaign, turn)


def played_since(campaign: Campaign, turn: Kept) -> list[str]:
    """A sentence, for a report that goes out late, that the next turn is played already; [] for the newest turn."""
    after = turn.record.turn + 1
    said = f"Turn {after} is played already; its report comes in a mail of its own. This one, of turn {after - 1}, asks for nothing."
    return [said] if after <= campaigns.newest(campaign) else []


def farewell(campaign: Campaign, turn: Kept) -> list[str]:
    """The lines that come with the last report, with the seed, which proves every die that was ever thrown; [] with any other report."""
    why = over(campaign, turn)
    if not why:
        return []
    said = [
        f"The campaign is over: {why}.",
        f"The seed of all its dice can be told now: {campaign.settings.every_seed}",
    ]
    packed = closing.archive_of(campaign, turn.digest)
    size = packed.stat().st_size if packed else 0
    if size > LARGEST_ARCHIVE:
        large = f"{size / 1_000_000:.0f} MB"
        said.append(f"The archive of the whole campaign is too large for a mail ({large}): ask the GM for it.")
    elif packed:
        said.append("The archive of the whole campaign goes with this mail: unpack it, and open chronicle/index.html.")
    return said


def archived(campaign: Campaign, turn: Kept) -> list[Enclosed]:
    """The archive of a campaign that is over, if it is small enough for a mail."""
    packed = closing.archive_of(campaign, turn.digest)
    if packed is None or packed.stat().st_size > LARGEST_ARCHIVE:
        return []
    return [Enclosed(f"{closing.name_of(campaign)}.zip", "application/zip", store.read(packed))]


def sheet(campaign: Campaign, turn: Kept, seat: str) -> Facts:
    """A seat's sheet after a kept turn."""
    return campaign.game.sheet(campaigns.state_of(campaign, turn), seat, campaigns.rules_of(campaign, turn).rules)


def form(campaign: Campaign, seat: str) -> list[str]:
    """The lines of the order form for the next turn: valid orders as they stand."""
    number = order_links.upcoming(campaign)
    head = [f"kingdom: {seat}", f"turn: {number}"]
    forms = campaign.game.forms
    if forms is None:
        return head
    if campaigns.newest(campaign) < 0:
        start = preview.start_of(campaign)
        return [*head, *forms.text(start.state, seat, start.rules.rules)]
    turn = campaigns.kept(campaign)
    state, rules = campaigns.state_of(campaign, turn), campaigns.rules_of(campaign, turn).rules
    return [*head, *forms.text(state, seat, rules)]


def form_link(campaign: Campaign, seat: str, lines: Sequence[str] = ()) -> Link:
    """A link that opens a mail with the order form as its text. lines: those of the form, where they are known."""
    name, turn = "Write a mail with the order form in it", order_links.upcoming(campaign)
    return order_links.link_to(campaign, seat, turn, name, lines or form(campaign, seat))


def void_words(campaign: Campaign, turn: Kept, seat: str) -> list[str]:
    """A sentence that the seat's next orders are void; [] where they count."""
    if not sheet(campaign, turn, seat).get("anarchy") or over(campaign, turn):
        return []
    return [f"Turn {turn.record.turn + 1} is a turn of anarchy for you: orders for it are void, but for messages."]


def again(campaign: Campaign, turn: Kept, seat: str) -> list[Link]:
    """A link with the orders of a seat in a kept turn that it may give again; its name says what it holds. [] where there are none."""
    number = turn.record.turn
    wanted = order_links.readable(campaign, orders_in(turn, seat), seat, number) or {}
    if not wanted:
        return []
    meant = {key: value for key, value in wanted.items() if key not in ONCE}
    counts = _that_count(campaign, seat, number + 1, _not_done(campaign, turn, seat, meant))
    lines = order_links.short(campaign, counts)
    said = "The same orders as last turn"
    if counts != meant:
        whole = "; ".join(lines)
        said = f"Order again: {whole if len(whole) <= LONGEST_NAME else ', '.join(key.replace('_', ' ') for key in counts)}"
    found = order_links.link_to(campaign, seat, number + 1, said, lines)
    return [found] if lines and found.to else []


def _not_done(campaign: Campaign, turn: Kept, seat: str, wanted: Orders) -> Orders:
    """The orders of a kept turn without those that were carried out and are over by that, as a building is."""
    once = orders_file.declared(campaign.game, seat).once
    refused = {
        one.get("facts", {}).get("order")
        for one in turn.record.notices
        if (one["kind"], one["seat"]) == ("refusal", seat)
    }
    done: list[str] = []
    for key, value in wanted.items():
        listed = isinstance(value, list)
        items = [(f"{key}[{place}]", item) for place, item in enumerate(value)] if listed else [(key, value)]
        cases = {name.partition(".")[2] for name in once if name.partition(".")[0] == key}
        done += [
            path
            for path, item in items
            if path not in refused and (key in once or isinstance(item, dict) and not cases.isdisjoint(item))
        ]
    return order_words.without(wanted, done)


def _that_count(campaign: Campaign, seat: str, number: int, wanted: Orders) -> Orders:
    """The orders without those that would be refused in the next turn."""
    kept = wanted
    start = preview.start_of(campaign)
    for _ in range(TRIES):
        text = orders_file.write({"kingdom": seat, "turn": number, **kept}).encode()
        _, refused = preview.verdict(campaign, start, seat, text, FILE)
        if not refused:
            return kept
        kept = order_words.without(kept, [one["order"] for one in refused])
    return {}


def asked(campaign: Campaign, turn: Kept, seat: str) -> list[Facts]:
    """The questions to a seat, with a link for each choice."""
    return outlook.asked(campaign, seat, turn.record.turn + 1, sheet(campaign, turn, seat))


class Advised(NamedTuple):
    """Something that a seat may do, such as a plan, with a link that sends it. effects: what it does, in sentences."""

    title: str
    link: Link
    effects: Sequence[str] = ()

    def view(self) -> dict[str, object]:
        """For a template. subject: what is typed where the link has no lines."""
        subject = "" if self.link.lines else unquote(self.link.to.partition("?subject=")[2].partition("&")[0])
        return {"title": self.title, "effects": self.effects, "subject": subject, **self.link._asdict()}


def advised(campaign: Campaign, seat: str) -> list[Advised]:
    """The advised plans for the seat's next turn, the best first; none where the GM switched advice off."""
    turn, found = order_links.upcoming(campaign), advice.told(campaign, preview.start_of(campaign), seat)
    return [
        Advised(
            plan.title, order_links.link_to(campaign, seat, turn, f"Send this: {plan.name}", plan.lines), plan.effects
        )
        for plan in found
    ]


def rules_file(campaign: Campaign) -> Enclosed:
    """The rules as this campaign plays them: a page, or the tables of a game that has no such page."""
    from kingdom.render import rules_html  # seldom needed

    today = campaigns.rules_today(campaign)
    text = reports.rules_page(campaign.game, today, campaign.settings.name, campaigns.own_rules(campaign))
    if not text:
        return Enclosed("rules.yaml", "text/plain", tables.dump(today).encode())
    page, headings = rules_html.page_of(text)
    title, *contents = [heading for heading in headings if heading.level < 3]
    view = {"title": title.name, "contents": [heading._asdict() for heading in contents]}
    return Enclosed(
        "rules.html", "text/html", making.template("rules.html", view, page=page.partition("</h1>")[2]).encode()
    )


def schema_file(campaign: Campaign, seat: str) -> Enclosed:
    """The file by which editors complete and check orders."""
    made = editor_schema.text(editor_schema.of_seat(campaign, seat))
    return Enclosed(SCHEMA_FILE, "application/schema+json", made)


def absences(campaign: Campaign, journal: Journal, turn: int) -> Mapping[str, str]:
    """Seat -> the words for the other players that its player is away or gave the seat up; {} where the campaign does not tell them."""
    if not campaign.settings.absences:
        return {}
    found = overview.absences(journal, campaign.seats, turn)
    found |= {
        seat: f"plays on in place of {before}"
        for seat, (at, before) in journal.took_over.items()
        if turn in (at, at + 1) and seat not in journal.resigned
    }
    return {seat: found[seat] for seat in campaign.seats if seat in found}


def absent_lines(campaign: Campaign, journal: Journal, turn: int) -> list[str]:
    """A sentence about all absences; [] where nobody is away."""
    found = absences(campaign, journal, turn)
    said = [f"{who(campaign, seat)} {'is ' * said.startswith('away')}{said}" for seat, said in found.items()]
    return [f"Players: {'; '.join(said)}."] if said else []


# --- the order form as a page, with the address for orders, the filed orders and the last ones


def form_page(campaign: Campaign, seat: str, due: DueWords | None = None, hidden: Sequence[str] = ()) -> str:
    """The form of a seat for the next turn, as HTML. due: when its orders are due, as the form then says. hidden: as `of_another` gives it.
    Raises Faults."""
    return form_pages(campaign, [seat], {seat: due} if due else {}, {seat: hidden})[seat]


def form_file(
    campaign: Campaign, journal: Journal, seat: str, turn: int, due: DueWords, name: str = "form-{:04}.html"
) -> Enclosed:
    """The form of a seat for a turn as a file, without what another player ordered. due: as in `form_page`."""
    page = form_page(campaign, seat, due, of_another(campaign, journal, seat, turn))
    return Enclosed(name.format(turn), "text/html", page.encode())


def form_pages(
    campaign: Campaign,
    seats: Iterable[str] = (),
    due: Mapping[str, DueWords] = MappingProxyType({}),
    hidden: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> dict[str, str]:
    """Seat -> its form for the next turn. seats: () for all in play. due, hidden: as in `form_page`. Raises Faults."""
    start = preview.start_of(campaign)
    rules, state, names = start
    game, number = campaign.game, state.turn + 1
    over = campaigns.over(campaign, number, state)
    if over:
        raise fault("game_over", campaign.folder, turn=number, reason=over)
    wanted = list(seats) or list(game.seats(state))
    called = people.by_seat(campaign)
    with suppress(Faults):  # a copy that nobody may write in has the form all the same
        tokens.keep_key(campaign)
    facts = {seat: _form_facts(campaign, seat, start, called, due.get(seat)) for seat in wanted}
    for seat in wanted:
        of, keys = facts[seat], hidden.get(seat, ())
        facts[seat] = of._replace(last="" if "last" in keys else of.last, filed="" if "filed" in keys else of.filed)
    return {seat: form_of(game, state, seat, rules.rules, names, facts[seat]) for seat in wanted}


def _form_facts(
    campaign: Campaign, seat: str, start: preview.Start, called: Mapping[str, str], due: DueWords | None
) -> FormFacts:
    settings, newest, turn = campaign.settings, campaigns.newest(campaign), start.state.turn + 1
    address = settings.mail.address if settings.mail else ""
    return FormFacts(
        settings.name,
        f"{_DUE_IN_FORM[due.verb]} {due.when}. {due.more}".rstrip() if due and settings.calendar else "",
        address,
        orders_subject(campaign, seat, turn) if address else "",
        () if settings.messages else ("messages",),
        LONGEST,
        (filings.content(aside.file_of(campaign, seat, turn)) or b"").decode("utf-8", "replace"),
        orders_in(campaigns.kept(campaign, newest), seat) if newest > 0 else "",
        tokens.turn_token(campaign, seat, turn) if address else "",
        called,
        [
            {"title": plan.title, "effects": plan.effects, "text": plan.text}
            for plan in advice.told(campaign, start, seat)
        ],
        told=the_end.of_what_is_written(campaign) if settings.mail or settings.players[seat].email else "",
        attempt=campaigns.kept(campaign, newest).record.attempt if newest >= 0 else 1,
    )
