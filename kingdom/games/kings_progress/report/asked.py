"""What the next turn asks of a seat: each decision with what may be chosen."""

from __future__ import annotations

from collections.abc import Callable

from kingdom.games.kings_progress.orders import KEYS
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import (
    CITY,
    CITY_VETO,
    INVESTMENT,
    INVESTMENT_VETO,
    PROGRESS,
    Kingdom,
    Table,
    clockwise,
    open_city,
)  # fmt: skip
from kingdom.games.kings_progress.steps.choices import choices
from kingdom.games.kings_progress.steps.gm import WORDS
from kingdom.games.kings_progress.steps.rounds import due
from kingdom.games.kings_progress.steps.shared import joined


def asked(table: Table, seat: str, rules: Rules) -> list[dict[str, str]]:
    """What the seat decides in the next turn: the order's key, its name and what may be chosen; nothing where it decides nothing."""
    mine = [phase for phase, seats in choices(table, rules).items() if seat in seats]
    return [
        {"key": KEYS[phase], "name": titled(WORDS[phase]), "text": _SAID[phase](table, seat, rules)} for phase in mine
    ]


def titled(words: str) -> str:
    """Words as a heading: only their first letter is another."""
    return words[:1].upper() + words[1:]


def waits(table: Table, seat: str, rules: Rules) -> str:
    """Who decides what where this seat decides nothing."""
    said = [
        f"{joined(seats)} decide{'s' if len(seats) == 1 else ''} {WORDS[phase]}"
        for phase, seats in choices(table, rules).items()
    ]
    return f"Nothing of yours is decided in the next turn: {joined(said, none='nobody has a choice')}. You need not send orders."


def free_for(table: Table, seat: str, rules: Rules, phase: str) -> list[str]:
    """The kingdoms in which a piece may still go in that phase, before any of its seats has decided; the own one first."""
    window = due(table, rules)
    seats = clockwise(table, seat)
    if phase == CITY:
        return [each for each in seats if len(table.kingdoms[each].cities) < table.round]
    return [each for each in seats if CITY in window or open_city(table.kingdoms[each])]


def _city(table: Table, seat: str, rules: Rules) -> str:
    mine, free = table.kingdoms[seat], free_for(table, seat, rules, CITY)
    return (
        f"Place one of your tiles {joined(mine.tiles)} in a kingdom that has no city of this round: {joined(free)}. "
        f"{_in_order(table, seat, CITY, rules)}"
    )


def _invest(table: Table, seat: str, rules: Rules) -> str:
    mine, free = table.kingdoms[seat], free_for(table, seat, rules, INVESTMENT)
    return (
        f"Place one of your coins {joined(mine.coins)} face down in a kingdom without an investment of this round: {joined(free)}. "
        f"{_in_order(table, seat, INVESTMENT, rules)}"
    )


def _in_order(table: Table, seat: str, phase: str, rules: Rules) -> str:
    before = due(table, rules)[phase]
    ahead = before[: before.index(seat)]
    return (
        f"Before you: {joined(ahead)}; name an alternative for each kingdom." if ahead else "Nobody comes before you."
    )


def vetoable(mine: Kingdom, rules: Rules, coins: bool = False) -> list[int]:
    """The numbers of the cities that may be vetoed now; coins: of those that have one."""
    least = 1 if rules.where_vetoes.left_cities else mine.king + 1
    cities = enumerate(mine.cities, 1)
    return [
        number
        for number, city in cities
        if number != mine.king and number >= least and (not coins or city.coin is not None)
    ]


def _city_veto(table: Table, seat: str, rules: Rules) -> str:
    mine, coming = table.kingdoms[seat], CITY in due(table, rules)
    where = (
        "any city of yours where the King is not, the newest included,"
        if coming
        else f"city {joined(vetoable(mine, rules), by='or')}"
    )
    return f"You may replace the tile of {where} by one of your reserve, for one of your {mine.vetoes} vetoes."


def _investment_veto(table: Table, seat: str, rules: Rules) -> str:
    mine, coming = table.kingdoms[seat], INVESTMENT in due(table, rules)
    where = (
        "any city of yours where the King is not, the newest included,"
        if coming
        else f"city {joined(vetoable(mine, rules, True), by='or')}"
    )
    return f"You may look at the coin of {where} and must then replace it by one of your reserve, for one of your {mine.vetoes} vetoes."


def _progress(table: Table, seat: str, rules: Rules) -> str:
    mine = table.kingdoms[seat]
    return (
        f"Your King moves from city {mine.king} to city {mine.king + 1}, or stays for one of your {mine.vetoes} vetoes."
    )


_SAID: dict[str, Callable[[Table, str, Rules], str]] = {
    CITY: _city, CITY_VETO: _city_veto, INVESTMENT: _invest, INVESTMENT_VETO: _investment_veto, PROGRESS: _progress,
}  # fmt: skip
