"""The forecast of a kingdom as plain data: the possible results of orders in the next turn, and of none in later turns; and a
list of what the forecast leaves out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

from kingdom.engine.ledger import summed
from kingdom.engine.step import Facts, Orders
from kingdom.games.realm.forecast.courses import Standing
from kingdom.games.realm.forecast.exact import End, ends_of, rolled_of, success
from kingdom.games.realm.forecast.turn_preview import preview
from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.orders.declaration import DECISIONS
from kingdom.games.realm.orders.kind import Now
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, World, owners
from kingdom.games.realm.steps.events.draw import chance_in
from kingdom.games.realm.steps.events.words import titled
from kingdom.games.realm.steps.land.losing import hexes_to_lose
from kingdom.games.realm.steps.workplan import planned

if TYPE_CHECKING:
    from numpy.random import Generator

    from kingdom.games.realm.forecast.sample import Column


BANDS = (5, 25, 50, 75, 95)  # a band is the value that this percent of the samples do not exceed
CHANCES = {  # what may befall a kingdom in a turn
    "anarchy": "Unrest brings a turn of anarchy",
    "hex_loss": "a hex is lost, or will be at the next start",
    "bankruptcy": "the treasury ends below 0",
}


Table: TypeAlias = list[tuple[int, float]]  # (value, chance from 0 to 1), the lowest value first


def forecast(
    seen: World, seat: str, rules: Rules, orders: Orders, turns: int, samples: int, chance: Generator
) -> Facts:
    """The possible results of these orders in the turn after `seen`, exactly, and of no orders in later turns, by samples.

    seen: what the seat knows (known.py). orders: in the long form, {} for none. samples: their number; with `turns` 1 none are
    drawn. chance: the source of their faces. For the keys see section 9 of docs/contract.md; {} for a kingdom that is not in
    play.
    """
    if seen.kingdoms[seat].destroyed:
        return {}
    course = preview(seen, seat, rules).course(orders)
    refused = [notice.facts for notice in course.turn.notices if notice.kind == "refusal" and notice.seat == seat]
    standing = course.standing
    loyalty = orders.get("loyalty", {})
    ends = ends_of(standing, rules, next(iter(loyalty), ""))
    end = next_turn(ends, standing, rules)
    rolled = rolled_of(standing, rules)
    later = _sampled(standing, rules, loyalty, turns, samples, chance) if turns > 1 else []
    return {
        "turn": standing.turn,
        "refused": [{key: facts[key] for key in ("order", "code", "reason")} for facts in refused],
        "notes": notes(standing, end["first_to_go"]),
        "checks": {name: success(each) for name, each in rolled.items() if name != "loyalty" or loyalty},
        "next": {**end, "ends": _likeliest_first(ends, rules)},
        "samples": samples if later else 0,
        "later": later,
        "means": CHANCES,
        "left_out": left_out(seen, seat, rules, orders, turns),
    }


def notes(standing: Standing, first_to_go: list[str]) -> list[str]:
    """Notes on the figures, a sentence each. Rulings: anarchy, hex_loss, joined_buildings."""
    found = []
    if standing.kingdom.anarchy == standing.turn:
        found.append(
            f"Turn {standing.turn} is one of anarchy: orders are void, and no check succeeds (ruling anarchy)."
        )
    if first_to_go:
        found.append(
            f"Of hexes at risk these go first, where none is named: {', '.join(first_to_go)} (ruling hex_loss)."
        )
    waiting = {name: len(town.waiting) for name, town in standing.kingdom.settlements.items() if town.waiting}
    if waiting:
        towns = ", ".join(f"{count} in {name}" for name, count in waiting.items())
        found.append(f"Buildings that are not in service yet by then: {towns} (ruling joined_buildings).")
    return found


def next_turn(ends: Mapping[End, int], standing: Standing, rules: Rules) -> Facts:
    """The end of the next turn, over all results of the dice (exact.py).

    ways: their number. start: the accounts before the dice. chances: danger -> its chance. first_to_go: the hexes that are lost first if
    the player names none, up to the most that can be lost.
    """
    ways = sum(ends.values())
    risks = {end: at_risk(end, rules) for end in ends}
    accounts = {
        "treasury": _rows((end.treasury, count) for end, count in ends.items()),
        "unrest": _rows((end.unrest, count) for end, count in ends.items()),
        "hexes_at_risk": _rows((risks[end], count) for end, count in ends.items()),
    }
    befall = {
        "anarchy": sum(count for end, count in ends.items() if end.anarchy),
        "hex_loss": sum(count for end, count in ends.items() if risks[end] or end.size < len(standing.kingdom.hexes)),
        "bankruptcy": sum(count for end, count in ends.items() if end.treasury < 0),
    }
    return {
        "ways": ways,
        "start": {"treasury": standing.kingdom.treasury, "unrest": standing.kingdom.unrest},
        "accounts": accounts,
        "chances": {name: count / ways for name, count in befall.items()},
        "first_to_go": hexes_to_lose(standing.kingdom, max(risks.values())),
    }


def _likeliest_first(ends: Mapping[End, int], rules: Rules) -> list[dict[str, int | float | bool]]:
    """Each possible end as a row of its accounts and its chance, the likeliest first."""
    ways, rows = sum(ends.values()), []
    for end in sorted(ends, key=lambda end: (-ends[end], end)):
        found = {name: value for name, value in end._asdict().items() if name != "due"}
        rows.append({**found, "hexes_at_risk": at_risk(end, rules), "chance": ends[end] / ways})
    return rows


def at_risk(end: End, rules: Rules) -> int:
    """How many hexes the turn after that end will cost: those lost for Unrest at its start, and to anarchy at its end."""
    due = min(rules.hex_loss.hexes, end.size) if end.due else 0
    return due + ((end.size - due) // rules.anarchy.loses_one_in if end.anarchy else 0)


def _rows(ways: Iterable[tuple[int, int]]) -> Table:
    """(value, chance) of each value, the lowest first."""
    found = summed(ways)
    total = sum(found.values())
    return [(value, count / total) for value, count in sorted(found.items())]


def quantile(rows: Iterable[tuple[int, float]], percent: int) -> int:
    """The lowest value that the account does not exceed in that percentage of cases. rows: (value, chance), the lowest value
    first."""
    left, last = percent / 100, 0
    for value, chance in rows:
        left, last = left - chance, value
        if left <= 1e-9:  # allows for rounding errors of the sum
            break
    return last


# --- several turns ---------------------------------------------------------------------------------------------------------


def _sampled(
    standing: Standing, rules: Rules, loyalty: Mapping[str, str], turns: int, samples: int, chance: Generator
) -> list[Facts]:
    """For each turn the bands of each account, percent -> value, and for each danger the share of samples that it befell by
    then."""
    from kingdom.games.realm.forecast.sample import bands, sampled

    rows: list[Facts] = []
    befallen: dict[str, Column] = {}
    for each in sampled(standing, rules, loyalty, turns, samples, chance):
        # the dangers that befell each sample in that turn, by the rules of next_turn and at_risk
        left = each.size - each.due * rules.hex_loss.hexes
        lost = each.lost | (each.due & (each.size > 0)) | (each.anarchy & (left >= rules.anarchy.loses_one_in))
        befalls = {"anarchy": each.anarchy, "hex_loss": lost, "bankruptcy": each.treasury < 0}
        for name, now in befalls.items():
            befallen[name] = befallen[name] | now if name in befallen else now
        columns = {"treasury": each.treasury, "unrest": each.unrest, "size": each.size}
        accounts = {
            name: dict(zip(map(str, BANDS), bands(column, BANDS), strict=True)) for name, column in columns.items()
        }
        shares = {name: float(hit.mean()) for name, hit in befallen.items()}
        rows.append({"turn": each.turn, "accounts": accounts, "chances": shares})
    return rows


# --- what is left out of account --------------------------------------------------------------------------------------


def left_out(seen: World, seat: str, rules: Rules, orders: Orders, turns: int) -> list[str]:
    """The things that a forecast of this kingdom over that many turns leaves out, a sentence each. seen: what the seat
    knows."""
    kingdom = seen.kingdoms[seat]
    if kingdom.anarchy == seen.turn + 1:
        orders = {}
    found = ["What other kingdoms and the GM do: all of them stand still."]
    found += _of_orders(seen, seat, kingdom, rules, orders)
    standing = [event for event in kingdom.events.values() if not event.done and event.kind in rules.event_kinds]
    if standing:
        titles = ", ".join(dict.fromkeys(titled(event, rules) for event in standing))
        found.append(f"The dice of the events that stand, and what hangs on them: {titles}.")
    found += _of_trade(seen, seat, kingdom, rules)
    found += _of_war(seen, seat, kingdom, orders)
    return found + (_of_later_turns(seen, kingdom, rules) if turns > 1 else [])


def _of_orders(seen: World, seat: str, kingdom: Kingdom, rules: Rules, orders: Orders) -> Iterator[str]:
    plan = [planned(text, rules) for text in orders.get("plan", kingdom.plan)]
    for kind in DECISIONS:
        meant = [order for _, order in kind.filed(orders)]
        meant += [order for key, order in plan if key == kind.key]
        yield from kind.left_out(Now(seen, seat, rules), meant) if meant else ()


def _of_trade(seen: World, seat: str, kingdom: Kingdom, rules: Rules) -> Iterator[str]:
    held = owners(seen)
    beside = {held[near] for label in kingdom.hexes for near in neighbours(label) if near in held} - {seat}
    partners = beside if rules.trade and rules.trade.between_neighbours else set()
    partners |= {route.to for route in kingdom.routes.values() if route.open}
    partners |= {guest.by for guest in kingdom.guests.values()}
    names = sorted(seen.kingdoms[other].name for other in partners if other in seen.kingdoms)
    if names and rules.trade:
        yield f"What trade brings, which is rolled for: with {', '.join(names)} (ruling trade)."
    if any(not route.open for route in kingdom.routes.values()):
        yield "Whether caravans on the road arrive and are let in (ruling trade_route)."


def _of_war(seen: World, seat: str, kingdom: Kingdom, orders: Orders) -> Iterator[str]:
    strangers = any(other.armies for name, other in seen.kingdoms.items() if name != seat)
    if kingdom.armies or orders.get("armies") or strangers:
        yield "Battles, sieges and what armies win or lose in them."
    away = {order.get("edict") for order in orders.get("special", ()) if order}
    if kingdom.expeditions or "explore" in away:
        yield "What expeditions meet and find."
    if kingdom.parties or "adventurers" in away:
        yield "What hired adventurers come to."
    if any(army.deed == "clear" for army in kingdom.armies.values()):
        yield "Whether armies clear hazards (ruling hazards)."


def _of_later_turns(seen: World, kingdom: Kingdom, rules: Rules) -> list[str]:
    found = ["In the turns after the first: all orders, answers and plans; the edicts stay as they are."]
    chance = chance_in(seen, rules)
    struck = rules.event_kinds and (chance.normal or chance.after_quiet_turn)
    found.append("Events that come up in these turns, and aid from others." if struck else "Aid from others.")
    if kingdom.events:
        found.append("In the turns after the first: the events that stand now, but for what of them holds already.")
    return found
