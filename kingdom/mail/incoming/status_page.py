"""The answer to `status`. Everybody may know who has filed; only the player and the GM may know what was filed."""

from __future__ import annotations

from functools import partial

from kingdom.books import closing
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import checked, filings, preview, store
from kingdom.campaign.campaign import Campaign
from kingdom.engine.dice import GM
from kingdom.engine.step import Orders
from kingdom.mail.incoming import filing
from kingdom.mail.incoming.asking import Answer, Asked, seats_in_play
from kingdom.mail.outgoing import deadlines, order_links, outlook, overview, people, reporting
from kingdom.mail.records import FILE
from kingdom.render.plain_text import left, width


def answer(asked: Asked) -> Answer:
    """A line for each seat, and what the player who asks has filed."""
    campaign, turn = asked.campaign, asked.turn
    over = closing.why_over(campaign)
    if over:
        return Answer((f"{campaign.settings.name} is over: {over}.", *_told_gm(asked)))
    due = deadlines.deadline_of(campaign, asked.journal, asked.seat, turn, asked.now)["due"]
    if asked.seat == GM:
        return _for_gm(asked, due)
    data = filings.content(filing.file_of(campaign, asked.seat, turn)) or b""
    wanted = order_links.readable(campaign, data.decode("utf-8", "replace"), asked.seat, turn) or {}
    filed, unasked = (
        filings.filed(filings.folder_of(campaign.folder, turn)),
        campaigns.unasked(campaign, turn, asked.seat),
    )
    absent = reporting.absences(campaign, asked.journal, turn)
    rows = []
    for seat in seats_in_play(campaign):
        stands = "filed" if seat in filed else "not asked in this turn" if seat in unasked else "nothing filed yet"
        if seat == asked.seat and seat in filed:
            stands = f"filed{' and final' if wanted.get('final') else ''}, receipt {filing.receipt_of(data)}"
        name = people.who(campaign, seat) + (", you" if seat == asked.seat else "")
        rows.append((name, ", ".join(filter(None, (stands, absent.get(seat, ""))))))
    size = max((width(name) for name, _ in rows), default=0)
    lines = (f"{campaign.settings.name}: turn {turn} is next.", *filter(None, [due]), *_own(asked, data, wanted))
    return Answer(lines, tuple(f"{left(name, size)}  {said}" for name, said in rows))


def _for_gm(asked: Asked, due: str) -> Answer:
    """The table of `kingdom status`: every seat, also those out of play, and the GM, with what is filed, whether the player is away, and
    the problems and refusals to come. Below it stands the state of the mail."""
    campaign, turn, seats = asked.campaign, asked.turn, (*asked.campaign.seats, GM)
    folder = filings.folder_of(campaign.folder, turn)
    found = {seat: filings.content(folder / f"{seat}{filings.ENDING}") for seat in seats}
    files = {seat: data for seat, data in found.items() if data is not None}
    stands = checked.checked(campaign.folder, campaign.settings.game, campaigns.newest(campaign), files)["seats"]
    absent = overview.absences(asked.journal, campaign.seats, turn)
    names = {seat: "You, the GM" if seat == GM else people.who(campaign, seat) for seat in seats}
    size = max(map(width, names.values()))
    table = []
    for seat, name in names.items():
        told = [_receipt_of(campaign, seat, files.get(seat), stands.get(seat)), absent.get(seat, "")]
        table.append(f"{left(name, size)}  {', '.join(filter(None, told))}")
        if seat in files and seat in stands:
            amiss = _amiss(campaign, seat, turn, files[seat], stands[seat])
            table += [f"{' ' * (size + 4)}{text}" for text in amiss]
    lines = (f"{campaign.settings.name}: turn {turn} is next.", *filter(None, [due]), *_told_gm(asked))
    return Answer(lines, tuple(table))


def _receipt_of(campaign: Campaign, seat: str, data: bytes | None, stands: checked.Standing | None) -> str:
    """The cell that says whether a seat has filed."""
    if data is not None:
        return f"filed{' and final' if stands and stands['final'] else ''}, receipt {store.digest_of(data)[:12]}"
    if stands and stands["out"]:
        return str(stands["out"])
    if stands and not stands["asked"]:
        return "not asked in this turn"
    bot = campaign.settings.players[seat].bot if seat != GM else ""
    return f"a bot ({bot}) gives the orders" if bot else "nothing filed yet"


def _amiss(campaign: Campaign, seat: str, turn: int, data: bytes, stands: checked.Standing) -> list[str]:
    """The problems of what a seat has filed, and the refusals to come."""
    from kingdom.mail.outgoing import order_words

    wanted = order_links.readable(campaign, data.decode("utf-8", "replace"), seat, turn) or {}
    short = partial(order_links.short, campaign)
    refused = [
        f"would be refused: `{order_words.named(one['order'], wanted, short)}`: {order_words.plainly(one['reason'])}"
        for one in stands["refusals"]
    ]
    return [f"problem {text}" for text in stands["problems"]] + refused


def _own(asked: Asked, data: bytes, wanted: Orders) -> list[str]:
    """What is wrong with the player's own orders, and which questions still need an answer."""
    found = preview.foresee(asked.campaign, data or f"kingdom: {asked.seat}\nturn: {asked.turn}\n".encode(), FILE)
    before = found.before or {}
    said = [f"Your orders have a problem. Line {one.line}: {one.message}" for one in found.problems]
    for row in outlook.refused_rows(asked.campaign, found.refusals, wanted, before):
        name = f"`{row['order']}`" if row["typed"] else row["order"]
        said.append(f"Would be refused: {name}: {row['reason']}")
    for one in outlook.unanswered(before, wanted, found.refusals):
        default = one["default"].replace("_", " ")
        said.append(f"Still to be answered: {one['question']} Without an answer: {default}.")
    return said


def _told_gm(asked: Asked) -> list[str]:
    """The lines for the GM alone."""
    if asked.seat != GM:
        return []
    from kingdom.mail import turn_facts

    begun = campaigns.newest(asked.campaign) >= 0
    waits = turn_facts.standing(asked.campaign, asked.journal, asked.now) if begun else ""
    return [*([waits] if waits else []), *overview.lines(asked.campaign, asked.journal, asked.now)]
