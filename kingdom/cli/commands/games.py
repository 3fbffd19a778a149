"""kingdom games, new, rules, schema: the games, a new campaign, its rules, and the schema of its orders."""

from __future__ import annotations

import os
import shlex
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from kingdom.cli.commands import USAGE, Said, campaign_of, prove_game, seat_of
from kingdom.engine import game as games

if TYPE_CHECKING:
    from kingdom.engine.game import AnyGame
    from kingdom.orders.json_schema import Schema

GITATTRIBUTES = b"* -text\n"  # git must change no line ends, or the digests of turns would not match
_TOKENS = 100  # the fewest tokens made, more than most campaigns have seats


def run_games(args: object) -> Said:
    """List the games, each with its name in campaign.yaml and its title."""
    from kingdom.render.plain_text import left, wrap

    names = games.names()
    indent = max(map(len, names)) + 2
    return Said(
        [line for name in names for line in wrap(games.title(name), indent, first=left(name, indent)).split("\n")]
    )


def run_new(args: Namespace) -> Said:
    """Write a new campaign's folder whole or not at all. The exit code is 2 if no such campaign can be made."""
    import secrets

    from kingdom.campaign import lock, output
    from kingdom.campaign.errors import fault
    from kingdom.campaign.house import new_tokens
    from kingdom.orders import editions

    lock.prove()
    folder = Path(args.folder)
    output.prove_outside_layout(folder)
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise fault("folder_in_use", folder)
    if args.example:
        return _copy_of_an_example(args, args.example, folder)
    prove_game(args.game, folder)
    game = games.load(args.game)
    opening, newest = game.opening, editions.newest(game)
    if args.start and args.start not in opening.starts:
        starts = f"One of {', '.join(opening.starts)} goes with it" if opening.starts else "Leave --start out"
        return Said(notes=[f"`{args.start}` is no start of this game. {starts}."], code=USAGE)
    if args.edition is not None and not 1 <= args.edition <= newest:
        return Said(notes=[f"This game's rules have no edition {args.edition}; the newest is {newest}."], code=USAGE)
    edition = args.edition or newest
    options = {
        "name": folder.resolve().name.replace("_", " ").replace("-", " ").title(),
        "seed": secrets.token_hex(32),
        "tokens": new_tokens(folder, max(_TOKENS, 1 + (args.kingdoms or 0))),
        "size": args.size,
        "bots": args.bots,
        "start": args.start,
        "edition": edition,
    }
    try:
        files = opening.new(args.kingdoms, options)
    except ValueError as wrong:
        return Said(notes=[str(wrong)], code=USAGE)
    _write_campaign(folder, {**{name: text.encode() for name, text in files.items()}, ".gitattributes": GITATTRIBUTES})
    names = f"Put the players' names into campaign.yaml, then type: kingdom turn {shlex.quote(str(folder))}"
    return Said(
        [f"A new campaign is in {folder}.", *_of_its_edition(game, edition), names], notes=_of_the_checkout(folder)
    )


def _of_its_edition(game: AnyGame, edition: int) -> list[str]:
    """Say which edition of the rules a new campaign plays, with a description of it and of the first edition; [] if there is
    only one."""
    if not game.editions:
        return []
    plays = f"It plays edition {edition} of the rules: {game.editions[edition - 1]}."
    first = f"`--edition 1` plays {game.editions[0]}; see `kingdom help edition-{edition}`."
    return [plays, first] if edition > 1 else [plays]


def _copy_of_an_example(args: Namespace, name: str, folder: Path) -> Said:
    """Copy an example campaign as it is, so no option of a new campaign is allowed."""
    from kingdom.campaign import examples
    from kingdom.campaign.errors import fault, writing
    from kingdom.engine.problems import cure

    if name not in examples.names():
        raise fault("no_example", folder, word=name, cure=cure(name, examples.names())[0])
    if args.kingdoms is not None or args.size or args.bots or args.start or args.edition is not None:
        other = "--kingdoms, --size, --bots, --start and --edition"
        return Said(notes=[f"An example is copied as it is. Leave out {other}."], code=USAGE)
    with writing(folder):
        files = examples.files(name)
    _write_campaign(folder, files)
    typed = f"To take its mail in and play what is due, type: kingdom run {shlex.quote(str(folder))}"
    return Said([f"A copy of the example {name} is in {folder}. Everything in it is public, the seed too.", typed])


def _of_the_checkout(folder: Path) -> list[str]:
    """Warn that git can see the campaign's secrets; [] if the folder is in no git checkout."""
    checkout = next((above for above in folder.resolve().parents if (above / ".git").exists()), None)
    if checkout is None:
        return []
    elsewhere = f"~/kingdoms/{folder.resolve().name}"
    return [
        f"{folder} is inside the git checkout {checkout} and holds secrets. A folder outside is safer, such as {elsewhere}."
    ]


def _write_campaign(folder: Path, files: dict[str, bytes]) -> None:
    from kingdom.campaign import modes, store
    from kingdom.campaign.errors import writing

    partial = folder.resolve().with_name(f".{folder.resolve().name}.partial")
    with writing(folder):
        os.makedirs(partial.parent, exist_ok=True)
    with writing(folder), modes.private(partial.parent):
        if partial.exists():  # left over from a killed run
            store.remove([partial])
        store.write(partial, files)
        os.makedirs(partial / "orders" / store.name_of(1), exist_ok=True)
        store.move(partial, folder.resolve())


def run_rules(args: Namespace) -> Said:
    """Print the rules of the next turn, with the campaign's changes marked. Changes from a later turn on are not in them yet.

    For a game without a page of rules it prints the tables.
    """
    from kingdom.campaign import campaign as campaigns
    from kingdom.campaign import output
    from kingdom.orders import tables
    from kingdom.render import reports

    campaign = campaign_of(args)
    today = campaigns.rules_today(campaign)
    own = campaigns.own_rules(campaign)
    text = reports.rules_page(campaign.game, today, campaign.settings.name, own) or tables.dump(today)
    if args.to is None:
        return Said(text.rstrip("\n").split("\n"))
    output.put(Path(args.to), text.encode(), output.begins_like(text.encode(), len("# The rules of ")), args.force)
    return Said([f"The rules are in {args.to}."])


def run_schema(args: Namespace) -> Said:
    """Print the schema of a game's orders; for a campaign with its names, for a seat with the names that the seat knows."""
    from kingdom.campaign import editor_schema, output

    data = editor_schema.text(
        _of_campaign(args.campaign, args.seat) if args.campaign else _of_game(args.game, args.seat)
    )
    if args.to is None:
        return Said(raw=data)
    output.put(Path(args.to), data, output.begins(rb'\{"\$schema":"[^"]*","title":"Orders of '), args.force)
    return Said([f"The schema is in {args.to}."])


def _of_game(name: str, seat: str | None) -> Schema:
    """Return the schema without a campaign: for any player's orders, or for the GM's."""
    from kingdom.orders import tables
    from kingdom.orders.json_schema import any_seats, schema
    from kingdom.orders.orders_file import GM

    prove_game(name, Path("."))
    game = games.load(name)
    return schema(game, any_seats(game.names(tables.load(game).rules)), GM if seat == GM else None)


def _of_campaign(folder: str, seat: str | None) -> Schema:
    from kingdom.campaign import editor_schema
    from kingdom.campaign.campaign import open_campaign
    from kingdom.orders.orders_file import GM

    campaign = open_campaign(Path(folder))
    return editor_schema.of_seat(campaign, seat_of(campaign, seat) if seat and seat != GM else seat)
