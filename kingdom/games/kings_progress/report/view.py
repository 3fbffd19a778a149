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
from kingdom.games.kit.report import (
    Anchor,
    Message,
    Outcome,
    Outcomes,
    PhaseLines,
    board,
    contents,
    dice,
    form,
    happened,
    heard,
    message,
    news,
    of_third,
    refused,
    rolls,
    told,
)

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
    own = heard(result, seat)
    wanted = asked(seen, seat, rules)
    found = {
        "turn": result.number,
        "next_turn": result.number + 1,
        "seat": seat,
        "name": mine.name,
        "heading": heading(seen, rules),
        "told": told(own),
        "asked": wanted,
        "over": is_over(seen),
        "waits": "" if wanted or is_over(seen) else waits(seen, seat, rules),
        "hand": {"tiles": joined(mine.tiles), "coins": joined(mine.coins), "vetoes": mine.vetoes, "king": _king(mine)},
        "happened": _happened(own, seat),
        "orders": outcomes(result.orders.get(seat), [notice for notice in own if notice.seat == seat]),
        "kingdoms": [_kingdom(each, kingdom, each == seat, rules) for each, kingdom in seen.kingdoms.items()],
        "board": _board(result.after, seat, rules),
        "messages": _messages(result, seat),
        "news": news(own),
        "rolls": dice(result, seat),
        "form": form(result, seat, form_of(seen, seat, rules)),
    }
    return {**found, "first": _first(found, seen, seat, rules), "contents": _contents(found)}


def _king(kingdom: Kingdom) -> str:
    return f"in city {kingdom.king}" if kingdom.king else "in the centre"


def _first(found: dict[str, Any], table: Table, seat: str, rules: Rules) -> list[dict[str, str]]:
    """The lines of the first screen: what is asked, the hand, the round."""
    hand = found["hand"]
    lines = [{"name": "Now", "text": found["heading"], "to": "kingdoms" if found["over"] else "board", "mark": ""}]
    if not is_over(table):
        keys = joined(each["name"][:1].lower() + each["name"][1:] for each in found["asked"])
        text, mark = (keys, "mark") if found["asked"] else (found["waits"], "")
        lines.append({"name": "You decide", "text": text, "to": "asked", "mark": mark})
        lines.append(
            {"name": "In hand", "text": f"tiles {hand['tiles']}; coins {hand['coins']}", "to": "kingdoms", "mark": ""}
        )
        lines.append(
            {"name": "King", "text": f"{hand['king']}, vetoes left {hand['vetoes']}", "to": "kingdoms", "mark": ""}
        )
    rows = found["orders"]["rows"]
    carried_out = {
        row["key"] for row in rows if row["outcome"] == "done"
    }  # by an alternative where not by the first choice
    refused = sum(row["outcome"] == "refused" and row["key"] not in carried_out for row in rows)
    if refused:
        lines.append({"name": "Refused", "text": f"{refused} of your orders", "to": "orders", "mark": "bad"})
    return lines


def _contents(found: dict[str, Any]) -> list[Anchor]:
    """The sections of the report, in their order; those without content are left out."""
    sections = [
        ("told", "The GM says", bool(found["told"])),
        ("asked", "What to decide", True),
        ("board", "The table", not found["over"]),
        ("kingdoms", "The kingdoms", True),
        ("happened", "What happened", bool(found["happened"]) or found["turn"] > 0),
        ("orders", "Your orders", found["turn"] > 0),
        ("messages", "Messages and news", bool(found["messages"] or found["news"])),
        ("form", "Order form", True),
    ]
    return contents(sections)


def _happened(notices: Iterable[Notice], seat: str) -> list[PhaseLines]:
    """What was told to the seat and to all, by phases."""
    return happened((notice for notice in notices if seat not in notice.facts.get("besides", ())), PHASES)


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
    return {**board(picture(table, seat, rules), draw(table, seat, rules)), "wide": width(rules)}


def _messages(result: Result, seat: str) -> list[Message]:
    """What the seat wrote, and what was written to it or to all; for the GM all of it."""
    found = []
    for sender in sorted(set(result.orders) - {GM}):
        for each in result.orders[sender].get("messages") or ():
            if each and (seat in (sender, each["to"], GM) or each["to"] == ALL):
                found.append(message(sender, each["to"], each["text"], seat))
    return found


def _gm_view(result: Result, rules: Rules) -> dict[str, Any]:
    def of(seat: str) -> Outcomes:
        return outcomes(result.orders.get(seat), [notice for notice in result.notices if notice.seat == seat])

    kingdoms = result.after.kingdoms
    return {
        "turn": result.number,
        "next_turn": result.number + 1,
        "heading": heading(result.after, rules),
        "seats": [
            {"seat": seat, "name": kingdom.name, "orders": of_third(of(seat))} for seat, kingdom in kingdoms.items()
        ],
        "kingdoms": [_kingdom(seat, kingdom, False, rules) for seat, kingdom in kingdoms.items()],
        "rulings": [
            {"text": facts["order"], "outcome": "refused", "why": facts["reason"]} for facts in refused(result)
        ],
        "happened": _happened([notice for notice in result.notices if notice.seat == ALL], GM),
        "rolls": rolls(result),
        "messages": _messages(result, GM),
        "news": news(result.notices),
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
