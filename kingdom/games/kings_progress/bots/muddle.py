"""Orders drawn at random, most of which can't be carried out, and a GM's; for simulations alone: so every refusal is come by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import Table
from kingdom.orders.yaml_out import dump

Chance = Callable[[str, int], int]
_OF_THE_KING = ("next_tile_max", "next_tile_min", "vetoes_min")
MOST = 7  # of values that are drawn, one more than there are
RULINGS = 10  # percent of the turns in which the GM rules


def muddled(known: Table, seat: str, rules: Rules, chance: Chance) -> str:
    """A filing with some keys, to be merged into what the seat filed."""
    draw = _Draw(chance, list(known.kingdoms))
    made = {
        "city": lambda: [draw.placed("tile") for _ in range(draw.below(4))],
        "city_veto": lambda: [{"city": draw.city(), "replace_with": draw.below(MOST)} | draw.condition() for _ in range(draw.below(3))],
        "invest": lambda: [draw.placed("coin") for _ in range(draw.below(4))],
        "investment_veto": lambda: {"city": draw.one([draw.city(), {"newest_if_tile_min": draw.below(4)}]), "swap": draw.swap()} | draw.condition(),
        "progress": lambda: draw.one([{"move": ""}, {"veto": ""}, {"veto_if": {draw.one(_OF_THE_KING): draw.below(MOST)}}]),
        "messages": lambda: [{"to": draw.one([*draw.seats, "all"]), "text": "Well met."}],
        "final": lambda: True,
    }  # fmt: skip
    keys = [key for key in made if chance("key", 2) == 1]
    return dump({"kingdom": seat, "turn": known.turn + 1, **{key: made[key]() for key in keys}, "amend": True})


class _Draw:
    """What is drawn, from one chance."""

    def __init__(self, chance: Chance, seats: list[str]):
        self.chance, self.seats = chance, seats

    def below(self, most: int) -> int:
        return self.chance("number", most) - 1

    def one(self, values: Sequence[Any]) -> Any:
        return values[self.chance("one", len(values)) - 1]

    def city(self) -> Any:
        return self.one(["newest", *range(1, MOST)])

    def placed(self, piece: str) -> dict[str, Any]:
        return {"kingdom": self.one(self.seats), piece: self.below(MOST)} | self.condition()

    def condition(self) -> dict[str, Any]:
        made = {
            "city": self.city(),
            "tile_min": self.below(4),
            "taken_by_me": self.one([True, False]),
            "vetoes_min": self.below(3),
        }
        keys = [key for key in made if self.chance("condition", 4) == 1]
        return {"if": {key: made[key] for key in keys}} if keys else {}

    def swap(self) -> dict[str, int]:
        return {self.one(["0", "1", "5", "default"]): self.below(MOST) for _ in range(2)}


def gm_orders(table: Table, rules: Rules, chance: Chance) -> str:
    """A GM's orders: now and then vetoes given or taken, and an order voided that may not be there."""
    draw, given = _Draw(chance, list(table.kingdoms)), []
    if chance("ruling", 100) <= RULINGS:
        given.append({"grant": draw.one(draw.seats), "vetoes": draw.one([-1, 1, -5, 9]), "reason": "a wager"})
        given.append(
            {
                "void": {"kingdom": draw.one(draw.seats), "order": draw.one(["city[0]", "progress", "invest"])},
                "reason": "a slip",
            }
        )
    told = [{"to": draw.one([*draw.seats, "all"]), "text": "Play well."}] if given else []
    return dump({"turn": table.turn + 1, **({"gm": given, "tell": told} if given else {})})
