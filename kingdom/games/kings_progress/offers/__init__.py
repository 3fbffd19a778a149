"""What a seat may order next: the one list that forms, reports, bots and random play draw on.

Not listed, since there is no end of them: orders with a condition (`if`, `veto_if`), orders for a city that is still to be
placed, the further values of `swap`, and messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from kingdom.engine.dice import NoDice
from kingdom.engine.offer import LIST, ONE, Offer
from kingdom.engine.step import Orders, Play
from kingdom.engine.turn import resolve
from kingdom.games.kings_progress.orders import DEFAULT, KEYS
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import CITY, CITY_VETO, INVESTMENT, INVESTMENT_VETO, PROGRESS, VETOES, Table
from kingdom.games.kings_progress.steps import accounts
from kingdom.games.kings_progress.steps.placing import COIN, TILE, Piece, free_kingdoms
from kingdom.games.kings_progress.steps.rounds import due
from kingdom.games.kings_progress.steps.vetoes import city_problem, coin_problem, progress_problem, vetoable
from kingdom.games.kings_progress.turn import MODULES, PHASES
from kingdom.games.kit.declared import merged
from kingdom.games.kit.forms import FINAL

VETO = {"vetoes": 1}  # the price of a veto
CITY_VETOES, COIN_VETOES, KINGS = (
    {"city veto": 1},
    {"investment veto": 1},
    {"progress": 1},
)  # what can be used once a turn
_PLAY = Play(PHASES, merged(MODULES, "REFUSALS"), lambda table: table.kingdoms, accounts)


def offers(known: Table, seat: str, rules: Rules, orders: Orders) -> list[Offer]:
    """What the seat may order in the next turn besides these orders: of each phase as the table will lie after those before it."""
    found: list[Offer] = []
    window = [phase for phase, seats in due(known, rules).items() if seat in seats]
    table = known
    for phase, before in zip(window, ("", *window), strict=False):
        if before:
            table = resolve(_PLAY, known, {seat: orders}, NoDice(), rules, until=before).after
        found += offers_of(table, seat, rules, phase)
    return [*found, FINAL]


def offers_of(table: Table, seat: str, rules: Rules, phase: str) -> list[Offer]:
    """What the seat may order in that phase, which is played in the next turn, as the table lies."""
    return _OFFERS[phase](table, seat, rules)


def by_phase(table: Table, seat: str, rules: Rules) -> dict[str, list[Offer]]:
    """Phase -> what the seat may order in it as the table lies, for the phases in which it has a choice."""
    mine = [phase for phase, seats in choices(table, rules).items() if seat in seats]
    return {phase: offers_of(table, seat, rules, phase) for phase in mine}


def kingdoms_in(placements: Iterable[Offer]) -> list[str]:
    """The kingdoms of these placements, each once."""
    return list(dict.fromkeys(offer.order["kingdom"] for offer in placements))


def cities_in(vetoes: Iterable[Offer]) -> list[int]:
    """The cities of these vetoes, each once."""
    return list(dict.fromkeys(offer.order["city"] for offer in vetoes))


def choices(table: Table, rules: Rules) -> dict[str, list[str]]:
    """Phase -> the seats that have a choice in it in the turn after this state, in their order; only phases with any."""
    found = {
        phase: [seat for seat in seats if _chooses(table, seat, phase, rules)]
        for phase, seats in due(table, rules).items()
    }
    return {phase: seats for phase, seats in found.items() if seats}


def asked(table: Table, rules: Rules) -> set[str]:
    """The seats whose orders the turn after this state is for: not who has no veto left, nobody where a King's move is no choice."""
    return {seat for seats in choices(table, rules).values() for seat in seats}


def _chooses(table: Table, seat: str, phase: str, rules: Rules) -> bool:
    kingdom = table.kingdoms[seat]
    if phase == PROGRESS:
        return progress_problem(table.round, kingdom, rules) is None
    return phase not in VETOES or kingdom.vetoes > 0


# --- phase by phase


def placements(table: Table, seat: str, phase: str) -> dict[str, list[int]]:
    """Kingdom that has no piece of this round -> the pieces of the seat's reserve, the best first."""
    mine = table.kingdoms[seat]
    values = sorted(set(mine.tiles if phase == CITY else mine.coins), reverse=True)
    return dict.fromkeys(free_kingdoms(table, seat, phase), values)


def _cities(table: Table, seat: str, rules: Rules) -> list[Offer]:
    return _placed(table, seat, CITY, TILE)


def _investments(table: Table, seat: str, rules: Rules) -> list[Offer]:
    return _placed(table, seat, INVESTMENT, COIN)


def _placed(table: Table, seat: str, phase: str, piece: Piece) -> list[Offer]:
    """Each of the placements; several are alternatives."""
    word, effect = piece.word, {f"{piece.word}s": -1}
    return [
        Offer(
            f"{word} {value} in {kingdom}", KEYS[phase], LIST, {"kingdom": kingdom, word: value}, f"{value} in {kingdom}",
            f"Place {word} {value} in {kingdom}", effect=effect, uses={f"{word} {kingdom}": 1},
        )
        for kingdom, values in placements(table, seat, phase).items()
        for value in values
    ]  # fmt: skip


def _city_vetoes(table: Table, seat: str, rules: Rules) -> list[Offer]:
    mine = table.kingdoms[seat]
    return [
        Offer(
            f"veto {number} with {value}", KEYS[CITY_VETO], LIST, {"city": number, "replace_with": value},
            f"{number} with {value}", f"Replace tile {mine.cities[number - 1].tile} of city {number} by tile {value}",
            VETO, {"vetoes": -1}, CITY_VETOES,
        )
        for number in vetoable(mine, rules)
        for value in sorted(set(mine.tiles), reverse=True)
        if city_problem(mine, seat, number, value, rules) is None
    ]  # fmt: skip


def _coin_vetoes(table: Table, seat: str, rules: Rules) -> list[Offer]:
    """Where the investments are still to come, the newest city has a coin by then."""
    mine, coming = table.kingdoms[seat], INVESTMENT in due(table, rules)
    return [
        Offer(
            f"look {number} for {value}", KEYS[INVESTMENT_VETO], ONE, {"city": number, "swap": {DEFAULT: value}}, "",
            f"Look at the coin of city {number} and replace it by coin {value}",
            VETO, {"vetoes": -1}, COIN_VETOES,
        )
        for number in vetoable(mine, rules)
        if coming or mine.cities[number - 1].coin is not None
        if coin_problem(mine, seat, number, rules) is None
        for value in sorted(set(mine.coins), reverse=True)
    ]  # fmt: skip


def _progress(table: Table, seat: str, rules: Rules) -> list[Offer]:
    key = KEYS[PROGRESS]
    moves = Offer("move", key, ONE, {"move": ""}, "move", "The King moves", effect={"king": 1}, uses=KINGS)
    if progress_problem(table.round, table.kingdoms[seat], rules):
        return [moves]
    stays = Offer("stay", key, ONE, {"veto": ""}, "veto", "The King stays", VETO, {"vetoes": -1}, KINGS)
    return [stays, moves]


_OFFERS: dict[str, Callable[[Table, str, Rules], list[Offer]]] = {
    CITY: _cities,
    CITY_VETO: _city_vetoes,
    INVESTMENT: _investments,
    INVESTMENT_VETO: _coin_vetoes,
    PROGRESS: _progress,
}
