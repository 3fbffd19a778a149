"""The King's Progress, to be played by tests: a weekly game with conditions, and one with three turns a round."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kingdom.engine import game as games
from kingdom.engine.step import Notice, Result
from kingdom.games.kings_progress.bots import likely
from kingdom.games.kings_progress.placing import city_of
from kingdom.games.kings_progress.state import OVER, Kingdom, Table, replace
from kingdom.games.kit.drawn import Draw

NEW = {"name": "Played", "seed": "a public seed", "tokens": (), "bots": 0}
WEEKLY = {  # turn -> seat -> orders; whatever may go wrong in an order does so in one of them
    1: {
        "alice": "city: 5 in alice, 0 in bob\ninvest: 5 in alice, 0 in bob, 0 in cara\nprogress: veto\n",
        "bob": "city: 0 in alice, 5 in bob, 0 in cara\ncity_veto: [{if: {tile_max: 1}, replace_with: 4}]\nmessages: {alice: hello, all: well met}\n",
        "cara": "city: 9 in bob, 1 in bob, 4 in cara\ninvest: 3 in cara, 1 in bob\ninvestment_veto: {city: 1, swap: {0: 5, default: 2}}\n",
    },
    2: {
        "alice": "city: [{kingdom: alice, tile: 4, if: {taken_by_me: true}}, {kingdom: bob, tile: 1}, {kingdom: cara, tile: 1}]\nprogress: veto\n",
        "bob": "city_veto: 1 with 3\ninvest: [{kingdom: bob, coin: 5, if: {tile_min: 3}}, {kingdom: alice, coin: 0}]\n",
        "cara": "investment_veto: {city: {newest_if_tile_min: 1}, swap: {0: 5}}\nprogress: {veto_if: {next_tile_max: 1}}\n",
    },
    3: {
        "alice": "city: 2 in bob\ncity_veto: newest with 3\ninvestment_veto: {city: 3}\n",
        "cara": "city_veto: 9 with 4, 1 with 1\n",
    },
}
STANDARD = {
    1: {"alice": "city: 3 in bob\n", "bob": "city: 3 in bob, 2 in alice\ninvest: 3 in bob\n"},
    2: {"dan": "city_veto: newest with 2\ninvest: 4 in dan, 0 in alice\n", "alice": "invest: 4 in cara, 0 in dan\n"},
    3: {"cara": "investment_veto: {city: newest, swap: {default: 5}}\n", "bob": "messages: {dan: a secret}\n"},
    4: {
        "gm": "gm:\n  - {grant: bob, vetoes: -2, reason: a wager}\n  - {grant: bob, vetoes: 9, reason: too many}\ntell: {all: Well played.}\n"
    },
}


def campaigns(folder: Path) -> list[Path]:
    """Both of them; neither comes to its end, when nothing is hidden any more."""
    return [
        laid_down(folder / "weekly", 3, "rules: {pace: weekly}\n", WEEKLY),
        laid_down(folder / "standard", 4, "", STANDARD),
    ]


def laid_down(folder: Path, seats: int, settings: str, orders: dict[int, dict[str, str]]) -> Path:
    """A campaign with these orders filed. settings: what is added to campaign.yaml."""
    files = {**games.load("kings_progress").opening.new(seats, NEW)}
    files["campaign.yaml"] += f"public_seed: true\n{settings}"
    for turn, filed in orders.items():
        files |= {
            f"orders/{turn:04}/{seat}.yaml": f"kingdom: {seat}\nturn: {turn}\n{text}" for seat, text in filed.items()
        }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def hidden(result: Result, seat: str, rules: Any) -> Result:
    """Every coin that the seat has not seen is another one; the others' orders are otherwise."""
    orders = {other: {"progress": {"veto": ""}} for other in result.orders if other not in (seat, "gm")}
    notices = [note for note in result.notices if note.seat in (seat, "all") or note.facts.get("sender") == seat]
    return result._replace(
        before=otherwise(result.before, seat),
        after=otherwise(result.after, seat),
        orders={**orders, **({seat: result.orders[seat]} if seat in result.orders else {})},
        entries=[entry for entry in result.entries if entry.kingdom == seat],
        notices=[
            *notices,
            *(
                Notice("happened", "city", "place_cities", other, {"text": "A secret."})
                for other in _others(result.after, seat)
            ),
        ],
        rolls=[roll for roll in result.rolls if roll.kingdom == seat],
    )


def _others(table: Table, seat: str) -> list[str]:
    return [other for other in table.seats if other != seat]


def unseen(table: Table, seat: str) -> list[int]:
    """The coins whose values the seat has not seen, in the order in which `with_unseen` puts others into their places."""
    found: list[int] = []
    with_unseen(table, seat, lambda value: found.append(value) or value)
    return found


def otherwise(table: Table, seat: str, by: int = 1) -> Table:
    """The coins that the seat has not seen have changed their places, in another way for each number `by`."""
    coins = unseen(table, seat)
    turns = [coins[(by + more) % len(coins) :] + coins[: (by + more) % len(coins)] for more in range(len(coins))]
    for other in (*turns, sorted(coins)):
        places = iter(other)
        made = with_unseen(table, seat, lambda value, places=places: next(places))
        if made != table:
            return made
    return table  # there is no secret


def with_unseen(table: Table, seat: str, other: Any) -> Table:
    """The table with another coin in the place of each that the seat has not seen."""
    kingdoms = {}
    for owner, kingdom in table.seats.items():
        cities = tuple(
            city if city.coin is None or seat in city.seen_by else replace(city, coin=other(city.coin))
            for city in kingdom.cities
        )
        coins = kingdom.coins if owner == seat else tuple(sorted(other(coin) for coin in kingdom.coins))
        kingdoms[owner] = _with(kingdom, cities, coins)
    return replace(table, seats=kingdoms)


def _with(kingdom: Kingdom, cities: tuple, coins: tuple[int, ...]) -> Kingdom:
    return replace(kingdom, cities=cities, coins=coins)


def over(table: Table) -> Table:
    """All rounds are played."""
    return replace(table, phase=OVER)


# --- for tests/games/test_offers.py

ALTERNATIVES = ("city", "city_veto", "invest")  # lists of which the first that is possible counts: each is judged alone


def draws(known: Table, seat: str, rules: Any, chance: Any) -> Draw:
    """What draws orders at random for the seat."""
    return Draw(chance, {"seats": list(known.seats)}, likely(known, seat, rules))


def offered_as(key: str, order: Any, known: Table, seat: str) -> Any:
    """The order as its offer has it; None where it is of a kind that has no end and is not offered."""
    if key in ("messages", "final"):
        return order if order is True else None
    if not isinstance(order, dict) or order.get("if") or "veto_if" in order:
        return None  # it hangs on a condition
    if "move" in order and (known.round == 1 or known.seats[seat].vetoes < 1):
        return None  # the King moves anyway, so nothing is asked
    order = {part: value for part, value in order.items() if part != "if"}
    if "veto" in key:
        mine, named = known.seats[seat], order.get("city")
        unplaced = len(mine.cities) < known.round
        if isinstance(named, dict) or (unplaced and named in (None, "newest", known.round)):
            return None  # it is for a city that is still to be placed
        order = {
            "city": city_of(mine, named),
            **{part: value for part, value in order.items() if part == "replace_with"},
        }
    return order
