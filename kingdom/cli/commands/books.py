"""kingdom explain, export, chronicle: show the books of all turns as sentences, files for other programs, or web pages."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from kingdom.cli.commands import USAGE, Said, as_json, campaign_of, seat_of


def run_explain(args: Namespace) -> Said:
    """Explain an account in sentences, or with --json as JSON."""
    from kingdom.books import explain

    campaign = campaign_of(args)
    number = explain.explain(campaign, seat_of(campaign, args.kingdom), args.account, args.turn, args.back)
    if not args.json:
        return Said(explain.told(number, campaign.game.causes))
    keys = ("phase", "step", "delta", "balance", "cause", "detail")
    return as_json(
        {
            **number._asdict(),
            "entries": [{key: getattr(entry, key) for key in keys} for entry in number.entries],
            "sources": None if number.sources is None else [term._asdict() for term in number.sources],
            "checks": [
                {**check._asdict(), "terms": [term._asdict() for term in check.terms]} for check in number.checks
            ],
            "back": [move._asdict() for move in number.back],
        }
    )


def run_export(args: Namespace) -> Said:
    """Write the books to a file, in the format of its ending. Each of several campaigns gets a file with its folder's name in
    it."""
    from kingdom.books import exports

    campaign, to = campaign_of(args), Path(args.to)
    if args.orders and to.suffix.lower() not in exports.DATABASES:
        return Said(notes=["kingdom export: --orders is for a database, so --to ends in .sqlite."], code=USAGE)
    if args.several:
        to = to.with_name(f"{to.stem}-{campaign.folder.resolve().name}{to.suffix}")
    done = exports.export(campaign, to, args.told, args.orders, args.force)
    entries = f"{done.entries} entr{'y' if done.entries == 1 else 'ies'}"
    return Said([f"{entries} of turns 0 to {done.turns - 1} are in {done.file}."])


def run_chronicle(args: Namespace) -> Said:
    """Write the folder whole or not at all; it replaces an older chronicle of the same campaign."""
    from kingdom.books import chronicle
    from kingdom.mail.incoming.forwarded import forwarded

    campaign, folder = campaign_of(args), Path(args.folder)
    chronicle.write(campaign, folder, args.told, forwarded(campaign))
    return Said(
        [
            f"The chronicle is in {folder}: open {folder / 'index.html'}.",
            "Hand over single folders in it: each player's, and `public`.",
        ]
    )
