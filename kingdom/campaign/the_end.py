"""The end of a campaign, as all are told: the final standings, the seed of all dice, and the whole map or board."""

from __future__ import annotations

from kingdom.campaign.campaign import Campaign
from kingdom.engine.standings import standings
from kingdom.engine.step import AnyState, Facts


def facts(campaign: Campaign, turn: int, state: AnyState, rules: object, why: str) -> Facts:
    """Return plain data for a template. why: why the campaign is over after that turn.

    standings: the seats by rank, each with its `figures` in the order of `counts`, the names of the accounts that count.
    map: the lines of the whole map. picture: the same as SVG, "" if the game draws none.
    """
    game = campaign.game
    counts = campaign.settings.ends.counts or game.scoring.counts
    rows = standings(game, state, rules, counts)
    return {
        "why": why,
        "turn": turn,
        "counts": [named(account) for account in counts],
        "standings": [
            {
                "place": row.place,
                "seat": row.seat,
                "name": row.name,
                "figures": [row.figures[account] for account in counts],
                "out": row.out,
            }
            for row in rows
        ],
        "seed": campaign.settings.every_seed,
        "map": game.draw(state, None, rules).rstrip("\n").split("\n"),
        "picture": game.picture(state, None, rules) if game.picture else "",
    }


def named(account: str) -> str:
    """Return an account's name for a person: "control_dc" becomes "Control dc"."""
    return account.replace("_", " ").capitalize()
