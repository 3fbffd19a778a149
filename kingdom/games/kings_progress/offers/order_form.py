"""The order form of a seat: each decision of the next turn with what may be chosen, as plain data (see kingdom/render/order_form.py)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kingdom.games.kings_progress.orders import KEYS
from kingdom.games.kings_progress.report.asked import asked, free_for, vetoable, waits
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import CITY, CITY_VETO, INVESTMENT, INVESTMENT_VETO, PLAYED, PROGRESS, Table
from kingdom.games.kings_progress.steps.rounds import due
from kingdom.games.shared.common_orders import ALL

Offer = dict[str, Any]
LIST, ONE = "list", "one"  # how an order stands under its key: one of a list, all of it
TEXT = 4000  # characters of a message
VETOES = "vetoes"  # the counter


def form_page(seen: Table, seat: str, rules: Rules) -> dict[str, Any]:
    """What the seat's order form offers for the turn after `seen`, which is what it knows."""
    wanted = asked(seen, seat, rules)
    offers = {KEYS[phase]: made(seen, seat, rules) for phase, made in _OFFERS.items()}
    sections = [_section(each["key"], each["name"], each["text"], offers[each["key"]]) for each in wanted]
    vetoes = (
        [{"id": VETOES, "name": "Vetoes", "left": seen.kingdoms[seat].vetoes}]
        if any("veto" in each["text"] for each in wanted)
        else []
    )
    return {
        "notice": "" if wanted else waits(seen, seat, rules),
        "counters": vetoes,
        "coin": "",
        "facts": [],
        "sections": [section for section in [*sections, _letters(seen, seat)] if section["parts"][0]["offers"]],
        "places": {},
    }


def _section(id: str, title: str, about: str, offers: Iterable[Offer]) -> dict[str, Any]:
    return {"id": id, "title": title, "about": about, "parts": [{"title": "", "offers": list(offers)}]}


def _offer(id: str, phase: str, value: Any, text: str, how: str = LIST, **more: Any) -> Offer:
    """An order that may be chosen; what lists rank is written in the order in which it is chosen."""
    return {"id": id, "rank": PLAYED.index(phase), "key": KEYS[phase], "how": how, "value": value, "text": text, **more}


def _choice(name: str, label: str, values: Iterable[int]) -> dict[str, Any]:
    return {
        "name": name,
        "label": label,
        "kind": "choice",
        "options": [{"value": value, "text": str(value)} for value in values],
    }


def _slot(name: str) -> str:
    """Where what is filled into a field comes to stand."""
    return f"\x01{name}\x01"


def _placed(table: Table, seat: str, rules: Rules, phase: str, piece: str, pieces: tuple[int, ...]) -> list[Offer]:
    """A piece for each kingdom; what is chosen first is the first choice."""
    return [
        _offer(f"{piece} {each}", phase, {"kingdom": each, piece: _slot(piece)}, f"A {piece} in {each}",
               fields=[_choice(piece, piece.capitalize(), reversed(pieces))], takes=[f"{piece} {each}"])
        for each in free_for(table, seat, rules, phase)
    ]  # fmt: skip


def _cities(table: Table, seat: str, rules: Rules) -> list[Offer]:
    return _placed(table, seat, rules, CITY, "tile", table.kingdoms[seat].tiles)


def _investments(table: Table, seat: str, rules: Rules) -> list[Offer]:
    return _placed(table, seat, rules, INVESTMENT, "coin", table.kingdoms[seat].coins)


def _city_vetoes(table: Table, seat: str, rules: Rules) -> list[Offer]:
    mine = table.kingdoms[seat]
    common: dict[str, Any] = {"takes": ["city veto"], "costs": {VETOES: 1}}
    tile = _choice("tile", "By tile", reversed(mine.tiles))
    found = [
        _offer(f"veto {number}", CITY_VETO, {"city": number, "replace_with": _slot("tile")},
               f"Replace tile {mine.cities[number - 1].tile} of city {number}", fields=[tile], **common)
        for number in vetoable(mine, rules)
    ]  # fmt: skip
    if CITY in due(table, rules):
        value = {"if": {"city": "newest", "tile_max": _slot("most")}, "replace_with": _slot("tile")}
        most = _choice("most", "If it is at most", rules.box.values)
        found.append(
            _offer(
                "veto newest", CITY_VETO, value, "Replace the tile of the newest city", fields=[most, tile], **common
            )
        )
    return found


def _investment_vetoes(table: Table, seat: str, rules: Rules) -> list[Offer]:
    mine = table.kingdoms[seat]
    poor, rest = rules.box.values[:2], "default"
    fields = [
        _choice("poor", f"For a {' or a '.join(map(str, poor))}", reversed(mine.coins)),
        _choice("rest", "For any other", mine.coins),
    ]
    swap = {**{str(value): _slot("poor") for value in poor}, rest: _slot("rest")}
    common: dict[str, Any] = {"how": ONE, "fields": fields, "takes": ["investment veto"], "costs": {VETOES: 1}}
    found = [
        _offer(
            f"look {number}",
            INVESTMENT_VETO,
            {"city": number, "swap": swap},
            f"Look at the coin of city {number} and replace it",
            **common,
        )
        for number in vetoable(mine, rules, coins=True)
    ]
    if INVESTMENT in due(table, rules):
        common["fields"] = [_choice("least", "If its tile is at least", rules.box.values), *fields]
        value = {"city": {"newest_if_tile_min": _slot("least")}, "swap": swap}
        found.append(
            _offer(
                "look newest", INVESTMENT_VETO, value, "Look at the coin of the newest city and replace it", **common
            )
        )
    return found


def _progress(table: Table, seat: str, rules: Rules) -> list[Offer]:
    common: dict[str, Any] = {"how": ONE, "takes": ["progress"], "costs": {VETOES: 1}}
    found = [_offer("stay", PROGRESS, "veto", "The King stays", **common)]
    if len(table.kingdoms[seat].cities) == table.kingdoms[seat].king:  # what lies before him is not placed yet
        most = _choice("most", "If the next tile is at most", rules.box.values)
        value = {"veto_if": {"next_tile_max": _slot("most")}}
        found.append(_offer("stay if", PROGRESS, value, "The King stays on a condition", fields=[most], **common))
    return found


_OFFERS = {
    CITY: _cities,
    CITY_VETO: _city_vetoes,
    INVESTMENT: _investments,
    INVESTMENT_VETO: _investment_vetoes,
    PROGRESS: _progress,
}


def _letters(seen: Table, seat: str) -> dict[str, Any]:
    to = [{"value": each, "text": each} for each in (ALL, *seen.kingdoms) if each != seat]
    fields = [
        {"name": "to", "label": "To", "kind": "choice", "options": to},
        {"name": "text", "label": "Text", "kind": "lines", "most": TEXT},
    ]
    last = {"rank": len(PLAYED), "key": "messages", "how": LIST, "value": {"to": _slot("to"), "text": _slot("text")}}
    done = {
        "id": "final",
        "rank": len(PLAYED),
        "key": "final",
        "how": ONE,
        "value": True,
        "text": "I am done",
        "takes": ["final"],
    }
    return _section(
        "letters", "Messages", "", [{**last, "id": "message", "text": "Write a message", "fields": fields}, done]
    )
