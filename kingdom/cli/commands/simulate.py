"""kingdom simulate: bots play whole campaigns, for testing rules and balance."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from kingdom.books import occurrences, simulation
from kingdom.campaign import campaign as campaigns
from kingdom.campaign.errors import fault
from kingdom.cli.commands import Said
from kingdom.engine import game as games
from kingdom.engine.problems import cure
from kingdom.orders import tables
from kingdom.render import terminal
from kingdom.render.progress import Told

EVERY = 10  # campaigns between two lines that say how far it is


class Args(Protocol):
    """What is typed behind `kingdom simulate`."""

    campaign: str | None
    game: str
    turns: int
    games: int
    seed: str | None
    told: Told


def run(args: Args) -> Said:
    """What occurred how often, by vocabulary, and what never did. Lines come as campaigns are done; nothing is kept."""
    if args.game not in games.names():
        raise fault("no_game", Path("."), word=args.game, cure=cure(args.game, games.names())[0])
    if args.campaign:
        campaign = campaigns.open_campaign(Path(args.campaign))
        ground, rules = simulation.Ground(campaign.game.name, campaign.folder), campaigns.rules_to_come(campaign).rules
    else:
        ground, rules = simulation.Ground(args.game), tables.load(games.load(args.game)).rules
    return Said(_lines(ground, args.games, args.turns, args.seed or secrets.token_hex(8), rules, args.told))


def _lines(ground: simulation.Ground, count: int, turns: int, seed: str, rules: object, told: Told) -> Iterator[str]:
    yield f"{count} campaign{'s' if count > 1 else ''} of {turns} turns, seed {seed}."
    counts: occurrences.Counts = Counter()
    told("campaigns are played", 0, count)
    for number, each in enumerate(simulation.simulate(ground, count, turns, seed), 1):
        counts.update(each)
        told("campaigns are played", number, count)
        if number % EVERY == 0 and number < count:
            yield f"{number} are done."
    words = occurrences.vocabularies(games.load(ground.game), rules)
    missing = occurrences.never(counts, words)
    for name, known in words.items():
        rows = [[word, str(counts[name, word])] for word in known if counts[name, word]]
        if rows:
            yield from ["", *terminal.table([name, "times"], rows, numbers=(1,))]
    yield ""
    yield "All campaigns came to their end, and every book balanced after every step."
    for name, left in missing.items():
        yield from terminal.listed(f"never occurred: {name}:", left)
    if not missing:
        yield "Every word of these lists occurred."
