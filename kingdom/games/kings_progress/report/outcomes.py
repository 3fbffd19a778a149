"""What became of a seat's orders, one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from kingdom.engine.step import Notice, Orders
from kingdom.games.kings_progress.orders import DEFAULT, KEYS, NEWEST, Condition, KingCondition, NewestIf
from kingdom.games.kings_progress.steps.shared import joined
from kingdom.games.shared.report import Outcome, Outcomes


def outcomes(orders: Orders | None, notices: Iterable[Notice]) -> Outcomes:
    """said: a sentence. rows: key, text, outcome, why; unused: an alternative that was not needed, or whose condition did not hold.

    notices: the seat's own.
    """
    if orders is None:
        return {"said": "You sent none.", "rows": []}
    mine = list(notices)
    why = {notice.facts["order"]: ("refused", notice.facts["reason"]) for notice in mine if notice.kind == "refusal"}
    why |= {notice.facts["order"]: ("unused", notice.facts["text"]) for notice in mine if notice.kind == "passed"}
    why |= {notice.facts["order"]: ("done", "") for notice in mine if notice.kind == "used"}
    rows: list[Outcome] = [_row(path, text, why) for path, text in _listed(orders)]
    rows += [
        {"key": path, "text": path, "outcome": how, "why": reason}
        for path, (how, reason) in why.items()
        if path.startswith("messages")
    ]
    return {"said": f"You sent {len(rows)}." if rows else "You sent none for this turn's decisions.", "rows": rows}


def _row(path: str, text: str, why: Mapping[str, tuple[str, str]]) -> Outcome:
    key = path.partition("[")[0]
    if path not in why and key in why:  # refused as a whole
        outcome, reason = why[key]
    else:
        outcome, reason = why.get(path, ("done", "") if text == "the King moves" else ("unused", ""))
    return {"key": key, "text": text, "outcome": outcome, "why": reason}


def _listed(orders: Orders) -> Iterator[tuple[str, str]]:
    """(path, the order in words) of each decision that was ordered."""
    for key in KEYS.values():
        under = orders.get(key)
        if isinstance(under, list):
            yield from ((f"{key}[{index}]", _text(key, one)) for index, one in enumerate(under) if one is not None)
        elif under:
            yield key, _text(key, under)


def _text(key: str, order: Orders) -> str:
    if key == "city":
        return f"tile {order['tile']} in {order['kingdom']}{_if(order, 'tile')}"
    if key == "invest":
        return f"coin {order['coin']} in {order['kingdom']}{_if(order, 'tile')}"
    if key == "city_veto":
        return f"veto city {order.get('city', order.get('if', {}).get('city', 'newest'))} with tile {order['replace_with']}{_if(order, 'tile')}"
    if key == "investment_veto":
        return f"veto the investment in city {_where(order.get('city', 'newest'))}: {_swap(order.get('swap', {}))}{_if(order, 'coin')}"
    if "veto_if" in order:
        return f"the King stays if {_condition(order['veto_if'] or {}, 'tile')}"
    return "the King stays" if "veto" in order else "the King moves"


def _where(city: int | str | NewestIf) -> str:
    return f"newest, if its tile is at least {city['newest_if_tile_min']}" if isinstance(city, dict) else str(city)


def _swap(swap: Mapping[str, int]) -> str:
    coins = [f"{value} for any other" if seen == DEFAULT else f"{value} for a {seen}" for seen, value in swap.items()]
    return ", ".join(coins) or "any coin"


def _if(order: Orders, piece: str) -> str:
    return f", if {_condition(order['if'], piece)}" if order.get("if") else ""


def _condition(condition: Condition | KingCondition, piece: str) -> str:
    """The condition in words. piece: what `taken_by_me` asks of."""
    city = condition.get("city")
    where = "" if city is None else " of the newest city" if city == NEWEST else f" of city {city}"
    least, most, mine, vetoes = (_first_of(condition, *keys) for keys in _CONDITIONS)
    where = " of the next city" if condition.keys() & {"next_tile_min", "next_tile_max"} else where
    tile = [f"at least {least}"] * (least is not None) + [f"at most {most}"] * (most is not None)
    owner = [] if mine is None else ["yours" if mine else "not yours"]
    if piece == "tile":
        parts = [f"the tile{where} is {joined([*tile, *owner])}"] if tile or owner else []
    else:
        parts = [f"the {word}{where} is {joined(what)}" for word, what in (("tile", tile), (piece, owner)) if what]
    if vetoes is not None:
        parts.append(f"you have at least {vetoes} veto{'' if vetoes == 1 else 'es'}")
    return ", and ".join(parts) or "nothing more"


_CONDITIONS = (("tile_min", "next_tile_min"), ("tile_max", "next_tile_max"), ("taken_by_me",), ("vetoes_min",))


def _first_of(condition: Mapping[str, object], *keys: str) -> object:
    return next((condition[key] for key in keys if key in condition), None)
