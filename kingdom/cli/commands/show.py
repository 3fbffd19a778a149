"""kingdom show, map, form: a kingdom's sheet, the map, and the order forms."""

from __future__ import annotations

import re
from argparse import Namespace
from pathlib import Path

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import output, store
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import writing
from kingdom.cli.commands import USAGE, Said, as_json, campaign_of, prove_seats, seat_of
from kingdom.engine.step import AnyState

_ENDINGS = (".txt", ".svg", ".png")
_WIDTH = 1600  # pixels, of a PNG
_BEGINNING = len("The map")  # the first words of the title of a text map
_SVG = rb'<svg xmlns="http://www\.w3\.org/2000/svg"[^>]* role="img"'
_PNG = re.escape(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + _WIDTH.to_bytes(4, "big"))
_FORM = rb".*<title>Orders of [^<]* for turn \d+ - "
FORMS = "forms"  # the folder for all forms, if no other is named


def run_show(args: Namespace) -> Said:
    """Print the sheet of one kingdom, or of all, as text or as JSON (an object, or a list of all)."""
    from kingdom.render import terminal

    campaign = campaign_of(args)
    turn = campaigns.kept(campaign, args.turn)
    state, rules = campaigns.state_of(campaign, turn), campaigns.rules_of(campaign, turn).rules
    seats = [seat_of(campaign, args.kingdom)] if args.kingdom else turn.record.seats
    sheets = [campaign.game.sheet(state, seat, rules) for seat in seats]
    if args.json:
        return as_json(sheets[0] if args.kingdom else sheets)
    lines = [line for sheet in sheets for line in ["", *terminal.sheet(sheet)]]
    return Said(lines[1:])


def run_map(args: Namespace) -> Said:
    """Print or write the map; before turn 0 the map as it will be."""
    ending = Path(args.to).suffix.lower() if args.to else ".txt"
    if ending not in _ENDINGS:
        return Said(
            notes=[f"kingdom map: {args.to}: name a file that ends with {', '.join(_ENDINGS[:-1])} or {_ENDINGS[-1]}."],
            code=USAGE,
        )
    campaign = campaign_of(args)
    seat = seat_of(campaign, args.seat) if args.seat else None
    if ending != ".txt" and campaign.game.picture is None:
        return Said(
            notes=[f"kingdom map: {args.to}: {campaign.game.name} has no picture; name a file that ends with .txt."],
            code=USAGE,
        )
    state, rules = _newest(campaign)
    if args.to is None:
        return Said(campaign.game.draw(state, seat, rules).rstrip("\n").split("\n"))
    if ending == ".txt" or campaign.game.picture is None:
        data = campaign.game.draw(state, seat, rules).encode()
    else:
        svg = campaign.game.picture(state, seat, rules)
        data = svg.encode()
        if ending == ".png":
            from kingdom.render import pictures

            data = pictures.png(svg, _WIDTH)
    begin = {".svg": _SVG, ".png": _PNG}
    is_own = output.begins(begin[ending]) if ending in begin else output.begins_like(data, _BEGINNING)
    output.put(Path(args.to), data, is_own, args.force, private=seat is None)
    return Said([f"The map is in {args.to}."])


def _newest(campaign: Campaign) -> tuple[AnyState, object]:
    """Return the newest state and its rules; before turn 0 those of turn 0."""
    if campaigns.newest(campaign) < 0:
        from kingdom.campaign import next_turn

        today = campaigns.rules_today(campaign)
        return next_turn.opening_draft(campaign, today).result.after, today.rules
    turn = campaigns.kept(campaign)
    return campaigns.state_of(campaign, turn), campaigns.rules_of(campaign, turn).rules


def run_form(args: Namespace) -> Said:
    """Write the order form of one kingdom into a file, or one for each kingdom into a folder."""
    from kingdom.campaign import campaign as campaigns
    from kingdom.campaign import clock
    from kingdom.mail.journal import journal_of
    from kingdom.mail.outgoing import deadlines
    from kingdom.mail.outgoing.reporting import form_page, form_pages, of_another
    from kingdom.render.ascii_pages import as_ascii

    campaign, now = campaign_of(args), clock.now()
    prove_seats(campaign)
    journal, turn = journal_of(campaign, now), max(campaigns.newest(campaign), 0) + 1
    hidden = {seat: of_another(campaign, journal, seat, turn) for seat in campaign.seats}
    due = {seat: deadlines.due_words(campaign, journal, seat, turn, now) for seat in campaign.seats}
    is_form = output.begins(_FORM)
    if args.kingdom:
        seat = seat_of(campaign, args.kingdom)
        file = Path(args.to or f"{seat}.html")
        folder, files = file.parent, {file: form_page(campaign, seat, due[seat], hidden[seat])}
        said = f"The order form of {seat} is in {file}."
    else:
        folder = Path(args.to or FORMS)
        made = form_pages(campaign, due=due, hidden=hidden)
        files = {folder / f"{seat}.html": page for seat, page in made.items()}
        said = f"{len(made)} order forms are in {folder}."
    for file in files:
        output.prove(file, is_form, args.force)
    with writing(folder):
        store.make_folder(folder)
    for file, page in files.items():
        output.put(file, as_ascii(page), is_form, args.force, private=True)
    return Said([said])
