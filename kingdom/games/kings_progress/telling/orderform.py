"""The order form of the next turn: valid orders as they stand, and an example of each order behind a #."""

from __future__ import annotations

from typing import Iterator

from kingdom.games.kings_progress.known import known
from kingdom.games.kings_progress.rounds import due
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import CITY, CITY_VETO, INVESTMENT, INVESTMENT_VETO, PROGRESS, Table
from kingdom.games.kings_progress.telling.asked import asked, free_for, waits
from kingdom.plaintext import wrap


def form_of(table: Table, seat: str, rules: Rules) -> list[str]:
    """The lines behind the head (`kingdom`, `turn`)."""
    seen = known(table, seat, rules)
    wanted = {each["key"]: each["text"] for each in asked(seen, seat, rules)}
    if not wanted:
        return _remark(waits(seen, seat, rules))
    lines: list[str] = []
    for phase, key, examples in _examples(seen, seat, rules):
        if key in wanted:
            lines += [*_remark(wanted[key]), *(f"#{key}: {example}" for example in examples)]
    return [*lines, '#messages: {all: "..."}', "#final: true"]


def _remark(text: str) -> list[str]:
    return wrap(text, 2, first="# ").replace("\n ", "\n#").split("\n")


def _examples(table: Table, seat: str, rules: Rules) -> Iterator[tuple[str, str, list[str]]]:
    """(phase, key, one or two ways to write the order) of all phases; where there are two, one of them may stand."""
    mine, conditional = table.kingdoms[seat], len(due(table, rules)) > 2  # so much lies ahead that an order may hang on it
    best, least = (mine.tiles or (0,))[-1], (mine.tiles or (0,))[0]
    yield CITY, "city", [", ".join(f"{best if each == seat else least} in {each}" for each in free_for(table, seat, rules, CITY))]
    yield CITY_VETO, "city_veto", [f"newest with {best}", f"[{{if: {{city: newest, tile_max: 1}}, replace_with: {best}}}]  # or: on a condition"]
    coin, low = (mine.coins or (0,))[-1], (mine.coins or (0,))[0]
    free = free_for(table, seat, rules, INVESTMENT)
    plain = [", ".join(f"{coin if each == seat else low} in {each}" for each in free)]
    rest = "".join(f", {{kingdom: {each}, coin: {low}}}" for each in free[1:])
    hangs = f"[{{kingdom: {seat}, coin: {coin}, if: {{tile_min: 3}}}}{rest}, {{kingdom: {seat}, coin: {low}}}]  # or: on a condition"
    yield INVESTMENT, "invest", [*plain, hangs] if conditional and free[:1] == [seat] else plain
    number = next((each for each, city in enumerate(mine.cities, 1) if each != mine.king and city.coin is not None), "newest")
    yield INVESTMENT_VETO, "investment_veto", [
        f"{{city: {number}, swap: {{0: {coin}, 1: {coin}, default: {low}}}}}  # value seen: coin put in",
        f"{{city: {{newest_if_tile_min: 4}}, swap: {{default: {coin}}}}}  # or: on a condition",
    ]
    yield PROGRESS, "progress", ["veto", "{veto_if: {next_tile_max: 1}}  # or: on a condition"]
