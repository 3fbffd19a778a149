"""The end of a campaign, as all are told: the final standings, the seed of all dice, and the whole map or board."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import asdict

from kingdom.campaign import publicity
from kingdom.campaign.campaign import Campaign, Place
from kingdom.campaign.settings import PRIVATE, TOLD_AT_END
from kingdom.engine.standings import Standing, standings
from kingdom.engine.step import AnyState, Facts

_ORDERS = "What you write in orders, messages and requests too, is told to all when the campaign ends: its archive has every order."
_LETTERS = {
    PRIVATE: "Letters by mail are not in it: they stay between you and their readers.",
    TOLD_AT_END: "The letters that players and the GM send by mail are told then too.",
}


def of_what_is_written(campaign: Campaign) -> str:
    """Return sentences for a player: what becomes of orders and letters at the end, and what all the world may read before."""
    of_letters, now = _LETTERS[campaign.settings.letters], campaign.settings.publish
    if publicity.wanted(now).level == publicity.NOTHING:
        return f"{_ORDERS} {of_letters}"
    of_page = publicity.in_words(campaign.game, now)
    return f"{_ORDERS} {of_letters} {of_page[0].upper()}{of_page[1:]}"


def word_for_what_is_written(campaign: Place) -> str:
    """Return a word that is another one where `of_what_is_written` says something else: `letters`, and what a public page shows."""
    page = publicity.wanted(campaign.settings.publish)
    shown = [page.level] if page.level != publicity.NOTHING else []
    late = [str(page.delay)] if page.shows(publicity.MAP) else []
    return "-".join([campaign.settings.letters, *shown, *late])


def facts(campaign: Campaign, turn: int, state: AnyState, rules: object, why: str) -> Facts:
    """Return plain data for a template. why: why the campaign is over after that turn, "" if it goes on: then there is none.

    winner: a sentence. standings: the seats by rank, each with its `figures` in the order of `counts`, the names of the accounts that count.
    map: the lines of the whole map. picture: the same as SVG, "" if the game draws none.
    """
    if not why:
        return {}
    game = campaign.game
    counts = campaign.settings.ends.counts or game.scoring.counts
    rows = standings(game, state, rules, counts)
    return {
        "why": why,
        "turn": turn,
        "winner": _winner(rows, counts[0], game.scoring.unit or named(counts[0]).lower()) if counts and rows else "",
        "counts": [named(account) for account in counts],
        "standings": [{**asdict(row), "figures": [row.figures[account] for account in counts]} for row in rows],
        "seed": campaign.settings.every_seed,
        "map": game.draw(state, None, rules).rstrip("\n").split("\n"),
        "picture": game.picture(state, None, rules) if game.picture else "",
    }


def _winner(rows: Sequence[Standing], account: str, unit: str) -> str:
    """Say who won, and by how much; who played alone only ends with it."""
    first = [row.name for row in rows if row.place == 1]
    figure = f"{rows[0].figures[account]} {unit}"
    if len(rows) == 1:
        return f"{first[0]} ends with {figure}."
    if len(first) == 1:
        return f"{first[0]} wins with {figure}."
    return f"{', '.join(first[:-1])} and {first[-1]} share the first place, with {figure}."


def named(account: str) -> str:
    """Return an account's name for a person: "control_dc" becomes "Control dc"."""
    return account.replace("_", " ").capitalize()
