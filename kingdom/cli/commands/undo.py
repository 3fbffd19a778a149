"""kingdom undo, redo, correct: take a wrong turn back, resolve it again, or correct it by the GM's orders."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kingdom.books import closing
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import lock, undo
from kingdom.campaign.afterwards import BEFORE_SENDING, MAILS_WAIT, Afterwards
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import fault
from kingdom.campaign.undo import Redo
from kingdom.cli.commands import DONE, WRONG, Said, campaign_of
from kingdom.cli.commands.turn import journal_if_any, publish
from kingdom.engine.dice import GM
from kingdom.mail.incoming.forwarded import forwarded
from kingdom.render import terminal

if TYPE_CHECKING:
    from kingdom.campaign.corrections import Corrected
    from kingdom.mail.journal import Journal


def run_undo(args: Namespace) -> Said:
    """Take the newest turn back. With --reopen also print the commitments to its new dice, which the players must get."""
    campaign = campaign_of(args)
    with lock.held(campaign.folder, "undo"):
        journal = journal_if_any(campaign)
        undo.clear(campaign)
        before = campaigns.newest(campaign)
        aside, reseeded = undo.undo(campaign, args.reopen)
        campaign = campaign_of(args) if reseeded is not None else campaign
        number = campaigns.newest(campaign) + 1
        back = f"Turn {number} is taken back; it lies in {aside}."
        back = back if number == before else f"Turn {number} was taken back before, and lies in {aside}."
        if reseeded is not None:
            back += f" The end told everybody the seed, so from turn {reseeded} on the dice come from a new one, as after `kingdom reseed`."
        rest = Afterwards(back, args.debug)
        tell(campaign, journal, rest)
        _settle(campaign, rest)
    # whether the commitments to the new dice are in the outbox
    mailed = args.reopen and any(
        mail.startswith(f"reopened-{number:04}-") for mail in (journal.mails if journal is not None else ())
    )
    said = Said([back], code=WRONG)
    with rest.step("What comes next can't be told", "`kingdom status` tells it."):
        said = _undone(campaign, args, back, number, mailed)
    return replace(said, notes=rest.notes, code=WRONG if rest.notes else said.code)


def _undone(campaign: Campaign, args: Namespace, back: str, number: int, mailed: bool) -> Said:
    """Return the output about a turn that was taken back. mailed: the new commitments are in the outbox."""
    lines, again = [back], _again(campaign, number)
    if not args.reopen:
        if not number:
            return Said([*lines, "`kingdom turn` makes it again from the campaign's files, with the same dice."])
        same = "`kingdom turn` runs it with the same dice and players' orders, and the GM's filed by then."
        new_orders = f"It takes no new orders of players: `kingdom undo {campaigns.typed(campaign)} --reopen` opens it."
        return Said([*lines, same, new_orders, *again])
    promised = campaigns.commitments(campaign, number)
    how = "The commitments to them are mailed to all:"
    how = how if mailed else "Send each player the commitment of their kingdom, and the GM's:"
    lines.append(f"It {'is now open for new orders and ' if number else ''}gets new dice. {how}")
    return Said([*lines, *(f"  {seat}  {commitment}" for seat, commitment in promised.items()), *again])


def _again(campaign: Campaign, number: int) -> list[str]:
    """Say when the next run plays the turn again, and if that is due now, how to delay it; [] if unknown, or if no mail ever
    came."""
    from kingdom.mail.journal import NAME, folder_of, journal_of

    if campaign.settings.calendar is None or number < 1 or not (folder_of(campaign) / NAME).is_file():
        return []
    from kingdom.campaign import calendar, clock, due
    from kingdom.mail import turn_facts
    from kingdom.mail.outgoing import outdated

    now = clock.now()
    facts = turn_facts.facts(campaign, journal_of(campaign, now), now, True, closing.why_over(campaign))
    if facts.last is None or facts.held:
        return []
    past = now > facts.last
    if due.decide(facts._replace(unpromised=False)).what == due.DUE:
        why = "Its deadline has passed" if past else "All orders for it are final"
        carried = facts.unpromised and not outdated.sends(campaign)
        run = "next `kingdom run`"
        if carried:
            run = "first `kingdom run` after you forwarded these mails and took them out of mail/outbox"
        sentence = f"{why}, so the {run} plays it again. For more time send `hold` to the campaign by mail before that"
        by_hand = f", or write `extend: {{{number}: {(now - facts.last).days + 2}d}}` into `calendar` in campaign.yaml"
        return terminal.paragraph(f"{sentence}{by_hand if past and not campaign.settings.calendar.extend else ''}.")
    at = max(facts.last, due.open_until(facts.reported, facts.every) if facts.reported else facts.last)
    sentence = f"The first `kingdom run` after {calendar.said_at(at, facts.zone)} plays it."
    return terminal.paragraph(sentence) if now <= at else []


def tell(campaign: Campaign, journal: Journal | None, rest: Afterwards) -> None:
    """Withdraw the turn's unsent reports and mail commitments to new dice, in a campaign with mail."""
    if journal is None:
        return
    from kingdom.campaign import clock
    from kingdom.mail.outgoing import following

    with rest.step(MAILS_WAIT, BEFORE_SENDING):
        following.follow(campaign, journal, clock.now())


def _settle(campaign: Campaign, rest: Afterwards) -> None:
    """Make or remove the chronicle and the archive, which a campaign has once it is over, and bring published pages up to date."""
    with rest.step("The chronicle and the archive could not be brought up to date", "The next `kingdom run` does it."):
        closing.settle(campaign, closing.why_over(campaign), forwarded)
    publish(campaign, rest)


def run_redo(args: Namespace) -> Said:
    """Resolve the newest turn again and show the differences. Only with --yes it is written."""
    campaign = campaign_of(args)
    if not args.yes:
        redone = undo.redo(campaign)
        again = ["", "Nothing is changed yet: `kingdom redo --yes` puts it in the turn's place."]
        return Said([*_changes(redone), *(again if redone.changes else ())])
    from kingdom.mail.outgoing import outdated

    with lock.held(campaign.folder, "redo"):
        journal = journal_if_any(campaign)
        undo.clear(campaign)
        redone = undo.redo(campaign)
        if not redone.changes:
            return Said([*_changes(redone), "The turn stays as it is."])
        marked = replace(redone, draft=outdated.with_unseen(campaign, redone.draft))
        aside = undo.replace(campaign, marked, outdated.unseen_of(campaign, redone.old))
        done = f"Turn {redone.draft.number} is replaced; the old one lies in {aside}."
        rest = Afterwards(done, args.debug)
        tell(campaign, journal, rest)
        _settle(campaign, rest)
    return Said([*_changes(redone), "", done], rest.notes, WRONG if rest.notes else DONE)


def _changes(redone: Redo) -> list[str]:
    number = redone.draft.number
    if not redone.changes:
        return [f"Resolved again, turn {number} comes out the same."]
    lines = [f"Resolved again, turn {number} comes out otherwise:"]
    for seat, changes in redone.changes.items():
        lines += ["", f"{seat}:"]
        lines += _paragraphs(changes)
    return lines


def run_correct(args: Namespace) -> Said:
    """Show how history would change from an earlier turn on. Only with --yes it writes the GM's orders of the coming turn."""
    from kingdom.campaign import corrections

    campaign = campaign_of(args)
    if not args.yes:
        corrected = corrections.correct(campaign, args.turn)
        again = ["", "Nothing is filed yet: `kingdom correct --yes` files these orders."] if corrected.orders else []
        return Said([*_lines(corrected), *again])
    with lock.held(campaign.folder, "correct"):
        journal = journal_if_any(campaign)
        corrected = corrections.correct(campaign, args.turn)
        turn = corrected.turn
        if not corrected.orders:
            return Said([*_lines(corrected), "No orders are filed."])
        over = campaigns.over(campaign, turn, campaigns.state_of(campaign, campaigns.kept(campaign)))
        if over:
            raise fault("game_over", campaign.folder, turn=turn, reason=over)
        file, data = corrections.with_correction(campaign, turn, corrected.first, corrected.orders)
        corrections.write(file, data)
        filed = f"They are filed in {file}, before what the GM has filed there."
        rest = Afterwards(f"The correction is filed in {file}.", args.debug)
        if journal is not None:
            from kingdom.campaign import clock
            from kingdom.mail.incoming import filing

            # the file counts as written by hand now, so only later mails of the GM replace it
            with rest.step(
                "The journal of the mail could not note it", "The next `kingdom run` does, before it takes mail in."
            ):
                filing.standing(campaign, journal, GM, turn, clock.now())
    return Said([*_lines(corrected), "", filed], rest.notes, WRONG if rest.notes else DONE)


def _lines(corrected: Corrected) -> Iterator[str]:
    """Yield lines on how the books of each turn would change, what each seat would have today, and the GM's orders for it."""
    first, last = corrected.first, corrected.turn - 1
    turns = f"turn {first} comes" if first == last else f"turns {first} to {last} come"
    if not corrected.turns and not corrected.differs:
        yield f"Run again, {turns} out the same: nothing is to be corrected."
        return
    yield from terminal.paragraph(
        f"Run again with today's rules and the orders that are filed there now, {turns} out otherwise."
    )
    for turn, seats in corrected.turns.items():
        for seat, changes in seats.items():
            yield from ("", f"Turn {turn}, {seat}:")
            yield from _paragraphs(changes)
    if not corrected.differs:
        yield from ("", "Today everybody has the same all the same.")
        return
    for seat, sheet in corrected.today.items():
        if sheet != corrected.right[seat]:
            yield from ("", f"Today {seat} has, and would have:", *terminal.beside(sheet, corrected.right[seat]))
    if corrected.orders:
        from kingdom.orders import yaml_out

        yield from ("", f"Orders of the GM that book it in turn {corrected.turn}:")
        yield from (f"  - {yaml_out.flow(order)}" for order in corrected.orders)
    else:
        yield from ("", "No order of the GM can book it.")
    if corrected.lent:
        from kingdom.orders import yaml_out

        yield from (
            "",
            "What an event or a turn only lends is not in them. If you want to book it for good, add to your orders:",
        )
        yield from (f"  - {yaml_out.flow(order)}" for order in corrected.lent)
    if corrected.left:
        yield from ("", "What stays as it is, since no order of the GM makes it so:")
        for seat, lines in corrected.left.items():
            yield from _paragraphs(f"{seat}: {line}" for line in lines)


def _paragraphs(texts: Iterable[str]) -> Iterator[str]:
    return (line for text in texts for line in terminal.paragraph(text, 2))
