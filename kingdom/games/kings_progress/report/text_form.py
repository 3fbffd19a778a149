"""The order form of the next turn: valid orders as they stand, and an example of each order behind a #."""

from __future__ import annotations

from collections.abc import Iterator

from kingdom.games.kings_progress.report.asked import asked, free_for, vetoable, waits
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import CITY, INVESTMENT, Table
from kingdom.games.kings_progress.steps.rounds import due
from kingdom.games.kings_progress.visibility import known
from kingdom.render.plain_text import wrap

OR = "# or, on a condition:"


def form_of(table: Table, seat: str, rules: Rules) -> list[str]:
    """The lines behind the head (`kingdom`, `turn`)."""
    seen = known(table, seat, rules)
    wanted = {each["key"]: each["text"] for each in asked(seen, seat, rules)}
    if not wanted:
        return _remark(waits(seen, seat, rules))
    lines: list[str] = []
    for key, examples in _examples(seen, seat, rules):
        if key in wanted:
            lines += [*_remark(wanted[key]), *examples]
    return [*lines, '#messages: {all: "..."}', "#final: true"]


def _remark(text: str) -> list[str]:
    return wrap(text, 2, first="# ").replace("\n ", "\n#").split("\n")


def _examples(table: Table, seat: str, rules: Rules) -> Iterator[tuple[str, list[str]]]:
    """(key, lines: the order as it may be written, and another way with a condition) of all phases."""
    mine = table.kingdoms[seat]
    high, low = (mine.tiles or (0,))[-1], (mine.tiles or (0,))[0]
    yield (
        "city",
        [
            "#city: "
            + ", ".join(f"{high if each == seat else low} in {each}" for each in free_for(table, seat, rules, CITY))
        ],
    )
    yield (
        "city_veto",
        [
            f"#city_veto: newest with {high}",
            OR,
            f"#city_veto: [{{if: {{city: newest, tile_max: 1}}, replace_with: {high}}}]",
        ],
    )
    high, low = (mine.coins or (0,))[-1], (mine.coins or (0,))[0]
    free = free_for(table, seat, rules, INVESTMENT)
    yield (
        "invest",
        [
            "#invest: " + ", ".join(f"{high if each == seat else low} in {each}" for each in free),
            *_if_high(table, seat, rules),
        ],
    )
    number = next(iter(vetoable(mine, rules, coins=True)), "newest")
    yield (
        "investment_veto",
        [
            "# value that is seen: coin that goes in",
            f"#investment_veto: {{city: {number}, swap: {{0: {high}, 1: {high}, default: {low}}}}}",
            OR,
            f"#investment_veto: {{city: {{newest_if_tile_min: 4}}, swap: {{default: {high}}}}}",
        ],
    )
    yield "progress", ["#progress: veto", OR, "#progress: {veto_if: {next_tile_max: 1}}"]


def _if_high(table: Table, seat: str, rules: Rules) -> list[str]:
    """An investment that hangs on the own newest city, where that is not placed yet."""
    if CITY not in due(table, rules):
        return []
    high = table.kingdoms[seat].coins[-1]
    return [
        "# or, on a condition, with alternatives behind it:",
        f"#invest: [{{kingdom: {seat}, coin: {high}, if: {{tile_min: 3}}}}]",
    ]
