"""What the next turn asks of a seat, and the order form with it: valid orders as they stand, an example of each order behind a #."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kingdom.engine.offer import Offer
from kingdom.games.kings_progress.offers import by_phase, choices, cities_in, kingdoms_in
from kingdom.games.kings_progress.orders import KEYS, NEWEST
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import CITY, CITY_VETO, INVESTMENT, INVESTMENT_VETO, PROGRESS, Table
from kingdom.games.kings_progress.steps import joined
from kingdom.games.kings_progress.steps.gm import WORDS
from kingdom.games.kings_progress.steps.rounds import due
from kingdom.games.kings_progress.visibility import known
from kingdom.render.plain_text import wrap

OR = "# or, on a condition:"


def asked(table: Table, seat: str, rules: Rules) -> list[dict[str, str]]:
    """What the seat decides in the next turn: the order's key, its name and what may be chosen; nothing where it decides nothing."""
    return [asked_in(phase, offers, table, seat, rules) for phase, offers in by_phase(table, seat, rules).items()]


def asked_in(phase: str, offers: Sequence[Offer], table: Table, seat: str, rules: Rules) -> dict[str, str]:
    """The same of one phase and what is offered in it."""
    text = _TEXTS[phase](table, seat, rules, offers)
    return {"key": KEYS[phase], "name": titled(WORDS[phase]), "text": text}


def titled(words: str) -> str:
    """Words as a heading: only their first letter is another."""
    return words[:1].upper() + words[1:]


def waits(table: Table, seat: str, rules: Rules) -> str:
    """Who decides what where this seat decides nothing."""
    others = [
        f"{joined(seats)} decide{'s' if len(seats) == 1 else ''} {WORDS[phase]}"
        for phase, seats in choices(table, rules).items()
    ]
    return f"Nothing of yours is decided in the next turn: {joined(others, none='nobody has a choice')}. You need not send orders."


def _city(table: Table, seat: str, rules: Rules, offers: Sequence[Offer]) -> str:
    free = kingdoms_in(offers)
    return (
        f"Place one of your tiles {joined(table.kingdoms[seat].tiles)} in a kingdom that has no city of this round: "
        f"{joined(free)}. {_in_order(table, seat, CITY, rules)}"
    )


def _invest(table: Table, seat: str, rules: Rules, offers: Sequence[Offer]) -> str:
    free = kingdoms_in(offers)
    return (
        f"Place one of your coins {joined(table.kingdoms[seat].coins)} face down in a kingdom without an investment of "
        f"this round: {joined(free)}. {_in_order(table, seat, INVESTMENT, rules)}"
    )


def _in_order(table: Table, seat: str, phase: str, rules: Rules) -> str:
    before = due(table, rules)[phase]
    ahead = before[: before.index(seat)]
    return (
        f"Before you: {joined(ahead)}; name an alternative for each kingdom." if ahead else "Nobody comes before you."
    )


def _city_veto(table: Table, seat: str, rules: Rules, offers: Sequence[Offer]) -> str:
    where = _where(CITY in due(table, rules), cities_in(offers))
    vetoes = table.kingdoms[seat].vetoes
    return f"You may replace the tile of {where} by one of your reserve, for one of your {vetoes} vetoes."


def _investment_veto(table: Table, seat: str, rules: Rules, offers: Sequence[Offer]) -> str:
    where = _where(INVESTMENT in due(table, rules), cities_in(offers))
    vetoes = table.kingdoms[seat].vetoes
    return f"You may look at the coin of {where} and must then replace it by one of your reserve, for one of your {vetoes} vetoes."


def _where(coming: bool, cities: list[int]) -> str:
    """The cities that may be vetoed. coming: the newest one gets its piece in the same turn."""
    if coming:
        return "any city of yours where the King is not, the newest included,"
    return f"city {joined(cities, by='or')}"


def _progress(table: Table, seat: str, rules: Rules, offers: Sequence[Offer]) -> str:
    mine = table.kingdoms[seat]
    return (
        f"Your King moves from city {mine.king} to city {mine.king + 1}, or stays for one of your {mine.vetoes} vetoes."
    )


_TEXTS: dict[str, Callable[[Table, str, Rules, Sequence[Offer]], str]] = {
    CITY: _city, CITY_VETO: _city_veto, INVESTMENT: _invest, INVESTMENT_VETO: _investment_veto, PROGRESS: _progress,
}  # fmt: skip


# --- the form


def form_of(table: Table, seat: str, rules: Rules) -> list[str]:
    """The lines behind the head (`kingdom`, `turn`): valid orders as they stand, and an example of each order behind a #."""
    seen = known(table, seat, rules)
    phases = by_phase(seen, seat, rules)
    if not phases:
        return _remark(waits(seen, seat, rules))
    lines: list[str] = []
    for phase, offers in phases.items():
        lines += _remark(asked_in(phase, offers, seen, seat, rules)["text"])
        lines += _EXAMPLES[phase](seen, seat, rules, offers)
    return [*lines, '#messages: {all: "..."}', "#final: true"]


def _remark(text: str) -> list[str]:
    return wrap(text, 2, first="# ").replace("\n ", "\n#").split("\n")


def _example_of_cities(table: Table, seat: str, rules: Rules, offers: Sequence[Offer]) -> list[str]:
    return ["#city: " + _best_and_worst(offers, seat)]


def _best_and_worst(placements: Sequence[Offer], seat: str) -> str:
    """The highest piece for the own kingdom, the lowest for each other one."""
    of = {
        name: [offer.short for offer in placements if offer.order["kingdom"] == name]
        for name in kingdoms_in(placements)
    }
    return ", ".join(shorts[0] if name == seat else shorts[-1] for name, shorts in of.items())


def _example_of_city_vetoes(table: Table, seat: str, rules: Rules, offers: Sequence[Offer]) -> list[str]:
    high = max(table.kingdoms[seat].tiles, default=0)
    return [
        f"#city_veto: {NEWEST} with {high}",
        OR,
        f"#city_veto: [{{if: {{city: {NEWEST}, tile_max: 1}}, replace_with: {high}}}]",
    ]


def _example_of_investments(table: Table, seat: str, rules: Rules, offers: Sequence[Offer]) -> list[str]:
    example = "#invest: " + _best_and_worst(offers, seat)
    if CITY not in due(table, rules):
        return [example]
    high = max(table.kingdoms[seat].coins)  # it hangs on the own newest city, which is not placed yet
    return [
        example,
        "# or, on a condition, with alternatives behind it:",
        f"#invest: [{{kingdom: {seat}, coin: {high}, if: {{tile_min: 3}}}}]",
    ]


def _example_of_coin_vetoes(table: Table, seat: str, rules: Rules, offers: Sequence[Offer]) -> list[str]:
    mine = table.kingdoms[seat]
    high, low = max(mine.coins, default=0), min(mine.coins, default=0)
    cities = cities_in(offers)
    number = next((number for number in cities if mine.cities[number - 1].coin is not None), NEWEST)
    return [
        "# value that is seen: coin that goes in",
        f"#investment_veto: {{city: {number}, swap: {{0: {high}, 1: {high}, default: {low}}}}}",
        OR,
        f"#investment_veto: {{city: {{newest_if_tile_min: 4}}, swap: {{default: {high}}}}}",
    ]


def _example_of_progress(table: Table, seat: str, rules: Rules, offers: Sequence[Offer]) -> list[str]:
    return ["#progress: veto", OR, "#progress: {veto_if: {next_tile_max: 1}}"]


_EXAMPLES: dict[str, Callable[[Table, str, Rules, Sequence[Offer]], list[str]]] = {
    CITY: _example_of_cities, CITY_VETO: _example_of_city_vetoes, INVESTMENT: _example_of_investments,
    INVESTMENT_VETO: _example_of_coin_vetoes, PROGRESS: _example_of_progress,
}  # fmt: skip
