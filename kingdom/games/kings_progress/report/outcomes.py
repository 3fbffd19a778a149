"""What became of a seat's orders, one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kingdom.engine.step import Notice
from kingdom.games.kings_progress.orders import DEFAULT, KEYS, NEWEST
from kingdom.games.kings_progress.steps.shared import joined


def outcomes(orders: Mapping[str, Any] | None, notices: Iterable[Notice]) -> dict[str, Any]:
    """said: a sentence. rows: key, text, outcome, why; unused: an alternative that was not needed, or whose condition did not hold.

    notices: the seat's own.
    """
    if orders is None:
        return {"said": "You sent none.", "rows": []}
    mine = list(notices)
    why = {notice.facts["order"]: ("refused", notice.facts["reason"]) for notice in mine if notice.kind == "refusal"}
    why |= {notice.facts["order"]: ("unused", notice.facts["text"]) for notice in mine if notice.kind == "passed"}
    why |= {notice.facts["order"]: ("done", "") for notice in mine if notice.kind == "used"}
    rows = [_row(path, text, why) for path, text in _listed(orders)]
    rows += [
        {"key": path, "text": path, "outcome": how, "why": said}
        for path, (how, said) in why.items()
        if path.startswith("messages")
    ]
    return {"said": f"You sent {len(rows)}." if rows else "You sent none for this turn's decisions.", "rows": rows}


def _row(path: str, text: str, why: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    key = path.partition("[")[0]
    if path not in why and key in why:  # refused as a whole
        outcome, said = why[key]
    else:
        outcome, said = why.get(path, ("done", "") if text == "the King moves" else ("unused", ""))
    return {"key": key, "text": text, "outcome": outcome, "why": said}


def _listed(orders: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """(path, the order in words) of each decision that was ordered."""
    for key in KEYS.values():
        of = orders.get(key)
        if isinstance(of, list):
            yield from ((f"{key}[{index}]", _said(key, each)) for index, each in enumerate(of) if each is not None)
        elif of:
            yield key, _said(key, of)


def _said(key: str, order: Mapping[str, Any]) -> str:
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


def _where(city: Any) -> str:
    return f"newest, if its tile is at least {city['newest_if_tile_min']}" if isinstance(city, Mapping) else str(city)


def _swap(swap: Mapping[str, int]) -> str:
    said = [f"{value} for any other" if seen == DEFAULT else f"{value} for a {seen}" for seen, value in swap.items()]
    return ", ".join(said) or "any coin"


def _if(order: Mapping[str, Any], piece: str) -> str:
    return f", if {_condition(order['if'], piece)}" if order.get("if") else ""


def _condition(condition: Mapping[str, Any], piece: str) -> str:
    """The condition in words. piece: what `taken_by_me` asks of."""
    where = {None: "", NEWEST: " of the newest city"}.get(condition.get("city"), f" of city {condition.get('city')}")
    least, most, mine, vetoes = (_first_of(condition, *keys) for keys in _CONDITIONS)
    where = " of the next city" if condition.keys() & {"next_tile_min", "next_tile_max"} else where
    tile = [f"at least {least}"] * (least is not None) + [f"at most {most}"] * (most is not None)
    owner = [] if mine is None else ["yours" if mine else "not yours"]
    if piece == "tile":
        parts = [f"the tile{where} is {joined([*tile, *owner])}"] if tile or owner else []
    else:
        parts = [f"the {word}{where} is {joined(said)}" for word, said in (("tile", tile), (piece, owner)) if said]
    if vetoes is not None:
        parts.append(f"you have at least {vetoes} veto{'' if vetoes == 1 else 'es'}")
    return ", and ".join(parts) or "nothing more"


_CONDITIONS = (("tile_min", "next_tile_min"), ("tile_max", "next_tile_max"), ("taken_by_me",), ("vetoes_min",))


def _first_of(condition: Mapping[str, Any], *keys: str) -> Any:
    return next((condition[key] for key in keys if key in condition), None)
