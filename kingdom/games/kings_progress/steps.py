"""The steps of a turn around what the orders decide; game.py has the order of all steps, with a reason for each position.

Before it: the GM's grant of vetoes, and the orders that are not for this turn. Behind it: the tax collected, and what comes after the turn.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from kingdom.engine.refusal import Refusal
from kingdom.games.kings_progress.placing import CITIES, INVESTMENTS
from kingdom.games.kings_progress.rounds import due, ends_game, moved_on, order, phases_of
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import HIDDEN, OVER, PLAYED, City, Kingdom, Now, Table, Turn, replace
from kingdom.games.kings_progress.vetoes import CITY_VETOES, INVESTMENT_VETOES, KINGS
from kingdom.games.kit import rulings
from kingdom.games.kit.common_orders import ALL
from kingdom.games.kit.table import booked, clockwise, tell
from kingdom.orders import kit
from kingdom.render.plain_text import joined

ORDERS = CITIES, CITY_VETOES, INVESTMENTS, INVESTMENT_VETOES, KINGS  # in the order of a round
OF_PHASE: dict[str, kit.Order[Table, Rules, Any]] = {order.phase: order for order in ORDERS}
CAUSES = {
    "tax": "the score of a city",
    "unused_vetoes": "vetoes that were not used",
    "new_game": "everything back into the reserves for the second game",
}
REFUSALS = {
    "chancellor_veto_die": "The die of {whose} shows 0 to {most}, and would show {would} (GM orders); give {least} to {room} vetoes.",
    "chancellor_not_now": "This turn decides {now}, so `{key}` is not carried out (ruling pace); send it in the turn that decides {words}.",
    "chancellor_not_due": "This turn is for {seats} to decide {now}, so `{key}` is not carried out (ruling pace); wait for the turn of {whose}. "
    "The order is {round}.",
    "no_veto_in_last_round": "The last round has no {phase} (ruling last_round); leave `{key}` out.",
}


def grant(table: Table, turn: Turn, ruling: rulings.Ruling) -> Table | Refusal:
    """Vetoes given or taken, within what the die shows."""
    seat, by, most = ruling["grant"], ruling["vetoes"], turn.rules.box.vetoes
    kingdom = table.seats[seat]
    would = kingdom.vetoes + by
    if not 0 <= would <= most:
        facts = {"whose": seat, "most": most, "would": would, "least": -kingdom.vetoes, "room": most - kingdom.vetoes}
        return Refusal("chancellor_veto_die", facts)
    tell(turn, ALL, f"The GM: the veto die of {seat} shows {would} now, {by:+}: {ruling['reason']}.")
    return booked(table, turn, seat, replace(kingdom, vetoes=would), "grant", ruling["reason"])


def sort_orders(table: Table, turn: Turn) -> Table:
    """Refuse what this turn does not decide, so that nobody waits for it."""
    window = due(table, turn.rules)
    now = deciding_now(table, turn.rules)
    for seat in table.seats:
        for phase in PLAYED:
            key = OF_PHASE[phase].key
            if key not in turn.orders.get(seat, {}) or seat in window.get(phase, ()):
                continue
            if phase not in phases_of(table.round, turn.rules):
                turn.refuse(seat, key, "no_veto_in_last_round", phase=f"{phase.replace('_', ' ')} phase", key=key)
            elif phase in window:
                facts = {"seats": joined(window[phase]), "whose": seat, "round": joined(order(table, phase))}
                turn.refuse(seat, key, "chancellor_not_due", now=now, key=key, **facts)
            else:
                turn.refuse(seat, key, "chancellor_not_now", now=now, key=key, words=OF_PHASE[phase].name)
    return table


def deciding_now(table: Table, rules: Rules) -> str:
    """The phases that the next turn decides, for a sentence: "city vetoes and investments"."""
    return joined(OF_PHASE[phase].name for phase in due(table, rules))


def waits(table: Table, rules: Rules) -> str:
    """The seats that decide in the next turn and what they decide, for a seat that decides nothing."""
    others = list[str]()
    for phase, seats in due(table, rules).items():
        order = OF_PHASE[phase]
        if choosing := [seat for seat in seats if order.chooses(Now(table, seat, rules))]:
            others.append(f"{joined(choosing)} decide{'s' if len(choosing) == 1 else ''} {order.name}")
    return f"Nothing of yours is decided in the next turn: {joined(others, none='nobody has a choice')}. You need not send orders."


# --- the tax


def score_kingdoms(table: Table, turn: Turn) -> Table:
    """When all rounds are played, or the GM ends the campaign, score each city, then the vetoes that are left."""
    rules = turn.rules
    if turn.foreseeing or not (table.ended or ends_game(turn.before, rules)):
        return table
    for seat, kingdom in table.seats.items():
        before, scores = kingdom.total, list[str]()
        for number, city in enumerate(kingdom.cities, 1):
            here, coin = kingdom.king == number, city.coin or 0
            score = score_of(city, here, rules)
            single = score if rules.best_city.doubled else city.tile * coin
            kingdom = replace(
                kingdom, points=kingdom.points + score, total=kingdom.total + score,
                best_city=max(kingdom.best_city, single), king_city=score if here else kingdom.king_city,
            )  # fmt: skip
            factors = f"{city.tile} x {coin}" + (f" x {rules.scoring.king}" if here else "")
            table = booked(table, turn, seat, kingdom, "tax", f"city {number}: {factors} (ruling scoring)")
            scores.append(str(score))
        kingdom = replace(kingdom, total=kingdom.total + kingdom.vetoes)
        table = booked(table, turn, seat, kingdom, "unused_vetoes", f"{kingdom.vetoes} left on the die")
        both = f", with the {before} of the first game {kingdom.total}" if before else ""
        cities, whole = f"{' + '.join(scores) or 0} = {kingdom.points}", kingdom.points + kingdom.vetoes
        tell(turn, ALL, f"{seat}: cities {cities}, and {kingdom.vetoes} for vetoes left: {whole}{both}.")
    return table


def score_of(city: City, king: bool, rules: Rules) -> int:
    """What a city scores. king: whether the King is there. A city without a coin scores nothing."""
    return city.tile * (city.coin or 0) * (rules.scoring.king if king else 1)


def play_on(table: Table, turn: Turn) -> Table:
    """What is to be decided next: another phase, another round, the second game, or nothing."""
    after = moved_on(turn.before, turn.rules)
    table = replace(table, round=after.round, phase=after.phase, acted=after.acted)
    if table.phase != OVER or table.ended or table.game >= turn.rules.double_game.games:
        return table
    seats = clockwise(table, table.first or next(iter(table.seats)))
    first = seats[turn.rules.double_game.second_first % len(seats)]
    for seat, kingdom in table.seats.items():
        tiles, coins = joined(city.tile for city in kingdom.cities), joined(city.coin for city in kingdom.cities)
        cities = f"the tiles {tiles}, on them the coins {coins}, and the King in city {kingdom.king}"
        tell(turn, ALL, f"{seat} ended the game with {cities}.")
        fresh = set_up(kingdom.name, turn.rules, kingdom.total)
        table = booked(table, turn, seat, fresh, "new_game", "the second game begins")
    tell(turn, ALL, f"The second game begins. {first} is first chancellor.")
    return Table(turn=table.turn, seats=table.seats, first=first, game=table.game + 1)


def set_up(name: str, rules: Rules, total: int = 0) -> Kingdom:
    """A kingdom at the beginning of a game: everything is in the reserve. total: the points of an earlier game."""
    values = tuple(sorted(rules.box.values))
    return Kingdom(name=name, tiles=values, coins=values, vetoes=rules.box.vetoes, total=total)


def pieces(table: Table, rules: Rules) -> dict[str, int]:
    """What is in the box: Kings, tiles and coins by their value."""
    box = Counter(kings=len(table.seats))
    for kingdom in table.seats.values():
        laid = [city.coin for city in kingdom.cities if city.coin is not None]
        box.update(f"tiles {value}" for value in (*kingdom.tiles, *(city.tile for city in kingdom.cities)))
        box.update(f"coins {'unseen' if value == HIDDEN else value}" for value in (*kingdom.coins, *laid))
    return box
