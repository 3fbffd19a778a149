"""The order `progress`: each King moves one city on, or his chancellor spends a veto and he stays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, TypedDict

from kingdom.engine.refusal import Refusal
from kingdom.games.kings_progress import state as words
from kingdom.games.kings_progress.orders.condition import VETOES_MIN, all_of, bounds, least_vetoes, value
from kingdom.games.kings_progress.rules import Rules, rounds
from kingdom.games.kings_progress.state import HIDDEN, Kingdom, Now, Table, Turn, replace, with_city
from kingdom.games.kit.common_orders import ALL
from kingdom.games.kit.table import booked, tell
from kingdom.orders import kit
from kingdom.orders.kit import Candidate, Gap, Pick


class StaysIf(TypedDict, total=False):
    """When the King stays."""

    next_tile_max: Annotated[int, value("that the tile of the next city is at most this", 1)]
    next_tile_min: Annotated[int, value("that the tile of the next city is at least this")]
    vetoes_min: Annotated[int, VETOES_MIN]


class KingsMove(TypedDict, total=False):
    """One of these."""

    move: Annotated[Literal[""], None]
    veto: Annotated[Literal[""], None]
    veto_if: Annotated[StaysIf | Literal[""], kit.record(StaysIf, "when he stays")]


class Progress(kit.One[Table, Rules, KingsMove]):
    """All Kings move at once; who vetoes has its King stay."""

    key, phase, name = "progress", words.PROGRESS, "the Kings"
    shape = kit.choice(KingsMove, "what the King does")
    causes = {"progress": "a King's move to the next city", "progress_veto": "a King's move vetoed"}
    refusals = {
        "first_progress": "In round 1 every King moves to his first city (ruling first_progress); leave `progress` out.",
        "no_progress_veto": "{whose} has no veto left, so its King moves (ruling no_vetoes_left); leave `progress` out, or write move.",
        "no_last_veto": "In the last round the King's move can't be vetoed (ruling last_round); leave `progress` out, or write move.",
    }

    def asks(self, now: Now) -> str:
        mine = now.state.seats[now.seat]
        return f"Your King moves from city {mine.king} to city {mine.king + 1}, or stays for one of your {mine.vetoes} vetoes."

    def chooses(self, now: Now) -> bool:
        return self.objection(now, {"veto": ""}) is None

    def candidates(self, now: Now) -> Iterator[Candidate]:
        mine, costs, effect, once = now.state.seats[now.seat], {"vetoes": 1}, {"vetoes": -1}, {"progress": 1}
        yield Candidate("stay", {"veto": ""}, "The King stays", uses=once, costs=costs, effect=effect)
        yield Candidate("move", {"move": ""}, "The King moves", uses=once, effect={"king": 1})
        if self.chooses(now) and len(mine.cities) == mine.king:  # the city before him is not placed yet
            most = {"most": Pick("If the next tile is at most", now.rules.box.values, 1)}
            order = {"veto_if": {"next_tile_max": Gap("most")}}
            yield Candidate("stay if", order, "The King stays on a condition", most, uses=once, costs=costs, open=True)

    def objection(self, now: Now, order: KingsMove) -> kit.Objection:
        mine, table = now.state.seats[now.seat], now.state
        if self.usual(order):
            return None
        if "veto_if" in order and not _holds(order["veto_if"] or {}, mine):
            return "Its condition did not hold: the King moved."
        if table.round == 1:
            return Refusal("first_progress")
        if mine.vetoes < 1:
            return Refusal("no_progress_veto", {"whose": now.seat})
        last = table.round == rounds(now.rules) and not now.rules.last_round.progress_veto
        return Refusal("no_last_veto") if last else None

    def usual(self, order: KingsMove) -> bool:
        return "move" in order

    def carry_out(self, now: Now, order: KingsMove, turn: Turn) -> Table:
        mine = now.state.seats[now.seat]
        tell(turn, ALL, f"{now.seat} vetoed its King's progress: he stays in city {mine.king}.")
        after = replace(mine, vetoes=mine.vetoes - 1)
        return booked(now.state, turn, now.seat, after, "progress_veto", f"the King stays in city {mine.king}")

    def otherwise(self, now: Now, turn: Turn) -> Table:
        """The King moves."""
        seat, mine = now.seat, now.state.seats[now.seat]
        number = mine.king + 1
        if number > len(mine.cities):
            return now.state  # foreseen: the city before him is not placed yet
        city, after = mine.cities[number - 1], replace(mine, king=number)
        looks = now.state.round > 1 or now.rules.first_look.looks
        if looks and city.coin is not None:
            seen = city.seen_by if seat in city.seen_by else (*city.seen_by, seat)
            after = with_city(after, number, replace(city, seen_by=seen))
        tell(turn, ALL, f"The King of {seat} moved to city {number}.", besides=[seat] if looks else ())
        if looks:
            known = "" if city.coin in (None, HIDDEN) else f", where a coin {city.coin} lies"
            tell(turn, seat, f"Your King moved to city {number}{known}.")
        return booked(now.state, turn, seat, after, "progress", f"the King moves to city {number}")

    def say(self, order: KingsMove) -> str:
        if "veto_if" not in order:
            return "the King stays" if "veto" in order else "the King moves"
        condition: StaysIf = order["veto_if"] or {}
        tile = bounds(condition.get("next_tile_min"), condition.get("next_tile_max"))
        parts = [f"the tile of the next city is {' and '.join(tile)}"] if tile else []
        return f"the King stays if {all_of([*parts, *least_vetoes(condition.get('vetoes_min'))])}"


def _holds(condition: StaysIf, kingdom: Kingdom) -> bool:
    if kingdom.vetoes < condition.get("vetoes_min", 0) or kingdom.king >= len(kingdom.cities):
        return False
    tile = kingdom.cities[kingdom.king].tile  # of the next city
    return condition.get("next_tile_min", tile) <= tile <= condition.get("next_tile_max", tile)
