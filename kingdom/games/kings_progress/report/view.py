"""All that a report may hold: what one seat may know of a turn, as plain data; for the GM everything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kingdom.engine.dice import GM
from kingdom.engine.step import Facts, Notice, Orders
from kingdom.games.kings_progress.orders import DEFAULT, KEYS, NEWEST, Condition, KingCondition, NewestIf
from kingdom.games.kings_progress.report.board import draw, heading, picture, reserve, width
from kingdom.games.kings_progress.report.text_form import asked, form_of, titled, waits
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import HIDDEN, Kingdom, Table, is_over
from kingdom.games.kings_progress.steps import ALL, joined
from kingdom.games.kings_progress.steps.gm import WORDS
from kingdom.games.kings_progress.steps.scoring import score_of
from kingdom.games.kings_progress.types import Result
from kingdom.games.kings_progress.visibility import known
from kingdom.games.kit import report
from kingdom.games.kit.report import Message, Outcome, Outcomes, PhaseLines

PHASES = {
    "gm": "The GM",
    "opening": "The start",
    **{phase: titled(words) for phase, words in WORDS.items()},
    "scoring": "The tax collected",
}


def view(result: Result, seat: str, rules: Rules) -> Facts:
    """What the seat may know of the turn, as plain data: dicts, lists, texts, numbers."""
    return _gm_view(result, rules) if seat == GM else _seat_view(result, seat, rules)


def _seat_view(result: Result, seat: str, rules: Rules) -> dict[str, Any]:
    seen = known(result.after, seat, rules)
    mine = seen.kingdoms[seat]
    heard = report.heard(result, seat)
    wanted, over = asked(seen, seat, rules), is_over(seen)
    found = {
        **report.of_seat(result, seat, mine.name, form_of(seen, seat, rules)),
        "heading": heading(seen, rules),
        "asked": wanted,
        "over": over,
        "waits": "" if wanted or over else waits(seen, seat, rules),
        "hand": {"tiles": joined(mine.tiles), "coins": joined(mine.coins), "vetoes": mine.vetoes, "king": _king(mine)},
        "happened": _happened(heard, seat),
        "orders": outcomes(result.orders.get(seat), report.alone(result, seat)),
        "kingdoms": [_kingdom(each, kingdom, each == seat, rules) for each, kingdom in seen.kingdoms.items()],
        "board": _board(result.after, seat, rules),
        "messages": _messages(result, seat),
    }
    contents = report.contents(
        found, over, "told asked board kingdoms happened orders messages form", {"kingdoms": "The kingdoms"}, ("board",)
    )
    return {**found, "first": report.first(_first(found), found["orders"]), "contents": contents}


def _king(kingdom: Kingdom) -> str:
    return f"in city {kingdom.king}" if kingdom.king else "in the centre"


def _first(found: dict[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    """The lines of the first screen: what is asked, the hand, the round."""
    hand = found["hand"]
    yield "Now", found["heading"], "kingdoms" if found["over"] else "board", ""
    if not found["over"]:
        names = joined(each["name"][:1].lower() + each["name"][1:] for each in found["asked"])
        yield "You decide", names if found["asked"] else found["waits"], "asked", "mark" if found["asked"] else ""
        yield "In hand", f"tiles {hand['tiles']}; coins {hand['coins']}", "kingdoms", ""
        yield "King", f"{hand['king']}, vetoes left {hand['vetoes']}", "kingdoms", ""


def _happened(notices: Iterable[Notice], seat: str) -> list[PhaseLines]:
    """What was told to the seat and to all, by phases."""
    return report.happened((notice for notice in notices if seat not in notice.facts.get("besides", ())), PHASES)


def _kingdom(seat: str, kingdom: Kingdom, own: bool, rules: Rules) -> dict[str, Any]:
    """A row of the standings so far. points: of the cities whose coins one has seen; unseen: how many are face down."""
    known_ones = [
        score_of(city, kingdom.king == number, rules)
        for number, city in enumerate(kingdom.cities, 1)
        if (city.coin or 0) >= 0
    ]
    return {
        "seat": seat,
        "name": kingdom.name,
        "own": own,
        "vetoes": kingdom.vetoes,
        "king": kingdom.king,
        "hand": reserve(kingdom),
        "points": sum(known_ones),
        "unseen": sum(city.coin == HIDDEN for city in kingdom.cities),
        "total": kingdom.total,
    }


def _board(table: Table, seat: str | None, rules: Rules) -> dict[str, Any]:
    return {**report.board(picture(table, seat, rules), draw(table, seat, rules)), "wide": width(rules)}


def _messages(result: Result, seat: str) -> list[Message]:
    """What the seat wrote, and what was written to it or to all; for the GM all of it."""
    found = []
    for sender in sorted(set(result.orders) - {GM}):
        for each in result.orders[sender].get("messages") or ():
            if each and (seat in (sender, each["to"], GM) or each["to"] == ALL):
                found.append(report.message(sender, each["to"], each["text"], seat))
    return found


def _gm_view(result: Result, rules: Rules) -> dict[str, Any]:
    kingdoms = result.after.kingdoms
    names = {seat: kingdom.name for seat, kingdom in kingdoms.items()}
    return {
        **report.of_gm(
            result,
            heading(result.after, rules),
            names,
            lambda seat: outcomes(result.orders.get(seat), report.alone(result, seat)),
        ),
        "kingdoms": [_kingdom(seat, kingdom, False, rules) for seat, kingdom in kingdoms.items()],
        "happened": _happened(report.alone(result, ALL), GM),
        "messages": _messages(result, GM),
        "board": _board(result.after, None, rules),
        "contents": [{"to": "kingdoms", "name": "Kingdoms"}, {"to": "gm-happened", "name": "What happened"}],
    }


# --- what became of a seat's orders, one by one


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
